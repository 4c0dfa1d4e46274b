"""Vampires vs Werewolves at the terminal: orders as they are typed, their risks, and the board."""

import pytest
from cli.test_play_session import log, session

from joute.cli.playing.asking import hint
from joute.cli.playing.drawing import Asked, Marks, Typed, Unclear, sign, terminal
from joute.cli.playing.page import Palette
from joute.core.interface import describe, legal_actions, play, start
from joute.core.registry import make
from joute.games.vampires.display import TERMINAL
from joute.games.vampires.map import VampiresMap, write_map
from joute.games.vampires.order import actions
from joute.games.vampires.state import VAMPIRES, cell_at, put
from joute.i18n import words
from joute.play.record import read_record
from joute.play.telling import narrated
from joute.play.timeline import Timeline
from joute.play.verify import verify_record
from joute.text import plain

MAP = write_map(VampiresMap(3, 5, ((2, 1, 4), (0, 0, 9)), (1, 1, 6), (4, 1, 6)))
BOTH = ["human:Ann", "human:Bob"]


@pytest.fixture
def french():
    words.speak("fr")
    yield
    words.speak("en")


def first(text=MAP, **values):
    game = make("vampires", map=text, **values)
    return game, start(game).tolist()


def asked(game, state):
    return Asked(game, state, 0, legal_actions(game, state), ("Ann", "Bob"))


def meaning(text, position=None):
    game, state = position or first()
    return TERMINAL.understand(asked(game, state), text)


def complaint(text, position=None):
    with pytest.raises(Unclear) as unclear:
        meaning(text, position)
    return str(unclear.value)


# Typing.


@pytest.mark.parametrize(
    "text",
    [
        "1,1 x2 -> 1,0; 1,1 x4 -> 2,1",
        " 1,1 X2 -> 1,0 ;1,1 x3->2,1;1,1 x1->2,1 ; done",
        "(1,1)*2 to (1,0); (1,1):4 > (2,1)",
    ],
)
def test_an_order_is_its_moves(text):
    game, _ = first()
    expected = actions(game, [[1, 1, 2, 1, 0], [1, 1, 4, 2, 1]])
    assert meaning(text) == Typed(turn=tuple(expected))


def test_commands_are_understood_beside_orders():
    assert meaning("un") == Typed(command="undo")
    assert meaning("AIDE") == Typed(command="help")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Type an action, or: help"),
        ("go west", "go west is not an order: one is typed like 3,4 x5 -> 4,4"),
        ("done", "rule 1: 0 moves (an order has 1 to 255 moves)"),
        ("4,1 -> 3,1", "rule 2, move 1: 4,1 holds 6 werewolves, not vampires"),
        ("1,1 x4 -> 1,0; 1,1 x3 -> 2,1", "rule 3, move 2: 7 leave 1,1, which holds 6"),
        ("1,1 -> 3,1", "rule 4, move 1: 3,1 is no neighbour of 1,1"),
        ("1,1 -> 1,1", "rule 4, move 1: 1,1 is no neighbour of 1,1"),
        ("1,1 x0 -> 1,0", "rule 6, move 1: the count is 0"),
    ],
)
def test_what_breaks_a_rule_is_said_with_the_move_and_the_cell(text, words):
    assert complaint(text).startswith(words)


def test_in_a_game_without_splitting_all_of_a_group_move():
    said = complaint("1,1 x2 -> 1,0", first(split=False))
    assert said.startswith("rule 8, move 1: 2 of 6 leave 1,1 (")


def test_what_breaks_a_rule_of_several_moves_is_said():
    crowd = write_map(VampiresMap(3, 5, ((0, 0, 60),), (1, 1, 200), (4, 1, 6)))
    game, state = first(crowd)
    put(game, state, cell_at(game, 1, 0), VAMPIRES, 60)
    said = complaint("1,0 x9 -> 2,0; 1,1 -> 1,0", (game, state))
    assert said.startswith("rule 5, move 2: units leave 1,0 and others come there (")
    said = complaint("1,0 -> 2,1; 1,1 -> 2,1", (game, state))
    assert said.startswith("rule 7, move 2: 260 come to 2,1 (")


def test_what_breaks_a_rule_is_said_in_french(french):
    said = complaint("1,1 x9 -> 1,0")
    assert said.startswith("règle 3, mouvement 1\u202f: il en part 9 de 1,1, qui en contient 6 (")


def test_the_odds_of_a_battle_are_exact():
    battle = "a battle, won with {}%; then {} of yours survive on average, else {} of theirs"
    typed = meaning("1,1 x3 -> 2,1; 1,1 x3 -> 0,0")
    assert list(typed.told[:-1]) == [
        f"2,1: 3 against 4 humans: {battle.format('37.5', '2.6', '2.5')}",
        f"0,0: 3 against 9 humans: {battle.format('16.7', '2.0', '7.5')}",
    ]


def test_the_odds_are_said_in_french(french):
    line, _ = meaning("1,1 x3 -> 2,1").told
    assert line.startswith(
        "2,1\u202f: 3 contre 4 humains\u202f: une bataille, gagnée à 37,5\u202f%"
    )


def test_enemies_are_called_by_their_name():
    near = write_map(VampiresMap(1, 2, (), (0, 0, 6), (1, 0, 5)))
    line, _ = meaning("0,0 -> 1,0", first(near)).told
    assert line.startswith("1,0: 6 against 5 werewolves: a battle, won with 70.0%")


def test_more_than_a_cell_holds_is_a_risk():
    crowd = write_map(VampiresMap(1, 3, ((1, 0, 200),), (0, 0, 200), (2, 0, 6)))
    assert meaning("0,0 -> 1,0", first(crowd)).told == (
        "1,0: more come together than a cell holds",
        "Enter sends the order; another order takes its place",
    )


def test_legal_names_the_groups_and_where_they_may_go():
    game, state = first()
    assert TERMINAL.listing(asked(game, state)) == [
        "1,1: up to 6 to 0,0 1,0 2,0 0,1 2,1 0,2 1,2 2,2"
    ]


def test_a_hint_is_a_whole_order():
    game, state = first()
    assert hint(game, state, 0).startswith("Hint (champion): 1,1 x")
    assert hint(game, state, 0).endswith("; done")


def test_a_hint_ends_its_order_in_the_language_spoken_and_can_be_typed_so(french):
    game, state = first()
    order = hint(game, state, 0).partition("\u202f: ")[2]
    assert order.endswith("; fini")
    assert meaning(order).turn == meaning(order.replace("fini", "done")).turn != ()
    assert any("`fini`" in line for line in TERMINAL.help(asked(game, state)))


# A game.


def test_an_order_with_a_battle_is_sent_by_enter():
    lines = ["1,1 x3 -> 2,1", "", "resign"]
    game, display, _ = session("vampires", BOTH, lines, map=MAP)
    result = game.run()
    asked = display.asked[1][1].message
    assert asked[0].startswith("2,1: 3 against 4 humans")
    assert asked[1] == "Enter sends the order; another order takes its place"
    orders = [line for line in read_record(result.record).plies if line["by"] == "bot"]
    assert orders[0]["text"] == "1,1 x3 -> 2,1; done"
    assert verify_record(result.record).ok


def test_another_order_or_a_command_takes_the_place_of_one_that_waits():
    lines = ["1,1 x3 -> 2,1", "legal", "", "1,1 x3 -> 2,1", "1,1 -> 2,1", "resign"]
    game, display, _ = session("vampires", BOTH, lines, map=MAP)
    result = game.run()
    messages = [view.message for _, view in display.asked]
    assert messages[2][0].startswith("1,1: up to 6")
    assert messages[3] == ("Type an action, or: help",)
    played = read_record(result.record).plies[0]
    assert played["text"] == "1,1 x6 -> 2,1; done"


def test_an_order_is_one_line_of_the_log_and_one_undo():
    lines = ["1,1 x2 -> 1,0; 1,1 x4 -> 2,1", "undo", "help", "resign"]
    game, display, _ = session("vampires", BOTH, lines, map=MAP)
    game.run()
    assert log(display.asked[1][1]) == ["Ann  moves 2 from (1,1) to (1,0); 4 from (1,1) to (2,1)"]
    assert log(display.asked[2][1]) == []
    assert (
        display.asked[3][1].message[0].startswith("An order is typed as moves (like 1,1 x1 -> 0,0)")
    )


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ({"text": "1,1 x2 -> 1,0", "move": [1, 1, 2, 1, 0]}, ["Ann  moves 2 from (1,1) to (1,0)"]),
        ({"text": "done"}, []),
        (
            {"text": "done", "line": {"fault": "crash", "ply": 3}},
            ["Ann  done (played for it: crash)"],
        ),
        ({"text": "pass"}, ["Ann  passes"]),
        (
            {"text": "4 humans survive", "player": -1, "cell": [3, 5]},
            ["Battle at (3,5): the humans win, 4 left"],
        ),
        (
            {"text": "300 vampires survive", "player": -1, "cell": [3, 5]},
            [
                "Battle at (3,5): the vampires win, 255 left",
                "Too many at (3,5): of 300, 255 stay",
            ],
        ),
    ],
)
def test_the_log_tells_moves_and_battles_and_not_what_only_ends_an_order(event, told):
    game, _ = first()
    event = {"player": 0, "action": 0, "line": {"ply": 3}} | event
    assert [plain(line) for line in narrated(game, event, ("Ann", "Bob"))] == told


@pytest.mark.parametrize("whole", [True, False])
def test_the_log_tells_how_many_stay_where_more_come_together_than_a_cell_holds(whole):
    text = write_map(VampiresMap(2, 2, ((1, 0, 200),), (0, 0, 250), (1, 1, 6)))
    game, state = first(text)
    timeline = Timeline(game)
    order = actions(game, [[0, 0, 50, 0, 1], [0, 0, 200, 1, 0]])
    for played in [order] if whole else [[action] for action in order]:
        shown = "; ".join(describe(game, state, action) for action in played)
        action = played if len(played) > 1 else played[0]
        timeline.hear({"ply": 0, "by": "bot", "player": 0, "action": action, "text": shown})
    told = [plain(line) for event in timeline.told(1) for line in narrated(game, event, "VW")]
    assert told[-1] == "Too many at (1,0): of 400, 255 stay"
    assert sum("Too many" in line for line in told) == 1


# The board.


def test_the_board_shows_who_stands_where():
    game, state = first()
    drawing = terminal(game).draw(game, state, 0, Marks())
    assert [plain(line).rstrip() for line in drawing.wide] == [
        "   0   1   2   3   4",
        "0 9h   .   .   .   .",
        "1  .  6V  4h   .  6W",
        "2  .   .   .   .   .",
    ]
    assert [plain(line) for line in drawing.narrow] == [
        "   0  1  2 3  4",
        "0 9h  .  . .  .",
        "1  . 6V 4h . 6W",
        "2  .  .  . .  .",
    ]
    assert [sign(game, player) for player in (0, 1)] == ["V", "W"]


def test_the_cells_of_the_last_order_stand_out():
    game, state = first()
    order = actions(game, [[1, 1, 6, 2, 1]])
    for action in order:
        play(game, state, action)
    last = {"parts": [{"move": [1, 1, 6, 2, 1]}, {"text": "done"}]}
    drawing = terminal(game).draw(game, state, 1, Marks(last, (), signs=True))
    assert plain(drawing.wide[2]) == "1   .   (.)(10V)   .   6W "
    assert plain(drawing.narrow[2]) == "1  . . 10V . 6W"
    drawing = terminal(game).draw(game, state, 1, Marks(last))
    styles = {text: style for text, style in drawing.wide[2] if style}
    assert styles == {"1": "dim", ".": "dim", "10V": "last0", "6W": "player1"}


def test_the_cell_of_the_last_battle_stands_out():
    game, state = first()
    drawing = terminal(game).draw(game, state, 0, Marks({"cell": [4, 1]}, (), signs=True))
    assert plain(drawing.wide[2]).endswith("(6W)")
    painted = Palette(256).lines(terminal(game).draw(game, state, 0, Marks({"cell": [4, 1]})).wide)
    assert "6W" in painted and "48;5;231" in painted
