"""Writes certificates of what was proved about rulesets: the proof about deals is run again and recorded.

Whatever another program cannot check yet is named in the header with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from trickproof.certificates.certificate import VERSION, core_digest
from trickproof.checking.finding import Finding
from trickproof.checking.proof_session import ProofSession
from trickproof.checking.verdict import Method
from trickproof.proofs.hands.check import checks_of
from trickproof.proofs.matches.certificate import Step
from trickproof.proofs.symbolic.expressions import GapError, NotEncodedError
from trickproof.support.process_pool import results
from trickproof.testing.subject import Subject
from trickproof_dsl import core as c
from trickproof_dsl.library import Ruleset

if TYPE_CHECKING:
    from trickproof.check_runner.findings_cache import Cache

Json = dict[str, object]

NOT_WRITTEN = "certificates do not cover this kind of proof yet"
OTHERWISE: Mapping[Method, str] = {
    Method.STATIC: "evident from the rules; no solver was asked",
    Method.ENUMERATION: "shown by replaying cases; no solver was asked",
    Method.SIMULATION: "shown by a match; no solver was asked",
}
"""Why proofs by other methods have no nodes."""


def certificates(
    findings: Sequence[tuple[Ruleset, Sequence[Finding]]],
    workers: int,
    hands: int,
    cache: Cache | None = None,
) -> Iterator[str]:
    """The lines of a certificate file, ruleset by ruleset, computed in up to `workers` processes.

    Certificates written by an earlier run are taken from the cache; they need no trust, since whoever reads
    them verifies them.
    """
    proved = [
        (ruleset, [finding for finding in some if finding.verdict.proved]) for ruleset, some in findings
    ]
    kept = {i: None if cache is None else cache.certificate(*one) for i, one in enumerate(proved)}
    jobs = {i: partial(certificate, *proved[i], hands) for i, lines in kept.items() if lines is None}
    several = max(1, min(workers, len(jobs)))
    groups = [{i: jobs[i] for i in list(jobs)[k::several]} for k in range(several)]
    written = dict(results(groups, workers))
    for i, lines in written.items():
        if cache is not None:
            cache.keep_certificate(*proved[i], lines)
    for i in kept:
        yield from written[i] if i in written else kept[i] or ()


def certificate(ruleset: Ruleset, proved: Sequence[Finding], hands: int) -> list[str]:
    """The header for one ruleset, followed by the proof of its claims about deals."""
    from trickproof.checks import all_checks
    from trickproof.checks.stated import stated_checks
    from trickproof.proofs.hands.certificate import Writer
    from trickproof.proofs.hands.verdicts import answering, decided_by_deals, hand_proof
    from trickproof.proofs.matches.certificate import written

    session = ProofSession()
    session.certifying = True
    subject = Subject(ruleset, (*all_checks(), *stated_checks(ruleset)), hands, session)
    able = proved if hand_proof(subject).even else ()  # the verifier assumes even hands
    by_deals = {finding.check for finding in able if decided_by_deals(subject, finding.check)}
    listed, by_matches = _steps(subject, able)
    rows: list[Json] = []
    if by_deals or by_matches:
        more = [root for step in listed for root in step.roots()]
        writer = Writer(ruleset.program, hand_proof(subject), partial(answering, subject), more)
        nodes = [written(step, writer.parts) for step in listed]
        rows = writer.write(sorted(by_deals), nodes, by_matches)
    reasons = {
        finding.check: OTHERWISE.get(finding.method, NOT_WRITTEN)
        for finding in proved
        if finding.check not in {*by_deals, *by_matches}
    }
    header: Json = {
        "certificate": VERSION,
        "ruleset": ruleset.named,
        "core": core_digest(ruleset.program),
        "roots": [
            {"check": name, "parameters": {}, "readings": []} for name in sorted({*by_deals, *by_matches})
        ],
        "not_certified": [
            {"check": name, "parameters": {}, "readings": [], "reason": why} for name, why in reasons.items()
        ],
        "lines": len(rows),
    }
    return [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in (header, *rows)]


def _steps(subject: Subject, proved: Sequence[Finding]) -> tuple[list[Step], dict[str, list[str]]]:
    """The steps of deals, and the checks shown for each of them, with the variables that sum to zero before it."""
    from trickproof.proofs.hands.verdicts import hand_proof, missing
    from trickproof.proofs.matches.certificate import OF_STEPS, steps, sums

    checks = {check.name: check for check in checks_of(subject)}
    names = [x.check for x in proved if x.check in OF_STEPS and x.method in (Method.SMT, Method.INDUCTION)]
    names = [name for name in names if not any(missing(checks[name], subject, hand_proof(subject)))]
    if not names:
        return [], {}
    try:
        listed = steps(subject)
    except (NotEncodedError, GapError):  # such claims are proved within deals, as nothing lies between them
        return [], {}
    if any(isinstance(stop, c.EndMatch) for step in listed for stop in step.settlement.stops):
        # who wins before the play is over is shown within deals, which is not combined with what is shown of
        # steps
        names = [name for name in names if name != "unique-winner"]
    level = sums(listed)
    return listed, dict.fromkeys(names, level)
