"""Values of rule text as noun phrases: "the dealer's target", "the cards in hand that follow the suit led".

Conditions inside a value are worded by `clauses.py`,
which passes in its `relative`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import assert_never

from trickproof.english.inflection import is_group, listed, may_do, plural
from trickproof.english.names import BARE, Names
from trickproof.english.referents import Context, Ref, Scope, again
from trickproof.english.superlatives import Superlatives
from trickproof.english.vocabulary import OWNED, PLACES, RULE_NOUNS, SEVERAL, plain
from trickproof_dsl.elaboration.builtins import BUILTINS
from trickproof_dsl.syntax import ast as s

Relative = Callable[[s.Expr, str, Scope, str | None, bool], str]
_ALIKE = {("+", "+"), ("+", "-"), ("-", "+"), ("-", "-"), ("*", "*")}
"""Pairs of operators that associate to the left without brackets: "3 plus 2 minus 1"."""
_ARITHMETIC = {"+": "plus", "-": "minus", "*": "times", "div": "divided by"}


class Nouns:
    """Noun phrases; `relative` words a condition as "who …" or "that …", `clause` as a complete clause."""

    def __init__(self, context: Context, relative: Relative, clause: Callable[[s.Expr, Scope], str]) -> None:
        self.context, self._relative, self._clause = context, relative, clause
        self._superlatives = Superlatives(self)
        self.names = Names(context, self.noun, self.part)

    # ------------------------------------------------------------------------------------------ values

    def noun(self, e: s.Expr, scope: Scope) -> str:
        """Any value as a noun phrase."""
        match e:
            case s.Name(name) if name in BARE and name not in scope.names:
                return self.names.builtin(s.Apply(name, (s.Subject(BARE[name], e.span),), e.span), scope)
            case s.Name() | s.Apply():
                return self.names.named(e, scope)
            case s.Subject("suit") if "suit" not in scope.subjects and "card" in scope.subjects:
                return self.names.owned(scope.subjects["card"], "suit")
            case s.Subject(kind):
                return scope.subjects[kind].text if kind in scope.subjects else f"the {kind}"
            case s.IntegerLiteral(value):
                return str(value)
            case s.CardLiteral(code):
                return self.card_name(code)
            case s.Truth(value):
                return "true" if value else "false"
            case s.Nothing():
                return "nothing"
            case s.Unary("-") | s.Binary("+" | "-" | "*" | "div" | "mod"):
                return self._arithmetic(e, scope)
            case s.Conditional(condition, then, otherwise):
                holds = self._clause(condition, scope)
                first = self.noun(then, scope)
                first = f"({first})" if isinstance(then, s.Conditional) else first
                return f"{first} if {holds}, otherwise {self.noun(otherwise, scope)}"
            case s.Everything(kind):
                return f"all {kind}"
            case s.Unary() | s.Binary() | s.IsEmpty() | s.Quantified():
                return f"whether {self._clause(e, scope)}"
            case s.Count() | s.Total() | s.Extreme():
                return self._aggregate(e, scope)
            case s.UnionOf(value, domain):
                anyone = Ref(self.group(domain, scope, "each player", False), "player", None, again("player"))
                return f"{self.noun(value, scope.about(anyone))} (all together)"
            case s.PlayerSet():
                bare = (e.inside, e.other_than, e.condition) == (None, None, None)
                return "all players" if bare else self.group(e, scope, "the players", True)
            case s.CardSet():
                return self.group(e, scope, "the cards", True)
            case s.BestOf() | s.Top() | s.Matching() | s.Only():
                return self._superlatives.phrase(e, scope)
            case _:
                assert_never(e)

    def card_name(self, code: str) -> str:
        """A card code in words: `AS` is "the ace of spades"."""
        deck = self.context.file.deck
        ranks = {a.value: b.value for a, b in (deck.ranks or ())} if deck else {}
        suits = {a.value: b.value for a, b in (deck.suits or ())} if deck else {}
        return f"the {plain(ranks.get(code[0], code[0]))} of {plain(suits.get(code[1], code[1]))}"

    def ref(self, e: s.Expr, scope: Scope) -> Ref:
        """A reference to an expression, with its possessive."""
        return self.names.ref(e, scope)

    def refs(self, e: s.Expr, scope: Scope) -> list[Ref]:
        """The explicit or implicit arguments of a name."""
        return self.names.refs(e, scope)

    def owner(self, e: s.Expr, scope: Scope) -> Ref | None:
        """The owner of a name that belongs to a single player."""
        refs = self.refs(e, scope) if isinstance(e, s.Name | s.Apply) else []
        return refs[0] if len(refs) == 1 and refs[0].kind == "player" else None

    # ---------------------------------------------------------------------------------------- numbers

    def _arithmetic(self, e: s.Unary | s.Binary, scope: Scope) -> str:
        if isinstance(e, s.Unary):
            if e.operator == "-" and self.is_named(e.operand, "over"):
                return self.names.standard("under", self.refs(e.operand, scope))
            if isinstance(e.operand, s.IntegerLiteral):
                return str(-e.operand.value)
            return f"minus {self.part(e.operand, scope)}"
        kind = self.context.kind(e.left, scope)
        if kind not in ("card", "cards", "player", "players") and len(terms := _terms(e)) > 2:
            return self._sum(terms, scope)
        chain = _is_run(e)
        left = self.noun(e.left, scope) if chain else self.part(e.left, scope)
        right = self.part(e.right, scope.later())
        if kind in ("player", "players") and e.operator == "+":
            return f"{left} and {right}"
        if kind in ("card", "cards", "player", "players"):
            if e.operator == "-" and all(isinstance(x, s.CardLiteral) for x in _summands(e.right)):
                right = listed([self.noun(x, scope) for x in _summands(e.right)])
            joined = "and" if chain and " together with " in left else "together with"
            return f"{left} {joined if e.operator == '+' else 'without'} {right}"
        if e.operator == "*" and isinstance(e.left, s.IntegerLiteral) and e.left.value == 2:
            return f"twice {self.part(e.right, scope)}"
        if e.operator == "mod":
            return f"the remainder when {left} is divided by {right}"
        rounded = " (rounded down)" if e.operator == "div" else ""
        return f"{left} {_ARITHMETIC.get(e.operator, e.operator)} {right}{rounded}"

    def _sum(self, terms: list[tuple[str, s.Expr]], scope: Scope) -> str:
        """A chain of `+` and `-`, from left to right; with commas if a term might run on into the next sign."""
        nested, flowing = [], []
        for i, (_, e) in enumerate(terms):
            of = scope if i == 0 else scope.later()
            nested.append(self.part(e, of))
            flowing.append("" if isinstance(e, s.Binary | s.Conditional) else self.noun(e, of))
        commas = any(" of " in x for x in flowing[:-1]) and not any("," in x for x in flowing)
        first, *rest = (a if commas and a else b for a, b in zip(flowing, nested, strict=True))
        signs = (f"{',' * commas} {_ARITHMETIC[sign]} " for sign, _ in terms[1:])
        return first + "".join(a + b for a, b in zip(signs, rest, strict=True))

    def part(self, e: s.Expr, scope: Scope) -> str:
        """A value nested in a longer phrase, in brackets if it would run on."""
        text = self.noun(e, scope)
        match e:
            case s.Binary("div"):
                return f"({text.removesuffix(' (rounded down)')}, rounded down)"
            case s.Binary() | s.Conditional():
                return f"({text})"
            case s.Apply(name) if name in BUILTINS and len(e.arguments) == 2:
                return f"({text})"
            case _:
                return f"({text})" if text.startswith("the sum") else text

    def is_named(self, e: s.Expr, name: str) -> bool:
        """Whether an expression is that name, applied or bare."""
        return (isinstance(e, s.Name) and e.name == name) or (isinstance(e, s.Apply) and e.function == name)

    def _aggregate(self, e: s.Count | s.Total | s.Extreme, scope: Scope) -> str:
        if isinstance(e, s.Count):
            return f"the number of {self.members(e.operand, scope)}"
        kind = self.context.kind(e.domain, scope).rstrip("s")
        bare = isinstance(e.value, s.Name) and self.context.owners(e.value.name) == (kind,)
        if isinstance(e, s.Total) and bare and kind == "card":
            return f"the total {self.attribute(e.value)} of {self._all(e.domain, scope)}"
        if isinstance(e, s.Total) and kind == "player" and self._is_owned(e.value, e.domain):
            values, whose = plural(self.attribute(e.value)), self._all(e.domain, scope)
            everybody = whose == "the players"
            return f"the sum of all players' {values}" if everybody else f"the sum of the {values} of {whose}"
        inside, each = self.each(e.domain, scope)
        value = self.noun(e.value, inside)
        if isinstance(e, s.Total):
            if each == "each player":
                each, value = "all players", value.replace(each, "the player")
            return f"the sum, over {each}, of {value}"
        degree = "highest" if e.highest else "lowest"
        if isinstance(e.value, s.Name):
            return f"the {degree} {self.attribute(e.value)} among {self._all(e.domain, scope)}"
        return f"the {degree}, over {each}, of {value}"

    def _is_owned(self, value: s.Expr, domain: s.Domain) -> bool:
        """Whether a value is an attribute of each player of a set, by a name that is not spelled out."""
        match value:
            case s.Name(name):
                owned = self.context.owners(name) == ("player",)
            case s.Apply(name, (s.Name(of),)):
                owned = isinstance(domain, s.PlayerSet) and of == domain.binder
            case _:
                return False
        return owned and name not in RULE_NOUNS and not self.context.inlines(name)

    def attribute(self, e: s.Expr) -> str:
        """An attribute of each of several things, without the owner."""
        name = e.name if isinstance(e, s.Name) else e.function if isinstance(e, s.Apply) else ""
        if name in OWNED or name in BARE:
            return OWNED.get(name, "rank" if name == "height" else plain(name))
        if name in self.context.file.rules and name not in self.context.file.state:
            self.context.named.append(name)
        return self.names.word(name)

    def _all(self, e: s.Domain, scope: Scope) -> str:
        """All elements of a set."""
        if isinstance(e, s.Name | s.Apply) and not self.is_zone(e):
            return self.noun(e, scope)
        assert not isinstance(e, s.Range)
        return f"the {self.members(e, scope)}"

    def each(self, domain: s.Domain, scope: Scope) -> tuple[Scope, str]:
        """The scope for a statement about "each player …", and that phrase."""
        assert not isinstance(domain, s.Range)
        kind = self.context.kind(domain, scope).rstrip("s")
        text = self.group(domain, scope, f"each {kind}", False)
        one = scope.another(kind)
        ref = Ref(text, kind, f"{text}'s", one) if text == "each player" else one
        binder = domain.binder if isinstance(domain, s.PlayerSet | s.CardSet) else None
        return scope.bind(binder, ref).about(ref), text

    # -------------------------------------------------------------------------------------------- sets

    def members(self, e: s.Expr, scope: Scope) -> str:
        """A set to be counted: "players who …", "cards in hand"."""
        if isinstance(e, s.BestOf) and e.kind == "player":
            among = f" among {self.noun(e.among, scope)}" if e.among is not None else ""
            return f"players with {self._superlatives.most(e, scope)}{among}"
        kind = self.context.kind(e, scope)
        return self.group(e, scope, kind or "members", True)

    def group(self, e: s.Expr, scope: Scope, head: str, plural: bool) -> str:
        """A set after a head such as "each player" or "the cards"."""
        match e:
            case s.PlayerSet(binder, inside, other_than, condition):
                text = head if inside is None else f"{head} among {self.several(inside, scope)}"
                but = self.noun(other_than, scope) if other_than is not None else ""
                if text in ("players", "the players") and but in ("the player", "that player"):
                    text = text.replace("players", "other players")
                elif but:
                    text += f" other than {but}"
                return text + self.tail(condition, "player", scope, binder, plural)
            case s.CardSet(binder, inside, condition):
                return f"{head} {self.place(inside, scope)}" + self.tail(
                    condition, "card", scope, binder, plural
                )
            case s.Everything():
                return head
            case s.Binary("+") if head == "each player" and all(
                self.context.kind(x, scope) == "player" for x in _summands(e)
            ):
                return f"each of {listed([self.noun(x, scope) for x in _summands(e)])}"
            case _ if self.context.kind(e, scope) == "cards":
                return f"{head} {self.place(e, scope)}"
            case _:
                return f"{head} among {self.several(e, scope)}"

    def several(self, e: s.Expr, scope: Scope) -> str:
        """A set in the plural, whatever its size."""
        if isinstance(e, s.Name) and e.name in SEVERAL and e.name not in scope.names:
            return SEVERAL[e.name]
        return self.noun(e, scope)

    def tail(
        self, condition: s.Expr | None, kind: str, scope: Scope, binder: str | None, plural: bool
    ) -> str:
        """` who …`, or nothing."""
        return "" if condition is None else f" {self._relative(condition, kind, scope, binder, plural)}"

    def place(self, e: s.Expr, scope: Scope) -> str:
        """Where cards are: the phrase after the word "cards"."""
        name = e.name if isinstance(e, s.Name) else e.function if isinstance(e, s.Apply) else ""
        if name in scope.names and isinstance(e, s.Name):
            return f"of {scope.names[name].text}"
        if name in PLACES:
            refs = self.refs(e, scope)
            if name in RULE_NOUNS and len(refs) == 1 and refs[0] == scope.holder:
                return PLACES[name].format("they")
            return PLACES[name].format(*(r.text for r in refs))
        if self.is_zone(e):
            if name == "hand" and self.owner(e, scope) in (scope.holder, None):
                return "in hand"
            noun = self.noun(e, scope)
            return f"among {noun}" if noun.endswith(" cards") else f"in {noun}"
        if isinstance(e, s.CardSet):
            return self.group(e, scope, "", True).strip()
        if isinstance(e, s.Binary) and e.operator == "+" and all(self.is_zone(x) for x in _summands(e)):
            return f"in {listed([self.noun(x, scope) for x in _summands(e)])}"
        noun = self.noun(e, scope)
        for opening in () if may_do(name, "cards") else ("the cards ", "all cards "):
            if noun.startswith(opening):
                return noun.removeprefix(opening)
        return f"in {noun}" if is_group(noun) else f"among {noun}"

    def of_a_kind(self, cards: str) -> str:
        """Cards without the clause that names their kind: "any heart in hand", for "any card in hand that is a heart"."""
        if card := _HELD_CARD.fullmatch(cards):
            return card[1]
        found = _OF_A_KIND.fullmatch(cards)
        if found is None:
            return cards
        which, noun, place, suit, one, several = found.groups()
        if suit:
            return f"{which} {noun} {place} {suit}"
        known = ("trump", *(x[:-1] for x in self.context.suit_names()), *self.context.rank_names())
        kind = one or several
        return f"{which} {kind} {place}" if kind.removesuffix("s") in known else cards

    def is_zone(self, e: s.Domain) -> bool:
        """Whether an expression names a zone."""
        return isinstance(e, s.Name | s.Apply) and (
            (e.name if isinstance(e, s.Name) else e.function) in self.context.file.zones
        )


_HELD_CARD = re.compile("any card in hand that is (the [a-z]+ of [a-z]+)")
_OF_A_KIND = re.compile(
    "(any|every|all|the (?:high|low)est) (cards?) ([^,]+?) that "
    "(?:is|are) (?:(of the suit led|of [a-z]+)|an? ([a-z]+)|([a-z]+s))"
)


def _terms(e: s.Expr) -> list[tuple[str, s.Expr]]:
    """The terms of a chain of `+` and `-` that associates to the left, each with its sign."""
    if isinstance(e, s.Binary) and e.operator in ("+", "-"):
        return [*_terms(e.left), (e.operator, e.right)]
    return [("+", e)]


def _summands(e: s.Expr) -> list[s.Expr]:
    """The parts of a chain of `+`, from left to right."""
    if isinstance(e, s.Binary) and e.operator == "+":
        return [*_summands(e.left), *_summands(e.right)]
    return [e]


def _is_run(e: s.Binary) -> bool:
    """Whether the left side needs no brackets: a sum that ends in a number, a bare name or a bracket."""
    first = e.left
    return (
        isinstance(first, s.Binary)
        and (first.operator, e.operator) in _ALIKE
        and isinstance(first.right, s.IntegerLiteral | s.CardLiteral | s.Name | s.Binary | s.Conditional)
    )
