"""Sealing a contest, drawing its seed from a public value, and holding every run to the seal.

The seal stands in the configuration that the results folder keeps, which is in force from then on:
what decides about games or standings must be in the contest's file as it was sealed, what does not
(seal.UNSEALED) may change. Sealing again is possible until the public value is given.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from joute.contest.config.contest import Contest, from_plain, to_plain
from joute.contest.config.sources import PYTHON, UnreadableError, files_of
from joute.contest.contents import contents_of, known_contents
from joute.contest.errors import Change, FolderError, SealError
from joute.contest.folder import has_store, now, opened_store, store_errors
from joute.contest.run.playing import Folder
from joute.contest.run.redraw import redrawn
from joute.contest.seal import (
    UNSEALED,
    Seal,
    read_value,
    seal_of,
    sealed_seed,
    sealed_terms,
    terms_changed,
)
from joute.core.interface import properties
from joute.core.registry import make
from joute.host.names import BotSpec, parse_bot
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.play.chance import SCHEME
from joute.store.model import StoreError

if TYPE_CHECKING:
    from joute.store.store import Store

Configuration = dict[str, Any]
"""A configuration as plain data, with every key resolved."""


class Sealed(NamedTuple):
    """The configuration that is in force in a folder, and its seal."""

    configuration: Configuration
    seal: Seal


def seal_contest(contest: Contest) -> Seal:
    """Seals a contest, or seals it anew where no public value is given yet; returns the seal.

    Raises SealError for a contest that cannot be sealed, FolderError for its folder.
    """
    if contest.seed:
        raise SealError("seeded")
    _check_whole(contest)
    seal = _seal_now(contest, contents_of(contest))
    configuration = to_plain(contest)
    seal = msgspec.structs.replace(seal, seal=seal_of(sealed_terms(configuration, seal)))
    with Folder(Path(contest.folder), contest.store) as folder, store_errors(folder.path):
        before = sealed_in(folder.store)
        if before is not None and before.seal.public is not None:
            if before.seal.seal == seal.seal:
                return before.seal
            raise SealError(
                "drawn", _changes(before, contest, seal.contents), seal=before.seal.seal
            )
        if folder.store.seed() is not None:
            raise SealError("played", folder=contest.folder)
        _keep(folder.store, configuration, seal, "")
    return seal


def draw_seed(contest: Contest, value: str) -> tuple[Seal, str]:
    """Gives a sealed contest its public value, once for all; returns the seal and the seed.

    Raises SealError, FolderError for the folder.
    """
    try:
        public = read_value(value)
    except ValueError:
        raise SealError("value", value=value) from None
    path = Path(contest.folder)
    if not has_store(path):
        raise SealError("unsealed")
    with Folder(path, contest.store) as folder, store_errors(folder.path):
        found = sealed_in(folder.store)
        if found is None:
            raise SealError("unsealed")
        if found.seal.public not in (None, public):
            raise SealError("other_value", value=found.seal.public)
        seed = sealed_seed(found.seal.seal, public)
        if found.seal.public is None:
            check_unchanged(found, contest)
            seal = msgspec.structs.replace(found.seal, public=public)
            _keep(folder.store, _merged(found, contest), seal, seed)
            found = found._replace(seal=seal)
    return found.seal, seed


def sealed_in(store: Store) -> Sealed | None:
    """The seal that is in force in a store; None where the contest is not sealed.

    Raises StoreError.
    """
    rows = store.configurations()
    configuration = json.loads(rows[-1]) if rows else {}
    if not isinstance(configuration, dict) or not configuration.get("seal"):
        return None
    try:
        return Sealed(configuration, msgspec.convert(configuration["seal"], Seal))
    except msgspec.ValidationError as error:
        reason = Sentence("error.store.seal", store=store.url, reason=foreign(error))
        raise StoreError(reason) from None


def with_seal(contest: Contest) -> Contest:
    """The contest with the seal and the drawn seed that its folder has. Raises FolderError."""
    path = Path(contest.folder)
    if not has_store(path):
        return contest
    with opened_store(path, contest.store) as store:
        found = sealed_in(store)
    return contest if found is None else _sealed(contest, found)


def broken_seal(contest: Contest) -> SealError | None:
    """The error of a run of a contest that was changed since it was sealed. Raises FolderError.

    None where nothing was changed, or the contest is not sealed.
    """
    path = Path(contest.folder)
    if not has_store(path):
        return None
    with opened_store(path, contest.store) as store:
        found = sealed_in(store)
        if found is None:
            return None
        contents = known_contents(contest, store, {})
    changes = _changes(found, contest, contents)
    return SealError("changed", changes, seal=found.seal.seal) if changes else None


def keep_configuration(
    contest: Contest, folder: Folder, redraw: bool = False
) -> tuple[Contest, str]:
    """Keeps what is to be in force from now on; the contest with its seal if any, and its seed.

    Raises SealError and, unless with `redraw`, RedrawError as `to_play` does, ShortageError,
    FolderError.
    """
    with store_errors(folder.path):
        sealed = to_play(contest, folder.store, redraw)
    if sealed is not None:
        contest, configuration = sealed
        folder.keep_configuration(contest, contest.seed or "", configuration)
        return contest, contest.seed or ""
    seed = contest.seed or folder.seed() or secrets.token_hex(16)
    folder.keep_configuration(contest, seed)
    return contest, seed


def to_play(contest: Contest, store: Store, redraw: bool = False) -> tuple[Contest, str] | None:
    """A sealed contest with its seal, and the configuration to keep of it; None if it is not.

    Raises SealError if its bots or rules were changed, or no public value was given, and unless
    with `redraw` RedrawError where games of one that is not sealed would not count any more.
    """
    found = sealed_in(store)
    if found is None:
        if not redraw and (error := redrawn(contest, store, contents_of(contest))) is not None:
            raise error
        return None
    check_unchanged(found, contest)
    if found.seal.public is None:
        raise SealError("waiting", seal=found.seal.seal)
    merged = _merged(found, contest) | {"seed": found.configuration["seed"]}
    kept = {**merged, "seal": msgspec.to_builtins(found.seal)}
    return _sealed(contest, found), _text(kept)


def _sealed(contest: Contest, found: Sealed) -> Contest:
    seed = found.configuration["seed"] or None
    return msgspec.structs.replace(contest, seal=found.seal, seed=seed)


def check_unchanged(found: Sealed, contest: Contest) -> None:
    """Raises SealError if bots or rules differ from those that were sealed."""
    if changes := _changes(found, contest, contents_of(contest)):
        raise SealError("changed", changes, seal=found.seal.seal)


def _seal_now(contest: Contest, contents: Mapping[str, str]) -> Seal:
    """The versions of today and the hashes of the bots' files, without the seal itself."""
    game = make(contest.game, **contest.maps[0].parameters)
    return Seal(
        seal="",
        contents=dict(contents),
        rules=properties(game).version,
        chance=SCHEME,
    )


def _check_whole(contest: Contest) -> None:
    """Raises SealError for a bot that reads modules which are no part of its content's hash."""
    for bot in contest.bots:
        spec = parse_bot(bot.bot, Path(contest.base), bot.python)
        beside = _beside(spec)
        if beside:
            raise SealError("beside", name=bot.name, files=", ".join(beside))


def _beside(spec: BotSpec) -> list[str]:
    """The modules that lie beside a bot's own file, and are imported by it."""
    if spec.path is not None and (spec.path.is_dir() or spec.path.suffix == ".zip"):
        return []
    try:
        files = files_of(spec)
    except UnreadableError:
        return []  # what cannot be read as Python imports nothing
    own = {Path(word).name for word in spec.command}
    if spec.kind == "python" and spec.path is not None:
        own = {spec.path.name}
    found = [] if files is None else files.python
    return [name for name in found if name.endswith(PYTHON) and name not in own]


def _changes(found: Sealed, contest: Contest, contents: Mapping[str, str]) -> list[Change]:
    before = sealed_terms(_whole(found.configuration), found.seal)
    changes = terms_changed(before, sealed_terms(to_plain(contest), _seal_now(contest, contents)))
    if contest.seed and contest.seed != found.configuration["seed"]:
        changes.append(Change("key", "contest.seed", "", contest.seed))
    return changes


def _whole(configuration: Configuration) -> Configuration:
    """The configuration with the keys that later versions have added, at their defaults."""
    try:
        return to_plain(from_plain(configuration))
    except msgspec.ValidationError as error:
        raise FolderError(Sentence("error.folder.sealed", reason=foreign(error))) from None


def _merged(found: Sealed, contest: Contest) -> Configuration:
    """The sealed configuration, with today's values of the keys that decide nothing."""
    now = to_plain(contest)
    return found.configuration | {key: now[key] for key in UNSEALED if key in now}


def _keep(store: Store, configuration: Mapping[str, Any], seal: Seal, seed: str) -> None:
    kept = {**configuration, "seed": seed, "seal": msgspec.to_builtins(seal)}
    store.keep_configuration(_text(kept), seed, seal.contents, now())


def _text(configuration: Mapping[str, Any]) -> str:
    return msgspec.json.encode(configuration).decode()
