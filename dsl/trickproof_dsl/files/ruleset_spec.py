"""The fields of a ruleset file: the tables from which the decoder and the JSON Schema derive.

The third argument of a field is its description, shown by editors and in the reference.  The order of a table
is the order in which rulesets are written.
"""

from __future__ import annotations

from trickproof_dsl.files.field_spec import Field, FreeMapping, Listing, Named, OneOrMany, Record, ShortRecord
from trickproof_dsl.files.model import Word
from trickproof_dsl.files.scalar_spec import ID, Boolean, Choice, Form, Id, Integer, RuleRegion, Text
from trickproof_dsl.files.word_list_spec import Alternatives, Cards, Letters, Numbers, TypedName
from trickproof_dsl.syntax.reserved_words import RULE_WORDS

RANK_NAMES = {
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
}
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
MOST_PLAYERS = 8


def _same(word: Word) -> Word:
    return word


_RULE_NAME = Id(own=True, expected="a name such as `scoring`", excepted=RULE_WORDS)
_ID, _NAME, _TEXT = Id(), Id(own=True, expected="a name such as `hand`"), Text()
_CITATION = Form("a citation such as `pagat-de.s28`", rf"{ID}\.{ID}", "write document, dot, statement")
_OWNERS = OneOrMany("a type such as `player`, or a list of them", Id(expected="a type such as `player`"))

CITES = Field(
    "cites",
    Listing("a list of citations", _CITATION, 1, _same),
    "Statements of registered documents that this rests on, such as pagat-de.s28.",
)
ASSUMES = Field(
    "assumes",
    OneOrMany("text or a list of texts", _TEXT),
    "What was assumed where the document is silent, and why.",
)

CONTRADICTS = Field(
    "contradicts",
    Listing("a list of citations", _CITATION, 1, _same),
    "Statements of the same documents that this rule does not follow, such as those that a variant replaces.",
)

NUMBER = Field("number", Integer(2, MOST_PLAYERS), "The number of players.", required=True)
TEAMS = Field(
    "teams",
    Listing(
        "a list of teams such as `[[0, 2], [1, 3]]`",
        Listing("a list of seats such as `[0, 2]`", Integer(0, MOST_PLAYERS - 1), 1),
        2,
    ),
    "Partnerships, each a list of seats counted from 0; omit it if there are none.",
)
PLAYERS_FORM = Record("a mapping of the players", (NUMBER, TEAMS, CITES, ASSUMES, CONTRADICTS))

RANKS = Field(
    "ranks",
    Letters("ranks such as `9 T J Q K A`", "[0-9A-Z]", RANK_NAMES, 2),
    "The ranks, lowest first, as letters; letters other than 2-9 T J Q K A need a name, as in B=bishop.",
)
SUITS = Field(
    "suits",
    Letters("suits such as `C D H S`", "[A-Z]", SUIT_NAMES, 1),
    "The suits, as letters; letters other than C D H S need a name, as in X=stars.",
)
WITHOUT = Field("without", Cards(), "Cards removed from the deck, as in 2C 3D.")
CARDS = Field("cards", Cards(), "The full list of cards in the deck, if it is not every rank of every suit.")
DECK_FORM = Record(
    "a mapping of the deck",
    (RANKS, SUITS, WITHOUT, CARDS, CITES, ASSUMES, CONTRADICTS),
    apart=(("without", "cards"),),
    advice="write `deck: {assumes: why}` for 52 cards, `deck: {ranks: 7 8 9 T J Q K A, assumes: why}` for 32",
)

TYPE = Field(
    "type",
    Id(expected="a type such as `integer`"),
    "integer, boolean, player, suit, rank, card, cards, players, team or a type of options.",
    required=True,
)
OF = Field("of", _OWNERS, "The type of its owner, or a list of types; omit it if it has no owner.")
CARRIED = Field(
    "carried", Boolean(), "Whether the value is carried from deal to deal; otherwise it is reset."
)
INITIAL = Field("initial", _TEXT, "The value at the start.")
STATE_FORM = Record("a mapping with `type:`", (TYPE, OF, CARRIED, INITIAL, CITES, ASSUMES))

SEEN_BY = Field(
    "seen-by",
    Choice(("owner", "everyone", "nobody")),
    "Who sees the cards of the zone; the default is nobody.",
)
ZONE_FORM = Record(
    "a mapping of the zone, `{}` at least",
    (OF, SEEN_BY),
    advice="write `{}` if nobody sees its cards, else `{seen-by: everyone}` or `{seen-by: owner}`",
)

VERB = Field(
    "verb", _NAME, "The verb that rules use, as in: giver gives 1 card of hand to taker.", required=True
)
TO = Field(
    "to",
    Id(expected="a zone such as `hand`"),
    "The zone to which the cards go if a rule names only a player.",
)
SHOWS = Field("shows", Boolean(), "Whether the cards are only shown and stay where they are.")
MOVE_FORM = Record("a mapping with `verb:`", (VERB, TO, SHOWS))

RULE = Field("rule", RuleRegion(), "The rule in the rule language, on one line or in a | block.")
RULE_NEEDED = Field("rule", RULE.kind, RULE.about, required=True)
READING_NAME = Field("name", _NAME, "The name of the reading.", required=True)
SAYS = Field("says", _TEXT, "The reading in words.")
READING_FORM = Record("a reading with `name:` and `rule:`", (READING_NAME, SAYS, RULE_NEEDED, CITES, ASSUMES))
PARAMETERS_OF = Field(
    "of",
    OneOrMany("a type and a name such as `player giver`, or a list of them", TypedName()),
    "The parameters of the rule, each a type and a name: player giver.",
)
READINGS = Field(
    "readings",
    Listing("a list of readings", READING_FORM, 2, lambda reading: reading.get(READING_NAME)),
    "The possible readings of the rule; the first is the default.",
)
SILENT = Field(
    "silent",
    _TEXT,
    "The document is silent and nothing is assumed: what is not known, and why.",
)
GIVES = Field(
    "gives",
    Id(expected="a type such as `cards`, or `nothing`"),
    "The type of its value, or nothing for a procedure; without text, a ruleset that needs the rule must give it.",
)
SAME_AS = Field(
    "same-as",
    Id(expected="a rule such as `deal`"),
    "The rule that this is another way to carry out: it is not played, but proved to do the same.",
)
RULE_FORM = Record(
    "a mapping with `rule:`",
    (PARAMETERS_OF, RULE, READINGS, SILENT, GIVES, SAME_AS, CITES, ASSUMES, CONTRADICTS),
    any_of=("rule", "readings", "silent", "gives", "cites", "assumes"),
    apart=(
        ("rule", "readings"),
        ("rule", "silent"),
        ("readings", "silent"),
        ("silent", "assumes"),
        ("silent", "same-as"),
    ),
    advice="put the text under `rule:`",
)

WHEN_CHECKED = Field(
    "when",
    Choice(("always", "play-starts", "hand-ends")),
    "When it must hold (`always`: whenever a player decides, and after every deal); the default is hand-ends.",
)
INVARIANT_FORM = Record(
    "a mapping with `rule:`",
    (RULE_NEEDED, WHEN_CHECKED, CITES, ASSUMES),
    advice="put the text under `rule:`",
)

GIVEN = Field("given", FreeMapping("a mapping of the situation"), "The situation at the start.")
WHEN = Field(
    "when",
    Listing("a list of what happens", FreeMapping("a mapping of one event")),
    "What the players choose, in order.",
)
RUN = Field(
    "run", Id(expected="a rule such as `scoring`"), "The single rule to run; the default is a whole deal."
)
THEN = Field("then", FreeMapping("a mapping of the outcome"), "What must hold afterwards.", required=True)
EXAMPLE_KNOWN = Field(
    "known", _TEXT, "Why the example contradicts the rules, where that is the document's own flaw."
)
EXAMPLE_FORM = Record("a mapping with `then:`", (CITES, ASSUMES, GIVEN, WHEN, RUN, THEN, EXAMPLE_KNOWN))

INHERITED_RULES = Field(
    "rules",
    Listing("a list of rules", Id(expected="a rule such as `scoring`"), 1, _same),
    "The rules of the base that this is about; if omitted, all that the file does not state itself.",
)
INHERITS_FORM = Record(
    "a mapping with `cites:` or `assumes:`",
    (CITES, ASSUMES, INHERITED_RULES),
    any_of=("cites", "assumes"),
    advice="write `{cites: [document.s1]}` or `{assumes: why}`",
)

RULESET = Field(
    "ruleset", _ID, "The id of the ruleset, used on the command line and by extends.", required=True
)
TITLE = Field("title", _TEXT, "The name of the game; needed unless the ruleset extends another.")
EXTENDS = Field(
    "extends",
    Form("a ruleset id, or a relative path ending in `.yaml`", rf"{ID}|[^/\\:][^\\:]*\.yaml"),
    "The ruleset that this one changes: its id, or a relative path that ends in .yaml.",
)
DOCUMENTS = Field(
    "documents", Listing("a list of document ids", _ID, 1, _same), "The registered documents that rules cite."
)
INHERITS = Field(
    "inherits",
    OneOrMany("a mapping with `cites:` or `assumes:`, or a list of them", INHERITS_FORM),
    "Why rules of the base also apply here: what the text says about it, or what was assumed.",
)
PLAYERS = Field("players", ShortRecord(PLAYERS_FORM, NUMBER), "The number of players and their partnerships.")
DECK = Field("deck", DECK_FORM, "The cards.")
PARAMETERS = Field(
    "parameters",
    Named("a mapping of parameters", _NAME, Numbers()),
    "Numbers that players agree on: the allowed ones as in 10 | 20 or 10 .. 16; the first is the default.",
)
OPTIONS = Field(
    "options",
    Named("a mapping of option types", _NAME, Alternatives()),
    "Types with named values: pass | solo.",
)
STATE = Field("state", Named("a mapping of variables", _NAME, STATE_FORM), "The variables of the game.")
ZONES = Field(
    "zones",
    Named("a mapping of zones", _NAME, ZONE_FORM),
    "The places where cards may lie, such as a hand, the kitty or a pile of discards.",
)
MOVES = Field("moves", Named("a mapping of moves", _NAME, MOVE_FORM), "The labels of moves and their verbs.")
RULES = Field("rules", Named("a mapping of rules", _RULE_NAME, RULE_FORM, "follow"), "The rules, by name.")
INVARIANTS = Field(
    "invariants", Named("a mapping of invariants", _ID, INVARIANT_FORM), "What must hold in every game."
)
EXAMPLES = Field(
    "examples", Named("a mapping of examples", _ID, EXAMPLE_FORM), "Worked examples, which are run."
)
KNOWN = Field(
    "known",
    Named("a mapping of checks", _ID, Text("the reason")),
    "Checks that fail because of a flaw in the document itself, each with the reason.",
)

RULESET_FORM = Record(
    "a ruleset",
    (
        RULESET,
        TITLE,
        EXTENDS,
        DOCUMENTS,
        INHERITS,
        PLAYERS,
        DECK,
        PARAMETERS,
        OPTIONS,
        STATE,
        ZONES,
        MOVES,
        RULES,
        INVARIANTS,
        EXAMPLES,
        KNOWN,
    ),
    some_of=("title", "extends"),
)
