"""The answer of `nearest`: an aspect that is undecided is not said to differ."""

from __future__ import annotations

from checker.rulesets_for_tests import documented
from trickproof.diff.nearest import Neighbour
from trickproof.diff.results import Compared
from trickproof.diff.ruleset_diff import Diff
from trickproof.reports.comparison.nearest import FAR, nearest_text


def neighbour(name: str, different: list[str], undecided: list[str]) -> Neighbour:
    compared = [
        *(Compared(aspect, "different", "static") for aspect in different),
        *(Compared(aspect, "undecided", "static") for aspect in undecided),
    ]
    other = documented(name)
    return Neighbour(other, Diff(documented("pagat"), other, tuple(compared), ()))


def told(*neighbours: Neighbour) -> str:
    return " ".join(nearest_text(documented("pagat"), neighbours).split())


def answer(different: list[str], undecided: list[str]) -> str:
    return told(neighbour("tallyn", different, undecided))


def test_what_is_undecided_may_differ() -> None:
    text = answer(["exchange-timing", "end"], ["kitty"])
    assert "they differ in exchange-timing and end, and perhaps in kitty." in text
    assert "tallyn: 2 differences: exchange-timing, end; 1 undecided: kitty" in text
    many = answer(["end"] * FAR, ["kitty", "lead"])
    assert "differs in end, end, end, end, end, end, end and end, and perhaps in kitty and lead." in many
    assert "The other games of `trickproof list` are not compared." in many


def test_without_a_difference_found_it_is_not_called_the_same() -> None:
    text = answer([], ["kitty"])
    assert "they differ at most in kitty." in text
    assert "tallyn: no difference found; 1 undecided: kitty" in text
    assert "the same" not in text


def test_all_that_are_equally_close_are_named() -> None:
    near = [neighbour("six-over", ["end"], []), neighbour("tallyn", ["kitty"], [])]
    text = told(*near, neighbour("gamerules", ["end", "kitty"], []))
    assert "The closest documented rulesets to pagat are six-over and tallyn, with 1 difference each." in text
    perhaps = told(*near, neighbour("trumpet-major", [], ["lead"]))
    assert "are six-over, tallyn and trumpet-major, with at most 1 difference each." in perhaps
