"""How each source statement is covered, and every assumption: `trickproof sources`.

A statement is
- *encoded* by the rules that cite it, if the game reaches them or an invariant uses them;
- *tested* by the examples that cite it;
- *contradicted* if such an example disagrees with the rules, or if no ruleset encodes it and a rule declares that it does
  not follow it (`contradicts:`);
- *uncovered* if it is a rule or an example that nothing cites; if rules of a base encode it that the game does not reach or
  that are replaced, they are named;
- *not a rule* otherwise.

An inherited rule counts for the ruleset that states it, unless the heir's game never reaches it or the heir
contradicts the statement. What a ruleset cites for inheriting rules counts as `inherits`. An alternative
formulation of a rule (`same-as:`) counts if it is proved equivalent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from trickproof.analysis.usage import program_usage, usage_of
from trickproof.english.inflection import counted
from trickproof.equivalence.restatement import shown_restatements
from trickproof.reports.text import PLAIN, Label, Page
from trickproof.support.locations import at_line
from trickproof.support.serialise import Content
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.files.model import Backing, DocumentFile, RulesetFile, Statement
from trickproof_dsl.library import Library, Ruleset

OPEN = {"uncovered": "Uncovered", "contradicted": "Contradicted"}
"""The statuses that are listed first, with their headings."""

STATUSES = ("encoded", "tested", "contradicted", "uncovered", "not a rule")


@dataclass(frozen=True, slots=True)
class Use:
    """A rule or example that depends on a statement or contradicts it; `kind` is "rule" or "example".

    `same_as` is the rule that it is proved equivalent to, if it is an alternative formulation.
    """

    ruleset: str
    kind: str
    name: str
    same_as: str | None = None


@dataclass(frozen=True, slots=True)
class Traced:
    """A statement and its coverage; `replaced` are the rules of a base that encode it if no rule of the game does.

    `elsewhere` is what covers it in rulesets that are not traced, if nothing else does.
    """

    statement: Statement
    status: str
    by: tuple[Use, ...]
    against: tuple[Use, ...] = ()
    replaced: tuple[Use, ...] = ()
    elsewhere: tuple[Use, ...] = ()


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something that a ruleset assumes because its document is silent."""

    ruleset: str
    rule: str
    assumes: str
    where: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Trace:
    """Documents with their statements, and all assumptions."""

    documents: tuple[tuple[DocumentFile, tuple[Traced, ...]], ...]
    assumptions: tuple[Assumption, ...]


def trace(
    rulesets: Sequence[Ruleset],
    library: Library | None = None,
    contradicted: Collection[tuple[str, str]] = (),
    others: Sequence[Ruleset] = (),
) -> Trace:
    """Trace the documents of some rulesets; with a library, all of its documents.

    `others` are rulesets that may cover what these do not. `contradicted` are (ruleset, example) pairs whose examples disagree with the rules.
    """
    documents = {d.id.value: d for ruleset in rulesets for d in ruleset.documents.values()}
    if library is not None:
        every = {name: library.document(name)[0] for name in library.document_paths()}
        documents |= {name: d for name, d in every.items() if d is not None}
    uses, of_bases, of_others = _uses(rulesets), _uses(_bases(rulesets)), _uses(others)
    return Trace(
        tuple(
            (documents[name], _traced(documents[name], uses, of_bases, of_others, contradicted))
            for name in sorted(documents)
        ),
        tuple(sorted({a: 0 for ruleset in rulesets for a in _assumptions(ruleset)}, key=lambda a: a.ruleset)),
    )


def _traced(
    document: DocumentFile,
    uses: _Uses,
    of_bases: _Uses,
    of_others: _Uses,
    contradicted: Collection[tuple[str, str]],
) -> tuple[Traced, ...]:
    statements = []
    for statement in document.statements.values():
        cite = f"{document.id.value}.{statement.id}"
        by, against = tuple(uses.by.get(cite, ())), tuple(uses.against.get(cite, ()))
        status = _status(statement, by, against, contradicted)
        replaced = tuple(of_bases.by.get(cite, ())) if status == "uncovered" else ()
        elsewhere = tuple(of_others.by.get(cite, ())) if status == "uncovered" and not replaced else ()
        statements.append(Traced(statement, status, by, against, replaced, elsewhere))
    return tuple(statements)


def _bases(rulesets: Sequence[Ruleset]) -> list[Ruleset]:
    """All rulesets that these extend, directly or not."""
    bases: dict[str, Ruleset] = {}
    for ruleset in rulesets:
        base = ruleset.base
        while base is not None:
            bases.setdefault(base.named, base)
            base = base.base
    return list(bases.values())


def _status(
    statement: Statement,
    by: Sequence[Use],
    contradicting: Sequence[Use],
    contradicted: Collection[tuple[str, str]],
) -> str:
    rules = [use for use in by if use.kind == "rule"]
    examples = [use for use in by if use.kind == "example"]
    against = [use for use in examples if (use.ruleset, use.name) in contradicted]
    if against and (statement.kind == "example" or not rules):
        return "contradicted"
    if rules and not (examples and statement.kind == "example"):
        return "encoded"
    if contradicting:
        return "contradicted"
    if examples:
        return "tested"
    return "uncovered" if statement.kind in ("rule", "example") else "not a rule"


# -------------------------------------------------------------------------- dependence on statements


@dataclass(frozen=True, slots=True)
class _Uses:
    """What depends on each statement, and what contradicts it."""

    by: dict[str, dict[Use, None]]
    against: dict[str, dict[Use, None]]


def _backed(ruleset: Ruleset) -> Iterator[tuple[Use, Backing, Span]]:
    """All backed parts of a ruleset that its game reaches, each with the ruleset that states it."""
    whole, restated = ruleset.whole, shown_restatements(ruleset)
    runs = _runs(ruleset) | restated.keys()
    for name, part in (("players", whole.players), ("deck", whole.deck)):
        if part is not None:
            yield Use(_stated(ruleset, part.span), "rule", name), part.backing, part.span
    for rule in (rule for name, rule in whole.rules.items() if name in runs):
        name = rule.name.value
        use = Use(_stated(ruleset, rule.span), "rule", name, restated.get(name))
        yield use, rule.backing, rule.name.span
        for reading in rule.readings:
            yield use, reading.backing, reading.name.span
    for variable in (v for name, v in whole.state.items() if name in ruleset.program.variables):
        use = Use(_stated(ruleset, variable.span), "rule", variable.name.value)
        yield use, variable.backing, variable.span
    for invariant in whole.invariants.values():
        use = Use(_stated(ruleset, invariant.span), "rule", invariant.name.value)
        yield use, invariant.backing, invariant.name.span
    for entry in whole.inherits:
        yield Use(ruleset.id, "rule", "inherits"), entry.backing, entry.span
    for example in whole.examples:
        yield Use(ruleset.id, "example", example.name.value), example.backing, example.name.span


def _runs(ruleset: Ruleset) -> frozenset[str]:
    """The rules that the game reaches or an invariant uses, including missing ones."""
    program = ruleset.program
    stated = usage_of(*(invariant.condition for invariant in program.invariants.values()))
    usage = program_usage(program)
    return usage.rules | stated.rules | {name for name, _ in (*usage.missing, *stated.missing)}


def _stated(ruleset: Ruleset, span: Span) -> str:
    """The id of the ruleset, this one or a base, whose file contains a span."""
    files: list[RulesetFile] = []
    level: Ruleset | None = ruleset
    while level is not None:
        files.append(level.own)
        level = level.base
    return next((file.id.value for file in files if file.source == span.source), "prelude")


def _uses(rulesets: Sequence[Ruleset]) -> _Uses:
    uses = _Uses({}, {})
    for ruleset in rulesets:
        backed = list(_backed(ruleset))
        contradicted = {word.value for _, backing, _ in backed for word in backing.contradicts}
        for use, backing, _ in backed:
            for word in backing.contradicts:
                uses.against.setdefault(word.value, {})[use] = None
            for cite in backing.cites:
                if use.kind == "example" or cite.value not in contradicted:
                    uses.by.setdefault(cite.value, {})[use] = None
    return uses


def _assumptions(ruleset: Ruleset) -> Iterator[Assumption]:
    for use, backing, _ in _backed(ruleset):
        for word in backing.assumes:
            yield Assumption(use.ruleset, use.name, word.value, word.span)


# --------------------------------------------------------------------------------------------- output


def trace_document(traced: Trace) -> Content:
    """The documents with the coverage of each statement, and all assumptions."""
    documents = [
        {"id": document.id.value, "statements": [_statement_document(t) for t in statements]}
        for document, statements in traced.documents
    ]
    return {"documents": documents, "assumptions": traced.assumptions}


def _statement_document(traced: Traced) -> Content:
    statement = traced.statement
    return {
        "id": statement.id,
        "kind": statement.kind,
        "says": statement.says,
        "status": traced.status,
        "by": [_use_document(use) for use in traced.by],
        "against": [_use_document(use) for use in traced.against],
        "replaced": [_use_document(use) for use in traced.replaced],
        "damaged": statement.damaged,
        "meant": statement.meant,
    }


def _use_document(use: Use) -> Content:
    same = {"same_as": use.same_as} if use.same_as else {}
    return {"ruleset": use.ruleset, use.kind: use.name, **same}


def trace_text(traced: Trace, page: Page = PLAIN) -> str:
    """The same as text: what is uncovered, contradicted or assumed, the rest by document, the totals."""
    parts = []
    for status, heading in OPEN.items():
        parts += _part(traced, heading, page, status)
    if traced.assumptions:
        parts.append([page.styled("Assumed", "strong"), *_assumed(traced.assumptions, page)])
    for document, statements in traced.documents:
        if rest := [t for t in statements if t.status not in OPEN]:
            parts.append(list(_document(document, rest, page)))
    parts += _part(traced, "Covered by other rulesets only", page, "uncovered", elsewhere=True)
    parts.append(page.wrapped(_summary(traced), hang=2))
    return "\n\n".join("\n".join(part) for part in parts)


def _part(
    traced: Trace, heading: str, page: Page, status: str, *, elsewhere: bool = False
) -> list[list[str]]:
    """The statements of a status under a heading, by document; nothing if there are none."""
    lines = [
        line
        for document, statements in traced.documents
        if (some := [t for t in statements if t.status == status and bool(t.elsewhere) is elsewhere])
        for line in _document(document, some, page)
    ]
    return [[page.styled(heading, "strong"), *lines]] if lines else []


def _document(document: DocumentFile, statements: Sequence[Traced], page: Page) -> Iterator[str]:
    """Some statements of a document, under its title."""
    yield from page.wrapped(f"{document.id.value}: {document.title}", hang=2)
    for statement in statements:
        yield from _statement_lines(statement, page)


def _assumed(assumptions: Sequence[Assumption], page: Page) -> Iterator[str]:
    for a in assumptions:
        yield from page.wrapped(f"{a.ruleset}: {a.rule}: {a.assumes} ({at_line(a.where)})", "  ", 4)


def _statement_lines(traced: Traced, page: Page) -> list[str]:
    uncovered_example = (traced.status, traced.statement.kind) == ("uncovered", "example")
    meant = f", taken to mean: {traced.statement.meant}" if traced.statement.meant else ""
    damaged = f" (damaged{meant})" if traced.statement.damaged else ""
    users = _listed(traced.by)
    if traced.against:
        users = "; ".join(filter(None, (users, f"contradicted by {_listed(traced.against)}")))
    if traced.elsewhere:
        users = _listed(traced.elsewhere)
    if traced.replaced:
        users = f"only in its base: {_listed(traced.replaced)}"
    status = Label("uncovered example" if uncovered_example else traced.status, 17, traced.status)
    text = f"{traced.statement.says}{damaged}{f'  [{users}]' if users else ''}"
    return page.labelled([Label(traced.statement.id, 4), status], text)


def _listed(uses: Sequence[Use]) -> str:
    """Rules and examples, grouped by ruleset."""
    by: dict[str, list[str]] = {}
    for use in uses:
        same = f" (proved to do the same as {use.same_as})" if use.same_as else ""
        by.setdefault(use.ruleset, []).append(f"{'' if use.kind == 'rule' else 'example '}{use.name}{same}")
    return "; ".join(f"{ruleset}: {', '.join(names)}" for ruleset, names in by.items())


def _summary(traced: Trace) -> str:
    counts = Counter(t.status for _, statements in traced.documents for t in statements)
    elsewhere = sum(bool(t.elsewhere) for _, statements in traced.documents for t in statements)
    also = {"uncovered": f" ({elsewhere} covered by other rulesets)"} if elsewhere else {}
    totals = ", ".join(
        f"{counts[status]} {status}{also.get(status, '')}" for status in STATUSES if counts[status]
    )
    documents = (
        f"{counted(len(traced.documents), 'document')}, {counted(counts.total(), 'statement')}: {totals}"
    )
    return f"{documents if totals else 'no documents'}; {counted(len(traced.assumptions), 'assumption')}"
