"""The bots printed in the documents play."""

import re
import sys
from pathlib import Path

import pytest
from games.tron.bikes import tron_play, tron_start
from host.hosting import END, play_message

DOCS = Path(__file__).parents[2] / "docs"
DOCUMENT = DOCS / "bot-protocol.md"
TRON = DOCS / "tron-bots.md"


def blocks(language, document=DOCUMENT):
    """The blocks of a document in a language."""
    return re.findall(rf"```{language}\n(.*?)```", document.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize(
    ("language", "name", "action"), [("python", "bot.py", 45), ("sh", "bot", 1)]
)
def test_a_bot_of_the_document_plays(hosts, language, name, action):
    (text,) = blocks(language)
    path = hosts.write(name, text) / name
    path.chmod(0o755)
    bot = hosts.started(name, base=hosts.folder)
    assert bot.ask(play_message(legal=[1, 45, 100])).action == action
    bot.end(END)


def test_a_program_of_2010_of_the_document_plays(hosts):
    hosts.write("bot.py", blocks("python", TRON)[0])
    bot = hosts.bot(f"tron2010:{sys.executable} bot.py", base=hosts.folder)
    assert bot.start(tron_start()).fault is None
    (picture,) = blocks("text", TRON)
    size, *rows = picture.splitlines()
    assert size == f"{len(rows[0])} {len(rows)}"
    assert [bot.ask(tron_play(rows, player)).action for player in (0, 1)] == [2, 1]
    bot.end(END)


def test_a_function_of_the_workshop_of_the_document_plays(hosts):
    hosts.write("bot.py", blocks("python", TRON)[1])
    bot = hosts.bot("bot.py", base=hosts.folder)
    assert bot.start(tron_start()).fault is None
    assert bot.ask(tron_play(["####", "#1 #", "####"])).action == 2
