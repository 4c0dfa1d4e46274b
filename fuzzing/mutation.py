"""Strategies that make cases out of right ones: bytes, JSON and texts with something wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from fuzzing.target import Pool

LARGEST = 1 << 16  # bytes of a case that grows by being repeated
MOST_CHANGES = 5

ODD_NUMBERS = (
    0, 1, -1, 2, 3, 7, 127, 128, 255, 256, 1000, 65535, 65536, 2**31 - 1, 2**31, -(2**31) - 1,
    2**32, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 2**64, 10**30, 10**400,
)  # fmt: skip
"""Numbers at which something may end: of bytes, of words, of floats, of patience."""

ODD_TEXTS = (
    "", " ", "x", "\x00", "\n", "\r\n", "\t", "\x1b]0;x\x07", "\u202e", "\ufeff", "é", "😀", "٣",
    "None", "null", "nan", "inf", "-inf", "1e999", "0x10", "1_0", "+1", " 1", "..", "../x", "/",
    "/dev/null", "~", "~root", "$HOME", "*", "%s", "{}", "{0}", "<b>", "&", "'", '"', "\\", "=",
    "a" * 5000, "(" * 3000, "é" * 300,
)  # fmt: skip
"""Texts that mean something to somebody."""

ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0.5, -0.0, 1e308, 1e-320, [], {}, [[]], [None], {"": None}, [0, 0],
    [1, 2, 3],
    [[0, 0]], {"x": 1}, ["x"], [0] * 300, *ODD_NUMBERS, *ODD_TEXTS,
)  # fmt: skip
"""Values of JSON that stand where others are expected."""

Json = Callable[[Any], bytes]
"""The text of a document."""


def dumped(document: Any) -> bytes:
    """A document as JSON; lone surrogates stay escaped."""
    return json.dumps(document).encode()


@st.composite
def bytes_changed(draw: DrawFn, pool: Pool, words: Sequence[bytes] = ()) -> bytes:
    """A case of the pool with some bytes changed; `words` mean something where it is read."""
    case = draw(st.sampled_from(pool))
    odd = (*words, *(str(number).encode() for number in ODD_NUMBERS[:-1]))
    for _ in range(draw(st.integers(0, MOST_CHANGES))):
        at = draw(st.integers(0, len(case)))
        length = draw(st.integers(0, min(len(case) - at, draw(st.sampled_from((1, 8, 100))))))
        part = case[at : at + length]
        kind = draw(st.sampled_from(("cut", "put", "word", "other", "again", "flip", "end")))
        if kind == "cut":
            part = b""
        elif kind == "put":
            part = draw(st.binary(max_size=8))
        elif kind == "word":
            part = draw(st.sampled_from(odd))
        elif kind == "other":
            beside = draw(st.sampled_from(pool))
            start = draw(st.integers(0, len(beside)))
            part = beside[start : start + draw(st.integers(0, 200))]
        elif kind == "again":
            times = draw(st.sampled_from((2, 3, 20, 300)))
            part *= min(times, LARGEST // max(len(case), 1) + 1)
        elif kind == "flip" and part:
            part = bytes([part[0] ^ (1 << draw(st.integers(0, 7)))]) + part[1:]
        elif kind == "end":
            case, part = case[:at], b""
        case = case[:at] + part + case[at + length :]
    return case


@st.composite
def text_changed(draw: DrawFn, pool: Pool, words: Sequence[str]) -> bytes:
    """A text of the pool with lines moved, words put in and bytes changed."""
    case = draw(st.sampled_from(pool))
    for _ in range(draw(st.integers(0, MOST_CHANGES))):
        lines = case.split(b"\n")
        at, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        kind = draw(st.sampled_from(("drop", "twice", "swap", "value", "put", "splice")))
        if kind == "drop":
            del lines[at]
        elif kind == "twice":
            lines.insert(other, lines[at])
        elif kind == "swap":
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == "value":
            before, sign, _ = lines[at].partition(b"=")
            word = draw(st.sampled_from(words)).encode("utf-8", "surrogatepass")
            lines[at] = before + sign + b" " + word
        elif kind == "put":
            word = draw(st.sampled_from(words)).encode("utf-8", "surrogatepass")
            place = draw(st.integers(0, len(lines[at])))
            lines[at] = lines[at][:place] + word + lines[at][place:]
        else:
            beside = draw(st.sampled_from(pool)).split(b"\n")
            start = draw(st.integers(0, len(beside) - 1))
            lines[at:at] = beside[start : start + draw(st.integers(1, 4))]
        case = b"\n".join(lines)[:LARGEST]
    if draw(st.integers(0, 3)) == 3:
        encoded = [word.encode("utf-8", "surrogatepass") for word in words]
        case = draw(bytes_changed([case], encoded))
    return case


def odd_values(words: Sequence[Any] = ()) -> SearchStrategy[Any]:
    """A value that stands where another is expected."""
    return st.sampled_from((*words, *ODD_VALUES)) | st.integers(-300, 300) | st.text(max_size=6)


def value_changed(draw: DrawFn, document: Any, words: Sequence[Any] = ()) -> Any:
    """A document (plain data) with one value, anywhere in it, replaced, moved, doubled or gone."""
    if not isinstance(document, dict | list) or not document or draw(st.integers(0, 4)) == 4:
        return draw(odd_values(words))
    if isinstance(document, list):
        at = draw(st.integers(0, len(document) - 1))
        kind = draw(st.sampled_from(("inside", "drop", "twice", "swap")))
        if kind == "inside":
            return [*document[:at], value_changed(draw, document[at], words), *document[at + 1 :]]
        if kind == "drop":
            return document[:at] + document[at + 1 :]
        if kind == "twice":
            return [*document[: at + 1], *document[at:]]
        other = draw(st.integers(0, len(document) - 1))
        changed = list(document)
        changed[at], changed[other] = changed[other], changed[at]
        return changed
    key = draw(st.sampled_from(sorted(document, key=str)))
    kind = draw(st.sampled_from(("inside", "inside", "inside", "drop", "more")))
    if kind == "inside":
        return {**document, key: value_changed(draw, document[key], words)}
    if kind == "drop":
        return {name: value for name, value in document.items() if name != key}
    return {**document, draw(st.sampled_from(("x", "", key.upper()))): document[key]}
