"""The fields of a document file, and its decoding from the YAML tree to `DocumentFile`.

A document file registers a source: its origin, and its numbered statements in our own words.  Promises as in
`decode_ruleset.py`.
"""

from __future__ import annotations

from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Source
from trickproof_dsl.files.decode_ruleset import read_values
from trickproof_dsl.files.field_spec import Field, Named, NamedItem, Record, Values
from trickproof_dsl.files.model import DocumentFile, Statement, Word
from trickproof_dsl.files.scalar_spec import BooleanOrText, Choice, Form, Id, Integer, Text

_COUNT = Integer(1, 10_000)

SECTION = Field("section", Text(), "The heading of the section in the original.", required=True)
PARAGRAPH = Field("paragraph", _COUNT, "The paragraph of the section, from 1.")
SENTENCE = Field("sentence", _COUNT, "The sentence of the paragraph, from 1.")
ITEM = Field("item", _COUNT, "The item of the list or row of the table, from 1.")

AT_FORM = Record("a mapping with `section:`", (SECTION, PARAGRAPH, SENTENCE, ITEM))
AT = Field("at", AT_FORM, "Where the original says it.", required=True)
KIND = Field(
    "kind",
    Choice(("rule", "example", "advice", "history")),
    "What the statement is; rules must be cited by a ruleset.",
    required=True,
)
SAYS = Field("says", Text(), "The statement in our own words.", required=True)
DAMAGED = Field(
    "damaged",
    BooleanOrText(),
    "Whether the original cannot be read in full or is garbled here: true, or what it was taken to mean.",
)
CUSTOM = Field(
    "custom",
    Id(expected="a custom such as `cutting`"),
    "The custom that the statement is about, if play does not depend on it: a row of the table.",
)
STATEMENT_FORM = Record("a mapping with `says:`", (AT, KIND, SAYS, DAMAGED, CUSTOM))

DOCUMENT = Field("document", Id(), "The id of the document, used in citations.", required=True)
TITLE = Field("title", Text(), "The title of the original.", required=True)
AUTHOR = Field("author", Text(), "Who wrote or translated it.")
LANGUAGE = Field(
    "language",
    Form("a language such as `en` or `de-AT`", "[a-z]{2,3}(-[A-Za-z0-9]{2,8})*"),
    "The language of the original, as a BCP 47 tag.",
    required=True,
)
DATE = Field(
    "date",
    Form("a date such as `2018-05-30`", "[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?"),
    "When it was published or last changed: year, month and day as far as known.",
)
ORIGINAL = Field("original", Text(), "The file or address of the original.")
STATEMENTS = Field(
    "statements",
    Named(
        "a mapping of statements",
        Id(expected="a statement id such as `s28`"),
        STATEMENT_FORM,
    ),
    "The statements of the document, by id.",
    required=True,
)

DOCUMENT_FORM = Record("a document", (DOCUMENT, TITLE, AUTHOR, LANGUAGE, DATE, ORIGINAL, STATEMENTS))


def decode_document(source: Source) -> tuple[DocumentFile | None, list[Diagnostic]]:
    """The document that a source registers, or None and all errors in its YAML and its fields (E0xx, E1xx)."""
    values, diagnostics = read_values(source, DOCUMENT_FORM)
    return (_document(values, source) if values and not diagnostics else None), diagnostics


def _document(values: Values, source: Source) -> DocumentFile:
    return DocumentFile(
        id=values.need(DOCUMENT),
        title=values.need(TITLE).value,
        author=_value(values.get(AUTHOR)),
        language=values.need(LANGUAGE).value,
        date=_value(values.get(DATE)),
        original=_value(values.get(ORIGINAL)),
        statements={item.name.value: _statement(item) for item in values.need(STATEMENTS)},
        source=source,
    )


def _statement(item: NamedItem[Values]) -> Statement:
    values, at = item.value, item.value.need(AT)
    damaged = values.get(DAMAGED)
    return Statement(
        id=item.name.value,
        kind=values.need(KIND).value,
        says=values.need(SAYS).value,
        section=at.need(SECTION).value,
        paragraph=at.get(PARAGRAPH),
        sentence=at.get(SENTENCE),
        item=at.get(ITEM),
        damaged=damaged is not None and damaged is not False,
        meant=_value(damaged) if isinstance(damaged, Word) else None,
        custom=_value(values.get(CUSTOM)),
        span=item.span,
    )


def _value(word: Word | None) -> str | None:
    return word.value if word else None
