"""The initial state of a scenario, read from its fields; impossible situations are refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, Protocol, TypeVar

from trickproof_dsl import core as c
from trickproof_dsl.compiled.slots import cached_by_identity
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.diagnostics.catalogue import did_you_mean, or_meant
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import (
    Json,
    ScenarioError,
    read_cards,
    read_value,
    read_variable,
    read_zone,
    shown,
)
from trickproof_dsl.semantics import machine as reference
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.machine import begin, begin_hand, between_hands, initial, run
from trickproof_dsl.semantics.state import State
from trickproof_dsl.semantics.state_view import StateView
from trickproof_dsl.semantics.values import DECK, Key, Value, as_number

S = TypeVar("S", bound=StateView)

_KEYS = (
    "ruleset",
    "params",
    "dealer",
    "first_hand",
    "over",
    "scores",
    "hands",
    "kitty",
    "moves",
    "readings",
    "seed",
    "zones",
    "variables",
    "any_order",
)
SCENARIO_WORDS = {"dealer": "dealer", "first_hand": "first-hand", "over": "over", "scores": "score"}
"""Keys of a scenario that set a variable."""


class Machine(Protocol[S]):
    """What carries out scenarios: the module of the reference interpreter or that of the compiled form."""

    def begin(
        self,
        program: c.Program,
        chance: Chance | None = None,
        parameters: Mapping[str, int] | None = None,
        readings: Mapping[str, int] | None = None,
        variables: Mapping[Key, Value] | None = None,
    ) -> S: ...

    def begin_hand(self, state: S) -> S: ...

    def apply(self, state: S, choice: Value | Iterable[int]) -> S: ...


def start_scenario(ruleset: Ruleset, scenario: Mapping[str, Json]) -> State:
    """The scenario's hand before its first move.  Raises ScenarioError."""
    return start_in(reference, ruleset, scenario)


def start_in(machine: Machine[S], ruleset: Ruleset, scenario: Mapping[str, Json]) -> S:
    """`start_scenario` by one of the two that carry out scenarios.  Raises ScenarioError."""
    program = ruleset.program
    variables, given, chance, parameters, readings = _situation(ruleset, scenario)
    if not _is_as_a_match_starts(begin(program, chance, parameters, readings), variables):
        _check_over(initial(program, chance, parameters, readings, variables))
    state = machine.begin_hand(machine.begin(program, chance, parameters, readings, variables))
    _check_dealt(given, state)
    return state


def begin_deal(ruleset: Ruleset, scenario: Mapping[str, Json], before: State | None) -> tuple[State, State]:
    """The scenario's deal within a match: before its first step, and before its first move.

    It follows the complete deal `before`, or else begins the match; what the scenario says of its start must
    agree.  Raises ScenarioError.
    """
    variables, given, chance, parameters, readings = _situation(ruleset, scenario)
    if before is None:
        begun = begin(ruleset.program, chance, parameters, readings)
    else:
        if not before.hand_over or before.match_over:
            raise ScenarioError("impossible-match", "the match does not reach this deal")
        begun = between_hands(before).but(chance=chance)
        if begun.fault or begun.match_over:
            why = f": the rules fail before it: {begun.fault.message}" if begun.fault else ""
            raise ScenarioError("impossible-match", f"the match does not reach this deal{why}")
        if any(begun.parameters[name] != value for name, value in parameters.items()) or any(
            begun.readings.get(rule, 0) != taken for rule, taken in readings.items()
        ):
            raise ScenarioError(
                "impossible-match", "parameters and readings stay the same throughout a match"
            )
    for place, value in variables.items():
        if begun.variables[place] != value:
            name = " of ".join(map(str, place))
            raise ScenarioError("impossible-match", f"the deal does not begin with this `{name}`")
    state = begin_hand(begun)
    _check_dealt(given, state)
    return begun, state


def _situation(
    ruleset: Ruleset, scenario: Mapping[str, Json]
) -> tuple[dict[Key, Any], dict[Key, tuple[int, ...]], Chance, dict[str, int], dict[str, int]]:
    """The content of a scenario: variables, cards by place, source of chance, parameters, readings."""
    program = ruleset.program
    for key in scenario:
        if key not in _KEYS:
            raise unknown("field", key, _KEYS)
    variables = read_variables(
        program, {**scenario, "variables": _meant(ruleset, scenario.get("variables", {}))}
    )
    given = read_deal(program, scenario)
    seed = scenario.get("seed", 0)
    if not given and "seed" not in scenario:
        raise ScenarioError("bad-scenario", "expected `hands`, or a `seed` to deal from")
    parameters = _parameters(program, _meant(ruleset, scenario.get("params", {})))
    readings = read_readings(program, _meant(ruleset, scenario.get("readings", {})))
    chance = Chance(read_value(program, c.INTEGER, seed, "seed"), given or None)
    return variables, given, chance, parameters, readings


def _meant(ruleset: Ruleset, given: Json) -> Json:
    """The entries for this ruleset: `goal` applies to any, `name/goal` only to the ruleset of that name."""
    if not isinstance(given, dict):
        return given
    whole = {name: value for name, value in given.items() if "/" not in name}
    parted = [(*name.rpartition("/"), value) for name, value in given.items() if "/" in name]
    return whole | {name: value for whose, _, name, value in parted if whose in (ruleset.id, ruleset.named)}


def any_order(scenario: Mapping[str, Json]) -> bool:
    """Whether the moves of a scenario may be consumed in any order.  Raises ScenarioError."""
    flag = scenario.get("any_order", False)
    if not isinstance(flag, bool):
        raise ScenarioError("bad-scenario", f"`any_order` must be true or false, found `{shown(flag)}`")
    return flag


def unknown(what: str, name: Json, candidates: Iterable[str]) -> ScenarioError:
    """The error for an undefined name, with the nearest defined one."""
    hint = or_meant(did_you_mean(str(name), candidates))
    return ScenarioError("bad-scenario", f"unknown {what} `{shown(name)}`{hint}")


def read_variables(program: c.Program, scenario: Mapping[str, Json]) -> dict[Key, Any]:
    """Carried variables that the scenario sets; the hand is not the first of a match unless it says so."""
    given: dict[str, Json] = {}
    if "first-hand" in program.variables:
        given["first-hand"] = False
    given |= {word: scenario[key] for key, word in SCENARIO_WORDS.items() if key in scenario}
    more = scenario.get("variables", {})
    if not isinstance(more, dict):
        raise ScenarioError("bad-scenario", "`variables` must be a mapping of names to values")
    values: dict[Key, Any] = {}
    for name, value in (given | more).items():
        if name not in program.variables:
            raise unknown("variable", name, program.variables)
        values |= read_variable(program, name, value)
    return values


def read_deal(program: c.Program, scenario: Mapping[str, Json]) -> dict[Key, tuple[int, ...]]:
    """The cards dealt to each place."""
    given: dict[Key, tuple[int, ...]] = {}
    if "hands" in scenario:
        hands = scenario["hands"]
        if not isinstance(hands, list) or len(hands) != program.players:
            raise ScenarioError("bad-scenario", f"`hands` must hold {program.players} lists of cards")
        given |= {("hand", p): read_cards(program, hand, "hands") for p, hand in enumerate(hands)}
    if scenario.get("kitty"):
        given |= read_zone(program, "kitty", scenario["kitty"])
    zones = scenario.get("zones", {})
    if not isinstance(zones, dict):
        raise ScenarioError("bad-scenario", "`zones` must be a mapping of zones to cards")
    for name, cards in zones.items():
        if name not in program.zones:
            raise unknown("zone", name, program.zones)
        given |= read_zone(program, name, cards)
    every = [card for cards in given.values() for card in cards]
    for card in every:
        if every.count(card) > 1:
            raise ScenarioError("bad-card", f"`{program.deck.cards[card]}` is dealt twice")
    return given


def _parameters(program: c.Program, given: Json) -> dict[str, int]:
    if not isinstance(given, dict):
        raise ScenarioError("bad-scenario", "`params` must be a mapping of names to numbers")
    for name, value in given.items():
        allowed = program.parameters.get(name)
        if allowed is None:
            raise unknown("parameter", name, program.parameters)
        if type(value) is not int or value not in allowed:
            choices = " or ".join(map(str, allowed))
            raise ScenarioError(
                "bad-scenario", f"parameter `{name}` must be {choices}, found `{shown(value)}`"
            )
    return dict(given)


def read_readings(program: c.Program, given: Json) -> dict[str, int]:
    """The readings a scenario names, by rule, as indices.  Raises ScenarioError."""
    if not isinstance(given, dict):
        raise ScenarioError("bad-scenario", "`readings` must be a mapping of rules to readings")
    taken: dict[str, int] = {}
    for rule, name in given.items():
        known = program.readings.get(rule)
        if known is None:
            raise unknown("rule with readings", rule, program.readings)
        if name not in known:
            message = f"the readings of rule `{rule}` are {', '.join(known)}; found `{shown(name)}`"
            raise ScenarioError("bad-scenario", message)
        taken[rule] = known.index(name)
    return taken


def _is_as_a_match_starts(begun: StateView, given: Mapping[Key, Value]) -> bool:
    """Whether the deviations equal those at the start of a match."""
    return all(begun.variables.get(key) == value for key, value in given.items() if key[0] == "over")


def _check_over(begun: State) -> None:
    """Refuse deviations that no previous hand can have produced, if the rules hand out every trick.

    For each dealer (first hand or not), the previous hand's targets are computed, then its tricks, then the
    steps between hands.  Any deviations are accepted if this is inconclusive: if targets are chosen, depend
    on the cards or do not sum to the number of cards in a hand, if not every card makes a trick, or if the
    steps between hands depend on more of the previous hand.
    """
    program, given = begun.program, begun.variables
    seats = range(program.players)
    over = [x if isinstance(x := given.get(("over", p)), int) else 0 for p in seats]
    hands = (begun.chance.given or {}).get(("hand", 0))
    targets = program.rules["targets"].body if "targets" in program.rules else None
    if not any(over):
        return
    first_ends, told = _previous_deal(program)
    if given.get(("first-hand",)) and first_ends:
        raise ScenarioError("impossible-scenario", "a first deal has no previous deal: `over` must be zero")
    if targets is None or hands is None or not told:
        return
    tried = False
    for dealer, first in product(seats, (False, True)):
        before = begun.but(variables={("dealer",): dealer, ("first-hand",): first})
        settled = run(before, targets)
        target = [as_number(settled.variables.get(("target", p), 0)) for p in seats]
        if not settled.hand_over or sum(target) != len(hands):
            return
        tricks: dict[Key, int] = {("tricks", p): target[p] + over[p] for p in seats}
        after = run(settled.but(variables=tricks), program.between)
        if not after.hand_over:
            return
        if after.variables.get(("dealer",)) == given.get(("dealer",)):
            tried = True
            if min(tricks.values()) >= 0 and sum(tricks.values()) == len(hands):
                return
    if tried:
        raise ScenarioError(
            "impossible-scenario", f"`over`: no deal leaves the players {over} over their targets"
        )


@cached_by_identity(64)
def _previous_deal(program: c.Program) -> tuple[bool, bool]:
    """Whether a deal ends the first-deal status, and whether tricks and targets determine what it leaves."""
    first_ends = any(
        isinstance(n, c.Assign)
        and n.variable == "first-hand"
        and isinstance(n.value, c.Literal)
        and n.value.value is False
        for n in walk(program.between)
    )
    told = _is_tricks_less_target(program) and _a_trick_for_every_card(program) and not _looks_back(program)
    return first_ends, told


def _looks_back(program: c.Program) -> bool:
    """Whether the steps between hands depend on more than tricks, targets and carried variables."""
    given = {"tricks", "target", *(x.name for x in program.variables.values() if x.carried)}
    nodes = walk(program.between)
    return any(
        isinstance(n, c.ZoneCards) or (isinstance(n, c.Variable) and n.name not in given) for n in nodes
    )


def _is_tricks_less_target(program: c.Program) -> bool:
    """Whether the hand assigns nothing but `tricks - target` to `over`."""
    for node in walk(program.hand):
        if isinstance(node, c.Assign) and node.variable == "over":
            match node.value:
                case c.Arithmetic("-", c.Variable("tricks", mine), c.Variable("target", its)):
                    if mine == its == node.arguments:
                        continue
            return False
    return True


def _a_trick_for_every_card(program: c.Program) -> bool:
    """Whether one trick is counted in each of as many rounds as a hand has cards, and none elsewhere."""
    nodes = list(walk(program.hand))
    counted = [n for n in nodes if isinstance(n, c.Assign) and n.variable == "tricks"]
    sizes = [n.value for n in nodes if isinstance(n, c.Assign) and n.variable == "hand-size"]
    if not all(isinstance(e, c.Size) and isinstance(e.set, c.ZoneCards) for e in sizes):
        return False
    if any(_changes_hands(n) for branch in nodes if isinstance(branch, c.Branch) for n in walk(branch)):
        return False
    rounds = [n for n in nodes if isinstance(n, c.Loop) and _as_many_as_cards(n.domain)]
    inside = [n for n in walk(*(loop.body for loop in rounds)) if n in counted]
    if len(counted) != 1 or len(inside) != 1:
        return False
    match counted[0].value:
        case c.Arithmetic("+", c.Variable("tricks", whose), c.Literal(_, 1)):
            return whose == counted[0].arguments
    return False


def _changes_hands(node: object) -> bool:
    """Whether a move changes the size of a hand, other than from hand to hand."""
    return isinstance(node, c.Move) and (node.source.zone == "hand") != (node.target.zone == "hand")


def _as_many_as_cards(domain: c.Expr) -> bool:
    return (
        isinstance(domain, c.Range)
        and isinstance(domain.high, c.Variable)
        and domain.high.name == "hand-size"
    )


def _check_dealt(given: Mapping[Key, tuple[int, ...]], state: StateView) -> None:
    """Refuse hands whose size differs from the one the rules deal."""
    fault = state.fault
    if fault is not None and fault.kind == "deck-empty" and given:
        raise ScenarioError(
            "bad-deal", f"the cards given (`hands`, `kitty`, `zones`) cannot be dealt: {fault.message}"
        )
    if state.chance.given is not None and state.chance.shuffles > 1:
        return  # the given cards were dealt first, and then all cards again
    for place, cards in given.items():
        dealt = len(state.chance.dealt.get(place, ()))
        if place == (DECK,) or dealt == len(cards) or (dealt < len(cards) and _deals_later(state)):
            continue
        name = " of player ".join(map(str, place))
        raise ScenarioError("bad-deal", f"`{name}` is dealt {dealt} cards, {len(cards)} are given")


def _deals_later(state: StateView) -> bool:
    """Whether more cards can be dealt in this hand."""
    return any(isinstance(node, c.Deal) for node in walk(*state.to_come))
