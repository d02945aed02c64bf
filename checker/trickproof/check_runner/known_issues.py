"""What rulesets record under `known:`: entries that name no check, and entries that no longer say what is the case."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trickproof import checks
from trickproof.checking.finding import Finding
from trickproof_dsl.diagnostics.catalogue import did_you_mean, error
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.library import Ruleset


def check_names(ruleset: Ruleset) -> list[str]:
    """What `known:` and `--only` can name: the checks, and the invariants that the ruleset states."""
    return list(dict.fromkeys([*checks.NAMES, *ruleset.program.invariants]))


def unknown_known(rulesets: Iterable[Ruleset]) -> list[Diagnostic]:
    """Entries of `known:` that name nothing (E411)."""
    diagnostics = []
    for ruleset in rulesets:
        names = check_names(ruleset)
        for known in ruleset.own.known:
            word = known.check
            if word.value not in names:
                close = did_you_mean(word.value, names)
                diagnostics.append(error("E411", word.span, name=word.value, suggestion=close))
    return diagnostics


def stale_known(ruleset: Ruleset, findings: Sequence[Finding]) -> list[str]:
    """Checks that the ruleset records as failing, though they were run and do not fail (or do not exist)."""
    verdicts = {finding.check: finding.verdict for finding in findings}
    names = check_names(ruleset)
    words = [known.check.value for known in ruleset.own.known]
    return [w for w in words if w not in names or (w in verdicts and not verdicts[w].negative)]
