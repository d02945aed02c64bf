"""Findings as SARIF 2.1.0, which editors and code hosts display at their locations.

`refuted` is an error, `unspecified` a warning, `undecided` an open result; other verdicts yield no result.
Known issues are suppressed with the ruleset's reason. The rules are the checks, with their manuals. Results
of validated house rules carry fixes as edits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

from trickproof.check_runner.runner import Checked
from trickproof.checking.finding import Finding
from trickproof.support.locations import shown_file
from trickproof.support.serialise import serialised
from trickproof.validate.edits import Repair
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.library import Ruleset

Json = dict[str, object]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

LEVELS: Mapping[str, tuple[str, str]] = {
    "refuted": ("fail", "error"),
    "unspecified": ("fail", "warning"),
    "undecided": ("open", "none"),
}
"""SARIF kind and level of the verdicts that yield results."""


Fixes = Mapping[str, Sequence[Repair]]
"""The fixes of house rules, by ruleset name."""


def sarif(checked: Checked, manuals: Mapping[str, str], fixes: Fixes = MappingProxyType({})) -> Json:
    """The log of one run; `manuals` are those of the checks, by name."""
    results = [(r, f) for r, findings in checked.findings for f in findings if f.verdict in LEVELS]
    names = list(dict.fromkeys([*manuals, *(finding.check for _, finding in results)]))
    run: Json = {
        "tool": {
            "driver": {
                "name": "trickproof",
                "version": version("trickproof"),
                "rules": [_rule(name, manuals.get(name)) for name in names],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(checked)],
        "results": [
            _result(ruleset, finding, names.index(finding.check))
            | _fixes([x for x in fixes.get(ruleset.named, ()) if finding.check in x.restores])
            for ruleset, finding in results
        ],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(name: str, manual: str | None) -> Json:
    """A check; one without a manual is an invariant of a ruleset."""
    manual = manual or f"`{name}`: an invariant that a ruleset states itself."
    claim = manual.partition("\n\n")[0].replace("\n", " ").partition(": ")[2]
    return {
        "id": name,
        "shortDescription": {"text": claim},
        "fullDescription": {"text": claim},
        "help": {"text": manual.strip(), "markdown": manual.strip()},
    }


def _result(ruleset: Ruleset, finding: Finding, index: int) -> Json:
    kind, level = LEVELS[finding.verdict]
    answer = serialised(finding)
    result: Json = {
        "ruleId": finding.check,
        "ruleIndex": index,
        "kind": kind,
        "level": level,
        "message": {"text": f"{ruleset.id}: {finding.message}"},
        "locations": [] if finding.where is None else [_location(finding.where)],
        "partialFingerprints": {"trickproof/v1": _digest((ruleset.named, finding.check))},
        "properties": {
            "ruleset": ruleset.id,
            **{
                key: value
                for key, value in answer.items()
                if key not in ("check", "message", "where", "seconds", "known")
            },
        },
    }
    if finding.known:
        result["suppressions"] = [{"kind": "inSource", "justification": finding.reason or ""}]
    return result


def _fixes(repairs: Sequence[Repair]) -> Json:
    """The known repairs of a result, as edits."""
    if not repairs:
        return {}
    return {
        "fixes": [
            {
                "description": {"text": repair.what},
                "artifactChanges": [
                    {
                        "artifactLocation": _artifact(repair.where),
                        "replacements": [
                            {"deletedRegion": _region(span), "insertedContent": {"text": new}}
                            for span, new in repair.in_file
                        ],
                    }
                ],
            }
            for repair in repairs
        ]
    }


def _location(span: Span) -> Json:
    return {"physicalLocation": {"artifactLocation": _artifact(span), "region": _region(span)}}


def _artifact(span: Span) -> Json:
    return {"uri": _uri(shown_file(span.source.name))}


def _region(span: Span) -> Json:
    line, column = span.source.position(span.end)
    return {"startLine": span.line, "startColumn": span.column, "endLine": line, "endColumn": column}


def _uri(name: str) -> str:
    path = Path(name)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _invocation(checked: Checked) -> Json:
    """Whether every check completed, and which did not."""
    failed: Sequence[Json] = [
        {
            "level": "error",
            "message": {"text": f"{d.ruleset}: internal error in check `{d.check}`: {d.message}"},
        }
        for d in checked.disagreements
    ]
    return {"executionSuccessful": not failed, "toolExecutionNotifications": failed}


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
