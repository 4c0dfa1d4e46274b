"""The records of contests, by path, whether they are files or kept in a contest's store.

The record of a game has the path FOLDER/records/IDENTITY.jsonl. Where no file lies there, the store
of the contest whose folder it is has it under that name.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from joute.contest.config.contest import from_json
from joute.contest.folder import DATABASE, ELSEWHERE, RECORDS, has_store, open_store, store_errors
from joute.core.registry import cards, path_from
from joute.machine import Closing
from joute.store.model import DamagedError

if TYPE_CHECKING:
    from joute.store.store import Store


class RecordForm(NamedTuple):
    """A form that a game brings, in which records of it are exported: all in one file."""

    write: Callable[[list[bytes]], str]
    """The file. Raises RecordError for a record that is not true, GameError for another game."""
    begins: bytes
    """The beginning of every such file."""
    file: str
    """Its name in a folder."""


def record_forms() -> list[str]:
    """The names of the forms that games bring."""
    return [name for card in cards() for name in card.exports]


def record_form(name: str) -> RecordForm:
    """The form of this name, one of `record_forms`."""
    card = next(each for each in cards() if name in each.exports)
    found: RecordForm = card.load(card.exports[name])
    return found


def replay_line(record: Path | str, rules: str | None = None) -> str:
    """The command that shows a record.

    `rules` is the path of its game, if it has one and no contest's store beside the record knows
    it.
    """
    where = [] if rules is None else ["--game", path_from(rules)]
    return shlex.join(["joute", "replay", str(record), *where])


class Records(Closing):
    """Reads records; keeps stores open until it is closed.

    A game whose rules lie where a store says is known by its name from then on.

    All methods raise FolderError for a store that cannot be used.
    """

    def __init__(self) -> None:
        self._stores: dict[Path, Store] = {}

    def read(self, path: Path) -> bytes:
        """The record at a path, JSON Lines. Raises OSError if there is none."""
        folder = path.parent.parent
        if not path.exists() and path.parent.name == RECORDS and has_store(folder):
            with store_errors(folder):
                found = self._store(folder).record(path.stem)
            if found is not None:
                return found
        return path.read_bytes()

    def listed(self, path: Path) -> dict[Path, str | None]:
        """The paths of all records at or below a path, in order.

        With each goes the last hash that the contest's store has for it, None where none knows it.
        """
        kept = self._kept(path)
        if not path.is_dir():
            return {path: kept.get(path.resolve(), (path, None))[1]}
        found: dict[Path, str | None] = {
            file: kept.pop(file.resolve(), (file, None))[1]
            for file in path.rglob("*.jsonl")
            if file.resolve() in kept or not _something_else(file)
        }
        found.update(kept.values())
        return dict(sorted(found.items()))

    def arrived(self, folder: Path) -> Iterator[tuple[Path, bytes]]:
        """The records in the store of a contest's folder, with their paths, by order of arrival."""
        with store_errors(folder):
            for identity, content in self._store(folder).records():
                yield folder / RECORDS / f"{identity}.jsonl", content

    def _kept(self, path: Path) -> dict[Path, tuple[Path, str | None]]:
        """The paths and last hashes that the stores of the contests at or around a path have."""
        folders = {path.parent} if path.name == RECORDS else {path, path.parent.parent}
        if path.is_dir():
            folders -= {path.parent.parent}
            for name in (DATABASE, ELSEWHERE):
                folders |= {found.parent for found in path.rglob(name)}
        with store_errors(path):
            return {
                (folder / RECORDS / name).resolve(): (folder / RECORDS / name, chain)
                for folder in folders
                if has_store(folder)
                for name, chain in self._store(folder).chains()
            }

    def _store(self, folder: Path) -> Store:
        if folder not in self._stores:
            store = self._stores[folder] = open_store(folder)
            # Of another version, or damaged: the records may be read all the same.
            with suppress(msgspec.DecodeError, DamagedError):
                for each in store.configured()[-1:]:
                    from_json(each.configuration)
        return self._stores[folder]

    def close(self) -> None:
        for store in self._stores.values():
            store.close()


def _something_else(path: Path) -> bool:
    """Whether lines of JSON are no record, as what `joute export` writes is none."""
    with path.open("rb") as file:
        first = file.readline()
    try:
        head = json.loads(first)
    except ValueError:
        return False  # a record that is damaged
    return isinstance(head, dict) and not isinstance(head.get("record"), int)
