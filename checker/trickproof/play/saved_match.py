"""A match in progress: every state and every move so far, saved to a file and resumed from it.

The file has the moves of every deal, the seed, and the fingerprint of the rules; it is replaced atomically.
It includes the policies' moves, so that a later change to a policy does not affect what was played.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from trickproof.simulate.options import policies
from trickproof.support.atomic_files import write_atomically
from trickproof.support.typed_json import newer_form, typed
from trickproof_dsl.compiled.machine import apply, next_hand, start
from trickproof_dsl.compiled.state import State
from trickproof_dsl.core.json_codec import fingerprint
from trickproof_dsl.files.regular_file import read_regular
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json, ScenarioError, shown
from trickproof_dsl.scenarios.moves import IllegalMoveError, read_move
from trickproof_dsl.scenarios.strict_json import BadJsonError, read_json
from trickproof_dsl.scenarios.writing import move_json
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.values import Value

FORMAT = 1

MAX_BYTES = 4 * 1024 * 1024
"""Maximum size of a match file, in bytes; a deal takes a few thousand."""


STRIDE = 256
"""Number of moves between stored states."""


class MatchError(Exception):
    """Why a file cannot be resumed from or written."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The settings of a match; `seat` is the person's."""

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
    """A match so far: its moves, and the resulting states.

    Only every `STRIDE`-th state is stored, since each holds all events of its deal; the others are
    recomputed.
    """

    ruleset: Ruleset
    setting: Setting
    states: list[State] = field(default_factory=list, init=False)
    """The first state, and the one after every `STRIDE` moves."""
    moves: list[dict[str, Json] | None] = field(default_factory=list, init=False)
    """The transition from each state to the next; None begins another deal."""

    def __post_init__(self) -> None:
        chosen = self.setting
        chance = Chance(chosen.seed)
        self.now = start(self.ruleset.program, chance, chosen.parameters, chosen.readings)
        self.states.append(self.now)

    @property
    def hand(self) -> int:
        """The number of the deal, from 1."""
        return 1 + self.moves.count(None)

    @property
    def decisions(self) -> int:
        """The number of decisions so far, including the starts of deals."""
        return len(self.moves)

    def hidden_order(self) -> Random:
        """The random order in which hidden cards are listed at this point, so that it reveals nothing."""
        return Random(f"{self.setting.seed}/{self.decisions}/hidden")

    def choose(self, choice: Value) -> None:
        """Answer the decision. Raises ValueError for an illegal choice."""
        decision = self.now.decision
        assert decision is not None
        then = apply(self.now, choice)
        self._add(move_json(self.ruleset.program, decision, choice), then)

    def begin_next_hand(self) -> None:
        """Begin the next deal."""
        self._add(None, next_hand(self.now))

    def play_on(self, moves: Iterable[Any]) -> None:
        """Make moves, of which None begins the next deal. Raises what `read_move` and `choose` raise."""
        for move in moves:
            if move is None:
                self.begin_next_hand()
            else:
                self.choose(read_move(self.ruleset, self.now, move))

    def undo(self) -> bool:
        """Go back to the person's last choice, if any; return whether there was one."""
        seat = self.setting.seat
        for at in reversed(range(len(self.moves))):
            move = self.moves[at]
            if move is not None and move["player"] == seat:
                self._back_to(at)
                return True
        return False

    def _add(self, move: dict[str, Json] | None, then: State) -> None:
        self.moves.append(move)
        self.now = then
        if len(self.moves) % STRIDE == 0:
            self.states.append(then)

    def _back_to(self, number: int) -> None:
        """Restore the match to its state after `number` moves."""
        now = self.state_at(number)
        del self.states[number // STRIDE + 1 :]
        del self.moves[number:]
        self.now = now

    def state_at(self, number: int) -> State:
        """The state after `number` moves, recomputed from the last stored one."""
        state = self.states[number // STRIDE]
        for move in self.moves[number // STRIDE * STRIDE : number]:
            state = next_hand(state) if move is None else apply(state, read_move(self.ruleset, state, move))
        return state

    # ------------------------------------------------------------------------------------------- saving

    def save(self, path: Path) -> None:
        """Replace the file. Raises MatchError if it cannot be written."""
        payload = {
            "form": FORMAT,
            "ruleset": self.ruleset.id,
            "core": fingerprint(self.ruleset.program),
            **self.setting.as_json(),
            "moves": self.moves,
        }
        try:
            write_atomically(path, f"{json.dumps(payload, sort_keys=True)}\n".encode())
        except OSError as wrong:
            raise MatchError(f"`{path}` cannot be written: {wrong.strerror}") from None


def load_match(path: Path, ruleset: Ruleset) -> Match | None:
    """The match in a file; None if there is none. Raises MatchError if it cannot be resumed."""
    try:
        payload = read_json(read_regular(path, MAX_BYTES))
    except FileNotFoundError:
        return None
    except OSError as wrong:
        raise MatchError(f"`{path}` cannot be read: {wrong.strerror}") from None
    except BadJsonError as wrong:
        raise MatchError(f"`{path}` is not a saved match: it is not JSON ({wrong.reason})") from None
    except ValueError:
        raise MatchError(f"`{path}` cannot be read: no file can have this name") from None
    form = payload.get("form") if isinstance(payload, dict) else None
    if (why := newer_form(form, FORMAT)) is not None:
        raise MatchError(f"`{path}` {why}")
    if type(form) is not int or form != FORMAT or not isinstance(payload.get("moves"), list):
        raise MatchError(f"`{path}` is not a saved match")
    if payload.get("ruleset") != ruleset.id:
        raise MatchError(f"`{path}` is a match of `{shown(payload.get('ruleset'))}`, not of `{ruleset.id}`")
    if payload.get("core") != fingerprint(ruleset.program):
        raise MatchError(
            f"`{path}` was begun under other rules of `{ruleset.id}`: they have changed since, or trickproof has; "
            "name another file"
        )
    try:
        return _replayed(ruleset, payload)
    except (KeyError, TypeError, ValueError, ScenarioError, IllegalMoveError, EngineLimitError):
        raise MatchError(f"`{path}` is not a match of `{ruleset.id}`: its moves cannot be played") from None


def _replayed(ruleset: Ruleset, payload: dict[str, Any]) -> Match:
    """The match, replayed from its moves. Raises what `load_match` catches."""
    program = ruleset.program
    setting = Setting(
        typed(int, payload["seat"]),
        typed(str, payload["policy"]),
        typed(int, payload["seed"]),
        typed(dict[str, int], payload["params"]),
        typed(dict[str, int], payload["readings"]),
    )
    parameters_fit = all(value in program.parameters[name] for name, value in setting.parameters.items())
    readings_fit = all(0 <= i < len(program.readings[rule]) for rule, i in setting.readings.items())
    policies(setting.policy, program.players)
    if not (parameters_fit and readings_fit and 0 <= setting.seat < program.players):
        raise ValueError
    match = Match(ruleset, setting)
    match.play_on(payload["moves"])
    return match
