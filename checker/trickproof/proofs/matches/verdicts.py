"""From symbolic answers to a finding: decide every parameter and reading, report the worst, make its witness concrete.

If the settlement cannot be encoded, or the proof depends on something unproved, the claim falls back to the
results of random play, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from trickproof.analysis.usage import rules_at
from trickproof.checking.finding import Finding, Premise
from trickproof.checking.verdict import DisagreementError, Method, Verdict
from trickproof.english.inflection import listed
from trickproof.proofs import kernel
from trickproof.proofs.hands.check import Check, checks_of
from trickproof.proofs.hands.verdicts import hand_proof
from trickproof.proofs.kernel import Form, Rule, Theorem
from trickproof.proofs.matches.counterexample import made_of_cards
from trickproof.proofs.matches.counterexample_text import history
from trickproof.proofs.model_checking.bounded_model_checking import NoTrace, Trace
from trickproof.proofs.model_checking.case_split import Case, Labelled, conditions
from trickproof.proofs.smt.solver import recorded_once
from trickproof.proofs.symbolic.expressions import GapError, NotEncodedError
from trickproof.proofs.symbolic.hand_parts import looked_at
from trickproof.proofs.symbolic.hand_summary import PlayOutcome, Settlement, settlements
from trickproof.support.locations import at
from trickproof.testing.random_play import moments_at_end
from trickproof.testing.subject import MOST_COMBINATIONS, Subject, refuted, tested
from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.files.model import in_prelude
from trickproof_dsl.semantics.state import State

RESTS_ON = ("hand-size", "trick-total")
"""Claims that the symbolic settlement takes for granted."""

FAULTLESS = ("cards-conserved", "legal-play-exists", "one-trick-winner", "exchange-feasible", "no-fault")
"""Claims without which a match may stop before its end."""

WAYS = 3
"""Maximum number of divisions of the tricks for which cards are searched."""

WORST = ("refuted", "undecided", "bounded", "not-applicable", "proved")


def decide(check: Check, subject: Subject, case: Callable[[Settlement], Case]) -> Finding:
    """The finding over all parameters and the readings that matter.

    Raises DisagreementError if something proved has failed in play.
    """
    try:
        finding, theorem = _worst(check, subject, partial(_at_its_moment, check, case))
        if finding.verdict is Verdict.UNDECIDED:
            cornered = subject.corners.violating(check.name)
            if cornered is not None:
                return refuted(check, subject, cornered, smaller=False)
        is_open = finding.verdict in (Verdict.UNDECIDED, Verdict.BOUNDED) and check.probes
        if is_open and check.name in subject.played_whole.violations:
            return refuted(check, subject, subject.played_whole)
        if finding.verdict is Verdict.UNDECIDED and check.probes and looked_at(subject.program):
            sampled = tested(check, subject)
            if sampled.verdict is not Verdict.UNDECIDED:
                return replace(sampled, details=(*sampled.details, finding.message))
    except NotEncodedError as not_encoded:
        return _fallen_back(check, subject, not_encoded)
    except GapError as gap:
        return _unspecified(check, subject, gap.rule, gap.span)
    if not finding.verdict.refuted and check.name in subject.played.violations:
        if finding.verdict.proved:
            raise DisagreementError(
                f"{subject.ruleset.id}: `{check.name}` is both proved and refuted by play"
            )
        return tested(check, subject)
    return _resting(check, subject, finding, theorem)


def _at_its_moment(check: Check, case: Callable[[Settlement], Case], settlement: Settlement) -> Case:
    """The case; a check about finished deals may only be witnessed by a finished deal."""
    answer = case(settlement)
    if answer.shows is None or all(probe.moment != "hand-ends" for probe in check.probes):
        return answer
    return replace(answer, shows=partial(_of_a_complete_hand, answer.shows))


def _of_a_complete_hand(shows: Callable[[State], str | None], state: State) -> str | None:
    complete = state.fault is None and "hand-ends" in moments_at_end(state)
    return shows(state) if complete else None


def _unspecified(check: Check, subject: Subject, rule: str, where: Span) -> Finding:
    message = f"nothing says what `{rule}` is"
    return subject.finding(check, Verdict.UNSPECIFIED, Method.STATIC, message, where=where)


def _resting(check: Check, subject: Subject, finding: Finding, theorem: Theorem | None) -> Finding:
    """The finding with its premises: undecided if a premise is not proved; a finding with a witness needs none."""
    if not (finding.verdict.proved or finding.verdict is Verdict.BOUNDED) or finding.witness is not None:
        return finding
    premises = [] if hand_proof(subject).outcome is PlayOutcome.UNKNOWN else [_premise(subject, DIVISION)]
    premises += [_premise(subject, name) for name in check.rests_on]
    finding = replace(finding, rests_on=tuple(premises))
    weak = [premise.name for premise in premises if premise.kind == "assumption"]
    if theorem is not None and finding.verdict.proved:
        theorem = kernel.resting(theorem, [_as_theorem(subject, premise) for premise in premises])
        deals = subject.played.hands if check.probes else 0
        finding = replace(finding, verdict=kernel.verdict(theorem, deals))
    if finding.verdict is Verdict.TESTED:
        details = (*finding.details, f"if {_listed(weak)}, {finding.message}")
        return replace(tested(check, subject), rests_on=tuple(premises), details=details)
    if weak:
        message = f"if {_listed(weak)}, {finding.message}"
        return replace(
            finding, verdict=Verdict.UNDECIDED, message=message, termination=None, within_deals=None
        )
    if premises:
        besides = RESTS_ON if hand_proof(subject).even else ()
        names = [f"`{name}`" for name in dict.fromkeys((*besides, *check.rests_on))]
        depends = (f"depends on {listed(names)}",) if names else ()
        finding = replace(finding, details=(*finding.details, *depends))
    return finding


def _listed(names: Sequence[str]) -> str:
    """Checks that are not proved, as a condition."""
    return f"{listed([f'`{name}`' for name in names])} hold{'s' * (len(names) == 1)}"


DIVISION = "division of the tricks"
"""The premise proved by `hands/grounds.py`."""


def _premise(subject: Subject, name: str) -> Premise:
    """A premise by name: the verdict of a check, or what is proved about every deal."""
    if name == DIVISION:
        return Premise(
            "theorem",
            name,
            f"in every deal the tricks won {hand_proof(subject).outcome.value.removeprefix('they ')}",
        )
    finding = verdict_of(subject, name)
    proved = finding is None or finding.verdict.proved or finding.verdict is Verdict.NOT_APPLICABLE
    text = "it does not apply" if finding is None else finding.message
    return Premise("theorem" if proved else "assumption", name, text)


def _as_theorem(subject: Subject, premise: Premise) -> Theorem | kernel.Assumption:
    if premise.kind == "assumption":
        return kernel.Assumption(premise.name, premise.text)
    if premise.name == DIVISION:
        return kernel.division(hand_proof(subject).theorem)
    return kernel.lemma(premise.name, verdict_of(subject, premise.name))


def verdict_of(subject: Subject, name: str) -> Finding | None:
    """The memoised finding of another check; None if that check does not apply."""
    check = next((check for check in checks_of(subject) if check.name == name), None)
    return None if check is None else recorded_once(subject, _run_check, (check, subject))


def _run_check(of: tuple[Check, Subject]) -> Finding:
    check, subject = of
    return check.run(check, subject)


def settled(subject: Subject) -> tuple[Settlement, ...]:
    """The settlements of a ruleset, assuming what is proved about its deals."""
    proof = hand_proof(subject)
    return settlements(subject, proof.outcome, proof.bare)


def _worst(
    check: Check, subject: Subject, case: Callable[[Settlement], Case]
) -> tuple[Finding, Theorem | None]:
    """The finding, and the theorem that proves it, if any."""
    cases = [Labelled(of.parameters, of.readings, case(of)) for of in settled(subject)]
    worst = next(v for v in WORST if any(labelled.case.verdict == v for labelled in cases))
    telling = [labelled for labelled in cases if labelled.case.verdict == worst]
    reported = min(telling, key=lambda labelled: (labelled.case.ways is None, labelled.case.rank))
    answer, message = reported.case.answer, reported.case.message
    finding = subject.finding(
        check, Verdict.UNDECIDED, reported.case.method, message, details=reported.case.details
    )
    shown = True
    if reported.case.ways is not None:
        finding, shown = _witnessed(finding, reported.case)
        if not shown and check.probes:
            played = subject.played_whole
            if check.name in played.violations:
                return refuted(check, subject, played), None
    theorem = None
    if isinstance(answer, Verdict):
        finding = replace(finding, verdict=answer)
    elif shown and isinstance(answer, Form):
        runs, proof = finding.match or (), reported.case.theorem
        finding = replace(finding, verdict=kernel.refuted(check.name, answer, runs=runs, theorem=proof))
    elif shown and answer is Rule.RUN and not _shown_everywhere(subject, case):
        what = "but under some parameters or readings no deal was found that shows it"
        finding = replace(finding, message=f"{finding.message} in the prover's model, {what}")
    elif shown:
        theorems = [_theorem(labelled.case, finding) for labelled in telling]
        theorem = kernel.choices(message, len(telling), theorems)
        finding = replace(finding, verdict=kernel.verdict(theorem))
    where = conditions(subject, cases, reported)
    bound = finding.verdict in (Verdict.BOUNDED, Verdict.UNDECIDED) and isinstance(answer, Verdict)
    return replace(
        finding,
        message=finding.message + where.text,
        readings=where.readings,
        bound=(reported.case.hands or None) if bound else None,
        termination=reported.case.termination if finding.verdict.proved else None,
        within_deals=reported.case.within if finding.verdict.proved else None,
    ), theorem


def _theorem(case: Case, finding: Finding) -> Theorem:
    """What is proved for one choice of parameters and readings; a replayed run serves all of them."""
    if isinstance(case.answer, Theorem):
        return case.answer
    return kernel.run(case.message, finding.witness)


def _shown_everywhere(subject: Subject, case: Callable[[Settlement], Case]) -> bool:
    """Whether what is proved by example has an example under all parameters and readings, including those of the exchange."""
    taken, every = subject.readings(frozenset(subject.program.readings)), settled(subject)
    if len(taken) * len(every) == 1:
        return True  # the one that was shown
    for settlement in every:
        example = case(settlement)
        if isinstance(example.answer, Theorem):
            continue
        if len(taken) == MOST_COMBINATIONS or example.ways is None or example.shows is None:
            return False
        ways = [way for way in islice(example.ways, WAYS) if isinstance(way, Trace)]
        for readings in taken:
            if settlement.readings.items() <= readings.items():
                other = settlement.under(readings)
                matches = (made_of_cards(replace(way, settlement=other), example.shows) for way in ways)
                if all(match is None for match in matches):
                    return False
    return True


def _witnessed(finding: Finding, case: Case) -> tuple[Finding, bool]:
    """The finding with a concrete match, and whether one was found."""
    assert case.ways is not None
    assert case.shows is not None
    stops: Sequence[c.EndMatch | c.EndHand] = ()
    for way in islice(case.ways, WAYS):
        if isinstance(way, NoTrace):
            break
        match = made_of_cards(way, case.shows)
        if match is not None:
            shown = match.shown if case.tells is None else case.tells(way)
            witnessed = replace(
                finding,
                witness=match.hands[-1],
                match=match.hands,
                loop_from=way.loop_from,
                message=f"{finding.message}: {shown}" if shown else finding.message,
                details=(*finding.details, *history(way)),
            )
            return witnessed, True
        stops = way.settlement.stops
    for stop in stops:  # the traces may depend on these
        what = "match" if isinstance(stop, c.EndMatch) else "hand"
        thrown_in = isinstance(stop, c.EndHand) and stop.again
        text = "the deal can be thrown in" if thrown_in else f"the {what} can end before the play is over"
        raise NotEncodedError(text, stop.span)
    message = f"{finding.message} in the prover's model, but no deal was found that shows it"
    return replace(finding, message=message), False


def _fallen_back(check: Check, subject: Subject, not_encoded: NotEncodedError) -> Finding:
    """The result of random play, for a settlement that cannot be encoded in numbers."""
    span, what = not_encoded.span, not_encoded.what
    rules = [rule for rule in rules_at(subject.program, span) if not subject.is_standard(rule)]
    if rules:
        rule = f"rule `{rules[-1]}`"
        what = f"{rule} {what.removeprefix('it ')}" if what.startswith("it ") else f"in {rule} {what}"
    place = "" if in_prelude(span) else f" ({at(span)})"
    reason = f"no proof: {what}{place}"
    if not check.probes:
        message = f"{what}"
        return subject.finding(check, Verdict.UNDECIDED, Method.SMT, message, where=span)
    finding = tested(check, subject)
    if finding.verdict is Verdict.UNDECIDED:
        message = f"{what}; and {finding.message}"
        where = finding.where if in_prelude(span) else span
        return replace(finding, message=message, where=where, details=(*finding.details, reason))
    return replace(finding, details=(*finding.details, reason))
