"""Which of some rulesets one is equal to, or differs from least."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from trickproof.checking.proof_session import ProofSession
from trickproof.diff.ruleset_diff import Diff, Sharing, compare_sharing
from trickproof.support.process_pool import results_sharing
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
    ruleset: Ruleset,
    others: Sequence[Ruleset],
    workers: int,
    watch: Watch = lambda done, name: None,
    pair: Sharing = compare_sharing,
) -> list[Neighbour]:
    """The others, the one that differs in fewest aspects first."""
    several = max(1, min(workers, len(others)))
    jobs = {number: partial(pair, ruleset, other) for number, other in enumerate(others)}
    groups = [{number: job} for number, job in jobs.items()]
    nearest: list[Neighbour] = []
    for done, (number, diff) in enumerate(results_sharing(groups, several, ProofSession)):
        watch(done, others[number].id)
        nearest.append(Neighbour(others[number], diff))
    return sorted(nearest, key=lambda x: (len(x.different) + len(x.undecided), x.ruleset.id))
