"""Options shared by several commands."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import click

from trickproof.cli.shell_completion import complete_policies, complete_settings

F = TypeVar("F", bound=Callable[..., Any])

MOST_PROCESSES = 8
"""Maximum number of processes used by default."""

json_option = click.option("--json", "as_json_", is_flag=True, help="Output JSON.")

_WITH_EXPONENT = re.compile(r"(\d+(?:\.\d+)?)[eE]\+?(\d{1,2})")


MOST_COUNTED = 10**18
"""Upper limit of a count: more than any run reaches, and within the range of the simulator's integers."""


class Count(click.IntRange):
    """An integer, also written as `1e6` or `1_000_000`."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        written: Any = value.replace("_", "") if isinstance(value, str) else value
        if isinstance(written, str) and (exponent := _WITH_EXPONENT.fullmatch(written)):
            number = Decimal(exponent[1]).scaleb(int(exponent[2]))
            written = int(number) if number == number.to_integral_value() else value
        count = super().convert(written, param, ctx)
        if count > MOST_COUNTED:
            self.fail(f"{value} is too large: expected at most {MOST_COUNTED}.", param, ctx)
        return count


class Seconds(click.FloatRange):
    """A positive, finite number of seconds."""

    name = "number"

    def __init__(self) -> None:
        super().__init__(0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if not isfinite(seconds):
            self.fail(f"{value!r} is not a number of seconds, such as 30.", param, ctx)
        return seconds


output_folder_option = click.option(
    "-o",
    "--output",
    required=True,
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write to; created if it does not exist.",
)

workers_option = click.option(
    "--workers", type=click.IntRange(1, 64), default=None, help="Processes to use; default: one per core."
)

scheduler_option = click.option(
    "--scheduler", metavar="ADDRESS", help="Address of a dask.distributed scheduler, such as tcp://host:8786."
)

simulating_workers_option = click.option(
    "--workers", type=click.IntRange(1, 256), help="Processes to use; default: one per core."
)


def deals_option(text: str, default: int | None = None) -> Callable[[F], F]:
    """`--hands`, which is also `--deals`."""
    return click.option(
        "--hands", "--deals", type=Count(1), default=default, show_default=default is not None, help=text
    )


def policy_option(text: str) -> Callable[[F], F]:
    """`--policy`."""
    return click.option(
        "--policy", shell_complete=complete_policies, default="random", show_default=True, help=text
    )


param_option = click.option(
    "--param",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=complete_settings,
    help="A parameter's value; may be repeated.",
)

reading_option = click.option(
    "--reading",
    multiple=True,
    metavar="RULE=NAME",
    shell_complete=complete_settings,
    help="How a rule is read; may be repeated.",
)

backend_option = click.option(
    "--backend",
    type=click.Choice(["llvm", "python"]),
    help="How to run the rules; default: llvm if llvmlite is installed.",
)


@contextmanager
def reaching(scheduler: str) -> Iterator[None]:
    """Convert failures to reach the scheduler (dask.distributed missing, no answer) to usage errors."""
    try:
        yield
    except ModuleNotFoundError:
        raise click.UsageError(
            "--scheduler needs dask.distributed: pip install 'trickproof[cluster]'"
        ) from None
    except (ImportError, OSError, ValueError) as wrong:
        raise click.UsageError(f"--scheduler: no scheduler answers at `{scheduler}`: {wrong}") from None


def processes(workers: int | None, scheduler: str | None = None) -> int:
    """The number of processes for `--workers`, or the cluster of `--scheduler`."""
    if scheduler is None:
        return workers or min(os.cpu_count() or 1, MOST_PROCESSES)
    if workers is not None:
        raise click.UsageError("give --workers or --scheduler, not both")
    from trickproof.support.cluster import Cluster

    with reaching(scheduler):
        return Cluster(scheduler)
