"""Expressions with everything worked out that is known."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import documented
from trickproof.equivalence.constant_folding import cannot_fault
from trickproof_dsl.core.faults import FAULTS, fault_sites
from trickproof_dsl.core.traversal import walk

ABOUT_NONE = {"nobody", "no-card"}
"""Kinds of fault that do not happen where it is known that something is there."""


@pytest.mark.parametrize("name", ["pagat", "weaver-four"])
def test_whatever_the_core_says_can_fault_is_not_taken_for_total(name: str) -> None:
    program = documented(name).program
    nodes = [node for node in walk(program.setup, program.hand, program.between) if hasattr(node, "span")]
    kinds = {site.kind for node in nodes for site in fault_sites(node)}
    assert kinds <= FAULTS.keys()
    risky = [node for node in nodes if {site.kind for site in fault_sites(node)} - ABOUT_NONE]
    assert len(risky) > 20
    assert not any(map(cannot_fault, risky))
