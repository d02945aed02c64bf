"""The words of record items as instructions, shared by the recorder and the follower of records."""

from __future__ import annotations

from trickproof.information.record import FAR, Site
from trickproof.simulate.ir.instructions import Expr, load, op
from trickproof.simulate.lowering.choices import WIDE, CardChoice, ValueOptions
from trickproof.simulate.lowering.data_layout import WORD
from trickproof.simulate.lowering.interfaces import Expressions
from trickproof_dsl import core as c


def question_of_cards(site: Site, choice: CardChoice) -> tuple[Expr, ...]:
    """An item for a choice of cards, without the chosen word."""
    return site.number, choice.player, choice.domain, choice.low, choice.high


def question_of_value(v: Expressions, site: Site, player: Expr, options: ValueOptions) -> tuple[Expr, ...]:
    """An item for a choice of a value, without the chosen word; the mask of options starts at the lowest."""
    if options.wide:
        lowest, mask = listed_options(v, options)
        far = op("eq", mask, 0)
        return site.number, player, op("select", far, FAR, lowest), op("select", far, options.count, mask)
    shift = op("select", options.mask, op("first", options.mask), 0)
    lowest = op("select", options.mask, op("add", options.base, shift), 0)
    return site.number, player, lowest, op("shr", options.mask, shift)


def listed_options(v: Expressions, options: ValueOptions) -> tuple[Expr, Expr]:
    """The lowest of the listed options, and a mask of all of them based on it; no mask if they are too far apart."""
    b = v.b
    lowest, mask = b.mutable(0), b.mutable(0)
    with b.when(op("lt", 0, options.count)):
        b.set(lowest, load(WIDE, 0))
        last = b.let(load(WIDE, op("sub", options.count, 1)))
        with b.when(op("lt", op("sub", last, lowest), WORD)):
            add = lambda i: b.set(mask, op("or", mask, op("bit", op("sub", load(WIDE, i), lowest))))  # noqa: E731
            b.times(0, op("sub", options.count, 1), add)
    return b.let(lowest), b.let(mask)


def announcement(v: Expressions, site: Site) -> tuple[Expr, ...]:
    """An item for an announcement."""
    assert isinstance(site.node, c.Announce)
    words: list[Expr] = [site.number]
    for _, value in site.node.fields:
        if isinstance(value, str):
            words += [load(f"v.{value}", player) for player in range(v.program.players)]
        else:
            words += v.words(value)
    return tuple(words)
