"""Causes of exceptions: out of memory, as the interpreter or a library reports it, and Ctrl-C."""

from __future__ import annotations

from collections.abc import Iterator

NO_THREAD = ("can't start new thread", "cannot join thread before it is started")
"""Python's messages if there is no memory for another thread."""


def out_of_memory(problem: BaseException) -> bool:
    """Whether the exception, or one that it was raised from, is due to lack of memory."""
    return any(map(_is_memory, _chain(problem)))


def interrupted(problem: BaseException) -> bool:
    """Whether the exception hides Ctrl-C.

    Before 3.12, Python wraps an interruption of class creation in a RuntimeError. An interruption while
    arguments are converted for a C function, such as those of z3, becomes an ArgumentError of ctypes.
    """
    return any(isinstance(one, KeyboardInterrupt) or _of_an_argument(one) for one in _chain(problem))


def _of_an_argument(problem: BaseException) -> bool:
    return type(problem).__name__ == "ArgumentError" and ": KeyboardInterrupt" in str(problem)


def _chain(problem: BaseException | None) -> Iterator[BaseException]:
    """An exception and those in its cause or context chain, latest first."""
    passed: set[int] = set()
    while problem is not None and id(problem) not in passed:
        passed.add(id(problem))
        yield problem
        problem = problem.__cause__ or problem.__context__


def _is_memory(problem: BaseException) -> bool:
    """Whether an exception reports lack of memory or threads, in any of the forms of the interpreter and z3."""
    match problem:
        case MemoryError() | SystemError():
            return True
        case RuntimeError():
            return str(problem) in NO_THREAD
    return type(problem).__name__ == "Z3Exception" and "out of memory" in str(problem)
