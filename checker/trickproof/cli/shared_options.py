"""Options that several commands have."""

from __future__ import annotations

import os

import click

MOST_PROCESSES = 8
"""Processes that are used unless more are asked for."""

json_option = click.option("--json", "as_json_", is_flag=True, help="Print one JSON document.")

workers_option = click.option(
    "--workers", type=click.IntRange(1, 64), default=None, help="Processes to use; default: the cores."
)

simulating_workers_option = click.option(
    "--workers", type=click.IntRange(1, 256), help="Processes to use; default: the cores."
)

param_option = click.option(
    "--param", multiple=True, metavar="NAME=VALUE", help="A parameter's value; may be repeated."
)

reading_option = click.option(
    "--reading", multiple=True, metavar="RULE=NAME", help="How a rule is read; may be repeated."
)

backend_option = click.option(
    "--backend", type=click.Choice(["llvm", "python"]), help="Default: llvm where llvmlite is there."
)


def processes(workers: int | None) -> int:
    """How many processes `--workers` asks for."""
    return workers or min(os.cpu_count() or 1, MOST_PROCESSES)
