"""Which of some rulesets one is equal to, or differs from least."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from trickproof.diff.ruleset_diff import Diff, compare
from trickproof.english.inflection import listed
from trickproof.support.process_pool import results
from trickproof_dsl.library import Ruleset

Watch = Callable[[int, str], None]


@dataclass(frozen=True)
class Neighbour:
    """Another ruleset, and what is not the same."""

    ruleset: Ruleset
    diff: Diff

    @property
    def different(self) -> tuple[str, ...]:
        """What differs or cannot be compared."""
        return tuple(one.aspect for one in self.diff.different)

    @property
    def undecided(self) -> tuple[str, ...]:
        """What is neither shown to be the same nor to differ."""
        return tuple(one.aspect for one in self.diff.every if one.status == "undecided")

    @property
    def equal(self) -> bool:
        """Whether the two are proved to do the same in everything."""
        return not self.different and not self.undecided


def neighbours(
    ruleset: Ruleset, others: Sequence[Ruleset], workers: int, watch: Watch = lambda done, name: None
) -> list[Neighbour]:
    """The others, the one that differs in fewest aspects first."""
    several = max(1, min(workers, len(others)))
    jobs = {number: partial(compare, ruleset, other) for number, other in enumerate(others)}
    groups = [{number: job} for number, job in jobs.items()]
    found: list[Neighbour] = []
    for done, (number, diff) in enumerate(results(groups, several)):
        watch(done, others[number].id)
        found.append(Neighbour(others[number], diff))
    return sorted(found, key=lambda x: (len(x.different) + len(x.undecided), x.ruleset.id))


def nearest_json(ruleset: Ruleset, found: Sequence[Neighbour]) -> dict[str, Any]:
    """All of them with what differs."""
    told = [
        {
            "ruleset": x.ruleset.id,
            "equal": x.equal,
            "different": list(x.different),
            "undecided": list(x.undecided),
        }
        for x in found
    ]
    return {"id": ruleset.id, "equal_to": [x.ruleset.id for x in found if x.equal], "nearest": told}


def nearest_text(ruleset: Ruleset, found: Sequence[Neighbour]) -> str:
    """What it is equal to or differs from least, then the others."""
    lines: list[str] = []
    equal = [x.ruleset.id for x in found if x.equal]
    if equal:
        lines.append(f"{ruleset.id} plays the same as {listed(equal)}")
    elif found:
        best = found[0]
        lines.append(
            f"{ruleset.id} differs least from {best.ruleset.id}: in {listed([*best.different, *best.undecided])}"
        )
    else:
        lines.append(f"there is nothing to compare {ruleset.id} with")
    for x in found:
        told = f"{len(x.different)} different" if x.different else "the same"
        more = f", {len(x.undecided)} undecided" if x.undecided else ""
        what = f": {', '.join((*x.different, *x.undecided))}" if not x.equal else ""
        lines.append(f"  {x.ruleset.id}: {told}{more}{what}")
    return "\n".join(lines)
