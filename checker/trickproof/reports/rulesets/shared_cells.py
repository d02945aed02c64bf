"""Cells that several rulesets share because they are proved to do the same, and what documents say of customs of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from trickproof.diff.classes import Class, classes
from trickproof.english.aspects import ABSENT, ASPECTS, Cell, Reading
from trickproof.english.inflection import listed
from trickproof.equivalence.restatement import restatements, shown_restatements
from trickproof.support.serialise import HIDDEN
from trickproof_dsl.library import Ruleset


@dataclass(frozen=True, slots=True)
class Shared:
    """A cell of rulesets that are proved to do the same: its letter, its rulesets, and what it rests on in all of them."""

    letter: str
    rulesets: tuple[str, ...]
    cell: Cell
    cites: tuple[str, ...]
    assumes: tuple[str, ...]
    restated: tuple[Reading, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """An aspect: its cells, what is marked about them, and two rulesets that differ in it and can be played on one deal."""

    aspect: str
    classes: tuple[Shared, ...]
    mark: str | None = None
    deal: tuple[str, str] | None = None

    @property
    def differs(self) -> bool:
        """Whether not all rulesets are proved to do the same."""
        return len(self.classes) > 1


@dataclass(frozen=True, slots=True)
class Saying:
    """What some rulesets' documents say of a custom."""

    text: str
    rulesets: tuple[str, ...]
    cites: tuple[str, ...]
    same_as: tuple[str, ...] = ()
    """Rules that what is said is proved to do the same as."""


@dataclass(frozen=True, slots=True)
class Custom:
    """Something done at the table that play does not depend on: who says what of it, and whose documents are silent."""

    custom: str
    says: tuple[Saying, ...]
    silent: tuple[str, ...] = field(default=())
    mark: str | None = field(default=None, metadata=HIDDEN)


def shared_rows(
    rulesets: Sequence[Ruleset], cells: Sequence[Mapping[str, Cell]], aspects: Sequence[str]
) -> tuple[Row, ...]:
    """A row for each aspect, or longer helper rule, from the cells of each ruleset by aspect."""
    proved = classes(rulesets, [aspect for aspect in aspects if aspect in ASPECTS])
    rows = []
    for aspect in aspects:
        column = [one[aspect] for one in cells]
        groups = proved.get(aspect) or _by_words(column)
        shared = tuple(_shared(rulesets, column, group) for group in groups)
        rows.append(Row(aspect, shared, _mark(rulesets, column), _deal(rulesets, groups)))
    return tuple(rows)


def _by_words(cells: Sequence[Cell]) -> tuple[Class, ...]:
    """Helper rules, which belong to aspects, have one cell where they are put into the same words."""
    groups: dict[object, list[int]] = {}
    for number, cell in enumerate(cells):
        groups.setdefault((cell.text, cell.readings, cell.terms, cell.gap), []).append(number)
    return tuple(Class(chr(ord("A") + i % 26), tuple(group)) for i, group in enumerate(groups.values()))


def _shared(rulesets: Sequence[Ruleset], cells: Sequence[Cell], group: Class) -> Shared:
    """The cell as the first of its rulesets puts it, with the citations of all; assumptions say whose they are where not all make them."""
    names = tuple(rulesets[i].id for i in group.members)
    whose: dict[str, list[str]] = {}
    for i in group.members:
        for text in cells[i].assumes:
            whose.setdefault(text, []).append(rulesets[i].id)
    assumes = tuple(
        text if len(some) == len(names) else f"{text} – {listed(some)}" for text, some in whose.items()
    )
    readings = (reading for i in group.members for reading in cells[i].readings)
    cites = [cite for i in group.members for cite in cells[i].cites]
    cites += [cite for reading in readings for cite in reading.cites]
    restated = tuple(dict.fromkeys(way for i in group.members for way in cells[i].restated))
    return Shared(
        group.letter, names, cells[group.members[0]], tuple(dict.fromkeys(cites)), assumes, restated
    )


def _mark(rulesets: Sequence[Ruleset], cells: Sequence[Cell]) -> str | None:
    """That no document says it, or who leaves open, or can be read in several ways in, what others say."""
    present = [(one.id, cell) for one, cell in zip(rulesets, cells, strict=True) if cell.text != ABSENT]
    silent = [name for name, cell in present if cell.gap is not None or (cell.assumes and not cell.cites)]
    open_ = [name for name, cell in present if cell.readings]
    if present and len(silent) == len(present):
        return "no document says this"
    marks = [f"not said by {listed(silent)}"] if silent else []
    marks += [f"left open by {listed(open_)}"] if open_ and len(open_) < len(present) else []
    marks += ["left open by all"] if open_ and len(open_) == len(present) else []
    return "; ".join(marks) or None


def _deal(rulesets: Sequence[Ruleset], groups: Sequence[Class]) -> tuple[str, str] | None:
    """The first two rulesets of different cells that one deal can be played under."""
    firsts = [rulesets[group.members[0]] for group in groups]
    for i, one in enumerate(firsts):
        for other in firsts[i + 1 :]:
            if one.program.players == other.program.players:
                return one.named, other.named
    return None


# ----------------------------------------------------------------------------------------------- customs


def customs(rulesets: Sequence[Ruleset]) -> tuple[Custom, ...]:
    """What the documents of some rulesets say of customs, in the order of the customs' names."""
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
        found = [
            (document.id.value, statement)
            for document in ruleset.documents.values()
            for statement in document.statements.values()
            if statement.custom == name
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
    return Custom(name, says, tuple(silent), f"{listed(silent)}: nothing is said" if silent else None)


def _same_as(ruleset: Ruleset, cites: Sequence[str]) -> list[str]:
    """The rules that some statements are proved to describe otherwise."""
    rules = ruleset.whole.rules
    named = {
        name for name in restatements(ruleset) if {w.value for w in rules[name].backing.cites} & {*cites}
    }
    return [other for name, other in shown_restatements(ruleset).items() if name in named] if named else []
