"""Which of a file's rules a witness runs: those by which a house rule breaks what its base's rules still say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from trickproof.analysis.usage import program_usage
from trickproof.vectors.coverage_goal import RULE
from trickproof.vectors.instrumentation import watched
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.replay import course


def own_rules_run(ruleset: Ruleset, match: Sequence[Mapping[str, Any]]) -> list[str]:
    """The file's rules that the deals of a witness run; if they run none, all of them that are in use."""
    used = [name for name in ruleset.own.rules if name in program_usage(ruleset.program).rules]
    noting = watched(ruleset.program, lambda goal, steps: goal.part == RULE and goal.rule in used)
    watching = replace(ruleset, program=noting.program)
    ends = [
        state for n in range(len(match)) for state in course(watching, {"match": list(match[: n + 1])})[-1:]
    ]
    run = {x.goal.rule for x in noting.notes if any(end.variable(x.variable) for end in ends)}
    return [name for name in used if name in run] or used
