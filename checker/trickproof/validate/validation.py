"""Everything that `trickproof validate` reports about a house rule.

A house rule is rejected if it introduces a violation: a check that is negative for it, is not recorded as a
known issue, and was not negative for the base, or only under some readings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from trickproof.check_runner.runner import check_all
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import DisagreementError, Verdict
from trickproof.diff.kept_pairs import compare_kept
from trickproof.diff.results import Compared
from trickproof.diff.ruleset_diff import Diff, Watch, compare, play_the_same
from trickproof.support.cluster import Cluster
from trickproof.support.process_pool import results
from trickproof.validate.dead_rules import Useless, useless
from trickproof.validate.effects_on_play import DEFAULT, Effects, effects
from trickproof.validate.fix_candidates import Repair
from trickproof.validate.new_flaws import as_new, is_new, new_assumptions
from trickproof.validate.repairs import repairs
from trickproof.validate.sense import Warning, never_set, only_off_convention, warnings
from trickproof_dsl.library import Library, Ruleset

if TYPE_CHECKING:
    from trickproof.check_runner.findings_cache import Cache

Change = Literal["kept", "broken", "gained", "weaker", "stronger", "open", "moot"]


@dataclass(frozen=True, slots=True)
class Guarantee:
    """What happened to one check of the base; `why` names the new assumptions of a weaker claim."""

    check: str
    change: Change
    base: Verdict | None
    house: Verdict
    why: str | None = None


@dataclass(frozen=True)
class Validation:
    """The result; without a base there is nothing to compare with, and every unknown flaw counts."""

    ruleset: Ruleset
    base: Ruleset | None
    findings: tuple[Finding, ...]
    new: tuple[Finding, ...]
    guarantees: tuple[Guarantee, ...] = ()
    diff: Diff | None = None
    useless: tuple[Useless, ...] = ()
    equal_to: tuple[str, ...] = ()
    effects: tuple[Effects, ...] = ()
    repairs: tuple[Repair, ...] = ()
    warnings: tuple[Warning, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether there is no new violation."""
        return not self.new

    @property
    def open(self) -> tuple[Finding, ...]:
        """Claims that are weaker than the base's and not proved; without a base, the undecided ones."""
        if self.base is None:
            return tuple(x for x in self.findings if x.verdict is Verdict.UNDECIDED)
        unsure = {
            x.check
            for x in self.guarantees
            if x.change in ("open", "weaker") and (not x.house.proved or x.why is not None)
        }
        return tuple(x for x in self.findings if x.check in unsure)

    @property
    def undecided(self) -> tuple[Compared, ...]:
        """Aspects that are neither proved to be the same as in the base nor shown to differ."""
        every = () if self.diff is None else self.diff.every
        return tuple(one for one in every if one.status == "undecided")

    @property
    def reason(self) -> Finding | None:
        """The one violation reported in full: preferably with a deal, in the file itself, in check order."""
        own = self.ruleset.own.source
        ranked = sorted(self.new, key=lambda x: (x.witness is None, x.where is None or x.where.source != own))
        return ranked[0] if ranked else None

    @property
    def changes_nothing(self) -> bool:
        """Whether it is proved equivalent to its base."""
        return self.diff is not None and all(one.status == "same" for one in self.diff.every)


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is done: deals to play (None: the default), seed, processes, policies."""

    hands: int | None
    seed: int
    workers: int
    policies: tuple[str, ...] = DEFAULT


def validate(library: Library, ruleset: Ruleset, plan: Plan, cache: Cache | None = None) -> Validation:
    """Validate one house rule against its base. Raises DisagreementError if a check has an internal error."""
    base = ruleset.base
    both = [ruleset] if base is None else [ruleset, base]
    checked = check_all(both, None, plan.workers, cache=cache)
    for failed in checked.disagreements:
        raise DisagreementError(
            f"{failed.ruleset}: internal error in check `{failed.check}`: {failed.message}"
        )
    findings = tuple(checked.findings[0][1])
    if base is None:
        new = tuple(x for x in findings if x.verdict.negative and not x.known)
        fixes = tuple(repairs(library, ruleset, new, findings, {})) if new else ()
        return Validation(ruleset, None, findings, new, repairs=fixes, warnings=warnings(None, ruleset))
    before = {finding.check: finding for finding in checked.findings[1][1]}
    by_check = {finding.check: finding for finding in findings}
    flaws = [
        as_new(x, before.get(x.check), ruleset.program) for x in findings if is_new(x, before.get(x.check))
    ]
    conventions = [x for x in flaws if only_off_convention(ruleset, x, by_check)]
    new = tuple(x for x in flaws if x not in conventions)
    validation = Validation(ruleset, base, findings, new, tuple(guarantees(findings, before)))
    diff = (compare if cache is None else compare_kept)(base, ruleset, plan.workers)
    return replace(
        validation,
        diff=diff,
        useless=tuple(useless(base, ruleset)),
        equal_to=tuple(_equal(library, ruleset, diff, plan.workers)),
        effects=tuple(_effects(base, ruleset, plan)),
        repairs=tuple(repairs(library, ruleset, new or conventions, findings, before)) if flaws else (),
        warnings=(*never_set(base, by_check, before), *warnings(base, ruleset, conventions)),
    )


def validate_all(
    library: Library, rulesets: Sequence[Ruleset], plan: Plan, cache: Cache | None, watch: Watch
) -> list[Validation]:
    """Validate several house rules, each in its own process or on a cluster; a single one gets all processes."""
    if len(rulesets) == 1 or plan.workers == 1:
        validations = []
        for number, ruleset in enumerate(rulesets):
            watch(number, ruleset.id)
            validations.append(validate(library, ruleset, plan, cache))
        return validations
    alone = replace(plan, workers=1)
    kept = None if isinstance(plan.workers, Cluster) else cache
    jobs = [{n: partial(validate, library, one, alone, kept)} for n, one in enumerate(rulesets)]
    by_number: dict[int, Validation] = {}
    watch(0, rulesets[0].id)
    for number, validation in results(jobs, plan.workers):
        by_number[number] = validation
        pending = [one.id for n, one in enumerate(rulesets) if n not in by_number]
        watch(len(by_number), pending[0] if pending else "")
    return [by_number[number] for number in range(len(rulesets))]


def _effects(base: Ruleset, ruleset: Ruleset, plan: Plan) -> list[Effects]:
    if plan.hands == 0:
        return []
    workers = plan.workers if isinstance(plan.workers, int) else 1
    return [effects(base, ruleset, policy, plan.hands, plan.seed, workers) for policy in plan.policies]


_STRENGTH = ["proved", "bounded", "tested"]


def guarantees(findings: Sequence[Finding], before: dict[str, Finding]) -> list[Guarantee]:
    """Which of the base's guarantees the house rule preserves, violates and gains."""
    changed: list[Guarantee] = []
    for finding in findings:
        old = before.get(finding.check)
        was = None if old is None else old.verdict
        change = _change(was, finding.verdict, is_new(finding, old))
        why: str | None = None
        if change == "kept" and old is not None and finding.termination != old.termination:
            change = "stronger" if finding.termination == "surely" else "weaker"
        if change == "kept" and (assumed := new_assumptions(finding, old)):
            change, why = "weaker", f"takes for granted: {'; '.join(assumed)}"
        if change is not None:
            changed.append(Guarantee(finding.check, change, was, finding.verdict, why))
    return changed


def _change(was: Verdict | None, now: Verdict, new: bool) -> Change | None:
    if new:
        return "broken"
    if now is Verdict.UNDECIDED and was in _STRENGTH:
        return "open"
    if now is Verdict.NOT_APPLICABLE and was in _STRENGTH:
        return "moot"
    if now in _STRENGTH:
        if was is None or was not in _STRENGTH:
            return "gained"
        if was is now:
            return "kept"
        return "weaker" if _STRENGTH.index(now) > _STRENGTH.index(was) else "stronger"
    return None


def _equal(library: Library, ruleset: Ruleset, diff: Diff, workers: int) -> list[str]:
    """The documented rulesets that the house rule makes the game equivalent to.

    The base only if the diff says so.
    """
    apart = {diff.a.path} if any(one.status != "same" for one in diff.every) else set()
    others: list[Ruleset] = []
    for name in library.documented():
        other, _ = library.load(name)
        if other is not None and other.path not in {ruleset.path, *apart}:
            others.append(other)
    jobs = [{number: partial(play_the_same, ruleset, other)} for number, other in enumerate(others)]
    same = {number for number, equal in results(jobs, workers) if equal}
    return [other.id for number, other in enumerate(others) if number in same]
