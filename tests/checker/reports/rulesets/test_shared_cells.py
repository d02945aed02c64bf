"""Cells that are proved to do the same are one cell, with a letter; what documents leave open is marked."""

from __future__ import annotations

from checker.rulesets_for_tests import LIBRARY, documented, house, rule
from trickproof.diff.classes import classes
from trickproof.reports.rulesets.shared_cells import Row, customs
from trickproof.reports.rulesets.table import (
    AGREE,
    CUSTOMS,
    DISAGREE,
    make_table,
    render_table,
    sections,
    table_document,
)
from trickproof.support.serialise import serialised
from trickproof_dsl.library import Ruleset

MAINS = ("gamerules", "gamerules-mirror", "pagat", "six-over", "trumpet-major")


def grouped(aspect: str, *rulesets: Ruleset) -> list[tuple[str, list[str]]]:
    return [
        (one.letter, [rulesets[i].id for i in one.members]) for one in classes(rulesets, [aspect])[aspect]
    ]


def row(aspect: str, *names: str) -> Row:
    return make_table([documented(name) for name in names], [aspect]).rows[0]


# ------------------------------------------------------------------------------------------------- classes


def test_rules_of_the_same_words_are_one_class() -> None:
    mains = [documented(name) for name in MAINS]
    assert grouped("follow", *mains) == [("A", list(MAINS))]
    assert [letter for letter, _ in grouped("end", *mains)] == ["A", "B", "C"]
    assert grouped("end", *mains)[0] == ("A", ["gamerules", "gamerules-mirror", "pagat"])


def test_a_rule_in_other_words_is_the_same_where_its_program_is() -> None:
    """Clockwise and the other way round make no difference where everybody sees to himself."""
    other = rule(
        "scoring",
        "for q in players, anticlockwise from dealer:\n    over of q becomes tricks of q - target of q",
    )
    assert grouped("scoring", documented("pagat"), house(other)) == [("A", ["pagat", "house"])]


def test_dealing_card_by_card_and_in_blocks_is_proved_the_same() -> None:
    """From a shuffled pack everybody gets as many cards of the same chance."""
    by_card = rule(
        "deal",
        """\
        repeat 16 times:
            for p in players, clockwise from left of dealer:
                deal 1 card to hand of p
        deal the rest to kitty""",
    )
    in_fours = rule(
        "deal",
        """\
        for p in players, clockwise from left of dealer:
            deal 4 cards to hand of p
        repeat 3 times:
            for p in players, anticlockwise from dealer:
                deal 4 cards to hand of p
        deal the rest to kitty""",
    )
    fewer = by_card.replace("16 times", "15 times")
    assert grouped("deal", documented("pagat"), house(by_card)) == [("A", ["pagat", "house"])]
    assert grouped("deal", documented("pagat"), house(in_fours)) == [("A", ["pagat", "house"])]
    assert len(grouped("deal", documented("pagat"), house(fewer))) == 2


def test_what_differs_has_letters_of_its_own() -> None:
    sixteen = house(rule("end", "some player has tricks >= 16"))
    assert [letter for letter, _ in grouped("end", documented("pagat"), sixteen)] == ["A", "B"]
    assert [m for _, m in grouped("end", documented("pagat-all-sixteen"), sixteen)] == [
        ["pagat-all-sixteen", "house"]
    ]


def test_what_only_one_game_comes_to_is_told_once() -> None:
    """A kitty and a reveal are aspects: that the timing calls a kitty is no second difference."""
    names = ("pagat", "shawn-51", "trumpet-major")
    assert grouped("exchange-timing", *map(documented, names)) == [("A", list(names))]
    assert [m for _, m in grouped("reveal", *map(documented, names))] == [
        ["pagat"],
        ["shawn-51", "trumpet-major"],
    ]


def test_readings_are_matched() -> None:
    assert grouped("exchange-amounts", documented("gamerules"), documented("gamerules-mirror"))[0][1] == list(
        MAINS[:2]
    )
    assert len(grouped("exchange-order", documented("six-over"), documented("pagat"))) == 2


# --------------------------------------------------------------------------------------------------- cells


def test_a_cell_is_written_once_with_all_citations() -> None:
    (shared,) = row("lead", *MAINS).classes
    assert shared.letter == "A"
    assert shared.rulesets == MAINS
    assert {"gamerules.s44", "pagat-de.s26", "six-over.s18", "trumpet-major.s24"} <= set(shared.cites)
    text = render_table(make_table([documented(name) for name in MAINS], ["lead"]), "csv")
    assert text.count("The player to the dealer's left.") == 1


def test_what_documents_do_not_say_is_marked() -> None:
    assert row("winner", "pagat-all-sixteen", "shawn-51").mark == "no document says this"
    assert row("winner", "pagat", "shawn-51").mark == "not said by shawn-51"
    assert row("exchange-order", "pagat", "trumpet-major").mark == "left open by trumpet-major"
    assert row("exchange-order", "gamerules", "six-over").mark == "left open by all"
    assert row("lead", *MAINS).mark is None


def test_assumptions_say_whose_they_are() -> None:
    (shared,) = row("deck", "gamerules", "six-over").classes
    assert shared.assumes == ("the ranking is not stated; ace high down to 2 as in whist – six-over",)


def test_what_differs_comes_first_with_a_deal() -> None:
    table = make_table([documented(name) for name in ("pagat", "six-over", "weaver-four")])
    first, second, third = sections(table)
    assert (first[0], second[0], third[0]) == (DISAGREE, AGREE, CUSTOMS)
    named = [line.aspect for line in first[1] if line.aspect]
    assert {"players", "end", "kitty"} <= set(named)
    assert "lead" not in named
    assert "lead" in [line.aspect for line in second[1]]
    deals = {line.aspect: line.deal for line in first[1] if line.aspect}
    assert deals["end"] == "trickproof diff pagat six-over"
    assert deals["players"] == ""


def test_json_has_classes_and_customs() -> None:
    data = serialised(table_document(make_table([documented("pagat"), documented("six-over")])))
    end = next(one for one in data["aspects"] if one["aspect"] == "end")
    assert (end["differs"], end["deal"]) == (True, {"a": "pagat", "b": "six-over"})
    assert [one["letter"] for one in end["classes"]] == ["A", "B"]
    assert end["cells"]["pagat"]["text"] == end["classes"][0]["text"]
    assert {one["custom"] for one in data["customs"]} == {
        "cutting",
        "dealing",
        "first-dealer",
        "gifts-face-down",
        "shuffling",
    }


# ------------------------------------------------------------------------------------------------- customs


def test_customs_say_who_is_silent() -> None:
    by_name = {one.custom: one for one in customs([documented(name) for name in MAINS])}
    assert by_name["first-dealer"].silent == ()
    assert by_name["gifts-face-down"].silent == ("gamerules", "gamerules-mirror", "six-over", "trumpet-major")
    first = by_name["first-dealer"].says
    assert {cite for one in first for cite in one.cites} == {
        "gamerules.s14",
        "gamerules-mirror.s18",
        "pagat-de.s13",
        "six-over.s5",
        "six-over.s6",
        "trumpet-major.s12",
    }


def test_every_documented_first_dealer_is_encoded() -> None:
    """Seats are counted from whoever deals first: that is how the dealer's variable begins."""
    for name in MAINS:
        ruleset, _ = LIBRARY.load(name)
        assert ruleset is not None
        dealer = ruleset.whole.state["dealer"]
        assert dealer.backing.cites, name
        assert dealer.initial is not None
        assert dealer.initial.value == "0"
