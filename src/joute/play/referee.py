"""The referee: asks, checks, applies, records. It is the only code that decides.

Legality is checked here, once. What a fault costs comes from the game's specification: its turn
(the game's `fault_action` is played) or the game; where an illegal answer costs the turn, the
game's card may say which one loses the game all the same. A two-player game that a bot has lost so
ends there; with more players the bot is out, its `fault_action` is played to the end, and its
return is the lowest. In a game of simultaneous choices a choice is told to nobody before all are
in.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from joute.core.errors import ActionError
from joute.core.interface import (
    CHANCE,
    OVER,
    describe,
    fault_action,
    mover,
    pending,
    play,
    points,
    properties,
    start,
    stop_action,
    stream,
    tell,
)
from joute.core.reading import read_answer
from joute.core.registry import card_of, make
from joute.host.protocol import Answer, Fault, InfrastructureError
from joute.i18n.words import Sentence, english
from joute.play.chance import Streams
from joute.play.game import (
    GameResult,
    GameSpec,
    SeatFault,
    SeatSpec,
    acceptable,
    final_returns,
    identity,
)
from joute.play.illegal import illegal
from joute.play.record import TextBudget, Writer, actions_of, header, spent
from joute.play.seats import Human, Seat, observed, open_seat, start_message
from joute.play.seats import answer as answered

Watch = Callable[[dict[str, Any]], None]
"""Hears of every line between the header and the end of a record, as plain data."""

Opener = Callable[[SeatSpec, GameSpec, Any, Human | None], Seat]  # Makes the seat of a bot

GiveUp = Callable[[int], bool]
"""Notes that a player gives up, whoever is asked; whether the game is decided now.

To be called in the game's thread: while a seat is asked, or by who watches.
"""


def play_game(
    spec: GameSpec,
    human: Human | None = None,
    before: Sequence[dict[str, Any]] = (),
    watch: Watch | None = None,
    opener: Opener = open_seat,
    stop: Callable[[], bool] | None = None,
    streams: Streams | None = None,
    leaving: Callable[[GiveUp], None] | None = None,
) -> GameResult:
    """Plays one game from start to end.

    `before` are the lines of plies that were played already, of a record of the same game: they
    are taken as they are and the game goes on from there. `watch` hears of every line as it is
    written, whoever may see what it says. `opener` makes the seats; a server has some of its own.
    `stop` is asked before each turn whether the time for the whole game is over; the game then ends
    as soon as it can. `streams` take the place of the seed's, for games whose chance is known:
    their records cannot be proved. `leaving` is handed, before the first turn, the function by
    which people give up when it is not their turn; what is answered after that to a game that it
    decides counts for nothing.
    Raises GameError, BotError or BuiltinError if it cannot be set up as specified, and
    InfrastructureError if it failed for a reason that is no bot's.
    """
    game = make(spec.game, **spec.parameters)
    contents = [seat.content() for seat in spec.bots]
    referee = _Referee(spec, game, identity(spec, contents, game), watch)
    referee.stop = stop
    referee.streams = streams or referee.streams
    try:
        for seat in spec.bots:
            referee.seats.append(_Seated(opener(seat, spec, game, human)))
        referee.write_header(contents)
        if leaving is not None:
            leaving(referee.give_up)
        referee.run(before)
        return referee.finish()
    finally:
        for seated in referee.seats:
            seated.seat.close()


@dataclass
class _Seated:
    """A seat, what it was told, and what it did so far."""

    seat: Seat
    words: TextBudget = field(default_factory=TextBudget)
    told: list[dict[str, Any]] = field(default_factory=list)
    untold: int = 0  # how many of `told` its next message will bring
    printed: str = ""  # while it started, which goes with its next ply
    running: bool = False
    starts: int = 0
    out: bool = False
    resigned: bool = False
    asked: int = 0
    cpu_ms: float = 0.0

    def news(self) -> list[dict[str, Any]]:
        """The events that it was not told yet; told by this call."""
        news = self.told[len(self.told) - self.untold :]
        self.untold = 0
        return news


class _Referee:
    def __init__(self, spec: GameSpec, game: Any, identity: str, watch: Watch | None) -> None:
        self.spec = spec
        self.game = game
        self.identity = identity
        self.facts = properties(game)
        self.most_illegal = card_of(game).most_illegal
        self.state: list[int] = start(game).tolist()  # quicker than an array in plain Python
        self.seats: list[_Seated] = []
        self.streams = Streams(spec.seed)
        self.writer = Writer()
        self.watch = watch
        self.stop: Callable[[], bool] | None = None
        self.faults: list[SeatFault] = []
        self.waited_for: set[int] = set()
        self.ply = 0
        self._hidden: list[tuple[int, dict[str, Any]]] = []  # simultaneous choices not yet told
        self._open = not (self.facts.hidden_information or self.facts.simultaneous)
        if len(spec.bots) != self.facts.players:
            counts = {"seats": self.facts.players, "bots": len(spec.bots)}
            raise ValueError(Sentence("error.seats", game=spec.game, **counts))

    def write_header(self, contents: list[str]) -> None:
        isolation = [seated.seat.isolation for seated in self.seats]
        self.writer.write(header(self.spec, self.game, self.identity, contents, isolation))

    def run(self, before: Sequence[dict[str, Any]] = ()) -> None:
        for number in range(len(self.seats)):
            self._start(number)
        opening = self.streams.opening_length(self.game, self.spec.opening)
        for line in before:
            opening -= line["by"] == "opening"
            self._again(line)
        while not self._decided() and (player := int(mover(self.game, self.state))) != OVER:
            if player == CHANCE:
                name = stream(self.game, self.state)
                outcome = self.streams.outcome(self.game, self.state)
                self._apply([outcome], {"by": "chance", "stream": name})
            elif opening > 0:
                opening -= 1
                action = self.streams.opening_action(self.game, self.state)
                self._apply([action], {"by": "opening", "player": player})
            elif (end := self._time_over()) is not None:
                self._apply([end], {"by": "clock", "player": player})
            else:
                self._turn(player)

    def _time_over(self) -> int | None:
        """The action that ends the game now, if its time is over."""
        if self.stop is None or (end := stop_action(self.game, self.state)) is None:
            return None
        return int(end) if self.stop() else None

    def _decided(self) -> bool:
        return any(seated.out for seated in self.seats) and len(self.seats) <= 2

    def give_up(self, player: int) -> bool:
        """As `GiveUp` says. Nothing comes of it where the player is out, or the game over."""
        seated = self.seats[player]
        if not seated.out and mover(self.game, self.state) != OVER:
            seated.out = seated.resigned = True
            line = {"ply": self.ply, "by": "bot", "player": player, **spent(answered())}
            self._write(line | {"resigned": True, "cost": "game"})
        return self._decided()

    def finish(self) -> GameResult:
        forfeits = [seated.out for seated in self.seats]
        ending = "finished"
        if any(forfeits):
            resigned = all(seated.resigned for seated in self.seats if seated.out)
            ending = "resignation" if resigned else "forfeit"
        values = final_returns(self.game, self.state, forfeits)
        scores = [int(points(self.game, self.state, seat)) for seat in range(len(self.seats))]
        for seated in self.seats:
            if seated.running:
                message = {"type": "end", "returns": values, "events": seated.news()}
                seated.seat.end(message)
        end = {
            "ending": ending,
            "forfeits": [seat for seat, out in enumerate(forfeits) if out],
            "returns": values,
            "points": scores,
            "plies": self.ply,
            "seed": self.spec.seed,
        }
        self.writer.write(end | ({"busy": True} if self.waited_for else {}))
        return GameResult(
            identity=self.identity,
            ending=ending,
            returns=values,
            points=scores,
            plies=self.ply,
            faults=self.faults,
            cpu_ms=[seated.cpu_ms for seated in self.seats],
            asked=[seated.asked for seated in self.seats],
            record=self.writer.content(),
            chain=self.writer.chain,
            isolation=[seated.seat.isolation for seated in self.seats],
            busy=bool(self.waited_for),
            waited_for=sorted(self.waited_for),
        )

    def _again(self, line: dict[str, Any]) -> None:
        """Applies a ply of an earlier record of this game, or notes who gave it up or lost it."""
        kept = {key: line[key] for key in line if key not in ("ply", "action", "text", "chain")}
        lost = line.get("cost") == "game" and line.get("fault") != Fault.START_UP
        if lost:
            seated = self.seats[line["player"]]
            seated.out, seated.resigned = True, bool(line.get("resigned"))
        if "action" not in line:
            if lost:
                self._count(line)
                self._write({"ply": self.ply, **kept})
            return
        if line["by"] == "chance":
            self.streams.outcome(self.game, self.state)
        elif line["by"] == "opening":
            self.streams.opening_action(self.game, self.state)
        elif line["by"] == "bot":
            self.seats[line["player"]].asked += 1
            self.seats[line["player"]].cpu_ms += line["cpu_ms"]
        self._count(line)
        self._apply(actions_of(line), kept)

    def _count(self, line: dict[str, Any]) -> None:
        """Notes the fault of an earlier ply, if it is one."""
        if "fault" in line:
            values = (line["player"], self.ply, line["fault"], line["detail"], line["cost"])
            self.faults.append(SeatFault(*values))

    # One seat's turn.

    def _turn(self, player: int) -> None:
        seated = self.seats[player]
        if not seated.running and not seated.out:
            self._start(player)
        if seated.out:
            if not self._decided():
                action = int(fault_action(self.game, self.state, player))
                self._apply([action], {"by": "referee", "player": player})
            return
        message: dict[str, Any] = {"type": "play", "events": seated.news()}
        if seated.seat.observes:
            message["observation"] = observed(self.game, self.state, player)
        answer = seated.words.cut(seated.seat.ask(self.state, message))
        if seated.printed:
            answer = replace(answer, output=seated.printed + answer.output)
            seated.printed = ""
        if self._decided() or self.seats[player].out:  # somebody gave up meanwhile
            return
        seated.asked += 1
        seated.cpu_ms += answer.cpu_ms
        seated.running = answer.alive
        if answer.busy:
            self.waited_for.add(player)
        actions, fault, detail = self._checked(answer)
        line = {"by": "bot", "player": player, **spent(answer)}
        if answer.resigned:
            seated.out = seated.resigned = True
            self._pay(player, "game", line | {"resigned": True, "cost": "game"})
            return
        if fault is None:
            if actions != [answer.action] and not isinstance(answer.action, str):
                line["answer"] = answer.action
            self._apply(actions, line)
            return
        cost = self._charge(player, fault, detail)
        self._pay(player, cost, line | {"fault": fault.value, "detail": detail, "cost": cost})

    def _pay(self, player: int, cost: str, line: dict[str, Any]) -> None:
        """Records what a bot that did not answer has lost: the game, or its turn."""
        if cost == "game" and len(self.seats) <= 2:
            self._write({"ply": self.ply, **line})
            return
        self._apply([int(fault_action(self.game, self.state, player))], line)

    def _checked(self, answer: Answer) -> tuple[list[int], Fault | None, str]:
        """The actions of an answer, if they are legal ones; else the fault and its detail."""
        if answer.fault is not None:
            return [], answer.fault, answer.detail
        try:
            actions = read_answer(self.game, self.state, answer.action)
        except ActionError as error:
            return [], Fault.ILLEGAL, english(error)
        if not acceptable(self.game, self.state, actions):
            told = illegal(self.game, self.state, answer.action, actions)
            return [], Fault.ILLEGAL, english(told)
        return actions, None, ""

    def _apply(self, actions: list[int], line: dict[str, Any]) -> None:
        """Records an action, an outcome or a whole turn, tells whoever sees it, and plays it."""
        number, texts, events = self.ply, [], []
        for action in actions:
            texts.append(describe(self.game, self.state, action))
            for seat in range(len(self.seats)):
                event = tell(self.game, self.state, seat, action)
                if event is not None:
                    events.append((seat, event))
            play(self.game, self.state, action)
            self.ply += 1
        if "answer" in line and self._open:
            # The sequence of an order, which its actions do not keep, is told with the first.
            for _, event in events[: len(self.seats)]:
                event["answer"] = line["answer"]
        played = actions if len(actions) > 1 else actions[0]
        self._write({"ply": number, **line, "action": played, "text": "; ".join(texts)})
        self._hidden += events
        if self.facts.simultaneous and pending(self.game, self.state) > 0:
            return
        for number, event in self._hidden:
            self.seats[number].told.append(event)
            self.seats[number].untold += 1
        self._hidden.clear()

    # Starting, and faults.

    def _start(self, player: int) -> None:
        seated = self.seats[player]
        seated.untold = 0
        names = [seat.name for seat in self.spec.bots]
        message = start_message(
            self.game, player, names, self.spec.seed, self.spec.limits.move_seconds, seated.told
        )
        answer = seated.words.cut(seated.seat.start(message))
        seated.starts += 1
        seated.running = answer.fault is None
        if answer.busy:
            self.waited_for.add(player)
        if answer.fault is None:
            seated.printed = answer.output
            return
        ours = answer.fault is Fault.INFRASTRUCTURE
        fault = Fault.INFRASTRUCTURE if ours else Fault.START_UP
        cost = self._charge(player, fault, answer.detail, must_end=True)
        self._write(
            {
                "ply": self.ply,
                "by": "bot",
                "player": player,
                **spent(answer),
                "fault": Fault.START_UP.value,
                "detail": answer.detail,
                "cost": cost,
            }
        )

    def _write(self, line: dict[str, Any]) -> None:
        self.writer.write(line)
        if self.watch is not None:
            self.watch(line)

    def _charge(self, player: int, fault: Fault, detail: str, must_end: bool = False) -> str:
        """Notes a fault and what it costs; a bot that lost the game is out."""
        seated = self.seats[player]
        if fault is Fault.INFRASTRUCTURE:
            raise InfrastructureError(detail, (player,))
        stopped = not seated.running and seated.starts > self.spec.max_restarts
        lost = must_end or stopped or self._too_often(player, fault)
        cost = "game" if lost else self.spec.costs.get(fault.value, "game")
        self.faults.append(SeatFault(player, self.ply, fault.value, detail, cost))
        seated.out = cost == "game"
        return cost

    def _too_often(self, player: int, fault: Fault) -> bool:
        """Whether a player has answered illegally so often that this loses the game."""
        if fault is not Fault.ILLEGAL or self.most_illegal is None:
            return False
        before = sum((each.seat, each.fault) == (player, fault.value) for each in self.faults)
        return before + 1 >= self.most_illegal
