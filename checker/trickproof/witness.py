"""A hand as a SCENARIO (DESIGN.md, section 6) and back: what every witness is made and checked with.

`scenario` writes down a hand from the state before its deal and the choices made; `replay` plays one through the
reference interpreter.  A scenario that cannot be replayed raises `ScenarioError`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from trickproof.usage import usage_of, walk
from trickproof_dsl import core as c
from trickproof_dsl import interpret
from trickproof_dsl.evaluate import Key, Value
from trickproof_dsl.interpret import Chance, Decision, State

Json = Mapping[str, object]
Choice = tuple[Decision, Value]

RENAMED = {"first-hand": "first_hand", "score": "scores"}
"""Variables that scenarios call by another name; others keep theirs, with `_` for `-` also understood."""


class ScenarioError(Exception):
    """The scenario names something unknown, or a move that is not legal."""


# ------------------------------------------------------------------------------------------- notation


def to_json(program: c.Program, kind: c.Type, value: Value) -> object:
    """A value as scenarios write it: cards, suits and ranks by letters, options by name, sets as sorted lists."""
    if kind.kind in c.SETS:
        element = c.Type(c.SETS[kind.kind])
        return [to_json(program, element, x) for x in sorted(value)]
    if value is None or kind.kind in ("integer", "player", "team"):
        return value
    if kind.kind == "boolean":
        return bool(value)
    return _names(program, kind)[value]


def from_json(program: c.Program, kind: c.Type, value: object) -> Value:
    """A value as scenarios write it.  Raises ScenarioError."""
    if kind.kind in c.SETS:
        if not isinstance(value, list):
            raise ScenarioError(f"expected a list, found `{value}`")
        element = c.Type(c.SETS[kind.kind])
        return frozenset(from_json(program, element, x) for x in value)
    if value is None or kind.kind in ("integer", "player", "team", "boolean"):
        if value is not None and not isinstance(value, int):
            raise ScenarioError(f"expected a number, found `{value}`")
        return value
    names = _names(program, kind)
    if value not in names:
        raise ScenarioError(f"`{value}` is no {kind}")
    return names.index(str(value))


def _names(program: c.Program, kind: c.Type) -> Sequence[str]:
    deck = program.deck
    if kind.kind == "option":
        return program.options[kind.option]
    return {"card": deck.cards, "suit": deck.suit_letters, "rank": deck.rank_letters}[kind.kind]


def nested(program: c.Program, name: str, read: Mapping[Key, Value]) -> object:
    """A variable as JSON: one value, or lists by owner."""
    info = program.variables[name]

    def level(owners: Key) -> object:
        if len(owners) == len(info.of):
            return to_json(program, info.type, read[(name, *owners)])
        size = interpret.size_of(program, info.of[len(owners)])
        return [level((*owners, i)) for i in range(size)]

    return level(())


def unnested(program: c.Program, name: str, value: object) -> dict[Key, Value]:
    """The values of a variable by its owners.  Raises ScenarioError."""
    info = program.variables[name]
    found: dict[Key, Value] = {}

    def level(owners: Key, part: object) -> None:
        if len(owners) == len(info.of):
            found[(name, *owners)] = from_json(program, info.type, part)
            return
        size = interpret.size_of(program, info.of[len(owners)])
        if not isinstance(part, list) or len(part) != size:
            raise ScenarioError(f"`{name}` needs a list of {size}")
        for i, inner in enumerate(part):
            level((*owners, i), inner)

    level((), value)
    return found


# ------------------------------------------------------------------------------------ hand to scenario


def dealing(program: c.Program) -> tuple[c.Stmt, ...]:
    """The first steps of a hand, up to the last deal that nobody's choice comes before."""
    body = program.hand
    while len(body) == 1 and isinstance(body[0], c.InRule):
        body = body[0].body
    last = 0
    for index, step in enumerate(body):
        if any(isinstance(node, c.ChooseCards | c.ChooseValue) for node in walk(step)):
            break
        if any(isinstance(node, c.Deal) for node in walk(step)):
            last = index + 1
    return body[:last]


def hand_start(state: State) -> State:
    """The next hand of a match, before its first step."""
    program = state.program
    fresh = {
        key: value
        for key, value in interpret.initial(program).variables.items()
        if not program.variables[key[0]].carried
    }
    state = replace(state, variables={**state.variables, **fresh}, bound={}, events=(), stack=())
    return interpret.run(state, program.between)


def match_start(
    program: c.Program,
    chance: Chance,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, int] | None = None,
    variables: Mapping[Key, Value] | None = None,
) -> State:
    """The first hand of a match, before its first step."""
    begun = interpret.run(interpret.initial(program, chance, parameters, readings), program.setup)
    return replace(begun, variables={**begun.variables, **(variables or {})})


def scenario(ruleset: str, begin: State, choices: Sequence[Choice]) -> dict[str, object]:
    """The hand that starts in `begin` (before its first step) with these choices."""
    program = begin.program
    made: dict[str, object] = {"ruleset": ruleset, "params": dict(begin.parameters)}
    taken = {rule: index for rule, index in begin.readings.items() if index}
    if taken:
        made["readings"] = {rule: program.readings[rule][index] for rule, index in taken.items()}
    initial = interpret.initial(program).variables
    used = {"dealer", "first-hand"} | usage_of(program.hand, program.between).reads
    for name, info in program.variables.items():
        changed = any(begin.variables[k] != initial[k] for k in begin.variables if k[0] == name)
        if info.carried and (name in used or changed):
            made[RENAMED.get(name, name)] = nested(program, name, begin.variables)
    made |= _dealt(begin)
    made["moves"] = [_move(program, decision, choice) for decision, choice in choices]
    return made


def _dealt(begin: State) -> dict[str, object]:
    program = begin.program
    dealt = interpret.run(begin, dealing(program))
    code = program.deck.cards
    made: dict[str, object] = {}
    for zone in program.zones.values():
        if zone.of == (c.PLAYER,):
            piles = [dealt.cards(zone.name, p) for p in range(program.players)]
            if any(piles):
                name = "hands" if zone.name == "hand" else zone.name
                made[name] = [[code[card] for card in sorted(pile)] for pile in piles]
        elif not zone.of and dealt.cards(zone.name):
            pile = dealt.cards(zone.name)
            made[zone.name] = [code[card] for card in (pile if zone.name == interpret.DECK else sorted(pile))]
    return made


def _move(program: c.Program, decision: Decision, choice: Value) -> dict[str, object]:
    made: dict[str, object] = {"player": decision.player, "move": decision.label}
    if decision.to is not None:
        made["to"] = decision.to
    if decision.type == c.CARDS and decision.single:
        made["card"] = program.deck.cards[next(iter(choice))]
    elif decision.type == c.CARDS:
        made["cards"] = to_json(program, c.CARDS, choice)
    else:
        made[interpret.VALUE_KEYS[decision.type.kind]] = to_json(program, decision.type, choice)
    return made


# ------------------------------------------------------------------------------------ scenario to hand


def begin_of(program: c.Program, given: Mapping[str, object]) -> State:
    """The state before the first step of a scenario's hand.  Raises ScenarioError."""
    readings: dict[str, int] = {}
    for rule, name in _mapping(given.get("readings")).items():
        if name not in program.readings.get(rule, ()):
            raise ScenarioError(f"`{name}` is no reading of `{rule}`")
        readings[rule] = program.readings[rule].index(str(name))
    params = {name: int(str(value)) for name, value in _mapping(given.get("params")).items()}
    variables: dict[Key, Value] = {}
    for key, value in given.items():
        name = {new: old for old, new in RENAMED.items()}.get(key, key)
        if name in program.variables:
            variables |= unnested(program, name, value)
    zones = given_zones(program, given)
    return match_start(program, Chance(given=zones or None), params, readings, variables)


def given_zones(program: c.Program, given: Mapping[str, object]) -> dict[Key, tuple[int, ...]]:
    """The cards a scenario puts into zones."""
    zones: dict[Key, tuple[int, ...]] = {}
    for zone in program.zones.values():
        cards = given.get("hands" if zone.name == "hand" else zone.name)
        if cards is None or (zone.name == interpret.DECK):
            continue
        piles = cards if zone.of else [cards]
        if not isinstance(piles, list) or not all(isinstance(pile, list) for pile in piles):
            raise ScenarioError(f"`{zone.name}` needs cards")
        for index, pile in enumerate(piles):
            key = (zone.name, index) if zone.of else (zone.name,)
            zones[key] = tuple(from_json(program, c.CARD, card) for card in pile)
    return zones


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def choice_of(program: c.Program, decision: Decision, move: Mapping[str, object]) -> Value:
    """The choice a move of a scenario stands for.  Raises ScenarioError where it does not answer the decision."""
    if (move.get("player"), move.get("move")) != (decision.player, decision.label):
        asked = f"player {decision.player} is asked for `{decision.label}`"
        raise ScenarioError(f"{asked}, not player {move.get('player')} for `{move.get('move')}`")
    if decision.to is not None and move.get("to", decision.to) != decision.to:
        raise ScenarioError(f"the cards go to player {decision.to}")
    if decision.type == c.CARDS:
        cards = [move["card"]] if "card" in move else move.get("cards")
        choice = from_json(program, c.CARDS, cards)
    else:
        choice = from_json(program, decision.type, move.get(interpret.VALUE_KEYS[decision.type.kind]))
    if not decision.allows(choice):
        raise ScenarioError(f"the rules do not allow this `{decision.label}`")
    return choice


def replay(program: c.Program, given: Mapping[str, object]) -> State:
    """The state that a scenario leads to.  Raises ScenarioError."""
    return play_moves(interpret.run(begin_of(program, given), program.hand), given.get("moves"))


def play_moves(state: State, moves: object) -> State:
    """Makes the moves of a scenario.  Raises ScenarioError."""
    for number, move in enumerate(moves if isinstance(moves, list) else (), 1):
        if state.decision is None:
            raise ScenarioError(f"move {number}: nobody is asked anything")
        try:
            state = interpret.apply(state, choice_of(state.program, state.decision, _mapping(move)))
        except ScenarioError as wrong:
            raise ScenarioError(f"move {number}: {wrong}") from None
    return state
