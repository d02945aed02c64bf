"""The LALR parser of rule text: from the committed tables, or from the grammar if lark cannot load those.

`parser_tables.json` is the output of lark's `memo_serialize`, in a canonical order (states are numbered
breadth first, independently of lark's order) and a compact form: all shifts to a state are on one symbol, and
there are few distinct lookahead sets, so a state is a list of the states that it shifts to and of pairs of a
rule and such a set; rules are the arguments of `rule`, keywords those of `keyword`, and lists of references
to consecutive entries of `memo` are ranges.  It is data: nothing is unpickled.  It records the grammar and the
release of lark that it was made from; for any other the tables are computed from the grammar, which takes some
0.2 s.

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

from trickproof_dsl.syntax.indentation import Indenter
from trickproof_dsl.syntax.reserved_words import grammar_text

FILE = "parser_tables.json"

Json = dict[str, Any]


@functools.cache
def rule_parser() -> Lark:
    """The parser; one per process, since it keeps no state between texts."""
    try:
        return _from_tables(json.loads(_file().read_text(encoding="utf-8"), object_hook=_listed))
    except Exception:  # lark does not document how it rejects tables of another version
        return from_grammar()


def _listed(value: Json) -> object:
    """The references that a range stands for; any other mapping as it is."""
    return [{"@": entry} for entry in range(*value["range"])] if "range" in value else value


def _file() -> Traversable:
    return resources.files("trickproof_dsl.syntax") / FILE


def from_grammar() -> Lark:
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
    if (tables["lark"], tables["grammar"]) != (release(), digest()):
        raise ValueError("tables of another grammar or release of lark")
    data = tables["data"]
    data["options"]["postlex"] = Indenter()
    data["parser"]["parser"] = _parse_table(_unpacked(tables))
    memo = [
        keyword(x) if isinstance(x, str) else rule(*x) if isinstance(x, list) else x for x in tables["memo"]
    ]
    return Lark.load({"data": data, "memo": dict(enumerate(memo))})


def keyword(word: str) -> Json:
    """The terminal of a word of the grammar in lark's form."""
    pattern = {"__type__": "PatternStr", "value": word, "flags": [], "raw": f'"{word}"'}
    name = word.upper().replace("-", "_")
    return {"__type__": "TerminalDef", "name": name, "pattern": pattern, "priority": 0}


def rule(origin: str, alias: str | None, order: int, flags: list[bool], *symbols: str) -> Json:
    """A rule of the grammar in lark's form; `-` marks the symbols that trees leave out."""
    return {
        "__type__": "Rule",
        "origin": _symbol(origin),
        "expansion": [_symbol(symbol) for symbol in symbols],
        "order": order,
        "alias": alias,
        "options": {
            "__type__": "RuleOptions",
            "keep_all_tokens": flags[0],
            "expand1": flags[1],
            "priority": None,
            "template_source": None,
            "empty_indices": (),
        },
    }


def _symbol(name: str) -> Json:
    bare = name.lstrip("-")
    if not bare.strip("_").isupper():
        return {"__type__": "NonTerminal", "name": bare}
    return {"__type__": "Terminal", "name": bare, "filter_out": bare != name}


def _parse_table(states: list[Json]) -> Json:
    """The table in lark's form: shifts are `(0, state)`, reductions `(1, rule)`; parsing ends after `start`."""
    tokens = {name: name for state in states for name in state}
    numbered = {
        number: {name: (0, to) if isinstance(to, int) else (1, to) for name, to in state.items()}
        for number, state in enumerate(states)
    }
    end = states[0]["start"]
    return {"tokens": tokens, "states": numbered, "start_states": {"start": 0}, "end_states": {"start": end}}


def _unpacked(tables: Json) -> list[Json]:
    """The states of the compact form: shifts are numbers of states, reductions rules."""
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


def release() -> str:
    return ".".join(lark.__version__.split(".")[:2])


def digest() -> str:
    return hashlib.sha256(grammar_text().encode()).hexdigest()[:16]
