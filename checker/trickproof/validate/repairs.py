"""Fixes of a rejected house rule: candidates that all checks accept, as surely as of the base.

A candidate is first screened: the deal that showed the flaw is replayed under it, then the check that failed is asked again.  All checks
are asked of the best that are left.  Nothing is suggested that they have not accepted, and never because of a *bounded* claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import assert_never

from trickproof.check_runner.runner import check_ruleset
from trickproof.checking.engines import State
from trickproof.checking.finding import Finding
from trickproof.checking.proof_session import ProofSession
from trickproof.checking.property import Moment
from trickproof.checking.verdict import DisagreementError, Verdict
from trickproof.checks import all_checks
from trickproof.testing.witness import replayed_on
from trickproof.validate.fix_candidates import Repair, candidates
from trickproof.validate.new_flaws import is_new
from trickproof_dsl.library import Library, Ruleset

LOADED = 120
"""Candidates that are looked at."""

TRIES, FEW_TRIES = 12, 5
"""Candidates of which the failed checks are asked, at most, and as long as there is a fix already."""

WANTED = 3
"""Fixes that are suggested, and so candidates of which all checks are asked unless some of these fail."""

FAILURES = 3
"""Candidates that the failed checks accept and others do not, after which no more are tried."""

_STRENGTH = tuple(Verdict)[:3]
"""Verdicts that a claim holds, strongest first."""


@dataclass(frozen=True)
class Trial:
    """What a candidate is measured by: the findings that have to go, all of the house rule, and those of the base, by check."""

    library: Library
    ruleset: Ruleset
    broken: Sequence[Finding]
    findings: Mapping[str, Finding]
    before: Mapping[str, Finding]
    session: ProofSession

    @property
    def names(self) -> list[str]:
        """The checks that failed."""
        return list(dict.fromkeys(finding.check for finding in self.broken))


def repairs(
    library: Library,
    ruleset: Ruleset,
    broken: Sequence[Finding],
    findings: Sequence[Finding],
    before: Mapping[str, Finding],
) -> list[Repair]:
    """Changes after which none of `broken` is left and no check is less sure than of the base (`before`)."""
    by_check = {finding.check: finding for finding in findings}
    trial = Trial(library, ruleset, broken, by_check, before, ProofSession())
    accepted: list[Repair] = []
    failures = 0
    for tried, (repair, changed) in enumerate(islice(_screened(trial), TRIES)):
        if accepted and tried >= FEW_TRIES:
            break
        if not _mended(trial, changed):
            continue
        if _sound(trial, changed):
            accepted.append(_named(trial, repair, changed))
        else:
            failures += 1
        if len(accepted) >= WANTED or failures >= FAILURES:
            break
    return accepted


def _screened(trial: Trial) -> Iterator[tuple[Repair, Ruleset]]:
    """The candidates that load and under which the deals that showed the flaws no longer do."""
    for repair in islice(candidates(trial.ruleset, trial.broken), LOADED):
        changed, diagnostics = trial.library.load_text(repair.repaired, str(trial.ruleset.path))
        if changed is not None and not diagnostics and not any(_persists(changed, x) for x in trial.broken):
            yield repair, changed


def _persists(changed: Ruleset, finding: Finding) -> bool:
    """Whether the match that showed a flaw still shows it; not where it cannot be played any more."""
    match = finding.match or (() if finding.witness is None else (finding.witness,))
    if not match:
        return False
    try:
        hand = replayed_on(changed, match)
    except (DisagreementError, KeyError):
        return False
    probes = (probe for check in all_checks() if check.name == finding.check for probe in check.probes)
    return hand.state.fault is not None or any(
        probe.looks(hand) for probe in probes if _is_at(hand.state, probe.moment)
    )


def _is_at(state: State, moment: Moment) -> bool:
    """Whether a probe is meant for a state."""
    match moment:
        case "always":
            return True
        case "play-starts":
            return state.decision is not None and state.decision.label == "play"
        case "hand-ends":
            return state.hand_over
        case "match-ends":
            return state.match_over
        case _:
            assert_never(moment)


def _mended(trial: Trial, changed: Ruleset) -> bool:
    """Whether the checks that failed accept it, one by one, as surely as of the base."""
    for name in trial.names:
        findings, disagreements = check_ruleset(changed, [name], session=trial.session)
        if disagreements or any(_worse(x, trial.before.get(x.check)) for x in findings):
            return False
    return True


def _sound(trial: Trial, changed: Ruleset) -> bool:
    """Whether all checks accept it as surely as the base, or, but for those that failed, as the house rule as it is."""
    findings, disagreements = check_ruleset(changed, session=trial.session)
    if disagreements:
        return False
    return not any(
        _worse(x, trial.before.get(x.check))
        and (
            x.check in trial.names
            or is_new(x, trial.before.get(x.check))
            or _worse(x, trial.findings.get(x.check))
        )
        for x in findings
    )


def _worse(finding: Finding, before: Finding | None) -> bool:
    """Whether a check is negative where it was not, or less sure; without a base all that is not proved or tested is."""
    if is_new(finding, before):
        return True
    if finding.verdict is Verdict.UNDECIDED:
        return before is None or before.verdict is not Verdict.UNDECIDED
    if finding.verdict not in _STRENGTH:
        return False
    if before is None or before.verdict not in _STRENGTH:
        return finding.verdict is Verdict.BOUNDED
    return _STRENGTH.index(finding.verdict) > _STRENGTH.index(before.verdict)


def _named(trial: Trial, repair: Repair, changed: Ruleset) -> Repair:
    """The change, with a word where it only brings back the rules of the base."""
    base = trial.ruleset.base
    repair = replace(repair, restores=tuple(trial.names))
    if base is None:
        return repair
    own = changed.own.rules
    again = [name for name in own if _text(changed, name) == _text(base, name)]
    if len(again) == len(own):
        return replace(repair, what=f"{repair.what}: this is {base.id} again, and no house rule is left")
    fresh = [name for name in again if _text(trial.ruleset, name) != _text(base, name)]
    if fresh:
        return replace(repair, what=f"{repair.what}: `{fresh[0]}` is the rule of {base.id} again")
    removed = trial.ruleset.own.rules.keys() - own.keys()
    if removed:
        return replace(repair, what=f"{repair.what}: the rule of {base.id} stands again")
    return repair


def _text(ruleset: Ruleset, name: str) -> list[str] | None:
    """A rule's text word by word."""
    rule = ruleset.whole.rules.get(name)
    return None if rule is None or rule.text is None else rule.text.text.split()
