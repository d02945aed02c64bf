"""Runs all checks on all rulesets: findings in registry order, with known flaws marked.

Results of earlier runs come from the cache, in which case nothing heavy is imported.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import prod
from textwrap import shorten
from typing import TYPE_CHECKING, TypeVar, cast

from trickproof.certificates.certificate import core_digest
from trickproof.check_runner.findings_cache import meaning
from trickproof.check_runner.known_issues import check_names, recorded_reason
from trickproof.checking.finding import Finding, InternalError, is_same, new_gaps
from trickproof.checking.proof_session import ProofSession
from trickproof.checking.verdict import DisagreementError, Method, Verdict
from trickproof.checks import all_checks
from trickproof.proofs.smt.second_solver import rechecked
from trickproof.support.exception_causes import interrupted, out_of_memory
from trickproof.support.locations import at_line
from trickproof.support.process_pool import LostError, results_sharing
from trickproof.support.serialise import HIDDEN
from trickproof.testing.random_play import ENOUGH
from trickproof.testing.subject import Subject
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.library import Ruleset

if TYPE_CHECKING:
    from trickproof.check_runner.findings_cache import Cache
    from trickproof.proofs.hands.check import Check

T = TypeVar("T")

LONGEST_REASON = 300
"""Maximum length in characters of a printed exception message; z3's may list all its options."""

Watch = Callable[[int, str], None]
"""Called with the number of rulesets done and the id of the first one begun that is not (empty when all are)."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A check without a result because the tool contradicts itself or raises: an internal error, never a finding.

    `trace` says where it happened, for debugging.
    """

    ruleset: str
    check: str
    message: str
    trace: str = field(default="", compare=False, repr=False, metadata=HIDDEN)


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings by ruleset, and the checks that failed internally."""

    findings: list[tuple[Ruleset, list[Finding]]]
    disagreements: list[Disagreement]


def check_ruleset(
    ruleset: Ruleset,
    only: Sequence[str] | None = None,
    hands: int = ENOUGH,
    recheck: bool = False,
    session: ProofSession | None = None,
    budget: float | None = None,
) -> tuple[list[Finding], list[Disagreement]]:
    """The findings of one ruleset, playing `hands` random deals, and the checks that failed internally.

    With `recheck`, a second solver cross-checks the proof obligations. Rulesets with rules in common are
    faster in one `session`. With `budget`, proofs may use as much of the solver as takes that many seconds on
    an ordinary machine, and the ruleset gets a session of its own. Raises ImportError, OSError and whatever
    `out_of_memory` recognises if the machine lacks or refuses something.
    """
    answers = list(one_by_one(ruleset, only, hands, recheck, session, budget))
    return [finding for finding, _ in answers], [failed for _, failed in answers if failed is not None]


def one_by_one(
    ruleset: Ruleset,
    only: Sequence[str] | None = None,
    hands: int = ENOUGH,
    recheck: bool = False,
    session: ProofSession | None = None,
    budget: float | None = None,
    first: Sequence[str] = (),
) -> Iterator[tuple[Finding, Disagreement | None]]:
    """The results of `check_ruleset`, each finding as soon as it is ready, with the internal error of its check, if any.

    Checks in `first` run first.
    """
    if budget is not None:
        session = ProofSession(budget=budget)
    yield from findings_about(subject_of(ruleset, hands, session), only, recheck, first)


def subject_of(ruleset: Ruleset, hands: int = ENOUGH, session: ProofSession | None = None) -> Subject:
    """A ruleset as the subject of all its checks."""
    return Subject(ruleset, _checks_of(ruleset), hands, session)


def _checks_of(ruleset: Ruleset) -> tuple[Check, ...]:
    """All checks of a ruleset: the registered ones and the claims that it states."""
    from trickproof.checks.restatements import stated_checks

    return (*all_checks(), *stated_checks(ruleset))


def findings_about(
    subject: Subject,
    only: Sequence[str] | None = None,
    recheck: bool = False,
    first: Sequence[str] = (),
    besides: Sequence[str] = (),
) -> Iterator[tuple[Finding, Disagreement | None]]:
    """The results of `one_by_one` for a subject, without the checks `besides`; its proofs and samples serve further checks of it."""
    ruleset = subject.ruleset
    checks = [x for x in _checks_of(ruleset) if x.name not in besides and (only is None or x.name in only)]
    checks.sort(key=lambda check: first.index(check.name) if check.name in first else len(first))
    for number, check in enumerate(checks, 1):
        subject.session.watch(f"{check.name}, {number} of {len(checks)}")
        try:
            finding = _rechecked(check, subject) if recheck else _finding(check, subject)
            finding, failed = _short_of(subject, finding), None
        except (ImportError, OSError):  # no other check could do without it either
            raise
        except Exception as wrong:
            if out_of_memory(wrong) or interrupted(wrong):
                raise
            failed = _disagreement(ruleset, check, wrong)
            finding = _without_answer(check, subject, failed, wrong)
        yield finding, failed


def _short_of(subject: Subject, finding: Finding) -> Finding:
    """The finding, with a note about the budget if a larger one might have decided it."""
    from trickproof.proofs.smt.solver import over_budget

    budget = subject.session.budget
    if (
        budget is None
        or finding.verdict.proved
        or finding.verdict.negative
        or not over_budget(subject.session)
    ):
        return finding
    return replace(finding, details=(*finding.details, f"the budget of {budget:g} s was spent"))


def _without_answer(check: Check, subject: Subject, disagreement: Disagreement, wrong: Exception) -> Finding:
    """The finding for a check that failed internally."""
    error = InternalError(type(wrong).__name__, disagreement.message)
    message = "trickproof itself failed here"
    finding = subject.finding(check, Verdict.UNDECIDED, Method.STATIC, message)
    return replace(finding, internal_error=error)


def _disagreement(ruleset: Ruleset, check: Check, wrong: Exception) -> Disagreement:
    meant = isinstance(wrong, DisagreementError)
    message = str(wrong).removeprefix(f"{ruleset.id}: ") if meant else f"bug: {_in_a_line(wrong)}"
    trace = "".join(traceback.format_exception(wrong))
    return Disagreement(ruleset.id, check.name, message, trace)


def _in_a_line(wrong: Exception) -> str:
    """The message of an exception, shortened; the trace has all of it."""
    return shorten(f"{type(wrong).__name__}: {wrong}", LONGEST_REASON, placeholder=" …")


def check_all(
    rulesets: Sequence[Ruleset],
    only: Sequence[str] | None = None,
    workers: int = 2,
    hands: int = ENOUGH,
    *,
    cache: Cache | None = None,
    recheck: bool = False,
    watch: Watch = lambda done, name: None,
    budget: float | None = None,
    share: Callable[[], ProofSession] = ProofSession,
) -> Checked:
    """The findings about many rulesets, in their order, computed in up to `workers` processes with a session of `share` each.

    The findings of each finished ruleset are cached; with `recheck`, none are read from the cache.
    """
    names_of = [[name for name in check_names(r) if only is None or name in only] for r in rulesets]
    findings_of: list[dict[str, Finding]] = [
        cache.findings(ruleset, names) if cache is not None and not recheck else {}
        for ruleset, names in zip(rulesets, names_of, strict=True)
    ]
    missing = [
        [name for name in names if name not in cached]
        for names, cached in zip(names_of, findings_of, strict=True)
    ]
    pending = [i for i, names in enumerate(missing) if names]
    jobs = {
        i: partial(check_ruleset, rulesets[i], missing[i], hands, recheck, budget=budget) for i in pending
    }
    disagreements: dict[int, list[Disagreement]] = {}
    groups = _grouped(rulesets, jobs)
    pending = [i for group in groups for i in group]
    watch(len(rulesets) - len(pending), rulesets[pending[0]].id if pending else "")

    def lost(i: int, why: LostError) -> tuple[list[Finding], list[Disagreement]]:
        return [_lost(name, why) for name in missing[i]], []

    for i, (findings, failed) in results_sharing(groups, workers, share, lost):
        pending.remove(i)
        if cache is not None:
            cache.keep(rulesets[i], [finding for finding in findings if finding.internal_error is None])
        findings_of[i] |= {finding.check: finding for finding in findings}
        disagreements[i] = failed
        watch(len(rulesets) - len(pending), rulesets[pending[0]].id if pending else "")
    in_order = [
        (ruleset, [by_name[name] for name in names if name in by_name])
        for ruleset, names, by_name in zip(rulesets, names_of, findings_of, strict=True)
    ]
    return Checked(in_order, [x for i in sorted(disagreements) for x in disagreements[i]])


def _lost(check: str, why: LostError) -> Finding:
    """The finding if the process that checks a ruleset is killed from outside every time."""
    error = InternalError(type(why).__name__, str(why))
    return Finding(check, Verdict.UNDECIDED, Method.STATIC, f"{why}", internal_error=error)


def _grouped(rulesets: Sequence[Ruleset], jobs: Mapping[int, T]) -> list[dict[int, T]]:
    """The jobs, grouped by core program, with those likely to take longest first."""
    groups: dict[str, dict[int, T]] = {}
    for i, job in jobs.items():
        groups.setdefault(core_digest(rulesets[i].program), {})[i] = job
    return sorted(groups.values(), key=lambda group: -sum(_work(rulesets[i].program) for i in group))


def _work(program: c.Program) -> int:
    """A unitless estimate of how long proofs about a program take: its size, times each pair of seats and each reading."""
    size = sum(1 for _ in walk(*program.phases))
    return size * int(program.players) ** 2 * prod(len(names) for names in program.readings.values())


def _finding(check: Check, subject: Subject) -> Finding:
    begun = time.perf_counter()
    finding = _known(check, subject, _unmarked(check, subject))
    return replace(finding, seconds=time.perf_counter() - begun)


def _unmarked(check: Check, subject: Subject) -> Finding:
    """The finding, ignoring what is recorded as known."""
    reason = check.absent(subject.usage)
    if reason is not None:
        return subject.finding(check, Verdict.NOT_APPLICABLE, Method.STATIC, reason)
    from trickproof.proofs.matches.explicit_verdicts import decided

    return decided(check, subject, check.run(check, subject))


def _rechecked(check: Check, subject: Subject) -> Finding:
    """The finding, and whether a second solver agrees. Raises DisagreementError."""
    from trickproof.proofs.smt.solver import recording, writing

    with writing(subject.session), recording(subject.session) as leaves:
        finding = _finding(check, subject)
    return replace(finding, recheck=rechecked(subject.session, finding, leaves))


def _known(check: Check, subject: Subject, finding: Finding) -> Finding:
    """Mark the finding as known if the ruleset records it, or a base does and it is unchanged; otherwise add what is new."""
    ruleset = subject.ruleset
    recorded = recorded_reason(ruleset, check.name)
    if recorded is not None and not finding.verdict.negative:
        return replace(finding, message=f"{finding.message} (recorded as known, but no longer so)")
    if recorded is not None or not finding.verdict.negative:
        return finding if recorded is None else replace(finding, known=True, reason=recorded)
    base = ruleset.base
    while base is not None and (recorded := recorded_reason(base, check.name)) is None:
        base = base.base
    if base is None or recorded is None:
        return finding
    before = _of_base(check, subject, base)
    if before is None or not before.verdict.negative:
        return finding
    if is_same(finding, before):
        return replace(finding, known=True, reason=recorded)
    news = new_gaps(finding, before)
    if not news:
        old = f"what `{base.id}` records as known is something else: {before.message}"
        return replace(finding, details=(old, *finding.details))
    new = [f"{at_line(gap.where)}: {gap}" for gap in news]
    details = [
        *(f"not in `{base.id}`: {line}" for line in new),
        *(x for x in finding.details if x not in new),
    ]
    message = "; ".join(dict.fromkeys(map(str, news)))
    if len(news) < len(finding.gaps):
        message += f" (the rest is open in `{base.id}` as well)"
    return replace(finding, where=news[0].where, message=message, details=tuple(details))


def _of_base(check: Check, subject: Subject, base: Ruleset) -> Finding | None:
    """The finding of the same check about a base; None if it has none."""
    its = next((one for one in _checks_of(base) if one.name == check.name), None)
    if its is None:
        return None
    try:
        return _unmarked(its, _as_subject(base, subject))
    except Exception as wrong:
        if interrupted(wrong):
            raise
        return None  # reported when the base itself is checked


def _as_subject(base: Ruleset, subject: Subject) -> Subject:
    """A base of a subject's ruleset as a subject of the same session, the same one for all that extend it."""
    subjects, key = subject.session.subjects, ("base", meaning(base), subject.hands)
    if key not in subjects:
        subjects[key] = subject_of(base, subject.hands, subject.session)
    return cast(Subject, subjects[key])
