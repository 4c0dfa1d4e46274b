"""Best reply: the value of each action if all others play by a known policy.

The state then tells their actions, so that the player's own choices alone are left, and a beam
looks far ahead: of the states to which one more turn of the player leads, those of the highest
evaluation are kept, for each action of the root on their own (beam search: Lowerre, "The Harpy
speech recognition system", 1976). An action's value is that of the best state found after it: the
player can have it against others who play so. Against others it bounds nothing.
"""

import time
from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import copy, index
from joute.core.compiled import is_interpreting, kernel
from joute.core.interface import legal, mover, operation, pending, play, properties
from joute.search.batches import MARGIN_SECONDS
from joute.search.evaluation import evaluate
from joute.search.refusals import check_chance

INFINITY = float("inf")


@operation
def reply(policy, game, state, player):
    """The action that a policy plays for a player who is to choose in this round or turn.

    A policy is a NamedTuple that implements this, as a game implements its operations. Where
    players choose at once, it does not look at the choices of the round.
    """
    raise NotImplementedError(f"{type(policy).__name__} does not implement reply")


class BeamWork(NamedTuple):
    """The arrays of `expand`; one set per thread."""

    after: np.ndarray  # the game's dtype [width * max_legal, words], states a turn on
    values: np.ndarray  # float64[width * max_legal], theirs
    over: np.ndarray  # bool[width * max_legal], whether the player is asked no more there
    firsts: np.ndarray  # int32[width * max_legal], the player's action that led to each
    actions: np.ndarray  # int32[max_legal]
    planned: np.ndarray  # int64[players], the others' choices of the same round; -1: not known yet


class Worth(NamedTuple):
    """The value of an action."""

    action: int
    value: float
    depth: int  # turns of the player
    final: bool  # it was looked at to the end


@kernel
def expand(game, evaluation, policy, work, player, beam, count, at_once):
    """Writes to `work` the states after the first `count` of `beam`; returns how many there are.

    Each leads, by each of the player's actions and the others' replies, to where the player is
    asked again; if that is not within two rounds, it is asked no more. A state in which another is
    to move leads to where the player is asked first. `at_once`: do players choose without seeing
    each other's choice? Their choices of a round are then the same for all actions of a state.
    """
    found = 0
    planned = work.planned
    for each in range(count):
        for other in range(planned.size):
            planned[other] = -1
        first = mover(game, beam[each])
        ways = legal(game, beam[each], work.actions) if first == player else 1
        for way in range(ways):
            state = work.after[found]
            copy(state, beam[each])
            who = first
            action = int(work.actions[way]) if first == player else -1
            work.firsts[found] = action
            same_round = at_once
            for _ in range(2 * planned.size):
                if action < 0:
                    action = reply(policy, game, state, who)
                    if same_round:
                        planned[index(who)] = action
                play(game, state, action)
                who = mover(game, state)
                if who < 0 or who == player:
                    break
                same_round &= pending(game, state) > 0
                action = int(planned[index(who)]) if same_round else -1
            work.over[found] = who != player
            work.values[found] = evaluate(evaluation, game, state, player)
            found += 1
    return found


class BestReply:
    """A search for one player of a game, an evaluation, and the policy of the others.

    Beams have `width` states. `at_once` is as in `expand`.
    Raises SearchError for a game it cannot play.
    """

    def __init__(
        self,
        game: Any,
        state: np.ndarray,
        player: int,
        evaluation: Any,
        policy: Any,
        width: int,
        at_once: bool,
    ) -> None:
        facts = properties(game)
        check_chance("best reply", game)
        self._game, self._evaluation, self._policy = game, evaluation, policy
        self._width, self._at_once = width, at_once
        most = width * facts.max_legal
        self._work = BeamWork(
            after=np.zeros((most, state.size), state.dtype),
            values=np.zeros(most),
            over=np.zeros(most, np.bool_),
            firsts=np.zeros(most, np.int32),
            actions=np.zeros(facts.max_legal, np.int32),
            planned=np.zeros(facts.players, np.int64),
        )
        self._player = player
        if not is_interpreting():
            self._expand(state[None])  # compiled now, when no clock runs

    def search(
        self,
        state: np.ndarray,
        depth: int,
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> list[Worth]:
        """The value of each action, the lowest action first; the state is the player's to move.

        It looks `depth` of its turns ahead, or less if `nodes` states or CPU `seconds` run out, but
        one in any case. Reproducible unless `seconds` is given.
        """
        begun = time.thread_time()
        stop = INFINITY if seconds is None else begun + seconds - MARGIN_SECONDS
        most = INFINITY if nodes is None else nodes
        used = self._expand(state[None])
        expanded = 1
        work = self._work
        lines = [_Line(work, place) for place in range(used)]
        for _ in range(depth - 1):
            for line in lines:
                now = time.thread_time()
                if used >= most or now + len(line.beam) * (now - begun) / expanded > stop:
                    break
                if not line.final:
                    expanded += len(line.beam)
                    found = self._expand(line.beam)
                    line.go_on(work, found, self._width)
                    used += found
        return [Worth(line.action, line.value, line.depth, line.final) for line in lines]

    def asked(self, state: np.ndarray) -> np.ndarray:
        """The state in which the player is asked next, by a state in which another is to move."""
        if mover(self._game, state) == self._player:
            return state
        self._expand(state[None])
        return np.array(self._work.after[0])

    def _expand(self, beam: np.ndarray) -> int:
        game, evaluation, policy, work = self._game, self._evaluation, self._policy, self._work
        return int(
            expand(game, evaluation, policy, work, self._player, beam, len(beam), self._at_once)
        )


class _Line:
    """The findings about one action of the root, which stands at a place of the first turn."""

    def __init__(self, work: BeamWork, place: int) -> None:
        self.action = int(work.firsts[place])
        self.depth = 0
        self._end = -INFINITY  # the best value of the ends that were met
        self._keep(work, np.array([place]), 1)

    def go_on(self, work: BeamWork, found: int, width: int) -> None:
        """Looks at the states found a turn further."""
        self._keep(work, np.arange(found), width)

    def _keep(self, work: BeamWork, places: np.ndarray, width: int) -> None:
        values, over = work.values[places], work.over[places]
        self._end = float(values[over].max(initial=self._end))
        kept = places[~over][np.argsort(-values[~over], kind="stable")[:width]]
        self.beam = work.after[kept]
        self.value = max(self._end, float(work.values[kept[0]])) if len(kept) else self._end
        self.final = len(kept) == 0
        self.depth += 1
