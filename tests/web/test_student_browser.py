"""A student in headless Chromium: from the link to a checked bot, with only what the page gives."""

import re
import subprocess
import sys

import pytest
from argon2 import PasswordHasher
from cli.apart import environment
from web.entered import TOML, Reception
from web.test_submit_browser import send

from joute.play.verify import verify_record
from joute.web.settings import Settings

pytestmark = [pytest.mark.game("virus"), pytest.mark.full]

PASSWORD = "correct horse"
HASH = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
LADDERED = TOML + '[show]\nladder = "named"\n'
FETCH = "fetch(%r).then((answer) => answer.text()).then((text) => {window.fetched = text}), 0"
READY = {"en": "Ready to play", "fr": "Prêt à jouer"}


def fetched(page, selector):
    """The text of what a link downloads, with the name that it is given."""
    found = page.evaluate(f"document.querySelector({selector!r}).getAttribute('href')")
    page.evaluate("window.fetched = undefined")
    page.evaluate(FETCH % found)
    return page.wait_for("window.fetched")


@pytest.mark.parametrize(("language", "size"), [("en", (1366, 768)), ("fr", (390, 844))])
def test_a_student_goes_from_the_link_to_a_checked_bot(serve, chromium, tmp_path, language, size):
    site = serve(Settings(data=tmp_path / "data", password=HASH))
    site.post("/login", data={"password": PASSWORD, "back": "/"})
    reception = Reception(site, LADDERED)
    link = reception.link(reception.invite("Ann"))
    page = chromium.page(*size, language=language)

    # The task is public: it is found without the link.
    page.open(f"{site.url}/contests")
    page.click(".open-contests h3 a")
    page.wait_for("document.querySelector('#write pre')")
    assert page.overflow() == []

    # The link, the starter, the upload, the report.
    page.open(link)
    page.wait_for("document.querySelector('#upload')")
    assert page.overflow() == []
    assert "def play(observation, clock)" in page.text("#write")
    assert re.search(r"\d", page.text(".deadline .left"))
    starter = fetched(page, ".starter a")
    send(page, starter.encode())
    page.wait_for("document.querySelector('.verdict .ok')")
    assert READY[language] in page.text(".verdict")

    # The ladder, with the record of a game.
    page.wait_for("document.querySelector('.own-games a[download]')")
    assert "Ann" in page.text(".ladder .own")
    assert page.overflow() == []
    record = fetched(page, ".own-games a[download]")
    assert verify_record(record.encode(), partial=True).ok
    assert str(tmp_path) not in record

    # The command that the replay shows works in another folder, with the starter as one's own bot.
    page.click(".own-games a:not([download])")
    page.wait_for("document.querySelector('.timeline')")
    page.key("End")
    page.key("ArrowLeft")
    page.key("ArrowLeft")
    shown = page.wait_for(
        "[...document.querySelectorAll('.copy code')].map((code) => code.textContent)"
        ".find((text) => text.includes('--bot'))"
    )
    assert str(tmp_path) not in page.text("main")
    words = shown.split()
    home = tmp_path / "home"
    home.mkdir()
    (home / words[2]).write_text(record)
    (home / "my_bot.py").write_text(starter)
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=home,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "my_bot.py" in done.stdout and done.returncode == 0, done.stderr
    assert page.problems() == []
    page.close()
    reception.close()
