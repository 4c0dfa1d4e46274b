"""Bots of the same name: each stays what it was called, and so do decisions about it hold."""

import shutil
import unicodedata
from pathlib import Path

import pytest

from joute.contest.config.config import resolve
from joute.contest.contents import contents_of
from joute.contest.decisions import decide
from joute.contest.errors import DecisionError
from joute.contest.proof.verification import verify_results
from joute.contest.report.audit import audit
from joute.contest.report.report import read_report
from joute.contest.report.summary import summary
from joute.contest.run.playing import Folder
from joute.contest.run.runner import run_contest
from joute.contest.sealing import broken_seal
from joute.store.model import DISQUALIFIED, REINSTATED, WITHDRAWN
from joute.store.store import Store
from joute.web.contests.snapshot import taken

pytestmark = pytest.mark.game("virus")

BOT = "def play(observation, clock):\n    return observation['legal'][%d]  # %s\n"
RULES = "[contest]\ngames = 2\nworkers = 1\n[game]\nsize = 4\n"
CUP = f'bots = ["in/*", "builtin:greedy"]\n{RULES}'
INNOCENT, CHEAT, LATE = (
    f"Jean Martin_{number}_assignsubmission_file" for number in (1235, 1777, 1)
)


def hand_in(folder: Path, who: str, choice: int = 0, word: str = "") -> None:
    (folder / who).mkdir(parents=True, exist_ok=True)
    (folder / who / "bot.py").write_text(BOT % (choice, word or who))


def bot(path: Path, word: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(BOT % (0, word))
    return path.name


def cup(folder: Path, text: str) -> Path:
    (folder / "c.toml").write_text(text)
    return folder / "c.toml"


def names(file: Path) -> dict[str, str]:
    """The name of each bot that lies in a file, by its path."""
    return {
        each.bot: each.name for each in resolve(file).bots if not each.bot.startswith("builtin:")
    }


def begin(file: Path) -> None:
    """Have the contest of a file in force, without a game."""
    contest = resolve(file)
    with Folder(Path(contest.folder)) as folder:
        folder.keep_configuration(contest, "seed")


def put_mark(file: Path, name: str, kind: str = DISQUALIFIED) -> None:
    begin(file)
    decide(resolve(file), kind, name, "copied", "me")


def out_of(file: Path) -> dict[str, str]:
    """The decision about each bot that has one, by the bot's path."""
    found = {
        line.name: line.decision.kind for line in summary(resolve(file)).table if line.decision
    }
    return {path: found[name] for path, name in names(file).items() if name in found}


@pytest.fixture(name="two")
def _two(tmp_path) -> Path:
    """A contest between two of one name and a built-in bot; one of the two is disqualified."""
    for who in (INNOCENT, CHEAT):
        hand_in(tmp_path / "in", who)
    file = cup(tmp_path, CUP)
    run_contest(resolve(file), trust=True)
    decide(resolve(file), DISQUALIFIED, "Jean Martin 2", "1777 copied", "me")
    return file


def test_a_late_entry_moves_no_disqualification_to_another_bot(two):
    hand_in(two.parent / "in", LATE)
    run_contest(resolve(two), trust=True)
    assert names(two) == {
        f"in/{LATE}": "Jean Martin 3",
        f"in/{INNOCENT}": "Jean Martin",
        f"in/{CHEAT}": "Jean Martin 2",
    }
    assert out_of(two) == {f"in/{CHEAT}": DISQUALIFIED}
    found = summary(resolve(two))
    assert (found.left, found.kept) == (0, 6 + 4)
    assert verify_results(two.with_suffix(".results")).differences == []


def test_a_student_who_hands_in_again_elsewhere_keeps_its_name(two):
    hand_in(two.parent / "again", LATE)
    hand_in(two.parent / "again", INNOCENT)
    hand_in(two.parent / "again", CHEAT, -1, "better")
    file = cup(two.parent, CUP.replace("in/", "again/"))
    assert names(file)[f"again/{CHEAT}"] == "Jean Martin 2"
    run_contest(resolve(file), trust=True)
    assert out_of(file) == {f"again/{CHEAT}": DISQUALIFIED}


def test_nobody_takes_the_name_of_a_bot_that_is_out_and_has_gone(two):
    shutil.rmtree(two.parent / "in" / CHEAT)
    hand_in(two.parent / "in", LATE)
    assert names(two)[f"in/{LATE}"] == "Jean Martin 3"
    run_contest(resolve(two), trust=True)
    assert out_of(two) == {}
    hand_in(two.parent / "in", CHEAT)
    run_contest(resolve(two), trust=True)
    assert out_of(two) == {f"in/{CHEAT}": DISQUALIFIED}


def test_nor_the_only_name_of_such_a_student(tmp_path):
    hand_in(tmp_path / "in", CHEAT)
    put_mark(file := cup(tmp_path, CUP), "Jean Martin")
    shutil.rmtree(tmp_path / "in" / CHEAT)
    hand_in(tmp_path / "in", LATE)
    assert list(names(file).values()) == ["Jean Martin 2"]


def test_a_file_of_the_same_name_in_the_place_of_one_that_is_out_is_taken_for_it(tmp_path):
    bot(tmp_path / "before" / "ada.py", "old")
    put_mark(cup(tmp_path, f'bots = ["before/*.py", "builtin:greedy"]\n{RULES}'), "ada")
    shutil.rmtree(tmp_path / "before")
    bot(tmp_path / "after" / "ada.py", "new")
    file = cup(tmp_path, f'bots = ["after/*.py", "builtin:greedy"]\n{RULES}')
    assert out_of(file) == {"after/ada.py": DISQUALIFIED}


def test_bots_that_give_themselves_one_name_keep_their_numbers(tmp_path):
    def own(folder, name="Deep"):
        bot(tmp_path / "in" / folder / "bot.py", folder)
        (tmp_path / "in" / folder / "joute.toml").write_text(f'name = "{name}"\n')

    own("b")
    own("c")
    begin(file := cup(tmp_path, CUP))
    own("a")
    assert [each.name for each in resolve(file).bots[:3]] == ["Deep 3", "Deep", "Deep 2"]
    own("c", "Deeper")
    assert [each.name for each in resolve(file).bots[:3]] == ["Deep 3", "Deep", "Deeper"]


def test_a_bot_of_two_entries_keeps_both_names(tmp_path):
    bot(tmp_path / "x.py", "x")
    entry = '{ bot = "x.py", memory_mb = 64 }'
    begin(cup(tmp_path, f'bots = ["x.py", {entry}]\n{RULES}'))
    found = resolve(cup(tmp_path, f'bots = ["builtin:random", "x.py", {entry}]\n{RULES}'))
    told = [(each.name, each.memory_mb) for each in found.bots]
    assert told == [("random", None), ("x", None), ("x 2", 64)]


def test_who_has_lost_the_name_of_the_file_is_called_as_usual(tmp_path):
    bot(tmp_path / "x.py", "x")
    begin(cup(tmp_path, f'bots = [{{ bot = "x.py", name = "Deep" }}, "builtin:greedy"]\n{RULES}'))
    assert names(cup(tmp_path, f'bots = ["x.py", "builtin:greedy"]\n{RULES}')) == {"x.py": "x"}


def test_the_name_that_a_bot_has_now_belongs_to_no_other_that_had_it_before(tmp_path):
    bots = [bot(tmp_path / each / "ada.py", each) for each in ("a", "b")]
    assert bots == ["ada.py", "ada.py"]
    for folder in "ab":
        begin(cup(tmp_path, f'bots = ["{folder}/*.py", "builtin:greedy"]\n{RULES}'))
    file = cup(tmp_path, f'bots = ["a/ada.py", "b/ada.py", "builtin:greedy"]\n{RULES}')
    assert names(file) == {"a/ada.py": "a", "b/ada.py": "ada"}


@pytest.mark.parametrize("older", ["Jose\u0301", "é" * 60])
def test_who_played_under_a_name_as_older_versions_made_it_keeps_it(tmp_path, monkeypatch, older):
    path = older if len(older) < 60 else older + "-the-rest"
    bot(tmp_path / f"{path}.py", "x")
    text = f'bots = ["{path}.py", "builtin:greedy"]\n{RULES}'
    contest = resolve(cup(tmp_path, text))
    assert contest.bots[0].name != older
    begin(cup(tmp_path, text.replace(f'"{path}.py"', f'{{ bot = "{path}.py", name = "{older}" }}')))
    assert resolve(cup(tmp_path, text)).bots[0].name == older


def test_a_damaged_configuration_gives_no_names(tmp_path):
    bot(tmp_path / "x.py", "x")
    file = cup(tmp_path, f'bots = ["x.py", "builtin:greedy"]\n{RULES}')
    folder = Path(resolve(file).folder)
    folder.mkdir()
    with Store.in_file(folder / "contest.sqlite") as store:
        store.keep_configuration('{"bots": [1, {"bot": 1}, {"bot": "x.py"}]}', "seed")
    assert names(file) == {"x.py": "x"}


# --- What the file itself calls by another name ------------------------------------------------


def renamed(tmp_path: Path) -> Path:
    """A contest whose file gives the name of a bot that is out to another."""
    for name in ("a", "b"):
        bot(tmp_path / f"{name}.py", name)
    put_mark(cup(tmp_path, f'bots = ["a.py", "b.py", "builtin:greedy"]\n{RULES}'), "a")
    other = '{ bot = "a.py", name = "c" }, { bot = "b.py", name = "a" }'
    return cup(tmp_path, f'bots = [{other}, "builtin:greedy"]\n{RULES}')


def from_the_web(contest):
    with Store.in_file(Path(contest.folder, "contest.sqlite")) as store:
        return taken(contest, store)


def decided_again(contest):
    return decide(contest, WITHDRAWN, "greedy", "x", "me")


ALL = [run_contest, decided_again, summary, read_report, audit, from_the_web]


@pytest.mark.parametrize("work", ALL, ids=lambda work: work.__name__)
def test_a_decision_about_a_bot_that_has_another_name_now_is_refused_everywhere(tmp_path, work):
    contest = resolve(renamed(tmp_path))
    with pytest.raises(DecisionError) as refused:
        work(contest)
    assert str(refused.value) == (
        "a is disqualified, its results are void, but the files that it had are now those of 'c': "
        "if that is the same bot, give it its name in the contest’s file, "
        'with { bot = "a.py", name = "a" } among its bots; '
        "if not, end the decision first: joute contest reinstate"
    )
    with Store.in_file(Path(contest.folder, "contest.sqlite")) as store:
        assert len(store.configurations()) == 1 and len(store.decisions()) == 1


def test_so_is_one_about_a_bot_whose_files_were_given_to_another(tmp_path):
    file = renamed(tmp_path)
    begun = cup(tmp_path, f'bots = ["a.py", "b.py", "builtin:greedy"]\n{RULES}')
    content = contents_of(resolve(begun))["a"]
    (tmp_path / "a.py").rename(tmp_path / "moved.py")
    (tmp_path / "b.py").rename(tmp_path / "a.py")
    (tmp_path / "moved.py").rename(tmp_path / "b.py")
    assert contents_of(resolve(begun))["b"] == content
    with pytest.raises(DecisionError, match="are now those of 'b'"):
        summary(resolve(file))


def test_with_what_the_refusal_says_the_contest_goes_on(tmp_path):
    file = renamed(tmp_path)
    entries = '{ bot = "a.py", name = "a" }, "b.py"'
    other = cup(tmp_path, f'bots = [{entries}, "builtin:greedy"]\n{RULES}')
    assert out_of(other) == {"a.py": DISQUALIFIED}
    renamed_again = '{ bot = "a.py", name = "c" }, { bot = "b.py", name = "a" }'
    file = cup(tmp_path, f'bots = [{renamed_again}, "builtin:greedy"]\n{RULES}')
    decide(resolve(file), REINSTATED, "a", "another name", "me")
    decide(resolve(file), DISQUALIFIED, "c", "copied", "me")
    assert out_of(file) == {"a.py": DISQUALIFIED}


def test_a_new_version_and_a_copy_of_a_bot_that_is_out_stop_nobody(tmp_path):
    for name in ("a", "b"):
        bot(tmp_path / f"{name}.py", "same")
    put_mark(file := cup(tmp_path, f'bots = ["a.py", "b.py", "builtin:greedy"]\n{RULES}'), "a")
    assert out_of(file) == {"a.py": DISQUALIFIED}
    bot(tmp_path / "a.py", "new")
    assert out_of(file) == {"a.py": DISQUALIFIED}
    (tmp_path / "a.py").unlink()
    file = cup(tmp_path, f'bots = ["b.py", "builtin:greedy"]\n{RULES}')
    assert out_of(file) == {}


def test_a_seal_tells_of_the_bots_that_were_renamed_first(tmp_path):
    assert broken_seal(resolve(renamed(tmp_path))) is None


# --- However the accents of a name are encoded -------------------------------------------------

SPELT = [unicodedata.normalize(form, "José") for form in ("NFC", "NFD")]


@pytest.mark.parametrize("typed", SPELT)
@pytest.mark.parametrize("kept", SPELT)
def test_a_bot_is_named_however_its_accents_are_encoded(tmp_path, kept, typed):
    bot(tmp_path / f"{SPELT[1]}.py", "x")
    entry = f'{{ bot = "{SPELT[1]}.py", name = "{kept}" }}'
    text = f'bots = [{entry}, "builtin:greedy", "builtin:random"]\n'
    keys = f'format = "gauntlet"\nreferences = ["{typed}"]\nreference = "{typed}"\n'
    contest = resolve(cup(tmp_path, text + RULES.replace("[game]", f"{keys}[game]")))
    assert (contest.references, contest.reference) == ((kept,), kept)
    run_contest(contest, trust=True)
    with Store.in_file(Path(contest.folder, "contest.sqlite")) as store:
        assert store.how_many([typed]) == len(store.listed([typed])) == 4
    assert decide(contest, WITHDRAWN, typed, "x", "me").decision.subject == kept
    assert decide(contest, REINSTATED, typed, "x", "me").decision.subject == kept


def test_the_same_reference_twice_is_refused(tmp_path):
    bot(tmp_path / f"{SPELT[1]}.py", "x")
    keys = f'format = "gauntlet"\nreferences = ["{SPELT[0]}", "{SPELT[1]}"]\n'
    file = cup(tmp_path, f'bots = ["{SPELT[1]}.py", "builtin:greedy"]\n[contest]\n{keys}')
    with pytest.raises(ValueError, match="different names"):
        resolve(file)
