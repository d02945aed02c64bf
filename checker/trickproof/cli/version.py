"""The output of `--version`: trickproof, the solver and Python."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def package_version(name: str) -> str:
    """The version of an installed package, or "not installed"."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def version_line() -> str:
    """`trickproof 0.1.0 (z3 4.15.4, Python 3.11.7)`."""
    import platform

    solver = f"z3 {package_version('z3-solver')}"
    return f"trickproof {package_version('trickproof')} ({solver}, Python {platform.python_version()})"
