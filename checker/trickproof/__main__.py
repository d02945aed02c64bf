"""`trickproof` and `python -m trickproof`: the command line."""

import os


def main() -> None:
    """Runs the program; Ctrl-C ends it quietly from here on."""
    try:
        from trickproof.cli.process import run

        run()
    except KeyboardInterrupt:
        os._exit(130)


if __name__ == "__main__":
    main()
