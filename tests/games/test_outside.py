"""Games from outside: of a file or folder, and of a package that is installed beside Joute."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from cli.apart import command, environment
from games.examples import ConnectFour
from games.odd_one_out import OddOneOut
from games.outside import EXAMPLES, HERE, KINDS, install, needing, told_in
from helpers import games_forgotten, install_game, some

from joute.bots.ladder import levels
from joute.cli.main import main
from joute.contest.config.config import rules
from joute.core import registry
from joute.core.errors import GameError
from joute.i18n.words import speaking
from joute.play.chance import derive
from joute.play.game import GameSpec, SeatSpec
from joute.play.referee import play_game
from joute.web.replays.recorded import read_recorded, sent

FOUR = EXAMPLES / "connect_four.py"


@pytest.fixture
def four(tmp_path):
    """A copy of Connect Four in a folder of its own."""
    folder = tmp_path / "games"
    folder.mkdir()
    return Path(folder / "four.py").write_bytes(FOUR.read_bytes()) and folder / "four.py"


CONTEST = """
bots = ["builtin:random", "builtin:greedy"]
[contest]
games = 2
[game]
name = "games/four.py"
"""


def played(tmp_path):
    (tmp_path / "c.toml").write_text(CONTEST)
    code, told = told_in(tmp_path, "contest", "run", "c.toml")
    assert code == 0, told
    return tmp_path / "c.results"


def test_a_contest_of_a_file_is_played_shown_and_proved_from_anywhere(tmp_path, four):
    results = played(tmp_path)
    for words in (("contest", "standings", tmp_path / "c.toml"), ("verify", results)):
        code, told = told_in("/", *words)
        assert code == 0, told


def test_contests_of_two_files_are_run_one_after_the_other_in_one_process(tmp_path, four):
    (tmp_path / "games" / "other.py").write_bytes((EXAMPLES / "othello.py").read_bytes())
    for file in ("four", "other"):
        (tmp_path / f"{file}.toml").write_text(CONTEST.replace("four", file))
        assert main(["contest", "run", str(tmp_path / f"{file}.toml")]) == 0
        assert main(["verify", str(tmp_path / f"{file}.results")]) == 0


def test_a_contest_is_not_proved_by_other_rules(tmp_path, four):
    results = played(tmp_path)
    four.write_text(four.read_text().replace("COLUMNS, ROWS = 7, 6", "COLUMNS, ROWS = 7, 5"))
    code, told = told_in(tmp_path, "verify", results)
    assert code == 1
    assert "connect-four" in told
    assert "0 records are true, 0 differ, 2 were not checked" in told
    four.unlink()
    code, told = told_in(tmp_path, "verify", results, "--json")
    assert code == 1
    assert {(each["ok"], each["checked"]) for each in json.loads(told)} == {(False, False)}


def test_a_record_is_proved_where_its_rules_are_given(tmp_path, four):
    seats = tuple(SeatSpec(name=name, bot="builtin:random") for name in ("ann", "bob"))
    spec = GameSpec(game=registry.named(str(four)), bots=seats, seed=derive("outside", 1))
    record = tmp_path / "game.jsonl"
    record.write_bytes(play_game(spec).record)
    os.environ[registry.VARIABLE] = ""
    code, told = told_in("/", "verify", record)
    assert code == 1
    assert f"not checked {record}: the rules of" in told and "give them with --game PATH" in told
    assert told.endswith("0 records are true, 0 differ, 1 was not checked\n")
    code, told = told_in("/", "verify", record, "--game", four)
    assert code == 0, told
    (tmp_path / "mine.py").write_text(FIRST)
    code, told = told_in("/", "profile", tmp_path / "mine.py", record)
    assert code == 1
    assert "the rules of 'connect-four' are not at hand" in told and "--game PATH" in told


FIRST = "def play(observation, clock):\n    return observation['legal'][0]\n"
RAISES = "def play(observation, clock):\n    raise RuntimeError('no idea')\n"


@pytest.mark.full
def test_the_commands_that_are_printed_for_a_game_of_a_file_work_as_they_stand(tmp_path, four):
    (tmp_path / "failing.py").write_text(RAISES)
    (tmp_path / "c.toml").write_text(CONTEST.replace("builtin:greedy", "failing.py"))
    kept = ("--records", "kept")
    for words, at in (
        (("match", "games/four.py", "failing.py", "builtin:random", *kept), "--at"),
        (("play", "games/four.py", *["builtin:random"] * 2, "--plain", "--record", "a.jsonl"), ""),
        (("contest", "run", "c.toml"), "--at"),
        (("records", "c.results"), ""),
    ):
        code, told = told_in(tmp_path, *words)
        assert code == 0, told
        printed = next(line for line in told.splitlines() if "joute replay " in line)
        assert at in printed
        assert ("--game games/four.py" in printed) == (words[0] in ("match", "play"))
        code, told = told_in(tmp_path, *shlex.split(printed.partition("joute ")[2]))
        assert code == 0, told
    code, told = told_in(tmp_path, "mistakes", "c.results", "--by", "builtin:random")
    assert code == 0, told
    given = ("kept", "--game", "games/four.py")
    judged = ("--by", "builtin:alphabeta?depth=2", "--least", "0", "--most-games", "1")
    (tmp_path / "first.py").write_text(FIRST)
    climb = ("ladder", "games/four.py", "failing.py", "--max-games", "4")
    for words in (("mistakes", *given, *judged), ("profile", "first.py", *given), climb):
        code, told = told_in(tmp_path, *words)
        assert code == (words is climb), told  # which is not decided
        printed = [line for line in told.splitlines() if "joute " in line]
        assert printed and all("--game games/four.py" in line for line in printed), told


def test_a_new_bot_s_files_name_a_game_of_a_path_by_the_way_from_them(tmp_path, four):
    code, told = told_in(tmp_path, "new", "bots/mine", "--game", "games/four.py")
    assert code == 0, told
    assert "joute match games/four.py bots/mine/bot.py" in told
    mine = tmp_path / "bots" / "mine"
    files = [path.read_text() for path in mine.rglob("*") if path.is_file()]
    assert not any(str(tmp_path) in text for text in files)
    assert 'name = "../../games/four.py"' in (mine / "contest.toml").read_text()
    assert "joute check bot.py --game ../../games/four.py" in (mine / "bot.py").read_text()
    code, told = told_in(mine, "games", "../../games/four.py")
    assert code == 0, told
    with games_forgotten():
        assert rules(mine / "contest.toml").game == "connect-four"


def test_the_path_of_a_game_is_never_written_as_a_bare_word(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert registry.path_from(str(tmp_path / "kuhn")) == "./kuhn"
    assert registry.path_from(str(tmp_path / "kuhn.py")) == "kuhn.py"
    assert registry.path_from(str(tmp_path), tmp_path / "mine") == "./.."
    assert registry.path_from("/elsewhere/kuhn") == "/elsewhere/kuhn"
    assert registry.called("kuhn") == "kuhn"


def test_a_page_of_a_record_of_a_file_s_game_names_the_file_for_those_who_have_it(tmp_path, four):
    seats = tuple(SeatSpec(name=name, bot="builtin:random") for name in ("ann", "bob"))
    spec = GameSpec(game=registry.named(str(four)), bots=seats, seed=derive("outside", 1))
    recorded = read_recorded(play_game(spec).record)
    assert (
        f"--game {registry.path_of(spec.game)}"
        in sent(recorded, "a.jsonl", own=True)["commands"]["see"]
    )
    assert "--game" not in sent(recorded, "a.jsonl")["commands"]["see"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1 / 0\n", "ZeroDivisionError"),
        ("x = 1\n", "expected one game"),
        (FOUR.read_text().replace('"connect-four"', '"virus"'), "the name of an installed game"),
    ],
)
def test_a_file_that_is_no_game_is_refused_with_a_sentence(tmp_path, text, told):
    path = tmp_path / "hex.py"
    path.write_text(text)
    with pytest.raises(GameError, match=told):
        registry.named(str(path))


def test_a_file_that_changed_since_it_was_imported_is_refused_until_it_is_as_before(four):
    name = registry.named(str(four))
    rules = four.read_text()
    four.write_text(rules + "\n# changed\n")
    with pytest.raises(GameError, match=f"{four} has changed since it was imported"):
        registry.named(str(four))
    assert registry.card(name).name == name, "a game that was made goes on"
    four.write_text(rules)
    assert registry.named(str(four)) == name


def test_two_files_may_not_bring_games_of_one_name(tmp_path, four):
    other = tmp_path / "other" / "four.py"
    other.parent.mkdir()
    other.write_bytes(four.read_bytes())
    name = registry.named(str(four))
    assert registry.named(str(four)) == registry.named(str(other)) == name  # of a copy
    changed = tmp_path / "changed.py"
    changed.write_text(four.read_text() + "\n# changed\n")
    with pytest.raises(GameError, match=f"{changed} calls its game .*, as {four} does"):
        registry.named(str(changed))
    assert registry.source(name).path == str(four)
    assert str(changed) not in os.environ[registry.VARIABLE]
    with speaking("fr"), pytest.raises(GameError, match="renommez"):
        registry.card(str(changed))
    four.unlink()
    assert registry.named(str(changed)) == name  # a file that was moved


def test_the_path_of_an_installed_game_stands_for_it_and_other_rules_are_refused(
    tmp_path, four, monkeypatch
):
    name = "connect-four"
    with games_forgotten():
        monkeypatch.syspath_prepend(four.parent)
        install_game(monkeypatch, name, "four")
        copy, changed = tmp_path / "four.py", tmp_path / "changed.py"
        copy.write_bytes(four.read_bytes())
        changed.write_text(four.read_text() + "\n# changed\n")
        assert registry.named(str(four)) == registry.named(str(copy)) == name
        assert registry.card(str(four)).package == registry.source(name).path == "four"
        assert registry.path_of(name) is None
        with pytest.raises(GameError, match=f"give '{name}' to play that one, install this one"):
            registry.named(str(changed))
        with speaking("fr"), pytest.raises(GameError, match="renommez-le"):
            registry.card(str(changed))
    sys.modules.pop("four")


def test_a_contest_goes_on_once_the_game_of_its_path_is_installed(tmp_path, four):
    played(tmp_path)
    offered = tmp_path / "games" / "four-1.dist-info"
    offered.mkdir()
    (offered / "entry_points.txt").write_text("[joute.games]\nconnect-four = four\n")
    (tmp_path / "c.toml").write_text(CONTEST.replace("games = 2", "games = 4"))
    known = environment(PYTHONPATH=str(four.parent))
    for words in (("contest", "run", "c.toml"), ("verify", "c.results")):
        done = subprocess.run(
            command(*words), cwd=tmp_path, env=known, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert "4 records are true" in done.stdout


def test_a_file_that_is_not_there_is_refused_with_a_sentence(tmp_path):
    with pytest.raises(GameError, match="there is no game at"):
        registry.named(str(tmp_path / "hex.py"))


def test_rules_are_told_by_their_hash_and_joute_s_own_are_not(four):
    name = registry.named(str(four))
    assert registry.source(name).path == str(four)
    assert registry.source(min(registry._installed())) is None
    other = four.with_name("other.py")
    other.write_text(four.read_text().replace("connect-four", "connect-5") + "\n# changed\n")
    assert registry.source(registry.named(str(other))).hash != registry.source(name).hash


def test_an_installed_game_that_cannot_be_imported_is_told_and_left_out(monkeypatch, tmp_path):
    (tmp_path / "broken_game.py").write_text("import nothing_of_this_name\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(registry._installed(), "broken", "broken_game")
    assert "broken" not in registry.names()
    assert "nothing_of_this_name" in registry.failed()["broken"]
    with pytest.raises(GameError, match="nothing_of_this_name"):
        registry.make("broken")


@pytest.fixture
def needy(tmp_path):
    """Games that need a parameter: one whose card offers its values, and one."""
    with games_forgotten():
        paths = needing(tmp_path, "offered", "'rounds': (4, 5)"), needing(tmp_path, "needy")
        yield [registry.named(path) for path in paths]


def test_a_parameter_without_a_default_takes_the_first_value_that_is_offered(needy):
    assert registry.make("offered").rounds == registry.defaults("offered")["rounds"] == 4
    assert registry.make("needy", rounds=3).rounds == 3
    assert (registry.needed("offered"), registry.needed("needy")) == ([], ["rounds"])
    with pytest.raises(GameError, match="needy needs parameters: rounds"):
        registry.make("needy")


NEEDED = [
    ("match needy builtin:random builtin:random builtin:random", "needs parameters: rounds"),
    ("play needy builtin:random builtin:random builtin:random", "needs parameters: rounds"),
    ("check --game needy mine.py", "needs parameters: rounds"),
    ("compare needy builtin:random builtin:greedy", "needs parameters: rounds"),
    ("new mine --game needy", "needs parameters: rounds"),
    ("strength needy", "needs parameters: rounds"),
    ("contest run needy.toml", "needs parameters: rounds"),
    ("match nameless.py builtin:random builtin:random builtin:random", "its name on a card"),
]


@pytest.mark.parametrize(("line", "told"), NEEDED)
def test_every_command_says_which_parameters_a_game_needs(
    needy, tmp_path, monkeypatch, capsys, line, told
):
    monkeypatch.chdir(tmp_path)
    rules = (HERE / "odd_one_out.py").read_text("utf-8")
    Path("nameless.py").write_text(rules.replace('"""Odd one out."""', "rounds: int"))
    Path("mine.py").write_text("def play(observation, clock):\n    return 0\n")
    Path("needy.toml").write_text(CONTEST.replace("games/four.py", "needy"))
    assert main(line.split()) == 2
    assert told in capsys.readouterr().err


def test_a_game_that_needs_parameters_is_listed_and_played_with_them(
    needy, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert main(["games"]) == 0
    assert "needed parameters   rounds" in capsys.readouterr().out
    seats = ["builtin:random"] * 3
    assert main(["match", "needy", *seats, "--games", "3", "--param", "rounds=2"]) == 0
    played = ["play", "needy", *seats, "--plain", "--param", "rounds=2", "--record", "a.jsonl"]
    assert main(played) == 0
    assert main(["replay", "a.jsonl", "--html", "a.html"]) == 0
    assert main(["verify", "a.jsonl"]) == 0


def test_the_levels_of_two_games_without_parameters_are_not_mixed_up():
    for game, searched in ((OddOneOut(), False), (ConnectFour(), True), (OddOneOut(), False)):
        assert ("alphabeta" in levels(game)) is searched


# Whatever can be done with a game, with one of each kind from outside.


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The Python of an environment with a game of a package."""
    return install(tmp_path_factory.mktemp("installed"))


@pytest.fixture(params=some(KINDS, 2), ids=lambda kind: kind.name)
def kind(request):
    """A game from outside."""
    if request.param.word == request.param.name:
        return request.param._replace(python=request.getfixturevalue("installed"))
    return request.param


@pytest.fixture
def folder(tmp_path):
    """A folder with a bot of a file, which plays the first legal action."""
    (tmp_path / "mine.py").write_text(
        "def play(observation, clock):\n    return observation['legal'][0]\n"
    )
    return tmp_path


SEARCHES = {"uct": "simulations=20", "alphabeta": "nodes=50", "ismcts": "simulations=20"}


TYPED = "".join(f"{action}\n" for action in range(65)) * 64
"""Every action in turn, by its number: what is not legal is refused and asked again."""


@pytest.mark.full
@pytest.mark.parametrize("language", some(["fr", "en"], 2))
def test_a_game_is_listed_played_at_the_terminal_replayed_and_proved(kind, folder, language):
    def told(*words, **typed):
        return kind.told(folder, *words, language=language, **typed)

    assert kind.name in told("games")
    seats = ["human:Ann", "mine.py", "builtin:random"][: kind.seats]
    seen = told("play", kind.word, *seats, "--plain", "--record", "a.jsonl", typed=TYPED)
    assert "Ann" in seen and "mine" in seen
    assert "Ann" in told("replay", "a.jsonl")
    told("replay", "a.jsonl", "--html", "a.html")
    assert "Ann" in (folder / "a.html").read_text("utf-8")
    told("verify", "a.jsonl")
    told("export", "a.jsonl", "--format", "jsonl", "-o", "records")
    assert list((folder / "records").rglob("*.jsonl"))


@pytest.mark.full
@pytest.mark.parametrize("language", some(["fr", "en"], 2))
def test_a_contest_with_bots_of_files_is_played_shown_exported_and_proved(kind, folder, language):
    bots = ["mine.py", "builtin:random", "builtin:flat?simulations=1"][: kind.seats]
    name = f"bots = {bots}\n[contest]\ngames = {kind.seats}\n[game]\nname = {kind.word!r}\n"
    (folder / "cup.toml").write_text(name)
    kind.told(folder, "contest", "run", "cup.toml")
    assert "mine" in kind.told(folder, "contest", "standings", "cup.toml", language=language)
    kind.told(folder, "export", "cup.toml", "-o", "pages", "--replays", language=language)
    assert (folder / "pages" / "index.html").is_file()
    kind.told(folder, "export", "cup.toml", "--format", "csv")
    kind.told(folder, "verify", "cup.results")


@pytest.mark.full
@pytest.mark.parametrize("search", some(SEARCHES, 2))
def test_a_game_is_searched_as_far_as_its_properties_allow(kind, folder, search):
    seats = [f"builtin:{search}?{SEARCHES[search]}", *["builtin:random"] * (kind.seats - 1)]
    words = ("match", kind.word, *seats, "--games", kind.seats)
    if search in kind.searches.split():
        kind.told(folder, *words)
    else:
        with pytest.raises(AssertionError, match=f"builtin:{search}: "):
            kind.told(folder, *words)


@pytest.mark.full
def test_the_tests_of_a_new_game_pass_where_it_is_installed(installed):
    folder = installed.parents[2] / "my-nim"
    tests = [installed, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder]
    known = environment() | {"PATH": os.environ["PATH"]}
    subprocess.run(tests, env=known, cwd=folder, check=True, capture_output=True)


@pytest.mark.full
def test_a_new_game_is_played_from_its_folder(installed):
    bots = ("builtin:uct", "builtin:alphabeta", "--move-seconds", "0.2")
    code, told = told_in(installed.parents[2], "match", "./my-nim/my_nim", *bots)
    assert code == 0, told
