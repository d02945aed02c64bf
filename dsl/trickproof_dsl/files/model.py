"""The content of a ruleset file and a document file, field by field, before rule text is parsed.

Produced by `decode_ruleset.py` from the YAML tree; merged along `extends` by `inheritance.py`.  Every word
has its span.  Rule text is a `Span` into the file, to be parsed in place.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from trickproof_dsl.diagnostics.source import Source, Span

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]


@dataclass(frozen=True, slots=True)
class Word:
    """A scalar of the file and its place."""

    value: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Backing:
    """The justification of a rule: cited statements (`document.statement`) and stated assumptions.

    `contradicts` are statements of the same documents that the rule does not follow.
    """

    cites: tuple[Word, ...] = ()
    assumes: tuple[Word, ...] = ()
    contradicts: tuple[Word, ...] = ()


def cites_of(backings: Iterable[Backing]) -> tuple[str, ...]:
    """The statements that some rules cite, each once."""
    return tuple(dict.fromkeys(word.value for backing in backings for word in backing.cites))


def assumes_of(backings: Iterable[Backing]) -> tuple[str, ...]:
    """What some rules assume, each once."""
    return tuple(dict.fromkeys(word.value for backing in backings for word in backing.assumes))


@dataclass(frozen=True, slots=True)
class ReadingDecl:
    """One way to interpret a rule."""

    name: Word
    says: Word | None
    text: Span
    backing: Backing
    span: Span = field(compare=False, repr=False)


PRELUDE_FILE = "prelude.yaml"
"""The name of the source of the standard vocabulary, which users do not have."""


def in_prelude(span: Span) -> bool:
    """Whether a place is in the standard vocabulary."""
    return span.source.name == PRELUDE_FILE


@dataclass(frozen=True, slots=True)
class RuleDecl:
    """A named rule: `text`, or `readings` (first = default), or `silent` (why nothing can be said).

    `parameters` are (type, name) pairs from `of: player giver` or `of: [player giver, player taker]`.  A rule
    with none of the three is only declared: a ruleset that needs it must define it (`gives` is its type,
    "nothing" for a procedure).  `same_as` names a rule to which this one is an alternative procedure.
    """

    name: Word
    parameters: tuple[tuple[Word, Word], ...]
    text: Span | None
    readings: tuple[ReadingDecl, ...]
    silent: Word | None
    gives: Word | None
    same_as: Word | None
    backing: Backing
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class VariableDecl:
    """A state variable: `of` has its owner types, `initial` its text or None, which `backing` justifies."""

    name: Word
    type: Word
    of: tuple[Word, ...]
    carried: bool
    initial: Word | None
    backing: Backing = field(compare=False, repr=False)
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ZoneDecl:
    """A place for cards; `seen_by` is `owner`, `everyone` or `nobody`."""

    name: Word
    of: tuple[Word, ...]
    seen_by: Word | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MoveDecl:
    """A label of moves, its verb, its default target zone, and whether cards are only shown."""

    name: Word
    verb: Word
    to: Word | None
    shows: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class OptionDecl:
    """A type of named options."""

    name: Word
    values: tuple[Word, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ParameterDecl:
    """A number that the players agree on; `values` lists the allowed ones, the first is the default."""

    name: Word
    values: tuple[int, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class PlayersDecl:
    number: int
    teams: tuple[tuple[int, ...], ...]
    backing: Backing
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DeckDecl:
    """`ranks` lowest first as (letter, name); `suits` as (letter, name); `cards` lists codes, or is empty for all.

    Fields that the file omits are None and come from the base.
    """

    ranks: tuple[tuple[Word, Word], ...] | None
    suits: tuple[tuple[Word, Word], ...] | None
    cards: tuple[Word, ...] | None
    without: tuple[Word, ...] | None
    backing: Backing
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ExampleDecl:
    """given / when / then; `run` names the one rule to run instead of a whole hand.

    `known` says why the example contradicts the rules, where that is the document's own flaw.
    """

    name: Word
    backing: Backing
    given: dict[str, Json]
    when: list[Json]
    run: Word | None
    then: dict[str, Json]
    known: Word | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class InvariantDecl:
    """`when` is `always`, `play-starts` or `hand-ends`."""

    name: Word
    text: Span
    when: Word
    backing: Backing
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class KnownDecl:
    """A verdict that is due to a flaw of the document itself, with the reason."""

    check: Word
    reason: Word
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class InheritsDecl:
    """Why rules of the base apply here too: those named, or all that the file does not state itself."""

    rules: tuple[Word, ...]
    backing: Backing
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RulesetFile:
    """One ruleset file; absent sections are empty or None."""

    id: Word
    title: Word | None
    extends: Word | None
    documents: tuple[Word, ...]
    inherits: tuple[InheritsDecl, ...]
    players: PlayersDecl | None
    deck: DeckDecl | None
    parameters: dict[str, ParameterDecl]
    options: dict[str, OptionDecl]
    state: dict[str, VariableDecl]
    zones: dict[str, ZoneDecl]
    moves: dict[str, MoveDecl]
    rules: dict[str, RuleDecl]
    invariants: dict[str, InvariantDecl]
    examples: tuple[ExampleDecl, ...]
    known: tuple[KnownDecl, ...]
    source: Source

    @property
    def suit_names(self) -> dict[str, str]:
        """The names of the suits by their letters."""
        return {letter.value: name.value for letter, name in (self.deck and self.deck.suits) or ()}

    @property
    def rank_names(self) -> dict[str, str]:
        """The names of the ranks by their letters."""
        return {letter.value: name.value for letter, name in (self.deck and self.deck.ranks) or ()}


@dataclass(frozen=True, slots=True)
class Statement:
    """One numbered statement of a document, in our own words; `meant` is the presumed meaning of a damaged one.

    `custom` names a table custom that the statement is about and that does not affect play.
    """

    id: str
    kind: str
    says: str
    section: str
    paragraph: int | None
    sentence: int | None
    item: int | None
    damaged: bool
    meant: str | None
    custom: str | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DocumentFile:
    """A registered source."""

    id: Word
    title: str
    author: str | None
    language: str
    date: str | None
    original: str | None
    statements: dict[str, Statement]
    source: Source
