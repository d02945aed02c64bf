"""The proof about the deals of a ruleset as nodes of a certificate that another program can check.

Every segment is written as its decision tree, with the facts along each path, the obligations on it, what was
known when each arose, and the abstraction that excludes it; loops are written with what is shown wherever their
heads are reached. `certificates/` reads this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from trickproof.analysis.parameter_classes import first_alike
from trickproof.proofs.hands.loop_invariants import CandidateInvariant
from trickproof.proofs.hands.path_queries import Way, judged_together
from trickproof.proofs.hands.prover import HandProof, PathWritten, Segment
from trickproof.proofs.smt.parts import Nodes, Parts
from trickproof.proofs.smt.path_enumeration import Decision
from trickproof.proofs.smt.symbolic_values import Bool
from trickproof.proofs.symbolic.path_state import Known, LoopHead, Obligation, PathState
from trickproof_dsl import core as c

Json = dict[str, object]
Prefix = tuple[int, ...]


def any_follows(proof: HandProof) -> bool:
    """Whether a deal can follow another."""
    later = [segment for segment in proof.segments if segment.start is not None and segment.start.later]
    return any(written.possible for segment in later for written in segment.written.values())


@dataclass
class Writer:
    """Writes nodes in order, premises first; `goal` names the check that an obligation belongs to."""

    program: c.Program
    proof: HandProof
    goal: Callable[[Obligation], str]
    more: Sequence[object] = ()
    """Terms of other nodes that share the same named parts."""
    nodes: Nodes = field(default_factory=Nodes)
    stated: set[str] = field(default_factory=set)
    """The checks to which some obligation belongs."""
    parts: Parts = field(init=False)

    def __post_init__(self) -> None:
        self.heads: list[LoopHead] = [invariant.head for invariant in self.proof.heads]
        self.parts = Parts([*self._roots(), *self.more])

    def write(self, last: Sequence[int] = ()) -> int:
        """Write the nodes of the induction over deals; the number of the last, which combines them.

        `last` is a node that shows every deal to be the last of its match, if no deal follows another.
        """
        written = [x for x in self.proof.segments if not (last and x.start is not None and x.start.later)]
        segments = [self._segment(segment) for segment in written]
        loops = [self._loop(number) for number in range(len(self.heads))]
        return self._node("deals", [*segments, *loops, *last], "nothing goes wrong in any deal")

    def _node(self, rule: str, premises: Sequence[int], claim: str, parts: Json | None = None) -> int:
        return self.nodes.add(rule, premises, claim, parts)

    def _names(self, facts: Sequence[Bool]) -> list[str]:
        return [self.parts.name(fact) for fact in facts if fact is not True]

    # ------------------------------------------------------------------------------------------------------- segments

    def _segment(self, segment: Segment) -> int:
        kind = "later" if segment.start is not None and segment.start.later else "first"
        loop = None
        if segment.invariant is not None:
            kind, loop = "round" if segment.within else "after", self.heads.index(segment.invariant.head)
        tree = self._tree(segment, (), -1)
        return self._node("segment", [tree], kind, {"loop": loop})

    def _tree(self, segment: Segment, prefix: Prefix, after: int) -> int:
        """What is shown for all runs with a prefix of answers; `after` is the index of the last fact at that point."""
        if prefix in segment.written:
            return self._path(segment.written[prefix], after)
        written = next(w for answers, w in segment.written.items() if answers[: len(prefix)] == prefix)
        oracle = written.path.state.oracle
        decision = oracle.trace[len(prefix)]
        premises = []
        for number, excluded in enumerate(segment.cases.decisions[prefix]):
            case = (*prefix, number)
            if excluded is None:
                premises.append(self._tree(segment, case, decision.facts))
            else:
                premises.append(self._node("unsat", [], "this case cannot be"))
        if (
            decision.declared in self.program.parameters
        ):  # a value is shown by what shows the first one of its class
            alike = first_alike(self.program)[decision.declared]
            shown = dict(zip(dict.fromkeys(alike.values()), premises, strict=True))
            premises = [shown[first] for first in alike.values()]
        facts = self._names(oracle.facts[after + 1 : decision.facts])
        return self._node("split", premises, "all cases", {"facts": facts, **self._cases(decision)})

    def _cases(self, decision: Decision) -> Json:
        program, name = self.program, decision.declared
        if name in program.parameters:
            return {"declared": ["parameter", name], "values": list(program.parameters[name])}
        if name:
            return {"declared": ["reading", name], "values": list(range(len(program.readings[name])))}
        return {"cases": [self.parts.name(case) for case in decision.alternatives[:-1]]}

    def _path(self, written: PathWritten, after: int) -> int:
        state = written.path.state
        shared: Json = {
            "facts": self._names(state.oracle.facts[after + 1 :]),
            "counts": self._names(state.world.count_facts),
            "bits": self._names(state.world.bit_facts),
        }
        if not written.possible:
            return self._node("unsat", [], "nothing goes this way", shared)
        early = judged_together(written.obligations[: state.milestone])
        late = judged_together(written.obligations[state.milestone :])
        groups = [*((group, True) for group in early), *((group, False) for group in late)]
        how = iter(written.how)
        obligations = [
            {
                "goal": self.goal(obligation),
                "halts": obligation.halts,
                "counts": self.parts.name(obligation.counts),
                "bits": self.parts.name(obligation.bits),
                "by": next(how),
                "early": early,
                "known": self._known(state, group[-1].known),
            }
            for group, early in groups
            for obligation in group
        ]
        self.stated.update(str(obligation["goal"]) for obligation in obligations)
        head = None if written.head is None else self.heads.index(written.head)
        shared |= {"obligations": obligations, "head": head, "entry": self._entry(written)}
        return self._node("path", [], "all that can go wrong on this way is excluded", shared)

    def _known(self, state: PathState, known: Known) -> list[int]:
        """How many of the facts written for a path an obligation may rest on: along it, in counts, and in bits."""
        of = (
            state.oracle.facts[: known.facts],
            state.world.count_facts[: known.counts],
            state.world.bit_facts[: known.bits],
        )
        return [len(self._names(facts)) for facts in of]

    def _entry(self, written: PathWritten) -> list[Json]:
        if written.head is None:
            return []
        believed = self._believed(self.heads.index(written.head))
        return [
            {
                "candidate": believed.index(candidate),
                "counts": self.parts.name(way[0]),
                "bits": self.parts.name(way[1]),
                "by": how,
            }
            for candidate, way, how in written.entry
            if candidate in believed
        ]

    def _believed(self, loop: int) -> list[CandidateInvariant]:
        return self.proof.heads[loop].candidates

    def _loop(self, number: int) -> int:
        claims = [f"{x.kind} {' '.join(map(str, x.key))}" for x in self._believed(number)]
        return self._node("loop", [], "in every round", {"loop": number, "candidates": claims})

    def _roots(self) -> Iterator[Bool]:
        for segment in self.proof.segments:
            for written in segment.written.values():
                state = written.path.state
                yield from (*state.oracle.facts, *state.world.count_facts, *state.world.bit_facts)
                ways: list[Way] = [(obligation.counts, obligation.bits) for obligation in written.obligations]
                ways += [way for _, way, _ in written.entry]
                for counts, bits in ways:
                    yield from (counts, bits)
