"""Love Letter in plain data and text: what bots, people and records see.

The keys of observations and events are in the game's sheet, `docs/en/love-letter.md`.

A card played is its name, its target and its guess, `guard 2 priest`, `prince 0`, `countess`; the
Chancellor's choice is `keep guard, return countess, priest`, the first of which will be drawn
first. Read back, a number will do for a card, and so will the beginning of its name. A draw is
`player 1 draws guard`; a player who may not see the card is told `player 1 draws a card`.
"""

import re
from typing import Any

from joute.core.errors import ActionError
from joute.core.interface import (
    CHANCE,
    implements,
    legal_actions,
    mover,
    parameters,
    play,
    seen,
)
from joute.games.love_letter.hidden import SOME_CARD, SOME_CHOICE
from joute.games.love_letter.state import (
    ALIVE,
    BARON,
    BONUS,
    BOTTOM,
    BOTTOM_COUNT,
    BOTTOM_KNOWN,
    CHOICE,
    CHOOSING,
    CLASSIC_COPIES,
    COPIES,
    CURRENT,
    DEALING,
    DRAWING,
    DUE,
    ENDED,
    FACE_UP,
    GUARD,
    HANDS,
    KING,
    KNOWN,
    LOGGED,
    NAMES,
    NOBODY,
    NONE,
    PHASE,
    PHASES,
    PLAYED,
    PLAYING,
    PRIEST,
    PRINCE,
    PROTECTED,
    RANDOM,
    ROUND,
    SECOND,
    SECOND_KNOWN,
    SINGLE,
    SPIES,
    STARTING,
    TOKENS,
    WINNERS,
    LoveLetter,
    draws,
    hand,
    log,
    members,
)
from joute.i18n.words import Sentence

MOST_SHOWN = 80  # characters of a text in an error


@implements(LoveLetter)
def describe(game: LoveLetter, state: Any, action: int) -> str:
    action = int(action)
    if state[PHASE] == STARTING:
        return f"player {action} starts"
    if mover(game, state) == CHANCE:
        return _hidden(game, state, SOME_CARD).replace("a card", NAMES[action])
    if action >= SINGLE:
        return "keep {}, return {}".format(*(NAMES[int(each)] for each in f"{action - SINGLE:02}"))
    if action >= CHOICE:
        cards = (NAMES[int(each)] for each in f"{action - CHOICE:03}")
        return "keep {}, return {}, {}".format(*cards)
    card, how = divmod(action, PLAYED)
    if how >= NOBODY:
        return NAMES[card]
    guess = f" {NAMES[how % 10]}" if card == GUARD else ""
    return f"{NAMES[card]} {how // 10}{guess}"


def _hidden(game: LoveLetter, state: Any, sight: int) -> str:
    """An action or a draw in the words for those who cannot see the cards."""
    if sight == SOME_CHOICE:
        number = "2 cards" if len(hand(state, int(state[CURRENT]))) > 2 else "a card"
        return f"keep a card, return {number}"
    if state[PHASE] != DEALING:
        return f"player {draws(state)} draws a card"
    if state[DUE] > game.players:
        return "face up: a card"
    return f"player {game.players - int(state[DUE])} is dealt a card"


@implements(LoveLetter)
def parse(game: LoveLetter, state: Any, text: str) -> int:
    words = re.findall(r"\w+", text.lower())
    if state[PHASE] == STARTING:
        numbers = [int(word) for word in words if word.isdecimal() and len(word) < 3]
        if not numbers or numbers[0] >= game.players:
            raise _unclear(text, "start")
        return numbers[0]
    if mover(game, state) == CHANCE:
        card = _card(words[-1]) if words else None
        if card is None:
            raise _unclear(text, "drawn")
        return card
    if state[PHASE] == CHOOSING:
        return _parse_choice(state, text, words)
    return _parse_card(game, text, words)


def _unclear(text: str, expected: str, **values: object) -> ActionError:
    """The error of a text that names no action; `expected` ends the key of the right form."""
    return ActionError(
        text[:MOST_SHOWN], Sentence(f"error.love-letter.action.{expected}", **values)
    )


def _card(word: str) -> int | None:
    """The card of a name, of its beginning if no other begins so, or of a value."""
    if word.isdecimal():
        return int(word) if len(word) == 1 else None
    if word in NAMES:
        return NAMES.index(word)
    found = [card for card, name in enumerate(NAMES) if name.startswith(word)]
    return found[0] if len(found) == 1 else None


def _parse_card(game: LoveLetter, text: str, words: list[str]) -> int:
    words = [word for word in words if word not in ("player", "play", "on", "guess", "as")]
    card = _card(words[0]) if words else None
    if card is None or len(words) > (3 if card == GUARD else 2):
        raise _unclear(text, "card")
    if len(words) == 1:
        return card * PLAYED + NOBODY
    target = int(words[1]) if words[1].isdecimal() and len(words[1]) == 1 else game.players
    guess = 0
    if card == GUARD:
        named = _card(words[2]) if len(words) == 3 else None
        if named is None:
            raise _unclear(text, "guess")
        guess = named
    if target >= game.players:
        raise _unclear(text, "target", last=game.players - 1)
    return card * PLAYED + target * 10 + guess


def _parse_choice(state: Any, text: str, words: list[str]) -> int:
    """The cards in the order named, the one kept first; `last` leaves room for one not named."""
    held = sorted(hand(state, int(state[CURRENT])))
    unclear = _unclear(text, "choice", held=", ".join(NAMES[card] for card in held))
    last = "last" in words
    skipped = ("chancellor", "keep", "return", "then", "and", "last", "first")
    # A Chancellor may be one of the cards: only the word before "keep" is the one played.
    if words[:2] == ["chancellor", "keep"]:
        words = words[1:]
    named = [_card(word) for word in words if word not in skipped or word == "chancellor"]
    rest = list(held)
    cards: list[int] = []
    for card in named:
        if card is None or card not in rest:
            raise unclear
        rest.remove(card)
        cards.append(card)
    if not cards or (len(rest) > 1 and rest[0] != rest[1]):
        raise unclear
    if last and len(cards) == 2 and len(rest) == 1:
        cards.insert(1, rest.pop())
    cards += rest
    number = int("".join(map(str, cards)))
    return (SINGLE if len(cards) == 2 else CHOICE) + number


# Observations and events.


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
    """The cards that Chancellors put back, next drawn first: [owner, card or None]."""
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


@implements(LoveLetter)
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


@implements(LoveLetter)
def tell(game: LoveLetter, state: Any, player: int, action: int) -> dict[str, Any]:
    """Adds what the action shows to this player: see `docs/en/love-letter.md`."""
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


def revealed(game: LoveLetter, state: Any, player: int, action: int) -> dict[str, Any]:
    """By name, the facts that an action or outcome about to be applied shows to a player."""
    after = [int(each) for each in state]
    play(game, after, int(action))
    shown: dict[str, Any] = {}
    if state[PHASE] == PLAYING:
        shown = _effects(state, player, int(action), after)
    elif mover(game, state) == CHANCE and state[PHASE] == DRAWING:
        shown["to"] = draws(state)
    if after[PHASE] in (ENDED, STARTING) and state[PHASE] != STARTING:
        shown["round_over"] = round_over(game, after)
    return shown


def _effects(state: Any, player: int, action: int, after: list[int]) -> dict[str, Any]:
    actor, (card, how) = int(state[CURRENT]), divmod(action, PLAYED)
    shown: dict[str, Any] = {}
    if how < NOBODY and card != PRINCE:
        target = how // 10
        theirs = int(state[HANDS + target])
        held = int(state[HANDS + actor])
        mine = int(state[SECOND]) if held == card else held
        if card == GUARD:
            shown["hit"] = theirs == how % 10
        elif card == PRIEST and player == actor:
            shown["seen"] = theirs
        elif card == BARON and player in (actor, target):
            shown["compared"] = [mine, theirs]
        elif card == KING and player in (actor, target):
            shown["swapped"] = [theirs, mine]
    discarded = log(after)[int(state[LOGGED]) + 1 :]
    if discarded:
        shown["discarded"] = [[each.player, each.card] for each in discarded]
    out = members(int(state[ALIVE]) & ~after[ALIVE])
    if out:
        shown["out"] = out[0]
    return shown


def round_over(game: LoveLetter, state: Any) -> dict[str, Any]:
    """The end of the round that has just been played, as everybody sees it."""
    alive = members(int(state[ALIVE]))
    showdown = len(alive) > 1
    return {
        "round": int(state[ROUND]),
        "reason": "showdown" if showdown else "elimination",
        "winners": members(int(state[WINNERS])),
        "spy_bonus": int(state[BONUS]) - 1 if state[BONUS] else None,
        "hands": [hand(state, each)[0] if showdown and each in alive else None
                  for each in range(game.players)],
        "tokens": [int(each) for each in state[TOKENS : TOKENS + game.players]],
    }  # fmt: skip


# The table as text.
