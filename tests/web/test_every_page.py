"""Every page at every size, by day and by night, in both languages: it fits, all can read it."""

import pytest
from axe_core_python.base import AXE_SCRIPT
from web.tour import NAMES, STRANGERS, Tour

pytestmark = pytest.mark.game("virus")

SIZES = {"phone": (390, 844), "laptop": (1366, 768), "projector": (1920, 1080)}
HEAVIEST = 150_000  # bytes of a page and all that it loads, as they travel
WEIGHT = """
["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, each) => sum + each.encodedBodySize, 0)
"""
SERIOUS = """
axe.run(document, {preload: false, resultTypes: ["violations"], %s}).then((all) => all.violations
  .filter((each) => ["serious", "critical"].includes(each.impact))
  .map((each) => [each.id, each.nodes.map((node) => node.html).slice(0, 3)]))
"""
# A rule that is left out by default, as it is new: a name must hold the text that is seen.
ALL = SERIOUS % 'rules: {"label-content-name-mismatch": {enabled: true}}'
COLOURS = SERIOUS % 'runOnly: ["color-contrast"]'
# Halts a page that plays by itself, so that it is judged as it is.
HALTED = "for (let last = setTimeout(() => {}); last > 0; last -= 1) clearTimeout(last)"


@pytest.fixture(scope="module")
def tour(tmp_path_factory):
    made = Tour(tmp_path_factory.mktemp("tour"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def pages():
    """The pages that were opened, by who looks and the language."""
    opened = {}
    yield opened
    for page in opened.values():
        page.close()


@pytest.fixture
def visit(chromium, tour, pages):
    """Goes to a stop of the tour, in a language."""

    def go(name, language):
        who = name if name in STRANGERS else ""
        page = pages.get((who, language))
        if page is None:
            opener = tour.stranger if who else tour.user
            page = pages[who, language] = opener(chromium, language=language)
        page.theme("light")
        page.size(*SIZES["phone"])
        stop = tour.stops[name]
        page.open(stop.address.replace("{language}", language))
        page.wait_for(stop.ready)
        return page

    return go


def troubles(page):
    """The problems of a page, but for the address that is not there on purpose."""
    found = [each for each in page.problems() if "/nowhere" not in each]
    page.forget()
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_page_fits_every_screen_and_can_be_read_by_everybody(visit, name):
    page = visit(name, "en")
    assert page.evaluate(WEIGHT) < HEAVIEST
    page.evaluate(HALTED)
    page.evaluate(AXE_SCRIPT)
    for size in SIZES.values():
        page.size(*size)
        assert page.overflow() == []
        page.theme("light")
        assert page.evaluate(ALL) == []
        page.theme("dark")
        assert page.evaluate(COLOURS) == []
    assert troubles(page) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_page_in_french_fits_every_screen(visit, name):
    page = visit(name, "fr")
    assert page.evaluate("document.documentElement.lang") == "fr"
    assert page.evaluate(WEIGHT) < HEAVIEST
    for size in SIZES.values():
        page.size(*size)
        assert page.overflow() == []
    assert troubles(page) == []
