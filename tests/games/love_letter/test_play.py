"""Love Letter at the terminal: what is typed, asked for, and explained."""

import pytest
from games.love_letter.positions import (
    FOUR,
    action,
    after,
    asked,
    board,
    chancellor,
    complaint,
    dealt,
    meaning,
)

from joute.cli.playing.drawing import Typed
from joute.games.love_letter.display import TERMINAL
from joute.games.love_letter.state import (
    BARON,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    PRIEST,
    PRINCESS,
    SPY,
)
from joute.i18n import words
from joute.text import plain


@pytest.fixture
def french():
    words.speak("fr")
    yield
    words.speak("en")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("guard 2 priest", "guard 2 priest"),
        ("1 2 2", "guard 2 priest"),
        ("Guard on Cid: Priest", "guard 2 priest"),
        ("g c pries", "guard 2 priest"),
        ("guard priest cid", "guard 2 priest"),
        ("guard dan d. 9", "guard 3 princess"),
        ("gua dan princess", "guard 3 princess"),
        ("prince me", "prince 0"),
        ("5 0", "prince 0"),
        ("prince bob", "prince 1"),
        ("play p on b", "prince 1"),
        ("garde bob prêtre", "guard 1 priest"),
        ("prince moi", "prince 0"),
        ("96", "guard 3 priest"),
    ],
)
def test_an_action_is_known_by_values_names_and_their_beginnings(text, written):
    assert meaning(FOUR, text) == Typed(action=action(FOUR, written))


def test_french_people_type_french_cards_and_english_ones(french):
    position = dealt(KING, COUNTESS, draw=HANDMAID)
    for text in ("roi", "king", "r bob", "roi sur bob"):
        assert meaning(position, text) == Typed(action=action(position, "king 1"))
    assert meaning(position, "serv") == Typed(action=action(position, "handmaid"))


def test_one_target_needs_not_be_named():
    two = dealt(GUARD, PRIEST, draw=PRIEST)
    assert meaning(two, "priest") == Typed(action=action(two, "priest 1"))
    assert meaning(two, "guard king") == Typed(action=action(two, "guard 1 king"))


def test_a_target_that_is_left_out_is_asked_for():
    typed = meaning(FOUR, "guard")
    assert typed.told == ("Guard: on whom?",)
    assert typed.words == ("Bob", "Cid", "Dan D.")
    assert [plain(line) for line in typed.offers] == [" 1  Bob    2  Cid    3  Dan D.   "]
    assert typed.begun == "Guard"
    assert meaning(FOUR, "guard king").begun == "Guard King"
    assert meaning(FOUR, "Guard King 3") == Typed(action=action(FOUR, "guard 3 king"))
    assert meaning(FOUR, "prince").words == ("me", "Bob", "Cid", "Dan D.")


def test_the_guess_is_asked_for():
    typed = meaning(FOUR, "guard 1")
    assert typed.told == ("Guard on Bob: which character?",)
    assert typed.begun == "Guard Bob"
    assert "".join(plain(line) for line in typed.offers).split("   ")[:-1] == [
        "0 Spy", "2 Priest", "3 Baron", "4 Handmaid", "5 Prince", "6 Chancellor", "7 King",
        "8 Countess", "9 Princess",
    ]  # fmt: skip
    assert meaning(FOUR, "Guard Bob 9") == Typed(action=action(FOUR, "guard 1 princess"))


def test_characters_that_cannot_be_there_are_grey_and_may_be_named():
    position = dealt(PRINCESS, PRIEST, draw=GUARD)
    typed = meaning(position, "guard")
    assert grey(typed) == ["(9 Princess)"]
    assert typed.told[0].endswith("Characters in brackets are impossible.")
    assert meaning(position, "guard 9") == Typed(action=action(position, "guard 1 princess"))


def test_a_guess_that_missed_and_all_but_a_card_that_was_seen_are_grey():
    position = dealt(GUARD, GUARD, PRIEST, SPY, draw=GUARD)
    after(position, "guard 3 baron", "handmaid", "handmaid", "guard")
    assert grey(meaning(position, "guard dan")) == ["(3 Baron)"]
    seen = after(dealt(PRIEST, KING, draw=GUARD), "priest 1", "guard", "guard 0 prince", "baron")
    assert len(grey(meaning(seen, "guard"))) == 8
    assert "(7 King)" not in grey(meaning(seen, "guard"))


def grey(typed):
    """The words that are offered as impossible."""
    return [text.strip() for line in typed.offers for text, style in line if style == "dim"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("king", "You do not hold that card. Your cards: 1 Guard, 5 Prince"),
        ("xyz", "xyz is no card and no command. Your cards: 1 Guard, 5 Prince"),
        ("guard me", "You cannot choose yourself with the Guard."),
        ("guard 2 guard", "A Guard names any character but a Guard."),
        ("guard 2 pri", "pri can mean Priest, Prince, Princess"),
        ("guard 2 xyz", "xyz is not an action"),
        ("prince 7", "7 is not an action"),
    ],
)
def test_what_cannot_be_played_is_answered_with_the_reason(text, said):
    assert complaint(FOUR, text) == said


def test_the_number_of_who_cannot_be_chosen_is_that_of_a_character():
    assert meaning(FOUR, "guard 0").begun == "Guard Spy"


def test_who_is_protected_or_out_cannot_be_chosen():
    position = after(dealt(HANDMAID, PRIEST, BARON, KING, draw=GUARD), "handmaid", "guard",
                     "guard 3 king", "spy")  # fmt: skip
    assert complaint(position, "baron 0") == "Ann is protected by the Handmaid."
    assert complaint(position, "baron dan") == "Dan D. is out of this round."
    assert meaning(position, "baron") == Typed(action=action(position, "baron 1"))


def test_a_card_with_nobody_to_choose_is_played_alone_and_that_is_said():
    position = after(dealt(HANDMAID, PRIEST, draw=GUARD), "handmaid", "prince")
    assert meaning(position, "priest") == Typed(action=action(position, "priest"))
    assert complaint(position, "priest ann") == "The Priest is played on nobody now."
    guard = after(dealt(HANDMAID, PRIEST, draw=GUARD), "handmaid", "guard")
    assert complaint(guard, "guard king") == "The Guard is played on nobody now."
    assert board(position)[-2:] == [
        "All others are protected or out: the Priest has no effect.",
        "All others are protected or out: the Prince is for yourself.",
    ]
    assert meaning(position, "prince") == Typed(action=action(position, "prince 1"))


def test_a_countess_that_must_be_played_is_explained():
    position = dealt(COUNTESS, PRIEST, draw=KING)
    said = "Beside the King, the Countess must be played."
    assert complaint(position, "king") == said
    assert board(position)[-1] == said
    assert meaning(position, "8") == Typed(action=action(position, "countess"))
    assert TERMINAL.listing(asked(position)) == ["8 Countess", said]


def test_the_princess_is_played_only_after_a_warning():
    position = dealt(PRINCESS, PRIEST, draw=GUARD)
    typed = meaning(position, "princess")
    assert typed.turn == (action(position, "princess"),)
    assert typed.told[0].startswith("If you play the Princess, you are out.")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("king guard princess", "keep king, return guard, princess"),
        ("keep king, return princess, guard", "keep king, return princess, guard"),
        ("7 9", "keep king, return princess, guard"),
        ("roi princesse garde", "keep king, return princess, guard"),
    ],
)
def test_a_chancellors_choice_is_typed_in_order(text, written):
    position = chancellor("king", "princess")
    assert meaning(position, text) == Typed(action=action(position, written))


def test_the_order_of_a_chancellors_cards_is_asked_for_where_there_is_one():
    typed = meaning(chancellor("king", "princess"), "king")
    assert typed.told == ("Which of the others is to be drawn first?",)
    assert (typed.begun, typed.words) == ("King", ("Guard", "Princess"))
    assert [plain(line) for line in typed.offers] == ["Guard, Princess", "Princess, Guard"]
    same = chancellor("guard", "princess")
    assert meaning(same, "princess") == Typed(action=action(same, "keep princess, return guard"))


def test_a_chancellor_keeps_only_what_is_there():
    position = chancellor("king", "princess")
    assert complaint(position, "spy").startswith("You do not hold that card. Your cards: 1 Guard,")
    assert complaint(position, "king king").startswith("You do not hold that card.")
    assert complaint(position, "king guard princess spy").endswith("is not an action")
    listing = TERMINAL.listing(asked(position))
    assert listing[0] == "keep one of: Guard, King, Princess"


@pytest.mark.parametrize(
    ("text", "command"),
    [("hint", "hint"), ("?", "help"), ("q", "quit"), ("log", "log"), ("journal", "log")],
)
def test_commands_are_understood_beside_cards(text, command):
    assert meaning(FOUR, text) == Typed(command=command)
    assert meaning(chancellor("king", "princess"), text) == Typed(command=command)


@pytest.mark.parametrize("text", ["? prince", "card Prince", "carte prince", "?5"])
def test_who_asks_for_a_card_reads_what_it_does(text):
    assert meaning(FOUR, text).told == (
        "5 Prince: a player, or you, discards and draws another card",
    )


def test_in_french_a_card_is_explained_after_a_colon_with_its_space():
    with words.speaking("fr"):
        [told] = meaning(FOUR, "? prince").told
    assert told.startswith("5 Prince\N{NARROW NO-BREAK SPACE}: ")


def test_nothing_typed_is_no_error():
    assert complaint(FOUR, " ") == "Type an action, or: help"


def test_completion_offers_cards_players_and_characters():
    offered = TERMINAL.choices(asked(FOUR))
    for text in ("Guard", "Guard Bob", "Guard Bob Priest", "Prince", "Prince me", "help"):
        assert text in offered
    assert "Guard me" not in offered
    assert "King Guard Princess" in TERMINAL.choices(asked(chancellor("king", "princess")))


@pytest.mark.parametrize(
    "position", [FOUR, chancellor("king", "princess"), chancellor("king", "guard")]
)
def test_everything_that_is_offered_or_said_is_understood(position):
    situation = asked(position)
    offered = TERMINAL.choices(situation)
    actions = {meaning(position, text).action for text in offered if " " in text}
    spoken = {
        each: meaning(position, TERMINAL.spoken(situation, [each]).replace(" on ", " "))
        for each in situation.actions
        if each < 640
    }
    assert set(situation.actions) <= actions | {each.action for each in spoken.values()}
    assert all(typed == Typed(action=each) for each, typed in spoken.items())
