"""Effects under several policies: which depend on how well people play, and what too few matches do not tell."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import LIBRARY, beside_bundled, documented, house, rule
from trickproof.checking.finding import Finding
from trickproof.checking.proof_session import ProofSession
from trickproof.checking.verdict import Method, Verdict
from trickproof.simulate.ir.calling_convention import LLVM, PYTHON
from trickproof.simulate.options import ChoiceError
from trickproof.support.confidence_intervals import Estimate
from trickproof.validate import validation
from trickproof.validate.effects_on_play import Effects, Measure, chosen_policies, effects, parting
from trickproof.validate.validation import Plan, Validation, _effects, _fault_in_play, validate


def shown(policy: str, **differences: tuple[float, float]) -> Effects:
    """What a policy shows of tricks, by the word of a seat."""
    measures = []
    for seat, (low, high) in enumerate(differences.values()):
        difference = Estimate((low + high) / 2, low, high)
        measures.append(Measure("tricks", seat, Estimate(5, 4.9, 5.1), Estimate(5, 4.9, 5.1), difference))
    return Effects(policy, 0, None, None, tuple(measures))


@pytest.mark.parametrize(
    ("other", "parts"),
    [((0.13, 0.25), True), ((0.01, 0.2), False), ((-0.2, 0.0), False), ((-0.3, -0.1), True)],
)
def test_what_depends_on_how_well_people_play(other: tuple[float, float], parts: bool) -> None:
    """Where intervals of differences have nothing in common."""
    two = [shown("random", dealer=(-0.03, 0.04), left=(0, 1)), shown("search:50", dealer=other, left=(0, 1))]
    assert [(x.name, x.seat) for x in parting(two)] == ([("tricks", 0)] if parts else [])
    assert parting(two[:1]) == []


def test_what_may_be_chance_among_many_figures_does_not_depend_on_how_well_people_play() -> None:
    """Two intervals that are just apart: enough for one figure, not for one of ten."""
    assert Estimate(3.6, 0.5, 6.8).among(1).low == pytest.approx(0.5)
    assert Estimate(3.6, 0.5, 6.8).among(10).low < 0
    others = {f"other{i}": (-1.0, 1.0) for i in range(9)}
    for more, parts in ({}, 1), (others, 0):
        two = [shown("random", dealer=(0.5, 6.8), **more), shown("greedy", dealer=(-0.1, 0.1), **more)]
        assert len(parting(two)) == parts


def test_what_never_differed_in_the_deals_played_shows_no_dependence() -> None:
    assert not parting([shown("random", dealer=(0.5, 6.8)), shown("search:50", dealer=(0.0, 0.0))])


@pytest.mark.parametrize(
    ("backend", "policies"), [(LLVM, ("random", "greedy", "search:50")), (PYTHON, ("random", "greedy"))]
)
def test_good_play_is_among_the_policies_where_there_is_machine_code(
    backend: str, policies: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trickproof.validate.effects_on_play.best_backend", lambda: backend)
    assert chosen_policies(None) == policies


@pytest.mark.parametrize(
    ("text", "policies"),
    [
        ("none", []),
        ("greedy, random,greedy", ["greedy", "random"]),
        ("dealer=greedy,left=search:5", ["dealer=greedy,left=search:5"]),
        (
            "random,dealer=greedy,dealer = search:5, left=random",
            ["random", "dealer=greedy", "dealer = search:5,left=random"],
        ),
    ],
)
def test_policies_by_seat(text: str, policies: list[str]) -> None:
    """They are written as for `simulate`; a seat that is named again begins the next."""
    assert chosen_policies(text, [3, 4]) == tuple(policies)


@pytest.mark.parametrize("text", ["nobody=greedy", "random,dealer=best", "", "random,none"])
def test_policies_that_are_none(text: str) -> None:
    with pytest.raises(ChoiceError, match=r"no (seat|policy)"):
        chosen_policies(text, [3])


def test_players_of_several_policies() -> None:
    """The effects are named by all seats, and nothing is played if the seats are not the same."""
    base = documented("pagat")
    played = effects(base, documented("nine-five-two"), "left=greedy", hands=60)
    assert (played.policy, played.base is None) == ("dealer=random,left=greedy,right=random", False)
    assert played.base != effects(base, documented("nine-five-two"), hands=60).base
    unlike = effects(base, documented("weaver-four"), "left=greedy", hands=60)
    assert (unlike.base, unlike.note) == (None, "not played: the number of players differs")


def test_few_matches_tell_nothing_of_matches() -> None:
    """Deals a match and matches won are left out, and the note says why."""
    few = effects(documented("pagat"), documented("nine-five-two"), hands=60)
    assert few.base is not None
    assert few.base.counts.matches < 10
    assert few.note is not None
    assert "too few matches ended" in few.note or "no match" in few.note
    assert not {"deals-per-match", "matches-won"} & {x.name for x in few.telling}


def test_how_far_a_policy_is_and_how_to_skip_it_is_told_from_the_start() -> None:
    flaw = Finding("hand-size", Verdict.REFUTED, Method.SMT, "Dealer starts the play with 20 cards")
    base, house = documented("pagat"), documented("nine-five-two")
    told: list[str] = []
    plan = Plan(60, 0, 1, (), ("greedy",))
    assert len([*_effects(Validation(house, base, (flaw,), (flaw,)), base, plan, False, told.append)]) == 1
    skip = "`--effects none` skips it"
    assert told[:2] == ["play by greedy", f"play by greedy: 0%; {skip}"]
    assert told[-1] == f"play by greedy: 100%; {skip}"


def test_shared_wins_are_said() -> None:
    """Shares of matches won then sum to more than one."""
    lowest = rule("end", "some player has tricks >= 5") + rule(
        "winner", "players with tricks >= 5"
    ).removeprefix("rules:\n")
    shared = effects(documented("pagat"), house(lowest), hands=600)
    assert shared.house is not None
    several = sum(shared.house.counts.winners()[2:])
    assert several
    assert shared.note is not None
    assert f"several players shared the win in {several:,} of " in shared.note
    assert "of the base" not in shared.note


def test_long_matches_of_a_house_rule_are_bounded() -> None:
    """A match that hardly ever ends is given up, and all of them together take a few times the deals of the base."""
    late = house(rule("end", "some player has tricks >= 14"))
    long = effects(documented("pagat"), late, hands=600)
    assert long.base is not None
    assert long.house is not None
    assert 0 < long.house.hands <= 3_000
    assert long.note is not None
    assert "after 200 deals, so there are no figures per match" in long.note
    assert "too few" not in long.note
    assert not {"deals-per-match", "matches-won"} & {x.name for x in long.telling}


AUCTION = """\
ruleset: auction
title: Auction
players: {number: 3, assumes: ours}
deck: {ranks: 9 T J Q K A, suits: C D, assumes: ours}
state:
  passed: {type: boolean, of: player}
  declarer: {type: player}
  highest-bid: {type: integer}
  bid: {type: integer, of: player}
rules:
  deal:
    rule: |
      for p in players, clockwise from left of dealer:
          deal 4 cards to hand of p
    assumes: ours
  targets:
    rule: |
      repeat until number of (players with passed) >= 2 or every player has passed, at most ROUNDS times:
          for q in players with (not passed and player != declarer):
              q chooses bid of q from 0 to 4 with (bid of q = 0 or bid of q > highest-bid)
              if bid of q = 0:
                  passed of q becomes true
              else:
                  highest-bid becomes bid of q
                  declarer becomes q
    assumes: ours
  lead: {rule: left of dealer, assumes: ours}
  follow: {rule: hand, assumes: ours}
  trick-winner: {rule: players with the highest rank of played among players with suit of played = led, assumes: ours}
  scoring:
    rule: |
      for p in players:
          score of p becomes score of p + tricks of p
    assumes: ours
  end: {rule: some player has score >= 12, assumes: ours}
  winner: {rule: players with the highest score, assumes: ours}
  next-dealer: {rule: left of dealer, assumes: ours}
"""


@pytest.mark.slow
def test_what_is_known_is_shown_if_the_deals_are_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of rules that may yet fail in a deal, of which nothing is shown before."""

    def interrupted(*given: object) -> list[Effects]:
        raise KeyboardInterrupt

    monkeypatch.setattr(validation, "_effects", interrupted)
    monkeypatch.setattr(validation, "FAULTS", "examples-agree")
    shown: list[Validation] = []
    with pytest.raises(KeyboardInterrupt):
        validate(
            LIBRARY,
            house(rule("next-dealer", "right of dealer")),
            Plan(9, 0, 1, ("random",)),
            show=shown.append,
        )
    (judged,) = shown
    assert judged.accepted
    assert judged.diff is not None


@pytest.mark.slow
def test_a_rule_that_fails_in_the_deals_played_for_its_effects_is_not_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where a third round of bidding is needed: the check finds such a deal among enough others, and does not decide without one."""
    base = beside_bundled(AUCTION.replace("ROUNDS", "7"))
    short = beside_bundled(AUCTION.replace("ROUNDS", "2"))
    played = [effects(base, short, "random")]
    assert played[0].house is not None
    assert played[0].house.broken
    session = ProofSession()
    before = Finding("no-fault", Verdict.TESTED, Method.SIMULATION, "")
    accepted = Validation(short, base, (before,), ())
    found = _fault_in_play(accepted, played, session)
    assert found is not None
    assert found.verdict is Verdict.REFUTED
    assert found.witness
    assert _fault_in_play(accepted, [effects(base, base, "random")], session) is None
    monkeypatch.setattr(validation, "MOST_TRIED", 1)
    seldom = _fault_in_play(accepted, played, session)
    assert seldom is not None
    assert seldom.verdict is Verdict.UNDECIDED
    assert seldom.message == "rules failed in deals played by random, and in none of 1 that were checked"
