"""Parameter sweeps: a ruleset with some of its numbers varied, each member of the family simulated and checked.

An axis is a parameter, or the numbers that are written in a rule's text, in order (`targets=8-5-3,9-5-2`).
Numbers become parameters of one program, which is compiled once; every member is dealt the same cards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, product
from math import prod
from typing import Any

from trickproof.english.inflection import listed
from trickproof.simulate.options import ChoiceError, small
from trickproof.simulate.runtime.executor import Executor
from trickproof.simulate.runtime.scheduler import Request
from trickproof.simulate.simulation import Simulation
from trickproof.simulate.statistics.outcome import Outcome
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import mapped, walk
from trickproof_dsl.diagnostics.catalogue import did_you_mean
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.library import Ruleset

MOST_MEMBERS = 200

MOST_VALUES = 1000
"""Maximum number of values in a range."""

_DIGITS = "[0-9]{1,18}"


@dataclass(frozen=True)
class Axis:
    """One dimension of a sweep: the parameters at each varied place, several if they are always equal; and
    the values.
    """

    name: str
    places: tuple[tuple[str, ...], ...]
    values: tuple[tuple[int, ...], ...]

    def given(self, values: tuple[int, ...]) -> dict[str, int]:
        """The parameters for one choice of values."""
        return {n: value for names, value in zip(self.places, values, strict=True) for n in names}


@dataclass(frozen=True)
class Family:
    """A ruleset whose varied numbers are parameters."""

    ruleset: Ruleset
    axes: tuple[Axis, ...]
    written: Mapping[str, Span]
    """Parameters that stand for a number in a rule's text."""

    def members(self) -> list[dict[str, int]]:
        """The parameter values of each member."""
        members = []
        for chosen in product(*[axis.values for axis in self.axes]):
            pairs = zip(self.axes, chosen, strict=True)
            members.append({n: v for axis, values in pairs for n, v in axis.given(values).items()})
        return members

    def label(self, member: Mapping[str, int]) -> list[str]:
        """The values by axis, as the user wrote them."""
        return ["-".join(str(member[names[0]]) for names in axis.places) for axis in self.axes]

    def fixed(self, member: Mapping[str, int]) -> Ruleset:
        """The member as a ruleset of its own, for the checks."""
        program = self.ruleset.program
        parameters = {name: values for name, values in program.parameters.items() if name not in self.written}
        parameters |= {name: (value,) for name, value in member.items() if name in parameters}
        values = {name: member[name] for name in self.written}
        changed = _with_literals(replace(program, parameters=parameters), values)
        return replace(self.ruleset, program=changed)


def family(ruleset: Ruleset, texts: Sequence[str]) -> Family:
    """Parse `end=10..16`, `end+winner=10..16`, `goal=10,20`, `targets=8-5-3,9-5-2`.  Raises ChoiceError."""
    axes: list[Axis] = []
    written: dict[str, Span] = {}
    for text in texts:
        name, equals, values = (part.strip() for part in text.partition("="))
        if not equals or not values:
            raise ChoiceError(f"`{text}`: expected a name and values, as in `end=10..16`")
        together = [_varied(ruleset, part.strip()) for part in name.split("+")]
        if len({len(parameters) for parameters, _ in together}) > 1:
            raise ChoiceError(f"`{name}`: these do not have the same number of values")
        places = tuple(zip(*[parameters for parameters, _ in together], strict=True))
        taken = {n for axis in axes for names in axis.places for n in names}
        mine = [n for names in places for n in names]
        if taken & set(mine) or len(set(mine)) < len(mine):
            raise ChoiceError(f"`{name}` is varied twice")
        now = [span for _, spans in together[:1] for span in spans.values()]
        axes.append(Axis(name, places, _values(name, values, len(places), now)))
        for _, spans in together:
            written |= spans
    members = prod(len(axis.values) for axis in axes)
    if members > MOST_MEMBERS:
        raise ChoiceError(
            f"these values make {members:,} rulesets, more than {MOST_MEMBERS}; "
            "leave some out, as `300,400,500` does of `300..500`"
        )
    program = _with_parameters(ruleset.program, written)
    return Family(replace(ruleset, program=program), tuple(axes), written)


def _varied(ruleset: Ruleset, name: str) -> tuple[tuple[str, ...], dict[str, Span]]:
    """The parameters that a name stands for, with the places of the new ones among them."""
    rule, _, parameter = name.rpartition(".")
    program = ruleset.program
    if parameter in program.parameters and (not rule or rule in program.rules):
        return (parameter,), {}
    if name in program.rules:
        spans = numbers_of(ruleset, name)
        if not spans:
            raise ChoiceError(f"rule `{name}` contains no number; {_meant(ruleset, '')}")
        span_of = {f"{name}#{i + 1}": span for i, span in enumerate(spans)}
        return tuple(span_of), span_of
    raise ChoiceError(f"no parameter or rule `{name}`; {_meant(ruleset, name)}")


def _meant(ruleset: Ruleset, name: str) -> str:
    """What an unknown name may stand for: a rule with a number in a line about it, or a similar name; then all names."""
    numbers = varied(ruleset)
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    lines = {
        rule: sum(bool(word.search(span.source.line_text(span.line))) for span in spans)
        for rule, spans in numbers.items()
        if name
    }
    about = max(lines, key=lines.__getitem__, default=None)
    close = about if about is not None and lines[about] else did_you_mean(name, numbers)
    values = "-".join(span.text for span in numbers.get(close or "", ()))
    example = f", as in `{close}={values}`" if values else ""
    hint = f"did you mean `{close}`{example}? " if close else ""
    return f"{hint}what can be varied: {', '.join(numbers)}"


def varied(ruleset: Ruleset) -> dict[str, list[Span]]:
    """What can be varied: the parameters, and the rules in which numbers are written, with these."""
    numbers = {rule: spans for rule in ruleset.program.rules if (spans := numbers_of(ruleset, rule))}
    return {name: [] for name in ruleset.program.parameters} | numbers


def numbers_of(ruleset: Ruleset, rule: str) -> list[Span]:
    """The places of the numbers in a rule's text, as far as they occur in the program."""
    declared = ruleset.whole.rules.get(rule)
    texts = (
        []
        if declared is None
        else [x for x in (declared.text, *(r.text for r in declared.readings)) if x is not None]
    )
    span_at: dict[int, Span] = {}
    for x in walk(ruleset.program.setup, ruleset.program.between, ruleset.program.hand):
        if isinstance(x, c.Literal) and x.type == c.INTEGER and x.span is not None:
            inside = any(x.span.source == t.source and t.start <= x.span.start < t.end for t in texts)
            if inside and x.span.text == str(x.value):
                span_at[x.span.start] = x.span
    return [span_at[start] for start in sorted(span_at)]


def _values(name: str, text: str, number: int, now: Sequence[Span]) -> tuple[tuple[int, ...], ...]:
    """The values of an axis; `now` has the numbers that are written where they go, if they are a rule's."""
    points: list[tuple[int, ...]] = []
    for part in (part.strip() for part in text.split(",")):
        if number == 1 and (ends := re.fullmatch(rf"(-?{_DIGITS})\.\.(-?{_DIGITS})", part)):
            low, high = int(ends[1]), int(ends[2])
            if not 0 <= high - low < MOST_VALUES:
                raise ChoiceError(
                    f"`{part}`: expected a range from low to high of at most {MOST_VALUES} numbers"
                )
            points += [(small(part, n),) for n in range(low, high + 1)]
        elif number == 1 and re.fullmatch(rf"-?{_DIGITS}", part):
            points.append((small(part, int(part)),))
        elif number > 1 and re.fullmatch(rf"{_DIGITS}(-{_DIGITS})*", part) and part.count("-") == number - 1:
            points.append(tuple(small(part, int(x)) for x in part.split("-")))
        else:
            *first, last = [int(span.text) for span in now] or [10]
            like = f"{last}..{last + 2}" if number == 1 else "-".join(map(str, (*first, last + 1)))
            raise ChoiceError(
                f"`{name}={part}`: expected {_numbers(number)}, as in `{name}={like}`{_written(now)}"
            )
    return tuple(dict.fromkeys(points))


def _numbers(number: int) -> str:
    return "whole numbers or a range of them" if number == 1 else f"{number} numbers with `-` between them"


def _written(now: Sequence[Span]) -> str:
    """The numbers as they are, with their lines."""
    by_line = groupby(now, lambda span: span.source.line_text(span.line).strip().removeprefix("rule: "))
    lines = [f"{', '.join(span.text for span in spans)} (`{line}`)" for line, spans in by_line]
    return f"; currently {listed(lines)}" if now else ""


def _with_parameters(program: c.Program, written: Mapping[str, Span]) -> c.Program:
    """The program with parameters in place of these numbers."""
    names = {span: name for name, span in written.items()}

    def changed(x: Any) -> Any:
        if isinstance(x, c.Literal) and x.type == c.INTEGER and x.span in names:
            return c.Parameter(names[x.span], c.INTEGER, x.span)
        return None

    first = {name: (int(span.text),) for name, span in written.items()}
    return _mapped(replace(program, parameters={**program.parameters, **first}), changed)


def _with_literals(program: c.Program, values: Mapping[str, int]) -> c.Program:
    """The program with numbers in place of these parameters."""

    def changed(x: Any) -> Any:
        if isinstance(x, c.Parameter) and x.name in values:
            return c.Literal(c.INTEGER, values[x.name], x.span)
        return None

    return _mapped(program, changed)


def _mapped(program: c.Program, change: Callable[[Any], Any]) -> c.Program:
    """The program with nodes replaced by `change`."""

    parts = {
        name: mapped(getattr(program, name), change)
        for name in ("rules", "invariants", "setup", "hand", "between")
    }
    return replace(program, **parts)


def sweep(
    family: Family, request: Request, executor: Executor, backend: str = ""
) -> Iterator[tuple[dict[str, int], Outcome]]:
    """Each member with its outcome, in order."""
    for member in family.members():
        fixed = replace(request, parameters={**request.parameters, **member})
        yield member, Simulation(family.ruleset, fixed, backend).play(executor)
