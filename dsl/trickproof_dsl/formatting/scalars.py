"""A YAML scalar in canonical form: plain if every reader would read the same text, otherwise double-quoted.

Promises: our own loader, which follows YAML 1.2, and YAML 1.1 readers read the same text from the output.  So
`no`, `12:30`, `010` and `1e3`, which some readers interpret as something else, are quoted; `12`, `true` and
`null` remain quoted (text) or plain (a number, a Boolean, nothing) as they were.  Blocks remain blocks if
their lines need no indentation indicator and end as `|` or `|-` require, and are quoted otherwise.
"""

from __future__ import annotations

import re

from trickproof_dsl.files.yaml_tree import Scalar, as_boolean, as_integer, is_null

# Plain scalars that YAML 1.1 or 1.2 readers do not read as text.
_NOT_TEXT = re.compile(
    r"""
      ~ | null | Null | NULL | = | <<
    | y | Y | yes | Yes | YES | n | N | no | No | NO | on | On | ON | off | Off | OFF
    | true | True | TRUE | false | False | FALSE
    | [-+]? (0b[01_]+ | 0x[0-9a-fA-F_]+ | 0o[0-7_]+ | [0-9][0-9_]*(:[0-5]?[0-9])*(\.[0-9_]*)?)
    | [-+]? (\.[0-9_]+ | [0-9][0-9_]*(\.[0-9_]*)?) ([eE][-+]?[0-9]+)?
    | [-+]? \.(inf|Inf|INF) | \.(nan|NaN|NAN)
    | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2} ([Tt\ \t].*)?
    """,
    re.VERBOSE,
)
_UNSAFE = re.compile(
    r"""
      ^[,\[\]{}\#&*!|>'"%@`\ ] | ^[-?:](\ |$) | ^(---|\.\.\.)
    | :(\ |$) | \ \# | \ $
    """,
    re.VERBOSE,
)
_UNSAFE_IN_FLOW = re.compile(r"[,\[\]{}?] | ^[-:] | :$", re.VERBOSE)

# Characters that are escaped in double quotes, and not allowed in plain text or blocks.
_ESCAPED = re.compile(
    "[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufdcf\ufdf0-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_ESCAPES = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\x85": r"\N", "\u2028": r"\L", "\u2029": r"\P"}
_HEADER = re.compile(r"[|>][-+0-9]*")


def inline_text(scalar: Scalar, flow: bool = False) -> str:
    """The scalar on one line, plain or in double quotes; `flow` if it is in brackets or braces."""
    if _stays_plain(scalar) or may_be_plain(scalar.value, flow):
        return scalar.value
    return quoted(scalar.value)


def key_text(key: Scalar, flow: bool = False) -> str:
    """A key; an empty one is quoted."""
    return inline_text(key, flow) or '""'


def block_lines(scalar: Scalar) -> list[str] | None:
    """The header of a block and its lines without indentation; None if it must be quoted, or was not a block."""
    if scalar.style not in {"|", ">"}:
        return None
    text = scalar.value.removesuffix("\n")
    lines = text.split("\n") if scalar.style == "|" else _folded_lines(scalar)
    ending = "-" if text == scalar.value else ""
    if scalar.value.endswith("\n\n") or not _fit_for_block(scalar.value, lines):
        return None
    return [f"{scalar.style}{ending}", *lines]


def quoted(text: str) -> str:
    """The text in double quotes."""
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _stays_plain(scalar: Scalar) -> bool:
    return is_null(scalar) or as_boolean(scalar) is not None or as_integer(scalar) is not None


def may_be_plain(text: str, flow: bool = False) -> bool:
    """Whether every YAML reader reads the unquoted text as itself."""
    if not text or _NOT_TEXT.fullmatch(text) or _ESCAPED.search(text) or _UNSAFE.search(text):
        return False
    return not (flow and _UNSAFE_IN_FLOW.search(text))


def _fit_for_block(value: str, lines: list[str]) -> bool:
    """Whether the value can be written as a block: neither blank lines nor blanks at its edges."""
    if not lines or not lines[0].strip(" \t") or not lines[-1].strip(" \t") or lines[0][0] in " \t":
        return False
    return not _ESCAPED.search(value.replace("\n", "").replace("\t", ""))


def _folded_lines(scalar: Scalar) -> list[str]:
    """The lines of a `>` block as in the source, without their indentation."""
    header, *lines = re.split(r"\r\n|\n|\r", scalar.span.text)
    indicator = _HEADER.match(header)
    if indicator and re.search("[0-9]", indicator[0]):
        return []
    filled = next((line for line in lines if line.strip(" ")), "")
    indent = len(filled) - len(filled.lstrip(" "))
    return [line[indent:] for line in lines]


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    code = ord(char)
    short = f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}"
    return _ESCAPES.get(char, short)
