"""The paths that a bot may read follow from what it is, and never hold somebody's home."""

import sys
from pathlib import Path

import pytest

from joute.host import BotLimits, parse_bot
from joute.host.child.tree import plan
from joute.host.sandbox import paths
from joute.host.sandbox.paths import companions


def put(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def names(found):
    return sorted(Path(each).name for each in found)


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("import helper, other as o\n", ["helper.py", "other.py"]),
        ("if 1:\n    from helper import (a,\n        b)\n", ["helper.py"]),
        ("from package.deep import x\n", ["deep.py"]),
        ("import importlib\nimportlib.import_module('package.deep')\n", ["deep.py"]),
        ("import helper\nprint 'of another Python'\n", ["helper.py"]),
        ("open('data.txt'); open('tables/one.bin')\n", []),
        ('"""\nimport helper\n"""', []),
        ("# other, helper, package and tables are words here\n", []),
        ("import os, json\nopen('.secret'); '__pycache__'\n", []),
        ("import chain\n", ["chain.py", "helper.py"]),
        ("", []),
    ],
)
def test_a_file_has_beside_it_what_it_imports_and_nothing_that_it_names(tmp_path, text, beside):
    others = ["helper.py", "other.py", "package/deep.py", "data.txt", "tables/one.bin", ".secret",
              "__pycache__/mine.pyc"]  # fmt: skip
    put(tmp_path, {**dict.fromkeys(others, ""), "chain.py": "import helper\n", "mine.py": text})
    assert names(companions(tmp_path / "mine.py")) == beside
    assert names(paths.own(tmp_path / "mine.py", ())) == sorted([*beside, "mine.py"])


def test_a_file_that_is_changed_is_looked_at_again(tmp_path):
    put(tmp_path, {"mine.py": "", "helper.py": ""})
    assert companions(tmp_path / "mine.py") == ()
    put(tmp_path, {"mine.py": "import helper\n"})
    assert names(companions(tmp_path / "mine.py")) == ["helper.py"]
    assert companions(tmp_path / "absent.py") == ()


def test_a_folder_is_a_bots_own_but_for_what_its_content_hash_leaves_out(tmp_path):
    put(tmp_path, dict.fromkeys(["bot.py", "deep/more.py", "deep/__pycache__/x.pyc"], ""))
    put(tmp_path, {"data/table": ""})
    found = paths.own(tmp_path, ())
    assert names(found) == ["bot.py", "data", "more.py"]
    assert paths.listed(tmp_path) == [str(tmp_path)]


def test_a_link_grants_nothing_of_what_it_leads_to(tmp_path):
    put(
        tmp_path, {"letters": "", "mine/bot.py": "open('letters'); open('link.txt')", "mine/.x": ""}
    )
    (tmp_path / "mine" / "link.txt").symlink_to(tmp_path / "letters")
    for own in (tmp_path / "mine", tmp_path / "mine" / "bot.py"):
        assert names(paths.own(own, ())) == ["bot.py"]


def test_a_zip_is_alone_and_its_folder_is_not_even_listed(tmp_path):
    put(tmp_path, {"bot.zip": "", "rival.zip": ""})
    assert paths.own(tmp_path / "bot.zip", ()) == [str(tmp_path / "bot.zip")]
    assert paths.listed(tmp_path / "bot.zip") == []


def test_a_bot_in_a_home_is_alone_too(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    put(tmp_path, {"bot.py": "import letters\n", "letters.py": ""})
    assert paths.own(tmp_path / "bot.py", ()) == [str(tmp_path / "bot.py")]
    assert paths.listed(tmp_path / "bot.py") == []
    found = paths.of_program(["/", str(tmp_path), "..", "/bin/sh"], tmp_path, "", ())
    assert not {"/", str(tmp_path), str(tmp_path.parent)} & set(found)


def test_a_program_has_what_belongs_to_it_and_to_the_interpreter_of_its_script(tmp_path):
    put(tmp_path, dict.fromkeys(["tool/bin/run", "tool/lib/code", "tool/private/key"], ""))
    put(tmp_path, {"mine/play.sh": f"#!{tmp_path}/tool/bin/run\n. ./table.txt\n"})
    put(tmp_path, {"mine/table.txt": "", "mine/rival.sh": "", "elsewhere": ""})
    words = ["/bin/sh", "play.sh", "x" * 5000]
    found = paths.of_program(words, tmp_path / "mine", f"relative:{tmp_path}/none", ())
    mine = [each for each in found if each.startswith(str(tmp_path))]
    expected = ["mine/play.sh", "tool/bin", "tool/bin/run", "tool/lib"]
    assert sorted(mine) == [str(tmp_path / each) for each in expected]


def test_beside_a_folder_of_programs_in_a_home_nothing_is_readable(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    put(tmp_path, dict.fromkeys(["bin/run", "conf/secret.env", "scripts/deploy.sh", "lib/x"], ""))
    put(tmp_path, dict.fromkeys(["work/bin/run", "work/conf/secret.env"], ""))
    search = f"{tmp_path}/bin:{tmp_path}/bin/:{tmp_path}/work/bin"
    for words in (["/bin/sh"], [f"{tmp_path}/bin/run"]):
        found = paths.of_program(words, tmp_path, search, ())
        mine = {each for each in found if each.startswith(str(tmp_path))}
        assert mine <= {f"{tmp_path}/{name}" for name in ("bin", "bin/run", "work/bin")}


def test_what_is_installed_out_of_sight_in_a_home_comes_with_its_programs(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    put(tmp_path, dict.fromkeys([".tool/bin/run", ".tool/lib/x", ".tool/private"], ""))
    found = paths.of_program(["/bin/sh"], tmp_path, f"{tmp_path}/.tool/bin", ())
    mine = {each for each in found if each.startswith(str(tmp_path))}
    assert mine == {f"{tmp_path}/.tool/bin", f"{tmp_path}/.tool/lib"}


def test_the_program_that_env_finds_comes_with_what_belongs_to_it(tmp_path):
    put(tmp_path, {"tool/bin/other": "", "tool/lib/x": "", "play": "#!/usr/bin/env other\n"})
    (tmp_path / "tool/bin/other").chmod(0o755)
    found = paths.of_program(["./play"], tmp_path, f"{tmp_path}/tool/bin", ())
    assert str(tmp_path / "tool/lib") in found


def test_joute_itself_is_closed_to_every_interpreter_that_would_import_it():
    package = str(Path(paths.__file__).parents[2])
    assert package in paths.of_joute(sys.executable, allowed=False)
    assert paths.of_joute(sys.executable, allowed=True) == []


def test_what_is_shown_and_what_is_covered_is_worked_out_from_above():
    shown = ["/a", "/a/b/mine", "/a/c", "/d/e"]
    closed = ["/a/b", "/a/b/x", "/d", "/z"]
    expected = [("/a", True), ("/a/b", False), ("/a/b/mine", True), ("/d/e", True)]
    assert list(plan(shown, closed)) == expected


def test_an_interpreter_is_asked_what_it_needs(tmp_path):
    other = tmp_path / "venv" / "bin" / "python"
    put(tmp_path, {"venv/lib/x": "", "venv/pyvenv.cfg": "", "venv/bin/tool": ""})
    other.symlink_to(Path(sys.executable).resolve())
    found = paths.of_interpreter(str(other))
    assert sys.base_prefix in found
    assert {str(other), str(tmp_path / "venv/lib")} <= set(found)
    assert paths.of_interpreter("/no/such/python") == ()


def test_the_path_of_this_process_is_no_part_of_its_interpreter(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = paths.of_interpreter.__wrapped__(sys.executable)
    assert sys.prefix in found
    assert str(tmp_path) not in found


def test_the_default_is_the_jail_with_nothing_extra(tmp_path):
    put(tmp_path, {"bot.py": ""})
    limits = BotLimits()
    assert (limits.network, limits.readable, limits.hidden) == (None, (), ())
    assert parse_bot("bot.py", tmp_path).folder == tmp_path


def test_every_bot_reads_the_configuration_of_runtimes_and_no_key(monkeypatch, tmp_path):
    put(tmp_path, dict.fromkeys(["ssl/openssl.cnf", "ssl/private/key", "java-17/x", "shadow"], ""))
    patterns = [each.replace("/etc", str(tmp_path)) for each in paths._CONFIGURATION]
    monkeypatch.setattr(paths, "_CONFIGURATION", patterns)
    found = set(paths.of_system.__wrapped__()) - set(paths.SYSTEM)
    assert found == {f"{tmp_path}/ssl/openssl.cnf", f"{tmp_path}/java-17"}
