"""`joute contest seal` and `draw`, and what other commands say of a sealed contest."""

import csv
import json

import pytest

pytestmark = pytest.mark.game("virus")

CONTEST = """
bots = ["mine.py", "builtin:greedy"]
[contest]
games = 2
workers = 1
[game]
size = 3
"""
BOT = "def play(observation, clock):\n    return observation['legal'][0]\n"


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(BOT)
    path = tmp_path / "cup.toml"
    path.write_text(CONTEST)
    return path


@pytest.fixture
def seal(run, file):
    """The seal of the contest, as it is printed for the blackboard."""
    outcome = run("contest", "seal", file)
    assert outcome.code == 0
    return next(
        line.removeprefix("Seal: ") for line in outcome.out.splitlines() if line.startswith("Seal:")
    )


def test_seal_prints_the_seal_with_the_bots_hashes_and_what_to_do_next(run, file, seal):
    outcome = run("contest", "seal", file)
    assert seal in outcome.out and "joute contest draw" in outcome.out
    assert [line.split()[1] for line in outcome.out.splitlines()[:2]] == ["mine", "greedy"]
    data = json.loads(run("contest", "seal", file, "--json").out)
    assert data == {"seal": {"seal": seal, "public": None, "seed": None}}


def test_a_sealed_contest_is_drawn_played_and_tells_its_seal_everywhere(run, file, seal, tmp_path):
    assert seal in run("contest", "show", file).out
    waiting = run("contest", "run", file)
    assert waiting.code == 1
    assert waiting.err == (
        f"joute: the contest is sealed ({seal}) and waits for its public value. "
        "To give it: joute contest draw FILE --value TEXT\n"
    )
    drawn = run("contest", "draw", file, "--value", "dice 4 2 6 1", "--json")
    told = json.loads(drawn.out)["seal"]
    assert (told["seal"], told["public"]) == (seal, "dice 4 2 6 1")
    line = f"Seal: {seal}; public value: dice 4 2 6 1; seed: {told['seed']}"
    assert run("contest", "draw", file, "--value", "dice 4 2 6 1").out.startswith(line)
    assert line in run("contest", "seal", file).out
    assert line in run("contest", "run", file).out
    for command in ("show", "standings"):
        assert line in run("contest", command, file).out
        assert json.loads(run("contest", command, file, "--json").out)["seal"] == told
    assert json.loads(run("contest", "run", file, "--json").out)["seal"] == told
    assert line in run("contest", "audit", file).out
    assert json.loads(run("contest", "audit", file, "--json").out)["seal"]["seal"] == seal
    exported = tmp_path / "exported"
    assert run("export", file, "--format", "jsonl", "--out", exported).code == 0
    assert json.loads((exported / "seal.jsonl").read_text()) == told
    assert run("export", file, "--format", "csv", "--out", exported).code == 0
    with (exported / "seal.csv").open(encoding="utf-8-sig") as opened:
        assert list(csv.DictReader(opened)) == [told]
    for form, place in (("html", exported), ("page", exported / "page.html")):
        assert run("export", file, "--format", form, "--out", place).code == 0
    for page in ("index.html", "page.html"):
        text = (exported / page).read_text()
        assert all(each in text for each in told.values()), page


def test_a_contest_without_a_seal_exports_none(run, file, tmp_path):
    assert run("contest", "run", file).code == 0
    for form in ("jsonl", "csv"):
        run("export", file, "--format", form, "--out", tmp_path / form)
        assert not list((tmp_path / form).glob("seal.*"))
    assert "Seal" not in run("contest", "standings", file).out


def test_what_was_changed_is_said_in_the_users_language(run, file, seal):
    (file.parent / "mine.py").write_text(BOT + "#\n")
    file.write_text(CONTEST.replace("size = 3", "size = 4").replace("games = 2", "games = 4"))
    english = run("contest", "run", file)
    assert english.code == 1
    first, *changes = english.err.splitlines()
    assert first.startswith(f"joute: the contest is not what was sealed ({seal}).")
    assert changes == [
        "  the files of mine were changed",
        "  contest.games was 2, and is 4",
        "  game.size was 3, and is 4",
        "  contest.max_games was 2, and is 4",
    ]
    french = run("--lang", "fr", "contest", "draw", file, "--value", "dés 1")
    assert french.code == 1
    assert "  les fichiers de mine ont changé\n" in french.err
    assert "  game.size était 3, c’est 4\n" in french.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("draw", "cup.toml", "--value", "dice"), "is not sealed"),
        (("draw", "cup.toml"), "--value"),
        (("seal", "nowhere.toml"), "nowhere.toml"),
    ],
)
def test_mistakes_get_a_sentence(run, file, arguments, told):
    outcome = run("contest", *arguments)
    assert outcome.code in (1, 2)
    assert told in outcome.err
    assert "Traceback" not in outcome.err


def test_a_contest_that_cannot_be_sealed_says_why(run, file):
    file.write_text(CONTEST.replace("games = 2", 'games = 2\nseed = "mine"'))
    assert "gives a seed" in run("contest", "seal", file).err
    file.write_text(CONTEST)
    (file.parent / "mine.py").write_text(f"import beside\n{BOT}")
    (file.parent / "beside.py").write_text("")
    outcome = run("contest", "seal", file)
    assert (outcome.code, "mine imports beside.py" in outcome.err) == (1, True)
    (file.parent / "mine.py").write_text(BOT)
    run("contest", "run", file)
    assert "has a seed" in run("contest", "seal", file).err


def test_what_is_shown_of_a_contest_that_was_changed_after_its_seal_says_so(
    run, file, seal, tmp_path
):
    run("contest", "draw", file, "--value", "dice 4 2 6 1")
    run("contest", "run", file)
    export = ("export", file, "--format", "csv", "--out", tmp_path / "tables")
    parts = ("plan", "show", "standings", "audit")
    commands = (*(("contest", part, file) for part in parts), export)
    assert {run(*command).err for command in commands} == {""}
    (tmp_path / "mine.py").write_text(f"{BOT}#")
    for command in commands:
        outcome = run(*command)
        assert outcome.code == 0
        assert f"the contest is not what was sealed ({seal})" in outcome.err
        assert "the files of mine were changed" in outcome.err
    french = run("contest", "standings", file, "--lang", "fr").err
    assert "le concours n’est pas ce qui a été scellé" in french
