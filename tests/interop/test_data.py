import json

import numpy as np
import pyarrow.parquet
import pytest
from interop.kinds import CONNECT_FOUR, KINDS, KUHN, PENNIES

import joute
from joute.core.interface import play, start
from joute.interop.data import load, positions, save_positions, tables
from joute.library.records import GameRecord
from joute.play.record import RecordError, Writer


def contents(kind, games, seed=1):
    """The contents of the records of games between random players."""
    seats = joute.game(kind.name, **kind.values).players
    bots = [joute.bot("builtin:random", name=f"random {seat}") for seat in range(seats)]
    match = joute.match(kind.name, *bots, games=games * seats, seed=seed, **kind.values)
    return [record.content for record in match.records]


@pytest.fixture(scope="module")
def played():
    """The records of a match of Connect Four, and their contents."""
    match = joute.match(
        CONNECT_FOUR, "builtin:random", "builtin:uct?simulations=40", games=6, seed=1
    )
    return match.records, [record.content for record in match.records]


def rechained(content, change):
    """A record whose lines were changed, with a right chain."""
    writer = Writer()
    for number, text in enumerate(content.splitlines()):
        line = json.loads(text)
        del line["chain"]
        writer.write(change(number, line))
    return writer.content()


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_is_a_decision_of_a_bot_as_the_game_has_it(kind):
    found = [GameRecord(content) for content in contents(kind, 1)]
    table = positions(found)
    row = 0
    for number, record in enumerate(found):
        rules, ply = record.game.rules, 0
        state = start(rules)
        for line in record.record.plies:
            action = line["action"]
            for rank, each in enumerate(action if isinstance(action, list) else [action]):
                if line["by"] == "bot":
                    position = record.game.at(state)
                    player = position.player
                    assert np.array_equal(table.features[row], position.features(player))
                    assert np.flatnonzero(table.mask([row])[0]).tolist() == position.legal
                    assert (table.action[row], table.player[row]) == (each, player)
                    assert table.value[row] == np.float32(record.returns[player])
                    assert table.names[table.bot[row]] == record.bots[player]
                    assert table.cpu_ms[row] == np.float32(0 if rank else line["cpu_ms"])
                    assert (table.game[row], table.ply[row]) == (number, ply)
                    row += 1
                play(rules, state, each)
                ply += 1
    assert row == len(table) == len(table.ends)


def test_records_files_folders_and_contests_are_the_same(tmp_path, played):
    records, found = played
    for number, content in enumerate(found):
        (tmp_path / "kept" / str(number % 2)).mkdir(parents=True, exist_ok=True)
        (tmp_path / "kept" / str(number % 2) / f"{number}.jsonl").write_bytes(content)
    files = sorted(tmp_path.rglob("*.jsonl"))
    from_records = positions(records)
    assert equal(positions(found), from_records)
    assert equal(positions(tmp_path / "kept"), positions(files))
    assert equal(positions(files[0]), positions([str(files[0])]))
    assert equal(positions(records[0]), positions(found[0]))
    assert equal(positions(records[0]), positions(records[:1]))
    bots = [{"bot": "builtin:random"}, {"bot": "builtin:flat?simulations=20"}]
    contest = joute.contest(
        {
            "contest": {"games": 4, "seed": "one", "folder": str(tmp_path / "cup.results")},
            "game": {"name": CONNECT_FOUR},
            "bots": bots,
        }
    )
    contest.run()
    assert equal(positions(contest.folder), positions(contest.records))


def equal(one, other):
    """Whether two tables hold the same."""
    return all(np.array_equal(vars(one)[name], vars(other)[name]) for name in vars(one))


def test_a_mask_is_made_of_some_rows_or_of_all(played):
    table = positions(played[1])
    whole = table.mask()
    assert whole.shape == (len(table), 7)
    assert whole[np.arange(len(table)), table.action].all()
    assert np.array_equal(table.mask(slice(3, 20, 2)), whole[3:20:2])
    assert np.array_equal(table.mask([5, 0, 5]), whole[[5, 0, 5]])
    assert np.array_equal(table.mask(5), whole[[5]])


def test_parts_make_up_the_whole(played):
    many = played[1] * 1000
    parts, whole = list(tables(many)), positions(many)
    assert len(parts) > 2
    assert sum(map(len, parts)) == len(whole)
    assert np.array_equal(np.concatenate([part.mask() for part in parts]), whole.mask())
    assert parts[-1].game[-1] == whole.game[-1] == len(many) - 1


@pytest.mark.parametrize("ending", ["npz", "parquet"])
def test_the_same_records_give_the_same_bytes(tmp_path, played, ending):
    one, other = tmp_path / f"one.{ending}", tmp_path / f"other.{ending}"
    save_positions(played[0], one)
    save_positions(played[1], other)
    assert one.read_bytes() == other.read_bytes()


def test_a_parquet_file_holds_the_table(tmp_path, played):
    table = positions(played[1])
    table.save(tmp_path / "games.parquet")
    read = pyarrow.parquet.read_table(tmp_path / "games.parquet")
    assert read["action"].to_pylist() == table.action.tolist()
    assert read["bot"].to_pylist() == [table.names[bot] for bot in table.bot]
    assert read["legal"][0].as_py() == np.flatnonzero(table.mask([0])[0]).tolist()
    shape = [int(size) for size in read.schema.metadata[b"joute.features_shape"].split(b",")]
    rows = np.frombuffer(b"".join(read["features"].to_pylist()), np.float32)
    assert np.array_equal(rows.reshape(-1, *shape), table.features)
    assert read.schema.metadata[b"joute.actions"] == b"7"


@pytest.mark.parametrize("ending", ["npz", "parquet"])
def test_a_file_is_loaded_as_it_was_saved(tmp_path, played, ending):
    many = played[1] * 1000  # several parts
    save_positions(many, tmp_path / f"games.{ending}")
    one, other = load(tmp_path / f"games.{ending}"), positions(many)
    assert equal(one, other)
    assert all(type(vars(one)[name]) is type(value) for name, value in vars(other).items())
    assert all(
        vars(one)[name].dtype == value.dtype and vars(one)[name].flags.writeable
        for name, value in vars(other).items()
        if isinstance(value, np.ndarray)
    )


def test_a_file_that_is_no_table_is_refused(tmp_path):
    for number, content in enumerate([b"", b"nothing of the kind", b"PK\3\4 and no more"]):
        for ending in ("npz", "parquet"):
            path = tmp_path / f"{number}.{ending}"
            path.write_bytes(content)
            with pytest.raises(joute.GameError, match="no table of positions"):
                load(path)
    pyarrow.parquet.write_table(pyarrow.table({"x": [1]}), tmp_path / "other.parquet")
    np.savez(tmp_path / "other.npz", x=[1])
    for name in ("other.parquet", "other.npz"):
        with pytest.raises(joute.GameError, match="no table of positions"):
            load(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nowhere.npz")
    with pytest.raises(joute.GameError, match=r"a table is saved as \.parquet or \.npz"):
        load(tmp_path / "games.csv")


def measuring(observation, clock):
    """The first legal action; the number of legal ones where it is the smallest action."""
    legal = observation["legal"]
    figures = {"choices": len(legal), "half": 0.5} if legal[0] == 0 else {}
    return {"action": legal[0], "metrics": figures}


@pytest.mark.parametrize("ending", ["npz", "parquet"])
def test_metrics_stand_at_the_row_of_the_decision_that_they_came_with(tmp_path, ending):
    match = joute.match(CONNECT_FOUR, measuring, "builtin:random", games=2, seed=1)
    many = [record.content for record in match.records] * 600  # several parts
    save_positions(many, tmp_path / f"games.{ending}")
    whole, loaded = positions(many), load(tmp_path / f"games.{ending}")
    assert equal(whole, loaded)
    assert whole.metric_names == ["choices", "half"]
    mask = whole.mask()
    sent = (whole.bot == whole.names.index("measuring")) & mask[:, 0]
    assert np.array_equal(~np.isnan(whole.metric("choices")), sent)
    assert np.array_equal(loaded.metric("choices")[sent], mask.sum(1)[sent])
    assert set(loaded.metric("half")[sent]) == {0.5}
    assert np.isnan(whole.metric("depth")).all()


def test_a_parquet_file_has_the_metrics_of_a_row_by_name(tmp_path):
    match = joute.match(CONNECT_FOUR, measuring, "builtin:random", games=1, seed=1)
    save_positions(match.records, tmp_path / "games.parquet")
    read = pyarrow.parquet.read_table(tmp_path / "games.parquet")["metrics"].to_pylist()
    assert dict(read[0]) | dict(read[1]) == {"choices": 7.0, "half": 0.5}


def test_what_a_bot_that_failed_had_played_for_it_is_no_row(tmp_path):
    file = tmp_path / "wild.py"
    file.write_text("def play(observation, clock):\n    return 99\n")
    match = joute.match(PENNIES, str(file), "builtin:random", games=2, seed=1)
    assert match.records[0].faults
    table = positions(match.records)
    assert {table.names[bot] for bot in table.bot} == {"random"}


@pytest.mark.game("tron")
def test_an_action_that_no_search_looks_at_is_a_row_too():
    match = joute.match("tron", lambda seen, clock: 0, "builtin:random", games=2, seed=1)
    table = positions(match.records)
    driven = ~table.mask()[np.arange(len(table)), table.action]
    assert driven.any()


def test_a_record_that_is_not_true_is_refused_at_its_line(played):
    def illegal(number, line):
        return {**line, "action": 200} if number == 5 else line

    with pytest.raises(RecordError) as raised:
        positions([played[1][0], rechained(played[1][1], illegal)])
    assert raised.value.line == 6


@pytest.mark.parametrize("broken", [b"", b"{}\n", b"nothing\n{}\n", b"[]\n[]\n"])
def test_what_is_no_record_is_refused(broken):
    with pytest.raises(RecordError):
        positions([broken])


def test_records_of_other_rules_than_those_here_are_refused(played):
    def older(number, line):
        return {**line, "rules": line["rules"] - 1} if number == 0 else line

    one, other = played[1][0], rechained(played[1][1], older)
    with pytest.raises(RecordError, match="rules"):
        positions([other, one])
    with pytest.raises(joute.GameError, match="records of several games"):
        positions([one, other])


def test_records_of_several_games_are_refused(played):
    other = joute.match(KUHN, "builtin:random", lambda seen, clock: 0, games=2, seed=1).records
    with pytest.raises(
        joute.GameError,
        match="records of several games, parameters or rules, connect-four and kuhn",
    ):
        positions([*played[0], *other])


def test_no_records_and_other_files_are_refused(tmp_path, played):
    with pytest.raises(joute.GameError, match="there are no records"):
        positions(tmp_path)
    with pytest.raises(joute.GameError, match=r"a table is saved as \.parquet or \.npz"):
        save_positions(played[0], tmp_path / "games.csv")


def test_a_value_that_is_learned_from_a_table_plays():
    match = joute.match(
        CONNECT_FOUR,
        joute.bot("builtin:random"),
        joute.bot("builtin:random", name="other"),
        games=400,
        seed=5,
    )
    table = positions(match.records)
    rows = table.features.reshape(len(table), -1)
    weights = np.linalg.lstsq(rows, table.value, rcond=1e-3)[0]

    class Learned:
        def think(self, position):
            def worth(action):
                after = position.play(action)
                if after.over:
                    return after.returns[position.player]
                return -float(after.features(after.player).reshape(-1) @ weights)

            return max(position.legal, key=worth)

    assert joute.match(CONNECT_FOUR, Learned(), "builtin:random", games=40, seed=6).score > 0.6
