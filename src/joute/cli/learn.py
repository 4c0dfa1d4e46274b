"""`joute learn GAME`: an evaluation learns from games that it plays against itself."""

from __future__ import annotations

import time
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.output import Progress, print_json
from joute.cli.usage import DONE, FAILED, GameArgument, Json, Seed, Stopped, Workers, check_file
from joute.i18n.figures import figure, percent
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.learn.training import TrainingRound


def learn(
    game: GameArgument,
    rounds: Annotated[
        int, typer.Option("--rounds", metavar="N", help="help.learn.rounds", min=1)
    ] = 1,
    games: Annotated[
        int, typer.Option("--games", metavar="N", help="help.learn.games", min=20)
    ] = 2000,
    simulations: Annotated[
        int, typer.Option("--simulations", metavar="N", help="help.learn.simulations", min=1)
    ] = 400,
    scratch: Annotated[bool, typer.Option("--scratch", help="help.learn.scratch")] = False,
    seconds: Annotated[
        float | None, typer.Option("--seconds", metavar="T", help="help.learn.seconds", min=0.0)
    ] = None,
    seed: Seed = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="help.learn.out")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="help.learn.resume")] = False,
    workers: Workers = None,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    import secrets

    from joute.learn.training import Paused, TrainingRequest, folder_of, seed_of
    from joute.learn.training import learn as train

    out = out or Path(f"{game}-learned.npz")
    check_file("--out", out)
    seed = seed or (seed_of(out) if resume else None) or secrets.token_hex(8)
    request = TrainingRequest(
        game=game, seed=seed, rounds=rounds, games=games, simulations=simulations, scratch=scratch
    )
    ended: list[TrainingRound] = []
    try:
        with Progress() as progress:
            for one in train(
                request,
                out,
                resume=resume,
                workers=workers or 1,
                stop=inf if seconds is None else time.monotonic() + seconds,
                progress=progress.update,
            ):
                ended.append(one)
                if not json:
                    verdict = say("learn.promoted" if one.promoted else "learn.kept")
                    print(say("learn.round", verdict=verdict, number=one.number,
                              positions=one.positions, loss=figure(one.loss, 4),
                              score=percent(figure(100 * one.score, 1)),
                              pairs=one.pairs), flush=True)  # fmt: skip
    except (Paused, KeyboardInterrupt):
        raise Stopped(say("learn.stopped", folder=folder_of(out))) from None
    better = any(one.promoted for one in ended)
    if json:
        print_json({"rounds": ended, "seed": seed, "weights": str(out) if better else None})
    elif better:
        print(say("learn.written", file=out, seed=seed))
    else:
        print(say("learn.nothing", seed=seed))
    return DONE if better else FAILED
