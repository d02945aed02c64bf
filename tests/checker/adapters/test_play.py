"""A play, action by action, is the match that `trickproof_dsl.playing` plays with the same deals and choices."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from budget import RUN
from checker.adapters.peer_rulesets import PATHS, QUICK, from_text, loaded, replaced
from trickproof.adapters.action_space import OutsideNumbersError, actions_of
from trickproof.adapters.game_state import CHANCE, NOBODY, Play, begin, terms
from trickproof.adapters.settings import RulesetError
from trickproof_dsl import Decision, State, core as c, play_match, random_player
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import Value

ID = "{0.stem}".format
HANDS = 3


def recorded(path: Path, seed: int) -> tuple[list[State], list[tuple[Decision, Value]]]:
    """A match of random players, with all their choices."""
    choices: list[tuple[Decision, Value]] = []
    ruleset = loaded(path)
    players = [random_player(seed + p) for p in range(ruleset.program.players)]

    def recording(state: State, decision: Decision) -> Value:
        choices.append((decision, players[decision.player](state, decision)))
        return choices[-1][1]

    hands = play_match(ruleset, [recording] * len(players), seed, most_hands=HANDS)
    return hands, choices


def replay(play: Play, choices: list[tuple[Decision, Value]]) -> list[State]:
    """The same choices as actions; the final states of all deals."""
    ends: list[State] = []
    for decision, choice in choices:
        assert play.decision.player == decision.player
        assert (play.decision.label, play.decision.legal) == (decision.label, decision.legal)
        before = play
        for action in as_actions(play, choice):
            play = play.after(action)
        if play.hands > before.hands:
            assert play.last is not None
            ends.append(play.last)
    return [*ends, play.state]


def as_actions(play: Play, choice: Value) -> list[int]:
    asked, actions = play.decision, play.terms.actions
    if asked.type != c.CARDS:
        return [actions.of_value(asked.type, choice)]
    done = [actions.done] if len(choice) < asked.high else []
    return sorted(choice) + done


def same(ours: State, theirs: State) -> None:
    """Everything except the order of cards in zones and what only our program reports."""
    assert [e for e in ours.events if not e.name.startswith("#")] == list(theirs.events)
    assert ours.variables == theirs.variables
    assert {k: {*v} for k, v in ours.zones.items()} == {k: {*v} for k, v in theirs.zones.items()}
    assert (ours.match_over, ours.winners) == (theirs.match_over, theirs.winners)
    assert (ours.fault and ours.fault.kind) == (theirs.fault and theirs.fault.kind)


def agree(path: Path, seed: int) -> None:
    hands, choices = recorded(path, seed)
    play = begin(terms(loaded(path), match=True, most_hands=HANDS, most_actions=10_000), seed)
    ends = replay(play, choices)
    assert len(ends) == len(hands)
    for ours, theirs in zip(ends, hands, strict=True):
        same(ours, theirs)


@pytest.mark.parametrize("path", QUICK, ids=ID)
def test_the_same_match_as_the_players_play(path: Path) -> None:
    agree(path, 1)


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=ID)
def test_the_same_match_for_every_ruleset(path: Path) -> None:
    if any(isinstance(x, c.ChooseCards) and x.blind for x in walk(loaded(path).program.hand)):
        pytest.skip("what is drawn blindly is drawn by chance here, anew")
    for seed in range(5):
        agree(path, seed)


def test_deals_given_card_by_card_are_the_deal() -> None:
    """Chance actions in the order of a seeded deal give the same deal as the seed."""
    made = terms(loaded(QUICK[0]))
    seeded, asked = begin(made, 5), begin(made)
    while asked.actor == CHANCE:
        target = next(p for p in (1, 2, 0) if not asked.state.cards("hand", p))
        wanted = [x for x in seeded.state.cards("hand", target) if x not in asked.picked]
        asked = asked.after(wanted[0])
    assert {k: {*v} for k, v in asked.state.zones.items()} == {k: {*v} for k, v in seeded.state.zones.items()}
    assert asked.state.variables == seeded.state.variables
    assert (asked.actor, asked.legal()) == (seeded.actor, seeded.legal())
    assert len(asked.history) == 48
    assert seeded.history == []


# ------------------------------------------------------------------------------------- sets, card by card


def sets_reached(play: Play) -> list[frozenset[int]]:
    """Every set that can be chosen, once for each path to it."""
    found: list[frozenset[int]] = []
    for action in play.legal():
        after = play.after(action)
        if after.state is play.state:
            found += sets_reached(after)
        else:
            found.append(frozenset(play.picked) | ({action} - {play.terms.actions.done}))
    return found


@pytest.mark.parametrize(("low", "high", "count"), [(0, 2, 1 + 5 + 10), (2, 2, 10), (1, 5, 31), (5, 5, 1)])
def test_each_set_has_one_path(low: int, high: int, count: int) -> None:
    play = begin(terms(loaded(QUICK[0])), 1)
    while play.decision.label != "discard":
        play = play.after(play.legal()[0])
    asked = replace(play.decision, legal=play.decision.legal[:5], low=low, high=high)
    sets = sets_reached(replace(play, state=play.state.but(decision=asked)))
    assert len(sets) == len(set(sets)) == count


def test_actions_are_named() -> None:
    actions = actions_of(loaded(QUICK[0]).program)
    assert actions.names[:3] == ("2C", "3C", "4C")
    assert actions.names[52:] == ("clubs", "diamonds", "hearts", "spades", "blindly", "done")


BIDDING = """
ruleset: bidding
title: Bids
extends: pagat
state:
  bid: {type: integer, of: player}
  ceiling: {type: integer, carried: true, initial: 3}
rules:
  targets:
    rule: |
      for p in players:
          p chooses bid of p from 1 to LIMIT
    assumes: a test
  between-hands:
    rule: |
      dealer becomes next-dealer
      first-hand becomes false
      ceiling becomes ceiling + 1
    assumes: a test
"""


def test_numbers_reach_as_far_as_the_rules_say() -> None:
    made = actions_of(from_text(BIDDING.replace("LIMIT", "13")).program)
    assert made.names[56:-2] == tuple(map(str, range(1, 14)))
    conditional = BIDDING.replace("LIMIT", "(if first-hand then 4 else 2 * 3)")
    assert actions_of(from_text(conditional).program).highest == 6


def test_numbers_that_grow_without_end_need_a_range() -> None:
    grows = from_text(BIDDING.replace("LIMIT", "ceiling"))
    assert (actions_of(grows.program).lowest, actions_of(grows.program).highest) == (0, 52)
    play = begin(terms(grows, numbers=(0, 2)), 1)
    with pytest.raises(OutsideNumbersError, match=r"say `numbers=\(lowest, highest\)`"):
        play.legal()


BLIND = """
ruleset: blind
title: Blind draws
extends: pagat
rules:
  kitty:
    rule: |
      left of dealer draws HOW of hand of dealer blindly
      left of dealer discards 1 card of hand
      dealer discards 3 cards of hand
      dealer picks-up kitty as picked-up
    assumes: a test
"""


@pytest.mark.parametrize(("how", "legal"), [("1 card", None), ("up to 2 cards", ["blindly", "done"])])
def test_blind_draws_are_chance(how: str, legal: list[str] | None) -> None:
    play = begin(terms(from_text(BLIND.replace("HOW", how))))
    while play.decision.label != "draw":
        play = play.after(play.legal()[0])
    if legal:
        assert [play.terms.actions.names[a] for a in play.legal()] == legal
        play = play.after(play.legal()[0])
    assert play.actor == CHANCE
    assert play.legal() == sorted(play.state.cards("hand", 0))
    drawn = play.after(play.legal()[7])
    if legal:
        assert drawn.actor == 1
        drawn = drawn.after(drawn.legal()[-1])
    assert play.legal()[7] in drawn.state.cards("hand", 1)


# ------------------------------------------------------------------------------------------ ends and returns


def played(play: Play, seed: int = 0) -> Play:
    chance = Random(seed)
    while play.actor != NOBODY:
        play = play.after(chance.choice(play.legal()))
    return play


def test_one_hand_is_worth_what_it_was_over() -> None:
    end = played(begin(terms(loaded(QUICK[0])), 3))
    assert end.over == "hand"
    assert end.returns() == tuple(end.state.variable("over", p) for p in range(3))
    assert end.legal() == []


def test_fewest_points_win_where_the_rules_say_so() -> None:
    end = played(begin(terms(loaded(QUICK[3])), 3))
    assert end.returns() == tuple(-end.state.variable("score", p) for p in range(4))
    assert sum(end.returns()) < 0


def test_winners_of_a_match_share() -> None:
    wins = replaced(QUICK[0], ("rule: some player has tricks >= 12", "rule: not first-hand"),
                    ("rule: players with tricks >= 12", "rule: players with tricks >= 6"))  # fmt: skip
    end = played(begin(terms(wins, match=True), 3))
    won = end.state.winners
    assert (end.over, end.hands) == ("match", 2)
    assert end.returns() == tuple(1 / len(won) if p in won else -1 / (3 - len(won)) for p in range(3))
    assert sum(played(begin(terms(wins, match=True, returns="difference"), 3)).returns()) == pytest.approx(0)
    points = played(begin(terms(wins, match=True, returns="points"), 3))
    assert points.last is not None
    assert points.returns() == tuple(
        points.last.variable("over", p) + points.state.variable("over", p) for p in range(3)
    )


def test_a_match_is_broken_off() -> None:
    end = played(begin(terms(loaded(QUICK[0]), match=True, most_hands=2), 3))
    assert (end.over, end.hands, end.returns()) == ("most hands", 2, (0, 0, 0))
    assert played(begin(terms(loaded(QUICK[0]), most_actions=7), 3)).over == "most actions"


@RUN
def test_rules_that_break_down_end_the_play() -> None:
    stuck = replaced(QUICK[0], ("rule: left of dealer\n    cites: [pagat-de.s9", "rule: only player in (dealer + left of dealer)\n    cites: [pagat-de.s9"))  # fmt: skip
    end = played(begin(terms(stuck), 3))
    assert end.over == "not-single"
    assert end.returns() == (0, 0, 0)


# ----------------------------------------------------------------------------------------- wrong names


def test_no_such_ruleset() -> None:
    with pytest.raises(RulesetError, match=r"no ruleset `paget`\n.*did you mean `pagat`"):
        terms("paget")
    with pytest.raises(RulesetError, match="E001"):
        terms(Path("nowhere.yaml"))


def test_a_wrong_ruleset_tells_its_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(
        "ruleset: wrong\ntitle: Wrong\nextends: pagat\nrules:\n  lead: {rule: lef of dealer, assumes: x}\n"
    )
    with pytest.raises(RulesetError, match=r"error\[E\d+\].*\n.*wrong\.yaml:5"):
        terms(path)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"parameters": {"gaol": 10}}, "no parameter `gaol`; did you mean `goal`"),
        ({"parameters": {"goal": 11}}, "parameter `goal` is one of 10, 20, not 11"),
        ({"readings": {"goal": 0}}, "no rule with readings `goal`"),
        ({"returns": "score"}, "returns are one of winners, points, difference, not `score`"),
        ({"match": True, "most_hands": 0}, "at least 1"),
        ({"numbers": (3, 1)}, "in this order"),
    ],
)
def test_wrong_choices(choices: dict[str, object], message: str) -> None:
    with pytest.raises(RulesetError, match=message):
        terms(loaded("nine-five-two"), **choices)  # type: ignore[arg-type]
