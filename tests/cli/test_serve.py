"""`joute serve`: what it listens to, what it asks first, how it ends."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from cli.apart import command, environment
from helpers import PATIENCE

from joute.cli import serve
from joute.web.games import games_listed

PASSWORD = "correct horse"


@pytest.fixture
def served(run, monkeypatch, tmp_path):
    """Runs the command up to where it would serve; the settings that it would serve with."""
    found = []

    def begun(settings, listening, url, told):
        found.append((settings, listening.getsockname(), url, told))

    monkeypatch.setattr(serve, "_run", begun)
    monkeypatch.delenv("JOUTE_PASSWORD", raising=False)

    def start(*arguments):
        outcome = run("serve", "--port", 0, "--data", tmp_path / "data", *arguments)
        return outcome, found[-1] if found else None

    return start


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_serves_until_it_is_stopped(tmp_path, number):
    words = command("serve", "--port", 0, "--data", tmp_path)
    with subprocess.Popen(
        words, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        address = process.stdout.readline().split()[3]
        with urlopen(f"{address}/api/games", timeout=PATIENCE) as answer:
            assert answer.status == 200
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (0, "Stopped.\n", "")


def test_alone_on_this_machine_it_asks_for_no_password(served):
    outcome, (settings, (host, port), url, told) = served()
    assert outcome.code == 0 and settings.password is None and not settings.https and not told
    assert (host, url) == ("127.0.0.1", f"http://127.0.0.1:{port}")
    assert settings.hosts == ("localhost", "127.0.0.1", "[::1]")


def test_its_secret_outlasts_a_run(served):
    assert served()[1][0].secret == served()[1][0].secret


def test_a_second_server_of_a_data_folder_is_refused_until_the_first_is_gone(served, tmp_path):
    words = command("serve", "--port", 0, "--data", tmp_path / "data")
    with subprocess.Popen(
        words, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as first:
        assert first.stdout.readline()
        outcome, begun = served()
        assert (outcome.code, begun) == (2, None)
        assert f"{tmp_path / 'data'}: another joute serve (process {first.pid})" in outcome.err
        first.kill()
    for _ in range(2):
        outcome, begun = served()
        assert outcome.code == 0 and begun is not None


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_secret_of_another_length_is_refused(served, tmp_path, size):
    assert served()[0].code == 0
    secret = tmp_path / "data" / "secret"
    secret.write_bytes(b"s" * size)
    outcome, _ = served()
    assert outcome.code == 2 and f"{secret} has {size} bytes instead of 32" in outcome.err
    assert "delete it" in outcome.err and secret.read_bytes() == b"s" * size


@pytest.mark.parametrize("content", [b"", b"correct horse\n", b"\xff\xfe"])
def test_a_password_that_is_no_hash_is_refused(served, tmp_path, content):
    assert served()[0].code == 0
    password = tmp_path / "data" / "organiser"
    password.write_bytes(content)
    outcome, _ = served("--lan")
    assert outcome.code == 2 and f"{password} holds no hash of a password" in outcome.err
    assert "delete it" in outcome.err and password.read_bytes() == content


@pytest.mark.parametrize("content", [b"", b"[]", b'{"x": {"stopped": 1}}', b'{"\xff": {}}'])
def test_damaged_choices_are_told_and_left_as_they_are(run, tmp_path, content):
    choices = tmp_path / "choices.json"
    choices.write_bytes(content)
    outcome = run("serve", "--port", 0, "--data", tmp_path)
    assert outcome.code == 2 and f"{choices} is damaged: " in outcome.err
    assert choices.read_bytes() == content


def test_for_others_it_wants_a_password_once(served, monkeypatch):
    outcome, begun = served("--lan")
    assert outcome.code == 2 and begun is None and "JOUTE_PASSWORD" in outcome.err
    monkeypatch.setenv("JOUTE_PASSWORD", "short")
    assert "at least 8 characters" in served("--lan")[0].err
    monkeypatch.setenv("JOUTE_PASSWORD", PASSWORD)
    first = served("--lan")[1][0].password
    assert "JOUTE_PASSWORD" not in os.environ  # no process that the server starts has it
    outcome, (settings, (host, _), _, told) = served("--lan")
    assert (host, told, settings.password) == ("0.0.0.0", True, first)
    assert PASSWORD not in settings.password


def test_another_password_than_the_one_that_was_set_is_said_to_be_ignored(
    served, monkeypatch, tmp_path
):
    monkeypatch.setenv("JOUTE_PASSWORD", PASSWORD)
    first = served("--lan")[1][0].password
    monkeypatch.setenv("JOUTE_PASSWORD", PASSWORD)
    assert served("--lan")[0].err == ""
    monkeypatch.setenv("JOUTE_PASSWORD", f"{PASSWORD} of today")
    outcome, (settings, *_) = served("--lan")
    assert (outcome.code, settings.password) == (0, first)
    assert "JOUTE_PASSWORD is not the password that was set before" in outcome.err
    assert f"delete {tmp_path / 'data' / 'organiser'} and start it again" in outcome.err


def test_a_password_is_typed_twice(served, monkeypatch):
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    typed = iter([PASSWORD, "another one", PASSWORD, PASSWORD])
    monkeypatch.setattr("getpass.getpass", lambda _prompt: next(typed))
    assert "the two passwords differ" in served("--lan")[0].err
    outcome, (settings, *_) = served("--lan")
    assert outcome.code == 0 and settings.password


def test_behind_a_public_name_cookies_travel_over_https_only(served, monkeypatch):
    monkeypatch.setenv("JOUTE_PASSWORD", PASSWORD)
    _, (settings, _, url, told) = served("--public", "https://joute.example.org")
    assert settings.https and settings.password and told
    assert "joute.example.org" in settings.hosts and url == "https://joute.example.org"


@pytest.mark.parametrize(
    "url",
    [
        "joute.example.org",
        "ftp://x",
        "https://x/joute",
        "https://",
        "https://[::1",
        "https://x:99999",
        "https://x:port",
        "https://x?lang=fr",
        "https://x/#top",
        "https://ann@x",
    ],
)
def test_a_public_address_that_is_none_is_refused(served, url):
    outcome, begun = served("--public", url)
    assert (outcome.code, begun) == (2, None) and f"--public {url}: expected" in outcome.err


def test_a_port_that_is_taken_is_told(run, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        outcome = run("serve", "--port", port, "--data", tmp_path)
    assert outcome.code == 2
    assert f"port {port} is in use" in outcome.err and "--port" in outcome.err


def test_an_address_that_is_none_is_told(run, tmp_path):
    outcome = run("serve", "--host", "no.such.host.invalid", "--data", tmp_path)
    assert outcome.code == 2 and "cannot listen at no.such.host.invalid" in outcome.err


def test_a_folder_that_holds_no_contest_is_told(run, tmp_path):
    outcome = run("serve", "--port", 0, "--data", tmp_path / "data", tmp_path)
    assert outcome.code == 2 and "holds no contest that was played" in outcome.err


def test_an_address_of_all_is_shown_as_the_one_that_others_reach():
    assert serve._own_address("10.1.2.3") == "10.1.2.3"
    assert serve._own_address("0.0.0.0") not in ("0.0.0.0", "")
    assert serve._shown("::1", 80, None) == "http://[::1]:80"


def test_games_of_files_are_served_beside_the_installed_ones(served):
    games = Path(__file__).parents[2] / "examples" / "games"
    paths = [str(games / f"{name}.py") for name in ("connect_four", "othello")]
    served("--game", paths[0], "--game", paths[1])
    assert {"connect-four", "othello"} <= set(games_listed())


def test_a_file_that_is_no_game_is_told(served, tmp_path):
    (tmp_path / "hex.py").write_text("size = 11\n")
    for path in (tmp_path / "hex.py", tmp_path / "nowhere.py"):
        outcome, begun = served("--game", path)
        assert outcome.code == 2 and path.name in outcome.err and begun is None
