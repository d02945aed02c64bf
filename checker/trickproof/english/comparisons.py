"""Comparisons as clauses: numbers, suits, ranks, membership.

Those that card players have words for ("is up", "played a trump") are tried first; the fallback is "the … is …".
"""

from __future__ import annotations

from collections.abc import Callable

from trickproof.english.inflection import among, article, is_plural
from trickproof.english.noun_phrases import Nouns
from trickproof.english.referents import IT, LATELY, MARK, Ref, Scope, card_with, name_of
from trickproof.english.vocabulary import MEASURES, OWNED, plain
from trickproof_dsl.syntax import ast as s

_FLIPPED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NUMBERS = {
    "=": "exactly {n} {x}",
    ">=": "{n} or more {x}",
    ">": "more than {n} {x}",
    "<": "fewer than {n} {x}",
    "<=": "at most {n} {x}",
    "!=": "any number of {x} but {n}",
}
_LIKE = {
    "=": "exactly as many {x} as {n}",
    ">=": "at least as many {x} as {n}",
    ">": "more {x} than {n}",
    "<": "fewer {x} than {n}",
    "<=": "at most as many {x} as {n}",
    "!=": "more or fewer {x} than {n}",
}
_IS = {
    "=": "{n}",
    "!=": "not {n}",
    ">=": "at least {n}",
    ">": "more than {n}",
    "<": "less than {n}",
    "<=": "at most {n}",
}
_RANKS = {
    "=": "has the same rank as",
    "!=": "has a different rank from",
    ">": "ranks higher than",
    ">=": "ranks at least as high as",
    "<": "ranks lower than",
    "<=": "ranks at most as high as",
}
_ELIDED = (IT.text, "they")
"""Operands of comparisons that can be left out."""
_MEMBER = {"gift": "{0} gave {card} to {1}", "returned": "{0} returned {card} to {1}"}


class Comparisons:
    """Clauses for `left operator right`."""

    def __init__(self, nouns: Nouns, clause: Callable[[s.Expr, Scope], str]) -> None:
        self._nouns, self._clause = nouns, clause
        self._context = nouns.context

    def clause(self, e: s.Binary, scope: Scope) -> str:
        """Any comparison."""
        if e.operator in ("in", "not in"):
            return self._member(e, scope)
        if self._context.kind(e.left, scope) == "boolean" and e.operator in ("=", "!="):
            return self._same_answer(e, scope)
        left, operator, right = e.left, e.operator, e.right
        if isinstance(left, s.Nothing) or self._turned(left, right, scope):
            left, operator, right = right, _FLIPPED[operator], left
        if isinstance(right, s.Nothing):
            return self._none(left, operator, scope)
        if self._nouns.is_named(left, "played") and operator in ("=", "!="):
            player, card = self._nouns.refs(left, scope)[0], self._nouns.noun(right, scope.later())
            return f"{player.text} {'played' if operator == '=' else 'did not play'} {card}"
        for form in (self._deviation, self._measure, self._odd, self._suit, self._rank):
            said = form(left, operator, right, scope)
            if said is not None:
                return said
        if isinstance(left, s.Count) and isinstance(right, s.Count):
            a, b = (self._nouns.members(x.operand, scope) for x in (left, right))
            return f"there are {_LIKE[operator].format(x=a, n=b)}"
        n, template = number(right), _IS[operator]
        if (
            n in (0, 1)
            and operator in ("=", "!=")
            and isinstance(left, s.Name)
            and self._is_option(left.name)
        ):
            return f"“{plain(left.name)}” is {'' if (n == 1) == (operator == '=') else 'not '}agreed"
        noun = self._nouns.noun(left, scope)
        if operator == "=" and isinstance(left, s.Binary) and left.operator == "+":
            a, plus, b = noun.partition(" plus ")
            if plus and not any(
                x in f"{a} {b}" for x in (MARK, " plus ", " minus ", " and ", " if ", "(", ",")
            ):
                return f"{a} and {b} add up to {self._nouns.noun(right, scope.later())}"
        if operator in ("=", "!=") and self._context.kind(left, scope) == "cards":
            return f"{noun} are {'not ' * (operator == '!=')}exactly {self._nouns.noun(right, scope.later())}"
        several = is_plural(noun.removeprefix(MARK))
        be = "are " if several else "is "
        if n is not None and operator in (">=", "<="):
            template = "{n} or more" if operator == ">=" else "{n} or fewer" if several else "{n} or less"
        elif operator == "<" and several:
            template = "fewer than {n}"
        elif n is None and operator in ("=", "!=") and self._context.kind(left, scope) == "integer":
            be, template = ("equal", " {n}") if operator == "=" else ("differ", " from {n}")
            be += "" if several else "s"
        if operator == ">=" and isinstance(right, s.Binary) and right.operator == "+":
            more, right = number(right.right), right.left if number(right.right) else right
            template = f"at least {more} more than {{n}}" if more else template
        return f"{noun} {be}{template.format(n=self._nouns.noun(right, scope.later()))}"

    def _is_option(self, name: str) -> bool:
        """Whether a parameter only says whether something is agreed."""
        return name in self._context.file.parameters and {*self._context.file.parameters[name].values} == {
            0,
            1,
        }

    def _same_answer(self, e: s.Binary, scope: Scope) -> str:
        """Two conditions compared."""
        match e.right:
            case s.Truth(value):
                return self._clause(
                    e.left if value == (e.operator == "=") else s.Unary("not", e.left, e.span), scope
                )
            case _:
                a, b = (self._side(x, scope) for x in (e.left, e.right))
                return f"{a} if and only if {b}" if e.operator == "=" else f"either {a} or {b}, but not both"

    def _side(self, e: s.Expr, scope: Scope) -> str:
        """One side of a comparison of conditions, in brackets unless it is a single condition."""
        text = self._clause(e, scope)
        match e:
            case s.Name() | s.Apply() | s.IsEmpty():
                return text
            case s.Binary(operator, left) if operator not in ("and", "or"):
                return f"({text})" if self._context.kind(left, scope) == "boolean" else text
            case _:
                return f"({text})"

    def _turned(self, left: s.Expr, right: s.Expr, scope: Scope) -> bool:
        """Whether only the right side mentions the subject."""
        said = self._nouns.noun
        return MARK in said(right, scope) and MARK not in said(left, scope)

    # ----------------------------------------------------------------------------------------- numbers

    def _deviation(self, left: s.Expr, operator: str, right: s.Expr, scope: Scope) -> str | None:
        """`over` and `under` compared with a number: up, down, on target."""
        n = number(right)
        if n is None:
            return None
        if self._nouns.is_named(left, "under"):
            n, operator = -n, _FLIPPED[operator]
        elif not self._nouns.is_named(left, "over"):
            return None
        predicate = _up_or_down(operator, n)
        if predicate is None:
            return None
        ref = self._nouns.refs(left, scope)[0]
        past = "over" in self._context.past
        return f"{ref.text} {be(ref, past)} {predicate}{LATELY if past else ''}"

    def _taken(self, e: s.Expr, scope: Scope) -> tuple[str, str] | None:
        """`tricks` as a verb and its unit: "the dealer has taken", "tricks"."""
        name = name_of(e)
        refs = self._nouns.refs(e, scope)
        if name not in MEASURES or name in scope.names or len(refs) != 1:
            return None
        return f"{refs[0].text} {MEASURES[name][1 if refs[0].plural else 0]}", MEASURES[name][2]

    def _measure(self, left: s.Expr, operator: str, right: s.Expr, scope: Scope) -> str | None:
        """`tricks` compared with anything: has taken …"""
        taken = self._taken(left, scope)
        if taken is None:
            return None
        (taking, things), n = taken, number(right)
        if operator == "=" and self._nouns.is_named(right, "hand-size"):
            amount = f"all the {things} of the deal"
        elif (operator, n) in (("=", 0), ("<", 1), ("<=", 0)):
            amount = f"no {things}"
        elif (operator, n) in ((">", 0), (">=", 1), ("!=", 0)):
            amount = f"at least one {things[:-1]}"
        elif operator == ">=" and n and n == self._context.dealt_to_each():  # there can be no more
            amount = f"{n} {things}"
        elif n is not None:
            amount = _NUMBERS[operator].format(n=n, x=things[:-1] if n == 1 else things)
        else:
            amount = _LIKE[operator].format(n=self._nouns.noun(right, scope.later()), x=things)
        return f"{taking} {amount}"

    def _odd(self, left: s.Expr, operator: str, right: s.Expr, scope: Scope) -> str | None:
        """`n mod 2 = 1`: is odd, an odd number; `n mod 3 = 0`: is a multiple of 3."""
        match left, operator, number(right):
            case s.Binary("mod", n, s.IntegerLiteral(2)), "=" | "!=", 0 | 1 as rest:
                said = "odd" if (rest == 1) == (operator == "=") else "even"
            case s.Binary("mod", n, of), "=" | "!=", 0:
                no = "" if operator == "=" else "not "
                said = f"{no}a multiple of {self._nouns.part(of, scope.later())}"
            case _:
                return None
        if taken := self._taken(n, scope):
            an_odd, that = (f"an {said}", "") if said in ("odd", "even") else ("a", f" that is {said}")
            return f"{taken[0]} {an_odd} number of {taken[1]}{that}"
        noun = self._nouns.noun(n, scope)
        return f"{noun} {'are' if is_plural(noun.removeprefix(MARK)) else 'is'} {said}"

    # ----------------------------------------------------------------------------------- suits and ranks

    def _suit(self, left: s.Expr, operator: str, right: s.Expr, scope: Scope) -> str | None:
        card = card_with(left, ("suit", "followed-suit"))
        if card is None or operator not in ("=", "!="):
            return None
        if self._nouns.is_named(card, "played"):
            player = self._nouns.refs(card, scope)[0]
            verb = "played" if operator == "=" else "did not play"
            return f"{player.text} {verb} a {self._nouns.of_suit(left, right, scope)}"
        ref = self._nouns.ref(card, scope)
        followed = self._nouns.is_named(left, "followed-suit") and self._nouns.is_named(right, "led")
        if followed:
            verb = "follow" if ref.plural else "follows"
            no = "do not follow" if ref.plural else "does not follow"
            return f"{ref.text} {verb if operator == '=' else no} the suit led"
        no = "" if operator == "=" else "not "
        return f"{ref.text} {be(ref, False)} {no}{self._of_suit(left, right, ref.plural, scope)}"

    def _of_suit(self, left: s.Expr, suit: s.Expr, plural: bool, scope: Scope) -> str:
        """A card of a suit as a complement: "a trump", "of the suit led", "a heart"."""
        card = self._nouns.of_suit(left, suit, scope)
        if not card.startswith("card of "):
            return f"{card}s" if plural else f"a {card}"
        other = card_with(suit, ("suit", "followed-suit"))
        if other is not None and self._nouns.ref(other, scope).text in _ELIDED:
            return "of the same suit"
        return card.removeprefix("card ")

    def _rank(self, left: s.Expr, operator: str, right: s.Expr, scope: Scope) -> str | None:
        card = card_with(left, ("rank", "height"))
        if card is None:
            return None
        ref, other = self._nouns.ref(card, scope), card_with(right, ("rank", "height"))
        relation = _RANKS[operator]
        if ref.plural:
            relation = relation.replace("ranks", "rank").replace("has", "have")
        if other is not None:
            against = self._nouns.ref(other, scope.later())
            if against.text in _ELIDED:
                return (
                    f"{ref.text} {relation.removesuffix(' than').removesuffix(' as').removesuffix(' from')}"
                )
            return f"{ref.text} {relation} {against.text}"
        name = right.name if isinstance(right, s.Name) else ""
        if name not in self._context.rank_names() or name in scope.names:
            return None
        if operator in ("=", "!=") and ref.plural:
            plural = f"{plain(name)}{'es' if name.endswith('x') else 's'}"
            return f"{ref.text} are {'' if operator == '=' else 'not '}{plural}"
        article = "an" if name[0] in "aeiou" else "a"
        if operator in ("=", "!="):
            return f"{ref.text} {be(ref, False)} {'' if operator == '=' else 'not '}{article} {plain(name)}"
        return f"{ref.text} {relation} {article} {plain(name)}"

    # ---------------------------------------------------------------------------- membership and absence

    def _member(self, e: s.Binary, scope: Scope) -> str:
        ref = self._nouns.ref(e.left, scope)
        no = "" if e.operator == "in" else "not "
        match e.right:
            case s.PlayerSet(None, None, None, condition) if condition is not None and not no:
                return self._clause(condition, scope.about(ref))
            case s.Apply(function) if function in _MEMBER and not no:
                players = [r.text for r in self._nouns.refs(e.right, scope)]
                return _MEMBER[function].format(*players, card=ref.text)
            case s.Name(name) | s.Apply(name) if name in self._context.file.zones and name not in scope.names:
                owner = self._nouns.owner(e.right, scope)
                if name == "hand" and owner not in (None, scope.holder) and MARK not in ref.text:
                    assert owner is not None
                    verb = (
                        f"do{'es' * (not owner.plural)} not hold" if no else f"hold{'s' * (not owner.plural)}"
                    )
                    return f"{owner.text} {verb} {ref.text}"
                return f"{ref.text} {be(ref, False)} {no}{self._nouns.place(e.right, scope)}"
            case _:
                return f"{ref.text} {be(ref, False)} {no}{among(self._nouns.several(e.right, scope))}"

    def _none(self, left: s.Expr, operator: str, scope: Scope) -> str:
        name = name_of(left)
        refs = self._nouns.refs(left, scope)
        none = operator == "="
        if name == "played" and len(refs) == 1:
            have = "have" if refs[0].plural else "has"
            return f"{refs[0].text} {have} {'not yet played a card' if none else 'played a card'}"
        if len(refs) == 1 and name in self._context.file.state:
            thing = OWNED.get(name) or self._nouns.names.word(name)
            have = "have" if refs[0].plural else "has"
            return f"{refs[0].text} {have} {f'no {thing}' if none else article(thing)}"
        noun = self._nouns.noun(left, scope).removeprefix("the ")
        return f"there is {f'no {noun}' if none else article(noun)}"


def number(e: s.Expr) -> int | None:
    """The value of an integer literal, possibly negated."""
    match e:
        case s.IntegerLiteral(value):
            return value
        case s.Unary("-", s.IntegerLiteral(value)):
            return -value
        case _:
            return None


def be(ref: Ref, past: bool) -> str:
    """The form of "to be" that agrees with a subject."""
    return ("were" if past else "are") if ref.plural else ("was" if past else "is")


def _up_or_down(operator: str, n: int) -> str | None:
    plain_words = {
        (">", 0): "up", (">=", 1): "up", ("<", 0): "down", ("<=", -1): "down", ("=", 0): "exactly on target",
        ("!=", 0): "not exactly on target", (">=", 0): "not down", ("<=", 0): "not up",
    }  # fmt: skip
    if (operator, n) in plain_words:
        return plain_words[operator, n]
    if operator == "=":
        return f"exactly {abs(n)} {'up' if n > 0 else 'down'}"
    if n > 0 and operator in (">", ">="):
        return f"{n} or more up" if operator == ">=" else f"more than {n} up"
    if n < 0 and operator in ("<", "<="):
        return f"{-n} or more down" if operator == "<=" else f"more than {-n} down"
    return None
