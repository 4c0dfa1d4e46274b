"""The results of expectimax on fixed positions, in numbers: any change of search or orders shows.

`PYTHONPATH=tests python -m search.expectimax_signature` writes the file again; a change that is
meant to leave the search as it was must leave the file as it was.
"""

from pathlib import Path

from games.vampires.maps import ALL
from games.vampires.positions import position

from joute.games.vampires.order import moves_of, write
from joute.games.vampires.players.evaluations import evaluations
from joute.games.vampires.players.orders import orders
from joute.search.expectimax_search import Expectimax

FILE = Path(__file__).with_name("expectimax_signature.txt")
# Map, turns played, depth, quantiles kept (0: exact).
POSITIONS = [
    ("line", 0, 6, 0),
    ("small", 2, 4, 3),
    ("field", 0, 4, 6),
    ("field", 4, 3, 0),
    ("random", 0, 4, 6),
    ("random", 6, 3, 2),
]


def lines():
    """A line a position and evaluation, with a heading."""
    found = ["map turns depth thin evaluation value nodes whole order"]
    for name, turns, depth, keep in POSITIONS:
        game, state = position(ALL[name], turns, seed=turns)
        for evaluation in ("reach", "material"):
            judge = evaluations(game)[evaluation].make()
            search = Expectimax(game, state, orders(game), judge, keep)
            result = search.search(state, depth)
            value = f"{round(result.value, 6) + 0.0:.6f}"  # no negative zero
            order = write(moves_of(game, result.turn))
            numbers = (name, turns, depth, keep, evaluation, value, result.nodes)
            words = (*numbers, int(result.whole), order)
            found.append(" ".join(str(word) for word in words))
    return found


if __name__ == "__main__":
    FILE.write_text("\n".join(lines()) + "\n", "ascii")
