"""Types of the core."""

from __future__ import annotations

from dataclasses import dataclass

SCALARS = ("integer", "boolean", "player", "team", "suit", "rank", "card", "option")
SETS = {"players": "player", "cards": "card", "suits": "suit", "ranks": "rank", "integers": "integer"}


@dataclass(frozen=True, slots=True)
class Type:
    """A type of the core; `kind` is one of SCALARS or SETS, `option` names the option type."""

    kind: str
    option: str = ""

    def __str__(self) -> str:
        return self.option or {"players": "set of players", "cards": "set of cards"}.get(self.kind, self.kind)

    @property
    def described(self) -> str:
        """With its article: "an integer", "a set of cards", "a condition" for a boolean; an option type by its name."""
        if self.option:
            return f"a value of `{self.option}`"
        if self.kind == "boolean":
            return "a condition"
        if self.kind in SETS:
            return f"a set of {self.kind}"
        return f"an {self.kind}" if self.kind[0] in "aeiou" else f"a {self.kind}"


INTEGER, BOOLEAN, PLAYER, SUIT, RANK, CARD, TEAM = (
    Type(k) for k in ("integer", "boolean", "player", "suit", "rank", "card", "team")
)
PLAYERS, CARDS, SUITS, RANKS, INTEGERS = (Type(k) for k in SETS)
