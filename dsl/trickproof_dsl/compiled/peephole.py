"""Blocks of Python text made shorter to go through: fewer blocks one after another, fewer values looked up twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

KEEP = "keep"
"""A line that stands where variables are put back into their places."""

MOST_LINES = 14
"""Lines of a block that are written again where others go on with it."""


def joined(blocks: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The blocks, in each of which short ones that come next are written out."""
    found: dict[str, list[str]] = {}
    for name, lines in blocks.items():
        found[name] = []
        for line in lines:
            text = line.lstrip()
            following = blocks.get(text.removeprefix("return ")) if text.startswith("return ") else None
            if following is None or len(following) > MOST_LINES or following is lines:
                found[name].append(line)
            else:
                indent = " " * (len(line) - len(text))
                found[name] += [indent + each for each in following]
    return found


def looked_up_once(lines: list[str], places: Iterable[int]) -> list[str]:
    """The lines of a block with Python variables for those of some places that are read several times.

    The places hold what is bound: only a block itself binds names, and each name only once.
    """
    for place in places:
        held, name = f"v[{place}]", f"n_{place}"
        binds = [i for i, line in enumerate(lines) if line.lstrip().startswith(f"{held} = ")]
        if len(binds) > 1 or any(lines[i].startswith(" ") for i in binds):
            continue
        at = binds[0] if binds else len(lines)
        before, after = lines[:at], lines[at + 1 :]
        if sum(line.count(held) for line in before) > 1:
            before = [f"o_{place} = {held}", *[line.replace(held, f"o_{place}") for line in before]]
        bind = lines[at : at + 1]
        if any(held in line for line in after):
            bind = [lines[at].replace(held, f"{held} = {name}", 1)]
            after = [line.replace(held, name) for line in after]
        lines = [*before, *bind, *after]
    return lines


def in_variables(lines: list[str], places: Iterable[int]) -> list[str]:
    """The lines of a function with Python variables for some places; they are put back where it says so."""
    begin, end = [], []
    for place in places:
        held, name = f"v[{place}]", f"s_{place}"
        if any(held in line for line in lines):
            begin.append(f"{name} = {held}")
            end += [f"{held} = {name}"] if any(line.lstrip().startswith(f"{held}") for line in lines) else []
            lines = [line.replace(held, name) for line in lines]
    kept: list[str] = []
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        kept += [indent + each for each in end] if line.strip() == KEEP else [line]
    return begin + kept
