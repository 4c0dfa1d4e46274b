"""The table of Paradise: both heroes, their minions, the hand, and who could be killed.

The viewer is below, his minions nearest the middle. A star marks what can be played or can attack.
"""

from __future__ import annotations

import textwrap
from typing import Any

from joute.cli.playing.colours import length
from joute.core.interface import observe
from joute.games.paradise import damage
from joute.games.paradise.cards import BOOK, COBRA
from joute.games.paradise.names import word
from joute.games.paradise.state import AIM, AIMS, PLAY, STRIKE, TARGETS
from joute.i18n.words import say
from joute.text import Line

MINION_COLUMNS = 11
NAME_COLUMNS = 14
STAR = "*"

Seen = dict[str, Any]
"""What a player observes."""


def table(
    game: Any, state: Any, player: int, names: tuple[str, ...], over: bool, columns: int
) -> list[Line]:
    """What the player may see, in so many columns; both hands when the game is over."""
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
    return [*lines, *_warnings(seen, columns)]


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


def _hand(cards: list[int], plays: set[int], columns: int) -> list[Line]:
    """The cards with their places and costs; those that can be played are lit."""
    texts = [
        f"{place + 1:2} {word(card)} ({BOOK[card].cost}){STAR * (place in plays)}"
        for place, card in enumerate(cards)
    ]
    width = max((len(text) + 1 for text in texts), default=1)
    lines: list[Line] = []
    for place, text in enumerate(texts):
        if place % (columns // width) == 0:
            lines.append([])
        lines[-1].append((f"{text:{width}}", "legal" if place in plays else "dim"))
    return lines


def _warnings(seen: Seen, columns: int) -> list[Line]:
    """Sentences on heroes that can be killed, while the viewer is to choose."""
    if not seen["legal"]:
        return []
    mine, his = seen["health"][seen["player"]], seen["health"][1 - seen["player"]]
    if (most := damage.now(seen)) >= his:
        text, style = say("play.paradise.lethal", damage=most, health=his), "legal"
    elif (most := damage.to_come(seen)) >= mine:
        text, style = say("play.paradise.danger", damage=most, health=mine), "bold"
    else:
        return []
    return [[(line, style)] for line in textwrap.wrap(text, columns)]
