"""Test vectors: scenarios with the reference interpreter's answers, chosen to cover a whole ruleset.

In order of dependence: `cost`, `coverage_goal` (what can be reached), `coverage_points` and `instrumentation`
(a program that records what it reaches), `table_coverage` (what shows at the table), `recorded_hands`,
`mutated_states`, `illegal_moves`, `search` (deals that reach much), `minimise` (a small covering set),
`serialisation` (vectors as JSON, and their verification), `generate`.
"""
