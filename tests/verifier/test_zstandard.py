"""The verifier's own decoder of Zstandard against the library that packs our records."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zstandard import ZstdCompressor

from verifier.verify_virus import content_of, unpacked

levels = st.integers(1, 19)
flags = st.fixed_dictionaries(
    {"write_checksum": st.booleans(), "write_content_size": st.booleans()}
)
words = st.lists(st.binary(min_size=1, max_size=12), min_size=1, max_size=40)


@given(st.binary(max_size=3000), levels, flags)
def test_any_bytes_come_back(content, level, flags):
    assert unpacked(ZstdCompressor(level=level, **flags).compress(content)) == content


@given(words, st.randoms(use_true_random=False), st.integers(0, 4000), levels, flags)
def test_texts_that_repeat_themselves_come_back(words, rng, count, level, flags):
    content = b"".join(rng.choices(words, k=count))
    frame = ZstdCompressor(level=level, **flags).compress(content)
    assert unpacked(frame) == content_of(frame) == content


@pytest.mark.parametrize("level", [1, 3, 9, 19])
def test_texts_of_several_blocks_come_back(level):
    rng = random.Random(level)
    lines = [
        b'{"ply":%d,"by":"bot","cpu_ms":%.3f,"text":"%c%d"}\n'
        % (ply, rng.random(), rng.choice(b"abcdefgh"), rng.randrange(9))
        for ply in range(7000)
    ]
    content = b"".join(lines) + b"x" * 200_000 + rng.randbytes(5000)
    assert unpacked(ZstdCompressor(level=level, write_checksum=True).compress(content)) == content


FRAME = ZstdCompressor(level=3, write_checksum=True).compress(b"a game of virus, " * 9 + b"ended\n")


@pytest.mark.parametrize("at", range(len(FRAME)))
def test_a_damaged_frame_is_refused_or_has_the_same_content(at):
    content = unpacked(FRAME)
    for bit in range(8):
        damaged = bytearray(FRAME)
        damaged[at] ^= 1 << bit
        try:
            found = unpacked(bytes(damaged))
        except (ValueError, IndexError):
            continue
        assert found == content  # a bit of the header that says nothing about it


@pytest.mark.parametrize("frame", [FRAME[:-1], FRAME + b"\0", b"", b"PK\3\4"])
def test_what_is_no_whole_frame_is_refused(frame):
    with pytest.raises((ValueError, IndexError)):
        unpacked(frame)
