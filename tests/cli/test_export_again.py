"""An export into the folder of an earlier one, after the contest has changed."""

import csv
import json
import shutil

import pytest
from cli.exported import played

pytestmark = pytest.mark.game("virus")

GONE = """[[bots]]
bot = "builtin:greedy?"
name = "bob"
authors = ["Bob"]
"""


@pytest.fixture
def file(tmp_path):
    return played(tmp_path)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def marks(run, file, *more):
    scale = file.parent / "marks.toml"
    return run("export", file, "--format", "grades", "--grades", scale, *more)


def without_bob(file):
    file.write_text(file.read_text("utf-8").replace(GONE, ""), encoding="utf-8")


def disqualify_ann(run, file):
    assert run("contest", "disqualify", file, "ann <script>", "--why", "copied").code == 0


def test_a_student_with_another_place_has_one_sheet(run, file):
    folder = file.parent / "class.export" / "grades"
    assert "removed" not in marks(run, file).out
    before = names(folder / "feedback")
    disqualify_ann(run, file)
    outcome = marks(run, file)
    assert outcome.out.endswith(f"removed: 3 files of an earlier export in {folder}\n")
    after = names(folder / "feedback")
    assert len(before) == len(after) == 3 and not {*before} & {*after}
    assert "removed" not in marks(run, file).out


def test_marks_of_a_contest_with_games_left_are_called_provisional(run, file):
    outcome = marks(run, file)
    assert "provisional" not in outcome.err
    file.write_text(f'{file.read_text("utf-8")}[[bots]]\nbot = "builtin:random?"\nname = "eve"\n')
    outcome = marks(run, file)
    assert "provisional: 24 games are left" in outcome.err
    for sheet in (file.parent / "class.export" / "grades" / "feedback").iterdir():
        assert "provisional: 24 games are left" in sheet.read_text("utf-8")
    assert "provisional: 24 games are left" in run("export", file, "--format", "csv").err


def test_a_row_has_the_number_that_its_game_has_in_the_lists(run, tmp_path):
    file = tmp_path / "cup.toml"
    rest = "[contest]\ngames = 2\nseed = 'cup'\nworkers = 1\n[game]\nsize = 4\n"
    for bots in (["random", "greedy"], ["alphabeta?depth=1", "random", "greedy"]):
        named = [f"builtin:{bot}" for bot in bots]
        file.write_text(f"bots = {named}\n{rest}", encoding="utf-8")
        assert run("contest", "run", file).code == 0
    assert run("export", file, "--format", "csv").code == 0
    listed = json.loads(run("records", tmp_path / "cup.results", "--last", 9, "--json").out)
    text = (tmp_path / "cup.export" / "csv" / "games.csv").read_text("utf-8-sig")
    rows = list(csv.DictReader(text.splitlines()))
    found = {row["identity"]: int(row["number"]) for row in rows}
    assert found == {each["identity"]: each["number"] for each in listed}
    assert list(found.values()) != sorted(found.values())  # they stand in another order
    assert run("export", file, "--replays").code == 0
    page = (tmp_path / "cup.export" / "html" / "replays.html").read_text("utf-8")
    newest = [each["identity"] for each in sorted(listed, key=lambda each: -each["number"])]
    assert sorted(newest, key=page.index) == newest


def test_an_old_sheet_in_another_language_goes_too(run, file):
    marks(run, file, "--lang", "fr")
    without_bob(file)
    outcome = marks(run, file)
    assert outcome.out.count("removed: 1 file of an earlier export in ") == 1
    feedback = file.parent / "class.export" / "grades" / "feedback"
    assert names(feedback) == ["01-ann-onym.md", "02-zoe-co.md"]


def test_what_no_export_made_stays_beside_the_sheets(run, file):
    marks(run, file)
    feedback = file.parent / "class.export" / "grades" / "feedback"
    elsewhere = shutil.copy(feedback / "03-bob.md", file.parent / "bob.md")
    own = {
        "04-notes.md": "# Notes\n\nAsk Bob.\n",
        "05-meeting.md": "# Another title\n\n## Faults\n\nNone.\n",
        "notes.md": "# Notes\n\n## Faults\n\nNone.\n",
        "06-bob.txt": "# Bob\n\n## Faults\n\nNone.\n",
    }
    for name, text in own.items():
        (feedback / name).write_text(text, encoding="utf-8")
    (feedback / "07-bob.md").mkdir()
    (feedback / "08-bob.md").symlink_to(elsewhere)
    assert "removed" not in marks(run, file).out
    assert {*own, "07-bob.md", "08-bob.md"} <= {*names(feedback)}


def test_the_page_of_a_bot_that_has_left_goes_in_both_languages(run, file):
    site = file.parent / "class.export" / "html"
    run("export", file)
    without_bob(file)
    outcome = run("export", file)
    assert outcome.out.endswith(f"removed: 4 files of an earlier export in {site}\n")
    for bots in (site / "bots", site / "fr" / "bots"):
        assert names(bots) == ["01-ann-script.html", "02-random.html"]


def test_pages_of_games_go_where_they_are_not_asked_for_again(run, tmp_path):
    cup = tmp_path / "cup.toml"
    cup.write_text('bots = ["builtin:greedy", "builtin:random"]\n[contest]\ngames = 2\n')
    assert run("contest", "run", cup, "--workers", "1").code == 0
    site = tmp_path / "cup.export" / "html"
    run("export", cup, "--replays")
    own = site / "replays" / f"{'0' * 32}.js"
    own.write_text("mine()\n")
    assert "removed: 6 files " in run("export", cup).out
    assert names(site / "replays") == [own.name] and names(site / "fr" / "replays") == []
    assert not (site / "replays.html").exists()


def test_an_export_in_the_other_language_leaves_one_copy_of_each_page(run, file):
    site = file.parent / "class.export" / "html"
    run("export", file)
    assert "supprimé" in run("export", file, "--lang", "fr").out
    assert [path.name for path in (site / "fr").rglob("*.html")] == []
    assert (site / "en" / "index.html").is_file()


def test_pages_that_no_export_made_stay(run, file, tmp_path):
    site = file.parent / "class.export" / "html"
    run("export", file)
    other = tmp_path / "other"
    shutil.copytree(site / "fr" / "bots", other)
    shutil.rmtree(site / "fr" / "bots")
    for own in (site / "replays.html", site / "bots" / "09-mine.html"):
        own.write_text("<!doctype html><title>Mine</title>", encoding="utf-8")
    (site / "bots" / "10-random.txt").write_text("mine", encoding="utf-8")
    (site / "en").symlink_to(other, target_is_directory=True)
    assert "removed" not in run("export", file).out
    assert (site / "replays.html").is_file() and len(names(site / "bots")) == 5
    assert len(names(other)) == 3
