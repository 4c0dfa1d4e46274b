import pytest
from argon2 import PasswordHasher
from websockets.exceptions import InvalidStatus

from joute.servers.web import guard, settings
from joute.servers.web.guard import name_of
from joute.servers.web.limits import Limiter
from joute.servers.web.settings import Settings, keep_password, kept_password, kept_secret

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


def test_a_body_without_end_is_cut_off(site, monkeypatch):
    monkeypatch.setattr(guard, "LARGEST_BODY", 1000)
    told = site.post("/logout", content=b"x" * 1001)
    assert told.status_code == 413

    def endless():
        yield from [b"x" * 100] * 11

    kind = {"Content-Type": "application/x-www-form-urlencoded"}
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
    monkeypatch.setattr("joute.servers.web.sites.login.password_is_right", lambda *_: False)
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
    monkeypatch.setattr("joute.servers.web.limits._REMEMBERED", 2)
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
