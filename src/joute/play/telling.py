"""A game in words: what happened, what a choice does, which cards who may hold, how it ended.

A game may bring a `Telling` on its card; without one its actions are told as it writes them, with
the number of the ply.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from joute.bots.explain import Belief
from joute.bots.levels import bare_name
from joute.core.card import Card
from joute.core.interface import CHANCE, describe, has_points, mover, play, properties, render
from joute.core.registry import card_of, make
from joute.i18n import figures
from joute.i18n.words import LANGUAGES, language, say, spoken
from joute.play.game import GameResult, GameSpec
from joute.play.record import actions_of
from joute.text import Line, plain, shown

Event = dict[str, Any]
"""An event as a seat was told of it, with the `line` of the record; without an action, a failure
or a seat that is given up."""

FINISHED = "finished"  # by the rules

BELIEVED = 10  # cards of a player, the likeliest first

TOLD = frozenset({"player", "action", "text", "ply", "line"})
"""The keys of an event that everybody may know of an action."""

_STARTER = re.compile(r"player (\d+) starts")


def _position(game: Any, state: Any, player: int | None, names: Sequence[str]) -> str:
    return render(game, state, player)


def _drawn(game: Any, state: Any, action: int, names: Sequence[str]) -> str:
    return _outcome(describe(game, state, action), names)


class Telling(NamedTuple):
    """The words for the events and choices of a game."""

    narrate: Callable[[Event, tuple[str, ...]], list[Line]] | None = None
    """The lines that tell of an action or outcome, with the names of the seats."""
    witness: Callable[[Any, Any, int], Event] = lambda game, state, action: {}
    """Facts that everybody sees at an action or outcome about to be applied, beyond what they are
    told of it: added to the event."""
    choice: Callable[[Any, Any, int, Sequence[str]], str] = lambda game, state, action, names: (
        describe(game, state, action)
    )
    """The effect of an action, for a person who may choose it, with the names of the seats."""
    card: Callable[[int], str] = str  # The name of a card
    ending: Callable[[Any, Any, Sequence[str]], str] = lambda game, state, names: ""
    """The reason the rules ended a game, from its last state and the names of the seats."""
    warning: Callable[[Any, Any, int, Sequence[str]], str] = lambda game, state, action, names: ""
    """A sentence to be confirmed before a person plays an action that ends the game or loses it
    where another would not; "" for any other action."""
    out: Callable[[Any, Any], Sequence[int]] = lambda game, state: ()
    """The seats that are out, while others play on."""
    won: str = "play.won"  # The sentence for who has won, of two
    end: str = ""  # The last action of a turn as it is written, where it only ends the turn
    position: Callable[[Any, Any, int | None, Sequence[str]], str] = _position
    """The lines of a position, as a player may see it (None: everything), with the names of the
    seats, of which there may be none."""
    drawn: Callable[[Any, Any, int, Sequence[str]], str] = _drawn
    """An outcome of chance, to whoever may see all of it, with the names of the seats."""


class Log(NamedTuple):
    """The latest is the last line."""

    lines: list[Line]
    fresh: int  # how many of them came since the player's last decision


def telling(brought: Card) -> Telling:
    """The words of a card's game."""
    found: Telling = brought.load(brought.telling) if brought.telling else Telling()
    return found


def returned(game: Any, value: float) -> str:
    """A player's return, in words where it says who has won a zero-sum game."""
    facts = properties(game)
    if facts.zero_sum and facts.players > 1:
        results = {facts.lowest_return: "lost", 0: "drawn", facts.highest_return: "won"}
        if value in results:
            return say(f"replay.return.{results[value]}")
    return say("replay.return.other", value=figures.plain(float(f"{value:.3g}")))


def witnessed(game: Any, state: Any, action: int) -> Event:
    """Facts that everybody sees, beyond what they are told."""
    return telling(card_of(game)).witness(game, state, action)


def log(game: Any, told: list[Event], player: int, names: tuple[str, ...], most: int) -> Log:
    """The events that the player was told, in `most` lines at most."""
    facts = properties(game)
    first = _first_fresh(told, player, facts.hidden_information)
    lines: list[Line] = []
    fresh = 0
    for place in reversed(range(len(told))):
        if len(lines) >= most:
            break
        found = narrated(game, told[place], names)
        lines = [*found, *lines]
        fresh += len(found) if place >= first else 0
    lines, fresh = lines[-most:], min(fresh, most)
    old = len(lines) - fresh
    return Log([*([(plain(line), "dim")] for line in lines[:old]), *lines[old:]], fresh)


def _first_fresh(told: list[Event], player: int, own: bool) -> int:
    """The place of the first event after the player's last one; with `own`, of that one itself."""
    for place in reversed(range(len(told))):
        if told[place]["player"] == player:
            return place if own else place + 1
    return 0


def learned(told: Sequence[Event], player: int) -> bool:
    """Whether the player's last action showed them something to be given time to read."""
    for event in reversed(told):
        if event["player"] == player:
            return any(part.keys() - TOLD for part in event.get("parts", [event]))
    return False


def narrated(game: Any, event: Event, names: tuple[str, ...]) -> list[Line]:
    """An event in words, with the names of the seats; nothing where it is of no interest."""
    line, words = event["line"], telling(card_of(game))
    told = words.narrate is not None and "action" in event
    lines = words.narrate(event, names) if words.narrate and told else []
    if "resigned" in line:
        return [[(say("play.resigned", name=names[event["player"]]), "")], *lines]
    remark = ""
    if "fault" in line:
        fault = say(f"fault.{line['fault']}")
        remark = " " + (say("play.fault", fault=fault) if event.get("text") else f"({fault})")
    elif "stand_in" in line:
        remark = " " + say("play.stood_in", by=bare_name(line["stand_in"]))
    if told:
        return [[*lines[0], (remark, "")], *lines[1:]] if lines else []
    number = f"{line['ply'] + 1:3}. "
    if event["player"] == CHANCE:
        return [[(number, "dim"), (_outcome(event["text"], names), "dim")]]
    text = shown(_turn(words, event.get("text", "").split("; ")))
    said = f" {text}{remark}" if text else remark
    return [[(number, "dim"), (f"{names[event['player']]} {said}", "")]]


def _outcome(text: str, names: Sequence[str]) -> str:
    """The line for an outcome of chance; of who starts, by the seat's name."""
    found = _STARTER.fullmatch(text)
    return say("play.starts", name=names[int(found[1])]) if found else text


def position_lines(
    game: Any, state: Any, names: Sequence[str] = (), player: int | None = None
) -> list[str]:
    """A position as people are shown it, in lines of their language.

    `names` are those of the seats, where they are known; `player` is as `render` has it.
    """
    known = [shown(name) for name in names]
    return telling(card_of(game)).position(game, state, player, known).splitlines()


def played(game: Any, state: Any, line: Event, names: Sequence[str]) -> str:
    """The actions or the outcome of a record's line, from the state before; "" for none.

    Actions of players are told in English as the record has them, so that they can be typed.
    """
    actions, known = actions_of(line), [shown(name) for name in names]
    if not actions:
        return ""
    words = telling(card_of(game))
    if mover(game, state) == CHANCE:
        return words.drawn(game, state, actions[0], known)
    if language() == LANGUAGES[0]:
        return str(line["text"])
    text = chosen(game, state, actions, known)
    return say("board.turn_ends") if text == words.end else text


def chosen(game: Any, state: Sequence[int], actions: Sequence[int], names: Sequence[str]) -> str:
    """The effects of the actions of a player's turn, and nothing of what will come of them.

    `names` are those of the seats.
    """
    words, texts, after = telling(card_of(game)), [], list(state)
    for action in actions:
        if mover(game, after) < 0:  # chance comes between
            break
        texts.append(words.choice(game, after, action, names))
        play(game, after, action)
    return _turn(words, texts)


def _turn(words: Telling, texts: list[str]) -> str:
    """The actions of a turn, without the one that only ends it."""
    if len(texts) > 1 and texts[-1] == words.end:
        texts = texts[:-1]
    return "; ".join(map(spoken, texts))


def held(game: Any, beliefs: Iterable[Belief]) -> dict[int, str]:
    """By player, the cards that a bot believes it may hold, and how likely each is."""
    named = telling(card_of(game)).card
    found: dict[int, list[str]] = {}
    for each in beliefs:
        cards = found.setdefault(each.player, [])
        if len(cards) < BELIEVED:
            cards.append(f"{named(each.card)} {each.probability:.0%}")
    return {player: ", ".join(cards) for player, cards in found.items()}


def why_ended(game: Any, state: Any, ending: str, names: Sequence[str]) -> str:
    """The reason for an `ending` in a record, from the game's last state; "" for nothing known.

    Forfeits and resignations are told with who won by them.
    """
    if ending != FINISHED:
        return ""
    return telling(card_of(game)).ending(game, state, names)


def outcome(spec: GameSpec, result: GameResult) -> list[str]:
    """The outcome: the winner and the manner, a line for each place where more than two played."""
    game = make(spec.game, **spec.parameters)
    names = [shown(seat.name) for seat in spec.bots]
    return won(game, names, result.ending, result.returns, result.points)


def won(
    game: Any, names: list[str], ending: str, returns: Sequence[float], points: Sequence[int]
) -> list[str]:
    """The same for a game, the names of its seats, and what the end of its record says."""
    scored = has_points(game)
    if len(names) == 1:
        return [say("play.made", name=names[0], points=counted(points[0]))]
    if len(names) > 2:
        return _places(names, returns, points, scored)
    first = 0 if returns[0] > returns[1] else 1
    values = {
        "winner": names[first],
        "loser": names[1 - first],
        "more": counted(points[first]),
        "fewer": points[1 - first],
        "left": points[first],
    }
    if ending == "resignation":
        return [say("play.won_resigned", **values)]
    if ending == "forfeit":
        return [say("play.won_forfeit", **values)]
    if returns[0] == returns[1]:
        return [say("play.drawn" if scored else "play.drawn_alone", **values)]
    key = telling(card_of(game)).won
    return [say("play.won_alone" if key == "play.won" and not scored else key, **values)]


def counted(points: int) -> str:
    """So many points, in words."""
    key = {0: "play.points.none", 1: "play.point"}.get(points, "play.points")
    return say(key, points=points)


def _places(
    names: list[str], returns: Sequence[float], points: Sequence[int], scored: bool
) -> list[str]:
    """The seats by their returns; equal returns share a place."""
    order = sorted(range(len(names)), key=lambda seat: -returns[seat])
    return [
        say(
            "play.place" if scored else "play.place_alone",
            place=1 + sum(value > returns[seat] for value in returns),
            name=names[seat],
            points=counted(points[seat]),
        )
        for seat in order
    ]
