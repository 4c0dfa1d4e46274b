"""Whether a sealed contest was played by the bots and rules that were sealed, from the seed drawn.

Every configuration since the seal must make the same seal again, and its seed must come from the
seal and the public value. That games went by the configuration and its seed is looked at with their
rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from joute.contest.proof.configurations import InForce
from joute.contest.proof.difference import Difference
from joute.contest.proof.results import Results
from joute.contest.sealing.changes import terms_changed
from joute.contest.sealing.seal import Seal, seal_of, sealed_seed, sealed_terms


def seal_given(results: Results, given: str) -> Iterator[Difference]:
    """What is wrong if the contest was to have this seal, which people have seen."""
    seal = results.contest.seal
    if seal is None:
        yield Difference(key="seal.none", values={"given": given})
    elif seal.seal != given:
        yield Difference(key="seal.other", values={"found": seal.seal, "given": given})


def seal_kept(results: Results) -> Iterator[Difference]:
    """What is not as it was sealed and drawn; nothing of a contest without a seal."""
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
    """What is wrong with the public value and the seed of a configuration."""
    if before is not None and before.public is not None and before != seal:
        yield _differs("again", configuration, before=before.public, public=seal.public or "")
    expected = "" if seal.public is None else sealed_seed(seal.seal, seal.public)
    if configuration.seed != expected:
        values = {"found": configuration.seed, "expected": expected}
        yield _differs("seed", configuration, **values)


def _differs(key: str, configuration: InForce, **values: object) -> Difference:
    return Difference(key=f"seal.{key}", values={"row": configuration.number, **values})
