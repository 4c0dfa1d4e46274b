"""Two runners that play the same contest from two folders into one database."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from contest import fakes
from contest.fakes import contest_in
from store.samples import numbered

from joute.contest.folder import now, stored_games
from joute.contest.proof.checks import standings_json, standings_txt
from joute.contest.proof.stored import StoredResults
from joute.contest.report.standings import standings
from joute.contest.run.playing import Folder, game_row, record_name
from joute.contest.run.runner import run_contest
from joute.store.model import DISQUALIFIED, Decision
from joute.store.store import Store

pytestmark = pytest.mark.game("virus")


@pytest.fixture(name="contests")
def _contests(tmp_path):
    """The same contest in two folders, with one database."""
    found = []
    for name in ("here", "there"):
        folder = tmp_path / name
        folder.mkdir()
        url = f"sqlite:///{tmp_path / 'shared.sqlite'}"
        found.append(contest_in(folder, "games = 4", bots=2, **{"contest.store": url}))
    return found


def others_first(monkeypatch, contest, change):
    """Has another runner store each game just before we do, `change`d from ours."""
    save = Folder.save

    def saved(self, finished):
        with Store(contest.store) as store:
            rows = [change(game_row(each, record_name(each))) for each in finished]
            store.add(rows, packed={each.task.identity: each.played.record for each in finished})
        return save(self, finished)

    monkeypatch.setattr(Folder, "save", saved)


def lost(row):
    """A game that the first seat has lost."""
    return replace(row, returns=[-1.0, 1.0])


def told(contest):
    """The standings that the files of a folder tell."""
    found = json.loads(Path(contest.folder, "standings.json").read_text())
    return [(line["name"], line["won"], line["lost"]) for line in found["standings"]]


def differences(contest):
    """The differences of the files of a folder from its store."""
    with Store(contest.store) as store:
        results = StoredResults(Path(contest.folder), store, {})
        return [*standings_json(results), *standings_txt(results)]


def test_a_game_that_another_runner_has_stored_first_counts_as_it_is_stored(contests, monkeypatch):
    here, _ = contests
    others_first(monkeypatch, here, lost)
    run_contest(here, play=fakes.first_wins, workers=1)
    seats = [game.bots for game in stored_games(Path(here.folder))[1].values()]
    assert len(seats) == 4
    won = {name: sum(each[1] == name for each in seats) for name in ("greedy", "random")}
    assert {name: count for name, count, _ in told(here)} == won
    assert [(line.name, line.won, line.lost) for line in standings(here)] == told(here)
    assert differences(here) == []


def test_standings_tell_the_games_and_decisions_that_another_runner_has_added(
    contests, monkeypatch
):
    here, _ = contests
    save = Folder.save

    def saved(self, finished):
        rows = save(self, finished)
        with Store(here.store) as store:
            if not store.decisions():
                store.add([numbered(7)])
                store.decide(Decision(DISQUALIFIED, "random", "me", "so", now()))
        return rows

    monkeypatch.setattr(Folder, "save", saved)
    run_contest(here, play=fakes.quick, workers=1)
    found = json.loads(Path(here.folder, "standings.json").read_text())
    assert [each["subject"] for each in found["decisions"]] == ["random"]
    with Store(here.store) as store:
        link = store.last_link()
    assert (found["rows"], found["link"]) == (link.number, link.link.hex())


def test_two_runners_after_one_another_come_to_the_same(contests):
    for contest in contests:
        run_contest(contest, play=fakes.quick, workers=1)
    assert told(contests[0]) == told(contests[1])
    assert run_contest(contests[0], play=fakes.dies_always, workers=1).played == 0
