"""A contest exported with its games, as a folder and as one page."""

import base64
import gzip
import json
import re

import pytest

from joute.contest.config.config import resolve
from joute.contest.folder import DATABASE
from joute.store.store import Store
from joute.web.contests import export

pytestmark = pytest.mark.game("virus")

CONTEST = """
bots = ["builtin:greedy", "builtin:random"]
[contest]
name = "Small <cup>"
games = 4
seed = 1
workers = 1
[game]
name = "virus"
size = 4
"""


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """A contest that was played."""
    from joute.cli.main import main

    file = tmp_path_factory.mktemp("cup") / "cup.toml"
    file.write_text(CONTEST, encoding="utf-8")
    assert main(["contest", "run", str(file)]) == 0
    return file


def identities(file):
    with Store.in_file(file.parent / resolve(file).folder / DATABASE) as store:
        return {game.identity for game in store.games().values()}


def unpacked(text):
    return json.loads(gzip.decompress(base64.b64decode(text)))


def test_the_pages_come_with_every_game_in_both_languages(run, cup, tmp_path):
    outcome = run("export", cup, "--replays", "--out", tmp_path)
    assert outcome.code == 0
    assert 'href="replays.html"' in (tmp_path / "index.html").read_text("utf-8")
    for folder, title in (("", "against"), ("fr", "contre")):
        page = (tmp_path / folder / "replays.html").read_text("utf-8")
        for identity in identities(cup):
            script = (tmp_path / folder / "replays" / f"{identity}.js").read_text("utf-8")
            found = re.fullmatch(r'jouteGame\("(\w+)", "([\w+/=]+)"\);\n', script)
            assert found[1] == identity and title in unpacked(found[2])["title"]
            assert f'href="#{identity}"' in page


def test_without_being_asked_for_they_stay_out(run, cup, tmp_path):
    run("export", cup, "--out", tmp_path)
    assert not (tmp_path / "replays.html").exists()
    assert "replays.html" not in (tmp_path / "index.html").read_text("utf-8")


def test_a_whole_contest_is_one_page(run, cup):
    outcome = run("export", cup, "--format", "page")
    file = cup.with_suffix(".export.html")
    text = file.read_text("utf-8")
    assert f"written: {file}" in outcome.out
    packed = dict(re.findall(r'id="game-(\w+)">([^<]+)<', text))
    assert set(packed) == identities(cup)
    assert all(len(unpacked(each)["positions"]) > 3 for each in packed.values())
    anchors = set(re.findall(r' id="([^"]+)"', text))
    local = set(re.findall(r'href="#([^"]+)"', text))
    assert {each for each in local if len(each) != 32} <= anchors
    assert "Small &lt;cup&gt;" in text and "<cup>" not in text


def test_a_page_says_how_many_games_it_leaves_out(run, cup, tmp_path, monkeypatch):
    monkeypatch.setattr(export, "MOST_GAMES", 1)
    run("export", cup, "--format", "page", "--out", tmp_path / "cup.html")
    text = (tmp_path / "cup.html").read_text("utf-8")
    assert text.count('id="game-') == 1 and "3 games are left out" in text


def test_a_game_whose_record_is_not_true_is_left_out(run, cup, tmp_path, monkeypatch):
    lost = min(identities(cup))
    real = Store.record

    def record(store, identity):
        return b"changed\n" if identity == lost else real(store, identity)

    monkeypatch.setattr(Store, "record", record)
    run("export", cup, "--format", "page", "--out", tmp_path / "cup.html")
    text = (tmp_path / "cup.html").read_text("utf-8")
    assert text.count('id="game-') == 3 and f'id="game-{lost}"' not in text


def test_games_go_with_pages_of_a_contest_only(run, cup):
    outcome = run("export", cup, "--replays", "--format", "csv")
    assert outcome.code == 2 and "--format html" in outcome.err
