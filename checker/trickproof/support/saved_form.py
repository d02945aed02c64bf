"""The format version of saved files, and the message for one from a newer trickproof (docs/versions.md)."""

from __future__ import annotations


def newer_form(form: object, known: int) -> str | None:
    """The message for a file in a newer format than the known one; None for any other."""
    if type(form) is not int or form <= known:
        return None
    return f"was written by a newer trickproof (its form is {form}, this one reads {known}): use that one, or name another file"
