"""Which flaws of a house rule are its own, and not already its base's."""

from __future__ import annotations

from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Verdict


def is_new(finding: Finding, before: Finding | None) -> bool:
    """Whether it is negative, not recorded as known, and not the base's: worse than there, or under more readings."""
    if not finding.verdict.negative or finding.known or finding.inherited:
        return False
    if before is None or not before.verdict.negative:
        return True
    if before.verdict is Verdict.UNSPECIFIED and finding.verdict is Verdict.REFUTED:
        return True
    return bool(before.readings) and not finding.readings
