"""What a contest would play, as a table, with its length and the time it may take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from joute.cli.tables import print_table
from joute.i18n.figures import duration
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.run.forecast import Forecast

SHOWN_SETS = 30


def print_forecast(found: Forecast, title: str, whole: bool) -> None:
    """Prints a forecast: all of its sets, or the first ones."""
    sets = found.sets if whole else found.sets[:SHOWN_SETS]
    maps = any(each.map for each in sets)
    columns = ["plan.set", "plan.bots", "plan.games", *(["plan.map"] if maps else [])]
    if sets:
        print_table(
            [say(column) for column in columns],
            [
                [
                    str(each.number + 1),
                    " - ".join(each.bots),
                    str(each.games),
                    *([each.map] if maps else []),
                ]
                for each in sets
            ],
            title=title,
            numbers=[0, 2],
        )
    if len(sets) < len(found.sets):
        print(say("plan.more", sets=len(found.sets) - len(sets)))
    print(say("contest.status", done=found.done, left=found.left))
    if found.certain < found.left:
        print(say("plan.depends", certain=found.certain, left=found.left))
    if found.left:
        longest = duration(found.longest)
        print(say("plan.longest", workers=found.workers, time=longest))
    if found.left and found.expected is not None:
        print(say("plan.expected", time=duration(found.expected), done=found.done))
