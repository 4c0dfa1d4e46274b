"""Love Letter in words: what happened, as one of the players was told of it, and choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from joute.core.interface import CHANCE
from joute.games.love_letter.names import named, sentence
from joute.games.love_letter.state import (
    BARON,
    CARDS,
    CHOICE,
    GUARD,
    HANDMAID,
    KING,
    NOBODY,
    PLAYED,
    PRIEST,
    PRINCESS,
    SINGLE,
)
from joute.games.love_letter.views import SOME_CHOICE
from joute.play.telling import Telling
from joute.text import Line

Event = dict[str, Any]


def narrate(event: Event, names: tuple[str, ...]) -> list[Line]:
    """Lines for what was told; none for the deal, and for cards drawn that one does not see."""
    if event["player"] == CHANCE:
        lines = _drawn(event, names)
    else:
        actor = event["player"]
        lines = [[(f"{names[actor]}  ", "bold"), (_action(event, names), "")]]
    if "round_over" in event:
        lines.append([(_round_over(event["round_over"], names), "title")])
    return lines


def _drawn(event: Event, names: tuple[str, ...]) -> list[Line]:
    card = event["action"]
    if event["line"].get("stream", "").startswith("starter"):
        return [[(sentence("log.starts", name=names[card]), "dim")]]
    if "to" not in event or card >= CARDS:
        return []
    return [[(sentence("log.draws", name=names[event["to"]], card=named(card)), "dim")]]


def _action(event: Event, names: tuple[str, ...]) -> str:
    action = event["action"]
    if action == SOME_CHOICE:
        return sentence("log.returns")
    if action >= SINGLE:
        keep, first = divmod(action - SINGLE, 10)
        return sentence("log.returned", card=named(keep), cards=named(first))
    if action >= CHOICE:
        keep, first, second = map(int, f"{action - CHOICE:03}")
        cards = f"{named(first)}, {named(second)}"
        return sentence("log.returned", card=named(keep), cards=cards)
    card, how = divmod(action, PLAYED)
    if how >= NOBODY:
        return _alone(event, card, names)
    values = {"card": named(card), "target": names[how // 10]}
    if card == GUARD:
        key = "log.hit" if event["hit"] else "log.miss"
        return sentence(key, **values, guess=named(how % 10))
    return _aimed(event, card, values, names)


def _alone(event: Event, card: int, names: tuple[str, ...]) -> str:
    """A card that is played on nobody."""
    if card == PRINCESS:
        (_, other), *_ = event["discarded"]
        return sentence("log.princess", card=named(card), other=named(other))
    if card in (GUARD, PRIEST, BARON, KING):
        return sentence("log.nobody", card=named(card))
    return sentence("log.handmaid", card=named(card)) if card == HANDMAID else named(card)


def _aimed(event: Event, card: int, values: dict[str, str], names: tuple[str, ...]) -> str:
    """A Priest, Baron, Prince or King and what came of it."""
    parts = [sentence("log.aimed", **values)]
    if "seen" in event:
        parts.append(sentence("log.seen", card=named(event["seen"])))
    if "compared" in event:
        mine, his = map(named, event["compared"])
        parts.append(sentence("log.compared", mine=mine, his=his))
    if "swapped" in event:
        mine, his = map(named, event["swapped"])
        actor = names[event["player"]]
        parts.append(sentence("log.swapped", actor=actor, mine=mine, his=his, **values))
    for player, discarded in event.get("discarded", ()):
        key = "log.out" if player == event.get("out") else "log.discards"
        parts.append(sentence(key, name=names[player], card=named(discarded)))
    if card == BARON and "out" not in event:
        parts.append(sentence("log.equal"))
    return ", ".join(parts)


def _round_over(end: dict[str, Any], names: tuple[str, ...]) -> str:
    winners = f" {sentence('log.and')} ".join(names[each] for each in end["winners"])
    hands = [f"{name} {named(card)}" for name, card in zip(names, end["hands"], strict=True)
             if card is not None]  # fmt: skip
    text = sentence(f"log.{end['reason']}", round=end["round"], winners=winners,
                    hands=", ".join(hands))  # fmt: skip
    if end["spy_bonus"] is not None:
        text += " " + sentence("log.bonus", name=names[end["spy_bonus"]])
    return text


def _choice(game: Any, state: Any, action: int, names: Sequence[str]) -> str:
    """What an action does."""
    if action >= CHOICE:
        digits = f"{action - SINGLE:02}" if action >= SINGLE else f"{action - CHOICE:03}"
        keep, *others = (named(int(card)) for card in digits)
        return sentence("choice.keep", card=keep, cards=", ".join(others))
    card, how = divmod(action, PLAYED)
    if how >= NOBODY:
        return named(card)
    values = {"card": named(card), "target": names[how // 10]}
    if card == GUARD:
        return sentence("choice.guess", guess=named(how % 10), **values)
    return sentence("choice.on", **values)


TELLING = Telling(narrate, choice=_choice, card=named)
