"""Games from outside, which no page compiles before it is shown."""

import threading
from pathlib import Path

import pytest
from helpers import PATIENCE, wait_until
from web.conftest import Site
from web.tabled import ANN, asked, spec, told

from joute.core import registry
from joute.core.compiled import Kernel
from joute.core.registry import make
from joute.play import thinkers as module
from joute.play.advice import adviser
from joute.play.thinkers import Thinkers
from joute.web.settings import Settings
from joute.web.tables.receiver import Receiver
from joute.web.tables.tables import Tables

EXAMPLE = Path(__file__).parents[2] / "examples/games/connect_four.py"


@pytest.fixture
def game(tmp_path, monkeypatch):
    """A game that no test has used before; nothing is compiled for it."""
    path = tmp_path / "fours.py"
    path.write_text(EXAMPLE.read_text().replace('"connect-four"', '"fours"'))
    name = registry.card(str(path)).name

    def refuse(kernel, *given):
        raise AssertionError(f"{kernel.function.__name__} is compiled")

    monkeypatch.setattr(Kernel, "__call__", refuse)
    return name


def test_pages_of_a_game_from_outside_compile_nothing(game):
    site = Site(Settings())
    try:
        for path in (f"/watch/{game}", f"/play/{game}"):
            page = site.get(path)
            assert page.status_code == 200
            assert "Level 5" in page.text
        table = site.post("/tables", data={"game": game, "opponent": "5", "place": "first"})
        assert table.status_code == 303
        assert site.get(table.headers["location"]).status_code == 200
        assert asked(site.app.state.tables.awake()[0]).player == 0
    finally:
        site.close()


def test_who_waits_for_a_bot_of_a_game_from_outside_is_told_so(game, monkeypatch):
    assert adviser(make(game)) == "builtin:alphabeta"
    closed = threading.Event()
    monkeypatch.setattr(module, "prepared", lambda rules, bot: False)
    monkeypatch.setattr(
        module, "prepare", lambda rules, bot, running, niceness: closed.wait(PATIENCE)
    )
    tables = Tables(thinkers=Thinkers(1, preparing=True))
    table = tables.open(spec(game, ("human", "builtin:alphabeta")), (0,), ANN)
    question = asked(table)
    table.answer((0,), question.number, question.actions[0])
    receiver = Receiver(table, (0,), "en")
    waited = wait_until(lambda: told(receiver)[-1].get("preparing"))
    assert waited["seat"] == 1
    closed.set()
    table.close()
    tables.close()
