"""Everything that `trickproof validate` reports about a house rule.

A house rule is rejected if it introduces a violation: a check that is negative for it, is not recorded as a
known issue, and was not negative for the base, or only under some readings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

from trickproof.check_runner.runner import Checked, Disagreement, check_all
from trickproof.checking.finding import Finding
from trickproof.checking.proof_session import ProofSession
from trickproof.checking.verdict import Verdict
from trickproof.checks import all_checks
from trickproof.diff.kept_pairs import compare_kept
from trickproof.diff.results import Compared
from trickproof.diff.ruleset_diff import Diff, Watch, compare, play_the_same
from trickproof.english.inflection import listed
from trickproof.simulate.ir.calling_convention import searches
from trickproof.support.cluster import Cluster
from trickproof.support.process_pool import beside, results, results_sharing
from trickproof.testing.worked_examples import Outcome, run_example
from trickproof.validate.dead_rules import Useless, useless
from trickproof.validate.edits import Repair
from trickproof.validate.effects_on_play import SEARCHED, Effects, effects
from trickproof.validate.kept_repairs import kept_repairs
from trickproof.validate.new_flaws import as_new, is_new, new_assumptions, of_another_rule
from trickproof.validate.repairs import repairs
from trickproof.validate.sense import Warning, never_set, only_off_convention, warnings
from trickproof_dsl.library import Library, Ruleset

if TYPE_CHECKING:
    from trickproof.check_runner.findings_cache import Cache

Change = Literal["kept", "broken", "gained", "weaker", "stronger", "open", "moot", "known"]


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
    examples: tuple[Outcome, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()

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
    """How much is done: deals to play (None: the default), seed, processes, and policies.

    `at_least`: those also played for a rule that is rejected or changes nothing; of others, those that search play no
    more deals than by default.
    """

    hands: int | None
    seed: int
    workers: int
    policies: tuple[str, ...] = ()
    at_least: tuple[str, ...] = ()


def validate(
    library: Library,
    ruleset: Ruleset,
    plan: Plan,
    cache: Cache | None = None,
    tell: Callable[[str], object] = lambda stage: None,
    show: Callable[[Validation], object] = lambda begun: None,
) -> Validation:
    """Validate one house rule against its base, and tell the stage.

    What is known is shown three times on the way: before fixes are tried, before what changes is waited for, and before
    deals are played.
    """
    base, session = ruleset.base, ProofSession()
    session.watch = lambda check: tell(f"{STAGES[OWN]}: {check}")
    if base is None:
        tell(STAGES[OWN])
        own, failed = _findings(_checked(ruleset, cache, session))
        session.watch = str
        new = tuple(x for x in own if x.verdict.negative and not x.known)
        judged = Validation(ruleset, None, own, new, disagreements=failed)
        show(judged)
        fixes = _fixes(library, ruleset, None, new, own, {}, tell, session, cache) if new else ()
        return replace(judged, repairs=fixes, warnings=warnings(None, ruleset))
    answers: dict[int, Any] = {}
    with _compared(library, ruleset, base, plan.workers, cache, session) as (comparing, not_begun):
        tell(STAGES[OWN])
        own, failed = _findings(_checked(ruleset, cache, session))
        sure = not plan.policies or plan.hands == 0 or all(x.verdict.proved for x in own if x.check == FAULTS)
        soon = show if sure else _not_yet
        tell(STAGES[BASE])
        session.watch = lambda check: tell(f"{STAGES[BASE]}: {check}")
        while BASE not in answers:
            answers.update([next(comparing)])
        session.watch = str
        tell("which violations are new")
        of_base, failed_of_base = _findings(answers[BASE])
        judge = partial(
            _judge,
            library,
            ruleset,
            base,
            of_base=of_base,
            tell=tell,
            session=session,
            show=soon,
            cache=cache,
        )
        judged = judge(own)
        soon(judged)
        tell(STAGES[DIFF])
        for number, answer in chain(not_begun, comparing):
            answers[number] = answer
            tell(next((stage for part, stage in STAGES.items() if part in PARTS - answers.keys()), ""))
    diff: Diff = answers[DIFF]
    compared = partial(
        replace,
        diff=diff,
        useless=tuple(answers[USELESS]),
        equal_to=tuple(_with_base(library, ruleset, diff, answers[EQUAL], session)),
        disagreements=(*failed, *failed_of_base),
    )
    judged = compared(judged)
    soon(judged)
    try:
        played = tuple(_effects(judged, base, plan, cache is not None, tell))
    except BaseException:  # Ctrl-C, in any of its forms: no deal has spoken against what is known
        if not sure:
            show(judged)
        raise
    if not sure and (found := _fault_in_play(judged, played, session)):
        judged = compared(judge(tuple(found if x.check == FAULTS else x for x in own)))
    return replace(judged, effects=played)


FAULTS = "no-fault"
"""The check that refutes rules which fail at run time."""

CERTAIN, MOST_TRIED = 20, 20_000
"""How many times as many deals as the rules fail in one of are tried to find such a deal again, and at most how many."""


def _not_yet(begun: Validation) -> None:
    """Shows nothing: whether the house rule is accepted may depend on the deals that are played for its effects."""


def _fault_in_play(judged: Validation, played: Sequence[Effects], session: ProofSession) -> Finding | None:
    """What `no-fault` says of an accepted house rule that failed in deals played for its effects: refuted, or else undecided.

    None if none failed, or only where the base's rules fail, too.
    """
    failed = {
        x.policy: x.house.hands // x.house.broken
        for x in played
        if x.house and x.house.broken and not (x.base and x.base.broken)
    }
    old = next((x for x in judged.findings if x.check == FAULTS), None)
    if not failed or old is None or not judged.accepted:
        return None
    hands = min(MOST_TRIED, CERTAIN * min(failed.values()))
    checked = check_all([judged.ruleset], (FAULTS,), 1, hands, share=session.itself)
    refuted = (x for x in _findings(checked)[0] if x.check == FAULTS and x.verdict.negative)
    seldom = (
        f"rules failed in deals played by {listed(list(failed))}, and in none of {hands:,} that were checked"
    )
    return next(refuted, None) or replace(old, verdict=Verdict.UNDECIDED, message=seldom)


OWN, BASE, DIFF, USELESS, EQUAL = range(5)
"""The parts of a validation, in the order in which they are begun."""

STAGES = {
    OWN: "its checks",
    BASE: "the checks of its base",
    DIFF: "what it changes",
    USELESS: "rules without effect",
    EQUAL: "which documented game it is",
}
"""What is worked out in each part."""

PARTS = {BASE, DIFF, USELESS, EQUAL}
"""The parts that other processes work on while this one checks the ruleset itself and tries fixes, and what they have not
begun then is left to this one, from the last."""


def _compared(
    library: Library,
    ruleset: Ruleset,
    base: Ruleset,
    workers: int,
    cache: Cache | None,
    session: ProofSession,
) -> AbstractContextManager[tuple[Iterator[tuple[int, Any]], Iterator[tuple[int, Any]]]]:
    """The answers about and beside the base as they are finished, and those that no other process has begun.

    This process and one other share out all proofs, since parts that run in one process have most of them in common.
    """
    clustered = isinstance(workers, Cluster)
    others = 0 if clustered else min(workers - 1, len(PARTS))
    each = workers if clustered else max(1, (workers - 1) // len(PARTS))
    first: dict[int, Callable[[ProofSession], object]] = {BASE: partial(_checked, base, cache)}
    jobs: dict[int, Callable[[ProofSession], object]] = {
        DIFF: partial(compare if cache is None else compare_kept, base, ruleset, workers=each),
        USELESS: partial(useless, base, ruleset),
        EQUAL: partial(_equal, library, ruleset, base, each),
    }
    groups = [first, *({number: job} for number, job in jobs.items())]
    return beside(groups, others, session.itself)


def _checked(ruleset: Ruleset, cache: Cache | None, session: ProofSession) -> Checked:
    return check_all([ruleset], None, 1, cache=cache, share=session.itself)


def _findings(checked: Checked) -> tuple[tuple[Finding, ...], tuple[Disagreement, ...]]:
    """The findings about a single ruleset, and the checks that had an internal error."""
    return tuple(checked.findings[0][1]), tuple(checked.disagreements)


def _judge(
    library: Library,
    ruleset: Ruleset,
    base: Ruleset,
    findings: tuple[Finding, ...],
    of_base: tuple[Finding, ...],
    tell: Callable[[str], object],
    session: ProofSession,
    show: Callable[[Validation], object],
    cache: Cache | None,
) -> Validation:
    """What the findings mean, shown before fixes are tried."""
    claims, above = ruleset.program.invariants, base.program.invariants
    anew = {name for name in ruleset.own.invariants if claims[name] != above.get(name)}
    by_check = {finding.check: finding for finding in findings}
    anew |= {
        x.check
        for x in of_base
        if of_another_rule(by_check.get(x.check), x, ruleset, base)
        and not play_the_same(base, ruleset, session)
    }
    before = {finding.check: finding for finding in of_base if finding.check not in anew}
    flaws = [as_new(x, before.get(x.check), ruleset) for x in findings if is_new(x, before.get(x.check))]
    conventions = [x for x in flaws if only_off_convention(ruleset, x, by_check)]
    new = tuple(x for x in flaws if x not in conventions)
    examples = tuple(other_outcomes(base, ruleset))
    judged = Validation(ruleset, base, findings, new, tuple(guarantees(findings, before)), examples=examples)
    show(judged)
    broken = new or conventions
    fixes = _fixes(library, ruleset, base, broken, findings, before, tell, session, cache) if broken else ()
    gaps = tuple(never_set(base, by_check, before))
    places = [gap.where for gap in gaps]
    warned = (*gaps, *(x for x in warnings(base, ruleset, conventions) if x.where not in places))
    return replace(judged, repairs=fixes, warnings=warned)


def _fixes(
    library: Library,
    ruleset: Ruleset,
    base: Ruleset | None,
    broken: Sequence[Finding],
    findings: Sequence[Finding],
    before: Mapping[str, Finding],
    tell: Callable[[str], object],
    session: ProofSession,
    cache: Cache | None,
) -> tuple[Repair, ...]:
    """The fixes for what is broken, from an earlier run if there is a cache."""
    find = partial(repairs, library, ruleset, broken, findings, before, tell, session)
    if cache is None:
        return tuple(find())
    return kept_repairs(ruleset, base, (broken, findings, before.values()), find)


def other_outcomes(base: Ruleset, house: Ruleset) -> Iterator[Outcome]:
    """The worked examples that agree with the base and not with the house rule."""
    for example in base.own.examples:
        if not run_example(base, example, {}).wrong and (outcome := run_example(house, example, {})).wrong:
            yield outcome


def validate_all(
    library: Library,
    rulesets: Sequence[Ruleset],
    plan: Plan,
    cache: Cache | None,
    watch: Watch,
    show: Callable[[Validation], object] = lambda begun: None,
) -> list[Validation]:
    """Validate several house rules, each in its own process or on a cluster; a single one gets all processes.

    Those that are validated in this process are shown, as in `validate`.
    """
    if len(rulesets) == 1 or plan.workers == 1:
        validations = []
        for number, ruleset in enumerate(rulesets):
            watch(number, ruleset.id)

            def tell(stage: str, number: int = number, name: str = ruleset.id) -> None:
                watch(number, f"{name}, {stage}" if stage else name)

            validations.append(validate(library, ruleset, plan, cache, tell, show=show))
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


def _effects(
    judged: Validation, base: Ruleset, plan: Plan, kept: bool, tell: Callable[[str], object]
) -> Iterator[Effects]:
    workers = plan.workers if isinstance(plan.workers, int) else 1
    fully = judged.accepted and not judged.changes_nothing
    for policy in (plan.policies if fully else plan.at_least) if plan.hands != 0 else ():
        hands = plan.hands
        if hands is not None and policy not in plan.at_least and searches([policy]):
            hands = min(hands, SEARCHED)
        stage = f"play by {policy}"
        tell(stage)

        def watch(name: str, done: int, of: int, stage: str = stage) -> None:
            tell(f"{stage}: {100 * done // of}%; `--effects none` skips it")

        yield effects(base, judged.ruleset, policy, hands, plan.seed, workers, kept, watch)


_STRENGTH = ["proved", "bounded", "tested"]


def guarantees(findings: Sequence[Finding], before: dict[str, Finding]) -> list[Guarantee]:
    """Which of the base's guarantees the house rule preserves, violates and gains."""
    changed: list[Guarantee] = []
    of_file = {check.name for check in all_checks() if check.of_file}
    for finding in findings:
        old = before.get(finding.check)
        was = None if old is None else old.verdict
        change = _change(was, finding.verdict, is_new(finding, old))
        why: str | None = None
        if change == "kept" and old is not None and finding.termination != old.termination:
            change = "stronger" if finding.termination == "surely" else "weaker"
        if change == "kept" and (assumed := new_assumptions(finding, old)):
            change, why = "weaker", f"takes for granted: {'; '.join(assumed)}"
        if change is not None and not (change == "moot" and finding.check in of_file):
            changed.append(Guarantee(finding.check, change, was, finding.verdict, why))
    return changed


def _change(was: Verdict | None, now: Verdict, new: bool) -> Change | None:
    if new:
        return "broken"
    if now is Verdict.UNDECIDED and was in _STRENGTH:
        return "open"
    if now is Verdict.NOT_APPLICABLE and was in _STRENGTH:
        return "moot"
    if now.negative and was in _STRENGTH:
        return "known"
    if now in _STRENGTH:
        if was is None or was not in _STRENGTH:
            return "stronger" if was is Verdict.UNDECIDED and now.proved else "gained"
        if was is now:
            return "kept"
        return "weaker" if _STRENGTH.index(now) > _STRENGTH.index(was) else "stronger"
    return None


def _equal(
    library: Library, ruleset: Ruleset, base: Ruleset, workers: int, session: ProofSession
) -> list[str]:
    """The documented rulesets other than the base that the house rule makes the game equivalent to."""
    others = [other for other in documented(library) if other.path not in {ruleset.path, base.path}]
    jobs = [{number: partial(play_the_same, ruleset, other)} for number, other in enumerate(others)]
    same = {number for number, equal in results_sharing(jobs, workers, session.itself) if equal}
    return [other.id for number, other in enumerate(others) if number in same]


def _with_base(
    library: Library, ruleset: Ruleset, diff: Diff, equal: Sequence[str], session: ProofSession
) -> list[str]:
    """The documented rulesets that play the same, the base only if the diff says so."""
    base = diff.a
    if any(one.status != "same" for one in diff.every) or not play_the_same(ruleset, base, session):
        return list(equal)
    return [x.id for x in documented(library) if x.id in equal or x.path == base.path]


def documented(library: Library) -> list[Ruleset]:
    """The rulesets in a library's own folders, not in subfolders; all must load."""
    loaded = (library.load(name)[0] for name in library.documented())
    return [ruleset for ruleset in loaded if ruleset is not None]
