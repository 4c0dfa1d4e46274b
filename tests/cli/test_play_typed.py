"""The meaning of what people type."""

import pytest
from helpers import games_forgotten

from joute.cli.new import write_game
from joute.cli.playing.drawing import LISTED, Typed, Unclear, choices, listed, understand
from joute.core.interface import describe, legal_actions, play, start
from joute.core.registry import make
from joute.i18n import words

LEFT, UP, UPSTAIRS = 0, 1, 4


@pytest.fixture
def french():
    words.speak("fr")
    yield
    words.speak("en")


def virus(size=4):
    """Virus with player 0 to move."""
    game = make("virus", size=size)
    state = start(game).tolist()
    play(game, state, 0)
    return game, state


def tron():
    """A bike alone that stands on stairs, a wall to its right and its trail below."""
    rows = ["#####", "#  ##", "# u##", "# 1##", "#####"]
    above = [row.replace("u", "d").replace("1", " ") for row in rows]
    text = ["tron 1", "name stairs", "size 5 5 2", "floor 0", *rows, "floor 1", *above, "end", ""]
    game = make("tron", map="\n".join(text), players=1)
    state = start(game).tolist()
    play(game, state, UP)
    return game, state


def meaning(position, text):
    game, state = position
    return understand(game, state, legal_actions(game, state), text)


def complaint(position, text):
    with pytest.raises(Unclear) as unclear:
        meaning(position, text)
    return str(unclear.value)


@pytest.mark.game("virus")
@pytest.mark.parametrize("text", ["b1", "B1", " b1 ", "1"])
def test_an_action_is_known_by_its_text_in_any_case_and_by_its_number(text):
    assert meaning(virus(), text) == Typed(action=1)


@pytest.fixture
def nim(tmp_path):
    """A position of the game of `joute new`, whose actions are written in several words."""
    with games_forgotten():
        folder = tmp_path / "my-nim"
        folder.mkdir()
        write_game(folder, folder.name)
        game = make(str(folder / "my_nim"), heaps=2)
        yield game, start(game).tolist()


def test_a_number_of_matches_that_cannot_be_taken_is_no_other_move(nim):
    assert "10 from 0" in complaint(nim, "10 from 0")


@pytest.mark.game("virus")
def test_where_capitals_tell_actions_apart_what_is_typed_is_taken(monkeypatch):
    position = virus()
    one, other, *_ = legal_actions(*position)
    texts = {one: "Bxc3", other: "bxc3"}
    monkeypatch.setattr(
        "joute.cli.playing.drawing.describe", lambda game, state, action: texts.get(action, "-")
    )
    assert [meaning(position, text).action for text in ("Bxc3", "bxc3")] == [one, other]


def test_long_actions_are_listed_with_the_numbers_that_may_be_typed(nim):
    listing = "legal: 1 from 0 (0), 1 from 1 (9), 2 from 1 (10), 3 from 1 (11)"
    assert complaint(nim, "take all").endswith(listing)
    assert meaning(nim, "9") == meaning(nim, "1 from 1") == Typed(action=9)


def test_a_number_that_no_legal_action_has_is_refused_as_a_number(nim):
    assert complaint(nim, "1").startswith("no legal action has the number 1\n")


@pytest.mark.game("tron", "virus")
def test_the_beginning_of_a_word_is_enough():
    assert meaning(virus(), "p") == Typed(action=16)
    assert meaning(tron(), "l") == Typed(action=LEFT)
    assert meaning(tron(), "ups") == Typed(action=UPSTAIRS)


@pytest.mark.game("tron")
def test_a_beginning_of_two_actions_names_both():
    assert complaint(tron(), "u") == "u can mean up, upstairs"


@pytest.mark.game("virus")
def test_the_beginning_of_a_cell_is_no_action_even_if_one_is_left():
    assert meaning(virus(), "bo") == Typed(command="board")
    assert "is not an action" in complaint(virus(), "b")


@pytest.mark.game("tron")
@pytest.mark.parametrize(("text", "action"), [("north", UP), ("W", LEFT), ("n", UP)])
def test_points_of_the_compass_are_directions(text, action):
    assert meaning(tron(), text) == Typed(action=action)


@pytest.mark.game("tron")
@pytest.mark.parametrize(
    ("text", "action"),
    [("haut", UP), ("GAUCHE", LEFT), ("g", LEFT), ("monter", UPSTAIRS), ("up", UP), ("h", UP)],
)
def test_french_people_type_french_directions_and_english_ones(french, text, action):
    assert meaning(tron(), text) == Typed(action=action)


@pytest.mark.game("tron")
def test_a_french_direction_into_a_wall_is_not_legal(french):
    assert complaint(tron(), "droite").splitlines() == [
        "droite n’est pas légal ici",
        "légal\u202f: gauche haut monter",
    ]


@pytest.mark.game("tron")
def test_words_that_only_programs_write_are_not_asked_for(french):
    assert complaint(tron(), "zz").splitlines() == [
        "zz n’est pas une action",
        "légal\u202f: gauche haut monter",
    ]


@pytest.mark.game("virus")
def test_what_is_no_action_is_said_in_french(french):
    assert complaint(virus(), "xyz").startswith("'xyz' n’est pas une action\u202f: attendu\u202f: ")


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("help", "help"),
        ("?", "help"),
        ("UNDO", "undo"),
        ("un", "undo"),
        ("hi", "hint"),
        ("q", "quit"),
        ("aide", "help"),
        ("légal", "legal"),
        ("legaux", "legal"),
        ("abandonner", "resign"),
    ],
)
def test_commands_are_known_in_both_languages_and_by_their_beginning(text, command):
    assert meaning(virus(), text) == Typed(command=command)


@pytest.mark.game("virus")
def test_a_beginning_of_two_commands_names_both(french):
    assert complaint(virus(), "co") == "co peut vouloir dire coups, conseil"


@pytest.mark.game("virus")
@pytest.mark.parametrize("text", ["r", "res", "resig", "qui", "aba"])
def test_what_ends_the_game_is_to_be_written_out(text):
    assert "is not an action" in complaint(virus(), text)


@pytest.mark.game("virus")
def test_nothing_typed_is_no_error():
    assert complaint(virus(), "  ") == "Type an action, or: help"


@pytest.mark.game("virus")
def test_a_long_list_of_legal_actions_is_cut_and_counted():
    game = make("virus", size=10)
    state = start(game).tolist()
    play(game, state, 0)
    while (count := len(legal_actions(game, state))) <= LISTED:
        play(game, state, legal_actions(game, state)[count // 2])
    line = complaint((game, state), "xyz").splitlines()[-1]
    assert line.endswith(f"… ({count} in all)")
    assert len(line.split()) == 1 + LISTED + 3


@pytest.mark.game("tron")
def test_completion_offers_actions_words_and_commands(french):
    game, state = tron()
    offered = choices(game, state, legal_actions(game, state))
    names = [describe(game, state, action) for action in legal_actions(game, state)]
    assert offered[: len(names)] == names
    for word in ("haut", "gauche", "monter", "annuler", "aide"):
        assert word in offered
    assert "droite" not in offered


def test_actions_of_several_words_are_told_apart_by_commas():
    assert listed({"up": 0, "down": 1}) == "legal: up down"
    assert listed({"pass the bomb": 0, "wait": 1}) == "legal: pass the bomb (0), wait"
