"""Matches as lists of scenarios, one per deal, and back: how every witness is written and checked.

`written` writes a match deal by deal; `replayed_match` plays it from its start with the reference
interpreter, which carries on whatever a scenario does not say (cards left in zones, a deal that is dealt
again). A witness that does not replay raises `DisagreementError`: an internal error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from trickproof.checking.played_hand import HandPlayed
from trickproof.checking.verdict import DisagreementError
from trickproof_dsl import core as c
from trickproof_dsl.compiled.slots import cached_by_identity
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json, ScenarioError
from trickproof_dsl.scenarios.moves import IllegalMoveError, read_move
from trickproof_dsl.scenarios.situation import begin_deal
from trickproof_dsl.scenarios.writing import move_json, scenario_json
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.state import State
from trickproof_dsl.semantics.values import DECK

Given = Mapping[str, Json]

MOST_DEALS = 40
"""Maximum number of deals in a match that is shown."""


def written(ruleset: Ruleset, hand: HandPlayed) -> tuple[dict[str, Json], ...]:
    """The match up to a deal, in scenario format."""
    return tuple(scenario(ruleset, deal) for deal in hand.match)


def scenario(ruleset: Ruleset, hand: HandPlayed) -> dict[str, Json]:
    """The deal in scenario format, with its seed instead of cards if its cards do not determine it.

    That is so if dealing fails at run time, or if it shuffles in another way than once at its start. If cards
    were given and then dealt once more, the given ones are written.
    """
    moves = [move_json(ruleset.program, decision, choice) for decision, choice in hand.choices]
    begun, chance, fault = hand.begin, hand.begin.chance, hand.state.fault
    shuffles = hand.state.chance.shuffles - chance.shuffles
    if chance.given is not None and shuffles > 1:
        shown = hand.state.but(
            chance=replace(hand.state.chance, dealt=chance.given),
            zones={(DECK,): chance.given.get((DECK,), ())},
        )
        return scenario_json(ruleset, shown, begun.variables, moves)
    written = scenario_json(ruleset, hand.state, begun.variables, moves)
    by_seed = chance.given is None and not (shuffles == 1 and cards_tell(ruleset.program))
    if by_seed or (fault is not None and fault.kind == "deck-empty"):
        written = {key: value for key, value in written.items() if key not in ("hands", "kitty", "zones")}
        written["seed"] = chance.seed
    return written


@cached_by_identity(100)
def shuffled_once(program: c.Program) -> bool:
    """Whether no deal is shuffled more than once, so that the random stream may continue from deal to deal."""
    shuffles = [node for node in walk(program.hand) if isinstance(node, c.Shuffle)]
    return len(shuffles) == 1 and cards_tell(program)


def cards_tell(program: c.Program) -> bool:
    """Whether the cards of a deal that is shuffled once determine everything that chance does in it."""
    elsewhere = any(isinstance(node, c.Shuffle) for node in walk(program.setup, program.between))
    return not elsewhere and cards_may_be_given(program)


@cached_by_identity(100)
def cards_may_be_given(program: c.Program) -> bool:
    """Whether each deal shuffles all cards before it deals any, none twice, and none are dealt between deals, so that any cards can be dealt."""
    if any(isinstance(node, c.Deal) for node in walk(program.setup, program.between)):
        return False
    if _came_back(program.hand, back=False) is None:
        return False
    for step in _course(program.hand):
        if isinstance(step, c.Shuffle):
            return True
        if any(isinstance(node, c.Shuffle | c.Deal) for node in walk(step)):
            return False
    return False


def _came_back(body: Sequence[c.Stmt], back: bool) -> bool | None:
    """Whether cards may have been put back into the deck since it was shuffled; None if it may have been dealt from then."""
    for step in body:
        ways: list[bool | None] = []
        match step:
            case c.Shuffle():
                back = False
            case c.Deal() if back:
                return None
            case c.Move():
                back = back or _puts_back(step)
            case c.InRule():
                ways = [_came_back(step.body, back)]
            case c.Branch():
                ways = [_came_back(step.then, back), _came_back(step.otherwise, back)]
            case c.Loop() | c.Until():
                ways = [back, _came_back(step.body, back or any(map(_puts_back, walk(*step.body))))]
        if None in ways:
            return None
        back = any(ways) if ways else back
    return back


def _puts_back(node: object) -> bool:
    return isinstance(node, c.Move) and node.target.zone == DECK


def _course(body: Sequence[c.Stmt]) -> Iterator[c.Stmt]:
    for step in body:
        if isinstance(step, c.InRule):
            yield from _course(step.body)
        else:
            yield step


def replayed_match(ruleset: Ruleset, match: Sequence[Given]) -> HandPlayed:
    """The last deal of a match replayed from its start by the reference, with the deals before it. Raises DisagreementError.

    If the rules fail at run time, the state has the fault.
    """
    hand: HandPlayed | None = None
    for given in match:
        try:
            begun, state = begin_deal(ruleset, given, None if hand is None else _reference(hand))
            hand = HandPlayed(begun, state, (), () if hand is None else hand.match)
            for move in given.get("moves", []):
                if hand.state.fault:
                    break
                hand = hand.choose(read_move(ruleset, hand.state, move))
        except (ScenarioError, IllegalMoveError, EngineLimitError, ValueError) as wrong:
            raise DisagreementError(f"{ruleset.id}: a witness does not replay: {wrong}") from wrong
    assert hand is not None
    return hand


def _reference(hand: HandPlayed) -> State:
    assert isinstance(hand.state, State)
    return hand.state


def replayed_on(ruleset: Ruleset, match: Sequence[Given]) -> HandPlayed:
    """Like `replayed_match`, with the steps after the last deal if these fail or end the match."""
    hand = replayed_match(ruleset, match)
    if not hand.state.hand_over or hand.state.match_over:
        return hand
    try:
        after = hand.then()
    except EngineLimitError as wrong:
        raise DisagreementError(f"{ruleset.id}: a witness does not replay: {wrong}") from wrong
    return hand if len(after.earlier) > len(hand.earlier) else after
