"""The core as JSON: reading back what was written gives an equal program, and equal meaning equal fingerprints."""

from __future__ import annotations

import json
from typing import Any

import pytest

from budget import slow_but
from dsl.small_games import HAND, NAMES, bundled, game
from trickproof_dsl.core import json_codec as serial
from trickproof_dsl.core.json_codec import canonical, fingerprint, program_from_json, program_json
from trickproof_dsl.core.traversal import walk

EACH = pytest.mark.parametrize("name", NAMES)


@pytest.mark.parametrize("name", slow_but(("pagat", "gamerules", "weaver-four", "draw-two"), NAMES))
@pytest.mark.parametrize("spans", [True, False])
def test_reading_back_is_the_identity(name: str, spans: bool) -> None:
    program = bundled(name).program
    data = json.loads(json.dumps(program_json(program, spans=spans)))
    assert program_from_json(data) == program
    assert fingerprint(program_from_json(data)) == fingerprint(program)
    assert program_json(program_from_json(data), spans=False) == program_json(program, spans=False)


def test_spans_are_places_in_the_file() -> None:
    made = program_json(game("n becomes 1\nif yes:\n    n becomes n + 1").program)
    (rule,) = made["hand"]
    one, branch = rule["body"]
    assert one["span"] == ["small.yaml", HAND, 7, HAND, 18]
    assert branch["then"][0]["span"][1:3] == [HAND + 2, 11]
    assert branch["then"][0]["value"]["right"] == {
        "node": "Literal",
        "type": "integer",
        "value": 1,
        "span": ["small.yaml", HAND + 2, 25, HAND + 2, 26],
    }


def test_spans_read_back_name_the_file() -> None:
    program = program_from_json(program_json(game("n becomes 1").program))
    assert {node.span.source.name for node in walk(program.hand)} == {"small.yaml"}
    plain = program_from_json(program_json(game("n becomes 1").program, spans=False))
    assert {(node.span.source.name, node.span.line) for node in walk(plain.hand)} == {("", 1)}


def test_canonical_form_is_json_without_spans() -> None:
    text = canonical(bundled("pagat").program)
    assert text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":")).encode()
    assert b'"span"' not in text


def test_layout_and_remarks_do_not_matter() -> None:
    broad = "if n > 0 and\n        n < 9:\n    # a remark\n    n becomes\n        n + 1"
    narrow = "if n > 0 and n < 9:\n    n becomes n + 1"
    a, b, other = (fingerprint(game(text).program) for text in (broad, narrow, narrow + "0"))
    assert a == b != other


def test_names_of_what_is_gone_through_do_not_matter() -> None:
    text = "for {p} in players with m > 0:\n    n becomes m of {p}"
    a, b = (fingerprint(game(text.format(p=name)).program) for name in ("p", "someone"))
    assert a == b


def test_the_order_of_rules_does_not_matter() -> None:
    text = "do a\ndo b\nfor p in players, simultaneously:\n    p lays 1 card of hand as kept of p"
    a = "a: {rule: n becomes sum of m for players, assumes: a test}\n"
    b = "b: {rule: n becomes highest m among players, assumes: a test}\n"
    assert fingerprint(game(text, a + b).program) == fingerprint(game(text, b + a).program)


def test_different_rulesets_have_different_fingerprints() -> None:
    prints = {name: fingerprint(bundled(name).program) for name in NAMES if name != "gamerules-mirror"}
    assert len(set(prints.values())) == len(prints)


BROKEN: dict[str, Any] = {
    "no-program": [],
    "other-node": {"node": "Place"},
    "field-missing": lambda d: d.pop("hand"),
    "field-too-many": lambda d: d.update(extra=1),
    "wrong-type": lambda d: d.update(players="3"),
    "truth-for-number": lambda d: d.update(players=True),
    "unknown-node": lambda d: d["hand"][0].update(node="Goto"),
    "node-of-another-kind": lambda d: d["hand"].append({"node": "Universe", "type": "players"}),
    "unknown-type": lambda d: d["variables"]["trump"].update(type="number"),
    "bare-option": lambda d: d["variables"]["trump"].update(type="option"),
    "odd-type": lambda d: d["variables"]["trump"].update(type=3),
    "list-for-mapping": lambda d: d.update(zones=[]),
    "mapping-for-list": lambda d: d.update(setup={}),
    "pair-of-three": lambda d: d["rules"]["exchange-returns"]["parameters"][0].append("x"),
    "bad-span": lambda d: d["hand"][0].update(span=["x", 1]),
    "bad-span-place": lambda d: d["hand"][0].update(span=["x", 1, 1, 1, "1"]),
    "unknown-word": lambda d: d["deck"].update(node="deck"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_data_is_refused(name: str) -> None:
    data = json.loads(json.dumps(program_json(bundled("pagat").program)))
    change = BROKEN[name]
    if callable(change):
        change(data)
    else:
        data = change
    with pytest.raises(ValueError, match="not a core program"):
        program_from_json(data)


def test_the_form_is_part_of_the_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    program = game("n becomes 1").program
    before = fingerprint(program)
    monkeypatch.setattr(serial, "FORMAT", serial.FORMAT + 1)
    assert fingerprint(program) != before
