"""Prints the lowest versions that pyproject.toml allows, as constraints for pip: of what the package and its extras named need."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
REQUIREMENT = re.compile(r"([A-Za-z0-9_.-]+)\s*>=\s*([0-9][0-9a-z.]*)\s*(;.*)?")


def lowest(project: dict[str, Any], extras: list[str]) -> Iterator[str]:
    """`name==version`, with its marker, of every requirement with a lower bound."""
    optional = project["optional-dependencies"]
    requirements = [*project["dependencies"], *(line for extra in extras for line in optional[extra])]
    for requirement in requirements:
        if nested := re.fullmatch(r"trickproof\[(\w+)\]", requirement):
            yield from lowest({**project, "dependencies": []}, [nested[1]])
        elif bounded := REQUIREMENT.fullmatch(requirement):
            yield f"{bounded[1]}=={bounded[2]}{bounded[3] or ''}"


if __name__ == "__main__":
    with PROJECT.open("rb") as file:
        print("\n".join(lowest(tomllib.load(file)["project"], sys.argv[1:])))
