"""Training can stop anywhere and be resumed to the same end; only better weights are kept."""

import json
import re

import numpy as np
import pytest

from joute.games.virus import learning as virus
from joute.learn import self_play, training
from joute.learn.self_play import Promotion
from joute.learn.training import (
    LearningError,
    Paused,
    TrainingRequest,
    command,
    folder_of,
    learn,
    seed_of,
    trainer_of,
)

pytestmark = pytest.mark.game("virus")

REQUEST = TrainingRequest(game="virus", seed="1", rounds=2, games=20, simulations=10, scratch=True)
TRAINER = trainer_of("virus")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Batches of a few games, and tests of a few pairs."""
    monkeypatch.setattr(training, "BATCH", 7)
    monkeypatch.setattr(self_play, "SIMULATIONS_TESTED", 20)
    monkeypatch.setattr(self_play, "MOST_PAIRS", 2)


def follow(out, request=REQUEST, **options):
    """The rounds of a training, and how many games each of its steps had played."""
    played = []
    found = list(learn(request, out, progress=lambda done, _: played.append(done), **options))
    return found, played


def judged(monkeypatch, verdict):
    """Lets every test of a training end like this."""
    monkeypatch.setattr(virus, "promoted", lambda *_: verdict)


def always_better(monkeypatch):
    judged(monkeypatch, Promotion(True, 1, 1.0))


def test_training_that_stopped_is_resumed_to_the_same_end(tmp_path, monkeypatch):
    always_better(monkeypatch)
    rounds, played = follow(tmp_path / "whole.npz")
    assert played == [7, 14, 20, 27, 34, 40]
    assert [one.number for one in rounds] == [1, 2]
    halves = tmp_path / "halves.npz"
    with pytest.raises(Paused):
        follow(halves, stop=0)
    assert len(list(folder_of(halves).glob("games-*.npz"))) < 6
    assert not halves.exists()
    assert follow(halves, resume=True, workers=2)[0] == rounds
    weights = [virus.load(tmp_path / name) for name in ("whole.npz", "halves.npz")]
    assert np.array_equal(*weights)
    assert not np.array_equal(weights[0], TRAINER.first_weights())


def test_training_can_be_given_more_rounds(tmp_path, monkeypatch):
    always_better(monkeypatch)
    short = TrainingRequest(game="virus", seed="1", games=20, simulations=10, scratch=True)
    [first], _ = follow(tmp_path / "w.npz", short)
    rounds, _ = follow(tmp_path / "w.npz", resume=True)
    assert rounds[0] == first
    assert len(rounds) == 2


def test_weights_that_are_not_better_are_not_written(tmp_path, monkeypatch):
    judged(monkeypatch, Promotion(False, 9, 0.5))
    rounds, _ = follow(tmp_path / "w.npz")
    assert [one.promoted for one in rounds] == [False, False]
    assert not (tmp_path / "w.npz").exists()


def test_training_is_not_begun_twice_by_mistake(tmp_path):
    out = tmp_path / "w.npz"
    with pytest.raises(Paused):
        follow(out, stop=0)
    assert seed_of(out) == "1"
    with pytest.raises(LearningError, match="there is a course already; --resume goes on with it"):
        follow(out)
    other = TrainingRequest(game="virus", seed="2", games=20)
    with pytest.raises(LearningError, match="this course is `joute learn virus --rounds 2 --games"):
        follow(out, other, resume=True)
    (folder_of(out) / "course.json").write_text("{}")
    with pytest.raises(LearningError, match=r"course\.json: this is no course"):
        follow(out, resume=True)


def test_a_request_is_told_as_a_command_line():
    expected = "joute learn virus --rounds 2 --games 20 --simulations 10 --seed 1 --scratch"
    assert command(REQUEST) == expected


def test_a_seed_of_several_words_is_one_word_of_the_command():
    asked = TrainingRequest(game="virus", seed="my seed")
    assert command(asked).endswith("--seed 'my seed'")


@pytest.mark.parametrize("name", ["games-001-000007.npz", "round-001.json", "weights-001.npz"])
@pytest.mark.parametrize("kept", [0, 60])
def test_a_damaged_file_is_named_and_made_again_once_deleted(tmp_path, monkeypatch, name, kept):
    always_better(monkeypatch)
    out = tmp_path / "w.npz"
    short = TrainingRequest(game="virus", seed="1", games=20, simulations=10, scratch=True)
    rounds, _ = follow(out, short)
    file = folder_of(out) / name
    file.write_bytes(file.read_bytes()[:kept])
    if name.startswith("games"):  # read again for the fit of a round that has no end
        (folder_of(out) / "round-001.json").unlink()
    with pytest.raises(LearningError, match=f"{name}: this file of the course is damaged"):
        follow(out, short, resume=True)
    file.unlink()
    assert follow(out, short, resume=True)[0] == rounds


def test_what_was_not_begun_cannot_be_resumed(tmp_path):
    with pytest.raises(LearningError, match="there is no course to go on with"):
        follow(tmp_path / "w.npz", resume=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("out", "said"), [(".", "is a folder"), ("no/w.npz", "is no folder")])
def test_where_weights_cannot_go_is_said_before_a_game_is_played(run, tmp_path, out, said):
    outcome = run("learn", "virus", "--games", 20, "--out", tmp_path / out)
    assert (outcome.code, outcome.out) == (2, "")
    assert "--out: " in outcome.err and said in outcome.err
    assert list(tmp_path.iterdir()) == []


def test_a_round_is_told_in_french_figures(run, tmp_path):
    words = ("learn", "virus", "--games", 20, "--simulations", 10, "--seed", 1)
    told = run(*words, "--out", tmp_path / "w.npz", "--lang", "fr").out
    assert re.search(r"perte 0,\d{4}\u202f; \d+,\d\u202f% de ", told)


@pytest.mark.game("tron")
def test_a_game_without_an_evaluation_to_learn_is_refused():
    with pytest.raises(LearningError, match=r"tron has no evaluation that can be learned"):
        trainer_of("tron")


def test_better_weights_win_the_test_and_equal_ones_do_not(monkeypatch):
    monkeypatch.setattr(self_play, "MOST_PAIRS", 40)
    good, bad = TRAINER.first_weights(), -TRAINER.first_weights()
    assert TRAINER.promoted(good, bad, 1).better
    lost = TRAINER.promoted(bad, good, 1)
    assert not lost.better
    assert lost.score < 0.1
    assert lost.pairs < 40


@pytest.mark.game("tron")
def test_learning_on_the_command_line_says_how_it_went_and_how_to_go_on(run, tmp_path):
    out = tmp_path / "w.npz"
    words = ("learn", "virus", "--games", 20, "--simulations", 10, "--seed", 1, "--out", out)
    stopped = run(*words, "--seconds", 0)
    assert stopped.code == 3
    assert "--resume continues from" in stopped.err
    ended = run(*words, "--resume")
    assert ended.code == 1
    assert "round 1: fitted to" in ended.out
    assert "no better weights were found (seed 1)" in ended.out
    again = run(
        "learn", "virus", "--games", 20, "--simulations", 10, "--out", out, "--resume", "--json"
    )
    assert again.code == 1
    assert json.loads(again.out)["seed"] == "1"
    assert run(*words).code == 2
    assert run("learn", "tron").code == 2
