"""Help texts and places for errors in names and types of rule text (E3xx and E4xx).

Every function here maps known facts to a text; `expressions.py`, `statements.py` and `declarations.py` decide
what is an error.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from textwrap import dedent, indent

from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.catalogue import did_you_mean, meant
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.elaboration.builtins import SYNONYMS
from trickproof_dsl.syntax import ast as s
from trickproof_dsl.syntax.error_examples import FIRST_TRICK, FOLLOW_SUIT, FOR_EACH, LOOK, WHO, saying
from trickproof_dsl.syntax.parser import parse_rule
from trickproof_dsl.syntax.plain_words import (
    CARD_NAMED,
    NUMBERS,
    PARTS,
    card_code,
    cards_called,
    plural_noun,
    score_changed,
)

_COUNT = re.compile(
    r"(?:number-of-)?(?:deal|hand|round)s?(?:-(?:count|counter|dealt|no|number|nr|played|so-far))*"
)
_NEIGHBOURS = {
    **dict.fromkeys(("next", "next-player", "neighbour"), "left"),
    **dict.fromkeys(("previous", "previous-player"), "right"),
}
"""Words for seats that depend on whose turn it is."""
_NOT_A_NUMBER = "a set is not a number: write `number of …`, or name a number such as `tricks`"
_STATEMENT_VERBS = ("becomes", "chooses")
_VERBS = {
    "announces": "chooses",
    "calls": "chooses",
    "declares": "chooses",
    "follows": "plays",
    "gets": "picks-up",
    "hands": "gives",
    "lays": "discards",
    "leads": "plays",
    "names": "chooses",
    "picks": "picks-up",
    "receives": "draws",
    "takes": "picks-up",
    "throws": "discards",
}
"""Verbs of card players, and those of the language that they mean."""

_SAYINGS = {
    "bids": "write `p chooses bid of p from 0 to 13`",
    "follow": FOLLOW_SUIT,
    "reaches": "write `some player has … >= …`",
    "pays": "write `payout of p becomes …`, as in `payout of p becomes payout of p - 2`",
    "needs": "write `target of p becomes …`",
    "scores": FOR_EACH,
    "sees": LOOK,
    "without": "write `cards in hand with suit != …`",
}
"""Words that are taken for verbs, and how the language says what people mean by them."""

_COPULAS = ("are", "be", "equals", "is", "was", "were")


def unknown_name(
    name: str, at: Span, deck: c.Deck, words: Collection[str], of_loops: Collection[str], changed: bool
) -> str | None:
    """For an undefined name, if it is known what is meant; `of_loops` were bound by loops elsewhere; only a variable can be `changed`."""
    if name in of_loops:
        inner = f"; after `with`, leave out `of {name}`" if " with " in at.source.line_text(at.line) else ""
        return f"`{name}` is known only in the block of its `for`{inner}"
    line = at.source.line_text(at.line)
    if card := next((m for m in re.finditer(CARD_NAMED, line) if m[1] == name), None):
        return f"write `{card_code(card)}`"
    if name in NUMBERS:
        return f"numbers are written in digits: `{NUMBERS[name]}`"
    if name == "all" and "deal " not in line:
        return "leave out `all`, as in `cards in hand with suit = clubs`"
    if name == "all":
        return "say how many, as in `deal 13 cards to hand of p`, or `deal the rest to kitty`"
    if name == "first-trick":
        return FIRST_TRICK
    if said := saying(name):
        return said
    if name in _NEIGHBOURS and not changed:
        return meant(f"{_NEIGHBOURS[name]} of {'p' if 'p' in words else 'dealer'}")
    if "-of-" in name and all(part in words for part in name.split("-of-")):
        return meant(name.replace("-of-", " of "))
    if name in ("giver", "receiver", "taker") and not changed:
        return f"name a player, such as `left of dealer`, or write it in the block of `for {name} in players with …:`"
    if name in ("east", "i", "me", "north", "opponent", "south", "west", "you"):
        return WHO
    if is_count(name):
        return None
    condition = cards_called(deck.ranks, deck.suits).get(name)
    if condition is not None and not changed:
        return plural_noun(line, deck.ranks, deck.suits) or f"write `cards in hand of p with {condition}`"
    if (other := cards_called(deck.ranks, deck.suits).get(name.removeprefix("non-"))) and not changed:
        return f"write `cards in hand with {other.replace('=', '!=')}`"
    if name in PARTS:
        return plural_noun(line) or f"write `… div {PARTS[name]}`"
    letter = next((word for word in words if len(word) == len(name) == 1), None)
    return meant(SYNONYMS.get(name) or did_you_mean(name, words) or letter)


def is_count(name: str) -> bool:
    """Whether a name is that of a number of deals."""
    return _COUNT.fullmatch(name) is not None


def owner_in_use(at: Span) -> c.Type | None:
    """A card or player that an undefined name most likely belongs to, since it stands in a condition about each, or None."""
    line, column = at.source.line_text(at.line), at.source.position(at.start)[1]
    before, after = line[: column - 1], line[column - 1 + at.end - at.start :]
    if before.endswith("sum of "):
        return c.PLAYER if after.startswith(" for players") else c.CARD
    noun = re.search(r".*\b(player|card)s?\b.*\b(?:has|highest|lowest|with) \(?$", before)
    return c.Type(noun[1]) if noun else None


def declared(
    name: str, kind: c.Type | None, owners: Sequence[c.Type], changed: bool
) -> tuple[str, str | None]:
    """A hint to declare something, with the lines that do if its type is known; only a variable can be `changed`."""
    if kind is None or any(owner in (c.INTEGER, c.BOOLEAN, c.CARDS, c.PLAYERS) for owner in owners):
        return "declare it under `state:`, `zones:`, `rules:`, `parameters:` or `options:`", None
    if kind == c.CARDS and not changed:
        return "declare the zone, as in", f"zones:\n  {name}: {{seen-by: everyone}}"
    of = [owner.option or owner.kind for owner in owners]
    if of == ["card"]:
        text = f"rules:\n  {name}:\n    of: card c\n    rule: if rank of c = ace then 11 else 0\n    assumes: we agreed"
        return "say what each card counts in a rule, as in", text
    listed = "" if not of else f"    of: {of[0]}\n" if len(of) == 1 else f"    of: [{', '.join(of)}]\n"
    lines = f"state:\n  {name}:\n    type: {kind.option or kind.kind}\n{listed}".rstrip()
    return "declare the variable, as in", lines


def counter(name: str, scoring: Span | None) -> tuple[str, str]:
    """A hint to count deals, with lines that declare the variable and count in the rule `scoring`, which has this text."""
    lines = f"state:\n  {name}: {{type: integer, carried: true}}"
    text = dedent((scoring.text if scoring else "").strip("\n").rstrip())
    if text and name not in text:
        rule = indent(f"{name} becomes {name} + 1\n{text}", "      ")
        lines += f"\nrules:\n  scoring:\n    rule: |\n{rule}\n    assumes: we count deals"
    return "count deals in a variable that is carried from deal to deal, as in", lines


def type_in_use(at: Span, expected: c.Type | None, deck: c.Deck) -> c.Type | None:
    """The type that an undefined name most likely has, from what is `expected` of it or the text around it, or None."""
    if expected is not None:
        return expected
    line, column = at.source.line_text(at.line), at.source.position(at.start)[1]
    before, after = line[: column - 1], line[column - 1 + at.end - at.start :]
    if re.search(r"\b(?:cards?|deal|put)\b.* (?:from|into|to) $", before):
        return c.CARDS
    if re.search(r"(?:[\d)] [<>=+*-]+|sum of|highest|lowest) $", before):
        return c.INTEGER
    compared = re.match(r"(?: of [\w-]+)* (!?=|[<>]=?|[+*-]) ([\w-]+)", after)
    if compared is None:
        return None
    kinds = {**dict.fromkeys(deck.suits, c.SUIT), **dict.fromkeys(deck.ranks, c.RANK)}
    kinds |= dict.fromkeys(("dealer", "leader", "left", "right"), c.PLAYER)
    number = compared[2].isdigit() or compared[1] not in ("=", "!=")
    return c.INTEGER if number else kinds.get(compared[2])


def unknown_rule(name: str, rules: Iterable[str], values: Collection[str]) -> str:
    """For `do` of an undefined rule, whose name may be that of a value."""
    if name in values:
        return f"`{name}` is a value, and `do` runs a rule that consists of statements"
    return meant(did_you_mean(name, rules)) or "declare it under `rules:`"


def unused_rule(name: str, close: str | None, others: Iterable[str], base: str | None) -> str | None:
    """For a rule that replaces nothing and that nothing uses; `close` is a name that looks like it."""
    if close or base is None:
        return meant(close)
    begun = next((one for one in others if len(one) > 2 and name.startswith(one)), None)
    question = f"{meant(begun)} otherwise " if begun else ""
    lists = f"`trickproof new FILE --base {base}` lists the rules that can be replaced"
    return f"{question}use it in another rule, or leave it out; {lists}"


def unknown_verb(verb: str, verbs: Iterable[str], act: str) -> str:
    """For an undefined verb of what somebody does, all of which is `act`."""
    if verb in _COPULAS:
        return "to change a variable write `becomes`, as in `trump becomes hearts`; to compare write `=`"
    if changed := score_changed(act):
        return f"write `{changed}`"
    if said := _SAYINGS.get("without" if verb == "except" else verb):
        return said
    verbs = (*verbs, *_STATEMENT_VERBS)
    usual = _VERBS.get(verb)
    close = usual if usual in verbs else did_you_mean(verb, verbs)
    said = saying(f" {verb} ") if close is None else None
    return (
        said or meant(close) or f"declare it under `moves:`, as in `{verb}: {{verb: {verb}, to: discards}}`"
    )


def unknown_type(name: str, types: Mapping[str, c.Type]) -> str:
    """For an undefined type."""
    others = {"int": "integer", "number": "integer", "bool": "boolean", "person": "player", "seat": "player"}
    listed = ", ".join(f"`{one}`" for one in types)
    return meant(others.get(name) or did_you_mean(name, types)) or f"types are {listed}"


def not_a_variable(
    name: str, zones: Iterable[str], rules: Iterable[str], variables: Iterable[str]
) -> tuple[str, str | None]:
    """What a name that cannot be assigned to is, and a hint."""
    close = meant(next((x for x in variables if f"{x}s" == name), None))
    if name in zones:
        return "a zone", f"cards change place with `put … into {name}`, or by a move"
    if name in rules:
        return "a rule", close or "change the rule itself, or declare a variable under `state:`"
    return "no variable", None


def no_card(code: str, deck: c.Deck) -> str:
    """For a card that is not in the deck."""
    if code[::-1] in deck.cards:
        return f"did you mean `{code[::-1]}`?"
    if code[0] in deck.rank_letters and code[1] in deck.suit_letters:
        return "the deck is without it, see `deck:`"
    ranks, suits = " ".join(deck.rank_letters), " ".join(deck.suit_letters)
    return f"a card is a rank and a suit: one of {ranks}, then one of {suits}"


def mismatch(e: s.Domain, expected: str, found: c.Type) -> str | None:
    """For a value whose type differs from the expected one."""
    match expected, found:
        case "player", c.INTEGER if isinstance(e, s.IntegerLiteral) and _after_of(e.span):
            if e.span.source.text[e.span.end :].lstrip().startswith("becomes"):
                return WHO
            return f"to compare with a number write `>=`, `=` or another sign, as in `score >= {e.value}`"
        case "a set" | "set of cards" | "a set such as `players` or `cards in hand`", c.SUIT if isinstance(
            e, s.Name
        ):
            known = plural_noun(e.span.source.line_text(e.span.line))
            return known or f"for the cards of a suit write `cards in hand of p with suit = {e.name}`"
        case "boolean", c.PLAYERS | c.CARDS:
            word = "or" if e.span.source.text[e.span.end :].lstrip().startswith("or ") else "and"
            return f"put the whole condition in brackets: `with (… {word} …)`"
        case "boolean", c.INTEGER if isinstance(e, s.Count | s.IntegerLiteral):
            return "to compare how many there are, put the set in brackets: `number of (players with …) = 4`"
        case "boolean", c.CARD | c.SUIT | c.RANK if isinstance(e, s.Name | s.CardLiteral):
            return f"say again what is compared, as in `{found.kind} = {e.span.text}`"
        case "boolean", c.INTEGER:
            return "compare it with something, as in `tricks of dealer >= 10`"
        case "player", c.PLAYERS:
            some = e.span.text if len(e.span.text) < 50 else "…"
            one = f"only player in ({some})" if " " in some else f"only player in {some}"
            alone = f"if number of ({some}) = 1 then {one} else left of dealer"
            line = e.span.source.line_text(e.span.line)
            if line.partition(e.span.text)[2].strip():
                alone = f"({alone})"
            return f"write `{one}` where there is exactly one; where several may tie, `{alone}`"
        case "card", c.CARDS:
            return "write `only card in …` where there is exactly one"
        case "player", c.INTEGER if isinstance(e, s.Name) and (
            most := re.search(
                rf"((?:the )?(?:highest|lowest) [\w-]+) of {e.name}\b", e.span.source.line_text(e.span.line)
            )
        ):
            return f"leave out `of {e.name}`: `{most[1]}` is that of each player"
        case "player", c.Type(kind="team") if e.span.text.startswith("team of "):
            one = e.span.text.removeprefix("team of ")
            return f"write `{one}` for one player; for a side, `sum of … for players with {e.span.text.replace('team of', 'team = team of')}`"
        case "rank", c.INTEGER:
            return "ranks are named: `ten`, `jack`; `height of c` is a number"
        case "integer", c.RANK if isinstance(e, s.Name) and e.name in NUMBERS:
            return f"write numbers in digits: `{NUMBERS[e.name]}`"
        case _, c.BOOLEAN if isinstance(e, s.Binary) and e.operator == "in" and "card" in expected:
            return f"write `cards in {e.right.span.text} with card = {e.left.span.text}`"
        case "set of cards", c.INTEGER if isinstance(e, s.IntegerLiteral) and not _compared(e.span):
            return f"write `{e.value} {'card' if e.value == 1 else 'cards'} of hand`"
        case "set of players", c.INTEGER if "+" in e.span.source.line_text(e.span.line):
            return "the next player is `left of …`; how many there are is `number of …`"
        case "a set", c.INTEGER:
            return "it is a number already: leave out `number of`"
        case "set of cards" | "set of players", c.INTEGER:
            return _NOT_A_NUMBER
        case "integer", c.PLAYERS | c.CARDS:
            return "write `number of …` for how many they are"
    return None


def one_of_cards(span: Span) -> tuple[str, str | None]:
    """For a variable that may hold several cards where one is expected: a hint, with the statement for each of them."""
    line, cards = span.source.line_text(span.line).strip(), span.text
    name = next(x for x in ("c", "one", f"one-{line[:1]}") if not re.search(rf"(?<![\w-]){x}(?![\w-])", line))
    lines = f"for {name} in {cards}:\n    {line.replace(cards, name)}"
    source = Source("", f"{lines}\n")
    some = f"`{cards}` may hold several cards"
    if " card" not in line or parse_rule(source, Span(source, 0, len(source.text)))[0] is None:
        return f"{some}; `only card in {cards}` where there is exactly one", None
    return (
        f"{some}; `highest of hand matching {cards}` has one of the same suit for each; or take one after the other, as in",
        lines,
    )


_SUCH_AS = {
    "a card": "AS",
    "a condition": "tricks of dealer >= 10",
    "a number": "tricks of dealer",
    "a number or a set": "tricks of dealer",
    "a number or rank": "tricks of dealer",
    "a player": "left of dealer",
    "a player or a zone": "left of dealer` or `discards",
    "a rank": "ace",
    "a set": "cards in hand",
    "a set of cards": "cards in hand with suit = led",
    "a set of players": "players with tricks >= 10",
    "a set of suits": "suits",
    "a suit": "hearts",
    "a zone": "discards",
    "an integer": "tricks of dealer` or `0",
    "an order of players": "highest score first",
    "statements": "trump becomes hearts",
}
"""What is expected, with an example."""


def such_as(expected: str, span: Span) -> str | None:
    """For a value of the wrong kind: one of the right kind, or None."""
    word = span.text.partition(" ")[0]
    if expected == "a condition" and word in ("highest", "lowest"):
        return f"write `the {word}`, as in `players with the {word} rank of played`"
    if expected == "a variable for cards":
        return "declare it as `{type: cards}`"
    if expected == "a single value":
        return "cards are picked by a move, as in `p discards 3 cards of hand`; players by `for p in players:` and a choice of each"
    example = _SUCH_AS.get(expected)
    return None if example is None else f"write {expected}, such as `{example}`"


def _compared(span: Span) -> bool:
    return span.source.text[: span.start].rstrip().endswith(("=", "<", ">"))


def _after_of(span: Span) -> bool:
    return span.source.text[: span.start].endswith("of ")


def cards_as_number(e: s.Expr) -> str:
    """For cards that are compared with a number: which trick it is, or how many cards there are."""
    if isinstance(e, s.Name) and e.name == "trick":
        return f"`trick` is the cards of the current trick; {FIRST_TRICK}"
    return _NOT_A_NUMBER


def word_in(span: Span, word: str, start: int | None = None) -> Span:
    """The place of a word in a region (from `start` on), or the whole region."""
    pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
    match = pattern.search(span.source.text, span.start if start is None else start, span.end)
    return Span(span.source, *match.span()) if match else span


def arrows(chain: list[str]) -> str:
    """A call chain, with its middle elided."""
    shown = chain if len(chain) <= 6 else [*chain[:3], "…", *chain[-2:]]
    return " → ".join(f"`{name}`" if name != "…" else name for name in shown)
