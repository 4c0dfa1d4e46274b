"""The champion of Vampires vs Werewolves: expectimax by `war`.

If it is told to `trust`, it recognises plain opponents. A plain player plays as `builtin:nearest`
does: it keeps all units in one group, makes for the nearest humans that it can convert, else for
the nearest enemies that it is sure to kill, else away from the nearest, and starts a battle only
where nothing else is possible. Only ties are open: one to three orders mostly, where an unknown
player has dozens, so that a search which knows the player to be plain looks much further ahead. The
probability that the opponent is plain is learned from its turns: each turn that was foreseen makes
it likelier, one that was not all but rules it out. Beyond `BELIEF` the search takes it to be so;
else it takes the opponent to play as well as it can. Many programs play as a plain player does
until a battle pays, and win by that one against who trusts them: so nobody is trusted by default.

It holds its opponent in *contempt*, as programs of chess call it: as long as a game goes on, it
takes itself to win more often than the evaluation says, whose two sides play alike. So a battle of
even chances, or worse, is worth it only where waiting is worse still, and an opponent has time for
mistakes. What it says of a state is without that, and so is what it explains.

Options: `seconds` of CPU per turn, or `nodes` per turn, which is reproducible; `trust`, the odds at
first that the opponent is plain (default 0: never); `contempt`, in log-odds of winning
(default 1.5; 0: none).
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from joute.bots import Choice, Seating, budget, other_game, refused
from joute.bots.expectimax import THIN, ExpectimaxBot
from joute.bots.explain import Option, option_of
from joute.core.arrays import index
from joute.core.interface import CHANCE, implements, inline, mover, play, start
from joute.games.vampires.players.evaluation import DECISIVE, distance, list_groups
from joute.games.vampires.players.orders import MOST_TURNS, Orders, list_goals, orders
from joute.games.vampires.players.war import War, war
from joute.games.vampires.state import (
    BORDER,
    DONE,
    HUMANS,
    KIND,
    MOVER,
    TURNS,
    VAMPIRES,
    Vampires,
    first_cell,
    step,
)
from joute.i18n.words import Sentence
from joute.search.branching import turns
from joute.search.expectimax_search import MAX_DEPTH, Expectimax, ExpectimaxResult

TRUST = 0.0  # odds
CONTEMPT = 1.5  # log-odds
TABLE = 18  # log2 of the states remembered by each search
BELIEF = 0.7  # a probability: one turn that was foreseen is enough to begin with

NOBODY = -1
FAR = 1 << 40
CONVERTIBLE, BEATABLE, ENEMIES, NOTHING = range(4)  # what a goal is to a group, the first sort best
WIDTHS = (64, 24, 12)  # orders looked at in one's own first, second and every later turn

FORESEEN, OTHERWISE = 3.0, 0.001  # how much likelier a turn is of a plain player than of another


class Foreseen(NamedTuple):
    """A generator of orders for a search in which a player is taken to be plain, with its arrays.

    The further ahead, the fewer orders of the others are listed; so a search that begins elsewhere
    must have forgotten what it found.
    """

    most_turns: int
    most_actions: int
    plain: np.ndarray  # int64[1], the player taken to be plain while it has one group; or NOBODY
    begin: np.ndarray  # int64[1], turns done where the search begins
    first: Orders  # of one's first turn
    second: Orders
    later: Orders
    open: np.ndarray  # int64[8], 1 where a plain group may go: no battle, unless all around are
    taken: np.ndarray  # int64[8], 1 where it goes for one of its aims


def foreseen(game: Vampires, plain: int = NOBODY) -> Foreseen:
    """The generator for this game; without a plain player all orders are as `orders` lists them."""
    first, second, later = (
        orders(game, MOST_TURNS if plain == NOBODY else width) for width in WIDTHS
    )
    player, begin = np.array([plain], np.int64), np.zeros(1, np.int64)
    room = np.zeros((2, 8), np.int64)
    return Foreseen(
        first.most_turns, first.most_actions, player, begin, first, second, later, *room
    )


class Trust:
    """The probability that the opponent plays as foreseen, by its turns: odds by Bayes' rule."""

    def __init__(self, game: Vampires, player: int, odds: float) -> None:
        self._game = game
        self._odds = odds
        self._generator = foreseen(game, 1 - player)
        self._before = start(game)  # the opponent's turn, if it begins

    def probability(self) -> float:
        """The probability that the opponent plays as foreseen."""
        return self._odds / (1.0 + self._odds)

    def expect(self, state: np.ndarray, order: Iterable[int]) -> None:
        """Remembers the state in which the opponent is to play: after this order."""
        self._before = state.copy()
        for action in order:
            play(self._game, self._before, action)

    def learn(self, state: np.ndarray) -> None:
        """Compares the opponent's turn with those that were foreseen."""
        before = self._before
        if before[TURNS] + 1 == state[TURNS] and mover(self._game, before) != CHANCE:
            self._odds *= FORESEEN if self._may_lead(before, state) else OTHERWISE

    def _may_lead(self, before: np.ndarray, state: np.ndarray) -> bool:
        """Whether a plain player may have made this state of the one before, as far as is known."""
        generator = self._generator
        if not _is_plain(generator, self._game, before):
            return False
        out, ends = [0] * 16, [0] * 8
        count = _plain(generator, self._game, before, out, ends)
        for end in ends[:count]:
            after = before.copy()
            for action in out[end - 2 : end]:
                play(self._game, after, action)
            # A battle may have come to anything.
            if mover(self._game, after) == CHANCE or np.array_equal(after, state):
                return True
        return False


@implements(Foreseen, "turns")
def _turns(generator, game, state, out, ends):
    if _is_plain(generator, game, state):
        return _plain(generator, game, state, out, ends)
    ahead = int(state[TURNS]) - generator.begin[0]
    if ahead < 2:
        chosen = generator.first
    elif ahead < 4:
        chosen = generator.second
    else:
        chosen = generator.later
    return turns(chosen, game, state, out, ends)


@inline
def _is_plain(generator, game, state):
    """Whether the mover is the plain player and has one group, which is entered as the first."""
    player = int(state[MOVER])
    if player != generator.plain[0]:
        return False
    return list_groups(game, state, player, generator.first.cells, generator.first.units) == 1


@inline
def _plain(generator, game, state, out, ends):
    """Writes the orders of the plain player's group; returns how many. Each is a move, and DONE."""
    tables = generator.first
    cell, units = tables.cells[0], tables.units[0]
    people, goals = list_goals(tables, game, state, 1 - int(state[MOVER]))
    aimed, nearest = _aims(tables, people, goals)
    _open(generator, game, state)
    generator.taken[:] = 0
    for goal in range(goals):
        to = tables.goals[index(goal)]
        if _sort(tables, people, goal) == aimed and distance(tables, cell, to) == nearest:
            _approach(generator, game, to, -1 if aimed == ENEMIES else 1)
    count = 0
    for direction in range(8):
        if generator.taken[direction] == 1:
            out[index(2 * count)] = int((cell * 8 + direction) * KIND + units)
            out[index(2 * count + 1)] = DONE
            ends[index(count)] = 2 * count + 2
            count += 1
    return count


@inline
def _sort(tables, people, goal):
    """The kind of a goal: CONVERTIBLE, BEATABLE, ENEMIES or NOTHING."""
    units, there = tables.units[0], tables.there[index(goal)]
    if goal < people:
        return CONVERTIBLE if there <= units else NOTHING
    return BEATABLE if 3 * there <= 2 * units else ENEMIES


@inline
def _aims(tables, people, goals):
    """The kind of goals that the group makes for, or flees from, and the nearest one's distance."""
    aimed, nearest = NOTHING, FAR
    for goal in range(goals):
        sort = _sort(tables, people, goal)
        far = distance(tables, tables.cells[0], tables.goals[index(goal)])
        if sort < aimed or (sort == aimed and far < nearest):
            aimed, nearest = sort, far
    return aimed, nearest


@inline
def _open(generator, game, state):
    """Says where the group may go: where it is sure to win, or anywhere if that is nowhere."""
    cell, units = generator.first.cells[0], generator.first.units[0]
    enemy = VAMPIRES + 1 - int(state[MOVER])
    some = False
    for direction in range(8):
        held = int(state[index(first_cell(game) + cell + step(game, direction))])
        kind, there = held // KIND, held % KIND
        strong = (kind == HUMANS and there > units) or (kind == enemy and 3 * there > 2 * units)
        generator.open[direction] = int(kind != BORDER and not strong)
        some = some or generator.open[direction] == 1
    for direction in range(0 if some else 8):
        held = int(state[index(first_cell(game) + cell + step(game, direction))])
        generator.open[direction] = int(held // KIND != BORDER)


@inline
def _approach(generator, game, aim, sign):
    """Marks the steps that bring the group nearest to an aim; with a sign of -1, furthest."""
    tables = generator.first
    best = FAR
    for direction in range(8):
        if generator.open[direction] == 1:
            far = distance(tables, tables.cells[0] + step(game, direction), aim)
            best = min(best, sign * far)
    for direction in range(8):
        far = distance(tables, tables.cells[0] + step(game, direction), aim)
        if generator.open[direction] == 1 and sign * far == best:
            generator.taken[direction] = 1


class ChampionBot:
    """See the module."""

    def __init__(
        self, seat: Seating, seconds: float | None, nodes: int, trust: float, contempt: float
    ) -> None:
        game, rival = seat.game, 1 - seat.player
        self._generator = foreseen(game, rival)
        self._evaluation = war(game)
        self._contempt = contempt
        self._player = seat.player
        self._evaluation.contempt[self._player] = contempt
        self._search = _search(game, self._generator, self._evaluation)
        self._usual, self._reply = (
            ExpectimaxBot(seat, search, seconds, nodes, MAX_DEPTH, DECISIVE, self._even)
            for search in (_search(game, foreseen(game), self._evaluation), self._search)
        )
        self._trust = Trust(game, seat.player, trust)

    def play(self, state: np.ndarray) -> Choice:
        """A whole order."""
        self._trust.learn(state)
        trusted = self._trust.probability() > BELIEF
        choice = self._reply_to(state) if trusted else self._usual.play(state)
        self._trust.expect(state, choice.line)
        return choice

    def explain(self, state: np.ndarray) -> list[Option]:
        """The order that it holds best against an opponent as good as itself."""
        self._hold(0.0)
        choice = self._usual.play(state)
        self._hold(self._contempt)
        return [option_of(choice)]

    def _hold(self, contempt: float) -> None:
        """Holds the opponent in so much contempt from now on."""
        self._evaluation.contempt[self._player] = contempt
        self._usual.search.forget()

    def _even(self, found: ExpectimaxResult) -> float:
        """The value of what was found, without contempt: roughly, where battles are ahead."""
        contempt = self._evaluation.contempt[self._player]
        if found.whole or abs(found.value) >= 1:
            return found.value
        return math.tanh(math.atanh(found.value) - contempt / 2)

    def _reply_to(self, state: np.ndarray) -> Choice:
        """The best order if the opponent plays as foreseen."""
        self._generator.begin[0] = state[TURNS]
        self._search.forget()
        return self._reply.play(state)


def _search(game: Vampires, generator: Foreseen, evaluation: War) -> Expectimax:
    search = Expectimax(game, start(game), generator, evaluation, THIN, TABLE)
    search.search(start(game), nodes=1)  # compiled now, when no clock runs
    return search


def make(
    seat: Seating,
    *,
    seconds: float = 0.0,
    nodes: int = 0,
    trust: float = TRUST,
    contempt: float = CONTEMPT,
) -> ChampionBot:
    """The bot. Raises BuiltinError for another game, or an option out of range."""
    if not isinstance(seat.game, Vampires):
        raise other_game("champion", "vampires", seat)
    if seconds < 0 or nodes < 0 or trust < 0:
        raise refused("champion", Sentence("error.builtin.trust"))
    return ChampionBot(seat, None if nodes else budget(seat, seconds), nodes, trust, contempt)
