"""Records that lack the words of some bots: what is left out, and what is still proved."""

import json

import pytest
from helpers import english_words

from joute.i18n.words import speaking
from joute.play.game import GameSpec, SeatSpec
from joute.play.record import RecordError, Writer, read_record
from joute.play.referee import play_game
from joute.play.verify import verify_record
from joute.play.withheld import without_words

pytestmark = pytest.mark.game("virus")

TALKS = """
def play(observation, clock):
    print("printed by NAME")
    if observation["scores"][0] + observation["scores"][1] == 6:
        raise KeyError("error of NAME")
    return {"action": observation["legal"][0], "message": "said by NAME"}
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A game between two bots that talk and fail."""
    folder = tmp_path_factory.mktemp("talkers")
    seats = []
    for name in ("ann", "bob"):
        path = folder / f"{name}.py"
        path.write_text(TALKS.replace("NAME", name))
        seats.append(SeatSpec(name=name, bot=str(path)))
    spec = GameSpec(game="virus", parameters={"size": 4}, bots=tuple(seats), seed="a" * 32)
    return play_game(spec).record


def test_only_the_words_of_the_readable_bots_are_left(whole):
    assert b"said by bob" in whole and b"error of bob" in whole
    text = without_words(whole, {"ann"}).decode()
    assert "by bob" not in text and "error of bob" not in text
    assert text.count("said by ann") == whole.decode().count("said by ann") > 0
    assert "error of ann" in text and "printed by ann" in text


def test_no_folder_of_the_machine_is_left(whole, tmp_path_factory):
    text = without_words(whole, set()).decode()
    assert str(tmp_path_factory.getbasetemp()) not in text
    bots = [bot["bot"] for bot in json.loads(text.splitlines()[0])["bots"]]
    assert bots == ["ann.py", "bob.py"]


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("../ac2ab2301603ee4f/1/bot.py", "bot.py"),
        ("../../bot.zip", "bot.zip"),
        ("bots/mine.py", "bots/mine.py"),
        ("python3 /home/ann/bot.py --fast", "python3 bot.py --fast"),
        ("builtin:greedy", "builtin:greedy"),
    ],
)
def test_a_path_that_leads_out_of_the_contest_s_folder_is_that_of_the_file(path, shown):
    (bot,) = json.loads(without_words(headed(path, "a" * 32), None))["bots"]
    assert bot == {"name": "ann", "bot": shown, "content": "a" * 32}


def test_only_the_readable_and_the_built_in_bots_have_their_files():
    record = headed("../1/bot.py", "a" * 32, "../2/bot.py", "b" * 32, "builtin:random", "c" * 32)
    shown = json.loads(without_words(record, None, {"ann"}))
    assert shown["withheld"] == ["bots"]
    assert [(bot["bot"], bot["content"]) for bot in shown["bots"]] == [
        ("bot.py", "a" * 32),
        ("", ""),
        ("builtin:random", "c" * 32),
    ]


def headed(*files):
    """The header of a record of bots of these paths and hashes."""
    names = ("ann", "bob", "eve")
    pairs = zip(names, files[::2], files[1::2], strict=False)
    bots = [{"name": name, "bot": path, "content": content} for name, path, content in pairs]
    writer = Writer()
    writer.write({"record": 2, "bots": bots})
    return writer.content()


def test_a_record_that_lacks_words_ends_with_the_hash_of_the_whole(whole):
    partial = without_words(whole, {"ann"})
    verdict = verify_record(partial, partial=True)
    assert verdict.ok and verdict.chain == verify_record(whole).chain
    lines = [json.loads(line) for line in partial.splitlines()]
    lacking = [number for number, line in enumerate(lines, start=1) if "withheld" in line]
    assert verdict.withheld == lacking
    assert {line["player"] for line in lines[1:] if "withheld" in line} == {1}


def test_it_proves_nothing_where_a_whole_record_is_wanted(whole):
    verdict = verify_record(without_words(whole, {"ann"}))
    assert not verdict.ok and verdict.line == 1


def test_a_line_that_lacks_nothing_is_proved_as_ever(whole):
    lines = without_words(whole, {"ann"}).splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if b"said by ann" in line)
    lines[at] = lines[at].replace(b"said by ann", b"said by eve")
    with pytest.raises(RecordError) as error:
        read_record(b"".join(lines), partial=True)
    assert error.value.line == at + 1


def test_an_action_that_the_rules_forbid_is_found_in_a_line_that_lacks_words(whole):
    lines = without_words(whole, {"ann"}).splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if b'"withheld":["message"' in line)
    action = json.loads(lines[at])["action"]
    lines[at] = lines[at].replace(b'"action":%d' % action, b'"action":0')
    verdict = verify_record(b"".join(lines), partial=True)
    assert not verdict.ok and verdict.line == at + 1
    with speaking("fr"):
        assert not english_words(str(verdict.reason))


def test_a_record_without_words_to_withhold_stays_as_it_is():
    seats = tuple(SeatSpec(name=name, bot="builtin:random") for name in ("one", "two"))
    spec = GameSpec(game="virus", parameters={"size": 4}, bots=seats, seed="b" * 32)
    record = play_game(spec).record
    assert without_words(record, set()) == record
