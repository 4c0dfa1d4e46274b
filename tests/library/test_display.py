"""Boards in a notebook, in a real browser: drawn in frames, which ask nobody."""

import re
from html import unescape

import pytest
from helpers import wait_until

import joute

GAMES = ("love-letter", "paradise", "tron", "vampires", "virus")
EACH = [pytest.param(name, marks=pytest.mark.game(name)) for name in GAMES]
DRAWN = """(() => {
  const board = document.querySelector("#position .boardbox > *");
  const box = board?.getBoundingClientRect();
  return box?.width > 100 && box.height > 50 && board.textContent.length + board.innerHTML.length;
})()"""
SIZE = "[document.documentElement.scrollWidth, innerWidth]"


def looks(page, picture):
    """A page as it looks: what is in a closed frame can only be looked at."""
    page.screenshot(picture)
    return picture.read_bytes()


def page_in(html):
    """The page that a frame holds."""
    return unescape(re.search(r'srcdoc="([^"]*)"', html)[1])


@pytest.fixture
def look(chromium, tmp_path):
    """Opens a notebook's output in a browser, and the page in its frame alone."""
    pages = []

    def start(html, ready):
        (tmp_path / "notebook.html").write_text(f"<!doctype html><main>{html}</main>")
        (tmp_path / "frame.html").write_text(page_in(html))
        (tmp_path / "still.html").write_text(
            f"<!doctype html><main>{html.replace('allow-scripts', '')}</main>"
        )
        names = ("notebook", "frame", "still")
        addresses = [f"file://{tmp_path}/{name}.html" for name in names]
        pages.extend(chromium.page(640, 700).open(address) for address in addresses)
        pages[1].wait_for(ready)
        picture = tmp_path / "notebook.png"
        still = pages.pop()  # which is not let run its scripts, and complains of it
        undrawn = looks(still, picture)
        still.close()
        wait_until(lambda: looks(pages[0], picture) != undrawn, what="the frame to be drawn")
        return pages

    yield start
    problems = [problem for page in pages for problem in page.problems()]
    for page in pages:
        page.close()
    assert problems == []


@pytest.mark.parametrize("name", EACH)
def test_the_board_of_a_position_is_drawn_in_its_frame(look, name):
    position = joute.game(name).start(seed=7)
    position = position.play(position.legal[0])
    notebook, frame = look(position._repr_html_(), DRAWN)
    assert notebook.evaluate("document.querySelector('iframe').getBoundingClientRect().height") > 99
    scroll, width = frame.evaluate(SIZE)
    assert scroll <= width


@pytest.mark.game("virus")
def test_a_game_is_walked_through_in_its_frame(look):
    record = joute.match("virus", "builtin:greedy", "builtin:random", seed=1, size=5).records[0]
    _, frame = look(record._repr_html_(), "!!document.querySelector('.timeline')")
    at = "document.querySelector('.slider').value"
    before = frame.evaluate(at)
    frame.key("ArrowRight")
    frame.wait_for(f"{at} !== '{before}'")


@pytest.mark.game("virus")
def test_a_frame_is_closed_and_named():
    html = joute.game("virus").start(seed=7)._repr_html_()
    assert 'sandbox="allow-scripts"' in html and 'title="virus"' in html
    assert "default-src" in page_in(html)


@pytest.mark.game("virus")
def test_the_frame_of_another_position_is_another():
    position = joute.game("virus", size=6).start(seed=7)
    again = joute.game("virus", size=6).start(seed=7)
    assert position._repr_html_() == again._repr_html_()
    assert position._repr_html_() != position.play(position.legal[0])._repr_html_()
