"""A comparison of rulesets, as text and as JSON."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from trickproof.diff.results import Compared, Readings, Way
from trickproof.diff.ruleset_diff import Diff, Grouped
from trickproof.diff.witnesses.paired_replay import BETWEEN, FAILS, Answers, asked_where_they_differ
from trickproof.diff.witnesses.parting import Direction, Parting
from trickproof.english.aspects import ABSENT, Cell, describe
from trickproof.english.differences import (
    EMPHASIS,
    condition_words,
    difference_clause,
    difference_sentence,
    word_by_word,
)
from trickproof.english.inflection import counted, listed
from trickproof.english.playout import (
    MOST_OPTIONS,
    UP_OR_DOWN,
    by_player,
    event_text,
    numbered_course,
    options_text,
    pending,
    verbs_of,
)
from trickproof.english.seats import Names, names_at_table
from trickproof.english.vocabulary import plain
from trickproof.reports.citations import brief
from trickproof.reports.played_hand import beginning, deals_before
from trickproof.reports.text import PLAIN, Page
from trickproof.support.locations import at, at_hand, source_lines
from trickproof.support.serialise import Content
from trickproof_dsl.core import PLAYER
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json

INCLUDES = {
    "boolean": "Whenever the rule of {less} is met, so is that of {more}, but not the other way round.",
    "players": "The rule of {more} names every player whom that of {less} names, but not the other way round.",
}
"""How one rule includes another, by the kind of value; other rules say which cards or suits are allowed."""

MANY_TERMS = 3
"""Number of explanations that both texts share from which on they are left out."""

RESULTS = (("score: ", f"{UP_OR_DOWN}: ", "scores: ", "payouts: "), ("end: ",), ("tricks: ",))
"""How lines begin that report the same result of a deal."""


def diff_text(
    diff: Diff, text: bool = False, page: Page = PLAIN, saved: Mapping[str, str] | None = None
) -> str:
    """The comparison as text: the number of differing aspects, the differences, the identical aspects.

    `saved` maps each aspect to the file that holds its deal.
    """
    lines = page.wrapped(summary(diff), hang=2)
    lines += [
        line
        for side, ruleset in (("a", diff.a), ("b", diff.b))
        for line in page.wrapped(f"{ruleset.id}: {_title(ruleset)}", f"{side}  ")
    ]
    if not page.terminal.colour and any(
        EMPHASIS in said for one in diff.every if one.status != "same" for said in _texts(_cells(diff, one))
    ):
        lines.append("*asterisks* mark the words that differ")
    games = {one.game for one in diff.every if one.status == "different" and one.game}
    alone = len(games) == 1 and sum(one.status == "different" for one in diff.every) > 1
    if alone:
        lines += page.wrapped(
            f"Each difference is stated with all other rules as in {min(games)}; "
            "the deals are played under the full rules of both."
        )
    lines.append("")
    complete: dict[str, list[str]] = {}
    for one in diff.every:
        if one.status != "same":
            lines += [*_aspect(diff, one, text, page, saved or {}), ""]
        if one.status == "different" and one.method.value != "static" and one.complete:
            complete.setdefault(one.game, []).append(one.aspect)
    for game, aspects in complete.items():
        none = f"there are no other differences in {listed(aspects)}."
        all_ = f"T{none[1:]}" if alone else f"With all other rules as in {game}, {none}"
        lines += [*page.wrapped(all_), ""]
    same = [one.aspect for one in diff.aspects if one.status == "same"]
    lines += page.wrapped(f"same: {', '.join(same)}") if same else []
    return "\n".join(lines).rstrip()


def _title(ruleset: Ruleset) -> str:
    """A ruleset's title; the base's would be misleading for one that has none of its own."""
    own = ruleset.own.title is not None or ruleset.base is None
    return ruleset.title if own or ruleset.base is None else f"based on {ruleset.base.id}"


def summary(diff: Diff) -> str:
    """One line with the number of aspects per status."""
    counts = [
        (status, sum(one.status == status for one in diff.aspects))
        for status in ("different", "incomparable", "undecided", "same")
    ]
    totals = ", ".join(f"{number} {status}" for status, number in counts if number)
    known = "that differ" if {one.status for one in diff.others} == {"different"} else "not proved the same"
    beside = f"; other rules {known}: {listed([one.aspect for one in diff.others])}" if diff.others else ""
    return f"{diff.a.id} and {diff.b.id}: {totals}{beside}"


def _texts(cells: tuple[Cell, Cell]) -> tuple[str, str]:
    """What the two rulesets say about an aspect, with the words emphasised that differ.

    Explanations of terms that both give are left out if there are many of them.
    """
    both = set(cells[0].terms) & set(cells[1].terms) if all(cell.text for cell in cells) else set[str]()
    if len(both) < MANY_TERMS:
        return word_by_word(*map(_cell_text, cells))
    own = (replace(cell, terms=tuple(x for x in cell.terms if x not in both)) for cell in cells)
    one, other = word_by_word(*map(_cell_text, own))
    alike = f"({counted(len(both), 'explanation')}, the same under both)"
    return f"{one} {alike}", f"{other} {alike}"


def _cells(diff: Diff, one: Compared) -> tuple[Cell, Cell]:
    return _cell(diff.a, one.aspect), _cell(diff.b, one.aspect)


def _cell(ruleset: Ruleset, aspect: str) -> Cell:
    """What a ruleset says about an aspect, with all of its helper rules: any of them may be what differs."""
    return describe(ruleset, aspect, longest=math.inf)


def _aspect(diff: Diff, one: Compared, text: bool, page: Page, saved: Mapping[str, str]) -> Iterator[str]:
    above = diff.every[: diff.every.index(one)]
    known = one.status == "incomparable" and any((x.status, x.why) == (one.status, one.why) for x in above)
    head = f"{one.aspect}: {one.status}" + (
        ", for the same reason" if known else f": {one.why}" if one.why else ""
    )
    first, *others = page.wrapped(head, hang=2)
    yield from (first.replace(one.status, page.styled(one.status, one.status), 1), *others)
    cells = _cells(diff, one)
    for name, cell, words in zip("ab", cells, _texts(cells), strict=True):
        places = [at(x) for x in (cell.where, *cell.explained) if x is not None and at_hand(x)]
        said = f"{words} {brief(cell.cites)}".rstrip() + (f" ({listed(places)})" if places else "")
        yield from page.emphasised(said, f"  {name}  ")
    if text:
        for line in _text_diff(diff, one.aspect):
            depth = 5 + len(line) - len(line[1:].lstrip())
            yield from page.wrapped(line[depth - 5 :], "     " + line[: depth - 5], depth + 4)
    if before := next((x for x in above if one.same_as(x)), None):
        yield f"  The differences are those of {before.aspect}."
        return
    if one.direction not in (None, "neither"):
        yield from page.wrapped(_direction(diff, one.aspect, one.direction), "  ")
    yield from _by_readings(diff, one, page)
    for way in one.ways:
        yield from page.wrapped(way_sentence(diff, way), "  - ")
    if one.status == "different" and one.method.value != "static" and not one.complete:
        yield "  There may be further differences."
    if one.parting is None:
        return
    if shown := next((x for x in above if x.parting is not None and _alike(x.parting, one.parting)), None):
        yield from page.wrapped(f"Counterexample: the deal under {shown.aspect}.", "  ")
    else:
        yield from _witness(diff, one.aspect, one.parting, page, saved)


def _alike(one: Parting, other: Parting) -> bool:
    """Whether two deals are shown alike."""
    seen = [
        (x.answers.scenario, x.answers.event, x.answers.later, x.masked, x.deals_before) for x in (one, other)
    ]
    return seen[0] == seen[1]


def _direction(diff: Diff, aspect: str, direction: Direction) -> str:
    """Which of two rules includes the other."""
    rule = diff.a.program.rules.get(aspect)
    kind = rule.value.type.kind if rule is not None and rule.value is not None else ""
    less, more = (diff.a.id, diff.b.id) if direction == "wider" else (diff.b.id, diff.a.id)
    return INCLUDES.get(kind, "{more} allows everything that {less} allows, and more.").format(
        less=less, more=more
    )


def way_sentence(diff: Diff, way: Way) -> str:
    """One way in which an aspect differs, as a sentence with its condition."""
    return difference_sentence(way.how, way.when, diff.a.id, diff.b.id)


def _readings_taken(ruleset: Ruleset, numbers: Mapping[str, int]) -> dict[str, str]:
    """The name of the reading chosen for each rule."""
    return {rule: ruleset.program.readings[rule][i] for rule, i in sorted(numbers.items())}


def _by_readings(diff: Diff, one: Compared, page: Page) -> Iterator[str]:
    if len(one.readings) < 2:
        return
    if len({x.status for x in one.readings}) == 1:
        yield from page.wrapped(f"{one.readings[0].status} under every reading", "  ", 4)
        return
    for x in one.readings:
        sides = []
        for ruleset, numbers in ((diff.a, x.a), (diff.b, x.b)):
            if taken := [f"“{plain(name)}”" for name in _readings_taken(ruleset, numbers).values()]:
                sides.append(f"the reading{'s' * (len(taken) > 1)} {listed(taken)} of {ruleset.id}")
        yield from page.wrapped(f"{x.status} under {' and '.join(sides)}", "  ", 4)


def _witness(
    diff: Diff, aspect: str, parting: Parting, page: Page, saved: Mapping[str, str]
) -> Iterator[str]:
    """The distinguishing deal under both rulesets, side by side."""
    answers = parting.answers
    both = answers.a["next"] and answers.b["next"]
    before = ""
    if "seed" in answers.scenario:
        until = "; shown up to where the rulesets diverge" if both else ""
        before = (
            f" (dealt from seed {answers.scenario['seed']}, because no one layout of cards fits both{until})"
        )
    elif parting.masked:
        told = min(len(side["events"]) for side in (answers.a, answers.b))
        until = (
            "; the deal is shown up to there"
            if both and (answers.event is None or answers.event >= told)
            else ""
        )
        before = f" (the rulesets diverge earlier, because of another rule{until})"
    yield from page.wrapped(f"Counterexample{before}:", "  ")
    if parting.deals_before:
        yield from deals_before(page, diff.a, [*parting.deals_before, answers.scenario], 5)
    yield from beginning(page, diff.a, answers.scenario, 5, after=bool(parting.deals_before))
    heads = _with_agreed(diff.a, answers.scenario), _with_agreed(diff.b, answers.scenario)
    yield from page.side_by_side(heads, list(_rows(diff, answers)))
    yield from _for_one_only(page, diff, answers)
    if aspect in saved:
        yield from page.command("Replay it under both:", ["trickproof", "replay", saved[aspect]], 5)


def _with_agreed(ruleset: Ruleset, scenario: Mapping[str, Json]) -> str:
    """A ruleset with the values that are agreed in a deal, if they are not the usual ones: `whist with goal 7`."""
    params: Mapping[str, Json] = scenario.get("params", {})
    values = ((name, params.get(f"{ruleset.named}/{name}")) for name in ruleset.program.parameters)
    agreed = [f"{name} {value}" for name, value in values if value is not None]
    return f"{ruleset.id} with {listed(agreed)}" if agreed else ruleset.id


def _rows(diff: Diff, answers: Answers) -> Iterator[tuple[str, str, str]]:
    """What happens under each ruleset, with a mark at the first difference; what is the same far from it is left out."""
    names, other_names = (
        names_at_table(answers.scenario, ruleset.program.players) for ruleset in (diff.a, diff.b)
    )
    sides = ((diff.a, answers.a, names), (diff.b, answers.b, other_names))
    courses = [list(numbered_course(*side)) for side in sides]
    a, b = ([line for _, line in course] for course in courses)
    parting = None
    if answers.event is not None:
        ends = (len(answer["events"]) for _, answer, _ in sides)
        parting = min(_line_of(course, end, answers.event) for course, end in zip(courses, ends, strict=True))
    pairs = list(zip_longest(a, b, fillvalue=""))
    apart = [i == parting or mine != theirs for i, (mine, theirs) in enumerate(pairs)]
    chosen = [_is_choice(answers.a["events"][number]) for number, _ in courses[0][: len(pairs)]]
    chosen += [False] * (len(pairs) - len(chosen))
    shown = [i for i in range(len(pairs)) if any(apart[i : i + 2]) or i == len(pairs) - 1 or chosen[i]]
    after = 0
    for i in (*shown[:8], *shown[8:][-4:]):
        if i == after + 1 and not apart[after]:
            yield " ", *pairs[after]
        elif i > after:
            same = f"({counted(i - after, 'line')}, the same under both)"
            left_out = "…" if any(apart[after:i]) else same
            yield " ", left_out, left_out
        marked = i == parting or "" in pairs[i] or _results_differ(*pairs[i])
        yield "≠" if marked else " ", *pairs[i]
        after = i + 1
    here = answers.event is None and answers.later is None
    number = [len(answer["next"]["legal"]) if answer.get("next") else 0 for _, answer, _ in sides]
    most = max(number) if 0 < min(number) <= MOST_OPTIONS else MOST_OPTIONS  # both are listed, or neither
    final, other_final = (_final(*side, most) for side in sides)
    held, other_held = (_hand_sizes(answer, named) for _, answer, named in sides)
    if here and final == other_final and held != other_held:
        final, other_final = f"{final}; {held}", f"{other_final}; {other_held}"
    if final != other_final and len(pairs) > len(shown):
        for hand in _hand_of_whoever_decides(answers, names):
            yield " ", hand, hand
    yield "≠" if here or _results_differ(final, other_final) else " ", final, other_final
    if answers.later is not None:
        told, other_told = (
            _between(ruleset, later, named)
            for (ruleset, _, named), later in zip(sides, answers.later, strict=True)
        )
        if told != other_told:
            yield "≠", told, other_told
        if answers.later[0].keys() != {BETWEEN}:
            yield (
                "≠",
                _next_hand(diff.a, answers.later[0], names),
                _next_hand(diff.b, answers.later[1], other_names),
            )


def _is_choice(event: Mapping[str, Json]) -> bool:
    """Whether somebody chose something other than cards, such as a bid, on which later differences may depend."""
    return "player" in event and not event.keys() & {"card", "cards", "winner"}


def _results_differ(mine: str, theirs: str) -> bool:
    """Whether two lines report different results of a deal, or one does and the other is missing."""
    lines = [line for line in (mine, theirs) if line]
    return mine != theirs and any(all(line.startswith(x) for line in lines) for x in RESULTS)


def _between(ruleset: Ruleset, later: Mapping[str, Json], names: Names) -> str:
    """What happens between the deals, if it differs."""
    events: Any = later.get(BETWEEN, [])
    texts = [
        f"{FAILS}: {event['message']}"
        if event["event"] == FAILS
        else event_text(event, verbs_of(ruleset), names)
        for event in events
    ]
    return f"before the next deal: {', '.join(texts) or 'nothing is announced or shown'}"


def _next_hand(ruleset: Ruleset, later: Mapping[str, Json], names: Names) -> str:
    """The values with which the next deal begins otherwise; players are named by their seats in this one."""
    values = []
    for name, value in later.items():
        seat = isinstance(value, int) and name != BETWEEN and ruleset.program.variables[name].type == PLAYER
        if seat and name == "dealer":
            values.append(f"{names.player(value)} deals")
        elif isinstance(value, list) and ruleset.program.variables[name].of == (PLAYER,):
            each = (f"{names.player(player)} {x}" for player, x in enumerate(value))
            values.append(f"{plain(name)} ({', '.join(each)})")
        elif name != BETWEEN:
            values.append(f"{plain(name)} {names.player(value) if seat else value}")
    return f"the next deal: {', '.join(values)}"


def _line_of(course: Sequence[tuple[int, str]], end: int, event: int) -> int:
    """The line that contains an event, or the next one if none does; `len(course)` if there are fewer events."""
    return len(course) if event >= end else sum(last < event for last, _ in course)


def _for_one_only(page: Page, diff: Diff, answers: Answers) -> Iterator[str]:
    """What a player may choose under one ruleset only, if both ask the same player for the same move."""
    asked = asked_where_they_differ(diff.a, diff.b, answers)
    if asked is None or any(asked[0].get(key) != asked[1].get(key) for key in ("player", "move", "to")):
        return
    a, b = asked
    names = names_at_table(answers.scenario, diff.a.program.players)
    for ruleset, mine, theirs in ((diff.a, a["legal"], b["legal"]), (diff.b, b["legal"], a["legal"])):
        if own := [x for x in mine if x not in theirs and not isinstance(x, bool)]:
            do, what = options_text(ruleset, a["move"], own, names)
            only = f"{names.player(a['player'])} may {do} only under {ruleset.id}: {what}"
            yield from page.wrapped(only, "     ", 7)


def _final(ruleset: Ruleset, answer: Mapping[str, Json], names: Names, most: int) -> str:
    """The final state: the pending decision, or the result."""
    if not answer["ok"]:
        return f"the rules fail: {answer['error']['message']}"
    state, decision = answer["state"], answer["next"]
    if decision is not None:
        return pending(ruleset, decision, names, most)
    parts = [f"tricks: {by_player(state['tricks'] or [], names)}"]
    told: set[str] = set().union(*(event for event in answer["events"] if "player" not in event))
    for key, words in (("over", UP_OR_DOWN), ("scores", "scores")):
        if any(state[key] or []) and key not in told:
            parts.append(f"{words}: {by_player(state[key], names, signed=True)}")
    won = "" if "winners" in told else f", won by {names.listed(state['winners'])}"
    parts.append(f"the match is over{won}" if state["match_over"] else "the match goes on")
    return "; ".join(parts)


def _hand_of_whoever_decides(answers: Answers, names: Names) -> Iterator[str]:
    """The hand of the player who decides next, if that is the same under both: cards may have come and gone in lines left out."""
    sides = [answers.a, answers.b]
    if all(side["ok"] and side["next"] and side["state"]["hands"] for side in sides):
        player, other = (side["next"]["player"] for side in sides)
        hand, other_hand = (side["state"]["hands"][player] for side in sides)
        if player == other and hand and hand == other_hand:
            yield f"{names.player(player)} holds {names.cards(hand)}"


def _hand_sizes(answer: Mapping[str, Json], names: Names) -> str:
    hands = answer["state"]["hands"] if answer["ok"] else []
    return f"cards in hand: {by_player([len(hand) for hand in hands], names)}"


def _cell_text(cell: Cell) -> str:
    """What a ruleset says about an aspect, as one paragraph."""
    if cell.text:
        return " ".join((cell.text, *cell.terms))
    if cell.readings:
        return " / ".join(f"reading “{plain(x.name)}”: {x.text}" for x in cell.readings)
    return cell.gap or ABSENT


def _text_diff(diff: Diff, aspect: str) -> list[str]:
    """A line-by-line diff of both rule texts, in the style of `diff -u`."""
    a, b = _source(diff.a, aspect), _source(diff.b, aspect)
    return [line for line in difflib.ndiff(a, b) if not line.startswith("?")]


def _source(ruleset: Ruleset, aspect: str) -> list[str]:
    rule = ruleset.whole.rules.get(aspect)
    if rule is None:
        return []
    if rule.text:
        return source_lines(rule.text)
    return [line for x in rule.readings for line in (f"{x.name.value}:", *source_lines(x.text))]


def witness_lines(diff: Diff) -> Iterator[tuple[str, list[Mapping[str, Json]]]]:
    """Differing aspects with the input that `replay` takes: the deal, or the match that leads to it, under both rulesets."""
    for one in diff.every:
        if one.parting is not None:
            deals = [*(one.parting.deals_before or ()), one.parting.answers.scenario]
            sides = [[{**deal, "ruleset": ruleset.named} for deal in deals] for ruleset in (diff.a, diff.b)]
            yield one.aspect, [{"match": side} if len(side) > 1 else side[0] for side in sides]


def groups_text(groups: Sequence[Grouped], rulesets: Sequence[Ruleset], page: Page = PLAIN) -> str:
    """Which rulesets agree, aspect by aspect."""
    lines: list[str] = []
    for x in groups:
        if len(x.groups) == 1:
            lines += page.wrapped(f"all {len(rulesets)} are the same", f"{x.aspect}: ")
            continue
        lines.append(f"{x.aspect}: {len(x.groups)} classes")
        for group in x.groups:
            lines += page.wrapped(" = ".join(group), "  ")
        lines += [line for a, b in x.undecided for line in page.wrapped(f"undecided: {a} and {b}", "  ", 4)]
    return "\n".join(lines)


# ------------------------------------------------------------------------------------------------- JSON


def diff_document(diff: Diff, text: bool = False) -> Content:
    """Everything known about every aspect; with `text`, the diff of the rule texts too."""
    return {
        "a": diff.a.id,
        "b": diff.b.id,
        "aspects": [aspect_document(diff, one, text) for one in diff.aspects],
        "others": [aspect_document(diff, one, text) for one in diff.others],
    }


def groups_document(groups: Sequence[Grouped], rulesets: Sequence[Ruleset]) -> Content:
    """Several rulesets: for each aspect, the groups that are equivalent."""
    return {"rulesets": [x.named for x in rulesets], "aspects": groups}


def aspect_document(diff: Diff, one: Compared, text: bool = False) -> Content:
    """One aspect of two rulesets: what each says, and how they differ, if they do."""
    content: Content = {
        "aspect": one.aspect,
        "status": one.status,
        "method": one.method,
        "why": one.why,
        "a": _side_document(diff.a, one.aspect),
        "b": _side_document(diff.b, one.aspect),
        "witness": _witness_document(one.parting),
    }
    if one.status != "same":
        content["complete"], content["game"] = one.complete, one.game or None
        content["jointly"] = list(one.jointly)
        content["direction"], content["classes"] = one.direction, [_way_document(diff, x) for x in one.ways]
    if len(one.readings) > 1:
        content["readings"] = [_readings_document(diff, x) for x in one.readings]
        content["differs_under"] = _differs_under(one)
    if text:
        content["text"] = _text_diff(diff, one.aspect)
    return content


def _side_document(ruleset: Ruleset, aspect: str) -> Content:
    cell = _cell(ruleset, aspect)
    return {"text": _cell_text(cell), "where": cell.where, "cites": cell.cites}


def _way_document(diff: Diff, way: Way) -> Content:
    return {
        "how": difference_clause(way.how, diff.a.id, diff.b.id),
        "when": way.when and condition_words(way.when, diff.a.id, diff.b.id),
        "sentence": way_sentence(diff, way),
        "cases": way.beginnings or None,
        "witness": _witness_document(way.parting),
    }


def _witness_document(parting: Parting | None) -> Content | None:
    """A deal under both rulesets: the scenario, both states, and the first event that differs."""
    if parting is None:
        return None
    answers = parting.answers
    breaks_down = {side: x["error"] for side, x in (("a", answers.a), ("b", answers.b)) if not x["ok"]}
    return {
        **({"breaks_down": breaks_down} if breaks_down else {}),
        "scenario": answers.scenario,
        "match": None if parting.deals_before is None else [*parting.deals_before, answers.scenario],
        "a": answers.a["state"],
        "b": answers.b["state"],
        "event": answers.event,
        "next": {"a": answers.a["next"], "b": answers.b["next"]},
        "parts_before": parting.masked,
        "next_hand": None if answers.later is None else dict(zip("ab", answers.later, strict=True)),
    }


def _readings_document(diff: Diff, x: Readings) -> Content:
    return {"a": _readings_taken(diff.a, x.a), "b": _readings_taken(diff.b, x.b), "status": x.status}


def _differs_under(one: Compared) -> str:
    """Whether an aspect differs under `all`, `some` or `none` of the combinations of readings."""
    statuses = {x.status for x in one.readings}
    if "different" not in statuses:
        return "none"
    return "some" if "same" in statuses else "all"
