"""`rules-complete`: no rule the game needs is unspecified.

Players will argue about a rule that is missing, that the document says nothing about, that rests on an
assumption, or that has several readings. The same goes for an order that does not say which of two tied
players goes first (`ties open`); for a variable that rules read although no rule sets it, or only the steps
between deals, if it is not carried over to the next deal; for a suit that is set and that no rule uses, such
as trumps that win no trick; for a rule of the standard vocabulary, or in a game of your own any rule with
statements, that is stated and never run; and for a parameter or reading of a variant that no rule in play
reads. The finding lists each, with its place and what was assumed. In a file that names no
documents of its own (a house rule, a game of your own), an assumption is an agreement, not a gap.

A documented ruleset that extends another (it names documents of its own) says under `inherits:` why each rule
of the base applies to it as well. A rule inherited without grounds is reported by name, with what has changed
in its subject; a rule inherited on an assumption rests on that assumption. House rules inherit freely.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trickproof.analysis.inheritance_grounds import FACTS, changed_words, variant_of
from trickproof.analysis.usage import OWED, claimed, rules_at, usage_of
from trickproof.checking.finding import Finding, Gap
from trickproof.checking.verdict import Method, Verdict
from trickproof.english.inflection import listed
from trickproof.proofs import kernel
from trickproof.proofs.hands.check import Check
from trickproof.support.locations import at_line
from trickproof.testing.subject import Subject, is_standard
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.elaboration.elaborate import PHASES
from trickproof_dsl.files.model import Backing, RuleDecl, assumes_of, in_prelude
from trickproof_dsl.library import Ruleset, prelude
from trickproof_dsl.syntax.error_examples import WITH_TRUMPS


def _run(check: Check, subject: Subject) -> Finding:
    gaps = list(_gaps(subject))
    if not gaps:
        number = len(subject.usage.rules)
        rest = "rest on the document" if subject.ruleset.whole.documents else "are stated"
        message = f"all {number} rules the game needs {rest}"
        return subject.finding(check, kernel.verdict(kernel.static(message, gaps)), Method.STATIC, message)
    message = _summary(gaps)
    finding = subject.finding(check, Verdict.UNSPECIFIED, Method.STATIC, message, where=gaps[0].where)
    places = tuple(f"{at_line(gap.where)}: {gap}" for gap in gaps)
    declared = subject.ruleset.whole.rules
    rules = [declared[gap.rule] for gap in gaps if gap.variable is None and gap.rule in declared]
    grounds = subject.inherited
    entries = [entry for gap in gaps if gap.rule in grounds for entry in grounds[gap.rule].grounds]
    backings = [*(rule.backing for rule in rules), *(entry.backing for entry in entries)]
    readings = tuple(f"{rule.name.value}: {r.name.value}" for rule in rules for r in rule.readings)
    return replace(finding, details=places, assumes=assumes_of(backings), readings=readings, gaps=tuple(gaps))


def _summary(gaps: list[Gap]) -> str:
    """A short summary of what is open; the details have the rest."""
    groups: dict[str, list[str]] = {}
    for gap in gaps:
        names = groups.setdefault(gap.what.partition(":")[0], [])
        if (name := f"`{gap.variable or gap.rule}`") not in names or gap.variable is None:
            names.append(name)
    return "; ".join(f"{listed(rules)} {_plural(what, len(rules))}" for what, rules in groups.items())


def _plural(what: str, number: int) -> str:
    for one, many in (("is ", "are "), ("does ", "do ")):
        if number > 1 and what.startswith(one):
            return many + what.removeprefix(one)
    return what


def _gaps(subject: Subject) -> list[Gap]:
    whole, usage = subject.ruleset.whole, subject.usage
    missing, agreed = dict(usage.missing), _agreements(subject.ruleset)
    gaps: list[Gap] = []
    for name, part in (("players", whole.players), ("deck", whole.deck)):
        if part is not None and part.backing.assumes and part.span.source not in agreed:
            gaps.append(Gap(name, None, part.span, _assumed(part.backing), assumed=True))
    for name, rule in whole.rules.items():
        if name in missing or name in usage.rules:
            what = _open(rule)
            if what and not (rule.backing.assumes and rule.name.span.source in agreed):
                place = subject.ruleset.own.id.span if is_standard(rule) else rule.name.span
                gaps.append(
                    Gap(
                        name,
                        None,
                        place,
                        what,
                        assumed=rule.silent is None and not rule.readings and bool(rule.backing.assumes),
                    )
                )
    gaps += [*_inherited(subject), *_open_ties(subject), *_never_run(subject), *_never_set(subject)]
    return [*gaps, *_never_used(subject), *_meaningless(subject)]


def _inherited(subject: Subject) -> list[Gap]:
    """Rules that a documented variant inherits without grounds, those whose subject has changed first, or on an assumption."""
    changed: list[Gap] = []
    plain: list[Gap] = []
    assumed: list[Gap] = []
    variant = variant_of(subject.ruleset) or subject.ruleset
    for name, rule in subject.inherited.items():
        if name not in subject.usage.rules and name not in FACTS:
            continue
        texts = [w for entry in rule.grounds for w in entry.backing.assumes]
        if not rule.grounds:
            subjects = changed_words(subject.ruleset, name)
            what = "is inherited without grounds"
            if subjects:
                what += f", despite changes to {listed(subjects)}"
            (changed if subjects else plain).append(Gap(name, None, variant.own.id.span, what))
        elif texts:
            cited = any(entry.backing.cites for entry in rule.grounds)
            how = "partly by assumption" if cited else "by assumption"
            what = f"is inherited, {how}: {'; '.join(w.value for w in texts)}"
            assumed.append(Gap(name, None, texts[0].span, what, assumed=True))
    return [*changed, *plain, *assumed]


def _agreements(ruleset: Ruleset | None) -> set[Source]:
    """The files that name no documents, whose assumptions are agreements of a table or of an author."""
    sources: set[Source] = set()
    while ruleset is not None:
        if not ruleset.own.documents:
            sources.add(ruleset.own.source)
        ruleset = ruleset.base
    return sources


def _open_ties(subject: Subject) -> Iterator[Gap]:
    """Orders of players that leave open who goes first in a tie."""
    program = subject.ruleset.program
    for node in walk(*program.phases):
        if isinstance(node, c.Loop) and node.order.ties == "open" and node.domain.type == c.PLAYERS:
            rule = (rules_at(program, node.span) or ("hand",))[-1]
            yield Gap(rule, None, node.span, "does not say which of two tied players goes first")


def _never_run(subject: Subject) -> Iterator[Gap]:
    """Rules of the standard vocabulary that the file states and nothing runs or uses; in a game of one's own, any procedure."""
    file, running, codes = subject.ruleset.own, subject.usage.rules, subject.program.rules
    used = running | usage_of(*claimed(subject.program)).rules | {*PHASES, *OWED}
    used |= {example.run.value for example in file.examples if example.run}
    alone = file.extends is None and not file.documents
    for name, rule in file.rules.items():
        if name in used or rule.text is None or rule.same_as is not None:
            continue
        added = name not in prelude().rules
        if added and (not alone or rule.parameters or codes[name].body is None):
            continue
        what = "is stated but never run"
        place = next((x for x in ("exchange-timing", "before-play") if x in running), None)
        if place is not None and (added or name in ("trump", "kitty", "reveal", "exchange-order")):
            whole = f"`{place}: {{rule: do {name}, assumes: why}}`"
            what += f": add {f'`do {name}` to `{place}`' if place in file.rules else whole}"
            what += ", or call it from another rule" if added else ""
        yield Gap(name, None, rule.name.span, what)


def _never_set(subject: Subject) -> Iterator[Gap]:
    """Variables without an initial value that rules use and nothing sets before: the first place in each rule."""
    program, whole = subject.ruleset.program, subject.ruleset.whole
    told: set[tuple[str, str]] = set()
    reads = sorted(
        _reads_of_unset(program), key=lambda read: (read.name, read.span.source.name, read.span.start)
    )
    for read in reads:
        declared = whole.state.get(read.name)
        if declared is None or declared.initial is not None:
            continue
        rule = next((name for name, decl in whole.rules.items() if _says(decl, read.span)), "hand")
        if (rule, read.name) not in told:
            told.add((rule, read.name))
            standard = in_prelude(read.span)
            if standard and any(x.name == read.name and not in_prelude(x.span) for x in reads):
                continue
            place = subject.ruleset.own.id.span if standard else read.span
            empty = _holds_cards(program, read.name)
            what = f"is used{' by a standard rule' if standard else ''} but never set"
            what += ": it is always empty" if empty else ""
            yield Gap(rule, read.name, place, what, assumed=empty)


def _never_used(subject: Subject) -> Iterator[Gap]:
    """Suits that a rule sets and none uses, such as trumps that win no trick: the first place of each."""
    program = subject.program
    used = {*subject.usage.reads, *usage_of(*claimed(program)).reads}
    for node in walk(*program.phases):
        if not isinstance(node, c.Assign) or in_prelude(node.span) or node.variable in used:
            continue
        none = isinstance(node.value, c.Literal) and node.value.value is None
        if program.variables[node.variable].type == c.SUIT and not none:
            used.add(node.variable)
            rule = (rules_at(program, node.span) or ("hand",))[-1]
            hint = (
                f": with trumps, `trick-winner` is `{WITH_TRUMPS}`"
                if node.variable == "trump" and "trick-winner" in subject.usage.rules
                else ""
            )
            yield Gap(rule, node.variable, node.span, f"is set but never used{hint}", assumed=True)


def _meaningless(subject: Subject) -> Iterator[Gap]:
    """Parameters and readings that a variant declares itself and no reachable rule uses; a base may have them for its variants."""
    own, program = subject.ruleset.own, subject.ruleset.program
    if own.extends is None:
        return
    stated = usage_of(*(invariant.condition for invariant in program.invariants.values()))
    for name, parameter in own.parameters.items():
        if name not in subject.usage.parameters | stated.parameters:
            yield Gap(name, None, parameter.name.span, "is to be agreed on, but no rule that runs uses it")
    for name, rule in own.rules.items():
        if rule.readings and name not in subject.usage.readings | stated.readings:
            yield Gap(name, None, rule.name.span, f"can be read in {len(rule.readings)} ways, but never runs")


def _reads_of_unset(program: c.Program) -> Iterator[c.Variable]:
    """Reads of variables that nothing sets before, in any order of the steps of a match."""
    setup, hand, between = (usage_of(phase).assigns for phase in program.phases)
    for phase, assigned in (
        (program.setup, setup),
        (program.hand, setup | hand),
        (program.between, hand | between),
    ):
        for node in walk(phase):
            if isinstance(node, c.Variable):
                carried = program.variables[node.name].carried
                if node.name not in (setup | hand | between if carried else assigned):
                    yield node


def _holds_cards(program: c.Program, name: str) -> bool:
    """Whether a variable holds a set of cards, which is empty until set, so that its meaning is not open."""
    return program.variables[name].type.kind == "cards"


def _says(rule: RuleDecl, span: Span) -> bool:
    """Whether a place lies in the text of a rule."""
    texts = [rule.text] if rule.text is not None else [reading.text for reading in rule.readings]
    return any(
        text.source == span.source and text.start <= span.start <= span.end <= text.end for text in texts
    )


def _open(rule: RuleDecl) -> str | None:
    """What is open about a rule, or None. Rules of the standard vocabulary with a text need no backing."""
    if rule.silent is not None:
        return f"is left open: {rule.silent.value}"
    if rule.text is None and not rule.readings:
        return "is missing"
    if rule.readings:
        names = " or ".join(reading.name.value for reading in rule.readings)
        return f"can be read in {len(rule.readings)} ways: {names}"
    return _assumed(rule.backing) if rule.backing.assumes else None


def _assumed(backing: Backing) -> str:
    how = "is partly assumed" if backing.cites else "is assumed"
    return f"{how}: {'; '.join(word.value for word in backing.assumes)}"


CHECK = Check("rules-complete", (), run=_run)
