"""What a bot would play at a ply of a recorded game: `joute replay RECORD --at PLY --bot BOT`."""

from __future__ import annotations

from typing import Any, NamedTuple

from joute.cli.exits import UsageFault
from joute.cli.positions import reach
from joute.cli.steps import RecordedGame
from joute.cli.trial import Reply, Trial
from joute.core.interface import render
from joute.core.registry import make
from joute.host.limits import Limits
from joute.i18n.words import say
from joute.play.game import GameSpec
from joute.play.record import actions_of
from joute.play.seats import observed


class Asked(NamedTuple):
    """A bot's answer in the place of the one who chose at a ply."""

    name: str  # of the one who chose in the record
    board: str
    observation: dict[str, Any]
    played: str  # what was played in the record
    reply: Reply


def asked(game: RecordedGame, ply: int, bot: str) -> Asked:
    """Asks a bot, in a process of its own, in the position before a ply.

    Raises UsageFault where nobody chose, BotError or BuiltinError for the bot.
    """
    lines = [step.line for step in game.steps if step.line]
    place = next((at for at, line in enumerate(lines) if line["ply"] == ply), None)
    line = {} if place is None else lines[place]
    if place is None or line.get("by") not in ("bot", "opening"):
        raise UsageFault(say("replay.not_asked", ply=ply))
    header = game.header
    rules = make(header["game"], **header["parameters"])
    before = [action for each in lines[:place] for action in actions_of(each)]
    position = reach(rules, say("replay.ask_label", ply=ply), before)
    limits = header["limits"]
    terms = GameSpec(
        game=header["game"],
        parameters=header["parameters"],
        bots=(),
        seed="",
        limits=Limits(
            move_seconds=limits["move_seconds"],
            start_seconds=limits["start_seconds"],
            memory_mb=limits["memory_mb"][position.player],
        ),
    )
    reply = Trial(bot, terms).ask(position)
    return Asked(
        name=game.names()[position.player],
        board=render(rules, position.state),
        observation=observed(rules, position.state, position.player),
        played=str(line.get("text", "")),
        reply=reply,
    )


def told(found: Asked, ply: int, bot: str) -> list[str]:
    """The lines that say what a bot answered."""
    values = {"ply": ply, "name": found.name, "text": found.played or "-"}
    lines = [*found.board.splitlines(), "", say("replay.was_played", **values)]
    reply = found.reply
    if reply.fault:
        return [*lines, say("replay.would_fail", bot=bot), *reply.trouble]
    return [*lines, say("replay.would_play", bot=bot, text=reply.action, ms=f"{reply.ms:.1f}")]
