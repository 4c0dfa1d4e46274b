"""Paradise as it is shown and typed at the terminal, and remarks beside the board.

The viewer is below, their minions nearest the middle. A star marks what can be played or can
attack.

Typed are `play 3`, `fireball hero`, `attack 2 1`, `power`, `end`, `card 3`, in the words of both
languages; a card by its names, their beginnings, or its place in the hand. What cannot be done is
answered with the reason.
"""

from __future__ import annotations

import textwrap
from typing import Any, NoReturn

from joute.cli.playing.drawing import (
    COMMANDS,
    Asked,
    Drawing,
    Marks,
    Terminal,
    Typed,
    Unclear,
    command_word,
    known_command,
)
from joute.cli.playing.page import length
from joute.core.interface import CHANCE, mover, observe, play
from joute.games.paradise.state import (
    AIM,
    AIMED,
    AIMS,
    BOOK,
    COBRA,
    END,
    HOUNDS,
    MINION,
    MOST_BOARD,
    OWN,
    PLAY,
    POWER_ACTION,
    POWER_COST,
    STRIKE,
    TARGETS,
)
from joute.games.paradise.telling import (
    Seen,
    described,
    meant,
    minions,
    phrases,
    said,
    target_word,
    typed_as,
    warning,
    word,
)
from joute.i18n.words import folded, say
from joute.text import Line
from joute.web.games import Web

MINION_COLUMNS = 11
NAME_COLUMNS = 14
STAR = "*"
_FILLING = frozenset(("on", "at", "the", "with", "->", "sur", "au", "avec"))


def _table(
    game: Any, state: Any, player: int, names: tuple[str, ...], over: bool, columns: int
) -> list[Line]:
    """The player's view, in so many columns; both hands when the game is over."""
    seen = observe(game, state, player)
    legal, other = seen["legal"], 1 - player
    lines = _hero(seen, other, names, columns)
    if over:
        lines += _hand(observe(game, state, other)["hand"], set(), columns)
    lines += _minions(seen, other, set(), columns)
    lines.append([("-" * columns, "dim")])
    attackers = {(each - STRIKE) // TARGETS for each in legal if each >= STRIKE}
    lines += _minions(seen, player, attackers, columns)
    lines += _hero(seen, player, names, columns)
    plays = {each - PLAY for each in legal if PLAY <= each < AIM}
    plays |= {(each - AIM) // AIMS for each in legal if AIM <= each < STRIKE}
    lines += _hand(seen["hand"], plays, columns)
    key, text = warning(seen)
    style = "legal" if key == "lethal" else "bold"
    return [*lines, *([(part, style)] for part in textwrap.wrap(text, columns))]


def _hero(seen: Seen, player: int, names: tuple[str, ...], columns: int) -> list[Line]:
    """A player's name and numbers, in as many lines as they need."""
    to_move = seen["to_move"] == player
    power = "used" if seen["power_used"][player] else "ready"
    mana, most = seen["mana"][player], seen["max_mana"][player]
    facts = [
        say("play.paradise.health", health=seen["health"][player]),
        say("play.paradise.mana", mana=mana, most=most),
        say(f"play.paradise.power.{power}"),
        say("play.paradise.hand", count=seen["hand_size"][player]),
        say("play.paradise.deck", count=seen["deck_size"][player]),
    ]
    if seen["fatigue"][player]:
        facts.append(say("play.paradise.fatigue", damage=seen["fatigue"][player]))
    width = min(max(len(name) for name in names), NAME_COLUMNS)
    line: Line = [("> " if to_move else "  ", "bold"), (f" {player} ", f"player{player}")]
    line.append((f" {names[player][:NAME_COLUMNS]:{width}}", "bold" if to_move else ""))
    lines = [line]
    for number, fact in enumerate(facts):
        if length(lines[-1]) + 2 + len(fact) > columns:
            lines.append([("    ", "")])
        lines[-1].append((f"  {fact}", "bold" if number == 0 else ""))
    return lines


def _minions(seen: Seen, player: int, attackers: set[int], columns: int) -> list[Line]:
    """Two lines for each row of minions: names; number, attack / health and marks."""
    board = seen["boards"][player]
    if not board:
        return [[(say("play.paradise.no_minions"), "dim")]]
    row = columns // MINION_COLUMNS
    lines: list[Line] = []
    for number, each in enumerate(board):
        if number % row == 0:
            lines += [[], []]
        ready = number in attackers
        marks = STAR * ready + "p" * (each["card"] == COBRA) + "c" * each["charge"]
        figures = f"{number + 1}: {each['attack']}/{each['health']} {marks}"
        if len(figures) >= MINION_COLUMNS:
            figures = figures.replace(" ", "")
        lines[-2].append((f"{word(each['card']):{MINION_COLUMNS}}", "legal" if ready else ""))
        lines[-1].append((f"{figures:{MINION_COLUMNS}}", "bold"))
    return lines


def _strength(card: int) -> str:
    """The attack and the health of a minion; "" of a spell."""
    known = BOOK[card]
    return f" {known.attack}/{known.health}" if known.kind == MINION else ""


def _hand(cards: list[int], plays: set[int], columns: int) -> list[Line]:
    """The cards with their places, costs and strengths; those that can be played are lit."""
    texts = [
        f"{place + 1:2} {word(card)} ({BOOK[card].cost}){_strength(card)}{STAR * (place in plays)}"
        for place, card in enumerate(cards)
    ]
    width = max((len(text) + 1 for text in texts), default=1)
    lines: list[Line] = []
    for place, text in enumerate(texts):
        if place % (columns // width) == 0:
            lines.append([])
        lines[-1].append((f"{text:{width}}", "legal" if place in plays else "dim"))
    return lines


# Actions in words.


def _choices(asked: Asked) -> list[str]:
    """All that may be typed now: actions, cards to be explained, commands."""
    seen = observe(asked.game, asked.state, asked.player)
    actions = [said(seen, action) for action in asked.actions]
    cards = [*seen["hand"], *minions(seen, asked.player), *minions(seen, 1 - asked.player)]
    asking = [f"{phrases('card')[0]} {word(card)}" for card in cards]
    return list(dict.fromkeys([*actions, *asking, *map(command_word, COMMANDS)]))


def _listing(asked: Asked) -> list[str]:
    """The legal actions: cards, spells with their targets, minions with theirs, the rest."""
    seen = observe(asked.game, asked.state, asked.player)
    cards = [f"{place} {word(card)}" for place, card in enumerate(seen["hand"], 1)]
    spells: dict[int, list[str]] = {}
    strikes: dict[int, list[str]] = {}
    for action in asked.actions:
        if action >= STRIKE:
            number, target = divmod(action - STRIKE, TARGETS)
            strikes.setdefault(number, []).append(target_word(target))
        elif action >= AIM:
            place, target = divmod(action - AIM, AIMS)
            spells.setdefault(place, []).append(target_word(target))
    lines = []
    if plain := [cards[each - PLAY] for each in asked.actions if PLAY <= each < AIM]:
        lines.append(say("play.paradise.legal.play", cards=", ".join(plain)))
    for place, targets in spells.items():
        lines.append(say("play.paradise.legal.aim", card=cards[place], targets=", ".join(targets)))
    if strikes:
        numbers = ", ".join(str(number + 1) for number in strikes)
        targets = next(iter(strikes.values()))
        lines.append(say("play.paradise.legal.attack", minions=numbers, targets=", ".join(targets)))
    rest = [said(seen, each) for each in (POWER_ACTION, END) if each in asked.actions]
    return [*lines, ", ".join(rest)]


def _help(asked: Asked) -> list[str]:
    """Lines on how actions are typed, and on the marks."""
    return [say(f"play.paradise.help.{part}") for part in ("typed", "card", "marks")]


def _spoken(asked: Asked, actions: list[int]) -> str:
    """The actions of a turn, up to the first that chance goes on with."""
    texts, state = [], list(asked.state)
    for action in actions:
        if mover(asked.game, state) == CHANCE:
            break
        seen = observe(asked.game, state, asked.player)
        plain = PLAY <= action < AIM  # then the card says it all, after "would play"
        texts.append(word(seen["hand"][action - PLAY]) if plain else said(seen, action))
        play(asked.game, state, action)
    return "; ".join(texts)


# Typed actions.


def _understand(asked: Asked, text: str) -> Typed:
    """The meaning of a text for the player whose turn it is. Raises Unclear."""
    words = folded(text).replace(",", " ").split()
    if not words:
        raise Unclear(say("play.empty"))
    try:
        return _Reader(asked).read(words)
    except Unclear:
        command = known_command(" ".join(words))
        if not command:
            raise
        return Typed(command=command)


class _Reader:
    """Understands a player's words in one position."""

    def __init__(self, asked: Asked) -> None:
        self._legal = asked.actions
        self._seen = observe(asked.game, asked.state, asked.player)
        self._player = asked.player
        self._hand: list[int] = self._seen["hand"]
        self._own = minions(self._seen, asked.player)
        self._enemies = minions(self._seen, 1 - asked.player)

    def read(self, words: list[str]) -> Typed:
        line = " ".join(words)
        if typed_as("end", line):
            return self._checked(END)
        if typed_as("power", line):
            return self._checked(POWER_ACTION)
        if len(words) > 1 and (words[0] == "?" or typed_as("card", words[0])):
            return self._card(" ".join(words[1:]))
        words = [each for each in words if each not in _FILLING] or words
        if typed_as("attack", words[0]):
            return self._attack(words[1:])
        return self._play(words[1:] if typed_as("play", words[0]) else words, line)

    def _card(self, name: str) -> Typed:
        """The texts of the cards that a name means, tokens too, or of the one at a place."""
        place = _one(name, self._hand) if name.isdecimal() else None
        found = meant(name, range(len(BOOK))) if place is None else [self._hand[place]]
        if not found:
            raise Unclear(say("play.paradise.no_card", text=name))
        return Typed(told=tuple(described(card) for card in found))

    def _attack(self, words: list[str]) -> Typed:
        if len(words) < 2:
            raise Unclear(say("play.paradise.typed"))
        name, target_name = words[0], " ".join(words[1:])
        number, target = _one(name, self._own), self._target(target_name)
        if number is None:
            raise Unclear(say("play.paradise.no_minion", text=name))
        if target is None or target == OWN:
            raise Unclear(say("play.paradise.no_enemy", text=target_name))
        return self._checked(STRIKE + TARGETS * number + target)

    def _play(self, words: list[str], line: str) -> Typed:
        """Plays the card that all the words name, or all but the last, which is its target."""
        words = self._without_place(words)
        place, target = _one(" ".join(words), self._hand), None
        if place is None and len(words) > 1:
            place, target = _one(" ".join(words[:-1]), self._hand), self._target(words[-1])
            if place is not None and target is None:
                raise Unclear(say("play.paradise.no_enemy", text=words[-1]))
        if place is None:
            _refuse(words, line)
        name = word(self._hand[place])
        aimed = BOOK[self._hand[place]].kind == AIMED
        if aimed and target is None:
            raise Unclear(say("play.paradise.aimed", card=name, hero=phrases("hero")[0]))
        if target is not None and not aimed:
            raise Unclear(say("play.paradise.not_aimed", card=name))
        return self._checked(PLAY + place if target is None else AIM + AIMS * place + target)

    def _without_place(self, words: list[str]) -> list[str]:
        """The words without a card's name after its place, as `legal` lists it: "4 mole"."""
        place = _one(words[0], self._hand) if words[0].isdecimal() else None
        for end in (len(words), len(words) - 1):
            name = " ".join(words[1:end])
            if place is not None and name and meant(name, [self._hand[place]]):
                return [words[0], *words[end:]]
        return words

    def _target(self, text: str) -> int | None:
        """0 for the hero, the number of an enemy minion, OWN, or None."""
        if typed_as("hero", text):
            return 0
        if typed_as("me", text):
            return OWN
        number = _one(text, self._enemies)
        return None if number is None else number + 1

    def _checked(self, action: int) -> Typed:
        """The action if it is legal. Raises Unclear with the reason if not."""
        if action not in self._legal:
            raise Unclear(self._reason(action))
        return Typed(action=action)

    def _reason(self, action: int) -> str:
        """The reason why an action is not legal."""
        mana = self._seen["mana"][self._player]
        if action >= STRIKE:
            number = (action - STRIKE) // TARGETS
            attacked = self._seen["boards"][self._player][number]["attacked"]
            key = "play.paradise.attacked" if attacked else "play.paradise.asleep"
            return say(key, card=word(self._own[number]))
        if action == POWER_ACTION:
            if self._seen["power_used"][self._player]:
                return say("play.paradise.power_used")
            return say("play.paradise.power_mana", cost=POWER_COST, mana=mana)
        place, target = (action - PLAY, 0) if action < AIM else divmod(action - AIM, AIMS)
        card = BOOK[self._hand[place]]
        name = word(self._hand[place])
        if card.cost > mana:
            return say("play.paradise.cost", card=name, cost=card.cost, mana=mana)
        if target == OWN:
            return say("play.paradise.not_me")
        if len(self._own) == MOST_BOARD and card.kind in (MINION, HOUNDS):
            return say("play.paradise.full", most=MOST_BOARD)
        return say("play.paradise.no_prey", card=name)


def _refuse(words: list[str], line: str) -> NoReturn:
    """Says that the words are no card of the hand, or nothing at all."""
    for name in (" ".join(words), " ".join(words[:-1])):
        if name and not name.isdecimal() and (found := meant(name, range(len(BOOK)))):
            raise Unclear(say("play.paradise.not_held", card=word(found[0])))
    raise Unclear(f"{say('play.no_action', text=line)}\n{say('play.paradise.typed')}")


def _one(text: str, cards: list[int]) -> int | None:
    """The place, from 0, of the card that a number or a name means; None if there is none.

    Raises Unclear if the name means several.
    """
    if text.isdecimal():
        return int(text) - 1 if 1 <= int(text) <= len(cards) else None
    found = meant(text, cards) if text else []
    if len(found) > 1:
        several = ", ".join(word(card) for card in found)
        raise Unclear(say("play.ambiguous", text=text, names=several))
    return cards.index(found[0]) if found else None


def _draw(game: Any, state: Any, player: int, marks: Marks) -> Drawing:
    wide, narrow = (
        _table(game, state, player, marks.names, marks.over, columns) for columns in (78, 44)
    )
    return Drawing(wide, narrow)


TERMINAL = Terminal(
    _draw,
    seated=True,
    understand=_understand,
    choices=_choices,
    listing=_listing,
    help=_help,
    spoken=_spoken,
)


def _remarks(seen: Seen) -> dict[str, Any]:
    """`lethal` or `danger`: a sentence on a hero that can be killed, while the viewer chooses."""
    key, sentence = warning(seen)
    return {key: sentence} if key else {}


_SHOWN = ("card", "asleep", "attacked", "cost", "full", "no_prey")
"""Sentences that the board in the browser shows too."""

WEB = Web(
    order=5, wide=True, words=tuple(f"play.paradise.{name}" for name in _SHOWN), remarks=_remarks
)
