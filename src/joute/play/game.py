"""A game to be played, as data: all that determines it, and its identity."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from joute.core.interface import accepts, mover, parameters, play, properties, returns
from joute.core.registry import card, make, source
from joute.host.content import content_hash
from joute.host.limits import Limits
from joute.host.names import parse_bot
from joute.play.chance import SCHEME

HUMAN = "human"  # the bot of a seat where a person plays
FAULT_COSTS = ("turn", "game")

HX2_COSTS = {
    "illegal": "turn",
    "timeout": "turn",
    "crash": "turn",
    "memory": "turn",
    "output-limit": "turn",
    "protocol": "turn",
    "sandbox": "game",
    "start-up": "game",
}
"""The cost of each fault unless the contest says otherwise: the rules of the HX2 contest."""


def usual_costs(game: str) -> dict[str, str]:
    """The cost of each fault in a game unless the contest says otherwise."""
    return {**HX2_COSTS, **card(game).costs}


class SeatSpec(msgspec.Struct, frozen=True, kw_only=True):
    """The player at a seat."""

    name: str
    bot: str  # as people write it: builtin:greedy, bots/mine.py ...
    base: str = "."  # the folder that a relative path starts from
    python: str | None = None  # the interpreter of a Python bot
    memory_mb: int | None = None  # overrides the limits'

    def content(self) -> str:
        """A hash of the bot's files: the same content is the same bot. Raises BotError."""
        return content_hash(parse_bot(self.bot, Path(self.base), self.python))


class GameSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A game before it is played."""

    game: str
    parameters: dict[str, Any] = {}
    bots: tuple[SeatSpec, ...]
    seed: str  # 32 hex digits
    opening: tuple[int, int] = (0, 0)
    limits: Limits = Limits()
    costs: dict[str, str] = msgspec.field(default_factory=HX2_COSTS.copy)
    hidden: tuple[str, ...] = ()  # paths that no bot of the game may read
    last_try: bool = False  # whether it is not played again if the machine is too busy
    max_restarts: int = 2  # a bot that had to be killed more often in a game has lost it

    @property
    def people(self) -> tuple[int, ...]:
        """The seats where people play."""
        return tuple(seat for seat, each in enumerate(self.bots) if each.bot == HUMAN)


class SeatFault(msgspec.Struct, frozen=True):
    """A failure of a bot, and what it cost."""

    seat: int
    ply: int
    fault: str
    detail: str
    cost: str


class GameResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a game. Lists are by seat."""

    identity: str
    ending: str  # "finished", "forfeit" (by a fault), or "resignation"
    returns: list[float]
    points: list[int]
    plies: int
    faults: list[SeatFault]
    cpu_ms: list[float]
    asked: list[int]
    record: bytes
    chain: str  # of the record's last line
    isolation: list[str] = []  # what held each bot: a level, or "inline", "human", "remote"
    busy: bool = False  # whether the machine was too busy, at times, to judge by time on the wall
    waited_for: list[int] = []  # the seats of those who were not judged by it then


def identity(spec: GameSpec, contents: list[str] | None = None, game: Any = None) -> str:
    """A hash of all that determines the game: rules, parameters, bots by content, seed, limits.

    `contents` are the bots' content hashes, by seat, and `game` is the game that the specification
    makes, for whoever has them already.
    """
    if contents is None:
        contents = [seat.content() for seat in spec.bots]
    return Identities(spec, game).of(spec.bots, contents, spec.seed)


class Identities:
    """The identities of games that differ in nothing but their bots and their seed.

    `terms` is any of these games, and `game` what it makes, for whoever has it already.
    """

    def __init__(self, terms: GameSpec, game: Any = None) -> None:
        if game is None:
            game = make(terms.game, **terms.parameters)
        before = {
            "game": terms.game,
            "parameters": dict(sorted(parameters(game).items())),
            "rules": properties(game).version,
            **({"source": outside.hash} if (outside := source(terms.game)) else {}),
        }
        limits, more = terms.limits.identifying()
        after = {
            "chance": SCHEME,
            "opening": terms.opening,
            "limits": limits,
            "costs": dict(sorted(terms.costs.items())),
            "max_restarts": terms.max_restarts,
            **more,
        }
        # Parts of one JSON object, so that what all games have in common is written once.
        self._before = msgspec.json.encode(before)[:-1] + b',"bots":'
        self._after = b"," + msgspec.json.encode(after)[1:]

    def of(self, bots: Sequence[SeatSpec], contents: Sequence[str], seed: str) -> str:
        """The identity of the game between `bots`, of these contents, from a seed."""
        seated = [
            [content, bot.python, bot.memory_mb]
            for content, bot in zip(contents, bots, strict=True)
        ]
        facts = (msgspec.json.encode(seated), b',"seed":', msgspec.json.encode(seed))
        whole = b"".join((self._before, *facts, self._after))
        return hashlib.blake2b(whole, digest_size=16).hexdigest()


def acceptable(game: Any, state: Any, actions: list[int]) -> bool:
    """Whether a player may play these actions, one after the other, in its turn."""
    player, after = mover(game, state), list(state)
    for action in actions:
        if mover(game, after) != player or not accepts(game, after, action):
            return False
        if len(actions) > 1:
            play(game, after, action)
    return True


def final_returns(game: Any, state: Any, forfeits: list[bool]) -> list[float]:
    """Each seat's return at the end, forfeits included.

    A seat that forfeited gets the lowest return. Of two seats the other then gets the highest; of
    more, the others keep what the game gives them.
    """
    facts = properties(game)
    values = [0.0] * facts.players
    if any(forfeits) and facts.players <= 2:
        return [facts.lowest_return if out else facts.highest_return for out in forfeits]
    returns(game, state, values)
    return [
        facts.lowest_return if out else float(value)
        for out, value in zip(forfeits, values, strict=True)
    ]
