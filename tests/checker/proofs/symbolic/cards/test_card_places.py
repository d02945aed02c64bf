"""Cards as an unknown partition of the deck: sums over zones are linear, and no card is counted twice."""

from __future__ import annotations

import z3

from adversarial.known_causes import loaded
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool
from trickproof.proofs.symbolic.cards.card_places import Places, unknown_places
from trickproof_dsl.semantics.values import Key

PROGRAM = loaded("hearts-all-taken").program
ONE, OTHER = ("tricks-taken", 0), ("tricks-taken", 1)
BARE = ("deck", "discards", "hand", "kitty", "trick")


def placed(stopped: Bool = False) -> tuple[Places, z3.Solver]:
    facts: list[Bool] = []
    places = unknown_places(PROGRAM, "test", BARE, stopped, facts)
    solver = z3.Solver()
    solver.add(*facts)
    return places, solver


def taken(places: Places, *zones: Key) -> y.Int:
    return y.total(places.counted(when, 1) for zone in zones for _, when in places.zones[zone].of)


def test_every_card_is_in_one_zone() -> None:
    places, solver = placed()
    assert solver.check() == z3.sat
    assert solver.check(taken(places, ONE, OTHER) != 4) == z3.unsat
    assert solver.check(taken(places, ONE) < 0) == z3.unsat
    assert solver.check(taken(places, ONE) == 3) == z3.sat


def test_the_deck_is_a_zone_like_any_other() -> None:
    facts: list[Bool] = []
    places = unknown_places(PROGRAM, "test", (), False, facts)
    solver = z3.Solver()
    solver.add(*facts)
    assert solver.check(taken(places, ("deck",)) == 3) == z3.sat


def test_zones_may_hold_cards_in_a_deal_that_has_stopped() -> None:
    stopped = z3.Bool("stopped")
    places, solver = placed(stopped)
    assert solver.check(taken(places, ONE, OTHER) < 4, z3.Not(stopped)) == z3.unsat
    assert solver.check(taken(places, ONE, OTHER) < 4, stopped) == z3.sat


def test_two_cards_in_one_condition_are_no_sum() -> None:
    """A condition that names two cards holds once if both lie there."""
    places, solver = placed()
    held = dict(places.zones[ONE].of)
    either = places.counted(y.disj(held[0], held[1]), 5)
    assert solver.check(held[0], held[1], either != 5) == z3.unsat
    one_card = places.counted(y.disj(held[0], dict(places.zones[OTHER].of)[0]), 5)
    assert solver.check(one_card != 5) == z3.unsat
