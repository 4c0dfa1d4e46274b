"""Bots by a path with a *, as people hand them in: with other files, in folders of their own."""

from pathlib import Path

import pytest
from helpers import english_words

from joute.contest.config.config import resolve
from joute.contest.config.patterns import remarks
from joute.contest.errors import ConfigError
from joute.i18n.words import speaking

pytestmark = pytest.mark.game("virus")

BOT = "def play(observation, clock): return 0\n"
LUC, ZOE = "Luc PETIT_7_assignsubmission_file", "DURAND Zoé_101_assignsubmission_file"


@pytest.fixture(name="cup")
def _cup(tmp_path):
    """Writes a contest of some bots, and lays files beside it."""

    def cup(bots: list[str | tuple[str, str]], *files: str) -> Path:
        for name in files:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(BOT if path.suffix == ".py" else "")
        listed = [
            f"'{bot}'" if isinstance(bot, str) else f"{{bot = '{bot[0]}', name = '{bot[1]}'}}"
            for bot in bots
        ]
        file = tmp_path / "cup.toml"
        file.write_text(f"bots = ['builtin:random', {', '.join(listed)}]\n", encoding="utf-8")
        return file

    return cup


def entered(file: Path) -> list[tuple[str, str]]:
    return [(bot.name, bot.bot) for bot in resolve(file).bots[1:]]


def refused(file: Path) -> str:
    with pytest.raises(ConfigError) as error:
        resolve(file)
    with speaking("fr"):
        assert not english_words(str(error.value))
    return str(error.value)


def test_each_folder_that_moodle_has_made_is_one_bot_with_its_other_files(cup):
    files = (f"{LUC}/bot.py", f"{LUC}/helper.py", f"{ZOE}/my tron.py", f"{ZOE}/README.md")
    file = cup(["class/*"], *(f"class/{each}" for each in files))
    assert entered(file) == [
        ("DURAND Zoé", f"class/{ZOE}/my tron.py"),
        ("Luc PETIT", f"class/{LUC}"),
    ]
    assert not [*remarks(file)]


def test_a_folder_with_several_files_of_which_none_is_its_bot_is_refused(cup):
    told = refused(cup(["class/*"], "class/luc/one.py", "class/luc/two.py"))
    assert "has none of bot.py" in told and "class/luc/one.py" in told


def test_the_folder_of_a_bot_that_is_given_by_its_own_path_is_no_other_bot(cup):
    files = ("class/luc/one.py", "class/luc/two.py", "class/zoe/bot.py")
    file = cup([("class/luc/one.py", "Luc"), "class/*"], *files)
    assert entered(file) == [("Luc", "class/luc/one.py"), ("zoe", "class/zoe")]


@pytest.mark.parametrize("name", ["Thumbs.db", "desktop.ini", "README.md", "w.JSON", "report.pdf"])
@pytest.mark.parametrize(("pattern", "folder"), [("class/*", "class"), ("class/*/*", "class/luc")])
def test_a_file_in_which_nobody_writes_a_bot_is_left_out_and_told_of(cup, name, pattern, folder):
    file = cup([pattern], f"{folder}/bot.py", f"{folder}/{name}")
    assert [bot for _, bot in entered(file)] == [f"{folder}/bot.py"]
    (told,) = remarks(file)
    assert told.startswith(f"{pattern}: ") and told.endswith(f": {folder}/{name}")
    with speaking("fr"):
        assert not english_words(next(remarks(file)).replace(name, ""))


def test_of_many_files_that_are_left_out_the_first_are_told(cup):
    file = cup(["class/*"], "class/luc.py", *(f"class/{number}.txt" for number in range(10, 30)))
    (told,) = remarks(file)
    assert told.endswith("class/19.txt, …")


@pytest.mark.parametrize("name", ["Main.java", "bot.cpp", "README"])
def test_work_that_may_be_a_bot_is_refused_and_never_left_out(cup, name):
    assert f"{name} is not a bot" in refused(cup(["class/*"], "class/luc.py", f"class/{name}"))


def test_a_pattern_that_nothing_but_documents_matches_is_refused_with_their_names(cup):
    assert "notes.txt is not a bot" in refused(cup(["class/*"], "class/notes.txt"))


@pytest.mark.parametrize("pattern", ["class/*/*", "class/*/*.py"])
@pytest.mark.parametrize(
    "files",
    [
        ("luc/bot.py", "luc/helper.py"),
        (f"{LUC}/petit.py", f"{LUC}/helper.py"),
    ],
)
def test_several_bots_of_a_folder_that_is_one_are_refused(cup, pattern, files):
    told = refused(cup([pattern], *(f"class/{each}" for each in files)))
    assert "makes several bots of the folder" in told and "Write class/*:" in told


def test_several_bots_of_a_folder_that_is_none_are_told_of(cup):
    file = cup(["class/*/*.py"], "class/a/ada.py", "class/a/bob.py", "class/b/eve.py")
    assert [name for name, _ in entered(file)] == ["ada", "bob", "eve"]
    (told,) = remarks(file)
    assert told.endswith("from one folder: class/a (ada.py, bob.py)")
    with speaking("fr"):
        assert not english_words(next(remarks(file)))


def test_a_contest_s_file_without_patterns_is_not_remarked_on(cup):
    assert not [*remarks(cup(["mine.py", ("other.py", "Other")], "mine.py", "other.py"))]
