"""English morphology: plurals, verb forms, lists, and the part of speech of names such as `owed` or `barred`.

Names are chosen by users. The language asks for nouns; participles ("owed", "drawn", "barred"), verbs
("beats") and names that end in a preposition ("won-by") are recognised by their form and worded accordingly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from trickproof.english.vocabulary import HEADINGS, plain

_OUTRANKS = re.compile(r"(some|no) card ([^,]+?) is of the same suit(?: and ranks (lower|higher))?")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SEAT_AFTER = re.compile(r"\b(after|before|by|for|from|of|to|with) (dealer|leader)\b")
_FROM_SEAT = re.compile(r" \w+ the (?:dealer|leader)$")
_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
_PARTICIPLES = _words(
    "bought broken chosen dealt drawn dropped given held hidden kept known laid led left lost made paid put "
    "said seen sent set shown sold taken thrown won"
)
"""Irregular participles."""
_ACTIVE = _words("bid called declared doubled dropped folded knocked led lost passed played redoubled won")
"""Participles used actively: somebody "has passed", but "is barred"."""
_NOT_PARTICIPLES = _words("deed feed need red reed seed speed bed")
_PREPOSITIONS = _words(
    "after at before between by down during for from in of off on out over to under up when with without"
)
_QUESTIONS = _words("how if what when where which who whose why")
_FULL_VERBS = _words("is has can may must was does will")
_OF_MANY = {"is": "are", "has": "have", "was": "were", "does": "do"}
_GROUPS = _words(
    "box blind couple crib dummy hand kitty pack pair part pile pot quartet row run sequence set side "
    "stack stock talon team trick trio triple widow"
)
"""Singular nouns for several cards or players."""
_SIZES = _words("amount count distance length number share size")
_PERSONS = ("er", "or", "ee", "ist", "man")


def small(n: int) -> str:
    """Small numbers as words."""
    return _SMALL[n] if 0 <= n < len(_SMALL) else str(n)


def counted(number: int, one: str, more: str = "") -> str:
    """A number with its noun: "1 card", "2 cards", "1,000 matches"; `more` is an irregular plural."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def such_that(clause: str) -> str:
    """A clause after "such that", without a second "that"."""
    return f"such that {'the' if clause.startswith('that ') else ''}{clause.removeprefix('that')}"


def listed(parts: Sequence[str], word: str = "and") -> str:
    """Join with commas and a word: `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def one_of(values: Sequence[int]) -> str:
    """The values of a parameter: `1, 2 or 3`, and of many the first and the last."""
    return listed([*map(str, values)], "or") if len(values) < 5 else f"{values[0]} to {values[-1]}"


def any_such(clause: str) -> str:
    """A clause after "if", with "any" instead of "some"."""
    return re.sub("(^|(?<= or ))some (?=player|card)", "any ", clause)


def article(noun: str) -> str:
    """The noun with "a" or "an"."""
    return f"{'an' if noun[:1].lower() in tuple('aeiou') else 'a'} {noun}"


def is_participle(word: str) -> bool:
    """Whether a word is a past participle: "drawn", "owed"."""
    return word in _PARTICIPLES or (word.endswith("ed") and word not in _NOT_PARTICIPLES)


def is_plural(phrase: str) -> bool:
    """Whether a noun phrase takes "are"; only its head noun counts."""
    if phrase.startswith(("all ", "they", "the cards ")):
        return True
    head = phrase
    for cut in (
        " of ",
        " that ",
        " who",
        " in ",
        " among ",
        " for ",
        " other than",
        " to ",
        " with ",
        " plus ",
        " minus ",
        " times ",
        " divided by ",
        " when ",
        ", ",
        " (",
    ):
        head = head.partition(cut)[0]
    words = head.split()
    while len(words) > 1 and (is_participle(words[-1]) or words[-1] == "each"):
        words.pop()
    last = words[-1] if words else ""
    return last.endswith("s") and not last.endswith(("ss", "us", "'s"))


def plural(noun: str) -> str:
    """A noun phrase without article in the plural, from its singular or itself: "nil scores", "tricks"."""
    head, of, rest = noun.partition(" of ")
    if is_plural(head):
        return noun
    if head.startswith("number "):
        return noun.replace("number", "numbers", 1)
    if head.endswith("y") and head[-2:-1] not in tuple("aeiou"):
        head = f"{head[:-1]}ies"
    else:
        head += "es" if head.endswith(("s", "x", "ch", "sh")) else "s"
    return head + of + rest


def mentions(text: str, phrase: str) -> bool:
    """Whether a text contains a phrase as whole words."""
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text) is not None


def degree(noun: str, *, highest: bool) -> str:
    """The superlative of a number: "the highest score", but "the largest share" and "the most points"."""
    if is_plural(noun):
        return "most" if highest else "fewest"
    if _SIZES.isdisjoint(noun.split()):
        return "highest" if highest else "lowest"
    return "largest" if highest else "smallest"


def is_group(phrase: str) -> bool:
    """Whether a noun phrase is a singular collective, such as "the forced part"."""
    return phrase.split()[-1] in _GROUPS


def among(several: str) -> str:
    """Where a member of a set is: "on that player's side", "in the pair", "among the makers"."""
    on = "on" if several.endswith((" side", " team")) else "in" if is_group(several) else "among"
    return f"{on} {several}"


def noun_of(name: str, kind: str) -> str:
    """A name as a noun phrase without its article: "drawn card", "number owed", "foremost players"."""
    text = _SEAT_AFTER.sub(r"\1 the \2", plain(name))
    last = text.split()[-1]
    if kind == "integer":
        before = text.split()[-2:-1]
        if before and (is_participle(last) or last == "each") and is_plural(before[0]):
            return f"number of {text.removesuffix(' each')}{' per player' * (last == 'each')}"
        return f"number {text}" if is_participle(text) else text
    if kind in ("suit", "rank", "card", "player", "team"):
        hyphened = name if last in _PREPOSITIONS and " " in text else text
        return f"{hyphened} {kind}" if is_participle(last) or last in _PREPOSITIONS else text
    if kind in ("cards", "players") and not is_plural(text) and last not in _GROUPS:
        person = kind == "players" and last.endswith(_PERSONS)
        return text if person else f"{text} {kind}"
    return text


def of_whom(noun: str, whom: str) -> str:
    """A noun with what it belongs to: "the points of a player", "the distance of a player from the dealer"."""
    seat = _FROM_SEAT.search(noun)
    return f"{noun[: seat.start()]} of {whom}{seat[0]}" if seat else f"{noun} of {whom}"


def may_do(name: str, kind: str) -> str:
    """What a rule such as `may-give` says that a player may do with the cards it gives: "may give"; else ""."""
    return plain(name) if kind == "cards" and name.startswith("may-") else ""


def title_of(name: str, kind: str) -> str:
    """A rule as a lower-case heading, with an article unless the name is not a noun."""
    if name in HEADINGS:
        return HEADINGS[name]
    first, last = name.split("-")[0], name.split("-")[-1]
    own = f"the {noun_of(name, kind)}"
    if may := may_do(name, kind):
        return f"what a player {may}"
    if own in HEADINGS.values() or (kind == "" and last in _PREPOSITIONS):
        return f"“{plain(name)}”"
    if kind == "boolean" or first in _PREPOSITIONS or first in _QUESTIONS:
        return plain(name)
    return own


def is_active(name: str) -> bool:
    """Whether a Boolean name says what somebody "has" done: `passed`."""
    return plain(name).split()[0] in _ACTIVE


def said_of(name: str, of: Sequence[str], *, plural: bool = False, negated: bool = False) -> str:
    """A Boolean name as a clause: "the dealer is barred", "it beats that card", "“extra round” applies", "hearts are broken"."""
    text = plain(name)
    first, _, rest = text.partition(" ")
    no = "not " if negated else ""
    applies = "does not apply" if negated else "applies"
    thing, _, done = text.rpartition(" ")
    if done == "broken" and not is_plural(thing):
        thing = f"{thing}s"  # trumps are, like hearts
    if not of and thing and is_participle(done):
        return f"{thing} are {no}{done}" if is_plural(thing) else f"the {thing} is {no}{done}"
    if not of:
        return f"“{text}” {applies}"
    if len(of) == 1 and first in _FULL_VERBS and rest:
        return f"{of[0]} {_OF_MANY.get(first, first) if plural else first} {no}{rest}"
    if (
        len(of) <= 2
        and first.endswith("s")
        and not first.endswith(("ss", "us"))
        and first not in _PREPOSITIONS
    ):
        stem = base_form(first)
        verb = f"{'do' if plural else 'does'} not {stem}" if negated else stem if plural else first
        return " ".join(x for x in (of[0], verb, rest, *of[1:]) if x)
    if len(of) == 1 and first in _ACTIVE:
        return f"{of[0]} {'have' if plural else 'has'} {no}{text}"
    if len(of) == 1:
        return f"{of[0]} {'are' if plural else 'is'} {no}{text}"
    if len(of) == 2 and text.split()[-1] in (*_PREPOSITIONS, "than", "as"):
        return f"{of[0]} {'are' if plural else 'is'} {no}{text} {of[1]}"
    return f"“{text}” {applies} to {listed(of)}"


def of_its_suit(said: str, plural: bool) -> str | None:
    """What is said of some or no other card of the same suit, as a relative clause about a card."""
    said = said.replace(" the same suit as the card", " the same suit").removesuffix(" than the card")
    outranks = _OUTRANKS.fullmatch(said)
    if outranks is None:
        return None
    some, cards, lower = outranks.groups()
    if lower is None:
        return (
            f"that {'are' if plural else 'is'} of the same suit as {some} card {cards}" * (some == "some")
            or None
        )
    if lower == "higher" and some == "no":
        return f"that no card {cards} of the same suit outranks"
    ranks = "rank" if plural else "ranks"
    return (
        f"that {ranks} {'higher' if lower == 'lower' else 'lower'} than {some} card of the same suit {cards}"
    )


def base_form(phrase: str) -> str:
    """The base form of a third-person verb, with its complement: "give", "carry", "pick up", "catch"."""
    verb, _, rest = phrase.partition(" ")
    if verb.endswith("ies"):
        verb = f"{verb[:-3]}y"
    elif verb.endswith(("ches", "shes", "sses", "xes", "zes")):
        verb = verb[:-2]
    elif verb.endswith("s") and not verb.endswith("ss"):
        verb = verb[:-1]
    return f"{verb} {rest}".strip()
