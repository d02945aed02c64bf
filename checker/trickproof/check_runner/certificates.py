"""Writes certificates of what was shown about rulesets: the proof about deals is run again and recorded.

Whatever another program cannot check yet is named in the header with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from trickproof.certificates import runs
from trickproof.certificates.certificate import (
    BY_A_MATCH,
    BY_CASES,
    BY_INSPECTION,
    BY_PLANS,
    NOT_EVERYWHERE,
    NOT_RECOGNISED,
    NOT_STATED,
    NOT_WRITTEN,
    Root,
    header,
    read,
)
from trickproof.certificates.questions import Questions
from trickproof.certificates.second_solver import Second
from trickproof.certificates.step_goals import ENDING, StepGoals
from trickproof.certificates.verifier import stated_in_deals
from trickproof.checking.finding import Finding
from trickproof.checking.proof_session import ProofSession
from trickproof.checking.verdict import Method
from trickproof.proofs.hands.check import checks_of
from trickproof.proofs.matches.certificate import Step
from trickproof.proofs.smt.parts import Nodes, Parts
from trickproof.proofs.smt.solver import Answer, SolverSession
from trickproof.proofs.symbolic.expressions import GapError, NotEncodedError
from trickproof.support.process_pool import results
from trickproof.testing.subject import Subject
from trickproof.testing.witness import replayed_match
from trickproof_dsl import core as c
from trickproof_dsl.library import Ruleset

if TYPE_CHECKING:
    from trickproof.check_runner.findings_cache import Cache

Json = dict[str, object]

OTHERWISE: Mapping[Method, str] = {
    Method.STATIC: BY_INSPECTION,
    Method.ENUMERATION: BY_CASES,
    Method.SIMULATION: BY_A_MATCH,
}
"""Why proofs by other methods have no nodes."""


def certificates(
    findings: Sequence[tuple[Ruleset, Sequence[Finding]]],
    workers: int,
    hands: int,
    cache: Cache | None = None,
) -> Iterator[str]:
    """The lines of a certificate file, ruleset by ruleset, computed in up to `workers` processes.

    Certificates written by an earlier run are taken from the cache; they need no trust, since whoever reads
    them verifies them.
    """
    shown = [
        (ruleset, [finding for finding in some if finding.verdict.proved or finding.verdict.refuted])
        for ruleset, some in findings
    ]
    kept = {i: None if cache is None else cache.certificate(*one) for i, one in enumerate(shown)}
    jobs = {i: partial(certificate, *shown[i], hands) for i, lines in kept.items() if lines is None}
    several = max(1, min(workers, len(jobs)))
    groups = [{i: jobs[i] for i in list(jobs)[k::several]} for k in range(several)]
    written = dict(results(groups, workers))
    for i, lines in written.items():
        if cache is not None:
            cache.keep_certificate(*shown[i], lines)
    for i in kept:
        yield from written[i] if i in written else kept[i] or ()


def certificate(ruleset: Ruleset, findings: Sequence[Finding], hands: int) -> list[str]:
    """The header for one ruleset, followed by what shows that its checks are proved or refuted."""
    from trickproof.checks import all_checks
    from trickproof.checks.restatements import stated_checks

    session = ProofSession()
    session.certifying = True
    subject = Subject(ruleset, (*all_checks(), *stated_checks(ruleset)), hands, session)
    proved = [finding for finding in findings if finding.verdict.proved]
    writer = _Writer(subject)
    writer.deals(proved)
    for finding in proved:
        if finding.check == "end-reachable" and finding.match is not None:
            writer.reached(finding, finding.match)
    for finding in findings:
        if finding.verdict.refuted:
            writer.refuted(finding)
    certified = {root.check for root in writer.roots}
    reasons = {
        finding.check: writer.reasons.get(finding.check) or OTHERWISE.get(finding.method, NOT_WRITTEN)
        for finding in (*proved, *(finding for finding in findings if finding.verdict.refuted))
        if finding.check not in certified
    }
    rows = [*writer.parts, *writer.nodes.rows]
    first = header(ruleset.named, ruleset.program, writer.roots, reasons, len(rows))
    return [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in (first, *rows)]


@dataclass
class _Writer:
    """The parts and nodes of a certificate, and the roots that they show; `reasons` say why others are not among them."""

    subject: Subject
    parts: Sequence[Json] = ()
    nodes: Nodes = field(default_factory=Nodes)
    roots: list[Root] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)

    def _goal(self, rule: str, premises: Sequence[int], root: Root, parts: Json | None = None) -> None:
        """A node that shows a root."""
        self.nodes.add(rule, premises, root.check, parts)
        self.roots.append(root)

    def deals(self, proved: Sequence[Finding]) -> None:
        """The induction over deals and the steps of deals, with the goals that they show."""
        from trickproof.proofs.hands.certificate import Writer, any_follows
        from trickproof.proofs.hands.verdicts import answering, decided_by_deals, hand_proof
        from trickproof.proofs.matches.certificate import steps, sums, written

        subject = self.subject
        by_deals = sorted({x.check for x in proved if decided_by_deals(subject, x.check)})
        of = _about_steps(subject, [x for x in proved if x.check not in by_deals], self.reasons)
        if not by_deals and not of.steps:
            return
        proof = hand_proof(subject)
        bounded = any(x.start is not None and x.start.bounds for x in proof.segments)
        if not proof.even or not proof.segments or bounded:  # the verifier assumes even hands and any values
            return
        follows = any_follows(proof)
        listed = of.steps if of.steps or follows else steps(subject)
        more = [root for step in listed for root in step.roots()]
        writer = Writer(subject.program, proof, partial(answering, subject), more, self.nodes)
        numbers = [self.nodes.add("step", [], "a deal", written(step, writer.parts)) for step in listed]
        matches = dict(self._shown(writer.parts, of.matches, sums(listed)))
        if follows and not matches and not of.endings:
            self.nodes.rows.clear()
            if not by_deals:
                return
        last = [] if follows else [self.nodes.add("last", numbers, "every deal is the last of its match")]
        joint = writer.write(last)
        for name in by_deals:
            if stated_in_deals(subject.program, name) and name not in writer.stated:
                self.reasons[name] = NOT_STATED
            else:
                self._goal("conjunct", [joint], Root(name))
        for name, parts in matches.items():
            self._goal("match", [joint, *numbers], Root(name), parts)
        leaves = [
            self.nodes.add(rule, [numbers[listed.index(step)] for step in mine], "matches end", parts)
            for rule, parts, mine in of.leaves
        ]
        for name in of.endings:
            self._goal("ends", [joint, *leaves], Root(name), {"sums": sums(listed)})
        self.parts = writer.parts.lines

    def _shown(
        self, terms: Parts, matches: Mapping[str, bool], balanced: Sequence[str]
    ) -> Iterator[tuple[str, Json]]:
        """The claims that the verifier, too, can show of the steps; others are proved from more than it assumes.

        The prover's solver answers here: who writes a certificate need not have those that verify it.
        """
        program, steps = self.subject.program, len(self.nodes.rows)
        nodes = Nodes(list(self.nodes.rows))
        for name, held in matches.items():
            nodes.add("match", [0, *range(steps)], name, {"sums": balanced, "held": held})
        rows = [*terms.lines, *nodes.rows]
        (of,) = read(map(json.dumps, (header("", program, [], {}, len(rows)), *rows)))
        goals = StepGoals(of, program, Questions(of, _by_prover), lambda *_: None)
        for goal in of.nodes[steps:]:
            if goals.holds(goal):
                yield goal.claim, dict(goal.parts)

    def reached(self, finding: Finding, match: Sequence[Mapping[str, object]]) -> None:
        """That the match can end: a match that does, under every choice of parameters and readings."""
        from trickproof.checks.end_reachable import ended_under

        ruleset, program = self.subject.ruleset, self.subject.program
        choices = runs.choices_of(program)
        matches = None
        if choices is not None:
            ended = replayed_match(ruleset, match)
            matches = ended_under(ruleset, ended, [_terms(program, choice) for choice in choices])
        if matches is None:
            self.reasons[finding.check] = NOT_EVERYWHERE
            return
        premises = [self.nodes.add("run", [], "a match that ends", {"match": list(x)}) for x in matches]
        self._goal("reached", premises, Root(finding.check))

    def refuted(self, finding: Finding) -> None:
        """That a check is refuted: by the match that shows it, if the verifier recognises what happens in it."""
        match = [] if finding.match is None else list(finding.match)
        try:
            run = runs.replayed(self.subject.ruleset, match)
        except runs.NoMatchError:
            run = None
        if (
            run is None
            or not runs.shows(self.subject.program, finding.check, run)
            or not runs.names_readings(run, finding.readings)
        ):
            if finding.method is not Method.STATIC:
                self.reasons[finding.check] = NOT_RECOGNISED
            return
        premise = self.nodes.add("run", [], "a match that refutes it", {"match": match})
        self._goal("refuted", [premise], Root(finding.check, refuted=True, readings=tuple(finding.readings)))


def _terms(program: c.Program, choice: runs.Choice) -> tuple[dict[str, int], dict[str, int]]:
    """A choice as parameters, with the first value of those that do not matter, and readings."""
    chosen = dict(choice)
    parameters = {name: chosen.get(name, values[0]) for name, values in program.parameters.items()}
    return parameters, {rule: chosen.get(rule, 0) for rule in program.readings}


@dataclass(frozen=True, slots=True)
class _AboutSteps:
    """What is shown of the steps of deals.

    `matches` maps each claim about a deal to whether it is assumed of its beginning. `endings` are the claims that
    hold because every match ends, as the `leaves` show: a rule, what it names, and its steps.
    """

    steps: Sequence[Step] = ()
    matches: Mapping[str, bool] = field(default_factory=dict)
    endings: Sequence[str] = ()
    leaves: Sequence[tuple[str, Json, Sequence[Step]]] = ()


def _about_steps(subject: Subject, proved: Sequence[Finding], reasons: dict[str, str]) -> _AboutSteps:
    """What is shown of steps; adds the reasons why something is not."""
    from trickproof.proofs.matches.certificate import steps

    names, endings = _of_steps(subject, proved), _endings(subject, proved, reasons)
    if not names and not endings:
        return _AboutSteps()
    try:
        listed = steps(subject)
        leaves = _leaves(listed) if endings else []
    except (NotEncodedError, GapError):  # such claims are proved within deals, as nothing lies between them
        return _AboutSteps()
    if not leaves:
        reasons.update(dict.fromkeys(endings, BY_PLANS))
        endings = []
    if any(step.settlement.over_at_start for step in listed):
        names = []
    if any(isinstance(stop, c.EndMatch) for step in listed for stop in step.settlement.stops):
        # who wins before the play is over is shown within deals, which is not combined with what is shown of
        # steps
        names = [name for name in names if name != "unique-winner"]
    matches = _stated(subject, names, listed)
    return _AboutSteps(listed, matches, endings, leaves) if matches or endings else _AboutSteps()


def _of_steps(subject: Subject, proved: Sequence[Finding]) -> list[str]:
    """The checks that may be shown for each step."""
    from trickproof.proofs.hands.verdicts import hand_proof, missing
    from trickproof.proofs.matches.certificate import OF_STEPS

    checks = {check.name: check for check in checks_of(subject)}
    solved = [x.check for x in proved if x.method in (Method.SMT, Method.INDUCTION)]
    names = [name for name in solved if name in OF_STEPS or name in subject.program.invariants]
    return [name for name in names if not any(missing(checks[name], subject, hand_proof(subject)))]


def _stated(subject: Subject, names: Sequence[str], listed: Sequence[Step]) -> dict[str, bool]:
    """The checks that the verifier can state of every step, with whether they are assumed of its beginning."""
    from trickproof.checks.invariants import lasts
    from trickproof.proofs.matches.certificate import OF_STEPS, held_at_start, states

    stated = subject.program.invariants
    held = {
        name: name in stated
        and lasts(subject.program, stated[name])
        and all(held_at_start(step, stated[name].condition) for step in listed)
        for name in names
    }
    return {name: held[name] for name in names if name in OF_STEPS or states(listed, name, held[name])}


def _endings(subject: Subject, proved: Sequence[Finding], reasons: dict[str, str]) -> list[str]:
    """The checks that may be shown by the fact that every match ends."""
    from trickproof.proofs.hands.verdicts import may_fail

    names = [x.check for x in proved if x.check in ENDING]
    if any(x.check in ENDING and x.termination == "almost-surely" for x in proved):
        reasons.update(dict.fromkeys(names, BY_PLANS))
        return []
    return names if names and not may_fail(subject) else []


def _by_prover(question: str) -> Second:
    """The answer of the prover's own solver."""
    asked = SolverSession(ProofSession())
    asked.solver.from_string(question.replace("(check-sat)", ""))
    return Second("z3", {Answer.YES: True, Answer.NO: False}.get(asked.possible()))


def _leaves(listed: Sequence[Step]) -> list[tuple[str, Json, Sequence[Step]]]:
    """What shows that every match ends, for each choice of parameters and readings; empty if it is not shown for one."""
    from trickproof.proofs.matches.certificate import ending
    from trickproof.proofs.matches.termination import simplest

    leaves: list[tuple[str, Json, Sequence[Step]]] = []
    for settlement, choice in dict.fromkeys((x.settlement, tuple(x.parameters.items())) for x in listed):
        mine = [x for x in listed if x.settlement is settlement and x.parameters == dict(choice)]
        by = None if settlement.over_at_start else simplest(settlement)
        if by is None and not settlement.over_at_start:
            return []
        leaves.append((*ending(by), mine))
    return leaves
