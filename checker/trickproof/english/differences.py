"""How two rulesets differ, as complete sentences: what differs, under which ruleset, and in which deals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from trickproof.english.inflection import listed
from trickproof.english.vocabulary import OWNED, SHARED, STEPS, plain

ALWAYS = "in every deal"
"""The condition that holds in any initial state of a deal."""

OTHER_NUMBER = "the number of players differs"
OTHER_PACK, OTHER_RANKS = "the packs contain different cards", "the cards rank in a different order"
OTHER_TEAMS = "the partnerships differ"
"""Differences that no deal is without."""


def other_values(name: str, values: Sequence[int], under: str, other: str) -> str:
    """The difference that one ruleset (`a` or `b`) allows values of a parameter that the other does not; no deal shows it."""
    some = listed(list(map(str, values)), "or")
    return f"“{plain(name)}” may be {some} under {{{under}}} but not under {{{other}}}"


def no_common_value(name: str, a: Sequence[int], b: Sequence[int]) -> str:
    """The difference that the values of a parameter that one ruleset allows are all others than those of the other; no deal shows it."""
    sides = [
        f"{listed(list(map(str, x)), 'or')}{', as agreed,' * (len(x) > 1)} under {{{side}}}"
        for x, side in ((a, "a"), (b, "b"))
    ]
    return f"“{plain(name)}” is {sides[0]} but {sides[1]}"


def other_default(name: str, a: int, b: int) -> str:
    """The difference that a parameter has another value where none is agreed; no deal shows it."""
    return f"“{plain(name)}” is {a} under {{a}} but {b} under {{b}} if nothing is agreed"


_SUBJECTS = {
    OTHER_NUMBER: OTHER_NUMBER,
    "the match ends in a only": "the match ends under {a} but not under {b}",
    "the match ends in b only": "the match ends under {b} but not under {a}",
    "the cards are thrown in in a only": "the cards are thrown in under {a} but not under {b}",
    "the cards are thrown in in b only": "the cards are thrown in under {b} but not under {a}",
    "the deal ends early in a only": "the deal ends early under {a} but not under {b}",
    "the deal ends early in b only": "the deal ends early under {b} but not under {a}",
    "the match ends earlier in a": "the match ends earlier in the deal under {a} than under {b}",
    "the match ends earlier in b": "the match ends earlier in the deal under {b} than under {a}",
    "the cards are thrown in earlier in a": "the cards are thrown in earlier in the deal under {a} than under {b}",
    "the cards are thrown in earlier in b": "the cards are thrown in earlier in the deal under {b} than under {a}",
    "the deal ends early earlier in a": "the deal ends earlier under {a} than under {b}",
    "the deal ends early earlier in b": "the deal ends earlier under {b} than under {a}",
    "who wins a trick": "the winner of a trick differs",
    "who plays next": "the player who leads or plays next differs",
    "others win": "the winners differ",
    "the rules fail at run time in a only": "a rule fails under {a} but not under {b}",
    "the rules fail at run time in b only": "a rule fails under {b} but not under {a}",
    "the rules fail at run time between hands in a only": "a rule fails between deals under {a} but not under {b}",
    "the rules fail at run time between hands in b only": "a rule fails between deals under {b} but not under {a}",
    "the next hand begins otherwise": "the next deal starts with different values",
    "other events are told": "what is announced or shown differs",
    "other cards are dealt": "different cards are dealt",
    "what happens in the play": "the play differs",
    "what is counted": "a target, count or score differs",
    "what is asked": "the player to act faces a different decision",
    "who is asked": "a different player must act",
    "which step moves cards": "cards are moved by a different step",
    "players act in another order": "the players act in a different order",
    "players act at the same time in a only": "the players act at the same time under {a} but one after another under {b}",
    "players act at the same time in b only": "the players act at the same time under {b} but one after another under {a}",
    "who is given cards": "the player who is given cards differs",
    "what may be chosen": "{a} and {b} allow different choices",
    "where cards come from": "cards come from a different place",
    "where cards go": "cards go to a different place",
    "which cards": "different cards change hands",
    "which cards are shown": "different cards are shown",
    "who is shown cards": "the player who is shown cards differs",
    "who shows cards": "the player who shows cards differs",
    "who is dealt cards": "a different player is dealt cards at some point",
    "where cards are dealt": "cards are dealt to a different place at some point",
    "what is done": "something else happens next",
    "leader differs": "a different player leads to the first trick",
}
"""Kinds of difference, as clauses."""

HOW_MANY, HOW_MANY_MAY, ANOTHER_WAY = "how many cards", "how many cards may be", "what is done"
"""Kinds of difference that name the step in which it is, in brackets, if it has a name."""

NOTHING, UNNAMED = "nothing more", "another step"
"""The next step where there is none, and where it has no name."""


def difference_clause(how: str, a: str, b: str) -> str:
    """What differs, without a condition; several items are joined."""
    parts = how.split("; ") if how not in _SUBJECTS else []
    if not parts:
        return _clause(how, a, b)
    values = [_value(match[1]) for part in parts if (match := re.fullmatch(r"(.+) differs", part))]
    differ = [f"{joined(values)} {'differs' if len(values) == 1 else 'differ'}"] if values else []
    return joined([*differ, *(_clause(part, a, b) for part in parts if not part.endswith(" differs"))])


def condition_words(when: str, a: str, b: str) -> str:
    """A condition with the names of the rulesets that it speaks of."""
    return when.replace("{a}", a).replace("{b}", b)


def difference_sentence(how: str, when: str | None, a: str, b: str) -> str:
    """`A different player must act when the player with more overtricks has the lower target.`

    Without a condition, nothing is claimed but that there are such deals.
    """
    clause, when = difference_clause(how, a, b), when and condition_words(when, a, b)
    named = clause.startswith((f"{a} ", f"{b} "))  # names of rulesets keep their small letters
    if when is not None and (how.startswith(("what comes next", "what may come next")) or named):
        given = when if when.startswith(("in ", "always")) else f"when {when}"
        return f"{given[0].upper()}{given[1:]}, {clause}."
    if when == ALWAYS:
        name = how.removesuffix(" differs")
        some = (
            f"at least one player's {OWNED[name]} differ{'s' * (name != 'tricks')}"
            if name in OWNED
            else clause
        )
        return f"In every deal {some}."
    if when is None and how not in (OTHER_NUMBER, OTHER_PACK, OTHER_RANKS, OTHER_TEAMS) and "{a}" not in how:
        return f"In some deals{',' * clause.startswith('at some point')} {clause}."
    if when is None:
        condition = ""
    elif when.startswith(("in ", "always")):
        condition = f" {when}"
    else:
        condition = f" when {when}"
    return f"{clause[0].upper()}{clause[1:]}{condition}."


def _clause(part: str, a: str, b: str) -> str:
    if part in _SUBJECTS:
        return _SUBJECTS[part].format(a=a, b=b)
    if match := re.fullmatch(r"what (?:may come|comes) next \((.+) against (.+)\)", part):
        return _next_steps(match[1], match[2], a, b)
    if match := re.fullmatch(rf"({HOW_MANY}|{HOW_MANY_MAY}|{ANOTHER_WAY}) \((.+)\)", part):
        done = _step_taken(match[2])
        another_way = match[1] == ANOTHER_WAY
        return f"{done} in a different way" if another_way else _other_number(done, match[1] == HOW_MANY_MAY)
    return part.format(a=a, b=b) if "{a}" in part else part


def _other_number(done: str, may_be: bool) -> str:
    """That another number of cards is (or may be) moved or dealt; the clause says what is done with them."""
    moved = re.sub("^cards are |^the kitty is (?=taken)", "", done)
    return (
        f"the number of cards {'that may be ' * may_be}{moved} differs"
        if moved != done
        else f"the number of cards differs when {done}"
    )


_CHOOSE = "choose "
"""The beginning of a choice of a value, whose quoted name follows."""


def _next_steps(mine: str, theirs: str, a: str, b: str) -> str:
    """`at some point the next step is to discard under one, but to take the kitty under two`."""
    if NOTHING in (mine, theirs):
        (step, under), other = ((theirs, b), a) if mine == NOTHING else ((mine, a), b)
        return f"at some point {_step_taken(step)} under {under} but not under {other}"
    if mine == UNNAMED:
        mine, theirs, a, b = theirs, mine, b, a
    return f"at some point the next step is {_step(mine)} under {a}, but {_step(theirs)} under {b}"


def _step_taken(step: str) -> str:
    """A step as a clause; what is chosen or moved may have a name of the ruleset's own."""
    if step in STEPS:
        return STEPS[step][2]
    if step == UNNAMED:
        return "something else happens"
    if step == "deal":
        return "cards are dealt"
    return (
        f"{step.removeprefix(_CHOOSE)} is chosen" if step.startswith(_CHOOSE) else f"“{plain(step)}” happens"
    )


def _step(step: str) -> str:
    """A step as an infinitive, likewise."""
    if step in STEPS:
        return f"to {STEPS[step][0]}"
    if step == UNNAMED:
        return "another one"
    if step == "deal":
        return "to deal cards"
    return f"to {step}" if step.startswith(_CHOOSE) else f"“{plain(step)}”"


def _value(name: str) -> str:
    """A variable as the subject of `differs`; one that the ruleset itself declares is quoted."""
    if name == "tricks":
        return "the number of tricks"
    known = SHARED.get(name) or (f"the {OWNED[name]}" if name in OWNED else "")
    return known or ("the next dealer" if name == "next dealer" else f"“{plain(name)}”")


EMPHASIS = "\x02"
"""Stands before and after words that are emphasised."""

MARKED, ALIKE = 12, 0.75
"""Two texts are compared word by word if each has that many words and they have that much in common."""


def word_by_word(a: str, b: str) -> tuple[str, str]:
    """Two long texts with the words emphasised in which they differ, if these are few."""
    words = a.split(), b.split()
    match = SequenceMatcher(None, *words, autojunk=False)
    if min(map(len, words)) < MARKED or match.ratio() < ALIKE:
        return a, b
    parts: tuple[list[str], list[str]] = [], []
    for tag, i, k, j, m in match.get_opcodes():
        for side, some in zip(parts, (words[0][i:k], words[1][j:m]), strict=True):
            text = " ".join(some)
            if some:
                word = text.rstrip(".,;:") or text
                side.append(text if tag == "equal" else f"{EMPHASIS}{word}{EMPHASIS}{text[len(word) :]}")
    return " ".join(parts[0]), " ".join(parts[1])


def joined(parts: Sequence[str]) -> str:
    """Clauses or conditions joined into one: `x, y and z`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
