"""Rules that are a single value, and values that differ from case to case.

Cases are given in order, "if …, x; otherwise, if …, y; otherwise z", unless it is obvious that no two of them
can apply at once: then they are "x if the passing is “across”, y if it is “nowhere”, otherwise z", or, for the
one thing that a rule is about, "13 for the queen of spades, 1 for a heart, otherwise 0".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from trickproof.english.inflection import any_such, is_group, is_plural
from trickproof.english.noun_phrases import Nouns
from trickproof.english.referents import Scope, name_of
from trickproof.english.vocabulary import PLACES
from trickproof_dsl.syntax import ast as s

Clause = Callable[[s.Expr, Scope], str]
Cases = Sequence[tuple[s.Expr, s.Expr]]
"""Conditions with their values; the first that holds applies."""
_Case = tuple[s.Expr, Mapping[str, str | int]]
"""Something, and what must hold of it, by attribute."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The opening of a value rule's sentence: `start`, then the word `before` each value, or else a colon.

    `choice` says that the cards are there to be chosen from: "any card" rather than "all cards"; `clause`, that
    a value completes the sentence, as in "the next dealer is".
    """

    start: str = ""
    before: str = ""
    choice: bool = True
    clause: bool = False


NO_OPENING = Opening()


class Values:
    """Value rules of one ruleset in words."""

    def __init__(self, nouns: Nouns, clause: Clause) -> None:
        self._nouns, self._clause = nouns, clause
        self._context = nouns.context

    def value(self, e: s.Expr, scope: Scope, opening: Opening = NO_OPENING) -> str:
        """A whole rule that is a single expression: branches in order, sets as the players or cards meant."""
        start, before = opening.start, opening.before
        sentence = bool(before or opening.clause)
        if not isinstance(e, s.Conditional):
            if isinstance(e, s.Truth) and before:
                return f"{start} {'in any case' if e.value else 'in no case'}".lstrip()
            colon = ":" if start and not (sentence or opening.choice) else ""
            one = self._one(e, scope, opening)
            one = one.replace("some player", "a player") if before == "when " else one
            return f"{start}{colon} {before}{one}".lstrip()
        if sentence:
            return self._in_order(*cases_of(e), scope, opening)
        inner = replace(opening, start="")
        told = by_case(e, scope, self._nouns, self._clause, lambda value: self._one(value, scope, inner))
        told = told or self._in_order(*cases_of(e), scope, inner)
        return f"{start}: {told}" if start else told

    def by_line(self, e: s.Conditional, scope: Scope, opening: Opening) -> list[str]:
        """The cases for a list: `if …: x`, `otherwise, if …: y`, `otherwise: z`."""
        cases, last = cases_of(e)
        said = [self._case(*case, scope, opening, ":") for case in cases]
        said.append(f": {opening.before}{self._one(last, scope, opening)}")
        return [said[0], *(f"otherwise{'' if x[0] == ':' else ', '}{x}" for x in said[1:])]

    def _case(self, condition: s.Expr, value: s.Expr, scope: Scope, opening: Opening, mark: str = ",") -> str:
        """`if …, x`, after the opening; for cards of a kind, `x, if there are any`."""
        said = f"{opening.start} {opening.before}{self._one(value, scope, opening)}".lstrip()
        if _prefers(condition, value):
            return f"{said}, {'if there is one' if opening.choice else 'if there are any'}"
        return f"if {any_such(self._clause(condition, scope))}{mark} {said}"

    def _in_order(self, cases: Cases, last: s.Expr, scope: Scope, opening: Opening) -> str:
        """`if …, x; otherwise, if …, y; otherwise z`."""
        first, *others = cases
        match self._clause(first[0], scope):
            case "never":  # a helper rule may be so simple
                return (
                    self._in_order(others, last, scope, opening)
                    if others
                    else self.value(last, scope, opening)
                )
            case "always":
                return self.value(first[1], scope, opening)
        said = self._case(*first, scope, opening)
        opening = replace(opening, start="")
        if others:
            otherwise = self._in_order(others, last, scope, opening)
        else:
            otherwise = self.value(last, scope, opening)
        return f"{said}; otherwise{',' if otherwise.startswith('if ') else ''} {otherwise}"

    def _one(self, e: s.Expr, scope: Scope, opening: Opening) -> str:
        kind = self._context.kind(e, scope)
        if kind == "boolean":
            return self._clause(e, scope)
        if kind == "cards" and isinstance(e, s.CardSet | s.Name | s.Apply) and self._is_any(e):
            head = "any card" if opening.choice else "all cards"
            return self._nouns.of_a_kind(self._nouns.group(e, scope, head, not opening.choice))
        if kind == "players" and isinstance(e, s.Name):
            return self._nouns.several(e, scope)
        if (
            isinstance(e, s.PlayerSet)
            and e.condition is not None
            and e.inside is None
            and e.other_than is None
        ):
            phrase = self._nouns.tail(e.condition, "player", scope, e.binder, False)[1:]
            if phrase.startswith("who "):
                return f"whoever {phrase[4:]}"
            several = opening.before != "by "
            return self._nouns.group(e, scope, "all players" if several else "every player", several)
        if kind == "cards" and opening.choice:
            phrase = self._nouns.noun(e, scope)
            one_of = "any of" if is_plural(phrase) else "any card of" if is_group(phrase) else ""
            return f"{one_of} {phrase}".strip()
        return self._nouns.noun(e, scope)

    def _is_any(self, e: s.CardSet | s.Name | s.Apply) -> bool:
        name = name_of(e)
        return isinstance(e, s.CardSet) or self._nouns.is_zone(e) or name in PLACES


def _prefers(condition: s.Expr, value: s.Expr) -> bool:
    """`if some card in x has y then cards in x with y`: cards of a kind, if there are any."""
    match condition, value:
        case s.Quantified("some", "card", a, inside, holds), s.CardSet(b, same, alike):
            return (a, inside, holds) == (b, same, alike)
        case _:
            return False


def cases_of(e: s.Expr) -> tuple[Cases, s.Expr]:
    """The cases of a conditional value in order, those nested in one of them drawn out, and the value otherwise."""
    cases: list[tuple[s.Expr, s.Expr]] = []
    while isinstance(e, s.Conditional):
        nested, value = cases_of(e.then)
        cases += [(s.Binary("and", e.condition, also, e.span), then) for also, then in nested]
        cases.append((e.condition, value))
        e = e.otherwise
    return cases, e


def by_case(
    e: s.Conditional, scope: Scope, nouns: Nouns, clause: Clause, say: Callable[[s.Expr], str]
) -> str | None:
    """`x if the passing is “across”, y if it is “nowhere”, otherwise z`; None if two cases may apply at once."""
    cases, last = cases_of(e)
    known = [_facts(condition, scope, nouns) for condition, _ in cases]
    if len(cases) < 2 or not all(_exclude(a, b) for i, a in enumerate(known) for b in known[:i]):
        return None
    subject, _, _ = (first := clause(cases[0][0], scope)).partition(" is ")
    values, conditions = [say(value) for _, value in cases], [clause(x, scope) for x, _ in cases]
    head = f"{subject} is "
    if any("," in x for x in values) or not all(x.startswith(head) for x in conditions):
        return None
    mine = [ref.text for ref in scope.names.values()] == [subject]
    said = [f"{values[0]} {'for' if mine else 'if'} {first.removeprefix(head) if mine else first}"]
    for value, condition in zip(values[1:], conditions[1:], strict=True):
        said.append(f"{value} {'for' if mine else 'if it is'} {condition.removeprefix(head)}")
    if (rest := _last_of_all(cases[0][0], known, scope, nouns, mine)) is not None:
        held = clause(rest, scope).removeprefix(head)
        return f"{', '.join(said)}, and {say(last)} {'for' if mine else 'if it is'} {held}"
    return f"{', '.join(said)}, otherwise {say(last)}"


def _last_of_all(
    first: s.Expr, known: Sequence[_Case | None], scope: Scope, nouns: Nouns, mine: bool
) -> s.Expr | None:
    """The case left over where all suits, ranks or options but one have theirs; None if there are more, or `none` is one."""
    facts = [case[1] for case in known if case is not None]
    (key,) = facts[0] if len(facts[0]) == 1 else ("seat",)
    if not isinstance(first, s.Binary) or any(x.keys() != {key} for x in facts):
        return None
    file, kind = nouns.context.file, key or (nouns.context.kind(first.left, scope) if mine else "")
    deck = {"suit": file.deck.suits, "rank": file.deck.ranks} if file.deck else {}
    every = {name.value: letter.value for letter, name in deck.get(kind) or ()}
    if kind in file.options:
        every = {x.value: x.value for x in file.options[kind].values}
    left = [name for name, x in every.items() if all(case[key] not in (x, name) for case in facts)]
    return replace(first, right=s.Name(left[0], first.span)) if len(left) == 1 else None


def _exclude(a: _Case | None, b: _Case | None) -> bool:
    """Whether two cases are about the same thing and contradict each other."""
    if a is None or b is None or a[0] != b[0]:
        return False
    return any(b[1].get(key, value) != value for key, value in a[1].items())


def _facts(e: s.Expr, scope: Scope, nouns: Nouns) -> _Case | None:
    """What a condition compares with a constant, and the constant: for a card, its rank or suit or both."""
    if not (isinstance(e, s.Binary) and e.operator == "="):
        return None
    file = nouns.context.file
    deck = (*(file.deck.ranks or ()), *(file.deck.suits or ())) if file.deck else ()
    known = (*scope.names, *file.state, *file.rules)
    letters = {name.value: letter.value for letter, name in deck if name.value not in known}
    match e.left, e.right:
        case s.Apply("rank" | "suit" as name, (card,)), s.Name(value) if value in letters:
            return card, {name: letters[value]}
        case of, s.CardLiteral(code):
            return of, {"rank": code[0], "suit": code[1]}
        case of, s.Name(value) if value in letters or nouns.context.kind(e.right, scope) == "option":
            return of, {"": value}
        case of, seat if nouns.context.kind(seat, scope) == "player":
            start, steps = nouns.names.seats(seat, scope)
            return of, {str(start): steps % nouns.context.players}
        case _:
            return None
