"""How errors are worded, drawn, sorted and suggested."""

import pytest

from trickproof_dsl.diagnostics.catalogue import CATALOGUE, did_you_mean, error
from trickproof_dsl.diagnostics.diagnostic import Diagnostic, ErrorKind, as_json, render
from trickproof_dsl.diagnostics.source import Source, Span


def at(text: str, part: str, name: str = "game.yaml") -> Span:
    """The region of the first `part` in a text."""
    start = text.index(part)
    return Span(Source(name, text), start, start + len(part))


def made(template: str, help: str | None = None, /, **data: object) -> Diagnostic:
    return Diagnostic(ErrorKind("E999", "made-up", template, "", help=help), None, data)


def unknown(text: str, part: str, **data: object) -> Diagnostic:
    """An error whose message does not matter, at `part`."""
    return Diagnostic(ErrorKind("E999", "made-up", "here", ""), at(text, part), data)


def test_render_unknown_field() -> None:
    text = "id: x\ntittle: Sergeant Major\n"
    found = error(
        "E101", at(text, "tittle"), name="tittle", allowed=("id", "title"), help="did you mean `title`?"
    )
    assert render([found]) == (
        "error[E101]: unknown field `tittle`: expected `id` or `title`\n"
        " --> game.yaml:2:1\n"
        "  |\n"
        "2 | tittle: Sergeant Major\n"
        "  | ^^^^^^\n"
        "help: did you mean `title`?"
    )


def test_render_note_with_its_own_place() -> None:
    text = "a: 1\n" + "\n" * 8 + "a: 2\n"
    source = Source("game.yaml", text)
    found = error("E015", Span(source, 13, 14), name="a", notes=[("first given here", Span(source, 0, 1))])
    assert render([found]) == (
        "error[E015]: field `a` is given twice\n"
        "  --> game.yaml:10:1\n"
        "   |\n"
        "10 | a: 2\n"
        "   | ^\n"
        "note: first given here\n"
        " --> game.yaml:1:1\n"
        "  |\n"
        "1 | a: 1\n"
        "  | ^\n"
        "help: keep one of the two"
    )


def test_render_without_place() -> None:
    assert render([error("E001", None, file="no.yaml")]) == "error[E001]: file `no.yaml` not found"
    assert render([]) == ""


@pytest.mark.parametrize(
    ("text", "part", "drawn"),
    [
        ("ab cd", "cd", ["1 | ab cd", "  |    ^^"]),
        ("a\tcd", "cd", ["1 | a   cd", "  |     ^^"]),
        ("\tcd", "\t", ["1 |     cd", "  | ^^^^"]),
        ("日本 cd", "cd", ["1 | 日本 cd", "  |      ^^"]),
        ("日本 cd", "本", ["1 | 日本 cd", "  |   ^^"]),
        ("e\u0301 cd", "cd", ["1 | e\u0301 cd", "  |   ^^"]),
        ("a\u2028b\x1b[31m\u202ecd", "cd", ["1 | a\ufffdb\ufffd[31m\ufffdcd", "  |          ^^"]),
        ("ab cd  \nef", "cd  \nef", ["1 | ab cd", "  |    ^^"]),
        ("ab\r\ncd", "ab\r\ncd", ["1 | ab", "  | ^^"]),
        ("ab\ncd", "\n", ["1 | ab", "  |   ^"]),
        ("", "", ["1 |", "  | ^"]),
    ],
)
def test_underline(text: str, part: str, drawn: list[str]) -> None:
    assert render([unknown(text, part)]).split("\n")[3:] == drawn


@pytest.mark.parametrize(
    ("before", "part", "after", "line", "column"),
    [
        (0, "here", 500, "here" + "x" * 96 + "...", 0),
        (200, "here", 300, "..." + "x" * 33 + "here" + "x" * 63 + "...", 36),
        (500, "here", 0, "..." + "x" * 96 + "here", 99),
    ],
)
def test_long_lines_are_clipped(before: int, part: str, after: int, line: str, column: int) -> None:
    drawn = render([unknown("x" * before + part + "x" * after, part)]).split("\n")
    assert drawn[3:] == [f"1 | {line}", f"  | {' ' * column}^^^^"]


def test_long_span_is_clipped_with_its_line() -> None:
    drawn = render([unknown("y" * 400, "y" * 400)]).split("\n")
    assert drawn[3:] == ["1 | " + "y" * 100 + "...", "  | " + "^" * 100]


def test_sorted_and_without_duplicates() -> None:
    text = "a b c"
    errors = [unknown(text, part) for part in "cabca"] + [error("E001", None, file="a.yaml")]
    places = [line for line in render(errors).split("\n") if line.startswith(" -->")]
    assert places == [" --> game.yaml:1:1", " --> game.yaml:1:3", " --> game.yaml:1:5"]
    assert render(errors).startswith("error[E001]")
    assert render(errors) == render(reversed(errors))


@pytest.mark.parametrize(
    ("template", "data", "message"),
    [
        ("name `{name}`", {"name": "x"}, "name `x`"),
        ("name `{name}`", {}, "name `?`"),
        ("name `{name}`", {"name": None}, "name `?`"),
        ("name `{name}`", {"name": "{other}"}, "name `{other}`"),
        ("name `{name}`", {"name": "a\nb\x00\ud800"}, r"name `a\nb\x00\ud800`"),
        ("name `{name}`", {"name": "x" * 500}, "name `" + "x" * 117 + "...`"),
        ("{count} and {flag}", {"count": 3, "flag": True}, "3 and true"),
        ("one of {names}", {"names": ("a",)}, "one of `a`"),
        ("one of {names}", {"names": ("b", "a", "c")}, "one of `b`, `a` or `c`"),
        ("one of {names}", {"names": {"b", "a"}}, "one of `a` or `b`"),
        ("one of {names}", {"names": ()}, "one of "),
    ],
)
def test_message(template: str, data: dict[str, object], message: str) -> None:
    assert made(template, None, **data).message == message


def test_help_needs_all_its_data() -> None:
    assert made("x", "did you mean `{suggestion}`?", suggestion="y").suggestion == "did you mean `y`?"
    assert made("x", "did you mean `{suggestion}`?", suggestion=None).suggestion is None
    assert made("x", "did you mean `{suggestion}`?").suggestion is None
    assert made("x").suggestion is None


def test_help_is_longer_than_what_a_message_repeats() -> None:
    assert made("x", "{help}", help="y" * 300).suggestion == "y" * 300
    assert made("x", "{help}", help="y" * 301).suggestion == "y" * 297 + "..."


def test_json() -> None:
    text = "id: x\nplayers: three\n"
    found = error("E103", at(text, "three"), expected="an integer", found="text `three`")
    assert as_json(found) == {
        "code": "E103",
        "message": "expected an integer, found text `three`",
        "file": "game.yaml",
        "line": 2,
        "column": 10,
        "help": None,
    }
    missing = as_json(error("E001", None, file="a\udc80.yaml"))
    assert (missing["file"], missing["line"], missing["column"]) == (r"a\udc80.yaml", None, None)


def test_name_unknown_in_several_places_is_reported_once_with_what_to_add() -> None:
    source = Source("a.yaml", "if refuse:\n    p chooses refuse\n")
    used = error("E301", Span(source, 3, 9), name="refuse", help="declare it")
    chosen = error(
        "E301", Span(source, 25, 31), name="refuse", help="declare it, as in", lines="state:\n  refuse:"
    )
    assert render([chosen, used, used]).splitlines() == [
        "error[E301]: unknown name `refuse`",
        " --> a.yaml:1:4",
        "  |",
        "1 | if refuse:",
        "  |    ^^^^^^",
        "note: also at 2:15",
        "help: declare it, as in",
        "    state:",
        "      refuse:",
    ]
    assert as_json(chosen)["help"] == "declare it, as in\nstate:\n  refuse:"


def test_unknown_code_is_a_bug() -> None:
    with pytest.raises(KeyError):
        error("E000", None)


@pytest.mark.parametrize("kind", CATALOGUE.values(), ids=lambda kind: kind.code)
def test_catalogue_style(kind: ErrorKind) -> None:
    assert CATALOGUE[kind.code] is kind
    assert kind.explanation.endswith(".")
    assert kind.name == kind.name.lower()
    for text in filter(None, (kind.template, kind.help)):
        assert text[0] == text[0].lower()
        assert not text.endswith(".")
        assert text.count("`") % 2 == 0
    assert Diagnostic(kind, None, {}).message


def test_catalogue_names_are_unique() -> None:
    assert len({kind.name for kind in CATALOGUE.values()}) == len(CATALOGUE)
    assert list(CATALOGUE) == sorted(CATALOGUE)


@pytest.mark.parametrize(
    ("name", "candidates", "best"),
    [
        ("trik", ["trick", "trump"], "trick"),
        ("trickz", ["trick", "tricks"], "tricks"),
        ("tittle", ["id", "title"], "title"),
        ("ruel", ["rule", "rank"], "rule"),
        ("next_dealer", ["next-dealer"], "next-dealer"),
        ("Players", ["players"], "players"),
        ("player", ["players", "play"], "players"),
        ("cat", ["bat", "rat"], "bat"),
        ("cat", ["rat", "bat"], "bat"),
        ("xyzzy", ["trick"], None),
        ("id", ["is"], None),
        ("a", [], None),
        ("", ["a"], None),
        ("x" * 61, ["x" * 60], None),
    ],
)
def test_did_you_mean(name: str, candidates: list[str], best: str | None) -> None:
    assert did_you_mean(name, candidates) == best
