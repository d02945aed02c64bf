"""Names the first difference between the plays of one deal under two rulesets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Any

from trickproof.diff.witnesses.paired_replay import BETWEEN, FAILS, Answers
from trickproof.english.differences import HOW_MANY
from trickproof.english.vocabulary import plain

_SCORED = {"over": "over", "scores": "score", "payouts": "payout"}
"""What the event at the end of a deal reports, with the variables."""
_NEXT = {BETWEEN: "other events are told", "dealer": "next dealer differs"}
"""What alone differs in the next deal."""


IN_ANOTHER_ORDER, AT_ONCE = "players act in another order", "players act at the same time"
PLAY = "what happens in the play"
"""A difference that has no word of its own."""


def first_difference(answers: Answers, at_once: tuple[int, int] = (0, 0)) -> str:
    """How a played deal first differs, by the kinds of its first differing events, or of the pending decisions.

    `at_once` counts the blocks of either ruleset in which players act simultaneously.
    """
    number = answers.event
    sides = [x["events"][number : number + 1] if number is not None else [] for x in (answers.a, answers.b)]
    mine, theirs = ({x["event"] for x in side} for side in sides)
    everything = [{x["event"] for x in side["events"]} for side in (answers.a, answers.b)]
    for event, how in (
        ("deal-again", "the cards are thrown in"),
        ("hand-ends", "the deal ends early"),
        ("end", "the match ends"),
    ):
        if event in mine ^ theirs:
            side = "a" if event in mine else "b"
            return (
                f"{how} earlier in {side}" if all(event in x for x in everything) else f"{how} in {side} only"
            )
    if answers.a["ok"] != answers.b["ok"]:
        return f"the rules fail at run time in {'b' if answers.a['ok'] else 'a'} only"
    pending = answers.a["next"], answers.b["next"]
    if number is None and answers.later is not None:
        told = [{str(x["event"]) for x in side.get(BETWEEN, [])} for side in answers.later]
        if FAILS in told[0] ^ told[1]:
            return f"the rules fail at run time between hands in {'a' if FAILS in told[0] else 'b'} only"
        if "end" in told[0] ^ told[1]:
            return f"the match ends in {'a' if 'end' in told[0] else 'b'} only"
        others = "the next hand begins otherwise"
        return _NEXT.get(next(iter(answers.later[0])), others) if len(answers.later[0]) == 1 else others
    if number is None and all(pending):
        return _asked_otherwise(*({"player": x["player"], "event": x["move"]} for x in pending))
    if mine == theirs == {"end"}:
        return "others win"
    if mine == theirs == {"trick"}:
        return "who wins a trick"
    if mine == theirs and mine & {"play", "trump"}:  # the same moves are tried under both
        return _asked_otherwise(sides[0][0], sides[1][0])
    if mine == theirs == {"score"}:
        fields = [name for name in _SCORED if sides[0][0].get(name) != sides[1][0].get(name)]
        return "; ".join(f"{_SCORED[name]} differs" for name in fields) or PLAY
    a, b = at_once
    together = IN_ANOTHER_ORDER if a == b else f"{AT_ONCE} in {'a' if a > b else 'b'} only"
    waiting = pending[0 if a > b else 1] or {}
    if a != b and not (mine if a > b else theirs) and waiting.get("move") in mine | theirs:
        return together
    if mine != theirs or len(mine) != 1:
        return PLAY
    runs = [_acting(side["events"][number:], *mine) for side in (answers.a, answers.b)]
    if runs[0] != runs[1] and sorted(runs[0]) == sorted(runs[1]):
        return together
    return _moved_otherwise(sides[0][0], sides[1][0])


def _acting(events: Iterable[Mapping[str, Any]], kind: str) -> list[int]:
    """The players of the first events, as long as these are of one kind."""
    return [x.get("player", -1) for x in takewhile(lambda x: x["event"] == kind, events)]


def _moved_otherwise(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> str:
    """How two movements of cards of the same kind differ."""
    if mine.keys() != theirs.keys() or mine.get("player") != theirs.get("player"):
        return PLAY
    if mine.get("to") != theirs.get("to"):
        return "who is given cards"
    if mine.get("cards") == theirs.get("cards"):
        return PLAY
    if len(mine["cards"]) == len(theirs["cards"]):
        return "which cards"
    return f"{HOW_MANY} ({plain(mine['event'])})"


def _asked_otherwise(mine: Mapping[str, object], theirs: Mapping[str, object]) -> str:
    """How two decisions of the same moment differ."""
    if mine["player"] != theirs["player"]:
        return "who plays next" if mine["event"] == theirs["event"] == "play" else "who is asked"
    return "what may be chosen" if mine["event"] == theirs["event"] else "what is asked"
