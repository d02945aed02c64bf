"""The layout of reports: no line is too wide, colours are off unless switched on, numbers and deals have one form."""

from __future__ import annotations

import re
from math import inf

import pytest

from checker.rulesets_for_tests import documented
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.english.inflection import base_form, counted
from trickproof.reports.findings import Detail, report, to_understand
from trickproof.reports.rulesets.listing import listing_text, make_listing
from trickproof.reports.rulesets.source_coverage import trace, trace_text
from trickproof.reports.text import (
    PLAIN,
    Label,
    Page,
    by_suit,
    deal_picture,
    estimate,
    folded,
    hand_parts,
    number,
    percent,
    percentage,
    plus_minus,
    share_plus_minus,
    shown_width,
)
from trickproof.support.bundled import bundled_folders
from trickproof.support.confidence_intervals import Estimate
from trickproof.support.terminal import Terminal

WIDTHS = (60, 80, 100, 120)
WORDS = (
    "whoever was up gives as many cards as somebody else was down, and takes back the highest of each suit "
)


def page(width: int, colour: bool = False) -> Page:
    return Page(Terminal(colour=colour, columns=lambda: width))


def fits(text: str, width: int) -> bool:
    """Whether no line is too wide and nothing is coloured."""
    return "\x1b" not in text and max(map(len, text.splitlines())) <= width


# -------------------------------------------------------------------------------------------- layout


@pytest.mark.parametrize("width", WIDTHS)
def test_wrapped_lines_fit_and_hang(width: int) -> None:
    lines = page(width).wrapped(WORDS * 4, "  note: ", 4)
    assert fits("\n".join(lines), width)
    assert lines[0].startswith("  note: whoever")
    assert {len(line) - len(line.lstrip()) for line in lines[1:]} == {4}
    assert "".join("".join(lines).split()) == "note:" + "".join((WORDS * 4).split())


def test_a_word_with_a_hyphen_is_not_broken_there() -> None:
    assert "exchange-order-determined" in page(60).wrapped("x " * 22 + "exchange-order-determined")[1]


def test_a_command_to_paste_stays_on_one_line() -> None:
    text = "For a deal that shows it, type `trickproof diff gamerules nine-five-two`."
    narrow = Page(Terminal(columns=lambda: 60))
    for lines in (narrow.wrapped(text), folded(text, 60).splitlines()):
        assert lines == ["For a deal that shows it, type", "`trickproof diff gamerules nine-five-two`."]


def test_an_option_stays_with_its_value_in_a_command_to_paste() -> None:
    narrow = Page(Terminal(columns=lambda: 60))
    words = ["trickproof", "validate", "rulesets/house/five-discards.yaml", "--fix", "1"]
    assert narrow.command("Next:", words) == [
        "Next: trickproof validate \\",
        "    rulesets/house/five-discards.yaml --fix 1",
    ]


def test_a_command_that_does_not_fit_beside_its_purpose_stands_below_it() -> None:
    narrow = Page(Terminal(columns=lambda: 60))
    words = ["trickproof", "explain", "follow"]
    assert narrow.command("Next, state the rules that are missing:", words) == [
        "Next, state the rules that are missing:",
        "    trickproof explain follow",
    ]
    assert narrow.command("Next, state what is missing here:"[: 60 - 26], words)[1:] == []


def test_nothing_to_wrap_leaves_the_head() -> None:
    assert PLAIN.wrapped("", "  - ") == ["  -"]


@pytest.mark.parametrize("width", WIDTHS)
def test_labels_stand_beside_a_text_or_over_it(width: int) -> None:
    labels = [Label("target-total", 16), Label("refuted", 10, "refuted")]
    lines = page(width).labelled(labels, WORDS)
    assert fits("\n".join(lines), width)
    if width < 90:
        assert lines[0] == "  target-total      refuted"
        assert all(line.startswith("      ") for line in lines[1:])
    else:
        assert lines[0].startswith("  target-total      refuted     whoever was up")
        assert all(line.startswith(" " * 32 + line.strip()[0]) for line in lines[1:])


@pytest.mark.parametrize("width", WIDTHS)
def test_two_columns_stand_side_by_side_or_one_below_the_other(width: int) -> None:
    rows = [(" ", "player 1 gives 3C", "player 2 gives 4C"), ("≠", WORDS, ""), (" ", "…", "end")]
    lines = list(page(width).side_by_side(("pagat", "tallyn"), rows))
    assert fits("\n".join(lines), width)
    assert sum("≠" in line for line in lines) == 1
    together = any("pagat" in line and "tallyn" in line for line in lines)
    assert together == (width >= 90)


@pytest.mark.parametrize("width", WIDTHS)
def test_cells_are_put_across(width: int) -> None:
    lines = list(page(width).across([f"{n} ♥" for n in range(40)]))
    assert fits("\n".join(lines), width)
    assert len(lines) == -(-40 // ((width - 2 + 2) // 6))
    assert len({line.index("♥") for line in lines[1:]}) == 1


def test_a_table_that_fits_is_drawn() -> None:
    text = PLAIN.table([["pagat", "7"], ["six-over", "12"]], ["ruleset", "n"], right=[1])
    assert text.splitlines() == ["ruleset      n", "---------  ---", "pagat        7", "six-over    12"]
    assert PLAIN.table([], ["ruleset", "n"], right=[1]).startswith("ruleset")


@pytest.mark.parametrize("width", WIDTHS)
def test_a_wide_table_is_folded(width: int) -> None:
    text = page(width).table([["pagat", WORDS, "5"], ["tallyn", "short", "6"]], ["ruleset", "says", "n"])
    assert fits(text, width)
    assert text.startswith("ruleset")
    assert re.search(r"^pagat +whoever was .* +5$", text, re.M)


def test_a_table_of_too_many_columns_is_turned_or_written_row_by_row() -> None:
    headers = [f"column {n}" for n in range(9)]
    text = page(60).table([["x" * 20] * 9, ["y" * 20] * 9], headers)
    assert fits(text, 60)
    assert text.splitlines()[0] == "column 0    " + "x" * 20 + "    " + "y" * 20
    text = page(60).table([["", *[letter * 20] * 9] for letter in "xyz"], ["nothing", *headers])
    assert fits(text, 60)
    assert text.splitlines()[:2] == ["column 0: " + "x" * 20, "column 1: " + "x" * 20]
    assert text.count("\n\n") == 2


def test_the_intervals_of_a_column_are_folded_all_or_none() -> None:
    rows = [["left", "5.61 (5.58 to 5.64)", "36.8 ±1.2%"], ["right", "about 4", "37.8 ±12.3%"]]
    rows = [[*row, WORDS] for row in rows]
    text = page(60).table(rows, ["seat", "tricks", "wins", "says"])
    assert fits(text, 60)
    assert re.search(r"^left +5\.61 +36\.8 ±1\.2%.*\n +\(5\.58 to 5\.64\)", text, re.M)
    assert "5.61 (5.58 to 5.64)" in page(60).table([row[:2] for row in rows], ["seat", "tricks"])
    text = page(60).table([["11", *["7.812 ±0.027"] * 3, *["37.1 ±12.3%"] * 2]], ["x"] * 6)
    assert re.search(r"^11 +7\.812 .*\n +±0\.027  .*±12\.3%$", text, re.M)
    assert page(60).table([], [WORDS, WORDS]).count("\n") > 0


def test_rows_without_headers() -> None:
    assert PLAIN.aligned([["", "tricks"], ["you", "12"]], right=[1]) == ["       tricks", "  you      12"]


def test_colour_is_off_unless_it_is_switched_on() -> None:
    labels = [Label("end", 5), Label("refuted", 9, "refuted")]
    plain, coloured = (page(100, colour).labelled(labels, WORDS * 2) for colour in (False, True))
    assert not any("\x1b" in line for line in plain)
    assert "\x1b[31mrefuted\x1b[0m" in coloured[0]
    assert [re.sub(r"\x1b\[\d+m", "", line) for line in coloured] == plain
    assert page(100, True).styled("text", "no style of ours") == "text"
    assert page(100, True).suits_coloured("10♥ KS Q♠") == "\x1b[31m10♥\x1b[0m KS Q♠"
    assert PLAIN.suits_coloured("10♥") == "10♥"
    twice = page(100, True).suits_coloured(page(100, True).suits_coloured("♦ 10 9  K♥"))
    assert twice == "\x1b[31m♦\x1b[0m 10 9  \x1b[31mK♥\x1b[0m"
    assert shown_width("\x1b[31m10♥\x1b[0m") == 3


# -------------------------------------------------------------------------------------------- reports


@pytest.mark.parametrize("width", WIDTHS)
def test_reports_fit(width: int) -> None:
    ruleset = documented("six-over")
    where = ruleset.whole.rules["exchange-order"].name.span
    finding = Finding(
        "exchange-order-determined",
        Verdict.REFUTED,
        Method.SMT,
        WORDS * 3,
        where,
        cites=("six-over.s43",),
        assumes=(WORDS,),
        details=(WORDS * 2,),
        known=True,
        reason=WORDS,
    )
    for detail in (Detail(), Detail(1), Detail(2), Detail(quiet=True)):
        assert fits(report([(ruleset, [finding])], detail, page(width)) or "nothing", width)
    assert fits(trace_text(trace([ruleset]), page(width)), width)
    assert fits(listing_text(make_listing(bundled_folders()), page(width)), width)


def test_counts_of_findings_are_not_broken_across_lines() -> None:
    ruleset = documented("shawn-51")
    verdicts = [Verdict.PROVED] * 17 + [Verdict.UNSPECIFIED, Verdict.NOT_APPLICABLE] + [Verdict.REFUTED] * 2
    findings = [Finding(f"check-{n}", x, Method.STATIC, "x", known=n > 16) for n, x in enumerate(verdicts)]
    for width in range(60, 121):
        text = report([(ruleset, findings)], Detail(), page(width))
        assert "1 unspecified (known), 1 not-applicable (known), 2 refuted (known)" in " ".join(text.split())
        assert not re.search(r"\d$|^ *\(known\)", text, re.M)
        assert "\N{NO-BREAK SPACE}" not in text


def test_what_to_read_about_a_finding() -> None:
    pagat = documented("pagat")
    of_the_tool, of_the_ruleset = (
        " ".join(to_understand(PLAIN, pagat, Finding(name, Verdict.REFUTED, Method.STATIC, "x")))
        for name in ("zero-sum", "scores-sum-to-zero")
    )
    assert of_the_tool.endswith("trickproof explain zero-sum")
    assert of_the_ruleset.endswith("trickproof check pagat --only scores-sum-to-zero -vv")


def test_a_list_has_no_column_that_says_nothing() -> None:
    tables = listing_text(make_listing(bundled_folders())).split("\n\n")
    heads = {table.split("  ")[0]: table.splitlines()[0].split("  ")[0:] for table in tables}
    (house,) = (table for table in tables if " house rules: " in table)
    assert "aces-and-kings-are-kept, " in house
    assert "extends" not in [cell.strip() for cell in heads["other games"]]
    assert {"documents", "extends"} <= {cell.strip() for cell in heads["ruleset"]}


# -------------------------------------------------------------------------------------------- numbers


def test_plurals() -> None:
    assert [counted(n, "card") for n in (0, 1, 2, 1000)] == ["0 cards", "1 card", "2 cards", "1,000 cards"]
    assert [counted(n, "match", "matches") for n in (1, 2)] == ["1 match", "2 matches"]


def test_base_forms_of_verbs() -> None:
    verbs = ["gives", "carries", "picks up", "catches", "passes", "pass", "take"]
    assert [base_form(verb) for verb in verbs] == [
        "give",
        "carry",
        "pick up",
        "catch",
        "pass",
        "pass",
        "take",
    ]


def test_estimates_have_one_form() -> None:
    x = Estimate(5.636, 5.61, 5.66)
    assert estimate(x) == "5.64 (5.61 to 5.66)"
    assert estimate(x, 1, "+") == "+5.6 (+5.6 to +5.7)"
    assert estimate(Estimate(5.636, -inf, inf)) == "5.64"
    assert estimate(Estimate(-0.001, -0.002, 0.0), 1) == "0.0 (0.0 to 0.0)"
    assert estimate(Estimate(0.14, 0.002, 0.278), 1, "+") == "+0.140 (+0.002 to +0.278)"
    assert estimate(Estimate(-0.14, -0.278, -0.04), 1) == "-0.14 (-0.28 to -0.04)"
    assert estimate(Estimate(0.14, -0.002, 0.282), 1) == "0.1 (0.0 to 0.3)"
    assert percentage(Estimate(0.368, 0.356, 0.38)) == "36.8% (35.6 to 38.0)"
    assert percent(0.368) == "36.8%"
    assert number(1234.5, 1) == "1,234.5"
    assert plus_minus(x) == "5.64 ±0.03"
    assert plus_minus(Estimate(3.0, 2.0, inf)) == "3.00"
    assert plus_minus(Estimate(inf, 41.7, inf)) == "over 42"
    assert plus_minus(x, 1, "+") == "+5.6 ±0.0"
    assert share_plus_minus(Estimate(0.368, 0.356, 0.38)) == "36.8 ±1.2%"
    assert share_plus_minus(Estimate(0.059, 0.01, 0.27)) == "5.9% (1.0 to 27.0)"
    assert share_plus_minus(Estimate(0.059, 0.01, 0.27), "") == "5.9 (1.0 to 27.0)"


# ---------------------------------------------------------------------------------------------- deals

HANDS = {
    "dealer": ["2C", "TC", "AS", "3H", "KH"],
    "left": [],
    "kitty": ["4D"],
}


def test_a_hand_is_by_suit_from_the_highest_down() -> None:
    deck = documented("pagat").program.deck
    numbers = [deck.cards.index(card) for card in HANDS["dealer"]]
    assert [deck.suits[suit] for suit, _ in by_suit(deck, numbers)] == ["clubs", "hearts", "spades"]
    assert hand_parts(PLAIN, deck, numbers) == ["♣ 10 2", "♥ K 3", "♠ A"]


def test_the_picture_of_a_deal() -> None:
    deck = documented("pagat").program.deck
    assert list(deal_picture(PLAIN, deck, HANDS)) == [
        "  dealer  ♣ 10 2  ♥ K 3  ♠ A",
        "  left    no cards",
        "  kitty   ♦ 4",
    ]
    assert list(deal_picture(page(60), deck, HANDS)) == list(deal_picture(PLAIN, deck, HANDS))
    assert "\x1b[31m♦\x1b[0m 4" in list(deal_picture(page(100, True), deck, HANDS))[-1]
    assert list(deal_picture(PLAIN, deck, {})) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_the_picture_of_a_whole_deck_fits(width: int) -> None:
    deck = documented("pagat").program.deck
    lines = list(deal_picture(page(width), deck, {"player 0": deck.cards}, indent=8))
    assert fits("\n".join(lines), width)
    assert sum(line.count(sign) for line in lines for sign in "♣♦♥♠") == 4
    assert (lines[0].strip() == "player 0") == (width < 90)


@pytest.mark.parametrize("width", range(60, 80))
def test_a_number_stays_with_its_unit(width: int) -> None:
    lines = page(width).wrapped("failures are below 1 in 20 with 95% confidence, +1.2 pp " * 9)
    assert not any(line.lstrip().startswith(("%", "pp")) for line in lines)
