"""The answers of `diff` agree with play: deals never contradict *same*, and witnesses show differences.

Law: if a rule is the same, grafting it from the other ruleset changes nothing in any deal; if it differs, its
scenario replays to different results. Rewordings are the same; slips of the pen are detected.
"""

from __future__ import annotations

from random import Random

import pytest

from agreement.reworded import house, reworded, rules, slipped
from budget import RUN, blocks, count
from checker.rulesets_for_tests import SESSION, documented, house as house_text
from trickproof.checking.engines import State, run
from trickproof.checking.played_hand import HandPlayed, first_hand, following_hand
from trickproof.diff.graft import Graft, ShapeError
from trickproof.diff.results import SAME_TEXT, UNREACHED, Compared
from trickproof.diff.rule_dependencies import Texts
from trickproof.diff.rule_diff import Comparison
from trickproof.diff.ruleset_diff import Diff, compare
from trickproof.diff.side import Side
from trickproof.english.vocabulary import ASPECTS
from trickproof.testing.random_play import pick
from trickproof_dsl import core as c
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.replay import replay_scenario
from trickproof_dsl.semantics.chance import Chance

BASES = ("pagat", "six-over", "trumpet-major", "gamerules", "tallyn", "nine-five-two")


def looks(hand: HandPlayed) -> tuple[object, ...]:
    """What is visible of a deal."""
    state = hand.state
    d = state.decision
    asked = None if d is None else (d.player, d.label, d.legal, d.low, d.high, d.to)
    zones = {key: frozenset(cards) for key, cards in state.zones.items()}
    return asked, state.events, zones, state.match_over, state.winners, state.fault is None


def contradiction(one: c.Program, other: c.Program, hands: int, seed: int) -> str | None:
    """Where two programs diverge in matches with the same deals and choices, or None."""
    rng = Random(f"{seed} hands")
    pair: list[HandPlayed] = []
    for number in range(hands):
        if not pair:
            values = {name: rng.choice(allowed) for name, allowed in sorted(one.parameters.items())}
            readings = {rule: rng.randrange(len(names)) for rule, names in sorted(one.readings.items())}
            dealer = {("dealer",): rng.randrange(one.players)}
            mine = first_hand(one, Chance(seed + number), values, readings, dealer)
            pair = [mine, _dealt_alike(mine, first_hand(other, Chance(), values, readings, dealer))]
        while looks(pair[0]) == looks(pair[1]) and (decision := pair[0].state.decision) is not None:
            choice = pick(decision, rng, most=number % 2 == 0)
            pair = [hand.choose(choice) for hand in pair]
        if looks(pair[0]) != looks(pair[1]):
            return f"hand {number}: {looks(pair[0])} against {looks(pair[1])}"
        if pair[0].state.fault or pair[0].state.match_over:
            pair = []
            continue
        after = [following_hand(hand.state) for hand in pair]
        if any(isinstance(x, State) for x in after):
            pair = []
            continue
        mine, theirs = (x for x in after if isinstance(x, HandPlayed))
        if mine.begin.variables != theirs.begin.variables:
            return f"hand {number + 1} begins otherwise"
        pair = [mine, _dealt_alike(mine, theirs)]
    return None


def _dealt_alike(mine: HandPlayed, theirs: HandPlayed) -> HandPlayed:
    """The second deal with the first one's cards in every zone, in whatever order it deals them."""
    begin = theirs.begin.but(chance=Chance(given=mine.state.chance.dealt))
    return HandPlayed(begin, run(begin, begin.program.hand))


def grafted(a: Ruleset, b: Ruleset, rule: str) -> list[tuple[c.Program, c.Program]]:
    """Each ruleset unchanged, and with the other's rule."""
    comparison = Comparison(Side(Texts(a), SESSION), Side(Texts(b), SESSION))
    found: list[tuple[c.Program, c.Program]] = []
    for host, donor in ((comparison.a.texts, comparison.b.texts), (comparison.b.texts, comparison.a.texts)):
        graft = Graft(host, donor, rule, comparison.muted_beside(rule))
        found.append((graft.own.program, graft.taken.program))
    return found


def shown(diff: Diff, one: Compared) -> None:
    """Check that every witness replays under both to the recorded answers, and that these differ."""
    assert one.parting is not None, one
    for way in one.ways:
        assert way.parting is not None
        told = way.parting.answers
        for ruleset, answer in ((diff.a, told.a), (diff.b, told.b)):
            again = replay_scenario(ruleset, {**told.scenario, "ruleset": ruleset.named})
            assert again == {key: answer[key] for key in again}
        assert told.a["ok"] or told.b["ok"]
        assert told.a != {**told.b, "ruleset": diff.a.id} or told.later is not None


def agree(a: Ruleset, b: Ruleset, hands: int, seed: int) -> Diff:
    """The law, for one pair."""
    diff = compare(a, b, session=SESSION)
    for one in diff.every:
        if one.status == "different":
            shown(diff, one)
        elif one.status == "same" and one.aspect in ASPECTS[2:] and one.why != UNREACHED:
            if one.why == SAME_TEXT:
                continue
            for own, taken in grafted(a, b, one.aspect):
                assert contradiction(own, taken, hands, seed) is None, one.aspect
    if all(one.status == "same" for one in diff.every):
        assert contradiction(a.program, b.program, hands, seed) is None
    return diff


def random_pairs(number: int, hands: int, seed: int) -> dict[str, int]:
    """The law for slips of the pen; returns the number of aspects per status."""
    counts: dict[str, int] = {}
    rng = Random(seed)
    while number > 0:
        base = rng.choice(BASES)
        changed = slipped(base, rng, rng.randint(1, 2))
        if changed is None:
            continue
        number -= 1
        for one in agree(documented(base), changed, hands, number).every:
            counts[one.status] = counts.get(one.status, 0) + 1
    return counts


@RUN
@pytest.mark.grows("agreement.slips")
@pytest.mark.parametrize("block", blocks("agreement.slips", 25), ids=lambda block: f"{block[0]}-{block[-1]}")
def test_slips_of_the_pen(block: range) -> None:
    counts = random_pairs(len(block), 25 if len(block) > 10 else 12, seed=block[0] + 1)
    assert counts["different"] >= len(block) // 2
    assert counts.get("undecided", 0) <= counts["different"] // 4


@pytest.mark.grows("agreement.reworded")
def test_rewordings_are_the_same() -> None:
    rng, seen = Random(3), 0
    while seen < min(4, count("agreement.reworded")):
        base = rng.choice(BASES[:3])
        changed = reworded(base, rng)
        if changed is None:
            continue
        seen += 1
        diff = agree(documented(base), changed, 8, seen)
        assert {one.aspect for one in diff.every if one.status != "same"} == set(), changed.own.source.text


@pytest.mark.slow
@pytest.mark.grows("agreement.reworded")
def test_rewordings_in_many_hands() -> None:
    """Ten thousand deals in the full run."""
    rng, seen = Random(4), 0
    while seen < count("agreement.reworded"):
        base = rng.choice(BASES)
        changed = reworded(base, rng, 3)
        if changed is None:
            continue
        seen += 1
        diff = agree(documented(base), changed, 250, seen)
        assert {one.aspect for one in diff.every if one.status != "same"} == set(), changed.own.source.text


def test_the_law_notices_a_wrong_same() -> None:
    """A difference reported as the same would be contradicted."""
    texts = rules(documented("pagat"))
    other = house("slipped", "pagat", {"lead": "right of dealer", "end": texts["end"]})
    assert other is not None
    own, taken = grafted(documented("pagat"), other, "lead")[0]
    assert contradiction(own, taken, 3, 0) is not None
    assert contradiction(*grafted(documented("pagat"), other, "end")[0], 3, 0) is None


@RUN
def test_words_that_are_declared_in_two_ways_cannot_be_compared() -> None:
    body = "state:\n  mark: {{type: {kind}}}\n\nrules:\n  after-trick:\n    rule: mark becomes {value}\n    assumes: a test\n"
    one, other = (
        house_text(body.format(kind=kind, value=value)) for kind, value in (("integer", "1"), ("suit", "led"))
    )
    with pytest.raises(ShapeError, match="`mark` is declared in two ways"):
        _ = grafted(one, other, "after-trick")
    told = [x for x in compare(one, other).others if x.aspect == "after-trick"]
    assert [x.status for x in told] == ["incomparable"]
