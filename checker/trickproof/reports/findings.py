"""Findings as text: one line per ruleset, then what is not proved, and what to do next.

The most serious findings come first. With details, every finding is listed; with evidence, so is what each
one depends on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from trickproof.analysis.fixed_numbers import sets_fixed_numbers
from trickproof.analysis.usage import program_usage
from trickproof.check_runner.known_issues import stale_known
from trickproof.check_runner.runner import Checked
from trickproof.checking.finding import Finding, Recheck
from trickproof.checking.verdict import Method, Verdict
from trickproof.checks import NAMES
from trickproof.english.inflection import counted
from trickproof.english.seats import names_at_table, with_names
from trickproof.reports.citations import statement_of
from trickproof.reports.played_hand import by_holder, deals_before, played_hand
from trickproof.reports.text import PLAIN, UNBROKEN, Label, Page, deal_picture
from trickproof.support.locations import at, id_and_file, source_lines
from trickproof.support.serialise import Content
from trickproof.validate.new_flaws import as_stated
from trickproof_dsl.files.model import RuleDecl
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json

VERDICT_WIDTH = 14
"""Width of the verdict column, in characters."""

MOST_LINES = 16
"""Maximum lines of a counterexample without evidence; a longer one is cut in the middle."""

MOST_NAMED = 3
"""The suggested next command names at most this many rulesets."""

STYLE_OF_OUTCOME = {"failed": "refuted", "undecided": "undecided", "passed": "proved"}

Findings = Sequence[tuple[Ruleset, Sequence[Finding]]]
"""Rulesets with their findings."""


@dataclass(frozen=True, slots=True)
class Detail:
    """How much is printed; `saved` maps a ruleset and a check to the counterexample's file, `only` are the requested checks."""

    level: int = 0
    quiet: bool = False
    saved: Mapping[tuple[str, str], str] = field(default_factory=dict)
    only: Sequence[str] = ()

    @property
    def all(self) -> bool:
        """Whether proved findings are listed."""
        return self.level > 0

    @property
    def evidence(self) -> bool:
        """Whether rules, citations, premises and complete counterexamples are printed."""
        return self.level > 1


_COUNT = re.compile(r"\d+ [a-z-]+(?: \(known\))?")
"""A count of findings, such as `2 refuted (known)`."""

_DEAL_OF_MATCH = re.compile(r"(?:hand|deal) \d+: (?:dealer|tricks) ")
"""Matches a detail about a deal that `deals_before` already shows."""

_HELD = re.compile(r"player (\d+) holds ((?:\w\w ?)*)")
"""Matches what a player holds in a detail."""


def check_document(checked: Checked) -> Content:
    """The output of `check --json`: findings, known issues that were not found, and internal contradictions."""
    rulesets = [
        {"id": ruleset.id, "findings": findings, "stale_known": stale_known(ruleset, findings)}
        for ruleset, findings in checked.findings
    ]
    return {"rulesets": rulesets, "disagreements": checked.disagreements}


def report(checked: Findings, detail: Detail = Detail(), page: Page = PLAIN) -> str:
    """What is not proved, most serious first, and what to do next; without a trailing newline."""
    order = sorted(checked, key=lambda one: min((_rank(x) for x in one[1]), default=_FINE))
    blocks = ["\n".join(lines) for one in order if (lines := list(_ruleset(page, *one, detail)))]
    if detail.quiet:
        return "\n".join(blocks)
    gap = "\n\n" if any("\n" in block for block in blocks) else "\n"
    end = [*page.wrapped(_counts_unbroken(summary(checked)), hang=2), *_next(page, checked, detail)]
    return "\n\n".join([*filter(None, [gap.join(blocks)]), "\n".join(end)])


def summary(checked: Findings) -> str:
    """One line with the number of findings per verdict."""
    every = [finding for _, findings in checked for finding in findings]
    return f"{counted(len(checked), 'ruleset')}: {_counts(every)}"


_FAILED, _UNDECIDED, _WEAKER, _KNOWN, _FINE = range(5)


def _rank(finding: Finding) -> int:
    """Sort key: new failures, undecided, verdicts weaker than a proof, known failures, the rest."""
    if finding.verdict.negative:
        return _KNOWN if finding.known else _FAILED
    if finding.verdict is Verdict.UNDECIDED:
        return _UNDECIDED
    return _WEAKER if finding.verdict in (Verdict.BOUNDED, Verdict.TESTED) else _FINE


def _ruleset(page: Page, ruleset: Ruleset, findings: Sequence[Finding], detail: Detail) -> Iterator[str]:
    """A line about the ruleset, then its findings, most serious first."""
    last = _UNDECIDED if detail.quiet else _FINE if detail.all else _KNOWN
    shown = [x for x in sorted(findings, key=_rank) if _rank(x) <= last or _tells_recheck(x, detail)]
    stale = stale_known(ruleset, findings)
    if detail.quiet and not shown:
        return
    outcome = _outcome(findings)
    title = f" · {ruleset.title}" if detail.all else ""
    heading = f"{id_and_file(ruleset)}: {outcome}, {_counts(findings)}{title}"
    first, *others = page.wrapped(_counts_unbroken(heading), hang=2)
    styled = page.styled(outcome, STYLE_OF_OUTCOME[outcome])
    yield from (first.replace(f": {outcome}", f": {styled}", 1), *others)
    width = max((len(finding.check) for finding in shown), default=0)
    for finding in shown:
        yield from _finding(page, ruleset, finding, width, detail)
    if not detail.quiet:
        for name in stale:
            yield from page.wrapped(f"note: `{name}` is recorded as known, but was not found", "  ", 4)


def _tells_recheck(finding: Finding, detail: Detail) -> bool:
    """Whether a finding is listed for what the second solver says: quietly, only where it gave up."""
    return finding.recheck is not None and (not detail.quiet or finding.recheck.gave_up > 0)


def _finding(page: Page, ruleset: Ruleset, finding: Finding, width: int, detail: Detail) -> Iterator[str]:
    style = "faint" if finding.known else finding.verdict.value
    labels = [Label(finding.check, width), Label(finding.verdict.value, VERDICT_WIDTH, style)]
    says = _says(finding, detail)
    if finding.witness is not None:
        says = with_names(says, names_at_table(finding.witness, ruleset.program.players))
    yield from map(page.suits_coloured, page.labelled(labels, says))
    new = _rank(finding) == _FAILED
    if finding.recheck is not None:
        yield from page.wrapped(_rechecked(finding.recheck, finding.method), " " * 6)
    if detail.evidence:
        yield from _evidence(page, ruleset, finding)
    elif new and not detail.quiet:
        if stated := as_stated(finding, ruleset):
            yield from page.wrapped(stated, "      ", 8)
        elif finding.where is not None:
            yield from page.linked(at(finding.where), finding.where, "      at ")
        for line in finding.details if finding.witness is None else ():
            if not line.endswith(f": {finding.message}"):
                yield from page.wrapped(line, "      ", 8)
    if finding.witness is not None:
        if detail.evidence or (new and not detail.quiet and _shows_it(ruleset, finding)):
            yield from _witness(page, ruleset, finding, detail)
        elif path := detail.saved.get((ruleset.named, finding.check)) if new and not detail.quiet else None:
            saved = f"the rule sets the same numbers in every deal; one deal is saved in {path}"
            yield from page.wrapped(saved, "      ", 8)
    if detail.evidence:
        yield from _hands_of_others(page, ruleset, finding)


def _shows_it(ruleset: Ruleset, finding: Finding) -> bool:
    """Whether a deal shows what is wrong, which it does not if a rule sets fixed numbers."""
    return finding.witness is not None and not sets_fixed_numbers(ruleset, finding.where)


def _says(finding: Finding, detail: Detail) -> str:
    """The message of a finding, or why it is known; with details, both, and the method."""
    known = f"known: {finding.reason or 'recorded by the ruleset'}" if finding.known else ""
    if not detail.all:
        return known or finding.message
    return f"[{finding.method}] {finding.message}" + (f" ({known})" if known else "")


def _outcome(findings: Sequence[Finding]) -> str:
    """The outcome for a ruleset in one word; it corresponds to the exit code."""
    best = min(map(_rank, findings), default=_FINE)
    return "failed" if best == _FAILED else "undecided" if best == _UNDECIDED else "passed"


def _counts(findings: Sequence[Finding]) -> str:
    """`17 proved, 1 refuted (known)`."""
    counts = Counter((finding.verdict, finding.known) for finding in findings)
    parts = [
        f"{counts[verdict, known]} {verdict}{' (known)' if known else ''}"
        for verdict in Verdict
        for known in (False, True)
        if counts[verdict, known]
    ]
    return ", ".join(parts) or "nothing was checked"


def _counts_unbroken(line: str) -> str:
    """The line, to be broken between counts only."""
    return _COUNT.sub(lambda count: count[0].replace(" ", UNBROKEN), line)


def _next(page: Page, checked: Findings, detail: Detail) -> Iterator[str]:
    """What to do next: look at the first failure, or at what is not shown."""
    by_rank = [(_rank(x), r, x) for r, findings in checked for x in findings]
    failed = [(r, x) for rank, r, x in by_rank if rank == _FAILED]
    shown = [(r, x) for r, x in failed if _shows_it(r, x)]
    open_ = [(r, x) for rank, r, x in by_rank if rank == _UNDECIDED]
    if incomplete := next((pair for pair in failed if _missing(*pair)), None):
        yield from to_understand(page, *incomplete)
    elif failed:
        ruleset, finding = (shown or failed)[0]
        if shown:
            path = detail.saved.get((ruleset.named, finding.check))
            save = ["check", ruleset.named, "--only", finding.check, "--save-witness", "DIR"]
            words = save if path is None else ["replay", path]
            verb = "save" if path is None else "replay"
            yield from page.command(f"Next, {verb} the counterexample:", ["trickproof", *words])
        else:
            yield from to_understand(page, ruleset, finding)
        if finding.witness is not None and (ruleset.base is not None or not ruleset.own.documents):
            yield from page.command("To look for a fix:", ["trickproof", "validate", ruleset.named])
    elif detail.saved:
        path = next(iter(detail.saved.values()))
        yield from page.command("Next, replay a deal:", ["trickproof", "replay", path])
    elif open_ and detail.evidence:
        yield from page.command("Next, see what that means:", ["trickproof", "explain", "undecided"])
    elif open_:
        ruleset, finding = open_[0]
        words = ["trickproof", "check", ruleset.named, "--only", finding.check, "-vv"]
        yield from page.command("Next, see what is open:", words)
    elif not detail.evidence:
        only = ["--only", ",".join(detail.only)] if detail.only else []
        listed = detail.all or all(rank == _KNOWN for rank, _, _ in by_rank)
        words = ["trickproof", "check", *_few_rulesets(checked), *only, "-vv" if listed else "-v"]
        proved = any(finding.verdict.proved for _, _, finding in by_rank)
        what = "the evidence" if listed else "what is proved" if proved else "all results"
        yield from page.command(f"Next, see {what}:", words)


def _missing(ruleset: Ruleset, finding: Finding) -> list[str]:
    """The rules that a ruleset lacks without saying so, if a finding is about that."""
    if finding.verdict is not Verdict.UNSPECIFIED:
        return []
    missing = program_usage(ruleset.program).missing
    return [rule for rule, _ in missing if ruleset.whole.rules[rule].silent is None]


def to_understand(page: Page, ruleset: Ruleset, finding: Finding) -> list[str]:
    """The command that explains a finding: a rule that is missing, what its check claims, or the evidence if the ruleset states it itself."""
    if missing := _missing(ruleset, finding):
        head = f"Next, state the rules that are missing, such as `{missing[0]}`:"
        return page.command(head, ["trickproof", "explain", missing[0]])
    if finding.check in NAMES:
        return page.command("Next, read what the check claims:", ["trickproof", "explain", finding.check])
    words = ["trickproof", "check", ruleset.named, "--only", finding.check, "-vv"]
    return page.command("Next, see the evidence:", words)


def _few_rulesets(checked: Findings) -> list[str]:
    """The rulesets as the user named them, or none if there are too many."""
    names = [ruleset.named for ruleset, _ in checked]
    return names if len(names) <= MOST_NAMED else []


def _rechecked(recheck: Recheck, method: Method) -> str:
    """What a second solver said about a proof."""
    if recheck.solver is None:
        solved = method not in (Method.STATIC, Method.ENUMERATION)
        return "nothing to recheck: " + ("the solver gave no `unsat` answer" if solved else method)
    agrees = "agree" if " and " in recheck.solver else "agrees"
    outcome = f"rechecked: {recheck.solver} {agrees} on {counted(recheck.agreed, 'question')}"
    return f"{outcome} ({recheck.gave_up} gave up)" if recheck.gave_up else outcome


def _evidence(page: Page, ruleset: Ruleset, finding: Finding) -> Iterator[str]:
    """The location and text of the rule, and what the answer depends on."""
    if finding.where is not None:
        yield from page.linked(at(finding.where), finding.where, "      at ")
        rule = next((r for r in ruleset.whole.rules.values() if r.name.span == finding.where), None)
        if rule is not None:
            yield from _rule(page, rule)
    for cite in finding.cites:
        yield from page.wrapped(f"{cite}: {statement_of(ruleset, cite) or '(not loaded)'}", "      cites ", 8)
    premises = [f"{x.kind} `{x.name}`: {x.text}" for x in finding.rests_on]
    for key, values in (
        ("assumes", finding.assumes),
        ("reading", finding.readings),
        ("rests on", premises),
        ("note", _notes(ruleset, finding)),
    ):
        for value in values:
            yield from map(page.suits_coloured, page.wrapped(value, f"      {key} ", 8))


def _hands_of_others(page: Page, ruleset: Ruleset, finding: Finding) -> Iterator[str]:
    """The details that say what everybody holds then, as pictures: under another reading, for example."""
    names = names_at_table(finding.witness or {}, ruleset.program.players)
    for detail in finding.details:
        if held := _HELD.findall(detail):
            yield from page.wrapped(f"{detail[: detail.index('player ')].rstrip(': ')}:", "      ", 8)
            hands = by_holder([cards.split() for _, cards in held], names)
            yield from deal_picture(page, ruleset.program.deck, hands, 8)


def _notes(ruleset: Ruleset, finding: Finding) -> list[str]:
    """The details with players named by seat, without those of a match whose deals are shown."""
    shown = finding.match is not None and len(finding.match) > 1
    details = [
        x
        for x in finding.details
        if not (shown and _DEAL_OF_MATCH.match(x))
        and not _HELD.search(x)
        and not x.endswith(f": {finding.message}")
    ]
    if finding.witness is None:
        return details
    names = names_at_table(finding.witness, ruleset.program.players)
    return [with_names(detail, names) for detail in details]


def _witness(page: Page, ruleset: Ruleset, finding: Finding, detail: Detail) -> Iterator[str]:
    """A deal as played at the table, with the preceding deals in brief, and how to replay it."""
    match, called = finding.match, "Counterexample" if finding.verdict.negative else "Example"
    assert finding.witness is not None
    after = match is not None and len(match) > 1
    if match is not None and after:
        yield f"      {called} (deal {len(match)} of a match):"
        yield from deals_before(page, ruleset, match, 8)
    else:
        yield f"      {called}:"
    lines = list(played_hand(page, ruleset, finding.witness, 8, match, after))
    if detail.evidence or len(lines) <= MOST_LINES:
        yield from lines
    else:
        yield from (*lines[: MOST_LINES // 2], "        …", *lines[-MOST_LINES // 2 :])
    if (path := detail.saved.get((ruleset.named, finding.check))) is not None:
        yield from page.command("Replay it:", ["trickproof", "replay", path], 6)


def witness_lines(checked: Findings) -> Iterator[tuple[Ruleset, Finding, Mapping[str, Json]]]:
    """The input that `replay` takes for each counterexample: its deal, or the match that leads to it."""
    for ruleset, findings in checked:
        for finding in findings:
            if (scenario := finding.replayable) is not None:
                yield ruleset, finding, scenario


def _rule(page: Page, rule: RuleDecl) -> Iterator[str]:
    """The rule's source text, with its indentation."""
    texts = [rule.text] if rule.text else [reading.text for reading in rule.readings]
    for line in (line for text in texts for line in source_lines(text)):
        head = f"        | {' ' * (len(line) - len(line.lstrip()))}"
        yield from page.wrapped(line.strip(), head, len(head) + 8)
