"""`trickproof validate FILE…`: is a house rule sound, and what does it change?"""

from __future__ import annotations

import os
import sys

import click

from trickproof.cli.progress import progress
from trickproof.cli.shared_options import json_option, load_all, print_json, refuse
from trickproof.support.bundled import bundled_library
from trickproof.support.exit_codes import Exit


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--hands",
    type=click.IntRange(0),
    default=None,
    help="Hands to play of the base, and the same matches with the house rule; 0: none.  [default: 20000]",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the deals and of random play.")
@click.option("-v", "--verbose", is_flag=True, help="Every change with a hand that shows it.")
@click.option(
    "--workers", type=click.IntRange(1, 64), default=None, help="Processes to use; default: the cores."
)
@click.option("--no-cache", is_flag=True, help="Neither use nor keep findings of other runs.")
@json_option
def command(
    files: tuple[str, ...],
    hands: int | None,
    seed: int,
    verbose: bool,
    workers: int | None,
    no_cache: bool,
    as_json_: bool,
) -> None:
    """Validate house rules over the rulesets they extend.

    A house rule is rejected when it has a flaw that its base has not.  The answer says which guarantees are kept, broken and
    gained, what changes, which rules lose their use, which documented game it is equal to, and what it does to play.

    Exit code 0 when all are accepted, 1 when one is rejected.
    """
    from trickproof.check_runner.findings_cache import user_cache
    from trickproof.check_runner.known_issues import unknown_known
    from trickproof.testing.random_play import ENOUGH
    from trickproof.validate.report import validation_json, validation_text
    from trickproof.validate.validation import Plan, validate

    library = bundled_library()
    loaded = load_all(library, files, as_json_)
    if wrong := unknown_known(loaded):
        refuse(wrong, as_json_)
    plan = Plan(hands, seed, workers or min(os.cpu_count() or 1, 8))
    cache = None if no_cache else user_cache(ENOUGH)
    found = []
    with progress(len(loaded), "validating") as tell:
        for number, ruleset in enumerate(loaded):
            tell(number, ruleset.id)
            found.append(validate(library, ruleset, plan, cache))
    if as_json_:
        told = [validation_json(one) for one in found]
        print_json(told[0] if len(told) == 1 else {"rulesets": told})
    else:
        click.echo("\n\n".join(validation_text(one, verbose) for one in found))
    sys.exit(Exit.GOOD if all(one.accepted for one in found) else Exit.NEGATIVE)
