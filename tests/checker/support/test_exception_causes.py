"""What hides Ctrl-C is known for it, and ends the program as Ctrl-C does."""

from __future__ import annotations

import ctypes

import pytest

from trickproof.cli import main as command_line
from trickproof.support.exception_causes import interrupted


class _Stopped:
    def __set_name__(self, owner: type, name: str) -> None:
        raise KeyboardInterrupt


def _make_a_class(*_: object, **__: object) -> None:
    """Is stopped while a class is made: before Python 3.12 that is a RuntimeError."""
    type("Made", (), {"field": _Stopped()})


def test_ctrl_c_while_a_class_is_made() -> None:
    with pytest.raises((KeyboardInterrupt, RuntimeError)) as raised:
        _make_a_class()
    assert interrupted(raised.value)
    assert not interrupted(RuntimeError("something else"))


class _Argument:
    @classmethod
    def from_param(cls, value: object) -> object:
        raise KeyboardInterrupt if value else TypeError


def test_ctrl_c_while_an_argument_is_converted() -> None:
    prototype = ctypes.PYFUNCTYPE(None, _Argument)
    function = prototype(lambda _: None)
    for value in (True, False):
        with pytest.raises(ctypes.ArgumentError) as raised:
            function(value)
        assert interrupted(raised.value) is value


def test_the_program_is_interrupted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command_line.group, "main", _make_a_class)
    with pytest.raises(SystemExit) as ended:
        command_line.main()
    assert ended.value.code == 130
    assert capsys.readouterr().err == "interrupted\n"
