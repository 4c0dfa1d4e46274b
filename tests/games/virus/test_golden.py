"""The recorded games of the original engine, and its saves."""

import json

import pytest
from helpers import recorded_files

from joute.core.errors import GameError
from joute.core.interface import OVER, legal, mover, play, points, properties, start, tell
from joute.core.registry import make
from joute.games.virus.saves import export_saves, read_saves
from joute.games.virus.text import grid
from joute.play.game import GameSpec, SeatSpec
from joute.play.record import read_record
from joute.play.referee import play_game
from joute.play.verify import verify_record

SIDES = ("player_1", "player_2")


def golden_games():
    """Every recorded game of every file."""
    files = recorded_files("virus", "*.jsonl")
    return [json.loads(line) for path in files for line in path.read_text("utf-8").splitlines()]


def replayed(recorded):
    """The state at the end of a recorded game, and its actions, checked ply by ply.

    Two passes in a row end the game here; in the original engine they change nothing. Where that
    engine went on, so does this, from the state before them.
    """
    game = make("virus")
    out = [0] * properties(game).max_legal
    actions = [SIDES.index(recorded["first"])]
    states = [start(game).tolist()]
    states.append(states[0].copy())
    play(game, states[-1], actions[0])
    for index, (side, what, *turned) in enumerate(recorded["moves"], start=1):
        if mover(game, states[-1]) == OVER and "." not in grid(game, states[-1]):
            assert (what, index) == ("pass", len(recorded["moves"]))
            break
        if mover(game, states[-1]) == OVER:
            assert actions[-2:] == [100, 100]
            del actions[-2:], states[-2:]
        state = states[-1].copy()
        action = 100 if what == "pass" else 10 * what[0] + what[1]
        assert mover(game, state) == SIDES.index(side)
        assert action in out[: legal(game, state, out)]
        assert tell(game, state, 0, action)["turned"] == (turned[0] if turned else [])
        play(game, state, action)
        states.append(state)
        actions.append(action)
    return game, states[-1], actions


def test_every_golden_game_replays():
    for recorded in golden_games():
        game, state, _ = replayed(recorded)
        scores = [int(points(game, state, player)) for player in (0, 1)]
        assert mover(game, state) == OVER
        if "score" in recorded:
            assert scores == recorded["score"]
        if "result" in recorded:
            lead = (scores[0] > scores[1]) - (scores[0] < scores[1])
            assert recorded["result"] == {1: "player_1", -1: "player_2", 0: "equality"}[lead]


def test_some_golden_games_end_with_a_superfluous_pass():
    last = [each["moves"][-1] for each in golden_games()]
    assert {what == "pass" for _, what, *_ in last} == {True, False}


def original_form(recorded):
    """A game as the original engine saved it."""
    return [
        [side, "False"] if what == "pass" else [side, [*what, turned[0]]]
        for side, what, *turned in recorded["moves"]
    ]


def test_a_file_in_the_form_of_the_original_engine_is_read():
    games = golden_games()
    lines = ["let games = {};"]
    for index, recorded in enumerate(games):
        lines.append(f"games.bot{index}_other = {json.dumps(original_form(recorded))};")
    saved = read_saves("\n".join(lines))
    assert [each.name for each in saved] == [f"bot{index}_other" for index in range(len(games))]
    for each, recorded in zip(saved, games, strict=True):
        assert each.actions == replayed(recorded)[2]


def test_quotes_brackets_and_spaces_may_differ():
    history = str(original_form(golden_games()[0]))  # Python's quotes are single
    plain = read_saves(f"games.a_b = {history}")
    other = read_saves(f"games [ 'a-b' ]={history};\n\n")
    assert plain[0].actions == other[0].actions
    assert other[0].name == "a-b"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no game found"),
        ("games.a_b = [1, 2", "not a list of plies"),
        ("games.a_b = " + "[" * 100_000, "not a list of plies"),
        ('games.a_b = [["player_3", "False"]]', "player_3"),
        ('games.a_b = [["player_1", [5, 5, []]]]', "not legal"),
        ('games.a_b = [["player_1", [0, 1, [[0, 2]]]]]', "turns"),
        ('games.a_b = [["player_1", [0]]]', "cannot be read"),
        ('games.a_b = [["player_1", [0, 1, []]], ["player_1", [0, 2, []]]]', "not legal"),
        ('games.a_b = [["player_1", [0, 1]]]', "cannot be read"),
        ("games.a_b = [1]", "cannot be read"),
        ('games.a_b = {"player_1": 1}', "not a list of plies"),
    ],
)
def test_what_cannot_be_read_is_named(text, words):
    with pytest.raises(GameError, match=words):
        read_saves(text)


def played(name, size=10, seed="0" * 32, bot="greedy"):
    seats = (SeatSpec(name=name, bot=f"builtin:{bot}"), SeatSpec(name="b", bot="builtin:random"))
    spec = GameSpec(game="virus", parameters={"size": size}, bots=seats, seed=seed)
    return play_game(spec)


@pytest.mark.parametrize("size", [4, 10])
def test_an_exported_record_reads_back_to_the_same_actions(size):
    records = [played("a", size, f"{seed:032x}").record for seed in range(3)]
    text = export_saves(records)
    saved = read_saves(text, size)
    assert [each.name for each in saved] == ["a_b", "a_b_2", "a_b_3"]
    for each, content in zip(saved, records, strict=True):
        assert each.actions == [ply["action"] for ply in read_record(content).plies]
        assert verify_record(content).ok


def test_names_that_are_no_javascript_names_are_read_back():
    saved = read_saves(export_saves([played("my bot (v2)", 4).record]), 4)
    assert [each.name for each in saved] == ["mybotv2_b"]


def shown(text):
    """By match, what the original's replay page shows at the end: its rules, in Python.

    The page reads `games[match][i]` for i = 0, 1, ... until an entry has fewer than two items.
    """
    found = {}
    for line in text.splitlines()[1:]:
        place, _, value = line.rstrip(";").partition(" = ")
        match = place.removeprefix("games").lstrip(".").strip('[]"')
        history, names = json.loads(value), match.split("_")
        ply = 0
        while len(history[ply]) > 1:
            side, what = history[ply]
            assert side in SIDES
            if what != "False":
                cells = [what[:2], *what[2]]
                assert all(0 <= part <= 9 for cell in cells for part in cell)
            ply += 1
        assert ply == len(history) - 1
        (word,) = history[ply]
        found[match] = word if word == "equality" else names[int(word.split("_")[1]) - 1]
    return found


def test_the_original_page_finds_every_entry_that_it_reads_and_shows_who_won():
    records = [played("my_bot", 10, f"{seed:032x}").record for seed in range(3)]
    winners = []
    for content in records:
        first, second = read_record(content).end["returns"]
        winners.append("equality" if first == second else "mybot" if first > second else "b")
    assert list(shown(export_saves(records)).values()) == winners


def test_a_draw_is_closed_by_the_word_for_it():
    seeds = (f"{seed:032x}" for seed in range(200))
    drawn = next(
        content
        for content in (played("a", 4, seed, "random").record for seed in seeds)
        if read_record(content).end["returns"] == [0, 0]
    )
    assert shown(export_saves([drawn])) == {"a_b": "equality"}


def test_a_name_that_begins_with_a_digit_is_written_so_that_a_browser_reads_it():
    text = export_saves([played("1st", 4).record])
    assert 'games["1st_b"] = ' in text
    assert [each.name for each in read_saves(text, 4)] == ["1st_b"]


@pytest.mark.parametrize("word", ["player_1", "player_2", "equality"])
def test_a_closing_entry_is_no_ply(word):
    history = original_form(golden_games()[0])
    closed = read_saves(f"games.a_b = {[*history, [word]]}")
    assert closed == read_saves(f"games.a_b = {history}")
