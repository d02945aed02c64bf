"""From rule text to the core: the type of every form, what is refused and where, and what becomes of calls."""

from __future__ import annotations

from typing import get_args

import pytest

from dsl.small_games import HAND, game, small
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.diagnostics.diagnostic import Diagnostic, render

OPTION = c.Type("option", "call")

TYPES: list[tuple[str, c.Type]] = [
    ("1", c.INTEGER),
    ("-n", c.INTEGER),
    ("n + 1 - 2 * 3 div 4 mod 5", c.INTEGER),
    ("goal", c.INTEGER),
    ("m of dealer", c.INTEGER),
    ("due(dealer, who)", c.INTEGER),
    ("number of players", c.INTEGER),
    ("number of hand of dealer", c.INTEGER),
    ("sum of m for players", c.INTEGER),
    ("sum of m of p for players p in players", c.INTEGER),
    ("highest m among players", c.INTEGER),
    ("height of one", c.INTEGER),
    ("larger(1, 2)", c.INTEGER),
    ("smaller(1, 2)", c.INTEGER),
    ("true", c.BOOLEAN),
    ("false", c.BOOLEAN),
    ("not yes", c.BOOLEAN),
    ("yes and no player has m > 0 or yes", c.BOOLEAN),
    ("n = 1", c.BOOLEAN),
    ("rank of one >= three", c.BOOLEAN),
    ("who = none", c.BOOLEAN),
    ("none != trump", c.BOOLEAN),
    ("said of dealer = double", c.BOOLEAN),
    ("one in hand of dealer", c.BOOLEAN),
    ("who not in players", c.BOOLEAN),
    ("clubs in suits", c.BOOLEAN),
    ("kitty is empty", c.BOOLEAN),
    ("kitty is not empty", c.BOOLEAN),
    ("some card in kitty has rank = five", c.BOOLEAN),
    ("every suit has suit != trump", c.BOOLEAN),
    ("first-hand", c.BOOLEAN),
    ("dealer", c.PLAYER),
    ("left of dealer", c.PLAYER),
    ("right of opposite of dealer", c.PLAYER),
    ("only player in players", c.PLAYER),
    ("if yes then none else dealer", c.PLAYER),
    ("partner of dealer", c.PLAYER),
    ("team of dealer", c.TEAM),
    ("trump", c.SUIT),
    ("hearts", c.SUIT),
    ("suit of one", c.SUIT),
    ("only suit in suits", c.SUIT),
    ("five", c.RANK),
    ("best", c.RANK),
    ("rank of 5H", c.RANK),
    ("lowest rank among kitty", c.RANK),
    ("5H", c.CARD),
    ("one", c.CARD),
    ("only card in kitty", c.CARD),
    ("play-on", OPTION),
    ("said of dealer", OPTION),
    ("players", c.PLAYERS),
    ("players other than dealer with m > 0", c.PLAYERS),
    ("players p with m of p > 0", c.PLAYERS),
    ("players with the highest m", c.PLAYERS),
    ("players with the lowest m among players with yes", c.PLAYERS),
    ("players - dealer", c.PLAYERS),
    ("dealer + who", c.PLAYERS),
    ("hand of dealer", c.CARDS),
    ("held", c.CARDS),
    ("cards in kitty with suit = trump", c.CARDS),
    ("cards with the highest rank among kitty", c.CARDS),
    ("top 2 of kitty by height", c.CARDS),
    ("bottom n of kitty by height", c.CARDS),
    ("highest of kitty matching held", c.CARDS),
    ("lowest of kitty matching held", c.CARDS),
    ("kitty + one", c.CARDS),
    ("one + 5H", c.CARDS),
    ("kitty - held", c.CARDS),
    ("union of kept for players", c.CARDS),
    ("gift(dealer, who)", c.CARDS),
    ("if yes then kitty else held", c.CARDS),
    ("suits", c.SUITS),
    ("ranks", c.RANKS),
]

TEAMS = "{number: 4, teams: [[0, 2], [1, 3]]}"


def value_rule(name: str, text: str) -> str:
    return f"{name}:\n  rule: |\n    {text}\n  assumes: x\n"


@pytest.mark.parametrize(("text", "wanted"), TYPES)
def test_types(text: str, wanted: c.Type) -> None:
    value = game("nothing happens", value_rule("asked", text), TEAMS).program.rules["asked"].value
    assert value is not None
    assert value.type == wanted


def test_every_form_of_value_is_tried() -> None:
    rules = "".join(value_rule(f"a{i}", text) for i, (text, _) in enumerate(TYPES)) + value_rule(
        "calls", "a0"
    )
    rules += "missing: {gives: card, silent: nobody says}\n" + value_rule("asks", "missing")
    rules += "taken: {readings: [{name: a, says: a, rule: 1}, {name: b, says: b, rule: 2}], assumes: x}\n"
    program = game("for q in 1 to 3:\n    n becomes q", rules, TEAMS).program
    found = {type(node) for rule in program.rules.values() for node in walk(rule.body or (), rule.value)}
    assert set(get_args(c.Expr)) <= found


# What does not make sense: rule text, code, and the text that is underlined.
MISTAKES: list[tuple[str, str, str]] = [
    ("triks of dealer becomes 1", "E301", "triks"),
    ("n becomes nn", "E301", "nn"),
    ("m of p becomes 1", "E301", "p"),
    ("do nothing-known", "E301", "nothing-known"),
    ("n becomes dealer", "E302", "dealer"),
    ("n becomes 1 + dealer", "E302", "dealer"),
    ("n becomes hearts + 1", "E302", "hearts"),
    ("dealer becomes players", "E302", "players"),
    ("one becomes kitty", "E302", "kitty"),
    ("yes becomes n", "E302", "n"),
    ("yes becomes n = hearts", "E302", "hearts"),
    ("yes becomes trump > hearts", "E302", "trump"),
    ("yes becomes one in players", "E302", "one"),
    ("yes becomes one in dealer", "E302", "dealer"),
    ("yes becomes dealer is empty", "E302", "dealer"),
    ("yes becomes some player has m", "E302", "m"),
    ("n becomes number of dealer", "E302", "dealer"),
    ("n becomes sum of suit for kitty", "E302", "suit"),
    ("n becomes sum of m for dealer", "E302", "dealer"),
    ("n becomes highest suit among kitty", "E302", "suit"),
    ("n becomes none", "E302", "none"),
    ("n becomes if 1 then 2 else 3", "E302", "1"),
    ("n becomes if yes then 2 else hearts", "E302", "hearts"),
    ("held becomes union of m for players", "E302", "m"),
    ("held becomes highest of kitty matching players", "E302", "players"),
    ("held becomes top hearts of kitty by height", "E302", "hearts"),
    ("held becomes top 2 of kitty by suit", "E302", "suit"),
    ("who becomes only player in kitty", "E302", "kitty"),
    ("n becomes m of hearts", "E302", "hearts"),
    ("n becomes due of dealer", "E303", "due of dealer"),
    ("n becomes due(dealer, who, who)", "E303", "due(dealer, who, who)"),
    ("n becomes n of dealer", "E303", "n of dealer"),
    ("n becomes larger(1, 2, 3)", "E303", "larger(1, 2, 3)"),
    ("for p in players:\n    n becomes p of dealer", "E303", "p of dealer"),
    ("n becomes m", "E304", "m"),
    ("m becomes 1", "E304", "m"),
    ("held becomes hand", "E304", "hand"),
    ("hearts becomes 1", "E305", "hearts"),
    ("goal becomes 1", "E305", "goal"),
    ("hand of dealer becomes kitty", "E305", "hand of dealer"),
    ("dealer plonks 1 card of kitty", "E306", "plonks"),
    ("dealer lays one", "E307", "dealer lays one"),
    ("put one into table", "E307", "put one into table"),
    ("dealer lays cards in kitty + hand of dealer", "E307", "dealer lays cards in kitty + hand of dealer"),
    ("put kitty into table\ndealer lays kitty to everyone", "E308", "dealer lays kitty to everyone"),
    ("dealer gives 1 card of kitty to hearts", "E302", "hearts"),
    ("put kitty into dealer", "E302", "dealer"),
    ("deal 1 card to dealer", "E302", "dealer"),
    ("deal hearts cards to kitty", "E302", "hearts"),
    ("for p in players, highest m first:\n    n becomes 1", "E310", ", highest m first"),
    ("for p in players, highest yes first, ties open:\n    n becomes 1", "E302", "yes"),
    ("for q in 1 to 3, clockwise from dealer:\n    n becomes 1", "E302", "clockwise from dealer"),
    ("for p in dealer:\n    n becomes 1", "E302", "dealer"),
    ("for q in 1 to hearts:\n    n becomes 1", "E302", "hearts"),
    ("repeat hearts times:\n    n becomes 1", "E302", "hearts"),
    ("repeat until n + 1:\n    n becomes 1", "E302", "n + 1"),
    ("repeat until yes, at most hearts times:\n    n becomes 1", "E302", "hearts"),
    ("if n:\n    n becomes 1", "E302", "n"),
    ("one becomes AS", "E313", "AS"),
    ("dealer chooses n", "E314", "dealer chooses n"),
    ("dealer chooses n from suits", "E302", "suits"),
    ("dealer chooses held", "E302", "held"),
    ("hearts chooses n from 1 to 2", "E302", "hearts"),
    ("dealer chooses n from 1 to 2 or none", "E319", "dealer chooses n from 1 to 2 or none"),
    ("dealer chooses yes with 1", "E302", "1"),
    ("for p in players, simultaneously:\n    n becomes 1", "E315", "n becomes 1"),
    ("n becomes m of player", "E316", "player"),
    ("trump becomes suit", "E316", "suit"),
    ("who becomes partner of dealer", "E318", "partner of dealer"),
    ("announce told: number hearts + 1", "E302", "hearts"),
    ("the match ends, won by hearts", "E302", "hearts"),
    ("dealer shows kitty to hearts", "E302", "hearts"),
    ("dealer lays 1 card of players", "E302", "players"),
    ("dealer lays hearts cards of kitty", "E302", "hearts"),
    ("dealer lays 1 card of kitty as n", "E302", "n"),
    ("do amount", "E311", "do amount"),
    ("n becomes act", "E312", "act"),
    ("do act of dealer", "E303", "do act of dealer"),
]
CALLED = "amount: {rule: 1, assumes: x}\nact: {rule: n becomes 1, assumes: x}\n"


@pytest.mark.parametrize(("text", "code", "underlined"), MISTAKES)
def test_mistakes(text: str, code: str, underlined: str) -> None:
    ruleset, problems = small(text, CALLED)
    assert ruleset is None
    (problem,) = problems
    assert (problem.code, place(problem)) == (code, underlined), render(problems)
    assert problem.span is not None
    before = text[: text.rindex(underlined)]
    first = text.index(underlined)
    assert (problem.span.line - HAND, problem.span.column - 7) in [
        (text[:start].count("\n"), start - (text[:start].rfind("\n") + 1)) for start in (first, len(before))
    ], f"write the example so that its first or last `{underlined}` is the one that is underlined"


def place(problem: Diagnostic) -> str:
    assert problem.span is not None
    return problem.span.text


def test_several_mistakes_are_told_in_one_run() -> None:
    text = "n becomes nn\nif yes:\n    one becomes hearts\nfor p in players:\n    m of p becomes trump\nn becomes 1"
    _, problems = small(text)
    assert [(d.code, place(d)) for d in problems] == [("E301", "nn"), ("E302", "hearts"), ("E302", "trump")]


def test_a_mistake_in_a_rule_is_told_once_however_often_it_is_called() -> None:
    _, problems = small("n becomes bad + bad\nn becomes bad", "bad: {rule: nn, assumes: x}\n")
    assert [(d.code, place(d)) for d in problems] == [("E301", "nn")]


def test_rules_that_call_themselves_are_refused() -> None:
    rules = "a: {rule: b + 1, assumes: x}\nb: {rule: a + 1, assumes: x}\n"
    _, problems = small("n becomes a", rules)
    assert {d.code for d in problems} == {"E309"}
    assert "`a` → `b` → `a`" in render(problems)
    _, problems = small("do again", "again: {rule: do again, assumes: x}\n")
    assert {d.code for d in problems} == {"E309"}


def test_rules_that_grow_and_grow_are_refused() -> None:
    rules = "".join(f"r{i}: {{rule: r{i + 1} + r{i + 1}, assumes: x}}\n" for i in range(20))
    _, problems = small("n becomes r0", rules + "r20: {rule: 1, assumes: x}\n")
    assert problems
    assert {d.code for d in problems} == {"E317"}


# ------------------------------------------------------------------------------------------ what is made


def hand_of(text: str, rules: str = "") -> tuple[c.Stmt, ...]:
    (whole,) = game(text, rules).program.hand
    assert isinstance(whole, c.InRule)
    return whole.body


def test_calls_are_inlined_and_remember_whose_text_they_are() -> None:
    rules = (
        "act:\n  of: player p\n  rule: m of p becomes amount\n  assumes: x\namount: {rule: 1, assumes: x}\n"
    )
    (loop,) = hand_of("for q in players:\n    do act of q", rules)
    assert isinstance(loop, c.Loop)
    (call,) = loop.body
    assert isinstance(call, c.InRule)
    (step,) = call.body
    assert isinstance(step, c.Assign)
    assert step.arguments == (c.Local(loop.binder, c.PLAYER, step.span),)
    assert isinstance(step.value, c.RuleValue)
    assert (call.rule, step.value.rule) == ("act", "amount")


def test_a_procedure_keeps_what_it_is_given() -> None:
    rules = "act:\n  of: player p\n  rule: m of p becomes 1\n  assumes: x\n"
    (call,) = hand_of("do act of left of dealer", rules)
    assert isinstance(call, c.InRule)
    kept, step = call.body
    assert isinstance(kept, c.Assign)
    assert isinstance(step, c.Assign)
    (argument,) = step.arguments
    assert isinstance(argument, c.Variable)
    assert argument.name == kept.variable
    assert "." in kept.variable


def test_a_value_rule_is_given_its_arguments_with_names_of_their_own() -> None:
    rules = "twice:\n  of: integer k\n  rule: k + k\n  assumes: x\n"
    (step,) = hand_of("n becomes twice of sum of m for players", rules)
    binders = [node.binder for node in walk(step) if isinstance(node, c.Sum)]
    assert len(binders) == len(set(binders)) == 2


def test_simultaneous_choices_become_two_loops() -> None:
    first, second = hand_of("for p in players with m > 0, simultaneously:\n    p lays 1 card of hand as one")
    assert isinstance(first, c.Loop)
    assert isinstance(second, c.Loop)
    assert [type(t) for t in first.body] == [c.ChooseCards, c.Assign]
    assert [type(t) for t in second.body] == [c.Assign, c.Move]
    assert first.binder != second.binder


def test_one_move_repeated_keeps_the_cards_of_all_times() -> None:
    gift = "        p gives 1 card of hand to left of p as gift(p, left of p)"

    def kept(text: str) -> c.Expr:
        (assigned,) = (x for x in walk(*hand_of(text)) if isinstance(x, c.Assign) and x.variable == "gift")
        return assigned.value

    assert isinstance(kept(f"for p in players:\n    repeat 2 times:\n{gift}"), c.SetOperation)
    for once in ("repeat 2 times:\n        m of p becomes 1\n", "for k in 1 to 2:\n"):
        assert isinstance(kept(f"for p in players:\n    {once}{gift}"), c.Local)


def test_readings_become_a_condition_on_the_reading() -> None:
    rules = "taken: {readings: [{name: a, says: a, rule: 1}, {name: b, says: b, rule: 2}], assumes: x}\n"
    program = game("n becomes taken", rules).program
    assert program.readings == {"taken": ("a", "b")}
    value = program.rules["taken"].value
    assert isinstance(value, c.RuleValue)
    assert isinstance(value.value, c.Conditional)
    assert any(isinstance(node, c.Reading) and node.rule == "taken" for node in walk(value))


def test_silent_rules_become_unspecified() -> None:
    rules = "act: {gives: nothing, silent: x}\nwhich: {gives: card, silent: x}\n"
    step, assign = hand_of("do act\none becomes which", rules)
    assert step == c.Unspecified("act", step.span)
    assert isinstance(assign, c.Assign)
    assert assign.value == c.UnspecifiedValue("which", c.CARD, None, assign.span)
