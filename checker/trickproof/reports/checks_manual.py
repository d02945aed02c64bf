"""docs/checks.md, generated from the docstrings of the checks."""

from __future__ import annotations

import inspect

from trickproof.checks import manuals

_HEAD = """# The checks

Generated from the docstrings in `checker/trickproof/checks/`; renew with
`pytest -k current --update`.

| verdict | meaning |
|---|---|
| `proved` | the claim holds in every case |
| `bounded` | the claim holds in every case, up to the number of deals that the message gives |
| `tested` | n random cases were played and none failed: the failure probability is below 3/n with 95 % confidence (rule of three) |
| `undecided` | the check gave up; the message says where |
| `unspecified` | the document is silent on what the check needs |
| `not-applicable` | the game does not use the vocabulary that the check is about |
| `refuted` | the claim is false; the counterexample has been replayed by the reference interpreter |

Invariants that a ruleset states are checked in the same ways, under their own names.
"""


def checks_markdown() -> str:
    """Render the page."""
    parts = [_HEAD]
    for name, manual in manuals().items():
        first, _, rest = inspect.cleandoc(manual).partition("\n")
        claim = first.split(": ", 1)[1]
        parts.append(f"## {name}\n\n{claim[0].upper()}{claim[1:]}\n{rest}\n")
    return "\n".join(parts)
