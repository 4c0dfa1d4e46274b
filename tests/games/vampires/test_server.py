"""The tournament server: the lobby, whole games, one after the other, and how they end."""

import errno
import random
import socket
import threading
from asyncio.selector_events import BaseSelectorEventLoop
from contextlib import suppress

import pytest
from games.vampires.players import MAP, SECONDS, Hand, HandClock, serving
from helpers import wait_until

from joute.core.errors import GameError
from joute.games.vampires.adapters.connection import RealClock
from joute.games.vampires.adapters.frames import encode, listing, naming
from joute.games.vampires.server import lobby
from joute.games.vampires.server.serve import Hooks, ServerError, VampiresServer
from joute.games.vampires.server.settings import ServerSettings
from joute.games.vampires.state import WON
from joute.play.record import read_record
from joute.play.verify import verify_record

STEP = (1, 1, 4, 2, 1)  # the Vampires convert two humans
REPLY = (4, 1, 4, 4, 2)
ASIDE = (1, 1, 4, 0, 1)  # nobody converts anybody

TINY = ServerSettings(map=MAP, port=0, plies=2, pause_seconds=0.0, name_seconds=SECONDS)
GREETING = ["SET", "HUM", "HME", "MAP"]


def joined(server, *names):
    """Players in the order of their names, once each is seated."""
    hands = []
    for name in names:
        hands.append(Hand.connect(server.address, name))
        assert hands[-1].tags(4) == GREETING
    return hands


def finish(hands, first=STEP):
    """Play a game of two turns to its end."""
    hands[0].frame()
    hands[0].move(first)
    hands[1].frame()
    hands[1].move(REPLY)
    for hand in hands:
        assert hand.rest() == b"ENDBYE"
        hand.close()


def test_a_game_is_served_recorded_and_explained(tmp_path):
    with serving(TINY, tmp_path / "records") as server:
        finish(joined(server, "Vlad #1", "Wolf pack"))
    [result] = server.results
    assert (result.ending, result.returns, result.points) == ("finished", [1.0, -1.0], [6, 4])
    [path] = (tmp_path / "records").glob("*.jsonl")
    assert verify_record(path.read_bytes()).ok
    record = read_record(path.read_bytes())
    assert [bot["name"] for bot in record.header["bots"]] == ["Vlad #1", "Wolf pack"]
    assert [bot["isolation"] for bot in record.header["bots"]] == ["remote", "remote"]
    assert server.log == [
        f"listening on 127.0.0.1:{server.address[1]}; the first to connect plays the Vampires",
        "connection 1 (Vlad #1) plays the Vampires",
        "connection 2 (Wolf pack) plays the Werewolves",
        "Vlad #1 (Vampires) against Wolf pack (Werewolves)",
        "Vampires: 1,1 x4 -> 2,1 (0.00 s)",
        "Werewolves: 4,1 x4 -> 4,2 (0.00 s)",
        "Vlad #1 (Vampires) has won, 6 to 4 (finished)",
        f"record: {path}",
    ]


def test_each_player_is_greeted_as_soon_as_it_has_said_its_name():
    with serving(TINY) as server:
        first = Hand.connect(server.address)
        server.said("listening")
        second = Hand.connect(server.address, "W")
        assert second.frame() == ("SET", ((3, 6),))
        assert second.frame() == ("HUM", ((2, 1), (5, 2)))
        assert second.frame() == ("HME", ((4, 1),))
        cells = ((1, 1, 0, 4, 0), (2, 1, 2, 0, 0), (4, 1, 0, 0, 4), (5, 2, 9, 0, 0))
        assert second.frame() == ("MAP", cells)
        for byte in encode(naming("V")):
            first.send(bytes([byte]))
        assert first.tags(2) == ["SET", "HUM"]
        assert first.frame() == ("HME", ((1, 1),))
        assert first.frame()[0] == "MAP"
        finish([first, second])


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (b"MOV\x01\x01\x01\x01\x01\x01", "its first frame was MOV 1,1 x1 -> 1,1, not NME"),
        (b"GET / HTTP/1.1\r\n\r\n", "its first frame was b'GET', which begins no frame, not NME"),
        (b"NME\x00", "its name is empty"),
        (b"", "it left without saying its name"),
        (b"NME\x05Vl", "it left without saying its name"),
        (b"NME\x01V", "it left"),
    ],
)
def test_a_connection_that_does_not_introduce_itself_is_refused(sent, reason):
    with serving(TINY) as server:
        bad = Hand.connect(server.address)
        bad.send(sent)
        if "left" in reason:
            bad.close()
        line = server.said("is refused")
        assert line.startswith("connection 1 ")
        assert line.endswith(f"is refused: {reason}")
        finish(joined(server, "V", "W"))
        bad.close()
    first = read_record(server.results[0].record).plies[0]
    assert line in first["note"]


def test_who_was_first_but_left_without_a_name_leaves_the_vampires_to_the_next():
    with serving(TINY) as server:
        first = Hand.connect(server.address)
        second = Hand.connect(server.address)
        first.close()
        assert server.said("is refused").startswith("connection 1 ")
        second.send(encode(naming("V")))
        assert second.tags(4) == GREETING
        assert server.said("(V) plays") == "connection 2 (V) plays the Vampires"
        [third] = joined(server, "W")
        finish([second, third])


def test_who_says_no_name_in_time_is_refused():
    with serving(TINY._replace(name_seconds=0.02)) as server:
        silent = Hand.connect(server.address)
        server.said("connection 1 is refused: no name (NME) within 0.02 s")
        assert silent.rest() == b""
        silent.close()
        hands = []
        while len(hands) < 2:  # on a machine that is very slow they are refused, too
            hand = Hand.connect(server.address, "x")
            try:
                assert hand.tags(4) == GREETING
                hands.append(hand)
            except (AssertionError, ConnectionError):
                hand.close()
        finish(hands)


def test_a_program_that_is_slow_with_its_name_holds_nobody_up():
    with serving(TINY) as server:
        slow = Hand.connect(server.address)
        slow.send(b"N")
        other = Hand.connect(server.address)
        other.send(b"NM")
        finish(joined(server, "V", "W"))
        server.said("V (Vampires) has won")
        slow.close()
        other.close()


def test_many_silent_connections_make_room(monkeypatch):
    monkeypatch.setattr(lobby, "MOST_GUESTS", 4)
    with serving(TINY) as server:
        crowd = [Hand.connect(server.address) for _ in range(9)]
        server.said("connection 5 is refused: too many others wait")
        finish(joined(server, "V", "W"))
        for hand in crowd:
            hand.close()


def test_a_crowd_of_players_who_wait_is_limited(monkeypatch):
    monkeypatch.setattr(lobby, "MOST_GUESTS", 2)
    with serving(TINY._replace(again=True)) as server:
        first = joined(server, "V1", "W1")  # they play, and do not wait any more
        server.said("V1 (Vampires) against W1")
        second = joined(server, "V2")
        other = Hand.connect(server.address, "W2")
        assert other.tags(4) == GREETING
        third = Hand.connect(server.address)
        server.said("connection 5 is refused: too many others wait")
        finish(first)
        finish([*second, other])
        third.close()
        server.stop()


def test_a_name_is_no_command_to_the_terminal():
    with serving(TINY) as server:
        finish(joined(server, "V\x1b[2J", "W"))
    assert "V?[2J (Vampires) against W (Werewolves)" in server.log


def test_games_follow_each_other_and_who_comes_early_waits():
    with serving(TINY._replace(again=True)) as server:
        first = joined(server, "V1", "W1")
        waiting = joined(server, "V2", "W2")
        finish(first)
        finish(waiting)
        finish(joined(server, "V3", "W3"))
        server.said("V3 (Vampires) has won")
        server.stop()
    assert len(server.results) == 3


def test_who_stops_the_server_in_mid_game_sends_end_and_bye():
    with serving(TINY, clock=RealClock()) as server:
        hands = joined(server, "V", "W")
        hands[0].frame()
        server.stop()
        for hand in hands:
            assert hand.rest() == b"ENDBYE"
            hand.close()


def test_a_draw_is_played_again_on_the_same_connections_if_the_settings_say_so():
    with serving(TINY._replace(rematch_on_draw=True)) as server:
        hands = joined(server, "V", "W")
        for _ in range(2):
            hands[0].frame()
            hands[0].move(ASIDE)
            hands[1].frame()
            hands[1].move(REPLY)
            for hand in hands:
                assert hand.tags(5) == ["END", *GREETING]
        finish(hands)
    assert [result.returns[0] for result in server.results] == [0.0, 0.0, 1.0]
    assert all(verify_record(result.record).ok for result in server.results)


def test_the_time_of_a_game_ends_it_after_a_turn_of_the_werewolves():
    with serving(TINY._replace(plies=200, minutes=1.0)) as server:
        hands = joined(server, "V", "W")
        hands[0].frame()
        hands[0].move(STEP)
        hands[1].frame()
        hands[1].move(REPLY)
        hands[0].frame()
        server.clock.time = 61.0
        hands[0].move((2, 1, 6, 1, 1))
        hands[1].frame()
        hands[1].move((4, 2, 4, 4, 1))
        for hand in hands:
            assert hand.rest() == b"ENDBYE"
            hand.close()
    [result] = server.results
    assert (result.ending, result.returns) == ("finished", [1.0, -1.0])
    assert "the time of the game is over" in server.log
    assert read_record(result.record).plies[-1]["by"] == "clock"
    assert verify_record(result.record).ok


def test_the_vampires_may_try_themselves_out_alone():
    with serving(TINY._replace(players=1, plies=4)) as server:
        [hand] = joined(server, "V")
        hand.frame()
        hand.move(STEP)
        assert hand.frame()[1][0] == (2, 1, 0, 6, 0)
        hand.move((2, 1, 6, 1, 1))
        assert hand.rest() == b"ENDBYE"
        hand.close()
    assert [f.detail for f in server.results[0].faults] == ["nobody plays the Werewolves"] * 2


@pytest.mark.parametrize("skip", [False, True])
def test_an_illegal_order_costs_the_game_or_the_turn(skip):
    with serving(TINY._replace(skip_illegal=skip)) as server:
        hands = joined(server, "V", "W")
        hands[0].frame()
        hands[0].move()
        if skip:
            hands[1].frame()
            hands[1].move(REPLY)
        for hand in hands:
            assert hand.rest() == b"ENDBYE"
            hand.close()
    assert server.results[0].ending == ("finished" if skip else "forfeit")
    assert server.said("Vampires: illegal: it sent the order of no moves: rule 1")


def test_the_third_illegal_order_loses_the_game_and_is_told():
    with serving(TINY._replace(skip_illegal=True, plies=8)) as server:
        hands = joined(server, "V", "W")
        for move in (REPLY, (4, 2, 4, 4, 1)):
            hands[0].frame()
            hands[0].move()
            hands[1].frame()
            hands[1].move(move)
        hands[0].frame()
        hands[0].move()
        for hand in hands:
            assert hand.rest() == b"ENDBYE"
            hand.close()
    assert [fault.cost for fault in server.results[0].faults] == ["turn", "turn", "game"]
    assert server.log.count("Vampires: one illegal order too many, the game is lost") == 1


def test_a_name_may_come_again_in_a_rematch_and_not_in_a_first_game():
    with serving(TINY._replace(rematch_on_draw=True)) as server:
        hands = joined(server, "V", "W")
        hands[0].frame()
        hands[0].move(ASIDE)
        hands[1].frame()
        hands[1].move(REPLY)
        for hand in hands:
            assert hand.tags(5) == ["END", *GREETING]
        hands[0].frame()
        hands[0].send(encode(naming("V")))
        hands[0].move(STEP)
        hands[1].frame()
        hands[1].send(encode(naming("W")))
        hands[1].move(REPLY)
        for hand in hands:
            assert hand.rest() == b"ENDBYE"
            hand.close()
    assert [result.ending for result in server.results] == ["finished"] * 2
    with serving(TINY._replace(rematch_on_draw=True)) as server:
        hands = joined(server, "V", "W")
        hands[0].frame()
        hands[0].send(encode(naming("V")))
        for hand in hands:
            assert hand.rest() == b"ENDBYE"
            hand.close()
    assert server.results[0].ending == "forfeit"


def test_a_battle_after_which_a_cell_is_too_small_is_told():
    log = []
    server = VampiresServer(TINY, Hooks(tell=log.append))
    for count in (256, 255):
        outcome = {"action": WON + count, "text": f"{count} vampires survive"}
        server._watch({"by": "chance", **outcome})
    server.close()
    assert log == ["battle: 256 vampires survive, of whom 255 stay", "battle: 255 vampires survive"]


def test_a_battle_is_told():
    text = MAP.replace('X="4" Y="1" Count="4"', 'X="2" Y="0" Count="4"')
    with serving(TINY._replace(map=text)) as server:
        hands = joined(server, "V", "W")
        hands[0].frame()
        hands[0].move((1, 1, 4, 2, 0))
        line = server.said("battle: ")
        assert line.endswith((" vampires survive", " werewolves survive"))
        for hand in hands:
            hand.close()


def test_a_port_that_is_taken_and_a_map_that_is_none_are_told():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = TINY._replace(port=taken.getsockname()[1])
        with pytest.raises(ServerError, match=r"cannot listen on 127\.0\.0\.1:.*in use"):
            VampiresServer(settings, Hooks())
    with pytest.raises(GameError):
        VampiresServer(TINY._replace(map="<Map/>\n"), Hooks())
    with pytest.raises(ServerError, match="cannot listen on ::zz:0"):
        VampiresServer(TINY._replace(ip="::zz"), Hooks())


def test_a_connection_that_cannot_be_taken_is_told_and_the_next_one_is(monkeypatch):
    accept = BaseSelectorEventLoop.sock_accept
    failures = [OSError(errno.EMFILE, "Too many open files")]

    async def failing(loop, listener):
        if failures:
            raise failures.pop()
        return await accept(loop, listener)

    monkeypatch.setattr(BaseSelectorEventLoop, "sock_accept", failing)
    with serving(TINY) as server:
        server.said("a connection could not be taken: Too many open files")
        finish(joined(server, "V", "W"))


def test_who_has_left_the_lobby_is_not_refused():
    told = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        hall = lobby.Lobby(listener, 2, lambda place: [], told.append, 1.0)
        hall._dismiss(lobby.Guest(listener, 1), "it left")
    assert told == []


# Noise.


def noise(rng):
    """A frame that is random, or one that was changed."""
    moves = [[rng.randrange(256) for _ in range(5)] for _ in range(rng.randrange(4))]
    data = bytearray(
        rng.choice(
            [
                encode(naming("Team")),
                encode(listing("MOV", moves)),
                encode(listing("UPD", moves)),
                rng.randbytes(rng.randrange(1, 40)),
            ]
        )
    )
    for _ in range(rng.randrange(3)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def flood(server, rng, frames, player):
    """Send noise, as a player who has sent a name or as a bare connection."""
    hand = Hand.connect(server.address, "noise" if player else None)
    with suppress(OSError):  # refused, or over
        for _ in range(frames // 100):
            hand.send(b"".join(noise(rng) for _ in range(100)))
    hand.close()


def gone(server):
    """The number of connections that were refused or have played."""
    refused = sum(" is refused: " in line for line in server.log)
    return refused + 2 * len(server.results)


@pytest.mark.parametrize("frames", [2_000, pytest.param(100_000, marks=pytest.mark.full)])
def test_noise_neither_stops_nor_slows_the_next_game(frames):
    rng = random.Random(5)
    with serving(TINY._replace(again=True), clock=HandClock()) as server:
        for _ in range(frames // 1000):
            for player in (False, True, True):
                flood(server, rng, 400, player)
        wait_until(lambda: gone(server) == 3 * (frames // 1000), SECONDS, "the end of the noise")
        hands = joined(server, "quiet 0", "quiet 1")
        server.said("quiet 0 (Vampires) against quiet 1")
        finish(hands)
        server.said("quiet 0 (Vampires) has won")
        server.stop()


def test_random_bytes_in_a_turn_end_the_game_and_nothing_else():
    rng = random.Random(7)
    with serving(TINY._replace(again=True)) as server:
        for number in range(1, 31):
            hands = joined(server, "V", "W")
            hands[0].frame()
            junk = threading.Thread(target=_send, args=(hands[0], noise(rng) + b"\xff" * 2000))
            junk.start()
            for hand in hands:
                hand.rest()
                hand.close()
            junk.join()
            wait_until(lambda: len(server.results) == number)  # noqa: B023 - waited for at once
        server.stop()


def _send(hand, data):
    with suppress(OSError):
        hand.send(data)
