"""The verdict on what was left undecided about a game with few cards, from all its matches (`explicit_state.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from trickproof.checking.finding import Finding
from trickproof.checking.played_hand import HandPlayed
from trickproof.checking.property import never
from trickproof.checking.verdict import Method, Verdict
from trickproof.english.inflection import counted
from trickproof.proofs import kernel
from trickproof.proofs.hands.check import Check
from trickproof.proofs.kernel import Form, Theorem
from trickproof.proofs.matches.explicit_state import Begun, Course, Failure, Matches, every_match, replay
from trickproof.testing.random_play import FALLBACK, Played, Violation
from trickproof.testing.subject import AT_END, Subject, refuted
from trickproof.testing.witness import MOST_DEALS, replayed_match, replayed_on, written
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.scenarios.json_values import Json

OPEN = (Verdict.BOUNDED, Verdict.TESTED, Verdict.UNDECIDED)

ALMOST = "the match ends almost surely: with probability 1, if every legal choice is made with positive probability"


def decided(check: Check, subject: Subject, finding: Finding) -> Finding:
    """The finding; if it leaves a claim open, what all matches show, if they are few enough to be played."""
    decide = ENDS.get(check.name, _claim if _has_claims(check) else None)
    if finding.verdict not in OPEN or decide is None:
        return finding
    found = every_match(subject)
    return (None if found is None else decide(check, subject, found)) or finding


def _has_claims(check: Check) -> bool:
    """Whether play shows that it fails."""
    return bool(check.probes) or check.breaks is not never or check.name == FALLBACK


def _listed(subject: Subject, claim: str, found: Matches, check: str = "") -> Theorem:
    """That a claim, or nothing at all, fails in no match."""
    failures = [found.failed[check]] if check in found.failed else []
    seats = kernel.symmetry(subject.program) if found.turned else None
    return kernel.every_match(claim, found.begun, found.following, failures, seats)


def _proved(check: Check, subject: Subject, message: str, theorems: Sequence[Theorem]) -> Finding:
    theorem = kernel.choices(message, len(theorems), theorems)
    return subject.finding(check, kernel.verdict(theorem), Method.ENUMERATION, message)


# ------------------------------------------------------------------------------------------------------ single deals


def _claim(check: Check, subject: Subject, found: Sequence[Matches]) -> Finding | None:
    """What the matches show of a claim about states and deals."""
    failing = [(x, x.failed[check.name]) for x in found if check.name in x.failed]
    if failing:
        return _refuted(check, subject, *min(failing, key=lambda x: len(x[1].course)))
    if any(probe.ahead for probe in check.probes) and _foresees(subject, found):
        return None
    if Form.TWO_RUNS in kernel.FORMS.get(check.name, ()):
        return None  # no single deal shows all of it
    if not any(_occurs(check, x) for x in found):
        return subject.finding(check, Verdict.NOT_APPLICABLE, Method.ENUMERATION, "no deal gets that far")
    message = f"{check.proved or 'nothing can break it'}: every match was played"
    return _proved(check, subject, message, [_listed(subject, message, x, check.name) for x in found])


def _foresees(subject: Subject, found: Sequence[Matches]) -> bool:
    """Whether a probe that looks ahead may miss a deal: it sees one shuffle, and no deal after one cut short."""
    shuffles = any(isinstance(node, c.Shuffle) for node in walk(subject.program.between))
    return shuffles or any(one.cut_short for one in found)


def _occurs(check: Check, found: Matches) -> bool:
    """Whether some deal is a case of the claim."""
    moments = not check.probes or any(probe.moment in found.moments for probe in check.probes)
    return moments and (not check.labels or AT_END in check.labels or bool(found.labels & set(check.labels)))


def _refuted(check: Check, subject: Subject, found: Matches, failure: Failure) -> Finding | None:
    hand = replay(subject.ruleset, found.terms, failure.course)
    if hand is None:
        return None
    if not _shows(check, failure, hand):
        if not hand.state.hand_over or hand.state.match_over:
            return None
        hand = hand.then()
        if not _shows(check, failure, hand):
            return None
    played = Played(violations={check.name: Violation(check.name, failure.message, hand, failure.span)})
    return refuted(check, subject, played, smaller=False)


def _shows(check: Check, failure: Failure, hand: HandPlayed) -> bool:
    if failure.span is not None:
        return hand.state.fault is not None and hand.state.fault.span == failure.span
    return hand.state.fault is None and failure.message in [probe.looks(hand) for probe in check.probes]


# --------------------------------------------------------------------------------------------------- ends of matches


def _reachable(check: Check, subject: Subject, found: Sequence[Matches]) -> Finding | None:
    """Whether some play ends the match, under each choice of parameters and readings."""
    endless = next((x for x in found if not x.over_at_start and x.ending is None), None)
    if endless is not None:
        message = f"no play ends the match{_where(subject, endless, found)}: every match was played"
        theorem = kernel.no_way_out(
            message, _listed(subject, message, endless), endless.following, endless.ends
        )
        verdict = kernel.refuted(check.name, Form.THEOREM, theorem=theorem)
        return subject.finding(check, verdict, Method.ENUMERATION, message)
    message, runs, match = "a match that ends was found", list[Theorem](), None
    for one in found:
        if one.over_at_start:
            runs.append(_listed(subject, message, one))
            continue
        assert one.ending is not None
        match = _match(subject, one, one.ending)
        if match is None or not replayed_on(subject.ruleset, match).state.match_over:
            return None
        runs.append(kernel.run(message, match[-1]))
    finding = _proved(check, subject, message, runs)
    return finding if match is None else replace(finding, match=match, witness=match[-1])


def _match(subject: Subject, found: Matches, course: Course) -> tuple[dict[str, Json], ...] | None:
    hand = replay(subject.ruleset, found.terms, course) if len(course) <= MOST_DEALS else None
    return None if hand is None else written(subject.ruleset, hand)


def _always(check: Check, subject: Subject, found: Sequence[Matches], surely: bool = False) -> Finding | None:
    """Whether some play ends the match from every state; if `surely`, whether every play does."""
    for one in found:
        able = kernel.leading_to(one.following, one.ends)
        lost = [group for group in one.groups if group not in able]
        if lost:
            return _lost(check, subject, one, min(lost, key=lambda group: len(one.groups[group][0].course)))
    if any(one.faulty for one in found):
        return None  # where the rules fail, nobody knows how a match goes on
    deals = [one.longest for one in found] if surely else [None]
    most = None if None in deals else max(number for number in deals if number is not None)
    if most is not None:
        message = f"every match ends within {counted(most, 'deal')}: every match was played"
        theorems = [kernel.never_twice(message, _listed(subject, message, x), x.following) for x in found]
        finding = _proved(check, subject, message, theorems)
        return replace(finding, termination="surely", within_deals=most)
    message = "from every score some play ends the match: every match was played"
    theorems = [kernel.way_out(message, _listed(subject, message, x), x.following, x.ends) for x in found]
    if not surely:
        return _proved(check, subject, message, theorems)
    finding = _proved(check, subject, ALMOST, theorems)
    return replace(finding, termination="almost-surely", details=(message,))


def _lost(check: Check, subject: Subject, found: Matches, group: Begun) -> Finding:
    """The refutation: a match after which no play can end it."""
    nodes, states = found.groups[group], {group}
    while more := {x for state in states for x in found.following[state]} - states:
        states |= more
    following = {state: found.following[state] for state in states}
    before = nodes[0].course[:-1]
    message = f"after {counted(len(before), 'deal')} a state can arise from which no play ends the match"
    message = f"{message if before else 'no play ends the match'}: every match was played"
    seats = kernel.symmetry(subject.program) if found.turned else None
    listed = kernel.every_match(message, [group], following, (), seats)
    theorem = kernel.no_way_out(message, listed, following, found.ends)
    match = _match(subject, found, before) if before else None
    if match is not None:
        after = replayed_match(subject.ruleset, match).then()
        if not after.earlier or all(after.begin.variables != node.begin.variables for node in nodes):
            match = None
    form = Form.THEOREM if match is None else Form.RUN_AND_THEOREM
    verdict = kernel.refuted(check.name, form, runs=match or (), theorem=theorem)
    return subject.finding(check, verdict, Method.ENUMERATION, message, match=match)


def _where(subject: Subject, found: Matches, every: Sequence[Matches]) -> str:
    """The parameters and readings of some matches, if there are others."""
    parameters, readings = found.terms
    said = [
        *(f"`{name}: {value}`" for name, value in parameters.items()),
        *(f"`{name}`" for name in subject.reading_names(readings)),
    ]
    return f" with {' and '.join(said)}" if len(every) > 1 else ""


ENDS: Mapping[str, Callable[[Check, Subject, Sequence[Matches]], Finding | None]] = {
    "end-reachable": _reachable,
    "end-always-reachable": _always,
    "terminates": partial(_always, surely=True),
}
