"""The three forms of the interpreter's text say the same: blocks, careful blocks, and a hand played out.

Law: with the same chance and choices, the bare and the careful text of a program lead to equal states at every decision
and break down alike; and a hand played out without states ends as it does with them.
"""

from __future__ import annotations

import pickle
from collections import Counter
from random import Random
from types import CodeType
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agreement.careful import carried_out_with
from agreement.random_rulesets import CALM, longer_rulesets, rulesets
from checker.rulesets_for_tests import FOREIGN, LIBRARY, documented, foreign
from dsl.small_games import game
from trickproof.support.bundled import ruleset_folder
from trickproof.testing.random_play import pick
from trickproof_dsl import DecisionPlayer, Library, play_hand, play_match, random_player, render
from trickproof_dsl import core as c
from trickproof_dsl.compiled import machine as interpret
from trickproof_dsl.compiled import runtime as primitives
from trickproof_dsl.compiled.blocks import Code, code_of
from trickproof_dsl.compiled.generator import course_of
from trickproof_dsl.compiled.machine import Chance, Decision, State
from trickproof_dsl.compiled.slots import Value

DEAL = "shuffle\nfor p in players:\n    deal 4 cards to hand of p\n"
NAMES = (*LIBRARY.documented(), *FOREIGN.documented())
GAMES = sorted(path.stem for path in (ruleset_folder() / "games").glob("*.yaml"))
MOST = 400
"""Decisions of a hand that are followed."""


class EnoughError(Exception):
    """The hand goes on for too long."""


def ruleset(name: str) -> Any:
    return foreign(name) if name in FOREIGN.documented() else documented(name)


def settings_of(program: c.Program, seed: int) -> tuple[dict[str, int], dict[str, int]]:
    rng = Random(seed)
    parameters = {name: rng.choice(values) for name, values in program.parameters.items()}
    return parameters, {name: rng.randrange(len(of)) for name, of in program.readings.items()}


def by_states(program: c.Program, seed: int) -> list[State]:
    """The states of a hand at random, each decision and the end."""
    rng, states = Random(seed), [interpret.start(program, Chance(seed), *settings_of(program, seed))]
    while (asked := states[-1].decision) is not None and len(states) < MOST:
        states.append(interpret.apply(states[-1], pick(asked, rng)))
    return states


def played_out(program: c.Program, seed: int) -> tuple[State | None, list[Decision]]:
    """The end of the same hand, and its decisions."""
    rng, asked = Random(seed), list[Decision]()

    def choose(decision: Decision) -> Value:
        asked.append(decision)
        if len(asked) >= MOST:
            raise EnoughError
        return pick(decision, rng)

    begun = interpret.begin(program, Chance(seed), *settings_of(program, seed))
    if begun.fault:
        return begun, asked
    try:
        return interpret.play_out(begun, program.hand, [choose] * program.players), asked
    except EnoughError:
        return None, asked


def compare(program: c.Program, seed: int, seen: Counter[str]) -> None:
    """Raises AssertionError where the forms differ."""
    bare = by_states(program, seed)
    with carried_out_with(lambda *_: {}, lambda: None):
        careful = by_states(program, seed)
    assert bare == careful
    end, asked = played_out(program, seed)
    assert asked == [state.decision for state in bare if state.decision is not None]
    assert end is None or end == bare[-1]
    seen["decisions"] += len(asked)
    seen[bare[-1].fault.kind if bare[-1].fault else "complete"] += 1


@pytest.mark.parametrize("name", [*NAMES, *GAMES])
def test_rulesets(name: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(3):
        compare(ruleset(name).program, seed, seen)
    assert seen["decisions"] > 20


def random_rulesets(examples: int) -> Counter[str]:
    seen: Counter[str] = Counter()

    @settings(CALM, max_examples=examples)
    @given(st.one_of(rulesets(), longer_rulesets()), st.integers(0, 10**6))
    def law(text: str, seed: int) -> None:
        made, problems = Library().load_text(text, "random.yaml")
        if made is None and [x.code for x in problems] == ["E308"]:
            seen["gives to the giver"] += 1
            return
        assert made is not None, render(problems)
        compare(made.program, seed, seen)

    law()
    return seen


def test_random_rulesets() -> None:
    """Which rulesets are drawn depends on what else is loaded, so that there are many more than are asked for."""
    seen = random_rulesets(400)
    assert seen["complete"] > 20
    assert seen["decisions"] > 200
    assert len(seen) > 6, seen


@pytest.mark.slow
def test_many_random_rulesets() -> None:
    seen = random_rulesets(5000)
    assert set(seen) >= {
        "complete",
        "nobody",
        "no-card",
        "not-single",
        "cards-not-there",
        "tie",
        "bad-number",
    }


def test_a_wrong_form_is_found() -> None:
    def lowest(found: list[tuple[int, int]], highest: bool) -> int:
        return min(found)[1]

    program = ruleset("pagat").program
    names = code_of(program, program.hand).begin.__globals__  # type: ignore[attr-defined]
    with patch.dict(names, one_best=lowest), pytest.raises(AssertionError):
        compare(program, 1, Counter())
    compare(program, 1, Counter())
    course: Any = course_of(code_of(program, program.hand))
    with patch.dict(course.__globals__, one_best=lowest), pytest.raises(AssertionError):
        compare(program, 1, Counter())
    assert names["one_best"] is primitives.one_best


UNTIL = """
for p in players, clockwise from dealer:
    {lines}n becomes 0
    repeat until n = 3, at most 4 times:
        n becomes n + 1
    m of p becomes m of p + 1
    p chooses yes
"""
NESTED = "\n".join("    " * i + f"for a{i} in players:" for i in range(10)) + "\n" + "    " * 10

HANDS = {
    "a target by what is in the source": DEAL
    + "dealer lays 2 cards of hand\n"
    + "put table into tricks-taken of (if some card in table has suit = clubs then dealer else left of dealer)",
    "a target by how many are in the source": DEAL
    + "dealer gives 1 card of hand to (if number of hand of dealer = 4 then left of dealer else right of dealer)",
    "rounds without a choice": NESTED
    + "if n < 0:\n"
    + "    " * 11
    + "dealer chooses n from 1 to 2\nn becomes 5",
    "rounds without an end": NESTED + "if n < 0:\n" + "    " * 11 + "the match ends\nn becomes 5",
    "a choice after too many rounds": NESTED
    + "if n < 0:\n"
    + "    " * 11
    + "the match ends\ndealer chooses n from 1 to 2\none becomes only card in hand of dealer",
    "elements without an end": "shuffle\ndeal 12 cards to hand of dealer\n"
    + "\n".join("    " * i + f"for a{i} in players:" for i in range(8))
    + ("\n" + "    " * 8 + "kept of dealer becomes cards in hand of dealer with suit = trump") * 7
    + "\nn becomes 5",
    "choices in small loops": "\n".join("    " * i + f"for a{i} in players:" for i in range(4))
    + "\n"
    + "    " * 4
    + "a3 chooses yes",
    "nothing to choose": DEAL + "for p in players:\n    p lays up to m of p cards of hand",
    "none, or a player": "dealer chooses who from players or none\nleader becomes left of who",
    "all but nobody": "for p in players other than who, clockwise from dealer:\n    n becomes n * 10 + 1\n    m of p becomes n",
}
"""Hands that a form once played otherwise, or might."""


@pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS)
def test_odd_hands(hand: str) -> None:
    for seed in range(6):
        compare(game(hand).program, seed, Counter())


def vars_of(code: Code) -> list[CodeType]:
    """The compiled functions of the blocks."""
    names = code.begin.__globals__  # type: ignore[attr-defined]
    return [
        f.__code__
        for f in names.values()
        if getattr(getattr(f, "__code__", None), "co_filename", "") == "<rules>"
    ]


def test_names_of_places_are_names_of_nothing_else() -> None:
    """In lines of any number, so that the numbers of other names meet those of places."""
    met = 0
    for number in range(100):
        program = game(UNTIL.format(lines="n becomes n + 1\n    " * number)).program
        compare(program, 1, Counter())
        code = code_of(program, program.hand)
        numbers = {name.lstrip("n") for f in vars_of(code) for name in f.co_varnames if name[:1] == "n"}
        met += bool(numbers & {str(place) for place in code.slots.values()})
    assert met


def test_nested_filters_are_no_deeper_than_python_allows() -> None:
    cards = "(top 1 of hand of who by height)"
    for _ in range(97):
        cards = f"(cards in {cards} with suit != trump)"
    hand = f"who becomes dealer\ndealer lays between n and n + 1 cards of {cards} from hand of dealer"
    program = game(DEAL + hand).program
    compare(program, 1, Counter())
    assert course_of(code_of(program, program.hand)) is not None


def test_what_is_too_deep_for_python_is_played_carefully(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trickproof_dsl.compiled.fast_paths.lying", lambda *_: "(" * 300 + "()" + ")" * 300)
    program = game(DEAL + "dealer lays 1 card of hand").program
    assert course_of(code_of(program, program.hand)) is None
    assert by_states(program, 1)[-1].hand_over


@pytest.mark.parametrize("name", [*NAMES, *GAMES])
def test_the_careful_form_is_needed_only_where_rules_break_down(name: str) -> None:
    """Else the bare text would raise something where nothing is wrong, and play would be slow."""
    program, needed = ruleset(name).program, list[object]()
    plain = interpret._carefully

    def carefully(*about: Any) -> State:
        needed.append(about)
        return plain(*about)

    with patch.object(interpret, "_carefully", carefully):
        faults = sum(by_states(program, seed)[-1].fault is not None for seed in range(5))
        assert len(needed) == faults
    with patch.object(interpret, "reduce", side_effect=AssertionError):
        for seed in range(5):
            begun = interpret.begin(program, Chance(seed), *settings_of(program, seed))
            if faults == 0 and not begun.fault:
                ends = interpret.play_out(begun, program.hand, [random_player(seed).choose] * program.players)  # type: ignore[attr-defined]
                assert ends.hand_over


# -------------------------------------------------------------------------------------- hands played out


def states(players: list[Any]) -> list[Any]:
    """The same players, asked with states."""
    return [lambda state, decision, player=player: player(state, decision) for player in players]


@pytest.mark.parametrize("name", ["pagat", "weaver-four", *GAMES])
def test_players_may_be_asked_with_states_or_without(name: str) -> None:
    chosen, ends = ruleset(name), list[list[State]]()
    for way in (list, states):
        players = way([random_player(seat) for seat in range(chosen.program.players)])
        ends.append(play_match(chosen, players, seed=3, most_hands=3))
    assert ends[0] == ends[1]
    assert len(ends[0]) > 1


def players(choose: Any) -> list[Any]:
    return [DecisionPlayer(choose)] * 3


def test_cards_may_be_chosen_in_any_collection() -> None:
    chosen = documented("pagat")
    ends = [
        play_hand(chosen, players(lambda d, kind=kind: kind(d.legal[: d.low]) if d.of_cards else d.legal[0]))
        for kind in (frozenset, list, tuple, set)
    ]
    assert all(end == ends[0] for end in ends)
    assert ends[0].hand_over


@pytest.mark.parametrize("wrong", [frozenset(), frozenset({0, 1}), frozenset({99})])
def test_what_is_not_legal_is_refused(wrong: frozenset[int]) -> None:
    hand = DEAL + "dealer lays 1 card of hand"
    with pytest.raises(ValueError, match="not a legal choice"):
        play_hand(game(hand), players(lambda _: wrong))
    with pytest.raises(ValueError, match="not a legal choice"):
        play_hand(game("dealer chooses n from 1 to 3"), players(lambda _: 7))
    with pytest.raises(ValueError, match="not a legal choice"):
        play_hand(game(DEAL + "dealer lays between 3 and 4 cards of hand"), players(lambda _: wrong))


@pytest.mark.parametrize("raised", [StopIteration, KeyError, ValueError("mine"), KeyboardInterrupt])
def test_what_a_player_raises_is_raised(raised: Any) -> None:
    def choose(_: Decision) -> Value:
        raise raised

    with pytest.raises(type(raised) if isinstance(raised, Exception) else raised):
        play_hand(documented("pagat"), players(choose))


def test_choices_are_kept_as_they_were() -> None:
    """A collection that the player goes on using, or that can be gone through once, is looked at once."""
    hand = (
        DEAL
        + "dealer lays 1 card of hand\ndealer lays 1 card of hand\none becomes only card in hand of dealer"
    )
    mine: set[int] = set()

    def refilled(decision: Decision) -> Value:
        mine.clear()
        mine.add(decision.legal[0])
        return mine

    for choose in (refilled, lambda decision: iter(decision.legal[:1])):
        end = play_hand(game(hand), players(choose))
        assert end.fault is not None
        assert end.fault.kind == "not-single"
        state = interpret.start(game(hand).program, Chance(0))
        for _ in range(2):
            assert state.decision is not None
            state = interpret.apply(state, choose(state.decision))
        assert state == end


@pytest.mark.parametrize("wrong", [3, None])
def test_what_is_no_cards_is_refused(wrong: object) -> None:
    made = game(DEAL + "dealer lays 1 card of hand")
    with pytest.raises(ValueError, match="cards are asked for"):
        interpret.apply(interpret.start(made.program), wrong)
    with pytest.raises(ValueError, match="cards are asked for"):
        play_hand(made, players(lambda _: wrong))


def test_rules_that_break_down_in_the_middle() -> None:
    hand = (
        DEAL
        + "dealer chooses n from 1 to 3\ndealer lays 1 card of hand\none becomes only card in hand of dealer"
    )
    end = play_hand(game(hand), [random_player(p) for p in range(3)], seed=1)
    assert end.fault is not None
    assert end.fault.kind == "not-single"
    assert [event.name for event in end.events] == ["n", "lay"]


def test_loops_that_are_too_deep_for_one_function() -> None:
    indents = ["    " * i for i in range(25)]
    hand = "\n".join(f"{indent}repeat 1 times:" for indent in indents)
    made = game(f"{hand}\n{'    ' * 25}dealer chooses n from 1 to 3")
    assert course_of(code_of(made.program, made.program.hand)) is None
    assert play_hand(made, [random_player(p) for p in range(3)]).variable("n") in (1, 2, 3)


def test_states_can_be_written_and_read() -> None:
    state = by_states(ruleset("pagat").program, 4)[20]
    again: State = pickle.loads(pickle.dumps(state))
    assert again == state
    assert state.decision is not None
    choice = frozenset(state.decision.legal[:1])
    assert interpret.apply(again, choice) == interpret.apply(state, choice)
