"""What the organiser has decided about who may see what of a contest, and whether it goes on."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

import msgspec

from joute.web.settings import write_private

FILE = "choices.json"


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was decided about a contest; the usual holds where nothing was."""

    messages: bool | None = None  # whether everybody may read what the bots say
    stopped: bool = False  # whether what is left of it is not to be played


class Choices:
    """All of them, kept in the data folder, if there is one."""

    def __init__(self, data: Path | None, messages: bool = False) -> None:
        """`messages` is the usual for contests that were named at the start."""
        self._path = None if data is None else data / FILE
        self._messages = messages
        self._lock = Lock()
        self._made: dict[str, Choice] = {}
        if self._path is not None and self._path.exists():
            self._made = msgspec.json.decode(self._path.read_bytes(), type=dict[str, Choice])

    def of(self, folder: Path) -> Choice:
        """What was decided about the contest of a folder."""
        return self._made.get(_key(folder), Choice())

    def messages(self, folder: Path) -> bool:
        """Whether everybody may read what the bots of a contest say."""
        made = self.of(folder).messages
        return self._messages if made is None else made

    def change(self, folder: Path, **changes: bool | None) -> None:
        """Decides anew."""
        self._keep(folder, msgspec.structs.replace(self.of(folder), **changes))

    def forget(self, folder: Path) -> None:
        """As if nothing had been decided."""
        self._keep(folder, Choice())

    def _keep(self, folder: Path, choice: Choice) -> None:
        with self._lock:
            self._made.pop(_key(folder), None)
            if choice != Choice():
                self._made[_key(folder)] = choice
            if self._path is not None:
                write_private(self._path, msgspec.json.encode(self._made))


def _key(folder: Path) -> str:
    return str(folder.resolve())
