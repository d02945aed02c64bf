"""Aspects that change jointly: changing one alone is cancelled or hidden by a change in another.

A difference is a difference between the two rulesets, not between a ruleset and itself with a single foreign
rule. An aspect is therefore compared together with others if its change alone shows up in deals in which the
two rulesets behave the same, or if no deal shows it alone. The others must be in the same position, or use a
value that only one ruleset has: together with an aspect that differs by itself, any combination would show a
difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import combinations

from trickproof.analysis.usage import usage_of
from trickproof.diff.graft import ShapeError
from trickproof.diff.results import Compared, Way
from trickproof.diff.rule_diff import UNENCODED, Comparison, differing_among
from trickproof.diff.symbolic.post_play import ENDS_IN_ONE
from trickproof.diff.witnesses.parting import Parting
from trickproof.english.inflection import listed
from trickproof.english.vocabulary import ASPECTS

MOST_CASES = 24
"""Maximum number of an aspect's deals in which the two rulesets are compared."""

MOST_SETS = 12
"""Maximum number of combinations of aspects tried for one aspect."""

MOST_CHANGED = 12
"""Maximum number of changed aspects that a brief comparison compares together: games with more are far apart anyway."""


def joined_changes(comparison: Comparison, by_aspect: Mapping[str, Compared]) -> dict[str, Compared]:
    """The results, with aspects that change jointly replaced by their joint comparison."""
    after = {**by_aspect, **_only_in_one(comparison, by_aspect)}
    changed = [name for name, one in after.items() if _is_changed(comparison, one)]
    if len(changed) < 2 or (comparison.brief and len(changed) > MOST_CHANGED):
        return after
    if comparison.brief:
        comparison = replace(comparison, brief=False)
        after |= {name: comparison.compared(name) for name in changed if _undone(comparison, after[name])}
    unclear = [name for name in changed if _hidden(after[name]) or _undone(comparison, after[name])]
    for name in unclear:
        if after[name].jointly:
            continue
        with_it = [x for x in changed if x in unclear or _share_a_value(comparison, name, x)]
        for rules in _sets(name, with_it):
            together = _together(comparison, rules)
            if together is not None:
                after |= {rule: replace(together, aspect=rule) for rule in rules}
                break
    for first, second in combinations(changed, 2):
        if not (after[first].jointly or after[second].jointly) and _share_a_value(comparison, first, second):
            pair = (first, second)
            together, why = _together(comparison, pair), _changed_jointly(pair)
            after |= {x: _read_alone(comparison, after[x], jointly=pair, why=why) for x in pair}
            if together is not None:
                after[second] = _beside(after[first], after[second], together)
    return after


def _only_in_one(comparison: Comparison, by_aspect: Mapping[str, Compared]) -> dict[str, Compared]:
    """Aspects that only one ruleset has, if one of them does nothing without the others: these are left out when it is compared."""
    changed: dict[str, Compared] = {}
    for has in (comparison.a.texts, comparison.b.texts):
        only = tuple(x for x in ASPECTS if x in comparison.muted and has.happens(x))
        statuses = [by_aspect[x].status for x in only]
        if len(only) > 1 and "same" in statuses and {*statuses} <= {"same", "different"}:
            together = _together(replace(comparison, brief=False), only)
            if together is not None and together.status == "different":
                changed |= {x: replace(together, aspect=x) for x in only}
    return changed


def _read_alone(comparison: Comparison, one: Compared, jointly: tuple[str, ...], why: str) -> Compared:
    """A result as part of a joint change; without conditions if the rule reads what, compared by itself, nothing sets."""
    one = replace(one, jointly=jointly, why=one.why or why)
    sides = comparison.a.texts.ruleset, comparison.b.texts.ruleset
    codes = [side.program.rules.get(one.aspect) for side in sides]
    reads = {
        name for code in codes if code is not None for name in usage_of(code.body or (), code.value).reads
    }
    if reads.isdisjoint(_private(comparison)):
        return one
    return replace(one, ways=tuple(replace(way, when=None, cases=()) for way in one.ways))


def _private(comparison: Comparison) -> Set[str]:
    """The variables that only one of the two rulesets has."""
    return comparison.a.texts.file.state.keys() ^ comparison.b.texts.file.state.keys()


def _share_a_value(comparison: Comparison, one: str, other: str) -> bool:
    """Whether two aspects use a value that only one of the two rulesets has."""
    private = _private(comparison)
    for texts in (comparison.a.texts, comparison.b.texts):
        words = [{word for rule in texts.closure(x) for word in texts.named(rule)} for x in (one, other)]
        if words[0] & words[1] & private:
            return True
    return False


def _beside(first: Compared, second: Compared, together: Compared) -> Compared:
    """The second of two aspects, which reads what the first sets, with how both differ but for what the first does itself."""
    apart = {part for way in first.ways for part in way.how.split("; ")}
    ways: dict[tuple[str, str | None], Way] = {}
    for way in together.ways:
        if how := "; ".join(x for x in way.how.split("; ") if x not in apart):
            parting = way.parting if way.parting and _shows(way.parting, how) else None
            ways.setdefault((how, way.when), replace(way, how=how, parting=parting))
    complete = second.complete and together.complete
    return replace(second, ways=tuple(ways.values()), complete=complete) if ways else second


def _shows(parting: Parting, how: str) -> bool:
    """Whether a deal shows that the match ends under one ruleset only, if that is how they differ."""
    over = [answer["state"].get("match_over") for answer in (parting.answers.a, parting.answers.b)]
    return how not in ENDS_IN_ONE or parting.answers.later is not None or over[0] != over[1]


def _changed_jointly(rules: Sequence[str]) -> str:
    return f"{listed(list(rules))} changed jointly"


def _is_changed(comparison: Comparison, one: Compared) -> bool:
    """Whether the rule is not proved equivalent and can be grafted."""
    return one.status in ("different", "undecided") and one.aspect in comparison.a.texts.file.rules


def _hidden(one: Compared) -> bool:
    """Whether the aspect changes something by itself but no deal of the two rulesets shows it."""
    return one.status == "undecided" and any(x.status == "different" for x in one.readings)


def _undone(comparison: Comparison, one: Compared) -> bool:
    """Whether the two rulesets behave the same in some deal that the rule alone changes."""
    cases = [case for way in one.ways for case in way.cases]
    if not cases or len(one.readings) > 1:
        return False
    some = cases[:: max(1, len(cases) // MOST_CASES)]
    try:
        return len(differing_among(comparison, some)) < len(some)
    except (ShapeError, *UNENCODED):
        return False


def _sets(name: str, changed: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The aspect combined with one other, with two others, and with all changed ones."""
    others = [x for x in changed if x != name]
    number = 0
    for size in (1, 2, len(others)):
        for more in combinations(others, size) if size <= len(others) else ():
            number += 1
            if number <= MOST_SETS or size == len(others):
                yield tuple(x for x in changed if x == name or x in more)


def _together(comparison: Comparison, rules: tuple[str, ...]) -> Compared | None:
    """Some aspects compared together, if that settles them in deals of the two rulesets."""
    together = comparison.jointly(rules)
    if together.status == "same":
        return replace(together, why="nothing changes when they change together", jointly=rules)
    if together.status != "different" or _undone(comparison, together):
        return None
    return replace(together, jointly=rules, why=_changed_jointly(rules))
