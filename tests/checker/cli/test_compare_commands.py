"""`diff`, `validate`, `nearest` and `quiz` on the command line: exit codes, the contract's JSON, wrong usage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from budget import RUN
from checker.cli.console import Run, run
from trickproof.english.vocabulary import ASPECTS

UNSOUND = "ruleset: ten\nextends: pagat\n\nrules:\n  end:\n    rule: some player has tricks >= 10\n    assumes: so agreed\n"
SAME = "ruleset: other-words\nextends: pagat\n\nrules:\n  end:\n    rule: some player has tricks > 11\n    assumes: so said\n"


def told(done: Run) -> Any:
    return json.loads(done.out)


def written(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


@RUN
def test_a_file_and_its_copy_are_called_by_their_files(tmp_path: Path) -> None:
    files = [
        written(tmp_path, name, text)
        for name, text in (("one.yaml", UNSOUND), ("two.yaml", UNSOUND.replace("10", "9")))
    ]
    said = " ".join(run("diff", *files, "--no-cache").out.split())
    assert said.startswith(f"{files[0]} and {files[1]}: 1 different")
    assert f"under {files[1]} but not under {files[0]}" in said


@RUN
def test_diff_has_the_form_of_the_contract() -> None:
    done = run("diff", "pagat", "pagat-kitty-first", "--json")
    assert done.code == 1
    found = told(done)
    assert (found["a"], found["b"]) == ("pagat", "pagat-kitty-first")
    assert [one["aspect"] for one in found["aspects"]] == list(ASPECTS)
    for one in found["aspects"]:
        assert one["status"] == ("different" if one["aspect"] in ("exchange-timing", "kitty") else "same")
        assert {"method", "a", "b", "witness"} <= one.keys()
        assert {"text", "where", "cites"} == one["a"].keys() == one["b"].keys()
        assert (one["witness"] is None) == (one["status"] == "same")


@RUN
def test_a_witness_replays_under_both(tmp_path: Path) -> None:
    found = told(run("diff", "pagat", "trumpet-major", "--json"))
    shown = [one["witness"] for one in found["aspects"] if one["witness"] is not None]
    assert len(shown) == 6
    for side in ("a", "b"):
        lines = "".join(json.dumps({**one["scenario"], "ruleset": found[side]}) + "\n" for one in shown)
        replayed = run("replay", "-", "--json", stdin=lines)
        answers = [json.loads(line) for line in replayed.out.splitlines()]
        assert [answer["state"] for answer in answers] == [one[side] for one in shown]
    assert all(one["a"] != one["b"] for one in shown if one["event"] is None)


def test_nothing_differs(tmp_path: Path) -> None:
    assert run("diff", "pagat", "pagat", "--json").code == 0
    other = written(tmp_path, "other-words.yaml", SAME)
    done = run("diff", "pagat", other)
    assert done.code == 0
    assert "pagat and other-words: 19 same" in done.out
    told_text = run("diff", "pagat", other, "--text", "--json")
    end = next(one for one in told(told_text)["aspects"] if one["aspect"] == "end")
    assert end["text"] == ["- some player has tricks >= 12", "+ some player has tricks > 11"]


@pytest.mark.slow
def test_validate_has_the_form_of_the_contract(tmp_path: Path) -> None:
    done = run("validate", written(tmp_path, "ten.yaml", UNSOUND), "--hands", "3000", "--json")
    found = told(done)
    assert (done.code, found["verdict"]) == (1, "rejected")
    assert (found["id"], found["base"]) == ("ten", "pagat")
    keys = {"findings", "new_findings", "changes", "effects"}
    assert keys <= found.keys()
    assert [one["check"] for one in found["new_findings"]] == ["unique-winner"]
    assert found["new_findings"][0]["witness"] is not None
    assert [one["aspect"] for one in found["changes"]] == ["end"]
    assert {"open", "fixes", "warnings"} <= found.keys()
    assert list(found["effects"]) == ["greedy", "random"]
    for played in found["effects"].values():
        assert {"hands", "matches", "measures", "note"} <= played.keys()
        for measure in played["measures"]:
            assert {"name", "seat", "base", "house", "difference"} <= measure.keys()
            assert {"value", "low", "high"} == measure["difference"].keys()
        (length,) = [x for x in played["measures"] if x["name"] == "deals-per-match"]
        assert length["house"] < length["base"]  # as many matches, which end sooner
        assert length["difference"]["high"] < 0


@RUN
def test_effects_are_of_the_policies_that_are_named(tmp_path: Path) -> None:
    path = written(tmp_path, "other-words.yaml", SAME)
    assert told(run("validate", path, "--effects", "none", "--json"))["effects"] == {}
    wrong = run("validate", path, "--effects", "greedy,clever")
    assert wrong.code == 2
    assert "no policy `clever`" in wrong.err


@RUN
def test_a_rule_that_changes_nothing_is_accepted_with_the_reason(tmp_path: Path) -> None:
    done = run("validate", written(tmp_path, "other-words.yaml", SAME), "--effects", "none")
    assert done.code == 0
    first = done.out.splitlines()[0]
    assert first.startswith("other-words: accepted, changes nothing (because `end` does the same as in pagat")
    assert "Next, change a rule; then: trickproof validate" in done.out
    helper = 'ruleset: helper\nextends: pagat\nrules:\n  under: {of: player p, rule: "0 - over of p", assumes: so}\n'
    helped = run("validate", written(tmp_path, "helper.yaml", helper), "--effects", "none")
    assert helped.out.startswith(
        "helper: accepted, changes nothing (because `under` does the same as in pagat"
    )


@RUN
def test_a_fix_that_leaves_no_house_rule_is_not_what_to_do_next(tmp_path: Path) -> None:
    rules = """\
rules:
  exchange-returns:
    rule: taker returns lowest of hand matching gift(giver, taker) to giver as returned(taker, giver)
    assumes: we find it hard to give up aces
"""
    path = written(tmp_path, "house.yaml", f"ruleset: house\nextends: pagat\n{rules}")
    done = run("validate", path, "--effects", "none")
    assert "so no house rule is left" in " ".join(done.out.split())
    assert "Next, apply a fix" not in done.out


@RUN
def test_where_nothing_changes_no_effects_are_shown(tmp_path: Path) -> None:
    done = run(
        "validate", written(tmp_path, "other-words.yaml", SAME), "--effects", "random", "--hands", "50"
    )
    assert (done.code, "effect on play" in done.out) == (0, False)


@RUN
def test_a_file_without_a_base_is_judged_by_its_checks(tmp_path: Path) -> None:
    found = told(run("validate", "trumpet-major", "--hands", "0", "--json"))
    assert (found["base"], found["verdict"], found["changes"], found["effects"]) == (None, "accepted", [], {})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["diff", "pagat"], "two rulesets are needed"),
        (["diff", "pagat", "pagta"], "did you mean `pagat`?"),
        (["diff"], "missing argument"),
        (["validate", "nowhere.yaml"], "file `nowhere.yaml` not found"),
        (["validate"], "missing argument"),
        (["nearest", "six-ovr"], "did you mean `six-over`?"),
        (["quiz", "pagat"], "two rulesets are needed"),
    ],
)
def test_wrong_usage(arguments: list[str], says: str) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert says in done.err
    assert done.out == ""
    assert "Traceback" not in done.err


def test_a_house_rule_that_does_not_load_is_told_with_its_place(tmp_path: Path) -> None:
    bad = written(tmp_path, "bad.yaml", UNSOUND.replace("has tricks", "has trick-s"))
    done = run("validate", bad)
    assert done.code == 2
    assert "bad.yaml:6:27" in done.err
    assert "did you mean `tricks`" in done.err


@pytest.mark.parametrize(
    "command", [["check", "six-over"], ["validate", "six-over"], ["diff", "pagat", "six-over"]]
)
def test_a_scheduler_that_does_not_answer_is_named(command: list[str]) -> None:
    pytest.importorskip("distributed")
    done = run(*command, "--scheduler", "tcp://127.0.0.1:9")
    assert done.code == 2
    assert "no scheduler answers at `tcp://127.0.0.1:9`" in done.err
    both = run(*command, "--scheduler", "tcp://127.0.0.1:9", "--workers", "2")
    assert (both.code, "not both" in both.err) == (2, True)


@pytest.mark.slow
def test_a_cluster_answers_as_this_machine_does(tmp_path: Path) -> None:
    """With a worker in a process of its own: the solver is not made for two threads of one."""
    distributed = pytest.importorskip("distributed")
    files = [written(tmp_path, "other-words.yaml", SAME), written(tmp_path, "ten.yaml", UNSOUND)]
    here = run("validate", *files, "--effects", "none", "--workers", "1")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, protocol="tcp", dashboard_address=None
    ) as cluster:
        there = run("validate", *files, "--effects", "none", "--scheduler", cluster.scheduler_address)
        diff = run("diff", "pagat", "trumpet-major", "--scheduler", cluster.scheduler_address)
    assert (there.code, there.out) == (here.code, here.out)
    assert diff.out == run("diff", "pagat", "trumpet-major").out
