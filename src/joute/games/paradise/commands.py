"""`joute paradise --agent1 MODULE --agent2 MODULE`: the original command line of its contest.

As there, agent 1 begins every game, each game has new processes, and the rules are those with the
original's quirks.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from joute.cli.usage import (
    DONE,
    FAILED,
    CheckFault,
    Json,
    MoveSeconds,
    Seed,
    Stopped,
    add_commands,
)
from joute.files import put
from joute.i18n.words import say, say_of

if TYPE_CHECKING:
    from joute.games.paradise.duel import Duel

MODULE = "MODULE"


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    add_commands(app, "help", paradise)


def paradise(
    agent1: Annotated[str, typer.Option("--agent1", metavar=MODULE, help="help.paradise.agent1")],
    agent2: Annotated[str, typer.Option("--agent2", metavar=MODULE, help="help.paradise.agent2")],
    n_games: Annotated[
        int, typer.Option("--n-games", metavar="N", help="help.paradise.n_games", min=1)
    ] = 1,
    debug: Annotated[bool, typer.Option("--debug", help="help.paradise.debug")] = False,
    seed: Seed = None,
    move_seconds: MoveSeconds = 10.0,
    records: Annotated[
        Path | None, typer.Option("--records", metavar="FOLDER", help="help.paradise.records")
    ] = None,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    import secrets

    from joute.games.paradise.duel import agents, play_duel

    seed = seed or secrets.token_hex(4)
    pair = agents((agent1, agent2), move_seconds, debug)
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
    played: list[Duel] = []
    stopped = False
    try:
        for number in range(1, n_games + 1):
            duel = play_duel(pair, number, seed)
            played.append(duel)
            if records is not None:
                path = records / f"{number:0{len(str(n_games))}}.jsonl"
                put(path, duel.result.record)
            _stop_unless_started(pair.names, duel)
            if not json:
                print(_line(pair.names, duel), flush=True)
    except KeyboardInterrupt:
        stopped = True
    if json:
        _print_json(pair.names, played, seed)
    elif played:
        _print_sum(pair.names, played, seed)
    if stopped:
        raise Stopped(say("duel.stopped", done=len(played), total=n_games))
    return FAILED if any(duel.result.faults for duel in played) else DONE


def _stop_unless_started(names: Sequence[str], duel: Duel) -> None:
    """Ends the command with the reason of an agent that does not start: it would lose all games."""
    from joute.cli.trial import explained

    for fault in duel.result.faults:
        if fault.fault == "start-up" and fault.ply == 0:
            lines = explained(fault.fault, fault.detail, "")
            head = say("duel.agent", number=fault.seat + 1, name=names[fault.seat])
            raise CheckFault(f"{head}: " + "\n".join(lines))


def _line(names: Sequence[str], duel: Duel) -> str:
    """The end of a game, in words."""
    if duel.winner is None:
        return say("duel.both_lose", number=duel.number, turn=duel.turns)
    agent = say("duel.agent", number=duel.winner + 1, name=names[duel.winner])
    key = "duel.wins" if duel.result.ending == "finished" else "duel.forfeit"
    return say(key, number=duel.number, agent=agent, turn=duel.turns)


def _print_sum(names: Sequence[str], played: list[Duel], seed: str) -> None:
    """Prints how often who won, and the first fault of each agent."""
    from joute.cli.trial import explained
    from joute.play.record import ply_number

    for seat, name in enumerate(names):
        faults = [(duel.number, each) for duel in played for each in duel.result.faults]
        faults = [(number, each) for number, each in faults if each.seat == seat]
        if faults:
            number, first = faults[0]
            agent = say("duel.agent", number=seat + 1, name=name)
            ply = ply_number(first.ply)
            told = {"agent": agent, "count": len(faults), "number": number, "ply": ply}
            print(say_of(len(faults), "duel.faults", **told))
            print("\n".join(explained(first.fault, first.detail, "")))
    won = [sum(duel.winner == seat for duel in played) for seat in (0, 1)]
    for seat, name in enumerate(names):
        agent = say("duel.agent", number=seat + 1, name=name)
        print(say("duel.won", agent=agent, won=won[seat]))
    nobody = len(played) - sum(won)
    if nobody:
        print(say("duel.nobody", count=nobody))
    print(say_of(len(played), "duel.sum", games=len(played), seed=quote(seed)))


def _print_json(names: Sequence[str], played: list[Duel], seed: str) -> None:
    from joute.cli.output import print_json

    games: list[dict[str, Any]] = [
        {
            "number": duel.number,
            "winner": None if duel.winner is None else duel.winner + 1,
            "turns": duel.turns,
            "ending": duel.result.ending,
            "returns": duel.result.returns,
            "health": duel.result.points,
            "faults": duel.result.faults,
        }
        for duel in played
    ]
    print_json({"agents": names, "seed": seed, "games": games})
