"""Reports on two or more rulesets: what differs, what a house rule changes."""
