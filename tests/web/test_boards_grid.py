"""The boards of Virus, Tron and Vampires, and of a game without a drawing, in a browser.

Whatever a board shows is held against what the game says; whatever it answers, against what the
game allows.
"""

import re
from pathlib import Path

import pytest
from web.gallery import hang, scene

from joute.games.interface import mover
from joute.games.tron_text import picture
from joute.games.vampires_forecast import forecast
from joute.games.vampires_order import check, moves_of
from joute.play.rulings import acceptable

MAPS = Path(__file__).parents[2] / "maps"


@pytest.fixture(scope="module")
def pages(chromium):
    """Two pages for all tests: one of somebody who wants no motion, and one of somebody else."""
    return {still: chromium.page(still=still) for still in (True, False)}


@pytest.fixture
def look(site, pages):
    """Opens the page of a scene; in the end nothing must have gone wrong on it."""
    used = []

    def start(shown, width=1280, height=800, *, still=True, **options):
        page = pages[still]
        used.append(page)
        page.size(width, height)
        page.open(hang(site, shown, **options))
        page.wait_for("window.hung")
        return page

    yield start
    assert [page.problems() for page in used] == [[] for page in used]


def map_of(game, name):
    """The parameter of a game on a map that comes with Joute."""
    [file] = (MAPS / game).glob(f"{name}.*")
    return {"map": file.read_text("utf-8")}


def cell(number):
    return f'[data-cell="{number}"]'


# Virus


def labels(page):
    return page.evaluate("[...document.querySelectorAll('[role=gridcell]')].map(c => c.ariaLabel)")


def test_every_stone_of_virus_is_drawn_and_named(look):
    shown = scene("virus", 30)
    grid = "".join(shown.positions[-1]["seen"]["0"]["grid"])
    page = look(shown)
    drawn = page.evaluate(
        "[...document.querySelectorAll('[role=gridcell]')]"
        ".map(c => c.querySelector('.stone use')?.getAttribute('href')?.at(-1) ?? '.').join('')"
    )
    assert grid == drawn
    words = {".": "empty", "0": "Azure", "1": "Or"}
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


def test_only_what_turned_just_now_moves(look):
    shown = scene("virus", 40)
    step = next(
        number for number in range(40, 5, -1)
        if shown.positions[number]["events"][-1].get("turned")
    )  # fmt: skip
    shown = scene("virus", step)
    event = shown.positions[-1]["events"][-1]
    page = look(shown, still=False)
    moving = "[...document.querySelectorAll('.turning')].map(s => +s.parentNode.dataset.cell)"
    placed = "[...document.querySelectorAll('.placed')].map(s => +s.parentNode.dataset.cell)"
    assert page.evaluate(moving) == [row * 10 + column for row, column in event["turned"]]
    assert page.evaluate(placed) == [event["action"]]
    page.evaluate("board.show(positions.at(-2), {quick: true})")
    page.evaluate("board.show(positions.at(-1), {quick: true})")
    assert page.evaluate(moving) == page.evaluate(placed) == []


def test_a_hint_is_marked_until_the_next_question(look):
    shown = scene("virus", 30)
    action = shown.ask["actions"][2][0]
    page = look(shown)
    page.evaluate(f"board.suggest([{action}])")
    hinted = "[...document.querySelectorAll('.hinted')].map(c => c.dataset.cell)"
    assert page.evaluate(hinted) == [str(action)]
    page.evaluate("board.ask(asked, () => {})")
    assert page.evaluate(hinted) == []


# Tron

DRIVERS = {
    "gates": ("builtin:wall", "builtin:random"),
    "ziggurat": ("builtin:random",) * 4,
    "torus": ("builtin:wall",) * 4,
    "ghosts": ("builtin:wall",) * 2,
    "eight": ("builtin:wall",) * 8,
    "workshop": ("builtin:fill",),
}


def tron(name, step):
    bots = DRIVERS[name]
    return scene("tron", step, bots, players=len(bots), **map_of("tron", name))


def passed(path, height):
    """The cells (x, y up) that a line of a floor's drawing passes."""
    found, pen = set(), (0.0, 0.0)
    for letter, numbers in re.findall(r"([MLHVh])([\d. -]*)", path):
        values = [float(each) for each in numbers.split()]
        x, y = pen
        ends = {"H": (values[0], y), "V": (x, values[0]), "h": (x + values[0], y)}
        target = ends.get(letter) or (values[0], values[1])
        if letter != "M":
            for share in range(31):
                left, top = (a + (b - a) * share / 30 for a, b in zip(pen, target, strict=True))
                found.add((int(left - 8) // 30, height - 1 - int(top - 8) // 30))
        pen = target
    return found


@pytest.mark.parametrize("name", DRIVERS)
def test_a_trail_of_tron_covers_just_the_cells_of_its_bike(look, name):
    shown = tron(name, 24)
    floors = picture(shown.game, shown.state)
    width, height = len(floors[0][0]), len(floors[0])
    paths = (
        "[...document.querySelectorAll('svg.board')].map(b => Object.fromEntries("
        "[...b.querySelectorAll('[data-bike] .trail')]"
        ".map(t => [t.parentNode.dataset.bike, t.getAttribute('d')])))"
    )
    page = look(shown)
    drawn = [page.evaluate(paths)]
    # A board that did not see how it came to this draws the same cells, joined as they may be.
    page.evaluate(
        "import(`${scripts}boards/tron.js`).then(({create}) => { const fresh = create(facts);"
        " board.element.replaceWith(fresh.element); fresh.show(positions.at(-1)) })"
    )
    drawn.append(page.evaluate(paths))
    for bike in range(shown.facts["players"]):
        for floor, rows in enumerate(floors):
            mine = {
                (x, height - 1 - top)
                for top, row in enumerate(rows)
                for x, sign in enumerate(row)
                if sign == str(bike + 1)
            }
            # Cell by cell is only for who does not know better: a dot in each.
            assert len(mine) < 3 or drawn[0][floor][str(bike)].count("h.1") < len(mine)
            for each in drawn:
                cells = passed(each[floor].get(str(bike), ""), height)
                assert mine == {(x, y) for x, y in cells if 0 <= x < width and 0 <= y < height}


def test_who_is_out_in_tron_is_crossed_where_he_stopped_and_said_to_be_out(look):
    shown = tron("ziggurat", 200)
    page = look(shown)
    alive = shown.positions[-1]["seen"]["0"]["alive"]
    crossed = page.evaluate(
        "[...document.querySelectorAll('.head.gone')].map(h => +h.dataset.bike)"
    )
    assert sorted(crossed) == [bike for bike in range(4) if bike not in alive]
    floors = page.evaluate("[...document.querySelectorAll('svg.board')].map(b => b.ariaLabel)")
    for bike in range(4):
        moves = shown.positions[-1]["points"][bike]
        assert all((f"Bot {bike}" in f and f"out after {moves}" in f) for f in floors) == (
            bike in crossed
        )


@pytest.mark.parametrize("way", ["key", "lozenge", "pad"])
def test_a_bike_is_steered_by_key_by_a_click_on_a_cell_and_by_the_pad(look, way):
    shown = tron("gates", 12)
    page = look(shown)
    free = [direction for direction, _ in shown.ask["actions"]]
    wall = next(direction for direction in range(4) if direction not in free)
    keys = ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"]
    if way == "key":
        page.key(keys[wall])
        page.key(keys[free[-1]])
        page.key(keys[free[0]])
    elif way == "lozenge":
        page.evaluate(f"[...document.querySelectorAll('.cell.legal')][{len(free) - 1}].id = 'way'")
        page.click("#way")
    else:
        page.click(f".to-{shown.ask['actions'][-1][1]}")
    assert page.evaluate("answers") == [free[-1]]


def test_in_real_time_every_turn_is_answered_at_once_whatever_is_in_the_way(look):
    page = look(tron("gates", 12))
    page.evaluate("board.ask({player: 0, live: true}, (direction) => answers.push(direction))")
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
        page.key(key)
    page.evaluate("board.show(positions.at(-1))")
    page.key("w")
    page.click(".to-left")
    page.evaluate("board.ask(null)")
    page.key("ArrowLeft")
    assert page.evaluate("answers") == [0, 1, 2, 3, 1, 0]


def test_a_teleporter_that_was_used_is_dashed(look):
    shown = next(s for s in (tron("gates", step) for step in range(60)) if used(s))
    page = look(shown)
    assert page.evaluate("[...document.querySelectorAll('.door.spent')].map(d => d.ariaLabel)") == [
        f"Teleporter {letter}, used" for letter in sorted(used(shown)) for _ in range(2)
    ]


def test_a_bike_that_a_teleporter_puts_into_a_dead_end_is_crossed_there(look):
    text = "tron 1\nsize 6 3 1\nfloor 0\n######\n#1A#A#\n######\nend\n"
    page = look(scene("tron", 1, ("builtin:random",), map=text, players=1))
    path = page.evaluate("document.querySelector('.trail').getAttribute('d')")
    assert passed(path, 3) == {(1, 1), (2, 1), (4, 1)}
    middle = page.evaluate("+document.querySelector('.head.gone .disc').getAttribute('cx')")
    assert middle == 8 + 4.5 * 30


def used(shown):
    """The letters of the map that are not free any more."""
    now = "".join(row for rows in picture(shown.game, shown.state) for row in rows)
    text = shown.facts["parameters"]["map"].partition("floor 0")[2]
    return {sign for sign in text if sign.isupper() and sign not in now}


# Vampires


def vampires(step, **parameters):
    return scene("vampires", step, ("builtin:nearest", "builtin:random"), **parameters)


def groups(shown):
    """Who stands where: number of a cell -> (kind, count)."""
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
    assert page.text(".order .warn-t") == "battle: 30 %"
    tip = page.text(".tip-in")
    assert "30 % to win" in tip
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


# Games without a drawing

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
    page = look(shown, module="a game of tomorrow", viewer=seat)
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


# All


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
    page = look(scene(name, 6, GAMES[name]), 390, 844)
    assert page.overflow() == []
    left, right = page.evaluate(
        "(({left, right}) => [left, right])"
        "(document.querySelector('.cell.legal').getBoundingClientRect())"
    )
    assert 0 <= left < right <= 390


def test_boards_speak_french(site, chromium):
    page = chromium.page(language="fr")
    page.open(hang(site, scene("virus", 30)))
    page.wait_for("window.hung")
    assert any(label.endswith(", vide, jouable") for label in labels(page))
    assert page.text(".below .btn").startswith("Passer")
    page.close()
