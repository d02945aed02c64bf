"""Values of rule text as noun phrases: "the dealer's target", "the cards in hand that follow the suit led".

Conditions inside a value are worded by `clauses.py`,
which passes in its `relative`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import assert_never

from trickproof.english.arithmetic import Arithmetic, summands
from trickproof.english.inflection import among, degree, is_group, is_plural, listed, may_do, plural
from trickproof.english.names import BARE, Names
from trickproof.english.referents import Context, Ref, Scope, again, name_of
from trickproof.english.superlatives import Superlatives
from trickproof.english.vocabulary import OWNED, PAIRS, PLACES, RULE_NOUNS, SEVERAL, plain, role
from trickproof_dsl.syntax import ast as s

Relative = Callable[[s.Expr, str, Scope, str | None, bool], str]


class Nouns:
    """Noun phrases; `relative` words a condition as "who …" or "that …", `clause` as a complete clause."""

    def __init__(self, context: Context, relative: Relative, clause: Callable[[s.Expr, Scope], str]) -> None:
        self.context, self._relative, self._clause = context, relative, clause
        self._superlatives = Superlatives(self)
        self._arithmetic = Arithmetic(self)
        self.of_suit, self.part = self._superlatives.of_suit, self._arithmetic.part
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
                return self._arithmetic.phrase(e, scope)
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
                if self._is_owned(value, domain):
                    return f"the {plural(self.attribute(value))} of {self._all(domain, scope)}"
                given = self.is_pair(value)
                noun = self.noun(value, self._anyone(domain, scope, "any player" if given else "each player"))
                return noun if given else f"{noun} (all together)"
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
        ranks, suits = self.context.file.rank_names, self.context.file.suit_names
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
        if isinstance(e, s.Total) and isinstance(e.value, s.Count) and self.is_pair(e.value.operand):
            return f"the total number of {self.members(e.value.operand, self._anyone(e.domain, scope, 'any player'))}"
        inside, each = self.each(e.domain, scope)
        binder = e.domain.binder if isinstance(e.domain, s.PlayerSet) else None
        if binder and len(binder) > 2 and self.context.others(e.value, scope, binder):
            name = Ref(f"the {role(binder)}", "player", f"the {role(binder)}'s")
            inside, each = scope.bind(binder, name).about(name), f"{each} ({name.text})"
        value = self.noun(e.value, inside)
        if isinstance(e, s.Total):
            if each == "each player":
                each, value = "all players", value.replace(each, "the player")
            return f"the sum, over {each}, of {value}"
        if isinstance(e.value, s.Name):
            noun = self.attribute(e.value)
            return f"the {degree(noun, highest=e.highest)} {noun} among {self._all(e.domain, scope)}"
        return f"the {'highest' if e.highest else 'lowest'}, over {each}, of {value}"

    def _anyone(self, domain: s.Expr, scope: Scope, head: str) -> Scope:
        """The scope for cards that have been with "any player who …"."""
        ref = Ref(self.group(domain, scope, head, False), "player", None, again("player"))
        return scope.bind(domain.binder if isinstance(domain, s.PlayerSet) else None, ref).about(ref)

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
        name = name_of(e)
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
        if kind == "cards" and isinstance(e, s.Name | s.Apply) and not (self.is_zone(e) or self.is_pair(e)):
            noun = self.noun(e, scope)
            if noun.startswith("the ") and is_plural(noun) and not noun.startswith("the cards "):
                return noun.removeprefix("the ")
        return self.group(e, scope, kind or "members", True)

    def group(self, e: s.Expr, scope: Scope, head: str, plural: bool) -> str:
        """A set after a head such as "each player" or "the cards"."""
        match e:
            case s.PlayerSet(binder, inside, other_than, condition):
                text = head if inside is None else self._head_among(head, inside, scope)
                but = self.noun(other_than, scope) if other_than is not None else ""
                if text in ("players", "the players") and but in ("the player", "that player", "they"):
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
                self.context.kind(x, scope) == "player" for x in summands(e)
            ):
                return f"each of {listed([self.noun(x, scope) for x in summands(e)])}"
            case _ if self.context.kind(e, scope) == "cards":
                return f"{head} {self.place(e, scope)}"
            case _:
                return self._head_among(head, e, scope)

    def _head_among(self, head: str, inside: s.Expr, scope: Scope) -> str:
        """Members of a set: "players on that player's side", "the makers" rather than "the players among the makers"."""
        if isinstance(inside, s.BestOf) and inside.kind == "player" and head.endswith(("player", "players")):
            return f"{head}{self.members(inside, scope).removeprefix('players')}"
        several = self.several(inside, scope)
        own = isinstance(inside, s.Name) and several.startswith("the ")
        if own and is_plural(several) and head in ("players", "the players"):
            return several if head == "the players" else several.removeprefix("the ")
        return f"{head} {among(several)}"

    def several(self, e: s.Expr, scope: Scope) -> str:
        """A set in the plural, whatever its size."""
        if isinstance(e, s.Name) and e.name in SEVERAL and e.name not in scope.names:
            return SEVERAL[e.name]
        if isinstance(e, s.BestOf) and e.kind == "player":
            return f"the {self.members(e, scope)}"
        return self.noun(e, scope)

    def tail(
        self, condition: s.Expr | None, kind: str, scope: Scope, binder: str | None, plural: bool
    ) -> str:
        """` who …`, or nothing."""
        return "" if condition is None else f" {self._relative(condition, kind, scope, binder, plural)}"

    def place(self, e: s.Expr, scope: Scope) -> str:
        """Where cards are: the phrase after the word "cards"."""
        name = name_of(e)
        if name in scope.names and isinstance(e, s.Name):
            text = scope.names[name].text
            return f"in {text[text.index('“') :]}" if text.endswith("”") else f"of {text}"
        if name in PLACES:
            refs = self.refs(e, scope)
            if name in RULE_NOUNS and len(refs) == 1 and refs[0] == scope.holder:
                return PLACES[name].format("they")
            return PLACES[name].format(*(r.text for r in refs))
        if self.is_zone(e):
            if name == "hand" and self.owner(e, scope) in (scope.holder, None):
                return "in hand"
            noun = self.noun(e, scope)
            if noun.endswith((" card", " cards")):
                return f"among {noun.removesuffix('s')}s"
            return f"in {noun}"
        if isinstance(e, s.CardSet):
            return self.group(e, scope, "", True).strip()
        if isinstance(e, s.UnionOf) and self.is_zone(e.value) and self._is_owned(e.value, e.domain):
            return f"in {self.noun(e, scope)}"
        if isinstance(e, s.Binary) and e.operator == "+" and all(self.is_zone(x) for x in summands(e)):
            return f"in {listed([self.noun(x, scope) for x in summands(e)])}"
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

    def is_pair(self, e: s.Expr) -> bool:
        """Whether an expression is the cards that one player gave or returned to another."""
        return isinstance(e, s.Apply) and e.function in PAIRS

    def is_zone(self, e: s.Domain) -> bool:
        """Whether an expression names a zone."""
        return name_of(e) in self.context.file.zones


_HELD_CARD = re.compile("any card in hand that is (the [a-z]+ of [a-z]+)")
_OF_A_KIND = re.compile(
    "(any|every|all|the (?:high|low)est) (cards?) ([^,]+?) that "
    "(?:is|are) (?:(of the suit led|of [a-z]+)|an? ([a-z]+)|([a-z]+s))"
)
