"""A routine as a function of its outer arrays, with either back end."""

from __future__ import annotations

from collections.abc import Callable

from trickproof.simulate.backends.python import python_function
from trickproof.simulate.ir.calling_convention import LLVM
from trickproof.simulate.ir.instructions import Routine


def callable_of(routine: Routine, backend: str) -> Callable[..., None]:
    """The function; machine code takes arrays of words, plain Python lists as well."""
    if backend != LLVM:
        return python_function(routine)
    from trickproof.simulate.backends.jit import machine_code

    return machine_code(routine).run
