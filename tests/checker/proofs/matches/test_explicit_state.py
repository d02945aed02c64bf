"""Games with few cards: what the prover leaves open is decided by playing every match, and only what that shows."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.rulesets_for_tests import found, house, rule
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.proofs import kernel
from trickproof.proofs.kernel import KernelError

BASE = "tests/adversarial/cases/plain-two.yaml"

DRAWN = "shuffle\ndeal 1 card to kitty\nif some card in kitty has suit = hearts:\n    {}\n"


def about(check: str, *rules: str) -> Finding:
    (finding,) = found(
        house(rules[0] + "".join(x.removeprefix("rules:\n") for x in rules[1:]), BASE), [check]
    )
    return finding


@RUN
def test_a_start_that_a_card_decides() -> None:
    start = rule("match-start", DRAWN.format("dealer becomes left of dealer"))
    finding = about("terminates", start)
    assert (finding.verdict, finding.method) == (Verdict.PROVED, Method.ENUMERATION)
    assert about("end-reachable", start).verdict is Verdict.PROVED
    assert about("no-fault", start).verdict is Verdict.PROVED


def test_a_score_without_an_end_after_a_start_that_a_card_decides() -> None:
    start = rule("match-start", DRAWN.format("dealer becomes left of dealer"))
    finding = about("terminates", start, rule("end", "first-hand and some player has tricks = 2\n"))
    assert finding.verdict is Verdict.REFUTED
    assert finding.match is not None
    assert len(finding.match) == 1


def test_deals_cut_short_hide_what_they_carry_on_from_probes() -> None:
    """No deal is complete, so no probe looks; the sum is not zero all the same."""
    cut = rule("deal", "score of dealer becomes 1\nthe hand ends\n")
    start = rule("match-start", DRAWN.format("dealer becomes left of dealer"))
    verdict = about("zero-sum", cut, start).verdict
    assert verdict not in (Verdict.PROVED, Verdict.NOT_APPLICABLE)


@RUN
def test_what_is_said_of_complete_deals_where_others_are_thrown_in() -> None:
    """Only a probe that looks at the next deal may miss one."""
    counted = "state:\n  thrown: {type: integer, carried: true}\n"
    dealt = "for p in players:\n    deal 2 cards to hand of p\n"
    again = "if AS in hand of dealer:\n    thrown becomes thrown + 1\n    if thrown = 3:\n        the match ends, won by dealer\n    deal again\n"
    claim = "invariants:\n  few: {{rule: thrown <= {}, assumes: a test}}\n"
    for most, verdict in ((2, Verdict.PROVED), (1, Verdict.REFUTED)):
        (finding,) = found(house(counted + rule("deal", dealt + again) + claim.format(most), BASE), ["few"])
        assert finding.verdict is verdict


def test_the_kernel_wants_every_state() -> None:
    listed = kernel.every_match("it holds", [1], {1: [2], 2: []})
    with pytest.raises(KernelError):
        kernel.every_match("it holds", [1], {1: [2]})
    with pytest.raises(KernelError):
        kernel.every_match("it holds", [3], {1: []})
    with pytest.raises(KernelError):
        kernel.every_match("it holds", [1], {1: []}, ["a failure"])
    assert not kernel.way_out("it ends", listed, {1: [2], 2: []}, [2]).assumes
    assert not kernel.never_twice("it ends", listed, {1: [2], 2: []}).assumes
    with pytest.raises(KernelError):
        kernel.way_out("it ends", listed, {1: [2], 2: []}, [1])
    with pytest.raises(KernelError):
        kernel.no_way_out("it never ends", listed, {1: [2], 2: []}, [2])
    with pytest.raises(KernelError):
        kernel.never_twice("it ends", listed, {1: [2], 2: [1]})
