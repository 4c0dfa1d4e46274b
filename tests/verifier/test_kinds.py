"""The independent verifier comes to the standings of every kind of contest that it covers."""

import json
from pathlib import Path

import pytest
from contest.fakes import contest_in
from msgspec.structs import astuple
from verifier.sealed import PUBLIC, Forger, played_in

from joute.contest.config.config import resolve
from joute.contest.decisions import decide
from joute.contest.report.report import read_report
from joute.contest.run.runner import run_contest
from joute.contest.run.tasks import BUSY, note
from joute.contest.sealing import draw_seed, seal_contest
from joute.store.model import ANNULLED, DISQUALIFIED, REINSTATED, REPLAYED, RETIRED, WITHDRAWN
from joute.store.store import Store

pytestmark = pytest.mark.game("virus")

BUILTIN = ["builtin:random", "builtin:greedy", "builtin:alphabeta?depth=1"]
ALL = ["failing.py", *BUILTIN]


def agreed(verify, contest, games: int) -> dict[str, dict]:
    """The verifier agrees with so many games; the standings by name."""
    code, out = verify(contest.folder)
    assert (code, out.splitlines()[-1]) == (0, f"All is true: {games} games were replayed"), out
    told = json.loads(Path(contest.folder, "standings.json").read_text())
    return {line["name"]: line for line in told["standings"]}


@pytest.mark.parametrize(
    ("bots", "settings", "games"),
    [
        (BUILTIN, "games = 1\n[game]\nsize = 4", 3),
        (BUILTIN, "games = 2\n[game]\nsize = 6\nopening = [0, 5]", 6),
        (BUILTIN, "games = 2\n[game]\nsize = 4\nvoluntary_pass = false", 6),
        pytest.param(ALL, "games = 6\n[game]\nsize = 7", 36, marks=pytest.mark.full),
        pytest.param(
            ALL, 'games = 4\n[game]\nsize = 5\n[faults]\ncrash = "game"', 24, marks=pytest.mark.full
        ),
        pytest.param(
            ["failing.py", "builtin:random", "hosted:builtin:random"],
            "games = 4\n[game]\nsize = 4\n[limits]\ngrace_seconds = 0.00001",
            10,  # its two random bots are one and the same
            marks=pytest.mark.full,
        ),
    ],
)
def test_round_robins_are_agreed_with(tmp_path, verify, bots, settings, games):
    agreed(verify, played_in(tmp_path, bots, settings), games)


def test_meetings_that_end_with_so_many_wins_are_agreed_with(tmp_path, verify):
    contest = played_in(tmp_path, BUILTIN, "first_to = 2\nmax_games = 7\n[game]\nsize = 4")
    agreed(verify, contest, len(read_report(contest).games))


@pytest.mark.parametrize("rules", ["disqualify_after = 2", 'crash = "disqualification"'])
def test_a_bot_that_was_disqualified_by_the_rules_is_out(tmp_path, verify, rules):
    settings = f"games = 6\n[game]\nsize = 5\n[faults]\n{rules}"
    contest = played_in(tmp_path, ALL, settings, workers=2)
    with_games = Forger(Path(contest.folder)).ask("SELECT count(*) FROM games")
    assert agreed(verify, contest, with_games)["failing"]["disqualified"]


@pytest.mark.parametrize("kind", [ANNULLED, REPLAYED, WITHDRAWN, RETIRED, DISQUALIFIED])
def test_what_the_organiser_decided_is_agreed_with(tmp_path, verify, kind):
    contest = played_in(tmp_path, BUILTIN, "games = 4\n[game]\nsize = 4")
    games = read_report(contest).games
    subject = games[2].identity if kind in (ANNULLED, REPLAYED) else "greedy"
    decide(contest, ANNULLED, games[5].identity, "it was wrong")
    decide(contest, REINSTATED, games[5].identity, "it was right")
    decide(contest, kind, subject, "the machine was rebooting")
    run_contest(contest)
    agreed(verify, contest, 13 if kind == REPLAYED else 12)


def test_a_bot_that_retires_before_its_last_game_keeps_those_it_has(tmp_path, verify):
    contest = played_in(tmp_path, BUILTIN, "games = 4\n[game]\nsize = 4")
    last = read_report(contest).games[-1]  # as if the contest had been stopped before it
    forger = Forger(Path(contest.folder))
    forger.drop(last.identity)
    forger.link()
    forger.close()
    decide(contest, RETIRED, last.bots[0], "its author asked")
    run_contest(contest)
    agreed(verify, contest, 11)


@pytest.mark.parametrize("with_game", [True, False])
def test_games_that_the_machine_spoilt_are_told_by_bot(tmp_path, verify, with_game):
    """Notes of Joute itself: another game is played in the place of one, or of none."""
    contest = played_in(tmp_path, BUILTIN, "games = 2\n[game]\nsize = 4")
    game = read_report(contest).games[-1]
    mark = note(game.identity, [1] if with_game else [], BUSY)
    if not with_game:
        forger = Forger(Path(contest.folder))
        forger.drop(game.identity)
        forger.change("INSERT INTO marks VALUES (1, ?, ?, ?, ?, ?)", *astuple(mark))
        forger.link()
        forger.close()
    else:
        with Store.in_file(Path(contest.folder, "contest.sqlite")) as store:
            store.decide(mark)
    run_contest(contest)
    found = agreed(verify, contest, 7 if with_game else 6)
    waited = {name for name, line in found.items() if line.get("infrastructure") == [game.identity]}
    assert waited == ({game.bots[1]} if with_game else set(game.bots))


def test_one_game_may_stand_at_two_places_of_the_schedule(tmp_path, verify):
    """Two bots of the same file play one game with both seatings."""
    (tmp_path / "twin.py").write_text("def play(o, clock):\n    return o['legal'][0]\n")
    twins = ["twin.py", '{bot = "twin.py", name = "other"}', "builtin:random"]
    text = f"bots = [{', '.join(each if '{' in each else repr(each) for each in twins)}]"
    (tmp_path / "cup.toml").write_text(f"{text}\n[contest]\ngames = 2\n[game]\nsize = 4\n")
    contest = resolve(tmp_path / "cup.toml")
    seal_contest(contest)
    draw_seed(contest, PUBLIC)
    run_contest(contest, trust=True)
    agreed(verify, contest, 5)


@pytest.mark.game("tron")
@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ('format = "knockout"\n[game]\nsize = 4', 'format = "knockout" is not covered'),
        ('ranking = "paradise"\n[game]\nsize = 4', 'ranking = "paradise" is not covered'),
        ('[game]\nname = "tron"\nmap = "square"', 'game = "tron" is not covered'),
    ],
)
def test_what_is_not_covered_is_said(tmp_path, verify, settings, told):
    bots = BUILTIN[:2] if "tron" not in settings else ["builtin:random", "builtin:wall"]
    (tmp_path / "cup.toml").write_text(f"bots = {bots}\n[contest]\n{settings}\n")
    contest = resolve(tmp_path / "cup.toml")
    seal_contest(contest)
    draw_seed(contest, PUBLIC)
    code, out = verify(contest.folder)
    assert (code, out) == (2, f"NOT CHECKED: {told}\n")


def test_a_contest_that_is_not_sealed_is_said(tmp_path, verify):
    contest = contest_in(tmp_path, "games = 2", bots=2)
    code, out = verify(contest.folder)
    assert (code, "there is no such database" in out) == (2, True)
    run_contest(contest)
    assert verify(contest.folder) == (2, "NOT CHECKED: the contest is not sealed\n")


def test_a_contest_that_is_not_played_to_its_end_is_told(tmp_path, verify):
    (tmp_path / "cup.toml").write_text(f"bots = {BUILTIN}\n[game]\nsize = 4\n")
    contest = resolve(tmp_path / "cup.toml")
    seal_contest(contest)
    assert verify(contest.folder) == (
        1,
        "DIFFERS: no public value was given, so no game can have been played\n",
    )
    draw_seed(contest, PUBLIC)
    code, out = verify(contest.folder)
    assert (code, "set 0: the game is missing" in out) == (1, True)


@pytest.mark.full
def test_a_thousand_games_are_agreed_with(tmp_path, verify):
    bots = [*ALL, "builtin:alphabeta?depth=2", "builtin:uct?simulations=20"]
    contest = played_in(tmp_path, bots, "games = 68\n[game]\nsize = 4", workers=2)
    agreed(verify, contest, 1020)
