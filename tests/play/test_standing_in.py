"""A level that is ready plays for a bot that is being compiled."""

import threading
from contextlib import suppress

import numpy as np
import pytest
from games.samples import samples

from joute import bots
from joute.bots.ladder import levels
from joute.core import compiled
from joute.core.compiled import Kernel, interpreting, kernel
from joute.core.interface import CHANCE, OVER, expand, legal_actions, mover, play, start
from joute.core.registry import make
from joute.host.names import parse_bot
from joute.play import standing_in
from joute.play.chance import Streams, derive
from joute.play.game import GameSpec, SeatSpec, usual_costs
from joute.play.people import PeopleGame
from joute.play.preparing import prepared
from joute.play.record import check_shape, read_record
from joute.play.seats import check_uncompiled, open_seat
from joute.play.standing_in import RANDOM, PreparedSeat, stand_in
from joute.play.telling import log
from joute.play.timeline import Timeline
from joute.play.verify import verify_record
from joute.text import plain

CHAMPION = "builtin:champion"
GAMES = [pytest.param(game, id=f"{name}-{place}", marks=pytest.mark.game(name))
         for name, each in samples().items() for place, game in enumerate(each.QUICK)]  # fmt: skip


class Compiling:
    """Thinkers whose bots are compiled for ever, or until `ready` is set."""

    def __init__(self) -> None:
        self.ready = threading.Event()
        self.turns: list[str] = []

    def pending(self, game, bot):
        return not self.ready.is_set()

    def turn(self, game, bot):
        self.turns.append(bot)
        return threading.Lock()


@pytest.fixture
def uncompiled(monkeypatch):
    """Kernels that cannot be compiled, nor loaded."""

    def refuse(kernel, classes):
        raise AssertionError(f"{kernel.function.__name__} is compiled")

    monkeypatch.setattr(Kernel, "_compile", refuse)
    monkeypatch.setattr(compiled, "cache_key", lambda classes: None)


def choices(game, bot, most=6):
    """The first choices of a bot that plays every seat."""
    state, streams, found = start(game).tolist(), Streams("0" * 32), []
    seats = {}
    while len(found) < most and (player := int(mover(game, state))) != OVER:
        if player == CHANCE:
            play(game, state, streams.outcome(game, state))
            continue
        if player not in seats:
            seats[player] = PreparedSeat(bot, game, Compiling(), lambda: False)
            seats[player].start({"player": player, "seed": 1, "move_seconds": 1.0})
        answer = seats[player].ask(state, {})
        found.append(answer)
        for action in expand(game, state, answer.action):
            play(game, state, action)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_the_first_answers_of_a_bot_that_is_being_compiled_need_no_kernel(game, uncompiled):
    found = choices(game, CHAMPION)
    assert found
    assert {answer.stand_in for answer in found} == {stand_in(game)}


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_that_says_so_needs_no_kernel(game, uncompiled):
    own = [each for each in bots.names_for(game) if bots.interpreted(each, game)]
    assert "random" in own
    for name in own:
        if not bots.suits(name, game):
            continue
        state, streams = start(game).tolist(), Streams("0" * 32)
        while (player := int(mover(game, state))) == CHANCE:
            play(game, state, streams.outcome(game, state))
        bot = bots.make(name, {}, bots.Seating(game, player, 1, 1.0))
        assert bot.play(np.array(state, start(game).dtype)).action is not None


@pytest.mark.parametrize("game", GAMES)
def test_every_level_is_checked_before_a_game_without_a_kernel(game, uncompiled):
    checked = 0
    for level in (*levels(game), "champion"):
        with suppress(bots.BuiltinError):  # a level that does not play a game of this size
            check_uncompiled(parse_bot(f"builtin:{level}"), game)
            checked += 1
    assert checked


@pytest.mark.game("virus", "tron", "love-letter", "vampires", "paradise")
def test_the_strongest_level_without_a_kernel_stands_in():
    expected = {"virus": "greedy", "love-letter": "rules", "paradise": "greedy"}
    assert {name: stand_in(make(name)) for name in expected} == {
        name: f"builtin:{bot}" for name, bot in expected.items()
    }


def test_where_no_level_plays_a_game_a_random_one_stands_in(monkeypatch):
    monkeypatch.setattr(standing_in, "levels", lambda game: ())
    assert stand_in(None) == RANDOM


@pytest.mark.game("virus")
def test_a_bot_that_needs_no_kernel_is_always_ready(monkeypatch, tmp_path):
    monkeypatch.setenv("JOUTE_CACHE", str(tmp_path))
    game = make("virus", size=4)
    assert prepared(game, "builtin:greedy?stray=0.2")
    assert not prepared(game, "builtin:flat")


class Played(PeopleGame):
    """A person who answers by the first legal action; `compiling` is over after `plies` of it."""

    def __init__(self, spec, thinkers, plies, waits=False) -> None:
        super().__init__(spec)
        self._thinkers, self._plies, self._waits = thinkers, plies, waits

    def ask(self, game, state, player):
        self._plies -= 1
        if self._plies < 0:
            self._thinkers.ready.set()
        return legal_actions(game, state)[0]

    def opened(self, seat, spec, game, human):
        if seat.bot == "human":
            return open_seat(seat, spec, game, human)
        return PreparedSeat(seat.bot, game, self._thinkers, lambda: self._waits)


def record(plies, waits=False):
    bots = (
        SeatSpec(name="Ann", bot="human"),
        SeatSpec(name="flat", bot="builtin:flat?simulations=1"),
    )
    spec = GameSpec(game="virus", parameters={"size": 4}, bots=bots, seed=derive("stand", 1),
                    costs=usual_costs("virus"))  # fmt: skip
    played = Played(spec, Compiling(), plies, waits)
    return played.play(opener=played.opened).record, played.timeline


@pytest.mark.game("virus")
def test_a_record_says_which_actions_another_bot_chose_and_is_true():
    content, timeline = record(2)
    found = read_record(content)
    own = [line for line in found.plies if line.get("player") == 1 and line["by"] == "bot"]
    assert {line.get("stand_in") for line in own[:1]} == {"builtin:greedy"}
    assert "stand_in" not in own[-1]
    assert verify_record(content).ok
    check_shape(found, 2)
    assert timeline.lines == found.plies


@pytest.mark.game("virus")
def test_for_people_who_wait_the_bot_plays_itself():
    content, _ = record(99, waits=True)
    assert not any("stand_in" in line for line in read_record(content).plies)


@pytest.mark.game("virus")
def test_the_log_names_the_bot_that_played_instead():
    _, timeline = record(99)
    assert isinstance(timeline, Timeline)
    told = log(timeline.game, timeline.told(0), 0, ("Ann", "flat"), 99).lines
    assert any(plain(line).endswith("(greedy, in its place)") for line in told)


@kernel
def _twice(value):
    return value * 2


def test_kernels_are_interpreted_for_as_long_as_it_is_said(uncompiled):
    with interpreting():
        assert _twice(3) == 6
        assert _twice.bound(3) is _twice.function
    with pytest.raises(AssertionError, match="_twice is compiled"):
        _twice(3)
