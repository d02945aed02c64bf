"""A Python module under construction: functions as lines of source, and the values they refer to by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trickproof_dsl.compiled import runtime, runtime_actions
from trickproof_dsl.semantics import events

CONTENTS = {"v": "variables", "z": "zones", "b": "bound", "r": "loops"}
"""The names by which the source of a function refers to parts of the memory `s`."""

_WORD = re.compile(r"\w+")


class Module:
    """Functions of `m` and `s`, the match and its memory, that call `runtime`, `runtime_actions` and shared values."""

    def __init__(self, constants: Mapping[str, object]) -> None:
        public = [(name, x) for part in (runtime, runtime_actions, events) for name, x in vars(part).items()]
        self.names: dict[str, Any] = {name: x for name, x in public if not name.startswith("_")}
        self.names |= constants
        self._lines: list[str] = []
        self._shared: dict[object, str] = {}
        self._taken = 0

    def new_name(self, letter: str) -> str:
        """An unused name."""
        self._taken += 1
        return f"{letter}{self._taken}"

    def constant(self, value: object) -> str:
        """A name for a value that cannot be written as source."""
        name = self.new_name("k")
        self.names[name] = value
        return name

    def shared(self, value: object) -> str:
        """A name for such a value, the same for equal values."""
        if value not in self._shared:
            self._shared[value] = self.constant(value)
        return self._shared[value]

    def define(self, name: str, lines: Sequence[str], arguments: Sequence[str] = ()) -> str:
        """Define a function of the match, its memory and arguments; return the source of its call."""
        call = f"{name}({', '.join(['m', 's', *arguments])})"
        words = set(_WORD.findall("\n".join(lines)))
        contents = [f"{letter} = s.{part}" for letter, part in CONTENTS.items() if letter in words]
        self._lines += [f"def {call}:", *[f"    {line}" for line in (*contents, *lines)]]
        return call

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        """The functions by name, and everything else that their source refers to."""
        exec(compile("\n".join(self._lines), "<rules>", "exec"), self.names)
        return self.names
