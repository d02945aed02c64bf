"""What random rulesets have: a table of features, each of which changes a draft, soundly or with a rare fault.

`slots` are what two features of one ruleset do not both change; `needs` says of which sizes a feature is; one with a larger
`weight` is tried earlier, as others stand in its way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from adversarial.draft import NO_TRUMPS, OVER, Draft, Size


@dataclass(frozen=True, slots=True)
class Feature:
    """One way in which a ruleset is out of the ordinary."""

    name: str
    slots: frozenset[str]
    change: Callable[[Draft], None]
    needs: Callable[[Size], bool]
    weight: int


FEATURES: dict[str, Feature] = {}
"""All of them, by name."""


def feature(
    *slots: str, needs: Callable[[Size], bool] = lambda _: True, weight: int = 1
) -> Callable[[Callable[[Draft], None]], Callable[[Draft], None]]:
    """Enters a function into the table, under its name."""

    def enter(change: Callable[[Draft], None]) -> Callable[[Draft], None]:
        name = change.__name__.replace("_", "-")
        FEATURES[name] = Feature(name, frozenset(slots), change, needs, weight)
        return change

    return enter


def several(size: Size) -> bool:
    return size.hand >= 2


def few_deals(size: Size) -> bool:
    return size.players * size.hand <= 4


def exchanging(size: Size) -> bool:
    return size.hand >= 2 or size.players == 2


# ------------------------------------------------------------------------------------------ cards and hands


RARE = (
    "number of (cards in hand of dealer with rank = ace) >= 2",
    "every card in hand of dealer has rank = ace",
    "every card in hand of dealer has suit = hearts",
    "AS in hand of left of dealer and AH in hand of dealer",
    "some card in hand of dealer has rank = king",
)


@feature("before-play", needs=several, weight=3)
def varying_hands(d: Draft) -> None:
    """Everybody, or only one, discards a card in some deals."""
    who = d.rng.choice(
        ("for p in players:\n        p discards 1 card of hand",) * 2 + ("dealer discards 1 card of hand",)
    )
    d.insert("exchange-timing", f"if {d.rng.choice(RARE)}:\n    {who}")


@feature("deal", needs=few_deals, weight=3)
def redeal(d: Draft) -> None:
    """Cards are dealt again when the first hands are unlucky, sometimes one too few."""
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


@feature("deal", weight=2)
def dealt_by_parameter(d: Draft) -> None:
    """How many cards are dealt is agreed on."""
    d.parameters["each"] = (
        f"{d.n} | {max(d.n - 1, 1)}" if d.n > 1 else f"{d.n} | {d.n + (d.size.spare >= d.size.players)}"
    )
    if d.parameters["each"] in (f"{d.n} | {d.n}",):
        d.parameters["each"] = f"{d.n} | 0"
    d.steps["deal"] = ["for p in players, clockwise from left of dealer:\n    deal each cards to hand of p"]
    if d.rng.random() < 0.6:
        d.change("targets", "target of dealer", d.steps["targets"][0] + f" + each - {d.n}")


@feature("deal", "kitty", needs=lambda s: s.spare > 0, weight=5)
def kitty(d: Draft) -> None:
    """The dealer takes what is not dealt and discards as many, or not."""
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


@feature("shuffle", "between-hands", weight=2)
def shuffled_elsewhere(d: Draft) -> None:
    """Cards are shuffled between hands, once a match, or only gathered."""
    way = d.rng.choice(("between", "gathered", "once"))
    if way == "between":
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


@feature("shuffle", "targets", weight=2)
def cards_left_lying(d: Draft) -> None:
    """What lies on the table from the last hand is looked at before the shuffle."""
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


@feature("play", needs=several, weight=3)
def stops_early(d: Draft) -> None:
    """The play is over before all cards are played, or the count of cards comes late."""
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


@feature("play", needs=lambda s: s.spare > 0, weight=5)
def stock(d: Draft) -> None:
    """Cards are drawn from what is left."""
    who = d.rng.choice(("leader", "dealer"))
    d.insert("after-trick", f"if deck is not empty:\n    deal 1 card to hand of {who}")


@feature("trick", weight=2)
def counted_double(d: Draft) -> None:
    """Tricks count double in the play and are halved, or some count twice."""
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


# -------------------------------------------------------------------------------------------- ends of matches


@feature("ending-between", weight=2)
def ends_between_hands(d: Draft) -> None:
    """The match ends in the steps between hands."""
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
    d.insert("between-hands", step, before=d.rng.choice(("dealer becomes", "first-hand", "never")))


@feature("match-start", weight=2)
def ends_at_the_start(d: Draft) -> None:
    """The match ends before its first hand, where players agreed so."""
    d.parameters["short"] = d.rng.choice(("0 | 1", "0 .. 3", "0 .. 99"))
    last = d.parameters["short"].split()[-1]
    won = d.rng.choice(("dealer", "players", "players with over > 0"))
    d.insert("match-start", f"if short = {last}:\n    the match ends, won by {won}")


@feature("after-trick", weight=2)
def ends_in_the_middle(d: Draft) -> None:
    """The match ends in the middle of a hand."""
    test, won = d.rng.choice(
        (
            (f"some player has tricks >= {max(1, d.n - 1)}", f"players with tricks >= {max(1, d.n - 1)}"),
            ("tricks of dealer > target of dealer", "dealer"),
            ("some player has (tricks = 1 and over > 0)", "players with over > 0"),
        )
    )
    d.insert("after-trick", f"if {test}:\n    the match ends, won by {won}")


@feature("after-end", weight=2)
def after_the_end(d: Draft) -> None:
    """Something happens in a hand after it was asked whether the match is over."""
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


@feature("end", weight=2)
def ends_by_count(d: Draft) -> None:
    """The match has a fixed number of hands."""
    d.state["hands-played"] = "{type: integer, carried: true}"
    d.insert("scoring", "hands-played becomes hands-played + 1")
    sign, number = d.rng.choice(((">=", 2), ("=", 2), ("=", 1), (">=", 3), ("=", 3)))
    d.rules["end"] = f"hands-played {sign} {number}"
    d.rules["winner"] = d.rng.choice(
        ("players with the highest over", "dealer", "players with the highest tricks")
    )


@feature("end", "score", weight=2)
def ends_by_score(d: Draft) -> None:
    """Scores are added up to a goal, which some can never come to."""
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


@feature("end", "parameters", weight=2)
def goal_of_many(d: Draft) -> None:
    """The goal is one of very many values."""
    d.parameters["goal"] = d.rng.choice(("1 .. 80", "0 .. 99", "1 .. 70"))
    d.rules["end"] = (
        f"some player has tricks >= (if goal > {d.rng.choice((66, 69, 40))} then {d.n + d.rng.choice((0, 1))} else {d.n})"
    )
    d.rules["winner"] = d.rng.choice((f"players with tricks >= {d.n}", "players with the highest tricks"))


@feature("end", weight=2)
def hardly_ends(d: Draft) -> None:
    """The end can never come, or not always."""
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


# --------------------------------------------------------------------------- parameters, readings, what is carried


@feature("targets", "parameters", weight=2)
def parameter_of_many(d: Draft) -> None:
    """One of very many values changes a target."""
    d.parameters["k"] = d.rng.choice(("1 .. 100", "0 .. 79", "1 .. 200"))
    test = d.rng.choice(("k = 77", "k >= 79", "k mod 65 = 64 and k > 64", "k = 3", "k > 500"))
    d.insert("targets", f"if {test}:\n    target of left of dealer becomes target of left of dealer + 1")


@feature("scoring-reading", weight=2)
def reading_of_scoring(d: Draft) -> None:
    """The scoring or the payout can be read in two ways."""
    name = d.rng.choice(("bonus", "end"))
    if name == "end":
        d.readings["end"] = [
            d.rules["end"],
            d.rng.choice((f"some player has tricks >= {d.n}", f"some player has over > {d.n}")),
        ]
    else:
        d.rules["bonus"] = ""
        d.readings["bonus"] = ["0", d.rng.choice(("1", f"if tricks of dealer = {d.n} then 1 else 0"))]
        d.insert("payout", "payout of dealer becomes payout of dealer + bonus")


@feature("invariant-reading", weight=2)
def reading_of_an_invariant(d: Draft) -> None:
    """Only an invariant asks for what can be read in two ways, or for a parameter."""
    if d.rng.random() < 0.5:
        d.rules["cap"] = ""
        d.readings["cap"] = [str(d.n), str(d.n - 1)]
        cap = "cap"
    else:
        d.parameters["utmost"] = (
            f"{d.n} | {d.n + 1} | {d.n - 1}" if d.rng.random() < 0.6 else f"{d.n} .. {d.n + 90}"
        )
        cap = "utmost"
    what = d.rng.choice(("tricks", "over", "tricks"))
    d.invariants["at-most-cap"] = (f"every player has {what} <= {cap}", "hand-ends")


@feature("trick-winner", weight=2)
def frozen_play(d: Draft) -> None:
    """What was carried decides how tricks are won."""
    d.state["frozen"] = "{type: boolean, carried: true}"
    test = d.rng.choice(
        (
            f"some player has tricks >= {d.n}",
            "tricks of dealer > target of dealer",
            "every player has tricks <= target",
        )
    )
    d.insert("scoring", f"if {test}:\n    frozen becomes true")
    other = d.rng.choice(("left of leader", "left of leader", "dealer", "players with played != none"))
    d.rules["trick-winner"] = (
        f"if frozen then {other} else ({d.rules['trick-winner'] if d.rules['trick-winner'] == NO_TRUMPS else NO_TRUMPS})"
    )


@feature("carried-count", weight=2)
def counter_that_turns(d: Draft) -> None:
    """Something is counted round and round, and changes a target or the end."""
    d.state["round"] = "{type: integer, carried: true}"
    d.insert("between-hands", f"round becomes (round + 1) mod {d.rng.choice((2, 3))}")
    if d.rng.random() < 0.5:
        d.insert(
            "targets",
            f"if round = 1:\n    target of dealer becomes target of dealer {d.rng.choice(('+ 1', '- 1', '+ 0'))}",
        )
    else:
        d.rules["end"] = f"({d.rules['end']}) and round != {d.rng.choice((0, 1))}"


# ------------------------------------------------------------------------------------------------- breakdowns


@feature("announce", weight=2)
def announced_fault(d: Draft) -> None:
    """An announcement asks for somebody who is not always there."""
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


@feature("next-dealer", weight=2)
def next_dealer_fault(d: Draft) -> None:
    """Who deals next is not always somebody."""
    d.rules["next-dealer"] = d.rng.choice(
        (
            "only player in players with the highest over",
            "only player in players with the highest tricks",
            "only player in players with the lowest score",
            "if some player has over > 0 then only player in players with over > 0 else left of dealer",
            "if tricks of dealer >= 1 then dealer else left of dealer",
        )
    )


@feature("between-fault", weight=2)
def between_hands_fault(d: Draft) -> None:
    """The steps between hands can break down."""
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


@feature("match-start", weight=2)
def set_at_the_start(d: Draft) -> None:
    """Scores or the like do not begin at nothing; or setting them breaks down under a parameter."""
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


@feature("follow", weight=2)
def may_not_follow(d: Draft) -> None:
    """Some cards may not be played, now and then none."""
    d.rules["follow"] = d.rng.choice(
        (
            "cards in hand with suit = led",
            "if some card in hand has suit = led then cards in hand with suit = led else cards in hand with rank < ace",
            "if AS in hand and number of hand > 1 then hand - AS else hand",
            "hand",
        )
    )


@feature("lead", weight=2)
def lead_by_a_card(d: Draft) -> None:
    """Who holds a card leads, if it was dealt."""
    d.rules["lead"] = d.rng.choice(
        (
            "only player in players with AS in hand",
            "if some player has AS in hand then only player in players with AS in hand else left of dealer",
        )
    )


@feature("trick-winner", weight=2)
def odd_winner(d: Draft) -> None:
    """Tricks are won in another way, not always by one."""
    d.rules["trick-winner"] = d.rng.choice(
        (
            "players with the highest rank of played",
            "players with the lowest rank of played among players with suit of played = led",
            "players with (rank of played = ace and suit of played = led)",
            "if every player has rank of played = ace then players else (" + NO_TRUMPS + ")",
        )
    )


@feature("scoring-leak", weight=2)
def leaking_scores(d: Draft) -> None:
    """Points come from nowhere, rarely."""
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


# ---------------------------------------------------------------------------------------------- exchange


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


@feature("exchange", needs=exchanging, weight=3)
def gifts_answered(d: Draft) -> None:
    """Who was up gives cards and is answered by the highest, or by the lowest."""
    returns = RETURNS if d.rng.random() < 0.7 else RETURNS.replace("highest", "lowest")
    amounts = (
        PLAIN_AMOUNTS
        if d.rng.random() < 0.7
        else PLAIN_AMOUNTS.replace("gives over of giver", "gives up to over of giver")
    )
    _exchange(d, _order(d), amounts, returns)


@feature("exchange", needs=exchanging, weight=3)
def gifts_one_way(d: Draft) -> None:
    """Nothing comes back."""
    _exchange(d, _order(d), PLAIN_AMOUNTS, "nothing happens")


@feature("exchange", needs=exchanging, weight=3)
def gifts_in_a_loop(d: Draft) -> None:
    """Cards are given one by one: for each, until, or so many times."""
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


@feature("exchange", needs=exchanging, weight=3)
def ties_open_in_the_hand(d: Draft) -> None:
    """It is left open who gives first of two who were up equally."""
    _exchange(d, GIVERS["open"], PLAIN_AMOUNTS, RETURNS)
    if d.rng.random() < 0.5 and d.size.players > 2:
        d.steps["scoring"] = ["for p in players:\n    over of p becomes if tricks of p > 0 then 1 else -1"]


@feature("exchange", "between-hands", needs=lambda s: s.hand >= 2, weight=4)
def ties_open_between_hands(d: Draft) -> None:
    """The order of givers is settled between hands, where a tie is left open."""
    d.state["turn"] = "{type: integer, of: player, carried: true}"
    d.state["turns"] = "{type: integer, carried: true}"
    d.steps["between-hands"] += [
        "turns becomes 0",
        "for p in players, highest over first, ties open:\n    turns becomes turns + 1\n    turn of p becomes turns",
    ]
    _exchange(d, "lowest turn first, ties impossible", PLAIN_AMOUNTS, RETURNS)


@feature("before-play-choice", weight=2)
def choices_before_play(d: Draft) -> None:
    """Something is chosen before the play, and counts after it."""
    kind = d.rng.choice(("tries", "bids", "pass"))
    if kind == "tries":
        d.state["tries"] = "{type: boolean}"
        d.state["doubled"] = "{type: boolean, carried: true}"
        d.insert("exchange-timing", "dealer chooses tries")
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


# ------------------------------------------------------------------------------------- teams and invariants


@feature("teams", "winner", needs=lambda s: s.players in (2, 4), weight=3)
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


@feature("winner", weight=2)
def other_winner(d: Draft) -> None:
    """Somebody else wins, perhaps several or nobody."""
    d.rules["winner"] = d.rng.choice(
        (
            "dealer",
            "players with the highest over",
            "players with over > 0",
            "players with the highest tricks",
            "leader",
        )
    )


@feature("invariants", weight=2)
def own_invariants(d: Draft) -> None:
    """Conditions of the ruleset's own, at one moment or at all."""
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

__all__ = ["FEATURES", "OVER", "Feature", "feature"]
