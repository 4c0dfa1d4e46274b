"""Messages of the command line about a Dask cluster, without one."""

import pytest
from cli.test_contest import CONTEST

from joute.cli import contest
from joute.contest.run.cluster import dask_pool
from joute.contest.run.cluster.dask_pool import REASONS, Refusal, RefusedError, SchedulerError
from joute.i18n import words


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "spring.toml"
    path.write_text(CONTEST, encoding="utf-8")
    return path


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    ("language", "said"), [("en", "no Dask scheduler answers"), ("fr", "aucun ordonnanceur Dask")]
)
def test_a_scheduler_that_does_not_answer_is_told(run, config, language, said, monkeypatch):
    monkeypatch.setattr(dask_pool, "ANSWER_SECONDS", 0.1)
    found = run("--lang", language, "contest", "run", config, "--dask", "tcp://127.0.0.1:1")
    assert found.code == 1
    assert f"joute: {said}" in found.err
    assert "tcp://127.0.0.1:1" in found.err


def test_this_machines_workers_and_those_of_a_cluster_exclude_each_other(run, config):
    found = run("contest", "run", config, "--workers", 2, "--dask", "tcp://127.0.0.1:1")
    assert found.code == 2
    assert "--workers" in found.err


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("reason", REASONS)
def test_a_refused_worker_is_named_with_the_reason(capsys, language, reason):
    words.speak(language)
    contest.print_refusal(Refusal("tcp://10.0.0.7:4123", reason, "FOUND", "WANTED"))
    words.speak("en")
    said = capsys.readouterr().err
    assert "tcp://10.0.0.7:4123" in said
    assert "FOUND" in said or "WANTED" in said


def test_it_is_said_that_nobody_is_there(capsys):
    contest.print_refusal(None)
    assert "no workers yet" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (SchedulerError("tcp://10.0.0.5:1", "no route"), "answers at tcp://10.0.0.5:1: no route"),
        (RefusedError([]), "none of the workers"),
    ],
)
def test_what_is_wrong_with_a_cluster_is_a_message(error, said):
    assert said in str(error)
