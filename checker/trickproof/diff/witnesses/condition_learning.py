"""The condition under which two rulesets diverge: the shortest one that separates the initial states.

Conditions use the standard vocabulary: who was up or down, the targets, who deals. A condition is exact: it
holds in every positive case and in no negative one. If there is no short one, the class is described by its
size, or by a necessary condition, which is worded as such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import combinations
from operator import and_, or_
from sys import intern
from typing import NamedTuple

from trickproof.english.differences import ALWAYS, joined
from trickproof.english.inflection import counted
from trickproof_dsl import core as c
from trickproof_dsl.semantics.machine import initial, run
from trickproof_dsl.semantics.values import Key, Value, as_number

Begin = Mapping[Key, Value]

MOST_PARTS = 3
"""Maximum number of conjuncts in a condition."""

MOST_CASES = 3
"""Maximum number of disjuncts, each of at most two conjuncts."""

MOST_NAMED = 12
"""Largest number of overtricks or undertricks that conditions mention."""

NUMBERS = ("nobody", "one player", "two players", "three players", "four players", "five players")


def condition(program: c.Program, cases: Iterable[Begin], every: Sequence[Begin]) -> str | None:
    """The condition that separates the given cases from all other initial states."""
    inside = {_key(begin) for begin in cases}
    return shortest_condition([(_key(x) in inside, dict(_features(program, x))) for x in every])


def shortest_condition(examples: Sequence[tuple[bool, Mapping[str, bool]]]) -> str | None:
    """The shortest conjunction that holds in exactly the positive examples, or else a short disjunction."""
    positive = [features for of, features in examples if of]
    negative = [features for of, features in examples if not of]
    if not positive:
        return None
    if not negative:
        return ALWAYS
    held = _held(positive, negative)
    every = (1 << len(positive)) - 1
    shared = [name for name, one in held.items() if one.inside == every]
    for number in range(1, MOST_PARTS + 1):
        for parts in combinations(shared, number):
            if not reduce(and_, (held[name].outside for name in parts)):
                return _together(parts)
    return _one_of(held, every)


def necessary_condition(examples: Sequence[tuple[bool, Mapping[str, bool]]]) -> str | None:
    """What holds in all positive examples and in the fewest negative ones; None if it holds in every example."""
    positive = [features for of, features in examples if of]
    negative = [features for of, features in examples if not of]
    parts: list[str] = []
    while negative and len(parts) < MOST_PARTS:
        shared = [name for name in positive[0] if all(x.get(name) for x in positive)] if positive else []
        best = min(shared, key=lambda name: sum(bool(x.get(name)) for x in negative), default="")
        left = [x for x in negative if x.get(best)]
        if len(left) == len(negative) or not best:
            break
        parts, negative = [*parts, best], left
    return only_in_some(_together(parts)) if parts else None


def only_in_some(when: str | None) -> str | None:
    """A condition as a necessary one; None if it says nothing about the cards, or is no clause."""
    if when is None or when.startswith("in "):
        return None
    return f"in some deals in which {when}".replace(", or when ", ", or in which ")


class _Held(NamedTuple):
    """The positive and the negative examples in which something holds, as bit sets."""

    inside: int
    outside: int


def _held(positive: Sequence[Mapping[str, bool]], negative: Sequence[Mapping[str, bool]]) -> dict[str, _Held]:
    """Where each feature holds; of several that hold in the same examples the first, which is the plainest."""
    first: dict[_Held, str] = {}
    for name in dict.fromkeys(name for features in positive for name in features):
        where = _Held(
            *(sum(1 << i for i, x in enumerate(some) if x.get(name)) for some in (positive, negative))
        )
        if where.inside:
            first.setdefault(where, name)
    return {name: where for where, name in first.items()}


def _one_of(held: Mapping[str, _Held], every: int) -> str | None:
    """A short disjunction that covers exactly the positive examples; greedy, widest coverage first."""
    alone = [((name,), one.inside) for name, one in held.items() if not one.outside]
    pairs = [
        ((a, b), held[a].inside & held[b].inside)
        for a, b in combinations(held, 2)
        if not held[a].outside & held[b].outside and held[a].inside & held[b].inside
    ]
    return _covering(alone, every) or _covering([*alone, *pairs], every)


def _covering(exact: Sequence[tuple[tuple[str, ...], int]], every: int) -> str | None:
    """A greedy cover of all cases by a few of some conditions, none of which is redundant; None if it fails."""
    left, chosen = every, list[tuple[tuple[str, ...], int]]()
    while left and len(chosen) < MOST_CASES and exact:
        best = max(exact, key=lambda one: ((one[1] & left).bit_count(), -len(one[0])))
        if not best[1] & left:
            return None
        chosen.append(best)
        left &= ~best[1]
    if left:
        return None
    for one in list(chosen):
        others = [x for x in chosen if x is not one]
        if reduce(or_, (covered for _, covered in others), 0) == every:
            chosen = others
    return ", or when ".join(_together(parts) for parts, _ in chosen)


def _together(parts: Sequence[str]) -> str:
    """Features that hold together: `in the first deal in which x and no y`."""
    deals = [part for part in parts if part.startswith("in ")]
    others = sorted((part for part in parts if part not in deals), key=lambda part: part.startswith("no "))
    return " in which ".join(joined(some) for some in (deals, others) if some)


def _key(begin: Begin) -> object:
    return frozenset(begin.items())


def _features(program: c.Program, begin: Begin) -> Iterable[tuple[str, bool]]:
    """Features of an initial state, shortest and plainest first, with their truth values."""
    first = bool(begin.get(("first-hand",)))
    yield "in the first deal", first
    yield "in any deal but the first", not first
    over = {p: x for (name, *of), x in begin.items() for p in of if name == "over" and isinstance(x, int)}
    if not over:
        return
    up, down = [p for p in over if over[p] > 0], [p for p in over if over[p] < 0]
    yield "somebody was up", bool(up)
    yield "nobody was up", not up
    for who, word in ((up, "up"), (down, "down")):
        for number in range(1, len(over)):
            yield f"{NUMBERS[number]} {'was' if number == 1 else 'were'} {word}", len(who) == number
        yield f"two players were {word} by the same number", _tie(over[p] for p in who)
        yield f"no two players were {word} by the same number", not _tie(over[p] for p in who)
    yield "somebody met the target exactly", any(x == 0 for x in over.values())
    for word, most in (("up", max(over.values())), ("down", max(-x for x in over.values()))):
        for number in range(2, MOST_NAMED + 1):
            yield f"somebody was {word} by {number} or more", most >= number
            yield f"nobody was {word} by {number} or more", most < number
    for word, sign in (("up", 1), ("down", -1)):
        for number in range(1, MOST_NAMED + 1):
            somebody = sign * number in over.values()
            yield f"somebody was {word} by exactly {number}", somebody
            yield f"nobody was {word} by exactly {number}", not somebody
    yield from _by_target(program, begin, over, up)
    yield from _by_seat(program, begin, over)


def _by_target(
    program: c.Program, begin: Begin, over: Mapping[int, int], up: Sequence[int]
) -> Iterable[tuple[str, bool]]:
    """How the players with overtricks compare by their targets in the next deal."""
    target = targets(program, begin)
    if target is None or len(up) != 2:
        return
    more, less = sorted(up, key=lambda p: -over[p])
    if over[more] != over[less]:
        yield "the player with more overtricks has the lower target", target[more] < target[less]
        yield "the player with more overtricks has the higher target", target[more] > target[less]


def _by_seat(program: c.Program, begin: Begin, over: Mapping[int, int]) -> Iterable[tuple[str, bool]]:
    dealer = begin.get(("dealer",))
    if not isinstance(dealer, int):
        return
    seats: list[tuple[str, int]] = [("the dealer", dealer)]
    names = {1: "the player to the dealer's left", program.players - 1: "the player to the dealer's right"}
    seats += [(name, (dealer + offset) % program.players) for offset, name in names.items()]
    tests: list[tuple[str, Callable[[int], bool]]] = [
        ("was up", lambda x: x > 0),
        ("was not up", lambda x: x <= 0),
        ("was down", lambda x: x < 0),
        ("was not down", lambda x: x >= 0),
    ]
    for word, holds in tests:
        for name, p in seats:
            yield f"{name} {word}", holds(over.get(p, 0))


def of_flags(words: Sequence[str], held: Sequence[bool]) -> dict[str, bool]:
    """Features of carried Booleans: whether each held as the deal began."""
    said: dict[str, bool] = {}
    for word, holds in zip(words, held, strict=True):
        said[f"“{word}” applied as the deal began"] = holds
        said[f"“{word}” did not apply as the deal began"] = not holds
    return said


@lru_cache(1_000)
def of_tricks(
    tricks: tuple[int, ...],
    over: tuple[int, ...],
    dealer: int | None,
    teams: tuple[tuple[int, ...], ...] = (),
) -> Mapping[str, bool]:
    """Features of a trick distribution, of the differences from the targets (if known), of the dealer, and of sides if there are any."""
    sides = _of_sides(tricks, dealer, teams) if teams else ()
    features = (*sides, *_of_tricks(tricks, over, dealer), *_of_ties(tricks, dealer))
    return {intern(name): holds for name, holds in features}


def _of_sides(
    tricks: Sequence[int], dealer: int | None, teams: Sequence[Sequence[int]]
) -> Iterable[tuple[str, bool]]:
    sums = [sum(tricks[p] for p in team) for team in teams]
    own = next((n for n, team in zip(sums, teams, strict=True) if dealer in team), None)
    yield "one side takes all the tricks", max(sums) == sum(sums) > 0
    for number in range(1, sum(tricks) + 1):
        taken, fewer = counted(number, "trick"), _fewer(number)
        yield f"one side takes at least {taken}", max(sums) >= number
        yield f"one side takes {fewer}", min(sums) < number
        yield f"no side takes {number} or more tricks", max(sums) < number
        yield f"every side takes at least {taken}", min(sums) >= number
        if own is not None:
            yield f"the dealer's side takes at least {taken}", own >= number
            yield f"the dealer's side takes {fewer}", own < number


def _of_ties(tricks: Sequence[int], dealer: int | None) -> Iterable[tuple[str, bool]]:
    yield "two players take the same number of tricks", _tie(tricks)
    yield "no two players take the same number of tricks", not _tie(tricks)
    if dealer is None:
        return
    named = {(dealer + offset) % len(tricks): name for offset, name in _seats(len(tricks))}
    for one, other in combinations(named, 2):
        who, equal = f"{named[one]} and {named[other]}", tricks[one] == tricks[other]
        yield f"{who} take the same number of tricks", equal
        yield f"{who} do not take the same number of tricks", not equal


def _of_tricks(tricks: Sequence[int], over: Sequence[int], dealer: int | None) -> Iterable[tuple[str, bool]]:
    if over:
        yield "some player is up or down", any(over)
        yield "every player takes exactly as many tricks as the target", not any(over)
    everything = max(tricks) == sum(tricks) > 0
    yield "some player takes all the tricks", everything
    yield "no player takes all the tricks", not everything
    for number in range(1, sum(tricks) + 1):
        taken = counted(number, "trick")
        yield f"some player takes at least {taken}", max(tricks) >= number
        yield f"no player takes {number} or more tricks", max(tricks) < number
        yield f"every player takes at least {taken}", min(tricks) >= number
        yield f"some player takes {_fewer(number)}", min(tricks) < number
        if over:
            more = counted(number, "overtrick")
            yield f"some player has at least {more}", max(over) >= number
            yield f"no player has {number} or more overtricks", max(over) < number
    if over:
        yield "some player takes exactly as many tricks as the target", 0 in over
        yield "no player takes exactly as many tricks as the target", 0 not in over
    for offset, name in _seats(len(tricks)) if dealer is not None else ():
        assert dealer is not None
        seat = (dealer + offset) % len(tricks)
        for word, numbers in (("takes {} tricks", tricks), ("is further {}", over)):
            for least, best in ((False, max), (True, min)) if numbers else ():
                more = ("down" if least else "up") if numbers is over else ("fewer" if least else "more")
                beaten = best(numbers) != numbers[seat]
                yield f"some other player {word.format(more)} than {name}", beaten
                yield f"no other player {word.format(more)} than {name}", not beaten
        if over:
            yield f"{name} takes exactly as many tricks as the target", not over[seat]
            yield f"{name} is up or down", over[seat] != 0
        yield f"{name} takes all the tricks", everything and tricks[seat] == max(tricks)
        for number in range(1, sum(tricks) + 1):
            yield f"{name} takes at least {counted(number, 'trick')}", tricks[seat] >= number
            yield f"{name} takes {_fewer(number)}", tricks[seat] < number
        for number in range(1, sum(tricks) + 1):
            yield f"{name} takes exactly {counted(number, 'trick')}", tricks[seat] == number
            yield f"{name} does not take exactly {counted(number, 'trick')}", tricks[seat] != number


def _fewer(number: int) -> str:
    return "no tricks" if number == 1 else f"fewer than {number} tricks"


def _seats(players: int) -> list[tuple[int, str]]:
    """The named seats, by offset to the left of the dealer."""
    return [
        (0, "the dealer"),
        (1, "the player to the dealer's left"),
        (players - 1, "the player to the dealer's right"),
    ]


def targets(program: c.Program, begin: Begin) -> list[int] | None:
    """The targets of the deal, if their rule determines them before the cards are dealt."""
    code = program.rules.get("targets")
    if code is None or code.body is None or ("dealer",) not in begin:
        return None
    state = initial(program)
    known = {key: x for key, x in begin.items() if key in state.variables}
    after = run(state.but(variables=known), code.body)
    if not after.hand_over:
        return None
    return [as_number(after.variables.get(("target", p), 0)) for p in range(program.players)]


def _tie(values: Iterable[int]) -> bool:
    listed = list(values)
    return len(listed) > len(set(listed))
