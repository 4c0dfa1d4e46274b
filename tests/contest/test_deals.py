"""The games of a set: the same deals, or dealt anew where bots could remember them."""

import json
import sqlite3

import pytest
from contest.kept_records import records_of

from joute.contest.config.config import origins, resolve
from joute.contest.errors import ConfigError
from joute.contest.run.runner import run_contest
from joute.contest.schedule.schedule import ANEW, SHARED

FIRST = "def play(observation, clock):\n    return observation['legal'][0]\n"


def contest_of(folder, game, bots, more=""):
    (folder / "mine.py").write_text(FIRST)
    text = f"bots = {json.dumps(bots)}\n[contest]\ngames = 2\nworkers = 1\n{more}\n"
    (folder / "contest.toml").write_text(f'{text}[game]\nname = "{game}"\n')
    return resolve(folder / "contest.toml")


def last_lines(contest):
    return [json.loads(record.splitlines()[-1]) for record in records_of(contest)]


@pytest.mark.parametrize(
    ("game", "bots", "more", "deals"),
    [
        ("love-letter", ["mine.py", "builtin:random"], "", ANEW),
        ("love-letter", ["mine.py", "builtin:random"], 'deals = "shared"', SHARED),
        ("love-letter", ["builtin:rules", "builtin:random"], "", SHARED),
        ("love-letter", ["builtin:rules", "builtin:random"], 'deals = "anew"', ANEW),
        ("virus", ["mine.py", "builtin:random"], "", SHARED),
    ],
)
def test_only_what_is_hidden_from_programs_of_others_is_dealt_anew(
    tmp_path, game, bots, more, deals
):
    assert contest_of(tmp_path, game, bots, more).deals == deals
    shown = {each.key: each.value for each in origins(tmp_path / "contest.toml")}
    assert shown["contest.deals"] == deals


@pytest.mark.game("love-letter")
def test_what_is_neither_is_refused_with_what_was_expected(tmp_path):
    with pytest.raises(ConfigError, match=r"deals: expected .*shared.*anew"):
        contest_of(tmp_path, "love-letter", ["mine.py", "builtin:random"], 'deals = "often"')


@pytest.mark.game("love-letter")
@pytest.mark.parametrize(("deals", "different"), [(SHARED, 1), (ANEW, 2)])
def test_the_games_of_a_set_have_one_seed_or_one_each_the_same_at_every_run(
    tmp_path, deals, different
):
    more = f'seed = "{"s" * 20}"\ndeals = "{deals}"'
    contest = contest_of(tmp_path, "love-letter", ["builtin:rules", "builtin:random"], more)
    assert run_contest(contest).played == 2
    assert len({line["seed"] for line in last_lines(contest)}) == different
    assert run_contest(contest).played == 0


@pytest.mark.game("love-letter")
def test_a_contest_that_began_with_shared_deals_goes_on_with_them(tmp_path):
    bots = ["mine.py", "builtin:random"]
    contest = contest_of(tmp_path, "love-letter", bots, 'deals = "shared"')
    run_contest(contest, trust=True)
    # As a version has left it that knew of no other deals.
    with sqlite3.connect(f"{contest.folder}/contest.sqlite") as base:
        [[kept]] = base.execute("select configuration from contest")
        plain = json.loads(kept)
        del plain["deals"], plain["import_joute"]
        base.execute("update contest set configuration = ?", (json.dumps(plain),))
    again = contest_of(tmp_path, "love-letter", bots)
    assert again.deals == SHARED
    assert run_contest(again, trust=True).played == 0
