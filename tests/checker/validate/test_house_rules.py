"""The house rules of rulesets/house: sound ones are accepted, the others rejected by the check that is meant to."""

from __future__ import annotations

import json
import re
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from budget import RUN
from checker.cli.console import run
from checker.rulesets_for_tests import LIBRARY, ROOT, documented, found, house, rule
from trickproof.check_runner.runner import Checked, Disagreement
from trickproof.checking.finding import Finding, InternalError, Premise
from trickproof.checking.verdict import Method, Verdict
from trickproof.cli.commands.validate import _fixed
from trickproof.diff.results import Compared, Way
from trickproof.diff.ruleset_diff import Diff
from trickproof.reports.comparison.validation import (
    _instead,
    _now,
    _ways,
    acceptable,
    dead_sentence,
    effects_document,
    fix_words,
    validation_document,
    validation_text,
)
from trickproof.reports.text import PLAIN
from trickproof.support.confidence_intervals import per_event, share
from trickproof.support.serialise import serialised
from trickproof.support.terminal import Terminal
from trickproof.validate.dead_rules import Useless, useless
from trickproof.validate.effects_on_play import SEARCHED, Effects, Measure, effects
from trickproof.validate.fix_candidates import Repair
from trickproof.validate.new_flaws import as_new, is_new, of_another_rule
from trickproof.validate.validation import BASE, DIFF, EQUAL, USELESS, Plan, Validation, guarantees, validate
from trickproof_dsl.diagnostics.source import Source, Span

EIGHTY = Terminal(columns=lambda: 80)

HOUSE = sorted((ROOT / "rulesets/house").glob("*.yaml"))


@dataclass(frozen=True)
class Expected:
    """What the comments at the head of a file expect: the verdict, the checks that reject it, a fix and warnings."""

    verdict: str
    checks: list[str]
    fixes: list[str]
    warnings: list[str]


def expected(path: Path) -> Expected:
    text = path.read_text(encoding="utf-8")
    answer = re.match(r"# expected: (accepted|rejected)(?: by (.*))?\n", text)
    assert answer is not None, path
    checks = re.findall(r"[a-z-]+", answer[2] or "")
    fixes, warnings = (re.findall(rf"^# {key}: (.*)$", text, re.M) for key in ("fix", "warning"))
    return Expected(answer[1], checks, fixes, warnings)


@cache
def validated(path: Path) -> Validation:
    ruleset, wrong = LIBRARY.load(str(path))
    assert ruleset is not None, wrong
    return validate(LIBRARY, ruleset, Plan(hands=0, seed=0, workers=1))


def as_document(found: Validation) -> dict[str, Any]:
    document: dict[str, Any] = serialised(validation_document(found))
    return document


def as_expected(path: Path) -> None:
    right, one = expected(path), validated(path)
    document = as_document(one)
    assert document["verdict"] == right.verdict, [x.message for x in one.new]
    assert set(right.checks) <= {x.check for x in one.new}
    assert (right.verdict == "rejected") == bool(document["new_findings"])
    assert document["base"] == one.ruleset.extends
    assert set(right.fixes) <= {x.what for x in one.repairs}
    assert [x["code"] for x in document["warnings"]] == right.warnings
    assert validation_text(one, verbose=True)


def test_there_are_enough() -> None:
    verdicts = [expected(path).verdict for path in HOUSE]
    assert min(verdicts.count("accepted"), verdicts.count("rejected")) >= 18
    assert len(HOUSE) >= 40


@pytest.mark.slow
@pytest.mark.parametrize("path", HOUSE, ids=lambda p: p.stem)
def test_every_house_rule(path: Path) -> None:
    as_expected(path)


@pytest.mark.slow
def test_what_a_house_rule_changes_and_keeps() -> None:
    told = as_document(validated(ROOT / "rulesets/house/win-at-fourteen.yaml"))
    assert [change["aspect"] for change in told["changes"]] == ["end", "winner"]
    assert told["changes"][0]["classes"][0]["when"] == (
        "some player takes at least 12 tricks and no player takes 14 or more tricks"
    )
    kept = {x["check"] for x in told["guarantees"] if x["change"] == "kept"}
    assert {"zero-sum", "unique-winner", "exchange-balanced"} <= kept
    assert told["equal_to"] == told["useless"] == told["repairs"] == []


ALL_TRICKS = """\
ruleset: all-tricks
title: Only who takes all tricks has won
extends: pagat
rules:
  end: {rule: no player has (tricks > 0 and tricks < 16), assumes: a test}
  winner: {rule: players with tricks = 16, assumes: a test}
"""


@pytest.mark.slow
def test_a_house_rule_may_be_a_documented_game(tmp_path: Path) -> None:
    path = tmp_path / "all-tricks.yaml"
    path.write_text(ALL_TRICKS, encoding="utf-8")
    assert as_document(validated(path))["equal_to"] == ["pagat-all-sixteen"]


@pytest.mark.slow
def test_a_house_rule_is_no_documented_game_that_it_equals_under_one_reading_only() -> None:
    told = as_document(validated(ROOT / "rulesets/house/kitty-before-discard.yaml"))
    assert told["equal_to"] == []


@pytest.mark.slow
def test_a_fix_is_made_in_the_file(tmp_path: Path) -> None:
    text = (ROOT / "rulesets/house/lowest-returned.yaml").read_text(encoding="utf-8")
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8-sig")
    done = run("validate", str(path), "--hands", "0", "--fix")
    fixed = text.replace("lowest of hand", "highest of hand")
    assert (done.code, path.read_bytes()) == (0, fixed.encode("utf-8-sig"))
    assert "fixed: replace `lowest` with `highest`; this is pagat again" in done.err
    assert "(restores exchange-returns-highest)" in done.err
    assert "accepted, changes nothing" in " ".join(done.out.split())
    assert "rejected" not in done.out


def test_a_sound_file_has_nothing_to_fix(tmp_path: Path) -> None:
    """Not a word was said about the fix that was asked for."""
    two = ROOT / "tests/adversarial/cases/plain-two.yaml"
    (tmp_path / two.name).write_bytes(two.read_bytes())
    path = tmp_path / "mine.yaml"
    path.write_text(f"ruleset: mine\nextends: {two.name}\n")
    done = run("validate", str(path), "--effects", "none", "--fix", "1")
    assert (done.code, done.err) == (0, f"{path}: not changed: nothing to fix\n")


def test_json_and_sarif_are_about_the_file_as_it_is_once_fixed(tmp_path: Path) -> None:
    """As the exit code and the text are: `rejected`, with exit code 0 and edits that no longer apply, was printed."""
    two = ROOT / "tests/adversarial/cases/plain-two.yaml"
    (tmp_path / two.name).write_bytes(two.read_bytes())
    path, log = tmp_path / "mine.yaml", tmp_path / "log.sarif"
    path.write_text(
        f"ruleset: mine\nextends: {two.name}\nrules:\n  end: {{rule: some player has tricks >= 1, assumes: so}}\n"
    )
    done = run("validate", str(path), "--effects", "none", "--fix", "--json", "--sarif", str(log))
    document = json.loads(done.out)
    assert (done.code, document["verdict"], document["fixes"]) == (0, "accepted", [])
    assert "number of" in path.read_text()
    assert json.loads(log.read_text())["runs"][0]["results"] == []


def test_an_invariant_stated_anew_is_not_that_of_the_base(tmp_path: Path) -> None:
    two = ROOT / "tests/adversarial/cases/plain-two.yaml"
    (tmp_path / two.name).write_bytes(two.read_bytes())
    for name, base, condition in (("few", two.name, "tricks <= 1"), ("mine", "few.yaml", "over < 0")):
        text = f"ruleset: {name}\nextends: {base}\ninvariants:\n  each: {{rule: every player has {condition}, assumes: so}}\n"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    done = run("validate", str(tmp_path / "mine.yaml"), "--effects", "none")
    assert done.code == 1, done.out
    assert "each: refuted: `every player has over < 0` does not hold" in " ".join(done.out.split())


@pytest.mark.parametrize("edited", ["", "# mine\n"])
def test_a_fix_overwrites_no_other_text(edited: str, tmp_path: Path) -> None:
    """Neither with the text of another file nor a file that was edited during the validation."""
    path = tmp_path / "mine.yaml"
    path.write_text("ruleset: mine\nextends: pagat\n", encoding="utf-8")
    ruleset, wrong = LIBRARY.load(str(path))
    assert ruleset is not None, wrong
    payout = documented("pagat").whole.rules["payout"].name.span
    where = ruleset.own.id.span if edited else payout
    text = path.read_text(encoding="utf-8") + edited
    path.write_text(text, encoding="utf-8")
    fix = Repair("replace", where, "", "", ((Span(where.source, 0, 0), ""),))
    assert not _fixed(Validation(ruleset, None, (), (), repairs=(fix,)), 1)
    assert path.read_text(encoding="utf-8") == text


def test_of_two_ways_with_one_condition_the_one_that_says_more_is_told() -> None:
    when = "in some deals in which some player is up or down"
    ways = [
        Way("over differs; payout differs", when=when),
        Way("over differs; payout differs; score differs", when=when),
    ]
    one = Compared(
        "scoring", "different", Method.SMT, ways=(*ways, Way("over differs", when="in every deal"))
    )
    ruleset = house(rule("scoring", "score of dealer becomes 1"))
    assert ruleset.base is not None
    told = _ways(Diff(ruleset.base, ruleset, (one,), ()), one)
    assert told == (
        f"The result, the payout and the score differ {when}. "
        "In every deal at least one player's result differs."
    )


@pytest.mark.parametrize(
    ("first", "second", "instead"),
    [
        ("over differs; score differs", "score differs", True),
        ("score differs", "over differs; score differs", False),
        ("score differs", "the match ends in b only; score differs", True),
        ("the match ends in b only; score differs", "score differs", False),
    ],
)
def test_a_consequence_does_not_hide_what_it_follows_from(first: str, second: str, instead: bool) -> None:
    when = "in some deals in which some player takes no tricks"
    assert _instead(Way(first, when=when), Way(second, when=when)) == instead
    assert not _instead(Way(first, when=when), Way(second))


def test_a_changed_rule_is_said_as_it_is_now_unless_it_is_long_or_as_before() -> None:
    ruleset = house(rule("end", "some player has tricks >= 13"))
    assert ruleset.base is not None
    said = list(_now(Diff(ruleset.base, ruleset, (), ()), ("end", "winner", "exchange-amounts", "players")))
    assert said == ["The match ends when a player has taken 13 or more tricks."]


def test_what_is_less_sure_than_of_the_base_is_open() -> None:
    proved = Finding("zero-sum", Verdict.PROVED, Method.SMT, "")
    tested = replace(proved, verdict=Verdict.TESTED, message="no failure in 60 hands")
    ruleset, base = documented("pagat"), documented("gamerules")
    one = Validation(ruleset, base, (tested,), (), tuple(guarantees((tested,), {"zero-sum": proved})))
    assert one.accepted
    assert as_document(one)["open"] == [
        {"check": "zero-sum", "verdict": "tested", "why": "no failure in 60 hands"}
    ]
    assert validation_text(one).startswith("pagat: accepted, 1 guarantee open")


def test_a_fix_says_in_which_line_something_becomes_something_else() -> None:
    text = "target of dealer becomes 7\n    target of left of dealer becomes 6\n"
    at = text.index("6")
    where = Span(Source("h.yaml", text), at, at + 1)
    fix = Repair("replace `6` with `5`; this is pagat again", where, "6", "5", ((where, "5"),))
    line = "target of left of dealer becomes 6"
    assert fix_words(fix) == f"replace `6` with `5` in `{line}`; this is pagat again"
    assert fix_words(replace(fix, what="leave out rule `targets`")) == "leave out rule `targets`"


def test_a_fix_that_is_made_says_in_which_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of two lines that both end in 4 one became 5; nothing said which."""
    path = tmp_path / "mine.yaml"
    lines = "target of left of dealer becomes 4\ntarget of right of dealer becomes 4"
    path.write_text(f"ruleset: mine\nextends: pagat\n{rule('targets', lines)}", encoding="utf-8")
    ruleset, _ = LIBRARY.load(str(path))
    assert ruleset is not None
    text = ruleset.own.rules["targets"].text
    assert text is not None
    where = Span(text.source, at := text.start + text.text.rindex("4"), at + 1)
    fix = Repair("replace `4` with `5`", where, "4", "5", ((where, "5"),), restores=("target-total",))
    assert _fixed(Validation(ruleset, ruleset.base, (), (), repairs=(fix,)), 1)
    told = "fixed: replace `4` with `5` in `target of right of dealer becomes 4` (restores target-total)\n"
    assert capsys.readouterr().err.endswith(told)


def test_the_numbers_of_guarantees_add_up() -> None:
    """Of a rejected rule, too, each guarantee of the base is counted once, and named unless it holds."""
    names = ("zero-sum", "hand-size", "no-fault", "unique-winner", "trick-total", "terminates", "hand-taken")
    before = {name: Finding(name, Verdict.PROVED, Method.SMT, "") for name in names}
    now = [replace(x, message="") for x in before.values()]
    for i, verdict in (
        (2, Verdict.REFUTED),
        (3, Verdict.TESTED),
        (4, Verdict.UNDECIDED),
        (5, Verdict.REFUTED),
    ):
        now[i] = replace(now[i], verdict=verdict)
    now.append(Finding("end-reachable", Verdict.PROVED, Method.SMT, ""))
    changed = tuple(guarantees(now, before))
    one = Validation(documented("pagat"), documented("gamerules"), tuple(now), (now[2], now[5]), changed)
    lines = " ".join(validation_text(one).split())
    assert (
        "the 7 guarantees of gamerules: 3 preserved, 2 violated (no-fault, terminates), "
        "1 less certain (unique-winner) and 1 undecided (trick-total) newly holds: end-reachable"
    ) in lines


STUCK = rule(
    "kitty",
    "dealer discards 4 cards of hand with suit = trump\ndealer picks-up kitty as picked-up\ndo reveal",
)


def test_a_rule_that_stops_the_game_cannot_be_meant() -> None:
    """No reason in the file lets a deal go on in which a player has to choose cards that he does not hold."""
    ruleset = house(STUCK)
    flaw = next(x for x in found(ruleset, ["no-fault"]) if x.verdict.refuted)
    one = Validation(ruleset, ruleset.base, (flaw,), (flaw,))
    assert not acceptable(one)
    text = " ".join(validation_text(one).split())
    assert "passes every check; play cannot go on from there, so a rule must say what happens" in text
    assert "known:" not in text
    ties = house(rule("next-dealer", "only player in (players with the highest tricks)"))
    between = next(x for x in found(ties, ["no-fault"]) if x.verdict.refuted)
    assert not acceptable(Validation(ties, ties.base, (between,), (between,)))
    goes_on = replace(flaw, witness=None, match=None)
    assert acceptable(replace(one, new=(goes_on,))) == [goes_on]


def test_code_of_a_fix_is_not_broken_where_it_fits_on_a_line() -> None:
    ruleset = house(rule("end", "some player has tricks >= 11"))
    where = ruleset.own.id.span
    flaw = Finding("unique-winner", Verdict.REFUTED, Method.SMT, "two win together")
    new = "`players with tricks >= 11 and target < 8 and over > 0`"
    fix = Repair(f"let whoever ends the match win it: {new}", where, "", "", ((where, ""),))
    text = validation_text(
        Validation(ruleset, ruleset.base, (flaw,), (flaw,), repairs=(fix,)),
        page=replace(PLAIN, terminal=EIGHTY),
    )
    assert any(new in line for line in text.splitlines())
    assert all(len(line) <= 80 for line in text.splitlines())


def test_a_lost_convention_is_no_reason_to_reject_and_says_so() -> None:
    proved = Finding("exchange-balanced", Verdict.PROVED, Method.SMT, "")
    lost = replace(
        proved, verdict=Verdict.REFUTED, message="2 cards are given; the previous deal calls for 1"
    )
    changed = tuple(guarantees((lost,), {"exchange-balanced": proved}))
    one = Validation(documented("pagat"), documented("gamerules"), (lost,), (), changed)
    text = validation_text(one)
    of_base = "the 1 guarantee of gamerules: 1 violated (exchange-balanced)"
    assert f"{of_base}\n  accepted all the same: " in text
    assert text.endswith(
        "trickproof explain amounts-off-convention\n"
        "  for `check` to accept it too, say why at the top level of the file:\n"
        '    `known: {exchange-balanced: "we …"}`'
    )
    assert "all the same" not in validation_text(replace(one, new=(lost,)))


PLAYED = ("random", "search:50")


@pytest.mark.parametrize(
    ("negative", "same", "at_least", "played"),
    [
        (False, False, (), [("random", 9_000), ("search:50", SEARCHED)]),
        (False, False, PLAYED, [("random", 9_000), ("search:50", 9_000)]),
        (True, False, (), []),
        (True, False, PLAYED[:1], [("random", 9_000)]),
        (False, True, PLAYED[:1], [("random", 9_000)]),
    ],
)
def test_what_is_played(
    negative: bool,
    same: bool,
    at_least: tuple[str, ...],
    played: list[tuple[str, int]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of a rule that is rejected or changes nothing only what is asked for; search plays many deals only if asked for."""
    ruleset = house(rule("targets", "for p in players:\n    target of p becomes 6"))
    base = documented("pagat")
    proved = Finding("target-total", Verdict.PROVED, Method.SMT, "")
    own = replace(proved, verdict=Verdict.REFUTED) if negative else proved
    changed = [] if same else [Compared("targets", "different", Method.SMT)]
    _found(monkeypatch, Checked([(ruleset, [own])], []), Checked([(base, [proved])], []), tuple(changed))
    monkeypatch.setattr("trickproof.validate.validation.repairs", lambda *_: ())
    monkeypatch.setattr("trickproof.validate.validation._with_base", lambda *_: ())
    monkeypatch.setattr(
        "trickproof.validate.validation.effects", lambda _, __, policy, hands, *___: (policy, hands)
    )
    shown: list[Validation] = []
    done = validate(LIBRARY, ruleset, Plan(9_000, 0, 1, PLAYED, at_least), show=shown.append)
    assert list(done.effects) == played
    assert [(one.diff is None, one.effects) for one in shown] == [(True, ()), (True, ()), (False, ())]


def _found(
    monkeypatch: pytest.MonkeyPatch, own: Checked, of_base: Checked, changed: tuple[Compared, ...]
) -> None:
    """Lets checks and comparisons answer this."""
    diff = Diff(of_base.findings[0][0], own.findings[0][0], (), changed)
    answers = {BASE: of_base, DIFF: diff, EQUAL: (), USELESS: ()}
    monkeypatch.setattr("trickproof.validate.validation._checked", lambda *_: own)
    begun = nullcontext((iter(answers.items()), iter(())))
    monkeypatch.setattr("trickproof.validate.validation._compared", lambda *_: begun)


def test_a_check_that_fails_by_itself_leaves_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer says what is open, and the command ends with 70."""
    ruleset, base = (
        house(rule("targets", "for p in players:\n    target of p becomes 6")),
        documented("pagat"),
    )
    proved = Finding("target-total", Verdict.PROVED, Method.SMT, "")
    stuck = replace(proved, verdict=Verdict.UNDECIDED, internal_error=InternalError("KeyError", "nowhere"))
    failed = [Disagreement(one.id, "target-total", "nowhere") for one in (ruleset, base)]
    _found(
        monkeypatch, Checked([(ruleset, [stuck])], failed[:1]), Checked([(base, [proved])], failed[1:]), ()
    )
    monkeypatch.setattr("trickproof.validate.validation._with_base", lambda *_: ())
    path = tmp_path / "house.yaml"
    path.write_text(ruleset.own.source.text, encoding="utf-8")
    told = run("validate", str(path), "--effects", "none", "--json")
    assert told.code == 70
    answer = json.loads(told.out)
    assert [one["check"] for one in answer["open"]] == ["target-total"]
    assert [one["ruleset"] for one in answer["disagreements"]] == [ruleset.id, "pagat"]
    assert f"{ruleset.id}: internal error in check `target-total`: nowhere" in told.err


@pytest.mark.slow
def test_repairs_are_accepted() -> None:
    """8-4-4 is none: with two targets alike, the highest target first leaves a tie that is held impossible."""
    found = validated(ROOT / "rulesets/house/eight-five-four.yaml")
    assert [(x.old, x.new) for x in found.repairs] == [("8", "7"), ("4", "3")]
    path = ROOT / "rulesets/house/lowest-returned.yaml"
    assert [x.old for x in validated(path).repairs] == ["lowest"]
    (fix,) = as_document(validated(path))["fixes"]
    (edit,) = fix["edits"]
    line = path.read_text(encoding="utf-8").splitlines()[edit["start"]["line"] - 1]
    assert edit["start"]["line"] == edit["end"]["line"]
    assert line[edit["start"]["column"] - 1 : edit["end"]["column"] - 1] == "lowest"
    assert (edit["text"], fix["restores"]) == ("highest", ["exchange-returns-highest"])


@pytest.mark.slow
def test_a_repair_that_only_puts_the_flaw_off_is_none() -> None:
    """After thirteen deals two can be equal as well: that is beyond the deals that are looked through one by one."""
    (repair,) = validated(ROOT / "rulesets/house/ten-deals.yaml").repairs
    assert repair.new == "(deals-played >= 10) and number of (players with the highest score) = 1"


@RUN
def test_what_loses_its_use() -> None:
    changed = house(
        rule("exchange-timing", "if first-hand and not first-hand:\n    do exchange-order\ndo trump")
    )
    found = [(x.kind, x.what) for x in useless(documented("pagat"), changed)]
    assert found == [
        ("unreachable", "kitty"),
        ("unreachable", "reveal"),
        ("never", "first-hand and not first-hand"),
    ]
    assert useless(documented("pagat"), documented("pagat-kitty-first")) == []
    kitty, _, never = (dead_sentence(changed, x) for x in useless(documented("pagat"), changed))
    assert kitty == "rule `kitty` of pagat is no longer used"
    assert never.startswith("the condition `first-hand and not first-hand` never holds (")


def test_a_standard_rule_without_use_is_shown_by_its_text() -> None:
    pagat = documented("pagat")
    rules = {name: pagat.whole.rules[name].name.span for name in ("under", "after-trick")}
    under, after = (dead_sentence(pagat, Useless("unreachable", name, span)) for name, span in rules.items())
    assert under == "the standard rule `under` (`-over of p`) is no longer used"
    assert after == "the standard rule `after-trick` (`nothing happens`) is no longer used"


def measures(played: Effects, name: str) -> list[Measure]:
    return [x for x in played.measures if x.name == name]


def test_effects_are_paired_and_the_same_again() -> None:
    base, other = documented("pagat"), documented("pagat-kitty-first")
    alike = effects(base, base, hands=300)
    assert [x.difference.mean for x in measures(alike, "tricks")] == [0.0, 0.0, 0.0]
    played, again = effects(base, other, hands=3000), effects(base, other, hands=3000)
    assert serialised(effects_document(played)) == effects_document(again)
    assert sum(x.house.mean for x in measures(played, "tricks")) == pytest.approx(16, abs=0.001)
    assert played.base is not None
    assert 2000 < played.base.counts.hands <= 3000
    assert any(x.difference.low != x.difference.high for x in measures(played, "tricks"))


def test_effects_without_a_match_that_ends() -> None:
    never = effects(documented("pagat"), documented("pagat"), hands=1)
    assert never.note is not None
    assert "no match ended in 1 deal, under the base or the house rule" in never.note
    (length,) = [x for x in serialised(effects_document(never))["measures"] if x["name"] == "deals-per-match"]
    assert length["difference"] == {"value": None, "low": None, "high": None}


def test_a_match_that_ends_is_counted() -> None:
    soon = house(
        rule("end", "true") + "  winner:\n    rule: players with the highest tricks\n    assumes: a test\n"
    )
    played = effects(soon, soon, "greedy", hands=9)
    assert played.house is not None
    assert (played.house.counts.matches, played.house.counts.hands) == (9, 9)
    assert sum(x.house.mean for x in measures(played, "matches-won")) >= 1


def test_what_rests_on_a_further_assumption_is_open() -> None:
    proved = Finding("zero-sum", Verdict.PROVED, Method.SMT, "")
    rests = replace(proved, rests_on=(Premise("assumption", "sums", "sums stay below 2^60"),))
    (guarantee,) = guarantees([rests], {"zero-sum": proved})
    assert (guarantee.change, guarantee.why) == ("weaker", "takes for granted: sums stay below 2^60")
    one = Validation(documented("pagat"), documented("gamerules"), (rests,), (), (guarantee,))
    assert [x.check for x in one.open] == ["zero-sum"]


def test_a_new_gap_is_the_reason_not_those_of_the_base() -> None:
    ruleset = house(
        rule(
            "exchange-order",
            "for giver in players with over > 0, highest score first, then clockwise from left of dealer:\n"
            "    do exchange-amounts of giver\n"
            "    for taker in players with over < 0, clockwise from giver:\n"
            "        do exchange-returns(giver, taker)",
        )
    )
    (mine,), (before,) = (found(one, ["rules-complete"]) for one in (ruleset, documented("pagat")))
    assert is_new(mine, before)
    told = as_new(mine, before, ruleset)
    assert (
        told.message
        == "`score` is used by `exchange-order` but never set, so that any two players are tied on it"
    )


def test_what_nobody_sets_is_named_once_with_the_rules_that_use_it() -> None:
    ruleset = house(rule("scoring", "score of dealer becomes 1"))
    (mine,), (before,) = (found(one, ["rules-complete"]) for one in (ruleset, documented("pagat")))
    told = as_new(mine, before, ruleset)
    message = (
        "`over` is used by `exchange-order`, `exchange-amounts` and `payout` but never set, "
        "so it is always 0; in pagat, it is set in `scoring`, by `over of p becomes tricks of p - target of p`"
    )
    assert told.message == message
    other = replace(mine, check="zero-sum", verdict=Verdict.REFUTED, gaps=())
    text = validation_text(Validation(ruleset, ruleset.base, (), (other, told)))
    assert f"rules-complete: unspecified: {message}" in " ".join(text.split())


@RUN
@pytest.mark.parametrize(
    ("aspect", "text", "new"),
    [
        ("winner", "players with score >= 15", True),  # nobody, where a match ends at fifteen under
        ("end", "some player has score >= 20 or some player has score <= -20", False),
    ],
)
def test_another_flaw_than_the_known_one_of_the_base_is_new(aspect: str, text: str, new: bool) -> None:
    """Of tallyn it is known that two may win together."""
    ruleset = house(rule(aspect, text), base="tallyn")
    (mine,), (before,) = (found(one, ["unique-winner"]) for one in (ruleset, documented("tallyn")))
    assert mine.verdict.refuted
    assert before.verdict.refuted
    assert is_new(mine, before) is new


@pytest.mark.parametrize(
    ("winner", "another"), [("players with the highest score", True), ("players with score >= 15", False)]
)
def test_what_is_known_of_another_rule_for_the_winner_is_not_known(winner: str, another: bool) -> None:
    """Of nine-five-two it is known that two may reach the goal in one deal, not that two may be equal at a fixed end."""
    base = documented("nine-five-two")
    mine = Finding("unique-winner", Verdict.REFUTED, Method.SMT, "players 1 and 2 win together")
    before = replace(mine, known=True)
    ruleset = house(rule("winner", winner), base.id)
    assert of_another_rule(mine, before, ruleset, base) is another
    assert not of_another_rule(before, before, ruleset, base)
    assert not of_another_rule(mine, mine, ruleset, base)


def test_intervals() -> None:
    assert share(0, 0) == share(0, 0)
    half = share(50, 100)
    assert (half.low, half.high) == (pytest.approx(0.4038, abs=1e-4), pytest.approx(0.5962, abs=1e-4))
    length = per_event(100, 10)
    assert (length.mean, length.low, length.high) == (
        10,
        pytest.approx(5.44, abs=0.02),
        pytest.approx(20.9, abs=0.1),
    )
    assert serialised(per_event(100, 0))["mean"] is None


def test_matches_that_end_almost_surely_end_less_surely() -> None:
    surely, almost = (
        Finding("terminates", Verdict.PROVED, Method.SMT, "it ends", termination=how)
        for how in ("surely", "almost-surely")
    )
    for now, before, change in (
        (almost, surely, "weaker"),
        (surely, almost, "stronger"),
        (almost, almost, "kept"),
    ):
        (guarantee,) = guarantees([now], {"terminates": before})
        assert guarantee.change == change


def test_a_guarantee_without_its_subject_is_not_one_that_holds() -> None:
    """Where nothing is given any more, nothing is claimed of gifts; the base's guarantees are counted all the same."""
    proved, gone = (
        Finding("exchange-balanced", verdict, Method.SMT, "")
        for verdict in (Verdict.PROVED, Verdict.NOT_APPLICABLE)
    )
    kept = replace(proved, check="zero-sum")
    changed = tuple(guarantees([gone, kept], {x.check: x for x in (proved, kept)}))
    assert [x.change for x in changed] == ["moot", "kept"]
    one = Validation(documented("pagat"), documented("gamerules"), (gone, kept), (), changed)
    assert one.accepted
    assert not one.open
    text = validation_text(one)
    assert "the 2 guarantees of gamerules: 1 preserved and 1 no longer applicable (exchange-balanced)" in text


def test_a_flaw_that_the_base_has_too_is_not_passed_over() -> None:
    """`check` reports it, and sends the reader to `validate`, which accepts the house rule."""
    flaw = Finding("unique-winner", Verdict.REFUTED, Method.SMT, "")
    known = replace(flaw, check="end-reachable", known=True)
    text = validation_text(Validation(documented("pagat"), documented("gamerules"), (flaw, known), ()))
    assert "accepted; based on gamerules\n  refuted, as in gamerules: unique-winner" in text
    assert "end-reachable" not in text


def test_a_guarantee_that_the_file_says_is_violated_is_not_left_out() -> None:
    proved = Finding("exchange-balanced", Verdict.PROVED, Method.SMT, "")
    kept = replace(proved, check="zero-sum")
    given_up = replace(proved, verdict=Verdict.REFUTED, known=True, reason="we like it")
    changed = tuple(guarantees([given_up, kept], {x.check: x for x in (proved, kept)}))
    assert [x.change for x in changed] == ["known", "kept"]
    one = Validation(documented("pagat"), documented("gamerules"), (given_up, kept), (), changed)
    assert one.accepted
    text = " ".join(validation_text(one).split())
    assert "1 preserved and 1 violated, as the file records (exchange-balanced)" in text


def test_the_examples_of_a_base_are_no_guarantee_of_its_game() -> None:
    """A house rule does not inherit them, so that it cannot lose them."""
    agree, none = (
        Finding("examples-agree", verdict, Method.ENUMERATION, "")
        for verdict in (Verdict.PROVED, Verdict.NOT_APPLICABLE)
    )
    assert guarantees([none], {agree.check: agree}) == []
    assert [x.change for x in guarantees([agree], {agree.check: none})] == ["gained"]


def test_what_was_undecided_does_not_newly_hold() -> None:
    """It may have held for the base, too."""
    proved = Finding("end-reachable", Verdict.PROVED, Method.SMT, "")
    for was, change in (Verdict.UNDECIDED, "stronger"), (Verdict.REFUTED, "gained"):
        before = {proved.check: replace(proved, verdict=was)}
        assert [x.change for x in guarantees([proved], before)] == [change]
