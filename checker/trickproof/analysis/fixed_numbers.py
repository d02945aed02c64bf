"""Rules that only set numbers which neither cards nor choices nor earlier deals determine, such as fixed targets."""

from __future__ import annotations

from trickproof.analysis.dependencies import DEALT, in_play, steps
from trickproof.analysis.live_variables import CARDS
from trickproof.analysis.slicing import sliced
from trickproof.analysis.usage import program_usage
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.library import Ruleset

_MOVES = (c.ChooseCards, c.Move)

_DOES_MORE = (*_MOVES, c.ChooseValue, c.Show, c.Deal)


def sets_fixed_numbers(ruleset: Ruleset, where: Span | None) -> bool:
    """Whether the rule with its name at `where` does nothing else, so that no deal is needed to see what it sets.

    One is needed where cards decide whether others are moved: numbers are compared with hands, which vary then.
    """
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
    if not names or any(isinstance(node, _DOES_MORE) for node in inside) or _cards_move_cards(program):
        return False
    matters = sliced(program.hand, (DEALT, *names))
    if matters.choices or matters.names & in_play(program):  # a slice is without the play
        return False
    carried = {x for x in program_usage(program).assigns if program.variables[x].carried} - {"dealer"}
    return not any(
        isinstance(node, CARDS) or (isinstance(node, c.Variable) and node.name in carried)
        for node in walk(*matters.nodes)
    )


def _cards_move_cards(program: c.Program) -> bool:
    """Whether cards decide before the play if others are moved."""
    moves = (step for step in steps(program.hand, ("play",)) if isinstance(step.statement, _MOVES))
    return any(isinstance(node, CARDS) for step in moves for node in walk(*step.tests))
