"""Play in the terminal: what is shown and hidden, what is typed, why a move is refused, a match kept and gone on with."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from budget import RUN
from checker.cli.console import run
from checker.rulesets_for_tests import documented, foreign, house, rule
from checker.vectors.test_vectors import ALL, RULESETS, ids, loaded
from trickproof.analysis.information_flow import public_variables
from trickproof.play.display import View
from trickproof.play.input import NotUnderstoodError, read_choice
from trickproof.play.opponents import Opponents
from trickproof.play.saved_match import Match, MatchError, Setting, load_match
from trickproof.play.session import Outcome, Session
from trickproof.reports.text import Page
from trickproof.search.interpreted_player import Option
from trickproof.simulate.api import simulate
from trickproof.support.terminal import Terminal
from trickproof.testing.greedy_player import greedy_player
from trickproof_dsl import core as c
from trickproof_dsl.library import Ruleset
from trickproof_dsl.playing import visible
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import Value

PAGE = Page(Terminal(columns=lambda: 80))
LETTERS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}


def begun(ruleset: Ruleset, seat: int = 0, seed: int = 3) -> Match:
    return Match(ruleset, Setting(seat, "greedy", seed, {}, {}))


def played(
    match: Match, typed: Iterator[str], path: Path | None = None, hands: int | None = None
) -> tuple[Outcome, list[str]]:
    """A session with what is typed; how it ended, and what was shown."""
    lines: list[str] = []
    session = Session(match, PAGE, lines.append, lambda: next(typed, None), path, hands)
    return session.play(), lines


def numbers(match: Match, seed: int) -> Iterator[str]:
    """Any options, by their numbers."""
    rng = Random(seed)
    while True:
        decision = match.now.decision
        assert decision is not None
        if decision.type == c.CARDS:
            count = rng.randint(decision.low, decision.high)
            picked = rng.sample(range(1, len(decision.legal) + 1), count)
            yield " ".join(map(str, picked)) or "none"
        elif decision.type == c.INTEGER:
            yield str(rng.choice(decision.legal))
        else:
            yield str(rng.randint(1, len(decision.legal)))


@pytest.mark.parametrize("name", ["weaver-four", "draw-two", "forty-in-pairs", "discard-before-deal-ends"])
def test_rulesets_can_be_played(name: str) -> None:
    ruleset, _ = ALL.load(name)
    assert ruleset is not None
    can_be_played(ruleset)


@pytest.mark.slow
@pytest.mark.parametrize("path", RULESETS, ids=ids)
def test_every_ruleset_can_be_played(path: Path) -> None:
    can_be_played(loaded(path))


def can_be_played(ruleset: Ruleset) -> None:
    """Two hands, by numbers of the list; lines fit the terminal."""
    match = begun(ruleset, seat=1)
    outcome, lines = played(match, numbers(match, 1), hands=2)
    assert outcome in (Outcome.ENOUGH, Outcome.OVER, Outcome.BROKEN)
    assert (match.now.fault is not None) == (outcome is Outcome.BROKEN)
    assert max(len(line) for line in lines) <= 80


def test_a_refusal_cites_the_rule() -> None:
    match = begun(documented("pagat"))
    outcome, lines = played(match, iter(["clubs", "2h 9h 3s 5s", "qh", "as", "8d 4d", "xy", "8d", "quit"]))
    told = "\n".join(lines)
    assert outcome is Outcome.LEFT
    assert (
        "Illegal: you must follow suit (diamonds)\n  rule follow: A player who follows may play any card in hand that follows"
        in told
    )
    assert "    pagat-de.s28: A player holding the suit led has to follow suit." in told
    assert "Illegal: you do not hold A♠" in told
    assert "Illegal: play 1 card, not 2" in told
    assert "`xy` is not a card" in told
    assert "- you pick up K♦ Q♦ 8♥ 8♠" in told


def test_what_is_assumed_is_told_with_a_refusal() -> None:
    text = rule(
        "may-lead", "if some card in hand has suit != trump then cards in hand with suit != trump else hand"
    )
    match = begun(house(text), seat=1)
    played(match, iter([]))
    state, deck = match.now, match.ruleset.program.deck
    trump = next(x for x in state.zones[("hand", 1)] if deck.card_suit[x] == state.variables[("trump",)])
    outcome, lines = played(match, iter([deck.cards[trump]]))
    assert outcome is Outcome.LEFT
    assert f"Illegal: you may not play {View(match.ruleset, 1, PAGE).card(trump)}" in lines
    assert "    assumed: a fault" in lines


def test_what_is_announced_of_nobody_and_no_card_is_told() -> None:
    """Though it has the name of what players do."""
    text = """
        dealer chooses trump
        announce play: player boss, card called
        announce trick: player boss, winner boss, cards trick
        announce discard: player boss, card called
    """
    declared = "state:\n  boss: {type: player}\n  called: {type: card}\n"
    match = begun(house(declared + rule("trump", text)))
    _, lines = played(match, iter(("1",)))
    told = [line for line in lines if ": player none" in line]
    assert [line.partition(":")[0].strip("- ") for line in told] == ["play", "trick", "discard"]


def cards_in(lines: list[str]) -> set[str]:
    """The cards that lines name, one by one as `10♥` or in a picture as `♥ K 10`, in two characters."""
    cards = set()
    for line in lines:
        suit = ""
        for word in re.findall(
            r"10|[\w]+|[♣♦♥♠]| {2,}|[^\w ]", re.sub(r"(10|[2-9JQKA])([♣♦♥♠])", r"\2 \1  ", line)
        ):
            if word in LETTERS:
                suit = LETTERS[word]
            elif suit and re.fullmatch("10|[2-9JQKA]", word):
                cards.add(("T" if word == "10" else word) + suit)
            else:
                suit = ""
    return cards


def test_cards_are_found_in_lines() -> None:
    lines = ["  you hold  ♣ K 10  ♦ A (trump)", "1 Q♥   2 10♠", "discard 4 cards", "tricks 7"]
    assert cards_in(lines) == {"KC", "TC", "AD", "QH", "TS"}


def test_hidden_cards_are_not_shown() -> None:
    """No card that the player cannot see is in a line before it is played."""
    match = begun(documented("pagat"), seat=1)
    deck = match.ruleset.program.deck.cards
    shown: list[str] = []

    def ask() -> str | None:
        decision = match.now.decision
        assert decision is not None
        open_ = {deck[x] for cards in visible(match.now, 1).values() for x in cards}
        now = cards_in(shown)
        gone = {deck[x] for p in range(3) for x in match.now.zones[("tricks-taken", p)]}
        moved = {
            card
            for move in match.moves
            if move is not None and move["player"] == 1
            for card in move.get("cards", ())
        }
        returned = {
            deck[x]
            for e in match.now.events
            if e.name in ("return", "give", "show")
            for k, _, v in e.fields
            if k == "cards"
            for x in v
        }
        assert now <= open_ | gone | moved | returned
        assert open_ & now
        shown.clear()
        return (
            deck[decision.legal[0]]
            if decision.single
            else " ".join(deck[x] for x in decision.legal[: decision.low])
        )

    session = Session(match, PAGE, shown.append, ask, None, 1)
    assert session.play() is Outcome.ENOUGH


def shown_of_a_hand(*then: str) -> list[str]:
    """What stands in the pictures of a deal about cards that a player has shown, before something else happens."""
    clubs = "left of dealer shows cards in hand of left of dealer with suit = clubs to everyone"
    steps = [
        clubs,
        *then,
        "dealer discards 4 cards of hand",
        "dealer picks-up kitty as picked-up",
        "do reveal",
    ]
    match = begun(house(rule("kitty", "\n".join(steps))), seat=0, seed=4)
    _, lines = played(match, numbers(match, 2), hands=1)
    assert sum(" to everyone" in line for line in lines) == 1
    assert not any("looks at" in line for line in lines)
    return [line for line in lines if line.startswith("  shown by ")]


def test_cards_that_were_shown_stay_in_the_picture_while_they_are_held() -> None:
    held = [cards_in([line]) for line in shown_of_a_hand()]
    assert len(held) > 3
    assert all(now <= before for before, now in pairwise(held))
    assert held[-1] < held[0]


def test_a_hand_that_gives_unseen_cards_is_forgotten() -> None:
    assert shown_of_a_hand("left of dealer discards 1 card of hand") == []


def test_variables_that_tell_of_hidden_cards_are_not_shown() -> None:
    text = """
    state:
      aces: {type: integer}
      led-so-far: {type: integer}
    rules:
      targets:
        rule: |
          target of dealer becomes 8
          target of left of dealer becomes 5
          target of right of dealer becomes 3
          aces becomes number of (cards in hand of dealer with rank = ace)
          if aces > 1:
              led-so-far becomes 1
        assumes: a test
      after-trick:
        rule: led-so-far becomes led-so-far + 1
        assumes: a test
    """
    public = {*public_variables(house(text).program)}
    assert not {"aces", "led-so-far"} & public
    assert {"tricks", "target", "trump", "dealer", "over"} <= public


def test_simultaneous_choices_are_told_afterwards() -> None:
    match = begun(foreign("lowest-takes"), seat=3)
    _, lines = played(match, numbers(match, 2), hands=1)
    at = next(i for i, line in enumerate(lines) if line.startswith("pass "))
    assert not any(line.startswith("- ") and " pass" in line for line in lines[:at])
    assert any(line.startswith("- ") and " 3 cards to " in line for line in lines[at:])


# ---------------------------------------------------------------------------------------------- what is typed


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("as ks", "AS KS"),
        ("AS, KS", "AS KS"),
        ("A♠ 10c", "AS TC"),
        ("sa", "AS"),
        ("1 2", "2C 3C"),
        ("none", ""),
        ("-", ""),
    ],
)
def test_cards_are_understood(text: str, cards: str) -> None:
    match = begun(documented("pagat"))
    played(match, iter(["clubs"]))
    decision = match.now.decision
    assert decision is not None
    deck = match.ruleset.program.deck.cards
    choice = read_choice(match.ruleset.program, decision, list(range(len(deck))), text)
    assert choice == {deck.index(card) for card in cards.split()}


@pytest.mark.parametrize("text", ["", "zz", "99", "as as", "0", "as ks what"])
def test_other_words_are_not(text: str) -> None:
    match = begun(documented("pagat"))
    played(match, iter(["clubs"]))
    decision = match.now.decision
    assert decision is not None
    with pytest.raises(NotUnderstoodError):
        read_choice(match.ruleset.program, decision, decision.legal, text)


@pytest.mark.parametrize("text", ["spades", "S", "s", "sp", "4"])
def test_suits_are_understood(text: str) -> None:
    match = begun(documented("pagat"))
    decision = match.now.decision
    assert decision is not None
    assert read_choice(match.ruleset.program, decision, decision.legal, text) == 3


# --------------------------------------------------------------------------------------------- a match kept


@RUN
def test_a_match_is_gone_on_with(tmp_path: Path) -> None:
    """Left after any number of choices and taken up again, it goes as if it had never been left."""
    ruleset, path = documented("pagat"), tmp_path / "m.json"
    whole = begun(ruleset)
    played(whole, numbers(whole, 1), hands=3)
    match = begun(ruleset)
    typed = numbers(match, 1)
    for _ in range(12):
        few = (next(typed) for _ in range(3))
        assert played(match, few, path)[0] is Outcome.LEFT
        again = load_match(path, ruleset)
        assert again is not None
        assert (again.moves, again.setting) == (match.moves, match.setting)
        assert again.now.events == match.now.events
    assert len(match.moves) > 60
    assert match.moves == whole.moves[: len(match.moves)]


def test_undo() -> None:
    match = begun(documented("pagat"))
    assert not match.undo()
    played(match, iter(["clubs", "2h 9h 3s 5s"]))
    before = len(match.moves)
    _, lines = played(match, iter(["undo", "undo", "undo"]))
    assert "there is nothing to undo" in lines
    assert (len(match.moves), before > 2) == (0, True)


def test_files_of_other_matches_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    begun(documented("pagat")).save(path)
    with pytest.raises(MatchError, match="is a match of `pagat`, not of `gamerules`"):
        load_match(path, documented("gamerules"))
    told = json.loads(path.read_text())
    cases: list[tuple[Callable[[dict[str, object]], object], str]] = [
        (lambda x: x.update(core="0"), "under other rules of `pagat`"),
        (lambda x: x.update(form=0), "is not a saved match"),
        (lambda x: x.update(form=True), "is not a saved match"),
        (lambda x: x.update(form=2), "was written by a newer trickproof"),
        (lambda x: x.update(seed=1.5), "its moves cannot be played"),
        (lambda x: x.update(seat=[]), "its moves cannot be played"),
        (lambda x: x.update(readings=[1]), "its moves cannot be played"),
        (lambda x: x.update(seat=7), "its moves cannot be played"),
        (lambda x: x.update(moves=[{"player": 1}]), "its moves cannot be played"),
        (lambda x: x.update(moves=[None]), "its moves cannot be played"),
        (lambda x: x.pop("seed"), "its moves cannot be played"),
        (lambda x: x.update(params={"goal": 3}), "its moves cannot be played"),
        (lambda x: x.update(policy="bold"), "its moves cannot be played"),
    ]
    for change, says in cases:
        changed = dict(told)
        change(changed)
        path.write_text(json.dumps(changed))
        with pytest.raises(MatchError, match=says):
            load_match(path, documented("pagat"))
    path.write_text("[")
    with pytest.raises(MatchError, match="is not a saved match"):
        load_match(path, documented("pagat"))
    assert load_match(tmp_path / "none.json", documented("pagat")) is None


# -------------------------------------------------------------------------------------------- the others


@pytest.mark.parametrize("name", ["pagat", "trumpet-major", "whist"])
def test_greedy_players_are_the_simulators_greedy_policy(name: str) -> None:
    """Nothing is left to chance in these games, so that the counts are the same to the last trick."""
    ruleset = documented(name)
    counts = [
        simulate(ruleset, hands=40, policies=[policy], seed=2).counts
        for policy in ("greedy", greedy_player())
    ]
    assert [counts[0].tricks(p) for p in range(3)] == [counts[1].tricks(p) for p in range(3)]


def test_trumps_are_marked() -> None:
    match = begun(documented("pagat"))
    played(match, iter(["clubs"]))
    lines = list(View(match.ruleset, 0, PAGE).hand(match.now))
    assert lines == ["  you hold  ♣ K 8 3 2 (trump)  ♦ 10 9 8 7 4  ♥ Q J 9 2  ♠ 10 5 3"]


@RUN
def test_opponents_who_search_go_on_alike_after_a_rest(tmp_path: Path) -> None:
    """The record of a hand is made anew from the file; a hint tells every option, and is the same."""
    ruleset = documented("pagat")
    setting = Setting(0, "left=search:4,right=greedy", 3, {}, {})

    def typed(*first: str) -> Iterator[str]:
        yield from first
        yield from ("1", "1 2 3 4", "1", "1")
        yield "hint"

    whole, lines = played(Match(ruleset, setting), typed())
    path = tmp_path / "match.json"
    played(Match(ruleset, setting), iter(("1", "1 2 3 4", "1")), path)
    match = load_match(path, ruleset)
    assert match is not None
    again, resumed = played(match, iter(("1", "hint")))
    assert whole == again == Outcome.LEFT
    hint = [line for line in lines if "±" in line]
    assert hint
    assert hint == [line for line in resumed if "±" in line]


@RUN
def test_after_undo_a_hint_is_about_what_was_chosen_instead() -> None:
    once, instead = (
        played(begun(documented("pagat")), iter(("clubs", *typed, "hint")))[1]
        for typed in (("5 6 7 8",), ("1 2 3 4", "hint", "undo", "5 6 7 8"))
    )
    hint = [line for line in once if "±" in line]
    assert hint
    assert [line for line in instead if "±" in line][-len(hint) :] == hint


@RUN
def test_a_hint_says_how_many_options_there_are_and_tries_those_that_are_asked_for() -> None:
    match = begun(documented("pagat"))
    _, lines = played(match, iter(("clubs", "hint", "hint 1 2 3 4", "hint 1 2")))
    assert any(
        "the best 5 found among 1,820 options; to see another, type `hint` and its cards" in x for x in lines
    )
    assert sum("±" in x for x in lines) == 6
    assert "Illegal: discard 4 cards, not 2; type all of them on one line" in lines
    shown = " ".join(" ".join(lines).split())
    assert shown.count("plays the rest of it by the strategy that did best in trial matches;") == 2
    assert "at random" not in shown


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("spades", "this deal, the scores of your side added up, if everybody"),
        (
            "hearts",
            "95% intervals; points against you count as negative: higher is better",
        ),
    ],
)
def test_a_hint_says_whose_points_it_shows_and_which_are_better(
    name: str, meaning: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = [2.5, 1.0]

    def hint(self: Opponents, decision: Decision, wanted: object) -> list[Option]:
        return [Option(None, 4.0, errors[0]), Option(None, 2.0, errors.pop())]

    monkeypatch.setattr(Opponents, "hint", hint)
    monkeypatch.setattr(Opponents, "hints_at_random", True)
    _, lines = played(begun(documented(name)), iter(("hint", "hint")))
    shown = " ".join(" ".join(lines).split())
    assert shown.count(meaning) == 2
    assert shown.count("no clear difference between these options") == 1


def test_a_hint_about_cards_shows_those_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def hint(self: Opponents, decision: Decision, wanted: Sequence[Value]) -> list[Option]:
        return [Option(choice, 1.0, 0.1) for choice in (frozenset(decision.legal[:4]), *wanted)]

    monkeypatch.setattr(Opponents, "hint", hint)
    _, lines = played(begun(documented("pagat")), iter(("clubs", "hint 5 6 7 8", "hint")))
    assert sum("±" in line for line in lines) == 1 + 1


def test_rules_by_the_beginning_of_their_names() -> None:
    _, lines = played(begun(documented("pagat")), iter(("rules exchange", "rules nonsense")))
    shown = " ".join(" ".join(lines).split())
    assert "rules that begin with `exchange`: exchange-timing, exchange-order, exchange-amounts" in shown
    assert (
        shown.count("there is no rule") == shown.count("there is no rule `nonsense` rules: hand, deal,") == 1
    )


def test_rules_by_their_headings_in_the_rule_sheet() -> None:
    typed = ("rules the targets", "rules Choice of Trump", "rules the choice of trump", "rules no such thing")
    _, lines = played(begun(documented("pagat")), iter(typed))
    assert any(line.startswith("  rule targets: ") for line in lines)
    assert sum(line.startswith("  rule trump: ") for line in lines) == 1
    assert "there is no rule `choice of trump`" in lines
    assert "there is no rule `no such thing`" in lines


def test_a_match_that_was_left_between_deals_resumes_after_a_deal(tmp_path: Path) -> None:
    keys = "clubs\n1 2 3 4\n" + "1\n" * 16
    path = str(tmp_path / "match.json")
    first = run("play", "pagat", "--deals", "1", "--state", path, "--policy", "random", stdin=keys).out
    assert "end of deal 1" in first
    shown = run("play", "pagat", "--state", path, stdin="").out
    assert shown.index("Resuming after deal 1.") < shown.index("end of deal 1") < shown.index("deal 2 ·")
    assert re.search(r"tricks +target +last deal\b", shown)


def test_choices_are_listed_from_whoever_chose_first() -> None:
    match = Match(documented("spades"), Setting(0, "random", 1, {}, {}))
    _, lines = played(match, iter("2"))
    shown = " ".join(" ".join(lines).split())
    assert re.search(r"bid left \d+, opposite \d+, right \d+, you 2\b", shown)


def test_a_player_who_is_neither_up_nor_down_has_no_sign() -> None:
    keys = "clubs\n1 2 3 4\n" + "1\n" * 16
    shown = run("play", "pagat", "--deals", "1", "--seed", "8", "--policy", "random", stdin=keys).out
    assert re.search(r"left +5 +5 +0\n", shown), shown


def test_results_are_shown_after_a_deal_in_which_everybody_is_on_target() -> None:
    match = begun(documented("pagat"))
    view = View(match.ruleset, 0, PAGE)
    variables = {
        **match.now.variables,
        **{("target", p): 5 for p in range(3)},
        **{("over", p): 0 for p in range(3)},
    }
    ended: Any = SimpleNamespace(variables=variables, decision=None)
    assert next(view.standing(ended)).split() == ["tricks", "target", "over"]
    ended.decision = match.now.decision
    assert next(view.standing(ended)).split() == ["tricks", "target"]


def test_the_moves_before_play_are_under_the_heading_of_their_deal() -> None:
    keys = "clubs\n1 2 3 4\n" + "1\n" * 30
    shown = run("play", "pagat", "--deals", "2", "--seed", "8", "--policy", "random", stdin=keys).out
    assert shown.index("end of deal 1") < shown.index("\ndeal 2 begins\n- ") < shown.index("\ndeal 2 ·")
    assert "deal 1 begins" not in shown


def test_a_deal_whose_heading_is_shown_does_not_begin_again() -> None:
    keys = "1\n" * 40
    shown = run(
        "play", "oh-hell", "--deals", "2", "--seat", "2", "--seed", "8", "--policy", "greedy", stdin=keys
    ).out
    assert "\ndeal 2 ·" in shown
    assert "deal 2 begins" not in shown


def test_a_match_that_stops_as_asked_says_so() -> None:
    keys = "clubs\n1 2 3 4\n" + "1\n" * 16
    shown = run("play", "pagat", "--deals", "1", "--seed", "8", "--policy", "random", stdin=keys).out
    assert "Stopped after deal 1, as `--hands` says. Match not saved" in " ".join(shown.split())
    assert "Stopped" not in run("play", "pagat", "--deals", "1", stdin="quit\n").out


def test_a_seat_is_given_by_name_or_number() -> None:
    by_name, by_number = (run("play", "pagat", "--seat", seat, stdin="quit\n").out for seat in ("left", "1"))
    assert "you sit to the left of the first dealer" in by_name
    assert by_name == by_number


NAMED = """\
    state:
      named: {type: integer}
      bonus: {of: player, type: integer}
    rules:
      targets:
        rule: |
          bonus of dealer becomes -4
          dealer chooses named from 1 to 3
        assumes: a test
    """


def test_numbers_have_their_signs_and_are_named_as_in_the_rules() -> None:
    _, lines = played(begun(house(NAMED)), iter(("-1", "nil", "2")))
    assert "choose the number named:" in lines
    assert "Illegal: you may not choose -1" in lines
    assert "`nil` is not a number; enter one of those above, or `help`" in lines
    assert "- you choose the number named 2" in lines
    assert any("number named 2; bonus you -4" in line for line in lines)
