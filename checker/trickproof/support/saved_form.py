"""The number that a file of ours carries for its form, and what is said of a file that a newer trickproof wrote (docs/versions.md)."""

from __future__ import annotations


def newer_form(form: object, known: int) -> str | None:
    """What to say of a file in a form above the one that is known; None for any other."""
    if type(form) is not int or form <= known:
        return None
    return f"was written by a newer trickproof (its form is {form}, this one reads {known}): use that one, or name another file"
