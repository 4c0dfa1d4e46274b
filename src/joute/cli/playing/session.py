"""A game in turns at this terminal: its people are asked one after the other, and follow it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from joute.cli.output import print_drawn
from joute.cli.playing.asking import Asking, Left, Passing, learned, rules_pages
from joute.cli.playing.display import Display, Wait, size
from joute.cli.playing.drawing import Marks, sign, terminal
from joute.cli.playing.page import PageContent, length
from joute.cli.terminal import waiting
from joute.cli.usage import UsageFault, written
from joute.contest.config.entries import LONGEST_NAME, default_name
from joute.core.interface import CHANCE, OVER, has_points, mover, parameters, points, properties
from joute.core.registry import defaults, make, needed
from joute.host.limits import Limits
from joute.host.names import content_hash, parse_bot
from joute.i18n.words import say
from joute.play.chance import derive
from joute.play.game import HUMAN, GameResult, GameSpec, SeatSpec, usual_costs
from joute.play.people import PeopleGame, TakenBack
from joute.play.preparing import prepared, remember
from joute.play.seats import Resign, check_builtin
from joute.play.steering import (
    DOWN,
    DOWNSTAIRS,
    LEFT,
    RIGHT,
    UP,
    UPSTAIRS,
    RoundClock,
    warm_up,
)
from joute.play.telling import counted, log, outcome, why_ended
from joute.play.timeline import Step
from joute.text import Line, free_name, plain, shown

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
        self._fresh = {
            place
            for place, seat in enumerate(spec.bots)
            if place not in self.people and not prepared(self.game, seat.bot)
        }

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

    def _blank(self) -> PageContent:
        """A view with nothing in it that anybody could hide."""
        return PageContent(title(self.game, self._label), [], [], [])

    def heard(self, step: Step | None) -> None:
        """Show the game while a bot is to answer, and who is waited for if it takes long."""
        self._wait.stop()
        self._forget_fresh()
        state = self.timeline.state
        player = int(mover(self.game, state))
        if self.repeating or player == OVER:
            return
        answers = player != CHANCE and player not in self.people
        if not answers and (step is not None or not self._fresh):
            return
        waiting = self._passing.waiting
        view = self._blank() if waiting else self.view(self.game, state, self._viewer)
        if answers:
            self._display.show(view)
        else:  # bots are about to be started, which is when some of them are compiled
            player = min(self._fresh)
        key = "play.preparing" if player in self._fresh else "play.thinking"
        said = say(key, name=self.name(player))
        self._wait.start(lambda: self._display.show(view._replace(said=said)))

    def _forget_fresh(self) -> None:
        """Notes who has just played for the first time."""
        last = self.timeline.lines[-1].get("player") if self.timeline.lines else None
        if last in self._fresh:
            self._fresh.remove(last)
            remember(self.game, self.spec.bots[last].bot)

    # The callbacks of the game with people.

    def name(self, player: int) -> str:
        """The seat's name, with its number where the game has several."""
        name = self.names()[player]
        return f"{name} ({sign(self.game, player)})" if self.facts.players > 1 else name

    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return tuple(shown(seat.name) for seat in self.spec.bots)

    def view(self, game: Any, state: Any, player: int, shown: tuple[int, ...] = ()) -> PageContent:
        """The view of a player, with nothing that is hidden from it."""
        told = self.timeline.told(player)
        last = next((event for event in reversed(told) if "action" in event), None)
        names = self.names()
        marks = Marks(last, shown, not self._display.palette.depth, names, self._over)
        drawn = terminal(game)
        drawing = drawn.draw(game, state, player, marks)
        events = log(game, told, player, names, LOGGED)
        return PageContent(
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
        why = why_ended(self.game, self.timeline.state, result.ending, self.names())
        for line in filter(None, [*outcome(self.spec, result), why]):
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
        if has_points(game):
            line.append((f"  {counted(int(points(game, state, seat)))}", ""))
        return line


def title(game: Any, label: str = "") -> str:
    """The game's name and the parameters that are not the usual ones."""
    name = properties(game).name
    usual = {} if needed(name) else parameters(make(name))
    changed = [
        f"{key}={written(value)}"
        for key, value in parameters(game).items()
        if value != usual.get(key) and key != "players" and "\n" not in str(value)
    ]
    spoken = name.replace("-", " ").title()
    return " \N{MIDDLE DOT} ".join([spoken, *([label] if label else []), *changed])


def make_spec(
    game: str, parameters: dict[str, Any], seats: Sequence[str], move_seconds: float, seed: str
) -> GameSpec:
    """The game between these seats; every bot is found and can play it.

    Raises UsageFault, GameError, BotError or BuiltinError for what cannot be.
    """
    if "players" in defaults(game):
        parameters = {"players": len(seats), **parameters}
    rules = make(game, **parameters)
    if len(seats) != properties(rules).players:
        raise UsageFault(
            say("play.seats", game=game, expected=properties(rules).players, got=len(seats))
        )
    return GameSpec(
        game=game,
        parameters=parameters,
        bots=_seated(seats, rules),
        seed=derive(seed, "play"),
        limits=Limits(move_seconds=move_seconds),
        costs=usual_costs(game),
    )


def with_map(game: str, parameters: dict[str, Any], word: str | None) -> dict[str, Any]:
    """The parameters with the text of the map that `--map` names, or `--param map=`."""
    from joute.core import maps

    if word is None:
        return maps.with_map(game, parameters)
    if maps.MAP not in defaults(game):
        raise UsageFault(say("play.no_maps", game=game))
    return maps.with_map(game, {**parameters, maps.MAP: word})


def _seated(seats: Sequence[str], rules: Any) -> tuple[SeatSpec, ...]:
    named: set[str] = set()
    seated: list[SeatSpec] = []
    unnamed = 0
    for seat in seats:
        kind, _, name = seat.partition(":")
        if kind == HUMAN:
            bot, name = HUMAN, name.strip() or say("play.person")
            if seats.count(HUMAN) > 1 and seat == HUMAN:
                unnamed += 1
                name = f"{name} {unnamed}"
        else:
            bot, name = seat, default_name(seat)
            spec = parse_bot(bot)
            content_hash(spec)  # reads every file, so that none is found missing later
            if spec.kind == "builtin":
                check_builtin(spec, rules)
        chosen = free_name(name[:LONGEST_NAME], named.__contains__)
        named.add(chosen)
        seated.append(SeatSpec(name=chosen, bot=bot))
    return tuple(seated)


OVER_SECONDS = 4.0  # that the end stays on the screen
LOOK_SECONDS = 0.25  # between two looks at the size of the terminal

ARROWS = {
    "left": LEFT, "up": UP, "right": RIGHT, "down": DOWN,
    "page up": UPSTAIRS, "page down": DOWNSTAIRS, "+": UPSTAIRS, "-": DOWNSTAIRS,
}  # fmt: skip
LETTERS = {
    "a": LEFT, "w": UP, "d": RIGHT, "s": DOWN, "r": UPSTAIRS, "f": DOWNSTAIRS,
    "j": LEFT, "i": UP, "l": RIGHT, "k": DOWN, "u": UPSTAIRS, "o": DOWNSTAIRS,
}  # fmt: skip
LEAVE = frozenset({"q", "Q", "\x04", "eof"})
PAUSE = frozenset({" ", "p", "P"})
RULES = frozenset({"?", "h", "H"})  # letters that steer no bike; in a pause, R too
MOST_PEOPLE = 2  # as many as there are sets of keys

Keys = Callable[[float], list[str]]
"""Waits for keys, for so many seconds at most; the names of those pressed."""


class RealTimeGame(TerminalGame):
    """A game at `speed` rounds a second; keys and clock are those of the terminal."""

    def __init__(
        self,
        spec: GameSpec,
        display: Display,
        label: str,
        speed: float,
        keys: Keys = waiting,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(spec, display, label)
        self._keys = keys
        self._clock = clock
        self._rounds = RoundClock(speed, self.people, (), clock)
        self._rounds.attach(self._wait_for_keys, self._counted)
        self._said = ""
        self._size = (0, 0)

    def run(self) -> GameResult:
        """Play the game; its last moment stays on the screen for a while."""
        with self._display.open():
            self._said = say("play.ready")
            self._draw()
            for seat in self.spec.bots:
                warm_up(self.game, seat.bot)
                remember(self.game, seat.bot)
            self._said = ""
            result = self.play()
            self._said = say("play.over")
            self._rest()
        return result

    def _rest(self) -> None:
        """Until it was seen, or somebody wants to go on; keys that still steer do nothing."""
        due = self._clock() + OVER_SECONDS
        self._draw()
        while (left := due - self._clock()) > 0:
            if set(self._keys(min(left, LOOK_SECONDS))) & {" ", "\n", "\r", *LEAVE}:
                return

    def ask(self, game: Any, state: Any, player: int) -> int:
        """The key pressed, or straight ahead, when the round's time is up."""
        return self._rounds.choose(game, state, player)

    def heard(self, step: Step | None) -> None:
        """Show the round that was played; one without people takes its time all the same."""
        self._draw()
        self._rounds.follow(self.game, self.timeline.state)

    def _counted(self) -> None:
        """Show the countdown, then the keys."""
        if self._rounds.left:
            self._said = say("play.countdown", left=self._rounds.left)
        else:
            self._said = say("play.live_keys.two" if len(self.people) > 1 else "play.live_keys")
        self._draw()

    def _wait_for_keys(self, seconds: float) -> None:
        end = self._clock() + seconds
        while (left := end - self._clock()) > 0:
            pressed = self._keys(min(left, LOOK_SECONDS))
            if size() != self._size:
                self._draw()
            if LEAVE.intersection(pressed):
                raise Left
            for key in pressed:
                self._steer(key)
            if (PAUSE | RULES).intersection(pressed):
                paused = self._pause(rules=not RULES.isdisjoint(pressed))
                self._rounds.delay(paused)
                end += paused

    def _steer(self, key: str) -> None:
        for place, seat in enumerate(self.people):
            keys = ARROWS if place == 0 else LETTERS
            if len(self.people) == 1:
                keys = ARROWS | LETTERS
            if (turn := keys.get(key.lower())) is not None:
                self._rounds.steer(seat, turn)

    def _pause(self, rules: bool) -> float:
        """Returns when the game may go on: after how many seconds; shows the `rules` first."""
        said, self._said = self._said, say("play.paused")
        began = self._clock()
        if rules:
            self._rules()
        self._draw()
        while True:
            pressed = self._keys(LOOK_SECONDS)
            if size() != self._size:
                self._draw()
            if LEAVE.intersection(pressed):
                raise Left
            if PAUSE.intersection(pressed):
                break
            if (RULES | {"r", "R"}).intersection(pressed):
                self._rules()
                self._draw()
        self._said = said
        self._draw()
        return self._clock() - began

    def _rules(self) -> None:
        """Shows the rules, a page for each key. Raises Left."""
        view = self.view(self.game, self.timeline.state, self._viewer)
        for page, prompt in rules_pages(self.game, view):
            self._display.show(page._replace(said=prompt.strip()))
            while not (pressed := self._keys(LOOK_SECONDS)):
                pass
            if LEAVE.intersection(pressed):
                raise Left

    def _draw(self) -> None:
        self._size = size()
        view = self.view(self.game, self.timeline.state, self._viewer)
        self._display.show(view._replace(log=[], said=self._said))
