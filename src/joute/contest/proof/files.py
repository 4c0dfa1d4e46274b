"""The files of results beside the store, against those that would be made of its rows anew."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import msgspec

from joute.contest.proof.counted import link_in, lost
from joute.contest.proof.difference import Difference, shown
from joute.contest.proof.results import Results
from joute.contest.report.standings import STANDINGS_JSON, STANDINGS_TXT, results, results_text
from joute.contest.report.summary import SUMMARY, Summary
from joute.i18n.recognised import foreign
from joute.store.links import Link, read_link

NEAR = 1e-6  # by which figures computed on two machines may differ
_PROOF = re.compile(r"^proof of (\d+) rows: ([0-9a-f ]+)$", re.MULTILINE)
_COMPARED = ("done", "left", "kept", "decisions", "met", "alone", "sums")  # of a summary


def rows_counted(found: Results) -> Iterator[Difference]:
    """Rows that the files of results have counted, and that are gone."""
    yield from lost(found.folder, found.store)


def standings_json(found: Results) -> Iterator[Difference]:
    """The standings as data."""
    told = yield from _read(found.folder / STANDINGS_JSON)
    if told is None:
        return
    link = link_in(told)
    summary, contest = found.summary(link)
    if link is None and isinstance(told, dict) and told.get("done", 0) < summary.done:
        return  # of an older version, and of before the last games: it does not say when
    expected = msgspec.to_builtins(results(contest, summary, link), str_keys=True)
    yield from _differences(STANDINGS_JSON, told, expected)


def standings_txt(found: Results) -> Iterator[Difference]:
    """The standings as a text."""
    try:
        text = (found.folder / STANDINGS_TXT).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    match = _PROOF.search(text)
    link = None
    if match is not None:
        try:
            link = Link(int(match[1]), read_link(match[2]))
        except ValueError:
            link = None
    summary, contest = found.summary(link)
    if link is None and f": {summary.done} games played" not in text.partition("\n")[0]:
        return  # as above
    lines = text.split("\n")
    expected = results_text(contest, summary, link).split("\n")
    for number in range(max(len(lines), len(expected))):
        here, there = (each[number] if number < len(each) else "" for each in (lines, expected))
        if here != there:
            values = {"file": STANDINGS_TXT, "line": number + 1}
            values |= {"found": shown(here), "expected": shown(there)}
            yield Difference(key="text", values=values)
            return


def summary_json(found: Results) -> Iterator[Difference]:
    """What a run into a large contest leaves behind."""
    path = found.folder / SUMMARY
    if (yield from _read(path)) is None:
        return
    try:
        told = msgspec.json.decode(path.read_bytes(), type=Summary)
    except msgspec.DecodeError as error:
        yield Difference(key="unreadable", values={"file": SUMMARY, "reason": foreign(error)})
        return
    link = link_in({"rows": told.rows, "link": told.link})
    if link is None:
        return  # of an older version
    summary, _ = found.summary(link)
    if told.sums is None:
        summary = msgspec.structs.replace(summary, sums=None)
    here, there = (
        {name: msgspec.to_builtins(getattr(each, name), str_keys=True) for name in _COMPARED}
        for each in (told, summary)
    )
    yield from _differences(SUMMARY, here, there)


def _read(path: Path) -> Generator[Difference, None, Any]:
    """The data of a file; None if there is none, or it cannot be read, which is told."""
    try:
        return json.loads(path.read_bytes())
    except OSError:
        return None
    except (ValueError, RecursionError) as error:
        yield Difference(key="unreadable", values={"file": path.name, "reason": foreign(error)})
        return None


def _differences(file: str, here: object, there: object) -> Iterator[Difference]:
    """The first place in which plain data differ."""
    for where, found, expected in unequal(here, there):
        values = {"file": file, "where": where, "found": shown(found), "expected": shown(expected)}
        yield Difference(key="file", values=values)
        return


def unequal(here: Any, there: Any, where: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The places in which plain data differ, with what stands there; figures may be near.

    What is not `here` is no difference: an older version may have told less.
    """
    if isinstance(here, dict) and isinstance(there, dict):
        for name in here:
            inner = f"{where}.{name}" if where else str(name)
            if name not in there:
                yield inner, here[name], "-"
            else:
                yield from unequal(here[name], there[name], inner)
    elif isinstance(here, list | tuple) and isinstance(there, list | tuple):
        if len(here) != len(there):
            yield where, len(here), len(there)
        for number, (one, other) in enumerate(zip(here, there, strict=False), start=1):
            yield from unequal(one, other, f"{where}[{number}]")
    elif not _alike(here, there):
        yield where, here, there


def _alike(here: Any, there: Any) -> bool:
    if isinstance(here, int | float) and isinstance(there, int | float):
        both_flags = isinstance(here, bool) == isinstance(there, bool)
        return both_flags and math.isclose(here, there, rel_tol=NEAR, abs_tol=NEAR)
    return type(here) is type(there) and here == there
