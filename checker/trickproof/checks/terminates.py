"""`terminates`: the match ends.

There are three answers. *Surely*: every match is over within a stated number of deals, whatever the cards and
the choices. *Almost surely*: players who cooperate could go on forever, but if every legal choice is made
with positive probability the match ends with probability 1. *May never end*: a match can reach a score from
which no play ends it. It fails, for example, with

    end: {rule: first-hand and some player has tricks >= 12}

*Surely* is shown by enumerating all matches of a few deals, by a number that grows with every deal and is
bounded until the end, or by enumerating the carried values that the end depends on, if they are few. *Almost
surely* is shown as for `end-always-reachable`: from every score, some play ends the match within the same
number of deals, and for each division of the tricks used for that, a deal was found and played from every
state in which a deal can begin. With `-vv`, the deals that players could repeat forever are shown. How long
matches take depends on how they are played: `trickproof simulate` measures it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.english.inflection import counted, listed
from trickproof.proofs import kernel
from trickproof.proofs.hands.check import Check
from trickproof.proofs.kernel import Form
from trickproof.proofs.matches.always_reachable import (
    Dead,
    Eventually,
    Never,
    Open,
    Within,
    always_reachable,
)
from trickproof.proofs.matches.counterexample import goes_on, made_of_cards, never
from trickproof.proofs.matches.counterexample_text import history
from trickproof.proofs.matches.ending_faults import unless_ending_fails
from trickproof.proofs.matches.explicit_verdicts import ALMOST
from trickproof.proofs.matches.lasso import drift, lasso
from trickproof.proofs.matches.strategies import SHOWN
from trickproof.proofs.matches.termination import Surely, surely
from trickproof.proofs.matches.verdicts import FAULTLESS, WAYS, decide, settled
from trickproof.proofs.model_checking.bounded_model_checking import Trace
from trickproof.proofs.model_checking.case_split import Case
from trickproof.proofs.symbolic.hand_summary import Settlement
from trickproof.testing.subject import Subject


def _case(settlement: Settlement) -> Case:
    shown = surely(settlement)
    if shown is None:
        return unless_ending_fails(_almost_surely(settlement), settlement)
    return unless_ending_fails(_surely(shown), settlement)


def _surely(shown: Surely) -> Case:
    return Case(shown.theorem, shown.method, shown.message, shown.deals, termination="surely")


def _almost_surely(settlement: Settlement) -> Case:
    answer = always_reachable(settlement)
    match answer:
        case Within():
            within = f"from every score some play ends the match within {counted(answer.hands, 'deal')}"
            method = Method.INDUCTION if answer.carried else Method.SMT
            details = (within, SHOWN)
            return Case(
                answer.theorem, method, ALMOST, answer.hands, details=details, termination="almost-surely"
            )
        case Never():
            return never(answer, "the match never ends, as no play ends it")
        case Dead():
            after = counted(answer.way.hands, "deal")
            message = f"the match may never end: after {after} a state can arise from which no play ends it"
            ways = iter([answer.way])
            form, hands = Form.RUN_AND_THEOREM, answer.way.hands
            return Case(form, Method.INDUCTION, message, hands, ways, goes_on, theorem=answer.theorem)
        case Eventually():
            why = "from every score some play ends the match, but no bound on the number of deals is known"
        case Open(hands=0):
            why = answer.why
        case Open():
            why = (
                f"some play ends the match from every score that is reached within {answer.hands} deals, "
                "but beyond that it is not known"
            )
    return Case(Verdict.UNDECIDED, Method.BOUNDED, f"{why}", getattr(answer, "hands", 0))


def _loops(settlement: Settlement) -> Iterator[Trace]:
    """Matches whose last deals can be repeated forever."""
    if surely(settlement) is not None:
        return
    found = False
    for way in lasso(settlement):
        if isinstance(way, Trace):
            found = True
            yield way
    drifting = None if found else drift(settlement)
    if drifting is not None:
        yield drifting


def _with_loop(finding: Finding, subject: Subject) -> Finding:
    """The finding with a concrete match that the players could prolong forever, if one is found."""
    for settlement in settled(subject):
        for way in islice(_loops(settlement), WAYS):
            match = made_of_cards(way, goes_on)
            if match is not None and way.loop_from is not None:
                return replace(
                    finding,
                    witness=match.hands[-1],
                    match=match.hands,
                    loop_from=way.loop_from,
                    details=(*finding.details, _repeated(way), *history(way)),
                )
    return finding


def _repeated(way: Trace) -> str:
    """How the players could prolong a match."""
    assert way.loop_from is not None
    first, last = way.loop_from + 1, way.hands
    which = f"deals {first} to {last}" if first < last else f"deal {first}"
    but = ", except for " + listed([f"`{name}`" for name in sorted(way.drifting)]) if way.drifting else ""
    return (
        f"players who cooperate can repeat {which} forever: the state after deal {last} "
        f"equals the state before deal {first}{but}"
    )


def _run(check: Check, subject: Subject) -> Finding:
    finding = decide(check, subject, _case)
    if not subject.usage.ends and finding.verdict is Verdict.UNDECIDED:
        never = kernel.refuted(check.name, Form.STATIC)
        return subject.finding(check, never, Method.STATIC, "the match never ends, as no rule ends it")
    if finding.termination == "almost-surely":
        return _with_loop(finding, subject)
    return finding


CHECK = Check("terminates", ("end",), run=_run, rests_on=FAULTLESS)
