"""The JSON Schemas: current, valid, and of one mind with the decoder."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from trickproof_dsl.diagnostics.source import Source
from trickproof_dsl.files.decode_document import decode_document
from trickproof_dsl.files.decode_ruleset import decode_ruleset
from trickproof_dsl.files.field_spec import as_json_value
from trickproof_dsl.files.json_schema import document_schema, ruleset_schema, schema_files
from trickproof_dsl.files.model import Json
from trickproof_dsl.files.yaml_tree import load_tree, read_source

ROOT = Path(__file__).parents[3]
SAMPLE = (ROOT / "tests/cases/decode/sample.yaml").read_text(encoding="utf-8")
RULESETS = Draft7Validator(ruleset_schema())
DOCUMENTS = Draft7Validator(document_schema())


def as_editors_read(source: Source) -> Json:
    tree, found = load_tree(source)
    assert tree is not None
    assert not found
    return as_json_value(tree)


@pytest.mark.parametrize("name", schema_files())
def test_committed_files_are_current(name: str, generated: Callable[[Path, str], None]) -> None:
    generated(ROOT / "rulesets/schema" / name, schema_files()[name])


@pytest.mark.parametrize("schema", [ruleset_schema(), document_schema()], ids=["ruleset", "document"])
def test_valid_closed_and_described(schema: dict[str, Any]) -> None:
    Draft7Validator.check_schema(schema)
    for record in records(schema):
        assert record["additionalProperties"] is False
        for name, field in record["properties"].items():
            assert field["description"].endswith("."), name


def records(schema: object) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict) and "type" in schema:
            yield schema
        for part in schema.values():
            yield from records(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from records(part)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "rulesets/documents").glob("*.yaml")), ids=lambda path: path.stem
)
def test_registered_documents(path: Path) -> None:
    source = read_source(path)
    assert isinstance(source, Source)
    DOCUMENTS.validate(as_editors_read(source))


def test_sample_ruleset() -> None:
    RULESETS.validate(as_editors_read(Source("sample.yaml", SAMPLE)))


# What follows `ruleset: a` and `title: A`.
ACCEPTED = [
    "players: 3",
    "players: {number: 2}",
    "extends: ../house/a.yaml",
    "deck: {ranks: A K, suits: C}",
    "deck: {cards: '2C  3D'}",
    "parameters: {goal: 5, low: -3..3, both: 1|2}",
    "options: {call: pass}",
    "zones: {kitty: {}}",
    "rules: {a: {rule: 12}, b: {rule: true}, c: {silent: no}}",
    "rules: {a: {gives: cards, assumes: [x, 12]}}",
    "known: {some: x}",
    "inherits: {cites: [a.s1]}",
    "inherits: [{cites: [a.s1], rules: [end, players]}, {assumes: [x, y]}]",
    "rules: {a: {rule: 12, cites: [a.s1], contradicts: [a.s2]}}",
    "examples: {a: {then: {}, given: {b: [1, {c: null}]}}}",
]

# Code, underlined text.
MISTAKES = {
    "colour: red": ("E101", "colour"),
    "zones: {hand: {seen_by: owner}}": ("E101", "seen_by"),
    "state: {score: {of: player}}": ("E102", "of"),
    "moves: {give: {}}": ("E102", "{}"),
    "players: three": ("E103", "three"),
    "players: 1": ("E107", "1"),
    "players: {number: 99}": ("E107", "99"),
    "players: {teams: [[0], [1]]}": ("E102", "teams"),
    "documents: pagat-de": ("E103", "pagat-de"),
    "documents: []": ("E107", "[]"),
    "documents: [a, a]": ("E112", "a"),
    "documents: [Pagat]": ("E104", "Pagat"),
    "documents: [true]": ("E103", "true"),
    "extends: ''": ("E108", "extends"),
    "extends: /etc/a.yaml": ("E113", "/etc/a.yaml"),
    "extends: a.yml": ("E113", "a.yml"),
    "deck: {ranks: A B}": ("E113", "B"),
    "deck: {ranks: A}": ("E107", "A"),
    "deck: {ranks: A 10}": ("E113", "10"),
    "deck: {suits: C 5=fives}": ("E113", "5=fives"),
    "deck: {suits: C X=Stars}": ("E104", "Stars"),
    "deck: {without: 2C-3C}": ("E113", "2C-3C"),
    "deck: {without: [2C, 3C]}": ("E103", "[2C, 3C]"),
    "deck: {without: 2C, cards: 3C}": ("E109", "cards"),
    "parameters: {goal: ten}": ("E113", "ten"),
    "parameters: {goal: 010}": ("E113", "010"),
    "parameters: {goal: 10 | }": ("E113", "10 |"),
    "parameters: {goal: [10, 20]}": ("E103", "[10, 20]"),
    "parameters: {goal: 1000000}": ("E113", "1000000"),
    "parameters: {players: 3}": ("E111", "players"),
    "options: {call: pass solo}": ("E113", "pass solo"),
    "options: {call: pass | Solo}": ("E104", "Solo"),
    "state: {score: {type: integer, carried: yes}}": ("E103", "yes"),
    "state: {score: {type: integer, of: []}}": ("E103", "[]"),
    "zones: {hand: {seen-by: all}}": ("E105", "all"),
    "zones: {hand: }": ("E108", "hand"),
    "zones: [hand]": ("E103", "[hand]"),
    "moves: {give: {verb: gives away}}": ("E104", "gives away"),
    "moves: {give: {verb: deal}}": ("E111", "deal"),
    "zones: {' hand': {}}": ("E104", " hand"),
    "rules: {a-: {rule: x}}": ("E104", "a-"),
    "rules: {end: some player has tricks}": ("E103", "some player has tricks"),
    "rules: {a: {silent: x, assumes: y}}": ("E109", "assumes"),
    "rules: {a: {rule: [x]}}": ("E103", "[x]"),
    "rules: {a: {rule: x, cites: [s1]}}": ("E113", "s1"),
    "rules: {a: {rule: x, of: p}}": ("E113", "p"),
    "rules: {a: {readings: [{name: b, rule: x}]}}": ("E107", "[{name: b, rule: x}]"),
    "rules: {a: {readings: [{name: b, rule: x}, {name: if, rule: y}]}}": ("E111", "if"),
    "rules: {a: {readings: [{name: b, rule: x}, {rule: y}]}}": ("E102", "rule"),
    "invariants: {a: {rule: x, when: never}}": ("E105", "never"),
    "examples: {a: {given: {}}}": ("E102", "given"),
    "examples: {a: {then: [1]}}": ("E103", "[1]"),
    "examples: {a: {then: {}, when: [play]}}": ("E103", "play"),
    "known: {a: null}": ("E108", "a"),
    "inherits: a.s1": ("E103", "a.s1"),
    "inherits: []": ("E103", "[]"),
    "inherits: {rules: [end]}": ("E110", "rules"),
    "inherits: {cites: [a.s1], rules: []}": ("E107", "[]"),
    "inherits: [{assumes: x, rules: [end, end]}]": ("E112", "end"),
    "inherits: {assumes: x, rule: [end]}": ("E101", "rule"),
    "rules: {a: {rule: x, contradicts: s1}}": ("E103", "s1"),
}

DOCUMENT = "document: a\ntitle: A\nlanguage: en\nstatements:\n  s1: {at: {section: b}, kind: rule, says: c}\n"

# What is replaced in DOCUMENT, by what, code, underlined text.
DOCUMENT_MISTAKES = [
    ("title: A\n", "", "E102", "document"),
    ("language: en", "language: English", "E113", "English"),
    ("language: en", "language: en\ndate: 2018", "E103", "2018"),
    ("language: en", "language: en\ndate: 30.5.2018", "E113", "30.5.2018"),
    ("kind: rule", "kind: ruel", "E105", "ruel"),
    ("section: b", "section: b, paragraph: 0", "E107", "0"),
    ("section: b", "paragraph: 1", "E102", "paragraph"),
    ("says: c", "says: [c]", "E103", "[c]"),
    ("says: c", "says: c, damaged: 1", "E103", "1"),
    ("says: c", "says: c, damaged: yes", "E103", "yes"),
    ("says: c", "says: c, damaged: [x]", "E103", "[x]"),
    ("s1:", "S1:", "E104", "S1"),
]


@pytest.mark.parametrize(
    ("damaged", "expected"),
    [
        ("true", (True, None)),
        ("false", (False, None)),
        ("the giver, not the taker", (True, "the giver, not the taker")),
    ],
)
def test_what_a_damaged_statement_is_taken_to_mean(damaged: str, expected: tuple[bool, str | None]) -> None:
    source = Source(
        "a.yaml",
        DOCUMENT.replace(
            "says: c", f"says: c, damaged: '{damaged}'" if "," in damaged else f"says: c, damaged: {damaged}"
        ),
    )
    DOCUMENTS.validate(as_editors_read(source))
    document, found = decode_document(source)
    assert document is not None, found
    statement = document.statements["s1"]
    assert (statement.damaged, statement.meant) == expected


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted_by_both(text: str) -> None:
    source = Source("a.yaml", f"ruleset: a\ntitle: A\n{text}\n")
    file, found = decode_ruleset(source)
    assert [one.message for one in found] == []
    assert file is not None
    RULESETS.validate(as_editors_read(source))


@pytest.mark.parametrize("text", MISTAKES)
def test_refused_by_both(text: str) -> None:
    source = Source("a.yaml", f"ruleset: a\ntitle: A\n{text}\n")
    file, found = decode_ruleset(source)
    assert file is None
    assert [(one.code, one.span and one.span.text) for one in found] == [MISTAKES[text]]
    assert not RULESETS.is_valid(as_editors_read(source))


@pytest.mark.parametrize("text", ["title: A", "ruleset: a", "ruleset: 952\ntitle: A"])
def test_head_refused_by_both(text: str) -> None:
    source = Source("a.yaml", text)
    assert decode_ruleset(source)[0] is None
    assert not RULESETS.is_valid(as_editors_read(source))


@pytest.mark.parametrize(("old", "new", "code", "place"), DOCUMENT_MISTAKES)
def test_documents_refused_by_both(old: str, new: str, code: str, place: str) -> None:
    DOCUMENTS.validate(as_editors_read(Source("a.yaml", DOCUMENT)))
    source = Source("a.yaml", DOCUMENT.replace(old, new))
    document, found = decode_document(source)
    assert document is None
    assert [(one.code, one.span and one.span.text) for one in found] == [(code, place)]
    assert not DOCUMENTS.is_valid(as_editors_read(source))
