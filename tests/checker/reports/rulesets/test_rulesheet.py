"""The rule sheet: a page for players."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from budget import RUN
from checker.rulesets_for_tests import BUNDLED, beside_bundled, bundled
from trickproof.reports.markdown import rendered
from trickproof.reports.rulesets.rulesheet import rulesheet
from trickproof.reports.text import PLAIN
from trickproof_dsl.library import Ruleset

"""Loaded once: rulesets do not change."""

NAMES = sorted(BUNDLED.ruleset_paths())


def test_the_course_of_a_hand_stands_in_the_order_it_is_played() -> None:
    headings = re.findall("^## (.*)$", rulesheet(bundled("pagat"), "md"), re.M)
    assert headings == [
        "The deal",
        "The targets",
        "Before play",
        "The exchange",
        "Passing cards",
        "Returning cards",
        "The choice of trump",
        "The kitty",
        "The reveal",
        "The play",
        "The first lead",
        "A trick",
        "What may be led",
        "Following to the trick",
        "Following",
        "The winner of a trick",
        "The scoring",
        "The payout",
        "The end of the match",
        "The winner",
        "The next dealer",
        "Known gaps and exceptions",
        "Sources",
    ]


def test_a_step_that_only_calls_for_a_section_refers_to_it() -> None:
    text = rulesheet(bundled("pagat"), "md")
    assert "\n2. Trump is chosen (see below).\n3. The kitty is handled (see below).\n" in text
    assert "\n3. The other players follow (see below).\n" in text


def test_the_sheet_of_a_house_rule_says_where_the_gaps_of_its_base_are() -> None:
    text = "ruleset: mine\nextends: {}\nrules:\n  lead: {{rule: left of dealer, assumes: ours}}\n"
    for base, also in (
        ("six-over", ", whose rule sheet also has examples and known gaps"),
        ("whist", ", whose rule sheet also has examples"),
    ):
        sheet = rulesheet(beside_bundled(text.format(base)), "md")
        assert f"(a variant of `{base}`{also}), in the order of play." in sheet


def test_sources_of_a_base_in_another_folder_are_printed() -> None:
    text = (
        "ruleset: mine\nextends: hearts\nrules:\n  end: {rule: some player has score >= 50, assumes: ours}\n"
    )
    ruleset, wrong = BUNDLED.load_text(text, "mine.yaml")
    assert ruleset is not None, wrong
    sheet = rulesheet(ruleset, "md")
    assert "\n- hearts-online: " in sheet
    assert ": hearts-online.s3: The player with the fewest points wins." in sheet


@pytest.mark.parametrize("format", ["md", "html"])
def test_a_game_without_documents_has_neither_footnotes_nor_sources(format: str) -> None:
    text = "ruleset: mine\ntitle: Mine\nplayers: {number: 3, assumes: ours}\ndeck: {assumes: ours}\n"
    mine, wrong = BUNDLED.load_text(text, "mine.yaml")
    assert mine is not None, wrong
    sheet = rulesheet(mine, format)
    assert not [word for word in ("Footnotes", "Sources") if word in sheet]
    assert "in the order of play.\n\n**Players:**" in sheet or format == "html"


def test_a_rule_is_a_sentence_with_footnotes_that_say_what_is_cited() -> None:
    text = rulesheet(bundled("pagat"), "md")
    assert "\nThe next dealer is the player to the dealer's left." in text
    found = re.search(r"The match ends when a player has taken 12 or more tricks\.\[\^(\d+)\]", text)
    assert found is not None
    assert re.search(rf"^\[\^{found[1]}\]: pagat-de\.s11: The match is over when", text, re.M)


def test_readings_assumptions_gaps_parameters_and_flaws_are_marked() -> None:
    text = rulesheet(bundled("gamerules"), "md")
    assert "The document leaves this open; it can be read in 3 ways." in text
    assert "**Reading “together”**" in text
    assert "> *Assumed:* The received cards are part of the hand" in text
    assert "## Known gaps and exceptions" in text
    assert "**Goal:** 10 or 20, as agreed (10 if nothing is agreed)." in rulesheet(
        bundled("nine-five-two"), "md"
    )
    assert "> **Gap:** Nobody says who wins." in rulesheet(_odd(), "md")


def test_facts_are_said_once_and_only_what_is_open_is_agreed() -> None:
    euchre, weathercock = (rulesheet(bundled(name), "md") for name in ("euchre", "weathercock"))
    assert "**Players:** 4, in partnerships: partners sit opposite each other." in euchre
    assert "**Option:** Stick the dealer, if agreed." in euchre
    assert "and “stick the dealer” is agreed, that player" in euchre
    assert "**Players:** 3." in weathercock
    assert "**Goal:** 20." in weathercock
    assert "is at least the goal (20)." in weathercock


def test_a_page_says_what_variables_are_at_first_and_omits_what_goes_without_saying() -> None:
    hearts, skat, bids = (rulesheet(bundled(name), "md") for name in ("hearts", "skat", "oh-hell"))
    assert "**At the start of the first deal:** The passing is “to the left”.\n" in hearts
    assert "**At the start of every deal:** The announcement is “no more”.\n" in skat
    assert "At the start of" not in bids  # `match-start` sets the size of the first deal
    assert "first deal is over" not in hearts
    assert "to the number of cards per player, but not one that they are barred from." in bids


def test_a_zone_for_one_card_holds_a_card_in_examples_too() -> None:
    assert "*Given:* the turned card: the seven of hearts." in rulesheet(bundled("whist"), "md")


def test_what_a_document_says_in_a_damaged_place_is_marked() -> None:
    assert "(this sentence is damaged in the document; taken to mean: the dealer picks" in rulesheet(
        bundled("gamerules-mirror"), "md"
    )


HOUSE = """
ruleset: house
title: House
extends: pagat
state: {rounds: {type: integer, carried: true}}
rules:
  end: {rule: rounds >= round-length or some player has tricks >= points-for-all, cites: [pagat-de.s11]}
  round-length:
    readings:
      - {name: short, rule: "1", assumes: as at home}
      - {name: long, rule: "3", assumes: as abroad}
  points-for-all: {rule: target of dealer, assumes: the dealer's number decides}
  winner: {rule: "if foremost is empty then dealer else foremost", assumes: x, cites: [pagat-de.s12, pagat-de.s11]}
  foremost: {rule: players with the highest score among players with score > 3, assumes: only a score above three counts}
  two-targets: {of: player p, rule: target of p + target of left of p, assumes: an invariant needs it}
invariants:
  scores: {rule: every player has two-targets < 14, when: play-starts, assumes: sixteen tricks}
examples:
  one-down:
    assumes: made up
    given: {dealer: 2, first_hand: false, tricks: [7, 6, 3], target: [5, 3, 8], trump: S, rounds: 1}
    run: scoring
    then: {over: [2, any, -5], match_over: false}
  give:
    assumes: made up
    known: the page forgets a card
    given: {dealer: 0, over: [-1, 1, 0], kitty: [2C, 3C, TC, AC, 5H]}
    when:
      - {player: 1, move: give, to: 0, cards: [3D]}
      - {player: 0, move: trump, suit: S}
    then: {events: [{event: return, player: 0, to: 1, cards: [AD]}]}
  who-may:
    assumes: made up
    given: {p: 1, led: H, hands: [[], [2H, 3S], []]}
    run: follow
    then: {value: [2H]}
"""


def test_helper_rules_have_sections_of_their_own_and_are_called_by_name() -> None:
    text = rulesheet(beside_bundled(HOUSE), "md")
    assert (
        "If there are no foremost players, the match is won by the dealer; otherwise by the foremost players."
        in text
    )
    assert "## The foremost players\n\nThe foremost players: whoever has the highest score among" in text
    assert "> *Assumed:* Only a score above three counts." in text


def test_a_value_that_is_a_number_is_a_sentence() -> None:
    text = rulesheet(beside_bundled(HOUSE), "md")
    assert "The round length: 1." in text
    assert not re.search(r"^\d+\.$", text, re.M)


def test_an_assumption_of_another_rule_says_whose_it_is() -> None:
    text = rulesheet(beside_bundled(HOUSE), "md")
    assert "> *Assumed (on “points for all”):* The dealer's number decides." in text


@RUN
def test_a_footnote_says_what_a_house_rule_replaces() -> None:
    text = (
        "ruleset: gifts\nextends: pagat\nrules:\n  exchange-amounts:\n    rule: |\n"
        "      for taker in players with over < 0, clockwise from giver:\n"
        "          giver gives 2 cards of hand to taker as gift(giver, taker)\n    assumes: our table\n"
    )
    gifts, wrong = BUNDLED.load_text(text, "gifts.yaml")
    assert gifts is not None, wrong
    marked = {
        line.split(": ")[1]
        for line in rulesheet(gifts, "md").splitlines()
        if line.endswith(" (on passing cards, the rules above apply)")
    }
    assert (
        "pagat-de.s46" in marked
    )  # cited by the rules of pagat about passing cards and about what precedes play
    assert "pagat-de.s63" not in marked
    assert "the rules above apply" not in rulesheet(bundled("tallyn"), "md")
    assert "the rules above apply)</li>" in rulesheet(gifts, "html")


@RUN
def test_footnotes_are_sorted() -> None:
    for name in NAMES:
        for run in re.findall(r"(?:\[\^\d+\](?!:)){2,}", rulesheet(bundled(name), "md")):
            numbers = [int(n) for n in re.findall(r"\d+", run)]
            assert numbers == sorted(numbers)


def test_what_always_holds_is_told_with_the_rules_it_needs() -> None:
    text = rulesheet(beside_bundled(HOUSE), "md")
    assert "- When play starts: every player's two targets are fewer than 14." in text
    assert (
        "The two targets of a player: the player's target plus the target of the player to their left."
        in text
    )


def test_examples_are_told() -> None:
    text = rulesheet(beside_bundled(HOUSE), "md")
    told = text.partition("## Examples")[2].partition("## Sources")[0]
    for line in (
        "- **One down.**",
        "  - *Given:* it is not the first deal; tricks of Dealer: 3, Left: 7, Right: 6; "
        "target of Dealer: 8, Left: 5, Right: 3; the trump suit: spades; the rounds: 1.",
        "  - *When:* only the rule “the scoring” is applied.",
        "  - *Then:* result of Dealer: -5, Left: 2; the match goes on.",
        "the kitty: clubs 2 3 10 A, hearts 5.",
        "  - *When:* Left gives to Dealer the three of diamonds; Dealer chooses the trump suit: spades.",
        "  - *Then:* Dealer returns to Left the ace of diamonds.",
        "  - *Contradicts the rules:* The page forgets a card.",
        "hand of player 1: the two of hearts and the three of spades.",
        "  - *Then:* the cards the player may play: the two of hearts.",
    ):
        assert line in told


def test_sources_say_their_language_and_examples_what_a_condition_of_their_own_is() -> None:
    assert "(translation of John McLeod), in German" in rulesheet(bundled("pagat"), "md")
    barred = rulesheet(bundled("oh-hell"), "md")
    assert "*When:* only the rule “barred from” is applied." in barred
    assert "*Then:* the player is barred from n." in barred


def test_what_is_called_a_taking_follows() -> None:
    text = """
ruleset: t
extends: pagat
rules:
  before-play: {rule: do kitty-taking, assumes: x}
  kitty-taking: {rule: dealer picks-up kitty as picked-up, assumes: x}
"""
    assert "The kitty taking follows (see below)." in rulesheet(beside_bundled(text), "md")


def test_up_and_down_are_explained_as_the_rules_define_them() -> None:
    assert "result is the tricks taken minus the target" in rulesheet(bundled("pagat"), "md")
    scoring = "ruleset: t\nextends: pagat\nrules:\n  scoring: {rule: over of dealer becomes 3, assumes: x}\n"
    assert "whose result is above 0 is up" in rulesheet(beside_bundled(scoring), "md")
    silent = """
ruleset: t
title: T
players: {number: 3, assumes: x}
rules:
  deal: {rule: deal the rest to kitty, assumes: x}
  end: {rule: first-hand, assumes: x}
"""
    assert "*Words:*" not in rulesheet(beside_bundled(silent), "md")


def test_markdown_of_the_user_stays_text() -> None:
    assert r"> *Assumed:* A \| b \<i\> \*c\*." in rulesheet(_odd(), "md")


@pytest.mark.parametrize("name", NAMES)
def test_every_footnote_of_a_sheet_is_used_and_defined(name: str) -> None:
    text = rulesheet(bundled(name), "md")
    used = set(re.findall(r"\[\^(\d+)\](?!:)", text))
    defined = re.findall(r"^\[\^(\d+)\]:", text, re.M)
    assert used == set(defined)
    assert len(defined) == len(set(defined))
    assert not re.search(r"\n{3}|None|\{\{|Undefined", text)


@pytest.mark.parametrize("name", NAMES)
def test_pages_are_whole_and_stand_alone(name: str) -> None:
    page = _Page()
    page.feed(rulesheet(bundled(name), "html"))
    assert page.open == []
    assert page.links == {link for link in page.links if link.startswith("#")}
    assert {link.removeprefix("#") for link in page.links} <= page.ids
    assert page.tags.isdisjoint({"script", "link", "img", "iframe"})


def test_pages_escape() -> None:
    text = rulesheet(_odd(), "html")
    assert "a | b &lt;i&gt; *c*" in text
    assert "<title>T &amp; &lt;b&gt;</title>" in text


def test_other_formats_are_refused() -> None:
    with pytest.raises(ValueError, match="pdf"):
        rulesheet(bundled("pagat"), "pdf")


@pytest.mark.parametrize(
    ("name", "way", "cite"),
    [
        ("pagat", "16 times: deal 1 card to each player", "pagat-de.s16"),
        ("shawn-51", "17 times: deal 1 card to each player", "pagat-de.s16"),
        ("six-over", "Deal 1 card to the kitty", "six-over.s8"),
    ],
)
def test_other_ways_to_carry_out_a_rule_are_told_with_their_footnotes(name: str, way: str, cite: str) -> None:
    text = rulesheet(bundled(name), "md")
    (deal,) = (part for part in text.split("\n## ") if part.startswith("The deal"))
    told = deal.split("Another way, proved to do the same:")[1]
    assert way in told
    (footnote,) = re.findall(rf"\[\^(\d+)\]: {re.escape(cite)}:", text)
    assert f"[^{footnote}]" in told
    assert "Another way, proved to do the same:" in rulesheet(bundled(name), "html")


def test_a_way_that_does_not_do_the_same_is_not_told() -> None:
    other = "ruleset: odd\nextends: pagat\nrules:\n  deal:\n    assumes: x\n    rule: |\n      for p in players:\n          deal 15 cards to hand of p\n"
    assert "Another way" not in rulesheet(beside_bundled(other), "md")


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.links: set[str] = set()
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        values = dict(attrs)
        self.links |= {values["href"] or ""} if "href" in values else set()
        self.ids |= {values["id"] or ""} if "id" in values else set()
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _odd() -> Ruleset:
    text = """\
ruleset: odd
title: T & <b>
extends: pagat
rules:
  follow:
    rule: hand
    assumes: a | b <i> *c*
  winner:
    silent: nobody says who wins
"""
    return beside_bundled(text)


def test_a_terminal_shows_no_escaped_markdown() -> None:
    shown = rendered(rulesheet(bundled("pagat"), "md"), PLAIN)
    assert "003_a5be712bbd948e1d.txt" in shown
    assert "\\" not in shown
