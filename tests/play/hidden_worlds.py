"""Other courses of a game that one player cannot tell from the one it is in.

Facts hidden from it are changed in an existing course, a ply or two at a time: other cards are
drawn, and the others choose other actions, as long as it is told the same of each ply and the
returns are the same. Many such changes, one after the other, lead far away. And what it takes for
the referee to play a given course.
"""

from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    legal_actions,
    mover,
    play,
    properties,
    returns,
    start,
    tell,
)
from joute.host.protocol import JsonLines
from joute.play.chance import Streams
from joute.play.seats import answer


def told(game, plies, player):
    """The events that a player is told of each ply, and the returns."""
    state, heard = start(game).tolist(), []
    for action in plies:
        heard.append(tell(game, state, player, action))
        play(game, state, action)
    values = [0.0] * properties(game).players
    returns(game, state, values)
    return heard, values


def elsewhere(game, plies, player, rng, tries):
    """Another course of the game, after so many tries to change something unseen by the player."""
    heard, values = told(game, plies, player)
    for _ in range(tries):
        plies = _changed(game, plies, player, rng, heard, values) or plies
    return plies


def open_to(game, state):
    """The possible next plies: legal actions, or outcomes of chance."""
    if mover(game, state) == CHANCE:
        out = [0] * properties(game).max_outcomes
        return out[: chances(game, state, out, [0.0] * len(out))]
    return legal_actions(game, state)


def _changed(game, plies, player, rng, heard, values):
    """The course with one ply changed, or two exchanged; None if the player would notice."""
    wanted = list(plies)
    first, second = rng.randrange(len(plies)), rng.randrange(len(plies))
    wanted[first], wanted[second] = wanted[second], wanted[first]
    state, found = start(game).tolist(), []
    for number, action in enumerate(wanted):
        if mover(game, state) == OVER:
            return None
        options = open_to(game, state)
        if number == first == second:
            rng.shuffle(options)
        else:
            options.sort(key=lambda each, action=action: each != action)
        if mover(game, state) == player:
            options = [each for each in options if each == plies[number]]
        alike = (each for each in options if tell(game, state, player, each) == heard[number])
        kept = next(alike, None)
        if kept is None:
            return None
        found.append(kept)
        play(game, state, kept)
    if mover(game, state) != OVER or told(game, found, player) != (heard, values):
        return None
    return found


def random_course(game, rng, always=None):
    """The plies of a random game; a player of whom `always` has an action plays nothing else."""
    state, plies = start(game).tolist(), []
    while mover(game, state) != OVER:
        options = open_to(game, state)
        if mover(game, state) in (always or {}):
            options = [always[mover(game, state)]]
        plies.append(rng.choice(options))
        play(game, state, plies[-1])
    return plies


def by_mover(game, plies):
    """The plies of chance, and those of each player."""
    state, found = start(game).tolist(), {CHANCE: []}
    for action in plies:
        found.setdefault(int(mover(game, state)), []).append(action)
        play(game, state, action)
    return found


class Scripted:
    """A seat that answers from a list, and keeps what it is sent, as the bytes of the protocol."""

    isolation = "inline"
    observes = True

    def __init__(self, actions):
        self._actions = iter(actions)
        self.sent = []

    def start(self, message):
        self.sent.append(JsonLines().write(message))
        return answer()

    def ask(self, state, message):
        self.sent.append(JsonLines().write(message))
        return answer(next(self._actions))

    def end(self, message):
        self.sent.append(JsonLines().write(message))

    def close(self):
        pass


class Outcomes(Streams):
    """Chance from a list."""

    def __init__(self, outcomes):
        super().__init__("0" * 32)
        self._outcomes = iter(outcomes)

    def outcome(self, game, state):
        return next(self._outcomes)
