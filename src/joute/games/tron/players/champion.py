"""The champion of Tron: it looks at duels in two ways, and fills its space when it is alone.

In the arena it looks at the duel with the nearest of the others by alpha-beta over rounds, in which
the other chooses as if it had seen the bot's choice. And it looks for the best reply to all of
them, if they drive in one of the ways that can be foreseen: one ply ahead or along the walls. How
likely that is, it learns from their choices. It takes the action with the better chances in both.
A bike that no other can meet any more fills the space that is left to it, as a lone bike does.

Options: `seconds` of CPU per action, or `nodes` per action, which is reproducible; `draw`, the
log-odds of two that go out together; `trust`, the odds at first that another drives one ply ahead
and not in a way that nobody foresees (0: it never looks for a reply to those it knows).
"""

import time
from typing import Any

import numpy as np

from joute.bots import Choice, Seating, other_game, outlook, refused
from joute.core import registry
from joute.core.arrays import index
from joute.core.compiled import is_interpreting, kernel
from joute.core.interface import (
    OVER,
    describe,
    legal_actions,
    mover,
    parameters,
    play,
    start,
)
from joute.core.random import generator, uniform
from joute.games.tron.arena import (
    ALIVE,
    CELLS,
    CHOICE,
    COURSE,
    HEAD,
    MOVER,
    NONE,
    OPEN,
    PENDING,
    PLACE,
    ROUND,
    WALL,
    Tron,
)
from joute.games.tron.board import SLOTS
from joute.games.tron.players.evaluation import DECISIVE, WON, territory
from joute.games.tron.players.fill import Course, FillBot, graph_of
from joute.games.tron.players.fill import make as make_fill
from joute.games.tron.players.model import SCALE, Habits, worth_of_draw
from joute.games.tron.solo import Solo
from joute.games.tron.text import MOST_BIKES
from joute.i18n.words import Sentence
from joute.search.alphabeta_search import MAX_DEPTH, AlphaBeta, AlphaBetaResult, Reduction
from joute.search.best_reply import BestReply
from joute.search.evaluation import evaluate
from joute.search.fill import Filler
from joute.search.matrix import solve

CRASH = -30.0  # log-odds, of going out with a rival while others go on
DRAW = 0.0  # log-odds, of going out together with a rival nobody foresees
CLOSE = 6  # cells: what two parted bikes can fill is bounded anew where it is so close
SURE = WON / 2.0  # a value beyond is that of a game that is won
TRUST = 0.1  # odds: a strong rival often does what looks best one ply ahead
DOUBT = 0.3  # a way to drive that is less likely misleads against strong rivals, and costs time
REDUCTION = Reduction(late=1, least=3, root=False)
WIDTH, ROUNDS_AHEAD = 12, 16  # of the search for a best reply
REPLY_SHARE = 0.5  # of its time or nodes; another half of that is to make sure
MEETING_SHARE = 0.4  # of its time or nodes, for what follows each pair of choices
NODES_EACH = 4  # of alpha-beta cost as much as a state of that search
SHARE = 0.1  # of an action's time, by default: nobody waits for a bot that plays against people
MARGIN_SECONDS = 0.02  # kept back for what happens around the search, but
MARGIN_SHARE = 0.3  # of an action's time at most
ROUNDS = 4  # of the filling search, where nodes are counted


class ArenaBot:
    """See the module."""

    def __init__(
        self, seat: Seating, seconds: float | None, nodes: int | None, draw: float, trust: float
    ) -> None:
        self._game = seat.game
        self._player = seat.player
        self._seconds = seconds
        self._nodes = nodes
        self._begun = 0.0  # by this thread's clock
        self._two = seat.game.players == 2
        self._draw = draw
        self._rivals = Rivals(seat.game, seat.player)
        self._duel, state = self._rivals.first()
        self._territory = territory(self._duel, draw if self._two else CRASH, CLOSE)
        self._search = AlphaBeta(self._duel, state, self._territory, reduce=REDUCTION)
        self._habits: Habits | None = None
        self._reply: BestReply | None = None
        if trust > 0.0:
            self._foresee(state, trust, seat.seed)
        self._filler = Filler(graph_of(seat.game), seat.seed)
        self._course = Course(self._filler)
        self._rng = generator(seat.seed)
        if not is_interpreting():  # compiled now, when no clock runs; else it plays no turn
            self._search.search(state, nodes=1)
            self._filler.warm(int(state[HEAD]))
            self._rivals.nearest(start(self._game))

    def _foresee(self, state: np.ndarray, trust: float, seed: int) -> None:
        """Looks for best replies too: in the duel if there are two, else in the whole game."""
        game, player, judge = self._duel, 0, self._territory
        if not self._two:
            game, player, judge = self._game, self._player, territory(self._game)
            state = start(self._game)
        self._habits = Habits(game, player, trust, seed)
        self._reply = BestReply(
            game, state, player, judge, self._habits.policy, WIDTH, not game.turns
        )

    def play(self, state: np.ndarray) -> Choice:
        """A direction."""
        self._begun = time.thread_time()
        rival = self._rivals.nearest(state)
        if rival is None:
            return self._filling(state)
        others = self._rivals.others(state, rival)
        self._territory.standing[:] = others + [0] * (len(self._territory.standing) - len(others))
        found = (
            self._decide(self._habits, self._reply, state, rival)
            if self._habits and self._reply
            else self._look_at_once(self._rivals.duel(state, rival))
        )
        text = describe(self._game, state.tolist(), found.action)
        return Choice(
            found.action,
            f"{text}: {found.value:+.2f} at depth {found.depth}, {found.nodes} nodes",
            outlook(found.value, DECISIVE),
            (found.action,),
        )

    def _look(self, duel: np.ndarray, share: float, depth: int = MAX_DEPTH) -> AlphaBetaResult:
        """Alpha-beta in the duel, with a share of the time or of the nodes."""
        nodes = None if self._nodes is None else int(share * self._nodes)
        return self._search.search(duel, depth, nodes, self._time(share))

    def _time(self, share: float) -> float | None:
        """That share of the seconds of an action, or what is left of them."""
        if self._seconds is None:
            return None
        left = self._begun + self._seconds - time.thread_time()
        return max(min(share * self._seconds, left), 0.0)

    def _look_at_once(self, duel: np.ndarray) -> AlphaBetaResult:
        """Alpha-beta; where both may enter one cell now, by the matrix of both choices."""
        if not self._two or not meets(self._duel, duel):
            return self._look(duel, 1.0)
        found = self._look(duel, 1.0 - MEETING_SHARE)
        actions, values = self._choices(duel, found.depth)
        solution = solve(values)
        drawn = np.searchsorted(solution.rows.cumsum(), uniform(self._rng), side="right")
        chosen = min(int(drawn), len(actions) - 1)
        return found._replace(action=actions[chosen])

    def _choices(self, duel: np.ndarray, depth: int) -> tuple[list[int], np.ndarray]:
        """The bot's actions, and what each is worth, from -1 to 1, after each of the rival's."""
        actions = legal_actions(self._duel, duel.tolist())
        rows: list[list[float]] = []
        for action in actions:
            chosen = duel.copy()
            play(self._duel, chosen, action)
            rows.append([])
            for reply in legal_actions(self._duel, chosen.tolist()):
                after = chosen.copy()
                play(self._duel, after, reply)
                rows[-1].append(outlook(self._worth(after, depth, 9), 2.0 * SCALE))
        return actions, np.array(rows)

    def _worth(self, state: np.ndarray, depth: int, states: int) -> float:
        """The value of a state after a round to the bot, with its share among so many states."""
        if mover(self._duel, state) == OVER:
            return float(evaluate(self._territory, self._duel, state, 0))
        found = self._look(state, MEETING_SHARE / states, max(depth - 1, 1))
        return found.value if mover(self._duel, state) == 0 else -found.value

    def _decide(
        self, habits: Habits, reply: BestReply, state: np.ndarray, rival: int
    ) -> AlphaBetaResult:
        """The result of alpha-beta, or the best reply where others may well drive as foreseen."""
        duel = self._rivals.duel(state, rival)
        opened = duel if self._two else self._rivals.opened(state)
        habits.learn(opened)
        other = 1 if self._two else rival
        trust = habits.of(other)
        if self._two:
            self._territory.draw[0] = self._draw + worth_of_draw(habits.one_ply(1), habits.weak(1))
        foreseen = trust > DOUBT
        found = self._look(duel, 1.0 - REPLY_SHARE) if foreseen else self._look_at_once(duel)
        in_time = self._time(1.0) != 0.0
        if foreseen and in_time and not (self._two and found.value > SURE):
            outlooks = self._replies(habits, reply, opened, other)
            found = self._better(outlooks, duel, found, trust)
        habits.chose(opened, found.action)
        return found

    def _replies(
        self, habits: Habits, reply: BestReply, opened: np.ndarray, rival: int
    ) -> dict[int, float]:
        """The expected value, from -1 to 1, of each action if others keep to their habits.

        The rival's next choice is averaged over its ties; all other ties are drawn.
        """
        ties = habits.ties(opened, rival)
        share = REPLY_SHARE / 2.0 / ties
        outlooks: dict[int, float] = {}
        for tie in range(ties):
            habits.expect(opened, rival, tie)
            for each in reply.search(
                reply.asked(opened),
                ROUNDS_AHEAD,
                None if self._nodes is None else int(share * self._nodes / NODES_EACH),
                self._time(share),
            ):
                expected = outlook(each.value, 2.0 * SCALE) / ties
                outlooks[each.action] = outlooks.get(each.action, 0.0) + expected
        return outlooks

    def _better(
        self, outlooks: dict[int, float], duel: np.ndarray, found: AlphaBetaResult, trust: float
    ) -> AlphaBetaResult:
        """The best reply, if it has better chances than the action found."""
        best = max(outlooks, key=lambda action: (outlooks[action], action == found.action))
        if best == found.action:
            return found
        after = duel.copy()
        play(self._duel, after, best)
        values = {found.action: found.value}
        if mover(self._duel, after) == OVER:  # the rival cannot move
            values[best] = WON
        else:
            share = REPLY_SHARE / 2.0
            values[best] = -self._look(after, share, max(found.depth, 1)).value

        def mixed(action: int) -> float:
            value = outlook(values[action], 2.0 * SCALE)
            return trust * outlooks[action] + (1.0 - trust) * value

        action = max(values, key=mixed)
        return found._replace(action=action, value=values[action])

    def _filling(self, state: np.ndarray) -> Choice:
        seconds = None if self._nodes else self._seconds
        head = int(state[HEAD + self._player])
        found = self._course.next(state[CELLS:] != 0, head, ROUNDS, seconds)
        action = found.directions[0]
        text = describe(self._game, state.tolist(), action)
        message = f"{text}: fills {len(found.cells)} cells of at most {found.most}"
        return Choice(action, message, line=(action,))


def make(
    seat: Seating,
    *,
    seconds: float = 0.0,
    nodes: int = 0,
    draw: float = DRAW,
    trust: float = TRUST,
) -> ArenaBot | FillBot:
    """The bot. Raises BuiltinError for a game that is not Tron or an option out of range."""
    if not isinstance(seat.game, Tron | Solo):
        raise other_game("champion", "tron", seat)
    if seconds < 0 or nodes < 0 or trust < 0:
        raise refused("champion", Sentence("error.builtin.trust"))
    if isinstance(seat.game, Solo):
        return make_fill(seat, seconds=seconds or seat.move_seconds)
    budget = None
    if not nodes:
        limit = seat.move_seconds - min(MARGIN_SECONDS, MARGIN_SHARE * seat.move_seconds)
        budget = min(seconds or SHARE * seat.move_seconds, limit)
    return ArenaBot(seat, budget, nodes or None, draw, trust)


def meets(duel: Tron, state: np.ndarray) -> bool:
    """Whether both bikes of a duel may enter one cell in this round, or the ends of one pair."""
    mine, theirs = (
        {
            int(to)
            for to in duel.neighbour[SLOTS * head : SLOTS * head + duel.directions].tolist()
            if state[CELLS + to] == 0
        }
        for head in state[HEAD : HEAD + 2].tolist()
    )
    mine |= {int(duel.partner[cell]) for cell in mine} - {0}
    return not duel.turns and bool(mine & theirs)


FAR = 1 << 29  # a distance beyond every other, also of two in a row


@kernel
def distances(game: Any, state: np.ndarray, head: int, out: np.ndarray, queue: np.ndarray) -> None:
    """Writes the moves from a head to each free cell, if nobody else moved; FAR to the others."""
    for cell in range(out.size):
        out[cell] = FAR
    queue[0] = head
    out[index(head)] = 0
    done, found = 0, 1
    while done < found:
        cell = int(queue[index(done)])
        done += 1
        for direction in range(game.directions):
            to = int(game.neighbour[index(SLOTS * cell + direction)])
            if to != 0 and state[index(CELLS + to)] == 0 and out[index(to)] == FAR:
                out[index(to)] = out[index(cell)] + 1
                queue[index(found)] = to
                found += 1
    out[index(head)] = FAR


class Rivals:
    """The others of an arena, as one player looks at them."""

    def __init__(self, game: Tron, player: int) -> None:
        self._game = game
        self._player = player
        self._side = int(game.team[player])
        self._mine = np.zeros(game.cells, np.int32)  # the distances of this bike, and
        self._theirs = np.zeros(game.cells, np.int32)  # of another
        self._queue = np.zeros(game.cells, np.int32)

    def first(self) -> tuple[Any, np.ndarray]:
        """The duel's game, in which each sees the earlier choices of a round; and a state."""
        values = {**parameters(self._game), "order": "turns", "players": 2, "teams": []}
        duel = registry.make("tron", **{**values, "rotation": 0})._replace(turns=self._game.turns)
        # Both move at once all the same.
        state = np.zeros(CELLS + self._game.cells, np.int16)
        state[CELLS] = WALL
        heads = self._game.starts[[self._player, (self._player + 1) % self._game.players]]
        return duel, self._state(state, [int(head) for head in heads])

    def nearest(self, state: np.ndarray) -> int | None:
        """The rival with the shortest way to where this bike may go; None if nobody can come."""
        mine, theirs = self._mine, self._theirs
        distances(self._game, state, int(state[HEAD + self._player]), mine, self._queue)
        best, rival = FAR, None
        for bike in range(self._game.players):
            if bike == self._player or state[PLACE + bike] != 0:
                continue
            distances(self._game, state, int(state[HEAD + bike]), theirs, self._queue)
            far = min(int((mine + theirs).min()), FAR)
            if self._game.team[bike] == self._side and far < FAR:
                far += FAR // 2
            if far < best:
                best, rival = far, bike
        return rival

    def duel(self, state: np.ndarray, rival: int) -> np.ndarray:
        """The duel with a rival, this bike to move."""
        known = np.zeros(state.size, np.int16)
        cells = state[CELLS:]
        known[CELLS:][cells != 0] = WALL
        known[ROUND] = state[ROUND]
        return self._state(known, [int(state[HEAD + bike]) for bike in (self._player, rival)])

    def _state(self, state: np.ndarray, heads: list[int]) -> np.ndarray:
        """Puts two bikes into a state that has nothing but cells."""
        state[ALIVE] = 2
        for bike, head in enumerate(heads):
            state[HEAD + bike] = head
            state[CELLS + head] = 1 + bike
        for bike, head in enumerate(heads):
            row = self._game.neighbour[SLOTS * head : SLOTS * head + self._game.directions]
            state[OPEN + bike] = sum(
                1 << direction for direction, to in enumerate(row) if state[CELLS + to] == 0
            )
        state[CHOICE : CHOICE + 2] = state[COURSE : COURSE + 2] = NONE
        return state

    def opened(self, state: np.ndarray) -> np.ndarray:
        """The state as it was before the choices that others have made unseen in this round."""
        known = state.copy()
        if not self._game.turns:
            known[CHOICE : CHOICE + MOST_BIKES] = NONE
            known[PENDING] = 0
            known[MOVER] = np.flatnonzero(state[OPEN : OPEN + self._game.players])[0]
        return known

    def others(self, state: np.ndarray, rival: int) -> list[int]:
        """The heads of the bikes that are neither this one nor the rival."""
        return [
            int(state[HEAD + bike])
            for bike in range(self._game.players)
            if bike not in (self._player, rival) and state[PLACE + bike] == 0
        ]
