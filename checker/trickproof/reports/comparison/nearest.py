"""The rulesets that are equivalent or closest to a given one, as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from trickproof.diff.nearest import Neighbour
from trickproof.english.inflection import counted, listed
from trickproof.reports.text import PLAIN, Page
from trickproof.support.serialise import Content
from trickproof_dsl.library import Ruleset

FAR = 8
"""Maximum number of differing aspects for the closest ruleset to be called near."""


def nearest_document(ruleset: Ruleset, neighbours: Sequence[Neighbour]) -> Content:
    """All other rulesets with their differing aspects, nearest first."""
    rows = [
        {"ruleset": x.ruleset.id, "equal": x.equal, "different": x.different, "undecided": x.undecided}
        for x in neighbours
    ]
    equal_to = [x.ruleset.id for x in neighbours if x.equal]
    return {"id": ruleset.id, "equal_to": equal_to, "nearest": rows}


def nearest_text(ruleset: Ruleset, neighbours: Sequence[Neighbour], page: Page = PLAIN) -> str:
    """The equivalent or closest ruleset, then the others."""
    lines = page.wrapped(_answer(ruleset, neighbours), hang=2)
    for x in neighbours:
        parts = (
            (counted(len(x.different), "difference"), x.different),
            (f"{len(x.undecided)} undecided", x.undecided),
        )
        found = [f"{words}: {', '.join(aspects)}" for words, aspects in parts if aspects]
        if not x.different:
            found.insert(0, "the same" if x.equal else "no difference found")
        lines += page.wrapped(f"{x.ruleset.id}: {'; '.join(found)}", "  ", 4)
    if neighbours and not neighbours[0].equal:
        pair = [ruleset.named, neighbours[0].ruleset.named]
        lines += page.command("Next, see a deal for each difference:", ["trickproof", "diff", *pair])
    return "\n".join(lines)


def _answer(ruleset: Ruleset, neighbours: Sequence[Neighbour]) -> str:
    equal = [x.ruleset.id for x in neighbours if x.equal]
    if equal:
        return f"{ruleset.id} plays the same as {listed(equal)}."
    if not neighbours:
        return f"There is nothing to compare {ruleset.id} with."
    best = neighbours[0]
    parts = (("in", best.different), ("perhaps in" if best.different else "at most in", best.undecided))
    where = ", and ".join(f"{word} {listed(aspects)}" for word, aspects in parts if aspects)
    number = best.number
    if number > FAR:
        return (
            f"No documented ruleset is close to {ruleset.id}: even {best.ruleset.id}, the closest, differs {where}. "
            "The other games of `trickproof list` are not compared."
        )
    tied = [x for x in neighbours if x.number == number]
    if len(tied) == 1:
        return f"The closest documented ruleset to {ruleset.id} is {best.ruleset.id}; they differ {where}."
    most = "at most " if any(x.undecided for x in tied) else ""
    names = listed([x.ruleset.id for x in tied])
    return (
        f"The closest documented rulesets to {ruleset.id} are {names}, with "
        f"{most}{counted(number, 'difference')} each."
    )
