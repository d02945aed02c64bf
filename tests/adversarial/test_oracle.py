"""Tests of the oracle itself: chance as a player, merged states, known answers."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from adversarial.draft import NO_TRUMPS, Draft, Size
from adversarial.exploration import AT_END, AT_PLAY, Explorer
from adversarial.generator import Drawn, drawn
from adversarial.graph import Budget, Graph
from adversarial.law import answer_to, gone_through, how_it_ends
from adversarial.nature import DEALT, as_fault_of_deal, choices, with_nature
from adversarial.pairs import sided
from adversarial.rotation import dealt_by_first, seats_alike
from adversarial.truths import claims_of, parameter_classes, truths
from adversarial.witness import replays
from trickproof_dsl import core as c, render
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.library import Library, Ruleset
from trickproof_dsl.semantics import machine
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.state import State
from trickproof_dsl.semantics.state_view import StateView
from trickproof_dsl.semantics.values import DECK, Value

HANDS = 4


def loaded(text: str) -> Ruleset:
    ruleset, wrong = Library().load_text(text, "adversarial.yaml")
    assert ruleset is not None, render(wrong)
    return ruleset


def plain(*, state: str = "", invariant: str = "", **rules: str) -> Ruleset:
    """Two players with two cards each, with some rules replaced; a state `chair`, an invariant `own`."""
    draft = Draft(Random(1), Size(2, 2, 2, 2))
    draft.steps["exchange-timing"] = []
    draft.rules |= {
        "trick-winner": NO_TRUMPS,
        "end": "some player has tricks >= 2",
        "winner": "players with tricks >= 2",
    }
    if state:
        draft.state["chair"] = state
    if invariant:
        draft.invariants["own"] = (invariant, "play-starts")
    return loaded(draft.text("plain", {name.replace("_", "-"): text for name, text in rules.items()}))


def graph_of(ruleset: Ruleset, merging: bool = True, depth: int = 40) -> Graph:
    parameters, _ = parameter_classes(ruleset.program)[0]
    explorer = Explorer(ruleset.program, parameters, {}, claims_of(ruleset), Budget(), merging)
    return explorer.explore(depth)


# --------------------------------------------------------------------------------------- chance as a player


def _shuffles_once(program: c.Program) -> bool:
    """Whether every deal begins with the only shuffle of a match."""
    first = next(t for t in walk(program.hand) if not isinstance(t, c.InRule))
    shuffles = [t for t in walk(program.setup, program.hand, program.between) if isinstance(t, c.Shuffle)]
    return isinstance(first, c.Shuffle) and len(shuffles) == 1


def _contents(state: State) -> object:
    program = state.program
    variables = {key: x for key, x in state.variables.items() if not key[0].startswith("#")}
    zones = {key: frozenset(cards) for key, cards in state.zones.items()}
    fault = None if state.fault is None else as_fault_of_deal(state.fault).kind
    return variables, zones, state.won_by, fault, len(program.zones)


def _same_hand(ruleset: Ruleset, rng: Random) -> None:
    """A deal with chance as a player, and the ordinary deal of the same cards."""
    program, dealt, chosen = ruleset.program, list[int](), list[Value]()
    state = machine.start(with_nature(program))
    while (decision := state.decision) is not None:
        choice = rng.choice(list(choices(state, decision)))  # type: ignore[arg-type]
        if decision.label == DEALT:
            assert isinstance(choice, frozenset)
            dealt += sorted(choice)
        else:
            chosen.append(choice)
        state = machine.apply(state, choice)
    order = (*dealt, *(x for x in range(len(program.deck.cards)) if x not in dealt))
    again = machine.start(program, Chance(given={(DECK,): order}))
    for choice in chosen:
        again = machine.apply(again, choice)
    assert _contents(state) == _contents(again)


@pytest.mark.parametrize("seed", range(12))
def test_chance_as_a_player_deals_what_chance_can_deal(seed: int) -> None:
    ruleset = loaded(drawn(seed).small)
    begun = machine.begin(ruleset.program)
    if _shuffles_once(ruleset.program) and begun.hand_over and not begun.match_over:
        for number in range(HANDS):
            _same_hand(ruleset, Random(f"{seed}/{number}"))


def test_a_deck_that_is_not_shuffled_is_dealt_in_its_order() -> None:
    """Cards that were put under it come last."""
    program = plain(hand="do deal").program
    state = machine.start(with_nature(program))
    hands = []
    while (decision := state.decision) is not None:
        (choice,) = choices(state, decision)  # type: ignore[arg-type]
        hands.append(choice)
        state = machine.apply(state, choice)
    assert hands == [frozenset({0, 1}), frozenset({2, 3})]


def test_every_deal_is_gone_through() -> None:
    """Two of four cards, then the other two: six deals, in one of which the dealer has both aces."""
    ruleset = plain(invariant="number of (cards in hand of dealer with rank = ace) < 2")
    graph = graph_of(ruleset)
    assert "own" in graph.violations
    assert graph.violations["own"].deals == 1


# -------------------------------------------------------------------------------------------- merged states

SOME = range(40)


def _tiny(seed: int) -> Drawn | None:
    one = drawn(seed)
    few = "ranks: K A" in one.small and "deal 1 cards" in one.small
    return one if few else None


@pytest.mark.parametrize("seed", [seed for seed in SOME if _tiny(seed)][:5])
def test_taking_states_as_one_changes_nothing(seed: int) -> None:
    """Three deals of the smallest games, without merging states."""
    ruleset = loaded(drawn(seed).small)
    merged, apart = graph_of(ruleset, depth=3), graph_of(ruleset, merging=False, depth=3)
    assert set(merged.violations) == set(apart.violations)
    assert {k: v.deals for k, v in merged.violations.items()} == {
        k: v.deals for k, v in apart.violations.items()
    }
    assert (merged.ends, merged.broken) == (apart.ends, apart.broken)
    assert merged.steps <= apart.steps


class _Watched:
    """A state that notes the names of the variables and zones that are read of it."""

    def __init__(self, state: StateView, read: set[str]) -> None:
        self._state, self._read = state, read

    def variable(self, name: str, *owners: int) -> Value:
        self._read.add(name)
        return self._state.variable(name, *owners)

    def cards(self, zone: str, *owners: int) -> tuple[int, ...]:
        self._read.add(zone)
        return self._state.cards(zone, *owners)

    def __getattr__(self, name: str) -> object:
        if name in ("variables", "zones"):
            self._read.add(f"all {name}")
        return getattr(self._state, name)


@pytest.mark.parametrize(
    ("moment", "kept"),
    [
        ("always", {"hand"}),
        ("play_starts", {*AT_PLAY, "hand"}),
        ("hand_ends", {*AT_END, "hand"}),
        ("carried_on", set(AT_END)),
    ],
)
def test_claims_read_only_what_keeps_states_apart(moment: str, kept: set[str]) -> None:
    """States that differ in anything else may be merged before the claims look: AT_PLAY, AT_END."""
    ruleset, read = plain(), set[str]()
    claims, (parameters, _) = claims_of(ruleset), parameter_classes(ruleset.program)[0]
    looks = getattr(claims, moment)
    watched = replace(claims, **{moment: lambda state, course: looks(_Watched(state, read), course)})
    Explorer(ruleset.program, parameters, {}, watched, Budget()).explore(1)
    assert read or moment == "always"
    assert read <= kept, f"add to AT_PLAY or AT_END of exploration.py: {sorted(read - kept)}"


@pytest.mark.parametrize("seed", range(12))
def test_moving_everybody_on_keeps_who_is_what_from_the_dealer(seed: int) -> None:
    ruleset = loaded(drawn(seed).small)
    if not seats_alike(ruleset.program):
        return
    from trickproof_dsl.compiled import machine as compiled

    state = compiled.begin(with_nature(ruleset.program))
    if state.fault is None:
        for by in range(ruleset.program.players):
            moved = dealt_by_first(state.but(variables={("dealer",): by, ("over", by): 3}))
            assert moved.variable("dealer") == 0
            assert moved.variable("over", 0) == 3


def test_named_seats_are_not_alike() -> None:
    partners = plain(state="{type: player, carried: true, initial: 1}", after_trick="chair becomes dealer")
    assert seats_alike(plain().program)
    assert not seats_alike(partners.program)
    assert not seats_alike(replace(plain().program, teams=((0,), (1,))))


# ---------------------------------------------------------------------------------------- pairs of rulesets


def test_what_differs_is_seen() -> None:
    one, other = plain(), plain(end="some player has tricks > 1")
    same = sided(one, other, Budget())
    assert same.whole
    assert not same.seen
    assert sided(one, plain(lead="dealer"), Budget()).seen
    assert sided(one, plain(end="some player has tricks >= 1"), Budget()).seen


def test_a_difference_that_needs_one_value_of_many_is_seen() -> None:
    """Two graphs that distinguish `k` at different values."""
    drafts = [Draft(Random(1), Size(2, 2, 2, 2), parameters={"k": "1 .. 99"}) for _ in range(2)]
    ends = ("some player has tricks >= (if k = 98 then 1 else 2)", "some player has tricks >= 2")
    one, other = (loaded(draft.text("many", {"end": end})) for draft, end in zip(drafts, ends, strict=True))
    assert len(parameter_classes(one.program)) == 2
    assert sided(one, other, Budget()).seen


# ------------------------------------------------------------------------------------------- known answers


KNOWN = {
    "plain": ({}, {"unique-winner": "holds", "end-reachable": "holds", "end-always-reachable": "holds"}),
    "never ends": (
        {"end": "some player has tricks >= 3"},
        {"end-reachable": "fails", "end-always-reachable": "fails"},
    ),
    "ends between": (
        {"between_hands": "the match ends, won by players"},
        {"end-reachable": "holds", "unique-winner": "fails", "terminates": "holds"},
    ),
    "one hand": (
        {"end": "true", "winner": "dealer"},
        {"terminates": "holds", "unique-winner": "holds"},
    ),
    "first only": (
        {"end": "first-hand and some player has tricks >= 2"},
        {"end-reachable": "holds", "end-always-reachable": "fails"},
    ),
    "level hands": (
        {},
        {"terminates": "holds", "trick-total": "holds", "target-total": "holds", "zero-sum": "holds"},
    ),
    "a leak": ({"payout": "payout of dealer becomes over of dealer"}, {"zero-sum": "fails"}),
    "short": (
        {"exchange_timing": "if AS in hand of dealer:\n    dealer discards 1 card of hand"},
        {"hand-size": "fails", "cards-conserved": "holds"},
    ),
    "follow or nothing": (
        {"follow": "cards in hand with suit = led"},
        {"legal-play-exists": "fails", "hand-size": "holds"},
    ),
    "no trick": ({"trick_winner": "players with rank of played = ace"}, {"one-trick-winner": "fails"}),
    "a tie": (
        {"next_dealer": "only player in players with the highest over"},
        {"no-fault": "fails", "end-always-reachable": "open"},
    ),
}
"""Replacements for rules of a plain game, and the resulting truth."""


@pytest.mark.parametrize("name", KNOWN)
def test_known_answers_come_out(name: str) -> None:
    rules, answers = KNOWN[name]
    truth = truths(plain(**rules))
    assert truth.whole
    assert {check: answer_to(check, truth)[0] for check in answers} == answers


ENDS = {
    "plain": "almost surely",
    "never ends": "may never end",
    "ends between": "surely within 1",
    "one hand": "surely within 1",
    "first only": "may never end",
    "a tie": "open",
}
"""How matches end in some of these."""


@pytest.mark.parametrize("name", ENDS)
def test_how_matches_end(name: str) -> None:
    assert how_it_ends(truths(plain(**KNOWN[name][0]))) == ENDS[name]


@pytest.mark.parametrize("seed", range(8))
def test_the_reference_comes_to_what_goes_wrong(seed: int) -> None:
    ruleset = loaded(drawn(seed).small)
    truth = gone_through(ruleset, 3_000, 6_000)
    for one in truth.explored if truth is not None else ():
        for claim, violation in one.graph.violations.items():
            assert replays(ruleset, one, claim, violation), (claim, violation)
