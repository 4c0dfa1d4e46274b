"""Small games and bots written to files, for the tests of games as they are played."""

import sys

import pytest
from helpers import install_game

# Speaks the bot protocol in a process of its own. SCRIPT is what it answers in turn: an action, or
# "die". Everything it has heard since its last answer comes back as its message.
PROGRAM = """
import json
import sys

script = SCRIPT
heard = []
for line in sys.stdin:
    message = json.loads(line)
    heard.append(message)
    if message["type"] == "start":
        reply = {"type": "ready"}
    elif message["type"] == "play":
        action = script[min(sum("observation" in m for m in heard), len(script)) - 1]
        if action == "die":
            sys.exit(3)
        if action == "legal":
            action = message["observation"]["legal"][0]
        reply = {"type": "action", "action": action, "message": json.dumps(heard[-2:])}
    else:
        break
    print(json.dumps(reply), flush=True)
"""


@pytest.fixture(autouse=True)
def small_games(monkeypatch):
    """The games that only tests play."""
    install_game(monkeypatch, "poker", "games.poker")
    install_game(monkeypatch, "pennies", "games.pennies")


@pytest.fixture
def program(tmp_path):
    """Writes a program that answers by a script; gives its name as a bot."""

    def write(*script):
        path = tmp_path / f"bot{len(list(tmp_path.iterdir()))}.py"
        path.write_text(PROGRAM.replace("SCRIPT", repr(list(script))), "utf-8")
        return f"program:{sys.executable} {path}"

    return write


@pytest.fixture
def file(tmp_path):
    """Writes a file of Python; gives its name as a bot."""

    def write(name, text):
        (tmp_path / name).write_text(text, "utf-8")
        return str(tmp_path / name)

    return write
