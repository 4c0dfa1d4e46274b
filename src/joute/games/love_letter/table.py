"""Love Letter drawn as text, as one player may see it."""

from collections.abc import Iterator
from typing import Any

from joute.core.interface import OVER, mover
from joute.games.love_letter.observation import known, unseen
from joute.games.love_letter.state import (
    ALIVE,
    BOTTOM,
    BOTTOM_COUNT,
    BOTTOM_KNOWN,
    ENDED,
    FACE_UP,
    NAMES,
    NONE,
    PHASE,
    PHASES,
    PROTECTED,
    RANDOM,
    ROUND,
    SPIES,
    STARTING,
    TOKENS,
    Entry,
    LoveLetter,
    hand,
    log,
    members,
)
from joute.games.love_letter.views import round_over

WIDTH = 79  # columns


def render(game: LoveLetter, state: Any, player: int | None = None) -> str:
    """The table: a line for each player, what is at the bottom, what is still unseen."""
    lines = [_heading(game, state)]
    up = [NAMES[card] for card in map(int, state[FACE_UP : FACE_UP + 3]) if card != NONE]
    if up:
        lines.append("face up: " + ", ".join(up))
    for each in range(game.players):
        lines += _player_lines(game, state, each, player)
    if state[BOTTOM_COUNT]:
        lines += _folded("at the bottom: ", _bottom_texts(state, player))
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
    cards = [_entry_text(entry) for entry in log(state) if entry.player == player]
    if cards:
        yield from _folded("    ", cards)


def _entry_text(entry: Entry) -> str:
    """A card as it was played; in brackets one that was discarded."""
    if not entry.played:
        return f"[{NAMES[entry.card]}]"
    target = "" if entry.target is None else f" {entry.target}"
    guess = "" if entry.guess is None else f" {NAMES[entry.guess]}"
    return NAMES[entry.card] + target + guess


def _bottom_texts(state: Any, viewer: int | None) -> list[str]:
    texts = []
    for place in range(int(state[BOTTOM_COUNT])):
        owner = members(int(state[BOTTOM_KNOWN + place]))[0]
        card = NAMES[int(state[BOTTOM + place])] if viewer in (None, owner) else "a card"
        texts.append(f"{card} of player {owner}")
    return texts


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
        if len(line) + len(text) > WIDTH:
            lines.append(line.rstrip())
            line = " " * len(start)
        line += text
    return [*lines, line]
