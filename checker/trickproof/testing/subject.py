"""One ruleset under examination, with shared results computed on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, product
from typing import TypeVar, cast

from trickproof.analysis.inheritance_grounds import Inherited, inherited
from trickproof.analysis.nullability import somebody_deals
from trickproof.analysis.parameter_classes import telling_values
from trickproof.analysis.usage import Usage, claimed, program_usage, rules_at, usage_of
from trickproof.checking.finding import Finding
from trickproof.checking.proof_session import ProofSession
from trickproof.checking.property import Property
from trickproof.checking.verdict import Method, Verdict
from trickproof.english.inflection import counted
from trickproof.proofs import kernel
from trickproof.support.locations import at
from trickproof.testing.confirmation import confirmed, telling_readings
from trickproof.testing.edge_cases import Corners
from trickproof.testing.random_play import ENOUGH, Played, play, play_long, play_matches, shrunk
from trickproof.testing.witness import MOST_DEALS
from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.files.model import Backing, RuleDecl, assumes_of, cites_of, in_prelude
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json

T = TypeVar("T")

WHOLE = 500
"""Number of deals that whole matches are to have, by `play_matches`, that are played for what is not decided otherwise."""

MOST_COMBINATIONS = 64
"""Maximum number of combinations of parameters, or of readings, that are enumerated."""

AT_END = "end"
"""The label of claims about how matches end, for which whole matches are played."""

TELLING = 10
"""Minimum number of deals for which a failure probability is reported."""


class Subject:
    """One ruleset, and the results about it.

    The shared run of `hands` deals evaluates the probes of all `properties`, whichever of them are requested.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        properties: Sequence[Property],
        hands: int = ENOUGH,
        session: ProofSession | None = None,
    ) -> None:
        self.session = ProofSession() if session is None else session
        self._answers: dict[object, object] = {}
        self.ruleset, self.program, self.hands = ruleset, ruleset.program, hands
        self.properties = tuple(prop for prop in properties if prop.absent(self.usage) is None)
        self._rules: dict[Span, tuple[str, ...]] = {}

    @cached_property
    def usage(self) -> Usage:
        """The words of everything that can happen in a match."""
        return program_usage(self.program)

    @cached_property
    def played(self) -> Played:
        """The shared run of deals."""
        return play(self.ruleset, self.properties, self.hands)

    @cached_property
    def played_out(self) -> Played:
        """The shared run combined with one of whole matches, for claims about their ends."""
        about_ends = [prop for prop in self.properties if AT_END in prop.labels]
        return self.played.with_more(play_matches(self.ruleset, about_ends, self.hands))

    @cached_property
    def played_long(self) -> Played:
        """A few long matches, for what goes wrong only after many deals."""
        return play_long(self.ruleset, self.properties)

    @cached_property
    def played_whole(self) -> Played:
        """Many whole matches, for what is not decided about them otherwise."""
        return play_matches(self.ruleset, self.properties, max(self.hands, WHOLE))

    @cached_property
    def corners(self) -> Corners:
        """Low-probability deals with unusual play."""
        return Corners(self.ruleset, self.properties)

    def rules_at(self, span: Span) -> tuple[str, ...]:
        """The rules in whose text a place lies, memoised; see `usage.rules_at`."""
        if span not in self._rules:
            self._rules[span] = rules_at(self.program, span)
        return self._rules[span]

    def once(self, key: object, work_out: Callable[[], T]) -> T:
        """A result about this subject, memoised by key."""
        if key not in self._answers:
            self._answers[key] = work_out()
        return cast(T, self._answers[key])

    def known(self, key: object) -> bool:
        """Whether a result has been memoised by a key."""
        return key in self._answers

    @cached_property
    def inherited(self) -> dict[str, Inherited]:
        """The rules that a documented variant inherits, and its grounds for them."""
        return inherited(self.ruleset)

    # ---------------------------------------------------------------------------- what varies

    def parameters(self) -> list[dict[str, int]]:
        """All combinations of values of the parameters in use (truncated if very many).

        Of values that no rule can tell apart only the first is taken.
        """
        names = sorted(self.usage.parameters | usage_of(*claimed(self.program)).parameters)
        telling = telling_values(self.program)
        values = product(*(telling[name] for name in names))
        return [dict(zip(names, v, strict=True)) for v in islice(values, MOST_COMBINATIONS)]

    def readings(self, rules: frozenset[str]) -> list[dict[str, int]]:
        """Every combination of the readings of some rules (truncated if very many)."""
        names = sorted(rules)
        values = product(*(range(len(self.program.readings[name])) for name in names))
        return [dict(zip(names, v, strict=True)) for v in islice(values, MOST_COMBINATIONS)]

    def reading_names(self, readings: dict[str, int]) -> tuple[str, ...]:
        """`rule: reading` for each."""
        return tuple(f"{rule}: {self.program.readings[rule][i]}" for rule, i in sorted(readings.items()))

    def is_standard(self, rule: str) -> bool:
        """Whether a rule comes from the standard vocabulary."""
        return rule not in self.ruleset.whole.rules or is_standard(self.ruleset.whole.rules[rule])

    # -------------------------------------------------------------------------------- findings

    def finding(
        self,
        prop: Property,
        verdict: Verdict,
        method: Method,
        message: str,
        *,
        where: Span | None = None,
        cases: int | None = None,
        match: tuple[Mapping[str, Json], ...] | None = None,
        witness: Mapping[str, Json] | None = None,
        readings: tuple[str, ...] = (),
        details: tuple[str, ...] = (),
    ) -> Finding:
        """A finding with the place, citations and assumptions of the rules that the property is about.

        Places are always in a user's file: `where` is ignored if it is in the standard vocabulary. Rules that
        the ruleset states itself come before inherited ones. The witness is the last deal of the `match`, if
        there is one.
        """
        own = self.ruleset.own.id.span
        backings = [backing for _, backing in self.about(prop)]
        about = sorted((span for span, _ in self.about(prop)), key=lambda x: x.source.name != own.source.name)
        spans = [where, *about, own]
        return Finding(
            prop.name,
            verdict,
            method,
            message,
            where=next(span for span in spans if span is not None and not in_prelude(span)),
            cites=cites_of(backings),
            assumes=assumes_of(backings),
            cases=cases,
            witness=match[-1] if match else witness,
            match=match,
            readings=readings,
            details=details,
        )

    def about(self, prop: Property) -> Iterator[tuple[Span, Backing]]:
        """Place and backing of the rules (or invariant) that a property is about, except those of the standard vocabulary.

        For rules that the ruleset inherits, its grounds for inheriting them are included.
        """
        whole = self.ruleset.whole
        if prop.name in whole.invariants and not prop.about:
            invariant = whole.invariants[prop.name]
            yield invariant.span, invariant.backing
        for name in prop.about:
            if name in whole.rules and not is_standard(whole.rules[name]):
                yield whole.rules[name].name.span, whole.rules[name].backing
        for name in prop.about:
            if name in self.inherited:
                yield from ((entry.span, entry.backing) for entry in self.inherited[name].grounds)


def is_standard(rule: RuleDecl) -> bool:
    """Whether a rule comes from the standard vocabulary and not from the ruleset."""
    return in_prelude(rule.name.span)


def tested(prop: Property, subject: Subject) -> Finding:
    """The finding of a claim that is tested by random play: of deals, or of whole matches if it is about their ends."""
    played = subject.played_out if AT_END in prop.labels else subject.played
    if prop.name in played.violations:
        return refuted(prop, subject, played)
    if prop.name in subject.played_long.violations:
        return refuted(prop, subject, subject.played_long, smaller=False)
    details = limits_met(played.limits)
    cases = played.cases.get(prop.name, 0)
    if cases:
        message = f"no failure{' of this kind' if played.violations else ''} in {_counted(prop, cases)}"
        if cases >= TELLING:
            message += f" (failure probability below 1 in {cases // 3} with 95% confidence)"
        return subject.finding(prop, Verdict.TESTED, Method.SIMULATION, message, cases=cases, details=details)
    if played.gaps:
        gap = next(iter(played.gaps.values()))
        message = f"cannot be played that far: {gap.message}"
        return subject.finding(prop, Verdict.UNSPECIFIED, Method.SIMULATION, message, where=gap.span, cases=0)
    message = f"none of the {played.hands} deals played got that far"
    if AT_END in prop.labels:
        message = f"no match ended in the {played.hands} deals played (`--hands` plays more)"
    if played.violations:
        message += f": see {', '.join(f'`{name}`' for name in played.violations)}"
    return subject.finding(prop, Verdict.UNDECIDED, Method.SIMULATION, message, cases=0, details=details)


def limits_met(limits: Mapping[str, Span]) -> tuple[str, ...]:
    """What samples did not cover because the engine gave up, as details of a finding."""
    return tuple(
        f"a sample met a limit of the engine and says nothing: {message} ({at(span)})"
        for message, span in limits.items()
    )


def _counted(prop: Property, cases: int) -> str:
    units = ("finished match", "finished matches") if AT_END in prop.labels else ("deal",)
    return counted(cases, *units)


def refuted(prop: Property, subject: Subject, played: Played, smaller: bool = True) -> Finding:
    """The finding of a claim that failed in play; with `smaller`, the violation is shrunk first."""
    ruleset, properties = subject.ruleset, subject.properties
    violation = played.violations[prop.name]
    if smaller:
        violation = shrunk(ruleset, properties, violation, subject.hands)
    telling = subject.reading_names(telling_readings(properties, violation))
    if len(violation.hand.match) > MOST_DEALS:
        message = f"it fails after {len(violation.hand.match)} deals, but in no match of up to {MOST_DEALS} deals that was played"
        return subject.finding(
            prop, Verdict.UNDECIDED, Method.SIMULATION, message, details=(violation.message,)
        )
    message = violation.message
    if telling:
        message += f" (under {' and '.join(f'`{name}`' for name in telling)})"
    match = confirmed(ruleset, violation, properties)
    return subject.finding(
        prop,
        kernel.refuted(prop.name, kernel.Form.RUN, runs=match),
        Method.SIMULATION,
        message,
        cases=played.cases.get(prop.name, 0),
        match=match,
        readings=telling,
        where=violation.span,
    )


def seat(program: c.Program) -> bool:
    """Whether the match has a dealer in the standard sense: one player, never nobody, carried from deal to deal."""
    dealer = program.variables.get("dealer")
    if dealer is None or not dealer.carried or dealer.type != c.PLAYER or dealer.of:
        return False
    return somebody_deals(program)
