"""A person plays against policies in the terminal.

Policies choose through `greedy_player`; `display` shows what the person may see, `input` reads what was typed,
`explanations` says why a move is refused, `saved_match` is a match in a file, and `session` drives it all.
"""
