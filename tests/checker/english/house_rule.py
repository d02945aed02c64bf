"""A rule put over `pagat`, in words."""

from __future__ import annotations

import re
import textwrap

from trickproof.english.rules import Words
from trickproof.support.bundled import bundled_library, ruleset_folder

LIBRARY = bundled_library()


def words_of(rule: str, text: str, more: str = "", rules: str = "") -> Words:
    """The words of a ruleset with another text for `rule`, other parts (`more`) and further rules."""
    body = textwrap.indent(textwrap.dedent(text), "      ")
    used = [
        f"  {name}: {{run: {name}, then: {{}}, assumes: x}}"
        for name in re.findall(r"^  ([a-z-]+):", rules, re.M)
    ]
    file = (
        f"ruleset: t\nextends: pagat\n{more}\nrules:\n  {rule}:\n    rule: |\n{body}\n    assumes: x\n{rules}\n"
        + "\n".join(["examples:", *used] if used else [])
    )
    ruleset, wrong = LIBRARY.load_text(file, str(ruleset_folder() / "t.yaml"))
    assert ruleset is not None, [d.message for d in wrong]
    return Words(ruleset.whole)
