"""What names refer to while a rule is being worded: `Ref`, `Scope`, and the ruleset around them (`Context`).

A `Ref` is a noun phrase that has been introduced ("the giver"), with its possessive and its form on later
mention ("they"). Texts under construction contain two marks, which never leave `rules.py`: `MARK` before a
subject that must come first in its clause, and `LATELY` where "in the previous deal" may be said once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from trickproof.english.rule_order import parts
from trickproof.english.vocabulary import ASPECTS, RULE_NOUNS, plain
from trickproof_dsl.elaboration.builtins import BUILTINS
from trickproof_dsl.files.model import RulesetFile
from trickproof_dsl.syntax import ast as s

MARK = "\ue000"
LATELY = "\ue001"

Trees = Mapping[str, tuple[s.RuleText, ...]]

_INLINED = 8
"""Maximum number of syntax nodes in a condition that is inlined wherever its name occurs."""


@dataclass(frozen=True, slots=True)
class Ref:
    """Something referred to; `owns` is None if only "… of X" reads well."""

    text: str
    kind: str = "player"
    owns: str | None = None
    again: Ref | None = None
    plural: bool = False

    def later(self) -> Ref:
        return self.again or self

    def apart(self) -> Ref:
        """The same, where "their" could be somebody else's."""
        owns = f"{self.text}'s" if self.owns == "their" and not self.plural else self.owns
        return replace(self, owns=owns, again=self.again.apart() if self.again else None)


THAT_PLAYER = Ref("that player", "player", "their")
APART = Ref("that player", "player", "that player's")
"""`THAT_PLAYER` where others are mentioned too, so that "their" would be ambiguous."""
IT = Ref("it", "card", "its")


def again(kind: str, plural: bool = False) -> Ref:
    """The form of a reference when it is repeated in the same clause."""
    if plural:
        return Ref("they", kind, "their", plural=True)
    if kind == "player":
        return THAT_PLAYER
    return IT if kind == "card" else Ref(f"that {kind}", kind)


@dataclass(frozen=True, slots=True)
class Scope:
    """Bound names, the implicit subject of each kind, and the `holder`, whose cards are simply "in hand"."""

    names: Mapping[str, Ref] = field(default_factory=dict)
    subjects: Mapping[str, Ref] = field(default_factory=dict)
    holder: Ref | None = None

    def bind(self, name: str | None, ref: Ref) -> Scope:
        return replace(self, names={**self.names, name: ref}) if name else self

    def about(self, ref: Ref) -> Scope:
        return replace(self, subjects={**self.subjects, ref.kind: ref})

    def another(self, kind: str) -> Ref:
        """A form for something new that is distinct from everything already introduced."""
        for ref in (again(kind), Ref(f"that {kind}", kind)):
            if not self.knows(ref.text):
                return ref
        return Ref(f"the {kind} in question", kind)

    def knows(self, text: str) -> bool:
        """Whether that form is already taken."""
        return any(text == known.text for known in (*self.names.values(), *self.subjects.values()))

    def later(self) -> Scope:
        """The scope after its references have been mentioned."""
        return Scope(
            {name: ref.later() for name, ref in self.names.items()},
            {kind: ref.later() for kind, ref in self.subjects.items()},
            self.holder.later() if self.holder else None,
        )

    def apart(self) -> Scope:
        """The scope next to a new person, who would be taken for "they"."""
        return Scope(
            {name: ref.apart() for name, ref in self.names.items()},
            {kind: ref.apart() for kind, ref in self.subjects.items()},
            self.holder.apart() if self.holder else None,
        )

    def saying_they(self) -> Scope:
        """The scope in which the holder is "they" where only that player can be meant."""
        they = again("player", True)
        names = {name: they if ref == self.holder else ref for name, ref in self.names.items()}
        subjects = {kind: they if ref == self.holder else ref for kind, ref in self.subjects.items()}
        return Scope(names, subjects, they)

    def acting(self, actor: Ref) -> Scope:
        """The scope after a verb with subject `actor`: "hand" and "their" unambiguously refer to the actor."""
        after = actor.later()
        mine = replace(after, owns="their") if after.text == THAT_PLAYER.text else after

        def mentioned(ref: Ref) -> Ref:
            return mine if ref == actor else ref.later().apart()

        names = {name: mentioned(ref) for name, ref in self.names.items()}
        subjects = {kind: mentioned(ref) for kind, ref in self.subjects.items()}
        return Scope(names, {**subjects, "player": mine}, mine)


@dataclass
class Context:
    """The ruleset of a rule; `past` are variables that still hold their values from the previous deal.

    `counts_tricks` says whether `over` is the tricks taken minus the target, so that a player can be "tricks
    up". `inlined` collects the helper rules whose text was inlined, `named` those that were only referred to.
    """

    file: RulesetFile
    trees: Trees
    past: frozenset[str] = frozenset()
    expand: bool = False
    counts_tricks: bool = True
    inlined: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)

    @property
    def players(self) -> int:
        return self.file.players.number if self.file.players else 0

    @property
    def has_own_suits(self) -> bool:
        """Whether a card may belong to another suit than the one printed on it."""
        tree = self.value_tree("followed-suit")
        return not (isinstance(tree, s.Apply) and tree.function == "suit")

    def inlines(self, rule: str) -> bool:
        """Whether a value rule is inlined wherever its name occurs, as it is hardly longer than the name."""
        tree = self.value_tree(rule)
        if tree is None or rule in RULE_NOUNS or rule in ASPECTS:
            return False
        inside = list(nodes(tree))
        if self.kind_of_rule(rule) == "boolean":
            joined = any(isinstance(x, s.Conditional) or _is_joined(x) for x in inside)
            return not joined and len(inside) <= _INLINED
        return len(inside) <= 4 and all(_is_plain(x) for x in inside)

    def holds_one(self, zone: str) -> bool:
        """Whether a zone never holds more than a card, which the deal turns up or sets aside."""
        into = (x for x in nodes((*self.trees.values(),)) if isinstance(x, s.Act | s.Deal | s.Put))
        filled = [x for x in into if isinstance(x.to, s.Name) and x.to.name == zone]
        dealt = [x for tree in self.trees.get("deal", ()) if isinstance(tree, s.Procedure) for x in tree.body]
        match filled:
            case [s.Deal(s.IntegerLiteral(1)) as only]:
                moved = (move.to.value for move in self.file.moves.values() if move.to)
                return only in dealt and zone not in moved
            case _:
                return False

    def dealt_to_each(self) -> int:
        """How many cards the deal gives every player, if it gives all players as many; else 0."""
        texts = self.trees.get("deal", ())
        match texts:
            case (s.Procedure(body),):
                return _dealt(body)
            case _:
                return 0

    def others(self, node: object, scope: Scope, but: str) -> bool:
        """Whether part of a rule mentions players other than the one named `but`."""
        return any(
            (isinstance(x, s.Name) and x.name != but and self._kind_of_name_in(x, scope) == "player")
            or isinstance(x, s.PlayerSet | s.Everything)
            or (isinstance(x, s.Quantified) and x.kind == "player")
            for x in nodes(node)
        )

    def _kind_of_name_in(self, e: s.Name, scope: Scope) -> str:
        known = e.name in scope.names or e.name in self.file.state or self.value_tree(e.name) is not None
        return self.kind(e, scope) if known else ""

    def owners(self, name: str) -> tuple[str, ...] | None:
        """The argument types of a variable, zone or value rule; None for other names."""
        if name in self.file.state:
            return tuple(w.value for w in self.file.state[name].of)
        if name in self.file.zones:
            return tuple(w.value for w in self.file.zones[name].of)
        if name in self.file.rules:
            return tuple(kind.value for kind, _ in self.file.rules[name].parameters)
        return None

    def card_of(self, suit: s.Expr, scope: Scope) -> str | None:
        """A card of a suit that is named, as a noun: "spade"; None if it has no such word."""
        name = suit.name if isinstance(suit, s.Name) and suit.name not in scope.names else ""
        return plain(name)[:-1] if name in self.suit_names() and name.endswith("s") else None

    def suit_names(self) -> tuple[str, ...]:
        return tuple(self.file.suit_names.values())

    def rank_names(self) -> tuple[str, ...]:
        return tuple(self.file.rank_names.values())

    def value_tree(self, rule: str) -> s.Expr | None:
        """The text of a rule that is a single expression without readings."""
        trees = self.trees.get(rule, ())
        return trees[0].expr if len(trees) == 1 and isinstance(trees[0], s.Value) else None

    def kind(self, e: s.Domain, scope: Scope) -> str:
        """The type of an expression by name, or "" if it does not matter."""
        match e:
            case s.Name(name) if name in scope.names:
                return scope.names[name].kind
            case s.Name(name) | s.Apply(name):
                return self._kind_of_name(name)
            case s.Subject(kind):
                return kind
            case s.IntegerLiteral() | s.Count() | s.Total():
                return "integer"
            case s.Range():
                return "integers"
            case s.CardLiteral():
                return "card"
            case s.Truth() | s.Quantified() | s.IsEmpty():
                return "boolean"
            case s.Everything(kind):
                return kind
            case s.PlayerSet():
                return "players"
            case s.CardSet() | s.Matching() | s.UnionOf():
                return "cards"
            case s.BestOf(kind) | s.Only(kind):
                return kind if isinstance(e, s.Only) else kind + "s"
            case s.Top(_, _, operand):
                return self.kind(operand, scope)
            case s.Conditional(_, then, otherwise):
                return self.kind(otherwise if isinstance(then, s.Nothing) else then, scope)
            case s.Unary(operator):
                return "boolean" if operator == "not" else "integer"
            case s.Binary(operator, left):
                if operator not in ("+", "-"):
                    return "integer" if operator in ("*", "div", "mod") else "boolean"
                kind = self.kind(left, scope)
                return {"card": "cards", "player": "players"}.get(kind, kind)
            case s.Nothing() | s.Extreme():
                return ""
            case _:
                assert_never(e)

    def _kind_of_name(self, name: str) -> str:
        file = self.file
        if name in file.state:
            return file.state[name].type.value
        if name in file.zones:
            return "cards"
        if name in file.rules:
            return self.kind_of_rule(name)
        if name in file.parameters:
            return "integer"
        if name in BUILTINS:
            return BUILTINS[name].gives.kind
        if name in self.suit_names():
            return "suit"
        return "rank" if name in self.rank_names() else "option"

    def kind_of_rule(self, name: str) -> str:
        """The type of a value rule by name."""
        rule = self.file.rules[name]
        if rule.gives is not None:
            return rule.gives.value
        trees = self.trees.get(name, ())
        first = trees[0] if trees else None
        if not isinstance(first, s.Value):
            return ""
        own = {word.value: Ref(word.value, kind.value) for kind, word in rule.parameters}
        return self.kind(first.expr, Scope(own))


def name_of(e: s.Domain) -> str:
    """The name that an expression is, bare or applied; "" for any other expression."""
    return e.name if isinstance(e, s.Name) else e.function if isinstance(e, s.Apply) else ""


def nodes(node: object) -> Iterator[object]:
    """A node and all its descendants, except inside announcements, which only go on record."""
    if isinstance(node, tuple):
        for part in node:
            yield from nodes(part)
    elif type(node).__module__.startswith("trickproof_dsl.syntax.ast"):
        yield node
        for part in parts(node) if not isinstance(node, s.Announce) else ():
            yield from nodes(part)


def _dealt(body: tuple[s.Stmt, ...]) -> int:
    """How many cards each player gets from these statements, if no player gets any alone."""
    number = 0
    for t in body:
        match t:
            case s.For(
                p,
                s.PlayerSet(_, None, None, None),
                _,
                _,
                (s.Deal(s.IntegerLiteral(n), s.Apply("hand", (s.Name(q),))),),
            ) if p == q:
                number += n
            case s.RepeatTimes(s.IntegerLiteral(times), again):
                number += times * _dealt(again)
            case s.Deal(to=s.Name()) | s.Do():
                pass
            case _:
                return 0
    return number


def card_with(e: s.Expr, names: tuple[str, ...]) -> s.Expr | None:
    """The card whose suit or rank an expression is."""
    match e:
        case s.Apply(function, (card,)) if function in names:
            return card
        case s.Name(name) if name in names:
            return s.Subject("card", e.span)
        case s.Subject("suit") if "suit" in names:
            return s.Subject("card", e.span)
        case _:
            return None


def _is_joined(node: object) -> bool:
    return isinstance(node, s.Binary) and node.operator in ("and", "or")


def _is_plain(node: object) -> bool:
    match node:
        case s.Name() | s.IntegerLiteral() | s.CardLiteral() | s.Subject() | s.Unary("-"):
            return True
        case s.Apply(_, (_,)):
            return True
        case _:
            return False
