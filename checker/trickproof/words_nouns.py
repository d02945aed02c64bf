"""Values of rule text as noun phrases: "the dealer's target", "the cards in hand that follow the suit led".

Made from a syntax tree and a `Scope`.  Conditions inside a value are put into words by `words_clauses.py`, which
hands its `relative` in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from trickproof.words_best import Best
from trickproof.words_scope import LATELY, Context, Ref, Scope, again
from trickproof.words_vocabulary import OWNED, PAIRS, PLACES, RULE_NOUNS, SHARED, plain
from trickproof_dsl import syntax as s
from trickproof_dsl.source import Source, Span

LONGEST_INLINED = 130
"""A helper rule is said in full inside another rule up to this many characters."""

Relative = Callable[[s.Expr, str, Scope, str | None, bool], str]
_ARITHMETIC = {"+": "plus", "-": "minus", "*": "times", "div": "divided by", "mod": "modulo"}
_NOWHERE = Span(Source("", ""), 0, 0)
BUILTINS = {
    "left": "player",
    "right": "player",
    "opposite": "player",
    "partner": "player",
    "team": "player",
    "suit": "card",
    "rank": "card",
    "height": "card",
}
"""Functions of the language that may stand bare, and whom they then speak of."""
_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def small(n: int) -> str:
    """Small numbers as words."""
    return _SMALL[n] if 0 <= n < len(_SMALL) else str(n)


class Nouns:
    """Noun phrases; `relative` says "who …" or "that …" for a condition, `clause` a whole clause."""

    def __init__(self, context: Context, relative: Relative, clause: Callable[[s.Expr, Scope], str]) -> None:
        self.context, self._relative, self._clause = context, relative, clause
        self._best = Best(self)

    # --------------------------------------------------------------------------------------- any value

    def noun(self, e: s.Expr, scope: Scope) -> str:
        """Any value as a noun phrase."""
        match e:
            case s.Name(name) if name in BUILTINS and name not in scope.names:
                return self._builtin(s.Apply(name, (s.Subject(BUILTINS[name], e.span),), e.span), scope)
            case s.Name() | s.Apply():
                return self._named(e, scope)
            case s.Subject("suit") if "suit" not in scope.subjects and "card" in scope.subjects:
                return self.owned(scope.subjects["card"], "suit")
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
            case s.Unary() | s.Binary():
                return self._arithmetic(e, scope)
            case s.Conditional(condition, then, otherwise):
                holds = self._clause(condition, scope)
                return f"{self.noun(then, scope)} if {holds}, otherwise {self.noun(otherwise, scope)}"
            case s.Everything(kind):
                return f"all {kind}"
            case s.IsEmpty() | s.Quantified():
                return f"whether {self._clause(e, scope)}"
            case s.Count() | s.Total() | s.Extreme():
                return self._aggregate(e, scope)
            case s.UnionOf(value, domain):
                anyone = Ref(self.group(domain, scope, "any player", False), "player", None, again("player"))
                return f"all {self.noun(value, scope.about(anyone)).removeprefix('the ')}"
            case s.PlayerSet():
                bare = (e.inside, e.other_than, e.condition) == (None, None, None)
                return "all players" if bare else self.group(e, scope, "the players", True)
            case s.CardSet():
                return self.group(e, scope, "the cards", True)
            case s.BestOf() | s.Top() | s.Matching() | s.Only():
                return self._best.phrase(e, scope)
            case _:
                assert_never(e)

    def card_name(self, code: str) -> str:
        """`AS` as "the ace of spades"."""
        deck = self.context.file.deck
        ranks = {a.value: b.value for a, b in (deck.ranks or ())} if deck else {}
        suits = {a.value: b.value for a, b in (deck.suits or ())} if deck else {}
        return f"the {plain(ranks.get(code[0], code[0]))} of {plain(suits.get(code[1], code[1]))}"

    def ref(self, e: s.Expr, scope: Scope) -> Ref:
        """What an expression speaks of, with its possessive."""
        if isinstance(e, s.Name) and e.name in scope.names:
            return scope.names[e.name]
        if isinstance(e, s.Subject) and e.kind in scope.subjects:
            return scope.subjects[e.kind]
        text, kind = self.noun(e, scope), self.context.kind(e, scope)
        short = " " not in text.removeprefix("the ") and not text.endswith("s")
        return Ref(text, kind, f"{text}'s" if short else None)

    # ------------------------------------------------------------------------------------------- names

    def _named(self, e: s.Name | s.Apply, scope: Scope) -> str:
        name = e.name if isinstance(e, s.Name) else e.function
        if isinstance(e, s.Name) and name in scope.names:
            return scope.names[name].text
        refs = self.refs(e, scope)
        file = self.context.file
        if name in file.state or name in file.zones:
            return self._variable(name, refs)
        if name in file.rules:
            return self._rule(name, refs)
        if name in file.parameters:
            values = file.parameters[name].values
            told = " or ".join(map(str, values)) if len(values) < 5 else f"{values[0]} to {values[-1]}"
            return f"the agreed {plain(name)} ({told})"
        if isinstance(e, s.Apply):
            return self._builtin(e, scope)
        known = (*self.context.suit_names(), *self.context.rank_names())
        return plain(name) if name in known else f"“{plain(name)}”"

    def refs(self, e: s.Expr, scope: Scope) -> list[Ref]:
        """What a name is applied to, said or left out."""
        if isinstance(e, s.Apply):
            return [self.ref(a, scope) for a in e.arguments]
        owners = self.context.owners(e.name) if isinstance(e, s.Name) else None
        return [scope.subjects.get(kind, Ref(f"the {kind}", kind, f"the {kind}'s")) for kind in owners or ()]

    def owned(self, ref: Ref, noun: str) -> str:
        """Somebody's something."""
        return f"{ref.owns} {noun}" if ref.owns else f"the {noun} of {ref.text}"

    def _variable(self, name: str, refs: Sequence[Ref]) -> str:
        if not refs:
            return SHARED.get(name, f"the {self._word(name)}")
        if name in PAIRS and len(refs) == 2:
            return PAIRS[name].format(*(r.text for r in refs))
        mine = self.owned(refs[0], OWNED.get(name, self._word(name)))
        return mine if len(refs) == 1 else f"{mine} for {' and '.join(r.text for r in refs[1:])}"

    def _word(self, name: str) -> str:
        """A name of the ruleset's own; "married" wants to hear what is married."""
        kind = self.context.kind(s.Name(name, _NOWHERE), Scope())
        noun = kind if kind in ("suit", "rank", "card", "cards", "player") and name.endswith("ed") else ""
        return f"{plain(name)} {noun}".strip()

    def _rule(self, name: str, refs: Sequence[Ref]) -> str:
        """A rule that gives a value: by its standard name, in full where it is short, or by its own name."""
        if name in RULE_NOUNS:
            was, lately = ("was", LATELY) if "over" in self.context.past else ("is", "")
            return RULE_NOUNS[name].format(*(r.text for r in refs), was=was, lately=lately)
        if not self.context.trees.get(name):
            self.context.inlined.append(name)
        tree = self.context.value_tree(name)
        if tree is not None:
            kept = len(self.context.inlined)
            text = self.noun(tree, self.inside_rule(name, refs))
            if len(text) <= LONGEST_INLINED:
                self.context.inlined.append(name)
                return text
            del self.context.inlined[kept:]
        if not refs:
            return f"the {plain(name)}"
        if len(refs) == 1:
            return self.owned(refs[0], plain(name))
        return f"the {plain(name)} of {_listed([r.text for r in refs])}"

    def inside_rule(self, name: str, refs: Sequence[Ref]) -> Scope:
        """The scope of a rule's text, asked about `refs`."""
        parameters = self.context.file.rules[name].parameters
        kinds = [kind.value for kind, _ in parameters]
        scope = Scope()
        for (kind, word), ref in zip(parameters, refs, strict=False):
            scope = scope.bind(word.value, ref)
            if kinds.count(kind.value) == 1:
                scope = scope.about(ref)
        return scope

    def _builtin(self, e: s.Apply, scope: Scope) -> str:
        if e.function in ("larger", "smaller"):
            a, b = (self.noun(x, scope) for x in e.arguments)
            return f"the {e.function} of {a} and {b}"
        inner = e.arguments[0]
        if e.function in ("left", "right"):
            if isinstance(inner, s.Apply) and inner.function == e.function:
                return self._two_seats(e.function, inner.arguments[0], scope)
            ref = self.ref(inner, scope)
            return (
                f"the player to {ref.owns} {e.function}"
                if ref.owns
                else f"the player to the {e.function} of {ref.text}"
            )
        ref = self.ref(inner, scope)
        if e.function == "opposite":
            return f"the player opposite {ref.text}"
        return self.owned(ref, "rank" if e.function == "height" else plain(e.function))

    def _two_seats(self, side: str, of: s.Expr, scope: Scope) -> str:
        ref = self.ref(of, scope)
        if self.context.players == 4:
            return f"the player opposite {ref.text}"
        return f"the player two seats to the {side} of {ref.text}"

    # ---------------------------------------------------------------------------------------- numbers

    def _arithmetic(self, e: s.Unary | s.Binary, scope: Scope) -> str:
        if isinstance(e, s.Unary):
            if e.operator == "-" and self.is_named(e.operand, "over"):
                return self._rule("under", self.refs(e.operand, scope))
            if isinstance(e.operand, s.IntegerLiteral):
                return str(-e.operand.value)
            return f"{'not' if e.operator == 'not' else 'minus'} {self._part(e.operand, scope)}"
        left = self._part(e.left, scope)
        right = self._part(e.right, scope.later())
        if self.context.kind(e.left, scope) in ("card", "cards", "player", "players"):
            return f"{left} {'together with' if e.operator == '+' else 'without'} {right}"
        rounded = " (rounded down)" if e.operator == "div" else ""
        return f"{left} {_ARITHMETIC.get(e.operator, e.operator)} {right}{rounded}"

    def _part(self, e: s.Expr, scope: Scope) -> str:
        text = self.noun(e, scope)
        return f"({text})" if isinstance(e, s.Binary | s.Conditional) else text

    def is_named(self, e: s.Expr, name: str) -> bool:
        """Whether an expression is that name, applied or bare."""
        return (isinstance(e, s.Name) and e.name == name) or (isinstance(e, s.Apply) and e.function == name)

    def _aggregate(self, e: s.Count | s.Total | s.Extreme, scope: Scope) -> str:
        if isinstance(e, s.Count):
            return f"the number of {self.members(e.operand, scope)}"
        inside, each = self.each(e.domain, scope)
        value = self.noun(e.value, inside)
        if isinstance(e, s.Total):
            return f"the sum of {value}" if each == "each player" else f"the sum, over {each}, of {value}"
        degree = "highest" if e.highest else "lowest"
        if isinstance(e.value, s.Name):
            whose = self.members(e.domain, scope)
            return f"the {degree} {OWNED.get(e.value.name, plain(e.value.name))} among the {whose}"
        return f"the {degree} of: {value}"

    def each(self, domain: s.Domain, scope: Scope) -> tuple[Scope, str]:
        """The scope in which "each player …" is spoken of, and that phrase."""
        assert not isinstance(domain, s.Range)
        kind = self.context.kind(domain, scope).rstrip("s")
        text = self.group(domain, scope, f"each {kind}", False)
        ref = Ref(text, kind, f"{text}'s", again(kind)) if text == "each player" else again(kind)
        binder = domain.binder if isinstance(domain, s.PlayerSet | s.CardSet) else None
        return scope.bind(binder, ref).about(ref), text

    # -------------------------------------------------------------------------------------------- sets

    def members(self, e: s.Expr, scope: Scope) -> str:
        """A set for counting: "players who …", "cards in hand"."""
        if isinstance(e, s.BestOf) and e.kind == "player":
            among = f" among {self.noun(e.among, scope)}" if e.among is not None else ""
            return f"players with {self._best.most(e, scope)}{among}"
        kind = self.context.kind(e, scope)
        return self.group(e, scope, kind or "members", True)

    def group(self, e: s.Expr, scope: Scope, head: str, plural: bool) -> str:
        """A set behind a head such as "each player" or "the cards"."""
        match e:
            case s.PlayerSet(binder, inside, other_than, condition):
                text = head if inside is None else f"{head} among {self.noun(inside, scope)}"
                if other_than is not None:
                    text += f" other than {self.noun(other_than, scope)}"
                return text + self.tail(condition, "player", scope, binder, plural)
            case s.CardSet(binder, inside, condition):
                return f"{head} {self.place(inside, scope)}" + self.tail(
                    condition, "card", scope, binder, plural
                )
            case s.Everything():
                return head
            case _ if self.context.kind(e, scope) == "cards":
                return f"{head} {self.place(e, scope)}"
            case _:
                return f"{head} among {self.noun(e, scope)}"

    def tail(
        self, condition: s.Expr | None, kind: str, scope: Scope, binder: str | None, plural: bool
    ) -> str:
        """` who …`, or nothing."""
        return "" if condition is None else f" {self._relative(condition, kind, scope, binder, plural)}"

    def place(self, e: s.Expr, scope: Scope) -> str:
        """Where cards are: what follows the word "cards"."""
        name = e.name if isinstance(e, s.Name) else e.function if isinstance(e, s.Apply) else ""
        file = self.context.file
        if name in scope.names:
            return f"of {scope.names[name].text}"
        if name in PLACES:
            told = PLACES[name].format(*(r.text for r in self.refs(e, scope)))
            return told.replace("that player may", "they may")
        if name in file.zones:
            if isinstance(e, s.Name) and name == "hand":
                return "in hand"
            return f"in {self.noun(e, scope)}"
        if isinstance(e, s.CardSet):
            return self.group(e, scope, "", True).strip()
        noun = self.noun(e, scope)
        for opening in ("the cards ", "all cards "):
            if noun.startswith(opening):
                return noun.removeprefix(opening)
        return f"among {noun}"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
