"""A person plays against policies in the terminal.

In order: `greedy` (a player that plays sensibly), `known` (which variables tell of no hidden card), `shown` (what the person
sees), `typed` (what is meant by what was typed), `why` (why it may not be), `saved_match` (a match in a file), `session`.
"""
