"""Sound maps of Tron with everything in them, drawn by Hypothesis."""

from hypothesis import strategies as st

from joute.games.tron.board import TronMap

NAMES = st.text(st.characters(blacklist_characters="#", blacklist_categories=["C", "Z"]))


@st.composite
def sound_maps(draw):
    """Any map that may be read: walls, starts, pairs, stairs, options, up to three floors."""
    width, height = draw(st.integers(2, 9)), draw(st.integers(1, 6))
    count = draw(st.integers(1, 3))
    walls = st.sampled_from("   #")
    floors = [[[draw(walls) for _ in range(width)] for _ in range(height)] for _ in range(count)]
    # A start keeps the cell at its right free; nothing else is put on either.
    pairs = [
        (floor, y, x)
        for floor in range(count)
        for y in range(height)
        for x in range(0, width - 1, 2)
    ]
    kept = set()
    starts = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=8, unique=True))
    for number, (floor, y, x) in enumerate(starts, 1):
        floors[floor][y][x], floors[floor][y][x + 1] = str(number), " "
        kept |= {(floor, y, x), (floor, y, x + 1)}
    free = [
        (floor, y, x)
        for floor in range(count)
        for y in range(height)
        for x in range(width)
        if (floor, y, x) not in kept
    ]
    ends = draw(st.permutations(free))[: 2 * draw(st.integers(0, 3))]
    for letter, one, other in zip("AKZ", ends[::2], ends[1::2], strict=False):
        for floor, y, x in (one, other):
            floors[floor][y][x] = letter
            kept.add((floor, y, x))
    _put_stairs(draw, floors, [place for place in free if place not in kept])
    return TronMap(
        draw(NAMES),
        width,
        height,
        tuple(tuple("".join(row) for row in rows) for rows in floors),
        draw(st.sampled_from(["stay", "vanish"])),
        draw(st.sampled_from(["none", "x", "y", "xy"])),
        draw(st.sampled_from(["simultaneous", "turns"])),
    )


def _put_stairs(draw, floors, free):
    """Staircases over all floors, where every floor has room for them."""
    columns = [
        (y, x)
        for floor, y, x in free
        if floor == 0 and all((each, y, x) in free for each in range(len(floors)))
    ]
    for y, x in draw(st.permutations(columns))[:2] if len(floors) > 1 else ():
        for floor, rows in enumerate(floors):
            rows[y][x] = "u" if floor == 0 else "d" if floor == len(floors) - 1 else "b"
