#!/usr/bin/env python3
"""Checks a sealed contest of Virus from its results folder, without Joute.

    python3 verify_virus.py RESULTS [--seal SEAL] [--link LINK] [--lang fr]

It needs Python 3.10 or later and nothing else, and imports nothing of Joute: the rules, the draws,
the schedule and the ranking are written here a second time, from the documents docs/en/proof.md,
docs/en/virus.md and docs/en/storage.md. So it is one file, longer than the house allows, to be
downloaded and read by whoever does not trust the organiser, nor those who wrote Joute. It

1. makes the seal again from the configuration and the bots' hashes, and compares it with SEAL,
   which was written where everybody could see it before the public value was known;
2. makes the contest's seed from the seal and the public value, which it prints;
3. asks for exactly the games of the schedule, each from the seed that it must have;
4. reads every record, checks its chain of lines, replays every action by the rules and every draw
   by the seed, and compares the row of the game in the database with it;
5. checks the chain of rows, and that LINK, printed when the contest was played, is in it;
6. makes the standings again, and compares them with standings.json.

It covers the format "round-robin" between all bots with the ranking "hx2", with `games` or
`first_to`, decisions of the organiser and disqualifications included. It does not cover: Elo
ratings, databases other than SQLite, and what no record can show (docs/en/proof.md). It ends with 0
where all is true, 1 at the first difference, 2 for what it cannot check.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import re
import sqlite3
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import combinations
from math import isclose, sqrt
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

TRUE, DIFFERENT, UNCHECKED = 0, 1, 2  # exit codes


class Difference(Exception):
    """Something that is not as it must be; the sentence says what, and where."""


class NotCoveredError(Exception):
    """Something that this program cannot check."""


def demand(condition: object, sentence: str, **values: object) -> None:
    """Raises Difference with the sentence unless the condition holds."""
    if not condition:
        raise Difference(say(sentence, **values))


def same(found: object, expected: object, what: str, place: str) -> None:
    """Raises Difference unless two values are equal."""
    demand(
        found == expected,
        "{place}: {what} is {found}, expected {expected}",
        place=place,
        what=what,
        found=shown(found),
        expected=shown(expected),
    )


def shown(value: object) -> str:
    """A value as a sentence shows it: short, and harmless to a terminal."""
    text = json.dumps(value, default=str)
    return text if len(text) <= 100 else f"{text[:97]}..."


# ---- Zstandard, in which the database keeps its records (RFC 8878) ------------------------------

Table = list[tuple[int, int, int]]
"""A table of finite state entropy: of each state its symbol, the bits to read, the base."""


class Backwards:
    """Bits that are read from the end of some bytes, whose highest set bit is a mark."""

    def __init__(self, data: bytes) -> None:
        if not data or not data[-1]:
            raise ValueError("a stream of bits has no end mark")
        self._data = data
        self.left = 8 * len(data) - 9 + data[-1].bit_length()  # below 0: read past the beginning

    def peek(self, count: int) -> int:
        """The next bits; those before the beginning are 0."""
        at = self.left - count
        if at < 0:
            return (
                int.from_bytes(self._data[:8], "little") & ((1 << max(self.left, 0)) - 1)
            ) << -at
        window = int.from_bytes(self._data[at >> 3 : (at >> 3) + 8], "little")
        return window >> (at & 7) & ((1 << count) - 1)

    def read(self, count: int) -> int:
        """The next bits, taken."""
        found = self.peek(count)
        self.left -= count
        return found


def entropy_table(counts: Sequence[int], log: int) -> Table:
    """The table of some symbols by their shares of 2^log states; -1 is less than one."""
    size = 1 << log
    symbols = [0] * size
    top = size - 1
    for symbol, count in enumerate(counts):
        if count == -1:
            symbols[top] = symbol
            top -= 1
    step, at = (size >> 1) + (size >> 3) + 3, 0
    for symbol, count in enumerate(counts):
        for _ in range(max(count, 0)):
            symbols[at] = symbol
            at = (at + step) & (size - 1)
            while at > top:
                at = (at + step) & (size - 1)
    following = [abs(count) for count in counts]
    table = []
    for symbol in symbols:
        number = following[symbol]
        following[symbol] += 1
        bits = log + 1 - number.bit_length()
        table.append((symbol, bits, (number << bits) - size))
    return table


def read_entropy_table(data: bytes, most: int) -> tuple[Table, int, int]:
    """A table from its description: the table, its log, and the bytes that were read."""
    stream, at = int.from_bytes(data[:512], "little"), 4
    log = (stream & 15) + 5
    left = 1 << log
    counts: list[int] = []
    if log > most:
        raise ValueError("a table is too large")
    while left > 0:
        bits = (left + 1).bit_length()
        value = stream >> at & ((1 << bits) - 1)
        half, spare = (1 << bits - 1) - 1, (1 << bits) - 2 - left
        if value & half < spare:
            value &= half
            bits -= 1
        elif value > half:
            value -= spare
        at += bits
        counts.append(value - 1)
        left -= abs(value - 1)
        repeat = 3 if value == 1 else 0
        while repeat == 3:
            repeat = stream >> at & 3
            at += 2
            counts += [0] * repeat
    if left < 0 or at > 8 * len(data):
        raise ValueError("a table is broken")
    return entropy_table(counts, log), log, (at + 7) // 8


def huffman_weights(data: bytes) -> list[int]:
    """The weights of Huffman codes that are themselves coded by two states in turn."""
    table, log, used = read_entropy_table(data, 6)
    bits = Backwards(data[used:])
    states, turn = [bits.read(log), bits.read(log)], 0
    weights: list[int] = []
    while bits.left >= 0 and len(weights) < 255:
        symbol, count, base = table[states[turn]]
        weights.append(symbol)
        states[turn] = base + bits.read(count)
        turn = 1 - turn
    return [*weights, table[states[turn]][0]]


def huffman_table(data: bytes) -> tuple[list[tuple[int, int]], int, int]:
    """A table of Huffman codes: symbol and length by the next bits; how many bits; bytes read."""
    head = data[0]
    if head < 128:
        used = 1 + head
        weights = huffman_weights(data[1:used])
    else:
        count = head - 127
        used = 1 + (count + 1) // 2
        weights = [nibble for byte in data[1:used] for nibble in (byte >> 4, byte & 15)][:count]
    whole = sum(1 << weight >> 1 for weight in weights)
    longest = whole.bit_length()
    rest = (1 << longest) - whole
    if not whole or rest & rest - 1:
        raise ValueError("the weights of a Huffman table are wrong")
    weights.append(rest.bit_length())
    table = [
        (symbol, longest + 1 - weight)
        for weight in range(1, longest + 1)
        for symbol, own in enumerate(weights)
        if own == weight
        for _ in range(1 << weight - 1)
    ]
    return table, longest, used


LITERAL_LENGTHS = [(n, 0) for n in range(16)] + list(
    zip(
        [16, 18, 20, 22, 24, 28, 32, 40, 48, *(1 << n for n in range(6, 17))],
        [1, 1, 1, 1, 2, 2, 3, 3, 4, *range(6, 17)],
        strict=True,
    )
)
MATCH_LENGTHS = [(n + 3, 0) for n in range(32)] + list(
    zip(
        [35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99, *((1 << n) + 3 for n in range(7, 17))],
        [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, *range(7, 17)],
        strict=True,
    )
)
USUAL = (  # the tables of literal lengths, offsets and match lengths, unless a block brings its own
    (entropy_table([4, 3, *[2] * 11, *[1] * 3, *[2] * 9, 3, 2, *[1] * 5, *[-1] * 4], 6), 6),
    (entropy_table([*[1] * 6, *[2] * 3, *[1] * 15, *[-1] * 5], 5), 5),
    (entropy_table([1, 4, 3, *[2] * 6, *[1] * 37, *[-1] * 7], 6), 6),
)
LARGEST_LOGS = (9, 8, 9)


class Decoder:
    """The content of one frame; what later blocks need of earlier ones is kept."""

    def __init__(self) -> None:
        self.content = bytearray()
        self._huffman: tuple[list[tuple[int, int]], int] | None = None
        self._tables: list[tuple[Table, int]] = list(USUAL)
        self._offsets = [1, 4, 8]

    def block(self, data: bytes) -> None:
        """Adds the content of a compressed block."""
        literals, at = self._literals(data)
        count = data[at]
        at += 1
        if count == 255:
            count, at = int.from_bytes(data[at : at + 2], "little") + 0x7F00, at + 2
        elif count >= 128:
            count, at = (count - 128 << 8) + data[at], at + 1
        used = self._sequences(data, at, count, literals) if count else 0
        self.content += literals[used:]

    def _literals(self, data: bytes) -> tuple[bytes, int]:
        """The literals of a block, and where they end."""
        kind, form = data[0] & 3, data[0] >> 2 & 3
        if kind < 2:
            width = (1, 2, 1, 3)[form]
            size = int.from_bytes(data[:width], "little") >> (3 if width == 1 else 4)
            if kind == 1:
                return data[width : width + 1] * size, width + 1
            return data[width : width + size], width + size
        width, bits = ((3, 10), (3, 10), (4, 14), (5, 18))[form]
        head = int.from_bytes(data[:width], "little") >> 4
        size, packed = head & (1 << bits) - 1, head >> bits
        body, used = data[width : width + packed], 0
        if kind == 2:
            table, longest, used = huffman_table(body)
            self._huffman = table, longest
        if form == 0:
            return self._huffman_coded(body[used:], size), width + packed
        ends = [used + 6]
        for place in range(used, used + 6, 2):
            ends.append(ends[-1] + int.from_bytes(body[place : place + 2], "little"))
        streams = [body[one:other] for one, other in zip(ends, [*ends[1:], len(body)], strict=True)]
        quarter = (size + 3) // 4
        sizes = [quarter, quarter, quarter, size - 3 * quarter]
        parts = map(self._huffman_coded, streams, sizes)
        return b"".join(parts), width + packed

    def _huffman_coded(self, data: bytes, size: int) -> bytes:
        if self._huffman is None:
            raise ValueError("there is no Huffman table to go on with")
        table, longest = self._huffman
        bits = Backwards(data)
        found = bytearray()
        for _ in range(size):
            symbol, length = table[bits.peek(longest)]
            bits.left -= length
            found.append(symbol)
        if bits.left:
            raise ValueError("a Huffman stream does not end where it should")
        return bytes(found)

    def _sequences(self, data: bytes, at: int, count: int, literals: bytes) -> int:
        """Copies literals and what was there before, in turn; returns how many literals."""
        modes = data[at]
        at += 1
        for place, shift in enumerate((6, 4, 2)):
            mode = modes >> shift & 3
            if mode == 0:
                self._tables[place] = USUAL[place]
            elif mode == 1:
                self._tables[place] = [(data[at], 0, 0)], 0
                at += 1
            elif mode == 2:
                table, log, used = read_entropy_table(data[at:], LARGEST_LOGS[place])
                self._tables[place] = table, log
                at += used
        bits = Backwards(data[at:])
        lengths, offsets, matches = (table for table, _ in self._tables)
        one, two, three = (bits.read(log) for _, log in self._tables)
        used = 0
        for number in range(count):
            length, to_one, base_one = lengths[one]
            code, to_two, base_two = offsets[two]
            match, to_three, base_three = matches[three]
            distance = (1 << code) + bits.read(code)
            copied = MATCH_LENGTHS[match][0] + bits.read(MATCH_LENGTHS[match][1])
            own = LITERAL_LENGTHS[length][0] + bits.read(LITERAL_LENGTHS[length][1])
            if number < count - 1:
                one = base_one + bits.read(to_one)
                three = base_three + bits.read(to_three)
                two = base_two + bits.read(to_two)
            self.content += literals[used : used + own]
            used += own
            self._copy(self._distance(distance, own), copied)
        if bits.left or used > len(literals):
            raise ValueError("the sequences of a block are broken")
        return used

    def _distance(self, value: int, literals: int) -> int:
        """The distance back to copy from; 1 to 3 stand for distances that were used before."""
        recent = self._offsets
        if value > 3:
            self._offsets = [value - 3, *recent[:2]]
            return value - 3
        place = value - 1 + (literals == 0)
        found = recent[0] - 1 if place == 3 else recent[place]
        if place:
            self._offsets = [found, *(each for n, each in enumerate(recent) if n != min(place, 2))]
        return found

    def _copy(self, distance: int, count: int) -> None:
        start = len(self.content) - distance
        if distance < 1 or start < 0:
            raise ValueError("a match lies before the beginning")
        while count > 0:
            part = self.content[start : start + min(count, distance)]
            self.content += part
            count -= len(part)


def unpacked(frame: bytes) -> bytes:
    """The content of a Zstandard frame. Raises ValueError or IndexError if it is damaged."""
    if frame[:4] != b"\x28\xb5\x2f\xfd":
        raise ValueError("it is no Zstandard frame")
    flags = frame[4]
    single, checked = flags & 32, flags & 4
    at = 5 + (not single) + (0, 1, 2, 4)[flags & 3]
    width = (1 if single else 0, 2, 4, 8)[flags >> 6]
    size = int.from_bytes(frame[at : at + width], "little") + (256 if width == 2 else 0)
    at += width
    decoder, last = Decoder(), 0
    while not last:
        head = int.from_bytes(frame[at : at + 3], "little")
        last, kind, length = head & 1, head >> 1 & 3, head >> 3
        taken = 1 if kind == 1 else length
        body = frame[at + 3 : at + 3 + taken]
        if kind == 3 or len(body) < taken:
            raise ValueError("a block is broken")
        if kind == 2:
            decoder.block(body)
        else:
            decoder.content += body * length if kind == 1 else body
        at += 3 + taken
    content = bytes(decoder.content)
    if width and len(content) != size:
        raise ValueError(f"it has {len(content)} bytes, not {size}")
    if checked and frame[at : at + 4] != (xxh64(content) & 0xFFFFFFFF).to_bytes(4, "little"):
        raise ValueError("its checksum is wrong")
    if len(frame) != at + (4 if checked else 0):
        raise ValueError("there is something behind it")
    return content


MASK = (1 << 64) - 1
P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P4, P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def xxh64(data: bytes) -> int:
    """The hash XXH64 of some bytes, with the seed 0."""
    at, last = 0, len(data)
    if last < 32:
        value = P5
    else:
        lanes = [(P1 + P2) & MASK, P2, 0, -P1 & MASK]
        while at + 32 <= last:
            for lane in range(4):
                lanes[lane] = _mixed(lanes[lane], int.from_bytes(data[at : at + 8], "little"))
                at += 8
        value = sum(_turned(lane, by) for lane, by in zip(lanes, (1, 7, 12, 18), strict=True))
        for lane in lanes:
            value = ((value ^ _mixed(0, lane)) * P1 + P4) & MASK
    value += last
    while at + 8 <= last:
        value ^= _mixed(0, int.from_bytes(data[at : at + 8], "little"))
        value = (_turned(value & MASK, 27) * P1 + P4) & MASK
        at += 8
    if at + 4 <= last:
        value ^= int.from_bytes(data[at : at + 4], "little") * P1 & MASK
        value = (_turned(value & MASK, 23) * P2 + P3) & MASK
        at += 4
    for byte in data[at:]:
        value = _turned((value ^ byte * P5) & MASK, 11) * P1 & MASK
    for shift, factor in ((33, P2), (29, P3), (32, 1)):
        value = ((value & MASK) ^ (value & MASK) >> shift) * factor & MASK
    return value


def _mixed(lane: int, word: int) -> int:
    return _turned((lane + word * P2) & MASK, 31) * P1 & MASK


def _turned(word: int, by: int) -> int:
    return (word << by | word >> 64 - by) & MASK


def content_of(frame: bytes) -> bytes:
    """The content of a frame, by Python's own decoder where it has one (3.14 and later)."""
    try:
        own = importlib.import_module("compression.zstd")
    except ImportError:
        return unpacked(frame)
    try:
        found: bytes = own.decompress(frame)
    except own.ZstdError as error:
        raise ValueError(str(error)) from None
    return found


# ---- The game, from its rules -------------------------------------------------------------------

EMPTY = -1


class Virus:
    """A game of Virus: two players, 0 and 1, who spread over a square grid."""

    def __init__(self, size: int, voluntary_pass: bool) -> None:
        self.size = size
        self.pass_ = size * size  # the number of the action; others are the cell, row by row
        self.voluntary_pass = voluntary_pass
        self.cells = [EMPTY] * (size * size)
        self.cells[0] = self.cells[-1] = 0
        self.cells[size - 1] = self.cells[-size] = 1
        self.mover: int | None = None  # None before the draw, and once it is over
        self.passes = 0  # in a row
        self.over = False

    def around(self, cell: int) -> list[int]:
        """The cells that touch a cell, diagonals count."""
        row, column = divmod(cell, self.size)
        return [
            r * self.size + c
            for r in range(max(row - 1, 0), min(row + 2, self.size))
            for c in range(max(column - 1, 0), min(column + 2, self.size))
            if (r, c) != (row, column)
        ]

    def stones(self) -> list[int]:
        """The cells where the mover may put a stone: empty ones that touch one of its own."""
        return [
            cell
            for cell, owner in enumerate(self.cells)
            if owner == EMPTY and any(self.cells[near] == self.mover for near in self.around(cell))
        ]

    def legal(self) -> list[int]:
        """The legal actions of the mover."""
        stones = self.stones()
        return stones if stones and not self.voluntary_pass else [*stones, self.pass_]

    def play(self, action: int) -> None:
        """Puts a stone, which turns the opposing ones that touch it, or passes."""
        mover = self.mover or 0
        if action == self.pass_:
            self.passes += 1
        else:
            self.passes = 0
            self.cells[action] = mover
            for near in self.around(action):
                if self.cells[near] == 1 - mover:
                    self.cells[near] = mover
        self.over = self.passes == 2 or EMPTY not in self.cells
        self.mover = None if self.over else 1 - mover

    def points(self) -> list[int]:
        """The stones of each player."""
        return [self.cells.count(0), self.cells.count(1)]

    def text(self, action: int) -> str:
        """An action as people write it."""
        row, column = divmod(action, self.size)
        return "pass" if action == self.pass_ else f"{chr(ord('a') + column)}{row + 1}"


# ---- Seeds, and what is drawn from them ---------------------------------------------------------


def digest(*parts: object) -> str:
    """The hash from which the schedule draws: of a JSON list."""
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()


def named(*parts: object) -> str:
    """The hash from which a game draws: of texts with a zero byte between them."""
    text = "\0".join(map(str, parts))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


class Chance:
    """The draws of one game: the n-th number of a stream is a hash of seed, name and n."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._taken: dict[str, int] = defaultdict(int)

    def _number(self, stream: str) -> int:
        self._taken[stream] += 1
        return int(named("stream", self._seed, stream, self._taken[stream]), 16)

    def starter(self) -> int:
        """The player that starts."""
        return 0 if (self._number("starter") >> 75) * 2.0**-53 < 0.5 else 1

    def opening(self, bound: int) -> int:
        """A number below `bound`, for the random plies before the bots are asked."""
        return self._number("opening") * bound >> 128


# ---- Records ------------------------------------------------------------------------------------

LINE = re.compile(rb'^(\{.*),"chain":"([0-9a-f]{32})"\}$')


class Played(NamedTuple):
    """The facts of a record once it has been replayed; lists are by seat."""

    header: dict[str, Any]
    ending: str
    returns: list[float]
    points: list[int]
    plies: int
    faults: list[dict[str, Any]]
    cpu_ms: list[float]
    asked: list[int]
    seed: str
    chain: str


def lines_of(content: bytes, place: str) -> tuple[list[dict[str, Any]], str]:
    """The lines of a record and its last hash, each line being chained to those before it."""
    chain = "0" * 32
    found = []
    for number, line in enumerate(content.removesuffix(b"\n").split(b"\n"), start=1):
        match = LINE.match(line)
        hashed = hashlib.blake2b(chain.encode(), digest_size=16)
        hashed.update(match[1] if match else b"")
        chain = hashed.hexdigest()
        demand(
            match and match[2].decode() == chain,
            "{place}, line {line}: its chain does not match: this line was changed",
            place=place,
            line=number,
        )
        found.append(json.loads(match[1] + b"}" if match else b"{}"))
    demand(
        len(found) > 1 and found[0].get("record") == 2 and content.endswith(b"\n"),
        "{place}: this is no whole record of format 2",
        place=place,
    )
    return found, chain


def replayed(content: bytes, place: str) -> Played:
    """A record, every line of which was found to be true."""
    lines, chain = lines_of(content, place)
    header, plies, end = lines[0], lines[1:-1], lines[-1]
    same(header["game"], "virus", "game", place)
    same(header["rules"], 1, "rules", place)
    seed = end["seed"]
    same(header["commitment"], named("commitment", seed), "commitment", place)
    game, chance = Virus(**header["parameters"]), Chance(seed)
    fewest, most = header["opening"]
    opening = fewest + chance.opening(most - fewest + 1)
    count = 0  # of plies
    out: set[int] = set()  # players who have lost by a fault
    for number, ply in enumerate(plies, start=2):
        at = say("{place}, line {line}", place=place, line=number)
        same(ply["ply"], count, "ply", at)
        demand(not (game.over or out) or "action" not in ply, "{at}: the game was over", at=at)
        if "action" in ply:
            opening -= ply["by"] == "opening"
            check_action(game, chance, ply, opening, at)
            count += 1
        else:
            demand("fault" in ply and ply["cost"] == "game", "{at}: nothing was done", at=at)
        if ply.get("cost") == "game":
            out.add(ply["player"])
    demand(game.over or out, "{place}: the game was not over", place=place)
    lost = [player in out for player in (0, 1)]
    lead = game.points()[0] - game.points()[1]
    sign = float((lead > 0) - (lead < 0))
    truth: dict[str, Any] = {
        "ending": "forfeit" if out else "finished",
        "forfeits": sorted(out),
        "returns": [-1.0 if each else 1.0 for each in lost] if out else [sign, -sign],
        "points": game.points(),
        "plies": count,
    }
    for key, value in truth.items():
        same(end[key], value, key, place)
    del truth["forfeits"]
    return Played(header=header, seed=seed, chain=chain, **truth, **told(plies))


def check_action(game: Virus, chance: Chance, ply: dict[str, Any], opening: int, at: str) -> None:
    """Checks an action or a draw by the rules and the seed, and plays it."""
    by, action = ply["by"], ply["action"]
    if game.mover is None:
        same(by, "chance", "by", at)
        same(action, chance.starter(), "action", at)
        same(ply["text"], f"player {action} starts", "text", at)
        game.mover = action
        return
    same(ply["player"], game.mover, "player", at)
    if by == "opening":
        demand(opening >= 0, "{at}: the opening was over", at=at)
        choice = game.stones() or [game.pass_]
        same(action, choice[chance.opening(len(choice))], "action", at)
    else:
        same(by, "bot", "by", at)
        demand(opening <= 0, "{at}: the opening was not over", at=at)
        allowed = [game.pass_] if "fault" in ply else game.legal()
        demand(
            type(action) is int and action in allowed, "{at}: action {action} is not legal",
            at=at, action=shown(action),
        )  # fmt: skip
        demand(ply.get("answer", action) in (action, [action]), "{at}: its answer differs", at=at)
    same(ply["text"], game.text(action), "text", at)
    game.play(action)


def told(plies: list[dict[str, Any]]) -> dict[str, Any]:
    """The faults of a game, and by seat the milliseconds and how often an action was asked for."""
    faults, cpu_ms, asked = [], [0.0, 0.0], [0, 0]
    for ply in plies:
        if "fault" in ply:
            facts = {key: ply[key] for key in ("ply", "fault", "detail", "cost")}
            faults.append({"seat": ply["player"], **facts})
        if ply["by"] == "bot" and ply.get("fault") != "start-up":
            cpu_ms[ply["player"]] += ply["cpu_ms"]
            asked[ply["player"]] += 1
    return {"faults": faults, "cpu_ms": cpu_ms, "asked": asked}


# ---- The results folder -------------------------------------------------------------------------


class Row(NamedTuple):
    """A game as the database has it; lists are by seat."""

    number: int
    identity: str
    members: list[str]
    bots: list[str]
    set_number: int
    ending: str
    returns: list[float]
    points: list[int]
    plies: int
    faults: list[dict[str, Any]]
    cpu_ms: list[float]
    asked: list[int]
    chain: str
    isolation: list[str]
    map: str
    record: str


class Mark(NamedTuple):
    """A decision about a game or a bot."""

    kind: str
    subject: str
    who: str
    why: str
    made_at: str


KEPT = ("number", "identity", "set_number", "ending", "plies", "chain", "record")


class Results:
    """A results folder, only read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        file = folder / "contest.sqlite"
        if not file.is_file():
            raise NotCoveredError(say("{file}: there is no such database", file=file))
        # Without a log beside it nothing is left to be written, and a read-only disk will do.
        how = "mode=ro" if file.with_name(f"{file.name}-wal").exists() else "immutable=1"
        self._database = sqlite3.connect(f"{file.resolve().as_uri()}?{how}", uri=True)
        self._database.row_factory = sqlite3.Row

    def rows(self, table: str, order: str = "number") -> list[sqlite3.Row]:
        """The rows of a table, in order."""
        query = f"SELECT * FROM {table} ORDER BY {order}"  # noqa: S608 - both are ours
        return self._database.execute(query).fetchall()

    def tables(self) -> set[str]:
        """The names of the tables."""
        found = self._database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {name for (name,) in found}

    def configurations(self) -> list[dict[str, Any]]:
        """All configurations that were in force, the last one being it."""
        found = []
        for row in self.rows("contest"):
            found.append(json.loads(row["configuration"]))
            same(row["seed"], found[-1]["seed"], "seed", f"contest {row['number']}")
        return found

    def marks(self) -> list[Mark]:
        """The decisions, oldest first."""
        return [Mark(*(row[name] for name in Mark._fields)) for row in self.rows("marks")]

    def games(self) -> list[Row]:
        """The games, in the order of their arrival."""
        lineups = {row["number"]: row for row in self.rows("lineups")}
        seats: dict[int, list[sqlite3.Row]] = defaultdict(list)
        for seat in self.rows("seats", "game, seat"):
            seats[seat["game"]].append(seat)
        found, used = [], set()
        for row in self.rows("games"):
            place = say("game {identity}", identity=row["identity"])
            own, lineup = seats.pop(row["number"], []), lineups.get(row["lineup"])
            same([seat["seat"] for seat in own], [0, 1], "seats", place)
            demand(lineup, "{place}: its line-up is missing", place=place)
            same([seat["lineup"] for seat in own], [row["lineup"]] * 2, "lineup", place)
            used.add(row["lineup"])
            found.append(self._row(row, lineup, own))
        same(sorted(seats), [], "games without a row", "seats")
        same(sorted(set(lineups) - used), [], "line-ups without a game", "lineups")
        numbers = [row.number for row in found]
        same(numbers, list(range(1, len(found) + 1)), "number", "games")
        return found

    def _row(self, row: sqlite3.Row, lineup: Any, own: list[sqlite3.Row]) -> Row:
        values: dict[str, Any] = {key: row[key] for key in KEPT}
        values |= {key: json.loads(lineup[key]) for key in ("members", "bots")}
        values |= {key: json.loads(row[key]) for key in ("returns", "isolation")}
        values |= {key: [seat[key] for seat in own] for key in ("points", "cpu_ms", "asked")}
        faults = json.loads(row["faults"] or "[]")
        return Row(faults=faults, map=lineup["map"], **values)

    def records(self) -> Iterator[tuple[int, bytes]]:
        """The record of each game, by the game's number; a file goes before the database."""
        names = {row["number"]: row["identity"] for row in self.rows("games")}
        kept = self._database.execute("SELECT game, content FROM records ORDER BY game")
        packed = {number for (number,) in self._database.execute("SELECT game FROM records")}
        same(sorted(packed - set(names)), [], "records without a game", "records")
        for number, identity in names.items():
            file = self.folder / "records" / f"{identity}.jsonl"
            frame: bytes = kept.fetchone()[1] if number in packed else b""
            place = say("game {identity}", identity=identity)
            demand(frame or file.is_file(), "{place}: its record is missing", place=place)
            try:
                yield number, file.read_bytes() if file.is_file() else content_of(frame)
            except (ValueError, IndexError) as error:
                demand(False, "{place}: its record is damaged: {error}", place=place, error=error)


# ---- The seal -----------------------------------------------------------------------------------

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
UNSEALED = ("name", "workers", "minutes", "seed", "seal", "folder", "store", "base", "bots")


def seal_of(configuration: dict[str, Any]) -> str:
    """The seal of a configuration, whose own seal brings the bots' hashes and the versions."""
    seal, base = configuration["seal"], f"{configuration['base']}/"
    terms = {
        "format": 1,
        "rules": seal["rules"],
        "chance": seal["chance"],
        "bots": [
            [
                bot["name"],
                seal["contents"][bot["name"]],
                bot["python"] and bot["python"].removeprefix(base),
                bot["memory_mb"],
            ]
            for bot in configuration["bots"]
        ],
        "configuration": {key: configuration[key] for key in configuration if key not in UNSEALED},
    }
    return stretched(json.dumps(terms, sort_keys=True, separators=(",", ":")).encode())


@lru_cache
def stretched(content: bytes) -> str:
    """80 bits of the slow hash scrypt, in Crockford's base 32."""
    salt, n = b"joute seal 1", 1 << 15
    key = hashlib.scrypt(content, salt=salt, n=n, r=8, p=1, maxmem=1 << 26, dklen=10)
    number = int.from_bytes(key, "big")
    digits = "".join(ALPHABET[number >> shift & 31] for shift in range(75, -1, -5))
    return "-".join(digits[at : at + 4] for at in range(0, 16, 4))


def typed_seal(text: str) -> str:
    """A seal as it is written, from what people type."""
    digits = re.sub(r"[\s-]", "", text).upper().translate(str.maketrans("ILO", "110"))
    return "-".join(digits[at : at + 4] for at in range(0, len(digits), 4))


def check_seal(configurations: list[dict[str, Any]], seal: str | None) -> dict[str, Any]:
    """Checks the seal and the seed that comes from it; returns the configuration in force."""
    if not configurations or not configurations[-1].get("seal"):
        raise NotCoveredError(say("the contest is not sealed"))
    final = configurations[-1]
    own = final["seal"]["seal"]
    if seal is not None:
        same(own, typed_seal(seal), "seal", "contest")
    for number, each in enumerate(configurations, start=1):
        place = say("configuration {number}", number=number)
        demand(each.get("seal"), "{place}: it is not sealed", place=place)
        same(seal_of(each), each["seal"]["seal"], "seal", place)
        if each["seal"]["public"] is None:
            same(each["seed"], "", "seed", place)
            continue
        same(each["seal"], final["seal"], "seal", place)
        drawn = digest("sealed", own, each["seal"]["public"])
        same(each["seed"], drawn, "seed", place)
    demand(final["seal"]["public"], "no public value was given, so no game can have been played")
    return final


# ---- The schedule -------------------------------------------------------------------------------


class Slot(NamedTuple):
    """The place of a game in the schedule."""

    members: tuple[str, ...]
    number: int  # of the set
    seats: tuple[str, ...]
    seed: str
    map: str = ""

    @property
    def place(self) -> tuple[Any, ...]:
        """The place in the order of games: set by set."""
        return self.number, tuple(self)


def check_covered(configuration: dict[str, Any]) -> None:
    """Raises NotCoveredError for a contest of another kind."""
    covered = {
        "game": "virus", "format": "round-robin", "ranking": "hx2", "groups": None,
        "spend": "evenly", "players": 2,
    }  # fmt: skip
    for key, value in covered.items():
        if configuration.get(key) != value:
            raise NotCoveredError(
                say("{key} = {value} is not covered", key=key, value=shown(configuration.get(key)))
            )


class Identities:
    """The identities of games: hashes of all that determines them."""

    def __init__(self, configuration: dict[str, Any]) -> None:
        c = configuration
        limits = [
            c["move_seconds"], c["bank_seconds"], c["increment_seconds"], c["grace_seconds"],
            c["start_seconds"], c["memory_mb"], c["processes"], c["file_mb"],
        ]  # fmt: skip
        self.costs = {
            fault: "game" if cost == "disqualification" else cost
            for fault, cost in c["costs"].items()
        }
        head = {"game": c["game"], "parameters": dict(sorted(c["maps"][0]["parameters"].items()))}
        self._before = compact({**head, "rules": c["seal"]["rules"]})[:-1]
        facts = {"chance": c["seal"]["chance"], "opening": c["opening"]}
        # Numbers are written without exponents here, which `json` uses for the smallest.
        numbers = ",".join(format(Decimal(repr(each)), "f") for each in limits)
        rest = {"costs": dict(sorted(self.costs.items())), "max_restarts": c["max_restarts"]}
        self._after = f'{compact(facts)[1:-1]},"limits":[{numbers}],{compact(rest)[1:]}'
        contents = c["seal"]["contents"]
        self._bots = {
            bot["name"]: [contents[bot["name"]], bot["python"], bot["memory_mb"]]
            for bot in c["bots"]
        }

    def of(self, seats: Sequence[str], seed: str) -> str:
        """The identity of the game between some bots, in seat order, from a seed."""
        bots = compact([self._bots[name] for name in seats])
        whole = f'{self._before},"bots":{bots},"seed":"{seed}",{self._after}'
        return hashlib.blake2b(whole.encode(), digest_size=16).hexdigest()


def compact(value: object) -> str:
    """JSON without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Asked(NamedTuple):
    """A game that the schedule asks for: its seed, and its places."""

    seed: str
    places: list[Slot]  # several, where bots of other names have the same files


class Slotted(NamedTuple):
    """A game at its place of the schedule."""

    slot: Slot
    row: Row


def scheduled(
    configuration: dict[str, Any], games: dict[str, Row], replaced: set[str], annulled: set[str]
) -> tuple[list[Slotted], dict[str, Asked], list[Slot]]:
    """The games of the schedule in order, what it asks for by identity, and places without a game.

    `replaced` are the identities of games in whose place another is played.
    """
    identities = Identities(configuration)
    names = [bot["name"] for bot in configuration["bots"]]
    found: list[Slotted] = []
    missing: list[Slot] = []
    asked: dict[str, Asked] = {}
    for pair in combinations(names, 2):
        members, wins = tuple(sorted(pair)), dict.fromkeys(pair, 0)
        first_to, left = configuration["first_to"], configuration["max_games"]
        number = 0
        while left > 0 and (first_to is None or max(wins.values()) < first_to):
            for slot in of_set(configuration["seed"], members, number, left):
                seed = slot.seed
                while (name := identities.of(slot.seats, seed)) in replaced:
                    asked.setdefault(name, Asked(seed, [])).places.append(slot)
                    seed = digest(seed, "replay")
                asked.setdefault(name, Asked(seed, [])).places.append(slot)
                row = games.get(name)
                if row is None:
                    missing.append(slot)
                    continue
                found.append(Slotted(slot, row))
                if row.returns[0] != row.returns[1] and name not in annulled:
                    wins[slot.seats[row.returns.index(max(row.returns))]] += 1
            left, number = left - 2, number + 1
    found.sort(key=lambda each: each.slot.place)
    return found, asked, sorted(missing, key=lambda slot: slot.place)


def of_set(seed: str, members: tuple[str, ...], number: int, left: int) -> list[Slot]:
    """The games of a set: one with each bot at seat 0, or a single one whose seats are drawn."""
    own = digest(seed, *members, number)
    both = [Slot(members, number, members[turn:] + members[:turn], own) for turn in (0, 1)]
    return both if left > 1 else [both[int(digest(own, "seats"), 16) % 2]]


# ---- Rows against records -----------------------------------------------------------------------


def check_records(
    results: Results, configuration: dict[str, Any], games: list[Row], asked: dict[str, Asked]
) -> None:
    """Replays every record, and compares it with the game's row, the rules and the seed."""
    contents, identities = configuration["seal"]["contents"], Identities(configuration)
    by_number = {row.number: row for row in games}
    memory = {bot["name"]: bot["memory_mb"] for bot in configuration["bots"]}
    for number, content in results.records():
        row = by_number[number]
        place = say("game {identity}", identity=row.identity)
        try:
            played = replayed(content, place)
            check_row(row, played, place)
            header = played.header
            names = [bot["name"] for bot in header["bots"]]
            limits = {key: configuration[key] for key in header["limits"]}
            limits["memory_mb"] = [memory[n] or configuration["memory_mb"] for n in names]
            demand(row.identity in asked, "{place}: the schedule does not ask for it", place=place)
            expected = {
                "identity": row.identity,
                "parameters": configuration["maps"][0]["parameters"],
                "opening": configuration["opening"],
                "limits": limits,
                "costs": identities.costs,
                "max_restarts": configuration["max_restarts"],
            }
            for key, value in expected.items():
                same(header[key], value, key, place)
            for bot in header["bots"]:
                same(bot["content"], contents[bot["name"]], "content", place)
            seed, places = asked[row.identity]
            same(played.seed, seed, "seed", place)
            own = (tuple(row.members), row.set_number, tuple(row.bots), row.map)
            allowed = [(slot.members, slot.number, slot.seats, slot.map) for slot in places]
            demand(
                own in allowed, "{place}: it stands at another place of the schedule", place=place
            )
            same(row.record, f"{row.identity}.jsonl", "record", place)
            same(identities.of(names, played.seed), row.identity, "identity", place)
        except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
            # A forged record can hold anything where its reader looks for a number.
            what = f"{type(error).__name__}: {error}"
            demand(False, "{place}: it holds something else: {what}", place=place, what=what)


def check_row(row: Row, played: Played, place: str) -> None:
    """Compares a game's row with what its record came to."""
    for key in ("ending", "returns", "points", "plies", "faults", "asked", "chain"):
        same(getattr(row, key), getattr(played, key), key, place)
    header = played.header
    same(row.bots, [bot["name"] for bot in header["bots"]], "bots", place)
    same(row.members, sorted(row.bots), "members", place)
    same(row.isolation, [bot["isolation"] for bot in header["bots"]], "isolation", place)
    for own, summed in zip(row.cpu_ms, played.cpu_ms, strict=True):
        # Each ply is rounded to a microsecond.
        close = isclose(own, summed, rel_tol=0, abs_tol=0.001 * (played.plies + 1))
        same(own if not close else summed, summed, "cpu_ms", place)


# ---- The chain of rows --------------------------------------------------------------------------

CHAINED = {
    "configuration": ("contest", ("configuration", "seed", "contents", "made_at")),
    "mark": ("marks", Mark._fields),
    "note": ("notes", ("kind", "content", "made_at")),
}
GAME_BEFORE = ("identity", "lineup")
LINEUP = ("members", "bots", "map")
GAME_AFTER = (
    "set_number", "ending", "returns", "plies", "faults", "chain", "record", "played_at",
    "isolation",
)  # fmt: skip


def chained_rows(results: Results) -> dict[tuple[str, int], dict[str, Any]]:
    """The contents of the links, by kind and number."""
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for kind, (table, keys) in CHAINED.items():
        for row in results.rows(table):
            found[kind, row["number"]] = {key: row[key] for key in keys}
    lineups = {row["number"]: row for row in results.rows("lineups")}
    seats: dict[int, list[list[Any]]] = defaultdict(list)
    for seat in results.rows("seats", "game, seat"):
        seats[seat["game"]].append([seat[key] for key in ("seat", "points", "cpu_ms", "asked")])
    for row in results.rows("games"):
        found["game", row["number"]] = {
            **{key: row[key] for key in GAME_BEFORE},
            **{key: lineups[row["lineup"]][key] for key in LINEUP},
            **{key: row[key] for key in GAME_AFTER},
            "seats": seats[row["number"]],
        }
    return found


def check_chain(results: Results, printed: str | None) -> str:
    """Checks the chain of rows, and that a link once printed is in it; returns the last one."""
    if "links" not in results.tables():
        demand(not printed, "the database is of an older layout and has no chain of rows")
        return ""
    left, link, at = chained_rows(results), bytes(16), []
    for number, row in enumerate(results.rows("links"), start=1):
        place = say("link {number}", number=number)
        same(row["number"], number, "number", place)
        values = left.pop((row["kind"], row["row"]), None)
        demand(values, "{place}: the row that it stands for is gone", place=place)
        payload = compact([row["kind"], row["row"], values]).encode()
        link = hashlib.blake2b(link + payload, digest_size=16).digest()
        same(row["link"].hex(), link.hex(), "link", place)
        at.append(link.hex())
    same(sorted(map(list, left)), [], "rows without a link", "links")
    if printed is not None:
        wanted = read_link(printed)
        demand(wanted in at, "{link} is no link of the chain: rows before it differ", link=wanted)
    return written_link(len(at), at[-1]) if at else ""


def read_link(text: str) -> str:
    """The hash of a link as it was printed: "proof of 1446 rows: 0c5b 91e4 ...", or its digits."""
    digits = re.sub(r"\s", "", text.rpartition(":")[2].lower())
    if not re.fullmatch("[0-9a-f]{32}", digits):
        raise NotCoveredError(say("{text}: this is no link as it is printed", text=shown(text)))
    return digits


def written_link(number: int, digits: str) -> str:
    """A link as it is printed."""
    groups = " ".join(digits[at : at + 4] for at in range(0, 32, 4))
    return say("proof of {rows} rows: {link}", rows=number, link=groups)


# ---- The standings ------------------------------------------------------------------------------

Verdicts = dict[str, tuple[tuple[Any, ...], list[dict[str, Any]]]]
"""Bots that are out: after which place of the schedule, and for what."""


def judged(
    configuration: dict[str, Any], games: list[Slotted], left: dict[str, tuple[Any, ...]]
) -> Verdicts:
    """Bots disqualified by the contest's rules; `left` are those taken out, after which place."""
    costs, after = configuration["costs"], configuration["disqualify_after"]
    counted = configuration["disqualify_for"] if after is not None else ()
    verdicts: Verdicts = {}
    committed: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for slot, row in games:
        at_once: dict[str, dict[str, Any]] = {}
        offences: dict[str, dict[str, Any]] = {}
        for fault in row.faults:
            name, kind = slot.seats[fault["seat"]], fault["fault"]
            # Records count plies from 0, and tables for people from 1.
            offence = {"game": row.identity, "fault": kind, "ply": fault["ply"] + 1, "why": ""}
            if costs.get(kind) == "disqualification":
                at_once.setdefault(name, offence)
            elif kind in counted:
                offences.setdefault(name, offence)
        gone = any(n in verdicts or slot.place > left.get(n, slot.place) for n in slot.seats)
        for name, offence in {} if gone else {**offences, **at_once}.items():
            committed[name].append(offence)
            if name in at_once:
                verdicts[name] = slot.place, [offence]
            elif len(committed[name]) == after:
                verdicts[name] = slot.place, committed[name]
    return verdicts


def check_standings(
    results: Results,
    configuration: dict[str, Any],
    games: list[Slotted],
    missing: list[Slot],
    asked: dict[str, Asked],
) -> list[dict[str, Any]]:
    """Makes the standings of the games that count, and compares them with standings.json."""
    last = {mark.subject: mark for mark in results.marks()}
    force = {subject: mark for subject, mark in last.items() if mark.kind != "reinstated"}
    names = [bot["name"] for bot in configuration["bots"]]
    leaving = {name: mark for name, mark in force.items() if name in names}
    left: dict[str, tuple[Any, ...]] = {}
    for slot in missing:
        for name in set(slot.seats) & set(leaving):
            left.setdefault(name, (slot.number, tuple(slot)[:-1]))
    valid = [each for each in games if each.row.identity not in force]
    verdicts = judged(configuration, valid, left)
    gone = {**left, **{name: place for name, (place, _) in verdicts.items()}}

    def void(slot: Slot) -> bool:
        return any(slot.place > gone[name] for name in slot.seats if name in gone)

    for slot in missing:
        pair, number = " - ".join(slot.seats), slot.number
        demand(void(slot), "{pair}, set {number}: the game is missing", pair=pair, number=number)
    out = {name: offences for name, (_, offences) in verdicts.items()}
    for name, mark in sorted(leaving.items()):
        if mark.kind != "retired":
            out[name] = [{"game": "", "fault": mark.kind, "ply": 0, "why": mark.why}]
    counted = [each for each in valid if not void(each.slot)]
    table = standings(names, counted, out, configuration["max_games"])
    spoilt = spoilt_games(force, asked)
    written = json.loads((results.folder / "standings.json").read_text(encoding="utf-8"))
    place = "standings.json"
    own = configuration["seal"]
    facts = {"seal": own["seal"], "public": own["public"], "seed": configuration["seed"]}
    expected = {"done": len(counted), "left": 0, "seal": facts}
    for key, value in expected.items():
        same(written[key], value, key, place)
    order = [line["name"] for line in written["standings"]]
    same(order, [line["name"] for line in table], "name", place)
    for line, found in zip(table, written["standings"], strict=True):
        decision = leaving[line["name"]]._asdict() if line["name"] in leaving else None
        more = {"decision": decision, "infrastructure": sorted(spoilt[line["name"]])}
        for key, value in {**line, **more}.items():
            own_value = found.get(key, []) if key == "infrastructure" else found[key]
            if not near(own_value, value):
                same(own_value, value, key, f"{place}, {line['name']}")
    return table


def spoilt_games(marks: dict[str, Mark], asked: dict[str, Asked]) -> dict[str, set[str]]:
    """The games that the machine spoilt, as Joute itself has noted, by the bots waited for."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, mark in marks.items():
        if (mark.kind, mark.who) != ("replayed", "joute") or name not in asked:
            continue
        told = re.match(r"seats? ([\d, ]+): ", mark.why)
        for slot in asked[name].places:
            seats = map(int, told[1].split(", ")) if told else range(len(slot.seats))
            for seat in seats:
                found[slot.seats[seat]].add(name)
    return found


def near(found: Any, value: Any) -> bool:
    """Whether two values are equal, numbers but for how they were added up."""
    if isinstance(value, list | tuple):
        return len(found or ()) == len(value) and all(map(near, found or (), value))
    if isinstance(value, float) and isinstance(found, float | int):
        return isclose(found, value, rel_tol=1e-6, abs_tol=1e-6)
    return bool(found == value)


def standings(
    names: list[str], games: list[Slotted], out: dict[str, list[dict[str, Any]]], most: int
) -> list[dict[str, Any]]:
    """The lines of the standings, best first; `out` are the disqualified, for what."""
    staying = [name for name in names if name not in out]
    among = [each for each in games if not out.keys() & set(each.slot.seats)]
    won: dict[str, int] = defaultdict(int)
    drawn: dict[str, int] = defaultdict(int)
    lead: dict[tuple[str, str], int] = defaultdict(int)
    sets: dict[Any, list[tuple[str, float]]] = defaultdict(list)
    for slot, row in among:
        for me, other in ((0, 1), (1, 0)):
            ahead = (row.returns[me] > row.returns[other]) - (row.returns[me] < row.returns[other])
            won[slot.seats[me]] += ahead > 0
            drawn[slot.seats[me]] += ahead == 0
            lead[slot.seats[me], slot.seats[other]] += ahead
            sets[slot[:2]].append((slot.seats[me], (1 + ahead) / 2))
    beaten = {me: {other for other in staying if lead[me, other] > 0} for me in staying}
    scores: dict[str, list[float]] = defaultdict(list)
    for of_set in sets.values():
        if len(of_set) == (2 if most == 1 else 4):  # two seats of each game
            for name in {name for name, _ in of_set}:
                scores[name].append(fmean(got for each, got in of_set if each == name))
    groups = [part for tied in ordered(staying, lambda n: len(beaten[n])) for part in
              head_to_head(tied, beaten)]  # fmt: skip
    groups = [part for tied in groups for part in ordered(tied, lambda n: won[n])]
    table: list[dict[str, Any]] = []
    for group in [*groups, sorted(out)]:
        rank = len(table) + 1
        for name in sorted(group):
            own, mean = beaten.get(name, set()), fmean(scores[name]) if scores[name] else None
            played = sum(name in slot.seats for slot, _ in among)
            tied = sum(len(beaten[other]) == len(own) for other in own)
            rules = {"opponents-beaten": len(own), "games-won": won[name]}
            table.append(
                {
                    "rank": rank, "name": name, "beaten": len(own), "beaten_among_tied": tied,
                    "won": won[name], "drawn": drawn[name],
                    "lost": played - won[name] - drawn[name], "games": played,
                    "sets": len(scores[name]), "score": mean,
                    "interval": None if mean is None else wilson(mean, len(scores[name])),
                    "disqualified": out.get(name, []), "by_rule": {} if name in out else rules,
                    **costs(name, games),
                }
            )  # fmt: skip
    return table


def ordered(names: list[str], value: Any) -> list[list[str]]:
    """The names grouped by value, highest first."""
    values = sorted({value(name) for name in names}, reverse=True)
    return [[name for name in names if value(name) == each] for each in values]


def head_to_head(tied: list[str], beaten: dict[str, set[str]]) -> list[list[str]]:
    """By those beaten within the group, and again within groups that are still tied."""
    groups = ordered(tied, lambda name: len(beaten[name] & set(tied)))
    if len(groups) < 2:
        return groups
    return [part for group in groups for part in head_to_head(group, beaten)]


def wilson(score: float, trials: int) -> list[float]:
    """Wilson's 95 % interval."""
    square = 1.959963984540054**2
    centre = (score + square / (2 * trials)) / (1 + square / trials)
    spread = sqrt(score * (1 - score) / trials + square / (4 * trials * trials))
    half = sqrt(square) * spread / (1 + square / trials)
    return [max(0.0, centre - half), min(1.0, centre + half)]


def costs(name: str, games: list[Slotted]) -> dict[str, Any]:
    """The cost of a bot's faults, its time per action, and its isolation."""
    faults: dict[str, list[dict[str, Any]]] = defaultdict(list)
    forfeits, spent, asked, held = 0, 0.0, 0, set()
    for slot, row in games:
        for seat, bot in enumerate(slot.seats):
            if bot == name:
                own = [fault for fault in row.faults if fault["seat"] == seat]
                forfeits += any(fault["cost"] == "game" for fault in own)
                for fault in own:
                    faults[fault["fault"]].append({**fault, "game": row.identity})
                spent, asked = spent + row.cpu_ms[seat], asked + row.asked[seat]
                held.add(row.isolation[seat])
    counts = [
        {
            "fault": code, "count": len(each), "first": each[0]["detail"],
            "game": each[0]["game"], "ply": each[0]["ply"] + 1,
        }
        for code, each in faults.items()
    ]  # fmt: skip
    return {
        "forfeits": forfeits,
        "faults": sorted(counts, key=lambda fault: (-fault["count"], fault["fault"])),
        "mean_ms": spent / asked if asked else None,
        "isolation": sorted(held),
    }


# ---- The whole ----------------------------------------------------------------------------------


def verify(folder: Path, seal: str | None, link: str | None) -> None:
    """Checks everything and prints what was found. Raises Difference or NotCoveredError."""
    results = Results(folder)
    configuration = check_seal(results.configurations(), seal)
    check_covered(configuration)
    rows = results.games()
    last = check_chain(results, link)
    marks = {mark.subject: mark.kind for mark in results.marks()}
    by_identity = {row.identity: row for row in rows}
    replaced, annulled = (
        {subject for subject, kind in marks.items() if kind in kinds}
        for kinds in (("replayed",), ("annulled",))
    )
    games, asked, missing = scheduled(configuration, by_identity, replaced, annulled)
    check_records(results, configuration, rows, asked)
    table = check_standings(results, configuration, games, missing, asked)
    for line in table:
        points = f"{line['won']}-{line['drawn']}-{line['lost']}"
        print(f"{line['rank']:4}  {line['name']:24} {line['beaten']:4}  {points}")
    own = configuration["seal"]
    print(say("Seal: {seal}", seal=own["seal"]))
    print(say("Public value: {value}", value=own["public"]))
    if last:
        print(last)
    print(say("All is true: {count} games were replayed", count=len(rows)))


def main(words: list[str]) -> int:
    """Runs a command line and returns its exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("results", type=Path, metavar="RESULTS")
    parser.add_argument("--seal", help="the seal, as it was written where everybody could see it")
    parser.add_argument("--link", help="a link of the chain of rows, as it was once printed")
    parser.add_argument("--lang", choices=("en", "fr"), default=os.environ.get("LANG", "")[:2])
    asked = parser.parse_args(words)
    LANGUAGE[0] = asked.lang
    try:
        verify(asked.results, asked.seal, asked.link)
    except Difference as error:
        print(say("DIFFERS: {what}", what=error))
        return DIFFERENT
    except NotCoveredError as error:
        print(say("NOT CHECKED: {what}", what=error))
        return UNCHECKED
    except (sqlite3.Error, KeyError, TypeError, IndexError, ValueError, OSError) as error:
        print(say("DIFFERS: {what}", what=f"{type(error).__name__}: {error}"))
        return DIFFERENT
    return TRUE


LANGUAGE = [""]
TRANSLATED = """
All is true: {count} games were replayed
Tout est vrai : {count} parties ont été rejouées
DIFFERS: {what}
DIFFÈRE : {what}
NOT CHECKED: {what}
NON VÉRIFIÉ : {what}
Public value: {value}
Valeur publique : {value}
Seal: {seal}
Sceau : {seal}
game {identity}
partie {identity}
link {number}
maillon {number}
no public value was given, so no game can have been played
aucune valeur publique n'a été donnée, aucune partie n'a donc pu être jouée
proof of {rows} rows: {link}
preuve de {rows} lignes : {link}
the contest is not sealed
le concours n'est pas scellé
the database is of an older layout and has no chain of rows
la base est d'un format plus ancien et n'a pas de chaîne de lignes
{link} is no link of the chain: rows before it differ
{link} n'est pas un maillon de la chaîne : des lignes d'avant diffèrent
{at}: action {action} is not legal
{at} : l'action {action} n'est pas légale
{at}: its answer differs
{at} : sa réponse diffère
{at}: nothing was done
{at} : rien n'a été fait
{at}: the game was over
{at} : la partie était finie
{at}: the opening was not over
{at} : l'ouverture n'était pas finie
{at}: the opening was over
{at} : l'ouverture était finie
{file}: there is no such database
{file} : cette base n'existe pas
{key} = {value} is not covered
{key} = {value} n'est pas couvert
{pair}, set {number}: the game is missing
{pair}, série {number} : la partie manque
{place}, line {line}
{place}, ligne {line}
{place}, line {line}: its chain does not match: this line was changed
{place}, ligne {line} : sa chaîne ne correspond pas : la ligne a été changée
{place}: it holds something else: {what}
{place} : autre chose y est écrit : {what}
{place}: it stands at another place of the schedule
{place} : elle est à une autre place du calendrier
{place}: it is not sealed
{place} : elle n'est pas scellée
{place}: its line-up is missing
{place} : sa composition manque
{place}: its record is damaged: {error}
{place} : son enregistrement est endommagé : {error}
{place}: its record is missing
{place} : son enregistrement manque
{place}: the game was not over
{place} : la partie n'était pas finie
{place}: the row that it stands for is gone
{place} : la ligne qu'il représente a disparu
{place}: the schedule does not ask for it
{place} : le calendrier ne la demande pas
{place}: this is no whole record of format 2
{place} : ce n'est pas un enregistrement entier au format 2
{place}: {what} is {found}, expected {expected}
{place} : {what}, trouvé {found}, attendu {expected}
{text}: this is no link as it is printed
{text} : ce n'est pas un maillon tel qu'il est imprimé
"""
FRENCH = dict(zip(*[iter(TRANSLATED.strip().splitlines())] * 2, strict=True))


def say(sentence: str, **values: object) -> str:
    """A sentence in the reader's language, its values filled in."""
    return (FRENCH.get(sentence, sentence) if LANGUAGE[0] == "fr" else sentence).format(**values)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
