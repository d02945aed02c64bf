"""docs/reference.md: the complete language reference, generated from the tables that define the language.

Statement and value forms come from the tables here (a test checks that the grammar has no others), fields
from those of the decoder, the standard vocabulary from the prelude, errors from the catalogue.  `pytest -k
current --update` regenerates the file.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

from trickproof_dsl.diagnostics.catalogue import CATALOGUE
from trickproof_dsl.elaboration.builtins import BUILTINS
from trickproof_dsl.files import ruleset_spec as f
from trickproof_dsl.files.decode_document import AT_FORM, DOCUMENT_FORM, STATEMENT_FORM
from trickproof_dsl.files.field_spec import Record
from trickproof_dsl.files.model import RuleDecl, Word
from trickproof_dsl.library import prelude
from trickproof_dsl.semantics.faults import FAULTS
from trickproof_dsl.syntax.reserved_words import reserved_words

STATEMENTS = (
    ("assignment", "trump becomes hearts"),
    ("conditional", "if x > 0:\n    do a\nelse if x = 0:\n    do b\nelse:\n    nothing happens"),
    ("for each player, clockwise from the dealer's left", "for p in players:\n    do a of p"),
    (
        "for each player, clockwise from a given seat",
        "for p in players, clockwise from dealer:\n    do a of p",
    ),
    ("anticlockwise", "for p in players, anticlockwise from dealer:\n    do a of p"),
    (
        "sorted by keys, ties broken by seat",
        "for p in players, highest over first, then clockwise from dealer:\n    do a of p",
    ),
    ("sorted by a key, ties unspecified", "for p in players, lowest score first, ties open:\n    do a of p"),
    (
        "sorted by keys, ties declared impossible (a runtime fault if there is one)",
        "for p in players, highest target first, lowest over first, ties impossible:\n    do a of p",
    ),
    ("for each number in a range", "for n in 1 to 4:\n    do a of n"),
    (
        "all players choose before any card moves",
        "for p in players, simultaneously:\n    p passes 3 cards of hand to left of p",
    ),
    ("a fixed number of times", "repeat hand-size times:\n    do trick"),
    (
        "until a condition holds, tested before each iteration",
        "repeat until trick is empty, at most 60 times:\n    do a",
    ),
    ("call a procedure", "do deal"),
    ("… with one argument", "do exchange-amounts of giver"),
    ("… with several arguments", "do exchange-returns(giver, taker)"),
    ("gather all cards in the deck and shuffle", "shuffle"),
    ("deal cards from the top of the deck", "deal 5 cards to hand of p"),
    ("deal the remaining cards", "deal the rest to kitty"),
    ("a player chooses cards and moves them", "p gives 3 cards of hand to left of p as gift(p, left of p)"),
    ("… up to a number", "p discards up to 3 cards of hand"),
    ("… between two numbers", "p discards between 1 and 3 cards of hand"),
    ("… any number", "p discards any number of cards of hand"),
    ("… that satisfy a condition", "p plays 1 card of hand with suit = led"),
    ("… without seeing them (at random)", "p draws 1 card of hand of left of p blindly"),
    ("a player moves computed cards, without a choice", "p returns gift(q, p) from hand to q"),
    ("show cards", "p shows kitty to everyone"),
    ("move cards without a player", "put trick from trick into discards"),
    ("a player chooses", "p chooses trump"),
    ("… from a set, or none", "p chooses trump from suits or none with trump != led"),
    ("… from a range", "p chooses bid of p from 0 to 13"),
    ("record an event", "announce trick: player leader, winner leader, cards trick"),
    ("end the deal now; its remaining steps are skipped", "the hand ends"),
    ("… and the same dealer deals again, without the steps between deals", "deal again"),
    ("end the match", "the match ends, won by players with the highest score"),
    ("do nothing", "nothing happens"),
)
"""What each statement does, with an example."""

VALUES = (
    ("a name; a number; a card; a truth value; none", "trump != none and x = 12 or c = AS and true"),
    ("a variable or rule of one argument", "played of p"),
    ("… of two arguments", "gift(giver, taker)"),
    ("a card's suit", "suit of c"),
    ("implicit subject: the player", "players with (player != dealer and tricks > 0)"),
    ("implicit subject: the card and its suit", "cards in hand with (card != QS and suit = led)"),
    ("sum, difference; union and difference of sets", "a + b - c"),
    ("product, integer quotient, remainder", "a * b div c mod 2"),
    ("negation of a number", "-over of p"),
    ("order of numbers and ranks", "a <= b"),
    ("equality of any values", "a != b"),
    ("membership", "AS in hand of p"),
    ("non-membership", "AS not in hand of p"),
    ("empty set", "trick is empty"),
    ("non-empty set", "trick is not empty"),
    ("negation", "not passed of p != false"),
    ("conjunction", "a = b and b = c"),
    ("disjunction", "a = b or b = c"),
    ("conditional value", "if a = b then 1 else 2"),
    ("all players", "players"),
    ("players that satisfy a condition", "players q in side of p other than p with tricks of q > 0"),
    ("cards that satisfy a condition", "cards c in hand of p with suit of c = led"),
    ("all suits, all ranks", "number of suits + number of ranks"),
    ("existence", "some player has tricks >= 9"),
    ("for all", "every card c in trick has suit of c = led"),
    ("non-existence", "no suit has suit = trump"),
    ("number of elements", "number of trick"),
    ("sum", "sum of score for players"),
    ("union", "union of hand for players"),
    ("maximum", "highest score among players"),
    ("minimum", "lowest rank among trick"),
    ("the players with the maximum (all that tie)", "players with the highest score among side of p"),
    ("the cards with the minimum (all that tie)", "cards with the lowest rank among hand of p"),
    ("the only element; any other size is a runtime fault", "only player in trick-winner"),
    (
        "in each suit the highest cards, as many as the pattern has",
        "highest of hand of p matching gift(q, p)",
    ),
    ("in each suit the lowest cards", "lowest of hand of p matching gift(q, p)"),
    (
        "of these, the cards that correspond to a part of the pattern",
        "highest of hand of p matching trick answering gift(q, p)",
    ),
    ("the first n by a key, ties in the order of the deck or of the seats", "top 3 of hand of p by rank"),
    ("the last n", "bottom 1 of players by score"),
    ("parentheses", "number of (players with passed) = 3"),
)
"""The meaning of each form of value, with an example."""


def forms_of_rules() -> Iterator[tuple[str, str]]:
    """The meaning and the example of each form of statement and value; `…` repeats the meaning before it."""
    whole = ""
    for meaning, example in (*STATEMENTS, *VALUES):
        whole = whole if meaning.startswith("…") else meaning
        yield meaning.replace("…", f"{whole},", 1), example


def reference_markdown() -> str:
    """The whole page."""
    parts = (_head(), _forms(), _names(), _fields(), _vocabulary(), _errors())
    return "\n".join(line for part in parts for line in part) + "\n"


def _head() -> Iterator[str]:
    yield "# Language reference"
    yield ""
    yield "Generated by `trickproof_dsl/language_reference.py`; do not edit. The guide is [language.md](language.md)."
    yield ""


def _forms() -> Iterator[str]:
    yield from ("## Statements", "", "```rule")
    for meaning, example in STATEMENTS:
        yield from (f"# {meaning}", example)
    yield from ("```", "")
    yield from ("## Values", "")
    yield from _table(("meaning", "example"), ((meaning, f"`{text}`") for meaning, text in VALUES))
    yield from ("## Built-in functions", "")
    rows = (
        (f"`{name}`", ", ".join(map(str, builtin.takes)), builtin.meaning)
        for name, builtin in BUILTINS.items()
    )
    yield from _table(("function", "of", "meaning"), rows)


def _names() -> Iterator[str]:
    yield from (
        "## Words of the language",
        "",
        "Reserved: no variable, zone, value rule, move, parameter or option can have one of these names:",
        "",
    )
    yield from textwrap.wrap(", ".join(f"`{word}`" for word in sorted(reserved_words())), 118)
    yield ""


# ---------------------------------------------------------------------------------------------- fields


def _fields() -> Iterator[str]:
    yield from ("## Fields", "", "Fields marked * are required.", "")
    for title, record in (
        ("A ruleset", f.RULESET_FORM),
        ("`players`", f.PLAYERS_FORM),
        ("`deck`", f.DECK_FORM),
        ("A variable under `state`", f.STATE_FORM),
        ("A zone under `zones`", f.ZONE_FORM),
        ("A move under `moves`", f.MOVE_FORM),
        ("A rule under `rules`", f.RULE_FORM),
        ("A reading under `readings`", f.READING_FORM),
        ("An invariant under `invariants`", f.INVARIANT_FORM),
        ("An example under `examples`", f.EXAMPLE_FORM),
        ("A document", DOCUMENT_FORM),
        ("A statement under `statements`", STATEMENT_FORM),
        ("`at` of a statement", AT_FORM),
    ):
        yield from (f"### {title}", "")
        yield from _table(("field", "value", "meaning"), _rows(record))


def _rows(record: Record) -> Iterator[tuple[str, str, str]]:
    for row in record.fields:
        yield f"`{row.name}`{'*' if row.required else ''}", row.kind.expected, row.about


# ------------------------------------------------------------------------------------------ vocabulary


def _vocabulary() -> Iterator[str]:
    file = prelude()
    yield from ("## Vocabulary", "", "The base of every ruleset without `extends:` (prelude.yaml).", "")
    state = (
        (
            f"`{v.name.value}`",
            v.type.value,
            _owners(v.of),
            "carried from deal to deal" if v.carried else "reset in every deal",
        )
        for v in file.state.values()
    )
    yield from _table(("variable", "type", "of", "lifetime"), state)
    zones = (
        (f"`{z.name.value}`", _owners(z.of), z.seen_by.value if z.seen_by else "nobody")
        for z in file.zones.values()
    )
    yield from _table(("zone", "of", "seen by"), zones)
    moves = (
        (f"`{m.name.value}`", m.verb.value, m.to.value if m.to else "shows only") for m in file.moves.values()
    )
    yield from _table(("move", "verb", "to"), moves)
    for rule in file.rules.values():
        yield from _rule(rule)


def _owners(words: tuple[Word, ...]) -> str:
    return ", ".join(word.value for word in words)


def _rule(rule: RuleDecl) -> Iterator[str]:
    parameters = ", ".join(f"{kind.value} {name.value}" for kind, name in rule.parameters)
    gives = rule.gives.value if rule.gives else "nothing"
    what = "a procedure" if gives == "nothing" else f"gives {gives}"
    of = f", of {parameters}" if parameters else ""
    if rule.text is None:
        yield from (f"`{rule.name.value}`{of}: {what}, to be defined by the ruleset.", "")
        return
    yield from (f"`{rule.name.value}`{of}: {what}.", "", "```rule")
    yield from _dedented(rule.text.text)
    yield from ("```", "")


def _dedented(text: str) -> list[str]:
    """Rule text as written in a file: one line, or the lines of a block."""
    return textwrap.dedent(text.strip("\n").rstrip()).splitlines()


# ---------------------------------------------------------------------------------------------- errors


def _errors() -> Iterator[str]:
    yield from ("## Runtime faults", "", "What can go wrong in play although the text is valid:", "")
    yield from _table(("kind", "meaning"), ((f"`{kind}`", meaning) for kind, meaning in FAULTS.items()))
    yield from ("## Errors", "")
    rows = (
        (f"`{kind.code}`", _message(kind.template), kind.explanation)
        for kind in sorted(CATALOGUE.values(), key=lambda kind: kind.code)
    )
    yield from _table(("code", "message", "meaning"), rows)


def _message(template: str) -> str:
    return re.sub(r"\{[a-z_]+\}", "…", template)


def _table(head: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in row)} |"
    yield ""
