"""Matches, contests and records from Python."""

import math

import msgspec
import numpy as np
import pytest
from helpers import english_words
from library.test_bots import FILE, Counting, Thinking, last
from play.playing import chained

import joute
from joute.contest.run.match import run_match
from joute.i18n.words import speaking

pytestmark = pytest.mark.game("virus")

BOTS = ("builtin:greedy", "builtin:random")


@pytest.fixture(scope="module")
def played():
    return joute.match("virus", *BOTS, games=6, seed=1, size=6)


def contents(match):
    return sorted(record.content for record in match.records)


def test_a_match_has_a_table_a_score_and_an_interval(played):
    first, second = played.table()
    assert {first["name"], second["name"]} == {"greedy", "random"} and first["rank"] == 1
    assert first["won"] + first["drawn"] + first["lost"] == 6
    line = next(line for line in played.table() if line["name"] == "greedy")
    assert played.score == line["score"] and played.interval == (line["low"], line["high"])
    assert played.interval[0] <= played.score <= played.interval[1]
    assert played.bots == ["greedy", "random"] and len(played.records) == 6


def test_a_match_is_shown_as_a_table_in_text_and_in_a_notebook(played):
    assert "greedy" in str(played.table()) and repr(played) == str(played.table())
    assert played._repr_html_().startswith("<table>") and "<td>greedy</td>" in played._repr_html_()


def test_names_are_no_markup_in_a_notebook():
    match = joute.match("virus", joute.bot(last, "<b>bold</b>"), "builtin:random", size=4)
    assert "&lt;b&gt;" in match._repr_html_() and "<b>" not in match._repr_html_()


def test_the_same_seed_plays_the_same_games(played):
    again = joute.match("virus", *BOTS, games=6, seed=1, size=6, workers=1)
    other = joute.match("virus", *BOTS, games=6, seed=2, size=6)

    def courses(match):
        return sorted((record.seed, record.positions[-1].actions) for record in match.records)

    assert courses(again) == courses(played) != courses(other)
    assert again.seed == played.seed == "1"


def test_a_match_is_that_of_the_command_line(played):
    same = run_match("virus", {"size": 6}, list(BOTS), 6, 1, {"move_seconds": 10.0})
    ours, theirs = ({game.identity for game in each.games} for each in (played.result, same))
    assert ours == theirs


def test_a_game_that_was_made_is_played_and_with_more_parameters_another(played):
    made = joute.game("virus", size=6)
    again = joute.match(made, *BOTS, games=6, seed=1)
    assert {game.identity for game in again.result.games} == {
        game.identity for game in played.result.games
    }
    smaller = joute.match(made, *BOTS, seed=1, size=4)
    assert smaller.records[0].game == joute.game("virus", size=4)


@pytest.mark.parametrize("source", [last, Counting, Thinking(), FILE])
def test_anything_that_plays_sits_at_a_table(source):
    match = joute.match("virus", source, "builtin:random", games=2, seed=3, size=4)
    assert len(match.records) == 2 and match.table()[0]["faults"] == 0
    assert all(record.verify().ok for record in match.records)


def test_bots_of_one_name_are_numbered():
    match = joute.match("virus", last, last, "builtin:random", "builtin:random", size=4)
    assert match.bots == ["last", "last 2", "random", "random 2"]
    assert sorted(line["name"] for line in match.table()) == sorted(match.bots)


def test_files_of_one_name_are_named_after_their_folders(tmp_path):
    for name in ("alice", "bob"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.py").write_text("def play(o, c):\n    return o['legal'][0]\n")
    alice, bob = (tmp_path / name / "bot.py" for name in ("alice", "bob"))
    assert joute.match("virus", alice, str(bob), size=4).bots == ["alice", "bob"]
    assert joute.match("virus", joute.bot(alice, name="a"), bob, size=4).bots == ["a", "bot"]


def test_an_answer_that_is_no_action_is_a_fault_and_an_error_is_raised():
    match = joute.match("virus", lambda seen, clock: None, "builtin:random", seed=1, size=4)
    assert match.failures == []
    assert {ply["fault"] for record in match.records for ply in record.faults} == {"illegal"}

    def broken(observation, clock):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        joute.match("virus", broken, "builtin:random", size=4)


@pytest.mark.game("tron")
def test_a_game_of_one_seat_is_played_alone():
    match = joute.match("tron", "builtin:random", games=3, seed=1, players=1)
    assert len(match.records) == 3
    assert match.interval[0] <= match.score <= match.interval[1]


@pytest.mark.game("tron")
def test_one_game_alone_has_a_score_and_an_interval_without_ends():
    match = joute.match("tron", "builtin:random", games=1, seed=1, players=1)
    assert match.score > 0 and match.interval == (-math.inf, math.inf)


def test_a_match_in_which_no_game_counts_has_no_score(played):
    line = msgspec.structs.replace(played.result.standings[0], score=None, interval=None)
    result = msgspec.structs.replace(played.result, standings=[line], games=[])
    match = joute.Match(result, [line.name], {})
    assert math.isnan(match.score) and match.interval == (-math.inf, math.inf)


@pytest.mark.parametrize(
    "make",
    [
        lambda: joute.match("virus", "builtin:random"),
        lambda: joute.match("virus", *BOTS, games=-1),
        lambda: joute.match("virus", *BOTS, size=1),
        lambda: joute.match("virus", *BOTS, colour="red"),
        lambda: joute.match("virus", *BOTS, name="tron"),
        lambda: joute.match("virus", *BOTS, limits={"seconds": 3}),
        lambda: joute.match("virrus", *BOTS),
        lambda: joute.match("virus", "human", "builtin:random"),
        lambda: joute.match("virus", "builtin:uct?speed=3", "builtin:random"),
        lambda: joute.contest({"bots": []}),
        lambda: joute.contest("nowhere.toml"),
        lambda: joute.record("nowhere.jsonl"),
    ],
)
def test_what_cannot_be_is_refused_in_the_language(make, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(joute.Error) as raised:
        make()
    with speaking("fr"):
        assert not english_words(str(raised.value)), str(raised.value)


def test_an_argument_that_is_misspelt_is_named():
    with pytest.raises(joute.GameError, match=r"no parameter 'n_games'.*did you mean 'games'"):
        joute.match("virus", *BOTS, n_games=2)
    with pytest.raises(joute.GameError, match=r"no parameter 'sise'.*did you mean 'size'"):
        joute.game("virus", sise=5)


CONTEST = {
    "contest": {"games": 2, "seed": "cup", "workers": 1},
    "game": {"name": "virus", "size": 4},
    "bots": ["builtin:greedy", "builtin:random"],
}
TEXT = """
bots = ["builtin:greedy", "builtin:random"]
[contest]
games = 2
seed = "cup"
workers = 1
[game]
name = "virus"
size = 4
"""


def test_a_contest_is_the_same_from_a_file_and_from_a_dictionary(tmp_path, monkeypatch):
    found = []
    for name in ("file", "dictionary"):
        folder = tmp_path / name
        folder.mkdir()
        monkeypatch.chdir(folder)
        (folder / "cup.toml").write_text(TEXT)
        contest = joute.contest("cup.toml" if name == "file" else CONTEST)
        assert contest.records == []
        summary = contest.run()
        assert summary.played == 2 and summary.left == 0
        assert contest.run().played == 0, "nothing is played twice"
        assert contest.folder.is_relative_to(folder)
        courses = sorted(record.positions[-1].actions for record in contest.records)
        found.append(([line["name"] for line in contest.table()], courses))
    assert found[0] == found[1] and len(found[0][1]) == 2


def test_numbers_of_numpy_are_those_of_a_contest():
    game = {"name": "virus", "size": np.int64(4), "opening": [np.int64(1), np.int64(2)]}
    given = {**CONTEST, "contest": {"games": np.int64(2), "seed": "cup"}, "game": game}
    found = joute.contest(given).contest
    assert found.maps[0].parameters["size"] == 4 and found.games == 2 and found.opening == (1, 2)


def test_a_contest_has_its_own_records_where_others_share_its_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = joute.contest(CONTEST)
    other = joute.contest({**CONTEST, "game": {"name": "virus", "size": 5}})
    first.run()
    assert other.records == []
    other.run()
    assert first.folder == other.folder
    for contest, size in ((first, 4), (other, 5)):
        sizes = [record.game.parameters["size"] for record in contest.records]
        assert sizes == [size, size] and contest.table()[0]["games"] == 2


def test_a_record_has_the_positions_that_were_played(played, tmp_path):
    (tmp_path / "game.jsonl").write_bytes(played.records[0].content)
    record = joute.record(tmp_path / "game.jsonl")
    assert record.verify().ok and record.game == joute.game("virus", size=6)
    assert len(record) == len(record.positions[-1].actions)
    assert record.positions[-1].over and record.positions[-1].returns == record.returns
    for before, after in zip(record.positions, record.positions[1:], strict=False):
        assert before.player >= 0
        assert before.play(after.actions[len(before.actions)]) == after
    assert set(record.bots) == {"greedy", "random"} and record.faults == []
    assert "<record of virus" in repr(record)
    assert record.points[0] + record.points[1] <= 36


def test_a_changed_record_is_not_true(played):
    record = played.records[0]
    lines = record.content.splitlines(keepends=True)
    place = next(at for at, line in enumerate(lines) if at > 2 and b'"action":' in line)
    with pytest.raises(joute.RecordError, match=f"line {place + 1}"):
        joute.GameRecord(b"".join([*lines[:place], *lines[place + 1 :]]))
    with pytest.raises(joute.RecordError, match=f"line {place + 1}"):
        joute.GameRecord(record.content.replace(lines[place], lines[place].replace(b"{", b"{ ", 1)))


def test_a_broken_record_is_refused(tmp_path):
    for content in (b"", b"no record\n", b"{}\n"):
        (tmp_path / "game.jsonl").write_bytes(content)
        with pytest.raises(joute.RecordError):
            joute.record(tmp_path / "game.jsonl")


def test_a_record_of_an_action_that_was_not_played_is_no_true_one(played):
    lines = [msgspec.json.decode(line) for line in played.records[0].content.splitlines()]
    place = next(at for at, line in enumerate(lines) if at > 2 and "action" in line)
    lines[place]["action"] = 0
    forged = joute.GameRecord(chained(lines)).verify()
    assert not forged.ok and forged.line == place + 1 and str(forged.reason)
