"""Games that others watch: what lies in their files while they are played, and after."""

import json
import pickle

import pytest

from joute.play.broadcast import Broadcast, Broadcaster, broadcasts, swept
from joute.play.game import GameSpec, SeatSpec
from joute.play.record import read_record
from joute.play.referee import play_game

SPEC = GameSpec(
    game="virus",
    parameters={"size": 4},
    bots=(SeatSpec(name="ann", bot="builtin:random"), SeatSpec(name="bob", bot="builtin:greedy")),
    seed="1",
)


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.game("virus")
def test_a_game_lies_in_its_file_as_far_as_it_has_come(tmp_path):
    seen = []
    with Broadcast(tmp_path, SPEC, after=0.0) as broadcast:
        (path,) = broadcasts(tmp_path)

        def hear(line):
            broadcast.hear(line)
            seen.append(len(lines(path)))

        result = play_game(SPEC, watch=hear)
        with path.open() as kept:
            broadcast.end(result)
            broadcast.close()
            assert not path.exists()
            head, *rest = [json.loads(line) for line in kept]
    assert seen == [*range(2, result.plies + 2)]
    assert [bot["name"] for bot in head["bots"]] == ["ann", "bob"] and head["game"] == "virus"
    assert rest[:-1] == read_record(result.record).plies
    assert (rest[-1]["ending"], rest[-1]["identity"]) == (result.ending, result.identity)


def test_a_quick_game_leaves_no_trace(tmp_path):
    clock = Clock()
    with Broadcast(tmp_path / "live", SPEC, after=1.0, clock=clock) as broadcast:
        broadcast.hear({"ply": 0})
        assert not (tmp_path / "live").exists()
        clock.now = 1.0
        broadcast.hear({"ply": 1})
        (path,) = broadcasts(tmp_path / "live")
        assert [line.get("ply") for line in lines(path)] == [None, 0, 1]


@pytest.mark.game("virus")
def test_without_a_folder_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Broadcast(None, SPEC, after=0.0) as broadcast:
        broadcast.hear({"ply": 0})
        broadcast.end(play_game(SPEC))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.game("virus")
def test_a_folder_that_cannot_be_written_costs_no_game(tmp_path):
    (tmp_path / "file").touch()
    result = Broadcaster(tmp_path / "file" / "live", after=0.0)(SPEC)
    assert result.record == play_game(SPEC).record or result.returns == play_game(SPEC).returns


@pytest.mark.game("virus")
def test_whoever_plays_for_watchers_can_be_sent_to_a_process(tmp_path):
    player = pickle.loads(pickle.dumps(Broadcaster(tmp_path, after=0.0)))
    assert player(SPEC).returns == play_game(SPEC).returns
    assert list(tmp_path.iterdir()) == []


@pytest.mark.game("virus")
def test_a_game_that_fails_is_watched_no_more(tmp_path):
    wrong = SPEC.__class__(game="virus", parameters={"size": 4}, bots=(), seed="1")
    with pytest.raises(ValueError, match="2 seats"):
        Broadcaster(tmp_path, after=0.0)(wrong)
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_neither_shown_nor_kept(tmp_path):
    with Broadcast(tmp_path, SPEC, after=0.0):
        (tmp_path / "left.jsonl").write_text("{}\n")
        (path,) = broadcasts(tmp_path)
        assert path.name != "left.jsonl"
        swept(tmp_path)
        assert [*tmp_path.iterdir()] == [path]
    assert list(broadcasts(tmp_path / "nowhere")) == []
    swept(tmp_path / "nowhere")
