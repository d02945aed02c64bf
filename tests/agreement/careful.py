"""The interpreter with other functions in the careful form of its text, which alone is carried out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from trickproof_dsl import core as c
from trickproof_dsl.compiled import machine as interpret
from trickproof_dsl.compiled.blocks import Body, Code
from trickproof_dsl.compiled.state import State


@contextmanager
def carried_out_with(
    changed: Callable[[Code, Mapping[str, Any]], Mapping[str, Any]], again: Callable[[], None]
) -> Iterator[None]:
    """Within, `changed` says of some steps, and of the names in their text, which names stand for something else.

    Steps that break down are carried out twice: `again` is called before the second time.
    """
    plain = interpret._carefully

    def carefully(*about: Any) -> State:
        again()
        return plain(*about)

    made: dict[int, Code] = {}

    def code_of(program: c.Program, body: Body) -> Code:
        if id(body) not in made:
            made[id(body)] = _careful(Code(program, body), changed)
        return made[id(body)]

    with patch.object(interpret, "code_of", code_of), patch.object(interpret, "_carefully", carefully):
        yield


def _careful(code: Code, changed: Callable[[Code, Mapping[str, Any]], Mapping[str, Any]]) -> Code:
    begin = code.carefully(code.begin)
    names = begin.__globals__
    names.update(changed(code, names))
    code.begin = begin
    for asked in code.questions.values():
        asked.after = names.get(f"after_{asked.place}")
    return code
