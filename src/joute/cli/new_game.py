"""`joute new FOLDER --kind game`: a package with the rules of a small game, to be changed."""

from __future__ import annotations

import re
from pathlib import Path

from joute.cli.exits import UsageFault
from joute.files import put
from joute.i18n.words import language, say

TEMPLATES = Path(__file__).parent / "templates" / "game"


def write_game(folder: Path) -> None:
    """Writes the package into a folder that is there, named after it. Raises UsageFault."""
    name = re.sub(r"[^a-z0-9]+", "-", folder.resolve().name.lower()).strip("-")
    if not name or name[0].isdigit():
        raise UsageFault(say("new.game_name", name=folder.resolve().name))
    module = name.replace("-", "_")
    words = {"PACKAGE": f"joute-{name}", "MODULE": module, "NAME": name}
    files = {
        "pyproject.toml": "pyproject.toml.txt",
        "README.md": f"README.{language()}.md.txt",
        f"{module}/__init__.py": "card.py.txt",
        f"{module}/rules.py": f"rules.{language()}.py.txt",
        "tests/test_rules.py": f"test_rules.{language()}.py.txt",
    }
    for target, template in files.items():
        text = (TEMPLATES / template).read_text(encoding="utf-8")
        for word, value in words.items():
            text = text.replace(word, value)
        path = folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        put(path, text)
    print(say("new.game", folder=folder, module=module))
