"""Small changes that would make a rejected house rule sound: each is tried, and all checks are asked again.

A change is one number, one word that has an opposite, or a rule left out (so that the base's stands again).  Nothing is suggested that
all checks have not accepted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from trickproof.check_runner.runner import check_ruleset
from trickproof.checking.finding import Finding
from trickproof.checking.proof_session import ProofSession
from trickproof.checking.verdict import Verdict
from trickproof.support.serialise import HIDDEN
from trickproof.validate.new_flaws import is_new
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.library import Library, Ruleset

TRIES = 24
"""Changes that are tried, at most."""

WANTED = 3
"""Suggestions, at most."""

NEAR = 3
"""Numbers are changed by up to so much."""

OPPOSITES = {
    "highest": "lowest",
    "lowest": "highest",
    "impossible": "open",
    "clockwise": "counterclockwise",
    "counterclockwise": "clockwise",
    ">": ">=",
    ">=": ">",
    "<": "<=",
    "<=": "<",
    "every": "some",
    "some": "every",
}
"""Words that a slip of the pen confuses."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A change of one place of the file (`old` becomes `new`), or of a whole rule (`new` is empty): `edited` gets `new` as its text."""

    what: str
    where: Span
    old: str
    new: str
    edited: Span = field(metadata=HIDDEN)

    @property
    def repaired(self) -> str:
        """The whole file with the change made."""
        text = self.edited.source.text
        return text[: self.edited.start] + self.new + text[self.edited.end :]


def repairs(
    library: Library, ruleset: Ruleset, broken: Sequence[Finding], before: Mapping[str, Finding]
) -> list[Repair]:
    """Changes after which none of these findings is left and no other flaw has come that the base (`before`) has not."""
    names = list(dict.fromkeys(finding.check for finding in broken))
    accepted: list[Repair] = []
    session = ProofSession()
    for number, repair in enumerate(_changes(ruleset, broken)):
        if number >= TRIES or len(accepted) >= WANTED:
            break
        changed, diagnostics = library.load_text(repair.repaired, str(ruleset.path))
        if changed is not None and not diagnostics and _sound(changed, names, before, session):
            accepted.append(repair)
    return accepted


def _sound(
    ruleset: Ruleset, names: Sequence[str], before: Mapping[str, Finding], session: ProofSession
) -> bool:
    """Whether it has no flaw of its own, and what failed is now as sure as for the base: that is asked first, one by one."""
    for only in (*([name] for name in names), None):
        findings, disagreements = check_ruleset(ruleset, only, session=session)
        if disagreements or any(is_new(x, before.get(x.check)) for x in findings):
            return False
        if any(x.check in names and not _mended(x, before.get(x.check)) for x in findings):
            return False
    return True


def _mended(finding: Finding, before: Finding | None) -> bool:
    """Whether a check that had failed holds for all matches; what was only tested of the base need not be surer."""
    tested = before is not None and before.verdict is Verdict.TESTED
    return finding.verdict not in (Verdict.BOUNDED, Verdict.UNDECIDED, *(() if tested else (Verdict.TESTED,)))


def _changes(ruleset: Ruleset, broken: Sequence[Finding]) -> Iterator[Repair]:
    """Changes of the ruleset's own file: rules that the findings point at come first."""
    blamed = [finding.where for finding in broken if finding.where is not None]
    regions = sorted(
        _texts(ruleset), key=lambda span: (not any(_near(span, at) for at in blamed), span.start)
    )
    numbers = [change for span in regions for change in _numbers(span)]
    numbers.sort(key=lambda change: abs(int(change.new) - int(change.old)))
    words = [change for span in regions for change in _words(span)]
    yield from (*words, *numbers)
    if len(ruleset.own.rules) > 1:
        for rule in ruleset.own.rules.values():
            name = rule.name.value
            yield Repair(f"without rule `{name}`", rule.span, name, "", _whole_lines(rule.span))


def _texts(ruleset: Ruleset) -> Iterator[Span]:
    """The rule texts of the file itself."""
    for rule in ruleset.own.rules.values():
        if rule.text is not None:
            yield rule.text
        yield from (reading.text for reading in rule.readings)


def _near(text: Span, at: Span) -> bool:
    """Whether a finding points into a rule or at its name."""
    return at.source == text.source and at.start <= text.end and at.end >= text.start - 200


def _numbers(text: Span) -> Iterator[Repair]:
    for match in re.finditer(r"(?<![\w-])\d+(?![\w-])", text.text):
        number = int(match[0])
        for step in range(1, NEAR + 1):
            for new in (number - step, number + step):
                if new >= 0:
                    where = Span(text.source, text.start + match.start(), text.start + match.end())
                    yield Repair(f"{number} becomes {new}", where, match[0], str(new), where)


def _words(text: Span) -> Iterator[Repair]:
    for match in re.finditer(r"(?<![\w-])[a-z]+(?![\w-])|[<>]=?", text.text):
        if match[0] in OPPOSITES:
            where = Span(text.source, text.start + match.start(), text.start + match.end())
            new = OPPOSITES[match[0]]
            yield Repair(f"`{match[0]}` becomes `{new}`", where, match[0], new, where)


def _whole_lines(span: Span) -> Span:
    source = span.source
    start = source.line_bounds(span.line)[0]
    last = source.position(max(span.end - 1, span.start))[0]
    end = source.line_bounds(last)[1]
    return Span(source, start, min(end + 1, len(source.text)))
