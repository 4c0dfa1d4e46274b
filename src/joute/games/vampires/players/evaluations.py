"""The evaluations of Vampires vs Werewolves by name."""

from joute.bots import Evaluation
from joute.games.vampires.players.evaluation import DECISIVE, Material, race, reach
from joute.games.vampires.players.war import war
from joute.games.vampires.state import Vampires


def evaluations(game: Vampires) -> dict[str, Evaluation]:
    """The evaluations of the game; the first is the usual one."""
    return {
        "reach": Evaluation(lambda: reach(game)),
        "material": Evaluation(Material),
        "race": Evaluation(lambda: race(game), DECISIVE),
        "war": Evaluation(lambda: war(game), DECISIVE),
    }
