"""A ladder played: a bot against one rung after the other, each meeting a contest of two.

The meetings are folders of contests below one folder, so that each can be resumed, verified, served
and replayed like any other:

    ladder.json       the game, and what came of the last climb
    01-NAME/          the meeting of the bot with the first rung, and so on
    places/NAME-NAME/ a short one of two rungs, to find the place of a bot that somebody brings
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from joute.contest.config.config import resolve_data
from joute.contest.config.contest import Contest
from joute.contest.config.default_names import default_name
from joute.contest.errors import ConfigError
from joute.contest.folder import known, stored_games
from joute.contest.rating.climb import Climb, climb
from joute.contest.rating.sprt import ERROR, Errors, Hypotheses, SequentialTest
from joute.contest.run.coordinator import Failure, Progress
from joute.contest.run.match import seats_of
from joute.contest.run.plan import Plan, planned
from joute.contest.run.runner import Until, run_contest
from joute.contest.run.workers import Play
from joute.i18n.words import Sentence
from joute.store.model import StoredGame
from joute.text import free_name, numbered_name, slug

PLACES = "places"
PLACING = 16  # games between a bot that somebody brings and each rung it is compared with
MOVE_SECONDS = 10.0

Told = Callable[[int, str], object]
"""Called with the number of a rung, from 1, and its name, before it is played."""


class Budget(NamedTuple):
    """The most that a climb may spend, what was spent in its folder before included."""

    games: int | None = None  # an even number
    cpu_seconds: float | None = None  # of the bots, as results count them


class Meeting(NamedTuple):
    """The games against a rung."""

    number: int  # of the rung, from 1
    folder: Path
    name: str  # of the rung
    games: tuple[StoredGame, ...]  # that its test counted, in the order of the schedule
    cpu_seconds: float  # that both bots were charged, in games played ahead too


class LadderResult(NamedTuple):
    """A climb, and all that was played for it."""

    climb: Climb
    meetings: tuple[Meeting, ...]
    bot: str  # its name in the meetings
    failures: tuple[Failure, ...]  # games that could not be played, for no fault of a bot
    seed: str

    @property
    def games(self) -> int:
        """The games that the tests counted; one that others are like counts as often as they."""
        return sum(2 * each.test.pairs for each in self.climb.tests)

    @property
    def cpu_seconds(self) -> float:
        """The processor time that all bots were charged there."""
        return sum(each.cpu_seconds for each in self.meetings)


class Ladder:
    """The meetings of one ladder: a game with its parameters, in a folder.

    Raises GameError for the game, ConfigError for a bot, or a game of other than two seats.
    """

    def __init__(
        self,
        game: str,
        parameters: Mapping[str, Any],
        folder: Path,
        seed: str,
        *,
        maps: Sequence[str] = (),
        limits: Mapping[str, Any] | None = None,
        workers: int | None = None,
        play: Play | None = None,
    ) -> None:
        if (seats := seats_of(game, parameters, 2)) != 2:
            raise ConfigError("ladder", "game", Sentence("error.sprt.bots", bots=2, seats=seats))
        self._folder = folder
        self._seed = seed
        self._limits = {"move_seconds": MOVE_SECONDS, **(limits or {})}
        self._workers = workers
        self._play = play
        keys = {"map": maps[0]} if len(maps) == 1 else {"maps": list(maps)} if maps else {}
        self._game = {"name": game, **parameters, **keys}
        self._failures: list[Failure] = []

    def with_brought(self, rungs: Sequence[str], brought: Sequence[str]) -> list[str]:
        """The rungs with those that somebody brings, each at the place that a few games give it.

        A place is found by halving, and only orders the rungs: no verdict rests on it.
        """
        found = list(rungs)
        for bot in brought:
            low, high = 0, len(found)
            while low < high:
                middle = (low + high) // 2
                if self._beats(bot, found[middle]):
                    low = middle + 1
                else:
                    high = middle
            found.insert(low, bot)
        return found

    def climb(
        self,
        bot: str,
        rungs: Sequence[str],
        hypotheses: Hypotheses,
        budget: Budget,
        progress: Progress | None = None,
        told: Told = lambda number, name: None,
    ) -> LadderResult:
        """Has a bot climb the rungs, as people write bots. Raises Interrupted on a signal."""
        self._check(bot)
        own, names = _named(bot, rungs)
        most = hypotheses.usual_most(Errors(h0=ERROR / max(len(rungs), 1)))
        meetings: list[Meeting] = []
        tests: list[SequentialTest] = []

        def play(place: int, test: SequentialTest) -> None:
            told(place + 1, names[place])
            folder = self._folder / numbered_name(place + 1, names[place])
            contest = self._contest(folder, [(bot, own), (rungs[place], names[place])], most)
            counted = sum(2 * each.pairs for each in tests)
            games = most if budget.games is None else min(most, budget.games - counted)
            before = sum(each.cpu_seconds for each in meetings)

            def spent(plan: Plan) -> bool:
                seconds = budget.cpu_seconds
                return seconds is not None and before + plan.cpu_seconds >= seconds

            until = Until(test, games, spent)
            meetings.append(self._meet(contest, place + 1, until, progress))
            tests.append(test)

        found = climb(names, own, hypotheses, play)
        return LadderResult(found, tuple(meetings), own, tuple(self._failures), self._seed)

    def _check(self, bot: str) -> None:
        contest = self._contest(self._folder, [(bot, "bot"), ("builtin:random", "random")], 2)
        if contest.players != 2:
            given = {"bots": 2, "seats": contest.players}
            raise ConfigError("ladder", "game", Sentence("error.sprt.bots", **given))

    def _meet(
        self, contest: Contest, number: int, until: Until | None, progress: Progress | None
    ) -> Meeting:
        """Plays a meeting, or takes it up, and returns the games that count."""
        done = run_contest(contest, progress, play=self._play, trust=True, until=until)
        self._failures += done.failures
        sets = PLACING // 2 if until is None else until.test.pairs
        asked = planned(contest, known(contest)).asked_for()
        _, stored = stored_games(Path(contest.folder))
        games = [each for each in stored.values() if each.identity in asked]
        games.sort(key=lambda each: (each.set_number, each.bots))
        return Meeting(
            number,
            Path(contest.folder),
            contest.bots[1].name,
            tuple(each for each in games if each.set_number < sets),
            sum(sum(each.cpu_ms) for each in games) / 1000,
        )

    def _beats(self, bot: str, other: str) -> bool:
        """Whether a bot took more than half of the points in a short meeting."""
        own, [name] = _named(bot, [other])
        folder = self._folder / PLACES / f"{slug(own)}-{slug(name)}"
        contest = self._contest(folder, [(bot, own), (other, name)], PLACING)
        meeting = self._meet(contest, 0, None, None)
        return 2 * sum(map(score_of(own), meeting.games)) > len(meeting.games)

    def _contest(self, folder: Path, bots: Sequence[tuple[str, str]], games: int) -> Contest:
        settings = {"name": f"ladder-{self._game['name']}", "games": games, "seed": self._seed}
        settings |= {"folder": str(folder.resolve())}
        if self._workers is not None:
            settings["workers"] = self._workers
        tables = {
            "contest": settings,
            "game": self._game,
            "limits": self._limits,
            "bots": [{"bot": bot, "name": name} for bot, name in bots],
        }
        return resolve_data(tables, where="ladder", base=Path.cwd())


def score_of(name: str) -> Callable[[StoredGame], float]:
    """The score of a bot in a game: 1 where it won, 1/2 where it drew."""

    def score(game: StoredGame) -> float:
        seat = game.bots.index(name)
        own, other = game.returns[seat], game.returns[1 - seat]
        return (own > other) + (own == other) / 2

    return score


def _named(bot: str, rungs: Sequence[str]) -> tuple[str, list[str]]:
    """The names of a bot and of rungs in their meetings; no two are alike."""
    found: list[str] = []
    for rung in rungs:
        found.append(free_name(default_name(rung), found.__contains__))
    return free_name(default_name(bot), found.__contains__), found
