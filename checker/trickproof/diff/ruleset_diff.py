"""Two rulesets compared in every aspect, and many rulesets sorted into those that agree.

`compare` answers what `trickproof diff` prints; aspects are worked out in several processes, as they do not depend on one another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from trickproof.checking.proof_session import ProofSession
from trickproof.checking.verdict import Method
from trickproof.diff.joint_changes import joined_changes
from trickproof.diff.results import Compared, Status, Way
from trickproof.diff.rule_dependencies import Texts
from trickproof.diff.rule_diff import Comparison
from trickproof.diff.side import SOME, Side
from trickproof.diff.witnesses.paired_replay import answers
from trickproof.diff.witnesses.parting import Parting
from trickproof.diff.witnesses.seen_apart import seen_apart
from trickproof.english.vocabulary import ASPECTS
from trickproof.equivalence.program_equivalence import same
from trickproof.proofs import kernel
from trickproof.support.process_pool import results, results_sharing
from trickproof.testing.subject import Subject
from trickproof_dsl.library import Ruleset

Watch = Callable[[int, str], None]

ALONE = 3
"""So many rules that change nothing one by one may change something together; fewer cannot."""

FACTS: tuple[str, ...] = ("players", "deck")
"""Aspects that are told by the sections of a file, not by rules."""


@dataclass(frozen=True)
class Diff:
    """`aspects` are those of the contract in their order, `others` the rules beside them that differ."""

    a: Ruleset
    b: Ruleset
    aspects: tuple[Compared, ...]
    others: tuple[Compared, ...]

    @property
    def every(self) -> tuple[Compared, ...]:
        """Everything that was compared."""
        return (*self.aspects, *self.others)

    def status(self, rule: str) -> Status:
        """What became of an aspect or of a rule beside them."""
        compared = next((one.status for one in self.every if one.aspect == rule), None)
        return compared or kernel.same(kernel.equivalence("not among those that differ", (compared, None)))

    @property
    def different(self) -> tuple[Compared, ...]:
        """What is not the same for sure: differences, and what cannot be compared."""
        return tuple(one for one in self.every if one.status in ("different", "incomparable"))


def compare(
    a: Ruleset,
    b: Ruleset,
    workers: int = 1,
    watch: Watch = lambda done, name: None,
    session: ProofSession | None = None,
) -> Diff:
    """Two rulesets in every aspect.  Several pairs with rules in common are faster in one `session`."""
    comparison = _comparison(a, b, session)
    beside = sorted({*comparison.a.texts.beside_aspects, *comparison.b.texts.beside_aspects})
    names = [*ASPECTS, *beside]
    by_aspect: dict[str, Compared] = {}
    waiting: list[str] = []
    for name in names:
        soon = compared_fact(comparison, name) if name in FACTS else comparison.soon(name)
        if soon is not None:
            by_aspect[name] = soon
        else:
            waiting.append(name)
    jobs = {number: partial(comparison.compared, name) for number, name in enumerate(waiting)}
    several = max(1, min(workers, len(jobs)))
    if several > 1:
        comparison.prepare()
    groups = [{number: jobs[number] for number in list(jobs)[i::several]} for i in range(several)]
    for done, (number, compared) in enumerate(results(groups, workers)):
        watch(len(by_aspect), waiting[min(done + 1, len(waiting) - 1)])
        by_aspect[waiting[number]] = compared
    by_aspect = _as_a_whole(comparison, joined_changes(comparison, by_aspect))
    others = tuple(by_aspect[name] for name in beside if by_aspect[name].status != "same")
    return Diff(a, b, tuple(by_aspect[name] for name in ASPECTS), others)


def one_aspect(a: Ruleset, b: Ruleset, aspect: str, session: ProofSession | None = None) -> Compared:
    """Two rulesets in one aspect."""
    comparison = _comparison(a, b, session)
    return compared_fact(comparison, aspect) if aspect in FACTS else comparison.compared(aspect)


def _comparison(a: Ruleset, b: Ruleset, session: ProofSession | None) -> Comparison:
    """Both sides, which share what is proved of either."""
    session = ProofSession() if session is None else session
    return Comparison(Side(Texts(a), session), Side(Texts(b), session))


def _as_a_whole(comparison: Comparison, by_aspect: dict[str, Compared]) -> dict[str, Compared]:
    """What is told of the rules, in the light of the whole.

    Rules that change nothing one by one can change something together if they are three or more.
    """
    statuses = {one.status for one in by_aspect.values()}
    a, b = comparison.a.texts.ruleset, comparison.b.texts.ruleset
    if statuses == {"same", "undecided"} and (altogether := _altogether(a, b, comparison.a.session)):
        why = "the whole game does the same"
        status = kernel.same(kernel.equivalence(why, (altogether, True)))
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


def _altogether(a: Ruleset, b: Ruleset, session: ProofSession) -> bool:
    """Whether two programs do the same as a whole, however their rules are divided."""
    return same(Subject(a, (), SOME, session), b.program) is not None


def play_the_same(a: Ruleset, b: Ruleset, session: ProofSession | None = None) -> bool:
    """Whether two rulesets are proved to do the same in everything; soon answered where they are not."""
    comparison = _comparison(a, b, session)
    beside = {*comparison.a.texts.beside_aspects, *comparison.b.texts.beside_aspects}
    names = [*ASPECTS[len(FACTS) :], *sorted(beside)]
    if any(compared_fact(comparison, name).status != "same" for name in FACTS) or seen_apart(a, b):
        return False
    by_aspect: dict[str, Compared] = {}
    for name in names:
        by_aspect[name] = comparison.soon(name) or comparison.compared(name)
        if by_aspect[name].status in ("different", "incomparable"):
            return False
    return all(one.status == "same" for one in _as_a_whole(comparison, by_aspect).values())


def compared_fact(comparison: Comparison, name: str) -> Compared:
    """Players and deck, which need only be looked at."""
    one, other = comparison.a.texts.ruleset, comparison.b.texts.ruleset
    mine, theirs = one.program, other.program
    same = (
        (mine.players, mine.teams) == (theirs.players, theirs.teams)
        if name == "players"
        else mine.deck == theirs.deck
    )
    if same:
        return Compared(name, kernel.same(kernel.equivalence(name, (same, True))), Method.STATIC, "the same")
    start = {"ruleset": one.named, "params": {}, "first_hand": True, "seed": 0, "moves": []}
    answered = answers(one, other, start)
    shown = (
        () if answered is None else (Way("other cards are dealt", parting=Parting(answered, False, None)),)
    )
    return Compared(name, "different", Method.STATIC, "", shown)


# ----------------------------------------------------------------------------------------- many rulesets


@dataclass(frozen=True)
class Grouped:
    """One aspect of several rulesets: groups that do the same, largest first; `undecided` pairs are kept apart."""

    aspect: str
    groups: tuple[tuple[str, ...], ...]
    undecided: tuple[tuple[str, str], ...]


def grouped(rulesets: Sequence[Ruleset], diffs: Mapping[tuple[str, str], Diff]) -> tuple[Grouped, ...]:
    """The classes of rulesets that agree, aspect by aspect, from the differences of every two."""
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


def compare_sharing(a: Ruleset, b: Ruleset, session: ProofSession) -> Diff:
    """Two of several rulesets, of which one process proves what they have in common once."""
    return compare(a, b, session=session)


Sharing = Callable[[Ruleset, Ruleset, ProofSession], Diff]
"""Compares two of several rulesets."""


def all_pairs(
    rulesets: Sequence[Ruleset],
    workers: int,
    watch: Watch = lambda done, name: None,
    pair: Sharing = compare_sharing,
) -> dict[tuple[str, str], Diff]:
    """Every two of some rulesets compared, the earlier one first, by what they are named (two files may have one id)."""
    pairs = [(x, z) for i, x in enumerate(rulesets) for z in rulesets[i + 1 :]]
    groups = [{number: partial(pair, x, z)} for number, (x, z) in enumerate(pairs)]
    diffs: dict[tuple[str, str], Diff] = {}
    for done, (number, diff) in enumerate(results_sharing(groups, workers, ProofSession)):
        watch(done, f"{pairs[number][0].id} and {pairs[number][1].id}")
        diffs[(pairs[number][0].named, pairs[number][1].named)] = diff
    return {(x.named, z.named): diffs[(x.named, z.named)] for x, z in pairs}
