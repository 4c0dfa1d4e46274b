import json
import re

import pytest

from joute.web.pages import local
from joute.web.settings import Settings

GAMES = ("virus", "tron", "vampires", "love-letter", "paradise")
FRENCH = {"Accept-Language": "fr-CA,fr;q=0.9,en;q=0.5"}


@pytest.mark.game("love-letter", "paradise", "tron", "vampires", "virus")
def test_the_home_page_leads_to_each_game(site):
    page = site.get("/").text
    for game in GAMES:
        assert f'href="/play/{game}"' in page and f'href="/watch/{game}"' in page


def test_a_page_is_small_and_asks_nothing_of_other_hosts(site):
    page = site.get("/")
    addresses = re.findall(r'(?:href|src|action)="([^"]+)"', page.text)
    assert all(address.startswith(("/", "#")) for address in addresses)
    whole = len(page.content) + sum(
        len(site.get(each).content)
        for each in set(addresses)
        if each.startswith(("/static/", "/words/"))
    )
    assert whole < 150_000


@pytest.mark.parametrize("kind", ["page", "stylesheet", "words"])
def test_what_is_sent_is_packed_for_whoever_can_unpack_it(site, kind):
    page = site.get("/").text
    names = {"stylesheet": '/static/[^"]+css', "words": '/words/[^"]+'}
    path = re.search(names[kind], page)[0] if kind in names else "/"
    packed = site.get(path, headers={"Accept-Encoding": "gzip"})
    plain = site.get(path, headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert "accept-encoding" in packed.headers["vary"].lower()
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    assert kind == "page" or packed.content == plain.content


def test_a_page_holds_no_script_and_no_style_of_its_own(site):
    page = site.get("/").text
    assert " style=" not in page and "<style" not in page and " onclick=" not in page
    assert all("src=" in script for script in re.findall("<script[^>]*>", page))


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [
        ("fr-CA,fr;q=0.9,en;q=0.5", "fr"),
        ("de,en;q=0.3,fr;q=0.7", "fr"),
        ("de, en; q=0.3, fr; q=0.7", "fr"),
        ("en-GB", "en"),
        ("ja", "en"),
        ("", "en"),
        ("fr;q=much", "en"),
    ],
)
def test_a_page_speaks_the_first_language_of_the_reader_that_it_knows(site, asked, spoken):
    page = site.get("/", headers={"Accept-Language": asked}).text
    assert f'<html lang="{spoken}"' in page


def test_the_switch_of_languages_outlasts_the_page_and_comes_back_to_it(serve):
    site = serve()
    answer = site.get("/language/fr?back=/contests")
    assert (answer.status_code, answer.headers["location"]) == (303, "/contests")
    assert '<html lang="fr"' in site.get("/", headers={"Accept-Language": "en"}).text
    assert site.get("/language/xx").status_code == 404


def test_every_tab_leads_to_a_page(site):
    bar = site.get("/").text.partition('<nav aria-label="Main">')[2].partition("</nav>")[0]
    tabs = re.findall('href="([^"]+)"', bar)
    assert {"/play", "/watch", "/contests"} <= set(tabs)
    for tab in tabs:
        page = site.get(tab)
        assert page.status_code == 200 and f'href="{tab}" aria-current="page"' in page.text


def test_a_switch_of_languages_keeps_what_was_asked(site):
    assert "back=/contests%3Fa%3Db" in site.get("/contests?a=b").text


def test_a_switch_of_languages_leads_from_the_answer_to_a_form_to_the_form(site):
    form = f"{site.client.base_url}/watch?game=virus"
    told = site.post("/replays", data={"x": "y"}, headers={"Referer": form})
    assert "back=/watch%3Fgame%3Dvirus" in told.text
    told = site.post("/replays", data={"x": "y"}, headers={"Referer": "https://else.org/x"})
    assert "back=/replays" in told.text


@pytest.mark.parametrize(
    "address",
    ["//elsewhere.org", "/\\elsewhere.org", "https://elsewhere.org", "", "/a\nb", "play"],
)
def test_only_an_address_of_ours_is_come_back_to(address):
    assert local(address) == "/"
    assert local("/play?size=4") == "/play?size=4"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_theme_of_the_cookie_is_in_the_page_when_it_comes(site, theme):
    assert f'data-theme="{theme}"' in site.get("/", headers={"Cookie": f"joute_theme={theme}"}).text
    assert f'data-theme="{theme}"' in site.get(f"/?theme={theme}").text
    assert "data-theme" not in site.get("/", headers={"Cookie": 'joute_theme="x'}).text


def test_whoever_asks_for_the_head_of_a_page_gets_no_more(site):
    answer = site.client.head("/")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"].startswith("text/html")


def test_an_address_that_is_not_there_is_told_in_a_page_or_for_programs(site):
    page = site.get("/nowhere<b>", headers=FRENCH)
    assert page.status_code == 404 and "adresse /nowhere&lt;b&gt;." in page.text
    answer = site.get("/api/nowhere")
    assert answer.status_code == 404
    assert answer.json() == {"error": "There is nothing at /api/nowhere."}
    wanted = site.get("/nowhere", headers={"Accept": "application/json"})
    assert wanted.json() == {"error": "There is nothing at /nowhere."}


def test_a_value_that_makes_no_sense_is_told_by_its_place(site):
    answer = site.get("/api/contests/UPPER")
    assert answer.status_code == 422 and answer.json()["error"].startswith("path.contest: ")


def test_a_fault_of_ours_is_a_sentence_and_a_line_in_the_log(serve, caplog):
    site = serve()
    site.app.state.templates = None
    answer = site.get("/")
    assert answer.status_code == 500
    assert answer.text == "Joute made a mistake; it is in the log of the server."
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "GET /" in caplog.text


def test_static_files_are_kept_for_a_year_under_the_name_of_their_contents(site):
    address = site.app.state.static.address("joute.css")
    assert f'href="{address}"' in site.get("/").text
    sheet = site.get(address)
    assert sheet.headers["content-type"].startswith("text/css")
    assert "immutable" in sheet.headers["cache-control"]
    assert ".banner" in sheet.text and "--accent" in sheet.text
    old = site.get("/static/000000000000/js/words.js")
    assert old.headers["content-type"].startswith("text/javascript")
    assert old.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    ["nothing.js", "../app.py", "%2e%2e/app.py", "css.d/10-base.css", "games/virus/__init__.py"],
)
def test_nothing_but_static_files_is_served_as_one(site, path):
    assert site.get(f"/static/x/{path}").status_code == 404


def test_files_that_are_being_edited_are_read_again(serve, monkeypatch, tmp_path):
    (tmp_path / "css.d").mkdir()
    (tmp_path / "css.d" / "a.css").write_text("a {}")
    site = serve(Settings(fresh=True))
    site.app.state.static._folder = tmp_path
    before = site.app.state.static.address("joute.css")
    (tmp_path / "css.d" / "b.css").write_text("b {}")
    after = site.app.state.static.address("joute.css")
    sheet = site.get(after).text
    assert before != after and sheet.startswith("a {}") and sheet.endswith("b {}")


@pytest.mark.game("love-letter")
def test_scripts_are_sent_their_words_in_both_languages(site):
    told = (site.get(f"/words/{name}.js").text for name in ("en", "fr"))
    english, french = (json.loads(each[each.index("{") : each.rindex(";")]) for each in told)
    assert english.keys() == french.keys()
    assert "love_letter.out" in english and not any(key.startswith("js.") for key in english)
    address = re.search(r'<script defer src="([^"]+)">', site.get("/").text)[1]
    assert "immutable" in site.get(address).headers["cache-control"]
    assert site.get("/words/xx.js").status_code == 404
