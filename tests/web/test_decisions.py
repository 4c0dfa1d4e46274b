"""Marks, exports and decisions are buttons, with the functions of the command line behind them."""

import csv
import io
import zipfile
from datetime import datetime, timedelta

import pytest
from helpers import wait_until
from web.entered import BROKEN, GOOD, NETWORK, TOML, Reception, archive
from web.test_participants import hand_in

from joute.contest.run.runner import run_contest
from joute.host.toml import read_toml
from joute.web.contests.snapshot import FINISHED, PLAYING
from joute.web.errors import RequestRefusal
from joute.web.registration.marks import USUAL, fields_of, with_fields
from joute.web.registration.store import CheckFinding
from joute.web.settings import Settings

pytestmark = pytest.mark.game("virus")

OWN = b"def play(observation, clock):\n    return observation['legal'][-1]\n"


@pytest.fixture
def reception(serve, tmp_path):
    """A contest of two participants and a house bot that was played; a third sent nothing."""
    made = Reception(serve(Settings(data=tmp_path / "data")), TOML)
    hand_in(made, "Ann", GOOD)
    hand_in(made, "Bob", OWN)
    made.invite("Zoé")
    run_contest(made.service.control.contest(made.registration))
    yield made
    made.close()


def page(reception, path):
    return reception.site.get(f"{reception.address}/{path}").text


def book(reception):
    """The rows of the gradebook, by student."""
    text = reception.site.get(f"{reception.address}/marks/gradebook.csv").content.decode(
        "utf-8-sig"
    )
    return {row["student"]: row for row in csv.DictReader(io.StringIO(text))}


def test_points_are_offered_against_house_bots_and_not_against_students(reception):
    offered = page(reception, "marks").partition('name="bot0"')[2].partition("</select>")[0]
    assert ">greedy</option>" in offered and "Ann" not in offered and "Bob" not in offered


def decided(reception, **given):
    return reception.organise("decide", **{"why": "copied", "who": "Dr Who", **given})


def test_every_invited_student_has_a_row_with_number_and_delay(reception):
    ann = reception.registration.participants[0]
    reception.organise(f"participants/{ann.identity}/person", number="007", email="=ann@x.org")
    rows = book(reception)
    assert list(rows) == ["Ann", "Bob", "Zoé"]
    assert rows["Ann"]["number"] == "007" and rows["Ann"]["email"] == "'=ann@x.org"
    assert rows["Zoé"]["remark"] == "absent" and rows["Zoé"]["mark"] == "0.0"
    assert all(rows[name]["late"] == "0.0" for name in ("Ann", "Bob"))
    assert "greedy" not in rows
    shown = page(reception, "marks")
    assert "no bot in the contest" in shown and shown.count('<th scope="row">') == 3


def test_the_delay_is_that_of_the_version_that_has_played(reception):
    store, registration = reception.service.store, reception.registration
    store.now = lambda: datetime.fromisoformat(registration.deadline) + timedelta(hours=3)
    for name in ("Ann", "Zoé"):
        hand_in(reception, name, OWN)
    rows = book(reception)
    assert (rows["Ann"]["late"], rows["Zoé"]["late"]) == ("0.0", "3.0")
    run_contest(reception.service.control.contest(registration))
    assert book(reception)["Ann"]["late"] == "3.0"


def test_whose_bot_does_not_run_is_told_from_the_absent_and_may_be_given_a_mark(reception):
    hand_in(reception, "Max", BROKEN, findings=[CheckFinding("games", False, "It fails.")])
    hand_in(reception, "Eve", GOOD + b"# later\n")
    rows = book(reception)
    assert [rows["Max"]["remark"], rows["Zoé"]["remark"]] == ["faulty", "absent"]
    assert [rows["Max"]["mark"], rows["Zoé"]["mark"]] == ["0.0", "0.0"]
    assert [rows["Eve"]["remark"], rows["Eve"]["mark"]] == ["unmet", ""]
    assert "handed in, but does not run" in page(reception, "marks")
    text = (
        "[grades]\ngiven = { Max = 12, Eve = 11 }\ncriteria = { talk = 1 }\n"
        "[grades.jury]\n'Zoé' = { talk = 7 }\n"
    )
    assert reception.organise("marks", toml=text).status_code == 303
    rows = book(reception)
    marks = {name: rows[name]["mark"] for name in ("Max", "Eve", "Zoé")}
    assert marks == {"Max": "12.0", "Eve": "11.0", "Zoé": "7.0"}
    assert rows["Zoé"]["talk"] == "7.0"
    assert reception.organise("marks", toml="[grades]\ngiven = { Mx = 1 }").status_code == 422


def test_the_gradebook_has_the_columns_of_the_file_with_criteria_and_absentees(reception):
    jury = "criteria = { talk = 1 }\nabsentees = ['Guy']\n[grades.jury]\nAnn = { talk = 12.5 }\n"
    assert reception.organise("marks", toml=f"[grades]\n{jury}").status_code == 303
    rows = book(reception)
    assert list(rows["Ann"])[-4:] == ["talk", "mark", "remark", "late"]
    assert rows["Ann"]["talk"] == "12.5" and rows["Guy"]["remark"] == "absent"
    columns = '"Identifiant" = "student", "N" = "number", "h" = "late", "Note" = "mark"'
    text = f"[grades]\nbase = 3\ncolumns = {{ {columns} }}\n{jury}"
    assert reception.organise("marks", toml=text).status_code == 303
    file = reception.site.get(f"{reception.address}/marks/gradebook.csv").content
    lines = file.decode("utf-8-sig").splitlines()
    assert lines == [
        "Identifiant,N,h,Note",
        "Ann,,0.0,12.5",
        "Bob,,0.0,3.0",
        "Zoé,,,0.0",
        "Guy,,,0.0",
    ]
    shown = page(reception, "marks")
    assert ">Identifiant</th>" in shown and ">Note</th>" in shown and ">N</th>" not in shown
    assert reception.organise("marks", toml="[grades]\ncolumns = ['none']").status_code == 422


def test_the_authors_of_a_team_stand_in_its_row(serve, tmp_path):
    made = Reception(serve(Settings(data=tmp_path / "data")), TOML)
    team = archive(("bot.py", GOOD), ("joute.toml", b'authors = ["Ada Petit", "Bea Roux"]\n'))
    made.participant("Group 1").upload(team, "bot.zip")
    wait_until(lambda: made.registration.participants[0].entry, what="a check")
    run_contest(made.service.control.contest(made.registration))
    rows = book(made)
    assert list(rows) == ["Group 1"] and rows["Group 1"]["authors"] == "Ada Petit, Bea Roux"
    assert "Ada Petit, Bea Roux" in page(made, "marks")
    made.close()


def test_who_tries_to_open_the_network_in_a_game_is_shown_with_the_game(serve, tmp_path):
    made = Reception(serve(Settings(data=tmp_path / "data")), TOML)
    ann, eve = hand_in(made, "Ann", GOOD), hand_in(made, "Eve", NETWORK)
    run_contest(made.service.control.contest(made.registration))
    games = made.service.control.attempts(made.registration)
    assert list(games) == ["Eve"] and len(games["Eve"]) == 4
    assert page(made, "results").count("tried to open the network") == 1
    assert "tried to open the network" in made.site.get(made.address).text
    shown = page(made, f"participants/{eve.identity}")
    assert f"/games/{games['Eve'][0]}" in shown.partition("tried to open the network")[2]
    assert "tried to open the network" not in page(made, f"participants/{ann.identity}")
    made.close()


def test_the_scale_is_a_form_that_writes_a_file_and_keeps_what_it_does_not_know(reception):
    changed = with_fields(USUAL + 'given = { Ann = 3 }\n', {"base": "8", "bot0": "greedy",
                          "marks0": "6", "from0": "0,5", "to0": "0.9"})  # fmt: skip
    table = read_toml(changed)["grades"]
    assert (table["base"], table["given"], table["places"]) == (8, {"Ann": 3}, [3, 2, 1])
    assert table["against"] == [{"bot": "greedy", "marks": 6, "from": 0.5, "to": 0.9}]
    assert with_fields(changed, fields_of(changed)) == changed
    with pytest.raises(RequestRefusal):
        fields_of("[grades")
    form = {"low": "0", "high": "100", "base": "60", "absent": "5"}
    assert reception.organise("marks", **form).status_code == 303
    assert book(reception)["Zoé"]["mark"] == "5.0"
    answer = reception.organise("marks", **(form | {"base": "many"}))
    assert answer.status_code == 422 and "grades.base" in answer.text
    assert str(reception.service.store.folder) not in answer.text
    answer = reception.organise("marks", toml="[grades]\nscale = [0, 10]\nabsent = 1\n")
    assert answer.status_code == 303 and book(reception)["Zoé"]["mark"] == "1.0"


def test_feedback_sheets_come_with_the_gradebook_and_name_no_path_of_the_server(reception):
    answer = reception.site.get(f"{reception.address}/marks/sheets.zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as found:
        names = found.namelist()
        texts = [found.read(name).decode() for name in names]
    assert "small-marks/feedback/01-ann.md" in names and len(names) == 3
    assert all(str(reception.service.store.folder) not in text for text in texts)


def test_a_bot_is_disqualified_and_reinstated_with_the_reason(reception):
    assert decided(reception, kind="disqualified", subject="Bob").status_code == 303
    shown = page(reception, "results")
    assert "copied" in shown and "Dr Who" in shown
    assert book(reception)["Bob"]["place"] == ""
    decided(reception, kind="reinstated", subject="Bob", why="it was the other way round")
    assert book(reception)["Bob"]["place"] != ""
    told = page(reception, "audit")
    assert "copied" in told and "no longer in force" in told
    assert str(reception.service.store.folder) not in told


def test_a_game_is_annulled_by_its_number(reception):
    assert decided(reception, kind="annulled", subject="2", why="power cut").status_code == 303
    shown = page(reception, "results")
    assert "power cut" in shown and "annulled" in shown


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"kind": "disqualified", "subject": "Bob", "why": " "}, "Give the reason"),
        ({"kind": "deleted", "subject": "Bob"}, "Choose what is decided"),
        ({"kind": "withdrawn", "subject": "Nobody"}, "Nobody"),
        ({"kind": "annulled", "subject": "4711"}, "4711"),
        ({"kind": "withdrawn", "subject": "Bob", "who": "Joute"}, "Joute"),
    ],
)
def test_a_decision_that_makes_no_sense_is_refused_with_the_reason(reception, given, reason):
    answer = decided(reception, **given)
    assert answer.status_code == 422 and reason in answer.text


def test_a_refused_decision_comes_back_as_it_was_typed(reception):
    typed = {"kind": "replayed", "subject": "999", "why": "power cut", "who": "Ann & Bob"}
    answer = decided(reception, **typed)
    assert answer.status_code == 422 and "No game has the number 999" in answer.text
    assert '<option value="replayed" selected>' in answer.text
    for value in ("999", "power cut", "Ann &amp; Bob"):
        assert answer.text.count(f'value="{value}"') == 1


@pytest.mark.full
def test_results_are_exported_in_every_form(reception):
    at = f"{reception.address}/exports"
    with zipfile.ZipFile(io.BytesIO(reception.site.get(f"{at}/csv").content)) as found:
        assert set(found.namelist()) == {"small-csv/games.csv", "small-csv/standings.csv"}
    one = reception.site.get(f"{at}/page")
    assert "Ann" in one.text and str(reception.service.store.folder) not in one.text
    assert 'filename="small-page.html"' in one.headers["content-disposition"]
    assert reception.site.get(f"{at}/../../../etc").status_code == 404
    assert reception.site.get(f"{at}/parquet").status_code == 404


def test_results_are_hidden_again_after_they_were_published(reception):
    reception.organise("publish")
    assert "Not published" not in reception.site.get("/contests/small").text
    reception.organise("unpublish")
    assert "Not published" in reception.site.get("/contests/small").text
    assert not reception.registration.published


def test_the_button_of_a_run_says_what_it_would_play(reception):
    assert "Nothing has changed" in reception.site.get(reception.address).text
    hand_in(reception, "Zoé", OWN + b"#")
    assert "Play again what changed (games: 6)" in reception.site.get(reception.address).text
    told = reception.site.get(reception.address).text
    assert str(reception.service.store.folder) not in told


def test_before_the_first_game_there_are_no_results_to_decide_about(serve, tmp_path):
    made = Reception(serve(Settings(data=tmp_path / "data")))
    for path in ("results", "marks", "audit", "exports/csv", "marks/gradebook.csv"):
        assert made.site.get(f"{made.address}/{path}").status_code == 404
    made.close()


@pytest.mark.full
def test_a_bot_that_comes_late_is_drawn_with_the_others_of_a_knockout(serve, tmp_path):
    text = TOML.replace("games = 2", 'format = "knockout"')
    made = Reception(serve(Settings(data=tmp_path / "data")), text)
    hand_in(made, "Ann", GOOD)
    hand_in(made, "Bob", OWN)
    hand_in(made, "Eve", GOOD + b"# Eve")
    control = made.service.control

    def run():
        assert made.organise("run").status_code == 303
        wait_until(lambda: control.stage(made.registration) != PLAYING, what="the run")
        return control.served(made.registration)

    assert run().stage == FINISHED
    hand_in(made, "Late", GOOD + b"# late")
    served = run()
    assert control.stage(made.registration) == FINISHED
    assert "Late" in [bot.name for bot in served.contest.bots]
    made.close()
