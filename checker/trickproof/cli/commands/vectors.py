"""`trickproof vectors RULESET`: test vectors for people who implement the game, as JSON Lines."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from trickproof.cli.console.input_file import InputFile, InputFileType
from trickproof.cli.console.printing import messages, page, print_json, print_json_line, say, warn
from trickproof.cli.console.progress import progress
from trickproof.cli.loading import load_all
from trickproof.cli.shell_completion import complete_rulesets
from trickproof.support.bundled import bundled_library
from trickproof.support.exit_codes import Exit

if TYPE_CHECKING:
    from trickproof_dsl.library import Ruleset

NUMBER = 100
"""Vectors written unless told otherwise."""


@click.command()
@click.argument("ruleset", required=False, shell_complete=complete_rulesets)
@click.option(
    "-n",
    "number",
    type=click.IntRange(1),
    help=f"Number of vectors to write; with --cover, the maximum.  [default: {NUMBER}]",
)
@click.option(
    "--cover", is_flag=True, help="A small set of vectors that covers every clause and boundary of the rules."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of deals and choices.")
@click.option(
    "--verify",
    type=InputFileType(),
    metavar="FILE",
    help="Verify a file of vectors (or `-`) against the rules instead of writing any.",
)
@click.option(
    "--json",
    "as_json_",
    is_flag=True,
    help="With --verify: output JSON. Vectors are always JSON Lines.",
)
def command(
    ruleset: str | None, number: int | None, cover: bool, seed: int, verify: InputFile | None, as_json_: bool
) -> None:
    """Write test vectors: scenarios with the events and states that the reference interpreter produces.

    Each line holds `id`, `covers`, `scenario` (as `replay` reads it), `expected` (as `replay` answers it) and `following`
    (what a complete deal passes on to the next). Without --cover, they are randomly played deals that stop anywhere.
    The same ruleset, number and seed give the same bytes.

    With --verify a file of vectors is verified against the rulesets they name, or against RULESET.

    Exit code 0; 1 if a vector disagrees; 2 if a line is not a valid vector.
    """
    if verify is not None:
        if cover or number is not None:
            raise click.UsageError("--verify writes no vectors: leave out --cover and -n")
        other = load_all(bundled_library(), [ruleset], as_json_)[0] if ruleset is not None else None
        sys.exit(_verified(verify, other, as_json_))
    if ruleset is None:
        raise click.MissingParameter(param_hint="'RULESET'", param_type="argument")
    (loaded,) = load_all(bundled_library(), [ruleset])
    if cover:
        _covering(loaded, number or NUMBER, seed)
        return
    from trickproof.vectors.generate import by_chance

    for vector in by_chance(loaded, number or NUMBER, seed):
        print_json_line(vector)


def _covering(ruleset: Ruleset, number: int, seed: int) -> None:
    """Vectors to standard output, what they leave out to standard error."""
    from trickproof.reports.text import Page
    from trickproof.reports.vectors import coverage_text
    from trickproof.vectors.generate import covering

    with progress(None, "searching for vectors", at_once=False):
        cover = covering(ruleset, number, seed)
    for vector in cover.vectors:
        print_json_line(vector)
    warn(coverage_text(ruleset, cover, Page(messages())))


def _verified(file: InputFile, other: Ruleset | None, as_json_: bool) -> Exit:
    """Holds every line against the rules."""
    from trickproof.reports.vectors import Disagreeing, Verification, verification_text
    from trickproof.vectors.serialisation import NoVectorError, differences, read
    from trickproof_dsl.scenarios.json_lines import MAX_LINE, named_ruleset

    library, number, disagree = bundled_library(), 0, list[Disagreeing]()
    written_for = set[str]()
    for at, line in enumerate(file.lines(4 * MAX_LINE), 1):
        if not line.strip():
            continue
        try:
            vector = read(line)
        except NoVectorError as bad:
            raise click.UsageError(
                f"--verify: line {at} of `{file.name}` is not a valid vector: {bad}"
            ) from None
        ruleset, why = (other, "") if other else named_ruleset(library, vector["scenario"]["ruleset"])
        if ruleset is None:
            raise click.UsageError(f"--verify: line {at} of `{file.name}`: {why}")
        number += 1
        if other and (name := vector["expected"].get("ruleset", other.id)) != other.id:
            written_for.add(str(name))
        if unlike := differences(ruleset, vector, other is not None):
            disagree.append(Disagreeing(str(vector.get("id", f"line {at}")), at, unlike))
    verification = Verification(number, number - len(disagree), disagree)
    if as_json_:
        print_json(verification)
    else:
        say(verification_text(verification, page(), written_for))
    return Exit.NEGATIVE if disagree else Exit.GOOD
