"""The table of Love Letter as lines of text, in the language spoken."""

from collections.abc import Iterator, Sequence
from typing import Any

from joute.core.interface import (
    CHANCE,
    OVER,
    implements,
    mover,
)
from joute.games.love_letter.state import (
    ALIVE,
    BOTTOM,
    BOTTOM_COUNT,
    BOTTOM_KNOWN,
    DEALING,
    DUE,
    ENDED,
    FACE_UP,
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
    draws,
    hand,
    log,
    members,
)
from joute.games.love_letter.text import known, round_over, unseen
from joute.i18n.words import say, seat_name

WIDTH = 79  # columns


@implements(LoveLetter)
def render(game: LoveLetter, state: Any, player: int | None = None) -> str:
    return position(game, state, player)


def position(game: LoveLetter, state: Any, player: int | None, names: Sequence[str] = ()) -> str:
    """The table: a line for each player, what is at the bottom, what is still unseen.

    `names` are those of the seats, where they are known.
    """
    who = [seat_name(each, names) for each in range(game.players)]
    lines = [_heading(game, state, who)]
    up = [_named(card) for card in map(int, state[FACE_UP : FACE_UP + 3]) if card != NONE]
    if up:
        lines.append(say("love_letter.face_up", cards=", ".join(up)))
    for each in range(game.players):
        lines += _player_lines(game, state, each, player, who)
    if state[BOTTOM_COUNT]:
        lines += _folded(say("play.love_letter.table.bottom"), _bottom_texts(state, player, who))
    if player is not None:
        left = [(_named(card), count) for card, count in enumerate(unseen(game, state, player))]
        counted = [f"{name} {count}" for name, count in left if count]
        lines += _folded(say("love_letter.unseen.list"), counted)
    if state[PHASE] in (ENDED, STARTING) and state[ROUND]:
        lines.append(_over_text(round_over(game, state), who))
    return "\n".join(lines)


def drawn(game: LoveLetter, state: Any, action: int, names: Sequence[str]) -> str:
    """An outcome of chance, to whoever sees the cards."""
    if state[PHASE] == STARTING:
        return say("play.starts", name=names[action])
    card = _named(action)
    if state[PHASE] != DEALING:
        return say("play.love_letter.table.draws", name=names[draws(state)], card=card)
    if state[DUE] > game.players:
        return say("love_letter.face_up", cards=card)
    return say(
        "play.love_letter.table.dealt", name=names[game.players - int(state[DUE])], card=card
    )


def _named(card: int) -> str:
    """The name of a card in the language spoken, as it stands in a sentence."""
    return say(f"love_letter.card.{card}").lower()


def _heading(game: LoveLetter, state: Any, who: list[str]) -> str:
    deck = int(state[RANDOM]) + int(state[BOTTOM_COUNT])
    keys = {0: "play.love_letter.table.none", 1: "love_letter.head.card"}
    cards = say(keys.get(deck, "love_letter.head.cards"), count=deck)
    text = f"{say('love_letter.head.round', round=int(state[ROUND]))}, {cards}"
    to_move = mover(game, state)
    if to_move == OVER:
        return text
    if to_move == CHANCE:
        after = say(f"play.love_letter.table.{PHASES[int(state[PHASE])]}")
    else:
        after = say("board.to_move", name=who[int(to_move)])
    return say("play.love_letter.table.head", table=text, next=after)


def _player_lines(
    game: LoveLetter, state: Any, player: int, viewer: int | None, who: list[str]
) -> Iterator[str]:
    alive = bool(int(state[ALIVE]) >> player & 1)
    held = hand(state, player)
    if viewer is not None and viewer != player:
        sure = [card for holder, card in known(game, state, viewer) if holder == player]
        names = [_named(card) for card in sure] + ["?"] * (len(held) - len(sure))
    else:
        names = [_named(card) for card in held]
    holds = "love_letter.holds" if names else "play.love_letter.table.empty"
    marks = [say(holds, cards=", ".join(names)) if alive else say("love_letter.out")]
    if alive and int(state[PROTECTED]) >> player & 1:
        marks.append(say("love_letter.protected"))
    if int(state[SPIES]) >> player & 1:
        marks.append(say("love_letter.spy").lower())
    marks.append(say("play.love_letter.table.tokens", count=int(state[TOKENS + player])))
    you = f" ({say('love_letter.you')})" if viewer == player else ""
    facts = marks[0]
    for mark in marks[1:]:
        facts = say("play.love_letter.table.more", facts=facts, more=mark)
    yield say("board.facts", name=f"{who[player]}{you}", facts=facts)
    cards = [_entry_text(entry) for entry in log(state) if entry.player == player]
    if cards:
        yield from _folded("   ", cards)


def _entry_text(entry: Entry) -> str:
    """A card as it was played; in brackets one that was discarded."""
    if not entry.played:
        return f"[{_named(entry.card)}]"
    target = "" if entry.target is None else f" {entry.target}"
    guess = "" if entry.guess is None else f" {_named(entry.guess)}"
    return _named(entry.card) + target + guess


def _bottom_texts(state: Any, viewer: int | None, who: list[str]) -> list[str]:
    texts = []
    for place in range(int(state[BOTTOM_COUNT])):
        owner = members(int(state[BOTTOM_KNOWN + place]))[0]
        known = viewer in (None, owner)
        card = _named(int(state[BOTTOM + place])) if known else say("love_letter.some_card")
        texts.append(say("love_letter.bottom.one", card=card, name=who[owner]))
    return texts


def _over_text(end: dict[str, Any], who: list[str]) -> str:
    winners = f" {say('love_letter.log.and')} ".join(who[each] for each in end["winners"])
    text = say(f"play.love_letter.table.{end['reason']}", winners=winners)
    if end["spy_bonus"] is None:
        return text
    bonus = say("play.love_letter.table.bonus", name=who[end["spy_bonus"]])
    return say("play.love_letter.table.more", facts=text, more=bonus)


def _folded(start: str, words: list[str]) -> list[str]:
    """Words with commas between them after a beginning, on lines that fit a terminal."""
    start += " "
    lines, line = [], start
    for number, word in enumerate(words):
        text = word + ("" if number == len(words) - 1 else ", ")
        if len(line) + len(text) > WIDTH:
            lines.append(line.rstrip())
            line = " " * len(start)
        line += text
    return [*lines, line]
