"""Paradise in plain data and text: what bots, people and records see.

Observation, lists by player: `player` (the observer's), `to_move` (-1 while a card is drawn or a
shot falls, -2 when the game is over), `turn` (from 1), `actions` (of this turn so far), `health`,
`mana`, `max_mana`, `power_used`, `fatigue` (the last damage of an empty deck), `hand` (the
observer's cards, left to right), `hand_size`, `deck_size`, `boards` (minions left to right, a
dictionary each), `unseen` (how many of each card a player has left that the observer does not see),
`legal` (the actions open to the observer if it is their turn, else empty).

A minion: `card` (0..17), `attack` (with auras), `bonus` (what auras add), `health`, `max_health`,
`turns` (begun since it came), `attacked` (in this turn), `charge`.

Actions as people type them: `attack 2 hero`, `play wolf`, `fireball hero`, `end`. A card is named
by its word, its title, the beginning of a word of either, or by its number in the hand from the
left (`play 3 hero`); `#3` after the name says which of two. A target is `hero` or an enemy minion's
number from the left; `me` is one's own hero. Outcomes: `draws wolf`, `hits 2`.
"""

import re
from collections.abc import Sequence
from typing import Any

from joute.core.errors import ActionError
from joute.core.interface import (
    CHANCE,
    OVER,
    implements,
    legal_actions,
    mover,
    seen,
)
from joute.games.paradise.hidden import SHOWN, UNKNOWN
from joute.games.paradise.state import (
    ACTED,
    AIM,
    AIMED,
    AIMS,
    BOARD_SIZE,
    BOOK,
    CARDS,
    CHOOSING,
    DECK_SIZE,
    END,
    FATIGUE,
    HAND,
    HAND_SIZE,
    HERO,
    HOUND,
    MANA,
    MAX_MANA,
    MOST_BOARD,
    MOST_HAND,
    OWN,
    PHASE,
    PLAY,
    PLAYER,
    POWER_ACTION,
    POWER_USED,
    SHOOTING,
    STRIKE,
    TARGETS,
    TURN,
    VICTIM,
    Paradise,
    block,
    bonus,
    charging,
    drawer,
    minion,
    unseen,
)
from joute.i18n.words import Sentence, say, seat_name

HERO_WORD, ME_WORD = "hero", "me"
_FILLING = frozenset(("on", "at", "the", "with", "my", "minion", "card", "->"))
_WORDS = {"end": END, "end turn": END, "pass": END, "done": END}
_WORDS |= {"power": POWER_ACTION, "hero power": POWER_ACTION}
_LONGEST = 80
WIDE = 11  # columns of a minion
MARK = "*"  # of a minion that can attack


def _cards(state: Any, player: int) -> list[int]:
    """The cards of a player's hand, left to right."""
    first = block(player)
    return [int(each) for each in state[first + HAND : first + HAND + state[first + HAND_SIZE]]]


def played(state: Any, action: int) -> tuple[int, int | None]:
    """The card that an action of the mover plays, and its target if it has one."""
    place, target = action - PLAY, None
    if action >= AIM:
        place, target = (action - AIM) // AIMS, (action - AIM) % AIMS
    return int(state[block(int(state[PLAYER])) + HAND + place]), target


@implements(Paradise)
def describe(game: Any, state: Any, action: int, *, place: bool = True) -> str:
    """`place`: whether it may say where in the hand a card is; the opponent cannot know."""
    action = int(action)
    if mover(game, state) == CHANCE:
        if state[PHASE] == SHOOTING:
            return f"hits {action - VICTIM + 1}"
        return f"draws {BOOK[action].word}"
    if action >= STRIKE:
        number, target = divmod(action - STRIKE, TARGETS)
        return f"attack {number + 1} {_target(target)}"
    if action < PLAY:
        return "end" if action == END else "power"
    card, aim = played(state, action)
    name = BOOK[card].word
    hand = _cards(state, int(state[PLAYER]))
    number = (action - AIM) // AIMS if action >= AIM else action - PLAY
    if place and hand.index(card) != number:
        name += f" #{number + 1}"
    return f"play {name}" if aim is None else f"{name} {_target(aim)}"


def _target(target: int) -> str:
    return ME_WORD if target == OWN else str(target) if target else HERO_WORD


@implements(Paradise)
def parse(game: Any, state: Any, text: str) -> int:
    quoted = text[:_LONGEST]
    if mover(game, state) == CHANCE:
        return _outcome(state, quoted)
    words = [word for word in quoted.lower().replace(",", " ").split() if word not in _FILLING]
    if (known := _WORDS.get(" ".join(words))) is not None:
        return known
    if words[:1] == ["attack"]:
        return _attack(words, quoted)
    numbered = words[:1] in (["play"], ["cast"])
    words = words[1:] if numbered else words
    if not words:
        raise ActionError(quoted, Sentence("error.paradise.action"))
    target = _read_target(words[-1]) if len(words) > 1 else None
    named = words if target is None else words[:-1]
    hand = _cards(state, int(state[PLAYER]))
    place = _place(named, hand, numbered, quoted)
    card = BOOK[hand[place]]
    if (card.kind == AIMED) != (target is not None):
        aimed = Sentence("error.paradise.aimed", card=card.word)
        raise ActionError(quoted, aimed if card.kind == AIMED else f"'play {card.word}'")
    return PLAY + place if target is None else AIM + AIMS * place + target


def _outcome(state: Any, text: str) -> int:
    if state[PHASE] == SHOOTING:
        if found := re.fullmatch(rf"hits ([1-{MOST_BOARD}])", text):
            return VICTIM + int(found[1]) - 1
        raise ActionError(text, Sentence("error.paradise.hits"))
    for card in range(CARDS):
        if text == f"draws {BOOK[card].word}":
            return card
    raise ActionError(text, Sentence("error.paradise.draws"))


def _attack(words: list[str], text: str) -> int:
    target = _read_target(words[2]) if len(words) == 3 else None
    number = _read_target(words[1]) if len(words) == 3 else None
    if number in (None, 0, OWN) or target in (None, OWN):
        raise ActionError(text, Sentence("error.paradise.attack"))
    return int(STRIKE + TARGETS * (number - 1) + target)


def _read_target(word: str) -> int | None:
    """0 for the hero, 1..7, OWN; None for a word that is none of them."""
    if word in (HERO_WORD, "face"):
        return 0
    if word in (ME_WORD, "myself"):
        return OWN
    return int(word) if re.fullmatch(rf"[1-{MOST_BOARD}]", word) else None


def _place(words: list[str], hand: list[int], numbered: bool, text: str) -> int:
    """The place in the hand of the card that these words name."""
    cards = ", ".join(BOOK[card].word for card in hand)
    wanted = Sentence("error.paradise.hand" if hand else "error.paradise.empty", cards=cards)
    number = None
    if found := re.fullmatch(r"#([0-9]{1,2})", words[-1]):
        number, words = int(found[1]) - 1, words[:-1]
    elif numbered and len(words) == 1 and re.fullmatch(r"[0-9]{1,2}", words[0]):
        number, words = int(words[0]) - 1, []
    if number is not None and not 0 <= number < len(hand):
        raise ActionError(text, wanted)
    if words:
        fitting = _named(" ".join(words), hand)
        places = [place for place, card in enumerate(hand) if card in fitting]
        if not places or len(fitting) > 1 or (number is not None and number not in places):
            raise ActionError(text, wanted)
        return places[0] if number is None else number
    if number is None:
        raise ActionError(text, wanted)
    return number


def _named(name: str, hand: list[int]) -> set[int]:
    """The cards of the hand that a name or a beginning of one means."""
    exact = {card for card in hand if name in (BOOK[card].word, BOOK[card].title.lower())}
    if exact:
        return exact
    return {
        card
        for card in hand
        for whole in (BOOK[card].word, BOOK[card].title.lower())
        if whole.startswith(name) or any(word.startswith(name) for word in whole.split())
    }


# Observations and events.


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


@implements(Paradise)
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
        "unseen": [[unseen(state, each, player, card) for card in range(CARDS)] for each in (0, 1)],
        "legal": choices,
    }


@implements(Paradise)
def tell(game: Paradise, state: Any, player: int, action: int) -> dict[str, Any]:
    """Adds `card` where a card is drawn or played; -1 if it is not seen.

    Of an opponent's card it is not told where in the hand it was; `action` is what `seen` says.
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


# The boards as text.


@implements(Paradise)
def render(game: Paradise, state: Any, player: int | None = None) -> str:
    return position(game, state, player)


def position(game: Paradise, state: Any, player: int | None, names: Sequence[str] = ()) -> str:
    """The boards as a player sees them, their own below; a minion that can attack has a star.

    `names` are those of the seats, where they are known.
    """
    who = [seat_name(each, names) for each in (0, 1)]
    below = 0 if player is None else player
    return "\n".join(
        [
            say("play.paradise.table.turn", turn=int(state[TURN]), what=_next(game, state, who)),
            "",
            *_side(state, 1 - below, who, player is None, above=True),
            "-" * 77,
            *_side(state, below, who, True),
        ]
    )


def drawn(game: Paradise, state: Any, action: int, names: Sequence[str]) -> str:
    """A shot that falls or a card that is drawn, to whoever sees it."""
    if state[PHASE] == SHOOTING:
        return say("play.paradise.table.hits", number=action - VICTIM + 1)
    return say("play.paradise.table.draws_card", card=_word(action))


def _word(card: int) -> str:
    """The short name of a card, in the language spoken."""
    return say(f"play.paradise.card.{card}").partition("|")[0].strip()


def _next(game: Paradise, state: Any, who: list[str]) -> str:
    """The choice, draw or shot that comes next."""
    to_move = mover(game, state)
    if to_move == OVER:
        return say("play.paradise.table.over")
    if to_move != CHANCE:
        return say("board.to_move", name=who[to_move])
    if state[PHASE] == SHOOTING:
        return say("play.paradise.table.shoots", name=who[int(state[PLAYER])])
    return say("play.paradise.table.draws", name=who[drawer(state)])


def _side(state: Any, player: int, who: list[str], hand: bool, above: bool = False) -> list[str]:
    """One player's lines: the hero, the hand if it may be seen, the minions nearest the middle."""
    first = block(player)
    power = "used" if state[first + POWER_USED] else "ready"
    facts = [
        say("play.paradise.table.health", health=max(int(state[first + HERO]), 0)),
        say(
            "play.paradise.table.mana",
            mana=int(state[first + MANA]),
            most=int(state[first + MAX_MANA]),
        ),
        say(f"play.paradise.power.{power}"),
        say("play.paradise.hand", count=int(state[first + HAND_SIZE])),
        say("play.paradise.deck", count=int(state[first + DECK_SIZE])),
    ]
    if state[first + FATIGUE]:
        facts.append(say("play.paradise.fatigue", damage=int(state[first + FATIGUE])))
    lines = [say("board.facts", name=who[player], facts=", ".join(facts))]
    if hand:
        cards = [
            f"{number} {_word(card)} ({BOOK[card].cost})"
            for number, card in enumerate(_cards(state, player), 1)
        ]
        width = max([19, *(len(each) + 1 for each in cards)])
        row = 76 // width
        for start in range(0, len(cards), row):
            shown = "".join(f"{each:{width}}" for each in cards[start : start + row])
            lines.append(f"  {shown}".rstrip())
    board = _minions(state, player)
    return [*lines, *board] if above else [*board, *lines]


def _minions(state: Any, player: int) -> list[str]:
    """Two lines: names; numbers and attack / health."""
    on_turn = state[PHASE] == CHOOSING and state[PLAYER] == player
    names, figures = "", ""
    for number, each in enumerate(_board(state, player), 1):
        awake = on_turn and not each["attacked"] and (each["turns"] > 0 or each["charge"])
        names += _word(each["card"]).ljust(WIDE)
        mark = MARK if awake else ""
        figures += f"{number}: {each['attack']}/{each['health']}{mark}".ljust(WIDE)
    if not names:
        return [f"  {say('play.paradise.no_minions')}"]
    return [names.rstrip(), figures.rstrip()]
