"""What a ruleset file and a document file say, and every message about their fields."""

from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from trickproof_dsl.diagnostics.diagnostic import render
from trickproof_dsl.diagnostics.source import Source
from trickproof_dsl.files.decode_document import decode_document
from trickproof_dsl.files.decode_ruleset import decode_ruleset
from trickproof_dsl.files.model import RulesetFile, Word
from trickproof_dsl.files.yaml_tree import read_source

ROOT = Path(__file__).parents[3]
SAMPLE = (ROOT / "tests/cases/decode/sample.yaml").read_text(encoding="utf-8")


def ruleset(text: str = SAMPLE) -> RulesetFile:
    file, found = decode_ruleset(Source("sample.yaml", text))
    assert not found, render(found)
    assert file is not None
    return file


def values(words: tuple[Word, ...]) -> list[str]:
    return [word.value for word in words]


def test_head() -> None:
    file = ruleset()
    assert file.id.value == "four-handed"
    assert file.title == Word("Sergeant Major for four", file.id.span)
    assert file.extends is not None
    assert file.extends.value == "nine-five-two"
    assert values(file.documents) == ["pagat-de", "gamerules"]


def test_players() -> None:
    players = ruleset().players
    assert players is not None
    assert (players.number, players.teams) == (4, ((0, 2), (1, 3)))
    assert values(players.backing.cites) == ["pagat-de.s6"]
    short = ruleset("ruleset: a\ntitle: A\nplayers: 3").players
    assert short is not None
    assert (short.number, short.teams, short.span.text) == (3, (), "3")


def test_deck() -> None:
    deck = ruleset().deck
    assert deck is not None
    assert deck.ranks is not None
    assert deck.suits is not None
    assert [(letter.value, name.value) for letter, name in deck.ranks] == [
        ("2", "two"),
        ("3", "three"),
        ("B", "bishop"),
        ("T", "ten"),
        ("A", "ace"),
    ]
    assert [(letter.span.text, name.span.text) for letter, name in deck.suits] == [("C", "C"), ("X", "stars")]
    assert deck.cards is None
    assert values(deck.without or ()) == ["2C", "AX"]
    assert values(deck.backing.assumes) == ["nobody plays with jokers", "backs do not differ"]


def test_names_for_rules() -> None:
    file = ruleset()
    assert {name: one.values for name, one in file.parameters.items()} == {
        "goal": (10, 20),
        "rounds": (-1, 0, 1, 2),
        "stake": (5,),
    }
    assert values(file.options["call"].values) == ["pass", "solo"]
    score, due = file.state["score"], file.state["due"]
    assert (score.type.value, values(score.of), score.carried) == ("integer", ["player"], True)
    assert score.initial == Word("0", score.span)
    assert (values(due.of), due.carried, due.initial) == (["player", "player"], False, None)
    assert file.zones["hand"].seen_by == Word("owner", file.id.span)
    assert (file.zones["kitty"].of, file.zones["kitty"].seen_by) == ((), None)
    assert (file.moves["give"].verb.value, file.moves["give"].shows) == ("gives", False)
    assert (file.moves["show"].to, file.moves["show"].shows) == (None, True)


def test_rules() -> None:
    rules = ruleset().rules
    follow, order = rules["follow"], rules["exchange-order"]
    assert follow.text is not None
    assert follow.text.text == (
        "      if some card in hand has suit = led\n        then cards in hand with suit = led else hand"
    )
    assert [(kind.value, name.value) for kind, name in order.parameters] == [
        ("player", "giver"),
        ("player", "taker"),
    ]
    assert [reading.text.text for reading in order.readings] == ["target of giver", "1"]
    assert [bool(reading.says) for reading in order.readings] == [True, False]
    assert rules["reveal"].silent is not None
    assert rules["kitty-size"].gives == Word("integer", follow.span)
    assert rules["kitty-size"].text is None


def test_invariants_examples_known() -> None:
    file = ruleset()
    assert {name: one.when.value for name, one in file.invariants.items()} == {
        "conserved": "always",
        "all-played": "hand-ends",
    }
    assert file.invariants["all-played"].text.text == "hand is empty"
    (example,) = file.examples
    assert example.given == {"tricks": [5, -3, "7"], "dealer": None, "open": True, "time": "12:30"}
    assert example.when == [{"play": "AS"}]
    assert example.then == {"score": {"west": "010"}}
    assert example.run == Word("scoring", file.id.span)
    assert [(one.check.value, one.reason.value) for one in file.known] == [
        ("unique-winner", "the document forgets ties")
    ]


def test_every_word_has_its_place() -> None:
    """Except for defaults, the text at the span of a word is the word."""

    def words(value: object) -> list[Word]:
        if isinstance(value, Word):
            return [value]
        parts: list[object] = []
        if is_dataclass(value):
            parts = [getattr(value, field.name) for field in fields(value)]
        elif isinstance(value, dict):
            parts = [*value.values()]
        elif isinstance(value, tuple | list):
            parts = [*value]
        return [word for part in parts for word in words(part)]

    moved = [(word.value, word.span.text) for word in words(ruleset()) if word.value != word.span.text]
    assert moved == [
        ("two", "2"),
        ("three", "3"),
        ("ten", "T"),
        ("ace", "A"),
        ("clubs", "C"),
        ("hand-ends", "all-played"),
    ]


@pytest.mark.parametrize("style", ["'2C 3C'", "|\n    2C\n    3C", ">-  # why\n    2C\n    3C", "2C\n    3C"])
def test_words_in_every_style_of_text(style: str) -> None:
    deck = ruleset(f"ruleset: a\ntitle: A\ndeck:\n  without: {style}\n").deck
    assert deck is not None
    assert [word.span.text for word in deck.without or ()] == ["2C", "3C"]


def test_words_in_escaped_text_have_the_place_of_the_text() -> None:
    deck = ruleset('ruleset: a\ntitle: A\ndeck: {without: "\\x32C 3C"}').deck
    assert deck is not None
    assert [(word.value, word.span.text) for word in deck.without or ()] == [
        ("2C", '"\\x32C 3C"'),
        ("3C", '"\\x32C 3C"'),
    ]


def test_a_full_deck_by_its_cards() -> None:
    text = " ".join(rank + suit for suit in "CDHS" for rank in "23456789TJQKA")
    deck = ruleset(f"ruleset: a\ntitle: A\ndeck:\n  cards: >\n    {text}\n").deck
    assert deck is not None
    assert len(deck.cards or ()) == 52
    assert deck.ranks is None


def test_extends_may_be_a_path() -> None:
    file = ruleset("ruleset: a\nextends: ../house/base.yaml")
    assert file.extends is not None
    assert (file.extends.value, file.title) == ("../house/base.yaml", None)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "rulesets/documents").glob("*.yaml")), ids=lambda path: path.stem
)
def test_registered_documents(path: Path) -> None:
    source = read_source(path)
    assert isinstance(source, Source)
    document, found = decode_document(source)
    assert not found, render(found)
    assert document is not None
    assert document.id.value == path.stem
    assert all(key == statement.id for key, statement in document.statements.items())


def test_document() -> None:
    text = """document: a-b
title: Nine five two
author: Somebody
language: de
date: 2018-05
original: https://example.org/a
statements:
  s1:
    at: {section: 9-5-2, paragraph: 1, sentence: 2, item: 3}
    kind: rule
    says: >
      Three people
      play.
  s2: {at: {section: text}, kind: advice, says: Smile., damaged: true}
"""
    document, found = decode_document(Source("a.yaml", text))
    assert not found, render(found)
    assert document is not None
    assert (document.title, document.author, document.date) == ("Nine five two", "Somebody", "2018-05")
    first, second = document.statements.values()
    assert (first.section, first.paragraph, first.sentence, first.item) == ("9-5-2", 1, 2, 3)
    assert (first.kind, first.says, first.damaged) == ("rule", "Three people play.", False)
    assert (second.paragraph, second.damaged, second.span.line) == (None, True, 14)


# What a schema cannot see: text of the head that follows `ruleset` and `title`, code and underlined text.
ONLY_HERE = {
    "rule-text-folded": ("rules: {a: {rule: 'it''s'}}", "E106", "'it''s'"),
    "rule-text-over-lines": ("rules:\n  a:\n    rule: tricks\n      + 1", "E106", "tricks\n      + 1"),
    "card-twice": ("deck: {without: 2C 3C 2C}", "E112", "2C"),
    "rank-twice": ("deck: {ranks: 2 3 2}", "E112", "2"),
    "rank-name-twice": ("deck: {ranks: 2 B=two}", "E112", "two"),
    "rank-name-reserved": ("deck: {ranks: 2 B=top}", "E111", "top"),
    "option-reserved": ("options: {call: pass | every}", "E111", "every"),
    "option-twice": ("options: {call: pass | pass}", "E112", "pass"),
    "value-twice": ("parameters: {goal: 10 | 10}", "E112", "10"),
    "range-downwards": ("parameters: {goal: 16 .. 10}", "E107", "16 .. 10"),
    "range-too-long": ("parameters: {goal: 0 .. 9999}", "E107", "0 .. 9999"),
    "seat-twice": (
        "players: {number: 4, teams: [[0, 1], [1, 2]]}",
        "E408",
        "{number: 4, teams: [[0, 1], [1, 2]]}",
    ),
    "reading-twice": (
        "rules: {a: {readings: [{name: b, rule: x}, {name: b, rule: y}]}}",
        "E112",
        "b",
    ),
    "parameter-reserved": ("rules: {a: {of: player no, rule: x}}", "E111", "no"),
}


@pytest.mark.parametrize("case", ONLY_HERE)
def test_mistakes_only_the_decoder_sees(case: str) -> None:
    text, code, place = ONLY_HERE[case]
    file, found = decode_ruleset(Source("a.yaml", f"ruleset: a\ntitle: A\n{text}\n"))
    assert file is None
    assert [(one.code, one.span and one.span.text) for one in found] == [(code, place)]


def test_messages() -> None:
    """Several errors in one file, each in its place and with what helps."""
    text = """ruleset: Nine Five
tittle: 9-5-2
players: "3"
deck: {without: 2c, cards: AS}
zones: {cards: {seen-by: ownr}}
rules:
  end: some player has tricks >= 12
  show:
    rule: x
    silent: nothing is said
    cites: pagat-de.s3
  lead: {cites: []}
"""
    file, found = decode_ruleset(Source("a.yaml", text))
    assert file is None
    assert [f"{one.span and one.span.line} {one.code} {one.message} / {one.suggestion}" for one in found] == [
        "1 E104 bad id `Nine Five`: expected lower-case letters, digits and single hyphens, beginning with a letter"
        " / did you mean `nine-five`?",
        "2 E101 unknown field `tittle`: expected `title` / did you mean `title`?",
        "3 E103 expected an integer from 2 to 8, found text `3` / remove the quotes",
        "4 E113 cannot read `2c`: expected a card such as `2C` / write `2C`",
        "4 E109 `cards` cannot be combined with `without` / keep one of the two",
        "5 E111 `cards` is a word of the rule language: expected another name / None",
        "5 E105 unknown value `ownr`: expected `owner`, `everyone` or `nobody` / did you mean `owner`?",
        "7 E103 expected a mapping with `rule:`, found text `some player has tricks >= 12`"
        " / put the text under `rule:`",
        "10 E109 `silent` cannot be combined with `rule` / keep one of the two",
        "11 E103 expected a list of citations, found text `pagat-de.s3` / write it in brackets: `[pagat-de.s3]`",
        "12 E107 `0` is out of range: expected at least 1 in the list / None",
    ]


def test_a_rule_among_the_fields_of_the_file_belongs_under_rules() -> None:
    _, found = decode_ruleset(Source("a.yaml", "ruleset: a\nextends: pagat\ntargets: 9 5 2\n"))
    assert [(d.message, d.suggestion) for d in found] == [
        ("`targets` must be under `rules`", "write `rules:` and indent `targets:` under it")
    ]


def test_a_field_of_a_rule_among_the_fields_of_the_file_belongs_to_a_rule() -> None:
    _, found = decode_ruleset(Source("a.yaml", "ruleset: a\nextends: pagat\nassumes: we agreed\n"))
    assert [d.suggestion for d in found] == [
        "`assumes` belongs to a rule: put it under the rule's name in `rules`"
    ]


def test_a_broken_file_has_no_values() -> None:
    assert decode_ruleset(Source("a.yaml", "ruleset: [a"))[0] is None
    assert [one.code for one in decode_document(Source("a.yaml", ""))[1]] == ["E016"]


def test_brackets_are_advised_only_around_an_item_of_the_list() -> None:
    """`teams: opposite` was said to need brackets, and then two of them."""
    text = "ruleset: mine\ntitle: Mine\nplayers: {number: 4, teams: opposite, assumes: ours}\n"
    _, wrong = decode_ruleset(Source("mine.yaml", text))
    assert [(d.message, d.suggestion) for d in wrong] == [
        ("expected a list of teams such as `[[0, 2], [1, 3]]`, found text `opposite`", None)
    ]
