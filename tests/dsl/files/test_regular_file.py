"""What is no regular file of a bearable size is refused before a byte of it is read, and nothing is waited for."""

from __future__ import annotations

import io
import os
import socket
from pathlib import Path

import pytest

from trickproof_dsl.files.regular_file import TooLargeError, bounded_lines, open_regular, read_regular
from trickproof_dsl.files.yaml_tree import MAX_BYTES, read_source


def refused(path: Path, limit: int = 100) -> str:
    with pytest.raises(OSError, match="Is a") as wrong:
        read_regular(path, limit)
    return wrong.value.strerror or ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipes_and_sockets_and_devices(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert refused(tmp_path / "pipe") == "Is a pipe, not a file"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        assert refused(tmp_path / "socket") == "Is a socket, not a file"
    assert refused(Path("/dev/zero")) == "Is a device, not a file"
    assert refused(tmp_path) == "Is a directory"


def test_links_are_followed_to_what_they_lead_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    (tmp_path / "link").symlink_to("file")
    assert read_regular(tmp_path / "link", 3) == b"abc"
    (tmp_path / "zero").symlink_to("/dev/zero")
    assert refused(tmp_path / "zero") == "Is a device, not a file"
    (tmp_path / "nowhere").symlink_to("missing")
    with pytest.raises(FileNotFoundError):
        open_regular(tmp_path / "nowhere")


def test_size(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(1 << 40)  # takes no room
    with pytest.raises(TooLargeError):
        open_regular(path, 100)
    source = read_source(path, "large")
    assert getattr(source, "message", "") == f"`large` is too large: expected at most {MAX_BYTES} bytes"


def test_lines_are_bounded() -> None:
    stream = io.BytesIO(b"a\n" + b"x" * 1000 + b"\nb\xff\n\nlast")
    assert list(bounded_lines(stream, 10)) == ["a\n", "x" * 11, "b\ufffd\n", "\n", "last"]
