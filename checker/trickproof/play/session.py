"""A person's match: what is shown, asked, refused and saved, decision by decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from enum import Enum
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

from trickproof.analysis.points import points_of
from trickproof.english.inflection import counted, listed
from trickproof.english.seats import Names
from trickproof.play.display import View
from trickproof.play.explanations import RuleExplanations
from trickproof.play.input import NotUnderstoodError, read_choice
from trickproof.play.opponents import Opponents
from trickproof.play.saved_match import Match
from trickproof.reports.markdown import rendered
from trickproof.reports.text import Page
from trickproof.simulate.ir.calling_convention import BeyondError
from trickproof_dsl import core as c
from trickproof_dsl.compiled.state import State
from trickproof_dsl.core.traversal import nodes_in
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.events import Event
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.values import Value

BEST_STYLE = "by the strategy that did best in trial matches"
"""How the deals behind a hint are played out."""

HELP = """\
type the number of an option, or a card (`AS`, `as`, `10s`); put spaces between several; `none` for no card
  show        show the table again
  rules       list the rules; `rules NAME` explains one, `rules all` explains them all
  hint        show the average result of each option, in points for this deal; `hint CARDS`: only for those cards
  undo        undo your last choice
  quit        leave the match; so does Ctrl-D"""

MOST_CHOICES = 200_000
"""Maximum number of decisions in a match: some rules allow one that never ends."""


class Outcome(Enum):
    """How a session ended."""

    OVER = "over"
    LEFT = "left"
    ENOUGH = "enough"
    BROKEN = "broken"
    LIMIT = "limit"


class Session:
    """One sitting; `say` prints a line, `ask` returns the person's input, None at end of input.

    `working` surrounds what may take a while.
    """

    def __init__(
        self,
        match: Match,
        page: Page,
        say: Callable[[str], None],
        ask: Callable[[], str | None],
        path: Path | None = None,
        hands: int | None = None,
        working: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        self.match, self.page, self.path, self.hands = match, page, path, hands
        self._print, self._ask, self._working = say, ask, working
        self.opponents = Opponents(match)
        self.view = View(match.ruleset, match.setting.seat, page)
        self._rules: RuleExplanations | None = None
        self._secret = secret_labels(match.ruleset.program)
        self._events_shown = 0
        """How many events of this deal have been shown."""
        self._headed = 0
        """The last deal of which a heading has been shown."""

    @property
    def rules(self) -> RuleExplanations:
        self._rules = self._rules or RuleExplanations(self.match.ruleset, self.page)
        return self._rules

    def _say(self, line: str) -> None:
        """Print one line, with red-suit cards in red."""
        for part in line.splitlines() or [""]:
            for shown in self.page.verbatim(part) if "\x1b" not in part else [part]:
                self._print(self.page.suits_coloured(shown))

    def play(self) -> Outcome:
        """Play until the match is over, the person leaves, or the engine reaches a limit.

        Raises MatchError if the match cannot be saved.
        """
        try:
            return self._play()
        except EngineLimitError as limit:
            self._say(
                f"the match cannot continue, because of a limit of the program, not of the rules: {limit.message}"
            )
            self._save()
            return Outcome.LIMIT

    def _play(self) -> Outcome:
        self._events_shown = (
            len(_without_last(list(self.match.now.events), "play")) if self.match.decisions else 0
        )
        while self.match.decisions < MOST_CHOICES:
            state = self.match.now
            if state.fault is not None:
                self._show_events(state)
                self._say(f"the rules fail here: {state.fault.message}")
                return Outcome.BROKEN
            if state.decision is None:
                ended = self._hand_over(state)
                if ended is not None:
                    return ended
            elif state.decision.player == self.match.setting.seat:
                if not self._ask_person(state, state.decision):
                    return Outcome.LEFT
            else:
                with self._working():
                    chosen = self.opponents.choose(state, state.decision)
                self.match.choose(chosen)
        return Outcome.ENOUGH

    def _save(self) -> None:
        if self.path is not None:
            self.match.save(self.path)

    # ------------------------------------------------------------------------------------- end of a deal

    def _hand_over(self, state: State) -> Outcome | None:
        """Show the result and begin the next deal."""
        self._show_events(state)
        self._say("")
        self._say(self.page.styled(f"end of deal {self.match.hand}", "strong"))
        for line in self.view.standing(state):
            self._say(line)
        if state.match_over:
            self._say("")
            seat, won = self.match.setting.seat, state.winners
            names = Names(self.view.name, str, seat).listed(won)
            verb = "win" if len(won) > 1 or seat in won else "wins"
            self._say(self.page.styled(f"the match is over: {names} {verb}", "strong"))
            self._save()
            return Outcome.OVER
        if self.hands is not None and self.match.hand >= self.hands:
            self._save()
            return Outcome.ENOUGH
        self.match.begin_next_hand()
        self._events_shown = 0
        self._save()
        return None

    # ------------------------------------------------------------------------------- the person's choice

    def _ask_person(self, state: State, decision: Decision) -> bool:
        """Ask until the choice is legal; return whether the person stays."""
        self._show_events(state, decision)
        listed = self.view.listed(decision, self.match.hidden_order())
        self._show(state, decision, listed)
        while (text := self._ask()) is not None:
            word, _, rest = text.strip().lower().partition(" ")
            if word in ("quit", "exit") or text.strip() == "q":  # `Q` is the beginning of a card
                break
            if word == "undo":
                if self.match.undo():
                    self.opponents.forget()
                    self._events_shown = len(_without_last(list(self.match.now.events), "play"))
                    self._save()
                    self._say("undone")
                    return True
                self._say("there is nothing to undo")
            elif word in _COMMANDS:
                _COMMANDS[word](self, state, decision, rest.strip())
            elif self._chosen(state, decision, listed, text):
                return True
        self._save()
        return False

    def _chosen(self, state: State, decision: Decision, listed: list[Value], text: str) -> bool:
        try:
            choice = read_choice(self.match.ruleset.program, decision, listed, text)
        except NotUnderstoodError as wrong:
            self._say(str(wrong))
            return False
        if not decision.allows(choice):
            for line in self._refused(state, decision, choice):
                self._say(line)
            return False
        self.match.choose(choice)
        self._save()
        return True

    def _refused(self, state: State, decision: Decision, choice: Any) -> Iterator[str]:
        """Why a choice is illegal: the rule in words, with its citations and assumptions."""
        if decision.type == c.CARDS:
            verb = self.view.verb(decision)
            outside = self.view.sorted(choice - frozenset(decision.legal))
            holder = decision.player if decision.whose is None else decision.whose
            missing = [x for x in outside if x not in state.zones.get(("hand", holder), ())]
            if not outside:
                least = "" if decision.low == decision.high else f"{decision.low} to "
                several = "; type all of them on one line" if decision.high > 1 else ""
                yield f"Illegal: {verb} {least}{counted(decision.high, 'card')}, not {len(choice)}{several}"
                return
            elif missing and set(decision.legal) <= set(state.zones.get(("hand", holder), ())):
                yield f"Illegal: you do not hold {listed([self.view.cards([x]) for x in missing], 'or')}"
                return
            elif (suit := self.view.suit_to_follow(state, decision)) is not None:
                yield f"Illegal: you must follow suit ({suit})"
            else:
                yield f"Illegal: you may not {verb} {self.view.cards(outside)}"
        else:
            yield f"Illegal: you may not choose {self.view.value(decision.type, choice)}"
        yield from self.rules.explain(decision.rule, state)

    # ---------------------------------------------------------------------------------------------- output

    def _show_events(self, state: State, decision: Decision | None = None) -> None:
        events = list(state.events[self._events_shown :])
        if decision is not None and decision.label in self._secret:
            events = _without_last(events, decision.label)
        elif decision is not None and self.view.trick(state) is not None:
            events = _without_last(events, "play")
        lines = list(self.view.events(events, state))
        if lines and not self._events_shown and self.match.hand not in (1, self._headed):
            self._say("")
            self._say(self.page.styled(f"deal {self.match.hand} begins", "strong"))
        self._events_shown += len(events)
        for line in lines:
            for part in self.page.wrapped(line, "- ", 4):
                self._say(part)

    def _show(self, state: State, decision: Decision, listed: list[Value]) -> None:
        self._say("")
        self._headed = self.match.hand
        self._say(self.page.styled(self.view.heading(state, self.match.hand), "strong"))
        lines = [*self.view.standing(state), *self.view.more(state)]
        trick = self.view.trick(state)
        for line in [*lines, *([trick] if trick else []), *self.view.hand(state)]:
            self._say(line)
        self._say(f"{self.view.question(decision)}:")
        for line in self._options(decision, listed):
            self._say(line)

    def _options(self, decision: Decision, listed: list[Value]) -> Iterator[str]:
        if decision.type == c.INTEGER:
            yield from self.page.wrapped(f"a number: {', '.join(_runs(decision.legal))}", "  ", 6)
            return
        if decision.type == c.CARDS and decision.blind:
            yield f"  numbers from 1 to {len(listed)}: the cards are hidden"
            return
        kind = c.CARD if decision.type == c.CARDS else decision.type
        texts = [self.view.value(kind, value) for value in listed]
        digits = len(str(len(texts)))
        yield from self.page.across([f"{n:>{digits}} {text}" for n, text in enumerate(texts, 1)])

    # --------------------------------------------------------------------------------------- commands

    def _help(self, state: State, decision: Decision, rest: str) -> None:
        self._say(HELP)

    def _show_again(self, state: State, decision: Decision, rest: str) -> None:
        self._show(state, decision, self.view.listed(decision, self.match.hidden_order()))

    def _hint(self, state: State, decision: Decision, rest: str) -> None:
        """Every option with its expected points; of many sets of cards, the one asked for, or the best ones found."""
        if (decision.type.kind != "cards" and len(decision.legal) == 1) or _forced(decision):
            self._say("there is only one choice")
            return
        shown = self.view.listed(decision, self.match.hidden_order())
        wanted: list[Value] = []
        try:
            if rest and decision.of_cards and not decision.blind:
                wanted = [read_choice(self.match.ruleset.program, decision, shown, rest)]
                if not decision.allows(wanted[0]):
                    self._say("\n".join(self._refused(state, decision, wanted[0])))
                    return
            with self._working():
                options = self.opponents.hint(decision, wanted)
        except NotUnderstoodError as wrong:
            self._say(str(wrong))
            return
        except BeyondError as wrong:
            self._say(f"no hint: {wrong.message}")
            return
        if not options:
            self._say("no hint: this choice is hidden, or has too many options to compare")
            return
        options = [x for x in options if x.choice in wanted] or options
        for option in options:
            error = f" ±{option.error:.2f}" if option.error < float("inf") else ""
            self._say(f"  {self._named(decision, option.choice)}: {option.points:+.2f}{error}")
        number = _options_of(decision)
        if len(options) < number and not wanted:
            found = f"the best {len(options)} found among {number:,} options"
            self._say(f"{found}; to see another, type `hint` and its cards")
        if len(options) > 1 and options[0].points - options[-1].points <= min(x.error for x in options):
            self._say("no clear difference between these options")
        self._say_wrapped(self._about_hints())

    def _say_wrapped(self, text: str) -> None:
        for line in self.page.wrapped(text, hang=4):
            self._say(line)

    def _about_hints(self) -> str:
        """What the figures of a hint mean."""
        program, seat = self.match.ruleset.program, self.match.setting.seat
        added = ", the scores of your side added up," * any(seat in team for team in program.teams)
        how = "at random" if self.opponents.hints_at_random else BEST_STYLE
        against = "; points against you count as negative: higher is better"
        return (
            f"average points for this deal{added} if everybody, including you, plays the rest of it {how}; "
            f"95% intervals{against * (points_of(program).sign < 0)}"
        )

    def _named(self, decision: Decision, choice: Value) -> str:
        if isinstance(choice, frozenset):
            return self.view.cards(self.view.sorted(choice)) or "none"
        return self.view.value(decision.type, choice)

    def _rule(self, state: State, decision: Decision, rest: str) -> None:
        known = self.rules.names()
        name = rest.replace(" ", "-")
        if name == "all":
            from trickproof.reports.rulesets.rulesheet import rulesheet

            self._say(rendered(rulesheet(self.match.ruleset, "md"), self.page))
        elif (found := self.rules.find(rest)) is not None:
            for line in self.rules.explain(found, state):
                self._say(line)
        else:
            alike = [rule for rule in known if name and rule.startswith(name)]
            if alike:
                listed = f"rules that begin with `{name}`: {', '.join(alike)}"
            else:
                listed = f"rules: {', '.join(known)}"
                if name:
                    self._say(f"there is no rule `{rest}`")
            self._say_wrapped(listed)
            self._say_wrapped(
                f"`{decision.rule}` decides what you may choose now; `rules all` explains every rule"
            )


_COMMANDS: dict[str, Callable[[Session, State, Decision, str], None]] = {
    "help": Session._help,
    "?": Session._help,
    "show": Session._show_again,
    "hint": Session._hint,
    "rules": Session._rule,
    "rule": Session._rule,
}


def _options_of(decision: Decision) -> int:
    """How many choices are legal."""
    if not decision.of_cards:
        return len(decision.legal)
    return sum(comb(len(decision.legal), n) for n in range(decision.low, decision.high + 1))


def _forced(decision: Decision) -> bool:
    """Whether only one set of cards can be chosen."""
    return decision.of_cards and decision.low == decision.high == len(decision.legal)


def secret_labels(program: c.Program) -> frozenset[str]:
    """Choices that several players make simultaneously: they are stored in variables that rules cannot name."""
    labels = set()
    waiting: list[object] = [*program.phases]
    while waiting:
        body = waiting.pop()
        steps = nodes_in(body)
        for one, other in pairwise(steps):
            if isinstance(one, c.ChooseValue) and isinstance(other, c.Assign) and "." in other.variable:
                labels.add(one.label)
        waiting += [getattr(step, name, ()) for step in steps for name in ("body", "then", "otherwise")]
    return frozenset(labels)


def _runs(numbers: Iterable[int]) -> list[str]:
    """Sorted numbers with consecutive ones joined: "1 to 4", "7"."""
    runs: list[list[int]] = []
    for n in sorted(numbers):
        if runs and n == runs[-1][-1] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    return [str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs]


def _without_last(events: list[Event], label: str) -> list[Event]:
    """The events without a trailing run of one name."""
    while events and events[-1].name == label:
        events = events[:-1]
    return events
