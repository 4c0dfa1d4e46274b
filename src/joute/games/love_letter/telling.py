"""Love Letter in the languages of people: its cards, what happened, choices, and reminders.

Reminders are taken from what a player observes, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from joute.core.interface import CHANCE, legal_actions
from joute.games.love_letter.hidden import SOME_CHOICE
from joute.games.love_letter.state import (
    AIMED,
    ALIVE,
    BARON,
    CARDS,
    CHOICE,
    COUNTESS,
    CURRENT,
    FORCING,
    GUARD,
    HANDMAID,
    HANDS,
    KING,
    NOBODY,
    PLAYED,
    PRIEST,
    PRINCE,
    PRINCESS,
    SECOND,
    SINGLE,
    TOKENS,
    WINNERS,
    members,
)
from joute.games.love_letter.table import drawn, position
from joute.i18n.words import LANGUAGES, catalog, folded, say
from joute.play.telling import Event, Telling
from joute.text import Line

Seen = dict[str, Any]
"""An observation; its keys are in the game's sheet."""


def named(card: int) -> str:
    """The name of a card in the user's language."""
    return say(f"love_letter.card.{card}")


def effect(card: int) -> str:
    """The effect of a card in a few words."""
    return say(f"love_letter.effect.{card}")


def sentence(key: str, **values: object) -> str:
    """One of the game's own sentences."""
    return say(f"love_letter.{key}", **values)


def cards_of(word: str) -> set[int]:
    """The cards that a folded word may mean: by value, by name in any language, or its beginning.

    A whole name means no other card that begins so: a Prince is no Princess.
    """
    if word.isdecimal():
        return {int(word)} if len(word) == 1 else set()
    names = {
        folded(catalog(language)[f"love_letter.card.{card}"]): card
        for language in LANGUAGES
        for card in range(CARDS)
    }
    if word in names:
        return {names[word]}
    return {card for name, card in names.items() if name.startswith(word)}


def cards_chosen(action: int) -> list[int]:
    """The cards of a Chancellor's choice, the one kept first."""
    digits = f"{action - SINGLE:02}" if action >= SINGLE else f"{action - CHOICE:03}"
    return [int(digit) for digit in digits]


def choice_told(key: str, action: int) -> str:
    """The sentence of this key about a Chancellor's choice."""
    keep, *others = map(named, cards_chosen(action))
    return sentence(key, card=keep, cards=", ".join(others))


# The log.


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
    if action >= CHOICE:
        return choice_told("log.returned", action)
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
    """A Priest, Baron, Prince or King, and the outcome."""
    parts = [sentence("log.aimed", **values)]
    if "seen" in event:
        parts.append(sentence("log.seen", card=named(event["seen"])))
    if "compared" in event:
        mine, theirs = map(named, event["compared"])
        parts.append(sentence("log.compared", mine=mine, theirs=theirs))
    if "swapped" in event:
        mine, theirs = map(named, event["swapped"])
        actor = names[event["player"]]
        parts.append(sentence("log.swapped", actor=actor, mine=mine, theirs=theirs, **values))
    for player, discarded in event.get("discarded", ()):
        key = "log.out" if player == event.get("out") else "log.discards"
        parts.append(sentence(key, name=names[player], card=named(discarded)))
    if card == BARON and "out" not in event:
        parts.append(sentence("log.equal"))
    return ", ".join(parts)


def _round_over(end: dict[str, Any], names: tuple[str, ...]) -> str:
    winners = _joined(names, end["winners"])
    hands = [f"{name} {named(card)}" for name, card in zip(names, end["hands"], strict=True)
             if card is not None]  # fmt: skip
    text = sentence(f"log.{end['reason']}", round=end["round"], winners=winners,
                    hands=", ".join(hands))  # fmt: skip
    if end["spy_bonus"] is not None:
        text += " " + sentence("log.bonus", name=names[end["spy_bonus"]])
    return text


def _choice(game: Any, state: Any, action: int, names: Sequence[str]) -> str:
    """An action as a sentence."""
    if action >= CHOICE:
        return choice_told("choice.keep", action)
    card, how = divmod(action, PLAYED)
    if how >= NOBODY:
        return named(card)
    values = {"card": named(card), "target": names[how // 10]}
    if card == GUARD:
        return sentence("choice.guess", guess=named(how % 10), **values)
    return sentence("choice.on", **values)


# Reminders.


def missed(seen: Seen, player: int) -> list[int]:
    """The characters that wrong guesses have ruled out in a player's hand since it changed.

    A hand changes when its owner plays or discards; a King carries it to the other player.
    """
    if seen["turn"] == player:
        return []  # a card may just have been drawn
    found: list[set[int]] = [set() for _ in range(seen["players"])]
    for entry in seen["log"]:
        mine, target = found[entry["player"]], entry["target"]
        mine.clear()
        if entry["card"] == GUARD and target is not None:
            found[target].add(entry["guess"])
        elif entry["card"] == KING and target is not None:
            found[entry["player"]], found[target] = found[target], mine
    return sorted(found[player])


def known_card(seen: Seen, player: int) -> int | None:
    """The card of another that the observer has seen."""
    return next((card for holder, card in seen["known"] if holder == player), None)


def possible(seen: Seen, player: int, card: int) -> bool:
    """Whether another player may hold a card, as far as the observer was shown."""
    sure = known_card(seen, player)
    if sure is not None:
        return bool(sure == card)
    return bool(seen["unseen"][card]) and card not in missed(seen, player)


def playable(seen: Seen) -> set[int]:
    """The cards in hand that may be played now; all of them while a Chancellor is at work."""
    return {action // PLAYED for action in seen["legal"] if action < CHOICE} or set(seen["hand"])


def notes(seen: Seen) -> list[str]:
    """Sentences on a choice that the rules make, or make poorer."""
    if seen["to_move"] != seen["player"]:
        return []
    if seen["phase"] == "chancellor":
        return [sentence("note.choose")]
    found = []
    other = next((card for card in seen["hand"] if 1 << card & FORCING), None)
    if COUNTESS in seen["hand"] and other is not None:
        found.append(sentence("note.countess", card=named(other)))
    for card in sorted(set(seen["hand"]) & playable(seen)):
        alone = [action for action in seen["legal"] if action // PLAYED == card]
        if 1 << card & AIMED and alone == [card * PLAYED + NOBODY]:
            found.append(sentence("note.nobody", card=named(card)))
        elif card == PRINCE and len(alone) == 1:
            found.append(sentence("note.prince"))
    return found


# The end, and choices that lose at once.


def _ending(game: Any, state: Any, names: Sequence[str]) -> str:
    """The end of the last round; of several rounds, that somebody has enough tokens."""
    alive = members(int(state[ALIVE]))
    winners = members(int(state[WINNERS]))
    if len(alive) == 1:
        text = sentence("ending.elimination", winners=names[alive[0]])
    else:
        best = named(int(state[HANDS + winners[0]]))
        key = "ending.showdown" if len(winners) == 1 else "ending.tie"
        text = sentence(key, winners=_joined(names, winners), card=best)
    if game.tokens == 1:
        return text
    tokens = [int(each) for each in state[TOKENS : TOKENS + game.players]]
    rich = [player for player, count in enumerate(tokens) if count >= game.tokens]
    key = "ending.tokens" if len(rich) == 1 else "ending.tokens.tie"
    return f"{text} {sentence(key, winners=_joined(names, rich), tokens=game.tokens)}"


def _joined(names: Sequence[str], players: Sequence[int]) -> str:
    return f" {sentence('log.and')} ".join(names[each] for each in players)


def _warning(game: Any, state: Any, action: int, names: Sequence[str]) -> str:
    """A sentence before a card that puts its own player out, where another choice would not."""
    found = _suicide(state, action)
    if found is None or all(_suicide(state, each) for each in legal_actions(game, state)):
        return ""
    key, other = found
    return sentence(f"warning.{key}", card=named(action // PLAYED), other=named(other))


def _suicide(state: Any, action: int) -> tuple[str, int] | None:
    """The way in which an action puts its own player out, and their other card."""
    if action >= CHOICE:
        return None
    player, (card, how) = int(state[CURRENT]), divmod(action, PLAYED)
    held = [int(state[HANDS + player]), int(state[SECOND])]
    other = held[1] if held[0] == card else held[0]
    if card == PRINCESS:
        return "princess", other
    if card == PRINCE and other == PRINCESS and how // 10 == player:
        return "prince", other
    return None


TELLING = Telling(
    narrate,
    choice=_choice,
    card=named,
    ending=_ending,
    warning=_warning,
    position=position,
    drawn=drawn,
)
