"""`joute mistakes PATH... --bot BOT`: the decisions of a bot that lost most, worst first."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from joute.cli.output import Progress, print_json, print_table
from joute.cli.usage import DONE, Games, Json, Stopped, UsageFault, rules_given
from joute.i18n.words import say
from joute.text import spelt

if TYPE_CHECKING:
    from joute.play.mistakes import TurnJudge, TurnMistake
    from joute.play.record import Record

LINES = 10
GAMES = 20
LEAST = 0.1  # of a worth from -1 to 1


class FoundMistake(NamedTuple):
    """A mistake, and the record that it stands in."""

    path: Path
    bot: str
    mistake: TurnMistake


class JudgedGames(NamedTuple):
    """Judged games, as far as nobody has stopped it."""

    games: int  # that were judged to their ends
    mistakes: list[FoundMistake]
    judged: int  # decisions
    unjudged: int  # decisions, too
    judges: list[str]


def mistakes(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="help.mistakes.paths")],
    bot: Annotated[
        str | None, typer.Option("--bot", metavar="NAME", help="help.mistakes.bot")
    ] = None,
    by: Annotated[str | None, typer.Option("--by", metavar="BOT", help="help.mistakes.by")] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="T", help="help.mistakes.seconds", min=0.001)
    ] = 0.1,
    least: Annotated[
        float, typer.Option("--least", metavar="LOSS", help="help.mistakes.least", min=0.0, max=2.0)
    ] = LEAST,
    most_games: Annotated[
        int, typer.Option("--most-games", metavar="N", help="help.mistakes.most_games", min=1)
    ] = GAMES,
    lines: Annotated[
        int, typer.Option("--lines", metavar="N", help="help.mistakes.lines", min=1)
    ] = LINES,
    games: Games = None,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    played = list(_played(paths, bot))
    if not played:
        raise UsageFault(say("mistakes.no_games" if bot is None else "mistakes.no_bot", bot=bot))
    chosen = played[:most_games]
    looked = _judged(chosen, bot, by, seconds, least)
    found = looked.mistakes
    found.sort(key=lambda each: (-each.mistake.loss, str(each.path), each.mistake.ply))
    if json:
        print_json(
            {
                "games": looked.games,
                "decisions": looked.judged,
                "unjudged": looked.unjudged,
                "judges": looked.judges,
                "mistakes": [_plain(each) for each in found],
            }
        )
    else:
        judge = ", ".join(looked.judges)
        print(say("mistakes.title", games=looked.games, of=len(played), judge=judge))
        of = {path: rules_given(record.header["game"]) for path, record in chosen}
        _print(found, looked.judged, lines, of)
        if found:
            _print_again(found[0], paths, of[found[0].path])
        if looked.unjudged:
            print(say("mistakes.unjudged", count=looked.unjudged))
    if looked.games < len(chosen):
        raise Stopped(say("mistakes.stopped", done=looked.games, total=len(chosen)))
    return DONE


def _played(paths: Sequence[Path], bot: str | None) -> Iterator[tuple[Path, Record]]:
    """The records at these paths in which the bot played."""
    from joute.cli.steps import records_at

    for path, record in records_at(paths):
        if bot is None or spelt(bot, _names(record)):
            yield path, record


def _names(record: Record) -> list[str]:
    return [str(each["name"]) for each in record.header["bots"]]


def _judged(
    played: Sequence[tuple[Path, Record]],
    bot: str | None,
    by: str | None,
    seconds: float,
    least: float,
) -> JudgedGames:
    """The mistakes of these games, or of those before whoever waits for them stops it."""
    from joute.cli.steps import untrue
    from joute.play.mistakes import TurnJudge, judge_of
    from joute.play.mistakes import mistakes as mistakes_of
    from joute.play.record import RecordError
    from joute.play.verify import recorded_game

    judges: dict[str, TurnJudge] = {}  # by the game with its parameters
    found: list[FoundMistake] = []
    decisions: list[bool] = []  # whether each was judged
    done = 0
    with Progress() as progress, suppress(KeyboardInterrupt):
        for number, (path, record) in enumerate(played):
            progress.update(number, len(played))
            names = _names(record)
            players = [at for at, name in enumerate(names) if bot is None or spelt(bot, [name])]
            try:
                key = repr((record.header["game"], record.header["parameters"]))
                if key not in judges:
                    game = recorded_game(record)
                    judges[key] = TurnJudge(game, by or judge_of(game, seconds), seconds)
                seen = mistakes_of(record, judges[key], players, least, decisions.append)
                found.extend(FoundMistake(path, names[each.player], each) for each in seen)
            except RecordError as error:
                raise untrue(path, error) from None
            done += 1
    judged, names_of_judges = sum(decisions), sorted({each.name for each in judges.values()})
    return JudgedGames(done, found, judged, len(decisions) - judged, names_of_judges)


def _print(
    found: Sequence[FoundMistake], judged: int, lines: int, of: Mapping[Path, list[str]]
) -> None:
    """Prints mistakes; `of` are the options that give the rules of the records."""
    from joute.i18n.figures import figure
    from joute.play.mistakes import STAGES
    from joute.text import shown

    if not found:
        print(say("mistakes.none", judged=judged))
        return
    print_table(
        [say(f"mistakes.{each}") for each in ("loss", "ply", "bot", "played", "better", "record")],
        [
            [
                figure(each.mistake.loss, 2),
                str(each.mistake.ply),
                shown(each.bot),
                each.mistake.played,
                each.mistake.better,
                str(each.path),
            ]
            for each in found[:lines]
        ],
        numbers=(0, 1),
    )
    total = sum(each.mistake.loss for each in found)
    print(say("mistakes.total", count=len(found), judged=judged, loss=figure(total, 1)))
    for stage in range(STAGES):
        lost = [each.mistake.loss for each in found if each.mistake.stage == stage]
        part = say(f"mistakes.stage.{stage}")
        told = say("mistakes.part", part=part, count=len(lost), loss=figure(sum(lost), 1))
        print(f"  {told}")
    worst = shlex.join(["joute", "explain", _place(found[0]), *of[found[0].path]])
    print(say("mistakes.next", command=worst))


def _print_again(worst: FoundMistake, paths: Sequence[Path], rules: Sequence[str]) -> None:
    """The command that shows a game in a browser, where it can be played on."""
    folders = [given for given in paths if given in worst.path.parents]
    serve = shlex.join(["joute", "serve", str((folders or [worst.path.parent])[0]), *rules])
    print(say("mistakes.again", command=serve, ply=worst.mistake.ply))


def _plain(found: FoundMistake) -> dict[str, Any]:
    return {
        "record": str(found.path),
        "bot": found.bot,
        **found.mistake._asdict(),
        "loss": found.mistake.loss,
        "explain": _place(found),
    }


def _place(found: FoundMistake) -> str:
    """The position before the decision, as `joute explain` takes it."""
    return f"{found.path}@{found.mistake.ply - 1}"
