"""Fourteen faults in rules, each a house rule over a documented ruleset, and which suites find it: the peers' or ours.

A peer's suite finds a fault when it fails, or when the rules fail at run time in one of its random plays.  Ours are `check`
(something is refuted that was not), `diff` (a deal that shows the difference), the worked examples of the original,
matches recorded with the original and played again, and the test of hidden information.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any
from unittest import mock

from checker.adapters.hidden import look_for_leaks
from checker.adapters.peer_rulesets import ROOT
from checker.adapters.suites import SUITES
from trickproof.adapters.game_state import Play, terms
from trickproof.adapters.settings import ruleset_of
from trickproof.testing.worked_examples import run_example
from trickproof.validate.validation import Plan, Validation, validate
from trickproof_dsl import Library, Ruleset, apply, next_hand, render, start
from trickproof_dsl.compiled.state import State
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.faults import FAULTS as BREAKDOWNS
from trickproof_dsl.semantics.values import Value


@dataclass(frozen=True)
class Fault:
    """`rules` by name; `other` are further sections of the file."""

    name: str
    rules: dict[str, str]
    other: str = ""
    base: str = "pagat"

    def ruleset(self) -> Ruleset:
        """The base with the fault."""
        lines = ["ruleset: faulty", "title: A fault", f"extends: {self.base}", self.other, "rules:"]
        for name, text in self.rules.items():
            lines += [
                f"  {name}:",
                "    rule: |",
                *(f"      {line}" for line in text.strip("\n").splitlines()),
            ]
            lines += ["    assumes: a fault"]
        if not self.rules:
            lines.pop()
        ruleset, wrong = Library([ROOT / "rulesets"]).load_text("\n".join(lines) + "\n", "faulty.yaml")
        assert ruleset is not None, render(wrong)
        return ruleset


TRICK = """
leader plays 1 card of may-lead of leader as played of leader
led becomes followed-suit of played of leader
do others-play
leader becomes only player in trick-winner
tricks of leader becomes tricks of leader + 1
announce trick: player leader, winner leader, cards trick
put trick into tricks-taken of leader
for p in players:
    played of p becomes none
"""
"""The standard trick, into which faults are seeded."""

EXCHANGE = """
for giver in players with over GIVERS 0, highest target first, ties impossible:
    do exchange-amounts of giver
    for taker in players with over TAKERS 0, clockwise from giver:
        do exchange-returns(giver, taker)
"""

WINNER = """
if some player has suit of played = trump
then players with the highest rank of played among players with suit of played = trump
else players with the highest rank of played among players with suit of played = led
"""

FAULTS = (
    Fault("revoke: any card may be played", {"follow": "hand"}),
    Fault("the lowest card wins the trick", {"trick-winner": WINNER.replace("highest", "lowest")}),
    Fault("trumps do not beat", {"trick-winner": WINNER.strip().splitlines()[-1].removeprefix("else ")}),
    Fault("the exchange is skipped", {"exchange-timing": "do trump\ndo kitty\n"}),
    Fault(
        "the exchange goes the wrong way: who was down gives to who was up",
        {
            "exchange-order": EXCHANGE.replace("GIVERS", "<").replace("TAKERS", ">"),
            "exchange-amounts": """
for taker in players with over > 0, clockwise from giver:
    if number of (players with over < 0) = 1:
        giver gives over of taker cards of hand to taker as gift(giver, taker)
    else:
        giver gives under of giver cards of hand to taker as gift(giver, taker)
""",
        },
    ),
    Fault(
        "the same cards are returned that were given",
        {"exchange-returns": "taker returns gift(giver, taker) from hand to giver as returned(taker, giver)"},
        base="gamerules",
    ),
    Fault(
        "the player on the winner's left leads to the next trick",
        {"trick": TRICK + "leader becomes left of leader\n"},
    ),
    Fault(
        "all hands are seen by everybody",
        {},
        "zones:\n  hand: {of: player, seen-by: everyone}",
    ),
    Fault(
        "a card is left out: the first one dealt goes to the discards",
        {
            "deal": """
deal 1 card to discards
for p in players, clockwise from left of dealer:
    deal 16 cards to hand of p
deal the rest to kitty
"""
        },
    ),
    Fault(
        "each trick counts for its leader too",
        {
            "trick": TRICK.replace(
                "leader becomes only", "tricks of leader becomes tricks of leader + 1\nleader becomes only"
            )
        },
    ),
    Fault(
        "the last trick is not played",
        {
            "play": """
leader becomes lead
hand-size becomes number of hand of leader
repeat hand-size - 1 times:
    do trick
"""
        },
    ),
    Fault(
        "the player on the dealer's left names trumps",
        {"trump": "left of dealer chooses trump"},
        base="gamerules",
    ),
    Fault(
        "what a player is up is counted with the wrong sign",
        {"scoring": "for p in players:\n    over of p becomes target of p - tricks of p\n"},
    ),
    Fault("the match never ends", {"end": "some player has tricks >= 17"}),
)


# ------------------------------------------------------------------------------------- the peers' suites


class BreakdownError(AssertionError):
    """The rules fail at run time in a play by a peer's suite."""


@contextmanager
def breakdowns_raise() -> Iterator[None]:
    """Plays do not end silently when the rules fail at run time."""
    quiet = Play._ended

    def ended(play: Play, why: str) -> Play:
        if why in BREAKDOWNS:
            raise BreakdownError(why)
        return quiet(play, why)

    with mock.patch.object(Play, "_ended", ended):
        yield


def found_by_suite(suite: str, ruleset: Ruleset) -> bool:
    """Whether a peer's suite finds something, in single deals and in matches of three deals."""
    plays: dict[str, Any] = {"plays": 5} if suite == "random_sim_test" else {}
    rounds: list[dict[str, Any]] = [{}, {"match": True, "most_hands": 3}]
    try:
        with breakdowns_raise():
            for choices in rounds:
                SUITES[suite](ruleset, **choices, **plays)
    except Exception:
        return True
    return False


# ------------------------------------------------------------------------------------------------- ours


def found_by_examples(base: Ruleset, faulty: Ruleset) -> list[str]:
    """The worked examples of the original that the faulty rules contradict."""
    failing = (run_example(faulty, example, {}) for example in base.own.examples)
    sound = {
        run.name for run in (run_example(base, example, {}) for example in base.own.examples) if not run.wrong
    }
    return [run.name for run in failing if run.wrong and run.name in sound]


def recorded(ruleset: Ruleset, seed: int, hands: int) -> list[tuple[object, Value]]:
    """The decisions and choices of a random match; the end of a deal is None."""
    chance, found = Random(seed), list[tuple[object, Value]]()
    state = start(ruleset.program, Chance(seed))
    for _ in range(hands):
        while state.decision is not None:
            decision = state.decision
            found.append((asked(decision), chosen(decision, chance)))
            state = apply(state, found[-1][1])
        found.append((ended(state), None))
        if state.match_over or state.fault is not None:
            break
        state = next_hand(state)
    return found


def asked(decision: Decision) -> object:
    """The player, the decision and the legal choices."""
    return decision.player, decision.label, decision.legal, decision.low, decision.high, decision.to


def chosen(decision: Decision, chance: Random) -> Value:
    if decision.type.kind != "cards":
        value: Value = chance.choice(decision.legal)
        return value
    return frozenset(chance.sample(decision.legal, decision.high))


def ended(state: State) -> object:
    """The result of a deal."""
    told = [(e.name, e.fields) for e in state.events]
    return told, state.fault, state.match_over, state.winners


def found_by_recorded(base: Ruleset, faulty: Ruleset, matches: int = 3, hands: int = 4) -> str:
    """Where a match recorded with the original first diverges (empty: nowhere)."""
    for seed in range(matches):
        state = start(faulty.program, Chance(seed))
        for number, (situation, choice) in enumerate(recorded(base, seed, hands)):
            now = ended(state) if state.decision is None else asked(state.decision)
            if now != situation:
                return f"match {seed}, entry {number}"
            if state.decision is not None:
                state = apply(state, choice)
            elif state.fault is None and not state.match_over:
                state = next_hand(state)
    return ""


@dataclass(frozen=True)
class Result:
    """Which suites find a fault: each peer's, and ours with what they say."""

    fault: Fault
    peers: dict[str, bool]
    refuted: tuple[str, ...]
    differing: tuple[str, ...]
    examples: tuple[str, ...]
    recorded: str
    leaks: tuple[str, ...]

    @property
    def ours(self) -> bool:
        """Whether one of the verifier's own methods finds it; recorded matches do not count."""
        return bool(self.refuted or self.differing or self.examples or self.leaks)


def tried(fault: Fault, suites: tuple[str, ...] = tuple(SUITES)) -> Result:
    """All suites, run on one fault."""
    base, faulty = ruleset_of(fault.base), fault.ruleset()
    validation = validated(faulty)
    assert validation.diff is not None
    leaks = look_for_leaks(terms(faulty), base.program, seeds=range(1), moments=3, pairs=2, most=60).leaks
    return Result(
        fault,
        {suite: found_by_suite(suite, faulty) for suite in suites},
        tuple(x.check for x in validation.guarantees if x.change == "broken"),
        tuple(one.aspect for one in validation.diff.different if one.parting is not None),
        tuple(found_by_examples(base, faulty)),
        found_by_recorded(base, faulty),
        tuple(leaks),
    )


def validated(faulty: Ruleset) -> Validation:
    return validate(Library([ROOT / "rulesets"]), faulty, Plan(60, 0, 1))


Watch = Callable[[Result], None]


def markdown(results: list[Result]) -> str:
    """The table of docs/peers.md."""
    heads = ["fault", *(f"`{suite}`" for suite in SUITES), "`check` refutes", "`diff` shows", "examples", "recorded", "hidden information"]  # fmt: skip
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for r in results:
        found = ["found" if r.peers[suite] else "–" for suite in SUITES]
        lists = [" ".join(f"`{x}`" for x in names) or "–" for names in (r.refuted, r.differing)]
        rest = ["fails" if r.examples else "–", "parts" if r.recorded else "–", "leaks" if r.leaks else "–"]
        lines.append("| " + " | ".join([r.fault.name, *found, *lists, *rest]) + " |")
    counts = [str(sum(r.peers[suite] for r in results)) for suite in SUITES]
    ours = [sum(map(bool, column)) for column in zip(*[(r.refuted, r.differing, r.examples, r.recorded, r.leaks) for r in results], strict=True)]  # fmt: skip
    lines.append("| " + " | ".join([f"found, of {len(results)}", *counts, *map(str, ours)]) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(markdown([tried(fault) for fault in FAULTS]), end="")
