"""Laws of agreement between the readers of a ruleset."""
