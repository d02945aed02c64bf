"""docs/reference.md: everything the language has, generated from the tables that the language is made of.

Statement and value forms come from the tables here (a test holds that the grammar has no others), fields from those
the decoder reads by, the standard vocabulary from the prelude, errors from the catalogue.  `pytest -k current --update` renews the file.
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
    ("a variable changes", "trump becomes hearts"),
    ("if", "if x > 0:\n    do a\nelse if x = 0:\n    do b\nelse:\n    nothing happens"),
    ("for each player, clockwise from the dealer's left", "for p in players:\n    do a of p"),
    ("for each, from a seat round", "for p in players, clockwise from dealer:\n    do a of p"),
    ("the other way round", "for p in players, anticlockwise from dealer:\n    do a of p"),
    (
        "by keys, ties by seat",
        "for p in players, highest over first, then clockwise from dealer:\n    do a of p",
    ),
    ("by keys, ties left open", "for p in players, lowest score first, ties open:\n    do a of p"),
    (
        "by keys, no ties",
        "for p in players, highest target first, lowest over first, ties impossible:\n    do a of p",
    ),
    ("for each number", "for n in 1 to 4:\n    do a of n"),
    (
        "everybody chooses before any card moves",
        "for p in players, simultaneously:\n    p passes 3 cards of hand to left of p",
    ),
    ("a number of times", "repeat hand-size times:\n    do trick"),
    (
        "until a condition holds, looked at before each round",
        "repeat until trick is empty, at most 60 times:\n    do a",
    ),
    ("a procedure is run", "do deal"),
    ("… with one value", "do exchange-amounts of giver"),
    ("… with several", "do exchange-returns(giver, taker)"),
    ("all cards go to the deck and are shuffled", "shuffle"),
    ("cards from the top of the deck", "deal 5 cards to hand of p"),
    ("all that are left", "deal the rest to kitty"),
    ("a player picks cards and moves them", "p gives 3 cards of hand to left of p as gift(p, left of p)"),
    ("… at most so many", "p discards up to 3 cards of hand"),
    ("… between two numbers", "p discards between 1 and 3 cards of hand"),
    ("… any number", "p discards any number of cards of hand"),
    ("… under a condition", "p plays 1 card of hand with suit = led"),
    ("… without seeing them", "p draws 1 card of hand of left of p blindly"),
    ("computed cards, moved by a player", "p returns gift(q, p) from hand to q"),
    ("cards are shown", "p shows kitty to everyone"),
    ("cards change place without a move", "put trick from trick into discards"),
    ("a player chooses", "p chooses trump"),
    ("… from a set, or nothing", "p chooses trump from suits or none with trump != led"),
    ("… from a range", "p chooses bid of p from 0 to 13"),
    ("an event for the record", "announce trick: player leader, winner leader, cards trick"),
    ("the hand ends before its last step: what is left of it is not carried out", "the hand ends"),
    ("… and the same dealer deals again, without the steps between hands", "deal again"),
    ("the match ends", "the match ends, won by players with the highest score"),
    ("nothing", "nothing happens"),
)
"""What a statement says, and one of its form."""

VALUES = (
    ("a name; a number; a card; a truth; none", "trump != none and x = 12 or c = AS and true"),
    ("of whom", "played of p"),
    ("… of two", "gift(giver, taker)"),
    ("a card's suit", "suit of c"),
    ("the one spoken of", "players with (player != dealer and tricks > 0)"),
    ("the card spoken of, its suit", "cards in hand with (card != QS and suit = led)"),
    ("sums, differences; sets joined, taken away", "a + b - c"),
    ("products, whole quotients, remainders", "a * b div c mod 2"),
    ("the negative", "-over of p"),
    ("comparing numbers and ranks", "a <= b"),
    ("comparing anything", "a != b"),
    ("in a set", "AS in hand of p"),
    ("not in a set", "AS not in hand of p"),
    ("no element", "trick is empty"),
    ("some element", "trick is not empty"),
    ("the opposite", "not passed of p != false"),
    ("both", "a = b and b = c"),
    ("one or the other, or both", "a = b or b = c"),
    ("one value or another", "if a = b then 1 else 2"),
    ("all players", "players"),
    ("players by a condition", "players q in side of p other than p with tricks of q > 0"),
    ("cards by a condition", "cards c in hand of p with suit of c = led"),
    ("all suits, all ranks", "number of suits + number of ranks"),
    ("is there one", "some player has tricks >= 9"),
    ("is it so for all", "every card c in trick has suit of c = led"),
    ("is there none", "no suit has suit = trump"),
    ("how many", "number of trick"),
    ("added up", "sum of score for players"),
    ("sets joined", "union of hand for players"),
    ("the largest value", "highest score among players"),
    ("the smallest", "lowest rank among trick"),
    ("who has the largest: all equals", "players with the highest score among side of p"),
    ("which cards have the smallest", "cards with the lowest rank among hand of p"),
    ("the one element; anything else is a breakdown", "only player in trick-winner"),
    ("suit by suit the highest, as many as the pattern has", "highest of hand of p matching gift(q, p)"),
    ("suit by suit the lowest", "lowest of hand of p matching gift(q, p)"),
    (
        "of these, those that stand where a part of the pattern stands in it",
        "highest of hand of p matching trick answering gift(q, p)",
    ),
    ("the first few by a key, equals in the order of the deck or of seats", "top 3 of hand of p by rank"),
    ("the last few", "bottom 1 of players by score"),
    ("brackets", "number of (players with passed) = 3"),
)
"""What a value is, and one of its form."""


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
        "No variable, zone, value rule, move, parameter or option can be called:",
        "",
    )
    yield from textwrap.wrap(", ".join(f"`{word}`" for word in sorted(reserved_words())), 118)
    yield ""


# ---------------------------------------------------------------------------------------------- fields


def _fields() -> Iterator[str]:
    yield from ("## Fields", "", "Those marked * are needed.", "")
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
    yield from ("## Vocabulary", "", "What every ruleset without `extends:` is based on (prelude.yaml).", "")
    state = (
        (
            f"`{v.name.value}`",
            v.type.value,
            _owners(v.of),
            "from hand to hand" if v.carried else "each hand anew",
        )
        for v in file.state.values()
    )
    yield from _table(("variable", "type", "of", "kept"), state)
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
        yield from (f"`{rule.name.value}`{of}: {what}, to be given by the ruleset.", "")
        return
    yield from (f"`{rule.name.value}`{of}: {what}.", "", "```rule")
    yield from _dedented(rule.text.text)
    yield from ("```", "")


def _dedented(text: str) -> list[str]:
    """Rule text as it stands in a file: one line, or the whole lines of a block."""
    return textwrap.dedent(text.strip("\n").rstrip()).splitlines()


# ---------------------------------------------------------------------------------------------- errors


def _errors() -> Iterator[str]:
    yield from ("## Breakdowns", "", "Where play breaks down although the text makes sense:", "")
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
