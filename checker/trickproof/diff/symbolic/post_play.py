"""Whether two grafted programs do the same after play, for all trick distributions and all carried values.

Both settle one deal with the same unknowns. The solver searches for values for which they diverge, one kind
of difference at a time, until it proves that there are no more. Each case is minimised in a fixed order, so
that it does not depend on the solver's choices, and is reported only once a replayed deal shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, product
from math import prod

import z3

from trickproof.analysis.card_locations import shuffles_first
from trickproof.analysis.dependencies import in_play
from trickproof.analysis.seats import seats_alike
from trickproof.analysis.slicing import Slice, sliced
from trickproof.analysis.usage import usage_of
from trickproof.checking.proof_session import ProofSession
from trickproof.diff.witnesses.condition_learning import (
    necessary_condition,
    of_flags,
    of_tricks,
    only_in_some,
    shortest_condition,
)
from trickproof.diff.witnesses.division import Division
from trickproof.english.differences import ALWAYS
from trickproof.english.vocabulary import plain
from trickproof.proofs.hands.initial_states import divisions, moved_key
from trickproof.proofs.model_checking.bounded_model_checking import Trace, search
from trickproof.proofs.model_checking.inductive_invariants import region_with_numbers
from trickproof.proofs.model_checking.transition_system import sizes_of
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import Answer, SolverSession
from trickproof.proofs.smt.symbolic_values import Bool, Symbol, constants, fixed, truth_given
from trickproof.proofs.symbolic.expressions import Encoder, NotEncodedError
from trickproof.proofs.symbolic.hand_parts import split
from trickproof.proofs.symbolic.hand_summary import (
    Hand,
    PlayOutcome,
    Settlement,
    settled_readings,
    unknown_name,
)
from trickproof.proofs.symbolic.path_state import Disclosure
from trickproof.testing.hand_constants import size_varies
from trickproof.testing.subject import MOST_COMBINATIONS, Subject
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.values import Key

MOST_WAYS = 32
"""Maximum number of kinds of difference that are distinguished."""

ENDS_IN_ONE = ("the match ends in a only", "the match ends in b only")
"""How two rulesets differ if the match ends under one of them only."""

MOST_FLAGS = 3
"""Maximum number of carried Booleans in a condition."""


HANDS, WAYS = 12, 3
"""Maximum number of deals that lead to a difference, and of ways tried to reach each."""

SOME = 4
"""Number of deals played to check the derived number of tricks."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The kinds of difference found, and whether they are proved to be all.

    `unseen` if a carried value that only one of the two rulesets has differs: a later deal may show it.
    """

    divisions: tuple[Division, ...]
    all: bool
    unseen: bool = False


def settle(
    one: Ruleset,
    other: Ruleset,
    pinned: tuple[Mapping[str, int], Mapping[str, int]],
    session: ProofSession,
    host: int = 0,
    private: Set[str] = frozenset(),
    worded: bool = True,
    first: bool = False,
) -> Settled:
    """Every kind of difference after play, with the smallest case of each; or those of the `first` dealer who has any.

    Both must do the same before; the first program's steps are used for that part. `host` is the index of the
    ruleset whose matches lead to the deals; `private` are the variables that only one ruleset has; `worded` if conditions
    are wanted. Raises NotEncodedError or GapError.
    """
    mine, theirs = (Subject(ruleset, (), SOME, session) for ruleset in (one, other))
    for varies in filter(None, map(size_varies, (mine, theirs))):
        raise NotEncodedError(varies.reason, varies.span)
    for program in (one.program, other.program):
        _check_shuffled(program)
    before = _before(one.program, other.program)
    divisions: dict[str, Division] = {}
    times: dict[str, int] = {}
    settlements, complete, unseen = 0, True, False
    rules = settled_readings(mine) | settled_readings(theirs)
    rules -= pinned[0].keys() | pinned[1].keys()
    for parameters, readings in _choices(rules, mine, theirs):
        taken = [{**readings, **ways} for ways in pinned]
        pair = (
            Settlement(mine, parameters, taken[0], PlayOutcome.KNOWN_SIZE, before),
            Settlement(theirs, parameters, taken[1], PlayOutcome.KNOWN_SIZE, before),
        )
        for dealer in pair[0].dealers:
            settled, settlements = _Pair(pair, dealer, host, private), settlements + 1
            for which, these in settled.found():
                how = "; ".join(which)
                times[how] = times.get(how, 0) + 1
                known = divisions.get(how)
                wanted = worded and (known is None or known.when is not None)
                when = settled.when(which, these) if wanted else None
                division = partial(settled.division, which, these, parameters)
                if known is None:
                    divisions[how] = replace(division(), when=when)
                else:  # a condition does not mention the dealer that it depends on
                    when = known.when if known.when == when else None
                    divisions[how] = replace(known, when=when, reached=partial(_reached, known, division))
            complete, unseen = complete and settled.complete, unseen or settled.unseen
            if first and divisions:
                return Settled(tuple(divisions.values()), False)
        if len(divisions) > MOST_WAYS:
            raise NotEncodedError("they differ in too many ways", one.program.rules["hand"].span)
    always = (
        x if times[how] == settlements else replace(x, when=only_in_some(x.when))
        for how, x in divisions.items()
    )
    if unseen and not (theirs, mine)[host].usage.reads.isdisjoint(private):
        complete = False  # nothing is known about deals that the other's matches lead to
    return Settled(tuple(always), complete, unseen)


def _reached(one: Division, another: Callable[[], Division]) -> Iterator[Division]:
    """What either of two deals with the same difference leads to: matches need not come to both dealers."""
    yield from one.reached()
    other = another()
    yield other
    yield from other.reached()


def _check_shuffled(program: c.Program) -> None:
    """Check that it does not matter where cards lie when a deal begins. Raises NotEncodedError."""
    moving = [
        x for x in walk(split(program)[1], program.between) if isinstance(x, c.Move | c.Deal | c.Shuffle)
    ]
    if moving and not shuffles_first(program.hand):
        raise NotEncodedError("cards are dealt as they lay after the last deal", moving[0].span)


def _before(one: c.Program, other: c.Program) -> tuple[tuple[c.Stmt, ...], Slice]:
    """The steps up to the end of play, and the slice of them that matters for what either does afterwards."""
    parts = [split(program) for program in (one, other)]
    reads = usage_of(*(after for _, after in parts), one.between, other.between).reads
    return parts[0][0], sliced(parts[0][0], reads - in_play(one))


def _choices(
    rules: Collection[str], mine: Subject, theirs: Subject
) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
    """All values of the parameters and readings that either uses.

    Raises NotEncodedError if there are too many.
    """
    program = mine.program
    names = sorted(mine.usage.parameters | theirs.usage.parameters)
    taken = {**theirs.program.readings, **program.readings}
    known = sorted(rule for rule in rules if rule in taken)
    sizes = [len(program.parameters[name]) for name in names] + [len(taken[x]) for x in known]
    if prod(sizes) > MOST_COMBINATIONS:
        what = "there are too many combinations of parameters and readings"
        raise NotEncodedError(what, program.rules["hand"].span)
    fixed_ones = program.defaults
    for some in product(*(program.parameters[name] for name in names)):
        for ways in product(*(range(len(taken[rule])) for rule in known)):
            yield {**fixed_ones, **dict(zip(names, some, strict=True))}, dict(zip(known, ways, strict=True))


class _Pair:
    """One deal by a given dealer, settled by both."""

    def __init__(
        self, pair: tuple[Settlement, Settlement], dealer: int | None, host: int, private: Set[str]
    ) -> None:
        self.pair, self.dealer, self.host, self.private = pair, dealer, host, private
        self.complete, self.unseen = True, False
        self.known: list[Bool] = []
        self.hands = (pair[0].anywhere(dealer), pair[1].anywhere(dealer))
        self.hidden: Bool = False
        self.next_begins: Bool = False
        """The match goes on, and no rule fails before the next deal."""
        self.ways = dict(self._ways())

    def _ways(self) -> Iterator[tuple[str, Bool]]:
        """Everything that can differ, with the condition under which it does."""
        one, other = self.hands
        yield "the rules fail at run time in a only", y.conj(one.broken, y.neg(other.broken))
        yield "the rules fail at run time in b only", y.conj(other.broken, y.neg(one.broken))
        sound = y.conj(y.neg(one.broken), y.neg(other.broken))
        ended = y.conj(one.ended, other.ended)
        yield ENDS_IN_ONE[0], y.conj(sound, one.ended, y.neg(other.ended))
        yield ENDS_IN_ONE[1], y.conj(sound, other.ended, y.neg(one.ended))
        yield "others win", y.conj(sound, ended, y.neg(equal(one.winners, other.winners)))
        goes_on = y.conj(sound, y.neg(one.ended), y.neg(other.ended))
        names: dict[str, list[Bool]] = {}
        for key in one.after.keys() & other.after.keys():
            if "." not in key[0]:
                names.setdefault(key[0], []).append(y.neg(equal(one.after[key], other.after[key])))
        variables, hidden = self.pair[0].program.variables, list[Bool]()
        for name in self.private & names.keys():
            gone = names.pop(name)
            hidden += gone if variables[name].carried else ()
        for name in sorted(names):
            yield f"{name} differs", y.conj(sound, y.disj(*names[name]))
        (mine, broken), (theirs, wrong) = (
            s.between(h.after, h.again) for s, h in zip(self.pair, self.hands, strict=True)
        )
        yield "the rules fail at run time between hands in a only", y.conj(goes_on, broken, y.neg(wrong))
        yield "the rules fail at run time between hands in b only", y.conj(goes_on, wrong, y.neg(broken))
        self.next_begins = next_begins = y.conj(goes_on, y.neg(broken), y.neg(wrong))
        carried = [
            key for key in mine.keys() & theirs.keys() if variables[key[0]].carried and key != ("dealer",)
        ]
        later = [y.neg(equal(mine[key], theirs[key])) for key in carried if key[0] not in self.private]
        hidden += [y.neg(equal(mine[key], theirs[key])) for key in carried if key[0] in self.private]
        self.hidden = y.conj(sound, y.disj(*hidden))
        even = y.neg(y.disj(*(differ for differs in names.values() for differ in differs)))
        dealer = ("dealer",)
        if dealer in mine and dealer in theirs:
            yield "next dealer differs", y.conj(next_begins, y.neg(equal(mine[dealer], theirs[dealer])))
        yield "the next hand begins otherwise", y.conj(next_begins, even, y.disj(*later))
        told = disclosed_otherwise(self.pair, (one.disclosures, other.disclosures))
        mine_told, their_told = (s.told_between(h.after) for s, h in zip(self.pair, self.hands, strict=True))
        later_told = y.conj(
            goes_on,
            y.neg(one.again),
            y.neg(other.again),
            disclosed_otherwise(self.pair, (mine_told, their_told)),
        )
        yield "other events are told", y.conj(sound, even, y.disj(told, later_told))

    def found(self) -> Iterator[tuple[Sequence[str], Bool]]:
        """Each combination of things that differ in some deal, with the condition under which it does."""
        questions = self._solver()
        if questions.possible(True) is not Answer.YES:
            raise NotEncodedError("no deal can be settled", self.pair[0].program.rules["hand"].span)
        ways = {name: when for name, when in self.ways.items() if when is not False}
        if questions.possible(y.disj(*ways.values(), self.hidden)) is not Answer.NO:
            self.known = self._reachable([*ways.values(), self.hidden])
            questions.add(*self.known)
            self.unseen = self.hidden is not False and questions.possible(self.hidden) is not Answer.NO
        while True:
            some = questions.possible(y.disj(*ways.values()))
            if some is not Answer.YES:
                self.complete = some is Answer.NO
                return
            which = self._first(questions, ways)
            these = y.conj(*(when if name in which else y.neg(when) for name, when in ways.items()))
            yield which, these
            questions.add(y.neg(these))

    def division(
        self,
        which: Sequence[str],
        these: Bool,
        parameters: Mapping[str, int],
    ) -> Division:
        """The smallest deal with this combination."""
        ways = {name: when for name, when in self.ways.items() if when is not False}
        division = self._smallest(which, ways, parameters)
        return replace(division, reached=partial(self._reached, division, these))

    def when(self, which: Sequence[str], these: Bool) -> str | None:
        """The condition in words; None if there is none."""
        questions = self._solver()
        if questions.possible(y.neg(these)) is Answer.NO:
            return ALWAYS
        if questions.possible(y.neg(y.iff(self.next_begins, these))) is Answer.NO:
            return "in every deal that does not end the match"
        alone = y.conj(*(self.ways[name] for name in which))
        whenever = questions.possible(alone, y.neg(these)) is Answer.NO  # nothing else differs then
        return self._when(which, alone if whenever else these)

    def _solver(self) -> SolverSession:
        """A session with the facts about both deals, and what is known of the carried values."""
        questions = self.pair[0].solver()
        for hand in self.hands:
            questions.add(*hand.facts)
        questions.add(*self.known)
        return questions

    def _reached(self, division: Division, these: Bool) -> Iterator[Division]:
        """Deals with the same difference that some of the host's matches reach, fewest deals first."""
        host, one = self.pair[self.host], self.hands[self.host]
        holds = y.conj(these, *(fact for hand in self.hands for fact in hand.facts))
        unknowns = constants(holds)
        keys = [key for key in one.begin if key != ("dealer",) and unknown_name(key) in unknowns]
        kinds = {host.program.variables[key[0]].type.kind for key in keys}
        if self.dealer is None or not keys or not kinds <= {"integer", "boolean"}:
            return
        turns = len(one.tricks) if seats_alike(host.program) else 1

        def so(hand: Hand) -> Bool:
            return y.conj(holds, y.disj(*(self._is(hand, keys, by) for by in range(turns))))

        for way in islice(search(host, so, HANDS), WAYS):
            if isinstance(way, Trace):
                yield replace(division, begin=way.begin, tricks=way.tricks[-1])

    def _is(self, hand: Hand, keys: Collection[Key], by: int) -> Bool:
        """Whether a deal of a match is this one, up to rotating the seats by `by`."""
        one, program = self.hands[self.host], self.pair[self.host].program
        assert self.dealer is not None
        dealt = y.equal(hand.begin[("dealer",)], (self.dealer + by) % program.players)
        begun = (y.equal(one.begin[key], hand.begin[moved_key(program, key, by)]) for key in keys)
        tricks = (
            y.equal(trick, hand.tricks[(p + by) % program.players]) for p, trick in enumerate(one.tricks)
        )
        return y.conj(dealt, *begun, *tricks)

    def _reachable(self, ways: Sequence[Bool]) -> list[Bool]:
        """Proved facts about the carried values that matches reach: up to the divergence they hold for both."""
        if not any(name.startswith("carried.") for name in constants(*ways)):
            return []
        try:
            return region_with_numbers(self.pair[self.host], ways).holds(self.hands[self.host].begin)
        except NotEncodedError:
            return []

    def _first(self, questions: SolverSession, ways: Mapping[str, Bool]) -> list[str]:
        """The lexicographically first combination of the remaining ways."""
        held: list[Bool] = [y.disj(*ways.values())]
        which: list[str] = []
        for name, when in ways.items():
            if questions.possible(*held, y.neg(when)) is Answer.YES:
                held.append(y.neg(when))
            else:
                held.append(when)
                which.append(name)
        return which

    def _when(self, which: Sequence[str], these: Bool) -> str | None:
        """The condition in words: exact if it depends only on the tricks and a few carried Booleans, or on who wins.

        Otherwise it is a necessary one, if there is any.
        """
        one = self.hands[0]
        size = self.pair[0].sizes.get(self.dealer)
        names = {str(x) for x in one.tricks}
        if not isinstance(these, z3.BoolRef) or size is None:
            return None
        flags = self._flags(these)
        over = [one.after.get(("over", p)) for p in range(len(one.tricks))]
        exact = constants(these).keys() <= names | flags.keys()
        flags = flags if exact else {}
        numeric = not any(value is None or value is y.OPAQUE for value in over)
        known_over = numeric and constants(*over).keys() <= names
        cases: list[tuple[bool, dict[str, bool]]] = []
        open_cases = False
        for tricks, held in product(
            divisions(size, len(one.tricks)), product((True, False), repeat=len(flags))
        ):
            taken: dict[z3.ExprRef, int | bool] = dict(zip(one.tricks, tricks, strict=True))
            deviations = [fixed(value, taken) for value in over] if known_over else []
            known = tuple(number for number in deviations if isinstance(number, int))
            taken |= {term: holds for (term, _), holds in zip(flags.values(), held, strict=True)}
            said = of_flags([word for _, word in flags.values()], held)
            said |= of_tricks(tricks, known, self.dealer, self.pair[0].program.teams)
            holds = bool(fixed(these, taken)) if exact else truth_given(these, taken)
            open_cases, cases = open_cases or holds is None, [*cases, (holds is not False, said)]
        shortest = None if open_cases else shortest_condition(cases)
        if shortest is None and "others win" in which:
            shortest = self._by_winners(these)
        return shortest or necessary_condition(cases)

    def _by_winners(self, these: z3.BoolRef) -> str | None:
        """The exact condition in terms of how many players win, if there is one."""
        numbers = [y.total(y.number(holds, 1) for _, holds in hand.winners.of) for hand in self.hands]
        for words, found in (
            ("there are several winners", [y.compare(">", number, 1) for number in numbers]),
            ("there is a winner", [y.compare(">", number, 0) for number in numbers]),
        ):
            ends = [y.conj(hand.ended, x) for hand, x in zip(self.hands, found, strict=True)]
            apart = y.neg(y.iff(*ends))
            if self._solver().possible(y.neg(y.iff(apart, these))) is Answer.NO:
                alone = [x for x in ends if self._solver().possible(these, y.neg(x)) is Answer.NO]
                sides = ("{a}", "{b}") if alone != ends[1:] else ("{b}", "{a}")
                under = f"{sides[0]} but not under {sides[1]}" if alone else "only one of {a} and {b}"
                return f"{words} under {under}"
        return None

    def _flags(self, these: Bool) -> dict[str, tuple[z3.ExprRef, str]]:
        """The carried Booleans that a formula depends on, by solver name: the term and the wording."""
        named = {unknown_name(key): key for key in self.hands[0].begin if len(key) == 1}
        terms = {name: term for name, term in constants(these).items() if name in named and z3.is_bool(term)}
        if len(terms) > MOST_FLAGS:
            return {}
        return {name: (term, plain(str(named[name][0]))) for name, term in sorted(terms.items())}

    def _smallest(
        self,
        which: Sequence[str],
        ways: Mapping[str, Bool],
        parameters: Mapping[str, int],
    ) -> Division:
        """The smallest case in which exactly these things differ."""
        questions, one = self._solver(), self.hands[0]
        questions.add(*(when if name in which else y.neg(when) for name, when in ways.items()))
        carried = {
            key: value for key, value in one.begin.items() if self.pair[0].program.variables[key[0]].carried
        }
        sizes, signs = sizes_of(carried)
        whole = [z3.Sum(*sizes)] if sizes else []
        size = z3.Sum(*one.tricks)
        spread = [
            z3.If(x * len(one.tricks) < size, size - x * len(one.tricks), x * len(one.tricks) - size)
            for x in one.tricks
        ]
        unknowns = constants(*(when for name, when in ways.items()))
        decisions = {
            key: value
            for key, value in one.after.items()
            if key[0] in self.pair[0].reckoned
            and value is not y.OPAQUE
            and constants(value).keys() & unknowns
        }
        decided_sizes, decided_signs = sizes_of(decisions)
        questions.smallest(
            [
                *whole,
                z3.Sum(*spread),
                *one.tricks,
                *sizes,
                *signs,
                *one.choices,
                *decided_sizes,
                *decided_signs,
            ]
        )
        if not questions.model():
            raise NotEncodedError("the solver gave up", self.pair[0].program.rules["hand"].span)
        begin = {key: questions.concrete(value) for key, value in one.begin.items() if value is not y.OPAQUE}
        tricks = tuple(questions.number(x) for x in one.tricks)
        matters = frozenset(key for key in begin if key == ("dealer",) or unknown_name(key) in unknowns)
        decided = {key: questions.concrete(value) for key, value in decisions.items()}
        how = "; ".join(which)
        return Division(self.pair[self.host], begin, matters, tricks, parameters, how, decided=decided)


def disclosed_otherwise(
    pair: tuple[Settlement, Settlement], told: tuple[Sequence[Disclosure], Sequence[Disclosure]]
) -> Bool:
    """The condition under which announcements or cards shown differ."""
    mine, theirs = told
    if len(mine) != len(theirs) or any(
        type(x.step) is not type(z.step) for x, z in zip(mine, theirs, strict=True)
    ):
        return y.disj(*(x.live for x in (*mine, *theirs)))
    differ: list[Bool] = []
    for one, other in zip(mine, theirs, strict=True):
        live = y.conj(one.live, other.live)
        differ.append(y.neg(y.iff(one.live, other.live)))
        differ.append(y.conj(live, y.neg(_same_disclosure(pair, one, other))))
    return y.disj(*differ)


def _same_disclosure(pair: tuple[Settlement, Settlement], one: Disclosure, other: Disclosure) -> Bool:
    if not (isinstance(one.step, c.Announce) and isinstance(other.step, c.Announce)):
        return y.conj(one.step == other.step, _reads_alike(pair, one, other, one.step))
    names = [(step.event, [name for name, _ in step.fields]) for step in (one.step, other.step)]
    if names[0] != names[1]:
        return False
    pairs = zip(one.step.fields, other.step.fields, strict=True)
    return y.conj(*(_same_field(pair, (one, x), (other, z)) for (_, x), (_, z) in pairs))


def _same_field(
    pair: tuple[Settlement, Settlement],
    one: tuple[Disclosure, c.Expr | str],
    other: tuple[Disclosure, c.Expr | str],
) -> Bool:
    if isinstance(one[1], str) or isinstance(other[1], str):
        if one[1] != other[1]:
            return False
        keys = [key for key in one[0].variables if key[0] == one[1]]
        return y.conj(*(equal(one[0].variables[key], other[0].variables[key]) for key in keys))
    values: list[Symbol] = []
    for settlement, (disclosure, field) in zip(pair, (one, other), strict=True):
        assert not isinstance(field, str)
        environment = settlement.environment(disclosure.variables)
        environment.bound |= disclosure.bound
        encoder = Encoder(environment)
        try:
            values.append(encoder.value(field))
        except NotEncodedError:  # it looks at cards
            return y.conj(one[1] == other[1], _reads_alike(pair, one[0], other[0], field))
    return equal(values[0], values[1])


def _reads_alike(
    pair: tuple[Settlement, Settlement], one: Disclosure, other: Disclosure, what: object
) -> Bool:
    """Whether everything that a step or expression reads is the same in both; cards are, if none move after the play."""
    moves = any(
        isinstance(x, c.Move | c.Deal | c.Shuffle)
        for side in pair
        for x in walk(side.after, side.program.between)
    )
    alike: list[Bool] = []
    for node in walk(what):
        match node:
            case c.ZoneCards():
                alike.append(not moves)
            case c.Variable(name=name):
                keys = [key for key in one.variables if key[0] == name]
                alike += [equal(one.variables[key], other.variables[key]) for key in keys]
            case c.Local(name=name) if name in one.bound:
                alike.append(name in other.bound and equal(one.bound[name], other.bound[name]))
    return y.conj(*alike)


def equal(one: Symbol, other: Symbol) -> Bool:
    """Whether two values of the same type are equal."""
    if y.alike(one, other):
        return True
    return y.equal(one, other)
