"""Parameters that two rulesets declare with different values.

Their rules are compared for the values that both allow; that one of the two allows others, or begins with another, is a
difference of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from trickproof.checking.verdict import Method
from trickproof.diff.results import Compared, Way
from trickproof.diff.rule_dependencies import Texts
from trickproof.english.differences import no_common_value, other_default, other_values
from trickproof_dsl.library import Ruleset


def on_common_values(a: Ruleset, b: Ruleset) -> tuple[Ruleset, Ruleset]:
    """Both rulesets with the values of parameters that both allow; with all values if a default is not among them."""
    mine, theirs = a.program.parameters, b.program.parameters
    common = {name: set(mine[name]) & set(theirs[name]) for name in mine.keys() & theirs.keys()}
    common = {name: x for name, x in common.items() if {mine[name][0], theirs[name][0]} <= x}
    return _with_values(a, common), _with_values(b, common)


def _with_values(ruleset: Ruleset, allowed: Mapping[str, Collection[int]]) -> Ruleset:
    """The ruleset with only some values of some parameters; itself if it has no others."""
    declared = ruleset.program.parameters
    values = {name: tuple(x for x in declared[name] if x in allowed.get(name, (x,))) for name in declared}
    if values == dict(declared):
        return ruleset
    parameters = {name: replace(x, values=values[name]) for name, x in ruleset.whole.parameters.items()}
    return replace(
        ruleset,
        whole=replace(ruleset.whole, parameters=parameters),
        program=replace(ruleset.program, parameters=values),
    )


def values_apart(a: Texts, b: Texts, rule: str) -> Iterator[str]:
    """How the values differ that two rulesets allow for the parameters of a rule, or take if none is agreed."""
    mine, theirs = a.ruleset.program.parameters, b.ruleset.program.parameters
    apart = sorted(name for name in mine.keys() & theirs.keys() if mine[name] != theirs[name])
    used = {x for side in (a, b) if apart and side.happens(rule) for x in side.declared(side.closure(rule))}
    for name in (name for name in apart if ("parameters", name) in used):
        if not {*mine[name]} & {*theirs[name]}:
            yield no_common_value(name, sorted(mine[name]), sorted(theirs[name]))
            continue
        for values, others, sides in (mine, theirs, "ab"), (theirs, mine, "ba"):
            if more := sorted({*values[name]} - {*others[name]}):
                yield other_values(name, more, *sides)
        if mine[name][0] != theirs[name][0]:
            yield other_default(name, mine[name][0], theirs[name][0])


def with_other_values(a: Texts, b: Texts, one: Compared) -> Compared:
    """The result for a rule, different where the two declare a parameter of it with different values."""
    playable = a.ruleset.program.players == b.ruleset.program.players
    ways = tuple(Way(how) for how in values_apart(a, b, one.aspect)) if playable else ()
    if not ways:
        return one
    method = Method.STATIC if one.status == "same" else one.method
    complete = one.complete and one.status not in ("undecided", "incomparable")
    return replace(one, status="different", method=method, why="", ways=(*one.ways, *ways), complete=complete)
