"""`joute debug RECORD@PLY BOT`: one position of a record, with the bot in this terminal."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.usage import DONE, FAILED, Games, UsageFault, record_and_ply
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.host.names import BotSpec

_LEFT = "bdb.BdbQuit"  # the last line of what a bot says whose debugger was left


def debug(
    subject: Annotated[str, typer.Argument(metavar="RECORD@PLY", help="help.debug.subject")],
    bot: Annotated[str, typer.Argument(metavar="BOT", help="help.bot")],
    post_mortem: Annotated[
        bool, typer.Option("--post-mortem", help="help.debug.post_mortem")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="help.debug.fresh")] = False,
    python: Annotated[
        str | None, typer.Option("--python", metavar="PROGRAM", help="help.check.python")
    ] = None,
    games: Games = None,
) -> int:
    """The command; its help is in the catalogs."""
    from joute.cli.steps import read_game
    from joute.cli.trial import answered, asked, decision, decision_lines, reply_lines
    from joute.host.building.built import playable
    from joute.host.names import parse_bot
    from joute.play.debugging import DebugSeat

    named = record_and_ply(subject)
    if named is None:
        raise UsageFault(say("debug.names", subject=subject))
    path, ply = named
    where = decision(read_game(path), ply)
    if where is None:
        raise UsageFault(say("debug.nobody", ply=ply, record=path))
    spec = playable(parse_bot(bot, python=python))
    seat = DebugSeat(spec, "post-mortem" if post_mortem else "debug")
    earlier = [] if fresh else where.earlier
    print("\n".join([*decision_lines(where), *_beginning(spec, len(earlier))]), flush=True)
    reply = asked(where, bot, python, lambda *_: seat, earlier)
    if earlier:
        print(say("debug.agreed", count=len(earlier), same=reply.agreed))
    if any(_LEFT in line for line in reply.trouble):
        print(say("debug.left", bot=bot))
    elif reply.fault:
        print("\n".join(reply_lines(where, reply, bot)))
    else:
        print(say("debug.plays", bot=bot, text=answered(where, reply)))
    return FAILED if reply.fault else DONE


def _beginning(bot: BotSpec, earlier: int) -> list[str]:
    """The lines that say what comes."""
    program = []
    if bot.kind == "program":
        command = shlex.join(bot.command)
        program = [say("debug.command", command=command), say("debug.channel")]
    first = [say("debug.earlier", count=earlier)] if earlier else []
    if earlier and bot.kind == "python":
        first.append(say("debug.quiet"))
    return [*program, say("debug.starts", bot=bot.text), *first]
