"""Writes `parser_tables.json` from the grammar; not part of the wheel."""

from __future__ import annotations

import json
from typing import Any

from lark.grammar import Rule
from lark.lexer import TerminalDef

from trickproof_dsl.syntax.parser_tables import Json, digest, from_grammar, keyword, release, rule

WIDEST = 1 << 31
"""Represents "without limit" in the widths of terminals, whose actual value varies between Python versions."""


def tables_text() -> str:
    """The tables of the grammar as stored in the file: one state per line, in canonical order."""
    data, memo = from_grammar().memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name != "postlex"}
    table = data["parser"].pop("parser")
    parts = {
        "lark": release(),
        "grammar": digest(),
        "data": _ranges(data),
        "memo": [_entry(memo[i]) for i in range(len(memo))],
        **_packed(_numbered(table)),
    }
    lines = [f"{json.dumps(name)}: {_text(_narrow(value))}" for name, value in parts.items()]
    return "{" + ",\n".join(lines) + "}\n"


def _entry(entry: Json) -> Any:
    """An entry of `memo`: a rule as the arguments of `rule`, a keyword as its word, another terminal as it is."""
    if entry["__type__"] != "Rule":
        word = entry["pattern"]["value"]
        plain = {**entry, "pattern": {**entry["pattern"], "flags": [*entry["pattern"]["flags"]]}}
        return word if plain == keyword(word) else entry
    options = entry["options"]
    symbols = ("-" * x.get("filter_out", False) + x["name"] for x in entry["expansion"])
    flags = [options["keep_all_tokens"], options["expand1"]]
    packed = [entry["origin"]["name"], entry["alias"], entry["order"], flags, *symbols]
    assert rule(*packed) == entry
    return packed


def _ranges(value: Any) -> Any:
    """The value with lists of references to consecutive entries as ranges of them."""
    if isinstance(value, list) and value and all(isinstance(x, dict) and "@" in x for x in value):
        first, end = value[0]["@"], value[-1]["@"] + 1
        return {"range": [first, end]} if [x["@"] for x in value] == [*range(first, end)] else value
    return {name: _ranges(inner) for name, inner in value.items()} if isinstance(value, dict) else value


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
