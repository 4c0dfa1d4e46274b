"""A contest with every key resolved, and its form as JSON, which stores and seals keep.

In JSON the limits stand flat among the other keys, between `opening` and `costs`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from joute.contest.config.contest_table import DRAWN, EVENLY
from joute.contest.config.entries import BotEntry
from joute.contest.config.game_table import ContestMap
from joute.contest.config.showing import Showing
from joute.contest.config.submission import SubmissionRules
from joute.contest.ranking.rules import Ranking
from joute.contest.schedule.schedule import SHARED
from joute.contest.seal import Seal
from joute.core.registry import remember
from joute.host.limits import Limits


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """A contest with every key resolved.

    Times are in seconds, memory in MiB. `seed` is None until one is drawn for the folder, and empty
    in the configuration of a contest that is sealed and waits for its public value.
    `games` is None where `first_to` rules; `max_games` is the most that a group plays (where one
    plays alone, that a bot plays on all maps together; in a knockout, with its tie-break). `maps`
    holds the game's parameters on each map; it has one element, without a name, where no map is
    named.
    """

    name: str
    format: str
    games: int | None
    first_to: int | None
    max_games: int
    ranking: Ranking
    reference: str | None = None  # the bot whose rating is 0; None: the mean is
    groups: int | None = None  # that meet; None: all there are
    references: tuple[str, ...] = ()  # whom all others meet in a gauntlet
    opponents: int | None = None  # of each bot in a league, at least
    spend: str = EVENLY  # EVENLY or UNRESOLVED
    rounds: int | None = None  # of a Swiss contest; None: as many as usual
    pools: int | None = None
    qualified: int | None = None  # of each pool
    seeding: str = DRAWN  # DRAWN or LISTED
    minutes: float | None = None  # after which a run hands out no more games
    seed: str | None
    deals: str = SHARED  # one of DEALS: whether the games of a set have the same
    workers: int
    folder: str  # absolute
    store: str | None  # the URL of the database that is not in the folder
    base: str  # the folder, absolute, that the bots' relative paths start from
    game: str
    players: int
    maps: tuple[ContestMap, ...]
    opening: tuple[int, int]
    limits: Limits
    costs: dict[str, str]  # of each fault: "turn", "game" or "disqualification"
    max_restarts: int
    disqualify_after: int | None  # games in which a bot committed one of `disqualify_for`
    disqualify_for: tuple[str, ...]
    submission: SubmissionRules
    bots: tuple[BotEntry, ...]
    seal: Seal | None = None  # of the folder, once the contest is sealed
    show: Showing = Showing()  # no part of the JSON: it changes no game
    rules: str = ""  # the path, absolute, of a game that is neither Joute's own nor installed


def to_json(contest: Contest) -> bytes:
    """The contest as JSON."""
    plain = msgspec.to_builtins(contest)
    flat: dict[str, Any] = {}
    for key, value in plain.items():
        flat.update(value if key == "limits" else {key: value})
    del flat["show"]
    if not contest.rules:
        del flat["rules"]
    return msgspec.json.encode(flat)


def to_plain(contest: Contest) -> dict[str, Any]:
    """The contest as the plain data that its JSON stands for."""
    found: dict[str, Any] = json.loads(to_json(contest))
    return found


def from_json(text: str | bytes) -> Contest:
    """The contest that some JSON stands for. Raises msgspec.ValidationError, DecodeError."""
    return from_plain(msgspec.json.decode(text, type=dict[str, Any]))


def from_plain(plain: Mapping[str, Any]) -> Contest:
    """The contest that some plain data stands for. Raises msgspec.ValidationError."""
    limits = {key: plain[key] for key in Limits.__struct_fields__ if key in plain}
    contest = msgspec.convert({**plain, "limits": limits}, Contest)
    if contest.rules:
        remember(contest.game, contest.rules)
    return contest
