"""A language model at a seat, played by a scripted server with OpenAI's chat completions."""

import json
import re
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from helpers import PATIENCE

from joute.core.interface import properties
from joute.core.registry import make, names
from joute.host.limits import Limits
from joute.host.names import BotError, parse_bot
from joute.host.protocol import InfrastructureError
from joute.play.game import GameSpec, SeatSpec, usual_costs
from joute.play.language_model import KEY
from joute.play.record import read_record
from joute.play.referee import play_game
from joute.play.seats import check_bot
from joute.play.verify import verify_record

pytestmark = pytest.mark.game("virus")


class ScriptedServer:
    """Answers each question with what `speak` makes of it; keeps the requests."""

    def __init__(self) -> None:
        self.requests = []
        self.keys = []
        self.speak = first_action
        self.location = ""
        self.protocol = "HTTP/1.0"
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                owner.requests.append(asked)
                owner.keys.append(self.headers["Authorization"])
                status, body = owner.speak(asked)
                self.protocol_version = owner.protocol
                self.send_response(status)
                if owner.location:
                    self.send_header("Location", owner.location)
                with suppress(BrokenPipeError, ConnectionResetError):  # whoever asked has left
                    self.end_headers()
                    self.wfile.write(body)

            def do_GET(self):
                owner.keys.append(self.headers["Authorization"])

            def log_message(self, *_):
                """Nothing is printed."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(PATIENCE)


def completion(text, **usage):
    body = {"choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage}
    return 200, json.dumps(body).encode()


def first_action(asked):
    """The first legal action of the list, after some thinking."""
    question = asked["messages"][1]["content"]
    first = re.search(r"Legal actions[^:]*: (.*?)(?:;|$)", question)[1]
    return completion(
        f"I have thought.\n**ACTION: {first}**", prompt_tokens=100, completion_tokens=7
    )


@pytest.fixture
def server():
    running = ScriptedServer()
    yield running
    running.close()


def spec(bot, game="virus", **parameters):
    players = properties(make(game, **parameters)).players
    others = [SeatSpec(name=f"other {seat}", bot="builtin:random") for seat in range(1, players)]
    return GameSpec(
        game=game,
        parameters=parameters,
        bots=(SeatSpec(name="model", bot=bot), *others),
        seed="0" * 32,
        limits=Limits(move_seconds=1.0),
        costs=usual_costs(game),
    )


def answers(result, seat=0):
    plies = read_record(result.record).plies
    return [line for line in plies if line["by"] == "bot" and line["player"] == seat]


@pytest.mark.parametrize("game", names())
def test_a_scripted_model_plays_every_game_to_its_end_and_the_record_proves_it(server, game):
    small = {"size": 4} if game == "virus" else {}
    result = play_game(spec(f"llm:{server.address}#small", game, **small))
    server.close()
    assert result.ending == "finished" and not result.faults
    assert answers(result)[0]["message"].startswith("I have thought.")
    assert verify_record(result.record).ok


def test_a_model_is_told_the_rules_what_it_sees_and_what_is_legal(server, monkeypatch):
    monkeypatch.setenv(KEY, "secret")
    result = play_game(spec(f"llm:{server.address}#small?temperature=0", size=4))
    asked = server.requests[0]
    system, user = (each["content"] for each in asked["messages"])
    assert asked["model"] == "small" and asked["temperature"] == 0
    assert server.keys[0] == "Bearer secret"
    assert "You play the game virus as player 0 of 0 (model), 1 (other 1)" in system
    assert '"size": 4' in system and "What you see: {" in user
    line = answers(result)[0]
    assert line["metrics"] == {"requests": 1, "tokens read": 100, "tokens written": 7}
    assert line["cpu_ms"] == 0 and line["wall_ms"] > 0
    assert b"secret" not in result.record


def test_an_answer_that_is_not_legal_is_sent_back_with_its_reason(server):
    wrong = iter(["I cannot decide.", "ACTION: z9", "ACTION: 999"])

    def speak(asked):
        text = next(wrong, None)
        return first_action(asked) if text is None else completion(text)

    server.speak = speak
    result = play_game(spec(f"llm:{server.address}#small?tries=4", size=4))
    line = answers(result)[0]
    assert not result.faults and line["metrics"]["requests"] == 4
    assert "I cannot decide.\n=> no line of the answer begins with ACTION:" in line["output"]
    told = [each["content"] for each in server.requests[3]["messages"]]
    assert told[2] == "I cannot decide." and "ACTION: z9" in told and "z9" in told[5]


def test_after_the_last_try_the_answer_is_an_illegal_one(server):
    server.speak = lambda asked: completion("ACTION: nowhere")
    result = play_game(spec(f"llm:{server.address}#small?tries=2", size=4))
    assert {fault.fault for fault in result.faults} == {"illegal"}
    assert answers(result)[0]["metrics"]["requests"] == 2


@pytest.mark.parametrize("message", [b'{"content": null}', b'{"refusal": "I will not."}'])
def test_an_answer_without_content_is_one_without_an_action(server, message):
    server.speak = lambda asked: (200, b'{"choices": [{"message": %s}]}' % message)
    result = play_game(spec(f"llm:{server.address}#small?tries=2", size=4))
    assert {fault.fault for fault in result.faults} == {"illegal"}
    assert "no line of the answer begins with ACTION:" in result.faults[0].detail


def test_a_model_that_takes_too_long_has_lost_its_turn_as_any_bot(server):
    answered = threading.Event()

    def speak(asked):
        answered.wait(PATIENCE)
        return first_action(asked)

    server.speak = speak
    one = spec(f"llm:{server.address}#small?seconds=0.05", size=4)
    try:
        result = play_game(one, stop=lambda: True)
    finally:
        answered.set()
    assert {fault.fault for fault in result.faults} == {"timeout"}
    assert "did not answer in 0.05 s" in result.faults[0].detail


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ((500, b"on fire"), "500 Internal Server Error: on fire"),
        ((200, b"not JSON"), "that is no chat completion"),
        ((200, b'{"choices": []}'), "that is no chat completion"),
        ((200, b'{"choices": [{"message": null}]}'), "that is no chat completion"),
        ((200, b'{"choices": [{"message": "ACTION: a1"}]}'), "that is no chat completion"),
        ((200, b'{"choices": [{"message": {"content": 7}}]}'), "that is no chat completion"),
    ],
)
def test_a_server_that_fails_is_no_fault_of_the_bot(server, reply, said):
    server.speak = lambda asked: reply
    with pytest.raises(InfrastructureError, match=said) as raised:
        play_game(spec(f"llm:{server.address}#small", size=4))
    assert raised.value.seats == (0,)


def test_a_redirect_is_not_followed_as_the_key_is_for_the_server_that_was_named(
    server, monkeypatch
):
    monkeypatch.setenv(KEY, "secret")
    elsewhere = ScriptedServer()
    server.speak = lambda asked: (302, b"there")
    server.location = f"{elsewhere.address}/chat/completions"
    try:
        with pytest.raises(InfrastructureError, match="302 Found: there"):
            play_game(spec(f"llm:{server.address}#small", size=4))
    finally:
        elsewhere.close()
    assert server.keys == ["Bearer secret"] and elsewhere.keys == []


def test_a_server_that_speaks_another_protocol_is_told(server):
    server.protocol = "no HTTP"
    with pytest.raises(InfrastructureError, match=f"no answer from {server.address}"):
        play_game(spec(f"llm:{server.address}#small", size=4))


def test_a_server_that_is_not_there_is_told(server):
    server.close()
    with pytest.raises(InfrastructureError, match=f"no answer from {server.address}"):
        play_game(spec(f"llm:{server.address}#small", size=4))


@pytest.mark.parametrize(
    "name",
    [
        "llm:",
        "llm:http://localhost:1/v1",
        "llm:localhost#small",
        "llm:ftp://localhost#small",
        "llm:http://[#small",
        "llm:http://me:secret@localhost#small",
        "llm:http://localhost#small?tries",
        "llm:http://localhost#small?tries=1&tries=2",
    ],
)
def test_a_name_without_a_server_and_a_model_is_refused(name):
    with pytest.raises(BotError):
        parse_bot(name)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("colour=red", "has no option colour"),
        ("tries=many", "tries=many is not a number"),
        ("tries=0", "tries=0 is not a number"),
        ("seconds=0", "seconds=0 is not a number"),
        ("temperature=3", "temperature=3 is not a number"),
    ],
)
def test_an_option_that_a_model_does_not_have_is_refused(option, said):
    bot = parse_bot(f"llm:http://localhost/v1#small?{option}")
    with pytest.raises(BotError, match=said):
        check_bot(bot, make("virus", size=4))
