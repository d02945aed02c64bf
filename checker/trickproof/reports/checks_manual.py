"""docs/checks.md, generated from the docstrings of the checks."""

from __future__ import annotations

import inspect

from trickproof.checks import manuals

_HEAD = """# The checks

Generated from the docstrings in `checker/trickproof/checks/`; renew with
`pytest -k current --update`.

| verdict | what it says |
|---|---|
| `proved` | every case |
| `bounded` | every case up to the number of hands named |
| `tested` | the cases named were played and none failed: the rate of failure is below about 3 in that number |
| `undecided` | gave up; the message says at what |
| `unspecified` | the document is silent on what the check needs |
| `not-applicable` | the game does not use the words the check is about |
| `refuted` | false, with a witness that has been replayed by the reference interpreter |

Invariants that a ruleset states are checked by playing, under their own names.
"""


def checks_markdown() -> str:
    """Render the page."""
    parts = [_HEAD]
    for name, manual in manuals().items():
        first, _, rest = inspect.cleandoc(manual).partition("\n")
        claim = first.split(": ", 1)[1]
        parts.append(f"## {name}\n\n{claim[0].upper()}{claim[1:]}\n{rest}\n")
    return "\n".join(parts)
