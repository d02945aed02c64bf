"""A validation of a house rule, as text and as JSON: verdict, reason, fixes, changes, effects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from trickproof.analysis.fixed_numbers import sets_fixed_numbers
from trickproof.analysis.usage import program_usage
from trickproof.checking.engines import State
from trickproof.checking.finding import Finding
from trickproof.checking.played_hand import following_hand
from trickproof.diff.results import SAME_TEXT, UNREACHED, Compared, Way
from trickproof.diff.rule_dependencies import Texts
from trickproof.diff.ruleset_diff import Diff
from trickproof.english.differences import difference_sentence
from trickproof.english.inflection import counted, listed
from trickproof.english.rule_order import trees_of
from trickproof.english.rules import Words, compact
from trickproof.english.seats import names_at_table, seat_names, with_names
from trickproof.reports.comparison.diff import aspect_document, diff_text
from trickproof.reports.played_hand import deals_before, played_hand
from trickproof.reports.text import PLAIN, UNBROKEN, Page, estimate, number, percent, points
from trickproof.simulate.ir.calling_convention import SEARCH
from trickproof.support.locations import at, at_hand, id_and_file, shown_file, source_lines
from trickproof.support.serialise import Content, serialised
from trickproof.testing.witness import replayed_match
from trickproof.validate.dead_rules import Useless
from trickproof.validate.edits import Repair
from trickproof.validate.effects_on_play import Effects, Measure, parting
from trickproof.validate.sense import OFF_CONVENTION, Warning
from trickproof.validate.validation import Validation
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.files.model import in_prelude
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.replay import replay_match

MOST_LINES = 14
"""Lines of a witness; of a longer one, all tricks but the last two are left out."""

LONGEST_CONTEXT = 60
"""A fix shows the line that it changes, unless it has more characters."""

DEFAULT_WHEN = "hand-ends"
"""When an invariant holds that does not say when."""

DIGITS = 4
"""Decimals of every figure in JSON."""

SHOWN = {
    "tricks": "tricks",
    "score": "score",
    "payout": "payout",
    "deals-per-match": "deals per match",
    "matches-won": "matches won",
}
"""The measures that the text shows, with their labels."""


def validation_text(validation: Validation, verbose: bool = False, page: Page = PLAIN) -> str:
    """The verdict and its reason, then the suggested fix, what changes, and the effects on play."""
    return "\n".join(filter(None, validation_parts(validation, verbose, page)))


def validation_parts(validation: Validation, verbose: bool, page: Page) -> tuple[str, ...]:
    """The text in the parts in which it is worked out: the verdict, fixes and guarantees, what changes, effects on play."""
    parts = (
        _verdict(validation, verbose, page),
        _judged(validation, page),
        _changed(validation, verbose, page),
        _effects(validation, page),
    )
    return tuple(map("\n".join, parts))


def verdict_words(validation: Validation) -> str:
    """The verdict in a few words: `accepted, 2 guarantees open`."""
    if not validation.accepted:
        return "rejected"
    open_ = f", {counted(len(validation.open), 'guarantee')} open" if validation.open else ""
    undecided = len(validation.undecided)
    open_ += f", {counted(undecided, 'change')} undecided" if undecided else ""
    nothing = f", changes nothing (because {_because(validation)})" if validation.changes_nothing else ""
    return f"accepted{nothing}{open_}"


def _verdict(validation: Validation, verbose: bool, page: Page) -> Iterator[str]:
    verdict = "accepted" if validation.accepted else "rejected"
    base = (
        f"based on {validation.base.id}"
        if validation.base is not None
        else "there is no base to judge it against"
    )
    heading = f"{id_and_file(validation.ruleset)}: {verdict_words(validation)}; {base}"
    first, *others = page.wrapped(heading, hang=2)
    yield from (first.replace(f": {verdict}", f": {page.styled(verdict, verdict)}", 1), *others)
    yield from _reasons(validation, verbose, page)


def _judged(validation: Validation, page: Page) -> Iterator[str]:
    for finding in validation.open if validation.accepted else ():
        yield from page.wrapped(_open_line(validation, finding), "  ", 4)
    warnings = [x for warning in validation.warnings for x in _warning(warning, page)]
    yield from warnings if validation.accepted else ()  # the fixes are for what they warn of
    for nth, repair in enumerate(validation.repairs, 1):
        fix = f"fix {nth}: {fix_words(repair)} ({at(repair.where)})"
        yield from page.wrapped(_unbroken(fix, page), "  ", 4)
    if not validation.repairs and not validation.accepted:
        stops = any(_stops(validation.ruleset, x) for x in validation.new)
        more = "; play cannot go on from there, so a rule must say what happens" if stops else ""
        yield from page.wrapped(f"no fix found: none of the changes tried passes every check{more}", "  ", 4)
    if accepted := acceptable(validation):
        known = f"{'or, ' * bool(validation.repairs)}if your table accepts the flaw, say why at the top level of the file: {_known([x.check for x in accepted])}"
        yield from page.wrapped(_unbroken(known, page), "  ", 4)
    yield from _restated(validation, page)
    yield from () if validation.accepted else warnings
    yield from _guarantees(validation, page)


def _warning(warning: Warning, page: Page) -> Iterator[str]:
    where = f" ({at(warning.where)})" if warning.where is not None else ""
    yield from page.wrapped(f"warning: {warning.message}{where} [{warning.code}]", "  ", 4)


def _restated(validation: Validation, page: Page) -> Iterator[str]:
    """How the file states an invariant of its base anew if its rules violate it."""
    own, whole = validation.ruleset.own.invariants, validation.ruleset.whole.invariants
    broken = [x.check for x in validation.new if x.check in whole and x.check not in own]
    if not broken or validation.base is None:
        return
    one = len(broken) == 1
    which = f"{listed(broken)} {'is an invariant' if one else 'are invariants'} of {validation.base.id}"
    what = "it need not hold in your game" if one else "one of them need not hold in your game"
    instead = f"{which}; if {what}, add at the top level of the file what holds instead of {'this' if one else 'these'}:"
    yield from page.wrapped(instead, "  ", 4)
    yield "    invariants:"
    for name in broken:
        yield f"      {name}:"
        yield from page.wrapped(" ".join(whole[name].text.text.split()), "        rule: ", 10)
        if whole[name].when.value != DEFAULT_WHEN:
            yield f"        when: {whole[name].when.value}"
        yield "        assumes: we …"


def _changed(validation: Validation, verbose: bool, page: Page) -> Iterator[str]:
    yield from _changes(validation, verbose, page)
    for x in validation.useless:
        yield from page.wrapped(dead_sentence(validation.ruleset, x), "  ", 4)
    if validation.equal_to:
        yield from page.wrapped(f"plays the same as {listed(list(validation.equal_to))}", "  ", 4)


def acceptable(validation: Validation) -> list[Finding]:
    """The violations to declare as known if a table plays that way: none if play cannot go on after one."""
    refuted = [] if validation.accepted else [x for x in validation.new if x.verdict.refuted]
    return [] if any(_stops(validation.ruleset, x) for x in refuted) else refuted


def _known(checks: Sequence[str]) -> str:
    """The field that declares what checks find as known."""
    reasons = ", ".join(f'{check}: "we …"' for check in checks)
    return f"`known: {{{reasons}}}`"


def _stops(ruleset: Ruleset, finding: Finding) -> bool:
    """Whether the rules fail in the deal that shows a violation or right after it, so that play cannot go on."""
    match = finding.match or (() if finding.witness is None else (finding.witness,))
    if not match or not replay_match(ruleset, match)["ok"]:
        return bool(match)
    state = replayed_match(ruleset, match).state
    if state.match_over or not state.hand_over:
        return False
    following = following_hand(state)
    return isinstance(following, State) and following.fault is not None


def _unbroken(text: str, page: Page) -> str:
    """A text whose pieces of code stay on one line each, to be pasted, if they fit on one."""

    longest = page.width - 4
    return re.sub("`[^`]+`", lambda x: x[0].replace(" ", UNBROKEN) if len(x[0]) < longest else x[0], text)


def fix_words(repair: Repair) -> str:
    """A change in words, with the line in which a word or number is replaced, and what of it is not proved."""
    replaced, where = f"replace `{repair.old}` with `{repair.new}`", repair.where
    if len(repair.edits) != 1 or not repair.what.startswith(replaced):
        return repair.what + unproved(repair)
    line = where.source.line_text(where.line).strip()
    shown = line != repair.old and "\n" not in repair.old and len(line) <= LONGEST_CONTEXT
    context = f" in `{line}`" if shown else ""
    return replaced + context + repair.what.removeprefix(replaced) + unproved(repair)


def unproved(repair: Repair) -> str:
    """What a change is only tested to restore."""
    return f"; {listed(list(repair.tested))}: tested in random deals, not proved" if repair.tested else ""


def dead_sentence(ruleset: Ruleset, x: Useless) -> str:
    """A dead rule or condition; standard rules are shown by their text, since users have no file to look into."""
    standard = in_prelude(x.where)
    if x.kind != "unreachable":
        where = "in a standard rule" if standard else at(x.where)
        return f"the condition `{x.what}` {x.kind} holds ({where})"
    text = ruleset.whole.rules[x.what].text
    if not standard or text is None:
        known = at_hand(x.where)
        whose, where = ("", f" ({at(x.where)})") if known else (f" of {Path(x.where.source.name).stem}", "")
        return f"rule `{x.what}`{whose} is no longer used{where}"
    shown = "; ".join(line.strip() for line in source_lines(text))
    return f"the standard rule `{x.what}` (`{shown}`) is no longer used"


def _reasons(validation: Validation, verbose: bool, page: Page) -> Iterator[str]:
    """The reason for a rejection with its deal; then what the rules leave open; further reasons in a line, or in full with `verbose`."""
    reason = validation.reason
    if reason is None:
        return
    yield from _reason(validation.ruleset, reason, page)
    named: list[str] = []
    for finding in (x for x in validation.new if x is not reason):
        if verbose or finding.gaps:
            yield from _reason(validation.ruleset, finding, page)
        else:
            was = next((x.base for x in validation.guarantees if x.check == finding.check), None)
            unsure = f", {was} for {validation.base.id}" if was == "undecided" and validation.base else ""
            named.append(f"{finding.check} ({finding.verdict}{unsure})")
    if named:
        yield from page.wrapped(f"also: {listed(named)}", "  ", 4)


def _reason(ruleset: Ruleset, finding: Finding, page: Page) -> Iterator[str]:
    where = f" ({at(finding.where)})" if finding.where is not None and at_hand(finding.where) else ""
    message = finding.message
    if finding.witness is not None:
        message = with_names(message, names_at_table(finding.witness, ruleset.program.players))
    yield from page.wrapped(f"{finding.check}: {finding.verdict}: {message}{where}", "  ", 4)
    if finding.witness is None or sets_fixed_numbers(ruleset, finding.where):
        return
    after = finding.match is not None and len(finding.match) > 1
    if finding.match is not None and after:
        yield from deals_before(page, ruleset, finding.match, 6)
    lines = list(played_hand(page, ruleset, finding.witness, 6, finding.match, after))
    tricks = [i for i, line in enumerate(lines) if line.lstrip().startswith("trick ")]
    if len(lines) > MOST_LINES and len(tricks) > 2:
        lines[tricks[0] : tricks[-2]] = ["      …"]
    yield from lines


def _open_line(validation: Validation, finding: Finding) -> str:
    guarantee = next((x for x in validation.guarantees if x.check == finding.check), None)
    line = f"open: {finding.check}: {finding.verdict}: {finding.message}"
    if guarantee is None or validation.base is None:
        return line
    less = guarantee.base is not None and guarantee.base is not guarantee.house
    was = f" ({guarantee.base} for {validation.base.id})" if less else ""
    return line + was + (f" ({guarantee.why})" if guarantee.why else "")


def _because(validation: Validation) -> str:
    """Why nothing changes."""
    assert validation.base is not None
    assert validation.diff is not None
    base = validation.base.id
    if never := [x for x in validation.useless if x.kind == "never"]:
        return f"`{never[0].what}` never holds"
    own = [one for one in validation.diff.every if one.aspect in validation.ruleset.own.rules]
    if unused := [one for one in own if one.why == UNREACHED]:
        return f"no match reaches `{unused[0].aspect}`"
    mine, theirs = (trees_of(x.whole) for x in (validation.ruleset, validation.base))
    restated = [f"`{name}`" for name in validation.ruleset.own.rules if mine.get(name) != theirs.get(name)]
    return _alike(validation) or _do_the_same(restated, base) or f"its rules are those of {base}"


def _alike(validation: Validation) -> str | None:
    """Which of its rules change nothing although they are stated otherwise than in the base."""
    if validation.diff is None or validation.base is None:
        return None
    own = [one for one in validation.diff.every if one.aspect in validation.ruleset.own.rules]
    alike = [f"`{one.aspect}`" for one in own if one.status == "same" and one.why != SAME_TEXT]
    return _do_the_same(alike, validation.base.id)


def _do_the_same(rules: Sequence[str], base: str) -> str | None:
    do = "does" if len(rules) == 1 else "do"
    return f"{listed(rules)} {do} the same as in {base} in every deal" if rules else None


def _guarantees(validation: Validation, page: Page) -> Iterator[str]:
    """What became of the base's guarantees, in one sentence whose numbers add up; then what is gained."""
    if validation.base is None:
        return
    by_fate: dict[str, list[str]] = {}
    for x in validation.guarantees:
        if x.change != "gained" and _held(x.base):
            by_fate.setdefault(FATES[x.change], []).append(x.check)
        elif x.change == "gained":
            by_fate.setdefault("newly holds" if x.house.proved else UNPROVED, []).append(x.check)
    of_base = [x for x in dict.fromkeys(FATES.values()) if x in by_fate]
    number, base = sum(len(by_fate[x]) for x in of_base), validation.base.id
    told = [f"{len(by_fate[x])} {x}" + (f" ({', '.join(by_fate[x])})" if x != HOLD else "") for x in of_base]
    if of_base == [HOLD]:
        of_all = (
            f"{'all' if validation.accepted else 'the'} {number} guarantees of {base} hold"
            if number > 1
            else f"the one guarantee of {base} holds"
        )
        if not validation.accepted:
            of_all += f"; newly violated: {', '.join(x.check for x in validation.new)}"
        if anew := [x for x in validation.ruleset.own.invariants if x in validation.base.whole.invariants]:
            of_all += f"; stated anew in this file: {', '.join(anew)}"
            by_fate["newly holds"] = [x for x in by_fate.get("newly holds", ()) if x not in anew]
        yield from page.wrapped(of_all, "  ", 4)
    elif told:
        of = f"the {counted(number, 'guarantee')} of {base}: {listed(told)}"
        yield from page.wrapped(of, "  ", 4)
    if validation.examples:
        names = listed([f"`{x.name}`" for x in validation.examples])
        yield from page.wrapped(f"worked examples of {base} that come out differently: {names}", "  ", 4)
    told_of = {x.check for x in validation.new} | {x.check for x in validation.guarantees}
    by_fate[f"refuted, as in {base}"] = [
        x.check for x in validation.findings if x.verdict.refuted and not x.known and x.check not in told_of
    ]
    by_fate["more certain"] = [x.check for x in validation.guarantees if x.change == "stronger"]
    for words in (f"refuted, as in {base}", "newly holds", "more certain", UNPROVED):
        if named := by_fate.get(words):
            than = f" than for {base}" if words == "more certain" else ""
            yield from page.wrapped(f"{words}{than}: {', '.join(named)}", "  ", 4)
    if validation.accepted and "violated" in by_fate:
        why = "accepted all the same: what is lost is a convention, and the table has agreed otherwise"
        yield from page.wrapped(why, "  ", 4)
        yield from page.command("To see what that means:", ["trickproof", "explain", OFF_CONVENTION], 2)
        known = f"for `check` to accept it too, say why at the top level of the file: {_known(by_fate['violated'])}"
        yield from page.wrapped(_unbroken(known, page), "  ", 4)


HOLD, UNPROVED = "preserved", "no failure found, but not proved"

FATES = {
    "kept": HOLD,
    "stronger": HOLD,
    "broken": "violated",
    "known": "violated, as the file records",
    "weaker": "less certain",
    "open": "undecided",
    "moot": "no longer applicable",
}
"""What becomes of a guarantee, in report order."""


def _held(verdict: object) -> bool:
    return verdict in ("proved", "bounded", "tested")


def _changes(validation: Validation, verbose: bool, page: Page) -> Iterator[str]:
    diff = validation.diff
    if diff is None or validation.changes_nothing:
        return
    changed = [one for one in diff.every if one.status != "same"]
    apart = [one for i, one in enumerate(changed) if not any(one.same_as(x) for x in changed[:i])]
    if len(games := {one.game for one in apart if one.game}) == 1 and len(apart) > 1:
        yield from page.wrapped(f"each change by itself, with all other rules as in {min(games)}:", "  ", 4)
    for one in apart:
        status = "" if one.status == "different" else f" ({one.status})"
        what = f"{_together(one, changed)}{_through(diff.b, one)}{status}"
        yield from page.wrapped(f"changes {what}: {_ways(diff, one)}", "  ", 4)
        others = {x.aspect for x in apart if x is not one}
        for said in _now(diff, [x for x in one.jointly or (one.aspect,) if x not in others]):
            yield from page.wrapped(f"now: {said}", "    ", 6)
    told = {name for one in diff.every for name in (one.aspect, *one.jointly)}
    for name in (x for x in diff.b.own.rules if x not in told and x in diff.b.program.rules):
        for said in _now(diff, (name,)):
            yield from page.wrapped(f"with {name}, now: {said}", "  ", 4)
    removed = any(x.kind == "unreachable" for x in validation.useless)  # in favour of a rule of the file
    if not removed and (alike := _alike(validation)) is not None:
        alone = " by itself" if changed else ""
        yield from page.wrapped(f"changes nothing{alone}: {alike}", "  ", 4)
    if verbose:
        yield from (f"    {line}".rstrip() for line in diff_text(diff, page=page.narrower(4)).splitlines())


def _through(house: Ruleset, one: Compared) -> str:
    """The rules of the file by which an aspect changes that the file does not state."""
    rules = one.jointly or (one.aspect,)
    if any(x in house.own.rules for x in rules):
        return ""
    used = Texts(house).reaches(one.aspect)
    through = [f"`{x}`" for x in house.own.rules if x in used]
    return f", which uses {listed(through)}" if through else ""


LONGEST_SAID = 400
"""Maximum length of a changed rule that is said in full, in characters."""


def _now(diff: Diff, aspects: Sequence[str]) -> Iterator[str]:
    """What the house rule says in some aspects, if that is short and not what the base says."""
    base, house = Words(diff.a.whole), Words(diff.b.whole)
    in_use = program_usage(diff.b.program).rules
    for aspect in (x for x in aspects if x in in_use or x not in diff.b.program.rules):
        before, now = ([compact(x.steps) for x in y.rule(aspect, opened=True)] for y in (base, house))
        if len(now) == 1 and now != before and len(now[0]) <= LONGEST_SAID:
            yield now[0]


def _together(one: Compared, changed: Sequence[Compared]) -> str:
    """The aspect, with those that change jointly with it."""
    if not one.jointly:
        return one.aspect
    if all(x is one or one.same_as(x) for x in changed if x.aspect in one.jointly):
        return f"{listed(list(one.jointly))} jointly"
    return f"{one.aspect} (jointly with {listed([x for x in one.jointly if x != one.aspect])})"


def _ways(diff: Diff, one: Compared) -> str:
    """How an aspect differs, in sentences; of two with one condition only the one that says more, or that the other follows from."""
    kept = [way for way in one.ways if not any(_instead(x, way) for x in one.ways)]
    ways = (difference_sentence(way.how, way.when, diff.a.id, "the house rule") for way in kept)
    return " ".join(ways) or one.why


def _instead(one: Way, other: Way) -> bool:
    """Whether only the first of two ways is told: it names more values, or has no such consequence as that the match ends."""
    parts, others = (set(x.how.split("; ")) for x in (one, other))
    values = all(x.endswith(" differs") for x in parts ^ others)
    return one.when == other.when and (parts > others if values else parts < others)


# --------------------------------------------------------------------------------------------- effects


def _effects(validation: Validation, page: Page) -> Iterator[str]:
    """The figures of each policy side by side: base, house rule, and the difference with its interval; then how to read them."""
    if validation.changes_nothing:
        return
    shown = [x for x in validation.effects if x.base is not None and x.house is not None and _played(x)]
    shown.sort(key=lambda x: SEARCH not in x.policy)  # good play leads
    if words := _parting(shown):
        yield from page.wrapped(words, "  ", 4)
    for one in shown:
        base, house = one.base, one.house
        assert base is not None
        assert house is not None
        base_id = validation.base.id if validation.base is not None else "base"
        deals = f"{base.counts.hands:,} deals under {base_id}, {house.counts.hands:,} under {validation.ruleset.id}"
        yield from page.wrapped(f"effect on play, {one.policy} policy ({deals}):", "  ", 4)
        seats = seat_names(house.counts.plan.players)
        rows = [_row(x, seats, len(one.telling)) for x in _told(one.telling)]
        if rows:
            yield from _figures(page, [["", base_id, validation.ruleset.id, "difference"], *rows])
        if one.note:
            yield from page.wrapped(f"note: {one.note}", "    ", 6)
    for one in shown[:1]:
        legend = f"paired deals, seed {one.seed}; differences with 95% CI; `pp: percentage points`; `~: no effect shown`, allowing for multiple comparisons"
        yield from page.wrapped(_unbroken(f"({legend})", page).replace("`", ""), "    ", 5)
    for one in validation.effects:
        if one not in shown:
            yield from page.wrapped(f"effect on play, {one.policy} policy: {one.note}", "  ", 4)


def _parting(shown: Sequence[Effects]) -> str:
    """Which effects depend on how well people play, if any."""
    by_name: dict[str, list[str]] = {}
    told = {x.name for one in shown for x in _told(one.telling)}
    for measure in parting(shown):
        if measure.name not in told:
            continue
        seats = by_name.setdefault(SHOWN[measure.name], [])
        house = shown[0].house
        assert house is not None
        if measure.seat is not None:
            seats.append(seat_names(house.counts.plan.players)[measure.seat])
    parts = [f"{name} ({', '.join(seats)})" if seats else name for name, seats in by_name.items()]
    return f"the effect on {listed(parts)} depends on how well people play" if parts else ""


def _told(measures: Sequence[Measure]) -> list[Measure]:
    """The measures that are shown: score and payout only if they do not differ by as much as the tricks."""
    differences: dict[str, list[str]] = {}
    for x in measures:
        differences.setdefault(x.name, []).append(estimate(x.difference, DIGITS))
    told = {x: y for x, y in differences.items() if x in SHOWN}
    for name, before in (("payout", "score"), ("payout", "tricks"), ("score", "tricks")):
        if name in told and told[name] == told.get(before):
            del told[name]
    return [x for x in measures if x.name in told]


def _played(effects: Effects) -> bool:
    """Whether both sides have deals to compare."""
    return all(side is not None and side.counts.hands > 0 for side in (effects.base, effects.house))


def _figures(page: Page, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Figures in columns, or in a folded table if they do not fit."""
    lines = page.aligned(rows, indent=4)
    if max(map(len, lines)) > page.width:
        folded = page.narrower(4).table(rows[1:], rows[0])
        lines = [f"    {line}".rstrip() for line in folded.splitlines()]
    yield from lines


def _row(x: Measure, seats: Sequence[str], among: int) -> list[str]:
    """A measure under both rulesets and the difference, marked if it shows no effect as one of so many."""
    seat = f", {seats[x.seat]}" if x.seat is not None else ""
    if x.name == "matches-won" and x.seat == 0:
        seat = seat.replace("dealer", "first dealer")
    if x.name == "matches-won":
        base, house, change = percent(x.base.mean), percent(x.house.mean), points(x.difference)
    else:
        digits = 1 if x.name == "deals-per-match" else 2
        base, house = number(x.base.mean, digits), number(x.house.mean, digits)
        change = estimate(x.difference, digits, sign="+")
    sure = x.difference.among(among)
    return [f"{SHOWN[x.name]}{seat}", base, house, change if sure.low > 0 or sure.high < 0 else f"{change} ~"]


# ------------------------------------------------------------------------------------------------- JSON


def validation_document(validation: Validation) -> Content:
    """The verdict, its reasons, and everything that changes."""
    base, diff = validation.base, validation.diff
    changed = () if diff is None else (*(x for x in diff.aspects if x.status != "same"), *diff.others)
    return {
        "id": validation.ruleset.id,
        "base": None if base is None else base.id,
        "verdict": "accepted" if validation.accepted else "rejected",
        "answer": verdict_words(validation),
        "reasons": [x.message for x in validation.new],
        "findings": validation.findings,
        "new_findings": validation.new,
        "guarantees": validation.guarantees,
        "changes": [] if diff is None else [aspect_document(diff, x) for x in changed],
        "useless": validation.useless,
        "equal_to": validation.equal_to,
        "effects": {one.policy: effects_document(one) for one in validation.effects},
        "effects_that_depend_on_policy": [
            {"name": x.name, "seat": x.seat} for x in parting(validation.effects)
        ],
        "repairs": validation.repairs,
        "open": [
            *({"check": x.check, "verdict": x.verdict, "why": x.message} for x in validation.open),
            *({"check": x.aspect, "verdict": x.status, "why": x.why} for x in validation.undecided),
        ],
        "fixes": [_fix(repair) for repair in validation.repairs],
        "warnings": validation.warnings,
        "examples": [{"name": x.name, "differences": x.wrong} for x in validation.examples],
        "disagreements": validation.disagreements,
    }


def _fix(repair: Repair) -> Content:
    """A repair as text edits."""
    edits = [_edit(span, new) for span, new in repair.in_file]
    return {"title": repair.what + unproved(repair), "edits": edits, "restores": list(repair.restores)}


def _edit(span: Span, new: str) -> Content:
    start, end = (span.source.position(offset) for offset in (span.start, span.end))
    return {
        "file": shown_file(span.source.name),
        "start": {"line": start[0], "column": start[1]},
        "end": {"line": end[0], "column": end[1]},
        "text": new,
    }


def effects_document(effects: Effects) -> Content:
    """The results under one policy: deals and matches of the house rule, every measure, and their limits."""
    house = None if effects.house is None else effects.house.counts
    content: Content = serialised(
        {
            "hands": 0 if house is None else house.hands,
            "matches": 0 if house is None else house.matches,
            "seed": effects.seed,
            "measures": [_measure(x) for x in effects.measures],
            "note": effects.note,
        },
        DIGITS,
    )
    return content


def _measure(x: Measure) -> Content:
    return {
        "name": x.name,
        "seat": x.seat,
        "base": x.base.mean,
        "house": x.house.mean,
        "base_interval": {"low": x.base.low, "high": x.base.high},
        "house_interval": {"low": x.house.low, "high": x.house.high},
        "difference": {"value": x.difference.mean, "low": x.difference.low, "high": x.difference.high},
    }
