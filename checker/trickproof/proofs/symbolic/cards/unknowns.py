"""Unknown values, created when they are first requested."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

import z3

from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.path_enumeration import PathOracle
from trickproof.proofs.smt.symbolic_values import Bool, Symbol
from trickproof.proofs.symbolic.cards.card_theory import CardWorld
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import Key, size_of


def anything(program: c.Program, kind: c.Type, name: str, facts: list[Bool]) -> Symbol:
    """An unknown value of a type; OPAQUE for cards and sets."""
    if kind.kind == "integer":
        return z3.Int(name)
    if kind.kind == "boolean":
        return z3.Bool(name)
    if kind.kind == "card" or kind.kind in c.SETS:
        return y.OPAQUE
    index, size = z3.Int(name), size_of(program, kind)
    facts += [index >= -1, index < size]
    return y.Cases((*((i, index == i) for i in range(size)), (None, index == -1)))


def any_value(program: c.Program, kind: c.Type, world: CardWorld, facts: list[Bool]) -> Symbol:
    """An unknown value of a type, including sets and cards."""
    if kind == c.CARDS:
        return world.anything()
    if kind == c.CARD:
        return world.part_of(world.known(range(world.width)), 1, z3.Bool(world.name()))
    value = anything(program, kind, world.name(), facts)
    if value is y.OPAQUE:
        size = {"suits": len(program.deck.suits), "ranks": len(program.deck.ranks)}
        number = size.get(kind.kind, program.players)
        return y.Members(tuple((i, z3.Bool(world.name())) for i in range(number)))
    return value


class LazyVariables(dict[Key, Symbol]):
    """Variables that stay unknown until they are first requested."""

    def __init__(self, known: Mapping[Key, Symbol], unknown: Callable[[str], Symbol]) -> None:
        super().__init__(known)
        self._unknown = unknown

    def __missing__(self, key: Key) -> Symbol:
        value = self._unknown(key[0])
        self[key] = value
        return value

    def forgetting(self, names: Sequence[str]) -> LazyVariables:
        """A copy in which some variables are unknown."""
        return LazyVariables({k: v for k, v in self.items() if k[0] not in names}, self._unknown)


class PickedOnce(Mapping[str, int]):
    """Parameters or readings, each decided by the oracle when first requested; iteration yields only those decided so far."""

    def __init__(
        self,
        oracle: PathOracle,
        allowed: Callable[[str], Sequence[int]],
        known: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self._oracle, self._allowed = oracle, allowed
        self._known = dict(known)

    def __getitem__(self, name: str) -> int:
        if name not in self._known:
            values = self._allowed(name)
            alternatives: list[Bool] = [z3.Bool(f"{name}={value}") for value in values]
            self._known[name] = (
                values[self._oracle.pick(alternatives, name)] if len(values) > 1 else values[0]
            )
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
