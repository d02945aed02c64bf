"""The part of the catalogue that concerns rule text and its meaning (E2xx syntax, E3xx meaning, E4xx rulesets).

See `catalogue.py` for how the catalogue is used.
"""

from __future__ import annotations

from trickproof_dsl.diagnostics.diagnostic import ErrorKind


def _kind(
    code: str,
    name: str,
    template: str,
    explanation: str,
    *,
    help: str | None = None,
    example: str = "",
    right: str = "",
    one_cause: bool = False,
) -> ErrorKind:
    return ErrorKind(code, name, template, help, explanation, example, one_cause, right)


SYNTAX = (
    _kind(
        "E201",
        "unexpected-word",
        "unexpected {found}: expected {expected}",
        "The rule text cannot continue like this. docs/language.md lists the forms of statements and values.",
        help="{help}",
        example="if first-hand\n    do deal",
        right="if first-hand:\n    do deal",
    ),
    _kind(
        "E202",
        "unexpected-character",
        "unexpected character `{found}`",
        "Rule text is made of words, numbers, cards such as `AS`, brackets and a few signs.",
        help="{help}",
        example="trump becomes Hearts",
        right="trump becomes hearts",
    ),
    _kind(
        "E203",
        "bad-indentation",
        "this line belongs to no block: expected it to begin in column {expected}",
        "The lines of a block begin in the same column; a line that continues a statement is indented deeper.",
    ),
    _kind(
        "E204",
        "rule-too-long",
        "rule text is too long: expected at most {limit} characters",
        "A rule this long cannot be read; split it into rules that call one another with `do`.",
    ),
    _kind(
        "E205",
        "rule-too-deep",
        "nested too deep: expected at most {limit} levels",
        "Values inside values and blocks inside blocks can be nested, but not without end. A long sum counts one "
        "level for each sign.",
        help="{help}",
    ),
)

MEANING = (
    _kind(
        "E301",
        "unknown-name",
        "unknown name `{name}`",
        "There is no variable, zone, rule, parameter, option, suit, rank or bound name of this name.",
        help="{help}",
        example="triks of dealer becomes 8",
        right="tricks of dealer becomes 8",
        one_cause=True,
    ),
    _kind(
        "E302",
        "wrong-type",
        "expected {expected}, found {found}",
        "Every value has a type: integer, boolean, player, suit, rank, card, set of cards, set of players, option. "
        "After `with` or `has`, conditions joined by `and` or `or` need brackets.",
        help="{help}",
        example="tricks of hearts becomes 8",
        right="tricks of dealer becomes 8",
    ),
    _kind(
        "E303",
        "wrong-arguments",
        "`{name}` takes {expected}, found {found}",
        "A rule or variable takes as many arguments as it is declared with.",
        help="write `{form}`{hint}",
        example="if gift of dealer is empty:\n    do deal",
        right="if gift(dealer, left of dealer) is empty:\n    do deal",
    ),
    _kind(
        "E304",
        "whose",
        "`{name}` belongs to a {kind}: say whose",
        "Inside `players with …` a bare `tricks` means that player's. Elsewhere the owner must be named.",
        help="write `{name} of …`{hint}",
        example="tricks becomes 3",
        right="tricks of dealer becomes 3",
    ),
    _kind(
        "E305",
        "not-a-variable",
        "`{name}` is {found}: expected a variable",
        "Only variables declared under `state:` can be assigned, chosen, or bound with `as`.",
        help="{help}",
        example="next-dealer becomes 3",
        right="dealer becomes left of dealer",
    ),
    _kind(
        "E306",
        "unknown-verb",
        "unknown verb `{name}`",
        "What players do with cards is declared under `moves:`, with its verb.",
        help="{help}",
        example="dealer gvies 1 card of hand to left of dealer",
        right="dealer gives 1 card of hand to left of dealer",
    ),
    _kind(
        "E307",
        "no-source",
        "cannot tell which zone these cards leave",
        "Cards move from one zone. It is clear for `cards in hand` or `highest of hand …`; otherwise it must be named.",
        help="add `from hand` after the cards",
    ),
    _kind(
        "E308",
        "no-target",
        "cannot tell where the cards go",
        "The move has no zone that its cards go to by default, or they are given to everyone, or they would stay.",
        help="{help}",
    ),
    _kind(
        "E309",
        "calls-itself",
        "rule `{name}` uses itself: {chain}",
        "Rules cannot be recursive: every rule must terminate.",
        help="use `repeat` or `for` for iteration",
    ),
    _kind(
        "E310",
        "open-order",
        "the order of ties is not specified",
        "An order by keys must say how ties are resolved.",
        help="end it with `then clockwise from …`, `ties open` (the rules do not say) or `ties impossible`",
        example="for p in players, highest over first:\n    do deal",
        right="for p in players, highest over first, ties open:\n    do deal",
    ),
    _kind(
        "E311",
        "procedure-wanted",
        "`{name}` is a value: expected a procedure",
        "`do` runs a rule made of statements.",
        help="{help}",
    ),
    _kind(
        "E312",
        "value-wanted",
        "`{name}` is a procedure: expected a value",
        "A rule made of statements has no value; run it with `do`.",
        help="{help}",
    ),
    _kind(
        "E313",
        "no-such-card",
        "no card `{name}` in the deck",
        "A card is rank then suit, as `AS` or `TD`.",
        help="{help}",
    ),
    _kind(
        "E314",
        "domain-wanted",
        "say what `{name}` is chosen from",
        "A number needs its limits.",
        help="write `chooses {name} from 0 to 13`",
    ),
    _kind(
        "E315",
        "not-simultaneous",
        "only choices can be made simultaneously",
        "A block that is carried out simultaneously holds moves chosen by players: everybody picks before any "
        "card moves.",
        help="put it into a block of its own, before or after",
    ),
    _kind(
        "E316",
        "no-subject",
        "`{kind}` refers to nothing here",
        "`player` and `card` refer to the implicit subject, as in `cards in hand with card != QS`.",
        help="name it, or put this after `with` or `has`",
    ),
    _kind(
        "E317",
        "program-too-large",
        "the rules are too large once their parts are put together: expected at most {limit} steps",
        "Each use of a rule is a copy, so rules that use rules that use rules grow quickly.",
        help="look at how often these use one another: {chain}",
    ),
    _kind(
        "E318",
        "partner-unknown",
        "`{name}` needs teams",
        "Partners and teams are declared under `players: teams:`.",
        help="add `teams: [[0, 2], [1, 3]]`",
    ),
    _kind(
        "E319",
        "none-not-possible",
        "`{name}` cannot be none: a variable of type {type} always has a value",
        "Only players, suits, ranks, cards and options can be `none`. To pass, a number is chosen from 0, or a "
        "variable of its own says whether a player passed.",
        help="leave out `or none`; let 0 or another variable say it",
    ),
    _kind(
        "E320",
        "no-hand-to-end",
        "`{text}` outside a deal",
        "`the hand ends` and `deal again` end the deal that is under way; `match-start` and `between-hands` run outside deals.",
        example="the hand ends",
    ),
    _kind(
        "E321",
        "sets-too-deep",
        "rule `{rule}` nests sets within sets: expected at most {limit} levels",
        "Each level is evaluated for every element of the levels around it: ten levels of three players are 59,049. "
        "Conditions such as `some player has` count, in a rule and in those that it uses.",
        help="take the inner parts out of the outer ones",
    ),
    _kind(
        "E322",
        "no-hand-to-choose-in",
        "a player chooses outside a deal",
        "Players choose during a deal; `match-start` and `between-hands` run outside deals, where no player is asked.",
        help="choose at the beginning of the next deal, in `deal` or `targets`; for the first one only, use `if first-hand:`",
    ),
)

RULESETS = (
    _kind(
        "E401",
        "unknown-ruleset",
        "no ruleset `{name}`",
        "A ruleset is named by its id or by the path of its file. `trickproof list` names those that come with trickproof.",
        help="{help}",
    ),
    _kind(
        "E402",
        "cyclic-extends",
        "`extends` is circular: {chain}",
        "A ruleset cannot be its own base.",
    ),
    _kind(
        "E403",
        "unknown-document",
        "no document `{name}`",
        "Documents are registered under rulesets/documents/ or in a folder `documents` beside the ruleset.",
        help="{help}",
    ),
    _kind(
        "E404",
        "unknown-statement",
        "document `{document}` has no statement `{name}`",
        "Citations are written `document.statement`, as `pagat-de.s21`.",
        help="did you mean `{suggestion}`?",
    ),
    _kind(
        "E405",
        "name-used-twice",
        "`{name}` is both {first} and {second}",
        "Variables, zones, rules, parameters, options, suits and ranks share one space of names.",
        help="rename one of the two",
    ),
    _kind(
        "E406",
        "unknown-type",
        "unknown type `{name}`",
        "Types are integer, boolean, player, suit, rank, card, cards, players, team, and the names under `options:`.",
        help="{help}",
    ),
    _kind(
        "E407",
        "bad-initial",
        "`{value}` is not a valid {type}",
        "The initial value must have the type of the variable.",
        help="{help}",
    ),
    _kind(
        "E408",
        "bad-team",
        "teams must contain every player from 0 to {last} exactly once",
        "Players are numbered clockwise from 0.",
    ),
    _kind(
        "E409",
        "unbacked-rule",
        "rule `{name}` neither cites nor assumes anything",
        "Every rule states its source: the statements of a document, or the assumption made.",
        help="add `cites: [document.s1]` or `assumes: why`",
    ),
    _kind(
        "E410",
        "parameters-differ",
        "rule `{name}` is about {expected} in its base, found {found}",
        "A rule that replaces another must be usable in its place.",
    ),
    _kind(
        "E411",
        "unknown-check",
        "unknown check `{name}`",
        "`known:` names checks of the tool or invariants of the ruleset.",
        help="did you mean `{suggestion}`?",
    ),
    _kind(
        "E412",
        "no-players",
        "the ruleset does not say how many players there are",
        "`players:` is needed, in the ruleset or in its base.",
        help="add `players: 3`",
    ),
    _kind(
        "E413",
        "bad-card",
        "`{name}` is not a card of the deck",
        "A card is a letter for the rank, then a letter for the suit.",
    ),
    _kind(
        "E415",
        "not-declared",
        "rule `{name}` has no text and nothing says what kind it is",
        "A rule without text keeps the text of its base, or a base declares it.",
        help="give it a `rule:`",
    ),
    _kind(
        "E416",
        "rule-unused",
        "rule `{name}` replaces no other rule, and nothing uses it",
        "Every match runs the rules `match-start`, `hand` and `between-hands`; any other rule runs only if a rule, an "
        "invariant or an example uses it.",
        help="{help}",
    ),
    _kind(
        "E418",
        "teams-uneven",
        "partners need teams of two",
        "`partner of` is only defined where every team has two players.",
    ),
    _kind(
        "E419",
        "too-many-bases",
        "`extends` leads through more than {limit} rulesets",
        "A ruleset is read together with its base, the base of its base, and so on.",
        help="extend a ruleset closer to the last base",
    ),
    _kind(
        "E420",
        "too-much-state",
        "`{name}` would have {count} values: expected at most {limit} in all variables and zones together",
        "A variable or zone has one value for every combination of its owners: `of: [card, card]` makes 2704.",
        help="give it fewer owners",
    ),
    _kind(
        "E421",
        "inherits-from-nothing",
        "`inherits` is given, but there is no base to inherit from",
        "`inherits:` says why rules of the base hold here too; only a ruleset with `extends:` has a base.",
        help="add `extends:` with the ruleset that this one changes, or remove `inherits`",
    ),
    _kind(
        "E422",
        "nothing-inherited",
        "no rule `{name}` is inherited: {why}",
        "`rules:` under `inherits:` names rules of the base that the file does not state itself, or `players` or `deck`.",
        help="{help}",
    ),
    _kind(
        "E423",
        "cited-and-contradicted",
        "`{name}` is both cited and contradicted here",
        "A rule either follows a statement or does not; split a statement that says two things.",
        help="keep one of the two",
    ),
    _kind(
        "E424",
        "name-too-long",
        "no ruleset `{name}`: the name has {length} characters, expected at most {limit}",
        "No id or file path is that long.",
    ),
    _kind(
        "E425",
        "nothing-to-be-the-same-as",
        "`{name}` cannot be the same as `{other}`: {why}",
        "`same-as:` names another rule of the ruleset, with the same parameters and the same kind of text.",
        help="{help}",
    ),
)
