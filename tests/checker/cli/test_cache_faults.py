"""Commands on a cache that another process uses, that cannot be written or is not there, and where no processes can be started."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CHECK = ["check", "pagat", "six-over", "--only", "rules-complete", "--hands", "1", "--workers", "2"]
SIMULATE = ["simulate", "six-over", "--hands", "5000", "--workers", "2"]
COMMANDS = [CHECK, SIMULATE]

pytestmark = pytest.mark.slow


def started(command: list[str], prefix: tuple[str, ...] = (), **environment: str) -> subprocess.Popen[str]:
    path = os.pathsep.join(str(ROOT / name) for name in ("dsl", "checker"))
    return subprocess.Popen(
        [*prefix, sys.executable, "-m", "trickproof", *command],
        env={**os.environ, "PYTHONPATH": path, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_two_processes_on_one_cache(command: list[str]) -> None:
    """Begun together on an empty one, and then on one that is full: all say the same."""
    alone = ended(started([*command, "--no-cache"]))
    assert alone[2] == ""
    for _ in range(2):
        assert [ended(one) for one in [started(command) for _ in range(3)]] == [alone] * 3


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_cache_that_is_a_file(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("mine")
    code, out, err = ended(started(command, TRICKPROOF_CACHE=str(tmp_path / "cache")))
    assert (code, out) == ended(started([*command, "--no-cache"]))[:2]
    assert err.count("\n") == 1
    assert err.startswith(f"trickproof: the cache `{tmp_path / 'cache'}` is not used: it is not a folder; ")
    assert (tmp_path / "cache").read_text() == "mine"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_without_processes(command: list[str]) -> None:
    """With a /dev/shm that cannot be written to, one process does all."""
    mounted = 'mount -t tmpfs -o ro tmpfs /dev/shm && exec "$@"'
    prefix = ("unshare", "-m", "sh", "-c", mounted, "sh")
    if shutil.which("unshare") is None or subprocess.run([*prefix, "true"], capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    usual = ended(started([*command, "--no-cache"]))
    assert ended(started([*command, "--no-cache"], prefix)) == usual


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_full_disk_for_the_cache(command: list[str], tmp_path: Path) -> None:
    mounted = f'mount -t tmpfs -o size=8k,mode=700 tmpfs {tmp_path} && exec "$@"'
    prefix = ("unshare", "-m", "sh", "-c", mounted, "sh")
    if shutil.which("unshare") is None or subprocess.run([*prefix, "true"], capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    usual = ended(started([*command, "--no-cache"]))
    assert ended(started(command, prefix, TRICKPROOF_CACHE=str(tmp_path))) == usual
