"""The decisions of recorded games that lost most, in the eyes of a built-in bot, the judge.

The judge says what it would have played. Where that is something else, it is asked what the game is
worth to the player after the one and after the other, with the same draws of chance and, where all
choose at once, the same choices of the others; the difference is the loss. So a judge that thinks
too well or too ill of a position does so in both, and a player is not blamed for bad luck.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from joute import bots
from joute.bots.explain import options_of
from joute.bots.ladder import player_at, with_time
from joute.core.interface import (
    CHANCE,
    OVER,
    describe,
    determinize,
    legal_actions,
    mover,
    pending,
    play,
    properties,
    returns,
    start,
)
from joute.core.random import generator
from joute.errors import Error
from joute.host.names import parse_bot
from joute.i18n.words import Sentence
from joute.play.advice import SLACK
from joute.play.chance import Streams, derive
from joute.play.record import Record, actions_of, ply_number
from joute.play.verify import recorded_game, replay

SECONDS = 0.1  # of CPU for each position that is judged
DRAWS = 4  # of chance after an action, over which its worth is averaged
STAGES = 3  # of a game, by its plies
MOST_PLAYERS = 2  # of a third one's worth nothing is known from the mover's


class JudgeError(Error, ValueError):
    """A game or a bot by which no decision can be judged."""


class SilentJudgeError(Exception):
    """A judge that does not say what it expects of a position."""


class TurnMistake(NamedTuple):
    """A decision that lost something; worths are from -1, lost, to 1, won, for its player."""

    ply: int
    player: int
    stage: int  # of the game, below STAGES
    played: str
    better: str
    before: float  # worth after the better action
    after: float  # worth after the action that was played

    @property
    def loss(self) -> float:
        """The loss, from 0 to 2."""
        return self.before - self.after


class ChosenTurn(NamedTuple):
    """The action that a player chose, or those of its turn up to the next event of chance."""

    line: dict[str, Any]  # of the record, the first
    texts: list[str]  # of its lines
    state: list[int]  # in which it was chosen
    actions: list[int]
    others: list[int]  # what others chose afterwards without knowing of it


class BetterTurn(NamedTuple):
    """The actions that the judge prefers, and the worths after them and after those played."""

    better: str
    before: float
    after: float


def judge_of(game: Any, seconds: float = SECONDS) -> str:
    """The name of the bot that judges a game by default, its strongest, with so much time."""
    strongest = player_at(game, 99).removeprefix("builtin:").partition("?")[0]
    return f"builtin:{with_time(strongest, seconds)}"


class TurnJudge:
    """Says what a decision lost.

    Args:
        game: of one or two players.
        name: a built-in bot that says what it expects; see `judge_of`.
        seconds: of CPU for each position, for a bot that is not told anything else.

    Raises JudgeError for another bot, or a game of more players.
    """

    def __init__(self, game: Any, name: str, seconds: float = SECONDS) -> None:
        spec = parse_bot(name)
        if spec.kind != "builtin":
            raise JudgeError(Sentence("error.mistakes.builtin", bot=name))
        players = properties(game).players
        if players > MOST_PLAYERS:
            raise JudgeError(Sentence("error.mistakes.players", count=players))
        self.game = game
        self.name = name
        seats = [bots.Seating(game, each, 1, SLACK * seconds) for each in range(players)]
        self._hidden = properties(game).hidden_information
        self._bots = [bots.make(spec.name, spec.options, seat) for seat in seats]
        self._views = [bots.View(seat) for seat in seats]

    def better(self, decision: ChosenTurn) -> BetterTurn | None:
        """The actions that the judge prefers, with both worths; None where they were played.

        Raises SilentJudgeError if the judge says nothing of what comes of one of them.
        """
        state, player = decision.state, int(decision.line["player"])
        known = self._known(state, player)
        if self._hidden and len(decision.actions) == 1 and hasattr(self._bots[player], "explain"):
            return self._weighed(known, player, decision.actions[0])
        chosen = self._bots[player].play(known).action
        actions = list(chosen) if isinstance(chosen, list) else [chosen]
        if actions == decision.actions[: len(actions)]:
            return None
        texts, reached = [], list(state)
        for action in actions:
            texts.append(describe(self.game, reached, action))
            play(self.game, reached, action)
        before, after = (
            self._after(state, player, played, decision.others)
            for played in (actions, decision.actions)
        )
        return BetterTurn("; ".join(texts), before, after)

    def _weighed(self, known: np.ndarray, player: int, played: int) -> BetterTurn | None:
        """As `better`, by what the judge expects of each single action in a state as it knows it.

        Raises SilentJudgeError as `better` does.
        """
        options = options_of(self._bots[player], known)
        worths = {each.line[0]: each.value for each in options}
        chosen = options[0].line[0]
        if chosen == played:
            return None
        before, after = worths[chosen], worths.get(played)
        if before is None or after is None:
            raise SilentJudgeError
        return BetterTurn(describe(self.game, known.tolist(), chosen), before, after)

    def _after(self, state: list[int], player: int, actions: list[int], others: list[int]) -> float:
        """The mean worth to a player of what comes of its actions and the others' in the round."""
        worths = []
        for draw in range(DRAWS):
            later = list(state)
            if self._hidden:
                determinize(self.game, later, player, generator(int(derive("mistakes", draw), 16)))
            for action in (*actions, *others):
                play(self.game, later, action)
            drawn = self._advance(later, Streams(derive("mistakes", draw)))
            worths.append(self._worth(later, player))
            if not (drawn or self._hidden):  # other draws would be the same
                break
        return sum(worths) / len(worths)

    def _advance(self, state: list[int], streams: Streams) -> bool:
        """Plays what nobody chooses, chance and forced actions; whether there was chance.

        Of a forced action a search says nothing that it has searched for.
        """
        drawn = False
        while (who := int(mover(self.game, state))) != OVER:
            if who == CHANCE:
                drawn = True
                play(self.game, state, streams.outcome(self.game, state))
                continue
            legal = legal_actions(self.game, state)
            if len(legal) > 1:
                break
            play(self.game, state, legal[0])
        return drawn

    def _worth(self, state: list[int], player: int) -> float:
        """The worth of a position to a player, from -1 to 1; it is over, or somebody chooses.

        Raises SilentJudgeError if the judge says nothing of it.
        """
        who = int(mover(self.game, state))
        if who == OVER:
            out = [0.0] * properties(self.game).players
            returns(self.game, state, out)
            return bots.centred(self.game, out[player])
        value = options_of(self._bots[who], self._known(state, who))[0].value
        if value is None:
            raise SilentJudgeError
        return value if who == player else -value

    def _known(self, state: list[int], player: int) -> np.ndarray:
        """A state as a player may imagine it."""
        return np.array(self._views[player].of(list(state)), start(self.game).dtype)


def decisions(record: Record) -> Iterator[ChosenTurn]:
    """The choices of the seats' bots, turn by turn, in the order of the game.

    Left out are forced actions, and those that another bot or the referee chose in a bot's place.
    What follows an event of chance within a turn is a decision of its own. Raises RecordError for a
    record that is not true.
    """
    game, states = recorded_game(record), replay(record)
    lines = [line for line in record.plies if "action" in line]
    together = properties(game).simultaneous
    number = 0
    while number < len(lines):
        line, state = lines[number], states[number]
        first = number
        number += 1
        if not _chosen(line) or len(legal_actions(game, state)) == 1:
            continue
        if together:
            last = number
            while last < len(lines) and pending(game, states[last]):
                last += 1
            others = [action for each in lines[number:last] for action in actions_of(each)]
            yield ChosenTurn(line, [line["text"]], state, actions_of(line), others)
            continue
        while (
            number < len(lines)
            and pending(game, states[number])
            and _chosen(lines[number])
            and lines[number]["player"] == line["player"]
        ):
            number += 1
        turn = lines[first:number]
        actions = [action for each in turn for action in actions_of(each)]
        yield ChosenTurn(line, [each["text"] for each in turn], state, actions, [])


def _chosen(line: dict[str, Any]) -> bool:
    """Whether a seat's bot chose the actions of a line."""
    return line["by"] == "bot" and "stand_in" not in line


def mistakes(
    record: Record,
    judge: TurnJudge,
    players: list[int],
    least: float,
    judged: Callable[[bool], None] = lambda _: None,
) -> Iterator[TurnMistake]:
    """The decisions of these players that lost at least so much, in the order of the game.

    `judged` is called after each decision, with whether the judge said what it expects. Raises
    RecordError for a record that is not true.
    """
    plies = sum(len(actions_of(line)) for line in record.plies)
    for each in decisions(record):
        if each.line["player"] not in players:
            continue
        try:
            better = judge.better(each)
        except SilentJudgeError:
            judged(False)
            continue
        judged(True)
        if better is not None and better.before - better.after >= least:
            yield TurnMistake(
                ply_number(each.line["ply"]),
                each.line["player"],
                STAGES * each.line["ply"] // plies,
                "; ".join(each.texts),
                *better,
            )
