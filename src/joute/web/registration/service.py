"""Registration for contests in one application: what is stored, the checks, the contests played."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from joute.contest.config.config import resolve
from joute.contest.config.contest import Contest
from joute.contest.folder import has_store
from joute.errors import Error
from joute.host.building.toolchains import languages
from joute.host.sandbox import granted
from joute.i18n.words import say
from joute.store.store import StoreError
from joute.web.contests.catalogue import Catalogue, ServedContest
from joute.web.contests.control import ContestControl, ContestProcesses, OptionsStore
from joute.web.contests.snapshot import PLAYING
from joute.web.errors import RequestRefusal
from joute.web.registration.contest_files import composed, requirements, rules_of
from joute.web.registration.jobs import COMMAND, Jobs
from joute.web.registration.ladder import Ladders
from joute.web.registration.store import Participant, Registration, RegistrationStore

FOLDER = "entries"
_LOG, _RESULTS = "run.log", "contest.results"


class RegistrationService:
    """The registrations in a data folder; without one, all is deleted in the end."""

    def __init__(
        self,
        data: Path | None,
        catalogue: Catalogue,
        options: OptionsStore,
        processes: ContestProcesses,
    ) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="joute-") if data is None else None
        folder = Path(self._temporary.name if self._temporary else data or "", FOLDER).absolute()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.store = RegistrationStore(folder)
        for file, reason in self.store.damaged.items():
            told = say("serve.left_out", file=file, reason=reason)
            print(f"joute: {told}", file=sys.stderr, flush=True)
        self.jobs = Jobs(self.store)
        self.control = RegisteredContests(self.store, catalogue, options, processes)
        self.ladders = self.control.ladders
        self.ladders.start_watching()

    def registration_of(self, served: ServedContest) -> Registration | None:
        """The registration of which a served contest is the results, or the ladder."""
        owners = (self.control, self.ladders)
        return next(
            (
                each
                for each in self.store
                for owner in owners
                if owner.results(each) == served.folder
            ),
            None,
        )

    def resume(self) -> None:
        """Begins again the checks and test games that were under way when the server ended."""
        for registration in self.store:
            if not any(each.busy for each in registration.participants):
                continue
            with suppress(OSError):
                try:
                    self.check_isolation(registration)
                    self.jobs.resume(registration)
                except (Error, RequestRefusal) as error:
                    self.jobs.give_up(registration, str(error))

    def check_isolation(self, registration: Registration) -> None:
        """Refuses to run bots without the isolation that a contest wants."""
        wanted = rules_of(self.store, registration).limits.isolation
        found = granted().level
        if found < wanted:
            raise RequestRefusal(say("submit.refused.level", found=found, wanted=wanted))

    def get_ready(self, registrations: Iterable[Registration]) -> None:
        """Finds out what the first who hands in a bot would wait for; failures are told to them."""
        with suppress(Error, OSError):
            granted()
            languages()
        for registration in registrations:
            with suppress(Error, RequestRefusal, OSError):
                requirements(self.store, registration)

    def close(self) -> None:
        """Stops checks, test games and ladders."""
        self.ladders.close()
        self.jobs.close()
        if self._temporary:
            self._temporary.cleanup()


class RegisteredContests(ContestControl[Registration]):
    """The contests that take registrations; only the organiser sees results until publication."""

    def __init__(
        self,
        store: RegistrationStore,
        catalogue: Catalogue,
        options: OptionsStore,
        processes: ContestProcesses,
    ) -> None:
        super().__init__(catalogue, options, processes)
        self._store = store
        self.ladders = Ladders(store, catalogue, options, processes, self.is_playing)
        catalogue.reserved = self._identifiers
        for registration in store:
            self.served(registration)

    def _identifiers(self) -> dict[Path, str]:
        """The identifiers that are stored, by the folders of results and of ladders."""
        found = {self.results(each): each.results_id for each in self._store}
        return found | {self.ladders.results(each): each.ladder_id for each in self._store}

    def keep_identifier(self, entry: Registration, identifier: str) -> None:
        if not entry.results_id:
            # In vain on a full disk: then it holds until the server ends.
            with suppress(RequestRefusal, OSError), self._store.changing(entry, undo=False):
                entry.results_id = identifier

    def results(self, entry: Registration) -> Path:
        return self._store.run(entry) / _RESULTS

    def log(self, entry: Registration) -> Path:
        return self._store.run(entry) / _LOG

    def command(self, entry: Registration) -> tuple[Sequence[str], Path]:
        # Bots that come late or anew on the site are meant to play, and drawn with the others.
        file = composed(self._store, entry)
        return (*COMMAND, "contest", "run", "--redraw", file.name), file.parent

    def contest(self, entry: Registration) -> Contest:
        return resolve(composed(self._store, entry))

    def is_public(self, entry: Registration) -> bool:
        return entry.published or entry.at_once

    def public_address(self, entry: Registration) -> str:
        """The address of results that everybody may see; "" while there are none."""
        return self.address(entry) if self.is_public(entry) else ""

    def served(self, entry: Registration) -> ServedContest | None:
        results = self.results(entry)
        # The usual of the server's start is not for bots that were registered.
        if self._options.of(results).messages is None and has_store(results):
            self._options.change(results, messages=False)
        return super().served(entry)

    def attempts(self, entry: Registration) -> Mapping[str, list[str]]:
        """The games in which bots tried to open the network, by the bot's name."""
        served = self.served(entry)
        try:
            return served.attempts.so_far() if served is not None else {}
        except StoreError:  # the page of the results says what is wrong
            return {}

    def start(self, entry: Registration) -> None:
        """Plays what remains, unless a bot that may take part is still being checked."""
        checking = [each.name for each in entry.participants if each.checking]
        if checking:
            raise RequestRefusal(say("submit.run.checking", names=", ".join(checking)))
        super().start(entry)

    def stop(self, entry: Registration) -> None:
        """Ends a contest where it stands: no bot is taken any more, no game is played."""
        super().stop(entry)
        with self._store.changing(entry):
            entry.closed = True

    def publish(self, entry: Registration) -> ServedContest:
        """Shows the results to everybody from now on. Raises RequestRefusal."""
        shown = self.served(entry)
        if shown is None:
            raise RequestRefusal(say("submit.run.none"))
        with self._store.changing(entry):
            entry.published = True
        shown.public = True
        return shown

    def unpublish(self, entry: Registration) -> None:
        """Shows the results to the organiser alone from now on."""
        with self._store.changing(entry):
            entry.published = entry.at_once = False
        shown = self.served(entry)
        if shown is not None:
            shown.public = False

    def is_playing(self, entry: Registration) -> bool:
        """Whether the contest is being played."""
        return self.stage(entry) == PLAYING

    def released(self, entry: Registration) -> bool:
        return bool(self._options.of(self.results(entry)).messages)

    def forget_name(self, entry: Registration, participant: Participant, name: str) -> None:
        """Deletes the results that hold a former name, else a ladder that may hold it."""
        if self.holds(entry, name):
            self.forget(entry)
        elif participant.versions:
            self.ladders.forget(entry)

    def forget(self, entry: Registration) -> None:
        """Deletes all results, for instance because of a name in them. Raises RequestRefusal."""
        self._processes.check_idle(self.results(entry))
        self.ladders.forget(entry)
        self.delete(entry, self._store.run(entry))
        with self._store.changing(entry):
            entry.published = False
