"""Games with people: what each is told, undo and its refusals, resigning, taking a game up."""

import pytest
from play.playing import first_legal, pennies, plies, poker, seats, virus

from joute.core.interface import legal_actions
from joute.core.registry import card
from joute.play.game import GameSpec
from joute.play.people import PeopleGame, TakenBack, UndoError, rematch, taken_up
from joute.play.record import read_record
from joute.play.referee import play_game
from joute.play.seats import Resign
from joute.play.verify import verify_record

ROOM = """\
tron 1
size 9 6 1
floor 0
#########
#1     2#
#       #
#       #
#   3   #
#########
end
"""
UNDO, SECOND = "undo", "the second legal action"


class Scripted(PeopleGame):
    """People who answer by a script, then by the first legal action, as for None; UNDO is tried.

    `asked` holds the player, the state and the events of each question, `refused` why nothing was
    taken back.
    """

    def __init__(self, spec, *script) -> None:
        super().__init__(spec)
        self._script = iter(script)
        self.asked = []
        self.refused = []
        self.heard_again = []  # by line: whether it was heard before
        self.began = 0

    def begun(self):
        self.began += 1

    def heard(self, step):
        self.heard_again.append(self.repeating)

    def ask(self, game, state, player):
        while True:
            self.asked.append((player, list(state), self.timeline.told(player)))
            answer = next(self._script, None)
            if answer == SECOND:
                return legal_actions(game, state)[1]
            if answer != UNDO:
                return first_legal(game, state, player) if answer is None else answer
            try:
                raise TakenBack(self.before_last(self.people))
            except UndoError as error:
                self.refused.append(str(error))


def tron(*bots, **parameters):
    parameters = {"players": len(bots), **parameters}
    return GameSpec(game="tron", parameters=parameters, bots=seats(*bots), seed="0" * 32)


def texts(events):
    return [event["text"] for event in events]


# Events told to each seat.


def test_each_seat_is_told_what_it_may_know_and_no_more():
    game = Scripted(poker("human", "human", "human"))
    result = game.play()
    cards = [line["action"] for line in plies(result)[:3]]
    for player, _, told in game.asked:
        dealt = ["a card"] * 3
        dealt[player] = f"card {cards[player]}"
        assert texts(told)[:3] == dealt


def test_a_choice_is_told_to_nobody_before_all_are_in():
    game = Scripted(pennies("human", "human"), 0, 1)
    game.play()
    assert [texts(told) for _, _, told in game.asked[:3]] == [[], [], ["0", "1"]]


@pytest.mark.game("virus")
def test_only_the_last_states_are_kept_where_so_many_are_wanted():
    game = Scripted(virus("human", "human"))
    game.states_kept = 2
    game.play()
    kept = [step.number for step in game.timeline.steps if step.state]
    assert kept == [len(game.timeline.steps) - 2, len(game.timeline.steps) - 1]


# Undo.


@pytest.mark.game("virus")
def test_a_decision_is_taken_back_as_if_it_had_not_been():
    game = Scripted(virus("human", "human", size=5), None, None, UNDO, SECOND)
    result = game.play()
    assert game.asked[3] == game.asked[1]
    assert game.began == 2
    player, state, _ = game.asked[1]
    assert plies(result)[2]["player"] == player
    assert plies(result)[2]["action"] == legal_actions(game.game, state)[1]
    assert verify_record(result.record).ok


@pytest.mark.game("virus")
def test_what_a_bot_has_answered_since_is_taken_back_too():
    game = Scripted(virus("human", "builtin:greedy", size=5), None, UNDO, Resign())
    game.play()
    (_, first, _), (_, second, _), (_, third, _) = game.asked
    assert first == third != second


@pytest.mark.game("virus")
def test_lines_that_are_played_again_are_told_from_new_ones():
    game = Scripted(virus("human", "human", size=5), None, None, UNDO, Resign())
    game.play()
    # The starter, two decisions; again the starter and the first of them, then the resignation.
    assert game.heard_again == [False, False, False, True, False, False]


@pytest.mark.game("tron")
def test_one_bike_alone_may_go_back():
    game = Scripted(tron("human", map=""), None, UNDO, Resign())
    game.play()
    assert game.refused == []
    assert game.asked[2] == game.asked[0]


@pytest.mark.parametrize(
    ("spec", "script", "refusal"),
    [
        (poker("human", "human", "human"), [1, UNDO], "would reveal the choices of others"),
        (pennies("human", "human"), [1, 0, UNDO], "would reveal the choices of others"),
        (virus("human", "human"), [UNDO], "nothing to undo"),
        (
            tron("human", "human", "human", map=ROOM, order="turns"),
            [None, Resign(), UNDO],
            "a player has dropped out",
        ),
    ],
)
def test_nothing_is_taken_back_where_it_cannot_be(spec, script, refusal):
    game = Scripted(spec, *script)
    game.play()
    (found,) = game.refused
    assert refusal in found
    assert game.began == 1


@pytest.mark.game("virus")
def test_a_decision_before_chance_has_spoken_stands():
    game = Scripted(virus("human", "human"))
    game.timeline.lines += [
        {"by": "bot", "player": 0, "action": 1},
        {"by": "chance", "action": 0},
    ]
    with pytest.raises(UndoError, match="chance has decided"):
        game.before_last({0})


@pytest.mark.game("virus")
def test_of_some_seats_the_last_decision_is_theirs():
    game = Scripted(virus("human", "human"))
    game.play()
    lines = game.timeline.lines
    for seat in (0, 1):
        last = max(place for place, line in enumerate(lines) if line.get("player") == seat)
        assert game.before_last({seat}) == lines[:last]


# Resigning.


@pytest.mark.game("virus")
def test_who_resigns_when_asked_has_lost():
    game = Scripted(virus("human", "human"), None, Resign())
    result = game.play()
    assert result.ending == "resignation"
    assert "resigned" in game.timeline.lines[-1]
    assert [event["line"].get("resigned") for event in game.timeline.steps[-1].open] == [True]
    assert verify_record(result.record).ok


# Taking a game up, and the next one.


@pytest.mark.game("virus")
def test_a_person_takes_up_a_game_at_a_seat_where_a_bot_was():
    whole = play_game(virus("builtin:greedy", "builtin:random", size=5))
    record = read_record(whole.record)
    spec, lines = taken_up(record, 4, 1, "Zoe", 5.0)
    assert [(each.name, each.bot) for each in spec.bots] == [
        ("a", "builtin:greedy"),
        ("Zoe", "human"),
    ]
    assert (spec.people, spec.seed, spec.limits.move_seconds) == ((1,), record.end["seed"], 5.0)
    game = Scripted(spec)
    again = game.play(lines)
    assert plies(again)[:4] == list(lines) == record.plies[:4]
    assert verify_record(again.record).ok


@pytest.mark.game("virus")
def test_the_best_bot_of_a_game_sits_in_for_one_from_elsewhere(file):
    bot = file("mine.py", "def play(observation, clock):\n    return observation['legal'][0]\n")
    whole = play_game(virus(bot, "human", size=5), first_legal)
    spec, _ = taken_up(read_record(whole.record), 3, 1, "Zoe", 5.0)
    assert spec.bots[0].bot == f"builtin:{card('virus').levels[-1]}"


@pytest.mark.game("virus")
def test_a_game_is_taken_up_before_anybody_had_lost_it(file):
    bot = file("crashes.py", "def play(observation, clock):\n    1 / 0\n")
    spec = virus(bot, "human", size=5, costs={"crash": "game"})
    whole = play_game(spec, first_legal)
    _, lines = taken_up(read_record(whole.record), 99, 1, "Zoe", 5.0)
    assert all(line.get("cost") != "game" for line in lines)
    assert len(lines) < len(plies(whole))


def test_in_a_rematch_everybody_sits_one_seat_on():
    spec = poker("human", "builtin:random", "builtin:greedy")
    again = rematch(spec, "f" * 32)
    assert [each.name for each in again.bots] == ["b", "c", "a"]
    assert again.people == (2,)
    assert again.seed == "f" * 32
