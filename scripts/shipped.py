"""Puts into a wheel what is of use without a clone: examples and the verifier.

A hook of hatchling, see `[tool.hatch.build.targets.wheel.hooks.custom]` in pyproject.toml. An
editable installation has these folders where they are.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = ("examples", "verifier")
PLACE = "joute/shipped"
LEFT = (".results", ".export", ".pyc")
"""Ends of the names of what programs leave beside these files."""


class ShippedFolders(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the files of the folders, one by one."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it builds; `version` is "standard" or "editable"."""
        if version == "editable":
            return
        root = Path(self.root)
        for folder in FOLDERS:
            for path in sorted((root / folder).rglob("*")):
                inside = path.relative_to(root)
                if path.is_file() and not any(part.endswith(LEFT) for part in inside.parts):
                    build_data["force_include"][str(path)] = f"{PLACE}/{inside.as_posix()}"
