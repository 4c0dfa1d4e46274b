"""Contests that nobody touched are true: of older layouts, killed, taken up, moved, exported."""

import json
import re
import shutil
import sqlite3
from pathlib import Path

import pytest
from contest import fakes
from contest.fakes import contest_in, tron_in
from proof.tampering import Copy

from joute.cli.main import main
from joute.contest.config.config import resolve
from joute.contest.folder import DATABASE, last_link
from joute.contest.proof.difference import difference_text
from joute.contest.proof.verification import verify_results
from joute.contest.report import summary
from joute.contest.run.runner import run_contest
from joute.store.model import CHAINED, LOST
from joute.store.store import Store

pytestmark = pytest.mark.game("virus")

HERE = Path(__file__).parent


@pytest.fixture(name="old")
def _old(tmp_path):
    """The results of a contest as the last version wrote them that had no chain."""
    results = tmp_path / "old.results"
    (results / "records").mkdir(parents=True)
    connection = sqlite3.connect(results / DATABASE)
    connection.executescript((HERE / "layout_3.sql").read_text(encoding="utf-8"))
    connection.close()
    for name in ("standings.json", "standings.txt"):
        shutil.copy(HERE / f"layout_3.{name}", results / name)
    return results


def told(results: Path, **options) -> list[str]:
    return [difference_text(each) for each in verify_results(results, **options).differences]


def test_a_contest_without_a_chain_is_chained_when_it_is_opened_and_true(old):
    proof = verify_results(old)
    assert (proof.differences, proof.records, proof.link.number) == ([], 13, 18)
    [note] = proof.notes
    assert (note.kind, note.content) == (CHAINED, {"rows": 17, "layout": "3"})
    assert verify_results(old).link == proof.link


def test_what_was_changed_before_a_contest_was_chained_is_found_by_its_records(old):
    connection = sqlite3.connect(old / DATABASE)
    connection.execute("UPDATE games SET returns = '[0.5,-0.5]' WHERE number = 3")
    connection.commit()
    connection.close()
    assert told(old)[0].startswith("its returns are [0.5, -0.5]")


def test_standings_of_a_contest_without_a_chain_are_compared(old):
    path = old / "standings.json"
    path.write_text(path.read_text().replace('"won": 8', '"won": 9'))
    assert told(old)[0].startswith("standings.json: standings[1].")


@pytest.fixture(name="cup")
def _cup(original, tmp_path):
    return Copy(original, tmp_path / "cup", None)


def test_a_contest_that_was_killed_between_two_standings_is_true(cup):
    # As after a kill: the store has more than the files of results have counted.
    Path(cup.file).write_text(cup.file.read_text().replace("games = 4", "games = 6"))
    files = [cup.results / name for name in ("standings.json", "standings.txt")]
    before = {path: path.read_bytes() for path in files}
    run_contest(resolve(cup.file), trust=True)
    for path, content in before.items():
        path.write_bytes(content)
    assert told(cup.results) == []


def test_a_run_says_what_was_lost_with_the_log_and_the_store_notes_it(cup, capsys):
    rows = last_link(resolve(cup.file)).number
    (cup.results / DATABASE).unlink()
    Store.in_file(cup.results / DATABASE).close()
    gone = f"standings.json counted {rows} rows, the store has 0: the last ones are gone"
    assert told(cup.results)[0].startswith(gone)
    assert main(["contest", "run", str(cup.file), "--trust-bots"]) == 0
    assert gone in capsys.readouterr().err
    proof = verify_results(cup.results)
    assert proof.differences == []
    [note] = proof.notes
    assert (note.kind, note.content["rows"], note.content["kept"]) == (LOST, rows, 0)


def test_a_log_that_was_deleted_after_a_kill_is_told(cup):
    whole = (cup.results / DATABASE).read_bytes()
    Path(cup.file).write_text(cup.file.read_text().replace("games = 4", "games = 6"))
    run_contest(resolve(cup.file), trust=True)
    (cup.results / DATABASE).write_bytes(whole)  # all that came later was in the log
    assert told(cup.results)[0].startswith("standings.json counted 20 rows, the store has 17")


def test_the_same_link_is_said_everywhere(cup, capsys):
    contest = resolve(cup.file)
    run_contest(contest, trust=True)  # the folder lies elsewhere now, which is noted
    link = last_link(contest)
    proof = f"proof of {link.number} rows: {link.shown()}"
    for command in (["contest", "run"], ["contest", "standings"], ["contest", "audit"], ["verify"]):
        main([*command, str(cup.file)])
        assert proof in capsys.readouterr().out
    data = json.loads((cup.results / "standings.json").read_text())
    assert (data["rows"], data["link"]) == (link.number, link.link.hex())
    assert proof in (cup.results / "standings.txt").read_text()
    main(["contest", "standings", str(cup.file), "--json"])
    assert json.loads(capsys.readouterr().out)["link"] == link.link.hex()
    assert main(["verify", str(cup.results), "--link", link.shown()]) == 0
    assert f"the link is number {link.number} of {link.number}" in capsys.readouterr().out
    assert main(["verify", str(cup.results), "--link", "0" * 32]) == 1
    assert main(["verify", str(cup.results), "--link", "abc"]) == 2
    assert main(["verify", str(cup.results), str(cup.results), "--link", "0" * 32]) == 1


def test_a_large_contest_s_summary_is_compared(cup, monkeypatch):
    monkeypatch.setattr(summary, "LARGE", 10)
    contest = resolve(cup.file)
    run_contest(contest, trust=True)  # nothing is left to play, what it came to is left behind
    path = cup.results / "summary.json"
    content = path.read_text()
    left, link = json.loads(content), last_link(contest)
    assert (left["rows"], left["link"]) == (link.number, link.link.hex())
    assert told(cup.results) == []
    for figure, where in (
        ('"done":12', r"done is 13, "),
        ('"won":8', r"met\[1\]\.\S+ is 83, "),
        ('"beaten":2', r"met\[1\]\.\S+ is 23, "),
        ('"mean_ms":', r"met\[1\]\.mean_ms is 3"),
    ):
        assert figure in content
        changed = figure.replace("12", "13") if "12" in figure else f"{figure}3"
        path.write_text(content.replace(figure, changed, 1))
        assert re.match(rf"summary\.json: {where}", told(cup.results)[0])
    left.pop("figures")  # as of a version that computed ratings otherwise
    left["met"][0]["rating"] = {"name": "a", "elo": 5000.0, "interval": None}
    path.write_text(json.dumps(left))
    assert told(cup.results) == []
    path.write_text(content.replace(link.link.hex(), ""))
    assert re.match(r"summary\.json: link is ", told(cup.results)[0])
    path.write_text(content[:-1])
    assert told(cup.results)[0].startswith("summary.json cannot be read")


def test_what_a_summary_lets_later_games_be_added_to_is_compared(tmp_path, monkeypatch):
    monkeypatch.setattr(summary, "LARGE", 10)
    bots = 'bots = ["builtin:greedy", "builtin:random"]\n'
    rest = '[contest]\ngames = 12\nworkers = 1\nseed = "s"\n[game]\nsize = 4\n'
    (tmp_path / "cup.toml").write_text(bots + rest)
    run_contest(resolve(tmp_path / "cup.toml"))
    results = tmp_path / "cup.results"
    path = results / "summary.json"
    left = json.loads(path.read_text())
    assert left["sums"]["alike"]
    assert told(results) == []
    left["sums"]["alike"][0][1] += 1
    path.write_text(json.dumps(left))
    assert told(results)[0].startswith("summary.json: sums.alike[1]")


def test_many_records_are_read_by_several_processes(cup, monkeypatch):
    from joute.contest.proof import facts

    monkeypatch.setattr(facts, "MANY", 4)
    monkeypatch.setattr(facts, "BATCH", 2)
    monkeypatch.setattr(facts.os, "cpu_count", lambda: 2)
    assert verify_results(cup.results).records == 13


FORMS = {"html": "out", "page": "page.html", "hx2": "saves.js"} | dict.fromkeys(
    ("csv", "jsonl", "parquet", "grades"), "out"
)


@pytest.mark.parametrize("form", FORMS)
def test_an_export_is_compared_with_one_made_anew(cup, form, tmp_path, capsys):
    scale = tmp_path / "scale.toml"
    scale.write_text("[grades]\nbase = 10\nplaces = [3]\n")
    given = ["--grades", str(scale)] if form == "grades" else []
    out = tmp_path / FORMS[form]
    more = ["--replays"] if form == "html" else []
    assert main(["export", str(cup.file), "--format", form, "-o", str(out), *given, *more]) == 0
    (cup.file.parent / "clumsy.py").unlink()
    command = ["verify", str(cup.results), str(out), *given]
    assert main(command) == 0
    files = [out] if out.is_file() else sorted(each for each in out.rglob("*") if each.is_file())
    changed = files[-1]
    changed.write_bytes(changed.read_bytes().replace(b"e", b"3", 1))
    assert main(command) == 1
    where = {"parquet": " differs from what is made anew", "hx2": ": this is not a record"}
    assert f"{changed.name}{where.get(form, ', line ')}" in capsys.readouterr().out
    if out.is_dir():
        files[0].unlink()
        assert main(command) == 1
        assert f"{files[0].name} is missing" in capsys.readouterr().out


def test_an_export_of_grades_wants_its_scale(cup, tmp_path):
    (tmp_path / "gradebook.csv").write_text("")
    assert main(["verify", str(cup.results), str(tmp_path)]) == 2
    assert main(["verify", str(tmp_path)]) == 2
    (tmp_path / "gradebook.csv").unlink()
    assert main(["verify", str(cup.results), str(tmp_path / "cup")]) == 0
    (tmp_path / "other").mkdir()
    assert main(["verify", str(cup.results), str(tmp_path / "other")]) == 2


def test_a_contest_that_was_never_played_is_no_contest_to_verify(tmp_path):
    contest_in(tmp_path, "games = 2")
    assert main(["verify", str(tmp_path / "test.toml")]) == 2


def test_fake_records_are_found(tmp_path):
    contest = contest_in(tmp_path, "games = 2", bots=2)
    run_contest(contest, play=fakes.quick, workers=1)
    assert "it is not the header of a record" in told(Path(contest.folder))[0]


def test_a_chain_is_the_same_on_both_databases(original, server, tmp_path):
    there = Copy(original, tmp_path / "there", server.url())
    proofs = [verify_results(folder) for folder in (original / "cup.results", there.results)]
    assert proofs[0].link == proofs[1].link
    assert proofs[1].differences == []


def test_rows_are_chained_alike_when_they_are_written(original, server, tmp_path):
    with Store.in_file(original / "cup.results" / DATABASE) as store:
        games = list(store.games().values())
    links = []
    for url in (server.url(), f"sqlite:///{tmp_path / 'x.sqlite'}"):
        with Store(url) as store:
            store.keep_configuration("{}", "s", {"b": "2", "a": "1"}, "2026-01-01T00:00:00+00:00")
            store.add(games)
            links.append(store.last_link())
            assert all(each.holds for each in store.chained())
    assert links[0] == links[1]


@pytest.mark.game("tron")
def test_a_contest_is_true_whose_games_have_other_numbers_of_seats_than_before(tmp_path):
    bots = ["builtin:random", "builtin:greedy", "builtin:random?"]
    for players, games in ((2, 2), (3, 6)):
        line = f"players = {players}"
        contest = tron_in(tmp_path, bots, f"games = {games}", line, **{"contest.workers": 1})
        run_contest(contest, trust=True)
    results = Path(contest.folder)
    assert told(results) == []
    path = results / "standings.json"
    path.write_text(path.read_text().replace('"done": 6', '"done": 0'))
    assert told(results)[0].startswith("standings.json: done is 0")
