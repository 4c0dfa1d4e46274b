"""The task of a contest, as its page tells it: what to write, what a bot is shown, within what.

All of it comes from the game's own code and files; a game that brings no words has its starter and
its example all the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from joute.contest.config.contest import Contest
from joute.core.interface import describe, parameters, properties
from joute.core.registry import card, make
from joute.core.starters import starter, starters
from joute.i18n.words import has, language, say
from joute.play.seats import observed
from joute.play.trial_positions import TrialPosition, drawn

FILE = "bot.py"  # the name under which a starter is saved
_DRAWN = 12  # positions, one of which is shown
_FEWEST, _MOST = 3, 40  # actions to choose from in that position, if there is one
_WIDTH = 76  # characters of a line of the example
_SHOWN = 6  # actions in words


class Starter(NamedTuple):
    """A bot to start from."""

    interface: str  # its name, as in `joute new --style`
    title: str
    code: str


class Key(NamedTuple):
    """A key of an observation."""

    name: str
    meaning: str  # "" where the game says nothing of it


class TaskSheet(NamedTuple):
    """The task of a contest in one language."""

    starters: list[Starter]
    answer: str  # what `play` answers, in words; "" where the game says nothing of it
    keys: list[Key]
    example: str  # an observation, as JSON
    legal: list[tuple[int, str]]  # some of its legal actions, and what they mean
    more: int  # legal actions that are not among these


def task(contest: Contest) -> TaskSheet:
    """The task of a contest, in the language spoken now."""
    return sheet(contest.game, contest.maps[0].parameters)


def sheet(game: str, parameters: Mapping[str, Any]) -> TaskSheet:
    """The task of a game by itself, named as commands do, in the language spoken now."""
    return _task(game, json.dumps(dict(parameters), sort_keys=True), language())


def starter_of(contest: Contest, interface: str) -> Starter | None:
    """The bot to start from of an interface."""
    return next((each for each in task(contest).starters if each.interface == interface), None)


@lru_cache(maxsize=64)
def _task(name: str, parameters: str, _language: str) -> TaskSheet:
    game = make(name, **json.loads(parameters))
    shown = _position(game)
    seen = observed(game, shown.state, shown.player)
    legal = [int(action) for action in seen["legal"]]
    known = properties(game).name
    return TaskSheet(
        starters=list(_starters(name)),
        answer=say(f"answer.{known}") if has(f"answer.{known}") else "",
        keys=[Key(key, _meaning(known, key)) for key in seen],
        example=written(seen),
        legal=[(action, describe(game, shown.state, action)) for action in legal[:_SHOWN]],
        more=max(len(legal) - _SHOWN, 0),
    )


def practice_commands(contest: Contest, house: str) -> list[str]:
    """Commands that check a bot on its author's machine, and play with it: as the contest does.

    A map is named where the contest has some; of other parameters, those with unusual values.
    """
    game, given = _named(contest.game), contest.maps[0]
    usual = parameters(make(contest.game)) if not given.name else given.parameters
    changed = {key: value for key, value in given.parameters.items() if usual.get(key) != value}
    asked = "".join(f" --param {key}={json.dumps(value)}" for key, value in changed.items())
    place = f" --map {given.name}" if given.name else ""
    limits = f"{asked} --move-seconds {contest.limits.move_seconds:g}"
    others = contest.players - 1
    return [
        f"joute check bot.py --game {game}{limits}",
        f"joute match {game} bot.py" + f' "builtin:{house}"' * others + place + limits,
        f"joute play {game} human" + " bot.py" * others + place + limits,
    ]


def _starters(game: str) -> Iterator[Starter]:
    for interface, template in starters(card(game)).items():
        key = f"task.interface.{interface}"
        title = say(key) if has(key) else interface
        yield Starter(interface, title, starter(template, _named(game)))


def _named(game: str) -> str:
    """A game as commands on the reader's machine name it: no path of this one."""
    return Path(game).name


def _position(game: Any) -> TrialPosition:
    """A position of a random game, with something to choose; the same one each time."""
    found = drawn(game, _DRAWN)

    def unfit(position: TrialPosition) -> tuple[bool, int]:
        count = len(observed(game, position.state, position.player)["legal"])
        return not _FEWEST <= count <= _MOST, abs(len(position.actions) - _middle(found))

    return min(found, key=unfit)


def _middle(found: list[TrialPosition]) -> int:
    """The number of actions that lead to a position early in a game."""
    return sorted(len(each.actions) for each in found)[len(found) // 3]


def _meaning(game: str, key: str) -> str:
    own, shared = f"seen.{game}.{key}", f"seen.{key}"
    return say(own) if has(own) else say(shared) if has(shared) else ""


def written(seen: dict[str, Any]) -> str:
    """An observation as JSON, a key a line, long lists over several lines."""
    lines = [f"  {json.dumps(key)}: {_value(value, 2)}" for key, value in seen.items()]
    return "{\n" + ",\n".join(lines) + "\n}"


def _value(value: Any, indent: int) -> str:
    plain = json.dumps(value, ensure_ascii=False)
    if len(plain) + indent <= _WIDTH or not isinstance(value, list | dict):
        return plain
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {_value(each, indent + 2)}" for key, each in value.items()]
    else:
        parts = [_value(each, indent + 2) for each in value]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    packed = list(_packed(parts, _WIDTH - indent - 2))
    return f"{opening}\n{inner}" + f",\n{inner}".join(packed) + f"\n{' ' * indent}{closing}"


def _packed(parts: list[str], width: int) -> Iterator[str]:
    """Short values, as many on a line as fit; texts have a line each, as the rows of a board."""
    line = ""
    for part in parts:
        alone = part.startswith('"') or "\n" in part
        if line and (alone or len(line) + len(part) + 2 > width):
            yield line
            line = ""
        line = f"{line}, {part}" if line else part
        if alone:
            yield line
            line = ""
    if line:
        yield line
