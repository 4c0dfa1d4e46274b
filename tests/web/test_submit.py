"""Bots are handed in: by whom, until when, what is refused, what the others see of it."""

import json
import os
import stat
import sys
from datetime import UTC, datetime

import pytest
from helpers import wait_until
from web.entered import GOOD, LATER, TOML, ZONE, archive, served
from web.shown import record

from joute.play.record import read_record
from joute.web.contests.child import trial
from joute.web.rate_limits import RATES, Rate, RateLimits
from joute.web.registration import jobs
from joute.web.registration.store import DONE, STOPPED
from joute.web.settings import Settings

pytestmark = pytest.mark.game("virus")

FINE = [{"check": "games", "ok": True, "said": "all legal", "detail": []}]
WRONG = [{"check": "games", "ok": False, "said": "2 faults", "detail": ["KeyError: 'secret'"]}]
OUTSIDE = archive(("bot.py", GOOD), ("../x.py", b""))
RANDOM = [{"check": "determinism", "ok": False, "said": "two answers", "detail": ["a, then b"]}]


@pytest.fixture
def report(monkeypatch):
    """Has `joute check` find this instead of running the bot."""

    def finds(findings):
        command = f"import sys; sys.argv; print({json.dumps(json.dumps(findings))})"
        monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", command))

    finds(FINE)
    return finds


@pytest.fixture
def reception(serve, tmp_path, report):
    made = served(serve, tmp_path)
    yield made
    made.close()


def test_without_a_link_there_is_nothing_to_see(reception):
    guest = reception.stranger()
    assert 'name="link"' in guest.get().text
    for path in ("/submit/game", "/submit/version/1"):
        assert guest.get(path).status_code == 403
    assert guest.upload(GOOD).status_code == 403
    for wrong in ("", "nonsense", "http://127.0.0.1/submit#W10.x.y"):
        answer = guest.post("/submit/enter", link=wrong)
        assert answer.status_code == 403 and "Ask the organiser for another" in answer.text


def test_a_link_lets_in_whoever_has_it_until_the_organiser_gives_another(reception):
    ann = reception.invite("Ann")
    link = reception.link(ann)
    guest = reception.guest(link)
    assert "you are <b>Ann</b>" in guest.get().text
    reception.organise(f"participants/{ann.identity}/link")
    assert 'id="link"' in guest.get().text
    assert guest.post("/submit/enter", link=link).status_code == 403
    again = reception.guest(reception.link(ann))
    assert "you are <b>Ann</b>" in again.get().text
    again.post("/submit/leave")
    assert 'id="link"' in again.get().text


def test_the_newest_clean_version_takes_part_and_all_are_kept(reception, report):
    ann = reception.participant("Ann")
    assert ann.upload(GOOD).status_code == 303
    assert "Version 1 takes part." in ann.settled()
    ann.upload(GOOD)
    assert "Version 2 takes part." in ann.settled()
    report(WRONG)
    ann.upload(GOOD + b"#", "my <bot>.py")
    page = ann.settled()
    assert "1 problem to fix" in page and "Version 2 continues to take part" in page
    assert "KeyError: &#39;secret&#39;" in page and "my &lt;bot&gt;.py" in page
    assert [ann.get(f"/submit/version/{n}").content for n in (1, 3)] == [GOOD, GOOD + b"#"]
    assert ann.get("/submit/version/4").status_code == 404
    report([*WRONG, *WRONG])
    for version in ("1", "2", "3"):
        ann.post("/submit/check", version=version)
        page = ann.settled()
    assert "2 problems to fix" in page and "No version takes part yet." in page


def test_a_bot_that_plays_at_random_may_take_part(reception, report):
    report(RANDOM)
    ann = reception.participant("Ann")
    ann.upload(GOOD)
    page = ann.settled()
    assert "Ready to play" in page and "a bot may play at random" in page


def test_a_slow_bot_reads_what_it_took_and_what_is_allowed(reception, report):
    numbers = {"took_ms": 12.0, "wall_ms": 2340.0, "allowed_ms": 1000.0}
    slow = {"check": "time", "ok": False, "said": "3 answers late", "detail": ["a place"]}
    report([{**slow, **numbers}, {**slow, **numbers, "check": "start", "ok": True}])
    ann = reception.participant("Ann")
    ann.upload(GOOD)
    page = ann.settled()
    assert "slowest: 2.34 s of 1 s" in page and ">234%</meter>" in page
    assert "slowest: 12 ms of 1 s" in page and ">1%</meter>" in page
    ann.client.headers["Accept-Language"] = "fr"
    assert "au plus lent\u202f: 2,34 s sur 1 s" in ann.get().text


def test_what_is_found_is_shown_while_the_check_goes_on(reception, monkeypatch):
    program = (
        f"import signal; print('[', {json.dumps(json.dumps(FINE[0]))}, ',', sep='\\n', flush=True);"
        f"print({json.dumps(json.dumps(WRONG[0])[:30])}, end='', flush=True); signal.pause()"
    )
    ann = reception.participant("Ann")
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", program))
    ann.upload(GOOD)
    page = wait_until(lambda: page if "All legal" in (page := ann.get().text) else "")
    assert "The check is under way" in page and "data-busy" in page and "2 faults" not in page


def test_nobody_sees_what_another_handed_in(reception, report):
    report(WRONG)
    ann, bob = reception.participant("Ann"), reception.participant("Bob")
    ann.upload(b"secret = 1\n", "anns-file.py")
    assert "KeyError" in ann.settled()
    page = bob.get().text
    assert not any(word in page for word in ("Ann", "anns-file", "KeyError"))
    assert bob.get("/submit/version/1").status_code == 404
    assert bob.post("/submit/check", version="1").status_code == 422


def test_after_the_deadline_nothing_is_taken(reception):
    ann = reception.participant("Ann")
    reception.service.store.now = lambda: datetime(2199, 12, 31, 22, 58, 59, tzinfo=UTC)
    assert ann.upload(GOOD).status_code == 303
    ann.settled()
    reception.service.store.now = lambda: datetime(2199, 12, 31, 22, 59, tzinfo=UTC)
    answer = ann.upload(GOOD)
    assert answer.status_code == 422 and "Submissions are closed." in answer.text
    assert ann.post("/submit/check", version="1").status_code == 422
    assert "2199-12-31 23:59 (Europe/Paris) · 2199-12-31 22:59 UTC" in answer.text
    reception.organise("deadline", deadline="2200-01-01T00:30", zone="Asia/Tokyo")
    assert ann.upload(GOOD).status_code == 422
    reception.organise("deadline", deadline="2200-01-01T08:30", zone="Asia/Tokyo")
    assert ann.upload(GOOD).status_code == 303


def opening_at(reception, time, **more):
    """The answer to the form that changes the contest, with an opening time."""
    given = {"toml": TOML, "deadline": LATER, "zone": ZONE, "opening": time}
    return reception.organise("edit", **(given | more))


def test_before_the_opening_nothing_is_taken_and_pages_count_down_to_it(reception):
    ann, store = reception.participant("Ann"), reception.service.store
    store.now = lambda: datetime(2199, 6, 1, 6, 59, 50, tzinfo=UTC)
    assert opening_at(reception, "2199-06-01T09:00").status_code == 303
    answer = ann.upload(GOOD)
    assert answer.status_code == 422
    assert "Submissions open at 2199-06-01 09:00 (Europe/Paris)." in answer.text
    assert 'data-opens data-until="2199-06-01T07:00:00+00:00"' in answer.text
    assert "0 min 10 s left" in answer.text and 'id="upload"' not in answer.text
    for place in ("/contests", f"/contests/tasks/{reception.registration.identity}"):
        assert "data-opens" in ann.get(place).text
    for place in ("/organise", reception.address):
        assert "Not open yet" in reception.site.get(place).text
    assert 'value="2199-06-01T09:00"' in reception.site.get(f"{reception.address}/edit").text
    store.now = lambda: datetime(2199, 6, 1, 7, 0, tzinfo=UTC)
    page = ann.get().text
    assert 'id="upload"' in page and "data-opens" not in page
    assert ann.upload(GOOD).status_code == 303


def test_the_opening_precedes_the_deadline(reception):
    late = opening_at(reception, "2200-01-01T00:00")
    assert late.status_code == 422 and "The opening must come before the deadline." in late.text
    assert opening_at(reception, "noon").status_code == 422
    assert opening_at(reception, "2199-06-01T09:00").status_code == 303
    moved = reception.organise("deadline", deadline="2199-05-01T09:00", zone=ZONE)
    assert moved.status_code == 422 and "before the deadline" in moved.text
    assert opening_at(reception, "").status_code == 303 and reception.registration.opening == ""


def test_a_contest_that_is_closed_waits_for_no_opening(reception):
    opening_at(reception, "2199-06-01T09:00")
    reception.organise("closed", closed="true")
    page = reception.participant("Ann").get().text
    assert "data-opens" not in page and "Closed" in page


def test_the_organiser_closes_it_and_opens_it_again(reception):
    ann = reception.participant("Ann")
    reception.organise("closed", closed="true")
    assert 'id="upload"' not in ann.get().text
    assert ann.upload(GOOD).status_code == 422
    reception.organise("closed", closed="false")
    assert ann.upload(GOOD).status_code == 303


def test_a_form_of_another_page_uploads_nothing(reception):
    ann = reception.participant("Ann")
    answer = ann.client.post("/submit/version", files={"file": ("bot.py", GOOD)})
    assert answer.status_code == 403
    assert not reception.registration.participants[0].versions


def test_uploads_come_at_a_bounded_pace_and_number(reception, monkeypatch):
    ann = reception.participant("Ann")
    monkeypatch.setattr("joute.web.registration.taking.MOST_VERSIONS", 1)
    ann.upload(GOOD)
    ann.settled()
    assert "You have sent 1 versions" in ann.upload(GOOD).text
    reception.site.app.state.limits = RateLimits(RATES | {"uploads": Rate(0, 60)})
    assert ann.upload(GOOD).status_code == 429


def test_below_the_level_of_the_contest_nothing_is_kept_or_run(reception, monkeypatch):
    ann = reception.participant("Ann")
    monkeypatch.setenv("JOUTE_ISOLATION", "limits")
    answer = ann.upload(GOOD)
    assert (
        answer.status_code == 422 and "level limits only; the contest wants kernel" in answer.text
    )
    assert not reception.registration.participants[0].versions


def test_while_one_thing_of_a_participant_is_under_way_no_other_begins(reception, monkeypatch):
    ann = reception.participant("Ann")
    command = (sys.executable, "-c", "import signal; signal.pause()")
    monkeypatch.setattr(jobs, "COMMAND", command)
    ann.upload(GOOD)
    assert "data-busy" in ann.get().text and "The check is under way" in ann.get().text
    answer = ann.upload(GOOD)
    assert answer.status_code == 422 and "is under way. Wait" in answer.text


def test_a_new_version_replaces_one_whose_check_has_not_begun(reception, report, monkeypatch):
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", "import signal; signal.pause()"))
    ann, bob = reception.participant("Ann"), reception.participant("Bob")
    ann.upload(GOOD)
    running = wait_until(lambda: reception.service.jobs._running)
    for content in (GOOD, GOOD + b"#"):
        assert bob.upload(content).status_code == 303
    assert "Wait until it is over" in ann.upload(GOOD).text
    report(FINE)
    running.terminate()
    page = bob.settled()
    assert "Version 2 takes part." in page
    first, second = reception.registration.participants[1].versions
    assert (first.state, first.trouble) == (
        STOPPED,
        "Version 2 was sent before its check began.",
    )
    assert second.clean


def test_a_new_version_leaves_one_that_is_checked_again_where_it_was(
    reception, report, monkeypatch
):
    ann, bob = reception.participant("Ann"), reception.participant("Bob")
    bob.upload(GOOD)
    bob.settled()
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", "import signal; signal.pause()"))
    ann.upload(GOOD)
    running = wait_until(lambda: reception.service.jobs._running)
    bob.post("/submit/check", version="1")
    assert bob.upload(GOOD + b"#").status_code == 303
    found = f"print({json.dumps(json.dumps(FINE))} if '/1/' in sys.argv[2] else '')"
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", f"import sys; {found}"))
    running.terminate()
    bob.settled()
    first, second = reception.registration.participants[1].versions
    assert (first.clean, second.state) == (True, STOPPED)
    assert reception.registration.participants[1].entry is first


def test_a_version_is_told_what_was_found_of_itself_alone(reception, monkeypatch):
    told = f"print('[', {json.dumps(json.dumps(FINE[0]))}, sep='\\n', flush=True)"
    held = f"import signal; {told}; signal.pause()"
    ann = reception.participant("Ann")
    ann.upload(GOOD)
    ann.settled()
    ann.upload(GOOD + b"#")
    ann.settled()
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", held))
    (participant,) = reception.registration.participants
    at = f"participants/{participant.identity}/check"
    reception.organise(at, version="1")
    so_far = reception.service.jobs.so_far
    first, second = participant.versions
    wait_until(lambda: so_far(reception.registration, participant, first))
    reception.organise(at, version="2")
    assert not so_far(reception.registration, participant, second)


def test_a_check_lasts_as_long_as_a_bot_may_take_for_its_turns(reception):
    service, registration = reception.service, reception.registration
    file, text = service.store.contest(registration), TOML.replace("size = 4", "size = 10")

    def limit(limits):
        file.write_text(text + limits)
        os.utime(file, ns=(0, len(limits)))
        return service.jobs._limit(registration, jobs.CHECK_SECONDS, games=2)

    answers = 210 + 24  # in games and in positions, by a bot that was counted
    assert limit("[limits]\nmove_seconds = 2\n") > 2 * answers
    assert limit("[limits]\nmove_seconds = 0.001\n") < 301
    assert limit("[limits]\nmove_seconds = 3600\n") == jobs.MOST_SECONDS


def test_a_check_that_takes_too_long_or_says_nothing_is_told_so(reception, monkeypatch):
    ann = reception.participant("Ann")
    monkeypatch.setattr(jobs, "CHECK_SECONDS", 0.2)
    monkeypatch.setattr(jobs, "MOST_SECONDS", 0.2)
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", "import signal; signal.pause()"))
    ann.upload(GOOD)
    assert "it took more than 0.2 s" in ann.settled()
    monkeypatch.setattr(jobs, "MOST_SECONDS", 3600)
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", "raise SystemExit(4)"))
    ann.post("/submit/check", version="1")
    assert "ended with the code 4" in ann.settled()


def test_a_game_against_the_house_is_played_or_told_why_not(reception, monkeypatch):
    ann = reception.participant("Ann")
    ann.upload(GOOD)
    ann.settled()
    assert ann.get("/submit/game").status_code == 404
    assert "is not a built-in bot" in ann.post("/submit/game", version="1", house="mine").text
    assert ann.post("/submit/game", version="2", house="greedy?stray=0.6").status_code == 422
    monkeypatch.setattr(jobs, "TRIAL", (sys.executable, "-c", "raise ValueError('no seat')"))
    ann.post("/submit/game", version="1", house="greedy?stray=0.6")
    page = ann.settled()
    assert "was not played to its end. ValueError: no seat" in page
    assert ann.get("/submit/game").status_code == 404
    monkeypatch.setattr(jobs, "TRIAL", (sys.executable, "-c", "print('no record')"))
    ann.post("/submit/game", version="1", house="greedy?stray=0.6")
    assert "was not played to its end. line 1:" in ann.settled()
    program = f"import sys; sys.stdout.buffer.write({record()!r})"
    monkeypatch.setattr(jobs, "TRIAL", (sys.executable, "-c", program))
    ann.post("/submit/game", version="1", house="greedy?stray=0.6")
    assert "Watch it" in ann.settled()
    assert "ann &lt;script&gt;" in ann.client.get("/submit/game", follow_redirects=True).text
    reception.site.app.state.limits = RateLimits(RATES | {"trials": Rate(0, 60)})
    assert ann.post("/submit/game", version="1", house="greedy?stray=0.6").status_code == 429


def test_a_result_is_that_of_the_seat():
    end = read_record(record()).end["returns"]
    words = {1.0: "won", -1.0: "lost", 0.0: "level"}
    assert [jobs._result(record(), seat) for seat in (0, 3)] == [words[each] for each in end]


def test_a_test_game_has_the_bot_at_its_seat_under_the_rules_of_the_contest(tmp_path):
    (tmp_path / "contest.toml").write_text(TOML)
    spec = trial(tmp_path / "contest.toml", "/x/bot.py", "Ann", "greedy", 5, "1")
    assert [seat.bot for seat in spec.bots] == ["builtin:greedy", "/x/bot.py"]
    assert (spec.parameters["size"], spec.seed) == (4, "1")


def test_what_was_under_way_when_the_server_ended_is_begun_again(
    reception, serve, tmp_path, report, monkeypatch
):
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", "import signal; signal.pause()"))
    for name in ("Ann", "Bob"):  # a check that runs, and one that waits
        guest = reception.participant(name)
        guest.client.headers["Accept-Language"] = "fr"
        guest.upload(GOOD)
    wait_until(lambda: reception.service.jobs._running)
    reception.site.close()
    state = next(tmp_path.glob("data/entries/*/entries.json"))
    assert stat.S_IMODE(state.stat().st_mode) == 0o600
    assert state.read_text().count('"state":"waiting"') == 2
    report(FINE)
    again = serve(Settings(data=tmp_path / "data"))
    (registration,) = again.app.state.registration.store
    people = registration.participants
    wait_until(lambda: not any(each.busy for each in people), what="the checks")
    assert all(each.entry for each in people)
    assert [each.versions[0].language for each in people] == ["fr", "fr"]


def test_a_test_game_that_the_end_of_the_server_stopped_is_begun_again(
    reception, serve, tmp_path, monkeypatch
):
    ann = reception.participant("Ann")
    ann.upload(GOOD)
    ann.settled()
    monkeypatch.setattr(jobs, "TRIAL", (sys.executable, "-c", "import signal; signal.pause()"))
    ann.post("/submit/game", version="1", house="greedy?stray=0.6")
    reception.site.close()
    program = f"import sys; sys.stdout.buffer.write({record()!r})"
    monkeypatch.setattr(jobs, "TRIAL", (sys.executable, "-c", program))
    again = serve(Settings(data=tmp_path / "data"))
    (registration,) = again.app.state.registration.store
    (participant,) = registration.participants
    wait_until(lambda: not participant.busy, what="the game")
    assert participant.game.state == DONE


def test_nothing_is_begun_again_below_the_level_of_the_contest(
    reception, serve, tmp_path, monkeypatch
):
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", "import signal; signal.pause()"))
    reception.participant("Ann").upload(GOOD)
    reception.site.close()
    monkeypatch.setenv("JOUTE_ISOLATION", "limits")
    again = serve(Settings(data=tmp_path / "data"))
    (registration,) = again.app.state.registration.store
    (version,) = registration.participants[0].versions
    assert version.state == STOPPED and "the contest wants kernel" in version.trouble


def test_the_organiser_has_a_version_checked_again(reception, report):
    report(WRONG)
    ann = reception.participant("Ann")
    ann.upload(GOOD)
    ann.settled()
    (participant,) = reception.registration.participants
    at = f"participants/{participant.identity}"
    assert "Check again" in reception.site.get(f"{reception.address}/{at}").text
    report(FINE)
    answer = reception.organise(f"{at}/check", version="1")
    assert answer.headers["location"] == f"{reception.address}/{at}?version=1"
    ann.settled()
    assert participant.entry is not None
    assert reception.organise(f"{at}/check", version="2").status_code == 404


def test_an_honest_archive_is_taken_as_it_is(reception):
    ann = reception.participant("Ann")
    content = archive(("mine/bot.py", GOOD), ("mine/data.txt", b"1"))
    assert ann.upload(content, "bot.ZIP").status_code == 303
    ann.settled()
    assert ann.get("/submit/version/1").content == content
    answer = ann.upload(OUTSIDE, "bot.zip")
    assert answer.status_code == 422 and "Nothing was unpacked." in answer.text
    assert len(reception.registration.participants[0].versions) == 1


@pytest.mark.full
def test_names_in_any_script_are_kept_checked_and_played(serve, tmp_path):
    reception = served(serve, tmp_path)
    ann = reception.participant("Zoë Łukasiewicz")
    helper = b"def premi\xc3\xa8re(observation):\n    return observation['legal'][0]\n"
    bot = "from stratégie import première\ndef play(observation, clock):\n"
    bot += "    return première(observation)\n"
    content = archive(("équipe/bot.py", bot.encode()), ("équipe/stratégie.py", helper))
    assert ann.upload(content, "forêt d’été à 日本.zip").status_code == 303
    page = ann.settled()
    assert "forêt d’été à 日本.zip" in page and "Ready to play" in page
    reception.close()


def test_the_reader_is_answered_in_french(reception):
    ann = reception.participant("Ann")
    ann.client.headers["Accept-Language"] = "fr"
    assert "a été extrait." in ann.upload(OUTSIDE, "bot.zip").text


@pytest.mark.full
@pytest.mark.parametrize("words", ["name = 3", "a" + ".a" * 30_000 + "=1", "#" * 5000])
def test_a_wrong_presentation_is_found_by_the_check_and_not_by_the_server(serve, tmp_path, words):
    reception = served(serve, tmp_path)
    ann = reception.participant("Ann")
    content = archive(("bot.py", GOOD), ("joute.toml", words.encode()))
    assert ann.upload(content, "bot.zip").status_code == 303
    assert "its joute.toml is wrong" in ann.settled()
    assert reception.registration.participants[0].entry is None
    reception.close()
