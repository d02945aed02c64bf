"""The meaning of every core statement, and the execution of blocks.

Expressions in a statement are evaluated in the order documented at each node of the core.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from trickproof_dsl import core as c
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision, question
from trickproof_dsl.semantics.events import HAND_ENDED, Event, Field, ended, moved
from trickproof_dsl.semantics.expressions import Environment, Store, evaluate, given, key, members
from trickproof_dsl.semantics.faults import FaultError
from trickproof_dsl.semantics.frames import Frame
from trickproof_dsl.semantics.values import DECK, Key, Value, owner_keys


@dataclass(slots=True)
class Run(Store):
    """A state under construction: statements change it until a decision is needed or the last block ends."""

    variables: dict[Key, Value]
    zones: dict[Key, tuple[int, ...]]
    bound: dict[str, Value] = field(default_factory=dict)
    frames: list[Frame] = field(default_factory=list)
    chance: Chance = field(default_factory=Chance)
    events: list[Event] = field(default_factory=list)
    won_by: frozenset[int] | None = None
    again: bool = False


def go_on(run: Run) -> Decision | None:
    """Execute statements up to the next decision; None if all are done.  Raises like `evaluate`."""
    while run.frames:
        frame = run.frames.pop()
        if frame.index < len(frame.body):
            run.frames.append(frame.after())
            decision = execute(frame.body[frame.index], run)
            if decision is not None:
                return decision
        elif frame.loop is not None:
            go_round(frame, frame.loop, run)
    return None


def go_round(frame: Frame, loop: c.Loop | c.Until, run: Run) -> None:
    """Begin another iteration of a loop, if there is one."""
    match loop, frame.rest:
        case c.Loop(), (first, *rest):
            run.bound[loop.binder] = first
            frame = Frame(frame.body, 0, loop, tuple(rest))
        case c.Until(), int(rounds) if not evaluate(loop.condition, run, run.bound):
            if rounds <= 0:
                raise FaultError("loop-bound", "not done after the maximum number of rounds", loop.span)
            frame = Frame(frame.body, 0, loop, rounds - 1)
        case _:
            return
    run.another_step(loop.span)
    run.frames.append(frame)


def execute(t: c.Stmt, run: Run) -> Decision | None:
    """Execute one statement, or push its blocks on the stack; return a decision if one is needed."""
    bound = run.bound
    match t:
        case c.Assign():
            value = evaluate(t.value, run, bound)
            run.variables[key(t.variable, t.arguments, t.span, run, bound)] = value
        case c.Branch():
            run.frames.append(Frame(t.then if evaluate(t.condition, run, bound) else t.otherwise))
        case c.Loop():
            run.frames.append(Frame(t.body, len(t.body), t, ordered(t, run, bound)))
        case c.Until():
            run.frames.append(Frame(t.body, len(t.body), t, given(t.bound, run, bound)))
        case c.InRule():
            run.frames.append(Frame(t.body))
        case c.ChooseCards():
            return cards_to_choose(t, run, bound)
        case c.ChooseValue():
            return value_to_choose(t, run, bound)
        case c.Move():
            move(t, run, bound)
        case c.Show():
            cards = members(t.cards, run, bound)
            for to in sorted(members(t.to, run, bound)) if cards else ():
                run.events.append(moved(t, cards, given(t.actor, run, bound), to))
        case c.Shuffle():
            order = run.chance.shuffled(len(run.program.deck.cards))
            run.zones.update(dict.fromkeys(run.zones, ()))
            run.zones[(DECK,)] = order
            run.chance = Chance(run.chance.seed, run.chance.given, run.chance.shuffles + 1)
        case c.Deal():
            deal(t, run, bound)
        case c.Announce():
            run.events.append(Event(t.event, tuple([announced(*entry, run, bound) for entry in t.fields])))
        case c.EndHand():
            run.again = t.again
            run.events.append(HAND_ENDED[t.again])
            run.frames.clear()
        case c.EndMatch():
            run.won_by = members(t.winners, run, bound)
            run.events.append(ended(run.won_by))
            run.frames.clear()
        case c.Unspecified():
            raise FaultError("unspecified", f"nothing says what `{t.rule}` does", t.span)
        case _:
            assert_never(t)
    return None


def ordered(t: c.Loop, run: Run, bound: Environment) -> tuple[int, ...]:
    """The elements of a loop in the order of its keys, with ties broken as the order specifies."""
    domain = members(t.domain, run, bound)
    if t.order.start is None:
        elements = sorted(domain)
    else:
        start, turn = given(t.order.start, run, bound), 1 if t.order.clockwise else -1
        elements = sorted(domain, key=lambda seat: (seat - start) * turn % run.program.players)
    ranks: dict[int, list[int]] = {x: [] for x in elements}
    for element in elements:
        for highest, binder, e in t.order.keys:
            number = given(e, run, {**bound, binder: element})
            ranks[element].append(-number if highest else number)
    if t.order.ties == "impossible" and len({tuple(rank) for rank in ranks.values()}) < len(elements):
        raise FaultError("tie", "there is a tie, but the rule says that ties are impossible", t.span)
    return tuple(sorted(elements, key=ranks.__getitem__))


def cards_to_choose(t: c.ChooseCards, run: Run, bound: Environment) -> Decision | None:
    """The decision on which cards to pick; if none may be picked, the empty set is bound and nothing is asked."""
    domain = members(t.domain, run, bound)
    low, high = given(t.low, run, bound), given(t.high, run, bound)
    player = given(t.actor, run, bound)
    to = None if t.to is None else given(t.to, run, bound)
    if low < 0 or high < low:
        raise FaultError("bad-number", f"between {low} and {high} cards are asked for", t.span, t.label)
    if high == 0:
        run.bound[t.binder] = frozenset()
        return None
    if len(domain) < low:
        message = f"player {player} must choose {low} of {len(domain)} cards"
        raise FaultError("no-legal-choice", message, t.span, t.label)
    holder = player if t.whose is None else given(t.whose, run, bound)
    whose = None if holder == player else holder
    return Decision(question(t), player, tuple(sorted(domain)), low, min(high, len(domain)), to, whose)


def value_to_choose(t: c.ChooseValue, run: Run, bound: Environment) -> Decision:
    """The decision on which value to pick."""
    player, legal = given(t.actor, run, bound), list[Value]()
    for index in sorted(members(t.domain, run, bound)):
        option = bool(index) if t.value_type.kind == "boolean" else index
        if evaluate(t.condition, run, {**bound, t.binder: option}):
            legal.append(option)
    if t.or_none:
        legal.append(None)
    if not legal:
        raise FaultError("no-legal-choice", f"player {player} has no option", t.span, t.label)
    return Decision(question(t), player, tuple(legal))


def move(t: c.Move, run: Run, bound: Environment) -> None:
    """Move cards, in order of index; record an event if a player moves some."""
    cards = members(t.cards, run, bound)
    source, target = (key(x.zone, x.arguments, x.span, run, bound) for x in (t.source, t.target))
    if not cards.issubset(run.zones[source]):
        raise FaultError(
            "cards-not-there", "cards are moved from a zone that does not hold them", t.span, t.label
        )
    run.zones[source] = tuple([card for card in run.zones[source] if card not in cards])
    run.zones[target] += tuple(sorted(cards))
    if t.actor is not None and cards:
        player = given(t.actor, run, bound)
        to = None if t.to is None else given(t.to, run, bound)
        owners = t.source.arguments
        holder = given(owners[0], run, bound) if [x.type for x in owners] == [c.PLAYER] else None
        run.events.append(moved(t, cards, player, to, holder))


def deal(t: c.Deal, run: Run, bound: Environment) -> None:
    """Deal from the cards given for the place, then from the cards of the deck given nowhere."""
    target = key(t.to.zone, t.to.arguments, t.to.span, run, bound)
    deck, chance = run.zones[(DECK,)], run.chance
    intended = chance.given or {}
    elsewhere = {card for place, cards in intended.items() if place != (DECK,) for card in cards}
    there = intended.get(target, ()) + tuple([card for card in deck if card not in elsewhere])
    count = len(there) if t.count is None else given(t.count, run, bound)
    dealt = there[: max(count, 0)]
    if len(dealt) != count or not frozenset(dealt).issubset(deck):
        raise FaultError(
            "deck-empty", f"too few cards in the deck: {len(dealt)} left, {count} to deal", t.span
        )
    if target in intended:
        intended = {**intended, target: intended[target][count:]}
    run.zones[(DECK,)] = tuple([card for card in deck if card not in dealt])
    run.zones[target] += dealt
    so_far = {**chance.dealt, target: chance.dealt.get(target, ()) + tuple(sorted(dealt))}
    run.chance = Chance(chance.seed, None if chance.given is None else intended, chance.shuffles, so_far)


def announced(name: str, value: c.Expr | str, run: Run, bound: Environment) -> Field:
    """A field of an announcement: zones keep their order, per-player variables are listed by seat."""
    if isinstance(value, str):
        info = run.program.variables[value]
        entries = tuple([run.variables[(value, *owners)] for owners in owner_keys(run.program, info.of)])
        return name, info.type, entries
    if isinstance(value, c.ZoneCards):
        return name, value.type, run.zones[key(value.zone, value.arguments, value.span, run, bound)]
    return name, value.type, evaluate(value, run, bound)
