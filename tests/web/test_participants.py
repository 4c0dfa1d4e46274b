"""The organiser sees what each participant sent: versions, reports, files, copies, attempts."""

import io
import zipfile
from datetime import UTC, datetime, timedelta

import pytest
from web.entered import GOOD, archive, served

from joute.web.registration.activity import activity
from joute.web.registration.bundle import participants_sheet
from joute.web.registration.copies import _prints, copies
from joute.web.registration.store import DONE, CheckFinding

pytestmark = pytest.mark.game("virus")

LONG = b"""
import random

def value(board, player):
    total = 0
    for row in board:
        for cell in row:
            if cell == player:
                total += 1
            elif cell != 0:
                total -= 1
    return total

def play(observation, clock):
    best, chosen = -1000, None
    for action in observation["legal"]:
        worth = value(observation["grid"], observation["scores"]) + random.random()
        if worth > best:
            best, chosen = worth, action
    return chosen
"""
RENAMED = LONG.replace(b"value", b"count").replace(b"total", b"n").replace(b"1000", b"2000")


@pytest.fixture
def reception(serve, tmp_path):
    made = served(serve, tmp_path)
    yield made
    made.close()


def hand_in(reception, name, content=GOOD, file="bot.py", findings=()):
    """A participant with a version that was checked."""
    store, registration = reception.service.store, reception.registration
    known = [each for each in registration.participants if each.name == name]
    participant = known[0] if known else reception.invite(name)
    suffix = ".zip" if file.endswith(".zip") else ".py"
    version = store.take(registration, participant, content, file, suffix)
    version.state = DONE
    version.findings = [CheckFinding("start", True, "It starts."), *findings]
    return participant


def page_of(reception, participant, query=""):
    return reception.site.get(
        f"{reception.address}/participants/{participant.identity}{query}"
    ).text


def test_the_organiser_reads_the_report_and_the_file_of_every_version(reception):
    fault = CheckFinding("games", False, "2 faults in 8 turns", ["KeyError: 'x' <b>"])
    ann = hand_in(reception, "Ann", b"first = 1 < 2\n", findings=[fault])
    hand_in(reception, "Ann", GOOD, "my <bot>.py")
    page = page_of(reception, ann)
    assert "my &lt;bot&gt;.py" in page and "observation[&#39;legal&#39;][0]" in page
    assert "It starts." in page and "2 faults" not in page
    page = page_of(reception, ann, "?version=1")
    assert "2 faults in 8 turns" in page and "KeyError: &#39;x&#39; &lt;b&gt;" in page
    assert "first = 1 &lt; 2" in page
    answer = reception.site.get(f"{reception.address}/participants/{ann.identity}/version/1")
    assert answer.content == b"first = 1 < 2\n"
    assert 'filename="ann-1.py"' in answer.headers["content-disposition"]
    for wrong in ("?version=7", "/version/7"):
        found = f"{reception.address}/participants/{ann.identity}{wrong}"
        assert reception.site.get(found).status_code == 404


def test_the_files_of_an_archive_are_shown_one_by_one_and_nothing_else_of_the_disk(reception):
    content = archive(("bot.py", GOOD), ("help/aid.py", b"aid = 2\n"), ("data.bin", b"\xff\xfe\0"))
    ann = hand_in(reception, "Ann", content, "bot.zip")
    assert "help/aid.py" in page_of(reception, ann)
    assert "aid = 2" in page_of(reception, ann, "?file=help/aid.py")
    assert "cannot be shown as text" in page_of(reception, ann, "?file=data.bin")
    other = page_of(reception, ann, "?file=../../contest.toml")
    assert "[contest]" not in other and str(reception.service.store.folder) not in other


def test_the_same_file_and_a_similar_one_are_marked_and_lie_side_by_side(reception):
    ann, bob = hand_in(reception, "Ann", LONG), hand_in(reception, "Bob", LONG)
    eve = hand_in(reception, "Eve", RENAMED)
    hand_in(reception, "Dan", b"def play(o, c):\n    return max(o['legal'])\n")
    found = copies(reception.service.store, reception.registration)
    assert [each.name for each in found.same[ann.identity]] == ["Bob"]
    assert [(each.other.name, each.share) for each in found.of(eve)] == [("Ann", 1.0), ("Bob", 1.0)]
    assert "same file as Bob" in page_of(reception, ann)
    listed = reception.site.get(reception.address).text
    assert "same file as Ann" in listed and "100% like Ann" in listed and "like Dan" not in listed
    pairs = reception.site.get(f"{reception.address}/similar").text
    assert pairs.count("Side by side") >= 3 and "Dan" not in pairs
    both = f"{reception.address}/similar/{ann.identity}/{eve.identity}"
    assert reception.site.get(both).text.count('class="shared"') > 20
    assert "identical files" in reception.site.get(both.replace(eve.identity, bob.identity)).text
    nobody = reception.invite("Zoé")
    assert reception.site.get(both.replace(eve.identity, nobody.identity)).status_code == 404


def test_whoever_sends_the_template_has_copied_nobody(reception):
    from joute.core.registry import card
    from joute.core.starters import starters

    template = starters(card("virus"))["function"].read_bytes()
    hand_in(reception, "Ann", template)
    hand_in(reception, "Bob", template + b"# mine\n")
    hand_in(reception, "Eve", template)
    found = copies(reception.service.store, reception.registration)
    assert (found.pairs, found.groups, found.same) == ([], [], {})


@pytest.mark.full
def test_only_those_who_sent_the_same_bytes_are_named_together(reception):
    ann = reception.participant("Ann")
    for content in (LONG, RENAMED):
        ann.upload(content)
        ann.settled()
    hand_in(reception, "Bob", LONG)
    hand_in(reception, "Eve", RENAMED)
    found = copies(reception.service.store, reception.registration)
    assert sorted([each.name for each in group] for group in found.groups) == [
        ["Ann", "Bob"],
        ["Ann", "Eve"],
    ]


@pytest.mark.game("tron")
def test_the_program_that_a_project_of_another_contest_begins_with_is_a_template_too(tmp_path):
    from joute.core.registry import card
    from joute.core.starters import program_folders

    template = program_folders(card("tron"))["tron2010"] / "bot.en.py.txt"
    (tmp_path / "bot.py").write_bytes(template.read_bytes())
    assert not _prints(tmp_path / "bot.py", "template", "tron").lines
    (tmp_path / "own.py").write_bytes(GOOD)
    assert _prints(tmp_path / "own.py", "own", "tron").lines


def test_an_attempt_at_the_network_is_told_to_the_organiser(reception):
    tried = CheckFinding("isolation", False, "it tried to open the network, and was stopped")
    ann = hand_in(reception, "Ann", findings=[tried])
    assert ann.entry is not None  # it was stopped: the bot may play all the same
    assert "tried to open the network" in reception.site.get(reception.address).text
    assert "tried to open the network" in page_of(reception, ann)


def test_everything_comes_in_one_archive_whose_names_are_harmless(reception):
    fault = CheckFinding("games", False, "2 faults", ["KeyError"])
    hand_in(reception, "../Ann =1", GOOD)
    hand_in(reception, "Bob", archive(("bot.py", GOOD)), "bot.zip", [fault])
    reception.invite("=cmd()")
    answer = reception.site.get(f"{reception.address}/everything.zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as found:
        names = found.namelist()
        table = found.read("participants.csv").decode("utf-8-sig")
        assert found.read("01-ann-1/version-1.py") == GOOD
        assert "2 faults" in found.read("02-bob/report-1.txt").decode()
    assert "02-bob/version-1.zip" in names and "contest.toml" in names
    assert all(not name.startswith(("/", "..")) for name in names)
    assert "'=cmd()" in table and "nothing yet" in table
    assert str(reception.service.store.folder) not in table


def test_a_late_version_is_taken_by_rule_and_marked_with_its_delay(reception):
    store, registration = reception.service.store, reception.registration
    ann, bob = reception.invite("Ann"), reception.invite("Bob")
    due = datetime(2030, 1, 10, 12, tzinfo=UTC)
    with store.changing(registration):
        registration.deadline = due.isoformat()
        registration.grace_minutes, registration.late_minutes = 10, 120
        bob.extension = (due + timedelta(days=1)).isoformat()
    assert registration.takes(ann, due + timedelta(minutes=129))
    assert not registration.takes(ann, due + timedelta(minutes=130))
    assert registration.takes(bob, due + timedelta(hours=20))
    store.now = lambda: due + timedelta(minutes=9)
    hand_in(reception, "Ann")
    assert not registration.delay(ann, ann.versions[0])
    store.now = lambda: due + timedelta(minutes=90)
    hand_in(reception, "Ann")
    hand_in(reception, "Bob")
    assert registration.delay(ann, ann.versions[1]) == timedelta(minutes=90)
    assert not registration.delay(bob, bob.versions[0])
    found = activity(registration, store.now())
    assert (found.handed, found.late, found.missing) == (2, 1, 0)
    assert "1 h 30 min late" in reception.site.get(reception.address).text
    rows = participants_sheet(registration).rows
    assert [row[6] for row in rows] == [1.5, 0.0]


def test_a_participant_is_given_another_deadline_and_it_is_taken_back(reception):
    ann = reception.invite("Ann")
    at = f"participants/{ann.identity}"
    reception.organise(f"{at}/extension", deadline="2199-12-31T23:59")
    assert ann.extension.startswith("2199-12-31T22:59")
    assert "extended" in page_of(reception, ann)
    assert "is not a date" in reception.organise(f"{at}/extension", deadline="soon").text
    reception.organise(f"{at}/extension")
    assert ann.extension == ""
    early = reception.organise(f"{at}/extension", deadline="2199-12-30T23:59")
    assert early.status_code == 422 and "before the deadline of all" in early.text
    reception.organise(f"{at}/person", number="  007 ", group="A", email="ann@example.org")
    assert (ann.number, ann.group, ann.email) == ("007", "A", "ann@example.org")
    assert reception.organise(f"{at}/person", email="x" * 101).status_code == 422


def test_a_deadline_that_is_postponed_past_an_extension_holds_for_everybody(reception):
    ann, registration = reception.invite("Ann"), reception.registration
    extension = f"participants/{ann.identity}/extension"
    for extended, common, due in (("10", "09", "10"), ("", "12", "12"), ("", "08", "10")):
        reception.organise("deadline", deadline=f"2199-06-{common}T12:00", zone="UTC")
        if extended:
            reception.organise(extension, deadline=f"2199-06-{extended}T12:00")
        assert registration.deadline_of(ann).isoformat() == f"2199-06-{due}T12:00:00+00:00"


def test_messages_to_all_are_kept_and_shown(reception):
    assert reception.organise("announcements", text="Room 12 <today>").status_code == 303
    assert [each.text for each in reception.registration.announcements] == ["Room 12 <today>"]
    assert "Room 12 &lt;today&gt;" in reception.site.get(reception.address).text
    assert reception.organise("announcements", text=" ").status_code == 422
    ann = reception.guest(reception.link(reception.invite("Ann")))
    assert "Room 12 &lt;today&gt;" in ann.get().text


def test_only_the_organiser_sees_what_was_sent(reception, monkeypatch):
    ann = hand_in(reception, "Ann")
    stranger = reception.guest(reception.link(ann))
    monkeypatch.setattr("joute.web.organiser._is_organiser", lambda _: False)
    own = f"{reception.address}/participants/{ann.identity}"
    for path in (own, f"{own}/version/1", f"{reception.address}/everything.zip"):
        assert stranger.get(path).status_code == 403
    for path in (f"{reception.address}/similar", f"{reception.address}/edit", "/organise/new"):
        assert stranger.get(path).status_code == 403
