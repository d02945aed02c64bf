"""What search builds once for a program: the record form, the machine that plays rollouts, the points of a hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trickproof.analysis.points import points_of
from trickproof.information.record import RecordForm
from trickproof.search.bids import Lines, lines_of
from trickproof.search.kept_style import kept_style
from trickproof.search.tuning import tuned
from trickproof.simulate.ir.calling_convention import LLVM, BeyondError
from trickproof.simulate.lowering.data_layout import DataLayout
from trickproof.simulate.policies.auto import AutoPolicy
from trickproof.simulate.script.looking import looker
from trickproof.simulate.script.looking_layout import form_words, told_words
from trickproof.simulate.script.machine import ScriptMachine
from trickproof.simulate.script.program import RESULT_WORDS, compile_script
from trickproof.simulate.script.trials import IO_WORDS
from trickproof.testing.bids import line_words
from trickproof_dsl import core as c

MOST_CARDS = 63
"""Maximum number of positions of cards in a word of a record, which is negative if it stands for something else."""


class SearchEngine:
    """Shared by all searching players of one program.  Raises BeyondError if the program has no integer form."""

    def __init__(self, program: c.Program, backend: str) -> None:
        self._program, self.form, self.backend = program, RecordForm(program), backend
        self.points = points_of(program)
        self.layout = DataLayout(program)
        self.deck: int = self.layout.all_cards
        if self.deck.bit_length() > MOST_CARDS:
            suits, ranks = len(program.deck.suits), len(program.deck.ranks)
            raise BeyondError(
                f"search takes at most {MOST_CARDS} cards, and {suits} suits of {ranks} ranks are more"
            )
        self._script = compile_script(self.form, AutoPolicy(IO_WORDS), self.points.variable)
        teams = program.teams or tuple((p,) for p in range(program.players))
        self._partners = {p: team for team in teams for p in team}
        self._teams = {p: sum(1 << q for q in team) for p, team in self._partners.items()}
        words = {key: i for i, key in enumerate(self.form.header)}
        name = self.points.variable
        self._before = [words[(name, p)] if name else 0 for p in range(program.players)]
        self.machine = ScriptMachine(self._script, backend)
        answers = self.machine.packed([0] * (RESULT_WORDS * 65))
        self.looking = (
            looker(self.machine),
            form_words(self.form, self.deck, self.machine),
            answers,
            told_words(),
        )
        """The routine that finds out what a player knows, and the arrays that all its calls share."""
        self._styles: dict[str, list[int]] = {}
        self._lines: dict[str, Lines] = {}
        self.bind({}, {})

    def bind(self, parameters: Mapping[str, int], readings: Mapping[str, int]) -> None:
        """Set the parameters and readings for all later calls."""
        self._bound = parameters, readings
        self._bound_key = str([sorted(x.items()) for x in self._bound])
        self._bind()

    def _bind(self) -> None:
        lines = self._lines.get(self._bound_key, {})
        self.machine.bind(*self._bound, line_words(self._program, lines))

    def lines(self) -> Lines:
        """The lines by which everybody bids, by choice; they are looked for when this is first called."""
        if self._bound_key not in self._lines:
            self._lines[self._bound_key] = lines_of(self._program, self.backend, *self._bound)
            self._bind()
        return self._lines[self._bound_key]

    @property
    def styles(self) -> list[int]:
        """How everybody plays in rollouts: by the style that is tuned to the ruleset with its parameters and readings."""
        styles = self._styles.get(self._bound_key)
        if styles is None:
            self.lines()  # the style is tuned among players who bid by them
            find = tuned if self.backend == LLVM else kept_style
            styles = [find(self, *self._bound)] * self.form.program.players
            self._styles[self._bound_key] = styles
        return styles

    def team(self, player: int) -> int:
        """A player and partners, as a mask."""
        return self._teams[player]

    def before(self, player: int, header: Sequence[int]) -> int:
        """The baseline of their points: what they had before the hand, if the change is what counts."""
        return sum(header[self._before[p]] for p in self._partners[player]) if self.points.change else 0
