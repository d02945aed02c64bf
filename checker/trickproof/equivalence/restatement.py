"""Restatements, rules that are another way to carry out a rule (`same-as:`): the game with one substituted for that rule.

A document may describe in its own way something that makes no difference to play, such as dealing card by
card. Such a rule is not played; it is in force as far as it is proved equivalent to the rule that is.
"""

from __future__ import annotations

from dataclasses import replace

from trickproof.analysis.usage import program_usage
from trickproof.equivalence.normal_form import same_in_other_words
from trickproof_dsl import core as c
from trickproof_dsl.elaboration.elaborate import elaborate
from trickproof_dsl.library import Ruleset


def restatements(ruleset: Ruleset) -> dict[str, str]:
    """The restatements of a ruleset and its bases, mapped to the rules that they restate."""
    return {name: rule.same_as.value for name, rule in ruleset.whole.rules.items() if rule.same_as}


def put_in_place(ruleset: Ruleset, name: str) -> c.Program | None:
    """The program with a restatement substituted for the rule that it restates; None if it does not fit."""
    whole = ruleset.whole
    other = whole.rules[restatements(ruleset)[name]]
    mine = whole.rules[name]
    instead = replace(other, parameters=mine.parameters, text=mine.text, readings=mine.readings, silent=None)
    program, _ = elaborate(replace(whole, rules={**whole.rules, other.name.value: instead}), only=())
    return replace(program, parameters=ruleset.program.parameters) if program else None


def same_by_form(ruleset: Ruleset, name: str) -> bool:
    """Whether a restatement is equivalent by normal form, which is quick to prove."""
    program = put_in_place(ruleset, name)
    return program is not None and same_in_other_words(ruleset.program, program) is not None


def shown_restatements(ruleset: Ruleset) -> dict[str, str]:
    """The restatements of reachable rules that are proved equivalent by normal form.

    A base's restatement may not hold for what a variant changes.
    """
    runs = program_usage(ruleset.program).rules
    return {
        name: other
        for name, other in restatements(ruleset).items()
        if other in runs and same_by_form(ruleset, name)
    }
