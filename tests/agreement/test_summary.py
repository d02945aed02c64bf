"""The law that the summary of a deal agrees with the reference after play and between deals, on random rules.

The rules after play and between deals are random, and so are those for a deal that is thrown in; they read
what the deal leaves (`tricks`, `target`, uncarried variables of their own). A deal is played by the
reference; the summary, given its initial state and trick distribution, must allow the result, and wherever it
determines a number, it must be the right one. The state that a thrown-in deal leaves must be allowed too.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest
import z3

from budget import RUN, blocks
from trickproof.checking.played_hand import HandPlayed, first_hand, following_hand
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import Answer
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof.proofs.symbolic.hand_summary import PlayOutcome, Settlement, settlements
from trickproof.testing.random_play import pick
from trickproof.testing.subject import Subject
from trickproof_dsl import Library, Ruleset, render
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.state import State
from trickproof_dsl.semantics.values import Key

NAME = "agreement.summary"
BLOCK = 20
HANDS = 5

FILE = """\
ruleset: settled
title: A small game with random scoring
players: 3
deck:
  ranks: 2 3 4 5
  suits: C=clubs D=diamonds H=hearts
state:
  n: {{type: integer}}
  gain: {{type: integer, of: player}}
  best: {{type: player}}
  lucky: {{type: boolean}}
  kinds: {{type: integer, carried: true}}
  ahead: {{type: player, carried: true}}
rules:
  deal:
    rule: |
      for p in players, clockwise from left of dealer:
          deal 4 cards to hand of p
{redeal}
    assumes: a test
  targets:
    rule: |
      target of dealer becomes {target}
      n becomes {early}
    assumes: a test
  lead: {{rule: left of dealer, assumes: a test}}
  follow:
    of: player p
    rule: hand
    assumes: a test
  trick-winner: {{rule: players with the highest rank of played among players with suit of played = led, assumes: a test}}
  scoring:
    rule: |
{scoring}
    assumes: a test
  end: {{rule: '{end}', assumes: a test}}
  winner: {{rule: players with the highest score, assumes: a test}}
  next-dealer:
    rule: '{dealer}'
    assumes: a test
  between-hands:
    rule: |
      dealer becomes next-dealer
      first-hand becomes false
{between}
    assumes: a test
"""


def drawn(seed: int) -> str:
    """The text of the ruleset of a seed."""
    rng = Random(seed)

    def number() -> str:
        return rng.choice(
            (
                *(
                    "n",
                    "kinds",
                    "2",
                    "tricks of dealer",
                    "gain of dealer",
                    "target of dealer",
                    "over of left of dealer",
                ),
                *(
                    "number of (players with tricks > 1)",
                    "(tricks of left of dealer mod 3)",
                    "score of dealer",
                ),
                *("(highest tricks among players)", "(sum of gain for players)"),
            )
        )

    def truth() -> str:
        among = (
            f"{number()} {rng.choice(('>', '<=', '='))} {number()}",
            "lucky",
            "ahead = none",
            "best = dealer",
        )
        return rng.choice((among[0], *among))

    def step() -> str:
        return rng.choice(
            (
                f"for p in players:\n    gain of p becomes tricks of p - {number()}",
                f"for p in players, clockwise from left of dealer:\n    score of p becomes score of p + gain of p + {number()}",
                f"if {truth()}:\n    best becomes dealer\n    kinds becomes kinds + {number()}",
                f"for p in players with tricks > {rng.randrange(3)}:\n    ahead becomes p\n    n becomes n + 1",
                f"lucky becomes {truth()}",
                f"over of dealer becomes tricks of dealer - target of dealer + {number()}",
                f"n becomes {number()} - {number()}",
            )
        )

    def steps(least: int) -> str:
        return textwrap.indent("\n".join(step() for _ in range(rng.randint(least, 3))), " " * 6)

    def redeal() -> str:
        change = rng.choice(
            (
                "kinds becomes kinds + 1",
                "ahead becomes dealer",
                "score of dealer becomes kinds",
                "lucky becomes true",
            )
        )
        throw = rng.choice(
            (
                f"if some card in hand of dealer has suit = hearts and {truth()}:\n    {change}\n    deal again",
                f"for p in players:\n    if {truth()} and kinds < {rng.randint(1, 3)}:\n        {change}\n        deal again",
                f"dealer chooses lucky\nif lucky and kinds < {rng.randint(1, 4)}:\n    kinds becomes kinds + 1\n    deal again",
                f"if kinds < {rng.randint(1, 3)}:\n{textwrap.indent(step(), '    ')}\n    kinds becomes kinds + 1\n    deal again",
            )
        )
        return textwrap.indent(throw, " " * 6) if rng.random() < 0.8 else ""

    def stop() -> str:
        ending = rng.choice(("deal again", "the hand ends"))
        return (
            textwrap.indent(f"\nif {truth()}:\n    {ending}\n{step()}", " " * 6) if rng.random() < 0.3 else ""
        )

    dealer = rng.choice(
        (
            "left of dealer",
            "if tricks of dealer >= 2 then dealer else left of dealer",
            f"if {truth()} then right of dealer else left of dealer",
            "if best = none then left of dealer else best",
            "only player in players with the highest tricks",
            "if ahead = none then dealer else ahead",
        )
    )
    return FILE.format(
        target=rng.choice(("2", "kinds mod 4", "if first-hand then 1 else 2")),
        early=number().replace("(highest tricks among players)", "3"),
        redeal=redeal(),
        scoring=steps(1) + stop(),
        end=rng.choice(("kinds > 40", "some player has score > 12", f"{truth()} and kinds > 6")),
        dealer=dealer,
        between=steps(0),
    )


def loaded(seed: int) -> Ruleset:
    ruleset, wrong = Library().load_text(drawn(seed), "settled.yaml")
    assert ruleset is not None, render(wrong) + drawn(seed)
    return ruleset


@pytest.mark.grows("agreement.summary")
@pytest.mark.parametrize("block", blocks(NAME, BLOCK), ids=lambda block: f"{block[0]}-{block[-1]}")
@RUN
def test_summary_is_what_the_reference_does(block: range) -> None:
    seen = Counter[str]()
    for seed in block:
        ruleset = loaded(seed)
        try:
            settlement = settlements(Subject(ruleset, ()), PlayOutcome.KNOWN_SIZE)[0]
            _compare(settlement, seed, seen)
        except NotEncodedError:
            seen["not encoded"] += 1
        except AssertionError as wrong:
            wrong.add_note(f"ruleset {seed}:\n{drawn(seed)}")
            raise
    assert seen["numbers"] > 100 * len(block)
    assert seen["next hands"] > len(block)
    assert seen["thrown in"] > 0
    assert seen["not encoded"] < len(block) // 2


def _compare(settlement: Settlement, seed: int, seen: Counter[str]) -> None:
    rng, program = Random(seed), settlement.program
    hand = first_hand(program, Chance(seed), settlement.parameters, settlement.readings, {})
    for _ in range(HANDS):
        while (decision := hand.state.decision) is not None:
            hand = hand.choose(pick(decision, rng))
        begin = {key: y_value(value) for key, value in hand.begin.variables.items()}
        if hand.state.again and not any(decision.label == "play" for decision, _ in hand.choices):
            hand = _thrown_in(settlement, begin, hand.state)
            seen["thrown in"] += 1
            continue
        tricks = tuple(hand.state.variable("tricks", p) for p in range(program.players))
        settled = settlement.hand(begin, "hand", division=lambda _, taken=tricks: taken)
        assert _may(settled.broken, hand.state.fault is not None)
        if hand.state.fault is not None:
            return
        assert _may(settled.ended, hand.state.match_over)
        assert _may(settled.again, hand.state.again)
        _agree(settled.after, hand.state, seen)
        if hand.state.match_over:
            return
        after, broken = settlement.between(settled.after, settled.again)
        following = following_hand(hand.state)
        assert _may(broken, not isinstance(following, HandPlayed))
        if not isinstance(following, HandPlayed):
            return
        _agree(after, following.begin, seen)
        seen["next hands"] += 1
        hand = following


def _thrown_in(settlement: Settlement, begin: Mapping[Key, y.Symbol], state: State) -> HandPlayed:
    """The next deal, whose initial state the summary must allow after a deal thrown in before play."""
    hand = settlement.hand(begin, "hand")
    variables, broken = settlement.between(hand.after, hand.again, hand.places)
    following = following_hand(state)
    assert isinstance(following, HandPlayed)
    questions = settlement.solver()
    questions.add(*hand.facts, hand.again, y.neg(hand.ended), y.neg(hand.broken), y.neg(broken))
    for symbols, values in ((hand.after, state.variables), (variables, following.begin.variables)):
        for key, value in values.items():
            questions.add(True if symbols[key] is y.OPAQUE else y.equal(symbols[key], y_value(value)))
    assert questions.possible() is Answer.YES
    return following


def y_value(value: object) -> y.Symbol:
    return y.Members(tuple((x, True) for x in sorted(value))) if isinstance(value, frozenset) else value


def _may(condition: y.Bool, truth: bool) -> bool:
    return not isinstance(condition, bool) or condition == truth


def _agree(symbols: Mapping[Key, y.Symbol], state: State, seen: Counter[str]) -> None:
    """Wherever the summary determines a value, it must be the reference's."""
    for key, value in state.variables.items():
        symbol = symbols[key]
        match symbol:
            case y.Members():
                known = all(isinstance(when, bool) for _, when in symbol.of)
                told: object = frozenset(x for x, when in symbol.of if when is True) if known else value
            case z3.ExprRef() | y.Cases() | y.OPAQUE:
                told = value
                seen["unknown"] += 1
            case _:
                told = symbol
                seen["numbers"] += 1
        assert told == value, key
