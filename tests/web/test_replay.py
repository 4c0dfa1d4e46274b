"""The parts of a replay: highlights, clocks, curves, and who is shown what."""

from threading import Event

import pytest
from web.recorded_games import GAMES, TRACEBACK, builtin, crash, forged, scripted

from joute.core.interface import mover
from joute.i18n.words import speaking
from joute.play.record import RecordError, read_record
from joute.web.replays import recorded
from joute.web.replays.analysis import WAITING, Evaluator, value_curve
from joute.web.replays.highlights import leader
from joute.web.replays.recorded import read_recorded, sent


def shown(record):
    return sent(read_recorded(record), "games/x y.jsonl")


@pytest.mark.game("virus")
def test_a_fault_is_marked_where_it_happened_with_what_was_said_and_what_it_means():
    data = shown(scripted({}, {2: crash(output="I was here")}))
    [mark] = [each for each in data["marks"] if each["kind"] == "fault"]
    position = data["positions"][mark["number"]]
    [event] = [each for each in position["events"] if "fault" in each]
    assert mark["player"] == event["player"] == 1
    assert mark["text"] == f"Ply {position['ply']}: bob fails: crash."
    assert mark["detail"] == event["detail"] == TRACEBACK and event["output"] == "I was here"
    assert mark["meaning"].startswith("The program stopped") and "turn is lost" in mark["cost"]
    assert event["ply"] == mark["ply"] == position["ply"]


@pytest.mark.game("virus")
def test_a_resignation_is_marked():
    data = shown(scripted({1: {"resigned": True}}, {}))
    assert [each["text"].split(": ")[1] for each in data["marks"]] == ["ann resigns."]
    assert [each["kind"] for each in data["marks"]] == ["resigned"]  # it is no fault
    assert data["outcome"][0].startswith("ended by resignation")


@pytest.mark.game("vampires")
@pytest.mark.parametrize(
    ("language", "none"), [("en", ": 0 points, lost"), ("fr", "\u202f: 0 point, défaite")]
)
def test_the_points_of_the_outcome_are_counted_as_the_language_does(language, none):
    with speaking(language):
        assert any(line.endswith(none) for line in shown(builtin("vampires"))["outcome"])


@pytest.mark.game("virus")
def test_a_turn_that_took_most_of_its_time_is_marked_as_slow_and_others_are_not():
    data = shown(scripted({1: {"cpu_ms": 8100.0}, 2: {"cpu_ms": 7900.0}}, {}))
    assert [(each["kind"], each["player"]) for each in data["marks"]] == [("slow", 0)]
    assert "ann takes 8.1 s of 10 s" in data["marks"][0]["text"]


@pytest.mark.game("virus")
def test_words_are_marked_unless_their_bot_speaks_all_the_time():
    talking = {turn: {"message": "still here"} for turn in range(30)}
    data = shown(scripted(talking, {1: {"message": "a trap"}}))
    assert [(each["kind"], each["player"]) for each in data["marks"]] == [("message", 1)]
    said = [e["message"] for p in data["positions"] for e in p["events"] if "message" in e]
    assert "a trap" in said and said.count("still here") > 5


@pytest.mark.game("virus")
def test_the_clocks_add_up_what_was_used_and_draw_on_the_bank_beyond_the_time_of_a_turn():
    limits = {"move_seconds": 1.0, "bank_seconds": 5.0, "increment_seconds": 0.5}
    data = shown(scripted({1: {"cpu_ms": 3000.0}}, {}, **limits))
    ann = [clocks[0] for clocks in data["clocks"]]
    after = [used for used, _ in ann].index(3010.0)
    assert ann[0] == [0.0, 5.0]
    assert ann[after - 1] == [10.0, 5.5] and ann[after] == [3010.0, 4.0]


@pytest.mark.game("virus")
def test_the_curve_is_the_lead_of_the_first_of_two_seats():
    data = shown(builtin("virus"))
    [line] = data["curve"]["series"]
    assert line == [p["points"][0] - p["points"][1] for p in data["positions"]]
    assert data["curve"]["reach"] == max(map(abs, line))


@pytest.mark.game("love-letter")
def test_more_seats_have_a_line_each():
    data = shown(builtin("love-letter"))
    assert data["curve"]["series"][2] == [p["points"][2] for p in data["positions"]]
    assert len(data["curve"]["series"]) == 3


@pytest.mark.parametrize("game", ["virus", "paradise"])
def test_the_decisive_ply_is_the_one_after_which_the_leader_stays_ahead(game):
    data = shown(builtin(game))
    [line] = data["curve"]["series"]
    [mark] = data["curve"]["decisive"]
    winner = leader([line[-1]])
    assert mark["player"] == winner
    assert all(leader([value]) == winner for value in line[mark["number"] :])
    assert leader([line[mark["number"] - 1]]) != winner


@pytest.mark.parametrize(
    ("values", "ahead"),
    [([3.0], 0), ([-1.0], 1), ([0.0], None), ([None], None), ([1, 2, 0], 1), ([2, 2, 0], None)],
)
def test_who_is_ahead_is_the_one_with_most(values, ahead):
    assert leader(values) == ahead


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_sent_with_all_its_plies(game):
    record = builtin(game)
    data = shown(record)
    plies = sum(
        len(line["action"]) if isinstance(line["action"], list) else 1
        for line in read_record(record).plies
        if "action" in line
    )
    assert data["positions"][-1]["ply"] == plies and data["positions"][-1]["ending"] == "finished"
    assert len(data["clocks"]) == len(data["positions"]) == data["positions"][-1]["number"] + 1
    assert data["commands"]["see"] == "joute replay 'games/x y.jsonl' --at {ply}"


@pytest.mark.game("love-letter", "virus")
def test_where_cards_are_hidden_each_seat_has_what_it_was_told_itself():
    data = shown(builtin("love-letter"))
    for position in data["positions"]:
        assert set(position["seen"]) == set(position["told"]) == {"0", "1", "2"}
    open_draws = [
        (event["text"], [told[seat] for seat in "012"])
        for position in data["positions"]
        for told in [position["told"]]
        for event in position["events"]
        if event["by"] == "chance" and "player 1 draws" in event["text"]
    ]
    assert open_draws
    for text, told in open_draws:
        assert [any(event["text"] == text for event in each) for each in told] == [
            False,
            True,
            False,
        ]
    assert "told" not in shown(builtin("virus"))["positions"][0]


@pytest.mark.game("virus")
def test_a_record_that_was_changed_is_refused_with_its_line():
    content = builtin("virus").replace(b'"text":"', b'"text":"x', 3)
    with pytest.raises(RecordError) as refused:
        read_recorded(content)
    assert refused.value.line == 2


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda lines: lines[0]["limits"].pop("move_seconds"), 1),
        (lambda lines: lines[0]["limits"].update(move_seconds="long"), 1),
        (lambda lines: lines[0]["limits"].update(bank_seconds=-1), 1),
        (lambda lines: lines[0]["bots"].pop(), 1),
        (lambda lines: lines[0]["bots"][0].update(name=["ann"]), 1),
        (lambda lines: lines[0]["bots"][0].update(name="x" * 201), 1),
        (lambda lines: lines[0].pop("costs"), 1),
        (lambda lines: lines[2].update(cpu_ms="1"), 3),
        (lambda lines: lines[2].pop("cpu_ms"), 3),
        (lambda lines: lines[2].update(message={"a": 1}), 3),
        (lambda lines: lines[2].update(fault="boredom", cost="turn", detail=""), 3),
    ],
)
def test_a_record_that_is_true_but_cannot_be_shown_is_refused_with_its_line(change, line):
    with pytest.raises(RecordError) as refused:
        read_recorded(forged(scripted({}, {}), change))
    assert refused.value.line == line


@pytest.mark.game("virus")
def test_a_game_too_large_for_the_memory_is_refused(monkeypatch):
    monkeypatch.setattr(recorded, "MOST_VALUES", 100)
    with pytest.raises(RecordError, match="values, at most 100 are shown"):
        read_recorded(builtin("virus"))


@pytest.mark.game("virus")
def test_a_record_forged_without_a_change_is_shown():
    assert read_recorded(forged(builtin("virus"), lambda lines: None)).record


# Evaluations by a search.


def finished(judges, recorded):
    """The values once they are all there."""
    judged = judges.of(recorded)
    judges.close()
    return judged


@pytest.mark.game("virus")
def test_a_judge_gives_every_position_a_value_for_the_first_seat():
    asked = []

    def judge(game, state, player):
        asked.append(player)
        return "sage", 0.5

    recorded = read_recorded(builtin("virus"))
    judged = finished(Evaluator(judge), recorded)
    curve = value_curve(judged, recorded)
    choices = [step.mover for step in recorded.steps if step.mover >= 0]
    assert judged.done and asked == choices
    [line] = curve["series"]
    assert line[0] is None  # before it is drawn who begins
    for step, value in zip(recorded.steps, line, strict=True):
        if step.mover >= 0:
            assert value == (0.5 if step.mover == 0 else -0.5)
    assert line[-1] == recorded.record.end["returns"][0]
    assert curve["by"] == "as sage sees it, from \N{MINUS SIGN}1 to 1" and curve["reach"] == 1.0


@pytest.mark.game("tron")
def test_a_round_is_judged_once_both_have_moved_by_what_each_expects():
    asked = []

    def judge(game, state, player):
        asked.append(player)
        assert mover(game, state) == player
        return "sage", -0.5 if player == 0 else 0.1

    recorded = read_recorded(builtin("tron"))
    curve = value_curve(finished(Evaluator(judge), recorded), recorded)
    [line] = curve["series"]
    # But for the start, in the last round, in which one has no choice left, and at the end.
    rounds = len(recorded.steps) - 4
    assert asked == [*[0, 1] * rounds, 1]
    assert line[0] is None  # nobody is ahead before anybody has moved
    assert line[1 : 1 + rounds] == [-0.3] * rounds
    assert line[-1] == recorded.record.end["returns"][0]


@pytest.mark.game("tron")
def test_a_symmetric_position_is_level():
    recorded = read_recorded(builtin("tron"))
    symmetric = next(step for step in recorded.steps if step.ply == 2)
    judged = finished(Evaluator(lambda game, state, player: ("sage", -0.7)), recorded)
    assert judged.values[symmetric.number] == 0.0


@pytest.mark.game("virus")
def test_a_game_is_judged_once_for_all_who_ask():
    count = [0]

    def judge(game, state, player):
        count[0] += 1
        return "sage", 0.0

    judges = Evaluator(judge)
    recorded = read_recorded(builtin("virus"))
    assert judges.of(recorded) is judges.of(read_recorded(builtin("virus")))
    judges.close()
    assert count[0] == sum(step.mover >= 0 for step in recorded.steps)


@pytest.mark.game("virus")
@pytest.mark.parametrize("judge", [lambda *_: None, lambda *_: 1 / 0])
def test_without_a_value_there_is_no_curve_and_nobody_waits(judge):
    recorded = read_recorded(builtin("virus"))
    judged = finished(Evaluator(judge), recorded)
    assert judged.done and value_curve(judged, recorded) is None


@pytest.mark.game("love-letter", "paradise")
def test_games_of_more_seats_or_with_hidden_cards_have_no_judge():
    judges = Evaluator(lambda *_: ("sage", 0.0))
    assert judges.of(read_recorded(builtin("love-letter"))) is None
    assert judges.of(read_recorded(builtin("paradise"))) is None
    judges.close()


@pytest.mark.game("virus")
def test_few_games_may_wait_to_be_judged():
    free = Event()

    def judge(*_):
        free.wait()
        return "sage", 0.0

    judges = Evaluator(judge)
    games = [read_recorded(scripted({turn: {"cpu_ms": 1.0}}, {})) for turn in range(WAITING + 1)]
    judged = [judges.of(each) for each in games]
    assert all(judged[:WAITING]) and judged[WAITING] is None
    free.set()
    judges.close()


@pytest.mark.game("virus")
def test_the_adviser_of_a_game_is_its_judge():
    recorded = read_recorded(scripted({2: {"resigned": True}}, {}))
    judged = finished(Evaluator(), recorded)
    curve = value_curve(judged, recorded)
    assert judged.by == "champion" and all(-1 <= value <= 1 for value in curve["series"][0][1:])
