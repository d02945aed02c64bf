"""A simulation, or two compared, as the contract's JSON and as text for people.

Promises: for the same ruleset, policy, seed and number of hands the same bytes on every machine, but for the speed (and
for the back end's name).  Every figure comes with its interval, and with the policy that it holds for: another policy
can turn any of them round.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Any

from trickproof.simulate.ir.calling_convention import PYTHON
from trickproof.simulate.runtime.machine import best_backend
from trickproof.simulate.statistics.estimates import Counts
from trickproof.simulate.statistics.outcome import LENGTH, Broken, Outcome, Paired
from trickproof.support.confidence_intervals import Estimate, rounded

DIGITS = 6
"""Decimals in JSON."""

FEW = 30
"""Fewer matches or batches than this make an interval rough."""

WIDTH = 110


# ------------------------------------------------------------------------------------------------- JSON


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """The contract's JSON, with what more is known."""
    counts, plan, seats = outcome.counts, outcome.counts.plan, range(outcome.counts.plan.players)
    return {
        **_played_json(outcome),
        "tricks_by_seat": [rounded(counts.tricks(s).mean, DIGITS) for s in seats if plan.tricks],
        "match_length": _length_json(counts),
        "win_share": [rounded(x.mean, DIGITS) for x in counts.wins()],
        "win_share_by_start": [rounded(x.mean, DIGITS) for x in counts.wins_by_start()],
        "winners": counts.winners(),
        "exchange": _exchange_json(counts) if plan.give else None,
        "seats": [{"seat": name, **_seat_json(counts, s)} for s, name in enumerate(outcome.seats)],
        "tricks_distribution": [_numbers(counts.distribution(s)) for s in seats if plan.tricks],
    }


def _played_json(outcome: Outcome) -> dict[str, Any]:
    """What was played, how, and how much of it."""
    counts, speed = outcome.counts, outcome.hands_per_second
    return {
        "ruleset": outcome.ruleset,
        "title": outcome.title,
        "parameters": dict(outcome.parameters),
        "readings": dict(outcome.readings),
        "policy": _policy_json(outcome),
        "seed": outcome.seed,
        "backend": outcome.backend,
        "hands": outcome.hands,
        "hands_per_second": None if speed is None else round(speed),
        "matches": counts.matches,
        "unfinished": counts.unfinished,
        "broken": counts.broken,
        "breakdowns": [x._asdict() for x in _sorted(outcome)],
        "left_out": list(outcome.left_out),
    }


def _policy_json(outcome: Outcome) -> str | dict[str, str]:
    if len(set(outcome.policies)) == 1:
        return outcome.policies[0]
    return dict(zip(outcome.seats, outcome.policies, strict=True))


def _length_json(counts: Counts) -> dict[str, Any]:
    length = counts.match_length()
    return {**length.mean.as_json(DIGITS), "median": length.median, "p90": length.ninety}


def _exchange_json(counts: Counts) -> dict[str, Any]:
    return {
        "cards_given": counts.given().as_json(DIGITS),
        "distribution": _numbers(counts.given_distribution()),
    }


def _seat_json(counts: Counts, seat: int) -> dict[str, Any]:
    """What is counted of a seat; `win_share_by_start` and `score` are of the player whose index it is."""
    plan, spread = counts.plan, counts.spread(seat)
    told: dict[str, Any] = {}
    if plan.tricks:
        told["tricks"] = counts.tricks(seat).as_json(DIGITS) | {"sd": rounded(spread.tricks, DIGITS)}
    if plan.over:
        told["deviation"] = counts.over(seat).as_json(DIGITS) | {"sd": rounded(spread.over, DIGITS)}
    if plan.met:
        told["target_met"] = counts.met(seat).as_json(DIGITS)
    told["win_share"] = counts.wins()[seat].as_json(DIGITS)
    told["win_share_by_start"] = counts.wins_by_start()[seat].as_json(DIGITS)
    if plan.score:
        score = counts.scores()[seat]
        told["score"] = score.mean.as_json(DIGITS) | {"sd": rounded(score.spread, DIGITS)}
    return told


def _numbers(values: Sequence[float]) -> list[float | None]:
    return [rounded(x, DIGITS) for x in values]


def _sorted(outcome: Outcome) -> list[Broken]:
    """Breakdowns, the most frequent first."""
    found = (Broken(*x) for x in outcome.breakdowns)
    return sorted(found, key=lambda x: (-x.hands, x.kind, x.rule, x.line))


def paired_json(paired: Paired) -> dict[str, Any]:
    """Both, and B less A, in the order of the seats."""
    a, b = outcome_json(paired.a), outcome_json(paired.b)
    seats = range(paired.a.counts.plan.players)
    told = {name: x.as_json(DIGITS) for name, x in paired.differences.items()}

    def by_seat(name: str) -> list[Any]:
        return [told[f"{name}.{s}"] for s in seats if f"{name}.{s}" in told]

    difference = {
        "tricks_by_seat": by_seat("tricks"),
        "deviation_by_seat": by_seat("over"),
        "target_met_by_seat": by_seat("met"),
        "cards_given": told.get("given"),
        "match_length": told.get(LENGTH),
    }
    return {"a": a, "b": b, "difference": difference}


# ------------------------------------------------------------------------------------------------- text


def outcome_text(outcome: Outcome) -> str:
    """A heading, a table of hands and one of matches with a row a seat, and what to make of them."""
    counts, parts = outcome.counts, [_heading(outcome)]
    if counts.hands and (counts.plan.tricks or counts.plan.over):
        parts.append(_hands_table(outcome))
    if counts.matches:
        parts.append(_matches_table(outcome))
    if counts.hands:
        parts.append("\n".join(_sentences(counts)))
    return "\n\n".join([*parts, "\n".join(_notes(outcome))])


def _heading(outcome: Outcome) -> str:
    counts = outcome.counts
    settings = [f"{name} {value}" for name, value in {**outcome.parameters, **outcome.readings}.items()]
    played = f"{_several(outcome.hands, 'hand')}, {_several(counts.matches, 'match', 'matches')}"
    words = [outcome.ruleset, *settings, outcome.policy, played, f"seed {outcome.seed}", outcome.backend]
    return " · ".join(words)


def speed_text(outcome: Outcome) -> str:
    """How fast it was, in words: no part of `outcome_text`, which is the same wherever it is run."""
    speed = outcome.hands_per_second
    if speed is None:
        return ""
    if speed >= 999_500:
        return f"{speed / 1e6:.1f} million hands a second"
    return f"{float(f'{speed:.2g}'):,.0f} hands a second"


def _hands_table(outcome: Outcome) -> str:
    counts, plan = outcome.counts, outcome.counts.plan
    columns: list[tuple[str, bool, Callable[[int], str]]] = [
        ("tricks", plan.tricks, lambda s: _told(counts.tricks(s))),
        ("sd", plan.tricks, lambda s: f"{counts.spread(s).tricks:.2f}"),
        ("over target", plan.over, lambda s: _told(counts.over(s), sign="+")),
        ("sd", plan.over, lambda s: f"{counts.spread(s).over:.2f}"),
        ("target met", plan.met, lambda s: _percent(counts.met(s))),
    ]
    return _table(outcome, "in a hand", [(head, cell) for head, there, cell in columns if there])


def _matches_table(outcome: Outcome) -> str:
    counts = outcome.counts
    wins, starts, scores = counts.wins(), counts.wins_by_start(), counts.scores()
    columns: list[tuple[str, Callable[[int], str]]] = [
        ("wins, by seat\nin the first hand", lambda s: _percent(starts[s])),
    ]
    if counts.plan.seat:
        columns.insert(0, ("wins, by seat\nin the last hand", lambda s: _percent(wins[s])))
    if any(x.spread for x in scores):
        columns.append(("score at the end, by\nseat in the first hand", lambda s: _told(scores[s].mean)))
        columns.append(("sd", lambda s: f"{scores[s].spread:.2f}"))
    return _table(outcome, "in a match", columns)


def _table(outcome: Outcome, what: str, columns: Sequence[tuple[str, Callable[[int], str]]]) -> str:
    rows = [[name, *(cell(s) for _, cell in columns)] for s, name in enumerate(outcome.seats)]
    headers = [what, *(head for head, _ in columns)]
    return _columns(rows, headers)


def _sentences(counts: Counts) -> Iterator[str]:
    """The length of a match, how it is won, cards given."""
    length, matches = counts.match_length(), counts.matches
    if matches:
        mean = _told(length.mean, digits=1)
        yield f"match length: {mean} hands, {_quantiles(length.median, length.ninety)}"
    else:
        yield f"match length: no match ended, so probably {length.mean.low:.1f} hands or more on average"
    nobody, _, *several = counts.winners()
    if nobody or any(several):
        yield f"matches that nobody won: {nobody:,}; that several won: {sum(several):,}; of {matches:,}"
    if counts.plan.give:
        yield f"cards given: {_told(counts.given())} a hand"


def _quantiles(median: int | None, ninety: int | None) -> str:
    if median is None:
        return "more than half of them too long to be told apart"
    return f"median {median}, " + ("9 of 10 unknown" if ninety is None else f"9 of 10 take {ninety} or fewer")


def _notes(outcome: Outcome) -> Iterator[str]:
    for caution in _cautions(outcome):
        yield from _noted(caution)


def _cautions(outcome: Outcome) -> Iterator[str]:
    counts = outcome.counts
    yield f"every figure is for this policy ({outcome.policy}): others change it; intervals hold with 95 %"
    if counts.hands and counts.batches < FEW:
        yield "few independent stretches of play: the intervals of tricks and cards are rough, rather too narrow"
    if 0 < counts.matches < FEW:
        yield "few matches ended; what is said of matches is rough"
    if given_up := counts.unfinished - counts.broken:
        yield f"{_several(given_up, 'match was', 'matches were')} given up as too long"
    for x in _sorted(outcome):
        where = f"in rule {x.rule}, line {x.line}" if x.rule else f"line {x.line}"
        yield f"the rules broke down in {_several(x.hands, 'hand')} ({x.kind}, {where}), which ended the match there"
    if outcome.left_out:
        from trickproof.english.inflection import listed

        yield f"not played: {listed(list(outcome.left_out))}"
    if outcome.backend == PYTHON and best_backend() == PYTHON:
        yield "plain Python, since llvmlite is not installed: hundreds of times slower"


def paired_text(paired: Paired) -> str:
    """Both headings, and a table of A, B and B less A."""
    a, b = paired.a, paired.b
    headers = ["on average", "A", "B", "B less A"]
    told = _columns(list(_compared(paired)), headers)
    notes = dict.fromkeys([*_notes(a), *_notes(b)])
    chance = "both were dealt the same cards; of twenty such intervals one leaves 0 out by chance alone"
    lines = [*notes, *_noted(chance)]
    return f"A: {_heading(a)}\nB: {_heading(b)}\n\n{told}\n\n" + "\n".join(lines)


def _compared(paired: Paired) -> Iterator[list[str]]:
    """Rows: a measure, its mean under A and B, the difference with its interval."""
    words = {"tricks": "tricks", "over": "over target", "met": "target met", "given": "cards given"}
    for name, difference in paired.differences.items():
        kind, _, seat = name.partition(".")
        if name == LENGTH:
            means = [x.counts.match_length().mean for x in (paired.a, paired.b)]
            label = "hands of a match that ends"
        else:
            means = [x.counts.measure(name) for x in (paired.a, paired.b)]
            label = words[kind] + (f", {paired.a.seats[int(seat)]}" if seat else "")
        if kind == "met":
            yield [label, *(f"{100 * x.mean:.1f} %" for x in means), _percent(difference, sign="+")]
        else:
            yield [label, *(_number(x.mean) for x in means), _told(difference, sign="+")]


def _noted(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="note: ", subsequent_indent="  ")


def _told(x: Estimate, sign: str = "", digits: int = 2, unit: str = "") -> str:
    """`5.64 (5.61 to 5.66)`; a question mark for what is not bounded."""
    mean, low, high = (_number(y, sign, digits) for y in (x.mean, x.low, x.high))
    return f"{mean}{unit} ({low} to {high})"


def _number(x: float, sign: str = "", digits: int = 2) -> str:
    return "?" if abs(x) == inf else f"{x:{sign}z,.{digits}f}"


def _percent(x: Estimate, sign: str = "") -> str:
    """`36.8 % (35.6 to 38.0)`."""
    return _told(Estimate(100 * x.mean, 100 * x.low, 100 * x.high), sign, 1, " %")


def _several(number: int, one: str, more: str = "") -> str:
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def _columns(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> str:
    from tabulate import tabulate

    return tabulate(rows, headers, tablefmt="simple", disable_numparse=True)
