"""The words that a program uses, by which checks decide whether they apply, from a single generic walk."""

from __future__ import annotations

from dataclasses import dataclass, replace

from trickproof_dsl import core as c
from trickproof_dsl.compiled.slots import cached_by_identity
from trickproof_dsl.core.traversal import Node, parts, walk
from trickproof_dsl.diagnostics.source import Span


@dataclass(frozen=True, slots=True)
class Usage:
    """Words that occur in some statements. `missing` are rules that are called but unspecified, with the call."""

    reads: frozenset[str]
    assigns: frozenset[str]
    labels: frozenset[str]
    rules: frozenset[str]
    readings: frozenset[str]
    parameters: frozenset[str]
    missing: tuple[tuple[str, Span], ...]
    ends: tuple[c.EndMatch, ...]
    hand_ends: tuple[c.EndHand, ...]
    odd: frozenset[str] = frozenset()
    """Variables of the standard vocabulary that are declared otherwise, so that checks have nothing to say of them."""


@cached_by_identity(2000)
def usage_of(*nodes: object) -> Usage:
    """The words in some statements or expressions."""
    reads, assigns, labels = set[str](), set[str](), set[str]()
    rules, readings, parameters = set[str](), set[str](), set[str]()
    unspecified: list[c.Unspecified | c.UnspecifiedValue] = []
    ends: list[c.EndMatch] = []
    hand_ends: list[c.EndHand] = []
    for x in walk(*nodes):
        match x:
            case c.Variable():
                reads.add(x.name)
            case c.Assign():
                assigns.add(x.variable)
            case c.ChooseCards() | c.ChooseValue() | c.Move() | c.Show():
                labels.add(x.label)
            case c.InRule() | c.RuleValue():
                rules.add(x.rule)
            case c.Reading():
                readings.add(x.rule)
            case c.Parameter():
                parameters.add(x.name)
            case c.Unspecified() | c.UnspecifiedValue():
                unspecified.append(x)
            case c.EndMatch():
                ends.append(x)
            case c.EndHand():
                hand_ends.append(x)
    missing = {x.rule: x.span for x in reversed(unspecified)}
    return Usage(
        reads=frozenset(reads),
        assigns=frozenset(assigns),
        labels=frozenset(labels),
        rules=frozenset(rules),
        readings=frozenset(readings),
        parameters=frozenset(parameters),
        missing=tuple(reversed(missing.items())),
        ends=tuple(ends),
        hand_ends=tuple(hand_ends),
    )


SUMS = ("over", "score", "payout")
"""Variables whose sum is expected to be zero, in games that count deviations."""

STANDARD = {
    "dealer": (c.PLAYER, ()),
    "leader": (c.PLAYER, ()),
    "trump": (c.SUIT, ()),
    "led": (c.SUIT, ()),
    "played": (c.CARD, (c.PLAYER,)),
    "hand-size": (c.INTEGER, ()),
    **dict.fromkeys(("tricks", "target", *SUMS), (c.INTEGER, (c.PLAYER,))),
}
"""The types and owners of variables of the standard vocabulary on which checks and displays rely; sums may have any owners."""


def program_usage(program: c.Program) -> Usage:
    """The words of everything that can happen in a match."""
    odd = {
        info.name
        for info in program.variables.values()
        if (standard := STANDARD.get(info.name))
        and standard != (info.type, standard[1] if info.name in SUMS else info.of)
    }
    return replace(usage_of(*program.phases), odd=frozenset(odd))


OWED = ("to-give", "to-receive")
"""The rules of the standard vocabulary that only claims use."""


def claimed(program: c.Program) -> tuple[c.Expr, ...]:
    """What only claims evaluate: the invariants, and what players owe each other in the exchange."""
    stated = (invariant.condition for invariant in program.invariants.values())
    owed = (program.rules[name].value for name in OWED if name in program.rules)
    return (*stated, *(value for value in owed if value is not None))


def rules_at(program: c.Program, span: Span) -> tuple[str, ...]:
    """The rules in whose text a place lies, and those that call them, outermost first."""
    rules: dict[str, None] = {}

    def search(node: Node, chain: tuple[str, ...]) -> None:
        # Names that are passed down keep the place of the text that bound them.
        if getattr(node, "span", None) == span and not isinstance(node, c.Local | c.Literal | c.Variable):
            rules.update(dict.fromkeys(chain))
        if isinstance(node, c.InRule | c.RuleValue):
            chain = (*chain, node.rule)
        for part in parts(node):
            search(part, chain)

    for phase in program.phases:
        for statement in phase:
            search(statement, ())
    return tuple(rules)
