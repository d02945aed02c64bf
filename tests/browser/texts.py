"""Rulesets as strangers and learners write them."""

from __future__ import annotations

SCRIPT = "<script>window.broken = 1</script><img src=x onerror='window.broken = 2'>"

RIGHT_TO_LEFT = "‮evil‬"

LONG = "long " * 2_000

UNTRUSTED = f"""\
ruleset: untrusted
title: "{SCRIPT} {RIGHT_TO_LEFT} {LONG}"
extends: pagat

rules:
  end:
    rule: some player has tricks >= 11
    assumes: "</script>{SCRIPT} {RIGHT_TO_LEFT}"
"""

HOUSE = """\
ruleset: my
title: "House rule"
extends: pagat

rules:
  targets:
    rule: |
      target of dealer becomes 8
      target of left of dealer becomes 5
      target of right of dealer becomes 3
    assumes: "house rule at our table"
"""
"""Its targets sum to the number of tricks."""
