"""The ladder of a contest that takes bots: the ranking so far, for its participants.

It is a contest of its own, in the folder `ladder` of the registration: every pair of bots meets
once in each seat, with the house bots of the contest's file, and only what changed is played again.
It is played after each upload or once a day, as the file says, when nothing else is being played.
A bot stands there under its participant's name, or under an alias where the file or the participant
wants none known.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Lock, Thread
from zoneinfo import ZoneInfo

from joute.contest.config.config import resolve
from joute.contest.config.contest import Contest
from joute.contest.config.showing import ANONYMOUS, OFF, UPLOAD, Showing
from joute.errors import Error
from joute.i18n.words import language, say
from joute.machine import OWN_PYTHON
from joute.web.contests.catalogue import Catalogue, ServedContest
from joute.web.contests.control import FAILED, ContestControl, ContestProcesses, OptionsStore
from joute.web.contests.snapshot import NEW, PAUSED, PLAYING
from joute.web.errors import RequestRefusal
from joute.web.registration.contest_files import composed, rules_of
from joute.web.registration.store import Participant, Registration, RegistrationStore, utc

COMMAND = (*OWN_PYTHON, "-m", "joute.web.contests.child", "ladder")
LOOK_SECONDS = 2.0  # between two looks at what was handed in
_RESULTS, _LOG = "contest.results", "run.log"
_ALIASES = 900  # numbers of aliases, so that none tells who came first


class Ladders(ContestControl[Registration]):
    """The ladders of all registrations. `close` it."""

    def __init__(
        self,
        store: RegistrationStore,
        catalogue: Catalogue,
        options: OptionsStore,
        processes: ContestProcesses,
        busy: Callable[[Registration], bool],
    ) -> None:
        """`busy` tells whether the contest itself is being played: its ladder waits."""
        super().__init__(catalogue, options, processes)
        self._store = store
        self._busy = busy
        self._closed = Event()
        self._beginning = Lock()  # while a ladder begins, or is deleted
        self._starting = ""  # the registration whose ladder begins just now
        self._begun: set[str] = set()  # the registrations whose ladders have begun here
        self._troubles: dict[str, str] = {}  # by registration, why its ladder cannot be played
        self._watch = Thread(target=self._look_on, name="joute-ladders", daemon=True)

    def start_watching(self) -> None:
        """Has the ladders played from now on, as the contests' files say."""
        self._watch.start()

    def close(self) -> None:
        """Plays nothing more; a ladder that is being played is ended with the processes."""
        self._closed.set()
        if self._watch.is_alive():
            self._watch.join()

    def keep_identifier(self, entry: Registration, identifier: str) -> None:
        if not entry.ladder_id:
            with suppress(RequestRefusal, OSError), self._store.changing(entry, undo=False):
                entry.ladder_id = identifier

    def results(self, entry: Registration) -> Path:
        return self._store.ladder(entry) / _RESULTS

    def log(self, entry: Registration) -> Path:
        return self._store.ladder(entry) / _LOG

    def command(self, entry: Registration) -> tuple[Sequence[str], Path]:
        file = self._composed(entry)
        return (*COMMAND, file.name, "--lang", language()), file.parent

    def contest(self, entry: Registration) -> Contest:
        return resolve(self._composed(entry))

    def is_public(self, entry: Registration) -> bool:
        return False

    def served(self, entry: Registration) -> ServedContest | None:
        found = super().served(entry)
        if found is not None and found.audience != entry.identity:
            found.audience = entry.identity
            self._options.change(self.results(entry), messages=False)
        return found

    def forget(self, entry: Registration) -> None:
        """Deletes a ladder, which holds names and games. Raises RequestRefusal."""
        with self._beginning:
            if self.stage(entry) == PLAYING:
                self._processes.stop(self.results(entry))
            self.delete(entry, self._store.ladder(entry))
            with self._store.changing(entry):
                entry.ladder_of = entry.ladder_begun = ""

    def name(self, entry: Registration, participant: Participant) -> str:
        """The name of a participant's bot in the ladder."""
        anonymous = self._showing(entry).ladder == ANONYMOUS or participant.hidden
        if not anonymous:
            return participant.name
        if not participant.alias:
            taken = {each.alias for each in entry.participants}
            with self._store.changing(entry):
                participant.alias = _alias(taken)
        return participant.alias

    def names_all(self, entry: Registration) -> bool:
        """Whether no bot stands in the ladder under an alias, as far as is known."""
        try:
            showing = self._showing(entry)
        except (Error, OSError):  # the contest's file is gone, or its game
            return False
        if showing.ladder == ANONYMOUS:
            return False
        return showing.ladder == OFF or not any(each.hidden for each in entry.participants)

    def hide(self, entry: Registration, participant: Participant, hidden: bool) -> None:
        """Lets a participant stand in the ladder under an alias, or no longer.

        The games so far have the former name, so they are deleted. Raises RequestRefusal.
        """
        if hidden == participant.hidden:
            return
        with self._store.changing(entry):
            participant.hidden = hidden
        self.forget(entry)  # last: what begins now has the new name

    def waits(self, entry: Registration) -> bool:
        """Whether something was handed in for which the ladder is soon to be played."""
        at_once = self._showing(entry).ladder_at == UPLOAD
        new = self._signature(entry) not in ("", entry.ladder_of)
        return at_once and (new or self._starting == entry.identity)

    def trouble(self, entry: Registration) -> str:
        """The reason the ladder cannot be played; "" where it can be, as far as is known."""
        return self._troubles.get(entry.identity, "")

    def look(self) -> None:
        """Begins what is to be played now; of a ladder that cannot be played says once why."""
        for entry in self._store:
            with self._beginning:
                try:
                    trouble = self._look_at(entry, self._store.now())
                except (Error, RequestRefusal, OSError) as error:
                    trouble = str(error)
                if trouble not in ("", self.trouble(entry)):
                    told = say("task.ladder.trouble", reason=trouble)
                    print(f"joute: {entry.name}: {told}", file=sys.stderr, flush=True)
                self._troubles[entry.identity] = trouble

    def _look_at(self, entry: Registration, now: datetime) -> str:
        """Begins a ladder that is to be played now; returns what one that failed has said."""
        showing = self._showing(entry)
        if showing.ladder == OFF:
            return ""
        self.served(entry)
        wanted = self._signature(entry)
        playing = self.stage(entry) == PLAYING
        if playing and showing.ladder_at == UPLOAD and wanted != entry.ladder_of:
            self._processes.pause(self.results(entry))  # and begins again with what is new
        elif not playing and wanted and self._due(entry, showing, wanted, now):
            # Between the note and the process, too, the ladder is waited for.
            self._starting = entry.identity
            self._begun.add(entry.identity)
            try:
                with self._store.changing(entry):
                    entry.ladder_of, entry.ladder_begun = wanted, utc(now)
                self.start(entry)
            finally:
                self._starting = ""
        failed = self.stage(entry) == FAILED
        return (self.output(entry) or say("organise.stage.failed")) if failed else ""

    def _look_on(self) -> None:
        while not self._closed.wait(LOOK_SECONDS):
            self.look()

    def _due(self, entry: Registration, showing: Showing, wanted: str, now: datetime) -> bool:
        if self._busy(entry) or any(self.stage(each) == PLAYING for each in self._store):
            return False
        if wanted == entry.ladder_of:
            stage = self.stage(entry)  # by the end of the server, or nothing came of it before
            return stage == PAUSED or (stage == NEW and entry.identity not in self._begun)
        if showing.ladder_at == UPLOAD:
            return True
        latest = utc(_latest(showing.ladder_at, ZoneInfo(entry.zone), now))
        # It has begun later than now where the clock of this machine was wrong then.
        return not latest <= entry.ladder_begun <= utc(now)

    def _showing(self, entry: Registration) -> Showing:
        return rules_of(self._store, entry).show

    def _signature(self, entry: Registration) -> str:
        """The bots that stand in the ladder, by name and version; "" while there is none."""
        found = [f"{self.name(entry, each)}:{version.number}" for each, version in entry.entries]
        return " ".join(sorted(found))

    def _composed(self, entry: Registration) -> Path:
        folder = self._store.ladder(entry)
        return composed(self._store, entry, folder, lambda each: self.name(entry, each))


def _alias(taken: set[str]) -> str:
    """An alias that nobody has."""
    numbers = max(_ALIASES, 10 * len(taken))  # of which most are free
    while True:
        found = f"Bot {100 + secrets.randbelow(numbers)}"
        if found not in taken:
            return found


def _latest(hour: str, zone: ZoneInfo, now: datetime) -> datetime:
    """The last moment until now at which a zone's clocks showed an hour, for the first time a day.

    On a day whose clocks leave that hour out, as long after midnight as on others.
    """
    hours, minutes = map(int, hour.split(":"))
    today = now.astimezone(zone).replace(
        hour=hours, minute=minutes, second=0, microsecond=0, fold=0
    )
    # Compared in UTC: within a zone, Python compares what the clocks show.
    found = today.astimezone(UTC)
    return found if found <= now else (today - timedelta(days=1)).astimezone(UTC)
