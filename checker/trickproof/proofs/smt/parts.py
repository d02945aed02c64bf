"""Terms as named parts of a certificate: a shared subterm is defined once, in SMT-LIB that other solvers can read.

Also the nodes of a certificate, which name them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import z3

from trickproof.proofs.smt.symbolic_values import Bool

WORDS = {"if": "ite", "implies": "=>", "!=": "distinct"}
"""z3 operators that have a different name in SMT-LIB."""

INDEXED = {z3.Z3_OP_EXTRACT: "extract", z3.Z3_OP_ZERO_EXT: "zero_extend", z3.Z3_OP_SIGN_EXT: "sign_extend"}
COUNTING = (z3.Z3_OP_PB_AT_MOST, z3.Z3_OP_PB_AT_LEAST, z3.Z3_OP_PB_LE, z3.Z3_OP_PB_GE, z3.Z3_OP_PB_EQ)


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes of a certificate in order, premises first."""

    rows: list[dict[str, object]] = field(default_factory=list)

    def add(
        self, rule: str, premises: Sequence[int], claim: str, parts: dict[str, object] | None = None
    ) -> int:
        """Add a node; the result is its number."""
        number = len(self.rows)
        node = {"node": number, "rule": rule, "claim": claim, "premises": list(premises)}
        self.rows.append({**node, "parts": parts or {}})
        return number


class Parts:
    """Names terms; `roots` are all the terms that will be requested, so that sharing among them is known."""

    def __init__(self, roots: Iterable[object]) -> None:
        self._used: Counter[int] = Counter()
        self._names: dict[int, str] = {}
        self._declared: set[str] = set()
        self._sorts: dict[str, str] = {}
        """The first sort seen for each unknown's name; on another path an unknown of another sort may have the same name."""
        self.lines: list[dict[str, object]] = []
        self.roots = [root for root in roots if isinstance(root, z3.ExprRef)]
        self._count(self.roots)

    def name(self, term: Bool | z3.ExprRef) -> str:
        """The name of a root term; a truth value is its own name."""
        if isinstance(term, bool):
            return "true" if term else "false"
        for part in self._inside(term):
            if self._used[part.get_id()] > 1 and part.num_args() and part.get_id() not in self._names:
                self._define(part)
        if term.get_id() not in self._names:
            self._define(term)
        return self._names[term.get_id()]

    def _count(self, roots: Iterable[z3.ExprRef]) -> None:
        stack = list(roots)
        while stack:
            term = stack.pop()
            self._used[term.get_id()] += 1
            if self._used[term.get_id()] == 1:
                stack += term.children()

    def _inside(self, term: z3.ExprRef) -> Iterator[z3.ExprRef]:
        """The unnamed subterms of a term, innermost first."""
        seen: set[int] = set()
        stack: list[tuple[z3.ExprRef, bool]] = [(term, False)]
        while stack:
            part, done = stack.pop()
            if done:
                yield part
            elif part.get_id() not in seen and part.get_id() not in self._names:
                seen.add(part.get_id())
                stack.append((part, True))
                stack += [(child, False) for child in part.children()]

    def _define(self, term: z3.ExprRef) -> None:
        text = self._written(term)
        self._names[term.get_id()] = name = f"t{len(self._names)}"
        self.lines.append({"part": name, "sort": term.sort().sexpr(), "term": text})

    def _written(self, term: z3.ExprRef) -> str:
        """A term over named parts; subterms used once are written inline."""
        if term.get_id() in self._names:
            return self._names[term.get_id()]
        if not term.num_args():
            return self._leaf(term)
        words = [self._written(child) for child in term.children()]
        kind = term.decl().kind()
        if kind in COUNTING:
            return _counted(term, words)
        operator = term.decl().name()
        if kind in INDEXED:
            indices = " ".join(map(str, term.params()))
            return f"((_ {INDEXED[kind]} {indices}) {' '.join(words)})"
        return f"({WORDS.get(operator, operator)} {' '.join(words)})"

    def _leaf(self, term: z3.ExprRef) -> str:
        if z3.is_int_value(term):
            number = term.as_long()
            return str(number) if number >= 0 else f"(- {-number})"
        if z3.is_bv_value(term):
            return f"(_ bv{term.as_long()} {term.size()})"
        if term.decl().kind() != z3.Z3_OP_UNINTERPRETED:
            constant: str = term.decl().name()
            return {"and": "true", "or": "false"}.get(constant, constant)
        word, sort = term.decl().name(), term.sort().sexpr()
        name = f"|{word}|" if self._sorts.setdefault(word, sort) == sort else f"|{word} {sort}|"
        if name not in self._declared:
            self._declared.add(name)
            self.lines.append({"declare": name, "sort": sort})
        return name


def _counted(term: z3.ExprRef, words: list[str]) -> str:
    """A cardinality constraint as integer arithmetic; all of z3's coefficients must be one."""
    kind, parameters = term.decl().kind(), term.params()
    assert all(weight == 1 for weight in parameters[1:]), "only what counts once is counted"
    operator = {z3.Z3_OP_PB_AT_MOST: "<=", z3.Z3_OP_PB_LE: "<=", z3.Z3_OP_PB_EQ: "="}.get(kind, ">=")
    return f"({operator} (+ 0 {' '.join(f'(ite {word} 1 0)' for word in words)}) {parameters[0]})"
