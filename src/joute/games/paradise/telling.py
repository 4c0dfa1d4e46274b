"""Paradise in the user's language: cards, actions as they may be typed, the log, and warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from joute.core.interface import CHANCE, mover, observe, play
from joute.games.paradise.state import (
    ACTED,
    AIM,
    AIMS,
    ARCANE_SHOT,
    BOOK,
    DEAD,
    DEALING,
    DRAWING,
    END,
    FIREBALL,
    KILL_COMMAND,
    MINION,
    MOST_HAND,
    MOST_MANA,
    OWN,
    PHASE,
    PLAY,
    PLAYER,
    POWER_ACTION,
    POWER_COST,
    POWER_DAMAGE,
    SHOOTING,
    STRIKE,
    TARGETS,
    VICTIM,
)
from joute.games.paradise.text import drawn, position
from joute.i18n.words import LANGUAGES, catalog, folded, say
from joute.play.telling import Event, Telling
from joute.text import Line

Seen = dict[str, Any]
"""An observation; its keys are in `text`."""

HERO_CARD = -1  # in the place of a minion's card


class _Names(NamedTuple):
    """The names and the text of a card."""

    word: str
    title: str
    text: str


def word(card: int) -> str:
    """The short name of a card in the user's language, as it may be typed."""
    return _split(say(f"play.paradise.card.{card}")).word


def title(card: int) -> str:
    """The name of a card, as it stands on it, in the user's language."""
    return _split(say(f"play.paradise.card.{card}")).title


def described(card: int) -> str:
    """A sentence with all that is on a card."""
    names, facts = _split(say(f"play.paradise.card.{card}")), BOOK[card]
    kind = say("play.paradise.spell")
    if facts.kind == MINION:
        kind = say("play.paradise.minion", attack=facts.attack, health=facts.health)
    line = say("play.paradise.card", title=names.title, cost=facts.cost, kind=kind)
    return say("play.paradise.card_text", card=line, text=names.text) if names.text else line


def meant(text: str, cards: Iterable[int]) -> list[int]:
    """Those of the cards that a folded text names, in any language, each once.

    By a whole name, else by the beginning of a word of one.
    """
    known = {card: _known(card) for card in cards}
    exact = [card for card, names in known.items() if text in names]
    return exact or [
        card for card, names in known.items() if any(_begins(name, text) for name in names)
    ]


def said(seen: Seen, action: int) -> str:
    """An action as its player may type it, in the user's language.

    `seen` is what the player observes.
    """
    if action == END:
        return phrases("end")[0]
    if action == POWER_ACTION:
        return phrases("power")[0]
    if action >= STRIKE:
        number, target = divmod(action - STRIKE, TARGETS)
        return f"{phrases('attack')[0]} {number + 1} {target_word(target)}"
    if action >= AIM:
        place, target = divmod(action - AIM, AIMS)
        return f"{word(seen['hand'][place])} {target_word(target)}"
    return f"{phrases('play')[0]} {word(seen['hand'][action - PLAY])}"


def target_word(target: int) -> str:
    """A target as it may be typed: a hero, or a number."""
    if target == OWN:
        return phrases("me")[0]
    return str(target) if target else phrases("hero")[0]


def phrases(name: str) -> list[str]:
    """The phrases for a verb or a hero: in the user's language first, then in all."""
    every = [catalog(each)[f"play.paradise.typed.{name}"] for each in LANGUAGES]
    return [
        phrase
        for line in (say(f"play.paradise.typed.{name}"), *every)
        for phrase in line.split("|")
    ]


def typed_as(name: str, text: str) -> bool:
    """Whether a folded text is a phrase for a verb or a hero."""
    return any(text == folded(phrase) for phrase in phrases(name))


def minions(seen: Seen, player: int) -> list[int]:
    """The cards of a player's minions, left to right."""
    return [each["card"] for each in seen["boards"][player]]


def _split(sentence: str) -> _Names:
    return _Names(*(part.strip() for part in sentence.split("|")))


def _known(card: int) -> set[str]:
    """The folded names of a card, in every language."""
    every = [_split(catalog(each)[f"play.paradise.card.{card}"]) for each in LANGUAGES]
    return {folded(name) for each in every for name in (each.word, each.title)}


def _begins(name: str, text: str) -> bool:
    return name.startswith(text) or any(part.startswith(text) for part in name.split())


# The log.


def witness(game: Any, state: Any, action: int) -> Event:
    """The facts of an action or outcome about to be applied that everybody sees but is not told.

    `attacker`: the card of the minion that attacks; `at`: that of the target, HERO_CARD for a hero;
    `shot`: the card that Deadly Shot destroys; `dead`: (player, card) of the minions that die;
    `hurt`: (player, damage) of the heroes; `deal`, `full`: of a card that is drawn.
    """
    phase, player = state[PHASE], int(state[PLAYER])
    if phase == DEALING:
        return {"deal": True}
    before = observe(game, state, player)
    if phase == DRAWING:
        return {"full": True} if before["hand_size"][player] == MOST_HAND else {}
    found: dict[str, Any] = {}
    if phase == SHOOTING:
        found["shot"] = minions(before, 1 - player)[action - VICTIM]
    elif action >= STRIKE:
        number, target = divmod(action - STRIKE, TARGETS)
        found["attacker"] = minions(before, player)[number]
        found["at"] = _target(before, target)
    elif action >= AIM:
        found["at"] = _target(before, (action - AIM) % AIMS)
    later = list(state)
    play(game, later, action)
    after = observe(game, later, player)
    if dead := [(side, card) for side in (0, 1) for card in _dead(before, after, side)]:
        found["dead"] = dead
    lost = [before["health"][side] - after["health"][side] for side in (0, 1)]
    if any(lost):
        found["hurt"] = [(side, lost[side]) for side in (0, 1) if lost[side]]
    return found


def narrate(event: Event, names: tuple[str, ...]) -> list[Line]:
    """The line that tells of an action or outcome; none of the cards dealt at the start."""
    if "deal" in event:
        return []
    if "drawer" in event:
        return [[(f"{names[event['drawer']]}  {_drawn(event)}", "dim")]]
    if event["player"] == CHANCE:
        done = say("play.paradise.log.shot", card=title(event["shot"]))
    else:
        done = f"{names[event['player']]}  {_done(event)}"
    if results := _results(event, names):
        done = say("play.paradise.log.result", done=done, results=results)
    return [[(done, "")]]


def _target(seen: Seen, target: int) -> int:
    """The card of a target of the player who observes."""
    return HERO_CARD if target in (0, OWN) else minions(seen, 1 - seen["player"])[target - 1]


def _dead(before: Seen, after: Seen, side: int) -> list[int]:
    """The cards of which a side has fewer minions than before."""
    return list((Counter(minions(before, side)) - Counter(minions(after, side))).elements())


def _drawn(event: Event) -> str:
    if "full" in event:
        return say("play.paradise.log.full")
    if event["card"] < 0:
        return say("play.paradise.log.draw")
    return say("play.paradise.log.draw.own", card=title(event["card"]))


def _done(event: Event) -> str:
    """The action of a player, without its results."""
    if "at" in event:
        at = event["at"]
        target = say("play.paradise.log.hero") if at == HERO_CARD else title(at)
        if "attacker" in event:
            return say("play.paradise.log.attack", card=title(event["attacker"]), target=target)
        return say("play.paradise.log.aim", card=title(event["card"]), target=target)
    if "card" in event:
        return say("play.paradise.log.play", card=title(event["card"]))
    if event["action"] == POWER_ACTION:
        return say("play.paradise.log.power")
    return say("play.paradise.log.end")


def _results(event: Event, names: tuple[str, ...]) -> str:
    """The dead and what heroes lost, but for a minion that was shot: that has been said."""
    found = []
    if "dead" in event and "shot" not in event:
        found.append(_died(event, names))
    for player, damage in event.get("hurt", []):
        empty = event["player"] >= 0 and event["action"] == END
        key = "play.paradise.log.fatigue" if empty else "play.paradise.log.hurt"
        found.append(say(key, name=names[player], damage=damage))
    return ", ".join(found)


def _died(event: Event, names: tuple[str, ...]) -> str:
    """The dead of a fight or a spell: two only if they fought each other."""
    (player, card), *others = event["dead"]
    if others:
        return say("play.paradise.log.dead.both")
    if event["at"] == event.get("attacker"):
        return say("play.paradise.log.dead.whose", name=names[player], card=title(card))
    return say("play.paradise.log.dead", card=title(card))


def _choice(game: Any, state: Any, action: int, names: Sequence[str]) -> str:
    """An action as a sentence, with the names of cards as they stand on them."""
    if action == END:
        return say("js.duel.end")
    if action == POWER_ACTION:
        return say("js.duel.power")
    seen = observe(game, state, mover(game, state))
    if action < AIM:
        return title(seen["hand"][action - PLAY])
    number, target = (
        divmod(action - STRIKE, TARGETS) if action >= STRIKE else divmod(action - AIM, AIMS)
    )
    at = _target(seen, target)
    name = say("play.paradise.log.hero") if at == HERO_CARD else title(at)
    if action >= STRIKE:
        return say(
            "play.paradise.log.attack",
            card=title(minions(seen, seen["player"])[number]),
            target=name,
        )
    return say("js.duel.on", card=title(seen["hand"][number]), name=name)


# Warnings.


def warning(seen: Seen) -> tuple[str, str]:
    """`lethal` or `danger`, and a sentence on the hero that can be killed; ("", "") for none.

    It is always true: nothing stands in the way of an attack on a hero, so all damage adds up.
    Minions still to be played, and cards that the opponent holds, can only add to it. There is none
    while the observer is not to choose.
    """
    if not seen["legal"]:
        return "", ""
    mine, other = seen["health"][seen["player"]], seen["health"][1 - seen["player"]]
    if (most := _damage_now(seen)) >= other:
        return "lethal", say("play.paradise.lethal", damage=most, health=other)
    if (most := _damage_to_come(seen)) >= mine:
        return "danger", say("play.paradise.danger", damage=most, health=mine)
    return "", ""


def _damage_now(seen: Seen) -> int:
    """The damage that the observer can do to the other hero in this turn."""
    player = seen["player"]
    awake = {(action - STRIKE) // TARGETS for action in seen["legal"] if action >= STRIKE}
    strikes = sum(seen["boards"][player][number]["attack"] for number in awake)
    return int(strikes) + _most(_spells(seen), seen["mana"][player])


def _damage_to_come(seen: Seen) -> int:
    """The damage of the opponent's minions and power to the observer's hero in the next turn."""
    other = 1 - seen["player"]
    mana = min(seen["max_mana"][other] + 1, MOST_MANA)
    strikes = sum(each["attack"] for each in seen["boards"][other])
    return int(strikes) + (POWER_DAMAGE if mana >= POWER_COST else 0)


def _spells(seen: Seen) -> list[tuple[int, int]]:
    """(cost, damage to the hero) of the power, if it is left, and of each spell in the hand."""
    player = seen["player"]
    damage = {ARCANE_SHOT: 2, FIREBALL: 6, KILL_COMMAND: 5 if seen["boards"][player] else 3}
    found = [(BOOK[card].cost, damage[card]) for card in seen["hand"] if card in damage]
    return found if seen["power_used"][player] else [*found, (POWER_COST, POWER_DAMAGE)]


def _most(spells: list[tuple[int, int]], mana: int) -> int:
    """The most damage for so much mana."""
    best = [0] * (mana + 1)
    for cost, damage in spells:
        for left in range(mana, cost - 1, -1):
            best[left] = max(best[left], best[left - cost] + damage)
    return best[mana]


def _ending(game: Any, state: Any, names: Sequence[str]) -> str:
    dead = int(state[DEAD])
    if dead == 3:
        return say("play.paradise.ending.both")
    loser = dead - 1
    acting = state[ACTED] > 0 or state[PLAYER] != loser
    tired = not acting and observe(game, state, loser)["fatigue"][loser] > 0
    return say(f"play.paradise.ending.{'fatigue' if tired else 'hero'}", name=names[loser])


TELLING = Telling(
    narrate,
    witness,
    _choice,
    title,
    ending=_ending,
    won="play.paradise.won",
    position=position,
    drawn=drawn,
)
