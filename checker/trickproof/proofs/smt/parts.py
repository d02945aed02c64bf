"""Terms as named parts of a certificate: each that is used twice is defined once, in SMT-LIB that other solvers read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import z3

from trickproof.proofs.smt.symbolic_values import Bool

WORDS = {"if": "ite", "implies": "=>", "!=": "distinct"}
"""Names of operators that SMT-LIB calls otherwise."""

INDEXED = {z3.Z3_OP_EXTRACT: "extract", z3.Z3_OP_ZERO_EXT: "zero_extend", z3.Z3_OP_SIGN_EXT: "sign_extend"}
COUNTING = (z3.Z3_OP_PB_AT_MOST, z3.Z3_OP_PB_AT_LEAST, z3.Z3_OP_PB_LE, z3.Z3_OP_PB_GE, z3.Z3_OP_PB_EQ)


class Parts:
    """Gives terms their names; `roots` are all that will be asked for, so that what they share is seen."""

    def __init__(self, roots: Iterable[object]) -> None:
        self._used: Counter[int] = Counter()
        self._names: dict[int, str] = {}
        self._declared: set[str] = set()
        self._sorts: dict[str, str] = {}
        """Of each unknown its first sort; on another way an unknown of another sort may be called alike."""
        self.lines: list[dict[str, object]] = []
        self.roots = [root for root in roots if isinstance(root, z3.ExprRef)]
        self._count(self.roots)

    def name(self, term: Bool | z3.ExprRef) -> str:
        """The name of a term that is one of the roots; a truth value is its own."""
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
        """The parts of a term that have no name yet, inner ones first."""
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
        """A term over named parts; what is inside and used once is written out."""
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
    """How many of some hold, in numbers; z3's coefficients are all one here."""
    kind, parameters = term.decl().kind(), term.params()
    assert all(weight == 1 for weight in parameters[1:]), "only what counts once is counted"
    operator = {z3.Z3_OP_PB_AT_MOST: "<=", z3.Z3_OP_PB_LE: "<=", z3.Z3_OP_PB_EQ: "="}.get(kind, ">=")
    return f"({operator} (+ 0 {' '.join(f'(ite {word} 1 0)' for word in words)}) {parameters[0]})"
