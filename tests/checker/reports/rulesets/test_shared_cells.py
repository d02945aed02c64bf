"""Cells that are proved to do the same are one cell, with a letter; what documents leave open is marked."""

from __future__ import annotations

from checker.rulesets_for_tests import LIBRARY, documented, house, rule
from trickproof.diff.classes import classes
from trickproof.english.aspects import ABSENT, ASPECTS, describe
from trickproof.reports.rulesets.shared_cells import Row, customs
from trickproof.reports.rulesets.table import (
    AGREE,
    CALLED,
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
    """The letters of each class as one word, and its rulesets."""
    return [
        ("".join(one.letters), [rulesets[i].id for i in one.members])
        for one in classes(rulesets, [aspect])[aspect]
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


def test_what_only_one_game_comes_to_is_no_second_difference() -> None:
    """A kitty and a reveal are aspects: a timing without a kitty has the same letter, in a cell that tells of none."""
    names = ("pagat", "shawn-51", "trumpet-major")
    assert grouped("exchange-timing", *map(documented, names)) == [
        ("A", ["pagat", "trumpet-major"]),
        ("A", ["shawn-51"]),
    ]
    assert [m for _, m in grouped("reveal", *map(documented, names))] == [
        ["pagat"],
        ["shawn-51", "trumpet-major"],
    ]
    table = make_table([documented(name) for name in names], ["exchange-timing"])
    assert not table.rows[0].differs
    assert [shared.cell.text.endswith("Then the kitty is handled.") for shared in table.rows[0].classes] == [
        True,
        False,
    ]


def test_what_is_proved_to_do_the_same_has_a_letter_in_common() -> None:
    """Who shows no cards takes the kitty like those that show them before the discard, and like those that do so after it."""
    names = LIBRARY.documented()
    letters = {id: of for of, ids in grouped("kitty", *map(documented, names)) for id in ids}
    for before in ("nine-five-two", "pagat-kitty-first"):
        for without in ("six-over", "tallyn", "trumpet-major"):
            assert set(letters[before]) & set(letters[without]), (before, without, letters)
            assert set(letters["gamerules"]) & set(letters[without])
        assert not set(letters["gamerules"]) & set(letters[before])


def test_readings_that_come_to_the_same_without_a_kitty_are_one() -> None:
    """With the kitty left out, it makes no difference whether it comes before trump or after it."""
    either = house(
        """\
        rules:
          exchange-timing:
            readings:
              - name: trump-first
                rule: |
                  if not first-hand:
                      do exchange-order
                  do trump
                  do kitty
                assumes: a fault
              - name: kitty-first
                rule: |
                  if not first-hand:
                      do exchange-order
                  do kitty
                  do trump
                assumes: a fault
        """
    )
    for without in ("shawn-51", "weaver-four"):
        assert {letters for letters, _ in grouped("exchange-timing", either, documented(without))} == {"A"}
    three = grouped("exchange-timing", documented("pagat"), either, documented("weaver-four"))
    assert [letters for letters, _ in three] == ["A", "B", "AB"]


def test_seats_by_number_are_not_the_same_with_other_players() -> None:
    """The second to the left is opposite with four, and to the right with three."""
    three = house(rule("next-dealer", "right of dealer"))
    four = house(rule("next-dealer", "opposite of dealer"), base="weaver-four")
    assert [letters for letters, _ in grouped("next-dealer", three, four)] == ["A", "B"]


def test_suits_by_number_are_not_the_same_with_other_suits() -> None:
    """The first suit is clubs with one pack and hearts with the other."""
    names = {"clubs": "C D", "hearts": "H S"}
    games = []
    for suit, suits in names.items():
        text = (
            f"ruleset: {suit}\ntitle: T\nplayers: {{number: 3, assumes: x}}\n"
            f"deck: {{ranks: 2 3 4 5 6 7, suits: {suits}, assumes: x}}\n"
            "rules:\n  before-play: {rule: do trump, assumes: x}\n"
            f"  trump: {{rule: trump becomes {suit}, assumes: x}}\n"
        )
        games.append(LIBRARY.load_text(text, f"{suit}.yaml")[0])
    assert [letters for letters, _ in grouped("trump", *filter(None, games))] == ["A", "B"]


def test_a_reveal_is_not_told_of_games_without_one() -> None:
    table = make_table([documented(name) for name in LIBRARY.documented()], ["kitty", "exchange-timing"])
    for row in table.rows:
        for shared in row.classes:
            for name in shared.rulesets:
                for step in ("kitty", "reveal"):
                    told = f"the {step}" in shared.cell.text and step != row.aspect
                    assert not told or describe(documented(name), step).text != ABSENT, (row.aspect, name)


# --------------------------------------------------------------------------------------------------- cells


def test_a_cell_is_written_once_with_all_citations() -> None:
    (shared,) = row("lead", *MAINS).classes
    assert shared.letters == ("A",)
    assert shared.rulesets == MAINS
    assert {"gamerules.s44", "pagat-de.s26", "six-over.s18", "trumpet-major.s24"} <= set(shared.cites)
    text = render_table(make_table([documented(name) for name in MAINS], ["lead"]), "csv")
    assert text.count("The player to the dealer's left.") == 1


def test_what_documents_do_not_say_is_marked() -> None:
    """In the cell of those whose documents are silent, or leave a choice."""

    def marks(aspect: str, *names: str) -> list[str | None]:
        return [shared.mark for shared in row(aspect, *names).classes]

    assert marks("winner", "pagat-all-sixteen", "shawn-51") == ["no document says this"] * 2
    assert marks("winner", "pagat", "shawn-51") == [None, "not said"]
    assert marks("payout", "six-over", "shawn-51") == ["not said by shawn-51"]
    assert marks("trump", "pagat", "hearts-are-trumps") == [None, None]  # a house rule has no document
    assert marks("exchange-order", "pagat", "trumpet-major") == [None, "left open"]
    assert marks("exchange-order", "gamerules", "six-over") == ["left open", "left open"]
    assert marks("exchange-timing", "pagat", "pagat-kitty-first") == [None, "left open"]
    assert marks("lead", *MAINS) == [None]


def test_assumptions_say_whose_they_are() -> None:
    (shared,) = row("deck", "gamerules", "six-over").classes
    assert shared.assumes == ("for six-over, the ranking is not stated; ace high down to 2 as in whist",)


def test_what_differs_comes_first_with_a_deal() -> None:
    table = make_table([documented(name) for name in ("pagat", "six-over", "weaver-four")])
    first, second, third, fourth = sections(table)
    assert (first[0], second[0], third[0], fourth[0]) == (DISAGREE, AGREE, CALLED, CUSTOMS)
    named = [line.aspect for line in first[1] if line.aspect]
    assert {"players", "end", "kitty"} <= set(named)
    assert "lead" not in named
    assert "lead" in [line.aspect for line in second[1]]
    deals = {line.aspect: line.deal for line in first[1] if line.aspect}
    assert deals["end"] == "trickproof diff pagat six-over"
    assert deals["players"] == ""
    assert {line.no_deal for line in first[1] if line.aspect and not line.deal} == {"none: 3 players vs. 4"}
    assert set(named) <= set(ASPECTS)
    assert {line.rulesets for line in third[1]} == {"weaver-four"}


def test_json_has_classes_and_customs() -> None:
    data = serialised(table_document(make_table([documented("pagat"), documented("six-over")])))
    end = next(one for one in data["aspects"] if one["aspect"] == "end")
    assert (end["differs"], end["deal"]) == (True, {"a": "pagat", "b": "six-over"})
    assert [one["letters"] for one in end["classes"]] == [["A"], ["B"]]
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


def test_customs_are_not_told_of_those_that_contradict_them() -> None:
    """Who deals 17 cards does not deal 16 of them one at a time."""
    (dealing,) = (
        one for one in customs([documented("pagat"), documented("shawn-51")]) if one.custom == "dealing"
    )
    assert [(one.rulesets, one.cites, one.same_as) for one in dealing.says] == [
        (("pagat",), ("pagat-de.s16", "pagat-de.s45"), ("deal",)),
        (("shawn-51",), ("pagat-de.s16",), ("deal",)),
    ]


def test_every_documented_first_dealer_is_encoded() -> None:
    """Seats are counted from whoever deals first: that is how the dealer's variable begins."""
    for name in MAINS:
        ruleset, _ = LIBRARY.load(name)
        assert ruleset is not None
        dealer = ruleset.whole.state["dealer"]
        assert dealer.backing.cites, name
        assert dealer.initial is not None
        assert dealer.initial.value == "0"
