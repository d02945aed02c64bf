"""Slightly mutated carried states, so that rare states occur early.

Per-player numbers are moved between players: a zero sum is preserved, and scores that only grow are set close
to numbers that the rules compare with. Whether such a state is reachable is for the referee to decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import Key, Value

NEAR = 8
"""Maximum distance of a mutated score from a number that is compared with."""


def perturbed(program: c.Program, carried: Mapping[Key, Value], rng: Random) -> dict[Key, Value]:
    """The carried variables with a single number moved."""
    names = [
        info.name
        for info in program.variables.values()
        if info.carried and info.type == c.INTEGER and info.of == (c.PLAYER,)
    ]
    changed: dict[Key, Any] = dict(carried)
    if not names:
        return changed
    name = rng.choice(sorted(names))
    seats = range(program.players)
    one, other = rng.sample(seats, 2)
    if sum(changed[(name, p)] for p in seats) == 0:
        by = rng.randint(1, 3) if rng.random() < 0.7 else rng.randint(1, NEAR)
        changed[(name, one)] += by
        changed[(name, other)] -= by
    else:
        top = max(_compared_with(program), default=NEAR)
        changed[(name, one)] = max(top - rng.randint(1, NEAR), 0)
        if rng.random() < 0.5:
            changed[(name, other)] = changed[(name, one)]
    return changed


def _compared_with(program: c.Program) -> list[int]:
    """The numbers that rules compare with."""
    numbers = list[int]()
    for node in walk(program.hand, program.between):
        if isinstance(node, c.Compare):
            for side in (node.left, node.right):
                if isinstance(side, c.Literal) and isinstance(side.value, int):
                    numbers.append(int(side.value))
                elif isinstance(side, c.Parameter):
                    numbers += program.parameters[side.name]
    return numbers
