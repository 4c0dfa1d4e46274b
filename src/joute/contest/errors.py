"""The errors that stop a contest.

ContestError
 +- ConfigError     the contest's file is wrong
 +- SubmissionError the files of some bots break the contest's rules
 +- FolderError     the contest's folder cannot be used
 |   +- LockedError   somebody else is playing into it
 +- GoneError       the folder or its database was deleted while the contest ran
 +- DecisionError   what the organiser decides makes no sense in the contest
 +- SealError       a sealed contest is not what was sealed, or not yet to be played
 +- RedrawError     other bots would have the contest drawn again, and games count no more
 +- WorkersError    no worker process stays alive
 +- Interrupted     stopped on request; what was complete is kept
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from joute.errors import Error
from joute.i18n.words import Sentence, say

MISSING, IMPORT, UNREADABLE = "missing", "import", "unreadable"


class ContestError(Error):
    """Anything of a contest that its organiser has to know."""


_MOST_TOLD = 10  # errors in one


class ConfigError(ContestError, ValueError):
    """An error in a contest's configuration.

    `where` is the file (or what stands for it), `key` the path of the key ("limits.move_seconds",
    "bots[2].python"; empty for the file as a whole), `line` its line from 1, or None. `shown`
    stands for the key in the text, where that is not one that people have written.
    """

    def __init__(
        self,
        where: str,
        key: str,
        reason: object,
        line: int | None = None,
        shown: str | None = None,
    ) -> None:
        self.where = where
        self.key = key
        self.reason = reason
        self.line = line
        self.shown = key if shown is None else shown
        place = Sentence("error.config.line", where=where, line=line) if line else where
        if self.shown:
            reason = Sentence("error.config.at", place=self.shown, reason=reason)
        super().__init__(Sentence("error.config.at", place=place, reason=reason))


class UnbuiltError(ConfigError, RuntimeError):
    """A bot of a configuration whose sources cannot be built: the file is right, the bot is not."""


def together(errors: Sequence[ConfigError]) -> ConfigError:
    """The first of some errors, which tells of the others too, a line each."""
    first, *others = sorted(errors, key=lambda each: isinstance(each, UnbuiltError))
    reason = first.reason
    for other in others[: _MOST_TOLD - 1]:
        reason = Sentence("error.config.also", one=reason, other=other)
    if len(errors) > _MOST_TOLD:
        count = len(errors) - _MOST_TOLD
        reason = Sentence("error.config.more", one=reason, count=count)
    return type(first)(first.where, first.key, reason, first.line, first.shown)


class Breach(NamedTuple):
    """A place where a bot's files break a rule; `kind` is MISSING, IMPORT or UNREADABLE."""

    kind: str
    file: str  # below the bot's root; what was looked for if it is missing
    line: int | None  # from 1, where it is known
    what: object  # the module, or why the file cannot be read

    def __str__(self) -> str:
        place = self.file
        if self.line is not None:
            place = say("submission.line", file=self.file, line=self.line)
        return say(f"submission.{self.kind}", file=self.file, place=place, what=self.what)


class SubmissionError(ContestError, RuntimeError):
    """The files of some bots break the contest's rules; `breaches` are by the bots' names."""

    def __init__(self, breaches: Mapping[str, Sequence[Breach]]) -> None:
        self.breaches = breaches
        super().__init__(Sentence("submission.refused"))

    def __str__(self) -> str:
        lines = (
            f"  {say('standings.said', name=name, said=each)}"
            for name, found in self.breaches.items()
            for each in found
        )
        return "\n".join([super().__str__(), *lines])


class FolderError(ContestError):
    """The folder of the contest's results cannot be used."""


class LockedError(FolderError):
    """Another process is playing this contest into the same folder."""

    def __init__(self, folder: Path, owner: str) -> None:
        self.folder = folder
        self.owner = owner
        known = "locked_by" if owner else "locked"
        super().__init__(Sentence(f"error.folder.{known}", folder=folder, owner=owner))


class GoneError(ContestError, RuntimeError):
    """The contest's folder, or its database, was deleted or replaced while the contest ran.

    `rescued` is the file that holds all that it held; None where a server has the database.
    """

    def __init__(self, folder: Path, rescued: Path | None, database: Path | None) -> None:
        self.folder = folder
        self.rescued = rescued
        self.database = database
        kept = {"folder": folder, "rescued": rescued, "database": database}
        super().__init__(Sentence("contest.rescued" if rescued else "contest.gone", **kept))


class DecisionError(ContestError, ValueError):
    """A decision about a bot or a game that the contest does not have, or without a reason."""


class Change(NamedTuple):
    """A difference from the contest as it was sealed, or played.

    `kind` is "added", "removed", "content", "python" or "memory" of the bot `what`, "order" of the
    bots, "versions" of the rules, or "key" for the key `what` of the contest's file.
    """

    kind: str
    what: str = ""
    before: str = ""
    after: str = ""

    def __str__(self) -> str:
        return say(f"seal.change.{self.kind}", **self._asdict())


class SealError(ContestError, RuntimeError):
    """A contest cannot be sealed, drawn or played as it stands.

    `reason` is the end of the key of its sentence ("seal.error.REASON"), `values` are the values
    of that, and `changes` tell what was changed since it was sealed: a line each.
    """

    def __init__(self, reason: str, changes: Sequence[Change] = (), **values: object) -> None:
        self.reason = reason
        self.values = values
        self.changes = list(changes)
        super().__init__(Sentence(f"seal.error.{reason}", **values))

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *(f"  {change}" for change in self.changes)])


class RedrawError(ContestError, RuntimeError):
    """The bots are not those that a contest was drawn for: `lost` of its games would not count.

    `counted` are its games that counted with the bots as they were, and `changes` tell of the
    difference: a line each.
    """

    def __init__(self, lost: int, counted: int, changes: Sequence[Change]) -> None:
        self.lost = lost
        self.counted = counted
        self.changes = list(changes)
        super().__init__(Sentence("error.contest.redrawn", lost=lost, counted=counted))

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *(f"  {change}" for change in self.changes)])


class WorkersError(ContestError, RuntimeError):
    """The processes that play die before they have played anything."""


class Interrupted(ContestError):
    """The contest was stopped on request; the same command goes on where it was.

    `done` games of `total` are complete and kept.
    """

    def __init__(self, done: int, total: int) -> None:
        self.done = done
        self.total = total
        super().__init__(Sentence("error.stopped", done=done, total=total))
