"""`joute replay RECORD`: steps through a game in the terminal, or writes it as a page."""

from __future__ import annotations

import shutil
import sys
from bisect import bisect_left, bisect_right
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from joute.cli.output import print_json
from joute.cli.usage import DONE, FAILED, Games, Json, UsageFault
from joute.files import put
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.cli.steps import RecordedGame, RecordedLine

_BACK = {"left": 1, "up": 1, "h": 1, "k": 1, "page up": 10}
_ON = {"right": 1, "down": 1, "l": 1, "j": 1, " ": 1, "page down": 10}
_LEAVE = {"q", "escape", "\x04"}


def replay(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="help.replay.record")],
    at: Annotated[int | None, typer.Option("--at", metavar="PLY", help="help.replay.at")] = None,
    bot: Annotated[str | None, typer.Option("--bot", metavar="BOT", help="help.replay.bot")] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="help.replay.html")
    ] = None,
    games: Games = None,
    json: Json = False,
) -> int | None:
    """The command; its help is in the catalogs."""
    from joute.cli import steps

    if bot is not None and at is None:
        raise UsageFault(say("replay.bot_where"))
    if html is not None:
        _write(record, html)
        return None
    game = steps.read_game(record)
    if bot is not None and at is not None:
        return _ask(game, at, bot, json)
    places = list(range(len(game.steps))) if at is None else _places_of(game, at)
    if json:
        print_json(_plain(game, [game.steps[place] for place in places]))
    elif at is None and sys.stdin.isatty() and sys.stdout.isatty():
        _browse(game)
    else:
        print(steps.title(game))
        for place in places:
            print("\n" + "\n".join(_text(game, game.steps[place])))
        if at is None:
            print("\n" + "\n".join(steps.outcome(game)))
    return None


def _write(record: Path, html: Path) -> None:
    """Writes the page of a game, which stands alone."""
    from joute.cli.usage import CheckFault
    from joute.contest.records import Records
    from joute.play.record import RecordError
    from joute.web.replays.recorded import read_recorded
    from joute.web.replays.single_file import game_page

    with Records() as records:
        content = records.read(record)
    try:
        page = game_page(read_recorded(content), str(record), own=True)
    except RecordError as error:
        raise CheckFault(str(error.named(record))) from None
    put(html, page)
    print(say("plot.written", path=html))


def _ask(game: RecordedGame, ply: int, bot: str, json: bool) -> int:
    """Asks a bot what it would play after so many plies."""
    from joute.cli.trial import asked, decision, decision_lines, reply_lines

    where = decision(game, ply)
    if where is None:
        raise UsageFault(say("replay.not_asked", ply=ply))
    reply = asked(where, bot)
    if json:
        answer = {"action": reply.action or None, "fault": reply.fault or None, "ms": reply.ms}
        print_json({"ply": ply, "observation": where.observation, "answer": answer})
    else:
        print("\n".join([*decision_lines(where), *reply_lines(where, reply, bot)]))
    return FAILED if reply.fault else DONE


def _places_of(game: RecordedGame, ply: int) -> list[int]:
    """The places of a ply among the steps; a failed start stands before its ply.

    A ply within a turn that was answered as a whole is in the step of that turn.
    """
    last = max(step.ply for step in game.steps)
    if not 0 <= ply <= last:
        raise UsageFault(say("replay.no_ply", ply=ply, last=last))
    shown = min(step.ply for step in game.steps if step.ply >= ply)
    return [place for place, step in enumerate(game.steps) if step.ply == shown]


def _text(game: RecordedGame, step: RecordedLine) -> list[str]:
    from joute.cli import steps

    return [*steps.facts(game, step), *steps.board(game, step)]


def _plain(game: RecordedGame, shown: list[RecordedLine]) -> dict[str, Any]:
    from joute.cli import steps

    return {
        "header": game.header,
        "steps": [
            {**step.line, "ply": step.ply, "board": steps.board_text(game, step)} for step in shown
        ],
        "end": game.end,
    }


def _browse(game: RecordedGame) -> None:
    from joute.cli import terminal

    place = 0
    with terminal.screen():
        terminal.show(_page(game, place))
        for key in terminal.pressed():
            if key in _LEAVE:
                return
            place = move(game, place, key)
            terminal.show(_page(game, place))


def move(game: RecordedGame, place: int, key: str) -> int:
    """The place in the steps that a key leads to."""
    from joute.cli import steps

    last = len(game.steps) - 1
    faults = steps.faulty(game)
    if key == "home":
        return 0
    if key == "end":
        return last
    if key == "n" and (next_one := bisect_right(faults, place)) < len(faults):
        return faults[next_one]
    if key == "p" and (before := bisect_left(faults, place)) > 0:
        return faults[before - 1]
    return min(max(place + _ON.get(key, 0) - _BACK.get(key, 0), 0), last)


def _page(game: RecordedGame, place: int) -> str:
    """Returns the lines of the screen: the board, what happened, and the keys on the last line.

    Where the screen is too low the board stays and the bot's words lose their middle.
    """
    from joute.cli import steps
    from joute.text import harmless

    width, height = shutil.get_terminal_size()
    step = game.steps[place]
    top = [steps.title(game), "", *steps.board(game, step), ""]
    below = steps.facts(game, step)
    if place == len(game.steps) - 1:
        below += ["", *steps.outcome(game)]
    room = max(height - len(top) - 2, 1)
    if len(below) > room:
        head = min(4, room // 2)  # who, how long, which fault; then where a traceback ends
        below = [*below[:head], "...", *below[len(below) - (room - head - 1) :]]
    where = say(
        "replay.where", place=place, last=len(game.steps) - 1, faults=len(steps.faulty(game))
    )
    bar = [*[""] * (room - len(below)), f"{where}   {say('replay.keys')}"]
    return "\n".join(harmless(line[:width], "") for line in [*top, *below, *bar][:height])
