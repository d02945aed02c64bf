"""The sampler against enumeration: it draws every assignment that fits, each as often as any other."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping
from itertools import product

import pytest

from checker.information.plain import HiddenMovement, Knowledge, Ways, divided
from trickproof.information.plan import layout_of
from trickproof.information.stream import Stream
from trickproof.information.worlds import Sampler, shape_of
from trickproof.simulate.ir.calling_convention import BACKENDS, PYTHON
from trickproof.simulate.script import planning
from trickproof.simulate.script.planning import planner

A, B, C = ("hand", 0), ("hand", 1), ("hand", 2)
DECK = ("deck",)

DRAWN = 20_000


def movement(source: tuple[str | int, ...], target: tuple[str | int, ...], number: int) -> HiddenMovement:
    return HiddenMovement(source, target, number, (), False, False)  # type: ignore[arg-type]


TWO_HANDS = Knowledge(
    {
        frozenset({(A, 1), (B, 2)}): 0b0001111,
        frozenset({(A, 1)}): 0b0010000,
        frozenset({(B, 2), (C, 4)}): 0b1100000,
    },
    (movement(DECK, A, 3), movement(DECK, B, 3), movement(DECK, C, 1)),
    0,
)
"""Four cards in either hand, one that is in the first, two that are not."""

PASSED = Knowledge(
    {frozenset({(A, 1), (B, 5), (B, 2)}): 0b01111, frozenset({(B, 5), (B, 2)}): 0b10000},
    (movement(DECK, A, 3), movement(DECK, B, 2), movement(A, B, 1)),
    0,
)
"""One card of the first hand has been given on."""

IN_PACKETS = Knowledge(
    {frozenset({(A, 1), (A, 4), (B, 2)}): 0b11111, frozenset({(A, 1), (A, 4)}): 0b100000},
    (movement(DECK, A, 2), movement(DECK, B, 2), movement(DECK, A, 2)),
    0,
)
"""Dealt two at a time: the two packets of a hand are alike."""


def sampler_of(knowledge: Knowledge, backend: str) -> Sampler:
    places = list({place: 0 for m in knowledge.hidden for place in (m.source, m.target)})
    words = [knowledge.by_rules, len(knowledge.hidden)]
    words += [places.index(place) for m in knowledge.hidden for place in (m.source, m.target)]
    for ways in knowledge.cards:
        words += (len(ways), *[through for _, through in ways])
    sizes = [m.number for m in knowledge.hidden]
    shape = shape_of(array("q", words).tobytes())
    return Sampler(shape, [*knowledge.cards.values()], sizes, planner(backend))


def draw(sampler: Sampler, knowledge: Knowledge, stream: Stream) -> tuple[int, ...]:
    """The masks of a world by a plan."""
    masks = divided(sampler.plan or (), [*sampler.known, *sampler.certain], stream)
    return tuple(sampler.apart(masks[: len(knowledge.hidden)], stream))


def every(knowledge: Knowledge) -> set[tuple[int, ...]]:
    """All assignments, as the masks of movements."""
    by_card: Mapping[int, Ways] = {
        i: ways for ways, mask in knowledge.cards.items() for i in range(mask.bit_length()) if mask >> i & 1
    }
    fitting = set()
    for chosen in product(*[sorted({way[1] for way in ways}) for ways in by_card.values()]):
        masks = tuple(
            sum(1 << card for card, through in zip(by_card, chosen, strict=True) if through >> h & 1)
            for h in range(len(knowledge.hidden))
        )
        if all(mask.bit_count() == m.number for mask, m in zip(masks, knowledge.hidden, strict=True)):
            fitting.add(masks)
    return fitting


MANY = 11
PLACES = [(f"place {i}",) for i in range(MANY)]
AROUND = Knowledge(
    {frozenset({(PLACES[i], 1 << i), (PLACES[i - 1], 1 << (i - 1) % MANY)}): 1 << i for i in range(MANY)},
    tuple(movement(DECK, place, 1) for place in PLACES),
    0,
)
"""More movements than a word has fields, in a circle: every card went to its place, or every card to the one before."""


@pytest.mark.parametrize(
    "knowledge", [TWO_HANDS, PASSED, IN_PACKETS, AROUND], ids=["hands", "passed", "packets", "around"]
)
def test_every_assignment_is_as_likely(knowledge: Knowledge) -> None:
    sampler, stream = sampler_of(knowledge, PYTHON), Stream(1)
    assert sampler.exact
    drawn = Counter(draw(sampler, knowledge, stream) for _ in range(DRAWN))
    fitting = every(knowledge)
    assert set(drawn) == fitting
    expected = DRAWN / len(fitting)
    chi_square = sum((drawn[x] - expected) ** 2 / expected for x in fitting)
    freedom = len(fitting) - 1
    assert chi_square < freedom + 4 * (2 * freedom) ** 0.5


def test_cards_that_are_dealt_one_by_one_fit_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is too much to count: some assignments, all of them right."""
    monkeypatch.setattr(planning, "MOST_NODES", -1)
    sampler, stream = sampler_of(TWO_HANDS, PYTHON), Stream(1)
    assert not sampler.exact
    drawn = {tuple(x) for x in (sampler.draw(stream) for _ in range(500)) if x is not None}
    assert drawn
    assert drawn <= every(TWO_HANDS)


def test_what_cannot_be_is_not_drawn() -> None:
    impossible = Knowledge(
        {frozenset({(A, 1), (B, 2)}): 0b1}, (movement(DECK, A, 1), movement(DECK, B, 1)), 0
    )
    assert sampler_of(impossible, PYTHON).draw(Stream(0)) is None


@pytest.mark.parametrize("knowledge", [TWO_HANDS, PASSED, IN_PACKETS, AROUND])
def test_machine_code_and_python_make_the_same_plan(knowledge: Knowledge) -> None:
    pytest.importorskip("llvmlite")
    one, other = (sampler_of(knowledge, backend) for backend in BACKENDS)
    assert one.plan
    assert one.plan == other.plan


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_too_much_to_count_is_said(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of another plan than the one before: what is kept of that is not taken for its own."""
    if backend != PYTHON:
        pytest.importorskip("llvmlite")
    plan, ways = planner(backend), (1, 2, 4, 8)
    each, fourth_optional = (layout_of((0, 1, 2, 3), optional, (ways,)) for optional in (0, 0b1000))
    whole = plan(each, [1, 1, 1, 1], [0b1111])
    monkeypatch.setattr(planning, "MOST_NODES", 1)
    assert plan(each, [1, 1, 1, 1], [0b1111]).plan is None
    monkeypatch.undo()
    assert plan(each, [1, 1, 1, 1], [0b1111]) == whole
    assert not plan(each, [1, 1, 1, 2], [0b1111]).plan
    assert not plan(fourth_optional, [1, 1, 1, 0], [0b1111]).plan
    assert plan(fourth_optional, [1, 1, 1, 2], [0b1111]).plan
    certain = layout_of((0, 1, 2, 3), 0, (ways, (1,)))
    assert not plan(certain, [1, 1, 1, 1], [0b1111, 0b110000]).enough
    assert plan(certain, [2, 1, 1, 1], [0b1111, 0b10000]).known == [0b10000, 0, 0, 0]
