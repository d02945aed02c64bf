"""Which of several rulesets are proved to do the same in an aspect, by proofs that take no time.

Two rules do the same if they say the same word for word, with all that they call and what is declared of their words, or if their core
programs have one normal form under every reading.  Aspects that only one of two games comes to are left out of both, as in `diff`.  What is
not shown here need not differ: `diff` also takes rules over into the other game and looks at every deal.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from trickproof.checking.proof_session import ProofSession
from trickproof.diff.de_bruijn import leveled
from trickproof.diff.rule_dependencies import Texts, same_text
from trickproof.diff.rule_diff import Comparison
from trickproof.diff.ruleset_diff import FACTS, compared_fact
from trickproof.diff.side import Side
from trickproof.equivalence.normal_form import normal_steps
from trickproof.proofs import kernel
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.library import Ruleset

MOST_READINGS = 64
"""Combinations of readings of a rule that are gone through."""


@dataclass(frozen=True, slots=True)
class Class:
    """Rulesets that are proved to do the same in an aspect, by their numbers."""

    letter: str
    members: tuple[int, ...]


def classes(rulesets: Sequence[Ruleset], aspects: Sequence[str]) -> dict[str, tuple[Class, ...]]:
    """The classes of some rulesets aspect by aspect, in the order of their first members."""
    session = ProofSession()
    sides = [Side(Texts(ruleset), session) for ruleset in rulesets]
    return {aspect: _lettered(_grouped(sides, aspect)) for aspect in aspects}


def _grouped(sides: Sequence[Side], aspect: str) -> list[list[int]]:
    groups: list[list[int]] = []
    for number, side in enumerate(sides):
        for group in groups:
            if _same(Comparison(sides[group[0]], side), aspect):
                group.append(number)
                break
        else:
            groups.append([number])
    return groups


def _same(comparison: Comparison, aspect: str) -> bool:
    if aspect in FACTS:
        return compared_fact(comparison, aspect).status == "same"
    soon = comparison.soon(aspect)
    if soon is not None:
        return soon.status == "same"
    one, other = comparison.a.texts, comparison.b.texts
    if not (one.happens(aspect) and other.happens(aspect)):
        return False
    muted = comparison.muted_beside(aspect)
    alike = same_text(one, other, aspect, muted) or _one_normal_form(one, other, aspect, muted)
    return alike and kernel.same(kernel.equivalence(aspect, (alike, True))) == "same"


# ------------------------------------------------------------------------------------------ normal forms


def _one_normal_form(one: Texts, other: Texts, aspect: str, muted: Collection[str]) -> bool:
    """Whether the core of a rule is the same in both, whatever the wording, and so is what is declared of its words."""
    programs = one.ruleset.program, other.ruleset.program
    if programs[0].players != programs[1].players or programs[0].deck != programs[1].deck:
        return False
    forms = [_known_forms(side, aspect, muted) for side in (one, other)]
    return bool(forms[0]) and forms[0] == forms[1]


def _known_forms(side: Texts, aspect: str, muted: Collection[str]) -> list[object]:
    """The forms of a rule, worked out once for a ruleset."""
    key = aspect, frozenset(muted)
    if key not in side.forms:
        side.forms[key] = _forms(side.ruleset.program, aspect, muted)
    return side.forms[key]


def _forms(program: c.Program, aspect: str, muted: Collection[str]) -> list[object]:
    """The normal form of a rule under each combination of its readings, with what is declared of its words; [] if it has none."""
    code = program.rules.get(aspect)
    if code is None:
        return []
    if code.value is not None:
        steps: tuple[c.Stmt, ...] = (c.Announce(aspect, (("value", code.value),), code.span),)
    elif code.body is not None:
        steps = _without(code.body, muted)
    else:
        return []
    rules = sorted({node.rule for node in walk(steps) if isinstance(node, c.Reading)})
    taken = list(product(*(range(len(program.readings[rule])) for rule in rules)))
    if len(taken) > MOST_READINGS:
        return []
    declared = _declared(program, steps)
    return [
        (normal_steps(leveled(steps, dict(zip(rules, some, strict=True))), program.players), declared)
        for some in taken
    ]


def _without(steps: tuple[c.Stmt, ...], muted: Collection[str]) -> tuple[c.Stmt, ...]:
    """The steps without the rules that only one of two games comes to."""
    return tuple(
        _hushed(step, muted) for step in steps if not (isinstance(step, c.InRule) and step.rule in muted)
    )


def _hushed(step: c.Stmt, muted: Collection[str]) -> c.Stmt:
    inner: dict[str, Any] = {
        name: _without(getattr(step, name), muted)
        for name in ("body", "then", "otherwise")
        if hasattr(step, name)
    }
    return replace(step, **inner) if inner else step


def _declared(program: c.Program, steps: tuple[c.Stmt, ...]) -> object:
    """Variables, zones and parameters that some steps speak of, as they are declared."""
    words: set[str] = set()
    for node in walk(steps):
        words |= {
            x
            for x in (getattr(node, name, None) for name in ("name", "variable", "zone"))
            if isinstance(x, str)
        }
    return (
        [program.variables[x] for x in sorted(words & program.variables.keys())],
        [program.zones[x] for x in sorted(words & program.zones.keys())],
        [(x, program.parameters[x]) for x in sorted(words & program.parameters.keys())],
    )


# ----------------------------------------------------------------------------------------------- letters


def _lettered(groups: Sequence[Sequence[int]]) -> tuple[Class, ...]:
    return tuple(Class(_letter(i), tuple(group)) for i, group in enumerate(groups))


def _letter(number: int) -> str:
    """A, B, … Z, AA, AB, …"""
    text = ""
    while True:
        text = chr(ord("A") + number % 26) + text
        number = number // 26 - 1
        if number < 0:
            return text
