"""`trickproof play RULESET`: a match in the terminal against policies."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING

import click

from trickproof.cli.console.printing import page as report_page, say, warn
from trickproof.cli.console.progress import progress
from trickproof.cli.loading import load_all
from trickproof.cli.shared_options import Count, param_option, reading_option
from trickproof.cli.shell_completion import complete_policies, complete_rulesets
from trickproof.support.bundled import bundled_library
from trickproof.support.exit_codes import Exit

if TYPE_CHECKING:
    from trickproof.play.saved_match import Match, Setting
    from trickproof_dsl.library import Ruleset

SEEDS = 1_000_000
"""Upper bound of the seed that is drawn if none is given."""

POLICY = "greedy"
"""How the others play unless told otherwise."""

LONGEST_TYPED = 10_000
"""Characters of a line that is read."""


@click.command()
@click.argument("ruleset", shell_complete=complete_rulesets)
@click.option(
    "--seat",
    help="Your seat in the first deal: `dealer`, `left`, `right` and so on, or a number clockwise from the "
    "dealer's, 0.  [default: dealer]",
)
@click.option(
    "--policy",
    shell_complete=complete_policies,
    help=f"How the others play: `random`, `greedy`, `search:N`, or by seat as in `simulate`.  [default: {POLICY}]",
)
@click.option(
    "--seed",
    type=int,
    help="Seed of the deals and the other players; default: random in a terminal, otherwise 0.",
)
@click.option("--hands", "--deals", type=Count(1), help="Stop after N deals.")
@param_option
@reading_option
@click.option("--state", metavar="FILE", help="Save the match in a file, and resume it.")
def command(
    ruleset: str,
    seat: str | None,
    policy: str | None,
    seed: int | None,
    hands: int | None,
    param: tuple[str, ...],
    reading: tuple[str, ...],
    state: str | None,
) -> None:
    """Play a match in the terminal against policies.

    Options are numbered; type a number, a card (`AS`, `as`), or `help`. An illegal move is refused, and the rule is shown.
    With --state the match is saved after every choice and can be resumed. Without a terminal the choices are
    read line by line from standard input.

    Exit code 0, also when you leave; 1 if the rules fail at run time; 2 for a file that cannot be resumed; 3 if a
    number or a loop exceeds what the program handles; 130 after Ctrl-C.
    """
    from trickproof.play.saved_match import MatchError
    from trickproof.simulate.ir.calling_convention import BeyondError
    from trickproof_dsl.semantics.faults import EngineLimitError

    (loaded,) = load_all(bundled_library(), [ruleset])
    path = None if state is None else Path(state)
    try:
        with progress(None, "preparing the match", at_once=False):
            place = None if seat is None else _seat(seat, loaded.program.players)
            match = _match(loaded, (place, policy, seed), param, reading, path)
        sys.exit(_played(match, path, hands, ruleset))
    except MatchError as wrong:
        raise click.UsageError(f"--state: {wrong}") from None
    except BeyondError as wrong:
        raise click.UsageError(f"{ruleset} cannot be searched: {wrong.message}") from None
    except EngineLimitError as limit:
        say(f"the match cannot begin, because of a limit of the program, not of the rules: {limit.message}")
        sys.exit(Exit.UNDECIDED)


def _seat(text: str, players: int) -> int:
    """The number of a seat that is given by its name or number. Raises UsageError."""
    from trickproof.english.inflection import listed
    from trickproof.english.seats import seat_names

    names = [name.replace(" ", "-") for name in seat_names(players)]
    for seat, name in enumerate(names):
        if text.lower() in (name, str(seat)):
            return seat
    known = listed([f"`{name}`" for name in names], "or")
    raise click.UsageError(f"--seat: expected {known}, or a number from 0 to {players - 1}, not `{text}`")


def _match(
    ruleset: Ruleset,
    chosen: tuple[int | None, str | None, int | None],
    param: tuple[str, ...],
    reading: tuple[str, ...],
    path: Path | None,
) -> Match:
    """The match of the file, or a new one. Raises MatchError."""
    from trickproof.play.saved_match import Match, MatchError, load_match

    match = load_match(path, ruleset) if path is not None else None
    if match is None:
        begun = Match(ruleset, _setting(ruleset, chosen, param, reading))
        if path is not None:
            begun.save(path)
        return begun
    setting = match.setting
    for name, option, value in zip(
        ("seat", "policy", "seed"), chosen, (setting.seat, setting.policy, setting.seed), strict=True
    ):
        if option is not None and option != value:
            raise MatchError(
                f"`{path}` was started with --{name} {value}: leave out --{name}, or name another file"
            )
    if param or reading:
        raise MatchError(f"`{path}` already has parameters and readings: leave out --param and --reading")
    return match


def _setting(
    ruleset: Ruleset,
    options: tuple[int | None, str | None, int | None],
    param: tuple[str, ...],
    reading: tuple[str, ...],
) -> Setting:
    from trickproof.play.saved_match import Setting
    from trickproof.simulate.options import ChoiceError, parameters, readings, same_policies

    program, (seat, policy, seed) = ruleset.program, options
    try:
        chosen, read = parameters(param, program), readings(reading, program)
        policy = same_policies(policy or POLICY, program.players)
    except ChoiceError as wrong:
        raise click.UsageError(str(wrong)) from None
    for name, value in chosen.items():
        if value not in program.parameters[name]:
            allowed = " or ".join(map(str, program.parameters[name]))
            raise click.UsageError(f"--param: `{name}` must be {allowed}, not {value}")
    if seed is None:
        seed = SystemRandom().randrange(SEEDS) if sys.stdin.isatty() else 0
    return Setting(seat or 0, policy, seed, chosen, read)


def _played(match: Match, path: Path | None, hands: int | None, name: str) -> Exit:
    """One sitting."""
    from trickproof.english.seats import at_first
    from trickproof.play.session import Outcome, Session

    setting, page = match.setting, report_page()
    for line in (
        f"{match.ruleset.title}: {at_first(setting.seat, match.ruleset.program.players)}.",
        f"The other players use the {setting.policy} policy; seed {setting.seed}; type `help` for commands.",
    ):
        say("\n".join(page.wrapped(line, hang=2)), page.terminal)
    if match.decisions:
        say(f"Resuming {'after' if match.now.decision is None else 'at'} deal {match.hand}.")
    with suppress(ImportError):  # a line can then be edited; without it there is no harm
        import readline  # noqa: F401
    session = Session(
        match,
        page,
        lambda line: say(line, page.terminal),
        _typed,
        path,
        hands,
        working=lambda: progress(None, "searching", at_once=False),
    )
    try:
        outcome = session.play()
    except KeyboardInterrupt:
        say("")
        warn(_how_to_go_on(path, name))
        return Exit.INTERRUPTED
    if outcome in (Outcome.LEFT, Outcome.ENOUGH):
        enough = outcome is Outcome.ENOUGH and hands is not None and match.hand >= hands
        said = f"Stopped after deal {hands}, as `--hands` says. " if enough else ""
        say("\n".join(page.wrapped(said + _how_to_go_on(path, name), hang=2)))
    if outcome is Outcome.LIMIT:
        return Exit.UNDECIDED
    return Exit.NEGATIVE if outcome is Outcome.BROKEN else Exit.GOOD


def _how_to_go_on(path: Path | None, name: str) -> str:
    if path is None:
        return "Match not saved; use --state FILE to save it and resume."
    return f"Match saved. Resume with: trickproof play {name} --state {path}"


def _typed() -> str | None:
    """A line, or None at the end of the input; what does not come from a terminal is shown."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        try:
            return input("> ")
        except EOFError:
            say("")
            return None
    line = sys.stdin.readline(LONGEST_TYPED + 1)
    if not line:
        return None
    if len(line) > LONGEST_TYPED:
        raise click.UsageError(f"a line of standard input is longer than {LONGEST_TYPED} characters")
    text = line.rstrip("\r\n")
    say(f"> {text}")
    return text
