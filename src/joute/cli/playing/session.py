"""A game in turns at this terminal: its people are asked one after the other, and follow it."""

from __future__ import annotations

from typing import Any, NoReturn

from joute.cli.options import written
from joute.cli.output import print_drawn
from joute.cli.playing.asking import Asking, Passing, learned
from joute.cli.playing.colours import length
from joute.cli.playing.display import Display, Wait, size
from joute.cli.playing.game import Marks, sign, terminal
from joute.cli.playing.page import View
from joute.core.interface import CHANCE, OVER, mover, parameters, points, properties
from joute.core.registry import make
from joute.i18n.words import say
from joute.play.game import GameResult, GameSpec
from joute.play.people import PeopleGame, TakenBack
from joute.play.seats import Resign
from joute.play.telling import counted, log, outcome
from joute.play.timeline import Step
from joute.text import Line, plain, shown

LOGGED = 12  # lines of the log that are shown beside or below a board
LONG_LOG = 18  # and for who asks for it


class TerminalGame(PeopleGame):
    """One game of people among themselves or against bots."""

    states_kept = 1

    def __init__(
        self, spec: GameSpec, display: Display, label: str = "", wait: Wait | None = None
    ) -> None:
        super().__init__(spec)
        self._display = display
        self._label = label
        self._wait = Wait() if wait is None else wait
        self._asking = Asking(display, self)
        self._passing = Passing(display, self.facts.hidden_information and len(self.people) > 1)
        self._viewer = self.people[0] if self.people else 0
        self._over = False

    def run(self) -> GameResult:
        """Play the game to its end. Raises Left if a person leaves it."""
        with self._display.open():
            try:
                return self.play()
            finally:
                self._wait.stop()

    def begun(self) -> None:
        """Show the game as it begins."""
        self._viewer = self.people[0] if self.people else 0
        self.heard(None)

    def ask(self, game: Any, state: Any, player: int) -> int | list[int] | Resign:
        """As its class says, once the player has the keyboard."""
        self._wait.stop()
        if self._passing.needed(player):
            last = learned(self.timeline.told(self._viewer), self._viewer)
            shown = self.view(game, state, self._viewer) if last else None
            self._passing.pass_to(player, self.name(player), self._blank(), shown)
        self._viewer = player
        return self._asking.ask(game, state, player)

    def _blank(self) -> View:
        """A view with nothing in it that anybody could hide."""
        return View(title(self.game, self._label), [], [], [])

    def heard(self, step: Step | None) -> None:
        """Show the game while a bot is to answer, and who is thinking if it takes long."""
        self._wait.stop()
        state = self.timeline.state
        player = int(mover(self.game, state))
        if self.repeating or player in (CHANCE, OVER) or player in self.people:
            return
        waiting = self._passing.waiting
        view = self._blank() if waiting else self.view(self.game, state, self._viewer)
        self._display.show(view)
        said = say("play.thinking", name=self.name(player))
        self._wait.start(lambda: self._display.show(view._replace(said=said)))

    # What asking calls.

    def name(self, player: int) -> str:
        """The seat's name, with its number where the game has several."""
        name = self.names()[player]
        return f"{name} ({sign(self.game, player)})" if self.facts.players > 1 else name

    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return tuple(shown(seat.name) for seat in self.spec.bots)

    def view(self, game: Any, state: Any, player: int, shown: tuple[int, ...] = ()) -> View:
        """The view of a player, with nothing that is hidden from it."""
        told = self.timeline.told(player)
        last = next((event for event in reversed(told) if "action" in event), None)
        names = self.names()
        marks = Marks(last, shown, not self._display.palette.depth, names, self._over)
        drawn = terminal(game)
        drawing = drawn.draw(game, state, player, marks)
        events = log(game, told, player, names, LOGGED)
        return View(
            title=title(game, self._label),
            board=drawing.wide,
            narrow=tuple(drawing.narrow),
            seats=[] if drawn.seated else self._seats(game, state),
            log=events.lines,
            fresh=events.fresh,
        )

    def log(self, player: int) -> tuple[str, ...]:
        """The events that the player was told of, in words, the latest last."""
        told = self.timeline.told(player)
        return tuple(map(plain, log(self.game, told, player, self.names(), LONG_LOG).lines))

    def undo(self) -> NoReturn:
        """Go back to the last decision of a person here, by raising TakenBack, or UndoError."""
        raise TakenBack(self.before_last(self.people))

    def tell(self, result: GameResult) -> None:
        """Print how the game stands, and how it ended."""
        print_drawn(f"\n{self._display.palette.lines(self.last_page())}\n")
        for line in outcome(self.spec, result):
            print(line)

    def last_page(self) -> list[Line]:
        """The lines that show the game after its end."""
        self._over = True
        view = self.view(self.game, self.timeline.state, self._viewer)
        columns, _ = size()
        wide = max(length(line) for line in view.board) <= columns or not view.narrow
        news = view.log[-view.fresh :] if self.facts.hidden_information and view.fresh else []
        return [*(view.board if wide else view.narrow), [], *news, *view.seats]

    def _seats(self, game: Any, state: Any) -> list[Line]:
        return [self._seat(game, state, seat) for seat in range(self.facts.players)]

    def _seat(self, game: Any, state: Any, seat: int) -> Line:
        to_move = int(mover(game, state)) == seat
        line: Line = [("> " if to_move else "  ", "bold")]
        if self.facts.players > 1:
            line.append((f" {sign(game, seat)} ", f"player{seat % 8}"))
            line.append((" ", ""))
        width = max(map(len, self.names()))
        name = self.names()[seat]
        line.append((f"{name:{width}}", "bold" if to_move else ""))
        line.append((f"  {counted(int(points(game, state, seat)))}", ""))
        return line


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
