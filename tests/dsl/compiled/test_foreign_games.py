"""Three games that owe nothing to the Sergeant Major family: written in the language alone, played whole.

A game for two with a stock, pairs going round to the right with fixed trumps, and one where the lowest card takes
the trick.  What must come of it is computed again here from the cards' codes alone.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from trickproof_dsl import core as c
from trickproof_dsl.compiled.machine import apply, next_hand, start
from trickproof_dsl.compiled.state import State
from trickproof_dsl.diagnostics.diagnostic import render
from trickproof_dsl.library import Library, Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision

FOLDER = Path(__file__).parents[2] / "cases/rulesets"
GAMES = ("draw-two", "forty-in-pairs", "lowest-takes")
LOW_TO_HIGH = {"draw-two": "JQKTA", "forty-in-pairs": "24567PHK3A", "lowest-takes": "KQJT98765432A"}
"""Ranks of each game, the one that takes the trick last."""
WORTH = {
    "draw-two": {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2},
    "forty-in-pairs": {"A": 11, "3": 10, "K": 4, "H": 3, "P": 2},
}
CIRCLE = {"draw-two": 1, "forty-in-pairs": -1}

Trick = list[tuple[int, str]]


@cache
def loaded(name: str) -> Ruleset:
    ruleset, wrong = Library([FOLDER]).load(name)
    assert ruleset is not None, render(wrong)
    return ruleset


def codes(state: State, cards: object) -> set[str]:
    deck = state.program.deck.cards
    return {deck[card] for card in cards}  # type: ignore[attr-defined]


def picked(decision: Decision, chance: random.Random) -> object:
    if decision.type != c.CARDS:
        return chance.choice(decision.legal)
    count = chance.randint(decision.low, decision.high)
    return frozenset(chance.sample(decision.legal, count))


def played(name: str, seed: int, hands: int) -> list[State]:
    """The ends of the hands of a match with random choices; everything is checked on the way."""
    program, chance = loaded(name).program, random.Random(seed)
    state, ends = start(program, Chance(seed)), []
    while True:
        trick: Trick = []
        while state.decision is not None:
            check_cards(state)
            if state.decision.label == "play":
                check_legal(name, state, trick)
            before, choice = state, picked(state.decision, chance)
            state = apply(state, choice)
            if before.decision is not None and before.decision.label == "play":
                (code,) = codes(state, choice)
                trick.append((before.decision.player, code))
                if len(trick) == program.players:
                    check_trick(name, before, state, trick)
                    trick = []
        assert state.fault is None, state.fault
        check_cards(state)
        ends.append(state)
        if state.match_over or len(ends) == hands:
            return ends
        state = next_hand(state)


def check_cards(state: State) -> None:
    """Every card is in exactly one zone."""
    cards = [card for zone in state.zones.values() for card in zone]
    assert sorted(cards) == list(range(len(state.program.deck.cards)))


def trump_of(state: State) -> str:
    trump = state.variable("trump")
    return "" if trump is None else state.program.deck.suit_letters[trump]


def taker(name: str, trick: Trick, trump: str) -> int:
    """Who takes a trick: by the cards alone."""
    suit = trump if any(card[1] == trump for _, card in trick) else trick[0][1][1]
    best = max((LOW_TO_HIGH[name].index(card[0]), player) for player, card in trick if card[1] == suit)
    return best[1]


def check_trick(name: str, before: State, after: State, trick: Trick) -> None:
    winner = taker(name, trick, trump_of(before))
    tricks = [after.variable("tricks", p) - before.variable("tricks", p) for p in range(len(trick))]
    assert tricks == [int(p == winner) for p in range(len(trick))]
    told = [{k: v for k, _, v in e.fields} for e in after.events if e.name == "trick"]
    assert told[-1]["winner"] == winner
    step = CIRCLE.get(name, 1 if after.variables.get(("hand-number",), 1) % 2 else -1)
    assert [p for p, _ in trick] == [(trick[0][0] + i * step) % len(trick) for i in range(len(trick))]


def check_legal(name: str, state: State, trick: Trick) -> None:
    """The legal cards, worked out again."""
    assert state.decision is not None
    hand = codes(state, state.cards("hand", state.decision.player))
    legal = codes(state, state.decision.legal)
    married = state.variables.get(("married",))
    if trick:
        assert legal == followers(name, hand, trick, trump_of(state), bool(state.zones.get(("turned",))))
    elif married is None:
        assert legal == hand
    else:
        letter = state.program.deck.suit_letters[married]
        assert legal == {"K" + letter, "Q" + letter}


def followers(name: str, hand: set[str], trick: Trick, trump: str, stock: bool) -> set[str]:
    led = trick[0][1][1]
    same = {card for card in hand if card[1] == led}
    if name == "lowest-takes":
        return same or hand
    if stock:
        return hand
    beats = {card for card in same or hand if taker(name, [*trick, (99, card)], trump) == 99}
    if name == "draw-two" and not same:
        return {card for card in hand if card[1] == trump} or hand
    return beats or same or hand


def points(name: str, state: State, player: int) -> int:
    return sum(WORTH[name].get(card[0], 0) for card in codes(state, state.cards("tricks-taken", player)))


# ------------------------------------------------------------------------------------- ends of hands


def check_draw_two(state: State, before: list[int]) -> None:
    both = [
        (points("draw-two", state, p) + state.variable("bonus", p)) * (state.variable("tricks", p) > 0)
        for p in (0, 1)
    ]
    left = [len(state.cards("hand", p)) for p in (0, 1)]
    assert left[0] == left[1] == 0 or max(both) >= 66
    assert left[0] == left[1]
    winner = both.index(max(both)) if max(both) >= 66 else state.variable("leader")
    loser = 1 - winner
    stake = 3 if state.variable("tricks", loser) == 0 else 2 if both[loser] < 33 else 1
    before[winner] += stake
    assert [state.variable("score", p) for p in (0, 1)] == before


def check_forty_in_pairs(state: State, before: list[int]) -> None:
    assert sum(state.variable("tricks", p) for p in range(4)) == 10
    last = state.variable("leader")
    pairs = [
        sum(points("forty-in-pairs", state, p) + 10 * (p == last) for p in pair) for pair in ((0, 2), (1, 3))
    ]
    assert sum(pairs) == 130
    for p in range(4):
        before[p] += pairs[p % 2] > 65
    assert [state.variable("score", p) for p in range(4)] == before


def check_lowest_takes(state: State, before: list[int]) -> None:
    assert sum(state.variable("tricks", p) for p in range(4)) == state.variable("cards-each")
    for p in range(4):
        taken = codes(state, state.cards("tricks-taken", p))
        against = sum(card[1] == "H" for card in taken) + 10 * ("KS" in taken)
        before[p] = before[p] + against if taken else max(before[p] - 5, 0)
    assert [state.variable("score", p) for p in range(4)] == before


ENDS: dict[str, Callable[[State, list[int]], None]] = {
    "draw-two": check_draw_two,
    "forty-in-pairs": check_forty_in_pairs,
    "lowest-takes": check_lowest_takes,
}


@pytest.mark.parametrize("name", GAMES)
def test_thirty_hands(name: str) -> None:
    left, seed = 30, 0
    while left > 0:
        ends = played(name, seed, left)
        scores = [0] * ends[0].program.players
        for state in ends:
            ENDS[name](state, scores)
        left, seed = left - len(ends), seed + 1


@pytest.mark.parametrize("name", GAMES)
def test_whole_match(name: str) -> None:
    ends = played(name, 7, 200)
    last = ends[-1]
    assert last.match_over
    assert not any(state.match_over for state in ends[:-1])
    scores = [last.variable("score", p) for p in range(last.program.players)]
    best = min(scores) if name == "lowest-takes" else max(scores)
    assert last.winners == {p for p, score in enumerate(scores) if score == best}
    if name == "forty-in-pairs":
        assert last.winners in ({0, 2}, {1, 3})


def test_passing_goes_round() -> None:
    """The first four hands pass left, right, across, not at all, with two cards fewer each time."""
    ends = played("lowest-takes", 3, 4)
    passes = [[{k: v for k, _, v in e.fields} for e in state.events if e.name == "pass"] for state in ends]
    assert [{(e["to"] - e["player"]) % 4 for e in told} for told in passes] == [{1}, {3}, {2}, set()]
    assert [state.variable("cards-each") for state in ends] == [13, 11, 9, 7]
    assert [len(state.cards("kitty")) for state in ends] == [0, 8, 16, 24]


@pytest.mark.parametrize("name", GAMES)
def test_every_statement_is_used(name: str) -> None:
    """Rules and examples of the document are cited."""
    ruleset = loaded(name)
    statements = ruleset.documents[name].statements.values()
    text = ruleset.own.source.text
    unused = [s.id for s in statements if s.kind in ("rule", "example") and f"{name}.{s.id}" not in text]
    assert unused == []
