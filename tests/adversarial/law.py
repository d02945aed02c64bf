"""The law: the verdicts of the checks agree with the truth, as far as the state space was explored."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from adversarial.full_size import failures
from adversarial.graph import BeyondError, Budget
from adversarial.order import order_answer
from adversarial.pairs import sided
from adversarial.truths import Answer, Truths, dead, longest, truths
from adversarial.witness import replays
from trickproof.check_runner.runner import Disagreement, check_ruleset
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.diff.ruleset_diff import compare
from trickproof_dsl.library import Ruleset

DECIDED = (Verdict.PROVED, Verdict.REFUTED, Verdict.NOT_APPLICABLE)

LIVENESS = ("end-always-reachable", "terminates")
"""Claims that presuppose that the rules do not fail; they are not proved where the rules can."""

ORDER = "exchange-order-determined"

STATIC = ("examples-agree",)
"""Checks that do not concern behaviour."""

HANDS = 20
"""Number of deals that the checks play at random."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A check's verdict next to the truth; `wrong` describes a disagreement."""

    check: str
    verdict: str
    answer: Answer
    wrong: str = ""


def answer_to(check: str, truth: Truths) -> tuple[Answer, str]:
    """Whether the claim of a check holds, and if not, why."""
    if check == "end-reachable":
        if truth.ends:
            return _for_all(truth, [one.graph.ends for one in truth.explored])
        return ("fails", "no match ends") if truth.whole else ("open", "")
    if check in LIVENESS:
        return _liveness(truth)
    if check == ORDER:
        return truth.order
    failing = truth.violation(check)
    if failing is not None:
        one, violation = failing
        where = "".join(f", {k} = {v}" for k, v in {**one.parameters, **one.readings}.items())
        return "fails", f"after {violation.deals} deals{where}: {violation.what}"
    return ("holds" if truth.whole else "open"), ""


def _for_all(truth: Truths, ends: list[bool]) -> tuple[Answer, str]:
    if all(ends):
        return "holds", ""
    endless = [one for one, end in zip(truth.explored, ends, strict=True) if not end and one.graph.whole]
    return (
        ("fails", f"no match ends with {endless[0].parameters}, {endless[0].readings}")
        if endless
        else ("open", "")
    )


def _liveness(truth: Truths) -> tuple[Answer, str]:
    """Whether some play ends the match from every state, so that it ends surely or almost surely."""
    for one in truth.explored:
        if dead(one.graph):
            deals = min(one.graph.nodes[key].deals for key in dead(one.graph))
            return "fails", f"after {deals} deals no play ends the match"
    if truth.broken:
        return "open", "the rules can fail at run time"
    return ("holds" if truth.whole else "open"), ""


def compared(check: str, finding: Finding, truth: Truths) -> Compared:
    """Compare a finding with the truth."""
    answer, why = answer_to(check, truth)
    verdict, wrong = finding.verdict, ""
    if verdict is Verdict.PROVED:
        if answer == "fails":
            wrong = f"proved, but {why}"
        elif check in LIVENESS and truth.broken:
            wrong = "proved, but the rules can fail at run time"
        elif check == "terminates":
            wrong = _termination(finding, truth)
    elif verdict is Verdict.REFUTED and (
        answer == "holds" or (check in LIVENESS and truth.whole and answer == "open")
    ):
        wrong = f"refuted ({finding.message}), but it holds"
    elif verdict is Verdict.NOT_APPLICABLE and finding.method is not Method.STATIC and answer == "fails":
        wrong = f"not applicable ({finding.message}), but {why}"
    elif verdict is Verdict.BOUNDED and answer == "fails":
        failing = truth.violation(check)
        if failing is not None and finding.bound is not None and failing[1].deals <= finding.bound:
            wrong = f"bounded ({finding.message}), but {why}"
    return Compared(check, verdict.value, answer, wrong)


def _termination(finding: Finding, truth: Truths) -> str:
    """What is wrong with a finding about termination."""
    if finding.termination == "almost-surely":
        return "" if finding.within_deals is None else "a number of deals is said, but it ends almost surely"
    if finding.termination is None or finding.within_deals is None:
        return "proved, but it is not said how it ends"
    deals = most_deals(truth)
    if deals is None:
        return "proved to end surely, but a match can come back to where it was"
    if deals > finding.within_deals:
        return f"proved to end within {finding.within_deals} deals, but one takes {deals}"
    return ""


def how_it_ends(truth: Truths) -> str:
    """One of the three answers of `terminates`; `open` if the exploration is incomplete or rules can fail."""
    answer, _ = _liveness(truth)
    if answer != "holds":
        return "may never end" if answer == "fails" else "open"
    deals = most_deals(truth)
    return "almost surely" if deals is None else f"surely within {deals}"


def most_deals(truth: Truths) -> int | None:
    """The number of deals in the longest explored match; None if there is a cycle."""
    numbers = [longest(one.graph) if one.graph.whole else one.graph.depth + 1 for one in truth.explored]
    return None if None in numbers else max(number for number in numbers if number is not None)


def judged(ruleset: Ruleset, truth: Truths, only: list[str] | None = None) -> list[Compared]:
    """All findings next to the truth.

    Raises AssertionError if the reference interpreter does not reproduce a violation.
    """
    for one in truth.explored:
        for claim, violation in one.graph.violations.items():
            assert replays(ruleset, one, claim, violation), f"`{claim}` does not fail: {violation}"
    findings, disagreements = check_ruleset(ruleset, only, hands=HANDS)
    answers = [compared(finding.check, finding, truth) for finding in findings if finding.check not in STATIC]
    return answers + [_failed(one, truth) for one in disagreements]


def _failed(one: Disagreement, truth: Truths) -> Compared:
    return Compared(
        one.check, "internal-error", answer_to(one.check, truth)[0], f"internal error: {one.message}"
    )


def judged_pair(one: Ruleset, other: Ruleset, budget: Budget) -> list[Compared]:
    """The answer of `diff` on two rulesets that differ in one rule, next to whether anything differs."""
    truth = sided(one, other, budget)
    if not truth.seen and not truth.whole:
        return []
    try:
        statuses = {compared.aspect: compared.status for compared in compare(one, other).every}
    except Exception as bug:  # any exception is a failure of the tool
        return [Compared("diff", "internal-error", "open", f"internal error: {type(bug).__name__}: {bug}")]
    different = [aspect for aspect, status in statuses.items() if status == "different"]
    if truth.seen and all(status == "same" for status in statuses.values()):
        return [Compared("diff", "same", "fails", f"same, but {truth.seen}")]
    if different and not truth.seen and not truth.anything:
        return [Compared("diff", "different", "holds", f"`{different[0]}` different, but nothing differs")]
    answer: Answer = "fails" if truth.seen else "holds"
    verdict = "different" if different else "same" if set(statuses.values()) == {"same"} else "undecided"
    return [Compared("diff", verdict, answer)]


def judged_at_full_size(ruleset: Ruleset) -> list[Compared]:
    """Claims proved with the usual deck, next to random play with it."""
    findings, disagreements = check_ruleset(ruleset, hands=HANDS)
    wrong = failures(ruleset)
    proved = [finding.check for finding in findings if finding.verdict is Verdict.PROVED]
    answers = [
        Compared(name, "proved", "fails", f"proved, but {wrong[name]}") for name in proved if name in wrong
    ]
    errors = [
        Compared(x.check, "internal-error", "open", f"internal error: {x.message}") for x in disagreements
    ]
    return answers + errors


def gone_through(ruleset: Ruleset, states: int, steps: int) -> Truths | None:
    """The truth about a ruleset; None if it exceeds the budget."""
    try:
        truth = truths(ruleset, Budget(states, steps))
    except BeyondError:
        return None
    with suppress(BeyondError):
        truth.order = order_answer(ruleset, truth, Budget(states, steps))
    return truth
