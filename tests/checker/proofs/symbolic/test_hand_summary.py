"""Law: the symbolic settlement and the interpreter agree on every division of the tricks."""

from __future__ import annotations

from random import Random

import pytest

from budget import RUN, slow_but
from checker.rulesets_for_tests import documented, foreign, found, house, rule, subject_of
from trickproof.analysis.nullability import set_to_something
from trickproof.checking.proof_session import ProofSession
from trickproof.proofs.model_checking.bounded_model_checking import Trace, search
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import Answer, SolverSession
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof.proofs.symbolic.hand_parts import split
from trickproof.proofs.symbolic.hand_summary import PlayOutcome, Settlement, settlements
from trickproof.testing.deal_search import construct
from trickproof_dsl.compiled import machine as interpret
from trickproof_dsl.compiled.state import initial
from trickproof_dsl.library import Ruleset

SETTLED = ["pagat", "six-over", "nine-five-two", "tallyn", "shawn-51", "weaver-four", "trumpet-major"]


def odd() -> Ruleset:
    """A settlement with everything linear the language has: extremes, ties, divisions, orders, sets of players."""
    return house(
        """\
        state:
          last-winner: {type: player, carried: true}
          best: {type: integer}
          prizes: {type: integer, carried: true, initial: 3}
        rules:
          scoring:
            rule: |
              for p in players, anticlockwise from dealer:
                  over of p becomes tricks of p - target of p
              best becomes highest over among players
              if number of players with the highest over = 1:
                  last-winner becomes only player in players with the highest over
                  prizes becomes prizes - 1
              for p in players with over >= 0:
                  if last-winner != none and p != last-winner:
                      score of last-winner becomes score of last-winner + over of p
                  score of p becomes score of p + (tricks of p div 3) - (tricks of p mod 2)
            assumes: a test
          end:
            rule: prizes = 0 or (some player has score > 12 and every player has tricks > 0) or best > 9
            assumes: a test
          winner: {rule: players with the highest score among players with over = best, assumes: a test}
          next-dealer: {rule: if last-winner = none then left of dealer else left of last-winner, assumes: a test}
        """
    )


def settled(ruleset: Ruleset) -> Settlement:
    return settlements(subject_of(ruleset), PlayOutcome.KNOWN_SIZE)[0]


@RUN
@pytest.mark.parametrize("name", slow_but(("pagat", "odd"), (*SETTLED, "odd")))
def test_agrees_with_the_interpreter(name: str) -> None:
    ruleset = odd() if name == "odd" else documented(name)
    settlement, rng = settled(ruleset), Random(1)
    hands = settlement.match()
    first = next(hands)
    second = next(hands)
    for _ in range(25):
        asked = SolverSession(ProofSession())
        asked.add(*first.facts, *second.facts, y.neg(first.ended), y.neg(first.broken))
        for trick in (*first.tricks, *second.tricks):
            low = SolverSession(ProofSession())
            low.add(*asked.solver.assertions())
            value = rng.randint(0, 16)
            if low.possible(trick == value) is Answer.YES:
                asked.add(trick == value)
        assert asked.model()
        _compare(settlement, asked, second)


def _compare(settlement: Settlement, asked: SolverSession, hand: object) -> None:
    """One hand of a model, run by the interpreter."""
    from trickproof.proofs.symbolic.hand_summary import Hand

    assert isinstance(hand, Hand)
    program = settlement.program
    begin = {key: asked.concrete(value) for key, value in hand.begin.items() if value is not y.OPAQUE}
    state = initial(program, parameters=settlement.parameters, variables=begin)
    state = interpret.run(state, program.rules["targets"].body or ())
    tricks = {("tricks", p): asked.number(trick) for p, trick in enumerate(hand.tricks)}
    state = state.but(variables=tricks)
    after = interpret.run(state, split(program)[1])
    assert (after.fault is not None) == asked.truth(hand.broken)
    if after.fault is None:
        assert after.match_over == asked.truth(hand.ended)
        for name in ("over", "score", "payout", "last-winner", "prizes"):
            for key in (key for key in after.variables if key[0] == name):
                assert asked.concrete(hand.after[key]) == after.variables[key], key
        if after.match_over:
            assert asked.concrete(hand.winners) == after.winners


@RUN
def test_dealer_that_depends_on_the_play() -> None:
    hands = settled(odd()).match()
    next(hands)
    assert isinstance(next(hands).begin[("dealer",)], y.Cases)


def test_what_cannot_be_encoded_is_told_with_its_place() -> None:
    body = rule("end", "some player has tricks-taken is empty")
    settlement = settled(house(body))
    with pytest.raises(NotEncodedError) as told:
        next(settlement.match())
    assert told.value.span.text.startswith("tricks-taken")
    with pytest.raises(NotEncodedError):
        next(settled(foreign("draw-two")).match())


@pytest.mark.parametrize("name", slow_but(("pagat",), ("pagat", "nine-five-two", "weaver-four")))
def test_construct_reaches_the_tricks(name: str) -> None:
    ruleset = documented(name)
    settlement = settled(ruleset)
    found = next(search(settlement, lambda hand: hand.ended))
    assert isinstance(found, Trace)
    goal = found.tricks[-1]
    hands = [construct(ruleset, settlement.parameters, {}, found.begin, goal) for _ in range(2)]
    assert hands[0] is not None
    assert hands[0].choices == hands[1].choices  # type: ignore[union-attr]
    assert tuple(hands[0].state.variable("tricks", p) for p in range(ruleset.program.players)) == goal
    assert hands[0].state.match_over


def test_impossible_tricks_are_not_constructed() -> None:
    ruleset = documented("pagat")
    assert construct(ruleset, {}, {}, {}, (16, 16, 16)) is None


def test_nothing_breaks_down_after_the_end_of_a_match() -> None:
    after = """
        if end:
            the match ends, won by players
        for p in players, clockwise from (only player in players with score > 0):
            payout of p becomes 1"""
    ruleset = house(rule("payout", after))
    hand = settled(ruleset).anywhere(0)
    asked = SolverSession(ProofSession())
    asked.add(*hand.facts)
    assert asked.possible(hand.broken) is Answer.YES
    assert asked.possible(hand.broken, hand.ended) is Answer.NO


FOLLOWED = {
    "set in the play": ("lead", "left of dealer", True),
    "set to what may be none, which leads to the first trick": (
        "lead",
        "if first-hand then left of dealer else whoever",
        True,
    ),
    "set to what may be none": ("trump", "whoever becomes left of dealer\nwhoever becomes another", False),
    "set to what is somebody by then": (
        "trump",
        "another becomes left of dealer\nwhoever becomes another",
        True,
    ),
    "set to the owner of what is read": (
        "trump",
        "whoever becomes another\nnumber-held becomes 2 * number of hand of whoever",
        True,
    ),
    "set to the owner of what is read in a branch": (
        "trump",
        "whoever becomes another\nif first-hand:\n    number-held becomes number of hand of whoever",
        False,
    ),
    "set to the owner of what may be read": (
        "trump",
        "whoever becomes another\nnumber-held becomes if first-hand then 0 else number of hand of whoever",
        False,
    ),
    "set in every branch": (
        "trump",
        "if first-hand:\n    whoever becomes right of dealer\nelse:\n    whoever becomes left of dealer",
        True,
    ),
    "set in a round from the next one on": (
        "trump",
        "whoever becomes left of dealer\nfor p in players:\n    whoever becomes another\n    another becomes none",
        False,
    ),
    "set by a choice of somebody or nobody": ("trump", "dealer chooses whoever from players or none", False),
    "set in a branch": ("trump", "if first-hand:\n    whoever becomes dealer", False),
    "set in a loop that may not come round": (
        "trump",
        "for p in players with over > 0:\n    whoever becomes p",
        False,
    ),
    "set again to none": ("trump", "whoever becomes dealer\nif first-hand:\n    whoever becomes none", False),
}
"""A rule, and whether what it sets is somebody at the end of the play."""


@pytest.mark.parametrize("name", FOLLOWED)
def test_what_is_somebody_after_the_play(name: str) -> None:
    which, text, something = FOLLOWED[name]
    state = "".join(f"  {name}: {{type: player, carried: true}}\n" for name in ("whoever", "another"))
    ruleset = house(f"state:\n{state}  number-held: {{type: integer}}\n" + rule(which, text))
    names = set_to_something(split(ruleset.program)[0])
    assert (("leader" if which == "lead" else "whoever") in names) == something


@pytest.mark.slow
@pytest.mark.parametrize(
    "amount", ["over of p + (if p = leader then 2 else -1)", "(if trump = spades then 2 else 1) * over of p"]
)
def test_stakes_that_depend_on_the_play_or_the_trump_suit_sum_to_zero(amount: str) -> None:
    text = f"for p in players:\n    payout of p becomes {amount}"
    (finding,) = found(house(rule("payout", text)), ["zero-sum"])
    assert finding.verdict.proved, finding.message


def test_a_match_goes_on_from_sets_as_the_interpreter_has_them() -> None:
    ruleset = house(
        """\
        state:
          band: {type: players, carried: true}
        rules:
          end: {rule: band = players with over > 0, assumes: a test}
        """
    )
    begun, settlement = initial(ruleset.program).variables, settled(ruleset)
    assert next(settlement.match(begun)).ended is not True
    following, _ = settlement.between(begun, again=False)
    assert isinstance(following["band",], y.Members)
