"""The LALR parser of rule text: from the committed tables, or from the grammar where lark cannot read those.

`parser_tables.json` is what lark's `memo_serialize` gives, in a canonical order (the states are numbered breadth
first, whatever lark's order was).  It is data: nothing is unpickled.  It names the grammar and the release of lark
that it was made from; with any other the tables are computed from the grammar, which takes some 0.2 s.

After a change of the grammar a test fails until the file is renewed: `pytest -k current --update`.
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
"""Stands for "without limit" in the widths of terminals, for which every Python has a number of its own."""

Json = dict[str, Any]


@functools.cache
def rule_parser() -> Lark:
    """The parser; one for the whole process, since it keeps no state between texts."""
    try:
        return _from_tables(json.loads(_file().read_text(encoding="utf-8")))
    except Exception:  # lark says nothing about how it refuses tables of another make
        return _from_grammar()


def tables_text() -> str:
    """The tables of the grammar as the file has them: a state on each line, whatever order lark found them in."""
    data, memo = _from_grammar().memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name != "postlex"}
    table = data["parser"].pop("parser")
    states = [json.dumps(state, sort_keys=True) for state in _numbered(table)]
    head = {
        "lark": _release(),
        "grammar": _digest(),
        "data": data,
        "memo": [memo[i] for i in range(len(memo))],
    }
    lines = [
        f"{json.dumps(name)}: {json.dumps(_narrow(value), sort_keys=True)}" for name, value in head.items()
    ]
    return "{" + ",\n".join([*lines, '"states": [\n' + ",\n".join(states) + "\n]"]) + "}\n"


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
    """Raises ValueError where the tables are of another grammar or lark."""
    if (tables["lark"], tables["grammar"]) != (_release(), _digest()):
        raise ValueError("tables of another grammar or release of lark")
    data = tables["data"]
    data["options"]["postlex"] = Indenter()
    data["parser"]["parser"] = _parse_table(tables["states"])
    return Lark.load({"data": data, "memo": dict(enumerate(tables["memo"]))})


def _parse_table(states: list[Json]) -> Json:
    """As lark wants it: a shift is `(0, state)`, a reduction `(1, rule)`; parsing ends after the symbol `start`."""
    tokens = {name: name for state in states for name in state}
    numbered = {
        number: {name: (0, to) if isinstance(to, int) else (1, to) for name, to in state.items()}
        for number, state in enumerate(states)
    }
    end = states[0]["start"]
    return {"tokens": tokens, "states": numbered, "start_states": {"start": 0}, "end_states": {"start": end}}


def _numbered(table: Json) -> list[Json]:
    """The states from the first on, breadth first by the names of tokens; a shift is a number, a reduction a rule."""
    tokens, states = table["tokens"], table["states"]
    (first,) = table["start_states"].values()
    numbers = {first: 0}
    named = []
    queue = [first]
    for state in queue:  # grows as states are met
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


def _narrow(value: Any) -> Any:
    """A value with `WIDEST` for every larger number."""
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
