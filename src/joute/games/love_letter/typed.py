"""Reads what people type in Love Letter: a card with target and guess, or a Chancellor's choice.

What is left out is asked for where the rules leave a choice. Cards are typed by value, by name in
any language, or by the beginning of a name; players by number or name, oneself as `me` too.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from joute.cli.playing.drawing import Asked, Typed, Unclear, known_command
from joute.core.interface import observe
from joute.games.love_letter.state import (
    CARDS,
    CHOICE,
    GUARD,
    HANDMAID,
    NOBODY,
    PLAYED,
    PRINCESS,
    SINGLE,
)
from joute.games.love_letter.telling import (
    Seen,
    cards_of,
    effect,
    named,
    notes,
    playable,
    possible,
    sentence,
)
from joute.i18n.words import folded, say
from joute.text import Line

NAMEABLE = [card for card in range(CARDS) if card != GUARD]  # by a Guard

FILLERS = frozenset((
    "play", "on", "guess", "as", "keep", "return", "then", "and", "player", "the",
    "jouer", "joue", "sur", "garder", "rendre", "puis", "et", "joueur", "le", "la",
))  # fmt: skip
MYSELF = frozenset(("me", "myself", "self", "moi"))
_QUESTION = re.compile(r"(?:card |carte |\?)\s*(\w+)")


def _explained(card: int) -> str:
    return say("love_letter.explained", card=f"{card} {named(card)}", effect=effect(card))


def understand(asked: Asked, text: str) -> Typed:
    """The command or action of a text, or the next question. Raises Unclear."""
    word = folded(text)
    if not word:
        raise Unclear(say("play.empty"))
    if word.isdecimal() and len(word) > 1 and int(word) in asked.actions:
        return Typed(action=int(word))
    if (question := _QUESTION.fullmatch(word)) and (cards := cards_of(question[1])):
        return Typed(told=tuple(map(_explained, sorted(cards))))
    seen = observe(asked.game, asked.state, asked.player)
    read = _choice if seen["phase"] == "chancellor" else _card
    try:
        return read(asked, seen, word)
    except Unclear:
        if command := known_command(word):
            return Typed(command=command)
        raise


def _card(asked: Asked, seen: Seen, text: str) -> Typed:
    """A card to be played, its target and its guess."""
    found = next((each for each in re.finditer(r"\w+", text) if each[0] not in FILLERS), None)
    card = _held(found[0] if found else text, seen["hand"])
    if card not in playable(seen):
        raise Unclear("\n".join(notes(seen)))
    ways = [action for action in asked.actions if action // PLAYED == card]
    targets = sorted({way % PLAYED // 10 for way in ways if way % PLAYED < NOBODY})
    aim = _aim(asked, seen, card, targets, text[found.end() if found else 0 :])
    if targets and aim.target is None:
        if len(targets) > 1:
            return _ask_target(asked, card, targets, aim)
        aim = aim._replace(target=targets[0])
    if card == GUARD and targets and aim.guess is None:
        return _ask_guess(asked, seen, aim)
    how = NOBODY if aim.target is None else 10 * aim.target + (aim.guess or 0)
    action = card * PLAYED + how
    if card == PRINCESS:
        return Typed(turn=(action,), told=(sentence("ask.princess"),))
    return Typed(action=action)


class _Aim(NamedTuple):
    """The target of a card and the character that a Guard names; None: not said yet."""

    target: int | None = None
    guess: int | None = None


def _aim(asked: Asked, seen: Seen, card: int, targets: list[int], text: str) -> _Aim:
    """Reads the words after the name of a card, in any order. Raises Unclear."""
    aim = _Aim()
    words = _words(asked.names, text)
    if words and not targets:
        raise Unclear(sentence("ask.alone", card=named(card)))
    for word in words:
        player = _player(asked, word, targets) if aim.target is None else None
        guesses = cards_of(word) - {GUARD} if card == GUARD and aim.guess is None else set()
        if player in targets:
            aim = aim._replace(target=player)
        elif len(guesses) == 1:
            aim = aim._replace(guess=guesses.pop())
        elif guesses:
            raise Unclear(_several(word, guesses))
        elif player is not None:
            raise Unclear(_why_not(asked, seen, card, player))
        elif card == GUARD and cards_of(word) == {GUARD}:
            raise Unclear(sentence("ask.guard"))
        else:
            raise Unclear(say("play.no_action", text=word))
    return aim


def _words(names: tuple[str, ...], text: str) -> list[str]:
    """The words of a text; a name of several words is one, as `#` and the player's number."""
    players = {folded(name): player for player, name in enumerate(names)}
    longest = "|".join(re.escape(name) for name in sorted(players, key=len, reverse=True))
    text = re.sub(rf"(?<!\w)(?:{longest})(?!\w)", lambda name: f" #{players[name[0]]} ", text)
    return [word for word in re.findall(r"#\d|\w+", text) if word not in FILLERS]


def _player(asked: Asked, word: str, targets: list[int]) -> int | None:
    """The player whom a word means: by number, by name or its beginning, or oneself."""
    if word.startswith("#"):
        return int(word[1:])
    if word in MYSELF:
        return asked.player
    if word.isdecimal():
        number = int(word)
        return number if number in range(len(asked.names)) else None
    names = [folded(name) for name in asked.names]
    begun = [player for player, name in enumerate(names) if name.startswith(word)]
    open_ = [player for player in begun if player in targets] or begun
    return open_[0] if len(open_) == 1 else None


def _why_not(asked: Asked, seen: Seen, card: int, player: int) -> str:
    """The reason why a player cannot be chosen."""
    if player == asked.player:
        return sentence("ask.self", card=named(card))
    key = "ask.protected" if player in seen["alive"] else "ask.out"
    return sentence(key, name=asked.names[player])


def _held(word: str, hand: list[int]) -> int:
    """The card in hand that a word means. Raises Unclear."""
    meant = cards_of(word)
    held = meant.intersection(hand)
    if len(held) == 1:
        return held.pop()
    if held:
        raise Unclear(_several(word, held))
    cards = ", ".join(f"{card} {named(card)}" for card in sorted(set(hand)))
    problem = sentence("ask.not_held" if meant else "ask.no_card", text=word, cards=cards)
    raise Unclear(problem)


def _several(word: str, cards: set[int]) -> str:
    return say("play.ambiguous", text=word, names=", ".join(map(named, sorted(cards))))


def _choice(asked: Asked, seen: Seen, text: str) -> Typed:
    """The card that a Chancellor keeps, and the order in which the others go under the deck."""
    rest = list(seen["hand"])
    cards: list[int] = []
    for word in [each for each in re.findall(r"\w+", text) if each not in FILLERS] or [text]:
        if not rest:
            raise Unclear(say("play.no_action", text=text))
        cards.append(_held(word, rest))
        rest.remove(cards[-1])
    if len(set(rest)) > 1:
        pairs = [[rest[0], rest[1]], [rest[1], rest[0]]]
        offers = [[(sentence("ask.order", cards=", ".join(map(named, pair))), "")]
                  for pair in pairs]  # fmt: skip
        names = [named(card) for card in rest]
        return Typed(
            told=(sentence("ask.first"),),
            begun=named(cards[0]),
            offers=tuple(offers),
            words=tuple(names),
        )
    number = int("".join(map(str, cards + rest)))
    return Typed(action=(SINGLE if len(seen["hand"]) == 2 else CHOICE) + number)


def _ask_target(asked: Asked, card: int, targets: list[int], aim: _Aim) -> Typed:
    begun = named(card) if aim.guess is None else f"{named(card)} {named(aim.guess)}"
    names = [whom(asked, player) for player in targets]
    offer: Line = []
    for player, name in zip(targets, names, strict=True):
        offer += [(f" {player} ", f"player{player}"), (f" {name}   ", "")]
    told = (sentence("ask.target", card=named(card)),)
    return Typed(told=told, begun=begun, offers=(offer,), words=tuple(names))


def _ask_guess(asked: Asked, seen: Seen, aim: _Aim) -> Typed:
    """Asks for a character; those that the target cannot hold are grey, or in brackets."""
    target = aim.target or 0
    offers: list[Line] = [[], []]
    told = sentence("ask.guess", name=asked.names[target])
    if not all(possible(seen, target, card) for card in NAMEABLE):
        told += " " + sentence("ask.grey")
    for card in NAMEABLE:
        name = f"{card} {named(card)}"
        can = possible(seen, target, card)
        offers[card > HANDMAID].append((f"{name}   " if can else f"({name})   ", _style(can)))
    return Typed(
        told=(told,),
        begun=f"{named(GUARD)} {asked.names[target]}",
        offers=tuple(offers),
        words=tuple(map(named, NAMEABLE)),
    )


def _style(can: bool) -> str:
    return "bold" if can else "dim"


def whom(asked: Asked, player: int) -> str:
    """A player as people may type it."""
    return sentence("ask.me") if player == asked.player else asked.names[player]
