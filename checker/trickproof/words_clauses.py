"""Conditions of rule text as clauses: "some player has taken 12 or more tricks", "who was up in the last hand".

A clause is said of a subject.  Where the condition's subject is the one a relative clause or a quantifier is about,
the two are joined ("players who …", "some card in hand follows …"); where it is not, the clause is said in full
behind "for whom" or "there is a player for whom".  `MARK` tells which of the two happened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from trickproof.words_comparisons import Comparisons
from trickproof.words_nouns import Nouns, small
from trickproof.words_scope import MARK, Context, Ref, Scope, again
from trickproof.words_vocabulary import plain
from trickproof_dsl import syntax as s

_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in"}
_AMOUNTS = {
    "=": "exactly {n}",
    ">=": "at least {n}",
    ">": "more than {n}",
    "<": "fewer than {n}",
    "<=": "at most {n}",
    "!=": "any number but {n} of",
}


class Clauses:
    """Clauses and relative clauses of one ruleset."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.nouns = Nouns(context, self.relative, self.clause)
        self._comparisons = Comparisons(self.nouns, self.clause)

    # ------------------------------------------------------------------------------------- any condition

    def clause(self, e: s.Expr, scope: Scope) -> str:
        """A condition as a clause."""
        match e:
            case s.Truth(value):
                return "always" if value else "never"
            case s.Unary("not", operand):
                return self._negated(operand, scope)
            case s.Binary("and" | "or" as word):
                return self._joined(word, e, scope)
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
            case _:
                return f"{self.nouns.noun(e, scope)} is true"

    def given(self, e: s.Expr) -> Callable[[Scope], str]:
        """A condition in front of what happens then: "if …", "in the first hand"."""
        match e:
            case s.Name("first-hand"):
                return lambda _: "in the first hand"
            case s.Unary("not", s.Name("first-hand")):
                return lambda _: "in every hand but the first"
            case _:
                return lambda scope: f"if {self.clause(e, scope)}"

    def _named(self, e: s.Name | s.Apply, scope: Scope) -> str:
        name = e.name if isinstance(e, s.Name) else e.function
        if name == "first-hand":
            return "it is the first hand"
        if name == "end":
            return "the match is over"
        refs = self.nouns.refs(e, scope)
        tree = self.context.value_tree(name) if name in self.context.file.rules else None
        if tree is not None:
            self.context.inlined.append(name)
            return self.clause(tree, self.nouns.inside_rule(name, refs))
        if refs:
            return f"“{plain(name)}” is true of {' and '.join(r.text for r in refs)}"
        return f"“{plain(name)}” is true"

    def _negated(self, e: s.Expr, scope: Scope) -> str:
        match e:
            case s.Unary("not", operand):
                return self.clause(operand, scope)
            case s.Binary(operator, left, right) if operator in _OPPOSITE:
                return self.clause(s.Binary(_OPPOSITE[operator], left, right, e.span), scope)
            case s.Binary("and" | "or" as word, left, right):
                a, b = (s.Unary("not", x, e.span) for x in (left, right))
                return self.clause(s.Binary("or" if word == "and" else "and", a, b, e.span), scope)
            case s.Quantified("some" | "no" as word):
                return self._quantified(e, "no" if word == "some" else "some", scope)
            case s.IsEmpty(operand, negated):
                return self.clause(replace(e, negated=not negated), scope)
            case s.Name("first-hand"):
                return "it is not the first hand"
            case _:
                return f"it is not so that {self.clause(e, scope)}"

    def _joined(self, word: str, e: s.Binary, scope: Scope) -> str:
        parts = flat(word, e)
        said = [self.clause(parts[0], scope)]
        for part in parts[1:]:
            said.append(self._continued(said[0], self.clause(part, scope.later()), scope, word))
        if word == "and":
            said = [f"either {t}" if _is(p, "or") else t for t, p in zip(said, parts, strict=True)]
        return f" {word} ".join(said)

    def _continued(self, first: str, text: str, scope: Scope, word: str) -> str:
        """A further part without its subject, where it is that of the first part."""
        for ref in scope.subjects.values():
            if first.startswith(f"{ref.text} ") and text.startswith(f"{ref.later().text} "):
                rest = text.removeprefix(f"{ref.later().text} ")
                return (
                    rest.removeprefix("is ") if word == "or" and first.startswith(f"{ref.text} is ") else rest
                )
        return text

    # ------------------------------------------------------------------------------- players and cards that

    def relative(self, condition: s.Expr, kind: str, scope: Scope, binder: str | None, plural: bool) -> str:
        """A condition behind the noun it narrows: "who was up", "for whom …"."""
        pronoun = "who" if kind == "player" else "that"
        ref = Ref(MARK + pronoun, kind, f"{MARK}whose", again(kind, plural), plural)
        joined = self._about(condition, ref, scope, binder)
        if joined is not None:
            return joined
        word = "or" if _is(condition, "or") else "and"
        whom, inner = f"for {'whom' if kind == 'player' else 'which'}", scope.another(kind)
        said = []
        for part in flat(word, condition):
            direct = self._about(part, ref, scope, binder)
            said.append(direct or f"{whom} {self.clause(part, scope.bind(binder, inner).about(inner))}")
        return f" {word} ".join(said)

    def _about(self, condition: s.Expr, ref: Ref, scope: Scope, binder: str | None) -> str | None:
        """The condition said of `ref`, or None where it is not the subject of every part."""
        word = "or" if _is(condition, "or") else "and"
        inner = scope.bind(binder, ref).about(ref)
        said = [self.clause(part, inner) for part in flat(word, condition)]
        if any(not t.startswith(MARK) or t.count(MARK) > 1 for t in said):
            return None
        head = f"{ref.text} "
        if len(said) > 1 and all(t.startswith(head) for t in said):
            said[1:] = [t.removeprefix(head) for t in said[1:]]
            if word == "or" and all(t.removeprefix(head).startswith("is ") for t in said):
                said[1:] = [t.removeprefix("is ") for t in said[1:]]
        elif len(said) > 1 and ref.owns != f"{MARK}whose":
            return None
        return f" {word} ".join(said).replace(MARK, "")

    def _quantified(self, e: s.Quantified, quantifier: str, scope: Scope) -> str:
        head = f"{quantifier} {e.kind}"
        if e.inside is not None:
            head = self.nouns.group(e.inside, scope, head, False)
        said = self._of_some(head, e.kind, e.condition, scope, e.binder, False)
        if said is not None:
            return said
        rest = head.removeprefix(f"{quantifier} ")
        if quantifier == "every":
            ref = scope.another(e.kind)
            holds = self.clause(e.condition, scope.bind(e.binder, ref).about(ref))
            return f"for every {rest}, {holds}"
        opening = "there is a" if quantifier == "some" else "there is no"
        return f"{opening} {rest} {self.relative(e.condition, e.kind, scope, e.binder, False)}"

    def _of_some(
        self, head: str, kind: str, condition: s.Expr, scope: Scope, binder: str | None, plural: bool
    ) -> str | None:
        owns = f"{MARK}{head}'s" if len(head.split()) < 3 and not plural else None
        ref = Ref(MARK + head, kind, owns, again(kind, plural), plural)
        return self._about(condition, ref, scope, binder)

    def _counted(self, operator: str, operand: s.Expr, n: int, scope: Scope) -> str:
        """`number of … = 1`."""
        kind = self.context.kind(operand, scope).rstrip("s")
        none, some = (operator, n) in (("=", 0), ("<", 1)), (operator, n) in ((">", 0), (">=", 1), ("!=", 0))
        plural = n != 1 and not some and not none
        amount = "no" if none else "some" if some else _AMOUNTS[operator].format(n=small(n))
        noun = kind + "s" if plural else kind
        if isinstance(operand, s.PlayerSet | s.CardSet) and operand.condition is not None:
            bare = replace(operand, condition=None)
            head = self.nouns.group(bare, scope, f"{amount} {noun}", plural)
            said = self._of_some(head, kind, operand.condition, scope, operand.binder, plural)
            if said is not None:
                return said
        verb = "are" if plural or none else "is"
        if (
            some
            and not isinstance(operand, s.PlayerSet | s.CardSet | s.BestOf)
            and not self._is_zone(operand)
        ):
            return f"there is at least one of {self.nouns.noun(operand, scope)}"
        if none or some:
            return f"there {'are' if none else 'is'} {'no' if none else 'at least one'} {self._noun(operand, scope, not some, kind)}"
        return f"there {verb} {amount} {self._noun(operand, scope, plural, kind)}"

    def _is_zone(self, e: s.Expr) -> bool:
        return isinstance(e, s.Name | s.Apply) and (
            (e.name if isinstance(e, s.Name) else e.function) in self.context.file.zones
        )

    def _noun(self, operand: s.Expr, scope: Scope, plural: bool, kind: str) -> str:
        if isinstance(operand, s.BestOf) and plural:
            return self.nouns.members(operand, scope)
        return self.nouns.group(operand, scope, kind + "s" if plural else kind, plural)


def flat(word: str, e: s.Expr) -> Sequence[s.Expr]:
    """The parts of a chain of `and` or `or`."""
    if isinstance(e, s.Binary) and e.operator == word:
        return [*flat(word, e.left), *flat(word, e.right)]
    return [e]


def _is(e: s.Expr, word: str) -> bool:
    return isinstance(e, s.Binary) and e.operator == word
