"""The board of Vampires in a browser: the map, and orders that are put together on it."""

from web.gallery import cell, labels, scene

from joute.games.vampires.forecast import forecast
from joute.games.vampires.order import check, moves_of
from joute.play.game import acceptable


def vampires(step, **parameters):
    return scene("vampires", step, ("builtin:nearest", "builtin:random"), **parameters)


def groups(shown):
    """The occupants of cells: number of a cell -> (kind, count)."""
    seen = shown.positions[-1]["seen"]["0"]
    kinds = ("humans", "vampires", "werewolves")
    return {
        y * seen["columns"] + x: next((k, n) for k, n in zip(kinds, counts, strict=True) if n)
        for x, y, *counts in seen["cells"]
    }


def ordered(page, shown):
    """The order that was answered, once: it is legal. As moves [x, y, count, x2, y2]."""
    [actions] = page.evaluate("answers")
    assert actions[-1] == 0
    assert acceptable(shown.game, shown.state, actions)
    moves = moves_of(shown.game, actions[:-1])
    assert check(shown.game, shown.state, moves) is None
    return moves


def own(shown):
    """The first group of who is asked, and a free cell beside it: numbers of cells."""
    [x, y, _, x2, y2] = moves_of(shown.game, [shown.ask["actions"][0][0]])[0]
    columns = shown.positions[-1]["seen"]["0"]["columns"]
    return y * columns + x, y2 * columns + x2


def test_every_group_of_vampires_is_drawn_with_its_count_and_named(look):
    shown = vampires(16)
    page = look(shown)
    found = groups(shown)
    for number, label in enumerate(labels(page)):
        kind, count = found.get(number, (None, 0))
        assert label == f"{number % 11}, {number // 11}: " + (
            f"{count} {kind}" if kind else "empty"
        )
    counts = page.evaluate("[...document.querySelectorAll('.group text')].map(t => +t.textContent)")
    assert counts == [found[number][1] for number in sorted(found)]


CORNER = """<?xml version="1.0"?>
<Map Columns="5" Rows="3"><Humans X="2" Y="0" Count="2"/>
<Vampires X="4" Y="2" Count="200"/><Werewolves X="0" Y="0" Count="4"/></Map>"""
OUTSIDE = """(() => {
  const box = (each) => each.getBoundingClientRect();
  const {right, bottom} = box(document.querySelector("svg.board"));
  const tallies = [...document.querySelectorAll(".tally path")].map(box);
  const outside = tallies.filter((each) => each.right > right || each.bottom > bottom);
  return [tallies.length, outside.length];
})()"""


def test_how_many_go_is_seen_along_the_edges_of_a_map_of_vampires(look):
    shown = vampires(0, map=CORNER)
    page = look(shown)
    moves = {tuple(moves_of(shown.game, [a])[0][3:]): a for a, _ in shown.ask["actions"]}
    page.evaluate(f"board.suggest([{moves[4, 1]}])")
    assert page.evaluate(OUTSIDE) == [1, 0]
    page.evaluate(f"board.suggest([{moves[3, 2]}])")
    assert page.evaluate(OUTSIDE) == [1, 0]


def test_an_order_of_vampires_is_put_together_by_clicks(look):
    shown = vampires(0)
    source, target = own(shown)
    page = look(shown)
    page.click(cell(source))
    page.click(cell(target))
    page.click('.stepper [aria-label="One less"]')
    page.click('.stepper [aria-label="One less"]')
    page.click(".orderbox .primary")
    assert ordered(page, shown) == [[1, 4, 4, *divmod(target, 11)[::-1]]]


def test_a_group_of_vampires_is_dragged_to_where_it_goes(look):
    shown = vampires(0)
    source, target = own(shown)
    page = look(shown)
    page.drag(cell(source), cell(target))
    page.click(".orderbox .primary")
    assert ordered(page, shown) == [[1, 4, 6, *divmod(target, 11)[::-1]]]


def test_vampires_are_ordered_by_keyboard_in_parts(look):
    shown = vampires(0)
    page = look(shown)
    for key in (
        "ArrowRight",
        " ",
        "ArrowRight",
        "Enter",
        "2",
        "ArrowLeft",
        " ",
        "ArrowUp",
        " ",
        "Enter",
    ):
        page.key(key)
    assert ordered(page, shown) == [[1, 4, 4, 1, 3], [1, 4, 2, 2, 4]]


def test_escape_takes_back_what_is_held_then_the_last_move(look):
    shown = vampires(0)
    source, target = own(shown)
    page = look(shown)
    arrows = "document.querySelectorAll('.order-arrow.now').length"
    page.click(cell(source))
    page.click(cell(target))
    page.click(cell(source))
    page.key("Escape")
    assert page.evaluate("document.querySelectorAll('.held').length") == 0
    assert page.evaluate(arrows) == 1
    page.key("Escape")
    assert page.evaluate(arrows) == 0
    page.key("Enter")
    assert page.evaluate("answers") == []


def test_an_order_that_was_refused_can_be_changed_and_sent_again(look):
    shown = vampires(0)
    source, target = own(shown)
    page = look(shown)
    page.click(cell(source))
    page.click(cell(target))
    page.key("3")
    page.key("Enter")
    counts = "[...document.querySelectorAll('.order output')].map(o => +o.textContent)"
    again = "board.ask({...asked, number: %d}, () => {})"
    page.evaluate(again % shown.ask["number"])
    assert page.evaluate(counts) == [3]
    page.evaluate(again % (shown.ask["number"] + 1))
    assert page.evaluate(counts) == []


def test_what_is_entered_cannot_be_left_in_the_same_order(look):
    shown = vampires(16)
    mine = [number for number, (kind, _) in sorted(groups(shown).items()) if kind == "werewolves"]
    near = next((a, b) for a in mine for b in mine if b in (a + 1, a + 11, a + 12))
    page = look(shown)
    page.click(cell(near[0]))
    page.click(cell(near[1]))
    page.click(cell(near[1]))
    assert page.evaluate("document.querySelectorAll('.held').length") == 0
    legal_now = "[...document.querySelectorAll('.legal')].map(c => +c.dataset.cell)"
    assert near[1] not in page.evaluate(legal_now)


def test_groups_that_do_not_split_go_as_a_whole(look):
    shown = vampires(0, split=False)
    source, target = own(shown)
    page = look(shown)
    page.click(cell(source))
    page.click(cell(target))
    page.click('.stepper [aria-label="One less"]')
    page.click(".orderbox .primary")
    [[*_, count, _, _]] = [ordered(page, shown)[0]]
    assert count == 6


def test_the_odds_of_an_order_stand_beside_it_and_on_the_map(look):
    shown = vampires(0)
    source, target = own(shown)
    moves = [[1, 4, 6, *divmod(target, 11)[::-1]]]
    [meeting] = forecast(shown.game, shown.state, moves)
    odds = {**meeting._asdict(), "kind": 3, "there": 10, "chance": 0.3, "won": 1.8, "lost": 7.0}
    page = look(shown, odds=[odds])
    page.click(cell(source))
    page.click(cell(target))
    page.wait_for("document.querySelector('.order .warn-t')")
    assert page.text(".order .warn-t") == "battle: 30%"
    tip = page.text(".tip-in")
    assert "30% to win" in tip
    assert "6 vampires against 10 werewolves" in tip
    assert page.evaluate("previews.at(-1)") == sorted(page.evaluate("previews.at(-1)"))
    page.evaluate("board.ask(null)")
    assert page.evaluate("document.querySelectorAll('.tip-in, .order-arrow.now').length") == 0


def test_the_last_order_of_vampires_is_shown_and_a_hint_can_be(look):
    shown = vampires(16)
    page = look(shown)
    last = [
        part["move"]
        for event in shown.positions[-1]["events"]
        for part in event.get("parts", [event])
        if "move" in part
    ]
    assert page.evaluate("document.querySelectorAll('.order-arrow.past').length") == len(last)
    page.evaluate(f"board.suggest([{shown.ask['actions'][0][0]}, 0])")
    assert page.evaluate("document.querySelectorAll('.order-arrow.hint').length") == 1
