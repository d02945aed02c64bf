"""`simulate` and `sweep` as their users meet them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from budget import RUN
from checker.cli.console import Run, run
from checker.rulesets_for_tests import rule
from trickproof.simulate.options import ChoiceError, same_policies

ROOT = Path(__file__).parents[3]


def told(done: Run) -> Any:
    return json.loads(done.out)


def simulated(*arguments: str) -> Any:
    """The JSON of a run that goes well."""
    done = run("simulate", *arguments, "--json")
    assert (done.code, done.err) == (0, "")
    return told(done)


def test_json_has_the_form_of_the_contract() -> None:
    found = simulated("pagat", "--hands", "3000", "--seed", "5")
    keys = {"hands", "matches", "tricks_by_seat", "match_length", "win_share", "policy", "seed", "backend"}
    assert keys | {"hands_per_second"} <= found.keys()
    assert (found["hands"], found["policy"], found["seed"]) == (3000, "random", 5)
    assert sum(found["tricks_by_seat"]) == pytest.approx(16, abs=1e-4)
    assert {"mean", "low", "high"} <= found["match_length"].keys()
    length = found["match_length"]
    assert 1 <= length["low"] < length["mean"] < length["high"]
    assert sum(found["win_share"]) == pytest.approx(1, abs=1e-4)
    assert [seat["seat"] for seat in found["seats"]] == ["dealer", "left", "right"]


@RUN
def test_the_same_whoever_plays() -> None:
    """Bytes, the speed aside; the back end is told and changes nothing else."""
    outputs = set()
    for more in ([], ["--workers", "1"], ["--workers", "2"], ["--backend", "python"]):
        found = simulated("pagat", "--hands", "1500", *more)
        outputs.add(json.dumps({**found, "hands_per_second": 0, "backend": ""}))
    assert len(outputs) == 1
    other = simulated("pagat", "--hands", "1500", "--seed", "1")
    assert other["tricks_by_seat"] != json.loads(outputs.pop())["tricks_by_seat"]


def test_text_is_the_same_again() -> None:
    first = run("simulate", "pagat", "--hands", "900")
    assert first == run("simulate", "pagat", "--hands", "900")
    assert "results depend on the policy (here: random)" in first.out


def test_numbers_of_rollouts_are_written_as_those_of_deals() -> None:
    assert same_policies("search:1e3", 3) == same_policies("search:1000", 3) == "search:1000"
    for text in ("search:1e6", "search:0e3", "search:e3"):
        with pytest.raises(ChoiceError, match="rollouts from 1 to 100,000"):
            same_policies(text, 3)


@RUN
def test_matches_policies_parameters_readings() -> None:
    found = simulated("nine-five-two", "--matches", "40", "--param", "goal=20", "--policy", "dealer=greedy")
    assert (found["matches"], found["parameters"]) == (40, {"goal": 20})
    assert found["policy"] == {"dealer": "greedy", "left": "random", "right": "random"}
    read = simulated("gamerules", "--hands", "50", "--reading", "reveal=than-received")
    assert read["readings"] == {"reveal": "than-received"}


@RUN
@pytest.mark.parametrize(
    "name",
    [
        "weaver-four",
        "shawn-51",
        "tests/cases/rulesets/draw-two.yaml",
        "tests/cases/rulesets/forty-in-pairs.yaml",
        "rulesets/house/two-winners.yaml",
    ],
)
def test_one_hand_and_one_match(name: str) -> None:
    where = str(ROOT / name) if "/" in name else name
    assert simulated(where, "--hands", "1")["hands"] == 1
    assert run("simulate", where, "--hands", "1").code == 0
    assert simulated(where, "--matches", "1", "--seed", "-3")["matches"] == 1


def test_two_on_the_same_deals() -> None:
    done = run("simulate", "pagat", "--compare", "pagat-kitty-first", "--hands", "2000", "--json")
    found = told(done)
    assert (done.code, found["a"]["matches"]) == (0, found["b"]["matches"])
    assert sum(x["mean"] for x in found["difference"]["tricks_by_seat"]) == pytest.approx(0, abs=1e-4)
    alike = told(run("simulate", "pagat", "--compare", "pagat", "--hands", "500", "--json"))
    assert [x["mean"] for x in alike["difference"]["tricks_by_seat"]] == [0, 0, 0]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["pagat", "--hands", "5", "--matches", "5"], "not both"),
        (["pagat", "--hands", "0"], "0 is not in the range"),
        (["pagat", "--policy", "gredy"], "did you mean `greedy`?"),
        (["pagat", "--policy", "delear=greedy"], "did you mean `dealer`?"),
        (["pagat", "--param", "goal=5"], "no parameter `goal`"),
        (["nine-five-two", "--param", "goal=ten"], "expected a whole number"),
        (["gamerules", "--reading", "reveal=than-recieved"], "did you mean `than-received`?"),
        (["pagat", "--compare", "weaver-four"], "3 players"),
        (["pagat", "--compare", "pagat", "--hands", "1"], "no match"),
        (["pagat", "--svg", "/no/such/folder/x.svg"], "cannot write"),
        (["pagat", "--state", "/no/such/folder/x.json", "--hands", "10"], "cannot be written"),
        (["pagatt"], "pagat"),
    ],
)
def test_mistakes_are_told(arguments: list[str], says: str) -> None:
    done = run("simulate", *arguments)
    assert done.code == 2
    assert says in done.err
    assert "bug" not in done.err


def test_a_picture(tmp_path: Path) -> None:
    done = run("simulate", "pagat", "--hands", "2000", "--svg", str(tmp_path / "x.svg"))
    assert done.code == 0
    assert ET.parse(tmp_path / "x.svg").getroot().tag.endswith("svg")


def test_a_state_is_gone_on_from(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    arguments = ["simulate", "pagat", "--hands", "3000", "--state", str(state), "--json"]
    first, again = run(*arguments), run(*arguments)
    assert (first.code, again.code) == (0, 0)
    assert {**told(first), "hands_per_second": 0} == {**told(again), "hands_per_second": 0}
    other = run("simulate", "pagat", "--hands", "3001", "--state", str(state))
    assert (other.code, "belongs to another run" in other.err) == (2, True)
    state.write_text("{}")
    damaged = run(*arguments)
    assert (damaged.code, "is not a saved simulation" in damaged.err) == (2, True)


@RUN
@pytest.mark.parametrize("kept", [True, False])
def test_an_interrupted_run_tells_what_it_has(tmp_path: Path, own_cache: Path, kept: bool) -> None:
    state = tmp_path / "state.json"
    command = [sys.executable, "-c", "from trickproof.cli.main import main; main()", "simulate", "pagat"]
    command += [
        "--hands",
        "2000000000",
        "--workers",
        "1",
        "--json",
        *(["--state", str(state)] if kept else []),
    ]
    folders = os.pathsep.join(str(ROOT / folder) for folder in ("dsl", "checker"))
    run_ = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": folders},
    )
    limit = time.monotonic() + 30
    while not (state.exists() if kept else any(own_cache.rglob("*"))) and time.monotonic() < limit:
        time.sleep(0.05)
    time.sleep(0.1 if kept else 2)
    run_.send_signal(signal.SIGINT)
    out, err = run_.communicate(timeout=60)
    found = json.loads(out)
    assert (run_.returncode, found["interrupted"]) == (130, True)
    assert f"interrupted after {found['hands']:,} deals" in err
    assert "Traceback" not in err
    if kept:
        assert json.loads(state.read_text())["result"]["hands"] == found["hands"] > 0
        assert "resumes from there" in err
    else:
        assert "--state FILE" in err


@RUN
def test_sweep(shared_cache: Path) -> None:
    done = run("sweep", "pagat", "--vary", "end=11..12", "--hands", "2000", "--workers", "1", "--json")
    found = told(done)
    assert (done.code, [x["sound"] for x in found["members"]]) == (1, [False, True])
    assert found["members"][0]["rejected_by"] == ["unique-winner"]
    text = run("sweep", "pagat", "--vary", "end=11..12", "--hands", "2000", "--no-check")
    assert (text.code, text.out.count("unchecked")) == (0, 2)


def test_an_interrupted_sweep_says_what_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("trickproof.simulate.sweep.sweep", interrupted)
    done = run("sweep", "pagat", "--vary", "end=11..12", "--no-check")
    assert (done.out, done.code) == ("", 130)
    assert done.err == "interrupted after 0 of 2 rulesets; what was played of the next is lost\n"


def test_sweep_says_which_rules_have_the_same_numbers_if_a_member_is_unsound(shared_cache: Path) -> None:
    """A match that ends at 11 tricks but is won at 12 has no winner: `winner` has to be varied with `end`."""
    hint = "to vary them together, write `--vary end+winner=…`"
    for vary, told_of in (("end=11", True), ("end=12", False), ("end+winner=11", False)):
        done = run("sweep", "pagat", "--vary", vary, "--hands", "500", "--workers", "1")
        assert (hint in " ".join(done.out.split())) == told_of


@RUN
def test_sweep_says_which_flaws_of_the_ruleset_itself_do_not_count(
    tmp_path: Path, shared_cache: Path
) -> None:
    path = tmp_path / "late.yaml"
    path.write_text(f"ruleset: late\nextends: pagat\n{rule('end', 'some player has tricks >= 11')}")
    done = run("sweep", str(path), "--vary", "end=11", "--hands", "500", "--workers", "1")
    assert "late itself fails unique-winner: here `sound` means that nothing else is wrong" in " ".join(
        done.out.split()
    )


def test_sweep_says_when_wins_add_up_to_more() -> None:
    """And an interval that half its width would take below 0% has both its ends."""
    why = "several players can win a match, so wins can add up to more than 100%"
    for goal, several in (("6", True), ("13", False)):
        done = run("sweep", "pagat", "--vary", f"end+winner={goal}", "--hands", "5000", "--no-check")
        assert (why in done.out) == several
    assert re.search(r"\(\d\.\d to ", done.out)


@pytest.mark.parametrize(
    ("vary", "labels"),
    [
        (["end+winner=10..12"], [["10"], ["11"], ["12"]]),
        (["targets=8-5-3,9-5-2"], [["8-5-3"], ["9-5-2"]]),
        (["end=12", "targets=8-5-3,7-5-4"], [["12", "8-5-3"], ["12", "7-5-4"]]),
    ],
)
def test_sweep_varies(vary: list[str], labels: list[list[str]], tmp_path: Path) -> None:
    options = [x for one in vary for x in ("--vary", one)]
    picture = tmp_path / "x.svg"
    done = run("sweep", "pagat", *options, "--hands", "300", "--no-check", "--json", "--svg", str(picture))
    assert done.code == 0
    assert [list(x["values"].values()) for x in told(done)["members"]] == labels
    assert ET.parse(picture).getroot().tag.endswith("svg")


@RUN
def test_a_member_is_the_ruleset_with_its_numbers() -> None:
    """Varying a number to what it was changes nothing; parameters may be named with their rule."""
    same = told(run("sweep", "pagat", "--vary", "end+winner=12", "--hands", "2000", "--no-check", "--json"))
    assert (
        same["members"][0]["outcome"]["tricks_by_seat"]
        == simulated("pagat", "--hands", "2000")["tricks_by_seat"]
    )
    goal = told(
        run("sweep", "nine-five-two", "--vary", "end.goal=20", "--hands", "900", "--no-check", "--json")
    )
    alone = simulated("nine-five-two", "--param", "goal=20", "--hands", "900")
    assert goal["members"][0]["outcome"]["win_share"] == alone["win_share"]


@pytest.mark.parametrize(
    ("vary", "says"),
    [
        ("ende=1..2", "did you mean `end`, as in `end=12`?"),
        ("end", "expected a name and values"),
        ("end=", "expected a name and values"),
        ("end=a", "whole numbers"),
        ("end=9..1", "from low to high"),
        ("end=1..9999999", "at most"),
        ("targets=8..9", "3 numbers"),
        ("targets=8-5", "3 numbers"),
        ("end=12-13", "as in `end=12..14`; currently 12 (`some player has tricks >= 12`)"),
        (
            "targets=8-5",
            "as in `targets=8-5-4`; currently 8 (`target of dealer becomes 8`), 5 (`target of",
        ),
        (
            "exchange-amounts=1",
            "clockwise from giver:`) and 0, 1 (`if number of (players with over > 0) = 1:`)",
        ),
        ("end+targets=1", "do not have the same number of values"),
        ("lead=1", "contains no number"),
    ],
)
def test_sweep_tells_mistakes(vary: str, says: str) -> None:
    done = run("sweep", "pagat", "--vary", vary, "--no-check")
    assert done.code == 2
    assert says in " ".join(done.err.split())
    assert "bug" not in done.err
