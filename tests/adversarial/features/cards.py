"""Variations in dealing, shuffling, playing and counting."""

from __future__ import annotations

import textwrap

from adversarial.draft import Draft
from adversarial.features.table import VARIES, Table, few_deals, several, spare

CARDS = Table()

RARE = (
    "number of (cards in hand of dealer with rank = ace) >= 2",
    "every card in hand of dealer has rank = ace",
    "every card in hand of dealer has suit = hearts",
    "AS in hand of left of dealer and AH in hand of dealer",
    "some card in hand of dealer has rank = king",
)


@CARDS.feature("before-play", needs=several, weight=3)
def varying_hands(d: Draft) -> None:
    """Everybody, or just one player, discards a card in some deals."""
    who = d.rng.choice(
        ("for p in players:\n        p discards 1 card of hand",) * 2 + ("dealer discards 1 card of hand",)
    )
    d.insert("exchange-timing", f"if {d.rng.choice(RARE)}:\n    {who}")


@CARDS.feature("deal", needs=few_deals, weight=3)
def redeal(d: Draft) -> None:
    """Cards are dealt again if the first hands are unlucky, sometimes one too few."""
    again = f"for p in players, clockwise from left of dealer:\n        deal {d.n} cards to hand of p"
    short = d.rng.random() < 0.4
    if short:
        again = again.replace("for p in players,", "for p in players other than dealer,")
    test = d.rng.choice(
        (
            "no card in hand of dealer has rank = ace",
            "no card in hand of dealer has suit = spades",
            "AS in hand of left of dealer",
        )
    )
    d.insert(
        "deal",
        f"if {test}:\n    shuffle\n    {again}"
        + (f"\n    deal {d.n - 1} cards to hand of dealer" if short and d.n > 1 else ""),
    )


@CARDS.feature("deal", weight=3)
def thrown_in(d: Draft) -> None:
    """A bad deal is thrown in and dealt again by the same dealer, always or a limited number of times."""
    test = d.rng.choice(
        (
            "no card in hand of dealer has rank = ace",
            "every card in hand of dealer has suit = hearts",
            "AS in hand of left of dealer and first-hand",
        )
    )
    if d.rng.random() < 0.5:
        d.insert("deal", f"if {test}:\n    deal again")
    else:
        _thrown_in_and_counted(d, test)


def _thrown_in_and_counted(d: Draft, test: str) -> None:
    d.state["redeals"] = "{type: integer, carried: true}"
    few = f"redeals < {d.rng.choice((1, 1, 2))}"
    change = d.rng.choice(("redeals becomes redeals + 1", "score of dealer becomes redeals"))
    counted = f"{change}\nredeals becomes redeals + 1\ndeal again"
    step = d.rng.choice(
        (
            f"if {few} and {test}:\n{textwrap.indent(counted, ' ' * 4)}",
            f"dealer chooses unhappy\nif {few} and unhappy:\n{textwrap.indent(counted, ' ' * 4)}",
            f"for p in players:\n    if {few} and some card in hand of p has suit = hearts:\n{textwrap.indent(counted, ' ' * 8)}",
            f"if redeals = 1:\n    dealer discards 1 card of hand\nif {few} and {test}:\n{textwrap.indent(counted, ' ' * 4)}",
        )
    )
    if "unhappy" in step:
        d.state["unhappy"] = "{type: boolean}"
    d.insert("deal", step)
    if d.rng.random() < 0.6:
        d.steps["between-hands"].append("redeals becomes 0")


@CARDS.feature("after-trick", weight=2)
def given_up(d: Draft) -> None:
    """The deal ends without scoring once something is inevitable."""
    test = d.rng.choice(
        (
            "tricks of dealer > target of dealer",
            f"some player has tricks >= {max(1, d.n - 1)}",
            "leader = dealer",
        )
    )
    d.insert("after-trick", f"if {test}:\n    the hand ends")


@CARDS.feature(VARIES, "deal", weight=3)
def dealt_by_parameter(d: Draft) -> None:
    """The number of cards dealt is a parameter."""
    d.parameters["each"] = (
        f"{d.n} | {max(d.n - 1, 1)}" if d.n > 1 else f"{d.n} | {d.n + (d.size.spare >= d.size.players)}"
    )
    if d.parameters["each"] in (f"{d.n} | {d.n}",):
        d.parameters["each"] = f"{d.n} | 0"
    d.steps["deal"] = ["for p in players, clockwise from left of dealer:\n    deal each cards to hand of p"]
    if d.rng.random() < 0.6:
        d.change("targets", "target of dealer", d.steps["targets"][0] + f" + each - {d.n}")


@CARDS.feature("deal", "kitty", needs=spare, weight=5)
def kitty(d: Draft) -> None:
    """The dealer takes the undealt cards and discards as many, or does not."""
    d.insert("deal", "deal the rest to kitty")
    spare = d.size.spare
    number = spare if d.rng.random() < 0.7 else spare - 1
    first, then = (
        f"dealer discards {number} card{'s' * (number != 1)} of hand",
        "dealer picks-up kitty as picked-up",
    )
    if number > d.n or d.rng.random() < 0.5:
        first, then = then, first
    d.insert("exchange-timing", f"{first}\n{then}")


@CARDS.feature("shuffle", "between-hands", weight=2)
def shuffled_elsewhere(d: Draft) -> None:
    """Cards are shuffled between deals, once per match, only gathered, or in every other deal; or one is drawn for the next deal."""
    way = d.rng.choice(("between", "gathered", "once", "drawn", "rest", "early"))
    if way == "rest":
        d.steps["between-hands"] += [
            "if deck is not empty:\n    deal 1 card to discards",
            f"if AS in discards and tricks of dealer < {d.n}:\n    score of dealer becomes score of dealer + 1",
        ]
    elif way == "early":
        test = d.rng.choice(("not first-hand", "AS in tricks-taken of dealer", "first-hand"))
        d.insert("hand", f"if {test}:\n    the hand ends", before="shuffle")
        if d.rng.random() < 0.5:
            d.steps["between-hands"].append(
                "if not first-hand and AS in tricks-taken of dealer:\n    the match ends, won by dealer"
            )
    elif way == "drawn":
        d.steps["between-hands"] += [
            "shuffle\ndeal 1 card to discards",
            "if some card in discards has suit = spades:\n    dealer becomes right of dealer\n    score of dealer becomes score of dealer + 1",
        ]
    elif way == "between":
        d.change("hand", "shuffle", None)
        d.steps["match-start"].insert(0, "shuffle")
        d.steps["between-hands"].append("shuffle")
    elif way == "gathered":
        d.change("hand", "shuffle", "if first-hand:\n    shuffle")
        gather = "for p in players:\n    put tricks-taken of p into deck\n    put hand of p into deck"
        d.steps["between-hands"] += [
            gather,
            "put discards into deck",
            "put kitty into deck",
            "put trick into deck",
        ]
    else:
        d.change(
            "hand",
            "shuffle",
            f"if first-hand or number of deck < {d.n * d.size.players}:\n    shuffle",
        )


@CARDS.feature("shuffle", "match-start", weight=2)
def drawn_at_the_start(d: Draft) -> None:
    """A card drawn before the first deal decides something in it, and may stay set aside for that long."""
    d.state["lucky"] = "{type: boolean, carried: true}"
    drawn = d.rng.choice(("AS in kitty", "some card in kitty has suit = hearts"))
    d.steps["match-start"].insert(0, f"shuffle\ndeal 1 card to kitty\nlucky becomes {drawn}")
    if d.size.spare and d.rng.random() < 0.5:
        d.change("hand", "shuffle", "if not first-hand:\n    shuffle")
    effect = d.rng.choice(("dealer discards 1 card of hand", "target of dealer becomes target of dealer + 1"))
    d.insert("exchange-timing" if "discards" in effect else "targets", f"if lucky:\n    {effect}")
    if d.rng.random() < 0.6:
        d.steps["between-hands"].append("lucky becomes false")


@CARDS.feature("shuffle", "targets", weight=2)
def cards_left_lying(d: Draft) -> None:
    """Cards left on the table from the previous deal are inspected before the shuffle."""
    d.state["crooked"] = "{type: boolean}"
    seen = d.rng.choice(
        (
            "some card in discards has rank = ace",
            "number of tricks-taken of dealer = 0",
            "AS in tricks-taken of dealer",
            "number of deck = 0",
            f"number of tricks-taken of left of dealer = {d.n * d.size.players}",
        )
    )
    d.insert("hand", f"if {seen}:\n    crooked becomes true", before="shuffle")
    d.insert(
        "targets", f"if crooked:\n    target of dealer becomes target of dealer + {d.rng.choice((0, 1))}"
    )


@CARDS.feature("play", needs=several, weight=3)
def stops_early(d: Draft) -> None:
    """Play ends before all cards are played, or the number of cards is set late."""
    test = d.rng.choice(
        (
            f"some player has tricks >= {max(1, d.n // 2)}",
            "some player has tricks > target",
            "hand of dealer is empty",
        )
    )
    d.change(
        "play",
        "repeat",
        f"repeat until hand of leader is empty or {test}, at most {d.n + 1} times:\n    do trick",
    )


@CARDS.feature("play", needs=spare, weight=5)
def stock(d: Draft) -> None:
    """Cards are drawn from the stock."""
    who = d.rng.choice(("leader", "dealer"))
    d.insert("after-trick", f"if deck is not empty:\n    deal 1 card to hand of {who}")


@CARDS.feature("trick", weight=2)
def counted_double(d: Draft) -> None:
    """Tricks count double during play and are halved later, or some count twice."""
    if d.rng.random() < 0.5:
        d.change("trick", "tricks of leader", "tricks of leader becomes tricks of leader + 2")
        d.steps["scoring"].insert(0, "for p in players:\n    tricks of p becomes tricks of p div 2")
    else:
        test = d.rng.choice(
            (
                "every card in trick has rank = ace",
                "AS in trick and KS in trick",
                "every player has suit of played = led",
            )
        )
        d.change(
            "trick",
            "tricks of leader",
            f"tricks of leader becomes tricks of leader + (if {test} then 2 else 1)",
        )
