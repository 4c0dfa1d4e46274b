"""Presentations of bots: where they are read, what they may hold, and that they change no game."""

import json
import zipfile
from pathlib import Path

import pytest
from contest import fakes

from joute.contest.config.config import origins, resolve
from joute.contest.errors import ConfigError
from joute.contest.run.plan import Plan
from joute.contest.run.runner import run_contest

pytestmark = pytest.mark.game("virus")

PLAY = "def play(observation, clock):\n    return observation['legal'][0]\n"
OWN = 'name = "Alpha"\nauthors = ["Ada", "Alan"]\ndescription = """Looks\nahead."""\n'


def cup(folder: Path, own: str | None = None, *keys: str, kind="folder"):
    """A contest of a bot of our own and another; `keys` are of its entry in the file."""
    if kind == "zip":
        with zipfile.ZipFile(folder / "mine.zip", "w") as archive:
            archive.writestr("team/bot.py", PLAY)
            archive.writestr("team/joute.toml", own or "")
    else:
        (folder / "mine").mkdir(exist_ok=True)
        (folder / "mine" / "bot.py").write_text(PLAY)
        if own is not None:
            (folder / "mine" / "joute.toml").write_text(own)
    bot = "mine.zip" if kind == "zip" else "mine"
    lines = [f'bot = "{bot}"', *keys, "[[bots]]", 'bot = "builtin:random"']
    path = folder / "cup.toml"
    path.write_text("[contest]\ngames = 2\nseed = 1\nworkers = 1\n[[bots]]\n" + "\n".join(lines))
    return resolve(path)


def test_the_contest_s_file_says_who_wrote_a_bot_and_what_it_does(tmp_path):
    contest = cup(tmp_path, None, 'authors = ["Grace"]', 'description = "By heart."')
    assert (contest.bots[0].authors, contest.bots[0].description) == (("Grace",), "By heart.")
    assert (contest.bots[1].authors, contest.bots[1].description) == ((), "")


@pytest.mark.parametrize("kind", ["folder", "zip"])
def test_a_bot_s_own_file_says_it_too_and_the_contest_s_goes_first(tmp_path, kind):
    bot = cup(tmp_path, OWN, kind=kind).bots[0]
    assert (bot.name, bot.authors) == ("Alpha", ("Ada", "Alan"))
    assert bot.description == "Looks ahead."
    bot = cup(tmp_path, OWN, 'name = "Beta"', 'authors = ["Grace"]', kind=kind).bots[0]
    assert (bot.name, bot.authors, bot.description) == ("Beta", ("Grace",), "Looks ahead.")
    found = {each.key: each.origin for each in origins(tmp_path / "cup.toml")}
    assert found["bots[1].name"] == found["bots[1].authors"] == "file"
    assert found["bots[1].description"] == "bot"
    assert found["bots[2].description"] == "default"


def test_two_bots_that_call_themselves_the_same_are_told_apart(tmp_path):
    cup(tmp_path, OWN)
    (tmp_path / "cup.toml").write_text('bots = ["mine", "mine"]')
    assert [bot.name for bot in resolve(tmp_path / "cup.toml").bots] == ["Alpha", "Alpha 2"]


def test_a_presentation_changes_no_game(tmp_path):
    due = Plan(cup(tmp_path), "seed", {}).due
    before = {task.identity for task in due}
    bare = cup(tmp_path, None, 'description = "It has one."', 'authors = ["Ada"]')
    assert {task.identity for task in Plan(bare, "seed", {}).due} == before
    named = cup(tmp_path, OWN, 'name = "mine"')
    assert {task.identity for task in Plan(named, "seed", {}).due} == before


def test_the_results_hold_it(tmp_path):
    contest = cup(tmp_path, OWN)
    run_contest(contest, play=fakes.quick, workers=1)
    written = json.loads(Path(contest.folder, "standings.json").read_text())
    assert written["bots"][0] == {
        "name": "Alpha",
        "authors": ["Ada", "Alan"],
        "description": "Looks ahead.",
    }
    text = Path(contest.folder, "standings.txt").read_text()
    assert "\nAlpha, by Ada, Alan: Looks ahead.\n\nproof of 3 rows: " in text


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("name = 3", "expected a string that is not empty"),
        ("name = '" + "x" * 61 + "'", "at most 60 printable characters"),
        ("authors = 'Ada'", "expected a list of at most 20 names"),
        ("authors = [3]", "expected a string that is not empty"),
        ('authors = ["\\u001b[2J"]', "at most 60 printable characters"),
        ('description = "\\u001b[2J"', "at most 1000 printable characters"),
        ("autors = ['Ada']", "did you mean 'authors'?"),
        ("authors = [", "is not valid TOML"),
    ],
)
def test_a_wrong_presentation_is_refused_with_its_file(tmp_path, own, said):
    with pytest.raises(ConfigError) as error:
        cup(tmp_path, own)
    assert said in str(error.value)
    assert str(tmp_path / "mine" / "joute.toml") in str(error.value)


def test_a_presentation_that_is_no_text_or_in_no_zip_is_refused(tmp_path):
    cup(tmp_path)
    (tmp_path / "mine" / "joute.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(ConfigError, match="is not UTF-8 text"):
        resolve(tmp_path / "cup.toml")
    (tmp_path / "broken.zip").write_bytes(b"PK")
    (tmp_path / "cup.toml").write_text('bots = ["broken.zip", "builtin:random"]')
    with pytest.raises(ConfigError, match="is not a zip file"):
        resolve(tmp_path / "cup.toml")
