"""A new ruleset lists every rule that can be replaced, each ready to be uncommented."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft7Validator

from budget import RUN
from checker.rulesets_for_tests import LIBRARY, ROOT, documented, found
from trickproof.checking.verdict import Verdict
from trickproof.cli.new_ruleset_text import starter, starter_without_base
from trickproof_dsl.diagnostics.source import Source
from trickproof_dsl.files.json_schema import ruleset_schema
from trickproof_dsl.formatting.files import format_source
from trickproof_dsl.library import Library, prelude


def text_over(base: str) -> str:
    return starter(Path("mine.yaml"), documented(base), base)


@pytest.mark.parametrize("base", ["pagat", "tallyn"])
def test_every_rule_can_be_uncommented(base: str, tmp_path: Path) -> None:
    from trickproof.support.bundled import bundled_library

    lines = [
        line for line in text_over(base).splitlines() if "uncomment" not in line and "# The " not in line
    ]
    path = tmp_path / "mine.yaml"
    path.write_text("\n".join(re.sub("^  # ?", "  ", line) for line in lines), "utf-8")
    ruleset, wrong = bundled_library().load(str(path))
    assert [d.message for d in wrong] == []
    assert ruleset is not None
    assert {"may-lead", "trick", "follow", "between-hands"} <= ruleset.own.rules.keys()


def test_letters_in_rules_are_declared_where_they_are_shown() -> None:
    text = text_over("pagat")
    assert (
        "  # exchange-returns:  # returning cards\n  #   of: [player giver, player taker]\n  #   rule: |\n"
        in text
    )
    assert "  # followed-suit:  # the suit a card belongs to\n  #   of: card c\n  #   rule: |\n" in text
    assert "  # lead:  # the first lead\n  #   rule: |\n" in text


def test_the_numbers_to_agree_on_are_shown_and_can_be_changed() -> None:
    text = text_over("nine-five-two")
    assert "# parameters:\n#   goal: 10 | 20\n\nrules:\n" in text
    changed = text.replace("# parameters:\n#   goal: 10 | 20", "parameters:\n  goal: 15 | 10")
    ruleset, wrong = LIBRARY.load_text(changed, str(ROOT / "rulesets/mine.yaml"))
    assert ruleset is not None, wrong
    assert ruleset.program.parameters["goal"] == (15, 10)
    assert "parameters" not in text_over("pagat")


def test_a_new_file_can_be_moved() -> None:
    """It names no place on this machine, such as that of a schema."""
    for text in (text_over("pagat"), starter_without_base(Path("mine.yaml"))):
        assert text.startswith("ruleset: mine\n")
        assert "../" not in text
        assert "schema" not in text


def test_standard_rules_are_listed_with_what_they_are_about() -> None:
    text = text_over("pagat")
    own, standard = text.split("  # The standard rules, which pagat does not replace:\n")
    assert "  # may-lead:  # what may be led\n" in standard
    assert "  # trump:  # the choice of trump\n" in own
    named = re.findall("^  # ([a-z-]+):", standard, re.M)
    assert named == [name for name in prelude().rules if name in named]
    assert "to-give" not in named  # no rule of the game mentions it


def test_active_rule_is_explained_and_every_rule_is_written_alike() -> None:
    text = text_over("pagat")
    assert "  # A rule of pagat: change it, or uncomment another below instead.\n  targets:\n" in text
    assumed = {line.removeprefix("  # ").strip() for line in text.splitlines() if "assumes:" in line}
    assert assumed == {"assumes: house rule at our table"}


@pytest.mark.parametrize("base", ["pagat", "six-over", "tallyn", "weaver-four", "hearts", "whist"])
def test_the_first_change_is_a_whole_one(base: str) -> None:
    """No other rule repeats a number of the rule to begin with, which another would then contradict."""
    text = text_over(base)
    rules = {name: rule.text.text for name, rule in documented(base).whole.rules.items() if rule.text}
    (first,) = re.findall("^  ([a-z-]+):", text, re.M)
    numbers = {*re.findall(r"\d+", rules.pop(first))} - {"0", "1"}
    assert [name for name, rule in rules.items() if numbers & {*re.findall(r"\d+", rule)}] == []


@RUN
def test_a_game_without_a_base_states_what_every_game_needs() -> None:
    """It loads as it is, is in canonical form, follows the schema, lacks no rule, and no deal goes wrong."""
    text = starter_without_base(Path("no-base.yaml"))
    ruleset, wrong = Library([]).load_text(text, "no-base.yaml")
    assert ruleset is not None, [d.message for d in wrong]
    assert format_source(Source("no-base.yaml", text))[0] == text
    Draft7Validator(ruleset_schema()).validate(yaml.safe_load(text))
    named = re.findall("^  ([a-z-]+):$", text, re.M)
    assert named == ["deal", "lead", "follow", "trick-winner", "scoring", "end", "winner", "next-dealer"]
    findings = {x.check: x for x in found(ruleset, ["rules-complete", "no-fault", "end-reachable"])}
    assert {x.verdict for x in findings.values()} == {Verdict.PROVED}


def test_what_it_says_to_the_reader_fits_on_a_small_terminal() -> None:
    base = documented("pagat-kitty-first")
    lines = starter(Path("my.yaml"), base, base.id).splitlines()
    said = [line for line in lines if re.match(r"\s*# [A-Z]", line)]
    assert len(said) == 3
    assert max(map(len, said)) <= 80
