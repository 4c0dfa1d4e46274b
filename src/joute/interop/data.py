"""Records as a table of positions, for those who learn from them.

    table = joute.interop.data.positions("virus.results")
    table.features, table.action, table.value      # NumPy arrays, a row for each decision of a bot
    table.save("virus.parquet")                    # or "virus.npz"

The rows are in the order of the records, and of the plies in each. The same records give the same
bytes. Records are trusted to be true as far as they can be played: `joute verify` proves them.
Parquet needs PyArrow (the extra `data`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
import numpy.typing as npt

from joute.contest.folder import has_store, open_store
from joute.core.errors import GameError
from joute.i18n.words import Sentence
from joute.interop.packages import needing
from joute.interop.replaying import Plies, Replayer
from joute.library.records import GameRecord
from joute.play.record import RecordError
from joute.play.verify import verify_record

ROOM = 1 << 14  # plies that are replayed at once

Source = str | Path | Iterable[GameRecord | bytes | str | Path]


_Action = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]


class _Bot(msgspec.Struct):
    name: str


class _Line(msgspec.Struct):
    """A line of a record: the parts of headers, plies and ends that tables are made of."""

    by: str = ""
    fault: str | None = None
    player: int = -1
    action: _Action | list[_Action] | None = None
    cpu_ms: float | None = None
    game: str = ""
    parameters: dict[str, Any] = {}
    bots: list[_Bot] = []
    returns: list[float] = []


_LINES = msgspec.json.Decoder(list[_Line])


@dataclass
class PositionTable:
    """Decisions of bots: arrays with a row for each."""

    features: npt.NDArray[np.float32]
    """[rows, *features_shape]: what the player saw."""
    legal: npt.NDArray[np.int32]
    """[all]: the legal actions of the rows, one row after the other."""
    ends: npt.NDArray[np.int64]
    """[rows]: where a row's part of `legal` ends."""
    action: npt.NDArray[np.int64]
    """[rows]: what was played."""
    value: npt.NDArray[np.float32]
    """[rows]: the player's return at the end of the game."""
    player: npt.NDArray[np.int8]
    """[rows]: the player's seat."""
    bot: npt.NDArray[np.int32]
    """[rows]: who played, a place in `names`."""
    cpu_ms: npt.NDArray[np.float32]
    """[rows]: what the turn took, of CPU; 0 for the further actions of a turn of several."""
    game: npt.NDArray[np.int32]
    """[rows]: the number of the game, from 0."""
    ply: npt.NDArray[np.int32]
    """[rows]: the ply, from 0."""
    names: list[str]
    """The bots' names, in the order in which they come."""
    actions: int
    """How many actions the game has."""

    def __len__(self) -> int:
        return len(self.action)

    def mask(self, rows: slice | npt.ArrayLike = slice(None)) -> npt.NDArray[np.bool_]:
        """The legal actions of rows, a slice or numbers, as bool[rows, actions]."""
        numbers = np.arange(len(self))[rows if isinstance(rows, slice) else np.asarray(rows)]
        begins = np.concatenate([[0], self.ends])[numbers]
        counts = self.ends[numbers] - begins
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        found = np.zeros((len(numbers), self.actions), np.bool_)
        found[
            np.repeat(np.arange(len(numbers)), counts),
            self.legal[within + np.repeat(begins, counts)],
        ] = True
        return found

    def save(self, path: str | Path) -> None:
        """Writes the table to a file, as its ending says: `.parquet`, or `.npz`.

        Raises GameError for another ending, MissingPackageError for Parquet without PyArrow,
        OSError.
        """
        if _ending(path) == ".parquet":
            _write_parquet([self], path)
            return
        arrays = {each.name: getattr(self, each.name) for each in fields(self)}
        np.savez_compressed(path, **arrays)

    def table(self) -> Any:
        """The table as one of PyArrow; the features of a row are flat, their shape is metadata.

        Raises MissingPackageError.
        """
        with needing("pyarrow", extra="data"):
            import pyarrow

        width = int(np.prod(self.features.shape[1:]))
        flat = pyarrow.array(self.features.reshape(-1))
        offsets = np.concatenate([[0], self.ends])
        columns = {
            each: pyarrow.array(getattr(self, each))
            for each in ("game", "ply", "player", "action", "value", "cpu_ms")
        }
        names = pyarrow.array(self.names, pyarrow.string())
        columns["bot"] = pyarrow.DictionaryArray.from_arrays(pyarrow.array(self.bot), names)
        columns["legal"] = pyarrow.LargeListArray.from_arrays(offsets, pyarrow.array(self.legal))
        columns["features"] = pyarrow.FixedSizeListArray.from_arrays(flat, width)
        shape = ",".join(map(str, self.features.shape[1:]))
        told = {"joute.features_shape": shape, "joute.actions": str(self.actions)}
        return pyarrow.table(columns).replace_schema_metadata(told)


def positions(source: Source) -> PositionTable:
    """The positions of a contest's folder of results, of a folder of records, or of records.

    All must be of one game with the same parameters. Raises GameError, StoreError, RecordError,
    OSError.
    """
    parts = list(tables(source))
    before = np.cumsum([0, *(len(part.legal) for part in parts)])
    for part, base in zip(parts, before.tolist(), strict=False):
        part.ends += base
    last = parts[-1]
    arrays = [each.name for each in fields(last) if each.name not in ("names", "actions")]
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in arrays}
    return PositionTable(**joined, names=last.names, actions=last.actions)


def save_positions(source: Source, path: str | Path) -> None:
    """Writes the positions of records to a Parquet file part by part, however many there are.

    Raises as `positions` and `PositionTable.save`.
    """
    if _ending(path) == ".npz":
        positions(source).save(path)
    else:
        _write_parquet(tables(source), path)


def tables(source: Source) -> Iterator[PositionTable]:
    """The positions as `positions` has them, in tables of some thousands of rows.

    Bots and games have the same numbers in all of them. Raises as `positions`.
    """
    maker: _Maker | None = None
    for content in _contents(source):
        lines = _lines(content)
        if maker is None:
            maker = _Maker(lines[0])
        maker.add(lines, content)
        if len(maker) >= ROOM:
            yield maker.made()
    if maker is None:
        raise GameError(Sentence("error.interop.records"))
    if len(maker):
        yield maker.made()


def _contents(source: Any) -> Iterator[bytes]:
    if isinstance(source, str | Path):
        folder = Path(source)
        if has_store(folder):
            with open_store(folder) as store:
                yield from (content for _, content in store.records())
            return
        source = sorted(folder.rglob("*.jsonl")) if folder.is_dir() else [folder]
    for each in source:
        if isinstance(each, GameRecord):
            yield each.content
        else:
            yield each if isinstance(each, bytes) else Path(each).read_bytes()


def _lines(content: bytes) -> list[_Line]:
    """The lines of a record, decoded by one call. Raises RecordError for what is none."""
    try:
        found = _LINES.decode(b"[" + content.rstrip(b"\n").replace(b"\n", b",") + b"]")
    except msgspec.DecodeError:
        raise _broken(content) from None
    if len(found) < 2 or not found[-1].returns:
        raise _broken(content)
    return found


def _broken(content: bytes) -> RecordError:
    """The error of a record that cannot be played."""
    verdict = verify_record(content)
    return RecordError(verdict.line or 1, verdict.reason)


class _Maker:
    """Gathers the decisions in records, and makes tables of them."""

    def __init__(self, header: _Line) -> None:
        self._of = header.game, header.parameters
        self._replayer = Replayer(header.game, header.parameters)
        self._names: dict[str, int] = {}
        self._before = 0  # games of earlier tables
        self._clear()

    def __len__(self) -> int:
        return len(self._actions)

    def _clear(self) -> None:
        self._actions: list[int] = []
        self._chosen: list[int] = []  # by row: its place in the actions
        self._players: list[int] = []  # by row
        self._times: list[float] = []  # by row
        self._counts: list[int] = []  # by game: its rows
        self._ends: list[int] = []  # by game: where its actions end
        self._bots: list[list[int]] = []  # by game and seat
        self._returns: list[list[float]] = []  # by game and seat
        self._contents: list[bytes] = []  # by game

    def add(self, lines: list[_Line], content: bytes) -> None:
        """Adds the decisions of a record. Raises GameError for one of another game."""
        header, returns = lines[0], lines[-1].returns
        if (header.game, header.parameters) != self._of:
            raise GameError(Sentence("error.interop.several", one=self._of[0], other=header.game))
        if len(header.bots) != self._replayer.players or len(returns) != self._replayer.players:
            raise _broken(content)
        before = len(self._players)
        self._add_plies(lines)
        self._counts.append(len(self._players) - before)
        self._ends.append(len(self._actions))
        self._bots.append([self._names.setdefault(b.name, len(self._names)) for b in header.bots])
        self._returns.append(returns)
        self._contents.append(content)

    def _add_plies(self, lines: list[_Line]) -> None:
        actions, chosen = self._actions, self._chosen
        players, times = self._players, self._times
        for line in lines:
            action = line.action
            if type(action) is int:  # of a fast test: there are millions
                if line.by == "bot" and line.fault is None:  # else the referee chose
                    chosen.append(len(actions))
                    players.append(line.player)
                    times.append(line.cpu_ms or 0.0)
                actions.append(action)
            elif isinstance(action, list):
                if line.by == "bot" and line.fault is None:
                    chosen.extend(range(len(actions), len(actions) + len(action)))
                    players.extend([line.player] * len(action))
                    times.extend([line.cpu_ms or 0.0, *[0.0] * (len(action) - 1)])
                actions.extend(action)

    def made(self) -> PositionTable:
        """The table of what was added since the last one. Raises RecordError."""
        lists = self._actions, self._chosen, self._players, self._ends
        plies = Plies(*(np.array(each, np.int64) for each in lists))
        seen, wrong = self._replayer.replay(plies)
        if wrong is not None:
            raise _broken(self._contents[wrong])
        games = np.repeat(np.arange(len(self._counts)), self._counts)
        table = PositionTable(
            features=seen.features,
            legal=seen.legal,
            ends=seen.ends,
            action=plies.actions[plies.chosen],
            value=np.array(self._returns, np.float32)[games, plies.players],
            player=plies.players.astype(np.int8),
            bot=np.array(self._bots, np.int32)[games, plies.players],
            cpu_ms=np.array(self._times, np.float32),
            game=(self._before + games).astype(np.int32),
            ply=(plies.chosen - np.array([0, *self._ends])[games]).astype(np.int32),
            names=list(self._names),
            actions=self._replayer.actions,
        )
        self._before += len(self._counts)
        self._clear()
        return table


def _ending(path: str | Path) -> str:
    """The ending of a file's name, of those that tables have. Raises GameError."""
    ending = Path(path).suffix
    if ending not in (".parquet", ".npz"):
        raise GameError(Sentence("error.interop.ending", path=path))
    return ending


def _write_parquet(parts: Iterable[PositionTable], path: str | Path) -> None:
    with needing("pyarrow", extra="data"):
        from pyarrow.parquet import ParquetWriter

    writer = None
    try:
        for part in parts:
            table = part.table()
            writer = writer or ParquetWriter(
                path,
                table.schema,
                compression="zstd",
                compression_level=1,
                use_dictionary=["bot"],
                # Features are most of the bytes: their own encoding halves time and size.
                column_encoding={"features.list.element": "BYTE_STREAM_SPLIT"},
                write_statistics=["game", "ply", "player", "action", "value"],
            )
            writer.write_table(table)
    finally:
        if writer is not None:
            writer.close()
