"""Plays the first legal move six times, and crashes at its seventh."""


def ia(game, side):
    misc = game[side]["misc"]
    misc["moves"] = misc.get("moves", 0) + 1
    if misc["moves"] >= 7:
        return plan(misc["moves"])
    grid, mine = game["grid"], game["references"][side]
    size = len(grid)
    for row in range(size):
        for column in range(size):
            around = [
                grid[r][c]
                for r in range(max(0, row - 1), min(size, row + 2))
                for c in range(max(0, column - 1), min(size, column + 2))
            ]
            if grid[row][column] == 0 and mine in around:
                return [row, column]
    return False


def plan(move):
    return [[0, 1], [1, 0]][move]
