"""What can go wrong in a deal, for all deals, choices and carried values: every obligation is excluded or left open.

A deal is cut into segments: from its start to the first loop with an unknown number of rounds, one round of
such a loop, and on from there. Every segment is followed along all its paths (`path_enumeration.py`); on each
path every obligation is put to the solver, as cardinality and bit-vector constraints. Invariants at loop
heads are inferred and proved by induction (`loop_invariants.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import z3

from trickproof.checking.verdict import DisagreementError
from trickproof.proofs import kernel
from trickproof.proofs.hands.grounds import TRICKS, Grounds
from trickproof.proofs.hands.initial_states import Start, starts
from trickproof.proofs.hands.loop_invariants import (
    CandidateInvariant,
    LoopInvariant,
    Round,
    at_head,
    begins_round,
    goes_on,
)
from trickproof.proofs.hands.path_queries import ASSUMED_LATER, Path, Way
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.path_enumeration import Cases, PathOracle, TooManyPathsError, explore
from trickproof.proofs.smt.query_cache import effort, forget_much
from trickproof.proofs.smt.solver import Answer, SolverSession, over_budget
from trickproof.proofs.smt.symbolic_values import Bool, Int
from trickproof.proofs.symbolic.cards.card_theory import CardWorld
from trickproof.proofs.symbolic.claims import Claims
from trickproof.proofs.symbolic.fork import Fork
from trickproof.proofs.symbolic.hand_parts import never_occupied
from trickproof.proofs.symbolic.hand_summary import PlayOutcome
from trickproof.proofs.symbolic.path_state import (
    Frame,
    LoopHead,
    Obligation,
    PathState,
    Skipped,
    Stop,
    begin_path,
)
from trickproof.testing.hand_constants import few_sizes
from trickproof.testing.play_courses import Courses
from trickproof.testing.subject import Subject
from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.values import DECK, Key, Value, carried

MOST_SPENT = 150_000_000
"""z3's resource limit for the deals of one ruleset; a documented one takes three to forty million."""

ROUNDS = 60
"""Maximum number of times that loop candidates are revised."""


@dataclass(frozen=True, slots=True)
class Open:
    """An obligation that was not excluded: its readings and parameters, and a start from which it may fail.

    `size` is a number of tricks with which it may fail, if it is about them.
    """

    obligation: Obligation
    readings: Mapping[str, int]
    parameters: Mapping[str, int]
    begin: Mapping[Key, Value] | None
    gave_up: bool
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Gifts:
    """The gifts on one path from a start, with the readings taken and the facts about carried values.

    `numbers` maps giver and receiver to the least and greatest number of cards.
    """

    start: Start
    readings: Mapping[str, int]
    facts: tuple[Bool, ...]
    numbers: Mapping[tuple[int, int | None], tuple[Int, Int]]


Site = tuple[Span, str, str, str]
"""Where and how something can go wrong: the theorem's name for an obligation."""


def site_of(obligation: Obligation) -> Site:
    """The place, kind, label and check of an obligation."""
    return obligation.span, obligation.kind, obligation.label, obligation.check


@dataclass
class HandProof:
    """Everything found about the deals of a ruleset.

    `excluded` counts excluded obligations by place and kind; `open` holds those left; `skipped` steps were
    not encoded; `gaps` are unspecified rules; `limits` say why some part was not followed to the end.
    """

    excluded: dict[Site, int] = field(default_factory=dict)
    open: list[Open] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    gaps: list[tuple[str, Span]] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    open_ties: list[Span] = field(default_factory=list)
    sorts: dict[Span, bool] = field(default_factory=dict)
    readings: set[str] = field(default_factory=set)
    gifts: list[Gifts] = field(default_factory=list)
    paths: int = 0
    loops: int = 0
    theorem: Theorem | None = None
    segments: list[Segment] = field(default_factory=list)
    heads: list[LoopInvariant] = field(default_factory=list)
    even: bool = True
    """Whether every hand is assumed to have as many cards as there are tricks, once that has been checked."""
    outcome: PlayOutcome = PlayOutcome.UNKNOWN
    """What was assumed of the deals before, which this proof shows of every deal (`grounds.py`)."""
    bare: frozenset[str] = frozenset()
    """Zones that are empty in every deal when its play is over."""

    @property
    def whose(self) -> Iterator[tuple[Site, Obligation]]:
        """The open obligations under the names that the theorem uses."""
        yield from ((site_of(left.obligation), left.obligation) for left in self.open)


@dataclass(eq=False, slots=True)
class PathWritten:
    """A path recorded for a certificate: its facts, how each obligation was excluded, and the loop head it reaches.

    `entry` lists the candidates shown at that head, each with when it fails and how that was excluded.
    """

    path: Path
    obligations: tuple[Obligation, ...] = ()
    how: tuple[str, ...] = ()
    possible: bool = True
    head: LoopHead | None = None
    entry: list[tuple[CandidateInvariant, Way, str]] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Segment:
    """A segment of a deal; `begin` prepares a path and the statements to run.

    `cases` is the tree of its paths, `paths` what is shown about each, `reached` the loop heads that it
    reaches, each with the candidates that hold there.
    """

    begin: Callable[[PathOracle], tuple[Fork, list[Frame | LoopHead]]]
    facts: tuple[Bool, ...]
    start: Start | None = None
    invariant: LoopInvariant | None = None
    within: bool = False
    cases: Cases = field(default_factory=Cases)
    paths: dict[tuple[int, ...], Theorem] = field(default_factory=dict)
    reached: list[tuple[LoopHead, frozenset[object], Theorem]] = field(default_factory=list)
    written: dict[tuple[int, ...], PathWritten] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Continued:
    """The paths followed from a loop head, and what was `believed` there."""

    believed: tuple[object, ...]
    segment: Segment
    paths: list[tuple[Path, Stop]] = field(default_factory=list)


class _Prover:
    def __init__(
        self,
        subject: Subject,
        claims: Claims,
        first: int,
        courses: Courses | None = None,
        even: bool = True,
    ) -> None:
        self.program, self.claims, self.session = subject.program, claims, subject.session
        self.name = subject.ruleset.id
        self.proof = HandProof(even=even)
        self.invariants: dict[LoopHead, LoopInvariant] = {}
        self.entries: dict[LoopHead, list[Path]] = {}
        """The paths that came to each loop from before it."""
        self.first, self.courses = first, courses
        self.begun: list[Segment] = []
        self.continued: dict[tuple[LoopHead, bool], Continued] = {}
        """For each loop, one round and what comes after it, as last followed."""

    def run(self, begun: Iterable[Start], outcome: PlayOutcome) -> HandProof:
        some = False
        for start in begun:
            segment = Segment(partial(self._start, start), start.facts, start)
            self.begun.append(segment)
            for path, stop in list(self._follow(segment)):
                some = True
                self._settle(path, stop, segment)
        if not some and not self.proof.limits:
            raise DisagreementError(f"{self.name}: no deal can begin, so every proof would be vacuous")
        self._follow_loops()
        for continued in self.continued.values():
            for path, stop in continued.paths:
                self._settle(path, stop, continued.segment)
        self._guard()
        self.proof.loops, self.proof.outcome = len(self.invariants), outcome
        self.proof.theorem = self._theorem()
        return self.proof

    def _theorem(self) -> Theorem:
        """The theorem about all deals, cases and rounds; nothing follows if some part was not followed to the end."""
        name, outcome, limits = "nothing goes wrong in any deal", self.proof.outcome.value, self.proof.limits
        if limits:
            return kernel.deals(name, outcome, (), (), limits)
        segments = [*self.begun, *(continued.segment for continued in self.continued.values())]
        if self.session.certifying:
            self.proof.segments, self.proof.heads = segments, list(self.invariants.values())
        parts = [kernel.split("part of a deal", x.cases.decisions, x.paths) for x in segments]
        loops = []
        for head, invariant in self.invariants.items():
            reached = [(shown, by) for x in segments for at, shown, by in x.reached if at == head]
            loops.append(kernel.loop("every round", frozenset(invariant.candidates), reached))
        begun = (segment.start for segment in self.begun)
        bounds = [start.theorem for start in begun if start is not None and start.theorem is not None]
        return kernel.deals(name, outcome, parts, loops, (), kernel.symmetry(self.program), bounds)

    def _guard(self) -> None:
        """Guard against vacuous proofs: under everything believed about a loop, some path must be feasible.

        If hands may be uneven they may always be, and that case is assumed away; nothing depends on it, nor
        on a proof that was not followed to the end, nor on a loop that nothing comes to, as the rules always fail
        before. If they may fail before, it is left undecided whether anything comes to it.
        """
        if self.proof.limits or (self.proof.even and _uneven(self.proof)):
            return
        for head in self.invariants:
            paths = [path for within in (True, False) for path, _ in self.continued[head, within].paths]
            if any(path.consistent for path in paths):
                continue
            entries = self.entries.get(head, [])
            if not entries or not all(map(_left_open, entries)):
                raise DisagreementError(f"{self.name}: the invariants of a loop contradict each other")
            if not all(map(_comes_to_nothing, entries)):
                self.proof.limits.append("whether a loop is ever reached was not found")
                return

    def _follow_loops(self) -> None:
        """Follow every loop (one round, and what comes after it) until everything believed at its head is preserved.

        Only parts that started from a belief since given up are followed again.
        """
        for _ in range(ROUNDS):
            parts = [(head, within) for head in self.invariants for within in (True, False)]  # a round first
            stale = [part for part in parts if self._is_stale(*part)]
            if not stale:
                self.continued = {part: self.continued[part] for part in parts}
                return
            for part in stale:
                for _ in range(ROUNDS):
                    if not self._is_stale(*part):
                        break
                    self._continue(*part)
        self.proof.limits.append("what holds in every round of a loop was not found")

    def _continue(self, head: LoopHead, within: bool) -> None:
        """Follow one round of a loop, or what comes after it, until some belief turns out to be wrong."""
        invariant = self.invariants[head]
        segment = Segment(partial(self._from_head, invariant, within), (), invariant=invariant, within=within)
        continued = self.continued[head, within] = Continued(invariant.believed(), segment)
        for path, stop in self._follow(segment):
            continued.paths.append((path, stop))
            if self._is_stale(head, within):
                return

    def _is_stale(self, head: LoopHead, within: bool) -> bool:
        continued = self.continued.get((head, within))
        return continued is None or continued.believed != self.invariants[head].believed()

    # ------------------------------------------------------------------------------------------ segments

    def _start(self, start: Start, oracle: PathOracle) -> tuple[Fork, list[Frame | LoopHead]]:
        world = CardWorld(self.program.deck, "c")
        zones = dict.fromkeys(start.zones, world.none) | {(DECK,): world.known(range(world.width))}
        if start.scattered:
            names = [str(key) for key in start.zones]
            zones = dict(zip(start.zones, world.parts(names), strict=True))
        state = begin_path(self.program, world, oracle, start.variables, zones, parameters=start.parameters)
        fork = Fork(state, self.claims)
        state.variables |= {
            key: state.unknown(self.program.variables[key[0]].type)
            for key, value in start.variables.items()
            if value is y.OPAQUE
        }
        return fork, [Frame(self.program.hand), Frame(start.gathered)]

    def _from_head(
        self, invariant: LoopInvariant, within: bool, oracle: PathOracle
    ) -> tuple[Fork, list[Frame | LoopHead]]:
        # a name of its own: terms from before the loop belong to other worlds, of which nothing is known here
        tag = f"h{list(self.invariants).index(invariant.head)}"
        world = CardWorld(self.program.deck, tag)
        fork, round_ = at_head(invariant, self.program, world, oracle, self.claims)
        return fork, (begins_round if within else goes_on)(fork, round_, invariant)

    def _follow(self, segment: Segment) -> Iterator[tuple[Path, Stop]]:
        """Enumerate the feasible paths of a segment."""

        def run(oracle: PathOracle) -> tuple[Fork, Stop]:
            fork, stack = segment.begin(oracle)
            return fork, fork.go(stack)

        try:
            for fork, stop in explore(self.session, run, segment.facts, cases=segment.cases):
                path = Path(fork, self.proof.even)
                if self._exhausted():
                    return
                if path.possible:
                    if stop.at is not None:
                        self._reached(stop, path, segment)
                    yield path, stop
                else:
                    answers = tuple(fork.state.oracle.answers)
                    if self.session.certifying:
                        segment.written[answers] = PathWritten(path, possible=False)
                    segment.paths[answers] = kernel.abstraction("nothing goes this way", path.leaves)
        except TooManyPathsError:
            self.proof.limits.append("there are too many cases")

    def _exhausted(self) -> bool:
        """Whether the resource limit is reached, so that the rest is left undecided."""
        over = over_budget(self.session)
        if not over and effort(self.session) - self.first < MOST_SPENT:
            return False
        limit = f"the proof exceeds the {'budget' if over else 'work limit'}"
        if limit not in self.proof.limits:
            self.proof.limits.append(limit)
        return True

    def _reached(self, stop: Stop, path: Path, segment: Segment) -> None:
        """Drop the candidates about a loop that do not hold where it is reached."""
        state, head = path.state, stop.at
        assert head is not None
        invariant = self.invariants.get(head)
        if invariant is None:
            some_value = path.end.counts.some_value
            invariant = LoopInvariant(head, state.playing, state, some_value, courses=self.courses)
            self.invariants[head] = invariant
        if not stop.around:
            self.entries.setdefault(head, []).append(path)
            if segment.invariant is None or state.playing != invariant.playing:
                invariant.playing = invariant.playing or state.playing
            invariant.enter(state)
        same_round = stop.around and segment.invariant is invariant and segment.within
        gone = _rounds(state) + 1 if same_round else (_rounds(state) if stop.around else 0)
        if stop.around and not same_round:
            gone = state.unknown(c.INTEGER)
        round_ = Round(path.encoder, head, gone, self.courses)
        path.early()
        ways = [round_.fails(candidate) for candidate in invariant.candidates]
        answers = path.excluded(ways)
        if any(answer is not Answer.NO for answer, _ in answers):
            path.answers()  # facts about what cannot happen help
            answers = path.excluded(ways)
        tried = invariant.candidates
        invariant.candidates = [
            candidate
            for candidate, (answer, _) in zip(invariant.candidates, answers, strict=True)
            if answer is Answer.NO
        ]
        if self.session.certifying:
            entry = zip(tried, ways, answers, strict=True)
            segment.written[tuple(state.oracle.answers)] = PathWritten(
                path, head=head, entry=[(x, way, how) for x, way, (no, how) in entry if no is Answer.NO]
            )
        shown = frozenset(invariant.candidates)
        excluded = zip(ways, answers, strict=True)
        held = [(_asked(*way), "", True) for way, (answer, _) in excluded if answer is Answer.NO]
        segment.reached.append((head, shown, kernel.path("at the head of a loop", held, path.leaves)))

    # ------------------------------------------------------------------------------------------- answers

    def _settle(self, path: Path, stop: Stop, segment: Segment) -> None:
        proof, state = self.proof, path.state
        proof.paths += 1
        proof.skipped += [s for s in state.skipped if s.step not in [known.step for known in proof.skipped]]
        if stop.gap is not None and stop.gap not in proof.gaps:
            proof.gaps.append(stop.gap)
        proof.open_ties += [span for span in state.open_ties if span not in proof.open_ties]
        for span, several in state.sorts.items():
            proof.sorts[span] = several or proof.sorts.get(span, False)
        proof.readings |= state.readings.keys()
        if segment.start is not None:
            numbers = {(p.actor, p.to): (p.low, p.high) for p in state.picks if p.label == "give"}
            proof.gifts.append(Gifts(segment.start, dict(state.readings), tuple(state.oracle.facts), numbers))
        answered = list(zip(state.obligations, path.answers(), strict=True))
        ways = [(_asked(o.counts, o.bits), site_of(o), answer is Answer.NO) for o, answer in answered]
        segment.paths[tuple(state.oracle.answers)] = kernel.path("a path", ways, path.leaves)
        if self.session.certifying:
            written = segment.written.setdefault(tuple(state.oracle.answers), PathWritten(path))
            written.obligations, written.how = tuple(state.obligations), tuple(path.how)
        for obligation, answer in answered:
            site = site_of(obligation)
            if answer is Answer.NO:
                proof.excluded[site] = proof.excluded.get(site, 0) + 1
                continue
            known = [o for o in proof.open if site_of(o.obligation) == site]
            if len(known) < 3:
                start = segment.start
                begin = self._begin(path, obligation, start) if start is not None and start.exact else None
                undecided = replace(obligation, counts=True, bits=True)
                proof.open.append(
                    Open(
                        undecided,
                        dict(state.readings),
                        dict(state.parameters),
                        begin,
                        answer is Answer.GAVE_UP,
                        self._size(path, obligation)
                        if obligation.check == TRICKS and not obligation.label
                        else None,
                    )
                )

    def _size(self, path: Path, obligation: Obligation) -> int | None:
        """A number of tricks with which the obligation may fail."""
        solver, state = SolverSession(self.session), path.state
        solver.add(*state.oracle.facts, *state.world.count_facts)
        with solver.supposing(obligation.counts):
            size = solver.concrete(state.variables[("hand-size",)]) if solver.model() else None
        return size if isinstance(size, int) else None

    def _begin(self, path: Path, obligation: Obligation, start: Start) -> Mapping[Key, Value] | None:
        """Carried values from which the obligation may fail: fewest cards to exchange, then a fixed order."""
        smallest_first: list[Int] = [
            y.total(
                y.choose(y.compare(">", v, 0), v, 0) for k, v in start.variables.items() if k[0] == "over"
            )
        ]
        smallest_first += start.tricks
        state = path.state
        solver = SolverSession(self.session)
        solver.add(*state.oracle.facts, *state.world.count_facts)
        with solver.supposing(obligation.counts):
            if solver.smallest([x for x in smallest_first if not isinstance(x, int)]) is None:
                return None
            if not solver.model():
                return None
            values = carried(self.program, start.variables).items()
            return {key: solver.concrete(value) for key, value in values if value is not y.OPAQUE}


def _asked(counts: Bool, bits: Bool) -> bool:
    """Whether the solver has to exclude it: it is not the constant false in either abstraction."""
    return counts is not False and bits is not False


def _rounds(state: PathState) -> Int:
    return z3.Int(f"{state.world.tag}.rounds")


def prove_hand(subject: Subject, claims: Claims) -> HandProof:
    """Follow every deal of a ruleset, assuming as much about earlier deals as it can prove about each.

    Raises DisagreementError if its own assumptions are contradictory.
    """
    proof = _strongest(subject, claims, tuple(PlayOutcome))
    assert proof is not None
    return proof


def prove_fixed_total(subject: Subject, claims: Claims) -> HandProof | None:
    """The same proof, if by it the dealer determines how many tricks are taken; otherwise None, and no weaker one is looked for."""
    return _strongest(subject, claims, tuple(x for x in PlayOutcome if x.fixed_total))


def _strongest(subject: Subject, claims: Claims, outcomes: Sequence[PlayOutcome]) -> HandProof | None:
    """The proof under the first outcome of the play that holds; if none need hold, also one that leaves claims open."""
    whole = PlayOutcome.UNKNOWN in outcomes
    forget_much(subject.session)
    first, bare = effort(subject.session), never_occupied(subject)

    def proof_of(outcome: PlayOutcome, even: bool) -> HandProof | None:
        grounds = Grounds(subject, outcome, bare)
        if not grounds.possible:
            return None

        def proof_from(begun: Sequence[Start]) -> HandProof:
            prover = _Prover(subject, grounds.besides(claims), first, grounds.courses, even)
            return prover.run(begun, outcome)

        begun = list(starts(subject, outcome, bounded=True))
        if subject.session.certifying and any(start.bounds for start in begun):
            # certificates do not cover bounds, which a proof may not need
            proof = proof_from(list(starts(subject, outcome)))
            proof = proof_from(begun) if proof.open else proof
        else:
            proof = proof_from(begun)
        if occupied := bare & {x.obligation.label for x in proof.open if x.obligation.check == TRICKS}:
            bare.difference_update(occupied)
            return proof_of(outcome, even)
        proof.bare = frozenset(bare if outcome is not PlayOutcome.UNKNOWN else ())
        return proof

    def finished(proof: HandProof) -> HandProof:
        """The proof; if it took too much work, an easier one that leaves carried values arbitrary."""
        if not proof.limits or over_budget(subject.session):
            return proof
        prover = _Prover(subject, claims, effort(subject.session), even=True)
        return prover.run(starts(subject, None), PlayOutcome.UNKNOWN)

    for even in (True, False):
        varies = True
        for outcome in outcomes:
            if outcome is PlayOutcome.SOME_SIZE and not varies:
                continue
            proof = proof_of(outcome, even)
            if outcome is PlayOutcome.SOME_SIZE and proof is not None and _found_sizes(subject, proof):
                proof = proof_of(outcome, even)
            if proof is None:
                continue
            varies = any(left.obligation.establishes is not None for left in proof.open)
            if _holds(proof):
                return proof
            if even and outcome is PlayOutcome.UNKNOWN and not _uneven(proof):
                return finished(proof)
            if even and _uneven(proof) and not proof.limits:
                break
        else:
            if not whole:
                return None
    proof = proof_of(PlayOutcome.UNKNOWN, even=True)
    assert proof is not None
    return finished(proof)


def _found_sizes(subject: Subject, proof: HandProof) -> bool:
    """Add the numbers of tricks for which something about them was left open; whether there are any that were not known."""
    known = few_sizes(subject)
    found = {left.size for left in proof.open if left.size is not None} - known
    known |= found
    return bool(found)


def _holds(proof: HandProof) -> bool:
    """Whether the assumptions are proved."""
    shown = all(left.obligation.check != TRICKS for left in proof.open)
    return shown and not proof.limits and not (proof.even and _uneven(proof))


def _uneven(proof: HandProof) -> bool:
    """Whether it is left open that every hand has as many cards as there are tricks."""
    return any(left.obligation.check == ASSUMED_LATER for left in proof.open)


def _comes_to_nothing(path: Path) -> bool:
    """Whether an obligation that is left open fails on a path whatever happens, so that nothing comes to its end."""
    return _left_open(path) and path.consistent and not path.passable


def _left_open(path: Path) -> bool:
    """Whether the rules may fail on a path."""
    return any(answer is not Answer.NO for answer in path.answers())
