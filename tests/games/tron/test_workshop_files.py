"""The files that the workshop begins with, as `joute new` writes them, and their solutions."""

import importlib.util
import os
import random
import re
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

from joute.core.maps import find_map
from joute.games.tron.adapters.workshop import Game
from joute.games.tron.map import read_map

SCREEN = {"en": "display", "fr": "affichage"}
SOLUTIONS = {
    "en": ["part1_random", "part2_monte_carlo", "part3_parallel"],
    "fr": ["partie1_hasard", "partie2_monte_carlo", "partie3_parallele"],
}
GAP = {"en": "# TO FILL IN", "fr": "# À COMPLÉTER"}
MOVES = ((-1, 0), (0, 1), (1, 0), (0, -1))
START = (3, 5)

pytestmark = pytest.mark.game("tron")


@pytest.fixture(name="language", params=["en", "fr"])
def _language(request):
    """The language in which the files are written."""
    return request.param


@pytest.fixture(name="folder")
def _folder(run, tmp_path, language):
    """The files with their solutions."""
    made = run(
        "new", tmp_path / "room", "--game", "tron", "--style", "workshop", "--solutions",
        "--lang", language,
    )  # fmt: skip
    assert made.code == 0, made.err
    return tmp_path / "room"


def python(folder: Path, file: str) -> str:
    """Prints of a program run there, where there is no screen."""
    variables = {key: value for key, value in os.environ.items() if key != "DISPLAY"}
    command = [sys.executable, file]
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def module(file: Path) -> types.ModuleType:
    """The module of a file, whose chance is the same each time."""
    spec = importlib.util.spec_from_file_location("under_test", file)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    random.seed(1)
    np.random.seed(1)
    return loaded


def room(width: int, height: int) -> Game:
    """An empty room of free cells, with the player at its lower left."""
    grid = np.ones((width + 2, height + 2), np.int8)
    grid[1:-1, 1:-1] = 0
    return Game(grid, 1, 1)


def play(bot: types.ModuleType, game: Game) -> int:
    """The score of a game by a bot's function."""
    while True:
        dx, dy = bot.Play(game.copy())
        game.Grille[game.PlayerX, game.PlayerY] = 2
        if game.Grille[game.PlayerX + dx, game.PlayerY + dy]:
            return game.Score
        game.PlayerX, game.PlayerY = game.PlayerX + dx, game.PlayerY + dy
        game.Score += 1


def test_a_student_gets_the_files_without_the_solutions(run, tmp_path, language):
    made = run(
        "new", tmp_path / "room", "--game", "tron", "--style", "workshop", "--lang", language
    )
    names = [".vscode", "README.md", "Tron Parallel.py", "Tron.py", f"{SCREEN[language]}.py"]
    assert made.code == 0
    assert sorted(path.name for path in (tmp_path / "room").iterdir()) == sorted(names)
    assert "README.md" in made.out


def test_the_solutions_are_in_a_folder_of_their_own_and_marked(folder, language):
    files = sorted((folder / "solutions").iterdir())
    assert [path.stem for path in files] == SOLUTIONS[language]
    assert all(path.read_text("utf-8").startswith('"""SOLUTION, ') for path in files)


def test_the_player_of_the_first_file_only_goes_up(folder):
    printed = python(folder, "Tron.py").splitlines()
    trail = [(y, row.index("o")) for y, row in enumerate(printed[16::-1]) if "o" in row]
    assert trail == [(y, 3) for y in range(5, 15)]
    assert printed[1] == "#..@........#"
    assert printed[-1].endswith("10")


def test_the_room_and_the_start_are_the_workshops(folder, monkeypatch):
    monkeypatch.syspath_prepend(str(folder))
    begun = module(folder / "Tron.py").GameInit
    rows = read_map(find_map("tron", "workshop")).floors[0]
    walls = [[int(sign == "#") for sign in row] for row in rows]
    assert np.flip(begun.Grille.transpose(), 0).tolist() == walls
    assert (begun.PlayerX, begun.PlayerY, begun.Score) == (*START, 0)
    assert begun.copy().Grille is not begun.Grille


def test_the_skeleton_runs_with_its_gaps_and_all_players_go_up(folder, language):
    text = (folder / "Tron Parallel.py").read_text("utf-8")
    numbers = re.findall(f"{GAP[language]} ([0-9])", text)
    assert numbers == ["1", "2", "3", "4", "5", "6"]
    boards = python(folder, "Tron Parallel.py").split("\n\n")
    last = boards[-2].splitlines()
    assert len(boards) == 12  # the start, ten moves, the rating
    assert last[1] == "  ".join(["#..@........#"] * 6)


def test_the_files_pass_the_check_of_bots(run, folder):
    checked = run("check", folder / "Tron.py", "--game", "tron", "--skip", "determinism")
    assert checked.code == 0, checked.out


def test_a_random_player_goes_only_where_it_can(folder, language):
    bot = module(folder / "solutions" / f"{SOLUTIONS[language][0]}.py")
    scores = [play(bot, room(4, 3)) for _ in range(30)]
    assert max(scores) <= 11
    assert len(set(scores)) > 1


@pytest.mark.parametrize("number", [1, 2])
def test_the_searching_solutions_fill_a_small_room(folder, language, number):
    bot = module(folder / "solutions" / f"{SOLUTIONS[language][number]}.py")
    setattr(bot, "NB_GAMES" if language == "en" else "NB_PARTIES", 200)
    assert max(play(bot, room(3, 3)) for _ in range(5)) == 8


def test_the_parallel_simulation_rates_a_room_as_the_plain_one_does(folder, language):
    plain = module(folder / "solutions" / f"{SOLUTIONS[language][1]}.py")
    parallel = module(folder / "solutions" / f"{SOLUTIONS[language][2]}.py")
    count = 4000
    one = plain.MonteCarlo(room(3, 3), count) / count
    other = parallel.Simulate(room(3, 3), count)
    # Means of 4,000 scores from 0 to 8: three tenths apart is more than five standard errors.
    assert one == pytest.approx(other, abs=0.3)


def test_the_solution_of_each_part_runs_by_itself(folder, language):
    printed = python(folder, f"solutions/{SOLUTIONS[language][0]}.py")
    assert printed.splitlines()[-1].startswith("Score")


class Tk:
    """A window that notes what is drawn, and is closed as soon as the game is over."""

    def __init__(self):
        self.calls = []
        self.closing = None

    def protocol(self, name, called):
        self.closing = called

    def mainloop(self):
        self.closing()

    def close_now(self):
        self.closing()

    def __getattr__(self, name):
        return lambda *given, **options: self.calls.append((name, given, options))


def tkinter(window):
    """A Tkinter whose widgets all note in one window."""
    return types.SimpleNamespace(
        Tk=lambda: window,
        Canvas=lambda *given, **options: window,
        Label=lambda *given, **options: window,
        TclError=OSError,
    )


def test_the_display_draws_the_walls_the_trail_the_bike_and_the_score(
    folder, language, monkeypatch
):
    window = Tk()
    monkeypatch.setitem(sys.modules, "tkinter", tkinter(window))
    screen = module(folder / f"{SCREEN[language]}.py")
    game = room(2, 1)
    game.Grille[1, 1], game.PlayerX, game.Score = 2, 2, 1
    shown = (screen.Display if language == "en" else screen.Affichage)(game)
    drawn = [options["fill"] for name, _, options in window.calls if name == "create_rectangle"]
    assert len(drawn) == 12  # ten walls, a trail, the bike
    assert sorted(drawn.count(colour) for colour in set(drawn)) == [1, 1, 10]
    assert [options for name, _, options in window.calls if "text" in options][-1]["text"].endswith(
        "1"
    )
    assert (shown.is_open if language == "en" else shown.ouvert)()
    (shown.end if language == "en" else shown.fin)(game)
    assert [name for name, _, _ in window.calls][-2:] == ["quit", "destroy"]


def test_a_window_closed_in_mid_game_ends_it(folder, language, monkeypatch):
    window = Tk()
    window.update = window.close_now
    monkeypatch.setitem(sys.modules, "tkinter", tkinter(window))
    monkeypatch.syspath_prepend(str(folder))
    for name in ("Tron", SCREEN[language]):
        monkeypatch.delitem(sys.modules, name, raising=False)
    asked = []
    program = module(folder / "Tron.py")
    loop = program.GameLoop if language == "en" else program.BoucleDeJeu
    loop(lambda game: asked.append(game) or (0, 1))
    assert asked == []
    assert window.calls[-1][0] == "destroy"
    sys.modules.pop(SCREEN[language])


def test_solutions_of_a_style_without_any_are_refused(run, tmp_path):
    for options in (["--style", "function"], ["--kind", "game"]):
        refused = run("new", tmp_path / "mine", "--game", "tron", "--solutions", *options)
        assert refused.code == 2
        assert "no solutions" in refused.err
        assert not (tmp_path / "mine").exists()
