"""Handing in a bot, and a small contest, in headless Chromium."""

import json
import sys
from datetime import UTC, datetime

import pytest
from web.entered import BROKEN, GOOD, LATER, TOML, ZONE, archive, served

from joute.web.registration import jobs
from joute.web.settings import Settings

CHOOSE = """(() => {
  const files = new DataTransfer();
  files.items.add(new File([new Uint8Array(%s)], %s));
  const input = document.querySelector("#upload input[type=file]");
  input.files = files.files;
  document.documentElement.dataset.old = 1;
  input.dispatchEvent(new Event("change"));
})()"""
NEW = "!document.documentElement.dataset.old && document.readyState === 'complete'"

# Time that passes only where the test says so: `later` milliseconds, then the page's next step.
CLOCK = """
performance.now = () => window.later ?? 0;
window.setInterval = (step) => { window.step = step; };
"""


def send(page, content, name="bot.py"):
    """Chooses a file, which sends it; returns when the page is there again."""
    page.evaluate(CHOOSE % (json.dumps(list(content)), json.dumps(name)))
    page.wait_for(NEW)


def drop(page, path, selector):
    """Drags a file of the disk over an element and lets it go; returns when the page is new."""
    x, y = page._resting(selector, scrolled=True)
    page.evaluate("document.documentElement.dataset.old = 1")
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        page._wire.call("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)
    page.wait_for(NEW)


def opened(site, chromium, **options):
    """The organiser's page of a contest that was just opened in it."""
    page = chromium.page(**options)
    page.open(f"{site.url}/organise/new?game=virus")
    page.evaluate("document.querySelector('.advanced').open = true")
    page.evaluate(f"document.querySelector('#toml').value = {json.dumps(TOML)}")
    page.click("button[name=read]")
    page.wait_for("document.querySelector('#name').value === 'Small'")
    page.evaluate(f"document.querySelector('#deadline').value = '{LATER}'")
    assert page.evaluate("document.querySelector('#zone').value")
    page.click(".acts .primary")
    page.wait_for("document.querySelector('.chosen') === null")
    page.type("#name", "Ann")
    page.click("form[action$='/participants'] button")
    return page


@pytest.mark.game("virus")
@pytest.mark.full
def test_a_contest_is_opened_entered_and_played(serve, chromium, tmp_path):
    site = serve(Settings(data=tmp_path))
    organiser = opened(site, chromium)
    link = organiser.text(".members code")
    page = chromium.page()
    page.open(link)
    page.wait_for("document.querySelector('#upload')")
    assert page.evaluate("location.href") == f"{site.url}/submit"
    send(page, archive(("../bot.py", GOOD)), "bot.zip")
    assert "Nothing was unpacked." in page.text("[role=alert]")
    send(page, GOOD)
    page.wait_for("document.querySelector('.verdict .ok')")
    assert page.evaluate("document.querySelectorAll('.report .ok').length") >= 4
    page.click("#game .btn")
    page.click("#game a")
    page.wait_for("location.pathname.startsWith('/replays/')")
    page.open(f"{site.url}/submit")
    send(page, BROKEN)
    page.wait_for("document.querySelector('.verdict .no')")
    assert "Version 1 continues to take part" in page.text(".verdict")
    assert "KeyError" in page.text(".report")
    organiser.reload()
    organiser.click("form[action$='/run'] button")
    organiser.wait_for("document.querySelector('[data-live=run] .badge.good')")
    organiser.click("form[action$='/publish'] button")
    organiser.wait_for("!document.querySelector(\"form[action$='/publish']\")")
    organiser.click("[data-live=run] a.btn")
    assert "Ann" in organiser.text("main")
    assert organiser.problems() == []
    assert all("status of 422" in each for each in page.problems())  # the archive's
    page.close()
    organiser.close()


@pytest.mark.game("virus")
@pytest.mark.full
def test_a_file_that_is_dropped_on_the_page_is_handed_in(serve, chromium, tmp_path, monkeypatch):
    found = json.dumps([{"check": "games", "ok": True, "said": "all legal", "detail": []}])
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", f"print({found!r})"))
    site = serve(Settings(data=tmp_path / "data"))
    organiser = opened(site, chromium)
    page = chromium.page()
    page.open(organiser.text(".members code"))
    page.wait_for("document.querySelector('#upload')")
    (tmp_path / "dropped.py").write_bytes(GOOD)
    drop(page, tmp_path / "dropped.py", ".drop")
    page.wait_for("document.querySelector('.verdict .ok')")
    assert "dropped.py" in page.text("[data-live=versions]") and page.problems() == []
    page.close()
    organiser.close()


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    ("language", "time", "zone"), [("en", "7:59", "GMT-3"), ("fr", "19:59", "UTC\N{MINUS SIGN}3")]
)
def test_a_time_in_the_readers_zone_names_it(serve, chromium, tmp_path, language, time, zone):
    reception = served(serve, tmp_path)
    page = chromium.page(language=language)
    page._wire.call("Emulation.setTimezoneOverride", timezoneId="America/Sao_Paulo")
    page.open(reception.link(reception.invite("Ann")))
    page.wait_for("document.querySelector('#upload')")
    shown = page.evaluate("[...document.querySelectorAll('time')].map((each) => each.textContent)")
    assert any("2199" in each and time in each and each.endswith(zone) for each in shown)
    page.close()
    reception.close()


@pytest.mark.game("virus")
def test_the_page_counts_down_to_the_opening_and_is_then_loaded_anew(serve, chromium, tmp_path):
    reception = served(serve, tmp_path)
    store = reception.service.store
    store.now = lambda: datetime(2199, 6, 1, 6, 59, 50, tzinfo=UTC)
    given = {"toml": TOML, "deadline": LATER, "zone": ZONE, "opening": "2199-06-01T09:00"}
    assert reception.organise("edit", **given).status_code == 303
    page = chromium.page(language="en")
    page.script(CLOCK)
    page.open(reception.link(reception.invite("Ann")))
    page.wait_for("document.querySelector('[data-opens]') !== null && !!window.step")
    assert page.text("[data-opens]") == "0 min 10 s left"
    assert not page.evaluate("document.querySelector('#upload')")
    page.evaluate("document.documentElement.dataset.old = 1; window.later = 8000; window.step(); 0")
    assert page.text("[data-opens]") == "0 min 02 s left"
    page.evaluate("window.later = 10000; window.step(); 0")
    assert page.text("[data-opens]") == "0 min 01 s left"  # the server may not be there yet
    store.now = lambda: datetime(2199, 6, 1, 7, 0, 1, tzinfo=UTC)
    page.evaluate("window.later = 10500; window.step(); 0")
    page.wait_for(NEW)
    assert page.evaluate("document.querySelector('#upload') !== null")
    assert page.evaluate("document.querySelector('[data-opens]') === null")
    assert page.problems() == []
    page.close()
    reception.close()
