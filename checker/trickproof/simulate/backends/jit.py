"""Machine code from LLVM IR, by llvmlite; kept in the user's cache folder, since making it takes longer than most runs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, c_int64
from functools import cache
from typing import TYPE_CHECKING, Any

from trickproof.simulate.ir.calling_convention import NAME, OUTER
from trickproof.simulate.ir.instructions import loops_of, number_of
from trickproof.support.blob_cache import BlobCache

if TYPE_CHECKING:
    from trickproof.simulate.ir.instructions import Routine

SPEED = 2
"""LLVM's optimisation level for what depends on the processor."""

PASSES = ("sroa", "new_gvn", "instruction_combine", "simplify_cfg")
"""As fast as all that LLVM does at -O2, in half the time: the program has no calls, and names its values itself."""

PASSES_OF_LONG = ("sroa", "instruction_combine", "simplify_cfg")
"""For long routines: value numbering takes LLVM memory and time with the square of the length."""

LONGEST_NUMBERED = 8_000
"""Statements of the longest routine whose values LLVM numbers; no ordinary game has more, interleaved."""

MOST_LOOPS_NUMBERED = 75
"""Loops of a match whose values LLVM numbers: it gives up, and ends the process, where it comes to a value a hundred times.

Ordinary games have up to 50.
"""

CODE_CACHE = BlobCache("code", form=2, most=400)
"""Machine code of earlier runs: whose it is, and that it is whole, is known before any of it is linked."""

Word = c_int64
Words = Any
"""An array of ctypes."""


class Code:
    """Machine code that can be called as long as this object lives, and the name under which it is kept."""

    def __init__(self, engine: Any, arrays: int, key: str) -> None:
        self.engine, self.key = engine, key
        address = engine.get_function_address(NAME)
        self.call: Callable[..., None] = CFUNCTYPE(None, *[POINTER(Word)] * arrays)(address)


@cache
def _begin() -> None:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    if llvm.get_process_triple().startswith("x86_64"):
        # what is selected depends on cards that nobody can predict: never make jumps of it
        llvm.set_option("trickproof", "-x86-cmov-converter=0")


def _machine() -> Any:
    """A new one: an engine takes its own over."""
    import llvmlite.binding as llvm

    _begin()
    target = llvm.Target.from_default_triple()
    features = llvm.get_host_cpu_features().flatten()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=SPEED, codemodel="jitdefault"
    )


def fast_bits() -> bool:
    """Whether this processor has the instructions that pick bits out of a mask (x86 BMI2)."""
    import llvmlite.binding as llvm

    if not llvm.get_process_triple().startswith("x86_64"):
        return False
    return bool(llvm.get_host_cpu_features().get("bmi2", False))


def described() -> str:
    """The processor and the compiler that machine code is for."""
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    return f"{llvm.llvm_version_info} {llvm.get_host_cpu_name()} {features} {SPEED} {PASSES} {PASSES_OF_LONG} select"


def machine_code(routine: Routine, lanes: int = 1) -> Code:
    """Compiles, or takes from the cache; `lanes`: matches that the routine interleaves."""
    from trickproof.simulate.backends.llvm import llvm_text

    text = llvm_text(routine, fast_bits())
    key = hashlib.sha256(f"{described()}\n{text}".encode()).hexdigest()[:32]
    cached = cached_code(key, len(routine.outer))
    if cached is not None:
        return cached
    long = number_of(routine.body) > LONGEST_NUMBERED or loops_of(routine.body) > MOST_LOOPS_NUMBERED * lanes
    code = _compiled(text, PASSES_OF_LONG if long else PASSES)
    CODE_CACHE.write(key, code)
    return _linked(code, len(routine.outer), key)


def cached_code(key: str, arrays: int = len(OUTER)) -> Code | None:
    """What is kept under a name, which only this processor's code has."""
    code = CODE_CACHE.read(key)
    try:
        return None if code is None else _linked(code, arrays, key)
    except RuntimeError:  # damaged
        return None


def _compiled(text: str, names: tuple[str, ...]) -> bytes:
    import llvmlite.binding as llvm

    machine = _machine()
    module = llvm.parse_assembly(text)
    module.verify()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=SPEED))
    passes = llvm.create_new_function_pass_manager()
    for name in names:
        getattr(passes, f"add_{name}_pass")()
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)
    return bytes(machine.emit_object(module))


def _linked(code: bytes, arrays: int, key: str) -> Code:
    import llvmlite.binding as llvm

    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return Code(engine, arrays, key)
