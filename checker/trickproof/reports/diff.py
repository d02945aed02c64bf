"""A comparison as text for people and as the contract's JSON."""

from __future__ import annotations

import difflib
import json
import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from trickproof.diff.distinguishing_hands import Parting
from trickproof.diff.results import Compared, Readings, Way
from trickproof.diff.ruleset_diff import Diff, Grouped
from trickproof.english.aspects import ABSENT, Cell, describe
from trickproof.english.inflection import listed
from trickproof.english.playout import event_text, situation, verbs_of
from trickproof.english.vocabulary import plain
from trickproof.support.locations import at, place
from trickproof_dsl.library import Ruleset

WIDTH = 110
COLUMN = 52
"""Characters of a line, and of one of two columns."""

LONGEST = 800
"""Characters of a scenario that is printed as a line for `replay`."""

DIRECTIONS = {
    "wider": "{b} takes in everything that {a} does, and more",
    "narrower": "{a} takes in everything that {b} does, and more",
    "neither": "each takes in something that the other does not",
}


# ------------------------------------------------------------------------------------------------- JSON


def diff_json(diff: Diff, text: bool = False) -> dict[str, Any]:
    """The contract's JSON, with what more is known of each aspect."""
    return {
        "a": diff.a.id,
        "b": diff.b.id,
        "aspects": [_aspect_json(diff, one, text) for one in diff.aspects],
        "others": [_aspect_json(diff, one, text) for one in diff.others],
    }


def _aspect_json(diff: Diff, one: Compared, text: bool) -> dict[str, Any]:
    told: dict[str, Any] = {
        "aspect": one.aspect,
        "status": one.status,
        "method": one.method.value,
        "why": one.why,
        "a": side_json(diff.a, one.aspect),
        "b": side_json(diff.b, one.aspect),
        "witness": None if one.parting is None else witness_json(one.parting),
    }
    if one.status != "same":
        told |= {
            "complete": one.complete,
            "game": one.game or None,
            "direction": one.direction,
            "classes": [_way_json(diff, way) for way in one.ways],
        }
    if len(one.readings) > 1:
        told["readings"] = [_readings_json(diff, one.aspect, x) for x in one.readings]
        told["differs_under"] = _under(one)
    if text:
        told["text"] = text_diff(diff, one.aspect)
    return told


def side_json(ruleset: Ruleset, aspect: str) -> dict[str, Any]:
    """What a ruleset says of an aspect, where, and on what grounds."""
    cell = describe(ruleset, aspect)
    return {"text": _cell(cell), "where": place(cell.where), "cites": list(cell.cites)}


def witness_json(parting: Parting) -> dict[str, Any]:
    """A hand under both: the scenario, both states, and the first event at which they part."""
    told = parting.answers
    broken = {side: one["error"] for side, one in (("a", told.a), ("b", told.b)) if not one["ok"]}
    return {
        **({"breaks_down": broken} if broken else {}),
        "scenario": told.scenario,
        "a": told.a["state"],
        "b": told.b["state"],
        "event": told.event,
        "next": {"a": told.a["next"], "b": told.b["next"]},
        "parts_before": parting.masked,
        "next_hand": None if told.later is None else {"a": told.later[0], "b": told.later[1]},
    }


def _way_json(diff: Diff, way: Way) -> dict[str, Any]:
    return {
        "how": _named(diff, way.how),
        "when": way.when,
        "cases": len(way.cases) or None,
        "witness": None if way.parting is None else witness_json(way.parting),
    }


def _readings_json(diff: Diff, aspect: str, x: Readings) -> dict[str, Any]:
    return {"a": _taken(diff.a, x.a), "b": _taken(diff.b, x.b), "status": x.status}


def _taken(ruleset: Ruleset, numbers: Any) -> dict[str, str]:
    return {rule: ruleset.program.readings[rule][i] for rule, i in sorted(numbers.items())}


def _under(one: Compared) -> str:
    """Under how many of the readings of both sides an aspect differs."""
    statuses = {x.status for x in one.readings}
    if "different" not in statuses:
        return "none"
    return "some" if "same" in statuses else "all"


def grouped_json(groups: Sequence[Grouped]) -> list[dict[str, Any]]:
    """Classes of rulesets by aspect."""
    return [
        {
            "aspect": x.aspect,
            "groups": [list(group) for group in x.groups],
            "undecided": list(map(list, x.undecided)),
        }
        for x in groups
    ]


# ------------------------------------------------------------------------------------------------- text


def diff_text(diff: Diff, text: bool = False) -> str:
    """The comparison for readers: what is the same in a line, then every difference with a hand that shows it."""
    lines = [f"a  {diff.a.id}: {diff.a.title}", f"b  {diff.b.id}: {diff.b.title}", ""]
    same = [plain(one.aspect) for one in diff.aspects if one.status == "same"]
    if same:
        lines += [*_wrapped(f"same: {listed(same)}", ""), ""]
    for one in diff.every:
        if one.status != "same":
            lines += [*_aspect(diff, one, text), ""]
    return "\n".join([*lines, summary(diff)])


def summary(diff: Diff) -> str:
    """One line: how many aspects of each status."""
    counts = [
        (s, sum(one.status == s for one in diff.aspects))
        for s in ("same", "different", "incomparable", "undecided")
    ]
    told = ", ".join(f"{number} {status}" for status, number in counts if number)
    beside = f"; beside the aspects: {listed([one.aspect for one in diff.others])}" if diff.others else ""
    return f"{diff.a.id} and {diff.b.id}: {told}{beside}"


def _aspect(diff: Diff, one: Compared, text: bool) -> Iterator[str]:
    yield f"{one.aspect}: {one.status} [{one.method.value}]" + (f": {one.why}" if one.why else "")
    for name, ruleset in (("a", diff.a), ("b", diff.b)):
        cell = describe(ruleset, one.aspect)
        where = f" ({at(cell.where)})" if cell.where is not None else ""
        cites = f" [{', '.join(cell.cites)}]" if cell.cites else ""
        yield from _wrapped(f"{_cell(cell)}{cites}{where}", f"  {name}  ")
    if text:
        yield from (f"     {line}" for line in text_diff(diff, one.aspect))
    if one.direction is not None:
        yield "  " + DIRECTIONS[one.direction].format(a=diff.a.id, b=diff.b.id)
    yield from _by_readings(diff, one)
    for way in one.ways:
        when = f", {way.when}" if way.when else ""
        yield from _wrapped(f"{_named(diff, way.how)}{when}", "  - ")
    if one.status == "different" and one.method.value != "static":
        yield (
            f"  these are all differences in the game of {one.game}"
            if one.complete
            else "  there may be further differences"
        )
    if one.parting is not None:
        yield from _witness(diff, one.parting)


def _named(diff: Diff, how: str) -> str:
    """What differs, with the names of the rulesets in place of `a` and `b`."""
    return how.replace(" in a only", f" in {diff.a.id} only").replace(" in b only", f" in {diff.b.id} only")


def _by_readings(diff: Diff, one: Compared) -> Iterator[str]:
    if len(one.readings) < 2:
        return
    for x in one.readings:
        sides = [
            f"{ruleset.id} read as {listed(list(_taken(ruleset, numbers).values()))}"
            for ruleset, numbers in ((diff.a, x.a), (diff.b, x.b))
            if numbers
        ]
        yield f"  {x.status} with {' and '.join(sides)}"


def _witness(diff: Diff, parting: Parting) -> Iterator[str]:
    """The hand under both, side by side."""
    told = parting.answers
    yield "  a hand that shows it" + (
        " (the two part in it before, over something else):" if parting.masked else ":"
    )
    for line in situation(told.scenario):
        yield from _wrapped(line, "     ")
    if "seed" in told.scenario:
        yield f"     dealt from seed {told.scenario['seed']}, as no deal fits both"
    columns = [list(_told(ruleset, answer)) for ruleset, answer in ((diff.a, told.a), (diff.b, told.b))]
    yield _row(" ", diff.a.id, diff.b.id)
    shown = [i for i in range(max(map(len, columns))) if told.event is None or i >= told.event - 3]
    if shown and shown[0] > 0:
        yield _row(" ", f"… {shown[0]} events", "the same")
    for number, (mine, theirs) in enumerate(zip_longest(*columns, fillvalue="")):
        if number in shown[:10] or number in shown[-5:]:
            yield from _rows("≠" if number == told.event else " ", mine, theirs)
        elif number in shown[:11]:
            yield _row(" ", "…", "…")
    here = told.event is None and told.later is None
    yield from _rows("≠" if here else " ", *(_stand(answer) for answer in (told.a, told.b)))
    if told.later is not None:
        yield from _rows("≠", *(_begun(one) for one in told.later))
    line = json.dumps(told.scenario, ensure_ascii=False)
    yield f"     {line}" if len(line) < LONGEST else "     (the scenario is in the output of --json)"


def _begun(later: dict[str, Any]) -> str:
    return "the next hand: " + ", ".join(f"{plain(name)} {value}" for name, value in later.items())


def _told(ruleset: Ruleset, answer: dict[str, Any]) -> Iterator[str]:
    verbs = verbs_of(ruleset)
    for event in answer["events"]:
        yield event_text(event, verbs)


def _stand(answer: dict[str, Any]) -> str:
    """How the hand stands at the end: what is asked, or the result, and the hands."""
    if not answer["ok"]:
        return f"the rules break down: {answer['error']['message']}"
    state, asked = answer["state"], answer["next"]
    held = "; ".join(f"{p}: {' '.join(hand)}" for p, hand in enumerate(state["hands"]) if hand)
    if asked is not None:
        number = "" if "max" not in asked else f" {asked['min']}–{asked['max']} of"
        legal = asked["legal"] if len(asked["legal"]) <= 8 else f"{len(asked['legal'])} cards"
        told = legal if isinstance(legal, str) else " ".join(map(str, legal))
        return f"player {asked['player']} has to {asked['move']}{number} {told}; hands {held}"
    over = " ".join(f"{x:+d}" for x in state["over"] or [])
    ended = f", match over, won by {state['winners']}" if state["match_over"] else ", the match goes on"
    scores = f", scores {' '.join(map(str, state['scores']))}" if any(state["scores"] or []) else ""
    return f"tricks {' '.join(map(str, state['tricks'] or []))}, over {over}{scores}{ended}"


def _rows(mark: str, mine: str, theirs: str) -> Iterator[str]:
    columns = (textwrap.wrap(text, COLUMN) or [""] for text in (mine, theirs))
    for number, (left, right) in enumerate(zip_longest(*columns, fillvalue="")):
        yield _row(mark if number == 0 else " ", left, right)


def _row(mark: str, left: str, right: str) -> str:
    return f"   {mark} {left:<{COLUMN}}  {right}".rstrip()


def _cell(cell: Cell) -> str:
    if cell.text:
        return " ".join((cell.text, *cell.terms))
    if cell.readings:
        return " / ".join(f"{plain(x.name)}: {x.text}" for x in cell.readings)
    return cell.gap or ABSENT


def _wrapped(text: str, head: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head), break_on_hyphens=False
    )


def text_diff(diff: Diff, aspect: str) -> list[str]:
    """The rule texts of both, line by line, as `diff -u` marks them."""
    mine, theirs = _source(diff.a, aspect), _source(diff.b, aspect)
    return [line for line in difflib.ndiff(mine, theirs) if not line.startswith("?")]


def _source(ruleset: Ruleset, aspect: str) -> list[str]:
    rule = ruleset.whole.rules.get(aspect)
    if rule is None:
        return []
    texts = [("", rule.text)] if rule.text else [(f"{x.name.value}:", x.text) for x in rule.readings]
    lines: list[str] = []
    for name, span in texts:
        first, last = span.line, span.source.position(max(span.end - 1, span.start))[0]
        whole = [span.source.line_text(line) for line in range(first, last + 1)]
        shown = span.text if first == last else textwrap.dedent("\n".join(whole))
        lines += [*([name] if name else []), *(line for line in shown.splitlines() if line.strip())]
    return lines


def groups_text(groups: Sequence[Grouped], rulesets: Sequence[Ruleset]) -> str:
    """Which rulesets agree, aspect by aspect."""
    lines: list[str] = []
    for x in groups:
        if len(x.groups) == 1:
            lines += _wrapped(f"all {len(rulesets)} are the same", f"{x.aspect}: ")
            continue
        lines.append(f"{x.aspect}: {len(x.groups)} classes")
        for group in x.groups:
            lines += _wrapped(" = ".join(group), "  ")
        lines += [f"  undecided: {one} and {other}" for one, other in x.undecided]
    return "\n".join(lines)
