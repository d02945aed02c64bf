"""All checks on all rulesets: findings in the order of the registry, known flaws marked.

What was found in an earlier run is taken from the cache; then nothing heavy is imported.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import prod
from textwrap import shorten
from typing import TYPE_CHECKING, TypeVar

from trickproof.certificates.certificate import core_digest
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
"""Characters of an exception's message that are printed: z3's may list all its options."""

Watch = Callable[[int, str], None]
"""Is told how many rulesets are done, and the id of the first that is not (nothing, when all are)."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A check that has no answer because the tool contradicts itself or raises: our bug, never a finding.

    `trace` says where it happened, for whoever mends it.
    """

    ruleset: str
    check: str
    message: str
    trace: str = field(default="", compare=False, repr=False, metadata=HIDDEN)


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings by ruleset, and the checks that have none."""

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
    """The findings of one ruleset, of which `hands` hands are played, and the checks that failed themselves.

    With `recheck` a second solver decides anew what proofs rest on.  Rulesets with rules in common are faster in one `session`.
    Proofs may take as much of the solver as is done in `budget` seconds on an ordinary machine; such a ruleset has a session of its own.
    Raises ImportError, OSError and what `out_of_memory` knows where the machine lacks or refuses something.
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
    """What `check_ruleset` gives, each finding as soon as it is there; with how its check failed, if it did; `first` are asked first."""
    from trickproof.checks.stated import stated_checks

    if budget is not None:
        session = ProofSession(budget=budget)

    checks = (*all_checks(), *stated_checks(ruleset))
    subject = Subject(ruleset, checks, hands, session)
    for check in sorted(
        checks, key=lambda check: first.index(check.name) if check.name in first else len(first)
    ):
        if only is None or check.name in only:
            try:
                finding = _rechecked(check, subject) if recheck else _finding(check, subject)
                finding, failed = _short_of(budget, subject, finding), None
            except (ImportError, OSError):  # what no other check can do without
                raise
            except Exception as wrong:
                if out_of_memory(wrong) or interrupted(wrong):
                    raise
                failed = _disagreement(ruleset, check, wrong)
                finding = _without_answer(check, subject, failed, wrong)
            yield finding, failed


def _short_of(budget: float | None, subject: Subject, finding: Finding) -> Finding:
    """The finding, with a word on the budget where more of it might have decided."""
    from trickproof.proofs.smt.solver import over_budget

    if (
        budget is None
        or finding.verdict.proved
        or finding.verdict.negative
        or not over_budget(subject.session)
    ):
        return finding
    return replace(finding, details=(*finding.details, f"the budget of {budget:g} s was spent"))


def _without_answer(check: Check, subject: Subject, disagreement: Disagreement, wrong: Exception) -> Finding:
    """What is said in place of an answer where a check failed itself."""
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
    """What an exception of ours or of a library says, shortened: the trace has all of it."""
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
) -> Checked:
    """What is found about many rulesets, in their order, worked out in up to `workers` processes.

    Of each ruleset that is finished the findings are kept in the cache; with `recheck` none are taken from it.
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
    watch(len(rulesets) - len(pending), rulesets[pending[0]].id if pending else "")

    def lost(i: int, why: LostError) -> tuple[list[Finding], list[Disagreement]]:
        return [_lost(name, why) for name in missing[i]], []

    for i, (findings, failed) in results_sharing(_grouped(rulesets, jobs), workers, ProofSession, lost):
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
    """What is said where the process that checks a ruleset is ended from outside each time."""
    error = InternalError(type(why).__name__, str(why))
    return Finding(check, Verdict.UNDECIDED, Method.STATIC, f"{why}", internal_error=error)


def _grouped(rulesets: Sequence[Ruleset], jobs: Mapping[int, T]) -> list[dict[int, T]]:
    """The jobs, those on one and the same core program together, and what is likely to take long first."""
    groups: dict[str, dict[int, T]] = {}
    for i, job in jobs.items():
        groups.setdefault(core_digest(rulesets[i].program), {})[i] = job
    return sorted(groups.values(), key=lambda group: -sum(_work(rulesets[i].program) for i in group))


def _work(program: c.Program) -> int:
    """How long proofs about a program may take, in no unit: its size, gone through for each pair of seats and reading."""
    size = sum(1 for _ in walk(program.setup, program.hand, program.between))
    return size * int(program.players) ** 2 * prod(len(names) for names in program.readings.values())


def _finding(check: Check, subject: Subject) -> Finding:
    begun = time.perf_counter()
    finding = _known(check, subject, _unmarked(check, subject))
    return replace(finding, seconds=time.perf_counter() - begun)


def _unmarked(check: Check, subject: Subject) -> Finding:
    """The finding, whatever is recorded as known."""
    reason = check.absent(subject.usage)
    if reason is not None:
        return subject.finding(check, Verdict.NOT_APPLICABLE, Method.STATIC, reason)
    return check.run(check, subject)


def _rechecked(check: Check, subject: Subject) -> Finding:
    """The finding, and whether a second solver agrees.  Raises DisagreementError."""
    from trickproof.proofs.smt.solver import recording, writing

    with writing(subject.session), recording(subject.session) as leaves:
        finding = _finding(check, subject)
    return replace(finding, recheck=rechecked(subject.session, finding, leaves))


def _known(check: Check, subject: Subject, finding: Finding) -> Finding:
    """Marks what the ruleset records as known, or what a base does and still is the same; else says what is new."""
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
    new = [f"new over `{base.id}`: {at_line(gap.where)}: {gap}" for gap in news]
    old = f"what `{base.id}` records as known is another thing: {before.message}"
    where = news[0].where if news else finding.where
    return replace(finding, where=where, details=(*(new or [old]), *finding.details))


def _of_base(check: Check, subject: Subject, base: Ruleset) -> Finding | None:
    """What the same check finds about a base; None where it has no answer."""
    from trickproof.checks.stated import stated_checks

    checks = (*all_checks(), *stated_checks(base))
    its = next((one for one in checks if one.name == check.name), None)
    if its is None:
        return None
    try:
        above = subject.once(("base", base.id), lambda: Subject(base, checks, subject.hands, subject.session))
        return _unmarked(its, above)
    except Exception as wrong:
        if interrupted(wrong):
            raise
        return None  # reported where the base itself is checked
