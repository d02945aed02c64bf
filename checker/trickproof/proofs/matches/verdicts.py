"""From symbolic answers to a finding: every parameter and reading decided, the worst told, its witness made of cards.

Where the settlement cannot be encoded, or what the proof rests on does not hold, the claim falls back to what playing
showed, and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice

from trickproof.analysis.usage import rules_at
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import DisagreementError, Method, Verdict
from trickproof.proofs.hands.check import Check
from trickproof.proofs.hands.verdicts import proved
from trickproof.proofs.matches.bounded_model_checking import NoTrace
from trickproof.proofs.matches.case_split import Case, Labelled, conditions
from trickproof.proofs.matches.counterexample import made_of_cards
from trickproof.proofs.matches.counterexample_text import history
from trickproof.proofs.symbolic.expressions import GapError, NotEncodedError
from trickproof.proofs.symbolic.hand_summary import Settlement, settlements
from trickproof.support.locations import at
from trickproof.testing.subject import Subject, in_prelude, tested

RESTS_ON = ("hand-size", "trick-total")
"""Claims that the symbolic settlement takes for granted."""

PLAYABLE = (*RESTS_ON, "cards-conserved", "legal-play-exists", "one-trick-winner")
"""Claims without which a hand may not come to its end."""

WAYS = 3
"""Divisions of the tricks for which cards are looked for, at most."""

WORST = (Verdict.REFUTED, Verdict.UNDECIDED, Verdict.BOUNDED, Verdict.NOT_APPLICABLE, Verdict.PROVED)


def decide(check: Check, subject: Subject, case: Callable[[Settlement], Case]) -> Finding:
    """The finding over all parameters and the readings that matter.

    Raises DisagreementError where what is proved has failed in play.
    """
    played = subject.played
    broken = [name for name in PLAYABLE if name in played.violations]
    if broken:
        details = tuple(f"no proof: `{name}` does not hold" for name in broken)
        if not check.probes:
            verb = "does" if len(broken) == 1 else "do"
            message = f"not decided: {' and '.join(f'`{name}`' for name in broken)} {verb} not hold"
            return subject.finding(check, Verdict.UNDECIDED, Method.SIMULATION, message, details=details)
        finding = tested(check, subject)
        return replace(finding, details=(*finding.details, *details))
    try:
        finding = _worst(check, subject, case)
    except NotEncodedError as not_encoded:
        return _fallen_back(check, subject, not_encoded)
    except GapError as gap:
        message = f"nothing says what `{gap.rule}` is"
        return subject.finding(check, Verdict.UNSPECIFIED, Method.STATIC, message, where=gap.span)
    if check.name in played.violations and finding.verdict is not Verdict.REFUTED:
        if finding.verdict is Verdict.PROVED and all(proved(subject, name) for name in RESTS_ON):
            raise DisagreementError(f"{subject.ruleset.id}: `{check.name}` is proved, and refuted by play")
        return tested(check, subject)
    return _resting(check, subject, finding)


def _resting(check: Check, subject: Subject, finding: Finding) -> Finding:
    """The finding with what it rests on: no proof, if that is itself not proved; a witness stands by itself."""
    if finding.verdict not in (Verdict.PROVED, Verdict.BOUNDED) or finding.witness is not None:
        return finding
    weak = [
        f"no proof: it would rest on `{name}`, which is not proved"
        for name in RESTS_ON
        if not proved(subject, name)
    ]
    if not weak:
        return replace(
            finding, details=(*finding.details, "rests on " + " and ".join(f"`{n}`" for n in RESTS_ON))
        )
    if check.probes:
        weaker = tested(check, subject)
        return replace(weaker, details=(*weaker.details, *weak))
    message = f"not decided: {finding.message}, if {' and '.join(f'`{n}`' for n in RESTS_ON)} hold, which is not proved"
    return replace(finding, verdict=Verdict.UNDECIDED, message=message, details=(*finding.details, *weak))


def _worst(check: Check, subject: Subject, case: Callable[[Settlement], Case]) -> Finding:
    cases = [Labelled(s.parameters, s.readings, case(s)) for s in settlements(subject)]
    verdict = next(v for v in WORST if any(labelled.case.verdict is v for labelled in cases))
    telling = [labelled for labelled in cases if labelled.case.verdict is verdict]
    reported = min(telling, key=lambda labelled: labelled.case.hands)
    message = reported.case.message
    finding = subject.finding(check, verdict, reported.case.method, message, details=reported.case.details)
    if reported.case.ways is not None:
        finding = _witnessed(finding, reported.case)
    where = conditions(subject, cases, reported)
    return replace(
        finding,
        message=finding.message + where.text,
        readings=where.readings,
        bound=reported.case.hands
        if verdict in (Verdict.BOUNDED, Verdict.UNDECIDED) and reported.case.hands
        else None,
    )


def _witnessed(finding: Finding, case: Case) -> Finding:
    """The finding with hands of real cards; undecided where none were found."""
    assert case.ways is not None
    assert case.shows is not None
    for way in islice(case.ways, WAYS):
        if isinstance(way, NoTrace):
            break
        match = made_of_cards(way, case.shows)
        if match is not None:
            shown = match.shown if case.tells is None else case.tells(way)
            return replace(
                finding,
                witness=match.hands[-1],
                match=match.hands if len(match.hands) > 1 else (),
                loop_from=way.loop_from,
                message=f"{finding.message}: {shown}" if shown else finding.message,
                details=(*finding.details, *history(way)),
            )
    message = f"{finding.message}; but no deal and play was found that leads there"
    return replace(finding, verdict=Verdict.UNDECIDED, message=message)


def _fallen_back(check: Check, subject: Subject, not_encoded: NotEncodedError) -> Finding:
    """What playing showed, where the settlement cannot be said in numbers."""
    span, what = not_encoded.span, not_encoded.what
    rules = [rule for rule in rules_at(subject.program, span) if not subject.is_standard(rule)]
    if rules:
        rule = f"rule `{rules[-1]}`"
        what = f"{rule} {what.removeprefix('it ')}" if what.startswith("it ") else f"in {rule} {what}"
    place = "" if in_prelude(span) else f" ({at(span)})"
    reason = f"no proof: {what}{place}"
    if not check.probes:
        message = f"not decided: {what}"
        return subject.finding(check, Verdict.UNDECIDED, Method.SMT, message, where=span)
    finding = tested(check, subject)
    if finding.verdict is Verdict.UNDECIDED:
        message = f"not decided: {what}; and {finding.message}"
        where = finding.where if in_prelude(span) else span
        return replace(finding, message=message, where=where, details=(*finding.details, reason))
    return replace(finding, details=(*finding.details, reason))
