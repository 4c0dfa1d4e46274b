"""Sequential tests on the command line: their options, and how they are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.exits import UsageFault
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.rating.sprt import Hypotheses, SequentialResult

Sprt = Annotated[str | None, typer.Option("--sprt", metavar="ELO0,ELO1", help="help.sprt")]
MaxGames = Annotated[
    int | None, typer.Option("--max-games", metavar="N", help="help.max_games", min=2)
]


def hypotheses(text: str) -> Hypotheses:
    """What `--sprt 0,50` says."""
    from joute.contest.rating.sprt import Hypotheses

    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise UsageFault(say("sprt.two", text=text)) from None
    return Hypotheses(low, high)


def even(games: int | None) -> int | None:
    """A number of games that is one of whole pairs."""
    if games is not None and games % 2:
        raise UsageFault(say("sprt.even", games=games))
    return games


def print_test(found: SequentialResult) -> None:
    """Prints what a test came to, and what the games say of the difference."""
    first, second = found.bots
    values = {"first": first, "second": second, "elo0": found.elo0, "elo1": found.elo1}
    print(say(f"sprt.{found.decision or 'undecided'}", **values))
    low, high = found.bounds
    print(say("sprt.ratio", llr=found.llr, low=low, high=high))
    counts = ", ".join(map(str, found.pentanomial))
    print(say("sprt.pairs", pairs=found.pairs, first=first, counts=counts))
    if found.score is not None and found.superiority is not None:
        low_end, high_end = found.interval
        print(
            say(
                "sprt.elo",
                elo=_elo(found.elo, found.score),
                low=_elo(low_end, 0.0),
                high=_elo(high_end, 1.0),
                normalized=say("sprt.same")
                if found.normalized_elo is None
                else f"{round(found.normalized_elo):+}",
                superiority=100 * found.superiority,
            )
        )


def _elo(elo: float | None, score: float) -> str:
    """An Elo; that of a mean score of 0 or 1 has no end."""
    if elo is None:
        return "-∞" if score < 0.5 else "+∞"
    return f"{round(elo):+}"
