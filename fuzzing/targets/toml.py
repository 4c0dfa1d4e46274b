"""TOML: contests' files, what bots say of themselves; and the settings of the Vampires server."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from fuzzing.mutation import text_changed
from fuzzing.target import Pool
from joute.contest.config.config import origins, resolve, rules
from joute.contest.config.contest import Contest
from joute.contest.config.entries import checked_name, own_presentation
from joute.contest.config.submission import check_submissions
from joute.contest.errors import ConfigError, SubmissionError
from joute.contest.report.grading import read_scale
from joute.contest.schedule.formats import schedule_of
from joute.core.errors import GameError
from joute.games.vampires.server.settings import SettingsError, load_settings
from joute.host.names import parse_bot

_ROOT = Path(__file__).resolve().parents[2]
_BOT = b"def play(observation, clock):\n    return observation['legal'][0]\n"
_FULL = b"""[contest]
name = "x"
format = "round-robin"
games = 2
ranking = ["opponents-beaten", "games-won"]
seed = "00112233445566778899aabbccddeeff"
workers = 2
minutes = 1.5
folder = "results"
[game]
name = "virus"
opening = [0, 2]
size = 4
[limits]
move_seconds = 1
bank_seconds = 0.5
memory_mb = 64
isolation = "kernel"
processes = 8
[faults]
timeout = "turn"
illegal = "game"
max_restarts = 1
disqualify_after = 3
disqualify_for = ["timeout"]
[submission]
required = ["*.py"]
forbidden_imports = ["os", "socket"]
[[bots]]
bot = "builtin:greedy"
name = "Ann"
authors = ["a", "b"]
description = "d"
[[bots]]
bot = "mine.py"
python = "python3"
memory_mb = 32
"""
_SHORT = b'bots = ["builtin:greedy", "builtin:random", "mine.py"]\n'
_OWN = b'#joute.toml\nname = "Zo\xc3\xa9"\nauthors = ["Ann", "Bob"]\ndescription = "Looks ahead."\n'
_GRADES = b"""#grades
[grades]
scale = [0, 20]
base = 8
round = 0.5
places = [3, 2, 1]
disqualified = 0
absent = 0
absentees = ["Zed"]
columns = ["student", "mark"]
[grades.given]
Ann = 12
[[grades.against]]
bot = "Ann"
marks = 4
from = 0.2
to = 0.8
"""
_SERVER = (
    b"#settings\nIp = 127.0.0.1\nPort = 5555\nTrace = True\nMap = village.xml\n"
    b"MaxPlayDuration = 00:00:02\nMaxGameDuration = 1.01:00:00\nMaxPlays = 200\n"
)
_SERVER_XML = (
    b"<!--settings--><configuration><appSettings><add key='ServerPort' value='5555'/>"
    b"<add key='AutoRestart' value='false'/></appSettings><Map>village.xml</Map></configuration>"
)
_FORMATS = (
    "round-robin", "score", "gauntlet", "league", "swiss", "knockout", "pools", "ladder", "sprt",
)  # fmt: skip
_KEYS = (
    "name", "format", "games", "first_to", "max_games", "ranking", "reference", "seed", "workers",
    "minutes", "folder", "store", "groups", "references", "opponents", "spend", "rounds", "pools",
    "qualified", "seeding", "opening", "map", "maps", "size", "players", "tokens", "plies", "split",
    "move_seconds", "start_seconds", "grace_seconds", "file_mb", "required", "bot", "python",
)  # fmt: skip
_WORDS = (
    *(f'"{word}"' for word in _FORMATS), *(f"{key} = 1" for key in _KEYS),
    *(f"[{table}]" for table in ("contest", "game", "limits", "faults", "submission", "bots", "x")),
    "[[bots]]", "[[contest]]", "[contest.x]", "[]", "[1]", "[[1]]", '["x"]', "[0, 2]", "{}",
    "{a = 1}", "{bot = 'human'}", "true", "false", "nan", "inf", "-inf", "0", "-1", "1", "2", "3",
    "1e308", "1e-9", "9223372036854775807", "9223372036854775808", "1" + "0" * 400, "0x7fffffff",
    "1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", '""', '" "', '"\\u0000"', '"\\ud800"',
    '"virus"', '"tron"', '"vampires"', '"love-letter"', '"paradise"', '"duel"', '["duel", "cross"]',
    '"points"', '"elo"', '"unresolved"', '"listed"', '"full"', '"game"', '"disqualification"',
    '"builtin:greedy?seconds=0.1"', '"builtin:nobody"', '"human"', '"remote"', '"program:sh -c x"',
    '"program:\'"', '"hosted:builtin:greedy"', '"tcp:sh"', '"folder"', '" odd\\u001b[1m\\u202e.py"',
    '"~nobody/x.py"', '"."', '"/"', '"/dev/null"',
    '"../x"', '"~"', '"~root/x"', '"a\\u0000b"', '"' + "a" * 300 + '"', '"sqlite:///x"', '"é"',
    '"postgresql://x"', "'''x", '"""', "a." * 200 + "a = 1", "[" * 2000, "{a=" * 2000, '"😀"',
    "# comment", "\x00", "\ufeff", "\u202e", "=", "&a;", "<x/>", "True", "00:00:00", "-00:00:01",
    "99:99:99", "9" * 400, "5555", "<!DOCTYPE x [<!ENTITY a 'b'>]>",
)  # fmt: skip


def seeds() -> list[bytes]:
    """Contests' files of each format and game, a bot's words, and the server's settings."""
    found = [_FULL, _SHORT, _OWN, _GRADES, _SERVER, _SERVER_XML]
    files = sorted((_ROOT / "examples/contests").glob("*.toml"))
    found += [file.read_bytes() for file in files if "marks" not in file.name]
    return found


def cases(pool: Pool) -> SearchStrategy[bytes]:
    """Files with other lines, keys and values."""
    return text_changed(pool, _WORDS) | st.binary(max_size=40)


@cache
def _folder() -> Path:
    """The folder of the cases, with a bot that they may name."""
    top = Path(tempfile.mkdtemp(prefix="toml-"))
    for each in (_ROOT / "examples").iterdir():
        (top / each.name).symlink_to(each)
    folder = top / "case"
    folder.mkdir()
    (folder / "mine.py").write_bytes(_BOT)
    (folder / " odd\x1b[1m\u202e.py").write_bytes(_BOT)
    (folder / "folder").mkdir()
    (folder / "folder" / "bot.py").write_bytes(_BOT)
    return folder


def check(case: bytes) -> str:
    """A file says what it says, or there is an error with the file and the key."""
    if case.startswith(b"#joute.toml"):
        return _own(case)
    if case.startswith(b"#grades"):
        return _grades(case)
    if case.startswith((b"#settings", b"<!--settings")):
        return _settings(case)
    file = _folder() / "contest.toml"
    file.write_bytes(case)
    try:
        without = rules(file)
        contest = resolve(file)
        assert without.game == contest.game
        assert origins(file)
        schedule_of(contest, contest.seed or "00")
        check_submissions(contest.submission, contest.bots, Path(contest.base))
    except (ConfigError, GameError, SubmissionError) as error:
        assert str(error)
        return f"{type(error).__name__} {str(error).replace(str(_folder()), '')}"
    names = [bot.name for bot in contest.bots]
    assert len(set(names)) == len(names) and all(map(checked_name, names)), names
    return ""


def _own(case: bytes) -> str:
    file = _folder() / "folder" / "joute.toml"
    file.write_bytes(case)
    try:
        own_presentation(parse_bot(str(file.parent)))
    except ConfigError as error:
        return str(error.reason)
    return ""


@cache
def _contest() -> Contest:
    file = _folder() / "full.toml"
    file.write_bytes(_FULL)
    return resolve(file)


def _grades(case: bytes) -> str:
    file = _folder() / "grades.toml"
    file.write_bytes(case)
    try:
        scale = read_scale(file, _contest())
    except ConfigError as error:
        return str(error.reason)
    for mark in (-1e9, 0.0, 13.3, 1e9):
        assert scale.low - scale.step <= scale.rounded(mark) <= scale.high + scale.step
    return ""


def _settings(case: bytes) -> str:
    file = _folder() / "settings"
    file.write_bytes(case)
    try:
        values = load_settings(file).values
    except SettingsError as error:
        return str(error)
    seconds = [values[key] for key in ("move_seconds", "minutes") if key in values]
    assert all(0 <= each < 1e9 for each in seconds), seconds
    return ""
