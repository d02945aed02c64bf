"""Verifies a certificate: every leaf query is rebuilt here from named parts and decided by a second solver.

A node's claims are not trusted. A split covers all cases because the last one, that none of the others holds,
is built here; the values of a parameter or reading are those that the core program declares. The facts on a
path are those collected along it, and a failure is excluded by those that were known when it arose. A case is
impossible if the numbers of cards exclude it: if either abstraction could, a failure that each describes
differently might be on no path at all. A path that is called feasible is shown to be, so that nothing is derived
from contradictory facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from trickproof.certificates.certificate import (
    NO_CLAIM,
    REASONS,
    Certificate,
    MalformedError,
    Node,
    core_digest,
    read,
)
from trickproof.certificates.questions import Questions, any_of, negation
from trickproof.certificates.runs import (
    MOST_CHOICES,
    NoMatchError,
    Run,
    choices_of,
    names_readings,
    replayed,
    shows,
)
from trickproof.certificates.second_solver import Second, decided
from trickproof.certificates.step_goals import StepGoals
from trickproof_dsl import core as c
from trickproof_dsl.library import Ruleset

INDUCTIVE = ("tricks of a deal", "hand-size")
"""What is assumed of the previous deal, or after the first card, and must therefore be shown of every deal."""

BY_FAULTS = (
    "cards-conserved",
    "legal-play-exists",
    "one-trick-winner",
    "exchange-feasible",
    "exchange-returns-highest",
)
"""Claims about single deals that hold if nothing goes wrong in them; there may be nothing that can."""

BY_CLAIMS = ("hand-size", "target-total", "trick-total", "exchange-balanced")
"""Claims about single deals that are stated in every deal; so are invariants."""

INDUCTIVE_GOALS = ("conjunct", "match", "ends")
GOALS = (*INDUCTIVE_GOALS, "reached", "refuted")
"""The rules of the nodes that show a root."""

DEEPEST = 500
"""Maximum depth of nested cases; a documented ruleset has a few dozen."""

HALVES = ("counts", "bits")
HOW = (*HALVES, "alone in counts", "alone in bits", "open")


def stated_in_deals(program: c.Program, name: str) -> bool:
    """Whether a claim is stated in every deal, when its play starts or when it ends."""
    invariant = program.invariants.get(name)
    return name in BY_CLAIMS or (invariant is not None and invariant.when in ("play-starts", "hand-ends"))


Watch = Callable[[str, int, int], None]
"""Called with the ruleset, the number of nodes done, and their total."""


@dataclass(slots=True)
class Verified:
    """The result for one certificate; `failed` and `unknown` leaves are described with the lines of their nodes.

    `roots` are the checks claimed to be proved, `refuted` those claimed to be refuted. `not_certified` are all
    others of the ruleset, with the reason that the certificate gives, if it is a known one.
    """

    ruleset: str
    roots: tuple[str, ...]
    refuted: tuple[str, ...]
    not_certified: Mapping[str, str] = field(default_factory=dict)
    leaves: int = 0
    asked: int = 0
    failed: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


def verify(
    lines: Iterable[str],
    load: Callable[[int, str], Ruleset],
    checks: Sequence[str] = (),
    watch: Watch = lambda name, done, of: None,
    ask: Callable[[str], Second] = decided,
) -> Iterator[Verified]:
    """The result for each certificate in a file; `load` gives a ruleset by its name. Raises MalformedError.

    `checks` are those of every ruleset; those that a ruleset states are added here.
    """
    for certificate in read(lines):
        ruleset = load(certificate.line, certificate.ruleset)
        if core_digest(ruleset.program) != certificate.core:
            raise MalformedError(
                certificate.line,
                f"`{certificate.ruleset}` has other rules than those that were checked: check it again with `--certificate`",
            )
        verified = _Verifier(certificate, ruleset, watch, ask).run()
        restated = [name for name, rule in ruleset.own.rules.items() if rule.same_as]
        shown = {*verified.roots, *verified.refuted}
        verified.not_certified = {
            name: why if (why := certificate.reasons.get(name)) in REASONS else NO_CLAIM
            for name in dict.fromkeys([*checks, *ruleset.program.invariants, *restated])
            if name not in shown
        }
        yield verified


@dataclass(slots=True)
class _Known:
    """What is excluded on a path so far, as facts in each abstraction."""

    counts: list[str] = field(default_factory=list)
    bits: list[str] = field(default_factory=list)

    def exclude(self, way: Mapping[str, str]) -> None:
        for half, facts in (("counts", self.counts), ("bits", self.bits)):
            if way[half] != "true":
                facts.append(negation(way[half]))


class _Verifier:
    def __init__(
        self, certificate: Certificate, ruleset: Ruleset, watch: Watch, ask: Callable[[str], Second]
    ) -> None:
        self.of, self.ruleset, self.program, self.watch = certificate, ruleset, ruleset.program, watch
        self.questions = Questions(certificate, ask)
        proved, refuted = (
            tuple(root.check for root in certificate.roots if root.refuted is kind) for kind in (False, True)
        )
        self.verified = Verified(certificate.ruleset, proved, refuted)
        self.done: set[int] = set()
        self.open_goals: dict[str, int] = {}
        self.open_fault: int | None = None
        self.stated: set[str] = set()
        self.only_impossible: dict[str, Node] = {}
        self.on_a_way: set[str] = set()
        self.candidates: dict[int, int] = {}
        self.goals: list[tuple[int, Node]] = []
        self.matches: list[Node] = []

    def run(self) -> Verified:
        """Verify all nodes, from the goals down."""
        nodes = self.of.nodes
        if not self.of.roots and not self.of.length:
            return self.verified
        joint = self._goals()
        if joint is not None:
            self._deals(joint)
        self._all_runs()
        for fact, node in self.only_impossible.items():
            if fact not in self.on_a_way:
                self._leaf(node, self.questions.possible([fact]), "a fact of it cannot hold at all")
        unused = [node for number, node in enumerate(nodes) if number not in self.done]
        if unused:
            raise MalformedError(unused[0].line, "no proof uses it")
        for goal in (*self.verified.roots, *INDUCTIVE):
            if goal in self.open_goals:
                raise MalformedError(
                    self.open_goals[goal], f"`{goal}` is claimed, and a part of its proof is left open here"
                )
        if self.open_fault is not None and any(node.rule == "ends" for _, node in self.goals):
            raise MalformedError(
                self.open_fault, "matches are said to end, and whether the rules fail is left open here"
            )
        for _, node in self.goals:
            if node.rule == "conjunct" and node.claim not in (*BY_FAULTS, *self.stated):
                raise MalformedError(node.line, f"`{node.claim}` is stated in no deal")
        self.verified.asked = self.questions.asked
        return self.verified

    def _goals(self) -> Node | None:
        """The one induction that all goals about deals and what they lead to belong to; None if there are none."""
        nodes = self.of.nodes
        self.goals = [(number, node) for number, node in enumerate(nodes) if node.rule in GOALS]
        shown = [(node.claim, node.rule == "refuted") for _, node in self.goals]
        if sorted(shown) != sorted((root.check, root.refuted) for root in self.of.roots) or not shown:
            raise MalformedError(self.of.line, "the checks that it claims are not those that it proves")
        self.done |= {number for number, _ in self.goals}
        inductive = [node for _, node in self.goals if node.rule in INDUCTIVE_GOALS]
        if not inductive:
            return None
        joints = {node.premises[0] for node in inductive if node.premises}
        if len(joints) != 1 or nodes[min(joints)].rule != "deals":
            raise MalformedError(inductive[0].line, "a goal is a part of one induction over deals")
        self.done |= joints
        self.matches = [node for node in inductive if node.rule != "conjunct"]
        for node in inductive:
            if node.rule == "conjunct":
                self._conjunct(node)
        return nodes[min(joints)]

    def _conjunct(self, node: Node) -> None:
        """Require a claim about single deals."""
        if len(node.premises) != 1:
            raise MalformedError(node.line, "a goal is a part of one induction over deals")
        if node.claim not in BY_FAULTS and not stated_in_deals(self.program, node.claim):
            raise MalformedError(node.line, f"`{node.claim}` is not a claim about single deals")

    def _deals(self, joint: Node) -> None:
        """Verify the induction over deals, and the goals about what deals lead to."""
        premises = [self.of.nodes[number] for number in joint.premises]
        loops = [node for node in premises if node.rule == "loop"]
        segments = [node for node in premises if node.rule == "segment"]
        last = [node for node in premises if node.rule == "last"]
        self._all_there(joint, loops, segments, last)
        for segment in segments:
            if len(segment.premises) != 1:
                raise MalformedError(segment.line, "a segment has one tree of cases")
            self._tree(segment.premises[0], [])
        self.done |= StepGoals(self.of, self.program, self.questions, self._leaf).verify(
            [*last, *self.matches]
        )

    def _all_there(
        self, joint: Node, loops: Sequence[Node], segments: Sequence[Node], last: Sequence[Node]
    ) -> None:
        """Require the beginnings of first and, unless every deal is the last, later deals, and for every loop a round and a continuation."""
        if len(loops) + len(segments) + len(last) != len(set(joint.premises)):
            raise MalformedError(joint.line, "an induction over deals has segments and loops")
        self.done |= set(joint.premises)
        for node in loops:
            number, candidates = node.parts.get("loop"), node.parts.get("candidates")
            if not isinstance(number, int) or not isinstance(candidates, list) or number in self.candidates:
                raise MalformedError(node.line, "a loop has a number and what is assumed at its head")
            self.candidates[number] = len(candidates)
        kinds = [(node.claim, node.parts.get("loop")) for node in segments]
        expected = [(kind, number) for number in self.candidates for kind in ("round", "after")]
        first, later = ([kind for kind in kinds if kind == (claim, None)] for claim in ("first", "later"))
        all_kinds = sorted(map(str, kinds)) == sorted(map(str, [*first, *later, *expected]))
        if not all_kinds or not first or bool(later) == bool(last) or len(last) > 1:
            raise MalformedError(
                joint.line,
                "a part of a deal is left out: a beginning, a round of a loop, or what follows one",
            )

    # ----------------------------------------------------------------------------------------------------------- runs

    def _all_runs(self) -> None:
        """Verify what matches show: that the end can be reached under every choice, or that a check is refuted."""
        for _, node in self.goals:
            if node.rule == "reached":
                self._reached(node)
            elif node.rule == "refuted":
                self._refuted(node)

    def _run(self, node: Node, number: int) -> tuple[Node, Run]:
        of = self.of.nodes[number]
        if of.rule != "run" or of.premises:
            raise MalformedError(node.line, "only a match shows what can happen")
        self.done.add(number)
        try:
            return of, replayed(self.ruleset, of.parts.get("match"))
        except NoMatchError as wrong:
            raise MalformedError(of.line, f"its match cannot be replayed: {wrong}") from None

    def _reached(self, node: Node) -> None:
        """Every choice of parameters and readings has a match that ends."""
        if node.claim != "end-reachable":
            raise MalformedError(node.line, f"`{node.claim}` is not a claim that a match shows")
        choices = choices_of(self.program)
        if choices is None:
            raise MalformedError(node.line, f"there are more than {MOST_CHOICES} choices")
        if len(node.premises) != len(choices):
            raise MalformedError(node.line, f"{len(node.premises)} matches for {len(choices)} choices")
        runs = [self._run(node, number) for number in node.premises]
        if sorted(run.choice for _, run in runs) != sorted(choices):
            raise MalformedError(node.line, "a choice of parameters and readings has no match")
        for of, run in runs:
            self._leaf(of, run.ends, "the match does not end")

    def _refuted(self, node: Node) -> None:
        """A match shows what the check excludes, under one of the readings that the root names."""
        if len(node.premises) != 1:
            raise MalformedError(node.line, "one match refutes a check")
        of, run = self._run(node, node.premises[0])
        root = next(root for root in self.of.roots if root.refuted and root.check == node.claim)
        if not names_readings(run, root.readings):
            raise MalformedError(node.line, "the match is played under other readings than the root names")
        self._leaf(of, shows(self.program, node.claim, run), f"the match does not refute `{node.claim}`")

    # ---------------------------------------------------------------------------------------------------------- cases

    def _tree(self, number: int, facts: list[str], deep: int = 0) -> None:
        node = self.of.nodes[number]
        if deep > DEEPEST:
            raise MalformedError(node.line, f"more than {DEEPEST} cases within one another are not followed")
        self.done.add(number)
        self.watch(self.of.ruleset, len(self.done), len(self.of.nodes))
        here = [*facts, *self.of.names(node, "facts")]
        if node.rule == "split":
            cases = self._cases(node)
            if len(cases) != len(node.premises):
                raise MalformedError(node.line, f"{len(cases)} cases have {len(node.premises)} proofs")
            for premise in dict.fromkeys(node.premises):  # one may show several cases
                some = [case for case, by in zip(cases, node.premises, strict=True) if by == premise]
                self._tree(premise, [*here, any_of(some)], deep + 1)
        elif node.rule == "path" and not node.premises:
            self._path(node, here)
        elif node.rule == "unsat" and not node.premises:
            self._impossible(node, facts, here)
        else:
            raise MalformedError(node.line, f"a case is not shown by `{node.rule}`")

    def _cases(self, node: Node) -> list[str]:
        """All cases: either the listed ones and that none of them holds, or the values that the program declares."""
        declared = node.parts.get("declared")
        if declared is None:
            cases = self.of.names(node, "cases")
            if not cases:
                raise MalformedError(node.line, "it has no case")
            return [*cases, negation(any_of(cases))]
        kind, name = declared if isinstance(declared, list) and len(declared) == 2 else (None, "")
        if kind == "parameter" and name in self.program.parameters:
            values = list(self.program.parameters[name])
        elif kind == "reading" and name in self.program.readings:
            values = list(range(len(self.program.readings[name])))
        else:
            raise MalformedError(node.line, f"the program declares no {kind} `{name}`")
        if node.parts.get("values") != values:
            raise MalformedError(node.line, f"the values of `{name}` are not those that the program declares")
        return [f"|{name}={value}|" for value in values]

    def _impossible(self, node: Node, above: list[str], here: list[str]) -> None:
        counts, bits = (self.of.names(node, half) for half in HALVES)
        for fact in (*here[len(above) :], *counts, *bits):
            self.only_impossible.setdefault(fact, node)
        ways = above[-1:] if len(here) == len(above) and above else None
        self._leaf(node, self.questions.impossible([*here, *counts], ways), "this case can be")

    def _leaf(self, node: Node, holds: bool | None, otherwise: str) -> None:
        self.verified.leaves += 1
        if holds is None:
            self.verified.unknown.append(f"line {node.line}: the solver gave up on whether {otherwise}")
        elif not holds:
            self.verified.failed.append(f"line {node.line}: {otherwise}")

    # ---------------------------------------------------------------------------------------------------------- paths

    def _path(self, node: Node, facts: list[str]) -> None:
        halves = {half: [*facts, *self.of.names(node, half)] for half in HALVES}
        possible = self.questions.possible(halves["counts"])
        self._leaf(node, possible, "the path's facts in counts contradict each other")
        self.on_a_way |= set(halves["counts"])
        possible = self.questions.possible(halves["bits"])
        if possible is False:  # nothing happens this way, but its facts must be sound
            for fact in halves["bits"]:
                self.only_impossible.setdefault(fact, node)
        else:
            self._leaf(node, possible, "the path's facts in bits contradict each other")
            self.on_a_way |= set(halves["bits"])
        excluded = _Known()
        items = [(item, self._way(node, item)) for item in self._items(node, "obligations")]
        if [way["early"] for _, way in items] != sorted((way["early"] for _, way in items), reverse=True):
            raise MalformedError(node.line, "obligations from before the first card must come first")
        for _, part in groupby(items, lambda item: item[1]["early"]):
            before: list[Mapping[str, str]] = []
            for known, group in groupby(part, lambda item: item[0].get("known")):
                ways = [way for _, way in group]
                self._batch(node, ways, self._known(node, known, facts, excluded), before)
                before += [way for way in ways if way["halts"] == "yes"]
                for way in ways:
                    if way["by"] != "open":
                        excluded.exclude(way)
        head = node.parts.get("head")
        if head is None:
            return
        entry = self._items(node, "entry")
        if (
            not isinstance(head, int)
            or head not in self.candidates
            or sorted(str(item.get("candidate")) for item in entry)
            != sorted(map(str, range(self.candidates[head])))
        ):
            raise MalformedError(
                node.line, f"what is assumed of loop {head} is not all proved where the loop is reached"
            )
        everything = _Known([*halves["counts"], *excluded.counts], [*halves["bits"], *excluded.bits])
        self._batch(node, [self._way(node, item) for item in entry], everything, ())

    def _known(self, node: Node, known: object, facts: Sequence[str], excluded: _Known) -> _Known:
        """What was known when something might go wrong: the first so many facts of each kind, and what is excluded."""
        counts, bits = (self.of.names(node, half) for half in HALVES)
        each = (facts, counts, bits)
        if not isinstance(known, list) or [type(number) for number in known] != [int] * 3:
            raise MalformedError(node.line, "`known` is not three numbers of facts")
        if not all(0 <= number <= len(of) for number, of in zip(known, each, strict=True)):
            raise MalformedError(node.line, "`known` counts more facts than there are")
        first, second, third = (of[:number] for number, of in zip(known, each, strict=True))
        return _Known([*first, *second, *excluded.counts], [*first, *third, *excluded.bits])

    def _items(self, node: Node, key: str) -> list[Mapping[str, object]]:
        items = node.parts.get(key)
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise MalformedError(node.line, f"`{key}` is not a list of objects")
        return items

    def _way(self, node: Node, item: Mapping[str, object]) -> dict[str, str]:
        """How something can go wrong, in both abstractions, and how it is claimed to be excluded."""
        if item.get("by") not in HOW:
            raise MalformedError(node.line, f"nothing is excluded by `{item.get('by')}`")
        way = {half: self.of.named(node, item.get(half)) for half in HALVES}
        goal = str(item.get("goal", ""))
        self.stated.add(goal)
        if item["by"] == "open":
            self.open_goals.setdefault(goal, node.line)
            if item.get("halts"):
                self.open_fault = node.line
            if "candidate" in item:
                raise MalformedError(node.line, "what is assumed of a loop is left open")
        flags = {name: "yes" if item.get(name) else "no" for name in ("halts", "early")}
        return {**way, **flags, "by": str(item["by"]), "goal": goal}

    def _batch(
        self,
        node: Node,
        ways: Sequence[Mapping[str, str]],
        known: _Known,
        before: Sequence[Mapping[str, str]],
    ) -> None:
        """Verify that failures are excluded: first those excluded together, then the others one by one.

        Each of the latter may assume that no earlier failure ended the deal, nor one `before`.
        """
        for half in HALVES:
            together = [way for way in ways if way["by"] == half]
            if together:
                facts = known.counts if half == "counts" else known.bits
                answer = self.questions.impossible(facts, [way[half] for way in together])
                self._leaf(node, answer, f"something can go wrong, in {half}")
                for way in together:
                    known.exclude(way)
        for number, way in enumerate(ways):
            if way["by"].startswith("alone"):
                half = way["by"].rpartition(" ")[2]
                earlier = [*before, *(x for x in ways[:number] if x["halts"] == "yes")]
                halted = [negation(x[half]) for x in earlier if x[half] != "true"]
                facts = [*(known.counts if half == "counts" else known.bits), *halted]
                answer = self.questions.impossible(facts, [way[half]])
                self._leaf(node, answer, f"something can go wrong, in {half}")
