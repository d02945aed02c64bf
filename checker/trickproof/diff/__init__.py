"""How two rulesets differ, aspect by aspect, for all deals, choices and readings, with deals that show it.

An aspect is compared by *grafting*, a form of contextual equivalence: each ruleset adopts the other's rule,
and the question is whether anything changes. `rule_dependencies` and `graft` build the grafted rulesets;
`symbolic` and `witnesses/pre_play` prove that nothing changes or find the deals in which something may;
`witnesses/paired_replay` plays one scenario under both rulesets, `witnesses/distinguishing_hands` searches
for the smallest deal in which they diverge, and `witnesses/condition_learning` words the conditions.
`rule_diff` decides a single aspect, `ruleset_diff` all of them.
"""
