"""The results of alpha-beta on fixed positions, in numbers: any change of the search shows.

`PYTHONPATH=tests python -m search.signature` writes the file again; a change that is meant to leave
the search as it was must leave the file as it was.
"""

from pathlib import Path

from search.positions import position

from joute.games.virus.players import evaluation as virus
from joute.search.alphabeta_search import NO_REDUCTION, AlphaBeta, Reduction
from joute.search.evaluation import Lead

FILE = Path(__file__).with_name("signature.txt")
EVALUATIONS = {"lead": Lead, "hand": virus.Hand, "fitted": virus.fitted}
POSITIONS = [(4, 0), (5, 6), (6, 12), (10, 0), (10, 30), (10, 60), (10, 85)]
DEPTH = 5


def lines():
    """A line a position, evaluation and way of searching, with a heading."""
    found = ["size plies evaluation reduce action value nodes solved"]
    for size, plies in POSITIONS:
        for name, evaluation in EVALUATIONS.items():
            game, state = position(size, plies, seed=plies)
            for reduce, how in enumerate((NO_REDUCTION, Reduction())):
                search = AlphaBeta(game, state, evaluation(), reduce=how)
                result = search.search(state, DEPTH)
                value = f"{round(result.value, 6) + 0.0:.6f}"  # no negative zero
                words = (size, plies, name, reduce, result.action, value, result.nodes)
                found.append(" ".join(str(word) for word in (*words, int(result.solved))))
    return found


if __name__ == "__main__":
    FILE.write_text("\n".join(lines()) + "\n", "ascii")
