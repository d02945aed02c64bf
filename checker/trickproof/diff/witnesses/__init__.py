"""Evidence for a difference: deals under both rulesets, and the condition under which they differ."""
