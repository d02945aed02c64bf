"""Matches in a certificate: the reference replays each from its start, and what it then shows is recognised here.

A match that ends shows that the end can be reached; one in which something goes wrong refutes the check that
claims otherwise. For each check that is refuted in this way, `SHOWN` says what has to go wrong. A stated
invariant is evaluated in the states of its moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from trickproof.certificates.matches import counted
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import ScenarioError
from trickproof_dsl.scenarios.moves import IllegalMoveError, read_move
from trickproof_dsl.scenarios.situation import begin_deal
from trickproof_dsl.semantics.events import HAND_ENDED, SCORED
from trickproof_dsl.semantics.expressions import value_in
from trickproof_dsl.semantics.faults import EngineLimitError, FaultError
from trickproof_dsl.semantics.machine import apply, between_hands
from trickproof_dsl.semantics.state import State
from trickproof_dsl.semantics.values import DECK, Value

LONGEST_MATCH = 40
"""Maximum number of deals of a match."""

MOST_CHOICES = 100
"""Maximum number of choices of parameters and readings for each of which a match is replayed."""

Choice = tuple[tuple[str, int], ...]


class NoMatchError(Exception):
    """Something is not a match of this ruleset."""


@dataclass(frozen=True, slots=True)
class Run:
    """A replayed match: its states with the moments they are (as in `checking/property.py`), in order.

    `carried` is the state before the deal that would follow, if the match is not over.
    """

    moments: tuple[tuple[frozenset[str], State], ...]
    carried: State | None

    @property
    def last(self) -> State:
        """The state in which the replay stops."""
        return self.moments[-1][1] if self.carried is None else self.carried

    @property
    def ends(self) -> bool:
        """Whether the match is over, without a runtime fault."""
        return self.last.match_over and self.last.fault is None

    @property
    def choice(self) -> Choice:
        """Its parameters, and the readings of the rules that have several."""
        return choice_of(self.last.program, self.last.parameters, self.last.readings)


def replayed(ruleset: Ruleset, match: object) -> Run:
    """A match in scenario format, replayed from its start, and the steps after its last deal. Raises NoMatchError."""
    if not isinstance(match, list) or not 0 < len(match) <= LONGEST_MATCH:
        raise NoMatchError(f"a match is a list of at most {LONGEST_MATCH} deals")
    moments: list[tuple[frozenset[str], State]] = []
    before: State | None = None
    try:
        for deal in match:
            moves = deal.get("moves", []) if isinstance(deal, Mapping) else None
            if not isinstance(moves, list):
                raise NoMatchError("a deal is a scenario, with a list of moves")
            begun, state = begin_deal(ruleset, deal, before)
            if before is not None:
                moments.append((frozenset({"between"}), begun))
            states = [state]
            for move in moves:
                if states[-1].fault is None:
                    states.append(apply(states[-1], read_move(ruleset, states[-1], move)))
            moments += _moments(states)
            before = states[-1]
        assert before is not None
        over = before.match_over or not before.hand_over
        return Run(tuple(moments), None if over else between_hands(before))
    except (ScenarioError, IllegalMoveError, EngineLimitError, ValueError) as wrong:
        raise NoMatchError(str(wrong)) from None


def _moments(states: Sequence[State]) -> Iterator[tuple[frozenset[str], State]]:
    """The states of a deal with their moments."""
    started = False
    for state in states:
        if state.fault is not None:
            yield frozenset({"fault"}), state
        elif state.decision is not None:
            starts = state.decision.label == "play" and not started
            started = started or starts
            yield frozenset({"always", "play-starts"} if starts else {"always"}), state
        else:
            over = {"match-ends"} if state.match_over else set[str]()
            yield frozenset({"always", *over, *({"hand-ends"} if _complete(state) else set())}), state


def _complete(state: State) -> bool:
    """Whether a deal that awaits no decision was played to its end, or scored."""
    cut = state.match_over or state.events[-1:] in [(ending,) for ending in HAND_ENDED]
    cut = cut and all(event.name != SCORED for event in state.events)
    held = any(cards for key, cards in state.zones.items() if key[0] == "hand")
    return not cut or not (held or len(state.cards(DECK)) == len(state.program.deck.cards))


# --------------------------------------------------------------------------------------- parameters and readings


def choice_of(program: c.Program, parameters: Mapping[str, int], readings: Mapping[str, int]) -> Choice:
    """Values of the parameters and readings that the program mentions."""
    return tuple((name, {**readings, **parameters}.get(name, 0)) for name, _ in _varying(program))


def choices_of(program: c.Program) -> list[Choice] | None:
    """Every choice of the parameters and readings that the program mentions; None if there are too many."""
    varying = _varying(program)
    if prod(len(values) for _, values in varying) > MOST_CHOICES:
        return None
    return [
        tuple(zip((name for name, _ in varying), values, strict=True))
        for values in product(*(values for _, values in varying))
    ]


def _varying(program: c.Program) -> list[tuple[str, Sequence[int]]]:
    nodes = list(walk(*program.phases))
    mentioned = {node.name for node in nodes if isinstance(node, c.Parameter)}
    decided = {node.rule for node in nodes if isinstance(node, c.Reading)}
    varying: list[tuple[str, Sequence[int]]] = [
        (name, values) for name, values in program.parameters.items() if name in mentioned
    ]
    return varying + [(rule, range(len(x))) for rule, x in program.readings.items() if rule in decided]


def names_readings(run: Run, named: Sequence[str]) -> bool:
    """Whether a match is played under one of the readings, named as `rule: reading`, of each rule that is named."""
    readings = run.last.program.readings
    rules = {name.partition(": ")[0] for name in named}
    return all(
        rule in readings and f"{rule}: {readings[rule][run.last.readings.get(rule, 0)]}" in named
        for rule in rules
    )


# ------------------------------------------------------------------------------------------------- what is shown


def shows(program: c.Program, check: str, run: Run) -> bool:
    """Whether a match refutes a check; False for checks that are not refuted by what happens in one match."""
    if check in program.invariants:
        invariant = program.invariants[check]
        return any(_untrue(state, invariant) for kinds, state in run.moments if invariant.when in kinds)
    return check in SHOWN and SHOWN[check](run)


def _untrue(state: State, invariant: c.InvariantCode) -> bool:
    try:
        return value_in(state, invariant.condition) is False
    except FaultError:
        return True
    except EngineLimitError:
        return False


def _at(run: Run, moment: str) -> Iterator[State]:
    return (state for kinds, state in run.moments if moment in kinds)


def _sum(state: State, name: str) -> int:
    values = (value for key, value in state.variables.items() if key[0] == name)
    return sum(value for value in values if isinstance(value, int))


def _tricks(state: State) -> Value:
    """The number of tricks of the deal."""
    return state.variables.get(("hand-size",), 0)


def _not_zero(run: Run) -> bool:
    """A sum is not zero after a complete deal or, if it is carried, when the next one begins."""
    program = run.last.program
    after = [state for state in _at(run, "hand-ends") if any(_sum(state, n) for n in counted(program))]
    later = [*_at(run, "between"), *([] if run.carried is None else [run.carried])]
    carried = [name for name in counted(program) if program.variables[name].carried]
    return bool(after) or any(_sum(state, name) for state in later for name in carried)


def _uneven(run: Run) -> bool:
    """A player begins to play with more or fewer cards than there are tricks."""
    return any(
        len(state.zones.get(("hand", player), ())) != _tricks(state)
        for state in _at(run, "play-starts")
        for player in range(state.program.players)
    )


def _other_targets(run: Run) -> bool:
    """When play starts, the targets do not sum to the number of tricks."""
    return any(_sum(state, "target") != _tricks(state) for state in _at(run, "play-starts"))


def _miscounted(run: Run) -> bool:
    """After a complete deal, the tricks won do not sum to the number of tricks."""
    return any(_sum(state, "tricks") != _tricks(state) for state in _at(run, "hand-ends"))


def _no_single_winner(run: Run) -> bool:
    """The match is over, and its winners are not exactly one player, or one team."""
    return run.ends and run.last.winners not in run.last.program.sides


def _fails(run: Run) -> bool:
    """The rules fail at run time."""
    return run.last.fault is not None


def _no_legal_card(run: Run) -> bool:
    """The player who must play has no legal card."""
    fault = run.last.fault
    return fault is not None and fault.label == "play" and fault.kind in ("no-legal-choice", "bad-number")


def _not_feasible(run: Run) -> bool:
    """Cards cannot be given or returned."""
    return run.last.fault is not None and run.last.fault.label in ("give", "return")


def _not_there(run: Run) -> bool:
    """Cards are moved from where they are not."""
    return (
        run.last.fault is not None
        and run.last.fault.kind in ("cards-not-there", "deck-empty")
        and not _not_feasible(run)
    )


SHOWN: Mapping[str, Callable[[Run], bool]] = {
    "cards-conserved": _not_there,
    "hand-size": _uneven,
    "target-total": _other_targets,
    "legal-play-exists": _no_legal_card,
    "trick-total": _miscounted,
    "zero-sum": _not_zero,
    "exchange-feasible": _not_feasible,
    "unique-winner": _no_single_winner,
    "no-fault": _fails,
}
"""The checks that one match can refute, and what has to happen in it."""
