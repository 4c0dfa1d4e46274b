"""A contest's file: what is taken, what is refused, and how."""

import os
import sys

import pytest
from contest.fakes import contest_in
from helpers import english_words

from joute.contest.config.config import origins, resolve
from joute.contest.config.contest import Contest, to_json
from joute.contest.config.showing import Showing
from joute.contest.errors import ConfigError
from joute.i18n.words import speaking

pytestmark = pytest.mark.game("virus")

LONG = "a" * 300  # more than a file's name may have
TWO = 'bots = ["builtin:random", "builtin:greedy"]\n'


@pytest.fixture(name="write")
def _write(tmp_path):
    def write(text: str) -> Contest:
        (tmp_path / "cup.toml").write_text(text)
        return tmp_path / "cup.toml"

    return write


def test_a_list_of_bots_is_a_whole_contest(write, tmp_path):
    contest = resolve(write(TWO))
    assert contest.name == "cup"
    assert contest.format == "round-robin"
    assert (contest.games, contest.first_to, contest.max_games) == (4, None, 4)
    assert contest.seed is None
    assert contest.workers == len(os.sched_getaffinity(0))
    assert contest.folder == str(tmp_path / "cup.results")
    assert contest.game == "virus"
    assert contest.maps[0].parameters == {"size": 10, "voluntary_pass": True}
    assert contest.opening == (2, 4)
    assert (
        contest.limits.move_seconds,
        contest.limits.start_seconds,
        contest.limits.memory_mb,
    ) == (10.0, 10.0, 1024)
    assert contest.costs["illegal"] == contest.costs["timeout"] == contest.costs["crash"] == "turn"
    assert contest.costs["memory"] == contest.costs["output-limit"] == "turn"
    assert contest.costs["protocol"] == "turn"
    assert contest.costs["start-up"] == "game"
    assert [bot.name for bot in contest.bots] == ["random", "greedy"]


def test_every_key_can_be_given(write, tmp_path):
    contest = resolve(
        write("""
[contest]
name = "The cup"
format = "round-robin"
games = 6
seed = 12
workers = 3
folder = "out"
[game]
name = "virus"
size = 8
voluntary_pass = false
opening = [0, 3]
[limits]
move_seconds = 1
start_seconds = 2.5
memory_mb = 512
[faults]
timeout = "game"
max_restarts = 7
[[bots]]
bot = "builtin:random"
name = "Dice"
memory_mb = 64
[[bots]]
bot = "builtin:greedy"
""")
    )
    assert (contest.name, contest.games, contest.seed, contest.workers) == ("The cup", 6, "12", 3)
    assert contest.folder == str(tmp_path / "out")
    assert contest.maps[0].parameters == {"size": 8, "voluntary_pass": False}
    assert contest.opening == (0, 3)
    assert (
        contest.limits.move_seconds,
        contest.limits.start_seconds,
        contest.limits.memory_mb,
    ) == (1.0, 2.5, 512)
    assert (contest.costs["timeout"], contest.costs["crash"]) == ("game", "turn")
    assert contest.max_restarts == 7
    assert contest.bots[0].name == "Dice"
    assert contest.bots[0].memory_mb == 64


def test_the_show_of_a_contest_is_no_part_of_what_is_kept_of_it(write):
    shown = resolve(write(TWO + '[show]\nlisted = false\nladder = "named"\nladder_at = "03:00"'))
    assert shown.show == Showing(listed=False, ladder="named", ladder_at="03:00")
    assert to_json(shown) == to_json(resolve(write(TWO)))


def test_first_to_comes_with_a_bound_on_games(write):
    contest = resolve(write(TWO + "[contest]\nfirst_to = 3"))
    assert (contest.games, contest.first_to, contest.max_games) == (None, 3, 12)
    contest = resolve(write(TWO + "[contest]\nfirst_to = 3\nmax_games = 10"))
    assert (contest.first_to, contest.max_games) == (3, 10)
    contest = resolve(write(TWO + "[contest]\nfirst_to = 51\nmax_games = 101"))
    assert (contest.first_to, contest.max_games) == (51, 101)


@pytest.mark.game("paradise")
def test_the_order_is_that_of_hx2_unless_the_file_names_another(write):
    assert resolve(write(TWO)).ranking == "hx2"
    assert resolve(write(TWO + "[contest]\nranking = 'paradise'")).ranking == "paradise"


def test_bots_of_one_name_are_told_apart(write):
    text = 'bots = ["builtin:greedy", "builtin:greedy", {bot = "builtin:greedy", name = "greedy"}]'
    assert [bot.name for bot in resolve(write(text)).bots] == ["greedy 2", "greedy 3", "greedy"]


def test_all_wrong_bots_are_told_at_once(write):
    with pytest.raises(ConfigError) as error:
        resolve(write('bots = ["none.py", "builtin:random", "builtin:nobody"]'))
    first, second = str(error.value).splitlines()
    assert "cup.toml: bots[1].bot: bot 'none.py': no file or folder" in first
    assert "cup.toml: bots[3].bot: " in second and "nobody" in second
    assert error.value.key == "bots[1].bot"
    with pytest.raises(ConfigError) as error:
        resolve(write(f"bots = {[f'none{number}.py' for number in range(13)]}"))
    assert len(str(error.value).splitlines()) == 11
    assert str(error.value).endswith("\n… 3 more")


def test_a_bot_is_named_after_its_file(write, tmp_path):
    (tmp_path / "clever.py").write_text("def ia(game, side): return False\n")
    text = 'bots = ["clever.py", "hx2:clever.py", "builtin:alphabeta?nodes=2000"]'
    names = [bot.name for bot in resolve(write(text)).bots]
    assert names == ["clever", "clever 2", "alphabeta?nodes=2000"]


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        ("[contest]\ngmes = 4", "contest.gmes", "did you mean 'games'?"),
        ("[contest]\nfirst = 4", "contest.first", "did you mean 'first_to'?"),
        ("[limit]\nmove_seconds = 4", "limit", "did you mean 'limits'?"),
        ("[limits]\nmove_second = 4", "limits.move_second", "did you mean 'move_seconds'?"),
        ("[faults]\nilegal = 'turn'", "faults.ilegal", "did you mean 'illegal'?"),
        ("[faults]\ninfrastructure = 'turn'", "faults.infrastructure", "unknown key"),
        ("[game]\nsise = 4", "game.sise", "did you mean 'size'?"),
        ("[contest]\nzzz = 4", "contest.zzz", "known here: name, format"),
        (
            "[contest]\ngames = 3",
            "contest.games",
            "expected 1 or an even whole number from 2 to 1000000",
        ),
        ("[contest]\ngames = 0", "contest.games", "got 0 (int)"),
        ("[contest]\ngames = 2.0", "contest.games", "got 2.0 (float)"),
        ("[contest]\ngames = true", "contest.games", "got True (bool)"),
        ("[contest]\nfirst_to = 2\ngames = 2", "contest.games", "not both"),
        ("[contest]\nmax_games = 2", "contest.max_games", "goes with first_to"),
        ("[contest]\nfirst_to = 5\nmax_games = 4", "contest.max_games", "at least first_to (5)"),
        (
            "[contest]\nformat = 'swis'",
            "contest.format",
            "(did you mean 'swiss'?), got 'swis' (str)",
        ),
        ("[contest]\nranking = 'paradis'", "contest.ranking", "did you mean 'paradise'?"),
        ("[contest]\nname = ''", "contest.name", "expected a string that is not empty"),
        ("[contest]\nseed = 1.5", "contest.seed", "expected a whole number or a string"),
        ("[contest]\nworkers = 0", "contest.workers", "from 1 to 1024, got 0 (int)"),
        ("[contest]\nbots = []", "contest.bots", "above the first [section]"),
        ("contest = 3", "contest", "expected a table, got 3 (int)"),
        (
            "[contest]\nmove_seconds = 4",
            "contest.move_seconds",
            "did you mean 'limits.move_seconds'?",
        ),
        ("[limits]\ngames = 4", "limits.games", "did you mean 'contest.games'?"),
        ("games = 4", "games", "did you mean 'contest.games'?"),
        ("[contest]\nsize = 4", "contest.size", "did you mean 'game.size'?"),
        ("[contest]\ngame = 'virus'", "contest.game", "did you mean 'game.name'?"),
        ("game = 'virus'", "game", "got 'virus' (str); did you mean 'game.name'?"),
        ("game = 'poker'", "game", "expected a table, got 'poker' (str)"),
        ("[contest]\nmap = 'duel'", "contest.map", "known here: name, format"),
        ("[contest]\nmaps = ['duel']\n[game]\nname = 'tron'", "contest.maps", "mean 'game.maps'?"),
        ("[game]\nname = 'virs'", "game.name", "did you mean 'virus'?"),
        ("[game]\nsize = 2", "game.size", "size"),
        ("[game]\nsize = 'big'", "game.size", "size"),
        ("[game]\nopening = 3", "game.opening", "expected [fewest, most] random plies"),
        ("[game]\nopening = [4, 2]", "game.opening", "expected 0 <= fewest <= most"),
        ("[game]\nopening = [0, 100000]", "game.opening", "expected 0 <= fewest <= most"),
        ("[game]\nsize = 5\nopening = [45, 45]", "game.opening", "<= most <= 44 plies"),
        ("[limits]\nmove_seconds = 0", "limits.move_seconds", "a number of seconds from 0.001"),
        ("[limits]\nmove_seconds = '1'", "limits.move_seconds", "got '1' (str)"),
        ("[limits]\nmove_seconds = nan", "limits.move_seconds", "got nan (float)"),
        ("[limits]\nmemory_mb = 1", "limits.memory_mb", "of at least 16, got 1 (int)"),
        (
            "[faults]\ncrash = 'match'",
            "faults.crash",
            '"game" or "disqualification", got \'match\'',
        ),
        ("[faults]\nmax_restarts = -1", "faults.max_restarts", "of at least 0"),
        ("[show]\nlisted = 1", "show.listed", "expected true or false"),
        ("[show]\nladder = 'anonymus'", "show.ladder", "did you mean 'anonymous'?"),
        ("[show]\nladder_at = '25:00'", "show.ladder_at", 'a time of day such as "03:00"'),
    ],
)
def test_a_wrong_key_is_named_with_what_was_expected(write, text, key, said):
    path = write(f"{TWO}{text}\n")
    with pytest.raises(ConfigError) as error:
        resolve(path)
    assert error.value.key == key
    assert said in str(error.value)
    assert str(path) in str(error.value)
    assert key.split(".")[-1] in path.read_text().splitlines()[error.value.line - 1]
    with speaking("fr"):
        assert not english_words(str(error.value))


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        ("", "bots", "at least two bots, got 0"),
        ('bots = "builtin:greedy"', "bots", "expected a list of bots"),
        ('bots = ["builtin:greedy"]', "bots", "at least two bots, got 1"),
        ('bots = ["builtin:greedy", 3]', "bots[2]", "expected a table, got 3 (int)"),
        ('bots = ["builtin:greedy", ""]', "bots[2].bot", "a string that is not empty"),
        ('bots = ["builtin:greedy", "human"]', "bots[2].bot", "joute match"),
        ('bots = ["builtin:greedy", "missing.py"]', "bots[2].bot", "missing.py"),
        ('bots = ["builtin:greedy", "builtin:gredy"]', "bots[2].bot", "greedy"),
        ('bots = ["builtin:greedy", "builtin:alphabeta?node=3"]', "bots[2].bot", "nodes"),
        ('bots = ["builtin:greedy", {name = "a"}]', "bots[2].bot", "missing"),
        ('bots = ["builtin:greedy", {bot = "builtin:random", pyton = "p"}]', "bots[2].pyton",
         "did you mean 'python'?"),
        ('bots = ["builtin:greedy", {bot = "builtin:random", nom = "R"}]', "bots[2].nom",
         "unknown key (known here: bot, name, authors"),
        ('bots = ["builtin:greedy", {bot = "builtin:random", python = "p"}]', "bots[2].python",
         "written in Python"),
        ('bots = ["builtin:greedy", {bot = "mine.py", python = "python0.9"}]', "bots[2].python",
         "expected the name of an interpreter on the PATH"),
        ('bots = ["builtin:greedy", {bot = "mine.py", python = "bin/python"}]', "bots[2].python",
         "or a path to one"),
        ('bots = ["builtin:greedy", {bot = "builtin:random", memory_mb = 1}]',
         "bots[2].memory_mb", "at least 16"),
        ('bots = [{bot = "builtin:greedy", name = "a"}, {bot = "builtin:random", name = "a"}]',
         "bots[2].name", "already called 'a'"),
        ('bots = ["builtin:greedy", {bot = "builtin:random", name = " a"}]', "bots[2].name",
         "printable"),
        ('bots = ["builtin:greedy", "bots/*.py"]', "bots[2].bot",
         "no file or folder matches bots/*.py"),
        ('bots = ["builtin:greedy", {bot = "*.py", name = "a"}]', "bots[2].name",
         "*.py stands for several bots"),
        (f'bots = ["builtin:greedy", "*{LONG}"]', "bots[2].bot", "no file or folder matches"),
        ('bots = ["builtin:greedy", "cup.*"]', "bots[2].bot", "cup.toml is not a bot"),
    ],
)  # fmt: skip
def test_a_wrong_bot_is_refused_before_any_game(write, tmp_path, text, key, said):
    (tmp_path / "mine.py").write_text("def ia(game, side): return False\n")
    with pytest.raises(ConfigError) as error:
        resolve(write(text))
    assert error.value.key == key
    assert said in str(error.value)
    with speaking("fr"):
        assert not english_words(str(error.value))


def test_a_path_with_a_star_stands_for_all_bots_that_match(write, tmp_path):
    for name in ("ada.py", "bob/bot.py", "eve/bot.py", ".hidden.py", "__pycache__/x.py"):
        file = tmp_path / "bots" / name
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text("def ia(game, side): return False\n")
    contest = resolve(write('bots = ["bots/*", {bot = "bots/eve", name = "Eve"}, "./bots/a*"]'))
    assert [(bot.name, bot.bot) for bot in contest.bots] == [
        ("ada", "bots/ada.py"), ("bob", "bots/bob"), ("Eve", "bots/eve")
    ]  # fmt: skip
    contest = resolve(write(f'bots = [{{bot = "{tmp_path}/bots/*/bot.py", memory_mb = 99}}]'))
    assert [(bot.name, bot.memory_mb) for bot in contest.bots] == [("bob", 99), ("eve", 99)]


def test_a_star_may_be_part_of_the_name_of_a_file(write, tmp_path):
    for name in ("a*.py", "ab.py"):
        (tmp_path / name).write_text("def ia(game, side): return False\n")
    contest = resolve(write('bots = ["builtin:greedy", "a*.py"]'))
    assert [bot.name for bot in contest.bots] == ["greedy", "a*"]


def test_an_interpreter_is_a_name_or_a_path_from_the_file(write, tmp_path):
    (tmp_path / "mine.py").write_text("def ia(game, side): return False\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    rest = 'bots = ["builtin:greedy", {bot = "mine.py", python = "%s"}]'
    assert resolve(write(rest % "bin/python")).bots[1].python == str(tmp_path / "bin/python")
    assert resolve(write(rest % sys.executable)).bots[1].python == sys.executable
    assert resolve(write(rest % "env")).bots[1].python == "env"


def test_the_line_of_a_bot_is_found(write):
    text = '[[bots]]\nbot = "builtin:greedy"\n\n[[bots]]\nname = "b"\nbot = "nobody.py"\n'
    with pytest.raises(ConfigError) as error:
        resolve(write(text))
    assert error.value.line == 6


def test_broken_toml_is_told_with_its_line(write):
    with pytest.raises(ConfigError, match="line 2"):
        resolve(write(TWO + "[contest\n"))


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(ConfigError, match=r"nowhere\.toml: cannot be read"):
        resolve(tmp_path / "nowhere.toml")


def test_a_file_as_some_editors_of_windows_write_it_is_read(tmp_path):
    path = tmp_path / "marked.toml"
    text = 'bots = ["builtin:random", "builtin:greedy"]\n[contest]\nname = "Marked"\n'
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert resolve(path).name == "Marked"


def test_a_file_of_another_encoding_is_told(tmp_path):
    (tmp_path / "c.toml").write_bytes(b'name = "caf\xe9"')
    with pytest.raises(ConfigError, match="not UTF-8"):
        resolve(tmp_path / "c.toml")


def test_the_command_line_overrides_the_file(tmp_path):
    contest = contest_in(tmp_path, "games = 2", **{"limits.move_seconds": 0.5})
    assert contest.limits.move_seconds == 0.5
    assert contest.workers == 2


def test_a_wrong_override_is_refused_without_a_line(tmp_path):
    with pytest.raises(ConfigError) as error:
        contest_in(tmp_path, "games = 2", **{"contest.games": 3})
    assert error.value.key == "contest.games"
    assert error.value.line is None


def test_the_origin_of_every_value_is_known(write):
    path = write(TWO + "[contest]\ngames = 2\n[game]\nsize = 6\n")
    found = {key: (value, origin) for key, value, origin in origins(path, {"contest.seed": 5})}
    assert found["contest.games"] == (2, "file")
    assert found["contest.seed"] == ("5", "command line")
    assert found["contest.format"] == ("round-robin", "default")
    assert found["game.size"] == (6, "file")
    assert found["game.voluntary_pass"] == (True, "game")
    assert found["game.opening"] == ((2, 4), "game")
    assert found["bots[1].bot"] == ("builtin:random", "file")
    assert found["bots[1].name"] == ("random", "default")
