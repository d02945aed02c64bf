"""Types of the core, and the span that every node ends with."""

from __future__ import annotations

from dataclasses import dataclass, field

from trickproof_dsl.diagnostics.source import Span

SCALARS = ("integer", "boolean", "player", "team", "suit", "rank", "card", "option")
SETS = {"players": "player", "cards": "card", "suits": "suit", "ranks": "rank", "integers": "integer"}


@dataclass(frozen=True, slots=True)
class Type:
    """A type of the core; `kind` is one of SCALARS or SETS, `option` names the option type."""

    kind: str
    option: str = ""

    def __str__(self) -> str:
        return self.option or {"players": "set of players", "cards": "set of cards"}.get(self.kind, self.kind)


INTEGER, BOOLEAN, PLAYER, SUIT, RANK, CARD, TEAM = (
    Type(k) for k in ("integer", "boolean", "player", "suit", "rank", "card", "team")
)
PLAYERS, CARDS, SUITS, RANKS, INTEGERS = (Type(k) for k in SETS)


def span_field() -> Span:
    """The last field of every node: its place in the source, which is not part of its meaning."""
    default: Span = field(compare=False, repr=False)
    return default
