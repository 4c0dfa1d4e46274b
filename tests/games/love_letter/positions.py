"""Positions of Love Letter, and what people type in them."""

import pytest

from joute.cli.playing.drawing import Asked, Marks, Unclear, terminal
from joute.cli.playing.session import make_spec
from joute.core.interface import CHANCE, legal_actions, mover, parse, play, start
from joute.core.registry import make
from joute.games.love_letter.display import TERMINAL
from joute.games.love_letter.state import BARON, CHANCELLOR, GUARD, PRIEST, PRINCE, SPY, hand
from joute.play.chance import Streams
from joute.text import plain

NAMES = ("Ann", "Bob", "Cid", "Dan D.", "Eve", "Flo")


def dealt(*hands, draw, starter=0, **parameters):
    """A round after the deal, the first player's card drawn; two see three Guards face up."""
    game = make("love-letter", players=len(hands), **parameters)
    state = start(game).tolist()
    up = [GUARD] * 3 if len(hands) == 2 else []
    for outcome in (starter, *up, *hands, draw):
        play(game, state, outcome)
    return game, state


def after(position, *texts):
    """The position after these actions and cards drawn."""
    game, state = position
    for text in texts:
        play(game, state, parse(game, state, text))
    return position


def asked(position):
    game, state = position
    player = int(mover(game, state))
    return Asked(game, state, player, legal_actions(game, state), NAMES[: game.players])


def meaning(position, text):
    return TERMINAL.understand(asked(position), text)


def action(position, text):
    return parse(*position, text)


def complaint(position, text):
    with pytest.raises(Unclear) as unclear:
        meaning(position, text)
    return str(unclear.value)


FOUR = dealt(GUARD, PRIEST, BARON, SPY, draw=PRINCE)


def chancellor(*drawn):
    position = dealt(GUARD, PRIEST, draw=CHANCELLOR)
    return after(position, "chancellor", *drawn)


def board(position, columns=78, player=None, over=False):
    game, state = position
    viewer = int(mover(game, state)) if player is None else player
    marks = Marks(names=NAMES[: game.players], over=over)
    wide, narrow = terminal(game).draw(game, state, viewer, marks)
    return [plain(line).rstrip() for line in (wide if columns == 78 else narrow)]


def seeded(held, players=2):
    """The first seed of `joute play` with which player 0 starts and holds these cards, and others
    hold none of them.
    """
    for seed in range(1000):
        spec = make_spec("love-letter", {}, ["human"] * players, 1.0, str(seed))
        game, streams = make("love-letter", players=players), Streams(spec.seed)
        state = start(game).tolist()
        while mover(game, state) == CHANCE:
            play(game, state, streams.outcome(game, state))
        rest = {card for other in range(1, players) for card in hand(state, other)}
        if int(mover(game, state)) == 0 and set(hand(state, 0)) == held and not rest & held:
            return str(seed)
    raise AssertionError(f"no seed deals {held}")
