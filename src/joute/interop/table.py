"""A table of positions, in memory and in files.

In a Parquet file a column stands for a field. The features of a row are the bytes of its float32
numbers: as a list of numbers they would take twice the time to write, and four times to read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from joute.core.errors import GameError
from joute.i18n.words import Sentence
from joute.interop.packages import needing

_PLAIN = ("game", "ply", "player", "action", "value", "cpu_ms")  # columns of a number a row
_SHAPE, _ACTIONS = "joute.features_shape", "joute.actions"  # metadata of a Parquet file


@dataclass
class PositionTable:
    """Decisions of bots, as arrays with a row for each decision."""

    features: npt.NDArray[np.float32]
    """float32[rows, *features_shape]: what the player saw, from -1 to 1."""
    legal: npt.NDArray[np.int32]
    """int32[legal actions of all rows]: one row after the other."""
    ends: npt.NDArray[np.int64]
    """int64[rows]: where the part of each row in `legal` ends."""
    action: npt.NDArray[np.int64]
    """int64[rows]: the action that the bot chose."""
    value: npt.NDArray[np.float32]
    """float32[rows]: the player's return at the end of the game."""
    player: npt.NDArray[np.int8]
    """int8[rows]: the player's seat."""
    bot: npt.NDArray[np.int32]
    """int32[rows]: the bot that chose, as a place in `names`."""
    cpu_ms: npt.NDArray[np.float32]
    """float32[rows]: CPU milliseconds of the turn; 0 for its actions after the first."""
    game: npt.NDArray[np.int32]
    """int32[rows]: the number of the game, from 0."""
    ply: npt.NDArray[np.int32]
    """int32[rows]: the number of the ply in its game, from 0."""
    metric_row: npt.NDArray[np.int64]
    """int64[metrics sent]: the row of each, ascending; of a turn of several actions the first."""
    metric_name: npt.NDArray[np.int32]
    """int32[metrics sent]: the name of each, as a place in `metric_names`."""
    metric_value: npt.NDArray[np.float64]
    """float64[metrics sent]: the value of each."""
    names: list[str]
    """The names of the bots, in the order of their first record."""
    metric_names: list[str]
    """The names of the metrics that bots sent, in the order of their first row."""
    actions: int
    """The number of actions that the game has."""

    def __len__(self) -> int:
        return len(self.action)

    def mask(self, rows: slice | npt.ArrayLike = slice(None)) -> npt.NDArray[np.bool_]:
        """bool[rows, actions]: the legal actions of the rows, given by a slice or their numbers."""
        numbers = np.arange(len(self))[rows if isinstance(rows, slice) else np.atleast_1d(rows)]
        begins = np.concatenate([[0], self.ends])[numbers]
        counts = self.ends[numbers] - begins
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        found = np.zeros((len(numbers), self.actions), np.bool_)
        found[
            np.repeat(np.arange(len(numbers)), counts),
            self.legal[within + np.repeat(begins, counts)],
        ] = True
        return found

    def metric(self, name: str) -> npt.NDArray[np.float64]:
        """float64[rows]: a metric that bots sent with their answers, NaN in rows without it."""
        found = np.full(len(self), np.nan)
        if name in self.metric_names:
            of_name = self.metric_name == self.metric_names.index(name)
            found[self.metric_row[of_name]] = self.metric_value[of_name]
        return found

    def save(self, path: str | Path) -> None:
        """Writes the table to a file, as its ending says: `.parquet`, or `.npz`.

        Raises GameError for another ending, MissingPackageError for Parquet without PyArrow,
        OSError for a file that cannot be written.
        """
        if ending(path) == ".parquet":
            write_parquet([self], path)
            return
        arrays = {each.name: getattr(self, each.name) for each in fields(self)}
        np.savez_compressed(path, **arrays)

    def table(self) -> Any:
        """The table as a `pyarrow.Table`, with the columns of a Parquet file.

        The features of a row are the bytes of its float32 numbers; their shape is metadata.
        Raises MissingPackageError without PyArrow.
        """
        with needing("pyarrow", extra="data"):
            import pyarrow

        width = 4 * int(np.prod(self.features.shape[1:]))
        numbers = pyarrow.py_buffer(np.ascontiguousarray(self.features))
        columns = {each: pyarrow.array(getattr(self, each)) for each in _PLAIN}
        names = pyarrow.array(self.names, pyarrow.string())
        columns["bot"] = pyarrow.DictionaryArray.from_arrays(pyarrow.array(self.bot), names)
        offsets = np.concatenate([[0], self.ends])
        columns["legal"] = pyarrow.LargeListArray.from_arrays(offsets, pyarrow.array(self.legal))
        columns["features"] = pyarrow.FixedSizeBinaryArray.from_buffers(
            pyarrow.binary(width), len(self), [None, numbers]
        )
        columns["metrics"] = pyarrow.MapArray.from_arrays(
            np.searchsorted(self.metric_row, np.arange(len(self) + 1)).astype(np.int32),
            pyarrow.array(self.metric_names, pyarrow.string()).take(
                pyarrow.array(self.metric_name)
            ),
            pyarrow.array(self.metric_value),
        )
        shape = ",".join(map(str, self.features.shape[1:]))
        told = {_SHAPE: shape, _ACTIONS: str(self.actions)}
        return pyarrow.table(columns).replace_schema_metadata(told)


def load(path: str | Path) -> PositionTable:
    """The table in a file that `save` or `save_positions` wrote, `.parquet` or `.npz`.

    Raises GameError for a file that is no such table, MissingPackageError for Parquet without
    PyArrow, OSError for a file that cannot be read.
    """
    read = _read_parquet if ending(path) == ".parquet" else _read_arrays
    try:
        return read(path)
    except (BadZipFile, EOFError, KeyError, ValueError):  # PyArrow's errors are ValueErrors
        raise GameError(Sentence("error.interop.table", path=path)) from None


def ending(path: str | Path) -> str:
    """The ending of a file's name, of those that tables have. Raises GameError."""
    found = Path(path).suffix
    if found not in (".parquet", ".npz"):
        raise GameError(Sentence("error.interop.ending", path=path))
    return found


def write_parquet(parts: Iterable[PositionTable], path: str | Path) -> None:
    """Writes tables, of which each goes on where the one before ends, to one file."""
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
                write_statistics=["game", "ply", "player", "action", "value"],
            )
            writer.write_table(table)
    finally:
        if writer is not None:
            writer.close()


def _read_parquet(path: str | Path) -> PositionTable:
    with needing("pyarrow", extra="data"):
        from pyarrow import parquet

    # Copied, for arrays over PyArrow's memory cannot be written to, which PyTorch warns of.
    read = parquet.read_table(path)
    told = read.schema.metadata or {}
    shape = [int(size) for size in told[_SHAPE.encode()].split(b",")]
    bots = read["bot"].unify_dictionaries().combine_chunks()
    legal = read["legal"].combine_chunks()
    metrics = read["metrics"].combine_chunks()
    metric_names = metrics.keys.dictionary_encode()
    rows = read["features"].combine_chunks().buffers()[1]
    return PositionTable(
        features=np.frombuffer(rows, np.float32).reshape(-1, *shape).copy(),
        legal=legal.flatten().to_numpy().copy(),
        ends=legal.offsets.to_numpy()[1:].copy(),
        bot=bots.indices.to_numpy().copy(),
        names=bots.dictionary.to_pylist(),
        metric_row=np.repeat(np.arange(len(read)), np.diff(metrics.offsets.to_numpy())),
        metric_name=metric_names.indices.to_numpy().copy(),
        metric_value=metrics.items.to_numpy().copy(),
        metric_names=metric_names.dictionary.to_pylist(),
        actions=int(told[_ACTIONS.encode()]),
        **{each: read[each].to_numpy().copy() for each in _PLAIN},
    )


def _read_arrays(path: str | Path) -> PositionTable:
    with Path(path).open("rb") as file, np.load(file) as read:
        found = {each.name: read[each.name] for each in fields(PositionTable)}
    for name in ("names", "metric_names", "actions"):
        found[name] = found[name].tolist()
    return PositionTable(**found)
