"""Bots that are handed in as sources: built in the jail, once, and known by what was made."""

import hashlib
import io
import json
import os
import re
import shutil
import sys
import zipfile
from functools import partial
from pathlib import Path

import pytest
from helpers import need
from host.hosting import EASY, play_message, start_message
from host.jailing import JAILED, need_level
from host.sources import IN_C, IN_RUST, written

from joute.contest.config.sources import files_of
from joute.host import HostedBot, command_for, parse_bot
from joute.host.building import built as building
from joute.host.building import run, toolchains
from joute.host.building.order import order_of
from joute.host.building.run import BuildError, BuildLimits
from joute.host.building.sources import sources_of
from joute.host.content import content_hash
from joute.host.limits import BotLimits
from joute.host.names import BotError

SHORT = BuildLimits(seconds=0.5, memory_mb=200, room_mb=8, made_mb=2, processes=16, output_kb=4)
IN_A_GROUP = (
    "python3 -c 'import os; os.setpgid(0, 0);"
    ' os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "SECONDS")\''
)
"""Leaves a process behind in a group of its own."""


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(building, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache" / building.FOLDER


@pytest.fixture
def bot(tmp_path):
    def made(command, bot="./bot", **files):
        text = f"[build]\ncommand = {json.dumps(command)}\nbot = {json.dumps(bot)}\n"
        return written(tmp_path / "own", {"joute.toml": text, **files})

    return made


def _zipped(path: Path, folder: Path, top: str = "") -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for file in folder.iterdir():
            archive.write(file, top + file.name)
    return path


def _failed(folder: Path, limits: BuildLimits = SHORT) -> BuildError:
    with pytest.raises(BuildError) as error:
        building.built(parse_bot(str(folder)), limits)
    return error.value


def _running(word: str) -> list[str]:
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes().decode(errors="replace")
        except OSError:
            continue
        if word in words:
            found.append(words)
    return found


@pytest.mark.parametrize("files", [IN_C, IN_RUST], ids=["c", "rust"])
def test_a_bot_of_sources_is_built_and_plays(tmp_path, files):
    if files is IN_C:
        need("cc")
    elif shutil.which("rustc") is None:
        pytest.skip("no Rust here; C is built everywhere")
    spec = parse_bot(str(written(tmp_path / "own", files)))
    made = building.playable(spec)
    assert made.kind == "program" and made.text == spec.text
    assert not (tmp_path / "own" / "bot").exists()
    with HostedBot(command_for(made, EASY), EASY) as hosted:
        assert hosted.start(start_message()).fault is None
        answer = hosted.ask(play_message(legal=[7, 9]))
        assert (answer.action, answer.fault) == (7, None)


def test_the_same_sources_are_built_once_in_a_folder_or_in_a_zip(tmp_path, bot, monkeypatch):
    built = []
    real = building.run_build
    monkeypatch.setattr(building, "run_build", lambda *told: built.append(told) or real(*told))
    folder = bot("cp start.sh bot", **{"start.sh": "#!/bin/sh\nexit 0\n"})
    known = content_hash(parse_bot(str(folder)))
    assert content_hash(parse_bot(str(folder))) == known
    for top in ("", "team/"):
        zipped = _zipped(tmp_path / "bot.zip", folder, top)
        assert content_hash(parse_bot(str(zipped))) == known
    assert len(built) == 1
    (folder / "start.sh").write_text("#!/bin/sh\nexit 1\n")
    assert content_hash(parse_bot(str(folder))) != known and len(built) == 2


def test_a_bot_is_known_by_what_was_made_of_its_sources_too(bot, cache):
    folder = bot("date +%N > made.txt; cp one.sh bot", **{"one.sh": "#!/bin/sh\n"})
    first = building.built(parse_bot(str(folder)))
    assert set(first.made) == {"bot", "made.txt"}
    known = content_hash(parse_bot(str(folder)))
    shutil.rmtree(cache)
    again = building.built(parse_bot(str(folder)))
    assert again.sources == first.sources and again.artefact != first.artefact
    assert content_hash(parse_bot(str(folder))) != known


def test_what_was_compiled_elsewhere_is_no_source(bot):
    folder = bot("true", **{"a.txt": "text", "target/CACHEDIR.TAG": "", "target/x.d": "x"})
    (folder / "bot").write_bytes(b"\x7fELF of another machine")
    assert [name for name, _ in sources_of(folder)] == ["a.txt"]
    with pytest.raises(BuildError, match=r"the build made no bot.*its bot is left out, since it"):
        building.playable(parse_bot(str(folder)))


@pytest.mark.parametrize("level", JAILED)
def test_a_build_sets_permissions_and_times_of_its_own_files_and_runs_them(bot, level, monkeypatch):
    need("cc")
    need_level(level)
    monkeypatch.setattr(run, "program_command", partial(run.program_command, level=level))
    outside = "/ /dev/null /usr /proc/self/comm"
    folder = bot(
        "cc -o made bot.c && ./made && echo made; echo '#!/bin/sh' > one; "
        "echo 'echo script' >> one; chmod 750 one && ./one && install -m 755 one two && "
        "touch -d 2001-02-03 two && cp -p two three && stat -c '%a %y' two three; "
        f"chmod 4777 {outside}; touch -d 2001-02-03 {outside}; true",
        **{"bot.c": "int main(void) { return 0; }"},
    )
    lines = building.built(parse_bot(str(folder))).output.splitlines()
    assert lines[:2] == ["made", "script"]
    assert [line.split(":")[0] for line in lines[2:4]] == ["755 2001-02-03 00"] * 2
    assert sum("Read-only file system" in line for line in lines[4:]) == 8, lines


@pytest.mark.parametrize("level", JAILED)
def test_a_build_groups_its_processes_and_hears_of_their_end(bot, level, monkeypatch):
    need_level(level)
    monkeypatch.setattr(run, "program_command", partial(run.program_command, level=level))
    script = """
import os, signal
signal.signal(signal.SIGCHLD, lambda *_: os._exit(0))
os.setpgid(0, 0)
os.spawnlp(os.P_NOWAIT, "true", "true")
signal.pause()
"""
    folder = bot(
        f"{sys.executable} hear.py && cp one.sh bot", **{"hear.py": script, "one.sh": "#!"}
    )
    assert building.built(parse_bot(str(folder)), SHORT).made == ("bot",)


def test_cmake_and_ninja_build_a_bot(tmp_path):
    if shutil.which("cmake") is None or shutil.which("ninja") is None:
        pytest.skip("no CMake or no Ninja here; C is built everywhere")
    order = '[build]\ncommand = "cmake -G Ninja . && cmake --build ."\n'
    lists = "cmake_minimum_required(VERSION 3.10)\nproject(mine C)\nadd_executable(bot bot.c)\n"
    files = {"joute.toml": order, "CMakeLists.txt": lists, "bot.c": IN_C["bot.c"]}
    made = building.built(parse_bot(str(written(tmp_path / "own", files)))).made
    assert "bot" in made


def test_of_a_cache_of_the_build_only_programs_are_kept(bot):
    folder = bot(
        "mkdir -p target/release; touch target/CACHEDIR.TAG target/release/x.o; "
        "printf '#!/bin/sh' > target/release/bot; echo > y.o",
        bot="./target/release/bot",
    )
    assert set(building.built(parse_bot(str(folder))).made) == {"target/release/bot", "y.o"}


def test_what_nobody_may_read_is_left_out_of_what_a_build_makes(bot):
    folder = bot("echo '#!/bin/sh' > bot; echo x > shut; chmod 0 shut")
    assert building.built(parse_bot(str(folder))).made == ("bot",)


def test_cargo_builds_a_bot(tmp_path):
    if shutil.which("cargo") is None:
        pytest.skip("no Cargo here; C is built everywhere")
    order = '[build]\ncommand = "cargo build --release --offline"\nbot = "./target/release/mine"\n'
    package = '[package]\nname = "mine"\nversion = "0.1.0"\nedition = "2021"\n'
    files = {"joute.toml": order, "Cargo.toml": package, "src/main.rs": IN_RUST["bot.rs"]}
    made = building.playable(parse_bot(str(written(tmp_path / "own", files))))
    with HostedBot(command_for(made, EASY), EASY) as hosted:
        assert hosted.start(start_message()).fault is None


def test_cargo_builds_a_bot_with_the_packages_that_it_has_vendored(tmp_path):
    if shutil.which("cargo") is None:
        pytest.skip("no Cargo here; C is built everywhere")
    order = '[build]\ncommand = "cargo build --offline"\nbot = "./target/debug/mine"\n'
    package = '[package]\nname = "mine"\nversion = "0.1.0"\n[dependencies]\nhelp = "1"\n'
    config = '[source.crates-io]\nreplace-with = "own"\n[source.own]\ndirectory = "vendor"\n'
    license_hash = hashlib.sha256(b"free").hexdigest()
    files = {
        "joute.toml": order,
        "Cargo.toml": package,
        "src/main.rs": "fn main() { help::help() }",
        ".cargo/config.toml": config,
        "vendor/help/Cargo.toml": '[package]\nname = "help"\nversion = "1.0.0"\n',
        "vendor/help/src/lib.rs": "pub fn help() {}",
        "vendor/help/.license": "free",
        "vendor/help/.cargo-checksum.json": json.dumps({"files": {".license": license_hash}}),
    }
    made = building.built(parse_bot(str(written(tmp_path / "own", files)))).made
    assert "target/debug/mine" in made


def test_hidden_files_are_no_sources_but_those_of_vendored_packages(bot):
    files = dict.fromkeys((".git/x", ".venv/vendor/x", "a/.env", "vendor/b/.env"), "")
    folder = bot("true", **files, **{".cargo/config.toml": "", ".cargo/credentials.toml": ""})
    assert [name for name, _ in sources_of(folder)] == [".cargo/config.toml", "vendor/b/.env"]


def test_data_beside_the_program_can_be_read_by_it_and_no_other_file(bot, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("of somebody else")
    script = f'#!/bin/sh\nread line\ncat data.txt {secret} >&2\necho \'{{"type":"ready"}}\'\n'
    folder = bot(f"cat {secret}; cp start.sh bot", **{"start.sh": script, "data.txt": "own"})
    assert "of somebody else" not in building.built(parse_bot(str(folder))).output
    made = building.playable(parse_bot(str(folder)))
    limits = BotLimits(readable=(str(made.folder),))
    with HostedBot(command_for(made, limits), limits) as hosted:
        answer = hosted.start(start_message())
        assert answer.fault is None, answer
        assert "own" in answer.output and "of somebody else" not in answer.output


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("exit 3", "the command 'exit 3' ended with status 3"),
        ("nothing_of_this_name", "the program 'nothing_of_this_name' is not installed here"),
        ("./build.sh", "ended with status 127"),
        ("while :; do :; done", "a build may take 0.5 s of CPU"),
        ("dd if=/dev/zero of=big bs=1M count=20", "a build may write 8 MiB in all"),
        ("dd if=/dev/zero of=big bs=1M count=4", "it made more than 2 MiB"),
        ("for i in $(seq 1100); do echo $i > $i; done", "it made more than 1000 files"),
        (
            """python3 -c 'import socket; socket.create_connection(("127.0.0.1", 9))'""",
            "a build has no network",
        ),
        ("sleep SECONDS & exit 0", "the command left a process running"),
        (IN_A_GROUP, "the command left a process running"),
        (IN_A_GROUP + "; while :; do :; done", "a build may take 0.5 s of CPU"),
    ],
)
def test_a_build_that_goes_wrong_ends_with_its_reason_and_leaves_nothing(
    bot, cache, command, reason
):
    seconds = f"7{os.getpid():07}.89"  # that nothing else on this machine sleeps
    folder = bot(command.replace("SECONDS", seconds))
    assert reason in str(_failed(folder))
    assert [each.suffix for each in cache.iterdir()] == [".lock"]
    assert not _running(seconds)
    assert [each.name for each in folder.iterdir()] == ["joute.toml"]


def test_a_compiler_that_make_misses_is_named(bot):
    need("make")
    folder = bot("make", Makefile="bot:\n\tnocc -o bot bot.c\n")
    assert "the program 'nocc' is not installed here" in str(_failed(folder))


def test_a_build_that_was_stopped_is_told_in_whole_seconds(bot):
    told = str(_failed(bot("while :; do :; done")))
    assert re.search(r"stopped after \d+ s of CPU and \d+ s on the wall", told)


def test_a_build_that_made_far_too_much_has_only_its_own_words_in_its_output(bot):
    error = _failed(bot("echo begun; truncate -s 64M big; echo done"))
    assert "it made more than 2 MiB" in str(error)
    assert error.output == "begun\ndone\n"


def test_what_a_build_prints_is_kept_up_to_a_bound(bot):
    error = _failed(bot("echo first; seq 100000; exit 1"))
    assert error.output.startswith("first\n1\n") and error.output.endswith("bytes more")
    assert len(error.output) < 5000
    assert "| first" in str(error) and "| 11" in str(error) and "| 12" not in str(error)
    folder = bot("echo well; printf '#!/bin/sh' > bot")
    assert building.built(parse_bot(str(folder))).output == "well\n"


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ("build = 3", "must be a table"),
        ("[build]", "command of [build] must be a line"),
        ('[build]\ncommand = "make"\nbots = "x"', "has no key 'bots'; did you mean 'bot'?"),
        ('[build]\ncommand = "make"\nbot = 3', "bot of [build] must be a line"),
    ],
)
def test_a_table_that_is_wrong_is_refused_with_its_key(tmp_path, table, reason):
    folder = written(tmp_path / "own", {"joute.toml": table})
    with pytest.raises(BotError) as error:
        parse_bot(str(folder))
    assert reason in str(error.value) and "joute.toml" in str(error.value)


@pytest.mark.parametrize(
    ("name", "content"), [("joute.toml", "[build\n"), ("joute.toml", "#" * 5000), ("bot.zip", "no")]
)
def test_a_file_that_cannot_be_read_builds_nothing(tmp_path, name, content):
    folder = written(tmp_path / "own", {"bot.py": "", name: content})
    assert parse_bot(str(folder)).kind == "python"
    if name.endswith(".zip"):
        assert parse_bot(str(folder / name)).kind == "python"


def test_too_many_sources_are_refused_before_anything_runs(tmp_path, bot, monkeypatch):
    folder = bot("true", **{f"{number}.txt": "x" for number in range(5)})
    monkeypatch.setattr("joute.host.building.sources.MOST_FILES", 4)
    assert "its sources are more than 4 files" in str(_failed(folder))
    monkeypatch.setattr("joute.host.building.sources.MOST_FILES", 9)
    monkeypatch.setattr("joute.host.building.sources.MOST_BYTES", 3)
    assert "its sources are larger than" in str(_failed(folder))
    assert "its sources are larger than" in str(_failed(_zipped(tmp_path / "b.zip", folder)))


def test_a_zip_in_python_is_unpacked_once_to_a_folder_of_its_name(tmp_path, cache):
    folder = written(tmp_path / "own", {"bot.py": "open('mine/weights.txt')\n", "weights.txt": "1"})
    for top, name in (("", "mine"), ("team/", "team")):
        spec = parse_bot(str(_zipped(tmp_path / "mine.zip", folder, top)))
        known = content_hash(spec)
        found = building.playable(spec)
        assert (found.text, found.path.name, found.folder) == (spec.text, name, found.path)
        assert (found.path / "weights.txt").read_text() == "1"
        assert building.playable(spec) == found and content_hash(spec) == known
    kept = [each for each in (cache.parent / building.UNPACKED).iterdir() if each.is_dir()]
    assert len(kept) == 2


@pytest.mark.parametrize("files", [None, {"notes.txt": ""}])
def test_a_zip_that_is_no_bot_is_left_to_who_imports_it(tmp_path, files):
    path = tmp_path / "mine.zip"
    path.write_bytes(b"PK but nothing else")
    if files:
        _zipped(path, written(tmp_path / "own", files))
    spec = parse_bot(str(path))
    assert building.playable(spec) is spec


@pytest.mark.parametrize("top", ["", "team\\"])
def test_a_zip_whose_paths_have_backslashes_is_read_as_one_with_slashes(tmp_path, top):
    files = {"src\\one.sh": "#!/bin/sh\n", "src\\": "", "joute.toml": "[build]\ncommand = 'true'\n"}
    path = tmp_path / "bot.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(top + name, text)
    assert parse_bot(str(path)).order.command == "true"
    assert [name for name, _ in sources_of(path)] == ["src/one.sh"]
    assert files_of(parse_bot(str(path))).read("src/one.sh") == b"#!/bin/sh\n"


def test_names_that_lead_out_of_a_zip_are_no_sources(tmp_path):
    outside = ("../out.c", "/abs.c", "a/../../b.c", "..\\out.c", "\\abs.c", "a\\..\\..\\b.c")
    with zipfile.ZipFile(tmp_path / "bot.zip", "w") as archive:
        for name in ("bot.c", *outside, "__MACOSX/bot.c", ".git/x"):
            archive.writestr(name, "x")
    assert [name for name, _ in sources_of(tmp_path / "bot.zip")] == ["bot.c"]


@pytest.mark.parametrize(
    "stream",
    [
        b"",
        b"no head\n",
        run.MADE + b"0",
        run.MADE + b"0\n" + b"\0",
        run.MADE + b"0\n" + run.HEAD.pack(4, 0, False) + b"../x",
        run.MADE + b"0\n" + run.HEAD.pack(1, 9, False) + b"xshort",
        run.MADE + b"0\n" + run.HEAD.pack(2000, 0, False) + b"x" * 2000,
        run.MADE + b"0\n" + run.HEAD.pack(5, 0, False) + b"a\n/.b",
        run.MADE + b"0\n" + run.HEAD.pack(1, 1 << 40, False) + b"x",
    ],
)
def test_a_stream_that_no_build_of_ours_sends_is_refused(stream):
    ended = run._Ended("make", "its process ended with status 1", "")
    with pytest.raises(BuildError):
        list(run._made(io.BytesIO(stream), ended, SHORT))


def test_builds_that_nobody_has_used_for_long_are_removed(bot, cache, monkeypatch):
    folder = bot("printf '#!/bin/sh' > bot")
    old = building.built(parse_bot(str(folder)))
    (folder / "more.txt").write_text("x")
    monkeypatch.setattr(building, "_UNUSED_SECONDS", -1.0)
    new = building.built(parse_bot(str(folder)))
    assert not Path(old.folder).exists() and Path(new.folder).exists()


def test_the_compilers_that_start_are_told(monkeypatch):
    need("cc")
    tried = {"C": ("cc", "--version"), "Wrong": ("sh", "-c", "echo no; exit 3"), "None": ("nix-",)}
    found = toolchains.compilers(tried)
    assert [(each.name, bool(each.trouble)) for each in found] == [("C", False), ("Wrong", True)]
    monkeypatch.setattr(toolchains, "_said", lambda *_: "/no/folder")
    toolchains.toolchains.cache_clear()
    assert toolchains.toolchains().readable == ()
    toolchains.toolchains.cache_clear()


def test_an_order_names_what_plays():
    assert order_of({"command": "make"}) == ("make", "./bot")
    assert order_of({"command": "make", "bot": "program:java Bot"}).bot == "program:java Bot"
