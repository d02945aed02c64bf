"""Rules that are another way to carry out a rule (`same-as:`): what the game is with one of them in its place.

A document may describe in its own way what changes nothing that can be played, such as dealing card by card.  Such a rule is not
played; what it says is in force as far as it is proved to do the same as the rule that is.
"""

from __future__ import annotations

from dataclasses import replace

from trickproof.analysis.usage import program_usage
from trickproof.equivalence.normal_form import same_in_other_words
from trickproof_dsl import core as c
from trickproof_dsl.elaboration.elaborate import elaborate
from trickproof_dsl.library import Ruleset


def restatements(ruleset: Ruleset) -> dict[str, str]:
    """The rules of a ruleset, and of its bases, that are other ways to carry out a rule, with that rule."""
    return {name: rule.same_as.value for name, rule in ruleset.whole.rules.items() if rule.same_as}


def put_in_place(ruleset: Ruleset, name: str) -> c.Program | None:
    """The program with a restatement in the place of the rule that it restates; None where it does not fit there."""
    whole = ruleset.whole
    other = whole.rules[restatements(ruleset)[name]]
    mine = whole.rules[name]
    instead = replace(other, parameters=mine.parameters, text=mine.text, readings=mine.readings, silent=None)
    program, _ = elaborate(replace(whole, rules={**whole.rules, other.name.value: instead}), only=())
    return replace(program, parameters=ruleset.program.parameters) if program else None


def same_by_form(ruleset: Ruleset, name: str) -> bool:
    """Whether a restatement does the same, by a proof that takes no time."""
    program = put_in_place(ruleset, name)
    return program is not None and same_in_other_words(ruleset.program, program)


def shown_restatements(ruleset: Ruleset) -> dict[str, str]:
    """Those of which that is shown and that restate a rule the game comes to; a base's may not hold for what a variant changes."""
    runs = program_usage(ruleset.program).rules
    return {
        name: other
        for name, other in restatements(ruleset).items()
        if other in runs and same_by_form(ruleset, name)
    }
