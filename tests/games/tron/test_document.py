"""The bots printed in the document on programs for Tron play."""

import re
import sys
from pathlib import Path

from games.tron.bikes import tron_play, tron_start
from host.hosting import END

DOCUMENT = Path(__file__).parents[3] / "docs" / "en" / "tron-bots.md"


def blocks(language):
    """The blocks of the document in a language."""
    return re.findall(rf"```{language}\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)


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
