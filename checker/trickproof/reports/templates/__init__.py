"""Page templates, shipped as files next to this module."""

from __future__ import annotations

import functools
import re
from html import escape
from importlib import resources

from jinja2 import Environment, FunctionLoader, StrictUndefined
from jinja2.filters import do_mark_safe


def page(name: str, **values: object) -> str:
    """Render the template `name`, without a trailing newline; `.html.` templates escape their values."""
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
    environment.filters["coded"] = coded
    return environment


def markdown(text: str) -> str:
    """Text escaped for Markdown."""
    return re.sub(r"([\\`*_<>\[\]#|])", r"\\\1", text)


def coded(text: str) -> str:
    """Text escaped for HTML, in which names between backticks are code."""
    return do_mark_safe(re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text)))


def text_of(name: str) -> str:
    """A shipped template, style or script, without a trailing newline."""
    return (resources.files(__package__) / name).read_text(encoding="utf-8").rstrip("\n")
