"""Conditions as clauses: "some player has taken 12 or more tricks", "who was up in the previous deal".

A clause that is about the noun before it is merged with it ("players who …", "some card in hand follows …"), as
`MARK` shows; any other follows "for whom".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from trickproof.english.comparisons import Comparisons
from trickproof.english.coordination import chained, depth, flat, is_chain, paired, short_first, simplified
from trickproof.english.inflection import (
    any_such,
    article,
    is_plural,
    mentions,
    of_its_suit,
    said_of,
    small,
    such_that,
)
from trickproof.english.noun_phrases import Nouns
from trickproof.english.referents import MARK, Context, Ref, Scope, again, name_of
from trickproof.english.vocabulary import PAIRS, PLACES, SEVERAL, SHARED
from trickproof_dsl.syntax import ast as s

_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in"}
_AMOUNTS = {
    "=": "exactly {n}",
    ">=": "at least {n}",
    ">": "more than {n}",
    "<": "fewer than {n}",
    "<=": "at most {n}",
    "!=": "not exactly {n}",
}
# "there is a card in whose hand that is a heart" is said as "whose hand contains a heart"
_CONTAINS = re.compile(
    f"^(?:there (?:is a |are (.+ ))cards?|(the [^,]+) is) in ({MARK}[^,]+?)"
    "(?(2)| that (?:is|are) (an? [a-z]+|[a-z]+s))$"
)

_SUBJECT = re.compile(f"({MARK}?the (?:(?! is | are | that | who | for ).)+) (is|are) (?!not )")
_WHOSE = re.compile(f"{MARK}whose [^,]+? (?:is|are) ")
_AMOUNT = re.compile("[0-9]|(?:less|fewer|more) than|at (?:least|most) ")
_ON_TEAM = re.compile(r"whose team is (not )?([^,]+'s team)")


class Clauses:
    """Clauses and relative clauses of one ruleset."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.nouns = Nouns(context, self.relative, self.clause)
        self._comparisons = Comparisons(self.nouns, self.clause)

    # ---------------------------------------------------------------------------------------- conditions

    def clause(self, e: s.Expr, scope: Scope) -> str:
        """A condition as a clause."""
        match e:
            case s.Truth(value):
                return "always" if value else "never"
            case s.Unary("not", s.Binary("and" | "or") | s.Unary()):
                return self.clause(simplified(e), scope)
            case s.Unary("not", operand):
                return self._negated(operand, scope)
            case s.Binary("and" | "or"):
                plain_form = simplified(e)
                assert isinstance(plain_form, s.Binary)
                return self._range(plain_form, scope) or self._joined(plain_form, scope)
            case s.Binary(operator, s.Count(operand), s.IntegerLiteral(n)) if operator not in (
                "in",
                "not in",
            ):
                return self._counted(operator, operand, n, scope)
            case s.Binary():
                return self._comparisons.clause(e, scope)
            case s.IsEmpty(operand, negated):
                return self._counted(">" if negated else "=", operand, 0, scope)
            case s.Quantified():
                return self._quantified(e, e.quantifier, scope)
            case s.Conditional(condition, then, otherwise):
                parts = (self.clause(x, scope) for x in (condition, then, otherwise))
                return "if {}, {}, and otherwise {}".format(*parts)
            case s.Name() | s.Apply():
                return self._named(e, scope)
            case (
                s.Subject() | s.IntegerLiteral() | s.CardLiteral() | s.Nothing() | s.Unary() | s.Everything()
            ):
                return self._is_true(e, scope)
            case s.PlayerSet() | s.CardSet() | s.BestOf() | s.Count() | s.Total() | s.UnionOf():
                return self._is_true(e, scope)
            case s.Extreme() | s.Matching() | s.Top() | s.Only():
                return self._is_true(e, scope)
            case _:
                assert_never(e)

    def _is_true(self, e: s.Expr, scope: Scope) -> str:
        return f"{self.nouns.noun(e, scope)} is true"

    def given(self, e: s.Expr) -> Callable[[Scope], str]:
        """A condition that precedes its consequence: "if …", "in the first deal"."""
        match e:
            case s.Name("first-hand"):
                return lambda _: "in the first deal"
            case s.Unary("not", s.Name("first-hand")):
                return lambda _: "in every deal but the first"
            case _:
                return lambda scope: f"if {any_such(self.clause(e, scope))}"

    def _named(self, e: s.Name | s.Apply, scope: Scope) -> str:
        name = name_of(e)
        if name == "first-hand":
            return "it is the first deal"
        if name == "end":
            return "the match is over"
        refs = self.nouns.refs(e, scope)
        if name not in self.context.file.state and name in self.context.file.rules:
            if self.context.inlines(name):
                tree = self.context.value_tree(name)
                assert tree is not None
                self.context.inlined.append(name)
                return self.clause(tree, self.nouns.names.inside_rule(name, refs, scope))
            self.context.named.append(name)
        return said_of(name, [r.text for r in refs], plural=any(r.plural for r in refs[:1]))

    def _negated(self, e: s.Expr, scope: Scope) -> str:
        match e:
            case s.Truth(value):
                return "never" if value else "always"
            case s.Binary(operator, left, right) if operator in _OPPOSITE:
                return self.clause(s.Binary(_OPPOSITE[operator], left, right, e.span), scope)
            case s.Quantified("some" | "no" as word):
                return self._quantified(e, "no" if word == "some" else "some", scope)
            case s.IsEmpty(_, negated):
                return self.clause(replace(e, negated=not negated), scope)
            case s.Name("first-hand"):
                return "it is not the first deal"
            case s.Name("end") | s.Apply("end"):
                return "the match is not over"
            case s.Name(name) | s.Apply(name) if not self._is_inlined(name):
                refs = self.nouns.refs(e, scope)
                self.clause(e, scope)
                return said_of(
                    name, [r.text for r in refs], plural=any(r.plural for r in refs[:1]), negated=True
                )
            case s.Name(name) | s.Apply(name):
                tree = self.context.value_tree(name)
                assert tree is not None
                self.context.inlined.append(name)
                inside = self.nouns.names.inside_rule(name, self.nouns.refs(e, scope), scope)
                return self._negated(tree, inside)
            case _:
                said = self.clause(e, scope)
                if none := re.fullmatch("no (.+) has taken any (.+)s", said):  # every one has taken none
                    return f"some {none[1]} has taken at least one {none[2]}"
                return f"not {said}" if said.startswith("every ") else f"it is not so that {said}"

    def _is_inlined(self, name: str) -> bool:
        return name not in self.context.file.state and self.context.inlines(name)

    # -------------------------------------------------------------------------------- coordination

    def _range(self, e: s.Binary, scope: Scope) -> str:
        """Both bounds of a number: "the score is from 0 to 9"; "" if a condition is anything else."""
        match e:
            case s.Binary(
                "and",
                s.Binary(">=", left, s.IntegerLiteral(low) as least),
                s.Binary("<" | "<=" as below, right, s.IntegerLiteral(high)),
            ) if left == right:
                head, be, _ = self.clause(s.Binary("=", left, least, e.span), scope).rpartition(f" {low}")
                if head.endswith((" is", " are")) and be:
                    return f"{head} from {low} to {high - (below == '<')}"
        return ""

    def _joined(self, e: s.Binary, scope: Scope, within: bool = False) -> str:
        """A chain of `and` or `or`, with words or brackets that show the grouping.

        `A or (B and C)` is "either A, or both B and C"; anything nested more deeply is bracketed.
        """
        word, parts = e.operator, short_first(e)
        said = [self._within(parts[0], scope)]
        for part in parts[1:]:
            text = self._within(part, scope.later())
            said.append(text if depth(part) else self._continued(said[0], text, scope, word))
        return chained(word, said, either=any(map(depth, parts)), within=within)

    def _within(self, e: s.Expr, scope: Scope) -> str:
        """One operand of a chain."""
        if depth(e) == 0:
            text = self.clause(e, scope)
            return f"({text})" if isinstance(e, s.Conditional) else text
        assert isinstance(e, s.Binary)
        if said := self._range(e, scope):
            return said
        text = self._joined(e, scope, within=depth(e) == 1)
        if depth(e) > 1:
            return f"({text})"
        if e.operator == "and" and len(flat("and", e)) > 2:
            return f"({text})"
        word = "both" if e.operator == "and" else "either"
        subject = _SUBJECT.match(text)
        others = (self.clause(x, scope.later()) for x in short_first(e)[1:])
        if subject is None or not all(x.startswith(subject[0]) for x in others):
            return f"{word} {text}"
        rest = text.removeprefix(subject[0]).replace(f" {e.operator} {subject[2]} ", f" {e.operator} ", 1)
        return f"{subject[0]}{word} {rest}"

    def _continued(self, first: str, text: str, scope: Scope, word: str) -> str:
        """A further operand, without the first one's subject."""
        for ref in scope.subjects.values():
            if first.startswith(f"{ref.text} ") and text.startswith(f"{ref.later().text} "):
                rest = text.removeprefix(f"{ref.later().text} ")
                return (
                    rest.removeprefix("is ") if word == "or" and first.startswith(f"{ref.text} is ") else rest
                )
        subject = _SUBJECT.match(first)
        if subject is None or not text.startswith(subject[0]):
            return text
        rest = text.removeprefix(subject[0])
        return rest if word == "or" or _AMOUNT.match(rest) else f"{subject[2]} {rest}"

    # ------------------------------------------------------------------------------------- relative clauses

    def relative(self, condition: s.Expr, kind: str, scope: Scope, binder: str | None, plural: bool) -> str:
        """A condition after the noun that it restricts: "who was up", "for whom …"."""
        condition, scope = simplified(condition), scope.apart()
        pronoun = "who" if kind == "player" else "that"
        later = again(kind, True) if plural else scope.another(kind)
        ref = Ref(MARK + pronoun, kind, f"{MARK}whose", later, plural)
        joined = self._about(condition, ref, scope, binder)
        if joined is not None:
            on = _ON_TEAM.fullmatch(joined)
            return f"{on[1] or ''}on {on[2]}" if on else joined
        word = "or" if is_chain(condition, "or") else "and"
        whom = f"for {'whom' if kind == 'player' else 'which'}"
        other = scope.another(kind)
        if plural and kind == "card" and not scope.knows("the card"):
            other = Ref("the card", kind, "the card's")
        elif plural:
            other = replace(scope.another(kind), owns=None)
        inner = scope.bind(binder, other).about(other)
        said, provided = [], []
        for part in short_first(condition):
            direct = None if depth(part) else self._about(part, ref, scope, binder)
            if direct is None and word == "and" and not self._speaks_of(part, kind, scope, binder):
                provided.append(self._within(part, scope))
            else:
                text = "" if direct else self._within(part, inner)
                if text and other.text in ("it", "the card"):
                    direct = of_its_suit(text, plural)
                such = mentions(text, other.text) and kind == "card"
                said.append(direct or (such_that(text) if such else f"{whom} {text}"))
        if said and all(x.startswith(whom) for x in said):
            said = [x.removeprefix(f"{whom} ") for x in said]
            said[0] = f"{whom} {said[0]}"
        clause = chained(word, said, either=False) if said else ""
        if provided:
            clause = f"{clause}{', ' if clause else ''}provided that {chained('and', provided, either=False)}"
        return clause

    def _speaks_of(self, e: s.Expr, kind: str, scope: Scope, binder: str | None) -> bool:
        """Whether a condition mentions the thing that it is asked about."""
        ref = Ref(MARK, kind, MARK, Ref(MARK, kind, MARK))
        return MARK in self.clause(e, scope.bind(binder, ref).about(ref))

    def _about(self, condition: s.Expr, ref: Ref, scope: Scope, binder: str | None) -> str | None:
        """The condition with `ref` as its subject, or None if it is not that of every part."""
        said = self._parts_about(simplified(condition), ref, scope.bind(binder, ref).about(ref))
        return None if said is None else said.replace(MARK, "")

    def _parts_about(self, condition: s.Expr, ref: Ref, inner: Scope) -> str | None:
        word = "or" if is_chain(condition, "or") else "and"
        parts = short_first(condition)
        if depth(condition) > 2:
            return None
        head = f"{ref.text} "
        said: list[str] = []
        for part in parts:
            text = self._parts_about(part, ref, inner) if depth(part) else self.clause(part, inner)
            text = text and _CONTAINS.sub(r"\3 contains \1\2\4", text)
            if text is None or not text.startswith(MARK) or text.count(MARK) > 1:
                return None
            if depth(part):
                if not text.startswith(head) or "," in text:
                    return None
                text = head + paired(text.removeprefix(head), "and" if word == "or" else "or")
            said.append(text)
        if whose := _WHOSE.match(said[0]) if word == "and" and depth(condition) == 1 else None:
            said[1:] = [t.removeprefix(whose[0]) for t in said[1:]]
        if len(said) > 1 and all(t.startswith(head) for t in said):
            said[1:] = [t.removeprefix(head) for t in said[1:]]
            if word == "or" and all(t.removeprefix(head).startswith("is ") for t in said):
                said[1:] = [t.removeprefix("is ") for t in said[1:]]
        elif len(said) > 1 and ref.owns != f"{MARK}whose":
            return None
        return said[0] if len(said) == 1 else f" {word} ".join(said)

    def _quantified(self, e: s.Quantified, quantifier: str, scope: Scope) -> str:
        head, scope = f"{quantifier} {e.kind}", scope.apart()
        if e.inside is not None:
            head = self.nouns.group(e.inside, scope, head, False)
        both = e.kind == "player" and quantifier == "no" and is_chain(simplified(e.condition), "and")
        said = (self._of_none if both else self._of_some)(head, e.kind, e.condition, scope, e.binder, False)
        rest = head.removeprefix(f"{quantifier} ")
        if said is not None:
            return said.replace(f"every {rest} has taken no ", f"no {rest} has taken any ")
        whole = self._as_object(head, e, scope)
        if whole is not None:
            return whole
        if quantifier == "every":
            ref = scope.another(e.kind)
            holds = self._within(e.condition, scope.bind(e.binder, ref).about(ref))
            return f"for every {rest}, {holds}"
        opening = "there is a" if quantifier == "some" else "there is no"
        return f"{opening} {rest} {self.relative(e.condition, e.kind, scope, e.binder, False)}"

    def _of_none(
        self, head: str, kind: str, condition: s.Expr, scope: Scope, binder: str | None, plural: bool
    ) -> str | None:
        """Two things that are not both true of anybody: "no player who sits out has taken any tricks"."""
        first, *others = flat("and", simplified(condition))
        who = self.relative(first, kind, scope, binder, plural)
        if len(others) > 1 or depth(first) or depth(others[0]) or not who.startswith("who ") or "," in who:
            return None
        said = self._of_some(f"{head} {who}", kind, others[0], scope, binder, plural)
        plain_text = said is not None and not any(x in said for x in (" no ", " not "))
        return said.replace(" at least one trick", " any tricks") if said and plain_text else None

    def _as_object(self, head: str, e: s.Quantified, scope: Scope) -> str | None:
        """A quantified noun as an object: "that card beats every card in the trick"."""
        if not head.startswith("every ") or depth(simplified(e.condition)):
            return None
        ref = Ref(MARK + head, e.kind, None)
        said = self.clause(e.condition, scope.bind(e.binder, ref).about(ref))
        plain_text = said.count(MARK) == 1 and not any(
            x in said for x in (" not ", " no ", "never", ",", "if ")
        )
        return said.replace(MARK, "") if plain_text else None

    def _of_some(
        self, head: str, kind: str, condition: s.Expr, scope: Scope, binder: str | None, plural: bool
    ) -> str | None:
        owns = f"{MARK}{head}'s" if len(head.split()) < 3 and not plural else None
        later = again(kind, True) if plural else scope.another(kind)
        ref = Ref(MARK + head, kind, owns, later, plural)
        return self._about(condition, ref, scope, binder)

    def _counted(self, operator: str, operand: s.Expr, n: int, scope: Scope) -> str:
        """`number of … = 1`, `… is empty`."""
        count = _Amount(operator, n)
        kind = self.context.kind(operand, scope).rstrip("s") or "member"
        if isinstance(operand, s.Name | s.Apply):
            said = self._counted_name(operand, count, kind, scope)
            if said is not None:
                return said
        noun = f"{kind}s" if count.plural else kind
        if isinstance(operand, s.PlayerSet | s.CardSet) and operand.condition is not None:
            bare = replace(operand, condition=None)
            head = self.nouns.group(bare, scope, f"{count.words} {noun}", count.plural)
            said = self._of_some(head, kind, operand.condition, scope, operand.binder, count.plural)
            if said is not None:
                return said
        amount = "at least one" if count.some else count.words
        return f"there {count.be} {amount} {self._noun(operand, scope, count.plural or count.none, kind)}"

    def _counted_name(self, e: s.Name | s.Apply, count: _Amount, kind: str, scope: Scope) -> str | None:
        """The size of a named set: cards in hand, winners."""
        name = name_of(e)
        owner, noun = self.nouns.owner(e, scope), f"{kind}s" if count.plural or count.none else kind
        if name in scope.names or (isinstance(e, s.Name) and name in SHARED):
            return None
        if name == "hand" and owner is not None:
            verb = "have" if owner.plural else "has"
            amount = "at least one" if count.some else count.words
            return f"{owner.text} {verb} {amount} {noun} in hand"
        if name in PAIRS and name in PLACES:
            amount = "at least one" if count.some else count.words
            return f"{self.nouns.place(e, scope)} {amount} {noun}"
        if name in SEVERAL:
            one = SEVERAL[name].removeprefix("the ")
            one = one if count.plural or count.none else one.replace("winners", "winner")
            return f"there {count.be} {'at least one' if count.some else count.words} {one}"
        applied = owner is None and bool(self.nouns.refs(e, scope))
        if not (count.none or count.some) or self.nouns.is_zone(e) or name in PAIRS or applied:
            return None
        self.nouns.noun(e, scope)  # records the rule as named, so that it gets explained
        thing = self.nouns.names.word(name)
        some = thing if is_plural(thing) else article(thing)
        if owner is not None:
            return f"{owner.text} {'have' if owner.plural else 'has'} {f'no {thing}' if count.none else some}"
        return f"there {'are' if is_plural(thing) else 'is'} {f'no {thing}' if count.none else some}"

    def _noun(self, operand: s.Expr, scope: Scope, plural: bool, kind: str) -> str:
        if isinstance(operand, s.BestOf) and operand.kind == "player":
            members = self.nouns.members(operand, scope)
            return members if plural else members.replace("players", "player", 1)
        return self.nouns.group(operand, scope, kind + "s" if plural else kind, plural)


class _Amount:
    """A number compared with a literal, as words before a noun."""

    def __init__(self, operator: str, n: int) -> None:
        self.none = (operator, n) in (("=", 0), ("<", 1), ("<=", 0))
        self.some = (operator, n) in ((">", 0), (">=", 1), ("!=", 0))
        self.plural = n != 1 and not self.some and not self.none
        self.words = "no" if self.none else "some" if self.some else _AMOUNTS[operator].format(n=small(n))

    @property
    def be(self) -> str:
        return "are" if self.plural or self.none else "is"
