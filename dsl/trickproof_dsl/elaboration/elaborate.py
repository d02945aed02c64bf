"""From a composed ruleset to its core program.

Each rule is elaborated by itself (for checks and for comparing single aspects) and inlined where it is
called.  `readings` become a choice on `core.Reading`; a rule that is only declared becomes `Unspecified…`,
which faults when reached.  Promises: without diagnostics, the program is well typed, closed and free of
recursion.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace

from trickproof_dsl import core as c
from trickproof_dsl.core.binders import distinct, too_deep
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.diagnostics.catalogue import did_you_mean, error, meant
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.elaboration.declarations import PLAIN_TYPES, Names, check_unique, declare
from trickproof_dsl.elaboration.expressions import Values
from trickproof_dsl.elaboration.hints import arrows, unknown_type, unused_rule
from trickproof_dsl.elaboration.scope import MAX_ERRORS, AbandonedError, GivenUpError, Scope, Shared
from trickproof_dsl.elaboration.statements import Steps
from trickproof_dsl.files.model import RuleDecl, RulesetFile, in_prelude
from trickproof_dsl.syntax import ast as s
from trickproof_dsl.syntax.error_examples import USUAL_TEXTS, saying
from trickproof_dsl.syntax.parse_errors import in_the_rule
from trickproof_dsl.syntax.parser import MAX_DEPTH, parse_rule
from trickproof_dsl.syntax.parser_tables import rule_parser
from trickproof_dsl.syntax.plain_words import in_the_language

MOST_LEVELS = 7
"""Maximum nesting of iterated sets, including those in called rules; ordinary games have up to 4."""

PHASES = ("match-start", "hand", "between-hands")
"""Rules of the prelude that make up a match: once; each hand; before each hand but the first."""


def elaborate(
    file: RulesetFile, only: Collection[str] | None = None, added: Collection[str] = ()
) -> tuple[c.Program | None, list[Diagnostic]]:
    """The core program of a composed ruleset, or None and everything that is wrong with it.

    With `only`, just these rules are elaborated by themselves, which takes half the time; the match still
    includes all it needs.  Rules in `added` do not override one of a base, so something must use them.
    """
    names, wrong = declare(file)
    if names is None:
        return None, wrong
    program: c.Program | None = None
    try:
        elaboration = _Elaboration(names, wrong)
        program = elaboration.program(only)
        wrong += list(elaboration.unused(added))
    except GivenUpError:
        pass
    except RecursionError:  # the caller's own stack is already deep
        wrong.append(error("E205", file.id.span, limit=MAX_DEPTH))
    seen: dict[tuple[object, ...], Diagnostic] = {}
    for d in wrong:
        seen.setdefault((d.code, d.span, d.message), d)
    return (None if seen else program), list(seen.values())


def parse_texts(file: RulesetFile, wrong: list[Diagnostic]) -> dict[str, tuple[s.RuleText, ...]]:
    """The syntax trees of every rule: one, one per reading, or none.

    Raises GivenUpError if there are too many errors to report.
    """
    texts: dict[str, tuple[s.RuleText, ...]] = {}
    for name, rule in file.rules.items():
        if len(wrong) >= MAX_ERRORS:
            raise GivenUpError
        regions = [rule.text] if rule.text else [r.text for r in rule.readings]
        trees = []
        for region in regions:
            tree, problems = parse_rule(region.source, region)
            wrong.extend(in_the_rule(problem, name, region) for problem in problems)
            if tree is not None:
                trees.append(tree)
        texts[name] = tuple(trees)
    return texts


class _Elaboration:
    def __init__(self, names: Names, wrong: list[Diagnostic]) -> None:
        self.names, self.file = names, names.file
        self.circles: set[frozenset[str]] = set()
        self.in_invariant = False
        self.shared = Shared(names, parse_texts(names.file, wrong), wrong)
        self.values = Values(self.shared, self._value_call)
        self.steps = Steps(self.values, self._do_call)

    def program(self, only: Collection[str] | None) -> c.Program:
        file, names = self.file, self.names
        rules_read = file.rules.keys() if only is None else {*PHASES, *only}
        value_rules = [name for name, rule in file.rules.items() if self.is_value(rule)]
        check_unique(names, value_rules, self.shared.wrong)
        rules = {name: self._rule(rule) for name, rule in file.rules.items() if name in rules_read}
        readings = {n: tuple(r.name.value for r in rule.readings) for n, rule in file.rules.items()}
        phases = distinct(tuple(rules[name].body or () if name in rules else () for name in PHASES))
        for node in walk(phases[0], phases[2]):
            if isinstance(node, c.EndHand):
                self.shared.report("E320", node.span, text="deal again" if node.again else "the hand ends")
            if isinstance(node, c.Choice):
                self.shared.report("E322", node.span)
        self._same_as()
        return c.Program(
            players=names.players,
            teams=names.teams,
            deck=names.deck,
            parameters=names.parameters,
            options=names.options,
            readings={n: r for n, r in readings.items() if r},
            variables={**names.variables, **self.steps.hidden},
            zones=names.zones,
            rules=rules,
            invariants=self._invariants(),
            setup=phases[0],
            hand=phases[1],
            between=phases[2],
        )

    def _same_as(self) -> None:
        """Check that rules declared `same_as` another could replace it (E425)."""
        for rule in self.file.rules.values():
            word, name = rule.same_as, rule.name.value
            other = self.file.rules.get(word.value) if word else None
            why, help_ = None, None
            if word is None:
                continue
            if other is None:
                why, help_ = "there is no such rule", meant(did_you_mean(word.value, self.file.rules))
            elif other is rule:
                why = "that is this rule itself"
            elif [kind.value for kind, _ in rule.parameters] != [kind.value for kind, _ in other.parameters]:
                why = "it has other parameters"
            elif self.shared.is_procedure(rule) != self.shared.is_procedure(other):
                why = "one is carried out, and the other has a value"
            if why is not None:
                self.shared.report("E425", word.span, name=name, other=word.value, why=why, help=help_)

    def unused(self, added: Collection[str]) -> Iterator[Diagnostic]:
        """Rules in `added` that no rule, invariant or example uses (E416).

        A ruleset without a base may declare rules for its extensions to use, unless the name looks like a
        misspelling.  Errors may hide a use: then a rule counts as used if the file mentions it again.  The
        parameters of the rule that is meant are not reported as unknown.
        """
        file = self.file
        used = self.shared.used | {example.run.value for example in file.examples if example.run}
        used |= {name for name, rule in file.rules.items() if rule.same_as}
        others = file.rules.keys() - added
        idle = [rule for rule in file.rules if rule in added and rule not in used]
        if idle and self.shared.wrong:
            said = re.findall(r"[\w-]+", file.source.text)
            idle = [x for x in idle[:MAX_ERRORS] if said.count(x) < 2]
        for name in idle:
            close = did_you_mean(name, others)
            if close:
                meant_by, rule = (
                    {word.value for _, word in file.rules[close].parameters},
                    file.rules[name].span,
                )
                self.shared.wrong[:] = [
                    d
                    for d in self.shared.wrong
                    if d.code != "E301"
                    or d.data["name"] not in meant_by
                    or d.span is None
                    or d.span.source != rule.source
                    or not rule.start <= d.span.start < rule.end
                ]
            if close or file.extends is not None:
                base = file.extends.value if file.extends is not None else None
                help_ = unused_rule(name, close, others, base)
                yield error("E416", file.rules[name].name.span, name=name, help=help_)

    # ------------------------------------------------------------------------------ rules by themselves

    def _rule(self, rule: RuleDecl) -> c.RuleCode:
        name = rule.name.value
        parameters: list[tuple[str, c.Type]] = []
        for kind, word in rule.parameters:
            known = self.values.parameter_type(kind.value)
            if known is None:
                help_ = unknown_type(kind.value, PLAIN_TYPES)
                self.shared.wrong.append(error("E406", kind.span, name=kind.value, help=help_))
            else:
                parameters.append((f"{name}.{word.value}", known))
        if len(parameters) != len(rule.parameters):
            return c.RuleCode(name, tuple(parameters), None, None, rule.span)
        arguments = tuple(c.Local(local, kind, rule.span) for local, kind in parameters)
        body: tuple[c.Stmt, ...] | None = None
        value: c.Expr | None = None
        try:
            if self.shared.is_procedure(rule):
                body = distinct((self._do_call(name, arguments, rule.span),))
            elif self.shared.texts.get(name):
                value = distinct(self._value_call(name, arguments, rule.span))
                self._check_type(rule, value)
            elif rule.silent and rule.gives is None:
                self.shared.report("E415", rule.span, name=name)
        except AbandonedError:
            pass
        self._refuse_deep(name, (*(body or ()), *(() if value is None else (value,))))
        return c.RuleCode(name, tuple(parameters), body, value, rule.span)

    def _refuse_deep(self, name: str, nodes: tuple[c.Stmt | c.Expr, ...]) -> None:
        """Limit nesting: each level may iterate over every player or card, so analyses would take exponential time."""
        deep = too_deep(nodes, MOST_LEVELS, name)
        if deep is not None:
            self.shared.report("E321", deep[0].span, rule=deep[1], limit=MOST_LEVELS)

    def is_value(self, rule: RuleDecl) -> bool:
        texts = self.shared.texts.get(rule.name.value, ())
        if texts:
            return all(isinstance(t, s.Value) for t in texts)
        return rule.gives is not None and rule.gives.value != "nothing"

    def _check_type(self, rule: RuleDecl, value: c.Expr) -> None:
        if rule.gives is None or rule.gives.value == "nothing":
            return
        expected = self.values.parameter_type(rule.gives.value)
        if expected is not None and value.type != expected:
            raise self.shared.report(
                "E302",
                value.span,
                expected=expected.described,
                found=value.type.described,
                help=USUAL_TEXTS.get(rule.name.value),
            )

    # --------------------------------------------------------------------------------- inlined calls

    def _enter(self, name: str, arguments: tuple[c.Expr, ...], span: Span) -> tuple[RuleDecl, Scope]:
        rule = self.file.rules[name]
        if self.shared.chain or self.in_invariant:
            self.shared.used.add(name)
        if name in self.shared.chain:
            circle = self.shared.chain[self.shared.chain.index(name) :]
            if frozenset(circle) in self.circles:
                raise AbandonedError
            self.circles.add(frozenset(circle))
            help_ = "use `repeat` or `for` for iteration"
            raise self.shared.report("E309", span, name=name, chain=arrows([*circle, name]), help=help_)
        if len(arguments) != len(rule.parameters):
            raise AbandonedError
        words = (word.value for _, word in rule.parameters)
        scope = Scope(dict(zip(words, arguments, strict=True)))
        kinds = Counter(a.type.kind for a in arguments)
        for argument in arguments:
            if kinds[argument.type.kind] == 1:
                scope = scope.about(argument.type.kind, argument)
        return rule, scope

    def _through_base(self, rule: RuleDecl, span: Span) -> bool:
        """Whether a rule of this file is misused by a base that was valid without it."""
        return rule.span.source == self.file.source and span.source != self.file.source

    def _value_call(self, name: str, arguments: tuple[c.Expr, ...], span: Span) -> c.Expr:
        rule, scope = self._enter(name, arguments, span)
        if self.shared.is_procedure(rule):
            at, help_ = span, f"write `do {name}` as a statement"
            if self._through_base(rule, span):
                at = self.shared.texts[name][0].span
                usual = USUAL_TEXTS.get(name, "write only the value, as in `left of dealer`")
                said = in_the_language(rule_parser(), at.text) or ""
                help_ = saying(at.text) or (said if said.startswith("write `cards in ") else usual)
            raise self.shared.report("E312", at, name=name, help=help_)
        texts = self.shared.texts.get(name, ())
        if not texts:
            return self._missing_value(rule, span)
        self.shared.chain.append(name)
        try:
            expected = self.values.parameter_type(rule.gives.value) if rule.gives else None
            value = self._reading_value(texts, 0, name, scope, expected)
        finally:
            self.shared.chain.pop()
        return c.RuleValue(name, value, value.type, span)

    def _reading_value(
        self, texts: tuple[s.RuleText, ...], index: int, name: str, scope: Scope, expected: c.Type | None
    ) -> c.Expr:
        text = texts[index]
        assert isinstance(text, s.Value)
        value = self.values.value(text.expr, scope, expected)
        if index + 1 == len(texts):
            return value
        other = self._reading_value(texts, index + 1, name, scope, value.type)
        taken = self._taken(name, index, text.span)
        return c.Conditional(taken, value, other, value.type, text.span)

    def _taken(self, name: str, index: int, span: Span) -> c.Expr:
        reading = c.Reading(name, c.INTEGER, span)
        return c.Compare("=", reading, c.Literal(c.INTEGER, index, span), c.BOOLEAN, span)

    def _missing_value(self, rule: RuleDecl, span: Span) -> c.Expr:
        expected = self.values.parameter_type(rule.gives.value) if rule.gives else None
        if expected is None:
            raise AbandonedError  # reported where the rule is declared
        # An unspecified Boolean of the prelude defaults to false: without a rule to end it, a match continues.
        asked = expected == c.BOOLEAN and rule.gives is not None and in_prelude(rule.gives.span)
        return c.UnspecifiedValue(rule.name.value, expected, False if asked else None, span)

    def _do_call(self, name: str, arguments: tuple[c.Expr, ...], span: Span) -> c.Stmt:
        rule, scope = self._enter(name, arguments, span)
        texts = self.shared.texts.get(name, ())
        if not self.shared.is_procedure(rule):
            if not texts and (rule.text or rule.readings):
                raise AbandonedError
            at, help_ = span, f"use `{name}` in place of a value"
            if texts and self._through_base(rule, span):
                at = texts[0].span
                usual = USUAL_TEXTS.get(name, "write what is done, as in `trump becomes hearts`")
                help_ = "write `nothing happens`" if at.text == "none" else usual
            raise self.shared.report("E311", at, name=name, help=help_)
        if not texts:
            return c.Unspecified(name, span)
        assignments, scope = self._bind_arguments(rule, arguments, scope)
        self.shared.chain.append(name)
        try:
            body = self._reading_body(texts, 0, name, scope)
        finally:
            self.shared.chain.pop()
        return c.InRule(name, (*assignments, *body), span)

    def _bind_arguments(
        self, rule: RuleDecl, arguments: tuple[c.Expr, ...], scope: Scope
    ) -> tuple[list[c.Stmt], Scope]:
        """Arguments of a procedure are evaluated once, when it begins, and kept in variables."""
        assignments: list[c.Stmt] = []
        for (_, word), argument in zip(rule.parameters, arguments, strict=True):
            if isinstance(argument, c.Local | c.Literal | c.Parameter):
                continue
            name = self.steps.hide(word.value, argument.type, ())
            assignments.append(c.Assign(name, (), argument, argument.span))
            variable = c.Variable(name, (), argument.type, argument.span)
            whose = {kind: variable if e is argument else e for kind, e in scope.subjects.items()}
            scope = replace(scope.bind(word.value, variable), subjects=whose)
        return assignments, scope

    def _reading_body(
        self, texts: tuple[s.RuleText, ...], index: int, name: str, scope: Scope
    ) -> tuple[c.Stmt, ...]:
        text = texts[index]
        if not isinstance(text, s.Procedure):
            raise self.shared.report("E302", text.span, expected="statements", found="a value")
        body = self.steps.body(text.body, scope, name)
        if index + 1 == len(texts):
            return body
        other = self._reading_body(texts, index + 1, name, scope)
        return (c.Branch(self._taken(name, index, text.span), body, other, text.span),)

    def _invariants(self) -> dict[str, c.InvariantCode]:
        invariants: dict[str, c.InvariantCode] = {}
        self.in_invariant = True
        for name, invariant in self.file.invariants.items():
            tree, problems = parse_rule(invariant.text.source, invariant.text)
            self.shared.wrong.extend(problems)
            if not isinstance(tree, s.Value):
                if tree is not None:
                    self.shared.wrong.append(
                        error("E302", tree.span, expected="a condition", found="statements")
                    )
                continue
            try:
                condition = distinct(self.values.boolean(tree.expr, Scope()))
                self._refuse_deep(name, (condition,))
                invariants[name] = c.InvariantCode(name, invariant.when.value, condition, invariant.span)
            except AbandonedError:
                continue
        return invariants
