"""From files to a ruleset: `extends`, names and paths, documents, citations."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.small_games import BUNDLED, ROOT
from trickproof_dsl import Library, Ruleset, play_hand, random_player, render
from trickproof_dsl.core.well_formed import violations
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.files.yaml_tree import MAX_ERRORS
from trickproof_dsl.library import prelude

BASE = """\
ruleset: base
title: Base
players: 2
state:
  n: {type: integer}
rules:
  hand: {rule: n becomes amount, assumes: x}
  amount: {rule: 1, assumes: x}
"""
HOUSE = """\
ruleset: house
title: House
extends: base
rules:
  amount: {rule: 2, assumes: at home}
"""
DOCUMENT = """\
document: source
title: A source
author: Somebody
language: en
date: "2000"
original: https://example.org
statements:
  s1: {at: {section: One, paragraph: 1, sentence: 1}, kind: rule, says: One.}
  s2: {at: {section: One, paragraph: 1, sentence: 2}, kind: rule, says: Two.}
"""


def write(folder: Path, **files: str) -> Library:
    """Files by name (`documents__x` for one in a folder), and a library of the folder."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.yaml"
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, encoding="utf-8")
    return Library([folder])


def good(loaded: tuple[Ruleset | None, list[Diagnostic]]) -> Ruleset:
    ruleset, problems = loaded
    assert ruleset is not None, render(problems)
    assert problems == []
    return ruleset


def amount(ruleset: Ruleset) -> int:
    n: int = play_hand(ruleset, [random_player(), random_player()]).variable("n")
    return n


def codes(loaded: tuple[Ruleset | None, list[Diagnostic]]) -> list[str]:
    ruleset, problems = loaded
    assert ruleset is None
    return [d.code for d in problems]


# ---------------------------------------------------------------------------------------------- extends


def test_a_rule_replaces_that_of_the_base(tmp_path: Path) -> None:
    library = write(tmp_path, base=BASE, house=HOUSE)
    base, house = good(library.load("base")), good(library.load("house"))
    assert (amount(base), amount(house)) == (1, 2)
    assert (house.id, house.title, house.extends, base.extends) == ("house", "House", "base", None)
    assert house.base is base
    assert list(house.own.rules) == ["amount"]
    assert {"hand", "amount", "trick"} <= set(house.whole.rules)


def test_a_house_rule_of_a_house_rule(tmp_path: Path) -> None:
    third = HOUSE.replace("house", "third").replace("extends: base", "extends: house").replace("2", "3")
    library = write(tmp_path, base=BASE, house=HOUSE, third=third)
    assert amount(good(library.load("third"))) == 3


def test_state_and_title_come_from_the_base(tmp_path: Path) -> None:
    plain = "ruleset: house\nextends: base\nstate:\n  k: {type: integer}\n"
    house = good(write(tmp_path, base=BASE, house=plain).load("house"))
    assert house.title == "Base: house"
    assert {"n", "k", "tricks"} <= set(house.program.variables)
    assert amount(house) == 1


def test_without_a_base_the_standard_vocabulary_is_the_base(tmp_path: Path) -> None:
    base = good(write(tmp_path, base=BASE).load("base"))
    assert base.base is None
    assert set(prelude().rules) <= set(base.whole.rules)
    assert base.program.deck.cards[:2] == ("2C", "3C")


def test_a_replacement_must_fit(tmp_path: Path) -> None:
    base = BASE.replace("amount, as", "amount of dealer, as").replace("amount: {", "amount: {of: player p, ")
    library = write(tmp_path, base=base, house=HOUSE.replace("{rule: 2", "{of: card c, rule: 2"))
    assert "E410" in codes(library.load("house"))
    assert amount(good(write(tmp_path, base=base, house=HOUSE).load("house"))) == 2


def test_going_in_a_circle(tmp_path: Path) -> None:
    base = BASE + "extends: house\n"
    library = write(tmp_path, base=base, house=HOUSE, self=HOUSE.replace("base", "self"))
    _, (problem,) = library.load("house")
    assert problem.code == "E402"
    assert problem.message == "`extends` is circular: house → base → house"
    assert codes(library.load("base")) == ["E402"]
    _, (problem,) = library.load("self")
    assert problem.message == "`extends` is circular: self → self"


def test_a_file_named_like_its_base_extends_the_one_in_the_folders(tmp_path: Path) -> None:
    write(tmp_path / "mine", base=HOUSE.replace("house", "base"), yard=HOUSE.replace("house", "yard"))
    library = write(tmp_path / "known", base=BASE)
    own = good(library.load(str(tmp_path / "mine" / "base.yaml")))
    assert (amount(own), own.id, own.extends) == (2, "base.yaml", "base")
    yard = good(library.load(str(tmp_path / "mine" / "yard.yaml")))
    assert yard.base is own


def test_a_missing_base_is_told_where_it_is_named(tmp_path: Path) -> None:
    library = write(tmp_path, base=BASE, house=HOUSE.replace("extends: base", "extends: bsae"))
    _, (problem,) = library.load("house")
    assert (problem.code, problem.suggestion) == ("E401", "did you mean `base`?")
    assert problem.span is not None
    assert (problem.span.line, problem.span.column) == (3, 10)


def test_a_base_named_by_its_title_is_told_the_rulesets_of_that_title(tmp_path: Path) -> None:
    titled = BASE.replace("title: Base", "title: The Old Game (one page)")
    library = write(tmp_path, base=titled, house=HOUSE.replace("extends: base", "extends: old-game"))
    _, (problem,) = library.load("house")
    assert problem.suggestion == "rulesets with `old game` in their titles: base"


def test_what_is_wrong_with_a_base_is_told_in_its_file(tmp_path: Path) -> None:
    library = write(tmp_path, base=BASE.replace("amount, ", "amuont, "), house=HOUSE)
    _, (problem,) = library.load("house")
    assert problem.code == "E301"
    assert problem.file == f"{tmp_path.name}/base.yaml"


def test_a_rule_that_breaks_a_rule_of_the_base_is_told(tmp_path: Path) -> None:
    library = write(tmp_path, base=BASE, house=HOUSE.replace("rule: 2", "rule: hearts"))
    _, problems = library.load("house")
    assert [d.code for d in problems] == ["E302"]


# -------------------------------------------------------------------------------------- names and paths


def test_by_id_and_by_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = write(tmp_path, base=BASE, house__house=HOUSE)
    assert good(library.load("house")) is good(library.load(str(tmp_path / "house" / "house.yaml")))
    monkeypatch.chdir(tmp_path)
    assert amount(good(Library().load("base.yaml"))) == 1
    assert amount(good(Library().load("./base.yaml"))) == 1
    assert codes(Library().load("base")) == ["E401"]
    monkeypatch.chdir(tmp_path / "house")
    assert amount(good(Library().load("../base.yaml"))) == 1
    assert codes(Library().load("../nothing.yaml")) == ["E001"]
    assert codes(Library().load("..")) == ["E401"]


def test_a_base_is_found_beside_the_file_before_the_folders(tmp_path: Path) -> None:
    library = write(tmp_path / "known", base=BASE)
    write(tmp_path / "mine", house=HOUSE)
    path = str(tmp_path / "mine" / "house.yaml")
    assert good(library.load(path)).base is good(library.load("base"))
    write(
        tmp_path / "mine",
        base=BASE.replace("title: Base", "title: Mine"),
        house=HOUSE.replace("rule: 2", "rule: 9"),
    )
    mine = good(Library([tmp_path / "known"]).load(path))
    assert mine.base is not None
    assert mine.base.title == "Mine"


def test_a_base_in_another_folder(tmp_path: Path) -> None:
    write(tmp_path / "games", base=BASE)
    write(tmp_path / "mine", house=HOUSE.replace("extends: base", "extends: ../games/base.yaml"))
    assert amount(good(Library().load(str(tmp_path / "mine" / "house.yaml")))) == 2


def test_the_first_folder_comes_first(tmp_path: Path) -> None:
    write(tmp_path / "a", base=BASE)
    write(tmp_path / "b", base=BASE.replace("rule: 1", "rule: 7"), other=BASE.replace("base", "other"))
    library = Library([tmp_path / "b", tmp_path / "a"])
    assert amount(good(library.load("base"))) == 7
    assert library.documented() == ["base", "other"]


def test_text_can_be_loaded_too() -> None:
    assert amount(good(Library().load_text(BASE, "anything.yaml"))) == 1
    ruleset, problems = BUNDLED.load_text("ruleset: x\nextends: pagat\n", "x.yaml")
    assert ruleset is not None, render(problems)
    assert ruleset.extends == "pagat"


def test_files_are_named_alike_on_every_machine() -> None:
    pagat = good(BUNDLED.load("pagat"))
    assert pagat.own.source.name == "rulesets/pagat.yaml"
    assert BUNDLED.shown(ROOT / "README.md") == str(ROOT / "README.md")


def test_a_file_is_read_once(tmp_path: Path) -> None:
    library = write(tmp_path, base=BASE)
    first = good(library.load("base"))
    (tmp_path / "base.yaml").unlink()
    library_again = library.load(str(tmp_path / "base.yaml"))
    assert library_again[0] is first


# -------------------------------------------------------------------------------- documents and citations


CITING = BASE.replace("players: 2", "documents: [source]\nplayers: 2").replace(
    "amount: {rule: 1, assumes: x}", "amount: {rule: 1, cites: [source.s1]}"
)


def test_documents_of_the_folders_and_beside_the_file(tmp_path: Path) -> None:
    library = write(tmp_path / "known", documents__source=DOCUMENT)
    write(tmp_path / "mine", base=CITING)
    path = str(tmp_path / "mine" / "base.yaml")
    assert list(good(library.load(path)).documents) == ["source"]
    assert set(codes(Library().load(path))) == {"E403"}
    write(tmp_path / "mine", documents__source=DOCUMENT.replace("A source", "Mine"))
    mine = good(Library([tmp_path / "known"]).load(path))
    assert mine.documents["source"].title == "Mine"


@pytest.mark.parametrize(
    ("cites", "code", "help_"),
    [
        ("source.s3", "E404", "did you mean `s1`?"),
        ("sorce.s1", "E403", "did you mean `source`?"),
        ("source", "E113", "write document, dot, statement"),
    ],
)
def test_citations_are_checked(tmp_path: Path, cites: str, code: str, help_: str | None) -> None:
    library = write(tmp_path, base=CITING.replace("source.s1", cites), documents__source=DOCUMENT)
    _, (problem,) = library.load("base")
    assert problem.code == code
    assert problem.suggestion == help_ or code == "E404"
    assert problem.span is not None
    assert problem.span.text == cites


def test_citations_of_readings_examples_invariants_and_players_are_checked(tmp_path: Path) -> None:
    text = CITING.replace("players: 2", "players: {number: 2, cites: [source.s8]}").replace(
        "amount: {rule: 1, cites: [source.s1]}",
        "amount:\n    readings:\n      - {name: a, says: a, rule: 1, cites: [source.s9]}\n"
        "      - {name: b, says: b, rule: 2, cites: [source.s2]}\n    cites: [source.s1]",
    )
    text += "invariants:\n  small: {rule: n < 9, when: always, cites: [source.s7]}\n"
    library = write(tmp_path, base=text, documents__source=DOCUMENT)
    _, problems = library.load("base")
    assert sorted((d.code, d.span.text) for d in problems if d.span) == [
        ("E404", "source.s7"),
        ("E404", "source.s8"),
        ("E404", "source.s9"),
    ]


def test_every_rule_rests_on_something(tmp_path: Path) -> None:
    library = write(tmp_path, base=BASE.replace("amount: {rule: 1, assumes: x}", "amount: {rule: 1}"))
    assert codes(library.load("base")) == ["E409"]


def test_a_broken_document_is_told_in_its_file(tmp_path: Path) -> None:
    library = write(tmp_path, base=CITING, documents__source=DOCUMENT.replace("kind: rule", "kind: ruel", 1))
    _, problems = library.load("base")
    assert problems[0].file == f"{tmp_path.name}/documents/source.yaml"


def test_a_house_rule_cites_the_documents_of_its_base(tmp_path: Path) -> None:
    house = HOUSE.replace("assumes: at home", "cites: [source.s2]")
    library = write(tmp_path, base=CITING, house=house, documents__source=DOCUMENT)
    assert list(good(library.load("house")).documents) == ["source"]


# ----------------------------------------------------------------------------------------------- bundled


def test_everything_bundled_loads() -> None:
    for name in BUNDLED.ruleset_paths():
        assert good(BUNDLED.load(name)).id == name
    for name in BUNDLED.document_paths():
        document, problems = BUNDLED.document(name)
        assert document is not None, render(problems)


def test_variants_extend_their_documents_main_rules() -> None:
    variants = [
        "pagat-kitty-first",
        "pagat-all-sixteen",
        "shawn-51",
        "nine-five-two",
        "tallyn",
        "weaver-four",
    ]
    bases = {name: good(BUNDLED.load(name)).extends for name in variants}
    assert set(bases.values()) <= {"pagat", "nine-five-two"}


# ------------------------------------------------------------------------- what a variant makes meaningless

ASKING = """
ruleset: base
title: Base
players: {number: 3, assumes: x}
parameters: {goal: 5 | 9}
rules:
  end: {rule: do-we-end, assumes: x}
  do-we-end:
    readings:
      - {name: early, rule: some player has tricks >= goal, assumes: x}
      - {name: late, rule: every player has tricks >= 1, assumes: x}
"""
SETTLED = "ruleset: heir\ntitle: Heir\nextends: base\nrules:\n  end: {rule: some player has tricks >= 7, assumes: x}\n"


def test_what_no_rule_that_runs_asks_for_is_neither_agreed_on_nor_read(tmp_path: Path) -> None:
    """The helper rule of the base is still there, but nothing comes to it any more."""
    library = write(tmp_path, base=ASKING, heir=SETTLED)
    base, heir = (good(library.load(name)).program for name in ("base", "heir"))
    assert (base.parameters, base.readings) == ({"goal": (5, 9)}, {"do-we-end": ("early", "late")})
    assert (heir.parameters, heir.readings) == ({}, {})
    assert "do-we-end" not in heir.rules
    assert not violations(heir)


def test_an_heir_can_bring_back_what_its_base_does_not_ask_for(tmp_path: Path) -> None:
    third = (
        "ruleset: third\ntitle: Third\nextends: heir\nrules:\n  winner: {rule: players with tricks >= goal, assumes: x}\n"
        "  end: {rule: do-we-end, assumes: x}\n"
    )
    program = good(write(tmp_path, base=ASKING, heir=SETTLED, third=third).load("third")).program
    assert (program.parameters, program.readings) == ({"goal": (5, 9)}, {"do-we-end": ("early", "late")})


def test_what_an_invariant_or_an_example_asks_for_stays(tmp_path: Path) -> None:
    stated = "invariants:\n  low: {rule: every player has tricks < goal + 60, assumes: x}\n"
    heir = good(write(tmp_path, base=ASKING, heir=SETTLED + stated).load("heir"))
    assert heir.program.parameters == {"goal": (5, 9)}


def test_errors_of_a_file_and_of_its_rule_text_are_limited_together() -> None:
    rules = "rules:\n" + "".join(f"  r{n}: {{rule: = , assumes: a test}}\n" for n in range(60))
    text = "ruleset: many\ntitle: Many\n" + "title: again\n" * 60 + rules
    ruleset, wrong = Library().load_text(text, "many.yaml")
    assert ruleset is None
    assert len(wrong) == MAX_ERRORS + 1
