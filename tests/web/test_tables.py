"""Tables: who sits there, what each is sent, what is refused."""

import re

import pytest
from helpers import wait_until
from web.tabled import ANN, BOB, asked, finished, kinds, spec, told

from joute.play.verify import verify_record
from joute.web.errors import RequestRefusal
from joute.web.tables.messages import preview
from joute.web.tables.receiver import CAUGHT_UP, Receiver, since_of


@pytest.mark.game("virus")
def test_a_game_is_played_to_its_end_and_its_record_is_true(tables):
    table = tables.open(spec(), (0,), ANN)
    finished(table)
    assert verify_record(tables.record(table.name)).ok
    assert tables.names() == []


@pytest.mark.game("virus")
def test_a_game_begins_when_all_have_come(tables):
    table = tables.open(spec(bots=("human", "human")), (0,), ANN)
    assert not table.begun
    assert table.sit(table.chairs[1].key, BOB, "Bo") == 1
    assert table.begun
    assert table.names == ["Ann", "Bo"]
    assert asked(table).player == 0


@pytest.mark.game("virus")
def test_two_people_of_one_name_are_told_apart(tables):
    table = tables.open(spec(bots=("human", "human")), (0,), ANN)
    table.sit(table.chairs[1].key, BOB, "Ann")
    assert table.names == ["Ann", "Ann 2"]


@pytest.mark.game("virus")
def test_a_seat_that_is_taken_is_given_to_nobody_else(tables):
    table = tables.open(spec(bots=("human", "human")), (0,), ANN)
    key = table.chairs[1].key
    table.sit(key, BOB, "")
    assert table.sit(key, BOB, "") == 1  # the same browser may come again
    with pytest.raises(RequestRefusal, match="taken"):
        table.sit(key, "another browser", "")
    with pytest.raises(RequestRefusal, match="no seat"):
        table.sit("a guess", BOB, "")


@pytest.mark.game("virus")
def test_whoever_watches_is_sent_all_positions_and_asked_nothing(tables):
    table = tables.open(spec(), (0,), ANN)
    question = asked(table)
    watcher = Receiver(table, (), "en")
    assert kinds(told(watcher)) == ["table", "position", "status"]
    table.answer((0,), question.number, question.actions[0])
    wait_until(lambda: asked(table) is not question)
    sent = told(watcher)
    assert kinds(sent)[:2] == ["position", "position"]
    assert [message["number"] for message in sent[:2]] == [2, 3]
    assert not {"ask", "table"} & set(kinds(sent))


@pytest.mark.game("virus")
def test_after_a_reconnection_only_what_is_missing_is_sent(tables):
    table = tables.open(spec(), (0,), ANN)
    for _ in range(2):
        question = asked(table)
        table.answer((0,), question.number, question.actions[0])
        wait_until(lambda question=question: asked(table) is not question)
    sent = told(Receiver(table, (0,), "en", (1, 2)))
    assert kinds(sent) == ["table", "position", "position", "position", "ask", "status"]
    assert [message["number"] for message in sent[1:4]] == [3, 4, 5]
    assert [entry["number"] for entry in sent[0]["log"]] == [1, 2]
    # Whoever comes anew gets the words of what was, and the last position.
    sent = told(Receiver(table, (0,), "en"))
    assert [message["number"] for message in sent if message["type"] == "position"] == [5]
    assert [entry["number"] for entry in sent[0]["log"]] == [1, 2, 3, 4]


@pytest.mark.game("virus")
def test_whoever_was_away_for_long_gets_the_last_position_and_the_log(tables):
    table = tables.open(spec(size=10), (0,), ANN)
    finished(table)
    sent = told(Receiver(table, (0,), "en", (1, 2)))
    numbers = [message["number"] for message in sent if message["type"] == "position"]
    steps = len(table.playing.timeline.steps)
    assert steps > CAUGHT_UP + 3
    assert numbers == [steps - 1]
    assert kinds(sent)[-1] == "over"


@pytest.mark.game("virus")
def test_a_browser_that_is_ahead_of_the_table_is_sent_the_position_there_is(tables):
    table = tables.open(spec(), (0,), ANN)
    first = asked(table)
    receiver = Receiver(table, (0,), "en", (1, 17))
    sent = told(receiver)
    (number,) = [message["number"] for message in sent if message["type"] == "position"]
    assert kinds(sent)[0] == "table" and number == table.playing.timeline.steps[-1].number
    table.answer((0,), first.number, first.actions[0])
    wait_until(lambda: (q := asked(table)) is not first and q)
    numbers = [message["number"] for message in told(receiver) if message["type"] == "position"]
    assert numbers[0] == number + 1


@pytest.mark.parametrize("text", ["", "1", "1.", ".1", "-1.2", "1.2.3", "x.y", "1" * 30 + ".1"])
def test_a_place_that_is_none_is_no_place(text):
    assert since_of(text) is None


def test_a_place_has_a_part_and_a_number():
    assert since_of("3.17") == (3, 17)


@pytest.mark.game("virus")
def test_a_decision_is_taken_back(tables):
    table = tables.open(spec(), (0,), ANN)
    first = asked(table)
    table.answer((0,), first.number, first.actions[0])
    second = wait_until(lambda: (q := asked(table)) is not first and q)
    table.undo((0,))
    third = wait_until(lambda: (q := asked(table)) is not second and q)
    assert third.state == first.state
    receiver = Receiver(table, (0,), "en", (1, 2))
    sent = told(receiver)
    assert sent[0]["part"] == 2
    assert [message["number"] for message in sent if message["type"] == "position"] == [1]


@pytest.mark.game("love-letter", "virus")
def test_nothing_is_taken_back_where_there_is_nothing_or_cards_are_hidden(tables):
    table = tables.open(spec(), (0,), ANN)
    asked(table)
    with pytest.raises(RequestRefusal, match="nothing to undo"):
        table.undo((0,))
    with pytest.raises(RequestRefusal, match="Only players of a game"):
        table.undo(())
    cards = tables.open(spec("love-letter", ("human", "builtin:rules")), (0,), ANN)
    asked(cards)
    with pytest.raises(RequestRefusal, match="would reveal"):
        cards.undo((0,))


@pytest.mark.game("virus")
def test_both_people_must_agree_to_take_back(tables):
    table = tables.open(spec(bots=("human", "human")), (0,), ANN)
    table.sit(table.chairs[1].key, BOB, "Bob")
    first = asked(table)
    table.answer((0,), first.number, first.actions[0])
    second = wait_until(lambda: (q := asked(table)) is not first and q)
    table.undo((0,))
    assert asked(table) is second
    assert told(Receiver(table, (1,), "en"))[-1]["wishes"]["undo"] == [0]
    table.undo((1,))
    assert wait_until(lambda: (q := asked(table)) is not second and q).player == 0


@pytest.mark.game("virus")
def test_whoever_resigns_has_lost(tables):
    table = tables.open(spec(), (0,), ANN)
    asked(table)
    table.resign((0,), 0)
    wait_until(lambda: table.over)
    assert table.playing.result.ending == "resignation"
    sent = told(Receiver(table, (0,), "en"))
    assert sent[-1]["lines"] == ["bot 1 wins: Ann has resigned."]
    with pytest.raises(RequestRefusal, match="Only players of a game"):
        table.resign((0,), 0)


@pytest.mark.game("virus")
def test_a_rematch_exchanges_the_seats(tables):
    table = tables.open(spec(), (0,), ANN)
    finished(table)
    assert table.wish("rematch", (0,))
    again = tables.rematch(table)
    assert tables.rematch(table) is again
    assert again.names == ["bot 1", "Ann"]
    assert again.seats_of(ANN) == (1,)
    assert told(Receiver(table, (0,), "en"))[-2]["next"] == f"/tables/{again.name}"


@pytest.mark.game("virus")
def test_an_answer_that_is_none_leaves_the_question_open(tables):
    table = tables.open(spec(), (0,), ANN)
    question = asked(table)
    taken = next(action for action in range(17) if action not in question.actions)
    for answer in (taken, 10**12, -1, "nowhere", [], [[1]], [taken, taken]):
        with pytest.raises(RequestRefusal):
            table.answer((0,), question.number, answer)
    with pytest.raises(RequestRefusal, match="answered already"):
        table.answer((0,), question.number + 1, question.actions[0])
    with pytest.raises(RequestRefusal, match="not your turn"):
        table.answer((1,), question.number, question.actions[0])
    assert table.playing.question is question


@pytest.mark.game("love-letter")
def test_hidden_cards_are_sent_to_nobody_else(tables):
    table = tables.open(spec("love-letter", ("human", "human")), (0,), ANN)
    table.sit(table.chairs[1].key, BOB, "Bob")
    asked(table)
    ann, watcher = told(Receiver(table, (0,), "en")), told(Receiver(table, (), "en"))
    assert [message["seen"].keys() for message in ann if message["type"] == "position"] == [{"0"}]
    assert kinds(watcher) == ["table", "status"]
    assert watcher[0]["log"] == []
    # The event of the other's draw, as a seat was told it, does not name the card.
    drawn = [entry["said"] for entry in ann[0]["log"] if entry["said"]]
    assert not any("Bob" in line and ":" in line for said in drawn for line in said)
    while not table.over:
        question = wait_until(lambda: table.playing.question or table.over)
        if question is not True:
            table.playing.answer(question.number, question.actions[0])
            wait_until(lambda question=question: table.playing.question is not question)
    assert told(Receiver(table, (), "en"))[1]["seen"].keys() == {"0", "1"}


@pytest.mark.game("love-letter")
def test_people_at_one_screen_see_their_cards_one_after_the_other(tables):
    table = tables.open(spec("love-letter", ("human", "human")), (0, 1), ANN)
    first = asked(table)
    receiver = Receiver(table, (0, 1), "en")
    sent = told(receiver)
    assert kinds(sent) == ["table", "pass", "status"]
    assert sent[0]["log"] == []
    receiver.look(0)
    assert [m["seen"].keys() for m in told(receiver) if m["type"] == "position"] == [{"0"}]
    assert first.player == 0
    table.answer((0, 1), first.number, first.actions[0])
    wait_until(lambda: table.over or asked(table) is not first)
    if table.over:
        return
    sent = told(receiver)
    passed = next(message for message in sent if message["type"] == "pass")
    assert passed == {"type": "pass", "player": 1, "name": "Bob", "read": passed["read"]}
    assert "ask" not in kinds(sent)
    receiver.look(1)
    sent = told(receiver)
    assert [m["seen"].keys() for m in sent if m["type"] == "position"] == [{"1"}]
    assert "ask" in kinds(sent)
    receiver.look(5)
    assert receiver.viewer == 1


@pytest.mark.game("love-letter")
def test_a_lost_connection_shows_no_cards_to_who_has_the_screen_then(tables):
    table = tables.open(spec("love-letter", ("human", "human")), (0, 1), ANN)
    asked(table)
    before = Receiver(table, (0, 1), "en")
    before.look(0)
    last = next(m for m in told(before) if m["type"] == "position")
    again = Receiver(table, (0, 1), "en", (last["part"], last["number"]))
    assert kinds(told(again)) == ["table", "pass", "status"]


@pytest.mark.game("love-letter")
def test_all_are_told_in_their_own_language(tables):
    table = tables.open(spec("love-letter", ("human", "builtin:rules")), (0,), ANN)
    asked(table)
    said = [
        [line for entry in told(Receiver(table, (0,), each))[0]["log"] for line in entry["said"]]
        for each in ("en", "fr")
    ]
    assert said[0] != said[1]


@pytest.mark.game("vampires")
def test_an_order_is_looked_at_before_it_is_sent(tables):
    table = tables.open(spec("vampires", ("human", "builtin:nearest")), (0,), ANN)
    question = asked(table)
    x, y, held = 1, 4, 6
    reply = preview(table.playing, question, [[x, y, held, x + 1, y]])
    assert reply["legal"]
    assert reply["odds"][0]["arrivals"] == held
    assert reply["position"]["events"] == []
    assert not preview(table.playing, question, [[x, y, held + 1, x + 1, y]])["legal"]
    assert preview(table.playing, question, "1,4 x2 -> 2,4")["legal"]
    for wrong in ("nonsense", [[1]], [1, [2]], [-1], [[1, 2, 3, 4, 10**12]]):
        with pytest.raises(RequestRefusal):
            preview(table.playing, question, wrong)


@pytest.mark.game("love-letter", "virus")
def test_an_action_is_looked_at_before_it_is_sent_where_nothing_is_hidden(tables):
    table = tables.open(spec(), (0,), ANN)
    question = asked(table)
    reply = preview(table.playing, question, question.actions[:1])
    assert reply["legal"] and "ask" not in reply
    assert reply["position"]["seen"]["0"]["to_move"] != question.player
    with pytest.raises(RequestRefusal):
        preview(table.playing, question, [10**6])
    cards = tables.open(spec("love-letter", ("human", "builtin:rules")), (0,), ANN)
    with pytest.raises(RequestRefusal, match="no orders"):
        preview(cards.playing, asked(cards), asked(cards).actions[:1])


@pytest.mark.game("virus")
def test_what_the_computer_thinks_is_sent_to_who_wants_it(tables):
    table = tables.open(spec(bots=("human", "builtin:alphabeta?depth=2")), (0,), ANN)
    first = asked(table)
    receiver = Receiver(table, (0,), "en")
    told(receiver)
    table.answer((0,), first.number, first.actions[0])
    wait_until(lambda: asked(table) is not first)
    assert "thought" not in kinds(told(receiver))
    receiver.thinks = True
    thought = next(message for message in told(receiver) if message["type"] == "thought")
    assert -1 <= thought["value"] <= 1
    assert len(thought["line"]) >= 1
    assert "depth 2" in thought["text"]
    assert "thought" not in kinds(told(receiver))  # told once
    french = Receiver(table, (0,), "fr")
    french.thinks = True
    thought = next(message for message in told(french) if message["type"] == "thought")
    assert re.search(r"\u202f: .?\d,\d\d à la profondeur 2, \d+ nœuds$", thought["text"])


@pytest.mark.game("tron")
def test_nobody_learns_what_a_bot_thinks_while_its_choice_is_secret(tables):
    """The bot that is asked first gives nothing away where all choose at once."""
    table = tables.open(spec("tron", ("builtin:territory", "human")), (1,), ANN)
    first = asked(table)
    receiver = Receiver(table, (1,), "en")
    receiver.thinks = True
    assert "thought" not in kinds(told(receiver))
    table.answer((1,), first.number, first.actions[0])
    wait_until(lambda: table.over or asked(table) is not first)
    (thought,) = (message for message in told(receiver) if message["type"] == "thought")
    assert thought["player"] == 0


@pytest.mark.game("virus")
def test_the_table_tells_of_a_thought_whoever_has_left_meanwhile(tables):
    table = tables.open(spec(), [0], ANN)
    question, news = asked(table), []
    table.changed = lambda: news.append(table.playing.advised)
    table.think(question)
    assert news[-1].player == question.player


@pytest.mark.game("virus")
def test_a_thought_about_a_position_that_is_gone_is_not_told(tables):
    table = tables.open(spec(), [0], ANN)
    first = asked(table)
    table.answer((0,), first.number, first.actions[0])
    wait_until(lambda: asked(table) is not first)
    table.think(first)
    assert table.playing.advised is None
    table.think(asked(table))
    assert table.playing.advised is not None
