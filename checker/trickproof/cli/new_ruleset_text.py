"""The text of a new ruleset over a base: one rule to change, and the other rules that apply as comments."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from trickproof.english.rules import Words
from trickproof.english.vocabulary import HEADINGS
from trickproof.support.bundled import ruleset_folder
from trickproof_dsl.diagnostics.source import Source
from trickproof_dsl.files.model import RuleDecl
from trickproof_dsl.formatting.files import format_source
from trickproof_dsl.library import Ruleset, prelude

_FIRST_CHOICES = ("end", "winner", "scoring", "follow")


def ruleset_id(path: Path) -> str | None:
    """The id derived from a file's name, or None if there is none."""
    name = re.sub(r"[^a-z0-9]+", "-", path.stem.casefold()).strip("-")
    return name if re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) else None


def starter(path: Path, base: Ruleset, base_name: str) -> str:
    """The file's text; it loads unchanged and plays like the base."""
    known = {
        name: rule
        for name, rule in base.whole.rules.items()
        if name not in prelude().rules or _own(base, name)
    }
    known = {name: rule for name, rule in known.items() if rule.text is not None}
    first = next((name for name in _FIRST_CHOICES if name in known), next(iter(known)))
    lines = [
        f"# yaml-language-server: $schema={_schema(path)}",
        f"ruleset: {ruleset_id(path)}",
        f'title: "{base.title}, house rule"',
        f"extends: {_extends(path, base, base_name)}",
        "",
        "rules:",
        f"  # One rule to begin with, as {base.id} has it: change it, or delete it and uncomment another below.",
        *_rule(first, known[first], ""),
        "    assumes: house rule at our table",
        "",
        f"  # The other rules of {base.id}: uncomment a rule to override it, and state its source or assumption.",
    ]
    lines += _as_comments({name: rule for name, rule in known.items() if name != first})
    reached = Words(base.whole).course.written
    standard = {
        name: base.whole.rules[name] for name in prelude().rules if name in reached and name not in known
    }
    lines += ["  #", f"  # The standard rules, which {base.id} does not replace:", *_as_comments(standard)]
    return _canonical("\n".join(lines) + "\n", path)


def _as_comments(rules: Mapping[str, RuleDecl]) -> Iterator[str]:
    """Rules to be uncommented, with what they are about where the name does not say it."""
    for name, rule in rules.items():
        if rule.text is not None:
            head, *text = _rule(name, rule, "# ")
            about = HEADINGS.get(name, "")
            says_more = {*about.split()} - {"a", "the", *name.split("-")}
            yield "  #"
            yield f"{head}  # {about}" if says_more else head
            yield from text
            yield "  #   assumes: house rule at our table"


def _canonical(text: str, path: Path) -> str:
    formatted, wrong = format_source(Source(str(path), text))
    assert formatted is not None, [d.message for d in wrong]
    return formatted


def _own(base: Ruleset, name: str) -> bool:
    above: Ruleset | None = base
    while above is not None:
        if name in above.own.rules:
            return True
        above = above.base
    return False


def _rule(name: str, rule: RuleDecl, mark: str) -> list[str]:
    assert rule.text is not None
    text = rule.text.text
    lines = text.rstrip().splitlines()
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    head = [f"  {mark}{name}:", f"  {mark}  rule: |"]
    return head + [f"  {mark}    {line[margin:]}".rstrip() for line in lines]


def _schema(path: Path) -> str:
    schema = ruleset_folder() / "schema" / "ruleset.schema.json"
    try:
        relative = os.path.relpath(schema, path.resolve().parent)
    except ValueError:
        return schema.as_uri()
    return relative if relative.count("..") <= 2 else str(schema)


def _extends(path: Path, base: Ruleset, name: str) -> str:
    if "/" not in name and not name.endswith((".yaml", ".yml")):
        return base.id
    relative = os.path.relpath(Path(name).resolve(), path.resolve().parent)
    return Path(relative).as_posix()
