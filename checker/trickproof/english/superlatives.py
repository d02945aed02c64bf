"""Superlatives: `players with the highest score`, `top 3 of hand by rank`.

A set of winners is worded as "whoever", which leaves open how many there are.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import Protocol

from trickproof.english.coordination import flat
from trickproof.english.inflection import degree
from trickproof.english.referents import LATELY, Context, Ref, Scope, card_with
from trickproof.english.vocabulary import MEASURES, MOST, PAIRS, PLACES, RULE_NOUNS
from trickproof_dsl.syntax import ast as s


class NounPhrases(Protocol):
    """Words expressions as noun phrases: those that are nested in superlatives."""

    context: Context

    def noun(self, e: s.Expr, scope: Scope) -> str:
        """Any value as a noun phrase."""

    def attribute(self, e: s.Expr) -> str:
        """An attribute of each of several things, without the owner."""

    def group(self, e: s.Expr, scope: Scope, head: str, plural: bool) -> str:
        """A set after a head such as "each player" or "the cards"."""

    def members(self, e: s.Expr, scope: Scope) -> str:
        """A set to be counted: "players who …", "cards in hand"."""

    def several(self, e: s.Expr, scope: Scope) -> str:
        """A set in the plural, whatever its size."""

    def ref(self, e: s.Expr, scope: Scope) -> Ref:
        """A reference to an expression, with its possessive."""

    def refs(self, e: s.Expr, scope: Scope) -> list[Ref]:
        """The explicit or implicit arguments of a name."""

    def of_a_kind(self, cards: str) -> str:
        """Cards without the clause that names their kind."""

    def is_named(self, e: s.Expr, name: str) -> bool:
        """Whether an expression is that name, applied or bare."""


class Superlatives:
    """Noun phrases for the highest, the lowest and the only one."""

    def __init__(self, nouns: NounPhrases) -> None:
        self._nouns = nouns

    def most(self, e: s.BestOf, scope: Scope) -> str:
        """`the highest score`."""
        if isinstance(e.key, s.Name):
            return self._named(e.key, e.highest)
        about = scope.about(Ref("the player" if e.kind == "player" else "the card", e.kind, "their"))
        noun = self._nouns.noun(e.key, about).removeprefix("their ").removeprefix("the ")
        return f"the {degree(noun, highest=e.highest)} {noun}"

    def _named(self, key: s.Name, highest: bool) -> str:
        noun = self._nouns.attribute(key)
        most = MOST.get((key.name, highest), f"the {degree(noun, highest=highest)} {noun}")
        return f"{most}{LATELY if self._is_past(key) else ''}"

    def _is_past(self, key: s.Expr) -> bool:
        """Whether a result is that of the previous deal."""
        return isinstance(key, s.Name) and key.name == "over" and "over" in self._nouns.context.past

    def phrase(self, e: s.BestOf | s.Top | s.Matching | s.Only, scope: Scope) -> str:
        """Any of these forms as a noun phrase."""
        if isinstance(e, s.Only):
            return self._only(e, scope)
        if isinstance(e, s.Matching):
            best = "highest" if e.highest else "lowest"
            taken = f"{self._nouns.group(e.operand, scope, f'the {best} cards', True)}, {self._like(e.pattern, scope)}"
            if e.answering is None:
                return taken
            answered = self._nouns.several(e.answering, scope)
            return f"{taken}; of these, the ones that answer {answered}, rank for rank"
        if isinstance(e, s.Top):
            return self._top(e, scope)
        if e.kind == "card":
            return self._best_card(e, scope, e.among is not None and _of_one_suit(e.among))
        return self._best_player(e, scope)

    def _best_card(self, e: s.BestOf, scope: Scope, one: bool) -> str:
        assert e.among is not None
        head = "card" if one else "cards"
        if self._nouns.is_named(e.key, "rank") or self._nouns.is_named(e.key, "height"):
            best = "highest" if e.highest else "lowest"
            return self._nouns.of_a_kind(self._nouns.group(e.among, scope, f"the {best} {head}", not one))
        return f"the {head} with {self.most(e, scope)} among {self._among(e.among, scope)}"

    def _best_player(self, e: s.BestOf, scope: Scope) -> str:
        if (
            isinstance(e.key, s.Apply)
            and e.key.function == "rank"
            and self._nouns.is_named(e.key.arguments[0], "played")
        ):
            best = "highest" if e.highest else "lowest"
            if e.among is None:
                return f"whoever played the {best} card"
            card, others = self._one_suit(e.among, scope)
            whoever = f"whoever played the {best} {card}"
            return whoever if others is None else f"{whoever} among {self._among(others, scope)}"
        among = f" among {self._among(e.among, scope)}" if e.among is not None else ""
        if (
            isinstance(e.key, s.Apply)
            and len(e.key.arguments) == 1
            and not self._nouns.context.inlines(e.key.function)
        ):
            of = self._nouns.noun(e.key.arguments[0], scope.about(Ref("the player", "player", "their")))
            if of.startswith("their "):
                noun = self._nouns.attribute(e.key)
                most = f"the {degree(noun, highest=e.highest)} {noun}"
                return f"whoever's {of.removeprefix('their ')} has {most}{among}"
        has = MEASURES.get(e.key.name, ["has"])[0] if isinstance(e.key, s.Name) else "has"
        has = "had" if self._is_past(e.key) else has
        return f"whoever {has} {self.most(e, scope)}{among}"

    def _among(self, e: s.Expr, scope: Scope) -> str:
        if isinstance(e, s.Name | s.Apply):
            return self._nouns.several(e, scope)
        return f"the {self._nouns.members(e, scope)}"

    def _one_suit(self, among: s.Expr, scope: Scope) -> tuple[str, s.Expr | None]:
        """A card of the one suit that players of a set played, and what else is said of them."""
        if isinstance(among, s.PlayerSet) and (among.binder, among.inside, among.other_than) == (None,) * 3:
            parts = flat("and", among.condition) if among.condition else ()
            for i, part in enumerate(parts):
                match part:
                    case s.Binary("=", s.Apply("suit" | "followed-suit", (played,)) as of, suit) if (
                        self._nouns.is_named(played, "played")
                    ):
                        others = [*parts[:i], *parts[i + 1 :]]
                        rest = reduce(lambda x, y: s.Binary("and", x, y, y.span), others) if others else None
                        card = self.of_suit(of, suit, scope)
                        if isinstance(suit, s.Conditional):
                            card = card.replace("otherwise ", "otherwise of ")
                        return card, replace(among, condition=rest) if rest else None
        return "card", among

    def of_suit(self, of: s.Expr, suit: s.Expr, scope: Scope) -> str:
        """A card whose printed or followed suit `of` is `suit`, without its article: "trump", "card of the suit led".

        Where these differ, one "counts as a heart" and the other is a heart.
        """
        context, follows = self._nouns.context, self._nouns.is_named(of, "followed-suit")
        if self._nouns.is_named(suit, "trump"):
            return "trump" if follows or not context.has_own_suits else "card of the trump suit"
        if one := context.card_of(suit, scope):
            return f"card that counts as a {one}" if follows and context.has_own_suits else one
        other = card_with(suit, ("suit", "followed-suit"))
        if other is None or self._nouns.is_named(other, "played"):
            return f"card of {self._nouns.noun(suit, scope)}"
        return f"card of the same suit as {self._nouns.ref(other, scope).text}"

    def _like(self, pattern: s.Expr, scope: Scope) -> str:
        name = pattern.function if isinstance(pattern, s.Apply) else ""
        if name in PLACES and name in PAIRS:
            where = PLACES[name].format(*(r.text for r in self._nouns.refs(pattern, scope)))
            return f"in each suit as many as {where}"
        return f"in each suit as many as there are among {self._nouns.noun(pattern, scope)}"

    def _top(self, e: s.Top, scope: Scope) -> str:
        best = "highest" if e.highest else "lowest"
        count, kind = self._nouns.noun(e.count, scope), self._nouns.context.kind(e.operand, scope)
        one, by = _is_one(e), self._nouns.attribute(e.key) if isinstance(e.key, s.Name) else ""
        if kind == "players" and isinstance(e.key, s.Name):
            with_ = self._named(e.key, e.highest)
            text = f"the {'one' if one else count} with {with_} of {self._nouns.several(e.operand, scope)}"
        else:
            head = f"the {best} {kind.removesuffix('s')}" if one else f"the {count} {best} {kind}"
            text = self._nouns.group(e.operand, scope, head, not one)
            if not any(self._nouns.is_named(e.key, name) for name in ("rank", "height")):
                text += f" (by {by or self._nouns.noun(e.key, scope.about(Ref('it', 'card', 'its')))})"
        return text + f" (of equals, the first by {'seat' if kind == 'players' else 'suit'})" * one

    def _only(self, e: s.Only, scope: Scope) -> str:
        if (isinstance(e.operand, s.Name) and e.operand.name in RULE_NOUNS) or _is_one(e.operand):
            return self._nouns.noun(e.operand, scope)
        if isinstance(e.operand, s.BestOf) and e.operand.kind == "card":
            return self._best_card(e.operand, scope, True)
        if isinstance(e.operand, s.BestOf):
            return self._nouns.noun(e.operand, scope)
        if isinstance(e.operand, s.Name | s.Apply):
            cards = self._nouns.noun(e.operand, scope)
            if cards.endswith((" card", " cards")):
                return cards.removesuffix("s")
        one = "" if isinstance(e.operand, s.PlayerSet) and not e.operand.other_than else "only "
        return self._nouns.group(e.operand, scope, f"the {one}{e.kind}", False)


def _is_one(e: s.Expr) -> bool:
    """Whether it is the first one by a key."""
    return isinstance(e, s.Top) and isinstance(e.count, s.IntegerLiteral) and e.count.value == 1


def _of_one_suit(among: s.Expr) -> bool:
    """Whether the cards are all of one suit, so that only one of them is the highest."""
    match among:
        case s.CardSet(_, _, s.Binary("=", suit, _)):
            return _is_suit(suit)
        case s.CardSet(_, _, s.Binary("and", left, right)):
            parts = (left, right)
            return any(isinstance(x, s.Binary) and x.operator == "=" and _is_suit(x.left) for x in parts)
        case _:
            return False


def _is_suit(e: s.Expr) -> bool:
    """Whether an expression is the suit of a card."""
    match e:
        case s.Name(name) | s.Apply(name) | s.Subject(name):
            return name in ("suit", "followed-suit")
        case _:
            return False
