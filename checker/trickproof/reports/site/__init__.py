"""A comparison and its rulesets as pages for a browser: `trickproof report`."""
