"""Citations in compact form, such as `[pagat-de.s33-s36, s70]`, and the text of a cited statement."""

from __future__ import annotations

import re
from collections.abc import Iterable

from trickproof_dsl.library import Ruleset


def brief(cites: Iterable[str]) -> str:
    """Citations in brackets, grouped by document, with consecutive numbers as ranges; "" if there are none."""
    by_document: dict[str, list[str]] = {}
    for cite in dict.fromkeys(cites):
        document, _, statement = cite.partition(".")
        by_document.setdefault(document, []).append(statement)
    parts = [f"{document}.{', '.join(_runs(names))}" for document, names in by_document.items()]
    return f"[{', '.join(parts)}]" if parts else ""


def statement_of(ruleset: Ruleset, cite: str) -> str:
    """The paraphrase of a statement that a ruleset or its base cites, or "" if its document is not loaded."""
    document, _, statement = cite.partition(".")
    own: Ruleset | None = ruleset
    while own is not None:
        file = own.documents.get(document)
        if file and (cited := file.statements.get(statement)):
            return cited.says
        own = own.base
    return ""


def _runs(names: list[str]) -> list[str]:
    """Join `s3, s4, s5` into `s3-s5`; names that are not `s` and a number are left unchanged."""
    numbered = sorted({int(n[1:]) for n in names if re.fullmatch(r"s\d+", n)})
    parts = [n for n in names if not re.fullmatch(r"s\d+", n)]
    runs: list[list[int]] = []
    for n in numbered:
        if runs and runs[-1][-1] == n - 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    for run in runs:
        parts += [f"s{run[0]}-s{run[-1]}"] if len(run) > 2 else [f"s{n}" for n in run]
    return parts
