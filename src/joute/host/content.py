"""The hash of what a bot is made of, by which records, results and seals know it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from joute.host.building.built import built
from joute.host.building.order import PRESENTATION
from joute.host.building.sources import folder_files
from joute.host.names import BotSpec


def content_hash(spec: BotSpec) -> str:
    """A hash (BLAKE2b, 32 hex digits) of what a bot is made of.

    A file counts by its bytes; a folder by the names and bytes of its files, hidden ones and
    PRESENTATION apart; a program by its words, those that are files by their bytes too; sources by
    these and by what was built of them, which happens now if it never did; anything else by its
    name. What a bot reads elsewhere is not seen: a bot of several files is a folder. Raises
    BuildError, OSError.
    """
    digest = hashlib.blake2b(digest_size=16)
    for part in _parts(spec):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()


def _parts(spec: BotSpec) -> Iterator[bytes]:
    """The parts that make a bot, piece by piece, the same on every machine."""
    yield (spec.dialect or spec.kind).encode()
    if spec.kind == "program":
        yield from _words(spec)
    elif spec.order is not None:
        made = built(spec)
        yield from (made.sources.encode(), made.artefact.encode())
    elif spec.path is None:
        yield spec.text.removeprefix("hosted:").encode()
    elif spec.path.is_dir():
        for file in folder_files(spec.path):
            if file == spec.path / PRESENTATION:
                continue
            yield file.relative_to(spec.path).as_posix().encode()
            yield file.read_bytes()
    else:
        yield spec.path.read_bytes()


def _words(spec: BotSpec) -> Iterator[bytes]:
    folder = spec.folder or Path()
    for at, word in enumerate(spec.command):
        file = folder / word
        if at == 0 and folder not in file.parents:
            # A program of the system: its name, since its bytes differ between machines.
            yield file.name.encode()
        elif file.is_file():
            yield file.name.encode()
            yield file.read_bytes()
        else:
            yield word.encode()
