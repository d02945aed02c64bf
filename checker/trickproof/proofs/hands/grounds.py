"""What is assumed about every deal when carried values are computed from it: one joint induction over deals.

The claim that a deal begins with a possible result of the previous one depends on how the tricks of that one
were divided and how many there were (`PlayOutcome`). Both are obligations of the same proof: if no deal with
such a beginning can violate them, they hold in every deal of every match, by induction. If one can be
violated, less is assumed and the proof is repeated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from trickproof.analysis.dependencies import first_part
from trickproof.analysis.usage import usage_of
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Int
from trickproof.proofs.symbolic.claims import Claims, SymbolicHand
from trickproof.proofs.symbolic.courses import unlisted
from trickproof.proofs.symbolic.hand_summary import PlayOutcome
from trickproof.proofs.symbolic.path_state import Obligation
from trickproof.testing.hand_constants import HandFacts, Varies, few_sizes, says_size, sizes_of
from trickproof.testing.play_courses import courses_of
from trickproof.testing.subject import Subject
from trickproof_dsl import core as c

TRICKS = "tricks of a deal"
"""The claim name of these obligations; no check has this name."""

MOST_SIZES = 4
"""Maximum number of different numbers of tricks that deals have."""

Sizes = list[HandFacts] | Varies | None


class Grounds:
    """The obligations that one `PlayOutcome` depends on, as claims about a symbolic deal."""

    def __init__(self, subject: Subject, outcome: PlayOutcome, bare: Collection[str] = ()) -> None:
        self.program, self.outcome, self.bare = subject.program, outcome, bare
        self.sizes: Sizes = sizes_of(subject) if outcome.known_size else None
        self.few = few_sizes(subject) if outcome is PlayOutcome.SOME_SIZE else set()
        self.said = says_size(subject)
        """Otherwise no rule reads or sets the variable, and it may stand for the number of tricks."""
        self.courses = courses_of(subject) if outcome is PlayOutcome.LISTED else None

    @property
    def possible(self) -> bool:
        """Whether the outcome is worth trying: a known size must exist, and the dealer must not change during the deal."""
        if self.outcome is PlayOutcome.UNKNOWN:
            return True
        tricks = self.program.variables.get("tricks")
        if tricks is None or tricks.of != (c.PLAYER,) or tricks.type != c.INTEGER:
            return False
        if self.outcome is PlayOutcome.LISTED and self.courses is None:
            return False
        if self.outcome is PlayOutcome.SOME_SIZE:
            return 0 < len(self.few) <= MOST_SIZES
        return (
            not isinstance(self.sizes, Varies) and "dealer" not in usage_of(first_part(self.program)).assigns
        )

    def besides(self, claims: Claims) -> Claims:
        """These claims, appended to others."""
        return lambda hand, moment: [*claims(hand, moment), *self.claims(hand, moment)]

    def claims(self, hand: SymbolicHand, moment: str) -> Iterator[Obligation]:
        """That the number of tricks is as assumed, and that the `bare` zones are empty after the play."""
        if self.outcome is PlayOutcome.UNKNOWN or moment not in ("play-starts", "play-ends"):
            return
        here, size = ("hand-size",), hand.variables[("hand-size",)]
        if isinstance(self.sizes, list):
            known = _size(hand, self.sizes)
            if known is None:
                yield hand.claim(TRICKS, True)
                return
            wrong = hand.claim(TRICKS, y.compare("!=", size, known) if self.said else False)
            yield replace(wrong, check=TRICKS, establishes=(here, known))
            size = known
        if self.few and moment == "play-starts":
            yield hand.claim(TRICKS, y.conj(*(y.compare("!=", size, few) for few in sorted(self.few))))
        if moment == "play-ends":
            tricks = [hand.variables[("tricks", p)] for p in range(hand.program.players)]
            other = "!=" if self.outcome.all_taken else ">"
            yield hand.claim(TRICKS, y.compare(other, y.total(tricks), size))
            yield hand.claim(TRICKS, y.disj(*(y.compare("<", x, 0) for x in tricks)))
            for course in () if self.courses is None else self.courses.each:
                yield hand.claim(TRICKS, unlisted(hand.encoder, hand.variables, course))
            for key, cards in sorted(hand.zones.items()):
                if key[0] in self.bare:
                    wrong = hand.claim(
                        TRICKS, y.compare(">", hand.world.size(cards), 0), hand.world.some(cards)
                    )
                    yield replace(wrong, label=key[0])


def _size(hand: SymbolicHand, sizes: list[HandFacts]) -> Int | None:
    """The number of tricks by dealer, deciding parameters and readings only as far as they matter; None if no deal was found."""
    left = sizes
    for name in sorted(sizes[0].parameters):
        if not _is_plain(left):
            left = [facts for facts in left if facts.parameters[name] == hand.state.parameters[name]]
    for rule in sorted(sizes[0].readings):
        if not _is_plain(left):
            left = [facts for facts in left if facts.readings[rule] == hand.state.readings[rule]]
    if not left:
        return None
    size: Int = left[0].size
    if len({facts.size for facts in left}) > 1:
        for dealer, when in y.cases(hand.variables[("dealer",)]).of:
            for facts in left:
                size = y.choose(when, facts.size, size) if facts.dealer == dealer else size
    return size


def _is_plain(facts_of_hands: list[HandFacts]) -> bool:
    """Whether the dealer alone determines the number of tricks."""
    return len({(facts.dealer, facts.size) for facts in facts_of_hands}) == len(
        {facts.dealer for facts in facts_of_hands}
    )
