"""`joute explain`: what a bot considered of a decision, in a table and as JSON."""

import json
import re
from xml.etree import ElementTree

import pytest

from joute.i18n.figures import MINUS
from joute.play.game import GameSpec, SeatSpec
from joute.play.record import read_record
from joute.play.referee import play_game

pytestmark = pytest.mark.game("virus")

UCT = "builtin:uct?simulations=300"


def last_ply(record):
    """The last ply at which a player chose something."""
    return [line for line in read_record(record.read_bytes()).plies if line["by"] == "bot"][-1]


def random_choice(folder, game):
    """The place of the first choice in the record of a random game, and who chose."""
    seats = tuple(SeatSpec(name=name, bot="builtin:random") for name in ("ann", "bob"))
    record = folder / "game.jsonl"
    record.write_bytes(play_game(GameSpec(game=game, bots=seats, seed="1" * 32)).record)
    first = next(line for line in read_record(record.read_bytes()).plies if line["by"] == "bot")
    return f"{record}@{first['ply']}", first["player"]


def test_every_action_is_shown_with_its_value_and_visits(run, record):
    played = last_ply(record)
    outcome = run("explain", f"{record}@{played['ply']}", "--bot", UCT)
    assert outcome.code == 0
    assert f"What {UCT} thinks for player {played['player']}:" in outcome.out
    assert f"Played in the record: {played['text']}" in outcome.out
    heading = next(line for line in outcome.out.splitlines() if "visits" in line)
    assert heading.split() == ["line", "value", "visits"]


def test_what_cannot_be_explained_is_named(run, record, tmp_path):
    (tmp_path / "mine.py").write_text("def play(observation, clock):\n    return 0\n")
    outcome = run("explain", record)
    assert outcome.code == 2 and "as in game.jsonl@12" in outcome.err
    ply = last_ply(record)["ply"]
    outcome = run("explain", f"{record}@{ply}", "--bot", tmp_path / "mine.py")
    assert outcome.code == 2 and "mine.py is not one" in outcome.err


def test_where_chance_decided_the_next_choice_is_named(run, record):
    outcome = run("explain", f"{record}@0", "--bot", UCT)
    assert outcome.code == 2
    assert "Chance decided there" in outcome.err
    command = outcome.err.rpartition("joute explain ")[2]
    assert command.strip() == f"{record}@1 --bot '{UCT}'"
    assert run("explain", f"{record}@1", "--bot", UCT).code == 0


def test_the_values_of_a_tree_are_written_as_the_language_writes_them(run):
    arguments = ("virus", "player 0 starts", "--tree", "--bot", UCT, "--lang")
    values = [
        re.findall(rf"[+{MINUS}-]\d\D\d{{3}}", run("explain", *arguments, language).out)
        for language in ("en", "fr")
    ]
    assert [each.replace(".", ",") for each in values[0]] == values[1]
    assert {each[0] for each in values[0]} == {"+", MINUS}


def test_json_holds_the_options_the_one_to_be_played_first(run):
    arguments = ("virus", "player 1 starts", "c1", "--param", "size=4", "--json", "--bot")
    found = json.loads(run("explain", *arguments, UCT).out)
    assert (found["game"], found["player"], found["bot"]) == ("virus", 0, UCT)
    visits = [each["visits"] for each in found["options"]]
    assert visits == sorted(visits, reverse=True)
    assert sum(visits) == 300
    assert all(-1 <= each["value"] <= 1 for each in found["options"])


def test_alpha_beta_says_its_line_and_how_deep_it_looked(run):
    arguments = ("virus", "player 0 starts", "--param", "size=4", "--bot")
    found = json.loads(run("explain", *arguments, "builtin:alphabeta?depth=3", "--json").out)
    best, *others = found["options"]
    assert (best["depth"], len(best["line"]), len(best["text"])) == (3, 3, 3)
    assert len({each["line"][0] for each in [best, *others]}) == len(found["options"])
    assert all(each["depth"] == 3 and each["value"] <= best["value"] for each in others)


def test_fewer_lines_are_shown_if_asked_for_and_the_rest_is_counted(run):
    arguments = ("virus", "player 0 starts", "--param", "size=4", "--lines", 2, "--bot")
    outcome = run("explain", *arguments, "builtin:flat?simulations=20")
    assert "more; --lines shows them" in outcome.out
    rows = outcome.out[outcome.out.index("──") :].splitlines()[1:]
    assert [row.split()[2] for row in rows[:2]] == ["20", "20"]


def test_a_bot_that_says_no_more_is_known_by_its_choice(run):
    outcome = run("explain", "virus", "player 0 starts", "--bot", "builtin:greedy", "--json")
    assert len(json.loads(outcome.out)["options"]) == 1


@pytest.mark.full  # what it thinks with is compiled
@pytest.mark.game("vampires")
def test_a_turn_that_is_no_option_of_the_bot_is_weighed_against_its_own(run, tmp_path):
    place, _ = random_choice(tmp_path, "vampires")
    thinking = ("explain", place, "--bot", "builtin:expectimax?nodes=50")
    worth = json.loads(run(*thinking, "--json").out)["worth"]
    assert -1 <= worth["after"] < worth["before"] <= 1
    assert f"; after {worth['better']}: " in run(*thinking).out
    silent = run("explain", place, "--bot", "builtin:random")
    assert silent.code == 0 and "Worth after" not in silent.out


@pytest.mark.game("love-letter")
def test_what_others_may_hold_is_said_where_hands_are_hidden(run, tmp_path):
    where, player = random_choice(tmp_path, "love-letter")
    found = json.loads(run("explain", where, "--bot", "builtin:rules", "--json").out)
    other = 1 - player
    assert {each["player"] for each in found["beliefs"]} == {other}
    assert sum(each["probability"] for each in found["beliefs"]) == pytest.approx(1.0)
    text = run("explain", where, "--bot", "builtin:rules").out
    assert f"What player {other} may hold, as the bot believes: Guard " in text
    text = run("explain", where, "--bot", "builtin:rules", "--lang", "fr").out
    assert f"Ce que le joueur {other} peut avoir en main, selon le bot\u202f: Garde " in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["virus"], "no player is to move there"),
        (["virus", "player 0 starts", "--bot", "human"], "only a built-in bot can be asked why"),
        (["virus", "player 0 starts", "e5"], "'e5' cannot be played there; legal: b1, a2"),
        (["virus", "player 0 starts", "z9"], "'z9' is not an action"),
        (["virus", "player 7 starts"], "'player 7 starts' is not an action"),
        (["chess"], "chess"),
        pytest.param(
            ["virus", "--bot", "builtin:rules", "player 0 starts"],
            "builtin:rules",
            marks=pytest.mark.game("love-letter"),
        ),
    ],
)
def test_mistakes_are_told(run, arguments, said):
    outcome = run("explain", *arguments)
    assert outcome.code == 2
    assert said in outcome.err


def test_mistakes_about_records_are_told(run, record):
    last = last_ply(record)["ply"]
    assert "takes neither actions nor --param" in run("explain", f"{record}@{last}", "a1").err
    assert f"nobody chose after ply {last + 50}" in run("explain", f"{record}@{last + 50}").err


def test_nothing_is_played_after_the_end(run):
    moves = ["player 0 starts", "b1", "b3", "a2", "c2", "b2"]
    outcome = run("explain", "virus", *moves, "pass", "--param", "size=3", "--bot", UCT)
    assert outcome.code == 2
    assert "the game is over before 'pass'" in outcome.err


def nodes(node):
    """A node of a tree as data, and all below it."""
    yield node
    for each in node["children"]:
        yield from nodes(each)


def test_a_tree_of_simulations_has_the_visits_of_the_search(run):
    arguments = ("virus", "player 0 starts", "--param", "size=4", "--tree", "--json", "--bot")
    root = json.loads(run("explain", *arguments, UCT).out)["tree"]
    assert root["visits"] == 300 == sum(each["visits"] for each in root["children"])
    for node in root["children"]:
        assert node["player"] == 0 and -1 <= node["value"] <= 1
        assert {each["player"] for each in node["children"]} <= {1}
        assert sum(each["visits"] for each in node["children"]) == node["visits"] - 1
        assert all(each["children"] == [] for each in node["children"])


@pytest.mark.full
def test_the_champion_of_virus_shows_its_tree_as_text(run):
    arguments = ("virus", "player 0 starts", "--param", "size=4", "--tree", "--lines", 2, "--bot")
    lines = run("explain", *arguments, "builtin:champion?simulations=200").out.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("├─ 0: "))
    assert lines[first + 1].startswith("│  ├─ 1: ") and "visits" in lines[first + 1]
    assert lines[-1].startswith("└─") and "more; --lines shows them" in lines[-1]


def test_alpha_beta_looks_at_every_position_of_its_tree_anew(run):
    arguments = ("virus", "player 0 starts", "--param", "size=4", "--tree", "--json", "--bot")
    root = json.loads(run("explain", *arguments, "builtin:alphabeta?depth=3").out)["tree"]
    assert root["ways"] == len(root["children"]) > 1
    for node in root["children"]:
        assert node["value"] == pytest.approx(-max(each["value"] for each in node["children"]))
        values = [each["value"] for each in node["children"]]
        assert values == sorted(values, reverse=True)


def test_a_tree_goes_on_past_the_end_of_a_game_with_nothing(run):
    moves = ("player 0 starts", "a2", "b1")
    arguments = ("virus", *moves, "--param", "size=3", "--tree", "--json", "--plies", 5, "--bot")
    root = json.loads(run("explain", *arguments, "builtin:alphabeta?depth=6").out)["tree"]
    ends = [node for node in nodes(root) if not node["ways"]]
    assert ends and all(node["value"] in (-1, 0, 1) for node in ends)


def test_a_tree_is_written_as_a_picture(run, tmp_path):
    picture = tmp_path / "tree.svg"
    arguments = ("virus", "player 0 starts", "--param", "size=4", "--bot", UCT, "--svg")
    assert f"written: {picture}" in run("explain", *arguments, picture).out
    drawn = ElementTree.parse(picture).getroot()
    circles = drawn.findall("{http://www.w3.org/2000/svg}circle")
    assert {each.get("class") for each in circles} == {"f-dim", "f-blue", "f-orange"}
    outcome = run("explain", *arguments, tmp_path / "nowhere" / "tree.svg")
    assert outcome.code != 0 and "nowhere" in outcome.err


@pytest.mark.parametrize("bot", ["builtin:greedy", "builtin:ismcts?simulations=10"])
def test_a_bot_without_a_tree_is_said_to_have_none(run, bot):
    outcome = run("explain", "virus", "player 0 starts", "--tree", "--bot", bot)
    assert outcome.code != 0 and "has no tree to show" in outcome.err


def test_nobody_s_tree_is_shown_where_chance_decides(run):
    outcome = run("explain", "virus", "--tree", "--bot", UCT)
    assert outcome.code != 0 and "joute explain virus 'player 0 starts'" in outcome.err
    options = ("--param", "size=5", "--bot", "builtin:greedy")
    outcome = run("explain", "virus", *options)
    assert f"joute explain virus 'player 0 starts' {' '.join(options)}" in outcome.err


@pytest.mark.game("love-letter")
def test_a_tree_of_turns_says_that_hidden_cards_are_imagined(run, tmp_path):
    where, _ = random_choice(tmp_path, "love-letter")
    text = run("explain", where, "--tree", "--bot", "builtin:utbm?depth=2").out
    assert "  ├─ 1: player 1 draws" in text and "ways on" in text
    assert "Cards that the bot cannot see are as it imagined them." in text
