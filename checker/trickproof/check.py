"""All checks on all rulesets: findings in the contract's order, known flaws marked, and the exit code they mean."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

from trickproof.checks import CHECKS
from trickproof.checks.invariants import invariants
from trickproof.claim import Check
from trickproof.finding import Finding
from trickproof.subject import Subject
from trickproof.verdict import Method, Verdict
from trickproof_dsl.load import Ruleset


def check_names(rulesets: Iterable[Ruleset]) -> list[str]:
    """What `--only` can name: the checks, and the invariants that these rulesets state."""
    names = [check.name for check in CHECKS]
    for ruleset in rulesets:
        names += [name for name in ruleset.program.invariants if name not in names]
    return names


def check_ruleset(ruleset: Ruleset, only: Sequence[str] | None = None) -> list[Finding]:
    """The findings of one ruleset.  Raises DisagreementError where the tool contradicts itself."""
    checks = (*CHECKS, *invariants(ruleset.program))
    subject = Subject(ruleset, checks)
    return [_finding(check, subject) for check in checks if only is None or check.name in only]


def check_all(
    rulesets: Sequence[Ruleset], only: Sequence[str] | None = None, workers: int = 2
) -> list[tuple[Ruleset, list[Finding]]]:
    """The findings of many rulesets, in their order, worked out in up to `workers` processes."""
    if workers < 2 or len(rulesets) < 2:
        return [(ruleset, check_ruleset(ruleset, only)) for ruleset in rulesets]
    with ProcessPoolExecutor(max_workers=min(workers, len(rulesets))) as pool:
        found = list(pool.map(check_ruleset, rulesets, [only] * len(rulesets)))
    return list(zip(rulesets, found, strict=True))


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
