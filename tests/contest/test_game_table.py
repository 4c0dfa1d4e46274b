"""The [game] table, its maps, and the format that a game asks for."""

import json
from pathlib import Path

import pytest
from contest.fakes import tron_in
from helpers import install_game

from joute.contest.config.config import origins, resolve, resolve_data
from joute.contest.errors import ConfigError
from joute.contest.run.plan import Plan
from joute.core.interface import properties
from joute.core.registry import make

FOUR = ["builtin:random"] * 4
TWO = ["builtin:random", "builtin:random?"]  # two contents, so that no game counts for two

CROSSING = """tron 1
name crossing
size 5 5 1
floor 0
#####
#1 2#
#   #
#3 4#
#####
end
"""


@pytest.fixture
def poker(monkeypatch):
    install_game(monkeypatch, "poker", "games.poker")


def poker_of(tmp_path, contest="", bots=4):
    path = tmp_path / "cards.toml"
    path.write_text(f'bots = {FOUR[:bots]}\n[contest]\n{contest}\n[game]\nname = "poker"\n')
    return resolve(path)


def test_a_contest_names_its_game_where_no_game_is_the_usual_one(monkeypatch):
    install_game(monkeypatch, "poker", "games.poker")
    monkeypatch.setattr("joute.core.registry.usual", lambda: "")
    with pytest.raises(ConfigError, match=r"is missing: the name of a game .*poker") as error:
        resolve_data({"bots": FOUR}, where="here", base=Path())
    assert error.value.key == "game.name"


# Seats and formats.


@pytest.mark.usefixtures("poker")
def test_a_group_has_as_many_bots_as_the_game_has_seats(tmp_path):
    contest = poker_of(tmp_path)
    assert (contest.format, contest.players) == ("round-robin", 3)
    assert (contest.games, contest.max_games) == (6, 6)  # two sets
    plan = Plan(contest, "seed", {})
    assert plan.left == 4 * 6
    assert {len(task.spec.bots) for task in plan.due} == {3}
    assert poker_of(tmp_path, "games = 9").max_games == 9


@pytest.mark.usefixtures("poker")
@pytest.mark.parametrize(
    ("contest", "bots", "key", "said"),
    [
        (
            "games = 4",
            4,
            "contest.games",
            "a multiple of 3, the number of seats, from 3 to 1000000",
        ),
        ("games = 0", 4, "contest.games", "got 0 (int)"),
        ("first_to = 2", 4, "contest.first_to", "is for games of two, not of 3; give games"),
        ('ranking = "paradise"', 4, "contest.ranking", "is for games of two, not of 3"),
        ("max_games = 6", 4, "contest.max_games", "goes with first_to"),
        (
            'format = "score"',
            4,
            "contest.format",
            'poker is for 3 players here, whose format is "r',
        ),
        ("", 2, "bots", "at least 3 bots, one a seat, got 2"),
    ],
)
def test_what_three_seats_do_not_allow_is_refused(tmp_path, contest, bots, key, said):
    with pytest.raises(ConfigError) as error:
        poker_of(tmp_path, contest, bots)
    assert error.value.key == key
    assert said in str(error.value)


@pytest.mark.game("tron")
def test_a_game_alone_is_ranked_by_score(tmp_path):
    contest = tron_in(tmp_path, FOUR[:1], "", 'players = 1\nmaps = ["room", "spiral"]')
    assert (contest.format, contest.players) == ("score", 1)
    assert (contest.games, contest.first_to, contest.max_games) == (4, None, 8)
    assert Plan(contest, "seed", {}).left == 8
    contest = tron_in(tmp_path, FOUR[:1], 'format = "score"\ngames = 1', "players = 1")
    assert (contest.games, contest.max_games) == (1, 1)


@pytest.mark.game("tron")
@pytest.mark.parametrize(
    ("contest", "key", "said"),
    [
        (
            'format = "round-robin"',
            "contest.format",
            'for one player here, whose format is "score"',
        ),
        ("first_to = 2", "contest.first_to", "is for games of two; tron is played alone here"),
        ("max_games = 2", "contest.max_games", "is for games of two"),
        ("games = 0", "contest.games", "a whole number from 1 to 1000000"),
        ('ranking = "hx2"', "contest.ranking", "is for bots that meet; tron is played alone here"),
        ("gmes = 2", "contest.gmes", "did you mean 'games'?"),
    ],
)
def test_what_a_game_alone_does_not_allow_is_refused(tmp_path, contest, key, said):
    with pytest.raises(ConfigError) as error:
        tron_in(tmp_path, FOUR[:2], contest, "players = 1")
    assert error.value.key == key
    assert said in str(error.value)


@pytest.mark.game("tron")
def test_a_score_contest_without_a_bot_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="at least one bot, got 0"):
        tron_in(tmp_path, [], "", "players = 1")


@pytest.mark.game("tron")
def test_a_variable_number_of_seats_is_the_game_s_own_unless_the_file_or_the_caller_says(tmp_path):
    assert tron_in(tmp_path, FOUR, "", "").players == 2
    assert tron_in(tmp_path, FOUR, "", "players = 3").players == 3
    data = {"game": {"name": "tron"}, "bots": FOUR}
    assert resolve_data(data, where="here", base=tmp_path, seats=4).players == 4
    data["game"]["players"] = 3
    assert resolve_data(data, where="here", base=tmp_path, seats=4).players == 3


# Maps.


@pytest.mark.game("tron")
def test_maps_are_names_paths_and_texts(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "cross.txt").write_text(CROSSING)
    words = ["cross", "mine/cross.txt", CROSSING]
    contest = tron_in(tmp_path, FOUR, "", f"players = 4\nmaps = {json.dumps(words)}")
    assert [each.name for each in contest.maps] == ["cross", "cross 2", "map 3"]
    sizes = [len(each.parameters["map"]) for each in contest.maps]
    assert sizes[0] != sizes[1] == sizes[2]
    for each in contest.maps:
        assert properties(make("tron", **each.parameters)).players == 4
    assert (contest.games, contest.max_games) == (12, 12)  # a set on each of three maps


@pytest.mark.game("tron")
def test_sets_go_round_the_maps_and_a_game_says_which(tmp_path):
    contest = tron_in(tmp_path, TWO, "games = 6", 'maps = ["duel", "hourglass"]')
    due = Plan(contest, "seed", {}).due
    assert [task.slot.map for task in due] == ["duel"] * 2 + ["hourglass"] * 2 + ["duel"] * 2
    texts = {each.name: each.parameters["map"] for each in contest.maps}
    assert all(task.spec.parameters["map"] == texts[task.slot.map] for task in due)


@pytest.mark.game("tron")
def test_what_is_shown_of_a_map_is_its_name(tmp_path):
    for game, shown in [
        ('maps = ["duel", "cross"]', ("game.maps", ["duel", "cross"], "file")),
        ('map = "duel"', ("game.map", "duel", "file")),
        ("", ("game.map", "", "game")),
    ]:
        tron_in(tmp_path, FOUR[:2], "", game)
        found = origins(tmp_path / "test.toml")
        assert [tuple(each) for each in found if each.key.startswith("game.map")] == [shown]
        tables = [each.key.partition(".")[0].partition("[")[0] for each in found]
        assert list(dict.fromkeys(tables)) == [
            "contest",
            "game",
            "limits",
            "faults",
            "submission",
            "show",
            "bots",
        ]


@pytest.mark.game("tron")
def test_a_rule_that_depends_on_the_map_is_shown_for_each(tmp_path):
    contest = tron_in(tmp_path, FOUR, "", 'players = 4\nmaps = ["cross", "ghosts"]')
    assert [each.parameters["trail"] for each in contest.maps] == ["stay", "vanish"]
    found = {each.key: each.value for each in origins(tmp_path / "test.toml")}
    assert found["game.trail"] == {"cross": "stay", "ghosts": "vanish"}
    assert found["game.wrap"] == "none"


@pytest.mark.game("tron")
@pytest.mark.parametrize(
    ("game", "key", "said"),
    [
        ('map = "dual"', "map", "did you mean duel"),
        ('maps = ["duel", "nowhere.txt"]', "maps", "there is no map 'nowhere.txt'"),
        ("map = 3", "map", "expected the name or the path of a map, got 3 (int)"),
        ('map = ""', "map", "expected the name or the path"),
        ('maps = "duel"', "maps", "expected a list of maps, got 'duel' (str)"),
        ("maps = []", "maps", "expected a list of maps, got []"),
        ('maps = ["duel", 3]', "maps", "got 3 (int)"),
        ('maps = ["duel", "duel"]', "maps", "the map 'duel' (str) is named twice"),
        ('maps = ["duel"]\nmap = "duel"', "maps", "either map or maps"),
        ('map = "broken.txt"', "map", "broken.txt:6:3: "),
        ('map = "room"', "map", "room: tron: "),
        ('players = 3\nmaps = ["cross", "duel"]', "maps", "duel: tron: "),
        ('players = 0\nmaps = ["duel", "square"]', "maps", "duel is for 2, square for 4"),
        ('map = "duel"\ntrail = "fade"', "trail", "duel: tron: trail"),
        ("mpas = []", "mpas", "did you mean"),
        ("playrs = 2", "playrs", "did you mean 'players'?"),
        ("players = 99", "players", "players"),
    ],
)
def test_a_map_that_cannot_be_played_on_is_refused_with_its_place(tmp_path, game, key, said):
    (tmp_path / "broken.txt").write_text(CROSSING.replace("#1 2#", "#1?2#"))
    with pytest.raises(ConfigError) as error:
        tron_in(tmp_path, FOUR, "", game)
    assert error.value.key == f"game.{key}"
    assert said in str(error.value)
    lines = (tmp_path / "test.toml").read_text().splitlines()
    assert lines[error.value.line - 1].startswith(key)


@pytest.mark.game("tron")
def test_a_text_that_is_no_map_is_refused_with_its_line(tmp_path):
    game = f"map = {json.dumps(CROSSING.replace('#1 2#', '#1?2#'))}"
    with pytest.raises(ConfigError, match=r"game\.map: map 1:6:3: "):
        tron_in(tmp_path, FOUR, "", game)


@pytest.mark.game("virus")
def test_a_game_without_maps_takes_none(tmp_path):
    (tmp_path / "cup.toml").write_text('bots = ["builtin:random"]\n[game]\nmaps = ["duel"]\n')
    with pytest.raises(ConfigError, match=r"game\.maps: virus has no maps"):
        resolve(tmp_path / "cup.toml")


@pytest.mark.game("virus")
def test_a_game_without_maps_is_played_on_the_one_that_its_parameters_make(tmp_path):
    (tmp_path / "cup.toml").write_text('bots = ["builtin:random", "builtin:greedy"]\n')
    due = Plan(resolve(tmp_path / "cup.toml"), "seed", {}).due
    assert [(task.slot.number, task.slot.map) for task in due] == [
        (0, ""),
        (0, ""),
        (1, ""),
        (1, ""),
    ]
    assert all(task.spec.parameters == {"size": 10, "voluntary_pass": True} for task in due)
