"""A teacher goes from an empty server to marks without a shell, in headless Chromium."""

import base64
import csv
import io
import json
import zipfile
from datetime import UTC, datetime, timedelta

import pytest
from helpers import some
from web.entered import BROKEN, NETWORK, Guest
from web.test_participants import LONG, RENAMED

from joute.web.settings import Settings

pytestmark = [pytest.mark.full, pytest.mark.game("virus")]

CLASS = "\n".join(f"Student {at:02};{2026000 + at};{'AB'[at % 2]}" for at in range(1, 31))
SENT = {
    "Student 01": LONG,
    "Student 02": LONG,
    "Student 03": RENAMED,
    "Student 04": BROKEN,
    "Student 05": NETWORK,
}
LATE = ("Student 06", LONG.replace(b"best", b"top") + b"\nLATE = [1, 2, 3]\n")
NEW = "!document.documentElement.dataset.old && document.readyState === 'complete'"


class Teacher:
    """The browser of somebody who only clicks and types."""

    def __init__(self, site, page):
        self.site, self.page = site, page

    def go(self, selector):
        """Clicks what leads to another page, or sends a form; returns when that is there."""
        self.page.wait_for(f"document.querySelector({json.dumps(selector)})")
        self.page.evaluate("document.documentElement.dataset.old = 1")
        self.page.click(selector)
        self.page.wait_for(NEW)

    def fill(self, **fields):
        for name, value in fields.items():
            found = f"document.querySelector('[name=\"{name}\"]')"
            self.page.evaluate(f"{found}.value = {json.dumps(value)}")

    def count(self, selector):
        return self.page.evaluate(f"document.querySelectorAll({json.dumps(selector)}).length")

    def has(self, text, within="main"):
        return text in self.page.text(within)


@pytest.fixture(params=some(["fr", "en"], 2))
def teacher(request, serve, chromium, tmp_path):
    site = serve(Settings(data=tmp_path / "data"))
    page = chromium.page(1366, 768, language=request.param)
    yield Teacher(site, page)
    assert page.problems() == []
    page.close()


def makes_a_contest(teacher):
    due = datetime.now(UTC) + timedelta(days=3)
    teacher.page.open(f"{teacher.site.url}/")
    teacher.go("nav a[href='/organise']")
    teacher.go("main a[href='/organise/new']")
    teacher.go("a[href='/organise/new?game=virus']")
    teacher.fill(name="Class of 2027", deadline=due.strftime("%Y-%m-%dT%H:%M"), zone="UTC")
    teacher.fill(games="2", move_seconds="1", late="24", **{"game.size": "6"})
    teacher.go(".acts .primary")
    (registration,) = teacher.site.app.state.registration.store
    return registration


def invites_the_class(teacher):
    """The links by name, as the sheet has them."""
    teacher.go("main a[href$='/roster']")
    teacher.page.type("#text", CLASS)
    teacher.go(".making .primary")
    assert teacher.count("tbody .badge.good") == 30
    teacher.go(".acts .primary")
    found = teacher.page.evaluate(
        "[...document.querySelectorAll('.link-slip')].map((each) => "
        "[each.querySelector('h2').textContent, each.querySelector('.address').textContent])"
    )
    assert len(found) == 30 and teacher.count(".link-slip svg") == 30
    return dict(found)


def hands_in(teacher, link, content):
    guest = Guest(teacher.site)
    guest.post("/submit/enter", link=link)
    guest.upload(content)
    guest.settled()
    guest.client.close()


def test_a_teacher_goes_from_an_empty_server_to_marks(teacher):
    registration = makes_a_contest(teacher)
    links = invites_the_class(teacher)
    for name, content in SENT.items():
        hands_in(teacher, links[name], content)
    store = teacher.site.app.state.registration.store
    after = datetime.fromisoformat(registration.deadline) + timedelta(hours=3)
    store.now = lambda: after
    hands_in(teacher, links[LATE[0]], LATE[1])
    sees_who_did_what(teacher, registration)
    has_it_played(teacher, registration)
    decides(teacher)
    marks(teacher, registration)
    exports_and_prints(teacher, registration)


def sees_who_did_what(teacher, registration):
    teacher.page.open(f"{teacher.site.url}/organise/{registration.identity}")
    told = teacher.page.evaluate(
        "[...document.querySelectorAll('main .state dd')].map((each) => each.textContent)"
    )
    assert told == ["30", "6", "5", "1", "24"]
    assert teacher.count(".members .badge.bad[href*='/similar/']") == 2  # the same file
    assert teacher.count(".members .badge.warn[href*='/similar/']") >= 3
    fourth, fifth = (registration.participants[at].identity for at in (3, 4))
    teacher.go(f".members a[href$='/{fifth}']")
    assert teacher.count("h1 ~ p, .badge.bad") >= 1 and teacher.has("create_connection")
    teacher.go("a[rel=prev]")
    assert teacher.page.evaluate("location.pathname").endswith(fourth)
    assert teacher.has("KeyError", ".report")
    teacher.page.open(f"{teacher.site.url}/organise/{registration.identity}/similar")
    teacher.go(".pairs tbody td a")
    assert teacher.count(".shared") > 20 and teacher.count(".sides section") == 2


def has_it_played(teacher, registration):
    teacher.page.open(f"{teacher.site.url}/organise/{registration.identity}")
    teacher.go("form[action$='/run'] button")
    teacher.page.wait_for("document.querySelector('#run .badge.good')")
    teacher.go("#run a[href$='/results']")


def decides(teacher):
    forms = ".deciding form:first-child"
    teacher.page.evaluate(
        f"document.querySelector({json.dumps(forms + ' [name=subject]')}).value = 'Student 02';"
        f"document.querySelector({json.dumps(forms + ' [name=kind]')}).value = 'disqualified'"
    )
    teacher.page.type(f"{forms} [name=why]", "copied from Student 01")
    teacher.go(f"{forms} button")
    assert teacher.has("copied from Student 01", ".decided")
    teacher.page.evaluate(
        "document.querySelector('.deciding form:last-child [name=subject]').value = '1'"
    )
    teacher.page.type(".deciding form:last-child [name=why]", "power cut")
    teacher.go(".deciding form:last-child button")
    assert teacher.has("power cut")


def marks(teacher, registration):
    teacher.go("main .titlebar a[href$='/marks']")
    house = teacher.page.evaluate(
        "[...document.querySelector('#bot0').options].map((each) => each.value)"
        ".find((each) => each.startsWith('greedy'))"
    )
    teacher.fill(base="8", bot0=house, marks0="6", from0="0", to0="1", disqualified="7")
    teacher.go(".acts .primary")
    assert teacher.count(".gradebook tbody tr") == 30
    answer = teacher.site.get(f"/organise/{registration.identity}/marks/gradebook.csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [row["student"] for row in rows] == [each.name for each in registration.participants]
    known = {row["student"]: row for row in rows}
    assert (
        float(known["Student 02"]["mark"]) == 7 and known["Student 02"]["remark"] == "disqualified"
    )
    assert known["Student 30"]["remark"] == "absent" and known["Student 30"]["number"] == "2026030"
    assert float(known["Student 06"]["late"]) == 3.0
    assert float(known["Student 01"]["mark"]) >= 8


def exports_and_prints(teacher, registration):
    at = f"/organise/{registration.identity}"
    for path in (f"{at}/exports/html", f"{at}/marks/sheets.zip", f"{at}/everything.zip"):
        with zipfile.ZipFile(io.BytesIO(teacher.site.get(path).content)) as found:
            assert found.testzip() is None and len(found.namelist()) > 2
            texts = [found.read(name) for name in found.namelist() if name.endswith(("html", "md"))]
        folder = str(teacher.site.app.state.registration.store.folder).encode()
        assert all(folder not in text for text in texts), path
    page = teacher.page
    page._wire.call("Emulation.setEmulatedMedia", media="print")
    frame = (".top nav", ".top .row", ".foot", "[data-print]")
    for path, own in (("results", ".deciding"), ("marks", ".making")):
        page.open(f"{teacher.site.url}{at}/{path}")
        page.wait_for("!document.querySelector('[data-print]').hidden")
        for gone in (*frame, own):
            shown = f"getComputedStyle(document.querySelector({json.dumps(gone)})).display"
            assert page.evaluate(shown) == "none", gone
    printed = page._wire.call("Page.printToPDF")["data"]
    assert base64.b64decode(printed).startswith(b"%PDF")
    page._wire.call("Emulation.setEmulatedMedia", media="")
    page.open(f"{teacher.site.url}{at}")
    teacher.go("form[action$='/publish'] button")
    assert registration.published
