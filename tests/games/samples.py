"""The samples of each game for the tests of all games: the `samples.py` of its folder.

QUICK       games that take little time, for the laws
LARGE       games for the laws that take more
seeds       of a game: how many random games of it are played usually, and in the full tier
PLAYS       the games of its playthrough, see `playthrough.py`
MISTAKES    calls that raise an error about the game or one of its bots, by what is wrong
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType

from joute.core.registry import cards

FOLDER = Path(__file__).parent


def samples() -> dict[str, ModuleType]:
    """The samples of each game that has its tests here, by its name."""
    folders = {card.name: card.name.replace("-", "_") for card in cards()}
    return {
        name: import_module(f"games.{folder}.samples")
        for name, folder in folders.items()
        if (FOLDER / folder / "samples.py").is_file()
    }
