"""Bots are handed in by a program: by the API, and by `joute submit` with a participant's token."""

import http.server
import io
import json
import os
import random
import socket
import sys
import threading
import zipfile

import pytest
from cli.conftest import Outcome
from helpers import wait_until
from web.entered import GOOD, archive, served

from joute.cli import submit
from joute.cli.main import main
from joute.i18n import words
from joute.web.registration import jobs

pytestmark = pytest.mark.game("virus")

FINE = [{"check": "games", "ok": True, "said": "all legal", "detail": ["a line"]}]
WRONG = [{"check": "games", "ok": False, "said": "2 faults", "detail": ["KeyError: 'secret'"]}]


@pytest.fixture
def run(capsys, monkeypatch):
    """Runs a command line here, in English."""
    monkeypatch.setenv("JOUTE_LANG", "en")

    def run_here(*arguments):
        capsys.readouterr()
        code = main([str(each) for each in arguments])
        words.speak("en")
        return Outcome(code, *capsys.readouterr())

    return run_here


@pytest.fixture
def report(monkeypatch):
    """Has `joute check` find this instead of running the bot."""

    def finds(findings):
        command = f"import sys; print({json.dumps(json.dumps(findings))})"
        monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", command))

    monkeypatch.setattr(submit, "LOOK_SECONDS", 0.01)
    finds(FINE)
    return finds


@pytest.fixture
def reception(serve, tmp_path, report):
    made = served(serve, tmp_path)
    yield made
    made.close()


@pytest.fixture
def bot(tmp_path):
    path = tmp_path / "mine.py"
    path.write_bytes(GOOD)
    return path


def _token(reception, name="Ann"):
    return reception.link(reception.invite(name)).rpartition("#")[2]


def test_a_bot_is_handed_in_with_a_token_and_what_the_check_finds_is_told(
    run, reception, report, bot, monkeypatch
):
    token = _token(reception)
    sent = run("submit", bot, reception.site.url, "--token", token)
    assert sent.code == 0, sent.err
    assert "version 1 is handed in (mine.py)" in sent.out
    assert "ok       games: all legal\n         a line" in sent.out
    assert "version 1 takes part" in sent.out
    (ann,) = reception.registration.participants
    version = ann.entry
    assert reception.service.store.bot(reception.registration, ann, version).read_bytes() == GOOD
    report(WRONG)
    monkeypatch.setenv("JOUTE_TOKEN", token)
    wrong = run("submit", bot, reception.site.url, "--json")
    assert wrong.code == 1
    answer = json.loads(wrong.out)
    assert (answer["number"], answer["state"], answer["clean"]) == (2, "done", False)
    assert answer["findings"][0]["mark"] == "bad" and "KeyError" in str(answer["findings"])
    told = run("submit", bot, f"{reception.site.url}/submit#{token}", "--lang", "fr")
    assert told.code == 1 and "la version 3 ne participe pas" in told.out
    quick = run("submit", bot, reception.site.url, "--no-wait")
    assert quick.code == 0 and "version 4 is handed in" in quick.out
    guest = reception.guest(f"#{token}")
    assert "mine.py" in guest.settled()
    assert ann.entry is version


def test_a_place_on_the_page_is_no_token(run, reception, bot, monkeypatch):
    address = f"{reception.site.url}/submit#game"  # as the browser's bar has it after a test game
    monkeypatch.delenv("JOUTE_TOKEN", raising=False)
    without = run("submit", bot, address)
    assert without.code == 2 and "expected your token" in without.err
    monkeypatch.setenv("JOUTE_TOKEN", _token(reception))
    assert run("submit", bot, address).code == 0


def test_what_is_found_is_told_of_a_check_that_ends_while_it_is_looked_at(
    run, reception, bot, tmp_path, monkeypatch
):
    gate, looks = tmp_path / "gate", []
    held = (
        f"import os, time\nwhile not os.path.exists({str(gate)!r}): time.sleep(0.01)\n"
        f"print({json.dumps(json.dumps(FINE))})"
    )
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", held))

    def so_far(registration, participant, _version):
        looks.append(participant)
        if len(looks) == 2:  # the first is that of whoever hands it in
            gate.touch()
            wait_until(lambda: participant.versions[0].state != "waiting", what="the check")
        return []

    monkeypatch.setattr(reception.service.jobs, "so_far", so_far)
    sent = run("submit", bot, reception.site.url, "--token", _token(reception))
    assert len(looks) == 2
    assert sent.out.index("games: all legal") < sent.out.index("version 1 takes part")


def test_a_folder_is_sent_as_a_zip_of_its_files(run, reception, tmp_path):
    folder = tmp_path / "team"
    (folder / "__pycache__").mkdir(parents=True)
    for name in ("bot.py", "joute.toml", ".secret", "__pycache__/bot.pyc"):
        (folder / name).write_bytes(GOOD)
    sent = run("submit", folder, reception.site.url, "--token", _token(reception))
    assert sent.code == 0, sent.err
    (ann,) = reception.registration.participants
    stored = reception.service.store.bot(reception.registration, ann, ann.entry).read_bytes()
    assert stored == submit.packed(folder)[1] and ann.entry.file == "team.zip"
    assert b".secret" not in stored and b"joute.toml" in stored and b".pyc" not in stored


def test_folders_that_are_not_handed_in_are_told(run, tmp_path, monkeypatch):
    for name in ("team/bot.py", "team/.git/bot.py", "team/closed/bot.py", "shared/bot.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(GOOD)
    (tmp_path / "team/lib").symlink_to(tmp_path / "shared")
    monkeypatch.setattr(os, "access", lambda path, _: path.name not in ("closed", ".git"))
    told = run("submit", tmp_path / "team", "http://127.0.0.1:9", "--token", "t")
    closed, linked, _ = told.err.splitlines()
    assert f"{tmp_path}/team/closed is left out: it must not be read" in closed
    assert f"{tmp_path}/team/lib is left out: it is a link to a folder" in linked


def test_what_a_compiler_keeps_in_a_folder_marked_as_a_cache_is_not_sent(tmp_path):
    for name in ("bot.rs", "target/CACHEDIR.TAG", "target/release/bot.o"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(GOOD)
    with zipfile.ZipFile(io.BytesIO(submit.packed(tmp_path)[1])) as sent:
        assert sent.namelist() == ["bot.rs"]


def test_the_server_refuses_a_program_with_the_words_of_its_page(
    run, reception, bot, tmp_path, monkeypatch
):
    token = _token(reception)
    unknown = run("submit", bot, reception.site.url, "--token", "nobodys")
    assert unknown.code == 1 and "this token is no participant" in unknown.err
    for name, content, reason in (
        ("out.zip", archive(("../bot.py", GOOD)), "../bot.py"),
        ("empty.py", b"", "empty.py"),
    ):
        (tmp_path / name).write_bytes(content)
        refused = run("submit", tmp_path / name, reception.site.url, "--token", token)
        page = reception.guest(f"#{token}").upload(content, name).text
        sentence = refused.err.strip().removeprefix("joute: ").removeprefix("submit: ")
        assert refused.code == 1 and reason in sentence
        assert sentence in page.replace("&#39;", "'")
    monkeypatch.setattr("joute.web.registration.taking.MOST_VERSIONS", 0)
    most = run("submit", bot, reception.site.url, "--token", token)
    assert most.code == 1 and "You have sent 0 versions" in most.err
    assert not reception.registration.participants[0].versions


def test_the_api_tells_whose_token_it_is_and_looks_at_no_cookie(reception):
    token = _token(reception)
    headers = {"Authorization": f"Bearer {token}"}
    stranger = reception.site.browser()
    told = stranger.get("/api/submissions", headers=headers).json()
    assert (told["participant"], told["open"], told["versions"]) == ("Ann", True, [])
    sent = stranger.post("/api/submissions", headers=headers, files={"file": ("b.py", GOOD)})
    assert sent.status_code == 202 and sent.json()["number"] == 1
    found = stranger.get("/api/submissions/1", headers=headers).json()
    assert found["file"] == "b.py"
    assert stranger.get("/api/submissions/2", headers=headers).status_code == 404
    entered = reception.guest(f"#{token}").client
    for asked in (
        entered.get("/api/submissions"),
        entered.post("/api/submissions", files={"file": ("b.py", GOOD)}),
        stranger.get("/api/submissions/1", headers={"Authorization": f"Basic {token}"}),
    ):
        assert asked.status_code == 403 and "token" in asked.json()["error"]
    stranger.close()


@pytest.mark.parametrize("sent", [{"data": {"file": "text"}}, {"content": GOOD}, {"data": {}}])
def test_a_request_without_a_file_is_told_in_which_field_it_belongs(reception, sent):
    stranger = reception.site.browser()
    for language, words_told in (("en", "its field is called file"), ("fr", "son champ s’appelle")):
        headers = {"Authorization": f"Bearer {_token(reception)}", "Accept-Language": language}
        refused = stranger.post("/api/submissions", headers=headers, **sent)
        assert refused.status_code == 422 and words_told in refused.json()["error"]
    stranger.close()


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        (("mine.py", "ftp://x", "--token", "t"), "expected the address of a server"),
        (("mine.py", "http://[", "--token", "t"), "expected the address of a server"),
        (("mine.py", "http://a..b", "--token", "t"), "expected the address of a server"),
        (("mine.py", "http://x"), "expected your token"),
        (("mine.py", "http://x", "--token", "\N{SNOWMAN}"), "characters that no token has"),
    ],
)
def test_a_wrong_address_or_no_token_is_refused_at_once(run, bot, monkeypatch, typed, reason):
    monkeypatch.delenv("JOUTE_TOKEN", raising=False)
    monkeypatch.chdir(bot.parent)
    outcome = run("submit", *typed)
    assert outcome.code == 2 and reason in outcome.err


def test_what_is_no_bot_to_hand_in_is_refused(run, tmp_path, serve, reception):
    (tmp_path / "bot.c").write_text("int main;")
    url = reception.site.url
    outcome = run("submit", tmp_path / "bot.c", url, "--token", "t")
    assert outcome.code == 2 and "is not a .py file, a .zip or a folder" in outcome.err
    outcome = run("submit", "", url, "--token", "t")
    assert outcome.code == 2 and 'no file or folder ""' in outcome.err
    outcome = run("submit", tmp_path / "none.py", url, "--token", "t")
    assert outcome.code == 2 and f"no file or folder {tmp_path / 'none.py'}" in outcome.err


def test_what_is_too_large_is_refused_before_anything_is_sent(run, tmp_path, monkeypatch):
    folder = tmp_path / "team"
    folder.mkdir()
    (folder / "bot.py").write_bytes(GOOD)
    (folder / "weights.bin").write_bytes(random.Random(1).randbytes(6 << 20))
    (tmp_path / "big.zip").write_bytes(bytes(17 << 20))
    nowhere = "http://127.0.0.1:9"
    for bot, name in ((folder, "team.zip"), (tmp_path / "big.zip", "big.zip")):
        outcome = run("submit", bot, nowhere, "--token", "t")
        assert outcome.code == 2 and f"{name} is larger than 5 MiB" in outcome.err
    for bound, reason in (("MOST_BYTES", "larger than 0 MiB"), ("MOST_FILES", "more than 1 files")):
        monkeypatch.setattr(f"joute.host.building.sources.{bound}", 1)
        outcome = run("submit", folder, nowhere, "--token", "t")
        assert outcome.code == 2 and f"{folder}: its sources are {reason}" in outcome.err


def test_a_file_is_handed_in_whose_suffix_is_in_capitals(run, reception, bot):
    capitals = bot.rename(bot.with_name("MINE.PY"))
    sent = run("submit", capitals, reception.site.url, "--token", _token(reception))
    assert sent.code == 0 and "version 1 takes part" in sent.out


def test_a_name_that_is_no_text_is_sent_without_what_is_odd_and_refused_in_a_folder(
    run, reception, tmp_path
):
    odd = os.fsdecode(b"bot\xe9.py")
    (tmp_path / odd).write_bytes(GOOD)
    token = _token(reception)
    sent = run("submit", tmp_path / odd, reception.site.url, "--token", token)
    assert sent.code == 0 and reception.registration.participants[0].entry.file == "bot?.py"
    folder = tmp_path / os.fsdecode(b"\xe9quipe")
    folder.mkdir()
    (folder / "bot.py").write_bytes(GOOD)
    assert run("submit", folder, reception.site.url, "--token", token).code == 0
    (folder / odd).write_bytes(GOOD)
    refused = run("submit", folder, reception.site.url, "--token", token)
    assert refused.code == 2 and "its name is not UTF-8 text" in refused.err


SENT = {"number": 1, "clean": False, "state": "waiting", "findings": [], "trouble": ""}
DONE = {**SENT, "clean": True, "state": "done"}
PROXY = (502, b"<html>Bad Gateway")


class _Scripted(http.server.BaseHTTPRequestHandler):
    """A server whose answers are known beforehand; in place of None the connection breaks."""

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        answer = self.server.answers.pop(0) if len(self.server.answers) > 1 else PROXY
        if answer is None:
            return
        status, content = answer
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_):
        pass


@pytest.fixture
def scripted():
    """A server that gives these answers, and then those of a proxy without it; its address."""
    with http.server.HTTPServer(("127.0.0.1", 0), _Scripted) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()

        def answers(*given):
            server.answers = [*given, PROXY]
            return f"http://127.0.0.1:{server.server_port}"

        yield answers
        server.shutdown()
        thread.join()


def test_a_check_is_asked_for_again_while_the_server_is_away(run, bot, scripted, report):
    page = (200, b"<html>Back in a minute")
    away = [PROXY, None, page, (404, b"no such place"), (500, {"error": "a fault"})]
    url = scripted((202, SENT), *away, (200, DONE))
    sent = run("submit", bot, url, "--token", "t")
    assert sent.code == 0 and "version 1 takes part" in sent.out
    assert sent.err.count("answered: 502 Bad Gateway; version 1 is handed in") == 1
    assert len(sent.err.splitlines()) == 1


def test_a_server_that_stays_away_is_not_said_to_have_refused_the_bot(
    run, bot, scripted, report, monkeypatch
):
    monkeypatch.setattr(submit, "PATIENCE_SECONDS", 0.0)
    lost = run("submit", bot, scripted((202, SENT)), "--token", "t", "--json")
    assert lost.code == 1 and not lost.out
    assert "version 1 is handed in: your page tells what its check finds" in lost.err


def test_a_refusal_in_the_servers_own_words_ends_the_wait(run, bot, scripted, report):
    url = scripted((202, SENT), (403, {"error": "another link is valid"}), (200, DONE))
    refused = run("submit", bot, url, "--token", "t")
    assert refused.code == 1 and "another link is valid" in refused.err


@pytest.mark.parametrize("answer", [PROXY, None, (504, b"")])
def test_a_bot_that_was_perhaps_taken_is_not_said_to_be_refused(run, bot, scripted, answer):
    outcome = run("submit", bot, scripted(answer), "--token", "t")
    assert outcome.code == 1 and "may have been taken all the same" in outcome.err


@pytest.mark.parametrize("answer", [(413, b"too large"), (507, {"error": "no room"}), (200, b"")])
def test_a_bot_that_was_not_taken_is_not_said_to_have_been(run, bot, scripted, answer):
    outcome = run("submit", bot, scripted(answer), "--token", "t")
    assert outcome.code == 1 and "may have been taken" not in outcome.err


class _Odd(http.server.BaseHTTPRequestHandler):
    """A server that is none of ours."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        status, body = self.server.answer
        self.send_response(status)
        self.send_header("Location", "http://127.0.0.1:9/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ((200, b"hello"), "did not answer as a server of Joute does"),
        ((200, b"[]"), "did not answer as a server of Joute does"),
        ((500, b"<html>"), "answered: 500 Internal Server Error"),
        ((302, b""), "answered: 302 Found; it sends on to http://127.0.0.1:9/; if you"),
    ],
)
def test_another_server_gets_nothing_more_than_the_request(run, bot, answer, reason):
    with http.server.HTTPServer(("127.0.0.1", 0), _Odd) as server:
        server.answer = answer
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}"
        outcome = run("submit", bot, address, "--token", "t")
        thread.join()
    assert outcome.code == 1 and reason in outcome.err
    gone = run("submit", bot, address, "--token", "t")
    assert gone.code == 1 and "cannot be reached" in gone.err


def test_a_server_that_takes_too_long_is_told(run, bot, monkeypatch):
    monkeypatch.setattr("joute.cli.submission_server._ANSWER_SECONDS", 0.01)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it never accepts
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        outcome = run("submit", bot, address, "--token", "t")
    assert outcome.code == 1 and f"{address} cannot be reached: timed out" in outcome.err
