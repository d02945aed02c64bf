"""`examples-agree`: the document's worked examples agree with its rules.

Every entry of `examples:` is played through the rules.  Players trust examples more than rules; where the two
contradict each other, half the table will play one and half the other.  It fails for an example that counts a player
with 2 of 5 tricks as two down.
"""

from __future__ import annotations

from dataclasses import replace

from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.english.inflection import listed
from trickproof.proofs import kernel
from trickproof.proofs.hands.check import Check
from trickproof.support.locations import at_line
from trickproof.testing.subject import Subject
from trickproof.testing.worked_examples import Outcome, run_examples, whole_hand


def _run(check: Check, subject: Subject) -> Finding:
    examples = subject.ruleset.own.examples
    if not examples:
        return subject.finding(check, Verdict.NOT_APPLICABLE, Method.STATIC, "there are no worked examples")
    outcomes = [
        run_examples(subject.ruleset, r) for r in subject.readings(frozenset(subject.program.readings))
    ]
    standard = outcomes[0]
    wrong = [outcome for outcome in standard if outcome.wrong]
    agreeing = [f"`{o.name}`" for o in standard if o.example.known is not None and not o.wrong]
    stale = f" ({listed(agreeing)} recorded as known, but no longer so)" if agreeing else ""
    if wrong:
        message = "; ".join(f"`{o.name}`: {', '.join(o.wrong)}" for o in wrong) + stale
        more = tuple(f"{_place(o)}: {line}" for o in wrong for line in o.wrong)
        finding = subject.finding(
            check,
            kernel.refuted(check.name, kernel.Form.STATIC),
            Method.ENUMERATION,
            message,
            where=wrong[0].example.span,
            witness=wrong[0].scenario or whole_hand(subject.ruleset, wrong[0].example),
            details=more,
        )
        reasons = [o.example.known.value for o in wrong if o.example.known is not None]
        known = len(reasons) == len(wrong)
        return replace(finding, known=known, reason="; ".join(reasons) if known else None)
    number = len(examples)
    message = "the worked example agrees" if number == 1 else f"all {number} worked examples agree"
    excluded = sum(any(outcome.wrong for outcome in outcome_list) for outcome_list in outcomes)
    if excluded:
        message += f", except under {excluded} of {len(outcomes)} combinations of readings"
    message += stale
    names = [example.name.value for example in examples]
    theorem = kernel.enumeration(message, names, [(o.name, not o.wrong) for o in standard])
    return subject.finding(
        check, kernel.verdict(theorem), Method.ENUMERATION, message, where=examples[0].span
    )


def _place(outcome: Outcome) -> str:
    return f"{at_line(outcome.example.span)}: `{outcome.name}`"


CHECK = Check("examples-agree", (), run=_run, of_file=True)
