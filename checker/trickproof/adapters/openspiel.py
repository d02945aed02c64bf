"""A ruleset as an OpenSpiel game: `game("pagat")`, or `pyspiel.load_game("trickproof(ruleset=pagat)")`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from trickproof.adapters.game_state import CHANCE, MOST_ACTIONS, NOBODY, Play, Terms, begin, replayed, terms
from trickproof.adapters.observations import View
from trickproof.adapters.policies import Seat, resampled
from trickproof.adapters.settings import Named, RulesetError, ruleset_of, written_name
from trickproof_dsl.library import Ruleset

try:
    import numpy as np
    import pyspiel
except ImportError as missing:
    raise ImportError(
        "trickproof.adapters.openspiel needs OpenSpiel, which is not installed: pip install 'trickproof[peers]'"
    ) from missing

SHORT_NAME = "trickproof"

DEFAULTS: dict[str, Any] = {
    "ruleset": "",
    "match": False,
    "most_hands": 100,
    "most_actions": MOST_ACTIONS,
    "returns": "",
    "most_points": 0,
    "numbers": "",
    "parameters": "",
    "readings": "",
    "seed": -1,
}
"""The game's parameters as OpenSpiel writes them: plain values only; lists as `name:value;name:value`."""

_GIVEN: dict[str, Ruleset] = {}
"""Loaded rulesets that were passed in, by their names in game parameters."""


def game(
    ruleset: Named,
    *,
    match: bool = False,
    most_hands: int = 100,
    most_actions: int = MOST_ACTIONS,
    returns: str | None = None,
    most_points: int | None = None,
    numbers: tuple[int, int] | None = None,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, str | int] | None = None,
    seed: int | None = None,
) -> Any:
    """A `pyspiel.Game` of a ruleset: an id, a path or a loaded `Ruleset`.

    docs/adapters.md explains the options.

    Without a seed, every card dealt is a chance node; with one, all deals are those of `play_match`. Raises
    RulesetError (a ValueError) if there is no such ruleset, parameter or reading.
    """
    given: dict[str, Any] = {
        "ruleset": _called(ruleset),
        "match": match,
        "most_hands": most_hands,
        "most_actions": most_actions,
        "returns": returns or "",
        "most_points": most_points or 0,
        "numbers": "" if numbers is None else f"{numbers[0]}:{numbers[1]}",
        "parameters": _listed(parameters),
        "readings": _listed(readings),
        "seed": -1 if seed is None else seed,
    }
    if most_points is not None and most_points < 1:
        raise RulesetError("`most_points` is at least 1")
    written = _written(given)
    fresh = _read_terms(written)
    if written not in _TERMS or _TERMS[written].program != fresh.program:
        _TERMS[written] = fresh  # the file has changed
    return TrickproofGame(dict(written))


def _called(ruleset: Named) -> str:
    """The name of a ruleset in game parameters: its id or path, if that can be written and loads it.

    OpenSpiel cannot escape `,`, `(`, `)` and `=` there, and a loaded ruleset may differ from its file.
    """
    name = ruleset.named if isinstance(ruleset, Ruleset) else written_name(ruleset)
    plain = "".join("-" if x in ",()=\n" else x for x in name)
    if plain == name and not isinstance(ruleset, Ruleset):
        return name
    loaded = ruleset_of(ruleset)
    if plain == name and _loads(name, loaded):
        return name
    called = f"given:{plain}"
    while called in _GIVEN and _GIVEN[called].program != loaded.program:
        called += "'"
    _GIVEN.setdefault(called, loaded)
    return called


def _loads(name: str, loaded: Ruleset) -> bool:
    """Whether the name loads this ruleset."""
    try:
        return ruleset_of(name).program == loaded.program
    except RulesetError:
        return False


def _listed(given: Mapping[str, str | int] | Mapping[str, int] | None) -> str:
    return ";".join(f"{name}:{value}" for name, value in sorted((given or {}).items()))


def _unlisted(text: str) -> dict[str, str | int]:
    """The mapping that `_listed` wrote; integers are converted."""
    values: dict[str, str | int] = {}
    for pair in filter(None, text.split(";")):
        name, _, value = pair.partition(":")
        values[name] = int(value) if value.lstrip("-").isdigit() else value
    return values


def _written(params: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """The non-default parameters, sorted."""
    return tuple(sorted((k, v) for k, v in params.items() if k in DEFAULTS and v != DEFAULTS[k]))


_TERMS: dict[tuple[tuple[str, Any], ...], Terms] = {}
"""The terms of each set of parameters, shared by all equal games and states."""


def _terms(written: tuple[tuple[str, Any], ...]) -> Terms:
    """The terms for a game's parameters."""
    if written not in _TERMS:
        _TERMS[written] = _read_terms(written)
    return _TERMS[written]


def _read_terms(written: tuple[tuple[str, Any], ...]) -> Terms:
    p: dict[str, Any] = {**DEFAULTS, **dict(written)}
    if not p["ruleset"]:
        raise RulesetError("say which ruleset: trickproof(ruleset=…)")
    return terms(
        _GIVEN.get(p["ruleset"], p["ruleset"]),
        match=p["match"],
        most_hands=p["most_hands"],
        most_actions=p["most_actions"],
        returns=p["returns"] or None,
        most_points=p["most_points"] or None,
        numbers=_range(str(p["numbers"])),
        parameters=_unlisted(p["parameters"]),  # type: ignore[arg-type]
        readings=_unlisted(p["readings"]),
    )


def _range(text: str) -> tuple[int, int] | None:
    """A range written `0:13`, or None."""
    if not text:
        return None
    low, _, high = text.partition(":")
    if not low.lstrip("-").isdigit() or not high.lstrip("-").isdigit():
        raise RulesetError(f"`numbers` is written lowest:highest, not `{text}`")
    return int(low), int(high)


def _game_type(game_terms: Terms | None, seed: int | None) -> Any:
    """The game type; None for the generic one that covers all rulesets."""
    kinds = pyspiel.GameType
    zero_sum = game_terms is not None and game_terms.returns != "points"
    players = 0 if game_terms is None else game_terms.program.players
    return kinds(
        short_name=SHORT_NAME,
        long_name="Trickproof" if game_terms is None else game_terms.ruleset.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if seed is None else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=8 if game_terms is None else players,
        min_num_players=2 if game_terms is None else players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
        default_loadable=False,
    )


class TrickproofGame(pyspiel.Game):  # type: ignore[misc]
    """A match of a ruleset, or a single deal; `terms` are its terms, `view` what players see."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        written = _written(params or {})
        game_terms, seed = _terms(written), dict(written).get("seed")
        cards, (low, high) = len(game_terms.program.deck.cards), game_terms.bounds
        info = pyspiel.GameInfo(
            num_distinct_actions=len(game_terms.actions),
            max_chance_outcomes=cards if seed is None else 0,
            num_players=game_terms.program.players,
            min_utility=low,
            max_utility=high,
            utility_sum=None if game_terms.returns == "points" else 0.0,
            max_game_length=game_terms.most_actions * game_terms.most_hands,
        )
        super().__init__(_game_type(game_terms, seed), info, dict(written))
        self.__dict__["terms"] = game_terms

    # Computed lazily: OpenSpiel creates unpickled games without calling `__init__`.

    @cached_property
    def written(self) -> tuple[tuple[str, Any], ...]:
        """The non-default parameters."""
        return _written(self.get_parameters())

    @cached_property
    def terms(self) -> Terms:
        return _terms(self.written)

    @cached_property
    def seed(self) -> int | None:
        """The seed that fixes all deals, if any."""
        return dict(self.written).get("seed")

    @cached_property
    def view(self) -> View:
        return View(self.terms)

    @cached_property
    def beginning(self) -> Play:
        return begin(self.terms, self.seed)

    def new_initial_state(self) -> TrickproofState:
        return TrickproofState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> TrickproofObserver:
        """What a player sees; raises ValueError for unsupported observation types."""
        return TrickproofObserver(self, iig_obs_type, params)

    def max_chance_nodes_in_history(self) -> int:
        cards = len(self.terms.program.deck.cards)
        return 0 if self.seed is not None else (cards + self.terms.most_actions) * self.terms.most_hands


class TrickproofState(pyspiel.State):  # type: ignore[misc]
    """A state of a game; `play` holds it all."""

    def __init__(self, game: TrickproofGame) -> None:
        super().__init__(game)
        self.play = Written(game.beginning, game.written)

    @property
    def now(self) -> Play:
        """The state itself, with everybody's cards."""
        return self.play.play

    def current_player(self) -> int:
        actor = self.now.actor
        if actor == NOBODY:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if actor == CHANCE else actor

    def is_terminal(self) -> bool:
        return bool(self.now.over)

    def _legal_actions(self, player: int) -> list[int]:
        return self.now.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        outcomes = self.now.legal()
        return [(outcome, 1.0 / len(outcomes)) for outcome in outcomes]

    def _apply_action(self, action: int) -> None:
        self.play = Written(self.now.after(action), self.play.written)

    def _action_to_string(self, player: int, action: int) -> str:
        name = self.now.terms.actions.names[action]
        return f"chance gives {name}" if player == pyspiel.PlayerId.CHANCE else name

    def returns(self) -> list[float]:
        return list(self.now.returns())

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> TrickproofState:
        """A state that the player cannot distinguish from this one, with hidden cards resampled uniformly.

        `sampler` returns numbers from 0 to 1. Raises ValueError for games with a seed, and if no such state
        is found.
        """
        state: TrickproofState = self.get_game().new_initial_state()
        for action in resampled(self.now, player, sampler):
            state.apply_action(action)
        return state

    def __str__(self) -> str:
        """The complete state, every card of every zone."""
        play = self.now
        return f"{play.described()}\npicked {list(play.picked)}, {play.taken} asked in hand {play.hands} {play.over}"


def bot(game: Any, seat: int, policy: str = "search:200", seed: int = 0) -> Any:
    """A `pyspiel.Bot` for one seat of a game made here: `random`, `greedy`, `search:N`, or one for each seat.

    It sees only what its player sees. `dealer=search:50,left=greedy` means its player's seat in each deal.

    The same seed makes the same choices. Raises RulesetError if there is no such seat or policy.
    """
    return TrickproofBot(Seat(game.terms, seat, policy, seed))


class TrickproofBot(pyspiel.Bot):  # type: ignore[misc]
    """Plays one seat."""

    def __init__(self, seat: Seat) -> None:
        super().__init__()
        self.seat = seat

    def step(self, state: TrickproofState) -> int:
        """The bot's action. Raises ValueError if it is not its turn."""
        return self.seat.action(state.now)

    def restart_at(self, state: TrickproofState) -> None:
        """No-op: the bot has no state that depends on the game state."""

    def restart(self) -> None:
        """No-op: the bot has no state that depends on the game."""

    def provides_policy(self) -> bool:
        return False


class Written:
    """A play that is copied by reference and pickled as its actions."""

    __slots__ = ("play", "written")

    def __init__(self, play: Play, written: tuple[tuple[str, Any], ...]) -> None:
        self.play, self.written = play, written

    def __deepcopy__(self, _: object) -> Written:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _read, (self.written, self.play.seed, self.play.history)


def _read(written: tuple[tuple[str, Any], ...], seed: int | None, actions: list[int]) -> Written:
    return Written(replayed(_terms(written), seed, actions), written)


class TrickproofObserver:
    """What a player sees of a state now: `dict` holds named parts of `tensor` (float32).

    With perfect recall, only strings are available.
    """

    def __init__(self, game: TrickproofGame, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"there are no parameters of observations, found {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("only what one player sees, public and private together, can be observed")
        self.view, self.recall = game.view, kind.perfect_recall
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not self.recall:
            self.tensor, start = np.zeros(self.view.size, np.float32), 0
            for name, shape in self.view.pieces:
                size = int(np.prod(shape))
                self.dict[name] = self.tensor[start : start + size].reshape(shape)
                start += size

    def set_from(self, state: TrickproofState, player: int) -> None:
        """Fill the tensor with what the player sees."""
        if self.tensor is not None:
            self.tensor[:] = self.view.numbers(state.now, player)

    def string_from(self, state: TrickproofState, player: int) -> str:
        """What the player sees, in words."""
        view = self.view
        return view.remembered(state.now, player) if self.recall else view.now(state.now, player)


pyspiel.register_game(_game_type(None, None), TrickproofGame)
