"""The contests that are played for a desk, each by `joute contest run` in a process of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

from joute.contest.config.config import resolve
from joute.contest.errors import FolderError
from joute.contest.folder import has_store
from joute.i18n.words import say
from joute.web.contests.catalogue import Catalogue, ServedContest
from joute.web.contests.choices import Choices
from joute.web.contests.players import Players, told
from joute.web.contests.sealing import check_drawn, draw, seal, shown_seal
from joute.web.contests.snapshot import PLAYING
from joute.web.entries.desk import Desk
from joute.web.entries.jobs import COMMAND
from joute.web.entries.kept import Call
from joute.web.entries.opening import composed
from joute.web.entries.refused import Refused

_LOG, _RESULTS = "run.log", "contest.results"


class Runs:
    """Starts and stops them, and shows what comes of them: first to the organiser alone."""

    def __init__(
        self, desk: Desk, catalogue: Catalogue, choices: Choices, players: Players
    ) -> None:
        self._desk = desk
        self._catalogue = catalogue
        self._choices = choices
        self._players = players
        for call in desk:
            self.results_served(call)

    def results(self, call: Call) -> Path:
        """The folder of a contest's results."""
        return self._desk.run(call) / _RESULTS

    def stage(self, call: Call) -> str:
        """NEW, PLAYING, PAUSED, FINISHED, FAILED or STOPPED."""
        return self._players.stage(self.results(call), self.results_served(call))

    def told(self, call: Call) -> str:
        """What the last run has said."""
        return told(self._desk.run(call) / _LOG)

    def start(self, call: Call) -> None:
        """Plays what remains, with those who take part now. Raises Refused."""
        results = self.results(call)
        if self._players.stage(results) == PLAYING:
            raise Refused(say("submit.run.playing"))
        check_drawn(self.results_served(call))
        file = composed(self._desk, call)
        command = (*COMMAND, "contest", "run", file.name)
        self._players.start(results, command, file.parent, self._desk.run(call) / _LOG)
        self._choices.change(results, stopped=False)

    def seal(self, call: Call) -> None:
        """Seals it with those who take part now. Raises Refused."""
        seal(resolve(composed(self._desk, call)))

    def draw(self, call: Call, value: str) -> None:
        """Gives it the public value that its seed comes from. Raises Refused."""
        draw(resolve(composed(self._desk, call)), value)

    def sealed(self, call: Call) -> dict[str, str | None]:
        """Its seal, public value and seed; empty if it is not sealed."""
        return shown_seal(self.results_served(call))

    def pause(self, call: Call) -> None:
        """Asks it to stop after the games that are being played. Raises Refused."""
        self._players.pause(self.results(call))

    def stop(self, call: Call) -> None:
        """Ends it where it stands: no bot is taken any more, no game is played. Raises Refused."""
        self._players.stop(self.results(call))
        self._choices.change(self.results(call), stopped=True)
        with self._desk.changing(call):
            call.closed = True

    def publish(self, call: Call) -> ServedContest:
        """Shows the results to everybody from now on. Raises Refused."""
        shown = self.results_served(call)
        if shown is None:
            raise Refused(say("submit.run.none"))
        with self._desk.changing(call):
            call.published = True
        shown.public = True
        return shown

    def release(self, call: Call, messages: bool) -> None:
        """Lets everybody who sees the results read what the bots say, or nobody any more."""
        self._choices.change(self.results(call), messages=messages)

    def released(self, call: Call) -> bool:
        """Whether everybody who sees the results may read what the bots say."""
        return bool(self._choices.of(self.results(call)).messages)

    def results_served(self, call: Call) -> ServedContest | None:
        """The results among the contests that are served; None while there are none."""
        results = self.results(call)
        found = self._catalogue.of(results)
        if found is None and has_store(results):
            try:
                found = self._catalogue.add(results, call.published)
            except (FolderError, OSError):  # it is just being made
                return None
            # What was said at the start of the server is not about bots that were handed in.
            self._choices.change(results, messages=self.released(call))
        if found is not None:
            found.stopped = self._choices.of(results).stopped
        return found

    def shown(self, call: Call) -> str:
        """The address of the results; "" while there are none."""
        served = self.results_served(call)
        return f"/contests/{served.identifier}" if served else ""

    def forget(self, call: Call) -> None:
        """Removes all results: somebody's name or games are not to be in them. Raises Refused."""
        results = self.results(call)
        self._players.forget(results)
        self._catalogue.remove(results)
        self._choices.forget(results)
        shutil.rmtree(self._desk.run(call), ignore_errors=True)
        with self._desk.changing(call):
            call.published = False
