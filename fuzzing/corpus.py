"""The cases that once failed, as files: `tests/fuzz/corpus/TARGET/NAME`. The tests replay them."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from fuzzing.hunt import Found

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "fuzz" / "corpus"
LARGEST = 1 << 14  # bytes of a case that is kept


def kept(folder: Path, target: str) -> list[bytes]:
    """The cases of a target."""
    return [path.read_bytes() for path in files(folder, target)]


def files(folder: Path, target: str) -> list[Path]:
    """The files of a target's cases, sorted."""
    return sorted(path for path in (folder / target).glob("*") if path.is_file())


def keep(folder: Path, target: str, found: Found) -> Path | None:
    """Stores the case of a bug under a name out of its signature; None if it is too large.

    A bug has one file: where there is one already, it stays.
    """
    if len(found.case) > LARGEST:
        return None
    words = re.sub(r"\W+", "-", found.bug.signature).strip("-")[:100]
    digest = hashlib.blake2b(found.bug.signature.encode(), digest_size=4).hexdigest()
    path = folder / target / f"{words}-{digest}"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.write_bytes(found.case)
    return path
