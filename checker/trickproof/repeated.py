"""Answers to questions that were asked before in the same words; many rulesets have most of their rules in common.

A question is told by the identities of all terms in it.  Terms that were ever asked about are not forgotten, as z3 would
give their identities to others.  What an answer took is counted each time, so that giving up does not depend on what
else the process has worked out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import z3

from trickproof.solve import is_recording, spent

T = TypeVar("T")

_terms: dict[int, z3.AstRef] = {}
_answers: dict[tuple[object, ...], tuple[Any, int]] = {}
_saved = [0]


def identity(term: object) -> object:
    """What tells a term, a truth value or a number from all others."""
    if isinstance(term, z3.AstRef):
        number: int = (
            term.ast.value
        )  # where z3 has it: quicker to ask for than its number, and as good while it is kept
        _terms.setdefault(number, term)
        return number
    return str(term)


def asked_once(kind: str, words: Iterable[object], work_out: Callable[[], T]) -> T:
    """What `work_out` answers about some terms, told by `identity`; not worked out again unless somebody wants the questions written down."""
    key = (kind, *words)
    if key in _answers and not is_recording():
        answer, cost = _answers[key]
        _saved[0] += cost
        return answer  # type: ignore[no-any-return]
    before = spent()
    answer = work_out()
    _answers[key] = answer, spent() - before
    return answer


def effort() -> int:
    """z3's resources that all answers so far have taken, each time they were given."""
    return spent() + _saved[0]
