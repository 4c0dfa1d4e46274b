"""Decisions of organisers in a folder, those that are refused, and what an audit tells of them."""

import getpass
import json
from pathlib import Path

import pytest
from contest import fakes
from contest.fakes import contest_in
from contest.test_left_behind import filled
from msgspec.structs import replace

from joute.contest.config.config import resolve
from joute.contest.config.contest import to_json
from joute.contest.decisions import contest_at, decide
from joute.contest.errors import DecisionError, FolderError, LockedError
from joute.contest.report.audit import audit
from joute.contest.report.report import read_report
from joute.contest.report.standings import standings
from joute.contest.run.coordinator import Finished
from joute.contest.run.plan import planned
from joute.contest.run.playing import Folder
from joute.contest.run.runner import status
from joute.contest.run.workers import PlayedGame, play_batch
from joute.play.chance import commitment
from joute.store.columns import pack
from joute.store.model import ANNULLED, DISQUALIFIED, REINSTATED, WITHDRAWN

pytestmark = pytest.mark.game("virus")


@pytest.fixture(name="contest")
def _contest(tmp_path):
    return filled(contest_in(tmp_path, "games = 2", bots=3))


def games_of(contest):
    return [game.identity for game in read_report(contest).games]


def test_a_decision_has_who_and_when_and_is_in_the_results_of_the_folder(contest):
    mark = decide(contest, WITHDRAWN, "greedy", "its author asked").decision
    assert (mark.who, mark.kind) == (getpass.getuser(), WITHDRAWN)
    text = Path(contest.folder, "standings.txt").read_text()
    assert f"greedy is withdrawn ({mark.who}, {mark.made_at[:10]}): its author asked\n" in text
    told = json.loads(Path(contest.folder, "standings.json").read_text())
    assert [each["subject"] for each in told["decisions"]] == ["greedy"]
    assert [each.subject for each in status(contest).decisions] == ["greedy"]
    assert [each.subject for each in read_report(contest).decisions] == ["greedy"]
    assert standings(contest)[-1].name == "greedy"


@pytest.mark.parametrize("named", ["{0}", "{0:.8}", "somewhere/records/{0}.jsonl"])
def test_a_game_is_named_by_its_identity_the_beginning_of_it_or_its_record(contest, named):
    name = games_of(contest)[2]
    why, who = "the machine was busy", "the referee"
    mark = decide(contest, ANNULLED, named.format(name), why, who).decision
    assert (mark.subject, mark.who) == (name, "the referee")
    assert name not in games_of(contest)
    assert decide(contest, REINSTATED, name[:8], "it was not").decision.subject == name
    assert name in games_of(contest)


@pytest.mark.parametrize(
    ("kind", "subject", "why", "told"),
    [
        (WITHDRAWN, "gredy", "x", "'gredy' is no bot of the contest; did you mean 'greedy'?"),
        (ANNULLED, "zz", "x", "'zz' is no game of the contest: expected the name of its record"),
        (ANNULLED, "012", "x", "'012' is no game of the contest"),
        (ANNULLED, "{0:.8}", " ", "decision 'annulled': why is missing"),
        (REINSTATED, "greedy", "x", "'greedy': nothing was decided about it that is in force"),
        (REINSTATED, "{0}", "x", "nothing was decided about it"),
        (DISQUALIFIED, "", "x", "'' is no bot of the contest"),
    ],
)
def test_what_makes_no_sense_is_refused_and_not_kept(contest, kind, subject, why, told):
    with pytest.raises(DecisionError, match=told.replace("?", r"\?")):
        decide(contest, kind, subject.format(games_of(contest)[0]), why)
    assert audit(contest).decisions == []


def test_two_games_that_begin_alike_are_both_told(contest):
    with Folder(Path(contest.folder)) as folder:
        game = next(iter(folder.store.games().values()))
        for end in "01":
            twin = type(game)(**{**vars(game), "identity": f"abcd{'0' * 27}{end}"})
            folder.store.add([twin])
    with pytest.raises(DecisionError, match=r"'abcd': several games begin so: abcd0*, abcd0*1"):
        decide(contest, ANNULLED, "abcd", "x")


def test_nothing_is_decided_while_the_contest_is_played(contest):
    with Folder(Path(contest.folder)), pytest.raises(LockedError, match="is playing into"):
        decide(contest, WITHDRAWN, "greedy", "x")


def test_a_contest_is_known_by_its_folder_wherever_that_is_now(contest, tmp_path):
    with Folder(Path(contest.folder)) as folder:
        folder.store.keep_configuration(to_json(contest).decode(), "fixed")
    moved = Path(contest.folder).rename(tmp_path / "moved")
    found = contest_at(moved)
    assert (found.folder, found.bots) == (str(moved), contest.bots)
    assert [line.games for line in standings(found)] == [4, 4, 4]
    assert contest_at(tmp_path / "test.toml").bots == contest.bots


def test_a_folder_without_a_contest_is_refused(contest, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(FolderError, match="no contest was played into this folder"):
        contest_at(tmp_path / "empty")
    (tmp_path / "new").mkdir()
    new = contest_in(tmp_path / "new", "games = 2")
    for work in (audit, lambda each: decide(each, WITHDRAWN, "greedy", "x")):
        with pytest.raises(FolderError, match="no contest was played into this folder"):
            work(new)


def test_a_configuration_that_cannot_be_read_asks_for_the_file(contest):
    with Folder(Path(contest.folder)) as folder:
        folder.store.keep_configuration('{"name": "old"}', "s")
    with pytest.raises(FolderError, match="give the contest’s file instead of its folder"):
        contest_at(Path(contest.folder))


# The audit.


def record_of(task, contents, busy):
    bots = [{"name": name, "content": contents[name]} for name in task.slot.seats]
    lines = [{"record": 2, "bots": bots}, {"end": {}} | ({"busy": True} if busy else {})]
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()


def test_an_audit_tells_versions_busy_games_faults_and_decisions(tmp_path):
    contest = contest_in(tmp_path, "games = 2", bots=2)
    with Folder(Path(contest.folder)) as folder:
        folder.store.keep_configuration('{"seed": "before"}', "before")
        filled_in(folder, contest, {"greedy": "old", "random": "same"})
    [first, _] = games = games_of(contest)
    decide(contest, ANNULLED, first, "the power went")
    decide(contest, REINSTATED, first, "after all it had not")
    decide(contest, DISQUALIFIED, "greedy", "copied")
    found = audit(contest)
    assert (found.kept, found.counting, found.left, found.void) == (3, 0, 0, 2)
    assert (found.annulled, found.unasked) == ([], ["e" * 32])
    assert [(each.decision.kind, each.in_force) for each in found.decisions] == [
        (ANNULLED, False), (REINSTATED, False), (DISQUALIFIED, True)
    ]  # fmt: skip
    assert sorted(found.busy) == sorted(games)
    assert {(each.bot, each.content, each.current) for each in found.versions} == {
        ("greedy", "old", False), ("random", "same", False)
    }  # fmt: skip
    fault = found.faults[0]
    assert (fault.fault, fault.cost, fault.times, fault.ply) == ("crash", "game", 2, 5)
    assert (fault.detail, fault.counts, fault.bot) == ("KeyError: 'x'", False, "random")
    assert (found.seed, found.commitment) == ("fixed", commitment("fixed"))
    assert (found.seeds, found.configurations) == (["before", "fixed"], 2)


def test_a_contest_that_was_moved_with_its_bots_is_known_by_its_folder(tmp_path):
    before = tmp_path / "before"
    before.mkdir()
    (before / "mine.py").write_text("def play(observation, clock):\n    return 0\n")
    file = before / "cup.toml"
    file.write_text(
        'bots = ["mine.py", "builtin:greedy"]\n[contest]\ngames = 2\n[game]\nsize = 3\n'
    )
    contest = resolve(file)
    with Folder(Path(contest.folder)) as folder:
        folder.keep_configuration(contest, "fixed")
    after = before.rename(tmp_path / "after")
    assert audit(contest_at(after / "cup.results")).configurations == 1
    (after / "cup.results").rename(tmp_path / "alone")
    after.rename(before)
    assert audit(contest_at(tmp_path / "alone")).configurations == 1


def test_an_audit_tells_no_change_of_settings_where_a_contest_was_moved(
    tmp_path,
):
    contest = contest_in(tmp_path, "games = 2", bots=2)
    elsewhere = replace(contest, base="/elsewhere", folder="/elsewhere/cup.results", workers=7)
    with Folder(Path(contest.folder)) as folder:
        for each in (contest, elsewhere, contest):
            folder.store.keep_configuration(to_json(each).decode(), "fixed", {})
    assert audit(contest).configurations == 1


def test_an_audit_tells_no_change_of_settings_where_only_a_bot_changed(tmp_path):
    contest = contest_in(tmp_path, "games = 2", bots=2)
    settings = to_json(contest).decode()
    with Folder(Path(contest.folder)) as folder:
        folder.store.keep_configuration(settings, "fixed", {"greedy": "old", "random": "same"})
        folder.store.keep_configuration(settings, "fixed", {"greedy": "new", "random": "same"})
    assert audit(contest).configurations == 1


def filled_in(folder, contest, contents):
    """All games, on a busy machine, with records by bots of these contents, and one unasked for."""
    plan = planned(contest, folder.known(contest))
    rows = []
    for task in list(plan.due):
        record = pack(record_of(task, contents, busy=True))
        rows += folder.save([Finished(task, PlayedGame(fakes.quick(task.spec), "", 0.0, record))])
    faults = [
        {"seat": rows[0].bots.index("random"), "ply": ply, "fault": "crash", "cost": "game"}
        | {"detail": "Traceback:\n  line 3\nKeyError: 'x'\n"}
        for ply in (4, 6)
    ]
    folder.store.add([type(rows[0])(**{**vars(rows[0]), "identity": "e" * 32, "faults": faults})])


def test_an_audit_of_a_contest_without_incidents_says_so(contest):
    found = audit(contest)
    assert (found.kept, found.counting, found.void) == (6, 6, 0)
    assert found.faults == found.busy == found.versions == found.unasked == found.annulled == []
    assert found.disqualified == {}


def test_who_was_shut_out_by_the_contest_s_rules_is_told_apart_from_who_was_by_hand(tmp_path):
    contest = contest_in(tmp_path, "games = 2", bots=2)
    strict = type(contest)(
        **{name: getattr(contest, name) for name in contest.__struct_fields__}
        | {"disqualify_after": 1}
    )
    with Folder(Path(contest.folder)) as folder:
        plan = planned(strict, folder.known(strict))
        task = plan.due[0]
        folder.save([Finished(task, *play_batch(fakes.with_faults, [task.spec]))])
    offenders = set(task.slot.seats)
    assert audit(strict).disqualified.keys() == offenders
    decide(contest, DISQUALIFIED, "greedy", "copied")
    assert audit(contest).disqualified == {}
