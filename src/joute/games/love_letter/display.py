"""Love Letter as it is shown: table and choices at the terminal, remarks beside the board.

At the terminal the cards not seen stand beside the players and the own hand below; on a narrow one
all of it stands below each other.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any, NamedTuple

from joute.cli.playing.drawing import COMMANDS, Asked, Drawing, Marks, Terminal, command_word
from joute.cli.playing.page import cut, length, wrapped
from joute.core.interface import observe
from joute.games.love_letter.state import (
    BARON,
    CHOICE,
    CLASSIC_COPIES,
    COPIES,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    NOBODY,
    PLAYED,
    PRIEST,
    PRINCE,
    hand,
)
from joute.games.love_letter.telling import (
    Seen,
    cards_chosen,
    choice_told,
    effect,
    known_card,
    missed,
    named,
    notes,
    playable,
    sentence,
)
from joute.games.love_letter.typed import understand, whom
from joute.text import Line
from joute.web.games import Web

BESIDE = 70  # columns that the players need to have the characters beside them
UNSEEN_COLUMNS = 20  # of the list of characters, the gap behind it included
INDENT = 6  # of the cards in front of a player
INDENT_MOST = 24  # of what does not fit on a line
DOT = " \N{MIDDLE DOT} "

Part = tuple[str, str]
"""A text and its style."""


class _Shown(NamedTuple):
    """The contents of a drawing."""

    seen: Seen
    names: tuple[str, ...]
    hands: list[list[int]]  # of all players once the game is over, else empty


def _table(
    game: Any, state: Any, player: int, names: tuple[str, ...], over: bool, columns: int
) -> list[Line]:
    """The player's view, or everything where the game is `over`, in so many columns."""
    hands = [hand(state, each) for each in range(game.players)] if over else []
    shown = _Shown(observe(game, state, player), names, hands)
    own = _hand(shown, columns)
    if columns < BESIDE:
        lines = [*_players(shown, columns), *own, [], *_counted(shown, columns)]
    else:
        lines = _beside(
            [[(sentence("unseen"), "dim")], *_characters(shown)],
            _players(shown, columns - UNSEEN_COLUMNS),
        )
        lines += own
    return [cut(line, columns) for line in lines]


def _beside(left: list[Line], right: list[Line]) -> list[Line]:
    empty: Line = []
    return [
        [*mine, (" " * (UNSEEN_COLUMNS - length(mine)), ""), *others]
        for mine, others in zip_longest(left, right, fillvalue=empty)
    ]


def _characters(shown: _Shown) -> list[Line]:
    """A line for each character: how many copies are unseen, of how many."""
    copies = CLASSIC_COPIES if shown.seen["deck"] == "classic" else COPIES
    lines: list[Line] = []
    for card, count in enumerate(copies):
        if not count:
            continue  # not in this deck
        left = shown.seen["unseen"][card]
        style = "" if left else "dim"
        lines.append([(f"{card} {named(card):11}", style), (f"{left}/{count}", style)])
    return lines


def _counted(shown: _Shown, columns: int) -> list[Line]:
    """The characters that are left, as a list."""
    left = enumerate(shown.seen["unseen"])
    parts = [(f"{card} {named(card)} {count}", "") for card, count in left if count]
    return _flowed([(f"{sentence('unseen.list')} ", "dim")], parts, columns, ", ")


def _players(shown: _Shown, columns: int) -> list[Line]:
    """The standing of the round, then each player with the cards in front of them."""
    seen = shown.seen
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
        lines += _player(shown, player, columns)
    if seen["bottom"]:
        parts = [
            (sentence("bottom.one", card=_some_card(card), name=shown.names[owner]), "")
            for owner, card in seen["bottom"]
        ]
        lines += _flowed([(f"{sentence('bottom')} ", "dim")], parts, columns, ", ")
    return lines


def _player(shown: _Shown, player: int, columns: int) -> list[Line]:
    """A player's name and what is known of them; below it the cards in front of them."""
    seen = shown.seen
    to_move, alive = seen["to_move"] == player, player in seen["alive"]
    start: Line = [
        ("> " if to_move else "  ", "bold"),
        (f" {player} ", f"player{player}"),
        (f" {shown.names[player]}", "bold" if to_move else "" if alive else "dim"),
    ]
    parts = [("", ""), *_marks(shown, player)]
    lines = _flowed(start, parts if len(parts) > 1 else [], columns, DOT)
    entries = [each for each in seen["log"] if each["player"] == player]
    cards = [named(each["card"]) if each["played"] else f"({named(each['card'])})"
             for each in entries]  # fmt: skip
    if cards:
        indent: Line = [(" " * INDENT, "")]
        lines += _flowed(indent, [(text, "") for text in cards], columns, ", ")
    return lines


def _marks(shown: _Shown, player: int) -> list[Part]:
    """The facts that stand beside a player's name."""
    seen, parts = shown.seen, []
    if player == seen["player"] and not shown.hands:
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
    if shown.hands:
        held = ", ".join(map(named, shown.hands[player]))
        return [*parts, (sentence("holds", cards=held), "bold")] if held else parts
    if player != seen["player"] and player in seen["alive"]:
        sure = known_card(seen, player)
        misses = [card for card in missed(seen, player) if seen["unseen"][card]]
        if sure is not None:
            parts.append((sentence("known", card=named(sure)), "bold"))
        elif misses:
            parts.append((sentence("not", cards=", ".join(map(named, misses))), ""))
    return parts


def _hand(shown: _Shown, columns: int) -> list[Line]:
    """The cards that the player holds, with their effects, and reminders."""
    seen = shown.seen
    if shown.hands:
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


def _some_card(card: int | None) -> str:
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


# Actions in words.


def _choices(asked: Asked) -> list[str]:
    """All that may be typed now, for completion: cards, with targets and guesses, then commands."""
    texts: dict[str, None] = {}
    for action in asked.actions:
        for text in _beginnings(asked, action):
            texts[text] = None
    return [*texts, *map(command_word, COMMANDS)]


def _beginnings(asked: Asked, action: int) -> list[str]:
    """An action word by word, as it may be typed."""
    if action >= CHOICE:
        cards = list(map(named, cards_chosen(action)))
        return [cards[0], " ".join(cards)]
    card, how = divmod(action, PLAYED)
    parts = [named(card)]
    if how < NOBODY:
        parts.append(whom(asked, how // 10))
    if card == GUARD and how < NOBODY:
        parts.append(named(how % 10))
    return [" ".join(parts[: size + 1]) for size in range(len(parts))]


def _listing(asked: Asked) -> list[str]:
    """The legal actions: a line for each card, then reminders."""
    seen = observe(asked.game, asked.state, asked.player)
    lines = []
    if seen["phase"] == "chancellor":
        lines = [sentence("legal.keep", cards=", ".join(map(named, sorted(set(seen["hand"])))))]
    else:
        for card in sorted(playable(seen)):
            hows = [each % PLAYED for each in asked.actions if each // PLAYED == card]
            targets = sorted({how // 10 for how in hows if how < NOBODY})
            names = ", ".join(whom(asked, target) for target in targets)
            key = "legal.alone" if not targets else "legal.guard" if card == GUARD else "legal.on"
            lines.append(sentence(key, card=f"{card} {named(card)}", names=names))
    return [*lines, *notes(seen)]


def _help(asked: Asked) -> list[str]:
    """Lines on how actions are typed."""
    return [sentence("help.cards"), sentence("help.effect")]


def _spoken(asked: Asked, actions: list[int]) -> str:
    """An action in words."""
    action = actions[0]
    if action >= CHOICE:
        return choice_told("log.returned", action)
    card, how = divmod(action, PLAYED)
    if how >= NOBODY:
        return named(card)
    text = sentence("log.aimed", card=named(card), target=whom(asked, how // 10))
    return f"{text}, {named(how % 10)}" if card == GUARD else text


def _reason(asked: Asked, action: int) -> str:
    """The reason for an action, as far as counting cards can tell; "" where it cannot."""
    seen = observe(asked.game, asked.state, asked.player)
    text = sentence("why.kept") if action >= CHOICE else _why(seen, *divmod(action, PLAYED))
    return f" ({text})" if text else ""


def _why(seen: Seen, card: int, how: int) -> str:
    hand = list(seen["hand"])
    hand.remove(card)
    other, target = hand[0], how // 10
    sure = None if how >= NOBODY else known_card(seen, target)
    left = sum(seen["unseen"])
    if card == COUNTESS and len(playable(seen)) == 1:
        return notes(seen)[0].rstrip(".")
    if how >= NOBODY:
        key = {HANDMAID: "why.safe"}.get(card, "why.low" if card < other else "")
        return sentence(key, card=named(other)) if key else ""
    if sure is not None:
        return sentence("why.seen", card=named(sure))
    if card == GUARD:
        return sentence("why.likely", count=seen["unseen"][how % 10], left=left)
    if card == BARON:
        lower = sum(seen["unseen"][:other])
        return sentence("why.higher", card=named(other), count=lower, left=left)
    if card == PRIEST:
        return sentence("why.look")
    if card == PRINCE and target != seen["player"]:
        return sentence("why.discard")
    if card in (PRINCE, KING):
        return sentence("why.redraw", card=named(other))
    return sentence("why.low", card=named(other)) if card < other else ""


def _draw(game: Any, state: Any, player: int, marks: Marks) -> Drawing:
    wide, narrow = (
        _table(game, state, player, marks.names, marks.over, columns) for columns in (78, 44)
    )
    return Drawing(wide, narrow)


TERMINAL = Terminal(
    _draw,
    seated=True,
    understand=understand,
    choices=_choices,
    listing=_listing,
    help=_help,
    spoken=_spoken,
    reason=_reason,
)


def _remarks(seen: Seen) -> dict[str, Any]:
    """`notes`: sentences on the choice to be made; `missed`: what others cannot hold, by player.

    Where a card is known there, or no copy is unseen, that says more.
    """
    excluded = [
        []
        if player == seen["player"] or known_card(seen, player) is not None
        else [card for card in missed(seen, player) if seen["unseen"][card]]
        for player in range(seen["players"])
    ]
    return {"notes": notes(seen), "missed": excluded}


WEB = Web(order=4, wide=True, usual={"tokens": 0}, words=("love_letter.",), remarks=_remarks)
