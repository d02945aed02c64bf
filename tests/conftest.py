"""Options of the test run, and a cache of findings for each test, so that none finds what another has left."""

import signal
from itertools import count
from pathlib import Path

import pytest

_NUMBERS = count()


# What is started in the background by a shell ignores Ctrl-C, and so would the programs that tests interrupt.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expected output of tests/cases")


@pytest.fixture(scope="session")
def caches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all tests' caches."""
    return tmp_path_factory.mktemp("caches")


@pytest.fixture(autouse=True)
def own_cache(caches: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of this test's cache; it is made when something is kept."""
    folder = caches / str(next(_NUMBERS))
    monkeypatch.setenv("TRICKPROOF_CACHE", str(folder))
    return folder
