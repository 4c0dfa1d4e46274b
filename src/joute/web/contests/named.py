"""The contests that were named when the server was started: their organiser may play them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from joute.contest.config.config import resolve
from joute.contest.config.contest import Contest
from joute.contest.errors import ConfigError, FolderError
from joute.contest.folder import has_store
from joute.core.errors import GameError
from joute.i18n.recognised import worded
from joute.i18n.words import Sentence
from joute.store.store import StoreError
from joute.text import free_name
from joute.web.contests.catalogue import Catalogue, identifier_of
from joute.web.contests.choices import Choices
from joute.web.contests.players import Players, told
from joute.web.contests.sealing import check_drawn, draw, seal, shown_seal
from joute.web.entries.jobs import COMMAND
from joute.web.entries.refused import Refused

LOGS = "runs"  # of the data folder
RESUME = (sys.executable, "-m", "joute.web.contests.resume")


class Named(NamedTuple):
    """A contest that may be played here."""

    identifier: str  # in addresses
    name: str
    game: str
    results: Path
    command: tuple[str, ...]
    base: Path  # where the command is run
    file: Path | None  # of the contest; None where the folder of its results was named


class NamedContests:
    """All of them: files, and folders of results."""

    def __init__(
        self,
        files: Sequence[Path],
        catalogue: Catalogue,
        choices: Choices,
        players: Players,
        data: Path | None,
    ) -> None:
        """Those of these files and of the catalogue as it is now. Raises FolderError.

        What their runs say is kept in the data folder or, without one, until the end.
        """
        self._catalogue = catalogue
        self._choices = choices
        self._players = players
        self._data = data
        self._passing: TemporaryDirectory[str] | None = None
        self._named: dict[str, Named] = {}
        for file in files:
            self._add_file(file)
        for served in catalogue:
            if served.folder.resolve() not in [each.results for each in self]:
                folder = served.folder.resolve()
                self._add(served.contest, folder, (*RESUME, str(folder)), folder)
        self.look()

    def __iter__(self) -> Iterator[Named]:
        return iter(list(self._named.values()))

    def find(self, identifier: str) -> Named | None:
        """The contest of that identifier."""
        return self._named.get(identifier)

    def _add_file(self, file: Path) -> None:
        try:
            contest = resolve(file)
        except (ConfigError, GameError, OSError) as error:
            reason = Sentence("error.config.at", place=file, reason=worded(error))
            raise FolderError(reason) from None
        command = (*COMMAND, "contest", "run", file.name)
        results, own = Path(contest.folder).resolve(), file.resolve()
        self._add(contest, results, command, own.parent, own)

    def _add(
        self,
        contest: Contest,
        results: Path,
        command: tuple[str, ...],
        base: Path,
        file: Path | None = None,
    ) -> None:
        identifier = free_name(identifier_of(contest.name), self._named.__contains__, "-")
        named = Named(identifier, contest.name, contest.game, results, command, base, file)
        self._named[identifier] = named

    def look(self) -> None:
        """What has been begun since is served from now on."""
        for named in self:
            served = self._catalogue.of(named.results)
            if served is None and has_store(named.results):
                try:
                    served = self._catalogue.add(named.results)
                except (FolderError, OSError):  # it is just being made
                    continue
            if served is not None:
                served.stopped = self._choices.of(named.results).stopped

    def stage(self, named: Named) -> str:
        """NEW, PLAYING, PAUSED, FINISHED, FAILED or STOPPED."""
        self.look()
        return self._players.stage(named.results, self._catalogue.of(named.results))

    def told(self, named: Named) -> str:
        """What the last run has said."""
        return told(self._log(named))

    def _log(self, named: Named) -> Path:
        if self._data is None and self._passing is None:
            self._passing = TemporaryDirectory(prefix="joute-")
        place = self._data or Path(self._passing.name if self._passing else "")
        return place.absolute() / LOGS / f"{named.identifier}.log"

    def close(self) -> None:
        """Forgets what was kept until the end."""
        if self._passing is not None:
            self._passing.cleanup()

    def address(self, named: Named) -> str:
        """The page of its results; "" while there are none."""
        served = self._catalogue.of(named.results)
        return "" if served is None else f"/contests/{served.identifier}"

    def start(self, named: Named) -> None:
        """Plays what remains. Raises Refused."""
        check_drawn(self._catalogue.of(named.results))
        self._players.start(named.results, named.command, named.base, self._log(named))
        self._choices.change(named.results, stopped=False)
        self.look()

    def seal(self, named: Named) -> None:
        """Seals it. Raises Refused."""
        seal(self._contest(named))
        self.look()

    def draw(self, named: Named, value: str) -> None:
        """Gives it the public value that its seed comes from. Raises Refused."""
        draw(self._contest(named), value)

    def sealed(self, named: Named) -> dict[str, str | None]:
        """Its seal, public value and seed; empty if it is not sealed."""
        return shown_seal(self._catalogue.of(named.results))

    def _contest(self, named: Named) -> Contest:
        """The contest as its file has it now or, where the folder was named, as that has it."""
        served = self._catalogue.of(named.results)
        try:
            if named.file is None and served is not None:
                return served.contest
            return resolve(named.file or Path())
        except (ConfigError, GameError, StoreError, OSError) as error:
            raise Refused(str(worded(error))) from None

    def pause(self, named: Named) -> None:
        """Asks it to stop after the games that are being played. Raises Refused."""
        self._players.pause(named.results)

    def stop(self, named: Named) -> None:
        """Ends it where it stands. Raises Refused."""
        self._players.stop(named.results)
        self._choices.change(named.results, stopped=True)
        self.look()

    def release(self, named: Named, messages: bool) -> None:
        """Lets everybody read what the bots say, or nobody any more."""
        self._choices.change(named.results, messages=messages)

    def released(self, named: Named) -> bool:
        """Whether everybody may read what the bots say."""
        return self._choices.messages(named.results)
