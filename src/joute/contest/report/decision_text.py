"""What the organiser of a contest decided, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from joute.i18n.words import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from joute.contest.ranking.discipline import Decision
    from joute.contest.ranking.ranking import Standing
    from joute.contest.ranking.scores import Score

_DIGITS = 12  # of an identity: enough to name a game
_SHOWN = 10  # games, --json of an audit has all


def told(decision: Decision) -> str:
    """What was decided, about what, by whom, when and why."""
    what = say(f"decision.{decision.kind}", subject=decision.subject)
    facts = {"who": decision.who, "when": decision.made_at[:16].replace("T", " ")}
    return say("decision.told", what=what, why=decision.why, **facts)


def spoilt(name: str, games: Sequence[str]) -> str:
    """Which games were played again because the machine was too busy for this bot."""
    some = ", ".join(game[:_DIGITS] for game in games[:_SHOWN])
    more = " ..." if len(games) > _SHOWN else ""
    return say("standings.infrastructure", name=name, count=len(games), games=some + more)


def ranked(line: Standing | Score) -> str:
    """The rank of a bot, or in place of it why it has none."""
    if not line.disqualified:
        return str(line.rank)
    from joute.store.marks import WITHDRAWN  # only here: no help needs it

    gone = line.decision is not None and line.decision.kind == WITHDRAWN
    return say("standings.gone" if gone else "standings.out")
