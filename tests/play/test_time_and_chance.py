"""Arguments of the referee: an end by time, chance that is known, seats that hear."""

import pytest
from play.playing import SEED, lines_of, plies, seats

from joute.core.interface import stop_action
from joute.core.registry import make
from joute.games.vampires.state import STOP, WON
from joute.play.chance import Streams
from joute.play.game import GameSpec
from joute.play.record import read_record
from joute.play.referee import play_game
from joute.play.seats import open_seat
from joute.play.verify import verify_record

pytestmark = pytest.mark.game("vampires")

BATTLE = """<Map Rows="1" Columns="4">
<Humans X="1" Y="0" Count="5"/><Vampires X="0" Y="0" Count="4"/>
<Werewolves X="3" Y="0" Count="4"/></Map>
"""


def vampires(*bots, base=".", **parameters):
    return GameSpec(
        game="vampires",
        parameters={"map": BATTLE, "plies": 4, **parameters},
        bots=seats(*(bots or ("builtin:random", "builtin:random")), base=base),
        seed=SEED,
    )


def test_a_game_stops_between_rounds_once_its_time_is_over():
    asked = []

    def stop():
        asked.append(1)
        return len(asked) > 1

    result = play_game(vampires(), stop=stop)
    lines = plies(result)
    assert (lines[-1]["by"], lines[-1]["action"], lines[-1]["player"]) == ("clock", STOP, 0)
    assert sum("player" in line and line["by"] == "bot" for line in lines) >= 2
    assert result.ending == "finished"
    assert verify_record(result.record).ok
    again = play_game(vampires(), before=lines)
    assert lines_of(again.record)[1:-1] == lines_of(result.record)[1:-1]


@pytest.mark.game("virus")
def test_a_stop_where_the_game_cannot_stop_is_a_lie():
    result = play_game(vampires(), stop=lambda: True)
    assert len(plies(result)) == 1
    game = make("virus")
    assert stop_action(game, []) is None
    forged = result.record.replace(b'"player":0', b'"player":1')
    assert not verify_record(forged).ok


class Won(Streams):
    """The attackers win every battle, and three survive."""

    def outcome(self, game, state):
        return WON + 3


def test_chance_that_is_known_takes_the_place_of_the_seed_s():
    spec = vampires(plies=2)
    result = play_game(spec, streams=Won(SEED))
    texts = [line["text"] for line in plies(result) if line["by"] == "chance"]
    assert texts
    assert all(text.startswith("3 ") for text in texts)
    assert not verify_record(result.record).ok


def test_seats_are_told_an_order_as_it_was_answered(tmp_path):
    (tmp_path / "split.py").write_text(
        "def play(observation, clock):\n"
        "    x, y = next(c for c in observation['cells'] if c[3 + observation['player']])[:2]\n"
        "    return [[x, y, 1, x + 1, y], [x, y, 1, x + 1, y]]\n"
    )
    heard = []

    def opener(seat, spec, game, human):
        made = open_seat(seat, spec, game, human)
        ask = made.ask
        made.ask = lambda state, message: heard.append(message["events"]) or ask(state, message)
        return made

    spec = vampires(str(tmp_path / "split.py"), "builtin:random", plies=2)
    result = play_game(spec, opener=opener)
    order = [[0, 0, 1, 1, 0], [0, 0, 1, 1, 0]]
    assert plies(result)[0]["answer"] == order
    assert heard[1][0]["answer"] == order
    assert all("answer" not in event for event in heard[1][1:])
    assert read_record(result.record).plies[0]["text"] == "0,0 x2 -> 1,0; done"
