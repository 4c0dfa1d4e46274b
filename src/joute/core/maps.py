"""The maps that come with Joute, and where a map's text is found.

They are text files, one folder per game: in the repository `maps/GAME/`, in an installed package
`joute/maps/GAME/`.
"""

from difflib import get_close_matches
from pathlib import Path

from joute.core.errors import GameError

SUFFIXES = (".txt", ".xml")  # of a map's file, in any game

_PACKAGE = Path(__file__).parents[1]
# A wheel carries the maps beside the modules; a working tree has them at its root.
_FOLDERS = (_PACKAGE / "maps", _PACKAGE.parents[1] / "maps")


def shipped(game: str) -> list[str]:
    """The names of the maps that come with Joute for a game, sorted; none for an unknown game."""
    return sorted(_files(game))


def find_map(game: str, word: str, base: Path | None = None) -> str:
    """The text of the map that `word` means.

    A text with line ends, or of XML, is itself; else `word` is the name of a map that comes with
    Joute, or the path of a file, relative to `base` (default: the current folder). Raises
    GameError, with the names that are near, where it is none of them, no text or an empty one.
    """
    if "\n" in word or word.startswith("<"):
        return word
    files = _files(game)
    path = files.get(word) or (base or Path()) / word
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise GameError(f"{path}: a map is a text in UTF-8, and this is none") from None
    except (OSError, ValueError):
        # ValueError: no path at all, as one with a NUL in it.
        near = get_close_matches(word, files, n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise GameError(
            f"there is no map {word!r} of {game}, neither a file nor one of: "
            f"{', '.join(sorted(files)) or 'none'}{hint}"
        ) from None
    if not text.strip():  # nothing means the usual map, and this file is meant to say another
        raise GameError(f"{path}: this file is empty, and no map")
    return text


def _files(game: str) -> dict[str, Path]:
    """The files of a game's maps, by name."""
    for folder in _FOLDERS:
        if (folder / game).is_dir():
            found = (path for path in (folder / game).iterdir() if path.suffix in SUFFIXES)
            return {path.stem: path for path in found}
    return {}
