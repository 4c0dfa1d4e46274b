"""Games in turns on a display of the test's own: what people see, undo, who is thinking."""

import threading
from contextlib import nullcontext

import pytest
from helpers import PATIENCE, install_game

from joute.cli.playing import asking
from joute.cli.playing.asking import Left, hint
from joute.cli.playing.display import Wait
from joute.cli.playing.page import Palette
from joute.cli.playing.session import TerminalGame, make_spec, title
from joute.core.interface import play, start
from joute.core.maps import find_map
from joute.core.registry import make
from joute.play import advice
from joute.play.record import read_record
from joute.play.telling import outcome
from joute.text import plain


class Display:
    """Types what a script says, and keeps what was shown."""

    palette = Palette(0)

    def __init__(self, lines) -> None:
        self._lines = iter(lines)
        self.asked = []  # (prompt, view)
        self.shown = []
        self.cleared = []  # after how many questions

    def open(self):
        return nullcontext()

    def show(self, view) -> None:
        self.shown.append(view)

    def ask(self, view, prompt, words) -> str:
        self.asked.append((prompt, view))
        line = next(self._lines, None)
        if line is None:
            raise EOFError
        return line

    def clear(self) -> None:
        self.cleared.append(len(self.asked))


class Never(threading.Timer):
    """A timer that waits for ever."""

    def __init__(self, seconds, function) -> None:
        super().__init__(3600, function)


def session(game, seats, lines, **parameters):
    display = Display(lines)
    spec = make_spec(game, parameters, seats, 1.0, "2")
    return TerminalGame(spec, display, wait=Wait(make=Never)), display, spec


def log(view) -> list[str]:
    return [plain(line).split(". ", 1)[-1] for line in view.log]


@pytest.fixture(autouse=True)
def small_games(monkeypatch):
    install_game(monkeypatch, "poker", "games.poker")
    install_game(monkeypatch, "pennies", "games.pennies")


def test_a_simultaneous_choice_is_shown_to_nobody_before_all_are_in():
    people = ["human:Ann", "human:Bob"]
    game, display, _ = session("pennies", people, ["", "0", "", "1", "", "1", "", "resign"])
    game.run()
    _, first, passed, second, _, third = display.asked[:6]
    assert first[0].startswith("Ann")
    assert passed[0].startswith("Bob (1), Enter when nobody else is looking")
    assert log(second[1]) == []
    assert log(third[1]) == ["Ann  0", "Bob  1"]


def test_help_that_is_longer_than_the_terminal_is_read_page_by_page(monkeypatch):
    monkeypatch.setattr(asking, "size", lambda: (40, 12))
    game, display, _ = session("virus", ["human", "human"], ["help", "", "", "", "legal", "resign"])
    game.run()
    pages = [view.message for prompt, view in display.asked if "Enter: " in prompt]
    assert len(pages) == 3 and all(len(page) <= 6 for page in pages)
    assert any(line.startswith("quit, q, exit") for line in pages[-1])
    assert "legal" in display.asked[-1][1].message[0]


def test_people_see_what_they_may_know_and_no_more():
    people = ["human:Ann", "human:Bob", "human:Cid"]
    game, display, _ = session("poker", people, ["", "1", "", "1", "", "1"])
    result = game.run()
    cards = [line["action"] for line in read_record(result.record).plies[:3]]
    turns = [view for prompt, view in display.asked if "your action" in prompt]
    for player, view in enumerate(turns):
        text = "\n".join(plain(line) for line in view.board)
        assert f"card: {cards[player]}" in text
        dealt = ["a card"] * 3
        dealt[player] = f"card {cards[player]}"
        assert log(view)[:3] == dealt


def refusal(display) -> str:
    return next(view.message[0] for _, view in display.asked if "no undo" in "".join(view.message))


def test_undo_says_why_not_where_others_are_hidden():
    game, display, _ = session(
        "poker", ["human", "builtin:random", "builtin:random"], ["undo", "1"]
    )
    game.run()
    assert "the choices of others" in refusal(display)


@pytest.mark.game("virus")
def test_undo_shows_the_game_as_it_was_without_what_came_between():
    game, display, _ = session("virus", ["human", "human"], ["c1", "b1", "undo"], size=4)
    with pytest.raises(Left):
        game.run()
    before, after = display.asked[1][1], display.asked[3][1]
    assert [log(view) for view in (before, after)] == [["human 2 starts", "human 2  c1"]] * 2
    assert before.board == after.board


@pytest.mark.game("virus")
def test_bots_are_started_anew_after_undo(tmp_path):
    bot = tmp_path / "telling.py"
    bot.write_text(
        "import os\n"
        "def play(observation, clock):\n"
        "    return {'action': observation['legal'][0], 'message': str(os.getpid())}\n"
    )
    lines = ["b1", "pass", "pass", "undo", "pass", "pass", "resign"]
    game, _, _ = session("virus", ["human", str(bot)], lines, size=4)
    plies = read_record(game.run().record).plies
    processes = [line["message"] for line in plies if "message" in line]
    assert len(processes) > len(set(processes)) == 2


@pytest.fixture
def waits(monkeypatch, tmp_path):
    """Plays a game and returns what is said while it waits, by the length of each wait."""
    monkeypatch.setenv("JOUTE_CACHE", str(tmp_path))

    def played(*seats):
        made = []

        class Timer(threading.Timer):
            def __init__(self, seconds, function) -> None:
                super().__init__(3600, function)
                made.append((seconds, function))

        display = Display(["resign"])
        spec = make_spec("virus", {"size": 4}, ["human", *seats], 1.0, "2")
        TerminalGame(spec, display, wait=Wait(0.5, Timer)).run()
        said = []
        for seconds, function in made:
            function()
            said.append((seconds, display.shown[-1].said))
        return said

    return played


@pytest.mark.game("virus")
def test_who_is_waited_for_is_shown_once_it_takes_long(waits):
    bot = "builtin:flat?simulations=1"
    name = bot.removeprefix("builtin:")
    ready = f"{name} (1) is getting ready: the first time takes some seconds…"
    assert waits(bot)[0] == (0.5, ready)
    assert set(waits(bot)) == {(0.5, f"{name} (1) is thinking…")}
    assert set(waits("builtin:greedy")) == {(0.5, "greedy (1) is thinking…")}


def test_a_wait_that_is_stopped_does_not_call():
    called = threading.Event()
    wait = Wait(3600)
    wait.start(called.set)
    wait.stop()
    assert not called.is_set()
    wait.stop()


def test_a_wait_calls_when_it_is_over():
    called = threading.Event()
    wait = Wait(0.0)
    wait.start(called.set)
    assert called.wait(PATIENCE)
    wait.stop()


@pytest.mark.game("tron", "virus")
def test_the_title_names_the_parameters_that_are_not_the_usual_ones():
    assert title(make("virus")) == "Virus"
    assert title(make("virus", size=4)) == "Virus · size=4"
    assert title(make("tron", map=find_map("tron", "duel")), "duel") == "Tron · duel"


def hinted(monkeypatch, *advisers) -> str:
    monkeypatch.setattr(advice, "ADVISERS", advisers)
    game = make("virus", size=4)
    state = start(game).tolist()
    play(game, state, 0)
    return hint(game, state, 0)


@pytest.mark.game("virus")
def test_a_hint_comes_from_the_first_bot_that_plays_the_game(monkeypatch):
    assert hinted(monkeypatch, "fill", "greedy").startswith("Hint (greedy): ")


@pytest.mark.game("virus")
def test_without_such_a_bot_there_is_no_hint(monkeypatch):
    assert hinted(monkeypatch, "fill") == "no built-in bot plays this game well"


@pytest.mark.game("tron")
def test_shared_places_are_said_where_more_than_two_play():
    game, _, spec = session("tron", ["human:Ann", "human", "human"], ["resign"] * 3)
    result = game.run()
    places = [line.split(".")[0] for line in outcome(spec, result)]
    assert places == sorted(places)
    assert len(places) == 3
