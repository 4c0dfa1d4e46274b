"""`joute warm [GAME...]`: built-in bots compiled beforehand, so that nobody waits for them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Annotated, Any, TextIO

import typer

from joute.cli.usage import DONE, FAILED
from joute.i18n.words import say, say_of


def warm(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="help.warm.games")
    ] = None,
) -> int:
    """The command; its help is in the catalogs."""
    from joute.i18n.figures import duration

    chosen, begun = bots_of(games or []), time.monotonic()
    failed = compile_bots(chosen)
    for bot in failed:
        print(say("warm.failed", bot=bot), flush=True)
    ready = len(chosen) - len(failed)
    took = duration(time.monotonic() - begun)
    print(say_of(ready, "warm.done", count=ready, time=took))
    return FAILED if failed else DONE


def compile_bots(chosen: Sequence[tuple[Any, str]], output: TextIO | None = None) -> list[str]:
    """Compiles what bots need in their games, unless it is; those with which that fails.

    What is being compiled, and how long it takes, is said on `output`, or on standard output.
    """
    from joute.play.preparing import prepare, prepared

    wanted = [(game, bot) for game, bot in chosen if not prepared(game, bot)]
    begun, failed = time.monotonic(), []
    for done, (game, bot) in enumerate(wanted):
        if prepared(game, bot):
            continue  # with another game of its kind
        _tell(done, len(wanted), game, bot, time.monotonic() - begun, output)
        prepare(game, bot, niceness=0)
        if not prepared(game, bot):
            failed.append(bot)
    return failed


def bots_of(games: list[str]) -> list[tuple[Any, str]]:
    """The games with the bots that people meet there: each game's champion and its levels.

    Without names, of all games that can be made without parameters; the champions come first.
    Raises GameError for an unknown game.
    """
    from joute.bots.levels import people_levels
    from joute.core.registry import card, make, named, names, needed

    chosen = [named(each) for each in games] or [each for each in names() if not needed(each)]
    made = [(each, make(each)) for each in dict.fromkeys(chosen)]
    champions = [(game, "builtin:champion") for name, game in made if card(name).champion]
    levels = [(game, f"builtin:{each.bot}") for _, game in made
              for each in people_levels(game).levels]  # fmt: skip
    return [*champions, *(each for each in levels if each not in champions)]


def _tell(done: int, total: int, game: Any, bot: str, spent: float, output: TextIO | None) -> None:
    """Says which bot is next, and how long the rest takes, going by those before."""
    from joute.core.interface import properties
    from joute.i18n.figures import duration
    from joute.play.preparing import usual_seconds

    each = spent / done if done else usual_seconds()
    name, of = bot.removeprefix("builtin:"), properties(game).name
    values = {"number": done + 1, "total": total, "game": of, "bot": name}
    if each is None:
        print(say("warm.bot", **values), file=output, flush=True)
    else:
        print(
            say("warm.bot_left", left=duration(each * (total - done)), **values),
            file=output,
            flush=True,
        )
