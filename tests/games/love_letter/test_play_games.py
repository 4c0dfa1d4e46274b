"""Love Letter at the terminal: hints with their reasons, and whole games of people and bots."""

import pytest
from cli.test_play_session import Display, Never
from games.love_letter.positions import (
    NAMES,
    action,
    after,
    asked,
    chancellor,
    dealt,
    seeded,
)

from joute.cli.playing.asking import Left, hint
from joute.cli.playing.display import Wait
from joute.cli.playing.page import length
from joute.cli.playing.session import TerminalGame, make_spec
from joute.core.interface import determinize
from joute.core.random import generator
from joute.core.registry import make
from joute.games.love_letter.display import TERMINAL
from joute.games.love_letter.state import (
    BARON,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    PRIEST,
    PRINCE,
    PRINCESS,
    SPY,
)
from joute.play import advice
from joute.play.telling import log
from joute.play.verify import verify_record
from joute.text import plain

# Hints.


@pytest.mark.parametrize(
    ("position", "said"),
    [
        (dealt(COUNTESS, PRIEST, draw=KING), "Beside the King, the Countess must be played"),
        (dealt(HANDMAID, PRIEST, draw=PRINCESS), "nobody can choose you until your next turn"),
        (dealt(SPY, PRIEST, draw=PRINCESS), "it keeps the Princess, which is higher"),
        (chancellor("king", "countess"), "it keeps what is worth most now"),
        (dealt(PRIEST, PRIEST, draw=KING), "to know a hand"),
        (dealt(BARON, PRIEST, draw=KING), "your King is higher than 14 of the 16 cards that"),
        (dealt(GUARD, PRIEST, draw=KING), " of the 16 cards that you have not seen"),
    ],
)
def test_a_hint_names_an_action_and_the_reason(position, said, monkeypatch):
    monkeypatch.setattr(advice, "ADVISERS", ("rules",))
    game, state = position
    text = hint(game, state, 0, NAMES[:2])
    assert text.startswith("Hint (rules): ")
    assert said in text


def reason(position, text):
    return TERMINAL.reason(asked(position), action(position, text))


def test_reasons_know_what_was_seen():
    position = after(
        dealt(PRIEST, KING, draw=GUARD), "priest 1", "guard", "guard 0 prince", "baron"
    )
    assert reason(position, "guard 1 king") == " (you have seen the King there)"
    prince = dealt(PRINCE, KING, draw=BARON)
    assert "for another card than the Baron" in reason(prince, "prince 0")
    assert "would be out with the Princess" in reason(prince, "prince 1")
    king = dealt(KING, PRIEST, draw=SPY)
    assert reason(king, "king 1") == " (for another card than the Spy)"
    assert reason(king, "spy") == " (it keeps the King, which is higher)"
    assert reason(dealt(COUNTESS, PRIEST, draw=SPY), "countess") == ""


# Games.


def table(seats, lines, seed="5", **parameters):
    display = Display(lines)
    spec = make_spec("love-letter", parameters, seats, 1.0, seed)
    return TerminalGame(spec, display, wait=Wait(make=Never)), display, spec


def test_a_picker_asks_on_and_undo_or_nothing_takes_it_back(monkeypatch):
    monkeypatch.setattr(advice, "ADVISERS", ("rules",))
    seats = ["human:Ann", "builtin:random", "builtin:random"]
    game, display, _ = table(seats, ["guard", "hint", "undo", "guard", "", "guard", "xyz", "2"],
                           seeded({GUARD, BARON}, 3))  # fmt: skip
    with pytest.raises(Left):
        game.run()
    prompts = [prompt.removeprefix("Ann (0), your action: ") for prompt, _ in display.asked]
    assert prompts[:3] == ["", "Guard ", "Guard "]
    assert prompts[3:8] == ["", "Guard ", "", "Guard ", "Guard "]
    offers = [bool(view.offers) for _, view in display.asked]
    assert offers[:8] == [False, True, True, False, True, False, True, True]
    assert display.asked[7][1].message == ("xyz is not an action",)


def test_the_log_is_shown_further_back_on_request():
    game, display, _ = table(["human:Ann", "builtin:random"], ["log"], "8")
    with pytest.raises(Left):
        game.run()
    assert display.asked[1][1].message[0].endswith("starts the round")


def test_an_action_that_shows_something_cannot_be_undone():
    game, display, _ = table(["human:Ann", "builtin:random"], ["undo"], "8")
    with pytest.raises(Left):
        game.run()
    assert display.asked[1][1].message == (
        "no undo: in this game it would reveal the choices of others",
    )


class Player(Display):
    """Types the first legal action each time, and Enter where the keyboard is passed."""

    def ask(self, view, prompt, words):
        self.asked.append((prompt, view))
        if "your action" not in prompt or "Enter plays it" in "".join(view.message):
            return ""
        return next(word for word in reversed(words[: words.index("help")]))


@pytest.mark.parametrize(("people", "bots"), [(2, 0), (1, 2), (2, 2), (6, 0)])
def test_any_mix_of_people_and_bots_plays_to_the_end(people, bots):
    display = Player([])
    seats = ["human"] * people + ["builtin:random"] * bots
    spec = make_spec("love-letter", {"tokens": 2}, seats, 1.0, "3")
    game = TerminalGame(spec, display, wait=Wait(make=Never))
    result = game.run()
    assert result.ending == "finished"
    assert max(result.points) >= 2
    assert verify_record(result.record).ok
    last = "\n".join(plain(line) for line in game.last_page())
    assert "Round" in last
    for _, view in display.asked:
        assert all(length(line) <= 78 for line in view.board)


class Watched(Player):
    """Looks at each page again with all that its player cannot know drawn anew."""

    def ask(self, view, prompt, words):
        if "your action" in prompt:
            game, state = self.session.game, list(self.session.timeline.state)
            player = int(prompt.partition("(")[2][0])
            determinize(game, state, player, generator(len(self.asked)))
            assert self.session.view(game, state, player).board == view.board
        return super().ask(view, prompt, words)


@pytest.mark.parametrize("players", [2, 4])
def test_a_page_shows_nothing_that_its_player_cannot_know(players):
    display = Watched([])
    spec = make_spec("love-letter", {"tokens": 2}, ["human"] * players, 1.0, "7")
    display.session = TerminalGame(spec, display, wait=Wait(make=Never))
    display.session.run()
    assert len(display.asked) > 10


def test_a_failure_and_who_gives_up_are_told_with_what_is_played_for_them():
    game = make("love-letter", players=3)
    spy = {"player": 1, "action": SPY * 64 + 60, "text": "spy"}
    failed = {**spy, "line": {"ply": 8, "fault": "crash"}}
    gone = {**spy, "player": 2, "line": {"ply": 9, "resigned": True}}
    dead = {"player": 0, "line": {"ply": 7, "fault": "start-up"}}
    course = log(game, [dead, failed, gone], 1, NAMES[:3], 12)
    assert [plain(line).rstrip() for line in course.lines] == [
        "  8. Ann  (did not start)",
        "Bob  Spy (played for it: crash)",
        "Cid resigns",
        "Cid  Spy",
    ]
    assert course.fresh == 3
    assert course.lines[0][0][1] == "dim"
