"""The location of the bundled rulesets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import trickproof

if TYPE_CHECKING:
    from trickproof_dsl.files.ruleset_folders import RulesetFolders
    from trickproof_dsl.library import Library


def ruleset_folder() -> Path:
    """The folder `rulesets`: inside the installed package, or at the root of a checkout."""
    installed = Path(trickproof.__file__).parent / "rulesets"
    return installed if installed.is_dir() else installed.parents[2] / "rulesets"


def bundled_folders() -> RulesetFolders:
    """The bundled rulesets and documents by name, without loading the language implementation."""
    from trickproof_dsl.files.ruleset_folders import RulesetFolders

    return RulesetFolders([ruleset_folder()])


def bundled_library() -> Library:
    """A library of the bundled rulesets and documents."""
    from trickproof_dsl.library import Library

    return Library([ruleset_folder()])
