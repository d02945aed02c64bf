"""A person plays against policies in the terminal.

`opponents` lets policies choose; `display` shows what the person may see, `input` parses what was typed,
`explanations` says why a move is refused, `saved_match` stores a match in a file, and `session` runs it all.
"""
