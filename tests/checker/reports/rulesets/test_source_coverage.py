"""What became of every statement, and every assumption."""

from __future__ import annotations

from budget import RUN
from checker.rulesets_for_tests import BUNDLED, beside_bundled, bundled
from trickproof.reports.rulesets.source_coverage import STATUSES, Trace, trace, trace_document, trace_text
from trickproof.support.serialise import serialised

"""Loaded once: rulesets do not change."""


def test_statements_are_encoded_tested_contradicted_or_not_a_rule() -> None:
    traced = trace([bundled("six-over")], contradicted={("six-over", "two-of-five")})
    found = _by_id(traced, "six-over")
    assert found["s7"] == ("encoded", [("six-over", "deal"), ("six-over", "deal-with-pauses")])
    assert found["s32"] == ("contradicted", [("six-over", "two-of-five")])
    assert found["s30"] == ("tested", [("six-over", "ten-two-four")])
    assert found["s1"] == ("not a rule", [])
    assert _by_id(trace([bundled("six-over")]), "six-over")["s32"][0] == "tested"


def test_rules_and_examples_that_nothing_cites_are_uncovered() -> None:
    text = "ruleset: t\ntitle: T\ndocuments: [six-over]\nplayers: {number: 3, assumes: x}\n"
    found = _by_id(trace([beside_bundled(text)]), "six-over")
    assert found["s2"][0] == "uncovered"
    assert found["s30"][0] == "uncovered"
    assert found["s6"][0] == "not a rule"
    assert "s30   uncovered example" in trace_text(trace([beside_bundled(text)]))


def test_advice_that_a_rule_rests_on_is_encoded() -> None:
    text = "ruleset: t\ntitle: T\ndocuments: [six-over]\nplayers: {number: 3, cites: [six-over.s6]}\n"
    assert _by_id(trace([beside_bundled(text)]), "six-over")["s6"] == ("encoded", [("t", "players")])


def test_an_inherited_rule_counts_for_the_ruleset_that_states_it() -> None:
    found = _by_id(trace([bundled("tallyn"), bundled("nine-five-two")]), "pagat-de")
    assert found["s28"] == ("encoded", [("pagat", "follow")])
    assert ("tallyn", "targets") in found["s98"][1]
    assert ("nine-five-two", "targets") in found["s98"][1]


def test_what_only_a_base_encodes_names_its_rules() -> None:
    traced = trace([bundled("tallyn")])
    s6 = next(t for _, statements in traced.documents for t in statements if t.statement.id == "s6")
    assert (s6.status, [(u.ruleset, u.name) for u in s6.replaced]) == ("uncovered", [("pagat", "players")])
    assert "Three people play.  [only in its base: pagat: players]" in trace_text(traced)
    alone = trace([bundled("pagat")])
    assert not [t for _, statements in alone.documents for t in statements if t.replaced]


def test_what_only_other_rulesets_cover_comes_after_what_nothing_covers() -> None:
    """The page has variants under the game: they do not concern the ruleset of the game."""
    traced = trace([bundled("pagat")], others=[bundled("pagat"), bundled("shawn-51")])
    s81 = next(t for _, statements in traced.documents for t in statements if t.statement.id == "s81")
    assert s81.status == "uncovered"
    assert [(use.ruleset, use.name) for use in s81.elsewhere] == [
        ("shawn-51", "deck"),
        ("shawn-51", "inherits"),
    ]
    uncovered, others = trace_text(traced).split("Covered by other rulesets only")
    assert "s97 " in uncovered
    assert "s81 " not in uncovered
    assert "uses only 51 cards.  [shawn-51: deck" in others
    assert "Covered by other" not in trace_text(trace([bundled("pagat")]))


def test_a_library_brings_all_its_documents() -> None:
    library = BUNDLED
    traced = trace([bundled("six-over")], library)
    assert [d.id.value for d, _ in traced.documents] == sorted(library.document_paths())
    assert len(trace([bundled("six-over")]).documents) == 1


def test_damaged_statements_are_marked() -> None:
    data = serialised(trace_document(trace([bundled("gamerules-mirror")])))
    documents = data["documents"]
    assert isinstance(documents, list)
    assert [s["id"] for s in documents[0]["statements"] if s["damaged"]]


def test_assumptions_have_their_rule_and_place() -> None:
    traced = trace([bundled("nine-five-two"), bundled("pagat")])
    assert len(traced.assumptions) == len(set(traced.assumptions))
    data = serialised(trace_document(traced))["assumptions"]
    assert isinstance(data, list)
    winner = next(a for a in data if (a["ruleset"], a["rule"]) == ("nine-five-two", "winner"))
    assert winner["where"]["file"] == "rulesets/nine-five-two.yaml"
    assert all(a["assumes"] for a in data)


@RUN
def test_every_statement_of_the_documents_has_a_status() -> None:
    library = BUNDLED
    rulesets = [bundled(name) for name in library.ruleset_paths()]
    traced = trace(rulesets, library)
    assert {t.status for _, statements in traced.documents for t in statements} <= set(STATUSES)
    known = set(library.document_paths()) | {name for r in rulesets for name in r.documents}
    assert trace_text(traced).splitlines()[-1].startswith(f"{len(known)} documents, ")


def _by_id(traced: Trace, document: str) -> dict[str, tuple[str, list[tuple[str, str]]]]:
    statements = next(s for d, s in traced.documents if d.id.value == document)
    return {t.statement.id: (t.status, [(u.ruleset, u.name) for u in t.by]) for t in statements}


# ------------------------------------------------------------------------------------ what a game comes to


def test_rules_that_the_game_never_comes_to_encode_nothing() -> None:
    """A reveal needs a kitty: two variants have none, and a third takes it without a reveal."""
    kitty, shown = ("s23", "s25", "s64", "s65"), ("s66", "s67", "s68")
    for name, without in (("shawn-51", kitty + shown), ("weaver-four", kitty + shown), ("tallyn", shown)):
        statuses = _by_id(trace([bundled(name)]), "pagat-de")
        assert all(statuses[s][0] in ("uncovered", "contradicted") for s in without), name
        assert not any(a.rule in ("reveal", "kitty") for a in trace([bundled(name)]).assumptions), name
    whole = _by_id(trace([bundled("shawn-51"), bundled("pagat")]), "pagat-de")
    assert all(whole[s] == ("encoded", [("pagat", whole[s][1][0][1])]) for s in kitty + shown)


def test_what_a_variant_contradicts_it_does_not_encode() -> None:
    """All give before any returns: so the second giver does not wait for the first one's returns."""
    by = {t.statement.id: t for _, some in trace([bundled("tallyn")]).documents for t in some}
    assert by["s61"].status == "contradicted"
    assert [(u.ruleset, u.name) for u in by["s61"].against] == [("tallyn", "gifts")]
    assert by["s63"].status == "contradicted"
    together = trace([bundled("tallyn"), bundled("pagat")])
    assert _by_id(together, "pagat-de")["s61"][0] == "encoded"
    assert "contradicted by tallyn: gifts" in " ".join(trace_text(together).split())
    data = serialised(trace_document(together))["documents"]
    assert isinstance(data, list)
    entry = next(s for s in data[0]["statements"] if s["id"] == "s61")
    assert entry["against"] == [{"ruleset": "tallyn", "rule": "gifts"}]


def test_grounds_of_inheritance_are_traced() -> None:
    assert ("nine-five-two", "inherits") in _by_id(trace([bundled("nine-five-two")]), "pagat-de")["s96"][1]
    assumed = {(a.ruleset, a.rule) for a in trace([bundled("weaver-four")]).assumptions}
    assert ("weaver-four", "inherits") in assumed


def test_a_garbled_statement_says_what_it_is_taken_to_mean() -> None:
    traced = trace([bundled("weaver-four")])
    text = " ".join(trace_text(traced).split())
    assert "(damaged, taken to mean: by the rank of the cards that each of them had given him" in text
    data = serialised(trace_document(traced))["documents"]
    assert isinstance(data, list)
    entry = next(s for s in data[0]["statements"] if s["id"] == "s140")
    assert entry["damaged"] is True
    assert entry["meant"].startswith("by the rank")


def test_an_example_that_a_rule_rests_on_too_is_tested() -> None:
    """The ranking of the cards shows in an example only."""
    traced = _by_id(trace([bundled("pagat"), bundled("weaver-four")]), "pagat-de")
    assert traced["s144"][0] == "tested"
    assert ("pagat", "deck") in traced["s144"][1]


def test_a_game_without_documents_has_assumptions_only() -> None:
    game = beside_bundled("ruleset: t\ntitle: T\nplayers: {number: 3, assumes: x}\n")
    assert trace_text(trace([game])).endswith("no documents; 1 assumption")
