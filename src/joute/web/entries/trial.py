"""A test game of a bot that was handed in, in a process of its own: its record is printed.

python -m joute.web.entries.trial CONTEST-FILE BOT NAME HOUSE-BOT SEAT SEED
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from joute.contest.config.config import rules
from joute.contest.run.tasks import game_terms
from joute.core.interface import properties
from joute.core.registry import make
from joute.play.game import GameSpec, SeatSpec
from joute.play.referee import play_game


def trial(contest: Path, bot: str, name: str, house: str, seat: int, seed: str) -> GameSpec:
    """The game under the contest's rules, the bot at a seat and the house's at all others."""
    terms = game_terms(rules(contest))
    players = properties(make(terms.game, **terms.parameters)).players
    own = SeatSpec(name=name, bot=bot)
    others = SeatSpec(name=house, bot=f"builtin:{house}")
    seats = tuple(own if each == seat % players else others for each in range(players))
    return msgspec.structs.replace(terms, bots=seats, seed=seed)


def main(words: list[str]) -> None:
    """Plays it."""
    contest, bot, name, house, seat, seed = words
    result = play_game(trial(Path(contest), bot, name, house, int(seat), seed))
    sys.stdout.buffer.write(result.record)


if __name__ == "__main__":
    main(sys.argv[1:])
