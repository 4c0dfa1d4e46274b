"""The web application's addresses: pages, forms, uploads, the API, as nobody's browser asks.

A case is JSON: a list of requests, each {method, path, query, headers, body}; texts are of one byte
a character, so that they can be any bytes.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from fuzzing import games
from fuzzing.mutation import ODD_NUMBERS, ODD_TEXTS, dumped
from fuzzing.site import known, multipart, site
from fuzzing.target import Pool
from joute.web.app import SITES

CPU_SECONDS = 30.0
MOST_REQUESTS = 3
_THINKING = ("curve.json", "explained.json")  # bots think of them, long after the answer
_PLAYING = ("/run", "/version", "/submit/check", "/submit/game")  # start processes
_METHODS = ("HEAD", "PUT", "OPTIONS", "POST", "X")
_PARAMETER = re.compile(r"\{(\w+)[^}]*\}")
_SHOWN = (
    "/", "/play", "/play/{game}", "/watch", "/contests", "/contests/{contest}", "/organise", "/api",
    "/contests/{contest}/games", "/contests/{contest}/bots/{number}", "/contests/{contest}/faults",
    "/contests/{contest}/games/{identity}", "/contests/{contest}/games/{identity}/game.json",
    "/contests/{contest}/games/{identity}/alone.html", "/api/games", "/api/contests/{contest}",
    "/api/contests/{contest}/standings", "/api/contests/{contest}/games", "/words/{name}.js",
    "/api/contests/{contest}/games/{identity}/positions", "/contests/{contest}/wall", "/submit",
)  # fmt: skip
_TABLE = (
    "opponent", "opponent0", "game", "size", "map", "players", "speed", "place", "name", "tokens",
    "ply", "seat", "record", "table",
)  # fmt: skip
"""Fields of the form that opens a table, which no parameter names."""
_FILES = "multipart/form-data; boundary=b"
_FORM = "application/x-www-form-urlencoded"
_FIELDS = {
    "opponent": ("1", "person", "here", "x", ""),
    "opponent0": ("1", "person"),
    "game": ("virus", "tron", "vampires", "love-letter", "paradise", "chess"),
    "size": ("6", "8", "7", "-1"),
    "map": ("duel", "square", "village", "../x", "x\ny"),
    "players": ("2", "3", "8", "9"),
    "speed": ("5", "8", "x"),
    "place": ("first", "last", "any", "2"),
    "name": ("Ann", "😀", "x" * 300, "\x1b"),
    "tokens": ("1", "0"),
    "deadline": ("2030-01-01T00:00", "9999-12-31T23:59", "0001-01-01T00:00", "x", "2030-01-01"),
    "zone": ("Europe/Paris", "UTC", "../x", "Pacific/Kiritimati", "Etc/GMT+12", "x"),
    "toml": ("[game]\nname = 'virus'\n", "[", "bots = 1", "[contest]\nfolder = '/'", "a.a.a=1"),
    "ply": ("0", "2", "99", "x"),
    "seat": ("0", "1", "2"),
    "record": (games.ROOM, "{}", "nonsense"),
    "link": ("x", "x#y", "é"),
    "sure": ("true", "x"),
    "closed": ("true", "false"),
    "password": ("x", "é"),
    "back": ("/", "//x", "http://x", "/\\x"),
    "since": ("1-2", "x"),
    "at": ("0", "1", "-1"),
    "bot": ("greedy", "random"),
}  # fmt: skip
_HEADERS = (
    ("accept-language", "fr"), ("accept-language", "x;q=y,,;q=,en;q=9"), ("host", "elsewhere"),
    ("host", ""), ("host", "localhost:x"), ("host", "[::1"), ("origin", "http://localhost"),
    ("origin", "null"), ("origin", "http://["), ("content-length", "x"),
    ("content-length", "99999999999"),
    ("content-length", "-1"), ("content-length", "²"),
    ("cookie", "joute_visitor=x; joute_language=xx"),
    ("cookie", ""), ("cookie", "=;;="), ("cookie", "joute_organiser=é"), ("x-joute-token", "x.y"),
    ("x-joute-token", "é"), ("x-joute-token", ""), ("content-type", "application/json"),
    ("content-type", "multipart/form-data"),
    ("content-type", "multipart/form-data; boundary=" + "x" * 300),
    ("content-type", "application/json; charset=x"), ("content-type", _FORM + "; charset=utf-16"),
    ("content-encoding", "gzip"), ("accept", "application/json"), ("range", "bytes=0-1"),
    ("range", "bytes=9-1,x"), ("range", "bytes=-99999999999999999999"), ("if-none-match", "*"),
    ("if-modified-since", "x"), ("x-forwarded-for", "x"), ("accept-encoding", "gzip;q=x"),
)  # fmt: skip


class Place(NamedTuple):
    """An address that is asked: where it is, and what it reads."""

    method: str
    path: str
    query: tuple[str, ...]
    fields: tuple[str, ...]


@cache
def places() -> tuple[Place, ...]:
    """All addresses of the application, but those that make bots think or play."""
    found = []
    for part in SITES:
        for route in part.router.routes:
            path = getattr(route, "path", "")
            dependant = getattr(route, "dependant", None)
            methods = getattr(route, "methods", None)
            if dependant is None or not methods or path.endswith((*_THINKING, *_PLAYING)):
                continue
            query = tuple(each.alias for each in dependant.query_params)
            fields = tuple(each.alias for each in dependant.body_params)
            if path == "/tables":
                fields = _TABLE
            found += [Place(method, path, query, fields) for method in sorted(methods)]
    return tuple(sorted(found))


def seeds() -> list[bytes]:
    """Requests that are answered: pages, the API, a form, a record that is sent."""
    values = {key: own[0] for key, own in known().items()}
    shown = [_filled(path, values) for path in _SHOWN]
    form = urlencode({"game": "virus", "size": "6", "opponent": "1"})
    record = multipart("b", {"record": ("x.jsonl", games.played(1).record)}).decode("latin-1")
    toml = "[contest]\nname = 'x'\n[game]\nname = 'virus'\n"
    call = urlencode({"toml": toml, "deadline": "2030-01-01T00:00", "zone": "UTC"})
    requests = [
        *(_request("GET", path) for path in shown),
        _request("POST", "/tables", form, ("content-type", _FORM)),
        _request("POST", "/organise/new", call, ("content-type", _FORM)),
        _request("POST", "/replays", record, ("content-type", _FILES)),
    ]
    return [dumped([each]) for each in requests]


def _request(
    method: str, path: str, body: str = "", *headers: tuple[str, str], query: str = ""
) -> dict[str, Any]:
    return {"method": method, "path": path, "query": query, "headers": list(headers), "body": body}


def _parameters(path: str) -> list[str]:
    return _PARAMETER.findall(path)


def _filled(path: str, values: dict[str, str]) -> str:
    return _PARAMETER.sub(lambda found: values.get(found[1], "x"), path)


def cases(pool: Pool) -> SearchStrategy[bytes]:
    """Requests to any address, with values that mean something and values that do not."""
    return st.lists(_requests() | _kept(pool), min_size=1, max_size=MOST_REQUESTS).map(dumped)


@st.composite
def _kept(draw: DrawFn, pool: Pool) -> Any:
    """A request of the pool, perhaps with a header or a few bytes of its body changed."""
    request = draw(st.sampled_from(json.loads(draw(st.sampled_from(pool)))))
    headers = request["headers"] + draw(st.lists(st.sampled_from(_HEADERS), max_size=2))
    body = request["body"]
    if body and draw(st.booleans()):
        at, length = draw(st.integers(0, len(body))), draw(st.integers(0, 9))
        put = draw(st.text(st.characters(max_codepoint=255), max_size=4))
        body = body[:at] + put + body[at + length :]
    return request | {"headers": headers, "body": body}


@st.composite
def _requests(draw: DrawFn) -> dict[str, Any]:
    place = draw(st.sampled_from(places()))
    values = {
        key: quote(draw(_value(key)), "", errors="replace") for key in _parameters(place.path)
    }
    path = _filled(place.path, values)
    query = _form(draw, (*place.query, "x")) if place.query or draw(st.integers(0, 9)) == 9 else ""
    headers = draw(st.lists(st.sampled_from(_HEADERS), max_size=2)) if draw(st.booleans()) else []
    method = place.method if draw(st.integers(0, 9)) else draw(st.sampled_from(_METHODS))
    if not place.fields or method != "POST":
        return _request(method, path, "", *headers, query=query)
    kind = draw(st.sampled_from((_FORM, _FORM, _FILES, "application/json")))
    if kind == _FORM:
        body = _form(draw, place.fields)
    elif kind == _FILES:
        files = {key: _file(draw, key) for key in place.fields}
        body = multipart("b", files).decode("latin-1")
    else:
        body = dumped({key: draw(_value(key)) for key in place.fields}).decode()
    return _request(method, path, body, ("content-type", kind), *headers, query=query)


def _file(draw: DrawFn, key: str) -> tuple[str, bytes]:
    name = draw(st.sampled_from(("x", "", "a.zip", '"', "é")))
    return name, draw(_value(key)).encode("utf-8", "replace")


def _form(draw: DrawFn, fields: tuple[str, ...]) -> str:
    """Some of these fields with values, in the form of addresses; also with wrong escapes."""
    pairs = [
        (key, draw(_value(key))) for key in draw(st.lists(st.sampled_from(fields), max_size=6))
    ]
    text = urlencode(pairs, errors="surrogatepass")
    return text + draw(st.sampled_from(("", "", "", "&%ff=%ed%a0%80", "&=", "&x", "&" * 50, "%")))


def _value(key: str) -> SearchStrategy[str]:
    """A value for a parameter or a field of that name."""
    own = (*known().get(key, ()), *_FIELDS.get(key, ()))
    if key == "opponent":  # any other number is a bot that thinks
        return st.sampled_from(own)
    odd = st.sampled_from((*ODD_TEXTS, *map(str, ODD_NUMBERS[:-1])))
    return st.one_of(*([st.sampled_from(own)] * 3 if own else []), odd)


def check(case: bytes) -> str:
    """Each request is answered once, not with a fault; what is refused says why."""
    try:
        requests = json.loads(case)
    except ValueError:
        return "no requests"
    there = site()
    known()
    there.turn()
    refusals = []
    for request in requests:
        answer = there.ask(
            request["method"],
            request["path"],
            request["query"],
            [(name, value) for name, value in request["headers"]],
            request["body"].encode("latin-1", "replace"),
        )
        assert answer.status < 500 or answer.status == 503, answer
        if answer.status >= 400:
            assert answer.body or request["method"] == "HEAD", answer
            refusals.append(f"{answer.status} {_shape(request['path'])}")
            if request["path"].startswith("/api/") and "json" in answer.headers.get(
                "content-type", ""
            ):
                assert json.loads(answer.body)["error"]
    alive = there.ask("GET", "/api/games")
    assert alive.status == 200
    return " ".join(refusals)


def _shape(path: str) -> str:
    """The first and the last part of an address: enough to tell pages apart."""
    parts = path.strip("/").split("/")
    return f"{parts[0][:12]} {parts[-1][:12] if len(parts) > 2 else ''}"
