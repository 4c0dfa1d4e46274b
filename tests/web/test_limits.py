"""Requests that cost the server something are bounded for each visitor, and worked out once."""

import asyncio
import itertools
import time

import pytest
from starlette.datastructures import Address
from web.recorded_games import builtin, scripted

from joute.web import compute_queue, rate_limits
from joute.web.rate_limits import RATES, Limiter, Rate, RateLimits, address_of
from joute.web.replays import sources
from joute.web.settings import Settings
from joute.web.tables import tables


class Connection:
    """The parts of a connection that limits look at."""

    def __init__(self, address="10.0.0.1", visitor="", app=None):
        self.client = Address(address, 1234)
        self.visitor = visitor
        self.app = app


@pytest.fixture
def visitors(monkeypatch):
    """Cookies are taken at their word."""
    monkeypatch.setattr(rate_limits, "known_visitor", lambda connection: connection.visitor)


def taken(limits, what, *visitors):
    """The number of times that each of these visitors may do something in a row."""
    counts = []
    for visitor in visitors:
        counts.append(0)
        while counts[-1] < 1000:
            try:
                limits.take(visitor, what)
            except rate_limits.HTTPException as refused:
                assert refused.status_code == 429 and int(refused.headers["Retry-After"]) >= 1
                break
            counts[-1] += 1
    return counts


def test_each_visitor_has_a_share_and_an_address_has_a_bound(visitors):
    limits = RateLimits({"x": Rate(5, 3600)}, share=3)
    people = [Connection(visitor=name) for name in "abcd"]
    assert taken(limits, "x", *people) == [5, 5, 5, 0]
    assert taken(limits, "x", Connection("10.0.0.2", "e")) == [5]


def test_who_throws_cookies_away_is_one_visitor(visitors):
    limits = RateLimits({"x": Rate(5, 3600)})
    assert taken(limits, "x", Connection(), Connection()) == [5, 0]


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8::1:2:3:4", "2001:db8::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("testclient", "testclient"),
    ],
)
def test_all_addresses_of_one_person_s_network_are_one(host, address):
    assert address_of(Connection(host)) == address


def test_what_is_used_up_comes_back_with_time(clock):
    limiter = Limiter(10, 100.0, clock)
    limiter.charge("a", 30)
    assert limiter.wait("a") == pytest.approx(210)
    clock.now = 200.0
    assert not limiter.allows("a")
    clock.now = 210.0
    assert limiter.allows("a") and not limiter.allows("a") and limiter.allows("b", 10)


@pytest.mark.game("virus")
def test_whoever_sends_too_many_records_is_told_so_in_both_languages(serve):
    site = serve()
    site.app.state.limits = RateLimits(RATES | {"records": Rate(1, 60)})
    files = {"record": ("game.jsonl", builtin("virus"))}
    assert site.post("/replays", files=files).status_code == 303
    refused = site.post("/replays", files=files)
    assert refused.status_code == 429 and "Too often: try again in" in refused.text
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    french = site.post("/replays", files=files, headers={"Accept-Language": "fr"})
    assert french.status_code == 429 and "réessayez dans" in french.text


@pytest.mark.game("virus")
def test_a_game_is_worked_out_once_for_all_who_ask_in_a_language(serve, monkeypatch):
    site = serve()
    made = []
    monkeypatch.setattr(sources, "read_recorded", counted(sources.read_recorded, made, "read"))
    monkeypatch.setattr("joute.web.sites.replay.sent", counted(sent(), made, "sent"))
    place = site.post("/replays", files={"record": ("a.jsonl", builtin("virus"))}).headers[
        "location"
    ]
    first = site.get(f"{place}/game.json")
    for _ in range(3):
        assert site.get(f"{place}/game.json").content == first.content
        assert site.get(place).status_code == 200
    assert site.get(f"{place}/game.json", headers={"Accept-Language": "fr"}).json()
    assert made == ["read", "sent", "sent"]
    assert first.headers["content-encoding"] == "gzip" and "positions" in first.json()
    plain = site.get(f"{place}/game.json", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers and plain.json() == first.json()
    assert site.get(f"{place}/alone.html", headers={"Accept-Encoding": "identity"}).text == (
        site.get(f"{place}/alone.html").text
    )


def sent():
    from joute.web.sites import replay

    return replay.sent


def counted(function, calls, name):
    def call(*arguments, **named):
        calls.append(name)
        return function(*arguments, **named)

    return call


@pytest.mark.game("virus")
def test_who_has_used_up_the_time_for_computing_waits_and_others_do_not(serve, monkeypatch):
    site = serve()
    site.app.state.limits = RateLimits(RATES | {"computing": Rate(12, 36_000)})
    spent = itertools.count(step=5)  # so many seconds go by at each look at the clock
    monkeypatch.setattr(compute_queue.time, "thread_time", lambda: next(spent))
    place = site.post("/replays", files={"record": ("a.jsonl", builtin("virus"))}).headers[
        "location"
    ]
    assert site.get(f"{place}/game.json").status_code == 200
    assert site.get(f"{place}/alone.html").status_code == 200
    french = {"Accept-Language": "fr"}
    refused = site.get(f"{place}/alone.html", headers=french)
    assert refused.status_code == 429
    assert site.get(f"{place}/game.json").status_code == 200, "what is there costs nothing"
    with site.browser(**french) as other:
        other.get("/")
        assert other.get(f"{place}/alone.html").status_code == 200


def test_one_thing_is_worked_out_at_a_time_that_of_modest_visitors_first(visitors):
    done = []

    async def run():
        computing = compute_queue.ComputeQueue()
        limits = RateLimits()
        app = type("App", (), {"state": type("State", (), {"limits": limits})()})()
        greedy, modest = Connection("a", "x", app), Connection("b", "y", app)
        limits.charge(greedy, "computing", 5.0)
        going = 0

        def work(name):
            nonlocal going
            going += 1
            assert going == 1
            time.sleep(0.01)
            going -= 1
            done.append(name)
            return name

        def ask(who, name):
            return computing.get(who, name, lambda: work(name), len)

        asked = [ask(greedy, "g1"), ask(greedy, "g2"), ask(greedy, "g2"), ask(modest, "m")]
        found = await asyncio.gather(*asked)
        assert found == ["g1", "g2", "g2", "m"]
        assert await ask(greedy, "g1") == "g1"
        with pytest.raises(ValueError, match="wrong"):
            await computing.get(modest, "e", lambda: int("wrong"), len)
        computing.close()

    asyncio.run(run())
    assert done == ["g1", "m", "g2"]


def test_too_much_that_waits_is_refused_and_what_is_kept_is_bounded(visitors, monkeypatch):
    monkeypatch.setattr(compute_queue, "OF_A_VISITOR", 2)

    async def run():
        computing = compute_queue.ComputeQueue(most=10)
        app = type("App", (), {"state": type("State", (), {"limits": RateLimits()})()})()
        person = Connection("a", "x", app)
        asked = [computing.get(person, each, lambda: "12345678", len) for each in "abc"]
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert found[:2] == ["12345678"] * 2 and found[2].status_code == 503
        assert found[2].headers["Retry-After"] == "5"
        assert list(computing._kept) == ["b"]
        computing.close()

    asyncio.run(run())


@pytest.mark.game("virus")
def test_one_browser_has_some_tables_and_one_address_half_of_them(serve, monkeypatch):
    site = serve()
    monkeypatch.setattr(tables, "OWN", 2)
    site.app.state.tables._most = 6
    form = {"game": "virus", "opponent": "person", "name": "Ann"}
    codes = [site.post("/tables", data=form).status_code for _ in range(3)]
    assert codes == [303, 303, 429]
    assert "the most allowed" in site.post("/tables", data=form).text
    with site.browser() as other:
        page = other.get("/").text
        token = page.partition('name="joute-token" content="')[2].partition('"')[0]
        send = {"data": form, "headers": {"X-Joute-Token": token}}
        assert other.post("/tables", **send).status_code == 303
        refused = other.post("/tables", **send)
        assert (
            refused.status_code == 429
            and "3 games are being played from your network" in refused.text
        )


@pytest.mark.game("virus")
def test_who_sends_many_records_loses_the_own_ones_first():
    first, *more = (scripted({0: {"cpu_ms": float(number + 1)}}, {}) for number in range(9))
    files = sources.UploadedRecords(8 * len(first))
    kept = files.keep(first, "honest", "10.0.0.1")
    others = [files.keep(content, "flood", "10.0.0.2") for content in more]
    assert files.get(kept) is not None
    assert files.get(others[0]) is None and files.get(others[-1]) is not None


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "application/json", ""])
def test_what_is_no_file_is_small(serve, kind):
    headers = {"Content-Type": kind} if kind else {}
    refused = serve().post("/logout", content=b"a&" * 2**21, headers=headers)
    assert refused.status_code == 413 and "2 MiB" in refused.text


def test_a_form_of_endless_fields_is_refused(serve):
    site = serve(Settings())
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    assert site.post("/tables", content=b"a&" * 500_000, headers=kind).status_code == 400
    many = {f"f{number}": (f"{number}.txt", b"") for number in range(1001)}
    assert site.post("/replays", files=many).status_code == 400


@pytest.mark.game("tron", "virus")
def test_who_has_had_many_games_valued_keeps_the_curve_of_points(serve):
    site = serve()
    site.app.state.limits = RateLimits(RATES | {"judging": Rate(1, 3600)})
    codes = []
    for content in (builtin("virus"), builtin("tron")):
        sent = site.post("/replays", files={"record": ("a.jsonl", content)})
        codes += [site.get(f"{sent.headers['location']}/curve.json").status_code] * 2
    assert codes == [200, 200, 204, 204]


@pytest.mark.game("virus")
def test_no_record_takes_the_place_of_another_by_claiming_its_last_hash():
    victim, other = (scripted({0: {"cpu_ms": each}}, {}) for each in (1.0, 2.0))
    end, chain = (each.rpartition(b',"chain":"') for each in (other, victim))
    forged = end[0] + b',"withheld":["note"]' + end[1] + chain[2]
    files = sources.UploadedRecords()
    name = files.keep(victim, "victim")
    assert files.keep(forged, "forged") != name
    assert files.get(name).content == victim
