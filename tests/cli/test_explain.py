"""`joute explain`: what a bot considered of a decision, in a table and as JSON."""

import json

import pytest

from joute.play.game import GameSpec, SeatSpec
from joute.play.record import read_record
from joute.play.referee import play_game

pytestmark = pytest.mark.game("virus")

UCT = "builtin:uct?simulations=300"


def last_ply(record):
    """The last ply at which a player chose something."""
    return [line for line in read_record(record.read_bytes()).plies if line["by"] == "bot"][-1]


def test_every_action_is_shown_with_its_value_and_visits(run, record):
    played = last_ply(record)
    outcome = run("explain", f"{record}@{played['ply']}", "--bot", UCT)
    assert outcome.code == 0
    assert f"What {UCT} thinks for player {played['player']}:" in outcome.out
    assert f"Played in the record: {played['text']}" in outcome.out
    heading = next(line for line in outcome.out.splitlines() if "visits" in line)
    assert heading.split() == ["line", "value", "visits"]


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


@pytest.mark.game("love-letter")
def test_what_others_may_hold_is_said_where_hands_are_hidden(run, tmp_path):
    seats = tuple(SeatSpec(name=name, bot="builtin:random") for name in ("ann", "bob"))
    record = tmp_path / "game.jsonl"
    record.write_bytes(play_game(GameSpec(game="love-letter", bots=seats, seed="1" * 32)).record)
    lines = read_record(record.read_bytes()).plies
    first = next(line for line in lines if line["by"] == "bot")
    where = f"{record}@{first['ply']}"
    found = json.loads(run("explain", where, "--bot", "builtin:rules", "--json").out)
    other = 1 - first["player"]
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
