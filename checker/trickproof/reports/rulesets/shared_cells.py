"""Cells shared by rulesets that are proved equivalent, and what documents say about table customs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from trickproof.diff.classes import Class, classes
from trickproof.english.aspects import ABSENT, Cell, Reading
from trickproof.english.inflection import listed
from trickproof.equivalence.restatement import restatements, shown_restatements
from trickproof_dsl.library import Ruleset, backings


@dataclass(frozen=True, slots=True)
class Shared:
    """A cell shared by equivalent rulesets: its letters, its rulesets, all citations and assumptions.

    It has several letters if it is equivalent to cells that differ from one another only in steps that its
    games do not have.
    """

    letters: tuple[str, ...]
    rulesets: tuple[str, ...]
    cell: Cell
    cites: tuple[str, ...]
    assumes: tuple[str, ...]
    restated: tuple[Reading, ...] = ()
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """An aspect or helper rule: its cells, and two differing rulesets with a common deal, or why none."""

    aspect: str
    classes: tuple[Shared, ...]
    deal: tuple[str, str] | None = None
    no_deal: str | None = None

    @property
    def differs(self) -> bool:
        """Whether not all rulesets are proved equivalent."""
        return len({letter for shared in self.classes for letter in shared.letters}) > 1


@dataclass(frozen=True, slots=True)
class Saying:
    """What the documents of some rulesets say about a custom."""

    text: str
    rulesets: tuple[str, ...]
    cites: tuple[str, ...]
    same_as: tuple[str, ...] = ()
    """Rules that are proved equivalent to what is said."""


@dataclass(frozen=True, slots=True)
class Custom:
    """A table custom that does not affect play: what the documents say about it, and which are silent."""

    custom: str
    says: tuple[Saying, ...]
    silent: tuple[str, ...] = ()


def shared_rows(
    rulesets: Sequence[Ruleset], cells: Sequence[Mapping[str, Cell]], aspects: Sequence[str]
) -> tuple[Row, ...]:
    """One row per aspect, from each ruleset's cells by aspect."""
    proved = classes(rulesets, aspects)
    return tuple(_row(rulesets, aspect, [one[aspect] for one in cells], proved[aspect]) for aspect in aspects)


def helper_rows(
    rulesets: Sequence[Ruleset], cells: Sequence[Mapping[str, Cell]], helpers: Sequence[str]
) -> tuple[Row, ...]:
    """One row per helper rule that the cells of aspects do not explain: its meaning in each ruleset."""
    rows = []
    for helper in helpers:
        having = [(one, cell[helper]) for one, cell in zip(rulesets, cells, strict=True) if helper in cell]
        column = [cell for _, cell in having]
        rows.append(_row([one for one, _ in having], helper, column, _by_words(column)))
    return tuple(rows)


def _row(rulesets: Sequence[Ruleset], aspect: str, column: Sequence[Cell], groups: Sequence[Class]) -> Row:
    shared = [_shared(rulesets, column, group) for group in groups]
    members = [(one, cell) for one, cell in zip(rulesets, column, strict=True) if cell.text != ABSENT]
    silent = [one.id for one, cell in members if _unsaid(one, aspect, cell)]
    unsaid = len(silent) == len(members)
    marked = tuple(
        replace(one, mark=_mark(rulesets, column, group, silent, unsaid))
        for one, group in zip(shared, groups, strict=True)
    )
    return Row(aspect, marked, *_deal(rulesets, groups))


def _by_words(cells: Sequence[Cell]) -> tuple[Class, ...]:
    """Group helper rules by their wording; they are not compared by proof."""
    groups: dict[object, list[int]] = {}
    for number, cell in enumerate(cells):
        groups.setdefault((cell.text, cell.readings, cell.terms, cell.gap), []).append(number)
    return tuple(Class((), tuple(group)) for group in groups.values())


def _shared(rulesets: Sequence[Ruleset], cells: Sequence[Cell], group: Class) -> Shared:
    """The cell as its first ruleset words it, with all citations.

    An assumption that only some rulesets make names those.
    """
    names = tuple(rulesets[i].id for i in group.members)
    whose: dict[str, list[str]] = {}
    for i in group.members:
        for text in cells[i].assumes:
            whose.setdefault(text, []).append(rulesets[i].id)
    assumes = tuple(
        text if len(some) == len(names) else f"for {listed(some)}, {text}" for text, some in whose.items()
    )
    readings = (reading for i in group.members for reading in cells[i].readings)
    cites = [cite for i in group.members for cite in cells[i].cites]
    cites += [cite for reading in readings for cite in reading.cites]
    restated = tuple(dict.fromkeys(way for i in group.members for way in cells[i].restated))
    return Shared(
        group.letters, names, cells[group.members[0]], tuple(dict.fromkeys(cites)), assumes, restated
    )


def _unsaid(ruleset: Ruleset, aspect: str, cell: Cell) -> bool:
    """Whether the documents of a rule, if it has any, do not say what it does."""
    whose = ruleset.own if aspect in ruleset.own.rules else ruleset.whole
    return bool(whose.documents) and (cell.gap is not None or bool(cell.assumes and not cell.cites))


def _mark(
    rulesets: Sequence[Ruleset], cells: Sequence[Cell], group: Class, silent: Collection[str], unsaid: bool
) -> str | None:
    """The mark on a cell: that no document says it, or which rulesets' documents are silent or ambiguous."""
    members = [(rulesets[i].id, cells[i]) for i in group.members if cells[i].text != ABSENT]
    if not members:
        return None
    silent = [name for name, _ in members if name in silent]
    open_ = [name for name, cell in members if cell.left_open]
    marks = ["no document says this"] if unsaid else []
    marks += [f"not said{_by(silent, members)}"] if silent and not unsaid else []
    marks += [f"left open{_by(open_, members)}"] if open_ else []
    return "; ".join(marks) or None


def _by(some: Sequence[str], members: Sequence[object]) -> str:
    return "" if len(some) == len(members) else f" by {listed(some)}"


def _deal(rulesets: Sequence[Ruleset], groups: Sequence[Class]) -> tuple[tuple[str, str] | None, str | None]:
    """The first two differing rulesets that can be played on the same deal, or why there are none."""
    numbers = None
    for i, group in enumerate(groups):
        for other in groups[i + 1 :]:
            if not group.letters or set(group.letters) & set(other.letters):
                continue
            one, two = rulesets[group.members[0]], rulesets[other.members[0]]
            if one.program.players == two.program.players:
                return (one.named, two.named), None
            numbers = numbers or sorted((one.program.players, two.program.players))
    return None, f"none: {numbers[0]} players vs. {numbers[1]}" if numbers else None


# ----------------------------------------------------------------------------------------------- customs


def customs(rulesets: Sequence[Ruleset]) -> tuple[Custom, ...]:
    """What the documents of some rulesets say about customs, sorted by the customs' names."""
    names = sorted(
        {
            s.custom
            for one in rulesets
            for d in one.documents.values()
            for s in d.statements.values()
            if s.custom
        }
    )
    return tuple(_custom(rulesets, name) for name in names)


def _custom(rulesets: Sequence[Ruleset], name: str) -> Custom:
    by_text: dict[str, tuple[list[str], list[str]]] = {}
    same: dict[str, list[str]] = {}
    silent = []
    for ruleset in rulesets:
        against = _contradicted(ruleset)
        found = [
            (document.id.value, statement)
            for document in ruleset.documents.values()
            for statement in document.statements.values()
            if statement.custom == name and f"{document.id.value}.{statement.id}" not in against
        ]
        if not found:
            silent.append(ruleset.id)
            continue
        said = " ".join(dict.fromkeys(statement.says for _, statement in found))
        ids, cites = by_text.setdefault(said, ([], []))
        ids.append(ruleset.id)
        its = [f"{document}.{statement.id}" for document, statement in found]
        cites += its
        same.setdefault(said, []).extend(_same_as(ruleset, its))
    says = tuple(
        Saying(text, tuple(ids), tuple(dict.fromkeys(cites)), tuple(dict.fromkeys(same[text])))
        for text, (ids, cites) in by_text.items()
    )
    return Custom(name, says, tuple(silent))


def _contradicted(ruleset: Ruleset) -> set[str]:
    """The statements that a ruleset contradicts."""
    return {word.value for backing in backings(ruleset.whole) for word in backing.contradicts}


def _same_as(ruleset: Ruleset, cites: Sequence[str]) -> list[str]:
    """The rules to which the rules that cite these statements are proved equivalent."""
    rules = ruleset.whole.rules
    named = {
        name for name in restatements(ruleset) if {w.value for w in rules[name].backing.cites} & {*cites}
    }
    return [other for name, other in shown_restatements(ruleset).items() if name in named] if named else []
