"""`joute verify RESULTS --sealed SEAL` proves what the seal stands for."""

import json
from pathlib import Path

import pytest
from verifier.sealed import PUBLIC, Forger, played_in

from joute.cli.main import main
from joute.contest.folder import open_store
from joute.contest.seal import seal_of, sealed_seed, sealed_terms
from joute.contest.sealing import sealed_in
from joute.i18n import words
from joute.store.store import Store

pytestmark = pytest.mark.game("virus")

OTHER = "7XXC-S7FY-0M3E-WYKA"


@pytest.fixture
def joute(capsys, monkeypatch):
    """Runs `joute verify` in English: its exit code and what it prints, or complains of."""
    monkeypatch.setenv("JOUTE_LANG", "en")

    def run(*arguments: object) -> tuple[int, str]:
        capsys.readouterr()
        code = main(["verify", *map(str, arguments)])
        words.speak("en")
        out, err = capsys.readouterr()
        return code, out or err

    return run


def seal_in(results: Path) -> str:
    with Store.in_file(results / "contest.sqlite") as store:
        found = sealed_in(store)
    assert found is not None
    return found.seal.seal


def test_the_seal_of_the_blackboard_is_that_of_the_results(played, joute):
    seal = seal_in(played)
    code, out = joute(played, "--sealed", seal.lower().replace("-", ""))
    assert code == 0, out
    assert f"Seal: {seal}; public value: {PUBLIC}; seed: {sealed_seed(seal, PUBLIC)}" in out
    told = json.loads(joute(played, "--json")[1])[0]
    assert (told["seal"], told["public"]) == (seal, PUBLIC)


def test_the_line_that_was_printed_is_taken_as_it_is(played, joute, verify):
    line = joute(played)[1].splitlines()[-2]
    assert line.startswith("proof of 14 rows: ")
    for printed in (line, line.rpartition(": ")[2], line.rpartition(": ")[2].replace(" ", "-")):
        assert joute(played, "--link", printed)[0] == 0
    assert line in verify(played, "--link", line)[1]


def test_another_seal_is_told(played, joute):
    code, out = joute(played, "--sealed", OTHER)
    assert code == 1
    assert f"the contest has the seal {seal_in(played)}, not {OTHER}" in out


def test_what_is_no_seal_is_refused(played, joute):
    code, out = joute(played, "--sealed", "ABC")
    assert (code, "'ABC' is not a seal" in out) == (2, True)
    assert joute(played / "records", "--sealed", OTHER)[0] == 2


def test_a_contest_that_was_never_sealed_is_told(tmp_path, joute):
    (tmp_path / "cup.toml").write_text(
        'bots = ["builtin:random", "builtin:greedy"]\n[contest]\ngames = 2\n[game]\nsize = 4\n'
    )
    assert main(["contest", "run", str(tmp_path / "cup.toml")]) == 0
    assert joute(tmp_path / "cup.results")[0] == 0
    code, out = joute(tmp_path / "cup.results", "--sealed", OTHER)
    assert (code, "the contest was never sealed" in out) == (1, True)


def new_seal(f: Forger) -> None:
    """A rule is changed, and the seal made anew for it, as if it had been that from the start."""

    def edit(found: dict) -> None:
        found["bots"][1]["memory_mb"] = 64
        seal = found["seal"]
        with Store.in_file(f.results / "contest.sqlite") as store:
            kept = sealed_in(store)
        seal["seal"] = seal_of(sealed_terms(found, kept.seal))
        if seal["public"]:
            found["seed"] = sealed_seed(seal["seal"], seal["public"])

    f.configuration(edit)


@pytest.mark.parametrize(
    ("tamper", "told"),
    [
        (
            lambda f: f.configuration(lambda c: c["bots"][1].update(memory_mb=64), drawn=True),
            "random was changed",
        ),
        pytest.param(
            lambda f: f.configuration(lambda c: c.update(ranking="paradise"), drawn=True),
            "contest.ranking was changed",
            marks=pytest.mark.game("paradise"),
        ),
        (
            lambda f: f.configuration(lambda c: c["seal"].update(seal=OTHER)),
            f"is not what was sealed as {OTHER}: ? was changed",
        ),
        (
            lambda f: f.configuration(lambda c: c["seal"].update(public="dice 1"), drawn=True),
            "the seal and the public value make",
        ),
        (
            lambda f: f.configuration(lambda c: c.update(seal=None), drawn=True),
            "configuration 2 came into force after the seal",
        ),
        (
            lambda f: f.change("UPDATE contest SET contents = '{}' WHERE number = 1"),
            "configuration 1 has bots with other files",
        ),
    ],
)
def test_what_was_changed_since_the_seal_is_found_where_all_is_chained_anew(
    forger, joute, tamper, told
):
    tamper(forger)
    forger.link()
    forger.close()
    code, out = joute(forger.results)
    assert code == 1
    assert told in out


def test_a_seal_made_anew_for_other_bots_is_found_by_that_of_the_blackboard(forger, joute):
    seal = seal_in(forger.results)
    new_seal(forger)
    forger.link()
    forger.close()
    code, out = joute(forger.results, "--sealed", seal)
    assert code == 1
    assert "the contest has the seal" in out


def test_a_contest_that_was_sealed_again_before_it_was_drawn_is_true(tmp_path, joute):
    (tmp_path / "cup.toml").write_text(
        'bots = ["builtin:random", "builtin:greedy"]\n[contest]\ngames = 4\n[game]\nsize = 4\n'
    )
    assert main(["contest", "seal", str(tmp_path / "cup.toml")]) == 0
    first = seal_in(tmp_path / "cup.results")
    contest = played_in(
        tmp_path, ["builtin:random", "builtin:greedy"], "games = 2\n[game]\nsize = 4"
    )
    last = seal_in(tmp_path / "cup.results")
    assert joute(contest.folder, "--sealed", last)[0] == 0
    assert joute(contest.folder, "--sealed", first)[0] == 1


def test_a_contest_in_postgresql_is_sealed_drawn_played_and_true(tmp_path, server, joute):
    settings = f'store = "{server.url()}"\ngames = 2\n[game]\nsize = 4'
    contest = played_in(tmp_path, ["builtin:random", "builtin:greedy"], settings)
    assert not Path(contest.folder, "contest.sqlite").exists()
    with open_store(Path(contest.folder)) as store:
        found = sealed_in(store)
        assert found is not None
        seal = found.seal.seal
        assert store.seed() == sealed_seed(seal, PUBLIC)
    code, out = joute(contest.folder, "--sealed", seal)
    assert code == 0, out
    assert f"Seal: {seal}; public value: {PUBLIC}" in out
    assert joute(tmp_path / "cup.toml", "--sealed", seal)[0] == 0
    code, out = joute(contest.folder, "--sealed", OTHER)
    assert code == 1
    assert f"the contest has the seal {seal}, not {OTHER}" in out
