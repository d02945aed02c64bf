"""`python -m trickproof`: the command line."""

from trickproof.cli import main

main()
