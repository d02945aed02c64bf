"""Small changes to a house rule's own file that might fix it: candidates only, each of which must be tested.

A change replaces one number, one rank, the same number throughout the file's rules, or a word by its opposite;
limits a number of cards to those that there are, and what must be played to what is held; adds a missing tie-break or the rules that an agreed number of cards needs; lets whoever ends the match win it, or the
player who is ahead then; or removes a rule, so that the base's applies.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import partial

from trickproof.analysis.usage import program_usage
from trickproof.checking.finding import Finding, Gap
from trickproof.english.inflection import listed
from trickproof.support.locations import source_lines
from trickproof.validate.agreed_amounts import agreed_amounts, capped
from trickproof.validate.edits import (
    NUMBER,
    Repair,
    appended,
    margin_of,
    nearby,
    replaced,
    stripped,
    uncommented,
    whole_lines,
)
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.files.model import RuleDecl
from trickproof_dsl.library import Ruleset

_PAIRS = (
    ("highest", "lowest"),
    ("clockwise", "anticlockwise"),
    ("left", "right"),
    ("larger", "smaller"),
    ("over", "under"),
    ("top", "bottom"),
    ("every", "some"),
    ("impossible", "open"),
    (">", ">="),
    ("<", "<="),
    (">", "<"),
    ("+", "-"),
)

OPPOSITES: dict[str, tuple[str, ...]] = {}
"""Words and symbols that are easily confused."""
for _one, _other in _PAIRS:
    OPPOSITES[_one] = (*OPPOSITES.get(_one, ()), _other)
    OPPOSITES[_other] = (*OPPOSITES.get(_other, ()), _one)

TIE_BREAK = "then clockwise from left of dealer"
"""The most common tie-break between equal players."""

_ORDER = re.compile(r"(?P<key>(?:highest|lowest) [^:,\n]+ first)(?P<ties>, ties (?:open|impossible))?(?=:)")
_OF_A_KIND = re.compile(r"(?:\A\s*|\belse )(?P<cards>cards in hand with (?P<condition>[^\n]+?))\s*\Z")
_NAMED = re.compile(r" as [a-z-]+(?:\([^()]*\)| of [a-z-]+)?$")
_WORD = re.compile(r"(?<![\w-])[a-z]+(?![\w-])|(?<= )(?:[<>]=?|[+-])(?= )")


def candidates(ruleset: Ruleset, broken: Sequence[Finding]) -> Iterator[Repair]:
    """Changes to the ruleset's own file, most likely first: those of rules that the findings point to."""
    blamed = [finding.where for finding in broken if finding.where is not None]
    texts = sorted(_texts(ruleset), key=lambda span: (not any(_near(span, at) for at in blamed), span.start))
    checks = {finding.check for finding in broken}
    if checks & {"allocation-determined", "exchange-balanced"}:
        yield from capped(ruleset)
    if "exchange-balanced" in checks:
        yield from agreed_amounts(ruleset)
    if checks & {"exchange-order-determined", "exchange-feasible", "no-fault", "rules-complete"}:
        yield from (change for span in texts for change in _tie_breaks(span))
        yield from _tie_breaks_above(ruleset)
    if checks & {"legal-play-exists", "no-fault"}:
        yield from (change for span in texts for change in _or_any_card(span))
        yield from _ties_as_above(ruleset)
    if checks & {"exchange-feasible", "no-fault"}:
        yield from (change for span in texts for change in _if_enough(span))
        yield from _limits(ruleset, blamed)
    yield from _names_above(ruleset)
    lines = list(_lines_above(ruleset))
    yield from (change for change in lines if not change.old)
    above = _numbers_above(ruleset)
    if "unique-winner" in checks:
        yield from _ended_is_won(ruleset)
        yield from (
            replace(x, guessed=True)
            for text in texts
            for x in _numbers(text, above, ())
            if _as_above(x, above)
        )
        yield from list(_most_wins(ruleset)) or _played_on(ruleset)
    yield from (change for finding in broken for gap in finding.gaps for change in _other_words(ruleset, gap))
    yield from (replace(change, guessed=True) for change in _guesses(ruleset, texts, lines, above, broken))


def _guesses(
    ruleset: Ruleset,
    texts: Sequence[Span],
    lines: Sequence[Repair],
    above: Mapping[Span, int],
    broken: Sequence[Finding],
) -> Iterator[Repair]:
    """Other words, ranks and numbers, lines changed, and rules left out.

    Of the numbers first those of the base, those that are one off wherever they are written, and those as far off as a finding's last two numbers are from each other.
    """
    yield from (change for span in texts for change in (*_exactly(span), *_words(span)))
    ranks = ruleset.program.deck.ranks
    yield from (change for span in texts for change in _other_ranks(span, ranks))
    steps = dict.fromkeys(step for finding in broken if (step := _difference(finding.message)))
    numbers = [
        *_numbers_everywhere(texts, above, steps),
        *(change for span in texts for change in _numbers(span, above, steps)),
    ]
    other = {at: str(number) for at, number in above.items() if at.text != str(number)}
    yield from sorted(
        numbers,
        key=lambda x: (
            not (_as_above(x, above) or abs(x.step) in steps or (len(x.edits) > 1 and abs(x.step) == 1)),
            abs(x.step),
        ),
    )
    if len(other) > 1 and ruleset.base is not None:
        where, new = next(iter(other.items()))
        what = f"take the numbers of {ruleset.base.id}: {listed([f'`{x}` for `{at.text}`' for at, x in other.items()])}"
        yield Repair(what, where, where.text, new, tuple(other.items()))
    yield from (change for change in lines if change.old)
    if len(ruleset.own.rules) > 1:
        yield from map(_left_out, ruleset.own.rules.values())


def _texts(ruleset: Ruleset) -> Iterator[Span]:
    """The rule texts of the file itself; those of its invariants if it has no rules, since nothing else can be wrong."""
    if not ruleset.own.rules:
        yield from (invariant.text for invariant in ruleset.own.invariants.values())
    for rule in ruleset.own.rules.values():
        if rule.text is not None:
            yield rule.text
        yield from (reading.text for reading in rule.readings)


def _near(text: Span, at: Span) -> bool:
    """Whether a finding points into a rule or at its name."""
    return at.source == text.source and at.start <= text.end and at.end >= text.start - 200


def _at(text: Span, match: re.Match[str], group: str | int = 0) -> Span:
    return Span(text.source, text.start + match.start(group), text.start + match.end(group))


def _numbers(text: Span, above: Mapping[Span, int], steps: Iterable[int]) -> Iterator[Repair]:
    for match in NUMBER.finditer(uncommented(text)):
        for new in _others(match, _at(text, match), above, steps) if match[0] != "0" else ():
            yield replaced(_at(text, match), str(new), step=new - int(match[0]))


def _others(match: re.Match[str], at: Span, above: Mapping[Span, int], steps: Iterable[int]) -> Iterator[int]:
    """Numbers in the place of another: the base's, some that are so many steps away, and those nearby."""
    theirs = above.get(at, int(match[0]))
    numbers = dict.fromkeys((theirs, *nearby(match, steps), *nearby(match)))
    yield from (number for number in numbers if number != int(match[0]))


def _numbers_above(ruleset: Ruleset) -> dict[Span, int]:
    """The numbers of the file's rules, with what the base has there: in the only line that is the same up to its numbers."""
    above: dict[Span, int] = {}
    for name, rule in ruleset.own.rules.items():
        base = None if ruleset.base is None else ruleset.base.whole.rules.get(name)
        if base is None or base.text is None or rule.text is None:
            continue
        theirs = uncommented(base.text).splitlines()
        for line in re.finditer(r"[^\r\n]+", uncommented(rule.text)):
            alike = [x for x in theirs if _alike(x.strip(), line[0].strip())]
            if len(alike) == 1:
                places = NUMBER.finditer(line[0])
                for place, number in zip(places, NUMBER.findall(alike[0]), strict=True):
                    start = rule.text.start + line.start() + place.start()
                    above[Span(rule.text.source, start, start + len(place[0]))] = int(number)
    return above


def _as_above(change: Repair, above: Mapping[Span, int]) -> bool:
    """Whether all numbers that are changed become the base's."""
    return all(str(above.get(at)) == new for at, new in change.edits)


def _difference(message: str) -> int:
    """How far apart the last two numbers of a message are: what there is, and what there must be."""
    last = [int(number) for number in NUMBER.findall(message)[-2:]]
    return max(last, default=0) - min(last, default=0)


def _other_ranks(text: Span, ranks: Sequence[str]) -> Iterator[Repair]:
    """One rank, replaced by any other, nearest first."""
    for match in _WORD.finditer(uncommented(text)):
        if match[0] in ranks:
            steps = (number - ranks.index(match[0]) for number in range(len(ranks)))
            for step in sorted(filter(None, steps), key=abs):
                yield replaced(_at(text, match), ranks[ranks.index(match[0]) + step], step=step)


def _numbers_everywhere(
    texts: Sequence[Span], above: Mapping[Span, int], steps: Iterable[int]
) -> Iterator[Repair]:
    """The same number in several rules, and in those of the base, changed in all of them."""
    places: dict[tuple[str, int | None], list[Span]] = {}
    near: dict[tuple[str, int | None], list[int]] = {}
    for text in texts:
        for match in (x for x in NUMBER.finditer(uncommented(text)) if x[0] != "0"):
            at = _at(text, match)
            same = match[0], above.get(at)
            places.setdefault(same, []).append(at)
            near[same] = [x for x in _others(match, at, above, steps) if x in near.get(same, (x,))]
    for (old, theirs), spans in places.items():
        for new in near[old, theirs] if len(spans) > 1 else ():
            what = f"replace `{old}` with `{new}` in {len(spans)} places"
            edits = tuple((span, str(new)) for span in spans)
            yield Repair(what, spans[0], old, str(new), edits, step=new - int(old))


def _words(text: Span) -> Iterator[Repair]:
    for match in _WORD.finditer(uncommented(text)):
        for new in OPPOSITES.get(match[0], ()):
            yield replaced(_at(text, match), new)


_UP_TO = re.compile(r"\bup to (\d+ cards?)\b")


def _exactly(text: Span) -> Iterator[Repair]:
    """As many cards as may be chosen at most, no fewer."""
    for match in _UP_TO.finditer(uncommented(text)):
        yield replaced(_at(text, match), match[1])


_SUCH_CARDS = re.compile(
    r"(?m)^(?P<margin> *)(?P<any>(?P<who>[a-z -]+) [a-z-]+ (?P<number>\d+) cards? of hand)"
    r" (?P<such>with .+?)(?P<rest>(?: (?:as|to) .+)?)$"
)


def _or_any_card(text: Span) -> Iterator[Repair]:
    """Any card of the hand where it holds none of those that a rule asks for."""
    if match := _OF_A_KIND.search(uncommented(text)):
        asked = f"if some card in hand has {match['condition']} then {match['cards']} else hand"
        yield replaced(_at(text, match, "cards"), asked)


def _if_enough(text: Span) -> Iterator[Repair]:
    """Cards of one kind to be chosen, or any where there are too few of them."""
    for x in _SUCH_CARDS.finditer(uncommented(text)):
        place = Span(text.source, text.start + x.end("margin"), text.start + x.end())
        enough = f"if number of (cards in hand of {x['who']} {x['such']}) >= {x['number']}:"
        other = f"{x['any']}{x['rest']}"
        column = " " * (text.source.position(place.start)[1] - 1)
        lines = (enough, f"    {place.text}", "else:", f"    {other}")
        what = f"ask for any cards where there are too few of that kind: `{enough}`, else `{other}`"
        yield replaced(place, f"\n{column}".join(lines), what)


def _limits(ruleset: Ruleset, blamed: Sequence[Span]) -> Iterator[Repair]:
    """Numbers of cards to choose, limited to the cards that there are, or to none at least: where findings point, then all."""
    for limit, what in (
        ("smaller({}, number of {})", "choose no more cards than there are"),
        ("larger(0, {})", "choose no fewer than 0 cards"),
    ):
        changes: dict[Span, Repair] = {}
        for node in walk(*ruleset.program.phases):
            if isinstance(node, c.ChooseCards) and (at := node.low.span).source == ruleset.own.source:
                new = limit.format(at.text, node.domain.span.text)
                if at.source.text[at.start - 1] + at.source.text[at.end] == "()":
                    at = Span(at.source, at.start - 1, at.end + 1)
                if " cards of " not in new:
                    changes[node.span] = replaced(at, new)
        for some in dict.fromkeys((*((changes[x],) for x in blamed if x in changes), (*changes.values(),))):
            if some:
                edits = tuple(edit for x in some for edit in x.edits)
                number = Counter(x.what for x in some)
                parts = [
                    x + {1: "", 2: " in both places"}.get(n, f" in {n} places") for x, n in number.items()
                ]
                yield replace(some[0], what=f"{what}: {listed(parts)}", edits=edits)


def _tie_breaks(text: Span) -> Iterator[Repair]:
    """An order that leaves ties unspecified or assumes that they are impossible."""
    for match in _ORDER.finditer(uncommented(text)):
        new = f"{match['key']}, {TIE_BREAK}"
        yield replaced(_at(text, match), new, f"add a tie-break: `{TIE_BREAK}`")


def _tie_breaks_above(ruleset: Ruleset) -> Iterator[Repair]:
    """A tie-break for a rule of the base, which the file then overrides."""
    last = list(ruleset.own.rules.values())[-1:]
    for name, rule in ruleset.whole.rules.items():
        if name in ruleset.own.rules or rule.text is None or rule.parameters or not last:
            continue
        lines = source_lines(rule.text)
        text = "\n".join(lines)
        changed = _ORDER.sub(lambda match: f"{match['key']}, {TIE_BREAK}", text)
        if changed == text or "ties" not in text:
            continue
        body = textwrap.indent(changed, "      ")
        new = f"  {name}:\n    rule: |\n{body}\n    assumes: equal players go {TIE_BREAK.removeprefix('then ')}\n"
        yield appended(last[0], new, f"add a tie-break to `{name}`: `{TIE_BREAK}`")


def _names_above(ruleset: Ruleset) -> Iterator[Repair]:
    """What the base calls the cards that somebody moves, added wherever the file's rule has the same player do so without a name."""
    for name, rule in ruleset.own.rules.items():
        above = None if ruleset.base is None else ruleset.base.whole.rules.get(name)
        if above is None or above.text is None or rule.text is None:
            continue
        named = [(_beginning(x)[:2], _NAMED.search(x)) for x in source_lines(above.text)]
        names = {(*who, found[0]) for who, found in named if found}
        for who, does, given in sorted(names):
            places = [
                _at(rule.text, x, "end")
                for x in re.finditer(r"(?m)^ *(?P<move>\S.*?)(?P<end>) *$", uncommented(rule.text))
                if _beginning(x["move"])[:2] == [who, does] and not _NAMED.search(x["move"])
            ]
            if places:
                edits = tuple((place, given) for place in places)
                yield Repair(f"name the cards as the base does: `{given[1:]}`", rule.text, "", given, edits)


def _lines_above(ruleset: Ruleset) -> Iterator[Repair]:
    """A line of the base's rule that the file's own version lacks, added or in place of one that begins in the same way."""
    for name, rule in ruleset.own.rules.items():
        above = None if ruleset.base is None else ruleset.base.whole.rules.get(name)
        if above is None or above.text is None or rule.text is None:
            continue
        lines, base_lines = rule.text.text.splitlines(), source_lines(above.text)
        own, theirs = ([line.strip() for line in some] for some in (lines, base_lines))
        for number, line in enumerate(theirs):
            if line in own or not line or line.endswith(":"):
                continue
            others = own if len(own) > 1 else ()
            alike = next((x for x in others if x not in theirs and _beginning(x) == _beginning(line)), None)
            if alike is not None and _alike(alike, line):
                continue  # a number of it is changed elsewhere
            if alike is not None and line != max(theirs, key=partial(_likeness, alike)):
                continue  # another line of the base is more like it
            if alike is not None:
                at = rule.text.start + rule.text.text.index(alike)
                place = Span(rule.text.source, at, at + len(alike))
                yield replaced(place, line, f"replace the line `{alike}` with `{line}`")
                continue
            yield from _added(number, base_lines, rule.text)


def _added(number: int, above: Sequence[str], text: Span) -> Iterator[Repair]:
    """A line of the base's rule added to the file's, also with a number near its own if other lines have other numbers."""
    place, line = _place_of(number, above, text), above[number].strip()
    if place is None:
        return
    where, around = place
    amounts, theirs = list(NUMBER.finditer(line)), [x.strip() for x in above]
    renumbered = any(_renumbered(x.strip(), theirs) for x in text.text.splitlines())
    near = nearby(amounts[0]) if renumbered and len(amounts) == 1 else ()
    for new in (line, *(NUMBER.sub(str(amount), line) for amount in near)):
        edits = ((where, around.format(new)),)
        yield Repair(f"add the line `{new}`", where, "", new, edits, guessed=new != line)


def _place_of(number: int, above: Sequence[str], text: Span) -> tuple[Span, str] | None:
    """Where a line of the base's rule belongs in the file's, and what goes there around it: before the next line of both, or last."""
    lines = text.text.splitlines(keepends=True)
    starts = [text.start + sum(map(len, lines[:i])) + margin_of(line) for i, line in enumerate(lines)]
    own = {i: line.strip() for i, line in enumerate(lines) if line.strip()}
    following = (i for x in above[number + 1 :] for i, line in own.items() if _alike(line, x.strip()))
    at, after = next(following, None), max(own)
    indent = " " * (text.source.position(starts[after if at is None else at])[1] - 1)
    if at is not None:
        return Span(text.source, starts[at], starts[at]), "{}\n" + indent
    level = [x.strip() for x in above[:number] if margin_of(x) == margin_of(above[number])]
    if len(own) == 1 or own[after].endswith(":") or not any(_alike(own[after], x) for x in level):
        return None
    end = starts[after] + len(own[after])
    return Span(text.source, end, end), "\n" + indent + "{}"


def _alike(one: str, other: str) -> bool:
    """Whether two lines are the same up to their numbers."""
    return NUMBER.sub("0", one) == NUMBER.sub("0", other)


def _renumbered(line: str, lines: Sequence[str]) -> bool:
    """Whether a line is one of some others, but for its numbers."""
    return line not in lines and any(_alike(line, x) for x in lines)


def _likeness(line: str, another: str) -> tuple[bool, float]:
    """How alike two lines are; first of all they begin in the same way."""
    common = SequenceMatcher(None, line.split(), another.split()).ratio()
    return _beginning(line) == _beginning(another), common


def _beginning(line: str) -> list[str]:
    """Who does what: the first words of a line, whatever the number."""
    return NUMBER.sub("0", line).split()[:3]


def _ties_as_above(ruleset: Ruleset) -> Iterator[Repair]:
    """The rule of the base where the file asks for the only player of several."""
    for name, rule in ruleset.own.rules.items():
        above = None if ruleset.base is None else ruleset.base.whole.rules.get(name)
        if ruleset.base is None or above is None or above.text is None or rule.text is None:
            continue
        one, otherwise = (" ".join(text.text.split()) for text in (rule.text, above.text))
        if (only := _ONLY.fullmatch(one)) is not None:
            bare = only[1].removeprefix("(").removesuffix(")")
            several = bare if "(" not in bare and ")" not in bare else only[1]
            new = f"if number of ({several}) = 1 then {one} else {otherwise}"
            when = "if several tie" if " the " in only[1] else "unless there is exactly one"
            yield replaced(stripped(rule.text), new, f"{when}, follow {ruleset.base.id}: `{new}`")


_ONLY = re.compile(r"only player in (.+)")
_AHEAD = re.compile(r"some player( [a-z][a-z0-9-]*)? has ([a-z][a-z0-9-]*) ([<>]=?) [^ ]+")
_SOMEBODY = re.compile(r"some player( [a-z][a-z0-9-]*)? has (.+)")


def _ended_is_won(ruleset: Ruleset) -> Iterator[Repair]:
    """Whoever ends the match wins it."""
    end, winner = (ruleset.whole.rules.get(name) for name in ("end", "winner"))
    if end is None or winner is None or end.text is None or winner.text is None:
        return
    somebody = _SOMEBODY.fullmatch(" ".join(end.text.text.split()))
    if somebody is None:
        return
    new = f"players{somebody[1] or ''} with {somebody[2]}"
    above = None if ruleset.base is None else ruleset.base.whole.rules.get("winner")
    texts = [text.text.split() for x in (winner, above) if x is not None and (text := x.text) is not None]
    if new.split() in texts:
        return
    what = f"let whoever ends the match win it: `{new}`"
    if "winner" in ruleset.own.rules:
        yield replaced(stripped(winner.text), new, what)
    elif "end" in ruleset.own.rules:
        rule = f"  winner:\n    rule: {new}\n    assumes: whoever ends the match wins it\n"
        yield appended(ruleset.own.rules["end"], rule, what)


def _most_wins(ruleset: Ruleset) -> Iterator[Repair]:
    """Where `winner` asks for another number than `end`: the player ahead in that of `end` wins, once it is a single one."""
    end, winner = ruleset.own.rules.get("end"), ruleset.whole.rules.get("winner")
    if end is None or winner is None or end.text is None or winner.text is None:
        return
    ahead = _AHEAD.fullmatch(" ".join(end.text.text.split()))
    if ahead is None or ahead[2] in re.findall(r"[a-z][a-z0-9-]*", winner.text.text):
        return
    wins = f"players{ahead[1] or ''} with the {'highest' if '>' in ahead[3] else 'lowest'} {ahead[2]}"
    new = f"({stripped(end.text).text}) and number of ({wins}) = 1"
    if "winner" in ruleset.own.rules:
        other: tuple[tuple[Span, str], ...] = ((stripped(winner.text), wins),)
    else:
        rule = f"  winner:\n    rule: {wins}\n    assumes: whoever is ahead at the end wins\n"
        other = appended(end, rule, "").edits
    what = f"let the player in the lead win, once there is only one: `{new}`, and `winner` is `{wins}`"
    where = stripped(end.text)
    yield Repair(what, where, where.text, new, ((where, new), *other))


def _played_on(ruleset: Ruleset) -> Iterator[Repair]:
    """The match continues until a single player is ahead; what is counted from deal to deal may be exceeded."""
    end, winner = (ruleset.whole.rules.get(name) for name in ("end", "winner"))
    if end is None or winner is None or end.text is None or winner.text is None:
        return
    counted = [name for name, info in ruleset.program.variables.items() if info.carried]
    names = "|".join(map(re.escape, counted))
    ended, won = (" ".join(text.text.split()) for text in (end.text, winner.text))
    goes_on = re.sub(rf"(?<![\w-])({names}) =(?= \d)", r"\1 >=", ended)
    if "end" in ruleset.own.rules:
        new = f"({goes_on}) and number of ({won}) = {max(map(len, ruleset.program.teams), default=1)}"
        yield replaced(stripped(end.text), new, f"play on until there is one winner: `{new}`")


def _other_words(ruleset: Ruleset, gap: Gap) -> Iterator[Repair]:
    """Replacements for a variable that is never assigned: variables of the same type that are.

    What earlier deals brought is replaced only by what they brought, too: a rule that counts something else is not
    the one that its author meant, even if all checks accept it.  The rules of the base are not the file's to change.
    """
    program = ruleset.program
    info = program.variables.get(gap.variable or "")
    name = re.match(r"[a-z][a-z0-9-]*", gap.where.text)
    own = any(x.source == gap.where.source and x.start <= gap.where.start < x.end for x in _texts(ruleset))
    if info is None or name is None or name[0] != gap.variable or not own:
        return
    assigned = program_usage(program).assigns
    where = Span(gap.where.source, gap.where.start, gap.where.start + len(name[0]))
    for other, known in program.variables.items():
        alike = (known.type, known.of, known.carried) == (info.type, info.of, info.carried)
        if alike and other in assigned and other in _RANKED:
            yield replaced(where, other)


_RANKED = ("target", "over", "score")
"""What players are ranked by before play."""


def _left_out(rule: RuleDecl) -> Repair:
    name, span = rule.name.value, rule.span
    text, lines = span.source.text, whole_lines(span)
    comma = _COMMA.match(text, span.end)
    end = span.end if comma is None else comma.end()
    if text[lines.start : span.start].strip() or not _NO_MORE.match(text, end, lines.end):
        lines = Span(span.source, span.start, end)  # another rule is on the same line
    return Repair(f"leave out your rule `{name}`", span, name, "", ((lines, ""),))


_COMMA = re.compile(r" *, *")
_NO_MORE = re.compile(r"\s*(#|$)")
