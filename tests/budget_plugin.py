"""The pytest plugin for the budget: which tests a run includes, and how much processor time its suites take.

A test belongs to a suite if it is slow, or if it grows: it has more examples in larger runs. A run of size
`share` or `full` that is given a suite, or takes its share, runs only these; such a test that belongs to no
suite, or to two, is a collection error. A suite that exceeds its processor time in tests/budget.toml fails
the run, and so does a slow test among the fast ones of a quick run.
"""

from __future__ import annotations

import resource
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from itertools import count

import pytest

import budget

PROCESSOR = "processor seconds"
"""A property of every report: the processor seconds of the test on the reference machine.

Includes its fixtures and the processes that it waited for.
"""

MEASURED_EVERY = 20.0
"""Seconds after which the machine's speed is measured again: that of shared machines changes within a minute.
"""

DEFAULT = "default"

_BEGAN = pytest.StashKey[float]()


def processor_seconds() -> float:
    """Processor time of this process and of those that it has waited for."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


class Machine:
    """The slowdown of this machine relative to the reference machine, measured repeatedly during tests."""

    def __init__(self) -> None:
        self._slowness, self._measured = 1.0, -MEASURED_EVERY

    def slowness(self) -> float:
        if time.monotonic() - self._measured >= MEASURED_EVERY:
            self._slowness, self._measured = budget.slowness(), time.monotonic()
        return self._slowness


def suite_of(path: str) -> budget.Suite:
    """The one suite of the slow tests of a file."""
    suites = budget.budget().suites_of(path)
    if len(suites) != 1:
        names = " and ".join(suite.name for suite in suites) or "none"
        raise pytest.UsageError(f"{path}: slow tests are of one suite of tests/budget.toml, not of {names}")
    return suites[0]


class Selection:
    """Deselects what belongs to another suite, share, shard or the full run."""

    def __init__(self, config: pytest.Config) -> None:
        self._suites = set(config.getoption("--suite"))
        self._part, self._parts = (int(number) for number in config.getoption("--shard").split("/"))
        self._quick = bool(config.getoption("--quick"))
        unknown = self._suites - {suite.name for suite in budget.budget().suites}
        if unknown:
            raise pytest.UsageError(f"no suite of tests/budget.toml: {', '.join(sorted(unknown))}")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        suites = {item: suite_of(_path(item)) for item in items if _of_suite(item)}
        chosen = [item for item in items if self._belongs(item, suites.get(item))]
        if budget.size() == "share":
            chosen = list(_share([item for item in chosen if item in suites], suites))
        chosen = chosen[self._part - 1 :: self._parts]
        taken = set(chosen)
        config.hook.pytest_deselected(items=[item for item in items if item not in taken])
        items[:] = chosen

    def _belongs(self, item: pytest.Item, suite: budget.Suite | None) -> bool:
        if self._suites:
            return suite is not None and suite.name in self._suites
        if self._quick:
            left_out = budget.budget().quick_leaves_out
            return not item.get_closest_marker("slow") and not _path(item).startswith(left_out)
        return True


def _path(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def _of_suite(item: pytest.Item) -> bool:
    """Whether a test is slow, or is repeated with more examples."""
    if item.get_closest_marker("slow"):
        return True
    return any(_more_examples(*mark.args) for mark in item.iter_markers("grows"))


def _more_examples(*names: str) -> bool:
    counts = budget.budget().counts
    return any(counts[name][budget.size()] > counts[name]["default"] for name in names)


def _share(items: list[pytest.Item], suites: dict[pytest.Item, budget.Suite]) -> Iterator[pytest.Item]:
    """One in `one_in` of each suite's slow tests, and one in `one_in_run` of those marked RUN.

    The first of each is included, and so are all tests that grow without being slow.
    """
    numbers: defaultdict[tuple[str, bool], Iterator[int]] = defaultdict(count)
    for item in items:
        suite, slow = suites[item], list(item.iter_markers("slow"))
        often = all(mark.kwargs.get("often") for mark in slow)
        one_in = budget.budget().one_in_run if often else suite.one_in
        if not slow or next(numbers[suite.name, often]) % one_in == 0:
            yield item


class Usage:
    """Adds up processor time by suite, reports it, and fails a run that exceeds its budget."""

    def __init__(self, config: pytest.Config) -> None:
        self._quick = bool(config.getoption("--quick"))
        self._shown = budget.size() != "default" or self._quick
        self._whole = config.getoption("--shard") == "1/1"
        self._machine = Machine()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._wrong: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, None, None]:
        self._machine.slowness()
        item.stash[_BEGAN] = processor_seconds()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.when == "teardown" and _BEGAN in item.stash:
            used = processor_seconds() - item.stash[_BEGAN]
            report.user_properties.append((PROCESSOR, used / self._machine.slowness()))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        seconds = dict(report.user_properties).get(PROCESSOR)
        if report.when != "teardown" or not isinstance(seconds, float):
            return
        path = report.nodeid.partition("::")[0]
        of_suite = "slow" in report.keywords or (budget.size() != "default" and "grows" in report.keywords)
        self._seconds[suite_of(path).name if of_suite else DEFAULT] += seconds
        most = budget.budget().quick_seconds
        if self._quick and seconds > most:
            self._wrong.append(f"{report.nodeid} takes {seconds:.1f} s: quick tests take at most {most} s")

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workerinput"):
            return
        for suite in budget.budget().suites:
            used, most = self._seconds[suite.name] / 60, self._minutes(suite)
            if self._shown and self._whole and used > most:
                self._wrong.append(f"suite {suite.name} took {used:.1f} processor minutes of {most}")
        if self._wrong and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @staticmethod
    def _minutes(suite: budget.Suite) -> float:
        return suite.full if budget.size() == "full" else suite.share

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self._shown:
            return
        terminalreporter.section("processor minutes")
        if self._seconds[DEFAULT]:
            terminalreporter.write_line(f"{DEFAULT:<28}{self._seconds[DEFAULT] / 60:6.1f}")
        for suite in budget.budget().suites:
            if used := self._seconds[suite.name]:
                terminalreporter.write_line(f"{suite.name:<28}{used / 60:6.1f} of {self._minutes(suite)}")
        for line in self._wrong:
            terminalreporter.write_line(line, red=True)
