"""A course of learning: rounds of self-play, fit and test, kept in a folder so that it can go on.

In a round the current weights play games against themselves, new weights are fitted to the games of
all rounds, and take their place if they win a sequential test. Each step leaves a file, and a step
whose file is there is not done again: so a course can stop at any moment and go on.

    course.json           what was asked for
    games-RRR-BBB.npz     the positions of a batch of games of round R
    round-RRR.json        how round R ended
    weights-RRR.npz       the weights after round R, if they are new
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from math import inf
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from joute.files import drafted, put
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.learn.errors import LearningError, Paused
from joute.learn.self_play import joined
from joute.learn.subjects import Subject, subject
from joute.play.chance import derive

COURSE = "course.json"
BATCH = 50  # games: some seconds of work, lost if it is cut short


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for; the same wish gives the same weights."""

    game: str
    seed: str
    rounds: int = 1
    games: int = 2000  # a round
    depth: int = 4  # plies that self-play looks ahead
    scratch: bool = False  # begin with the first weights, not with those that are shipped


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """How a round ended."""

    number: int  # from 1
    positions: int  # that the new weights were fitted to
    loss: float  # mean cross-entropy of games kept aside
    promoted: bool
    pairs: int  # of games in the test
    score: float  # of the new weights in it, 0..1


Progress = Callable[[int, int], None]
"""Told how many games a course has played, of how many."""


def learn(
    wish: Wish,
    out: Path,
    *,
    resume: bool = False,
    workers: int = 1,
    stop: float = inf,
    progress: Progress,
) -> Iterator[Round]:
    """Follow a course; each of its rounds as it ends. After a promotion `out` has the new weights.

    What is kept stands in `folder_of(out)`. Raises LearningError if that cannot be used, and Paused
    where the clock, time.monotonic, passes `stop`; of self-play only batches are cut short.
    """
    taught = subject(wish.game)
    folder = folder_of(out)
    _open(wish, folder, resume)
    weights = taught.first_weights() if wish.scratch else taught.shipped_weights()
    for number in range(1, wish.rounds + 1):
        for done in _play(wish, taught, folder, number, weights, workers):
            progress((number - 1) * wish.games + done, wish.rounds * wish.games)
            if time.monotonic() > stop:
                raise Paused
        one = _read(folder, number)
        if one is None:
            one = _finish(wish, taught, folder, number, weights)
        if one.promoted:
            weights = taught.load(folder / f"weights-{number:03}.npz")
            taught.save(weights, out, command(wish))
        yield one


def folder_of(out: Path) -> Path:
    """The folder of the course whose weights go to `out`."""
    return out.with_name(f"{out.name}.course")


def command(wish: Wish) -> str:
    """The command line of a wish."""
    scratch = " --scratch" if wish.scratch else ""
    return (
        f"joute learn {wish.game} --rounds {wish.rounds} --games {wish.games} "
        f"--depth {wish.depth} --seed {wish.seed}{scratch}"
    )


def seed_of(out: Path) -> str | None:
    """The seed of the course whose weights go to `out`, if there is one."""
    file = folder_of(out) / COURSE
    return _wish(file).seed if file.exists() else None


def _wish(file: Path) -> Wish:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Wish)
    except msgspec.MsgspecError as error:
        raise LearningError(
            Sentence("error.learn.no_course", file=file, reason=foreign(error))
        ) from None


def _open(wish: Wish, folder: Path, resume: bool) -> None:
    """Make the folder, or find in it what was asked for before."""
    file = folder / COURSE
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        put(file, msgspec.json.encode(wish))
        return
    before = _wish(file)
    if not resume:
        raise LearningError(Sentence("error.learn.begun", folder=folder))
    if msgspec.structs.replace(before, rounds=wish.rounds) != wish:
        reason = Sentence("error.learn.another", folder=folder, command=command(before))
        raise LearningError(reason)


def _play(
    wish: Wish, taught: Subject, folder: Path, number: int, weights: np.ndarray, workers: int
) -> Iterator[int]:
    """Play a round's games, but for those that are there; how many are played, again and again."""

    def batch(first: int) -> int:
        file = _batch_file(folder, number, first)
        games = min(BATCH, wish.games - first)
        if not file.exists():
            seed = int(derive(wish.seed, "games", number, first), 16)
            _keep(file, taught.play(weights, seed, games, wish.depth))
        return games

    done = 0
    with ThreadPoolExecutor(workers) as pool:
        try:
            for games in pool.map(batch, range(0, wish.games, BATCH)):
                done += games
                yield done
        finally:
            pool.shutdown(cancel_futures=True)


def _finish(wish: Wish, taught: Subject, folder: Path, number: int, weights: np.ndarray) -> Round:
    """Fit to the games of all rounds, test, and write down how a round ended."""
    positions = joined([_positions(taught, file) for file in sorted(folder.glob("games-*.npz"))])
    fitted = taught.fit(positions, weights, int(derive(wish.seed, "fit", number), 16))
    new = folder / f"weights-{number:03}.npz"
    taught.save(fitted.weights, new, command(wish))
    # As it will be read, rounded.
    verdict = taught.promoted(taught.load(new), weights, int(derive(wish.seed, "test", number), 16))
    one = Round(
        number=number,
        positions=fitted.positions,
        loss=fitted.loss,
        promoted=verdict.better,
        pairs=verdict.pairs,
        score=verdict.score,
    )
    put(folder / f"round-{number:03}.json", msgspec.json.encode(one))
    return one


def _read(folder: Path, number: int) -> Round | None:
    """How a round ended, if it did."""
    file = folder / f"round-{number:03}.json"
    return msgspec.json.decode(file.read_bytes(), type=Round) if file.exists() else None


def _batch_file(folder: Path, number: int, first: int) -> Path:
    return folder / f"games-{number:03}-{first:06}.npz"


def _keep(file: Path, positions: Any) -> None:
    with drafted(file) as draft, draft.open("wb") as out:
        np.savez_compressed(out, **positions._asdict())


def _positions(taught: Subject, file: Path) -> Any:
    with np.load(file, allow_pickle=False) as kept:
        return taught.positions(**{name: kept[name] for name in kept.files})
