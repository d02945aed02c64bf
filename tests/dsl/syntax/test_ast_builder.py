"""The grammar and the builder of trees belong together: a method for every alternative."""

from __future__ import annotations

from trickproof_dsl.syntax.ast_builder import AstBuilder
from trickproof_dsl.syntax.parser_tables import rule_parser

NAMED = {
    (str(rule.alias or rule.origin.name), str(rule.origin.name))
    for rule in rule_parser().rules
    if rule.alias or not rule.options.expand1
}
"""Alternatives that do not merely pass on their only part: the name of their method, and their rule of the grammar."""


def test_every_alternative_has_a_method() -> None:
    """Without one, lark leaves a `Tree` where a node is expected."""
    assert len(NAMED) > 100
    missing = {name for name, _ in NAMED if not name.startswith("_") and not hasattr(AstBuilder, name)}
    assert missing == set(), "ast_builder.py needs methods of these names"


def test_no_two_rules_share_a_method() -> None:
    """Neither would get the right node."""
    names = sorted(name for name, _ in NAMED)
    shared = {name for name in names if names.count(name) > 1}
    assert shared == set(), "other rules of the grammar have these names after `->`"
