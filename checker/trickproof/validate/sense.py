"""Plausibility warnings: things that all checks accept but that a table would question.

Each is observed in the rules or in play, never guessed: cards shown for no purpose, or by a player who does
not hold them; a choice without effect; a count that is read before anything is counted;
an end that more tricks undo; a match that one player ends and another wins; legal revokes; gifts of a
different size than the previous deal determines. Warnings concern the house rule alone: those of its base are
not repeated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from trickproof.analysis.usage import rules_at
from trickproof.checking.engines import State, run
from trickproof.checking.finding import Finding, new_gaps
from trickproof.checking.played_hand import first_hand
from trickproof.english.inflection import counted, listed
from trickproof.english.seats import names_at_table, seat_names, with_names
from trickproof.testing.match_search import after_play, divided
from trickproof.testing.random_play import pick
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import Node, parts, walk
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.files.model import RuleDecl, in_prelude
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.events import HAND_ENDED, Event
from trickproof_dsl.semantics.expressions import Environment, Store, evaluate
from trickproof_dsl.semantics.faults import EngineLimitError, FaultError
from trickproof_dsl.semantics.values import Key, Value, as_number

DEALS = 24
"""Number of deals played to see whether players may revoke."""

DEALS_OF_MATCHES = 120
"""Number of deals of matches played to see whether players may have to show what they do not hold."""

OFF_CONVENTION = "amounts-off-convention"
"""The code of the warning about gifts whose size the table has agreed on."""


@dataclass(frozen=True, slots=True)
class Warning:
    """What a table would question: the kind of warning, a sentence, and its location."""

    code: str
    message: str
    where: Span | None


def warnings(base: Ruleset | None, house: Ruleset, findings: Sequence[Finding] = ()) -> tuple[Warning, ...]:
    """The warnings for the house rule; `findings` are flaws that only depart from a convention of the base."""
    before = set() if base is None else {(x.code, x.where) for x in _warnings(base)}
    own = [x for x in _warnings(house) if (x.code, x.where) not in before]
    return (*(_off_convention(house, finding) for finding in findings), *own)


def never_set(
    base: Ruleset, findings: Mapping[str, Finding], before: Mapping[str, Finding]
) -> Iterator[Warning]:
    """Sets of cards that rules of the base use and no rule sets any more, always empty, and suits set in vain."""
    mine, theirs = findings.get("rules-complete"), before.get("rules-complete")
    if mine is None or theirs is None:
        return
    for gap in new_gaps(mine, theirs):
        if gap.variable is not None and gap.assumed:
            used = gap.what.startswith("is used")
            more = set_in_base(base, gap.variable) if used else ""
            yield Warning("never-set" if used else "never-used", f"{gap}{more}", gap.where)


def set_in_base(base: Ruleset | None, variable: str) -> str:
    """Which rules of the base set a variable, as the end of a sentence; empty if none does."""
    if base is None:
        return ""
    setters = {
        (rule, node.span.source.line_text(node.span.line).strip())
        for node in walk(*base.program.phases)
        if isinstance(node, c.Assign) and node.variable == variable
        for rule in rules_at(base.program, node.span)[-1:]
    }
    ways = [f"`{rule}`, by `{line}`" for rule, line in sorted(setters)]
    return f"; in {base.id}, it is set in {listed(ways)}" if ways else ""


def _warnings(ruleset: Ruleset) -> Iterator[Warning]:
    for rule in ruleset.own.rules.values():
        if not (rule.text or rule.readings or rule.silent or rule.gives or rule.backing.cites):
            of = f"text of {ruleset.base.id}" if ruleset.base else "standard text"
            message = f"`{rule.name.value}` has no `rule:`, so the {of} stays"
            yield Warning("no-text", message, rule.name.span)
    yield from _shown_for_nothing(ruleset)
    yield from _idle_choices(ruleset)
    yield from _read_too_early(ruleset)
    try:
        yield from _shown_from_elsewhere(ruleset)
        yield from _odd_ends(ruleset)
        yield from _revokes(ruleset)
    except EngineLimitError:  # nothing is known about such deals
        return


# ---------------------------------------------------------------------------------------- exchange amounts


def only_off_convention(house: Ruleset, finding: Finding, findings: Mapping[str, Finding]) -> bool:
    """Whether a flaw is only that the table agreed on another number of cards; hand sizes must be right."""
    size = findings.get("hand-size")
    return (
        finding.check == "exchange-balanced"
        and finding.verdict.refuted
        and "the previous deal calls for" in finding.message
        and _agreed_in(house) is not None
        and size is not None
        and size.verdict.proved
    )


def _agreed_in(house: Ruleset) -> RuleDecl | None:
    """The rule of the file that says how many cards are given, or who gives any."""
    rules = (house.own.rules.get(name) for name in ("exchange-amounts", "exchange-order"))
    return next((rule for rule in rules if rule is not None), None)


def _off_convention(house: Ruleset, finding: Finding) -> Warning:
    rule = _agreed_in(house)
    found = finding.message
    if finding.witness is not None:
        found = with_names(found, names_at_table(finding.witness, house.program.players))
    message = f"the gifts do not always match the results of the previous deal: in one case, {found.replace('; the previous deal calls for', ', but that deal calls for')}"
    return Warning(OFF_CONVENTION, message, None if rule is None else rule.name.span)


# ------------------------------------------------------------------------------------- idle shows and choices


def _shown_for_nothing(ruleset: Ruleset) -> Iterator[Warning]:
    """Cards that a player chooses to show, or always must, although nothing later depends on them."""
    program = ruleset.program
    every = list(walk(*program.phases))
    conditional = {x for x in every if isinstance(x, c.Branch) for x in walk(x) if isinstance(x, c.Show)}
    shows = [node for node in every if isinstance(node, c.Show)]
    chosen = {node.cards.name for node in shows if isinstance(node.cards, c.Local)}
    for node in every:
        if isinstance(node, c.Show) and not isinstance(node.cards, c.Local) and node not in conditional:
            who = "a player has to show"
            cards: c.Expr = node.cards
        elif isinstance(node, c.ChooseCards) and node.binder in chosen and not _used(program, node.binder):
            who = "a player may show"
            cards = node.domain
        else:
            continue
        if any(isinstance(x, c.ZoneCards) and x.zone == "hand" for x in walk(cards)):
            message = (
                f"{who} cards from a hand for no purpose: that gives information away, and no rule uses it"
            )
            yield Warning("shows-for-nothing", message, _place(ruleset, node.span))


def _shown_from_elsewhere(ruleset: Ruleset) -> Iterator[Warning]:
    """A deal of a match played at random in which a player shows a card that is in another player's hand.

    Looked for only where nothing but the moves that are recorded can bring it there after it was shown.
    """
    program = ruleset.program
    every = list(walk(*program.phases))
    shows = {node.label: node for node in every if isinstance(node, c.Show)}
    put = (x for x in every if isinstance(x, c.Move) and x.actor is None and x.target.zone == "hand")
    shuffles = sum(isinstance(node, c.Shuffle) for node in every)
    hands = program.zones.get("hand")
    if not shows or any(put) or shuffles > 1 or hands is None or hands.of != (c.PLAYER,):
        return
    seats = [seat.capitalize() for seat in seat_names(program.players)]
    for events, after in _steps_of_matches(program):
        later: set[int] = set()
        dealer = as_number(after.variables.get(("dealer",), 0))
        for event in reversed(events):
            if event in HAND_ENDED:
                break
            several = (x for _, kind, x in event.fields if kind == c.CARDS and isinstance(x, frozenset))
            cards = {x for _, kind, x in event.fields if kind == c.CARD}.union(*several)
            by = [x for key, kind, x in event.fields if key == "player" and kind == c.PLAYER]
            for player in by if event.name in shows else ():
                for holder in {*range(program.players)} - {player}:
                    if (cards - later).intersection(after.cards("hand", holder)):
                        who, whose = (seats[(x - dealer) % program.players] for x in (player, holder))
                        message = (
                            "a player may have to show cards that another player holds: in a match played "
                            f"at random, {who} shows a card of {whose}'s hand"
                        )
                        where = _place(ruleset, shows[event.name].span)
                        yield Warning("shows-from-elsewhere", message, where)
                        return
            later |= cards


def _steps_of_matches(program: c.Program) -> Iterator[tuple[Sequence[Event], State]]:
    """What happens after each choice in matches played at random, and the state then."""
    readings = dict.fromkeys(program.readings, 0)
    rng, hand = Random(0), first_hand(program, Chance(0), program.defaults, readings)
    for deal in range(1, DEALS_OF_MATCHES):
        while (decision := hand.state.decision) is not None:
            before, hand = hand.state, hand.choose(pick(decision, rng))
            yield hand.state.events[len(before.events) :], hand.state
        if hand.state.hand_over and not hand.state.match_over:
            hand = hand.then(Chance(deal))
        if hand.state.decision is None:
            hand = first_hand(program, Chance(deal), program.defaults, readings)


def _used(program: c.Program, binder: str) -> bool:
    """Whether chosen cards are used other than by being shown or stored in variables that are never read."""
    every = list(walk(*program.phases))
    read = {node.name for node in every if isinstance(node, c.Variable)}
    uses = sum(isinstance(node, c.Local) and node.name == binder for node in every)
    idle = sum(
        (isinstance(node, c.Show) and _is_local(node.cards, binder))
        or (isinstance(node, c.Assign) and _is_local(node.value, binder) and node.variable not in read)
        for node in every
    )
    return uses > idle


def _is_local(e: c.Expr, name: str) -> bool:
    return isinstance(e, c.Local) and e.name == name


def _idle_choices(ruleset: Ruleset) -> Iterator[Warning]:
    """Choices of a value that no rule uses, or that have only one option."""
    program = ruleset.program
    for node in walk(*program.phases):
        if not isinstance(node, c.ChooseValue):
            continue
        if not _used(program, node.binder):
            message = f"the choice of {node.label} makes no difference: no rule uses what was chosen"
            yield Warning("choice-without-effect", message, _place(ruleset, node.span))
        elif isinstance(node.domain, c.Range) and node.domain.low == node.domain.high and not node.or_none:
            message = f"the choice of {node.label} is not a choice: there is only one value"
            yield Warning("choice-without-effect", message, _place(ruleset, node.span))


# ----------------------------------------------------------------------------------------- counts of a deal


def _read_too_early(ruleset: Ruleset) -> Iterator[Warning]:
    """A count of a deal that a rule reads before anything is counted, so that it is what every deal begins with."""
    program = ruleset.program
    counts = {x.name: x for x in program.variables.values() if x.type == c.INTEGER and not x.carried}
    set_later = _assigned(program.hand)
    for rule, name in dict.fromkeys(_read_first(program.hand, "hand", set())):
        declared = ruleset.whole.rules.get(rule)
        where = None if declared is None else declared.name.span
        if name in counts and name in set_later and where is not None and not in_prelude(where):
            message = (
                f"`{rule}` reads `{name}` before it is set in a deal, when it is always {counts[name].initial}; "
                "to use the last deal's, keep it in a variable that is `carried`"
            )
            yield Warning("read-too-early", message, where)


def _assigned(*parts: object) -> set[str]:
    return {node.variable for node in walk(*parts) if isinstance(node, c.Assign)}


def _read_first(body: Sequence[c.Stmt], rule: str, before: set[str]) -> Iterator[tuple[str, str]]:
    """Every reading of a variable that no step before it can have set, with its rule; adds to `before` what the steps may set."""
    for step in body:
        blocks: Sequence[Sequence[c.Stmt]] = ()
        heads: Sequence[Node] = (step,)
        match step:
            case c.InRule():
                yield from _read_first(step.body, step.rule, before)
                continue
            case c.Branch():
                heads, blocks = (step.condition,), (step.then, step.otherwise)
            case c.Loop() | c.Until():  # what one iteration sets the next may read, and what ends the loop
                before |= _assigned(step)
                heads, blocks = (), (step.body,)
            case c.Assign():
                before.add(step.variable)
            case _:
                pass
        yield from (x for head in heads for x in _readings(head, rule) if x[1] not in before)
        for block in blocks:
            yield from _read_first(block, rule, {*before})
        before |= _assigned(*blocks)


def _readings(node: Node, rule: str) -> Iterator[tuple[str, str]]:
    """The variables that an expression or a step reads, each with the rule whose text reads it."""
    if isinstance(node, c.Variable):
        yield rule, node.name
    inside = node.rule if isinstance(node, c.RuleValue) else rule
    for part in parts(node):
        yield from _readings(part, inside)


# --------------------------------------------------------------------------------------- ends of matches


@dataclass(frozen=True, slots=True)
class _Result:
    """How a first deal with this trick distribution ends."""

    tricks: tuple[int, ...]
    ended: bool
    winners: frozenset[int]


def _odd_ends(ruleset: Ruleset) -> Iterator[Warning]:
    results = _results(ruleset.program)
    rule = ruleset.whole.rules.get("end")
    where = None if rule is None else rule.name.span
    if (number := _undone(results)) is not None:
        message = (
            f"a player can end the match by taking {counted(number, 'trick')}, but not by taking {number + 1}"
        )
        yield Warning("end-not-monotone", message, where)
    other = _other_winner(results)
    if other is not None:
        seats = [seat.capitalize() for seat in seat_names(len(other.tricks))]
        taken = ", ".join(f"{seat} {number}" for seat, number in zip(seats, other.tricks, strict=True))
        won = listed([seats[p] for p in sorted(other.winners)])
        message = (
            f"the player who ends the match might not win it: with tricks {taken}, "
            f"the {max(other.tricks)} tricks end it and {won} win{'s' * (len(other.winners) == 1)}"
        )
        yield Warning("end-and-winner", message, where)


def _results(program: c.Program) -> list[_Result]:
    """The end of the first deal for every trick distribution, if the tricks alone decide it."""
    after = after_play(program)
    tricks = program.variables.get("tricks")
    if after is None or tricks is None or tricks.of != (c.PLAYER,):
        return []
    parameters = program.defaults
    hand = first_hand(program, Chance(0), parameters, dict.fromkeys(program.readings, 0))
    while (decision := hand.state.decision) is not None and decision.label != "play":
        hand = hand.choose(pick(decision, None, most=True))
    if hand.state.decision is None:
        return []
    known, size = dict(hand.state.variables), as_number(hand.state.variables.get(("hand-size",), 0))
    results: list[_Result] = []
    for division in divided(size, program.players):
        values: dict[Key, Value] = {("tricks", p): number for p, number in enumerate(division)}
        state: State = run(hand.begin.but(variables=known | values), after)
        if state.fault or state.decision is not None:
            return []
        winners = frozenset(state.winners or ()) if state.match_over else frozenset[int]()
        results.append(_Result(division, state.match_over, winners))
    return results


def _undone(results: Sequence[_Result]) -> int | None:
    """A number of one player's tricks that always ends the match although one more never does."""
    players = range(len(results[0].tricks)) if results else range(0)
    for player in players:
        by_number: dict[int, set[bool]] = {}
        for result in results:
            by_number.setdefault(result.tricks[player], set()).add(result.ended)
        for number in sorted(by_number):
            if by_number[number] == {True} and by_number.get(number + 1) == {False}:
                return number
    return None


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


# ----------------------------------------------------------------------------------------------- revokes


def _revokes(ruleset: Ruleset) -> Iterator[Warning]:
    """A deal in which a player who holds the suit led may play another suit, both by what the rules call it."""
    program = ruleset.program
    leads = [x.value for x in walk(*program.phases) if isinstance(x, c.Assign) and x.variable == "led"]
    leads = [x for x in leads if any(isinstance(y, c.Variable) and y.name == "played" for y in walk(x))]
    for seed in range(DEALS):
        rng = Random(seed)
        hand = first_hand(program, Chance(seed), program.defaults, dict.fromkeys(program.readings, 0))
        while (decision := hand.state.decision) is not None:
            state, led = hand.state, hand.state.variables.get(("led",))
            if decision.label == "play" and led is not None and state.cards("trick"):
                held = [_suits_led(x, state, leads) == {led} for x in state.cards("hand", decision.player)]
                other = [_suits_led(x, state, leads).isdisjoint({led, None}) for x in decision.legal]
                if any(held) and any(other):
                    rule = ruleset.whole.rules.get("follow")
                    message = (
                        "players may revoke: a player who holds a card of the suit led may play another suit "
                        f"(seen in a random deal, seed {seed})"
                    )
                    yield Warning("may-revoke", message, None if rule is None else rule.name.span)
                    return
            hand = hand.choose(pick(decision, rng))


def _suits_led(card: int, state: State, leads: Sequence[c.Expr]) -> set[Value]:
    """The suit that would be led if a card had been, by each of the rules' definitions; None if one does not tell."""
    variables = dict(state.variables) | {key: card for key in state.variables if key[0] == "played"}
    store = Store(state.program, state.parameters, state.readings, variables, state.zones)
    return {_value(e, store, state.bound) for e in leads} or {state.program.deck.card_suit[card]}


def _place(ruleset: Ruleset, span: Span) -> Span | None:
    """A span in the ruleset's own files, or the name of the rule that contains it."""
    if span.source in {ruleset.own.source, *(r.name.span.source for r in ruleset.whole.rules.values())}:
        return span
    rules = rules_at(ruleset.program, span)
    rule = ruleset.whole.rules.get(rules[-1]) if rules else None
    return None if rule is None else rule.name.span


def _value(e: c.Expr, store: Store, bound: Environment) -> Value:
    """The value of an expression; None if it has none there."""
    try:
        return evaluate(e, store, bound)
    except (FaultError, KeyError):
        return None
