"""The champion of Tron: its duels, its fillings, and the worth of going out together."""

import numpy as np
import pytest
from games.tron.maps import superset

from joute.bots import BuiltinError, Seating, View, make
from joute.core.interface import OVER, legal, mover, play, returns, start
from joute.core.maps import find_map
from joute.core.registry import make as make_game
from joute.games.tron.arena import CELLS, HEAD
from joute.games.tron.players import champion as tron_champion
from joute.games.tron.players.champion import Rivals, distances
from joute.games.tron.players.evaluation import WON, territory
from joute.games.tron.players.model import YIELDING
from joute.search.alphabeta_search import advance
from joute.search.best_reply import expand
from joute.search.evaluation import evaluate
from joute.search.fill_anneal import anneal
from joute.search.fill_bound import steps_bound
from joute.search.fill_paths import dive, follow_bound

LEFT, UP, RIGHT, DOWN = range(4)


def room(*rows, **options):
    return make_game("tron", map=superset("room", "\n".join(rows)), **options)


def champion(game, player=0, **options):
    return tron_champion.make(Seating(game, player, 1, 1.0), **options)


def play_game(game, names, seed=1):
    """The returns of a game between built-in bots, each of whose actions must be legal."""
    tables = [Seating(game, player, 100 * seed + player, 1.0) for player in range(len(names))]
    bots = [
        tron_champion.make(table, nodes=200) if name == "champion" else make(name, {}, table)
        for name, table in zip(names, tables, strict=True)
    ]
    views = [View(table) for table in tables]
    state, dtype = start(game).tolist(), start(game).dtype
    out = [0] * 6
    while mover(game, state) != OVER:
        player = mover(game, state)
        known = np.array(views[player].of(state), dtype)
        before = known.copy()
        action = bots[player].play(known).action
        assert np.array_equal(known, before)
        assert action in out[: legal(game, state, out)]
        play(game, state, action)
    values = [0.0] * game.players
    returns(game, state, values)
    return values


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("gates", 2, {}),
        ("torus", 2, {"order": "turns"}),
        ("ghosts", 6, {}),
        ("ziggurat", 4, {"teams": [[0, 2], [1, 3]]}),
    ],
)
def test_it_plays_on_every_kind_of_board_to_the_end(name, players, options):
    game = make_game("tron", map=find_map("tron", name), players=players, **options)
    play_game(game, ["champion", *["wall"] * (players - 1)])


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("other", ["random", "wall"])
def test_it_beats_those_who_do_not_look_at_it(other, player):
    game = make_game("tron", map=find_map("tron", "duel"), players=2)
    names = [other, other]
    names[player] = "champion"
    assert play_game(game, names)[player] == 1.0


def first_legal(game, state):
    out = [0] * 6
    legal(game, state, out)
    return out[0]


def test_once_nobody_can_come_it_fills_what_is_left_to_it():
    game = room("###########", "#   ##    #", "#1  ## 2  #", "#   ##    #", "###########")
    bot = champion(game, nodes=100)
    state = start(game)
    made = 0
    while mover(game, state) == 0:
        choice = bot.play(state)
        assert "of at most" in choice.message
        play(game, state, choice.action)
        made += 1
        if mover(game, state) == 1:
            play(game, state, first_legal(game, state))
    assert made == 7  # of nine cells, the head on one of the fewer colour


KERNELS = (distances, advance, expand, steps_bound, dive, follow_bound, anneal)


def compiled():
    """The number of forms of the kernels, for all games; one in plain Python has none."""
    codes = [code for one in KERNELS for code in one.dispatchers.values()]
    return sum(len(getattr(code, "signatures", ())) for code in codes)


@pytest.mark.parametrize(
    "rows",
    [
        ("#########", "#1     2#", "#       #", "#       #", "#########"),
        ("#########", "#1  # 2 #", "#   #   #", "#   #   #", "#########"),
    ],
)
def test_nothing_is_left_to_be_compiled_when_the_clock_runs(rows):
    game = room(*rows)
    bot = champion(game, seconds=0.01)
    before = compiled()
    bot.play(start(game))
    assert compiled() == before


def test_a_duel_is_with_whoever_has_the_shortest_way_and_with_nobody_behind_walls():
    game = room("#############", "#1  2   3#4 #", "#        #  #", "#############", players=4)
    state = start(game)
    assert [Rivals(game, player).nearest(state) for player in range(4)] == [1, 0, 1, None]
    teams = room("##########", "#1  2   3#", "#        #", "##########", players=3,
                 teams=[[0, 1], [2]])  # fmt: skip
    assert Rivals(teams, 0).nearest(start(teams)) == 2


def test_a_duel_is_the_arena_with_this_bike_first_and_the_rest_as_walls():
    game = room("###########", "#1  2   3 #", "#         #", "###########", players=3)
    rivals = Rivals(game, 1)
    state = rivals.duel(start(game), 0)
    heads = [int(cell) for cell in game.starts]
    assert state[HEAD : HEAD + 2].tolist() == [heads[1], heads[0]]
    assert [int(state[CELLS + cell]) for cell in heads] == [2, 1, 255]
    assert rivals.others(start(game), 0) == [heads[2]]
    duel, _ = rivals.first()
    assert mover(duel, state) == 0


def test_who_stands_by_keeps_the_cells_that_it_is_nearest_to():
    game = room("############", "#1  2      #", "############")
    state = start(game)
    alone = evaluate(territory(game), game, state, 1)
    judge = territory(game)
    judge.standing[0] = game.cells - 1  # the last cell of the row
    assert evaluate(judge, game, state, 1) < alone


def test_going_out_together_is_worth_what_is_said_and_a_late_loss_more_than_a_soon_one():
    game = room("#####", "#1 2#", "#####")
    state = start(game)
    play(game, state, RIGHT)
    play(game, state, LEFT)
    judge = territory(game, -4.0)
    assert [evaluate(judge, game, state, player) for player in (0, 1)] == [-4.0, 4.0]
    game = room("########", "#1 #  2#", "########")
    won = start(game)
    for action in (RIGHT, LEFT, LEFT):
        play(game, won, action)
    assert mover(game, won) == OVER
    assert evaluate(judge, game, won, 1) == WON - 2


@pytest.mark.parametrize(("likely", "relied_on"), [(0.2, False), (0.8, True)])
def test_replies_to_a_way_to_drive_are_looked_for_where_it_is_likely(
    likely, relied_on, monkeypatch
):
    game = make_game("tron", map=find_map("tron", "duel"), players=2)
    bot = champion(game, nodes=400)
    bot._habits._chances[1] = [likely, 0.0, 1.0 - likely]
    asked, replies = [], bot._replies
    monkeypatch.setattr(bot, "_replies", lambda *given: asked.append(1) or replies(*given))
    bot.play(start(game))
    assert bool(asked) == relied_on
    assert bot._territory.draw[0] == pytest.approx(likely * YIELDING)


def test_the_options_of_the_champion_are_given_by_its_name():
    game = room("#######", "#1 2  #", "#     #", "#######")
    options = {"nodes": "200", "draw": "-2.5", "trust": "0"}
    bot = make("champion", options, Seating(game, 0, 1, 1.0))
    assert (bot._draw, bot._nodes, bot._habits) == (-2.5, 200, None)
    assert make("champion", {"nodes": "200"}, Seating(game, 0, 1, 1.0))._habits is not None


@pytest.mark.game("virus")
def test_it_refuses_other_games_and_options_out_of_range():
    with pytest.raises(BuiltinError, match="at least 0"):
        champion(make_game("tron", map=find_map("tron", "duel")), nodes=-1)
    with pytest.raises(BuiltinError, match="plays tron, not virus"):
        champion(make_game("virus"))


def test_alone_it_fills_the_room():
    game = make_game("tron", map=find_map("tron", "workshop"), players=1)
    bot = make("champion", {}, Seating(game, 0, 1, 1.0))
    state = start(game)
    while mover(game, state) != OVER:
        play(game, state, bot.play(state).action)
    values = [0.0]
    returns(game, state, values)
    assert values == [163.0]
