"""Nobody is shown what they cannot know, and the test detects rulesets that show it.

Law: two plays that are the same except for two cards the player has not seen look the same to the player.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from budget import RUN
from checker.adapters.hidden import Observer, look_for_leaks, random_steps, views
from checker.adapters.peer_rulesets import PATHS, QUICK, ROOT, from_text, loaded, replaced
from trickproof.adapters.game_state import Play, terms
from trickproof.adapters.information_state import Witnesses, listed
from trickproof.analysis.information_flow import open_zones, public_variables

ID = "{0.stem}".format


@pytest.mark.parametrize("path", [QUICK[0], QUICK[3]], ids=ID)
def test_unseen_cards_can_change_places(path: Path) -> None:
    found = look_for_leaks(terms(loaded(path)), seeds=range(1), moments=1, pairs=2, most=50)
    assert found.leaks == []
    assert found.compared >= 10


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=ID)
def test_unseen_cards_can_change_places_in_every_ruleset(path: Path) -> None:
    for choices in ({}, {"match": True, "most_hands": 3}):
        found = look_for_leaks(terms(loaded(path), **choices), seeds=range(3), moments=5, most=200)  # type: ignore[arg-type]
        assert found.leaks == []
        assert found.compared


def in_openspiel(path: Path) -> tuple[Observer, Play]:
    """What OpenSpiel shows: both strings, the tensor, and the legal actions."""
    openspiel = pytest.importorskip("trickproof.adapters.openspiel", exc_type=ImportError)
    game = openspiel.game(path)

    def observe(play: Play, player: int) -> object:
        state = game.new_initial_state()
        state.play = openspiel.Written(play, game.written)
        tensor = tuple(state.observation_tensor(player))
        texts = state.information_state_string(player), state.observation_string(player)
        return texts, tensor, tuple(state.legal_actions(player)) if state.current_player() == player else ()

    return observe, game.beginning


def in_pettingzoo(path: Path) -> tuple[Observer, Play]:
    """What PettingZoo shows: the observation with its mask."""
    pettingzoo = pytest.importorskip("trickproof.adapters.pettingzoo", exc_type=ImportError)
    env = pettingzoo.env(path).unwrapped

    def observe(play: Play, player: int) -> object:
        env.play = play
        seen = env.observe(env.possible_agents[player])
        return seen["observation"].tobytes(), seen["action_mask"].tobytes()

    env.reset(seed=0)
    return observe, env.play


@pytest.mark.parametrize("adapter", [in_openspiel, in_pettingzoo])
def test_the_adapters_hand_out_no_more(adapter: object) -> None:
    observe, _ = adapter(QUICK[0])  # type: ignore[operator]
    found = look_for_leaks(
        terms(loaded(QUICK[0])), observe=observe, seeds=range(1), moments=1, pairs=1, most=50
    )
    assert found.leaks == []
    assert found.compared >= 10


# --------------------------------------------------------------------------------------- leaks are found


def test_an_observer_that_shows_all_hands_is_found() -> None:
    def leaking(play: Play, player: int) -> object:
        return play.state.zones

    assert look_for_leaks(terms(loaded(QUICK[0])), observe=leaking, seeds=range(1), moments=1, most=50).leaks


def test_an_observer_that_remembers_what_others_gave_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if everybody saw the cards passed from hand to hand."""
    honest = Witnesses.sees
    monkeypatch.setattr(Witnesses, "sees", lambda self, p, zone: zone[0] == "hand" or honest(self, p, zone))
    assert look_for_leaks(terms(loaded(QUICK[3])), seeds=range(1), moments=3, most=40).leaks


@RUN
def test_an_observer_that_shows_private_variables_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from trickproof.adapters import observations as view

    monkeypatch.setattr(view, "public_variables", lambda program: tuple(program.variables))
    assert look_for_leaks(terms(loaded(QUICK[3])), seeds=range(1), moments=3, most=40).leaks


def test_a_ruleset_that_shows_hands_is_found() -> None:
    """Judged by what the sound ruleset declares as visible."""
    sound = loaded(QUICK[0])
    shown = replaced(
        QUICK[0], ("rules:\n  deal:", "zones:\n  hand: {of: player, seen-by: everyone}\n\nrules:\n  deal:")
    )
    found = look_for_leaks(terms(shown), sound.program, seeds=range(1), moments=1, most=50)
    assert found.leaks


def test_what_is_asked_of_another_is_not_shown() -> None:
    """Only the holder of the jack of trumps is asked whether to exchange it: being asked would give it away."""
    made = terms(loaded(QUICK[2]))
    observe = views(made)
    asked = []
    for seed in range(6):
        steps, _ = random_steps(made, Random(seed), 30)
        asked += [step.play for step in steps if step.play.decision.label == "exchanges"]
    assert asked
    for play in asked:
        assert "exchanges" not in str(observe(play, 1 - play.actor)).rpartition("others choose")[2]
        assert "you have to exchanges" in str(observe(play, play.actor))


# ----------------------------------------------------------------------------------- what is remembered


@pytest.mark.parametrize("path", [QUICK[0], QUICK[3]], ids=ID)
def test_nothing_is_forgotten(path: Path) -> None:
    """What a player has been shown stays known, and players know their own choices."""
    steps, _ = random_steps(terms(loaded(path)), Random(3), 60)
    told: dict[int, list[str]] = {}
    for step in steps:
        for player in range(step.play.terms.program.players):
            now = listed(step.play.known.logs[player])
            assert now[: len(told.get(player, []))] == told.get(player, [])
            told[player] = now
    players = {step.play.actor for step in steps if step.play.actor >= 0}
    assert players
    for player in players:
        own = sum(step.play.actor == player for step in steps)
        heard = sum(text.startswith("you chose ") for text in told[player])
        assert own - 1 <= heard <= own


def test_given_cards_are_known_where_they_were_given() -> None:
    """Only the giver and the receiver know that the three cards passed to the left are in that hand."""
    made = terms(loaded(QUICK[3]))
    steps, _ = random_steps(made, Random(1), 200)
    first_play = next(step.play for step in steps if step.play.decision.label == "play")
    codes = made.program.deck.cards
    for giver in range(4):
        (chose,) = (t for t in listed(first_play.known.logs[giver]) if t.startswith("you chose pass"))
        given = {codes.index(code) for code in chose.removeprefix("you chose pass ").split()}
        taker = next(
            z[1] for z, cards in first_play.state.zones.items() if z[0] == "hand" and given <= {*cards}
        )
        for player in range(4):
            known = {
                card for card, place in first_play.known.places[player].items() if place == ("hand", taker)
            }
            assert given <= known if player in (giver, taker) else not given & known


def test_choices_made_at_once_are_heard_when_all_are_made() -> None:
    made = terms(ROOT / "tests/cases/rulesets/lowest-takes.yaml")
    steps, _ = random_steps(made, Random(1), 20)
    passes = [step.play for step in steps if step.play.decision.label == "pass"]
    assert len(passes) == 4
    for play in passes:
        for player in range(4):
            heard = listed(play.known.logs[player])
            assert not [text for text in heard if "chose pass" in text and not text.startswith("you ")]


def test_public_variables() -> None:
    """What follows from hidden cards is not public; who begins because of a card is, since everybody sees who begins."""
    pagat = loaded(QUICK[0]).program
    public = public_variables(pagat)
    assert {"trump", "tricks", "over", "played", "leader"} <= {*public}
    assert not {"gift", "returned", "picked-up"} & {*public}
    assert open_zones(pagat) == {"trick", "tricks-taken"}
    shown = replace(pagat, zones={**pagat.zones, "hand": replace(pagat.zones["hand"], seen_by="everyone")})
    assert {"gift", "returned"} <= {*public_variables(shown)}


def test_who_leads_for_a_hidden_card_is_public() -> None:
    changed = replaced(QUICK[0], ("    rule: left of dealer\n    cites: [pagat-de.s9, pagat-de.s26, pagat-de.s27]",
                                  "    rule: only player in players with 2C in hand\n    assumes: a test"))  # fmt: skip
    assert {"leader", "played", "tricks"} <= {*public_variables(changed.program)}
    early = replaced(QUICK[0], ("      target of dealer becomes 8",
                                "      leader becomes only player in players with 2C in (hand + kitty)\n      target of dealer becomes 8"))  # fmt: skip
    assert "leader" not in public_variables(early.program)


COUNTS = """
ruleset: counts
title: Counts what is hidden
extends: pagat
state:
  kings: {type: integer, of: player, carried: CARRIED}
rules:
  scoring:
    rule: |
      for p in players:
          over of p becomes tricks of p - target of p
      if AS in discards:
          kings of dealer becomes 1
      TOLD
    assumes: a test
"""


@pytest.mark.parametrize(
    ("carried", "told", "public"),
    [
        ("false", "nothing happens", True),
        ("true", "nothing happens", False),
        ("true", "announce x: kings kings", True),
    ],
)
def test_what_is_counted_in_secret_is_public_when_it_is_announced(
    carried: str, told: str, public: bool
) -> None:
    """Or when no choice follows: what is not carried ends with the deal."""
    ruleset = from_text(COUNTS.replace("CARRIED", carried).replace("TOLD", told))
    assert ("kings" in public_variables(ruleset.program)) is public
