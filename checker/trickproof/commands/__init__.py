"""The commands, one module each; see `cli.py`."""

EXIT_BUG = 70
"""Exit code where the tool disagrees with itself or has a bug."""
