"""Replays as files: opened from a disk they ask nothing of anybody, and show the same game."""

import base64
import json
import re
import subprocess
import sys

import pytest
from web.recorded_games import GAMES, builtin, crash, fault_line, scripted
from web.shown import played

from joute.cli.main import main
from joute.i18n.words import speaking
from joute.store.store import Store
from joute.web.assets import files
from joute.web.replays.recorded import read_recorded
from joute.web.replays.single_file import PREFIX, ROOT, game_page, imports, one_drawing, safe_json

READY = "!!document.querySelector('.timeline')"
LARGEST = 400_000  # bytes of the file of a usual game
ASKED = "performance.getEntriesByType('resource').map((each) => each.name)"


@pytest.fixture
def browse(chromium):
    """Opens a page from a file; in the end it must have asked for nothing, and had no error."""
    pages = []

    def start(file, place=""):
        page = chromium.page()
        pages.append(page)
        return page.open(f"file://{file}{place}")

    yield start
    problems = [problem for page in pages for problem in page.problems()]
    names = [name for page in pages for name in page.evaluate(ASKED)]
    asked = [name for name in names if not name.startswith("data:") and "/replays/" not in name]
    for page in pages:
        page.close()
    assert problems == [] and asked == []


@pytest.fixture
def opened(browse, tmp_path):
    """Opens the page of a game."""

    def start(text, place=""):
        file = tmp_path / "game.html"
        file.write_text(text, encoding="utf-8")
        page = browse(file, place)
        page.wait_for(READY)
        return page

    return start


@pytest.mark.parametrize("game", GAMES)
def test_the_file_of_every_game_opens_from_a_disk_and_asks_for_nothing(opened, game):
    text = game_page(read_recorded(builtin(game)), "game.jsonl")
    page = opened(text)
    last = page.evaluate("document.querySelector('.slider').max")
    page.key("End")
    page.wait_for(f"document.querySelector('.slider').value === '{last}'")
    assert page.evaluate("!!document.querySelector('.drawn')")
    assert len(text.encode()) < LARGEST


@pytest.mark.game("love-letter", "virus")
def test_a_file_has_the_words_of_its_own_game_alone():
    texts = [game_page(read_recorded(builtin(game)), "game.jsonl") for game in GAMES]
    assert ['"love_letter.' in text for text in texts] == [game == "love-letter" for game in GAMES]


@pytest.mark.game("virus")
def test_a_file_is_in_the_language_in_which_it_was_written(opened):
    with speaking("fr"):
        text = game_page(read_recorded(builtin("virus")), "game.jsonl")
    page = opened(text, "#ply=3")
    page.wait_for("document.querySelector('.where').textContent.startsWith('Coup 3 sur')")
    assert page.evaluate("document.documentElement.lang") == "fr"


@pytest.mark.game("virus")
def test_what_bots_say_and_are_called_means_nothing_to_the_browser(opened):
    evil = "</script><script>document.title = 'caught'</script><img src=x>"
    record = scripted({}, {2: crash(output=evil, detail=evil)}, names=(evil, "{bob}"))
    place = f"#line={fault_line(record)}"
    page = opened(game_page(read_recorded(record), f"{evil}.jsonl"), place)
    page.wait_for("document.querySelector('.spoken .badge.bad')")
    assert page.evaluate("document.title").startswith("</script><script>")
    assert evil in page.text(".spoken") and page.evaluate("document.images.length") == 0


def test_a_file_is_written_without_what_only_the_server_needs():
    needed = "from joute.web.replays.single_file import game_page"
    without = "import sys; sys.modules.update(fastapi=None, starlette=None)"
    subprocess.run([sys.executable, "-c", f"{without}; {needed}"], check=True)


@pytest.mark.parametrize("entry", ["replay.js", "replays.js"])
def test_every_module_that_is_imported_is_in_the_map(entry):
    for game in GAMES:
        found = imports(entry, one_drawing(game))
        for name, address in found.items():
            text = base64.b64decode(address.partition(",")[2]).decode()
            wanted = re.findall(r'from "([^"]+)"|import "([^"]+)"', text)
            assert {a or b for a, b in wanted} <= set(found), name


@pytest.mark.game("virus")
def test_a_file_has_the_drawing_of_its_own_game_only():
    drawings = {game: set(imports("replay.js", one_drawing(game))) for game in GAMES}
    assert f"{ROOT}games/virus/board.js" in drawings["virus"]
    assert all(
        name.startswith((PREFIX, f"{ROOT}games/{game}/"))
        for game, names in drawings.items()
        for name in names
    )
    assert f"{PREFIX}boards/plain.js" in imports("replay.js", one_drawing("chess"))


def test_every_import_of_the_scripts_is_written_so_that_a_file_can_hold_it():
    odd = [
        (path.name, line)
        for path in files().values()
        if path.suffix == ".js"
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.match(r'\s*(import|export)\b.*\bfrom\s*"', line)
        and not re.fullmatch(r'(import|export) .* from "\.\.?/[\w./-]+\.js";', line)
    ]
    assert odd == []


@pytest.mark.game("virus")
def test_the_words_of_a_file_end_no_script():
    text = game_page(read_recorded(builtin("virus")), "game.jsonl")
    [words] = re.findall(r'<script type="application/json" id="words">(.*)</script>', text)
    assert "replay.play" in json.loads(words)
    assert "<" not in safe_json({"</script>": "</script>"})


@pytest.fixture
def contest(tmp_path, monkeypatch):
    """The file of a contest, all of whose games are one that was played."""
    played(tmp_path)
    monkeypatch.setenv("JOUTE_LANG", "en")
    monkeypatch.setattr(Store, "record", lambda store, identity: builtin("virus"))
    return tmp_path / "class.toml"


def walk(page):
    """Chooses two games, and goes to the end of each."""
    for number in (1, 2):
        page.click(f"#games tr:nth-child({number}) a")
        page.wait_for(f"document.querySelector('#games tr:nth-child({number}) [aria-current]')")
        page.wait_for(f"{READY} && document.querySelectorAll('.timeline').length === 1")
        page.key("End")
        page.wait_for(
            "document.querySelector('.slider').value === document.querySelector('.slider').max"
        )


@pytest.mark.game("virus")
def test_the_games_of_an_exported_contest_are_replayed_from_the_disk(browse, contest, tmp_path):
    assert main(["export", str(contest), "--replays", "--out", str(tmp_path / "site")]) == 0
    page = browse(tmp_path / "site" / "index.html")
    page.click('a[href="replays.html"]')
    page.wait_for("location.pathname.endsWith('replays.html')")
    walk(page)
    page.evaluate("history.back()")
    page.wait_for("document.querySelector('#games tr:nth-child(1) [aria-current]')")


@pytest.mark.game("virus")
def test_a_contest_in_one_page_has_its_games_in_it(browse, contest, tmp_path):
    assert main(["export", str(contest), "--format", "page", "-o", str(tmp_path / "cup.html")]) == 0
    page = browse(tmp_path / "cup.html")
    assert "The <b>class</b> & co" in page.text("h1")
    walk(page)
    assert page.evaluate(ASKED) == []
    assert page.overflow() == []
