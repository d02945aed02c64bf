"""Seats are interchangeable where `analysis/seats.py` says so.

Law: if the dealer, hands, carried values and every choice of a deal are rotated by one seat, so is the
interpreter's result. Rules that refer to a particular seat or team are rejected.
"""

from __future__ import annotations

from random import Random

import pytest

from budget import RUN
from checker.rulesets_for_tests import FOREIGN, LIBRARY, documented, foreign, found, house, rule
from trickproof.analysis.seats import seats_alike
from trickproof.checking.verdict import Verdict
from trickproof.testing.random_play import pick
from trickproof_dsl import core as c
from trickproof_dsl.compiled import machine as interpret
from trickproof_dsl.compiled.state import State, initial
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.values import Key, Value

RULESETS = {
    **{name: documented(name) for name in LIBRARY.documented()},
    **{name: foreign(name) for name in FOREIGN.documented()},
    **{name: documented(name) for name in ("euchre", "oh-hell", "skat", "weathercock")},
}
ALIKE = [name for name, ruleset in RULESETS.items() if seats_alike(ruleset.program)]


TEAMS = "players: {{number: 4, teams: [{}], assumes: a test}}\n"


def moved(program: c.Program, kind: c.Type, value: Value) -> Value:
    """A value rotated by one seat."""
    if kind == c.PLAYER and value is not None:
        return (value + 1) % program.players
    if kind == c.PLAYERS:
        return frozenset((p + 1) % program.players for p in value)
    return value


def moved_key(program: c.Program, of: tuple[c.Type, ...], key: Key) -> Key:
    return (key[0], *(moved(program, kind, owner) for kind, owner in zip(of, key[1:], strict=True)))


def moved_variables(program: c.Program, variables: dict[Key, Value]) -> dict[Key, Value]:
    """Variables rotated by one seat."""
    infos = program.variables
    return {
        moved_key(program, infos[key[0]].of, key): moved(program, infos[key[0]].type, value)
        for key, value in variables.items()
    }


def moved_zones(program: c.Program, zones: dict[Key, tuple[int, ...]]) -> dict[Key, frozenset[int]]:
    """The cards of every zone, rotated by one seat."""
    return {moved_key(program, program.zones[key[0]].of, key): frozenset(zones[key]) for key in zones}


def begin(program: c.Program, rng: Random) -> dict[Key, Value]:
    """Arbitrary carried values, including unreachable ones."""
    found: dict[Key, Value] = {}
    for key in initial(program).variables:
        info = program.variables[key[0]]
        if not info.carried:
            continue
        if info.name in ("over", "score"):
            found[key] = rng.randint(-3, 3)
        elif info.type == c.PLAYER:
            found[key] = rng.randrange(program.players)
        elif info.name == "first-hand":
            found[key] = rng.random() < 0.2
    return found


def dealt(program: c.Program, first: State) -> Chance:
    """The same cards, dealt to the next seats."""
    given = {
        moved_key(program, program.zones[key[0]].of, key): cards
        for key, cards in first.chance.dealt.items()
        if key != ("deck",)
    }
    return Chance(given={**given, ("deck",): first.zones[("deck",)]})


def rotates(ruleset: Ruleset, seed: int) -> str | None:
    """How a deal and its rotation differ, or None."""
    program, rng = ruleset.program, Random(f"{ruleset.id} {seed}")
    values = begin(program, rng)
    readings = {name: rng.randrange(len(of)) for name, of in program.readings.items()}
    start = interpret.initial(program, Chance(seed), None, readings, values)
    first = interpret.run(start, program.hand)
    turned = interpret.initial(
        program, dealt(program, first), None, readings, moved_variables(program, values)
    )
    second = interpret.run(turned, program.hand)
    while first.decision is not None:
        asked, again = first.decision, second.decision
        if (
            again is None
            or (asked.player + 1) % program.players != again.player
            or asked.label != again.label
        ):
            return f"player {asked.player} is asked to {asked.label}; one seat on: {second}"
        choice = pick(asked, rng)
        first = interpret.apply(first, choice)
        second = interpret.apply(second, moved(program, asked.type, choice))
    if (first.fault is None) != (second.fault is None) or (
        first.fault and second.fault and first.fault.kind != second.fault.kind
    ):
        return f"{first.fault} and {second.fault}"
    variables = moved_variables(program, dict(first.variables))
    differ = [key for key, value in second.variables.items() if variables[key] != value]
    zones = moved_zones(program, dict(first.zones))
    differ += [key for key, cards in second.zones.items() if zones[key] != frozenset(cards)]
    winners = moved(program, c.PLAYERS, first.winners)
    return f"{differ}" if differ or winners != second.winners else None


@pytest.mark.parametrize("name", ALIKE)
def test_hands_rotate(name: str) -> None:
    for seed in range(12):
        assert rotates(RULESETS[name], seed) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", ALIKE)
def test_many_hands_rotate(name: str) -> None:
    for seed in range(12, 400):
        assert rotates(RULESETS[name], seed) is None


def test_seats_of_the_documented_rulesets_are_alike() -> None:
    assert set(LIBRARY.documented()) <= set(ALIKE)


@pytest.mark.parametrize(
    "body",
    [
        rule("next-dealer", "only player in players with tricks = 16"),
        rule("trump", "left of left of dealer chooses trump"),
        rule("payout", "for p in players:\n    payout of dealer becomes 2 * payout of dealer + over of p"),
        rule("lead", "if trump = spades then dealer else right of dealer"),
    ],
)
def test_house_rules_that_name_no_seat_rotate(body: str) -> None:
    ruleset = house(body)
    assert seats_alike(ruleset.program)
    assert [rotates(ruleset, seed) for seed in range(3)] == [None] * 3


@pytest.mark.parametrize(
    "body",
    [
        "state:\n  host: {type: player, carried: true, initial: 1}\n",
        rule("lead", "only player in top 1 of players by over"),  # ties are broken by seat
        TEAMS.format("[0, 1], [2, 3]") + rule("lead", "partner of dealer"),
        TEAMS.format("[0, 1], [2, 3]") + rule("trick-winner", "players with team = team of dealer"),
        TEAMS.format("[0, 2], [1, 3]") + "state:\n  ahead: {type: team, carried: true}\n",
        TEAMS.format("[0, 2], [1, 3]") + "state:\n  marks: {type: integer, of: team}\n",
        TEAMS.format("[0, 2], [1, 3]")
        + rule("lead", "if team of dealer = none then left of dealer else dealer"),
    ],
)
def test_a_named_seat_or_team_is_refused(body: str) -> None:
    base = "weaver-four" if "teams" in body else "pagat"
    assert not seats_alike(house(body, base).program)


@pytest.mark.parametrize(
    "body",
    [
        "",
        rule("lead", "partner of dealer"),
        rule(
            "payout",
            "for p in players with team = team of dealer:\n    payout of p becomes payout of p + over of p",
        ),
    ],
)
def test_partners_that_sit_opposite_rotate(body: str) -> None:
    ruleset = house(TEAMS.format("[0, 2], [1, 3]") + body, "weaver-four")
    assert seats_alike(ruleset.program)
    assert [rotates(ruleset, seed) for seed in range(3)] == [None] * 3


def test_what_is_refused_does_not_rotate() -> None:
    """Evidence that the test above is not vacuous: `top` breaks ties by seat."""
    ruleset = house(rule("lead", "only player in top 1 of players by payout"))
    assert any(rotates(ruleset, seed) is not None for seed in range(4))


def test_foreign_partners_are_alike() -> None:
    assert seats_alike(foreign("forty-in-pairs").program)


BY_SEAT = """\
    invariants:
      last-of-equals:
        rule: number of (cards in hand of dealer with rank = ace) < 4 or dealer not in top 1 of players by tricks
        when: play-starts
        assumes: a test
    """


@RUN
def test_an_invariant_can_tell_seats_apart() -> None:
    """Nobody has a trick yet, so the first seat is at the top: it is the dealer's in the first deal."""
    ruleset = house(BY_SEAT)
    assert not seats_alike(ruleset.program)
    (finding,) = found(ruleset, ["last-of-equals"], 20)
    assert finding.verdict is Verdict.REFUTED


def test_what_players_owe_can_tell_seats_apart() -> None:
    owed = "if p in top 1 of players by tricks then 1 else 0"
    assert not seats_alike(house(rule("to-give", owed)).program)
