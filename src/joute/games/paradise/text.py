"""Paradise in plain data and text: what bots, people and records see.

Observation, lists by player: `player` (the observer's), `to_move` (-1 while a card is drawn or a
shot falls, -2 when the game is over), `turn` (from 1), `actions` (of this turn so far), `health`,
`mana`, `max_mana`, `power_used`, `fatigue` (the last damage of an empty deck), `hand` (the
observer's cards, left to right), `hand_size`, `deck_size`, `boards` (minions left to right, a
dictionary each), `unseen` (how many of each card a player has left that the observer does not see),
`legal` (the actions open to the observer if he is to move, else empty).

A minion: `card` (0..17), `attack` (with auras), `bonus` (what auras add), `health`, `max_health`,
`turns` (begun since it came), `attacked` (in this turn), `charge`.

Text is read and written by `paradise_words`.
"""

from typing import Any

from joute.core.interface import (
    CHANCE,
    OVER,
    Properties,
    implements,
    legal_actions,
    mover,
    seen,
)
from joute.games.paradise.cards import BOOK, CARDS, HOUND
from joute.games.paradise.hidden import SHOWN, UNKNOWN
from joute.games.paradise.notation import describe, parse, played
from joute.games.paradise.state import (
    ACTED,
    ACTIONS,
    AIMS,
    BOARD_SIZE,
    CHOOSING,
    DECK,
    DECK_SIZE,
    DESTROYED,
    FATIGUE,
    HAND,
    HAND_SIZE,
    HERO,
    MANA,
    MAX_MANA,
    MOST_BOARD,
    MOST_HAND,
    PHASE,
    PLAY,
    PLAYER,
    POWER_USED,
    SHOOTING,
    STRIKE,
    TURN,
    Paradise,
    block,
    bonus,
    charging,
    drawer,
    minion,
)

# Each player: 25 cards drawn, as many played and one shot, and in 29 turns the end, the power and
# seven attacks, and one more attack for each of the 30 minions he can ever have.
MOST_PLIES = 2 * (25 + 25 + 1 + 29 * (1 + 1 + MOST_BOARD) + 30)
WIDE = 11  # columns of a minion
MARK = "*"  # of a minion that can attack


def properties(game: Paradise) -> Properties:
    spells = 5  # of a deck's, those with a target
    return Properties(
        name="paradise",
        players=2,
        simultaneous=False,
        chance=True,
        hidden_information=True,
        zero_sum=True,
        max_actions=ACTIONS,
        max_legal=2 + MOST_HAND - spells + spells * AIMS + MOST_BOARD * (MOST_BOARD + 1),
        max_outcomes=CARDS,
        max_plies=MOST_PLIES,
        lowest_return=-1.0,
        highest_return=1.0,
        version=1,
    )


def stream(game: Paradise, state: Any) -> str:
    return "shots" if state[PHASE] == SHOOTING else f"deck {drawer(state)}"


def _cards(state: Any, player: int) -> list[int]:
    first = block(player)
    return [int(each) for each in state[first + HAND : first + HAND + state[first + HAND_SIZE]]]


def _board(state: Any, player: int) -> list[dict[str, Any]]:
    first = block(player)
    board = []
    for number in range(state[first + BOARD_SIZE]):
        place = minion(first, number)
        card, base, life, most, turns, used = (int(each) for each in state[place : place + 6])
        added = int(bonus(state, first, number))
        board.append(
            {
                "card": card,
                "attack": base + added,
                "bonus": added,
                "health": life,
                "max_health": most,
                "turns": turns,
                "attacked": bool(used),
                "charge": card == HOUND or bool(charging(state, first)),
            }
        )
    return board


def _unseen(state: Any, player: int, observer: int) -> list[int]:
    first = block(player)
    counts = [
        int(state[first + DECK + card]) + int(state[first + DESTROYED + card])
        for card in range(CARDS)
    ]
    if player != observer:
        for card in _cards(state, player):
            counts[card] += 1
    return counts


def observe(game: Paradise, state: Any, player: int) -> dict[str, Any]:
    to_move = int(mover(game, state))
    choices = legal_actions(game, state) if to_move == player else []

    def both(place: int) -> list[int]:
        return [int(state[block(each) + place]) for each in (0, 1)]

    return {
        "player": player,
        "to_move": to_move,
        "turn": int(state[TURN]),
        "actions": int(state[ACTED]),
        "health": [max(each, 0) for each in both(HERO)],
        "mana": both(MANA),
        "max_mana": both(MAX_MANA),
        "power_used": [bool(each) for each in both(POWER_USED)],
        "fatigue": both(FATIGUE),
        "hand": _cards(state, player),
        "hand_size": both(HAND_SIZE),
        "deck_size": both(DECK_SIZE),
        "boards": [_board(state, each) for each in (0, 1)],
        "unseen": [_unseen(state, each, player) for each in (0, 1)],
        "legal": choices,
    }


def tell(game: Paradise, state: Any, player: int, action: int) -> dict[str, Any]:
    """Adds `card` where a card is drawn or played; -1 if it is not seen.

    Of an opponent's card it is not told where in his hand it was; `action` is what `seen` says.
    """
    actor = int(mover(game, state))
    shown = int(seen(game, state, player, action))
    told = {"player": actor, "action": shown, "text": describe(game, state, action)}
    if actor == CHANCE:
        if state[PHASE] == SHOOTING:
            return told
        if shown == UNKNOWN:
            full = state[block(drawer(state)) + HAND_SIZE] == MOST_HAND
            told["text"] = "a card is destroyed" if full else "draws a card"
        return told | {"drawer": drawer(state), "card": -1 if shown == UNKNOWN else shown}
    if PLAY <= action < STRIKE:
        told["card"] = played(state, action)[0]
        if shown >= SHOWN:
            told["text"] = describe(game, state, action, place=False)
    return told


def render(game: Paradise, state: Any, player: int | None = None) -> str:
    """The boards as a player sees them, his own below; a minion that can attack has a star."""
    below = 0 if player is None else player
    return "\n".join(
        [
            *_head(game, state),
            "",
            *_side(game, state, 1 - below, player is None, above=True),
            "-" * 77,
            *_side(game, state, below, True),
        ]
    )


def _head(game: Paradise, state: Any) -> list[str]:
    to_move = mover(game, state)
    if to_move == OVER:
        return [f"turn {int(state[TURN])}: over"]
    if to_move != CHANCE:
        return [f"turn {int(state[TURN])}: player {to_move} to move"]
    if state[PHASE] == SHOOTING:
        return [f"turn {int(state[TURN])}: player {int(state[PLAYER])} shoots"]
    return [f"turn {int(state[TURN])}: player {drawer(state)} draws"]


def _side(game: Paradise, state: Any, player: int, hand: bool, above: bool = False) -> list[str]:
    """One player's lines: himself, his hand if it is to be seen, his minions nearest the middle."""
    first = block(player)
    power = "used" if state[first + POWER_USED] else "ready"
    line = (
        f"player {player}: health {max(int(state[first + HERO]), 0)}, "
        f"mana {int(state[first + MANA])} of {int(state[first + MAX_MANA])}, power {power}, "
        f"hand {int(state[first + HAND_SIZE])}, deck {int(state[first + DECK_SIZE])}"
    )
    if state[first + FATIGUE]:
        line += f", fatigue {int(state[first + FATIGUE])}"
    lines = [line]
    if hand:
        cards = [
            f"{number} {BOOK[card].word} ({BOOK[card].cost})"
            for number, card in enumerate(_cards(state, player), 1)
        ]
        for start in range(0, len(cards), 4):
            lines.append("  " + "".join(f"{each:19}" for each in cards[start : start + 4]).rstrip())
    board = _minions(state, player)
    return [*lines, *board] if above else [*board, *lines]


def _minions(state: Any, player: int) -> list[str]:
    """Two lines: names; numbers and attack / health."""
    on_turn = state[PHASE] == CHOOSING and state[PLAYER] == player
    names, figures = "", ""
    for number, each in enumerate(_board(state, player), 1):
        awake = on_turn and not each["attacked"] and (each["turns"] > 0 or each["charge"])
        names += BOOK[each["card"]].word.ljust(WIDE)
        mark = MARK if awake else ""
        figures += f"{number}: {each['attack']}/{each['health']}{mark}".ljust(WIDE)
    if not names:
        return ["  no minions"]
    return [names.rstrip(), figures.rstrip()]


def serve(game_class: type) -> None:
    """Give the game the operations of this module."""
    for function in (properties, stream, observe, tell, describe, parse, render):
        implements(game_class)(function)
