"""Rules with `same-as:`, which a ruleset file states itself: each is a check of its own name.

Such a rule is another way to carry out the rule that it names. It is not played; the check proves that the
game stays the same with it, either by the normal form of the rules (in which the order of dealing a shuffled
pack makes no difference) or deal by deal. Write one for what a document describes in its own way although
play does not depend on it:

    rules:
      deal-card-by-card:
        rule: |
          repeat 16 times:
              for p in players, clockwise from left of dealer:
                  deal 1 card to hand of p
          deal the rest to kitty
        same-as: deal
        cites: [my-source.s16]

If equivalence cannot be shown the check is undecided; `trickproof diff` against a house rule that replaces
one by the other tells where they diverge.
"""

from __future__ import annotations

from functools import partial

from trickproof.analysis.usage import program_usage
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.checks.invariants import invariants
from trickproof.equivalence.program_equivalence import same
from trickproof.equivalence.restatement import put_in_place, same_by_form
from trickproof.proofs import kernel
from trickproof.proofs.hands.check import Check
from trickproof.testing.subject import Subject
from trickproof_dsl.library import Ruleset


def restatements(ruleset: Ruleset) -> tuple[Check, ...]:
    """The checks for restatements in a ruleset's own file; those of its bases were about the bases."""
    return tuple(
        Check(name, (name,), run=partial(_run, rule.same_as.value))
        for name, rule in ruleset.own.rules.items()
        if rule.same_as
    )


def _run(other: str, check: Check, subject: Subject) -> Finding:
    if other not in program_usage(subject.program).rules:
        message = f"no deal reaches `{other}`"
        return subject.finding(check, Verdict.NOT_APPLICABLE, Method.STATIC, message)
    program = put_in_place(subject.ruleset, check.name)
    theorem = same(subject, program) if program is not None else None
    if theorem is None:
        message = f"not shown to do the same as `{other}`"
        return subject.finding(check, Verdict.UNDECIDED, Method.STATIC, message)
    method = Method.STATIC if same_by_form(subject.ruleset, check.name) else Method.SMT
    return subject.finding(
        check, kernel.verdict(theorem), method, f"does the same as `{other}`: {theorem.claim}"
    )


def stated_checks(ruleset: Ruleset) -> tuple[Check, ...]:
    """The checks that a ruleset states itself: one for each invariant and each restatement, under its own name."""
    return (*invariants(ruleset.program), *restatements(ruleset))
