"""Records as the database keeps them: compressed with Zstandard, each by itself."""

from __future__ import annotations

from zstandard import ZstdCompressor, ZstdDecompressor, ZstdError

LEVEL = 3  # above, twice the time buys a few hundredths of the size


def pack(record: bytes) -> bytes:
    """A record as one frame, which knows its size and has a checksum."""
    return ZstdCompressor(level=LEVEL, write_checksum=True).compress(record)


def unpack(frame: bytes) -> bytes:
    """The record of a frame. Raises ValueError if it is damaged."""
    try:
        return ZstdDecompressor().decompress(frame)
    except ZstdError as error:
        raise ValueError(str(error)) from None
