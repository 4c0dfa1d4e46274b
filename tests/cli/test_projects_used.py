"""The bots of `joute new` in use: each game, way of writing a bot, and language."""

import json
import shutil

import pytest
from helpers import need

from joute.cli.projects import PYTHON, languages_of
from joute.core.interface import properties
from joute.core.registry import cards, make
from joute.core.starters import FUNCTION, program_folders, starters
from joute.host.adapters import seat_of, server_of
from joute.play.record import read_record

PROGRAMS = {"c": "make", "javascript": "node", "shell": "sh"}


def projects():
    """Each game, style and language that there is a project for."""
    for brought in cards():
        yield from ((brought.name, style, PYTHON) for style in starters(brought))
        of_programs = {FUNCTION: None, **program_folders(brought)}
        for style, folder in of_programs.items():
            yield from ((brought.name, style, language) for language in languages_of(folder))


def cases():
    """The projects; those that reach no further style and no further language are thorough."""
    reached = set()
    few = []
    for wanted in (2, 1):  # first those that reach both at once
        for case in projects():
            if len({*case[1:]} - reached) >= wanted:
                reached.update(case[1:])
                few.append(case)
    for case in projects():
        marks = [pytest.mark.game(case[0])]
        yield pytest.param(*case, marks=marks if case in few else [*marks, pytest.mark.thorough])


@pytest.mark.full
@pytest.mark.parametrize(("game", "style", "language"), list(cases()))
def test_the_bot_of_a_project_is_checked_plays_is_profiled_and_debugged(
    run, tmp_path, monkeypatch, game, style, language
):
    if language == "rust" and shutil.which("rustc") is None:
        pytest.skip("no Rust here; C is built everywhere")
    if language in PROGRAMS:
        need(PROGRAMS[language])
    folder = tmp_path / "mine"
    made = run("new", folder, "--game", game, "--style", style, "--in", language)
    assert made.code == 0, made.err
    monkeypatch.chdir(folder)
    bot = "bot" if (folder / "bot").exists() else "bot.py"

    checked = run("check", bot, "--skip", "determinism")
    assert checked.code == 0, checked.out + checked.err

    players = properties(make(game)).players
    rest = ["builtin:random"] * (players - 1)
    match = ["--games", players, "--seed", "used", "--workers", 1, "--records", "games"]
    played = run("match", game, bot, *rest, *match, "--json")
    assert played.code == 0, played.err
    records = sorted((folder / "games").rglob("*.jsonl"))
    assert len(records) == players and json.loads(played.out)["failures"] == []
    plies = [line for file in records for line in read_record(file.read_bytes()).plies]
    assert [line["detail"] for line in plies if "fault" in line] == []

    profiled = run("profile", bot, "--positions", 4, "--json")
    assert profiled.code == 0, profiled.out + profiled.err
    answers = json.loads(profiled.out)["answers"]
    assert 0 < len(answers) <= 4 and all(each["ms"] > 0 for each in answers)

    place = next(place for file in records for place in asked(file))
    debugged = run("debug", place, bot, "--fresh")
    if seat_of(style) is None:
        assert debugged.code == 0, debugged.out + debugged.err
        assert "which is legal." in debugged.out
    else:
        assert debugged.code == 2
        assert f"start its server ({server_of(style)})" in debugged.err


def asked(file):
    """The positions of a record, as commands name them, in which the project's bot was asked."""
    record = read_record(file.read_bytes())
    others = [each["bot"] != "builtin:random" for each in record.header["bots"]]
    for line in record.plies:
        if line["by"] == "bot" and others[line["player"]]:
            yield f"{file}@{line['ply']}"
