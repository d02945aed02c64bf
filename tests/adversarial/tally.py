"""Statistics of the law: how many rulesets were explored, and the share decided by check and feature."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from adversarial.law import DECIDED, Compared

LEFT_OUT = ("rules-complete", "diff")
"""Checks that mostly concern texts, and comparisons: excluded from the share decided."""

STRONG = tuple(verdict.value for verdict in DECIDED)


@dataclass
class Tally:
    """Verdict counts by feature and check; `dropped` rulesets exceeded the exploration budget.

    `unanswerable` counts the findings that decide nothing where the reference has no answer either.
    """

    rulesets: int = 0
    dropped: int = 0
    verdicts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    judged: Counter[tuple[str, str]] = field(default_factory=Counter)
    unanswerable: int = 0

    def add(self, features: Sequence[str], compared: Sequence[Compared]) -> None:
        """Record one judged ruleset."""
        for one in compared:
            self.judged[one.check, one.verdict] += 1
            self.unanswerable += (
                one.answer == "open" and one.verdict not in STRONG and one.check not in LEFT_OUT
            )
            for feature in features:
                self.verdicts[feature, one.check, one.verdict] += 1

    def share(self, check: str = "", feature: str = "") -> float:
        """The share decided: overall, for a check, or for a feature."""
        if feature:
            counts = {(c, v): n for (f, c, v), n in self.verdicts.items() if f == feature}
        else:
            counts = {(c, v): n for (c, v), n in self.judged.items() if not check or c == check}
        counts = {(c, v): n for (c, v), n in counts.items() if c not in LEFT_OUT}
        every = sum(counts.values())
        return sum(n for (_, v), n in counts.items() if v in STRONG) / every if every else 1.0

    def lines(self) -> Iterator[str]:
        """The table as lines of text."""
        yield f"{self.rulesets} rulesets, {self.dropped} dropped, {self.share():.0%} decided"
        yield f"  undecided where the reference has no answer either: {self.unanswerable}"
        for check in sorted({check for check, _ in self.judged}):
            counts = ", ".join(f"{v} {n}" for (c, v), n in sorted(self.judged.items()) if c == check)
            yield f"  {check:<28}{self.share(check):5.0%}  {counts}"
        for feature in sorted({feature for feature, _, _ in self.verdicts}):
            yield f"{feature:<30}{self.share(feature=feature):5.0%}"
            of_feature = {(c, v): n for (f, c, v), n in self.verdicts.items() if f == feature}
            for check in sorted({check for check, _ in of_feature}):
                counts = ", ".join(f"{v} {n}" for (c, v), n in sorted(of_feature.items()) if c == check)
                yield f"    {check:<28}{counts}"
