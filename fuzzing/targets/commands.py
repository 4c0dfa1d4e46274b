"""Command lines: those that only look, with odd arguments and odd files; nothing is played.

A case is JSON: a list of words. They are run in a folder with a contest, records and maps.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from fuzzing import games
from fuzzing.console import run
from fuzzing.mutation import dumped
from fuzzing.target import Pool
from joute.core.maps import find_map

_LOOKING = {
    ("games",), ("map", "check"), ("map", "show"), ("map", "convert"), ("map", "new"), ("replay",),
    ("verify",), ("export",), ("contest", "show"), ("contest", "plan"), ("contest", "standings"),
    ("contest", "audit"), ("plot",),
}  # fmt: skip
"""The commands that are run."""
_FILES = (
    "virus.jsonl", "tron.jsonl", "vampires.jsonl", "love-letter.jsonl", "paradise.jsonl",
    "cut.jsonl",
    "room.txt", "village.xml", "wrong.txt", "contest.toml", "wrong.toml", "binary", "empty",
    "folder",
    "nothing", "grades.toml", ".", "",
)  # fmt: skip
_OPTIONS = (
    "--json", "--help", "--lang", "fr", "en", "xx", "--game", "tron", "vampires", "virus", "--to",
    "2010", "xml", "--at", "0", "1", "3", "-1", "999", "99999999999999999999", "x", "--seed",
    "--format",
    "html", "page", "csv", "jsonl", "grades", "hx2", "parquet", "--grades", "--out", "out", "-o",
    "--set", "limits.move_seconds=1", "contest.games=4", "contest.games=x", "=", "a.b.c=1",
    "game=1",
    "bots=[]", "contest=[" , "--bot", "builtin:greedy", "--html", "--replays", "--", "-", "--x",
    "-5",
    "é", "😀", "\udcff", "\x1b[1m", "%s", "{}", "5", "7", "--ply", "--moves", "square", "duel",
    "--column", "--all", "--minutes", "nan", "inf", "1e999",
)  # fmt: skip


def seeds() -> list[bytes]:
    """Command lines that do what they say."""
    lines = [
        ["games"], ["games", "--json"], ["map", "check", "room.txt", "village.xml"],
        ["map", "show", "room.txt", "--json"], ["map", "show", "square"],
        ["map", "convert", "room.txt", "--to", "2010"],
        ["map", "new", "vampires", "7", "5", "3", "--seed", "1"],
        ["replay", "virus.jsonl", "--at", "3"], ["replay", "love-letter.jsonl", "--json"],
        ["verify", "virus.jsonl", "tron.jsonl"], ["export", "virus.jsonl"],
        ["contest", "show", "contest.toml"], ["contest", "plan", "contest.toml", "--json"],
        ["contest", "standings", "contest.toml"], ["--help", "--lang", "fr"],
    ]  # fmt: skip
    return [dumped(words) for words in lines]


def cases(pool: Pool) -> SearchStrategy[bytes]:
    """Command lines with words changed, put in and taken out."""
    return _lines(pool)


@st.composite
def _lines(draw: DrawFn, pool: Pool) -> bytes:
    words = json.loads(draw(st.sampled_from(pool)))
    word = st.sampled_from((*_FILES, *_OPTIONS))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(words)))
        kind = draw(st.sampled_from(("put", "put", "change", "drop")))
        words[at : at + (kind != "put")] = [] if kind == "drop" else [draw(word)]
    return dumped(words)


@cache
def _original() -> Path:
    """The folder as it is before each command."""
    folder = Path(tempfile.mkdtemp(prefix="commands-"), "original")
    (folder / "folder").mkdir(parents=True)
    for number, (game, _, _) in enumerate(games.GAMES):
        (folder / f"{game}.jsonl").write_bytes(games.played(number).record)
    record = games.played(0).record
    (folder / "cut.jsonl").write_bytes(record[: len(record) // 2])
    (folder / "room.txt").write_text(find_map("tron", "duel"), encoding="utf-8")
    (folder / "village.xml").write_text(games.VILLAGE, encoding="utf-8")
    (folder / "wrong.txt").write_text("tron 1\nsize 3 3 1\nfloor 0\n###\n", encoding="utf-8")
    contest = 'bots = ["builtin:greedy", "builtin:random"]\n[game]\nname = "virus"\nsize = 4\n'
    (folder / "contest.toml").write_text(contest, encoding="utf-8")
    (folder / "wrong.toml").write_text("[contest]\nname = 1\n", encoding="utf-8")
    (folder / "grades.toml").write_text("[grades]\nscale = [0, 20]\n", encoding="utf-8")
    (folder / "binary").write_bytes(bytes(range(256)))
    (folder / "empty").write_bytes(b"")
    return folder


def check(case: bytes) -> str:
    """A command ends with a documented exit code, and an error in a sentence."""
    try:
        words = json.loads(case)
    except ValueError:
        return "no command line"
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        return "no command line"
    plain = [word for word in words if not word.startswith("-")]
    only_help = not words or words[0] == "--help"
    if not only_help and not {tuple(words[:1]), tuple(words[:2])} & _LOOKING:
        return "not a command that only looks"
    folder = _original().with_name("folder")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(_original(), folder)
    before = Path.cwd()
    os.chdir(folder)
    try:
        said = run(words)
    finally:
        os.chdir(before)
    return "" if said.code == 0 else said.errors or f"{plain[:1]} failed"
