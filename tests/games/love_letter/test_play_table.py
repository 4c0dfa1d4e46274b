"""Love Letter at the terminal: the table as each player may see it, and the log in words."""

import pytest
from games.love_letter.positions import (
    FOUR,
    NAMES,
    after,
    board,
    chancellor,
    dealt,
    meaning,
)

from joute.cli.playing.drawing import Marks, terminal
from joute.cli.playing.page import PageContent, Palette, page
from joute.core.interface import parse, play, tell
from joute.games.love_letter.state import (
    BARON,
    GUARD,
    HANDMAID,
    KING,
    PRIEST,
    PRINCE,
    PRINCESS,
    SPY,
)
from joute.games.love_letter.telling import narrate
from joute.i18n import words
from joute.text import plain


def test_the_table_shows_the_players_what_is_unseen_and_the_hand():
    position = after(dealt(GUARD, PRIEST, draw=SPY, tokens=3), "spy", "handmaid", "handmaid",
                     "king")  # fmt: skip
    assert board(position) == [
        "unseen              round 1 · 12 cards in the deck · 3 tokens win",
        "0 Spy        1/2    face up: Guard, Guard, Guard",
        "1 Guard      2/6    >  0  Ann · you · 0 of 3 · a Spy",
        "2 Priest     2/2          Spy",
        "3 Baron      2/2       1  Bob · 0 of 3 · protected",
        "4 Handmaid   1/2          Handmaid",
        "5 Prince     2/2",
        "6 Chancellor 2/2",
        "7 King       0/1",
        "8 Countess   1/1",
        "9 Princess   1/1",
        "",
        "Your hand  1 Guard       name a character: a player who holds it is out",
        "           7 King        swap hands with a player",
        "All others are protected or out: the Guard has no effect.",
        "All others are protected or out: the King has no effect.",
    ]


def test_the_table_tells_only_what_its_player_knows():
    position = after(dealt(PRIEST, KING, BARON, draw=GUARD), "priest 1", "guard", "guard 2 prince",
                     "spy")  # fmt: skip
    assert "you know: King" in "\n".join(board(position, player=0))
    assert "King" not in "\n".join(board(position, player=2)[11:])
    assert "you know" not in "\n".join(board(position, player=2))


def test_a_wrong_guess_is_remembered_until_the_hand_changes():
    position = after(dealt(GUARD, PRIEST, SPY, KING, draw=GUARD), "guard 3 baron", "handmaid",
                     "handmaid", "prince")  # fmt: skip
    assert any("Dan D. · not Baron" in line for line in board(position, player=2))
    after(position, "prince 2", "guard", "countess")
    assert not any(
        "not Baron" in line for line in board(position, player=2)
    )  # a card has been drawn
    after(position, "countess", "spy")
    assert not any("not Baron" in line for line in board(position, player=2))


def test_of_the_classic_deck_only_its_characters_are_listed():
    position = dealt(GUARD, PRIEST, BARON, draw=GUARD, deck="classic")
    after(position, "guard 1 spy", "handmaid", "handmaid", "guard")
    lines = board(position)
    assert not any("Spy" in line or "Chancellor" in line for line in lines)
    assert lines[1].startswith("1 Guard      3/5")


def test_a_king_takes_what_is_known_of_a_hand_along():
    position = after(dealt(GUARD, HANDMAID, SPY, PRIEST, draw=GUARD), "guard 3 baron", "spy", "spy",
                     "king", "king 3", "countess")  # fmt: skip
    lines = board(position, player=0)
    assert any("Cid · not Baron" in line for line in lines)
    assert not any("Dan D. · not Baron" in line for line in lines)


def test_own_cards_under_the_deck_are_named_and_those_of_others_counted():
    position = after(chancellor("king", "princess"), "keep king, return guard, princess")
    assert "under the deck: Guard of Ann, Princess of Ann" in "\n".join(board(position, player=0))
    others = "\n".join(board(position, player=1))
    assert "under the deck: a card of Ann, a card of Ann" in others


def test_who_is_out_sees_the_table_without_a_hand():
    position = after(dealt(GUARD, PRIEST, SPY, draw=GUARD), "guard 1 priest")
    assert board(position, player=1)[-1] == "You are out of this round."
    assert any("Bob · you · out" in line for line in board(position, player=1))


def test_at_the_end_all_hands_are_open():
    position = after(dealt(GUARD, PRIEST, draw=KING), "guard 1 priest")
    lines = board(position, player=1, over=True)
    assert any("Ann · holds King" in line for line in lines)
    assert not any("you" in line for line in lines)


def test_two_equal_cards_stand_on_one_line():
    position = dealt(GUARD, PRIEST, draw=GUARD)
    assert board(position)[-1].startswith("Your hand  1 Guard x2")


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_table_a_picker_and_some_of_the_log_fit_on_80_columns_and_24_lines(players, language):
    words.speak(language)
    try:
        hands = [GUARD, PRIEST, BARON, SPY][:players]
        position = dealt(*hands, draw=GUARD, tokens=0)
        wide, narrow = terminal(position[0]).draw(*position, 0, Marks(names=NAMES[:players]))
        typed = meaning(position, "garde bob")
        log = [[(f"line {number}", "")] for number in range(6)]
        view = PageContent("Love Letter", wide, [], log, narrow=tuple(narrow))
        asking = page(view._replace(message=typed.told, offers=typed.offers), 80, 22)
        for lines in (page(view._replace(message=("greeting",)), 80, 22), asking):
            shown = [plain(line) for line in lines]
            assert len(shown) <= 22
            for line in wide:
                assert any(plain(line).rstrip() in each for each in shown)
            assert "line 5" in shown[-3] or "line 5" in shown[-5]
    finally:
        words.speak("en")


def test_a_narrow_terminal_shows_all_below_each_other():
    position = after(dealt(GUARD, PRIEST, BARON, SPY, draw=PRINCE), "prince 2", "king", "handmaid")
    lines = board(position, columns=44)
    assert max(map(len, lines)) <= 44
    hand = lines.index("Your hand")
    assert lines[hand : hand + 5] == [
        "Your hand",
        "  2 Priest      look at a player’s hand",
        "  4 Handmaid    nobody can choose you until",
        "    your next turn",
        "",
    ]
    assert lines[hand + 5].startswith("unseen: 0 Spy 2, 1 Guard 6,")


# The log.


def told(position, text, player):
    """The lines of the log for an action or a card drawn, as a player reads them."""
    game, state = position
    code = parse(game, state, text)
    event = {**tell(game, state, player, code), "line": {"stream": "deck 1"}}
    play(game, state, code)
    return [plain(line) for line in narrate(event, NAMES[: game.players])]


def test_cards_are_told_with_their_targets_and_what_came_of_them():
    position = dealt(GUARD, PRIEST, BARON, KING, draw=BARON)
    assert told(position, "guard 3 princess", 1) == ["Ann  Guard on Dan D.: Princess? No"]
    assert told(position, "handmaid", 0) == []
    assert told(position, "priest 2", 1) == ["Bob  Priest on Cid, sees: Baron"]
    assert told(position, "spy", 2) == ["Cid draws: Spy"]
    assert told(position, "spy", 0) == ["Cid  Spy"]
    assert told(position, "countess", 0) == []
    assert told(position, "countess", 0) == ["Dan D.  Countess"]
    assert told(position, "guard", 0) == ["Ann draws: Guard"]
    again = told(position, "baron 2", 2)
    assert again == ["Ann  Baron on Cid, Guard against Baron, Ann is out with: Guard"]
    assert told(position, "prince", 0) == []
    assert told(position, "prince 3", 0) == ["Bob  Prince on Dan D., Dan D. discards: King"]


def test_others_read_that_somebody_looked_and_not_what_it_saw():
    position = dealt(PRIEST, KING, BARON, draw=BARON)
    assert told(position, "priest 1", 2) == ["Ann  Priest on Bob"]


def test_ties_swaps_and_cards_without_effect_are_told():
    tie = dealt(BARON, PRIEST, SPY, draw=PRIEST)
    assert told(tie, "baron 1", 2) == ["Ann  Baron on Bob, equal, nobody is out"]
    swap = dealt(KING, PRIEST, SPY, draw=BARON)
    assert told(swap, "king 1", 0) == ["Ann  King on Bob, Ann has Priest, Bob has Baron"]
    swap = dealt(KING, PRIEST, SPY, draw=BARON)
    assert told(swap, "king 1", 2) == ["Ann  King on Bob"]
    alone = after(dealt(HANDMAID, PRIEST, draw=GUARD), "handmaid", "baron")
    assert told(alone, "baron", 0) == ["Bob  Baron, without effect"]
    assert told(dealt(HANDMAID, PRIEST, draw=GUARD), "handmaid", 1) == [
        "Ann  Handmaid, protected until the next turn"
    ]


def test_a_chancellors_choice_is_told_to_who_made_it():
    position = chancellor("king", "princess")
    choice = "keep king, return guard, princess"
    assert told(position, choice, 0) == [
        "Ann  keeps King; under the deck, next first: Guard, Princess"
    ]
    assert told(chancellor("king", "princess"), choice, 1) == [
        "Ann  keeps a card, puts the rest under the deck"
    ]


def test_a_chancellor_with_one_card_returns_one():
    event = {"player": 0, "action": 1640 + 72, "line": {}}
    assert [plain(line) for line in narrate(event, NAMES)] == [
        "Ann  keeps King; under the deck, next first: Priest"
    ]


def test_the_end_of_a_round_is_told():
    hit = dealt(GUARD, PRIEST, draw=SPY)
    assert told(hit, "guard 1 priest", 0) == [
        "Ann  Guard on Bob: Priest? Yes, Bob is out",
        "Round 1: Ann is the last one in",
    ]
    assert told(dealt(PRINCESS, PRIEST, draw=SPY, tokens=3), "princess", 1) == [
        "Ann  Princess, and is out with: Spy",
        "Round 1: Bob is the last one in",
    ]


def test_a_showdown_is_told_with_all_hands_and_the_spy():
    end = {
        "round": 2, "reason": "showdown", "winners": [0, 2], "spy_bonus": 1,
        "hands": [KING, SPY, KING], "tokens": [1, 1, 1],
    }  # fmt: skip
    bonus = "(Bob has one token more for a Spy)"
    event = {"player": 1, "action": SPY * 64 + 60, "round_over": end, "line": {}}
    assert [plain(line) for line in narrate(event, NAMES[:3])] == [
        "Bob  Spy",
        f"Round 2: showdown (Ann King, Bob Spy, Cid King), won by Ann and Cid {bonus}",
    ]


def test_colours_are_those_of_the_players():
    game, state = FOUR
    painted = Palette(256).lines(terminal(game).draw(game, state, 0, Marks(names=NAMES[:4])).wide)
    assert "48;5;25" in painted
    assert "48;5;214" in painted
