"""A person plays against policies in the terminal.

Policies choose through `testing.greedy_player`; `display` shows what the person may see, `input` reads what was typed,
`explanations` says why a move is refused, `saved_match` is a match in a file, and `session` drives it all.
"""
