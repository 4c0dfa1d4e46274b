import json
import re
from pathlib import Path

import pytest

from joute.core.registry import names
from joute.host import Granted, Level
from joute.host.runtimes import Started
from joute.host.sandbox import REASONS, Missing
from joute.host.sandbox.call_numbers import REVIEWED
from joute.i18n.words import LANGUAGES, catalog


@pytest.mark.game("virus")
def test_games_lists_every_game_with_its_parameters_and_properties(run):
    outcome = run("games")
    assert outcome.code == 0
    for name in names():
        assert name in outcome.out
    for text in ("size=10", "voluntary_pass=true", "players", "zero-sum", "plies, at most"):
        assert text in outcome.out


@pytest.mark.game("virus")
def test_games_can_show_one_and_speak_french(run):
    outcome = run("games", "virus", "--lang", "fr")
    assert "joueurs" in outcome.out
    assert "à somme nulle" in outcome.out


@pytest.mark.game("virus")
def test_games_as_json_have_what_a_program_needs(run):
    [virus] = [each for each in json.loads(run("games", "--json").out) if each["name"] == "virus"]
    assert virus["parameters"] == {"size": 10, "voluntary_pass": True}
    assert virus["players"] == 2
    assert virus["opening_plies"] == [2, 4]


@pytest.mark.game("virus")
def test_one_game_as_json_has_its_rules_bots_and_levels_too(run):
    [virus] = json.loads(run("games", "virus", "--json").out)
    first = virus["rules"].splitlines()[0]
    assert len(first) > 120 and first.endswith(".")  # a paragraph is a line
    assert "greedy" in virus["bots"] and "random" in virus["levels"]
    [french] = json.loads(run("games", "virus", "--json", "--lang", "fr").out)
    assert french["rules"] != virus["rules"]


def test_doctor_names_versions_machine_cache_store_and_limits(run, tmp_path, monkeypatch):
    monkeypatch.setenv("JOUTE_CACHE", str(tmp_path / "not" / "there" / "yet"))
    outcome = run("doctor")
    assert outcome.code == 0
    for name in ("Python", "joute", "numba", "numpy", "cores", "memory", "database"):
        assert name in outcome.out
    assert "not/there/yet  ok" in outcome.out
    assert "a bot’s memory" in outcome.out


def test_doctor_writes_memory_as_french_does(run):
    assert re.search(r"^mémoire +\d+,\d Gio$", run("doctor", "--lang", "fr").out, re.MULTILINE)


def test_doctor_as_json_is_the_same_list(run):
    found = {each["key"]: each for each in json.loads(run("doctor", "--json").out)}
    assert int(found["cores"]["value"]) >= 1
    assert found["store"]["ok"] is True


def test_doctor_fails_where_compiled_code_cannot_be_kept(run, tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    monkeypatch.setenv("JOUTE_CACHE", str(blocked / "cache"))
    outcome = run("doctor")
    assert outcome.code == 1
    assert "failed" in outcome.out


def test_doctor_lists_the_languages_that_start_as_bots_and_why_another_does_not(run, monkeypatch):
    found = [Started("Node.js", ""), Started("Perl", ""), Started("R", "too few open files")]
    monkeypatch.setattr("joute.host.runtimes.started", lambda: iter(found))
    outcome = run("doctor")
    assert outcome.code == 0
    assert re.search(r"languages +Node\.js, Perl\n", outcome.out)
    assert "R does not start as a bot: too few open files" in outcome.out
    assert "a remedy: see whether it starts outside of Joute" in outcome.out
    monkeypatch.setattr("joute.host.runtimes.started", lambda: iter(()))
    assert "none but Python and compiled programs" in run("doctor").out


LACKING = Granted(
    Level.LIMITS,
    (Missing(Level.KERNEL, "landlock", "5.4"), Missing(Level.FULL, "bubblewrap", "")),
)


def test_doctor_says_what_isolation_holds_what_is_missing_and_what_would_help(run, monkeypatch):
    monkeypatch.setattr("joute.host.sandbox.granted", lambda: LACKING)
    outcome = run("doctor")
    assert outcome.code == 0
    assert "a bot’s memory and the length of its files are limited  ok" in outcome.out
    assert "missing: this kernel (5.4) has no Landlock" in outcome.out
    assert "a remedy: install the package bubblewrap" in outcome.out
    assert "only those that you trust" in outcome.out
    french = run("doctor", "--lang", "fr").out
    assert "absent\u202f: ce noyau (5.4) n’a pas Landlock" in french
    assert "remède\u202f: installer le paquet bubblewrap" in french


def test_doctor_as_json_names_the_level_and_the_remedies(run, monkeypatch):
    monkeypatch.setattr("joute.host.sandbox.granted", lambda: LACKING)
    found = {each["key"]: each for each in json.loads(run("doctor", "--json").out)}
    assert found["isolation"]["value"] == "limits"
    assert found["isolation_limits"]["ok"] is True
    assert found["isolation_kernel"]["ok"] is None
    assert "Linux 5.13" in found["isolation_kernel"]["remedy"]


def test_where_everything_holds_anybodys_bots_can_be_run(run, monkeypatch):
    monkeypatch.setattr("joute.host.sandbox.granted", lambda: Granted(Level.FULL, ()))
    monkeypatch.setattr("joute.host.sandbox.groups.ground", lambda: Path("/groups"))
    out = run("doctor").out
    assert "anyone’s: the isolation holds here" in out
    assert "all processes of a bot together have its memory  ok" in out
    assert "missing" not in out
    assert "counted with a bot’s memory at level full" in out


def test_doctor_says_what_only_control_groups_count_and_which_calls_are_reviewed(run, monkeypatch):
    monkeypatch.setattr("joute.host.sandbox.granted", lambda: Granted(Level.KERNEL, ()))
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    out = run("doctor").out
    assert "not counted: what lies in sockets and pipes" in out
    assert f"of x86_64 may be made by a Python bot; reviewed on {REVIEWED}" in out
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert "nobody has reviewed those of riscv64" in run("doctor").out


def test_what_is_not_held_together_is_not_claimed_to_be(run, monkeypatch):
    monkeypatch.setattr("joute.host.sandbox.granted", lambda: Granted(Level.FULL, ()))
    monkeypatch.setattr("joute.host.sandbox.groups.ground", lambda: None)
    outcome = run("doctor")
    assert outcome.code == 0
    assert "missing: each process of a bot has its whole memory" in outcome.out
    assert "systemd-run --user --scope joute" in outcome.out


def test_below_the_jail_it_says_which_processes_stay(run, monkeypatch):
    monkeypatch.setattr("joute.host.sandbox.granted", lambda: LACKING)
    assert "except those that hide: out of its session" in run("doctor").out
    monkeypatch.setattr("joute.host.sandbox.granted", lambda: Granted(Level.KERNEL, ()))
    assert "all are ended with the bot, and stopped" in run("doctor").out


def test_a_level_of_no_name_is_a_usage_error(run, monkeypatch):
    monkeypatch.setenv("JOUTE_ISOLATION", "strict")
    outcome = run("doctor")
    assert outcome.code == 2
    assert "JOUTE_ISOLATION='strict': expected one of none, limits, kernel, full" in outcome.err


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_for_a_missing_level_has_its_words_and_its_remedy(language):
    sentences = catalog(language)
    for reason in REASONS:
        assert {f"doctor.lacks_{reason}", f"doctor.remedy_{reason}"} <= set(sentences)
