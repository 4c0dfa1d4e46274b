"""A game in turns at this terminal: its people are asked one after the other, and follow it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, NoReturn

from joute.bots.levels import bare_name
from joute.cli.output import print_drawn
from joute.cli.playing.asking import Asking, Passing
from joute.cli.playing.display import Display, Wait, size
from joute.cli.playing.drawing import Marks, sign, terminal
from joute.cli.playing.page import PageContent, length
from joute.cli.usage import UsageFault, written
from joute.contest.config.default_names import LONGEST_NAME, default_names
from joute.core.interface import CHANCE, OVER, has_points, mover, parameters, points, properties
from joute.core.registry import defaults, make, needed
from joute.host.content import content_hash
from joute.host.limits import Limits
from joute.host.names import parse_bot
from joute.i18n.words import say
from joute.play.chance import derive
from joute.play.game import HUMAN, GameResult, GameSpec, SeatSpec, usual_costs
from joute.play.people import PeopleGame, TakenBack
from joute.play.preparing import prepared, remember
from joute.play.seats import Human, Resign, Seat, check_uncompiled, open_seat
from joute.play.standing_in import PreparedSeat, stand_in
from joute.play.telling import counted, learned, log, outcome, why_ended
from joute.play.thinkers import Thinkers
from joute.play.timeline import Step
from joute.text import Line, free_name, plain, shown

LOGGED = 12  # lines of the log that are shown beside or below a board
LONG_LOG = 18  # and for who asks for it


class TerminalGame(PeopleGame):
    """One game of people among themselves or against bots.

    With `thinkers` no bot is compiled here: until theirs is, a level that is ready plays for it,
    unless people `wait` or none play. Without, the game waits wherever a bot compiles something.
    """

    states_kept = 1

    def __init__(
        self,
        spec: GameSpec,
        display: Display,
        label: str = "",
        wait: Wait | None = None,
        thinkers: Thinkers | None = None,
        waits: bool = False,
    ) -> None:
        super().__init__(spec)
        self._thinkers = thinkers
        self._waits = waits or not self.people  # nobody waits for bots among themselves
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
        """Plays the game to its end. Raises Left if a person leaves it."""
        with self._display.open():
            try:
                return self.play(opener=self._opened)
            finally:
                self._wait.stop()

    def _opened(self, seat: SeatSpec, spec: GameSpec, game: Any, human: Human | None) -> Seat:
        bot = parse_bot(seat.bot)
        if self._thinkers is None or bot.kind != "builtin" or bot.hosted:
            return open_seat(seat, spec, game, human)
        return PreparedSeat(seat.bot, game, self._thinkers, lambda: self._waits)

    def begun(self) -> None:
        """Shows the game as it begins."""
        self._viewer = self.people[0] if self.people else 0
        self.heard(None)
        self._have_compiled()

    def _have_compiled(self) -> None:
        """Has the bots compiled while the game goes on."""
        if self._thinkers is not None:
            bots = [seat.bot for seat in self.spec.bots if seat.bot != HUMAN]
            self._thinkers.want_now(self.game, bots)

    def _compiling(self, bot: str) -> bool:
        return self._thinkers is not None and self._thinkers.pending(self.game, bot)

    def remarks(self) -> tuple[str, ...]:
        """Remarks on bots that are still being compiled, and on those that play meanwhile."""
        if self._waits:
            return ()
        by = bare_name(stand_in(self.game))
        return tuple(
            self._left_to_compile("play.standing_in", seat.bot, name=self.name(place), by=by)
            for place, seat in enumerate(self.spec.bots)
            if self._compiling(seat.bot)
        )

    def _left_to_compile(self, key: str, compiled: str, **values: object) -> str:
        """A sentence on a bot that is being compiled, with the seconds left where known."""
        if self._thinkers is None:
            return say(key, **values)
        seconds, usual = self._thinkers.preparation(self.game, compiled)
        if usual is None:
            return say(key, **values)
        return say(f"{key}.left", seconds=max(round(usual - seconds), 1), **values)

    def advice_from(self, bot: str) -> str:
        """A sentence on an adviser that is to be compiled first; "" for one that is ready."""
        if self._thinkers is not None and bot:
            self._thinkers.want_now(self.game, [bot])
        if not self._compiling(bot):
            return ""
        return self._left_to_compile("play.hint_waits", bot, bot=bare_name(bot))

    def turn_of(self, bot: str) -> AbstractContextManager[None]:
        """Waits until an adviser is compiled; holds while it computes."""
        return nullcontext() if self._thinkers is None else self._thinkers.turn(self.game, bot)

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
        """Shows the game while a bot is to answer, and who is waited for if it takes long."""
        self._wait.stop()
        self._forget_fresh()
        state = self.timeline.state
        player = int(mover(self.game, state))
        if self.repeating or player == OVER:
            return
        answers = player != CHANCE and player not in self.people
        about_to_start = step is None and self._thinkers is None and self._fresh
        if not answers and not about_to_start:
            return
        waiting = self._passing.waiting
        view = self._blank() if waiting else self.view(self.game, state, self._viewer)
        if answers:
            self._display.show(view)
        else:  # bots are about to be started, which is when some of them are compiled
            player = min(self._fresh)
        said = self._waited_for(player)
        self._wait.start(lambda: self._display.show(view._replace(said=said)))

    def _waited_for(self, player: int) -> str:
        """The name of the bot that is thinking, or is compiled before it can think."""
        bot, name = self.spec.bots[player].bot, self.name(player)
        if self._thinkers is None:
            return say("play.preparing" if player in self._fresh else "play.thinking", name=name)
        if self._compiling(bot) and self._waits:
            return self._left_to_compile("play.preparing", bot, name=name)
        return say("play.thinking", name=name)

    def _forget_fresh(self) -> None:
        """Notes who has just played for the first time."""
        last = self.timeline.lines[-1].get("player") if self.timeline.lines else None
        if last in self._fresh and self._thinkers is None:
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
        """Goes back to the last decision of a person here, by raising TakenBack, or UndoError."""
        raise TakenBack(self.before_last(self.people))

    def tell(self, result: GameResult) -> None:
        """Prints how the game stands, and how it ended."""
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
    for seat, usual in zip(seats, default_names(seats, Path()), strict=True):
        kind, _, name = seat.partition(":")
        if kind == HUMAN:
            bot, name = HUMAN, name.strip() or say("play.person")
            if seats.count(HUMAN) > 1 and seat == HUMAN:
                unnamed += 1
                name = f"{name} {unnamed}"
        else:
            bot, name = seat, usual
            spec = parse_bot(bot)
            content_hash(spec)  # reads every file, so that none is found missing later
            if spec.kind == "builtin":
                check_uncompiled(spec, rules)
        chosen = free_name(name[:LONGEST_NAME], named.__contains__)
        named.add(chosen)
        seated.append(SeatSpec(name=chosen, bot=bot))
    return tuple(seated)
