"""A comparison and its rulesets as web pages: `trickproof report`."""
