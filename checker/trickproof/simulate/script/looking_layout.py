"""Where `looking.py` finds what it reads and writes: its arrays, and how the record of a ruleset is told to it."""

from __future__ import annotations

from array import array

from trickproof.analysis.observable_program import REVEALED, SHOWN, SHUFFLED
from trickproof.information.record import (
    PLAYER,
    RecordForm,
    Site,
)
from trickproof.simulate.backends.jit import address_of
from trickproof.simulate.script.machine import ScriptMachine
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import DECK

PROBE = ("params", "io", "answers", "script")
"""The arrays of the routine that follows scripts (`program`)."""

FORM, WORDS, STATE, TOLD, PARAMS, IO, ANSWERS, SCRIPT = OUTER = (
    "form",
    "words",
    "state",
    "told",
    *PROBE,
)
"""The arrays: how to read the record; the record itself between words for probes and a word that is 0; the player's copy of it; what is kept
from one call to the next; the results of probes; and what is told.
"""

FIRST, DECK_ZONE, ALL_CARDS, ZONES, SEATS, ASKED, SITES = range(7)
"""The form begins with the position of the first item, the number of the deck among the zones, all cards, the numbers of zones and of
players, the address of the routine that probes, and the position of the rows of sites; then for each zone who sees into it, the rows, and lists.
"""

KIND, SIZE, AT_ONCE, CHOSEN_BY, BY, CARDS, TO, SOURCE, TARGET, PROBED, KEPT, ROW = range(12)
"""A site: its kind and size, whether it is at once, the site of the choice of its cards, and the offsets of the player (0: none), the
cards and the players to whom they are shown; the lists for source and target of a movement; the first of the zones on which it depends
what could be chosen (-1: no probe), or whether to probe a movement or show; and the list of the choices on which that depends too.
The list for the source of a show, or of a choice, is for the zone in which the cards lie (0: not known).

The list for a zone: the first of its zones, and the number of owners, each with its offset and factor.  That of choices: their number, and sites.
"""

OTHER, MOVEMENT, SHUFFLE, REVEAL, SHOW, VALUE, CHANCE, CHOICE, BLIND = range(9)
"""Kinds of sites: announcements, choices of a value, and from `CHANCE` on choices of cards."""

(
    VIEWER,
    END,
    LENGTH,
    LEFT,
    SEEN,
    AGAIN,
    KNOWN,
    MOVES,
    NEXT,
    BEGUN,
    BY_RULES,
    SINCE,
    ARRIVED,
    WAYS,
    MOVES_AT,
) = range(15)
"""The state begins with the player, the end of the complete items of the record and of the script; how the routine ended; how far
the record was seen, whether knowledge must begin again, and how far it goes; the number of
hidden movements, of those known, and of those before the last shuffle; of those since, the mask of those whose cards the rules single out from a
zone, and how many there were when choices were last revealed; the cards that have moved visibly since, which were
not among those chosen; and the number of ways.

Then come the hidden movements, the ways, the number of cards in each zone, and where the cards of the latest choice at
a site are a hole, if they are (for simultaneous ones, of each player).
"""

FROM, INTO, NUMBER, HOLE_ONE, HOLE_TWO, FORCED, MOVE = range(7)
"""A hidden movement: its zones, the number of its cards, the positions of the holes that have them (equal if there is only one), and whether
nobody chose them: the rules determine them, or the whole zone moves.
"""

AT, THROUGH, THERE, WAY = range(4)
"""A way: its zone, the mask of hidden movements, and the cards that may have taken it."""

MOST_MOVES, MOST_MASKED, MOST_WAYS, MOST_CLASS_WAYS = 256, 62, 512, 200
"""Maximum number of hidden movements in all and since a shuffle, and of ways in all and of a card."""

WAYS_AT = MOVES_AT + MOST_MOVES * MOVE
SIZES_AT = WAYS_AT + MOST_WAYS * WAY

CLASSES, KEY_END, CLASSES_AT, KEY_AT = 0, 1, 2, 66
"""What is told: the number of classes of cards with the same ways, and where the key ends; the cards of each class; and the key, all that does not depend on
the cards: the hidden movements singled out by the rules, and the number of hidden movements, with the zones of each; and for every class
the number of its ways, with the hidden movements of each.
"""

TOO_MANY = 1
"""How the routine ended, if there are too many ways."""

CUT, MASK = "cut", "mask"
"""The array of the cards that leave each way; the masks of hidden movements of all ways, ascending, for which `CUT` then has the cards."""


def told_words() -> array[int]:
    """The array for what is told."""
    room = 2 + 2 * MOST_MASKED + 64 * (MOST_CLASS_WAYS + 1) + MOST_WAYS
    return array("q", bytes(8 * (KEY_AT + room)))


def form_words(form: RecordForm, deck: int, machine: ScriptMachine) -> array[int]:
    """How to read records; `deck` is the mask of all cards."""
    number = {zone: i for i, zone in enumerate(form.zones)}
    players = form.program.players
    rows_at = SITES + 1 + len(number)
    words = [form.first, number[DECK,], deck, len(number), players, address_of(machine.run), rows_at]
    words += [sum(1 << p for p in range(players) if form.sees(p, zone)) for zone in form.zones]
    lists: list[int] = []

    def listed(*more: int) -> int:
        lists.extend(more)
        return rows_at + ROW * len(form.sites) + len(lists) - len(more)

    def place(name: str, offsets: tuple[int, ...]) -> int:
        places, owners = range(len(offsets)), list[int]()
        first = number[(name, *[0 for _ in places])]
        for i, offset in enumerate(offsets):
            second = number.get((name, *[int(j == i) for j in places]), first)
            owners += (offset, second - first)
        return listed(first, len(offsets), *owners)

    for site in form.sites:
        node, by, cards, to, source, target, probed, kept = site.node, 0, 0, 0, 0, 0, -1, 0
        kind, at_once = _kind(site), site.at_once
        if site.moves:
            name, sources, into, targets, by, cards, at_once = site.moving
            source, target = place(name, sources), place(into, targets)
        elif kind == SHOW:
            by, to, cards = (site.word(key) for key in ("player", "to", "cards"))
        elif not isinstance(node, c.Announce):
            by, cards = PLAYER, site.chosen
            zone = form.decided_by(node) if isinstance(node, c.ChooseCards) else None
            probed = -1 if zone is None else number[zone, 0]
        if site.lie_in is not None:
            source = place(*site.lie_in)
        if site.moved_from is not None:
            probed, kept = 0, listed(len(site.kept_from), *site.kept_from)
        words += (kind, site.size, at_once, site.chosen_by, by, cards, to, source, target, probed, kept)
    return array("q", words + lists)


def state_words(form: RecordForm, viewer: int) -> array[int]:
    """The state at the beginning of a hand."""
    size = SIZES_AT + len(form.zones) + len(form.sites) * (form.program.players + 1)
    words = array("q", bytes(8 * size))
    words[VIEWER], words[SEEN], words[AGAIN] = viewer, form.first, 1
    return words


def _kind(site: Site) -> int:
    if site.event:
        events = {SHUFFLED: SHUFFLE, REVEALED: REVEAL, SHOWN: SHOW}
        return MOVEMENT if site.moves else events.get(site.event, OTHER)
    if not isinstance(site.node, c.ChooseCards):
        return VALUE
    return CHANCE if site.chance else BLIND if site.node.blind else CHOICE
