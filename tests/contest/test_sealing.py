"""A contest is sealed before its seed is known, and held to it from then on."""

import json
import unicodedata
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from joute.contest.config.config import resolve
from joute.contest.config.contest import Contest
from joute.contest.decisions import contest_at, decide
from joute.contest.errors import FolderError, SealError
from joute.contest.report.audit import audit
from joute.contest.report.report import read_report
from joute.contest.report.standings import seal_facts
from joute.contest.run.runner import run_contest
from joute.contest.schedule.schedule import set_seed
from joute.contest.seal import ALPHABET, read_seal, read_value, seal_of, sealed_seed
from joute.contest.sealing import draw_seed, seal_contest, with_seal
from joute.store.model import ANNULLED
from joute.store.store import Store

pytestmark = pytest.mark.game("virus")

PLAIN = """
bots = ["mine.py", "builtin:random", { bot = "builtin:greedy", name = "third" }]
[contest]
games = 2
workers = 1
[game]
size = 3
"""
BOT = "def play(observation, clock):\n    return observation['legal'][0]\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "cup.toml").write_text(PLAIN)
    (tmp_path / "mine.py").write_text(BOT)
    return tmp_path


def cup(folder: Path, old: str = "", new: str = "") -> Contest:
    """The contest of the folder, with a text of its file replaced by another."""
    file = folder / "cup.toml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    return resolve(file)


def refused(work, *arguments) -> SealError:
    with pytest.raises(SealError) as caught:
        work(*arguments)
    return caught.value


def changes(error: SealError) -> list[tuple[str, str]]:
    return [(each.kind, each.what) for each in error.changes]


def configurations(contest: Contest) -> list[dict]:
    with Store.in_file(Path(contest.folder, "contest.sqlite")) as store:
        return [json.loads(each) for each in store.configurations()]


def rewritten(contest: Contest, change) -> None:
    """Seals a contest, and changes the configuration that is kept of it."""
    seal_contest(contest)
    before = configurations(contest)[-1]
    change(before)
    with Store.in_file(Path(contest.folder, "contest.sqlite")) as store:
        store.keep_configuration(json.dumps(before), "")


def test_a_seal_is_short_and_the_same_for_the_same_bots_and_rules(folder):
    found = seal_contest(cup(folder)).seal
    assert len(found) == 19 and found[4::5] == "---"
    assert seal_contest(cup(folder)).seal == found


def test_a_seal_does_not_depend_on_where_the_contest_lies_or_how_fast_it_is_played(
    folder, tmp_path_factory
):
    found = seal_contest(cup(folder)).seal
    other = tmp_path_factory.mktemp("elsewhere")
    (other / "mine.py").write_text(BOT)
    text = PLAIN.replace(
        "workers = 1", 'workers = 3\nminutes = 5\nname = "Coupe"\nfolder = "there"'
    )
    (other / "cup.toml").write_text(text)
    assert seal_contest(resolve(other / "cup.toml")).seal == found


def test_an_interpreter_below_the_contests_folder_is_sealed_by_its_path_from_there(
    folder, tmp_path_factory
):
    python = '{ bot = "mine.py", python = "venv/python" }'
    seals = []
    for place in (folder, tmp_path_factory.mktemp("elsewhere")):
        (place / "venv").mkdir()
        (place / "venv" / "python").symlink_to("/bin/true")
        (place / "mine.py").write_text(BOT)
        (place / "cup.toml").write_text(PLAIN.replace('"mine.py"', python))
        seals.append(seal_contest(resolve(place / "cup.toml")).seal)
    assert seals[0] == seals[1]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"builtin:random"', '"builtin:greedy"', [("removed", "random"), ("added", "greedy")]),
        ('"builtin:random", ', "", [("removed", "random")]),
        ('"builtin:random"', '"builtin:random", "builtin:alphabeta"', [("added", "alphabeta")]),
        ('"mine.py", "builtin:random"', '"builtin:random", "mine.py"', [("order", "")]),
        ('name = "third"', 'name = "third", memory_mb = 64', [("memory", "third")]),
        ('"builtin:greedy", name', '"builtin:greedy?a=1", name', [("content", "third")]),
        ('"mine.py"', '{ bot = "mine.py", python = "python3" }', [("python", "mine")]),
        ("games = 2", "games = 4", [("key", "contest.games"), ("key", "contest.max_games")]),
        ("games = 2", 'games = 2\nranking = "paradise"', [("key", "contest.ranking")]),
        ("games = 2", 'games = 2\nseed = "mine"', [("key", "contest.seed")]),
        ("size = 3", "size = 4", [("key", "game.size")]),
        ("size = 3", "size = 3\n[limits]\nmove_seconds = 9", [("key", "limits.move_seconds")]),
        ("size = 3", 'size = 3\n[faults]\ncrash = "game"', [("key", "faults")]),
        ("size = 3", "size = 3\n[faults]\nmax_restarts = 1", [("key", "faults.max_restarts")]),
        ("size = 3", 'size = 3\n[submission]\nrequired = ["*"]', [("key", "submission")]),
    ],
)
def test_what_was_changed_since_the_seal_is_named_when_the_seed_is_to_be_drawn(
    folder, monkeypatch, old, new, expected
):
    seal_contest(cup(folder))
    if "builtin:greedy?" in new:  # which has no such option; its name is all that counts here
        monkeypatch.setattr("joute.play.seats.check_bot", lambda bot, game: None)
    assert changes(refused(draw_seed, cup(folder, old, new), "dice 1 2 3")) == expected


def test_changed_files_of_a_bot_are_named_when_the_contest_is_to_be_played(folder):
    seal_contest(cup(folder))
    draw_seed(cup(folder), "dice 1 2 3")
    (folder / "mine.py").write_text(BOT + "#\n")
    error = refused(run_contest, cup(folder))
    assert (error.reason, changes(error)) == ("changed", [("content", "mine")])
    (folder / "mine.py").write_text(BOT)
    assert run_contest(cup(folder), trust=True).left == 0


def test_rules_of_another_version_are_named(folder, monkeypatch):
    seal_contest(cup(folder))
    monkeypatch.setattr("joute.contest.sealing.SCHEME", 99)
    assert changes(refused(draw_seed, cup(folder), "dice")) == [("versions", "")]


def test_a_contest_whose_file_gives_a_seed_cannot_be_sealed(folder):
    contest = cup(folder, "games = 2", 'games = 2\nseed = "mine"')
    assert refused(seal_contest, contest).reason == "seeded"


def test_a_contest_that_has_a_seed_in_its_folder_cannot_be_sealed(folder):
    run_contest(cup(folder), trust=True)
    assert refused(seal_contest, cup(folder)).reason == "played"


def test_a_contest_can_be_sealed_anew_until_it_has_its_value(folder):
    first = seal_contest(cup(folder)).seal
    (folder / "mine.py").write_text(BOT + "#\n")
    second = seal_contest(cup(folder)).seal
    assert first != second
    draw_seed(cup(folder), "dice 1 2 3")
    assert seal_contest(cup(folder)).seal == second
    (folder / "mine.py").write_text(BOT)
    assert refused(seal_contest, cup(folder)).reason == "drawn"
    sealed = [each["seal"]["seal"] for each in configurations(cup(folder))]
    assert sealed == [first, second, second]


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ("import beside\n", '"mine.py"'),
        ("from beside import best\n", '"program:python3 mine.py"'),
    ],
)
def test_a_bot_of_several_files_is_sealed_as_a_folder_only(folder, lines, name):
    (folder / "mine.py").write_text(lines + BOT)
    (folder / "beside.py").write_text("best = 1\n")
    error = refused(seal_contest, cup(folder, '"mine.py"', name))
    assert (error.reason, error.values["files"]) == ("beside", "beside.py")
    own = folder / "mine"
    own.mkdir()
    for file in ("mine.py", "beside.py"):
        (folder / file).rename(own / ("bot.py" if file == "mine.py" else file))
    assert seal_contest(cup(folder, name, '"mine"')).contents["mine"]


def test_a_sealed_contest_is_not_played_before_its_value_is_given(folder):
    contest = cup(folder)
    seal = seal_contest(contest).seal
    error = refused(run_contest, contest)
    assert (error.reason, error.values["seal"]) == ("waiting", seal)


def test_a_contest_that_is_not_sealed_takes_no_value(folder):
    assert refused(draw_seed, cup(folder), "dice").reason == "unsealed"
    run_contest(cup(folder), trust=True)
    assert refused(draw_seed, cup(folder), "dice").reason == "unsealed"


@pytest.mark.parametrize("value", ["", "  \n", "two\nlines", "x" * 201, "bell\a"])
def test_a_value_is_one_line_that_is_not_empty(folder, value):
    seal_contest(cup(folder))
    assert refused(draw_seed, cup(folder), value).reason == "value"


def test_a_value_is_given_once_and_the_same_again_changes_nothing(folder):
    seal_contest(cup(folder))
    first = draw_seed(cup(folder), " dés 4 2 6 ")
    assert draw_seed(cup(folder), unicodedata.normalize("NFD", "dés 4 2 6")) == first
    error = refused(draw_seed, cup(folder), "dés 4 2 5")
    assert (error.reason, error.values["value"]) == ("other_value", "dés 4 2 6")
    assert len(configurations(cup(folder))) == 2


def test_the_seed_of_every_game_comes_from_the_seal_and_the_value(folder):
    seal, seed = None, None
    seal_contest(cup(folder))
    seal, seed = draw_seed(cup(folder), "dice 1 2 3")
    assert seed == sealed_seed(seal.seal, "dice 1 2 3")
    assert seed != sealed_seed(seal.seal, "dice 1 2 4")
    run_contest(cup(folder), trust=True)
    with Store.in_file(folder / "cup.results" / "contest.sqlite") as store:
        ends = [json.loads(record.splitlines()[-1]) for _, record in store.records()]
    pairs = [("mine", "random"), ("mine", "third"), ("random", "third")]
    assert {end["seed"] for end in ends} == {set_seed(seed, pair, 0) for pair in pairs}


def test_seal_value_and_seed_are_told_wherever_the_contest_is(folder):
    seal_contest(cup(folder))
    seal, seed = draw_seed(cup(folder), "dice 1 2 3")
    run_contest(cup(folder), trust=True)
    expected = {"seal": seal.seal, "public": "dice 1 2 3", "seed": seed}
    results = folder / "cup.results"
    assert json.loads((results / "standings.json").read_text())["seal"] == expected
    for word in expected.values():
        assert word in (results / "standings.txt").read_text()
    assert seal_facts(with_seal(cup(folder))) == expected
    assert seal_facts(read_report(cup(folder)).contest) == expected
    found = audit(contest_at(results))
    assert (found.seal, found.seed, found.seeds) == (seal, seed, [seed])


def test_decisions_about_a_sealed_contest_leave_its_seal(folder):
    seal_contest(cup(folder))
    draw_seed(cup(folder), "dice 1 2 3")
    run_contest(cup(folder), trust=True)
    game = read_report(cup(folder)).games[0].identity
    for contest in (cup(folder), contest_at(folder / "cup.results")):
        decide(contest, ANNULLED, game, "the machine was busy")
        told = json.loads((folder / "cup.results" / "standings.json").read_text())
        assert told["seal"]["public"] == "dice 1 2 3"
    assert run_contest(cup(folder), trust=True).played == 0


def test_nothing_is_decided_about_a_sealed_contest_that_was_changed(folder):
    seal_contest(cup(folder))
    draw_seed(cup(folder), "dice 1 2 3")
    run_contest(cup(folder), trust=True)
    game = read_report(cup(folder)).games[0].identity
    (folder / "mine.py").write_text(BOT + "#\n")
    assert refused(decide, cup(folder), ANNULLED, game, "why").reason == "changed"
    with Store.in_file(folder / "cup.results" / "contest.sqlite") as store:
        assert store.decisions() == []


def test_what_decides_nothing_may_change_after_the_seal(folder):
    seal = seal_contest(cup(folder))
    draw_seed(cup(folder), "dice 1 2 3")
    run_contest(cup(folder, "workers = 1", 'workers = 2\nname = "Coupe"'), trust=True)
    last = configurations(cup(folder))[-1]
    assert (last["name"], last["workers"]) == ("Coupe", 2)
    assert msgspec.convert(last["seal"], type(seal)).seal == seal.seal


def test_a_sealed_contest_of_before_a_new_key_goes_on(folder):
    """A configuration that was kept by an older Joute has not all keys that ours has."""
    contest = cup(folder)
    rewritten(contest, lambda found: found.pop("seeding"))  # as if it had come with this version
    draw_seed(contest, "dice 1 2 3")
    run_contest(contest, trust=True)
    last = configurations(contest)[-1]
    assert "seeding" not in last
    assert last["seal"]["public"] == "dice 1 2 3"


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (
            lambda found: found.pop("max_restarts"),
            "the configuration that was sealed cannot be read",
        ),
        (lambda found: found["seal"].pop("seal"), "its seal cannot be read"),
    ],
)
def test_a_seal_that_cannot_be_read_is_told(folder, broken, told):
    rewritten(cup(folder), broken)
    with pytest.raises(FolderError, match=told):
        draw_seed(cup(folder), "dice 1 2 3")


def test_a_contest_without_a_seal_is_as_before(folder):
    run_contest(cup(folder), trust=True)
    assert seal_facts(with_seal(cup(folder))) == {}
    assert "seal" not in json.loads((folder / "cup.results" / "standings.json").read_text())
    assert configurations(cup(folder))[-1]["seal"] is None


@given(st.text(ALPHABET, min_size=16, max_size=16))
def test_a_seal_is_read_however_it_is_typed(digits):
    written = "-".join(digits[at : at + 4] for at in range(0, 16, 4))
    assert read_seal(written) == written
    assert read_seal(digits.lower().replace("0", "o").replace("1", "l")) == written
    assert read_seal(f" {' '.join(written)} ".replace("1", "I")) == written


@pytest.mark.parametrize("text", ["", "ABCD", "7XXC-S7FY-0M3E-WYKU", "7XXC-S7FY-0M3E-WYKAA"])
def test_what_is_no_seal_is_refused(text):
    with pytest.raises(ValueError, match="is no seal"):
        read_seal(text)


def test_the_seal_of_these_terms_is_this_one():
    """A golden value: seals on blackboards stay what they are."""
    assert seal_of({"format": 1, "b": [1, None, "é"]}) == "QBPR-YKS5-D5JH-H0MW"
    assert sealed_seed("7XXC-S7FY-0M3E-WYKA", read_value(" dés 4 2 6 1")) == (
        "12bf4cae729f2782509e108e12639365"
    )
