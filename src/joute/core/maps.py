"""The maps that come with a game, text files in the folder `maps` beside its card."""

from difflib import get_close_matches
from pathlib import Path
from typing import Any

from joute.core.errors import GameError
from joute.core.registry import card, defaults
from joute.i18n.words import Sentence, hinted

MAP = "map"  # the parameter of games that are played on maps


class MapError(GameError):
    """An error in the text of a map, at a line and a column, both counted from 1.

    A game has a class of its own, whose `game` begins the keys of the sentences about each cause:
    `map.GAME.CAUSE`, with the values `found`, `expected` and `element`.
    """

    game = ""

    def __init__(
        self,
        line: int,
        column: int,
        cause: str,
        found: str = "",
        expected: object = "",
        element: str = "",
    ) -> None:
        self.line, self.column, self.cause = line, column, cause
        # Signs that a terminal would obey are shown as escapes.
        found, element = (
            text if text.isprintable() else ascii(text)[1:-1] for text in (found, element)
        )
        self._values = (line, column, cause, found, expected, element)
        self._reason = Sentence(
            f"map.{self.game}.{cause}", found=found, expected=expected, element=element
        )
        super().__init__(Sentence("error.map.place", line=line, column=column, reason=self._reason))

    @property
    def reason(self) -> str:
        """The error without its place."""
        return str(self._reason)

    def __reduce__(self) -> Any:
        """Has it copied to another process from the values, not from the message."""
        return type(self), self._values

    def with_file(self, name: str) -> str:
        """The message with the file's name, as editors and compilers write places."""
        return f"{name}:{self.line}:{self.column}: {self.reason}"


def shipped(game: str) -> list[str]:
    """The names of the maps that come with a game, sorted; none for an unknown game."""
    return sorted(_files(game))


def find_map(game: str, word: str, base: Path | None = None) -> str:
    """The text of the map that `word` means.

    A text with line ends, or of XML, is itself; else `word` is the name of a map that comes with
    the game, or the path of a file, relative to `base` (default: the current folder). Raises
    GameError, with the names that are near, where it is none of them, no text or an empty one.
    """
    if "\n" in word or word.startswith("<"):
        return word
    files = _files(game)
    path = files.get(word) or (base or Path()) / word
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise GameError(Sentence("error.map.encoding", path=path)) from None
    except (OSError, ValueError):
        # ValueError: no path at all, as one with a NUL in it.
        known = ", ".join(sorted(files)) or Sentence("error.none")
        unknown = Sentence("error.map.unknown", map=word, game=game, known=known)
        raise GameError(hinted(unknown, get_close_matches(word, files, n=3))) from None
    if not text.strip():  # nothing means the usual map, and this file is meant to say another
        raise GameError(Sentence("error.map.empty", path=path))
    return text


def with_map(game: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters with the text of the map, where they have one's name or path.

    Raises GameError as `find_map`.
    """
    word = parameters.get(MAP)
    if MAP not in defaults(game) or not isinstance(word, str) or not word:
        return parameters
    return {**parameters, MAP: find_map(game, word)}


def _files(game: str) -> dict[str, Path]:
    """The files of a game's maps, by name."""
    try:
        known = card(game)
    except GameError:
        return {}
    folder = known.file("maps")
    found = folder.glob(f"*{known.map_suffix}") if folder else ()
    return {each.stem: each for each in found}
