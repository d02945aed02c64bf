"""Rules that only set numbers which neither cards nor choices nor earlier deals determine, such as fixed targets."""

from __future__ import annotations

from trickproof.analysis.slicing import DEALT, sliced
from trickproof.analysis.usage import program_usage
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.library import Ruleset

CARDS = (c.ZoneCards, c.CardAttribute, c.Matching)
"""Expressions whose value depends on the cards."""

_DOES_MORE = (c.ChooseCards, c.ChooseValue, c.Move, c.Show, c.Deal)


def sets_fixed_numbers(ruleset: Ruleset, where: Span | None) -> bool:
    """Whether the rule with its name at `where` does nothing else, so that no deal is needed to see what it sets."""
    program = ruleset.program
    texts = [rule.text for rule in ruleset.whole.rules.values() if rule.name.span == where and rule.text]
    inside = [
        node
        for node in walk(program.hand)
        for text in texts
        if (span := getattr(node, "span", None)) is not None
        and span.source == text.source
        and text.start <= span.start < text.end
    ]
    names = tuple(dict.fromkeys(node.variable for node in inside if isinstance(node, c.Assign)))
    if not names or any(isinstance(node, _DOES_MORE) for node in inside):
        return False
    matters = sliced(program.hand, (DEALT, *names))
    if matters.choices or matters.names & _set_by_play(program):  # a slice is without the play
        return False
    carried = {x for x in program_usage(program).assigns if program.variables[x].carried} - {"dealer"}
    return not any(
        isinstance(node, CARDS) or (isinstance(node, c.Variable) and node.name in carried)
        for node in walk(*matters.nodes)
    )


def _set_by_play(program: c.Program) -> set[str]:
    """The variables that the play of the cards sets."""
    plays = (node for node in walk(program.hand) if isinstance(node, c.InRule) and node.rule == "play")
    return {node.variable for node in walk(*plays) if isinstance(node, c.Assign)}
