"""The task of a contest that is open for bots: what a participant, or anybody, is told of it."""

import html
import json
import re
import shlex
import shutil
from importlib.metadata import PackageNotFoundError

import numpy
import pytest
from web.entered import GOOD, TOML, Reception, served
from web.shown import played

from joute.cli.main import main
from joute.contest.config.config import resolve, rules
from joute.core.registry import make, names
from joute.i18n.words import speaking
from joute.play.seats import observed
from joute.play.trial_positions import drawn
from joute.web.games import settings
from joute.web.registration import packages
from joute.web.registration.task import practice_commands, task, written
from joute.web.settings import Settings

UNLISTED = TOML + "[show]\nlisted = false\n"


@pytest.fixture
def reception(serve, tmp_path):
    made = served(serve, tmp_path)
    yield made
    made.close()


def address(reception):
    return f"/contests/tasks/{reception.registration.identity}"


@pytest.mark.game("virus")
def test_everybody_finds_an_open_contest_and_reads_its_task(reception):
    stranger = reception.stranger()
    for place in ("/", "/contests"):
        assert f'href="{address(reception)}"' in stranger.get(place).text
    page = stranger.get(address(reception)).text
    assert "Small" in page and "def play(observation, clock)" in page
    assert "no network" in page.lower() and 'id="upload"' not in page and 'name="link"' in page
    reception.organise("closed")
    assert address(reception) not in stranger.get("/contests").text
    assert "Closed" in stranger.get(address(reception)).text


@pytest.mark.game("virus")
@pytest.mark.parametrize("way", ["at_once", "published"])
def test_results_that_are_public_are_linked_from_the_task_and_the_participant_s_page(
    reception, tmp_path, way
):
    ann, stranger = reception.participant("Ann"), reception.stranger()
    pages = [lambda: ann.get().text, lambda: stranger.get(address(reception)).text]
    results = reception.service.control.results(reception.registration)
    results.parent.mkdir(parents=True)
    shutil.copytree(played(tmp_path / "made"), results)
    registration = reception.registration
    for public in (False, True):
        setattr(registration, way, public)
        link = f'href="{reception.service.control.address(registration)}"'
        assert [link in page() for page in pages] == [public, public]


@pytest.mark.game("virus")
def test_a_contest_whose_game_is_gone_says_so_and_hinders_no_page_and_no_ladder(reception, capfd):
    other = Reception(reception.site, TOML.replace('"Small"', '"Other"'))
    gone = reception.service.store.contest(reception.registration)
    gone.write_text(TOML.replace('"virus"', '"not-there"'), encoding="utf-8")
    stranger = reception.stranger()
    for place in ("/", "/contests"):
        page = stranger.get(place)
        assert page.status_code == 200 and f'href="{address(other)}"' in page.text
        assert address(reception) not in page.text
    page = stranger.get(address(reception))
    assert page.status_code == 503 and "there is no game" in page.text and "not-there" in page.text
    reception.service.ladders.look()
    reception.service.ladders.look()
    assert capfd.readouterr().err.count("Small: a ladder cannot be played") == 1
    other.close()


@pytest.mark.game("virus")
def test_a_contest_may_be_left_out_of_the_lists(serve, tmp_path):
    reception = Reception(serve(Settings(data=tmp_path)), UNLISTED)
    stranger = reception.stranger()
    assert address(reception) not in stranger.get("/contests").text
    assert stranger.get(address(reception)).status_code == 200
    reception.close()


@pytest.mark.game("virus")
def test_what_a_contest_sets_otherwise_than_the_rules_say_stands_beside_them(reception):
    page = reception.stranger().get(address(reception)).text
    assert '<p class="note">In this contest: <b>Board</b> 4 \N{MULTIPLICATION SIGN} 4.</p>' in page
    assert page.index("In this contest:") < page.index('class="rulebook"')


@pytest.mark.game("virus", "tron")
@pytest.mark.parametrize(
    ("game", "told"),
    [
        ('name = "virus"', {}),
        ('name = "virus"\nsize = 8\nvoluntary_pass = false',
         {"Plateau": "8 \N{MULTIPLICATION SIGN} 8", "Voluntary pass": "non"}),
        ('name = "tron"\nmaps = ["ghosts"]\nplayers = 2', {}),
        ('name = "tron"\norder = "turns"', {"Order": "turns"}),
    ],
)  # fmt: skip
def test_the_settings_of_a_contest_are_those_that_are_not_usual(tmp_path, game, told):
    file = tmp_path / "cup.toml"
    file.write_text(f'bots = ["builtin:random", "builtin:random?"]\n[game]\n{game}\n')
    with speaking("fr"):
        assert settings(resolve(file)) == told


@pytest.mark.game("virus")
def test_a_participant_reads_the_task_beside_the_form(reception):
    page = reception.participant("Ann").get().text
    assert 'id="upload"' in page and "def play(observation, clock)" in page


@pytest.mark.game("virus")
def test_the_commands_to_practise_play_as_the_contest_does_and_run_as_they_are(
    reception, tmp_path, monkeypatch
):
    page = html.unescape(reception.stranger().get(address(reception)).text)
    commands = re.findall(r"<code tabindex=\"0\">(joute [^<]*)</code>", page)
    assert [each.split()[1] for each in commands] == ["check", "match", "play"]
    (tmp_path / "bot.py").write_bytes(GOOD)
    monkeypatch.chdir(tmp_path)
    for command in commands:
        assert command.endswith(" --param size=4 --move-seconds 10")
        words = shlex.split(command.replace(" human ", " bot.py "))[1:]
        assert main(words) == 0, command


@pytest.mark.game("tron")
@pytest.mark.parametrize(("players", "maps"), [(1, "room"), (4, "square")])
def test_the_commands_to_practise_name_a_map_and_fill_every_seat(tmp_path, players, maps):
    file = tmp_path / "race.toml"
    file.write_text(f'[game]\nname = "tron"\nplayers = {players}\nmap = "{maps}"\n', "utf-8")
    contest = rules(file)
    check, match, play = practice_commands(contest, "random")
    assert check == "joute check bot.py --game tron --move-seconds 10"
    others = ' "builtin:random"' * (players - 1)
    assert match == f"joute match tron bot.py{others} --map {maps} --move-seconds 10"
    assert play.count(" bot.py") == players - 1 and f" --map {maps} " in play


@pytest.mark.game("virus")
@pytest.mark.parametrize("interface", ["function", "hx2"])
def test_a_starter_is_that_of_the_terminal_in_the_reader_s_language(reception, interface):
    stranger = reception.stranger()
    code = stranger.get(f"{address(reception)}/starters/{interface}")
    assert 'filename="bot.py"' in code.headers["content-disposition"]
    compile(code.text, "bot.py", "exec")
    stranger.get("/language/fr")
    assert stranger.get(f"{address(reception)}/starters/{interface}").text != code.text
    assert stranger.get(f"{address(reception)}/starters/nothing").status_code == 404


@pytest.mark.game("virus")
def test_the_observation_to_download_is_one_of_the_contest_s_game(reception):
    found = reception.stranger().get(f"{address(reception)}/observation").json()
    assert found["size"] == 4 and len(found["grid"]) == 4 and len(found["legal"]) >= 2


@pytest.mark.game("virus")
@pytest.mark.parametrize("path", ["", "/starters/function", "/observation"])
def test_a_contest_that_is_not_there_has_no_task(reception, path):
    assert reception.stranger().get(f"/contests/tasks/nowhere{path}").status_code == 404


@pytest.mark.parametrize("game", names())
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_key_that_a_bot_is_shown_has_a_meaning(tmp_path, game, language):
    file = tmp_path / "contest.toml"
    file.write_text(f'[game]\nname = "{game}"\n')
    with speaking(language):
        told = task(rules(file))
        assert [key.name for key in told.keys if not key.meaning] == []
    assert told.answer and told.starters[0].interface == "function"
    shown = json.loads(told.example)
    assert list(shown) == [key.name for key in told.keys]
    assert {action for action, _ in told.legal} <= set(shown["legal"])


@pytest.mark.parametrize("game", names())
def test_an_observation_is_written_as_the_same_json(game):
    made = make(game)
    for position in drawn(made, 4):
        seen = observed(made, position.state, position.player)
        text = written(seen)
        assert json.loads(text) == seen
        assert max(map(len, text.splitlines())) <= 80


@pytest.mark.game("virus")
def test_the_task_names_the_packages_of_the_interpreter_with_their_versions(reception, monkeypatch):
    installed = {"numpy": "2.0.1", "torch": "2.4", "starlette": "1.0"}

    def version(name):
        if name not in installed:
            raise PackageNotFoundError(name)
        return installed[name]

    monkeypatch.setattr(packages, "version", version)
    packages.packages.cache_clear()
    page = reception.stranger().get(address(reception)).text
    packages.packages.cache_clear()
    assert "<code>numpy 2.0.1</code>, <code>torch 2.4</code>." in page
    assert "pandas" not in page and "starlette" not in page


def test_numpy_is_among_the_packages_of_this_interpreter():
    assert dict(packages.packages())["numpy"] == numpy.__version__
