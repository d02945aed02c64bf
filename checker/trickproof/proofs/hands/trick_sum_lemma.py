"""Whether the tricks won in a hand are the tricks played, which proofs about whole hands take for granted.

The settlement is encoded for all divisions of the tricks of a hand; that says something of a game only if its hands divide them.
"""

from __future__ import annotations

from collections.abc import Callable

from trickproof.checking.verdict import Verdict
from trickproof.testing.subject import is_standard
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.library import Ruleset


def tricks_are_counted(ruleset: Ruleset, trick_total: Callable[[Ruleset], Verdict | None]) -> bool:
    """Plain where every trick is the standard one, which counts itself, and nothing else counts tricks; else proved.

    `trick_total` gives the verdict on that claim, where it is needed.
    """
    return _plainly(ruleset) or trick_total(ruleset) is Verdict.PROVED


def _plainly(ruleset: Ruleset) -> bool:
    rules, program = ruleset.whole.rules, ruleset.program
    standard = all(name in rules and is_standard(rules[name]) for name in ("play", "trick"))
    steps = walk(*program.setup, *program.hand, *program.between)
    counting = [node for node in steps if isinstance(node, c.Assign) and node.variable == "tricks"]
    return standard and len(counting) == 1
