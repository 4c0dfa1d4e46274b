"""What a player of Love Letter may see, as plain data.

The keys are in the game's sheet, `docs/love-letter.md`.
"""

from typing import Any

from joute.core.interface import describe, legal_actions, mover, parameters, seen
from joute.games.love_letter.notation import _hidden
from joute.games.love_letter.state import (
    ALIVE,
    BOTTOM,
    BOTTOM_COUNT,
    BOTTOM_KNOWN,
    CLASSIC_COPIES,
    COPIES,
    CURRENT,
    ENDED,
    FACE_UP,
    HANDS,
    KNOWN,
    NONE,
    PHASE,
    PHASES,
    PLAYING,
    PROTECTED,
    RANDOM,
    ROUND,
    SECOND,
    SECOND_KNOWN,
    SPIES,
    STARTING,
    TOKENS,
    LoveLetter,
    hand,
    log,
    members,
)
from joute.games.love_letter.views import revealed, round_over


def known(game: LoveLetter, state: Any, player: int) -> list[list[int]]:
    """The cards [holder, card] of the others that a player has seen."""
    found = []
    for other in range(game.players):
        places = [(HANDS + other, int(state[KNOWN + other]))]
        if other == state[CURRENT]:
            places.append((SECOND, int(state[SECOND_KNOWN])))
        for place, viewers in places:
            if other != player and state[place] != NONE and viewers >> player & 1:
                found.append([other, int(state[place])])
    return found


def bottom(state: Any, player: int) -> list[list[int | None]]:
    """The cards that Chancellors put back, next drawn first: whose, and the card if he knows it."""
    found: list[list[int | None]] = []
    for place in range(int(state[BOTTOM_COUNT])):
        owner = members(int(state[BOTTOM_KNOWN + place]))[0]
        found.append([owner, int(state[BOTTOM + place]) if owner == player else None])
    return found


def unseen(game: LoveLetter, state: Any, player: int) -> list[int]:
    """By character, the copies that are neither in sight nor known to a player."""
    left = list(CLASSIC_COPIES if game.classic else COPIES)
    cards = [card for card in map(int, state[FACE_UP : FACE_UP + 3]) if card != NONE]
    cards += [entry.card for entry in log(state)] + hand(state, player)
    cards += [card for _, card in known(game, state, player)]
    cards += [card for _, card in bottom(state, player) if card is not None]
    for card in cards:
        left[card] -= 1
    return left


def observe(game: LoveLetter, state: Any, player: int) -> dict[str, Any]:
    to_move = int(mover(game, state))
    choices = legal_actions(game, state) if to_move == player else []
    between = state[PHASE] in (ENDED, STARTING) and state[ROUND] > 0
    players, entries = range(game.players), log(state)
    return {
        **parameters(game),
        "player": player,
        "to_move": to_move,
        "phase": PHASES[int(state[PHASE])],
        "round": int(state[ROUND]),
        "turn": int(state[CURRENT]),
        "hand": hand(state, player),
        "deck_size": int(state[RANDOM]) + int(state[BOTTOM_COUNT]),
        "face_up": [int(card) for card in state[FACE_UP : FACE_UP + 3] if card != NONE],
        "alive": members(int(state[ALIVE])),
        "protected": members(int(state[PROTECTED]) & int(state[ALIVE])),
        "spies": members(int(state[SPIES])),
        "points": [int(state[TOKENS + each]) for each in players],
        "discards": [[one.card for one in entries if one.player == each] for each in players],
        "log": [one._asdict() for one in entries],
        "known": known(game, state, player),
        "bottom": bottom(state, player),
        "unseen": unseen(game, state, player),
        "round_over": round_over(game, state) if between else None,
        "legal": choices,
    }


def tell(game: LoveLetter, state: Any, player: int, action: int) -> dict[str, Any]:
    """Adds what the action shows to this player: see `docs/love-letter.md`."""
    told = {
        "player": int(mover(game, state)),
        "action": int(action),
        "text": describe(game, state, action),
    }
    sight = int(seen(game, state, player, action))
    if state[PHASE] != PLAYING and sight != action:
        told["action"] = sight
        told["text"] = _hidden(game, state, sight)
    return told | revealed(game, state, player, action)
