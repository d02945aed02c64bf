"""`trickproof` and `python -m trickproof`: the command line."""

import os


def main() -> None:
    """Runs the program; Ctrl-C ends it quietly from here on."""
    try:
        from trickproof.cli.process import run

        run()
    except KeyboardInterrupt:
        os._exit(130)
    except RuntimeError as problem:  # before 3.12, what stops a class while it is made
        if isinstance(problem.__cause__, KeyboardInterrupt):
            os._exit(130)
        raise


if __name__ == "__main__":
    main()
