"""All checks on all rulesets: findings in the contract's order, known flaws marked, and the exit code they mean."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace

from trickproof.checks import CHECKS
from trickproof.checks.invariants import invariants
from trickproof.claim import Check
from trickproof.finding import Finding
from trickproof.playing import ENOUGH
from trickproof.subject import Subject
from trickproof.verdict import DisagreementError, Method, Verdict
from trickproof_dsl.load import Ruleset


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A check that has no answer because the tool contradicts itself or breaks down: our bug, never a finding.

    `trace` says where it happened, for whoever mends it.
    """

    ruleset: str
    check: str
    message: str
    trace: str = field(default="", compare=False, repr=False)

    def as_json(self) -> dict[str, str]:
        return {"ruleset": self.ruleset, "check": self.check, "message": self.message}


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings by ruleset, and the checks that have none."""

    findings: list[tuple[Ruleset, list[Finding]]]
    disagreements: list[Disagreement]


def check_names(rulesets: Iterable[Ruleset]) -> list[str]:
    """What `--only` can name: the checks, and the invariants that these rulesets state."""
    names = [check.name for check in CHECKS]
    for ruleset in rulesets:
        names += [name for name in ruleset.program.invariants if name not in names]
    return names


def check_ruleset(
    ruleset: Ruleset, only: Sequence[str] | None = None, hands: int = ENOUGH
) -> tuple[list[Finding], list[Disagreement]]:
    """The findings of one ruleset, of which `hands` hands are played, and the checks that failed themselves."""
    checks = (*CHECKS, *invariants(ruleset.program))
    subject = Subject(ruleset, checks, hands)
    findings: list[Finding] = []
    disagreements: list[Disagreement] = []
    for check in checks:
        if only is None or check.name in only:
            try:
                findings.append(_finding(check, subject))
            except Exception as wrong:
                disagreements.append(_disagreement(ruleset, check, wrong))
    return findings, disagreements


def _disagreement(ruleset: Ruleset, check: Check, wrong: Exception) -> Disagreement:
    meant = isinstance(wrong, DisagreementError)
    message = str(wrong).removeprefix(f"{ruleset.id}: ") if meant else f"bug: {type(wrong).__name__}: {wrong}"
    trace = "".join(traceback.format_exception(wrong))
    return Disagreement(ruleset.id, check.name, message, trace)


def check_all(
    rulesets: Sequence[Ruleset], only: Sequence[str] | None = None, workers: int = 2, hands: int = ENOUGH
) -> Checked:
    """What is found about many rulesets, in their order, worked out in up to `workers` processes."""
    asked = (rulesets, [only] * len(rulesets), [hands] * len(rulesets))
    if workers < 2 or len(rulesets) < 2:
        found = list(map(check_ruleset, *asked))
    else:
        with ProcessPoolExecutor(max_workers=min(workers, len(rulesets))) as pool:
            found = list(pool.map(check_ruleset, *asked))
    findings = [(ruleset, some) for ruleset, (some, _) in zip(rulesets, found, strict=True)]
    return Checked(findings, [x for _, disagreements in found for x in disagreements])


def exit_code(findings: Iterable[Finding]) -> int:
    """0: nothing negative that is not known; 1: something is; 3: nothing negative, but something undecided."""
    listed = list(findings)
    if any(f.verdict.negative and not f.known for f in listed):
        return 1
    return 3 if any(f.verdict is Verdict.UNDECIDED for f in listed) else 0


def stale_known(ruleset: Ruleset, findings: Sequence[Finding]) -> list[str]:
    """Checks that the ruleset records as failing, though they were run and do not fail (or do not exist)."""
    verdicts = {finding.check: finding.verdict for finding in findings}
    names = {check.name for check in (*CHECKS, *invariants(ruleset.program))}
    words = [known.check.value for known in ruleset.own.known]
    return [w for w in words if w not in names or (w in verdicts and not verdicts[w].negative)]


def _finding(check: Check, subject: Subject) -> Finding:
    begun = time.perf_counter()
    reason = check.absent(subject.usage)
    if reason is not None:
        finding = subject.finding(check, Verdict.NOT_APPLICABLE, Method.STATIC, reason)
    else:
        finding = check.run(check, subject)
    finding = replace(finding, seconds=time.perf_counter() - begun)
    return _known(subject.ruleset, finding)


def _known(ruleset: Ruleset, finding: Finding) -> Finding:
    """Marks what the ruleset records as known; of what is inherited, also what its base does."""
    recorded = _recorded(ruleset, finding.check)
    if recorded is not None and not finding.verdict.negative:
        return replace(finding, message=f"{finding.message} (recorded as known, but no longer so)")
    above = ruleset.base if finding.inherited else None
    while recorded is None and above is not None:
        recorded, above = _recorded(above, finding.check), above.base
    if recorded is None or not finding.verdict.negative:
        return finding
    return replace(finding, known=True, reason=recorded)


def _recorded(ruleset: Ruleset, check: str) -> str | None:
    return next((known.reason.value for known in ruleset.own.known if known.check.value == check), None)
