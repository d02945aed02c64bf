"""`--color`, an option of the program and of every command; stored in click's context, never in a global."""

from __future__ import annotations

import click

from trickproof.support.terminal import ColourChoice

_CHOICES: dict[str, bool | None] = {"auto": None, "always": True, "never": False}


def _chosen(context: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.color = _CHOICES[value]


def colour_option() -> click.Option:
    """The option; without it, the environment and the terminal decide."""
    return click.Option(
        ["--color", "--colour"],
        type=click.Choice(list(_CHOICES)),
        expose_value=False,
        is_eager=True,
        callback=_chosen,
        help="Colours: auto (on a terminal, unless NO_COLOR is set), always, or never.",
    )


def colour_choice() -> ColourChoice:
    """The colour setting in effect."""
    context = click.get_current_context(silent=True)
    if context is None or context.color is None:
        return "auto"
    return "always" if context.color else "never"
