"""Merges a ruleset file with its bases: the meaning of `extends:`.

Names declared again override those of the base; an overriding rule inherits the parameters and the kind of
value that the base declares for it, and must fit them; a rule that only cites or assumes inherits the base's
text.  Examples and known verdicts are not inherited: they concern the ruleset that states them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trickproof_dsl.diagnostics.catalogue import did_you_mean, error, meant
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.files.model import DeckDecl, RuleDecl, RulesetFile, Word
from trickproof_dsl.syntax.ast import Procedure
from trickproof_dsl.syntax.parser import parse_rule


def compose(file: RulesetFile, base: RulesetFile) -> tuple[RulesetFile, list[Diagnostic]]:
    """Merge `file` over an already composed `base`."""
    wrong = _nothing_inherited(file, base)
    rules = dict(base.rules)
    for name, rule in file.rules.items():
        if name in base.rules:
            rules[name] = _fit(rule, base.rules[name], wrong)
        elif _only_backs(rule):
            wrong.append(error("E415", rule.name.span, name=name))
        else:
            rules[name] = rule
    joined = replace(
        file,
        title=file.title or base.title,
        documents=file.documents or base.documents,
        players=file.players or base.players,
        deck=_deck(file.deck, base.deck),
        parameters=base.parameters | file.parameters,
        options=base.options | file.options,
        state=base.state | file.state,
        zones=base.zones | file.zones,
        moves=base.moves | file.moves,
        rules=rules,
        invariants=base.invariants | file.invariants,
    )
    return joined, wrong


def _nothing_inherited(file: RulesetFile, base: RulesetFile) -> list[Diagnostic]:
    """Errors for names in `inherits` that the base does not have, or the file states itself."""
    if file.inherits and file.extends is None:
        return [error("E421", file.inherits[0].span)]
    facts = {"players": file.players, "deck": file.deck}
    stated = file.rules.keys() | {name for name, fact in facts.items() if fact is not None}
    names = (base.rules.keys() | facts.keys()) - stated
    wrong: list[Diagnostic] = []
    for word in (word for entry in file.inherits for word in entry.rules):
        if word.value in stated:
            why = "this file states it"
            wrong.append(error("E422", word.span, name=word.value, why=why, help="remove it from the list"))
        elif word.value not in names:
            help_ = meant(did_you_mean(word.value, names))
            wrong.append(error("E422", word.span, name=word.value, why="the base has none", help=help_))
    return wrong


def _fit(rule: RuleDecl, base: RuleDecl, wrong: list[Diagnostic]) -> RuleDecl:
    mine, its = ([f"{kind.value} {name.value}" for kind, name in r.parameters] for r in (rule, base))
    if rule.parameters and [one.split()[0] for one in mine] != [one.split()[0] for one in its]:
        expected, found = map(_parameters, (its, mine))
        first = f"write {expected}" if its else "leave out `of:`"
        help_ = f"{first}; a rule about something else has another name, and other rules run or read it"
        wrong.append(
            error("E410", rule.name.span, name=rule.name.value, expected=expected, found=found, help=help_)
        )
    parameters = rule.parameters or base.parameters
    if _only_backs(rule):
        rule = replace(rule, text=base.text, readings=base.readings, silent=base.silent)
    return replace(rule, parameters=parameters, gives=rule.gives or base.gives or _implied(rule, base))


def _parameters(those: Sequence[str]) -> str:
    """The parameters of a rule as the field has them."""
    return f"`of: {those[0] if len(those) == 1 else '[' + ', '.join(those) + ']'}`" if those else "no `of:`"


def _only_backs(rule: RuleDecl) -> bool:
    """Whether a rule only gives a backing for the base's text."""
    return rule.text is None and not rule.readings and rule.silent is None and rule.gives is None


def _implied(rule: RuleDecl, base: RuleDecl) -> Word | None:
    """The kind of value of a rule that becomes silent: `nothing` if the base's text is a procedure."""
    if rule.silent is None or base.text is None:
        return None
    tree, _ = parse_rule(base.text.source, base.text)
    return Word("nothing", base.name.span) if isinstance(tree, Procedure) else None


def _deck(mine: DeckDecl | None, base: DeckDecl | None) -> DeckDecl | None:
    if mine is None or base is None:
        return mine or base
    return replace(
        mine,
        ranks=mine.ranks if mine.ranks is not None else base.ranks,
        suits=mine.suits if mine.suits is not None else base.suits,
        cards=mine.cards if mine.cards is not None else base.cards,
        without=mine.without if mine.without is not None else base.without,
    )
