"""Machine code from LLVM IR, by llvmlite; kept in the user's cache folder, since making it takes longer than most runs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, c_int64
from functools import cache
from pathlib import Path
from typing import Any

from trickproof.files import write_whole
from trickproof.simulate.ir import Routine
from trickproof.simulate.llvm_backend import NAME, llvm_text
from trickproof.store import cache_folder

SPEED = 2
"""LLVM's optimisation level for what depends on the processor."""

PASSES = (
    "sroa",
    "simplify_cfg",
    "instruction_combine",
    "simplify_cfg",
    "new_gvn",
    "instruction_combine",
    "simplify_cfg",
    "dead_store_elimination",
)
"""As fast as all that LLVM does at -O2, in half the time: the program has no calls, and its loops are short."""

MOST_KEPT = 400
"""Pieces of machine code that are kept; the oldest go first."""

Word = c_int64
Words = Any
"""An array of ctypes."""


class Code:
    """Machine code that can be called as long as this object lives."""

    def __init__(self, engine: Any, arrays: int) -> None:
        self.engine = engine
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


def machine_code(routine: Routine, fast: bool | None = None) -> Code:
    """Compiles, or takes from the cache.  `fast`: whether to use BMI2; as the processor allows unless told."""
    import llvmlite.binding as llvm

    text = llvm_text(routine, fast_bits() if fast is None else fast)
    described = f"{llvm.llvm_version_info} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()} {SPEED} {PASSES} select"
    key = hashlib.sha256(f"{described}\n{text}".encode()).hexdigest()[:32]
    kept = _read(key)
    if kept is not None:
        try:
            return _linked(llvm, kept, len(routine.outer))
        except RuntimeError:  # damaged
            pass
    made = _compiled(llvm, text)
    _write(key, made)
    return _linked(llvm, made, len(routine.outer))


def _compiled(llvm: Any, text: str) -> bytes:
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


def _linked(llvm: Any, code: bytes, arrays: int) -> Code:
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return Code(engine, arrays)


def _folder() -> Path | None:
    folder = cache_folder()
    return None if folder is None else folder / "code-1"


def _read(key: str) -> bytes | None:
    """Kept code, with its digest before it."""
    folder = _folder()
    try:
        text = (folder / key).read_bytes() if folder else b""
    except OSError:
        return None
    return text[32:] if hashlib.sha256(text[32:]).digest() == text[:32] else None


def _write(key: str, code: bytes) -> None:
    folder = _folder()
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / key, hashlib.sha256(code).digest() + code)
        kept = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime)
        for path in kept[: max(0, len(kept) - MOST_KEPT)]:
            path.unlink(missing_ok=True)
    except OSError:
        return
