"""`trickproof vectors RULESET`: test vectors for people who implement the game, as JSON Lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TextIO

import click

from trickproof.cli.shared_options import load_all, print_json
from trickproof.support.bundled import bundled_library
from trickproof.support.exit_codes import Exit

if TYPE_CHECKING:
    from trickproof.vectors.generate import Cover
    from trickproof.vectors.serialisation import Vector
    from trickproof_dsl.library import Ruleset

NUMBER = 100
"""Vectors written unless told otherwise."""


@click.command()
@click.argument("ruleset", required=False)
@click.option(
    "-n",
    "number",
    type=click.IntRange(1),
    help=f"Vectors to write, at most with --cover.  [default: {NUMBER}]",
)
@click.option("--cover", is_flag=True, help="Few vectors that reach every clause and boundary of the rules.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of deals and choices.")
@click.option(
    "--verify",
    type=click.File("r", encoding="utf-8", errors="replace"),
    metavar="FILE",
    help="Tell which vectors of a file (or `-`) do not agree, instead of writing any.",
)
@click.option(
    "--json",
    "as_json_",
    is_flag=True,
    help="With --verify: one JSON document.  Vectors are always JSON Lines.",
)
def command(
    ruleset: str | None, number: int | None, cover: bool, seed: int, verify: TextIO | None, as_json_: bool
) -> None:
    """Write test vectors: scenarios with the events and states that the reference interpreter answers.

    Each line holds `id`, `covers`, `scenario` (as `replay` reads it), `expected` (as `replay` answers it) and `following`
    (what a complete hand leaves to the next).  Without --cover they are hands of random play that stop anywhere.  The same
    ruleset, number and seed give the same bytes.

    With --verify a file of vectors is held against the rules they name, or against RULESET.

    Exit code 0; 1 when a vector does not agree; 2 for a line that is no vector.
    """
    if verify is not None:
        if cover or number is not None:
            raise click.UsageError("--verify writes no vectors: leave out --cover and -n")
        other = load_all(bundled_library(), [ruleset], as_json_)[0] if ruleset is not None else None
        sys.exit(_verified(verify, other, as_json_))
    if ruleset is None:
        raise click.UsageError("Missing argument 'RULESET'.")
    (loaded,) = load_all(bundled_library(), [ruleset])
    if cover:
        _covering(loaded, number or NUMBER, seed)
        return
    from trickproof.vectors.generate import by_chance

    for vector in by_chance(loaded, number or NUMBER, seed):
        _line(vector)


def _line(vector: Vector) -> None:
    click.echo(json.dumps(vector, sort_keys=True, ensure_ascii=False))


def _covering(ruleset: Ruleset, number: int, seed: int) -> None:
    """Vectors to standard output, what they leave out to standard error."""
    from trickproof.vectors.generate import covering

    cover = covering(ruleset, number, seed)
    for vector in cover.vectors:
        _line(vector)
    for line in _told(ruleset, cover):
        click.echo(line, err=True)


def _told(ruleset: Ruleset, cover: Cover) -> Iterator[str]:
    number = len(cover.vectors)
    yield (
        f"{ruleset.id}: {number} {'vectors cover' if number != 1 else 'vector covers'} {cover.covered} of {cover.goals} goals "
        f"({cover.hands} hands were played)"
    )
    if cover.missed:
        yield f"-n {number} is too few: {cover.needed} vectors reach {len(cover.missed)} goals more"
        yield from (f"  {goal.placed}" for goal in cover.missed)
    if cover.unreached:
        yield f"{len(cover.unreached)} were reached in no hand; some cannot be:"
        yield from (f"  {goal.placed}" for goal in cover.unreached)


def _verified(file: TextIO, other: Ruleset | None, as_json_: bool) -> Exit:
    """Holds every line against the rules."""
    from trickproof.vectors.serialisation import NoVectorError, differences, read

    library, number, wrong = bundled_library(), 0, list[dict[str, Any]]()
    for at, line in enumerate(file, 1):
        if not line.strip():
            continue
        try:
            vector = read(line)
        except NoVectorError as bad:
            raise click.UsageError(f"--verify: line {at} of `{file.name}` is no vector: {bad}") from None
        ruleset = other or load_all(library, [vector["scenario"]["ruleset"]], as_json_)[0]
        number += 1
        unlike = differences(ruleset, vector, other is not None)
        if unlike:
            wrong.append({"id": str(vector.get("id", f"line {at}")), "line": at, "differences": unlike})
    if as_json_:
        print_json({"vectors": number, "agree": number - len(wrong), "disagree": wrong})
    else:
        click.echo(_report(number, wrong))
    return Exit.NEGATIVE if wrong else Exit.GOOD


SHOWN = 5
"""Differences of a vector that are told."""


def _report(number: int, wrong: list[dict[str, Any]]) -> str:
    lines = []
    for one in wrong:
        lines.append(f"{one['id']} does not agree:")
        lines += [f"  {text}" for text in one["differences"][:SHOWN]]
        if len(one["differences"]) > SHOWN:
            lines.append(f"  and {len(one['differences']) - SHOWN} more")
    lines.append(f"{number - len(wrong)} of {number} vectors agree")
    return "\n".join(lines)
