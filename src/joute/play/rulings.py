"""What the referee rules, and whoever checks him: which actions are taken, who gets what."""

from typing import Any

from joute.core.interface import accepts, mover, play, properties, returns


def acceptable(game: Any, state: Any, actions: list[int]) -> bool:
    """Whether a player may play these actions, one after the other, in his turn."""
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
