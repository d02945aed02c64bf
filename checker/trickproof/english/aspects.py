"""What a ruleset says about one aspect: the cells of the table and the sides of a difference.

`describe` returns one `Cell` for every aspect of the contract: its wording, its citations and assumptions,
its readings, and whether it is a gap. An aspect that the game never reaches is "—", one in which nothing
happens is "none".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from trickproof.analysis.inheritance_grounds import inherited
from trickproof.english.inflection import listed
from trickproof.english.rules import Worded, Words, compact
from trickproof.english.vocabulary import ASPECTS, plain
from trickproof.support.serialise import HIDDEN
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.files.model import RuleDecl, assumes_of, cites_of
from trickproof_dsl.library import PRELUDE, Ruleset

__all__ = ["ABSENT", "ASPECTS", "NONE", "Cell", "Reading", "describe", "fact"]

LONGEST_TERM = 220
"""Maximum length of a helper rule that is explained in the cell that refers to it, in characters."""
ABSENT = "—"
NONE = "none"


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a rule."""

    name: str
    says: str
    text: str
    cites: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """One aspect of one ruleset; `text` is "" if the rule is a gap or if the readings have the text.

    `terms` explain the short helper rules that the text refers to by name; the long ones are `helpers`,
    explained in cells of their own. `restated` are alternative formulations proved equivalent, to be added by
    the caller.
    """

    aspect: str = field(metadata=HIDDEN)
    text: str
    cites: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()
    gap: str | None = None
    terms: tuple[str, ...] = ()
    helpers: tuple[str, ...] = field(default=(), metadata=HIDDEN)
    where: Span | None = field(default=None, compare=False, repr=False)
    restated: tuple[Reading, ...] = ()
    left_open: bool = field(default=False, metadata=HIDDEN)
    """Whether the rule, or a helper explained in its cell, has several readings."""
    explained: tuple[Span, ...] = field(default=(), compare=False, repr=False, metadata=HIDDEN)
    """Where the helpers are that its cell explains."""


def describe(
    ruleset: Ruleset, aspect: str, words: Words | None = None, longest: float = LONGEST_TERM
) -> Cell:
    """What a ruleset says about an aspect; pass `words` to reuse the parsed rules for several aspects.

    Helper rules with more than `longest` characters are not explained in the cell.
    """
    if aspect in ("players", "deck"):
        return _grounded(ruleset, fact(ruleset, aspect))
    cell = _described(ruleset, aspect, words or Words(ruleset.whole), longest)
    return cell if cell.text == ABSENT else _grounded(ruleset, cell)


def restatement(ruleset: Ruleset, name: str, words: Words) -> Reading:
    """An alternative formulation of a rule."""
    rule = ruleset.whole.rules[name]
    text = " ".join(compact(one.steps) for one in words.rule(name, expand=True))
    return Reading(name, "", text, cites_of([rule.backing]), assumes_of([rule.backing]))


def _grounded(ruleset: Ruleset, cell: Cell) -> Cell:
    """The cell of an inherited rule, with the assumptions that its ruleset makes by inheriting it."""
    rule = inherited(ruleset).get(cell.aspect)
    if rule is None or not rule.grounds:
        return cell
    backings = [entry.backing for entry in rule.grounds]
    return replace(cell, assumes=(*cell.assumes, *(f"inherited; {text}" for text in assumes_of(backings))))


def _described(ruleset: Ruleset, aspect: str, words: Words, longest: float) -> Cell:
    rule = ruleset.whole.rules.get(aspect)
    if rule is None or (aspect not in words.course.written and rule.silent is None):
        return Cell(aspect, ABSENT)
    where = None if _is_standard(rule) else rule.name.span
    if rule.silent is not None:
        return Cell(
            aspect,
            "",
            cites_of([rule.backing]),
            assumes_of([rule.backing]),
            gap=rule.silent.value,
            where=where,
        )
    if not words.trees.get(aspect):
        return Cell(
            aspect, "", gap=f"the ruleset gives no rule for {plain(aspect)}", where=ruleset.own.id.span
        )
    return _worded(ruleset, rule, words, where, longest)


def fact(ruleset: Ruleset, aspect: str) -> Cell:
    """The players or the deck, which are facts rather than rules."""
    whole = ruleset.whole
    part = whole.players if aspect == "players" else whole.deck
    text = _players(ruleset) if aspect == "players" else _deck(ruleset)
    if part is None:
        return Cell(aspect, "", gap=f"the ruleset does not say the {aspect}", where=whole.id.span)
    standard = part.span.source.name == f"{PRELUDE}.yaml"
    where = None if standard else part.span
    return Cell(aspect, text, cites_of([part.backing]), assumes_of([part.backing]), where=where)


# -------------------------------------------------------------------------------------------------- rules


def _worded(ruleset: Ruleset, rule: RuleDecl, words: Words, where: Span | None, longest: float) -> Cell:
    name = rule.name.value
    is_helper = name not in ASPECTS
    texts = words.rule(name, expand=True, opened=is_helper)
    terms, helpers = _helpers(words, name, texts, longest)
    explained = [h for text in texts for h in text.inlined] + [h for h, _ in terms]
    called = [ruleset.whole.rules[h] for h in dict.fromkeys(explained)]
    gap = "; ".join(f"{plain(h.name.value)}: {h.silent.value}" for h in called if h.silent) or None
    backing = [rule.backing, *(h.backing for h in called)]
    assumes = assumes_of([rule.backing]) + tuple(
        _of_helper(words, h, text) for h in called for text in _assumed(h)
    )
    told = tuple(text for _, text in terms)
    left_open = bool(rule.readings) or any(h.readings for h in called)
    places = tuple(h.name.span for h in called)
    own = Cell(name, "", (), assumes, (), gap, told, helpers, where, left_open=left_open, explained=places)
    if rule.readings:
        readings = tuple(
            _reading(decl.name.value, text, i, rule)
            for i, (decl, text) in enumerate(zip(rule.readings, texts, strict=True))
        )
        return replace(
            own, cites=cites_of([*backing, *(r.backing for r in rule.readings)]), readings=readings
        )
    text = compact(texts[0].steps) if words.happens(name) else NONE
    return replace(own, text=text or NONE, cites=cites_of(backing))


def _helpers(
    words: Words, name: str, texts: Sequence[Worded], longest: float
) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
    """The helper rules that texts refer to: explanations of the short ones, and names of the others."""
    terms: list[tuple[str, str]] = []
    longer: list[str] = []
    waiting = [h for text in texts for h in text.named]
    seen = {name}
    while waiting:
        helper = waiting.pop(0)
        if helper in seen or words.is_standard(helper):
            continue
        seen.add(helper)
        worded = words.rule(helper, expand=True, opened=True)
        term = _term(words, helper, worded)
        if len(term) > longest:
            longer.append(helper)
        elif term:
            terms.append((helper, term))
            waiting += [h for text in worded for h in text.named]
    return terms, tuple(longer)


def _term(words: Words, helper: str, worded: Sequence[Worded]) -> str:
    """The meaning of a helper rule, with its readings."""
    rule = words.file.rules[helper]
    if not rule.readings:
        text = " ".join(compact(text.steps) for text in worded)
        return text if not worded or worded[0].is_value else f"{_capital(words.title(helper))}: {text}"
    readings = "; ".join(
        f"reading “{plain(decl.name.value)}”: {_uncapital(compact(text.steps)).rstrip('.')}"
        for decl, text in zip(rule.readings, words.rule(helper, expand=True), strict=True)
    )
    return f"{_capital(words.label(helper))}: {readings}."


def _of_helper(words: Words, helper: RuleDecl, text: str) -> str:
    return f"{text} – on {words.title(helper.name.value)}"


def _assumed(rule: RuleDecl) -> tuple[str, ...]:
    return assumes_of([rule.backing, *(r.backing for r in rule.readings)])


def _uncapital(text: str) -> str:
    return text[0].lower() + text[1:] if text else text


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _reading(name: str, text: Worded, index: int, rule: RuleDecl) -> Reading:
    decl = rule.readings[index]
    says = decl.says.value if decl.says else ""
    return Reading(
        name, says, compact(text.steps) or NONE, cites_of([decl.backing]), assumes_of([decl.backing])
    )


def _is_standard(rule: RuleDecl) -> bool:
    return rule.name.span.source.name == f"{PRELUDE}.yaml"


# -------------------------------------------------------------------------------------------------- facts


def _players(ruleset: Ruleset) -> str:
    teams = ruleset.program.teams
    text = f"{ruleset.program.players} players"
    if list(map(set, teams)) == [{0, 2}, {1, 3}]:
        text += " in partnerships: partners sit opposite each other"
    elif teams:
        sides = " against ".join(" and ".join(map(str, team)) for team in teams)
        text += f" in partnerships: seats {sides}, numbered clockwise from 0"
    return f"{text}."


def _deck(ruleset: Ruleset) -> str:
    deck = ruleset.program.deck
    ranks = " ".join("10" if letter == "T" else letter for letter in reversed(deck.rank_letters))
    suits = ", ".join(plain(name) for name in deck.suits)
    names = [
        f"{letter} = {plain(name)}"
        for letter, name in zip(deck.rank_letters, deck.ranks, strict=True)
        if letter not in "23456789TJQKA"
    ]
    letters = f" ({', '.join(names)})" if names else ""
    text = f"{len(deck.cards)} cards; suits {suits}; ranked {ranks} from the top{letters}"
    missing = [w.value for w in (ruleset.whole.deck.without or ())] if ruleset.whole.deck else []
    if missing:
        rank, suit = (
            dict(zip(deck.rank_letters, deck.ranks, strict=True)),
            dict(zip(deck.suit_letters, deck.suits, strict=True)),
        )
        text += f"; without {listed([f'the {plain(rank[c[0]])} of {plain(suit[c[1]])}' for c in missing])}"
    return f"{text}."
