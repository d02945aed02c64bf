"""Help pages, versions, completion and manual pages: made of the same texts, within the width."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from checker.cli.console import run
from trickproof.checking.verdict import Verdict
from trickproof.checks import NAMES
from trickproof.cli.command_list import COMMANDS, EXAMPLES, example_lines
from trickproof.cli.console.progress import Clock
from trickproof.cli.shell_completion import VARIABLE
from trickproof.support.terminal import Terminal

NARROW = 60


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_two_examples(command: str) -> None:
    text = run(command, "--help").out
    assert len(EXAMPLES[command]) == 2
    assert all(line in text for line in example_lines(command))
    assert max(map(len, text.splitlines())) <= 100
    assert max(map(len, example_lines(command))) <= NARROW - 4
    assert "--color" in text


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_are_commands_with_such_options(command: str) -> None:
    for typed, _ in EXAMPLES[command]:
        name = typed.split()[0]
        if name != "eval":
            shown = run(name, "--help").out
            assert name in COMMANDS
            for option in re.findall(r"(?<!\S)--?[a-z-]+", typed.partition("|")[0]):
                assert option.rstrip("v") in shown, option


RUN_HERE = "check explain verify-certificate new validate fmt rulesheet table sources replay vectors list man"
"""Commands whose examples run within seconds, and end by themselves."""


@pytest.mark.slow
def test_examples_run_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for command in ("new", *RUN_HERE.replace(" new", "").split()):
        for typed, _ in EXAMPLES[command]:
            words, _, target = typed.partition(" | ")[0].partition(" > ")
            done = run(*words.replace("~", str(tmp_path)).split())
            assert done.code == 0, (typed, done.err)
            assert done.out or done.err or command == "fmt", typed
            if target:
                Path(target).write_text(done.out, encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "same"),
    [(["help"], ["--help"]), (["help", "explain"], ["explain", "--help"]), (["help", "help"], ["--help"])],
)
def test_help_as_a_word(words: list[str], same: list[str]) -> None:
    shown = run(*words)
    assert (shown.code, shown.out) == (0, run(*same).out)


def test_help_for_an_unknown_command() -> None:
    for args, meant in (
        (["pagat", "check", "-v"], "check pagat -v"),
        (["pagat"], "check pagat"),
        (["mine.yaml"], "check mine.yaml"),
    ):
        assert f"no command `{args[0]}`; did you mean `trickproof {meant}`?" in run(*args).err
    shown = run("help", "chekc")
    assert shown.code == 2
    assert "did you mean `check`?" in shown.err


@pytest.mark.parametrize(("columns", "widest"), [("80", 78), ("nine", 98), ("5000", 98)])
def test_piped_help_is_as_wide_as_columns_says(
    columns: str, widest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert widest - 8 <= max(map(len, run("check", "--help").out.splitlines())) <= widest


def test_commands_are_in_groups() -> None:
    text = run("--help").out
    assert re.search(r"^Write a house rule:\n  new  ", text, re.M)
    assert all(re.search(rf"^  {command}  +[A-Z]", text, re.M) for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_sentences_of_help_are_one_space_apart(command: str) -> None:
    assert re.findall(r"\S+[.:;]  [A-Z`]\S+", run(command, "--help").out) == []


def test_the_version_names_solver_and_python() -> None:
    assert re.fullmatch(r"trickproof \S+ \(z3 \S+, Python 3\.\d+\.\d+\S*\)\n", run("--version").out)


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("trickproof che", "check"),
        ("trickproof check pag", "pagat-kitty-first"),
        ("trickproof check --only zero-sum,targ", "zero-sum,target-total"),
        ("trickproof explain zero", "zero-sum"),
        ("trickproof explain e30", "E301"),
        ("trickproof simulate pagat --policy gr", "greedy"),
        ("trickproof simulate pagat --policy dealer=r", "random"),
        ("trickproof table --aspects kitty,tr", "kitty,trump"),
        ("trickproof new x.yaml --base tall", "tallyn"),
    ],
)
def test_values_are_completed(words: str, offered: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    assert f"plain,{offered}" in run().out.splitlines()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    script = run("completion", shell).out
    assert f"{VARIABLE}={shell}_complete" in script
    if shell == "bash":
        subprocess.run(["bash", "-n"], input=script, text=True, check=True, env={"PATH": os.defpath})


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("check pagat-k", ["file,pagat-k", "plain,pagat-kitty-first"]),
        ("check our", ["file,our", "plain,our-table.yaml"]),
        ("explain skat", ["plain,skat"]),
        ("man verify", ["plain,verify-certificate"]),
        ("validate --effects random,gr", ["plain,random,greedy"]),
        ("simulate pagat --policy dealer = search : 5", ["plain,50"]),
        ("simulate pagat --policy = gr", ["plain,greedy"]),
        ("simulate nine-five-two --param goal = 2", ["plain,20"]),
        ("play gamerules --reading exchange-order=h", ["plain,higher-target"]),
        ("sweep pagat --vary tar", ["plain,targets="]),
        ("sweep no-such-game --vary tar", []),
    ],
)
def test_completions_reach_the_user_of_bash(
    words: str, offered: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bash breaks words at `=` and `:`, continues there, and forgets what is offered before files are."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "our-table.yaml").write_text("ruleset: our-table\n", encoding="utf-8")
    monkeypatch.setenv("COMP_WORDS", f"trickproof {words}")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split())))
    monkeypatch.setenv(VARIABLE, "bash_complete")
    assert run().out.split() == offered


def test_manual_pages(tmp_path: object) -> None:
    page = run("man", "check").out
    assert page.startswith('.TH "TRICKPROOF-CHECK"')
    assert ".SH EXAMPLES" in page
    assert r"\-\-save\-witness" in page
    done = run("man", "-o", str(tmp_path))
    assert done.code == 0
    assert len(os.listdir(str(tmp_path))) == len(COMMANDS) + 1
    assert run("man", "chek").code == 2


@pytest.mark.parametrize(("typed", "hands"), [("1e2", "100"), ("1_00", "100"), ("2.5e2", "250")])
def test_numbers_as_people_write_them(typed: str, hands: str) -> None:
    assert f" {hands} deals" in run("simulate", "pagat", "--hands", typed, "--backend", "python").out


@pytest.mark.parametrize("typed", ["1.5", "1e-3", "2.55e1", "many", "0e1"])
def test_what_is_no_number_is_refused(typed: str) -> None:
    done = run("simulate", "pagat", "--hands", typed)
    assert (done.code, done.out) == (2, "")
    assert "--hands" in done.err


def test_the_pace_of_work() -> None:
    times = iter([0.0, 0.5, 2.0, 2.0, 4.0, 30.0])
    clock = Clock(1000, lambda: next(times))
    assert clock.pace(0) == ""
    assert clock.pace(0) == " 2 s"
    assert clock.pace(400) == " 2 s, 200/s, about 3 s left"
    assert clock.pace(400) == " 4 s, 200/s, about 1 s left"
    assert clock.pace(400) == " 30 s, 200/s"
    times = iter([0.0, 60.0, 120.0, 3000.0])
    clock = Clock(11, lambda: next(times), rate=False)
    assert clock.pace(1) == " 1 min 0 s, about 10 min left"
    assert clock.pace(1) == " 2 min 0 s, about 9 min left"
    assert clock.pace(2) == " 50 min 0 s, about 3 h 45 min left"
    times = iter([0.0, 2.0])
    assert Clock(None, lambda: next(times)).pace(7) == " 2 s"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["new"], "missing argument `FILE`, as in `trickproof new my.yaml --base pagat`"),
        (["rulesheet"], "missing argument `RULESET`, as in `trickproof rulesheet pagat`"),
        (["diff"], "missing argument `A B [C]...`, as in `trickproof diff pagat tallyn`"),
        (["simulate", "pagat", "my.yaml"], "argument `my.yaml`; to compare, write `--compare my.yaml`"),
        (
            ["sweep", "pagat", "--vary", "end", "10..12"],
            "`10..12`; values follow a `=`: `--vary NAME=10..12`",
        ),
        (["simulate", "nine-five-two", "--param", "goal", "10"], "Error: unexpected argument `10`\n"),
        (["nearest", "pagat", "my.yaml"], "Error: unexpected argument `my.yaml`\n"),
        (["completion"], "one of bash, zsh, fish, as in `trickproof completion fish | source`"),
        (
            ["play", "pagat", "--seat", "bob"],
            "expected `dealer`, `left` or `right`, or a number from 0 to 2, not `bob`",
        ),
    ],
)
def test_mistakes_on_the_command_line_say_what_to_write(arguments: list[str], said: str) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert said in done.err


def test_a_file_that_is_not_there_is_looked_for_nearby(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-table.yaml").write_text("ruleset: my-table\n", encoding="utf-8")
    assert "help: did you mean `my-table.yaml`?" in run("check", "my-tabel.yaml").err
    assert "it is a folder; name a file in it, such as `my-table.yaml`" in run("check", ".").err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("bid", "rulesheet spades`: a variable, which is of type integer for each player and is reset at"),
        (
            "hands-are-26-or-78",
            "at the end of every deal, the sum of all players' scores is a multiple of 26.",
        ),
        (
            "worth",
            "rulesheet hearts`: The worth of a card: 13 for the queen of spades",
        ),
    ],
)
def test_name_of_some_games_is_explained_with_their_rules(name: str, said: str) -> None:
    """A variable, an invariant and a rule."""
    asked = run("explain", name)
    assert asked.code == 0
    assert said in " ".join(asked.out.split())


def test_names_of_a_file_in_the_current_folder_are_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = "invariants:\n  few-tricks: {rule: number of tricks-taken of dealer <= 48, assumes: x}\n"
    (tmp_path / "mine.yaml").write_text(f"ruleset: mine\nextends: pagat\n{claim}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    asked = run("explain", "few-tricks")
    assert asked.code == 0
    assert asked.out.startswith("few-tricks: a name of mine")
    assert "In `trickproof rulesheet mine.yaml`: a claim to check" in asked.out
    assert "`trickproof sources mine.yaml`" in " ".join(run("explain", "mine.yaml").out.split())


def test_words_of_results_are_explained() -> None:
    assert run("explain", "refuted").out.startswith("refuted: the claim is false; ")
    everything = run("explain").out
    for name in (*NAMES, *Verdict):
        assert name in everything
    assert "one card\n  is returned for each card received." in run("explain", "exchange-balanced").out


def test_the_programs_manual_page_says_what_it_is_for() -> None:
    assert "trickproof \\- Turn the written rules of trick\\-taking card games" in run("man").out


def test_a_manual_page_on_a_terminal_comes_with_the_way_to_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("man", "list").err == ""
    monkeypatch.setattr("trickproof.cli.commands.man.terminal_output", lambda: Terminal(interactive=True))
    assert run("man", "list").err == "to read it: trickproof man list | man -l -\n"
