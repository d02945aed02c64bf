"""Load rulesets by name for commands: all of them, or the program exits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from trickproof.cli.console.printing import refuse, warn
from trickproof.cli.console.progress import progress

if TYPE_CHECKING:
    from trickproof_dsl.diagnostics.diagnostic import Diagnostic
    from trickproof_dsl.library import Library, Ruleset


def load_all(library: Library, names: Iterable[str], json_wanted: bool = False) -> list[Ruleset]:
    """The named rulesets, or all documented ones; exits with 2 if one cannot be loaded."""
    rulesets: list[Ruleset] = []
    wrong: list[Diagnostic] = []
    with progress(None, "reading", at_once=False) as tell:
        for number, name in enumerate(list(dict.fromkeys(names)) or library.documented()):
            tell(number, name)
            ruleset, problems = library.load(name)
            wrong += (_with_files_near(name, problem) for problem in problems)
            if ruleset is not None:
                rulesets.append(ruleset)
    if wrong:
        refuse(wrong, json_wanted)
    return rulesets


def told_apart(rulesets: Sequence[Ruleset]) -> list[Ruleset]:
    """The rulesets; those of different files with the same id are called by their files, as a copy and what it was copied from."""
    files = Counter(one.id for one in {one.path: one for one in rulesets}.values())
    return [replace(one, id=one.named) if files[one.id] > 1 else one for one in rulesets]


def load_to_check(library: Library, names: Iterable[str], json_wanted: bool) -> list[Ruleset]:
    """Like `load_all`, for rulesets whose `known:` has to name checks; warns about old names there."""
    from trickproof.check_runner.known_issues import renamed_known, unknown_known

    loaded = load_all(library, names, json_wanted)
    if wrong := unknown_known(loaded):
        refuse(wrong, json_wanted)
    for warning in renamed_known(loaded):
        warn(warning)
    return loaded


def _with_files_near(name: str, problem: Diagnostic) -> Diagnostic:
    """The problem; for a name without a file, with the file that may be meant."""
    from trickproof.support.bundled import bundled_folders
    from trickproof_dsl.diagnostics.catalogue import did_you_mean, error
    from trickproof_dsl.files.ruleset_folders import LISTED

    path = Path(name)
    if problem.span is not None or problem.code not in ("E001", "E401"):
        return problem
    if name and path.is_dir():
        files = _ruleset_files(path)
        such = f", such as `{path / files[0]}`" if files else ""
        return error("E002", None, file=name, reason=f"it is a folder; name a file in it{such}")
    if problem.code == "E401":
        if name and path.is_file():
            return error("E401", None, name=name, help=f"for the file of that name, write `./{name}`")
        if f"{name}.yaml" in _ruleset_files(Path()):
            return error("E401", None, name=name, help=f"for the file, write `{name}.yaml`")
        if citing := [*_rulesets_on(name)]:
            listed = f"`{name}` is a document; rulesets that encode it: {', '.join(citing)}"
            return error("E401", None, name=name, help=listed)
        if problem.suggestion:
            return problem
        return error("E401", None, name=name, help=bundled_folders().titled(name) or LISTED)
    close = did_you_mean(path.name, _ruleset_files(path.parent))
    if close is None and path.stem in bundled_folders().ruleset_paths() and not path.exists():
        return error("E001", None, file=name, meant=path.stem)
    return problem if close is None else error("E001", None, file=name, meant=path.parent / close)


def _rulesets_on(document: str) -> Iterator[str]:
    """The bundled rulesets that encode a document."""
    from trickproof.support.bundled import bundled_folders

    folders = bundled_folders()
    paths = folders.ruleset_paths() if document in folders.document_paths() else {}
    for name in folders.documented() if paths else ():
        heading, _ = folders.heading(paths[name])
        if heading is not None and document in heading.documents:
            yield name


def _ruleset_files(folder: Path) -> list[str]:
    """The names of the YAML files of a folder; none if it cannot be read."""
    try:
        return sorted(path.name for path in folder.iterdir() if path.suffix in (".yaml", ".yml"))
    except OSError:
        return []


MOST_LISTED = 40
"""Maximum number of names that a message lists."""


def no_such(kind: str, name: str, known: Iterable[str], lists: str = "") -> NoReturn:
    """Raise an error for an unknown name, with the closest known name, or the known names, or the command that `lists` them."""
    from trickproof_dsl.diagnostics.catalogue import did_you_mean, or_meant

    names = list(known)
    within = (one for one in names if len(name) > 2 and f"-{name.lower()}" in f"-{one}")
    close = did_you_mean(name, names) or next(within, None)
    if close:
        hint = or_meant(close)
    elif lists:
        hint = f"; `{lists}` lists them all"
    else:
        hint = f"; expected one of {', '.join(names)}" if len(names) <= MOST_LISTED else ""
    raise click.ClickException(f"no {kind} `{name}`{hint}")
