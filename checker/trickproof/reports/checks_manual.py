"""docs/checks.md, generated from the docstrings of the checks."""

from __future__ import annotations

import inspect

from trickproof.checks import manuals
from trickproof.reports.result_words import VERDICTS

_HEAD = """# The checks

Generated from the docstrings in `checker/trickproof/checks/`; renew with
`pytest tests/docs/test_checks_page.py --update`.

| verdict | meaning |
|---|---|
{verdicts}

Invariants that a ruleset states are checked in the same ways, under their own names.
"""


def checks_markdown() -> str:
    """Render the page."""
    verdicts = "\n".join(f"| `{verdict}` | {meaning} |" for verdict, meaning in VERDICTS.items())
    parts = [_HEAD.format(verdicts=verdicts)]
    for name, manual in manuals().items():
        first, _, rest = inspect.cleandoc(manual).partition("\n")
        claim = first.split(": ", 1)[1]
        parts.append(f"## {name}\n\n{claim[0].upper()}{claim[1:]}\n{rest}\n")
    return "\n".join(parts)
