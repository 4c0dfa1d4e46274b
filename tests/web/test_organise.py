"""The organiser opens a contest for bots, invites, renames, removes, has it played."""

import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from helpers import wait_until
from web.entered import GOOD, LATER, TOML, ZONE, archive, served

from joute.contest.config.config import resolve
from joute.web.contests.control import ContestProcesses
from joute.web.errors import RequestRefusal
from joute.web.registration import jobs
from joute.web.registration import service as services
from joute.web.registration.contest_files import ContestTerms, composed, opened
from joute.web.registration.service import RegistrationService
from joute.web.registration.store import DONE, RegistrationStore
from joute.web.settings import Settings

OUT = '[contest]\nfolder = "/tmp"\n'
ARRAY = 'bots = ["builtin:greedy"]\n'
FILE = '[[bots]]\nbot = "mine.py"\n'


@pytest.fixture
def reception(serve, tmp_path):
    made = served(serve, tmp_path)
    yield made
    made.close()


def test_only_the_organiser_organises(serve, tmp_path):
    site = serve(Settings(data=tmp_path, password="the hash of no password"))
    assert site.get("/organise").status_code == 403
    assert site.post("/organise/new", data={"toml": TOML}).status_code == 403
    assert "/organise" not in site.get("/submit").text


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"toml": "[contest"}, "file is wrong:"),
        ({"toml": "[game]\nname = 'chess'"}, "file is wrong:"),
        ({"toml": OUT}, "Leave out folder and store"),
        ({"toml": ARRAY}, "as [[bots]] tables"),
        ({"toml": FILE}, "List built-in bots only"),
        ({"toml": "#" * 70_000}, "longer than 64 kB"),
        ({"zone": "Mars/Olympus"}, "Mars/Olympus is not a time zone"),
        ({"zone": "../../etc/passwd"}, "is not a time zone"),
        ({"zone": ""}, "is not a time zone"),
        ({"deadline": "soon"}, "soon is not a date and time"),
        ({"deadline": "2199-12-31T23:59+05:00"}, "+05:00 is not a date and time"),
        ({"deadline": "9999-12-31T23:59"}, "choose a year from 2000 to 2999"),
        ({"deadline": "0001-01-01T00:00"}, "choose a year from 2000 to 2999"),
        ({"deadline": "2027-03-28T02:30"}, "There is no 2027-03-28T02:30 in the time zone Europe/"),
    ],
)
def test_what_makes_no_contest_is_refused_with_the_reason(tmp_path, changed, reason):
    given = {"toml": TOML, "deadline": LATER, "zone": ZONE, **changed}
    store = RegistrationStore(tmp_path)
    with pytest.raises(RequestRefusal) as refused:
        opened(store, given["toml"], ContestTerms(given["deadline"], given["zone"]))
    assert reason in str(refused.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.game("virus")
def test_a_form_that_makes_no_contest_comes_back_as_it_was(reception):
    given = {"toml": "[contest", "deadline": LATER, "zone": ZONE}
    answer = reception.site.post("/organise/new", data=given)
    assert answer.status_code == 422 and "[contest</textarea>" in answer.text
    assert f'value="{LATER}"' in answer.text


@pytest.mark.game("virus")
def test_the_address_of_a_form_alone_leads_to_the_page_around_it(reception):
    answer = reception.site.get(f"{reception.address}/participants")
    assert (answer.status_code, answer.headers["location"]) == (303, reception.address)
    answer = reception.site.get("/submit/version")
    assert (answer.status_code, answer.headers["location"]) == (303, "/submit")


def test_names_are_checked_and_belong_to_one(reception):
    reception.invite("Ann")
    assert "already called ann" in reception.organise("participants", name="ann").text
    assert "1 to 60 printable" in reception.organise("participants", name=" ").text
    assert [each.name for each in reception.registration.participants] == ["Ann"]
    (ann,) = reception.registration.participants
    for name in ("Ann", "ann"):
        at = f"participants/{ann.identity}/name"
        assert reception.organise(at, name=name).status_code == 303 and ann.name == name
    assert reception.organise("participants/nobody/link").status_code == 404
    assert reception.site.get("/organise/nowhere").status_code == 404


@pytest.mark.game("virus")
def test_whoever_is_removed_leaves_nothing_behind(reception, tmp_path, monkeypatch):
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", "print('[]')"))
    guest = reception.participant("Ann")
    guest.upload(GOOD)
    guest.settled()
    (ann,) = reception.registration.participants
    assert list(tmp_path.rglob("bot.py"))
    reception.organise(f"participants/{ann.identity}/remove")
    assert not list(tmp_path.rglob("bot.py")) and not list(tmp_path.rglob(f"*{ann.identity}*"))
    assert "Ann" not in reception.site.get(reception.address).text
    assert 'id="link"' in guest.get().text


def test_what_is_sent_while_it_is_deleted_brings_nothing_back(reception):
    store, registration = reception.service.store, reception.registration
    ann, bob = (reception.invite(name) for name in ("Ann", "Bob"))
    store.remove(registration, bob)
    with pytest.raises(RequestRefusal, match="no longer"):
        store.take(registration, bob, GOOD, "bot.py", ".py")
    store.delete(registration)
    with pytest.raises(RequestRefusal, match="deleted"):
        store.take(registration, ann, GOOD, "bot.py", ".py")
    assert list(RegistrationStore(store.folder)) == []
    assert not list(store.folder.rglob("bot.py"))


def test_of_two_who_have_a_contest_played_at_once_one_is_refused(tmp_path):
    processes, ready, refused = ContestProcesses(), Barrier(8), []
    command = (sys.executable, "-c", "import time; time.sleep(600)", "--")

    def start():
        ready.wait()
        try:
            processes.start(tmp_path / "results", command, tmp_path, tmp_path / "run.log")
        except RequestRefusal as refusal:
            refused.append(str(refusal))

    with ThreadPoolExecutor(8) as pool:
        for each in [pool.submit(start) for _ in range(8)]:
            each.result()
    try:
        assert len(refused) == 7
    finally:
        processes.close()


@pytest.mark.game("virus")
def test_a_contest_is_played_paused_and_gone_on_with_in_another_process(
    reception, monkeypatch, tmp_path
):
    started = tmp_path / "started"
    program = (
        "import pathlib, signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(3));"
        f"print('on its way'); pathlib.Path({str(started)!r}).touch(); signal.pause()"
    )
    monkeypatch.setattr(services, "COMMAND", (sys.executable, "-u", "-c", program))
    reception.site.post(f"{reception.address}/participants", data={"name": "Ann"})
    assert "bots" in reception.organise("run").text  # one bot of the house is not enough
    registration = reception.registration
    text = reception.service.store.contest(registration)
    text.write_text(TOML + '[[bots]]\nbot = "builtin:random"\n')
    assert "not played yet" in reception.site.get(reception.address).text
    assert reception.organise("pause").status_code == 422
    assert reception.organise("run").status_code == 303
    wait_until(started.exists)
    page = reception.site.get(reception.address).text
    assert "being played" in page and "on its way" in page and "data-busy" in page
    assert reception.organise("run").status_code == 422
    (ann,) = registration.participants
    for place in ("name", "remove"):
        answer = reception.organise(f"participants/{ann.identity}/{place}", name="Zoé")
        assert "pause it first" in answer.text
    assert reception.organise("pause").status_code == 303
    wait_until(lambda: "paused" in reception.site.get(reception.address).text)
    assert "There are no results yet." in reception.organise("publish").text
    monkeypatch.setattr(services, "COMMAND", (sys.executable, "-c", "raise SystemExit(2)"))
    reception.organise("run")
    wait_until(lambda: "stopped by an error" in reception.site.get(reception.address).text)


@pytest.mark.game("virus")
def test_a_contest_begins_only_when_no_bot_is_being_checked(reception, monkeypatch):
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", "import signal; signal.pause()"))
    monkeypatch.setattr(services, "COMMAND", (sys.executable, "-c", "raise SystemExit(2)"))
    for name in ("Ann", "Bob"):
        _ready(reception, reception.invite(name))
    reception.participant("Zoé").upload(GOOD)
    answer = reception.organise("run")
    assert answer.status_code == 422 and "still being checked: Zoé." in answer.text
    (*_, zoe) = reception.registration.participants
    reception.organise(f"participants/{zoe.identity}/remove")
    assert reception.organise("run").status_code == 303


@pytest.mark.game("virus")
def test_a_contest_is_stopped_for_good_and_its_bots_are_in(reception, monkeypatch):
    program = "import signal; print('on its way'); signal.pause()"
    monkeypatch.setattr(services, "COMMAND", (sys.executable, "-u", "-c", program))
    text = reception.service.store.contest(reception.registration)
    text.write_text(TOML + '[[bots]]\nbot = "builtin:random"\n')
    reception.organise("run")
    wait_until(lambda: "on its way" in reception.site.get(reception.address).text)
    assert "Tick the box" in reception.organise("stop").text and not reception.registration.closed
    assert reception.organise("stop", sure="true").status_code == 303
    assert "being played" not in reception.site.get(reception.address).text
    assert reception.registration.closed
    options = reception.site.app.state.contest_options
    assert options.of(reception.service.control.results(reception.registration)).stopped


@pytest.mark.game("virus")
def test_a_contest_that_is_played_when_the_server_ends_is_stopped(reception, monkeypatch):
    monkeypatch.setattr(
        services, "COMMAND", (sys.executable, "-c", "import signal; signal.pause()")
    )
    text = reception.service.store.contest(reception.registration)
    text.write_text(TOML + '[[bots]]\nbot = "builtin:random"\n')
    reception.organise("run")
    (process,) = reception.site.app.state.contest_processes._running.values()
    reception.site.close()
    assert process.returncode is not None


@pytest.mark.game("virus")
@pytest.mark.full
def test_results_are_everybodys_once_published_and_gone_with_a_name(reception, serve, tmp_path):
    ann, bob = reception.invite("Ann"), reception.invite("Bob")
    _ready(reception, ann)
    reception.organise("run")
    wait_until(lambda: "finished" in reception.site.get(reception.address).text)
    assert "Not published" in reception.site.get("/contests/small").text
    reception.organise("publish")
    assert "Not published" not in reception.site.get("/contests/small").text
    assert 'href="/contests/small"' in reception.site.get(reception.address).text
    catalogue = reception.site.app.state.catalogue
    catalogue.remove(reception.service.control.results(reception.registration))
    state = reception.site.app.state
    again = RegistrationService(
        tmp_path / "data", catalogue, state.contest_options, state.contest_processes
    )
    assert catalogue.find("small") is not None
    again.close()
    results = reception.service.control.results(reception.registration)
    for who, asked in ((bob, 0), (ann, 1)):
        page = reception.site.get(f"{reception.address}/participants/{who.identity}").text
        assert page.count('name="sure"') == page.count("Renaming or removing also") == asked
    assert reception.organise(f"participants/{bob.identity}/name", name="Bo").status_code == 303
    reception.organise(f"participants/{bob.identity}/remove")
    rename = f"participants/{ann.identity}/name"
    answer = reception.organise(rename, name="Pseudonym")
    assert answer.status_code == 422 and "Tick the box beside Rename" in answer.text
    assert reception.organise(rename, name="Ann").status_code == 303  # nothing changes
    assert results.exists() and 'href="/contests/small"' in reception.site.get("/contests").text
    reception.organise(rename, name="Pseudonym", sure="true")
    assert 'href="/contests/small"' not in reception.site.get("/contests").text
    assert [each.name for each in reception.registration.participants] == ["Pseudonym"]
    assert not results.exists()


def _ready(reception, participant):
    """Hands in a bot that may play."""
    store, registration = reception.service.store, reception.registration
    store.take(registration, participant, GOOD, "bot.py", ".py").state = DONE


@pytest.mark.game("virus")
def test_a_pseudonym_is_all_that_is_told_of_a_renamed_participant(reception):
    store, registration = reception.service.store, reception.registration
    ann = reception.invite("Ann")
    words = b'name = "Secret"\nauthors = ["Ann Onym"]\ndescription = "By Ann."\n'
    content = archive(("bot.py", GOOD), ("joute.toml", words))
    version = store.take(registration, ann, content, "bot.zip", ".zip")
    version.state = DONE
    (bot,) = resolve(composed(store, registration)).bots[1:]
    assert (bot.name, bot.authors) == ("Ann", ("Ann Onym",))
    reception.organise(f"participants/{ann.identity}/name", name='Zoé "Z"')
    (bot,) = resolve(composed(store, registration)).bots[1:]
    assert (bot.name, bot.authors, bot.description) == ('Zoé "Z"', (), 'Zoé "Z"')


@pytest.mark.game("virus")
@pytest.mark.parametrize("name", ["Zoé 😀", "שרה", "Ngọc\u0323", "a\\u0041"])
def test_a_participant_may_have_any_name_that_can_be_read(reception, name):
    store, registration = reception.service.store, reception.registration
    version = store.take(registration, reception.invite(name), GOOD, "bot.py", ".py")
    version.state = DONE
    bot = resolve(composed(store, registration)).bots[-1]
    assert bot.name == unicodedata.normalize("NFC", name)


@pytest.mark.game("virus")
@pytest.mark.parametrize("other", ["ZOÉ", "Zoe\u0301", "Ｚｏé", "zoé"])
def test_names_that_read_the_same_belong_to_one(reception, other):
    reception.invite("Zoé")
    assert (
        f"already called {unicodedata.normalize('NFC', other)}"
        in reception.organise("participants", name=other).text
    )


@pytest.mark.parametrize("trouble", [None, OSError(), RequestRefusal("no")])
def test_what_the_first_bot_needs_is_found_out_when_a_contest_is_opened(
    serve, tmp_path, monkeypatch, trouble
):
    asked = []

    def requirements(store, registration):
        asked.append(registration.identity)
        if trouble:
            raise trouble

    monkeypatch.setattr(services, "requirements", requirements)
    reception = served(serve, tmp_path)
    assert wait_until(lambda: asked) == [each.identity for each in reception.service.store]
