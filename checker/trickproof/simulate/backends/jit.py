"""Machine code from LLVM IR, by llvmlite; cached on disk, since compiling takes longer than most runs."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable
from ctypes import CFUNCTYPE, c_void_p
from functools import cache
from typing import TYPE_CHECKING, Any

from trickproof.simulate.backends.python import python_function
from trickproof.simulate.ir.calling_convention import LLVM, NAME, OUTER
from trickproof.support.blob_cache import BlobCache

if TYPE_CHECKING:
    from trickproof.simulate.ir.instructions import Routine

SPEED = 2
"""LLVM's optimisation level for target-dependent code generation."""

PASSES = ("sroa", "instruction_combine", "simplify_cfg")
"""About as fast as all of -O2, in half the time: the program has no calls and is already value-numbered.

LLVM's own value numbering (`new_gvn`) gives a few per cent more, but aborts the process on some routines.
"""

CODE_CACHE = BlobCache("code", form=2, most=400)
"""Machine code of earlier runs; its key and its integrity are checked before it is linked."""


class Code:
    """Machine code that stays callable while this object lives, and the key under which it is cached."""

    def __init__(self, engine: Any, arrays: int, key: str) -> None:
        self.engine, self.key = engine, key
        self.address: int = engine.get_function_address(NAME)
        self._call: Callable[..., None] = CFUNCTYPE(None, *[c_void_p] * arrays)(self.address)

    def run(self, *arrays: array[int]) -> None:
        """Call it with arrays of words, which takes less time than to make pointers of them first."""
        self._call(*[words.buffer_info()[0] for words in arrays])


@cache
def _begin() -> None:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    if llvm.get_process_triple().startswith("x86_64"):
        # selections depend on cards, so branches would be mispredicted: keep conditional moves
        llvm.set_option("trickproof", "-x86-cmov-converter=0")


def _machine() -> Any:
    """A new target machine, since an engine takes ownership of its own."""
    import llvmlite.binding as llvm

    _begin()
    target = llvm.Target.from_default_triple()
    features = llvm.get_host_cpu_features().flatten()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=SPEED, codemodel="jitdefault"
    )


def fast_bits() -> bool:
    """Whether this processor has the bit deposit and extract instructions (x86 BMI2)."""
    import llvmlite.binding as llvm

    if not llvm.get_process_triple().startswith("x86_64"):
        return False
    return bool(llvm.get_host_cpu_features().get("bmi2", False))


def described() -> str:
    """The processor and the compiler that machine code is made for."""
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    return f"{llvm.llvm_version_info} {llvm.get_host_cpu_name()} {features} {SPEED} {PASSES} select"


def machine_code(routine: Routine) -> Code:
    """Compile the routine, or load it from the cache."""
    from trickproof.simulate.backends.llvm import llvm_text

    text = llvm_text(routine, fast_bits())
    key = hashlib.sha256(f"{described()}\n{text}".encode()).hexdigest()[:32]
    cached = cached_code(key, len(routine.outer))
    if cached is not None:
        return cached
    code = _compiled(text)
    CODE_CACHE.write(key, code)
    return _linked(code, len(routine.outer), key)


def cached_code(key: str, arrays: int = len(OUTER)) -> Code | None:
    """The cached code under a key, which is specific to this processor; None if there is none."""
    code = CODE_CACHE.read(key)
    try:
        return None if code is None else _linked(code, arrays, key)
    except RuntimeError:  # damaged
        return None


def _compiled(text: str) -> bytes:
    import llvmlite.binding as llvm

    machine = _machine()
    module = llvm.parse_assembly(text)
    module.verify()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=SPEED))
    passes = llvm.create_new_function_pass_manager()
    for name in PASSES:
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


def callable_of(
    routine: Routine, backend: str, ask: Callable[..., None] | None = None
) -> Callable[..., None]:
    """A routine as a function of its outer arrays: machine code takes arrays of words, plain Python lists as well.

    `ask` is the routine that it asks, if it does.
    """
    return machine_code(routine).run if backend == LLVM else python_function(routine, ask)


def address_of(function: Callable[..., None]) -> int:
    """Where the machine code of a function is; 0 in plain Python."""
    code = getattr(function, "__self__", None)
    return code.address if isinstance(code, Code) else 0
