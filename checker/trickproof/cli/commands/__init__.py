"""The commands, one module each; see `cli.main`."""
