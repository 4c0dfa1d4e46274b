"""The places, imports and interfaces of Python bots."""

import ast
import zipfile
from pathlib import Path

import pytest
from host.hosting import EASY, play_message, start_message
from host.jailing import JAILED, need_level
from msgspec.structs import replace

import joute.host.child
from joute.core import registry
from joute.host import BotError, Fault, Level, parse_bot
from joute.host.adapters import adapter_files, adapters
from joute.host.child import interfaces as child
from joute.host.working import working_folder
from joute.play.seats import check_bot

SHOUT = """
from joute.core.card import Card

CARD = Card(name="shout", rules="", adapters={"shouting": ".adapter"})
"""
ADAPTER = """
from joute.host.child.errors import IllegalAnswer

ORDER = 60
WANTED = "def shout(seen)"


def found(module, forced):
    return hasattr(module, "shout")


class Adapter:
    def __init__(self, module, start):
        self.shout = module.shout

    def play(self, message):
        return {"action": self.shout(message["observation"])}

    def end(self, message):
        pass
"""

CHILD = Path(joute.host.child.__file__).parent

PLAY = "import helper\ndef play(observation, clock):\n    return helper.choose(observation)\n"
HELPER = "def choose(observation):\n    return observation['legal'][-1]\n"


def put(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def pack(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)


def answers(hosts, tmp_path, name):
    return hosts.started(name, base=tmp_path).ask(play_message()).action == 100


@pytest.mark.parametrize("entry", ["bot.py", "main.py", "agent.py", "__init__.py"])
def test_a_folder_is_entered_by_its_file_and_imports_its_siblings(hosts, tmp_path, entry):
    put(tmp_path / "mine", {entry: PLAY, "helper.py": HELPER})
    assert answers(hosts, tmp_path, "mine")


def test_a_folder_may_be_a_package(hosts, tmp_path):
    text = "from . import helper\n" + PLAY.split("\n", 1)[1]
    put(tmp_path / "mine", {"__init__.py": text, "helper.py": HELPER})
    assert answers(hosts, tmp_path, "mine")


@pytest.mark.parametrize("entry", ["bot.py", "main.py", "agent.py", "__init__.py"])
@pytest.mark.parametrize("top", ["", "mine/"])
def test_a_zip_is_entered_at_its_root_or_in_its_only_folder(hosts, tmp_path, entry, top):
    pack(
        tmp_path / "mine.zip",
        {top + entry: PLAY, top + "helper.py": HELPER, "__MACOSX/._bot.py": "?"},
    )
    assert answers(hosts, tmp_path, "mine.zip")


def test_a_build_is_read_from_a_file_that_begins_with_a_byte_order_mark(tmp_path):
    text = '\ufeff[build]\r\ncommand = "make"\r\n'
    put(tmp_path / "mine", {"joute.toml": text})
    pack(tmp_path / "mine.zip", {"joute.toml": text})
    for name in ("mine", "mine.zip"):
        assert parse_bot(name, tmp_path).order.command == "make"


def test_a_folder_whose_own_file_cannot_be_read_is_told_why(tmp_path):
    put(tmp_path / "mine", {"joute.toml": '[build\ncommand = "make"\n'})
    with pytest.raises(BotError, match=r"its .*joute\.toml is wrong: .*line 1"):
        parse_bot("mine", tmp_path)


def test_a_folder_of_sources_whose_toml_is_too_long_is_told_so(tmp_path):
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "joute.toml").write_text(f"# {'x' * 5000}\n[build]\ncommand = 'make'\n")
    with pytest.raises(BotError, match=r"joute\.toml is wrong: has more than 4096 characters"):
        parse_bot(str(tmp_path))


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"other.py": PLAY}, "none of bot.py, main.py, agent.py, __init__.py in "),
        ({"a/bot.py": PLAY, "b/bot.py": PLAY}, "nor in a single folder at its top"),
    ],
)
def test_a_zip_without_a_bot_says_what_was_looked_for(hosts, tmp_path, files, words):
    pack(tmp_path / "mine.zip", files)
    answer = hosts.bot("mine.zip", base=tmp_path).start(start_message())
    assert answer.fault is Fault.START_UP
    assert words in answer.detail


def test_a_file_that_is_no_zip_says_so(hosts, tmp_path):
    (tmp_path / "mine.zip").write_bytes(b"PK but nothing else")
    answer = hosts.bot("mine.zip", base=tmp_path).start(start_message())
    assert answer.detail == f"not a zip file: {tmp_path / 'mine.zip'}"


@pytest.mark.parametrize("name", ["2e-essai.v1.py", "random.py", "serve.py", "json.py"])
def test_a_file_may_have_any_name(hosts, tmp_path, name):
    put(tmp_path, {name: "import random\nimport helper\nrandom.Random\n" + PLAY})
    put(tmp_path, {"helper.py": HELPER, "adapters.py": "1/0", "errors.py": "1/0"})
    assert answers(hosts, tmp_path, name)


def test_a_bot_works_in_its_own_folder(hosts, tmp_path):
    put(tmp_path / "mine", {"bot.py": "def play(o, c):\n    return open('advice.txt').read()\n"})
    put(tmp_path / "mine", {"advice.txt": "g4"})
    assert hosts.started("mine", base=tmp_path).ask(play_message()).action == "g4"


FROM_ABOVE = """
import json
from agent.helper import pick
from agent import late

with open("agent/advice.json") as file:
    ADVICE = json.load(file)


def play(observation, clock):
    return pick(ADVICE) + late.ONE + open("agent/more.txt").read()
"""
BELOW = {
    "helper.py": "def pick(advice):\n    return advice['cell']\n",
    "late.py": "ONE = ''\n",
    "advice.json": '{"cell": "g"}',
    "more.txt": "4",
}
LEVELS = [Level.NONE, Level.LIMITS, *JAILED]


@pytest.mark.parametrize("level", LEVELS, ids=str)
@pytest.mark.parametrize("package", [{}, {"__init__.py": ""}], ids=["folder", "package"])
def test_a_bot_that_names_its_folder_works_in_the_one_above(hosts, tmp_path, level, package):
    need_level(level)
    put(tmp_path / "agent", {"agent.py": FROM_ABOVE, **BELOW, **package})
    bot = hosts.started("agent", replace(EASY, isolation=level), base=tmp_path)
    assert bot.ask(play_message()).action == "g4"


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_a_file_may_import_those_beside_it_by_the_name_of_its_folder(hosts, tmp_path, level):
    need_level(level)
    text = "import os\nfrom team.helper import pick\nimport team.late as late\n"
    text += "def play(o, c):\n    return pick({'cell': 'g' + late.ONE}) + str('team/' == o) \n"
    put(tmp_path / "team", {"one.py": text, **BELOW, "__init__.py": "", "team.py": "PICK = 1\n"})
    bot = hosts.started("team/one.py", replace(EASY, isolation=level), base=tmp_path)
    assert bot.ask(play_message()).action == "gFalse"


def test_a_package_of_another_name_imports_its_files_as_those_of_agent(hosts, tmp_path):
    text = "from agent.helper import pick\ndef play(o, c):\n    return pick({'cell': 'g4'})\n"
    put(tmp_path / "team", {"__init__.py": "", "agent.py": text, **BELOW})
    assert hosts.started("team", base=tmp_path).ask(play_message()).action == "g4"
    pack(tmp_path / "team.zip", {"__init__.py": "", "agent.py": text, **BELOW})
    assert hosts.started("team.zip", base=tmp_path).ask(play_message()).action == "g4"


def test_a_folder_hides_no_installed_module_of_its_name(hosts, tmp_path):
    text = "import email\ndef play(o, c):\n    return email.__name__ + str(email.__file__)[-18:]\n"
    put(tmp_path / "email", {"bot.py": text})
    answer = hosts.started("email", base=tmp_path).ask(play_message())
    assert answer.action == "email/email/__init__.py"


@pytest.mark.parametrize(
    ("text", "above"),
    [
        ("open('mine/a.txt')", True),
        ("open(f'mine/{name}')", True),
        ('open("./mine/a.txt")', True),
        ("os.path.join('mine', 'a.txt')", True),
        ("Path('mine') / 'a.txt'", True),
        ("'mine' + os.sep", True),
        ("print('mine')", False),
        ("open('a.txt')", False),
        ("open('undermine/a.txt')", False),
    ],
)
def test_the_source_tells_the_folder_where_a_bot_works(tmp_path, text, above):
    put(tmp_path / "mine", {"bot.py": "import helper\n", "helper.py": text + "\n"})
    for name in ("mine", "mine/bot.py"):
        found = working_folder(parse_bot(name, tmp_path))
        assert found == (tmp_path if above else tmp_path / "mine")


def test_a_folder_of_its_own_name_inside_keeps_a_bot_in_its_own(tmp_path):
    put(tmp_path / "mine", {"bot.py": "open('mine/a.txt')\n", "mine/a.txt": ""})
    assert working_folder(parse_bot("mine", tmp_path)) == tmp_path / "mine"
    pack(tmp_path / "mine.zip", {"bot.py": "open('mine/a.txt')\n"})
    assert working_folder(parse_bot("mine.zip", tmp_path)) == tmp_path


def test_no_compiled_files_are_left_in_a_bots_folder(hosts, tmp_path):
    put(tmp_path / "mine", {"bot.py": PLAY, "helper.py": HELPER})
    assert answers(hosts, tmp_path, "mine")
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == ["bot.py", "helper.py"]


ALL = """
class Bot:
    def play(self, observation, clock):
        return 1

def play(observation, clock):
    return 2
"""


@pytest.mark.parametrize(
    ("name", "action"),
    [("all.py", 1), ("class:all.py", 1), ("function:all.py", 2)],
)
def test_an_interface_is_found_or_forced(hosts, tmp_path, name, action):
    put(tmp_path, {"all.py": ALL})
    assert hosts.started(name, base=tmp_path).ask(play_message()).action == action


@pytest.mark.parametrize(
    ("prefix", "wanted"),
    [
        ("class:", "class Bot"),
        ("function:", "def play(observation, clock)"),
    ],
)
def test_a_file_without_the_interface_says_what_it_has(hosts, tmp_path, prefix, wanted):
    put(tmp_path, {"mine.py": "def IA(game, side):\n    return False\n"})
    answer = hosts.bot(prefix + "mine.py", base=tmp_path).start(start_message())
    assert answer.fault is Fault.START_UP
    where = tmp_path / "mine.py"
    assert answer.detail == f"no bot in {where}: it needs {wanted}, and has IA"


def test_a_file_without_any_interface_is_told_of_all(hosts, tmp_path):
    put(tmp_path, {"mine.py": "def act():\n    return False\n"})
    interfaces = sorted(child.known(adapters()).values(), key=lambda each: each.ORDER)
    answer = hosts.bot("mine.py", base=tmp_path).start(start_message())
    wanted = " | ".join(each.WANTED for each in interfaces)
    assert answer.detail.endswith(f": it needs {wanted}, and has act")


def test_a_file_without_functions_and_classes_is_told_so(hosts, tmp_path):
    put(tmp_path, {"mine.py": "a = 1\n"})
    answer = hosts.bot("class:mine.py", base=tmp_path).start(start_message())
    where = tmp_path / "mine.py"
    assert answer.detail == f"no bot in {where}, nor any function or class: it needs class Bot"


def test_the_interface_of_a_game_by_its_path_serves_its_bots(hosts, tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "_loaded", dict(registry._loaded))
    put(tmp_path / "shout", {"__init__.py": SHOUT, "adapter.py": ADAPTER})
    put(tmp_path, {"mine.py": "def shout(seen):\n    return seen['legal'][0]\n", "broken.py": "x"})
    registry.card(str(tmp_path / "shout"))
    assert hosts.started("mine.py", base=tmp_path).ask(play_message()).action == 1
    assert hosts.started("shouting:mine.py", base=tmp_path).ask(play_message()).action == 1
    put(tmp_path, {"failing.py": "def shout(seen):\n    raise ValueError('not today')\n"})
    failed = hosts.started("failing.py", base=tmp_path).ask(play_message())
    assert failed.fault is Fault.CRASH
    assert "not today" in failed.detail and "adapter.py" not in failed.detail


@pytest.mark.parametrize("spoilt", ["import nothing_of_this_name", "ORDER = 1"])
def test_an_interface_that_cannot_be_loaded_stops_no_bot_of_another(
    hosts, tmp_path, caplog, spoilt
):
    put(tmp_path / "shout", {"__init__.py": SHOUT, "adapter.py": spoilt + "\n"})
    put(tmp_path, {"mine.py": PLAY, "helper.py": HELPER})
    name = registry.card(str(tmp_path / "shout")).name
    for _ in range(2):
        assert hosts.started("mine.py", base=tmp_path).ask(play_message()).fault is None
    [warning] = caplog.messages
    assert "shouting" in warning and name in warning
    with pytest.raises(BotError, match="the interface 'shouting' cannot be loaded"):
        check_bot(parse_bot("shouting:mine.py", tmp_path), registry.make(registry.names()[0]))


def test_an_interface_that_fails_in_the_bots_process_alone_stops_no_bot_of_another(hosts, tmp_path):
    spoilt = ADAPTER + "\nimport sys\nsys.modules['joute.host.process']\n"  # the referee has it
    put(tmp_path / "shout", {"__init__.py": SHOUT, "adapter.py": spoilt})
    put(tmp_path, {"mine.py": PLAY, "helper.py": HELPER})
    registry.card(str(tmp_path / "shout"))
    assert hosts.started("mine.py", base=tmp_path).ask(play_message()).fault is None
    answer = hosts.bot("shouting:mine.py", base=tmp_path).start(start_message())
    assert answer.fault is Fault.START_UP
    assert answer.detail.startswith("the interface 'shouting' cannot be loaded: ")
    assert "joute.host.process" in answer.detail


def test_a_syntax_error_shows_the_line(hosts, tmp_path):
    put(tmp_path, {"mine.py": "def ia(game, side)\n    return False\n"})
    answer = hosts.bot("mine.py", base=tmp_path).start(start_message())
    assert answer.fault is Fault.START_UP
    assert "line 1" in answer.detail
    assert "SyntaxError: expected ':'" in answer.detail


def test_a_bot_that_has_gone_since_it_was_named_is_a_failed_start(hosts, tmp_path):
    put(tmp_path, {"mine.py": PLAY})
    bot = hosts.bot("mine.py", base=tmp_path)
    (tmp_path / "mine.py").unlink()
    answer = bot.start(start_message())
    assert answer.fault is Fault.START_UP
    assert answer.detail == f"no such file or folder: {tmp_path / 'mine.py'}"


def test_a_folder_without_a_bot_is_refused_by_name(tmp_path):
    put(tmp_path / "mine", {"other.py": PLAY})
    with pytest.raises(BotError, match=r"has none of bot.py, main.py, agent.py, __init__.py"):
        parse_bot("mine", tmp_path)


def test_a_folder_of_sources_without_a_build_is_told_where_a_build_is_written(tmp_path):
    put(tmp_path / "mine", {"bot.c": "int main(void) { return 0; }", "Makefile": ""})
    with pytest.raises(BotError, match=r"nor a joute\.toml with a \[build\] table"):
        parse_bot("mine", tmp_path)


@pytest.mark.parametrize(
    "path",
    [*sorted(CHILD.glob("*.py")), *map(Path, adapter_files().values())],
    ids=lambda path: path.name,
)
def test_the_child_is_written_for_python_3_8(path):
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 8))


def test_a_play_that_is_a_coroutine_is_told_the_same_in_each_turn_and_with_no_line_of_ours(hosts):
    bot = hosts.source("async def play(observation, clock):\n    return 1\n", EASY)
    answers = [bot.ask(play_message()) for _ in range(2)]
    assert {each.fault for each in answers} == {Fault.ILLEGAL}
    assert all(each.detail.startswith("play answered <coroutine object play>:") for each in answers)
    assert [each.output for each in answers] == ["", ""]
