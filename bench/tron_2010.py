"""Tron's champion against a program of the challenge of 2010, from both sides of random openings.

`python -m bench.tron_2010 ./MyTronBot maps/*.txt --seconds 0.1 --games 90 --seed landing3` plays on
these maps of the challenge and on four of Joute's, two games from each opening. The program runs as
it is, without a jail: it should think for as long as the champion, by the CPU time of its own. The
last lines are the champion's share on each map.
"""

import argparse
import random
import subprocess
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from joute.bots import Seating
from joute.core.interface import OVER, legal_actions, mover, observe, play, returns, start
from joute.core.maps import find_map
from joute.core.registry import make
from joute.games.tron.adapters.google2010 import DIALECT
from joute.games.tron.players import champion

SHIPPED = ("columns", "duel", "cross", "square")
MOST_ROUNDS = 3  # at random, at first
MOVE_SECONDS = 10.0
UP = 1  # where a program goes whose answer is none


def score(program: str, chart: str, opening: random.Random, seat: int, seconds: float) -> float:
    """The champion's share of a game: 1 if it wins, 1/2 if nobody does, else 0."""
    game: Any = make("tron", map=chart, players=2, rotation=seat)
    state = start(game)
    for _ in range(2 * opening.randint(1, MOST_ROUNDS)):
        if mover(game, state) != OVER:
            play(game, state, opening.choice(legal_actions(game, state.tolist())))
    bot = champion.make(Seating(game, 0, seat, MOVE_SECONDS), seconds=seconds)
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen([program], 0, stdin=pipe, stdout=pipe, stderr=nowhere) as process:
        assert process.stdin is not None and process.stdout is not None
        while (player := mover(game, state)) != OVER:
            if player == 0:
                play(game, state, bot.play(state.copy()).action)
                continue
            seen = {"type": "play", "observation": observe(game, state.tolist(), player)}
            process.stdin.write(DIALECT.write(seen))
            action = DIALECT.judge(process.stdout.readline(), playing=True).action
            play(game, state, UP if action is None else action)
        process.kill()
    result = [0.0, 0.0]
    returns(game, state.tolist(), result)
    return (1 + result[0]) / 2


def main() -> None:
    """Plays what the command line asks for; prints the score so far after each two games."""
    parser = argparse.ArgumentParser(prog="python -m bench.tron_2010", description=__doc__)
    parser.add_argument("program")
    parser.add_argument("maps", nargs="*", type=Path)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--games", type=int, default=80)
    parser.add_argument("--seed", default="bench")
    asked = parser.parse_args()
    files = sorted(asked.maps, key=lambda path: path.name)
    charts = [(path.stem, path.read_text()) for path in files]
    charts += [(name, find_map("tron", name)) for name in SHIPPED]
    random.Random(asked.seed).shuffle(charts)
    pairs = []
    by_map: dict[str, list[float]] = {}
    for pair in range(asked.games // 2):
        name, chart = charts[pair % len(charts)]
        openings = [random.Random(f"{asked.seed} {pair}") for _ in range(2)]
        games = [
            score(asked.program, chart, opening, seat, asked.seconds)
            for seat, opening in enumerate(openings)
        ]
        pairs.append(mean(games))
        by_map.setdefault(name, []).extend(games)
        margin = 1.96 * stdev(pairs) / len(pairs) ** 0.5 if len(pairs) > 1 else 0.5
        won = f"{100 * mean(pairs):.1f} % [± {100 * margin:.1f} at 95 %]"
        print(f"{won} of {2 * len(pairs)} games, draws as halves", flush=True)
    for name, shares in sorted(by_map.items()):
        print(f"{100 * mean(shares):5.1f} % of {len(shares)} on {name}")


if __name__ == "__main__":
    main()
