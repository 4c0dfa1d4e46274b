"""A table in headless Chromium: reloads, lost connections, people at several screens or at one."""

import pytest
from web.players import (
    ASKED,
    NOW,
    SMALL,
    act_once,
    begun,
    click_love_letter,
    click_virus,
    confirm,
    lose_connection,
    played,
    seated,
    sit,
    spec,
)
from web.tabled import finished

from joute.play.thinkers import Thinkers
from joute.play.verify import verify_record

HALLS = """tron 1
name halls
size 8 6 1
floor 0
########
#1    ##
#     ##
########
#     2#
########
end
"""
"""Two bikes that do not meet; the first can turn about."""


@pytest.mark.game("virus")
def test_a_page_that_is_loaded_anew_shows_the_game_as_it_stands(serve, chromium):
    _, _, page = begun(serve, chromium, "virus")
    act_once(page, click_virus)
    shown = page.text("#log")
    page.reload()
    page.wait_for(f"{NOW}.asked")
    assert page.text("#log").split() == shown.split()
    played(page, click_virus)
    assert page.problems() == []
    page.close()


@pytest.mark.game("virus")
def test_a_connection_that_is_lost_is_found_again(serve, chromium):
    _, table, page = begun(serve, chromium, "virus")
    act_once(page, click_virus)
    assert "trying again" in lose_connection(page)
    entries = page.evaluate("document.querySelectorAll('#log li').length")
    assert entries == len(table.playing.timeline.lines)
    played(page, click_virus)
    assert page.problems() == []
    page.close()


@pytest.mark.game("virus")
def test_without_a_connection_nothing_can_be_pressed_that_would_be_lost(serve, chromium):
    _, _, page = begun(serve, chromium, "virus")
    page.wait_for(f"{NOW}.asked")
    page.click("#resign")
    states = page.evaluate(
        "new Promise((found) => { document.querySelector('#table').joute.drop();"
        " new MutationObserver((_, seen) => { seen.disconnect();"
        " found(['#resign', '#undo', '#hint'].map((name) => document.querySelector(name).disabled)"
        ".concat(document.querySelector('#surely').open)); })"
        ".observe(document.querySelector('#trouble'), {attributes: true}); })"
    )
    assert states == [True, True, True, False]
    page.wait_for(f"{NOW}.asked && !document.querySelector('#resign').disabled")
    assert page.problems() == []
    page.close()


@pytest.mark.game("virus")
def test_a_question_whether_to_resign_is_left_by_escape(serve, chromium):
    _, _, page = begun(serve, chromium, "virus")
    page.wait_for(f"{NOW}.asked")
    page.click("#resign")
    assert page.evaluate("document.activeElement.id") == "no"
    page.key("Escape")
    assert not page.evaluate("document.querySelector('#surely').open")
    assert page.evaluate("document.activeElement.id") == "resign"
    assert page.problems() == []
    page.close()


@pytest.mark.game("virus")
def test_another_language_is_spoken_where_the_game_stands(serve, chromium):
    _, _, page = begun(serve, chromium, "virus")
    act_once(page, click_virus)
    page.wait_for("document.querySelector('#turn').textContent === 'Your turn.'")
    page.click("a[hreflang=fr]")
    page.wait_for(f"document.documentElement.lang === 'fr' && {NOW}?.asked")
    page.wait_for("document.querySelector('#turn').textContent === 'À vous.'")
    played(page, click_virus)
    assert "gagne" in page.text("#over h2")
    assert page.problems() == []
    page.close()


@pytest.mark.game("virus")
def test_a_decision_is_taken_back_a_hint_is_given_thoughts_are_shown(serve, chromium):
    _, table, page = begun(serve, chromium, "virus")
    page.wait_for(f"{NOW}.asked")
    before = table.playing.question.state
    act_once(page, click_virus)
    page.click("#undo")
    page.wait_for(f"{NOW}.part === 2 && {NOW}.asked")
    assert table.playing.question.state == before
    page.key("h")
    page.wait_for("document.querySelector('.drawn .hint, .drawn .hinted')")
    assert "Hint (" in page.text("#said")
    page.key("t")
    page.wait_for("!document.querySelector('#think').hidden")
    act_once(page, click_virus)
    # This bot has no opinion: an adviser is asked for one.
    page.wait_for("document.querySelector('#think').textContent.includes('Best line')")
    assert "evaluation" not in page.text(".judged")  # who is ahead comes first, then a fold
    assert not page.evaluate("document.querySelector('#think details').open")
    page.wait_for("!document.querySelector('.evalbar').hasAttribute('hidden')")
    assert page.problems() == []
    page.close()


@pytest.mark.game("vampires")
def test_keys_are_named_as_on_a_french_keyboard(serve, chromium):
    site = serve()
    form = spec("vampires", {"map": SMALL}, "human", "nearest")
    table = site.app.state.tables.open(form, (), "")
    page = seated(site, chromium.page(language="fr"), table, 0)
    page.wait_for(f"{NOW}.asked")
    keys = page.evaluate("[...document.querySelectorAll('kbd')].map((each) => each.textContent)")
    assert {"Espace", "Entrée", "Échap"} <= set(keys)
    assert not {"Space", "Enter", "Esc"} & set(keys)
    page.close()


@pytest.mark.game("virus")
def test_the_link_of_a_seat_works_on_the_page_of_its_table(serve, chromium):
    site = serve()
    table = site.app.state.tables.open(spec("virus", {"size": 4}, "human", "greedy"), (), "")
    page = chromium.page(language="en").open(f"{site.url}/tables/{table.name}")
    page.wait_for(f"{NOW}?.status")
    sit(site, page, table, 0)
    page.close()


@pytest.mark.game("virus")
def test_the_replay_of_a_persons_game_counts_the_time_of_its_bot_alone(serve, chromium):
    site = serve()
    table = site.app.state.tables.open(spec("virus", {"size": 4}, "human", "greedy"), (0,), "ann")
    finished(table)
    page = chromium.page(language="en").open(f"{site.url}/tables/{table.name}/replay")
    page.wait_for("document.querySelector('.timeline')")
    clocks = "[...document.querySelectorAll('.strips .clock')].map((each) => each.hidden)"
    assert page.evaluate(clocks) == [True, False]
    person = next(
        at
        for at, step in enumerate(table.playing.timeline.steps)
        if step.open and step.open[0]["player"] == 0
    )
    page.open(f"{page.evaluate('location.href')}#at={person}")
    page.wait_for(f"document.querySelector('.slider').value === '{person}'")
    assert " ms" not in page.text(".spoken")
    page.close()


@pytest.mark.game("virus")
def test_a_record_is_downloaded_under_the_name_that_the_replay_gives_in_commands(serve):
    site = serve()
    table = site.app.state.tables.open(spec("virus", {"size": 4}, "human", "greedy"), (0,), "ann")
    finished(table)
    address = f"/tables/{table.name}"
    name = f"joute-{table.name}.jsonl"
    for file in (f"{address}/record", f"{address}/replay/record.jsonl"):
        assert f'filename="{name}"' in site.get(file).headers["content-disposition"]
    see = site.get(f"{address}/replay/game.json").json()["commands"]["see"]
    assert see == f"joute replay {name} --at {{ply}}"


@pytest.mark.game("virus")
def test_who_resigns_may_have_a_rematch_with_seats_exchanged(serve, chromium):
    _, table, page = begun(serve, chromium, "virus")
    page.wait_for(f"{NOW}.asked")
    page.click("#resign")
    page.click("#givers button")
    page.wait_for(f"{NOW}.over")
    assert "Ann has resigned" in page.text("#over h2")
    page.wait_for("document.activeElement.id === 'rematch'")
    page.click("#rematch")
    page.wait_for(f"!location.pathname.includes('{table.name}') && {NOW}?.asked")
    names = page.evaluate("[...document.querySelectorAll('#strips b')].map((e) => e.textContent)")
    assert names == ["greedy", "Ann"]
    page.evaluate("history.back()")
    page.wait_for(f"location.pathname.includes('{table.name}') && {NOW}?.over && {NOW}.status")
    page.click("#rematch")
    page.wait_for(f"!location.pathname.includes('{table.name}') && {NOW}?.asked")
    assert page.problems() == []
    page.close()


@pytest.mark.game("virus")
def test_two_people_at_their_own_screens_play_by_a_link(serve, chromium):
    site = serve()
    host = chromium.page(language="en")
    host.open(f"{site.url}/play/virus")
    host.click("input[name=opponent][value=person]")
    host.evaluate("document.querySelector('#size').value = '6'")
    host.type("#name", "Ann")
    host.click("form .btn.primary")
    code = "document.querySelector('#links code')?.textContent"
    link = host.wait_for(f"{code}?.startsWith('http') && {code}")
    guest = chromium.page(language="fr").open(link)
    guest.type("#person", "Béa")
    guest.click("#seated")
    for page in (host, guest):
        page.wait_for(f"{NOW}?.status?.begun && {NOW}.table.you.length")
    assert host.evaluate("document.querySelector('#links')") is None
    for _ in range(2):
        mover = (
            host
            if host.wait_for(f"{NOW}.asked ? 'me' : {NOW}.status.asked !== null && 'other'") == "me"
            else guest
        )
        act = mover.wait_for(f"{NOW}.asked?.number")
        click_virus(mover)
        mover.wait_for(f"{NOW}.asked?.number !== {act}")
        host.wait_for(f"{NOW}.status.asked !== null")
    assert "Béa" in host.text("#strips")
    waits = guest if host.wait_for(f"{NOW}.asked ? 'me' : 'other'") == "me" else host
    waits.wait_for("!document.querySelector('#undo').disabled")
    waits.click("#undo")
    other = host if waits is guest else guest
    other.wait_for("document.querySelector('#asks').open")
    other.click("#accept")
    waits.wait_for(f"{NOW}.part === 2 && {NOW}.asked")
    other.wait_for(f"{NOW}.part === 2 && !{NOW}.asked && {NOW}.status.asked !== null")
    assert other.evaluate("document.querySelector('#hint').disabled")
    assert host.problems() + guest.problems() == []
    host.close()
    guest.close()


@pytest.mark.game("virus")
def test_the_link_of_a_seat_that_is_taken_offers_no_seat(serve, chromium):
    site = serve()
    table = site.app.state.tables.open(spec("virus", {"size": 6}, "human", "greedy"), (), "")
    link = f"{site.url}/tables/{table.name}#seat={table.chairs[0].key}"
    late = chromium.page(language="en").open(link)
    late.wait_for("document.querySelector('#sit').open")
    ann = seated(site, chromium.page(language="en"), table, 0)
    late.wait_for("!document.querySelector('#sit').open")
    for page in (ann, late):
        page.wait_for(f"{NOW}.status.asked === 0")  # and nothing more happens
        page.open(link)
        page.wait_for("!location.hash")
        assert not page.evaluate("document.querySelector('#sit').open")
    assert late.text("#said") == "Somebody else has taken this seat."
    assert "taken" not in ann.evaluate("document.querySelector('#said').textContent")
    assert late.problems() + ann.problems() == []
    late.close()
    ann.close()


LEFT = "['log', 'said', 'heard'].map((id) => document.getElementById(id).textContent).join('')"
"""The words of a page on what happened."""


@pytest.mark.game("love-letter")
def test_at_one_screen_cards_are_shown_to_one_person_at_a_time(serve, chromium):
    site = serve()
    page = chromium.page(language="en").open(f"{site.url}/play/love-letter")
    page.click("input[name=opponent][value=here]")
    page.click("form .btn.primary")
    page.wait_for(f"{NOW}?.asked || document.querySelector('#pass')?.open")
    passes = 0  # whoever wins a round begins the next one, and plays twice in a row
    while passes < 2 and not page.evaluate(f"{NOW}.over"):
        if page.evaluate("document.querySelector('#pass').open"):
            while not page.evaluate("document.querySelector('#place').hidden"):
                page.click("#alone")  # hides what the last action showed
            assert page.evaluate(LEFT) == ""
            page.click("#alone")
            passes += 1
        number = page.wait_for(f"{NOW}.asked?.number")
        assert page.evaluate(f"{NOW}.asked.player === {NOW}.viewer")
        click_love_letter(page)
        confirm(page)  # where it is the Princess
        asked = f"({ASKED} || {number}) !== {number}"  # of the next turn
        page.wait_for(f"{NOW}.over || document.querySelector('#pass').open || {asked}")
    if not page.evaluate(f"{NOW}.over"):
        page.click("#resign")
        page.click("#givers button")
        page.wait_for(f"{NOW}.over")
    assert not page.evaluate("document.querySelector('#place').hidden")
    assert not page.evaluate("document.querySelector('#pass').open")
    assert page.problems() == []
    page.close()


@pytest.mark.game("tron")
def test_bikes_are_steered_in_real_time(serve, chromium):
    site, table, page = begun(serve, chromium, "tron", speed=2)
    page.wait_for(f"{NOW}.asked?.live")
    words = "document.querySelector('.overboard p').textContent"
    page.wait_for(f"{words} === 'Ready?'")
    assert table.playing.clock.unready == {0}
    page.key("ArrowUp")  # any key that steers begins
    page.wait_for(f"{words} === '1'")
    page.wait_for("document.querySelector('.overboard').hidden")
    page.key(" ")
    page.wait_for(f"{words} === 'Paused'")
    page.key(" ")
    for key in ("ArrowUp", "ArrowLeft"):
        page.key(key)
    page.wait_for(f"{NOW}.over")
    assert page.problems() == []
    assert verify_record(site.get(f"/tables/{table.name}/record").content).ok
    page.close()


@pytest.mark.game("virus")
def test_a_spectator_sees_each_action(serve, chromium):
    site, table, page = begun(serve, chromium, "virus")
    watcher = chromium.page(language="en").open(f"{site.url}/tables/{table.name}")
    watcher.wait_for(f"{NOW}?.number >= 0")
    act_once(page, click_virus)
    number = page.evaluate(f"{NOW}.number")
    watcher.wait_for(f"{NOW}.number === {number}")
    assert watcher.evaluate(f"{NOW}.asked") is None
    assert watcher.problems() == []
    page.close()
    watcher.close()


@pytest.mark.game("tron")
def test_trails_and_the_log_are_whole_after_a_reload(serve, chromium):
    _, _, page = begun(serve, chromium, "tron", chart=HALLS)
    drawn = "[...document.querySelectorAll('.trail')].map((each) => each.getAttribute('d'))"
    for key in ("ArrowRight", "ArrowDown", "ArrowRight"):
        page.wait_for(f"{NOW}.asked")
        number = page.evaluate(ASKED)
        page.key(key)
        page.wait_for(f"{NOW}.asked && {ASKED} !== {number}")
    shown, log = page.evaluate(drawn), page.text("#log")
    assert "PgUp" not in page.text("#keys")  # there are no stairs
    page.reload()
    page.wait_for(f"{NOW}.asked")
    assert page.evaluate(drawn) == shown
    assert page.text("#log") == log
    assert page.problems() == []
    page.close()


@pytest.mark.game("tron")
def test_of_several_people_at_one_screen_it_is_asked_who_resigns(serve, chromium):
    site = serve()
    table = site.app.state.tables.open(
        spec("tron", {"players": 3}, "human", "human", "random"), (), "", 0.05
    )
    page = chromium.page(language="en")
    for seat in (0, 1):
        sit(site, page, table, seat)
    page.wait_for(f"{NOW}?.status?.begun && {NOW}.asked?.live")
    page.click("#resign")
    page.wait_for("document.querySelectorAll('#givers button').length === 2")
    page.click("#givers [data-player='1']")
    page.wait_for(f"{NOW}.status.seats[1].resigned")
    page.wait_for("document.querySelector('#log').textContent.includes('Bob resigns')")
    assert not page.evaluate(f"{NOW}.over || {NOW}.status.seats[0].resigned")
    page.click("#resign")
    page.click("#givers [data-player='0']")
    page.wait_for("document.querySelector('#resign').hidden")
    assert page.problems() == []
    page.close()


@pytest.mark.game("virus")
def test_people_are_told_who_plays_for_a_bot_that_is_compiled_and_may_wait_for_it(
    serve, chromium, monkeypatch
):
    monkeypatch.setattr(Thinkers, "pending", lambda thinkers, game, bot: bot != "human")
    _, table, page = begun(serve, chromium, "virus")
    page.wait_for(f"{NOW}.asked")
    page.wait_for("document.querySelector('#standing').textContent.includes('greedy plays for it')")
    act_once(page, click_virus)
    assert any(line.get("stand_in") == "builtin:greedy" for line in table.playing.timeline.lines)
    assert "in its place" in page.text("#log")
    page.click("#await")
    page.wait_for("document.querySelector('#standing').hidden")
    assert table.playing.waits
    assert page.problems() == []
    page.close()
