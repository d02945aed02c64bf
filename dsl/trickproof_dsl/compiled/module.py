"""A Python module in the making: functions as lines of text, and the values to which the text refers by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trickproof_dsl.compiled import runtime, runtime_actions
from trickproof_dsl.semantics import events

CONTENTS = {"v": "variables", "z": "zones", "b": "bound", "r": "loops"}
"""How the text of a function calls parts of the memory `s`."""

_WORD = re.compile(r"\w+")


class Module:
    """Functions of `m` and `s`, the match and its memory, that call `runtime`, `runtime_actions` and what is shared."""

    def __init__(self, constants: Mapping[str, object]) -> None:
        public = [(name, x) for part in (runtime, runtime_actions, events) for name, x in vars(part).items()]
        self.names: dict[str, Any] = {name: x for name, x in public if not name.startswith("_")}
        self.names |= constants
        self._lines: list[str] = []
        self._shared: dict[object, str] = {}
        self._taken = 0

    def new_name(self, letter: str) -> str:
        """A name that is not taken."""
        self._taken += 1
        return f"{letter}{self._taken}"

    def constant(self, value: object) -> str:
        """A name for a value that has no text."""
        name = self.new_name("k")
        self.names[name] = value
        return name

    def shared(self, value: object) -> str:
        """A name for such a value, the same for equal ones."""
        if value not in self._shared:
            self._shared[value] = self.constant(value)
        return self._shared[value]

    def define(self, name: str, lines: Sequence[str], arguments: Sequence[str] = ()) -> str:
        """A function of the match, its memory and arguments; answers the text of its call."""
        call = f"{name}({', '.join(['m', 's', *arguments])})"
        words = set(_WORD.findall("\n".join(lines)))
        contents = [f"{letter} = s.{part}" for letter, part in CONTENTS.items() if letter in words]
        self._lines += [f"def {call}:", *[f"    {line}" for line in (*contents, *lines)]]
        return call

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        """The functions by name, and whatever else their text refers to."""
        exec(compile("\n".join(self._lines), "<rules>", "exec"), self.names)
        return self.names
