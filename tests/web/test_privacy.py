"""Bots' messages are private until they are released: pages, files, API, replays and tables."""

import base64
import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError

import msgspec
import pytest
from argon2 import PasswordHasher
from cli.exported import crashes, uneven
from contest.reports import all_played
from fastapi import HTTPException
from helpers import wait_until
from web.entered import GOOD, TOML, Reception
from web.shown import played

from joute.contest.config.config import resolve
from joute.contest.folder import DATABASE
from joute.play.game import GameSpec, SeatSpec, usual_costs
from joute.play.record import Writer, read_record
from joute.play.referee import play_game
from joute.play.verify import verify_record
from joute.store.model import StoredGame
from joute.store.store import Store
from joute.web.contests.control import OptionsStore
from joute.web.registration.contest_files import composed
from joute.web.replays.sources import FoundRecord
from joute.web.settings import Settings

pytestmark = pytest.mark.game("virus")

PASSWORD = "correct horse"
HASH = PasswordHasher(time_cost=1, memory_cost=64).hash(PASSWORD)
ID = "the-b-class-b-co"
WORDS = ("my-message", "my-output", "my-note", "my-detail")
FAULT = "KeyError: &lt;grid&gt;"  # what the bot `bob` of the made-up contest fails with


BOT = """
def play(observation, clock):
    print("my-output")
    return "my-detail" if len(observation["legal"]) > 2 else observation["legal"][0]
"""


def talkative(folder, name):
    """The record of a game whose first bot speaks, prints, and fails with an error of its own."""
    (folder / "talks.py").write_text(BOT)
    bots = (
        SeatSpec(name=name, bot="talks.py", base=str(folder)),
        SeatSpec(name="bob", bot="builtin:random"),
    )
    costs = {**usual_costs("virus"), "illegal": "turn"}
    spec = GameSpec(game="virus", parameters={"size": 4}, bots=bots, seed="1", costs=costs)
    read = read_record(play_game(spec).record)
    writer = Writer()
    for line in (read.header, *read.plies, read.end):
        said = {"message": "my-message", "note": "my-note"} if line.get("player") == 0 else {}
        writer.write({**line, **said})
    return writer.content()


def logged_in(site):
    """The browser of the test is the organiser's from now on."""
    assert site.post("/login", data={"password": PASSWORD}).status_code == 303
    return site


@pytest.fixture(scope="module")
def talk(tmp_path_factory):
    return talkative(tmp_path_factory.mktemp("bots"), "ann <script>")


@pytest.fixture(scope="module")
def folder(tmp_path_factory, talk):
    made = pytest.MonkeyPatch()
    made.setattr("web.shown.record", lambda: talk)
    yield played(tmp_path_factory.mktemp("class"))
    made.undo()


@pytest.fixture(scope="module")
def site(folder, tmp_path_factory):
    """A contest on a server whose organiser has a password."""
    from web.conftest import Site

    data = tmp_path_factory.mktemp("data")
    made = Site(Settings(folders=(folder,), password=HASH, data=data))
    logged_in(made)
    yield made
    made.close()


@pytest.fixture
def stranger(site):
    """A browser of somebody who is not the organiser."""
    made = site.browser()
    yield made
    made.close()


def game_of(client):
    return client.get(f"/api/contests/{ID}/games").json()[0]["identity"]


WAYS = ("/contests/{id}/games/{game}/game.json", "/contests/{id}/games/{game}/alone.html",
        "/api/contests/{id}/games/{game}/positions")  # fmt: skip


def shown(client, way):
    """The text that comes that way, its packed game unpacked."""
    answer = client.get(way.format(id=ID, game=game_of(client)))
    assert answer.status_code == 200
    text = answer.text
    if 'id="game"' in text:
        packed = text.partition('id="game">')[2].partition("<")[0]
        text += gzip.decompress(base64.b64decode(packed)).decode()
    return text


@pytest.mark.parametrize("way", WAYS)
def test_a_replay_has_the_words_of_bots_for_the_organiser_only(site, stranger, way):
    assert all(word in shown(site.client, way) for word in WORDS)
    text = shown(stranger, way)
    assert not any(word in text for word in WORDS)
    assert '"fault":"illegal"' in text


@pytest.mark.parametrize(
    "way", ["/contests/{id}/games/{game}/record.jsonl", "/api/contests/{id}/games/{game}/record"]
)
def test_a_record_has_the_words_of_bots_for_the_organiser_only(site, stranger, talk, way):
    path = way.format(id=ID, game=game_of(stranger))
    assert site.get(path).content == talk
    answer = stranger.get(path)
    assert answer.status_code == 200
    assert not any(word in answer.text for word in WORDS)
    verdict = verify_record(answer.content, partial=True)
    assert verdict.ok and verdict.withheld
    page = stranger.get(path.replace("/api", "").rpartition("/")[0]).text
    assert "record.jsonl" in page and "once the organiser has released them" in page


def test_a_damaged_record_is_refused_where_something_is_to_be_left_out(talk):
    with pytest.raises(HTTPException) as refused:
        _ = FoundRecord(talk.replace(b"{", b"", 1), "cut.jsonl", whole=False).download
    assert refused.value.status_code == 422 and "cut.jsonl, line 1: " in refused.value.detail


def test_the_details_of_faults_are_the_organisers(site, stranger):
    for path in ("faults", "bots/2"):
        assert FAULT in site.get(f"/contests/{ID}/{path}").text
        page = stranger.get(f"/contests/{ID}/{path}").text
        assert FAULT not in page and "stopped with an error" in page
    api = f"/api/contests/{ID}/faults"
    assert "KeyError" in site.get(api).text and "KeyError" not in stranger.get(api).text


def test_a_table_that_goes_on_from_a_replay_has_no_words_of_bots(site, stranger):
    page = stranger.get(f"/contests/{ID}/games/{game_of(stranger)}").text
    token = page.partition('name="joute-token" content="')[2].partition('"')[0]
    answer = stranger.post(
        f"/contests/{ID}/games/{game_of(stranger)}/table",
        data={"token": token, "ply": "6", "seat": "0"},
    )
    assert answer.status_code == 303
    table = site.app.state.tables.find(answer.headers["location"].rpartition("/")[2])
    wait_until(lambda: table.playing.question or table.over)
    text = json.dumps(table.playing.timeline.lines)
    assert not any(word in text for word in WORDS)


def test_the_organiser_releases_them_and_takes_that_back(site, stranger, talk):
    way = WAYS[0]
    assert "Show them to everybody" in site.get(f"/organise/named/{ID}").text
    assert site.post(f"/organise/named/{ID}/messages", data={"messages": "true"}).status_code == 303
    assert all(word in shown(stranger, way) for word in WORDS)
    assert FAULT in stranger.get(f"/contests/{ID}/faults").text
    path = f"/api/contests/{ID}/games/{game_of(stranger)}/record"
    assert stranger.get(path).content == talk
    site.post(f"/organise/named/{ID}/messages", data={"messages": "false"})
    assert not any(word in shown(stranger, way) for word in WORDS)


def test_only_the_organiser_releases_anything(site, stranger):
    page = stranger.get("/").text
    token = page.partition('name="joute-token" content="')[2].partition('"')[0]
    for path in ("messages", "run", "pause", "stop"):
        answer = stranger.post(f"/organise/named/{ID}/{path}", data={"token": token})
        assert answer.status_code == 403
    assert stranger.get(f"/organise/named/{ID}").status_code == 403


def test_a_server_may_be_started_with_everything_released(folder, serve):
    site = serve(Settings(folders=(folder,), password=HASH, messages=True))
    assert all(word in shown(site.client, WAYS[0]) for word in WORDS)


def test_decisions_that_are_made_at_once_are_all_kept(tmp_path, monkeypatch):
    store, reading = OptionsStore(None), Barrier(2)
    read = OptionsStore.of

    def slow(self, folder):
        found = read(self, folder)
        with suppress(BrokenBarrierError):  # the other cannot read while this one is deciding
            reading.wait(0.2)
        return found

    monkeypatch.setattr(OptionsStore, "of", slow)
    with ThreadPoolExecutor(2) as pool:
        for changes in ({"messages": False}, {"stopped": True}):
            pool.submit(store.change, tmp_path, **changes)
    monkeypatch.undo()
    assert (store.of(tmp_path).messages, store.of(tmp_path).stopped) == (False, True)


def test_what_was_decided_outlives_the_server(tmp_path):
    first = OptionsStore(tmp_path)
    first.change(tmp_path / "a", messages=True)
    first.change(tmp_path / "b", messages=False, stopped=True)
    again = OptionsStore(tmp_path, messages=True)
    assert [again.messages(tmp_path / name) for name in "abc"] == [True, False, True]
    assert [again.of(tmp_path / name).stopped for name in "abc"] == [False, True, False]
    again.forget(tmp_path / "b")
    assert OptionsStore(tmp_path, messages=True).messages(tmp_path / "b")


@pytest.fixture
def reception(serve, tmp_path):
    site = serve(Settings(data=tmp_path / "data", password=HASH))
    made = Reception(logged_in(site), TOML + '[[bots]]\nbot = "builtin:random"\n')
    yield made
    made.close()


def results_of(reception, talk, *names):
    """Results of a contest between participants and a bot of the house, as if they were played."""
    store, registration = reception.service.store, reception.registration
    for name in names:
        version = store.take(registration, reception.invite(name), GOOD, "bot.py", ".py")
        version.state = "done"
    contest = resolve(composed(store, registration))
    _, made = all_played(contest, "1", uneven, crashes)
    results = reception.service.control.results(registration)
    results.mkdir(parents=True)
    with Store.in_file(results / DATABASE) as store:
        kept = msgspec.structs.replace(contest, folder=str(results))
        store.keep_configuration(msgspec.json.encode(kept).decode(), "1")
        games: list[StoredGame] = list(made.values())
        store.add(games, {game.identity: talk for game in games})
    return "/contests/small"


def test_results_that_are_not_published_are_the_organisers(reception, talk):
    page = results_of(reception, talk, "Ann")
    assert "Results" in reception.site.get(reception.address).text
    stranger = reception.stranger().client
    ways = (page, f"{page}/games", f"{page}/faults", f"{page}/live", f"/api{page}",
            f"/api{page}/standings", f"{page}/wall", f"{page}/stage")  # fmt: skip
    for way in ways:
        assert stranger.get(way).status_code == 404, way
        assert reception.site.get(way).status_code == 200, way
    game = reception.site.get(f"/api{page}/games").json()[0]["identity"]
    assert stranger.get(f"{page}/games/{game}").status_code == 404
    assert stranger.get(f"/api{page}/games/{game}/positions").status_code == 404
    for way in ("/", "/contests", "/watch", "/api/contests"):
        assert page not in stranger.get(way).text and page in reception.site.get(way).text
    reception.organise("publish")
    for way in ways:
        assert stranger.get(way).status_code == 200, way


def test_participants_read_their_own_words_and_no_others(reception, tmp_path):
    page = results_of(reception, talkative(tmp_path, "Ann"), "Ann", "Bob")
    reception.organise("publish")
    ann, bob = (
        reception.guest(reception.link(each)) for each in reception.registration.participants
    )
    game = reception.site.get(f"/api{page}/games").json()[0]["identity"]
    way = f"{page}/games/{game}/game.json"
    assert "my-message" not in reception.stranger().client.get(way).text
    assert "my-message" not in bob.client.get(way).text
    assert "my-message" in ann.client.get(way).text
    record = f"{page}/games/{game}/record.jsonl"
    assert "my-message" in ann.client.get(record).text
    assert "my-message" not in bob.client.get(record).text
    reception.organise("messages", messages="true")
    assert "my-message" in bob.client.get(way).text
    assert "my-message" in bob.client.get(record).text
