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
    ("language", "name", "action"), [("python", "bot.py", 45), ("sh", "bot", 1)]
)
def test_a_bot_of_the_document_plays(hosts, language, name, action):
    (text,) = blocks(language)
    path = hosts.write(name, text) / name
    path.chmod(0o755)
    bot = hosts.started(name, base=hosts.folder)
    assert bot.ask(play_message(legal=[1, 45, 100])).action == action
    bot.end(END)
