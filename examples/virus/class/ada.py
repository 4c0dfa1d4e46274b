"""Plays where it turns most stones."""


def play(observation, clock):
    size, grid = observation["size"], observation["grid"]
    enemy = "10"[observation["to_move"]]

    def turned(action):
        row, column = divmod(action, size)
        rows = grid[max(0, row - 1) : row + 2] if row < size else []  # else it is the pass
        return "".join(line[max(0, column - 1) : column + 2] for line in rows).count(enemy)

    return max(observation["legal"], key=turned)
