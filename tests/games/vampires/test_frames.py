"""The frames of the Vampires vs Werewolves protocol, there and back, in pieces of any shape."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from joute.core.interface import expand, play, start
from joute.core.registry import make
from joute.games.vampires.adapters.frames import (
    BYE,
    END,
    SHAPES,
    TO_PLAYER,
    TO_SERVER,
    Decoder,
    Frame,
    FrameError,
    Unknown,
    board,
    encode,
    listing,
    naming,
    pair,
    update,
    welcome,
)
from joute.games.vampires.map import read_map
from joute.games.vampires.order import changes

byte = st.integers(0, 255)


def entries(tag):
    """The data that may follow a tag."""
    shape = SHAPES[tag]
    entry = st.tuples(*[byte] * shape.width)
    size = (0, 255) if shape.counted else (1, 1) if shape.width else (0, 0)
    return st.lists(entry, min_size=size[0], max_size=size[1]).map(tuple)


def frames(tags):
    """Any frame of these tags."""
    named = st.text(st.characters(max_codepoint=127), max_size=255).map(naming)
    others = [
        entries(tag).map(lambda each, tag=tag: Frame(tag, each)) for tag in tags if tag != "NME"
    ]
    return st.one_of(*others, *([named] if "NME" in tags else []))


def pieces(data, cuts):
    """The data cut at these places."""
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[a:b] for a, b in pairwise(places)]


@pytest.mark.parametrize("tags", [TO_PLAYER, TO_SERVER], ids=["to a player", "to the server"])
@given(data=st.data())
def test_any_frames_in_any_pieces_are_the_same_frames(tags, data):
    sent = data.draw(st.lists(frames(tags), max_size=5))
    whole = b"".join(map(encode, sent))
    cuts = data.draw(st.lists(st.integers(0, max(len(whole), 1)), max_size=20))
    for parts in (pieces(whole, cuts), [bytes([each]) for each in whole]):
        decoder = Decoder(tags)
        assert [frame for part in parts for frame in decoder.feed(part)] == sent
        assert decoder.pending == b""


@given(data=st.binary(max_size=600), cuts=st.lists(st.integers(0, 600), max_size=10))
def test_any_bytes_are_frames_an_unknown_one_or_pending(data, cuts):
    whole, parts = Decoder(TO_SERVER), Decoder(TO_SERVER)
    found = whole.feed(data)
    assert [frame for part in pieces(data, cuts) for frame in parts.feed(part)] == found
    assert whole.pending == parts.pending
    read = b"".join(
        frame.bytes if isinstance(frame, Unknown) else encode(frame)
        for frame in found
        if isinstance(frame, Unknown) or frame.tag != "NME" or frame.name.isascii()
    )
    if all(isinstance(frame, Frame) and frame.tag == "MOV" for frame in found):
        assert read + whole.pending == data
    assert not any(isinstance(frame, Unknown) for frame in found[:-1])


def test_frames_are_these_bytes():
    assert encode(pair("SET", 9, 11)) == b"SET\x09\x0b"
    assert encode(listing("HUM", [(2, 2), (8, 6)])) == b"HUM\x02\x02\x02\x08\x06"
    assert encode(pair("HME", 1, 4)) == b"HME\x01\x04"
    assert encode(listing("MAP", [(2, 2, 3, 0, 0)])) == b"MAP\x01\x02\x02\x03\x00\x00"
    assert encode(listing("UPD", [])) == b"UPD\x00"
    assert (encode(END), encode(BYE)) == (b"END", b"BYE")
    assert encode(naming("a #1")) == b"NME\x04a #1"
    assert encode(listing("MOV", [[1, 4, 6, 2, 4]])) == b"MOV\x01\x01\x04\x06\x02\x04"


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (listing("MOV", [(1, 1, 256, 2, 2)]), "a number of MOV is outside 0..255"),
        (listing("MOV", [(1, 1, -1, 2, 2)]), "a number of MOV is outside 0..255"),
        (listing("MOV", [(1, 1, 1, 2)]), "an entry of MOV has 5 numbers"),
        (listing("UPD", [(1, 1, 1, 0, 0)] * 256), "UPD has 256 entries"),
        (listing("HME", []), "HME has no list of entries"),
        (Frame("END", ((),)), "END has no list of entries"),
        (naming("é"), "the name 'é' is not ASCII"),
        (naming("x" * 256), "NME has 256 entries"),
    ],
)
def test_what_bytes_cannot_say_is_refused(frame, words):
    with pytest.raises(FrameError, match=words):
        encode(frame)


def test_a_name_that_is_not_ascii_is_read_all_the_same():
    for data in ("é".encode(), "é".encode("latin-1")):
        [frame] = Decoder(TO_SERVER).feed(b"NME" + bytes([len(data)]) + data)
        assert frame == naming("é")


def test_after_an_unknown_frame_nothing_is_understood_until_cleared():
    decoder = Decoder(TO_SERVER)
    move = encode(listing("MOV", [(1, 1, 1, 2, 2)]))
    found = decoder.feed(move + b"ATK\x01\x02" + move)
    assert found == [listing("MOV", [(1, 1, 1, 2, 2)]), Unknown(b"ATK")]
    assert decoder.feed(move) == []
    assert decoder.pending == b""
    decoder.clear()
    assert len(decoder.feed(move)) == 1


def test_what_is_pending_can_be_looked_at_and_dropped():
    decoder = Decoder(TO_PLAYER)
    assert decoder.feed(b"UPD\x01\x02") == []
    assert decoder.pending == b"UPD\x01\x02"
    assert decoder.clear() == b"UPD\x01\x02"
    assert decoder.feed(b"END") == [END]
    assert decoder.feed(b"MOV\x00") == [Unknown(b"MOV")]


# Frames for players.


def test_a_player_is_welcomed_with_the_grid_the_houses_and_its_home():
    text = (
        '<Map Rows="2" Columns="4"><Humans X="3" Y="0" Count="2"/><Vampires X="0" Y="0" Count="3"/>'
    )
    text += '<Humans X="1" Y="1" Count="1"/><Werewolves X="3" Y="1" Count="3"/></Map>'
    homes = [(0, 0), (3, 1)]
    for player in (0, 1):
        assert welcome(read_map(text), player) == [
            pair("SET", 2, 4),
            listing("HUM", [(3, 0), (1, 1)]),
            pair("HME", *homes[player]),
        ]
    game = make("vampires", map=text)
    state = start(game).tolist()
    held = [(0, 0, 0, 3, 0), (3, 0, 2, 0, 0), (1, 1, 1, 0, 0), (3, 1, 0, 0, 3)]
    assert board(game, state) == listing("MAP", held)
    assert update(game, state, [], []) == listing("UPD", [])


def test_an_update_shows_each_changed_cell_once_as_it_is_now():
    text = '<Map Rows="1" Columns="4"><Vampires X="0" Y="0" Count="3"/>'
    game = make("vampires", map=f'{text}<Werewolves X="3" Y="0" Count="3"/></Map>')
    state = start(game).tolist()
    orders = [[[0, 0, 2, 1, 0], [0, 0, 1, 1, 0]], [[3, 0, 1, 2, 0]]]
    for order in orders:
        for action in expand(game, state, order):
            play(game, state, action)
    changed = [changes(order) for order in orders]
    assert update(game, state, *changed) == listing(
        "UPD", [(1, 0, 0, 3, 0), (0, 0, 0, 0, 0), (2, 0, 0, 0, 1), (3, 0, 0, 0, 2)]
    )
    assert update(game, state, changed[0], changed[0]).entries == ((1, 0, 0, 3, 0), (0, 0, 0, 0, 0))
