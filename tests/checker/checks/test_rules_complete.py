"""Gaps one by one: what is open about a rule, what is read and never set, each with its place; what of it is known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from budget import RUN
from checker.cli.console import run
from checker.rulesets_for_tests import LIBRARY, ROOT, documented, found, house
from trickproof.checking.finding import Finding, Gap, new_gaps
from trickproof.checking.verdict import Verdict
from trickproof.reports.findings import report, to_understand
from trickproof.reports.text import PLAIN
from trickproof.support.serialise import serialised
from trickproof.validate.new_flaws import is_new
from trickproof_dsl.diagnostics.diagnostic import render
from trickproof_dsl.library import Ruleset

BY_SCORE = """\
rules:
  exchange-order:
    rule: |
      for giver in players with over > 0, highest score first, then clockwise from left of dealer:
          do exchange-amounts of giver
          for taker in players with over < 0, clockwise from giver:
              do exchange-returns(giver, taker)
    assumes: the club goes by a score that nobody keeps
"""


def complete(ruleset: Ruleset) -> Finding:
    (finding,) = found(ruleset, ["rules-complete"])
    return finding


def unset(finding: Finding) -> list[tuple[str, str | None, int, int]]:
    """Rule, variable, line and column of the gaps that are variables."""
    gaps = [gap for gap in finding.gaps if gap.variable is not None]
    return [(gap.rule, gap.variable, gap.where.line, gap.where.column) for gap in gaps]


def test_what_is_read_and_never_set_is_reported_where_it_is_read() -> None:
    """Though the base is unspecified too, for another reason, which it records as known."""
    finding, before = complete(house(BY_SCORE)), complete(documented("pagat"))
    assert (finding.verdict, finding.known, before.known) == (Verdict.UNSPECIFIED, False, True)
    assert unset(finding) == [("exchange-order", "score", 7, 51)]
    assert [gap.variable for gap in new_gaps(finding, before)] == ["score"]
    assert finding.where == finding.gaps[-1].where
    assert finding.details[0] == "not in `pagat`: house.yaml:7: `score` is used but never set"
    assert all("`score`" not in detail for detail in finding.details[1:])
    assert finding.message == "`score` is used but never set (the rest is open in `pagat` as well)"
    assert is_new(finding, before)
    (told,) = [gap for gap in serialised(finding)["gaps"] if gap["variable"]]
    assert told == {
        "rule": "exchange-order",
        "variable": "score",
        "where": {"file": "house.yaml", "line": 7, "column": 51},
    }
    text = " ".join(report([(house(BY_SCORE), [finding])]).split())
    assert "`score` is used but never set" in text


def test_a_variable_is_set_where_it_can_be_read() -> None:
    """What is not carried does not outlive the steps between hands; what is carried does."""
    text = """\
        state:
          bonus: {{type: integer{}}}
        rules:
          between-hands:
            rule: |
              dealer becomes next-dealer
              first-hand becomes false
              bonus becomes {}
            assumes: a test
          scoring:
            rule: |
              for p in players:
                  over of p becomes tricks of p - target of p + bonus - bonus
            assumes: a test
        """
    assert unset(complete(house(text.format("", "2")))) == [("scoring", "bonus", 16, 57)]
    assert unset(complete(house(text.format(", initial: 1", "2")))) == []
    assert unset(complete(house(text.format(", carried: true", "bonus + 1")))) == []


def test_what_a_hand_sets_is_set_between_hands() -> None:
    rule = "rules: {next-dealer: {rule: if tricks of dealer > 8 then dealer else left of dealer, assumes: a test}}"
    assert unset(complete(house(rule))) == []


def test_each_rule_that_reads_it_is_told_once() -> None:
    body = """\
        state: {stake: {type: integer}}
        rules:
          payout:
            rule: |
              for p in players:
                  payout of p becomes stake * over of p + stake - stake
            assumes: a test
          end: {rule: some player has tricks >= 12 + stake, assumes: a test}
        """
    assert [(rule, name) for rule, name, _, _ in unset(complete(house(body)))] == [
        ("payout", "stake"),
        ("end", "stake"),
    ]


# ------------------------------------------------------------------------------------- what a base records


def test_what_is_known_of_a_base_is_known_of_its_variants() -> None:
    ruleset = house("rules: {next-dealer: {rule: right of dealer, assumes: a test}}")
    finding = complete(ruleset)
    assert (finding.verdict, finding.known) == (Verdict.UNSPECIFIED, True)
    assert finding.reason == complete(documented("pagat")).reason
    assert not is_new(finding, complete(documented("pagat")))


def test_what_a_variant_records_covers_all_its_gaps() -> None:
    finding = complete(house(BY_SCORE + "known:\n  rules-complete: nobody keeps a score, and nobody minds\n"))
    assert (finding.known, finding.reason) == (True, "nobody keeps a score, and nobody minds")


BASE = """\
ruleset: base
title: A base
extends: pagat
rules:
  winner: {rule: "players with tricks >= 6", assumes: a test}
  end: {rule: "some player has tricks >= END", assumes: a test}
known:
  unique-winner: two can take six
"""


def over_base(rules: str, tmp_path: object) -> Finding:
    from pathlib import Path

    folder = Path(str(tmp_path))
    (folder / "base.yaml").write_text(BASE.replace("END", "6"), encoding="utf-8")
    text = f"ruleset: variant\ntitle: A variant\nextends: base.yaml\nrules:\n{rules}"
    (folder / "variant.yaml").write_text(text, encoding="utf-8")
    ruleset, wrong = LIBRARY.load(str(folder / "variant.yaml"))
    assert ruleset is not None, render(wrong)
    (finding,) = found(ruleset, ["unique-winner"])
    assert finding.verdict is Verdict.REFUTED
    return finding


@RUN
def test_a_finding_that_is_the_same_as_the_bases_is_known(tmp_path: object) -> None:
    finding = over_base("  next-dealer: {rule: right of dealer, assumes: a test}\n", tmp_path)
    assert (finding.known, finding.reason) == (True, "two can take six")


@RUN
def test_a_finding_for_another_reason_is_not_known(tmp_path: object) -> None:
    finding = over_base('  winner: {rule: "players with tricks >= 17", assumes: a test}\n', tmp_path)
    assert (finding.known, finding.reason) == (False, None)
    assert finding.details[0].startswith("what `base` records as known is something else: ")


# ------------------------------------------------------------------------------- what a variant inherits

VARIANT = """\
ruleset: variant
title: A variant
extends: {base}
documents: [pagat-de]
{inherits}
rules:
  targets:
    rule: |
      target of dealer becomes 9
      target of left of dealer becomes 5
      target of right of dealer becomes 2
    cites: [pagat-de.s98, pagat-de.s99, pagat-de.s100]
"""


def variant(inherits: str, base: str = "trumpet-major") -> Finding:
    """What is open in a documented variant that changes the targets only."""
    text = VARIANT.format(base=base, inherits=f"inherits: {inherits}" if inherits else "")
    ruleset, wrong = LIBRARY.load_text(text, "variant.yaml")
    assert ruleset is not None, render(wrong)
    return complete(ruleset)


def inherited_gaps(finding: Finding) -> dict[str, str]:
    return {gap.rule: gap.what for gap in finding.gaps if gap.what.startswith("is inherited")}


def test_a_documented_variant_says_why_rules_of_its_base_hold_for_it() -> None:
    gaps = inherited_gaps(variant(""))
    assert {"deal", "end", "winner", "players", "deck", "follow"} <= gaps.keys()
    assert not gaps.keys() & {"targets", "hand", "trick", "may-lead"}
    assert gaps["follow"] == "is inherited without grounds"
    assert gaps["scoring"] == "is inherited without grounds, despite changes to the targets"
    message = variant("").message
    assert message.index("`scoring`") < message.index("`follow`")


def test_one_line_is_a_ground_for_all_rules() -> None:
    assert inherited_gaps(variant("{cites: [pagat-de.s96]}")) == {}
    gaps = inherited_gaps(variant("{assumes: nothing is said of it}"))
    assert gaps["end"] == "is inherited, by assumption: nothing is said of it"
    assert "nothing is said of it" in variant("{assumes: nothing is said of it}").assumes


def test_a_line_that_names_rules_is_a_ground_for_these() -> None:
    gaps = inherited_gaps(
        variant("[{cites: [pagat-de.s96], rules: [end, deck]}, {assumes: x, rules: [winner]}]")
    )
    assert not gaps.keys() & {"end", "deck"}
    assert gaps["winner"] == "is inherited, by assumption: x"
    assert gaps["follow"] == "is inherited without grounds"
    both = inherited_gaps(variant("[{assumes: x, rules: [winner]}, {cites: [pagat-de.s96]}]"))
    assert both == {"winner": "is inherited, by assumption: x"}


def test_rules_that_never_run_need_no_ground() -> None:
    """9-5-2 takes no part of the reveal of the main rules once its kitty does without."""
    kitty = "  kitty: {rule: dealer discards 4 cards of hand, assumes: a test}\n"
    text = VARIANT.format(base="pagat", inherits="") + kitty
    ruleset, wrong = LIBRARY.load_text(text, "variant.yaml")
    assert ruleset is not None, render(wrong)
    assert "reveal" not in inherited_gaps(complete(ruleset))
    assert "reveal" in inherited_gaps(variant("", "pagat"))


def test_house_rules_inherit_freely() -> None:
    assert inherited_gaps(complete(house(BY_SCORE))) == {}
    over_variant = complete(house("rules: {trump: {rule: dealer chooses trump, assumes: x}}", "weaver-four"))
    assert over_variant.known


def test_what_an_author_assumes_is_agreed_where_there_is_no_document() -> None:
    text = (ROOT / "tests/bank/rules-complete/next-dealer-missing.yaml").read_text(encoding="utf-8")
    assert [str(gap) for gap in complete(loaded(text)).gaps] == ["`next-dealer` is missing"]
    text += "\n  next-dealer: {rule: left of dealer, assumes: ours}\n"
    assert complete(loaded(text)).verdict.proved
    documented_too = complete(loaded(text.replace("title:", "documents: [pagat-de]\ntitle:")))
    assert {"players", "deal", "next-dealer"} <= {gap.rule for gap in documented_too.gaps}


def loaded(text: str) -> Ruleset:
    ruleset, wrong = LIBRARY.load_text(text, "ours.yaml")
    assert ruleset is not None, render(wrong)
    return ruleset


def test_documented_variants_have_grounds_for_all_they_inherit() -> None:
    variants = (
        "nine-five-two",
        "pagat-all-sixteen",
        "pagat-kitty-first",
        "shawn-51",
        "tallyn",
        "weaver-four",
    )
    without = {name: gaps for name in variants if (gaps := inherited_gaps(complete(documented(name))))}
    assert all("without grounds" not in what for gaps in without.values() for what in gaps.values())
    assert without["weaver-four"].keys() == {"end", "winner", "next-dealer", "payout"}
    assert {"scoring", "payout", "follow"} <= without["tallyn"].keys()
    assert without.keys() == {"tallyn", "weaver-four"}


# ------------------------------------------------------------------------- what no rule that runs asks for

WITHOUT_EXCHANGE = """
rules:
  exchange-timing:
    rule: |
      do trump
      do kitty
    assumes: the table exchanges nothing
"""


def test_readings_of_a_base_that_never_run_are_not_asked_for() -> None:
    assert documented("gamerules").program.readings.keys() == {"exchange-order", "exchange-amounts", "reveal"}
    variant = house(WITHOUT_EXCHANGE, base="gamerules")
    assert variant.program.readings.keys() == {"reveal"}
    assert complete(variant).readings == ("reveal: than-returned", "reveal: than-received")


def test_readings_and_parameters_of_its_own_that_never_run_are_reported() -> None:
    own = """
  exchange-order:
    readings:
      - {name: one, rule: nothing happens, assumes: x}
      - {name: two, rule: do trump, assumes: x}
parameters: {stake: 1 | 2}
"""
    told = [str(gap) for gap in complete(house(WITHOUT_EXCHANGE + own, base="gamerules")).gaps]
    assert "`exchange-order` can be read in 2 ways, but never runs" in told
    assert "`stake` is to be agreed on, but no rule that runs uses it" in told
    assert not any("never runs" in str(gap) for gap in complete(documented("pagat-kitty-first")).gaps)


# --------------------------------------------------------------------------------- what is stated and never runs

BARE = """\
ruleset: bare
title: Bare
players: 4
rules:
  trump: {rule: trump becomes spades, assumes: an example}
"""


def bare(more: str = "") -> Ruleset:
    ruleset, wrong = LIBRARY.load_text(BARE + more, "bare.yaml")
    assert ruleset is not None, render(wrong)
    return ruleset


def test_a_standard_rule_that_is_stated_and_never_run_is_reported_with_its_place() -> None:
    (gap,) = [gap for gap in complete(bare()).gaps if gap.rule == "trump"]
    assert (
        str(gap) == "`trump` is stated but never run: add `exchange-timing: {rule: do trump, assumes: why}`"
    )
    assert (gap.where.source.name, gap.where.line) == ("bare.yaml", 5)
    in_vain = "  exchange-order: {rule: nothing happens, assumes: an example}\n"
    told = [str(gap) for gap in complete(house(WITHOUT_EXCHANGE + in_vain, base="gamerules")).gaps]
    assert "`exchange-order` is stated but never run: add `do exchange-order` to `exchange-timing`" in told
    own_course = "  hand: {rule: do deal, assumes: an example}\n"
    assert "`trump` is stated but never run" in map(str, complete(bare(own_course)).gaps)


def test_what_a_game_of_ones_own_does_and_never_runs_is_reported() -> None:
    """A rule that passes cards was stated, and the game was played without it."""
    passing = "  passing: {rule: dealer passes 1 card of hand to left of dealer, assumes: an example}\n"
    worth = "  worth: {of: card c, rule: height of c, assumes: an example}\n"
    runs = "  before-play: {rule: do passing, assumes: an example}\n"
    told = "`passing` is stated but never run: add `exchange-timing: {rule: do passing, assumes: why}`, or call it from another rule"
    assert told in map(str, complete(bare(passing + worth)).gaps)
    assert not any(
        "passing" in str(gap) or "worth" in str(gap) for gap in complete(bare(passing + worth + runs)).gaps
    )


def test_a_standard_rule_that_runs_or_that_a_claim_uses_is_not_reported() -> None:
    more = """\
  before-play: {rule: do trump, assumes: an example}
  to-give: {of: player p, rule: over of p, assumes: an example}
  match-start: {rule: nothing happens, assumes: an example}
"""
    assert not any("never run" in str(gap) for gap in complete(bare(more)).gaps)


def test_a_suit_that_is_set_and_never_used_is_reported_with_its_place() -> None:
    told = [
        gap
        for gap in complete(bare("  before-play: {rule: do trump, assumes: an example}\n")).gaps
        if gap.variable
    ]
    assert [(gap.rule, gap.variable, gap.where.line) for gap in told] == [("trump", "trump", 5)]
    assert str(told[0]) == "`trump` is set but never used"
    assert not [
        gap
        for gap in complete(house("rules:\n  trump: {rule: trump becomes none, assumes: none}\n")).gaps
        if gap.variable
    ]


def test_missing_rules_are_what_to_do_next() -> None:
    ruleset = bare()
    lines = report([(ruleset, [complete(ruleset)])]).splitlines()
    assert lines[-1] == "Next, state the rules that are missing, such as `deal`: trickproof explain deal"
    assert to_understand(PLAIN, ruleset, complete(ruleset)) == lines[-1:]  # what `validate` says
    silent = bare("  deal: {silent: the text begins with the play}\n")
    assert "such as `lead`" in report([(silent, [complete(silent)])]).splitlines()[-1]


def test_a_gap_that_is_only_warned_of_excuses_no_refutation() -> None:
    """Nor does it excuse a finding without any further gap."""
    before = replace(complete(documented("pagat")), verdict=Verdict.PROVED, gaps=(), known=False)
    warned = Gap("trump", "trump", documented("pagat").own.id.span, "is set but never used", assumed=True)
    finding = replace(before, verdict=Verdict.UNSPECIFIED, gaps=(warned,))
    assert not is_new(finding, before)
    assert is_new(replace(finding, verdict=Verdict.REFUTED), before)
    assert is_new(finding, replace(before, gaps=(warned,)))


def test_a_gap_that_is_the_whole_message_is_said_once(tmp_path: Path) -> None:
    """It was repeated with its file and line, which stand above it."""
    path = tmp_path / "mine.yaml"
    assert run("new", str(path)).code == 0
    path.write_text(
        path.read_text("utf-8").replace("suit of played = led", "suit of played = trump"), "utf-8"
    )
    shown = run("check", str(path), "--only", "rules-complete").out
    assert shown.count("`trump` is used but never set") == 1, shown
