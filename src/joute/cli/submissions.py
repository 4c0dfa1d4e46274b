"""What is wrong with the files of bots that take part in a contest, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from joute.cli.exits import CheckFault
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.errors import Breach, SubmissionError
    from joute.host.names import BotSpec


def refusal(error: SubmissionError) -> CheckFault:
    """Why a contest is not played: a line for each place where a bot's files break a rule."""
    lines = [
        f"  {say('standings.said', name=name, said=breach_words(breach))}"
        for name, breaches in error.breaches.items()
        for breach in breaches
    ]
    return CheckFault("\n".join([say("submission.refused"), *lines]))


def breach_words(breach: Breach) -> str:
    """What is wrong, and where."""
    place = breach.file
    if breach.line is not None:
        place = say("submission.line", file=breach.file, line=breach.line)
    return say(f"submission.{breach.kind}", file=breach.file, place=place, what=breach.what)


def data_beside(bot: BotSpec) -> list[str]:
    """A line on the files beside a bot of one file that it names, and cannot read; or none."""
    from joute.host.sandbox import companions

    names = companions.missed(bot.path) if bot.kind == "python" and bot.path else ()
    if not names:
        return []
    return [say("check.data_beside", bot=bot.path.name if bot.path else "", files=", ".join(names))]
