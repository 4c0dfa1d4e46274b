"""Records as a table of positions, for those who learn from them.

    table = joute.interop.data.positions("virus.results")
    table.features, table.action, table.value      # NumPy arrays, a row for each decision of a bot
    table.save("virus.parquet")                    # or "virus.npz"

The rows are in the order of the records, and of the plies in each. The same records give the same
bytes. Parquet needs PyArrow (the extra `data`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from joute.contest.folder import has_store, open_store
from joute.core.arrays import index
from joute.core.compiled import kernel
from joute.core.errors import GameError
from joute.core.features import features as write_features
from joute.core.features import features_of, features_shape
from joute.core.interface import has_rule, legal, mover, play, properties, start
from joute.core.registry import make
from joute.i18n.words import Sentence
from joute.library.records import GameRecord

_ROOM = 1 << 14  # rows that are made at once


class _Line(msgspec.Struct):
    """The part of a ply's line that says its actions."""

    by: str = ""
    player: int = -1
    action: int | list[int] | None = None
    cpu_ms: float = 0.0


class _Bot(msgspec.Struct):
    name: str


class _Header(msgspec.Struct):
    game: str
    parameters: dict[str, Any]
    bots: list[_Bot]


class _End(msgspec.Struct):
    returns: list[float]


_LINE = msgspec.json.Decoder(_Line)
_HEADER = msgspec.json.Decoder(_Header)
_END = msgspec.json.Decoder(_End)


@dataclass
class PositionTable:
    """Decisions of bots: arrays with a row for each."""

    features: npt.NDArray[np.float32]
    """[rows, *features_shape]: what the player saw."""
    legal: npt.NDArray[np.int32]
    """[all]: the legal actions of the rows, one row after the other."""
    ends: npt.NDArray[np.int64]
    """[rows]: where a row's part of `legal` ends."""
    action: npt.NDArray[np.int32]
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
    """[rows]: the ply."""
    names: list[str]
    """The bots' names, sorted."""
    actions: int
    """How many actions the game has."""

    def __len__(self) -> int:
        return len(self.action)

    def mask(self, rows: slice = slice(None)) -> npt.NDArray[np.bool_]:
        """bool[rows, actions]: what was legal."""
        numbers = np.arange(len(self))[rows]
        found = np.zeros((len(numbers), self.actions), np.bool_)
        begins = np.concatenate([[0], self.ends[:-1]]) if len(self) else self.ends
        for place, number in enumerate(numbers):
            found[place, self.legal[begins[number] : self.ends[number]]] = True
        return found

    def save(self, path: str | Path) -> None:
        """Write the table to a file, as its ending says: `.parquet`, or `.npz`."""
        path = Path(path)
        if path.suffix == ".npz":
            arrays = {each.name: getattr(self, each.name) for each in fields(self)}
            np.savez_compressed(path, **arrays)
            return
        from pyarrow import parquet

        parquet.write_table(self.table(), path, compression="zstd", store_schema=True)

    def table(self) -> Any:
        """The table as one of PyArrow."""
        import pyarrow

        width = int(np.prod(self.features.shape[1:]))
        flat = pyarrow.array(self.features.reshape(-1))
        offsets = np.concatenate([[0], self.ends]).astype(np.int32)
        columns = {
            each: pyarrow.array(getattr(self, each))
            for each in ("game", "ply", "player", "action", "value", "cpu_ms")
        }
        names = pyarrow.array(self.names, pyarrow.string())
        columns["bot"] = pyarrow.DictionaryArray.from_arrays(pyarrow.array(self.bot), names)
        columns["legal"] = pyarrow.ListArray.from_arrays(offsets, pyarrow.array(self.legal))
        columns["features"] = pyarrow.FixedSizeListArray.from_arrays(flat, width)
        shape = ",".join(map(str, self.features.shape[1:]))
        told = {"joute.features_shape": shape, "joute.actions": str(self.actions)}
        return pyarrow.table(columns).replace_schema_metadata(told)


def positions(source: str | Path | Iterable[GameRecord | bytes | str | Path]) -> PositionTable:
    """The positions of a contest's folder of results, of a folder of records, or of records.

    All must be of one game with the same parameters. Raises GameError, StoreError, RecordError,
    OSError.
    """
    maker: _Maker | None = None
    for content in _contents(source):
        maker = maker or _Maker(content)
        maker.add(content)
    if maker is None:
        raise GameError(Sentence("error.interop.records"))
    return maker.made()


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


class _Maker:
    """Replays records, and gathers the rows."""

    def __init__(self, content: bytes) -> None:
        header = _HEADER.decode(content[: content.index(b"\n")])
        self._of = header.game, header.parameters
        self._game = make(header.game, **header.parameters)
        facts = properties(self._game)
        self._first = start(self._game)
        self._state = self._first.copy()
        self._own = has_rule(type(self._game), "features")
        self._width = int(np.prod(features_shape(self._game)))
        self._actions = facts.max_actions
        self._most = facts.max_legal
        self._rows: list[tuple[np.ndarray, ...]] = []
        self._columns: dict[str, list[Any]] = {
            name: [] for name in ("action", "value", "player", "bot", "cpu_ms", "game", "ply")
        }
        self._names: dict[str, int] = {}
        self._games = 0

    def add(self, content: bytes) -> None:
        """Replay a record. Raises GameError for one of another game."""
        first, *plies, last = content.rstrip(b"\n").split(b"\n")
        header, end = _HEADER.decode(first), _END.decode(last)
        if (header.game, header.parameters) != self._of:
            raise GameError(Sentence("error.interop.several", one=self._of[0], other=header.game))
        seats = [self._names.setdefault(bot.name, len(self._names)) for bot in header.bots]
        actions: list[int] = []
        chosen: list[int] = []  # places of what bots chose
        add = self._columns
        for line in map(_LINE.decode, plies):
            if line.action is None:
                continue
            played = line.action if isinstance(line.action, list) else [line.action]
            if line.by == "bot":
                for number, action in enumerate(played):
                    chosen.append(len(actions) + number)
                    add["action"].append(action)
                    add["value"].append(end.returns[line.player])
                    add["player"].append(line.player)
                    add["bot"].append(seats[line.player])
                    add["cpu_ms"].append(0.0 if number else line.cpu_ms)
                    add["game"].append(self._games)
                    add["ply"].append(len(actions) + number)
            actions += played
        self._games += 1
        self._replay(np.array(actions, np.int64), np.array(chosen, np.int64))

    def _replay(self, actions: np.ndarray, chosen: np.ndarray) -> None:
        rows = np.zeros((len(chosen), self._width), np.float32)
        lists = np.zeros(len(chosen) * self._most, np.int32)
        ends = np.zeros(len(chosen), np.int64)
        self._state[:] = self._first
        if self._own:
            used = _replayed(self._game, self._state, actions, chosen, rows, lists, ends)
        else:
            used = _replayed_slowly(self._game, self._state, actions, chosen, rows, lists, ends)
        self._rows.append((rows, lists[:used].copy(), ends))

    def made(self) -> PositionTable:
        """The table of all rows."""
        names = sorted(self._names)
        places = np.array([names.index(name) for name in self._names], np.int32)
        lists = [each for _, each, _ in self._rows]
        before = np.cumsum([0, *(len(each) for each in lists)])
        ends = [each + base for (_, _, each), base in zip(self._rows, before, strict=False)]
        shape = features_shape(self._game)
        made = self._columns
        return PositionTable(
            features=np.concatenate([rows for rows, _, _ in self._rows]).reshape(-1, *shape),
            legal=np.concatenate(lists),
            ends=np.concatenate(ends),
            action=np.array(made["action"], np.int32),
            value=np.array(made["value"], np.float32),
            player=np.array(made["player"], np.int8),
            bot=places[np.array(made["bot"], np.int64)],
            cpu_ms=np.array(made["cpu_ms"], np.float32),
            game=np.array(made["game"], np.int32),
            ply=np.array(made["ply"], np.int32),
            names=names,
            actions=self._actions,
        )


@kernel
def _replayed(
    game: Any, state: Any, actions: Any, chosen: Any, rows: Any, lists: Any, ends: Any
) -> int:
    """Replay actions; of those chosen write features, legal actions and where they end."""
    used, row = 0, 0
    for place in range(actions.size):
        if row < chosen.size and chosen[index(row)] == place:
            write_features(game, state, mover(game, state), rows[index(row)])
            used += legal(game, state, lists[used:])
            ends[index(row)] = used
            row += 1
        play(game, state, actions[index(place)])
    return used


def _replayed_slowly(
    game: Any,
    state: np.ndarray,
    actions: np.ndarray,
    chosen: np.ndarray,
    rows: np.ndarray,
    lists: np.ndarray,
    ends: np.ndarray,
) -> int:
    """The same in plain Python, for games without features of their own."""
    used, row, now = 0, 0, state.tolist()
    out = [0] * properties(game).max_legal
    for place, action in enumerate(actions.tolist()):
        if row < len(chosen) and chosen[row] == place:
            rows[row] = features_of(game, now, mover(game, now)).reshape(-1)
            count = legal(game, now, out)
            lists[used : used + count] = out[:count]
            used += count
            ends[row] = used
            row += 1
        play(game, now, action)
    return used
