"""A climb in words: its table for the terminal and as Markdown, its JSON, and what to try next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import msgspec

from joute.contest.rating.climb import HELD, UNDECIDED
from joute.contest.run.ladder import score_of
from joute.core.registry import called
from joute.files import from_here
from joute.i18n.figures import between, duration, figure, percent
from joute.i18n.words import say, say_of
from joute.text import shown

if TYPE_CHECKING:
    from joute.contest.rating.climb import RungTest
    from joute.contest.run.ladder import LadderResult, Meeting
    from joute.store.model import StoredGame

NONE = "-"
LOPSIDED = 0.2  # of a score, between the two seats: worth a remark
SEAT_GAMES = 20  # in each seat, before it is made


def title(found: LadderResult, game: str) -> str:
    """The heading: how far the bot came."""
    climb = found.climb
    low, high = climb.interval
    told = {"bot": shown(found.bot), "game": game, "reached": climb.reached}
    key = "ladder.title" if low == high else "ladder.title_open"
    return say(key, **told, of=len(climb.rungs), low=low, high=high)


def cells(found: LadderResult) -> tuple[list[str], list[list[str]]]:
    """The heads and the rows of the table: a row for each rung, those not tested too."""
    keys = ("number", "rung", "verdict", "score", "games", "likelihood")
    tested = {each.number: each for each in found.climb.tests}
    rows = [
        _row(number, shown(name), tested.get(number))
        for number, name in enumerate(found.climb.rungs, start=1)
    ]
    return [say(f"ladder.column.{key}") for key in keys], rows


def _row(number: int, name: str, found: RungTest | None) -> list[str]:
    if found is None:
        return [str(number), name, say("ladder.not_tested"), NONE, NONE, NONE]
    test, score, likely = found.test, NONE, NONE
    if test.score is not None:
        score = f"{percent(figure(100 * test.score, 1))} {_ends(test.pentanomial)}"
    if test.superiority is not None:
        likely = percent(figure(100 * test.superiority, 1))
    verdict = say(f"ladder.{found.verdict}")
    return [str(number), name, verdict, score, str(2 * test.pairs), likely]


def _ends(pentanomial: Sequence[int]) -> str:
    """The 95 % interval of a score from the counts of pairs."""
    from joute.contest.rating.statistics import of_pairs

    scores = [place / 4 for place, count in enumerate(pentanomial) for _ in range(count)]
    found = of_pairs(scores)
    return "" if found is None else f"[{between((found.low, found.high), 100, 1)}]"


def sentences(found: LadderResult) -> Iterator[str]:
    """The sentences below the table: the next rung, and the games that all rests on."""
    climb, following = found.climb, found.climb.next
    if following is not None and climb.likelihood is not None:
        values = {"number": following.number, "name": shown(following.name)}
        likely = percent(figure(100 * climb.likelihood, 1))
        yield say("ladder.next", **values, likelihood=likely)
    elif climb.reached == len(climb.rungs):
        yield say("ladder.top")
    for failure in found.failures:
        yield say("ladder.failure", seed=failure.seed, reason=failure.reason)
    time = duration(found.cpu_seconds)
    yield say_of(found.games, "ladder.sum", games=found.games, time=time, seed=quote(found.seed))


def markdown(found: LadderResult, game: str, advice: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """The lines of a Markdown text with the table; names cannot break it."""
    yield f"### {_escaped(title(found, game))}"
    yield ""
    head, rows = cells(found)
    yield _table_row(head)
    yield "| --: | :-- | :-- | --: | --: | --: |"
    yield from map(_table_row, rows)
    yield ""
    yield from (f"{_escaped(line)}\n" for line in sentences(found))
    for each in advice:
        yield f"- {_escaped(each['text'])}"


def _table_row(row: Sequence[str]) -> str:
    return f"| {' | '.join(map(_escaped, row))} |"


def _escaped(text: str) -> str:
    """A text in which no character has a meaning in Markdown or HTML; between ` it stays."""
    plain = text.split("`")
    for place in range(0, len(plain), 2):
        for mark in "\\|<>*_[]#~&":
            plain[place] = plain[place].replace(mark, f"\\{mark}" if mark != "&" else "&amp;")
    return "`".join(plain)


def plain(
    found: LadderResult,
    game: str,
    bot: str,
    parameters: Mapping[str, Any],
    rungs: Sequence[str],
    folder: Path | None,
) -> dict[str, Any]:
    """The climb as plain data: the document of `--json`."""
    climb = found.climb
    tested = {each.number: each for each in climb.tests}
    return {
        "game": game,
        "bot": bot,
        "parameters": dict(parameters),
        "seed": found.seed,
        "reached": climb.reached,
        "of": len(climb.rungs),
        "interval": list(climb.interval),
        "decided": climb.decided,
        "next": None if climb.next is None else climb.next.name,
        "likelihood": climb.likelihood,
        "games": found.games,
        "cpu_seconds": round(found.cpu_seconds, 3),
        "rungs": [
            {"number": number, "name": name, "bot": rung, **_tested(tested.get(number))}
            for number, (name, rung) in enumerate(zip(climb.rungs, rungs, strict=True), start=1)
        ],
        "try": list(advice(found, game, bot, folder)),
        "failures": [msgspec.to_builtins(each._asdict(), enc_hook=str) for each in found.failures],
    }


def _tested(found: RungTest | None) -> dict[str, Any]:
    if found is None:
        return {"verdict": None, "test": None}
    return {"verdict": found.verdict, "test": msgspec.to_builtins(found.test)}


def advice(
    found: LadderResult, game: str, bot: str, folder: Path | None
) -> Iterator[dict[str, str]]:
    """Things to try next, the first one first: a `key` for programs, a `text` for people."""
    following = found.climb.next
    yield from _of_faults(found, game, bot)
    if following is None:
        if found.climb.reached:
            yield _advice("top", game=called(game), bot=shown(bot))
        return
    meeting = found.meetings[following.number - 1]
    if following.verdict == UNDECIDED:
        key = "ladder.try.undecided_unkept" if folder is None else "ladder.try.undecided"
        yield {"key": "undecided", "text": say(key, number=following.number)}
    yield from _of_seats(found.bot, meeting)
    lost = [each for each in meeting.games if score_of(found.bot)(each) == 0.0]
    if following.verdict == HELD and lost and folder is None:
        yield _advice("keep")
    elif lost and folder is not None:
        shortest = min(lost, key=lambda each: (each.plies, each.identity))
        yield _advice("lost", count=len(lost), path=_path(meeting, shortest))


def _of_faults(found: LadderResult, game: str, bot: str) -> Iterator[dict[str, str]]:
    faults = Counter(
        fault["fault"]
        for meeting in found.meetings
        for each in meeting.games
        for fault in each.faults
        if each.bots[fault["seat"]] == found.bot
    )
    if faults:
        kinds = ", ".join(f"{count} {say(f'fault.{kind}')}" for kind, count in faults.most_common())
        yield _advice("faults", kinds=kinds, game=called(game), bot=shown(bot))


def _of_seats(name: str, meeting: Meeting) -> Iterator[dict[str, str]]:
    """A remark where the bot is much weaker in one seat."""
    scores: list[list[float]] = [[], []]
    for each in meeting.games:
        scores[each.bots.index(name)].append(score_of(name)(each))
    if min(map(len, scores)) < SEAT_GAMES:
        return
    means = [sum(each) / len(each) for each in scores]
    if abs(means[0] - means[1]) >= LOPSIDED:
        weak = int(means[1] < means[0])
        values = {"seat": weak + 1, "other": 2 - weak}
        shares = [percent(figure(100 * mean, 1)) for mean in (means[weak], means[1 - weak])]
        yield _advice("seat", **values, low=shares[0], high=shares[1])


def _path(meeting: Meeting, game: StoredGame) -> str:
    from joute.contest.folder import RECORDS

    return str(from_here(meeting.folder / RECORDS / f"{game.identity}.jsonl"))


def _advice(key: str, **values: object) -> dict[str, str]:
    return {"key": key, "text": say(f"ladder.try.{key}", **values)}
