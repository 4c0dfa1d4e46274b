"""Decisions of the organiser: kept in the contest's store, and its results written again.

A contest is named by its file or by its folder; the folder knows the configuration that was in
force when it was last played into. Nothing is ever deleted: a decision says what holds from now on.
"""

from __future__ import annotations

import getpass
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from joute.contest.config.config import resolve
from joute.contest.config.contest import Contest, from_json
from joute.contest.config.reading import suggested
from joute.contest.contents import check_decided, contents_of
from joute.contest.errors import DecisionError, FolderError
from joute.contest.folder import RECORDS, has_store, moved_to, now, opened_store, store_errors
from joute.contest.proof.counted import note_lost
from joute.contest.report.standings import write_results
from joute.contest.run.plan import planned
from joute.contest.run.playing import Folder
from joute.contest.run.redraw import undrawn
from joute.contest.run.tasks import OURS
from joute.contest.schedule.formats import is_drawn
from joute.contest.sealing import keep_configuration, to_play
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.store.model import OF_BOTS, OF_GAMES, REINSTATED, Decision
from joute.text import spelt

if TYPE_CHECKING:
    from joute.store.store import Store

SHORTEST = 4  # characters of an identity that stand for it
BEGINNING = re.compile(f"[0-9a-f]{{{SHORTEST},}}")


def contest_at(path: Path) -> Contest:
    """The contest of a file, or of the folder of results that it was played into.

    Raises ConfigError for a file, FolderError for a folder that is wrong.
    """
    if not path.is_dir():
        return resolve(path)
    found = []
    if has_store(path):
        with opened_store(path) as store:
            found = store.configurations()
    if not found:
        raise FolderError(Sentence("error.folder.not_played", folder=path))
    try:
        contest = from_json(found[-1])
    except msgspec.ValidationError as error:
        reason = Sentence("error.folder.another_version", folder=path, reason=foreign(error))
        raise FolderError(reason) from None
    return moved_to(path, contest)


class Decided(NamedTuple):
    """A decision, and what it does to games that it is not about."""

    decision: Decision
    undrawn: int  # that counted, and do not because the rounds after are drawn again
    reopened: bool  # whether the contest was over before, and is not now


def decide(contest: Contest, kind: str, subject: str, why: str, who: str | None = None) -> Decided:
    """Decides about a game or a bot, and writes the contest's results again.

    `kind` is one of joute.store.model. A game is named by its identity, the beginning of it or
    its record's path. `who` is usually the user. Raises DecisionError for what makes no sense and
    as `check_decided` does, SealError if a sealed contest was changed or waits for its public
    value, RedrawError if its bots were, so that it is drawn again, LockedError while the contest is
    played, FolderError if the folder cannot be used; nothing is decided then.
    """
    path = Path(contest.folder)
    if not has_store(path):
        raise FolderError(Sentence("error.folder.not_played", folder=path))
    contents = contents_of(contest)  # without its bots' files nothing could be written anew
    with Folder(path, contest.store) as folder:
        note_lost(folder)
        with store_errors(path):
            to_play(contest, folder.store)
        try:
            with store_errors(path):
                meant = _subject(folder.store, contest, kind, subject)
                staying = folder.store.in_force()
                if kind == REINSTATED:
                    del staying[meant]
                check_decided(contest, contents, folder.store, staying)
                by = getpass.getuser() if who is None else who
                if by.strip().casefold() == OURS:
                    raise ValueError(Sentence("error.decision.ours", by=by))
                decision = Decision(kind, meant, by, why, now())
                found = folder.known(contest)
                before = planned(contest, found) if is_drawn(contest) else None
                folder.store.decide(decision)
                found = found._replace(in_force=folder.store.in_force())
        except ValueError as error:
            raise DecisionError(error) from None
        # What is drawn again was looked at.
        contest, seed = keep_configuration(contest, folder, redraw=True)
        after = planned(contest, found)
        write_results(path, contest, after, seed)
        if before is None:
            return Decided(decision, 0, False)
        others = sum(meant not in slot.seats for slot in undrawn(before, after))
        return Decided(decision, others, others > 0 and before.left == 0 < after.left)


def _subject(store: Store, contest: Contest, kind: str, subject: str) -> str:
    names = [bot.name for bot in contest.bots]
    in_force = store.in_force()
    bot = spelt(subject, names)
    if kind in OF_BOTS:
        if bot is None:
            reason = Sentence("error.decision.no_bot", subject=subject)
            raise DecisionError(suggested(reason, subject, names))
        return bot
    found = spelt(subject, in_force)
    if found is None and (kind in OF_GAMES or bot is None):
        found = game_named(store, subject)
    if kind == REINSTATED and found not in in_force:
        raise DecisionError(Sentence("error.decision.nothing", subject=subject))
    return found or subject


def game_named(store: Store, text: str) -> str:
    """The identity of the one game that is meant. Raises DecisionError."""
    beginning = Path(text).stem if Path(text).parent.name == RECORDS else text
    found = store.named(beginning) if BEGINNING.fullmatch(beginning) else []
    if len(found) == 1 or beginning in found:
        return beginning if beginning in found else found[0]
    if found:
        games = ", ".join(found)
        raise DecisionError(Sentence("error.decision.several", text=text, games=games))
    raise DecisionError(Sentence("error.decision.no_game", text=text, least=SHORTEST))
