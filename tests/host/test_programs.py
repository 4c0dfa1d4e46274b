"""Programs of any language that speak the protocol themselves."""

import resource
import sys

import pytest
from host.hosting import EASY, END, play_message, start_message

from joute.host import BotLimits, Fault, program_command

ANSWERS = """
import sys
for line in sys.stdin:
    print({!r} if '"start"' in line else {!r}, flush=True)
"""


def program(hosts, ready, answer):
    """A program that answers two fixed lines."""
    text = ANSWERS.format(ready, answer)
    return hosts.command(program_command([sys.executable, "-c", text], EASY))


def test_a_shell_script_plays(hosts):
    bot = hosts.started("program.sh")
    for legal in ([1, 2], [45], [99, 100]):
        answer = bot.ask(play_message(legal=legal))
        assert (answer.action, answer.message) == (legal[0], "the first")
        assert answer.output == f"I play {legal[0]}\n"
    bot.end(END)


def test_a_program_has_its_arguments_and_its_limits(hosts):
    text = """
        import resource, sys
        print('{"type":"ready"}', flush=True)
        sys.stdin.readline(), sys.stdin.readline()
        limits = [resource.getrlimit(k)[0] for k in (resource.RLIMIT_DATA, resource.RLIMIT_CORE)]
        print('{"type":"action","action":"%s %s %s"}' % (sys.argv[1], *limits), flush=True)
        """
    hosts.write("mine.py", text)
    words = f"program:{sys.executable} mine.py fast"
    bot = hosts.started(words, base=hosts.folder)
    assert bot.ask(play_message()).action == f"fast {256 << 20} 0"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hello", "no message of the protocol: "),
        ("[]", "no message of the protocol: "),
        ("", "no message of the protocol: an empty line"),
        ("  \r", "no message of the protocol: an empty line"),
        ('{"type":"action","action":1.0}', "Expected `int | str | array`"),
        ('{"type":"move","action":3}', "'move'"),
        ('{"type":"action"}', "missing required field `action`"),
        ('{"type":"action","action":1.5}', "Expected `int | str | array`"),
        ('{"type":"action","action":true}', "Expected `int | str | array`"),
        ('{"type":"ready"}', "expected an action"),
        ("[" * 100_000, "no message of the protocol: "),
        ('{"type":"action","action":1,"deep":' + "[" * 100_000, "no message of the protocol: "),
    ],
)
def test_an_answer_that_is_no_message_is_a_protocol_fault(hosts, line, words):
    bot = program(hosts, '{"type":"ready"}', line)
    assert bot.start(start_message()).fault is None
    answer = bot.ask(play_message())
    assert answer.fault is Fault.PROTOCOL
    assert words in answer.detail
    assert len(answer.detail) < 500
    assert not answer.alive


@pytest.mark.parametrize(
    ("then", "fault", "words"),
    [("time.sleep(60)", Fault.TIMEOUT, "no answer after "), ("", Fault.CRASH, "with status 0")],
)
def test_an_answer_whose_line_has_no_end_is_told_where_there_is_none(hosts, then, fault, words):
    text = """
        import sys, time
        print('{"type":"ready"}', flush=True)
        sys.stdin.readline(), sys.stdin.readline()
        print('{"action":1}', end="", flush=True)
        THEN
        """
    folder = hosts.write("mine.py", text.replace("THEN", then))
    limits = BotLimits(move_seconds=0.5, start_seconds=20)
    bot = hosts.started(f"program:{sys.executable} mine.py", limits, base=folder)
    answer = bot.ask(play_message())
    assert answer.fault is fault and words in answer.detail
    assert answer.detail.endswith(
        """; its answer has no end of line, and begins with '{"action":1}'"""
    )


def test_what_a_later_protocol_may_add_is_ignored(hosts):
    bot = program(hosts, '{"type":"ready","name":"x"}', '{"action":3,"pv":[1],"type":"action"}')
    assert bot.start(start_message()).fault is None
    assert bot.ask(play_message()).action == 3


@pytest.mark.parametrize(
    ("fault", "expected"),
    [("crash", Fault.CRASH), ("memory", Fault.MEMORY), ("illegal", Fault.ILLEGAL),
     ("infrastructure", Fault.CRASH), ("odd", Fault.CRASH)],
)  # fmt: skip
def test_a_program_may_accuse_itself_but_nobody_else(hosts, fault, expected):
    line = f'{{"type":"error","fault":"{fault}","error":"my own"}}'
    bot = program(hosts, '{"type":"ready"}', line)
    bot.start(start_message())
    answer = bot.ask(play_message())
    assert (answer.fault, answer.detail, answer.alive) == (expected, "my own", True)


def test_a_program_that_is_not_ready_has_not_started(hosts):
    answer = program(hosts, '{"type":"action","action":1}', "").start(start_message())
    assert answer.fault is Fault.START_UP
    assert "expected 'ready'" in answer.detail
    assert not answer.alive


def test_a_program_that_cannot_run_says_so(hosts):
    answer = hosts.command(program_command(["/no/such/program"], EASY)).start(start_message())
    assert answer.fault is Fault.START_UP
    said = "cannot run /no/such/program: No such file or directory"
    assert answer.detail == f"its process ended with status 127; it printed last: {said!r}"
    assert answer.output == f"{said}\n"


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("loading\n\nno model: it's gone\n \n", "no model: it's gone"),
        ("a" * 300, "a" * 200 + "..."),
        ("\x1b[31mred", "\x1b[31mred"),
    ],
)
def test_why_a_program_ended_comes_with_the_last_line_that_it_printed(hosts, printed, shown):
    text = f"import sys; sys.stdin.readline(); sys.stderr.write({printed!r}); sys.exit(3)"
    command = program_command([sys.executable, "-c", text], EASY)
    answer = hosts.command(command).start(start_message())
    assert answer.fault is Fault.START_UP
    assert answer.detail == f"its process ended with status 3; it printed last: {shown!r}"
    assert "\x1b" not in answer.detail


def test_a_program_that_closes_its_output_has_crashed(hosts):
    text = "import os, sys; sys.stdin.readline(); os.close(1); sys.stdin.readline()"
    bot = hosts.command(program_command([sys.executable, "-c", text], EASY))
    answer = bot.start(start_message())
    assert answer.fault is Fault.START_UP
    assert answer.detail == "it closed its channel to the referee"
    assert not answer.alive


def test_an_answer_before_the_message_is_read_is_a_protocol_fault(hosts):
    text = (
        'import sys, time; sys.stdin.readline(); print(\'{"type":"ready"}\', flush=True)\n'
        'sys.stdin.buffer.raw.read(1); print(\'{"type":"action","action":1}\', flush=True)\n'
        "time.sleep(3600)"
    )
    bot = hosts.command(program_command([sys.executable, "-u", "-c", text], EASY))
    assert bot.start(start_message()).fault is None
    answer = bot.ask(play_message(grid=["x" * 1_000_000]))
    assert answer.fault is Fault.PROTOCOL
    assert answer.detail == "it answered before it had read the message"


def test_the_limits_of_this_process_stay_as_they_are(hosts):
    before = resource.getrlimit(resource.RLIMIT_DATA)
    hosts.started("program.sh")
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
