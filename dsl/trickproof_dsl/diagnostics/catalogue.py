"""The catalogue of everything that can be wrong in a user's text, and the function that reports it.

What it is: one `ErrorKind` for each code, grouped by stage (E0xx reading the file, E1xx fields, E2xx to E5xx
rule text, names, types and rulesets).  `error` makes a `Diagnostic`; docs/errors.md is generated from the
table.

How to add one: append a kind to the group of your stage, or add a group to `_GROUPS`.  A template is lower
case, without final period, has the user's text in backticks and says what was expected.  Data may be text,
numbers or a tuple of names, which is shown as "`a`, `b` or `c`".  A help text is omitted if its data is
missing or None.

Promises: codes are unique and never reused.  Only a bug raises: an unknown code is a `KeyError`.
"""

import re
from collections.abc import Iterable

from trickproof_dsl.diagnostics.catalogue_rules import MEANING, RULESETS, SYNTAX
from trickproof_dsl.diagnostics.diagnostic import Diagnostic, ErrorKind
from trickproof_dsl.diagnostics.source import Span

__all__ = ["CATALOGUE", "ErrorKind", "did_you_mean", "error", "yaml_words"]


def error(
    code: str, span: Span | None, /, *, notes: Iterable[tuple[str, Span]] = (), **data: object
) -> Diagnostic:
    """Make the diagnostic for an error of the catalogue; the data fills its template.

    Raises KeyError if the code is not in the catalogue, which is a bug in the caller.
    """
    return Diagnostic(CATALOGUE[code], span, data, tuple(notes))


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `name` is most likely a misspelling of, or None if none is close.

    Close means at most one slip per three letters (a letter wrong, missing or added, or two swapped),
    ignoring case, hyphens, underscores and spaces.  Ties go to the candidate closest in length, then in alphabetical order.
    """
    if len(name) > 60:
        return None
    plain = _plain(name)
    most, letters = len(plain) // 3, set(plain)
    ranked: list[tuple[int, int, str]] = []
    for candidate in candidates:
        other = _plain(candidate)
        # a slip changes the length by at most one, and adds or removes at most one letter
        if candidate == name or abs(len(other) - len(plain)) > most:
            continue
        if len(letters.difference(other)) <= most and len(set(other) - letters) <= most:
            ranked.append((_slips(plain, other), abs(len(other) - len(plain)), candidate))
    nearest = min(ranked, default=None)
    return nearest[-1] if nearest is not None and nearest[0] <= most else None


def meant(name: str | None) -> str | None:
    """The question "did you mean", or None."""
    return f"did you mean `{name}`?" if name else None


def or_meant(name: str | None) -> str:
    """That question after a message of one line."""
    return f"; {meant(name)}" if name else ""


def yaml_words(problem: str, char: str) -> tuple[str, str | None]:
    """An error of the YAML scanner about a character, in our words, and a hint."""
    for pattern, words, advice in _SCANNER_WORDS:
        if match := re.search(pattern, problem):
            return words.format(*match.groups(), char=char), advice
    return re.sub(r",? but (?:found|got) .*", "", problem) or "expected a field", None


def _plain(name: str) -> str:
    return name.casefold().replace("_", "").replace("-", "").replace(" ", "")


def _slips(left: str, right: str) -> int:
    """Edit distance with transpositions of neighbours (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        oldest, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, oldest[j - 2] + 1)
            row.append(cost)
    return row[-1]


_READING = (
    ErrorKind(
        "E001",
        "file-not-found",
        "file `{file}` not found",
        "There is no file with this name. Paths are relative to the folder in which the command runs.",
        help="did you mean `{meant}`?",
    ),
    ErrorKind(
        "E002",
        "file-unreadable",
        "cannot read `{file}`: {reason}",
        "The file exists, but the system does not permit reading it.",
    ),
    ErrorKind(
        "E003",
        "not-utf-8",
        "byte {byte} is not UTF-8 text",
        "Rulesets are text files in UTF-8.",
        help="save the file with the encoding UTF-8",
    ),
    ErrorKind(
        "E004",
        "not-text",
        "character {character} is not allowed: expected text",
        "The file contains a control character or another character that text does not have; it may not be a text file.",
        help="remove the character",
    ),
    ErrorKind(
        "E005",
        "file-too-large",
        "`{file}` is too large: expected at most {limit} bytes",
        "A ruleset is a few hundred lines. Files over the limit are refused before they are read.",
    ),
    ErrorKind(
        "E006",
        "too-deep",
        "nested too deep: expected at most {limit} levels",
        "Lists and mappings may be nested, but not this deep.",
        example="a: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
        right="a: [1, 2]",
    ),
    ErrorKind(
        "E007",
        "too-many-nodes",
        "too many values: expected at most {limit}",
        "The file contains more values than any ruleset needs; it is refused to keep the tool responsive.",
    ),
    ErrorKind(
        "E008",
        "tab-indentation",
        "tab: expected spaces",
        "YAML is indented with spaces only, and tabs outside of texts are read differently by different programs.",
        help="replace the tab with spaces",
        example="deck:\n\tranks: 13",
        right="deck:\n  ranks: 7 8 9",
    ),
    ErrorKind(
        "E009",
        "yaml-syntax",
        "not valid YAML: {problem}",
        "The file cannot be read as YAML from here on. Later errors appear once this one is fixed.",
        help="{advice}",
        example="players: [a, b",
        right="players: [a, b]",
    ),
    ErrorKind(
        "E010",
        "several-documents",
        "second document in one file: expected one",
        "A line `---` starts a new YAML document. A file holds one ruleset or one register of statements.",
        help="put it in a file of its own",
        example="id: one\n---\nid: two",
        right="id: one",
    ),
    ErrorKind(
        "E011",
        "alias",
        "alias `{name}` is not allowed: expected the value itself",
        "YAML aliases hide what a rule says and where it is written. To share rules, use `extends:`.",
        help="write the value out where it is used; quote the text if it is meant as text",
        example="a: *b",
        right="a: b",
    ),
    ErrorKind(
        "E012",
        "anchor",
        "anchor `{name}` is not allowed: expected a plain value",
        "YAML anchors only serve aliases, which are not allowed. To share rules, use `extends:`.",
        help="write the value out where it is used; quote the text if it is meant as text",
        example="a: &b 1",
        right="a: 1",
    ),
    ErrorKind(
        "E013",
        "tag",
        "tag `{name}` is not allowed: expected a plain value",
        "The field determines the kind of value; YAML tags have no use here.",
        help="quote the text if it is meant as text",
        example="a: !!str 1",
        right='a: "1"',
    ),
    ErrorKind(
        "E014",
        "merge-key",
        "merge key `<<` is not allowed: expected a field name",
        "Merge keys hide what a ruleset says. To share rules, use `extends:`.",
        help="write the fields out where they are used",
        example="a:\n  <<: {b: 1}",
        right="a:\n  b: 1",
    ),
    ErrorKind(
        "E015",
        "duplicate-key",
        "field `{name}` is given twice",
        "A mapping names each field once. YAML itself would silently keep the last.",
        help="keep one of the two",
        example="title: A\ntitle: B",
        right="title: A",
    ),
    ErrorKind(
        "E016",
        "empty-document",
        "the file is empty: expected fields such as `ruleset: my-game`",
        "The file contains only blank lines and comments.",
        example="# nothing yet",
        right="ruleset: my-game",
    ),
    ErrorKind(
        "E017",
        "top-not-a-mapping",
        "expected fields such as `ruleset: my-game`, found {found}",
        "The top of a file is a mapping: one field a line, its name, a colon and its value.",
        example="- a\n- b",
        right="a: 1\nb: 2",
    ),
    ErrorKind(
        "E018",
        "key-not-text",
        "field name is {found}: expected text",
        "The name of a field is text; YAML would allow lists and mappings there.",
        help="write a field for each name",
        example="[a, b]: 1",
        right="a: 1\nb: 1",
    ),
    ErrorKind(
        "E019",
        "more-errors",
        "and {count} more from here on",
        "At most a hundred errors per file are shown; this is the number of the others.",
        help="fix the first errors, which may have caused the others",
    ),
)

_FIELDS = (
    ErrorKind(
        "E101",
        "unknown-field",
        "unknown field `{name}`: expected {allowed}",
        "The mapping has no field with this name.",
        help="{help}",
        example="tittle: Sergeant Major",
        right="title: Sergeant Major",
    ),
    ErrorKind(
        "E102",
        "missing-field",
        "field `{name}` is missing",
        "The mapping needs this field.",
        help="add `{name}:` with {expected}",
        example="title: a ruleset without id",
        right="ruleset: my-game\ntitle: a ruleset with an id",
    ),
    ErrorKind(
        "E103",
        "wrong-kind",
        "expected {expected}, found {found}",
        "The field takes another kind of value. Numbers are plain decimal digits, truth values are `true` and "
        "`false`, and every other scalar is text.",
        help="{advice}",
        example="players: three",
        right="players: 3",
    ),
    ErrorKind(
        "E104",
        "bad-id",
        "bad id `{name}`: expected lower-case letters, digits and single hyphens, beginning with a letter",
        "Ids name rulesets, documents and rules on the command line and in citations.",
        help="{advice}",
        example="ruleset: Sergeant Major",
        right="ruleset: sergeant-major",
    ),
    ErrorKind(
        "E105",
        "value-not-allowed",
        "unknown value `{value}`: expected {allowed}",
        "The field takes one of a few words.",
        help="did you mean `{suggestion}`?",
        example="zones:\n  stock: {seen-by: all}",
        right="zones:\n  stock: {seen-by: everyone}",
    ),
    ErrorKind(
        "E106",
        "block-wanted",
        "expected rule text on one line or in a `|` block, found {found}",
        "Rule text is read in place, so that every message points at the exact column. Text that YAML folds or "
        "unescapes has no exact place.",
        help="write `|` behind the field, as in `rule: |`, and the text below it, indented",
        example="rules:\n  end:\n    rule: >\n      some player has\n      tricks >= 12",
        right="rules:\n  end:\n    rule: |\n      some player has\n      tricks >= 12",
    ),
    ErrorKind(
        "E107",
        "out-of-range",
        "`{value}` is out of range: expected {expected}",
        "The number or the length of the list is not possible here.",
        example="players: 0",
        right="players: 3",
    ),
    ErrorKind(
        "E108",
        "empty-value",
        "`{name}` is empty: expected {expected}",
        "The field is there, but nothing follows the colon.",
        help="{advice}",
        example="title:",
        right="title: Sergeant Major",
    ),
    ErrorKind(
        "E109",
        "fields-apart",
        "`{name}` cannot be combined with `{other}`",
        "The two fields say different things about the same matter: a rule has text, or readings, or is silent; "
        "a deck lists its cards, or the cards that are taken out.",
        help="keep one of the two",
        example="rules:\n  end:\n    rule: some player has tricks >= 12\n    silent: nothing is said",
        right="rules:\n  end:\n    rule: some player has tricks >= 12\n    cites: [pagat-de.s9]",
    ),
    ErrorKind(
        "E110",
        "one-field-needed",
        "expected {allowed}, found none of them",
        "The mapping needs exactly one of these fields.",
        example="rules:\n  end:\n    of: player p",
        right="rules:\n  end:\n    rule: some player has tricks >= 12\n    cites: [pagat-de.s9]",
    ),
    ErrorKind(
        "E111",
        "reserved-word",
        "`{name}` is a word of the rule language: expected another name",
        "Names that rules use must not be words of the language.",
        help="{advice}",
        example="zones:\n  cards: {of: player}",
        right="zones:\n  stock: {of: player}",
    ),
    ErrorKind(
        "E112",
        "listed-twice",
        "`{name}` is listed twice",
        "Each of these may be listed only once.",
        help="remove one of the two",
        example="deck: {without: 2C 2C}",
        right="deck: {without: 2C 2D}",
    ),
    ErrorKind(
        "E113",
        "malformed",
        "cannot read `{value}`: expected {expected}",
        "The field takes text of a certain form.",
        help="{advice}",
        example="rules:\n  end: {cites: [pagat-de 28]}",
        right="rules:\n  end: {cites: [pagat-de.s28]}",
    ),
    ErrorKind(
        "E114",
        "outside-its-field",
        "`{name}` must be under `{field}`",
        "Entries of this kind are listed under a field of their own.",
        help="write `{field}:` and indent `{name}:` under it",
        example="end:\n  rule: some player has tricks >= 12\n  cites: [pagat-de.s9]",
        right="rules:\n  end:\n    rule: some player has tricks >= 12\n    cites: [pagat-de.s9]",
    ),
)

# The scanner's wording, ours, and a hint.
_SCANNER_WORDS = (
    (
        r"mapping values are not allowed",
        "no mapping can start at this `:`",
        "put the text in quotes, or in a `|` block, if `:` belongs to it",
    ),
    (
        r"block sequence entries|sequence entries",
        "no list can start at this `-`",
        "start the list on a line of its own",
    ),
    (
        r"expected key|expected <block end>",
        "expected a field name at the indentation of the fields before",
        None,
    ),
    (r"expected '-' indicator", "expected `-` at the indentation of the items before", None),
    (r"expected ',' or '(.)'", "expected `,` or `{0}`", None),
    (r"expected ':'", "expected `:` after the field name", None),
    (r"unexpected end of stream", "expected the closing quote before the end of the file", None),
    (r"cannot start any token", "no value can start with `{char}`", "quote the text if it is meant as text"),
    (
        r"unknown escape character",
        r"unknown escape after `\`",
        r"write `\\` for a backslash, or use single quotes",
    ),
    (r"expected the node content", "expected a value", None),
    (r"<document start>", "expected a field name at the indentation of the first field", None),
    (r"expected comment or line break|chomping", "expected the block's text on the next line", None),
)

_GROUPS = (_READING, _FIELDS, SYNTAX, MEANING, RULESETS)

CATALOGUE: dict[str, ErrorKind] = {kind.code: kind for group in _GROUPS for kind in group}
"""Every kind of error by its code."""
