"""The board of Tron in a browser: trails, heads, teleporters, and how a bike is steered."""

import re

import pytest
from web.gallery import scene

from joute.core import registry
from joute.games.tron.text import picture

MAPS = registry.card("tron").file("maps")
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
    return scene(
        "tron", step, bots, players=len(bots), map=(MAPS / f"{name}.txt").read_text("utf-8")
    )


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


def test_where_teleporters_lead_is_read_on_a_narrow_phone(look):
    page = look(tron("ziggurat", 0), (320, 640), language="fr")
    assert page.evaluate("!!document.querySelector('.tron > .legend')")
    assert page.overflow() == []


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
        "import(`${files}games/tron/board.js`).then(({create}) => { const fresh = create(facts);"
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


def test_who_is_out_in_tron_is_crossed_where_it_stopped_and_said_to_be_out(look):
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
    page = look(shown, touch=way == "pad")
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
    page = look(tron("gates", 12), touch=True)
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


def test_in_real_time_every_direction_may_be_asked_of_a_map_with_stairs(look):
    page = look(tron("ziggurat", 12), touch=True)
    page.evaluate(
        "board.ask({player: 0, live: true, actions: [0, 1, 2, 3, 4, 5].map((way) => [way, ''])},"
        " (direction) => answers.push(direction))"
    )
    assert page.evaluate("document.querySelectorAll('.cell.legal').length") == 0
    page.key("PageUp")
    page.click(".to-downstairs")
    assert page.evaluate("answers") == [4, 5]
