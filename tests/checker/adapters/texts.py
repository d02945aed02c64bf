"""Games as another program plays them: a bundled ruleset, with a house rule over it, or with a fault in its text."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from trickproof.support.bundled import ruleset_folder
from trickproof_dsl import Library, Ruleset, render

GAMES = ruleset_folder() / "games"


@cache
def game(id_: str, house: str = "", replaced: tuple[str, str] = ("", "")) -> Ruleset:
    """The game `id_`, its own text changed in one place, under the rules of `house` (text with `rules:` and the like).

    Raises ValueError if that is not a ruleset, which is not a finding of the comparison.
    """
    text = (GAMES / f"{id_}.yaml").read_text("utf-8")
    if replaced[0] and text.count(replaced[0]) != 1:
        raise ValueError(f"{replaced[0]!r} does not stand in the text once")
    with TemporaryDirectory() as folder:
        (Path(folder) / f"{id_}.yaml").write_text(text.replace(*replaced) if replaced[0] else text, "utf-8")
        library = Library([Path(folder), GAMES])
        if house:
            ruleset, wrong = library.load_text(
                f"ruleset: as-played-there\nextends: {id_}\n{house}", "house.yaml"
            )
        else:
            ruleset, wrong = library.load(id_)
    if ruleset is None:
        raise ValueError(render(wrong))
    return ruleset
