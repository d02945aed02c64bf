"""What an exception was raised for: memory that ran out, in the words of the interpreter or of a library, or Ctrl-C."""

from __future__ import annotations

from collections.abc import Iterator

NO_THREAD = ("can't start new thread", "cannot join thread before it is started")
"""What Python says where there is no memory for one more thread."""


def out_of_memory(problem: BaseException) -> bool:
    """Whether it, or what it was raised from, is for want of memory."""
    return any(map(_is_memory, _chain(problem)))


def interrupted(problem: BaseException) -> bool:
    """Whether it hides Ctrl-C: before 3.12, Python gives what stops a class while it is made as a RuntimeError."""
    return any(isinstance(one, KeyboardInterrupt) for one in _chain(problem))


def _chain(problem: BaseException | None) -> Iterator[BaseException]:
    """An exception and those it was raised from or while another was handled, the last first."""
    passed: set[int] = set()
    while problem is not None and id(problem) not in passed:
        passed.add(id(problem))
        yield problem
        problem = problem.__cause__ or problem.__context__


def _is_memory(problem: BaseException) -> bool:
    """Whether it says that memory, or room for a thread, is used up: also as the interpreter and z3 say that."""
    match problem:
        case MemoryError() | SystemError():
            return True
        case RuntimeError():
            return str(problem) in NO_THREAD
    return type(problem).__name__ == "Z3Exception" and "out of memory" in str(problem)
