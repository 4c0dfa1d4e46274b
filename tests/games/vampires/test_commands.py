"""`joute vampires serve|client`, and what a server shows."""

import re
import signal
import threading

import pytest
from games.vampires.players import MAP, specification
from helpers import PATIENCE, wait_until

from joute.cli.main import main
from joute.games.vampires.commands import ServerDisplay
from joute.games.vampires.server.client import Client
from joute.games.vampires.server.settings import ServerSettings
from joute.play.referee import play_game
from joute.play.verify import verify_record


@pytest.fixture
def serve(tmp_path, monkeypatch):
    """Starts a server on a free port; the log, once it listens, its port, and its thread."""
    monkeypatch.chdir(tmp_path)
    codes = []

    def started(*arguments):
        log = tmp_path / "trace.log"
        words = ["vampires", "serve", "--port", "0", "--trace", str(log), *map(str, arguments)]
        thread = threading.Thread(target=lambda: codes.append(main(words)))
        thread.start()
        found = wait_until(
            lambda: log.exists() and re.search(r"listening on [\d.]+:(\d+)", log.read_text())
        )
        return log, int(found[1]), thread, codes

    return started


def test_a_server_and_two_clients_play_a_game(serve, tmp_path, run):
    (tmp_path / "small.xml").write_text(MAP)
    (tmp_path / "server.config").write_text("Map = small.xml\nMaxPlays = 6\nColour = red\n")
    log, port, thread, codes = serve("--config", "server.config", "--records", "kept")
    other = threading.Thread(
        target=lambda: Client("builtin:nearest", "near", 2.0, print).run("127.0.0.1", port)
    )
    other.start()
    wait_until(lambda: "(near) plays the Vampires" in log.read_text())
    outcome = run("vampires", "client", "127.0.0.1", port, "--bot", "builtin:random", "--name", "é")
    other.join()
    thread.join()
    assert (outcome.code, codes) == (0, [0])
    assert "playing Werewolves" in outcome.out
    text = log.read_text()
    assert "server.config: Colour is not a known setting" in text
    assert "(?) plays the Werewolves" in text
    [record] = (tmp_path / "kept").glob("*.jsonl")
    assert verify_record(record.read_bytes()).ok
    assert len(text.splitlines()) > 8


def test_a_map_may_be_drawn(serve):
    _, port, thread, codes = serve("--random", 6, 5, 4, "--plies", 2, "--move-seconds", 5)
    clients = [
        threading.Thread(
            target=lambda: Client("builtin:random", "r", 2.0, print).run("127.0.0.1", port)
        )
        for _ in range(2)
    ]
    for each in [*clients]:
        each.start()
    for each in [*clients, thread]:
        each.join()
    assert codes == [0]


@pytest.mark.parametrize(
    ("arguments", "pause", "wrap"),
    [
        ((), 0.5, False),
        (("--pause-seconds", 0, "--wrap-counts"), 0.0, True),
        (("--config", "server.config"), 5.0, True),
        (("--config", "server.config", "--pause-seconds", 1.5), 1.5, True),
    ],
)
def test_the_pause_and_how_counts_join_may_be_set(
    run, tmp_path, monkeypatch, arguments, pause, wrap
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "server.config").write_text("PauseSeconds = 5\nWrapCounts = yes\n")
    made = []

    class Server:
        def __init__(self, settings, *others):
            made.append(settings)

        async def run(self):
            """It serves nobody."""

    monkeypatch.setattr("joute.games.vampires.server.serve.VampiresServer", Server)
    assert run("vampires", "serve", "--map", "valley", *arguments).code == 0
    assert (made[0].pause_seconds, made[0].wrap_counts) == (pause, wrap)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "a server needs a map: --map with a file or one of "),
        (["--map", "valley", "--random", 5, 5, 2], "give either --map or --random"),
        (["--map", "valey"], "did you mean valley"),
        (["--map", "valley", "--plies", 3], "plies must be even"),
        (["--config", "missing.config"], "missing.config: No such file"),
        (["--config", "bad.config"], "bad.config: Port: expected a whole number"),
        (["--map", "valley", "--ip", "nowhere"], "cannot listen on nowhere"),
    ],
)
def test_what_is_wrong_with_a_server_is_told(run, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.config").write_text("Port = x\n")
    outcome = run("vampires", "serve", *arguments)
    assert outcome.code in (1, 2)
    assert said in outcome.err


def test_a_map_is_asked_for_on_a_terminal(terminal, tmp_path):
    screen = terminal("vampires", "serve", "--port", "0", "--records", tmp_path)
    screen.wait_for("On which map (")
    screen.press("valley\n")
    screen.wait_for("listening on")
    screen.process.send_signal(signal.SIGINT)
    assert screen.process.wait(PATIENCE) == 3
    assert screen.as_before()


def test_a_client_without_a_server_says_so(run):
    outcome = run("vampires", "client", "127.0.0.1", 1, "--bot", "builtin:random")
    assert outcome.code == 1
    assert "cannot connect to 127.0.0.1:1" in outcome.err


@pytest.mark.parametrize("plain", [True, False])
def test_a_game_is_shown_with_its_board_its_clocks_and_its_log(plain, capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")  # a terminal, as far as the live board can tell
    monkeypatch.setenv("TERM", "xterm")
    settings = ServerSettings(map=MAP)
    spec = specification(("builtin:nearest", "builtin:random"), parameters={"plies": 6})
    with ServerDisplay(settings, plain=plain) as show:
        show.tell("before")
        show.opened(spec)
        play_game(spec, watch=show.watch)
        show.watch({"by": "bot", "player": 1, "wall_ms": 2000.0, "fault": "timeout"})
        show.tell("after")
    out = capsys.readouterr().out
    assert out.count("turn 6 of 6") >= 1
    assert "before" in out
    assert "after" in out
    if not plain:
        assert "Werewolves" in out
        assert re.search(r"2\.\d\d s  timeout", out)  # the bots' own turns come on top
        assert out.rstrip().splitlines()[-1].endswith("after")


@pytest.mark.parametrize(
    "words",
    [("serve", "--map", "valley", "--port"), ("client", "127.0.0.1")],
    ids=["serve", "client"],
)
def test_a_port_that_none_can_be_is_refused(run, words):
    outcome = run("vampires", *words, 10**20)
    assert outcome.code == 2
    assert "65535" in outcome.err


def test_a_client_says_that_no_machine_has_such_a_name(run):
    outcome = run("vampires", "client", "..", 5555, "--bot", "builtin:nearest")
    assert outcome.code == 1
    assert outcome.err == "joute: cannot connect to ..:5555: Name or service not known\n"
