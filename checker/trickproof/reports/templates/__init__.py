"""The templates of pages, shipped as files beside this module."""

from __future__ import annotations

import functools
import re
from importlib import resources

from jinja2 import Environment, FunctionLoader, StrictUndefined


def page(name: str, **values: object) -> str:
    """A page from the template `name`, without a line break at its end; `.html.` templates escape what they show."""
    text = _environment(".html." in name).get_template(name).render(**values)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


@functools.cache
def _environment(escape: bool) -> Environment:
    environment = Environment(
        loader=FunctionLoader(text_of),
        autoescape=escape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["md"] = markdown
    return environment


def markdown(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\`*_<>\[\]#|])", r"\\\1", text)


def text_of(name: str) -> str:
    """A template, style or script as it is shipped, without a line break at its end."""
    return (resources.files(__package__) / name).read_text(encoding="utf-8").rstrip("\n")
