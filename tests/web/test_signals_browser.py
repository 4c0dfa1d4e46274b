"""Turns that are signalled, clicks that are refused, and keys on every keyboard."""

import pytest
from web.card_tables import duel
from web.players import NOW, act_once, begun, click_virus, sit, spec

TURN = "document.querySelector('#turn').textContent"
NO_LAYOUT = "Object.defineProperty(Navigator.prototype, 'keyboard', {get: () => undefined})"


@pytest.mark.game("virus")
def test_the_title_says_whose_turn_it_is_and_a_tone_is_asked_for(serve, chromium):
    _, _, page = begun(serve, chromium, "virus")
    page.wait_for("document.title === '(1) Your turn · Virus'")
    assert page.evaluate("document.querySelector('#sound').ariaPressed") == "false"
    page.click("#sound")
    assert page.evaluate("localStorage['joute.sound']") == "1"
    act_once(page, click_virus)  # with the tone
    page.reload()
    page.wait_for("document.querySelector('#sound').ariaPressed === 'true'")
    page.click("#resign")
    page.click("#givers button")
    page.wait_for(f"{NOW}.over && !document.title.startsWith('(1)')")
    assert page.problems() == []
    page.close()


@pytest.mark.game("virus")
def test_a_click_where_nothing_can_stand_is_answered_with_the_reason(serve, chromium):
    _, _, page = begun(serve, chromium, "virus")
    page.wait_for(f"{NOW}.asked")
    page.click(".cell:not(.legal) .hit")
    page.wait_for(f"{TURN}.startsWith('Not there: the cell must be empty')")
    act_once(page, click_virus)
    page.wait_for(f"{TURN} === 'Your turn.'")
    page.close()


@pytest.mark.game("paradise")
def test_digits_are_read_by_their_place_on_the_keyboard(look):
    page = look(duel(8))
    able = page.evaluate("document.querySelectorAll('.duelhand .can').length")
    assert able
    place = page.evaluate(
        "[...document.querySelectorAll('.duelhand button')].findIndex((e) => e.matches('.can'))"
    )
    page.key("&", code_name=f"Digit{place + 1}")  # as a French keyboard types without Shift
    pressed = "document.querySelectorAll('.duelhand [aria-pressed=true]').length"
    assert page.evaluate(pressed) == 1


@pytest.mark.game("tron")
def test_the_page_stays_where_it_is_and_the_second_player_sees_keys_of_the_keyboard(
    serve, chromium
):
    site = serve()
    table = site.app.state.tables.open(spec("tron", {}, "human", "human"), (), "", 4.0)
    page = chromium.page(1366, 360, language="fr")
    page.script(NO_LAYOUT)
    for seat in (0, 1):
        page.open(f"{site.url}/play")
        sit(site, page, table, seat)
    page.wait_for("document.querySelector('.overboard')?.hidden === false")
    page.wait_for("document.querySelector('#keys').textContent.includes('ZQSD')")
    page.evaluate("scrollTo(0, 0)")
    for key in ("ArrowDown", "PageDown", "ArrowDown"):
        page.key(key)
    assert page.evaluate("scrollY") == 0
    page.wait_for("document.querySelector('.overboard p').textContent === '3'")
    assert page.problems() == []
    page.close()
