"""A validation as text for people and as the contract's JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from trickproof.checking.finding import Finding
from trickproof.english.inflection import listed
from trickproof.english.playout import playout
from trickproof.reports.diff import diff_json, diff_text
from trickproof.simulate.statistics.outcome import Outcome
from trickproof.support.confidence_intervals import Estimate
from trickproof.support.locations import at, place
from trickproof.validate.effects_on_play import Effects, tricks_by_seat
from trickproof.validate.validation import Guarantee, Validation
from trickproof_dsl.library import Ruleset

WIDTH = 110

"""Seats of three players, from the dealer on clockwise."""


def validation_json(found: Validation) -> dict[str, Any]:
    """The contract's JSON, with what more is known."""
    diff = found.diff
    changes = [] if diff is None else [x for x in diff_json(diff)["aspects"] if x["status"] != "same"]
    others = [] if diff is None else diff_json(diff)["others"]
    return {
        "id": found.ruleset.id,
        "base": None if found.base is None else found.base.id,
        "verdict": "accepted" if found.accepted else "rejected",
        "reasons": [x.message for x in found.new],
        "findings": [x.as_json() for x in found.findings],
        "new_findings": [x.as_json() for x in found.new],
        "guarantees": [_guarantee_json(x) for x in found.guarantees],
        "changes": [*changes, *others],
        "useless": [{"kind": x.kind, "what": x.what, "where": place(x.where)} for x in found.useless],
        "equal_to": list(found.equal_to),
        "effects": {} if found.effects is None else found.effects.as_json(),
        "repairs": [
            {"what": x.what, "where": place(x.where), "old": x.old, "new": x.new} for x in found.repairs
        ],
    }


def _guarantee_json(x: Guarantee) -> dict[str, str | None]:
    return {
        "check": x.check,
        "change": x.change,
        "base": None if x.base is None else x.base.value,
        "house": x.house.value,
    }


def validation_text(found: Validation, verbose: bool = False) -> str:
    """The verdict with its reasons first, then what changes."""
    return "\n".join(_lines(found, verbose))


def _lines(found: Validation, verbose: bool) -> Iterator[str]:
    verdict = "accepted" if found.accepted else "rejected"
    over = f", over {found.base.id}" if found.base is not None else ", which has no base"
    yield f"{found.ruleset.id}: {verdict} ({found.ruleset.title}{over})"
    for finding in found.new:
        yield from _reason(found.ruleset, finding)
    for repair in found.repairs:
        yield f"  would be accepted: {repair.what} ({at(repair.where)})"
    yield from _guarantees(found)
    yield from _changes(found, verbose)
    for x in found.useless:
        what = {"unreachable": "no match comes to rule", "never": "never holds:", "always": "always holds:"}[
            x.kind
        ]
        yield f"  {what} {x.what} ({at(x.where)})"
    if found.equal_to:
        yield f"  plays the same as {listed(list(found.equal_to))}"
    if found.effects is not None:
        yield from _effects(found.effects)


def _reason(ruleset: Ruleset, finding: Finding) -> Iterator[str]:
    where = f" ({at(finding.where)})" if finding.where is not None else ""
    yield from _wrapped(f"{finding.check}: {finding.verdict}: {finding.message}{where}", "  ")
    hands = list(finding.match) or ([finding.witness] if finding.witness is not None else [])
    lines = [line for hand in hands[-1:] for line in playout(ruleset, hand)]
    shown = lines if len(lines) <= 12 else [*lines[:5], "…", *lines[-4:]]
    for line in shown:
        yield from textwrap.wrap(line, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 10)


def _guarantees(found: Validation) -> Iterator[str]:
    for change, word in (
        ("kept", "kept"),
        ("broken", "broken"),
        ("gained", "newly holds"),
        ("weaker", "holds, less surely"),
        ("stronger", "holds, more surely"),
        ("open", "not decided any more"),
    ):
        names = [x.check for x in found.guarantees if x.change == change]
        if names:
            yield from _wrapped(f"{word}: {', '.join(names)}", "  ")


def _changes(found: Validation, verbose: bool) -> Iterator[str]:
    diff = found.diff
    if diff is None:
        return
    changed = [one for one in diff.every if one.status != "same"]
    if not changed:
        yield f"  nothing changes: it plays as {diff.a.id}"
        return
    for one in changed:
        ways = "; ".join(f"{way.how}, {way.when}" if way.when else way.how for way in one.ways)
        named = ways.replace(" in a only", " in the base only").replace(
            " in b only", " with the house rule only"
        )
        yield from _wrapped(f"changes {one.aspect}: {named or one.why} [{one.status}]", "  ")
    if verbose:
        yield from textwrap.indent(diff_text(diff), "    ").splitlines()


def _effects(found: Effects) -> Iterator[str]:
    base, house = found.base.counts, found.house.counts
    played = f"in {base.hands:,} and {house.hands:,} hands" + (
        " of the same matches" if found.difference else ""
    )
    yield f"  {played}, same cards, random play, seed {found.seed} (base → house, 95 % intervals):"
    columns = zip(tricks_by_seat(found.base), tricks_by_seat(found.house), strict=False)
    for seat, (mine, theirs) in enumerate(columns):
        change = f", difference {_signed(found.difference[seat])}" if found.difference else ""
        yield f"    tricks, {_seat(found, seat)}: {mine.text()} → {theirs.text()}{change}"
    yield f"    hands a match: {_length(found.base)} → {_length(found.house)}"
    wins = zip(base.wins_by_start(), house.wins_by_start(), strict=False)
    for seat, (mine, theirs) in enumerate(wins):
        yield f"    matches won, {_seat(found, seat)} of the first hand: {mine.text()} → {theirs.text()}"
    if house.broken:
        yield f"    the rules broke down in {house.broken:,} of {found.house.hands:,} hands"


def _seat(found: Effects, number: int) -> str:
    return found.house.seats[number]


def _length(outcome: Outcome) -> str:
    told = outcome.counts.match_length().mean
    return told.text(1) if outcome.counts.matches else f"no match ended (at least {told.low:.1f})"


def _signed(x: Estimate) -> str:
    return f"{x.mean:+.2f} ({x.low:+.2f} to {x.high:+.2f})"


def _wrapped(text: str, head: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=head, subsequent_indent=head + "  ", break_on_hyphens=False
    )
