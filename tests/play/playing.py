"""Shared parts of the tests of games as they are played: specifications, records made by hand."""

import msgspec

from joute.core.interface import legal_actions
from joute.play.game import GameSpec, SeatSpec
from joute.play.record import Writer, read_record

SEED = "00112233445566778899aabbccddeeff"


def seats(*bots, base="."):
    """Seats named a, b, c ..."""
    return tuple(
        SeatSpec(name=name, bot=bot, base=str(base))
        for name, bot in zip("abcdef", bots, strict=False)
    )


def virus(*bots, size=4, seed=SEED, base=".", **values):
    """A game of Virus between these bots."""
    bots = seats(*(bots or ("builtin:random", "builtin:random")), base=base)
    return GameSpec(game="virus", parameters={"size": size}, bots=bots, seed=seed, **values)


def actions(result):
    """The actions and outcomes of a game that was played."""
    return [ply["action"] for ply in read_record(result.record).plies if "action" in ply]


def plies(result):
    """The lines between a record's header and its end."""
    return read_record(result.record).plies


def lines_of(content):
    """The lines of a record as plain data, without their chain."""
    lines = [msgspec.json.decode(line) for line in content.splitlines()]
    return [{key: line[key] for key in line if key != "chain"} for line in lines]


def chained(lines):
    """A record of these lines, each chained anew."""
    writer = Writer()
    for line in lines:
        writer.write(line)
    return writer.content()


def first_legal(game, state, player):
    """A person who plays the first cell there is."""
    return legal_actions(game, state)[0]


def poker(*players, seed=SEED, base=".", **values):
    return GameSpec(game="poker", bots=seats(*players, base=base), seed=seed, **values)


def pennies(*players, **values):
    return GameSpec(game="pennies", bots=seats(*players), seed=SEED, **values)


CRASHES = "import module_that_does_not_exist\n\n\ndef play(observation, clock):\n    return 0\n"
"""A file that cannot be imported."""
