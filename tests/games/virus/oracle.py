"""Virus written a second time, plainly, from the specification alone: lists of lists, no bits.

It shares no code with the program, so that both being wrong in the same way is unlikely. Cells are
(row, column); `None` is empty; an action is a cell or PASS.
"""

PASS = "pass"
Cell = tuple[int, int]
Action = Cell | str


class Oracle:
    """One game of Virus, from the draw of the starter on."""

    def __init__(self, size: int, voluntary_pass: bool, starter: int) -> None:
        self.size = size
        self.voluntary_pass = voluntary_pass
        self.to_move = starter
        self.passes = 0
        self.over = False
        last = size - 1
        self.grid: list[list[int | None]] = [[None] * size for _ in range(size)]
        self.grid[0][0] = self.grid[last][last] = 0
        self.grid[0][last] = self.grid[last][0] = 1

    def copy(self) -> "Oracle":
        other = Oracle(self.size, self.voluntary_pass, self.to_move)
        other.passes, other.over = self.passes, self.over
        other.grid = [row.copy() for row in self.grid]
        return other

    def neighbours(self, cell: Cell) -> list[Cell]:
        """The cells around one, row by row."""
        row, column = cell
        return [
            (row + down, column + right)
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
            if (down or right) and 0 <= row + down < self.size and 0 <= column + right < self.size
        ]

    def cells(self, what: int | None) -> list[Cell]:
        """The cells that hold a player's stone, or nothing."""
        size = range(self.size)
        return [(row, column) for row in size for column in size if self.grid[row][column] == what]

    def places(self, player: int) -> list[Cell]:
        """The cells where a player can put a stone."""
        return [
            cell
            for cell in self.cells(None)
            if any(self.grid[row][column] == player for row, column in self.neighbours(cell))
        ]

    def legal(self) -> list[Action]:
        """The mover's actions, a pass last."""
        actions: list[Action] = [*self.places(self.to_move)]
        if self.voluntary_pass or not actions:
            actions.append(PASS)
        return actions

    def turned(self, cell: Cell) -> list[Cell]:
        """The opposing stones that a stone on this cell turns."""
        other = 1 - self.to_move
        return [near for near in self.neighbours(cell) if self.grid[near[0]][near[1]] == other]

    def play(self, action: Action) -> None:
        """Apply one of the legal actions."""
        if action == PASS:
            self.passes += 1
            self.over = self.passes == 2
        else:
            for row, column in [action, *self.turned(action)]:
                self.grid[row][column] = self.to_move
            self.passes = 0
            self.over = not self.cells(None)
        self.to_move = 1 - self.to_move

    def scores(self) -> list[int]:
        """The stones of each player."""
        return [len(self.cells(0)), len(self.cells(1))]

    def rows(self) -> list[str]:
        """The grid as text: '.', '0', '1'."""
        return ["".join("." if cell is None else str(cell) for cell in row) for row in self.grid]


def number(action: Action, size: int) -> int:
    """An action as the program numbers it."""
    return size * size if action == PASS else action[0] * size + action[1]


def perft(game: Oracle, depth: int) -> int:
    """The number of ways to play `depth` plies; a game that is over counts once no more."""
    if depth == 0:
        return 1
    if game.over:
        return 0
    total = 0
    for action in game.legal():
        after = game.copy()
        after.play(action)
        total += perft(after, depth - 1)
    return total


def solve(game: Oracle, depth: int) -> int:
    """The lead in stones for the player to move that minimax finds `depth` plies on."""
    if depth == 0 or game.over:
        scores = game.scores()
        return scores[game.to_move] - scores[1 - game.to_move]
    best = -game.size * game.size
    for action in game.legal():
        after = game.copy()
        after.play(action)
        best = max(best, -solve(after, depth - 1))
    return best
