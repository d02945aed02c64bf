"""One claim decided for several parameters and readings: which of them matter, put into words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from trickproof.checking.engines import State
from trickproof.checking.verdict import Method, Verdict
from trickproof.proofs import kernel
from trickproof.proofs.kernel import Form, Rule, Theorem
from trickproof.proofs.model_checking.bounded_model_checking import NoTrace, Trace
from trickproof.testing.subject import Subject

OVER_AT_START = "the match is over before its first deal"


def gave_up(deals: int) -> Case:
    """Undecided, since the solver gave up on a match of so many deals."""
    return Case(Verdict.UNDECIDED, Method.SMT, f"the solver gave up at deal {deals}", deals)


def no_deal(claim: str) -> Theorem:
    """A claim that only a deal could break, about a match that is over before its first."""
    return kernel.enumeration(claim, [OVER_AT_START], [(OVER_AT_START, True)])


Ways = Iterator[Trace | NoTrace]


@dataclass(frozen=True, slots=True)
class Case:
    """The answer for one choice of parameters and readings.

    `answer` is the theorem that the claim holds, the rule RUN if a replayed run is to show it, the form in
    which it is refuted (in some forms by `theorem`), or a weaker verdict. `ways` lead to what the witness
    must show, which `shows` recognises in the replayed state; `details` are further lines of output, and
    `tells` describes the match that is shown. `termination` says how matches are proved to end, and `hands`
    then within how many deals.
    """

    answer: Theorem | Literal[Rule.RUN] | Form | Verdict
    method: Method
    message: str
    hands: int = 0
    ways: Ways | None = None
    shows: Callable[[State], str | None] | None = None
    details: tuple[str, ...] = ()
    tells: Callable[[Trace], str] | None = None
    termination: Literal["surely", "almost-surely"] | None = None
    theorem: Theorem | None = None

    @property
    def within(self) -> int | None:
        """The number of deals within which matches are proved to end."""
        return self.hands if self.termination == "surely" else None

    @property
    def rank(self) -> tuple[bool, int]:
        """Sort key among cases with the same verdict; the least is reported.

        Fewest deals in a witness come first, or most deals until a match ends.
        """
        return self.termination == "surely", self.hands if self.termination is None else -self.hands

    @property
    def verdict(self) -> str:
        """The verdict, provided that any witness it needs is found."""
        if isinstance(self.answer, Verdict):
            return self.answer.value
        return "refuted" if isinstance(self.answer, Form) else "proved"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A case with the parameters and readings it is for."""

    parameters: Mapping[str, int]
    readings: Mapping[str, int]
    case: Case

    @property
    def answer(self) -> tuple[str, str]:
        return self.case.verdict, self.case.message


@dataclass(frozen=True, slots=True)
class Conditions:
    """The readings and parameters under which something holds: as the end of a message, and the readings by name."""

    text: str
    readings: tuple[str, ...] = ()


Point = tuple[int | None, ...]
"""A value for each parameter and reading that matters; None means any value."""


def conditions(subject: Subject, cases: Sequence[Labelled], reported: Labelled) -> Conditions:
    """Where the reported answer holds, and what other messages hold elsewhere with the same verdict; empty if nothing varies."""
    names = [("", name) for name in reported.parameters] + [("reading", rule) for rule in reported.readings]
    values = [[_value(x, name) for name in names] for x in cases]
    varying = [i for i in range(len(names)) if len({row[i] for row in values}) > 1]
    if len({labelled.answer for labelled in cases}) == 1:
        return Conditions(_everywhere([names[i] for i in varying]))
    matters = [i for i in varying if _matters(i, values, cases)]
    points = [tuple(row[i] for i in matters) for row in values]
    where: dict[str, list[Point]] = {}
    for point, labelled in zip(points, cases, strict=True):
        if labelled.case.verdict == reported.case.verdict and point not in where.get(
            labelled.case.message, []
        ):
            where.setdefault(labelled.case.message, []).append(point)
    sizes = [sorted({row[i] for row in values}) for i in matters]
    shown = {
        message: _said(subject, [names[i] for i in matters], _merged(some, sizes))
        for message, some in where.items()
    }
    text = f" ({shown.pop(reported.case.message)})"
    text += "".join(f"; {there} {message}" for message, there in shown.items())
    telling = {x for some in where.values() for point in _merged(some, sizes) for x in enumerate(point)}
    readings = tuple(
        subject.reading_names({names[matters[i]][1]: value})[0]
        for i, value in sorted((i, v) for i, v in telling if v is not None)
        if names[matters[i]][0]
    )
    return Conditions(text, readings)


def _value(labelled: Labelled, name: tuple[str, str]) -> int:
    return (labelled.readings if name[0] else labelled.parameters)[name[1]]


def _everywhere(varying: Sequence[tuple[str, str]]) -> str:
    parameters = [name for kind, name in varying if not kind]
    parts = ["under every reading"] if len(parameters) < len(varying) else []
    parts += (
        [
            f"whatever {' and '.join(f'`{name}`' for name in parameters)} {'is' if len(parameters) == 1 else 'are'}"
        ]
        if parameters
        else []
    )
    return f" ({', '.join(parts)})" if parts else ""


def _matters(i: int, values: Sequence[Sequence[int]], cases: Sequence[Labelled]) -> bool:
    """Whether two cases that differ only in this have different answers."""
    answers: dict[tuple[int, ...], set[tuple[str, str]]] = {}
    for row, labelled in zip(values, cases, strict=True):
        answers.setdefault((*row[:i], *row[i + 1 :]), set()).add(labelled.answer)
    return any(len(some) > 1 for some in answers.values())


def _merged(points: Sequence[Point], sizes: Sequence[Sequence[int]]) -> list[Point]:
    """The same points, joining those that differ in one coordinate only and together cover all its values."""
    merged = list(points)
    for i, size in enumerate(sizes):
        joined_points: list[Point] = []
        for point in merged:
            alike = [p for p in merged if (*p[:i], *p[i + 1 :]) == (*point[:i], *point[i + 1 :])]
            joined = (*point[:i], None, *point[i + 1 :]) if len(alike) == len(size) else point
            if joined not in joined_points:
                joined_points.append(joined)
        merged = joined_points
    return merged


def _said(subject: Subject, names: Sequence[tuple[str, str]], points: Sequence[Point]) -> str:
    texts = []
    for point in points:
        parts = []
        for (kind, name), value in zip(names, point, strict=True):
            if value is not None:
                label = subject.reading_names({name: value})[0] if kind else f"{name}: {value}"
                parts.append(f"`{label}`")
        texts.append(" and ".join(parts))
    readings = any(kind for kind, _ in names)
    return f"{'under' if readings else 'with'} {' or '.join(texts)}"
