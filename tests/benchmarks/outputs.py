"""Capture the output of an installed `trickproof`, and compare two captures.

    python tests/benchmarks/outputs.py capture PATH/TO/trickproof FOLDER
    python tests/benchmarks/outputs.py compare BEFORE AFTER

A capture holds `check`, `diff` of all pairs, `table`, `vectors`, `simulate`, `sources`, `rulesheet` and `list` of the
bundled rulesets, one file per command. `compare` prints every differing line of JSON by its path, or of text by number,
and exits with 1 if there is any; times and versions are left out.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

TIMES = {"seconds", "elapsed", "compile_seconds", "hands_per_second", "rate"}
"""Keys whose values differ from run to run."""

VERSIONS = {"schema_version", "trickproof", "solver"}
"""Keys at the top of a document that name the program versions."""


def commands(trickproof: str) -> Iterator[tuple[str, list[str]]]:
    """File name and arguments of every command that is captured."""
    listing = json.loads(
        subprocess.run([trickproof, "list", "--json"], capture_output=True, text=True).stdout
    )
    documented = [row["id"] for row in listing["rulesets"]]
    others = [row["id"] for row in listing.get("others", [])]
    yield "list.json", ["list", "--json"]
    yield "sources.json", ["sources", "--json"]
    for form in ("grid", "github", "html", "latex", "csv", "json"):
        yield f"table.{form}", ["table", "--format", form]
    for name in documented:
        yield f"vectors-{name}.jsonl", ["vectors", name, "-n", "20", "--cover"]
    for name in documented + others:
        yield f"check-{name}.json", ["check", name, "--json", "--no-cache"]
        yield f"rulesheet-{name}.md", ["rulesheet", name]
        yield f"simulate-{name}.json", ["simulate", name, "--hands", "2000", "--json"]
        yield (
            f"simulate-greedy-{name}.json",
            ["simulate", name, "--hands", "500", "--policy", "greedy", "--json"],
        )
    for a, b in itertools.combinations(documented, 2):
        yield f"diff-{a}-{b}.json", ["diff", a, b, "--json"]


def capture(trickproof: str, folder: Path) -> None:
    """Run every command, two at a time, and write its output and exit code."""
    folder.mkdir(parents=True, exist_ok=True)

    def run(name: str, arguments: list[str]) -> None:
        if (folder / name).exists():
            return
        done = subprocess.run([trickproof, *arguments], capture_output=True, text=True)
        (folder / name).write_text(done.stdout + f"\nexit {done.returncode}\n{done.stderr}", "utf-8")

    with tempfile.TemporaryDirectory() as cache, ThreadPoolExecutor(2) as pool:
        import os

        os.environ["TRICKPROOF_CACHE"] = cache
        for result in [pool.submit(run, *command) for command in commands(trickproof)]:
            result.result()


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_times(inner) for key, inner in value.items() if key not in TIMES | VERSIONS}
    return [without_times(inner) for inner in value] if isinstance(value, list) else value


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves(inner, f"{path}[{index}]")
    else:
        yield path, value


def flattened(path: Path) -> dict[str, Any]:
    """An output as one value a place: a path into its JSON document, or the number of a line."""
    text = path.read_text("utf-8")
    document, _, rest = text.rpartition("\nexit ")
    try:
        found = dict(leaves(without_times(json.loads(document))))
    except ValueError:
        found = {f"line {number}": line for number, line in enumerate(document.splitlines(), 1)}
    return found | {"exit": rest}


def compare(before: Path, after: Path) -> int:
    """Print every difference; 1 if there is one."""
    names = sorted({path.name for folder in (before, after) for path in folder.iterdir()})
    differing = 0
    for name in names:
        if not ((before / name).exists() and (after / name).exists()):
            print(f"{name}: only in one of the two")
            differing += 1
            continue
        old, new = flattened(before / name), flattened(after / name)
        places = [place for place in [*old, *(new.keys() - old.keys())] if old.get(place) != new.get(place)]
        differing += bool(places)
        for place in places:
            print(f"{name} {place}: {old.get(place)!r} -> {new.get(place)!r}")
    print(f"{len(names)} outputs, {differing} differ")
    return bool(differing)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["capture", program, folder]:
            capture(program, Path(folder))
        case ["compare", before, after]:
            raise SystemExit(compare(Path(before), Path(after)))
        case _:
            raise SystemExit(__doc__)
