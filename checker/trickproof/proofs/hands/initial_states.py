"""Initial states of deals: of the first one in a match, and of any later one, whatever the previous deal led to.

Seats are interchangeable as long as rules refer to them only by position relative to the dealer; then it is
enough to consider one dealer (`analysis/seats.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from trickproof.analysis.card_locations import differs_at_start, gathering, shuffled, shuffles_first
from trickproof.analysis.dependencies import first_part
from trickproof.analysis.seats import seats_alike
from trickproof.analysis.usage import usage_of
from trickproof.proofs.hands.carried_bounds import Limit, bounds
from trickproof.proofs.hands.redealt_values import redealt_values
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Int, Symbol, constants, fixed
from trickproof.proofs.symbolic.cards.unknowns import anything
from trickproof.proofs.symbolic.expressions import GapError, NotEncodedError
from trickproof.proofs.symbolic.hand_parts import changed_before_redeal, redeals
from trickproof.proofs.symbolic.hand_summary import (
    PlayOutcome,
    Settlement,
    carried_keys,
    settlements,
    unknown_name,
)
from trickproof.testing.subject import MOST_COMBINATIONS, Subject, seat
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.machine import begin, initial
from trickproof_dsl.semantics.values import Key, Value, carried

MOST_STARTS = 4
"""Maximum number of initial states distinguished by parameters and readings; beyond that, carried values are unknown."""


@dataclass(frozen=True, slots=True)
class Start:
    """Variables before the first step of a deal, the facts known about them, and the tricks of the previous deal.

    `later` if other deals of the match precede it. `exact` unless it over-approximates what deals can lead to;
    `scattered` if cards may be in any zone, of which the steps `gathered` then gather some in the deck.
    `parameters` are those without which no deal begins so.
    """

    variables: Mapping[Key, Symbol]
    zones: tuple[Key, ...]
    facts: tuple[Bool, ...] = ()
    tricks: tuple[Int, ...] = ()
    size: Int = None
    sizes: tuple[int, ...] = ()
    """How many tricks the previous deal can have had, if that is known."""
    later: bool = False
    exact: bool = True
    scattered: bool = False
    gathered: tuple[c.Stmt, ...] = ()
    bounds: tuple[Limit, ...] = ()
    """What is supposed of carried numbers, as the `theorem` says."""
    theorem: Theorem | None = None
    parameters: Mapping[str, int] = field(default_factory=dict)


def starts(subject: Subject, outcome: PlayOutcome | None, bounded: bool = False) -> Iterator[Start]:
    """Every way in which a deal can begin, for one dealer if the seats are alike, otherwise for each.

    `outcome` is assumed of the deals before; None leaves carried values arbitrary. If `bounded`, bounds of the
    carried numbers that a deal reads are looked for.
    """
    program = subject.program
    fresh = initial(program)
    zones = tuple(fresh.zones)
    dealers: list[int | None] = [None]
    if seat(program):
        dealers = [0] if seats_alike(program) else list(range(program.players))
    for dealer in dealers:
        later = [
            _with_cards(program, x, program.between) for x in _later(subject, dealer, zones, outcome, bounded)
        ]
        deals = later[0].variables.get(("dealer",)) if later and len(dealers) == 1 else dealer
        begun = _first(subject, {("dealer",): deals} if isinstance(deals, int) else {}, zones)
        first = [_with_cards(program, start, program.setup) for start in begun]
        yield from first
        yield from later
        yield from _redealt(subject, [*first, *later])


def _with_cards(program: c.Program, start: Start, before: tuple[c.Stmt, ...]) -> Start:
    """The start of a deal after the steps `before` it, with where they leave the cards; all are in the deck before the first deal."""
    gathered = gathering(before)
    if shuffles_first(program.hand) or (gathered is not None and shuffled(gathered)):
        return start
    if before is program.setup and gathered is not None:
        return start
    return replace(start, exact=False, scattered=True, gathered=gathered or ())


def _redealt(subject: Subject, begun: Sequence[Start]) -> Iterator[Start]:
    """Further initial states, of deals that follow one thrown in before its play was over.

    A deal that was thrown in began like any other; only what it can have set before that differs. If those
    values are known and remain few however often deals are thrown in, each gives an initial state; otherwise
    they are unknown.
    """
    program = subject.program
    before = first_part(program)
    if not redeals(*before):
        return
    changed, scattered = changed_before_redeal(program, before), not shuffles_first(program.hand)
    if not changed and not scattered:
        return
    for number, start in enumerate(begun):
        keys = sorted((key for key in start.variables if key[0] in changed), key=str)
        listed = redealt_values(subject, {key: start.variables[key] for key in keys})
        for values in () if listed is None else listed[0 if scattered else 1 :]:
            yield replace(
                start, variables={**start.variables, **values}, exact=False, scattered=scattered, gathered=()
            )
        if listed is None:
            facts, unknown = list(start.facts), dict[Key, Symbol]()
            for key in keys:
                name = f"redealt{number}.{'.'.join(map(str, key))}"
                unknown[key] = anything(program, program.variables[key[0]].type, name, facts)
            variables = {**start.variables, **unknown}
            yield replace(
                start, variables=variables, facts=tuple(facts), exact=False, scattered=scattered, gathered=()
            )


def _first(subject: Subject, variables: Mapping[Key, Value], zones: tuple[Key, ...]) -> Iterator[Start]:
    """The first deal of a match, for everything that its setup can produce under the parameters and readings."""
    program = subject.program
    chosen = subject.parameters() if any(isinstance(n, c.Parameter) for n in walk(program.setup)) else [{}]
    taken = subject.readings(usage_of(program.setup).readings)
    begun = (
        None
        if MOST_COMBINATIONS in (len(chosen), len(taken)) or differs_at_start(program) is not None
        else _begun(subject, variables, chosen, taken)
    )
    if begun is None:
        assigned = usage_of(program.setup).assigns
        symbols = {
            key: as_symbol(value) for key, value in {**initial(program).variables, **variables}.items()
        }
        yield Start({k: y.OPAQUE if k[0] in assigned else x for k, x in symbols.items()}, zones, exact=False)
        return
    for values, parameters in begun:
        symbols = {key: as_symbol(value) for key, value in values.items()}
        yield Start(symbols, zones, exact=len(begun) == 1, parameters=parameters)


def _begun(
    subject: Subject,
    variables: Mapping[Key, Value],
    chosen: Sequence[Mapping[str, int]],
    taken: Sequence[Mapping[str, int]],
) -> list[tuple[Mapping[Key, Value], Mapping[str, int]]] | None:
    """What the first deal can begin with, and under which parameters; None if the engine gives up before it.

    If every match is over before its first deal, what the matches start with.
    """
    program = subject.program
    begun, over = (list[tuple[Mapping[Key, Value], Mapping[str, int]]]() for _ in range(2))
    for parameters, readings in product(chosen, taken):
        allowed = {**program.defaults, **parameters}
        try:
            state = begin(program, Chance(), allowed, readings, variables)
        except EngineLimitError:
            return None
        known = over if state.match_over else begun
        same = next((x for x in known if x[0] == state.variables), None)
        if same is not None:
            known[known.index(same)] = same[0], _common(same[1], parameters)
        else:
            known.append((state.variables, parameters))
    return begun or over


def _later(
    subject: Subject,
    before: int | None,
    zones: tuple[Key, ...],
    outcome: PlayOutcome | None,
    bounded: bool,
) -> Iterator[Start]:
    """Any deal but the first; `before` dealt the previous one."""
    program = subject.program
    try:
        settled = [one for one in settlements(subject, outcome) if not one.over_at_start] if outcome else []
        alike = _after_hands(settled, before, zones, again=False, bounded=bounded)
        again = bool(settled) and settled[0].redealt_after_play
        redealt = _after_hands(settled, before, zones, again=True, bounded=bounded) if again else []
        if outcome is not None and len(alike) <= MOST_STARTS and len(redealt) <= MOST_STARTS:
            exact = len(alike) == 1 and outcome.fixed_total
            yield from (replace(start, exact=exact) for start in alike)
            yield from (replace(start, exact=False) for start in redealt)
            return
    except (NotEncodedError, GapError):
        pass
    known: list[Bool] = []
    unknown = {
        (name, *key[1:]): anything(program, program.variables[name].type, ".".join(map(str, key)), known)
        for key in initial(program).variables
        if program.variables[name := key[0]].carried and (name != "dealer" or before is None)
    }
    symbols = {key: as_symbol(value) for key, value in initial(program).variables.items()}
    dealer: dict[Key, Symbol] = {} if before is None else {("dealer",): before}
    yield Start({**symbols, **unknown, **dealer}, zones, tuple(known), later=True, exact=False)


def _after_hands(
    settled: Sequence[Settlement],
    before: int | None,
    zones: tuple[Key, ...],
    again: bool,
    bounded: bool,
) -> list[Start]:
    """What completed deals lead to, either those that are then dealt `again` or those that are not."""
    alike: list[Start] = []
    for settlement in settled:
        hand = settlement.anywhere(before, again, goes_on=True)
        variables, interrupted = settlement.following(hand)
        known, theorem = bounds(settlement, _hidden(settlement, variables)) if bounded else ((), None)
        facts = [*hand.facts, y.neg(hand.broken), y.neg(interrupted), *(x.holds(hand.begin) for x in known)]
        if len(settled) == 1 or known:
            facts.append(y.neg(hand.ended))
        if any(fact is False for fact in facts):
            continue  # no deal is followed by another
        start = Start(
            variables,
            zones,
            tuple(fact for fact in facts if fact is not True),
            hand.tricks,
            hand.size,
            settlement.sizes_of(before),
            later=True,
            bounds=known,
            theorem=theorem,
            parameters=settlement.parameters,
        )
        same = next((x for x in alike if _same_start(start, x)), None)
        if same is not None:
            both = _common(same.parameters, start.parameters)
            alike[alike.index(same)] = replace(same, parameters=both)
        else:
            alike.append(start)
    return alike


def _common(one: Mapping[str, int], other: Mapping[str, int]) -> Mapping[str, int]:
    """The parameters with the same value in both."""
    return dict(one.items() & other.items())


def _hidden(settlement: Settlement, variables: Mapping[Key, Symbol]) -> set[str]:
    """The carried variables before a deal on which it depends what the next one reads before its play is over."""
    program = settlement.program
    stated = (x.condition for x in program.invariants.values())
    reads = usage_of(first_part(program), *stated).reads
    names = constants(*(value for key, value in variables.items() if key[0] in reads))
    return {key[0] for key in carried_keys(settlement) if unknown_name(key) in names}


def _same_start(one: Start, other: Start) -> bool:
    """Whether two starts are the same, term for term."""
    return (
        one.sizes == other.sizes
        and one.bounds == other.bounds
        and one.variables.keys() == other.variables.keys()
        and all(y.alike(value, other.variables[key]) for key, value in one.variables.items())
        and len(one.facts) == len(other.facts)
        and all(map(y.alike, one.facts, other.facts))
    )


def begins(subject: Subject, outcome: PlayOutcome) -> list[dict[Key, Value]]:
    """What a deal can begin with, for every division of the tricks in the previous deal; fewest overtricks first.

    Carried values that do not come from the previous deal are 0, no or none.
    """
    carried_values: list[dict[Key, Value]] = []
    for start in starts(subject, outcome):
        if not start.exact or len(start.sizes) != 1:
            continue
        values = carried(subject.program, start.variables)
        for tricks in divisions(*start.sizes, len(start.tricks)):
            known = dict(zip(start.tricks, tricks, strict=True))
            if all(fixed(fact, known) for fact in start.facts):
                carried_values.append(
                    {key: fixed(value, known) for key, value in values.items() if value is not y.OPAQUE}
                )
    return sorted(carried_values, key=lambda begin: (owed(begin), str(begin)))


def owed(begin: Mapping[Key, Value]) -> int:
    """How many cards are due after a deal, judged by overtricks."""
    return sum(max(x, 0) for key, x in begin.items() if key[0] == "over" and isinstance(x, int))


def divisions(number: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Every way to divide a number into `parts` non-negative parts."""
    if parts == 1:
        yield (number,)
        return
    for first in range(number + 1):
        yield from ((first, *rest) for rest in divisions(number - first, parts - 1))


def as_symbol(value: object) -> Symbol:
    """A known value as a symbol; sets become members."""
    if isinstance(value, frozenset):
        return y.Members(tuple((x, True) for x in sorted(value)))
    return value


def seen_from(program: c.Program, values: Mapping[Key, Value], by: int) -> dict[Key, Value]:
    """The same values with every player moved `by` seats on."""
    return {moved_key(program, key, by): _moved(program, key, value, by) for key, value in values.items()}


def moved_key(program: c.Program, key: Key, by: int) -> Key:
    """The same variable of the player `by` seats further on."""
    of = program.variables[key[0]].of
    owners = (
        (x + by) % program.players if kind == c.PLAYER else x for x, kind in zip(key[1:], of, strict=True)
    )
    return (key[0], *owners)


def _moved(program: c.Program, key: Key, value: Value, by: int) -> Value:
    kind = program.variables[key[0]].type
    if kind == c.PLAYER and isinstance(value, int):
        return (value + by) % program.players
    if kind == c.PLAYERS and isinstance(value, frozenset):
        return frozenset((x + by) % program.players for x in value)
    return value
