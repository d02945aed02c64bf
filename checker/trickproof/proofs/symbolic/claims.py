"""The view of a path through a deal that the claims of checks inspect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Symbol
from trickproof.proofs.symbolic.card_expressions import CardEncoder
from trickproof.proofs.symbolic.cards.card_set import CardSet
from trickproof.proofs.symbolic.cards.card_theory import CardWorld
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof.proofs.symbolic.hand_parts import labels_from_play
from trickproof.proofs.symbolic.path_state import Event, Obligation, PathState, Picked
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import Key


@dataclass(frozen=True, slots=True)
class SymbolicHand:
    """A path so far and its expressions, for claims to read and evaluate but not to change."""

    state: PathState
    encoder: CardEncoder

    @property
    def program(self) -> c.Program:
        return self.state.program

    @property
    def world(self) -> CardWorld:
        return self.state.world

    @property
    def variables(self) -> Mapping[Key, Symbol]:
        return self.state.variables

    @property
    def zones(self) -> Mapping[Key, CardSet]:
        return self.state.zones

    @property
    def picks(self) -> Sequence[Picked]:
        return self.state.picks

    @property
    def events(self) -> Sequence[Event]:
        return self.state.events

    @property
    def unlisted(self) -> frozenset[str]:
        """Labels of moves that may be missing from the lists: in a loop gone through at once, or once the play has begun."""
        return self.state.unlisted | labels_from_play(self.program)

    def value(self, e: c.Expr, bound: Mapping[str, Symbol] = MappingProxyType({})) -> Symbol:
        """The value of an expression at this moment, with some names bound; anything where it has none or is not encoded."""
        return self._asked(e, bound)[0]

    def untrue(self, condition: c.Expr) -> tuple[Bool, Bool]:
        """When a condition does not hold, or has no value, in counts and in bits."""
        holds, without = self._asked(condition, {})
        counts, bits = ((x.counts for x in without), (x.bits for x in without))
        return y.disj(y.neg(holds), *counts), y.disj(y.neg(holds), *bits)

    def _asked(self, e: c.Expr, bound: Mapping[str, Symbol]) -> tuple[Symbol, list[Obligation]]:
        """A value, and what may fail in it: that stops no deal, as only the claim asks for it."""
        obligations = self.state.obligations
        before = len(obligations)
        self.state.bound |= bound
        try:
            return self.encoder.value(e), obligations[before:]
        except NotEncodedError:
            return self.state.unknown(e.type), []
        finally:
            del obligations[before:]

    def claim(self, check: str, wrong: Bool, bits: Bool | None = None) -> Obligation:
        """A claim of a check at this moment, which fails if `wrong` holds; `bits` states that in bit-vectors if they differ."""
        place = self.program.rules["hand"].span
        return Obligation(wrong, wrong if bits is None else bits, place, check=check, known=self.state.known)


Claims = Callable[[SymbolicHand, str], Iterable[Obligation]]
"""What must hold in a deal at a moment (such as `play-starts` or `hand-ends`)."""
