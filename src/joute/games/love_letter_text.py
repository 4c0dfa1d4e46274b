"""Love Letter in plain data and text: what bots, people and records see.

The keys of the observation are in the game's sheet, `docs/love-letter.md`.

Text: a card played is its name, its target and its guess, `guard 2 priest`, `prince 0`, `countess`;
the Chancellor's choice `keep guard, return countess, priest`, the first of which will be drawn
first. Read back, a number will do for a card. A draw is `player 1 draws guard`; who may not see the
card is told `player 1 draws a card`.
"""

import re
from collections.abc import Iterator
from typing import Any

from joute.games.interface import (
    CHANCE,
    OVER,
    ActionError,
    Properties,
    implements,
    legal,
    mover,
)
from joute.games.love_letter_state import (
    ACTIONS,
    ALIVE,
    BOTTOM,
    BOTTOM_COUNT,
    BOTTOM_KNOWN,
    CARDS,
    CHOICE,
    CHOOSING,
    CLASSIC_COPIES,
    COPIES,
    CURRENT,
    DEALING,
    DUE,
    ENDED,
    FACE_UP,
    GUARD,
    HANDS,
    KNOWN,
    NAMES,
    NOBODY,
    NONE,
    PHASE,
    PLAYED,
    PLAYING,
    PROTECTED,
    RANDOM,
    ROUND,
    SECOND,
    SECOND_KNOWN,
    SINGLE,
    SPIES,
    STARTING,
    TOKENS,
    LoveLetter,
    draws,
    hand,
    log,
    members,
)
from joute.games.love_letter_views import SOME_CARD, SOME_CHOICE, revealed, round_over, seen

PHASES = ("start", "deal", "draw", "play", "chancellor", "over")
MOST_SHOWN = 80  # characters of a text in an error


def properties(game: LoveLetter) -> Properties:
    players = game.players
    deck = deck_size(game)
    dealt = players + (3 if players == 2 else 0)
    # The starter and the deal; a turn draws a card of the deck and plays one. Two Chancellors draw
    # two cards more and choose, two Princes draw one more.
    plies = 1 + dealt + 2 * deck + 8
    rounds = 1 if game.tokens == 1 else players * (game.tokens - 1) + 1
    return Properties(
        name="love-letter",
        players=players,
        simultaneous=False,
        chance=True,
        hidden_information=True,
        zero_sum=True,
        max_actions=ACTIONS,
        # A Guard, and a Prince beside it.
        max_legal=10 * (players - 1) + 1,
        max_outcomes=CARDS,
        max_plies=rounds * plies,
        lowest_return=-1.0 / (players - 1),
        highest_return=1.0,
        version=1,
    )


def parameters(game: LoveLetter) -> dict[str, Any]:
    deck = "classic" if game.classic else "2019"
    return {"players": game.players, "tokens": game.tokens, "deck": deck}


def deck_size(game: LoveLetter) -> int:
    """Cards in the deck after the deal."""
    cards = sum(CLASSIC_COPIES if game.classic else COPIES)
    return cards - 1 - game.players - (3 if game.players == 2 else 0)


def stream(game: LoveLetter, state: Any) -> str:
    """Of each round its own: games with one seed have the same decks, however long the rounds."""
    if state[PHASE] == STARTING:
        return f"starter {int(state[ROUND]) + 1}"
    return f"deck {int(state[ROUND])}"


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
    """By character, the copies that may be anywhere for a player: not in sight, nor known to him."""
    left = list(CLASSIC_COPIES if game.classic else COPIES)
    cards = [card for card in map(int, state[FACE_UP : FACE_UP + 3]) if card != NONE]
    cards += [card for _, card, *_ in log(state)] + hand(state, player)
    cards += [card for _, card in known(game, state, player)]
    cards += [card for _, card in bottom(state, player) if card is not None]
    for card in cards:
        left[card] -= 1
    return left


def observe(game: LoveLetter, state: Any, player: int) -> dict[str, Any]:
    to_move = int(mover(game, state))
    choices: list[int] = []
    if to_move == player:
        choices = [0] * properties(game).max_legal
        choices = choices[: legal(game, state, choices)]
    between = state[PHASE] in (ENDED, STARTING) and state[ROUND] > 0
    players = range(game.players)
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
        "discards": [[card for owner, card, *_ in log(state) if owner == each] for each in players],
        "log": [_entry(*entry) for entry in log(state)],
        "known": known(game, state, player),
        "bottom": bottom(state, player),
        "unseen": unseen(game, state, player),
        "round_over": round_over(game, state) if between else None,
        "legal": choices,
    }


def _entry(owner: int, card: int, target: int, guess: int) -> dict[str, int | bool | None]:
    return {
        "player": owner,
        "card": card,
        "played": target > -2,
        "target": target if target >= 0 else None,
        "guess": guess if guess >= 0 else None,
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
    """An action or a draw as those see it who cannot see the cards."""
    if sight == SOME_CHOICE:
        number = "2 cards" if len(hand(state, int(state[CURRENT]))) > 2 else "a card"
        return f"keep a card, return {number}"
    if state[PHASE] != DEALING:
        return f"player {draws(state)} draws a card"
    if state[DUE] > game.players:
        return "face up: a card"
    return f"player {game.players - int(state[DUE])} is dealt a card"


def parse(game: LoveLetter, state: Any, text: str) -> int:
    words = re.findall(r"\w+", text.lower())
    if state[PHASE] == STARTING:
        numbers = [int(word) for word in words if word.isdecimal() and len(word) < 3]
        if not numbers or numbers[0] >= game.players:
            raise ActionError(text[:MOST_SHOWN], "'player 0 starts'")
        return numbers[0]
    if mover(game, state) == CHANCE:
        card = _card(words[-1]) if words else None
        if card is None:
            raise ActionError(text[:MOST_SHOWN], "a card, like 'player 1 draws guard'")
        return card
    if state[PHASE] == CHOOSING:
        return _parse_choice(state, text, words)
    return _parse_card(game, text, words)


def _card(word: str) -> int | None:
    """The card of a name, of its beginning if no other begins so, or of a value."""
    if word.isdecimal():
        return int(word) if len(word) == 1 else None
    if word in NAMES:
        return NAMES.index(word)
    found = [card for card, name in enumerate(NAMES) if name.startswith(word) and len(word) > 1]
    return found[0] if len(found) == 1 else None


def _parse_card(game: LoveLetter, text: str, words: list[str]) -> int:
    expected = "a card, with a target and a guess where it has them, like 'guard 1 priest'"
    words = [word for word in words if word not in ("player", "play", "on", "guess", "as")]
    card = _card(words[0]) if words else None
    if card is None or len(words) > (3 if card == GUARD else 2):
        raise ActionError(text[:MOST_SHOWN], expected)
    if len(words) == 1:
        return card * PLAYED + NOBODY
    target = int(words[1]) if words[1].isdecimal() and len(words[1]) == 1 else game.players
    guess = 0
    if card == GUARD:
        named = _card(words[2]) if len(words) == 3 else None
        if named is None:
            raise ActionError(text[:MOST_SHOWN], "a guess, like 'guard 1 priest'")
        guess = named
    if target >= game.players:
        raise ActionError(text[:MOST_SHOWN], f"a target in 0..{game.players - 1}")
    return card * PLAYED + target * 10 + guess


def _parse_choice(state: Any, text: str, words: list[str]) -> int:
    """The cards in order, kept first; those not named are clear, or `last` says whose place it is."""
    held = sorted(hand(state, int(state[CURRENT])))
    expected = f"'keep A, return B, C' of {', '.join(NAMES[card] for card in held)}"
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
            raise ActionError(text[:MOST_SHOWN], expected)
        rest.remove(card)
        cards.append(card)
    if not cards or (len(rest) > 1 and rest[0] != rest[1]):
        raise ActionError(text[:MOST_SHOWN], expected)
    if last and len(cards) == 2 and len(rest) == 1:
        cards.insert(1, rest.pop())
    cards += rest
    number = int("".join(map(str, cards)))
    return (SINGLE if len(cards) == 2 else CHOICE) + number


def render(game: LoveLetter, state: Any, player: int | None = None) -> str:
    """The table: a line for each player, what is at the bottom, what is still unseen."""
    lines = [_heading(game, state)]
    up = [NAMES[card] for card in map(int, state[FACE_UP : FACE_UP + 3]) if card != NONE]
    if up:
        lines.append("face up: " + ", ".join(up))
    for each in range(game.players):
        lines += _player_lines(game, state, each, player)
    if state[BOTTOM_COUNT]:
        lines.append(f"at the bottom: {_bottom_text(state, player)}")
    if player is not None:
        left = zip(NAMES, unseen(game, state, player), strict=True)
        lines += _folded("unseen: ", [f"{name} {count}" for name, count in left if count])
    if state[PHASE] in (ENDED, STARTING) and state[ROUND]:
        lines.append(_over_text(round_over(game, state)))
    return "\n".join(lines)


def _heading(game: LoveLetter, state: Any) -> str:
    deck = int(state[RANDOM]) + int(state[BOTTOM_COUNT])
    to_move = mover(game, state)
    who = ""
    if to_move >= 0:
        who = f"; player {int(to_move)} to move"
    elif to_move != OVER:
        who = f"; {PHASES[int(state[PHASE])]}"
    cards = "1 card" if deck == 1 else f"{deck} cards"
    return f"round {int(state[ROUND])}, {cards} in the deck{who}"


def _player_lines(game: LoveLetter, state: Any, player: int, viewer: int | None) -> Iterator[str]:
    alive = bool(int(state[ALIVE]) >> player & 1)
    held = hand(state, player)
    if viewer is not None and viewer != player:
        sure = [card for holder, card in known(game, state, viewer) if holder == player]
        names = [NAMES[card] for card in sure] + ["?"] * (len(held) - len(sure))
    else:
        names = [NAMES[card] for card in held]
    marks = [
        "out" if not alive else "holds " + (", ".join(names) or "nothing"),
        "protected" if alive and int(state[PROTECTED]) >> player & 1 else "",
        "a spy" if int(state[SPIES]) >> player & 1 else "",
        f"tokens {int(state[TOKENS + player])}",
    ]
    you = " (you)" if viewer == player else ""
    yield f"player {player}{you}: " + "; ".join(mark for mark in marks if mark)
    cards = [_entry_text(*entry[1:]) for entry in log(state) if entry[0] == player]
    if cards:
        yield from _folded("    ", cards)


def _entry_text(card: int, target: int, guess: int) -> str:
    if target == -2:
        return f"[{NAMES[card]}]"
    on = f" {target}" if target >= 0 else ""
    return NAMES[card] + on + (f" {NAMES[guess]}" if guess >= 0 else "")


def _bottom_text(state: Any, viewer: int | None) -> str:
    texts = []
    for place in range(int(state[BOTTOM_COUNT])):
        owner = members(int(state[BOTTOM_KNOWN + place]))[0]
        card = NAMES[int(state[BOTTOM + place])] if viewer in (None, owner) else "a card"
        texts.append(f"{card} of player {owner}")
    return ", ".join(texts)


def _over_text(end: dict[str, Any]) -> str:
    winners = " and ".join(f"player {each}" for each in end["winners"])
    bonus = (
        "" if end["spy_bonus"] is None else f"; a token more for player {end['spy_bonus']}'s spy"
    )
    return f"{end['reason']}: won by {winners}{bonus}"


def _folded(start: str, words: list[str]) -> list[str]:
    """Words with commas between them, on lines that fit a terminal."""
    lines, line = [], start
    for number, word in enumerate(words):
        text = word + ("" if number == len(words) - 1 else ", ")
        if len(line) + len(text) > 79:
            lines.append(line.rstrip())
            line = " " * len(start)
        line += text
    return [*lines, line]


def serve(game_class: type) -> None:
    """Give the game the operations of this module."""
    for function in (
        properties, parameters, stream, observe, tell, describe, parse, render,
    ):  # fmt: skip
        implements(game_class)(function)
