"""Laws of the boards of every game, and the board of a game without a drawing."""

import pytest
from web.gallery import labels, scene

from joute.core.interface import mover
from joute.web.assets import PLAIN, files
from joute.web.games import web_of

GAMES = {
    "virus": ("builtin:random",) * 2,
    "tron": ("builtin:wall",) * 2,
    "vampires": ("builtin:nearest",) * 2,
    "love-letter": ("builtin:random",) * 2,
    "paradise": ("builtin:random",) * 2,
}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_without_a_drawing_is_played_by_buttons_and_keys(look, name):
    shown = scene(name, 6, GAMES[name])
    seat = mover(shown.game, shown.state)
    page = look(shown, module=PLAIN, viewer=seat)
    buttons = "[...document.querySelectorAll('.choices button')]"
    texts = page.evaluate(f"{buttons}.map(b => b.firstChild.textContent)")
    assert texts == [text for _, text in shown.ask["actions"]]
    names = page.evaluate("[...document.querySelectorAll('.seen dt')].map(t => t.textContent)")
    observed = shown.positions[-1]["seen"][str(seat) if shown.facts["hidden"] else "0"]
    kept = [name.replace("_", " ") for name in observed if name not in ("to_move", "player")]
    assert names == kept
    page.key("ArrowRight")
    page.key("ArrowLeft")
    page.key("Enter")
    assert page.evaluate("answers") == [shown.ask["actions"][-1][0]]
    page.evaluate("board.ask(asked, (action) => answers.push(action))")
    page.key("1")
    assert page.evaluate("answers.at(-1)") == shown.ask["actions"][0][0]


@pytest.mark.parametrize("name", ["virus", "tron", "vampires"])
def test_keys_with_a_modifier_and_those_typed_into_a_field_are_not_the_boards(look, name):
    page = look(scene(name, 6, GAMES[name]))
    page.evaluate("document.body.append(document.createElement('input'))")
    page.evaluate("document.querySelector('input').focus()")
    for key in ("ArrowDown", "p", "l", "Enter"):
        page.key(key)
    page.evaluate("document.activeElement.blur()")
    for key in ("p", "ArrowUp"):
        page.key(key, modifiers=2)
    assert page.evaluate("answers") == []
    assert page.evaluate("document.activeElement.tagName") == "BODY"


@pytest.mark.parametrize("name", ["virus", "tron", "vampires"])
def test_a_board_fits_a_phone_and_shows_what_may_be_chosen(look, name):
    page = look(scene(name, 6, GAMES[name]), (390, 844))
    assert page.overflow() == []
    left, right = page.evaluate(
        "(({left, right}) => [left, right])"
        "(document.querySelector('.cell.legal').getBoundingClientRect())"
    )
    assert 0 <= left < right <= 390


@pytest.mark.game("virus")
def test_boards_speak_french(look):
    page = look(scene("virus", 30), language="fr")
    assert any(label.endswith(", vide, jouable") for label in labels(page))
    assert page.text(".below .btn").startswith("Passer")


@pytest.mark.parametrize("name", GAMES)
def test_the_page_of_a_table_knows_which_boards_are_wide(name):
    script = files()[f"games/{name}/board.js"].read_text("utf-8")
    assert ("export const wide = true" in script) == web_of(name).wide
