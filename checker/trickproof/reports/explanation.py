"""The output of `explain`: the manual of a check, or the meaning of a word, a name, a policy, a ruleset or an error."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from textwrap import dedent, indent
from typing import Literal

from trickproof.checks import NAMES, current_name, manuals
from trickproof.english.inflection import counted, listed
from trickproof.english.rules import Words, compact
from trickproof.english.vocabulary import ASPECTS, HEADINGS, MEANINGS, WHEN
from trickproof.reports.result_words import POLICIES, WORDS
from trickproof.reports.text import Label, Page
from trickproof_dsl.diagnostics.catalogue import CATALOGUE
from trickproof_dsl.diagnostics.diagnostic import ErrorKind
from trickproof_dsl.elaboration.builtins import BUILTINS
from trickproof_dsl.files.field_spec import Field, Record
from trickproof_dsl.files.model import RuleDecl, VariableDecl, Word
from trickproof_dsl.files.ruleset_spec import RULESET_FORM
from trickproof_dsl.library import Ruleset, prelude
from trickproof_dsl.syntax.error_examples import USUAL_TEXTS
from trickproof_dsl.syntax.reserved_words import reserved_words
from trickproof_dsl.syntax.rule_forms import forms_of_rules

UNUSED = (
    "for p in players, anticlockwise from dealer:",
    "p discards any number of cards of hand",
    "number of suits + number of ranks",
    "top 3 of hand of p by rank",
    "bottom 1 of players by score",
)
"""Lines of docs/reference.md with the words that no shipped rule uses."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """`says` is a single line, `text` paragraphs of prose; indented paragraphs, `example` (of a mistake) and `right` are source."""

    name: str
    kind: Literal["check", "word", "policy", "name", "ruleset", "error"]
    says: str
    text: str
    example: str | None = None
    right: str | None = None

    def lines(self, page: Page) -> Iterator[str]:
        """The explanation as lines of a page."""
        yield from page.wrapped(f"{self.name}: {self.says}", hang=2)
        for paragraph in filter(None, re.split(r"\n[ ]*\n", self.text)):
            yield ""
            if paragraph.startswith("    "):
                for line in paragraph.splitlines():
                    yield from page.verbatim(line)
            else:
                yield from page.wrapped(" ".join(paragraph.split()))
        for head, source in (("wrong:", self.example), ("right:", self.right)):
            if source is not None:
                yield from ("", head, "")
                for line in source.splitlines():
                    yield from page.verbatim(f"    {line}")


def explained(name: str, rulesets: Iterable[Ruleset]) -> Explanation | None:
    """A check, a word, an error code, a policy, or a name or word of the language, shown in `rulesets`; None for another name."""
    low = name.lower()
    if (check := current_name(low)) in NAMES:
        return also_named(check_explained(check))
    if low in WORDS:
        return also_named(word_explained(low))
    if name.upper() in CATALOGUE:
        return error_explained(CATALOGUE[name.upper()])
    if low.split(":")[0] in POLICIES:
        return policy_explained(low)
    if low in vocabulary():
        return name_explained(low)
    if low in rule_words():
        return rule_word_explained(low, rulesets)
    other = low[:-1] if low.endswith("s") else f"{low}s"
    if other in WORDS:
        return word_explained(other)
    return inner_field_explained(low) or (name_explained(other) if other in vocabulary() else None)


def check_explained(name: str) -> Explanation:
    """The manual of a check."""
    first, _, rest = inspect.cleandoc(manuals()[name]).partition("\n\n")
    return Explanation(name, "check", " ".join(first.split()).split(": ", 1)[1], rest)


def word_explained(name: str) -> Explanation:
    """A result word, such as a verdict."""
    return Explanation(name, "word", f"{WORDS[name]}.", "")


def also_named(e: Explanation) -> Explanation:
    """The explanation of a check or word, with that of a name in rulesets if it is one, too."""
    if e.name not in vocabulary():
        return e
    name = name_explained(e.name)
    return replace(
        e, text="\n\n".join(filter(None, (e.text, f"As a name in rulesets: {name.says}", name.text)))
    )


def policy_explained(name: str) -> Explanation:
    """How a policy decides; with its number of rollouts, as in `search:50`."""
    policy, _, number = name.partition(":")
    says = POLICIES[policy]
    if number.isdecimal():
        says = says.partition("; written")[0].replace("N trial deals", f"{number} trial deals")
    return Explanation(name, "policy", f"{says}.", "A policy of `simulate`, `validate` and `play`.")


def vocabulary() -> list[str]:
    """The names in rulesets: rules, variables and zones of the standard vocabulary, fields, and functions."""
    file = prelude()
    fields = (field.name for field in RULESET_FORM.fields)
    return list(dict.fromkeys((*file.rules, *file.state, *file.zones, *fields, *BUILTINS)))


def name_explained(name: str) -> Explanation:
    """A name in rulesets, which may be that of a rule, of a variable or zone, and of a field, or of a function."""
    file = prelude()
    if name in BUILTINS:
        takes = [kind.kind for kind in BUILTINS[name].takes]
        way = f"{name} of …" if len(takes) == 1 else f"{name}(…, …)"
        text = f"This is a function of the rule language; it takes {counted(len(takes), takes[0])}: `{way}`."
        return Explanation(name, "name", f"{BUILTINS[name].meaning}.", text)
    field = next((field for field in RULESET_FORM.fields if field.name == name), None)
    of_field = [] if field is None else [*_fields_in(field)]
    if field is not None and not any(name in names for names in (file.rules, file.state, file.zones)):
        return Explanation(
            name, "name", _lower(field.about), "\n\n".join(["This is a field of a ruleset.", *of_field])
        )
    kinds = []
    if name in file.rules:
        kinds.append("a rule")
    if name in file.state:
        kinds.append("a variable")
    if name in file.zones:
        kinds.append("a zone")
    paragraphs = [f"This is {' and '.join(kinds)} of the standard vocabulary."]
    if name in file.rules:
        paragraphs.extend(_of_rule(file.rules[name]))
    is_ = f" is {MEANINGS[name]}; it" if name in file.rules and name in MEANINGS else ""
    if name in file.state:
        paragraphs.append(f"The variable{is_} {_of_variable(file.state[name])}.")
    if name in file.zones:
        zone = file.zones[name]
        sees = zone.seen_by.value if zone.seen_by else "nobody"
        seen = "is seen by its owner" if sees == "owner" else f"is seen by {sees}"
        each = f", and there is one{_each(zone.of)}" if zone.of else ""
        paragraphs.append(f"The zone{is_} {seen}{each}.")
    if field is not None:
        paragraphs += [f"As a field of a ruleset: {_lower(field.about)}", *of_field]
    about = HEADINGS.get(name, "") if name in file.rules else ""
    happens = "what happens " if about.startswith(("after ", "before ", "between ")) else ""
    says = f"the rule about {happens}{about}" if about else MEANINGS[name]
    return Explanation(name, "name", f"{says}.", "\n\n".join(paragraphs))


def own_name_explained(name: str, rulesets: Sequence[Ruleset]) -> Explanation:
    """A name that rulesets declare themselves: the rule, invariant or variable in the words of each."""
    paragraphs = []
    for ruleset in rulesets:
        whole, said = ruleset.whole, ""
        if name in whole.invariants:
            invariant = whole.invariants[name]
            when = WHEN[invariant.when.value]
            said = f"a claim to check: {when}, {Words(whole).condition(invariant).steps[0].text}"
        elif name in whole.rules:
            said = " ".join(compact(x.steps) for x in Words(whole).rule(name, opened=True)).rstrip(".")
        elif name in whole.state:
            said = f"a variable, which {_of_variable(whole.state[name])}"
        elif name in ruleset.program.parameters:
            values = [str(x) for x in ruleset.program.parameters[name]]
            agreed = f"{listed(values, 'or')}, as agreed ({values[0]} if nothing is)"
            said = f"a number, {agreed if len(values) > 1 else f'always {values[0]}'}"
        place = f"`trickproof rulesheet {ruleset.named}`"
        if said and name in whole.rules and Words(whole).is_inlined(name):
            place = f"{ruleset.id}, whose rule sheet says it where it is used"
        paragraphs.append(f"In {place}{': ' * bool(said)}{said}.")
    own = f"a name of {listed([x.id for x in rulesets])}, not of the standard vocabulary."
    return Explanation(name, "name", own, "\n\n".join(paragraphs))


def rule_words() -> list[str]:
    """The words of the rule language, and the verbs of the standard moves."""
    return [*sorted(reserved_words()), *(move.verb.value for move in prelude().moves.values())]


def rule_word_explained(name: str, rulesets: Iterable[Ruleset]) -> Explanation:
    """A word of the rule language: the forms that it belongs to, and the first lines of rules that use it."""
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    forms = [
        f"    {meaning}\n{indent(example, ' ' * 8)}"
        for meaning, example in forms_of_rules()
        if word.search(example)
    ]
    rules = (rule for x in rulesets for rule in x.whole.rules.values())
    texts = (text for x in rules for text in (x.text, *(reading.text for reading in x.readings)) if text)
    written = (line.strip() for text in texts for line in text.text.splitlines())
    used = filter(word.search, chain(written, UNUSED))
    lines = islice(dict.fromkeys(islice(used, 20)), 3)
    parts = [
        "\n".join(["It belongs to:\n", *forms]) if forms else "",
        "\n".join(["Rules use it like this:\n", *(f"    {x}" for x in lines)]),
    ]
    return Explanation(name, "name", "a word of the rule language.", "\n\n".join(filter(None, parts)))


def _of_variable(variable: VariableDecl) -> str:
    lasts = "is carried from deal to deal" if variable.carried else "is reset at the start of every deal"
    kind = variable.type.value
    kind = f"a set of {kind}" if kind in ("cards", "players") else f"of type {kind}"
    return f"is {kind}{_each(variable.of)} and {lasts}"


def _lower(sentence: str) -> str:
    return f"{sentence[0].lower()}{sentence[1:]}"


def _fields_in(field: Field[object]) -> Iterator[str]:
    """Paragraphs about the fields in a field of a ruleset, if it has any."""
    if inner := _record(field):
        yield "Each has these fields:" if hasattr(field.kind, "item") else "Its fields:"
        yield from (f"    {one.name}: {one.about}" for one in inner.fields)


def _record(field: Field[object]) -> Record | None:
    """The form of a field of a ruleset, or of each of its entries, if it has fields."""
    inner = getattr(field.kind, "item", getattr(field.kind, "record", field.kind))
    return inner if isinstance(inner, Record) else None


def inner_field_explained(name: str) -> Explanation | None:
    """A field in fields of a ruleset, such as `assumes`; None for another name."""
    found: dict[str, list[str]] = {}
    for field in RULESET_FORM.fields:
        for one in getattr(_record(field), "fields", ()):
            if one.name == name:
                found.setdefault(one.about, []).append(f"`{field.name}`")
    if not found:
        return None
    text = [f"In {listed(fields)}: {_lower(about)}" for about, fields in found.items()]
    of = list(dict.fromkeys(chain(*found.values())))
    return Explanation(
        name, "name", f"a field of {listed(of)}.", "\n\n".join(text if len(found) > 1 else found)
    )


def _of_rule(rule: RuleDecl) -> Iterator[str]:
    """Paragraphs about a rule of the standard vocabulary."""
    name = rule.name.value
    if name in USUAL_TEXTS:
        usual = USUAL_TEXTS[name]
        usual = usual.replace(" is the cards ", " usually gives the cards ").replace(
            " is ", " is usually ", 1
        )
        yield f"{usual[0].upper()}{usual[1:]}."
    if name in ASPECTS:
        yield "`diff` and `table` compare it."
    if rule.text is None:
        yield "A ruleset, or its base, must state it if some rule uses it."
    else:
        yield "Its standard text:"
        yield "\n".join(f"    {line}" for line in dedent(rule.text.text.strip("\n").rstrip()).splitlines())


def _each(owners: Sequence[Word]) -> str:
    names = [word.value for word in owners]
    if len(names) == 2 and names[0] == names[1]:
        return f" for each pair of {names[0]}s"
    return f" for each {' and '.join(names)}" if names else ""


def ruleset_explained(ruleset: Ruleset) -> Explanation:
    """What a ruleset encodes, and which commands show more."""
    documents = [f"{document.title} ({name})" for name, document in ruleset.documents.items()]
    paragraphs = []
    if ruleset.base is not None:
        paragraphs.append(f"It extends `{ruleset.base.id}`: {ruleset.base.title}.")
    if documents:
        paragraphs.append(
            f"Its rules {'and those of its base ' * bool(ruleset.base)}follow {listed(documents)}."
        )
    paragraphs.append(
        f"`trickproof rulesheet {ruleset.named}` shows its rules, and `trickproof sources {ruleset.named}` what each rests on."
    )
    return Explanation(ruleset.id, "ruleset", f"{ruleset.title}.", "\n\n".join(paragraphs))


def everything_explained(page: Page) -> Iterator[str]:
    """What can be explained: each check with its claim, words, names, policies, and the range of error codes."""
    yield "Checks:"
    width = max(map(len, manuals()))
    for name in manuals():
        yield from page.labelled([Label(name, width)], check_explained(name).says.rstrip("."))
    yield from ("", *page.wrapped(f"Result words: {', '.join(WORDS)}", hang=2))
    yield from ("", *page.wrapped(f"Names in rulesets: {', '.join(vocabulary())}", hang=2))
    yield from ("", *page.wrapped(f"Words of the rule language: {', '.join(rule_words())}", hang=2))
    yield from ("", *page.wrapped(f"Policies: {', '.join(POLICIES)}", hang=2))
    yield from ("", *page.wrapped("Rulesets: those of `trickproof list`", hang=2))
    yield from ("", *page.wrapped(f"Error codes: {min(CATALOGUE)} to {max(CATALOGUE)}", hang=2))
    yield from page.command("Next, read one of them:", ["trickproof", "explain", next(iter(manuals()))])


def all_explained() -> list[Explanation]:
    """Everything but the rulesets, in the order of `everything_explained`."""
    return [
        *map(check_explained, manuals()),
        *map(word_explained, WORDS),
        *map(name_explained, vocabulary()),
        *map(policy_explained, POLICIES),
        *map(error_explained, CATALOGUE.values()),
    ]


def error_explained(kind: ErrorKind) -> Explanation:
    """An entry of the error catalogue."""
    message = re.sub(r"\{[a-z_]+\}", "…", kind.template)
    wrong, right = (dedent(text).strip("\n") or None for text in (kind.example, kind.right))
    return Explanation(kind.code, "error", message, kind.explanation, wrong, right)
