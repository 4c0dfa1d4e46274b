"""A connected player's turns: every way to answer, and not to."""

import os
import re
import select
import socket
import threading

import pytest
from games.vampires.players import MAP, Game, Hand, HandClock, pair, specification

from joute.core.interface import start
from joute.core.registry import make
from joute.games.vampires.adapters.connection import PlayerConnection, RealClock
from joute.games.vampires.adapters.frames import encode, listing, naming
from joute.games.vampires.adapters.seat import TcpSeat
from joute.games.vampires.state import DONE
from joute.play.verify import verify_record

STEP = (1, 1, 4, 2, 1)  # the Vampires convert the two humans beside them
REPLY = (4, 1, 4, 4, 2)  # the Werewolves step aside
BACK = (2, 1, 6, 1, 1)


def mov(*moves):
    return encode(listing("MOV", moves))


def lost(game, seat, fault):
    """The detail of the fault that cost a seat the game."""
    result = game.over()
    assert (result.ending, result.returns[seat]) == ("forfeit", -1.0)
    assert [(f.seat, f.fault, f.cost) for f in result.faults[-1:]] == [(seat, fault, "game")]
    assert verify_record(result.record).ok
    return result.faults[-1].detail


def test_players_are_asked_in_turn_and_see_what_both_orders_changed():
    with Game() as game:
        vampires, werewolves = game.hands
        assert vampires.frame() == ("UPD", ())
        vampires.move(STEP)
        assert werewolves.frame() == ("UPD", ((2, 1, 0, 6, 0), (1, 1, 0, 0, 0)))
        werewolves.move(REPLY)
        seen = ("UPD", ((2, 1, 0, 6, 0), (1, 1, 0, 0, 0), (4, 2, 0, 0, 4), (4, 1, 0, 0, 0)))
        assert vampires.frame() == seen
        vampires.move((2, 1, 1, 1, 1), (2, 1, 2, 3, 1), (2, 1, 1, 1, 1), (2, 1, 2, 1, 0))
        cells = [entry[:2] for entry in werewolves.frame()[1]]
        assert cells == [(1, 1), (2, 1), (3, 1), (1, 0), (4, 2), (4, 1)]
        werewolves.move()
        detail = lost(game, 1, "illegal")
        assert "rule 1: 0 moves" in detail
        wire_order = [[2, 1, 1, 1, 1], [2, 1, 2, 3, 1], [2, 1, 1, 1, 1], [2, 1, 2, 1, 0]]
        assert game.lines()[2]["answer"] == wire_order
        assert "Vampires: 1,1 x4 -> 2,1 (0.00 s)" in game.log


@pytest.mark.parametrize(
    ("moves", "rule", "where"),
    [
        ([], 1, "0 moves"),
        ([(0, 0, 1, 0, 1)], 2, "0,0 holds nobody"),
        ([(4, 1, 1, 4, 2)], 2, "4,1 holds 4 werewolves"),
        ([(200, 1, 1, 4, 2)], 2, "200,1 is off the grid"),
        ([(1, 1, 3, 0, 1), (1, 1, 2, 0, 0)], 3, "5 leave 1,1"),
        ([(1, 1, 4, 3, 1)], 4, "3,1 is no neighbour"),
        ([(1, 1, 4, 1, 3)], 4, None),
        ([(1, 1, 4, 1, 1)], 4, None),
        ([(1, 1, 0, 0, 1)], 6, "the count is 0"),
        ([(1, 1, 1, 0, 1)] * 5, 3, "5 leave 1,1"),
        ([(1, 1, 1, 0, 1)] * 255, 3, "5 leave 1,1"),
    ],
)
def test_an_order_that_breaks_a_rule_loses_the_game_and_is_explained(moves, rule, where):
    with Game() as game:
        game.hands[0].frame()
        game.hands[0].move(*moves)
        detail = lost(game, 0, "illegal")
        assert detail.startswith("it sent the order ")
        assert f"rule {rule}" in detail
        assert (where or "") in detail
        assert any(detail in line for line in game.log)


def test_a_cell_that_is_both_source_and_target_breaks_rule_5():
    with Game() as game:
        vampires, werewolves = game.hands
        vampires.frame()
        vampires.move((1, 1, 2, 0, 1))
        werewolves.frame()
        werewolves.move(REPLY)
        vampires.frame()
        vampires.move((1, 1, 1, 0, 1), (0, 1, 1, 0, 2))
        assert "rule 5" in lost(game, 0, "illegal")


def test_an_order_of_255_moves_is_taken():
    text = '<Map Rows="2" Columns="2"><Vampires X="0" Y="0" Count="255"/>'
    text += '<Werewolves X="1" Y="1" Count="1"/></Map>\n'
    with Game(specification(text=text)) as game:
        game.hands[0].frame()
        game.hands[0].move(*[(0, 0, 1, 1, 1)] * 255)
        result = game.over()
        assert (result.ending, result.returns) == ("finished", [1.0, -1.0])
        assert len(game.lines()[0]["answer"]) == 255


def test_a_skipped_illegal_order_costs_the_turn_and_the_third_the_game():
    spec = specification(max_restarts=0)
    spec.costs["illegal"] = "turn"
    with Game(spec) as game:
        vampires, werewolves = game.hands
        for move in (REPLY, (4, 2, 4, 4, 1)):
            vampires.frame()
            vampires.move()
            werewolves.frame()
            werewolves.move(move)
        vampires.frame()
        vampires.move()
        result = game.over()
        assert result.returns == [-1.0, 1.0]
        assert [f.cost for f in result.faults] == ["turn", "turn", "game"]


# Too early, too late, twice, in pieces.


def test_bytes_that_wait_when_a_turn_begins_are_dropped_and_noted():
    with Game() as game:
        vampires, werewolves = game.hands
        vampires.frame()
        werewolves.send(mov(REPLY) + mov((4, 1, 4, 4, 0)) + b"MOV\x01\x04")
        vampires.send(mov(STEP) + mov((2, 1, 6, 1, 1)))
        assert werewolves.frame()[0] == "UPD"
        werewolves.move((4, 1, 4, 3, 0))
        assert vampires.frame()[1][0] == (2, 1, 0, 6, 0)
        vampires.move((2, 1, 6, 3, 1))
        werewolves.frame()
        werewolves.send(b"NME\x01x")
        assert "NME 'x'" in lost(game, 1, "protocol")
        lines = game.lines()
        assert lines[1]["note"] == (
            "dropped, for they came before the update: MOV 4,1 x4 -> 4,2, MOV 4,1 x4 -> 4,0, "
            "5 bytes of a frame that is not complete"
        )
        assert lines[2]["note"].endswith("MOV 2,1 x6 -> 1,1")
        assert lines[2]["answer"] == [[2, 1, 6, 3, 1]]


def test_an_order_may_come_byte_by_byte():
    with Game() as game:
        vampires, werewolves = game.hands
        vampires.frame()
        for byte in mov(STEP):
            vampires.send(bytes([byte]))
        assert werewolves.frame()[1][0] == (2, 1, 0, 6, 0)
        werewolves.close()
        vampires.rest()
        vampires.close()


def test_silence_costs_the_turn_and_nothing_else_however_often():
    with Game(specification(parameters={"plies": 12})) as game:
        vampires, werewolves = game.hands
        for turn in range(6):
            assert vampires.frame() == (
                "UPD",
                () if turn == 0 else ((4, 2, 0, 0, 4), (4, 1, 0, 0, 0)),
            )
            game.clock.expire()
            changed = werewolves.frame()
            if turn == 0:
                assert changed == ("UPD", ())
                werewolves.move(REPLY)
            else:
                # The old change set again.
                assert changed == ("UPD", ((4, 2, 0, 0, 4), (4, 1, 0, 0, 0)))
                game.clock.expire()
        result = game.over()
        assert (result.ending, result.returns) == ("finished", [0.0, 0.0])
        assert [f.fault for f in result.faults] == ["timeout"] * 11
        assert result.faults[0].detail == "no order after 2.00 s of 2.00 s"
        assert verify_record(result.record).ok


def test_a_late_order_before_the_next_update_is_dropped():
    with Game(specification(parameters={"plies": 4})) as game:
        vampires, werewolves = game.hands
        vampires.frame()
        vampires.send(mov(STEP)[:6])
        game.clock.expire()
        werewolves.frame()
        vampires.send(mov(STEP)[6:])
        vampires.move(STEP)
        werewolves.move(REPLY)
        vampires.frame()
        vampires.move((1, 1, 4, 0, 1))
        werewolves.frame()
        werewolves.move((4, 2, 4, 4, 1))
        result = game.over()
        assert result.faults[0].detail.endswith("of its answer 6 bytes had come")
        late = "a late order, 1,1 x4 -> 2,1, MOV 1,1 x4 -> 2,1"
        assert late in game.lines()[2]["note"]
        assert game.lines()[2]["answer"] == [[1, 1, 4, 0, 1]]


@pytest.mark.parametrize("legal", [True, False])
def test_a_late_order_after_the_next_update_counts_as_the_answer_to_it(legal):
    with Game(specification(parameters={"plies": 6})) as game:
        vampires, werewolves = game.hands
        vampires.frame()
        vampires.move(STEP)
        werewolves.frame()
        werewolves.move(REPLY)
        vampires.frame()  # 6 at 2,1
        game.clock.expire()
        werewolves.frame()
        werewolves.move((4, 2, 4, 4, 1))
        vampires.frame()
        vampires.move(BACK)  # meant for the update before
        werewolves.frame()
        werewolves.move((4, 1, 4, 4, 2) if legal else (4, 2, 4, 4, 1))
        hint = "this order looks like an answer to the previous update"
        if legal:
            game.over()
            assert game.lines()[4]["note"] == hint
            assert f"Vampires: {hint}" in game.log
        else:
            # An order that fitted the board of the update before.
            assert hint in lost(game, 1, "illegal")
            assert any(hint in line for line in game.log)


def test_one_order_behind_a_program_loses_by_an_illegal_order_with_the_hint():
    with Game() as game:
        vampires, werewolves = game.hands
        vampires.frame()
        game.clock.expire()
        werewolves.frame()
        werewolves.move(REPLY)
        vampires.frame()
        vampires.move(STEP)  # for the first update
        werewolves.frame()
        werewolves.move((4, 2, 4, 4, 1))
        vampires.frame()
        vampires.move((1, 1, 4, 0, 1))  # for the second one, when 4 stood there
        assert "previous update" in lost(game, 0, "illegal")


def test_who_sends_a_byte_in_a_turn_loses_its_turns_and_the_game_goes_on():
    with Game(specification(parameters={"plies": 8})) as game:
        vampires, werewolves = game.hands
        for number, byte in enumerate(mov(STEP)[:4]):
            vampires.frame()
            vampires.send(bytes([byte]))
            game.clock.expire()
            werewolves.frame()
            werewolves.move((4, 1, 4, 4, 2) if number % 2 == 0 else (4, 2, 4, 4, 1))
        result = game.over()
        assert [f.fault for f in result.faults] == ["timeout"] * 4
        assert all("of its answer 1 byte had come" in f.detail for f in result.faults)


@pytest.mark.parametrize(("wrap", "stay"), [(False, 255), (True, 144)])
def test_units_that_a_cell_has_no_room_for_are_told_with_the_cell(wrap, stay):
    text = '<Map Rows="2" Columns="2"><Humans X="1" Y="0" Count="200"/>'
    text += '<Vampires X="0" Y="0" Count="200"/><Werewolves X="1" Y="1" Count="1"/></Map>\n'
    with Game(specification(text=text, parameters={"wrap_counts": wrap})) as game:
        vampires, werewolves = game.hands
        vampires.frame()
        vampires.move((0, 0, 200, 1, 0))
        assert werewolves.frame()[1][0] == (1, 0, 0, stay, 0)
        werewolves.move()
        lost(game, 1, "illegal")
    told = f"too many at 1,0: of 400, {stay} stay"
    assert f"Vampires: {told}" in game.log
    assert game.lines()[0]["note"] == told


# Faults that lose the game besides illegal orders.


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"NME\x04Vlad", "NME 'Vlad'"),
        (b"ATK\x01\x02", "b'ATK', which begins no frame"),
        (b"\x00\x00\x00\x00", "begins no frame"),
        (b"UPD\x00", "begins no frame"),
    ],
)
def test_another_frame_than_an_order_loses_the_game(sent, said):
    with Game() as game:
        game.hands[0].frame()
        game.hands[0].send(sent)
        assert said in lost(game, 0, "protocol")


def test_in_a_rematch_a_name_that_comes_again_before_the_first_order_is_dropped_and_noted():
    with Game(played=True) as game:
        vampires, werewolves = game.hands
        vampires.frame()
        vampires.send(b"NME\x04VladNME\x04Vlad" + mov(STEP))
        assert werewolves.frame()[1][0] == (2, 1, 0, 6, 0)
        game.clock.expire()  # the first order is waited for in the next turn, too
        vampires.frame()
        vampires.move(BACK)
        werewolves.frame()
        werewolves.send(b"NME\x04Wolf" + mov(REPLY))
        vampires.frame()
        vampires.send(b"NME\x04Vlad")
        assert "NME 'Vlad'" in lost(game, 0, "protocol")
    for place, name in ((0, "Vlad"), (3, "Wolf")):
        note = f"dropped, for its name is known: NME '{name}'"
        assert game.lines()[place]["note"].startswith(note)
    assert "Vampires: dropped, for its name is known: NME 'Vlad'" in game.log


class HastyClock(HandClock):
    """A clock of which each look takes a second."""

    def now(self):
        self.time += 1.0
        return self.time


def test_a_clock_waits_for_what_happens_however_long_it_may_take():
    server, client = pair()
    poll = select.poll()
    poll.register(server, select.POLLIN)
    client.sendall(b"x")
    assert RealClock().wait(poll, float("inf")) == [(server.fileno(), select.POLLIN)]
    client.close()
    server.close()


def test_names_in_a_rematch_give_no_more_time():
    with Game(clock=HastyClock(), played=True) as game:
        vampires, werewolves = game.hands
        vampires.frame()
        vampires.send(b"NME\x04Vlad" * 1000)
        werewolves.frame()
        werewolves.move()
        lost(game, 1, "illegal")
    assert [fault.fault for fault in game.result.faults] == ["timeout", "illegal"]


@pytest.mark.parametrize("reset", [False, True])
def test_a_connection_that_ends_in_its_turn_loses_the_game_at_once(reset):
    with Game() as game:
        vampires, werewolves = game.hands
        vampires.frame()
        if reset:
            vampires.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        vampires.close()
        assert werewolves.rest() == b"ENDBYE"
        werewolves.close()
        game._thread.join()
        assert game.result.returns == [-1.0, 1.0]
        assert game.result.faults[0].fault == "crash"
        assert game.result.faults[0].detail == "it closed its connection"


def test_a_connection_that_ends_out_of_turn_loses_the_game_when_its_turn_comes():
    with Game() as game:
        vampires, werewolves = game.hands
        vampires.frame()
        werewolves.close()
        vampires.move(STEP)
        assert vampires.rest() == b"ENDBYE"
        vampires.close()
        game._thread.join()
        assert game.result.returns == [1.0, -1.0]
        assert game.result.faults[0].fault == "crash"


def test_an_order_counts_though_the_connection_ends_behind_it():
    with Game() as game:
        vampires, werewolves = game.hands
        vampires.frame()
        vampires.move(STEP)
        vampires.close()
        assert werewolves.frame()[1][0] == (2, 1, 0, 6, 0)
        werewolves.move(REPLY)
        assert werewolves.rest() == b"ENDBYE"
        werewolves.close()
        game._thread.join()
        assert [f.seat for f in game.result.faults] == [0]


# The end.


def test_end_and_bye_arrive_though_input_waits_unread():
    with Game(specification(parameters={"plies": 2})) as game:
        vampires, werewolves = game.hands
        vampires.frame()
        vampires.move(STEP)
        vampires.send(b"MOV\x01" * 5000)  # far too much, and never asked for
        werewolves.frame()
        werewolves.send(mov(REPLY) + encode(naming("again")) + b"x" * 100_000)
        for hand in game.hands:
            assert hand.frame() == ("END", ())
            hand.send(b"NME\x05again")
            assert hand.frame() == ("BYE", ())
        for hand in game.hands:
            assert hand.rest() == b""
            hand.close()
        game._thread.join()
        assert game.result.ending == "finished"


def test_who_stays_after_bye_is_left():
    with Game(specification(parameters={"plies": 2})) as game:
        vampires, werewolves = game.hands
        vampires.frame()
        vampires.move(STEP)
        werewolves.frame()
        werewolves.move(REPLY)
        for hand in game.hands:
            assert hand.rest() == b"ENDBYE"  # half closed, while it has not left
            game.clock.expire()
        game._thread.join()
        assert game.result.ending == "finished"


def test_a_player_who_comes_to_a_game_that_has_begun_sees_all_that_has_changed():
    with Game() as first:
        first.hands[0].frame()
        first.hands[0].move(STEP)
        first.hands[1].frame()
        first.hands[1].move(REPLY)
        first.hands[0].frame()
        first.hands[0].move(BACK)
        first.hands[1].frame()
        first.hands[1].send(b"END")
        lost(first, 1, "protocol")
    with Game(before=first.lines()[:3]) as game:
        changed = ("UPD", ((1, 1, 0, 6, 0), (2, 1, 0, 0, 0), (4, 2, 0, 0, 4), (4, 1, 0, 0, 0)))
        assert game.hands[1].frame() == changed
        game.hands[1].send(b"END")
        lost(game, 1, "protocol")


def test_an_update_tells_of_all_orders_since_the_one_before():
    server, client = pair()
    seat = TcpSeat(PlayerConnection(server, HandClock()), make("vampires", map=MAP), 0.0)
    state = start(seat._game).tolist()

    def order(player, *move):
        return {"player": player, "action": DONE, "text": "done", "answer": [[*move]]}

    def told(*events):
        seat.ask(state, {"events": [*events]})
        return [cell[:2] for cell in Hand(client).frame()[1]]

    seat.start({"player": 0, "events": []})
    assert told() == []
    assert told(order(0, 1, 1, 4, 2, 1), order(1, 4, 1, 4, 4, 2), order(0, 2, 1, 6, 2, 0)) == [
        (2, 1),
        (1, 1),
        (2, 0),
        (4, 2),
        (4, 1),
    ]
    assert told(order(0, 2, 0, 6, 1, 0)) == [(1, 0), (2, 0), (4, 2), (4, 1)]
    client.close()
    seat.close()


def test_what_an_update_has_no_room_for_comes_with_the_next_and_is_told():
    text = '<Map Rows="17" Columns="17"><Vampires X="0" Y="0" Count="2"/>'
    text += '<Werewolves X="16" Y="16" Count="2"/></Map>\n'
    log = []
    server, client = pair()
    seat = TcpSeat(
        PlayerConnection(server, HandClock()), make("vampires", map=text), 0.0, tell=log.append
    )
    cells = [(x, y) for x in range(17) for y in range(17)]
    moves = [[x, y, 1, x, y] for x, y in cells]
    told = {"player": 0, "action": DONE, "text": "done"}
    seat.start({"player": 0, "events": [{**told, "answer": moves}]})
    answer = seat.ask(start(seat._game).tolist(), {"events": []})
    assert answer.fault == "timeout"
    first = [cell[:2] for cell in Hand(client).frame()[1]]
    assert first == cells[:255]
    assert log[0].startswith("UPD has 289 cells, and a byte counts up to 255")
    moves = [[0, 0, 1, 0, 1]]
    events = [{**told, "answer": moves}]
    seat.ask(start(seat._game).tolist(), {"events": events})
    assert [cell[:2] for cell in Hand(client).frame()[1]] == [(0, 1), (0, 0), *cells[255:]]
    client.close()
    seat.close()


def test_who_has_caught_up_is_not_suspected_any_more():
    with Game(specification(parameters={"plies": 6})) as game:
        vampires, werewolves = game.hands
        vampires.frame()
        game.clock.expire()
        werewolves.frame()
        werewolves.move(REPLY)
        vampires.frame()
        vampires.move(STEP)
        werewolves.frame()
        werewolves.move((4, 2, 4, 4, 1))
        vampires.frame()
        vampires.move(BACK)  # possible only now
        werewolves.frame()
        werewolves.move(REPLY)
        game.over()
        notes = [line.get("note", "") for line in game.lines() if line["player"] == 0]
        assert ["previous update" in note for note in notes] == [False, True, False]


def test_a_long_list_of_what_is_dropped_is_cut():
    with Game(specification(parameters={"plies": 2})) as game:
        vampires, werewolves = game.hands
        vampires.frame()
        werewolves.send(mov() * 3000)
        vampires.move(STEP)
        werewolves.frame()
        werewolves.move(REPLY)
        game.over()
        assert re.search(r"MOV of no moves, \d+ more", game.lines()[1]["note"])


def test_a_connection_is_not_taken_up_again():
    server, client = pair()
    wire = PlayerConnection(server, HandClock())
    seat = TcpSeat(wire, make("vampires"), 2.0)
    message = {"player": 0, "events": []}
    assert seat.start(message).fault is None
    again = seat.start(message)
    assert (again.fault, again.alive) == ("start-up", False)
    client.close()
    seat.close()
    seat.close()  # done twice, the second does nothing


def test_what_a_player_does_not_read_waits_for_it():
    server, client = pair()
    wire, hand = PlayerConnection(server, HandClock()), Hand(client)
    frame = listing("UPD", [(9, 9, 9, 9, 9)] * 255)
    count = 0
    while not wire._unsent or count % 100:  # more than the connection holds
        wire.send(frame)
        count += 1
    closing = threading.Thread(target=wire.close)
    closing.start()
    assert hand.rest() == encode(frame) * count + b"ENDBYE"
    hand.close()
    closing.join()


def test_what_flows_beside_a_connection_is_read_until_it_ends():
    server, client = pair()
    wire, hand = PlayerConnection(server, HandClock()), Hand(client)
    out, into = os.pipe()
    heard = []

    def read():
        heard.append(os.read(out, 100))
        return bool(heard[-1])

    wire.watch(out, read)
    os.write(into, b"said")
    assert wire.receive(-1.0) is None
    assert heard == [b"said"]
    os.close(into)
    hand.send(mov(STEP))
    assert wire.receive(1.0).entries == (STEP,)
    wire.receive(-1.0)
    assert heard == [b"said", b""]
    os.close(out)
    hand.close()
    wire.close()


def test_a_flood_is_dropped_without_filling_the_memory():
    server, client = pair()
    wire, hand = PlayerConnection(server, HandClock()), Hand(client)
    hand.send(mov() * 20_000)
    assert 1000 <= len(wire.discard().frames) < 6000
    hand.close()
    wire.close()
