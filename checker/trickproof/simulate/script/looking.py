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

from array import array
from collections.abc import Callable
from functools import cache, partial, reduce

from trickproof.analysis.observable_program import REVEALED, SHOWN, SHUFFLED
from trickproof.information.record import (
    BASE,
    CHOSEN_CARDS,
    CHOSEN_VALUE,
    DOMAIN,
    HIGH,
    HOLE,
    LOW,
    OPTIONS,
    PLAYER,
    SIZED_HOLE,
    RecordForm,
    Site,
)
from trickproof.simulate.backends.jit import address_of, callable_of
from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.calling_convention import LLVM
from trickproof.simulate.ir.instructions import Expr, Op, Routine, load, op
from trickproof.simulate.script.follower import ANSWERED
from trickproof.simulate.script.machine import PROBES, ScriptMachine
from trickproof.simulate.script.program import JOB_WORDS, RESULT_WORDS
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import DECK

_PROBE = ("params", "io", "answers", "script")
"""The arrays of the routine that follows scripts (`program`)."""

_FORM, _WORDS, _STATE, _TOLD, _PARAMS, _IO, _ANSWERS, _SCRIPT = _OUTER = (
    "form",
    "words",
    "state",
    "told",
    *_PROBE,
)
"""The arrays: how to read the record; the record itself between words for probes and a word that is 0; the player's copy of it; what is kept
from one call to the next; the results of probes; and what is told.
"""

_FIRST, _DECK_ZONE, _ALL_CARDS, _ZONES, _SEATS, _ASKED, _SITES = range(7)
"""The form begins with the position of the first item, the number of the deck among the zones, all cards, the numbers of zones and of
players, the address of the routine that probes, and the position of the rows of sites; then for each zone who sees into it, the rows, and lists.
"""

_KIND, _SIZE, _AT_ONCE, _CHOSEN_BY, _BY, _CARDS, _TO, _SOURCE, _TARGET, _PROBED, _KEPT, _ROW = range(12)
"""A site: its kind and size, whether it is at once, the site of the choice of its cards, and the offsets of the player (0: none), the
cards and the players to whom they are shown; the lists for source and target of a movement; the first of the zones on which it depends
what could be chosen (-1: no probe), or whether to probe a movement; and the list of the choices on which that depends too.

The list for a zone: the first of its zones, and the number of owners, each with its offset and factor.  That of choices: their number, and sites.
"""

_OTHER, _MOVEMENT, _SHUFFLE, _REVEAL, _SHOW, _VALUE, _CHANCE, _CHOICE, _BLIND = range(9)
"""Kinds of sites: announcements, choices of a value, and from `_CHANCE` on choices of cards."""

(
    _VIEWER,
    END,
    LENGTH,
    LEFT,
    _SEEN,
    _AGAIN,
    _KNOWN,
    _MOVES,
    NEXT,
    BEGUN,
    _BY_RULES,
    _SINCE,
    _ARRIVED,
    _WAYS,
    MOVES_AT,
) = range(15)
"""The state begins with the player, the end of the complete items of the record and of the script; how the routine ended; how far
the record was seen, whether knowledge must begin again, and how far it goes; the number of
hidden movements, of those known, and of those before the last shuffle; of those since, the mask of those whose cards the rules single out from a
zone, and how many there were when choices were last revealed; the cards that have moved visibly since, which were
not among those chosen; and the number of ways.

Then come the hidden movements, the ways, the number of cards in each zone, and where the cards of the latest choice at
a site are a hole, if they are (for simultaneous ones, of each player).
"""

_FROM, _INTO, NUMBER, HOLE_ONE, HOLE_TWO, _FORCED, MOVE = range(7)
"""A hidden movement: its zones, the number of its cards, the positions of the holes that have them (equal if there is only one), and whether
nobody chose them: the rules determine them, or the whole zone moves.
"""

_AT, _THROUGH, _THERE, _WAY = range(4)
"""A way: its zone, the mask of hidden movements, and the cards that may have taken it."""

_MOST_MOVES, _MOST_MASKED, _MOST_WAYS, _MOST_CLASS_WAYS = 256, 62, 512, 200
"""Maximum number of hidden movements in all and since a shuffle, and of ways in all and of a card."""

_WAYS_AT = MOVES_AT + _MOST_MOVES * MOVE
_SIZES_AT = _WAYS_AT + _MOST_WAYS * _WAY

CLASSES, KEY_END, CLASSES_AT, KEY_AT = 0, 1, 2, 66
"""What is told: the number of classes of cards with the same ways, and where the key ends; the cards of each class; and the key, all that does not depend on
the cards: the hidden movements singled out by the rules, and the number of hidden movements, with the zones of each; and for every class
the number of its ways, with the hidden movements of each.
"""

_TOO_MANY = 1
"""How the routine ended, if there are too many ways."""

_CUT, _MASK = "cut", "mask"
"""The array of the cards that leave each way; the masks of hidden movements of all ways, ascending, for which `_CUT` then has the cards."""


def looker(machine: ScriptMachine) -> Callable[..., None]:
    """The routine as a function of its arrays, which has a machine probe."""
    if machine.backend == LLVM:
        return _compiled()
    return callable_of(_routine(), machine.backend, lambda _, *arrays: machine.run(*arrays))


@cache
def _compiled() -> Callable[..., None]:
    return callable_of(_routine(), LLVM)


def told_words() -> array[int]:
    """The array for what is told."""
    room = 2 + 2 * _MOST_MASKED + 64 * (_MOST_CLASS_WAYS + 1) + _MOST_WAYS
    return array("q", bytes(8 * (KEY_AT + room)))


def form_words(form: RecordForm, deck: int, machine: ScriptMachine) -> array[int]:
    """How to read records; `deck` is the mask of all cards."""
    number = {zone: i for i, zone in enumerate(form.zones)}
    players = form.program.players
    rows_at = _SITES + 1 + len(number)
    words = [form.first, number[DECK,], deck, len(number), players, address_of(machine.run), rows_at]
    words += [sum(1 << p for p in range(players) if form.sees(p, zone)) for zone in form.zones]
    lists: list[int] = []

    def listed(*more: int) -> int:
        lists.extend(more)
        return rows_at + _ROW * len(form.sites) + len(lists) - len(more)

    def place(name: str, offsets: tuple[int, ...]) -> int:
        places, owners = range(len(offsets)), list[int]()
        first = number[(name, *[0 for _ in places])]
        for i, offset in enumerate(offsets):
            second = number.get((name, *[int(j == i) for j in places]), first)
            owners += (offset, second - first)
        return listed(first, len(offsets), *owners)

    for site in form.sites:
        node, by, cards, to, source, target, probed, kept = site.node, 0, 0, 0, 0, 0, -1, 0
        kind, at_once = _kind(site), site.at_once
        if site.moves:
            name, sources, into, targets, by, cards, at_once = site.moving
            source, target = place(name, sources), place(into, targets)
            probed = -1 if site.moved_from is None else 0
            kept = listed(len(site.kept_from), *site.kept_from)
        elif kind == _SHOW:
            by, to, cards = (site.word(key) for key in ("player", "to", "cards"))
        elif not isinstance(node, c.Announce):
            by, cards = PLAYER, site.chosen
            zone = form.decided_by(node) if isinstance(node, c.ChooseCards) else None
            probed = -1 if zone is None else number[zone, 0]
        words += (kind, site.size, at_once, site.chosen_by, by, cards, to, source, target, probed, kept)
    return array("q", words + lists)


def _kind(site: Site) -> int:
    if site.event:
        events = {SHUFFLED: _SHUFFLE, REVEALED: _REVEAL, SHOWN: _SHOW}
        return _MOVEMENT if site.moves else events.get(site.event, _OTHER)
    if not isinstance(site.node, c.ChooseCards):
        return _VALUE
    return _CHANCE if site.chance else _BLIND if site.node.blind else _CHOICE


def state_words(form: RecordForm, viewer: int) -> array[int]:
    """The state at the beginning of a hand."""
    size = _SIZES_AT + len(form.zones) + len(form.sites) * (form.program.players + 1)
    words = array("q", bytes(8 * size))
    words[_VIEWER], words[_SEEN], words[_AGAIN] = viewer, form.first, 1
    return words


def _routine() -> Routine:
    b = Builder(_OUTER)
    for name in (_CUT, _MASK):
        b.array(name, _MOST_WAYS + 1)
    _Looking(b).run()
    return b.routine


class _Looking:
    """Writes the routine."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        self.viewer, self.end = self._state(_VIEWER), self._state(END)
        self.seats = b.let(op("add", self._form(_SEATS), 1))
        self.unfilled = b.let(op("add", self._form(_ZONES), _SIZES_AT))

    def run(self) -> None:
        b = self.b
        with b.scope():
            b.loop(lambda: op("lt", load(_STATE, _SEEN), self.end), self._see)
            with b.when(load(_STATE, _AGAIN)):
                self._begin()
            b.loop(lambda: op("lt", load(_STATE, _KNOWN), self.end), self._know)
            self._tell()
        b.store(_STATE, LEFT, "left")

    def _at(self, array: str, *at: Expr) -> Expr:
        """The word at a sum of positions."""
        return self.b.let(load(array, reduce(lambda x, y: op("add", x, y), at)))

    def _form(self, *at: Expr) -> Expr:
        return self._at(_FORM, *at)

    def _field(self, word: int) -> Expr:
        """A word about the site of the item."""
        return self._form(self.row, word)

    def _state(self, *at: Expr) -> Expr:
        return self._at(_STATE, *at)

    def _record(self, *at: Expr) -> Expr:
        return self._at(_SCRIPT, PROBES, *at)

    def _put(self, word: Expr, value: Expr) -> None:
        self.b.store(_STATE, word, value)

    def _more(self, word: Expr) -> None:
        """Count one more."""
        self._put(word, op("add", load(_STATE, word), 1))

    def _item(self, at: Expr) -> None:
        """Read the site of an item."""
        b = self.b
        self.now, self.site = at, self._record(at)
        self.row = self._row_of(self.site)
        self.kind, self.by = self._field(_KIND), self._field(_BY)
        self.player = b.let(op("select", self.by, self._record(at, self.by), -1))
        self.cards_at = b.let(op("add", at, self._field(_CARDS)))

    def _row_of(self, site: Expr) -> Expr:
        return self.b.let(op("add", load(_FORM, _SITES), op("mul", site, _ROW)))

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
        at = self._state(_SEEN)
        self._item(at)
        self._put(_SEEN, op("add", at, self._field(_SIZE)))
        self._case(_MOVEMENT, self._see_movement)
        self._case(_REVEAL, self._see_values)
        self._case(_SHOW, self._see_shown)
        self._case(_VALUE, self._see_value)
        with self.b.when(op("le", _CHANCE, self.kind)):
            self._see_choice()

    def _hide(self, *offsets: Expr) -> None:
        for offset in offsets:
            self.b.store(_WORDS, op("add", self.now, offset), HOLE)

    def _fill(self, word: Expr, value: Expr) -> None:
        """Fill a hole, if there is one, of a choice that is now known."""
        b = self.b
        with b.when(word):
            b.store(_WORDS, word, value)
            with b.when(op("lt", word, load(_STATE, _KNOWN))):
                self._put(_AGAIN, 1)

    def _latest(self, site: Expr) -> Expr:
        """Where the hole of the latest choice at a site is kept."""
        b = self.b
        own = op("select", self._form(self._row_of(site), _AT_ONCE), op("add", self.player, 1), 0)
        return b.let(op("add", self.unfilled, op("add", op("mul", site, self.seats), own)))

    def _taken(self) -> Expr:
        """The hole of the choice of these cards, from now on forgotten; 0 if there is none."""
        b, site = self.b, self._field(_CHOSEN_BY)
        hole = b.mutable(0)
        with b.when(op("le", 0, site)):
            latest = self._latest(site)
            b.set(hole, load(_STATE, latest))
            self._put(latest, 0)
        return b.let(hole)

    def _see_choice(self) -> None:
        b = self.b
        by_chance = b.let(op("eq", self.kind, _CHANCE))
        own = b.let(op("select", by_chance, 0, op("eq", self.player, self.viewer)))
        with b.when(op("select", own, op("eq", self.kind, _BLIND), 1)):
            self._hide(DOMAIN, CHOSEN_CARDS)
            with b.when(op("not", op("or", own, by_chance))):
                self._hide(LOW, HIGH)
            self._put(self._latest(self.site), op("add", self.now, CHOSEN_CARDS))

    def _see_value(self) -> None:
        b = self.b
        with b.when(op("ne", self.player, self.viewer)):
            self._hide(BASE, OPTIONS)
            with b.when(self._field(_AT_ONCE)):
                self._hide(CHOSEN_VALUE)

    def _see_values(self) -> None:
        """Fill the holes of choices of values."""

        def heard(at: Expr, row: Expr) -> None:
            word = self.b.let(op("add", at, CHOSEN_VALUE))
            value = op("eq", self._form(row, _KIND), _VALUE)
            hole = op("select", value, op("eq", load(_WORDS, word), HOLE), 0)
            self._fill(op("select", hole, word, 0), self._record(word))

        self._earlier(heard)

    def _earlier(self, do: Callable[[Expr, Expr], None]) -> None:
        """Go through the items before this one, each with the row of its site."""
        b, at = self.b, self.b.mutable(load(_FORM, _FIRST))

        def once() -> None:
            here = b.let(at)
            row = self._row_of(self._record(here))
            do(here, row)
            b.set(at, op("add", here, self._form(row, _SIZE)))

        b.loop(lambda: op("lt", at, self.now), once)

    def _see_shown(self) -> None:
        b = self.b
        cards, to = b.let(load(_SCRIPT, op("add", self.cards_at, PROBES))), self._field(_TO)
        to_viewer = op("and", op("shr", self._record(self.now, to), self.viewer), 1)
        seen = op("select", cards, op("select", op("eq", self.player, self.viewer), 1, to_viewer), 1)
        b.either(
            seen,
            lambda: self._fill(self._taken(), cards),
            lambda: b.store(_WORDS, self.cards_at, op("sub", SIZED_HOLE, op("count", cards))),
        )

    def _see_movement(self) -> None:
        b, hole, source, target = self.b, self._taken(), self._zone(_SOURCE), self._zone(_TARGET)
        cards, word = self._record(self.cards_at), self.cards_at
        by = op("or", *(load(_FORM, op("add", zone, _SITES + 1)) for zone in (source, target)))
        seen = op("select", cards, op("and", op("shr", by, self.viewer), 1), 1)

        def hidden() -> None:
            number = self._state(_MOVES)
            b.guard(op("le", _MOST_MOVES, number), _TOO_MANY)
            at = b.let(op("add", op("mul", number, MOVE), MOVES_AT))
            b.store(_WORDS, word, HOLE)
            first, forced = op("select", hole, hole, word), op("select", hole, 0, 1)
            for i, value in enumerate((source, target, op("count", cards), first, word, forced)):
                self._put(op("add", at, i), value)
            self._more(_MOVES)

        b.either(seen, lambda: self._fill(hole, cards), hidden)

    # ------------------------------------------------------------------------------------------ what is known

    def _begin(self) -> None:
        """Knowledge begins again."""
        for word, value in ((_AGAIN, 0), (_KNOWN, load(_FORM, _FIRST)), (NEXT, 0)):
            self._put(word, value)
        self._shuffled()

    def _shuffled(self) -> None:
        """All cards are back in the deck, so earlier knowledge is dropped."""
        b, deck, cards = self.b, self._form(_DECK_ZONE), self._form(_ALL_CARDS)
        b.times(0, op("sub", load(_FORM, _ZONES), 1), lambda i: self._put(op("add", i, _SIZES_AT), 0))
        self._put(op("add", deck, _SIZES_AT), op("count", cards))
        for word, value in ((BEGUN, load(_STATE, NEXT)), (_BY_RULES, 0), (_WAYS, 1)):
            self._put(word, value)
        for word, value in ((_AT, deck), (_THROUGH, 0), (_THERE, cards)):
            self._put(_WAYS_AT + word, value)
        self._revealed()

    def _revealed(self) -> None:
        """Simultaneous choices move now; a card that has moved since this point cannot be one of those chosen."""
        self._put(_SINCE, op("sub", load(_STATE, NEXT), load(_STATE, BEGUN)))
        self._put(_ARRIVED, 0)

    def _know(self) -> None:
        """What follows from an item."""
        b = self.b
        self._item(self._state(_KNOWN))
        probed, cards = self._field(_PROBED), b.let(load(_WORDS, self.cards_at))
        self._case(_SHUFFLE, self._shuffled)
        self._case(_REVEAL, self._revealed)
        zone, wanted = b.mutable(op("add", probed, self.player)), b.mutable(0)
        with b.when(op("select", op("lt", 0, cards), op("le", 0, probed), 0)):
            self._case(_MOVEMENT, lambda: self._singled_out(zone, wanted))
            with b.when(op("lt", _MOVEMENT, self.kind)):
                b.set(wanted, op("ne", self.player, self.viewer))
            with b.when(wanted):
                self._probe(b.let(zone), cards)
        self._case(_MOVEMENT, lambda: self._movement(cards))
        self._put(_KNOWN, op("add", self.now, self._field(_SIZE)))

    def _singled_out(self, zone: str, wanted: str) -> None:
        """Probe if all the rules go by is seen but the cards in the zone: not the player's own, and no choice is a hole."""
        b, source, kept = self.b, self._field(_SOURCE), self._field(_KEPT)
        b.set(zone, self._zone(_SOURCE))
        b.set(wanted, 1)

        def no_longer(condition: Expr) -> None:
            b.set(wanted, op("select", condition, 0, wanted))

        def owned(i: Expr) -> None:
            owner = self._record(self.now, self._form(source, op("mul", i, 2)))
            no_longer(op("eq", owner, self.viewer))

        b.times(1, self._form(source, 1), owned)

        def compared(at: Expr, row: Expr) -> None:
            hole = b.let(op("eq", self._at(_WORDS, at, self._form(row, _CARDS)), HOLE))
            same = partial(op, "eq", self._record(at))
            b.times(
                1,
                self._form(kept),
                lambda i: no_longer(op("select", hole, same(load(_FORM, op("add", kept, i))), 0)),
            )

        self._earlier(compared)

    def _probe(self, zone: Expr, cards: Expr) -> None:
        """Rule out the cards that contradict what was seen, when added to the fewest that the player can have held."""
        b = self.b
        possible, elsewhere = self._possible(zone)
        least = b.let(op("or", op("without", self._form(_ALL_CARDS), elsewhere), cards))
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
        with self.b.when(op("eq", load(_STATE, op("add", at, _AT)), zone)):
            self._cut(at, cards)

    def _cut(self, way: Expr, cards: Expr) -> None:
        """Cards did not take a way."""
        at = self.b.let(op("add", way, _THERE))
        self._put(at, op("without", load(_STATE, at), cards))

    def _ask(self, number: Expr, cards: Expr) -> None:
        """Write a probe of this item."""
        end, job = op("sub", load(_STATE, LENGTH), 1), op("mul", number, JOB_WORDS)
        begin, item = (op("add", x, PROBES) for x in (load(_FORM, _FIRST), self.now))
        for i, word in enumerate((begin, end, HOLE, 0, item, cards)):
            self.b.store(_SCRIPT, op("add", job, i), word)

    def _answer(self, number: Expr) -> None:
        """Probe."""
        self.b.store(_IO, 0, number)
        self.b.store(_IO, 1, PROBES)
        self.b.let(Op("ask", (self._form(_ASKED), *_PROBE)))

    def _wrong(self, number: Expr, cards: Expr) -> Expr:
        """Whether the answer to a probe contradicts what was seen: the cards could not be chosen, or others would move."""
        b, at = self.b, self.b.let(op("mul", number, RESULT_WORDS))
        mask = load(_SCRIPT, op("add", op("mul", number, JOB_WORDS), JOB_WORDS - 1))
        answered = op("eq", load(_ANSWERS, at), ANSWERED)
        answer = b.let(op("select", answered, load(_ANSWERS, op("add", at, 2)), mask))
        moved = op("eq", self.kind, _MOVEMENT)
        return b.let(op("select", moved, op("ne", answer, cards), op("ne", op("without", cards, answer), 0)))

    def _ways(self, do: Callable[[Expr], None]) -> None:
        """Go through the ways there are now."""
        last = op("sub", load(_STATE, _WAYS), 1)
        self.b.times(0, last, lambda i: do(self.b.let(op("add", op("mul", i, _WAY), _WAYS_AT))))

    def _possible(self, zone: Expr) -> tuple[Expr, Expr]:
        """The cards that may be in a zone, and those that may be elsewhere."""
        b = self.b
        there, elsewhere = b.mutable(0), b.mutable(0)

        def one(at: Expr) -> None:
            here, cards = b.let(op("eq", load(_STATE, at), zone)), self._state(at, _THERE)
            b.set(there, op("or", there, op("select", here, cards, 0)))
            b.set(elsewhere, op("or", elsewhere, op("select", here, 0, cards)))

        self._ways(one)
        return b.let(there), b.let(elsewhere)

    def _movement(self, cards: Expr) -> None:
        """Cards move, or if they are a hole, nobody knows which."""
        b, source, target = self.b, self._zone(_SOURCE), self._zone(_TARGET)
        hidden = b.let(op("eq", cards, HOLE))
        at_once, next_move = self._field(_AT_ONCE), self._state(NEXT)
        move = op("add", op("mul", next_move, MOVE), MOVES_AT)
        number = b.mutable(op("count", op("select", hidden, 0, cards)))
        bit, moving = b.mutable(0), b.mutable(cards)
        with b.when(hidden):
            h = b.let(op("sub", next_move, load(_STATE, BEGUN)))
            b.guard(op("le", _MOST_MASKED, h), _TOO_MANY)
            b.set(bit, op("bit", h))
            b.set(number, load(_STATE, op("add", move, NUMBER)))
            b.set(moving, self._form(_ALL_CARDS))
            self._more(NEXT)
        size = self._state(source, _SIZES_AT)
        all_of_it = b.let(op("select", op("eq", size, number), op("eq", at_once, 0), 0))
        self._put(op("add", source, _SIZES_AT), op("sub", size, number))
        arriving = b.let(op("add", target, _SIZES_AT))
        self._put(arriving, op("add", load(_STATE, arriving), number))
        forced = op("select", hidden, op("select", all_of_it, 0, load(_STATE, op("add", move, _FORCED))), 0)
        self._put(_BY_RULES, op("or", load(_STATE, _BY_RULES), op("select", forced, bit, 0)))
        can_move = b.let(op("select", at_once, op("without", moving, load(_STATE, _ARRIVED)), moving))
        since, before = self._state(_SINCE), self._state(_WAYS)
        nth = b.mutable(0)

        def leave(at: Expr) -> None:
            """Note the cards that can have moved along a way, and keep those that can have stayed."""
            here, through, there = (self._state(at, i) for i in range(_WAY))
            from_here = b.let(op("eq", here, source))
            fresh = op("select", at_once, op("eq", op("shr", through, since), 0), 1)
            b.store(_CUT, nth, op("select", from_here, op("select", fresh, op("and", there, can_move), 0), 0))
            b.set(nth, op("add", nth, 1))
            gone = op("select", hidden, 0, moving)
            self._cut(at, op("select", op("select", from_here, all_of_it, 0), there, gone))

        self._ways(leave)

        def arrive(i: Expr) -> None:
            arriving = b.let(load(_CUT, i))
            with b.when(arriving):
                through = self._state(op("mul", i, _WAY), _WAYS_AT + _THROUGH)
                self._arrived(target, b.let(op("or", through, bit)), arriving)

        b.times(0, op("sub", before, 1), arrive)
        with b.when(op("not", hidden)):
            self._put(_ARRIVED, op("or", load(_STATE, _ARRIVED), cards))

    def _arrived(self, zone: Expr, through: Expr, cards: Expr) -> None:
        """Add cards to a way."""
        b, number = self.b, self._state(_WAYS)
        end = b.let(op("add", op("mul", number, _WAY), _WAYS_AT))
        b.guard(op("le", _MOST_WAYS, number), _TOO_MANY)
        for i, value in enumerate((zone, through, 0)):
            self._put(op("add", end, i), value)
        at = b.mutable(_WAYS_AT)

        def other() -> Expr:
            same = op("eq", load(_STATE, op("add", at, _THROUGH)), through)
            return op("select", op("eq", load(_STATE, at), zone), op("not", same), 1)

        b.loop(other, lambda: b.set(at, op("add", at, _WAY)))
        with b.when(op("eq", at, end)):
            self._more(_WAYS)
        there = b.let(op("add", at, _THERE))
        self._put(there, op("or", load(_STATE, there), cards))

    # -------------------------------------------------------------------------------------------- what is told

    def _tell(self) -> None:
        """Divide the cards into classes, in an order that does not depend on the cards, and write the key."""
        b, number = self.b, self.b.mutable(1)
        b.store(_TOLD, CLASSES_AT, load(_FORM, _ALL_CARDS))

        masks, last = b.mutable(0), b.mutable(-1)

        def next_mask() -> None:
            """Find the lowest mask above the last, and the cards of the ways with it, in whatever zones."""
            lowest, cards = b.mutable(1 << _MOST_MASKED), b.mutable(0)

            def compared(at: Expr) -> None:
                through, there = self._state(at, _THROUGH), self._state(at, _THERE)
                lower = op("select", op("lt", last, through), op("lt", through, lowest), 0)
                lower = b.let(op("select", there, lower, 0))
                same = op("select", op("eq", through, lowest), op("or", cards, there), cards)
                b.set(cards, op("select", lower, there, same))
                b.set(lowest, op("select", lower, through, lowest))

            self._ways(compared)
            b.store(_MASK, masks, lowest)
            b.store(_CUT, masks, cards)
            b.set(masks, op("add", masks, 1))
            b.set(last, lowest)

        def divide(mask: Expr) -> None:
            there = b.let(load(_CUT, mask))

            def one(i: Expr) -> None:
                place = b.let(op("add", i, CLASSES_AT))
                cards = b.let(load(_TOLD, place))
                inside, outside = b.let(op("and", cards, there)), b.let(op("without", cards, there))
                with b.when(op("select", inside, op("ne", outside, 0), 0)):
                    b.store(_TOLD, place, inside)
                    b.store(_TOLD, op("add", number, CLASSES_AT), outside)
                    b.set(number, op("add", number, 1))

            b.times(0, op("sub", number, 1), one)

        b.loop(lambda: op("lt", last, 1 << _MOST_MASKED), next_mask)
        each_mask = partial(b.times, 0, op("sub", masks, 2))
        each_mask(divide)
        b.store(_TOLD, CLASSES, number)
        moves, end = b.let(op("sub", load(_STATE, NEXT), load(_STATE, BEGUN))), b.mutable(KEY_AT + 2)
        b.store(_TOLD, KEY_AT, load(_STATE, _BY_RULES))
        b.store(_TOLD, KEY_AT + 1, moves)

        def write(word: Expr) -> None:
            b.store(_TOLD, end, word)
            b.set(end, op("add", end, 1))

        def move(h: Expr) -> None:
            at = b.let(op("add", op("mul", op("add", load(_STATE, BEGUN), h), MOVE), MOVES_AT))
            write(load(_STATE, at))
            write(load(_STATE, op("add", at, _INTO)))

        b.times(0, op("sub", moves, 1), move)

        def each(i: Expr) -> None:
            cards, begin = b.let(load(_TOLD, op("add", i, CLASSES_AT))), b.let(end)
            write(0)

            def way(mask: Expr) -> None:
                with b.when(op("and", load(_CUT, mask), cards)):
                    write(load(_MASK, mask))

            each_mask(way)
            ways = b.let(op("sub", op("sub", end, begin), 1))
            b.guard(op("lt", _MOST_CLASS_WAYS, ways), _TOO_MANY)
            b.store(_TOLD, begin, ways)

        b.times(0, op("sub", number, 1), each)
        b.store(_TOLD, KEY_END, end)
