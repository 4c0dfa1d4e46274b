"""Positions of records in French, with the names of the record: replay, debug and explain."""

import json
import re

import pytest
from helpers import PATIENCE

from joute.core.interface import start
from joute.core.registry import make
from joute.i18n import words
from joute.play.game import GameSpec, SeatSpec
from joute.play.record import read_record
from joute.play.referee import play_game
from joute.play.telling import position_lines

THIN = "\N{NARROW NO-BREAK SPACE}"
GAMES = ("love-letter", "paradise", "tron", "vampires", "virus")
ENGLISH = re.compile(
    r"\b(player|plays|played|starts|draws|dealt|deck|face up|holds|tokens?|round|turn|health|of|"
    r"power|ready|no minions|moves|out|humans|werewolves|survive|to move|on their way|done|stones|"
    r"ply|guard|priest|handmaid|countess|princess|king|spy|chancellor|mole|wolf|fireball|left|"
    r"right|up|down|end|attack)\b"
)
FRENCH = {
    "love-letter": f"manche 1, 15 cartes dans la pioche{THIN}; ",
    "paradise": "de vie, mana ",
    "tron": f"coups 1 ann{THIN}: ",
    "vampires": f"humains 37{THIN}; tour 0 sur 200",
    "virus": f"pions{THIN}: ",
}
every_game = pytest.mark.parametrize(
    "game", [pytest.param(name, marks=pytest.mark.game(name)) for name in GAMES]
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Gives the record of a game, which is played once."""
    found = {}

    def record_of(game):
        if game not in found:
            seats = tuple(SeatSpec(name=name, bot="builtin:random") for name in ("ann", "bob"))
            found[game] = tmp_path_factory.mktemp("records") / f"{game}.jsonl"
            spec = GameSpec(game=game, bots=seats, seed="0" * 31 + "1")
            found[game].write_bytes(play_game(spec).record)
        return found[game]

    return record_of


def english(shown):
    """The English words of what was shown, apart from the parameters in its title."""
    return ENGLISH.findall(re.sub(r"\(\w+=.*?\)", "", shown))


def first_choice(record):
    """The ply before the first one that a bot chose."""
    lines = read_record(record.read_bytes()).plies
    return next(line["ply"] for line in lines if line["by"] == "bot")


@every_game
def test_every_position_of_a_replay_is_in_french(run, kept, game):
    shown = run("replay", kept(game), "--lang", "fr").out
    assert FRENCH[game] in shown
    assert not english(shown)


@every_game
def test_a_ply_of_a_replay_and_the_position_after_it_are_in_french(run, kept, game):
    shown = run("replay", kept(game), "--at", 9, "--lang", "fr").out
    assert shown.count("coup 9") == 1
    assert not english(shown)


@pytest.mark.game("love-letter")
def test_a_replay_on_a_terminal_shows_positions_in_french(terminal, kept):
    screen = terminal("replay", kept("love-letter"), "--lang", "fr")
    shown = screen.wait_for("q\N{NARROW NO-BREAK SPACE}: quitter")
    screen.press("q")
    assert screen.process.wait(timeout=PATIENCE) == 0
    assert not english(shown)


@every_game
def test_debug_shows_the_position_what_was_played_and_what_the_bot_plays_in_french(
    run, kept, game, tmp_path
):
    bot = tmp_path / "first.py"
    bot.write_text("def play(observation, clock): return observation['legal'][0]")
    place = f"{kept(game)}@{first_choice(kept(game))}"
    shown = run("debug", place, bot, "--lang", "fr").out.replace(str(bot), "")
    assert "ce qui est légal" in shown
    assert not english(shown)
    asked = run("replay", kept(game), "--at", place.split("@")[1], "--bot", bot, "--lang", "fr")
    shown = asked.out.replace(str(bot), "")
    assert re.search(r"\(\d+,\d ms\)", shown)
    assert not english(shown)


@every_game
def test_explain_shows_the_position_in_french(run, kept, game):
    place = f"{kept(game)}@{first_choice(kept(game))}"
    shown = run("explain", place, "--bot", "builtin:random", "--lang", "fr").out
    board, _, _ = shown.partition("Ce que pense")
    assert board != shown
    assert not english(board)


@every_game
def test_positions_without_a_record_are_in_french_with_the_numbers_of_the_seats(game):
    rules = make(game)
    with words.speaking("fr"):
        shown = "\n".join(position_lines(rules, start(rules).tolist()))
    assert not english(shown)


@pytest.mark.game("love-letter")
def test_a_table_of_love_letter_names_its_seats_and_its_cards_in_french(run, kept):
    shown = run("replay", kept("love-letter"), "--lang", "fr").out
    assert re.search(rf"^coup 1{THIN}: (ann|bob) commence$", shown, re.MULTILINE)
    assert re.search(rf"^coup \d+{THIN}: ann reçoit{THIN}: \w+$", shown, re.MULTILINE)
    assert re.search(rf"^ann \(0\){THIN}: tient [\w, ]+{THIN}; ", shown, re.MULTILINE)
    assert f"bob (1){THIN}: n’a pas de carte" in shown


@pytest.mark.game("virus")
def test_the_draw_of_who_starts_has_the_name_of_the_seat_in_both_languages(run, record):
    assert re.search("^ply 1: (ann|bob) starts$", run("replay", record).out, re.MULTILINE)
    shown = run("replay", record, "--lang", "fr").out
    assert re.search(f"^coup 1{THIN}: (ann|bob) commence$", shown, re.MULTILINE)


@every_game
def test_positions_in_english_have_the_names_of_the_seats(run, kept, game):
    shown = run("replay", kept(game), "--at", 9).out
    board = shown.split("\n\n", 1)[1]
    assert ("ann" in board and "bob" in board) or game == "virus"
    assert not re.search(r"player \d", board)


@pytest.mark.game("virus")
def test_the_times_of_a_replay_have_the_decimal_mark_of_the_language(run, record):
    assert re.search(r"^\d+\.\d ms of CPU, \d+\.\d ms ", run("replay", record).out, re.MULTILINE)
    shown = run("replay", record, "--lang", "fr").out
    assert re.search(r"^\d+,\d ms de processeur, \d+,\d ms ", shown, re.MULTILINE)


@every_game
def test_the_data_of_a_replay_are_the_same_in_every_language(run, kept, game):
    found = [run("replay", kept(game), "--json", "--lang", each).out for each in ("en", "fr")]
    assert json.loads(found[0]) == json.loads(found[1])
