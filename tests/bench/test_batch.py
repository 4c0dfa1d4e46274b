"""The bench of batches measures what it says, and says what is not there, at any speed."""

import sys
from types import SimpleNamespace

import pytest
from games.examples import ConnectFour
from games.pennies import Pennies
from games.poker import PLAYERS, Poker

from bench import batch, batch_others
from bench.batch import (
    against_row,
    decisions,
    features_row,
    games,
    play_row,
    step_row,
    stepping,
)
from joute.core.interface import start
from joute.core.random import generator
from joute.core.registry import names
from joute.search.playouts import playout_work, playouts


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Rounds of no length."""
    for name, value in {"COUNTS": (4, 8), "ROUNDS": 1, "WARMING": 2, "BARE_GAMES": 3}.items():
        monkeypatch.setattr(batch, name, value)


@pytest.mark.full
def test_a_step_is_compared_with_the_bare_loop():
    row = step_row("connect-four", ConnectFour(), 3)
    assert (row.name, row.unit, row.aim) == (
        "step, connect-four", "steps/s", "0.5 of the bare loop",
    )  # fmt: skip
    assert row.value > 0 and row.against.startswith("a bare loop: ")
    assert row.met == (row.ratio >= 0.5)
    assert step_row("pennies", Pennies(), 3).met is None


def test_what_chance_decides_is_no_step():
    game = Poker()
    decided, plies = (
        kernel(game, start(game), 50, generator(3), playout_work(game))
        for kernel in (decisions, playouts)
    )
    assert (decided, plies) == (50 * PLAYERS, 2 * 50 * PLAYERS)  # each is dealt a card


def test_masks_of_very_many_actions_are_of_fewer_games(monkeypatch):
    monkeypatch.setattr(batch, "MOST_MASK", 20)
    assert stepping(ConnectFour())[0].count == 2
    monkeypatch.setattr(batch, "MOST_MASK", 1)
    assert stepping(ConnectFour())[0].count == 1


def test_features_and_single_plays_are_measured():
    row = features_row("connect-four", ConnectFour(), 3)
    assert (row.name, row.aim) == ("step with features, connect-four", "3,000,000")
    assert row.value > 0 and row.met == (row.value >= 3_000_000)
    row = play_row("connect-four", ConnectFour(), 20)
    assert (row.unit, row.aim, row.met) == ("us", "30", row.value <= 30)


def test_what_is_not_there_is_skipped_by_name(monkeypatch):
    monkeypatch.setattr(batch, "find_spec", lambda name: None)
    monkeypatch.setattr(batch_others, "find_spec", lambda name: None)
    row = against_row("pgx", batch_others.pgx, 20.0, 3)
    assert (row.against, row.aim, row.met) == ("skipped: no module pgx", "20 of pgx", None)
    row = batch_others.environment_row()
    assert (row.value, row.against) == (None, "skipped: no module pettingzoo")


def test_another_library_is_compared_in_steps_a_second(monkeypatch):
    monkeypatch.setattr(batch, "find_spec", lambda name: name)
    row = against_row("pgx", lambda: ("pgx, 64 games", 0.5), 20.0, 3)
    assert row.ratio == row.value / 0.5 and row.met
    assert row.against == "pgx, 64 games: 0"


def test_open_spiel_is_stepped_to_the_end_of_each_game(monkeypatch):
    played = []

    def state():
        left = list(range(7))
        return SimpleNamespace(
            is_terminal=lambda: not left, legal_actions=left.copy,
            apply_action=lambda action: played.append(left.remove(action)), returns=list,
        )  # fmt: skip

    fake = SimpleNamespace(load_game=lambda name: SimpleNamespace(new_initial_state=state))
    monkeypatch.setitem(sys.modules, "pyspiel", fake)
    monkeypatch.setattr(batch_others, "process_time", iter(range(100)).__next__)
    assert batch_others.open_spiel(games=2) == ("OpenSpiel", 14.0)
    assert len(played) == 14 * batch_others.ROUNDS


def test_every_game_is_measured():
    assert next(iter(games())) == "connect-four"
    assert set(games()) == {"connect-four", *names()}
