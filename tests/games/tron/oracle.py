"""Tron once more, slow and plain, written from the specification: coordinates, no tables.

Cells are (x, y, floor), y up from 0; `taken` says who has taken a cell.
"""

STEPS = {0: (-1, 0, 0), 1: (0, 1, 0), 2: (1, 0, 0), 3: (0, -1, 0), 4: (0, 0, 1), 5: (0, 0, -1)}
SEVERAL = "*"


class Oracle:
    """One game. `floors` are lists of rows, the top one first."""

    def __init__(self, floors, bikes, rotation=0, order="simultaneous", trail="stay", wrap="none"):
        self.signs = {
            (x, len(rows) - 1 - top, floor): sign
            for floor, rows in enumerate(floors)
            for top, row in enumerate(rows)
            for x, sign in enumerate(row)
        }
        self.width, self.height = len(floors[0][0]), len(floors[0])
        self.order, self.trail, self.wrap = order, trail, wrap
        starts = {sign: cell for cell, sign in self.signs.items() if sign.isdigit()}
        self.heads = [starts[str((bike + rotation) % bikes + 1)] for bike in range(bikes)]
        self.taken = {cell: bike for bike, cell in enumerate(self.heads)}
        self.courses = [None] * bikes
        self.moves = [0] * bikes
        self.deaths = [None] * bikes  # when each went out; equal for those of one moment
        self.moment = 0

    def alive(self):
        return [bike for bike, death in enumerate(self.deaths) if death is None]

    def free(self, cell):
        return self.signs.get(cell, "#") != "#" and cell not in self.taken

    def ends(self, cell):
        """The cell, or both ends of its pair."""
        sign = self.signs[cell]
        if "A" <= sign <= "Z":
            return [each for each in self.signs if self.signs[each] == sign]
        return [cell]

    def entered(self, bike, direction):
        """The cell that a bike enters, before a teleporter takes it on; None for a wall."""
        x, y, floor = self.heads[bike]
        dx, dy, df = STEPS[direction]
        sign = self.signs[x, y, floor]
        if (df == 1 and sign not in "ub") or (df == -1 and sign not in "db"):
            return None
        x, y = x + dx, y + dy
        if "x" in self.wrap:
            x %= self.width
        if "y" in self.wrap:
            y %= self.height
        return (x, y, floor + df) if self.free((x, y, floor + df)) else None

    def legal(self, bike):
        return [direction for direction in STEPS if self.entered(bike, direction) is not None]

    def straight(self, bike):
        """The direction played for a bike whose bot failed."""
        return self.legal(bike)[0] if self.courses[bike] is None else self.courses[bike]

    def play_round(self, choose):
        """One round; `choose(bike, legal)` is asked for those who can move."""
        if self.order == "turns":
            for bike in range(len(self.heads)):
                if self.deaths[bike] is None and len(self.alive()) > 1:
                    legal = self.legal(bike)
                    self.resolve({bike: choose(bike, legal) if legal else None})
        else:
            legal = {bike: self.legal(bike) for bike in self.alive()}
            self.resolve({b: choose(b, free) if free else None for b, free in legal.items()})

    def resolve(self, choices):
        self.moment += 1
        goals = {
            bike: None if direction is None else self.entered(bike, direction)
            for bike, direction in choices.items()
        }
        dead = []
        marks = {}
        for bike, goal in goals.items():
            same = goal is not None and any(
                other != bike and theirs is not None and theirs in self.ends(goal)
                for other, theirs in goals.items()
            )
            for cell in [] if goal is None else self.ends(goal):
                marks[cell] = SEVERAL if same else bike
            if goal is None or same:
                dead.append(bike)
        self.taken.update(marks)
        for bike, direction in choices.items():
            if bike not in dead:
                ends = self.ends(goals[bike])
                self.heads[bike] = next((e for e in ends if e != goals[bike]), goals[bike])
                self.moves[bike] += 1
                if direction < 4:
                    self.courses[bike] = direction
        for bike in dead:
            self.deaths[bike] = self.moment
        if self.trail == "vanish":
            gone = {*dead, SEVERAL} if dead else set()
            self.taken = {cell: who for cell, who in self.taken.items() if who not in gone}

    def over(self, teams=None):
        if len(self.heads) == 1:
            return not self.alive()
        sides = teams or [[bike] for bike in range(len(self.heads))]
        return sum(any(bike in self.alive() for bike in side) for side in sides) <= 1

    def places(self):
        last = [float("inf") if death is None else death for death in self.deaths]
        return [1 + sum(other > mine for other in last) for mine in last]
