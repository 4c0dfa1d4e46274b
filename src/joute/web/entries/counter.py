"""All that hands, keeps and plays entries, for one application."""

from __future__ import annotations

import tempfile
from pathlib import Path

from joute.web.contests.catalogue import Catalogue
from joute.web.contests.choices import Choices
from joute.web.contests.players import Players
from joute.web.entries.desk import Desk
from joute.web.entries.jobs import Jobs
from joute.web.entries.runs import Runs

FOLDER = "entries"


class Counter:
    """A desk with its checks, games and contests; in the end it forgets all without a folder."""

    def __init__(
        self, data: Path | None, catalogue: Catalogue, choices: Choices, players: Players
    ) -> None:
        self._passing = tempfile.TemporaryDirectory(prefix="joute-") if data is None else None
        folder = Path(self._passing.name if self._passing else data or "", FOLDER).absolute()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.desk = Desk(folder)
        self.jobs = Jobs(self.desk)
        self.runs = Runs(self.desk, catalogue, choices, players)

    def close(self) -> None:
        """Stops what runs."""
        self.jobs.close()
        if self._passing:
            self._passing.cleanup()
