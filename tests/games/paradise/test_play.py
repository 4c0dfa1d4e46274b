"""Paradise at the terminal: what is typed and understood, why not, and games in which it is."""

import pytest
from cli.test_play_session import session
from games.paradise.tables import GAME, QUIRKS, table

from joute.cli.playing.asking import Left
from joute.cli.playing.drawing import Asked, Typed, Unclear
from joute.cli.playing.page import page
from joute.core.interface import describe, legal_actions
from joute.games.paradise.display import TERMINAL
from joute.games.paradise.state import BOOK, POWER_USED, USED, block, minion
from joute.games.paradise.telling import described, word
from joute.i18n import words
from joute.play import advice
from joute.play.record import read_record
from joute.play.verify import verify_record
from joute.text import plain

NAMES = ("Ann", "Bob")


@pytest.fixture
def french():
    words.speak("fr")
    yield
    words.speak("en")


def asked(state, game=GAME):
    return Asked(game, state, 0, legal_actions(game, state), NAMES)


def meaning(state, text, game=GAME):
    """The action that a text means, as the game writes it."""
    situation = asked(state, game)
    typed = TERMINAL.understand(situation, text)
    assert typed == Typed(action=typed.action)
    return describe(game, state, typed.action)


def complaint(state, text, game=GAME):
    situation = asked(state, game)
    with pytest.raises(Unclear) as unclear:
        TERMINAL.understand(situation, text)
    return str(unclear.value)


# Typed actions.

STATE = table([["wolf", "fireball", "raptor", "kill command"], []], [["mole", "wolf"], ["raptor"]])


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("play wolf", "play wolf"),
        ("wolf", "play wolf"),
        ("PLAY 1", "play wolf"),
        ("1", "play wolf"),
        ("rap", "play raptor"),
        ("Timber Wolf", "play wolf"),
        ("loup", "play wolf"),
        ("jouer loup des bois", "play wolf"),
        ("fireball hero", "fireball hero"),
        ("fire at the face", "fireball hero"),
        ("play 2 hero", "fireball hero"),
        ("2 1", "fireball 1"),
        ("boule de feu heros", "fireball hero"),
        ("kill command raptor", "kill command 1"),
        ("attack 1 hero", "attack 1 hero"),
        ("a 2 1", "attack 2 1"),
        ("attack mole raptor", "attack 1 1"),
        ("attaquer 2 -> héros", "attack 2 hero"),
        ("power", "power"),
        ("pouvoir", "power"),
        ("end", "end"),
        ("Fin du tour", "end"),
    ],
)
def test_actions_are_typed_in_words_of_both_languages_or_with_numbers(text, action):
    assert meaning(STATE, text) == action


def test_what_is_listed_and_completed_is_understood_in_both_languages():
    for language in words.LANGUAGES:
        words.speak(language)
        situation = asked(STATE)
        typed = [
            TERMINAL.understand(situation, text).action
            for text in TERMINAL.choices(situation)[: len(situation.actions)]
        ]
        spoken = [TERMINAL.spoken(situation, [each]) for each in situation.actions]
        words.speak("en")
        assert typed == situation.actions
        assert len(set(spoken)) == len(spoken)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Type an action, or: help"),
        ("fireball", "fireball needs a target: fireball hero, or fireball 2"),
        (
            "fireball 2",
            "2: the other side has no such target; a target is hero, or a minion’s number",
        ),
        ("fireball me", "spells cannot be aimed at your own hero in this game"),
        ("wolf hero", "wolf takes no target"),
        ("cobra", "you do not hold cobra"),
        ("cobra hero", "you do not hold cobra"),
        ("attack 3 hero", "you have no minion 3"),
        ("attack 1 2", "2: the other side has no such target"),
        ("attack 1 me", "me: the other side has no such target"),
        ("attack 1", "type: play 3"),
        ("9", "9 is not an action\ntype: play 3   fireball hero"),
        ("xyzzy", "xyzzy is not an action\ntype: play 3   fireball hero"),
        ("card xyzzy", "no card is called xyzzy"),
    ],
)
def test_what_makes_no_sense_is_answered_with_what_would(text, reason):
    assert complaint(STATE, text).startswith(reason)


def test_a_name_of_two_cards_names_both():
    hyenas = table([["hyena", "highmane"], []])
    assert complaint(hyenas, "h") == "h can mean hyena, highmane"
    assert meaning(hyenas, "hy") == "play hyena"


def test_what_is_not_legal_is_answered_with_the_reason():
    poor = table([["fireball", "wolf", "deadly shot"], []], [["zmole", "wolf"], []], mana=1)
    assert complaint(poor, "fireball hero") == "fireball costs 4, you have 1 mana"
    assert complaint(poor, "power") == "the power costs 2, you have 1 mana"
    asleep = "mole came this turn: it can attack in your next one"
    assert complaint(poor, "attack 1 hero") == asleep
    poor[minion(block(0), 1) + USED] = 1
    assert complaint(poor, "attack 2 hero") == "wolf has attacked this turn"
    rich = table([["wolf", "deadly shot", "hounds"], []], [["mole"] * 7, []])
    assert complaint(rich, "wolf") == "your side is full: 7 minions"
    assert complaint(rich, "hounds") == "your side is full: 7 minions"
    assert complaint(rich, "deadly") == "deadly shot needs an enemy minion"
    rich[block(0) + POWER_USED] = 1
    assert complaint(rich, "power") == "the power has been used this turn"


def test_reasons_are_said_in_french(french):
    poor = table([["fireball", "wolf"], []], mana=0)
    assert complaint(poor, "boule de feu héros") == "boule de feu coûte 4, vous avez 0 de mana"
    assert complaint(poor, "xyzzy").splitlines()[0] == "xyzzy n’est pas une action"


def test_where_the_rules_allow_it_a_spell_may_be_aimed_at_oneself():
    assert meaning(STATE, "fireball me", QUIRKS) == "fireball me"


@pytest.mark.parametrize(
    ("text", "command"), [("?", "help"), ("hint", "hint"), ("un", "undo"), ("abandonner", "resign")]
)
def test_commands_are_understood_beside_actions(text, command):
    situation = asked(STATE)
    assert TERMINAL.understand(situation, text) == Typed(command=command)


@pytest.mark.parametrize("text", ["card wolf", "? Timber", "carte 1", "card loup"])
def test_a_card_is_explained(text):
    situation = asked(STATE)
    assert TERMINAL.understand(situation, text).told == (
        "Timber Wolf: 1 mana, a minion 1/1; your other minions have +1 attack",
    )


def test_all_cards_of_a_name_are_explained_in_french(french):
    situation = asked(STATE)
    told = TERMINAL.understand(situation, "? tir").told
    assert [line.split("\u202f: ")[0] for line in told] == ["Tir mortel", "Tir des arcanes"]
    assert told[0].endswith(
        "un sort\u202f; détruit un serviteur adverse au hasard\u202f; injouable s’il n’y en a pas"
    )


def test_every_card_has_a_name_of_its_own_in_both_languages():
    for language in words.LANGUAGES:
        words.speak(language)
        assert len({word(card) for card in range(len(BOOK))}) == len(BOOK)
        assert len({described(card) for card in range(len(BOOK))}) == len(BOOK)
    words.speak("en")
    assert [word(card) for card in range(len(BOOK))] == [card.word for card in BOOK]


def test_legal_lists_cards_spells_and_attackers():
    situation = asked(STATE)
    assert TERMINAL.listing(situation) == [
        "play: 1 wolf, 3 raptor",
        "2 fireball: hero, 1",
        "4 kill command: hero, 1",
        "attack with 1, 2: hero, 1",
        "power, end",
    ]
    # What it lists can be typed as it stands.
    assert [meaning(STATE, text) for text in ("1 wolf", "play 3 raptor")] == [
        "play wolf",
        "play raptor",
    ]
    for text in ("2 fireball hero", "2 fireball 1", "4 kill command hero"):
        assert meaning(STATE, text) == meaning(STATE, text.partition(" ")[2])


# A game.


def test_a_game_is_played_by_words_and_its_record_is_true(monkeypatch):
    monkeypatch.setattr(advice, "ADVISERS", ("greedy",))  # compiled in no time
    lines = ["end", "end", "end", "card 1", "fireball", "hint", "resign"]
    game, display, _ = session("paradise", ["human:Ann", "builtin:greedy"], lines)
    result = game.run()
    views = [view for _, view in display.asked]
    assert verify_record(result.record).ok
    assert read_record(result.record).plies[-1]["resigned"]
    told = {plain(line) for view in views for line in view.log}
    assert {"Ann  ends the turn", "greedy  ends the turn", "greedy  draws a card"} <= told
    assert [each for each in told if each.startswith("greedy  draws")] == ["greedy  draws a card"]
    assert views[-1].message[0].startswith("Hint (greedy): ")


def test_between_two_people_nothing_of_a_hand_remains():
    lines = ["", "end", "", "end", "", "resign"]
    game, display, _ = session("paradise", ["human:Ann", "human:Bob"], lines)
    game.run()
    turns = [view for prompt, view in display.asked if "your action" in prompt]
    assert [plain(view.board[0]).split()[1] for view in turns] == ["Bob", "Ann", "Bob"]
    for prompt, view in display.asked:
        assert view in turns or view.board == view.log == view.seats == [], prompt


def test_the_board_the_end_of_the_course_and_the_help_fit_on_80_columns_and_24_lines():
    game, display, _ = session("paradise", ["human:Ann", "builtin:face"], [*["end"] * 5, "help"])
    with pytest.raises(Left):
        game.run()
    for _, view in display.asked[:-1]:
        lines = "\n".join(plain(line).rstrip() for line in page(view, 80, 22))
        for line in [*view.board, *view.log[-6:]]:
            assert plain(line).rstrip() in lines
    lines = [plain(line).strip() for line in page(display.asked[-1][1], 80, 22)]
    assert lines[-1] == "quit, q, exit  leave; the game is not kept"
    assert "* can be played or can attack   p poison   c charge   2/3: attack and health" in lines
