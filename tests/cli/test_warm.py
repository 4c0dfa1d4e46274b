"""`joute warm` compiles bots beforehand, and says how far it is."""

import pytest

from joute.cli import warm
from joute.core.registry import make
from joute.play import preparing

pytestmark = pytest.mark.game("virus")


@pytest.fixture
def compiled(monkeypatch):
    """The bots that are ready; none is compiled in earnest."""
    ready = set()
    monkeypatch.setattr(preparing, "prepared", lambda game, bot: bot in ready)
    monkeypatch.setattr(preparing, "prepare", lambda game, bot, niceness: ready.add(bot))
    return ready


def test_the_champion_of_a_game_comes_first_and_its_levels_follow():
    found = [bot for _, bot in warm.bots_of(["virus"])]
    assert found[0] == "builtin:champion"
    assert len(found) == len(set(found)) > 3


def test_without_a_name_the_bots_of_all_games_are_chosen():
    assert any(game == make("virus") for game, _ in warm.bots_of([]))


def test_every_bot_is_compiled_with_its_number_and_the_time_left(run, compiled):
    outcome = run("warm", "virus")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert len(lines) == len(compiled) + 1
    assert lines[0].startswith(f"1/{len(compiled)}  virus, champion")
    assert lines[1].endswith(" left")
    assert lines[-1].startswith(f"{len(compiled)} bots are ready")


def test_what_is_ready_is_not_compiled_again(run, compiled):
    run("warm", "virus")
    outcome = run("warm", "virus", "--lang", "fr")
    assert outcome.out.splitlines()[0].startswith(f"{len(compiled)} bots sont prêts")


def test_a_bot_that_cannot_be_made_ready_is_named_and_the_command_fails(run, compiled, monkeypatch):
    monkeypatch.setattr(preparing, "prepare", lambda game, bot, niceness: None)
    outcome = run("warm", "virus")
    assert outcome.code == 1
    assert "builtin:champion could not be made ready" in outcome.out


def test_an_unknown_game_is_a_mistake_of_the_user(run):
    outcome = run("warm", "nim-that-is-not-there")
    assert outcome.code == 2
    assert "nim-that-is-not-there" in outcome.err
