"""Matches that end at another point, for another reason, or hardly ever."""

from __future__ import annotations

from adversarial.draft import Draft
from adversarial.features.table import VARIES, Table

ENDS = Table()


@ENDS.feature("ending-between", weight=2)
def ends_between_hands(d: Draft) -> None:
    """The match ends in the steps between deals, which may leave a point nobody lost."""
    test = d.rng.choice(
        (
            "true",
            "some player has over > 0",
            "every player has over = 0",
            "dealer = left of dealer",
            "not first-hand",
        )
    )
    won = d.rng.choice(
        ("players", "players with the highest over", "players with player = dealer", "left of dealer")
    )
    ending = f"the match ends, won by {won}"
    step = ending if test == "true" else f"if {test}:\n    {ending}"
    if d.rng.random() < 0.3:
        step = f"score of dealer becomes score of dealer + 1\n{step}"
    d.insert("between-hands", step, before=d.rng.choice(("dealer becomes", "first-hand", "never")))


@ENDS.feature(VARIES, "match-start", weight=2)
def ends_at_the_start(d: Draft) -> None:
    """The match ends before its first deal for some parameter values."""
    d.parameters["short"] = d.rng.choice(("0 | 1", "0 .. 3", "0 .. 99"))
    last = d.parameters["short"].split()[-1]
    won = d.rng.choice(("dealer", "players", "players with over > 0"))
    d.insert("match-start", f"if short = {last}:\n    the match ends, won by {won}")


@ENDS.feature("after-trick", weight=2)
def ends_in_the_middle(d: Draft) -> None:
    """The match ends in the middle of a deal."""
    test, won = d.rng.choice(
        (
            (f"some player has tricks >= {max(1, d.n - 1)}", f"players with tricks >= {max(1, d.n - 1)}"),
            ("tricks of dealer > target of dealer", "dealer"),
            ("some player has (tricks = 1 and over > 0)", "players with over > 0"),
        )
    )
    d.insert("after-trick", f"if {test}:\n    the match ends, won by {won}")


@ENDS.feature("after-end", weight=2)
def after_the_end(d: Draft) -> None:
    """Something happens in a deal after the check for the end of the match."""
    step = d.rng.choice(
        (
            "for p in players:\n    over of p becomes 0",
            "score of dealer becomes score of dealer + 1",
            "for p in players:\n    score of p becomes score of p + over of p",
            "announce remainder: player only player in players with the highest over",
            "dealer becomes only player in players with the highest tricks",
            f"if every player has tricks >= {max(1, d.n // d.size.players)}:\n    the match ends, won by players",
            f"hand-size becomes hand-size div (tricks of dealer - {d.n})",
        )
    )
    d.insert("hand", step)


@ENDS.feature("end", weight=2)
def ends_by_count(d: Draft) -> None:
    """The match has a fixed number of deals."""
    d.state["hands-played"] = "{type: integer, carried: true}"
    d.insert("scoring", "hands-played becomes hands-played + 1")
    sign, number = d.rng.choice(((">=", 2), ("=", 2), ("=", 1), (">=", 3), ("=", 3)))
    d.rules["end"] = f"hands-played {sign} {number}"
    d.rules["winner"] = d.rng.choice(
        ("players with the highest over", "dealer", "players with the highest tricks")
    )


@ENDS.feature("end", "score", weight=2)
def ends_by_score(d: Draft) -> None:
    """Scores accumulate towards a goal, which is sometimes unreachable."""
    factor, goal = d.rng.choice(((1, 2), (2, 3), (2, 4), (1, 3)))
    times = f"{factor} * " if factor > 1 else ""
    d.insert("scoring", f"for p in players:\n    score of p becomes score of p + {times}tricks of p")
    d.rules["end"] = d.rng.choice(
        (
            f"some player has score >= {goal}",
            f"some player has score = {goal}",
            f"every player has score >= {goal - 1}",
        )
    )
    d.rules["winner"] = "players with the highest score"


@ENDS.feature(VARIES, "end", "parameters", weight=3)
def goal_of_many(d: Draft) -> None:
    """The goal is a parameter with very many values."""
    d.parameters["goal"] = d.rng.choice(("1 .. 80", "0 .. 99", "1 .. 70"))
    d.rules["end"] = (
        f"some player has tricks >= (if goal > {d.rng.choice((66, 69, 40))} then {d.n + d.rng.choice((0, 1))} else {d.n})"
    )
    d.rules["winner"] = d.rng.choice((f"players with tricks >= {d.n}", "players with the highest tricks"))


@ENDS.feature("end", weight=2)
def hardly_ends(d: Draft) -> None:
    """The end is unreachable, or not always reachable."""
    d.rules["end"] = d.rng.choice(
        (
            f"some player has tricks >= {d.n + 1}",
            f"first-hand and some player has tricks >= {d.n}",
            "sum of over for players > 0",
            "every player has over > 0",
            "dealer = left of dealer",
            f"tricks of dealer = {d.n} and over of dealer > 0 and not first-hand",
        )
    )
