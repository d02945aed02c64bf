"""A person plays against policies in the terminal.

In order: `greedy` (a player that plays sensibly), `shown` (what the person sees), `typed` (what is meant by what was typed),
`refused` (why it may not be), `saved_match` (a match in a file), `session`.
"""
