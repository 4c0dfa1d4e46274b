"""The recorded games of the official server: its bytes follow from our rules."""

import json
from collections import Counter

from helpers import COPIES, GOLDEN, recorded_files

from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    expand,
    legal,
    mover,
    parameters,
    play,
    properties,
    start,
)
from joute.core.registry import make
from joute.games.vampires.adapters.frames import (
    BYE,
    END,
    TO_PLAYER,
    TO_SERVER,
    Decoder,
    board,
    encode,
    update,
    welcome,
)
from joute.games.vampires.battle import battle_cell
from joute.games.vampires.map import SPECIES, VampiresMap, read_map, write_map
from joute.games.vampires.order import changes, check
from joute.games.vampires.state import DONE, MOVER, STOP, WON, place_of

SIDES = "VW"


def golden_games():
    """Every recorded game of every file."""
    files = recorded_files("vampires", "*.jsonl")
    assert files
    return [json.loads(line) for path in files for line in path.read_text("utf-8").splitlines()]


def events(recorded):
    """The frames in order of time: (player, whether to the player, frame)."""
    wires = {
        (side, way): Decoder(TO_PLAYER if way == "to player" else TO_SERVER)
        for side in SIDES
        for way in ("to player", "to server")
    }
    return [
        (SIDES.index(side), way == "to player", frame)
        for _, side, way, data in recorded["chunks"]
        for frame in wires[side, way].feed(bytes.fromhex(data))
    ]


def map_of(frames):
    """The map, from the frames that a player is sent first."""
    first = {}
    for player, shown, frame in frames:
        if shown:
            first.setdefault((player, frame.tag), frame.entries)
    held = {(x, y): counts for x, y, *counts in first[0, "MAP"]}
    rows, columns = first[0, "SET"][0]
    starts = [(*first[p, "HME"][0], held[first[p, "HME"][0]][1 + p]) for p in (0, 1)]
    humans = tuple((x, y, held[x, y][0]) for x, y in first[0, "HUM"])
    return VampiresMap(rows, columns, humans, *starts)


class Replay:
    """The rules, following a recorded game; battles end as the next update shows."""

    def __init__(self, chart):
        self.game = make("vampires", map=write_map(chart), plies=10_000)
        self.state = start(self.game).tolist()
        self.changed = [[], []]
        self.told = Counter()

    def order(self, player, moves, shown):
        """Whether an order is legal; a legal one is applied. `shown` is the next update."""
        assert mover(self.game, self.state) == player
        if check(self.game, self.state, moves) is not None:
            self.told["refused"] += 1
            return False
        self.told["accepted"] += 1
        for action in expand(self.game, self.state, moves):
            out = [0] * properties(self.game).max_legal
            assert action in out[: legal(self.game, self.state, out)]
            play(self.game, self.state, action)
        self.changed[player] = changes(moves)
        held = {(x, y): counts for x, y, *counts in shown}
        while mover(self.game, self.state) == CHANCE:
            self.battle(held.get(place_of(self.game, battle_cell(self.state))))
        return True

    def battle(self, counts):
        """Play the outcome that left these counts; the last order's, that no update shows, won."""
        out, weights = [0] * 1024, [0.0] * 1024
        count = chances(self.game, self.state, out, weights)
        player = self.state[MOVER]
        won = counts is None or counts[1 + player] > 0
        outcome = WON + (1 if counts is None else counts[1 + player]) if won else sum(counts)
        assert weights[out[:count].index(outcome)] > 0
        play(self.game, self.state, outcome)
        self.told["battles"] += 1

    def update(self, player):
        """The update that opens a player's turn, if the opponent's has ended or passed."""
        if mover(self.game, self.state) != player:
            play(self.game, self.state, DONE)
            self.told["timeouts"] += 1
        assert mover(self.game, self.state) == player
        return update(self.game, self.state, *self.changed)


def follow(recorded):
    """Replay a game; the bytes that our rules send to each player, and what happened."""
    frames = events(recorded)
    chart = map_of(frames)
    replay = Replay(chart)
    sent = [b"".join(map(encode, welcome(chart, player))) for player in (0, 1)]
    sent = [each + encode(board(replay.game, replay.state)) for each in sent]
    asked = None  # whose order is awaited
    for number, (player, shown, frame) in enumerate(frames):
        if shown and frame.tag == "UPD":
            sent[player] += encode(replay.update(player))
            asked = player
            replay.told["updates"] += 1
        elif frame.tag == "MOV" and player == asked:
            after = [f for _, shown, f in frames[number:] if shown]
            legal = replay.order(player, frame.entries, after[0].entries)
            assert legal or after[0] == END
            asked = None
        elif frame == END:
            break
    if mover(replay.game, replay.state) != OVER and not replay.told["refused"]:
        # A limit ends a game after a turn of the Werewolves only.
        if asked is not None:
            play(replay.game, replay.state, DONE)
        assert mover(replay.game, replay.state) == 0
        play(replay.game, replay.state, STOP)
        assert mover(replay.game, replay.state) == OVER
    return [each + encode(END) + encode(BYE) for each in sent], replay.told


def test_every_byte_that_the_server_sent_follows_from_the_rules():
    told = Counter()
    for recorded in golden_games():
        sent, happened = follow(recorded)
        for player, side in enumerate(SIDES):
            received = "".join(
                data for _, to, way, data in recorded["chunks"] if (to, way) == (side, "to player")
            )
            assert sent[player].hex() == received, (recorded["game"], SPECIES[player])
        told += happened
    assert told["accepted"]
    if GOLDEN == COPIES:
        assert set(told) == {"updates", "accepted", "refused", "battles", "timeouts"}


def test_the_golden_map_is_that_of_most_games_and_of_the_game_by_default():
    chart = read_map((COPIES / "vampires" / "symmetric-11x9.xml").read_text("utf-8"))
    assert parameters(make("vampires"))["map"] == write_map(chart)
    same = [map_of(events(recorded)) == chart for recorded in golden_games()]
    assert sum(same) > len(same) / 2
