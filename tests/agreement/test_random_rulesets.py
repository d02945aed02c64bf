"""Every implementation of the core on the same random rulesets, each compared with the interpreter.

These are the formatter, the core's JSON, the compiled form, the simulator in both forms, and the symbolic
executor.

A ruleset is drawn once per seed and shared by all; a failure names the seed, and
`agreement.random_rulesets.ruleset_of` gives its text. Blocks of seeds are distributed over workers and
shards.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from agreement.random_rulesets import ruleset_of
from agreement.reference_law import compare
from agreement.simulated import noted, replayed
from agreement.symbolic_law import follow
from budget import blocks, count
from trickproof.simulate.ir.calling_convention import FIRST, LLVM, PYTHON, TOO_WIDE, BeyondError
from trickproof.simulate.lowering.trace import LEFT
from trickproof.simulate.runtime.kernel import Kernel
from trickproof_dsl import Library, core as c, render
from trickproof_dsl.core.json_codec import fingerprint, program_from_json, program_json
from trickproof_dsl.core.well_formed import violations
from trickproof_dsl.diagnostics.source import Source
from trickproof_dsl.formatting.files import format_source
from trickproof_dsl.syntax.reserved_words import reserved_words

NAME = "agreement.random_rulesets"
BLOCK = 50
HANDS = 3

LONGER = 4
"""One in this many has a longer play phase."""

WRITTEN = max(1, count(NAME) // count("agreement.written"))
"""One in this many is written and read back; random syntax trees also test that."""

FOLLOWED = max(1, count(NAME) // count("agreement.symbolic"))
"""One in this many of the rulesets with a short play phase is executed symbolically, which is slow."""


UNDRAWN = {"answering", "bottom", "do", "happens", "no", "nothing", "true"}
"""Words of the language that no drawn phrase has."""

UNLIKE = (
    "the rulesets that these seeds draw do not try them enough; a new phrase changes what every seed draws"
)


@dataclass(frozen=True)
class Drawn:
    """A random ruleset."""

    seed: int
    text: str
    program: c.Program

    @property
    def longer(self) -> bool:
        return self.seed % LONGER == LONGER - 1


def drawn(seed: int) -> Drawn | None:
    """The ruleset of a seed; None if a card goes to its own giver (with two players, left is right)."""
    text = ruleset_of(seed, longer=seed % LONGER == LONGER - 1)
    ruleset, diagnostics = Library().load_text(text, "random.yaml")
    if ruleset is None:
        assert {diagnostic.code for diagnostic in diagnostics} == {"E308"}, render(diagnostics)
        return None
    return Drawn(seed, text, ruleset.program)


def test_words_of_the_language_are_drawn() -> None:
    files = (Path(__file__).with_name(name) for name in ("random_phrases.py", "random_rulesets.py"))
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    texts = (x.value for x in nodes if isinstance(x, ast.Constant) and isinstance(x.value, str))
    missing = reserved_words() - {word for text in texts for word in re.findall("[a-z]+", text)}
    assert missing == UNDRAWN, "draw a phrase with each new word in random_phrases.py or random_rulesets.py"


def formatted(random: Drawn, _: Counter[str]) -> None:
    """The canonical text has the same meaning, and is its own canonical form."""
    if random.seed // 2 % WRITTEN:
        return
    text, wrong = format_source(Source("random.yaml", random.text))
    assert text is not None, render(wrong)
    assert format_source(Source("random.yaml", text))[0] == text
    again, problems = Library().load_text(text, "random.yaml")
    assert again is not None, render(problems)
    assert fingerprint(again.program) == fingerprint(random.program)


def written_as_json(random: Drawn, _: Counter[str]) -> None:
    """The core is well formed and survives a JSON round trip."""
    assert violations(random.program) == []
    if random.seed // 2 % WRITTEN:
        return
    assert program_from_json(json.loads(json.dumps(program_json(random.program)))) == random.program


def compiled(random: Drawn, seen: Counter[str]) -> None:
    """The compiled form reaches the reference's states, and every fault is one that the core lists."""
    ways = Counter[str]()
    compare(random.program, random.seed, ways)
    seen["compared"] += ways["decisions"]
    seen["compared to the end"] += ways["complete"]


def simulated(random: Drawn, seen: Counter[str]) -> None:
    """The integer program's deals are the interpreter's; machine code and Python trace the same."""
    try:
        kernel = Kernel(random.program, ("random",), PYTHON, traced=True)
    except BeyondError:
        seen["beyond"] += 1
        return
    hands = noted(kernel, random.seed % 1000, HANDS)
    ends = [note[1] for hand in hands for note in hand.notes if note[0] == LEFT]
    if TOO_WIDE in ends:
        seen["too wide"] += 1
        return
    replayed(kernel, hands)
    machine_code = Kernel(random.program, backend=LLVM, traced=True, compiled=kernel.compiled)
    assert noted(machine_code, random.seed % 1000, HANDS) == hands
    seen["played"] += len(ends)
    seen["broken"] += sum(end >= FIRST for end in ends)


def followed(random: Drawn, seen: Counter[str]) -> None:
    """The symbolic executor excludes nothing that happens."""
    if random.seed // 2 % FOLLOWED == 0:
        _follow(random, seen)


def _follow(random: Drawn, seen: Counter[str]) -> None:
    if not random.longer:
        follow(random.program, random.text, random.seed, HANDS - 1, seen)


LAWS: tuple[Callable[[Drawn, Counter[str]], None], ...] = (
    formatted,
    written_as_json,
    compiled,
    simulated,
    followed,
)


@pytest.mark.grows("agreement.random_rulesets", "agreement.symbolic", "agreement.written")
@pytest.mark.parametrize("block", blocks(NAME, BLOCK), ids=lambda block: f"{block[0]}-{block[-1]}")
def test_all_readers_agree(block: range) -> None:
    """On every ruleset of a block, enough of which are played and enough of which fail at run time."""
    seen = Counter[str]()
    for seed in block:
        random = drawn(seed)
        if random is None:
            seen["to oneself"] += 1
            continue
        for law in LAWS:
            try:
                law(random, seen)
            except Exception as wrong:
                wrong.add_note(f"law `{law.__name__}`, ruleset {seed}:\n{random.text}")
                raise
    for seed in block:  # the few that were followed may lack a kind of deal; then others are
        if seen["complete"] and seen["failed"] and seen["told exactly"]:
            break
        random = drawn(seed) if seed // 2 % FOLLOWED else None
        if random is not None:
            _follow(random, seen)
    enough = {
        "compared": seen["compared"] > len(block) // 4,
        "compared to the end": seen["compared to the end"] > len(block) // 10,
        "played": seen["played"] > 2 * len(block),
        "broken": seen["broken"] > len(block) // 10,
        "complete": seen["complete"] > 0,
        "failed": seen["failed"] > 0,
        "told exactly": seen["told exactly"] > 0,
        "beyond, too wide": seen["beyond"] + seen["too wide"] <= len(block) // 6,
        "to oneself": seen["to oneself"] <= len(block) // 10,
    }
    assert all(enough.values()), f"the readers agree, but {UNLIKE}: {enough} {dict(seen)}"
