"""What two rulesets do differently: aspect by aspect, for all deals, choices and readings, with a deal that shows it.

An aspect is compared by *grafting*: each ruleset takes over the other's rule, and the question is whether anything
changes.  `closure` and `graft` make the grafted rulesets, `alike` proves that nothing changes or says in which hands it
may, `script` plays one scenario under both, `partings` looks for the smallest hand in which they part, `classes` sorts
the differences and puts their conditions into words, `aspect` decides about one aspect, `compared` about all.
"""
