"""What users of games and bots did wrong, said in their language."""

import pytest
from helpers import english_words

from joute import bots
from joute.core.interface import play, start
from joute.core.maps import find_map
from joute.core.registry import make
from joute.games.tron.map import read_map, write_2010, write_map
from joute.games.vampires.map import random_map
from joute.games.vampires.server.client import Client, game_of
from joute.games.vampires.server.serve import _listen
from joute.games.vampires.server.settings import load_settings
from joute.games.virus.saves import read_saves
from joute.host.names import parse_bot
from joute.host.sandbox import grants
from joute.i18n.words import speaking
from joute.play.advice import explain
from joute.play.record import read_record
from joute.play.seats import check_bot

TWO_FLOORS = "tron 1\nsize 5 3 2\nfloor 0\n#####\n#1 2#\n#####\nfloor 1\n#####\n#   #\n#####\nend\n"


def bot(name, game="virus", **options):
    table = bots.Seating(make(game), 0, 0, 1.0)
    return lambda: bots.make(name, {key: str(value) for key, value in options.items()}, table)


def played(text, game, **parameters):
    return lambda: check_bot(parse_bot(text), make(game, **parameters))


GAMES = {
    "no game": lambda: make("virsu"),
    "no parameter": lambda: make("virus", sise=3),
    "size": lambda: make("virus", size=99),
    "passes": lambda: make("virus", voluntary_pass=1),
    "quirks": lambda: make("paradise", quirks="some"),
    "deck": lambda: make("love-letter", deck="none"),
    "players": lambda: make("love-letter", players=99),
    "tokens": lambda: make("love-letter", tokens=-1),
    "map of Tron": lambda: make("tron", map=1),
    "starts": lambda: make("tron", players=8, map=TWO_FLOORS),
    "order": lambda: make("tron", order="both"),
    "teams": lambda: make("tron", teams=3),
    "teams that lack a bike": lambda: make("tron", teams=[[0], [0]]),
    "map of vampires": lambda: make("vampires", map=1),
    "plies": lambda: make("vampires", plies=3),
    "split": lambda: make("vampires", split=2),
    "name of a map": lambda: write_map(read_map(TWO_FLOORS)._replace(name="#")),
    "floors of 2010": lambda: write_2010(read_map(TWO_FLOORS)),
    "option of 2010": lambda: write_2010(read_map("2 3\n##\n1 \n 2\n")._replace(wrap="x")),
    "sign of 2010": lambda: write_2010(read_map("2 3\n##\n1 \n 2\n")._replace(floors=(("u",),))),
    "width": lambda: random_map(0, 3, 0, 1),
    "houses": lambda: random_map(3, 3, 99, 1),
    "houses without a middle": lambda: random_map(2, 2, 1, 1),
    "no map": lambda: find_map("tron", "arenaa"),
    "no map of a game without": lambda: find_map("virus", "arena"),
    "a place in a map": lambda: read_map("tron 2"),
    "no saves": lambda: read_saves(""),
    "no list": lambda: read_saves("games.a_b = 3"),
    "no JSON": lambda: read_saves("games.a_b = ["),
    "illegal ply": lambda: read_saves("games.a_b = [['A', [9, 5, []]]]"),
    "no ply": lambda: read_saves("games.a_b = [3]"),
    "no file of a game": lambda: make("./absent.py"),
}
BOTS = {
    "no bot": bot("greedie"),
    "no option": bot("greedy", strai=1),
    "type": bot("greedy", stray="much"),
    "stray": bot("greedy", stray=2),
    "peeks": bot("utbm-peek", "love-letter"),
    "by": bot("random", by="luck"),
    "depth": bot("alphabeta", depth=0),
    "reduce": bot("alphabeta", reduce=2),
    "evaluation": bot("alphabeta", evaluation="mood"),
    "hidden": bot("greedy", "love-letter"),
    "alpha-beta": bot("alphabeta", "love-letter"),
    "alpha-beta and chance": bot("alphabeta", "vampires"),
    "thin": bot("expectimax", "vampires", thin=-1),
    "zero sum": bot("expectimax", "love-letter"),
    "seconds": bot("champion", seconds=-1),
    "amounts": bot("uct", simulations=-1),
    "both": bot("uct", simulations=1, seconds=1),
    "bound": bot("uct", bound="sky"),
    "UCT": bot("uct", "paradise"),
    "exploration": bot("uct", exploration=-2),
    "scale": bot("uct", evaluation="lead", scale=0),
    "threads": bot("uct", threads=0),
    "observers": bot("ismcts", observers="all"),
    "flat": bot("flat", simulations=-1),
    "paranoid": bot("paranoid", depth=0),
    "paranoid and chance": bot("paranoid", "vampires"),
    "another game": bot("nearest"),
    "trust": bot("champion", "tron", seconds=-1),
    "alone": bot("fill", "tron"),
    "workshop": bot("montecarlo-numpy", "tron"),
    "rules": bot("rules"),
    "utbm": bot("utbm"),
    "utbm's depth": bot("utbm", "love-letter", depth=99),
    "turn": bot("turn"),
    "positions": bot("turn", "paradise", positions=0),
    "face": bot("face", "paradise", stray=2),
    "remote": played("remote", "virus"),
    "2010": played("tron2010:cat", "virus"),
    "2010 on floors": played("tron2010:cat", "tron", map=TWO_FLOORS),
    "2010 in turns": played("tron2010:cat", "tron", order="turns"),
    "2010 on joined edges": played("tron2010:cat", "tron", wrap="x"),
    "tcp": played("tcp:cat", "virus"),
    "workshop's function": played(f"workshop:{__file__}", "virus"),
    "bot of Paradise": played(f"paradise:{__file__}", "virus"),
}
NAMES = (
    "", "\udcff", "hosted:greedy", "builtin:", "builtin:greedy?stray", "builtin:greedy?a=1&a=2",
    "absent.py", "gredy:absent", "greedy", "program:", "program:'", "program:absent-program", "/",
    "hx2:/", "hx2:/etc/passwd", "/etc/passwd", "program:/etc/passwd", "a\0b", "~nobody-here/x",
)  # fmt: skip
CONFIGURATIONS = (
    "Port = x", "Trace = maybe", "MaxPlayDuration = soon", "MaxGameDuration = 99999999",
    "MaxPlayDuration = 0", "MaxPlays = 3", "what", "<map", "Trace = \xe9",
    '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
)  # fmt: skip
RECORDS = (b"", b"{}", b"{}\n", b'{"a":1,"chain":"' + b"0" * 32 + b'"}\n')
CLIENTS = {
    "species": lambda: game_of(2, 2, {}),
    "unplayable": lambda: game_of(300, 2, {(0, 0): (0, 1, 0), (1, 0): (0, 0, 1)}),
}


def told(mistake):
    """What an error says in English and in French."""
    with pytest.raises(Exception) as caught:
        mistake()
    assert type(caught.value).__module__.startswith("joute."), repr(caught.value)
    with speaking("fr"):
        french = str(caught.value)
    return str(caught.value), french


def check(mistake):
    english, french = told(mistake)
    assert english != french
    assert not english_words(french), french


@pytest.mark.parametrize("mistake", GAMES)
def test_what_is_wrong_with_a_game_is_said_in_french(mistake):
    check(GAMES[mistake])


@pytest.mark.parametrize("mistake", BOTS)
def test_what_is_wrong_with_a_bot_of_ours_is_said_in_french(mistake):
    check(BOTS[mistake])


@pytest.mark.parametrize("name", NAMES)
def test_what_is_wrong_with_a_bots_name_is_said_in_french(name):
    check(lambda: parse_bot(name))


@pytest.mark.parametrize("text", CONFIGURATIONS)
def test_what_is_wrong_with_a_servers_configuration_is_said_in_french(text, tmp_path):
    file = tmp_path / "server.config"
    file.write_text(text, encoding="latin-1")
    check(lambda: load_settings(file))


@pytest.mark.parametrize("mistake", CLIENTS)
def test_what_a_server_sends_wrong_is_said_in_french(mistake):
    check(CLIENTS[mistake])


def test_whom_nobody_answers_or_nobody_hears_is_said_in_french():
    check(lambda: Client("builtin:nearest", "n", 1.0, print).run("127.0.0.1", 1))
    check(lambda: _listen("192.0.2.1", 1))


def test_what_cannot_be_explained_is_said_in_french():
    game = make("virus")
    check(lambda: explain(game, start(game), parse_bot("human"), 1.0))
    state = start(game).tolist()
    play(game, state, 0)
    check(lambda: explain(game, state, parse_bot("human"), 1.0))


def test_a_level_of_isolation_that_is_none_is_said_in_french(monkeypatch):
    monkeypatch.setenv(grants.VARIABLE, "strict")
    check(grants.granted)


@pytest.mark.parametrize("content", RECORDS)
def test_what_is_wrong_with_a_record_is_said_in_french(content):
    check(lambda: read_record(content))
