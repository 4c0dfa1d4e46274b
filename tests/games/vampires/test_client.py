"""Our client, on our server and on servers that a test plays."""

import errno
import socket
import threading

import pytest
from games.vampires.players import MAP, SECONDS, serving
from games.vampires.players import pair as pair_of_sockets

from joute.games.vampires.adapters.connection import RealClock
from joute.games.vampires.adapters.frames import TO_SERVER, Decoder, encode, listing, naming, pair
from joute.games.vampires.server.client import Client, ClientError
from joute.games.vampires.server.settings import ServerSettings
from joute.play.verify import verify_record

TINY = ServerSettings(map=MAP, port=0, plies=20, pause_seconds=0.0, name_seconds=SECONDS)


class Playing(threading.Thread):
    """A client in a thread; `error` is what ended it, if anything did."""

    def __init__(self, address, bot="builtin:random", base=None):
        super().__init__()
        self.lines, self.error = [], None
        self.client = Client(bot, "C", 2.0, self.lines.append, base)
        self.address = address
        self.start()

    def run(self):
        try:
            self.client.run(*self.address)
        except ClientError as error:
            self.error = error

    def done(self):
        self.join(SECONDS)
        assert not self.is_alive()
        return self.error


def test_two_clients_play_a_game():
    with serving(TINY, clock=RealClock()) as server:
        clients = [Playing(server.address, bot) for bot in ("builtin:random", "builtin:nearest")]
        assert [client.done() for client in clients] == [None, None]
    [result] = server.results
    assert result.faults == []
    assert verify_record(result.record).ok
    assert {line for client in clients for line in client.lines} == {
        "playing Vampires", "playing Werewolves", "the game is over",
    }  # fmt: skip


def test_a_file_plays_and_where_it_fails_the_first_move_is_sent(tmp_path):
    (tmp_path / "order.py").write_text(
        "def play(observation, clock):\n"
        "    mine = 3 + observation['player']\n"
        "    x, y = next(cell for cell in observation['cells'] if cell[mine])[:2]\n"
        "    return [[x, y, 1, x, y + 1 if y == 0 else y - 1]]\n"
    )
    (tmp_path / "wrong.py").write_text("def play(observation, clock):\n    return 'up'\n")
    with serving(TINY._replace(move_seconds=60.0), clock=RealClock()) as server:
        clients = [Playing(server.address, bot, tmp_path) for bot in ("order.py", "wrong.py")]
        assert [client.done() for client in clients] == [None, None]
    assert server.results[0].faults == []
    assert any("the bot failed: " in line for line in clients[1].lines)


class Official:
    """A server that a test plays, frame by frame, split or joined as it likes."""

    def __init__(self, bot="builtin:random", base=None):
        self.bot, self.base = bot, base

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.playing = Playing(self.listener.getsockname(), self.bot, self.base)
        self.socket = self.listener.accept()[0]
        self.socket.settimeout(SECONDS)
        self.decoder = Decoder(TO_SERVER)
        return self

    def __exit__(self, *error):
        self.socket.close()
        self.listener.close()
        self.playing.join(SECONDS)

    def heard(self):
        frames = []
        while not frames:
            data = self.socket.recv(4096)
            assert data
            frames = self.decoder.feed(data)
        [frame] = frames
        return frame

    def send(self, *frames, pieces=0):
        data = b"".join(frame if isinstance(frame, bytes) else encode(frame) for frame in frames)
        if not pieces:
            self.socket.sendall(data)
        for at in range(0, len(data) if pieces else 0, pieces or 1):
            self.socket.sendall(data[at : at + pieces])

    def welcome(self, home=(1, 1), pieces=0):
        self.send(
            pair("SET", 3, 6),
            listing("HUM", [(2, 1)]),
            pair("HME", *home),
            listing("MAP", [(1, 1, 0, 4, 0), (2, 1, 2, 0, 0), (4, 1, 0, 0, 4)]),
            pieces=pieces,
        )


def test_the_rematch_of_the_statement_is_played_on_the_same_connection():
    with Official() as server:
        assert server.heard().name == "C"
        for game, home in enumerate([(1, 1), (4, 1)]):
            server.welcome(home, pieces=game)
            server.send(listing("UPD", []))
            frame = server.heard()
            assert frame.tag == "MOV"
            assert {move[:2] for move in frame.entries} == {home}
            server.send(b"END")
        server.send(b"BYE")
        assert server.playing.done() is None
    assert server.playing.client.games == 2
    assert server.playing.lines[0] == "playing Vampires"
    assert server.playing.lines[2] == "playing Werewolves"


def test_updates_are_followed_even_where_nothing_of_ours_is_left():
    with Official() as server:
        server.heard()
        server.welcome()
        server.send(listing("UPD", [(1, 1, 0, 0, 0), (0, 2, 0, 3, 0)]))
        assert server.heard().entries[0][:2] == (0, 2)
        server.send(listing("UPD", [(0, 2, 0, 0, 7)]))
        server.send(b"ENDBYE")
        assert server.playing.done() is None


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"", "ended the connection before the end"),
        (b"HELLO", "b'HEL', which begins no frame"),
        (b"UPD\x00", "UPD before MAP"),
        (b"SET\x03\x06MAP\x00", "lacks a species"),
    ],
)
def test_a_server_that_makes_no_sense_is_left_with_the_reason(sent, said):
    with Official() as server:
        server.heard()
        server.send(sent)
        server.socket.shutdown(socket.SHUT_WR)
        assert said in str(server.playing.done())


def test_a_connection_that_ends_after_the_game_is_as_good_as_bye():
    with Official() as server:
        server.heard()
        server.welcome()
        server.send(b"END")
        server.socket.close()
        assert server.playing.done() is None


def test_a_server_that_is_gone_when_we_send_is_noticed():
    with Official() as server:
        server.heard()
        server.welcome()
        server.send(listing("UPD", []))
        server.heard()
        server.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        server.socket.close()
        assert "ended the connection" in str(server.playing.done())


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("raise RuntimeError('a bug')", "the bot failed: "),
        ("return [999]", "the bot failed: [999] is not legal here"),
    ],
)
def test_where_a_bot_fails_the_first_move_is_sent(source, said, tmp_path):
    (tmp_path / "bot.py").write_text(f"def play(observation, clock):\n    {source}\n")
    with Official("bot.py", tmp_path) as server:
        server.heard()
        server.welcome()
        server.send(listing("UPD", []))
        assert server.heard().entries == ((1, 1, 1, 0, 0),)
        server.send(b"ENDBYE")
        assert server.playing.done() is None
    assert any(line.startswith(said) for line in server.playing.lines)


def test_a_bot_that_does_not_start_is_told(tmp_path):
    (tmp_path / "bot.py").write_text("import nothing_of_this_name\n")
    with Official("bot.py", tmp_path) as server:
        server.heard()
        server.welcome()
        assert "the bot does not start: " in str(server.playing.done())


def test_what_cannot_be_sent_is_told_and_what_still_comes_is_read():
    server, client = pair_of_sockets()
    told = []
    ours = Client("builtin:random", "C", 2.0, told.append)
    ours._socket = client
    server.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    server.close()
    ours._send(naming("C"))
    assert told == ["the server did not take what was sent"]
    assert ours._next() is None
    client.close()


def test_no_server_is_told():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = listener.getsockname()
    client = Client("builtin:random", "C", 2.0, print)
    with pytest.raises(ClientError, match=r"cannot connect to 127\.0\.0\.1"):
        client.run(*address)


@pytest.mark.parametrize(
    "text", ["Ip = {}\nPort = {}\nTrace = false\n", "<c><Ip>{}</Ip><Port>{}</Port></c>"]
)
def test_the_command_takes_the_server_from_a_configuration(run, tmp_path, text):
    with serving(TINY, clock=RealClock()) as server:
        file = tmp_path / "player.config"
        file.write_text(text.format(*server.address))
        other = Playing(server.address)
        played = run("vampires", "client", "--config", file, "--bot", "builtin:random")
        assert (played.code, other.done()) == (0, None)
    assert "the game is over" in played.out


def test_arguments_count_before_the_configuration(run, tmp_path):
    with serving(TINY, clock=RealClock()) as server:
        file = tmp_path / "player.config"
        file.write_text("Ip = 192.0.2.1\nPort = 1\n")
        other = Playing(server.address)
        played = run(
            "vampires", "client", *server.address, "--config", file, "--bot", "builtin:random"
        )
        assert (played.code, other.done()) == (0, None)


def test_a_client_without_a_server_is_told_how_to_name_one(run):
    for arguments in ((), ("127.0.0.1",)):
        refused = run("vampires", "client", *arguments)
        assert (refused.code, "--config FILE" in refused.err) == (2, True)


class CutOff:
    """A socket to a machine that can no longer be reached."""

    def sendall(self, data):
        raise OSError(errno.EHOSTUNREACH, "No route to host")

    def recv(self, most):
        raise OSError(errno.ETIMEDOUT, "Connection timed out")


def test_a_network_that_is_cut_ends_the_connection():
    told = []
    client = Client("builtin:random", "C", 2.0, told.append)
    client._socket = CutOff()
    client._send(naming("C"))
    assert told == ["the server did not take what was sent"]
    assert client._next() is None
