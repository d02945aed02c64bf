"""Exchanges: one-way, with returns, in loops, with the order left open; and choices before play."""

from __future__ import annotations

from adversarial.draft import Draft
from adversarial.features.table import Table, exchanging, several

EXCHANGE = Table()

GIVERS = {
    "fixed": "highest over first, then clockwise from left of dealer",
    "open": "highest over first, ties open",
    "impossible": "highest over first, ties impossible",
}


def _exchange(d: Draft, order: str, amounts: str, returns: str) -> None:
    d.steps["exchange-timing"].insert(0, "if not first-hand:\n    do exchange-order")
    d.rules["exchange-order"] = (
        f"for giver in players with over > 0, {order}:\n"
        "    do exchange-amounts of giver\n"
        "    for taker in players with over < 0, clockwise from giver:\n"
        "        do exchange-returns(giver, taker)"
    )
    d.rules["exchange-amounts"] = amounts
    d.rules["exchange-returns"] = returns


PLAIN_AMOUNTS = (
    "for taker in players with over < 0, clockwise from giver:\n"
    "    if number of (players with over > 0) = 1:\n"
    "        giver gives under of taker cards of hand to taker as gift(giver, taker)\n"
    "    else:\n"
    "        giver gives over of giver cards of hand to taker as gift(giver, taker)"
)

RETURNS = "taker returns highest of hand matching gift(giver, taker) to giver as returned(taker, giver)"


def _order(d: Draft) -> str:
    return GIVERS[d.rng.choice(("fixed", "fixed", "impossible"))]


@EXCHANGE.feature("exchange", needs=exchanging, weight=8)
def gifts_answered(d: Draft) -> None:
    """Players with overtricks give cards and get the highest or the lowest in return."""
    returns = RETURNS if d.rng.random() < 0.7 else RETURNS.replace("highest", "lowest")
    amounts = (
        PLAIN_AMOUNTS
        if d.rng.random() < 0.7
        else PLAIN_AMOUNTS.replace("gives over of giver", "gives up to over of giver")
    )
    _exchange(d, _order(d), amounts, returns)


@EXCHANGE.feature("exchange", needs=exchanging, weight=8)
def gifts_one_way(d: Draft) -> None:
    """Nothing is returned."""
    _exchange(d, _order(d), PLAIN_AMOUNTS, "nothing happens")


@EXCHANGE.feature("exchange", needs=exchanging, weight=8)
def gifts_in_a_loop(d: Draft) -> None:
    """Cards are given one by one: in a for loop, until a condition holds, or a number of times."""
    one = "giver gives 1 card of hand to taker as gift(giver, taker)"
    back = "\n{}taker returns 1 card of hand to giver as returned(taker, giver)"
    form = d.rng.choice(("for", "until", "times"))
    if form == "for":
        loop = f"    for i in 1 to under of taker:\n        {one}"
    elif form == "until":
        d.state["handed"] = "{type: integer}"
        loop = f"    handed becomes 0\n    repeat until handed >= under of taker, at most {d.n + 1} times:\n        {one}\n        handed becomes handed + 1"
    else:
        loop = f"    repeat under of taker times:\n        {one}"
    at_once = d.rng.random() < 0.5
    loop += back.format(" " * 8) if at_once else ""
    _exchange(
        d,
        _order(d),
        f"for taker in players with over < 0, clockwise from giver:\n{loop}",
        "nothing happens" if at_once else RETURNS,
    )


@EXCHANGE.feature("exchange", needs=exchanging, weight=8)
def ties_open_in_the_hand(d: Draft) -> None:
    """The order of two givers with equal overtricks is left open."""
    _exchange(d, GIVERS["open"], PLAIN_AMOUNTS, RETURNS)
    if d.rng.random() < 0.5 and d.size.players > 2:
        d.steps["scoring"] = ["for p in players:\n    over of p becomes if tricks of p > 0 then 1 else -1"]


@EXCHANGE.feature("exchange", "between-hands", needs=several, weight=9)
def ties_open_between_hands(d: Draft) -> None:
    """The order of givers is determined between deals, with ties left open."""
    d.state["turn"] = "{type: integer, of: player, carried: true}"
    d.state["turns"] = "{type: integer, carried: true}"
    d.steps["between-hands"] += [
        "turns becomes 0",
        "for p in players, highest over first, ties open:\n    turns becomes turns + 1\n    turn of p becomes turns",
    ]
    _exchange(d, "lowest turn first, ties impossible", PLAIN_AMOUNTS, RETURNS)


@EXCHANGE.feature("before-play-choice", weight=2)
def choices_before_play(d: Draft) -> None:
    """A choice before play affects what follows."""
    kind = d.rng.choice(("tries", "bids", "pass"))
    if kind == "tries":
        d.state["tries"] = "{type: boolean}"
        d.state["doubled"] = "{type: boolean, carried: true}"
        d.insert("exchange-timing", "dealer chooses tries")
        if d.rng.random() < 0.3:
            paid = "score of dealer becomes score of dealer - 1\n    score of left of dealer becomes score of left of dealer + 1"
            d.insert("exchange-timing", f"if tries:\n    {paid}")
        d.insert(
            "payout",
            f"if doubled:\n    for p in players:\n        payout of p becomes 2 * payout of p\ndoubled becomes tries and tricks of dealer < {d.n}",
        )
    elif kind == "bids":
        d.state["bid"] = "{type: integer, of: player}"
        d.insert(
            "targets",
            f"dealer chooses bid of dealer from 0 to {d.n}\ntarget of dealer becomes bid of dealer"
            + (f"\ntarget of left of dealer becomes {d.n} - bid of dealer" if d.rng.random() < 0.6 else ""),
        )
        if d.size.players > 2:
            d.insert("targets", "\n".join(f"target of {seat} becomes 0" for seat in d.seats[2:]))
    else:
        d.insert(
            "exchange-timing", "for q in players, simultaneously:\n    q passes 1 card of hand to left of q"
        )
