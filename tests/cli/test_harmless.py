"""Whatever a bot says, prints, raises and is called: no command lets it steer the terminal."""

import json
import logging
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from cli.apart import environment

from joute.cli import main
from joute.text import brief, escaped, harmless

NASTY = "".join(
    [
        "\x1b]0;OWNED\x07",  # the window's title
        "\x1b]52;c;cm0gLXJmIH4K\x07",  # the clipboard
        "\x1b[2J\x1b[31;8m",  # the screen, colours, hidden text
        "\x9b31m\x9d0;C1\x9c\x84",  # the same in single characters
        "\u202egpj.exe\u2066\u200f\u061c",  # directions
        "over\x08\x08\x08\x08back\rreturn\x0b\x0c\x7f\0",
        "\u200bzero\u2060width\ufeff\xad",
        "\U000e0041tag\u2028separator\ud800",
    ]
)
SHOWN = "separator"  # of NASTY, printable
TAIL = "x" * 20_000
BOT = f"""
NASTY = {NASTY!a}

class Bot:
    def __init__(self):
        self.count = 0

    def play(self, observation, clock):
        self.count += 1
        print(NASTY, "{TAIL}")
        if self.count % 2:
            raise ValueError(NASTY + "{TAIL}")
        return dict(action=observation["legal"][0], message=NASTY)
"""
CONTEST = """
[contest]
games = 2
workers = 1
[game]
name = "virus"
size = 4
[[bots]]
bot = "nasty.py"
[[bots]]
bot = "builtin:greedy"
"""


def steering(text: str) -> set[str]:
    """The characters of a text that a terminal obeys or does not show."""
    return {
        mark
        for mark in text
        if mark not in "\n\t" and unicodedata.category(mark) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    }


def test_what_is_seen_stays_and_what_is_not_is_replaced():
    kept = "Zoé 😀 ne\N{COMBINING ACUTE ACCENT} עברית 3\N{NARROW NO-BREAK SPACE}€\n\ttab"
    assert harmless(kept) == kept
    assert steering(NASTY) and not steering(harmless(NASTY))
    assert harmless("a\nb", "") == "a\N{REPLACEMENT CHARACTER}b"
    assert brief(" a \n\t b\x1b" + TAIL) == "a b\N{REPLACEMENT CHARACTER}" + "x" * 156 + "..."


def test_escaped_json_has_the_same_meaning_and_nothing_that_steers():
    data = {NASTY: [NASTY, "😀", 1.5, None]}
    text = escaped(json.dumps(data, ensure_ascii=False, indent=1))
    assert not steering(text) and "😀" in text
    assert json.loads(text) == data


@pytest.fixture(scope="module")
def contest(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("nasty")
    (folder / "nasty.py").write_text(BOT, encoding="utf-8")
    (folder / "class.toml").write_text(CONTEST, encoding="utf-8")
    return folder / "class.toml"


COMMANDS = [
    "contest run {contest}",
    "contest run {contest}",
    "contest run {contest} --json",
    "contest standings {contest}",
    "contest standings {contest} --json",
    "contest audit {contest}",
    "contest audit {contest} --json",
    "contest show {contest}",
    "verify {results}",
    "verify {results} --json",
    "match virus {bot} builtin:greedy --param size=4 --workers 1",
    "match virus {bot} builtin:greedy --param size=4 --workers 1 --json",
    "check {bot}",
    "check {bot} --contest {contest}",
    "check {bot} --json",
    "compare virus {bot} builtin:greedy --games 2",
    "explain {record}@{ply}",
    "replay {record}",
    "replay {record} --json",
    "replay {record} --at {ply} --bot {bot}",
    "replay {record} --at {ply} --bot {bot} --json",
    "export {contest} --format csv --out {out}",
    "export {contest} --format jsonl --out {out}",
    "export {contest} --format grades --grades {scale} --out {out}",
    "plot {contest}",
    "promote {bot} builtin:greedy --game virus --param size=4 --max-games 2",
    "match virus {named} builtin:greedy --param size=4 --workers 1",
    "check {named}",
    "replay {forged}",
    "verify {forged}",
    "match virus nowhere\x1b]0;x\x07.py builtin:greedy",
]


@pytest.fixture(scope="module")
def places(contest, tmp_path_factory) -> dict[str, object]:
    """Files that the commands are given."""
    folder = tmp_path_factory.mktemp("given")
    named = folder / "ev\x1b]0;x\x07il\u202e.py"
    named.write_text(BOT, encoding="utf-8")
    forged = folder / "forged.jsonl"
    header = {"game": NASTY.replace("\ud800", ""), "bots": [{"name": NASTY[:20], "bot": "\x1b[2J"}]}
    forged.write_text(json.dumps(header) + "\n\x1b[2J\n", encoding="utf-8")
    results = contest.with_suffix(".results")
    scale = folder / "grades.toml"
    scale.write_text("[grades]\n", encoding="utf-8")
    return {
        "contest": contest,
        "results": results,
        "record": results / "records",
        "bot": contest.parent / "nasty.py",
        "out": folder / "out",
        "named": named,
        "scale": scale,
        "forged": forged,
    }


@pytest.mark.full
@pytest.mark.game("virus")
def test_no_command_lets_a_bot_steer_the_terminal(run, places, contest):
    told = 0
    for line in COMMANDS:
        if "{record}" in line:
            games = json.loads(run("contest", "audit", contest, "--json").out)["faults"]
            places["record"] = places["results"] / "records" / f"{games[0]['game']}.jsonl"
            places["ply"] = games[0]["ply"]
        outcome = run(*(word.format(**places) for word in line.split(" ")))
        assert not steering(outcome.out), line
        assert not steering(outcome.err), line
        wrong = any(word in line for word in ("{named}", "{forged}", "nowhere"))
        assert outcome.code in ((0, 1, 2) if wrong else (0, 1)), (line, outcome.err)
        told += SHOWN in outcome.out
    assert told >= 7, "several of them tell of it"


@pytest.mark.game("virus")
def test_no_text_file_of_a_contest_holds_what_steers(run, places, contest):
    run("contest", "run", contest)
    for words in (["csv"], ["jsonl"], ["grades", "--grades", places["scale"]]):
        out = run("export", contest, "--format", *words, "--out", places["out"] / words[0])
        assert out.code == 0, out.err
    written = [*places["results"].glob("*.txt"), *places["results"].glob("*.json")]
    written += [
        path for kind in ("csv", "jsonl", "md") for path in places["out"].rglob(f"*.{kind}")
    ]
    assert len(written) >= 3
    for path in written:
        assert not steering(path.read_text(encoding="utf-8-sig")), path
    standings = (places["results"] / "standings.txt").read_text(encoding="utf-8")
    assert SHOWN in standings and max(map(len, standings.splitlines())) < 400


def test_an_exception_that_nobody_catches_steers_nothing_either():
    code = (
        "from joute.cli import main\n"
        f"def fail(words): raise ValueError({NASTY!a})\n"
        "main._run = fail\n"
        "main.main(['games'])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=False
    )
    assert ended.returncode == 1 and "ValueError: " in ended.stderr
    assert not steering(ended.stderr)


def test_a_visitor_of_the_web_steers_no_log_either(capsys, monkeypatch):
    """The server's log of a path goes to the same filtered stream."""
    line = logging.makeLogRecord({"msg": NASTY, "levelno": logging.ERROR})
    monkeypatch.setattr(main, "_run", lambda words: logging.lastResort.handle(line) and 0)
    main.main(["serve"])
    told = capsys.readouterr().err
    assert SHOWN in told and not steering(told)
