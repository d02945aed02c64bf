"""Queries built from the named parts of a certificate, and the answers of the second solvers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from trickproof.certificates.certificate import CONSTANT, PART, Certificate, Part
from trickproof.certificates.second_solver import Second, decided

NAME = re.compile(r"\|[^|\\]*\||(?<![^\s()])t\d+(?![^\s()])")
"""A constant or the name of a part, within a term."""


@dataclass(slots=True)
class Questions:
    """Queries about parts of one certificate, memoised. `asked` counts the queries made."""

    certificate: Certificate
    ask: Callable[[str], Second] = decided
    asked: int = 0
    _answers: dict[frozenset[str], bool | None] = field(default_factory=dict)
    _copies: dict[tuple[str, str], str] = field(default_factory=dict)
    _mark: str = ""
    _numbers: int = 0

    def impossible(self, facts: Sequence[str], ways: Sequence[str] | None = None) -> bool | None:
        """Whether the facts exclude all of `ways` (or, without `ways`, contradict each other); None if the solver gave up.

        First tries only the facts that share constants with the ways, since fewer facts allow more; then all
        of them.
        """
        question = [*facts] if ways is None else [*facts, any_of(ways)]
        if "false" in question:
            return True
        if ways is not None:
            cone = [*self._bearing_on(facts, question[-1]), question[-1]]
            if len(cone) < len(question) and self._possible(cone) is False:
                return True
        possible = self._possible(question)
        return None if possible is None else not possible

    def possible(self, facts: Sequence[str]) -> bool | None:
        """Whether the facts can hold together; groups that share no constants are queried separately."""
        answers = [self._possible(group) for group in self._groups(facts)]
        return False if False in answers else None if None in answers else True

    def constant(self, name: str, sort: str) -> str:
        """A new constant, which the certificate does not declare: it has more `@` in a row than any that it does."""
        if not self._mark:
            runs = re.findall("@+", " ".join(self.certificate.declared))
            self._mark = "@" * (1 + max(map(len, runs), default=0))
        constant = f"|{name.strip('|')}{self._mark}|"
        self.certificate.declared[constant] = sort
        return constant

    def copied(self, term: str, tag: str) -> str:
        """The same term about other constants, which are those of its copies with the same tag."""
        for name in self._needed([term]):
            if (name, tag) not in self._copies:
                self._copies[name, tag] = self._copied_part(name, tag)
        return self._renamed(term, tag)

    def _copied_part(self, name: str, tag: str) -> str:
        """The name of a copy of a part, after those of the parts in it."""
        parts = self.certificate.parts
        part = parts[name]
        if not part.constants:
            return name
        self._numbers = self._numbers or max(int(known[1:]) for known in parts)
        self._numbers += 1
        text = self._renamed(part.text, tag)
        constants = frozenset(self._copy(constant, tag) for constant in part.constants)
        copy = f"t{self._numbers}"
        parts[copy] = Part(part.sort, text, tuple(self._copy(x, tag) for x in part.names), constants)
        return copy

    def _renamed(self, text: str, tag: str) -> str:
        return NAME.sub(lambda found: self._copy(found[0], tag), text)

    def _copy(self, name: str, tag: str) -> str:
        if (name, tag) not in self._copies:  # a constant: parts are copied before they are named
            self._copies[name, tag] = self.constant(
                f"{name.strip('|')} {tag}", self.certificate.declared[name]
            )
        return self._copies[name, tag]

    def _possible(self, asserted: Sequence[str]) -> bool | None:
        key = frozenset(asserted) - {"true"}
        if key not in self._answers:
            self.asked += 1
            self._answers[key] = self.ask(self._text(sorted(key))).possible
        return self._answers[key]

    def _text(self, asserted: Iterable[str]) -> str:
        """The query in SMT-LIB, declaring and defining only what it needs."""
        listed = list(asserted)
        constants = sorted(frozenset().union(*map(self.constants, listed)))
        rows = [f"(declare-const {name} {self.certificate.declared.get(name, 'Bool')})" for name in constants]
        for name in self._needed(listed):
            part = self.certificate.parts[name]
            rows.append(f"(define-fun {name} () {part.sort} {part.text})")
        return "\n".join([*rows, *(f"(assert {term})" for term in listed), "(check-sat)", ""])

    def _needed(self, terms: Sequence[str]) -> list[str]:
        """The parts in some terms, each after those in it."""
        needed: set[str] = set()
        stack = [name for term in terms for name in PART.findall(CONSTANT.sub("", term))]
        while stack:
            name = stack.pop()
            if name not in needed:
                needed.add(name)
                stack += self.certificate.parts[name].names
        return sorted(needed, key=lambda part: int(part[1:]))

    def constants(self, term: str) -> frozenset[str]:
        """The constants in a term built from parts."""
        own = CONSTANT.findall(term)
        names = PART.findall(CONSTANT.sub("", term))
        return frozenset(own).union(*(self.certificate.parts[name].constants for name in names))

    def _bearing_on(self, facts: Sequence[str], question: str) -> list[str]:
        """The facts that share constants with a query, directly or through other facts (its cone of influence)."""
        about: dict[str, list[str]] = defaultdict(list)
        for fact in facts:
            for name in self.constants(fact):
                about[name].append(fact)
        frontier, reached, cone = list(self.constants(question)), set(self.constants(question)), set[str]()
        while frontier:
            for fact in about.get(frontier.pop(), ()):
                if fact not in cone:
                    cone.add(fact)
                    new = self.constants(fact) - reached
                    reached |= new
                    frontier += new
        return [fact for fact in dict.fromkeys(facts) if fact in cone or not self.constants(fact)]

    def _groups(self, facts: Sequence[str]) -> list[list[str]]:
        left = list(dict.fromkeys(fact for fact in facts if fact != "true"))
        groups = []
        while left:
            group = [*self._bearing_on(left[1:], left[0]), left[0]]
            groups.append(group)
            taken = set(group)
            left = [fact for fact in left if fact not in taken]
        return groups


def negation(term: str) -> str:
    """Negation."""
    return {"true": "false", "false": "true"}.get(term, f"(not {term})")


def any_of(terms: Sequence[str]) -> str:
    """Disjunction."""
    return _joined("or", terms, "false")


def both(*terms: str) -> str:
    """Conjunction."""
    return _joined("and", terms, "true")


def _joined(operator: str, terms: Sequence[str], neutral: str) -> str:
    listed = list(dict.fromkeys(term for term in terms if term != neutral))
    if negation(neutral) in listed:
        return negation(neutral)
    if len(listed) < 2:
        return listed[0] if listed else neutral
    return f"({operator} {' '.join(listed)})"
