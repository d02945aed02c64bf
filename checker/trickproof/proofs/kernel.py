"""The kernel of the proofs: nothing else says *proved*, *refuted* or *same*.

It has the shape of an LCF kernel (Gordon, Milner, Wadsworth 1979).  A `Theorem` can be made by the rules in this file only; each
rule checks what it can of its premises, and raises `KernelError` where one is missing.  A premise is a theorem or an
`Assumption`, which has a name; what a theorem assumes goes with it into every conclusion.  A verdict is made of a theorem in one
place (`verdict`), where an assumption that is left makes it fall.

What a rule concludes, and what it cannot check itself, stands in docs/proofs.md.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NoReturn

from trickproof.analysis.seats import seats_alike
from trickproof.checking.finding import Finding, Json, Premise
from trickproof.checking.verdict import Verdict
from trickproof_dsl import core as c

if TYPE_CHECKING:
    import z3

ENOUGH_DEALS = 200
"""Deals that must have been played without a failure before a claim that rests on an assumption is called *tested*."""

_SEAL: Final = object()


class KernelError(Exception):
    """A rule was applied to premises that it does not follow from: our bug, never a finding."""


class Rule(StrEnum):
    """The rules, by the names that certificates and docs/proofs.md use."""

    UNSAT = "unsat"
    SATISFIABLE = "satisfiable"
    LINEAGE = "lineage"
    ABSTRACTION = "abstraction"
    SPLIT = "split"
    SYMMETRY = "symmetry"
    LOOP = "loop"
    DEALS = "deals"
    UNROLL = "unroll"
    RANK = "rank"
    REALISED = "realised"
    CLOSED = "closed"
    ENUMERATION = "enumeration"
    EQUIVALENCE = "equivalence"
    RUN = "run"
    STATIC = "static"


class Form(StrEnum):
    """The forms that a refutation can have."""

    RUN = "run"
    TWO_RUNS = "two runs"
    RUN_AND_THEOREM = "run and theorem"
    THEOREM = "theorem"
    STATIC = "static"


FORMS: Mapping[str, tuple[Form, ...]] = {
    "allocation-determined": (Form.RUN, Form.TWO_RUNS),
    "exchange-order-determined": (Form.TWO_RUNS,),
    "end-reachable": (Form.THEOREM, Form.STATIC),
    "end-always-reachable": (Form.RUN_AND_THEOREM, Form.THEOREM, Form.STATIC),
    "terminates": (Form.RUN_AND_THEOREM, Form.THEOREM, Form.STATIC),
    "rules-complete": (Form.STATIC,),
    "examples-agree": (Form.STATIC,),
}
"""In which forms a check is refuted; every other one, those that a ruleset states too, by a run."""

WITHOUT_WITNESS = (Form.THEOREM, Form.STATIC)
WITH_THEOREM = (Form.THEOREM, Form.RUN_AND_THEOREM)


@dataclass(frozen=True, slots=True)
class Assumption:
    """What is taken for granted and not proved: the check it belongs to, or another name, and in words what it says."""

    name: str
    text: str


class Theorem:
    """A claim that follows by a rule from its premises; `assumes` is what is left unproved below it.

    Of a question to the solver `formula` says it in SMT-LIB, where that was asked for.  `open` are obligations of a deal that
    were not excluded, as whoever made them calls them.
    """

    __slots__ = ("assumes", "claim", "formula", "open", "premises", "rule")

    rule: Rule
    claim: str
    premises: tuple[Theorem | Assumption, ...]
    assumes: frozenset[Assumption]
    open: frozenset[object]
    formula: str | None

    def __init__(
        self,
        seal: object,
        rule: Rule,
        claim: str,
        premises: Sequence[Theorem | Assumption] = (),
        formula: str | None = None,
        open_: frozenset[object] = frozenset(),
    ) -> None:
        if seal is not _SEAL:
            raise KernelError("only the rules of the kernel make theorems")
        theorems = [premise for premise in premises if isinstance(premise, Theorem)]
        assumed = frozenset(premise for premise in premises if isinstance(premise, Assumption))
        values = {
            "rule": rule,
            "claim": claim,
            "premises": tuple(premises),
            "assumes": assumed.union(*(theorem.assumes for theorem in theorems)),
            "open": open_.union(*(theorem.open for theorem in theorems)),
            "formula": formula,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __init_subclass__(cls) -> NoReturn:
        raise KernelError("there are no other theorems")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise KernelError("a theorem does not change")

    def __reduce__(self) -> NoReturn:
        raise KernelError("a theorem is not written down and read again: a certificate is verified")

    def __repr__(self) -> str:
        return f"<theorem by {self.rule}: {self.claim}>"


def _made(
    rule: Rule,
    claim: str,
    premises: Sequence[Theorem | Assumption] = (),
    open_: frozenset[object] = frozenset(),
) -> Theorem:
    return Theorem(_SEAL, rule, claim, premises, None, open_)


def _need(holds: object, rule: Rule, what: str) -> None:
    if not holds:
        raise KernelError(f"{rule}: {what}")


# ----------------------------------------------------------------------------------------------- questions to the solver


def decide(solver: z3.Solver, *supposed: z3.BoolRef, formula: str | None = None) -> Theorem | None:
    """Asks the solver: that nothing satisfies what holds in it (`unsat`), that something does (`satisfiable`), or None."""
    import z3

    _need(type(solver) is z3.Solver, Rule.UNSAT, "only z3's own solver is asked")
    answer = solver.check(*supposed)
    if answer == z3.unsat:
        return _made(Rule.UNSAT, "no state satisfies it")
    return _made(Rule.SATISFIABLE, "some state satisfies it") if answer == z3.sat else None


def written(theorem: Theorem, formula: str) -> Theorem:
    """The same answer of the solver, with its question in SMT-LIB."""
    _need(theorem.rule in (Rule.UNSAT, Rule.SATISFIABLE), theorem.rule, "only a question has a formula")
    return Theorem(_SEAL, theorem.rule, theorem.claim, (), formula)


def lineage(claim: str, formula: object) -> Theorem:
    """What is written as the constant false cannot come true."""
    _need(formula is False, Rule.LINEAGE, "it is not the constant false")
    return _made(Rule.LINEAGE, claim)


def _excluding(theorem: Theorem) -> bool:
    return theorem.rule in (Rule.UNSAT, Rule.LINEAGE, Rule.ABSTRACTION)


def abstraction(claim: str, halves: Sequence[Theorem]) -> Theorem:
    """Counts and bits each allow at least what can happen: what one of them excludes cannot."""
    _need(any(map(_excluding, halves)), Rule.ABSTRACTION, "neither half excludes it")
    return _made(Rule.ABSTRACTION, claim, halves)


# ------------------------------------------------------------------------------------------------------------- one deal

Prefix = tuple[int, ...]
"""Which alternative was taken at each decision so far."""


def path(claim: str, ways: Sequence[tuple[bool, object, bool]], leaves: Sequence[Theorem]) -> Theorem:
    """On one way through a part of a deal nothing goes wrong but what stays open, which it does in every conclusion.

    `ways` has each obligation: whether it is more than the constant false, what it is called, and whether it is excluded.
    """
    asked = any(excluded and told for told, _, excluded in ways)
    _need(leaves or not asked, Rule.ABSTRACTION, "an obligation is not excluded")
    _need(all(map(_excluding, leaves)), Rule.ABSTRACTION, "an obligation is not excluded")
    return _made(
        Rule.ABSTRACTION, claim, leaves, frozenset(name for _, name, excluded in ways if not excluded)
    )


def split(
    claim: str, decisions: Mapping[Prefix, Sequence[Theorem | None]], paths: Mapping[Prefix, Theorem]
) -> Theorem:
    """From all cases: of every decision each alternative is excluded, decided further, or followed to its end."""
    _need(() in decisions or () in paths, Rule.SPLIT, "it has no case at all")
    premises = list(paths.values())
    for prefix, alternatives in decisions.items():
        for number, excluded in enumerate(alternatives):
            if excluded is not None:
                _need(_excluding(excluded), Rule.SPLIT, f"case {number} of {prefix} is left out")
                premises.append(excluded)
                continue
            case = (*prefix, number)
            _need(case in decisions or case in paths, Rule.SPLIT, f"case {number} of {prefix} is left out")
    return _made(Rule.SPLIT, claim, premises)


def loop(
    claim: str, believed: frozenset[object], reached: Sequence[tuple[frozenset[object], Theorem]]
) -> Theorem:
    """What is believed at the head of a loop holds there in every round: it was shown wherever the head is reached.

    `reached` has for each path that comes to the head, for the first time or again, what was shown there and by what.
    """
    _need(reached, Rule.LOOP, "it is never entered")
    for shown, _ in reached:
        _need(believed <= shown, Rule.LOOP, "something believed is not shown where the loop is reached")
    return _made(Rule.LOOP, claim, [theorem for _, theorem in reached])


def deals(
    claim: str,
    outcome: str,
    segments: Sequence[Theorem],
    loops: Sequence[Theorem],
    limits: Sequence[str] = (),
    seats: Theorem | None = None,
) -> Theorem:
    """One induction over deals: all goals at once, and what a deal leaves for the next one (`outcome`).

    Everything from the beginnings that the outcome allows to the end of a deal is in the segments, which are those of one dealer
    if he stands for all (`seats`).
    """
    _need(segments or limits, Rule.DEALS, "it has no part")
    _need(all(x.rule is Rule.SPLIT for x in segments), Rule.DEALS, "a part was not gone through in all cases")
    _need(all(x.rule is Rule.LOOP for x in loops), Rule.DEALS, "a loop is not shown by induction")
    _need(seats is None or seats.rule is Rule.SYMMETRY, Rule.DEALS, "seats may not be alike")
    unfinished = [Assumption("", limit) for limit in limits]
    alike = [] if seats is None else [seats]
    return _made(Rule.DEALS, f"{claim}; of the tricks: {outcome}", [*segments, *loops, *alike, *unfinished])


def conjunct(
    name: str, theorem: Theorem, whose: Mapping[object, str], obstacles: Sequence[str] = ()
) -> Theorem:
    """One goal of the induction over deals.  What is open of it (`whose` goal each open obligation is) is assumed.

    `obstacles` say in a player's words what keeps it from being proved.
    """
    _need(theorem.rule is Rule.DEALS, Rule.DEALS, "it is no induction over deals")
    _need(theorem.open <= whose.keys(), Rule.DEALS, "an open obligation is nobody's")
    mine = [place for place in theorem.open if whose[place] == name]
    _need(obstacles or not mine, Rule.DEALS, f"`{name}` has open obligations")
    _need(obstacles or not theorem.assumes, Rule.DEALS, "not all was followed to its end")
    return _made(Rule.DEALS, name, [Assumption(name, text) for text in obstacles] or [theorem])


def symmetry(program: c.Program) -> Theorem | None:
    """One seat stands for all; None where a rule can tell seats apart but by where they are from the dealer."""
    return _made(Rule.SYMMETRY, "one dealer stands for all") if seats_alike(program) else None


# ----------------------------------------------------------------------------------------------------------- many deals


def many_deals(rule: Rule, claim: str, leaves: Sequence[Theorem]) -> Theorem:
    """What the solver's answers say of matches, by one of the rules for many deals, under one choice of all that varies.

    Each needs an answer of no; an induction over deals (`deals`) also that what it assumes of a deal is possible.
    """
    _need(rule in MANY_DEALS, rule, "it is no rule about many deals")
    _need(any(x.rule is Rule.UNSAT for x in leaves), rule, "the solver has excluded nothing")
    if rule is Rule.DEALS:
        _need(
            any(x.rule is Rule.SATISFIABLE for x in leaves), rule, "its assumptions may contradict each other"
        )
    return _made(rule, claim, leaves)


MANY_DEALS = (Rule.DEALS, Rule.UNROLL, Rule.RANK, Rule.REALISED, Rule.CLOSED)


def closed(claim: str, leaves: Sequence[Theorem]) -> Theorem:
    """No play leaves a set of states that no end is in."""
    return many_deals(Rule.CLOSED, claim, leaves)


def choices(claim: str, number: int, theorems: Sequence[Theorem]) -> Theorem:
    """It holds under each of so many choices of parameters and readings."""
    _need(0 < number == len(theorems), Rule.SPLIT, "a choice is left out")
    return _made(Rule.SPLIT, claim, theorems)


def resting(theorem: Theorem, premises: Sequence[Theorem | Assumption]) -> Theorem:
    """The same claim, which takes more for granted than was said."""
    return _made(theorem.rule, theorem.claim, [theorem, *premises])


def division(theorem: Theorem | None) -> Theorem:
    """What the induction over deals says of the division of the tricks: its hypothesis, which it has shown of every deal."""
    _need(theorem is not None and theorem.rule is Rule.DEALS, Rule.DEALS, "it is no induction over deals")
    return _made(Rule.DEALS, theorem.claim if theorem is not None else "")


def lemma(name: str, finding: Finding | None) -> Theorem | Assumption:
    """What another check has found: a theorem where it is proved, or where it does not apply (None)."""
    if finding is None or finding.verdict is Verdict.NOT_APPLICABLE:
        return _made(Rule.STATIC, f"`{name}` does not apply")
    if finding.verdict.proved:
        return _made(Rule.DEALS, finding.message)
    return Assumption(name, finding.message)


def run(claim: str, witness: Json | None) -> Theorem:
    """Something can happen, as a match that the reference has replayed shows."""
    _need(witness is not None, Rule.RUN, "there is no match")
    return _made(Rule.RUN, claim)


def enumeration(claim: str, space: Sequence[object], cases: Sequence[tuple[object, bool]]) -> Theorem:
    """It holds in every case of a declared space: each is there once, and held when the reference replayed it."""
    _need(len(space) == len(cases), Rule.ENUMERATION, f"{len(cases)} cases of {len(space)}")
    listed = [case for case, _ in cases]
    _need(all(case in listed for case in space), Rule.ENUMERATION, "a case of the space is left out")
    _need(all(holds for _, holds in cases), Rule.ENUMERATION, "it fails in a case")
    return _made(Rule.ENUMERATION, claim)


def static(claim: str, counterexamples: Sequence[object]) -> Theorem:
    """A list of all places of a kind in the rules is empty."""
    _need(not counterexamples, Rule.STATIC, "there are such places")
    return _made(Rule.STATIC, claim)


def equivalence(claim: str, *sides: tuple[object, object]) -> Theorem:
    """Two programs do the same: each part of the one, in normal form, is that of the other."""
    _need(sides, Rule.EQUIVALENCE, "nothing is compared")
    _need(all(one == other for one, other in sides), Rule.EQUIVALENCE, "they are not equal")
    return _made(Rule.EQUIVALENCE, claim)


# ------------------------------------------------------------------------------------------------------------- verdicts


def verdict(theorem: Theorem, deals_played: int = 0) -> Verdict:
    """Proved; where an assumption is left: tested, if so many deals were played without a failure, else undecided."""
    if not theorem.assumes:
        return Verdict.PROVED
    return Verdict.TESTED if deals_played >= ENOUGH_DEALS else Verdict.UNDECIDED


def refuted(check: str, form: Form, *, runs: Sequence[Json] = (), theorem: Theorem | None = None) -> Verdict:
    """Refuted, in a form that this check can be refuted in: by what the reference has replayed, by a theorem, or by both."""
    _need(
        form in FORMS.get(check, (Form.RUN,)), Rule.RUN, f"`{check}` is not refuted in the form of a {form}"
    )
    _need(runs or form in WITHOUT_WITNESS, Rule.RUN, f"the refutation of `{check}` has no witness")
    if form in WITH_THEOREM:
        _need(
            theorem is not None and not theorem.assumes, Rule.CLOSED, f"`{check}`: the theorem is not proved"
        )
    return Verdict.REFUTED


def same(theorem: Theorem) -> Literal["same"]:
    """Two rules, or rulesets, are the same."""
    _need(theorem.rule is Rule.EQUIVALENCE and not theorem.assumes, Rule.EQUIVALENCE, "it is not proved")
    return "same"


def recall(
    check: str,
    word: str,
    witness: Json | None,
    rests_on: Sequence[Premise],
    certificate: str | None = None,
    certified: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> Verdict:
    """The verdict of a finding that was kept, which is about the same program and worked out by the same trickproof.

    `certificate` is the digest of the one that was written of it, if any; `certified` has the checks that each certificate proves
    which is still there.  Raises ValueError where no rule can have made the verdict, or its certificate is not there.
    """
    remembered = Verdict(word)
    if remembered is Verdict.PROVED and any(premise.kind == "assumption" for premise in rests_on):
        raise ValueError("it rests on an assumption")
    forms = FORMS.get(check, (Form.RUN,))
    if remembered is Verdict.REFUTED and witness is None and not set(forms) & set(WITHOUT_WITNESS):
        raise ValueError("it has no witness")
    if certificate is not None and check not in certified.get(certificate, ()):
        raise ValueError("its certificate is not there")
    return remembered


def recall_status(word: str, shown: bool) -> Literal["same", "different", "undecided", "incomparable"]:
    """The status of an aspect of two rulesets that was kept, which is about the same programs and worked out by the same trickproof.

    `shown` if a deal comes with it that was replayed.  Raises ValueError where no rule can have made the status.
    """
    match word:
        case "same" | "undecided" | "incomparable" if not shown:
            return word
        case "different" if shown:
            return "different"
    raise ValueError(f"no aspect is {word}, with a deal or without one")
