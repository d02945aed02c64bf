"""Everyday English in rule text: a line that the grammar rejects, in the words of the language.

`plural_noun` is for a single thing in a line: cards called by their rank or suit, a suit that has been played, half of a number.

Promises: a line is offered only if the grammar accepts it; whether its names and verbs exist is for the
elaboration to say.  Used by `parse_errors` and `parser` for hints.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from lark import Lark
from lark.exceptions import LarkError

_WITH_ARTICLE = r"\b(?:the|an|his|her|their) (?!(?:match ends|hand ends|rest|highest|lowest)\b)"
_UNITS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
NUMBERS = {word: n for n, word in enumerate(_UNITS.split(), 1)}
RANKS = (*_UNITS.split()[1:10], "jack", "queen", "king", "ace")
SUITS = ("clubs", "diamonds", "hearts", "spades")
"""The names of the usual deck."""

CARD_NAMED = rf"\b({'|'.join(RANKS)}|(?:(?<=the )|(?<=with ))(?:[2-9]|10)) of ({'|'.join(SUITS)})\b"
"""Matches a card of the usual deck by its name, such as `queen of spades`."""

_OF_HAND = "discards|gives|passes|plays|returns|shows"

_VERBS = (
    (r"(?:picks|takes) up|takes", "picks-up"),
    (r"(?:lays|puts|sets|throws) (?:aside|away|down)", "discards"),
    (r"(?:gives|hands|passes) back", "returns"),
    (r"(?:(?:may|can) (?:call|choose)|calls|chooses) no[ -]?trumps?", "chooses trump from suits or none"),
    (r"may not choose ([\w-]+) as trumps?", r"chooses trump but \1"),
    (
        r"(?:(?:may|can) choose|chooses|names|picks) (?:(?:an?|any|the) )?(?:trump suit|suit|trumps?)",
        "chooses trump",
    ),
    (r"(?<=[a-z]) as (?:the )?trumps?$", ""),
)
"""What players do, and how the language says it."""

_OWNED = r"([\w-]+(?: of [\w-]+)*)"
_BUT = r",? (?:but(?: not| no)?|no|except(?: for)?|other than|without|with no|(?:(?:that|which) )?(?:is |are )?not)"
_LISTED = r"((?:(?:,? (?:or|and)|,)? (?!(?:none|to|with|else)\b)[\w-]+)+)(?=$| to | else )"


def _with(conditions: list[str], word: str = "and") -> str:
    joined = f" {word} ".join(conditions)
    return f"with {joined}" if len(conditions) == 1 else f"with ({joined})"


def _things(listed: str) -> list[str]:
    return [x for x in re.findall(r"[\w-]+", listed) if x not in ("and", "any", "or")]


def _cards_but(m: re.Match[str]) -> str:
    """Cards that have none of the ranks and suits listed, if those are known."""
    called = {**{noun.removesuffix("s"): has for noun, has in cards_called().items()}, **cards_called()}
    unequal = [called[x].replace("=", "!=") for x in _things(m[4]) if x in called]
    return f"{m[1]} {_with(unequal)}" if len(unequal) == len(_things(m[4])) else m[0]


_COUNTS = {
    "exactly": "=",
    "just": "=",
    "only": "=",
    "at least": ">=",
    "at most": "<=",
    "more than": ">",
    "fewer than": "<",
}


def _counted_players(m: re.Match[str]) -> str:
    """How many players something is true of."""
    number = NUMBERS.get(m["n"]) or m["n"]
    return f"number of (players with {m['what']}) {_COUNTS[m['sign']]} {number}"


_CHANGES = "adds|earns|gains|gets|receives|scores|loses"
"""What happens to a score."""

_ENOUGH = "has|with|reaches|scores|gets|makes|takes|wins"
_MORE, _FEWER = "(?:or|and) (?:more|over|up|above|higher)", "or (?:fewer|less|lower)"
_AMOUNT = re.compile(
    rf"\b(?P<verb>{_ENOUGH}) (?:taken |made |won )?(?:an? )?(?:(?P<what>[a-z-]+) of )?"
    r"(?:(?P<sign>at least|at most|more than|over|fewer than|less than|exactly) )?(?P<number>\d+|hand-size(?: div \d)?)"
    rf"(?: (?P<more>{_MORE})| (?P<fewer>{_FEWER}))?(?: (?P<unit>points?|tricks?))?"
    rf"(?: (?P<more_>{_MORE})| (?P<fewer_>{_FEWER}))?(?= and | or |\)|:|$| (?:{_CHANGES}) \d)"
)
_SIGNS = {
    "at least": ">=",
    "at most": "<=",
    "more than": ">",
    "over": ">",
    "fewer than": "<",
    "less than": "<",
    "exactly": "=",
}


def card_code(named: re.Match[str]) -> str:
    """A card that `CARD_NAMED` matches as the language writes it: `QS`."""
    rank = int(named[1]) - 2 if named[1].isdigit() else RANKS.index(named[1])
    return "23456789TJQKA"[rank] + named[2][0].upper()


def _compared(m: re.Match[str]) -> str:
    """A comparison such as `has score >= 20`; as it was, if the sign is not said."""
    unit = m["unit"] or ("points" if m["verb"] in ("reaches", "scores") else None)
    unit = "tricks" if m["number"].startswith("hand-size") else unit
    what = m["what"] or (unit and ("tricks" if unit.startswith("trick") else "score"))
    more, fewer = m["more"] or m["more_"] or m["verb"] == "reaches", m["fewer"] or m["fewer_"]
    sign = _SIGNS.get(m["sign"] or "", ">=" if more else "<=" if fewer else None)
    verb = "with" if m["verb"] == "with" else "has"
    return f"{verb} {what} {sign} {m['number']}" if what and sign else m[0]


def _for_each(m: re.Match[str]) -> str:
    """Points for cards of a rank or suit, each counted."""
    return f"{m[1]} * number of (cards in {m[3]} with {cards_called()[f'{m[2]}s']})"


_SUITS = "|".join((*SUITS, *(suit[:-1] for suit in SUITS), "trumps?"))
_KINDS = "|".join((_SUITS, *(f"{rank}s?" for rank in RANKS)))
_SHOWN = re.compile(
    rf"(?<! of )(?<!all )(?<!every )\b(?:(?P<no>no )|an? |any )?(?P<suit>{_SUITS}) (?:(?:had|has|have|is|are|was|were)(?P<not>n't| not)? )?"
    r"(?:already |yet )?(?:been )?(?P<how>played|broken|led)\b(?: yet)?"
)
_SOMEBODY = r"\b(?:(?P<no>no(?:body| one| player))|(?:a|any|some) ?(?:body|one|player)) (?:has |have )?"
_PLAYED = re.compile(
    rf"{_SOMEBODY}(?P<not>not |n't )?(?:already |yet )?"
    rf"(?P<how>played) (?:an? |any )?(?P<suit>{_SUITS})\b(?: yet)?"
)
_CARD_PLAYED = re.compile(
    r"\b(?P<card>[2-9TJQKA][CDHS]) (?:has|have|is|was)(?P<not>n't| not)? (?:already |yet )?(?:been )?played\b(?: yet)?"
)


_TAKEN = re.compile(
    rf"{_SOMEBODY}(?:(?:taken|takes|took|wins|won) (?:an? |any )?(?P<taken>{_KINDS})|(?:an? |any )?(?P<kind>{_KINDS}) in (?P<zone>[a-z-]+))(?![\w-])"
)


def _taken(m: re.Match[str]) -> str:
    """That somebody has taken a card of a suit or rank, or has one elsewhere."""
    called = cards_called()
    kind = m["taken"] or m["kind"]
    condition = called.get(kind) or called[f"{kind}s"]
    return f"{'no' if m['no'] else 'some'} player has (some card in {m['zone'] or 'tricks-taken'} has {condition})"


def _shown(m: re.Match[str]) -> str:
    """That a suit has been led to the trick, or played to one before it."""
    suit = "trump" if m["suit"].startswith("trump") else m["suit"].removesuffix("s") + "s"
    none = bool(m["no"] or m["not"])
    if m["how"] == "led":
        return f"led {'!' * none}= {suit}"
    return f"{'no' if none else 'some'} player has (some card in tricks-taken has suit = {suit})"


def _card_shown(m: re.Match[str]) -> str:
    """That a card has been played to an earlier trick."""
    return f"{'no' if m['not'] else 'some'} player has ({m['card']} in tricks-taken)"


_HELD = (
    r"\b(?:(?:the |only )?(?!(?:and|if|or|then|when|with) )([a-z-]+(?: player)?(?: (?:who|that|with))?) )?"
    r"(?:(?:has )?(taken|takes|took|wins|won)|has|holding|holds|with|(?<=holder )of)"
    r" (?:the )?([2-9TJQKA][CDHS])(?! (?:in|\w+s)\b)"
)


def _held(m: re.Match[str]) -> str:
    """Who holds a card or has taken it in a trick, or that someone does."""
    who, where = m[1] or "p", f"{m[3]} in {'tricks-taken' if m[2] else 'hand'}"
    if who.startswith(("holder", "player", "who")):
        return f"{'' if who.startswith('players') else 'only player in '}players with {where}"
    if who.endswith((" player", "body", "one")):
        return f"{'no' if who.startswith('no') else 'some'} player has ({where})"
    return m[0] if " with " in m[0] and not m[2] else f"{where} of {who}"


_PART = re.compile(
    rf"\b(?P<part>half|an? third|an? quarter) (?:of )?(?:all )?(?P<whose>his |her |their |the )?{_OWNED}"
)
PARTS = {"half": 2, "third": 3, "quarter": 4}
_ALL = {"cards": "number of hand", "players": "number of players", "tricks": "hand-size"}


def _divided(m: re.Match[str]) -> str:
    """A part of a number; the tricks of nobody in particular are those of the deal."""
    what, whose = m[3], (m["whose"] or "the ").strip()
    whole = f"{what} of p" if whose != "the" else _ALL.get(what, what)
    return f"{whole} div {PARTS[m['part'].split()[-1]]}"


_ALL_OF = (
    r"\b(?P<who>[a-z]+(?: player)?) (?:has )?(?:taken|takes|took|wins|won) all (?:of )?(?:the )?(?:\d+ |four )?"
    rf"(?P<called>{'|'.join((*SUITS, *(f'{rank}s' for rank in RANKS)))})"
    r"(?P<cards>(?: and (?:the )?[2-9TJQKA][CDHS])*)"
)


def _all_taken(m: re.Match[str]) -> str:
    """That all cards of a suit or rank are among the tricks taken, and perhaps some others."""
    some = m["who"].endswith("player")
    taken = "tricks-taken" if some else f"tricks-taken of {m['who']}"
    every = f"number of (cards in {taken} with {cards_called()[m['called']]}) = number of {'ranks' if m['called'] in SUITS else 'suits'}"
    held = " and ".join(
        [every, *(f"{card} in {taken}" for card in re.findall(r"[2-9TJQKA][CDHS]", m["cards"]))]
    )
    return f"{m['who']} has ({held})" if some else held


def _is_card(m: re.Match[str]) -> str:
    """What card, suit or rank a card is."""
    sign = "!=" if m[2].endswith(("not", "n't")) else "="
    if m[3][0].isupper():
        return f"{m[1]} {sign} {m[3]}"
    of, _, called = cards_called()[f"{m[3]}s"].partition(" = ")
    return f"{of} of {m[1]} {sign} {called}"


def _if_before(m: re.Match[str]) -> str:
    """A condition before what happens; a pronoun in it means who does it."""
    condition = re.sub(r"\b(?:he|she|they)\b", m[1].split()[0], m[3])
    condition = f"not ({condition})" if m[2] else condition
    return f"if {condition}:\n{m[1]}"


def _changed(m: re.Match[str]) -> str:
    """A number that becomes larger or smaller."""
    what, by = (m[2], m[3]) if "what" in m.re.groupindex else (m[3], m[2])
    return f"{what} becomes {what} {'-' if m[1] else '+'} {by}"


_SCORE_CHANGED = (
    rf"^(?!(?:some|any|each|every|no|winner|loser)\b)(?:score of )?{_OWNED} ({_CHANGES})"
    r" (?:an )?(?:extra |bonus )?(\d+)(?: (?:extra|more|points?))*$"
)


def _with_score_changed(m: re.Match[str]) -> str:
    return f"score of {m[1]} becomes score of {m[1]} {'-' if m[2] == 'loses' else '+'} {m[3]}"


def score_changed(line: str) -> str | None:
    """What `p scores 10` is in the language, or None if a line is nothing of the kind."""
    m = re.match(_SCORE_CHANGED, line)
    return None if m is None else _with_score_changed(m)


def _bid(m: re.Match[str]) -> str:
    """A choice of a number by a player or by each."""
    each = m[1].startswith(("each", "every"))
    who = "p" if each else m[1]
    return f"{'for p in players:' + chr(10) if each else ''}{who} chooses bid of {who} from {m[2]} to {m[3]}"


_REWRITINGS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (CARD_NAMED, card_code),
    (r"^any card(?: in hand)?$", "hand"),
    (
        r"^(clubs|diamonds|hearts|spades) (?:is|are) (?:always )?(?:the )?trumps?(?: suit)?$",
        r"trump becomes \1",
    ),
    (r"^(?:the )?dealer (?:keeps the deal|deals again|(?:stays|remains)(?: the)? dealer)$", "dealer"),
    (rf"^(?:any|all) cards?(?: (?:in|of) hand)?(?={_BUT} )", "cards in hand"),
    (rf"^(cards in hand{_BUT}) an? (?=[a-z]+$)", r"\1 "),
    (r"([<>!]) =", r"\1="),
    (r"\bsome card in ([a-z-]+(?: of [a-z-]+)*) is ([2-9TJQKA][CDHS])\b", r"\2 in \1"),
    (rf"\b({'|'.join(NUMBERS)})(?= (?:{_MORE}|{_FEWER})\b)", lambda m: str(NUMBERS[m[1]])),
    (rf"^team of {_OWNED} (?=(?:{_CHANGES}) )", r"\1 "),
    (r"^(if [^:]+): (-?\d+)$", r"\1 then \2 else 0"),
    (r"^(if [^:]+): (?=.)", r"\1 then "),
    (
        rf"\b(?:over of )?{_OWNED} (?:is|was) (not )?(up|down)(?![\w-])(?: (?:in the |the )?(?:last|previous) (?:deal|hand|round)\b)?",
        lambda m: f"over of {m[1]} {'<>'[(m[3] == 'up') != bool(m[2])]}{'=' * bool(m[2])} 0",
    ),
    (r"\bup (?=of |[<>=])", "over "),
    (r"^(trump|dealer) is (?=[a-z -]+$)(?!not )", r"\1 becomes "),
    (
        rf"\b(?P<sign>{'|'.join(_COUNTS)}) (?P<n>{'|'.join(NUMBERS)}|\d+) players? (?:has|have) (?P<what>.+?)(?=$| (?:and|or|then) )",
        _counted_players,
    ),
    (r"^(.+?) (?:goes up|increases|is increased) by (.+?)(?: points?)?$", r"\1 becomes \1 + \2"),
    (
        r"^(.+?) (?:goes down|decreases|is (?:decreased|reduced)) by (.+?)(?: points?)?$",
        r"\1 becomes \1 - \2",
    ),
    (
        r"\b(?:(?:the )?(?:eldest hand|(?:first|next) player(?! (?:among|in|of)\b))|the eldest)\b",
        "left of dealer",
    ),
    (r"\b(?:the )?previous player\b", "right of dealer"),
    (r"^(?:the )?player (?:on|to) the (left|right)$", r"\1 of dealer"),
    (
        r"^((?:(?:left|right|opposite) of )*(?:the )?dealer) (?:always )?(?:deals|leads)(?: again| first)?$",
        r"\1",
    ),
    (r"^(?:add|(subtract)) (.+?)(?: points?)? (?:to|from) (.+)$", _changed),
    (r"^(?:increase|(decrease|reduce)) (?P<what>.+) by (.+?)(?: points?)?$", _changed),
    (
        r"^(?:no(?:body| player| one) (?:discards|draws|exchanges|gives|passes|returns|shows)\b.*"
        r"|nothing|no (?:exchange|passing|returns|cards (?:are )?(?:exchanged|given|passed|returned)))$",
        "nothing happens",
    ),
    (
        r"\b(?<!some )(?:only |(?<!only )(?:the )?)player with (?!the\b)(?=\S+ (?:in|not in|[<>=!]+) )",
        "only player in players with ",
    ),
    (r",? (?=(?:else|then)\b)", " "),
    (r"^(?!.*\bif )(.+?),? (?:and )?then (?=[a-z-]+s )", r"\1 and "),
    (r"^(?:and |then )+", ""),
    (
        rf"\b(\d+)(?: points?)? for (?:each|every) ({'|'.join((*RANKS, *(x[:-1] for x in SUITS), 'trump'))})"
        rf" (?:in|of) {_OWNED}",
        _for_each,
    ),
    (r"\b(?:whoever|(?:any|every)(?:body|one) who)\b", "player who"),
    (
        rf"^(?:(?:all|an?|any|each|every|the) )?(?:player|side|team)s?(?= (?:with|who|that) .+ (?:{_CHANGES}) \d)",
        "player",
    ),
    (
        rf"^player (?:that|who) (?:has )?(?:taken|takes|took|wins|won) (?:the )?([2-9TJQKA][CDHS])(?= (?:{_CHANGES}))",
        r"player with \1 in tricks-taken",
    ),
    (
        r"^(-?\d+) if (.+?)(?:,? (?:otherwise|else) (.+))?$",
        lambda m: f"if {m[2]} then {m[1]} else {m[3] or 0}",
    ),
    (
        rf"^(?!if\b)(.+ (?:becomes|chooses|{_OF_HAND}|{_CHANGES}) .+?),? (?:if|when|(unless)) (.+)$",
        _if_before,
    ),
    (
        rf"\b((?:suit|rank|led|trump)(?: of [\w-]+)*) is (not )?(?:an? |the )?({'|'.join((*RANKS, *SUITS))})\b",
        lambda m: f"{m[1]} {'!' * bool(m[2])}= {m[3]}",
    ),
    (
        rf"\b(?<! of ){_OWNED} (is not|isn't|is) (?:an? |the )?([2-9TJQKA][CDHS]|(?:{'|'.join((*RANKS, *(suit[:-1] for suit in SUITS)))})(?![\w-]))",
        _is_card,
    ),
    (r"\b(?:so|such) that\b", "with"),
    (
        r"\b(?:the )?(?:sum|total) (?:of )?(?:the |all )?(?:the )?bids?\b(?: (?:for|of) (?:all )?(?:the )?players)?",
        "(sum of bid for players)",
    ),
    (
        r"^(.+?) (?:announces|bids|calls|declares) (?:an? (?:bid|number) )?(?:between |from )?(\d+|hand-size) (?:and|to) (\d+|hand-size)\b",
        _bid,
    ),
    (
        rf"\b(abs\()?(?(1)|(?:the )?difference (?:of|between) )(?:the )?{_OWNED} (?(1)-|and) (?:the )?{_OWNED}(?(1)\))",
        r"larger(\2 - \3, \3 - \2)",
    ),
    (_ALL_OF, _all_taken),
    (_SHOWN.pattern, _shown),
    (_PLAYED.pattern, _shown),
    (_CARD_PLAYED.pattern, _card_shown),
    (_TAKEN.pattern, _taken),
    (_PART.pattern, _divided),
    (r"\b(?:twice|double) (?:the )?(?=[a-z])", "2 * "),
    (_HELD, _held),
    (r"\bcards (?:in hand )?of (?:the )?(?:suit led|led suit)\b", "cards in hand with suit = led"),
    (r"^same (?=[a-z-]+$)", ""),
    (
        r"\b(?:has|with|takes|wins|makes|took|won|made) (all|no)(?: of)?(?: the)? tricks\b",
        lambda m: (
            f"{'with' if m[0].startswith('with') else 'has'} tricks = {'hand-size' if m[1] == 'all' else 0}"
        ),
    ),
    (
        r"\b(?:must|has to|should) (\w+)",
        lambda m: f"{m[1]}es" if m[1].endswith(("s", "sh", "ch")) else f"{m[1]}s",
    ),
    (
        r"\b(?:the )?(?:player (?:on |to ))?(?:the )?((?:dealer|leader)(?=s )|[a-z]+(?='))'?s (left|right)(?: neighbour)?\b",
        r"\2 of \1",
    ),
    (r"\b([a-z]+)'s ([a-z-]+)\b", r"\2 of \1"),
    (r"\b(?:the )?player (?:(?:on|to) )?(?:the )?(left|right|opposite) of\b", r"\1 of"),
    (r"\b(with|has) (suit|rank) (?:is )?(?:not|other than) ", r"\1 \2 != "),
    (r"\b(with|has) (suit|rank) (?=[a-z])(?!is )", r"\1 \2 = "),
    (r"\b([a-z]+)\.(score|tricks|over|hand|target)\b", r"\2 of \1"),
    (r"^deals (?=\d)", "deal "),
    (rf"\b{_OWNED} contains (?:the )?([2-9TJQKA][CDHS])\b", r"\2 in \1"),
    (r"^(deal \d+ cards? to) (?=(?:p|dealer|(?:left|right) of \w+)$)", r"\1 hand of "),
    (r"\bany (?=card in )", "some "),
    *((rf"\b(?:{many})\b", one) for many, one in _VERBS),
    (_WITH_ARTICLE, ""),
    (r"\b(left|right|opposite) (?=(?:dealer|leader|p)\b)", r"\1 of "),
    (r"\ba card\b", "1 card"),
    (rf"^(?=(?:{_OF_HAND}|picks-up) )", "dealer "),
    (
        r"^deal (\d+) cards? (?:each|to every(?:body|one)|to (?:each|every) player)(?:,? (?:one|1) (?:at a time|by one))?$",
        r"for p in players:\ndeal \1 cards to hand of p",
    ),
    (r"(?<!in )(?<!of )\bhand with (?=rank|suit)", "cards in hand with "),
    (r"^(?:highest|most) (score|tricks)$", r"players with the highest \1"),
    (r"^(?:lowest|fewest) (score|tricks)$", r"players with the lowest \1"),
    (r"^(?:when|once|as soon as|until) (?!.*:$)", ""),
    (
        r"\b(?:(?:an?|any|one) player|(?:some|any)(?:one|body))(?= (?:has|reaches|scores|gets|makes|takes|wins)\b)",
        "some player",
    ),
    (r"\b(score|tricks) reaches (\d+)$", r"some player has \1 >= \2"),
    (r"\b(score|tricks) of some player (>=?|=|<=?)", r"some player has \1 \2"),
    (_AMOUNT.pattern, _compared),
    (
        r"(?<=[a-z)]) (?:(?:is|are) )?(" + "|".join(_SIGNS) + r") (?!of )(?=[\da-z(])",
        lambda m: f" {_SIGNS[m[1]]} ",
    ),
    (rf"(?<=[a-z)]) is (\d+) {_MORE}", r" >= \1"),
    (r"(?<=[a-z)]) (?:is not|does not equal|are not) (?=\d)", " != "),
    (r"(?<=[a-z)]) (?:(?:is|are) (?=\d)|(?:is |are )?equal to |equals? )", " = "),
    (r"^(score|tricks) (?=[<>=])", r"some player has \1 "),
    (r"\b(then|else|becomes) minus ", r"\1 -"),
    (r" minus ", " - "),
    (r" plus ", " + "),
    (r"(?<!player )\b(?!player\b)([\w-]+) has (tricks|score) (?=[<>=])", r"\2 of \1 "),
    (rf"\b({'|'.join(NUMBERS)})(?=(?: lowest| highest)? cards?\b)", lambda m: str(NUMBERS[m[1]])),
    (r"\b(\d+ cards?) from\b", r"\1 of"),
    (r"\b((?:gives|passes) .*cards?(?: of [\w-]+)?) (?=(?:left|right)$)", r"\1 to "),
    (rf"\b((?:{_OF_HAND}) (?:up to )?\d+ cards?)(?=$| to | and |{_BUT} )", r"\1 of hand"),
    (rf"(\d+) (cards? of {_OWNED}), (lowest|highest)(?: first)?", r"\1 \4 \2"),
    (
        rf"\b({_OF_HAND}) (?:the )?(\d+ )?(lowest|highest) (\d+ )?cards?(?! of suit of)(?: (?:of|in) {_OWNED})?",
        lambda m: (
            f"{m[1]} {'top' if m[3] == 'highest' else 'bottom'} {m[2] or m[4] or '1 '}of {m[5] or 'hand'} by rank"
        ),
    ),
    (rf"^(?:cards in )?hand{_BUT} (?:the )?([2-9TJQKA][CDHS])$", r"cards in hand with card != \1"),
    (rf"(?<!in )(?<!of )\bhand(?={_BUT} )", "cards in hand"),
    (rf"(\d+ cards? of {_OWNED}|cards in {_OWNED}){_BUT}{_LISTED}", _cards_but),
    (
        rf"chooses {_OWNED}((?: from [\w -]+?)?)(?: with \1)?{_BUT}{_LISTED}",
        lambda m: (
            f"chooses {m[1]}{m[2]} {_with([f'{m[1]} != {x}' for x in things])}"
            if m[1] not in (things := _things(m[3]))
            else m[0]
        ),
    ),
    (
        rf"chooses {_OWNED} from(?=.*(?:,| or )){_LISTED}",
        lambda m: f"chooses {m[1]} {_with([f'{m[1]} = {x}' for x in _things(m[2])], 'or')}",
    ),
    (
        r"players? (?:with|who \w+) (?:the )?(most|highest|fewest|lowest) ",
        lambda m: f"players with the {'highest' if m[1] in ('most', 'highest') else 'lowest'} ",
    ),
    (
        rf"^(players with the \w+ \w+)(?= (?:{_OF_HAND}|chooses|draws|picks-up) )",
        r"only player in (\1)",
    ),
    (
        rf"^(?:(?:each|every) player|every(?:body|one)) (?=(?:{_OF_HAND}|chooses|draws|picks-up) )",
        "for p in players:\np ",
    ),
    (r"^([\w-]+ returns (?!.* to ).+)$", r"\1 to giver"),
    (r"^((?:.*\n)?)([a-z-]+) (.+) to (?:player (?:on|to) )?(left|right)$", r"\1\2 \3 to \4 of \2"),
    (
        rf"^(?:only player in )?\(?players? (?:who has|with|who) (.+?)\)? (?=(?:{_CHANGES}) \d)",
        r"for p in players with \1:\np ",
    ),
    (rf"(?m){_SCORE_CHANGED}", _with_score_changed),
    (r"((?: then| else| [-+*]) \d+) (?:(?:extra|more) )?points?(?=$| else )", r"\1"),
    (r"^(if .+ then -?\d+)$", r"\1 else 0"),
)
_TWO_ACTS = re.compile(rf"(?P<who>.+?) (?P<one>(?:picks-up|draws|{_OF_HAND}) .+) and (?P<two>[a-z-]+s .+)")


_HIGHEST_CARD = re.compile(r"the (?:highest|lowest) cards?\b")
"""Which card it is, of those played or held, a line does not say."""

LONGEST = 200
"""The length of a line, in characters, beyond which it is not rewritten: patterns take time that grows with its square."""


def in_the_language(lark: Lark, line: str) -> str | None:
    """A hint with what a line of plain words would be in the language, or None."""
    if len(line) > LONGEST:
        return None
    said = line.strip().removesuffix(".")
    written = said = said[:1].lower() + said[1:]
    for pattern, replacement in _REWRITINGS:
        written = re.sub(pattern, replacement, written)
    if written == said or _HIGHEST_CARD.search(written):
        return None
    advice = "leave out articles:" if written == re.sub(_WITH_ARTICLE, "", said) else "write"
    two = _TWO_ACTS.fullmatch(written)
    lines = [f"{two['who']} {two['one']}", f"{two['who']} {two['two']}"] if two else written.split("\n")
    if not all(_is_rule_text(lark, one) for one in lines):
        return None
    below = ", and indented below it " if lines[0].endswith(":") else ", and on the next line "
    return f"{advice} {below.join(f'`{one}`' for one in lines)}"


def cards_called(ranks: Iterable[str] = RANKS, suits: Iterable[str] = SUITS) -> dict[str, str]:
    """The nouns for cards of a rank or suit, such as `aces`, with the condition that the language has for them."""
    return {
        **{plural: f"rank = {rank}" for rank in ranks for plural in (f"{rank}s", f"{rank}es")},
        **{suit: f"suit = {suit}" for suit in suits},
        "trumps": "suit = trump",
    }


def plural_noun(line: str, ranks: Iterable[str] = RANKS, suits: Iterable[str] = SUITS) -> str | None:
    """A hint for cards that are called by their rank or suit, such as `number of aces in hand of p`, or None."""
    conditions = cards_called(ranks, suits)
    if m := _SHOWN.search(line) or _PLAYED.search(line):
        return f"write `{_shown(m)}`"
    if m := _TAKEN.search(line):
        return f"write `{_taken(m)}`"
    if m := _CARD_PLAYED.search(line):
        return f"write `{_card_shown(m)}`"
    if m := _PART.search(line):
        return f"write `{_divided(m)}`, which is rounded down"
    noun = rf"(?<![\w-])(?<![=<>] )(?P<noun>{'|'.join(map(re.escape, conditions))})(?![\w-])"
    zone = r"(?P<zone>[a-z-]+(?: of (?:(?:left|right|opposite|partner) of )*[a-z-]+)?)"
    if m := re.search(rf"number of {noun} (?:taken|won) by (?P<who>[a-z-]+)", line):
        return f"write `number of (cards in tricks-taken of {m['who']} with {conditions[m['noun']]})`"
    if m := re.search(rf"number of \(?{noun} (?:in|of|from) {zone}", line):
        return f"write `number of (cards in {m['zone']} with {conditions[m['noun']]})`"
    has = r"(?P<who>[a-z-]+) (?:has|(?:has )?(?P<taken>taken|takes|took|wins|won))"
    if m := re.search(rf"{has} (?P<count>\d+|no|an?) {noun}", line):
        count = m["count"] if m["count"].isdigit() else "0" if m["count"] == "no" else "1"
        some = m["who"] == "player"
        where = f"{'tricks-taken' if m['taken'] else 'hand'}{'' if some else ' of ' + m['who']}"
        cards = f"{'has ' * some}number of (cards in {where} with {conditions[m['noun']]}) = {count}"
        zones = ", with `tricks-taken` for `hand` if cards in tricks are meant"
        return f"write `{cards}`{zones if some and not m['taken'] else ''}"
    if m := re.search(rf"(?P<count>\d+) {noun} (?:in|of|from) {zone}", line):
        cards = "card" if m["count"] == "1" else "cards"
        return f"write `{m['count']} {cards} of {m['zone']} with {conditions[m['noun']]}`"
    if m := re.search(rf"{noun} (?:in|of|from) {zone}", line):
        return f"write `cards in {m['zone']} with {conditions[m['noun']]}`"
    if m := re.search(rf"number of {noun}", line):
        return f"write `number of (cards in hand of p with {conditions[m['noun']]})`"
    return None


def _is_rule_text(lark: Lark, line: str) -> bool:
    """Whether a line is right by itself, or as a line of a value that others continue."""
    value = line.removeprefix("else ")
    ways = (f"{line}\n    do x" if line.endswith(":") else line, value, f"{value} else x")
    return any(_parses(lark, f"{way}\n") for way in (ways if " then " in line or line != value else ways[:1]))


def _parses(lark: Lark, text: str) -> bool:
    try:
        lark.parse(text)
    except LarkError:
        return False
    return True
