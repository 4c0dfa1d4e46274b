"""A player carried to the HX2 contest, in a stand-in of its engine written from its page."""

import pytest
from games.virus.oracle import PASS, Oracle, number

from joute import bots
from joute.core.interface import legal_actions, play, start
from joute.core.registry import make
from joute.games.virus.carried import MOVE_SECONDS, WARMING_SECONDS, Carried, state_of
from joute.games.virus.hx2 import SIDES
from joute.games.virus.rules import PASSES

CHAMPION = "builtin:champion?simulations=60"
SEED = 7


def first_cell(game, side):
    """The contest's example: the first empty cell beside an own stone."""
    grid = game["grid"]
    for row, column in ((row, column) for row in range(10) for column in range(10)):
        near = [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        inside = [(r, c) for r, c in near if 0 <= r < 10 and 0 <= c < 10]
        if grid[row][column] == 0 and game["references"][side] in [grid[r][c] for r, c in inside]:
            return [row, column]
    return False


class Engine:
    """The contest's engine: a grid, a history, and two functions that are asked in turn."""

    def __init__(self, functions, starter):
        self.oracle = Oracle(10, True, starter)
        self.functions = functions
        self.actions = [starter]  # as our rules have them, the draw of the starter first
        self.game = {
            side: {"name": side, "misc": {}, "score": 2, "ia": function}
            for side, function in zip(SIDES, functions, strict=True)
        }
        self.game["player_1"]["start"] = starter == 0
        self.game |= {"references": {"player_1": 1, "player_2": 2, "neutral": 0}, "history": []}
        self._show()

    def _show(self):
        rows = [[0 if each is None else each + 1 for each in row] for row in self.oracle.grid]
        self.game["grid"] = rows

    def turn(self, player):
        side = SIDES[player]
        answer = self.functions[player](self.game, side)
        action = PASS if answer is False else (answer[0], answer[1])
        assert action in self.oracle.legal()
        turned = [] if action == PASS else [list(cell) for cell in self.oracle.turned(action)]
        self.oracle.play(action)
        self.game["history"].append([side, "False" if action == PASS else [*action, turned]])
        self.actions.append(number(action, 10))
        self._show()

    def run(self):
        """Plays to a full grid, as the contest did."""
        while any(0 in row for row in self.game["grid"]):
            self.turn(self.oracle.to_move)
        return self.actions


def moves_of(actions, player):
    """Our player's choice in each state of a game where it was to move, and what was played."""
    game = make("virus", voluntary_pass=False)
    seat = bots.Seating(game, player, SEED, 10.0)
    twin = bots.make("champion", {"simulations": "60"}, seat)
    state = start(game)
    for action in actions:
        if state[4] == player:
            assert twin.play(state.copy()).action == action
        play(game, state, action)


@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize("player", [0, 1])
def test_the_carried_champion_plays_as_the_one_built_in(player, starter):
    functions = [first_cell, first_cell]
    functions[player] = Carried(CHAMPION, seed=SEED)
    engine = Engine(functions, starter)
    moves_of(engine.run(), player)
    assert engine.oracle.scores()[player] > 50


def test_what_is_written_plays_against_itself_in_the_contests_engine(run, tmp_path, monkeypatch):
    folder = tmp_path / "mine"
    made = run("carry", "virus", CHAMPION, folder)
    assert (made.code, made.err) == (0, "")
    assert "python main.py champion ia1" in made.out
    monkeypatch.syspath_prepend(folder)
    function = __import__("champion").ia
    engine = Engine([function, function], 1)
    assert len(engine.run()) >= 97
    assert function(engine.game, "player_1") is False  # the engine asks once more at the end


def test_a_new_game_gets_a_new_player(monkeypatch):
    made = []

    class Player:
        def __init__(self, *asked):
            made.append(asked[3])  # the seconds of a turn

        def choose(self, state):
            return [legal_actions(make("virus"), state)[0]]

    monkeypatch.setattr("joute.games.virus.carried.OutsidePlayer", Player)
    function = Carried("builtin:random")
    assert made == [WARMING_SECONDS]  # all is loaded before a clock runs
    for starter in (0, 1):
        Engine([function, first_cell], starter).run()
    assert made[1:] == [MOVE_SECONDS, MOVE_SECONDS]


@pytest.mark.parametrize("passed", ["False", False])
def test_a_state_is_that_of_the_grid_and_a_pass_is_not_counted(passed):
    game = make("virus")
    state = start(game).tolist()
    for action in (0, 1, 100):  # player 0 starts, plays b1, and the other passes
        play(game, state, action)
    engine = Engine([first_cell, lambda *_: False], 0)
    engine.turn(0)
    engine.turn(1)
    engine.game["history"][-1][1] = passed
    assert engine.actions == [0, 1, 100]
    assert state_of(engine.game, "player_1") == [*state[:PASSES], 0]


def test_the_carried_player_goes_on_where_the_other_cannot_play():
    """One that leads would end the game by a second pass; the contest's engine has no such end."""
    engine = Engine([Carried(CHAMPION, seed=SEED), lambda *_: False], 0)
    actions = engine.run()
    assert actions[1::2].count(100) == 0
    assert engine.oracle.scores() == [100, 0]
