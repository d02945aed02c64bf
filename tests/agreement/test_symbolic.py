"""The symbolic executor agrees with the interpreter.

Regression tests for rulesets that it once got wrong, and seeded mistakes; test_random_rulesets.py tests
random rulesets.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import pytest

from agreement.random_rulesets import FILE
from agreement.symbolic_law import agree
from budget import RUN

# -------------------------------------------------------------------------------------------- regressions

DEAL = "shuffle\nfor d in players:\n    deal 3 cards to hand of d\n"

REGRESSIONS = {
    "nobody is asked to choose": DEAL + "who chooses m of dealer from 0 to 2",
    "somebody may be asked who may not be there": (
        DEAL
        + "who becomes if over of dealer > 0 then dealer else none\nwho chooses m of dealer from 0 to 2\nn becomes 1"
    ),
    "the only one of none is asked": (
        DEAL
        + "(only player in (players with over > 0)) discards 2 cards of hand\nn becomes number of discards"
    ),
    "what is owned by nobody": DEAL + "due(dealer, left of dealer) becomes due(dealer, who)",
    "a hand of nobody": DEAL + "leader becomes who\nleader plays 1 card of hand as played of leader",
    "the value before its owner": DEAL
    + "over of (only player in (players with over < 0)) becomes height of one",
    "what is kept by one of several": (
        DEAL + "(only player in (players with the highest score)) discards 1 card of hand"
    ),
    "nobody looks at nothing": (
        DEAL + "dealer shows kept of dealer to (only player in (players with over < 0))\nn becomes 1"
    ),
    "a round that is only told begins at nobody": (
        DEAL
        + "if over of dealer > 0:\n    for p in players, clockwise from who:\n        announce told: x over of p\nn becomes 1"
    ),
    "a condition that fails at run time says how a rule is read": (
        DEAL + "if readable:\n    announce told: x n\nn becomes 1"
    ),
    "the match ends in what is not encoded": (
        DEAL
        + "for c in hand of dealer:\n    if suit of c = hearts:\n        the match ends, won by players\nn becomes 1"
    ),
    "an unknown rank in a set of ranks": (
        DEAL
        + "dealer discards 1 card of hand\none becomes only card in discards\nif rank of one in ranks:\n    n becomes 1"
    ),
    "the best few of some players": (
        DEAL
        + "for p in top 2 of players by over:\n    n becomes n * 2 + over of p\n"
        + "leader becomes only player in bottom 1 of (players with over <= 0) by score\n"
        + "n becomes n + number of top (over of dealer) of players by score"
    ),
    "nothing goes to nobody": DEAL + "dealer passes kept of dealer from hand to who\nn becomes 1",
}

PLAIN = {"next_dealer": "      left of dealer", "between": "      dealer becomes next-dealer"}
"""The rules between deals for rulesets that are about a single deal."""


READABLE = """\
  readable:
    readings:
      - {name: of-one, says: of somebody, rule: over of who > 0}
      - {name: of-all, says: of all, rule: some player has over > 0}
    assumes: a test
"""


@RUN
@pytest.mark.parametrize("name", REGRESSIONS)
def test_regressions(name: str) -> None:
    hand = textwrap.indent(REGRESSIONS[name], " " * 6)
    text = (
        FILE.format(players=3, ranks="2 3 4 5", suits="C=clubs D=diamonds H=hearts", hand=hand, **PLAIN)
        + READABLE
    )
    for seed in range(0, 60, 5):
        agree(text, seed, 2)


# ------------------------------------------------------------------------------------------ seeded mistakes

MISTAKES: dict[str, Callable[[pytest.MonkeyPatch], None]] = {}


def mistake(made: Callable[[pytest.MonkeyPatch], None]) -> Callable[[pytest.MonkeyPatch], None]:
    MISTAKES[made.__name__] = made
    return made


@mistake
def unions_count_twice(patch: pytest.MonkeyPatch) -> None:
    from trickproof.proofs.symbolic.cards.card_theory import CardWorld

    patch.setattr(CardWorld, "union", CardWorld.moved_in)


@mistake
def the_lowest_for_the_highest(patch: pytest.MonkeyPatch) -> None:
    from trickproof.proofs.symbolic.cards.card_theory import CardWorld

    plain = CardWorld.each_above
    patch.setattr(
        CardWorld, "each_above", lambda self, kept, rest, highest: plain(self, kept, rest, not highest)
    )


@mistake
def orders_forget_ties(patch: pytest.MonkeyPatch) -> None:
    from trickproof.proofs.smt import symbolic_values as symbols
    from trickproof.proofs.symbolic import fork

    patch.setattr(fork, "precedes", lambda one, other: symbols.compare(">=", one[0][1], other[0][1]))


@mistake
def cards_never_go(patch: pytest.MonkeyPatch) -> None:
    from trickproof.proofs.symbolic.cards.card_theory import CardWorld

    patch.setattr(CardWorld, "moved_out", lambda _self, there, _cards: there)


@RUN
@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    MISTAKES[name](monkeypatch)
    hand = DEAL + textwrap.dedent("""\
        for x in players, highest over first, then clockwise from dealer:
            x gives 1 card of hand to left of x as gift(x, left of x)
            n becomes n * 2 + number of (hand of x + hand of left of x)
        for x in players:
            left of x returns highest of hand matching gift(x, left of x) to x as returned(left of x, x)
        m of dealer becomes number of (hand of dealer + gift(dealer, left of dealer))
        trump becomes suit of only card in (returned(left of dealer, dealer))""")
    text = FILE.format(
        players=3,
        ranks="2 3 4 5",
        suits="C=clubs D=diamonds H=hearts",
        hand=textwrap.indent(hand, " " * 6),
        **PLAIN,
    )
    with pytest.raises(AssertionError):
        agree(text, 0, 24)
