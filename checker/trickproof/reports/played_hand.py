"""A scenario as played at the table: how it begins, who holds what, every move, and how it ends.

Players are named by their seats in this deal, or by number if it has no dealer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trickproof.analysis.usage import program_usage
from trickproof.english.inflection import listed
from trickproof.english.playout import CUT_SHORT, UP_OR_DOWN, by_player, course_of_play, ending, opening
from trickproof.english.seats import SUIT_SIGNS, Names, names_at_table, with_names
from trickproof.english.vocabulary import plain
from trickproof.reports.text import Page, deal_picture
from trickproof_dsl import core as c
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json, event_json
from trickproof_dsl.scenarios.replay import course as states_of, replay_deals, replay_match, replay_scenario

STANDARD = ("over", "score", "payout", "target", "tricks")
"""Per-player numbers that are reported separately."""


def played_hand(
    page: Page,
    ruleset: Ruleset,
    scenario: Mapping[str, Json],
    indent: int = 0,
    match: Sequence[Mapping[str, Json]] | None = None,
    after: bool = False,
) -> Iterator[str]:
    """The lines of the deal; a trick lists its cards in playing order. With `match`, show its last deal; `after` if `deals_before` shows the others."""
    yield from beginning(page, ruleset, scenario, indent, after)
    answer = replay_scenario(ruleset, scenario) if match is None else replay_match(ruleset, match)
    if not answer["ok"]:
        states = states_of(ruleset, scenario if match is None else {"match": match})
        answer["events"] = [event_json(ruleset.program, x) for state in states[-1:] for x in state.events]
    names = names_at_table(scenario, ruleset.program.players)
    yield from moves_and_ending(page, ruleset, answer, names, scenario, indent)


def moves_and_ending(
    page: Page,
    ruleset: Ruleset,
    answer: Mapping[str, Any],
    names: Names,
    scenario: Mapping[str, Json],
    indent: int = 0,
) -> Iterator[str]:
    """Every move of an answer of `replay`, then how it ends; with the hands, if somebody has to decide and a card has moved."""
    counts = [line] if (line := "; ".join(_running_counts(ruleset, answer, names))) else []
    course = with_trump([*course_of_play(ruleset, answer, names)], answer)
    for line in (*course, ending(ruleset, answer, names), *counts):
        yield from map(page.suits_coloured, page.wrapped(line, " " * indent, indent + 4))
    if after := answer.get("between_deals"):
        yield from page.wrapped(
            f"then, before the next deal: {with_names(after['message'], names)}", " " * indent, indent + 4
        )
    if answer["ok"] and answer["next"] is not None:
        hands = hands_by_name(answer, names)
        if list(map(set, scenario.get("hands") or ())) != list(map(set, answer["state"]["hands"])):
            yield from deal_picture(page, ruleset.program.deck, hands, indent)


def first_trick(course: Sequence[str]) -> int:
    """The number of the line with the first trick; of lines, if there is none."""
    return next((n for n, line in enumerate(course) if line.startswith("trick ")), len(course))


def with_trump(course: Sequence[str], answer: Mapping[str, Any]) -> list[str]:
    """The lines of a course of play, with the trump suit before the first trick where none of them names it."""
    play = first_trick(course)
    trump = str((answer.get("state") or {}).get("trump") or "") if play < len(course) else ""
    told = not trump or any("trump" in line for line in course[:play])
    return [*course[:play], *([] if told else [f"trump: {SUIT_SIGNS.get(trump, trump)}"]), *course[play:]]


def deals_before(
    page: Page, ruleset: Ruleset, match: Sequence[Mapping[str, Json]], indent: int
) -> Iterator[str]:
    """The deals of a match before the last, one line each: the dealer, the tricks, the overtricks; first, how players are named."""
    names = names_at_table(match[-1], ruleset.program.players)
    yield from _agreed(page, ruleset, match[-1], indent)
    yield from page.wrapped(f"players are named by their seats in deal {len(match)}", " " * indent)
    counted = ("tricks", "over") if _has_results(ruleset) else ("tricks",)
    for number, answer in enumerate(replay_deals(ruleset, match[:-1]), 1):
        state = answer.get("state") or {}
        dealer = match[number - 1].get("dealer")
        parts = [f"{names.player(dealer)} deals"] if isinstance(dealer, int) else []
        for key in counted:
            values = state.get(key)
            if isinstance(values, list):
                words = UP_OR_DOWN if key == "over" else key
                parts.append(f"{words}: {by_player(values, names, signed=key == 'over')}")
        cut = next((x["event"] for x in answer.get("events") or () if x["event"] in CUT_SHORT), None)
        if cut is not None:
            parts = [*parts[: isinstance(dealer, int)], CUT_SHORT[cut]]
        parts += _running_counts(ruleset, answer, names)
        yield from page.wrapped(f"deal {number}: {'; '.join(parts)}", " " * indent, indent + 4)
        if cut is not None:  # which cards they were may be why
            hands = by_holder(match[number - 1].get("hands") or (), names)
            yield from deal_picture(page, ruleset.program.deck, hands, indent + 4)


def _agreed(page: Page, ruleset: Ruleset, scenario: Mapping[str, Json], indent: int) -> Iterator[str]:
    """The values of parameters in a deal that are not the usual ones."""
    usual = ruleset.program.defaults
    given = (scenario.get("params") or {}).items()
    values = [f"{name} {value}" for name, value in given if name in usual and usual[name] != value]
    if values:
        yield from page.wrapped(f"agreed: {listed(values)}", " " * indent, indent + 4)


def _has_results(ruleset: Ruleset) -> bool:
    """Whether players are up or down after a deal."""
    return "over" in program_usage(ruleset.program).assigns


def _running_counts(ruleset: Ruleset, answer: Mapping[str, Any], names: Names) -> Iterator[str]:
    """Per-player numbers that the ruleset itself carries from deal to deal, such as points."""
    program, assigned = ruleset.program, program_usage(ruleset.program).assigns
    for name, values in (answer.get("variables") or {}).items():
        info = program.variables[name]
        counts = info.carried and info.type == c.INTEGER and info.of == (c.PLAYER,) and name in assigned
        if counts and name not in STANDARD:
            yield f"{name}: {by_player(values, names)}"


def beginning(
    page: Page, ruleset: Ruleset, scenario: Mapping[str, Json], indent: int = 0, after: bool = False
) -> Iterator[str]:
    """Results and scores before the deal, then the hands, dealer first; `after` `deals_before`, without its results."""
    names = names_at_table(scenario, ruleset.program.players)
    known = after and _has_results(ruleset)
    if not after:
        yield from _agreed(page, ruleset, scenario, indent)
    if first := opening({**scenario, "over": None} if known else scenario, names):
        yield from page.wrapped(first, " " * indent, indent + 4)
    hands = by_holder(scenario.get("hands") or (), names)
    if scenario.get("kitty"):
        hands["Kitty"] = scenario["kitty"]
    for name, cards in (scenario.get("zones") or {}).items():  # such as a card turned up for trumps
        zone = ruleset.program.zones.get(name)
        if cards and zone is not None and zone.seen_by == "everyone":
            hands[plain(name).capitalize()] = cards
    yield from deal_picture(page, ruleset.program.deck, hands, indent)


def hands_by_name(answer: Mapping[str, Any], names: Names) -> dict[str, Sequence[str]]:
    """The hands at the end of an answer of `replay`, by the names of their holders."""
    return by_holder(answer["state"]["hands"], names)


def by_holder(hands: Sequence[Sequence[str]], names: Names) -> dict[str, Sequence[str]]:
    """Hands by the names of their holders, clockwise from the dealer if there is one."""
    named = {names.player(player): hand for player, hand in enumerate(hands)}
    order = list(named)
    start = order.index("Dealer") if "Dealer" in order else 0
    return {name: named[name] for name in order[start:] + order[:start]}
