"""The isolation that a contest demands for its bots, and the files that it hides from them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from joute.contest.config.contest import Contest
from joute.contest.errors import ContestError
from joute.contest.folder import has_store
from joute.core.interface import properties
from joute.core.registry import make
from joute.host.names import BotSpec, parse_bot
from joute.host.sandbox import Level, granted
from joute.i18n.words import Sentence

LONG_SEED = 16  # characters that nobody tries all of


class UnsafeError(ContestError):
    """The machine does not grant the isolation that a contest of other people's bots needs."""

    def __init__(self, wanted: Level, found: Level, bots: list[str]) -> None:
        levels = {"found": str(found), "wanted": str(wanted)}
        super().__init__(Sentence("contest.unsafe", **levels, bots=", ".join(bots)))


def check_isolation(contest: Contest) -> None:
    """Raises UnsafeError if bots would run below the level that the contest wants."""
    hosted = hosted_bots(contest)
    if not hosted:
        return
    wanted, found = contest.limits.isolation, granted().level
    if found < wanted:
        raise UnsafeError(wanted, found, hosted)


def hosted_bots(contest: Contest) -> list[str]:
    """The names of the bots that are programs of somebody's."""
    return [name for name, spec in _specs(contest) if spec.kind in ("python", "program", "sources")]


def hidden_paths(contest: Contest) -> tuple[str, ...]:
    """The paths that the bots of a contest may not read, even in their own folders.

    These are the others' files, the results of this contest and of others beside it, its database
    and the files of contests, which may hold a seed. Its own file is hidden from no bot.
    """
    files = {str(path) for _, spec in _specs(contest) for path in _files(spec)}
    found = {contest.folder, *_of_contests(Path(contest.base)), *_database(contest.store)}
    return (*sorted(files), *sorted(found))


def _of_contests(base: Path) -> Iterator[str]:
    """The files of contests in a folder, and the results of contests that were played there."""
    with suppress(OSError):
        for entry in sorted(os.scandir(base), key=lambda entry: entry.name):
            if entry.name.endswith(".toml") or has_store(Path(entry.path)):
                yield entry.path


def _database(url: str | None) -> Iterator[str]:
    kind, _, place = (url or "").partition(":///")
    if kind.startswith("sqlite") and place:
        file = Path(place.partition("?")[0]).absolute()
        yield from (f"{file}{ending}" for ending in ("", "-wal", "-shm", "-journal"))


def guessable(contest: Contest) -> bool:
    """Whether a bot could find the seed by trying, and know beforehand what chance brings."""
    return readable_seed(contest) and len(contest.seed or "") < LONG_SEED


def readable_seed(contest: Contest) -> bool:
    """Whether the contest's file tells whoever reads it what chance will bring.

    Who has drawn the first turn is known to all anyway.
    """
    facts = properties(make(contest.game, **contest.maps[0].parameters))
    tells = facts.hidden_information or (facts.chance and facts.max_outcomes > facts.players)
    return tells and contest.seed is not None


def _specs(contest: Contest) -> list[tuple[str, BotSpec]]:
    base = Path(contest.base)
    return [(bot.name, parse_bot(bot.bot, base, bot.python)) for bot in contest.bots]


def _files(spec: BotSpec) -> list[Path]:
    """The files and folders that a bot's name stands for; of a program, those of its command."""
    if spec.kind != "program":
        return [] if spec.path is None else [spec.path]
    named = [(spec.folder or Path()) / word for word in spec.command]
    return [path for path in named if path.exists() and not path.is_relative_to("/usr")]
