"""The pages of replays as a program sees them: addresses, what is refused, what may be framed."""

import dataclasses
import json

import pytest
from helpers import wait_until
from web.conftest import Site
from web.recorded_games import builtin, scripted
from web.shown import played

from joute.store.store import Store
from joute.web.replays.sources import UploadedRecords
from joute.web.settings import Settings
from joute.web.sites import replay

pytestmark = pytest.mark.game("virus")

CONTEST = "/contests/the-b-class-b-co"


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A site with a contest of which one game has a record that is true."""
    folder = played(tmp_path_factory.mktemp("class"))
    site = Site(Settings(folders=(folder,)))
    yield site
    site.close()


def sent(site, content, name="game.jsonl"):
    """The answer to a record that is sent."""
    return site.post("/replays", files={"record": (name, content)})


@pytest.fixture
def address(shown):
    """The page of a record that was sent."""
    return kept(shown, builtin("virus"))


def kept(site, content):
    """The page of a record, as if it had been sent."""
    return f"/replays/{site.app.state.replay_files.keep(content, 'game.jsonl')}"


def test_a_record_that_is_sent_is_shown_under_its_last_hash(shown):
    address = sent(shown, builtin("virus")).headers["location"]
    chain = json.loads(builtin("virus").splitlines()[-1])["chain"]
    page = shown.get(address)
    assert address == f"/replays/{chain}"
    assert page.status_code == 200 and "greedy 0 against random 1" in page.text
    assert f'data-source="{address}/game.json"' in page.text
    assert len(page.content) < 150_000


def test_the_game_comes_in_the_language_of_the_reader(shown, address):
    english = shown.get(f"{address}/game.json").json()
    french = shown.get(f"{address}/game.json", headers={"Accept-Language": "fr"}).json()
    assert english["title"] == "greedy 0 against random 1"
    assert french["title"] == "greedy 0 contre random 1"
    assert english["commands"]["see"] == "joute replay game.jsonl --at {ply}"
    assert len(english["positions"]) == len(french["positions"])


def test_it_is_sent_small_to_whoever_can_unpack_it(shown, address):
    packed = shown.get(f"{address}/game.json", headers={"Accept-Encoding": "gzip"})
    plain = shown.get(f"{address}/game.json", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip" and packed.json() == plain.json()
    assert int(packed.headers["content-length"]) < len(plain.content) / 4


def test_the_record_is_given_back_byte_for_byte(shown, address):
    answer = shown.get(f"{address}/record.jsonl")
    assert answer.content == builtin("virus")
    assert answer.headers["content-disposition"] == 'attachment; filename="game.jsonl"'


@pytest.mark.game("tron")
def test_a_file_name_cannot_end_the_header_or_leave_its_folder(shown):
    address = sent(shown, builtin("tron"), '../..\\\r\nevil: 1".jsonl').headers["location"]
    header = shown.get(f"{address}/alone.html").headers["content-disposition"]
    name = header.removeprefix('attachment; filename="').removesuffix('"')
    assert name.endswith(".html") and not set(name) & set('/\\"\r\n: ')


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "game.jsonl, line 1: this is not a record of Joute."),
        (b"no record\n", "game.jsonl, line 1: this is not a record of Joute."),
        (builtin("virus")[:-40], "the record is cut off."),
        (builtin("virus").replace(b"random 1", b"random 2", 1), "this line was changed."),
        (bytes(range(256)), "this is not a record of Joute."),
    ],
)
def test_a_file_that_is_no_true_record_is_refused_with_a_sentence(shown, content, said):
    answer = sent(shown, content)
    assert answer.status_code == 422 and said in answer.text


def test_a_form_without_a_file_and_a_file_too_large_are_refused(shown, monkeypatch):
    monkeypatch.setattr(replay, "LARGEST", 2**20)
    assert "Choose a file first" in shown.post("/replays", data={"x": "y"}).text
    answer = sent(shown, b"x" * (2**20 + 1), "big.jsonl")
    assert answer.status_code == 413 and "big.jsonl has 1.0 MiB" in answer.text


@pytest.mark.game("tron")
def test_of_the_files_that_were_sent_the_oldest_are_forgotten_first():
    files = UploadedRecords(len(builtin("virus")) + len(builtin("tron")) + 100)
    first, second = (files.keep(builtin(game), game) for game in ("virus", "tron"))
    assert files.get(first).name == "virus" and files.get(second).name == "tron"
    third = files.keep(scripted({}, {}), "third")
    assert files.get(first) is None and files.get(third).name == "third"


@pytest.mark.parametrize(
    "path",
    [
        "/replays/0123",
        "/tables/none/replay",
        f"{CONTEST}/games/{'0' * 32}",
        f"{CONTEST}/games/..%2f..%2fsecret",
        f"/contests/none/games/{'0' * 32}",
        "/contests/none/wall",
        "/watch/chess",
    ],
)
def test_what_is_not_there_is_a_sentence(shown, path):
    answer = shown.get(path)
    assert answer.status_code == 404 and "<h1>" in answer.text


def added(site, identity, record):
    """The page of one more game of the contest, with this record."""
    folder = next(iter(site.app.state.catalogue)).folder
    with Store.in_file(folder / "contest.sqlite") as store:
        game = next(iter(store.games().values()))
        store.add([dataclasses.replace(game, identity=identity)], {identity: record})
    return f"{CONTEST}/games/{identity}"


def test_a_game_of_a_contest_whose_record_is_not_true_says_so(shown):
    answer = shown.get(added(shown, "b" * 32, b"changed\n"))
    assert answer.status_code == 422 and "line 1" in answer.text


@pytest.mark.game("tron")
def test_the_latest_games_are_listed_and_those_of_one_kind(shown):
    assert f'href="{CONTEST}/games/' in shown.get("/watch").text
    assert f'href="{CONTEST}/games/' in shown.get("/watch/virus").text
    assert "No game yet." in shown.get("/watch/tron").text


@pytest.mark.game("virus")
def test_the_page_says_which_records_can_be_opened(shown):
    for writer in ("joute match", "joute play", "a contest", "a game’s page"):
        assert writer in shown.get("/watch").text


def test_a_wall_has_as_many_games_as_are_asked_for_the_newest_first(shown):
    games = shown.get(f"{CONTEST}/wall/games.json?count=4").json()
    numbers = [game["number"] for game in games]
    assert len(games) == 4 and numbers == sorted(numbers, reverse=True)
    assert 'class="wall of4"' in shown.get(f"{CONTEST}/wall?boards=4").text
    assert shown.get(f"{CONTEST}/wall?boards=1000").status_code == 422


def test_only_what_is_made_to_be_embedded_may_be_shown_in_another_page(shown, address):
    embedded = shown.get(f"/embed{address}")
    assert "frame-ancestors *" in embedded.headers["content-security-policy"]
    assert "<form" not in embedded.text and f'data-source="{address}/game.json"' in embedded.text
    assert "frame-ancestors 'none'" in shown.get(address).headers["content-security-policy"]


def test_a_better_curve_comes_when_it_is_done(shown):
    address = kept(shown, scripted({2: {"resigned": True}}, {}))

    def done():
        found = shown.get(f"{address}/curve.json").json()
        return found["curve"] if found["done"] else None

    assert "as champion sees it" in wait_until(done)["by"]


@pytest.mark.game("love-letter")
def test_where_nobody_judges_there_is_no_other_curve(shown):
    address = kept(shown, builtin("love-letter"))
    assert shown.get(f"{address}/curve.json").status_code == 204
    assert "data-curve" not in shown.get(address).text


@pytest.mark.game("love-letter")
def test_the_champion_says_what_it_would_play_and_why(shown):
    address = kept(shown, builtin("love-letter"))
    steps = shown.get(f"{address}/game.json").json()["positions"]
    chosen = next(at for at, step in enumerate(steps) if step["mover"] == 0)
    found = wait_until(lambda: explained(shown, address, chosen))
    assert found["bot"] == "champion" and found["name"] == shown_names(shown, address)[0]
    assert all(-1 <= option["value"] <= 1 for option in found["options"])
    assert found["options"][0]["line"]
    assert "%" in found["beliefs"][0]["cards"]
    assert explained(shown, address, chosen) == found  # thought about once


def explained(site, address, at):
    """The explanation of a position; None while it is worked out."""
    answer = site.get(f"{address}/explained.json?at={at}")
    return answer.json() if answer.status_code == 200 else None


def shown_names(site, address):
    return site.get(f"{address}/game.json").json()["facts"]["names"]


def test_nothing_is_explained_where_nobody_chooses_and_while_another_bot_thinks(shown):
    address = kept(shown, builtin("virus"))
    last = len(shown.get(f"{address}/game.json").json()["positions"]) - 1
    assert shown.get(f"{address}/explained.json?at={last}").status_code == 204
    beyond = shown.get(f"{address}/explained.json?at={last + 1}")
    assert beyond.status_code == 404 and f"the last is {last}" in beyond.text
    with shown.app.state.explainer.thinking:
        assert shown.get(f"{address}/explained.json?at=1").status_code == 202


def test_a_game_that_no_built_in_bot_plays_well_is_explained_by_none(shown, monkeypatch):
    address = kept(shown, builtin("virus"))
    monkeypatch.setattr("joute.play.advice.ADVISERS", ())
    refused = shown.get(f"{address}/explained.json?at=1")
    assert (refused.status_code, "no built-in bot" in refused.text) == (404, True)


def test_a_game_goes_on_from_a_ply_with_the_reader_at_a_seat(shown, address):
    opened = shown.post(f"{address}/table", data={"ply": "7", "seat": "1"})
    table = shown.app.state.tables.find(opened.headers["location"].removeprefix("/tables/"))
    assert opened.status_code == 303
    assert [seat.bot for seat in table.spec.bots] == ["builtin:greedy", "human"]
    assert wait_until(lambda: table.playing.timeline.steps[-1].ply >= 7, what="the plies before")
    again = shown.post(f"{address}/table", data={"ply": "x", "seat": "1"})
    assert again.status_code == 422 and shown.get(address).status_code == 200


def test_a_form_from_elsewhere_opens_no_table(shown, address):
    answer = shown.client.post(f"{address}/table", data={"ply": "7", "token": "forged"})
    assert answer.status_code == 403


@pytest.mark.game("tron")
def test_the_game_of_a_table_is_replayed_once_it_is_over(shown, monkeypatch):
    records = {"over": builtin("tron")}
    monkeypatch.setattr(shown.app.state.tables, "record", records.get)
    assert "random 0 against random 1" in shown.get("/tables/over/replay").text
    assert shown.get("/tables/over/replay/game.json").json()["file"] == "joute-over.jsonl"
    monkeypatch.setattr(shown.app.state.tables, "names", lambda: ["going"])
    going, gone = shown.get("/tables/going/replay"), shown.get("/tables/gone/replay")
    assert (going.status_code, "is being played" in going.text) == (404, True)
    assert (gone.status_code, "There is no game gone here" in gone.text) == (404, True)


@pytest.mark.game("tron")
def test_games_whose_records_are_in_the_store_of_a_contest_are_replayed(shown):
    address = added(shown, "a" * 32, builtin("tron"))
    page = shown.get(address)
    assert page.status_code == 200 and f'href="{CONTEST}"' in page.text
    data = shown.get(f"{address}/game.json").json()
    assert data["file"].endswith(f"records/{'a' * 32}.jsonl")
    told = shown.get(f"/api{address}/positions")
    assert told.json()["positions"] == data["positions"]
    assert shown.get(f"/api{CONTEST}/games/{'0' * 32}/positions").status_code == 404
