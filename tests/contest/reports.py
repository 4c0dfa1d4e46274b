"""Reports of contests whose games are made up, without playing and without a folder."""

from collections.abc import Callable, Sequence
from pathlib import Path

from joute.contest.config.config import resolve
from joute.contest.config.contest import Contest
from joute.contest.report.report import Report, report_of
from joute.contest.run.plan import Plan
from joute.contest.run.tasks import Task
from joute.store.model import WITHDRAWN, Decision, StoredGame

Scores = Callable[[Sequence[str], int], Sequence[float]]
"""From the bots in seat order and the number of their set to the returns, by seat."""


def by_alphabet(seats: Sequence[str], number: int) -> list[float]:
    """Whoever comes first in the alphabet wins, but every third set is drawn."""
    if number % 3 == 2:
        return [0.0] * len(seats)
    return [1.0 if name == min(seats) else -1.0 for name in seats]


def made_up(
    folder: Path,
    text: str,
    scores: Scores = by_alphabet,
    faults: Callable | None = None,
    out: Sequence[str] = (),
) -> Report:
    """The report of the contest that `text` describes, all its games played.

    `faults` gives the faults of a game: dictionaries with seat, ply, fault, detail, cost. The bots
    of `out` are withdrawn before the first game.
    """
    path = folder / "class.toml"
    path.write_text(text, encoding="utf-8")
    contest = resolve(path, {"contest.seed": "fixed"})
    plan, games = all_played(contest, "fixed", scores, faults, out)
    return report_of(contest, plan, games)


def decided_on(
    folder: Path,
    text: str,
    kind: str,
    about: str | int,
    scores: Scores = by_alphabet,
    faults: Callable | None = None,
) -> Report:
    """The report of a contest with a decision after the last game.

    It is `about` the bot of a name, or the game of a number, from 0.
    """
    path = folder / "class.toml"
    path.write_text(text, encoding="utf-8")
    contest = resolve(path, {"contest.seed": "fixed"})
    _, games = all_played(contest, "fixed", scores, faults)
    subject = about if isinstance(about, str) else list(games)[about]
    mark = Decision(kind, subject, "ann", "copied", "2026-01-31T12:00:00")
    return report_of(contest, Plan(contest, "fixed", games, in_force={subject: mark}), games)


def all_played(
    contest: Contest,
    seed: str,
    scores: Scores = by_alphabet,
    faults: Callable | None = None,
    out: Sequence[str] = (),
) -> tuple[Plan, dict[str, StoredGame]]:
    """The plan of a contest whose games have all been made up, and these games by identity."""
    marks = {name: Decision(WITHDRAWN, name, "ann", "gone", "2026-01-31T12:00:00") for name in out}
    plan, games = Plan(contest, seed, {}, in_force=marks), {}
    while plan.due:
        game = _game(plan.due.popleft(), scores, faults)
        games[game.identity] = game
        plan.record(game)
    return plan, games


def _game(task: Task, scores: Scores, faults: Callable | None) -> StoredGame:
    slot = task.slot
    returns = list(scores(slot.seats, slot.number))
    return StoredGame(
        identity=task.identity,
        members=list(slot.members),
        set_number=slot.number,
        map=slot.map,
        bots=list(slot.seats),
        ending="finished",
        returns=returns,
        points=[round(10 * value) for value in returns],
        plies=20,
        faults=list(faults(slot) if faults else ()),
        cpu_ms=[100.0 * (seat + 1) for seat in range(len(returns))],
        asked=[10] * len(returns),
        chain=task.identity,
        record=f"{task.identity}.jsonl",
        played_at="2026-01-31T12:00:00+00:00",
    )
