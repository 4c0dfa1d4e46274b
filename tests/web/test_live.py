"""Games that are played elsewhere, watched as they happen."""

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
from helpers import PATIENCE, wait_until
from web.shown import played
from websockets.exceptions import ConnectionClosed

from joute.play.broadcast import LIVE, Broadcast, broadcasts
from joute.play.game import GameSpec, SeatSpec
from joute.play.record import read_record
from joute.play.referee import play_game
from joute.web.broadcasts import LAST_SECONDS, Broadcasts
from joute.web.contests.records_folder import RecordsFolder
from joute.web.settings import Settings

pytestmark = pytest.mark.game("virus")

SPEC = GameSpec(
    game="virus",
    parameters={"size": 4},
    bots=(SeatSpec(name="ann", bot="builtin:greedy"), SeatSpec(name="bob", bot="mine.py")),
    seed="1",
)
RECORD = play_game(
    GameSpec(
        game="virus",
        parameters={"size": 4},
        bots=(SPEC.bots[0], SeatSpec(name="bob", bot="builtin:random")),
        seed="1",
    )
)
LINES = read_record(RECORD.record).plies


@contextmanager
def playing(folder, lines=3):
    """A game that is being played into a folder, and has come so far."""
    with Broadcast(folder / LIVE, SPEC, after=0.0) as broadcast:
        for line in LINES[:lines]:
            broadcast.hear({**line, "message": "my plan", "output": "printed"})
        yield broadcast


def told(socket, kind):
    """The next message of a kind."""
    while True:
        message = json.loads(socket.recv(60))
        if message["type"] == kind:
            return message


@pytest.fixture
def folder(tmp_path):
    found = tmp_path / "class.records"
    (found / LIVE).mkdir(parents=True)
    return found


def test_a_game_is_sent_as_it_happens_to_its_end(serve, folder):
    site = serve(Settings(folders=(folder,)))
    with site.socket("/records/class-records/live/socket") as socket:
        assert told(socket, "playing")["games"] == 0
        with playing(folder) as broadcast:
            game = told(socket, "game")
            assert game["facts"]["names"] == ["ann", "bob"]
            assert game["facts"]["kinds"] == ["builtin", "bot"]
            first = told(socket, "position")
            assert (first["game"], first["ply"]) == (game["game"], 3)
            broadcast.hear(LINES[3])
            assert told(socket, "position")["ply"] == 4
            for line in LINES[4:]:
                broadcast.hear(line)
            broadcast.end(RECORD)
        over = told(socket, "over")
        assert over["returns"] == RECORD.returns and over["text"].startswith("Won: ")
        assert over["replay"] == f"/records/class-records/games/{RECORD.identity}"
        assert told(socket, "playing")["games"] == 0


def test_whoever_comes_later_is_sent_the_last_position(serve, folder):
    site = serve(Settings(folders=(folder,)))
    with playing(folder, lines=5), site.socket("/records/class-records/live/socket") as socket:
        position = told(socket, "position")
        assert position["number"] == 5
        with site.socket("/records/class-records/live/socket") as other:
            assert told(other, "position") == position


def test_whoever_watches_is_told_first_how_many_games_there_are(serve, folder):
    site = serve(Settings(folders=(folder,)))
    with playing(folder), site.socket("/records/class-records/live/socket") as socket:
        assert json.loads(socket.recv(60)) == {"type": "playing", "games": 1}
        assert json.loads(socket.recv(60))["type"] == "game"


@pytest.mark.parametrize(("language", "most"), [("en", "twelve at most"), ("fr", "douze au plus")])
def test_as_many_games_are_watched_at_once_as_documented(folder, clock, language, most):
    broadcasts = Broadcasts(folder, clock)
    with ExitStack() as going:
        for _ in range(13):
            going.enter_context(playing(folder, lines=0))
        assert len(asyncio.run(broadcasts.games())) == 12
    broadcasts.close()
    document = Path(__file__).parents[2] / "docs" / language / "web-api.md"
    assert most in document.read_text(encoding="utf-8")


def test_what_bots_say_is_not_sent(serve, folder):
    site = serve(Settings(folders=(folder,)))
    with playing(folder), site.socket("/records/class-records/live/socket") as socket:
        text = json.dumps(told(socket, "position"))
        assert "my plan" not in text and "printed" not in text


def test_a_game_that_is_stopped_is_over_without_a_result(serve, folder):
    site = serve(Settings(folders=(folder,)))
    with site.socket("/records/class-records/live/socket") as socket:
        with playing(folder):
            told(socket, "position")
        over = told(socket, "over")
        assert (over["returns"], over["text"], over["replay"]) == ([], "", "")


def test_a_file_that_is_no_game_is_not_shown(serve, folder):
    site = serve(Settings(folders=(folder,)))
    wrong = GameSpec(game="chess", parameters={}, bots=(), seed="1")
    with (
        site.socket("/records/class-records/live/socket") as socket,
        Broadcast(folder / LIVE, wrong, after=0.0),
        playing(folder),
    ):
        assert told(socket, "game")["facts"]["game"] == "virus"


def test_a_game_is_seen_only_once_its_first_line_is_there(folder, monkeypatch):
    seen = []
    write = os.write

    def looking(file, text):
        seen.append(list(broadcasts(folder / LIVE)))
        return write(file, text)

    monkeypatch.setattr(os, "write", looking)
    with playing(folder, lines=1):
        (path,) = broadcasts(folder / LIVE)
        assert seen == [[], [path]]
    assert list((folder / LIVE).iterdir()) == []


def test_a_line_that_makes_no_sense_ends_the_watching(serve, folder):
    site = serve(Settings(folders=(folder,)))
    with playing(folder) as broadcast, site.socket("/records/class-records/live/socket") as socket:
        told(socket, "position")
        broadcast.hear({"action": "nonsense", "ply": 3})
        assert told(socket, "over")["text"] == ""


def test_games_that_are_over_are_forgotten(folder, clock):
    broadcasts = Broadcasts(folder, clock)

    def games():
        clock.now += 1.0
        return [game.name for game in asyncio.run(broadcasts.games())]

    with playing(folder):
        (name,) = games()
        assert broadcasts.count() == 1
    assert games() == [name] and broadcasts.count() == 0
    clock.now += LAST_SECONDS
    assert games() == []
    broadcasts.close()


def test_what_a_browser_sends_is_not_heard(serve, folder):
    site = serve(Settings(folders=(folder,)))
    with playing(folder), site.socket("/records/class-records/live/socket") as socket:
        for nonsense in ("", "{", b"\xff", "[" * 1000):
            socket.send(nonsense)
        assert told(socket, "position")["ply"] == 3


@pytest.mark.parametrize("path", ["/records/other", "/contests/other"])
def test_there_is_nothing_to_watch_elsewhere(serve, path):
    site = serve()
    assert site.get(path).status_code == 404
    with site.socket(f"{path}/live/socket") as socket, pytest.raises(ConnectionClosed) as closed:
        socket.recv(60)
    assert closed.value.rcvd.code == 4404


def test_a_folder_of_records_lists_its_games_with_replays(serve, folder):
    site = serve(Settings(folders=(folder,)))
    assert "the first ones will show here" in site.get("/records/class-records").text
    (folder / f"{RECORD.identity}.jsonl").write_bytes(RECORD.record)
    (folder / "broken.jsonl").write_bytes(RECORD.record[:-5])
    page = site.get("/records/class-records").text
    address = f"/records/class-records/games/{RECORD.identity}"
    assert page.count('scope="row"') == 1 and f'href="{address}"' in page
    assert site.get(address).status_code == 200
    assert site.get(f"{address}/record.jsonl").content == RECORD.record
    assert site.get("/records/class-records/games/" + "0" * 32).status_code == 404
    assert site.get("/records/class-records/games/..%2Fx").status_code == 404
    with playing(folder):
        for path in ("/contests", "/watch"):
            page = site.get(path).text
            assert 'href="/records/class-records"' in page


def test_a_contest_that_is_played_is_watched_on_a_page_of_its_own(serve, tmp_path):
    results = played(tmp_path, games=10)
    site = serve(Settings(folders=(results,)))
    page = "/contests/the-b-class-b-co/live"
    assert f'data-socket="{page}/socket"' in site.get(page).text
    with playing(results), site.socket(f"{page}/socket") as socket:
        assert told(socket, "position")["ply"] == 3
        assert f'href="{page}"' in site.get("/watch").text


SLOW = """
import time

def play(observation, clock):
    time.sleep(0.5)
    return observation["legal"][0]
"""
CONTEST = """
[contest]
name = "Slow"
games = 100
workers = 1
[game]
name = "virus"
size = 4
[[bots]]
bot = "slow.py"
[[bots]]
bot = "builtin:greedy"
"""


@pytest.mark.full
def test_the_games_of_a_contest_are_watched_while_it_is_played(serve, tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "slow.toml").write_text(CONTEST)
    site = serve(Settings(folders=(tmp_path / "slow.toml",), data=tmp_path / "data"))
    assert site.post("/organise/named/slow/run").status_code == 303
    wait_until(lambda: "/contests/slow" in site.get("/contests").text)
    with site.socket("/contests/slow/live/socket") as socket:
        assert sorted(told(socket, "game")["facts"]["names"]) == ["greedy", "slow"]
        before = told(socket, "position")["ply"]
        assert told(socket, "position")["ply"] > before
        told(socket, "over")
    assert site.post("/organise/named/slow/stop", data={"sure": "true"}).status_code == 303
    assert site.get("/api/contests/slow/progress").json()["stage"] == "stopped"
    assert not list(broadcasts(tmp_path / "slow.results" / LIVE))


@pytest.mark.game("vampires")
@pytest.mark.full
def test_a_teacher_watches_the_tournaments_server_in_a_browser(serve, chromium, tmp_path):
    """The server, its players and the application are processes of their own."""
    from games.vampires.players import MAP

    (tmp_path / "small.xml").write_text(MAP)
    (tmp_path / "slow.py").write_text(SLOW)
    joute = (sys.executable, "-m", "joute", "vampires")
    words = ("serve", "--map", "small.xml", "--port", "0", "--plies", "400", "--plain")
    server = subprocess.Popen(
        (*joute, *words), cwd=tmp_path, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    said = []
    listening = threading.Thread(target=lambda: said.extend(server.stdout))
    listening.start()
    port = wait_until(lambda: re.search(r"listening on [\d.]+:(\d+)", "".join(said)))[1]
    site = serve(Settings(folders=(tmp_path / "vampires.records",)))
    page = chromium.page()
    page.open(f"{site.url}/contests")
    page.click("a[href='/records/vampires-records']")
    page.wait_for("!document.querySelector('#idle').hidden")
    client = (*joute, "client", "127.0.0.1", port, "--bot", "slow.py", "--name")
    players = [subprocess.Popen((*client, name), cwd=tmp_path) for name in ("Vlad", "Wolf")]
    page.wait_for("document.querySelector('.wall .game svg.board')")
    before = page.text(".wall .game > p")
    page.wait_for(f"document.querySelector('.wall .game > p').textContent !== {before!r}")
    players[0].terminate()  # and the game is over
    page.wait_for("document.querySelector('.wall .game h2 a').href.includes('/games/')")
    page.wait_for("document.querySelector('[data-live=games] a.players')")
    assert page.problems() == [] and page.overflow() == []
    page.click("[data-live=games] a.players")
    page.wait_for("location.pathname.includes('/games/') && document.querySelector('svg.board')")
    page.close()
    assert [each.wait(PATIENCE) for each in (players[1], server)] == [0, 0]
    assert players[0].wait(PATIENCE)  # no 0: it was ended
    listening.join()
    server.stdout.close()


def test_a_record_that_is_removed_while_a_folder_is_listed_is_left_out(tmp_path):
    (tmp_path / "gone.jsonl").symlink_to("nowhere")
    records = RecordsFolder("class-records", tmp_path)
    assert records.newest(10) == [] and records.record("gone") is None


@pytest.mark.parametrize("path", ["contests", "records"])
def test_a_socket_of_a_name_however_long_is_closed_with_a_reason(serve, path):
    site = serve(Settings())
    name = quote("\N{GRINNING FACE}" * 60)
    with (
        site.socket(f"/{path}/{name}/live/socket") as socket,
        pytest.raises(ConnectionClosed) as told,
    ):
        socket.recv(PATIENCE)
    assert told.value.rcvd.code == 4404 and told.value.rcvd.reason
