"""Which flaws of a house rule are its own, and not already its base's."""

from __future__ import annotations

from trickproof.checking.finding import Finding, new_gaps
from trickproof.checking.verdict import Verdict


def is_new(finding: Finding, before: Finding | None) -> bool:
    """Whether it is negative, not recorded as known, and not the base's: worse than there, under more readings, or with more gaps."""
    if not finding.verdict.negative or finding.known:
        return False
    if before is None or not before.verdict.negative:
        return True
    if before.verdict is Verdict.UNSPECIFIED and (
        finding.verdict.refuted or any(not gap.assumed for gap in new_gaps(finding, before))
    ):
        return True
    if finding.gaps:
        return False
    return bool(before.readings) and not finding.readings
