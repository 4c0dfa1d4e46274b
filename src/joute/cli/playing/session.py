"""A game in turns: the referee plays it, the people of the desk are asked, all see its course."""

from __future__ import annotations

from typing import Any

from joute.cli.options import written
from joute.cli.playing.asking import Asking
from joute.cli.playing.colours import length
from joute.cli.playing.desk import Desk, Wait, size
from joute.cli.playing.game import Marks, sign, terminal
from joute.cli.playing.page import View
from joute.cli.playing.passing import Passing, learned
from joute.core.interface import (
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
from joute.core.registry import make
from joute.i18n.lines import Line, plain, shown
from joute.i18n.words import say
from joute.play.game import GameResult, GameSpec
from joute.play.record import actions_of
from joute.play.referee import play_game
from joute.play.telling import counted, log, witnessed

LOGGED = 12  # lines of the log that are shown beside or below a board
COURSE = 18  # and for who asks for it


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
        shared = self._facts.hidden_information and len(self._people) > 1
        self._passing = Passing(desk, shared)
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
        self._over = False

    # What the referee calls.

    def _ask(self, game: Any, state: Any, player: int) -> Any:
        self._wait.stop()
        if self._passing.needed(player):
            last = learned(self._told[self._viewer], self._viewer)
            shown = self.view(game, state, self._viewer) if last else None
            self._passing.pass_to(player, self.name(player), self._blank(), shown)
        self._viewer = player
        return self._asking.ask(game, state, player)

    def _blank(self) -> View:
        """What everybody may see."""
        return View(title(self._game, self._label), [], [], [])

    def _hear(self, line: dict[str, Any]) -> None:
        """Follow a line of the record: tell the seats what they may know, and play it."""
        self._wait.stop()
        self._lines.append(line)
        if "action" not in line:  # a failure that everybody hears of
            event = {"player": line["player"], "line": line}
            self._held += [(seat, event) for seat in range(len(self._told))]
        parts: list[list[dict[str, Any]]] = [[] for _ in self._told]
        for action in actions_of(line):
            seen = witnessed(self._game, self._state, action)
            for seat, mine in enumerate(parts):
                told = tell(self._game, self._state, seat, action)
                if told is not None:
                    mine.append({**told, **seen})
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
        waiting = self._passing.waiting
        view = self._blank() if waiting else self.view(self._game, self._state, self._viewer)
        self._desk.show(view)
        said = say("play.thinking", name=self.name(player))
        self._wait.start(lambda: self._desk.show(view._replace(said=said)))

    # What asking calls.

    def name(self, player: int) -> str:
        """The seat's name, with its number where the game has several."""
        name = shown(self._spec.bots[player].name)
        return f"{name} ({sign(self._game, player)})" if len(self._spec.bots) > 1 else name

    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return tuple(shown(seat.name) for seat in self._spec.bots)

    def view(self, game: Any, state: Any, player: int, shown: tuple[int, ...] = ()) -> View:
        """What the player may see."""
        told = self._told[player]
        last = next((event for event in reversed(told) if "action" in event), None)
        names = self.names()
        marks = Marks(last, shown, not self._desk.palette.depth, names, self._over)
        drawn = terminal(game)
        drawing = drawn.draw(game, state, player, marks)
        course = log(game, told, player, names, LOGGED)
        return View(
            title=title(game, self._label),
            board=drawing.wide,
            narrow=tuple(drawing.narrow),
            seats=[] if drawn.seated else self._seats(game, state),
            log=course.lines,
            fresh=course.fresh,
        )

    def course(self, player: int) -> tuple[str, ...]:
        """What the player was told so far, the latest last."""
        told, names = self._told[player], self.names()
        return tuple(map(plain, log(self._game, told, player, names, COURSE).lines))

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
        self._over = True
        view = self.view(self._game, self._state, self._viewer)
        columns, _ = size()
        wide = max(length(line) for line in view.board) <= columns or not view.narrow
        news = view.log[-view.fresh :] if self._facts.hidden_information and view.fresh else []
        return [*(view.board if wide else view.narrow), [], *news, *view.seats]

    def _seats(self, game: Any, state: Any) -> list[Line]:
        return [self._seat(game, state, seat) for seat in range(len(self._told))]

    def _seat(self, game: Any, state: Any, seat: int) -> Line:
        to_move = int(mover(game, state)) == seat
        line: Line = [("> " if to_move else "  ", "bold")]
        if len(self._spec.bots) > 1:
            line.append((f" {sign(game, seat)} ", f"player{seat % 8}"))
            line.append((" ", ""))
        width = max(map(len, self.names()))
        name = self.names()[seat]
        line.append((f"{name:{width}}", "bold" if to_move else ""))
        line.append((f"  {counted(int(points(game, state, seat)))}", ""))
        return line


def _as_one(parts: list[dict[str, Any]], line: dict[str, Any]) -> dict[str, Any]:
    """What a seat was told of a line of the record, the actions of a whole turn in one event."""
    if len(parts) == 1:
        return {**parts[0], "line": line}
    text = "; ".join(part["text"] for part in parts)
    return {**parts[-1], "text": text, "parts": parts, "line": line}


def title(game: Any, label: str = "") -> str:
    """The game's name and the parameters that are not the usual ones."""
    name = properties(game).name
    usual = parameters(make(name))
    changed = [
        f"{key}={written(value)}"
        for key, value in parameters(game).items()
        if value != usual[key] and key != "players" and "\n" not in str(value)
    ]
    spoken = name.replace("-", " ").title()
    return " \N{MIDDLE DOT} ".join([spoken, *([label] if label else []), *changed])
