"""All that an organiser needs to defend the result of a contest, read from its folder.

What people decided, with who, when and why; who was shut out by the contest's own rules; every
fault that cost something; games on a machine that was too busy to be sure of the clock, and for
which bot it was too busy; which games
were played by earlier versions of a bot, or under other settings; where the seed came from.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from itertools import chain, groupby
from pathlib import Path
from typing import Any

import msgspec

from joute.contest.config.contest import Contest
from joute.contest.contents import known_contents
from joute.contest.errors import FolderError
from joute.contest.folder import RECORDS, has_store, opened_store
from joute.contest.proof.difference import Difference
from joute.contest.proof.verification import cheap_differences
from joute.contest.ranking.discipline import Offence
from joute.contest.report.report import bots_out
from joute.contest.run.ledger import Chosen, KnownResults, Ledger
from joute.contest.run.plan import Rows, planned
from joute.contest.run.tasks import is_ours
from joute.contest.seal import UNSEALED, Seal
from joute.contest.sealing import sealed_in
from joute.i18n.words import Sentence
from joute.play.chance import commitment
from joute.play.record import ply_number
from joute.store.model import OF_GAMES, Configuration, Decision, Note
from joute.store.store import Store
from joute.text import in_one_line

DECIDE_NOTHING = frozenset(UNSEALED) - {"bots"}


class Costly(msgspec.Struct, frozen=True, kw_only=True):
    """The cost of one kind of fault of a bot in a game."""

    game: str
    counts: bool  # whether the game counts
    bot: str
    fault: str
    cost: str
    times: int
    ply: int  # of the first time
    detail: str  # what was said then, its last line


class BotVersion(msgspec.Struct, frozen=True, kw_only=True):
    """The games that a bot played with files of one content."""

    bot: str
    content: str  # the hash of the files
    current: bool  # whether these are its files now
    games: list[str]


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that was once made."""

    decision: Decision
    in_force: bool


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """The audit of a contest; games are named by their identities."""

    contest: str
    seed: str
    commitment: str  # a hash of the seed, which can be published before the contest
    seeds: list[str]  # of all configurations that were in force, in order
    configurations: int  # one after the other, whatever the bots' files, places and workers
    seal: Seal | None  # with the public value
    kept: int
    counting: int
    left: int
    annulled: list[str]
    unasked: list[str]  # that the schedule does not ask for (any more)
    void: int  # that count for nobody, because a bot of theirs is out
    decisions: list[Made]  # oldest first
    disqualified: dict[str, list[Offence]]  # by the contest's rules
    faults: list[Costly]
    busy: list[str]
    infrastructure: dict[str, list[str]]  # by bot, games that the machine spoilt, played again
    versions: list[BotVersion]  # of bots that have more than one
    rows: int  # of the store, chained to one another
    link: str  # the last of the chain, in hexadecimal
    differences: list[Difference]  # rows that are not as they were written
    notes: list[Note]  # what the store says itself of what happened to it


def audit(contest: Contest) -> Audit:
    """The audit of a contest, as it stands in its folder. Raises FolderError."""
    path = Path(contest.folder)
    if not has_store(path):
        raise FolderError(Sentence("error.folder.not_played", folder=path))
    differences = cheap_differences(path, contest.store)
    with opened_store(path, contest.store) as store, store.snapshot():
        link = store.last_link()
        in_force = store.in_force()
        contents = known_contents(contest, store, in_force)
        games = Ledger.of(contest.players, store.results())
        known = KnownResults(store.seed(), games, in_force, contents)
        plan = planned(contest, known)
        asked = plan.asked_for()
        table = plan.standings()
        rows, out = Rows(contest), bots_out(table)
        counted = plan.counting(lambda slot: rows.counts(slot, out))
        annulled = [
            each for each, made in in_force.items() if made.kind in OF_GAMES and not is_ours(made)
        ]
        seed = contest.seed or known.seed or ""
        sealed = sealed_in(store)
        kept = store.configured()  # anew for bots that changed, too, which `versions` has
        settings = [key for key, _ in groupby(map(_settings, filter(_is_played, kept)))]
        seeds = [each.seed for each in kept]
        records = _Records(contents)
        files = sorted((path / RECORDS).glob("*.jsonl"))  # of folders of older versions
        for identity, record in chain(store.records(), ((f.stem, f.read_bytes()) for f in files)):
            records.read(identity, record)
        return Audit(
            contest=contest.name,
            seed=seed,
            commitment=commitment(seed),
            seeds=list(dict.fromkeys(filter(None, seeds))),
            configurations=len(settings),
            seal=None if sealed is None else sealed.seal,
            kept=plan.kept,
            counting=len(counted),
            left=plan.left,
            annulled=annulled,
            unasked=[
                game.identity
                for game in store.results()
                if game.identity not in asked and game.identity not in in_force
            ],
            void=len(asked) - sum(each in asked for each in in_force) - len(counted),
            decisions=[
                Made(decision=decision, in_force=in_force.get(decision.subject) == decision)
                for decision in store.decisions()
                if not is_ours(decision)
            ],
            infrastructure=plan.spoilt,
            disqualified={
                line.name: offences
                for line in table
                if (offences := [each for each in line.disqualified if each.game])
            },
            faults=_faults(store, counted),
            busy=records.busy,
            versions=records.versions(),
            rows=link.number,
            link=link.link.hex(),
            differences=differences,
            notes=store.notes(),
        )


def _is_played(kept: Configuration) -> bool:
    """Whether games may be played under a configuration: none while a seal waits for its seed."""
    return bool(kept.seed)


def _settings(kept: Configuration) -> dict[str, Any]:
    """The part of a configuration that decides about games and bots, with the seed."""
    found: dict[str, Any] = json.loads(kept.configuration)
    decisive = {key: value for key, value in found.items() if key not in DECIDE_NOTHING}
    return {**decisive, "seed": kept.seed}


def _faults(store: Store, counted: Chosen) -> list[Costly]:
    found = []
    for game in store.results():
        alike: dict[tuple[int, str, str], list[dict[str, Any]]] = defaultdict(list)
        for one in game.faults:
            alike[one["seat"], one["fault"], one["cost"]].append(one)
        for (seat, fault, cost), each in alike.items():
            found.append(
                Costly(
                    game=game.identity,
                    counts=game.identity in counted,
                    bot=game.lineup.bots[seat],
                    fault=fault,
                    cost=cost,
                    times=len(each),
                    ply=ply_number(each[0]["ply"]),
                    detail=in_one_line(each[0]["detail"]),
                )
            )
    return found


class _Records:
    """Facts of records that the tables of the store do not have."""

    def __init__(self, contents: Mapping[str, str]) -> None:
        self._contents = contents
        self._games: dict[tuple[str, str], list[str]] = defaultdict(list)
        self.busy: list[str] = []

    def read(self, identity: str, record: bytes) -> None:
        """Takes in a record; what is none says nothing."""
        lines = record.strip().split(b"\n")
        try:
            head, end = json.loads(lines[0]), json.loads(lines[-1])
            bots = {bot["name"]: bot["content"] for bot in head["bots"]}
        except (ValueError, KeyError, TypeError):
            return
        for name, content in bots.items():
            self._games[name, content].append(identity)
        if end.get("busy"):
            self.busy.append(identity)

    def versions(self) -> list[BotVersion]:
        """The games of each content of the bots that played with another than their present one."""
        earlier = {name for name, content in self._games if content != self._contents.get(name)}
        return [
            BotVersion(
                bot=name, content=content, current=content == self._contents.get(name), games=games
            )
            for (name, content), games in sorted(self._games.items())
            if name in earlier
        ]
