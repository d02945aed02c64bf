"""The values that thrown-in deals can leave, starting from known ones: for example how often a deal was thrown in.

Explores the graph of values from those that a deal begins with when none has been thrown in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import Answer
from trickproof.proofs.smt.symbolic_values import Cases, Members, Symbol
from trickproof.proofs.symbolic.expressions import GapError, NotEncodedError
from trickproof.proofs.symbolic.hand_summary import PlayOutcome, Settlement, settlements
from trickproof.testing.subject import Subject
from trickproof_dsl.semantics.values import Key, Value

MOST_VALUES = 4
"""Maximum number of distinct values."""

Values = Mapping[Key, Value]


def redealt_values(subject: Subject, begun: Mapping[Key, Symbol]) -> list[Values] | None:
    """What some values can be after deals were thrown in, current ones first; None if they are unknown or too many."""
    known = {key: value for key, value in begun.items() if value is None or isinstance(value, int)}
    if not known or len(known) < len(begun):
        return None
    return subject.once(
        (redealt_values, tuple(sorted(known.items(), key=str))), lambda: _redealt_values(subject, known)
    )


def _redealt_values(subject: Subject, begun: Values) -> list[Values] | None:
    try:
        settled = settlements(subject, PlayOutcome.UNKNOWN)
    except (NotEncodedError, GapError):
        return None
    reached: list[Values] = [begun]
    for values in reached:
        for settlement in settled:
            following = _following(settlement, values)
            if following is None:
                return None
            reached += [x for x in following if x not in reached]
            if len(reached) > MOST_VALUES:
                return None
    return reached


def _following(settlement: Settlement, values: Values) -> list[Values] | None:
    """The values after one deal that is thrown in."""
    assert settlement.redeals is not None
    begin, _, facts = settlement.unknown(None)
    state = settlement.environment({**begin, **values}, "redealt")
    try:
        when, carried_on = settlement.redeals.carried_on(state)
    except (NotEncodedError, GapError):
        return None
    symbols = {key: carried_on[key] for key in values}
    if any(x is y.OPAQUE or isinstance(x, Members) for x in symbols.values()):
        return None
    questions = settlement.solver()
    questions.add(*facts, *state.facts, when)
    following: list[Values] = []
    while (answer := questions.possible()) is Answer.YES and len(following) <= MOST_VALUES:
        if not questions.model():
            return None
        one = {key: questions.concrete(x) for key, x in symbols.items()}
        following.append(one)
        questions.add(y.neg(y.conj(*_each(symbols, one))))
    return following if answer is Answer.NO else None


def _each(symbols: Mapping[Key, Symbol], values: Values) -> Iterator[y.Bool]:
    for key, symbol in symbols.items():
        value = values[key]
        assert not isinstance(value, frozenset)
        yield y.same(symbol, value) if isinstance(symbol, Cases) else y.equal(symbol, value)
