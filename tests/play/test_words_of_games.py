"""Events, choices and real time of any game, and the changes that a card makes to them."""

import pytest
from games import pennies
from helpers import install_game

from joute.bots.explain import Belief
from joute.cli.main import main
from joute.core import registry
from joute.core.card import Card
from joute.core.interface import play, start, tell
from joute.core.registry import make
from joute.play.game import GameSpec, SeatSpec
from joute.play.referee import play_game
from joute.play.steering import COUNTDOWN, LEFT, UP, Realtime, RoundClock, timed
from joute.play.telling import Telling, chosen, held, narrated, outcome, witnessed
from joute.text import plain

NAMES = ("Ann", "Bob")
SIDES = ("heads", "tails")

CARD = Card(
    name="pennies",
    rules="games.pennies:make",
    telling=f"{__name__}:TELLING",
    realtime=f"{__name__}:REALTIME",
)
TELLING = Telling(
    narrate=lambda event, names: [[(f"{names[event['player']]}: {SIDES[event['action']]}", "")]],
    witness=lambda game, state, action: {"round": int(state[pennies.ROUND])},
    choice=lambda game, state, action, names: f"show {SIDES[action]}",
    card=lambda card: SIDES[card],
    end="show tails",
)
REALTIME = Realtime(
    rounds=lambda game, state: int(state[pennies.ROUND]),
    driving=lambda game, state: (0, 1),
    ahead=lambda game, state, player: pennies.HEADS,
    turns=lambda game, state, player, action: action != pennies.HEADS,
)


@pytest.fixture(params=["games.pennies", __name__], ids=["rules alone", "a card"])
def carded(request, monkeypatch):
    """Pennies; whether its card brings more than the rules."""
    monkeypatch.setattr(registry, "_loaded", {})
    install_game(monkeypatch, "pennies", request.param)
    return request.param == __name__


def test_events_are_told_by_the_card_or_as_the_game_writes_them(carded):
    game = make("pennies")
    state = start(game).tolist()
    event = tell(game, state, 0, pennies.TAILS) | witnessed(game, state, pennies.TAILS)
    assert event.get("round") == (0 if carded else None)
    event["line"] = {"ply": 4, "player": 0, "action": pennies.TAILS}
    (line,) = narrated(game, event, NAMES)
    assert plain(line) == ("Ann: tails" if carded else "  5. Ann  1")


def test_choices_and_beliefs_are_worded_by_the_card_or_as_the_game_writes_them(carded):
    game = make("pennies")
    turn = [pennies.HEADS, pennies.TAILS]
    said = chosen(game, start(game).tolist(), turn, NAMES)
    assert said == ("show heads" if carded else "0; 1")  # a last action that only ends a turn
    beliefs = [Belief(1, 0, 0.75), Belief(1, 1, 0.25)]
    assert held(game, beliefs) == {1: "heads 75%, tails 25%" if carded else "0 75%, 1 25%"}


def test_the_end_is_told_of_any_game(carded):
    seats = tuple(SeatSpec(name=name, bot="builtin:random") for name in NAMES)
    spec = GameSpec(game="pennies", parameters={}, bots=seats, seed="1")
    (said,) = outcome(spec, play_game(spec))
    assert said.startswith(("Ann wins", "Bob wins"))


def test_any_game_that_brings_what_steering_needs_is_played_in_real_time(carded):
    game = make("pennies")
    if not carded:
        with pytest.raises(ValueError, match="cannot be played in real time"):
            timed(game)
        return
    now = [0.0]
    rounds = RoundClock(4.0, [0, 1], [], lambda: now[0])
    rounds.attach(lambda seconds: now.__setitem__(0, now[0] + seconds), lambda: None)
    rounds.steer(0, LEFT)  # where it goes already
    rounds.steer(0, UP)
    state, turns = start(game).tolist(), []
    for player in (0, 1, 0, 1):
        turns.append(rounds.choose(game, state, player))
        play(game, state, turns[-1])
    assert turns == [pennies.TAILS, pennies.HEADS, pennies.HEADS, pennies.HEADS]
    assert now == [COUNTDOWN + 1 / 4]


@pytest.mark.game("tron")
def test_the_terminal_plays_those_games_in_real_time_and_names_them_for_others(carded, capsys):
    assert main(["play", "pennies", "human", "builtin:random", "--live", "--plain"]) == 2
    said = capsys.readouterr().err
    if carded:
        assert "--live needs a terminal" in said
    else:
        assert "pennies is played in turns; in real time there is tron" in said
