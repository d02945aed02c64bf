"""YAML as a tree of text with exact places, and everything that is refused on the way."""

import time
from pathlib import Path

import pytest
import yaml

from trickproof_dsl.diagnostics.catalogue import CATALOGUE
from trickproof_dsl.diagnostics.diagnostic import Diagnostic, render
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.files import yaml_tree as yamltree
from trickproof_dsl.files.yaml_tree import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_ERRORS,
    MAX_EVENTS,
    Mapping,
    Node,
    Scalar,
    Sequence,
    as_boolean,
    as_integer,
    describe,
    first_errors,
    is_null,
    load_tree,
    read_source,
    rule_text,
)


@pytest.fixture(params=["CSafeLoader", "SafeLoader"] if yaml.__with_libyaml__ else ["SafeLoader"])
def both_loaders(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the test with the C loader and with the fallback."""
    monkeypatch.setattr(yamltree, "_LOADER", getattr(yaml, request.param))


def tree(text: str) -> Mapping:
    top, found = load_tree(Source("f.yaml", text))
    assert found == []
    assert top is not None
    return top


def scalar(text: str, name: str = "a") -> Scalar:
    node = tree(text).get(name)
    assert isinstance(node, Scalar)
    return node


def codes(text: str) -> list[tuple[str, int, int]]:
    """Code, line and column of everything found, in the order of the file."""
    spans = [(d.code, d.span) for d in load_tree(Source("f.yaml", text))[1] if d.span]
    return [(code, span.line, span.column) for code, span in sorted(spans, key=lambda pair: pair[1].start)]


def plain(node: Node) -> object:
    """The tree as Python lists, dicts and strings."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {entry.key.value: plain(entry.value) for entry in node.entries}


@pytest.mark.usefixtures("both_loaders")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 1\nb: x y\n", {"a": "1", "b": "x y"}),
        ("---\na: 1\n...\n", {"a": "1"}),
        ("%YAML 1.1\n---\na: 1\n", {"a": "1"}),
        ("a:\nb: ~\n", {"a": "", "b": "~"}),
        ("a: [1, {b: c}, [d: e]]\n", {"a": ["1", {"b": "c"}, [{"d": "e"}]]}),
        ("a:\n- 1\n- - 2\n  - 3\n", {"a": ["1", ["2", "3"]]}),
        ("a: 'it''s'\nb: \"x\\ty\"\n", {"a": "it's", "b": "x\ty"}),
        ("a: |\n  x\n    y\n\n\nb: 1\n", {"a": "x\n  y\n", "b": "1"}),
        ("a: >-\n  x\n  y\n", {"a": "x y"}),
        ("a: 1\r\nb: |\r\n  x\r\n  y\r\n", {"a": "1", "b": "x\ny\n"}),
        ("a: 1\rb: 2\r", {"a": "1", "b": "2"}),
        ("a: x # c\n", {"a": "x"}),
        ("a: no\nb: 12:30\nc: 010\nd: 1e3\n", {"a": "no", "b": "12:30", "c": "010", "d": "1e3"}),
        ("no: 1\n'<<': 2\n", {"no": "1", "<<": "2"}),
        ("a: x\u2028y\u0085z\u2029\nb: 1\n", {"a": "x\u2028y\u0085z\u2029", "b": "1"}),
        ("a: |\n  x\u2028y\nb: 1\n", {"a": "x\u2028y\n", "b": "1"}),
        ("\U0001f0a1: ä\nb: 1\n", {"\U0001f0a1": "ä", "b": "1"}),
    ],
)
def test_tree(text: str, value: object) -> None:
    assert plain(tree(text)) == value


@pytest.mark.usefixtures("both_loaders")
@pytest.mark.parametrize(
    ("text", "regions"),
    [
        ("é: \u2028b\nc:  d # e\n", ["é: \u2028b\nc:  d", "é", "\u2028b", "c", "d"]),
        ("a:\n  - x\n\n# c\nb:\n", ["a:\n  - x\n\n# c\nb:", "a", "- x", "x", "b", ""]),
        ("a:\n  b: 1\n\n# c\n", ["a:\n  b: 1", "a", "b: 1", "b", "1"]),
        ("a: [x , ]\n", ["a: [x , ]", "a", "[x , ]", "x"]),
        ("a: { }\n\n", ["a: { }", "a", "{ }"]),
        ("a: [b: c]\n", ["a: [b: c]", "a", "[b: c]", "b: c", "b", "c"]),
        ("a: |  # c\n  x\n\n\n# d\nb: 1", ["a: |  # c\n  x\n\n\n# d\nb: 1", "a", "|  # c\n  x", "b", "1"]),
        ("a: >\r\n  x\r\n  y\r\n\r\n", ["a: >\r\n  x\r\n  y", "a", ">\r\n  x\r\n  y"]),
        ("a: 'x'\n\"b\": y\n", ["a: 'x'\n\"b\": y", "a", "'x'", '"b"', "y"]),
        ("\U0001f0a1: x\nb: 'y'\n", ["\U0001f0a1: x\nb: 'y'", "\U0001f0a1", "x", "b", "'y'"]),
        ("a: x\n  y\n\n", ["a: x\n  y", "a", "x\n  y"]),
    ],
)
def test_regions(text: str, regions: list[str]) -> None:
    def walk(node: Node) -> list[str]:
        here = [node.span.text]
        if isinstance(node, Sequence):
            return here + [text for item in node.items for text in walk(item)]
        if isinstance(node, Mapping):
            return here + [
                text for entry in node.entries for part in (entry.key, entry.value) for text in walk(part)
            ]
        return here

    assert walk(tree(text)) == regions


@pytest.mark.usefixtures("both_loaders")
@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("a: x y\n", "x y"),
        ("a: 'x y'\n", "x y"),
        ('a: "x y"\n', "x y"),
        ("a: ''\n", ""),
        ("a:\n", ""),
        ("a: |\n  x\n    y\nb: 1\n", "  x\n    y"),
        ("a: |\n\n\n  x\n\n  y\n\n\nb: 1\n", "  x\n\n  y"),
        ("a: |2-  # c\n    x\n  y", "    x\n  y"),
        ("a: |+\n  x \n   \n", "  x "),
        ("a: |\n  x\n # c\nb: 1\n", "  x"),
        ("a: |\n  # c\n  x\n", "  # c\n  x"),
        ("a: |\n  x\n  \ty\n", "  x\n  \ty"),
        ("a: |\r\n  x\r\n  y\r\nb: 1\r\n", "  x\r\n  y"),
        ("a: |\n  x\u2028y\u0085\n  z\n", "  x\u2028y\u0085\n  z"),
        ("b:\n  - a: |\n      x\n    c: 1\na: |\n y", " y"),
        ("a: |\n", ""),
        ("a: |\n\n\nb: 1\n", ""),
        ("a: >\n  x\n", None),
        ("a: x\n  y\n", None),
        ("a: 'x\n  y'\n", None),
        ("a: 'it''s'\n", None),
        ('a: "x\\n"\n', None),
        ('a: "\\x78"\n', None),
    ],
)
def test_body(text: str, body: str | None) -> None:
    found = scalar(text).body
    assert (found.text if found else None) == body


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a: >\n  x\n", "a `>` block"),
        ("a: x\n  y\n", "text over several lines"),
        ("a: 'x\n  y'\n", "text over several lines"),
        ('a: "x\u2028\\t"\n', "quoted text with escapes"),
    ],
)
def test_rule_text_has_an_exact_place(text: str, found: str) -> None:
    problem = rule_text(scalar(text))
    assert isinstance(problem, Diagnostic)
    assert problem.message == f"expected rule text on one line or in a `|` block, found {found}"
    assert (
        problem.suggestion == "write `|` behind the field, as in `rule: |`, and the text below it, indented"
    )


def test_rule_text_is_the_body() -> None:
    span = rule_text(scalar("a: |\n  x\n"))
    assert isinstance(span, Span)
    assert (span.text, span.line, span.column) == ("  x", 2, 1)


@pytest.mark.parametrize(
    ("value", "integer", "boolean", "null", "words"),
    [
        ("0", 0, None, False, "integer `0`"),
        ("12", 12, None, False, "integer `12`"),
        ("-3", -3, None, False, "integer `-3`"),
        ("010", None, None, False, "text `010`"),
        ("0x1F", None, None, False, "text `0x1F`"),
        ("1_000", None, None, False, "text `1_000`"),
        ("+1", None, None, False, "text `+1`"),
        ("12:30", None, None, False, "text `12:30`"),
        ("1.0", None, None, False, "text `1.0`"),
        ("1e3", None, None, False, "text `1e3`"),
        ("٣", None, None, False, "text `٣`"),
        ("9" * 18, 10**18 - 1, None, False, "integer `999999999999999999`"),
        ("9" * 5000, None, None, False, "text `" + "9" * 57 + "...`"),
        ("'1'", None, None, False, "text `1`"),
        ("true", None, True, False, "truth value `true`"),
        ("false", None, False, False, "truth value `false`"),
        ("True", None, None, False, "text `True`"),
        ("yes", None, None, False, "text `yes`"),
        ("no", None, None, False, "text `no`"),
        ("on", None, None, False, "text `on`"),
        ("'true'", None, None, False, "text `true`"),
        ("", None, None, True, "nothing"),
        ("~", None, None, True, "nothing"),
        ("null", None, None, True, "nothing"),
        ("''", None, None, False, "empty text"),
        ("'null'", None, None, False, "text `null`"),
        ("[1]", None, None, False, "a list"),
        ("{}", None, None, False, "a mapping"),
    ],
)
def test_kinds_of_values(
    value: str, integer: int | None, boolean: bool | None, null: bool, words: str
) -> None:
    node = tree(f"a: {value}\n").get("a")
    assert node is not None
    assert as_integer(node) == integer
    assert as_boolean(node) is boolean
    assert is_null(node) is null
    assert describe(node) == words


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a:\tx\n", "E008"),
        ("a: |#c\n  x\n", "E009"),
        ('a: "\\ud800"\n', "E004"),
        ('a: "\\e[31m"\n', "E004"),
        ('a: "\\Uffffffff"\n', "E004"),
        ('a: "\\U00110000"\n', "E004"),
    ],
)
def test_what_loaders_read_otherwise_is_refused_by_both(
    text: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [load_tree(Source("house.yaml", text))[1]]
    monkeypatch.setattr(yamltree, "_FAST_LOADER", None)
    found.append(load_tree(Source("house.yaml", text))[1])
    assert found[0] == found[1]
    assert [one.code for one in found[0]] == [code]


def test_get() -> None:
    top = tree("a: 1\nb: 2\n")
    assert top.get("b") == Scalar("2", "", top.span)
    assert top.get("c") is None
    assert [entry.span.text for entry in top.entries] == ["a: 1", "b: 2"]


@pytest.mark.usefixtures("both_loaders")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [("E016", 1, 1)]),
        ("# c\n\n", [("E016", 1, 1)]),
        ("---\n", [("E016", 2, 1)]),
        ("- a\n", [("E017", 1, 1)]),
        ("a\n", [("E017", 1, 1)]),
        ("|\n  a\n", [("E017", 1, 1)]),
        ("a: 1\n---\nb: 2\n", [("E010", 2, 1)]),
        ("a: 1\n...\n---\nb: [\n", [("E010", 3, 1)]),
        ("a: 1\na: 2\n'a': 3\n", [("E015", 2, 1), ("E015", 3, 1)]),
        ("a: {b: 1, b: 2}\n", [("E015", 1, 11)]),
        ("a: &x 1\nb: *x\n", [("E012", 1, 4), ("E011", 2, 4)]),
        ("a: &x\n  b: 1\n", [("E012", 1, 4)]),
        ("a: &x !!str 1\n", [("E012", 1, 4), ("E013", 1, 7)]),
        ("a: !x &y 1\n", [("E013", 1, 4), ("E012", 1, 7)]),
        ("a: [!t [], !u {}, ! x]\n", [("E013", 1, 5), ("E013", 1, 12), ("E013", 1, 19)]),
        ("a: !!python/object:os.system x\n", [("E013", 1, 4)]),
        ("%TAG !e! tag:x,2000:\n---\na: !e!b 1\n", [("E013", 3, 4)]),
        ("a: !b |\n  x\n", [("E013", 1, 4)]),
        ("*x : 1\n", [("E011", 1, 1)]),
        ("a: {<<: {b: 1}, c: 2}\n", [("E014", 1, 5)]),
        ("[a, b]: 1\n{c: d}: 2\n", [("E018", 1, 1), ("E018", 2, 1)]),
        ("? [a]\n: &x 1\n", [("E018", 1, 3), ("E012", 2, 3)]),
        ("a:\n\tb: 1\n", [("E008", 2, 1)]),
        ("a:\n  b: 1\n  \tc: 1\n", [("E008", 3, 3)]),
        ("a:\n  - b\n\t- c\n", [("E008", 3, 1)]),
        ("a: |\n\tx\n", [("E008", 2, 1)]),
        ("a: b: c\n", [("E009", 1, 5)]),
        ("é: \u2028\n\u0085a: [1\n", [("E009", 2, 7)]),
        ("a: 'x\n", [("E009", 1, 6)]),
        ("a: x\x07\n", [("E004", 1, 5)]),
        ("a: \x00\n", [("E004", 1, 4)]),
        ("a: 1\n\ufeffb: 2\n", [("E004", 2, 1)]),
        ("\ufeffa: 1\n", [("E004", 1, 1)]),
        ("a: \ud800\n", [("E004", 1, 4)]),
        ("a: \ufdd0\n", [("E004", 1, 4)]),
        ("a: \x7f\n", [("E004", 1, 4)]),
        ("a: " + "[" * 39 + "]" * 39, []),
        ("a: " + "[" * 40 + "]" * 40, [("E006", 1, 43)]),
    ],
)
def test_refused(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert codes(text) == expected


def test_the_tree_goes_on_without_what_is_refused() -> None:
    text = "a: &x 1\nb: [*x, !!str 2]\n<<: {c: 3}\na: 4\n[d]: 5\ne: 6\n"
    top, found = load_tree(Source("f.yaml", text))
    assert [d.code for d in found] == ["E012", "E011", "E013", "E014", "E015", "E018"]
    assert top is not None
    assert plain(top) == {"a": "1", "b": ["*x", "2"], "e": "6"}


def test_duplicate_key_shows_both_places() -> None:
    found = load_tree(Source("f.yaml", "a:\n  b: 1\n  b: 2\n"))[1]
    assert render(found) == (
        "error[E015]: field `b` is given twice\n"
        " --> f.yaml:3:3\n"
        "  |\n"
        "3 |   b: 2\n"
        "  |   ^\n"
        "note: first given here\n"
        " --> f.yaml:2:3\n"
        "  |\n"
        "2 |   b: 1\n"
        "  |   ^\n"
        "help: keep one of the two"
    )


@pytest.mark.parametrize(
    ("text", "message", "help", "note"),
    [
        (
            "a: b: c\n",
            "no mapping can start at this `:`",
            "put the text in quotes, or in a `|` block, if `:` belongs to it",
            None,
        ),
        ("a: [1,\nb: c\n", "expected `,` or `]`", None, "in the list that starts here"),
        ("a: {b\n", "expected `,` or `}`", None, "in the mapping that starts here"),
        (
            "a: 'x\n",
            "expected the closing quote before the end of the file",
            None,
            "in the text that starts here",
        ),
        ("a: @b\n", "no value can start with `@`", "quote the text if it is meant as text", None),
        ("a: - b\n", "no list can start at this `-`", "start the list on a line of its own", None),
        (
            "a:\n  - x\n  y: 1\n",
            "expected `-` at the indentation of the items before",
            None,
            "in the list that starts here",
        ),
        (
            "a: 1\n- b\n",
            "expected a field name at the indentation of the fields before",
            None,
            "in the mapping that starts here",
        ),
        (" a: 1\nb: 2\n", "expected a field name at the indentation of the first field", None, None),
        ("a: |x\n  y\n", "expected the block's text on the next line", None, "in the text that starts here"),
    ],
)
def test_syntax_errors_in_our_words(text: str, message: str, help: str | None, note: str | None) -> None:
    (found,) = load_tree(Source("f.yaml", text))[1]
    assert found.message == f"not valid YAML: {message}"
    assert found.suggestion == help
    assert [words for words, _ in found.notes] == ([note] if note else [])


@pytest.mark.parametrize("code", [code for code in CATALOGUE if "E006" <= code <= "E018" and code != "E007"])
def test_examples_of_the_catalogue(code: str) -> None:
    assert code in [found for found, _, _ in codes(CATALOGUE[code].example)]


@pytest.mark.parametrize("fast", ["CSafeLoader", "absent"])
@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "{" * 100_000,
        "a: " + "[" * 100_000,
        "{a: " * 100_000,
        "- " * 100_000,
        "? " * 100_000,
        "\n".join(" " * depth + "a:" for depth in range(1000)),
        "[\n" * 100_000,
    ],
    ids=lambda text: repr(text[:8]),
)
def test_absurd_nesting(text: str, fast: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yamltree, "_FAST_LOADER", getattr(yaml, fast, None))
    started = time.monotonic()
    assert [code for code, _, _ in codes(text)] == ["E006"]
    assert time.monotonic() - started < 5


def test_limits() -> None:
    assert [code for code, _, _ in codes("a: [" + "1," * MAX_EVENTS + "]")] == ["E007"]
    assert len(first_errors(load_tree(Source("f.yaml", "a: 1\n" * 1000))[1])) == MAX_ERRORS + 1
    assert MAX_DEPTH == 40


def read(folder: Path, data: bytes) -> Source | Diagnostic:
    path = folder / "f.yaml"
    path.write_bytes(data)
    return read_source(path, "f.yaml")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"a: 1\r\n", "a: 1\r\n"),
        (b"\xef\xbb\xbfa: 1\n", "a: 1\n"),
        ("ä: ♠\n".encode(), "ä: ♠\n"),
        (b"x" * MAX_BYTES, "x" * MAX_BYTES),
    ],
    ids=lambda value: repr(value[:12]),
)
def test_read(tmp_path: Path, data: bytes, text: str) -> None:
    assert read(tmp_path, data) == Source("f.yaml", text)


@pytest.mark.parametrize(
    ("data", "code", "message", "place"),
    [
        (b"a: \xe9\n", "E003", "byte 0xE9 is not UTF-8 text", (1, 4)),
        ("ä: 1\nb: ".encode() + b"\xff", "E003", "byte 0xFF is not UTF-8 text", (2, 4)),
        ("a: 1\n".encode("utf-16"), "E003", "byte 0xFF is not UTF-8 text", (1, 1)),
        (b"\xed\xa0\x80", "E003", "byte 0xED is not UTF-8 text", (1, 1)),
        (b"a: 1\n\x00\x01", "E004", "character U+0000 is not allowed: expected text", (2, 1)),
        (b"x" * (MAX_BYTES + 1), "E005", f"`f.yaml` is too large: expected at most {MAX_BYTES} bytes", None),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_unreadable(
    tmp_path: Path, data: bytes, code: str, message: str, place: tuple[int, int] | None
) -> None:
    found = read(tmp_path, data)
    assert isinstance(found, Diagnostic)
    assert (found.code, found.message) == (code, message)
    assert (found.span and (found.span.line, found.span.column)) == place


def test_missing_file_and_folder(tmp_path: Path) -> None:
    missing = read_source(tmp_path / "no.yaml", "no.yaml")
    folder = read_source(tmp_path, "here")
    odd = read_source("a\0b")
    assert isinstance(missing, Diagnostic)
    assert isinstance(folder, Diagnostic)
    assert isinstance(odd, Diagnostic)
    assert missing.message == "file `no.yaml` not found"
    assert folder.message == "cannot read `here`: is a directory"
    assert odd.message == r"file `a\x00b` not found"


def test_name_is_the_path_as_given(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_text("a: 1\n")
    assert read_source(path) == Source(str(path), "a: 1\n")


def test_bom_does_not_shift_places(tmp_path: Path) -> None:
    source = read(tmp_path, b"\xef\xbb\xbfa: 1\na: 2\n")
    assert isinstance(source, Source)
    (found,) = load_tree(source)[1]
    assert found.span is not None
    assert (found.span.line, found.span.column, found.span.text) == (2, 1, "a")


def test_equal_trees_whatever_their_places() -> None:
    assert tree("a: [1]\n") == tree("\n\na:   [ 1 ]\n")
