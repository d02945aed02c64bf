"""Laws of agreement between the engines and analyses that interpret a ruleset."""
