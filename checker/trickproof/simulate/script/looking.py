"""What a player has seen of a hand, and the ways that each card may have taken, as far as that player can tell.

What a player has seen is a copy of the record with a hole for every word that the player has not seen.

A player sees the cards of a movement if the player sees into its source or its target; everybody sees how many cards move.
Chosen values are public, simultaneous ones once all are chosen.  The alternatives another player had are not visible.

A way is a zone together with the hidden movements that brought a card there.  A visible movement fixes the way of the cards that
move and rules it out for the others; a hidden movement adds a way for every card that could have taken part.  A card
cannot be in a player's hand if holding it would have made that player's visible choice illegal, or if the rules would have singled out
another card, both with the fewest and with the most other cards the player can have held.  For this the routine asks the one that
follows scripts what the rules would have allowed.

It is written as an integer program because it runs before every decision: it reads
what has been added to the record since.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial, reduce

from trickproof.information.record import (
    BASE,
    CHOSEN_CARDS,
    CHOSEN_VALUE,
    DOMAIN,
    HIGH,
    HOLE,
    LOW,
    OPTIONS,
    SIZED_HOLE,
)
from trickproof.simulate.backends.jit import callable_of
from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.calling_convention import LLVM
from trickproof.simulate.ir.instructions import Expr, Op, Routine, load, op
from trickproof.simulate.script import looking_layout as layout
from trickproof.simulate.script.follower import ANSWERED
from trickproof.simulate.script.machine import PROBES, ScriptMachine
from trickproof.simulate.script.program import JOB_WORDS, RESULT_WORDS


def looker(machine: ScriptMachine) -> Callable[..., None]:
    """The routine as a function of its arrays, which has a machine probe."""
    if machine.backend == LLVM:
        return _compiled()
    return callable_of(_routine(), machine.backend, lambda _, *arrays: machine.run(*arrays))


@cache
def _compiled() -> Callable[..., None]:
    return callable_of(_routine(), LLVM)


def _routine() -> Routine:
    b = Builder(layout.OUTER)
    for name in (layout.CUT, layout.MASK):
        b.array(name, layout.MOST_WAYS + 1)
    _Looking(b).run()
    return b.routine


class _Looking:
    """Writes the routine."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        self.viewer, self.end = self._state(layout.VIEWER), self._state(layout.END)
        self.seats = b.let(op("add", self._form(layout.SEATS), 1))
        self.unfilled = b.let(op("add", self._form(layout.ZONES), layout.SIZES_AT))

    def run(self) -> None:
        b = self.b
        with b.scope():
            b.loop(lambda: op("lt", load(layout.STATE, layout.SEEN), self.end), self._see)
            with b.when(load(layout.STATE, layout.AGAIN)):
                self._begin()
            b.loop(lambda: op("lt", load(layout.STATE, layout.KNOWN), self.end), self._know)
            self._tell()
        b.store(layout.STATE, layout.LEFT, "left")

    def _at(self, array: str, *at: Expr) -> Expr:
        """The word at a sum of positions."""
        return self.b.let(load(array, reduce(lambda x, y: op("add", x, y), at)))

    def _form(self, *at: Expr) -> Expr:
        return self._at(layout.FORM, *at)

    def _field(self, word: int) -> Expr:
        """A word about the site of the item."""
        return self._form(self.row, word)

    def _state(self, *at: Expr) -> Expr:
        return self._at(layout.STATE, *at)

    def _record(self, *at: Expr) -> Expr:
        return self._at(layout.SCRIPT, PROBES, *at)

    def _put(self, word: Expr, value: Expr) -> None:
        self.b.store(layout.STATE, word, value)

    def _more(self, word: Expr) -> None:
        """Count one more."""
        self._put(word, op("add", load(layout.STATE, word), 1))

    def _item(self, at: Expr) -> None:
        """Read the site of an item."""
        b = self.b
        self.now, self.site = at, self._record(at)
        self.row = self._row_of(self.site)
        self.kind, self.by = self._field(layout.KIND), self._field(layout.BY)
        self.player = b.let(op("select", self.by, self._record(at, self.by), -1))
        self.cards_at = b.let(op("add", at, self._field(layout.CARDS)))

    def _row_of(self, site: Expr) -> Expr:
        return self.b.let(op("add", load(layout.FORM, layout.SITES), op("mul", site, layout.ROW)))

    def _case(self, kind: int, do: Callable[[], None]) -> None:
        """Do something for items of a kind."""
        with self.b.when(op("eq", self.kind, kind)):
            do()

    def _zone(self, word: int) -> Expr:
        """The zone from or into which a movement goes."""
        b, at = self.b, self._field(word)
        zone, owner = b.mutable(self._form(at)), b.mutable(at)

        def owned(_: Expr) -> None:
            b.set(owner, op("add", owner, 2))
            factor = self._form(owner, 1)
            b.set(zone, op("add", zone, op("mul", self._record(self.now, self._form(owner)), factor)))

        b.times(1, self._form(at, 1), owned)
        return b.let(zone)

    # ------------------------------------------------------------------------------------------- what is seen

    def _see(self) -> None:
        """Make holes of what is not seen of an item, and fill those of which it tells."""
        at = self._state(layout.SEEN)
        self._item(at)
        self._put(layout.SEEN, op("add", at, self._field(layout.SIZE)))
        self._case(layout.MOVEMENT, self._see_movement)
        self._case(layout.REVEAL, self._see_values)
        self._case(layout.SHOW, self._see_shown)
        self._case(layout.VALUE, self._see_value)
        with self.b.when(op("le", layout.CHANCE, self.kind)):
            self._see_choice()

    def _hide(self, *offsets: Expr) -> None:
        for offset in offsets:
            self.b.store(layout.WORDS, op("add", self.now, offset), HOLE)

    def _fill(self, word: Expr, value: Expr) -> None:
        """Fill a hole, if there is one, of a choice that is now known."""
        b = self.b
        with b.when(word):
            b.store(layout.WORDS, word, value)
            with b.when(op("lt", word, load(layout.STATE, layout.KNOWN))):
                self._put(layout.AGAIN, 1)

    def _latest(self, site: Expr) -> Expr:
        """Where the hole of the latest choice at a site is kept."""
        b = self.b
        own = op("select", self._form(self._row_of(site), layout.AT_ONCE), op("add", self.player, 1), 0)
        return b.let(op("add", self.unfilled, op("add", op("mul", site, self.seats), own)))

    def _taken(self) -> Expr:
        """The hole of the choice of these cards, from now on forgotten; 0 if there is none."""
        b, site = self.b, self._field(layout.CHOSEN_BY)
        hole = b.mutable(0)
        with b.when(op("le", 0, site)):
            latest = self._latest(site)
            b.set(hole, load(layout.STATE, latest))
            self._put(latest, 0)
        return b.let(hole)

    def _see_choice(self) -> None:
        b = self.b
        by_chance = b.let(op("eq", self.kind, layout.CHANCE))
        own = b.let(op("select", by_chance, 0, op("eq", self.player, self.viewer)))
        with b.when(op("select", own, op("eq", self.kind, layout.BLIND), 1)):
            self._hide(DOMAIN, CHOSEN_CARDS)
            with b.when(op("not", op("or", own, by_chance))):
                self._hide(LOW, HIGH)
            self._put(self._latest(self.site), op("add", self.now, CHOSEN_CARDS))

    def _see_value(self) -> None:
        b = self.b
        with b.when(op("ne", self.player, self.viewer)):
            self._hide(BASE, OPTIONS)
            with b.when(self._field(layout.AT_ONCE)):
                self._hide(CHOSEN_VALUE)

    def _see_values(self) -> None:
        """Fill the holes of choices of values."""

        def heard(at: Expr, row: Expr) -> None:
            word = self.b.let(op("add", at, CHOSEN_VALUE))
            value = op("eq", self._form(row, layout.KIND), layout.VALUE)
            hole = op("select", value, op("eq", load(layout.WORDS, word), HOLE), 0)
            self._fill(op("select", hole, word, 0), self._record(word))

        self._earlier(heard)

    def _earlier(self, do: Callable[[Expr, Expr], None]) -> None:
        """Go through the items before this one, each with the row of its site."""
        b, at = self.b, self.b.mutable(load(layout.FORM, layout.FIRST))

        def once() -> None:
            here = b.let(at)
            row = self._row_of(self._record(here))
            do(here, row)
            b.set(at, op("add", here, self._form(row, layout.SIZE)))

        b.loop(lambda: op("lt", at, self.now), once)

    def _see_shown(self) -> None:
        b = self.b
        cards, to = b.let(load(layout.SCRIPT, op("add", self.cards_at, PROBES))), self._field(layout.TO)
        to_viewer = op("and", op("shr", self._record(self.now, to), self.viewer), 1)
        seen = op("select", cards, op("select", op("eq", self.player, self.viewer), 1, to_viewer), 1)
        b.either(
            seen,
            lambda: self._fill(self._taken(), cards),
            lambda: b.store(layout.WORDS, self.cards_at, op("sub", SIZED_HOLE, op("count", cards))),
        )

    def _see_movement(self) -> None:
        b, hole, source, target = self.b, self._taken(), self._zone(layout.SOURCE), self._zone(layout.TARGET)
        cards, word = self._record(self.cards_at), self.cards_at
        by = op("or", *(load(layout.FORM, op("add", zone, layout.SITES + 1)) for zone in (source, target)))
        seen = op("select", cards, op("and", op("shr", by, self.viewer), 1), 1)

        def hidden() -> None:
            number = self._state(layout.MOVES)
            b.guard(op("le", layout.MOST_MOVES, number), layout.TOO_MANY)
            at = b.let(op("add", op("mul", number, layout.MOVE), layout.MOVES_AT))
            b.store(layout.WORDS, word, HOLE)
            first, forced = op("select", hole, hole, word), op("select", hole, 0, 1)
            for i, value in enumerate((source, target, op("count", cards), first, word, forced)):
                self._put(op("add", at, i), value)
            self._more(layout.MOVES)

        b.either(seen, lambda: self._fill(hole, cards), hidden)

    # ------------------------------------------------------------------------------------------ what is known

    def _begin(self) -> None:
        """Knowledge begins again."""
        for word, value in (
            (layout.AGAIN, 0),
            (layout.KNOWN, load(layout.FORM, layout.FIRST)),
            (layout.NEXT, 0),
        ):
            self._put(word, value)
        self._shuffled()

    def _shuffled(self) -> None:
        """All cards are back in the deck, so earlier knowledge is dropped."""
        b, deck, cards = self.b, self._form(layout.DECK_ZONE), self._form(layout.ALL_CARDS)
        b.times(
            0,
            op("sub", load(layout.FORM, layout.ZONES), 1),
            lambda i: self._put(op("add", i, layout.SIZES_AT), 0),
        )
        self._put(op("add", deck, layout.SIZES_AT), op("count", cards))
        for word, value in (
            (layout.BEGUN, load(layout.STATE, layout.NEXT)),
            (layout.BY_RULES, 0),
            (layout.WAYS, 1),
        ):
            self._put(word, value)
        for word, value in ((layout.AT, deck), (layout.THROUGH, 0), (layout.THERE, cards)):
            self._put(layout.WAYS_AT + word, value)
        self._revealed()

    def _revealed(self) -> None:
        """Simultaneous choices move now; a card that has moved since this point cannot be one of those chosen."""
        self._put(layout.SINCE, op("sub", load(layout.STATE, layout.NEXT), load(layout.STATE, layout.BEGUN)))
        self._put(layout.ARRIVED, 0)

    def _know(self) -> None:
        """What follows from an item."""
        b = self.b
        self._item(self._state(layout.KNOWN))
        probed, cards = self._field(layout.PROBED), b.let(load(layout.WORDS, self.cards_at))
        self._case(layout.SHUFFLE, self._shuffled)
        self._case(layout.REVEAL, self._revealed)
        zone, wanted = b.mutable(op("add", probed, self.player)), b.mutable(0)
        shows = b.let(op("eq", self.kind, layout.SHOW))
        told = op("select", shows, op("le", 0, cards), op("lt", 0, cards))
        with b.when(op("select", told, op("le", 0, probed), 0)):
            b.either(
                op("select", shows, 1, op("eq", self.kind, layout.MOVEMENT)),
                lambda: self._singled_out(zone, wanted),
                lambda: b.set(wanted, op("ne", self.player, self.viewer)),
            )
            with b.when(wanted):
                self._probe(b.let(zone), cards)
        self._case(layout.MOVEMENT, lambda: self._movement(cards))
        lie = op(
            "select",
            op("lt", 0, cards),
            op("select", op("le", layout.SHOW, self.kind), self._field(layout.SOURCE), 0),
            0,
        )
        with b.when(lie):
            self._lie(cards)
        self._put(layout.KNOWN, op("add", self.now, self._field(layout.SIZE)))

    def _lie(self, cards: Expr) -> None:
        """Cards lie in a zone, alone if it has no more."""
        b, zone = self.b, self._zone(layout.SOURCE)
        all_of_it = b.let(op("eq", self._state(zone, layout.SIZES_AT), op("count", cards)))

        def one(at: Expr) -> None:
            there = self._state(at, layout.THERE)
            others = op("select", all_of_it, op("without", there, cards), 0)
            here = op("eq", load(layout.STATE, op("add", at, layout.AT)), zone)
            self._cut(at, b.let(op("select", here, others, op("and", there, cards))))

        self._ways(one)

    def _singled_out(self, zone: str, wanted: str) -> None:
        """Probe if all the rules go by is seen but the cards in the zone: not the player's own, and no choice is a hole."""
        b, source, kept = self.b, self._field(layout.SOURCE), self._field(layout.KEPT)
        b.set(zone, self._zone(layout.SOURCE))
        b.set(wanted, 1)

        def no_longer(condition: Expr) -> None:
            b.set(wanted, op("select", condition, 0, wanted))

        def owned(i: Expr) -> None:
            owner = self._record(self.now, self._form(source, op("mul", i, 2)))
            no_longer(op("eq", owner, self.viewer))

        b.times(1, self._form(source, 1), owned)

        def compared(at: Expr, row: Expr) -> None:
            hole = b.let(op("eq", self._at(layout.WORDS, at, self._form(row, layout.CARDS)), HOLE))
            same = partial(op, "eq", self._record(at))
            b.times(
                1,
                self._form(kept),
                lambda i: no_longer(op("select", hole, same(load(layout.FORM, op("add", kept, i))), 0)),
            )

        self._earlier(compared)

    def _probe(self, zone: Expr, cards: Expr) -> None:
        """Rule out the cards that contradict what was seen, when added to the fewest that the player can have held."""
        b = self.b
        possible, elsewhere = self._possible(zone)
        least = b.let(op("or", op("without", self._form(layout.ALL_CARDS), elsewhere), cards))
        others = b.let(op("without", possible, least))
        number = b.mutable(0)

        def each(do: Callable[[Expr], None]) -> None:
            b.set(number, 1)

            def one(card: Expr) -> None:
                do(b.let(op("bit", card)))
                b.set(number, op("add", number, 1))

            b.bits(others, one)

        self._ask(0, op("or", possible, cards))
        self._answer(1)
        with b.when(self._wrong(0, cards)):
            self._ask(0, least)
            each(lambda card: self._ask(number, op("or", least, card)))
            self._answer(number)
            wrong = b.mutable(0)
            each(
                lambda card: b.set(wrong, op("or", wrong, op("select", self._wrong(number, cards), card, 0)))
            )
            b.set(wrong, op("select", self._wrong(0, cards), 0, op("and", wrong, elsewhere)))
            self._ways(lambda at: self._exclude(at, zone, wrong))

    def _exclude(self, at: Expr, zone: Expr, cards: Expr) -> None:
        with self.b.when(op("eq", load(layout.STATE, op("add", at, layout.AT)), zone)):
            self._cut(at, cards)

    def _cut(self, way: Expr, cards: Expr) -> None:
        """Cards did not take a way."""
        at = self.b.let(op("add", way, layout.THERE))
        self._put(at, op("without", load(layout.STATE, at), cards))

    def _ask(self, number: Expr, cards: Expr) -> None:
        """Write a probe of this item."""
        end, job = op("sub", load(layout.STATE, layout.LENGTH), 1), op("mul", number, JOB_WORDS)
        begin, item = (op("add", x, PROBES) for x in (load(layout.FORM, layout.FIRST), self.now))
        for i, word in enumerate((begin, end, HOLE, 0, item, cards)):
            self.b.store(layout.SCRIPT, op("add", job, i), word)

    def _answer(self, number: Expr) -> None:
        """Probe."""
        self.b.store(layout.IO, 0, number)
        self.b.store(layout.IO, 1, PROBES)
        self.b.let(Op("ask", (self._form(layout.ASKED), *layout.PROBE)))

    def _wrong(self, number: Expr, cards: Expr) -> Expr:
        """Whether the answer to a probe contradicts what was seen: the cards could not be chosen, or others would move."""
        b, at = self.b, self.b.let(op("mul", number, RESULT_WORDS))
        mask = load(layout.SCRIPT, op("add", op("mul", number, JOB_WORDS), JOB_WORDS - 1))
        answered = op("eq", load(layout.ANSWERS, at), ANSWERED)
        answer = b.let(op("select", answered, load(layout.ANSWERS, op("add", at, 2)), mask))
        chosen = op("le", layout.CHANCE, self.kind)
        return b.let(
            op(
                "select",
                op("not", chosen),
                op("ne", answer, cards),
                op("ne", op("without", cards, answer), 0),
            )
        )

    def _ways(self, do: Callable[[Expr], None]) -> None:
        """Go through the ways there are now."""
        last = op("sub", load(layout.STATE, layout.WAYS), 1)
        self.b.times(0, last, lambda i: do(self.b.let(op("add", op("mul", i, layout.WAY), layout.WAYS_AT))))

    def _possible(self, zone: Expr) -> tuple[Expr, Expr]:
        """The cards that may be in a zone, and those that may be elsewhere."""
        b = self.b
        there, elsewhere = b.mutable(0), b.mutable(0)

        def one(at: Expr) -> None:
            here, cards = b.let(op("eq", load(layout.STATE, at), zone)), self._state(at, layout.THERE)
            b.set(there, op("or", there, op("select", here, cards, 0)))
            b.set(elsewhere, op("or", elsewhere, op("select", here, 0, cards)))

        self._ways(one)
        return b.let(there), b.let(elsewhere)

    def _movement(self, cards: Expr) -> None:
        """Cards move, or if they are a hole, nobody knows which."""
        b, source, target = self.b, self._zone(layout.SOURCE), self._zone(layout.TARGET)
        hidden = b.let(op("eq", cards, HOLE))
        at_once, next_move = self._field(layout.AT_ONCE), self._state(layout.NEXT)
        move = op("add", op("mul", next_move, layout.MOVE), layout.MOVES_AT)
        number = b.mutable(op("count", op("select", hidden, 0, cards)))
        bit, moving = b.mutable(0), b.mutable(cards)
        with b.when(hidden):
            h = b.let(op("sub", next_move, load(layout.STATE, layout.BEGUN)))
            b.guard(op("le", layout.MOST_MASKED, h), layout.TOO_MANY)
            b.set(bit, op("bit", h))
            b.set(number, load(layout.STATE, op("add", move, layout.NUMBER)))
            b.set(moving, self._form(layout.ALL_CARDS))
            self._more(layout.NEXT)
        size = self._state(source, layout.SIZES_AT)
        all_of_it = b.let(op("select", op("eq", size, number), op("eq", at_once, 0), 0))
        self._put(op("add", source, layout.SIZES_AT), op("sub", size, number))
        arriving = b.let(op("add", target, layout.SIZES_AT))
        self._put(arriving, op("add", load(layout.STATE, arriving), number))
        forced = op(
            "select",
            hidden,
            op("select", all_of_it, 0, load(layout.STATE, op("add", move, layout.FORCED))),
            0,
        )
        self._put(
            layout.BY_RULES, op("or", load(layout.STATE, layout.BY_RULES), op("select", forced, bit, 0))
        )
        can_move = b.let(
            op("select", at_once, op("without", moving, load(layout.STATE, layout.ARRIVED)), moving)
        )
        since, before = self._state(layout.SINCE), self._state(layout.WAYS)
        nth = b.mutable(0)

        def leave(at: Expr) -> None:
            """Note the cards that can have moved along a way, and keep those that can have stayed."""
            here, through, there = (self._state(at, i) for i in range(layout.WAY))
            from_here = b.let(op("eq", here, source))
            fresh = op("select", at_once, op("eq", op("shr", through, since), 0), 1)
            b.store(
                layout.CUT,
                nth,
                op("select", from_here, op("select", fresh, op("and", there, can_move), 0), 0),
            )
            b.set(nth, op("add", nth, 1))
            gone = op("select", hidden, 0, moving)
            self._cut(at, op("select", op("select", from_here, all_of_it, 0), there, gone))

        self._ways(leave)

        def arrive(i: Expr) -> None:
            arriving = b.let(load(layout.CUT, i))
            with b.when(arriving):
                through = self._state(op("mul", i, layout.WAY), layout.WAYS_AT + layout.THROUGH)
                self._arrived(target, b.let(op("or", through, bit)), arriving)

        b.times(0, op("sub", before, 1), arrive)
        with b.when(op("not", hidden)):
            self._put(layout.ARRIVED, op("or", load(layout.STATE, layout.ARRIVED), cards))

    def _arrived(self, zone: Expr, through: Expr, cards: Expr) -> None:
        """Add cards to a way."""
        b, number = self.b, self._state(layout.WAYS)
        end = b.let(op("add", op("mul", number, layout.WAY), layout.WAYS_AT))
        b.guard(op("le", layout.MOST_WAYS, number), layout.TOO_MANY)
        for i, value in enumerate((zone, through, 0)):
            self._put(op("add", end, i), value)
        at = b.mutable(layout.WAYS_AT)

        def other() -> Expr:
            same = op("eq", load(layout.STATE, op("add", at, layout.THROUGH)), through)
            return op("select", op("eq", load(layout.STATE, at), zone), op("not", same), 1)

        b.loop(other, lambda: b.set(at, op("add", at, layout.WAY)))
        with b.when(op("eq", at, end)):
            self._more(layout.WAYS)
        there = b.let(op("add", at, layout.THERE))
        self._put(there, op("or", load(layout.STATE, there), cards))

    # -------------------------------------------------------------------------------------------- what is told

    def _tell(self) -> None:
        """Divide the cards into classes, in an order that does not depend on the cards, and write the key."""
        each_mask = partial(self.b.times, 0, op("sub", self._masks(), 2))
        number = self._classes(each_mask)
        self._key(each_mask, number)

    def _masks(self) -> Expr:
        """List the masks of all ways, ascending, with the cards of each, and one above them all; how many these are."""
        b = self.b
        masks, last = b.mutable(0), b.mutable(-1)

        def next_mask() -> None:
            """Find the lowest mask above the last, and the cards of the ways with it, in whatever zones."""
            lowest, cards = b.mutable(1 << layout.MOST_MASKED), b.mutable(0)

            def compared(at: Expr) -> None:
                through, there = self._state(at, layout.THROUGH), self._state(at, layout.THERE)
                lower = op("select", op("lt", last, through), op("lt", through, lowest), 0)
                lower = b.let(op("select", there, lower, 0))
                same = op("select", op("eq", through, lowest), op("or", cards, there), cards)
                b.set(cards, op("select", lower, there, same))
                b.set(lowest, op("select", lower, through, lowest))

            self._ways(compared)
            b.store(layout.MASK, masks, lowest)
            b.store(layout.CUT, masks, cards)
            b.set(masks, op("add", masks, 1))
            b.set(last, lowest)

        b.loop(lambda: op("lt", last, 1 << layout.MOST_MASKED), next_mask)
        return masks

    def _classes(self, each_mask: Callable[[Callable[[Expr], None]], None]) -> Expr:
        """Divide the cards by the masks of their ways; the number of classes."""
        b, number = self.b, self.b.mutable(1)
        b.store(layout.TOLD, layout.CLASSES_AT, load(layout.FORM, layout.ALL_CARDS))

        def divide(mask: Expr) -> None:
            there = b.let(load(layout.CUT, mask))

            def one(i: Expr) -> None:
                place = b.let(op("add", i, layout.CLASSES_AT))
                cards = b.let(load(layout.TOLD, place))
                inside, outside = b.let(op("and", cards, there)), b.let(op("without", cards, there))
                with b.when(op("select", inside, op("ne", outside, 0), 0)):
                    b.store(layout.TOLD, place, inside)
                    b.store(layout.TOLD, op("add", number, layout.CLASSES_AT), outside)
                    b.set(number, op("add", number, 1))

            b.times(0, op("sub", number, 1), one)

        each_mask(divide)
        b.store(layout.TOLD, layout.CLASSES, number)
        return number

    def _key(self, each_mask: Callable[[Callable[[Expr], None]], None], number: Expr) -> None:
        """Write the hidden movements, and the ways of each class."""
        b = self.b
        moves, end = (
            b.let(op("sub", load(layout.STATE, layout.NEXT), load(layout.STATE, layout.BEGUN))),
            b.mutable(layout.KEY_AT + 2),
        )
        b.store(layout.TOLD, layout.KEY_AT, load(layout.STATE, layout.BY_RULES))
        b.store(layout.TOLD, layout.KEY_AT + 1, moves)

        def write(word: Expr) -> None:
            b.store(layout.TOLD, end, word)
            b.set(end, op("add", end, 1))

        def move(h: Expr) -> None:
            at = b.let(
                op(
                    "add",
                    op("mul", op("add", load(layout.STATE, layout.BEGUN), h), layout.MOVE),
                    layout.MOVES_AT,
                )
            )
            write(load(layout.STATE, at))
            write(load(layout.STATE, op("add", at, layout.INTO)))

        b.times(0, op("sub", moves, 1), move)

        def each(i: Expr) -> None:
            cards, begin = b.let(load(layout.TOLD, op("add", i, layout.CLASSES_AT))), b.let(end)
            write(0)

            def way(mask: Expr) -> None:
                with b.when(op("and", load(layout.CUT, mask), cards)):
                    write(load(layout.MASK, mask))

            each_mask(way)
            ways = b.let(op("sub", op("sub", end, begin), 1))
            b.guard(op("lt", layout.MOST_CLASS_WAYS, ways), layout.TOO_MANY)
            b.store(layout.TOLD, begin, ways)

        b.times(0, op("sub", number, 1), each)
        b.store(layout.TOLD, layout.KEY_END, end)
