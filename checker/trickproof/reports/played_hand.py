"""A scenario as it goes at the table: how it begins, who holds what, every move, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from trickproof.english.playout import course_of_play, ending, opening
from trickproof.reports.text import Page, deal_picture
from trickproof_dsl.core.program import Deck
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json
from trickproof_dsl.scenarios.replay import replay_match, replay_scenario


def played_hand(
    page: Page,
    ruleset: Ruleset,
    scenario: Mapping[str, Json],
    indent: int = 0,
    match: Sequence[Mapping[str, Json]] | None = None,
) -> Iterator[str]:
    """Its lines; a trick lists its cards in the order they were played.  Of a `match` it is the last deal."""
    yield from beginning(page, ruleset.program.deck, scenario, indent)
    answer = replay_scenario(ruleset, scenario) if match is None else replay_match(ruleset, match)
    for line in (*course_of_play(ruleset, answer), ending(answer)):
        yield from page.wrapped(line, " " * indent, indent + 4)
    if answer["ok"] and answer["next"] is not None:
        yield from deal_picture(page, ruleset.program.deck, players(answer["state"]["hands"]), indent)


def deals_before(
    page: Page, ruleset: Ruleset, match: Sequence[Mapping[str, Json]], indent: int
) -> Iterator[str]:
    """The deals of a match before its last, a line each: who dealt, the tricks, and how many they are up or down."""
    for number in range(1, len(match)):
        state = replay_match(ruleset, match[:number]).get("state") or {}
        dealer = match[number - 1].get("dealer")
        parts = [] if dealer is None else [f"dealer {dealer}"]
        for key, words in (("tricks", "tricks"), ("over", "up or down")):
            values = state.get(key)
            parts += [f"{words} {' '.join(map(str, values))}"] if isinstance(values, list) else []
        yield from page.wrapped(f"hand {number}: {', '.join(parts)}", " " * indent, indent + 4)


def beginning(page: Page, deck: Deck, scenario: Mapping[str, Json], indent: int = 0) -> Iterator[str]:
    """Dealer, results and scores, then the deal."""
    if first := opening(scenario):
        yield from page.wrapped(first, " " * indent, indent + 4)
    hands = players(scenario.get("hands") or ())
    if scenario.get("kitty"):
        hands["kitty"] = scenario["kitty"]
    yield from deal_picture(page, deck, hands, indent)


def players(hands: Sequence[Sequence[str]]) -> dict[str, Sequence[str]]:
    """Hands by what their holders are called."""
    return {f"player {player}": hand for player, hand in enumerate(hands)}
