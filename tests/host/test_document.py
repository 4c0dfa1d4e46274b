"""The bots printed in the documents play."""

import re
from pathlib import Path

import pytest
from host.hosting import END, play_message

DOCS = Path(__file__).parents[2] / "docs" / "en"
DOCUMENT = DOCS / "bot-protocol.md"


def blocks(language, document=DOCUMENT):
    """The blocks of a document in a language."""
    return re.findall(rf"```{language}\n(.*?)```", document.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize(
    ("language", "place", "name", "action", "metrics"),
    [
        ("python", 0, "bot.py", 45, {}),
        ("python", 1, "bot.py", 1, {"choices": 3, "worth": 0.25}),
        ("python", 2, "bot.py", "pass", {"stones": 2}),
        ("sh", 0, "bot", 1, {}),
    ],
)
def test_a_bot_of_the_document_plays(hosts, language, place, name, action, metrics):
    path = hosts.write(name, blocks(language)[place]) / name
    path.chmod(0o755)
    bot = hosts.started(name, base=hosts.folder)
    found = bot.ask(play_message(legal=[1, 45, 100]))
    assert (found.action, found.note) == (action, "")
    assert found.annotations.metrics == metrics
    assert bool(found.annotations.marks) == bool(metrics)
    bot.end(END)


def test_every_python_bot_of_the_document_is_played_here():
    assert len(blocks("python")) == 3
