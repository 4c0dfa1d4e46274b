"""What programs are told of contests: the JSON of the API, described by these classes."""

from __future__ import annotations

import msgspec
from pydantic import BaseModel, Field

from joute.contest.ranking.ranking import Standing
from joute.contest.report.cells import Line, values
from joute.i18n.recognised import recognised
from joute.store.reading import Listed
from joute.web.contests.catalogue import ServedContest
from joute.web.contests.snapshot import Snapshot
from joute.web.positions import Readable


class ErrorAnswer(BaseModel):
    """Why there is no other answer."""

    error: str = Field(description="a sentence, in the language asked for by Accept-Language")


class GameAnswer(BaseModel):
    """A game that can be played."""

    name: str
    title: str
    about: str
    address: str = Field(description="the page where it is played")


class ProgressAnswer(BaseModel):
    """Where a contest stands."""

    stage: str = Field(description="new, playing, paused, stopped or finished")
    done: int = Field(description="games that count")
    left: int = Field(description="games that may still be needed")
    seconds_left: float | None = Field(description="while it is playing, by the last games' pace")
    whole: bool = Field(description="false while all but the standings is still being worked out")


class ContestAnswer(BaseModel):
    """A contest that is served."""

    id: str
    name: str
    game: str
    format: str
    address: str = Field(description="its page")
    bots: list[str]
    move_seconds: float
    progress: ProgressAnswer


class RatingAnswer(BaseModel):
    """What the games say of a bot's strength."""

    elo: float | None
    interval: tuple[float, float] | None = Field(description="95 %")
    reason: str = Field(description="why there is no Elo: won, lost, games or reference")
    groups: list[int] = Field(description="two bots without one in common do differ")


class StandingAnswer(BaseModel):
    """A bot's line in the standings."""

    rank: int
    bot: str
    disqualified: bool
    games: int
    won: int | None = Field(description="null where each plays alone")
    drawn: int | None
    lost: int | None
    score: float | None = Field(description="0..1, over complete sets; points where alone")
    interval: tuple[float, float] | None = Field(description="95 %, of the score")
    by_rule: dict[str, float] = Field(description="what the rules of the ranking go by")
    rating: RatingAnswer | None
    faults: int
    mean_ms: float | None = Field(description="milliseconds of processor time a turn")


class MeetingAnswer(BaseModel):
    """The games of a bot against another."""

    bot: str
    other: str
    above: int
    level: int
    below: int


class FaultAnswer(BaseModel):
    """What a bot failed in, and when first."""

    bot: str
    fault: str
    count: int
    detail: str = Field(description="empty unless the organiser has released what bots say")
    game: str = Field(description="the identity of the first game")
    ply: int


class BotAnswer(BaseModel):
    """A bot that takes part."""

    name: str
    authors: list[str]
    description: str
    address: str = Field(description="its page")


class PlayedAnswer(BaseModel):
    """A game of a contest; lists are by seat."""

    number: int = Field(description="in the order of arrival")
    identity: str
    bots: list[str]
    map: str
    returns: list[float]
    points: list[int]
    plies: int
    ending: str
    played_at: str
    address: str = Field(description="the page of its replay")


def contest_answer(served: ServedContest, snapshot: Snapshot) -> ContestAnswer:
    """A contest."""
    contest = snapshot.report.contest
    return ContestAnswer(
        id=served.identifier,
        name=contest.name,
        game=contest.game,
        format=contest.format,
        address=f"/contests/{served.identifier}",
        bots=[bot.name for bot in contest.bots],
        move_seconds=contest.limits.move_seconds,
        progress=progress_answer(snapshot),
    )


def progress_answer(snapshot: Snapshot) -> ProgressAnswer:
    """Where a contest stands."""
    return ProgressAnswer(
        stage=snapshot.stage,
        done=snapshot.report.done,
        left=snapshot.report.left,
        seconds_left=snapshot.seconds_left,
        whole=snapshot.report.whole,
    )


def standing_answer(line: Line) -> StandingAnswer:
    """A line of the standings."""
    found = values(line)
    rating = line.rating if isinstance(line, Standing) else None
    return StandingAnswer.model_validate(
        {"won": None, "drawn": None, "lost": None}
        | found
        | {
            "bot": line.name,
            "disqualified": bool(line.disqualified),
            "score": found.get("mean", found.get("score")),
            "interval": line.interval,
            "by_rule": line.by_rule if isinstance(line, Standing) else {},
            "rating": None if rating is None else msgspec.structs.asdict(rating),
        }
    )


def fault_answers(line: Line, known: Readable) -> list[FaultAnswer]:
    """What a bot failed in, with details if the reader may know them."""
    open_ = known is None or line.name in known
    return [
        FaultAnswer.model_validate(
            msgspec.structs.asdict(fault)
            | {"bot": line.name, "detail": str(recognised(fault.first)) if open_ else ""}
        )
        for fault in line.faults
    ]


def played_answer(served: ServedContest, game: Listed) -> PlayedAnswer:
    """A game of a contest."""
    address = f"/contests/{served.identifier}/games/{game.identity}"
    return PlayedAnswer.model_validate(game._asdict() | {"address": address})
