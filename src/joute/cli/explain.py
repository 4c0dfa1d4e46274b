"""`joute explain RECORD@PLY` or `joute explain GAME [ACTION...]`: why a bot would play what."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from joute.cli.output import print_json, print_table
from joute.cli.usage import (
    Games,
    Json,
    MoveSeconds,
    Parameters,
    UsageFault,
    check_file,
    parameter_values,
    record_and_ply,
)
from joute.files import put
from joute.i18n.figures import figure
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.bots.explain import SearchNode
    from joute.play.advice import Explanation
    from joute.play.mistakes import BetterTurn, ChosenTurn

SECONDS = 10.0  # for an action, as the bot is told; it takes a tenth
LINES = 10  # actions that are shown
PLIES = 2  # of a tree
SHOWN = 6  # actions of a line
RECORD_SUFFIX = ".jsonl"


class Place(NamedTuple):
    """A decision."""

    game: Any
    state: list[int]
    played: str = ""  # in the record; "" where there is none
    names: tuple[str, ...] = ()  # of the seats of the record
    turn: ChosenTurn | None = None  # of the record, where a bot chose it and had a choice
    next_choice: int = 0  # the ply of the record at which a player chooses next


def explain(
    subject: Annotated[str, typer.Argument(metavar="RECORD@PLY|GAME", help="help.explain.subject")],
    actions: Annotated[
        list[str] | None, typer.Argument(metavar="ACTION", help="help.explain.actions")
    ] = None,
    bot: Annotated[
        str | None, typer.Option("--bot", metavar="BOT", help="help.explain.bot")
    ] = None,
    param: Parameters = None,
    move_seconds: MoveSeconds = SECONDS,
    lines: Annotated[
        int, typer.Option("--lines", metavar="N", help="help.explain.lines", min=1)
    ] = LINES,
    tree: Annotated[bool, typer.Option("--tree", help="help.explain.tree")] = False,
    plies: Annotated[
        int, typer.Option("--plies", metavar="N", help="help.explain.plies", min=1, max=6)
    ] = PLIES,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="PICTURE", help="help.explain.svg")
    ] = None,
    games: Games = None,
    json: Json = False,
) -> None:
    """The command; its help is in the catalogs."""
    from joute.bots.ladder import player_at
    from joute.host.names import parse_bot
    from joute.play.advice import NothingToExplainError
    from joute.play.advice import explain as explained
    from joute.play.advice import tree as tree_of

    if named := record_and_ply(subject):
        if actions or param:
            raise UsageFault(say("explain.record_alone"))
        place = _recorded(*named)
    elif subject.endswith(RECORD_SUFFIX):
        raise UsageFault(say("debug.names", subject=subject))
    else:
        place = _played(subject, parameter_values(param), actions or [])
    name = bot or player_at(place.game, 99)
    check_file("--svg", svg)
    try:
        if tree or svg:
            root = tree_of(place.game, place.state, parse_bot(name), plies, move_seconds)
        else:
            found = explained(place.game, place.state, parse_bot(name), move_seconds)
    except NothingToExplainError as error:
        nothing = say("explain.nothing", reason=error)
        first = _drawn_next(place)
        if first:
            options = [*_each("--param", param), *_each("--bot", bot and [bot])]
            words = [subject, *(actions or ()), first]
            key = "explain.drawn"
            if named:
                words, key = [f"{named[0]}@{place.next_choice}"], "explain.drawn_record"
            command = shlex.join(["joute", "explain", *words, *options])
            nothing = say(key, nothing=nothing, command=command)
        raise UsageFault(nothing) from None
    if tree or svg:
        _show_tree(place, name, root, lines, svg, json)
        return
    weighed = _weighed(place, name, move_seconds, found)
    if json:
        print_json(_plain(place, name, found, weighed))
    else:
        _print(place, name, found, lines, weighed)


def _weighed(place: Place, bot: str, move_seconds: float, found: Explanation) -> BetterTurn | None:
    """The bot's turn and that of the record, where the bot's options are without the latter.

    None, too, where the bot says nothing of what comes of a turn.
    """
    from joute.play.advice import SLACK
    from joute.play.mistakes import JudgeError, SilentJudgeError, TurnJudge

    turn = place.turn
    lines = [option.line for option in found.options]
    if turn is None or any(
        all(one == other for one, other in zip(line, turn.actions, strict=False)) for line in lines
    ):
        return None
    try:
        return TurnJudge(place.game, bot, move_seconds / SLACK).better(turn)
    except (JudgeError, SilentJudgeError):
        return None


def _drawn_next(place: Place) -> str:
    """An outcome of chance that comes next, as it is written; "" where a player is to move."""
    from joute.core.interface import CHANCE, describe, mover

    if mover(place.game, place.state) != CHANCE:
        return ""
    return describe(place.game, place.state, _possible(place.game, place.state)[0])


def _each(option: str, values: Sequence[str] | None) -> list[str]:
    """An option as it is typed, once for each of its values."""
    return [word for value in values or () for word in (option, value)]


def _recorded(path: Path, ply: int) -> Place:
    """The decision that was taken at a ply of a record."""
    from joute.cli.steps import read_game
    from joute.core.registry import make
    from joute.play.mistakes import decisions
    from joute.play.record import actions_of
    from joute.play.trial_positions import reach

    game = read_game(path)
    lines = [step.line for step in game.steps if step.line]
    place = next(
        (at for at, line in enumerate(lines) if line["ply"] == ply and "action" in line), None
    )
    if place is None:
        raise UsageFault(say("explain.no_ply", ply=ply))
    rules = make(game.header["game"], **game.header["parameters"])
    before = [action for line in lines[:place] for action in actions_of(line)]
    played = str(lines[place]["text"])
    turn = next((each for each in decisions(game.record) if each.line["ply"] == ply), None)
    choices = (line["ply"] for line in lines[place:] if "action" in line and "player" in line)
    state = reach(rules, "", before).state
    return Place(rules, state, played, tuple(game.names()), turn, next(choices, ply))


def _played(name: str, parameters: dict[str, Any], actions: list[str]) -> Place:
    """The position after some actions and outcomes of chance, from the start of a game."""
    from joute.core.interface import OVER, describe, mover, play, start
    from joute.core.maps import with_map
    from joute.core.reading import read_text
    from joute.core.registry import make

    game = make(name, **with_map(name, parameters))
    state: list[int] = start(game).tolist()
    for text in actions:
        if mover(game, state) == OVER:
            raise UsageFault(say("explain.over", text=text))
        possible = _possible(game, state)
        action = read_text(game, state, text)
        if action not in possible:
            known = ", ".join(describe(game, state, each) for each in possible)
            raise UsageFault(say("explain.illegal", text=text, known=known))
        play(game, state, action)
    return Place(game, state)


def _possible(game: Any, state: list[int]) -> list[int]:
    """The legal actions, or the outcomes of chance."""
    from joute.core.interface import CHANCE, chances, legal_actions, mover, properties

    if mover(game, state) != CHANCE:
        return legal_actions(game, state)
    most = properties(game).max_outcomes
    out, weights = [0] * most, [0.0] * most
    return out[: chances(game, state, out, weights)]


def _print(
    place: Place, bot: str, found: Explanation, lines: int, weighed: BetterTurn | None
) -> None:
    from joute.play.advice import line_in_words
    from joute.play.telling import held

    _print_position(place, found.player)
    print("\n" + say("explain.title", bot=bot, player=found.player))
    if place.played:
        print(say("explain.played", text=place.played))
    if weighed is not None:
        before, after = (figure(each, 2, sign=True) for each in (weighed.before, weighed.after))
        print(say("explain.worth", after=after, better=weighed.better, before=before))
    rows = []
    for option in found.options[:lines]:
        words = line_in_words(place.game, place.state, option.line)
        more = " ..." if len(words) > SHOWN else ""
        rows.append(
            (
                " ".join(words[:SHOWN]) + more,
                "-" if option.value is None else figure(option.value, 2, sign=True),
                "-" if option.visits is None else str(option.visits),
                "-" if option.depth is None else str(option.depth),
            )
        )
    columns = [say(f"explain.{each}") for each in ("line", "value", "visits", "depth")]
    used = [0, *(at for at in (1, 2, 3) if any(row[at] != "-" for row in rows))]
    print_table(
        [columns[at] for at in used],
        [[row[at] for at in used] for row in rows],
        numbers=range(1, len(used)),
    )
    if len(found.options) > lines:
        print(say("explain.more", count=len(found.options) - lines))
    for player, cards in sorted(held(place.game, found.beliefs).items()):
        print("\n" + say("explain.belief", player=player, cards=cards))


def _print_position(place: Place, player: int) -> None:
    """Prints the position as the player who is to move sees it."""
    from joute.play.telling import position_lines

    print("\n".join(position_lines(place.game, place.state, place.names, player)))


def _show_tree(
    place: Place, bot: str, root: SearchNode, lines: int, svg: Path | None, json: bool
) -> None:
    from joute.cli.search_tree import tree_picture, tree_plain, tree_rows, tree_text
    from joute.core.interface import mover, properties

    if json:
        print_json({"bot": bot, "tree": tree_plain(place.game, root)})
        return
    rows = tree_rows(place.game, root, lines)
    player = int(mover(place.game, place.state))
    title = say("explain.tree.title", bot=bot, player=player)
    if svg is not None:
        put(svg, tree_picture(rows, title).written())
        print(say("plot.written", path=svg))
        return
    _print_position(place, player)
    print("\n" + title)
    print("\n".join(tree_text(rows)))
    if properties(place.game).hidden_information:
        print("\n" + say("explain.tree.hidden"))


def _plain(
    place: Place, bot: str, found: Explanation, weighed: BetterTurn | None
) -> dict[str, Any]:
    from joute.core.interface import properties
    from joute.play.advice import line_in_words
    from joute.play.seats import observed

    return {
        "game": properties(place.game).name,
        "player": found.player,
        "bot": bot,
        "played": place.played or None,
        "worth": weighed._asdict() if weighed else None,
        "observation": observed(place.game, place.state, found.player),
        "options": [
            {**option._asdict(), "text": line_in_words(place.game, place.state, option.line)}
            for option in found.options
        ],
        "beliefs": [each._asdict() for each in found.beliefs],
    }
