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
from trickproof.checking.engines import State
from trickproof.checking.finding import Finding, new_gaps
from trickproof.checking.played_hand import first_hand
from trickproof.english.inflection import listed
from trickproof.english.seats import names_at_table, with_names
from trickproof.testing.random_play import pick
from trickproof.validate.odd_ends import NOT_ITS_WINNER, odd_ends, seat_in, value_or_none
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import Node, nodes_in, parts, walk
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.files.model import RuleDecl, in_prelude
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.events import HAND_ENDED, Event
from trickproof_dsl.semantics.expressions import Store
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.values import Value

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
    ways = [
        f"`{rule}`, by {listed([f'`{x}`' for name, x in sorted(setters) if name == rule])}"
        for rule in sorted({name for name, _ in setters})
    ]
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
    """Whether a flaw is only that the table agreed on another number of cards; hand sizes and targets must be right.

    If targets do not add up to the tricks of a deal, what it calls for is wrong, whatever was agreed.
    """
    size, targets = findings.get("hand-size"), findings.get("target-total")
    return (
        finding.check == "exchange-balanced"
        and finding.verdict.refuted
        and "the previous deal calls for" in finding.message
        and _agreed_in(house) is not None
        and size is not None
        and size.verdict.proved
        and not (targets is not None and targets.verdict.refuted)
    )


def _agreed_in(house: Ruleset) -> RuleDecl | None:
    """The rule of the file, the innermost of several, that says which cards go from hand to hand, or used to in the base."""
    programs = [x.program for x in (house, house.base) if x is not None]
    rules = {rule: None for program in programs for rule in reversed(_rules_of_gifts(program))}
    return next((house.own.rules[name] for name in rules if name in house.own.rules), None)


def _rules_of_gifts(program: c.Program) -> list[str]:
    """The rules in which players give others cards of their hands, and those that call them but the first, outermost first."""
    moves = (x for x in walk(*program.phases) if isinstance(x, c.Move) and x.actor is not None)
    gifts = [x.span for x in moves if x.source.zone == x.target.zone == "hand"]
    return list(dict.fromkeys(rule for span in gifts for rule in rules_at(program, span)[1:]))


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
            sure = isinstance(node.low, c.Literal) and bool(node.low.value)
            who = "a player has to show" if sure else "a player may show"
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
    for events, after in _steps_of_matches(program):
        later: set[int] = set()
        for event in reversed(events):
            if event in HAND_ENDED:
                break
            several = (x for _, kind, x in event.fields if kind == c.CARDS and isinstance(x, frozenset))
            cards = {x for _, kind, x in event.fields if kind == c.CARD}.union(*several)
            by = [x for key, kind, x in event.fields if key == "player" and kind == c.PLAYER]
            for player in by if event.name in shows else ():
                for holder in {*range(program.players)} - {player}:
                    if (cards - later).intersection(after.cards("hand", holder)):
                        who, whose = (seat_in(after, x) for x in (player, holder))
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
    alive = list(_walk_where_it_matters(program.phases))
    read = {node.name for node in alive if isinstance(node, c.Variable)}
    uses = sum(isinstance(node, c.Local) and node.name == binder for node in every)
    idle = sum(
        (isinstance(node, c.Show) and _is_local(node.cards, binder))
        or (isinstance(node, c.Assign) and _is_local(node.value, binder) and node.variable not in read)
        for node in every
    )
    return uses > idle


def _walk_where_it_matters(node: object) -> Iterator[Node]:
    """Every node but the conditions between two things that are the same."""
    for part in nodes_in(node):
        same = isinstance(part, c.Branch | c.Conditional) and part.then == part.otherwise
        yield part
        yield from _walk_where_it_matters(part.then if same else tuple(parts(part)))


def _options(program: c.Program, choice: c.ChooseValue) -> int | None:
    """How many values a choice has, if that is always the same."""
    store = Store(program, {}, {}, {}, {})
    domain = value_or_none(choice.domain, store, {})
    if not isinstance(domain, frozenset):
        return None
    fits = [value_or_none(choice.condition, store, {choice.binder: x}) for x in domain]
    return None if None in fits else sum(map(bool, fits))


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
        elif not node.or_none and _options(program, node) == 1:
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


def _odd_ends(ruleset: Ruleset) -> Iterator[Warning]:
    file = ruleset
    while not {"end", "winner"} & file.own.rules.keys() and file.base is not None:
        file = file.base
    own = [file.own.rules[name].name.span for name in ("end", "winner") if name in file.own.rules]
    rule = ruleset.whole.rules.get("end")
    where = None if rule is None else rule.name.span
    for code, message in odd_ends(ruleset.program):
        yield Warning(code, message, own[-1] if own and code == NOT_ITS_WINNER else where)


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
    return {value_or_none(e, store, state.bound) for e in leads} or {state.program.deck.card_suit[card]}


def _place(ruleset: Ruleset, span: Span) -> Span | None:
    """A span in the ruleset's own files, or the name of the rule that contains it."""
    if span.source in {ruleset.own.source, *(r.name.span.source for r in ruleset.whole.rules.values())}:
        return span
    rules = rules_at(ruleset.program, span)
    rule = ruleset.whole.rules.get(rules[-1]) if rules else None
    return None if rule is None else rule.name.span
