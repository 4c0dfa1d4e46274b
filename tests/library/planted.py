"""Mistakes planted in the little game, each a change of a line, and the law that each breaks."""

from pathlib import Path
from typing import NamedTuple

HELPER = "\n\ndef plainly(action):\n    return action\n"
RULES = (Path(__file__).parent / "little.py").read_text("utf-8")


class Planted(NamedTuple):
    """A change of the rules, the law that it breaks and the function that is to blame."""

    old: str
    new: str
    law: str  # its key, less `error.law.`
    operation: str = ""
    played: bool = True  # whether play finds it, and so by a seed and a sequence

    def text(self):
        """The rules with the mistake."""
        assert RULES.count(self.old) >= 1, self.old
        return RULES.replace(self.old, self.new, 1) + HELPER

    def line(self):
        """The line where the change is, from 1."""
        return RULES[: RULES.index(self.old)].count("\n") + 1


def within(function, text):
    """The head of an operation with a line more."""
    heads = {
        "play": "def play(game, state, action):\n",
        "legal": "def legal(game, state, out):\n",
        "mover": "def mover(game, state):\n",
        "returns": "def returns(game, state, out):\n",
        "observe": "def observe(game, state, player):\n",
        "describe": "def describe(game, state, action):\n",
        "features": "def features(game, state, player, out):\n",
    }
    return heads[function], f"{heads[function]}    {text}\n"


STARTS = "    return np.array([game.pile, 0, 0, 0, 0, 0], np.int64)"
START = STARTS.replace("    return ", "")
MISTAKES = {
    # Operations.
    "legal is forgotten": Planted(
        "@implements(Little)\ndef legal", "def legal", "missing", played=False
    ),
    "legal is misspelt": Planted("def legal(", "def leggal(", "unknown", "leggal", played=False),
    "returns is forgotten": Planted(
        "@implements(Little)\ndef returns", "def returns", "missing", played=False
    ),
    "chances is forgotten": Planted(
        "@implements(Little)\ndef chances", "def chances", "missing", played=False
    ),
    "determinize is forgotten": Planted(
        "@implements(Little)\ndef determinize", "def determinize", "missing", played=False
    ),
    "play lacks a parameter": Planted(
        "def play(game, state, action)", "def play(state, action)", "parameters", "play", False
    ),
    "legal has a parameter too many": Planted(
        "def legal(game, state, out)",
        "def legal(game, state, out, most)",
        "parameters",
        "legal",
        False,
    ),
    "observe lacks a parameter": Planted(
        "def observe(game, state, player)",
        "def observe(game, state)",
        "parameters",
        "observe",
        False,
    ),
    "play is compiled by its author": Planted(
        "@implements(Little)\ndef play",
        "import numba\n@implements(Little)\n@numba.njit\ndef play",
        "decorated",
        "play",
        False,
    ),
    "the game is a dataclass": Planted(
        "class Little(NamedTuple):",
        "import dataclasses\n@dataclasses.dataclass\nclass Little:",
        "class",
        "Little",
        False,
    ),
    "the game holds a list": Planted(
        "    pile: int = 5\n", "    pile: int = 5\n    taken: list = []\n", "field", "Little", False
    ),
    # What kernels may not do.
    "an array is made in play": Planted(
        *within("play", "room = np.zeros(3); room[0] = action"), "compile", "play", False
    ),
    "a list is made in play": Planted(
        *within("play", "room = [action]; action = room[0]"), "compile", "play", False
    ),
    "a dictionary is made in play": Planted(
        *within("play", "room = {1: action}; action = room[1]"), "compile", "play", False
    ),
    "play prints": Planted(*within("play", "print(action)"), "source.print", "play", False),
    "play raises": Planted(
        *within("play", "if action > 9: raise ValueError(action)"), "source.raise", "play", False
    ),
    "a name is unknown": Planted(
        "COUNTS[action]", "KOUNTS[action]", "compile", "play", played=False
    ),
    "a text is used as a number": Planted(
        "state[MOVER] = 1 - state[MOVER]", 'state[MOVER] = "1"', "compile", "play", False
    ),
    "Numba does not know a function": Planted(
        *within("play", "action = sorted([action])[0]"), "compile", "play", False
    ),
    "a kernel imports": Planted(*within("play", "import math"), "compile", "play", False),
    "a plain function is called": Planted(
        *within("play", "action = plainly(action)"), "compile", "play", False
    ),
    "a parameter is misspelt": Planted("[game.pile", "[game.pille", "raised", "start", False),
    # Properties.
    "a property has a wrong type": Planted(
        "max_plies=7", "max_plies=1e3", "properties", "properties", False
    ),
    # The first state.
    "start gives a list": Planted(START, "[game.pile, 0, 0, 0, 0, 0]", "start", "start", False),
    "start gives floats": Planted(
        START, START.replace("int64", "float64"), "start", "start", False
    ),
    "start gives numbers too small": Planted(
        START, "np.array([game.pile, 0, 0, 0, 0, 127], np.int8)", "range", "start"
    ),
    "start gives one array": Planted(
        f"@implements(Little)\ndef start(game):\n{STARTS}",
        "FIRST = np.zeros(6, int)\n@implements(Little)\ndef start(game):\n    return FIRST",
        "start.shared",
        "start",
        False,
    ),
    # Chance and the clock.
    "play draws": Planted(
        *within("play", "state[TAKEN] += np.random.randint(0, 1000)"), "source.draws", "play", False
    ),
    "play draws, and the laws see it": Planted(
        *within("play", "state[TAKEN] += np.random.randint(0, 1000)"), "same", "play"
    ),
    "observe looks at the clock": Planted(
        *within("observe", "import time; return {'at': time.perf_counter()}"), "same", "observe"
    ),
    "play changes a global": Planted(
        *within("play", "SEEN[0] += 1"), "source.global", "play", played=False
    ),
    "the state depends on a global": Planted(
        *within("play", "SEEN[0] += 1; state[TAKEN] += SEEN[0]"), "same", "play"
    ),
    "probabilities do not add up": Planted("1 / 3", "1 / 4", "sum", "chances"),
    "a probability is negative": Planted("1 / 3", "1 / 3 - (card - 1)", "negative", "chances"),
    # What is legal, and what it does.
    "an illegal action is offered": Planted(
        "min(int(state[PILE]), 2) + 1):", "3):", "listed", "observe"
    ),
    "an action is above max_actions": Planted("max_actions=3", "max_actions=2", "actions", "legal"),
    "max_legal is too small": Planted("max_legal=2", "max_legal=1", "choices", "legal"),
    "legal is descending": Planted(
        "out[count] = taken", "out[count] = 3 - taken", "ascending", "legal"
    ),
    "legal gives nothing": Planted("    return count\n", "    return 0\n", "nobody", "legal"),
    "legal does not return": Planted("    return count\n", "    return\n", "count", "legal"),
    "chance is kept quiet": Planted("chance=True", "chance=False", "chance", "mover"),
    "max_outcomes is too small": Planted("max_outcomes=3", "max_outcomes=2", "choices", "chances"),
    "outcomes are descending": Planted(
        "out[card] = card + 1", "out[card] = 3 - card", "ascending", "chances"
    ),
    "mover gives None": Planted("else int(state[MOVER])", "else None", "mover", "mover"),
    "an action changes nothing": Planted(
        *within("play", "if action == 2: return"), "stays", "play"
    ),
    "a game never ends": Planted(
        "state[PILE] -= COUNTS[action]", "state[PILE] += 1", "ends", "play"
    ),
    "a game is longer than it says": Planted("max_plies=7", "max_plies=4", "ends", "play"),
    "an operation never ends": Planted(
        *within("legal", "while state[PILE] == 1:\n        pass"), "hangs", "legal"
    ),
    "an index is out of range": Planted(
        "state[PILE] -= COUNTS", "state[PILE + 5 + action] -= COUNTS", "index", "play"
    ),
    "an index is negative": Planted(
        "lead = state[TAKEN]", "lead = state[CARDS - 4]", "index", "returns"
    ),
    "an index of a global is out of range": Planted("[0, 1, 2, 3]", "[0, 1]", "index", "play"),
    "an index that is promised not to be negative is": Planted(
        "COUNTS[action]", "COUNTS[index(action - 4)]", "index", "play"
    ),
    "an index into an array made by a parameter is negative": Planted(
        "out[0] = 1.0 if lead", "out[index(-2)] = 1.0 if lead", "index", "returns"
    ),
    "an index is negative in what is only compiled": Planted(
        "COUNTS[action]", "COUNTS[index(((action << 62) >> 61) // 2)]", "outside", "play"
    ),
    "a determinization writes before the state": Planted(
        "state[other] = 1 +", "state[index(other - 6)] = 1 +", "index", "determinize"
    ),
    # The end.
    "returns do not sum to zero": Planted(
        "out[1] = -out[0]", "out[1] = 0.5", "balanced", "returns"
    ),
    "a return is out of bounds": Planted("1.0 if lead", "2.0 if lead", "bounded", "returns"),
    "a result of 0 is not written": Planted(
        "    out[1] = -out[0]",
        "    if out[0] != 0.0:\n        out[1] = -out[0]",
        "unwritten",
        "returns",
    ),
    "a finished game cannot be drawn": Planted(
        "    cards = [str(",
        "    if state[PILE] == 0:\n        raise ValueError('over')\n    cards = [str(",
        "raised",
        "render",
    ),
    # What is seen.
    "an observation is a list": Planted(
        '        found["legal"] = list(range(1, min(int(state[PILE]), 2) + 1))\n    return found',
        '        found["legal"] = list(range(1, min(int(state[PILE]), 2) + 1))\n    return [found]',
        "plain",
        "observe",
    ),
    "an observation holds no finite number": Planted(
        '"pile": int(state[PILE])', '"pile": float("inf")', "plain", "observe"
    ),
    "an observation holds half a character": Planted(
        '"pile": int(state[PILE])', '"pile": "\\ud800"', "plain", "observe"
    ),
    "an observation holds NumPy's numbers": Planted(
        '"pile": int(state[PILE])', '"pile": np.int64(state[PILE])', "plain", "observe"
    ),
    "an observation shows what is hidden": Planted(
        "int(state[CARDS + player]),", "int(state[CARDS]),", "hidden", "observe"
    ),
    "features show what is hidden": Planted(
        "out[1] = state[CARDS + player]", "out[1] = state[CARDS]", "hidden.features", "features"
    ),
    "features are too large": Planted(
        "min(1.0, state[PILE] / game.pile)", "state[PILE]", "features", "features"
    ),
    "features are no numbers": Planted(
        "out[3] = min(1.0", "out[3] = np.nan * min(1.0", "features", "features"
    ),
    "features are too large once the game is over": Planted(
        "out[2] = min(1.0", "out[2] = 2.0 if state[PILE] == 0 else min(1.0", "features", "features"
    ),
    "the picture shows what is hidden": Planted(
        "if player in (None, each)", "if player != 9", "hidden.drawn", "render"
    ),
    "a determinization changes what is known": Planted(
        "other = CARDS + 1 - player", "other = CARDS + player", "hidden", "observe"
    ),
    "a determinization changes nothing": Planted(
        "state[other] = 1 + below(rng, 3)",
        "state[other] += 0",
        "hidden.never",
        "determinize",
        played=False,
    ),
    "a determinization reads rng and does not advance it": Planted(
        "1 + below(rng, 3)", "1 + int(rng[0] % 3)", "hidden.rng", "determinize"
    ),
    "a determinization never deals a card": Planted(
        "1 + below(rng, 3)", "1 + below(rng, 2)", "deals.never", "determinize", played=False
    ),
    "a determinization deals a card that is not there": Planted(
        "1 + below(rng, 3)", "1 + below(rng, 4)", "deals.impossible", "determinize", played=False
    ),
    "a hidden card is said not to be hidden": Planted(
        "hidden_information=True", "hidden_information=False", "hidden.open", "properties"
    ),
    "seen tells a hidden card": Planted(
        "or dealt == player else -1", "or True else -1", "seen.more", "seen"
    ),
    "seen tells nothing of an own card": Planted(
        "or dealt == player else -1", "and False else -1", "seen.less", "seen"
    ),
    "seen has one number for a hidden card, which is told": Planted(
        "or dealt == player else -1", "or dealt == player else 0", "seen.default", "seen"
    ),
    "tell tells a hidden card": Planted(
        "@implements(Little)\ndef render",
        "@implements(Little)\ndef tell(game, state, player, action):\n"
        "    return {'action': int(action)}\n\n\n@implements(Little)\ndef render",
        "seen.told",
        "tell",
    ),
    # Words.
    "parse reads another action": Planted(
        "return int(text[5:])", "return int(text[5:]) + 1", "read", "parse"
    ),
    "parse refuses what describe writes": Planted(
        'f"take {action}"', 'f"t {action}"', "refused", "parse"
    ),
    "describe raises": Planted(
        *within("describe", "return {1: 'take 1'}[action]"), "raised", "describe"
    ),
    # The two languages.
    "compiled and plain Python differ": Planted(
        "state[TAKEN + state[MOVER]] += action",
        "state[TAKEN + state[MOVER]] += (action << 62) >> 62",
        "compiled",
        "play",
    ),
}
