"""A teacher who has only the statement holds each of the five contests, from hand-out to marks.

Nothing is written but fields of forms: `joute new` makes what is handed out, and students hand
that in as it is. The numbers of games, the boards and the times are smaller than in the statements.
"""

import csv
import html
import io
import re
import zipfile
from typing import NamedTuple

import pytest
from helpers import wait_until
from web.entered import LATER, ZONE, Reception

from joute.cli.main import main
from joute.i18n import words
from joute.web.registration.contest_form import read_values
from joute.web.settings import Settings

pytestmark = pytest.mark.full


class Held(NamedTuple):
    """A contest as the teacher chooses it."""

    game: str
    style: str  # of `joute new`
    file: str  # of what it makes, that a student hands in
    form: dict[str, str]  # fields of the form that makes the contest


HELD = (
    Held(
        "paradise",
        "paradise",
        "bot.py",
        {"games": "2", "forbidden_imports": "torch"},
    ),
    Held(
        "tron",
        "workshop",
        "Tron.py",
        {"format": "score", "game.players": "1", "maps": "workshop", "games": "2"},
    ),
    Held(
        "vampires",
        "function",
        "bot.py",
        {"format": "pools", "pools": "1", "qualified": "2", "games": "2", "maps": "skirmish"},
    ),
    Held("virus", "hx2", "bot.py", {"games": "2", "game.size": "4", "move_seconds": "10"}),
    Held("love-letter", "function", "bot.py", {"games": "2"}),
)
SCALE = "[grades]\nscale = [0, 20]\nbase = 10\nplaces = [3, 2]\nabsent = 0\n"
CASES = [pytest.param(each, marks=pytest.mark.game(each.game), id=each.game) for each in HELD]


class Sheet(NamedTuple):
    """The gradebook by student, and the names of the files of feedback."""

    rows: dict[str, dict[str, str]]
    feedback: list[str]


def handed_out(held, folder):
    """The file that students begin with, of what `joute new` makes."""
    assert main(["new", str(folder), "--game", held.game, "--style", held.style]) == 0
    words.speak("en")
    return (folder / held.file).read_bytes()


class FormReception(Reception):
    """A contest that was opened by the form for its game, some fields of which were changed."""

    def __init__(self, site, held):
        self.site, self._guests = site, []
        page = site.get(f"/organise/new?game={held.game}").text
        file = html.unescape(re.search(r'name="before" value="([^"]*)"', page)[1])
        fields = {**read_values(file), "name": "The class", "house": (), **held.form}
        given = {"before": file, "toml": file, "deadline": LATER, "zone": ZONE, **fields}
        answer = site.post("/organise/new", data=given)
        assert answer.status_code == 303, answer.text
        self.address = answer.headers["location"]
        self.service = site.app.state.registration


def marked(reception):
    """The marks of the class after a scale was chosen."""
    assert reception.organise("marks", toml=SCALE).status_code == 303
    answer = reception.site.get(f"{reception.address}/marks/gradebook.csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    content = reception.site.get(f"{reception.address}/marks/sheets.zip").content
    with zipfile.ZipFile(io.BytesIO(content)) as sheets:
        return Sheet({row["student"]: row for row in rows}, sheets.namelist())


@pytest.mark.parametrize("held", CASES)
def test_a_contest_is_held_from_the_hand_out_to_the_marks(held, serve, tmp_path):
    starter = handed_out(held, tmp_path / "starter")
    reception = FormReception(serve(Settings(data=tmp_path / "data")), held)
    try:
        students = [reception.participant(name) for name in ("Ann", "Bob")]
        reception.invite("Cid")
        for student in students:
            assert student.upload(starter, held.file).status_code == 303
            assert "Ready to play" in student.settled()
        assert reception.organise("run").status_code == 303
        control = reception.service.control
        wait_until(lambda: control.stage(reception.registration) == "finished", what="the games")
        sheet = marked(reception)
        assert all(float(sheet.rows[name]["mark"]) >= 10 for name in ("Ann", "Bob"))
        assert sheet.rows["Cid"]["remark"] == "absent"
        assert sum("feedback/" in name for name in sheet.feedback) == 2
        assert reception.organise("publish").status_code == 303
        results = students[0].get(control.address(reception.registration)).text
        assert "Ann" in results and "Bob" in results
    finally:
        reception.close()
