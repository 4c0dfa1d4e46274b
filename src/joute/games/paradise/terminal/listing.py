"""What may be done in Paradise, for who asks: legal actions, completion, help, advice in words."""

from __future__ import annotations

from joute.cli.playing.typed import COMMANDS, Asked, command_word
from joute.core.interface import CHANCE, mover, observe, play
from joute.games.paradise.names import minions, phrases, said, target_word, word
from joute.games.paradise.state import AIM, AIMS, END, PLAY, POWER_ACTION, STRIKE, TARGETS
from joute.i18n.words import say


def choices(asked: Asked) -> list[str]:
    """What may be typed now: actions, cards to be explained, commands."""
    seen = observe(asked.game, asked.state, asked.player)
    actions = [said(seen, action) for action in asked.actions]
    cards = [*seen["hand"], *minions(seen, asked.player), *minions(seen, 1 - asked.player)]
    asking = [f"{phrases('card')[0]} {word(card)}" for card in cards]
    return list(dict.fromkeys([*actions, *asking, *map(command_word, COMMANDS)]))


def listing(asked: Asked) -> list[str]:
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


def explain(asked: Asked) -> list[str]:
    """How actions are typed, and what the marks mean."""
    return [
        say("play.paradise.help.typed"),
        say("play.paradise.help.card"),
        say("play.paradise.help.marks"),
    ]


def spoken(asked: Asked, actions: list[int]) -> str:
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
