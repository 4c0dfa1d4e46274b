"""Bots by name, and the hash of what they are made of."""

import errno
import os
from pathlib import Path

import pytest
from host.hosting import BOTS

from joute.host import BotError, BotLimits, command_for, content_hash, parse_bot
from joute.host.working import working_folder
from joute.host.zygote import package_of


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "greedy.py").write_text("def ia(game, side): return False\n")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "bot.py").write_text("def play(o, c): return 0\n")
    (tmp_path / "run").write_text("#!/bin/sh\n")
    (tmp_path / "run").chmod(0o755)
    (tmp_path / "notes.txt").write_text("not a bot\n")
    return tmp_path


def test_a_builtin_has_a_name_and_options():
    spec = parse_bot("builtin:alphabeta?seconds=0.1&threads=2")
    assert (spec.kind, spec.name, spec.hosted) == ("builtin", "alphabeta", False)
    assert spec.options == {"seconds": "0.1", "threads": "2"}


def test_a_builtin_may_be_hosted():
    spec = parse_bot("hosted:builtin:greedy")
    assert (spec.kind, spec.name, spec.hosted) == ("builtin", "greedy", True)
    assert content_hash(spec) == content_hash(parse_bot("builtin:greedy"))
    with pytest.raises(ValueError, match="no bot that a child process runs"):
        command_for(spec, BotLimits())


def test_human_is_a_person():
    assert parse_bot("human").kind == "human"


@pytest.mark.parametrize("name", ["greedy.py", "deep", "./deep/../greedy.py"])
def test_files_and_folders_are_python_bots_relative_to_the_base(folder, name):
    spec = parse_bot(name, folder)
    assert spec.kind == "python"
    assert spec.path is not None
    assert spec.path.is_absolute()
    assert ".." not in spec.path.parts
    assert spec.interface is None


@pytest.mark.parametrize("name", ["joute.toml", "helper.py"])
def test_a_pipe_in_a_bot_s_folder_is_no_file_of_it_and_nobody_waits_for_its_writer(folder, name):
    spec = parse_bot("deep", folder)
    without = content_hash(spec), package_of(spec.path), working_folder(spec)
    os.mkfifo(folder / "deep" / name)
    spec = parse_bot("deep", folder)
    assert (content_hash(spec), package_of(spec.path), working_folder(spec)) == without


def test_an_interface_may_be_forced(folder):
    spec = parse_bot("class:greedy.py", folder)
    assert (spec.kind, spec.interface, spec.path) == ("python", "class", folder / "greedy.py")


def test_an_interpreter_by_path_is_relative_to_the_base_and_by_name_is_of_the_path(folder):
    assert parse_bot("greedy.py", folder, "venv/bin/python").python == str(
        folder / "venv/bin/python"
    )
    assert parse_bot("greedy.py", folder, "python3").python == "python3"
    assert command_for(parse_bot("greedy.py", folder, "pypy3"), BotLimits())[0] == "pypy3"


def test_an_executable_file_is_a_program(folder):
    spec = parse_bot("run", folder)
    assert (spec.kind, spec.command) == ("program", (str(folder / "run"),))


def test_a_program_has_arguments_and_may_be_of_the_path(folder):
    spec = parse_bot("program:./run --level 'very high'", folder)
    assert spec.command == (str(folder / "run"), "--level", "very high")
    assert parse_bot("program:sh run", folder).command[0].endswith("/sh")
    assert parse_bot("program:sh -c 'cd deep; ./bot.sh'", folder).command[1] == "-c"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("greddy.py", ["no file or folder", "greddy.py", "did you mean 'greedy.py'?"]),
        ("greedy", ["'greedy.py'", "'builtin:greedy'"]),
        ("uct?seconds=1", ["did you mean 'builtin:uct?seconds=1'?"]),
        ("eel.py", ["eel.py (a bot is a path"]),
        ("bultin:greedy", ["'builtin:greedy'"]),
        ("class:gredy.py", ["'greedy.py'"]),
        ("", ["expected a file or folder"]),
        ("builtin:", ["expected a name after 'builtin:'"]),
        ("builtin:greedy?seconds", ["'seconds'", "key=value"]),
        ("builtin:greedy?a=1&a=2", ["twice"]),
        ("hosted:greedy.py", ["hosted:builtin:NAME"]),
        ("program:", ["expected a command"]),
        ("program:'open", ["cannot read the command"]),
        ("program:no-such-thing x", ["no program 'no-such-thing'", "nor on the PATH"]),
        ("program:sh greddy.py", ["no file or folder", "did you mean 'greedy.py'?"]),
        ("sh greedy.py", ["'greedy.py' or 'program:sh greedy.py'?"]),
        ("program:notes.txt", ["is not executable"]),
        ("notes.txt", ["notes.txt is not a bot", "expected a .py file", "a [build] table"]),
        ("class:notes.txt", ["is not a .py file, a .zip or a folder"]),
    ],
)
def test_an_error_says_what_where_what_was_expected_and_what_is_near(folder, name, words):
    with pytest.raises(BotError) as raised:
        parse_bot(name, folder)
    assert str(raised.value).startswith(f"bot {name!r}: ")
    for word in words:
        assert word in str(raised.value)


def test_a_folder_that_is_no_bot_names_the_files_in_it_that_may_be_meant(tmp_path):
    for name, mode in (("b.py", 0o644), ("notes.txt", 0o644), ("a", 0o755), ("c.zip", 0o644)):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(mode)
    (tmp_path / "lib").mkdir()
    with pytest.raises(BotError) as raised:
        parse_bot(f"class:{tmp_path}/")
    _, _, near = str(raised.value).partition("did you mean ")
    meant = [repr(f"class:{tmp_path}/{name}") for name in ("a", "b.py", "c.zip")]
    assert near == f"{' or '.join(meant)}?"


def test_a_folder_of_bots_names_them(tmp_path):
    for name in ("b", "a", "lib"):
        (tmp_path / name).mkdir()
    (tmp_path / "b" / "bot.py").write_text("")
    (tmp_path / "a" / "joute.toml").write_text("")
    (tmp_path / "server.py").write_text("")
    with pytest.raises(BotError, match=r"did you mean '\S+/a' or '\S+/b'\?$"):
        parse_bot(str(tmp_path))


def test_a_folder_that_is_not_ours_to_read_hides_nothing_else(tmp_path, monkeypatch):
    is_file = Path.is_file

    def seen(path):
        if path.parent.name == "closed":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return is_file(path)

    (tmp_path / "closed").mkdir()
    (tmp_path / "mine.py").write_text("")
    monkeypatch.setattr(Path, "is_file", seen)
    with pytest.raises(BotError, match=r"did you mean '\S+/mine.py'\?$"):
        parse_bot(str(tmp_path))


def test_a_game_is_not_taken_for_a_built_in_bot(folder):
    with pytest.raises(BotError) as raised:
        parse_bot("virus", folder)
    assert "builtin:virus" not in str(raised.value)


def test_the_hash_of_a_file_is_of_its_bytes(folder):
    before = content_hash(parse_bot("greedy.py", folder))
    (folder / "copy.py").write_bytes((folder / "greedy.py").read_bytes())
    assert content_hash(parse_bot("copy.py", folder)) == before
    (folder / "greedy.py").write_text("def ia(game, side): return [0, 0]\n")
    assert content_hash(parse_bot("greedy.py", folder)) != before
    assert len(before) == 32


def test_the_hash_of_a_folder_is_of_names_and_bytes_without_caches(folder):
    deep = folder / "deep"
    before = content_hash(parse_bot("deep", folder))
    (deep / "__pycache__").mkdir()
    (deep / "__pycache__" / "bot.pyc").write_bytes(b"compiled")
    (deep / ".hidden").write_text("of the editor")
    (deep / "contest.results").mkdir()
    (deep / "contest.results" / "lock").write_text("of a contest whose file lies beside the bot")
    assert content_hash(parse_bot("deep", folder)) == before
    (deep / "table.txt").write_text("1")
    other = content_hash(parse_bot("deep", folder))
    assert other != before
    (deep / "table.txt").rename(deep / "table2.txt")
    assert content_hash(parse_bot("deep", folder)) not in (before, other)


def test_the_hash_of_a_program_is_of_its_files_and_words(folder):
    (folder / "bot.awk").write_text("{ print }")
    spec = parse_bot("program:awk -f bot.awk fast", folder)
    before = content_hash(spec)
    assert content_hash(parse_bot("program:awk -f bot.awk slow", folder)) != before
    (folder / "bot.awk").write_text("{ exit }")
    assert content_hash(spec) != before


def test_the_hashes_of_all_kinds_differ(folder):
    names = ["builtin:greedy", "builtin:greedy?seconds=1", "human", "greedy.py", "deep", "run"]
    assert len({content_hash(parse_bot(name, folder)) for name in names}) == len(names)


def test_every_misbehaving_bot_has_a_name():
    for path in sorted(BOTS.iterdir()):
        if path.name != "__pycache__":
            assert parse_bot(path.name, BOTS).path == path
