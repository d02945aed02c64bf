"""Canonical YAML: the same tree, every comment, nothing more to do the second time."""

from __future__ import annotations

import re
import textwrap

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from budget import count
from trickproof_dsl.diagnostics.source import Source
from trickproof_dsl.files.yaml_tree import Scalar, as_boolean, as_integer, is_null, load_tree
from trickproof_dsl.formatting import files as format_module
from trickproof_dsl.formatting.files import format_source, same_meaning
from trickproof_dsl.syntax.error_examples import USUAL_TEXTS


def reformat(text: str) -> str:
    """The canonical text, with every promise checked."""
    once = _format(text)
    assert same_meaning(Source("f", text), Source("f", once)), (text, once)
    assert _format(once) == once
    assert sorted(re.findall(r"#c\d+", text)) == sorted(re.findall(r"#c\d+", once)), once
    assert not re.search(r"\n\n\n", once)
    return once


def _format(text: str) -> str:
    """The text as the writer makes it, before the check that falls back on the source."""
    formatted, found = format_source(Source("f", text))
    assert formatted is not None, (text, [d.message for d in found])
    tree, _ = load_tree(Source("f", text))
    assert tree is not None
    rules: dict[int, object] = {}
    for scalar in format_module._rule_scalars(tree):
        format_module._parse(scalar, rules)  # type: ignore[arg-type]
    written = format_module._Writer(Source("f", text), tree, rules).text()  # type: ignore[arg-type]
    assert formatted == written, (text, written)
    return formatted


# (written, canonical)
FILES = {
    "flow kept": ("a:   [ b,c,  {d: e} ]\n", "a: [b, c, {d: e}]\n"),
    "flow too wide": (
        f"a: [{', '.join(['abcdefghij'] * 9)}]\n",
        f"a: [{'abcdefghij, ' * 7}abcdefghij,\n    abcdefghij]\n",
    ),
    "flow too wide, deeper": (
        f"a:\n- bc: [{', '.join(['abcdefghij'] * 20)}] #c1\n  d: e\n- [{', '.join(['abcdefghij'] * 9)}]\n",
        "a:\n"
        + f"  - bc: [{'abcdefghij, ' * 6}abcdefghij,\n"
        + f"         {'abcdefghij, ' * 6}abcdefghij,\n"
        + f"         {'abcdefghij, ' * 5}abcdefghij]  #c1\n"
        + "    d: e\n"
        + f"  - [{'abcdefghij, ' * 7}abcdefghij,\n     abcdefghij]\n",
    ),
    "flow lines joined": ("a: [b,\n    c,\n  d]\n", "a: [b, c, d]\n"),
    "flow of long items": (
        f"a: [{', '.join(['long words ' * 4 + 'end'] * 3)}]\n",
        "a:\n" + f"  - {'long words ' * 4}end\n" * 3,
    ),
    "flow of lists": (
        f"a: [{', '.join(['[abcdefghij, abcdefghij]'] * 4)}]\n",
        "a:\n" + "  - [abcdefghij, abcdefghij]\n" * 4,
    ),
    "flow mapping too wide": (
        f"a: {{b: {'x' * 50}, c: {'x' * 50}}}\n",
        f"a:\n  b: {'x' * 50}\n  c: {'x' * 50}\n",
    ),
    "block stays block": (
        "a:\n- b\n- - c\n  - d\n-   e: f\n    g: h\n",
        "a:\n  - b\n  - - c\n    - d\n  - e: f\n    g: h\n",
    ),
    "indentation": ("a:\n      b:\n       c: d\n", "a:\n  b:\n    c: d\n"),
    "blank lines": ("\n\na: b\n\n\n\nc:\n\n  d: e\n\n  f: g\n\n\n", "a: b\n\nc:\n  d: e\n\n  f: g\n"),
    "one-line rule": ("r:\n  rule: |\n    a>b\n", "r:\n  rule: a > b\n"),
    "quoted rule": ("r: {rule: 'a>b', cites: [x.s1]}\n", "r:\n  rule: a > b\n  cites: [x.s1]\n"),
    "rule block": (
        "r:\n  rule: |+  #c0\n      # first\n      if a:\n        do x\n\n\n\n      do y # why\n\n\n  cites: []\n",
        "r:\n  rule: |  #c0\n    # first\n    if a:\n        do x\n\n    do y  # why\n\n  cites: []\n",
    ),
    "rule in a list": (
        "a:\n- rule: b\n- rule: |\n    c\n",
        "a:\n  - rule: b\n  - rule: c\n",
    ),
    "rule left out": ("a:\n  rule:\n  b: c\n", "a:\n  rule:\n  b: c\n"),
    "modeline first": (
        "# yaml-language-server: $schema=x.json\na: b\n",
        "# yaml-language-server: $schema=x.json\na: b\n",
    ),
    "comments": (
        "#c1\na:#c2\n".replace("a:#", "a: #")
        + "  #c3\n  b: c    #c4\n  #c5\n#c6\n\nd: [ #c7\n  e, #c8\n  #c9\n  f ] #c10\n#c11",
        "#c1\na:  #c2\n  #c3\n  b: c  #c4\n  #c5\n#c6\n\nd:  #c7\n  - e  #c8\n  #c9\n  - f  #c10\n#c11\n",
    ),
    "comment beside a list of mappings": (
        "a: [{b: c}, {d: e}] #c1\n",
        "a: [{b: c}, {d: e}]  #c1\n",
    ),
    "comment in an empty list": ("a: [ #c1\n]\nb: {} #c2\n", "a: []  #c1\nb: {}  #c2\n"),
    "comment after a list without indentation": ("a:\n- b\n#c1\nc: d\n", "a:\n  - b\n#c1\nc: d\n"),
    "comment after a dash": ("a:\n- #c1\n  b: c\n", "a:\n  #c1\n  - b: c\n"),
    "folded text": ("a: >\n    one\n    two\n\n    three\n", "a: >\n  one\n  two\n\n  three\n"),
    "literal text": ("a: |-\n     one\n       two\n", "a: |-\n  one\n    two\n"),
    "kept line breaks": ("a: |+\n  one\n\nb: c\n", 'a: "one\\n\\n"\n\nb: c\n'),
    "text over lines": ("a: one\n  two\n", "a: one two\n"),
    "document marks": ("%YAML 1.2\n--- #c1\na: b\n... #c2\n", "#c1\na: b\n#c2\n"),
    "line breaks of Windows": ("a: b\r\nc:\r\n  rule: |\r\n    a\r\n", "a: b\nc:\n  rule: a\n"),
    "explicit key": ("? a\n: b\n", "a: b\n"),
    "flow at the top": ("{a: b,   c: [d]}", "{a: b, c: [d]}\n"),
}


@pytest.mark.parametrize("name", FILES)
def test_canonical_file(name: str) -> None:
    written, expected = FILES[name]
    assert reformat(written) == expected


# (written, canonical)
SCALARS = [
    ("12", "12"),
    ('"12"', '"12"'),
    ("true", "true"),
    ("'true'", '"true"'),
    ("null", "null"),
    ("~", "~"),
    ('"~"', '"~"'),
    ("no", '"no"'),
    ("True", '"True"'),
    ("12:30", '"12:30"'),
    ("010", '"010"'),
    ("1e3", '"1e3"'),
    ("1.5", '"1.5"'),
    ("2018-05-30", '"2018-05-30"'),
    ('""', '""'),
    ("'plain words'", "plain words"),
    ("'it''s'", "it's"),
    ('"a: b"', '"a: b"'),
    ("a:b", "a:b"),
    ('"a #b"', '"a #b"'),
    ("a#b", "a#b"),
    ("'- a'", '"- a"'),
    ("-a", "-a"),
    ("'[a]'", '"[a]"'),
    ("'ends:'", '"ends:"'),
    ('" a"', '" a"'),
    ("'say \"x\" \\'", r'say "x" \ '.rstrip()),
    (r'"\"x\" \\"', r'"\"x\" \\"'),
    (r'"a\nb"', r'"a\nb"'),
    (r'"\u2028"', r'"\L"'),
    ('"é"', "é"),
    ("'='", '"="'),
    ("2C 3D", "2C 3D"),
    ("+5", '"+5"'),
]


@pytest.mark.parametrize(("written", "canonical"), SCALARS)
def test_quotes_only_where_needed(written: str, canonical: str) -> None:
    assert reformat(f"a: {written}\n") == f"a: {canonical}\n"


@pytest.mark.parametrize(
    "words", ["no", "12", "-x", '"- x"', '"a: b"', '"#"', "it's", "a.s1", "2C", '"x, y"']
)
def test_a_list_over_several_lines_is_plain_yaml(words: str) -> None:
    text = f"a:\n  b: [{', '.join([words, 'abcdefghijk'] * 16)}]\n"
    shown = reformat(text)
    assert len(shown.splitlines()) > 2
    assert all(len(line) <= format_module.WIDTH for line in shown.splitlines())
    assert yaml.load(shown, yaml.BaseLoader) == yaml.load(text, yaml.BaseLoader)
    assert yaml.safe_load(shown)["a"]["b"][1::2] == ["abcdefghijk"] * 16


def test_quotes_in_brackets() -> None:
    assert reformat('a: ["b, c", "d]", e f, "{g"]\n') == 'a: ["b, c", "d]", e f, "{g"]\n'


@pytest.mark.grows("formatting.files")
@given(st.text(st.sampled_from("ab1 :#-?,[]{}&*!|>'\"%@`~=.\n\t0xe+\\é\x85\u2028\ufeff"), max_size=8))
@settings(max_examples=2 * count("formatting.files"))
def test_every_reader_sees_the_text(text: str) -> None:
    quoted = format_module.inline_text(Scalar(text, '"', format_module.Span(Source("f", ""), 0, 0)))
    flow = format_module.inline_text(Scalar(text, '"', format_module.Span(Source("f", ""), 0, 0)), flow=True)
    file = f"key: {quoted}\nlist: [{flow}, {{{flow}: {flow}}}]\n"
    for loader in (yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        assert yaml.load(file, loader) == {"key": text, "list": [text, {text: text}]}
    tree, found = load_tree(Source("f", file))
    assert tree is not None
    assert not found
    scalar = tree.get("key")
    assert isinstance(scalar, Scalar)
    assert scalar.value == text
    assert (is_null(scalar), as_boolean(scalar), as_integer(scalar)) == (False, None, None)


BROKEN = {
    "yaml": "a: [b\n",
    "structure": "a: b\na: c\n",
    "rule": "r:\n  rule: a +\n  x: [1,2]\n",
    "two rules": "r:\n  rule: (\nq:\n  rule: )\n",
    "rule over lines": "r:\n  rule: a\n    + b\n",
    "empty": "",
}


def test_other_things_are_called_rule() -> None:
    """A name that anything may have is no rule text."""
    text = "ruleset: a\ntitle: b\n\nknown:\n  rule: as in the main rules\n"
    assert format_source(Source("a.yaml", text)) == (text, [])


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_with_errors_is_left_alone(name: str) -> None:
    formatted, found = format_source(Source("f", BROKEN[name]))
    assert formatted is None
    assert len(found) == (2 if name == "two rules" else 1)


def test_errors_have_the_hint_for_their_rule() -> None:
    file = (
        "ruleset: house\nrules:\n  payout:\n    rule: |\n      for p in {}:\n        payout of p becomes 1\n"
    )
    text, wrong = format_source(Source("house.yaml", file.format("playing with nobody")))
    assert text is None
    assert [diagnostic.suggestion for diagnostic in wrong] == [USUAL_TEXTS["payout"]]


def test_a_key_too_long_for_yaml_is_left_alone() -> None:
    text = f"? {'k' * 2000}\n:   b\n"
    assert format_source(Source("f", text)) == (text, [])


# ------------------------------------------------------------------------------------- random files

_SCALAR_TEXTS = (
    "no", '"no"', "'it''s'", "12", '"12"', "true", "~", "", "null", '"a: b"', "a#b", '"a # b"', "plain words",
    "010", "2C 3D", r'"\n"', "http://x", "'-'", "-x", r'"é\u2028"', "word " * 30 + "end", '", [x]"',
)  # fmt: skip
_BLOCK_TEXTS = (
    ("|", ["text", "", "  deeper", "end"]),
    ("|-", ["text"]),
    ("|+", ["text", "", ""]),
    (">", ["folded", "text", "", "  more", "end"]),
    (">-", ["folded", "text"]),
    (">+", ["folded", ""]),
    ("|", ["", "late"]),
    ("|2", ["  early"]),
)
_RULE_TEXTS = (
    ["a"],
    ["if a:", "  do x", "#c{}", "else:  #c{}", "  # x", "  do y #c{}"],
    ["#c{}", "a + #c{}", "  b", "", "#c{}"],
)


class _Random:
    """Draws the text of a file; every comment is numbered."""

    def __init__(self, draw) -> None:  # type: ignore[no-untyped-def]
        self.draw, self.comments, self.keys = draw, 0, 0

    def pick(self, *options):  # type: ignore[no-untyped-def]
        return self.draw(st.sampled_from(options))

    def comment(self) -> str:
        self.comments += 1
        return f"#c{self.comments} - it's: [x"

    def beside(self) -> str:
        return f" {self.comment()}" if self.pick(False, False, True) else ""

    def between(self, most: int) -> list[str]:
        """Comments and blank lines, at most `most` deep."""
        lines = []
        for _ in range(self.pick(0, 0, 0, 1, 2)):
            lines.append(self.pick("", " " * self.draw(st.integers(0, most)) + self.comment()))
        return lines

    def key(self) -> str:
        self.keys += 1
        return self.pick(f"k{self.keys}", f'"k {self.keys}"', f"'{self.keys}:'")  # type: ignore[no-any-return]

    def block(self, lines: list[str], indent: int) -> list[str]:
        step = " " * (indent + self.pick(1, 2, 4))
        filled = [re.sub(r"#c\{\}", lambda _: self.comment(), line) for line in lines]
        return [(step + line).rstrip() for line in filled]

    def flow(self, depth: int) -> str:
        kind = self.pick("scalar", "scalar", "list", "mapping") if depth else "scalar"
        if kind == "scalar":
            return self.pick("a", "no", '"x, y"', "'b'", "12", "long words " * 6 + "end")  # type: ignore[no-any-return]
        comma = f" {self.comment()}\n      " if self.pick(False, False, False, True) else " "
        parts = [self.flow(depth - 1) for _ in range(self.pick(0, 1, 2, 3, 16))]
        if kind == "list":
            return f"[{(',' + comma).join(parts)}{comma if parts else ''}]"
        return "{" + ", ".join(f"{self.key()}: {part}" for part in parts) + "}"

    def value(self, indent: int, depth: int) -> list[str]:
        """The rest of the line after a colon or dash, and the lines after it."""
        kind = (
            self.pick("scalar", "block", "flow", "mapping", "list") if depth else self.pick("scalar", "block")
        )
        if kind == "scalar":
            return [f" {self.pick(*_SCALAR_TEXTS)}{self.beside()}"]
        if kind == "flow":
            return [f" {self.flow(2)}{self.beside()}"]
        if kind == "block":
            header, lines = self.pick(*_BLOCK_TEXTS)
            if header == "|2":
                return [f" |2{self.beside()}", *(" " * (indent + 2) + line for line in lines)]
            return [f" {header}{self.beside()}", *self.block(lines, indent)]
        opening = self.beside()
        deeper = indent + self.pick(1, 2, 3)
        lines = self.mapping(deeper, depth - 1) if kind == "mapping" else self.list(deeper, depth - 1)
        return [opening, *lines]

    def mapping(self, indent: int, depth: int) -> list[str]:
        lines: list[str] = []
        for number in range(self.pick(1, 2, 3)):
            lines += self.between(indent)
            if number == 0 and self.pick(False, False, True):
                header = f"{' ' * indent}rule: |{self.beside()}"
                lines += [header, *self.block(self.pick(*_RULE_TEXTS), indent)]
            else:
                first, *more = self.value(indent, depth)
                lines += [f"{' ' * indent}{self.key()}:{first}", *more]
        return [*lines, *self.between(indent)]

    def list(self, indent: int, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.pick(1, 2)):
            first, *more = self.value(indent, depth)
            lines += [*self.between(indent), f"{' ' * indent}-{first}", *more]
        return lines


@st.composite
def files(draw) -> str:  # type: ignore[no-untyped-def]
    random = _Random(draw)
    return "\n".join(random.mapping(0, 3)) + random.pick("", "\n", "\n\n")  # type: ignore[no-any-return]


@pytest.mark.grows("formatting.files")
@given(files())
@settings(max_examples=count("formatting.files"))
def test_random_files(text: str) -> None:
    formatted = reformat(text)
    assert all(line == line.rstrip(" ") or '"' in line for line in formatted.split("\n"))


def test_layout_of_a_whole_file() -> None:
    text = textwrap.dedent(
        """\
        # yaml-language-server: $schema=schema.json
        ruleset: mine
        extends: pagat   # the German page


        rules:
            deal:   # unchanged
                rule: shuffle
                cites: [ pagat-de.s1 ]
            end:
                # eleven, not twelve
                rule: |
                    some player has tricks>=11
                assumes: "we play it so"
        """
    )
    expected = textwrap.dedent(
        """\
        # yaml-language-server: $schema=schema.json
        ruleset: mine
        extends: pagat  # the German page

        rules:
          deal:  # unchanged
            rule: shuffle
            cites: [pagat-de.s1]
          end:
            # eleven, not twelve
            rule: some player has tricks >= 11
            assumes: we play it so
        """
    )
    assert reformat(text) == expected
