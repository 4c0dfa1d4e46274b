"""Bots in C and in Rust are handed in as sources: built, checked, ranked."""

import shutil

import pytest
from helpers import need
from host.sources import IN_C, IN_RUST
from web.entered import archive, served

from joute.cli.main import main
from joute.web.registration.contest_files import composed

pytestmark = [pytest.mark.game("virus"), pytest.mark.full]

SHORT = """
[contest]
name = "Small"
games = 2
workers = 1
[game]
name = "virus"
size = 3
[[bots]]
bot = "builtin:random"
"""


def _packed(files):
    return archive(*((name, text.encode()) for name, text in files.items()))


def test_sources_are_handed_in_built_checked_and_ranked(serve, tmp_path, capsys):
    need("cc")
    reception = served(serve, tmp_path)
    text = reception.service.store.contest(reception.registration)
    text.write_text(SHORT)
    ann = reception.participant("Ann")
    assert "This server has: " in ann.get().text
    wrong = {**IN_C, "bot.c": "int main(void) { retrun 0; }"}
    ann.upload(_packed(wrong), "bot.zip")
    page = ann.settled()
    assert "1 problem to fix" in page and "it could not be built" in page.lower()
    assert "bot.c:1:" in page and str(tmp_path) not in page
    ann.upload(_packed(IN_C), "bot.zip")
    page = ann.settled()
    assert "Version 2 takes part." in page and "made bot in" in page
    if shutil.which("rustc") is not None:
        bob = reception.participant("Bob")
        bob.upload(_packed(IN_RUST), "bot.zip")
        assert "Version 1 takes part." in bob.settled()
    file = composed(reception.service.store, reception.registration)
    assert main(["contest", "run", str(file)]) == 0
    ranked = capsys.readouterr().out
    assert "Ann" in ranked and ("Bob" in ranked) == (shutil.which("rustc") is not None)
    reception.close()
