"""`trickproof check [RULESET…]`: what is proved, tested, refuted, unspecified."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import click

from trickproof.cli.cache_options import no_cache_option
from trickproof.cli.console.output_file import file_to_write
from trickproof.cli.console.printing import end_for_bugs, page, print_json, say, warn
from trickproof.cli.console.progress import progress
from trickproof.cli.console.saved_witnesses import save_witness_option, saved_witnesses
from trickproof.cli.loading import load_to_check, no_such
from trickproof.cli.shared_options import (
    Seconds,
    deals_option,
    json_option,
    processes,
    scheduler_option,
    workers_option,
)
from trickproof.cli.shell_completion import complete_checks, complete_rulesets
from trickproof.support.bundled import bundled_library
from trickproof.support.exit_codes import Exit

if TYPE_CHECKING:
    from trickproof.check_runner.findings_cache import Cache
    from trickproof.check_runner.runner import Checked
    from trickproof.checking.finding import Finding
    from trickproof_dsl.library import Ruleset


@click.command()
@click.argument("rulesets", nargs=-1, metavar="[RULESET]...", shell_complete=complete_rulesets)
@click.option(
    "--only",
    multiple=True,
    metavar="CHECK[,CHECK]",
    shell_complete=complete_checks,
    help="Run these checks only; may be repeated.",
)
@click.option(
    "-v",
    "--verbose",
    count=True,
    help="List what is proved too; -vv: with rules, citations, premises and counterexamples.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print what fails or is undecided, and nothing else.")
@save_witness_option
@workers_option
@scheduler_option
@deals_option("Number of random deals to simulate per ruleset.", 60)
@click.option(
    "--budget",
    type=Seconds(),
    metavar="SECONDS",
    help="Solver budget per ruleset, in seconds of an ordinary machine; the answers are the same everywhere.",
)
@click.option("--syntax", is_flag=True, help="Check syntax, names, types and citations only.")
@click.option(
    "--recheck", is_flag=True, help="Cross-check proof obligations with a second solver (cvc5 or Bitwuzla)."
)
@no_cache_option
@click.option("--sarif", metavar="FILE", help="Also write the findings as SARIF 2.1.0.")
@click.option("--certificate", metavar="FILE", help="Also write what is proved as certificates (JSON Lines).")
@json_option
def command(
    rulesets: tuple[str, ...],
    only: tuple[str, ...],
    verbose: int,
    quiet: bool,
    save_witness: str | None,
    workers: int | None,
    scheduler: str | None,
    hands: int,
    budget: float | None,
    syntax: bool,
    recheck: bool,
    sarif: str | None,
    certificate: str | None,
    as_json_: bool,
) -> None:
    """Check rulesets, named by id or by path; by default, all documented ones.

    Exit code 0 if every refuted or unspecified finding is known, 1 if there is a new one, 3 if a check was undecided
    (resource limit) and nothing failed, 70 for an internal error or if a second solver disagrees.

    With --certificate, `trickproof verify-certificate` verifies the proofs about deals without the prover.

    Results are cached in $TRICKPROOF_CACHE (or the user's cache folder); a cache entry is invalidated when the ruleset or
    trickproof changes.
    """
    from trickproof.check_runner.findings_cache import user_cache
    from trickproof.check_runner.runner import check_all
    from trickproof.reports.findings import Detail, check_document, report

    if quiet and verbose:
        raise click.UsageError("give --quiet or --verbose, not both")
    if syntax:
        _read_only(rulesets, as_json_)
    if recheck:
        _second_solvers()
    cache = user_cache(hands, budget)
    put = file_to_write("--sarif", sarif)
    put_certificate = file_to_write("--certificate", certificate)
    loaded = load_to_check(bundled_library(), rulesets, as_json_)
    only = _current_names(only)
    _refuse_unknown_checks(only, loaded)
    run = partial(
        check_all,
        loaded,
        only or None,
        processes(workers, scheduler),
        hands,
        cache=cache,
        recheck=recheck,
        budget=budget,
    )
    checked = _watched(run, len(loaded), cache)
    saved = _saved(checked, save_witness) if save_witness is not None else {}
    if as_json_:
        print_json(check_document(checked))
    elif text := report(checked.findings, Detail(verbose, quiet, saved, only), page()):
        say(text)
    if put is not None:
        put(_sarif(checked))
    if put_certificate is not None and certificate is not None:
        from trickproof.check_runner.certificates import certificates

        lines = certificates(checked.findings, processes(workers), hands, cache)
        put_certificate("".join(f"{line}\n" for line in lines))
        if not (quiet or as_json_):
            verify = ["trickproof", "verify-certificate", certificate]
            say("\n".join(page().command("Next, verify the proofs:", verify)))
    end_for_bugs(checked.disagreements)
    sys.exit(exit_code(finding for _, findings in checked.findings for finding in findings))


def _read_only(rulesets: Sequence[str], json_wanted: bool) -> NoReturn:
    """Reports that the rulesets can be read, if they can, and exits; rejects options that need findings."""
    given = click.get_current_context().params
    names = ("only", "save_witness", "recheck", "sarif", "certificate")
    if unused := [f"--{name.replace('_', '-')}" for name in names if given[name]]:
        raise click.UsageError(f"--syntax runs no checks: leave out {' and '.join(unused)}")
    loaded = load_to_check(bundled_library(), rulesets, json_wanted)
    if json_wanted:
        rulesets_ = [{"id": ruleset.id, "findings": [], "stale_known": []} for ruleset in loaded]
        print_json({"rulesets": rulesets_, "disagreements": []})
    else:
        from trickproof.english.inflection import counted

        say(f"{counted(len(loaded), 'ruleset')}: no errors in the text; no checks were run")
    sys.exit(Exit.GOOD)


def _watched(run: Callable[..., Checked], total: int, cache: Cache | None) -> Checked:
    """The findings, with a line of progress; Ctrl-C ends the program."""
    from trickproof.checking.proof_session import ProofSession

    done, current = 0, ""
    try:
        with progress(total) as tell:

            def watch(number: int, name: str) -> None:
                nonlocal done, current
                done, current = number, name
                tell(number, name)

            session = ProofSession(watch=lambda check: tell(done, f"{current}, {check}"))
            return run(watch=watch, share=session.itself)
    except KeyboardInterrupt:
        _interrupted(done, total, cache)


def _sarif(checked: Checked) -> str:
    from trickproof.checks import manuals
    from trickproof.reports.sarif import sarif

    return json.dumps(sarif(checked, manuals()), indent=2, ensure_ascii=False) + "\n"


def exit_code(findings: Iterable[Finding]) -> int:
    """0: nothing negative that is not known; 1: something is; 3: nothing negative, but something undecided."""
    from trickproof.checking.verdict import Verdict

    listed = list(findings)
    if any(f.verdict.negative and not f.known for f in listed):
        return Exit.NEGATIVE
    return Exit.UNDECIDED if any(f.verdict is Verdict.UNDECIDED for f in listed) else Exit.GOOD


def _saved(checked: Checked, folder: str) -> dict[tuple[str, str], str]:
    """Writes the counterexamples; their files by ruleset and check."""
    from trickproof.reports.findings import witness_lines

    named = {
        f"{ruleset.id}-{finding.check}": ((ruleset.named, finding.check), [scenario])
        for ruleset, finding, scenario in witness_lines(checked.findings)
    }
    return saved_witnesses(folder, named)


def _second_solvers() -> None:
    from trickproof.certificates.second_solver import missing

    if absent := missing():
        names = " and ".join(f"`{name}`" for name in absent)
        raise click.UsageError(f"--recheck needs {names}: pip install 'trickproof[recheck]'")


def _current_names(only: Sequence[str]) -> tuple[str, ...]:
    """What `--only` names, one by one or between commas, old names replaced with a warning."""
    from trickproof.check_runner.known_issues import renamed
    from trickproof.checks import RENAMED, current_name

    only = [name.strip() for names in only for name in names.split(",")]
    for name in only:
        if name in RENAMED:
            warn(f"trickproof: {renamed(name)}")
    return tuple(map(current_name, only))


def _refuse_unknown_checks(only: Sequence[str], loaded: Sequence[Ruleset]) -> None:
    """Rejects names given to `--only` that are not checks."""
    from trickproof.check_runner.known_issues import check_names

    known = list(dict.fromkeys(name for ruleset in loaded for name in check_names(ruleset)))
    for name in only:
        if name not in known:
            no_such("check", name, known)


def _interrupted(done: int, total: int, cache: Cache | None) -> NoReturn:
    """Says what an interrupted run has done and ends the program."""
    cached = "; finished results are cached" if cache and cache.works and done else ""
    warn(f"interrupted after {done} of {total} rulesets{cached}")
    sys.exit(Exit.INTERRUPTED)
