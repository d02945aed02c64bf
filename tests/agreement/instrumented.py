"""The interpreter with other functions in the text of its blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from trickproof_dsl import core as c
from trickproof_dsl.compiled import machine as interpret
from trickproof_dsl.compiled.blocks import Body, Code


@contextmanager
def carried_out_with(changed: Callable[[Code, Mapping[str, Any]], Mapping[str, Any]]) -> Iterator[None]:
    """Within, `changed` says of some statements, and of the names in their text, which names stand for something else."""
    instrumented: dict[int, Code] = {}

    def code_of(program: c.Program, body: Body) -> Code:
        if id(body) not in instrumented:
            code = instrumented[id(body)] = Code(program, body)
            names = code.begin.__globals__  # type: ignore[attr-defined]
            names.update(changed(code, names))
        return instrumented[id(body)]

    with patch.object(interpret, "code_of", code_of):
        yield
