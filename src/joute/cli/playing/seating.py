"""Who plays: the seats of a game as they are typed, made into what the referee takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from joute.cli.exits import UsageFault
from joute.contest.config.entries import LONGEST_NAME, default_name
from joute.core.interface import properties
from joute.core.registry import defaults, make
from joute.host.limits import Limits
from joute.host.names import content_hash, parse_bot
from joute.i18n.words import say
from joute.play.chance import derive
from joute.play.game import HUMAN, GameSpec, SeatSpec, usual_costs
from joute.play.seats import check_builtin
from joute.text import free_name


def make_spec(
    game: str, parameters: dict[str, Any], seats: Sequence[str], move_seconds: float, seed: str
) -> GameSpec:
    """The game between these seats; every bot is found and can play it.

    Raises UsageFault, GameError, BotError or BuiltinError for what cannot be.
    """
    if "players" in defaults(game):
        parameters = {"players": len(seats), **parameters}
    rules = make(game, **parameters)
    if len(seats) != properties(rules).players:
        raise UsageFault(
            say("play.seats", game=game, expected=properties(rules).players, got=len(seats))
        )
    return GameSpec(
        game=game,
        parameters=parameters,
        bots=_seated(seats, rules),
        seed=derive(seed, "play"),
        limits=Limits(move_seconds=move_seconds),
        costs=usual_costs(game),
    )


def with_map(game: str, parameters: dict[str, Any], word: str | None) -> dict[str, Any]:
    """The parameters with the map that `--map` names."""
    if word is None:
        return parameters
    if "map" not in defaults(game):
        raise UsageFault(say("play.no_maps", game=game))
    from joute.core.maps import find_map

    return {**parameters, "map": find_map(game, word)}


def _seated(seats: Sequence[str], rules: Any) -> tuple[SeatSpec, ...]:
    named: set[str] = set()
    seated: list[SeatSpec] = []
    unnamed = 0
    for seat in seats:
        kind, _, name = seat.partition(":")
        if kind == HUMAN:
            bot, name = HUMAN, name.strip() or say("play.person")
            if seats.count(HUMAN) > 1 and seat == HUMAN:
                unnamed += 1
                name = f"{name} {unnamed}"
        else:
            bot, name = seat, default_name(seat)
            spec = parse_bot(bot)
            content_hash(spec)  # reads every file, so that none is found missing later
            if spec.kind == "builtin":
                check_builtin(spec, rules)
        chosen = free_name(name[:LONGEST_NAME], named.__contains__)
        named.add(chosen)
        seated.append(SeatSpec(name=chosen, bot=bot))
    return tuple(seated)
