import csv
import io
import json
from collections import Counter

import pytest
from contest.reports import by_alphabet, decided_on, made_up

from joute.contest.config.config import resolve
from joute.contest.report import plots
from joute.contest.report.report import POINTS, HeadToHead, ThinkingTime, _thinned, read_report
from joute.contest.report.tables import (
    ExportError,
    Sheet,
    csv_text,
    games_lines,
    games_sheet,
    jsonl_text,
    put_csv,
    put_parquet,
    standings_lines,
    standings_sheet,
)
from joute.store.model import ANNULLED, DISQUALIFIED, RETIRED, WITHDRAWN
from joute.web.sites.api import standing_answer

TRIO = """
bots = ["builtin:greedy", "builtin:random?", "builtin:random"]
[contest]
games = 6
"""
ALONE = """
bots = ["builtin:random", "builtin:wall"]
[contest]
games = 3
[game]
name = "tron"
players = 1
maps = ["room", "spiral"]
"""


TABLES = """
bots = ["builtin:random", "builtin:wall", "builtin:territory", "builtin:random?"]
[contest]
games = 6
[game]
name = "tron"
players = 3
map = "square"
"""
TEAMS = TABLES.replace("players = 3", "players = 4\nteams = [[0, 2], [1, 3]]").replace("= 6", "= 4")


@pytest.fixture
def trio(tmp_path):
    return made_up(tmp_path, TRIO)


@pytest.fixture
def alone(tmp_path):
    return made_up(tmp_path, ALONE, lambda seats, number: [number + (seats[0] == "wall")])


@pytest.mark.game("virus")
def test_a_meeting_counts_what_one_finished_above_level_with_and_below_the_other(trio):
    met = trio.cross
    assert met["greedy", "random"] == HeadToHead(4, 2, 0)
    assert met["random", "greedy"] == HeadToHead(0, 2, 4)
    assert met["greedy", "random"].score == 5 / 6
    assert len(met) == 6


@pytest.mark.game("tron")
def test_bots_alone_meet_in_the_points_of_the_same_map_and_seed(alone):
    assert alone.cross == {
        ("wall", "random"): HeadToHead(6, 0, 0),
        ("random", "wall"): HeadToHead(0, 0, 6),
    }


@pytest.mark.game("tron")
def test_bots_of_one_team_are_no_opponents(tmp_path):
    bots = ["builtin:random", "builtin:wall", "builtin:random?", "builtin:wall?"]
    game = '[game]\nname = "tron"\nplayers = 4\nteams = [[0, 2], [1, 3]]\nmap = "square"\n'
    text = f"bots = {bots}\n[contest]\ngames = 4\n{game}"
    met = made_up(tmp_path, text, lambda seats, number: [1.0, -1.0, 1.0, -1.0]).cross
    # Every bot sits in every seat once: beside one of the others in four games of four, or never.
    assert {each.games for each in met.values()} == {4}
    assert len(met) == 8


def cheats(slot):
    """A fault of the bot `random` in each of its games."""
    fault = {"ply": 1, "fault": "sandbox", "detail": "", "cost": "game"}
    seats = [seat for seat, name in enumerate(slot.seats) if name == "random"]
    return [{"seat": seat, **fault} for seat in seats]


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    ("offends", "kind", "out", "gone"),
    [
        (False, WITHDRAWN, [], True),
        (False, DISQUALIFIED, [DISQUALIFIED], False),
        (True, None, ["sandbox"], False),
        (True, WITHDRAWN, ["sandbox"], True),
        (True, DISQUALIFIED, ["sandbox", DISQUALIFIED], False),
    ],
)
def test_who_was_withdrawn_is_disqualified_only_if_it_is_that_too(
    tmp_path, offends, kind, out, gone
):
    text = TRIO + '[faults]\nsandbox = "disqualification"\n'
    faults = cheats if offends else None
    if kind is None:
        report = made_up(tmp_path, text, faults=faults)
    else:
        report = decided_on(tmp_path, text, kind, "random", faults=faults)
    [row] = [each for each in csv.DictReader(io.StringIO(csv_text(standings_sheet(report))))
             if each["name"] == "random"]  # fmt: skip
    assert (row["disqualified"], row["withdrawn"]) == (str(bool(out)).lower(), str(gone).lower())
    [line] = [each for each in standings_lines(report) if each["name"] == "random"]
    assert [each["fault"] for each in line["disqualified"]] == out
    assert line["withdrawn"] is gone
    told = standing_answer(next(each for each in report.table if each.name == "random"))
    assert (told.disqualified, told.withdrawn) == (bool(out), gone)


@pytest.mark.game("virus")
def test_the_disqualified_are_compared_with_nobody(tmp_path):
    rules = '[faults]\nsandbox = "disqualification"\n'
    report = made_up(tmp_path, TRIO + rules, faults=cheats)
    assert set(report.cross) == {("greedy", "random?"), ("random?", "greedy")}
    assert set(report.courses) == {"greedy", "random?"}
    assert report.ranked == ["greedy", "random?"]
    assert "random" in report.paces


@pytest.mark.game("virus")
def test_a_course_is_the_mean_score_after_each_game_in_the_order_of_the_schedule(trio):
    course = trio.courses
    assert course["greedy"][:2] == [(1, 1.0), (2, 1.0)]
    assert course["greedy"][-1] == (12, pytest.approx(10 / 12))
    assert course["random"][-1] == (12, pytest.approx(6 / 12))
    assert {len(row) for row in course.values()} == {12}


@pytest.mark.game("tron", "virus")
@pytest.mark.parametrize(
    ("text", "kind", "about"),
    [
        (TRIO, WITHDRAWN, "random"),
        (TRIO, DISQUALIFIED, "greedy"),
        (TRIO, RETIRED, "greedy"),
        (TRIO, ANNULLED, 3),
        (TABLES, DISQUALIFIED, "random"),
        (TABLES, ANNULLED, 3),
        (TEAMS, DISQUALIFIED, "random"),
        (ALONE, WITHDRAWN, "wall"),
    ],
)
def test_a_course_ends_at_the_score_of_the_standings_whatever_was_decided(
    tmp_path, text, kind, about
):
    scores = (lambda seats, number: [float(number)]) if text == ALONE else by_alphabet
    report = decided_on(tmp_path, text, kind, about, scores)
    ends = {name: course[-1][1] for name, course in report.courses.items()}
    found = {line.name: line.mean if report.alone else line.score for line in report.table}
    assert ends == pytest.approx({name: found[name] for name in report.ranked})


@pytest.mark.game("virus")
@pytest.mark.parametrize("kind", [WITHDRAWN, DISQUALIFIED])
def test_the_games_of_a_bot_that_was_taken_out_are_no_rows(tmp_path, kind):
    report = decided_on(tmp_path, TRIO, kind, "greedy")
    sheet = games_sheet(report)
    rows = [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]
    assert {row[f"bot_{seat}"] for row in rows for seat in (1, 2)} == {"random", "random?"}
    numbers = [row["number"] for row in rows]
    assert numbers == sorted(numbers) and len(numbers) == 6
    won = [row[f"bot_{seat}"] for row in rows for seat in (1, 2) if row[f"return_{seat}"] == 1]
    assert {line.name: line.won for line in report.table if line.won} == Counter(won)
    assert [line["identity"] for line in games_lines(report)] == [row["identity"] for row in rows]
    assert report.done == len(rows)


@pytest.mark.game("tron")
def test_a_game_in_which_two_others_met_is_a_row(tmp_path):
    all_games = made_up(tmp_path, TABLES).games
    report = decided_on(tmp_path, TABLES, DISQUALIFIED, "random")
    assert report.games == all_games and report.done == len(all_games)


@pytest.mark.game("tron")
def test_the_games_of_a_bot_alone_that_was_taken_out_are_no_rows(tmp_path):
    report = decided_on(tmp_path, ALONE, WITHDRAWN, "wall", lambda seats, number: [1.0])
    assert {name for game in report.games for name in game.bots} == {"random"}
    assert report.done == len(report.games) == 6


@pytest.mark.game("tron")
def test_the_course_of_a_bot_alone_is_in_points(alone):
    means = [score for _, score in alone.courses["random"]]
    assert means == pytest.approx([0, 0, 10 / 3, 5, 8, 10])


def test_a_long_course_is_thinned_to_its_shape():
    row = [game / 1000 for game in range(1000)]
    found = _thinned(row)
    assert len(found) <= POINTS + 1 and found[-1] == (1000, 0.999)
    assert all(row[game - 1] == score for game, score in found)


@pytest.mark.game("virus")
def test_a_pace_is_per_action_and_tells_the_quickest_and_the_slowest_game(trio):
    assert trio.paces["greedy"] == ThinkingTime(least=10.0, mean=15.0, most=20.0)


@pytest.mark.game("tron", "virus")
def test_plots_of_scores_are_in_percent_and_of_points_as_they_are(trio, alone):
    assert plots.course(trio).rows["greedy"][0] == (1, 100)
    assert "%" in plots.course(trio).title and "points" in plots.course(alone).title
    assert plots.ratings(alone).unit == plots.POINTS
    assert plots.ratings(alone).points[0].name == "wall"


@pytest.mark.game("virus")
def test_a_bot_without_a_game_has_no_value(tmp_path):
    path = tmp_path / "none.toml"
    path.write_text(TRIO, encoding="utf-8")
    empty = read_report(resolve(path))
    assert plots.times(empty).points == []
    assert plots.course(empty).rows == {}


@pytest.mark.game("virus")
def test_games_are_rows_with_a_column_for_every_seat(trio):
    sheet = games_sheet(trio)
    first = dict(zip(sheet.columns, sheet.rows[0], strict=True))
    assert len(sheet.rows) == 18
    assert (first["number"], first["set"], first["plies"], first["faults"]) == (1, 0, 20, 0)
    assert {first["bot_1"], first["bot_2"]} == {"greedy", "random"}
    assert sorted([first["return_1"], first["return_2"]]) == [-1, 1]
    assert (first["cpu_ms_2"], first["asked_2"]) == (200.0, 10)
    assert all(len(row) == len(sheet.columns) for row in sheet.rows)


@pytest.mark.game("tron", "virus")
def test_standings_are_rows_with_a_column_for_every_map(trio, alone):
    sheet = standings_sheet(trio)
    best = dict(zip(sheet.columns, sheet.rows[0], strict=True))
    assert (best["rank"], best["name"], best["won"], best["score"]) == (1, "greedy", 8, 10 / 12)
    sheet = standings_sheet(alone)
    best = dict(zip(sheet.columns, sheet.rows[0], strict=True))
    assert (best["name"], best["on room"], best["best"]) == ("wall", 20.0, 30)
    assert all(len(row) == len(sheet.columns) for row in sheet.rows)


@pytest.mark.game("virus")
def test_what_the_rules_of_an_order_count_has_columns_of_its_own(tmp_path):
    sheet = standings_sheet(made_up(tmp_path, f'{TRIO}ranking = ["points", "buchholz"]\n'))
    best = dict(zip(sheet.columns, sheet.rows[0], strict=True))
    assert (best["rule points"], best["beaten"]) == (10, 2)
    assert best["rule buchholz"] > 0


@pytest.mark.game("virus")
def test_lines_of_json_hold_lists_by_seat_and_what_is_said_of_a_bot(trio):
    games = [json.loads(line) for line in jsonl_text(games_lines(trio)).splitlines()]
    assert games[3]["number"] == 4
    assert games[3]["asked"] == [10, 10]
    [best, *_] = standings_lines(trio)
    assert (best["name"], best["bot"], best["authors"]) == ("greedy", "builtin:greedy", [])


def test_csv_is_read_back_as_it_was_written():
    sheet = Sheet(
        {"name": str, "score": float, "out": bool},
        [['a "b", c\nd', 0.1 + 0.2, True], ["été", None, False]],
    )
    assert list(csv.reader(io.StringIO(csv_text(sheet)))) == [
        ["name", "score", "out"],
        ['a "b", c\nd', "0.30000000000000004", "true"],
        ["été", "", "false"],
    ]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@now", "\tx"])
def test_a_name_is_no_formula_in_a_spreadsheet(name):
    sheet = Sheet({"name": str, "value": float}, [[name, -1.5]])
    assert csv_text(sheet).splitlines()[1:] == [f"'{name},-1.5"]


def test_a_csv_file_is_marked_as_utf_8(tmp_path):
    path = put_csv(tmp_path / "new" / "a.csv", Sheet({"x": int}, [[1]]))
    assert path.read_bytes() == b"\xef\xbb\xbfx\n1\n"
    assert [each.name for each in path.parent.iterdir()] == ["a.csv"]


def test_parquet_without_its_package_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ExportError, match=r"a.parquet: Parquet needs .*joute\[parquet\]"):
        put_parquet(tmp_path / "a.parquet", Sheet({"x": int}, []))


@pytest.mark.game("virus")
def test_parquet_holds_the_columns_with_their_kinds(tmp_path, trio):
    from pyarrow import parquet

    for name, sheet in {"full": games_sheet(trio), "none": Sheet({"x": int}, [])}.items():
        table = parquet.read_table(put_parquet(tmp_path / f"{name}.parquet", sheet))
        assert table.column_names == list(sheet.columns)
        assert [list(row.values()) for row in table.to_pylist()] == sheet.rows
