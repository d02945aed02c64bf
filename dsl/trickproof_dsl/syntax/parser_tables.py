"""The LALR parser of rule text: from the committed tables, or from the grammar if lark cannot load those.

`parser_tables.json` is the output of lark's `memo_serialize`, in a canonical order (states are numbered
breadth first, independently of lark's order) and a compact form: all shifts to a state are on one symbol, and
there are few distinct lookahead sets, so a state is a list of the states that it shifts to and of pairs of a
rule and such a set.  It is data: nothing is unpickled.  It records the grammar and the release of lark that
it was made from; for any other the tables are computed from the grammar, which takes some 0.2 s.

After a change of the grammar a test fails until the file is regenerated: `pytest -k current --update`.
"""

from __future__ import annotations

import functools
import hashlib
import json
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from trickproof_dsl.syntax.indentation import Indenter
from trickproof_dsl.syntax.reserved_words import grammar_text

FILE = "parser_tables.json"
WIDEST = 1 << 31
"""Represents "without limit" in the widths of terminals, whose actual value varies between Python versions."""

Json = dict[str, Any]


@functools.cache
def rule_parser() -> Lark:
    """The parser; one per process, since it keeps no state between texts."""
    try:
        return _from_tables(json.loads(_file().read_text(encoding="utf-8")))
    except Exception:  # lark does not document how it rejects tables of another version
        return _from_grammar()


def tables_text() -> str:
    """The tables of the grammar as stored in the file: one state per line, in canonical order."""
    data, memo = _from_grammar().memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name != "postlex"}
    table = data["parser"].pop("parser")
    parts = {
        "lark": _release(),
        "grammar": _digest(),
        "data": data,
        "memo": [memo[i] for i in range(len(memo))],
        **_packed(_numbered(table)),
    }
    lines = [f"{json.dumps(name)}: {_text(_narrow(value))}" for name, value in parts.items()]
    return "{" + ",\n".join(lines) + "}\n"


def _file() -> Traversable:
    return resources.files("trickproof_dsl.syntax") / FILE


def _from_grammar() -> Lark:
    return Lark(
        grammar_text(),
        parser="lalr",
        lexer="basic",
        postlex=Indenter(),
        propagate_positions=True,
        maybe_placeholders=False,
    )


def _from_tables(tables: Json) -> Lark:
    """Load the parser.  Raises ValueError if the tables are for another grammar or lark."""
    if (tables["lark"], tables["grammar"]) != (_release(), _digest()):
        raise ValueError("tables of another grammar or release of lark")
    data = tables["data"]
    data["options"]["postlex"] = Indenter()
    data["parser"]["parser"] = _parse_table(_unpacked(tables))
    return Lark.load({"data": data, "memo": dict(enumerate(tables["memo"]))})


def _parse_table(states: list[Json]) -> Json:
    """The table in lark's form: shifts are `(0, state)`, reductions `(1, rule)`; parsing ends after `start`."""
    tokens = {name: name for state in states for name in state}
    numbered = {
        number: {name: (0, to) if isinstance(to, int) else (1, to) for name, to in state.items()}
        for number, state in enumerate(states)
    }
    end = states[0]["start"]
    return {"tokens": tokens, "states": numbered, "start_states": {"start": 0}, "end_states": {"start": end}}


def _numbered(table: Json) -> list[Json]:
    """The states, breadth first from the start by names of tokens; a shift is a number, a reduction a rule."""
    tokens, states = table["tokens"], table["states"]
    (first,) = table["start_states"].values()
    numbers = {first: 0}
    named = []
    queue = [first]
    for state in queue:  # grows as states are discovered
        actions = {tokens[token]: action for token, action in states[state].items()}
        row: Json = {}
        for name in sorted(actions):
            reduces, to = actions[name]
            if not reduces and to not in numbers:
                numbers[to] = len(queue)
                queue.append(to)
            row[name] = to if reduces else numbers[to]
        named.append(row)
    return named


def _packed(states: list[Json]) -> Json:
    """The compact form: the symbol that leads to each state, the lookahead sets, the states in terms of both."""
    symbols = [""] * len(states)
    sets: dict[tuple[str, ...], int] = {}
    rows = []
    for state in states:
        shifts = [to for to in state.values() if isinstance(to, int)]
        symbols_of: dict[str, list[str]] = {}
        for symbol, to in sorted(state.items()):
            if isinstance(to, int):
                symbols[to] = symbol
            else:
                symbols_of.setdefault(json.dumps(to), []).append(symbol)
        reductions = [
            [json.loads(rule), sets.setdefault(tuple(ahead), len(sets))] for rule, ahead in symbols_of.items()
        ]
        rows.append([*sorted(shifts), *reductions])
    return {"symbols": symbols, "sets": list(sets), "states": rows}


def _unpacked(tables: Json) -> list[Json]:
    """The inverse of `_packed`."""
    symbols, sets = tables["symbols"], tables["sets"]
    states: list[Json] = []
    for row in tables["states"]:
        state: Json = {}
        for action in row:
            match action:
                case int():
                    state[symbols[action]] = action
                case [rule, number]:
                    state |= dict.fromkeys(sets[number], rule)
        states.append(state)
    return states


def _text(value: Any) -> str:
    """JSON with one entry per line for long values."""
    if isinstance(value, list):
        return (
            "[\n"
            + ",\n".join(json.dumps(one, sort_keys=True, separators=(",", ":")) for one in value)
            + "\n]"
        )
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _narrow(value: Any) -> Any:
    """The value with larger numbers replaced by `WIDEST`."""
    match value:
        case dict():
            return {name: _narrow(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_narrow(inner) for inner in value]
        case int() if value > WIDEST:
            return WIDEST
        case _:
            return value


def _release() -> str:
    return ".".join(lark.__version__.split(".")[:2])


def _digest() -> str:
    return hashlib.sha256(grammar_text().encode()).hexdigest()
