"""The words on the page of a table in headless Chromium: names, what is asked, figures."""

import pytest
from web.players import NOW, begun, sit, spec

from joute.play.chance import derive
from joute.play.game import HUMAN, GameSpec, SeatSpec, usual_costs

CALLED = "[...document.querySelectorAll('#place .name')].map((each) => each.textContent)"
WORDS = "document.querySelector('.overboard p').textContent"
TURN = "document.querySelector('#turn').textContent"
HEARD = f"""globalThis.heard = [];
new MutationObserver(() => heard.push({TURN}))
  .observe(document.querySelector('#turn'), {{childList: true}})"""


def guests(game, *names) -> GameSpec:
    """A game of people, those of the empty seats under the name that these have."""
    return GameSpec(
        game=game,
        parameters={"players": len(names)} if len(names) > 2 else {},
        bots=tuple(SeatSpec(name=name, bot=HUMAN) for name in names),
        seed=derive("guests", game),
        costs=usual_costs(game),
    )


@pytest.mark.game("love-letter")
def test_who_sits_down_is_called_by_name_on_the_boards_that_are_open_already(serve, chromium):
    site = serve()
    form = guests("love-letter", "Guest", "Guest 2", "Ann")
    table = site.app.state.tables.open(form, (), "")
    ann, bob, cleo = (chromium.page(language="en") for _ in range(3))
    sit(site, ann, table, 2)
    assert sorted(ann.evaluate(CALLED)) == ["Ann", "Guest", "Guest 2"]
    sit(site, bob, table, 0, "Bob")
    ann.wait_for(f"{CALLED}.includes('Bob')")
    assert ann.evaluate("document.title").count("Bob") == 1
    sit(site, cleo, table, 1, "Cleo")
    for page in (ann, bob, cleo):
        page.wait_for(f"{NOW}.status.begun")
        page.wait_for(f"String({CALLED}.sort()) === 'Ann,Bob,Cleo'")
        assert page.problems() == []
        page.close()


@pytest.mark.game("paradise")
def test_a_hero_has_the_name_of_who_sits_down_on_a_board_that_is_open_already(serve, chromium):
    site = serve()
    table = site.app.state.tables.open(guests("paradise", "Ann", "Guest"), (), "")
    ann, bob = (chromium.page(language="en") for _ in range(2))
    sit(site, ann, table, 0)
    sit(site, bob, table, 1, "Bob")
    ann.wait_for(
        f"{NOW}.status.begun && document.querySelector('#place').textContent.includes('Bob')"
    )
    assert "Guest" not in ann.text("#place")
    for page in (ann, bob):
        assert page.problems() == []
        page.close()


@pytest.mark.game("tron")
def test_the_status_line_says_what_a_game_in_real_time_asks(serve, chromium):
    _, _, page = begun(serve, chromium, "tron", speed=2)
    page.wait_for(f"{TURN} === 'Ready?'")
    page.wait_for("document.activeElement.textContent === 'Start'")
    page.evaluate(HEARD)
    page.key("Enter")
    page.wait_for(f"{WORDS} === '1' && {TURN} === ''")
    page.wait_for("document.querySelector('.overboard').hidden")
    page.key(" ")
    page.wait_for(f"{TURN} === 'Paused'")
    page.wait_for("document.activeElement.textContent === 'Go on'")
    assert not [each for each in page.evaluate("heard") if "thinking" in each]
    assert page.problems() == []
    page.close()


@pytest.mark.game("tron")
def test_the_button_over_a_board_in_real_time_is_the_first_of_it(serve, chromium):
    _, _, page = begun(serve, chromium, "tron", speed=2)
    page.wait_for(f"{WORDS} === 'Ready?'")
    first = "document.querySelector('#place').querySelector('button, a, [tabindex]')"
    assert page.evaluate(f"{first}.textContent") == "Start"
    assert page.evaluate("document.querySelector('.overboard').ariaLabel") == "Ready?"
    assert page.text("#over-how") == "Press any arrow, or tap the board."
    assert page.evaluate(f"{first}.getAttribute('aria-describedby')") == "over-how"
    page.close()


@pytest.mark.game("virus")
def test_a_clock_that_runs_out_is_written_as_the_reader_writes_figures(serve, chromium):
    site = serve()
    form = spec("virus", {"size": 4}, "human", "human")
    table = site.app.state.tables.open(form, (), "", clock=(15.0, 0.0))
    page = chromium.page(language="fr")
    for seat in (0, 1):
        sit(site, page, table, seat)
    page.wait_for(f"{NOW}.asked")
    page.wait_for(r"/^\d+,\d$/.test(document.querySelector('.clock').textContent)")
    assert page.problems() == []
    page.close()


@pytest.mark.game("tron")
def test_a_french_page_counts_no_points_in_the_singular_and_parts_actions_of_several_words(
    serve, chromium
):
    site = serve()
    table = site.app.state.tables.open(spec("tron", {}, "human", "random"), (), "", 4.0)
    page = chromium.page(language="fr")
    sit(site, page, table, 0)
    page.wait_for("document.querySelector('.score').ariaLabel === '0 point'")
    loaded = "performance.getEntriesByType('resource').map(({name}) => name)"
    words = f"import({loaded}.find((name) => name.endsWith('/words.js')))"
    for actions, said in (
        (["b3", "a4"], "b3 a4"),
        (["0,0 x5 -> 1,1", "fini"], "0,0 x5 -> 1,1; fini"),
    ):
        assert page.evaluate(f"{words}.then((found) => found.sequence({actions}))") == said
    page.close()
