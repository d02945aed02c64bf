"""The kernel: only its rules make theorems, only theorems make verdicts, and no other module says *proved*."""

from __future__ import annotations

import ast
import copy
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import z3

from checker.rulesets_for_tests import documented
from trickproof.checking.finding import Finding, Premise
from trickproof.checking.verdict import Method, Verdict
from trickproof.checks import NAMES
from trickproof.proofs import kernel
from trickproof.proofs.kernel import Assumption, Form, KernelError, Rule, Theorem

ROOT = Path(__file__).parents[3] / "checker" / "trickproof"

MAKES_VERDICTS = ("proofs/kernel.py", "checking/verdict.py")
"""Where the strongest words are spelled."""

WITNESS = {"ruleset": "some", "moves": []}


def excluded() -> Theorem:
    solver = z3.Solver()
    solver.add(z3.Int("x") > 0, z3.Int("x") < 0)
    theorem = kernel.decide(solver)
    assert theorem is not None
    return theorem


def possible() -> Theorem:
    theorem = kernel.decide(z3.Solver())
    assert theorem is not None
    return theorem


def goal(obstacles: tuple[str, ...] = ()) -> Theorem:
    way = kernel.path("a way", [(True, "place", not obstacles)], [excluded()])
    induction = kernel.deals("all", "nothing", [kernel.split("part", {}, {(): way})], [])
    return kernel.conjunct("hand-size", induction, {"place": "hand-size"}, obstacles)


# ------------------------------------------------------------------------------------------------------------ theorems


def test_only_rules_make_theorems() -> None:
    theorem = excluded()
    with pytest.raises(KernelError):
        Theorem(object(), Rule.UNSAT, "anything")
    with pytest.raises(KernelError):
        theorem.claim = "something else"
    with pytest.raises(KernelError):
        pickle.dumps(theorem)
    with pytest.raises(KernelError):
        copy.copy(theorem)
    with pytest.raises(KernelError):
        type("Other", (Theorem,), {})


class Liar:
    """What answers no to every question."""

    def check(self, *_: object) -> z3.CheckSatResult:
        return z3.unsat


def test_the_solver_is_asked_by_the_kernel() -> None:
    assert excluded().rule is Rule.UNSAT
    assert possible().rule is Rule.SATISFIABLE
    with pytest.raises(KernelError):
        kernel.decide(Liar())  # type: ignore[arg-type]


CASES = {(): [None, None]}

ASSUMED = Assumption("hand-size", "every hand has as many cards")


def separated() -> Theorem:
    return kernel.invariant("", 1, excluded(), [excluded()])


def played() -> Theorem:
    return kernel.enumeration("", [1], [(1, True)])


WRONG: dict[str, Callable[[], object]] = {
    "what can be is no lineage": lambda: kernel.lineage("", z3.BoolVal(False)),
    "two halves that both allow it": lambda: kernel.abstraction("", [possible()]),
    "an obligation that nothing excludes": lambda: kernel.path("", [(True, "place", True)], []),
    "a possible way as a reason": lambda: kernel.path("", [(True, "place", True)], [possible()]),
    "a case dropped": lambda: kernel.split("", CASES, {(0,): excluded()}),
    "a case excluded by what is possible": lambda: kernel.split("", {(): [possible()]}, {}),
    "no case": lambda: kernel.split("", {}, {}),
    "a loop that is never entered": lambda: kernel.loop("", frozenset(), []),
    "an entry that breaks what is believed": lambda: kernel.loop(
        "", frozenset("ab"), [(frozenset("a"), excluded())]
    ),
    "a deal without parts": lambda: kernel.deals("", "", [], []),
    "a part not gone through": lambda: kernel.deals("", "", [excluded()], []),
    "one dealer for all without a reason": lambda: kernel.deals(
        "", "", [kernel.split("", {}, {(): excluded()})], [], seats=excluded()
    ),
    "a goal with an open obligation": lambda: kernel.conjunct(
        "hand-size",
        kernel.deals("", "", [kernel.split("", {}, {(): kernel.path("", [(True, "x", False)], [])})], []),
        {"x": "hand-size"},
    ),
    "an open obligation of nobody": lambda: kernel.conjunct(
        "hand-size",
        kernel.deals("", "", [kernel.split("", {}, {(): kernel.path("", [(True, "x", False)], [])})], []),
        {},
    ),
    "a goal where not all was followed": lambda: kernel.conjunct(
        "hand-size", kernel.deals("", "", [], [], ["too much"]), {}
    ),
    "an invariant that may not hold at first": lambda: kernel.invariant("", 1, possible(), [excluded()]),
    "an invariant without one of the dealers": lambda: kernel.invariant("", 2, excluded(), [excluded()]),
    "an invariant that a deal may break": lambda: kernel.invariant("", 1, excluded(), [possible()]),
    "an invariant resting on one step": lambda: kernel.invariant(
        "", 1, excluded(), [excluded()], [excluded()]
    ),
    "every deal but those of one dealer": lambda: kernel.every_deal("", 2, [(possible(), excluded())]),
    "one dealer for all without a theorem": lambda: kernel.every_deal(
        "", 2, [(possible(), excluded())], seats=excluded()
    ),
    "deals that cannot be": lambda: kernel.every_deal("", 1, [(excluded(), excluded())]),
    "what may happen in a deal": lambda: kernel.every_deal("", 1, [(possible(), possible())]),
    "a region that is not shown": lambda: kernel.every_deal("", 1, [(possible(), excluded())], [excluded()]),
    "no deal unrolled": lambda: kernel.unroll("", [], excluded()),
    "a deal in which it may happen": lambda: kernel.unroll("", [excluded(), possible()], excluded()),
    "matches that may be longer": lambda: kernel.unroll("", [excluded()], possible()),
    "states without the first": lambda: kernel.unroll_states("", 0, {1: ([], excluded())}),
    "states without a next one": lambda: kernel.unroll_states("", 0, {0: ([1], excluded())}),
    "states with others to follow": lambda: kernel.unroll_states("", 0, {0: ([], possible())}),
    "states that recur": lambda: kernel.unroll_states("", 0, {0: ([1], excluded()), 1: ([0], excluded())}),
    "a number without one of the dealers": lambda: kernel.rank("", 2, [(possible(), excluded(), excluded())]),
    "a number in rounds that cannot be": lambda: kernel.rank("", 1, [(excluded(), excluded(), excluded())]),
    "a number that may not grow": lambda: kernel.rank("", 1, [(possible(), possible(), excluded())]),
    "a number without bound": lambda: kernel.rank("", 1, [(possible(), excluded(), possible())]),
    "a number that may begin beyond its bound": lambda: kernel.rank(
        "", 1, [(possible(), excluded(), excluded())], possible()
    ),
    "plans that may not suffice": lambda: kernel.realised("", excluded(), played()),
    "plans that may not be playable": lambda: kernel.realised("", separated(), excluded()),
    "states that nothing separates from the end": lambda: kernel.closed("", excluded()),
    "a choice left out": lambda: kernel.choices("", 2, [excluded()]),
    "a run that was not played": lambda: kernel.run("", None),
    "a case short": lambda: kernel.enumeration("", [1, 2], [(1, True)]),
    "a case that is not in the space": lambda: kernel.enumeration("", [1, 2], [(1, True), (3, True)]),
    "a case twice": lambda: kernel.enumeration("", [1, 2], [(1, True), (1, True)]),
    "a case that fails": lambda: kernel.enumeration("", [1], [(1, False)]),
    "a place that is there": lambda: kernel.static("", ["here"]),
    "nothing compared": lambda: kernel.equivalence(""),
    "equivalent for no reason": lambda: kernel.equivalent("", []),
    "equivalent although they may differ": lambda: kernel.equivalent("", [possible()]),
    "equivalent by a match": lambda: kernel.equivalent("", [played()]),
    "same by something else": lambda: kernel.same(excluded()),
    "refuted without a witness": lambda: kernel.refuted("zero-sum", Form.RUN),
    "refuted in a form of another check": lambda: kernel.refuted(
        "zero-sum", Form.THEOREM, theorem=excluded()
    ),
    "refuted without the theorem": lambda: kernel.refuted("end-reachable", Form.THEOREM),
    "refuted by another theorem": lambda: kernel.refuted("end-reachable", Form.THEOREM, theorem=separated()),
    "refuted on an assumption": lambda: kernel.refuted(
        "end-reachable", Form.THEOREM, theorem=kernel.resting(kernel.closed("", separated()), [ASSUMED])
    ),
}

RIGHT: dict[Rule, Callable[[], Theorem]] = {
    Rule.DEALS: lambda: kernel.every_deal("", 1, [(possible(), excluded())], [separated()]),
    Rule.UNROLL: lambda: kernel.unroll("", [excluded(), excluded()], excluded()),
    Rule.RANK: lambda: kernel.rank("", 1, [(possible(), excluded(), excluded())], excluded()),
    Rule.REALISED: lambda: kernel.realised("", separated(), played()),
    Rule.CLOSED: lambda: kernel.closed("", separated()),
}


@pytest.mark.parametrize("rule", RIGHT)
def test_rules_about_matches_conclude_from_all_their_premises(rule: Rule) -> None:
    theorem = RIGHT[rule]()
    assert (theorem.rule, theorem.assumes) == (rule, frozenset())


def test_a_match_through_few_states_is_over() -> None:
    following = {0: ([1, 2], excluded()), 1: ([2], excluded()), 2: (list[int](), excluded())}
    assert kernel.unroll_states("", 0, following).rule is Rule.UNROLL


@pytest.mark.parametrize("why", WRONG)
def test_what_does_not_follow_is_refused(why: str) -> None:
    with pytest.raises(KernelError):
        WRONG[why]()


def test_parts_are_compared_by_the_rule_itself() -> None:
    assert kernel.equivalence("", (1, 1), (2, 3)) is None
    equal = kernel.equivalence("", (1, 1))
    assert equal is not None
    weak = kernel.resting(equal, [ASSUMED])
    assert kernel.same(kernel.equivalent("", [equal, excluded()])) == "same"
    with pytest.raises(KernelError):
        kernel.same(kernel.equivalent("", [equal, weak]))


def test_seats_are_compared_by_the_rule_itself() -> None:
    assert kernel.symmetry(documented("six-over").program) is not None


# ------------------------------------------------------------------------------------------------------------ verdicts


def test_an_assumption_makes_a_verdict_fall() -> None:
    assert kernel.verdict(goal()) is Verdict.PROVED
    weak = kernel.resting(goal(), [ASSUMED])
    assert [x.name for x in weak.assumes] == ["hand-size"]
    assert kernel.verdict(weak) is Verdict.UNDECIDED
    assert kernel.verdict(weak, kernel.ENOUGH_DEALS - 1) is Verdict.UNDECIDED
    assert kernel.verdict(weak, kernel.ENOUGH_DEALS) is Verdict.TESTED
    assert kernel.verdict(goal(("something is not excluded",))) is Verdict.UNDECIDED


def test_what_another_check_did_not_prove_is_assumed() -> None:
    tested = Finding("hand-size", Verdict.TESTED, Method.SIMULATION, "no failure in 60 hands")
    assert isinstance(kernel.lemma("hand-size", tested), Assumption)
    assert isinstance(kernel.lemma("hand-size", None), Theorem)


@pytest.mark.parametrize(
    ("word", "rests_on", "why"),
    [
        ("proved", (Premise("assumption", "hand-size", ""),), "rests on an assumption"),
        ("refuted", (), "no witness"),
        ("certain", (), "not a valid"),
    ],
)
def test_findings_that_no_rule_makes_are_not_recalled(
    word: str, rests_on: tuple[Premise, ...], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        kernel.recall("zero-sum", word, None, rests_on)


def test_findings_are_recalled() -> None:
    assert kernel.recall("zero-sum", "proved", None, ()) is Verdict.PROVED
    assert kernel.recall("zero-sum", "refuted", WITNESS, ()) is Verdict.REFUTED
    assert kernel.recall("end-reachable", "refuted", None, ()) is Verdict.REFUTED


def test_a_finding_with_a_certificate_is_recalled_with_it() -> None:
    there = {"digest": ["zero-sum"]}
    assert kernel.recall("zero-sum", "proved", None, (), "digest", there) is Verdict.PROVED
    for check, digest in (("zero-sum", "another"), ("hand-size", "digest")):
        with pytest.raises(ValueError, match="its certificate is not there"):
            kernel.recall(check, "proved", None, (), digest, there)


def test_forms_are_of_checks() -> None:
    assert set(kernel.FORMS) <= set(NAMES)


# ---------------------------------------------------------------------------------------------------- who says so


def spelled(tree: ast.AST) -> list[str]:
    """The places where a module makes a verdict of its own: names one of the strongest, or turns a word into one."""
    places = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ("PROVED", "REFUTED"):
            places.append(ast.unparse(node))
        called = (
            node.func
            if isinstance(node, ast.Call)
            else node.value
            if isinstance(node, ast.Subscript)
            else None
        )
        if (
            isinstance(called, ast.Name)
            and called.id in ("Verdict", "getattr")
            and isinstance(node, ast.Subscript)
        ):
            places.append(ast.unparse(node))
        if isinstance(called, ast.Name) and called.id == "Verdict" and isinstance(node, ast.Call):
            places.append(ast.unparse(node))
    return places


def said_same(tree: ast.AST) -> list[str]:
    """The places where *same* is said, and not only compared with, listed as a possible word, or looked up by."""
    read: set[int] = set()
    for node in ast.walk(tree):
        reading: list[ast.AST] = []
        if isinstance(node, ast.Compare | ast.Dict):
            reading = list(ast.walk(node))
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value) in ("Literal", "_SIGNS"):
            reading = list(ast.walk(node.slice))
        elif isinstance(node, ast.For):
            reading = list(ast.walk(node.iter))
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".index"):
            reading = list(ast.walk(node))
        read |= {id(part) for part in reading}
    return [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value == "same" and id(node) not in read
    ]


@cache
def modules() -> dict[str, ast.Module]:
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in ROOT.rglob("*.py")
    }


def test_the_strongest_verdicts_are_made_in_the_kernel_only() -> None:
    assert {
        name: spelled(tree)
        for name, tree in modules().items()
        if name not in MAKES_VERDICTS and spelled(tree)
    } == {}
    assert spelled(ast.parse("x = Verdict.PROVED"))
    assert spelled(ast.parse("Verdict('proved')"))


def test_same_is_said_in_the_kernel_only() -> None:
    deciding = [name for name in modules() if name.startswith(("diff/", "equivalence/", "validate/"))]
    assert {name: said_same(modules()[name]) for name in deciding if said_same(modules()[name])} == {}
    assert said_same(ast.parse("Compared(rule, 'same')"))
    assert not said_same(ast.parse("x == 'same'"))


def test_the_kernel_needs_nothing_of_the_prover() -> None:
    tree = ast.parse((ROOT / "proofs/kernel.py").read_text("utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)} - {"__future__"}
    ours = {name for name in imported if str(name).startswith("trickproof")}
    assert ours == {
        "trickproof.analysis.seats",
        "trickproof.checking.finding",
        "trickproof.checking.verdict",
        "trickproof_dsl",
    }
