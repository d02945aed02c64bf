"""A ruleset by id, path or value, and the settings of a match: parameters and readings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from trickproof.support.bundled import bundled_library
from trickproof_dsl.diagnostics.catalogue import did_you_mean, or_meant
from trickproof_dsl.diagnostics.diagnostic import render
from trickproof_dsl.library import Ruleset

Named = str | Path | Ruleset


class RulesetError(ValueError):
    """The ruleset, parameter or reading does not exist or is invalid; the message says what and where."""


def ruleset_of(named: Named) -> Ruleset:
    """The ruleset with an id or path, or itself.

    Raises RulesetError with the diagnostics as the command line shows them.
    """
    if isinstance(named, Ruleset):
        return named
    ruleset, wrong = bundled_library().load(written_name(named))
    if ruleset is None:
        raise RulesetError(render(wrong).strip())
    return ruleset


def written_name(named: str | Path) -> str:
    """An id or a path as text that loads it: a path is recognised by its `/` or suffix."""
    name = str(named)
    if isinstance(named, Path) and "/" not in name and not name.endswith((".yaml", ".yml")):
        return f"./{name}"
    return name


def parameters_of(ruleset: Ruleset, given: Mapping[str, int] | None) -> dict[str, int]:
    """The given parameters, validated.

    Raises RulesetError for a name or value that the ruleset does not have.
    """
    known = ruleset.program.parameters
    for name, value in (given or {}).items():
        _must_be_known("parameter", name, known)
        if value not in known[name]:
            allowed = ", ".join(map(str, known[name]))
            raise RulesetError(f"parameter `{name}` is one of {allowed}, not {value}")
    return dict(sorted((given or {}).items()))


def readings_of(ruleset: Ruleset, given: Mapping[str, str | int] | None) -> dict[str, int]:
    """The readings given by name (or index), as indices. Raises RulesetError like `parameters_of`."""
    known = ruleset.program.readings
    numbers = {}
    for rule, reading in (given or {}).items():
        _must_be_known("rule with readings", rule, known)
        names = known[rule]
        if reading not in names and reading not in range(len(names)):
            raise RulesetError(f"`{rule}` can be read as {', '.join(names)}, not `{reading}`")
        numbers[rule] = reading if isinstance(reading, int) else names.index(reading)
    return dict(sorted(numbers.items()))


def _must_be_known(what: str, name: str, known: Mapping[str, object]) -> None:
    if name not in known:
        hint = or_meant(did_you_mean(name, known))
        raise RulesetError(f"the ruleset has no {what} `{name}`{hint}")
