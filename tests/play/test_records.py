"""Records: written once, read back, and proved or found out at the first line that is wrong."""

import pytest
from play.playing import SEED, chained, lines_of, virus

from joute.play.record import RecordError, Writer, read_record
from joute.play.referee import play_game
from joute.play.verify import recorded_game, replay, verify_record

pytestmark = pytest.mark.game("virus")

RESULT = play_game(virus(size=3, seed=SEED))
CONTENT = RESULT.record
LINES = lines_of(CONTENT)
LAST = len(LINES)


def test_a_record_says_what_was_played():
    record = read_record(CONTENT)
    assert record.header["game"] == "virus"
    assert record.header["parameters"] == {"size": 3, "voluntary_pass": True}
    assert record.header["identity"] == RESULT.identity
    assert [bot["name"] for bot in record.header["bots"]] == ["a", "b"]
    assert SEED.encode() not in CONTENT.splitlines()[0]
    assert record.end["seed"] == SEED
    assert record.chain == RESULT.chain
    assert len(record.plies) == RESULT.plies == record.end["plies"]


def test_a_true_record_is_accepted():
    verdict = verify_record(CONTENT)
    assert (verdict.ok, verdict.line, verdict.chain) == (True, None, RESULT.chain)
    assert len(replay(read_record(CONTENT))) == RESULT.plies + 1
    assert recorded_game(read_record(CONTENT)).size == 3


@pytest.mark.parametrize("change", [lambda byte: byte ^ 1, lambda byte: byte ^ 0x80, lambda _: 10])
def test_any_one_byte_changed_is_found_on_its_line(change):
    line = 1
    for place, byte in enumerate(CONTENT):
        if change(byte) != byte:
            changed = CONTENT[:place] + bytes([change(byte)]) + CONTENT[place + 1 :]
            verdict = verify_record(changed)
            assert (verdict.ok, verdict.line) == (False, line), place
        line += byte == ord("\n")


def test_a_byte_missing_or_added_is_found():
    for place in range(0, len(CONTENT), 3):
        line = CONTENT[:place].count(b"\n") + 1
        missing = verify_record(CONTENT[:place] + CONTENT[place + 1 :])
        added = verify_record(CONTENT[:place] + b" " + CONTENT[place:])
        assert (missing.ok, missing.line) == (False, line)
        assert (added.ok, added.line) == (False, line)


def test_a_record_cut_off_anywhere_is_found():
    for length in range(len(CONTENT)):
        verdict = verify_record(CONTENT[:length])
        assert not verdict.ok
        assert verdict.line is not None


def test_a_record_cut_off_between_lines_says_so():
    lines = CONTENT.splitlines(keepends=True)
    with pytest.raises(RecordError, match="cut off"):
        read_record(b"".join(lines[:-1]))
    with pytest.raises(RecordError, match="cut off"):
        read_record(CONTENT[:-1])


@pytest.mark.parametrize("content", [b"", b"\n", b"{}\n", b"hello\n", b'{"ply":1}\n', b"\xff\n"])
def test_what_is_no_record_is_refused(content):
    assert verify_record(content).line == 1


def test_lines_exchanged_repeated_or_left_out_are_found():
    lines = CONTENT.splitlines(keepends=True)
    assert verify_record(b"".join([*lines[:2], lines[3], lines[2], *lines[4:]])).line == 3
    assert verify_record(b"".join([*lines[:3], *lines[2:]])).line == 4
    assert verify_record(b"".join([*lines[:2], *lines[3:]])).line == 3


# A record made up by someone who chains it anew: only the rules and the seed can tell.


def forged(line, **changes):
    """The verdict on the record with entries of one line (from 1) changed or, if None, missing."""
    lines = [dict(each) for each in LINES]
    lines[line - 1].update(changes)
    lines[line - 1] = {key: value for key, value in lines[line - 1].items() if value is not None}
    return verify_record(chained(lines))


def test_chaining_a_record_anew_gives_the_same_bytes():
    assert chained(LINES) == CONTENT


def test_another_outcome_of_chance_is_found():
    other = 1 - LINES[1]["action"]
    verdict = forged(2, action=other, text=f"player {other} starts")
    assert (verdict.line, str(verdict.reason)) == (2, f"action {other}, expected {1 - other}")


def test_an_action_that_is_not_legal_is_found_at_its_line():
    taken = LINES[2]["action"]
    verdict = forged(5, action=taken, text=LINES[2]["text"])
    assert verdict.line == 5
    assert "not legal" in str(verdict.reason)


@pytest.mark.parametrize(
    ("line", "changes", "words"),
    [
        (1, {"rules": 2}, "version 2 of the rules"),
        (1, {"record": 7}, "format 7"),
        (1, {"game": "go"}, "no game 'go'"),
        (1, {"parameters": {"size": 99}}, "size must be"),
        (2, {"stream": "deck"}, "is of stream 'starter'"),
        (3, {"text": "z9"}, "is not how it is written"),
        (3, {"player": 7}, "was to move"),
        (3, {"by": "chance"}, "was to move"),
        (3, {"by": "opening"}, "the opening was over"),
        (4, {"ply": 9}, "it is of ply 9, expected 2"),
        (LAST, {"returns": [0.5, -0.5]}, "the returns are"),
        (LAST, {"points": [9, 0]}, "the points are not"),
        (LAST, {"plies": 99}, "99 plies"),
        (LAST, {"ending": "forfeit"}, "the ending is not"),
        (LAST, {"forfeits": [0]}, "the forfeits are"),
        (LAST, {"seed": "ff" * 16}, "the seed is not"),
    ],
)
def test_a_made_up_entry_is_found_at_its_line(line, changes, words):
    verdict = forged(line, **changes)
    assert (verdict.ok, verdict.line) == (False, line)
    assert words in str(verdict.reason)


@pytest.mark.parametrize("line", range(1, LAST + 1))
def test_an_entry_missing_or_of_another_kind_is_found_at_its_line(line):
    needed = {
        1: ["record", "game", "parameters", "rules", "opening", "commitment"],
        LAST: ["ending", "forfeits", "returns", "points", "plies", "seed"],
    }.get(line, ["ply", "by", "action", "text"])
    for key in needed:
        assert forged(line, **{key: None}).line == line, key
        if key == "commitment":
            continue  # what it is a commitment to stands on the last line
        for strange in ("strange", [1], {"a": 1}, -7):
            assert not forged(line, **{key: strange}).ok, (key, strange)
            assert forged(line, **{key: strange}).line == line, (key, strange)


@pytest.mark.parametrize("key", ["game", "parameters", "source"])
def test_a_game_told_as_something_else_is_refused_before_it_is_made(key):
    for strange in ([1], {"a": 1}, -7):
        if key != "parameters" or not isinstance(strange, dict):
            with pytest.raises(RecordError, match=f"line 1.*{key}"):
                recorded_game(read_record(chained([{**LINES[0], key: strange}, *LINES[1:]])))


def test_the_file_that_a_record_names_as_its_game_is_not_imported(tmp_path):
    ran, file = tmp_path / "ran", tmp_path / "evil.py"
    file.write_text(f"open({str(ran)!r}, 'w')\n", encoding="utf-8")
    for path in (str(file), file.name, "./evil.py"):
        verdict = forged(1, game=path)
        assert (verdict.line, "no game" in str(verdict.reason)) == (1, True)
    assert not ran.exists()


def test_a_game_that_goes_on_after_its_end_or_stops_before_is_found():
    extra = {**LINES[-2], "ply": LINES[-2]["ply"] + 1}
    longer = verify_record(chained([*LINES[:-1], extra, LINES[-1]]))
    assert (longer.line, str(longer.reason)) == (LAST, "the game was over")
    shorter = verify_record(chained([*LINES[:-2], LINES[-1]]))
    assert (shorter.line, str(shorter.reason)) == (LAST - 1, "the game was not over")


def test_an_opening_is_proved_by_the_seed():
    content = play_game(virus(size=5, opening=(2, 2))).record
    lines = lines_of(content)
    assert [line["by"] for line in lines[1:5]] == ["chance", "opening", "opening", "bot"]
    assert verify_record(content).ok
    lines[3].update(action=7, text="c2", by="bot")
    assert verify_record(chained(lines)).line == 4
    lines[3].update(action=24, text="e5", by="opening")
    assert verify_record(chained(lines)).line == 4


def failing():
    """The lines of a game in which player 0 first failed a turn and then lost the game."""
    answers = iter([10**6, 10**6])
    costs = {"illegal": "turn", "crash": "game"}
    spec = virus("human", "builtin:greedy", costs=costs)
    lines = lines_of(play_game(spec, lambda *_: next(answers, "pass")).record)
    line = next(number for number, each in enumerate(lines) if "fault" in each)
    return lines, line


def test_faults_and_their_costs_are_checked():
    lines, index = failing()
    assert verify_record(chained(lines)).ok
    for change, words in [
        ({"cost": "nothing"}, "its cost is unknown"),
        ({"by": "referee"}, "not a bot’s"),
        ({"by": "someone"}, "nobody is called 'someone'"),
        ({"cost": "game"}, "a bot had lost the game"),
        ({"action": 5, "text": "b2"}, "action 5, expected 16"),
    ]:
        forged_lines = [dict(line) for line in lines]
        forged_lines[index].update(change)
        verdict = verify_record(chained(forged_lines))
        # A fault that costs the game shows when somebody goes on.
        assert verdict.line == index + 1 + (change == {"cost": "game"})
        assert words in str(verdict.reason)


def test_the_referee_plays_for_nobody_who_can_play():
    verdict = forged(3, by="referee", action=9, text="pass")
    assert (verdict.ok, verdict.line) == (False, 3)
    assert "cannot have been played by the referee" in str(verdict.reason)


def test_a_writer_chains_each_line_to_all_before():
    first, second = Writer(), Writer()
    first.write({"a": 1})
    second.write({"a": 2})
    first.write({"b": 1})
    second.write({"b": 1})
    assert first.chain != second.chain
    assert first.content().endswith(b'{"b":1,"chain":"' + first.chain.encode() + b'"}\n')
