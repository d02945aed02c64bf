"""`python -m trickproof`: the command line."""

from trickproof.cli.main import main

main()
