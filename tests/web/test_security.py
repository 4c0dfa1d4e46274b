import errno
import json
import os
import socket
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
from argon2 import PasswordHasher
from helpers import PATIENCE
from itsdangerous import TimestampSigner
from websockets.exceptions import InvalidStatus

from joute.web import middleware, organiser, settings
from joute.web.middleware import name_of
from joute.web.organiser import FILE, LOGIN_SECONDS, Logins, is_ours
from joute.web.rate_limits import Limiter
from joute.web.security import signed, unsigned
from joute.web.settings import Settings, keep_password, kept_password, kept_secret

PASSWORD = "correct horse"


@pytest.fixture(scope="module")
def hashed():
    """The hash of the password, made in a moment."""
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)


@pytest.fixture
def guarded(serve, hashed):
    """A site whose organiser has a password."""
    return serve(Settings(password=hashed))


def log_in(site, password):
    return site.post("/login", data={"password": password, "back": "/contests"})


def test_every_answer_forbids_what_our_pages_do_not_need(site):
    for path in ("/", "/nowhere", "/api/games", "/static/x/icon.svg"):
        headers = site.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"


def test_a_page_for_one_reader_is_kept_by_nobody(site):
    assert site.get("/").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("host", ["elsewhere.org", "127.0.0.1.elsewhere.org:80", "", "localhost@x"])
def test_a_request_for_another_name_is_refused(site, host):
    answer = site.get("/", headers={"Host": host})
    assert answer.status_code == 400 and "--public" in answer.text


@pytest.mark.parametrize(
    ("host", "name"),
    [("LocalHost:80", "localhost"), ("[::1]:80", "[::1]"), ("[::1]", "[::1]"), ("a:b", "a:b")],
)
def test_the_name_of_a_host_is_told_from_its_port(host, name):
    assert name_of(host) == name


def test_what_a_page_of_elsewhere_sends_is_refused(site):
    answer = site.post("/logout", headers={"Origin": "https://elsewhere.org"})
    assert answer.status_code == 403 and "https://elsewhere.org" in answer.text
    assert site.post("/logout", headers={"Origin": site.url}).status_code == 303


def test_a_socket_opened_by_a_page_of_elsewhere_is_refused(site):
    with pytest.raises(InvalidStatus, match="403"):
        site.socket("/tables/any/socket", origin="https://elsewhere.org")


def test_a_form_without_the_token_of_its_browser_is_refused(site):
    assert site.client.post("/logout").status_code == 403
    assert site.client.post("/logout", data={"token": "x"}).status_code == 403
    assert site.client.post("/logout", data={"token": "é"}).status_code == 403
    assert site.client.post("/logout", data={"token": site.token()}).status_code == 303
    with site.browser() as other:
        assert other.post("/logout", data={"token": site.token()}).status_code == 403


def test_each_page_has_another_token_and_all_of_them_count(site):
    tokens = {site.token() for _ in range(3)}
    assert len(tokens) == 3
    assert {site.client.post("/logout", data={"token": each}).status_code for each in tokens} == {
        303
    }
    other = f"{'0' * 16}.{site.token().partition('.')[2]}"
    assert site.client.post("/logout", data={"token": other}).status_code == 403


def test_the_token_may_come_in_a_header(site):
    assert site.client.post("/logout", headers={"X-Joute-Token": site.token()}).status_code == 303
    assert site.client.post("/logout", headers={"X-Joute-Token": "x"}).status_code == 403


def test_cookies_are_out_of_reach_of_scripts_and_of_other_sites(serve):
    cookie = serve().get("/").headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=lax" in cookie and "secure" not in cookie
    cookie = serve(Settings(https=True)).get("/").headers["set-cookie"].lower()
    assert "; secure" in cookie


def test_a_cookie_that_was_tampered_with_counts_for_nothing(site):
    token = site.token()
    with site.browser(Cookie=f"joute_visitor={site.client.cookies['joute_visitor']}x") as other:
        assert other.post("/logout", data={"token": token}).status_code == 403


@pytest.mark.game("virus")
def test_a_seat_is_kept_when_the_clock_is_set_back(serve, monkeypatch):
    site = serve()
    with monkeypatch.context() as ahead:
        later = int(time.time()) + 3600
        ahead.setattr(TimestampSigner, "get_timestamp", lambda _: later)
        address = site.post("/tables", data={"game": "virus", "opponent": "1"}).headers["location"]
    with site.socket(f"{address}/socket") as socket:
        assert json.loads(socket.recv(PATIENCE))["you"]


@pytest.mark.parametrize(("seconds", "read"), [(3600, "Ann"), (3610, None)])
def test_what_was_signed_is_read_for_its_time(monkeypatch, seconds, read):
    state = SimpleNamespace(settings=Settings())
    connection = SimpleNamespace(app=SimpleNamespace(state=state))
    before = int(time.time()) - seconds
    with monkeypatch.context() as past:
        past.setattr(TimestampSigner, "get_timestamp", lambda _: before)
        text = signed(connection, "name", "Ann")
    assert unsigned(connection, "name", text, 3605) == read


def test_a_body_without_end_is_cut_off(site, monkeypatch):
    monkeypatch.setattr(middleware, "LARGEST_BODY", 1000)
    told = site.post("/logout", content=b"x" * 1001)
    assert told.status_code == 413

    def endless():
        yield from [b"x" * 100] * 11

    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    read = site.client.post("/logout", content=endless(), headers={**kind, "Accept": "text/html"})
    assert read.status_code == 413
    assert "may hold" in read.text and '<a href="/">To the home page</a>' in read.text
    cut = site.client.post("/logout", content=endless(), headers=kind)
    assert cut.status_code == 413 and cut.headers["x-content-type-options"] == "nosniff"


def test_alone_on_a_machine_everybody_is_the_organiser(site):
    assert site.get("/login").headers["location"] == "/"
    assert log_in(site, "anything").headers["location"] == "/contests"
    assert "/login" not in site.get("/").text


def test_the_organiser_logs_in_with_the_password_and_out(guarded):
    assert "/login" in guarded.get("/").text
    wrong = log_in(guarded, "wrong")
    assert wrong.status_code == 403 and "That is not the password." in wrong.text
    right = log_in(guarded, PASSWORD)
    assert right.headers["location"] == "/contests"
    assert "/logout" in guarded.get("/").text
    guarded.post("/logout")
    assert "/logout" not in guarded.get("/").text


def test_another_password_logs_everybody_out(guarded):
    log_in(guarded, PASSWORD)
    changed = Settings(secret=guarded.app.state.settings.secret, password="another hash")
    guarded.app.state.settings = changed
    assert "/logout" not in guarded.get("/").text
    assert log_in(guarded, PASSWORD).status_code == 403


def test_passwords_are_not_tried_one_after_the_other(guarded, monkeypatch):
    monkeypatch.setattr("joute.web.sites.home.password_is_right", lambda *_: False)
    codes = [log_in(guarded, str(number)).status_code for number in range(6)]
    assert codes == [403] * 5 + [429]


def test_a_limiter_allows_so_many_in_so_long_for_each_address():
    now = [0.0]
    limiter = Limiter(2, 10.0, clock=lambda: now[0])
    assert [limiter.allows("a") for _ in range(3)] == [True, True, False]
    assert limiter.allows("b")
    now[0] = 10.0
    assert limiter.allows("a")


def test_a_limiter_forgets_the_addresses_that_were_away_longest(monkeypatch):
    monkeypatch.setattr("joute.web.rate_limits._REMEMBERED", 2)
    limiter = Limiter(1, 10.0, clock=lambda: 0.0)
    assert [limiter.allows(each) for each in "abc"] == [True] * 3
    assert len(limiter._left) == 2 and limiter.allows("a") and not limiter.allows("c")


def test_what_is_kept_can_be_read_by_its_owner_only(tmp_path):
    data = tmp_path / "data"
    assert kept_password(data) is None
    secret = kept_secret(data)
    hashed = keep_password(data, PASSWORD)
    assert (kept_secret(data), kept_password(data)) == (secret, hashed)
    assert PASSWORD not in hashed
    assert {path.stat().st_mode & 0o777 for path in data.iterdir()} == {0o600}
    assert len(secret) == settings.SECRET_BYTES


def test_a_copied_cookie_is_worth_nothing_once_its_login_is_over(guarded):
    log_in(guarded, PASSWORD)
    copied = f"joute_organiser={guarded.client.cookies['joute_organiser']}"
    with guarded.browser(Cookie=copied) as thief:
        assert "/logout" in thief.get("/").text
        guarded.post("/logout")
        assert "/logout" not in thief.get("/").text
        assert thief.get("/organise").status_code == 403


def test_logins_and_logouts_last_when_the_server_is_started_again(serve, hashed, tmp_path):
    kept = {"password": hashed, "data": tmp_path / "data", "secret": b"s" * 32}
    first = serve(Settings(**kept))
    log_in(first, PASSWORD)
    staying = f"joute_organiser={first.client.cookies['joute_organiser']}"
    first.client.cookies.clear()
    log_in(first, PASSWORD)
    leaving = f"joute_organiser={first.client.cookies['joute_organiser']}"
    first.post("/logout")
    second = serve(Settings(**kept))
    seen = {}
    for name, cookie in (("staying", staying), ("leaving", leaving)):
        with second.browser(Cookie=cookie) as browser:
            seen[name] = "/logout" in browser.get("/").text
    assert seen == {"staying": True, "leaving": False}
    file = tmp_path / "data" / FILE
    assert file.stat().st_mode & 0o777 == 0o600
    assert staying.partition("=")[2] not in file.read_text()


def test_a_login_ends_after_its_time_and_a_damaged_file_ends_all(tmp_path, clock):
    sessions = Logins(tmp_path, clock)
    secret = sessions.open()
    assert Logins(tmp_path, clock).knows(secret) and not sessions.knows("other")
    clock.now += LOGIN_SECONDS + 1
    assert not sessions.knows(secret)
    (tmp_path / FILE).write_text("damaged")
    assert not Logins(tmp_path, clock).knows(secret)


def test_without_room_on_the_disk_the_organiser_comes_in_and_a_login_that_ended_stays_so(
    tmp_path, monkeypatch
):
    logins = Logins(tmp_path)
    kept = logins.open()

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(organiser, "write_private", full)
    later = logins.open()
    assert logins.knows(kept) and logins.knows(later)
    logins.close(kept)
    assert not logins.knows(kept) and logins.knows(later)
    assert not Logins(tmp_path).knows(kept)  # nor after the server has ended


def test_an_address_that_a_visitor_claims_counts_behind_a_proxy_only(serve, hashed, monkeypatch):
    monkeypatch.setattr("joute.web.sites.home.password_is_right", lambda *_: False)
    codes = {}
    for proxied in (False, True):
        site = serve(Settings(password=hashed, proxied=proxied))
        codes[proxied] = [
            site.post(
                "/login", data={"password": "x"}, headers={"X-Forwarded-For": f"10.0.0.{number}"}
            ).status_code
            for number in range(7)
        ]
    assert codes == {False: [403] * 5 + [429] * 2, True: [403] * 7}


def test_without_a_password_only_who_started_the_server_is_the_organiser(serve, monkeypatch):
    site = serve()
    assert site.get("/organise").status_code == 200
    monkeypatch.setattr("joute.web.organiser.is_ours", lambda *_: False)
    refused = site.get("/organise")
    assert refused.status_code == 403 and "user who started the server" in refused.text
    assert site.get("/play").status_code == 200, "others may look and play"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux lists sockets")
@pytest.mark.parametrize(
    ("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]
)
def test_the_kernel_tells_whose_program_has_connected(family, host, monkeypatch):
    try:
        listening = socket.create_server((host, 0), family=family)
    except OSError:
        pytest.skip(f"no {host} here")
    with listening, socket.create_connection(listening.getsockname()[:2]) as client:
        address = client.getsockname()[:2]
        assert is_ours(*address)
        mine = os.getuid()
        monkeypatch.setattr(organiser, "_users", lambda: {mine + 1})
        assert not is_ours(*address)
    assert not is_ours(*address), "a socket that is closed is nobody's"


LIST = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n"
LINE = "   0: 0100007F:{port:04X} 0100007F:1F40 {state} 0:0 00:0 0 {uid} 0 1\n"


@pytest.mark.parametrize(
    ("state", "uid", "ours"),
    [("01", os.getuid(), True), ("01", 4242, False), ("05", 0, False), ("06", 0, False)],
    ids=["own", "another's", "closed by another", "gone"],
)
def test_a_socket_that_was_closed_is_not_root_s(tmp_path, state, uid, ours):
    file = tmp_path / "tcp"
    file.write_text(LIST + LINE.format(port=5000, state=state, uid=uid))
    assert is_ours("127.0.0.1", 5000, (file, tmp_path / "tcp6")) is ours


def test_where_nothing_lists_sockets_and_for_other_machines_nobody_is_told_apart(tmp_path):
    assert is_ours("127.0.0.1", 5000, (tmp_path / "tcp",))
    assert is_ours("192.0.2.1", 5000)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")
def test_another_user_of_this_machine_is_a_visitor(serve):
    site = serve()
    code = (
        "import os, socket, sys\n"
        "'a'.encode('idna')\n"
        "os.setgid(65534); os.setuid(65534)\n"
        "asking = socket.create_connection(('127.0.0.1', int(sys.argv[1])), 120)\n"
        "asking.sendall(b'GET /organise HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n')\n"
        "print(asking.recv(4096).decode().splitlines()[0])\n"
    )
    words = [sys.executable, "-c", code, site.url.rpartition(":")[2]]
    told = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert " 403 " in told.stdout
