"""What rulesets record under `known:`, and entries there that are unknown, renamed or stale."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trickproof import checks
from trickproof.checking.finding import Finding
from trickproof.support.locations import at_line
from trickproof_dsl.diagnostics.catalogue import did_you_mean, error
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Source
from trickproof_dsl.files.ruleset_spec import KNOWN
from trickproof_dsl.files.yaml_tree import Mapping, load_tree
from trickproof_dsl.library import Ruleset


def check_names(ruleset: Ruleset) -> list[str]:
    """What `known:` and `--only` can name: the checks, and the invariants and restatements that the ruleset states."""
    restating = [name for name, rule in ruleset.own.rules.items() if rule.same_as]
    return list(dict.fromkeys([*checks.NAMES, *ruleset.program.invariants, *restating]))


def unknown_known(rulesets: Iterable[Ruleset]) -> list[Diagnostic]:
    """Entries of `known:` that name no check (E411)."""
    diagnostics = []
    for ruleset in rulesets:
        names = check_names(ruleset)
        for known in ruleset.own.known:
            word = known.check
            if checks.current_name(word.value) not in names:
                close = did_you_mean(word.value, names)
                diagnostics.append(error("E411", word.span, name=word.value, suggestion=close))
    return diagnostics


def renamed_known(rulesets: Iterable[Ruleset]) -> list[str]:
    """Warnings about entries of `known:` that use an old name of a check."""
    words = [known.check for ruleset in rulesets for known in ruleset.own.known]
    return [
        f"{at_line(word.span)}: {renamed(word.value)}; `trickproof fmt` rewrites it"
        for word in words
        if word.value in checks.RENAMED
    ]


def renamed(name: str) -> str:
    """The warning about an old name."""
    return f"warning: the check `{name}` is now called `{checks.current_name(name)}`"


def with_current_names(source: Source) -> Source:
    """A ruleset's source with old check names under `known:` replaced by current ones, unless both are there."""
    tree, _ = load_tree(source)
    known = tree.get(KNOWN.name) if tree is not None else None
    keys = [entry.key for entry in known.entries] if isinstance(known, Mapping) else []
    text = source.text
    for key in reversed(keys):
        new = checks.current_name(key.value)
        if new not in (other.value for other in keys):
            text = text[: key.span.start] + new + text[key.span.end :]
    return source if text == source.text else Source(source.name, text)


def recorded_reason(ruleset: Ruleset, check: str) -> str | None:
    """The reason that a ruleset itself records for a failing check, if any."""
    own = ruleset.own.known
    return next(
        (known.reason.value for known in own if checks.current_name(known.check.value) == check), None
    )


def stale_known(ruleset: Ruleset, findings: Sequence[Finding]) -> list[str]:
    """Checks that the ruleset records as failing although they ran and do not fail, or do not exist."""
    verdicts = {finding.check: finding.verdict for finding in findings}
    names = check_names(ruleset)
    words = [known.check.value for known in ruleset.own.known]
    current = {word: checks.current_name(word) for word in words}
    return [
        w
        for w, name in current.items()
        if name not in names or (name in verdicts and not verdicts[name].negative)
    ]
