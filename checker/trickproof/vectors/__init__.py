"""Test vectors: scenarios with the answers the reference interpreter gives, chosen to reach all of a ruleset.

In order: `bounds`, `goal` (what can be reached), `points` and `watch` (a program that notes what it reaches), `seen` (what
shows at the table), `hands`, `hunt` (hands that reach much), `refused` (moves that are not legal), `chosen` (few that reach
all), `written` (vectors as JSON, and whether a file of them still holds), `made`.
"""
