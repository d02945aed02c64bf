"""Goals about what deals lead to: all rest on the same steps, among which the deals that the reference plays must be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trickproof.certificates.certificate import Certificate, MalformedError, Node
from trickproof.certificates.matches import (
    SUMS,
    Step,
    about_steps,
    all_choices,
    breaks,
    followed,
    holds,
    level_at_start,
    over_at_start,
    played,
    step_of,
    true_at_start,
    unbalanced,
    wrong,
    zero,
)
from trickproof.certificates.questions import Questions
from trickproof.certificates.termination import RULES, Leaf, Termination
from trickproof_dsl import core as c

ENDING = ("terminates", "end-always-reachable")
"""The claims that hold if every match ends."""


@dataclass(frozen=True, slots=True)
class StepGoals:
    """Verifies the goals of a certificate that are about steps."""

    of: Certificate
    program: c.Program
    questions: Questions
    leaf: Leaf

    def verify(self, goals: Sequence[Node]) -> set[int]:
        """Verify all goals; the numbers of the nodes that they rest on. Raises MalformedError.

        Under a choice under which the match is over before its first deal, it ends, and no deal follows another.
        """
        if not goals:
            return set()
        nodes = self.of.nodes
        endings = {number for goal in goals if goal.rule == "ends" for number in goal.premises[1:]}
        if any(nodes[number].rule not in RULES for number in endings):
            raise MalformedError(goals[0].line, "that matches end is shown in another way")
        rests = {goal.line: self._below(goal) for goal in goals}
        numbers = sorted({number for premises in rests.values() for number in premises})
        if any(nodes[number].rule != "step" for number in numbers):
            raise MalformedError(goals[0].line, "a match consists of steps")
        steps = {number: step_of(self.of, nodes[number]) for number in numbers}
        listed = list(steps.values())
        for goal in goals:
            if sorted(rests[goal.line]) != numbers:
                raise MalformedError(goal.line, "a step is left out")
            all_choices(self.program, listed, goal.line)
        begun = [step for step in listed if not over_at_start(self.program, step)]
        for name in sorted({name for goal in goals for name in self._sums(goal)}):
            for step in begun:
                self._inductive(step, name)
        for goal in goals:
            if goal.rule == "match" and len(begun) < len(listed):
                raise MalformedError(goal.line, "a match can be over before its first deal")
            for step in begun:
                self._holds_of(goal, step)
        for number in sorted(endings):
            self._ends(nodes[number], [steps[premise] for premise in nodes[number].premises], listed)
        for step, facts in played(self.program, listed):
            answer = self.questions.possible([*step.facts, *facts])
            self.leaf(step.node, answer, "a deal that the reference plays is not among the steps")
        return {*numbers, *endings}

    def holds(self, goal: Node) -> bool:
        """Whether no step breaks a goal; what it assumes is verified elsewhere."""
        steps = [step_of(self.of, self.of.nodes[number]) for number in self._below(goal)]
        ways = (self._broken(goal, step) for step in steps if not over_at_start(self.program, step))
        return all(self.questions.impossible(*way) for way in ways)

    def _below(self, goal: Node) -> Sequence[int]:
        """The steps that a goal rests on."""
        if goal.rule != "ends":
            return goal.premises if goal.rule == "last" else goal.premises[1:]
        if goal.claim not in ENDING:
            raise MalformedError(goal.line, f"`{goal.claim}` is not a claim about the end of a match")
        return [step for number in goal.premises[1:] for step in self.of.nodes[number].premises]

    def _ends(self, node: Node, steps: Sequence[Step], every: Sequence[Step]) -> None:
        """Verify that matches end under one choice of parameters and readings."""
        if not steps or sorted(map(id, steps)) != sorted(
            id(step) for step in every if step.choice == steps[0].choice
        ):
            raise MalformedError(
                node.line, "it is not about the steps of one choice of parameters and readings"
            )
        Termination(self.program, self.questions, steps, self.leaf).verify(node)

    def _sums(self, goal: Node) -> list[str]:
        """The variables assumed to sum to zero before a deal."""
        names = [] if goal.rule == "last" else goal.parts.get("sums")
        numbers = [
            info for info in self.program.variables.values() if info.type == c.INTEGER and info.carried
        ]
        carried = [info.name for info in numbers if info.name in SUMS]
        if not isinstance(names, list) or not set(map(str, names)) <= set(carried):
            raise MalformedError(goal.line, "something else is assumed than that carried numbers sum to zero")
        return [str(name) for name in names]

    def _inductive(self, step: Step, name: str) -> None:
        """Verify that a sum stays zero over a deal and, using the reference, that it is zero before the first deal."""
        self.leaf(step.node, level_at_start(self.program, step, name), f"`{name}` is not zero at the start")
        facts = [*step.facts, zero(step.begin, name)]
        answer = self.questions.impossible(facts, [unbalanced(self.program, step, name)])
        self.leaf(step.node, answer, f"`{name}` need not still sum to zero after a deal")

    def _holds_of(self, goal: Node, step: Step) -> None:
        """Verify that a deal cannot break a goal; an invariant may be assumed of its beginning if it is shown of the next one."""
        facts, ways = self._broken(goal, step)
        if goal.rule == "match" and goal.claim in self.program.invariants and goal.parts.get("held") is True:
            begins = true_at_start(self.program, step, goal.claim)
            self.leaf(step.node, begins, f"`{goal.claim}` does not hold at the start")
        self.leaf(
            step.node, self.questions.possible(facts), "the assumptions about a deal contradict each other"
        )
        self.leaf(step.node, self.questions.impossible(facts, ways), f"a deal can break `{goal.claim}`")

    def _broken(self, goal: Node, step: Step) -> tuple[list[str], list[str]]:
        """What is assumed of a deal, and the way in which it breaks a goal."""
        facts = [*step.facts, *(zero(step.begin, name) for name in self._sums(goal))]
        held = goal.parts.get("held") is True
        invariant = goal.rule == "match" and goal.claim in self.program.invariants
        try:
            if invariant and not about_steps(self.program, goal.claim, held):
                raise KeyError(goal.claim)
            if invariant and held:
                facts.append(holds(self.program, goal.claim, step, step.begin))
            return facts, [self._way(goal, step, held)]
        except KeyError:
            raise MalformedError(
                goal.line, f"`{goal.claim}` is not a claim about the end of a deal"
            ) from None

    def _way(self, goal: Node, step: Step, held: bool) -> str:
        """When a deal breaks a goal. Raises KeyError if the goal is not about steps."""
        if goal.rule == "last":
            return followed(step)
        return breaks(step) if goal.rule == "ends" else wrong(self.program, goal.claim, step, held)
