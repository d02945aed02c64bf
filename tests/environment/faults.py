"""Runs the program in hostile environments, and asserts that it reports failures in one line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHONPATH = os.pathsep.join(
    [*(str(ROOT / source) for source in ("dsl", "checker")), sysconfig.get_path("purelib")]
)
NOBODY = 65534
"""An ordinary user, who owns nothing."""

TRACES = ("Traceback", "Exception ignored", "bug:", "please report")
"""What a user must never see."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Exit code and output."""

    code: int
    out: str
    err: str

    def says(self, code: int, *words: str) -> None:
        """Assert that the run ended with this code and this message."""
        assert self.code == code, self.err
        assert not any(trace in self.err for trace in TRACES), self.err
        assert all(word.lower() in self.err.lower() for word in words), self.err
        assert len([line for line in self.err.splitlines() if line.strip()]) <= 3, self.err


def run(
    *arguments: str | Path,
    shell: str = "",
    cwd: Path | None = None,
    stdin: str = "",
    unset: Sequence[str] = (),
    prefix: Sequence[str] = (),
    program: Sequence[str] = (sys.executable, "-m", "trickproof"),
    **environment: str,
) -> Ended:
    """Run `trickproof ARGUMENTS` from a shell that first executes `shell`: redirections after `exec`, limits."""
    env = {**os.environ, "PYTHONPATH": PYTHONPATH, **environment}
    command = [*prefix, *program, *map(str, arguments)]
    if shell:
        command = ["/bin/bash", "-c", f'{shell}\n"$@"', "bash", *command]
    done = subprocess.run(
        command,
        cwd=cwd,
        env={name: value for name, value in env.items() if name not in unset},
        input=stdin.encode("utf-8", "surrogateescape"),
        capture_output=True,
        timeout=300,
    )
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    return Ended(done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding))


# ------------------------------------------------------------------------------------------------ users


@dataclass(frozen=True, slots=True)
class Person:
    """A user to whom permissions apply: how to run a command as them, and with which interpreter."""

    prefix: tuple[str, ...]
    python: str

    def run(self, *arguments: str | Path, cache: Path | None = None) -> Ended:
        own = () if cache is None else ("env", f"TRICKPROOF_CACHE={cache}")
        return run(*arguments, prefix=(*own, *self.prefix), program=(self.python, "-m", "trickproof"))


@cache
def ordinary_user() -> Person:
    """The user who runs the tests; instead of root, a user who owns nothing. Skips if there is none.

    Skips if there is none.
    """
    if os.geteuid() != 0:
        return Person((), sys.executable)
    if shutil.which("setpriv") is None:
        pytest.skip("root is bound by no permission, and there is no setpriv to be somebody else")
    become = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--")
    for person in (Person(become, sys.executable), _with_interpreter_shown(become)):
        try:
            if person.run("--version").code == 0:
                return person
        except OSError:
            continue
    pytest.skip("this checkout or its interpreter lies where no ordinary user may look")


def _with_interpreter_shown(become: tuple[str, ...]) -> Person:
    """Bind-mount an interpreter from root's home under another name, in a separate namespace."""
    home = tempfile.mkdtemp(prefix="trickproof-interpreter-")
    os.chmod(home, 0o755)
    mount = 'mount --bind "$0" "$1" && shift && exec "$@"'
    shown = ("unshare", "--mount", "/bin/sh", "-c", mount, sys.base_prefix, home)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return Person((*shown, *become), f"{home}/bin/{version}")


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that everybody may use."""
    with tempfile.TemporaryDirectory(prefix="trickproof-") as name:
        os.chmod(name, 0o777)
        yield Path(name)


@contextmanager
def full_disk(kilobytes: int = 64) -> Iterator[Path]:
    """A folder on its own disk, which has no space left once `fill` is called.

    Skips if mounting is not permitted.
    """
    with open_folder() as folder:
        words = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k,mode=777", "tmpfs", str(folder)]
        if subprocess.run(words, capture_output=True).returncode != 0:
            pytest.skip("a disk of 64 kB can be mounted by root only")
        try:
            yield folder
        finally:
            subprocess.run(["umount", str(folder)], check=True)


def fill(folder: Path) -> None:
    """Fill up the disk of a folder."""
    with (folder / "filling").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return


def contents(folder: Path) -> Mapping[str, bytes]:
    """The files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
