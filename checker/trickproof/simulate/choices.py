"""What users say about a simulation, read: policies seat by seat, parameters, readings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trickproof.simulate.outcome import seat_names
from trickproof.simulate.players import POLICIES
from trickproof_dsl import core as c
from trickproof_dsl.errors import did_you_mean


class ChoiceError(Exception):
    """Something that cannot be chosen: why, and what could be meant."""


def _known(what: str, name: str, names: Iterable[str]) -> str:
    names = list(names)
    if name in names:
        return name
    close = did_you_mean(name, names)
    hint = f"; did you mean `{close}`?" if close else f"; there are: {', '.join(names) or 'none'}"
    raise ChoiceError(f"no {what} `{name}`{hint}")


def policies(text: str, players: int) -> tuple[str, ...]:
    """`greedy`, or `dealer=greedy,left=random`: seats that are not named play `random`.  Raises ChoiceError."""
    if "=" not in text:
        return (_known("policy", text.strip(), POLICIES),)
    seats = seat_names(players)
    chosen = dict.fromkeys(seats, "random")
    for part in text.split(","):
        seat, _, name = part.partition("=")
        chosen[_known("seat", seat.strip(), seats)] = _known("policy", name.strip(), POLICIES)
    found = tuple(chosen[seat] for seat in seats)
    return found if len(set(found)) > 1 else found[:1]


def parameters(texts: Iterable[str], program: c.Program) -> dict[str, int]:
    """`goal=20`, for every parameter that is not to have its first value.  Raises ChoiceError."""
    found = {}
    for text in texts:
        name, _, value = text.partition("=")
        name = _known("parameter", name.strip(), program.parameters)
        try:
            found[name] = int(value)
        except ValueError:
            raise ChoiceError(f"`{text}`: expected a whole number, as in `{name}=10`") from None
    return found


def readings(texts: Iterable[str], program: c.Program) -> dict[str, int]:
    """`reveal=than-received`, for every rule that is not to be read the first way.  Raises ChoiceError."""
    found = {}
    for text in texts:
        rule, _, name = text.partition("=")
        rule = _known("rule with readings", rule.strip(), program.readings)
        names: Mapping[str, int] = {x: i for i, x in enumerate(program.readings[rule])}
        found[rule] = names[_known(f"reading of `{rule}`", name.strip(), names)]
    return found
