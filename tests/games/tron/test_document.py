"""The bots printed in the documents on Tron play, and what their commands print is true."""

import re
import sys
from pathlib import Path

import pytest
from games.tron.bikes import tron_play, tron_start
from host.hosting import END

from joute.i18n.words import LANGUAGES
from joute.play.game import GameSpec, SeatSpec
from joute.play.referee import play_game

DOCS = Path(__file__).parents[3] / "docs"


def blocks(kind, name="tron-bots", language="en"):
    """The blocks of a kind in a document."""
    text = (DOCS / language / f"{name}.md").read_text("utf-8")
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


def test_a_program_of_2010_of_the_document_plays(hosts):
    hosts.write("bot.py", blocks("python")[0])
    bot = hosts.bot(f"tron2010:{sys.executable} bot.py", base=hosts.folder)
    assert bot.start(tron_start()).fault is None
    (picture,) = blocks("text")
    size, *rows = picture.splitlines()
    assert size == f"{len(rows[0])} {len(rows)}"
    assert [bot.ask(tron_play(rows, player)).action for player in (0, 1)] == [2, 1]
    bot.end(END)


def test_a_function_of_the_workshop_of_the_document_plays(hosts):
    hosts.write("bot.py", blocks("python")[1])
    bot = hosts.bot("bot.py", base=hosts.folder)
    assert bot.start(tron_start()).fault is None
    assert bot.ask(tron_play(["####", "#1 #", "####"])).action == 2


def test_the_bot_of_the_sheet_plays_without_a_fault(tmp_path):
    (bot,) = blocks("python", "tron")
    (tmp_path / "bot.py").write_text(bot, "utf-8")
    bots = (str(tmp_path / "bot.py"), "builtin:random")
    seats = tuple(SeatSpec(name=bot, bot=bot) for bot in bots)
    result = play_game(GameSpec(game="tron", parameters={}, bots=seats, seed="sheet"))
    assert result.faults == []
    assert result.ending == "finished"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_error_of_a_map_is_told_as_shown(run, language, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    example, shown = blocks("", "tron-maps", language)[:2]
    lacking = example.replace("#          d#", "#           #")
    (tmp_path / "lodge.txt").write_text(lacking, "utf-8")
    outcome = run("--lang", language, "map", "check", "lodge.txt")
    assert outcome.code == 1
    assert shown in outcome.out
