"""The LALR parser of rule text: from the committed tables, or from the grammar where lark cannot read those.

`parser_tables.json` is what lark's `memo_serialize` gives, in a canonical order (the states are numbered breadth
first, whatever lark's order was) and a small form: all shifts to a state are by one symbol, and few sets of symbols
are looked ahead at, so a state is a list of the states that it shifts to and of pairs of a rule and such a set.  It is
data: nothing is unpickled.  It names the grammar and the release of lark that it was made from; with any other the
tables are computed from the grammar, which takes some 0.2 s.

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
    """Raises ValueError where the tables are of another grammar or lark."""
    if (tables["lark"], tables["grammar"]) != (_release(), _digest()):
        raise ValueError("tables of another grammar or release of lark")
    data = tables["data"]
    data["options"]["postlex"] = Indenter()
    data["parser"]["parser"] = _parse_table(_unpacked(tables))
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


def _packed(states: list[Json]) -> Json:
    """The small form: the symbol that leads to each state, the sets of symbols, the states by both."""
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
    """The states of `_packed`, as `_numbered` gave them."""
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
    """A line an entry, where there are many."""
    if isinstance(value, list):
        return (
            "[\n"
            + ",\n".join(json.dumps(one, sort_keys=True, separators=(",", ":")) for one in value)
            + "\n]"
        )
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


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
