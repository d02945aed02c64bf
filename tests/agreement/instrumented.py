"""The interpreter with some functions replaced in its generated code."""

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
    """Within the context, `changed` replaces names in the code of some statements."""
    instrumented: dict[int, Code] = {}

    def code_of(program: c.Program, body: Body) -> Code:
        if id(body) not in instrumented:
            code = instrumented[id(body)] = Code(program, body)
            names = code.begin.__globals__  # type: ignore[attr-defined]
            names.update(changed(code, names))
        return instrumented[id(body)]

    with patch.object(interpret, "code_of", code_of):
        yield
