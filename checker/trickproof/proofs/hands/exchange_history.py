"""The exchange before the play, reconstructed from the events of a deal, with the cards that each mover kept.

Move labels mean the same in every ruleset (`give` and `return` go to a player, `discard` out of play), so
hands can be reconstructed backwards from the first card played to any earlier moment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trickproof_dsl import core as c
from trickproof_dsl.compiled.slots import cached_by_identity
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.state_view import StateView

TO_A_PLAYER = ("give", "return", "pass")
INTO_HAND = ("take-kitty", "draw")
OUT_OF_HAND = ("discard",)


@dataclass(frozen=True, slots=True)
class Moved:
    """A move of cards; `kept` is what the mover held afterwards."""

    label: str
    player: int
    to: int | None
    cards: frozenset[int]
    kept: frozenset[int]


def exchanged(state: StateView) -> list[Moved] | None:
    """The moves before the play, in order; None if they contradict each other.

    What the mover kept is right only if `told_by_events`.
    """
    hands = {p: frozenset(state.cards("hand", p)) for p in range(state.program.players)}
    moves: list[Moved] = []
    for event in reversed(state.events):
        fields = {key: value for key, _, value in event.fields}
        cards = fields.get("cards", fields.get("card"))
        if cards is None or event.name not in (*TO_A_PLAYER, *INTO_HAND, *OUT_OF_HAND):
            continue
        moved = cards if isinstance(cards, frozenset) else frozenset([cards])
        player, to = fields["player"], fields.get("to")
        moves.append(Moved(event.name, player, to, moved, hands[player]))
        holder = fields.get("from", player)
        if event.name in TO_A_PLAYER and to is not None and moved <= hands[to]:
            hands[to] -= moved
            hands[holder] |= moved
        elif event.name in INTO_HAND and moved <= hands[player]:
            hands[player] -= moved
            if holder != player:
                hands[holder] |= moved
        elif event.name in OUT_OF_HAND:
            hands[holder] |= moved
        else:
            return None
    return moves[::-1]


def numbers(state: StateView, label: str) -> Mapping[tuple[int, int], int]:
    """The number of cards moved under a label, by giver and receiver."""
    counts: dict[tuple[int, int], int] = {}
    for event in state.events:
        fields = {key: value for key, _, value in event.fields}
        if event.name == label and "to" in fields:
            pair = (fields["player"], fields["to"])
            counts[pair] = counts.get(pair, 0) + (len(fields["cards"]) if "cards" in fields else 1)
    return counts


@cached_by_identity(100)
def told_by_events(program: c.Program) -> bool:
    """Whether the events of a deal tell every change of a hand from the first gift or return to the play."""
    since = False
    for step in walk(program.hand):
        if isinstance(step, c.Move) and step.label == "play":
            break
        since = since or (
            isinstance(step, c.Loop | c.Until | c.Move)
            and any(isinstance(x, c.Move) and x.label in ("give", "return") for x in walk(step))
        )
        if since and isinstance(step, c.Move | c.Deal) and not _is_told(step):
            return False
    return True


def _is_told(step: c.Move | c.Deal) -> bool:
    if isinstance(step, c.Deal):
        return step.to.zone != "hand"
    of_hand, to_hand = step.source.zone == "hand", step.target.zone == "hand"
    if step.actor is None or step.label not in (*TO_A_PLAYER, *INTO_HAND, *OUT_OF_HAND):
        return not (of_hand or to_hand)
    return (to_hand or step.label in OUT_OF_HAND) and (of_hand or step.label in INTO_HAND)


def answers(moves: Sequence[Moved]) -> list[tuple[Moved, frozenset[int], frozenset[int]]]:
    """Every return with the cards it answers, and what the player kept after the last of the returns.

    Consecutive returns by one player, with nothing received in between, are a single answer to all of them.
    """
    answered: list[tuple[Moved, frozenset[int], frozenset[int]]] = []
    for i, move in enumerate(moves):
        if move.label != "return":
            continue
        gift: frozenset[int] = frozenset()
        for earlier in reversed(moves[:i]):
            if (earlier.label, earlier.player, earlier.to) == ("return", move.player, move.to):
                break
            if (earlier.label, earlier.player, earlier.to) == ("give", move.to, move.player):
                gift |= earlier.cards
        rest = move.kept
        for later in moves[i + 1 :]:
            if later.to == move.player or (later.player == move.player and later.label in INTO_HAND):
                break
            if later.player == move.player and later.label == "return":
                rest = later.kept
        answered.append((move, gift, rest))
    return answered
