"""What is made once of a value that is known by its identity, such as a program or a list of steps."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Made = TypeVar("Made")


def kept(most: int) -> Callable[[Callable[..., Made]], Callable[..., Made]]:
    """Makes once, for these very arguments; they are kept with what was made, and all are forgotten after so many."""

    def keeping(make: Callable[..., Made]) -> Callable[..., Made]:
        known: dict[object, tuple[Any, Made]] = {}

        @wraps(make)
        def made(*about: Any) -> Made:
            key = id(about[0]) if len(about) == 1 else tuple(map(id, about))
            found = known.get(key)
            if found is None:
                if len(known) >= most:
                    known.clear()
                found = known[key] = about, make(*about)
            return found[1]

        return made

    return keeping
