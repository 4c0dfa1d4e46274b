"""The presentation of games: titles, pictures, and what their pages show beside the board.

Files of a game's folder `web` say how it looks (see `assets.py`); the rest is a `Web`, named by the
field `web` of its card. A game without them is presented by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from joute.contest.config.contest import Contest
from joute.core.card import Card, is_path
from joute.core.errors import GameError
from joute.core.interface import parameters, properties
from joute.core.maps import MAP
from joute.core.registry import card, cards, find, make
from joute.i18n.words import has, say
from joute.play.timeline import Step

Seen = dict[str, Any]
"""An observation; its keys are in the game's sheet."""


class Preview(NamedTuple):
    """The preview of an unfinished turn."""

    refusal: str  # why it is not legal so far; "" where it is
    actions: Sequence[int] = ()  # that it consists of so far
    odds: Sequence[dict[str, Any]] = ()  # what is not sure about it, as the board takes it


@dataclass(frozen=True, kw_only=True)
class Web:
    """The presentation of a game, besides files."""

    order: int = 100
    """Its place in lists of games: those of lower numbers come first, others by name."""
    usual: Mapping[str, int] = field(default_factory=dict)
    """Choices of its lobby that suit people where the game's own are others: values of its
    parameters, and `speed`, the rounds a second of a game that can be played in real time."""
    wide: bool = False
    """Whether its board needs the width of the page; as `wide` of its script."""
    words: tuple[str, ...] = ()
    """Beginnings of the keys of sentences that its scripts show, besides `js.`."""
    remarks: Callable[[Seen], dict[str, Any]] | None = None
    """The facts that follow from an observation and the rules, which the browser does not know;
    sent to the board as `remarks` of the observation."""
    past: Callable[[Any, Step], dict[str, Any]] | None = None
    """The facts that the board needs of a position that it is not sent, shaped like a position."""
    preview: Callable[[Any, Sequence[int], Any], Preview] | None = None
    """The preview of an unfinished turn in a state. Raises GameError if it cannot be read."""
    refusal: Callable[[Exception], str] | None = None
    """The reason why a turn was refused, in words; "" for an error of another kind."""


def web_of(game: str) -> Web:
    """The presentation of the game of this name."""
    brought = find(game)
    found: Web = brought.load(brought.web) if brought is not None and brought.web else Web()
    return found


def games_listed() -> list[str]:
    """The names of the games of lists, in their order: those installed, and those given by path."""
    return sorted((card.name for card in cards()), key=lambda game: (web_of(game).order, game))


def title(game: str) -> str:
    """The name of a game, or of the file of one, as pages show it."""
    return _worded(f"web.game.{_name(game)}", _name(game).replace("-", " ").title())


def about(game: str) -> str:
    """A sentence on a game, its name first."""
    return _worded(f"game.{_name(game)}", title(game))


def pitch(game: str) -> str:
    """A sentence that invites to play; "" where there is none."""
    return _worded(f"web.game.{game}.pitch", "")


def meta(game: str) -> str:
    """The number of players of a game, and its length, where they are known."""
    return _worded(f"web.game.{game}.meta", "") or _players(card(game))


def seat_name(game: str, seat: int) -> str:
    """The side of a seat in the words of the game; its number where it has none."""
    return _worded(f"web.game.{game}.seat.{seat}", say("web.seat", number=seat + 1))


def settings(contest: Contest) -> dict[str, str]:
    """The parameters of a contest's game that are not the usual ones of its map, in words."""
    given = {key: value for key, value in contest.maps[0].parameters.items() if key != MAP}
    on_map = {MAP: contest.maps[0].parameters[MAP]} if MAP in contest.maps[0].parameters else {}
    try:
        usual = parameters(make(contest.game, **on_map))
    except GameError:  # it needs parameters
        usual = {}
    return {
        option(key): option_value(key, value)
        for key, value in given.items()
        if key not in usual or usual[key] != value
    }


def option(key: str) -> str:
    """The name of a parameter for people."""
    if key == "players":
        return say("table.lobby.players")
    return _worded(f"table.option.{key}", key.replace("_", " ").capitalize())


def option_value(key: str, value: Any) -> str:
    """A value of a parameter for people."""
    if has(own := f"table.option.{key}.{value}"):
        return say(own)
    if has(every := f"table.option.{key}.value"):
        return say(every, value=value)
    if isinstance(value, bool):
        return say("games.yes" if value else "games.no")
    return str(value)


def _players(brought: Card) -> str:
    try:
        counts = brought.parameters.get("players") or (properties(make(brought.name)).players,)
    except GameError:  # it needs parameters
        return ""
    least, most = min(counts), max(counts)
    if most == 1:
        return say("web.players.alone")
    if least == most:
        return say("web.players", count=most)
    return say("web.players.range", least=least, most=most)


def _name(game: str) -> str:
    brought = find(game)
    return brought.name if brought else Path(game).stem.replace("_", "-") if is_path(game) else game


def _worded(key: str, usual: str) -> str:
    return say(key) if has(key) else usual


def picture(game: str) -> str:
    """The picture of a game as SVG: its own, or its initials on a banner."""
    brought = find(game)
    path = brought.file("web/picture.svg") if brought else None
    if path is not None:
        return path.read_text(encoding="utf-8")
    initials = "".join(word[0] for word in title(game).split()[:2]).upper() or "?"
    # The hue depends on the name alone.
    colour = f"hsl({crc32(game.encode()) % 360} 42% 24%)"
    size = 84 if len(initials) == 1 else 44
    foot, shown = 122 + 0.35 * size, escape(initials)
    return f"""<svg class="pic" viewBox="0 0 200 264" aria-hidden="true">
<path d="M0 0H200V216L100 264 0 216Z" fill="{colour}"/>
<path d="M100 34l78 88-78 88-78-88Z" fill="none" stroke="#f4efe6" stroke-width="1.6"/>
<path d="M100 50l64 72-64 72-64-72Z" fill="#f4efe6"/>
<text x="100" y="{foot:.0f}" text-anchor="middle" font-size="{size}" class="serif bt">{shown}</text>
<path d="M9 0V210L100 253.5 191 210V0" fill="none" stroke="#e9b13a" stroke-width="1.5"/>
</svg>"""
