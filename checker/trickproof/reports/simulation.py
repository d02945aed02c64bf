"""A simulation, or a comparison of two, as text and as JSON.

Guarantees that the same ruleset, policy, seed and number of deals give the same bytes on every machine,
except for the speed and the back end's name. Every figure comes with its interval and its policy: another
policy can reverse any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf

from trickproof.english.inflection import counted, listed
from trickproof.reports.text import (
    PLAIN,
    Page,
    estimate,
    number,
    percent,
    percentage,
    plus_minus,
    points,
    share_plus_minus,
)
from trickproof.simulate.ir.calling_convention import LARGEST, LIMIT, MOST_NUMBERS, PYTHON
from trickproof.simulate.statistics.estimates import Counts
from trickproof.simulate.statistics.outcome import LENGTH, Broken, Outcome, Paired
from trickproof.support.confidence_intervals import Estimate
from trickproof.support.serialise import Content, serialised
from trickproof_dsl.core.faults import FAULTS

FEW = 30
"""Intervals from fewer matches or batches than this are rough."""

FEWEST = 5
"""Fewer batches than this give no interval that says anything."""

DIGITS = 6
"""Decimals of every figure in JSON."""

MET = {">=": "target met", "=": "target met\nexactly", "<=": "target not\nexceeded"}
"""The heading for targets met, by `CounterLayout.met`."""

SIGNED = ("over", "scored", "paid")
"""Measures that are positive or negative, and always have their sign."""

Cells = tuple[str, Callable[[int], str]]
"""A table column: its header, and a function from a seat to its cell."""


def outcome_text(outcome: Outcome, page: Page = PLAIN) -> str:
    """A heading, a table of deals and one of matches with a row per seat, and how to interpret them."""
    counts, parts = outcome.counts, ["\n".join(page.wrapped(_heading(outcome), hang=2))]
    if counts.hands and any(name != "given" for name in counts.plan.measures):
        parts.append(_hands_table(outcome, page))
    if counts.tell_of_matches:
        parts.append(_matches_table(outcome, page))
    if counts.hands:
        parts.append("\n".join(line for text in _sentences(counts) for line in page.wrapped(text, hang=2)))
    else:
        parts.append("no match was completed")
    spread = ["note: sd is the standard deviation"] * any(" sd " in part for part in parts)
    return "\n\n".join(filter(None, [*parts, "\n".join([*_notes(outcome, page), *spread])]))


def _heading(outcome: Outcome) -> str:
    counts = outcome.counts
    settings = [f"{name} {value}" for name, value in {**outcome.parameters, **outcome.readings}.items()]
    played = f"{counted(outcome.hands, 'deal')}, {counted(counts.matches, 'match', 'matches')}"
    words = [outcome.ruleset, *settings, outcome.policy, played, f"seed {outcome.seed}"]
    return " · ".join(words)


def speed_text(outcome: Outcome) -> str:
    """The speed in words; not part of `outcome_text`, which is the same on every machine."""
    speed = outcome.hands_per_second
    if speed is None:
        return ""
    if speed >= 999_500:
        return f"{number(speed / 1e6, 1)} million deals a second"
    return f"{number(float(f'{speed:.2g}'), 0)} deals a second"


def _hands_table(outcome: Outcome, page: Page) -> str:
    counts, plan = outcome.counts, outcome.counts.plan
    own = scored_apart(counts)
    alike = [
        f"\n= {name}"
        for name, there in (("score", plan.score), ("payout", plan.payout))
        if there and name not in own
    ]
    said = partial(with_interval, counts)
    columns: list[tuple[str, bool, Callable[[int], str]]] = [
        ("tricks", plan.tricks, lambda s: _mean(page, said(counts.tricks(s)))),
        ("sd", plan.tricks, lambda s: number(counts.spread(s).tricks)),
        ("overtricks" + "".join(alike), plan.over, lambda s: _mean(page, said(counts.over(s)), "+")),
        ("sd", plan.over, lambda s: number(counts.spread(s).over)),
        (MET.get(plan.met, ""), bool(plan.met), lambda s: _share(page, said(counts.met(s)))),
        ("score", "score" in own, lambda s: _mean(page, said(counts.scored(s)), "+")),
        ("payout", "payout" in own, lambda s: _mean(page, said(counts.paid(s)), "+")),
    ]
    return _seats_table(outcome, page, "per deal", [(head, cell) for head, there, cell in columns if there])


def with_interval(counts: Counts, x: Estimate) -> Estimate:
    """An estimate per deal, without its interval where it says nothing."""
    return x if counts.batches >= FEWEST else Estimate(x.mean, -inf, inf)


def scored_apart(counts: Counts) -> list[str]:
    """Which of score and payout the rules keep, unless its figures are those of tricks over the target."""
    plan, seats = counts.plan, range(counts.plan.players)
    kinds = [("score", plan.score, counts.scored), ("payout", plan.payout, counts.paid)]
    return [
        name
        for name, there, of in kinds
        if there and not (plan.over and all(of(s) == counts.over(s) for s in seats))
    ]


def _matches_table(outcome: Outcome, page: Page) -> str:
    counts = outcome.counts
    wins, starts, scores = counts.wins(), counts.wins_by_start(), counts.scores()
    columns: list[Cells] = [("wins, by seat\nin the first deal", lambda s: _share(page, starts[s]))]
    if counts.plan.seat:
        columns.insert(0, ("wins, by seat\nin the last deal", lambda s: _share(page, wins[s])))
    if any(x.spread for x in scores):
        columns.append(("final score,\nby seat in\nthe first deal", lambda s: _mean(page, scores[s].mean)))
        columns.append(("sd", lambda s: number(scores[s].spread)))
    return _seats_table(outcome, page, "per match", columns)


def _seats_table(outcome: Outcome, page: Page, what: str, columns: Sequence[Cells]) -> str:
    rows = [[name, *(cell(s) for _, cell in columns)] for s, name in enumerate(outcome.seats)]
    return page.table(rows, [what, *(head for head, _ in columns)])


def _mean(page: Page, x: Estimate, sign: str = "") -> str:
    """A mean with its interval; with half its width if the page is too narrow for both ends."""
    return plus_minus(x, sign=sign) if page.stacked else estimate(x, sign=sign)


def _share(page: Page, x: Estimate) -> str:
    """A share with its interval, as `_mean`."""
    return share_plus_minus(x) if page.stacked else percentage(x)


def _sentences(counts: Counts) -> Iterator[str]:
    """The length of a match, matches without exactly one winner, and the number of cards given."""
    yield match_length(counts)
    nobody, _, *several = counts.winners()
    if nobody or any(several):
        yield (
            f"{sum(several):,} of {counts.matches:,} matches had more than one winner"
            + f", {nobody:,} had no winner" * bool(nobody)
        )
    if counts.plan.give:
        yield f"cards given: {estimate(with_interval(counts, counts.given()))} per deal"


def match_length(counts: Counts) -> str:
    """How many deals a match takes, or why that is not known."""
    length = counts.match_length()
    if counts.tell_of_matches:
        return f"match length: {estimate(length.mean, 1)} deals, {_quantiles(length.median, length.ninety)}"
    if counts.matches:
        ended = f"{counted(counts.matches, 'match', 'matches')} ended"
        if not counts.few_matches:
            others = f"{counts.broken:,} others stopped before their end"
            return f"{ended} and {others}, so there are no figures per match"
        return f"only {ended}, too few for figures per match"
    least = counted(round(length.mean.low), "deal")
    return f"match length: no match ended; a match probably takes more than {least} on average"


def _quantiles(median: int | None, ninety: int | None) -> str:
    if median is None:
        return "more than half of them too long to count separately"
    return f"median {median}, 90th percentile {'unknown' if ninety is None else ninety}"


def _notes(outcome: Outcome, page: Page) -> Iterator[str]:
    for caution in cautions(outcome):
        yield from page.wrapped(caution, "note: ", 2)


def cautions(outcome: Outcome) -> Iterator[str]:
    """Caveats about the figures."""
    counts = outcome.counts
    if counts.hands:
        yield f"results depend on the policy (here: {outcome.policy}); intervals are 95% confidence intervals"
        if counts.batches < FEW:
            yield (
                "with so few deals, the intervals for tricks and cards are rough"
                if counts.batches >= FEWEST
                else "these are too few deals for intervals: the deals of a match depend on each other"
            )
    if counts.tell_of_matches and counts.matches < FEW:
        yield "few matches ended; the figures per match are rough"
    if given_up := counts.unfinished - counts.broken:
        yield f"{counted(given_up, 'match was', 'matches were')} given up as too long"
    yield from map(_left_early, outcome.by_frequency)
    if outcome.left_out:
        yield f"not played: {listed(list(outcome.left_out))}"
    if outcome.backend == PYTHON:
        yield "played in plain Python; with llvmlite installed, this is hundreds of times faster"


def _left_early(breakdown: Broken) -> str:
    """Where and how often the rules failed at run time, or the simulator reached a limit."""
    where = f"in rule {breakdown.rule}, line {breakdown.line}" if breakdown.rule else f"line {breakdown.line}"
    hands = counted(breakdown.hands, "deal")
    if breakdown.kind == LIMIT:
        why = f"the simulator's numbers end at {LARGEST:,}, its ranges after {MOST_NUMBERS:,} numbers"
        return f"stopped in {hands} ({where}): {why}; that says nothing about the rules"
    if breakdown.is_limit:
        return f"stopped in {hands}: {breakdown.kind}; that says nothing about the rules"
    what = FAULTS.get(breakdown.kind, breakdown.kind)
    return f"the rules failed in {hands} ({what}; {where}), which ended the match there"


def paired_text(paired: Paired, page: Page = PLAIN) -> str:
    """Both headings, and a table of A, B and B − A."""
    a, b = paired.a, paired.b
    table = page.table(list(_compared(paired)), ["on average", "A", "B", "B − A"])
    headings = [*page.wrapped(_heading(a), "A: "), *page.wrapped(_heading(b), "B: ")]
    notes = dict.fromkeys([*_notes(a, page), *_notes(b, page)])
    played = counted(a.counts.matches + a.counts.unfinished, "whole match", "whole matches")
    chance = (
        f"both played {played}, each from the same cards; unfinished matches are not counted",
        "about 1 in 20 such intervals excludes 0 by chance (no multiple-comparison correction); pp: percentage points",
    )
    last = [line for text in chance for line in page.wrapped(text, "note: ", 2)]
    return "\n".join([*headings, "", table, "", *notes, *last])


def _compared(paired: Paired) -> Iterator[list[str]]:
    """Rows: a measure, its mean under A and B, and the difference with its interval."""
    words = {
        "tricks": "tricks",
        "over": "overtricks",
        "met": "target met",
        "given": "cards given",
        "scored": "score",
        "paid": "payout",
    }
    own = {name for side in (paired.a, paired.b) for name in scored_apart(side.counts)}
    for name, difference in paired.differences.items():
        kind, _, seat = name.partition(".")
        if kind in ("scored", "paid") and words[kind] not in own:
            continue
        if name == LENGTH:
            means = [x.counts.match_length().mean for x in (paired.a, paired.b)]
            label = "deals per completed match"
        else:
            means = [x.counts.measure(name) for x in (paired.a, paired.b)]
            label = words[kind] + (f", {paired.a.seats[int(seat)]}" if seat else "")
        if kind == "met":
            yield [label, *(percent(x.mean) for x in means), points(difference)]
        else:
            sign = "+" if kind in SIGNED else ""
            yield [label, *(number(x.mean, sign=sign) for x in means), estimate(difference, sign="+")]


# ------------------------------------------------------------------------------------------------- JSON


def simulation_document(outcome: Outcome, interrupted: bool = False) -> Content:
    """All statistics of one ruleset; `interrupted` appears only if true."""
    counts, plan, seats = outcome.counts, outcome.counts.plan, range(outcome.counts.plan.players)
    length = counts.match_length()
    exchange = (
        {"cards_given": counts.given(), "distribution": counts.given_distribution()} if plan.give else None
    )
    content: Content = serialised(
        {
            "tricks_by_seat": [counts.tricks(s).mean for s in seats if plan.tricks],
            "match_length": {**serialised(length.mean), "median": length.median, "p90": length.ninety},
            "win_share": [x.mean for x in counts.wins()],
            "win_share_by_start": [x.mean for x in counts.wins_by_start()],
            "winners": counts.winners(),
            "exchange": exchange,
            "seats": [_seat(counts, s, name) for s, name in enumerate(outcome.seats)],
            "tricks_distribution": [counts.distribution(s) for s in seats if plan.tricks],
            **({"interrupted": True} if interrupted else {}),
        },
        DIGITS,
    )
    return {**_played(outcome), **content}


def _played(outcome: Outcome) -> Content:
    """What was played, how, and how much of it; the policy is a single one for all seats, or given by seat."""
    counts, speed = outcome.counts, outcome.hands_per_second
    alike = len(set(outcome.policies)) == 1
    return {
        "ruleset": outcome.ruleset,
        "title": outcome.title,
        "parameters": outcome.parameters,
        "readings": outcome.readings,
        "policy": outcome.policies[0] if alike else dict(zip(outcome.seats, outcome.policies, strict=True)),
        "seed": outcome.seed,
        "backend": outcome.backend,
        "hands": outcome.hands,
        "hands_per_second": None if speed is None else round(speed),
        "matches": counts.matches,
        "unfinished": counts.unfinished,
        "broken": outcome.broken,
        "breakdowns": outcome.by_frequency,
        "left_out": outcome.left_out,
    }


def _seat(counts: Counts, seat: int, name: str) -> Content:
    """The statistics of a seat; `win_share_by_start` and `score` (at the end) are by the seat in the first deal."""
    plan, spread = counts.plan, counts.spread(seat)
    content: Content = {
        "seat": name,
        "win_share": counts.wins()[seat],
        "win_share_by_start": counts.wins_by_start()[seat],
    }
    if plan.tricks:
        content["tricks"] = _with_deviation(counts.tricks(seat), spread.tricks)
    if plan.over:
        content["deviation"] = _with_deviation(counts.over(seat), spread.over)
    if plan.met:
        content["target_met"] = counts.met(seat)
    if plan.score:
        content["score_per_deal"] = counts.scored(seat)
    if plan.payout:
        content["payout"] = counts.paid(seat)
    if plan.score:
        score = counts.scores()[seat]
        content["score"] = _with_deviation(score.mean, score.spread)
    return content


def _with_deviation(estimate: Estimate, deviation: float) -> Content:
    """An estimate with the standard deviation of a single deal or match."""
    return {**serialised(estimate), "sd": deviation}


def paired_document(paired: Paired) -> Content:
    """Both outcomes, and B − A by seat or overall."""
    differences, seats = paired.differences, range(paired.a.counts.plan.players)

    def by_seat(name: str) -> list[Estimate]:
        return [differences[f"{name}.{s}"] for s in seats if f"{name}.{s}" in differences]

    difference = {
        "tricks_by_seat": by_seat("tricks"),
        "deviation_by_seat": by_seat("over"),
        "target_met_by_seat": by_seat("met"),
        "score_by_seat": by_seat("scored"),
        "payout_by_seat": by_seat("paid"),
        "cards_given": differences.get("given"),
        "match_length": differences.get(LENGTH),
    }
    return {
        "a": simulation_document(paired.a),
        "b": simulation_document(paired.b),
        "difference": serialised(difference, DIGITS),
    }
