"""What is taken for granted about every deal when carried values are reckoned from it: one joint induction over deals.

That a deal begins with what the deal before can have led to rests on how that one was divided into tricks, and on how many
these were (`PlayOutcome`).  Both are obligations of the same proof: if no deal that begins so can break them, they hold in
every deal of every match, by induction over deals.  If one can be broken, less is taken for granted, and all is put again.
"""

from __future__ import annotations

from collections.abc import Iterator

from trickproof.analysis.usage import usage_of
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Int
from trickproof.proofs.symbolic.claims import Claims, SymbolicHand
from trickproof.proofs.symbolic.courses import unlisted
from trickproof.proofs.symbolic.hand_summary import PlayOutcome
from trickproof.proofs.symbolic.path_state import Obligation
from trickproof.testing.hand_constants import HandFacts, Varies, says_size, sizes_of
from trickproof.testing.play_courses import courses_of
from trickproof.testing.subject import Subject
from trickproof_dsl import core as c

TRICKS = "tricks of a deal"
"""What these obligations are claims of; no check has this name."""

Sizes = list[HandFacts] | Varies | None


class Grounds:
    """The obligations that one `PlayOutcome` rests on, as claims about a symbolic hand."""

    def __init__(self, subject: Subject, outcome: PlayOutcome) -> None:
        self.program, self.outcome = subject.program, outcome
        self.sizes: Sizes = sizes_of(subject) if outcome.known_size else None
        self.said = says_size(subject)
        """Else no rule reads or sets the variable, which may then stand for the number of tricks."""
        self.courses = courses_of(subject) if outcome is PlayOutcome.LISTED else None

    @property
    def possible(self) -> bool:
        """Whether it is worth trying: for a known size there must be one, and the dealer must stay the dealer."""
        if self.outcome is PlayOutcome.UNKNOWN:
            return True
        tricks = self.program.variables.get("tricks")
        if tricks is None or tricks.of != (c.PLAYER,) or tricks.type != c.INTEGER:
            return False
        if self.outcome is PlayOutcome.LISTED and self.courses is None:
            return False
        return not isinstance(self.sizes, Varies) and "dealer" not in usage_of(self.program.hand).assigns

    def besides(self, claims: Claims) -> Claims:
        """These claims after some others."""
        return lambda hand, moment: [*claims(hand, moment), *self.claims(hand, moment)]

    def claims(self, hand: SymbolicHand, moment: str) -> Iterator[Obligation]:
        """That the tricks are as many as is taken for granted."""
        if self.outcome is PlayOutcome.UNKNOWN or moment not in ("play-starts", "play-ends"):
            return
        here, size = ("hand-size",), hand.variables[("hand-size",)]
        if isinstance(self.sizes, list):
            known = _size(hand, self.sizes)
            wrong = hand.claim(TRICKS, y.compare("!=", size, known) if self.said else False)
            yield Obligation(wrong.counts, wrong.bits, wrong.span, check=TRICKS, establishes=(here, known))
            size = known
        if moment == "play-ends":
            tricks = [hand.variables[("tricks", p)] for p in range(hand.program.players)]
            other = "!=" if self.outcome.all_taken else ">"
            yield hand.claim(TRICKS, y.compare(other, y.total(tricks), size))
            yield hand.claim(TRICKS, y.disj(*(y.compare("<", x, 0) for x in tricks)))
            for course in () if self.courses is None else self.courses.each:
                yield hand.claim(TRICKS, unlisted(hand.encoder, hand.variables, course))


def _size(hand: SymbolicHand, sizes: list[HandFacts]) -> Int:
    """The tricks of a hand by who deals it; parameters and readings are decided as far as they matter to that."""
    left = sizes
    for name in sorted(sizes[0].parameters):
        if not _is_plain(left):
            left = [facts for facts in left if facts.parameters[name] == hand.state.parameters[name]]
    for rule in sorted(sizes[0].readings):
        if not _is_plain(left):
            left = [facts for facts in left if facts.readings[rule] == hand.state.readings[rule]]
    size: Int = left[0].size
    if len({facts.size for facts in left}) > 1:
        for dealer, when in y.cases(hand.variables[("dealer",)]).of:
            for facts in left:
                size = y.choose(when, facts.size, size) if facts.dealer == dealer else size
    return size


def _is_plain(facts_of_hands: list[HandFacts]) -> bool:
    """Whether who deals says how many tricks there are."""
    return len({(facts.dealer, facts.size) for facts in facts_of_hands}) == len(
        {facts.dealer for facts in facts_of_hands}
    )
