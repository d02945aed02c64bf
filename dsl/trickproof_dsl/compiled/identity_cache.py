"""What is made once of an object that is known by its identity, such as a program or a list of statements."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Result = TypeVar("Result")


def cached_by_identity(most: int) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Calls a function once for these very arguments, which live as long as the answer; forgets all after so many."""

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
