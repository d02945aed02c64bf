"""Test vectors: scenarios with the answers the reference interpreter gives, chosen to reach all of a ruleset.

In order: `cost`, `coverage_goal` (what can be reached), `coverage_points` and `instrumentation` (a program that notes what it
reaches), `table_coverage` (what shows at the table), `recorded_hands`, `mutated_states`, `illegal_moves`, `search` (hands that
reach much), `minimise` (few that reach all), `serialisation` (vectors as JSON, and whether a file of them still holds), `generate`.
"""
