"""Single statements as sentences: moves, choices, changes, deals.

The acting player is named first; the rest of the sentence refers to that player as "that player" or "their".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import assert_never

from trickproof.english.arithmetic import change, without_factor
from trickproof.english.coordination import chained, depth, is_chain, paired, short_first, simplified
from trickproof.english.inflection import is_active, is_plural, said_of, such_that
from trickproof.english.noun_phrases import Nouns
from trickproof.english.referents import LATELY, Scope, name_of
from trickproof.english.values import by_case, cases_of
from trickproof.english.vocabulary import OWNED, PAIRS, SHARED, plain
from trickproof_dsl.syntax import ast as s

Simple = s.Becomes | s.Put | s.Shuffle | s.Deal | s.HandEnds | s.MatchEnds | s.Act | s.Chooses


class Acts:
    """Simple statements of one ruleset in words."""

    def __init__(self, nouns: Nouns, clause: Callable[[s.Expr, Scope], str]) -> None:
        self._nouns, self._clause = nouns, clause
        self._context = nouns.context

    def statement(self, t: Simple, scope: Scope) -> str:
        """One sentence, without capital and full stop."""
        match t:
            case s.Becomes():
                return self._becomes(t, scope)
            case s.Put(cards, source, to):
                origin = f" from {self._nouns.noun(source, scope)}" if source is not None else ""
                noun = self._nouns.noun(cards, scope)
                go = "go" if is_plural(noun) else "goes"
                return f"{noun}{origin} {go} to {self._nouns.noun(to, scope)}"
            case s.Shuffle():
                return "all cards are shuffled together"
            case s.Deal():
                return self._deal(t, scope)
            case s.HandEnds(again):
                return (
                    "the cards are thrown in, and the same dealer deals again"
                    if again
                    else "the deal ends at once"
                )
            case s.MatchEnds(winners):
                by = f", won by {self._nouns.noun(winners, scope)}" if winners is not None else ""
                return f"the match ends{by}"
            case s.Act():
                return self._act(t, scope)
            case s.Chooses():
                return self._chooses(t, scope)
            case _:
                assert_never(t)

    # ----------------------------------------------------------------------------- assignments and deals

    def _becomes(self, t: s.Becomes, scope: Scope) -> str:
        kind = self._context.kind(t.target, scope)
        if kind == "boolean":
            return self._answered(t, scope)
        target, rest = self._nouns.noun(t.target, scope), scope.later()
        by = change(t.value, t.target)
        if by is not None:
            return self._changed(t, *by, scope)
        if self._nouns.is_named(t.target, "trump") and (trumps := self._trumps(t.value, rest)):
            return trumps
        match t.value:
            case s.Binary("mod", of, modulus) if (added := change(of, t.target)) and added[0] == "+":
                rest_of = f"the remainder after division by {self._nouns.part(modulus, rest)}"
                return f"{self._changed(t, *added, scope)}, and only {rest_of} is kept"
            case s.Count(s.Apply("hand", (holder,))) if self._nouns.is_named(t.target, "hand-size"):
                player = self._nouns.ref(holder, scope).text
                return f"there are as many tricks in the deal as {player} has cards in hand"
            case s.Nothing():
                return f"{target} {'are' if is_plural(target) else 'is'} cleared"
            case s.Conditional():
                return self._chosen_value(target, t.target, t.value, rest)
            case s.Name(name) | s.Apply(name) if kind != "integer" and self._is_kept(name, kind, scope):
                are = "are" if is_plural(target) else "is"
                return f"{target} {are} set to {self._nouns.noun(t.value, rest)}"
            case _ if kind == "player":
                return f"{self._nouns.noun(t.value, scope)} becomes {self._nouns.noun(t.target, rest)}"
            case _:
                return f"{target} {self._is(t, target)} {self._nouns.noun(t.value, rest)}"

    def _is_kept(self, name: str, kind: str, scope: Scope) -> bool:
        """Whether a variable is named whose value another may get: which of the two "becomes" the other is not plain."""
        return (
            kind not in ("player", "players", "cards")
            and name in self._context.file.state
            and name not in scope.names
        )

    def _trumps(self, suit: s.Expr, scope: Scope) -> str:
        """A suit that is made trumps: "hearts are trumps"; "" if it would not be clear."""
        if isinstance(suit, s.Nothing):
            return "there are no trumps"
        noun = "" if isinstance(suit, s.Conditional) else self._nouns.noun(suit, scope)
        if self._context.card_of(suit, scope):
            return f"{noun} are trumps"
        return "" if not noun or "trump" in noun else f"{noun} becomes trumps"

    def _changed(self, t: s.Becomes, sign: str, by: s.Expr, scope: Scope) -> str:
        """`score of p becomes score of p + …`: the owner is named on first mention, then "their"."""
        amount = self._nouns.noun(by, scope)
        whose = scope.later() if "each player" in amount else scope
        target = self._nouns.noun(t.target, whose)
        if isinstance(by, s.IntegerLiteral) or (isinstance(by, s.Conditional | s.Total) and sign == "+"):
            target, amount = self._nouns.noun(t.target, scope), self._nouns.noun(by, scope.later())
            goes = "go" if is_plural(target) else "goes"
            return f"{target} {goes} {'up' if sign == '+' else 'down'} by {amount}"
        verb = "are" if is_plural(amount) else "is"
        return f"{amount} {verb} {'added to' if sign == '+' else 'taken from'} {target}"

    def _answered(self, t: s.Becomes, scope: Scope) -> str:
        """An assignment to a Boolean: "from now on the dealer is barred if and only if …"; "the dealer has passed"."""
        if self._nouns.is_named(t.target, "first-hand") and t.value == s.Truth(False, t.span):
            return "the first deal is over"
        done = isinstance(t.target, s.Apply) and is_active(t.target.function)
        begins = "" if done else "from now on "
        if isinstance(t.value, s.Truth):
            now = t.target if t.value.value else s.Unary("not", t.target, t.span)
            return f"{begins}{self._clause(now, scope)}"
        match t.target:
            case s.Apply(_, (s.Name(who) as owner,)) if not self._context.others(t.value, scope, who):
                later = scope.acting(self._nouns.ref(owner, scope)).saying_they()
            case _:
                later = scope.later()
        holds = self._clause(t.value, later)
        return f"{begins}{self._clause(t.target, scope)} if and only if {holds}"

    def _chosen_value(self, target: str, of: s.Expr, e: s.Conditional, scope: Scope) -> str:
        """`x becomes if … then … else …`; numbers that only go up or down do so."""
        cases, last = cases_of(e)
        moves = [_move(of, value) for value in (*(value for _, value in cases), last)]
        if all(moves):
            it, go = ("they", "go") if is_plural(target) else ("it", "goes")
            said = [f"if {self._clause(x, scope)}, " for x, _ in cases]
            parts = [f"{start}{it} {go} {move}" for start, move in zip([*said, ""], moves, strict=True)]
            parts[0] = f"{said[0]}{target} {go} {moves[0]}"
            joined = "; otherwise, ".join(parts[:-1])
            return f"{joined}; otherwise {parts[-1]}"
        becomes = "become" if is_plural(target) else "becomes"
        say = partial(self._nouns.noun, scope=scope)
        if told := by_case(e, scope, self._nouns, self._clause, say):
            return f"{target} {becomes} {told}"
        (condition, then), *others = cases
        sentence = f"if {self._clause(condition, scope)}, {target} {becomes} {self._nouns.noun(then, scope)}"
        for condition, value in others:
            sentence += f"; otherwise, if {self._clause(condition, scope)}, {self._nouns.noun(value, scope)}"
        return f"{sentence}; otherwise {self._nouns.noun(last, scope)}"

    def _is(self, t: s.Becomes, target: str) -> str:
        plural = is_plural(target)
        name = name_of(t.target)
        counted = self._context.kind(t.target, Scope()) == "integer" and (name in OWNED or name in SHARED)
        if counted and name != "score":
            return "are" if plural else "is"
        if name == "led":
            return "is"
        return "become" if plural else "becomes"

    def _deal(self, t: s.Deal, scope: Scope) -> str:
        to = self._receiver(t.to, scope)
        if t.count is None:
            if isinstance(t.to, s.Name):
                return f"the remaining cards form {self._nouns.noun(t.to, scope)}"
            return f"deal the remaining cards to {to}"
        head, tail = self._amount(t.count, scope)
        if isinstance(t.to, s.Name) and to.endswith((" card", " cards")):  # there are no turned cards yet
            seen = self._context.file.zones[t.to.name].seen_by
            how = " face up" if seen is not None and seen.value == "everyone" else ""
            return f"deal {head}{tail}{how} as {to.removesuffix('s') if head == '1 card' else to}"
        return f"deal {head} to {to}{tail}"

    def _receiver(self, e: s.Expr, scope: Scope) -> str:
        """The recipient of cards; a hand is referred to by its owner."""
        if isinstance(e, s.Apply) and e.function == "hand":
            return self._nouns.ref(e.arguments[0], scope).text
        return self._nouns.noun(e, scope)

    # --------------------------------------------------------------------------------------------- moves

    def _act(self, t: s.Act, scope: Scope) -> str:
        actor = self._nouns.ref(t.actor, scope)
        inner = scope.acting(actor)
        to = self._to(t, inner)
        move = next((m for m in self._context.file.moves.values() if m.verb.value == t.verb), None)
        source = f" {self._origin(self._nouns.place(t.source, inner))}" if t.source is not None else ""
        opening = f"{actor.text} {plain(t.verb)}"
        if isinstance(t.selection, s.Chosen):
            head, tail, only = self._selected(t.selection, inner)
            if opening.endswith(" up"):
                head = re.sub("^up to ", "at most ", head)
            one = head.startswith("1 card")
            head = f"a{head[1:]}" if one else head
            if only:
                only_these = "a card" if one else "only cards"
                limit = f" ({only_these} {only})" if tail else f" {only}"
                return f"{opening}{to} {head}{source}{tail}{limit}{self._called(t, inner)}"
            moved = f"{to} {head}{source}" if " of the cards " in head else f" {head}{source}{to}"
            return f"{opening}{moved}{tail}{self._called(t, inner)}"
        if move is not None and move.shows:
            shown = t.selection
            if isinstance(shown, s.CardSet):
                cards = self._nouns.of_a_kind(self._nouns.group(shown, inner, "every card", False))
            else:
                cards = self._nouns.noun(shown, inner)
            whom = to.removeprefix(" to ") or "everyone"
            opening = f"{whom} looks at" if whom == actor.text else f"{opening} {whom}"
            return f"{opening} {cards}{source}"
        moved = self._nouns.noun(t.selection, inner)
        moved = f"{to},{source}, {moved}" if to and source else f"{to} {moved}{source}"
        return f"{opening}{moved}{self._called(t, inner)}"

    def _to(self, t: s.Act, scope: Scope) -> str:
        if t.to is None:
            return ""
        return f" to {t.to if isinstance(t.to, str) else self._receiver(t.to, scope)}"

    def _called(self, t: s.Act, scope: Scope) -> str:
        """The name given to the cards afterwards, unless it adds nothing."""
        name = (
            t.binding.function
            if isinstance(t.binding, s.Apply)
            else t.binding.name
            if isinstance(t.binding, s.Name)
            else ""
        )
        if t.binding is None:
            return ""
        if name in PAIRS or name in SHARED or name == "played":
            return "" if _usual(t, name) else f" (counted as {self._nouns.noun(t.binding, scope)})"
        return f" ({self._nouns.noun(t.binding, scope)})"

    def _selected(self, c: s.Chosen, scope: Scope) -> tuple[str, str, str]:
        """The cards chosen, the part that follows the recipient, and the condition on the cards."""
        tail = ""
        if c.form == "any number" or c.high is None:
            head = "any number of cards"
        elif c.form == "between":
            low, high = (self._nouns.noun(x, scope) for x in (c.low, c.high))
            head = f"between {low} and {high} cards"
            if not isinstance(c.high, s.IntegerLiteral):
                head, tail = "cards", f", at least {low} and at most {high}"
        else:
            head, tail = self._amount(c.high, scope)
            most = "at most" if tail else "up to"
            head = f"{most} {head}" if c.form == "up to" else head
        place = self._origin(self._nouns.place(c.of, scope))
        if place.startswith("from the cards "):
            head = f"{head.partition(' card')[0]} of {place.removeprefix('from ')}"
        else:
            head = f"{head} {place}"
        only = self._nouns.tail(c.condition, "card", scope, None, "1 card" not in head).strip()
        if c.blindly:
            tail += ", without looking"
        elif not only and isinstance(c.of, s.Name) and self._hidden(c.of.name):
            tail += (
                f", after looking at all of {'them' if is_plural(self._nouns.noun(c.of, scope)) else 'it'}"
            )
        return head, tail, only

    def _hidden(self, name: str) -> bool:
        """Whether a name is that of a zone whose cards nobody sees, until one chooses among them."""
        zone = self._context.file.zones.get(name)
        return zone is not None and (zone.seen_by is None or zone.seen_by.value == "nobody")

    def _origin(self, place: str) -> str:
        """A location of cards, worded as their origin."""
        for word in ("in ", "among "):
            if place.startswith(word):
                return f"from {place.removeprefix(word)}"
        return place

    def _amount(self, e: s.Expr, scope: Scope) -> tuple[str, str]:
        """A number of cards: "4 cards", or "as many cards" and "as the giver was up"."""
        if isinstance(e, s.IntegerLiteral):
            return f"{e.value} card{'' if e.value == 1 else 's'}", ""
        return "as many cards", f" {self._as_many(e, scope)}"

    def _as_many(self, e: s.Expr, scope: Scope) -> str:
        e = without_factor(e)
        if isinstance(e, s.Conditional):
            then, other = self._as_many(e.then, scope), self._as_many(e.otherwise, scope)
            return f"{then} if {self._clause(e.condition, scope)}, otherwise as many {other}"
        was, lately = ("was", LATELY) if "over" in self._context.past else ("is", "")
        for name, word in (("under", "down"), ("over", "up")):
            if self._nouns.is_named(e, name):
                return f"as {self._nouns.refs(e, scope)[0].text} {was} {word}{lately}"
            if isinstance(e, s.Unary) and e.operator == "-" and self._nouns.is_named(e.operand, name):
                word = {"up": "down", "down": "up"}[word]
                return f"as {self._nouns.refs(e.operand, scope)[0].text} {was} {word}{lately}"
        noun = self._nouns.noun(e, scope)
        if isinstance(e, s.Count):
            counted = noun.removeprefix("the number of ")
            moved = counted.startswith("cards the ")  # "cards the giver gave the receiver"
            return f"as {counted.removeprefix('cards ')}" if moved else f"as there are {counted}"
        if isinstance(e, s.Name) and e.name in self._context.file.state and not self._nouns.refs(e, scope):
            return f"as the current {noun.removeprefix('the ')}"
        return f"as {noun}"

    # ------------------------------------------------------------------------------------------- choices

    def _chooses(self, t: s.Chooses, scope: Scope) -> str:
        actor = self._nouns.ref(t.actor, scope)
        inner = scope.acting(actor)
        target = self._nouns.noun(t.target, inner)
        if self._context.kind(t.target, scope) == "boolean":
            sentence = f"{actor.text} {self._yes_or_no(t, inner)}"
        else:
            sentence = f"{actor.text} chooses {target}"
        sentence += self._choice(t, inner)
        match t.condition:
            case None:
                return sentence
            case s.Binary("!=", chosen, value) if chosen == t.target and value != s.Nothing(value.span):
                but = self._nouns.noun(value, inner)
                if t.domain is None:
                    return f"{sentence}, but not {but}"
                return f"{sentence.removesuffix(' or none')} except {but}{', or none' * t.or_none}"
            case s.Unary("not", s.Apply(name, (who, chosen))) if (
                chosen == t.target and name.endswith("-from") and self._nouns.ref(who, scope) == actor
            ):
                if name not in self._context.file.state:
                    self._context.named.append(name)
                return f"{sentence}, but not one that {said_of(name, ['they'], plural=True)}"
            case condition if must := self._must_be(condition, t.target, inner.saying_they()):
                return f"{sentence}, {must}"
            case condition if (clause := self._clause(condition, inner.saying_they())) != "always":
                return f"{sentence}, {such_that(clause)}"
            case _:
                return sentence

    def _must_be(self, e: s.Expr, chosen: s.Expr, scope: Scope) -> str:
        """What must be true of the value chosen: "which must be either 0 or more than the bid"; "" if it says more."""
        if not isinstance(chosen, s.Name):
            return ""
        kind, parts = self._context.kind(chosen, scope), short_first(e := simplified(e))
        tails = [self._nouns.tail(x, kind, scope, chosen.name, False) for x in parts]
        told = [x.removeprefix(" that is ") for x in tails]
        if any("," in x or x.startswith((" ", "not ")) for x in told):
            return ""
        told = [paired(f"is {x}", "and")[3:] if depth(e) else x for x, e in zip(told, parts, strict=True)]
        both = "either " if is_chain(e, "or") else "both " * (len(told) == 2)
        return f"which must be {both}{chained('or' if is_chain(e, 'or') else 'and', told, either=False, within=True)}"

    def _yes_or_no(self, t: s.Chooses, scope: Scope) -> str:
        """A decision about oneself is a clause: "decides whether they accept"."""
        name = name_of(t.target)
        refs = self._nouns.refs(t.target, scope)
        if len(refs) == 1 and refs[0].kind == "player" and refs == [self._nouns.ref(t.actor, scope)]:
            return f"decides whether {said_of(name, ['they'], plural=True)}"
        return f"chooses “{plain(name)}” or not"

    def _choice(self, t: s.Chooses, scope: Scope) -> str:
        none = " or none" if t.or_none else ""
        if isinstance(t.domain, s.Range):
            low, high = (self._nouns.noun(e, scope) for e in (t.domain.low, t.domain.high))
            return f" from {low} to {high}{none}"
        if t.domain is not None:
            if self._context.kind(t.domain, scope) == "cards":
                return f" from the cards {self._nouns.place(t.domain, scope)}{none}"
            return f" from {self._nouns.noun(t.domain, scope)}{none}"
        option = self._context.file.options.get(self._context.kind(t.target, scope))
        if option is None:
            return none
        return f": {' or '.join(f'“{plain(v.value)}”' for v in option.values)}"


def _move(of: s.Expr, value: s.Expr) -> str:
    """`up by 1`, if a value is the old one and a number; otherwise nothing."""
    by = change(value, of)
    if by is None or not isinstance(by[1], s.IntegerLiteral):
        return ""
    return f"{'up' if by[0] == '+' else 'down'} by {by[1].value}"


_NOTED = {"gift": "gives", "returned": "returns"}
"""The verbs that produce the cards these standard names refer to."""


def _usual(t: s.Act, name: str) -> bool:
    """Whether the name of the cards only repeats the verb, with the same player and recipient."""
    if _NOTED.get(name, t.verb) != t.verb or not isinstance(t.binding, s.Apply):
        return name not in _NOTED
    return t.binding.arguments == (t.actor, t.to)[: len(t.binding.arguments)]
