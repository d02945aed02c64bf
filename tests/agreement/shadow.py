"""The symbolic executor next to the interpreter: a deal is played, and then sought among the symbolic paths.

A deal is played first (`recorded.py`). `Shadow` is a `Fork` that is constrained to the recorded decisions:
each symbolic decision is equated with the actual one, in bits, counts and values. The complete state that the
interpreter reached, or its runtime fault, must then be possible in both abstractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import z3

from agreement.recorded import Played
from trickproof.analysis.usage import Usage
from trickproof.checking.proof_session import ProofSession
from trickproof.proofs.hands.initial_states import as_symbol
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.path_enumeration import PathOracle, explore
from trickproof.proofs.smt.solver import Answer, SolverSession
from trickproof.proofs.smt.symbolic_values import Bool, Symbol
from trickproof.proofs.symbolic.card_expressions import CardEncoder
from trickproof.proofs.symbolic.cards.card_set import CardSet
from trickproof.proofs.symbolic.cards.card_theory import CardWorld
from trickproof.proofs.symbolic.fork import Fork
from trickproof.proofs.symbolic.path_state import Frame, PathState, Stop, begin_path
from trickproof_dsl import core as c
from trickproof_dsl.compiled import machine as interpret
from trickproof_dsl.core.faults import fault_sites
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import Key, Value

MOST_PATHS = 100
"""Maximum number of symbolic paths followed per deal."""

_DECIDING = (c.ChooseCards, c.ChooseValue, c.Deal)


# ------------------------------------------------------------------------------------------------- equality


def same_counts(world: CardWorld, cards: CardSet, known: frozenset[int]) -> Bool:
    """Whether a set has the given number of cards of each suit."""
    return y.conj(
        *(y.compare("=", a, b) for a, b in zip(cards.counts, world.known(known).counts, strict=True))
    )


def same_bits(world: CardWorld, cards: CardSet, known: frozenset[int]) -> Bool:
    """Whether a set has exactly these cards."""
    if isinstance(cards.bits, int):
        return cards.bits == world.mask(known)
    return cards.bits == world.mask(known)


def same_value(value: Symbol, known: Any) -> Bool:
    """Whether a value other than a set of cards equals the interpreter's."""
    if isinstance(value, y.Members):
        elements = {x for x, _ in value.of} | set(known)
        return y.conj(*(y.iff(value.has(x), x in known) for x in sorted(elements)))
    if isinstance(known, bool) != isinstance(value, bool | z3.BoolRef) or isinstance(known, frozenset):
        return False  # a different decision, hence another path through the deal
    if isinstance(known, bool):
        return y.iff(value, known)
    if isinstance(value, int | z3.ArithRef) and isinstance(known, int):
        return y.compare("=", value, known)
    return y.same(value, known)


def both_same(world: CardWorld, value: Symbol, known: Value) -> tuple[Bool, Bool]:
    """Whether a value equals the interpreter's, in counts and in bits."""
    if isinstance(value, CardSet):
        cards = (
            known if isinstance(known, frozenset) else frozenset() if known is None else frozenset([known])
        )
        return same_counts(world, value, cards), same_bits(world, value, cards)
    same = same_value(value, known)
    return same, same


class _Told(list[Symbol]):
    """The executor's decisions, each constrained immediately to the recorded one."""

    def __init__(self, shadow: Shadow) -> None:
        super().__init__()
        self.shadow = shadow

    def append(self, value: Symbol) -> None:
        number = len(self)
        super().append(value)
        self.shadow.told(number, value)


class _World(CardWorld):
    """Records in `vague` which abstraction cannot represent a set exactly."""

    vague: set[str]

    def union(self, left: CardSet, right: CardSet) -> CardSet:
        self.vague.update(() if left.empty or right.empty else ["counts"])
        return super().union(left, right)

    def without(self, left: CardSet, right: CardSet) -> CardSet:
        self.vague.update(() if left.empty or right.empty else ["counts"])
        return super().without(left, right)

    def both(self, left: CardSet, right: CardSet) -> CardSet:
        self.vague.update(() if left.empty or right.empty else ["counts"])
        return super().both(left, right)

    def matching(self, operand: CardSet, pattern: CardSet, highest: bool) -> CardSet:
        self.vague.update(() if operand.empty or pattern.empty else ["bits"])
        return super().matching(operand, pattern, highest)


class _Encoder(CardEncoder):
    """Records in `vague` which abstraction cannot represent the value of an expression exactly."""

    def __init__(self, state: PathState, vague: set[str]) -> None:
        super().__init__(state)
        self.vague = vague

    def about_any(self, domain: CardSet, binder: str, e: c.Expr) -> None:
        self.vague.update(("counts", "bits"))
        super().about_any(domain, binder, e)

    def value(self, e: c.Expr) -> Symbol:
        match e:
            case c.Size() if e.set.type == c.CARDS:
                self.vague.add("bits")
            case c.Sum() | c.Extreme() if e.domain.type == c.CARDS:
                self.vague.add("bits")
            case c.CardAttribute() if e.attribute != "suit":
                self.vague.add("counts")
            case c.Compare() if e.left.type in (c.CARDS, c.CARD):
                self.vague.add("counts")
        return super().value(e)


class Shadow(Fork):
    """A path that follows the recorded decisions."""

    def __init__(
        self,
        program: c.Program,
        oracle: PathOracle,
        variables: Mapping[Key, Symbol],
        decided: Sequence[Value],
    ) -> None:
        world = _World(program.deck, "c")
        zones = dict.fromkeys(interpret.initial(program).zones, world.none)
        state = begin_path(program, world, oracle, variables, zones)
        self.vague: set[str] = set()
        super().__init__(state, lambda *_: (), _Encoder(state, self.vague))
        state.zones[("deck",)] = world.known(range(world.width))
        self.world, self.oracle = world, oracle
        self.known, self.lost = list(decided), False
        self.parted = False
        world.vague = self.vague
        self.counts: list[Bool] = []
        self.bits: list[Bool] = []
        state.decided = _Told(self)

    def told(self, number: int, value: Symbol) -> None:
        """Make a decision as recorded, as long as it is known which one it is.

        A path on which that is impossible has diverged from play. It is not constrained any further:
        contradictory facts would answer every later query, including those on other paths.
        """
        if self.lost or self.parted or number >= len(self.known):
            return
        counts, bits = both_same(self.world, value, self.known[number])
        if isinstance(value, CardSet):
            self.counts.append(counts)
            self.bits.append(bits)
        elif self._can_be(counts):
            self.oracle.facts.append(counts)
        else:
            self.parted = True

    def _can_be(self, fact: Bool) -> bool:
        session = SolverSession(self.oracle.session)
        session.add(*self.oracle.facts)
        return session.possible(fact) is not Answer.NO

    def after_skip(self, usage: Usage) -> Stop | None:
        step = self.state.skipped[-1].step
        self.vague.update(("counts", "bits"))
        inner = [node for node in walk(step) if isinstance(node, _DECIDING)]
        if isinstance(step, _DECIDING):
            self.state.decided[len(self.state.decided) :] = [None]
        elif inner:
            self.lost = True
        return super().after_skip(usage)

    # --------------------------------------------------------------------------------------------- queries

    def halves(self, *further: tuple[Bool, Bool]) -> list[Answer]:
        """Whether all this is possible, in counts and in bits."""
        if self.parted:
            return [Answer.NO, Answer.NO]
        made = []
        for half, (facts, told) in enumerate(
            ((self.world.count_facts, self.counts), (self.world.bit_facts, self.bits))
        ):
            questions = SolverSession(self.oracle.session)
            questions.add(*self.oracle.facts, *facts, *told)
            made.append(questions.possible(*(way[half] for way in further)))
        return made

    def possible(self, *further: tuple[Bool, Bool]) -> bool:
        """Whether neither abstraction excludes it."""
        return Answer.NO not in self.halves(*further)

    def unbroken(self, obligations: Sequence[Any]) -> list[tuple[Bool, Bool]]:
        """The condition that none of some obligations is violated, in the form that `path_queries` expects."""
        return [
            (
                True if d.counts is True else y.neg(d.counts),
                True if d.bits is True else y.neg(d.bits),
            )
            for d in obligations
        ]

    def as_played(self, played: Played) -> list[tuple[str, tuple[Bool, Bool]]]:
        """The complete state that the interpreter reached, as conditions."""
        end = played.end
        said: list[tuple[str, tuple[Bool, Bool]]] = []
        for key, value in end.variables.items():
            said.append((str(key), both_same(self.world, self.state.variables[key], value)))
        for key, cards in end.zones.items():
            said.append((str(key), both_same(self.world, self.state.zones[key], frozenset(cards))))
        if not self.state.skipped:
            moves = [(m.label, (m.actor, m.to)) for m in played.moved]
            seen = [(e.label, (e.actor, e.to)) for e in self.state.events]
            if len(seen) != len(moves) or any(
                mine[0] != theirs[0] or (theirs[1][0] is not None and mine != theirs)
                for mine, theirs in zip(seen, moves, strict=True)
            ):
                return [("moves", (False, False))]
            for event, moved in zip(self.state.events, played.moved, strict=True):
                said.append((f"{moved} cards", both_same(self.world, event.cards, moved.cards)))
                said.append((f"{moved} after", both_same(self.world, event.after, moved.after)))
        return said


def shadows(program: c.Program, played: Played, symbolic: Sequence[Key]) -> Iterator[tuple[Shadow, Stop]]:
    """All symbolic paths of a deal with the recorded decisions; some initial variables are symbolic."""
    begin = played.begin.variables
    unknown = {key: z3.Int(".".join(map(str, key))) for key in symbolic}
    facts = [term == begin[key] for key, term in unknown.items()]
    variables = {key: as_symbol(value) for key, value in begin.items()} | unknown

    def run(oracle: PathOracle) -> tuple[Shadow, Stop]:
        reader = Shadow(program, oracle, variables, played.decided)
        return reader, reader.go([Frame(program.hand)])

    yield from explore(ProofSession(), run, facts, MOST_PATHS)


# --------------------------------------------------------------------------------------------- agreement


Paths = Sequence[tuple[Shadow, Stop]]


def disagreement(paths: Paths, played: Played) -> str | None:
    """What the symbolic executor excludes although it happened, or None."""
    if any(stop.why == "head" for _, stop in paths):
        return None
    fault = played.end.fault
    if fault is not None:
        return None if any(_breaks(reader, stop, fault) for reader, stop in paths) else f"excluded: {fault}"
    ways = [reader for reader, _ in paths if reader.possible()]
    if not ways:
        return "no path goes this way"
    if any(_reaches(reader, played) for reader in ways):
        return None
    return f"not reached: {[_why(reader, played) for reader in ways]}"


def _breaks(reader: Shadow, stop: Stop, fault: Any) -> bool:
    """Whether a path leaves a runtime fault possible."""
    if fault.kind == "unspecified":
        return stop.gap is not None
    for skipped in reader.state.skipped:
        if any(
            (d.span, d.kind, d.label) == (fault.span, fault.kind, fault.label)
            for d in fault_sites(skipped.step)
        ):
            return True
    for i, obligation in enumerate(reader.state.obligations):
        if (obligation.span, obligation.kind, obligation.label) == (fault.span, fault.kind, fault.label):
            earlier = reader.unbroken(reader.state.obligations[:i])
            if reader.possible((obligation.counts, obligation.bits), *earlier):
                return True
    return False


def _reaches(reader: Shadow, played: Played) -> bool:
    said = [way for _, way in reader.as_played(played)]
    return reader.possible(*said, *reader.unbroken(reader.state.obligations))


def untold(reader: Shadow, played: Played) -> tuple[int, list[str]]:
    """The parts of the state that an exact abstraction fails to determine, and how many were examined."""
    facts, said = reader.unbroken(reader.state.obligations), reader.as_played(played)
    number, wrong = 0, list[str]()
    for half, name in enumerate(("counts", "bits")):
        if name in reader.vague:
            continue
        number += len(said)
        other = y.disj(*(y.neg(way[half]) for _, way in said))
        if reader.halves((other, other), *facts)[half] is not Answer.NO:
            differ = [what for what, way in said if _open(reader, half, way, facts)]
            wrong += [f"{name}: {what}" for what in differ]
    return number, wrong


def _open(reader: Shadow, half: int, way: tuple[Bool, Bool], facts: list[tuple[Bool, Bool]]) -> bool:
    return reader.halves((y.neg(way[0]), y.neg(way[1])), *facts)[half] is not Answer.NO


def _why(reader: Shadow, played: Played) -> list[str]:
    """The parts of the state that are excluded, one by one."""
    unbroken = reader.unbroken(reader.state.obligations)
    if not reader.possible(*unbroken):
        return [str(d) for d in reader.state.obligations if not reader.possible(*reader.unbroken([d]))] or [
            "obligations together"
        ]
    wrong = [name for name, way in reader.as_played(played) if not reader.possible(way, *unbroken)]
    return wrong or ["everything together"]
