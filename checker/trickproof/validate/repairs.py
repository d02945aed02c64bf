"""Fixes for a rejected house rule: candidates that all checks accept with at least the base's certainty.

A candidate is screened first: the deal that showed the violation is replayed under it, a guess is tried on a match that
breaks it, then the failed check is run again. All checks are run on the best remaining ones. Only changes that all checks accept are
suggested, never on the strength of a *bounded* claim, and on that of random deals only if they are made for the flaw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import assert_never

from trickproof.check_runner.runner import findings_about, subject_of
from trickproof.checking.engines import State
from trickproof.checking.finding import Finding
from trickproof.checking.proof_session import ProofSession
from trickproof.checking.property import Moment
from trickproof.checking.verdict import DisagreementError, Verdict
from trickproof.checks import all_checks
from trickproof.diff.ruleset_diff import play_the_same
from trickproof.proofs.hands.verdicts import suppose
from trickproof.proofs.symbolic.hand_summary import PlayOutcome
from trickproof.testing.subject import AT_END, Subject
from trickproof.testing.witness import replayed_on
from trickproof.validate.dead_rules import never_met
from trickproof.validate.edits import Repair, uncommented
from trickproof.validate.fix_candidates import candidates
from trickproof.validate.new_flaws import is_new
from trickproof.validate.sense import only_off_convention, warnings
from trickproof_dsl.library import Library, Ruleset

LOADED = 120
"""Maximum number of candidates considered."""

TRIES, FEW_TRIES = 12, 5
"""Maximum number of candidates that the failed checks are run on: in all, and once there is a fix."""

WANTED = 3
"""Number of fixes suggested, and so of candidates on which all checks are run, unless some fail."""

FAILURES = 3
"""Number of candidates that pass the failed checks but fail others, after which the search stops."""

OF_THE_FILE = ("rules-complete", "examples-agree")
"""The checks that look at more of a file than the program that it makes."""

_STRENGTH = tuple(Verdict)[:3]
"""Verdicts that a claim holds, strongest first."""


@dataclass(frozen=True)
class Trial:
    """What candidates are measured against: the findings to fix, the house rule's and the base's findings."""

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
    tell: Callable[[str], object],
    session: ProofSession,
) -> list[Repair]:
    """Changes that remove all of `broken` and make no check weaker than it is for the base (`before`); tells each it tries."""
    by_check = {finding.check: finding for finding in findings}
    trial = Trial(library, ruleset, broken, by_check, before, session)
    accepted: list[Repair] = []
    played: list[Ruleset] = []
    again: list[Repair] = []  # the base in other words: one such change is enough, and the last to be offered
    failures = 0
    near = (x for x in _screened(trial) if not any(x[0].goes_beyond(one) for one in (*accepted, *again)))
    for tried, (repair, changed) in enumerate(islice(near, TRIES)):
        most = FEW_TRIES if accepted or again else TRIES
        if tried >= most:
            break
        tell(f"trying fixes: {tried + 1} of at most {most}: {repair.what}")
        if repair.guessed and _fails_in_a_match(trial, changed):
            continue
        subject = subject_of(changed, session=trial.session)
        is_base = _is_base(trial, changed)
        mended = _mended(trial, subject, OF_THE_FILE if is_base else trial.names)
        if mended is None:
            continue
        undone = is_base or _plays_as_base(trial, changed)
        if (undone and again) or any(play_the_same(x, changed, session) for x in played):
            continue
        tested = () if undone else tuple(x.check for x in mended if x.verdict is Verdict.TESTED)
        if tested and repair.guessed:
            continue
        if _sound(trial, subject, OF_THE_FILE if is_base else None) and not (
            _odder(trial, changed) or (repair.guessed and _in_vain(trial, changed))
        ):
            shown = replace(_named(trial, repair, changed, undone), tested=tested)
            (again if undone else accepted).append(shown)
            played += [] if undone else [changed]
        else:
            failures += 1
        if len(accepted) + len(again) >= WANTED or failures >= FAILURES:
            break
    return [*accepted, *again]


def _screened(trial: Trial) -> Iterator[tuple[Repair, Ruleset]]:
    """The candidates that load and under which the deals that showed the flaws no longer do, each once."""
    different: dict[str, Repair] = {}
    for repair in candidates(trial.ruleset, trial.broken):
        different.setdefault(repair.repaired, repair)
    for repair in islice(different.values(), LOADED):
        changed, diagnostics = trial.library.load_text(repair.repaired, str(trial.ruleset.path))
        if changed is not None and not diagnostics and not any(_persists(changed, x) for x in trial.broken):
            yield repair, changed


def _persists(changed: Ruleset, finding: Finding) -> bool:
    """Whether the match that showed a flaw still shows it; False if it can no longer be played."""
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


def _fails_in_a_match(trial: Trial, changed: Ruleset) -> bool:
    """Whether a failed check about the ends of matches fails again, in a match found without proofs about single deals."""
    names = [check.name for check in all_checks() if AT_END in check.labels and check.name in trial.names]
    subject = subject_of(changed, hands=1, session=trial.session)
    suppose(subject, PlayOutcome.KNOWN_SIZE)
    return any(_persists(changed, finding) for finding, _ in findings_about(subject, names))


def _is_at(state: State, moment: Moment) -> bool:
    """Whether a probe applies to a state."""
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


def _mended(trial: Trial, subject: Subject, only: Sequence[str]) -> list[Finding] | None:
    """The findings of those of the failed checks if they accept it with at least the base's certainty."""
    found: list[Finding] = []
    for finding, failed in findings_about(subject, [name for name in trial.names if name in only]):
        if failed is not None or _worse(finding, trial.before.get(finding.check)):
            return None
        found.append(finding)
    return found


def _sound(trial: Trial, subject: Subject, only: Sequence[str] | None) -> bool:
    """Whether no check that had not failed is weaker than for the base, or at least than for the unchanged house rule.

    The unchanged rule may depart from a convention of the base, and so may the changed one.
    """
    fresh: dict[str, Finding] = {}
    for finding, failed in findings_about(subject, only, besides=trial.names):
        fresh[finding.check] = finding
        old, now = trial.before.get(finding.check), trial.findings.get(finding.check)
        if failed is not None or (
            _worse(finding, old)
            and (is_new(finding, old) or _worse(finding, now))
            and not (
                now is not None
                and only_off_convention(trial.ruleset, now, trial.findings)
                and only_off_convention(subject.ruleset, finding, fresh)
            )
        ):
            return False
    return True


def _worse(finding: Finding, before: Finding | None) -> bool:
    """Whether a finding is newly negative, or weaker; without a base, anything not proved or tested is worse."""
    if is_new(finding, before):
        return True
    if finding.verdict is Verdict.UNDECIDED:
        return before is None or before.verdict is not Verdict.UNDECIDED
    if finding.verdict not in _STRENGTH:
        return False
    if before is None or before.verdict not in _STRENGTH:
        return finding.verdict is Verdict.BOUNDED
    return _STRENGTH.index(finding.verdict) > _STRENGTH.index(before.verdict)


def _odder(trial: Trial, changed: Ruleset) -> bool:
    """Whether a table would question the changed rule for what neither the unchanged nor the base is questioned."""
    before, after = ({x.code for x in warnings(trial.ruleset.base, x)} for x in (trial.ruleset, changed))
    return not after <= before


def _in_vain(trial: Trial, changed: Ruleset) -> bool:
    """Whether a condition never holds after the change that may hold before."""
    base = trial.ruleset.base
    return base is not None and len(never_met(base, changed, trial.session)) > len(
        never_met(base, trial.ruleset, trial.session)
    )


def _is_base(trial: Trial, changed: Ruleset) -> bool:
    """Whether the change leaves the very program of the base, and no claims of one's own: other checks look at nothing else."""
    base, own = trial.ruleset.base, changed.own
    return base is not None and not own.invariants and not own.examples and changed.program == base.program


def _plays_as_base(trial: Trial, changed: Ruleset) -> bool:
    """Whether the change leaves no house rule, whatever the words."""
    base = trial.ruleset.base
    return base is not None and play_the_same(base, changed, trial.session)


def _named(trial: Trial, repair: Repair, changed: Ruleset, undone: bool) -> Repair:
    """The change, described as restoring the base's rules if that is all it does."""
    base = trial.ruleset.base
    repair = replace(repair, restores=tuple(trial.names))
    if base is None or not changed.own.rules:
        return repair
    own = changed.own.rules
    again = [name for name in own if _text(changed, name) == _text(base, name)]
    if len(again) == len(own):
        return replace(
            repair, what=f"{repair.what}; this is {base.id} again, so no house rule is left", undoes=True
        )
    if undone:
        return replace(
            repair,
            what=f"{repair.what}; this is the same as {base.id}, so no house rule is left",
            undoes=True,
        )
    fresh = [name for name in again if _text(trial.ruleset, name) != _text(base, name)]
    if fresh:
        return replace(repair, what=f"{repair.what}: `{fresh[0]}` is the rule of {base.id} again")
    removed = trial.ruleset.own.rules.keys() - own.keys()
    if removed:
        return replace(repair, what=f"{repair.what}, so that {base.id}'s applies")
    return repair


def _text(ruleset: Ruleset, name: str) -> list[str] | None:
    """A rule's text, split into words, without comments."""
    rule = ruleset.whole.rules.get(name)
    return None if rule is None or rule.text is None else uncommented(rule.text).split()
