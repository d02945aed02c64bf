"""Ranking functions: a number that grows in every deal and is bounded until the match is over.

The bound holds for all carried values, or is preserved by every deal of a match that begins within it, as
when the match ends at a number that it hits exactly.

Candidates are the carried integers: each alone, summed over its owners, and all together, growing or falling.
The proof is by induction over deals, from arbitrary carried values, for every dealer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from trickproof.proofs import kernel
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import PATIENCE, Answer, SolverSession
from trickproof.proofs.smt.symbolic_values import Bool, Int, Symbol, numbers_in
from trickproof.proofs.symbolic.hand_summary import Hand, Settlement
from trickproof_dsl.semantics.values import Key

LARGEST = 10_000_000
"""The largest bound tried."""

Division = Callable[[Int], tuple[Int, ...]]
"""Maps a number of tricks to how many of them each player takes."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """`what` grows (or `falls`) by at least `step` in any `rounds` consecutive deals and stays within `bound` until the end.

    Hence the match is over after at most `hands` deals. The number is the sum of the values at `keys`. If the bound
    is `kept`, it holds because deals preserve it, and a match begins within it.
    """

    what: str
    keys: tuple[Key, ...]
    falls: bool
    step: int
    rounds: int
    bound: int
    kept: bool
    hands: int
    theorem: Theorem

    @property
    def reason(self) -> str:
        """The argument in words."""
        grows, most = ("falls", "least") if self.falls else ("grows", "most")
        every = "in every deal" if self.rounds == 1 else f"in any {self.rounds} deals"
        return (
            f"{self.what} {grows} by at least {self.step} {every} that do{'es' * (self.rounds == 1)} not end it, "
            f"and is at {most} {self.bound} until then"
        )


@dataclass(frozen=True, slots=True)
class _Course:
    """Consecutive deals from an arbitrary state, none of which ends the match."""

    begin: Mapping[Key, Symbol]
    middle: tuple[Mapping[Key, Symbol], ...]
    questions: SolverSession
    numbers: frozenset[int]
    """The integers in the conditions under which a deal ends the match."""


def ranking(settlement: Settlement, division: Division | None = None) -> Ranking | None:
    """The first candidate that is a ranking function, over one deal or else over one round of dealers.

    With a `division`, only deals with these tricks count, from arbitrary carried values.
    """
    start = settlement.start()
    for rounds in dict.fromkeys((1, len(settlement.dealers))):
        courses = [_course(settlement, dealer, rounds, division) for dealer in settlement.dealers]
        possible = [theorem for theorem in map(_possible, courses) if theorem is not None]
        if len(possible) < len(courses):
            return None  # anything would hold vacuously
        for what, keys in _candidates(settlement):
            for falls in (False, True):
                number = _Number(keys, falls)
                begun = number.of(start)
                found = _bounded_growth(courses, number, begun if division is None else None)
                if found is None:
                    continue
                step, bound = found.step, found.bound
                of_rounds = list(zip(possible, found.grows, found.bounded, strict=True))
                claim = f"after finitely many deals {what} is at its bound"
                theorem = kernel.rank(claim, len(settlement.dealers), of_rounds, found.begins)
                room = max(0, bound - begun) if division is None else 0
                hands = (room // step + 1) * rounds
                at_most, kept = -bound if falls else bound, found.begins is not None
                return Ranking(what, tuple(keys), falls, step, rounds, at_most, kept, hands, theorem)
    return None


@dataclass(frozen=True, slots=True)
class _Number:
    """The sum of some carried integers, negated if it `falls`."""

    keys: Sequence[Key]
    falls: bool

    def of(self, values: Mapping[Key, Symbol]) -> Int:
        total = y.total(values[key] for key in self.keys)
        return -total if self.falls else total

    def slower(self, course: _Course, step: int) -> Bool:
        """When it grows by less than `step`."""
        return y.compare("<", self.of(course.middle[-1]) - self.of(course.begin), step)

    def beyond(self, course: _Course, bound: int) -> Bool:
        """When it passes the bound while the match continues."""
        return y.disj(*(y.compare(">", self.of(values), bound) for values in course.middle))

    def passing(self, course: _Course, bound: int) -> Bool:
        """When it passes the bound although it was within it before."""
        return y.conj(y.compare("<=", self.of(course.begin), bound), self.beyond(course, bound))


@dataclass(frozen=True, slots=True)
class _Growth:
    """A number grows by `step` in each course, and is within `bound`, with the theorems for each course."""

    step: int
    bound: int
    grows: Sequence[Theorem]
    bounded: Sequence[Theorem]
    begins: Theorem | None


def _bounded_growth(courses: Sequence[_Course], number: _Number, begun: Int | None) -> _Growth | None:
    """Shown of the number, which is `begun` in the first deal; None if it is not shown, or may not grow."""
    step = _least_step(courses, number)
    if not step:
        return None
    begins = None
    bound = _bound(courses, number)
    within = number.beyond
    if bound is None and begun is not None:
        bound, within = _kept_bound(courses, number, begun), number.passing
        begins = None if bound is None else kernel.lineage("it begins within its bound", begun > bound)
    if bound is None:
        return None
    grows = [course.questions.excluding(number.slower(course, step)) for course in courses]
    bounded = [course.questions.excluding(within(course, bound)) for course in courses]
    shown = [theorem for theorem in (*grows, *bounded) if theorem is not None]
    if len(shown) < 2 * len(courses):
        return None
    return _Growth(step, bound, shown[: len(courses)], shown[len(courses) :], begins)


def _candidates(settlement: Settlement) -> Iterator[tuple[str, list[Key]]]:
    variables, assigns = settlement.program.variables, settlement.subject.usage.assigns
    names = [n for n in sorted(assigns) if variables[n].carried and variables[n].type.kind == "integer"]
    keys = [key for key in sorted(settlement.start()) if key[0] in names]
    for name in names:
        own = [key for key in keys if key[0] == name]
        yield (f"the sum of `{name}`" if len(own) > 1 else f"`{name}`"), own
    for key in keys:
        if len(key) > 1:
            yield f"`{key[0]}` of {' and '.join(map(str, key[1:]))}", [key]
    if len(names) > 1:
        yield "the sum of " + " and ".join(f"`{name}`" for name in names), keys


def _course(settlement: Settlement, dealer: int | None, rounds: int, division: Division | None) -> _Course:
    questions, middle = settlement.solver(PATIENCE), list[Mapping[Key, Symbol]]()
    ends: list[Bool] = []
    begin, _, facts = settlement.unknown(dealer)
    questions.add(*facts)
    following: Mapping[Key, Symbol] = begin
    for number in range(rounds):
        hand: Hand = settlement.hand(following, f"hand{number}", (), division)
        following, interrupted = settlement.following(hand)
        questions.add(*hand.facts, y.neg(hand.ended), y.neg(hand.broken), y.neg(interrupted))
        middle.append(following)
        ends.append(hand.ended)
    return _Course(begin, tuple(middle), questions, numbers_in(*ends))


def _possible(course: _Course) -> Theorem | None:
    """That such deals are possible."""
    return course.questions.theorem if course.questions.possible() is Answer.YES else None


def _least_step(courses: Sequence[_Course], number: _Number) -> int:
    """The least amount by which the number grows; 0 if it may not grow."""

    def slower(step: int) -> bool:
        return any(_may(course, number.slower(course, step)) for course in courses)

    if slower(1):
        return 0
    low, high = 1, 2
    while high < LARGEST and not slower(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if slower(middle) else (middle, high)
    return low


def _bound(courses: Sequence[_Course], number: _Number) -> int | None:
    """The least upper bound of the number while the match continues; None if it is not known."""

    def beyond(bound: int) -> bool:
        return any(_may(course, number.beyond(course, bound)) for course in courses)

    if beyond(LARGEST):
        return None
    low, high = -LARGEST, LARGEST
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if beyond(middle) else (low, middle)
    return low


def _kept_bound(courses: Sequence[_Course], number: _Number, begun: Int) -> int | None:
    """An inductive bound that holds at the start of a match, chosen near an integer in the conditions of the end."""
    of_the_end = {-n if number.falls else n for course in courses for n in course.numbers}
    near = {n + beside for n in of_the_end for beside in (-1, 0, 1)}
    return next(
        (
            bound
            for bound in sorted(near)
            if begun <= bound and not any(_may(course, number.passing(course, bound)) for course in courses)
        ),
        None,
    )


def _may(course: _Course, what: Bool) -> bool:
    return what is not False and course.questions.may(what)
