"""The simulator means the same as the interpreter, in both of its forms.

Law: hands that the integer program plays (deals and choices by seed) are played again by the interpreter with the same
cards and choices: the same decisions with the same options come up in the same order, the state is the same after
every phase, and the hand ends or breaks down in the same place.  Machine code and Python note the same, word by word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agreement.random_rulesets import rulesets
from agreement.simulated import noted, replayed
from dsl.small_games import BUNDLED, NAMES, ROOT, bundled
from trickproof.simulate import ir, jit, pairing
from trickproof.simulate.faults import FIRST, TOO_WIDE
from trickproof.simulate.kernel import BACKENDS, LLVM, PYTHON, Kernel
from trickproof.simulate.layout import BeyondError
from trickproof.simulate.notes import LEFT
from trickproof_dsl import Library, render
from trickproof_dsl import core as c

HOUSE = sorted(path.stem for path in (ROOT / "rulesets/house").glob("*.yaml"))

_CALM = settings(derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))


def mixed(players: int) -> tuple[str, ...]:
    """A greedy dealer among others."""
    return tuple(("greedy", "random", "greedy", "random", "random", "greedy")[:players])


def agree(program: c.Program, policies: tuple[str, ...], seed: int, hands: int) -> int:
    """The law; answers how many decisions there were."""
    compiled, plain = (Kernel(program, policies, backend, noted=True) for backend in BACKENDS)
    played = noted(compiled, seed, hands)
    assert played == noted(plain, seed, hands)
    assert len(played) == hands
    return replayed(plain, played)


def agree_all(*names: str) -> None:
    for name in names:
        agree(bundled(name).program, ("random",), 1, 20)


@pytest.mark.parametrize("name", NAMES)
def test_rulesets(name: str) -> None:
    program = bundled(name).program
    assert agree(program, ("random",), 1, 15) > 15
    assert agree(program, mixed(program.players), 2, 15) > 15


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_twenty_thousand_hands(name: str) -> None:
    program = bundled(name).program
    for seed in range(18):
        assert agree(program, ("random",), seed, 1000) > 1000
    for seed in range(2):
        assert agree(program, mixed(program.players), seed, 1000) > 1000


@pytest.mark.parametrize("name", HOUSE)
def test_house_rules(name: str) -> None:
    ruleset, wrong = BUNDLED.load(str(ROOT / f"rulesets/house/{name}.yaml"))
    assert ruleset is not None, render(wrong)
    assert agree(ruleset.program, ("random",), 3, 6) > 6


@pytest.mark.parametrize("name", NAMES)
def test_the_forms_count_the_same(name: str) -> None:
    """Without notes, where nothing keeps the compiler from leaving things out."""
    program = bundled(name).program
    for policies in (("random",), ("greedy",), mixed(program.players)):
        totals = {Kernel(program, policies, form).play(5, 3, 10**9, 250).totals for form in BACKENDS}
        assert len(totals) == 1


@pytest.mark.parametrize("name", ["pagat", "gamerules", "weaver-four"])
def test_two_matches_at_a_time_and_plain_processors(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs count what single matches count; so does code without the instructions that only some processors have."""
    program = bundled(name).program
    kernel = Kernel(program, mixed(program.players), LLVM)
    monkeypatch.setattr(Kernel, "_faster", lambda *_: True)
    matches = 20 if name == "weaver-four" else 300
    once = kernel.play(5, 0, matches, 10**6, most=3000)
    assert kernel.play(5, 0, matches, 10**6, most=3000, pairs=True) == once
    assert kernel._twins is not None
    monkeypatch.setattr(jit, "fast_bits", lambda: False)
    assert Kernel(program, mixed(program.players), LLVM).play(5, 0, matches, 10**6, most=3000) == once


def test_a_pair_that_parts_is_played_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands of these games often go different ways through their loops."""
    monkeypatch.setattr(Kernel, "_faster", lambda *_: True)
    for name in ("draw-two", "forty-in-pairs", "lowest-takes"):
        kernel = Kernel(bundled(name).program, backend=LLVM)
        for patience in (1, 10**6):
            monkeypatch.setattr(pairing, "PATIENCE", patience)
            assert kernel.play(3, 7, 107, 10**6, pairs=True) == kernel.play(3, 7, 107, 10**6)


def test_pairs_without_hands_enough_count_the_first_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kernel, "_faster", lambda *_: True)
    kernel = Kernel(bundled("pagat").program, backend=LLVM)
    assert kernel.play(3, 0, 10**6, 777, pairs=True) == kernel.play(3, 0, 10**6, 777)


def test_readings_and_parameters() -> None:
    program = bundled("gamerules").program
    kernel = Kernel(program, noted=True, backend=PYTHON)
    for readings in ({"reveal": 1}, {rule: len(names) - 1 for rule, names in program.readings.items()}):
        assert replayed(kernel, noted(kernel, 4, 10, readings=readings), readings=readings) > 10
    kernel = Kernel(bundled("nine-five-two").program, backend=LLVM, noted=True)
    shorter, longer = (noted(kernel, 4, 300, parameters={"goal": goal}) for goal in (10, 20))
    assert replayed(kernel, longer[:20], parameters={"goal": 20}) > 20
    assert sum(hand.number == 0 for hand in shorter) > sum(hand.number == 0 for hand in longer)


def random_law(examples: int, hands: int) -> Counter[str]:
    """The law for random rulesets; what hands came to."""
    seen: Counter[str] = Counter()

    @settings(_CALM, max_examples=examples)
    @given(rulesets(), st.integers(0, 1000))
    def law(text: str, seed: int) -> None:
        ruleset, wrong = Library().load_text(text, "random.yaml")
        assert ruleset is not None, render(wrong)
        try:
            kernel = Kernel(ruleset.program, ("random",), PYTHON, noted=True)
        except BeyondError:
            seen["beyond"] += 1
            return
        played = noted(kernel, seed, hands)
        left = [note[1] for hand in played for note in hand.notes if note[0] == LEFT]
        if TOO_WIDE in left:
            seen["too wide"] += 1
            return
        replayed(kernel, played)
        seen["played"] += len(left)
        seen["broken"] += sum(code >= FIRST for code in left)
        if seed % 10 == 0:
            seen["compiled"] += 1
            assert noted(Kernel(ruleset.program, backend=LLVM, noted=True), seed, hands) == played

    law()
    return seen


def test_random_rulesets() -> None:
    seen = random_law(60, 3)
    assert seen["played"] > 120
    assert seen["broken"] > 5
    assert seen["beyond"] + seen["too wide"] < 6


@pytest.mark.slow
def test_many_random_rulesets() -> None:
    seen = random_law(3000, 5)
    assert seen["broken"] > 100
    assert seen["compiled"] > 100


def swapped(name: str, other: str) -> Callable[[pytest.MonkeyPatch], None]:
    """A mistake: one operation in place of another, in the Python form."""

    def made(patch: pytest.MonkeyPatch) -> None:
        from trickproof.simulate import python_backend

        patch.setitem(python_backend._FORMS, name, python_backend._FORMS[other])

    return made


@pytest.mark.parametrize(("name", "other"), [("lt", "le"), ("xor", "or"), ("without", "and"), ("add", "or")])
def test_mistakes_are_found(name: str, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    swapped(name, other)(monkeypatch)
    with pytest.raises((AssertionError, ValueError, IndexError, KeyError)):
        agree_all("pagat", "forty-in-pairs", "weaver-four")


def test_folding_means_the_same() -> None:
    """Constants are worked out as the operations say, and shortcuts change nothing."""
    for name, meaning in ir.OPERATIONS.items():
        number = meaning.__code__.co_argcount
        for a in (1, 2, 5):
            args = [a, 3, 2][:number]
            assert ir.op(name, *args) == int(meaning(*args))
