"""Records as a table of positions, for those who learn from them.

    table = joute.interop.data.positions("virus.results")
    table.features, table.action, table.value  # NumPy arrays, a row for each decision of a bot
    table.save("virus.parquet")  # or "virus.npz"
    table = joute.interop.data.load("virus.parquet")

The rows are in the order of the records, and of the plies in each. The same records give the same
bytes. Records are trusted to be true as far as they can be played: `joute verify` proves them.
Parquet needs PyArrow (the extra `data`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np

from joute.contest.folder import has_store
from joute.contest.records import Records
from joute.core.errors import GameError
from joute.i18n.words import Sentence
from joute.interop.replaying import Plies, Replayer
from joute.interop.table import PositionTable, ending, load, write_parquet
from joute.library.records import GameRecord
from joute.play.record import RecordError, read_record
from joute.play.verify import recorded_game, verify_record

__all__ = ["PositionTable", "Source", "load", "positions", "save_positions", "tables"]

ROOM = 1 << 14  # plies that are replayed at once

Source = str | Path | GameRecord | bytes | Iterable[GameRecord | bytes | str | Path]
"""Records: a contest's folder of results, a folder or a file of records, a record, or several."""

_Action = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]


class _Bot(msgspec.Struct):
    name: str


class _Line(msgspec.Struct, gc=False):
    """A line of a record: the parts of headers, plies and ends that tables are made of.

    There are millions: no line brings containers of its own for what it lacks.
    """

    by: str = ""
    fault: str | None = None
    player: int = -1
    action: _Action | list[_Action] | None = None
    cpu_ms: float | None = None
    metrics: dict[str, float] | None = None
    game: str = ""
    parameters: dict[str, Any] | None = None
    rules: Any = None
    source: Any = None
    bots: tuple[_Bot, ...] = ()
    returns: tuple[float, ...] = ()


class _Content(NamedTuple):
    """The bytes of a record, and its path, where it has one."""

    content: bytes
    path: Path | None = None


_LINES = msgspec.json.Decoder(list[_Line])


def positions(source: Source) -> PositionTable:
    """The positions of records: of a contest's folder of results, a folder, a path, one or several.

    All records must be of one game with the same parameters and rules. Raises GameError for records
    of several games or for none, RecordError for a broken one and for one of a game whose rules are
    not here or have changed, FolderError for a contest's store that cannot be used, OSError.
    """
    parts = list(tables(source))
    before = np.cumsum([0, *(len(part.legal) for part in parts)])
    for part, base in zip(parts, before.tolist(), strict=False):
        part.ends += base
    for part, base in zip(parts, np.cumsum([0, *map(len, parts)]).tolist(), strict=False):
        part.metric_row += base
    found = {each.name: getattr(parts[-1], each.name) for each in fields(PositionTable)}
    for name, last in found.items():
        if isinstance(last, np.ndarray):
            found[name] = np.concatenate([getattr(part, name) for part in parts])
    return PositionTable(**found)


def save_positions(source: Source, path: str | Path) -> None:
    """Writes the positions of records to a Parquet file part by part, however many there are.

    Errors are those of `positions` and `PositionTable.save`.
    """
    if ending(path) == ".npz":
        positions(source).save(path)
    else:
        write_parquet(tables(source), path)


def tables(source: Source) -> Iterator[PositionTable]:
    """The positions as `positions` has them, in tables of some 16,000 rows each.

    Bots, games and metrics have the same numbers in all of them. Errors are those of `positions`.
    """
    maker: _Maker | None = None
    for record in _contents(source):
        lines = _lines(record)
        if maker is None:
            maker = _Maker(lines[0], record)
        maker.add(lines, record)
        if len(maker) >= ROOM:
            yield maker.made()
    if maker is None:
        raise GameError(Sentence("error.interop.records"))
    if len(maker):
        yield maker.made()


def _contents(source: Any) -> Iterator[_Content]:
    with Records() as records:
        if isinstance(source, str | Path):
            place = Path(source)
            if has_store(place):
                yield from (_Content(content, path) for path, content in records.arrived(place))
                return
            source = records.listed(place) if place.is_dir() else [place]
        for each in [source] if isinstance(source, GameRecord | bytes) else source:
            if isinstance(each, GameRecord):
                yield _Content(each.content)
            elif isinstance(each, bytes):
                yield _Content(each)
            else:
                path = Path(each)
                yield _Content(records.read(path), path)


def _lines(record: _Content) -> list[_Line]:
    """The lines of a record, decoded by one call. Raises RecordError for what is none."""
    content = record.content
    try:
        found = _LINES.decode(b"[" + content.rstrip(b"\n").replace(b"\n", b",") + b"]")
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise _broken(record) from None
    if len(found) < 2 or not found[-1].returns:
        raise _broken(record)
    return found


def _broken(record: _Content) -> RecordError:
    """The error of a record that cannot be played."""
    verdict = verify_record(record.content)
    return RecordError(verdict.line or 1, verdict.reason, record.path)


def _game(record: _Content) -> Any:
    """The game that a record is of. Raises RecordError."""
    try:
        return recorded_game(read_record(record.content))
    except RecordError as error:
        raise error.named(record.path) from None


def _rules(header: _Line) -> tuple[Any, ...]:
    """The entries of a header that say what is played."""
    return header.game, header.parameters, header.rules, header.source


class _Maker:
    """Gathers the decisions in records, and makes tables of them."""

    def __init__(self, header: _Line, record: _Content) -> None:
        self._of = _rules(header)
        self._replayer = Replayer(_game(record))
        self._names: dict[str, int] = {}
        self._metric_names: dict[str, int] = {}
        self._before = 0  # games of earlier tables
        self._clear()

    def __len__(self) -> int:
        return len(self._actions)

    def _clear(self) -> None:
        self._actions: list[int] = []
        self._chosen: list[int] = []  # by row: its place in the actions
        self._players: list[int] = []  # by row
        self._times: list[float] = []  # by row
        self._metrics: list[tuple[int, int, float]] = []  # row, name, value
        self._counts: list[int] = []  # by game: its rows
        self._ends: list[int] = []  # by game: where its actions end
        self._bots: list[list[int]] = []  # by game and seat
        self._returns: list[tuple[float, ...]] = []  # by game and seat
        self._contents: list[_Content] = []  # by game

    def add(self, lines: list[_Line], record: _Content) -> None:
        """Adds the decisions of a record. Raises GameError for one of another game."""
        header, returns = lines[0], lines[-1].returns
        if _rules(header) != self._of:
            raise GameError(Sentence("error.interop.several", one=self._of[0], other=header.game))
        if len(header.bots) != self._replayer.players or len(returns) != self._replayer.players:
            raise _broken(record)
        before = len(self._players)
        self._add_plies(lines)
        self._counts.append(len(self._players) - before)
        self._ends.append(len(self._actions))
        self._bots.append([self._names.setdefault(b.name, len(self._names)) for b in header.bots])
        self._returns.append(returns)
        self._contents.append(record)

    def _add_plies(self, lines: list[_Line]) -> None:
        actions, chosen = self._actions, self._chosen
        players, times = self._players, self._times
        for line in lines:
            action = line.action
            if line.metrics and line.by == "bot" and line.fault is None and action != []:
                self._add_metrics(line.metrics)
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

    def _add_metrics(self, metrics: dict[str, float]) -> None:
        """Adds what a bot sent with the decision that is the next row."""
        names, row = self._metric_names, len(self._players)
        for name, value in metrics.items():
            self._metrics.append((row, names.setdefault(name, len(names)), value))

    def made(self) -> PositionTable:
        """The table of what was added since the last one. Raises RecordError."""
        lists = self._actions, self._chosen, self._players, self._ends
        plies = Plies(*(np.array(each, np.int64) for each in lists))
        seen, wrong = self._replayer.replay(plies)
        if wrong is not None:
            raise _broken(self._contents[wrong])
        games = np.repeat(np.arange(len(self._counts)), self._counts)
        sent = list(zip(*self._metrics, strict=True)) or [(), (), ()]
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
            metric_row=np.array(sent[0], np.int64),
            metric_name=np.array(sent[1], np.int32),
            metric_value=np.array(sent[2], np.float64),
            names=list(self._names),
            metric_names=list(self._metric_names),
            actions=self._replayer.actions,
        )
        self._before += len(self._counts)
        self._clear()
        return table
