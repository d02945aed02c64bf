"""The commands, one module each; see `cli.py`."""
