"""Actions of Love Letter in the words of people: what may be typed, what is legal, and why."""

from __future__ import annotations

from joute.cli.playing.typed import COMMANDS, Asked, command_word
from joute.core.interface import observe
from joute.games.love_letter.names import named, sentence
from joute.games.love_letter.notes import Seen, known_card, notes, playable
from joute.games.love_letter.state import (
    BARON,
    CHOICE,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    NOBODY,
    PLAYED,
    PRIEST,
    PRINCE,
    SINGLE,
)


def choices(asked: Asked) -> list[str]:
    """What may be typed now, for completion: cards, with targets and guesses, then commands."""
    texts: dict[str, None] = {}
    for action in asked.actions:
        for text in _beginnings(asked, action):
            texts[text] = None
    return [*texts, *map(command_word, COMMANDS)]


def _beginnings(asked: Asked, action: int) -> list[str]:
    """An action word by word, as it may be typed."""
    if action >= CHOICE:
        cards = [named(int(each)) for each in _digits(action)]
        return [cards[0], " ".join(cards)]
    card, how = divmod(action, PLAYED)
    parts = [named(card)]
    if how < NOBODY:
        parts.append(_whom(asked, how // 10))
    if card == GUARD and how < NOBODY:
        parts.append(named(how % 10))
    return [" ".join(parts[: size + 1]) for size in range(len(parts))]


def listing(asked: Asked) -> list[str]:
    """The legal actions: a line for each card, and what the rules make of the choice."""
    seen = observe(asked.game, asked.state, asked.player)
    lines = []
    if seen["phase"] == "chancellor":
        lines = [sentence("legal.keep", cards=", ".join(map(named, sorted(set(seen["hand"])))))]
    else:
        for card in sorted(playable(seen)):
            hows = [each % PLAYED for each in asked.actions if each // PLAYED == card]
            targets = sorted({how // 10 for how in hows if how < NOBODY})
            names = ", ".join(_whom(asked, target) for target in targets)
            key = "legal.alone" if not targets else "legal.guard" if card == GUARD else "legal.on"
            lines.append(sentence(key, card=f"{card} {named(card)}", names=names))
    return [*lines, *notes(seen)]


def explain(asked: Asked) -> list[str]:
    """How actions are typed."""
    return [sentence("help.cards"), sentence("help.effect")]


def spoken(asked: Asked, actions: list[int]) -> str:
    """An action in words."""
    action = actions[0]
    if action >= CHOICE:
        keep, *others = (named(int(each)) for each in _digits(action))
        return sentence("log.returned", card=keep, cards=", ".join(others))
    card, how = divmod(action, PLAYED)
    if how >= NOBODY:
        return named(card)
    text = sentence("log.aimed", card=named(card), target=_whom(asked, how // 10))
    return f"{text}, {named(how % 10)}" if card == GUARD else text


def reason(asked: Asked, action: int) -> str:
    """Why an action may be good, as far as one who counts cards can say; nothing where not."""
    seen = observe(asked.game, asked.state, asked.player)
    text = sentence("why.kept") if action >= CHOICE else _reason(seen, *divmod(action, PLAYED))
    return f" ({text})" if text else ""


def _reason(seen: Seen, card: int, how: int) -> str:
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


def _whom(asked: Asked, player: int) -> str:
    """A player as he may be typed."""
    return sentence("ask.me") if player == asked.player else asked.names[player]


def _digits(action: int) -> str:
    """The cards of a Chancellor's choice, the one kept first."""
    return f"{action - SINGLE:02}" if action >= SINGLE else f"{action - CHOICE:03}"
