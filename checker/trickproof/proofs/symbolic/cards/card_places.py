"""Where each card lies when the play of a deal is over: an unknown partition of the deck among the zones.

Cards are in exactly one zone at any time (`semantics/`), so this allows whatever can happen. Which zones are
`bare` then is shown of every deal (`hands/grounds.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import z3

from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Members, Number
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import Key, zone_keys


@dataclass(frozen=True, slots=True)
class Places:
    """The cards in each zone. `numbers` holds, by the id of the condition that a card lies in a zone, the card and 1 or 0."""

    zones: Mapping[Key, Members]
    numbers: Mapping[int, tuple[int, z3.ArithRef]]

    def counted(self, when: Bool, value: Number) -> Number:
        """The value if the condition holds, else 0: a linear term if the condition is that a card lies in one of some zones."""
        places = set[int]() if isinstance(when, bool) else _alternatives(when)
        known = [self.numbers[place] for place in sorted(places & self.numbers.keys())]
        if (
            len(known) < len(places)
            or len({card for card, _ in known}) != 1
            or isinstance(value, z3.BitVecRef)
        ):
            return y.number(when, value)
        product = y.times(value, y.total(number for _, number in known))
        return y.number(when, value) if product is None else product


def _alternatives(when: z3.BoolRef) -> set[int]:
    """The ids of the disjuncts of a condition."""
    if not z3.is_or(when):
        return {when.get_id()}
    return set[int]().union(*map(_alternatives, when.children()))


def unknown_places(
    program: c.Program, tag: str, bare: Collection[str], stopped: Bool, facts: list[Bool]
) -> Places:
    """Any partition of the deck in which the `bare` zones are empty, unless the deal has `stopped` before its play was over."""
    width = len(program.deck.cards)
    numbers: dict[int, tuple[int, z3.ArithRef]] = {}
    zones: dict[Key, Members] = {}
    of_cards: list[list[z3.ArithRef]] = [[] for _ in range(width)]
    for key in dict.fromkeys(zone_keys(program)):
        there: list[tuple[int, Bool]] = []
        for card in range(width if key[0] not in bare or stopped is not False else 0):
            number = z3.Int(".".join((tag, "lies", *map(str, key), str(card))))
            facts.append(number >= 0)
            if key[0] in bare:
                facts.append(y.disj(stopped, number == 0))
            lies = number == 1
            numbers[lies.get_id()] = card, number
            there.append((card, lies))
            of_cards[card].append(number)
        zones[key] = Members(tuple(there))
    facts += [y.compare("=", y.total(somewhere), 1) for somewhere in of_cards]
    return Places(zones, numbers)
