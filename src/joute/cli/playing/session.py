"""A game in turns: the referee plays it, the people of the desk are asked, all see its course."""

from __future__ import annotations

from typing import Any

from joute.cli.options import written
from joute.cli.playing.asking import Asking, Left
from joute.cli.playing.colours import Line, length, shown
from joute.cli.playing.desk import Desk, Wait, size
from joute.cli.playing.drawing import Marks, draw, sign
from joute.cli.playing.page import View
from joute.cli.playing.result import counted
from joute.cli.playing.typed import spoken
from joute.cli.words import say
from joute.games import make
from joute.games.interface import (
    CHANCE,
    OVER,
    mover,
    parameters,
    pending,
    play,
    points,
    properties,
    start,
    tell,
)
from joute.play.game import GameResult, GameSpec
from joute.play.record import actions_of
from joute.play.referee import play_game

LOGGED = 12  # lines of the log that are ever shown


class _Undone(Exception):
    """The game is to be played again up to a ply."""

    def __init__(self, before: list[dict[str, Any]]) -> None:
        super().__init__()
        self.before = before


class Session:
    """One game of people among themselves or against bots."""

    def __init__(
        self, spec: GameSpec, desk: Desk, label: str = "", wait: Wait | None = None
    ) -> None:
        self._spec = spec
        self._desk = desk
        self._label = label
        self._wait = Wait() if wait is None else wait
        self._game = make(spec.game, **spec.parameters)
        self._facts = properties(self._game)
        self._people = [seat for seat, each in enumerate(spec.bots) if each.bot == "human"]
        self._asking = Asking(desk, self)
        self._asked: int | None = None  # who was asked last
        self._begin()

    def run(self) -> GameResult:
        """Play the game to its end. Raises Left if a person leaves it."""
        with self._desk.open():
            return self._play()

    def _play(self) -> GameResult:
        before: list[dict[str, Any]] = []
        while True:
            self._begin(len(before))
            try:
                self._announce()
                return play_game(self._spec, self._ask, before, self._hear)
            except _Undone as undone:
                before = undone.before
            finally:
                self._wait.stop()

    def _begin(self, again: int = 0) -> None:
        self._again = again  # lines to come that were played before
        self._state: list[int] = start(self._game).tolist()
        self._lines: list[dict[str, Any]] = []
        self._told: list[list[dict[str, Any]]] = [[] for _ in self._spec.bots]
        self._held: list[tuple[int, dict[str, Any]]] = []
        self._viewer = self._people[0] if self._people else 0

    # What the referee calls.

    def _ask(self, game: Any, state: Any, player: int) -> Any:
        self._wait.stop()
        if self._facts.hidden_information and self._asked not in (None, player):
            self._hand_over(player)
        self._asked = self._viewer = player
        return self._asking.ask(game, state, player)

    def _hand_over(self, player: int) -> None:
        """Nobody sees what is not for him while people change places."""
        blank = View(title(self._game, self._label), [], [], [])
        try:
            self._desk.ask(blank, say("play.hand_over", name=self.name(player)), [])
        except EOFError:
            raise Left from None

    def _hear(self, line: dict[str, Any]) -> None:
        """Follow a line of the record: tell the seats what they may know, and play it."""
        self._wait.stop()
        self._lines.append(line)
        if "action" not in line:  # a failure that everybody hears of
            event = {"player": line["player"], "line": line}
            self._held += [(seat, event) for seat in range(len(self._told))]
        parts: list[list[dict[str, Any]]] = [[] for _ in self._told]
        for action in actions_of(line):
            for seat, mine in enumerate(parts):
                told = tell(self._game, self._state, seat, action)
                if told is not None:
                    mine.append(told)
            play(self._game, self._state, action)
        self._held += [(seat, _as_one(mine, line)) for seat, mine in enumerate(parts) if mine]
        if not (self._facts.simultaneous and pending(self._game, self._state)):
            for seat, event in self._held:
                self._told[seat].append(event)
            self._held.clear()
        self._announce()

    def _announce(self) -> None:
        """Show how it stands while a bot is to answer, and who is thinking if it takes long."""
        player = int(mover(self._game, self._state))
        if len(self._lines) < self._again:
            return
        if player in (CHANCE, OVER) or player in self._people:
            return
        view = self.view(self._game, self._state, self._viewer)
        self._desk.show(view)
        said = say("play.thinking", name=self.name(player))
        self._wait.start(lambda: self._desk.show(view._replace(said=said)))

    # What asking calls.

    def name(self, player: int) -> str:
        """The seat's name, with its number where the game has several."""
        name = shown(self._spec.bots[player].name)
        return f"{name} ({sign(self._game, player)})" if len(self._spec.bots) > 1 else name

    def view(self, game: Any, state: Any, player: int, shown: tuple[int, ...] = ()) -> View:
        """What the player may see."""
        told = self._told[player]
        last = next((event for event in reversed(told) if "action" in event), None)
        drawing = draw(game, state, player, Marks(last, shown, not self._desk.palette.depth))
        return View(
            title=title(game, self._label),
            board=drawing.wide,
            narrow=tuple(drawing.narrow),
            seats=[self._seat(game, state, seat) for seat in range(len(self._told))],
            log=[self._logged(event) for event in told[-LOGGED:]],
            fresh=min(_fresh(told, player), LOGGED),
        )

    def undo(self) -> str:
        """Go back to the last decision of a person here (by raising), or say why not."""
        if self._facts.hidden_information or (
            self._facts.simultaneous and len(self._spec.bots) > 1
        ):
            return say("play.undo.hidden")
        own = [place for place, line in enumerate(self._lines) if self._decided(line)]
        if not own:
            return say("play.undo.nothing")
        since = self._lines[own[-1] :]
        if any(line["by"] == "chance" for line in since):
            return say("play.undo.chance")
        if any(line.get("cost") == "game" for line in self._lines):
            return say("play.undo.out")
        raise _Undone(self._lines[: own[-1]])

    def _decided(self, line: dict[str, Any]) -> bool:
        """Whether a line is what a person here chose."""
        return line["by"] == "bot" and line["player"] in self._people

    def last_page(self) -> list[Line]:
        """How the game stands, for after its end."""
        view = self.view(self._game, self._state, self._viewer)
        columns, _ = size()
        wide = max(length(line) for line in view.board) <= columns or not view.narrow
        return [*(view.board if wide else view.narrow), [], *view.seats]

    # Lines of the view.

    def _seat(self, game: Any, state: Any, seat: int) -> Line:
        to_move = int(mover(game, state)) == seat
        line: Line = [("> " if to_move else "  ", "bold")]
        if len(self._spec.bots) > 1:
            line.append((f" {sign(game, seat)} ", f"player{seat % 8}"))
            line.append((" ", ""))
        width = max(len(shown(each.name)) for each in self._spec.bots)
        name = shown(self._spec.bots[seat].name)
        line.append((f"{name:{width}}", "bold" if to_move else ""))
        line.append((f"  {counted(int(points(game, state, seat)))}", ""))
        return line

    def _logged(self, event: dict[str, Any]) -> Line:
        line = event["line"]
        number = f"{line['ply'] + 1:3}. "
        if event["player"] == CHANCE:
            return [(number, "dim"), (event["text"], "dim")]
        name = shown(self._spec.bots[event["player"]].name)
        text = shown(spoken(event.get("text", "")))
        parts = [f"{name}  {text}"]
        if "fault" in line:
            parts.append(say("play.fault", fault=say(f"fault.{line['fault']}")))
        if "resigned" in line:
            parts = [say("play.resigned", name=name)]
        return [(number, "dim"), (" ".join(parts), "")]


def _as_one(parts: list[dict[str, Any]], line: dict[str, Any]) -> dict[str, Any]:
    """What a seat was told of a line of the record, the actions of a whole turn in one event."""
    if len(parts) == 1:
        return {**parts[0], "line": line}
    text = "; ".join(part["text"] for part in parts)
    return {**parts[-1], "text": text, "parts": parts, "line": line}


def _fresh(told: list[dict[str, Any]], player: int) -> int:
    """How many of the events came after the player's own last one."""
    own = [place for place, event in enumerate(told) if event["player"] == player]
    return len(told) - (own[-1] + 1 if own else 0)


def title(game: Any, label: str = "") -> str:
    """The game's name and the parameters that are not the usual ones."""
    name = properties(game).name
    usual = parameters(make(name))
    changed = [
        f"{key}={written(value)}"
        for key, value in parameters(game).items()
        if value != usual[key] and key != "players" and "\n" not in str(value)
    ]
    return " \N{MIDDLE DOT} ".join([name.capitalize(), *([label] if label else []), *changed])
