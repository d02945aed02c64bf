"""Damaged and hostile files: loading any file gives a ruleset or clean messages, and soon.

A ruleset that loads nevertheless is played for a deal with random choices: the deal ends, or the rules fail.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from budget import RUN, blocks, count, slow_but
from trickproof.simulate.ir.calling_convention import BeyondError
from trickproof.simulate.program.compile import compile_program
from trickproof_dsl.compiled.machine import apply, start
from trickproof_dsl.compiled.state import State
from trickproof_dsl.core import CARDS, Program
from trickproof_dsl.diagnostics.catalogue import CATALOGUE
from trickproof_dsl.diagnostics.diagnostic import Diagnostic, as_json, render
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.files.decode_document import decode_document
from trickproof_dsl.files.model import DocumentFile
from trickproof_dsl.files.yaml_tree import MAX_ERRORS
from trickproof_dsl.formatting.files import format_source
from trickproof_dsl.library import Library
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.faults import FAULTS, EngineLimitError
from trickproof_dsl.semantics.values import Value

from .damage import RULE_WAYS, WAYS, WRONG_VALUES, damaged
from .hostile import FILES, RULES

ROOT = Path(__file__).parents[2]
RULESETS = ROOT / "rulesets"
MOST_SECONDS = 4.0
MOST_DECISIONS = 300

_PYTHON = re.compile(
    r"Traceback|<[a-z_.]+ object|\b0x[0-9a-f]{6,}|\b(NoneType|frozenset|TypeError|KeyError|Token\(|Span\(|Word\()"
)
_UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_QUOTED = re.compile("`[^`]*`")


@cache
def texts() -> dict[str, str]:
    """Every ruleset, foreign game and the prelude, by its name in messages."""
    prelude = ROOT / "dsl/trickproof_dsl/prelude.yaml"
    files = [
        *RULESETS.glob("*.yaml"),
        *RULESETS.glob("house/*.yaml"),
        *ROOT.glob("tests/cases/rulesets/*.yaml"),
    ]
    sample = ROOT / "tests/cases/decode/sample.yaml"
    found = {path.name: path.read_text(encoding="utf-8") for path in sorted([*files, sample])}
    return found | {"prelude.yaml": playable(prelude.read_text(encoding="utf-8"))}


def playable(prelude: str) -> str:
    """The prelude as a ruleset of its own, with a number of players and backing for each rule."""
    backed = re.sub(r"^    (?=rule:)", "    assumes: custom\n    ", prelude, flags=re.MULTILINE)
    return re.sub(r"(gives: [a-z]+)\}", r"\1, assumes: custom}", backed) + "players: 3\n"


@cache
def documents() -> dict[str, str]:
    found = sorted(RULESETS.glob("documents/*.yaml"))
    return {path.name: path.read_text(encoding="utf-8") for path in found}


LIBRARY = Library([RULESETS, ROOT / "tests/cases/rulesets"])


@contextmanager
def in_time(what: str) -> Iterator[None]:
    """Fail if the block uses too much processor time, even if it would never end."""

    def stop(signal: int, frame: object) -> None:
        raise AssertionError(f"{what} takes too long")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def check_ruleset(text: str) -> Program | None:
    """The property: a program or diagnostics, all clean, in time; and the program plays."""
    with in_time("loading"):
        ruleset, found = LIBRARY.load_text(text, "damaged.yaml")
    with in_time("drawing"):
        check_diagnostics(found)
    assert (ruleset is None) == bool(found), "neither a ruleset nor diagnostics, or both"
    assert len(found) <= MAX_ERRORS + 1
    if ruleset is None:
        return None
    check_play(ruleset.program)
    return ruleset.program


def check_diagnostics(found: list[Diagnostic], named: str | None = None) -> None:
    """Each has a location; for a ruleset requested by an unknown name, that name is the location."""
    for diagnostic in found:
        assert diagnostic.code in CATALOGUE
        for line in (diagnostic.message, diagnostic.suggestion or ""):
            assert line.isprintable(), line
            assert len(line) < 1500, line
            assert not _PYTHON.search(_QUOTED.sub("", line)), line
        assert diagnostic.message
        assert not diagnostic.message.endswith("."), diagnostic.message
        assert "?" not in _QUOTED.sub("", diagnostic.message), f"data is missing: {diagnostic.message}"
        of_name = named is not None and diagnostic.data.get("name") == named
        assert diagnostic.span is not None or diagnostic.data.get("file") or of_name, "no place"
        for span in (diagnostic.span, *(span for _, span in diagnostic.notes)):
            check_span(span)
        as_json(diagnostic)
    drawn = render(found)
    assert not _UNSAFE.search(drawn)


def check_span(span: Span | None) -> None:
    if span is not None:
        assert 0 <= span.start <= span.end <= len(span.source.text), span
        assert span.source.name


def check_play(program: Program, seed: int = 7) -> State | EngineLimitError:
    """One deal with random choices ends, fails, or keeps asking; nothing between two decisions takes long.

    If the interpreter reaches a limit, that is returned.
    """
    random = Random(seed)
    try:
        with in_time("playing"):
            state = start(program, Chance(seed))
        for _ in range(MOST_DECISIONS):
            if state.decision is None:
                break
            with in_time("playing"):
                state = apply(state, some_choice(state.decision, random))
    except EngineLimitError as limit:
        check_span(limit.span)
        return limit
    if state.fault is not None:
        assert state.fault.kind in FAULTS, state.fault
        assert state.fault.message.isprintable()
        check_span(state.fault.span)
    return state


def some_choice(decision: Decision, random: Random) -> Value:
    if decision.type == CARDS:
        return frozenset(random.sample(decision.legal, random.randint(decision.low, decision.high)))
    return random.choice(decision.legal)


# ------------------------------------------------------------------------------------------------ hostile


LONG = (
    "readings of readings",
    "do doubled",
    "many unknown rules",
    "do with nothing to do",
    "unknown at the end of doubling",
)
"""Rules that reach a limit late; similar ones remain in the default run."""


@pytest.mark.parametrize("name", slow_but([name for name in RULES if name not in LONG], RULES, RUN))
def test_hostile_rules(name: str) -> None:
    check_ruleset(RULES[name])


@pytest.mark.parametrize(
    "name", [name for name in RULES if name.startswith(("repeat", "a long way", "sum of sums"))]
)
def test_what_goes_on_is_told_where(name: str) -> None:
    """Rules that would run for hours are stopped at the loop, which is not a fault of the rules."""
    ruleset, _ = LIBRARY.load_text(RULES[name], "damaged.yaml")
    if ruleset is not None:
        end = check_play(ruleset.program)
        if isinstance(end, EngineLimitError):
            assert end.span.text.split()[0] in {"repeat", "for", "sum", "1"}, end
        else:
            bounded = end.fault is not None and end.fault.kind == "loop-bound"
            assert bounded or name == "a long way down", end


LARGE = (
    "many keys",
    "many equal keys",
    "many variables",
    "many wrong types",
    "many rules",
    "many citations contradicted",
)
"""Files that are slow because they are large."""


@pytest.mark.parametrize(
    "name", [pytest.param(x, marks=pytest.mark.slow) if x in LARGE else x for x in FILES]
)
def test_hostile_files(name: str) -> None:
    check_ruleset(FILES[name])
    assert check_document(FILES[name]) is None


@pytest.mark.parametrize("name", texts())
def test_sound_rulesets_play(name: str) -> None:
    assert (check_ruleset(texts()[name]) is None) == (name == "sample.yaml")


def test_files_on_disk(tmp_path: Path) -> None:
    """Bytes that are not text, folders and link cycles: messages about files, not about strings."""
    files = {
        "binary.yaml": bytes(range(256)),
        "latin.yaml": "ruleset: a\ntitle: Café\n".encode("latin-1"),
        "sixteen.yaml": "ruleset: a\ntitle: b\n".encode("utf-16"),
        "zero.yaml": b"ruleset: a\0\ntitle: b\n",
        "huge.yaml": b"# " + b"x" * 2_000_000,
        "itself.yaml": b"ruleset: itself\nextends: itself\n",
        "path.yaml": b"ruleset: path\nextends: path.yaml\n",
        "one.yaml": b"ruleset: one\nextends: two\n",
        "two.yaml": b"ruleset: two\nextends: three\n",
        "three.yaml": b"ruleset: three\nextends: one\n",
        "on-binary.yaml": b"ruleset: on-binary\nextends: binary\n",
        "on-folder.yaml": b"ruleset: on-folder\nextends: folder.yaml\n",
        "cites-binary.yaml": b"ruleset: a\ntitle: b\nplayers: {number: 3, cites: [binary.s1]}\ndocuments: [binary]\n",
        "documents/binary.yaml": bytes(range(255, -1, -1)),
        "folder.yaml/inside.yaml": b"ruleset: a\n",
    }
    files |= {f"chain{n}.yaml": f"ruleset: chain{n}\nextends: chain{n + 1}\n".encode() for n in range(60)}
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    library = Library([tmp_path])
    odd = [
        "",
        ".",
        "/",
        "a\0b/",
        "a" * 5000,
        "a" * 5000 + ".yaml",
        "x/" * 3000,
        str(tmp_path),
        "\ud800.yaml",
        "-",
    ]
    for name in [*library.ruleset_paths(), *(str(tmp_path / name) for name in files), *odd]:
        ruleset, found = library.load(name)
        check_diagnostics(found, name)
        assert ruleset is None
        assert found, name


# ------------------------------------------------------------------------------------------------ damaged

_SEEDS = st.integers(0, 2**32 - 1)
_WAYS = st.lists(st.sampled_from(sorted(WAYS)), min_size=1, max_size=3)
_RULE_WAYS = st.lists(st.sampled_from(RULE_WAYS), min_size=1, max_size=2)


@pytest.mark.grows("fuzz.damaged")
@settings(max_examples=count("fuzz.damaged"))
@given(st.sampled_from(sorted(texts())), _WAYS, _SEEDS)
def test_damaged_rulesets(name: str, ways: list[str], seed: int) -> None:
    check_ruleset(damaged(texts()[name], ways, seed))


@RUN
@pytest.mark.grows("fuzz.damaged")
@settings(max_examples=count("fuzz.damaged"))
@given(st.sampled_from(sorted(texts())), _RULE_WAYS, _SEEDS)
def test_damaged_rules(name: str, ways: list[str], seed: int) -> None:
    check_ruleset(damaged(texts()[name], ways, seed))


@pytest.mark.grows("fuzz.damaged")
@settings(max_examples=count("fuzz.damaged"))
@given(st.sampled_from(sorted(documents())), _WAYS, _SEEDS)
def test_damaged_documents(name: str, ways: list[str], seed: int) -> None:
    check_document(damaged(documents()[name], ways, seed))


def check_document(text: str) -> DocumentFile | None:
    with in_time("decoding"):
        document, found = decode_document(Source("damaged.yaml", text))
        check_diagnostics(found)
    assert (document is None) == bool(found)
    return document


def check_ruleset_case(seed: int) -> None:
    """One damaged ruleset; deterministic for a given seed."""
    random = Random(f"ruleset {seed}")
    ways = random.choices(RULE_WAYS if random.random() < 0.4 else sorted(WAYS), k=random.randint(1, 3))
    text = damaged(texts()[random.choice(sorted(texts()))], ways, seed)
    try:
        program = check_ruleset(text)
        check_format(text, loads=program is not None)
        if program is not None:
            check_lowering(program)
    except Exception as wrong:
        raise AssertionError(f"check_ruleset_case({seed}): {ways}") from wrong


def check_document_case(seed: int) -> None:
    """One damaged document; deterministic for a given seed."""
    random = Random(f"document {seed}")
    ways = random.choices(sorted(WAYS), k=random.randint(1, 3))
    try:
        check_document(damaged(documents()[random.choice(sorted(documents()))], ways, seed))
    except Exception as wrong:
        raise AssertionError(f"check_document_case({seed}): {ways}") from wrong


def check_format(text: str, loads: bool) -> None:
    """Whatever loads has a canonical form, and anything else has that or diagnostics."""
    with in_time("formatting"):
        formatted, wrong = format_source(Source("damaged.yaml", text))
    check_diagnostics(wrong)
    assert (formatted is None) == bool(wrong)
    assert formatted is not None or not loads


def check_lowering(program: Program) -> None:
    with in_time("lowering"), suppress(BeyondError):
        compile_program(program)


@pytest.mark.grows("fuzz.rulesets")
@pytest.mark.parametrize("seeds", blocks("fuzz.rulesets", 1000))
def test_many_damaged_rulesets(seeds: range) -> None:
    for seed in seeds:
        check_ruleset_case(seed)


@pytest.mark.grows("fuzz.documents")
@pytest.mark.parametrize("seeds", blocks("fuzz.documents", 1000))
def test_many_damaged_documents(seeds: range) -> None:
    for seed in seeds:
        check_document_case(seed)


@pytest.mark.slow
@pytest.mark.parametrize("value", WRONG_VALUES, ids=range(len(WRONG_VALUES)))
def test_every_field_with_a_wrong_value(value: str) -> None:
    """Each field of the sample, which has every field there is."""
    text = texts()["sample.yaml"].replace("extends: nine-five-two\n", "")
    for field in re.finditer(r"(?<![\w-])([a-z][a-z0-9-]*):(?: +[^\n{}\[\],]+| +(?=[\[{]))", text):
        check_ruleset(f"{text[: field.start(1)]}{field[1]}: {value}{text[field.end() :]}")
