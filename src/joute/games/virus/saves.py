"""The saves of the original Virus contest: a JavaScript file for its replay page.

`saves.js` holds one assignment a game, `games.A_B = [...]`, whose value lists the plies as
`[player, [row, column, [[row, column], ...]]]`, or `[player, "False"]` for a pass. The last entry
says who won: `["player_1"]`, `["player_2"]` or `["equality"]`; the page stops there. It shows the
name before the first `_` of a match as that of player_1, the one after it as that of player_2.
"""

import json
import re
from typing import Any, NamedTuple

from joute.contest.records import RecordForm
from joute.core.errors import GameError
from joute.core.interface import OVER, legal_actions, mover, play, start, tell
from joute.core.registry import make
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.play.record import Record, RecordError, broken, read_record
from joute.play.verify import recorded_game, verify_record
from joute.text import free_name

PASS = "False"
BEGINS = "var games = {};"
EQUALITY = "equality"
_SIDES = ("player_1", "player_2")
_ASSIGNMENT = re.compile(r"games\s*(?:\.\s*([\w$]+)|\[\s*([\"'])(.*?)\2\s*\])\s*=\s*")


class SavedGame(NamedTuple):
    """A game read from a save: its name and its actions, the starter's draw first."""

    name: str
    actions: list[int]


def export_saves(records: list[bytes]) -> str:
    """Records of Virus games as a `saves.js`. Raises RecordError or GameError."""
    lines = [BEGINS]
    taken: set[str] = set()
    for content in records:
        verdict = verify_record(content)
        if not verdict.ok:
            raise RecordError(verdict.line or 1, verdict.reason)
        record = read_record(content)
        if record.header["game"] != "virus":
            raise GameError(Sentence("error.virus.saves.other", game=record.header["game"]))
        name = _name(record)
        unique = free_name(name, taken.__contains__, "_")
        taken.add(unique)
        history = _history(record.plies, recorded_game(record))
        history.append([_winner(record.end["returns"])])
        # A name that begins with a digit cannot stand behind a dot.
        place = f".{unique}" if unique.isidentifier() else f"[{json.dumps(unique)}]"
        lines.append(f"games{place} = {json.dumps(history)};")
    return "\n".join(lines) + "\n"


SAVES = RecordForm(export_saves, BEGINS.encode(), "saves.js")


def _name(record: Record) -> str:
    """The bots of a game, as a name of JavaScript. Raises RecordError."""
    try:
        return "_".join(re.sub(r"[\W_]", "", bot["name"]) for bot in record.header["bots"])
    except (KeyError, TypeError):
        raise broken(1, "names") from None


def _winner(returns: list[float]) -> str:
    """The closing entry's word for the returns of a game."""
    if returns[0] == returns[1]:
        return EQUALITY
    return _SIDES[returns[1] > returns[0]]


def _history(plies: list[dict[str, Any]], game: Any) -> list[Any]:
    history: list[Any] = []
    state = start(game).tolist()
    for ply in plies:
        if "action" not in ply:
            continue
        told = tell(game, state, 0, ply["action"])
        if told is not None and told["player"] >= 0:
            history.append([_SIDES[told["player"]], _saved(game.size, told)])
        play(game, state, ply["action"])
    return history


def _saved(size: int, told: dict[str, Any]) -> Any:
    if told["action"] == size * size:
        return PASS
    return [*divmod(told["action"], size), told["turned"]]


def read_saves(text: str, size: int = 10) -> list[SavedGame]:
    """The games of a `saves.js`, replayed by the rules. Raises GameError at what cannot be.

    A closing entry is left out. A pass after the end, which the original engine stored, is
    accepted. Two passes in a row after which that engine went on are left out.
    """
    games = []
    for found in _ASSIGNMENT.finditer(text):
        name = found[1] or found[3]
        value = text[found.end() :]
        try:
            history, _ = json.JSONDecoder().raw_decode(value.replace("'", '"'))
        except (json.JSONDecodeError, RecursionError) as error:  # the latter by depth
            raise GameError(
                Sentence("error.virus.saves.json", name=name, reason=foreign(error))
            ) from None
        if not isinstance(history, list):
            raise GameError(Sentence("error.virus.saves.list", name=name))
        if history:  # `games = {}` and the like hold no game
            games.append(SavedGame(name, _actions(name, history, size)))
    if not games:
        raise GameError(Sentence("error.virus.saves.none"))
    return games


def _actions(name: str, history: list[Any], size: int) -> list[int]:
    game = make("virus", size=size)
    state = start(game).tolist()
    actions: list[int] = []
    if history[-1] in [[word] for word in (*_SIDES, EQUALITY)]:
        history = history[:-1]
    plies = [(n, *_read(name, n, ply, size)) for n, ply in enumerate(history, start=1)]
    for number, side, action, turned in _without_idle_passes(plies, size * size):
        where = {"name": name, "ply": number}
        if not actions:
            actions.append(side)  # the draw of the starter
            play(game, state, side)
        passes = action == size * size
        if mover(game, state) == OVER and passes and number == len(history):
            break
        if mover(game, state) != side or action not in legal_actions(game, state):
            found = history[number - 1]
            raise GameError(Sentence("error.virus.saves.illegal", found=found, **where))
        told = tell(game, state, side, action)
        if told is not None and told["turned"] != turned:
            where |= {"turned": told["turned"], "found": turned}
            raise GameError(Sentence("error.virus.saves.turned", **where))
        play(game, state, action)
        actions.append(action)
    return actions


def _read(name: str, number: int, ply: Any, size: int) -> tuple[int, int, list[list[int]]]:
    """The player, action and turned stones of a saved ply. Raises GameError."""
    try:
        side, what = _SIDES.index(ply[0]), ply[1]
        if what in (PASS, "pass", False):
            return side, size * size, []
        row, column, turned = int(what[0]), int(what[1]), [list(cell) for cell in what[2]]
        if not (0 <= row < size and 0 <= column < size):
            raise ValueError
    except (ValueError, TypeError, IndexError, KeyError):
        raise GameError(
            Sentence("error.virus.saves.unreadable", name=name, ply=number, found=ply)
        ) from None
    return side, row * size + column, turned


def _without_idle_passes(plies: list[Any], passed: int) -> list[Any]:
    """Leaves out two passes in a row where the game went on, as it did in the original engine.

    They change nothing there, and would end the game here.
    """
    kept: list[Any] = []
    for ply in plies:
        idle = len(kept) > 1 and kept[-1][2] == kept[-2][2] == passed
        if idle and kept[-1][1] != kept[-2][1]:
            del kept[-2:]
        kept.append(ply)
    return kept
