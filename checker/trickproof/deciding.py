"""From symbolic answers to a finding: every parameter and reading decided, the worst told, its witness made of cards.

Where the settlement cannot be encoded, or what the proof rests on does not hold, the claim falls back to what playing
showed, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from trickproof.claim import Check
from trickproof.construct import construct
from trickproof.encode import GapError, NotEncodedError
from trickproof.finding import Finding
from trickproof.proving import Found, NotFound
from trickproof.settlement import Settlement, settlements
from trickproof.subject import Subject, tested
from trickproof.verdict import DisagreementError, Method, Verdict
from trickproof.witness import replay, scenario
from trickproof_dsl.jsonform import Json
from trickproof_dsl.state import State

RESTS_ON = ("hand-size", "trick-total")
"""Claims that the symbolic settlement takes for granted."""

WAYS = 3
"""Divisions of the tricks for which cards are looked for, at most."""

Ways = Iterator[Found | NotFound]


@dataclass(frozen=True, slots=True)
class Case:
    """The answer for one choice of parameters and readings.

    `ways` lead to what the witness must show, which `shows` recognises in the replayed state.
    """

    verdict: Verdict
    method: Method
    message: str
    hands: int = 0
    ways: Ways | None = None
    shows: Callable[[State], str | None] | None = None


@dataclass(frozen=True, slots=True)
class Labelled:
    """A case and what it is for."""

    parameters: Mapping[str, int]
    readings: Mapping[str, int]
    case: Case


WORST = (Verdict.REFUTED, Verdict.UNDECIDED, Verdict.BOUNDED, Verdict.NOT_APPLICABLE, Verdict.PROVED)


def decide(check: Check, subject: Subject, case: Callable[[Settlement], Case]) -> Finding:
    """The finding over all parameters and the readings that matter.

    Raises DisagreementError where what is proved has failed in play.
    """
    played = subject.played
    broken = [name for name in RESTS_ON if name in played.violations]
    if broken:
        told = tuple(f"no proof was tried: `{name}` does not hold" for name in broken)
        return replace(tested(check, subject), details=told)
    try:
        finding = _worst(check, subject, case)
    except NotEncodedError as not_encoded:
        return _fallen_back(check, subject, not_encoded)
    except GapError as gap:
        message = f"nothing says what `{gap.rule}` is"
        return subject.finding(check, Verdict.UNSPECIFIED, Method.STATIC, message, where=gap.span)
    if check.name in played.violations and finding.verdict is not Verdict.REFUTED:
        if finding.verdict is Verdict.PROVED:
            raise DisagreementError(f"{subject.ruleset.id}: `{check.name}` is proved, and refuted by play")
        return tested(check, subject)
    return finding


def _cases(subject: Subject, case: Callable[[Settlement], Case]) -> list[Labelled]:
    return [Labelled(s.parameters, s.readings, case(s)) for s in settlements(subject)]


def _worst(check: Check, subject: Subject, case: Callable[[Settlement], Case]) -> Finding:
    cases = _cases(subject, case)
    verdict = next(v for v in WORST if any(labelled.case.verdict is v for labelled in cases))
    telling = [labelled for labelled in cases if labelled.case.verdict is verdict]
    told = min(telling, key=lambda labelled: labelled.case.hands)
    message = told.case.message
    finding = subject.finding(check, verdict, told.case.method, message)
    if told.case.ways is not None:
        finding = _witnessed(finding, subject, told.case)
    names = _names(subject, cases, telling, told)
    readings = tuple(dict.fromkeys(r for t in telling for r in subject.reading_names(dict(t.readings))))
    return replace(
        finding,
        message=finding.message + names,
        readings=readings if len(telling) < len(cases) else (),
        bound=told.case.hands
        if verdict in (Verdict.BOUNDED, Verdict.UNDECIDED) and told.case.hands
        else None,
        details=(*finding.details, "rests on " + " and ".join(f"`{name}`" for name in RESTS_ON)),
    )


def _names(subject: Subject, cases: list[Labelled], telling: list[Labelled], told: Labelled) -> str:
    """For which parameters and readings it was said, where there are several."""
    if len(cases) == 1:
        return ""

    def label(some: list[Labelled]) -> str:
        return " and ".join(", ".join(_label(subject, labelled)) for labelled in some)

    alike = [labelled for labelled in telling if labelled.case.message == told.case.message]
    text = f" (for {label(alike)})"
    for other in telling:
        if other not in alike:
            text += f"; for {label([other])} {other.case.message}"
    return text


def _label(subject: Subject, labelled: Labelled) -> list[str]:
    parameters = [f"{name} {value}" for name, value in labelled.parameters.items()]
    return parameters + list(subject.reading_names(dict(labelled.readings)))


def _witnessed(finding: Finding, subject: Subject, case: Case) -> Finding:
    """The finding with a hand of real cards; undecided where none was found."""
    assert case.ways is not None
    assert case.shows is not None
    for way in islice(case.ways, WAYS):
        if isinstance(way, NotFound):
            break
        made = _made(subject, way, case.shows)
        if made is not None:
            written, shown = made
            history = tuple(_history(way))
            message = f"{finding.message}: {shown}" if shown else finding.message
            return replace(finding, witness=written, message=message, details=history)
    message = f"{finding.message}; but no deal and play was found that leads there"
    return replace(finding, verdict=Verdict.UNDECIDED, message=message)


def _made(
    subject: Subject, way: Found, shows: Callable[[State], str | None]
) -> tuple[dict[str, Json], str] | None:
    settlement = way.settlement
    hand = construct(subject.ruleset, settlement.parameters, settlement.readings, way.begin, way.tricks[-1])
    if hand is None:
        return None
    written = scenario(subject.ruleset, hand)
    shown = shows(replay(subject.ruleset, written))
    if shown is None:
        raise DisagreementError(
            f"{subject.ruleset.id}: tricks {way.tricks[-1]} lead to something else when they are played"
        )
    return written, shown


def _history(way: Found) -> Iterator[str]:
    if way.hands > 1:
        for number, tricks in enumerate(way.tricks, 1):
            yield f"hand {number}: tricks {' '.join(map(str, tricks))}"


def _fallen_back(check: Check, subject: Subject, not_encoded: NotEncodedError) -> Finding:
    """What playing showed, where the settlement cannot be said in numbers."""
    span = not_encoded.span
    place = f"{span.source.name}:{span.line}:{span.column}"
    reason = f"no proof: {not_encoded.what} ({place})"
    finding = tested(check, subject) if check.probes else None
    if finding is None or finding.verdict in (Verdict.UNDECIDED, Verdict.UNSPECIFIED):
        return subject.finding(
            check, Verdict.UNDECIDED, Method.SMT, f"gave up: {not_encoded.what}", where=span
        )
    return replace(finding, details=(*finding.details, reason))
