"""Checks of what is made from all rows: files of results, the games asked for, the seal.

The files of results are compared with those that would be made of the rows anew, the games with
those that the schedule asked for when they were played. Every configuration since a contest was
sealed must make the same seal again, and its seed must come from the seal and the public value.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Generator, Iterator
from contextlib import suppress
from typing import Any

import msgspec

from joute.contest.proof.counted import link_in, lost
from joute.contest.proof.difference import Difference, shown
from joute.contest.proof.stored import InForce, Moment, StoredResults
from joute.contest.rating.rating import FIGURES
from joute.contest.report.standings import STANDINGS_JSON, STANDINGS_TXT, results, results_text
from joute.contest.report.summary import SUMMARY, Summary
from joute.contest.run.plan import Plan
from joute.contest.schedule.schedule import Slot
from joute.contest.seal import Seal, seal_of, sealed_seed, sealed_terms, terms_changed
from joute.i18n.recognised import foreign
from joute.store.links import Link, read_link
from joute.store.model import StoredResult

MISSING = "-"  # in the place of a value that is not there
NEAR = 1e-6  # by which figures computed on two machines may differ
_PROOF = re.compile(r"^proof of (\d{1,9}) rows: ([0-9a-f ]+)$", re.MULTILINE)
_COMPARED = (  # of a summary
    "done", "left", "kept", "decisions", "met", "alone", "sums", "rows", "link",
)  # fmt: skip


def rows_counted(found: StoredResults) -> Iterator[Difference]:
    """Rows that the files of results have counted, and that are gone."""
    yield from lost(found.files, found.store)


def standings_json(found: StoredResults) -> Iterator[Difference]:
    """The standings as data."""
    told = yield from _read(found, STANDINGS_JSON)
    if told is None:
        return
    link = _own(found, link_in(told))
    summary, contest = found.summary(link)
    older = link is None and found.upgraded
    if older:
        done = told.get("done") if isinstance(told, dict) else None
        if isinstance(done, int) and done < summary.done:
            return  # of before the last games: it does not say when
        summary = _counted_from_0(summary)
    expected = msgspec.to_builtins(results(contest, summary, link), str_keys=True)
    if isinstance(told, dict) and told.get("figures", 1) != FIGURES:
        found.other_figures.append(STANDINGS_JSON)
        told, expected = _without_ratings(told), _without_ratings(expected)
    yield from _differences(STANDINGS_JSON, told, expected, older)


def standings_txt(found: StoredResults) -> Iterator[Difference]:
    """The standings as a text."""
    if STANDINGS_TXT not in found.files:
        return
    text = found.files[STANDINGS_TXT].decode(errors="replace")
    link = None
    if match := _PROOF.search(text):
        with suppress(ValueError):
            link = Link(int(match[1]), read_link(match[2]))
    link = _own(found, link)
    summary, contest = found.summary(link)
    if link is None and found.upgraded:
        if f": {summary.done} games played" not in text.partition("\n")[0]:
            return  # as above
        summary = _counted_from_0(summary)
    lines = text.split("\n")
    expected = results_text(contest, summary, link).split("\n")
    for number in range(max(len(lines), len(expected))):
        here, there = (each[number] if number < len(each) else "" for each in (lines, expected))
        if here != there:
            values = {"file": STANDINGS_TXT, "line": number + 1}
            values |= {"found": shown(here), "expected": shown(there)}
            yield Difference(key="text", values=values)
            return


def _own(found: StoredResults, named: Link | None) -> Link | None:
    """The link that a file of results must name: the store's own of that number, or its last one.

    None where a file names none and need not: it may be older than the store's chain, or the store
    has games of other numbers of seats, and no link stands for a part of its games.
    """
    if named is not None:
        there = found.store.link_at(named.number)
        return found.last if there is None else Link(named.number, there)
    if found.upgraded or found.summary(None)[0].kept != found.games:
        return None
    return found.last


def _counted_from_0(summary: Summary) -> Summary:
    """A summary as older versions wrote it, whose files name no link: they counted plies from 0."""
    replace = msgspec.structs.replace
    table: list[Any] = [
        replace(
            line,
            faults=[replace(each, ply=each.ply - 1) for each in line.faults],
            disqualified=[
                replace(each, ply=each.ply - 1) if each.game else each for each in line.disqualified
            ],
        )
        for line in summary.table
    ]
    return replace(summary, **{"alone" if summary.alone else "met": table})


def summary_json(found: StoredResults) -> Iterator[Difference]:
    """The summary that a run of a large contest leaves in its folder."""
    if (yield from _read(found, SUMMARY)) is None:
        return
    try:
        told = msgspec.json.decode(found.files[SUMMARY], type=Summary)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        yield Difference(key="unreadable", values={"file": SUMMARY, "reason": foreign(error)})
        return
    link = _own(found, link_in({"rows": told.rows, "link": told.link}))
    if link is None:
        return  # of an older version, or it could not be told
    summary, _ = found.summary(link)
    if told.sums is None:
        summary = msgspec.structs.replace(summary, sums=None)
    summary = msgspec.structs.replace(summary, rows=link.number, link=link.link.hex())
    here, there = (
        {name: msgspec.to_builtins(getattr(each, name), str_keys=True) for name in _COMPARED}
        for each in (told, summary)
    )
    if told.figures != FIGURES:
        found.other_figures.append(SUMMARY)
        here, there = _without_ratings(here), _without_ratings(there)
    yield from _differences(SUMMARY, here, there)


def _without_ratings(told: dict[str, Any]) -> dict[str, Any]:
    """Data of standings without what another version of Joute computes otherwise."""
    kept = {key: value for key, value in told.items() if key != "figures"}
    for key in ("standings", "met"):
        if isinstance(lines := kept.get(key), list):
            kept[key] = [
                {name: value for name, value in line.items() if name != "rating"}
                if isinstance(line, dict)
                else line
                for line in lines
            ]
    return kept


def _read(results: StoredResults, name: str) -> Generator[Difference, None, Any]:
    """The data of a file; None if there is none, or it cannot be read, which is told."""
    if name not in results.files:
        return None
    try:
        found = json.loads(results.files[name])
        return {} if found is None else found
    except (ValueError, RecursionError) as error:
        yield Difference(key="unreadable", values={"file": name, "reason": foreign(error)})
        return None


def _differences(
    file: str, here: object, there: object, older: bool = False
) -> Iterator[Difference]:
    for where, found, expected in unequal(here, there, older=older):
        values = {"file": file, "where": where, "found": shown(found), "expected": shown(expected)}
        yield Difference(key="file", values=values)
        return


def unequal(
    here: Any, there: Any, where: str = "", *, older: bool = False
) -> Iterator[tuple[str, Any, Any]]:
    """The places in which plain data differ, with what stands there; figures may be near.

    A key that is missing `here` is no difference in data of an `older` version, which told less.
    """
    if isinstance(here, dict) and isinstance(there, dict):
        for name in [*here, *(name for name in there if name not in here and not older)]:
            inner = f"{where}.{name}" if where else str(name)
            if name in here and name in there:
                yield from unequal(here[name], there[name], inner, older=older)
            else:
                yield inner, here.get(name, MISSING), there.get(name, MISSING)
    elif isinstance(here, list | tuple) and isinstance(there, list | tuple):
        if len(here) != len(there):
            yield where, len(here), len(there)
        for number, (one, other) in enumerate(zip(here, there, strict=False), start=1):
            yield from unequal(one, other, f"{where}[{number}]", older=older)
    elif not _alike(here, there):
        yield where, here, there


def _alike(here: Any, there: Any) -> bool:
    if isinstance(here, int | float) and isinstance(there, int | float):
        both_flags = isinstance(here, bool) == isinstance(there, bool)
        return both_flags and math.isclose(here, there, rel_tol=NEAR, abs_tol=NEAR)
    return type(here) is type(there) and here == there


def games_asked_for(results: StoredResults) -> Iterator[Difference]:
    """Games that nobody asked for, and games that stand where the schedule has another.

    A game that is not asked for any more was so at the end of the time in which it was played.
    """
    wanted = _Wanted(results.plan(results.now()))
    old = results.rows_afterwards("game")
    unasked: list[tuple[int, StoredResult]] = []
    for number, game in enumerate(results.store.results(), start=1):
        if game.identity in wanted:
            yield from wanted.differences(game)
        elif number > old:
            unasked.append((number, game))
    for moment in sorted(results.moments, key=lambda each: each.games):
        theirs = [each for number, each in unasked if number <= moment.games]
        unasked = [(number, each) for number, each in unasked if number > moment.games]
        yield from _then(results, moment, theirs)
    yield from (Difference(key="unasked", game=game.identity) for _, game in unasked)


def _then(
    results: StoredResults, moment: Moment, games: list[StoredResult]
) -> Iterator[Difference]:
    """The differences of games that were played before a moment and after the one before it."""
    if not games:
        return
    wanted = _Wanted(results.plan(moment))
    for game in games:
        if game.identity in wanted:
            yield from wanted.differences(game)
        elif wanted.out.isdisjoint(game.lineup.bots):
            # With a bot that is shut out, it may have been played while that was found out.
            yield Difference(key="unasked", game=game.identity)


class _Wanted:
    def __init__(self, plan: Plan) -> None:
        self.out = plan.out
        self._row_of = plan.row_of
        self._first: list[Slot | None] = [None] * plan.kept  # by game; there may be a million
        self._others: dict[str, list[Slot]] = {}  # where bots of the same content play
        for slot, identity in plan.places():
            row = plan.row_of(identity)
            if row is None:
                continue  # of a game that could not be played at all
            if self._first[row] is None:
                self._first[row] = slot
            else:
                self._others.setdefault(identity, []).append(slot)

    def __contains__(self, identity: str) -> bool:
        return self._slot(identity) is not None

    def differences(self, game: StoredResult) -> Iterator[Difference]:
        """Whether the game stands where the schedule has it."""
        here = (game.lineup.members, game.set_number, game.lineup.bots, game.lineup.map)
        slots = [*filter(None, [self._slot(game.identity)]), *self._others.get(game.identity, ())]
        places = [(slot.members, slot.number, slot.seats, slot.map) for slot in slots]
        if here not in places:
            values = {"found": _shown(here), "expected": _shown(places[0])}
            yield Difference(key="place", game=game.identity, values=values)

    def _slot(self, identity: str) -> Slot | None:
        row = self._row_of(identity)
        return None if row is None else self._first[row]


def _shown(place: tuple[tuple[str, ...], int, tuple[str, ...], str]) -> str:
    members, number, seats, played_on = place
    rest = f", {played_on}" if played_on else ""
    return f"{' - '.join(seats)} ({', '.join(members)}; {number}{rest})"


def seal_given(results: StoredResults, given: str) -> Iterator[Difference]:
    """The difference between the contest's seal and the one that people have seen."""
    seal = results.contest.seal
    if seal is None:
        yield Difference(key="seal.none", values={"given": given})
    elif seal.seal != given:
        yield Difference(key="seal.other", values={"found": seal.seal, "given": given})


def seal_kept(results: StoredResults) -> Iterator[Difference]:
    """The differences from the sealed and drawn contest; none without a seal."""
    sealed: tuple[Seal, dict[str, Any]] | None = None  # what was sealed last, with its terms
    texts = {each.number: each.configuration for each in results.store.configured()}
    for each in results.configurations:
        seal = each.contest.seal
        if seal is None:
            if sealed is not None:
                yield _differs("off", each, seal=sealed[0].seal)
            continue
        missing = [bot.name for bot in each.contest.bots if bot.name not in seal.contents]
        if missing or each.contents not in (None, seal.contents):
            yield _differs("contents", each, seal=seal.seal)
            continue
        terms = sealed_terms(json.loads(texts[each.number]), seal)
        if seal_of(terms) != seal.seal:
            before = sealed[1] if sealed is not None and sealed[0].seal == seal.seal else terms
            changes = terms_changed(before, terms)
            what = ", ".join(change.what or change.kind for change in changes) or "?"
            yield _differs("changed", each, seal=seal.seal, what=what)
        yield from _drawn(each, seal, None if sealed is None else sealed[0])
        sealed = seal, terms


def _drawn(configuration: InForce, seal: Seal, before: Seal | None) -> Iterator[Difference]:
    """The differences of the public value and the seed of a configuration."""
    if before is not None and before.public is not None and before != seal:
        yield _differs("again", configuration, before=before.public, public=seal.public or "")
    expected = "" if seal.public is None else sealed_seed(seal.seal, seal.public)
    if configuration.seed != expected:
        values = {"found": configuration.seed, "expected": expected}
        yield _differs("seed", configuration, **values)


def _differs(key: str, configuration: InForce, **values: object) -> Difference:
    return Difference(key=f"seal.{key}", values={"row": configuration.number, **values})
