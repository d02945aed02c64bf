"""Rules that occasionally have no value: nobody, no card, division by zero."""

from __future__ import annotations

from adversarial.draft import NO_TRUMPS, Draft
from adversarial.features.table import VARIES, Table

BREAKDOWNS = Table()


@BREAKDOWNS.feature("announce", weight=2)
def announced_fault(d: Draft) -> None:
    """An announcement refers to a player who does not always exist."""
    test = d.rng.choice(
        (f"some player has tricks = {d.n}", "true", "first-hand", f"tricks of dealer = {d.n}")
    )
    who = d.rng.choice(
        (
            f"only player in players with tricks = {d.n}",
            "only player in players with over > 0",
            "only player in players with the highest tricks",
        )
    )
    step = f"announce prize: player {who}"
    d.insert(d.rng.choice(("payout", "scoring")), step if test == "true" else f"if {test}:\n    {step}")


@BREAKDOWNS.feature("next-dealer", weight=2)
def next_dealer_fault(d: Draft) -> None:
    """The next dealer is not always defined."""
    d.rules["next-dealer"] = d.rng.choice(
        (
            "only player in players with the highest over",
            "only player in players with the highest tricks",
            "only player in players with the lowest score",
            "if some player has over > 0 then only player in players with over > 0 else left of dealer",
            "if tricks of dealer >= 1 then dealer else left of dealer",
        )
    )


@BREAKDOWNS.feature("between-fault", weight=2)
def between_hands_fault(d: Draft) -> None:
    """The steps between deals can fail."""
    d.state["share"] = "{type: integer, carried: true}"
    d.insert(
        "between-hands",
        d.rng.choice(
            (
                "share becomes 12 div (over of dealer + 1)",
                f"share becomes 12 div (over of left of dealer - {d.n})",
                "dealer becomes only player in players with the highest over",
                "for p in players, highest over first, ties impossible:\n    share becomes share + over of p",
            )
        ),
    )


@BREAKDOWNS.feature(VARIES, "match-start", weight=2)
def set_at_the_start(d: Draft) -> None:
    """Scores or the like do not start at zero, or setting them fails for some parameter value."""
    if d.rng.random() < 0.6:
        what = d.rng.choice(("over", "score"))
        d.insert(
            "match-start",
            d.rng.choice(
                (
                    f"{what} of dealer becomes 1",
                    f"{what} of dealer becomes 1\n{what} of left of dealer becomes -1",
                )
            ),
        )
    else:
        d.parameters["stake"] = d.rng.choice(("1 .. 70", "1 | 2"))
        d.state["unit"] = "{type: integer, carried: true}"
        last = d.parameters["stake"].split()[-1]
        d.insert(
            "match-start",
            f"unit becomes 6 div ({last} - stake)" if d.rng.random() < 0.5 else "unit becomes 6 div stake",
        )


@BREAKDOWNS.feature("follow", weight=2)
def may_not_follow(d: Draft) -> None:
    """Some cards may not be played, and occasionally none may."""
    d.rules["follow"] = d.rng.choice(
        (
            "cards in hand with suit = led",
            "if some card in hand has suit = led then cards in hand with suit = led else cards in hand with rank < ace",
            "if AS in hand and number of hand > 1 then hand - AS else hand",
            "hand",
        )
    )


@BREAKDOWNS.feature("lead", weight=2)
def lead_by_a_card(d: Draft) -> None:
    """The holder of a card leads, if it was dealt."""
    d.rules["lead"] = d.rng.choice(
        (
            "only player in players with AS in hand",
            "if some player has AS in hand then only player in players with AS in hand else left of dealer",
        )
    )


@BREAKDOWNS.feature("trick-winner", weight=2)
def odd_winner(d: Draft) -> None:
    """Tricks are won in another way, not always by exactly one player."""
    d.rules["trick-winner"] = d.rng.choice(
        (
            "players with the highest rank of played",
            "players with the lowest rank of played among players with suit of played = led",
            "players with (rank of played = ace and suit of played = led)",
            "if every player has rank of played = ace then players else (" + NO_TRUMPS + ")",
        )
    )


@BREAKDOWNS.feature("scoring-leak", weight=2)
def leaking_scores(d: Draft) -> None:
    """Points appear from nowhere, rarely."""
    test = d.rng.choice(
        (
            f"tricks of dealer = {d.n}",
            f"every player has tricks >= {max(1, d.n // d.size.players)}",
            "not first-hand",
            "dealer = left of dealer",
        )
    )
    d.insert(
        "scoring",
        f"if {test}:\n    {d.rng.choice(('over', 'score'))} of dealer becomes {d.rng.choice(('0', '1', 'tricks of dealer'))}",
    )
