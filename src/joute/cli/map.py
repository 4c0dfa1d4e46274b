"""`joute map check|show|convert|import|new`: the maps that games are played on.

What is particular to the maps of one game is in a module of its own, named in KINDS. It has
FORMATS (names for `--to`) and functions: `map_errors(text)`, a list of `core.maps.MapError`; for a
sound text `facts(text)`, plain data, `convert(text, format, name)`, and of these facts
`picture(facts, width)`, `columns()`, `line(facts)`; where maps can be drawn at random,
DRAWN_BY, the options of `joute map new` that apply and whether each is needed, and
`generate(width, height, seed, given)`, where `given` has the options by their names.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated, Any

import typer

from joute.cli.output import print_json, print_table
from joute.cli.usage import DONE, FAILED, CheckFault, Json, UsageFault
from joute.core.card import Card
from joute.files import put
from joute.i18n.words import say

ErrorLine = dict[str, Any]
Game = Annotated[str, typer.Option("--game", metavar="GAME", help="help.map.game")]


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="help.map.files")],
    game: Game = "",
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    found = [(path, _errors_of(path, game)) for given in files for path in _maps_in(given, game)]
    if json:
        print_json([{"file": str(path), "ok": not wrong, "errors": wrong} for path, wrong in found])
    else:
        for path, wrong in found:
            print("\n".join(_told(path, wrong)) if wrong else say("map.ok", file=path))
    return FAILED if any(wrong for _, wrong in found) else DONE


def show(
    word: Annotated[str, typer.Argument(metavar="MAP", help="help.map.map")] = "",
    game: Game = "",
    json: Json = False,
) -> None:
    """The command; its help is in the catalogs."""
    if not word:
        _list(game, json)
        return
    chosen = _game_of(word, game)
    kind = _kind(chosen)
    facts = kind.facts(_sound_text(chosen, word))
    if json:
        print_json({"game": chosen, "map": word, **facts})
        return
    print("\n".join(kind.picture(facts, shutil.get_terminal_size().columns)) + "\n")
    print_table([say("map.column.map"), *kind.columns()], [[word, *kind.line(facts)]])


def convert(
    word: Annotated[str, typer.Argument(metavar="MAP", help="help.map.map")],
    form: Annotated[str, typer.Option("--to", metavar="FORMAT", help="help.map.to")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="help.map.output")
    ] = None,
    game: Game = "",
) -> None:
    """The command; its help is in the catalogs."""
    chosen = _game_of(word, game)
    kind = _kind(chosen)
    if form not in kind.FORMATS:
        raise UsageFault(say("error.choice", value=form, known=", ".join(kind.FORMATS)))
    _give(kind.convert(_sound_text(chosen, word), form, Path(word).stem), output)


def take_in(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="help.map.import.folder")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="help.map.import.output")
    ] = Path("maps"),
    game: Game = "",
) -> int:
    """The command; its help is in the catalogs."""
    from joute.text import free_name, slug

    taken: set[str] = set()
    for path in _maps_in(folder, game):
        if wrong := _errors_of(path, game):
            print(say("map.left_out", told=_told(path, wrong[:1])[0]))
            continue
        chosen = _game_of(str(path), game)
        kind, suffix = _kind(chosen), _with_maps()[chosen].map_suffix
        name = free_name(slug(path.stem) or "map", taken.__contains__, "-")
        taken.add(name)
        target = output / f"{name}{suffix}"
        if target.exists() and target.resolve() != path.resolve():
            raise UsageFault(say("map.import.exists", path=target))
        text = kind.convert(path.read_text(encoding="utf-8-sig"), kind.FORMATS[0], name)
        put(target, text)
        print(say("map.written", path=target))
    return DONE if taken else FAILED


def new(
    game: Annotated[str, typer.Argument(metavar="GAME", help="help.map.new.game")],
    width: Annotated[int, typer.Argument(metavar="WIDTH", help="help.map.new.width")],
    height: Annotated[int, typer.Argument(metavar="HEIGHT", help="help.map.new.height")],
    houses: Annotated[
        int | None, typer.Argument(metavar="HOUSES", help="help.map.new.houses")
    ] = None,
    density: Annotated[
        float | None, typer.Option("--density", metavar="SHARE", help="help.map.new.density")
    ] = None,
    symmetry: Annotated[
        str | None, typer.Option("--symmetry", metavar="NAME", help="help.map.new.symmetry")
    ] = None,
    floors: Annotated[
        int | None, typer.Option("--floors", metavar="N", help="help.map.new.floors")
    ] = None,
    teleporters: Annotated[
        int | None, typer.Option("--teleporters", metavar="N", help="help.map.new.teleporters")
    ] = None,
    stairs: Annotated[
        int | None, typer.Option("--stairs", metavar="N", help="help.map.new.stairs")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="NUMBER", help="help.map.new.seed")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="help.map.output")
    ] = None,
) -> None:
    """The command; its help is in the catalogs."""
    import secrets

    kind = _kind(_known(game))
    if not hasattr(kind, "generate"):
        raise UsageFault(say("map.not_random", game=game))
    options = {
        "houses": houses,
        "density": density,
        "symmetry": symmetry,
        "floors": floors,
        "teleporters": teleporters,
        "stairs": stairs,
    }
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in kind.DRAWN_BY:
            raise UsageFault(say("map.new.other_game", game=game, option=_written(name)))
    for name, needed in kind.DRAWN_BY.items():
        if needed and name not in given:
            raise UsageFault(say("map.new.missing", game=game, option=_written(name)))
    chosen = secrets.randbelow(1 << 31) if seed is None else seed
    _give(kind.generate(width, height, chosen, given), output)


def _written(option: str) -> str:
    """An option of `new` as it is written on a command line."""
    return option.upper() if option == "houses" else f"--{option}"


def _give(text: str, output: Path | None) -> None:
    """Writes a map's text to a file, or prints it."""
    if output is None:
        print(text, end="")
    else:
        put(output, text)
        print(say("map.written", path=output))


def _list(asked: str, json: bool) -> None:
    """All maps that come with Joute."""
    from joute.core.maps import find_map, shipped

    games = [_known(asked)] if asked else list(_with_maps())
    facts = {
        game: {name: _kind(game).facts(find_map(game, name)) for name in shipped(game)}
        for game in games
    }
    if json:
        print_json(
            [
                {"game": game, "map": name, **each}
                for game, maps in facts.items()
                for name, each in maps.items()
            ]
        )
        return
    for game, maps in facts.items():
        kind = _kind(game)
        rows = [[name, *kind.line(each)] for name, each in maps.items()]
        print_table([say("map.column.map"), *kind.columns()], rows, title=game)


def _kind(game: str) -> Any:
    """The module of a game's maps."""
    card = _with_maps()[game]
    return card.load(card.maps)


def _with_maps() -> dict[str, Card]:
    """The games that have maps, by name."""
    from joute.core.registry import cards

    return {card.name: card for card in cards() if card.maps}


def _known(game: str) -> str:
    if game not in (known := _with_maps()):
        raise UsageFault(say("error.choice", value=game, known=", ".join(known)))
    return game


def _game_of(word: str, asked: str) -> str:
    """The game that a map is for: the one asked for, or by its file's suffix, or by its name."""
    from joute.core.maps import shipped

    if asked:
        return _known(asked)
    known = _with_maps()
    by_name = [game for game in known if word in shipped(game)]
    by_suffix = [game for game, card in known.items() if word.endswith(card.map_suffix)]
    return [*by_name, *by_suffix, *known][0]


def _maps_in(given: Path, asked: str) -> list[Path]:
    """The file itself, or all maps in a folder."""
    if not given.is_dir():
        return [given]
    suffixes = [card.map_suffix for game, card in _with_maps().items() if asked in ("", game)]
    found = sorted(path for path in given.rglob("*") if path.suffix in suffixes)
    if not found:
        raise UsageFault(say("map.nothing", path=given, suffixes=", ".join(suffixes)))
    return found


def _errors_of(path: Path, asked: str) -> list[ErrorLine]:
    """The errors of a map's file."""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        return [
            {
                "line": before.count(b"\n") + 1,
                "column": len(before) - before.rfind(b"\n"),
                "cause": "encoding",
                "reason": say("map.encoding"),
            }
        ]
    return _listed(_game_of(str(path), asked), text)


def _sound_text(game: str, word: str) -> str:
    """The text of a map without errors; raises CheckFault with all that there are."""
    from joute.core.maps import find_map

    text = find_map(game, word)
    if wrong := _listed(game, text):
        raise CheckFault("\n".join(_told(word, wrong)))
    return text


def _listed(game: str, text: str) -> list[ErrorLine]:
    """The errors of a map's text as plain data."""
    return [
        {key: getattr(error, key) for key in ("line", "column", "cause", "reason")}
        for error in _kind(game).map_errors(text)
    ]


def _told(file: str | Path, wrong: list[ErrorLine]) -> list[str]:
    return [say("map.error", file=file, **each) for each in wrong]


# `import` is a word of Python's, so its function has another name.
take_in.__name__ = "import"

COMMANDS = (check, show, convert, take_in, new)
