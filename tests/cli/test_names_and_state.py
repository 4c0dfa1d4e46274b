"""Mistakes that cost nothing: names with accents or of other scripts, state kept between games."""

import json
import shutil

import pytest

from joute.play.record import read_record

pytestmark = pytest.mark.game("virus")

REMEMBERS = """
joués = []

def play(observation, clock):
    joués.append(observation)
    return {"action": observation["legal"][0], "message": f"tour {len(joués)}, 王"}
"""
HELPED = """
from aidé import premier

def play(observation, clock):
    return {"action": premier(observation), "message": "été 王"}
"""
SMALL = ("--games", 2, "--param", "size=3", "--workers", 1)


def test_what_a_bot_keeps_in_its_module_begins_anew_with_each_game(run, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(REMEMBERS, encoding="utf-8")
    outcome = run("match", "virus", mine, "builtin:random", *SMALL, "--records", tmp_path / "kept")
    assert outcome.code == 0, outcome.err
    records = sorted((tmp_path / "kept").rglob("*.jsonl"))
    assert len(records) == 2
    for path in records:
        record = read_record(path.read_bytes())
        seat = [bot["name"] for bot in record.header["bots"]].index("mine")
        said = [line["message"] for line in record.plies if line.get("player") == seat]
        assert said == [f"tour {number + 1}, 王" for number in range(len(said))]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("name", ["élève 王.py", "dossier 王", "zippé.zip"])
def test_a_bot_whose_names_are_not_ascii_plays(run, tmp_path, name, language):
    folder = tmp_path / "chez élève"
    folder.mkdir()
    bot = folder / name
    if bot.suffix == ".py":
        bot.write_text(REMEMBERS, encoding="utf-8")
    else:
        sources = folder / "dossier 王"
        sources.mkdir()
        (sources / "bot.py").write_text(HELPED, encoding="utf-8")
        help_text = "def premier(observation):\n    return observation['legal'][0]\n"
        (sources / "aidé.py").write_text(help_text, encoding="utf-8")
        if bot.suffix == ".zip":
            shutil.make_archive(str(bot.with_suffix("")), "zip", sources)
    checked = run("check", bot, "--game", "virus", "--skip", "determinism", "--lang", language)
    assert checked.code == 0, checked.out
    played = run("match", "virus", bot, "builtin:random", *SMALL, "--json", "--lang", language)
    told = json.loads(played.out)
    assert told["failures"] == []
    assert bot.stem in [row["name"] for row in told["standings"]]
