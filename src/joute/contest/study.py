"""Two bots face to face, for a comparison: games in pairs, and one position of each put to both.

Both games of a pair have one seed, with seats exchanged: the same deals for both bots. All games
are played in this process, one after the other, so that times can be compared. Bots that peek may
play here, and only here; what the game hides is shown to them alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from joute import bots
from joute.contest.comparison import BotTally, Comparison, choices, effort, side
from joute.contest.config.config import resolve_data
from joute.contest.config.default_names import default_names
from joute.contest.config.game_table import ContestMap
from joute.contest.errors import ConfigError
from joute.contest.ranking.rules import seat_scores
from joute.core.compiled import interpreting
from joute.core.interface import (
    CHANCE,
    OVER,
    determinize,
    draw,
    expand,
    legal,
    mover,
    parameters,
    pending,
    play,
    properties,
    returns,
    start,
)
from joute.core.random import below, bits, generator
from joute.core.registry import card, make
from joute.host.limits import Limits
from joute.host.names import BotSpec, parse_bot
from joute.host.protocol import Answer, Fault
from joute.i18n.words import Sentence
from joute.play.chance import Streams, derive
from joute.play.game import GameResult, GameSpec, SeatSpec, usual_costs
from joute.play.record import actions_of
from joute.play.referee import play_game
from joute.play.seats import Human, InlineSeat, Seat, answer, check_uncompiled, open_seat
from joute.search.playouts import playout_work, playouts

WHERE = "compare"
ORDERS = ((0, 1), (1, 0))  # which bot sits at each seat, in the two games of a pair


class StudyPosition(NamedTuple):
    """A turn of a game that was played."""

    state: list[int]  # the true one, before the turn
    player: int
    actions: list[int]  # that it chose


class Study:
    """Plays pairs of games between two bots; `comparison` tells what is known so far.

    `texts` are the bots; a built-in one may go without `builtin:`. The same `seed`, any text, gives
    the same deals. `judge` is a built-in bot that weighs choices; by default it suits the game.
    Pairs are on each of `maps` in turn, names or paths. Paths start from `base`. Raises GameError,
    BotError, BuiltinError or ConfigError for what cannot be compared.
    """

    def __init__(
        self,
        game: str,
        values: Mapping[str, Any],
        texts: Sequence[str],
        seed: str,
        *,
        move_seconds: float = 1.0,
        judge: str | None = None,
        maps: Sequence[str] = (),
        base: Path | None = None,
    ) -> None:
        self._base = (base or Path()).resolve()
        grounds = _on_maps(game, values, maps, self._base)
        self._map_names = [each.name for each in grounds if each.name]
        self._values = grounds[0].parameters
        self._rules = make(game, **self._values)
        self._facts = properties(self._rules)
        if self._facts.players != 2:
            given = {"game": game, "seats": self._facts.players}
            raise ConfigError(WHERE, "game", Sentence("error.study.seats", **given))
        self._game = game
        self._seed = seed
        self._move_seconds = move_seconds
        self._bots = [_checked(text, self._rules, self._base) for text in texts]
        for bot in filter(_inline, self._bots):  # compiled once all are known to be right
            _seat_bot(bot, bots.Seating(self._rules, 0, 0, 1.0))
        self._names = default_names([bot.text for bot in self._bots], self._base)
        if self._names[0] == self._names[1]:
            self._names[1] += " 2"
        self._judge: Judge | None = None
        self._maps: list[tuple[dict[str, Any], Any, Judge | None]] = []
        for each in grounds:
            rules = make(game, **each.parameters)
            if all(map(_inline, self._bots)):
                own = [bot.name for bot in self._bots]
                name = judge and judge.removeprefix("builtin:")
                self._judge = Judge(rules, name or usual_judge(game, own))
            self._maps.append((each.parameters, rules, self._judge))
        self._go_to(0)
        self._rng = generator(int(derive(seed, "study"), 16))
        self._tallies = [BotTally(), BotTally()]
        self._pairs: list[float] = []  # the first bot's mean score in each pair, 0..1
        self._positions = 0
        self._gains: list[float] = []  # the first bot's, where choices differ

    @property
    def bots(self) -> list[str]:
        """The two bots, in full: builtin:greedy, bots/mine.py ..."""
        return [bot.text for bot in self._bots]

    @property
    def pairs(self) -> int:
        """The number of pairs of games that are complete."""
        return len(self._pairs)

    def _go_to(self, number: int) -> None:
        """Takes the map of a pair of games."""
        self._values, self._rules, self._judge = self._maps[number % len(self._maps)]

    def warm_up(self) -> None:
        """Lets built-in bots choose once, so that no compiler's time counts as theirs."""
        streams, state = Streams(self._seed), start(self._rules).tolist()
        while (player := int(mover(self._rules, state))) < 0:
            play(self._rules, state, streams.outcome(self._rules, state))
        found = [self._choice(bot, state, player) for bot in self._bots if _inline(bot)]
        if self._judge is not None:
            self._judge.gain(state, player, found[0], found[1], generator(0))

    def play_pair(self) -> None:
        """Plays one more pair of games; one that is interrupted leaves nothing behind."""
        self._go_to(self.pairs)
        seed = derive(self._seed, "pair", self.pairs)
        played = [self._play(seed, order) for order in ORDERS]
        gains = [self._gain(watcher.position, order)
                 for (_, watcher), order in zip(played, ORDERS, strict=True)]  # fmt: skip
        scores = [self._count(result, watcher, order)
                  for (result, watcher), order in zip(played, ORDERS, strict=True)]  # fmt: skip
        self._pairs.append(sum(scores) / 2)
        self._positions += sum(watcher.position is not None for _, watcher in played)
        self._gains += [gain for gain in gains if gain is not None]

    def comparison(self) -> Comparison:
        """The comparison so far."""
        scores = [self._pairs, [1 - score for score in self._pairs]]
        return Comparison(
            game=self._game,
            parameters=parameters(self._maps[0][1]),
            maps=self._map_names,
            move_seconds=self._move_seconds,
            pairs=self.pairs,
            sides=[
                side(
                    self._names[number],
                    bot.text,
                    bot.kind == "builtin" and bots.peeks(bot.name),
                    self._tallies[number],
                    scores[number],
                    effort(bot, self._rules),
                )
                for number, bot in enumerate(self._bots)
            ],
            choices=None
            if self._judge is None
            else choices(self._judge.name, self._positions, self._gains),
            seed=self._seed,
        )

    def _play(self, seed: str, order: Sequence[int]) -> tuple[GameResult, _Watcher]:
        seats = [SeatSpec(name=self._names[number], bot=self._bots[number].text,
                          base=str(self._base)) for number in order]  # fmt: skip
        spec = GameSpec(
            game=self._game,
            parameters=self._values,
            bots=tuple(seats),
            seed=seed,
            opening=self._facts.opening_plies,
            limits=Limits(move_seconds=self._move_seconds),
            costs=usual_costs(self._game),
        )
        watcher = _Watcher(self._rules, self._rng if self._judge else None)
        return play_game(spec, watch=watcher.hear, opener=_open), watcher

    def _count(self, result: GameResult, watcher: _Watcher, order: Sequence[int]) -> float:
        """Notes how a game went; the first bot's score."""
        scores = seat_scores(result.returns)
        for seat, number in enumerate(order):
            tally = self._tallies[number]
            tally.count(scores[seat], [fault for fault in result.faults if fault.seat == seat])
            tally.times += watcher.times[seat]
        return scores[order.index(0)]

    def _gain(self, position: StudyPosition | None, order: Sequence[int]) -> float | None:
        """The gain of the first bot's choice in a position of a game; None for no other choice.

        The bot whose turn it was has chosen already, the other one is asked now.
        """
        if position is None or self._judge is None:
            return None
        state, player, one = position
        number = order[player]
        other = self._choice(self._bots[1 - number], state, player)
        if 1 in (len(one), len(other)):  # the beginning of a turn can be compared with no whole one
            one, other = one[:1], other[:1]
        if self._after(state, one) == self._after(state, other):
            return None
        gain = self._judge.gain(state, player, one, other, self._rng)
        return gain if number == 0 else -gain

    def _choice(self, bot: BotSpec, state: list[int], player: int) -> list[int]:
        """The actions of a built-in bot in a position, seen from its seat."""
        seed = bits(self._rng) >> 11
        table = bots.Seating(self._rules, player, seed, self._move_seconds)
        seated, view = _seat_bot(bot, table)
        known = np.array(view.of(state.copy()), start(self._rules).dtype)
        return expand(self._rules, state, seated.play(known).action)

    def _after(self, state: list[int], actions: Sequence[int]) -> list[int]:
        after = state.copy()
        for action in actions:
            play(self._rules, after, action)
        return after


def _on_maps(
    game: str, values: Mapping[str, Any], maps: Sequence[str], base: Path
) -> tuple[ContestMap, ...]:
    """The parameters of the game on each map; the usual one has no name."""
    if not maps:
        return (ContestMap("", dict(values)),)
    key: dict[str, Any] = {"map": maps[0]} if len(maps) == 1 else {"maps": list(maps)}
    tables = {"contest": {"name": WHERE}, "game": {"name": game, **values, **key}}
    return resolve_data(tables, where=WHERE, base=base, bots=False, seats=2).maps


class _Watcher:
    """Follows a game: each seat's times, and one turn with a choice, all being as likely."""

    def __init__(self, game: Any, rng: np.ndarray | None) -> None:
        self.times: list[list[float]] = [[], []]  # processor milliseconds
        self.position: StudyPosition | None = None
        self._game = game
        self._rng = rng  # None: no position is wanted
        self._state: list[int] = start(game).tolist()
        self._turns = 0
        self._out = [0] * properties(game).max_legal

    def hear(self, line: dict[str, Any]) -> None:
        """Takes a line of the game's record."""
        actions = actions_of(line)
        if line["by"] == "bot" and line.get("fault") != Fault.START_UP.value:
            self.times[line["player"]].append(line["cpu_ms"])
            if "fault" not in line and self._rng is not None:
                self._offer(line["player"], actions)
        for action in actions:
            play(self._game, self._state, action)

    def _offer(self, player: int, actions: list[int]) -> None:
        """Takes a turn in place of the one kept, with such a probability that none is preferred."""
        if legal(self._game, self._state, self._out) < 2:
            return
        self._turns += 1
        if below(self._rng, self._turns) == 0:
            self.position = StudyPosition(self._state.copy(), player, actions)


class _StudySeat(InlineSeat):
    """A built-in bot in this process; one that peeks is let."""

    def start(self, message: dict[str, Any]) -> Answer:
        values = (message["player"], message["seed"], message["move_seconds"])
        self._bot, self._view = _seat_bot(self._spec, bots.Seating(self._game, *values))
        return answer()


def _inline(bot: BotSpec) -> bool:
    """Whether a bot plays in this process, where it can be asked about any position."""
    return bot.kind == "builtin" and not bot.hosted


def _seat_bot(bot: BotSpec, table: bots.Seating) -> tuple[bots.BuiltinBot, bots.View]:
    """A built-in bot and what it sees: the one place where peeking is allowed."""
    seated = bots.make(bot.name, bot.options, table, study=True)
    return seated, bots.View(table, whole=bots.peeks(bot.name))


def _open(seat: SeatSpec, spec: GameSpec, game: Any, human: Human | None) -> Seat:
    bot = parse_bot(seat.bot, Path(seat.base))
    if _inline(bot):
        return _StudySeat(bot, game)
    return open_seat(seat, spec, game, human)


def _checked(text: str, game: Any, base: Path) -> BotSpec:
    name = text.partition("?")[0]
    is_path = "/" in name or name.endswith((".py", ".zip")) or (base / text).exists()
    bare = text not in ("human", "remote") and ":" not in text and not is_path
    bot = parse_bot(f"builtin:{text}" if bare else text, base)
    if bot.kind == "human":
        raise ConfigError(WHERE, "bots", Sentence("error.study.people"))
    if _inline(bot):
        with interpreting():
            _seat_bot(bot, bots.Seating(game, 0, 0, 1.0))
    else:
        check_uncompiled(bot, game)
    return bot


RANDOM = "random"  # the judge whose games are played by a kernel
WORLDS = 64  # deals of the unknown cards
JUDGE_GAMES = 16  # random games in each, after each choice


def usual_judge(game: str, compared: Sequence[str]) -> str:
    """The judge of a game: no bot that is compared, but for `random`, whose chance is fair."""
    judge = card(game).judge
    return RANDOM if judge in compared else judge


class Judge:
    """Weighs two choices. Raises BuiltinError for a bot that is none or cannot play the game."""

    def __init__(self, game: Any, name: str) -> None:
        self.name = name
        self._game = game
        facts = properties(game)
        self._range = facts.highest_return - facts.lowest_return
        self._players = range(facts.players)
        self._hidden = facts.hidden_information
        self._simultaneous = facts.simultaneous
        self._dtype = start(game).dtype
        self._outcomes = [0] * max(facts.max_outcomes, 1)
        self._weights = [0.0] * max(facts.max_outcomes, 1)
        self._work = playout_work(game)
        self._seated(0)

    def gain(
        self,
        state: Sequence[int],
        player: int,
        one: Sequence[int],
        other: Sequence[int],
        rng: np.ndarray,
    ) -> float:
        """The gain of the mover by `one` over `other`; 1 is a game won and not lost.

        Both are actions of one turn in `state`, the true one. Advances `rng` (uint64[2]).
        """
        total = 0.0
        for _ in range(WORLDS):
            world = list(state)
            if self._hidden or (self._simultaneous and pending(self._game, world) > 0):
                determinize(self._game, world, player, rng)
            seed = bits(rng)
            total += self._value(world, player, one, seed) - self._value(world, player, other, seed)
        return total / (WORLDS * self._range)

    def _value(self, state: list[int], player: int, actions: Sequence[int], seed: int) -> float:
        after = state.copy()
        for action in actions:
            play(self._game, after, action)
        if self.name == RANDOM:
            playouts(
                self._game, np.array(after, self._dtype), JUDGE_GAMES, generator(seed), self._work
            )
            return float(self._work.total[player]) / JUDGE_GAMES
        return self._played_on(after, player, seed)

    def _played_on(self, state: list[int], player: int, seed: int) -> float:
        """The return of a player in one game that the judge plays at all seats."""
        seats, chance = self._seated(seed), generator(seed)
        while (mine := int(mover(self._game, state))) != OVER:
            if mine == CHANCE:
                drawn = draw(self._game, state, self._outcomes, self._weights, chance)
                play(self._game, state, int(drawn))
                continue
            bot, view = seats[mine]
            choice = bot.play(np.array(view.of(state), self._dtype))
            for action in expand(self._game, state, choice.action):
                play(self._game, state, action)
        values = [0.0] * len(self._players)
        returns(self._game, state, values)
        return values[player]

    def _seated(self, seed: int) -> list[tuple[bots.BuiltinBot, bots.View]]:
        tables = [bots.Seating(self._game, each, seed + each, 1.0) for each in self._players]
        return [(bots.make(self.name, {}, table), bots.View(table)) for table in tables]
