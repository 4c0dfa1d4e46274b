"""What a bot is told when a game starts, and what it may see, in the protocol of bots."""

from collections.abc import Sequence
from typing import Any

from joute.core.interface import legal_actions, observe, parameters, properties
from joute.play.chance import derive

PROTOCOL = 1


def start_message(
    game: Any,
    player: int,
    names: Sequence[str],
    seed: str,
    move_seconds: float,
    events: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """The first message to the bot of a player.

    `seed` is the game's own, of which the bot learns nothing: its generator's is derived from it.
    `events` tell what happened before, to a bot that starts in the middle.
    """
    return {
        "type": "start",
        "protocol": PROTOCOL,
        "game": properties(game).name,
        "parameters": parameters(game),
        "player": player,
        "names": list(names),
        "seed": bot_seed(seed, player),
        "move_seconds": move_seconds,
        "events": list(events),
    }


def observed(game: Any, state: Any, player: int) -> dict[str, Any]:
    """What the player to move may see; `legal` is always in it."""
    seen = observe(game, state, player)
    return seen if "legal" in seen else {**seen, "legal": legal_actions(game, state)}


def bot_seed(seed: str, player: int) -> int:
    """The seed of a bot's own generator: below 2^53, so that any JSON reader keeps it exactly."""
    return int(derive(seed, "bot", player), 16) % 2**53
