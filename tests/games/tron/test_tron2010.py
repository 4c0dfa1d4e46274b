"""Programs of the 2010 Tron contest: the map that they read, the digits that they answer."""

import os
import sys
from pathlib import Path

import pytest
from games.mistakes import in_french
from games.tron.bikes import ROOM, tron_play, tron_start
from helpers import need
from host.hosting import BOTS, EASY, END, FREE, play_message

from joute.games.tron.adapters.google2010 import Tron2010, map_rows
from joute.host import BotError, BotLimits, Fault, content_hash, parse_bot
from joute.host.adapters import dialect_of
from joute.host.protocol import Judgment

DIALECT = dialect_of("tron2010")
LEFT, UP, RIGHT, DOWN = range(4)
PATIENT = BotLimits(move_seconds=0.05, start_seconds=20, memory_mb=256)
"""Short turns after a first one that is generous on any machine."""


def stand_in(way="well"):
    return f"tron2010:{sys.executable} tron2010.py {way}"


def started(hosts, way="well", limits=EASY):
    bot = hosts.bot(stand_in(way), limits)
    answer = bot.start(tron_start())
    assert (answer.fault, answer.detail, answer.alive) == (None, "", True)
    return bot


def source(hosts, text, limits=EASY):
    """A started program of this text."""
    hosts.write("mine.py", text)
    bot = hosts.bot(f"tron2010:{sys.executable} mine.py", limits, base=hosts.folder)
    assert bot.start(tron_start()).fault is None
    return bot


def seen(*arguments, **changes):
    return DIALECT.write(tron_play(*arguments, **changes)).decode("ascii").splitlines()


# The map.


def test_the_map_is_its_size_and_its_rows_from_the_top():
    assert seen() == ["7 5", *ROOM]


def test_each_program_is_1_and_its_enemy_2():
    assert seen(ROOM, 1) == ["7 5", "#######", "#2    #", "#     #", "#    1#", "#######"]


def test_trails_and_cells_of_crashes_are_walls():
    rows = ["#######", "#aa1  #", "#  *  #", "# 2bb #", "#######"]
    assert seen(rows) == ["7 5", "#######", "###1  #", "#  #  #", "# 2## #", "#######"]


def test_a_bike_that_is_out_is_wall():
    rows = ["#######", "#aa1  #", "#  b  #", "#######"]
    play = tron_play(rows, heads=[[3, 2, 0], None])
    assert map_rows(play["observation"]) == ["#######", "###1  #", "#  #  #", "#######"]


@pytest.mark.parametrize(
    "rows", [["1  ", "  2"], ["###", "#1a", "#2#", "###"], ["#a#", "#1#", "#2#"]]
)
def test_a_map_that_is_open_at_an_edge_gets_a_wall_around_it_to_the_end(rows):
    size, top, *middle, bottom = seen(rows)
    width, height = len(rows[0]) + 2, len(rows) + 2
    assert size == f"{width} {height}"
    assert top == bottom == "#" * width
    assert middle == [f"#{row.replace('a', '#')}#" for row in rows]


def test_nothing_is_said_at_the_start_and_at_the_end():
    assert DIALECT.write(tron_start()) == DIALECT.write(END) == b""


# Answers.


@pytest.mark.parametrize(
    ("line", "action"),
    [(b"1", UP), (b"2", RIGHT), (b"3", DOWN), (b"4", LEFT), (b"2\r", RIGHT), (b" \t4 ", LEFT)],
)
def test_a_digit_is_a_direction(line, action):
    assert DIALECT.judge(line, playing=True) == Judgment(action, None)


@pytest.mark.parametrize("line", [b"", b"0", b"5", b"-1", b"11", b"1 2", b"north", b"1.0", b"\xb2"])
def test_anything_else_is_a_protocol_fault_that_shows_it(line):
    action, fault, detail, *_ = DIALECT.judge(line, playing=True)
    assert (action, fault) == (None, Fault.PROTOCOL)
    assert detail == (
        f"answered {line.decode('utf-8', 'replace')!r}: expected 1 (north), 2 (east), 3 (south) "
        "or 4 (west)"
    )


def test_a_long_answer_is_shown_in_part():
    assert "'" + "x" * 80 + "'…: " in DIALECT.judge(b"x" * 1000, playing=True)[2]


# Games that have no words in it.


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rows": ["#####", "#1 2#", "#3  #", "#####"]}, "here there are 3 bikes"),
        ({"rows": ["####", "#1 #", "####"]}, "here there is one bike"),
        ({"floors": [ROOM, ROOM]}, "this map has 2 floors"),
        ({"wrap": "xy"}, "this map joins its edges (wrap = xy)"),
        ({"order": "turns"}, "here bikes move in turns (order = turns)"),
        ({"floors": [["#######", "#  BAAB", "#######"]]}, "this map has A, B"),
    ],
)
def test_a_game_that_the_protocol_cannot_say_is_refused_with_the_reason(changes, words):
    refusal = DIALECT.refusal(tron_play(**changes)["observation"])
    assert str(refusal).startswith("programs of the 2010 protocol play two bikes")
    assert str(refusal).endswith("; " + words)


def test_another_game_is_refused_and_a_duel_is_not():
    refusal = DIALECT.refusal(play_message()["observation"])
    assert str(refusal).endswith("; this game is not Tron")
    assert not DIALECT.refusal(tron_play()["observation"])
    assert not dialect_of("").refusal(play_message()["observation"])


# Names.


def test_a_name_is_as_a_programs_with_another_prefix(tmp_path):
    spec = parse_bot(stand_in(), BOTS)
    assert (spec.kind, spec.dialect, spec.folder) == ("program", "tron2010", BOTS)
    assert spec.command[1:] == ("tron2010.py", "well")
    assert content_hash(spec) != content_hash(parse_bot(stand_in("late"), BOTS))
    assert content_hash(spec) != content_hash(
        parse_bot(stand_in().replace("tron2010:", "program:"), BOTS)
    )
    with pytest.raises(BotError, match="expected a command after 'tron2010:'"):
        parse_bot("tron2010:")
    with pytest.raises(BotError, match=r"no program '\./gone' in "):
        parse_bot("tron2010:./gone", tmp_path)
    with pytest.raises(BotError, match=f"did you mean {'tron2010:./bot'!r}"):
        parse_bot("tron2011:./bot", tmp_path)


# Programs.


def test_a_program_plays_as_it_is(hosts):
    bot = started(hosts)
    answer = bot.ask(tron_play())
    assert (answer.action, answer.fault, answer.message, answer.output) == (RIGHT, None, "", "")
    rows = ["#######", "#a1   #", "#     #", "#   2b#", "#######"]
    assert bot.ask(tron_play(rows)).action == RIGHT
    assert bot.ask(tron_play(rows, 1)).action == LEFT


def test_a_program_in_c_plays_to_the_end_of_its_input(hosts):
    binary = hosts.folder / "bot"
    code = Path(__file__).with_name("tron2010.c")
    status = os.spawnv(os.P_WAIT, need("gcc"), ["gcc", "-O1", "-o", str(binary), str(code)])
    assert status == 0
    bot = hosts.bot("tron2010:./bot", base=hosts.folder)
    assert bot.start(tron_start()).fault is None
    for rows, action in (
        (["   ", " 1 ", "2  "], UP),
        ([" 1 ", " a ", "2  "], RIGHT),
        ([" a1", " a ", "2  "], DOWN),
    ):
        answer = bot.ask(tron_play(rows))
        assert (answer.action, answer.output) == (action, "")
    bot.end(END)
    assert not bot.alive


def test_its_input_ends_with_the_game(hosts):
    bot = source(
        hosts,
        """
        import sys
        input()
        print(1, flush=True)
        sys.stdin.read()
        open("heard.txt", "w").write("the end")
        """,
        FREE,
    )
    assert bot.ask(tron_play()).action == UP
    bot.end(END)
    assert (hosts.folder / "heard.txt").read_text() == "the end"


def test_a_program_that_does_not_leave_is_ended(hosts):
    bot = source(hosts, "input()\nprint(1, flush=True)\nwhile True: pass\n")
    assert bot.ask(tron_play()).action == UP
    bot.end(END)
    assert not bot.alive


def test_a_late_move_ends_it_with_the_reason_and_it_can_be_started_again(hosts):
    bot = started(hosts, "late")
    for _ in range(2):
        assert bot.ask(tron_play()).action == RIGHT
    bot.limits = PATIENT
    answer = bot.ask(tron_play())
    assert answer.fault is Fault.TIMEOUT
    assert "s of 0.05 s" in answer.detail
    assert not answer.alive
    assert bot.start(tron_start()).fault is None
    assert bot.ask(tron_play()).action == RIGHT


def test_the_first_move_has_the_time_of_the_start(hosts):
    text = (
        "import time\nwhile time.process_time() < 0.5: pass\nprint(1, flush=True)\nwhile True: pass"
    )
    bot = source(hosts, text, PATIENT)
    answer = bot.ask(tron_play())
    assert (answer.action, answer.fault) == (UP, None)
    assert answer.cpu_ms > 400
    assert "s of 0.05 s" in bot.ask(tron_play()).detail


@pytest.mark.parametrize("way", ["silent", pytest.param("sleeping", marks=pytest.mark.full)])
def test_a_program_that_waits_is_stopped_by_the_wall(hosts, way):
    bot = started(hosts, way)
    for _ in range(2):
        assert bot.ask(tron_play()).action == RIGHT
    bot.limits = PATIENT
    answer = bot.ask(tron_play())
    assert answer.fault is Fault.TIMEOUT
    assert "s of 1.10 s on the wall" in answer.detail
    assert not answer.alive


@pytest.mark.parametrize(
    ("way", "status", "output"), [("crash", 1, "IndexError: nowhere to go\n"), ("leave", 3, "")]
)
def test_a_program_that_ends_in_mid_game_has_crashed(hosts, way, status, output):
    bot = started(hosts, way)
    for _ in range(2):
        assert bot.ask(tron_play()).fault is None
    answer = bot.ask(tron_play())
    assert (answer.fault, answer.alive) == (Fault.CRASH, False)
    said = f"; it printed last: {output.strip()!r}" if output else ""
    assert answer.detail == f"its process ended with status {status}{said}"
    assert answer.output.endswith(output)


def test_rubbish_costs_what_a_protocol_fault_costs_and_the_program_is_asked_again(hosts):
    bot = started(hosts, "rubbish")
    for _ in range(2):
        assert bot.ask(tron_play()).fault is None
    for _ in range(2):
        answer = bot.ask(tron_play())
        assert (answer.fault, answer.alive) == (Fault.PROTOCOL, True)
        assert answer.detail.startswith("answered 'nord': expected 1 (north)")


def test_a_second_line_is_thrown_away(hosts):
    bot = source(hosts, "import sys\nfor line in sys.stdin: print('1\\n2', flush=True)\n")
    for _ in range(3):
        assert bot.ask(tron_play(["#1#", "#2#"])).action == UP


def test_a_flood_on_the_standard_error_is_kept_in_part(hosts):
    bot = started(hosts, "loud", BotLimits(move_seconds=20, start_seconds=20, output_kb=2))
    for _ in range(2):
        assert bot.ask(tron_play()).output == ""
    for _ in range(2):
        answer = bot.ask(tron_play())
        assert (answer.action, answer.fault) == (RIGHT, None)
        assert answer.output.startswith("a" * 1000)
        assert answer.output.endswith("bytes more")


def test_a_program_that_cannot_be_run_says_so_at_its_first_move(hosts):
    path = hosts.write("bot", "#!/no/such/interpreter\n") / "bot"
    path.chmod(0o755)
    bot = hosts.bot("tron2010:./bot", base=hosts.folder)
    answer = bot.start(tron_start())
    assert (answer.fault, answer.output) == (None, "")
    answer = bot.ask(tron_play())
    assert (answer.fault, answer.alive) == (Fault.CRASH, False)
    said = f"cannot run {path}: No such file or directory"
    assert answer.detail == f"its process ended with status 127; it printed last: {said!r}"
    assert answer.output == f"{said}\n"


def test_what_it_prints_before_its_first_move_is_kept_with_it(hosts):
    bot = source(
        hosts,
        "import sys\nprint('ready?', file=sys.stderr)\ninput()\nprint(1, flush=True)\n"
        "sys.stdin.read()\n",
    )
    answer = bot.ask(tron_play())
    assert (answer.action, answer.output) == (UP, "ready?\n")


def test_a_program_that_ends_at_once_has_crashed(hosts):
    answer = source(hosts, "").ask(tron_play())
    assert (answer.fault, answer.alive) == (Fault.CRASH, False)
    assert answer.detail == "its process ended with status 0"


def test_a_start_that_is_out_of_time_is_a_failed_start(hosts):
    bot = hosts.bot(stand_in(), BotLimits(move_seconds=20, start_seconds=0.0001))
    answer = bot.start(tron_start())
    assert (answer.fault, answer.alive) == (Fault.START_UP, False)


def test_an_answer_before_the_map_is_read_ends_it(hosts):
    text = "import sys\nsys.stdin.buffer.raw.read(1)\nprint(1, flush=True)\nwhile True: pass\n"
    bot = source(hosts, text)
    assert bot.ask(tron_play(["#1#", *["# #"] * 30_000, "#2#"])).fault is Fault.PROTOCOL
    assert not bot.alive


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"left", "a répondu 'left'\u202f: attendu\u202f: 1 (nord)"),
        (b"5" * 100, "'…\u202f: attendu\u202f: 1 (nord)"),
    ],
)
def test_an_answer_that_is_none_is_told_in_the_readers_language(line, expected):
    assert expected in in_french(Tron2010().judge(line, True)[2])
