"""How a game ended, in words."""

from __future__ import annotations

from joute.i18n.lines import shown
from joute.i18n.words import language, say
from joute.play.game import GameResult, GameSpec

WON = {"paradise": "play.paradise.won"}
"""The sentence for who has won, where the points of the two are not to be compared."""


def outcome(spec: GameSpec, result: GameResult) -> list[str]:
    """Who won and how, a line for each place where more than two played."""
    names = [shown(seat.name) for seat in spec.bots]
    if len(names) == 1:
        return [say("play.made", name=names[0], points=counted(result.points[0]))]
    if len(names) > 2:
        return _places(names, result)
    first = 0 if result.returns[0] > result.returns[1] else 1
    values = {
        "winner": names[first],
        "loser": names[1 - first],
        "more": counted(result.points[first]),
        "fewer": result.points[1 - first],
        "left": result.points[first],
    }
    if result.ending == "resignation":
        return [say("play.won_resigned", **values)]
    if result.ending == "forfeit":
        return [say("play.won_forfeit", **values)]
    if result.returns[0] == result.returns[1]:
        return [say("play.drawn", **values)]
    return [say(WON.get(spec.game, "play.won"), **values)]


def counted(points: int) -> str:
    """So many points, in words."""
    singular = points == 1 or (points == 0 and language() == "fr")
    return say("play.point" if singular else "play.points", points=points)


def _places(names: list[str], result: GameResult) -> list[str]:
    """The seats by their returns; equal returns share a place."""
    order = sorted(range(len(names)), key=lambda seat: -result.returns[seat])
    return [
        say(
            "play.place",
            place=1 + sum(value > result.returns[seat] for value in result.returns),
            name=names[seat],
            points=counted(result.points[seat]),
        )
        for seat in order
    ]
