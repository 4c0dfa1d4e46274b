"""`joute game check`: what is wrong with a game is told in a sentence, with the author's line."""

import json
import re
import time
from pathlib import Path
from zlib import crc32

import pytest
from cli.apart import run_apart
from games.outside import EXAMPLES
from helpers import english_words, games_forgotten, some
from library.planted import MISTAKES, RULES

from joute.cli.main import main
from joute.core import registry
from joute.core.card import Card
from joute.library import checking
from joute.library.checking import Speed, check_game
from joute.play.rulebook import drawings_named

AT_ONCE = ("class", "decorated", "field", "missing", "parameters", "start", "unknown")
QUICK = [name for name, each in MISTAKES.items() if each.law in AT_ONCE]
SLOW = [name for name in MISTAKES if name not in QUICK]
COMPILED = ("compile", "compiled", "index", "outside", "range", "same", "source")
"""The laws, by the first word of their keys, that are broken where games are compiled."""


@pytest.fixture
def written(tmp_path):
    """Writes rules to a file, which is forgotten after the test."""
    with games_forgotten():

        def write(text, name="little.py"):
            path = tmp_path / name
            path.write_text(text, "utf-8")
            return path

        yield write


def told(monkeypatch, capsys, path, found, *words):
    """The output of the command for what was found."""
    monkeypatch.setattr(checking, "check_game", lambda *_: iter(found))
    assert main(["game", "check", str(path), *words]) == 1
    return capsys.readouterr().out


def in_plain_python(monkeypatch):
    """Has games checked without compiling them, which takes seconds each."""
    played = checking._RandomGames
    monkeypatch.setattr(checking, "_uncompiled", lambda *_: iter(()))
    monkeypatch.setattr(checking, "_RandomGames", lambda game, time, _: played(game, time, False))


def examine(name, written, monkeypatch, capsys):
    """Checks a game with a planted mistake, and all that is said of it."""
    planted = MISTAKES[name]
    path = written(planted.text())
    if planted.law.partition(".")[0] not in COMPILED:
        in_plain_python(monkeypatch)
    found = list(check_game(registry.made_of(str(path)), seconds=0.2))
    broken = [each for each in found if each.law.key == f"error.law.{planted.law}"]
    assert broken, [str(each.law) for each in found]
    each = broken[0]
    assert each.operation == planted.operation
    if each.operation:
        assert each.file == str(path)
        assert planted.law in told(monkeypatch, capsys, path, found, "--json")
    if planted.played:
        assert each.seed is not None
        assert len(each.texts) == len(each.actions) <= 8
    english = told(monkeypatch, capsys, path, found)
    assert str(each.law) in english
    assert (f"{path}, line {each.line}, in" in english) == bool(planted.operation)
    assert not english_words(told(monkeypatch, capsys, path, found, "--lang", "fr"))
    return each


@pytest.mark.parametrize("name", QUICK)
def test_a_mistake_that_is_seen_at_once_is_told(name, written, monkeypatch, capsys):
    examine(name, written, monkeypatch, capsys)


@pytest.mark.full
@pytest.mark.parametrize("name", some(SLOW, 2))
def test_a_planted_mistake_is_found_and_told(name, written, monkeypatch, capsys):
    planted = MISTAKES[name]
    found = examine(name, written, monkeypatch, capsys)
    if planted.law == "compile" or planted.law.startswith("source"):
        assert found.line in (planted.line(), planted.line() + 1)


@pytest.mark.full
def test_the_little_game_itself_obeys_the_laws(written, capsys):
    path = written(RULES)
    assert main(["game", "check", str(path), "--seconds", "0.2"]) == 0
    assert "little: all laws hold" in capsys.readouterr().out
    assert main(["game", "check", str(path), "--seconds", "0.2", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["broken"] == []
    assert facts["games"] > 0
    assert facts["compiled"] > 0 < facts["plain"]


def test_the_sequence_that_is_shown_is_the_shortest(written):
    rules = RULES.replace("pile: int = 5", "pile: int = 12").replace("max_plies=7", "max_plies=14")
    path = written(rules.replace('f"take {action}"', "'?' * (13 - state[PILE])"))
    [broken] = check_game(registry.made_of(str(path)), seconds=0.5)
    assert broken.law.key == "error.law.read" or broken.operation == "parse"
    assert len(broken.actions) == 2  # both cards are dealt


@pytest.mark.full
def test_a_mistake_that_is_far_away_is_shown_by_what_leads_to_it_alone(tmp_path):
    """It takes five stones in one column, and breadth alone does not come that far."""
    rules = (EXAMPLES / "connect_four.py").read_text("utf-8")
    right, wrong = (f"row[column] = not taken >> (HEIGHT * column + ROWS - {n})" for n in (1, 2))
    path = tmp_path / "five.py"
    path.write_text(rules.replace(right, wrong).replace('"connect-four"', '"five"'))
    with games_forgotten():
        [found] = check_game(registry.made_of(str(path)), 3.0)
    assert found.law.key == "error.law.mask" and found.operation == "mask"
    assert len(found.actions) == 5 and len(set(found.actions)) == 1


@pytest.mark.game("tron")
def test_a_map_is_named_where_a_game_is_looked_at(capsys):
    assert main(["game", "playthrough", "tron", "--param", "map=duel"]) == 0
    played = capsys.readouterr().out
    assert main(["game", "playthrough", "tron", "--param", "map=toris"]) == 2
    assert "torus" in capsys.readouterr().err
    for words in (["game", "check"], ["explain"]):
        assert main([*words, "tron", "--param", "map=toris"]) == 2
        assert "torus" in capsys.readouterr().err
    assert played


def test_the_rules_are_the_same_to_the_shell(written):
    """Nothing is replaced here: the whole command, in a process of its own."""
    path = written(MISTAKES["play prints"].text())
    outcome = run_apart("game", "check", path, "--seconds", "0.2", "--json")
    assert (outcome.code, outcome.err) == (1, "")
    [broken] = json.loads(outcome.out)["broken"]
    assert (broken["key"], broken["file"]) == ("source.print", str(path))


@pytest.mark.full
def test_an_endless_game_takes_no_longer_than_it_may(written, monkeypatch):
    endless = MISTAKES["a game never ends"].text().replace("max_plies=7", "max_plies=10**9")
    path = written(endless)
    began = time.process_time()
    [broken] = check_game(registry.made_of(str(path)), seconds=0.5)
    assert broken.law.key == "error.law.unended"
    assert len(broken.actions) > 7
    assert time.process_time() - began < 30  # compiling is most of it


@pytest.mark.full
def test_a_long_game_is_not_taken_for_an_endless_one(written):
    long = RULES.replace("pile: int = 5", "pile: int = 5000").replace(
        "max_plies=7", "max_plies=5002"
    )
    found = list(check_game(registry.made_of(str(written(long))), seconds=0.1))
    assert [type(each) for each in found] == [Speed]
    assert (found[0].plies > 0, found[0].games) == (True, 0)


def long_rules(returned):
    """The little game, so long that no random game of it is looked at to its end."""
    found = RULES.replace("pile: int = 5", "pile: int = 5000").replace("1.0 if lead", returned)
    return found.replace("max_plies=7", "max_plies=5002")


def test_the_end_is_looked_at_where_there_was_no_time_for_a_whole_game(written, monkeypatch):
    in_plain_python(monkeypatch)
    path = written(long_rules("2.0 if lead"))
    [broken] = check_game(registry.made_of(str(path)), seconds=0.05)
    assert (broken.law.key, broken.operation) == ("error.law.bounded", "returns")
    assert len(broken.actions) == len(broken.texts) > 100


def test_a_game_of_which_none_was_looked_at_whole_is_not_said_to_obey_all_laws(
    written, monkeypatch, capsys
):
    speed = Speed(1.0, 2.0, 0, 570)
    monkeypatch.setattr(checking, "check_game", lambda *_: iter([speed]))
    assert main(["game", "check", str(written(RULES))]) == 0
    out = capsys.readouterr().out
    assert "no law is broken in the first 570 plies" in out and "more --seconds" in out
    assert "all laws hold" not in out


UNREADABLE = [
    ("def play(:\n", "SyntaxError"),
    ("\0", "null bytes"),
    ("x = 1 / 0\n", "ZeroDivisionError: division by zero (little.py, line 1)"),
    ("import nothing_of_this_name\n", "nothing_of_this_name"),
    ("", "expected one game"),
    (RULES.replace("class Little(", "class Other(NamedTuple):\n    x: int\n\n\nclass Little("), ""),
    (RULES.replace('name="little"', "name=nothing"), "NameError: name 'nothing' is not defined"),
]


@pytest.mark.parametrize(("text", "reason"), [each for each in UNREADABLE if each[1]])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_file_that_is_no_game_is_refused_in_a_sentence(text, reason, language, written, capsys):
    path = written(text)
    assert main(["game", "check", str(path), "--lang", language]) == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    if language == "en":
        assert reason in error
    else:
        assert not english_words(error)


def checked(text, written, monkeypatch, capsys, *words):
    """The status and the output of the command for a text of rules, which are not compiled."""
    in_plain_python(monkeypatch)
    monkeypatch.setattr(checking, "compiled_speed", lambda game: 1.0)
    path = written(text, f"rules_{crc32(text.encode())}.py")  # a file that changes is refused
    with games_forgotten():
        code = main(["game", "check", str(path), "--seconds", "0.3", "--lang", "en", *words])
    return code, capsys.readouterr().out


def test_what_is_dealt_wrongly_is_told_with_the_plies_that_lead_there(written, monkeypatch, capsys):
    text = RULES.replace("1 + below(rng, 3)", "1 + below(rng, 4)")
    code, told = checked(text, written, monkeypatch, capsys)
    assert code == 1
    assert "and no play leads there\n" in told and "in determinize\n  after " in told
    assert ": card " in told and "random game" not in told


def test_a_mistake_in_a_state_that_only_the_listing_comes_to_is_told(written, monkeypatch, capsys):
    monkeypatch.setattr(checking, "misdeal", lambda game: {}["gone"])
    code, told = checked(RULES, written, monkeypatch, capsys)
    assert code == 1 and "raised KeyError" in told


def test_a_listing_that_takes_too_long_tells_nothing(written, monkeypatch, capsys):
    def slow(game):
        raise checking.Hang

    monkeypatch.setattr(checking, "misdeal", slow)
    assert checked(RULES, written, monkeypatch, capsys)[0] == 0


POINTS = """

@implements(Little)
def points(game, state, player):
    return -int(state[TAKEN + player] + state[CARDS + player])
"""


def test_points_that_the_loser_leads_in_are_noted(written, monkeypatch, capsys):
    code, told = checked(RULES + POINTS, written, monkeypatch, capsys)
    assert code == 0
    assert "\nnote: who leads in points at the end does not win in " in told
    code, told = checked(RULES + POINTS, written, monkeypatch, capsys, "--json")
    [note] = json.loads(told)["notes"]
    assert note.startswith("who leads in points")
    code, told = checked(RULES + POINTS.replace("-int", "int"), written, monkeypatch, capsys)
    assert (code, "note" in told) == (0, False)


def test_choices_at_once_that_are_never_pending_are_told_with_their_line(
    written, monkeypatch, capsys
):
    rules = (EXAMPLES.parents[1] / "tests" / "games" / "odd_one_out.py").read_text("utf-8")
    right = "return 0 if state[ROUND] == ROUNDS else _chosen(state)"
    wrong = rules.replace(right, "return 0")
    assert checked(rules, written, monkeypatch, capsys)[0] == 0
    code, told = checked(wrong, written, monkeypatch, capsys)
    assert code == 1 and "in pending\n" in told
    assert "it was 0, where simultaneous says that players choose at once" in told
    none = rules.replace("@implements(OddOneOut)\ndef pending", "def pending")
    code, told = checked(none, written, monkeypatch, capsys)
    assert code == 1 and "it was 0, where simultaneous says" in told


def test_a_file_that_is_not_there_is_refused_in_a_sentence(tmp_path, capsys):
    assert main(["game", "check", str(tmp_path / "hex.py")]) == 2
    assert "there is no game at" in capsys.readouterr().err


MAKERS = [
    ("return None", 1, "NoneType"),
    ("return Little(size)", 0, ""),
    ("return Little(pile=size + {}[0])", 2, "KeyError: 0 (__init__.py, line"),
]


@pytest.mark.parametrize(("body", "code", "reason"), MAKERS)
def test_a_maker_may_have_positional_parameters_and_gives_a_game(
    body, code, reason, tmp_path, capsys
):
    folder = tmp_path / "little"
    folder.mkdir()
    card = "CARD = Card(name='little', rules=__name__ + ':make')"
    maker = f"def make(size=5):\n    {body}\n\n\n"
    imports = "from joute.core.card import Card\n\n"
    (folder / "__init__.py").write_text(f"{RULES}\n\n{imports}{maker}{card}\n", "utf-8")
    with games_forgotten():
        assert main(["game", "check", str(folder), "--seconds", "0.2"]) == code
    outcome = capsys.readouterr()
    assert reason in outcome.out + outcome.err


@pytest.mark.parametrize("named", ["little", "little/__init__.py"])
def test_rules_that_cannot_be_imported_are_told_with_their_line(named, tmp_path, capsys):
    folder = tmp_path / "little"
    folder.mkdir()
    card = "from joute.core.card import Card\n\nCARD = Card(name='little', rules='.rules:Little')\n"
    (folder / "__init__.py").write_text(card, "utf-8")
    (folder / "rules.py").write_text("import nothing_of_this_name\n", "utf-8")
    with games_forgotten():
        assert main(["game", "check", str(tmp_path / named)]) == 2
    told = capsys.readouterr().err
    assert "No module named 'nothing_of_this_name' (rules.py, line 1)" in told


@pytest.fixture(params=["en", "fr"])
def package(tmp_path, request):
    """The folder of a game that `joute new` wrote, which is forgotten after the test."""
    with games_forgotten():
        made = ["new", str(tmp_path / "my-nim"), "--kind", "game", "--lang", request.param]
        assert main(made) == 0
        yield tmp_path / "my-nim" / "my_nim"


@pytest.mark.full
def test_a_playthrough_is_compared_with_the_rules(package, capsys):
    capsys.readouterr()
    assert main(["game", "playthrough", str(package), "--param", "heaps=2"]) == 0
    text = capsys.readouterr().out
    assert '# my-nim {"heaps": 2}' in text
    (package / "playthrough.txt").write_text(text, "utf-8")
    game = registry.made_of(str(package))
    assert [type(each) for each in check_game(game, seconds=0.1)] == [Speed]
    (package / "playthrough.txt").write_text(text.replace("legal: 1 from 0", "legal: 1 from 1"))
    [broken] = check_game(game, seconds=0.1)
    assert broken.law.key == "error.law.playthrough"
    assert text.splitlines()[broken.line - 1].startswith("legal: 1 from 0")
    (package / "playthrough.txt").write_text("# my-nim heaps 2\n")
    [broken] = check_game(game, seconds=0.1)
    assert (broken.law.key, broken.line) == ("error.law.playthrough.head", 1)


@pytest.mark.full
def test_a_drawing_of_the_rules_that_cannot_be_made_is_named_with_its_file(package, capsys):
    file = package / "rulebook" / "drawings.toml"
    good = file.read_text("utf-8")
    names = re.findall(r"(?m)^\[(\w+)\]", good)
    file.write_text(f"{good}\n[spare]\nactions = ['nowhere']\n", "utf-8")
    [broken] = check_game(registry.made_of(str(package)), seconds=0.1)
    assert (broken.law.key, broken.file) == ("error.law.drawing", str(file))
    assert file.read_text("utf-8").splitlines()[broken.line - 1] == "[spare]"
    assert "spare" in str(broken.law) and "nowhere" in str(broken.law)
    file.write_text(good.replace(f"[{names[0]}]", "[other]"), "utf-8")
    [broken] = check_game(registry.made_of(str(package)), seconds=0.1)
    text = Path(broken.file).read_text("utf-8")
    assert broken.file.endswith(".md") and f"({names[0]})" in text.splitlines()[broken.line - 1]


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    ("texts", "named"),
    [
        ({}, []),
        ({"en.md": "Rules.\n\n![A](one)\n"}, [("one", "en.md", 3)]),
        ({"drawings.toml": "\n[one]\n", "en.md": "![A](one)"}, [("one", "drawings.toml", 2)]),
        (
            {"en.md": "![A](one)", "fr.md": "\n![B](two)"},
            [("one", "en.md", 1), ("two", "fr.md", 2)],
        ),
    ],
)
def test_drawings_are_named_where_they_are_made_or_else_told(tmp_path, texts, named):
    folder = tmp_path / "rulebook"
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    brought = Card(name="virus", rules="", folder=tmp_path)
    found = [(name, Path(file).name, line) for name, file, line in drawings_named(brought)]
    assert found == named
