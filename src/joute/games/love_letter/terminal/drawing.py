"""The table of Love Letter: what is unseen beside the players, and the own hand below.

On a narrow terminal everything stands below each other.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from joute.cli.playing.colours import cut, length, wrapped
from joute.core.interface import observe
from joute.games.love_letter.names import effect, named, sentence
from joute.games.love_letter.notes import Seen, known_card, missed, notes, playable
from joute.games.love_letter.state import CLASSIC_COPIES, COPIES, hand
from joute.text import Line

BESIDE = 70  # columns that the players need to have the characters beside them
UNSEEN_COLUMNS = 20  # of the list of characters, the gap behind it included
INDENT = 6  # of the cards in front of a player
INDENT_MOST = 24  # of what does not fit on a line
DOT = " \N{MIDDLE DOT} "

Part = tuple[str, str]
"""A text and its style."""


class Table(NamedTuple):
    """What is drawn."""

    seen: Seen
    names: tuple[str, ...]
    hands: list[list[int]]  # of all players once the game is over, else empty


def table(
    game: Any, state: Any, player: int, names: tuple[str, ...], over: bool, columns: int
) -> list[Line]:
    """What the player may see, or everything where the game is `over`, in so many columns."""
    hands = [hand(state, each) for each in range(game.players)] if over else []
    drawn = Table(observe(game, state, player), names, hands)
    if columns < BESIDE:
        lines = [*_players(drawn, columns), [], *_counted(drawn, columns)]
    else:
        lines = _beside(
            [[(sentence("unseen"), "dim")], *_characters(drawn)],
            _players(drawn, columns - UNSEEN_COLUMNS),
        )
    return [*(cut(line, columns) for line in lines), *_hand(drawn, columns)]


def _beside(left: list[Line], right: list[Line]) -> list[Line]:
    lines: list[Line] = []
    for row in range(max(len(left), len(right))):
        mine = left[row] if row < len(left) else []
        others = right[row] if row < len(right) else []
        lines.append([*mine, (" " * (UNSEEN_COLUMNS - length(mine)), ""), *others])
    return lines


def _characters(drawn: Table) -> list[Line]:
    """A line for each character: how many copies are unseen, of how many."""
    copies = CLASSIC_COPIES if drawn.seen["deck"] == "classic" else COPIES
    lines: list[Line] = []
    for card, count in enumerate(copies):
        if not count:
            continue  # not in this deck
        left = drawn.seen["unseen"][card]
        style = "" if left else "dim"
        lines.append([(f"{card} {named(card):11}", style), (f"{left}/{count}", style)])
    return lines


def _counted(drawn: Table, columns: int) -> list[Line]:
    """The same as a list of those left."""
    left = enumerate(drawn.seen["unseen"])
    parts = [(f"{card} {named(card)} {count}", "") for card, count in left if count]
    return _flowed([(f"{sentence('unseen.list')} ", "dim")], parts, columns, ", ")


def _players(drawn: Table, columns: int) -> list[Line]:
    """How the round stands, then each player with the cards in front of him."""
    seen = drawn.seen
    deck = {0: "head.none", 1: "head.card"}.get(seen["deck_size"], "head.cards")
    goal = "head.goal" if seen["tokens"] > 1 else "head.single"
    head = [
        sentence("head.round", round=seen["round"]),
        sentence(deck, count=seen["deck_size"]),
        sentence(goal, tokens=seen["tokens"]),
    ]
    lines = _flowed([], [(text, "") for text in head], columns, DOT)
    if seen["face_up"]:
        cards = ", ".join(map(named, seen["face_up"]))
        lines += _flowed([], [(sentence("face_up", cards=cards), "")], columns, DOT)
    for player in range(seen["players"]):
        lines += _player(drawn, player, columns)
    if seen["bottom"]:
        parts = [
            (sentence("bottom.one", card=_card(card), name=drawn.names[owner]), "")
            for owner, card in seen["bottom"]
        ]
        lines += _flowed([(f"{sentence('bottom')} ", "dim")], parts, columns, ", ")
    return lines


def _player(drawn: Table, player: int, columns: int) -> list[Line]:
    """Two lines or more: who he is and what is known of him; the cards in front of him."""
    seen = drawn.seen
    to_move, alive = seen["to_move"] == player, player in seen["alive"]
    start: Line = [
        ("> " if to_move else "  ", "bold"),
        (f" {player} ", f"player{player}"),
        (f" {drawn.names[player]}", "bold" if to_move else "" if alive else "dim"),
    ]
    parts = [("", ""), *_marks(drawn, player)]
    lines = _flowed(start, parts if len(parts) > 1 else [], columns, DOT)
    entries = [each for each in seen["log"] if each["player"] == player]
    cards = [named(each["card"]) if each["played"] else f"({named(each['card'])})"
             for each in entries]  # fmt: skip
    if cards:
        indent: Line = [(" " * INDENT, "")]
        lines += _flowed(indent, [(text, "") for text in cards], columns, ", ")
    return lines


def _marks(drawn: Table, player: int) -> list[Part]:
    """What is to be said of a player."""
    seen, parts = drawn.seen, []
    if player == seen["player"] and not drawn.hands:
        parts.append((sentence("you"), "bold"))
    if seen["tokens"] > 1:
        tokens = seen["points"][player]
        style = "bold" if tokens else "dim"
        parts.append((sentence("tokens", tokens=tokens, goal=seen["tokens"]), style))
    if player not in seen["alive"]:
        parts.append((sentence("out"), "dim"))
    if player in seen["protected"]:
        parts.append((sentence("protected"), "legal"))
    if player in seen["spies"]:
        parts.append((sentence("spy"), ""))
    if drawn.hands:
        held = ", ".join(map(named, drawn.hands[player]))
        return [*parts, (sentence("holds", cards=held), "bold")] if held else parts
    if player != seen["player"] and player in seen["alive"]:
        sure = known_card(seen, player)
        misses = [card for card in missed(seen, player) if seen["unseen"][card]]
        if sure is not None:
            parts.append((sentence("known", card=named(sure)), "bold"))
        elif misses:
            parts.append((sentence("not", cards=", ".join(map(named, misses))), ""))
    return parts


def _hand(drawn: Table, columns: int) -> list[Line]:
    """The cards that the player holds, with their effects, and what he should know of them."""
    seen = drawn.seen
    if drawn.hands:
        return []
    if seen["player"] not in seen["alive"]:
        return [[], [(sentence("hand.out"), "bold")]]
    label = sentence("hand")
    lines: list[Line] = [[]]
    if columns < BESIDE:
        lines.append([(label, "dim")])
        label = ""
    for card in dict.fromkeys(seen["hand"]):
        style = "" if card in playable(seen) else "dim"
        copies = seen["hand"].count(card)
        name = f"{named(card)} x{copies}" if copies > 1 else named(card)
        line = [(f"{label}  ", "dim"), (f"{card} {name:11}", style or "bold"),
                (f" {effect(card)}", style)]  # fmt: skip
        lines += wrapped(line, columns, len(label) + 4)
        label = " " * len(label)
    texts = [[(note, "bold")] for note in notes(seen)]
    return [*lines, *(line for text in texts for line in wrapped(text, columns))]


def _card(card: int | None) -> str:
    return sentence("some_card") if card is None else named(card)


def _flowed(start: Line, parts: list[Part], columns: int, between: str) -> list[Line]:
    """Parts with something between them, on as many lines as they need, the first after `start`."""
    indent: Line = [(" " * min(length(start), INDENT_MOST), "")] if start else []
    lines: list[Line] = []
    line, empty = start, True
    for text, style in parts:
        gap = "" if empty else between
        if not empty and length(line) + len(gap) + len(text) > columns:
            lines.append([*line, (gap.rstrip(), "dim")])
            line, gap = indent, ""
        line = [*line, (gap, "dim"), (text, style)]
        empty = False
    return [*lines, line]
