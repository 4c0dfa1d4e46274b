"""Compiled code on disk: never shared between classes of one name, never stale, never in the way.

The games here are written to files by the tests, since what happens to those files is the matter.
"""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba.core.caching import IndexDataCacheFile
from numba.core.dispatcher import Dispatcher

import joute
from joute.core.arrays import copy, popcount
from joute.core.compiled import KernelError, kernel
from joute.core.interface import operation, start
from joute.core.kernel_cache import cache_key
from joute.core.random import generator
from joute.files import cache_folder
from joute.search.playouts import playout_work, playouts

# A game of one ply: the only player to act takes `WORTH`. Its fields are those of any other `Same`.
MODULE = """
from typing import NamedTuple

import numpy as np

from joute.core.interface import OVER, Properties, implements


class Same(NamedTuple):
    size: int = 3


@implements(Same)
def properties(game):
    return Properties(
        "same", 2, False, False, False, True, 1, 1, 0, {words}, -9.0, 9.0, 1
    )


@implements(Same)
def start(game):
    return np.zeros({words}, np.int64)


@implements(Same)
def mover(game, state):
    return OVER if state[{words} - 1] else 0


@implements(Same)
def legal(game, state, out):
    out[0] = 0
    return 1


@implements(Same)
def play(game, state, action):
    for word in range({words}):
        if state[word] == 0:
            state[word] = 1
            break


@implements(Same)
def returns(game, state, out):
    out[0] = {worth}.0 * game.size
    out[1] = -out[0]
"""

# Prints the plies and player 0's total of two playouts of each module named.
SCRIPT = """
import importlib
import sys

from joute.core.interface import operation, start
from joute.core.random import generator
from joute.search.playouts import playout_work, playouts

for name in sys.argv[1:]:
    game = importlib.import_module(name).Same()
    room = playout_work(game)
    plies = playouts(game, start(game), 2, generator(1), room)
    print(name, plies, room.total[0])
"""


def write(folder, name, words, worth):
    path = folder / f"{name}.py"
    path.write_text(MODULE.format(words=words, worth=worth), "utf-8")
    return path


def run(folder, *names, path=""):
    """The output of the script in a process of its own, whose cache is `folder`/cache.

    `path` is searched for modules first.
    """
    # Sources of one size written within a second must not be taken for each other's bytecode.
    ended = subprocess.run(
        [sys.executable, "-B", "-W", "error", "-c", SCRIPT, *names],
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": f"{path}:{folder}",
            "JOUTE_CACHE": str(folder / "cache"),
        },
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.splitlines()


def compiled_files(folder):
    """The compiled kernels in a cache, with the time each was written."""
    return {path: path.stat().st_mtime_ns for path in (folder / "cache").rglob("*.nbc")}


@pytest.fixture
def modules(tmp_path, monkeypatch):
    """Two modules with a class `Same` each, of other rules; their folder can be imported from."""
    write(tmp_path, "same_first", words=2, worth=1)
    write(tmp_path, "same_second", words=5, worth=2)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("JOUTE_CACHE", str(tmp_path / "cache"))
    yield tmp_path
    for name in ("same_first", "same_second"):
        sys.modules.pop(name, None)


def test_two_games_of_one_name_and_fields_never_share_compiled_code(modules):
    found = []
    for name in ("same_first", "same_second"):
        game = importlib.import_module(name).Same()
        room = playout_work(game)
        plies = playouts(game, start(game), 2, generator(1), room)
        found.append((plies, room.total.tolist()))
    assert found == [(4, [6.0, -6.0]), (10, [12.0, -12.0])]


def test_a_kernel_asks_the_compiler_once_for_each_of_two_games_of_one_name(modules, monkeypatch):
    asked, find = [], Dispatcher.compile
    monkeypatch.setattr(
        Dispatcher, "compile", lambda self, types: asked.append(types) or find(self, types)
    )
    games = [importlib.import_module(name).Same() for name in ("same_first", "same_second")]
    rooms = [playout_work(game) for game in games]
    for game, room in zip(games, rooms, strict=True):
        playouts(game, start(game), 2, generator(1), room)
    assert len(asked) >= 2
    asked.clear()
    for _ in range(3):
        for game, room in zip(games, rooms, strict=True):
            playouts(game, start(game), 2, generator(1), room)
    assert asked == []
    assert [room.total[0] for room in rooms] == [6.0, 12.0]


def test_a_second_class_of_a_name_is_compiled_for_every_type_of_its_arguments(modules):
    @kernel
    def total(game, numbers):
        found = 0.0
        for number in numbers:
            found += number * game.size
        return found

    for name in ("same_first", "same_second"):
        game = importlib.import_module(name).Same()
        for kind in (np.int64, np.int8, np.float32):
            assert total(game, np.array([1, 2], kind)) == 9.0
        assert total(game, np.arange(6)[::2]) == 18.0
        assert total.bound(game, np.arange(3))(game, np.arange(3)) == 9.0


def test_two_processes_that_compile_at_a_time_never_take_each_other_s_code(modules, monkeypatch):
    def first(game, numbers):
        return numbers[0] * game.size

    game = importlib.import_module("same_first").Same()
    whole, parts = np.array([2]), np.array([2.5])
    one, other = kernel(first), kernel(first)  # as two processes have it
    late, write_index, write_code = (
        [],
        IndexDataCacheFile._save_index,
        IndexDataCacheFile._save_data,
    )

    def interrupted(files, index):
        if not late:  # `one` has read the index: now `other` compiles for other types, slowly
            late.append(files)
            monkeypatch.setattr(
                IndexDataCacheFile, "_save_data", lambda *written: late.append(written)
            )
            other(game, parts)
            monkeypatch.setattr(IndexDataCacheFile, "_save_data", write_code)
        write_index(files, index)

    monkeypatch.setattr(IndexDataCacheFile, "_save_index", interrupted)
    one(game, whole)
    for written in late[1:]:
        write_code(*written)
    third = kernel(first)
    assert (third(game, whole), third(game, parts)) == (6, 7.5)


@pytest.mark.full
def test_nor_across_processes_and_each_is_compiled_once(modules):
    first, second = "same_first 4 6.0", "same_second 10 12.0"
    assert run(modules, "same_first", "same_second") == [first, second]
    kept = compiled_files(modules)
    assert len(kept) == 2
    assert run(modules, "same_second", "same_first") == [second, first]
    assert compiled_files(modules) == kept


@pytest.mark.full
def test_what_was_compiled_serves_wherever_the_same_joute_is_installed(modules):
    told = run(modules, "same_first")
    kept = compiled_files(modules)
    elsewhere = modules / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "joute").symlink_to(Path(joute.__file__).parent)
    assert run(modules, "same_first", path=elsewhere) == told
    assert compiled_files(modules) == kept


@pytest.mark.full
def test_an_edited_rules_file_leaves_no_stale_result(modules):
    assert run(modules, "same_first") == ["same_first 4 6.0"]
    path = modules / "same_first.py"
    facts = path.stat()
    write(modules, "same_first", words=2, worth=7)
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))  # not even its date tells
    assert path.stat().st_size == facts.st_size
    assert run(modules, "same_first") == ["same_first 4 42.0"]


@pytest.mark.full
def test_a_deleted_module_breaks_no_other_game(modules):
    assert len(run(modules, "same_first", "same_second")) == 2
    (modules / "same_first.py").unlink()
    assert run(modules, "same_second") == ["same_second 10 12.0"]


def test_a_class_that_no_other_process_could_import_is_not_kept(modules):
    game_class = importlib.import_module("same_first").Same
    assert cache_key((game_class,)) is not None
    game_class.__qualname__ = "function.<locals>.Same"
    assert cache_key((game_class,)) is None


def test_the_cache_is_where_the_environment_says(monkeypatch, tmp_path):
    monkeypatch.setenv("JOUTE_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("JOUTE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "shared"))
    assert cache_folder() == tmp_path / "shared" / "joute"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "joute"


def test_a_kernel_keeps_the_plain_function_it_was_made_from():
    def double(game):
        return 2 * game.size

    made = kernel(double)
    assert made.function is double
    assert made.__name__ == "double"


def test_states_of_two_types_are_never_copied_as_bytes():
    @kernel
    def copied(target, source):
        copy(target, source)

    source, target = np.arange(3, dtype=np.int16), np.zeros(3, np.int16)
    copied(target, source)
    assert target.tolist() == [0, 1, 2]
    with pytest.raises(KernelError, match="from an array of int16 to one of uint8"):
        copied(np.zeros(3, np.uint8), source)


@kernel
def bits(game, word):
    return popcount(word)


@pytest.mark.parametrize("word", [0, 1, -1, -(1 << 63), (1 << 63) - 1, -6])
def test_the_bits_of_a_word_are_counted_alike_in_plain_python(word):
    assert popcount(word) == bits(None, np.int64(word))


def test_two_operations_cannot_have_one_name():
    def play(game, state, action):
        return None

    with pytest.raises(ValueError, match=r"play is an operation of joute\.core\.interface"):
        operation(play)
