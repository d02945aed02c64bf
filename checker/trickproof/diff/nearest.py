"""The rulesets that are equivalent or closest to a given one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from trickproof.certificates.certificate import core_digest
from trickproof.checking.proof_session import ProofSession
from trickproof.diff.kept_pairs import kept_statuses, statuses_keeping
from trickproof.diff.rule_dependencies import Texts
from trickproof.diff.rule_diff import UNENCODED
from trickproof.diff.ruleset_diff import Diff
from trickproof.diff.side import Side
from trickproof.support.process_pool import results_sharing
from trickproof_dsl.library import Ruleset

Watch = Callable[[int, str], None]


@dataclass(frozen=True)
class Neighbour:
    """Another ruleset, and how it differs."""

    ruleset: Ruleset
    diff: Diff

    @property
    def different(self) -> tuple[str, ...]:
        """The aspects that differ or are incomparable."""
        return tuple(one.aspect for one in self.diff.different)

    @property
    def undecided(self) -> tuple[str, ...]:
        """The aspects that are neither proved equivalent nor shown to differ."""
        return tuple(one.aspect for one in self.diff.every if one.status == "undecided")

    @property
    def number(self) -> int:
        """The number of aspects that differ or may differ."""
        return len(self.different) + len(self.undecided)

    @property
    def equal(self) -> bool:
        """Whether the two are proved equivalent in everything."""
        return not self.number


def neighbours(
    ruleset: Ruleset,
    others: Sequence[Ruleset],
    workers: int,
    watch: Watch = lambda done, name: None,
) -> list[Neighbour]:
    """The other rulesets, sorted by the number of differing aspects; those that are one game are compared once."""
    games: dict[str, list[Ruleset]] = {}
    for other in others:
        games.setdefault(core_digest(other.program), []).append(other)
    nearest: list[Neighbour] = []
    waiting: list[list[Ruleset]] = []
    for alike in games.values():
        watch(len(nearest), alike[0].id)
        diff = kept_statuses(ruleset, alike[0])
        if diff is None:
            waiting.append(alike)
        else:
            nearest += [Neighbour(other, diff) for other in alike]
    jobs = [{number: partial(statuses_keeping, ruleset, alike[0])} for number, alike in enumerate(waiting)]
    at_work = {number: alike[0].id for number, alike in enumerate(waiting)}
    session = ProofSession()
    if waiting:
        watch(len(nearest), at_work[0])
        with suppress(*UNENCODED):
            Side(Texts(ruleset), session).begins()  # so that all processes know it
    for number, diff in results_sharing(jobs, max(1, min(workers, len(jobs))), session.itself):
        nearest += [Neighbour(other, diff) for other in waiting[number]]
        del at_work[number]
        watch(len(nearest), next(iter(at_work.values()), ""))
    return sorted(nearest, key=lambda x: (x.number, x.ruleset.id))
