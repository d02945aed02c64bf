"""The text of a new ruleset: over a base one rule to change, and the others as comments; else what every game needs."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from trickproof.analysis.usage import program_usage
from trickproof.english.rules import Words
from trickproof.english.vocabulary import HEADINGS
from trickproof_dsl.diagnostics.source import Source
from trickproof_dsl.files.model import RuleDecl
from trickproof_dsl.formatting.files import format_source
from trickproof_dsl.library import Library, Ruleset, prelude
from trickproof_dsl.syntax.error_examples import USUAL_RULES

_FIRST_CHOICES = ("end", "targets", "scoring", "winner", "follow")

_COUNTED = re.compile(r"[<>=] [a-z][\w-]*|\b(?:[2-9]|\d\d+)")
"""What is compared with a name, and numbers; none and one are everywhere. What no other rule repeats can be changed by itself."""

_UNTIL_ONE_LEADS = {"end": " and number of (players with the highest score) = 1"}
"""What keeps a new game from ending with several winners."""


def ruleset_id(path: Path) -> str | None:
    """The id derived from a file's name, or None if there is none."""
    name = re.sub(r"[^a-z0-9]+", "-", path.stem.casefold()).strip("-")
    return name if re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) else None


def starter(path: Path, base: Ruleset, base_name: str) -> str:
    """The file's text; it loads unchanged and plays like the base."""
    rules = base.whole.rules
    texts = {name: rule.text.text for name, rule in rules.items() if rule.text is not None}
    of = {name: _parameters(rules[name], text) for name, text in texts.items()}
    known = {name: text for name, text in texts.items() if name not in prelude().rules or _own(base, name)}
    uses = Counter(x for text in texts.values() for x in {*_COUNTED.findall(text)})
    usual = [name for name in _FIRST_CHOICES if name in known] or [*known]
    first = min(usual, key=lambda name: max((uses[x] for x in _COUNTED.findall(known[name])), default=1))
    lines = [
        f"ruleset: {ruleset_id(path)}",
        f'title: "{base.title}, house rule"',
        f"extends: {_extends(path, base, base_name)}",
        "",
        *_agreed(base),
        "rules:",
        f"  # A rule of {base.id}: change it, or uncomment another below instead.",
        *_rule(first, known[first], "", of[first]),
        "    assumes: house rule at our table",
        "",
        f"  # Other rules of {base.id}: uncomment what you change, and say why.",
    ]
    lines += _as_comments({name: rule for name, rule in known.items() if name != first}, of)
    reached = Words(base.whole).course.written
    standard = {
        name: texts[name]
        for name in prelude().rules
        if name in reached and name in texts and name not in known
    }
    lines += [
        "  #",
        f"  # The standard rules, which {base.id} does not replace:",
        *_as_comments(standard, of),
    ]
    return _canonical("\n".join(lines) + "\n", path)


def _agreed(base: Ruleset) -> Iterator[str]:
    """The parameters of the base, as comments."""
    if base.whole.parameters:
        yield from (f"# The numbers to agree on in {base.id}, the usual one first:", "#", "# parameters:")
        for name, x in base.whole.parameters.items():
            yield f"#   {name}: {' | '.join(map(str, x.values))}"
        yield ""


def starter_without_base(path: Path) -> str:
    """The text of a game of its own, with the rules that every game needs as they usually are."""
    name = ruleset_id(path)
    about = [f"ruleset: {name}", f'title: "{name}"', "players: {number: 4, assumes: usual}"]
    bare, _ = Library([]).load_text("\n".join(about), str(path))
    assert bare is not None
    needed = {name for name, _ in program_usage(bare.program).missing}
    lines = [
        *about,
        "deck: {assumes: usual}",
        "",
        "rules:",
    ]
    lines += ["  # `trickproof explain NAME` says more; replace what you assume by your rules."]
    for name in prelude().rules:
        if name in needed:
            text = "\n    ".join(USUAL_RULES[name]) + _UNTIL_ONE_LEADS.get(name, "")
            lines += [*_rule(name, text, ""), "    assumes: usual", ""]
    return _canonical("\n".join(lines), path)


def _as_comments(texts: Mapping[str, str], of: Mapping[str, str]) -> Iterator[str]:
    """Rules to be uncommented, with what they are about where the name does not say it."""
    for name, rule in texts.items():
        head, *text = _rule(name, rule, "# ", of[name])
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


def _parameters(rule: RuleDecl, text: str) -> str:
    """The field `of` of a rule whose text names what it declares, else nothing."""
    if not any(re.search(rf"(?<![\w-]){name.value}(?![\w-])", text) for _, name in rule.parameters):
        return ""
    listed = ", ".join(f"{kind.value} {name.value}" for kind, name in rule.parameters)
    return listed if len(rule.parameters) == 1 else f"[{listed}]"


def _rule(name: str, text: str, mark: str, of: str = "") -> list[str]:
    lines = text.rstrip().splitlines()
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    head = [f"  {mark}{name}:", *([f"  {mark}  of: {of}"] if of else []), f"  {mark}  rule: |"]
    return head + [f"  {mark}    {line[margin:]}".rstrip() for line in lines]


def _extends(path: Path, base: Ruleset, name: str) -> str:
    if "/" not in name and not name.endswith((".yaml", ".yml")):
        return base.id
    relative = os.path.relpath(Path(name).resolve(), path.resolve().parent)
    return Path(relative).as_posix()
