"""Memoisation by the identity of the arguments, such as programs or lists of statements."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Result = TypeVar("Result")


def cached_by_identity(most: int) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Memoise by the identity of the arguments, which are kept alive; cleared when `most` entries are reached."""

    def cached(function: Callable[..., Result]) -> Callable[..., Result]:
        answers: dict[tuple[int, ...], tuple[tuple[object, ...], Result]] = {}

        @wraps(function)
        def answer(*arguments: object) -> Result:
            key = tuple(map(id, arguments))
            if key not in answers:
                if len(answers) >= most:
                    answers.clear()
                answers[key] = arguments, function(*arguments)
            return answers[key][1]

        return answer

    return cached
