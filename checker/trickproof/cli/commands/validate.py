"""`trickproof validate FILE…`: is a house rule sound, and what does it change?"""

from __future__ import annotations

import json
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trickproof.cli.cache_options import no_cache_option
from trickproof.cli.console.output_file import file_to_write
from trickproof.cli.console.printing import end_for_bugs, page, print_json, say, warn
from trickproof.cli.console.progress import progress
from trickproof.cli.loading import load_all, load_to_check
from trickproof.cli.shared_options import Count, json_option, processes, scheduler_option, workers_option
from trickproof.cli.shell_completion import complete_policies, complete_rulesets
from trickproof.english.inflection import listed
from trickproof.support.atomic_files import write_atomically
from trickproof.support.bundled import bundled_library
from trickproof.support.exception_causes import interrupted
from trickproof.support.exit_codes import Exit
from trickproof_dsl.files.yaml_tree import read_source

if TYPE_CHECKING:
    from trickproof.validate.validation import Validation


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=complete_rulesets)
@click.option(
    "--hands",
    "--deals",
    type=Count(0),
    default=None,
    help="Number of deals to simulate with the base, and the same matches with the house rule; 0 for none.  [default: 20000; 1000 with `search:N`, its maximum unless --effects names it]",
)
@click.option(
    "--effects",
    shell_complete=complete_policies,
    metavar="POLICY,…|none",
    help="Policies to simulate, such as `random,greedy,search:50` or `dealer=greedy,left=random`; `none` for no simulation.  [default: random,greedy,search:50; for a rule that is rejected or changes nothing: none, or random,greedy with --json]",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the deals and of random play.")
@click.option("-v", "--verbose", is_flag=True, help="Show every reason, and every change with its deal.")
@click.option(
    "--fix",
    type=click.IntRange(1),
    is_flag=False,
    flag_value=1,
    metavar="[N]",
    help="Apply the N-th fix (the first if no number follows) to each file that has one.",
)
@click.option(
    "--sarif", metavar="FILE", help="Also write the findings as SARIF 2.1.0, with the fixes as edits."
)
@workers_option
@scheduler_option
@no_cache_option
@json_option
def command(
    files: tuple[str, ...],
    hands: int | None,
    effects: str | None,
    seed: int,
    verbose: bool,
    fix: int | None,
    sarif: str | None,
    workers: int | None,
    scheduler: str | None,
    as_json_: bool,
) -> None:
    """Validate house rules against the rulesets they extend.

    A house rule is rejected if it introduces a violation that its base does not have. The answer comes first, then its reason
    with a deal, the fixes that all checks accept, what changes, which rules become dead, which documented game it is equivalent
    to, and the effect on play, which is simulated; `--effects none` leaves that out.

    Exit code 0 if all are accepted, or accepted once fixed; 1 if one is rejected; 3 if all are accepted but a
    guarantee of the base is open, or what a rule changes is undecided; 70 for an internal error.
    """
    from trickproof.check_runner.findings_cache import user_cache
    from trickproof.reports.comparison.validation import validation_document
    from trickproof.simulate.ir.calling_convention import POLICIES
    from trickproof.simulate.options import ChoiceError
    from trickproof.testing.random_play import ENOUGH
    from trickproof.validate.effects_on_play import chosen_policies
    from trickproof.validate.validation import Plan, validate_all

    library = bundled_library()
    loaded = load_to_check(library, files, as_json_)
    for name, one in zip(files, loaded, strict=True):
        if fix is not None and not Path(name).exists():
            raise click.UsageError(
                f"--fix: `{name}` is a ruleset of trickproof: copy {one.path} and name the copy"
            )
    try:
        played = chosen_policies(effects, [one.program.players for one in loaded])
    except ChoiceError as why:
        raise click.UsageError(f"--effects: {why}") from None

    again = fix is not None
    put = file_to_write("--sarif", sarif)
    in_any_case = played if effects is not None else tuple(POLICIES) if as_json_ else ()
    plan = Plan(hands, seed, processes(workers, scheduler), played, in_any_case)
    cache = user_cache(ENOUGH)
    report = _Report(len(loaded), verbose, early=not (again or as_json_))
    with report.watched():
        first = replace(plan, hands=0) if again else plan
        validations = validate_all(library, loaded, first, cache, report.tell, report.show)
    sound = [one.accepted if fix is None else _fixed(one, fix) for one in validations]
    if again:  # first what was fixed, then what is true of the files as they are now
        library = bundled_library()
        loaded = load_all(library, files, as_json_)
        report = _Report(len(loaded), verbose, early=not as_json_)
        with report.watched():
            validations = validate_all(library, loaded, plan, cache, report.tell, report.show)
    if put is not None:
        put(_sarif(validations))
    if as_json_:
        documents = [validation_document(one) for one in validations]
        print_json(documents[0] if len(documents) == 1 else {"rulesets": documents})
    else:
        if rest := "\n\n".join(map(report.rest, validations)):
            say(rest)
        if len(loaded) == 1 and (next_ := _next(validations[0])):
            say("\n".join(next_))
    end_for_bugs([failed for one in validations for failed in one.disagreements])
    undecided = any(one.accepted and (one.open or one.undecided) for one in validations)
    sys.exit(Exit.NEGATIVE if not all(sound) else Exit.UNDECIDED if undecided else Exit.GOOD)


class _Report:
    """The text about house rules, and the progress line; a single one is printed as it is worked out."""

    def __init__(self, rulesets: int, verbose: bool, early: bool) -> None:
        self.rulesets, self.verbose = rulesets, verbose
        self.early = early and rulesets == 1
        self.printed, self.stage = 0, ""
        self.line = ExitStack()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Show the progress line; if that is interrupted, say what is missing from what has been printed."""
        try:
            with self.line:
                self._begin()
                yield
        except BaseException as problem:
            if interrupted(problem):
                if not self.printed:
                    warn(f"interrupted ({self.stage}): nothing that was found is shown")
                    sys.exit(Exit.INTERRUPTED)
                fixes = "the other fixes were not tried, and " if self.printed == 1 else ""
                missing = "the effect on play" if self.printed > 2 else "what the house rule changes"
                warn(f"interrupted ({self.stage}): {fixes}{missing} is not shown")
                sys.exit(Exit.INTERRUPTED)
            raise

    def _begin(self) -> None:
        total = self.rulesets if self.rulesets > 1 else None
        self.line_of = self.line.enter_context(progress(total, "validating"))

    def tell(self, number: int, stage: str) -> None:
        """What is being worked out."""
        self.stage = stage
        self.line_of(number, stage)

    def show(self, begun: Validation) -> None:
        """Print what has become known: of a rejected rule part by part, of an accepted one once its changes are."""
        known = 3 if begun.diff is not None else 0 if begun.accepted else self.printed + 1
        if self.early and known > self.printed:
            self.line.close()
            say("\n".join(filter(None, self._parts(begun)[self.printed : known])))
            self.printed = known
            self._begin()

    def rest(self, validation: Validation) -> str:
        """The text that has not been printed."""
        return "\n".join(filter(None, self._parts(validation)[self.printed :]))

    def _parts(self, validation: Validation) -> tuple[str, ...]:
        from trickproof.reports.comparison.validation import validation_parts

        return validation_parts(validation, self.verbose, page())


def _next(validation: Validation) -> list[str]:
    """What to do next: change or play a sound house rule, fix another, or read about the check that rejects it."""
    from trickproof.reports.findings import to_understand

    again = ["trickproof", "validate", validation.ruleset.named]
    if validation.accepted and validation.changes_nothing:
        return page().command("Next, change a rule; then:", again)
    if validation.accepted:
        return page().command("Next, play it:", ["trickproof", "play", validation.ruleset.named])
    if validation.repairs and not Path(validation.ruleset.named).exists():
        return page().command("Next, copy it to apply a fix:", ["cp", str(validation.ruleset.path), "."])
    if validation.repairs and not validation.repairs[0].undoes:
        return page().command("Next, apply a fix:", [*again, "--fix", "1"])
    if validation.reason is None:
        return []
    return to_understand(page(), validation.ruleset, validation.reason)


def _sarif(validations: Sequence[Validation]) -> str:
    from trickproof.check_runner.runner import Checked
    from trickproof.checks import manuals
    from trickproof.reports.sarif import sarif

    checked = Checked([(one.ruleset, list(one.findings)) for one in validations], [])
    log = sarif(checked, manuals(), {one.ruleset.named: one.repairs for one in validations})
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _fixed(validation: Validation, number: int) -> bool:
    """Makes a fix in the house rule's file and says so and what it restores, or that it cannot or need not."""
    from trickproof.reports.comparison.validation import fix_words, unproved

    repairs, path = validation.repairs, validation.ruleset.path
    if number > len(repairs):
        none = "nothing to fix" if validation.accepted else "no fix was found"
        found = {0: none, 1: "there is only one fix"}
        warn(f"{path}: not changed: {found.get(len(repairs), f'there are only {len(repairs)} fixes')}")
        return validation.accepted and not repairs
    repair = repairs[number - 1]
    changed, _ = bundled_library().load_text(repair.repaired, str(path))
    same = changed is not None and changed.id == validation.ruleset.id
    if not same or getattr(read_source(path), "text", None) != repair.where.source.text:
        warn(f"{path}: not changed: it is not the file that was validated")
        return False
    mark = BOM_UTF8 if path.read_bytes().startswith(BOM_UTF8) else b""
    write_atomically(path, mark + repair.repaired.encode())
    restored = [name for name in repair.restores if name not in repair.tested]
    restores = f" (restores {listed(restored)})" if restored else ""
    warn(f"{path}: fixed: {fix_words(replace(repair, tested=()))}{restores}{unproved(repair)}")
    return True
