"""The layout of a program's variables and zones: each entry has a slot in one of two lists.  Computed once a program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import NamedTuple, TypeVar

from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import DECK, Key, Value, initial_values, owner_keys, size_of

Result = TypeVar("Result")


def cached_by_identity(most: int) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Memoise by the identity of the arguments, which are kept alive; cleared when `most` entries are reached."""

    def cached(function: Callable[..., Result]) -> Callable[..., Result]:
        answers: dict[tuple[int, ...], tuple[tuple[object, ...], Result]] = {}

        @wraps(function)
        def answer(*arguments: object) -> Result:
            key = tuple(map(id, arguments))
            if key not in answers:
                if len(answers) >= most:
                    answers.clear()
                answers[key] = arguments, function(*arguments)
            return answers[key][1]

        return answer

    return cached


class Row(NamedTuple):
    """The slots of one variable or zone: the entry with owners i, j is at `first + i * strides[0] + j * strides[1]`."""

    name: str
    first: int
    strides: tuple[int, ...]


class Slots:
    """The slots of a program's variables and zones, in order of declaration; the deck comes last."""

    def __init__(self, program: c.Program) -> None:
        zones = {name: zone.of for name, zone in program.zones.items()} | {DECK: ()}
        variables = {name: info.of for name, info in program.variables.items()}
        self.variables, self.variable_rows = _numbered(program, variables.items())
        self.zones, self.zone_rows = _numbered(program, zones.items())
        self.zone_keys = tuple(self.zones)
        self.deck = self.zones[(DECK,)]
        initial = initial_values(program)
        self.initial: tuple[Value, ...] = tuple([initial[key] for key in self.variables])


def _numbered(
    program: c.Program, declared: Iterable[tuple[str, tuple[c.Type, ...]]]
) -> tuple[Mapping[Key, int], Mapping[str, Row]]:
    slots: dict[Key, int] = {}
    rows: dict[str, Row] = {}
    for name, of in declared:
        rows[name] = Row(name, len(slots), _strides([size_of(program, kind) for kind in of]))
        for owners in owner_keys(program, of):
            slots[(name, *owners)] = len(slots)
    return slots, rows


def _strides(sizes: list[int]) -> tuple[int, ...]:
    strides, stride = [], 1
    for size in reversed(sizes):
        strides.append(stride)
        stride *= size
    return tuple(reversed(strides))


@cached_by_identity(1000)
def slots_of(program: c.Program) -> Slots:
    """The slots of a program."""
    return Slots(program)
