"""The proof kernel: the only code that can conclude *proved*, *refuted* or *same*.

Built like an LCF kernel (Gordon, Milner, Wadsworth 1979): a `Theorem` can be made only by the inference rules
in this file. Each rule checks its premises as far as it can and raises `KernelError` if one is missing. A
premise is a theorem or a named `Assumption`, and every conclusion inherits the assumptions of its premises.
`verdict` is the one place that turns a theorem into a verdict; a theorem with remaining assumptions is never
*proved*.

docs/proofs.md states what each rule concludes and what it cannot check itself.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from graphlib import CycleError, TopologicalSorter
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NoReturn, TypeVar

from trickproof.analysis.seats import seats_alike
from trickproof.checking.finding import Finding, Json, Premise
from trickproof.checking.verdict import Verdict
from trickproof_dsl import core as c

if TYPE_CHECKING:
    import z3

ENOUGH_DEALS = 200
"""Number of deals played without a failure from which a claim that depends on an assumption is called *tested*."""

_SEAL: Final = object()

S = TypeVar("S", bound=Hashable)
"""A state of a match, whatever its representation."""


class KernelError(Exception):
    """An inference rule was applied to premises that do not justify it: an internal error, never a finding."""


class Rule(StrEnum):
    """The inference rules, named as in certificates and docs/proofs.md."""

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
    """The forms that a refutation can take."""

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
"""The forms in which each check can be refuted; any check not listed, including a stated one, is refuted by a run."""

WITHOUT_WITNESS = (Form.THEOREM, Form.STATIC)
WITH_THEOREM = (Form.THEOREM, Form.RUN_AND_THEOREM)


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something taken for granted: the name of the check it belongs to (or another name), and what it says."""

    name: str
    text: str


class Theorem:
    """A claim that follows from its premises by a rule; `assumes` is everything left unproved beneath it.

    For a solver query, `formula` is its SMT-LIB text, if requested. `open` holds the obligations of a deal
    that were not excluded, as named by the caller.
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


# -------------------------------------------------------------------------------------------------------- solver queries


def decide(solver: z3.Solver, *supposed: z3.BoolRef, formula: str | None = None) -> Theorem | None:
    """Run a solver query: a theorem by `unsat` or `satisfiable`, or None if the solver gives up."""
    import z3

    _need(type(solver) is z3.Solver, Rule.UNSAT, "only z3's own solver is asked")
    answer = solver.check(*supposed)
    if answer == z3.unsat:
        return _made(Rule.UNSAT, "no state satisfies it")
    return _made(Rule.SATISFIABLE, "some state satisfies it") if answer == z3.sat else None


def written(theorem: Theorem, formula: str) -> Theorem:
    """The same solver answer, with its query in SMT-LIB."""
    _need(theorem.rule in (Rule.UNSAT, Rule.SATISFIABLE), theorem.rule, "only a question has a formula")
    return Theorem(_SEAL, theorem.rule, theorem.claim, (), formula)


def lineage(claim: str, formula: object) -> Theorem:
    """A formula that is the constant false can never hold."""
    _need(formula is False, Rule.LINEAGE, "it is not the constant false")
    return _made(Rule.LINEAGE, claim)


def _excluding(theorem: Theorem) -> bool:
    return theorem.rule in (Rule.UNSAT, Rule.LINEAGE, Rule.ABSTRACTION)


def abstraction(claim: str, halves: Sequence[Theorem]) -> Theorem:
    """The cardinality and bit-vector abstractions both over-approximate, so what either one excludes cannot happen."""
    _need(any(map(_excluding, halves)), Rule.ABSTRACTION, "neither half excludes it")
    return _made(Rule.ABSTRACTION, claim, halves)


# ------------------------------------------------------------------------------------------------------------- one deal

Prefix = tuple[int, ...]
"""The alternative taken at each decision so far."""


def path(claim: str, ways: Sequence[tuple[bool, object, bool]], leaves: Sequence[Theorem]) -> Theorem:
    """Nothing goes wrong on one path through a segment of a deal, except obligations left open, which every conclusion inherits.

    `ways` lists each obligation: whether it is anything but the constant false, its name, and whether it is
    excluded.
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
    """Case analysis: every alternative of every decision is excluded, split further, or followed to its end."""
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
    """What is believed at a loop head is invariant: it was shown on every path that reaches the head.

    `reached` lists, for each path that enters or re-enters the head, what was shown there and the theorem
    that shows it.
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
    carried: Sequence[Theorem] = (),
) -> Theorem:
    """A single induction over deals, proving all goals together with what a deal leaves to the next one (`outcome`).

    The segments cover everything from the initial states that the outcome allows to the end of a deal, for
    one dealer only if that dealer stands for all (`seats`). What else they suppose of carried values is shown by
    the `carried` theorems, about deals with that outcome.
    """
    _need(segments or limits, Rule.DEALS, "it has no part")
    _need(all(x.rule is Rule.SPLIT for x in segments), Rule.DEALS, "a part was not gone through in all cases")
    _need(all(x.rule is Rule.LOOP for x in loops), Rule.DEALS, "a loop is not shown by induction")
    _need(seats is None or seats.rule is Rule.SYMMETRY, Rule.DEALS, "seats may not be alike")
    unfinished = [Assumption("", limit) for limit in limits]
    alike = [] if seats is None else [seats]
    shown = [*segments, *loops, *alike, *_shown_before(carried)]
    return _made(Rule.DEALS, f"{claim}; of the tricks: {outcome}", [*shown, *unfinished])


def conjunct(
    name: str, theorem: Theorem, whose: Mapping[object, str], obstacles: Sequence[str] = ()
) -> Theorem:
    """One goal of the induction over deals. `whose` names the goal that each open obligation belongs to.

    `obstacles` say, in a player's words, what keeps the goal from being proved; they become its assumptions.
    """
    _need(theorem.rule is Rule.DEALS, Rule.DEALS, "it is not an induction over deals")
    _need(theorem.open <= whose.keys(), Rule.DEALS, "an open obligation is nobody's")
    mine = [place for place in theorem.open if whose[place] == name]
    _need(obstacles or not mine, Rule.DEALS, f"`{name}` has open obligations")
    _need(obstacles or not theorem.assumes, Rule.DEALS, "not all was followed to its end")
    return _made(Rule.DEALS, name, [Assumption(name, text) for text in obstacles] or [theorem])


def symmetry(program: c.Program) -> Theorem | None:
    """One seat stands for all; None if a rule can tell seats apart other than by their position relative to the dealer."""
    return _made(Rule.SYMMETRY, "one dealer stands for all") if seats_alike(program) else None


# ----------------------------------------------------------------------------------------------------------- many deals


def invariant(
    claim: str,
    dealers: int,
    begins: Theorem,
    preserved: Sequence[Theorem],
    supposed: Sequence[Theorem] = (),
) -> Theorem:
    """A claim about the values carried from deal to deal, by induction: it holds before the first deal, and every deal preserves it.

    `preserved` has one theorem for each of `dealers` dealers, from values of which also the claims `supposed`
    hold.
    """
    _need(_excluding(begins), Rule.DEALS, "it may not hold before the first deal")
    _need(len(preserved) == dealers, Rule.DEALS, "a dealer is left out")
    _need(all(map(_excluding, preserved)), Rule.DEALS, "a deal may not preserve it")
    return _made(Rule.DEALS, claim, [begins, *preserved, *_shown_before(supposed)])


def every_deal(
    claim: str,
    dealers: int,
    cases: Sequence[tuple[Theorem, Theorem]],
    supposed: Sequence[Theorem] = (),
    seats: Theorem | None = None,
) -> Theorem:
    """Something happens in no deal of a match, whatever values are carried into it of which the claims `supposed` hold.

    `cases` says for each of `dealers` dealers, or for one who stands for all (`seats`), that a deal is
    possible and that it cannot happen in one.
    """
    _need(seats is None or seats.rule is Rule.SYMMETRY, Rule.DEALS, "seats may not be alike")
    _need(len(cases) == (dealers if seats is None else 1), Rule.DEALS, "a dealer is left out")
    for possible, excluded in cases:
        _need(possible.rule is Rule.SATISFIABLE, Rule.DEALS, "its assumptions may contradict each other")
        _need(_excluding(excluded), Rule.DEALS, "it may happen in a deal")
    premises = [theorem for case in cases for theorem in case]
    return _made(
        Rule.DEALS, claim, [*premises, *_shown_before(supposed), *([] if seats is None else [seats])]
    )


def _shown_before(supposed: Sequence[Theorem]) -> Sequence[Theorem]:
    _need(
        all(x.rule is Rule.DEALS for x in supposed), Rule.DEALS, "what it supposes is not shown by induction"
    )
    return supposed


def unroll(claim: str, deals_unrolled: Sequence[Theorem], longer: Theorem) -> Theorem:
    """Deal by deal from the start of a match: something is excluded from each of these deals, and no match is longer."""
    _need(deals_unrolled and all(map(_excluding, deals_unrolled)), Rule.UNROLL, "it may happen in a deal")
    _need(_excluding(longer), Rule.UNROLL, "a match may be longer")
    return _made(Rule.UNROLL, claim, [*deals_unrolled, longer])


def unroll_states(claim: str, begun: S, following: Mapping[S, tuple[Collection[S], Theorem]]) -> Theorem:
    """Every match is over, as it goes through finitely many states and never twice through one.

    `following` lists for each state those in which the next deal can begin, with the theorem that there are
    no others.
    """
    listed = {state: tuple(states) for state, (states, _) in following.items()}
    _need(begun in listed, Rule.UNROLL, "the start of a match is left out")
    _need(
        all(state in listed for states in listed.values() for state in states),
        Rule.UNROLL,
        "a state is left out",
    )
    _need(
        all(_excluding(others) for _, others in following.values()), Rule.UNROLL, "there may be other states"
    )
    try:
        TopologicalSorter(listed).prepare()
    except CycleError:
        _need(False, Rule.UNROLL, "a state can recur")
    return _made(Rule.UNROLL, claim, [others for _, others in following.values()])


def rank(
    claim: str,
    dealers: int,
    rounds: Sequence[tuple[Theorem, Theorem, Theorem]],
    begins: Theorem | None = None,
) -> Theorem:
    """A number that grows in every round of deals and is bounded until the match is over: so it is over after finitely many.

    `rounds` says for each of `dealers` first dealers that deals which do not end the match are possible, that
    the number grows in each such round, and that it does not pass the bound. `begins`: nor does it before the
    first deal, if deals only keep a number within a bound that was within it before.
    """
    _need(len(rounds) == dealers, Rule.RANK, "a dealer is left out")
    for possible, grows, bounded in rounds:
        _need(possible.rule is Rule.SATISFIABLE, Rule.RANK, "its assumptions may contradict each other")
        _need(_excluding(grows), Rule.RANK, "the number may not grow")
        _need(_excluding(bounded), Rule.RANK, "the number may pass its bound")
    _need(begins is None or _excluding(begins), Rule.RANK, "the number may begin beyond its bound")
    premises = [theorem for of_round in rounds for theorem in of_round]
    return _made(Rule.RANK, claim, [*premises, *([] if begins is None else [begins])])


def realised(claim: str, plans: Theorem, played: Theorem, supposed: Sequence[Theorem] = ()) -> Theorem:
    """From every score some play ends the match: one of the plans does, and each division of the tricks they use was played.

    `supposed` are shown of the scores where that bounds the number of deals.
    """
    _need(plans.rule in (Rule.DEALS, Rule.RANK), Rule.REALISED, "the plans may not suffice")
    _need(played.rule is Rule.ENUMERATION, Rule.REALISED, "the plans may not be playable")
    return _made(Rule.REALISED, claim, [plans, played, *_shown_before(supposed)])


def closed(claim: str, separated: Theorem) -> Theorem:
    """No play leaves a set of states in which no match ends: an induction over deals separates it from the end."""
    _need(separated.rule is Rule.DEALS, Rule.CLOSED, "the states are not separated from the end")
    return _made(Rule.CLOSED, claim, [separated])


def choices(claim: str, number: int, theorems: Sequence[Theorem]) -> Theorem:
    """The claim holds under each of `number` choices of parameters and readings."""
    _need(0 < number == len(theorems), Rule.SPLIT, "a choice is left out")
    return _made(Rule.SPLIT, claim, theorems)


def resting(theorem: Theorem, premises: Sequence[Theorem | Assumption]) -> Theorem:
    """The same claim, depending on further premises."""
    return _made(theorem.rule, theorem.claim, [theorem, *premises])


def division(theorem: Theorem | None) -> Theorem:
    """What the induction over deals says about the division of the tricks: its hypothesis, shown for every deal."""
    _need(theorem is not None and theorem.rule is Rule.DEALS, Rule.DEALS, "it is not an induction over deals")
    return _made(Rule.DEALS, theorem.claim if theorem is not None else "")


def lemma(name: str, finding: Finding | None) -> Theorem | Assumption:
    """The result of another check: a theorem if it is proved or does not apply (None), otherwise an assumption."""
    if finding is None or finding.verdict is Verdict.NOT_APPLICABLE:
        return _made(Rule.STATIC, f"`{name}` does not apply")
    if finding.verdict.proved:
        return _made(Rule.DEALS, finding.message)
    return Assumption(name, finding.message)


def run(claim: str, witness: Json | None) -> Theorem:
    """Something can happen, as shown by a match that the reference interpreter has replayed."""
    _need(witness is not None, Rule.RUN, "there is no match")
    return _made(Rule.RUN, claim)


def enumeration(claim: str, space: Sequence[object], cases: Sequence[tuple[object, bool]]) -> Theorem:
    """The claim holds in every case of a declared space: each case is listed, and held when the reference replayed it."""
    _need(len(space) == len(cases), Rule.ENUMERATION, f"{len(cases)} cases of {len(space)}")
    listed = [case for case, _ in cases]
    _need(all(case in listed for case in space), Rule.ENUMERATION, "a case of the space is left out")
    _need(all(holds for _, holds in cases), Rule.ENUMERATION, "it fails in a case")
    return _made(Rule.ENUMERATION, claim)


def every_match(
    claim: str,
    begun: Collection[S],
    following: Mapping[S, Collection[S]],
    failures: Collection[object] = (),
    seats: Theorem | None = None,
) -> Theorem:
    """The claim fails in no match: every deal was played that begins in one of the states listed, with all orders of the deck and all choices.

    `following` lists the states in which deals can begin, each with those in which the next can; if the `seats`
    are alike, a state stands for those that differ by a turn of the table.
    """
    _need(set(begun) <= following.keys(), Rule.ENUMERATION, "the start of a match is left out")
    _need(
        all(set(x) <= following.keys() for x in following.values()), Rule.ENUMERATION, "a state is left out"
    )
    _need(seats is None or seats.rule is Rule.SYMMETRY, Rule.ENUMERATION, "seats may not be alike")
    _need(not failures, Rule.ENUMERATION, "it fails in a deal")
    return _made(Rule.ENUMERATION, claim, [] if seats is None else [seats])


def leading_to(following: Mapping[S, Collection[S]], ending: Collection[S]) -> set[S]:
    """The states from which one of these can be reached."""
    able, more = set[S](), set(ending)
    while more:
        able |= more
        more = {state for state, states in following.items() if able & set(states)} - able
    return able


def way_out(
    claim: str, listed: Theorem, following: Mapping[S, Collection[S]], ending: Collection[S]
) -> Theorem:
    """From every state that was `listed` by `every_match` some play ends the match; deals in `ending` states can end it."""
    _need(listed.rule is Rule.ENUMERATION, Rule.REALISED, "not all states are listed")
    _need(following.keys() <= leading_to(following, ending), Rule.REALISED, "no play leads to the end")
    return _made(Rule.REALISED, claim, [listed])


def no_way_out(
    claim: str, listed: Theorem, following: Mapping[S, Collection[S]], ending: Collection[S]
) -> Theorem:
    """No play ends the match from any state that was `listed` by `every_match`; deals in `ending` states can end it."""
    _need(listed.rule is Rule.ENUMERATION, Rule.CLOSED, "not all states are listed")
    _need(not following.keys() & set(ending), Rule.CLOSED, "a deal can end the match")
    return _made(Rule.CLOSED, claim, [listed])


def never_twice(claim: str, listed: Theorem, following: Mapping[S, Collection[S]]) -> Theorem:
    """Every match is over, as it goes through finitely many states, `listed` by `every_match`, and never twice through one."""
    _need(listed.rule is Rule.ENUMERATION, Rule.UNROLL, "not all states are listed")
    try:
        TopologicalSorter(following).prepare()
    except CycleError:
        _need(False, Rule.UNROLL, "a state can recur")
    return _made(Rule.UNROLL, claim, [listed])


def static(claim: str, counterexamples: Sequence[object]) -> Theorem:
    """The list of counterexamples found by inspecting the rules is empty."""
    _need(not counterexamples, Rule.STATIC, "there are such places")
    return _made(Rule.STATIC, claim)


def equivalence(claim: str, *sides: tuple[object, object]) -> Theorem | None:
    """Two programs are equivalent: each part of one has the same normal form as that part of the other; None if one has not."""
    _need(sides, Rule.EQUIVALENCE, "nothing is compared")
    return _made(Rule.EQUIVALENCE, claim) if all(one == other for one, other in sides) else None


def equivalent(claim: str, reasons: Sequence[Theorem]) -> Theorem:
    """Two programs are equivalent for several reasons together.

    Each says that parts of them are equivalent, that a difference is impossible, that none was found where all
    were listed, or that no deal comes to an assertion that fails.
    """
    _need(reasons, Rule.EQUIVALENCE, "there is no reason")
    for reason in reasons:
        allowed = _excluding(reason) or reason.rule in (Rule.EQUIVALENCE, Rule.STATIC, Rule.DEALS)
        _need(allowed, Rule.EQUIVALENCE, f"no two programs are equivalent by {reason.rule}")
    return _made(Rule.EQUIVALENCE, claim, reasons)


# ------------------------------------------------------------------------------------------------------------- verdicts


def verdict(theorem: Theorem, deals_played: int = 0) -> Verdict:
    """Proved if nothing is assumed; otherwise tested if enough deals were played without a failure, else undecided."""
    if not theorem.assumes:
        return Verdict.PROVED
    return Verdict.TESTED if deals_played >= ENOUGH_DEALS else Verdict.UNDECIDED


def refuted(check: str, form: Form, *, runs: Sequence[Json] = (), theorem: Theorem | None = None) -> Verdict:
    """Refuted, in a form allowed for this check: by runs that the reference has replayed, by a theorem, or by both."""
    _need(
        form in FORMS.get(check, (Form.RUN,)), Rule.RUN, f"`{check}` is not refuted in the form of a {form}"
    )
    _need(runs or form in WITHOUT_WITNESS, Rule.RUN, f"the refutation of `{check}` has no witness")
    if form in WITH_THEOREM:
        _need(
            theorem is not None and theorem.rule is Rule.CLOSED and not theorem.assumes,
            Rule.CLOSED,
            f"`{check}`: the theorem is not proved",
        )
    return Verdict.REFUTED


def same(theorem: Theorem) -> Literal["same"]:
    """Two rules, or two rulesets, are equivalent."""
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
    """The verdict of a cached finding, computed for the same program by the same version of trickproof.

    `certificate` is the digest of the certificate written for it, if any; `certified` maps each certificate
    still on disk to the checks that it proves. Raises ValueError if no rule could have given the verdict, or
    if its certificate is missing.
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
    """The cached status of an aspect of two rulesets, computed for the same programs by the same version of trickproof.

    `shown` says whether a replayed deal comes with it. Raises ValueError if no rule could have given the
    status.
    """
    match word:
        case "same" | "undecided" | "incomparable" if not shown:
            return word
        case "different" if shown:
            return "different"
    raise ValueError(f"no aspect is {word}, with a deal or without one")
