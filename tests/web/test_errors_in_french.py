"""Refusals of the web application in French: no sentence of them is English."""

import json

import pytest
from helpers import english_words
from web.conftest import Site
from web.shown import played
from web.tabled import spec

from joute.web.settings import Settings

pytestmark = pytest.mark.game("virus")

HERE = "/api/contests/the-b-class-b-co"
GAME = f"{HERE}/games/{'0' * 32}"
FRENCH = {"Accept-Language": "fr", "Accept": "application/json"}
ADDRESSES = f"""
/nowhere
/api/nowhere
/api/contests/UPPER
/api/contests/nobody
/api/contests/nobody/standings
{HERE}/games?count=0
{HERE}/games?count=201
{HERE}/games?count=x
{HERE}/games?before=-1
{HERE}/games?bot=a&bot=b&bot=c
{GAME}
{GAME}/record
{HERE}/games/short
/contests/nobody
/contests/the-b-class-b-co/nothing
/contests/the-b-class-b-co/games/{"0" * 32}
/play/rien
/tables/nothing
/tables/nothing/record
/replay/nothing
/watch/nothing
/live/nothing
/submit/nothing
/language/xx
/words/xx.js
/static/0/nothing.js
""".split()
FORMS = [
    ("/play/virus", {"place0": "nobody"}),
    ("/play/virus", {"size": "99"}),
    ("/play/tron", {"map": "nowhere"}),
    ("/play/virus", {"place0": "human", "place1": "builtin:nobody"}),
    ("/submit", {"link": "nothing"}),
    ("/submit", {"link": 5000 * "x"}),
]
MESSAGES = [
    "no JSON",
    "[]",
    "{}",
    '{"type": "nothing"}',
    '{"type": "answer"}',
    '{"type": "answer", "number": "x", "action": 1}',
    '{"type": "answer", "number": 999, "action": 1}',
    '{"type": "undo"}',
    '{"type": "rematch"}',
    '{"type": "preview", "actions": [1], "ticket": 1}',
]


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    site = Site(Settings(folders=(played(tmp_path_factory.mktemp("class")),)))
    yield site
    site.close()


def _refused(answer):
    assert answer.status_code >= 400, answer.text[:200]
    programs = answer.headers["content-type"].startswith("application/json")
    told = answer.json()["error"] if programs else answer.text
    assert told
    assert not english_words(told), told


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_wrong_address_is_answered_in_french(shown, address):
    _refused(shown.get(address, headers=FRENCH))


def test_a_wrong_method_is_answered_in_french(shown):
    _refused(shown.client.delete("/api/games", headers=FRENCH))


def test_a_form_from_elsewhere_is_refused_in_french(shown):
    _refused(shown.client.post("/play/virus", headers=FRENCH))
    _refused(shown.post("/play/virus", headers={**FRENCH, "Origin": "https://elsewhere.org"}))


@pytest.mark.parametrize(("address", "form"), FORMS)
def test_a_wrong_form_is_refused_in_french(shown, address, form):
    answer = shown.post(address, data=form, headers=FRENCH)
    assert answer.status_code >= 400
    if answer.headers["content-type"].startswith("application/json"):
        _refused(answer)
    else:
        _, _, after = answer.text.partition('role="alert"')
        told = after.partition(">")[2].partition("</")[0]
        assert told and not english_words(told), told


@pytest.mark.parametrize("content", [b"no record", b"", b'{"type": "start"}\n'])
def test_a_file_that_is_no_record_is_refused_in_french(shown, content):
    _refused(shown.post("/replay", files={"file": ("x.jsonl", content)}, headers=FRENCH))


def test_wrong_messages_of_a_table_are_refused_in_french(shown):
    table = shown.app.state.tables.open(spec(), (), "")
    table.sit(table.chairs[0].key, "somebody", "Ann")
    with shown.socket(f"/tables/{table.name}/socket", **FRENCH) as socket:
        for message in MESSAGES:
            socket.send(message)
        socket.send(json.dumps({"type": "look", "ticket": 77}))
        told = []
        for _ in MESSAGES:
            while "text" not in (heard := json.loads(socket.recv(60))):
                pass
            told.append(heard["text"])
    assert all(told)
    assert not english_words("\n".join(told)), told
