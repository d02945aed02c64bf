"""The law of the simulator for odd rules: missing cards, others' cards, faults known at compile time.

What the compiler knows in advance or computes in a single step must be unobservable.
"""

from __future__ import annotations

import pytest

from agreement.simulated import noted, replayed
from budget import RUN, slow_but
from trickproof.simulate.ir.calling_convention import FIRST, LLVM, PYTHON
from trickproof.simulate.lowering.trace import LEFT
from trickproof.simulate.runtime import lanes, machine
from trickproof.simulate.runtime.kernel import Kernel
from trickproof.support.bundled import bundled_library
from trickproof_dsl import Library, core as c, render

PLAYED = """\
  others-play:
    rule: |
      for p in players other than leader, clockwise from leader:
          p plays 1 card of follow of p as played of p
"""
"""How `pagat` continues a trick; the rules below extend it."""

ODD = {
    "some do not play": """\
  others-play:
    rule: |
      for p in players other than leader, clockwise from leader:
          if tricks of p < 4:
              p plays 1 card of follow of p as played of p
""",
    "one card for two": PLAYED
    + """\
      if tricks of leader > 2:
          played of leader becomes played of left of leader
""",
    "nobody follows": PLAYED
    + """\
      led becomes none
      if tricks of leader > 2:
          trump becomes none
""",
    "twice round": PLAYED
    + """\
      for p in players, clockwise from leader:
          if tricks of p = 2:
              played of p becomes played of leader
      for p in players other than leader, clockwise from leader:
          played of p becomes played of left of p
""",
    "a card is taken back in the round": PLAYED
    + """\
          if tricks of p = 2:
              played of leader becomes none
""",
    "a mark that may be missing": PLAYED
    + """\
      mark becomes played of leader
      if tricks of leader > 3:
          mark becomes none
    assumes: a test
  trick-winner:
    rule: |
      if some player has suit of played = suit of mark
      then players with the highest rank of played among players with suit of played = suit of mark
      else players with the highest rank of played among players with suit of played = led
""",
    "nothing is shown by nobody": """\
  after-trick:
    rule: |
      (only player in (players with the highest over)) shows cards in kitty to everyone
      if tricks of leader > 4:
          (only player in (players with the highest target)) shows cards in hand of leader to (players with tricks > 5)
      if tricks of leader > 6:
          (only player in (players with tricks > 2)) shows cards in hand of leader to everyone
""",
}
"""Rules of `pagat` in whose tricks cards are missing or somebody else's; they may use a variable `mark`."""


def odd(rules: str) -> c.Program:
    text = f"ruleset: odd\ntitle: Odd tricks\nextends: pagat\nstate:\n  mark: {{type: card}}\nrules:\n{rules}"
    ruleset, wrong = bundled_library().load_text(f"{text}    assumes: a test\n", "odd.yaml")
    assert ruleset is not None, render(wrong)
    return ruleset.program


@pytest.mark.parametrize(
    "name", slow_but(("some do not play", "a mark that may be missing", "nothing is shown by nobody"), ODD)
)
@RUN
def test_where_cards_are_odd(name: str) -> None:
    """If a player has no card, or another's, the same trick is won, or the rules fail in the same way."""
    program = odd(ODD[name])
    kernel = Kernel(program, traced=True, backend=PYTHON)
    hands = noted(kernel, 5, 60)
    assert replayed(kernel, hands) > 300
    assert any(note[0] == LEFT and note[1] >= FIRST for hand in hands for note in hand.notes)
    plain = Kernel(program, backend=PYTHON)
    compiled = Kernel(program, backend=LLVM, compiled=plain.compiled)
    once = plain.play(5, 0, 400, 10**6, most=200)
    assert compiled.play(5, 0, 400, 10**6, most=200) == once
    assert compiled.play(5, 0, 400, 10**6, most=200, interleaved=True) == once


STATE = """\
  who: {type: player}
  m: {type: integer, of: player}
  due: {type: integer, of: [player, player]}
"""

BROKEN = """\
ruleset: broken
title: Broken
players: {number: 3, assumes: a test}
deck:
  ranks: 2 3 4
  suits: C=clubs D=diamonds
rules:
  hand:
    rule: |
      shuffle
      for d in players:
          deal 1 card to hand of d
      if number of hand of dealer = 2:
          the match ends, won by players
      else:
          if (only card in kitty) in kitty:
              the match ends, won by players
    assumes: a test
  next-dealer:
    rule: left of dealer
    assumes: a test
"""


OWNERLESS = """\
      due(who, (only player in (players with the highest m))) becomes 1
"""


@pytest.mark.parametrize("step", ["", OWNERLESS], ids=["no card", "two owners"])
def test_what_is_known_to_break_down_breaks_down(step: str) -> None:
    """There is no card in the kitty, which is known at compile time, or one owner is nobody and then the other one of several."""
    text = BROKEN.replace("      if number", f"{step}      if number")
    text = text.replace("rules:", f"state:\n{STATE}rules:", 1)
    ruleset, wrong = Library().load_text(text, "broken.yaml")
    assert ruleset is not None, render(wrong)
    kernel = Kernel(ruleset.program, traced=True, backend=PYTHON)
    hands = noted(kernel, 1, 3)
    replayed(kernel, hands)
    assert all(note[1] >= FIRST for hand in hands for note in hand.notes if note[0] == LEFT)
    assert noted(Kernel(ruleset.program, traced=True, backend=LLVM), 1, 3) == hands


DEALER_STAYS = """\
  next-dealer:
    rule: if tricks of dealer >= target of dealer then dealer else left of dealer
"""


@pytest.mark.parametrize("policy", ["random", "greedy"])
@RUN
def test_what_a_hand_leaves_goes_with_the_match_from_call_to_call(
    monkeypatch: pytest.MonkeyPatch, policy: str
) -> None:
    """However the deals are split into calls and interleaved; the dealer matters."""
    program = odd(DEALER_STAYS)
    monkeypatch.setattr(Kernel, "_faster", lambda *_: True)
    plain, compiled = (Kernel(program, (policy,), form) for form in (PYTHON, LLVM))
    once = compiled.play(5, 0, 10**6, 700)
    assert plain.play(5, 0, 10**6, 700) == once
    always_left = odd(DEALER_STAYS.replace("then dealer", "then left of dealer"))
    assert Kernel(always_left, (policy,), LLVM).play(5, 0, 10**6, 700) != once
    matches = compiled.play(5, 0, 60, 10**6, most=100)
    monkeypatch.setattr(lanes, "PATIENCE", 0)
    assert compiled.play(5, 0, 60, 10**6, most=100, interleaved=True) == matches
    for size in (1, 7):
        monkeypatch.setattr(machine, "SLICE", {LLVM: size, PYTHON: size})
        assert compiled.play(5, 0, 10**6, 700) == once


@RUN
def test_a_deal_thrown_in_goes_with_the_match_from_call_to_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """However the deals are split into calls and interleaved; it matters whether the dealer stays."""
    rules = """\
  targets:
    rule: |
      target of dealer becomes 8
      if no card in hand of dealer has (suit = clubs and rank >= queen):
          ENDING
      target of left of dealer becomes 5
      target of right of dealer becomes 3
"""
    again, passed = (odd(rules.replace("ENDING", ending)) for ending in ("deal again", "the hand ends"))
    plain = Kernel(again, traced=True, backend=PYTHON)
    replayed(plain, noted(plain, 5, 40))
    monkeypatch.setattr(Kernel, "_faster", lambda *_: True)
    once = Kernel(again, backend=LLVM).play(5, 0, 10**6, 700)
    assert Kernel(again, backend=PYTHON).play(5, 0, 10**6, 700) == once
    assert Kernel(passed, backend=LLVM).play(5, 0, 10**6, 700) != once
    matches = Kernel(again, backend=LLVM).play(5, 0, 60, 10**6, most=100)
    monkeypatch.setattr(lanes, "PATIENCE", 0)
    assert Kernel(again, backend=LLVM).play(5, 0, 60, 10**6, most=100, interleaved=True) == matches
    for size in (1, 7):
        monkeypatch.setattr(machine, "SLICE", {LLVM: size, PYTHON: size})
        assert Kernel(again, backend=LLVM).play(5, 0, 10**6, 700) == once
