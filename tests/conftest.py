"""Options of the test run, profiles of hypothesis, and a separate cache of findings for each test."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from difflib import unified_diff
from itertools import count, islice
from pathlib import Path
from random import SystemRandom

import pytest
from hypothesis import HealthCheck, settings

import budget
from budget_plugin import Selection, Usage

_NUMBERS = count()

# Programs started in the background by a shell ignore Ctrl-C, and so would the programs that tests interrupt.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# `default` and `ci` draw the same examples in every run, however long they take; `full` draws different ones
# each time.
_CALM = settings(derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
settings.register_profile("default", _CALM)
settings.register_profile("ci", _CALM, print_blob=True)
settings.register_profile("full", _CALM, derandomize=False, print_blob=True)
_PROFILES: dict[budget.Size, str] = {"default": "default", "share": "ci", "full": "full"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite expected output and generated files")
    group = parser.getgroup("budget", "how much is tested (tests/budget.toml)")
    group.addoption("--size", choices=budget.SIZES, help="which counts and cases (default: default)")
    group.addoption(
        "--seed", type=int, help="of all random numbers (default: 0; for --size full: a fresh one)"
    )
    group.addoption("--suite", action="append", default=[], help="only the slow tests of this suite")
    group.addoption("--shard", default="1/1", metavar="K/N", help="only this part of the chosen tests")
    group.addoption("--quick", action="store_true", help="only tests of the inner loop, all of them fast")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Report at the end what was left out on request."""
    without = os.environ.get("TRICKPROOF_WITHOUT")
    if without and not hasattr(config, "workerinput"):
        print(f"not tested (TRICKPROOF_WITHOUT): {without}")


def pytest_configure(config: pytest.Config) -> None:
    """Put size and seed into the environment before any test is imported; worker processes inherit them."""
    if size := config.getoption("--size"):
        os.environ[budget.SIZE_VARIABLE] = size
    seed = config.getoption("--seed")
    if seed is None and budget.size() == "full" and budget.SEED_VARIABLE not in os.environ:
        seed = SystemRandom().randrange(1, 10**6)
    if seed is not None:
        os.environ[budget.SEED_VARIABLE] = str(seed)
    settings.load_profile(_PROFILES[budget.size()])
    if budget.size() == "full":
        config.option.hypothesis_seed = budget.seed()
    config.pluginmanager.register(Selection(config), "budget-selection")
    config.pluginmanager.register(Usage(config), "budget-usage")


def pytest_report_header() -> str:
    return f"tests: {budget.size()}, seed {budget.seed()}"


@pytest.fixture
def generated(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Assert that a committed file is what would be generated now; `--update` writes it."""

    def is_current(path: Path, text: str) -> None:
        if request.config.getoption("--update"):
            path.write_text(text, encoding="utf-8", newline="\n")
        committed = path.read_text(encoding="utf-8")
        if committed != text:
            renew = f"pytest {request.node.nodeid.partition('::')[0]} -k current --update"
            pytest.fail(
                f"{path.name} is stale; renew with: {renew}\n{_first_lines(committed, text)}", pytrace=False
            )

    return is_current


def _first_lines(committed: str, text: str) -> str:
    """What differs, without the thousands of long lines of a table."""
    lines = islice(unified_diff(committed.splitlines(), text.splitlines(), n=0, lineterm=""), 2, 12)
    return "\n".join(line[:120] for line in lines)


@pytest.fixture(scope="session")
def caches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all tests' caches."""
    return tmp_path_factory.mktemp("caches")


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all worker processes of the run."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared-cache"


@pytest.fixture
def shared_cache(shared_folder: Path, monkeypatch: pytest.MonkeyPatch, own_cache: Path) -> Path:
    """A shared cache, for tests that need the findings of unmodified rulesets, computed once per run."""
    monkeypatch.setenv("TRICKPROOF_CACHE", str(shared_folder))
    return shared_folder


@pytest.fixture(autouse=True)
def own_cache(caches: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of this test's cache, created on first use."""
    folder = caches / str(next(_NUMBERS))
    monkeypatch.setenv("TRICKPROOF_CACHE", str(folder))
    return folder
