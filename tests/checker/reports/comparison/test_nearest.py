"""The answer of `nearest`: an aspect that is undecided is not said to differ."""

from __future__ import annotations

from checker.rulesets_for_tests import documented
from trickproof.diff.nearest import Neighbour
from trickproof.diff.results import Compared
from trickproof.diff.ruleset_diff import Diff
from trickproof.reports.comparison.nearest import FAR, nearest_text


def answer(different: list[str], undecided: list[str]) -> str:
    mine, other = documented("pagat"), documented("tallyn")
    compared = [
        *(Compared(aspect, "different", "static") for aspect in different),
        *(Compared(aspect, "undecided", "static") for aspect in undecided),
    ]
    return " ".join(nearest_text(mine, [Neighbour(other, Diff(mine, other, tuple(compared), ()))]).split())


def test_what_is_undecided_may_differ() -> None:
    text = answer(["exchange-timing", "end"], ["kitty"])
    assert "they differ in exchange timing and end, and perhaps in kitty." in text
    assert "tallyn: 2 differences, 1 undecided: exchange-timing, end, kitty" in text
    many = answer(["end"] * FAR, ["kitty", "lead"])
    assert "differs in end, end, end, end, end, end, end and end, and perhaps in kitty and lead." in many


def test_without_a_difference_found_it_is_not_called_the_same() -> None:
    text = answer([], ["kitty"])
    assert "they differ at most in kitty." in text
    assert "tallyn: no difference found, 1 undecided: kitty" in text
    assert "the same" not in text
