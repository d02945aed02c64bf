"""Ends of matches that a table would question: one that more tricks undo, and one that another player wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from trickproof.checking.engines import State, run
from trickproof.checking.played_hand import HandPlayed, first_hand
from trickproof.english.inflection import counted, listed
from trickproof.english.seats import seat_names
from trickproof.testing.match_search import after_play, divided
from trickproof.testing.random_play import pick
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import stripped, walk
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.expressions import Environment, Store, evaluate
from trickproof_dsl.semantics.faults import EngineLimitError, FaultError
from trickproof_dsl.semantics.values import Key, Value, as_number

NOT_MONOTONE, NOT_ITS_WINNER = "end-not-monotone", "end-and-winner"

CLIMBED = 12
"""Number of deals in which a count is taken as far as possible, to see whether it passes the number that ends the match."""


@dataclass(frozen=True, slots=True)
class _Result:
    """How a deal with this trick distribution ends, and the state then."""

    tricks: tuple[int, ...]
    after: State

    @property
    def ended(self) -> bool:
        """Whether the match ends with this deal."""
        return self.after.match_over

    @property
    def winners(self) -> frozenset[int]:
        """Whoever wins it then."""
        return frozenset(self.after.winners or ()) if self.ended else frozenset()


def odd_ends(program: c.Program) -> Iterator[tuple[str, str]]:
    """The codes and texts of warnings about the end of a match."""
    first = first_hand(program, Chance(0), program.defaults, dict.fromkeys(program.readings, 0))
    results = _results(first)
    deals = [(first, "", results)]
    if results and results[0].after.hand_over and not any(x.ended for x in results):
        later = HandPlayed(first.begin, results[0].after).then()
        deals.append((later, "after the first deal, ", _results(later)))
    for hand, when, every in deals:
        if (undone := _undone(every)) is not None:
            who = "a player" if undone[0] is None else seat_in(hand.state, undone[0])
            taken = counted(undone[1], "trick")
            yield (
                NOT_MONOTONE,
                f"{when}{who} can end the match by taking {taken}, but not by taking {undone[1] + 1}",
            )
            break
    else:
        if passed := _passed(program, first):
            yield NOT_MONOTONE, passed
    other = _other_winner(results)
    if other is not None:
        taken = ", ".join(f"{seat_in(first.state, p)} {number}" for p, number in enumerate(other.tricks))
        won = listed([seat_in(first.state, p) for p in sorted(other.winners)])
        yield (
            NOT_ITS_WINNER,
            f"the player who ends the match might not win it: with tricks {taken}, "
            f"the {max(other.tricks)} tricks end it and {won} win{'s' * (len(other.winners) == 1)}",
        )


def seat_in(state: State, player: int) -> str:
    """A player's seat, counted from whoever deals."""
    dealer, players = as_number(state.variables.get(("dealer",)) or 0), state.program.players
    return seat_names(players)[(player - dealer) % players].capitalize()


def _results(hand: HandPlayed, counts: Mapping[Key, Value] = MappingProxyType({})) -> list[_Result]:
    """The end of a deal for every trick distribution, if the tricks and some counts before it decide that."""
    program = hand.begin.program
    after, tricks = after_play(program), program.variables.get("tricks")
    if after is None or tricks is None or tricks.of != (c.PLAYER,):
        return []
    while (decision := hand.state.decision) is not None and decision.label != "play":
        hand = hand.choose(pick(decision, None, most=True))
    if hand.state.decision is None:
        return []
    known, size = dict(hand.state.variables), as_number(hand.state.variables.get(("hand-size",), 0))
    results: list[_Result] = []
    for division in divided(size, program.players):
        values: dict[Key, Value] = {("tricks", p): number for p, number in enumerate(division)}
        state = run(hand.begin.but(variables=known | values | dict(counts)), after)
        if state.fault or state.decision is not None:
            return []
        results.append(_Result(division, state))
    return results


def _undone(results: Sequence[_Result]) -> tuple[int | None, int] | None:
    """A number of tricks that always ends the match, as fewer need not, although one more never does; whose, if not everybody's."""
    found: list[tuple[int, int]] = []
    for player in range(len(results[0].tricks)) if results else ():
        by_number: dict[int, set[bool]] = {}
        for result in results:
            by_number.setdefault(result.tricks[player], set()).add(result.ended)
        ends = [number for number in sorted(by_number) if by_number[number] == {True}]
        undone = [x for x in ends if by_number.get(x + 1) == {False} and ends[: x + 1] != [*range(x + 1)]]
        found += [(player, undone[0])] if undone else []
    if not found:
        return None
    player, number = found[0]
    return (None if [x for _, x in found] == [number] * len(results[0].tricks) else player), number


def _passed(program: c.Program, first: HandPlayed) -> str | None:
    """A count kept from deal to deal that ends the match where it is some number, and not where a deal takes it past that."""
    counts = {x.name for x in program.variables.values() if x.carried and x.type == c.INTEGER}
    ends = (x.condition for x in walk(*program.phases) if isinstance(x, c.Branch) and any(map(_ends, x.then)))
    state = first.begin
    store = Store(program, state.parameters, state.readings, {}, {})
    for e in (x for x in walk(*ends) if isinstance(x, c.Compare) and x.operator == "="):
        count, number = stripped(e.left), value_or_none(e.right, store, {})
        if not isinstance(count, c.Variable) or count.name not in counts or not isinstance(number, int):
            continue
        key = next(key for key in state.variables if key[0] == count.name)
        now, before = as_number(state.variables[key] or 0), -1
        for _ in range(CLIMBED):
            if not before < now < number:
                break
            results = _results(first, {key: now})
            reached = {as_number(x.after.variables[key] or 0) for x in results if not x.ended}
            if past := min((x for x in reached if x > number), default=None):
                exactly = _results(first, {key: now + number - past})
                if {x.ended for x in exactly if x.after.variables[key] == number} == {True}:
                    return f"the match ends when `{count.name}` is {number}, but a deal can take it from {now} to {past}, and then it goes on"
                break
            before, now = now, max(reached, default=now)
    return None


def _ends(step: c.Stmt) -> bool:
    return any(isinstance(x, c.EndMatch) for x in walk(step))


def _other_winner(results: Sequence[_Result]) -> _Result | None:
    """A result in which one player's tricks, and any more of them, end the match but another player wins it."""
    players = range(len(results[0].tricks)) if results else range(0)
    if all(result.ended for result in results):
        return None
    for player in players:
        enough = 1 + max(x.tricks[player] for x in results if not x.ended)
        for result in results:
            others = [n for p, n in enumerate(result.tricks) if p != player]
            alone = result.tricks[player] >= enough and result.tricks[player] > max(others, default=0)
            if alone and result.winners and player not in result.winners:
                return result
    return None


def value_or_none(e: c.Expr, store: Store, bound: Environment) -> Value:
    """The value of an expression; None if it has none there, or nobody knows."""
    try:
        return evaluate(e, store, bound)
    except (FaultError, KeyError, EngineLimitError):
        return None
