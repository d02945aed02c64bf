"""What an output is: its width, whether it is coloured, which signs it shows."""

from __future__ import annotations

import io

import pytest

from trickproof.support.terminal import PIPED, Terminal, shows_colour, terminal_of


class Window(io.StringIO):
    """A terminal in memory."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("columns", "width"), [(20, 60), (60, 60), (80, 80), (100, 100), (120, 120), (200, 120)]
)
def test_a_width_is_kept_within_bounds(columns: int, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert terminal_of(Window(), {}).width == width
    assert Terminal(columns=lambda: columns, margin=4).width == width - 4


def test_a_pipe_has_the_usual_width_whatever_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    piped = terminal_of(io.StringIO(), {})
    assert (piped.interactive, piped.colour, piped.width) == (False, False, PIPED)


@pytest.mark.parametrize(
    ("interactive", "environment", "coloured"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (True, {"FORCE_COLOR": "0"}, True),
        (False, {"FORCE_COLOR": "0"}, False),
        (True, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_colour(interactive: bool, environment: dict[str, str], coloured: bool) -> None:
    assert shows_colour(interactive, environment) is coloured
    assert shows_colour(interactive, environment, "always") is True
    assert shows_colour(interactive, environment, "never") is False


def test_signs_that_an_encoding_does_not_have_are_replaced() -> None:
    text = "♣ A 10, ♥ K – 5 ±1 “x” …é日"
    assert Terminal().printable(text) == text
    assert Terminal(encoding="ascii").printable(text) == 'C A 10, H K - 5 +-1 "x" ...e?'
    assert Terminal(encoding="latin-1").printable("♠ ±é") == "S ±é"


def test_the_encoding_is_the_streams() -> None:
    assert terminal_of(io.TextIOWrapper(io.BytesIO(), encoding="latin-1"), {}).encoding == "latin-1"
    assert terminal_of(io.StringIO(), {}).encoding == "utf-8"
