"""A validation of a house rule as text for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from trickproof.checking.finding import Finding
from trickproof.english.inflection import counted, listed
from trickproof.reports.diff import aspect_document, diff_text
from trickproof.reports.played_hand import played_hand
from trickproof.reports.text import PLAIN, Page, estimate, number
from trickproof.simulate.statistics.outcome import Outcome
from trickproof.support.locations import at, shown_file
from trickproof.support.serialise import Content, serialised
from trickproof.validate.effects_on_play import POLICY, Effects, tricks_by_seat
from trickproof.validate.repairs import Repair
from trickproof.validate.validation import Validation
from trickproof_dsl.library import Ruleset

CHANGES = (
    ("kept", "kept"),
    ("broken", "broken"),
    ("gained", "newly holds"),
    ("weaker", "holds, less surely"),
    ("stronger", "holds, more surely"),
    ("open", "not decided any more"),
)
"""Changes of a guarantee, in the order of the report, and their words."""

MOST_LINES = 14
"""Lines of a witness; of a longer one the deal and the end are printed."""

DIGITS = 4
"""Decimals of every figure in JSON."""

USELESS = {"unreachable": "no match comes to rule", "never": "never holds:", "always": "always holds:"}


def validation_text(validation: Validation, verbose: bool = False, page: Page = PLAIN) -> str:
    """The verdict with its reasons first, then what changes."""
    return "\n".join(_lines(validation, verbose, page))


def _lines(validation: Validation, verbose: bool, page: Page) -> Iterator[str]:
    verdict = "accepted" if validation.accepted else "rejected"
    base = f", over {validation.base.id}" if validation.base is not None else ", which has no base"
    open_ = (
        validation.open if validation.accepted else ()
    )  # beside what is broken it would only hide the reason
    still = f", {counted(len(open_), 'guarantee')} open" if open_ else ""
    heading = f"{validation.ruleset.id}: {verdict}{still} ({validation.ruleset.title}{base})"
    first, *others = page.wrapped(heading, hang=2)
    yield from (first.replace(f": {verdict}", f": {page.styled(verdict, verdict)}", 1), *others)
    for finding in validation.new:
        yield from _reason(validation.ruleset, finding, page)
    for finding in open_:
        yield from page.wrapped(f"open: {finding.check}: {finding.verdict}: {finding.message}", "  ", 4)
    for nth, repair in enumerate(validation.repairs, 1):
        yield from page.wrapped(f"fix {nth}: {repair.what} ({at(repair.where)})", "  ", 4)
    yield from _guarantees(validation, page)
    yield from _changes(validation, verbose, page)
    for x in validation.useless:
        yield from page.wrapped(f"{USELESS[x.kind]} {x.what} ({at(x.where)})", "  ", 4)
    if validation.equal_to:
        yield from page.wrapped(f"plays the same as {listed(list(validation.equal_to))}", "  ", 4)
    if validation.effects is not None:
        yield from _effects(validation.effects, page)


def _reason(ruleset: Ruleset, finding: Finding, page: Page) -> Iterator[str]:
    where = f" ({at(finding.where)})" if finding.where is not None else ""
    yield from page.wrapped(f"{finding.check}: {finding.verdict}: {finding.message}{where}", "  ", 4)
    if finding.witness is None:
        return
    lines = list(played_hand(page, ruleset, finding.witness, 6, finding.match))
    yield from lines if len(lines) <= MOST_LINES else (*lines[:5], "      …", *lines[-6:])


def _guarantees(validation: Validation, page: Page) -> Iterator[str]:
    for change, words in CHANGES:
        names = [x.check for x in validation.guarantees if x.change == change]
        if names:
            yield from page.wrapped(f"{words}: {', '.join(names)}", "  ", 4)


def _changes(validation: Validation, verbose: bool, page: Page) -> Iterator[str]:
    diff = validation.diff
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
        yield from page.wrapped(f"changes {one.aspect}: {named or one.why} [{one.status}]", "  ", 4)
    if verbose:
        yield from (f"    {line}".rstrip() for line in diff_text(diff, page=page.narrower(4)).splitlines())


def _effects(effects: Effects, page: Page) -> Iterator[str]:
    base, house = effects.base.counts, effects.house.counts
    paired = " of the same matches" if effects.difference else ""
    played = f"in {base.hands:,} and {counted(house.hands, 'hand')}{paired}"
    setting = f"same cards, random play, seed {effects.seed} (base → house, 95 % intervals)"
    yield from page.wrapped(f"{played}, {setting}:", "  ", 4)
    for line in _figures(effects):
        yield from page.wrapped(line, "    ", 6)
    if house.broken:
        of = counted(effects.house.hands, "hand")
        yield from page.wrapped(f"the rules broke down in {house.broken:,} of {of}", "    ", 6)


def _figures(effects: Effects) -> Iterator[str]:
    """Tricks by seat, hands of a match, wins: base and house."""
    seats = effects.house.seats
    tricks = zip(tricks_by_seat(effects.base), tricks_by_seat(effects.house), strict=False)
    for seat, (base, house) in enumerate(tricks):
        difference = estimate(effects.difference[seat], sign="+") if effects.difference else ""
        change = f", difference {difference}" if difference else ""
        yield f"tricks, {seats[seat]}: {estimate(base)} → {estimate(house)}{change}"
    yield f"hands a match: {_length(effects.base)} → {_length(effects.house)}"
    wins = zip(effects.base.counts.wins_by_start(), effects.house.counts.wins_by_start(), strict=False)
    for seat, (base, house) in enumerate(wins):
        yield f"matches won, {seats[seat]} of the first hand: {estimate(base)} → {estimate(house)}"


def _length(outcome: Outcome) -> str:
    length = outcome.counts.match_length().mean
    return (
        estimate(length, 1)
        if outcome.counts.matches
        else f"no match ended (at least {number(length.low, 1)})"
    )


# ------------------------------------------------------------------------------------------------- JSON


def validation_document(validation: Validation) -> Content:
    """The verdict, its reasons, and everything that changes."""
    base, diff = validation.base, validation.diff
    changed = () if diff is None else (*(x for x in diff.aspects if x.status != "same"), *diff.others)
    return {
        "id": validation.ruleset.id,
        "base": None if base is None else base.id,
        "verdict": "accepted" if validation.accepted else "rejected",
        "reasons": [x.message for x in validation.new],
        "findings": validation.findings,
        "new_findings": validation.new,
        "guarantees": validation.guarantees,
        "changes": [] if diff is None else [aspect_document(diff, x) for x in changed],
        "useless": validation.useless,
        "equal_to": validation.equal_to,
        "effects": {} if validation.effects is None else effects_document(validation.effects),
        "repairs": validation.repairs,
        "open": [{"check": x.check, "verdict": x.verdict, "why": x.message} for x in validation.open],
        "fixes": [_fix(validation, repair) for repair in validation.repairs],
    }


def _fix(validation: Validation, repair: Repair) -> Content:
    """A repair as edits, which an editor can make."""
    edited = repair.edited
    start, end = (edited.source.position(offset) for offset in (edited.start, edited.end))
    edit = {
        "file": shown_file(edited.source.name),
        "start": {"line": start[0], "column": start[1]},
        "end": {"line": end[0], "column": end[1]},
        "text": repair.new,
    }
    return {"title": repair.what, "edits": [edit], "restores": [x.check for x in validation.new]}


def effects_document(effects: Effects) -> Content:
    """What the house rule does to play: both sides, and house less base."""
    content: Content = serialised(
        {
            "policy": POLICY,
            "seed": effects.seed,
            "base": _played(effects.base),
            "house": _played(effects.house),
            "difference": {"tricks_by_seat": effects.difference},
        },
        DIGITS,
    )
    return content


def _played(outcome: Outcome) -> Content:
    counts = outcome.counts
    return {
        "hands": counts.hands,
        "matches": counts.matches,
        "broken": counts.broken,
        "tricks_by_seat": tricks_by_seat(outcome),
        "target_met": [counts.met(s) for s in range(counts.plan.players)] if counts.plan.met else [],
        "match_length": counts.match_length().mean,
        "win_share": counts.wins_by_start(),
    }
