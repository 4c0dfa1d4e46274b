"""A program of the 2010 Tron contest, written from the description of its protocol.

It keeps a wall at its side. `python tron2010.py WAY` misbehaves: see WAYS; each from its third move
on, so that its first moves show that it was well.
"""

import sys
import time

NORTH, EAST, SOUTH, WEST = 1, 2, 3, 4
STEPS = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}
WAYS = ("well", "late", "silent", "sleeping", "crash", "leave", "rubbish", "loud", "wall")


def read_map():
    """The rows of the coming turn, from the top; None when the game is over."""
    first = sys.stdin.readline()
    if not first:
        return None
    width, height = map(int, first.split())
    rows = [sys.stdin.readline().rstrip("\n") for _ in range(height)]
    if any(len(row) != width for row in rows):
        raise ValueError("a row is not %d cells wide" % width)
    return rows


def choose(rows):
    y = next(number for number, row in enumerate(rows) if "1" in row)
    x = rows[y].index("1")

    def free(x, y):
        return rows[y][x] == " "

    def walls(direction):
        near, far = x + STEPS[direction][0], y + STEPS[direction][1]
        return sum(not free(near + dx, far + dy) for dx, dy in STEPS.values())

    possible = [d for d, (dx, dy) in STEPS.items() if free(x + dx, y + dy)]
    return max(possible, key=walls, default=NORTH)


def misbehave(way, rows):
    if way == "late":
        while True:
            pass
    elif way == "silent":
        sys.stdin.read()
    elif way == "sleeping":
        time.sleep(3600)
    elif way == "crash":
        raise IndexError("nowhere to go")
    elif way == "leave":
        sys.exit(3)
    elif way == "rubbish":
        return "nord"
    elif way == "loud":
        sys.stderr.write("a" * 1000000 + "\n")
    elif way == "wall":
        # Back to where it comes from.
        y = next(number for number, row in enumerate(rows) if "1" in row)
        x = rows[y].index("1")
        return next(d for d, (dx, dy) in STEPS.items() if rows[y + dy][x + dx] == "#")
    return choose(rows)


def main(way):
    number = 0
    while True:
        rows = read_map()
        if rows is None:
            return
        number += 1
        print(choose(rows) if number < 3 else misbehave(way, rows), flush=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "well")
