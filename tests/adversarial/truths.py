"""The truth about a ruleset with few cards, claim by claim, from exhaustive exploration.

The terms are those of docs/checks.md. A safety claim holds up to the first runtime fault, in every match from
its start, for all parameter values and all readings; a runtime fault belongs to the check that declares it
(`Property.breaks`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal

from adversarial import live_names
from adversarial.exploration import Explorer
from adversarial.graph import Budget, Claims, Course, Graph, Violation
from trickproof.analysis.usage import program_usage, rules_at
from trickproof.checks import NAMES, all_checks
from trickproof.proofs.hands.exchange_history import answers, exchanged, numbers, told_by_events
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import mapped, walk
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.expressions import Store, evaluate, value_in
from trickproof_dsl.semantics.faults import EngineLimitError, Fault, FaultError
from trickproof_dsl.semantics.state_view import StateView
from trickproof_dsl.semantics.values import as_number

Wrong = Iterator[tuple[str, str]]

Answer = Literal["holds", "fails", "open"]
"""Whether a claim is true; `open` if the exploration is incomplete, or if the claim is vacuous."""

OTHER_FAULTS = "no-fault" if "no-fault" in NAMES else "rules-complete"
"""The check responsible for faults that no other check covers."""


# -------------------------------------------------------------------------------------------------- claims


def _total(state: StateView, name: str) -> int:
    return sum(as_number(state.variable(name, p)) for p in range(state.program.players))


def _play_starts(state: StateView, course: Course) -> Wrong:
    size = state.variable("hand-size")
    held = [len(state.cards("hand", p)) for p in range(state.program.players)]
    if any(number != size for number in held):
        yield "hand-size", f"hands of {held}; {size} tricks are to be played"
    if _total(state, "target") != size:
        yield "target-total", f"targets sum to {_total(state, 'target')}; {size} tricks are to be played"


def _hand_ends(state: StateView, _: Course) -> Wrong:
    if _total(state, "tricks") != state.variable("hand-size"):
        yield "trick-total", f"{_total(state, 'tricks')} tricks of {state.variable('hand-size')}"
    for name in ("over", "score", "payout"):
        if _total(state, name) != 0:
            yield "zero-sum", f"`{name}` sums to {_total(state, name)}"


def _carried_on(state: StateView, _: Course) -> Wrong:
    for name in ("over", "score"):
        if _total(state, name) != 0:
            yield "zero-sum", f"`{name}` sums to {_total(state, name)} after the steps between hands"


def _match_ends(state: StateView, _: Course) -> Wrong:
    program = state.program
    fair = [frozenset(team) for team in program.teams] or [frozenset([p]) for p in range(program.players)]
    if state.winners not in fair:
        yield "unique-winner", f"won by {sorted(state.winners)}"


def _always(state: StateView, _: Course) -> Wrong:
    decision = state.decision
    if decision is not None and decision.label == "give" and decision.low != decision.high:
        yield "allocation-determined", f"between {decision.low} and {decision.high} cards"


def _exchange(state: StateView, course: Course) -> Wrong:
    """Claims at the start of play."""
    players = range(state.program.players)
    given, returned = numbers(state, "give"), numbers(state, "return")
    for giver, taker in product(players, players):
        came, back = given.get((giver, taker), 0), returned.get((taker, giver), 0)
        if came != back:
            yield "exchange-balanced", f"{giver} gives {came} to {taker}, who returns {back}"
    for rule, side in (("to-give", 0), ("to-receive", 1)):
        code = state.program.rules.get(rule)
        if code is None or code.value is None:
            continue
        for player in players:
            due = _value(state, code.value, {code.parameters[0][0]: player})
            total = sum(n for pair, n in given.items() if pair[side] == player)
            if isinstance(due, int) and (total > due or (course.full and total < due)):
                yield "exchange-balanced", f"{rule} of {player} is {due}, it is {total}"
    moves, deck = exchanged(state), state.program.deck
    for move, received, kept in answers(moves or []) if told_by_events(state.program) else ():
        for suit in range(len(deck.suits)):
            mine, came_in, rest = (
                [deck.card_rank[x] for x in cards if deck.card_suit[x] == suit]
                for cards in (move.cards, received, kept)
            )
            if len(mine) != len(came_in) or (mine and max(rest, default=-1) > min(mine)):
                yield "exchange-returns-highest", f"{move.player} to {move.to}"


def _value(state: StateView, value: c.Expr, bound: Mapping[str, int]) -> Any:
    try:
        return value_in(state, value, bound)
    except (FaultError, EngineLimitError):
        return None


def claims_of(ruleset: Ruleset) -> Claims:
    """The claims for a ruleset: those of the checks and its own invariants."""
    program, usage = ruleset.program, program_usage(ruleset.program)
    checks = [check for check in all_checks() if check.absent(usage) is None]
    by_moment: dict[str, list[c.InvariantCode]] = {}
    for invariant in program.invariants.values():
        by_moment.setdefault(invariant.when, []).append(invariant)

    answered: dict[tuple[Span, str, str], str] = {}

    def answering(fault: Fault) -> str:
        place = fault.span, fault.kind, fault.label
        if place not in answered:
            rules = rules_at(program, fault.span)
            names = (check.name for check in checks if check.breaks(fault, rules))
            answered[place] = next(names, OTHER_FAULTS)
        return answered[place]

    def own(state: StateView, moment: str) -> Wrong:
        for invariant in by_moment.get(moment, ()):
            try:
                if not value_in(state, invariant.condition):
                    yield invariant.name, "does not hold"
            except FaultError as broken:
                yield invariant.name, f"has no value: {broken.fault.message}"

    def at(moment: str) -> frozenset[str]:
        return live_names.read(*(invariant.condition for invariant in by_moment.get(moment, ())))

    def always(state: StateView, course: Course) -> Wrong:
        yield from _always(state, course)
        yield from own(state, "always")

    def play_starts(state: StateView, course: Course) -> Wrong:
        yield from _play_starts(state, course)
        if usage.labels & {"give", "return"}:
            yield from _exchange(state, course)
        yield from own(state, "play-starts")

    def hand_ends(state: StateView, course: Course) -> Wrong:
        yield from _hand_ends(state, course)
        yield from own(state, "hand-ends")

    rules = [program.rules[name].value for name in ("to-give", "to-receive") if name in program.rules]
    return Claims(
        always,
        play_starts,
        hand_ends,
        _carried_on,
        _match_ends,
        answering,
        at("always"),
        at("play-starts") | (live_names.read(*rules) if usage.labels & {"give", "return"} else frozenset()),
        at("hand-ends"),
    )


# ------------------------------------------------------------------------------------ parameters and readings


def parameter_classes(*programs: c.Program) -> list[tuple[dict[str, int], int]]:
    """Equivalence classes of parameter values that no rule can distinguish: a representative and a size.

    For several programs, one of which has all parameters, the values that no rule of any of them can
    distinguish.
    """
    program = max(programs, key=lambda x: len(x.parameters))
    nodes = tuple(
        (x.setup, x.hand, x.between, *(i.condition for i in x.invariants.values())) for x in programs
    )
    closed = tuple(_closed(nodes))
    used = sorted({e.name for e in walk(closed) if isinstance(e, c.Parameter)})
    kinds: dict[Hashable, tuple[dict[str, int], int]] = {}
    for values in product(*(program.parameters[name] for name in used)):
        parameters = dict(zip(used, values, strict=True))
        store = Store(program, parameters, {}, {}, {})
        kind = tuple(_known(e, store) for e in closed)
        first, number = kinds.get(kind, (parameters, 0))
        kinds[kind] = first, number + 1
    return list(kinds.values())


def _known(e: c.Expr, store: Store) -> Hashable:
    try:
        return evaluate(e, store, {})
    except FaultError as broken:
        return broken.fault.kind


def _closed(nodes: Any) -> Iterator[c.Expr]:
    """The maximal subexpressions that depend only on parameters."""
    closed: list[c.Expr] = []

    def look(node: Any) -> Any:
        if isinstance(node, c.Parameter | c.Arithmetic | c.Compare | c.Logic | c.Not | c.Conditional):
            inside = list(walk(node))
            if any(isinstance(e, c.Parameter) for e in inside) and all(
                isinstance(e, _CLOSED) for e in inside
            ):
                closed.append(node)
                return node
        return None

    mapped(nodes, look)
    return iter(closed)


_CLOSED = (c.Parameter, c.Literal, c.Arithmetic, c.Compare, c.Logic, c.Not, c.Conditional)


def reading_choices(program: c.Program) -> list[dict[str, int]]:
    """Every combination of the readings of rules that are used, including in invariants."""
    nodes = (
        program.setup,
        program.hand,
        program.between,
        tuple(x.condition for x in program.invariants.values()),
    )
    used = sorted({e.rule for e in walk(nodes) if isinstance(e, c.Reading)})
    return [
        dict(zip(used, indices, strict=True))
        for indices in product(*(range(len(program.readings[rule])) for rule in used))
    ]


# ------------------------------------------------------------------------------------------------- answers


@dataclass(frozen=True, slots=True)
class Explored:
    """The matches under one choice of parameters and readings."""

    parameters: Mapping[str, int]
    readings: Mapping[str, int]
    graph: Graph


@dataclass
class Truths:
    """All matches of a ruleset; `steps` is the cost, `order` whether the exchange order is determined."""

    explored: list[Explored] = field(default_factory=list)
    steps: int = 0
    order: tuple[Answer, str] = "open", ""

    @property
    def whole(self) -> bool:
        """Whether the exploration is complete."""
        return all(one.graph.whole for one in self.explored)

    @property
    def depth(self) -> int | None:
        """The number of deals explored completely; None if there are no more."""
        return min((one.graph.depth for one in self.explored if not one.graph.whole), default=None)

    @property
    def broken(self) -> bool:
        """Whether the rules can fail at run time."""
        return any(one.graph.broken for one in self.explored)

    @property
    def ends(self) -> bool:
        """Whether some match ends."""
        return any(one.graph.ends for one in self.explored)

    def violation(self, claim: str) -> tuple[Explored, Violation] | None:
        """The earliest violation of a claim."""
        failing = [
            (one, one.graph.violations[claim]) for one in self.explored if claim in one.graph.violations
        ]
        return min(failing, key=lambda pair: pair[1].deals, default=None)


def truths(ruleset: Ruleset, budget: Budget | None = None) -> Truths:
    """Explore all matches. Raises BeyondError if there are too many."""
    budget = budget or Budget()
    begun, answer, claims = budget.steps, Truths(), claims_of(ruleset)
    for parameters, _ in parameter_classes(ruleset.program):
        for readings in reading_choices(ruleset.program):
            graph = Explorer(ruleset.program, parameters, readings, claims, budget).explore()
            answer.explored.append(Explored(parameters, readings, graph))
    answer.steps = begun - budget.steps
    return answer


# ------------------------------------------------------------------------------------------------- liveness


def can_end(graph: Graph) -> set[Hashable]:
    """The states before a deal from which some explored play ends the match."""
    before: dict[Hashable, list[Hashable]] = {}
    for key, node in graph.nodes.items():
        for following in node.nexts:
            before.setdefault(following, []).append(key)
    able = {key for key, node in graph.nodes.items() if node.ends}
    waiting = list(able)
    while waiting:
        for key in before.get(waiting.pop(), ()):
            if key not in able:
                able.add(key)
                waiting.append(key)
    return able


def dead(graph: Graph) -> list[Hashable]:
    """The states from which no play ends it, whatever remains unexplored."""
    able = can_end(graph) | {key for key, node in graph.nodes.items() if not node.expanded}
    before: dict[Hashable, list[Hashable]] = {}
    for key, node in graph.nodes.items():
        for following in node.nexts:
            before.setdefault(following, []).append(key)
    waiting = list(able)
    while waiting:
        for key in before.get(waiting.pop(), ()):
            if key not in able:
                able.add(key)
                waiting.append(key)
    return [key for key in graph.nodes if key not in able]


def longest(graph: Graph) -> int | None:
    """The maximum number of deals in a match; None if there is a cycle. For complete graphs only."""
    lengths: dict[Hashable, int] = {}
    under_way: set[Hashable] = set()
    for root in graph.nodes:
        stack: list[tuple[Hashable, Iterator[Hashable]]] = []
        if root not in lengths:
            stack.append((root, iter(graph.nodes[root].nexts)))
            under_way.add(root)
        while stack:
            key, nexts = stack[-1]
            following = next(nexts, None)
            if following is None:
                lengths[key] = 1 + max((lengths[x] for x in graph.nodes[key].nexts), default=0)
                under_way.discard(key)
                stack.pop()
            elif following in under_way:
                return None
            elif following not in lengths:
                under_way.add(following)
                stack.append((following, iter(graph.nodes[following].nexts)))
    return max(lengths.values(), default=0)
