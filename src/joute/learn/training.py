"""Training: rounds of self-play, fit and test, kept in a folder so that it can be resumed.

In a round the current weights play games against themselves, new weights are fitted to the games
of all rounds, or of the last few, and replace them if they win a sequential test. Each step leaves
a file, and a step whose file is there is not done again: so training can stop at any moment and be
resumed.

    course.json           what was asked for
    games-RRR-BBB.npz     the positions of a batch of games of round R
    round-RRR.json        how round R ended
    weights-RRR.npz       the weights after round R, if they are new
"""

import shlex
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import msgspec
import numpy as np

from joute.core.registry import card_of, cards, make
from joute.errors import Error
from joute.files import drafted, put
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.learn.self_play import joined
from joute.play.chance import derive

_REQUEST_FILE = "course.json"
_DAMAGED = (
    ValueError,
    TypeError,
    KeyError,
    EOFError,
    BadZipFile,
    zlib.error,
    msgspec.MsgspecError,
)
"""The errors of readers for a file that is cut short or holds something else."""
BATCH = 50  # games: some seconds of work, lost if it is cut short


class LearningError(Error, ValueError):
    """A game without anything to learn, or a folder that holds something else."""


class Paused(Exception):
    """Training stopped before its end, on request or for its time; it can be resumed."""


class Trainer(NamedTuple):
    """The way in which a game's evaluation learns its weights, float32[any]."""

    game: Any
    name: str
    first_weights: Callable[[], np.ndarray]  # where learning begins
    shipped_weights: Callable[[], np.ndarray]
    load: Callable[[Path], np.ndarray]
    save: Callable[[np.ndarray, Path, str], None]  # with the command that learned them
    positions: Callable[..., Any]  # the NamedTuple of arrays that games give
    play: Callable[[np.ndarray, int, int, int], Any]  # weights, seed, games, simulations
    fit: Callable[[Any, np.ndarray, int], Any]  # to positions, after weights, by a seed
    promoted: Callable[[np.ndarray, np.ndarray, int], Any]  # new, old weights, seed
    recent: int = 0  # weights are fitted to the games of so many rounds, the last ones; 0: of all


class TrainingRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of a training; the same ones give the same weights."""

    game: str
    seed: str
    rounds: int = 1
    games: int = 2000  # a round
    simulations: int = 400  # a ply of self-play, where it is by simulations
    scratch: bool = False  # begin with the first weights, not with those that are shipped


class TrainingRound(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a round."""

    number: int  # from 1
    positions: int  # that the new weights were fitted to
    loss: float  # mean cross-entropy of games kept aside
    promoted: bool
    pairs: int  # of games in the test
    score: float  # of the new weights in it, 0..1


Progress = Callable[[int, int], None]
"""Told how many games have been played, of how many."""


def learn(
    request: TrainingRequest,
    out: Path,
    *,
    resume: bool = False,
    workers: int = 1,
    stop: float = inf,
    progress: Progress,
) -> Iterator[TrainingRound]:
    """Trains, and gives each round as it ends. After a promotion `out` has the new weights.

    The files of the training stand in `folder_of(out)`. Raises LearningError if that cannot be
    used, and Paused where the clock, time.monotonic, passes `stop`: only self-play is interrupted,
    between batches.
    """
    trainer = trainer_of(request.game)
    folder = folder_of(out)
    _open(request, folder, resume)
    weights = trainer.first_weights() if request.scratch else trainer.shipped_weights()
    for number in range(1, request.rounds + 1):
        for done in _play(request, trainer, folder, number, weights, workers):
            progress((number - 1) * request.games + done, request.rounds * request.games)
            if time.monotonic() > stop:
                raise Paused
        one, new = _read(folder, number), folder / f"weights-{number:03}.npz"
        if one is None or not new.exists():
            one = _finish(request, trainer, folder, number, weights)
        if one.promoted:
            with _whole(new):
                weights = trainer.load(new)
            trainer.save(weights, out, command(request))
        yield one


def trainer_of(name: str) -> Trainer:
    """The trainer of a game's evaluation. Raises GameError or LearningError."""
    game = make(name)
    own = card_of(game)
    if not own.learning:
        known = ", ".join(each.name for each in cards() if each.learning)
        raise LearningError(Sentence("error.learn.nothing", game=name, known=known))
    trainer: Trainer = own.load(own.learning)(game)
    return trainer


def folder_of(out: Path) -> Path:
    """The folder of the training whose weights go to `out`."""
    return out.with_name(f"{out.name}.course")


def command(request: TrainingRequest) -> str:
    """The command line that makes a request."""
    options = {
        "--rounds": request.rounds,
        "--games": request.games,
        "--simulations": request.simulations,
        "--seed": request.seed,
    }
    words = [str(word) for option in options.items() for word in option]
    scratch = ["--scratch"] if request.scratch else []
    return shlex.join(["joute", "learn", request.game, *words, *scratch])


def seed_of(out: Path) -> str | None:
    """The seed of the training whose weights go to `out`, if there is one."""
    file = folder_of(out) / _REQUEST_FILE
    return _requested(file).seed if file.exists() else None


def _requested(file: Path) -> TrainingRequest:
    try:
        return msgspec.json.decode(file.read_bytes(), type=TrainingRequest)
    except msgspec.MsgspecError as error:
        raise LearningError(
            Sentence("error.learn.no_course", file=file, reason=foreign(error))
        ) from None


def _open(request: TrainingRequest, folder: Path, resume: bool) -> None:
    """Makes the folder, or finds in it what was asked for before."""
    file = folder / _REQUEST_FILE
    if not file.exists():
        if resume:
            raise LearningError(Sentence("error.learn.not_begun", folder=folder))
        folder.mkdir(parents=True, exist_ok=True)
        put(file, msgspec.json.encode(request), durable=True)
        return
    before = _requested(file)
    if not resume:
        raise LearningError(Sentence("error.learn.begun", folder=folder))
    if msgspec.structs.replace(before, rounds=request.rounds) != request:
        reason = Sentence("error.learn.another", folder=folder, command=command(before))
        raise LearningError(reason)


def _play(
    request: TrainingRequest,
    trainer: Trainer,
    folder: Path,
    number: int,
    weights: np.ndarray,
    workers: int,
) -> Iterator[int]:
    """Plays those games of a round that are not there, and gives how many are, after each batch."""

    def batch(first: int) -> int:
        file = _batch_file(folder, number, first)
        games = min(BATCH, request.games - first)
        if not file.exists():
            seed = int(derive(request.seed, "games", number, first), 16)
            _keep(file, trainer.play(weights, seed, games, request.simulations))
        return games

    done = 0
    with ThreadPoolExecutor(workers) as pool:
        try:
            for games in pool.map(batch, range(0, request.games, BATCH)):
                done += games
                yield done
        finally:
            pool.shutdown(cancel_futures=True)


def _finish(
    request: TrainingRequest, trainer: Trainer, folder: Path, number: int, weights: np.ndarray
) -> TrainingRound:
    """Fits to the games of the rounds that count, tests, and writes how a round ended."""
    first = max(number - trainer.recent, 0) + 1 if trainer.recent else 1
    files = [
        file
        for each in range(first, number + 1)
        for file in sorted(folder.glob(f"games-{each:03}-*.npz"))
    ]
    positions = joined([_positions(trainer, file) for file in files])
    fitted = trainer.fit(positions, weights, int(derive(request.seed, "fit", number), 16))
    new = folder / f"weights-{number:03}.npz"
    trainer.save(fitted.weights, new, command(request))
    # As it will be read, rounded.
    verdict = trainer.promoted(
        trainer.load(new), weights, int(derive(request.seed, "test", number), 16)
    )
    one = TrainingRound(
        number=number,
        positions=fitted.positions,
        loss=fitted.loss,
        promoted=verdict.better,
        pairs=verdict.pairs,
        score=verdict.score,
    )
    put(folder / f"round-{number:03}.json", msgspec.json.encode(one), durable=True)
    return one


def _read(folder: Path, number: int) -> TrainingRound | None:
    """The result of a round, None before its end."""
    file = folder / f"round-{number:03}.json"
    if not file.exists():
        return None
    with _whole(file):
        return msgspec.json.decode(file.read_bytes(), type=TrainingRound)


def _batch_file(folder: Path, number: int, first: int) -> Path:
    return folder / f"games-{number:03}-{first:06}.npz"


def _keep(file: Path, positions: Any) -> None:
    with drafted(file, durable=True) as draft, draft.open("wb") as out:
        np.savez_compressed(out, **positions._asdict())


def _positions(trainer: Trainer, file: Path) -> Any:
    # Opened here, because NumPy does not close what it cannot read.
    with _whole(file), file.open("rb") as stream, np.load(stream, allow_pickle=False) as kept:
        return trainer.positions(**{name: kept[name] for name in kept.files})


@contextmanager
def _whole(file: Path) -> Iterator[None]:
    """Raises LearningError, which names the file, where its content is none of a training."""
    try:
        yield
    except _DAMAGED as error:
        given = {"file": file, "reason": foreign(error)}
        raise LearningError(Sentence("error.learn.damaged", **given)) from None
