"""The language of trickproof: rulesets, their core program and the reference interpreter."""
