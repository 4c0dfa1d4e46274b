"""Records as the database keeps them: compressed with Zstandard, each by itself."""

from __future__ import annotations

from zstandard import ZstdCompressor, ZstdDecompressor, ZstdError, frame_content_size

from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence

LARGEST = 1 << 28  # bytes of a record, so that no few bytes become all the memory there is
LEVEL = 3  # above, twice the time buys a few hundredths of the size


def pack(record: bytes) -> bytes:
    """A record as one frame, which knows its size and has a checksum."""
    return ZstdCompressor(level=LEVEL, write_checksum=True).compress(record)


def unpack(frame: bytes) -> bytes:
    """The record of a frame. Raises ValueError if it is damaged."""
    try:
        if not 0 <= frame_content_size(frame) <= LARGEST:
            raise ValueError(Sentence("error.store.size", most=LARGEST >> 20))
        return ZstdDecompressor().decompress(frame)
    except (ZstdError, TypeError) as error:
        raise ValueError(foreign(error)) from None
