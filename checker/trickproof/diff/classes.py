"""Groups several rulesets into classes that are proved equivalent in an aspect, using fast proofs only.

Two rules are equivalent if their texts are identical, with everything that they call and the declarations
that they use, or if their core programs have the same normal form under every reading. Aspects that only one
of the two games reaches are ignored in both, as in `diff`. Rules that are not proved equivalent here need not
differ: `diff` also grafts rules and examines every deal.

Equivalence is not transitive here: a game without a reveal takes its kitty like one that reveals before the
discard and like one that reveals after it, although those two differ. It gets the letters of both, and its
rule, which has no reveal, is shown separately.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from trickproof.checking.proof_session import ProofSession
from trickproof.diff.rule_dependencies import Texts, same_text
from trickproof.diff.rule_diff import Comparison
from trickproof.diff.ruleset_diff import FACTS, compared_fact
from trickproof.diff.side import Side
from trickproof.english.vocabulary import ASPECTS
from trickproof.equivalence.de_bruijn import leveled
from trickproof.equivalence.normal_form import normal_steps, setting_of
from trickproof.proofs import kernel
from trickproof.proofs.kernel import Theorem
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.library import Ruleset

Form = tuple[tuple[c.Stmt, ...], object]

MOST_READINGS = 64
"""Maximum number of combinations of a rule's readings that are compared."""


@dataclass(frozen=True, slots=True)
class Class:
    """Rulesets, by index, that are proved equivalent in an aspect and reach the same other aspects from it.

    Two classes are proved equivalent if they share a letter.
    """

    letters: tuple[str, ...]
    members: tuple[int, ...]


def classes(rulesets: Sequence[Ruleset], aspects: Sequence[str]) -> dict[str, tuple[Class, ...]]:
    """The classes of some rulesets for each aspect, ordered by their first members."""
    session = ProofSession()
    sides = [Side(Texts(ruleset), session) for ruleset in rulesets]
    return {aspect: _lettered(sides, aspect) for aspect in aspects}


def _lettered(sides: Sequence[Side], aspect: str) -> tuple[Class, ...]:
    groups = _grouped(sides, aspect)
    firsts = [sides[group[0]] for group in groups]
    alike = {
        (i, j): i == j or _same(Comparison(firsts[i], firsts[j]), aspect)
        for i in range(len(firsts))
        for j in range(i, len(firsts))
    }
    cliques = _cliques(alike, len(firsts))
    cells: dict[object, tuple[tuple[str, ...], list[int]]] = {}
    for i, group in enumerate(groups):
        letters = tuple(_letter(n) for n, clique in enumerate(cliques) if i in clique)
        cells.setdefault((letters, _told(firsts[i].texts, aspect)), (letters, []))[1].extend(group)
    return tuple(
        Class(letters, tuple(sorted(members)))
        for letters, members in sorted(cells.values(), key=lambda cell: min(cell[1]))
    )


def _grouped(sides: Sequence[Side], aspect: str) -> list[list[int]]:
    """Group rulesets that are equivalent and reach the same aspects."""
    groups: list[list[int]] = []
    reached: list[frozenset[str]] = []
    for number, side in enumerate(sides):
        own = _reached(side.texts, aspect)
        for group, reach in zip(groups, reached, strict=True):
            if reach == own and _same(Comparison(sides[group[0]], side), aspect):
                group.append(number)
                break
        else:
            groups.append([number])
            reached.append(own)
    return groups


def _cliques(alike: Mapping[tuple[int, int], bool], count: int) -> list[list[int]]:
    """Cliques of the relation `alike` that together cover every pair in it."""
    cliques: list[list[int]] = []
    for (i, j), same in alike.items():
        if same and not any(i in clique and j in clique for clique in cliques):
            clique = [i, j] if j > i else [i]
            for k in range(count):
                if k not in clique and all(alike[min(k, x), max(k, x)] for x in clique):
                    clique.append(k)
            cliques.append(clique)
    return cliques


def _reached(texts: Texts, aspect: str) -> frozenset[str]:
    """The aspects that an aspect reaches, directly or indirectly."""
    return frozenset(x for x in texts.reaches(aspect) if x in ASPECTS and texts.happens(x))


def _told(texts: Texts, aspect: str) -> frozenset[str]:
    """The aspects that occur in the text of an aspect or its helpers and that happen."""
    named = {x for rule in texts.closure(aspect) for x in texts.called(rule)}
    return frozenset(x for x in named if x in ASPECTS and x != aspect and texts.happens(x))


def _same(comparison: Comparison, aspect: str) -> bool:
    if aspect in FACTS:
        return compared_fact(comparison, aspect).status == "same"
    soon = comparison.soon(aspect)
    if soon is not None:
        return soon.status == "same"
    one, other = comparison.a.texts, comparison.b.texts
    if not (one.happens(aspect) and other.happens(aspect)):
        return False
    muted = comparison.muted_beside((aspect,)) & (one.reaches(aspect) | other.reaches(aspect))
    theorem = same_text(one, other, aspect, muted) or _one_normal_form(one, other, aspect, muted)
    return theorem is not None and kernel.same(theorem) == "same"


# ------------------------------------------------------------------------------------------ normal forms


def _one_normal_form(one: Texts, other: Texts, aspect: str, muted: Collection[str]) -> Theorem | None:
    """The core of a rule, with the declarations it uses, is the same in both, whatever the wording; None if not.

    Every reading must have a counterpart. Other aspects that both call may differ: they are compared
    separately.
    """
    for inlined in (True, False):
        mine, theirs = (_known_forms(side, aspect, muted, inlined=inlined) for side in (one, other))
        if mine and all(form in theirs for form in mine) and all(form in mine for form in theirs):
            if not _means_the_same(
                one.ruleset.program, other.ruleset.program, tuple(steps for steps, _ in mine)
            ):
                return None
            likes = [(form, theirs[theirs.index(form)]) for form in mine]
            likes += [(mine[mine.index(form)], form) for form in theirs]
            return kernel.equivalence("each reading has a counterpart", *likes)
    return None


def _means_the_same(one: c.Program, other: c.Program, forms: tuple[tuple[c.Stmt, ...], ...]) -> bool:
    """Whether a core means the same with both programs' players and cards, which are identified by number."""
    nodes = list(walk(forms))
    if one.players != other.players and any(isinstance(node, c.Seat | c.Table) for node in nodes):
        return False
    if one.deck == other.deck:
        return True
    literals = [node for node in nodes if isinstance(node, c.Literal)]
    return all(literal.type in (c.INTEGER, c.BOOLEAN) for literal in literals)


def _known_forms(side: Texts, aspect: str, muted: Collection[str], *, inlined: bool) -> list[Form]:
    """The forms of a rule, memoised per ruleset."""
    key = aspect, frozenset(muted), inlined
    if key not in side.forms:
        side.forms[key] = _forms(side.ruleset, aspect, muted, inlined=inlined)
    return side.forms[key]


def _forms(ruleset: Ruleset, aspect: str, muted: Collection[str], *, inlined: bool) -> list[Form]:
    """The normal form of a rule, with the declarations it uses, for each combination of readings; [] if none.

    `inlined` says whether other aspects that it calls without arguments are expanded.
    """
    program = ruleset.program
    code = program.rules.get(aspect)
    if code is None:
        return []
    if code.value is not None:
        steps: tuple[c.Stmt, ...] = (c.Announce(aspect, (("value", code.value),), code.span),)
    elif code.body is not None:
        steps = _without(code.body, muted)
        named = {x for x in ASPECTS if x in ruleset.whole.rules and not ruleset.whole.rules[x].parameters}
        steps = steps if inlined else _named(steps, named - {aspect})
    else:
        return []
    rules = sorted({node.rule for node in walk(steps) if isinstance(node, c.Reading)})
    taken = list(product(*(range(len(program.readings[rule])) for rule in rules)))
    if len(taken) > MOST_READINGS:
        return []
    declared, setting = _declared(program, steps), setting_of(program)
    return [
        (normal_steps(leveled(steps, dict(zip(rules, some, strict=True))), setting), declared)
        for some in taken
    ]


def _named(steps: tuple[c.Stmt, ...], rules: Collection[str]) -> tuple[c.Stmt, ...]:
    """The steps, with the given rules replaced by their names."""
    return tuple(_told_by_name(step, rules) for step in steps)


def _told_by_name(step: c.Stmt, rules: Collection[str]) -> c.Stmt:
    if isinstance(step, c.InRule) and step.rule in rules:
        return c.Announce(step.rule, (), step.span)
    return _with_inner(step, lambda inner: _named(inner, rules))


def _with_inner(step: c.Stmt, changed: Callable[[tuple[c.Stmt, ...]], tuple[c.Stmt, ...]]) -> c.Stmt:
    """A step with its nested steps transformed."""
    inner: dict[str, Any] = {
        name: changed(getattr(step, name)) for name in ("body", "then", "otherwise") if hasattr(step, name)
    }
    return replace(step, **inner) if inner else step


def _without(steps: tuple[c.Stmt, ...], muted: Collection[str]) -> tuple[c.Stmt, ...]:
    """The steps without the rules that only one of the two games reaches."""
    return tuple(
        _with_inner(step, lambda inner: _without(inner, muted))
        for step in steps
        if not (isinstance(step, c.InRule) and step.rule in muted)
    )


def _declared(program: c.Program, steps: tuple[c.Stmt, ...]) -> object:
    """The declarations of the variables, zones and parameters that some steps use."""
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


def _letter(number: int) -> str:
    """A, B, … Z, AA, AB, …"""
    text = ""
    while True:
        text = chr(ord("A") + number % 26) + text
        number = number // 26 - 1
        if number < 0:
            return text
