"""The examples of contests of Love Letter, and the deals that their sets share."""

from collections import Counter
from pathlib import Path

import pytest

from joute.contest.config.config import resolve
from joute.contest.report.standings import standings
from joute.contest.run.runner import run_contest
from joute.games.love_letter.state import COPIES
from joute.play.game import GameSpec, SeatSpec
from joute.play.record import read_record
from joute.play.referee import play_game

EXAMPLE = Path(__file__).parents[3] / "examples" / "love-letter"
CONTESTS = sorted(EXAMPLE.glob("*.toml"))
DECK = sum(COPIES) - 1  # cards dealt and in the deck; what a Chancellor puts back comes after
FILES = sorted(path.stem for path in (EXAMPLE / "bots").glob("*.py"))


def test_they_are_a_table_of_two_and_a_table_of_four_with_whole_sets():
    contests = {path.stem: resolve(path) for path in CONTESTS}
    assert {name: each.players for name, each in contests.items()} == {"contest": 2, "four": 4}
    assert all(each.max_games % each.players == 0 for each in contests.values())
    assert all(each.game == "love-letter" for each in contests.values())


@pytest.mark.parametrize("path", CONTESTS, ids=lambda path: path.stem)
def test_their_bots_are_reproducible_and_their_files_short(path):
    bots = resolve(path).bots
    assert not any("seconds" in bot.bot for bot in bots)
    files = [EXAMPLE / bot.bot for bot in bots if bot.bot.startswith("bots/")]
    assert sorted(file.stem for file in files) == FILES
    assert all(len(file.read_text(encoding="utf-8").splitlines()) <= 70 for file in files)


@pytest.mark.parametrize("name", FILES)
def test_a_file_plays_rounds_of_two_and_of_four_without_a_fault(name):
    for others in (1, 3):
        result = played([f"bots/{name}.py"] + ["builtin:random"] * others, tokens=2)
        assert (result.ending, result.faults) == ("finished", [])


@pytest.mark.parametrize("path", CONTESTS, ids=lambda path: path.stem)
def test_a_small_version_is_played_to_standings_without_a_fault(path, tmp_path):
    seats = resolve(path).players
    smaller = {"contest.folder": str(tmp_path / "played"), "contest.games": seats}
    contest = resolve(path, {**smaller, "contest.workers": 2})
    assert run_contest(contest).failed == 0
    assert [line.faults for line in standings(contest)] == [[]] * len(contest.bots)


def played(bots, seed="0" * 32, **parameters):
    """A game of these bots."""
    seats = tuple(
        SeatSpec(name=str(number), bot=bot, base=str(EXAMPLE)) for number, bot in enumerate(bots)
    )
    parameters = {"players": len(bots), **parameters}
    return play_game(GameSpec(game="love-letter", parameters=parameters, bots=seats, seed=seed))


def drawn(result):
    """By stream, what chance drew, in order."""
    found = {}
    for line in read_record(result.record).plies:
        if line["by"] == "chance":
            found.setdefault(line["stream"], []).append(line["action"])
    return found


@pytest.mark.parametrize("players", [2, 4])
def test_the_games_of_a_set_have_the_same_starter_and_the_same_decks(players):
    bots = ["builtin:rules", "builtin:random", "builtin:random", "builtin:rules"][:players]
    rotations = [bots[turn:] + bots[:turn] for turn in range(players)]
    games = [drawn(played(each, tokens=3)) for each in rotations]
    assert len(games[0]) > 2
    first, *others = games
    for other in others:
        assert other["starter 1"] == first["starter 1"]
        decks = [stream for stream in first.keys() & other.keys() if stream.startswith("deck")]
        assert "deck 1" in decks
        for stream in decks:
            length = min(len(first[stream]), len(other[stream]), DECK)
            assert length > players
            assert other[stream][:length] == first[stream][:length]


def test_the_card_set_aside_is_the_same_in_all_games_of_a_set():
    # Where a round goes to the end of the deck, the one card that was not drawn is that one.
    bots = ["builtin:rules", *["builtin:random"] * 5]
    games = [drawn(played(each))["deck 1"][:DECK] for each in (bots, [*bots[1:], bots[0]])]
    first, second = (Counter(dict(enumerate(COPIES))) - Counter(cards) for cards in games)
    assert first.total() == 1
    assert first == second


def test_another_seed_has_another_deck():
    bots = ["builtin:random"] * 2
    assert drawn(played(bots)) != drawn(played(bots, seed="1" * 32))
