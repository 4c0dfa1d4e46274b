"""Records: a game as it was played, with its proof."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from joute.core.arguments import wrong
from joute.core.interface import start
from joute.errors import Error
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.library.positions import Game, Position
from joute.play.chance import Streams
from joute.play.record import Record, RecordError, actions_of, read_record
from joute.play.verify import Verdict, recorded_game, verify_record


class GameRecord:
    """The record of a game; `joute.record` reads one."""

    def __init__(self, content: bytes, name: str = "game.jsonl") -> None:
        """Reads a record's content. Raises RecordError where it is broken."""
        self.content = content
        """The bytes of the record's file."""
        self.name = name
        self.record: Record = read_record(content, partial=True)
        """The record's `header`, `plies` and `end`, as plain data."""

    @cached_property
    def game(self) -> Game:
        """The game that was played. Raises GameError or RecordError if its rules are not here."""
        return Game(recorded_game(self.record))

    @property
    def bots(self) -> list[str]:
        """The names of the bots, by seat."""
        return [str(bot["name"]) for bot in self.record.header["bots"]]

    @property
    def returns(self) -> tuple[float, ...]:
        """Each seat's return, forfeits included."""
        return tuple(float(value) for value in self.record.end["returns"])

    @property
    def points(self) -> tuple[int, ...]:
        """Each seat's points at the end, as the game counts them; 0 in a game without points."""
        return tuple(int(value) for value in self.record.end["points"])

    @property
    def faults(self) -> list[dict[str, Any]]:
        """The plies in which a bot failed, as plain data."""
        return [ply for ply in self.record.plies if "fault" in ply]

    @property
    def seed(self) -> str:
        """The seed of the game's chance."""
        return str(self.record.end["seed"])

    def verify(self) -> Verdict:
        """Replays the record by the rules: whether it is true, or the first line that is not.

        The verdict has `ok`; where that is False, also `line` (from 1) and `reason`. Where the
        rules that the record was played by are not here, or have changed, it was not checked:
        `checked` is False, and so is `ok`, though the record may be true.
        """
        return verify_record(self.content, partial=True)

    @cached_property
    def positions(self) -> list[Position]:
        """The positions where a player was to act, in order, and the last one of the game."""
        found: list[Position] = []
        first = start(self.game.rules)
        position = Position(self.game, first, Streams(self.seed), None, (), first)
        for ply in self.record.plies:
            for action in actions_of(ply):
                if position.player >= 0 and (not found or found[-1] is not position):
                    found.append(position)
                position = position.after(action)
        return [*found, position]

    def __len__(self) -> int:
        return int(self.record.end["plies"])

    def __repr__(self) -> str:
        results = ", ".join(
            f"{name} {value:g}" for name, value in zip(self.bots, self.returns, strict=True)
        )
        return f"<record of {self.record.header['game']}: {results}>"

    def _repr_html_(self) -> str:
        from joute.library.display import record_html

        return record_html(self.content, self.name)


def record(path: str | Path) -> GameRecord:
    """The record at a path: a file, or a path that `joute records` tells of a contest's game.

    Raises Error if it cannot be read, RecordError if it is broken.
    """
    from joute.contest.records import Records  # a match, which has its records, needs no contest

    if not isinstance(path, str | Path):
        raise wrong("record", path, "path", Error)
    try:
        with Records() as records:
            content = records.read(Path(path))
    except OSError as error:
        reason = Sentence("error.file.unreadable", reason=foreign(error))
        raise Error(Sentence("error.file.named", file=path, reason=reason)) from None
    try:
        return GameRecord(content, Path(path).name)
    except RecordError as error:
        raise error.named(Path(path)) from None
