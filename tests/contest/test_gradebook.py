from pathlib import Path

import pytest
from contest.reports import made_up

from joute.contest.config.config import resolve
from joute.contest.errors import ConfigError
from joute.contest.report.feedback import write_feedback
from joute.contest.report.grading import (
    ABSENT,
    DISQUALIFIED,
    UNMET,
    UNPLAYED,
    USUAL,
    gradebook,
    grades,
    read_scale,
)
from joute.contest.report.wording import NO_PLACE, places, rank

pytestmark = pytest.mark.game("virus")

EXAMPLES = Path(__file__).parents[2] / "examples" / "contests"
CLASS = """
[contest]
games = 6
[faults]
sandbox = "disqualification"
[[bots]]
bot = "builtin:random"
[[bots]]
bot = "builtin:greedy"
name = "ann"
authors = ["Ann", "Anna"]
[[bots]]
bot = "builtin:greedy?"
name = "bob"
authors = ["Bob"]
[[bots]]
bot = "builtin:random?"
name = "cid"
authors = ["Cid"]
"""
# In alphabetical order each beats those after it, 4 games to 0 with 2 drawn.
SHARE = 5 / 6


@pytest.fixture
def school(tmp_path):
    """Gives the marks of the class after a text of [grades]."""

    def mark(text: str, **changes):
        report = made_up(tmp_path, CLASS, **changes)
        path = tmp_path / "marks.toml"
        path.write_text(f"[grades]\n{text}", encoding="utf-8")
        scale = read_scale(path, report.contest)
        found = grades(report, scale)
        return {each.student: each for each in found}, gradebook(report, scale, found)

    return mark


def test_every_author_of_a_bot_gets_its_mark_and_joutes_own_bots_get_none(school):
    found, _ = school("base = 10\nplaces = [3, 2, 1, 1]")
    assert {name: each.mark for name, each in found.items()} == {
        "Ann": 13,
        "Anna": 13,
        "Bob": 12,
        "Cid": 11,
    }
    assert [each.place for each in found.values()] == [1, 1, 2, 3]


def test_marks_against_a_bot_of_reference_grow_from_one_score_to_another(school):
    found, _ = school(
        'round = 0.001\n[[grades.against]]\nbot = "cid"\nmarks = 6\nfrom = 0.5\nto = 1.0\n'
        '[[grades.against]]\nbot = "random"\nmarks = 4\nto = 0.8\n'
    )
    assert list(found) == ["Ann", "Anna", "Bob"]
    assert found["Bob"].mark == pytest.approx(6 * (SHARE - 0.5) / 0.5 + 4, abs=0.001)
    assert [each.score for each in found["Bob"].earned] == [SHARE, SHARE]


def test_places_are_counted_among_those_who_are_marked(school):
    found, _ = school('places = [3, 2]\n[[grades.against]]\nbot = "ann"\nmarks = 0')
    assert (found["Bob"].place, found["Bob"].added) == (1, 3)
    assert (found["Cid"].place, found["Cid"].added) == (2, 2)


def test_who_shares_a_place_gets_the_marks_of_the_better_one(school):
    found, _ = school("places = [3, 2, 1]", scores=lambda seats, number: [0.0, 0.0])
    assert {each.added for each in found.values()} == {3}


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("base = 30", 20),
        ("scale = [1, 6]\nbase = 0", 1),
        ("base = 10.25", 10.5),
        ("base = 10.24", 10),
        ("base = 10.3\nround = 0.1", 10.3),
        ("base = 12.6\nround = 0.1", 12.6),
        ("base = 20\nround = 3", 20),
        ("base = 20\nround = 0.75", 20),
        ("scale = [1, 6]\nbase = 1\nround = 4", 1),
        ("scale = [0, 100]\nbase = 66.6\nround = 1", 67),
        ("given = { bob = 12 }\nbase = 3", 12),
    ],
)
def test_a_mark_stays_on_the_scale_and_is_rounded_with_halves_going_up(school, text, mark):
    found, _ = school(text)
    assert found["Bob"].mark == mark


def test_a_disqualified_bot_has_the_mark_stated_for_it_and_no_place(school):
    def cheats(slot):
        return [
            {"seat": seat, "ply": 4, "fault": "sandbox", "detail": "", "cost": "game"}
            for seat, name in enumerate(slot.seats)
            if name == "ann"
        ]

    found, _ = school("base = 10\nplaces = [3, 2]\ndisqualified = 7", faults=cheats)
    assert (found["Ann"].mark, found["Ann"].place) == (7, None)
    assert found["Ann"].remark == DISQUALIFIED
    assert (found["Bob"].mark, found["Bob"].place) == (13, 1)
    void = '[[grades.against]]\nbot = "cid"'
    found, _ = school(f"base = 10\nplaces = [3, 2]\n{void}", faults=cheats)
    assert (found["Ann"].mark, found["Ann"].remark) == (10, "")


def test_without_a_game_that_counts_a_bot_has_its_base_and_no_place(tmp_path):
    text = CLASS.replace("games = 6", 'games = 2\nformat = "gauntlet"\nreferences = ["random"]')
    report = made_up(tmp_path, text, out=["random"])
    path = tmp_path / "marks.toml"
    path.write_text("[grades]\nbase = 10\nplaces = [3, 2]\n")
    scale = read_scale(path, report.contest)
    found = grades(report, scale)
    assert {(each.mark, each.place, each.remark) for each in found} == {(10, None, UNPLAYED)}
    assert {rank(line) for line in report.table[:3]} == {NO_PLACE}
    assert set(list(places(report.contest, report.table).values())[:3]) == {NO_PLACE}
    [first, *_] = write_feedback(report, scale, found, tmp_path / "feedback")
    sheet = first.read_text(encoding="utf-8")
    assert f"{NO_PLACE}\n" in sheet
    assert "No game of the bot counts" in sheet


def test_an_absentee_has_a_row_and_the_mark_stated_for_it(school):
    found, sheet = school('base = 10\nabsent = 0\nabsentees = ["Zoé"]')
    assert (found["Zoé"].mark, found["Zoé"].remark) == (0, ABSENT)
    assert sheet.rows[-1] == ["Zoé", "", None, 0, ABSENT]


def test_an_absentee_with_a_bot_or_named_twice_has_one_row(school):
    found, sheet = school('base = 10\nabsentees = ["Anna", "Zoé", "Zoé"]')
    assert [row[0] for row in sheet.rows] == ["Ann", "Anna", "Bob", "Cid", "Zoé"]
    assert (found["Anna"].mark, found["Anna"].remark) == (10, "")


def test_an_absentee_may_be_given_a_mark_by_people(school):
    found, sheet = school(
        'absentees = ["Zoé", "Max"]\ngiven = { Max = 8 }\ncriteria = { talk = 1 }\n'
        '[grades.jury]\n"Zoé" = { talk = 12 }\n'
    )
    assert {name: found[name].mark for name in ("Zoé", "Max")} == {"Zoé": 12, "Max": 8}
    assert sheet.rows[-2] == ["Zoé", "", None, 12, 12, ABSENT]


def test_the_names_of_a_scale_may_encode_their_accents_otherwise(tmp_path):
    text = CLASS.replace('name = "bob"', 'name = "Jose\u0301"').replace('"Bob"', '"Zoe\u0301"')
    report = made_up(tmp_path, text)
    path = tmp_path / "marks.toml"
    path.write_text(
        '[grades]\nabsentees = ["Zoé"]\ngiven = { "José" = 8 }\ncriteria = { talk = 1 }\n'
        '[grades.jury]\n"José" = { talk = 12 }\n[[grades.against]]\nbot = "José"\n',
        encoding="utf-8",
    )
    scale = read_scale(path, report.contest)
    kept = "Jose\u0301"
    assert (scale.given, scale.jury) == ({kept: 8}, {kept: {"talk": 12}})
    assert (scale.absentees, scale.against[0].bot) == (("Zoe\u0301",), kept)


def test_a_bot_that_has_not_met_a_bot_of_reference_has_no_mark_yet(tmp_path):
    report = made_up(tmp_path, CLASS)
    path = tmp_path / "marks.toml"
    path.write_text('[grades]\nbase = 9\n[[grades.against]]\nbot = "random"\n')
    scale = read_scale(path, report.contest)
    met = {pair: games for pair, games in report.cross.items() if "bob" not in pair}
    early = report._replace(cross=met)
    found = {each.student: each for each in grades(early, scale)}
    assert (found["Bob"].mark, found["Bob"].remark) == (None, UNMET)
    assert found["Ann"].mark == 10


def test_the_gradebook_has_the_columns_and_headings_that_are_asked_for(school):
    columns = 'columns = { "Full name" = "student", "Grade" = "mark", "W" = "won", "%" = "score" }'
    _, sheet = school(f"base = 10\n{columns}")
    assert list(sheet.columns) == ["Full name", "Grade", "W", "%"]
    assert sheet.rows[0] == ["Ann", 10, 12, SHARE]
    _, sheet = school('columns = ["faults", "bot"]')
    assert (list(sheet.columns), sheet.rows[0]) == (["faults", "bot"], [0, "ann"])
    _, sheet = school("")
    assert tuple(sheet.columns) == USUAL


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("scale = [20, 0]", "line 2: grades.scale: expected [least, most], two numbers"),
        ("base = nan", "grades.base: expected a number from"),
        ("base = true", "grades.base: expected a number from"),
        ("round = 0", "grades.round: expected a number from 1e-06"),
        ("places = 3", "grades.places: expected a list of numbers"),
        ("disqualified = 21", "grades.disqualified: expected a number from 0 to 20"),
        ('absentees = "Bob"', "grades.absentees: expected a list of names"),
        ('columns = ["marks"]', "'marks' is not known here; did you mean 'mark'?"),
        ("columns = []", "grades.columns: expected a list of columns"),
        ("given = { bib = 3 }", "'bib' is not known here; did you mean 'bob'?"),
        ("given = 3", "grades.given: expected a table of bots and marks"),
        ("against = 3", "grades.against: expected tables [[grades.against]]"),
        ("[[grades.against]]\nmarks = 3", "grades.against[1].bot: is missing"),
        ('[[grades.against]]\nbot = "rand"', "line 3: grades.against[1].bot: 'rand' is not known"),
        ('[[grades.against]]\nbot = "bob"\nfrom = 1', "expected more than `from`, 1, got 1"),
        ('[[grades.against]]\nbot = "bob"\nmark = 1', "unknown key; did you mean 'marks'?"),
        ("bases = 3", "grades.bases: unknown key; did you mean 'base'?"),
        ("base = ", "is not valid TOML"),
    ],
)
def test_a_wrong_scale_is_refused_with_its_place_and_what_is_expected(school, text, said):
    with pytest.raises(ConfigError) as refused:
        school(text)
    assert said in str(refused.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    contest = made_up(tmp_path, CLASS).contest
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        read_scale(tmp_path / "none.toml", contest)
    (tmp_path / "latin.toml").write_bytes(b"# caf\xe9")
    with pytest.raises(ConfigError, match="is not UTF-8 text"):
        read_scale(tmp_path / "latin.toml", contest)


@pytest.mark.game("vampires")
def test_the_marks_of_vampires_are_those_of_its_statement():
    contest = resolve(EXAMPLES / "vampires.toml")
    scale = read_scale(EXAMPLES / "vampires-marks.toml", contest)
    assert (scale.low, scale.high) == (0, 20)
    assert scale.places == (3, 2, 1, 1)
    assert (scale.disqualified, scale.absent) == (7, 0)
    assert scale.rounded(19 + 3) == 20


JURY = """
base = 10
round = 0.1
criteria = { algorithm = 3, talk = 1 }
[grades.jury]
ann = { algorithm = 16, talk = 12 }
"""


def test_the_jurys_criteria_are_weighted_and_have_columns(school):
    found, sheet = school(JURY)
    assert (found["Ann"].base, found["Bob"].base) == (15, 10)
    assert list(sheet.columns) == ["student", "bot", "place", "algorithm", "talk", "mark", "remark"]
    rows = {row[0]: row[3:6] for row in sheet.rows}
    assert rows["Ann"] == rows["Anna"] == [16, 12, 15]
    assert rows["Bob"][:2] == [None, None]


def sheets_of(folder, scale, contest=CLASS):
    """The sheets of feedback of the class by their names, with this [grades]."""
    report = made_up(folder, contest)
    file = folder / "scale.toml"
    file.write_text(f"[grades]\n{scale}")
    read = read_scale(file, report.contest)
    write_feedback(report, read, grades(report, read), folder / "feedback")
    return {path.stem: path.read_text() for path in (folder / "feedback").glob("*.md")}


def test_the_sheet_of_feedback_shows_the_jurys_marks_by_criterion(tmp_path):
    sheets = sheets_of(tmp_path, JURY)
    [ann] = [sheet for name, sheet in sheets.items() if name.endswith("-ann")]
    assert "- 16 for algorithm, with the weight 3\n- 12 for talk, with the weight 1\n" in ann
    assert "- 15 of the jury: the weighted mean of these\n" in ann
    others = [sheet for sheet in sheets.values() if "# Ann" not in sheet]
    assert others and not any("of the jury" in sheet for sheet in others)


def test_the_place_on_a_sheet_of_feedback_is_among_those_who_have_one(tmp_path):
    best = CLASS.replace('"builtin:random"\n', '"builtin:random"\nname = "aaa"\n', 1)
    sheets = sheets_of(tmp_path, "", best)
    [ann] = [sheet for sheet in sheets.values() if "# Anna" in sheet]
    assert "Rank: 1 of 3" in ann


def test_a_mark_that_is_given_as_a_whole_is_not_explained_by_criteria(tmp_path):
    sheets = sheets_of(tmp_path, JURY.replace("base = 10", "given = { ann = 8 }"))
    assert not any("of the jury" in sheet for sheet in sheets.values())


def test_a_mark_that_is_given_as_a_whole_counts_before_the_criteria(school):
    found, _ = school(JURY.replace("base = 10", "given = { ann = 8 }"))
    assert found["Ann"].base == 8


def test_columns_may_name_a_criterion(school):
    _, sheet = school('columns = { Speech = "talk" }' + JURY)
    assert sheet.rows[0] == [12]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("criteria = 3", "expected a table of criteria and weights"),
        ("criteria = { talk = 0 }", "expected a number from"),
        ("criteria = { mark = 1 }", "'mark' is the name of a column"),
        ("jury = 3", "expected a table of bots"),
        ("jury = { nobody = {} }", "'nobody' is not known here"),
        ("criteria = { talk = 1 }\njury = { ann = {} }", "ann: expected a mark for each criterion"),
        ("criteria = { talk = 1 }\njury = { ann = { talk = true } }", "expected a number from"),
        ("criteria = { talk = 1 }\njury = { ann = { talk = 125 } }", "a number from 0 to 20, got"),
    ],
)
def test_a_wrong_jury_is_refused_with_the_reason(school, text, told):
    with pytest.raises(ConfigError) as raised:
        school(text)
    assert told in str(raised.value)
