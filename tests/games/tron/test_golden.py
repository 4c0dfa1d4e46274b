"""The recorded games of the arena."""

import gzip
import json

import pytest
from helpers import recorded_files

from joute.core.interface import OVER, accepts, fault_action, legal, mover, play, start
from joute.core.registry import make
from joute.games.tron.rules import places
from joute.games.tron.text import chart_of, heads, living, picture, rounds, settings_of


def golden_games():
    """Every recorded game of every file."""
    files = recorded_files("tron", "*.jsonl.gz")
    return [json.loads(line) for path in files for line in gzip.open(path, "rt", encoding="utf-8")]


GAMES = golden_games()


def made(recorded):
    options = recorded["options"]
    return make(
        "tron",
        map=recorded["map"],
        players=recorded["bikes"],
        rotation=recorded["rotation"],
        **options,
    )


def where(game, state):
    """[x, y, floor] of every head."""
    at = chart_of(settings_of(game))[1].places
    return [list(at[cell]) for cell in heads(game, state)]


def play_round(game, state, recorded):
    """Play the recorded moves of one round, each as the mover's, each checked."""
    for bike, direction in enumerate(recorded["moves"]):
        if direction is None:
            continue
        assert mover(game, state) == bike
        out = [0] * 6
        assert out[: legal(game, state, out)] == recorded["legal"][bike]
        assert accepts(game, state, direction)
        if bike in recorded.get("fault", []):
            assert fault_action(game, state, bike) == direction
        play(game, state, direction)


def check_round(game, state, recorded, later):
    """Compare with the end of a round; here those who cannot move in the next are out already."""
    gone = set(recorded["alive"]) - set(living(game, state))
    assert set(living(game, state)) <= set(recorded["alive"])
    assert all(later and later[0]["moves"][bike] is None for bike in gone)
    for bike in recorded["alive"]:
        assert where(game, state)[bike] == recorded["at"][bike]


@pytest.mark.parametrize("part", range(4))
def test_every_golden_game_replays(part):
    for recorded in GAMES[part::4]:
        game = made(recorded)
        state = start(game).tolist()
        assert where(game, state) == recorded["starts"]
        for number, each in enumerate(recorded["rounds"]):
            play_round(game, state, each)
            check_round(game, state, each, recorded["rounds"][number + 1 :])
        end = recorded["end"]
        assert mover(game, state) == OVER
        assert living(game, state) == end["alive"]
        assert places(game, state) == end["places"]
        assert rounds(game, state) == end["rounds"]
        assert picture(game, state) == end["picture"]
