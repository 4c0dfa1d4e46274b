"""A contest with made-up games in its folder, for what is made from contests."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from contest.reports import all_played

from joute.contest.config.config import resolve
from joute.contest.folder import DATABASE
from joute.store.store import Store

CRASH = 'Traceback (most recent call last):\n  File "bob.py", line 4, in play\nKeyError: <grid>'
CLASS = """
[contest]
name = "The <b>class</b> & co"
games = 8
seed = 1
workers = 1
[[bots]]
bot = "builtin:greedy"
name = "ann <script>"
authors = ["Ann Onym", "Zoé & Co"]
description = "Counts <cells> & *hopes*."
[[bots]]
bot = "builtin:greedy?"
name = "bob"
authors = ["Bob"]
[[bots]]
bot = "builtin:random"
"""
MARKS = """
[grades]
base = 10
places = [3, 2, 1]
[[grades.against]]
bot = "random"
marks = 4
"""


def played(folder: Path) -> Path:
    """The file of a contest of three bots whose games are in its folder."""
    file = folder / "class.toml"
    file.write_text(CLASS, encoding="utf-8")
    (folder / "marks.toml").write_text(MARKS, encoding="utf-8")
    contest = resolve(file)
    _, games = all_played(contest, contest.seed or "", uneven, crashes)
    Path(contest.folder).mkdir()
    with Store.in_file(Path(contest.folder) / DATABASE) as store:
        store.add(games.values())
    return file


def uneven(seats: Sequence[str], number: int) -> list[float]:
    """Whoever comes first in the alphabet wins three sets of four; a game of one of them is drawn.

    The fourth is won by the other.
    """
    best = max(seats) if number == 3 else min(seats)
    if number == 1 and seats[0] == best:
        return [0.0] * len(seats)
    return [1.0 if name == best else -1.0 for name in seats]


def crashes(slot: Any) -> list[dict[str, Any]]:
    """`bob` crashes at ply 9 in games where it sits first."""
    fault = {"seat": 0, "ply": 9, "fault": "crash", "detail": CRASH, "cost": "turn"}
    return [fault] if slot.seats[0] == "bob" else []
