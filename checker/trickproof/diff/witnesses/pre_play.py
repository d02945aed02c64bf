"""Whether two grafted programs do the same before the first trick, from every initial state of a deal.

Both are partially evaluated down to the cards and choices (`equivalence/partial_evaluation.py`), as far as
their steps differ at all. If the first readings show no difference, readings and parameters stay symbolic; if
that is not enough, they are enumerated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, product, zip_longest
from math import prod

from trickproof.analysis.usage import usage_of
from trickproof.english.differences import ANOTHER_WAY, HOW_MANY, HOW_MANY_MAY, NOTHING, UNNAMED
from trickproof.english.vocabulary import OWNED, SHARED, plain
from trickproof.equivalence.constant_folding import entry, plain as folded, semantic_fields
from trickproof.equivalence.normal_form import setting_of
from trickproof.equivalence.partial_evaluation import Specialiser, TooLongError
from trickproof.proofs.symbolic.hand_parts import split
from trickproof.testing.subject import MOST_COMBINATIONS
from trickproof_dsl import core as c
from trickproof_dsl.core.binders import rename
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import Key, Value, size_of

Steps = tuple[c.Stmt, ...]

_How = tuple[str, bool, bool, frozenset[str]]

COUNTED = "what is counted"
"""Nothing visible differs before play, but values do."""

MOST_NAMED = 3
"""Maximum number of values that are named as different."""


@dataclass(frozen=True, slots=True)
class Case:
    """An initial state, parameters and readings for which the two differ; `how` is the kind of difference.

    `certain` if the difference is obvious; otherwise steps that look different may have the same effect.
    `anyway` if it does not depend on the cards dealt, on what is chosen, or on parameters and readings; `whatever`
    if it is certain for all parameters and readings. `values` names the variables whose values certainly
    differ as well.
    """

    begin: Mapping[Key, Value]
    parameters: Mapping[str, int]
    readings: Mapping[str, int]
    how: str
    certain: bool = False
    anyway: bool = False
    values: frozenset[str] = frozenset()
    whatever: bool = True

    def counts(self, how: str) -> bool:
        """Whether it also differs in the values that make up another kind of difference."""
        return how != self.how and {part.removesuffix(" differs") for part in how.split("; ")} <= self.values


def differing(
    one: c.Program,
    other: c.Program,
    steps: tuple[Steps, Steps],
    begins: Iterable[Mapping[Key, Value]],
    somewhere: bool = False,
) -> Iterator[Case]:
    """The initial states from which the two are not shown to do the same.

    Each has the first readings that distinguish the two. `somewhere` if it is known that not all states are the same
    and only the states are wanted.

    Raises TooLongError, also if there are too many readings and parameters.
    """
    if not somewhere and same_anywhere(one, other, steps):
        return
    declared = {**other.parameters, **one.parameters}
    choices = list(_choices(declared, {**other.readings, **one.readings}, steps))
    for begin in begins:
        first, *others = choices
        how = _how(one, other, steps, begin, *first, somewhere)
        if how is not None:
            case = _case(begin, first, how)
            yield case if somewhere else _whatever(one, other, steps, case, others)
        elif others and _how(one, other, steps, begin, {}, {}, True) is not None:
            ways = ((choice, _how(one, other, steps, begin, *choice, somewhere)) for choice in others)
            cases = (_case(begin, choice, how) for choice, how in ways if how is not None)
            yield from (replace(case, anyway=False, whatever=False) for case in islice(cases, 1))


def _whatever(
    one: c.Program,
    other: c.Program,
    steps: tuple[Steps, Steps],
    case: Case,
    others: Sequence[tuple[dict[str, int], dict[str, int]]],
) -> Case:
    """The case with what certainly holds of it for all `others` of the parameters and readings, too."""
    anyway, shown = case.anyway, case.certain or case.anyway
    for choice in others:
        how = _how(one, other, steps, case.begin, *choice, False)
        if how is None or how[0] != case.how or (shown and not (how[1] or how[2])):
            return replace(case, anyway=False, whatever=False)
        anyway = anyway and how[2]
    return replace(case, anyway=anyway)


def same_anywhere(one: c.Program, other: c.Program, steps: tuple[Steps, Steps]) -> bool:
    """Whether the two do the same whatever a deal begins with. May raise TooLongError."""
    if _how(one, other, steps, {}, {}, {}, True, anywhere=True) is None:
        return True
    begins = _by_options(one, other, steps)
    with suppress(TooLongError):
        return bool(begins) and all(_same_from(one, other, steps, begin) for begin in begins)
    return False


def _same_from(
    one: c.Program, other: c.Program, steps: tuple[Steps, Steps], begin: Mapping[Key, Value]
) -> bool:
    """Whether the two do the same from there on, but for the names of variables that no ruleset declares and no later step reads."""
    mine = Specialiser(one, begin, {}, {})
    left, right = _past_the_same(mine, list(steps[0]), list(steps[1]), skipped=True)
    theirs = mine.copy(other)
    mine.run(left)
    theirs.run(right)
    sides = effect(mine), effect(theirs)
    own = {*_undeclared([*mine.residue, *theirs.residue])}
    if any(usage_of(*_from_play(program), *program.between).reads & own for program in (one, other)):
        return False
    residues = [
        rename(tuple(residue), {name: f".{n}" for n, name in enumerate(_undeclared(residue))})
        for residue, _, _ in sides
    ]
    return bool(residues[0] == residues[1] and sides[0][1:] == sides[1][1:])


def _from_play(program: c.Program) -> Steps:
    before, after = split(program)
    return before[-1:] + after


def _undeclared(steps: Sequence[c.Stmt]) -> Iterable[str]:
    """The variables that no ruleset declares, in order."""
    return dict.fromkeys(x.variable for x in walk(*steps) if isinstance(x, c.Assign) and "." in x.variable)


def _by_options(one: c.Program, other: c.Program, steps: tuple[Steps, Steps]) -> list[dict[Key, Value]]:
    """All values of the options that the steps read and never set, and that are never none; none if there are very many."""
    usage = usage_of(*steps[0], *steps[1])
    somebody = setting_of(one).somebody & setting_of(other).somebody
    known = [one.variables[name] for name in sorted(usage.reads - usage.assigns) if name in somebody]
    options = [x for x in known if x.type.kind == "option" and not x.of]
    sizes = [range(size_of(one, x.type)) for x in options]
    if not options or prod(map(len, sizes)) > MOST_COMBINATIONS:
        return []
    return [
        {(x.name,): value for x, value in zip(options, values, strict=True)} for values in product(*sizes)
    ]


def _case(begin: Mapping[Key, Value], choice: tuple[dict[str, int], dict[str, int]], how: _How) -> Case:
    kind, certain, anyway, values = how
    return Case(begin, *choice, kind, certain, anyway, values)


def asked(steps: Steps) -> Steps:
    """The steps, unwrapped from their rules, that ask players for a choice."""
    opened = (asked(step.body) if isinstance(step, c.InRule) else (step,) for step in steps)
    return tuple(x for some in opened for x in some if _asks(x))


def _asks(step: c.Stmt) -> bool:
    return any(isinstance(x, c.Choice) for x in walk(step))


def _choices(
    parameters: Mapping[str, Sequence[int]],
    readings: Mapping[str, Sequence[str]],
    steps: tuple[Steps, Steps],
) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
    """All values of the parameters and readings that the steps use, defaults first.

    Raises TooLongError if there are too many.
    """
    used = usage_of(*steps[0], *steps[1])
    names, rules = sorted(used.parameters), sorted(used.readings & readings.keys())
    values = product(*(parameters[name] for name in names))
    number = 0
    for some in values:
        for ways in product(*(range(len(readings[rule])) for rule in rules)):
            number += 1
            if number > MOST_COMBINATIONS:
                raise TooLongError
            yield dict(zip(names, some, strict=True)), dict(zip(rules, ways, strict=True))


def _how(
    one: c.Program,
    other: c.Program,
    steps: tuple[Steps, Steps],
    begin: Mapping[Key, Value],
    parameters: Mapping[str, int],
    readings: Mapping[str, int],
    whether: bool,
    anywhere: bool = False,
) -> _How | None:
    """The kind of difference, whether it is certain and there anyway, and which values differ; None if the two do the same.

    No particular kind if it is only asked `whether` they differ. `anywhere` covers all preceding steps.
    """
    mine = Specialiser(one, begin, parameters, readings)
    left, right = _past_the_same(mine, list(steps[0]), list(steps[1]), skipped=anywhere)
    theirs = mine.copy(other)
    left, right, after = _without_same_end(left, right)
    if whether and _parted(mine, theirs, left, right):
        return COUNTED, False, False, frozenset()
    if not whether:
        mine.run(left)
        theirs.run(right)
    if (known := _known_by_now(mine, theirs, after)) is not None:
        return known
    if effect(mine) == effect(theirs):
        return None
    mine.run(after)
    theirs.run(after)
    if effect(mine) == effect(theirs):
        return None
    how, certain, anyway = _first_difference(mine, theirs)
    values = _unequal(mine, theirs)
    if how != COUNTED:
        return how, certain, anyway, values
    return _counted(mine, theirs), certain or bool(values), anyway or bool(values), values


def _known_by_now(mine: Specialiser, theirs: Specialiser, after: Sequence[c.Stmt]) -> _How | None:
    """What `_how` answers if that is certain before the steps that both have `after` these; None if it is not.

    These can only add to both residues: a first difference that both have already shown remains the first.
    """
    seen = [[step for step in side.residue if not isinstance(step, c.Assign)] for side in (mine, theirs)]
    apart = _steps_apart(seen[0], seen[1], [*mine.sure, *theirs.sure])
    if apart is None:
        return None
    leaders = [_leader(side.residue) for side in (mine, theirs)]
    set_after = usage_of(*after).assigns
    if None in leaders and "leader" in set_after:
        return None
    if None not in leaders and leaders[0] != leaders[1]:
        return None
    return *apart, _unequal(mine, theirs) - set_after


def _counted(mine: Specialiser, theirs: Specialiser) -> str:
    """What differs, by name: the variables of the standard vocabulary, or else one of the ruleset's own."""
    assigned = [{x for x in walk(*side.residue) if isinstance(x, c.Assign)} for side in (mine, theirs)]
    names = {x.variable for x in assigned[0] ^ assigned[1]}
    names |= {key[0] for key, _ in mine.known.items() ^ theirs.known.items()}
    declared = sorted(name for name in names if "." not in name)
    shared = [name for name in declared if name in SHARED or name in OWNED]
    taken = shared or declared
    return "; ".join(f"{name} differs" for name in taken) if 0 < len(taken) <= MOST_NAMED else COUNTED


def _unequal(mine: Specialiser, theirs: Specialiser) -> frozenset[str]:
    """The variables that have different known values."""
    one, other = _values(mine), _values(theirs)
    names = (str(key[0]) for key in one.keys() & other.keys() if one[key] != other[key])
    return frozenset(name for name in names if "." not in name)


def _values(of: Specialiser) -> dict[Key, Value]:
    """The values known at the end, and those that a step of the residue sets and no later one changes."""
    values: dict[Key, Value] = {}
    for step in of.residue:
        key = entry(step.variable, step.arguments) if isinstance(step, c.Assign) else None
        if isinstance(step, c.Assign) and key is not None and isinstance(step.value, c.Literal):
            values[key] = folded(step.value)
        else:
            changed = {x.variable for x in walk(step) if isinstance(x, c.Assign)}
            values = {key: value for key, value in values.items() if key[0] not in changed}
    return values | of.known


def effect(of: Specialiser) -> tuple[list[c.Stmt], Mapping[Key, Value], bool]:
    """What steps come to: their residue, the values known after them, and whether nothing more is executed."""
    known = {key: value for key, value in of.known.items() if "." not in str(key[0])}
    return of.residue, known, of.over


def _past_the_same(
    mine: Specialiser, left: list[c.Stmt], right: list[c.Stmt], skipped: bool
) -> tuple[list[c.Stmt], list[c.Stmt]]:
    """Run (or skip) the common prefix, into rules and branches; return the remaining steps of each."""
    while left and right and not mine.over:
        first, other = left[0], right[0]
        if first == other:
            if not skipped:
                mine.run([first])
            left, right = left[1:], right[1:]
        elif isinstance(first, c.InRule) or isinstance(other, c.InRule):
            left, right = _opened(left), _opened(right)
        elif isinstance(first, c.Branch) and isinstance(other, c.Branch):
            condition = mine.value(first.condition)
            if first.condition != other.condition or not isinstance(condition, c.Literal):
                break
            sides = [t.then if condition.value else t.otherwise for t in (first, other)]
            left, right = [*sides[0], *left[1:]], [*sides[1], *right[1:]]
        else:
            break
    return left, right


def _parted(mine: Specialiser, theirs: Specialiser, left: list[c.Stmt], right: list[c.Stmt]) -> bool:
    """Run the steps of both, or only until their residues differ; whether they do.

    Steps only add to a residue, so residues with different beginnings stay different. Wrongly different costs an
    answer, never makes one: the same is concluded from whole residues only, and a difference needs a deal.
    """
    done = 0
    for steps in zip_longest(left, right):
        for side, step in zip((mine, theirs), steps, strict=True):
            side.run([] if step is None else [step])
        pairs = list(zip(mine.residue[done:], theirs.residue[done:], strict=False))
        if any(one != other for one, other in pairs):
            return True
        done += len(pairs)
    return False


def _opened(steps: list[c.Stmt]) -> list[c.Stmt]:
    first = steps[0]
    return [*first.body, *steps[1:]] if isinstance(first, c.InRule) else steps


def _without_same_end(
    left: list[c.Stmt], right: list[c.Stmt]
) -> tuple[list[c.Stmt], list[c.Stmt], list[c.Stmt]]:
    """Two lists of steps without their common suffix, and that suffix."""
    number = 0
    while number < min(len(left), len(right)) and left[-1 - number] == right[-1 - number]:
        number += 1
    end = len(left) - number
    return left[:end], right[: len(right) - number], left[end:]


# ----------------------------------------------------------------------------------- kinds of difference


def _first_difference(mine: Specialiser, theirs: Specialiser) -> tuple[str, bool, bool]:
    """The kind of the first difference, whether it certainly has an effect, and whether it has one anyway."""
    leaders = [_leader(side.residue) for side in (mine, theirs)]
    if None not in leaders and leaders[0] != leaders[1]:
        return "leader differs", False, _is_settled(*leaders)
    seen = [[step for step in side.residue if not isinstance(step, c.Assign)] for side in (mine, theirs)]
    sure = [*mine.sure, *theirs.sure]
    if (apart := _steps_apart(seen[0], seen[1], sure)) is not None:
        return apart
    number = min(map(len, seen))
    last = [steps[number] if len(steps) > number else None for steps in seen]
    if last == [None, None]:
        return COUNTED, False, False
    return _next(last[0], last[1], sure), any(_is_asked(step) for step in last), _is_done(last, sure)


def _steps_apart(
    mine: Sequence[c.Stmt], theirs: Sequence[c.Stmt], sure: Sequence[c.Stmt]
) -> tuple[str, bool, bool] | None:
    """How the first two steps at the same place differ that are not the same."""
    apart = next(((one, other) for one, other in zip(mine, theirs, strict=False) if one != other), None)
    if apart is None:
        return None
    how, certain, anyway = _difference(*apart, sure)
    step = apart[0]
    if (
        isinstance(step, c.ChooseCards)
        and how.startswith(f"{HOW_MANY} (")
        and _as_many(mine, theirs, step.label)
    ):
        how = f"{ANOTHER_WAY} ({_called(step)})"
    return how, certain, anyway


def _as_many(mine: Sequence[c.Stmt], theirs: Sequence[c.Stmt], label: str) -> bool:
    """Whether both sides' choices for such a move come to the same number of cards, as far as can be told."""
    totals = []
    for steps in (mine, theirs):
        choices = (x for x in walk(*steps) if isinstance(x, c.ChooseCards))
        ends = [(x.low, x.high) for x in choices if x.label == label]
        if not all(isinstance(x, c.Literal) for pair in ends for x in pair):
            return False
        totals.append([sum(x.value for x in end) for end in zip(*ends, strict=True)])
    return totals[0] == totals[1]


_OPEN = (c.ZoneCards, c.Variable, c.Local, c.Parameter, c.Reading)
"""Expressions whose value is not known when a deal begins."""


def _is_settled(*parts: object) -> bool:
    """Whether the values of some expressions are known when a deal begins."""
    return not any(isinstance(node, _OPEN) for node in walk(*parts))


def _is_done(steps: Sequence[c.Stmt | None], sure: Sequence[c.Stmt]) -> bool:
    """Whether the steps are taken whatever is dealt and chosen; `sure` are those that move or show some cards."""
    for step in steps:
        match step:
            case c.Move() | c.Show():
                done = any(step is other for other in sure)
            case c.ChooseCards() | c.Branch() | c.Loop() | c.Until():
                done = _is_asked(step)
            case _:
                done = True
        if not done:
            return False
    return True


def _leader(steps: Sequence[c.Stmt]) -> c.Expr | None:
    """Who leads to the first trick, if the steps include play."""
    for step in steps:
        match step:
            case c.Assign(variable="leader"):
                return step.value
            case c.ChooseCards(label="play"):
                return step.actor
            case _:
                pass
    return None


def _is_asked(step: c.Stmt | None) -> bool:
    """Whether a player certainly has a choice."""
    if isinstance(step, c.ChooseCards):
        return isinstance(step.high, c.Literal) and step.high.value != 0
    return isinstance(step, c.ChooseValue)


def _next(one: c.Stmt | None, other: c.Stmt | None, sure: Sequence[c.Stmt]) -> str:
    """The next step on each side; cards may be shown that are none."""
    mine, theirs = _called(one), _called(other)
    shows = any(isinstance(x, c.Show) and not _is_done([x], sure) for x in (one, other))
    comes = "may come" if shows else "comes"
    if mine == theirs:
        return ANOTHER_WAY if mine in (NOTHING, UNNAMED) else f"{ANOTHER_WAY} ({mine})"
    return f"what {comes} next ({mine} against {theirs})"


def _called(step: c.Stmt | None) -> str:
    """A step by the label of its move, or of the first move that it contains."""
    if step is None:
        return NOTHING
    first = next((x for x in walk(step) if getattr(x, "label", None)), None)
    if isinstance(first, c.ChooseValue) and first.label not in SHARED:
        return f"choose “{plain(first.label)}”"
    label = getattr(first, "label", None)
    if label == "take-kitty" and isinstance(first, c.Move) and first.source.zone != "kitty":
        return UNNAMED  # such as a card that was turned up
    return plain(label) if label else "deal" if isinstance(step, c.Deal) else UNNAMED


_ASKED = (
    ("label", "what is asked"),
    ("actor", "who is asked"),
    ("to", "who is given cards"),
    ("low", HOW_MANY),
    ("high", HOW_MANY),
    ("count", HOW_MANY),
    ("domain", "what may be chosen"),
    ("condition", "what may be chosen"),
    ("or_none", "what may be chosen"),
    ("source", "where cards come from"),
    ("target", "where cards go"),
    ("cards", "which cards"),
)
"""The attributes of a step, most informative first."""


_SHOWN = {"actor": "who shows cards", "cards": "which cards are shown", "to": "who is shown cards"}
"""Differences in what is shown, which may be no cards, by attribute."""


def _arms(step: c.Stmt | None) -> Iterator[c.Stmt | None]:
    """What a step does first: of a branch each of its arms."""
    match step:
        case c.Branch():
            for arm in (step.then, step.otherwise):
                yield from _arms(arm[0] if arm else None)
        case c.InRule():
            yield from _arms(step.body[0] if step.body else None)
        case _:
            yield step


def _difference(one: c.Stmt | None, other: c.Stmt | None, sure: Sequence[c.Stmt]) -> tuple[str, bool, bool]:
    done = _is_done((one, other), sure)
    arms = [[*_arms(step)] for step in (one, other)]
    if max(map(len, arms)) > 1:
        hows = {_difference(x, y, ())[0] for x, y in product(*arms) if x != y}
        return (hows.pop() if len(hows) == 1 else _next(one, other, sure)), False, False
    if type(one) is not type(other):
        return _next(one, other, sure), _is_asked(one) and _is_asked(other), done
    compound = isinstance(one, c.Branch | c.Loop | c.Until)
    fields = () if compound else semantic_fields(one)
    parts = {name for name in fields if getattr(one, name) != getattr(other, name)}
    name = next((name for name, _ in _ASKED if name in parts), "")
    sides = [getattr(x, name, None) for x in (one, other)]
    plain = name == "label" or all(isinstance(x, c.Literal) for x in sides)
    anyway = done and name != "" and _is_settled(*(x for x in sides if not isinstance(x, str | bool | None)))
    how = dict(_ASKED).get(name) or _next(one, one, sure)
    if isinstance(one, c.Move) and name == "label":  # nobody is asked
        how = "which step moves cards"
    ranges = [(x.low, x.high) for x in (one, other) if isinstance(x, c.ChooseCards)]
    up_to = how == HOW_MANY and any(low != high for low, high in ranges)
    how = f"{HOW_MANY_MAY if up_to else how} ({_called(one)})" if how == HOW_MANY else how
    if isinstance(one, c.Show):
        how = _SHOWN.get(name, how)
    if isinstance(one, c.Deal) and isinstance(other, c.Deal) and name == "to":
        how = "who is dealt cards" if one.to.zone == other.to.zone else "where cards are dealt"
    anyway &= not up_to or "low" in parts  # of a few cards the same numbers may be chosen
    return how, plain and _is_asked(one) and _is_asked(other), anyway
