"""Decisions of the organiser: kept in the contest's store, and its results written again.

A contest is named by its file or by its folder; the folder knows the configuration that was in
force when it was last played into. Nothing is ever deleted: a decision says what holds from now on.
"""

from __future__ import annotations

import getpass
import re
from pathlib import Path

import msgspec

from joute.contest.config.config import resolve
from joute.contest.config.contest import Contest, from_json
from joute.contest.config.reading import suggestion
from joute.contest.errors import DecisionError, FolderError
from joute.contest.folder import RECORDS, has_store, looked_at, now, told
from joute.contest.proof.counted import note_lost
from joute.contest.report.standings import write_results
from joute.contest.run.plan import planned
from joute.contest.run.playing import Folder
from joute.contest.run.spoilt import OURS
from joute.contest.run.tasks import contents_of
from joute.contest.sealing.sealing import keep_configuration
from joute.store.decisions import OF_BOTS, OF_GAMES, REINSTATED, Decision
from joute.store.store import Store

SHORTEST = 4  # characters of an identity that stand for it
BEGINNING = re.compile(f"[0-9a-f]{{{SHORTEST},}}")


def contest_at(path: Path) -> Contest:
    """The contest of a file, or of the folder of results that it was played into.

    Raises ConfigError for a file, FolderError for a folder that is wrong.
    """
    if not path.is_dir():
        return resolve(path)
    if not has_store(path):
        raise FolderError(f"{path}: no contest was played into this folder")
    with looked_at(path) as store:
        found = store.configurations()
    if not found:
        raise FolderError(f"{path}: no contest was played into this folder")
    try:
        contest = from_json(found[-1])
    except msgspec.ValidationError as error:
        raise FolderError(
            f"{path}: its configuration is of another version of joute ({error}); "
            "give the contest's file instead of its folder"
        ) from None
    return msgspec.structs.replace(contest, folder=str(path.resolve()))


def decide(contest: Contest, kind: str, subject: str, why: str, who: str | None = None) -> Decision:
    """Decide about a game or a bot of a contest, and write its results again; returns the decision.

    `kind` is one of joute.store.decisions. A game is named by its identity, the beginning of it or
    its record's path. `who` is usually the user. Raises DecisionError for what makes no sense,
    LockedError while the contest is played, FolderError if the folder cannot be used.
    """
    path = Path(contest.folder)
    if not has_store(path):
        raise FolderError(f"{path}: no contest was played into this folder")
    contents_of(contest)  # without its bots' files nothing could be written anew
    with Folder(path, contest.store) as folder:
        note_lost(folder)
        try:
            with told(path):
                meant = _subject(folder.store, contest, kind, subject)
                by = getpass.getuser() if who is None else who
                if by.strip().casefold() == OURS:
                    raise ValueError(
                        f"{by!r} stands for what Joute itself has noted: name yourself"
                    )
                decision = Decision(kind, meant, by, why, now())
                folder.store.decide(decision)
        except ValueError as error:
            raise DecisionError(str(error)) from None
        contest, seed = keep_configuration(contest, folder)
        found = folder.known(contest)
        write_results(path, contest, planned(contest, found), seed)
        return decision


def _subject(store: Store, contest: Contest, kind: str, subject: str) -> str:
    """The bot's name or the game's identity that is meant. Raises DecisionError."""
    names = [bot.name for bot in contest.bots]
    in_force = store.in_force()
    if kind in OF_BOTS:
        if subject not in names:
            raise DecisionError(f"{subject!r} is no bot of the contest{suggestion(subject, names)}")
        return subject
    found = subject if subject in in_force else None
    if found is None and (kind in OF_GAMES or subject not in names):
        found = game_named(store, subject)
    if kind == REINSTATED and found not in in_force:
        raise DecisionError(f"{subject!r}: nothing was decided about it that is in force")
    return found or subject


def game_named(store: Store, text: str) -> str:
    """The identity of the one game that is meant. Raises DecisionError."""
    beginning = Path(text).stem if Path(text).parent.name == RECORDS else text
    found = store.named(beginning) if BEGINNING.fullmatch(beginning) else []
    if len(found) == 1 or beginning in found:
        return beginning if beginning in found else found[0]
    if found:
        raise DecisionError(f"{text!r}: several games begin so: {', '.join(found)} ...")
    raise DecisionError(
        f"{text!r} is no game of the contest: expected the name of its record, or {SHORTEST} and "
        "more characters that it begins with"
    )
