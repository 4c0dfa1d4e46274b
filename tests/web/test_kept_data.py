"""Kept data: damaged files, a full disk, a folder that was moved, runs left behind."""

import errno
import html
import os
import shutil
import signal
import subprocess
import sys

import pytest
from helpers import wait_until
from web.entered import GOOD, LATER, TOML, ZONE, Reception, served
from web.shown import played

from joute.contest.folder import LOCK
from joute.web.contests import other_runs
from joute.web.contests.catalogue import Catalogue
from joute.web.contests.control import ContestProcesses, OptionsStore
from joute.web.errors import RequestRefusal
from joute.web.registration import jobs
from joute.web.registration import store as stores
from joute.web.registration.bundle import everything
from joute.web.registration.contest_files import ContestTerms, changed, opened
from joute.web.registration.service import RegistrationService
from joute.web.registration.store import STATE, Person, RegistrationStore
from joute.web.settings import GoneFolderError, Settings, write_private


@pytest.fixture
def reception(serve, tmp_path):
    made = served(serve, tmp_path)
    yield made
    made.close()


@pytest.fixture
def contest(tmp_path):
    """A store and the one contest in it."""
    (tmp_path / "entries").mkdir()
    store = RegistrationStore(tmp_path / "entries")
    return store, opened(store, TOML, ContestTerms(LATER, ZONE))


ID = "the-b-class-b-co"  # of what `played` makes


def full(path, content):
    """Writes as on a disk without room for the state of a contest."""
    if path.name == STATE:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
    write_private(path, content)


@pytest.mark.game("virus")
@pytest.mark.parametrize("content", [b"", b'{"identity":', b'{"identity": 1}', b'"\xff"'])
def test_a_damaged_contest_is_left_out_and_told_and_the_others_are_served(
    serve, reception, tmp_path, capfd, content
):
    site, other = reception.site, Reception(reception.site)
    damaged = tmp_path / "data" / "entries" / reception.registration.identity / STATE
    damaged.write_bytes(content)
    site.close()
    again = serve(Settings(data=tmp_path / "data"))
    said = capfd.readouterr().err
    assert f"{damaged} is damaged: " in said and "Traceback" not in said
    assert again.get(other.address).status_code == 200
    assert again.get(reception.address).status_code == 404
    Reception(again).invite("Ann")
    shown = again.get("/organise").text
    assert f"{damaged} is damaged: " in html.unescape(shown)
    french = html.unescape(again.get("/organise", headers={"Accept-Language": "fr"}).text)
    assert f"{damaged} est abîmé\N{NARROW NO-BREAK SPACE}: " in french
    if content == b"":
        assert "truncated" in shown and "truncated" not in french
    assert damaged.read_bytes() == content


@pytest.mark.game("virus")
def test_a_contest_in_a_zone_that_the_system_does_not_know_is_told_in_utc(
    serve, reception, tmp_path
):
    site, due = reception.site, reception.registration.deadline
    state = tmp_path / "data" / "entries" / reception.registration.identity / STATE
    kept = state.read_text()
    assert ZONE in kept
    state.write_text(kept.replace(ZONE, "Europe/Atlantis"))
    site.close()
    again = serve(Settings(data=tmp_path / "data"))
    reception = Reception(again)
    shown = again.get(f"/organise/{state.parent.name}")
    assert shown.status_code == 200 and f"{due[:10]} {due[11:16]}" in shown.text
    assert 'value="UTC"' in shown.text and "Atlantis" not in shown.text


@pytest.mark.game("virus")
def test_an_upload_that_finds_no_room_is_told_and_leaves_nothing_behind(
    reception, tmp_path, monkeypatch
):
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", "print('[]')"))
    ann = reception.participant("Ann")
    with monkeypatch.context() as patch:
        patch.setattr(stores, "write_private", full)
        answer = ann.upload(GOOD)
    assert answer.status_code == 507 and "no room to store" in answer.text
    (participant,) = reception.registration.participants
    assert not participant.versions and not participant.busy
    assert not list(tmp_path.rglob("bot.py"))
    assert ann.upload(GOOD).status_code == 303
    ann.settled()
    assert [each.number for each in participant.versions] == [1]


@pytest.mark.game("virus")
def test_nobody_waits_for_a_check_whose_end_cannot_be_stored(reception, monkeypatch):
    def filling(path, content):
        monkeypatch.setattr(stores, "write_private", full)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(jobs, "write_private", filling)
    ann = reception.participant("Ann")
    assert ann.upload(GOOD).status_code == 303
    ann.settled()
    (participant,) = reception.registration.participants
    assert not participant.busy and participant.versions[0].trouble == "No space left on device"


@pytest.mark.game("virus")
def test_changes_that_cannot_be_stored_are_undone(contest, monkeypatch):
    store, registration = contest
    ann, bob = store.enrol(registration, [Person("Ann"), Person("Bob")])
    version = store.take(registration, ann, GOOD, "bot.py", ".py")
    before = (store.folder / registration.identity / STATE).read_bytes()
    monkeypatch.setattr(stores, "write_private", full)
    with pytest.raises(OSError, match="No space"), store.changing(registration):
        registration.closed, version.state, ann.name = True, stores.DONE, "Zoé"
    with pytest.raises(OSError, match="No space"):
        store.remove(registration, ann)
    with pytest.raises(OSError, match="No space"):
        opened(store, TOML, ContestTerms(LATER, ZONE))
    assert list(store) == [registration] and registration.participants == [ann, bob]
    assert (registration.closed, version.state, ann.name) == (False, stores.WAITING, "Ann")
    assert ann.versions == [version] and store.bot(registration, ann, version).read_bytes() == GOOD
    assert [path.name for path in store.folder.iterdir()] == [registration.identity]
    assert (store.folder / registration.identity / STATE).read_bytes() == before


@pytest.mark.game("virus")
def test_a_data_folder_that_was_moved_is_told_and_not_made_again(reception, tmp_path):
    ann = reception.participant("Ann")
    (tmp_path / "data").rename(tmp_path / "moved")
    answer = ann.upload(GOOD)
    assert answer.status_code == 503 and "no longer there: nothing was stored" in answer.text
    answer = reception.organise("closed")
    assert answer.status_code == 503 and "no longer there: nothing was stored" in answer.text
    with pytest.raises(GoneFolderError):
        OptionsStore(tmp_path / "data").change(tmp_path, stopped=True)
    assert not (tmp_path / "data").exists() and not list(tmp_path.rglob("bot.py"))
    (tmp_path / "moved").rename(tmp_path / "data")
    assert ann.upload(GOOD).status_code == 303


@pytest.fixture
def restarted(tmp_path):
    """Starts the registrations of a data folder as a server does, time after time."""
    made = []

    def start():
        for service, catalogue in made[-1:]:
            service.close()
            catalogue.close()
        catalogue = Catalogue([])
        service = RegistrationService(
            tmp_path, catalogue, OptionsStore(tmp_path), ContestProcesses()
        )
        made.append((service, catalogue))
        return service, catalogue

    yield start
    for service, catalogue in made[-1:]:
        service.close()
        catalogue.close()


@pytest.mark.game("virus")
def test_the_addresses_of_contests_with_equal_names_outlive_the_server(restarted, tmp_path):
    results = played(tmp_path / "made")
    service, catalogue = restarted()
    store = service.store
    first, copy = (opened(store, TOML, ContestTerms(LATER, ZONE)) for _ in range(2))
    places = {
        ID: service.ladders.results(first),
        f"{ID}-2": service.control.results(first),
        f"{ID}-3": service.control.results(copy),
    }
    for identifier, folder in places.items():
        folder.parent.mkdir(parents=True)
        shutil.copytree(results, folder)
        found = (service.ladders.served(first), *map(service.control.served, (first, copy)))
        assert folder in [each.folder for each in found if each]
        assert catalogue.find(identifier).folder == folder
    service, catalogue = restarted()
    for each in service.store:
        service.ladders.served(each)
    assert {each.identifier: each.folder for each in catalogue} == places
    service.control.forget(service.store.find(first.identity))
    assert [each.identifier for each in catalogue] == [f"{ID}-3"]
    shutil.copytree(results, places[f"{ID}-2"])
    service.control.served(service.store.find(first.identity))
    assert catalogue.find(ID) is None and catalogue.find(f"{ID}-2") is not None
    service.store.delete(service.store.find(first.identity))
    assert catalogue.add(results).identifier == ID


@pytest.mark.game("virus")
def test_a_contest_whose_change_cannot_be_stored_has_its_former_file(contest, monkeypatch):
    store, registration = contest
    files = {path.name: path.read_bytes() for path in store.contest(registration).parent.iterdir()}
    monkeypatch.setattr(stores, "write_private", full)
    with pytest.raises(OSError, match="No space"):
        changed(store, registration, f"{TOML}# other\n", ContestTerms(LATER, ZONE, 5))
    kept = {path.name: path.read_bytes() for path in store.contest(registration).parent.iterdir()}
    assert kept == files and registration.grace_minutes == 0


@pytest.mark.game("virus")
def test_an_archive_that_cannot_be_made_is_not_left_behind(contest, tmp_path, monkeypatch):
    store, registration = contest
    (ann,) = store.enrol(registration, [Person("Ann")])
    version = store.take(registration, ann, GOOD, "bot.py", ".py")
    store.bot(registration, ann, version).unlink()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(FileNotFoundError):
        everything(store, registration, None)
    assert not list(tmp_path.glob("joute-*.zip"))


@pytest.mark.game("virus")
def test_nobody_waits_for_a_check_in_a_folder_that_was_moved(contest, tmp_path):
    store, registration = contest
    (ann,) = store.enrol(registration, [Person("Ann")])
    version = store.take(registration, ann, GOOD, "bot.py", ".py")
    store.folder.rename(tmp_path / "moved")
    checks = jobs.Jobs(store)
    checks.check(registration, ann, version)
    wait_until(lambda: not ann.busy, what="a check")
    checks.close()
    assert version.trouble == "No such file or directory" and not store.folder.exists()


@pytest.mark.game("virus")
def test_a_check_that_begins_while_the_server_ends_is_ended_with_it(contest, monkeypatch):
    store, registration = contest
    (ann,) = store.enrol(registration, [Person("Ann")])
    version = store.take(registration, ann, GOOD, "bot.py", ".py")
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", "import time; time.sleep(600)"))
    checks, ended = jobs.Jobs(store), []

    class Late(subprocess.Popen):
        """A process of which `close` did not know when it looked."""

        def __init__(self, *words, **more):
            super().__init__(*words, **more)
            checks._closed.set()
            ended.append(self)

    monkeypatch.setattr(jobs.subprocess, "Popen", Late)
    checks.check(registration, ann, version)
    wait_until(lambda: ended and ended[0].returncode, what="the end of a check")
    checks.close()
    assert ended[0].returncode < 0 and version.state == "waiting"


PLAYING = """
import fcntl, os, signal, sys
if "slow" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
file = open(sys.argv[1], "w")
fcntl.flock(file, fcntl.LOCK_EX)
file.write(str(os.getpid()))
file.flush()
print("playing", flush=True)
signal.pause()
"""


@pytest.fixture
def left_behind(tmp_path):
    """Starts a run that no server knows: `left_behind("joute")`, in a session of its own."""
    runs = []

    def start(*words):
        command = (sys.executable, "-c", PLAYING, str(tmp_path / LOCK), *words)
        run = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)
        runs.append(run)
        assert run.stdout.readline()
        return run

    yield start
    for run in runs:
        run.kill()
        run.communicate()


def test_a_run_that_a_killed_server_left_behind_is_paused(tmp_path, left_behind):
    run, processes = left_behind("joute", "contest", "run"), ContestProcesses()
    with pytest.raises(RequestRefusal, match="being played"):
        processes.check_idle(tmp_path)
    processes.pause(tmp_path)
    assert run.wait() == -signal.SIGTERM
    wait_until(lambda: processes.stage(tmp_path) != "playing")
    processes.forget(tmp_path)


@pytest.mark.parametrize("words", [("joute.web.contests.child",), ("joute", "slow")])
def test_a_run_that_a_killed_server_left_behind_is_stopped(
    tmp_path, left_behind, monkeypatch, words
):
    monkeypatch.setattr(other_runs, "GRACE_SECONDS", 0.0 if "slow" in words else 60.0)
    run = left_behind(*words)
    ContestProcesses().stop(tmp_path)
    assert run.wait() == -(signal.SIGKILL if "slow" in words else signal.SIGTERM)


def test_a_process_that_does_not_run_joute_is_left_alone(tmp_path, left_behind):
    run, processes = left_behind("another"), ContestProcesses()
    for work in (processes.pause, processes.stop):
        with pytest.raises(RequestRefusal, match="No run that this server started"):
            work(tmp_path)
    assert run.poll() is None


def test_the_number_in_a_lock_that_nobody_holds_is_of_no_run(tmp_path, left_behind):
    run, processes = left_behind("joute"), ContestProcesses()
    (tmp_path / LOCK).rename(tmp_path / "held")
    (tmp_path / LOCK).write_text(str(run.pid))
    with pytest.raises(RequestRefusal, match="No run that this server started"):
        processes.pause(tmp_path)
    assert run.poll() is None
