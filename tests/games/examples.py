"""The games of `examples/games`, imported as a module each."""

import importlib.util
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "examples" / "games"


def _module(name):
    spec = importlib.util.spec_from_file_location(f"examples_{name}", FOLDER / f"{name}.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ConnectFour = _module("connect_four").ConnectFour
Othello = _module("othello").Othello
