"""A match as it is played: every state it went through, and all moves, so that it can be kept in a file and gone on with.

The file holds the moves of every hand, the seed, and the fingerprint of the rules; it is replaced as a whole.  Moves of
players who are policies stand in it as well: a policy that changes later changes nothing of what was played.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trickproof.play.greedy_player import POLICIES
from trickproof.support.atomic_files import write_whole
from trickproof_dsl.compiled.evaluator import Value
from trickproof_dsl.compiled.machine import apply, next_hand, start
from trickproof_dsl.compiled.state import Chance, State
from trickproof_dsl.core.json_codec import fingerprint
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json, ScenarioError
from trickproof_dsl.scenarios.moves import IllegalMoveError, read_move
from trickproof_dsl.scenarios.writing import move_json

FORM = 1


class MatchError(Exception):
    """A file that cannot be gone on from, or cannot be written: why."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a match is played with; `seat` is the person's."""

    seat: int
    policy: str
    seed: int
    parameters: Mapping[str, int]
    readings: Mapping[str, int]

    def as_json(self) -> dict[str, Json]:
        return {
            "seat": self.seat,
            "policy": self.policy,
            "seed": self.seed,
            "params": dict(self.parameters),
            "readings": dict(self.readings),
        }


@dataclass
class Match:
    """The states of a match so far; the last is now."""

    ruleset: Ruleset
    setting: Setting
    states: list[State] = field(default_factory=list)
    moves: list[dict[str, Json] | None] = field(default_factory=list)
    """What led from each state to the next; None is the beginning of another hand."""

    def __post_init__(self) -> None:
        if not self.states:
            chosen = self.setting
            chance = Chance(chosen.seed)
            self.states.append(start(self.ruleset.program, chance, chosen.parameters, chosen.readings))

    @property
    def now(self) -> State:
        return self.states[-1]

    @property
    def hand(self) -> int:
        """The number of the hand, from 1."""
        return 1 + self.moves.count(None)

    @property
    def decisions(self) -> int:
        """How many decisions were made."""
        return len(self.moves)

    def choose(self, choice: Value) -> None:
        """Answers the decision.  Raises ValueError for a choice that is not legal."""
        decision = self.now.decision
        assert decision is not None
        then = apply(self.now, choice)
        self.moves.append(move_json(self.ruleset.program, decision, choice))
        self.states.append(then)

    def go_on(self) -> None:
        """Begins the next hand."""
        self.states.append(next_hand(self.now))
        self.moves.append(None)

    def undo(self) -> bool:
        """Back to the person's last choice, if there is one."""
        seat = self.setting.seat
        for at in reversed(range(len(self.moves))):
            decision = self.states[at].decision
            if decision is not None and decision.player == seat:
                del self.states[at + 1 :], self.moves[at:]
                return True
        return False

    # ------------------------------------------------------------------------------------------- a file

    def save(self, path: Path) -> None:
        """Replaces the file.  Raises MatchError where it cannot be written."""
        told = {
            "form": FORM,
            "ruleset": self.ruleset.id,
            "core": fingerprint(self.ruleset.program),
            **self.setting.as_json(),
            "moves": self.moves,
        }
        try:
            write_whole(path, f"{json.dumps(told, sort_keys=True)}\n".encode())
        except OSError as wrong:
            raise MatchError(f"`{path.name}` cannot be written: {wrong.strerror}") from None


def opened(path: Path, ruleset: Ruleset) -> Match | None:
    """The match of a file; None if there is none.  Raises MatchError for anything else."""
    try:
        told = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except OSError as wrong:
        raise MatchError(f"`{path}` cannot be read: {wrong.strerror}") from None
    except (ValueError, RecursionError):
        raise MatchError(f"`{path}` is no match") from None
    if not isinstance(told, dict) or told.get("form") != FORM or not isinstance(told.get("moves"), list):
        raise MatchError(f"`{path}` is no match")
    if told.get("ruleset") != ruleset.id:
        raise MatchError(f"`{path}` is a match of `{told.get('ruleset')}`, not of `{ruleset.id}`")
    if told.get("core") != fingerprint(ruleset.program):
        raise MatchError(
            f"`{path}` was begun under other rules of `{ruleset.id}`: they have changed; begin another file"
        )
    try:
        return _again(ruleset, told)
    except (KeyError, TypeError, ValueError, ScenarioError, IllegalMoveError):
        raise MatchError(f"`{path}` is no match of `{ruleset.id}`: its moves cannot be played") from None


def _again(ruleset: Ruleset, told: dict[str, Any]) -> Match:
    """The match played again from its moves."""
    program = ruleset.program
    setting = Setting(
        int(told["seat"]),
        str(told["policy"]),
        int(told["seed"]),
        dict(told["params"]),
        dict(told["readings"]),
    )
    known = all(value in program.parameters[name] for name, value in setting.parameters.items())
    read = all(0 <= i < len(program.readings[rule]) for rule, i in setting.readings.items())
    seated = 0 <= setting.seat < program.players and setting.policy in POLICIES
    if not (known and read and seated):
        raise ValueError
    match = Match(ruleset, setting)
    for move in told["moves"]:
        if move is None:
            match.go_on()
        else:
            match.choose(read_move(ruleset, match.now, move))
    return match
