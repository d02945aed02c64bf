"""Compares two rulesets in every aspect, and groups several rulesets by agreement.

`compare` computes what `trickproof diff` prints; aspects are independent of one another and are distributed
over processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations
from operator import methodcaller

from trickproof.checking.proof_session import ProofSession
from trickproof.checking.verdict import Method
from trickproof.diff.agreed_values import on_common_values, values_apart, with_other_values
from trickproof.diff.joint_changes import joined_changes
from trickproof.diff.results import Compared, Status, Way
from trickproof.diff.rule_dependencies import Texts
from trickproof.diff.rule_diff import UNENCODED, Comparison
from trickproof.diff.side import Side, unchecked
from trickproof.diff.witnesses.paired_replay import answers
from trickproof.diff.witnesses.parting import Parting
from trickproof.diff.witnesses.seen_apart import seen_apart
from trickproof.english.differences import OTHER_NUMBER, OTHER_PACK, OTHER_RANKS, OTHER_TEAMS
from trickproof.english.vocabulary import ASPECTS
from trickproof.equivalence.program_equivalence import same
from trickproof.proofs import kernel
from trickproof.proofs.kernel import Theorem
from trickproof.support.cluster import Cluster
from trickproof.support.process_pool import beside, results_sharing
from trickproof_dsl.library import Ruleset

Watch = Callable[[int, str], None]

ALONE = 3
"""This many rules that individually change nothing may change something jointly; fewer cannot."""

SHARES = 4
"""Number of groups of pairs for each process."""

FACTS: tuple[str, ...] = ("players", "deck")
"""Aspects that are given by sections of the file rather than by rules."""


@dataclass(frozen=True)
class Diff:
    """`aspects` are the contract's, in order; `others` are the differing rules outside them."""

    a: Ruleset
    b: Ruleset
    aspects: tuple[Compared, ...]
    others: tuple[Compared, ...]

    @property
    def every(self) -> tuple[Compared, ...]:
        """All results."""
        return (*self.aspects, *self.others)

    def status(self, rule: str) -> Status:
        """The status of an aspect or of another rule."""
        found = [one.status for one in self.every if one.aspect == rule]
        if found:
            return found[0]
        return kernel.same(
            kernel.equivalent(rule, [kernel.static("it is not among those that differ", found)])
        )

    @property
    def different(self) -> tuple[Compared, ...]:
        """Results that are certainly not the same: different or incomparable."""
        return tuple(one for one in self.every if one.status in ("different", "incomparable"))


def compare(
    a: Ruleset,
    b: Ruleset,
    session: ProofSession | None = None,
    workers: int = 1,
    watch: Watch = lambda done, name: None,
    brief: bool = False,
) -> Diff:
    """Compare two rulesets in every aspect. Pairs with rules in common are faster in a shared `session`.

    If `brief`, only the statuses are meant: differences come with a single deal, and without conditions.
    """
    comparison = replace(_comparison(a, b, session), brief=brief)
    beside = sorted({*comparison.a.texts.beside_aspects, *comparison.b.texts.beside_aspects})
    names = [*ASPECTS, *beside]
    by_aspect: dict[str, Compared] = {}
    waiting: list[str] = []
    for name in names:
        watch(len(by_aspect), name)
        soon = compared_fact(comparison, name) if name in FACTS else comparison.soon(name)
        if soon is not None:
            by_aspect[name] = soon
        else:
            waiting.append(name)
    for name in list(waiting) if len(waiting) > 1 else ():  # what others suppose takes long in some games
        if (seen := comparison.at_sight(name)) is not None:
            by_aspect[name] = seen
            waiting.remove(name)
    groups = [{number: methodcaller("compared", name)} for number, name in enumerate(waiting)]
    at_work = dict.fromkeys(waiting)
    watch(len(by_aspect), next(iter(at_work), ""))
    for number, compared in _results(comparison, groups, workers):
        by_aspect[waiting[number]] = compared
        del at_work[waiting[number]]
        watch(len(by_aspect), next(iter(at_work), "all aspects together"))
    in_order = {name: by_aspect[name] for name in names}  # whichever process was first
    by_aspect = _as_a_whole(comparison, joined_changes(comparison, in_order))
    one, other = Texts(a), Texts(b)
    by_aspect = {name: with_other_values(one, other, x) for name, x in by_aspect.items()}
    others = tuple(by_aspect[name] for name in beside if by_aspect[name].status != "same")
    return Diff(a, b, tuple(by_aspect[name] for name in ASPECTS), others)


_Jobs = Sequence[Mapping[int, Callable[[Comparison], Compared]]]


class _UncountedError(Exception):
    """What was supposed is not proved."""


def _results(comparison: Comparison, jobs: _Jobs, workers: int) -> Iterator[tuple[int, Compared]]:
    """The results of jobs. Other processes begin them while it is proved here what they suppose, without which none counts."""
    if isinstance(workers, Cluster) or min(workers, len(jobs)) < 2:
        yield from results_sharing(jobs, workers, partial(_itself, comparison))
        return
    try:
        with beside(jobs, min(workers, len(jobs)) - 1, partial(_supposed, comparison)) as (done, not_begun):
            try:
                comparison.a.counted()
            except UNENCODED as why:
                raise _UncountedError from why
            yield from chain(not_begun, done)
    except _UncountedError:
        yield from results_sharing(jobs, workers, partial(_itself, comparison))


def _itself(comparison: Comparison) -> Comparison:
    """What was found before processes were forked, shared by all rules that one of them compares."""
    return comparison


def _supposed(comparison: Comparison) -> Comparison:
    return replace(comparison, a=comparison.a.supposed())


def one_aspect(a: Ruleset, b: Ruleset, aspect: str, session: ProofSession | None = None) -> Compared:
    """Compare two rulesets in one aspect."""
    comparison = _comparison(a, b, session)
    if aspect in FACTS:
        return compared_fact(comparison, aspect)
    return with_other_values(Texts(a), Texts(b), comparison.compared(aspect))


def _comparison(a: Ruleset, b: Ruleset, session: ProofSession | None) -> Comparison:
    """Both sides, sharing one proof session, with the values of parameters that both allow."""
    session = ProofSession() if session is None else session
    a, b = on_common_values(a, b)
    return Comparison(Side(Texts(a), session), Side(Texts(b), session))


def _as_a_whole(comparison: Comparison, by_aspect: dict[str, Compared]) -> dict[str, Compared]:
    """Revise the results of individual rules in the context of the whole game.

    Rules that individually change nothing can change something jointly if there are `ALONE` or more of them.
    """
    statuses = {one.status for one in by_aspect.values()}
    a, b = comparison.a.texts.ruleset, comparison.b.texts.ruleset
    if statuses == {"same", "undecided"} and (altogether := _altogether(a, b, comparison.a.session)):
        why, status = "the whole game does the same", kernel.same(altogether)
        return {name: replace(one, status=status, why=why) for name, one in by_aspect.items()}
    proved = [name for name, one in by_aspect.items() if comparison.soon(name) is None and name not in FACTS]
    if (
        statuses != {"same"}
        or len(proved) < ALONE
        or comparison.together(proved)
        or _altogether(a, b, comparison.a.session)
    ):
        return by_aspect
    why = "it changes nothing by itself; that nothing changes together with others is not proved"
    return {
        name: replace(x, status="undecided", why=why) if name in proved else x
        for name, x in by_aspect.items()
    }


def _altogether(a: Ruleset, b: Ruleset, session: ProofSession) -> Theorem | None:
    """Two programs are equivalent as a whole, however they are divided into rules; None if that is not proved."""
    return same(unchecked(a, session), b.program)


def play_the_same(a: Ruleset, b: Ruleset, session: ProofSession | None = None) -> bool:
    """Whether two rulesets are proved equivalent in everything; returns quickly if they are not."""
    comparison = replace(_comparison(a, b, session), brief=True)
    beside = {*comparison.a.texts.beside_aspects, *comparison.b.texts.beside_aspects}
    names = [*ASPECTS[len(FACTS) :], *sorted(beside)]
    if any(compared_fact(comparison, name).status != "same" for name in FACTS) or seen_apart(a, b):
        return False
    if any(any(values_apart(Texts(a), Texts(b), name)) for name in names):
        return False
    by_aspect: dict[str, Compared] = {}
    for name in names:
        by_aspect[name] = comparison.soon(name) or comparison.compared(name)
        if by_aspect[name].status in ("different", "incomparable"):
            return False
    return all(one.status == "same" for one in _as_a_whole(comparison, by_aspect).values())


def compared_fact(comparison: Comparison, name: str) -> Compared:
    """Compare the players or the deck, which only takes an inspection."""
    one, other = comparison.a.texts.ruleset, comparison.b.texts.ruleset
    mine, theirs = one.program, other.program
    sides = [(x.players, x.teams) if name == "players" else x.deck for x in (mine, theirs)]
    if theorem := kernel.equivalence(name, (sides[0], sides[1])):
        return Compared(name, kernel.same(theorem), Method.STATIC, "the same")
    if name == "players" and mine.players == theirs.players:  # the deal shows nothing of who are partners
        return Compared(name, "different", Method.STATIC, "", (Way(OTHER_TEAMS),))
    start = {"ruleset": one.named, "params": {}, "first_hand": True, "dealer": 0, "seed": 0, "moves": []}
    answered = answers(one, other, start)
    same_cards = set(mine.deck.cards) == set(theirs.deck.cards)
    how = OTHER_NUMBER if name == "players" else OTHER_RANKS if same_cards else OTHER_PACK
    shown = () if answered is None else (Way(how, parting=Parting(answered, False)),)
    return Compared(name, "different", Method.STATIC, "", shown)


# ----------------------------------------------------------------------------------------- many rulesets


@dataclass(frozen=True)
class Grouped:
    """One aspect of several rulesets: groups of equivalent ones, largest first, and the `undecided` pairs."""

    aspect: str
    groups: tuple[tuple[str, ...], ...]
    undecided: tuple[tuple[str, str], ...]


def grouped(rulesets: Sequence[Ruleset], diffs: Mapping[tuple[str, str], Diff]) -> tuple[Grouped, ...]:
    """Group the rulesets by agreement in each aspect, from the pairwise comparisons."""
    by_aspect: list[Grouped] = []
    beside = sorted({one.aspect for diff in diffs.values() for one in diff.others})
    for aspect in (*ASPECTS, *beside):
        classes: list[list[str]] = []
        open_: list[tuple[str, str]] = []
        for ruleset in rulesets:
            for group in classes:
                status = diffs[(group[0], ruleset.named)].status(aspect)
                if status == "same":
                    group.append(ruleset.named)
                    break
                if status == "undecided":
                    open_.append((group[0], ruleset.named))
            else:
                classes.append([ruleset.named])
        ordered = sorted(classes, key=lambda group: (-len(group), group))
        by_aspect.append(Grouped(aspect, tuple(map(tuple, ordered)), tuple(open_)))
    return tuple(by_aspect)


Sharing = Callable[[Ruleset, Ruleset, ProofSession], Diff]
"""Compares two of several rulesets, whose common proofs are done once per process."""


def all_pairs(
    rulesets: Sequence[Ruleset],
    workers: int,
    watch: Watch = lambda done, name: None,
    pair: Sharing = compare,
) -> dict[tuple[str, str], Diff]:
    """Compare all pairs of rulesets, earlier one first; keyed by `named`, since ids may be shared."""
    return some_pairs(list(combinations(rulesets, 2)), workers, watch, pair)


def some_pairs(
    pairs: Sequence[tuple[Ruleset, Ruleset]],
    workers: int,
    watch: Watch = lambda done, name: None,
    pair: Sharing = compare,
) -> dict[tuple[str, str], Diff]:
    """Compare some pairs of rulesets; keyed by `named`, in the order of the pairs."""
    jobs = [(number, partial(pair, x, z)) for number, (x, z) in enumerate(pairs)]
    size = max(1, len(jobs) // (SHARES * workers))  # most of them in a row share the first ruleset
    groups = [dict(jobs[i : i + size]) for i in range(0, len(jobs), size)]
    diffs: dict[tuple[str, str], Diff] = {}
    names = {number: f"{x.id} and {z.id}" for number, (x, z) in enumerate(pairs)}
    watch(0, next(iter(names.values()), ""))
    for number, diff in results_sharing(groups, workers, ProofSession):
        diffs[(pairs[number][0].named, pairs[number][1].named)] = diff
        del names[number]
        watch(len(diffs), next(iter(names.values()), ""))
    return {(x.named, z.named): diffs[(x.named, z.named)] for x, z in pairs}
