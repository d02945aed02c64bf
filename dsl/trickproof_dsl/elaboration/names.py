"""Resolves names in rule text, and their applications to arguments.

A bare per-player name refers to the implicit subject (`players with over > 0`); the *subject* of each kind is
in the `Scope`.  `Applications` is the base of `expressions.Values` that handles names.
"""

from __future__ import annotations

from collections.abc import Callable

from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.catalogue import did_you_mean
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.elaboration import hints
from trickproof_dsl.elaboration.builtins import BUILTINS
from trickproof_dsl.elaboration.declarations import PLAIN_TYPES
from trickproof_dsl.elaboration.scope import AbandonedError, Scope, Shared
from trickproof_dsl.syntax import ast as s
from trickproof_dsl.syntax.error_examples import COUNTED, saying

VALUE_WORDS = ("players", "none", "true", "false")
"""Keywords that denote values, for suggestions."""

RuleCall = Callable[[str, tuple[c.Expr, ...], Span], c.Expr]


class Applications:
    """Elaborates names and applications; `call` inlines a value rule (provided by `elaborate.py`)."""

    def __init__(self, shared: Shared, call: RuleCall) -> None:
        self.shared, self.names, self._call = shared, shared.names, call

    def value(self, e: s.Expr, scope: Scope, expected: c.Type | None = None) -> c.Expr:
        """Any value; implemented by `Values`."""
        raise AssertionError("Values gives the values")

    def integer(self, e: s.Expr, scope: Scope) -> c.Expr:
        """A number."""
        return self.value(e, scope, c.INTEGER)

    def _name(self, e: s.Name, scope: Scope, expected: c.Type | None) -> c.Expr:
        name, names = e.name, self.names
        if name in scope.locals:
            return self.shared.again(scope.locals[name])
        signature = self.signature(name)
        if signature is not None:
            return self._applied(name, self.implicit(name, signature, scope, e.span), scope, e.span)
        if name in names.parameters:
            return c.Parameter(name, c.INTEGER, e.span)
        if name in names.option_values:
            option, index = names.option_values[name]
            return c.Literal(c.Type("option", option), index, e.span)
        if name in names.deck.suits:
            return c.Literal(c.SUIT, names.deck.suits.index(name), e.span)
        if name in names.deck.ranks:
            return c.Literal(c.RANK, names.deck.ranks.index(name), e.span)
        raise self.unknown(name, scope, e.span, expected=expected)

    def unknown(
        self,
        name: str,
        scope: Scope,
        span: Span,
        variable: c.Type | None = None,
        expected: c.Type | None = None,
        arguments: tuple[s.Expr, ...] = (),
    ) -> AbandonedError:
        """Report an undefined name, applied to `arguments`.

        `variable` is its likely type where only a variable can stand, `expected` the type that a value must have.
        """
        at = hints.word_in(span, name)
        if ("E301", at) in self.shared.reported:
            return AbandonedError()
        words = [*scope.locals, *self._value_words(), *BUILTINS, *VALUE_WORDS]
        words = words if variable is None else list(self.names.variables)
        deck, file = self.names.deck, self.names.file
        said = hints.unknown_name(name, at, deck, words, self.shared.of_loops, variable is not None)
        if said is not None:
            return self.shared.report("E301", at, name=name, help=said)
        lines: str | None
        if hints.is_count(name) and not arguments:
            scoring = file.rules["scoring"].text if "scoring" in file.rules else None
            help_, lines = hints.counter(name, scoring)
        else:
            kind = variable or hints.type_in_use(at, expected, deck)
            owners = [self.value(argument, scope).type for argument in arguments]
            if not arguments and variable is None and (owner := hints.owner_in_use(at)):
                owners = [owner]
            help_, lines = hints.declared(name, kind, owners, variable is not None)
        return self.shared.report("E301", at, name=name, help=help_, lines=lines)

    def _value_words(self) -> list[str]:
        """The names of a ruleset but those of procedures, which are no values."""
        rules = self.names.file.rules
        done = {x for x, rule in rules.items() if self.shared.is_procedure(rule)}
        return [x for x in self.names.all_words() if x not in done or self.names.owner_types(x) is not None]

    def signature(self, name: str) -> tuple[c.Type, ...] | None:
        """Argument types of a variable, zone, rule or built-in function."""
        if name in self.names.broken:
            raise AbandonedError  # reported where it is declared
        owners = self.names.owner_types(name)
        if owners is not None:
            return owners
        if name in self.names.file.rules:
            return self.rule_signature(name)
        return BUILTINS[name].takes if name in BUILTINS else None

    def rule_signature(self, name: str) -> tuple[c.Type, ...]:
        """Types of a rule's parameters."""
        types = (self.parameter_type(kind.value) for kind, _ in self.names.file.rules[name].parameters)
        return tuple(t for t in types if t is not None)

    def parameter_type(self, word: str) -> c.Type | None:
        if word in self.names.options:
            return c.Type("option", word)
        return PLAIN_TYPES.get(word)

    def wrong_number(
        self, name: str, signature: tuple[c.Type, ...], found: object, span: Span
    ) -> AbandonedError:
        """Report a wrong number of arguments."""
        count = len(signature)
        counted = ("nothing", "1 value", f"{count} values")[min(count, 2)]
        forms = (name, f"{name} of …", f"{name}({', '.join('…' * count)})")
        form = forms[min(count, 2)]
        fitting = {*self._value_words()} - self.names.broken
        words = [word for word in fitting if len(self.signature(word) or ()) == found]
        close = None if name in BUILTINS else did_you_mean(name, words)
        help_ = saying(span.text) or f"write `{form}`" + (f", or did you mean `{close}`?" if close else "")
        return self.shared.report("E303", span, name=name, expected=counted, found=found, help=help_)

    def implicit(
        self, name: str, signature: tuple[c.Type, ...], scope: Scope, span: Span
    ) -> tuple[c.Expr, ...]:
        """The owner of a bare name: the implicit subject."""
        if not signature:
            return ()
        if len(signature) > 1:
            raise self.wrong_number(name, signature, "none", span)
        kind = signature[0].kind
        if kind in scope.subjects:
            return (self.shared.again(scope.subjects[kind]),)
        compared = kind == "player" and span.source.text[span.end :].lstrip()[:1] in ("<", ">", "=", "!")
        hint = (
            "; if it belongs to what follows `has` or `with`, put all of that in brackets"
            if scope.after
            else f"; or {COUNTED}"
            if compared and hints.is_count(name)
            else f", or `some player has {name} …`"
            if compared
            else f", such as `{name} of dealer`"
            if name in BUILTINS and kind == "player"
            else ""
        )
        raise self.shared.report("E304", span, name=name, kind=str(signature[0]), hint=hint)

    def _apply(self, e: s.Apply, scope: Scope, expected: c.Type | None) -> c.Expr:
        if e.function in scope.locals:
            raise self.shared.report(
                "E303", e.span, name=e.function, expected="nothing", found=1, help=f"write `{e.function}`"
            )
        signature = self.signature(e.function)
        if signature is None:
            raise self.unknown(e.function, scope, e.span, expected=expected, arguments=e.arguments)
        if len(signature) != len(e.arguments):
            raise self.wrong_number(e.function, signature, len(e.arguments), e.span)
        pairs = zip(e.arguments, signature, strict=True)
        arguments = tuple(self.value(a, scope, t) for a, t in pairs)
        return self._applied(e.function, arguments, scope, e.span)

    def _applied(self, name: str, arguments: tuple[c.Expr, ...], scope: Scope, span: Span) -> c.Expr:
        if name in self.names.variables:
            variable = c.Variable(name, arguments, self.names.variables[name].type, span)
            return self._with_candidate(variable, scope)
        if name in self.names.zones:
            return c.ZoneCards(name, arguments, c.CARDS, span)
        if name in self.names.file.rules:
            return self._call(name, arguments, span)
        return self._builtin(name, arguments, span)

    def _with_candidate(self, variable: c.Variable, scope: Scope) -> c.Expr:
        """In the condition of a choice, the chosen variable refers to the candidate."""
        if scope.candidate is None or scope.candidate[0].name != variable.name:
            return variable
        target, chosen = scope.candidate
        same: c.Expr | None = None
        for mine, its in zip(variable.arguments, target.arguments, strict=True):
            if mine == its:
                continue
            equal = c.Compare("=", mine, its, c.BOOLEAN, variable.span)
            same = equal if same is None else c.Logic("and", same, equal, c.BOOLEAN, variable.span)
        return chosen if same is None else c.Conditional(same, chosen, variable, variable.type, variable.span)

    def _builtin(self, name: str, arguments: tuple[c.Expr, ...], span: Span) -> c.Expr:
        first = arguments[0]
        n, teams = self.names.players, self.names.teams
        match name:
            case "left":
                return c.Seat(first, 1, c.PLAYER, span)
            case "right":
                return c.Seat(first, n - 1, c.PLAYER, span)
            case "opposite":
                return c.Seat(first, n // 2, c.PLAYER, span)
            case "suit":
                return c.CardAttribute("suit", first, c.SUIT, span)
            case "rank":
                return c.CardAttribute("rank", first, c.RANK, span)
            case "height":
                return c.CardAttribute("height", first, c.INTEGER, span)
            case "larger" | "smaller":
                left, right = map(self.shared.again, arguments)  # each occurs twice in the core
                holds = c.Compare(">=" if name == "larger" else "<=", left, right, c.BOOLEAN, span)
                return c.Conditional(holds, left, right, c.INTEGER, span)
        if not teams:
            raise self.shared.report("E318", span, name=name)
        if name == "team":
            table = tuple(next(i for i, t in enumerate(teams) if p in t) for p in range(n))
            return c.Table(first, table, c.TEAM, span)
        if any(len(team) != 2 for team in teams):
            raise self.shared.report("E418", span)
        partner = {a: b for team in teams for a, b in (team, team[::-1])}
        return c.Table(first, tuple(partner[p] for p in range(n)), c.PLAYER, span)
