"""The recorded games of the official server: the same bytes from us, over real connections."""

import json
from collections import Counter

from games.vampires.players import Hand, HandClock, serving
from helpers import recorded_files

from joute.core.interface import chances, properties
from joute.games.vampires.adapters.frames import TO_PLAYER, TO_SERVER, Decoder, encode
from joute.games.vampires.battle import battle_cell
from joute.games.vampires.map import VampiresMap, write_map
from joute.games.vampires.server.settings import ServerSettings
from joute.games.vampires.state import MOVER, WON, place_of
from joute.play.chance import Streams
from joute.play.record import read_record

SIDES = "VW"


def recorded_games():
    files = recorded_files("vampires", "*.jsonl")
    return [json.loads(line) for path in files for line in path.read_text("utf-8").splitlines()]


def steps(recorded):
    """The steps, in order: (player, None, bytes to us) or (player, frame to it, its bytes)."""
    decoders = [Decoder(TO_PLAYER) for _ in SIDES]
    found = []
    for _, side, way, data in recorded["chunks"]:
        player, content = SIDES.index(side), bytes.fromhex(data)
        if way == "to server":
            found.append((player, None, content))
        else:
            found += [(player, f, encode(f)) for f in decoders[player].feed(content)]
    return found


def chart_of(happened):
    first = {}
    for player, frame, _ in happened:
        if frame is not None:
            first.setdefault((player, frame.tag), frame.entries)
    held = {(x, y): counts for x, y, *counts in first[0, "MAP"]}
    starts = [(*first[p, "HME"][0], held[first[p, "HME"][0]][1 + p]) for p in (0, 1)]
    humans = tuple((x, y, held[x, y][0]) for x, y in first[0, "HUM"])
    return VampiresMap(*first[0, "SET"][0], humans, *starts)


class Recorded(Streams):
    """Chance as it was: each battle leaves what the next update shows."""

    def __init__(self):
        super().__init__("0" * 32)
        self.shown = {}

    def outcome(self, game, state):
        counts = self.shown.get(place_of(game, battle_cell(state)))
        out, weights = [0] * 1024, [0.0] * 1024
        count = chances(game, state, out, weights)
        player = state[MOVER]
        # The last order's battle, that no update shows, was won.
        won = counts is None or counts[1 + player] > 0
        outcome = WON + (1 if counts is None else counts[1 + player]) if won else sum(counts)
        assert weights[out[:count].index(outcome)] > 0
        assert properties(game).chance
        return outcome


def replay(recorded):
    """Play a recorded game against our server, as the two players did.

    Gives the server's result, and in how many turns the recorded player sent no order in time.
    """
    happened = steps(recorded)
    clock, streams = HandClock(), Recorded()
    settings = ServerSettings(
        map=write_map(chart_of(happened)),
        port=0,
        plies=10_000,
        minutes=60.0,
        pause_seconds=0.0,
        name_seconds=60.0,
    )
    turns = sum(frame is not None and frame.tag == "UPD" for _, frame, _ in happened)
    last = max(n for n, (_, frame, _) in enumerate(happened) if frame and frame.tag == "UPD")
    played = []

    def watch(line):
        played.extend(["turn"] if line.get("by") == "bot" else [])
        if len(played) == turns:
            clock.time += 7200.0  # the game ends after this turn

    with serving(settings, clock=clock, streams=lambda: streams, watch=watch) as server:
        hands = [Hand.connect(server.address), None]
        orders = [Decoder(TO_SERVER), Decoder(TO_SERVER)]
        asked, answered, silent = None, True, 0
        for number, (player, frame, content) in enumerate(happened):
            if hands[player] is None:
                hands[player] = Hand.connect(server.address)
            if frame is None:
                upcoming = [f for _, f, _ in happened[number:] if f and f.tag == "UPD"]
                held = upcoming[0].entries if upcoming else ()
                streams.shown = {(x, y): counts for x, y, *counts in held}
                try:
                    hands[player].send(content)
                except OSError:
                    assert number > last  # nobody listens any more
                if any(f.tag == "MOV" for f in orders[player].feed(content)):
                    answered = answered or player == asked
                continue
            if frame.tag in ("UPD", "END") and not answered:
                clock.expire()
                silent += 1
            if frame.tag == "UPD":
                asked, answered = player, False
                orders[player].clear()
            assert hands[player].exactly(len(content)).hex() == content.hex(), number
            if frame.tag in ("END", "BYE"):
                answered = True
        for hand in hands:
            assert hand.rest() == b""
            hand.close()
    return server.results[0], silent


def check(games):
    """Checks that a fault is a turn without an order, or the illegal order that ends a game."""
    for recorded in games:
        result, silent = replay(recorded)
        plies = read_record(result.record).plies
        faults = [line["fault"] for line in plies if "fault" in line]
        illegal = [plies[-1]["fault"]] if plies[-1].get("fault") == "illegal" else []
        assert Counter(faults) == Counter(["timeout"] * silent + illegal)
        assert [fault.fault for fault in result.faults] == faults


def test_the_first_recorded_games_are_answered_with_the_bytes_of_the_official_server():
    check(recorded_games()[:5])


def test_all_recorded_games_are_answered_with_the_bytes_of_the_official_server():
    check(recorded_games())
