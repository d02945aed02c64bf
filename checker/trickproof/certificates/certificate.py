"""Parses certificates: JSON Lines with, for each ruleset, a header, named parts, and nodes that follow their premises.

Parts are SMT-LIB terms over constants and earlier parts, with operators from a fixed list, so that a term can
be nothing but a term. Raises `MalformedError` with the line.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from trickproof_dsl import core as c
from trickproof_dsl.core.json_codec import program_json
from trickproof_dsl.diagnostics.diagnostic import escaped
from trickproof_dsl.scenarios.strict_json import BadJsonError, read_json

VERSION = 4

LONGEST_LINE = 4_000_000
"""Maximum length of a line in bytes."""

LONGEST_TOLD = 200
"""Maximum length in characters of an error message, which may quote names from the certificate."""

LARGEST_FILE = 200_000_000
"""Maximum size in bytes of all certificates in a file."""

MOST_BITS = 9999
"""Maximum width of a bit-vector, and of an extraction from one or an extension."""

MOST_CONSTANTS = 5_000_000
"""Maximum number of constants over all parts, counting each once per part that contains it; this bounds memory."""

MOST_DIGITS = 100
"""Maximum number of digits in a number."""

RULES = {
    "unsat": frozenset({"facts", "counts", "bits"}),
    "path": frozenset({"facts", "counts", "bits", "obligations", "head", "entry"}),
    "split": frozenset({"facts", "cases", "declared", "values"}),
    "segment": frozenset({"loop"}),
    "loop": frozenset({"loop", "candidates"}),
    "deals": frozenset[str](),
    "conjunct": frozenset[str](),
    "step": frozenset(
        [
            "parameters",
            "readings",
            "dealer",
            "facts",
            "begin",
            "after",
            "following",
            "ended",
            "over",
            "broken",
            "interrupted",
            "nameless",
            "winners",
        ]
    ),
    "last": frozenset[str](),
    "match": frozenset({"sums", "held"}),
    "ends": frozenset({"sums"}),
    "rank": frozenset({"sum", "falls", "grows", "rounds", "bound", "kept"}),
    "unroll": frozenset({"deals"}),
    "states": frozenset({"keys", "states", "following"}),
    "run": frozenset({"match"}),
    "reached": frozenset[str](),
    "refuted": frozenset[str](),
}
"""The rules, and the parts that a node of each may have."""

OPERATORS = frozenset(
    [
        "and",
        "div",
        "mod",
        "abs",
        "or",
        "not",
        "=>",
        "xor",
        "=",
        "distinct",
        "ite",
        "+",
        "-",
        "*",
        "<=",
        "<",
        ">=",
        ">",
        "bvand",
        "bvor",
        "bvxor",
        "bvnot",
        "bvneg",
        "bvadd",
        "bvsub",
        "bvmul",
        "bvshl",
        "bvlshr",
        "ubv_to_int",
        "bvult",
        "bvule",
        "bvugt",
        "bvuge",
        "bvslt",
        "bvsle",
        "bvsgt",
        "bvsge",
        "concat",
        "extract",
        "zero_extend",
        "sign_extend",
        "_",
        "true",
        "false",
    ]
)
SORT = re.compile(r"Bool|Int|\(_ BitVec [1-9]\d{0,3}\)")
TOKEN = re.compile(r"\s*(\|[^|\\]*\||[()]|[^\s()|]+)")
CONSTANT = re.compile(r"\|[^|\\]*\|")
PART = re.compile(r"t\d+")
NUMBER = re.compile(r"\d+|bv\d+")


class MalformedError(Exception):
    """What is wrong with a certificate, and in which line."""

    def __init__(self, line: int, what: str) -> None:
        what = escaped(what)
        super().__init__(f"line {line}: {what if len(what) <= LONGEST_TOLD else what[:LONGEST_TOLD] + '…'}")


NOT_WRITTEN = "certificates do not yet cover this kind of proof"
BY_INSPECTION = "evident from the rules; no solver was asked"
BY_CASES = "shown by replaying cases; no solver was asked"
BY_A_MATCH = "shown by a match; no solver was asked"
BY_PLANS = "certificates do not yet cover plans by which a match can be ended"
NOT_RECOGNISED = "refuted; what its match shows is not recognised without the prover"
NOT_EVERYWHERE = "no match that ends was found under some choice of parameters and readings"
NOT_STATED = "it is stated in no deal"
NO_CLAIM = "the certificate makes no claim"

REASONS = frozenset(
    [
        NOT_WRITTEN,
        BY_INSPECTION,
        BY_CASES,
        BY_A_MATCH,
        BY_PLANS,
        NOT_RECOGNISED,
        NOT_EVERYWHERE,
        NOT_STATED,
    ]
)
"""Why something may be said not to be certified; no other reason is shown."""


@dataclass(frozen=True, slots=True)
class Part:
    """A named term: its sort, its text, the parts it refers to directly, and all constants in it, including those in its parts."""

    sort: str
    text: str
    names: tuple[str, ...]
    constants: frozenset[str]


@dataclass(frozen=True, slots=True)
class Node:
    """One step of a proof."""

    line: int
    rule: str
    claim: str
    premises: tuple[int, ...]
    parts: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Root:
    """A claim: a check is proved under all parameters and readings, or refuted under some, if any under these `readings`."""

    check: str
    refuted: bool = False
    readings: tuple[str, ...] = ()


@dataclass(slots=True)
class Certificate:
    """What is claimed about one ruleset, and the nodes that prove it."""

    line: int
    ruleset: str
    core: str
    roots: tuple[Root, ...]
    reasons: Mapping[str, str]
    """Why it leaves out a check, as its writer says."""

    length: int
    declared: dict[str, str] = field(default_factory=dict)
    parts: dict[str, Part] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)
    constants: int = 0
    """Number of constants over all parts."""

    def names(self, node: Node, key: str) -> list[str]:
        """The parts listed by a node under a key; unnamed terms are rejected."""
        listed = node.parts.get(key, [])
        if not isinstance(listed, list):
            raise MalformedError(node.line, f"`{key}` is not a list")
        return [self.named(node, name) for name in listed]

    def named(self, node: Node, name: object) -> str:
        """The name of a Boolean part, or a truth value."""
        if name in ("true", "false"):
            return str(name)
        if not isinstance(name, str) or name not in self.parts:
            raise MalformedError(node.line, f"no part is called `{name}`")
        if self.parts[name].sort != "Bool":
            raise MalformedError(node.line, f"`{name}` is neither true nor false")
        return name

    def value(self, node: Node, name: object) -> str:
        """The name of a part of any sort, or a known value."""
        if isinstance(name, bool):
            return "true" if name else "false"
        if isinstance(name, int):
            return str(name) if name >= 0 else f"(- {-name})"
        if not isinstance(name, str) or name not in self.parts:
            raise MalformedError(node.line, f"no part is called `{name}`")
        return name


def header(
    ruleset: str, program: c.Program, roots: Iterable[Root], not_certified: Mapping[str, str], lines: int
) -> dict[str, object]:
    """The first line of a certificate, which `lines` others follow."""
    return {
        "certificate": VERSION,
        "ruleset": ruleset,
        "core": core_digest(program),
        "roots": [
            {
                "check": root.check,
                "verdict": "refuted" if root.refuted else "proved",
                "parameters": {},
                "readings": list(root.readings),
            }
            for root in roots
        ],
        "not_certified": [
            {"check": check, "parameters": {}, "readings": [], "reason": why}
            for check, why in not_certified.items()
        ],
        "lines": lines,
    }


def proved(lines: Sequence[str], program: c.Program) -> frozenset[str] | None:
    """The checks that a program's certificate claims to prove, by its header; None if it is malformed or about another program."""
    try:
        claimed = _header(1, _object(1, lines[0]))
    except (IndexError, MalformedError):
        return None
    if claimed.core != core_digest(program) or claimed.length != len(lines) - 1:
        return None
    return frozenset(root.check for root in claimed.roots if not root.refuted)


def core_digest(program: c.Program) -> str:
    """A digest of a core program's meaning, ignoring source places."""
    text = json.dumps(program_json(program, spans=False), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def read(lines: Iterable[str]) -> Iterator[Certificate]:
    """The certificates in a file, each complete."""
    certificate: Certificate | None = None
    left = number = size = 0
    for number, text in enumerate(lines, 1):
        size += len(text)
        if len(text) > LONGEST_LINE or size > LARGEST_FILE:
            raise MalformedError(number, "a line or a file of this length is not read")
        row = _object(number, text)
        if "certificate" in row:
            if left:
                raise MalformedError(number, f"the certificate before it is {left} lines short")
            if certificate is not None:
                yield certificate
            certificate = _header(number, row)
            left = certificate.length
            continue
        if certificate is None or not left:
            raise MalformedError(
                number, "this is not a line of a certificate, which `trickproof check --certificate` writes"
            )
        left -= 1
        _line(certificate, number, row)
    if certificate is None or left:
        too_soon = f"the file ends {left} line{'s' * (left > 1)} too soon"
        raise MalformedError(number or 1, too_soon if left else "there is no certificate")
    yield certificate


def _object(number: int, text: str) -> dict[str, object]:
    try:
        row = read_json(text)
    except BadJsonError as wrong:
        raise MalformedError(number, f"not valid JSON ({wrong.reason})") from None
    if not isinstance(row, dict):
        raise MalformedError(number, "not a JSON object")
    return row


def _header(number: int, row: Mapping[str, object]) -> Certificate:
    roots, left_out, length = row.get("roots"), row.get("not_certified"), row.get("lines")
    if row.get("certificate") != VERSION:
        raise MalformedError(
            number, f"it is not a certificate of version {VERSION}, the one that this trickproof verifies"
        )
    if not isinstance(roots, list) or not isinstance(left_out, list) or not _is_count(length):
        raise MalformedError(number, "a header has `roots`, `not_certified` and `lines`")
    try:
        claimed = tuple(_root(root) for root in roots)
        reasons = {str(item["check"]): str(item["reason"]) for item in left_out}
    except (KeyError, TypeError):
        raise MalformedError(
            number, "a root is a check, proved under all parameters and readings or refuted under some"
        ) from None
    return Certificate(number, str(row.get("ruleset")), str(row.get("core")), claimed, reasons, length)


def _is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and value >= 0


def _root(root: Mapping[str, object]) -> Root:
    """A root; what is proved must cover all parameters and readings, and a refutation names no parameters."""
    readings, refuted = root["readings"], {"proved": False, "refuted": True}[str(root["verdict"])]
    if root["parameters"] or not isinstance(readings, list) or (readings and not refuted):
        raise KeyError
    return Root(escaped(str(root["check"])), refuted, tuple(map(str, readings)))


def _line(certificate: Certificate, number: int, row: Mapping[str, object]) -> None:
    if "declare" in row:
        name, sort = str(row["declare"]), str(row.get("sort"))
        if not CONSTANT.fullmatch(name) or not SORT.fullmatch(sort) or name in certificate.declared:
            raise MalformedError(number, f"`{name}` cannot be declared")
        certificate.declared[name] = sort
    elif "part" in row:
        name, sort = str(row["part"]), str(row.get("sort"))
        if not PART.fullmatch(name) or not SORT.fullmatch(sort) or name in certificate.parts:
            raise MalformedError(number, f"`{name}` cannot be defined")
        part = certificate.parts[name] = _part(certificate, number, sort, str(row.get("term")))
        certificate.constants += len(part.constants)
        if certificate.constants > MOST_CONSTANTS:
            raise MalformedError(number, "too many constants in too many parts")
    elif "node" in row:
        certificate.nodes.append(_node(certificate, number, row))
    else:
        raise MalformedError(number, "it is neither a declaration, nor a part, nor a node")


def _part(certificate: Certificate, number: int, sort: str, text: str) -> Part:
    """Parse a single term.

    Its parentheses must balance, and every word must be an operator, a number, a constant or an earlier part.
    """
    depth = place = terms = index = 0
    names: list[str] = []
    constants: set[str] = set()
    while place < len(text):
        found = TOKEN.match(text, place)
        if found is None:
            raise MalformedError(number, "it is not a term")
        word, place = found[1], found.end()
        terms += depth == 0 and word != ")"
        depth += (word == "(") - (word == ")")
        if depth < 0:
            raise MalformedError(number, "its brackets do not match")
        index = depth if word == "_" else 0 if depth < index else index
        if len(word) > MOST_DIGITS and NUMBER.fullmatch(word):
            raise MalformedError(number, f"a number of more than {MOST_DIGITS} digits is not read")
        if index and word.isdecimal() and int(word) > MOST_BITS:
            raise MalformedError(number, f"more than {MOST_BITS} bits are not read")
        if word in certificate.declared:
            constants.add(word)
        elif word in certificate.parts:
            names.append(word)
            constants |= certificate.parts[word].constants
        elif word not in OPERATORS and word not in "()" and not NUMBER.fullmatch(word):
            raise MalformedError(number, f"`{word}` is not defined before")
    if depth or terms != 1:
        raise MalformedError(number, "it is not one term")
    return Part(sort, text, tuple(dict.fromkeys(names)), frozenset(constants))


def _node(certificate: Certificate, number: int, row: Mapping[str, object]) -> Node:
    here, rule, premises, parts = (
        len(certificate.nodes),
        row.get("rule"),
        row.get("premises"),
        row.get("parts"),
    )
    if row["node"] != here:
        raise MalformedError(number, f"this is node {here}, not {row['node']}")
    if not isinstance(rule, str) or rule not in RULES:
        raise MalformedError(number, f"there is no rule `{rule}`")
    if not isinstance(parts, dict) or not parts.keys() <= RULES[rule]:
        raise MalformedError(number, f"a node by `{rule}` has other parts")
    if not isinstance(premises, list) or not all(type(x) is int and 0 <= x < here for x in premises):
        raise MalformedError(number, "a premise is not a node before it")
    return Node(number, rule, str(row.get("claim")), tuple(premises), parts)
