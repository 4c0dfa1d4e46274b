"""The contest of Paradise whose bots use the packages of its statement."""

import importlib.util
import re
from pathlib import Path

import pytest

from joute.contest.config.config import resolve
from joute.games.paradise.state import BOOK, CARDS
from joute.play.game import GameSpec, SeatSpec
from joute.play.referee import play_game

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "examples" / "paradise"
PACKAGES = ("numpy", "scikit-learn", "scipy", "torch", "tensorflow", "pandas")
NEEDS = {"lineaire": "numpy", "arbre": "sklearn"}

pytestmark = pytest.mark.game("paradise")


def named(text):
    """The packages of a file of dependencies, as pip calls them."""
    found = re.findall(r"^ *(?:- )?([a-z-]+)(?===|\n)", text, re.MULTILINE)
    return {{"pytorch": "torch"}.get(name, name) for name in found}


@pytest.mark.parametrize("file", ["environment.yml", "requirements.txt"])
def test_the_environment_has_the_six_packages_of_the_statement(file):
    assert set(PACKAGES) <= named((FOLDER / file).read_text("utf-8"))


def test_the_contest_is_played_by_the_rules_of_the_statement():
    contest = resolve(FOLDER / "packages.toml", {})
    assert (contest.game, contest.first_to, contest.max_games) == ("paradise", 51, 101)
    assert {Path(bot.bot).name for bot in contest.bots} >= set(NEEDS)


@pytest.mark.parametrize("bot", NEEDS)
def test_a_bot_with_a_package_plays_without_a_fault_and_better_than_at_random(bot):
    if importlib.util.find_spec(NEEDS[bot]) is None:
        pytest.skip(f"needs {NEEDS[bot]}")
    path = str(FOLDER / "bots" / bot)
    seats = (SeatSpec(name="mine", bot=path), SeatSpec(name="random", bot="builtin:random"))
    results = [play_game(GameSpec(game="paradise", bots=seats, seed=f"{n:032x}")) for n in range(3)]
    assert [fault for result in results for fault in result.faults] == []
    assert sum(result.returns[0] for result in results) > 0


# The statement's table 1: copies and mana of each card.
STATEMENT = {
    0: (2, 1), 1: (2, 3), 2: (2, 3), 3: (1, 2), 4: (1, 1), 5: (1, 5), 6: (2, 4), 7: (2, 1),
    8: (2, 2), 9: (1, 4), 10: (2, 10), 11: (1, 2), 12: (2, 3), 13: (1, 3), 14: (2, 6), 15: (2, 2),
}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_sheet_lists_every_difference_of_the_statements_table(language):
    played = {card: (BOOK[card].copies, BOOK[card].cost) for card in range(CARDS)}
    differences = {card for card in STATEMENT if STATEMENT[card] != played[card]}
    text = (ROOT / f"docs/{language}/paradise.md").read_text("utf-8")
    rows = re.findall(
        r"^\| ([0-9]+), [A-Z].*? \| ([0-9]) \| ([0-9]) \| ([0-9]) \| ([0-9]) \|", text, re.M
    )
    told = {int(card): tuple(map(int, numbers)) for card, *numbers in rows}
    assert told == {card: (*STATEMENT[card], *played[card]) for card in differences}
    counts = [sum(copies for copies, _ in table.values()) for table in (STATEMENT, played)]
    assert counts == [26, 25]
