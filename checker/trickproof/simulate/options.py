"""Parses simulation options: policies per seat, parameters, readings."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Protocol

from trickproof.english.seats import seat_names
from trickproof.simulate.ir.calling_convention import MOST_ROLLOUTS, POLICIES, SEARCH

MOST = 1_000_000_000
"""Largest allowed parameter, and minus the smallest; the sum of a few such numbers fits a word."""


class Offering(Protocol):
    """A game or a core program: the available values of parameters and names of readings."""

    @property
    def parameters(self) -> Mapping[str, Sequence[int]]: ...

    @property
    def readings(self) -> Mapping[str, Sequence[str]]: ...


class ChoiceError(ValueError):
    """An invalid option: the reason, and what may have been meant."""


def _known(what: str, name: str, names: Iterable[str], which: str = "") -> str:
    names = list(names)
    if name in names:
        return name
    from trickproof_dsl.diagnostics.catalogue import did_you_mean, or_meant

    hint = or_meant(did_you_mean(name, names)) or (
        f"; expected one of {', '.join(names)}"
        if len(names) > 1
        else f"; expected `{names[0]}`"
        if names
        else "; the ruleset has none"
    )
    raise ChoiceError(f"no {what} `{name}`{which}{hint}")


def policies(text: str, players: int) -> tuple[str, ...]:
    """Parse `greedy`, or `dealer=search:200,left=greedy`; seats that are not named play `random`.

    Raises ChoiceError.
    """
    if "=" not in text:
        return (policy(text.strip()),)
    seats = seat_names(players)
    chosen: dict[str, str] = {}
    for part in text.split(","):
        seat, _, name = part.partition("=")
        seat = _once("seat", _known("seat", seat.strip(), seats), chosen)
        chosen[seat] = policy(name.strip())
    names = tuple(chosen.get(seat, "random") for seat in seats)
    return names if len(set(names)) > 1 else names[:1]


def same_policies(text: str, players: int) -> str:
    """The policies in canonical form.  Raises ChoiceError."""
    chosen = policies(text, players)
    if len(chosen) == 1:
        return chosen[0]
    return ",".join(f"{seat}={name}" for seat, name in zip(seat_names(players), chosen, strict=True))


def policy(name: str) -> str:
    """Validate `random`, `greedy` or `search:200`.  Raises ChoiceError."""
    word, colon, number = name.partition(":")
    if word.strip() != SEARCH:
        return _known("policy", name, (*POLICIES, f"{SEARCH}:N"))
    written = re.fullmatch(r"([0-9]{1,9})(?:[eE]([0-9]))?", number)
    rollouts = int(written[1]) * 10 ** int(written[2] or 0) if written else 0
    if not (colon and 1 <= rollouts <= MOST_ROLLOUTS):
        raise ChoiceError(
            f"`{name}`: expected a number of rollouts from 1 to {MOST_ROLLOUTS:,}, as in `{SEARCH}:200`"
        )
    return f"{SEARCH}:{rollouts}"


def parameters(texts: Iterable[str], game: Offering, *others: Offering) -> dict[str, int]:
    """Parse `goal=20`, for every parameter that is not to have its default value.

    Those that only `others` have are skipped.  Raises ChoiceError.
    """
    names = dict.fromkeys(name for x in (game, *others) for name in x.parameters)
    values: dict[str, int] = {}
    for text in texts:
        name, _, value = text.partition("=")
        name = _once("parameter", _known("parameter", name.strip(), names), values)
        if not re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*", value):
            raise ChoiceError(f"`{text}`: expected a whole number, as in `{name}=10`")
        values[name] = small(text, int(value))
    return {name: value for name, value in values.items() if name in game.parameters}


def small(text: str, number: int) -> int:
    """Check that a number is not too large.  Raises ChoiceError."""
    if abs(number) > MOST:
        raise ChoiceError(f"`{text}`: expected at most {MOST:,}")
    return number


def _once(what: str, name: str, chosen: Container[str]) -> str:
    if name in chosen:
        raise ChoiceError(f"{what} `{name}` is named twice")
    return name


def readings(texts: Iterable[str], game: Offering, *others: Offering) -> dict[str, int]:
    """Parse `reveal=than-received`, for every rule that is not to take its first reading.

    Those that only `others` have are skipped.  Raises ChoiceError.
    """
    rules = dict.fromkeys(rule for x in (game, *others) for rule in x.readings)
    seen: set[str] = set()
    numbers = {}
    for text in texts:
        rule, _, name = text.partition("=")
        rule = _once("rule", _known("rule", rule.strip(), rules, " with several readings"), seen)
        seen.add(rule)
        if rule in game.readings:
            names: Mapping[str, int] = {x: i for i, x in enumerate(game.readings[rule])}
            numbers[rule] = names[_known(f"reading of `{rule}`", name.strip(), names)]
    return numbers
