"""Retired phrases stay out of what users read: the pages, and every text in the program, docstrings too."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
]
MODULES = [path for folder in ("checker", "dsl") for path in sorted((ROOT / folder).rglob("*.py"))]

RETIRED = {
    "hands that chance hardly ever deals": "low-probability deals",
    "a hand that shows it": "a deal that shows it",
    "what becomes useless": "which rules become dead (unreachable)",
    "in the words of a scenario": "in scenario format",
    "compare what comes of": "compare the results",
    "tell what comes of them": "report statistics",
    "every figure is for this policy": "results depend on the policy",
    "few independent stretches of play": "few independent batches",
    "of a game that does not hold": "describe an unsound game",
    "can be gone on with": "can be resumed",
    "to go on from": "to resume from",
    "is no number of the list": "is not one of the options",
    "is none of the choices": "is not an option here",
    "tells what can be typed": "type `help` for commands",
    "taken back": "undone",
    "our table plays it so": "house rule at our table",
    "take away the `# `": "uncomment",
    "exists already: nothing is overwritten": "already exists; not overwritten",
    "decide again with a second solver": "cross-check with a second solver",
    "neither use nor keep": "ignore and do not write the cache",
    "accepted for uniformity": "no effect",
    "comments kept": "comments are preserved",
    "goes no round": "zero iterations",
    "every frame on this page": "every code block on this page",
    "whatever is dealt and chosen, cards are moved": "for all deals and choices",
    "cards go back, as many as came": "one card is returned for each card received",
    "whoever must": "the player who must",
    "so many hands": "N deals",
    "B less A": "B − A",
    "9 of 10 take": "90th percentile",
    "nothing else needed": "no other system dependencies",
    "says what is true of them": "proves things about them",
    "the targets add up": "the targets sum to the number of tricks",
    "these are all differences in": "there are no other differences",
    "these cases are exhaustive": "there are no other differences",
    "the next step differs": "something else happens next",
    "the reveal takes place": "cards are revealed as required",
    "modulo": "the remainder, a multiple",
    "where they part": "where they diverge",
    "each takes in something": "neither condition implies the other",
    "which rules lose their use": "which rules become dead",
    "is rejected when it has a flaw": "is rejected if it introduces a violation",
    "what it does to play": "its effect on play",
    "hands of a match that ends": "deals per completed match",
    "would have kept them": "use --state FILE to save progress",
    "the match is kept": "match saved",
    "leave after so many": "stop after N deals",
    "what became of every statement": "how each source statement is covered",
    "is held against the rules": "is verified against the rules",
    "were reached in no": "were not reached (some may be infeasible)",
    "for a line that is no": "if a line is not a valid",
    "put files into canonical form": "format files",
    "files lie like this": "directory layout",
    "what binds tighter": "operator precedence",
    "chance decides which cards": "the deal is nondeterministic",
    "other people's software": "differential testing against",
    "numbers lead to what": "footnotes give the source statements",
    "what comes before play": "before play",
    "the gifts of the giver": "the giver passes cards",
    "compare what comes": "compare the results",
    "says how things stand in the end": "shows the final state",
    "decides again": "cross-checks",
    "break down": "fail at run time",
    "breaks down": "fails at run time",
    "broke down": "failed at run time",
    "broken down": "failed at run time",
    "a breakdown": "a runtime fault",
    "the one spoken of": "the implicit subject",
    "abreast": "interleaved",
    "goes in a circle": "is circular",
    "would be accepted:": "suggested fix",
    "as good as no": "hardly any",
    "who is asked,": "acting player differs",
    "has to discard 4–4": "must discard exactly 4",
    "keep their promises": "guarantee",
    "is no card": "is not a card",
    "no mistakes of form": "no errors in the text",
    "rate probably below": "failure probability below",
    "goes on from it": "resumes from it",
    "next action differs": "at some point cards are discarded under one, but … under the other",
    "another decision to make": "faces a different decision",
    "without a single winner": "without exactly one winner (`not a single` is none at all)",
    "is said of one rule at a time": "each difference is stated with all other rules as in …",
    "no layout of cards suits": "no one layout of cards fits (a suit is ♣ ♦ ♥ ♠)",
    "words between asterisks": "asterisks mark the words that differ",
    "has other cards": "the packs contain different cards",
    "rules beyond these": "other rules that differ",
    "deal was found that shows the difference": "no deal was found that shows a difference",
    "and one under each choice": "under each choice",
    "the last deal calls for": "the previous deal calls for",
    "too long to be told apart": "too long to count separately",
    "in points of the deal": "in points for this deal",
    "all members are": "all variants are",
    "as this file states": "as stated in this file",
    "it can be that no play": "a state can arise from which no play ends the match",
    "without a ground": "without grounds",
    "of two who are equal": "of two tied players",
    "is another thing": "is something else",
    "no rule asks what": "no rule uses what",
    "brackets do not fit": "brackets do not match",
    "word of results": "result word",
    "by blanks": "with spaces",
}
"""What is not said any more, and what is said instead."""

_PHRASES = {
    re.compile(rf"\b{re.escape(old)}".replace(r"\ ", r"\s+"), re.I): new for old, new in RETIRED.items()
}


def _complaints(text: str) -> list[str]:
    """Retired phrases that a text has, with what to write."""
    return [f"{match[0]!r}: write {new!r}" for old, new in _PHRASES.items() if (match := old.search(text))]


def _texts(module: Path) -> Iterator[str]:
    """The strings of a module, docstrings among them."""
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_have_no_retired_phrase(page: Path) -> None:
    told = "change the phrase; in a generated page, where its text comes from (docs/checks.md: the check's docstring)"
    assert _complaints(page.read_text("utf-8")) == [], told


def test_no_text_of_the_program_has_a_retired_phrase() -> None:
    found = {
        str(path.relative_to(ROOT)): c
        for path in MODULES
        if (c := [x for text in _texts(path) for x in _complaints(text)])
    }
    assert found == {}


def test_a_phrase_is_found_across_lines() -> None:
    assert _complaints("Matches\n  can be\n  gone on with.") == [
        "'can be\\n  gone on with': write 'can be resumed'"
    ]
