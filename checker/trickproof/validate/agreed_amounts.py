"""Numbers of cards to exchange that a house rule leaves open: what is owed stated, or the base's numbers limited."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trickproof.support.locations import source_lines
from trickproof.validate.edits import Repair, appended, margin_of, replaced, stripped
from trickproof_dsl.library import Ruleset


def agreed_amounts(ruleset: Ruleset) -> Iterator[Repair]:
    """The rules that define what is owed, if the file itself defines how many cards are given."""
    rule = ruleset.own.rules.get("exchange-amounts")
    written = {"gift-size", "to-give", "to-receive"} & ruleset.own.rules.keys()
    if rule is None or rule.text is None or written or "gift-size" in ruleset.whole.rules:
        return
    size = _amount([line for line in rule.text.text.splitlines() if line.strip()])
    if size is None:
        return
    yield appended(
        rule, _OWED.format(size=size), "state what is owed: add `gift-size`, `to-give` and `to-receive`"
    )


def capped(ruleset: Ruleset) -> Iterator[Repair]:
    """The numbers of cards of the base's rule, limited to those of the file's `up to`, which leaves them open."""
    for name, rule in ruleset.own.rules.items():
        above = None if ruleset.base is None else ruleset.base.whole.rules.get(name)
        cap = _CAP.search(rule.text.text) if rule.text is not None else None
        if ruleset.base is None or above is None or above.text is None or rule.text is None or cap is None:
            continue
        lines = "\n".join(source_lines(above.text)).strip()
        where = stripped(rule.text)
        new = _GIVEN.sub(rf"\1smaller({cap[1]}, \2)\3", lines)
        margin = " " * (where.source.position(where.start)[1] - 1)
        if new != lines and "\n" in where.text:
            new = new.replace("\n", f"\n{margin}")
            yield replaced(
                where,
                new,
                f"give what {ruleset.base.id} asks for, but at most {cap[1]} cards: `smaller({cap[1]}, …)`",
            )


_CAP = re.compile(r"\bup to (\d+) cards?\b")
"""A number of cards that a player may choose, up to a limit."""

_GIVEN = re.compile(r"(?m)^( *[a-z-]+ [a-z-]+s )(?!\d+ )(.+?)( cards? of hand)")
"""A player who gives, passes or discards cards, how many if that is no plain number, and from where."""

_OWED = """\
  gift-size:
    of: [player giver, player taker]
    rule: {size}
    assumes: the table agreed on the size of a gift
  to-give:
    of: player p
    rule: if over of p > 0 then sum of gift-size(p, player) for players with over < 0 else 0
    assumes: a player owes all the gifts that the table agreed on
  to-receive:
    of: player p
    rule: if over of p < 0 then sum of gift-size(player, p) for players with over > 0 else 0
    assumes: a player is owed all the gifts that the table agreed on
"""

_GIVES = re.compile(r"giver gives (?:up to )?(.+?) cards? of hand to taker\b")


def _amount(lines: Sequence[str]) -> str | None:
    """The number of cards that a giver gives a taker, as one expression; None if the text has another form."""
    head = lines[0].strip() if lines else ""
    if head.startswith("for taker in players with over < 0"):
        return _amount(lines[1:]) if _below(lines) == len(lines) else None
    if (given := _GIVES.match(head)) and len(lines) == 1:
        return given[1]
    when, then = re.fullmatch(r"if (.+):", head), _below(lines) if lines else 0
    if when is None or then == len(lines) or lines[then].strip() != "else:":
        return None
    sides = _amount(lines[1:then]), _amount(lines[then + 1 :])
    return None if None in sides else f"if {when[1]} then {sides[0]} else {sides[1]}"


def _below(lines: Sequence[str]) -> int:
    """The first line after the first that is indented no deeper."""
    margin = margin_of(lines[0])
    return next((i for i in range(1, len(lines)) if margin_of(lines[i]) <= margin), len(lines))
