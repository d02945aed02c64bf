"""Winners, and the ruleset's own invariants."""

from __future__ import annotations

from adversarial.draft import Draft
from adversarial.features.table import Table

CLAIMS = Table()


@CLAIMS.feature("teams", "winner", needs=lambda s: s.players in (2, 4), weight=3)
def teams(d: Draft) -> None:
    """Two sides, one of which should win."""
    d.teams = "[[0, 2], [1, 3]]" if d.size.players == 4 else "[[0], [1]]"
    d.rules["winner"] = d.rng.choice(
        (
            "players with the highest tricks",
            "players with team = team of leader",
            f"players with sum of tricks for players q with team of q = team of player >= {max(1, d.n)}",
        )
    )


@CLAIMS.feature("winner", weight=2)
def other_winner(d: Draft) -> None:
    """Other winners, possibly several or none."""
    d.rules["winner"] = d.rng.choice(
        (
            "dealer",
            "players with the highest over",
            "players with over > 0",
            "players with the highest tricks",
            "leader",
        )
    )


@CLAIMS.feature("invariants", weight=2)
def own_invariants(d: Draft) -> None:
    """The ruleset's own invariants, at one moment or always."""
    for name in d.rng.sample(sorted(INVARIANTS), d.rng.choice((1, 2))):
        text, when = INVARIANTS[name]
        d.invariants[name] = (text.format(n=d.n, less=d.n - 1), when)


INVARIANTS = {
    "no-sweep": ("every player has tricks < {n}", "hand-ends"),
    "bounded-over": ("every player has (over <= {n} and over >= -{n})", "hand-ends"),
    "tricks-add-up": ("sum of tricks for players <= {n}", "always"),
    "dealer-has-cards": ("hand of dealer is not empty", "play-starts"),
    "same-hands": ("every player has number of hand = number of hand of dealer", "play-starts"),
    "somebody-high": ("some player has some card in hand has rank = ace", "play-starts"),
    "low-score": ("every player has score <= 3", "hand-ends"),
    "level": ("sum of over for players = 0", "always"),
    "not-the-first": ("first-hand or sum of over for players = 0", "hand-ends"),
    "leader-leads": ("leader = left of dealer", "play-starts"),
}
