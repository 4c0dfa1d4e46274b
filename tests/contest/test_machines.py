"""The data that travel to a worker on another machine, and the demands on a worker."""

import shutil
import sys
import zipfile
from pathlib import Path

import msgspec
import pytest

from joute.contest.config.config import resolve
from joute.contest.run.cluster.bundle import pack, unpack
from joute.contest.run.cluster.dask_pool import demand_of
from joute.contest.run.cluster.worker import complaint, differences, fingerprint, play_moved
from joute.play.game import SeatSpec
from joute.play.referee import play_game

BOT = "import helper\ndef play(observation, clock):\n    return helper.first(observation)\n"
HELPER = "def first(observation):\n    return observation['legal'][0]\n"


@pytest.fixture
def contest(tmp_path, monkeypatch):
    """A contest of a bot of two files; this machine's cache is the worker's."""
    monkeypatch.setenv("JOUTE_CACHE", str(tmp_path / "cache"))
    base = tmp_path / "contest"
    for name, text in {
        "bots/mine.py": BOT,
        "bots/helper.py": HELPER,
        "bots/other.py": "def play(observation, clock): return 1\n",
        "folder/bot.py": "def play(observation, clock): return 1\n",
        "folder/data/weights.txt": "1 2 3\n",
        "folder/.hidden": "no\n",
        "program/run.sh": "#!/bin/sh\n",
    }.items():
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (base / "program/run.sh").chmod(0o755)
    with zipfile.ZipFile(base / "packed.zip", "w") as archive:
        archive.write(base / "folder/bot.py", "bot.py")
    return base


def moved(bot, base, hidden=()):
    """A bot at a worker once its own folder has gone: the seat, and the files' names."""
    packed, bundle = pack(SeatSpec(name="mine", bot=bot, base=str(base)), hidden)
    unpack(bundle)
    unpack(bundle)  # a second worker of the same machine
    base.rename(base.with_name("gone"))
    folder = Path(packed.here().base.partition(packed.bundle)[0], packed.bundle)
    assert packed.here().content() == packed.content
    return packed.here(), sorted(
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()
    )


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    ("bot", "files"),
    [
        ("bots/mine.py", ["bots/helper.py", "bots/mine.py"]),
        ("hx2:bots/mine.py", ["bots/helper.py", "bots/mine.py"]),
        ("folder", ["folder/bot.py", "folder/data/weights.txt"]),
        ("packed.zip", ["packed.zip"]),
        ("program/run.sh", ["program/run.sh"]),
        ("program:program/run.sh --fast", ["program/run.sh"]),
        ("program:sh program/run.sh", ["program/run.sh"]),
    ],
)
def test_what_makes_a_bot_travels_and_nothing_else(contest, bot, files):
    seat, found = moved(bot, contest)
    assert found == files
    assert seat.bot == bot


def test_a_program_can_be_executed_where_it_arrives(contest):
    seat, _ = moved("program/run.sh", contest)
    assert Path(seat.base, "program/run.sh").stat().st_mode & 0o111 == 0o111


def test_a_bot_beside_the_contests_folder_keeps_its_relative_name(contest):
    base = contest.parent / "sub"
    base.mkdir()
    packed, bundle = pack(SeatSpec(name="mine", bot="../contest/packed.zip", base=str(base)), ())
    unpack(bundle)
    shutil.rmtree(contest)
    seat = packed.here()
    assert seat.bot == "../contest/packed.zip"
    assert seat.content() == packed.content


@pytest.mark.parametrize("bot", ["builtin:greedy", "{base}/bots/mine.py"])
def test_neither_built_in_bots_nor_absolute_names_travel(contest, bot):
    seat = SeatSpec(name="mine", bot=bot.format(base=contest), base=str(contest))
    packed, bundle = pack(seat, ())
    assert bundle is None
    assert packed.here() == seat


def demand(contest, *, trust=True, bots='["bots/mine.py", "builtin:greedy"]', **entry):
    """A contest, and what it demands of workers; `entry` is one more bot's."""
    text = f"bots = {bots}\n[contest]\ngames = 2\nseed = 1\n[game]\nsize = 5\n"
    (contest / "test.toml").write_text(text)
    found = resolve(contest / "test.toml")
    if entry:
        first = msgspec.structs.replace(found.bots[0], **entry)
        found = msgspec.structs.replace(found, bots=(first, *found.bots[1:]))
    return msgspec.msgpack.encode(demand_of(found, trust))


@pytest.mark.game("virus")
def test_a_worker_that_has_all_plays_what_came_to_it(contest):
    from joute.contest.run.cluster.worker import Demand
    from joute.play.game import GameSpec

    wanted = demand(contest)
    assert complaint(fingerprint(), wanted) is None
    bots = {bot.seat.name: bot for bot in msgspec.msgpack.decode(wanted, type=Demand).bots}
    seats = tuple(bot.seat for bot in bots.values())
    spec = GameSpec(game="virus", parameters={"size": 5}, bots=seats, seed="0" * 32)
    here = play_game(spec)
    contest.rename(contest.with_name("gone"))
    [there] = play_moved(None, [spec], bots)
    assert there.failure == ""
    assert there.result.identity == here.identity
    assert (there.result.points, there.result.faults) == (here.points, [])


def test_a_worker_of_another_version_is_not_even_told_what_is_wanted(contest):
    alike = {**fingerprint(), "joute": "0.0.1 0123", "python": "2.7"}
    found = complaint(alike, b"no MessagePack")
    assert found.reason == "version"
    assert found.wanted == "joute 0.0.1 0123, python 2.7"
    assert "joute 0.0.1" not in found.found
    assert differences(fingerprint(), fingerprint()) == ("", "")


@pytest.mark.game("virus")
def test_a_worker_that_isolates_less_is_not_fit_unless_bots_are_trusted(contest, monkeypatch):
    monkeypatch.setenv("JOUTE_ISOLATION", "limits")
    assert complaint(fingerprint(), demand(contest, trust=False)) == (
        "isolation",
        "limits",
        "kernel",
    )
    assert complaint(fingerprint(), demand(contest)) is None
    inline = '["builtin:random", "builtin:greedy"]'
    assert complaint(fingerprint(), demand(contest, trust=False, bots=inline)) is None
    monkeypatch.setenv("JOUTE_ISOLATION", "nonsense")
    found = complaint(fingerprint(), demand(contest, trust=False))
    assert (found.reason, found.wanted) == ("isolation", "kernel")
    assert "nonsense" in str(found.found)


@pytest.mark.game("virus")
def test_a_worker_without_an_interpreter_is_not_fit(contest):
    assert complaint(fingerprint(), demand(contest, python=sys.executable)) is None
    found = complaint(fingerprint(), demand(contest, python="/no/such/python"))
    assert found == ("python", "", "/no/such/python")


@pytest.mark.game("virus")
def test_a_worker_where_an_absolute_name_is_nothing_or_another_bot_is_not_fit(contest):
    path = contest / "bots" / "other.py"
    wanted = demand(contest, bots=f'["{path}", "builtin:greedy"]')
    assert complaint(fingerprint(), wanted) is None
    path.write_text("def play(observation, clock): return 2\n")
    found = complaint(fingerprint(), wanted)
    assert (found.reason, found.wanted.split()[0]) == ("bot", str(path))
    path.unlink()
    found = complaint(fingerprint(), wanted)
    assert (found.reason, found.wanted) == ("bot", str(path))
    assert "no file or folder" in str(found.found)
