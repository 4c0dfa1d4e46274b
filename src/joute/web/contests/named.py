"""The contests that were named when the server was started: their organiser may play them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from joute.contest.config.config import resolve
from joute.contest.config.contest import Contest
from joute.contest.errors import ConfigError, FolderError
from joute.core.errors import GameError
from joute.i18n.recognised import worded
from joute.i18n.words import Sentence
from joute.machine import OWN_PYTHON
from joute.store.store import StoreError
from joute.text import free_name
from joute.web.contests.catalogue import Catalogue, identifier_of
from joute.web.contests.control import ContestControl, ContestProcesses, OptionsStore
from joute.web.errors import RequestRefusal
from joute.web.registration.jobs import COMMAND

LOGS = "runs"  # a folder of the data folder
RESUME = (*OWN_PYTHON, "-m", "joute.web.contests.child", "resume")


class NamedContest(NamedTuple):
    """A contest that was named at the start."""

    identifier: str  # in addresses
    name: str
    game: str
    results: Path
    command: tuple[str, ...]
    base: Path  # the folder in which the command is run
    file: Path | None  # of the contest; None where the folder of its results was named


class NamedContests(ContestControl[NamedContest]):
    """The contests that were named at the start: files, and folders of results."""

    def __init__(
        self,
        files: Sequence[Path],
        catalogue: Catalogue,
        options: OptionsStore,
        processes: ContestProcesses,
        data: Path | None,
    ) -> None:
        """The contests of these files and of the catalogue as it is now. Raises FolderError.

        The output of runs is kept in the data folder or, without one, until the server ends.
        """
        super().__init__(catalogue, options, processes)
        self._data = data
        self._temporary: TemporaryDirectory[str] | None = None
        self._named: dict[str, NamedContest] = {}
        for file in files:
            self._add_file(file)
        for served in catalogue:
            folder = served.folder.resolve()
            if folder not in [each.results for each in self]:
                self._add(served.contest, folder, (*RESUME, str(folder)), folder)
        self.look()

    def __iter__(self) -> Iterator[NamedContest]:
        return iter(list(self._named.values()))

    def find(self, identifier: str) -> NamedContest | None:
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
        named = NamedContest(identifier, contest.name, contest.game, results, command, base, file)
        self._named[identifier] = named

    def look(self) -> None:
        """Serves the results of contests that have begun since."""
        for named in self:
            self.served(named)

    def results(self, entry: NamedContest) -> Path:
        return entry.results

    def log(self, entry: NamedContest) -> Path:
        if self._data is None and self._temporary is None:
            self._temporary = TemporaryDirectory(prefix="joute-")
        folder = self._data or Path(self._temporary.name if self._temporary else "")
        return folder.absolute() / LOGS / f"{entry.identifier}.log"

    def command(self, entry: NamedContest) -> tuple[Sequence[str], Path]:
        return entry.command, entry.base

    def contest(self, entry: NamedContest) -> Contest:
        """The contest as its file has it now or, where the folder was named, as that has it."""
        served = self._catalogue.of(entry.results)
        try:
            if entry.file is None and served is not None:
                return served.contest
            return resolve(entry.file or Path())
        except (ConfigError, GameError, StoreError, OSError) as error:
            raise RequestRefusal(str(worded(error))) from None

    def close(self) -> None:
        """Deletes what was kept until the end."""
        if self._temporary is not None:
            self._temporary.cleanup()
