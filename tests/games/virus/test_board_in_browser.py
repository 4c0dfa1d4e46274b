"""The board of Virus in a browser: what it shows and answers, held against the game."""

import pytest
from web.gallery import cell, hang, labels, scene

pytestmark = pytest.mark.game("virus")


def test_every_stone_of_virus_is_drawn_and_named(look):
    shown = scene("virus", 30)
    grid = "".join(shown.positions[-1]["seen"]["0"]["grid"])
    page = look(shown)
    drawn = page.evaluate(
        "[...document.querySelectorAll('[role=gridcell]')]"
        ".map(c => c.querySelector('.stone use')?.getAttribute('href')?.at(-1) ?? '.').join('')"
    )
    assert grid == drawn
    words = {".": "empty", "0": "Blue", "1": "Gold"}
    asked = {action for action, _ in shown.ask["actions"]}
    for number, (owner, label) in enumerate(zip(grid, labels(page), strict=True)):
        name = f"{'abcdefghij'[number % 10]}{number // 10 + 1}, {words[owner]}"
        assert label == (f"{name}, legal" if number in asked else name)


def test_a_click_on_a_legal_cell_of_virus_answers_once_and_puts_the_lights_out(look):
    shown = scene("virus", 30)
    page = look(shown)
    legal_cells = page.evaluate(
        "[...document.querySelectorAll('.legal')].map(c => +c.dataset.cell)"
    )
    assert legal_cells == [action for action, _ in shown.ask["actions"] if action < 100]
    taken = next(n for n in range(100) if n not in legal_cells)
    page.click(cell(taken))
    page.click(cell(legal_cells[3]))
    page.click(cell(legal_cells[0]))
    assert page.evaluate("answers") == [legal_cells[3]]
    assert page.evaluate("document.querySelectorAll('.legal, .aim').length") == 0


def test_virus_is_played_by_keyboard_with_one_tab_stop(look):
    shown = scene("virus", 30)
    page = look(shown)
    first, second, *_ = (action for action, _ in shown.ask["actions"])
    assert page.evaluate("document.querySelectorAll('[role=grid] [tabindex=\"0\"]').length") == 1
    page.key("ArrowDown")
    assert page.evaluate("+document.activeElement.dataset.cell") == first
    page.key("l")
    assert page.evaluate("+document.activeElement.dataset.cell") == second
    page.key("ArrowUp")
    page.key("ArrowDown")
    page.key("Enter")
    assert page.evaluate("answers") == [second]


def test_p_passes_in_virus(look):
    page = look(scene("virus", 30))
    page.key("p")
    assert page.evaluate("answers") == [100]


def test_only_what_turned_just_now_moves(chromium, site):
    course = scene("virus", 40)
    turning = (
        e["number"] for e in course.positions if e["number"] > 5 and e["events"][-1].get("turned")
    )
    shown = scene("virus", next(turning))
    event = shown.positions[-1]["events"][-1]
    page = chromium.page(still=False).open(hang(site, shown))
    page.wait_for("window.hung")
    moving = "[...document.querySelectorAll('.turning')].map(s => +s.parentNode.dataset.cell)"
    placed = "[...document.querySelectorAll('.placed')].map(s => +s.parentNode.dataset.cell)"
    assert page.evaluate(moving) == [row * 10 + column for row, column in event["turned"]]
    assert page.evaluate(placed) == [event["action"]]
    page.evaluate("board.show(positions.at(-2), {quick: true})")
    page.evaluate("board.show(positions.at(-1), {quick: true})")
    assert page.evaluate(moving) == page.evaluate(placed) == []
    page.close()


def test_a_hint_is_marked_until_the_next_question(look):
    shown = scene("virus", 30)
    action = shown.ask["actions"][2][0]
    page = look(shown)
    page.evaluate(f"board.suggest([{action}])")
    hinted = "[...document.querySelectorAll('.hinted')].map(c => c.dataset.cell)"
    assert page.evaluate(hinted) == [str(action)]
    page.evaluate("board.ask(asked, () => {})")
    assert page.evaluate(hinted) == []
