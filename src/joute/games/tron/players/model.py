"""A model of the other bikes in Tron: the ways to drive, and how likely each bike follows each way.

Some drive as the weaker bots here do, one ply ahead for territory or along the walls, and can be
foreseen. All others are taken to prefer directions that look well one ply ahead (a softmax, as in
Luce, "Individual Choice Behavior", 1959), or to follow the walls, as good players do wherever that
saves space. One that goes anywhere is among them: it is not to be told from one that looks further
than one ply, and loses anyway.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.compiled import is_interpreting, kernel
from joute.core.interface import OVER, implements, inline, mover, play, start
from joute.core.random import generator, uniform
from joute.games.tron.arena import ALIVE, CELLS, HEAD, NONE, PLACE, ROUND
from joute.games.tron.board import SLOTS
from joute.games.tron.players.evaluation import Territory, territory
from joute.games.tron.players.territory import weigh_step

ONE_PLY, WALL, OTHER = range(3)  # the ways to drive
WAYS = 3
LIKELY = {ONE_PLY: 1.0, WALL: 0.1, OTHER: 1.0}  # at first, one beside the other
RELIED_ON = np.array([1.0, 0.5, 0.0])  # by the way: chance has a say in the second
SURE = 0.9999  # that a rival that drives one ply ahead, or along the walls, takes its best action
SURE_OF_MORE = 0.98  # the same among more than two bikes, where what it looks at is not all known
SENSIBLE = 0.6  # that a bike that cannot be foreseen chooses by the softmax,
ALONG = 0.3  # that it follows the walls; else it goes anywhere
HEAT = 4.0  # of the softmax, in the evaluation's log-odds
YIELDING = -4.0  # log-odds, of a draw with who drives one ply ahead: it might have been beaten
CONTEMPT = -8.0  # the same with one that is weak; a cell less, once parted, is beyond
SCALE = 6.0  # the evaluation's log-odds for each that results bear out
LEAST = 1e-9  # probability: no way to drive is ever excluded, and
LEAST_OF_MORE = 0.0002  # among more than two bikes one comes back sooner
DRAWS = 64


class Drivers(NamedTuple):
    """The policy, for `drivers`' game."""

    way: np.ndarray  # int8[players], how each is taken to drive: ONE_PLY or WALL
    sure: float  # that a bike that can be foreseen takes its best action
    draws: np.ndarray  # float64[DRAWS], of chance, by round and player
    board: Territory
    after: np.ndarray  # room for a state
    worths: np.ndarray  # float64[directions], of one player's
    found: np.ndarray  # int32[cells], the cells reached
    taken: np.ndarray  # bool[cells]
    chances: np.ndarray  # float64[WAYS], how likely an action is to who drives so


def drivers(game: Any) -> Drivers:
    """The policy for a game of Tron, with arrays of its own: one per thread."""
    return Drivers(
        way=np.zeros(game.players, np.int8),
        sure=SURE if game.players == 2 else SURE_OF_MORE,
        draws=np.zeros(DRAWS),
        board=territory(game),
        after=start(game),
        worths=np.zeros(game.directions),
        found=np.zeros(game.cells, np.int32),
        taken=np.zeros(game.cells, np.bool_),
        chances=np.zeros(WAYS),
    )


@implements(Drivers, "reply")
def _reply(policy, game, state, player):
    """The best direction; of ties, one that is drawn."""
    ties, highest = _best(policy, game, state, player)
    skip = int(policy.draws[index(_place(game, state, player))] * ties)
    for action in range(game.directions):
        if ties > 0 and policy.worths[action] == highest:
            if skip == 0:
                return action
            skip -= 1
    return NONE


@kernel
def count_ties(policy, game, state, player):
    """Returns among how many directions chance decides for a player; 0 if all are closed."""
    return _best(policy, game, state, player)[0]


@inline
def _best(policy, game, state, player):
    """Weighs a player's directions; returns how many are the best, and the worth of these."""
    _weigh(policy, game, state, player, policy.way[index(player)])
    ties, highest = 0, -float("inf")
    for action in range(game.directions):
        if policy.worths[action] > highest:
            highest, ties = policy.worths[action], 0
        ties += int(policy.worths[action] == highest and highest > -float("inf"))
    return ties, highest


@inline
def _place(game, state, player):
    """The place in `draws` of the choice that chance makes for a player in a round."""
    return (int(state[ROUND]) * game.players + player) % DRAWS


@kernel
def compare(policy, game, state, player, action):
    """Writes to `policy.chances` the probability of a player's action, by the way to drive."""
    for way in range(WAYS):
        _weigh(policy, game, state, player, way if way != OTHER else ONE_PLY)
        highest = -float("inf")
        for each in range(game.directions):
            highest = max(highest, policy.worths[each])
        free = ties = 0
        total = 0.0
        for each in range(game.directions):
            worth = policy.worths[each]
            free += int(worth > -float("inf"))
            ties += int(worth == highest)
            total += math.exp((worth - highest) / HEAT)
        worth = policy.worths[index(action)]
        if way == OTHER:
            chosen = SENSIBLE * math.exp((worth - highest) / HEAT) / total
            chosen += ALONG * policy.chances[WALL]
            policy.chances[way] = chosen + (1.0 - SENSIBLE - ALONG) / free
        elif ties == free:
            policy.chances[way] = 1.0 / free
        elif worth == highest:
            policy.chances[way] = policy.sure / ties
        else:
            policy.chances[way] = (1.0 - policy.sure) / (free - ties)


@inline
def _weigh(policy, game, state, player, way):
    """Writes the worth of each direction to a bike that drives in a way; -inf where closed."""
    row = SLOTS * int(state[index(HEAD + player)])
    for action in range(game.directions):
        goal = int(game.neighbour[index(row + action)])
        worth = -float("inf")
        if state[index(CELLS + goal)] == 0:
            if way == ONE_PLY:
                replies = game.players == 2  # those of more would cost too much
                worth = weigh_step(game, policy.board, state, policy.after, player, action, replies)
            else:
                worth = _along(policy, game, state, goal)
        policy.worths[action] = worth


@inline
def _along(policy, game, state, goal):
    """The worth of a cell to a bike along the walls: the cells behind it, then its walls."""
    taken, found = policy.taken, policy.found
    for cell in range(game.cells):
        taken[cell] = state[index(CELLS + cell)] != 0
    taken[index(goal)] = True
    if game.partner[index(goal)] != 0:
        taken[index(int(game.partner[index(goal)]))] = True
    walls = 0
    for direction in range(game.directions):
        walls += int(taken[index(int(game.neighbour[index(SLOTS * goal + direction)]))])
    found[0] = goal
    done, count = 0, 1
    while done < count:
        cell = int(found[index(done)])
        done += 1
        for direction in range(game.directions):
            to = int(game.neighbour[index(SLOTS * cell + direction)])
            if not taken[index(to)]:
                taken[index(to)] = True
                found[index(count)] = to
                count += 1
    return float(SLOTS * count + walls)


def worth_of_draw(one_ply: float, weak: float) -> float:
    """The log-odds of going out together, by the chances of how the rival drives.

    A bike that goes on beats a weak rival, and fares with others as its search says. A draw is
    worth as much as what the search must say for both together to come to nothing.
    """
    forgone = CONTEMPT
    if weak < 0.5:
        forgone = max(-2.0 * SCALE * math.atanh(weak / (1.0 - weak)), CONTEMPT)
    return one_ply * YIELDING + forgone


class Habits:
    """The probabilities of each bike's ways to drive, by Bayes' rule; of one game."""

    def __init__(self, game: Any, player: int, odds: float, seed: int) -> None:
        """`odds` at first, that another drives one ply ahead and not in a way nobody foresees."""
        self._game, self._player = game, player
        self.policy = drivers(game)
        likely = np.array([LIKELY[way] for way in range(WAYS)])
        likely[OTHER] /= odds
        self._chances = np.tile(likely / likely.sum(), (game.players, 1))
        self._rng = generator(seed)
        self._known: tuple[np.ndarray, int] | None = None
        if not is_interpreting():  # compiled now, when no clock runs
            compare(self.policy, game, start(game), player, 0)
            count_ties(self.policy, game, start(game), player)

    def chose(self, state: np.ndarray, action: int) -> None:
        """Notes this player's action in a state in which no other choice of the round is in."""
        self._known = (state.copy(), action)

    def learn(self, state: np.ndarray) -> None:
        """Learns from the others' actions since then, by the next such state."""
        if self._known is None:
            return
        before, action = self._known
        self._known = None
        if state[ROUND] != before[ROUND] + 1:
            return
        moved = False
        for _ in range(int(before[ALIVE])):
            who = mover(self._game, before)
            if who == OVER or (who == self._player and moved):
                return
            moved |= who == self._player
            taken = action if who == self._player else self._direction(before, state, who)
            if taken == NONE:
                return
            if who != self._player:
                self._learn(before, who, taken)
            play(self._game, before, taken)

    def _learn(self, state: np.ndarray, bike: int, action: int) -> None:
        compare(self.policy, self._game, state, bike, action)
        chances = self._chances[bike] * self.policy.chances
        least = LEAST if self._game.players == 2 else LEAST_OF_MORE
        chances = np.maximum(chances / chances.sum(), least)
        self._chances[bike] = chances / chances.sum()

    def _direction(self, before: np.ndarray, after: np.ndarray, bike: int) -> int:
        """The direction that a bike has taken; NONE if it is out."""
        if after[PLACE + bike] != 0:
            return NONE
        row = SLOTS * int(before[HEAD + bike])
        near = self._game.neighbour[row : row + self._game.directions]
        found = np.flatnonzero(near == after[HEAD + bike])
        return int(found[0]) if len(found) else NONE

    def of(self, bike: int) -> float:
        """The confidence that a bike drives as it is taken to, from 0 to 1."""
        return float((RELIED_ON * self._chances[bike]).max())

    def one_ply(self, bike: int) -> float:
        """The probability that a bike drives one ply ahead."""
        return float(self._chances[bike, ONE_PLY])

    def weak(self, bike: int) -> float:
        """The probability that a bike drives along the walls, which hardly ever wins."""
        return float(self._chances[bike, WALL])

    def ties(self, state: np.ndarray, bike: int) -> int:
        """Among how many directions chance decides for a bike, if it drives as it is taken to."""
        self._settle()
        return max(int(count_ties(self.policy, self._game, state, bike)), 1)

    def expect(self, state: np.ndarray, bike: int, tie: int) -> None:
        """Lets the policy drive for each bike as it is taken to drive, and draws the ties.

        In this round `bike` takes the direction number `tie` of those that are equally good.
        """
        self._settle()
        for place in range(DRAWS):
            self.policy.draws[place] = uniform(self._rng)
        ties = self.ties(state, bike)
        self.policy.draws[_place(self._game, state, bike)] = (tie + 0.5) / ties

    def _settle(self) -> None:
        self.policy.way[:] = (RELIED_ON * self._chances).argmax(axis=1)
