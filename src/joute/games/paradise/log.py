"""Paradise in words: what was played, who died, who drew what, and choices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from joute.core.interface import CHANCE, mover, observe, play
from joute.games.paradise.names import minions, said, word
from joute.games.paradise.state import (
    AIM,
    AIMS,
    DEALING,
    DRAWING,
    END,
    MOST_HAND,
    OWN,
    PHASE,
    PLAYER,
    POWER_ACTION,
    SHOOTING,
    STRIKE,
    TARGETS,
    VICTIM,
)
from joute.i18n.words import say
from joute.play.telling import Telling
from joute.text import Line

HERO_CARD = -1  # in the place of a minion's card


def witness(game: Any, state: Any, action: int) -> dict[str, Any]:
    """What everybody sees of an action or outcome about to be applied, beyond what he is told.

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


def narrate(event: dict[str, Any], names: tuple[str, ...]) -> list[Line]:
    """The line that tells of an action or outcome; none of the cards dealt at the start."""
    if "deal" in event:
        return []
    if "drawer" in event:
        return [[(f"{names[event['drawer']]}  {_drawn(event)}", "dim")]]
    if event["player"] == CHANCE:
        done = say("play.paradise.log.shot", card=word(event["shot"]))
    else:
        done = f"{names[event['player']]}  {_done(event)}"
    if results := _results(event, names):
        done = say("play.paradise.log.result", done=done, results=results)
    return [[(done, "")]]


def _target(seen: dict[str, Any], target: int) -> int:
    """The card of a target of the player who observes."""
    return HERO_CARD if target in (0, OWN) else minions(seen, 1 - seen["player"])[target - 1]


def _dead(before: dict[str, Any], after: dict[str, Any], side: int) -> list[int]:
    """The cards of which a side has fewer minions than before."""
    return list((Counter(minions(before, side)) - Counter(minions(after, side))).elements())


def _drawn(event: dict[str, Any]) -> str:
    if "full" in event:
        return say("play.paradise.log.full")
    if event["card"] < 0:
        return say("play.paradise.log.draw")
    return say("play.paradise.log.draw.own", card=word(event["card"]))


def _done(event: dict[str, Any]) -> str:
    """What a player did, without what came of it."""
    if "at" in event:
        at = event["at"]
        target = say("play.paradise.log.hero") if at == HERO_CARD else word(at)
        if "attacker" in event:
            return say("play.paradise.log.attack", card=word(event["attacker"]), target=target)
        return say("play.paradise.log.aim", card=word(event["card"]), target=target)
    if "card" in event:
        return say("play.paradise.log.play", card=word(event["card"]))
    if event["action"] == POWER_ACTION:
        return say("play.paradise.log.power")
    return say("play.paradise.log.end")


def _results(event: dict[str, Any], names: tuple[str, ...]) -> str:
    """Who died and what heroes lost, but for a minion that was shot: that has been said."""
    found = []
    if "dead" in event and "shot" not in event:
        found.append(_died(event, names))
    for player, damage in event.get("hurt", []):
        empty = event["player"] >= 0 and event["action"] == END
        key = "play.paradise.log.fatigue" if empty else "play.paradise.log.hurt"
        found.append(say(key, name=names[player], damage=damage))
    return ", ".join(found)


def _died(event: dict[str, Any], names: tuple[str, ...]) -> str:
    """Who died of a fight or a spell: two only if they fought each other."""
    (player, card), *others = event["dead"]
    if others:
        return say("play.paradise.log.dead.both")
    if event["at"] == event.get("attacker"):
        return say("play.paradise.log.dead.whose", name=names[player], card=word(card))
    return say("play.paradise.log.dead", card=word(card))


def _choice(game: Any, state: Any, action: int, names: Sequence[str]) -> str:
    return said(observe(game, state, mover(game, state)), action)


TELLING = Telling(narrate, witness, _choice, word, won="play.paradise.won")
