"""Which violations of a house rule are new rather than its base's: gap by gap, and reading by reading."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

from trickproof.analysis.dependencies import names_read, steps
from trickproof.analysis.usage import program_usage
from trickproof.checking.finding import Finding, Gap, new_gaps
from trickproof.checking.verdict import Verdict
from trickproof.checks import all_checks
from trickproof.english.inflection import listed
from trickproof.validate.edits import NUMBER
from trickproof.validate.sense import set_in_base
from trickproof.vectors.coverage_goal import RULE
from trickproof.vectors.instrumentation import watched
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.replay import course


def is_new(finding: Finding, before: Finding | None) -> bool:
    """Whether it is negative, not known, and not the base's: worse, under more readings, with more gaps."""
    if not finding.verdict.negative or finding.known:
        return False
    if before is None:
        return True
    more = new_gaps(finding, before)
    if more and not finding.verdict.refuted and all(gap.assumed and gap.variable for gap in more):
        return False  # `validate` warns of them
    if not before.verdict.negative:
        return True
    if before.verdict is Verdict.UNSPECIFIED and (
        finding.verdict.refuted or any(not gap.assumed for gap in more)
    ):
        return True
    if finding.gaps:
        return False
    if not _flaws(finding) <= (_flaws(before) or _flaws(finding)):
        return True
    return bool(before.readings) and not finding.readings


def _flaws(finding: Finding) -> set[str]:
    """The flaws that a finding names, if its check has several: no winner is not the same as two."""
    flaws = (flaw for check in all_checks() if check.name == finding.check for flaw in check.flaws)
    return {flaw for flaw in flaws if flaw in finding.message}


def of_another_rule(finding: Finding | None, before: Finding, ruleset: Ruleset, base: Ruleset) -> bool:
    """Whether what is known of the base is about a rule that the file replaces by more than other numbers."""
    if not before.known or finding is None or finding.known or not finding.verdict.negative:
        return False
    names = (check.about[0] for check in all_checks() if check.name == finding.check and check.flaws)
    return any(name in ruleset.own.rules and _form(ruleset, name) != _form(base, name) for name in names)


def _form(ruleset: Ruleset, name: str) -> list[str]:
    """The words of a rule without numbers and parameters."""
    rule, amounts = ruleset.whole.rules.get(name), ruleset.program.parameters
    words = rule.text.text.split() if rule and rule.text else ()
    return [word for word in words if word not in amounts and not NUMBER.fullmatch(word)]


def as_new(finding: Finding, before: Finding | None, ruleset: Ruleset) -> Finding:
    """A new finding without what the base has as well: only the new gaps are named, each variable once.

    For an invariant of the base, the changed rules are named on which it depends; for another flaw at a rule of the
    base, those that its deals run.
    """
    gaps = finding.gaps if before is None else new_gaps(finding, before)
    gaps = tuple(gap for gap in gaps if not gap.assumed)
    if not gaps and (rules := changed_rules(ruleset, finding.check)):
        return replace(
            finding, message=f"{finding.message}; it depends on {listed(rules)}, changed in this file"
        )
    if not gaps:
        stated = as_stated(finding, ruleset)
        return replace(finding, message=f"{finding.message}, {stated}") if stated else finding
    groups: dict[str, list[Gap]] = {}
    for gap in gaps:
        groups.setdefault(str(gap), []).append(gap)
    message = "; ".join(_told(group, ruleset) for group in groups.values())
    return replace(finding, message=message, where=gaps[0].where, gaps=gaps)


def as_stated(finding: Finding, ruleset: Ruleset) -> str:
    """For a finding at a rule of the base, which rules of the file its deals run: `with … as stated in this file`."""
    if ruleset.base is None or finding.where is None or finding.where.source == ruleset.own.source:
        return ""
    rules = _own_rules_run(ruleset, finding.match or ())
    return f"with {listed([f'`{name}`' for name in rules])} as stated in this file" if rules else ""


def _own_rules_run(ruleset: Ruleset, match: Sequence[Mapping[str, Any]]) -> list[str]:
    """The file's rules that the deals of a witness run; if they run none, all of them that are in use."""
    used = [name for name in ruleset.own.rules if name in program_usage(ruleset.program).rules]
    noting = watched(ruleset.program, lambda goal, steps: goal.part == RULE and goal.rule in used)
    watching = replace(ruleset, program=noting.program)
    ends = [
        state for n in range(len(match)) for state in course(watching, {"match": list(match[: n + 1])})[-1:]
    ]
    run = {x.goal.rule for x in noting.notes if any(end.variable(x.variable) for end in ends)}
    return [name for name in used if name in run] or used


def changed_rules(ruleset: Ruleset, check: str) -> list[str]:
    """The file's rules by which a value is set that an invariant of its base reads: as few steps away as there are any."""
    program, own = ruleset.program, ruleset.own
    if check not in program.invariants or check in own.invariants:
        return []
    condition = program.invariants[check].condition
    every = list(steps((*program.setup, *program.hand, *program.between)))
    found, names, known = _valued(own.rules, condition), set(names_read(condition)), set[str]()
    while not found and not names <= known:
        known |= names
        for step in every:
            if step.defines in known:
                around = [x.rule for x in step.enclosing if isinstance(x, c.InRule) and x.rule in own.rules]
                found |= {*around[-1:], *_valued(own.rules, *step.operands, *step.tests)}
                names |= set(names_read(*step.operands, *step.tests))
    return [f"`{name}`" for name in own.rules if name in found]


def _valued(rules: Container[str], *nodes: object) -> set[str]:
    """Those of some rules whose values are in expressions."""
    return {x.rule for x in walk(*nodes) if isinstance(x, c.RuleValue) and x.rule in rules}


def _told(gaps: Sequence[Gap], ruleset: Ruleset) -> str:
    """A gap; of a variable that nobody sets, by which rules it is used, what follows, and which rule of the base sets it."""
    variable, program = gaps[0].variable, ruleset.program
    if variable is None:
        return str(gaps[0])
    users = listed([f"`{gap.rule}`" for gap in gaps])
    told = str(gaps[0]).replace(" is used but", f" is used by {users} but")
    ordered_by = [
        value for loop in walk(*program.phases) if isinstance(loop, c.Loop) for _, _, value in loop.order.keys
    ]
    places = [gap.where for gap in gaps]
    if any(isinstance(x, c.Variable) and x.span in places for x in walk(*ordered_by)):
        told += ", so that any two players are tied on it"
    elif type(initial := program.variables[variable].initial) is int:
        told += f", so it is always {initial}"
    return told + set_in_base(ruleset.base, variable)


def new_assumptions(finding: Finding, before: Finding | None) -> tuple[str, ...]:
    """The assumptions that a finding depends on and the base's finding does not."""
    known = () if before is None else before.rests_on
    return tuple(x.text for x in finding.rests_on if x.kind == "assumption" and x not in known)
