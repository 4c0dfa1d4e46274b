"""Arguments that cannot be, given to every public function: each is told in a sentence."""

import math
import pickle
from pathlib import Path

import numpy as np
import pytest
from helpers import english_words, games_forgotten
from interop.kinds import CONNECT_FOUR

import joute
from joute.bots import Choice
from joute.i18n.words import speaking
from joute.search import alphabeta, expectimax, flat, ismcts, uct

SIMULATING, DEEP = (uct, ismcts, flat), (alphabeta, expectimax)


def first():
    return joute.game(CONNECT_FOUR).start(seed=1)


def last(observation, clock):
    return observation["legal"][-1]


def finished():
    """A position where the game is over."""
    position = first()
    while not position.over:
        position = position.play(position.legal[0])
    return position


def like_a_state(value, kind):
    """An array of the shape of a state, with a value in it that no state has room for."""
    state = first().state.astype(kind)
    state[0] = value
    return state


VALUES = [
    (0.5, np.float64),
    (math.nan, np.float64),
    (math.inf, np.float64),
    (2**63, np.uint64),
    (1, np.complex128),
    (1, np.str_),
]
GAMES = [
    lambda: joute.game(None),
    lambda: joute.game(3),
    lambda: joute.game(["virus"]),
    lambda: joute.game(b"virus"),
    lambda: joute.game(Path("nowhere")),
    lambda: joute.Batch(None, 2),
    lambda: joute.Batch(first(), 2),
    lambda: joute.Batch(Path("nowhere.py"), 2),
    lambda: joute.Batch(CONNECT_FOUR, 2, seed="cup"),
    lambda: joute.Batch(CONNECT_FOUR, 2, seed=1.5),
    lambda: joute.Batch(CONNECT_FOUR, 2).reset("cup"),
    lambda: joute.Batch(CONNECT_FOUR, 2).features_of(None),
    lambda: joute.Batch(CONNECT_FOUR, 2).features_of(0.5),
    lambda: joute.Batch(CONNECT_FOUR, 2).playouts(2**70),
    lambda: joute.game(CONNECT_FOUR).start(seed=1.5),
    lambda: joute.game(CONNECT_FOUR).start(seed=[]),
    lambda: joute.game(CONNECT_FOUR).start(seed=True),
    lambda: joute.game(CONNECT_FOUR).at(None),
    lambda: joute.game(CONNECT_FOUR).at("text"),
    lambda: joute.game(CONNECT_FOUR).at([10**30]),
    lambda: joute.game(CONNECT_FOUR).position(None),
    lambda: joute.game(CONNECT_FOUR).position("3"),
    lambda: first().observe(None),
    lambda: first().observe("0"),
    lambda: first().observe(0.5),
    lambda: first().features(None),
    lambda: first().determinized("0"),
    lambda: first().determinized(0, seed="cup"),
    lambda: first().determinized(0, seed=1.5),
    lambda: first().text(None),
    lambda: first().text([1]),
    lambda: first().text(10**6),
    lambda: first().text(-1),
    lambda: finished().text(finished().actions[-1]),
    lambda: finished().text(10**6),
    *(lambda each=each: first().game.at(like_a_state(*each)) for each in VALUES),
    lambda: joute.Game(CONNECT_FOUR),
    lambda: joute.Batch(Choice(1), 3),
    lambda: joute.bot(last).think(None),
    lambda: joute.bot(last).think(first().game),
    lambda: joute.match(None, last, last),
    lambda: joute.match(Path("nowhere.py"), last, last),
    lambda: joute.match(CONNECT_FOUR, last, last, limits=3),
]


@pytest.mark.parametrize("make", GAMES)
def test_what_stands_for_no_game_position_or_player_is_refused_in_the_language(make):
    with pytest.raises(joute.Error) as raised:
        make()
    with speaking("fr"):
        assert not english_words(str(raised.value)), str(raised.value)
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__ or raised.value.__context__ is None


@pytest.mark.parametrize("seconds", [None, "x", 0, -1, math.nan, math.inf, True])
def test_a_bot_thinks_for_a_number_of_seconds(seconds):
    with pytest.raises(joute.GameError, match="seconds: expected a number of seconds above 0"):
        joute.bot(last).think(first(), seconds)


@pytest.mark.parametrize("make", [joute.record, joute.contest])
@pytest.mark.parametrize("given", [None, 3, [], b"game.jsonl"])
def test_what_is_no_path_is_refused(make, given):
    with pytest.raises(joute.Error, match="expected the path of a file"):
        make(given)


LIMITS = [{"seconds": each} for each in ("x", 0, -1, math.nan)]


@pytest.mark.parametrize("search", [*SIMULATING, *DEEP])
@pytest.mark.parametrize("limits", [*LIMITS, {"evaluate": 3}, {"evaluate": "lead"}])
def test_a_search_refuses_what_is_no_time_and_no_evaluation(search, limits):
    with pytest.raises(joute.SearchError, match=r"expected a (number of seconds|function)"):
        search(first(), **limits)


@pytest.mark.parametrize("search", [*SIMULATING, *DEEP])
@pytest.mark.parametrize("value", [None, "x", "1", math.nan, math.inf, []])
def test_an_evaluation_gives_a_number(search, value):
    budget = {"simulations": 3} if search in SIMULATING else {"depth": 1}
    with pytest.raises(joute.SearchError, match="evaluate: expected a finite number"):
        search(first(), evaluate=lambda position, player: value, **budget)


@pytest.mark.parametrize("search", SIMULATING)
@pytest.mark.parametrize(
    "given",
    [
        {"simulations": 1.5},
        {"simulations": "x"},
        {"simulations": True},
        {"seed": "x"},
        {"seed": None},
        {"scale": "x"},
        {"scale": None},
        {"policy": 3},
        {"policy": lambda position: None},
        {"policy": lambda position: ["x"] * len(position.legal)},
    ],
)
def test_a_search_of_simulations_refuses_what_is_no_number_and_no_policy(search, given):
    with pytest.raises(joute.SearchError, match="expected a"):
        search(first(), **{"simulations": 3, **given})


@pytest.mark.parametrize("search", [uct, ismcts])
@pytest.mark.parametrize("given", ["x", [], True])
def test_an_exploration_is_a_number(search, given):
    with pytest.raises(joute.SearchError, match="exploration: expected a"):
        search(first(), simulations=3, exploration=given)


@pytest.mark.parametrize("search", DEEP)
@pytest.mark.parametrize("given", [0, -1, 1.5, "x", True])
@pytest.mark.parametrize("name", ["depth", "nodes"])
def test_a_search_to_a_depth_refuses_what_is_none(search, name, given):
    with pytest.raises(joute.SearchError, match=f"{name}: expected a whole number"):
        search(first(), **{name: given})


@pytest.mark.parametrize("search", [*SIMULATING, *DEEP])
@pytest.mark.parametrize("given", [lambda: None, lambda: "virus", lambda: first().game])
def test_a_search_looks_at_positions_alone(search, given):
    with pytest.raises(joute.SearchError, match="position: expected a position"):
        search(given())


def test_an_option_of_a_built_in_bot_that_is_not_a_number_is_refused():
    with pytest.raises(joute.BotError, match="seconds: expected a number, got 'nan'"):
        joute.bot("builtin:uct?seconds=nan").think(first())


def test_numbers_of_numpy_are_numbers():
    one = np.int64(1)
    game = joute.game(CONNECT_FOUR)
    position = game.start(seed=one)
    assert position == game.start(seed=1)
    assert position.determinized(one, seed=one) == position.determinized(1, seed=1)
    assert position.text(np.int64(3)) == position.text(3)
    assert uct(position, simulations=np.int32(9), seed=one) == uct(position, simulations=9, seed=1)
    assert type(next(iter(flat(position, simulations=np.int64(2)).visits.values()))) is int
    played = joute.match(CONNECT_FOUR, last, last, games=np.int64(2), seed=one, workers=one)
    assert played.seed == "1" and len(played.records) == 2


@pytest.mark.game("virus")
def test_a_parameter_may_be_a_number_of_numpy():
    small = joute.game("virus", size=4)
    assert joute.game("virus", size=np.int64(4)) == small
    assert joute.Game(joute.Batch("virus", 2, size=np.int64(4)).rules) == small
    assert joute.match("virus", last, last, size=np.int64(4)).records[0].game == small


@pytest.mark.game("love-letter")
def test_an_observation_is_plain_data_whatever_number_names_the_player():
    seen = joute.game("love-letter").start(seed=1).observe(np.int64(1))
    assert type(seen["player"]) is int


def test_a_game_may_be_a_path_that_is_no_text(tmp_path, monkeypatch):
    path = Path(CONNECT_FOUR)
    assert joute.game(path) == joute.game(CONNECT_FOUR)
    assert joute.Batch(path, 1).facts.name == "connect-four"
    assert len(joute.match(path, last, last).records) == 2
    folder = tmp_path / "four"
    folder.mkdir()
    rules = path.read_text("utf-8").replace('"connect-four"', '"four-in-a-row"')
    (folder / "__init__.py").write_text(rules, "utf-8")
    monkeypatch.chdir(tmp_path)
    with games_forgotten():
        assert joute.game(Path("four")).name == "four-in-a-row"


@pytest.mark.game("virus")
def test_returns_are_floats_in_a_draw_too():
    position = joute.game("virus", size=3).start(seed=1)
    while not position.over:
        position = position.play(position.legal[-1])
    assert [type(value) for value in position.returns] == [float, float]


@pytest.mark.game("tron")
@pytest.mark.parametrize("maps", [5, {"duel": 1}, [5], ["nowhere"]])
def test_what_stands_for_no_map_is_refused(maps):
    with pytest.raises(joute.Error, match="map"):
        joute.match("tron", last, last, maps=maps)


@pytest.mark.game("tron")
def test_one_map_of_a_match_needs_no_list():
    played = joute.match("tron", last, last, games=2, maps="duel")
    assert {record.game for record in played.records} == {joute.game("tron", map="duel")}


def test_a_class_that_thinks_sits_anew_in_each_game():
    class Counting:
        def __init__(self):
            self.turns = 0

        def think(self, position):
            self.turns += 1
            return position.legal[self.turns % len(position.legal)]

    assert joute.bot(Counting).think(first()).action == 1
    one, other = (record.positions[-1] for record in twice(Counting))
    assert one == other


def twice(source):
    return joute.match(CONNECT_FOUR, source, source, games=2, seed=1, limits={}).records


def test_what_a_bot_raises_comes_as_it_was_raised():
    def raising(observation, clock):
        try:
            observation["nothing"]
        except KeyError as error:
            raise ValueError("mine") from error

    with pytest.raises(ValueError, match="mine") as raised:
        joute.match(CONNECT_FOUR, raising, last)
    assert type(raised.value.__cause__) is KeyError
    assert raised.value.__context__ is raised.value.__cause__


def test_positions_and_results_go_to_other_processes():
    position = first().play(3)
    match = joute.match(CONNECT_FOUR, last, last, seed=1)
    for each in (position, position.game, match.records[0].positions[2]):
        assert pickle.loads(pickle.dumps(each)) == each
    again = pickle.loads(pickle.dumps(match))
    assert (again.score, again.interval, again.table()) == (
        match.score,
        match.interval,
        match.table(),
    )
