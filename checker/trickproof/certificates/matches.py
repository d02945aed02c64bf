"""Claims about whole matches: inductions over deals, built here from what a deal begins with and leads to.

For a step, the certificate gives terms for the carried values before and after it and for when the match ends
or the rules fail at run time. The claim about it, the assumptions about the previous deal, and the base case
are built here. Deals that the reference plays, substituted as constants, must satisfy the steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

from trickproof.certificates.certificate import Certificate, MalformedError, Node
from trickproof.certificates.conditions import Conditions, NotStatedError
from trickproof.certificates.questions import any_of, both, negation
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.expressions import value_in
from trickproof_dsl.semantics.faults import EngineLimitError, FaultError
from trickproof_dsl.semantics.machine import apply, begin, begin_hand, between_hands
from trickproof_dsl.semantics.state import State
from trickproof_dsl.semantics.values import Key, Value, initial_values

SUMS = ("over", "score", "payout")
"""Variables that are expected to sum to zero in games that count them."""

MATCHES = 50
"""Number of reference matches whose deals must satisfy the steps."""

DEALS = 2
"""Number of deals taken from each, if it has so many; one in five is played on for six times as many, to its last."""

TERMS = ("begin", "after", "following")


@dataclass(frozen=True, slots=True)
class Step:
    """A deal by one dealer under one choice of parameters and readings, as terms."""

    node: Node
    choice: tuple[tuple[str, int], ...]
    dealer: int | None
    facts: list[str]
    begin: Mapping[str, str]
    after: Mapping[str, str]
    following: Mapping[str, str]
    ended: str
    over: str
    broken: str
    interrupted: str
    nameless: str
    winners: Mapping[str, str]


def step_of(of: Certificate, node: Node) -> Step:
    """Parse a step. Raises MalformedError."""
    parts = node.parts
    mappings = {key: _mapping(node, key) for key in (*TERMS, "parameters", "readings", "winners")}
    dealer = parts.get("dealer")
    if not (dealer is None or isinstance(dealer, int)):
        raise MalformedError(node.line, "a step has a dealer")
    choice = [(name, value) for key in ("parameters", "readings") for name, value in mappings[key].items()]
    if not all(type(value) is int for _, value in choice):
        raise MalformedError(node.line, "parameters and readings are numbers")
    terms = {key: {name: of.value(node, x) for name, x in mappings[key].items()} for key in TERMS}
    winners = {player: of.named(node, when) for player, when in mappings["winners"].items()}
    return Step(
        node,
        tuple((name, value) for name, value in choice if isinstance(value, int)),
        dealer,
        of.names(node, "facts"),
        terms["begin"],
        terms["after"],
        terms["following"],
        of.named(node, parts.get("ended")),
        of.named(node, parts.get("over")),
        of.named(node, parts.get("broken")),
        of.named(node, parts.get("interrupted")),
        of.named(node, parts.get("nameless")),
        winners,
    )


def _mapping(node: Node, key: str) -> Mapping[str, object]:
    value = node.parts.get(key)
    if not isinstance(value, dict):
        raise MalformedError(node.line, f"`{key}` is not an object")
    return value


def all_choices(program: c.Program, steps: Sequence[Step], line: int) -> None:
    """Require a step for every dealer and every value of what varies. Raises MalformedError."""
    if not steps:
        raise MalformedError(line, "it has no step")
    names = [name for name, _ in steps[0].choice]
    values: list[list[int]] = []
    for name in names:
        declared = program.parameters.get(name)
        values.append(
            list(declared) if declared is not None else list(range(len(program.readings.get(name, ()))))
        )
    seat = program.variables.get("dealer")
    seated = seat is not None and seat.carried and seat.type == c.PLAYER and not seat.of
    dealers: list[int | None] = list(range(program.players)) if seated else [None]
    expected = [(tuple(zip(names, taken, strict=True)), who) for taken in product(*values) for who in dealers]
    if sorted(map(str, expected)) != sorted(str((step.choice, step.dealer)) for step in steps):
        raise MalformedError(line, "a dealer, or a value of what varies, is left out")
    named = {name_of(key) for key in initial_values(program) if key[0] in counted(program)}
    if any(named - of.keys() for step in steps for of in (step.begin, step.after, step.following)):
        raise MalformedError(line, "a value that counts is left out")


def name_of(key: Key) -> str:
    """An entry of a variable in a certificate."""
    return ".".join(map(str, key))


def total(values: Mapping[str, str], name: str) -> str:
    """The sum of a variable over its owners."""
    return f"(+ 0 0 {' '.join(term for key, term in values.items() if key.partition('.')[0] == name)})"


def zero(values: Mapping[str, str], name: str) -> str:
    """That a variable sums to zero."""
    return f"(= {total(values, name)} 0)"


def unbalanced(program: c.Program, step: Step, name: str) -> str:
    """That a variable does not sum to zero, after a deal or when the next one begins or the match ends before it."""
    after = negation(zero(step.after, name))
    if not program.variables[name].carried:
        return after
    goes_on = both(negation(step.over), negation(step.interrupted))
    return any_of([after, both(goes_on, negation(zero(step.following, name)))])


def counted(program: c.Program) -> list[str]:
    """The integer variables in SUMS that some rule assigns."""
    steps = walk(*program.phases)
    assigned = {node.variable for node in steps if isinstance(node, c.Assign)}
    return [name for name in SUMS if name in assigned and program.variables[name].type == c.INTEGER]


def wrong(program: c.Program, goal: str, step: Step, inductive: bool = False) -> str:
    """When a step violates a goal; for an invariant that is `inductive`, also when the next deal does not begin with it.

    Raises KeyError for goals that are not about steps.
    """
    if goal in program.invariants:
        return _untrue(program, goal, step, inductive)
    goes_on = both(negation(step.ended), negation(step.broken))
    return {
        "zero-sum": both(
            negation(step.broken), any_of([unbalanced(program, step, name) for name in counted(program)])
        ),
        "no-fault": both(goes_on, step.interrupted),
        "unique-winner": any_of(
            [step.nameless, both(step.ended, negation(step.broken), _unfair(program, step))]
        ),
    }[goal]


def breaks(step: Step) -> str:
    """When the rules fail at run time before the next deal, or it is not determined whether the match ends."""
    goes_on = both(negation(step.ended), negation(step.broken))
    return any_of([step.nameless, both(goes_on, step.interrupted)])


def followed(step: Step) -> str:
    """When another deal follows."""
    return both(*(negation(over) for over in (step.ended, step.broken, step.interrupted)))


def _untrue(program: c.Program, name: str, step: Step, inductive: bool) -> str:
    """An invariant does not hold after a deal or, if it is `inductive`, when the next one begins."""
    after = negation(holds(program, name, step, step.after))
    later = "false"
    if inductive:
        goes_on = both(negation(step.ended), negation(step.interrupted))
        later = both(goes_on, negation(holds(program, name, step, step.following)))
    return both(negation(step.broken), any_of([after, later]))


def holds(program: c.Program, name: str, step: Step, values: Mapping[str, str]) -> str:
    """That an invariant holds of the values before or after a deal. Raises KeyError if that is not linear arithmetic."""
    try:
        return Conditions(program, dict(step.choice), values).holds(program.invariants[name].condition)
    except NotStatedError:
        raise KeyError(name) from None


def about_steps(program: c.Program, name: str, inductive: bool) -> bool:
    """Whether an invariant holds in every state of its moments if it holds after every deal.

    For `always`, it must also hold when every deal begins (`inductive`), and be about carried values that do not change
    up to the last decision of a deal; nothing may be decided between deals.
    """
    invariant = program.invariants[name]
    if invariant.when != "always":
        return invariant.when == "hand-ends"
    reads = {node.name for node in walk(invariant.condition) if isinstance(node, c.Variable)}
    steps, choices = _opened(program.hand), c.Choice
    deciding = [i for i, step in enumerate(steps) if any(isinstance(node, choices) for node in walk(step))]
    early = steps[: deciding[-1] + 1] if deciding else ()
    changed = {node.variable for node in walk(*early) if isinstance(node, c.Assign)}
    elsewhere = any(isinstance(node, choices) for node in walk(program.setup, program.between))
    carried = all(program.variables[variable].carried for variable in reads)
    return inductive and carried and not elsewhere and not reads & changed


def _opened(body: tuple[c.Stmt, ...]) -> tuple[c.Stmt, ...]:
    """Steps with those of the rules among them."""
    opened: list[c.Stmt] = []
    for step in body:
        opened += _opened(step.body) if isinstance(step, c.InRule) else [step]
    return tuple(opened)


def _unfair(program: c.Program, step: Step) -> str:
    """That the winners are not exactly one player, or one team."""
    won = [step.winners.get(str(player), "false") for player in range(program.players)]
    fair = [
        both(*(when if player in side else negation(when) for player, when in enumerate(won)))
        for side in program.sides
    ]
    return negation(any_of(fair))


def at_start(program: c.Program, step: Step) -> State | None:
    """A match before its first deal, according to the reference; None if matches do not all start alike."""
    state = _begun(program, step)
    return state if state is not None and state.hand_over and not state.match_over else None


def over_at_start(program: c.Program, step: Step) -> bool:
    """Whether every match is over before its first deal, according to the reference."""
    state = _begun(program, step)
    return state is not None and state.match_over and state.fault is None


def _begun(program: c.Program, step: Step) -> State | None:
    nodes = list(walk(program.setup))
    chance = any(isinstance(node, c.Shuffle | c.Deal) for node in nodes)
    if chance and any(isinstance(node, c.ZoneCards) for node in nodes):
        return None
    return begin(program, Chance(), *_taken(program, step))


def true_at_start(program: c.Program, step: Step, name: str) -> bool:
    """Whether an invariant holds when the first deal of a match begins."""
    state = at_start(program, step)
    try:
        return state is not None and value_in(state, program.invariants[name].condition) is True
    except (FaultError, EngineLimitError):
        return False


def level_at_start(program: c.Program, step: Step, name: str) -> bool:
    """Whether a variable sums to zero when the first deal of a match begins."""
    state = at_start(program, step)
    return (
        state is not None
        and sum(_number(value) for key, value in state.variables.items() if key[0] == name) == 0
    )


def _taken(program: c.Program, step: Step) -> tuple[dict[str, int], dict[str, int]]:
    chosen = dict(step.choice)
    parameters = {name: chosen.get(name, values[0]) for name, values in program.parameters.items()}
    return parameters, {rule: chosen.get(rule, 0) for rule in program.readings}


def played(program: c.Program, steps: Sequence[Step]) -> Iterator[tuple[Step, list[str]]]:
    """Deals that the reference plays, as facts about the terms of their step; matches cycle through all choices."""
    first = [step for step in steps if step.dealer == steps[0].dealer]
    for seed in range(MATCHES):
        of = first[seed % len(first)]
        chance = Random(seed)
        try:
            state = begin(program, Chance(seed), *_taken(program, of))
            for number in range(0 if state.match_over else DEALS * (1 if seed % 5 else 6)):
                begun = state
                state = begin_hand(begun)
                while state.decision is not None:
                    state = apply(state, _choice(state.decision, chance))
                if state.fault is not None or not (state.hand_over or state.match_over):
                    break
                ended, state = state, state if state.match_over else between_hands(state)
                last = state.match_over or state.fault is not None
                if number < DEALS or last:
                    yield _as_facts(steps, of, begun, ended, state)
                if last:
                    break
        except EngineLimitError:
            continue


def _as_facts(
    steps: Sequence[Step], of: Step, begun: State, state: State, following: State
) -> tuple[Step, list[str]]:
    """A deal as facts: from before its first step to after its last one, and before the next deal, if it does not end the match."""
    dealer = begun.variables.get(("dealer",)) if of.dealer is not None else None
    step = next(step for step in steps if step.choice == of.choice and step.dealer == dealer)
    before, after = ({name_of(key): x for key, x in at.variables.items()} for at in (begun, state))
    facts = [equals(term, before[name]) for name, term in step.begin.items() if name in before]
    facts += [equals(term, after[name]) for name, term in step.after.items() if name in after]
    if over := following.match_over:
        won = {str(player) for player in following.winners}
        facts += [when if player in won else negation(when) for player, when in step.winners.items()]
        facts += ["false" for _ in won - step.winners.keys()]
    facts += [step.ended if over else negation(step.ended), negation(step.broken)]
    facts.append(step.over if state.match_over else negation(step.over))
    if following.fault is not None:
        facts.append(step.interrupted)
    elif following is not state:
        kinds = following.program.variables  # what is not carried is only reset if another deal follows
        later = {
            name_of(key): value
            for key, value in following.variables.items()
            if not over or kinds[key[0]].carried
        }
        facts += [equals(term, later[name]) for name, term in step.following.items() if name in later]
        facts.append(negation(step.interrupted))
    return step, facts


def equals(term: str, value: Value) -> str:
    """That a term has a value; sets are not compared."""
    if isinstance(value, frozenset):
        return "true"
    if isinstance(value, bool):
        return term if value else negation(term)
    number = _number(-1 if value is None else value)
    return f"(= {term} {number if number >= 0 else f'(- {-number})'})"


def _number(value: Value) -> int:
    return value if isinstance(value, int) else 0


def _choice(decision: Decision, chance: Random) -> Value:
    if decision.type != c.CARDS:
        value: Value = chance.choice(decision.legal)
        return value
    return frozenset(chance.sample(decision.legal, chance.randint(decision.low, decision.high)))
