"""What shows a difference: deals under both rulesets, and the condition that separates them from others."""
