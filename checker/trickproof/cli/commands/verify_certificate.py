"""`trickproof verify-certificate FILE`: proofs checked without the prover."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from trickproof.cli.console.input_file import InputFile, InputFileType
from trickproof.cli.console.printing import page, print_json, say
from trickproof.cli.console.progress import counting
from trickproof.cli.shared_options import json_option
from trickproof.support.bundled import bundled_library
from trickproof.support.exit_codes import Exit

if TYPE_CHECKING:
    from trickproof.certificates.verifier import Verified
    from trickproof_dsl.library import Ruleset


@click.command()
@click.argument("file", type=InputFileType())
@json_option
def command(file: InputFile, as_json_: bool) -> None:
    """Verify certificates that `trickproof check --certificate FILE` wrote.

    Every question is rebuilt from the named parts of the certificate and decided by cvc5 or Bitwuzla, and every match
    is replayed; neither the prover nor z3 is used. Whatever a certificate does not cover is listed.

    Exit code 0 if all proofs hold, 1 if one fails, 3 if a solver gave up on one, 2 if the certificate is malformed.
    """
    from trickproof.certificates.certificate import LONGEST_LINE, MalformedError
    from trickproof.certificates.second_solver import missing
    from trickproof.certificates.verifier import verify
    from trickproof.checks import NAMES
    from trickproof.reports.certificates import document, report

    if absent := missing():
        names = " and ".join(f"`{name}`" for name in absent)
        raise click.UsageError(f"verify-certificate needs {names}: pip install 'trickproof[recheck]'")
    try:
        with counting("verifying") as tell:
            verified = list(verify(file.lines(LONGEST_LINE), _ruleset, NAMES, tell))
    except MalformedError as wrong:
        raise click.UsageError(f"{file.name}: {wrong}") from None
    if as_json_:
        print_json(document(verified))
    else:
        say(report(verified, page()))
    sys.exit(exit_code(verified))


def exit_code(verified: Sequence[Verified]) -> int:
    """1: a leaf fails; 3: none does, but a solver gave up on one; else 0."""
    if any(one.failed for one in verified):
        return Exit.NEGATIVE
    return Exit.UNDECIDED if any(one.unknown for one in verified) else Exit.GOOD


def _ruleset(line: int, name: str) -> Ruleset:
    """The ruleset that a certificate names."""
    from trickproof.certificates.certificate import MalformedError

    ruleset, _ = bundled_library().load(name)
    if ruleset is None:
        raise MalformedError(line, f"there is no ruleset `{name}` that can be loaded")
    return ruleset
