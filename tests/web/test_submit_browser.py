"""Handing in a bot, and a small contest, in headless Chromium."""

import json

import pytest
from web.entered import BROKEN, GOOD, LATER, TOML, archive

from joute.servers.web.settings import Settings

DROP = """(() => {
  const files = new DataTransfer();
  files.items.add(new File([new Uint8Array(%s)], %s));
  const input = document.querySelector("#upload input[type=file]");
  input.files = files.files;
  document.documentElement.dataset.old = 1;
  input.dispatchEvent(new Event("change"));
})()"""
NEW = "!document.documentElement.dataset.old && document.readyState === 'complete'"


def send(page, content, name="bot.py"):
    """Chooses a file, which sends it; returns when the page is there again."""
    page.evaluate(DROP % (json.dumps(list(content)), json.dumps(name)))
    page.wait_for(NEW)


def opened(site, chromium, **options):
    """The organiser's page of a contest that was just opened in it."""
    page = chromium.page(**options)
    page.open(f"{site.url}/organise")
    page.evaluate(f"document.querySelector('#toml').value = {json.dumps(TOML)}")
    page.evaluate(f"document.querySelector('#deadline').value = '{LATER}'")
    assert page.evaluate("document.querySelector('#zone').value")
    page.click(".opening .primary")
    page.type("#name", "Ann")
    page.click("form[action$='/participants'] button")
    return page


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
    assert "Version 1 goes on taking part" in page.text(".verdict")
    assert "KeyError" in page.text(".report")
    organiser.reload()
    organiser.click("form[action$='/run'] button")
    organiser.wait_for("document.querySelector('[data-live=run] .badge.good')")
    organiser.click("form[action$='/publish'] button")
    organiser.click("[data-live=run] a.btn")
    assert "Ann" in organiser.text("main")
    assert organiser.problems() == []
    assert all("status of 422" in each for each in page.problems())  # the archive's
    page.close()
    organiser.close()


@pytest.mark.full
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(390, 844), (1280, 800), (1920, 1080)])
def test_nothing_overflows(serve, chromium, tmp_path, size, theme):
    site = serve(Settings(data=tmp_path))
    page = opened(site, chromium, width=size[0], height=size[1], theme=theme)
    link = page.text(".members code")
    assert page.overflow() == []
    page.open(f"{site.url}/organise")
    assert page.overflow() == []
    page.open(link)
    page.wait_for("document.querySelector('#upload')")
    assert page.overflow() == [] and page.problems() == []
    page.close()
