"""The interface of the Paradise contest: `play(state)` answers (action, arguments).

Bots are modules with `start()`, `play(state)` and `end(victory)`, or with a loop of their own
around them, `communicate(pipe)`; in folders and zips their files are those of a package.

The original answered a turn that it could not play by ending it, and so is it here: what was wrong
is said in the ply's message. Each call gets a state of its own, built from the observation.
"""

import operator
import queue
import sys
import threading

from joute.host.child.errors import CannotLoad, shown
from joute.host.child.loading import takes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict, List, Optional

ORDER = 20
WANTED = "def start(), def play(state), def end(victory) | def communicate(pipe)"

MINION, UNTARGETED, AIMED = "minion", "untargeted", "aimed"

CARDS = (
    (1, 1, 3, MINION), (3, 2, 3, MINION), (3, 0, 0, UNTARGETED), (1, 0, 0, AIMED),
    (1, 1, 1, MINION), (5, 2, 5, MINION), (4, 2, 7, MINION), (1, 1, 1, MINION), (2, 3, 2, MINION),
    (4, 0, 0, AIMED), (10, 7, 14, MINION), (2, 2, 2, MINION), (3, 0, 0, AIMED),
    (3, 0, 0, UNTARGETED), (6, 6, 5, MINION), (2, 2, 2, MINION), (2, 2, 2, MINION),
    (1, 1, 1, MINION),
)  # fmt: skip
"""Cost, attack, health and kind of each card, and of the tokens 16 and 17."""

TOKENS = {16: "EX1_534t", 17: "EX1_538t"}
COBRA, RHINO, WOLF, HYENA, ALPHA = 1, 5, 7, 11, 15
WOLF_BUFF, ALPHA_BUFF, RHINO_BUFF, FED_BUFF = "DS1_175o", "EX1_162o", "DS1_178e", "EX1_531e"

# Numbers of the referee's actions.
END, POWER, PLAY, AIM, STRIKE = 0, 1, 2, 12, 102
AIMS, OWN_HERO, TARGETS = 9, 8, 8
FULL_HEALTH = 30


class Rejected(Exception):
    """An answer that the original would not have played; the message says why."""


def found(module: "ModuleType", forced: bool) -> bool:
    """Whether a bot has the contest's loop or its functions; forced, `play` will do."""
    if callable(getattr(module, "communicate", None)):
        return True
    counts = [("play", 1)] if forced else [("start", 0), ("play", 1), ("end", 1)]
    return all(takes(getattr(module, name, None), count) for name, count in counts)


class Adapter:
    """A bot with the Paradise contest's interface."""

    def __init__(self, module: "ModuleType", start: "Dict[str, Any]") -> None:
        reason = refusal(start["parameters"])
        if reason:
            raise CannotLoad(reason)
        self._player = int(start["player"])
        self._loop = None  # type: Optional[_Loop]
        self._module = module
        if not direct(module):
            self._loop = _Loop(module.communicate)
        self._call("start")

    def play(self, message: "Dict[str, Any]") -> "Dict[str, Any]":
        """The answer to a `play` message. Raises what the bot raises."""
        observation = message["observation"]
        answer = self._call("play", contest_state(observation))
        try:
            return {"action": action_of(observation, answer)}
        except Rejected as rejected:
            return {"action": END, "message": "the turn ends: " + str(rejected)}

    def end(self, message: "Dict[str, Any]") -> None:
        """Tells the bot whether it has won, in a list of one, as the contest did."""
        self._call("end", message["returns"][self._player] > 0)

    def _call(self, name: str, *arguments: "Any") -> "Any":
        if self._loop is not None:
            return self._loop.ask({"action": name, "args": arguments[0] if arguments else None})
        if name == "end":
            arguments = ([arguments[0]],)
        function = getattr(self._module, name, None)
        return function(*arguments) if callable(function) else None


def refusal(parameters: "Dict[str, Any]") -> str:
    """The reason why a game with these parameters is none for the contest's bots, or ""."""
    if "quirks" in parameters:
        return ""
    return "a bot of the Paradise contest plays Paradise, and this game is none"


def direct(module: "ModuleType") -> bool:
    """Whether the bot's functions are called, rather than its loop."""
    return takes(getattr(module, "play", None), 1) or not hasattr(module, "communicate")


class _Loop:
    """A bot's `communicate(pipe)`, running in a thread: `pipe` is this object."""

    def __init__(self, communicate: "Callable[..., Any]") -> None:
        self._communicate = communicate
        self._thread = None  # type: Optional[threading.Thread]
        self._packets = self._answers = queue.Queue()  # type: queue.Queue[Any]

    def ask(self, packet: "Dict[str, Any]") -> "Any":
        """The answer that the bot sends back. Raises what it raises; its loop then starts anew."""
        if self._thread is None:
            self._packets, self._answers = queue.Queue(), queue.Queue()
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
        self._packets.put(packet)
        answer, error = self._answers.get()
        if error is not None:
            self._thread.join()
            self._thread = None
            raise error
        return answer

    def _run(self) -> None:
        try:
            if takes(self._communicate, 1):
                self._communicate(self)
            else:
                # The contest's agent for people is also given the standard input.
                self._communicate(self, sys.stdin)
            raise RuntimeError("communicate(pipe) returned")
        except BaseException as error:
            self._answers.put((None, error))

    def recv(self) -> "Any":
        """The next packet."""
        return self._packets.get()

    def send(self, answer: "Any") -> None:
        """The answer to it."""
        self._answers.put((answer, None))

    def poll(self, timeout: "Optional[float]" = 0.0) -> bool:
        """Whether there is a packet; there is always one to come."""
        return True


# The contest's dictionary.


def contest_state(observation: "Dict[str, Any]") -> "Dict[str, Any]":
    """The state as the contest hands it to `play`."""
    me = observation["player"]
    other = 1 - me
    health = observation["health"]
    return {
        "player_hand": [
            _hand_card(card, place) for place, card in enumerate(observation["hand"], 1)
        ],
        "player_target": _side(observation, me),
        "opponent_target": _side(observation, other),
        "player_health": health[me],
        "hero_health": health[me],
        "opponent_health": health[other],
        "player_mana": observation["mana"][me],
        "opponent_mana": observation["mana"][other],
        "n_opponent_hand": observation["hand_size"][other],
    }


def _hand_card(card: int, place: int) -> "Dict[str, Any]":
    cost, attack, health, kind = CARDS[card]
    if kind == MINION:
        figures = {"attack": attack, "health": health, "max_health": health, "turns": 0}
        return _minion(card, place, figures, [])
    return {"cost": cost, "id": card, "zone_position": place, "type": "spell"}


def _side(observation: "Dict[str, Any]", player: int) -> "List[Dict[str, Any]]":
    health = observation["health"][player]
    hero = {
        "damaged": health < FULL_HEALTH,
        "dead": False,
        "health": health,
        "id": "HERO_05",
        "zone_position": 0,
        "type": "hero",
    }
    board = observation["boards"][player]
    cards = [each["card"] for each in board]
    return [hero] + [
        _minion(each["card"], place + 1, each, _buffs(cards, place, each))
        for place, each in enumerate(board)
    ]


def _minion(
    card: int, place: int, figures: "Dict[str, Any]", buffs: "List[str]"
) -> "Dict[str, Any]":
    return {
        "atk": figures["attack"],
        "buffs": buffs,
        "cant_attack": False,
        "cost": CARDS[card][0],
        "damaged": figures["health"] < figures["max_health"],
        "health": figures["health"],
        "id": TOKENS.get(card, card),
        "max_health": figures["max_health"],
        "powered_up": False,
        "poisonous": 1 if card == COBRA else False,
        "turns_in_play": figures["turns"],
        "zone_position": place,
        "type": "minion",
    }


def _buffs(cards: "List[int]", place: int, figures: "Dict[str, Any]") -> "List[str]":
    """The enchantments of a minion, whose attack says how many deaths a Hyena has fed on."""
    others = cards[:place] + cards[place + 1 :]
    neighbours = cards[max(place - 1, 0) : place] + cards[place + 1 : place + 2]
    fed = figures["attack"] - figures["bonus"] - CARDS[cards[place]][1]
    return (
        [WOLF_BUFF] * others.count(WOLF)
        + [ALPHA_BUFF] * neighbours.count(ALPHA)
        + [RHINO_BUFF] * cards.count(RHINO)
        + [FED_BUFF] * (fed // 2)
    )


# The contest's actions.


def action_of(observation: "Dict[str, Any]", answer: "Any") -> int:
    """The referee's number of a bot's answer. Raises Rejected."""
    try:
        action, arguments = answer
        kind = next((each for each in range(4) if action == each), None)
    except Exception:  # whatever it was, it is no pair, or cannot be compared with a number
        raise Rejected(f"play answered {shown(answer)}, not (action, arguments)") from None
    if kind is None:
        return END
    try:
        number = POWER if kind == 0 else _READERS[kind](observation, arguments)
    except Exception:  # an index of a wrong type, or of no card and no target
        raise Rejected(f"{shown(answer)} names no card, minion or target") from None
    if number not in observation["legal"]:
        raise Rejected(f"{shown(answer)} cannot be played now")
    return number


def _at(size: int, place: "Any") -> int:
    """A place in a list of this size as the original took it: negative ones are from the end."""
    return range(size)[operator.index(place)]


def _read_minion(observation: "Dict[str, Any]", arguments: "Any") -> int:
    """Action 1, meant for minions: it plays spells too, those that need a target at one's hero."""
    hand = observation["hand"]
    place = _at(len(hand), arguments if type(arguments) is int else arguments[0])
    if CARDS[hand[place]][3] == AIMED:
        return AIM + AIMS * place + OWN_HERO
    return PLAY + place


def _read_spell(observation: "Dict[str, Any]", arguments: "Any") -> int:
    """Action 2, meant for spells: it plays minions too."""
    hand, player = observation["hand"], observation["player"]
    place = _at(len(hand), arguments[0])
    target = _at(1 + len(observation["boards"][1 - player]), arguments[1])
    return AIM + AIMS * place + target if CARDS[hand[place]][3] == AIMED else PLAY + place


def _read_attack(observation: "Dict[str, Any]", arguments: "Any") -> int:
    player = observation["player"]
    source = _at(1 + len(observation["boards"][player]), arguments[0])
    target = _at(1 + len(observation["boards"][1 - player]), arguments[1])
    if source == 0:
        raise IndexError("a hero never attacks")
    return STRIKE + TARGETS * (source - 1) + target


_READERS = {1: _read_minion, 2: _read_spell, 3: _read_attack}  # type: Dict[int, Callable[..., int]]
