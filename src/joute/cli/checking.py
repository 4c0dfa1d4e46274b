"""The checks of `joute check`: its games, its answers in single positions, its times."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import NamedTuple

from joute.cli.steps import quoted
from joute.cli.trial import Reply, Trial, explained
from joute.contest.config.entries import own_presentation
from joute.contest.config.submission import SubmissionRules, breaches
from joute.contest.errors import ConfigError
from joute.host.building.built import built, playable
from joute.host.building.run import BuildError
from joute.host.child.watch import NOTE
from joute.host.names import BotSpec
from joute.host.protocol import Fault, InfrastructureError
from joute.host.sandbox import paths
from joute.i18n.figures import figure, lasts, plain
from joute.i18n.recognised import recognised
from joute.i18n.words import say, say_of
from joute.play.game import GameResult
from joute.play.record import ply_number, read_record
from joute.play.referee import play_game

TWICE_POSITIONS = 6  # asked a second time in a fresh process
FEWEST_ANSWERS = 20  # in games: where they are short, more are played, but no more than MOST_GAMES
MOST_GAMES = 24
LATE = 3  # answers, after which no more games are played, and no more positions tried
MOST_LINES = 30  # of what a build printed
SHOWN = 3  # reasons of a check's failure, and slowest answers; the others are only counted

Report = Callable[[int, int], object]
"""Called with how many games and positions are done, and how many there are."""


class Finding(NamedTuple):
    """The outcome of one check; `detail` holds lines that explain it.

    A check of times has figures besides: what the slowest took, by the clock that counts and by the
    one on the wall, and what is allowed.
    """

    check: str
    ok: bool
    said: str
    detail: list[str]
    took_ms: float | None = None
    wall_ms: float | None = None
    allowed_ms: float | None = None
    remark: bool = False  # Whether the bot is fine although this is not ok
    untold: bool = False  # Whether nothing could be told: the machine was too busy

    @property
    def verdict(self) -> str:
        """Its outcome in a word: "ok", "remark", "unknown" or "failed"."""
        if self.ok:
            return "ok"
        return "remark" if self.remark else "unknown" if self.untold else "failed"

    def timed(self, took_ms: float, wall_ms: float, allowed_seconds: float) -> Finding:
        """The same with figures."""
        took, wall = round(took_ms, 1), round(wall_ms, 1)
        return self._replace(took_ms=took, wall_ms=wall, allowed_ms=1000 * allowed_seconds)


class Checker:
    """Runs the checks of a trial, in order; later ones use what earlier ones saw."""

    def __init__(self, trial: Trial, report: Report, rules: SubmissionRules | None = None) -> None:
        self._trial = trial
        self._rules = rules  # what a contest asks of the files, if it is for one
        self._report = report
        self._done = 0
        self._times: list[tuple[float, str]] = []  # ms of each answer, and where
        self._longest = 0.0  # ms of the slowest answer, by the clock on the wall
        self._late = 0  # answers that came too late, sleeping ones included
        self._replies: list[Reply] = []
        self._reached_out = False  # whether it tried to open the network

    def run(self, skipped: frozenset[str] = frozenset()) -> Iterator[Finding]:
        """The findings, as they come; nothing more once the bot failed to start."""
        if self._rules is not None:
            yield self.submission(self._rules)
        started = self.start()
        yield started
        if started.ok:
            for name, check in CHECKS.items():
                if name not in skipped:
                    yield check(self)
        if self._reached_out:
            yield Finding("isolation", False, say("check.network"), [])

    def submission(self, rules: SubmissionRules) -> Finding:
        """Whether its files are as a contest asks."""
        found = [str(each) for each in breaches(rules, self._trial.bot)]
        try:
            own_presentation(self._trial.bot)
        except ConfigError as error:  # it would keep the whole contest from starting
            reason = f"{error.key} {error.reason}".strip()
            found.append(say("check.presentation", reason=reason))
        said = say("check.submitted_wrong" if found else "check.submitted")
        return Finding("submission", not found, said, found)

    def start(self) -> Finding:
        """Whether it starts."""
        answer = self._trial.start(self._trial.positions[0])
        self._advance()
        self._reached_out |= NOTE in answer.output
        spent = answer.wall_ms, answer.wall_ms, self._trial.start_seconds
        beside = data_beside(self._trial.bot)
        if answer.fault is None:
            said = say("check.started", ms=f"{answer.wall_ms:.0f}")
            return Finding("start", True, said, beside).timed(*spent)
        if answer.fault is Fault.INFRASTRUCTURE:
            return _untold("start", answer.detail)
        reason = [
            *explained(answer.fault.value, answer.detail, answer.output, self._trial.keys),
            *beside,
        ]
        return Finding("start", False, say("check.not_started"), reason).timed(*spent)

    def games(self) -> Finding:
        """Whether it plays whole games without a fault, from every seat."""
        reasons = Reasons()
        faults = asked = games = 0
        pairings = self._trial.pairings
        for number, (seat, opponent) in enumerate(cycle(pairings)):
            further = number >= len(pairings)
            if self._late >= LATE:
                break
            if further and (faults or asked >= FEWEST_ANSWERS or number >= MOST_GAMES):
                break
            try:
                result = self._played(seat, opponent, number)
            except InfrastructureError as error:
                return _untold("games", str(error))
            games += 1
            asked += result.asked[seat]
            for line in read_record(result.record).plies:
                if line.get("player") != seat or line["by"] != "bot":
                    continue
                self._reached_out |= NOTE in line.get("output", "")
                place = say("check.ply", ply=ply_number(line["ply"]), opponent=opponent)
                if line.get("fault") != Fault.START_UP:
                    self._note_time(line[self._trial.clock], place, line.get("fault", ""))
                    self._longest = max(self._longest, line["wall_ms"])
                if "fault" in line:
                    faults += 1
                    reason = explained(
                        line["fault"], line["detail"], line.get("output", ""), self._trial.keys
                    )
                    reasons.add(line["fault"], reason, place)
            if not further:
                self._advance()
        if not faults:
            said = say_of(games, "check.legal", games=games, asked=asked)
            return Finding("games", True, said, [])
        said = say_of(faults, "check.faults", faults=faults, asked=asked)
        return Finding("games", False, said, reasons.listed())

    def _played(self, seat: int, opponent: str, number: int) -> GameResult:
        """A game, begun again with more patience where the machine was too busy to tell."""
        try:
            return play_game(self._trial.game(seat, opponent, number))
        except InfrastructureError:
            return play_game(self._trial.game(seat, opponent, number, last_try=True))

    def positions(self) -> Finding:
        """Whether it answers legally in recorded and random positions."""
        self._replies = self._ask_all()
        reasons = Reasons()
        wrong = [reply for reply in self._replies if reply.fault]
        for reply in wrong:
            if reply.fault == Fault.INFRASTRUCTURE:
                return _untold("positions", reply.trouble[1].strip(" |"))
            reasons.add(reply.fault, reply.trouble, reply.position.label)
        count = len(self._replies)
        if not wrong:
            return Finding("positions", True, say("check.positions_legal", count=count), [])
        said = say("check.positions_wrong", wrong=len(wrong), count=count)
        return Finding("positions", False, said, reasons.listed())

    def time(self) -> Finding:
        """The times of its slowest answers, and their positions."""
        for reply in self._replies:
            self._note_time(reply.ms, reply.position.label, reply.fault)
            self._longest = max(self._longest, reply.wall_ms)
        slowest = sorted(self._times, reverse=True)[:SHOWN]
        if not slowest:
            return Finding("time", True, say("check.no_time"), [])
        worst, limit = slowest[0][0], self._trial.move_seconds
        said = say("check.worst", worst=lasts(worst), limit=plain(limit))
        places = [say("check.time", took=lasts(each), place=place) for each, place in slowest]
        if self._late:
            said = say_of(self._late, "check.late", late=self._late, limit=plain(limit))
        found = Finding("time", not self._late, said, places)
        return found.timed(worst, self._longest, limit)

    def determinism(self) -> Finding:
        """Whether two fresh processes answer the same."""
        first = [reply for reply in self._replies or self._ask_all() if not reply.fault]
        if not first:
            return Finding("determinism", False, say("check.no_answer"), [])
        chosen = first[:: max(len(first) // TWICE_POSITIONS, 1)][:TWICE_POSITIONS]
        again = [self._ask(reply) for reply in chosen]
        differences = [
            say("check.differs", position=one.position.label, one=_shown(one), two=_shown(two))
            for one, two in zip(chosen, again, strict=True)
            if one.action != two.action
        ]
        if differences:
            return Finding("determinism", False, say("check.random"), differences, remark=True)
        return Finding("determinism", True, say("check.same", count=len(chosen)), [])

    def _note_time(self, milliseconds: float, place: str, fault: str) -> None:
        self._times.append((milliseconds, place))
        self._late += fault == Fault.TIMEOUT

    def _ask_all(self) -> list[Reply]:
        """Its answer in each position; a bot that is late again and again is not asked on."""
        replies: list[Reply] = []
        for position in self._trial.positions:
            replies.append(self._trial.ask(position))
            self._advance()
            if sum(reply.fault == Fault.TIMEOUT for reply in replies) >= LATE:
                break
        return replies

    def _ask(self, reply: Reply) -> Reply:
        again = self._trial.ask(reply.position)
        self._advance()
        return again

    def _advance(self) -> None:
        self._done += 1
        positions = len(self._trial.positions)
        twice = min(TWICE_POSITIONS, positions)
        self._report(self._done, 1 + len(self._trial.pairings) + positions + twice)


CHECKS: dict[str, Callable[[Checker], Finding]] = {
    "games": Checker.games,
    "positions": Checker.positions,
    "time": Checker.time,
    "determinism": Checker.determinism,
}
"""The checks that a bot which starts goes through, and that may be left out."""


def built_now(bot: BotSpec) -> Finding | None:
    """The outcome of a bot's build, with what it printed; None for one that is not built."""
    if bot.order is None:
        return None
    folder = ""
    try:
        made = built(bot)
        folder = f"{made.folder}/"  # of the cache, which tells its author nothing
        playable(bot)
    except BuildError as error:
        printed = [say("check.printed"), *_first(error.output)] if error.output else []
        reason = str(error.reason).replace(folder, "")
        return Finding("build", False, say("check.not_built", reason=reason), printed)
    facts = {"command": bot.order.command, "files": ", ".join(made.made[:SHOWN])}
    key = "check.built" if made.made else "check.built.nothing"
    said = say(key, **facts, seconds=figure(made.seconds, 1))
    return Finding("build", True, said, _first(made.output))


def _first(output: str) -> list[str]:
    """The first lines of what a build printed, the others counted."""
    lines = quoted(output)
    more = len(lines) - MOST_LINES
    return [*lines[:MOST_LINES], *([say("check.more_lines", count=more)] if more > 0 else [])]


def _untold(check: str, reason: str) -> Finding:
    """The finding of a check that the machine, too busy, kept from being made."""
    said = say("check.untold", reason=recognised(reason))
    return Finding(check, False, said, [], untold=True)


_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_WORD = re.compile(r"[^\W\d_]{3,}")


class Reasons:
    """The different reasons why a bot failed, each with the place where it was met first."""

    def __init__(self) -> None:
        self._found: dict[object, list[str]] = {}

    def add(self, fault: str, reason: tuple[str, ...], place: str) -> None:
        """Keeps a reason of a kind not yet known.

        Late answers are one kind, however late each was; other reasons are of one kind where they
        differ in no word, but in numbers and in what they quote.
        """
        words = frozenset(_WORD.findall(_QUOTED.sub("", " ".join(reason))))
        kind = fault if fault == Fault.TIMEOUT else (fault, words)
        self._found.setdefault(kind, [say("check.place", place=place), *reason])

    def listed(self) -> list[str]:
        """The first few, as lines."""
        return [line for lines in list(self._found.values())[:SHOWN] for line in lines]


def _shown(reply: Reply) -> str:
    return reply.action or say(f"fault.{reply.fault}")


def data_beside(bot: BotSpec) -> list[str]:
    """A line on the files beside a bot of one file that it names, and cannot read; or none."""
    names = paths.missed(bot.path) if bot.kind == "python" and bot.path else ()
    if not names:
        return []
    return [say("check.data_beside", bot=bot.path.name if bot.path else "", files=", ".join(names))]
