"""What `replay` shows on a terminal: the deal as `check` shows it, then the outcome or the fault in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trickproof.cli.commands.replay import _shown
from trickproof.reports.replayed import replayed
from trickproof.reports.text import PLAIN
from trickproof.support.bundled import bundled_library
from trickproof.support.exit_codes import Exit

DEAL = {
    "ruleset": "six-over",
    "dealer": 0,
    "over": [2, -2, 0],
    "hands": [
        [*(f"{rank}C" for rank in "23456789TJQKA"), "2D", "3D", "4D"],
        [*(f"{rank}D" for rank in "56789TJQKA"), "2H", "3H", "4H", "5H", "6H", "7H"],
        [*(f"{rank}H" for rank in "89TJQKA"), *(f"{rank}S" for rank in "23456789T")],
    ],
    "kitty": ["JS", "QS", "KS", "AS"],
}
GIFT = {"player": 0, "move": "give", "to": 1, "cards": ["2D", "3D"]}
HANDS = """\
six-over:
  up or down in the previous deal: Dealer +2, Left -2, Right 0
  Dealer  ♣ A K Q J 10 9 8 7 6 5 4 3 2  ♦ 4 3 2
  Left    ♦ A K Q J 10 9 8 7 6 5  ♥ 7 6 5 4 3 2
  Right   ♥ A K Q J 10 9 8  ♠ 10 9 8 7 6 5 4 3 2
  Kitty   ♠ A K Q J
"""


def shown(scenario: object) -> tuple[bool, str]:
    line = scenario if isinstance(scenario, str) else json.dumps(scenario)
    good, lines = replayed(PLAIN, bundled_library(), line)
    return good, "\n".join(lines)


def test_a_deal_move_by_move() -> None:
    good, text = shown({**DEAL, "moves": [GIFT]})
    assert good
    assert text.startswith(
        f"{HANDS}  Dealer gives 2♦ 3♦ to Left\n  Left returns K♦ A♦ to Dealer\n  then Dealer must choose trump"
    )


def test_the_trump_suit_and_the_card_turned_up_for_it() -> None:
    deck = [f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQKA"]
    whist = {"ruleset": "whist", "dealer": 3, "hands": [deck[:13], deck[13:26], deck[26:39], deck[39:51]]}
    moves = [{"player": 0, "move": "play", "card": "2C"}]
    good, text = shown({**whist, "zones": {"turned": deck[51:]}, "moves": moves})
    assert good
    assert "\n  Turned    ♠ A\n  trump: ♠\n  trick 1: Left 2♣\n" in text
    assert "  trump:" not in shown({**DEAL, "moves": [GIFT]})[1]


def test_hands_are_not_shown_twice_if_no_card_has_moved() -> None:
    hands = [*DEAL["hands"], DEAL["kitty"]]
    hands = [[card for hand in hands for card in hand][p * 13 : p * 13 + 13] for p in range(4)]
    good, text = shown({"ruleset": "spades", "dealer": 0, "hands": hands, "moves": []})
    assert good
    assert text.endswith("then Left must bid: 0 to 13")
    assert text.count("Opposite  ") == 1


def test_an_illegal_move_is_answered_with_what_is_asked_and_the_rule() -> None:
    good, text = shown({**DEAL, "moves": [{**GIFT, "cards": ["2D"]}]})
    assert not good
    assert text == (
        f"{HANDS}  then: expected 2 cards, found 1\n"
        "  at this point Dealer must give exactly 2 of 16 cards to Left\n"
        "  rule `exchange-amounts` (six-over.s39, six-over.s40 and six-over.s42)"
    )


def test_cards_dealt_from_a_seed_are_shown_with_seats_by_name() -> None:
    _, text = shown({"ruleset": "pagat", "seed": 3})
    assert "  Kitty   ♦ K Q  ♥ 8  ♠ 8\n  then Dealer must choose trump" in text


def test_what_is_no_scenario_or_no_match_is_answered_in_words() -> None:
    first = {"ruleset": "pagat", "seed": 1}
    assert shown("{") == (False, "cannot be replayed: the line is not JSON (column 2)")
    assert shown({**first, "seeds": 1})[1].startswith("pagat: cannot be replayed: unknown field `seeds`")
    assert shown({"match": [first, 7]}) == (
        False,
        "pagat (deal 1 of the match): cannot be replayed: the deal does not begin with this `first-hand`",
    )


def test_a_number_before_a_deal_makes_no_line_too_long(capsys: pytest.CaptureFixture[str]) -> None:
    """It was put before a line that was already as long as the page."""
    line = json.dumps({"ruleset": "a " * 60})
    assert _shown(bundled_library(), [line, "\n", line], False) is Exit.NEGATIVE
    lines = capsys.readouterr().out.splitlines()
    assert [text[:20] for text in lines if text[:1].isdigit()] == [
        "1. cannot be replaye",
        "2. cannot be replaye",
    ]
    assert max(map(len, lines)) <= PLAIN.width


def test_no_place_is_named_in_a_file_that_users_do_not_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The play that asks for a card is a standard rule."""
    monkeypatch.chdir(tmp_path)
    nothing = "cards in hand with (suit = hearts and suit = spades)"
    Path("stuck.yaml").write_text(
        f"ruleset: stuck\nextends: pagat\nrules: {{may-lead: {{rule: {nothing}, assumes: a test}}}}\n"
    )
    moves = [
        {"player": 0, "move": "trump", "suit": "S"},
        {"player": 0, "move": "discard", "cards": ["2C", "3C", "4C", "5C"]},
    ]
    deal = {"ruleset": "stuck.yaml", "first_hand": True, "hands": DEAL["hands"], "kitty": DEAL["kitty"]}
    good, text = shown({**deal, "moves": moves})
    assert not good
    assert text.endswith("  then: Left must choose 1 of 0 cards")
