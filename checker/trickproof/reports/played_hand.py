"""A scenario as it goes at the table: how it begins, who holds what, every move, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from trickproof.english.playout import course_of_play, ending, opening
from trickproof.reports.text import Page, deal_picture
from trickproof_dsl.core.program import Deck
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json
from trickproof_dsl.scenarios.replay import replay_scenario


def played_hand(page: Page, ruleset: Ruleset, scenario: Mapping[str, Json], indent: int = 0) -> Iterator[str]:
    """Its lines; a trick lists its cards in the order they were played."""
    yield from beginning(page, ruleset.program.deck, scenario, indent)
    answer = replay_scenario(ruleset, scenario)
    for line in (*course_of_play(ruleset, answer), ending(answer)):
        yield from page.wrapped(line, " " * indent, indent + 4)
    if answer["ok"] and answer["next"] is not None:
        yield from deal_picture(page, ruleset.program.deck, players(answer["state"]["hands"]), indent)


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
