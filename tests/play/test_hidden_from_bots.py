"""Facts hidden from a player never reach its bot's process: no byte sent, no byte in memory.

Each claim is also tried on what the bot does know, so that a search that finds nothing means
something.
"""

import json
import os
import random
import re
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from helpers import cannot_run
from play.bot_processes import Examined, forms
from play.hidden_worlds import Outcomes, Scripted, by_mover, elsewhere, random_course, told

from joute.core.interface import CHANCE, properties
from joute.core.registry import make
from joute.games.love_letter.state import CARDS as CHARACTERS
from joute.games.love_letter.state import POOL
from joute.games.paradise.state import BOARD, DECK, END, HAND, block
from joute.host.command import environment
from joute.host.protocol import Fault
from joute.host.wires import Wires
from joute.play.chance import Streams, commitment
from joute.play.game import GameSpec, SeatSpec
from joute.play.record import actions_of, read_record
from joute.play.referee import play_game
from joute.play.seats import open_seat

pytestmark = pytest.mark.game("love-letter", "paradise")

BOTS = Path(__file__).parents[1] / "bots"
SEED = "5a0cde15ba5eba11c0ffee0ddba11ade"
DISTINCTIVE = 5  # numbers other than 0 that a list has, so that it is nowhere by accident
LONG = 8  # outcomes in a row that are nowhere by accident
EACH = 8  # turns from one look into a process to the next
OTHER_SEED = "0dd5eed0" * 4
TABLES = [
    ("love-letter", {"players": 2}),
    ("love-letter", {"players": 4}),
    ("paradise", {}),
]
tables = pytest.mark.parametrize(("name", "values"), TABLES, ids=str)


def specification(name, values, *bots, seed=SEED):
    seats = tuple(
        SeatSpec(name=f"bot {n}", bot=each, base=str(BOTS)) for n, each in enumerate(bots)
    )
    return GameSpec(game=name, parameters=values, bots=seats, seed=seed)


def replayed(name, values, plies, first=Scripted, seed=SEED):
    """The referee's game of these plies: what each seat is sent, and the record."""
    game = make(name, **values)
    parts = by_mover(game, plies)
    kinds = [first, *[Scripted] * (properties(game).players - 1)]
    seats = [kind(parts.get(player, [])) for player, kind in enumerate(kinds)]
    waiting = iter(seats)
    result = play_game(
        specification(name, values, *["builtin:random"] * len(seats), seed=seed),
        opener=lambda *_: next(waiting),
        streams=Outcomes(parts[CHANCE]),
    )
    assert result.ending == "finished"
    return [seat.sent for seat in seats], result.record


@tables
def test_what_a_player_cannot_know_changes_no_byte_that_its_bot_is_sent(name, values):
    game, changed = make(name, **values), 0
    for seed in range(3):
        rng = random.Random(seed)
        plies = random_course(game, rng)
        player = seed % properties(game).players
        other = elsewhere(game, plies, player, rng, 150)
        sent, record = replayed(name, values, plies)
        also_sent, another = replayed(name, values, other)
        assert sent[player] == also_sent[player]
        changed += other != plies
        assert (other != plies) == (record != another) == (sent != also_sent)
    assert changed


class Crashing(Scripted):
    """A seat that crashes at its first two turns, so that it is started again and told anew."""

    def ask(self, state, message):
        reply = super().ask(state, message)
        if len([line for line in self.sent if b'"type":"play"' in line]) > 2:
            return reply
        return replace(reply, action=None, fault=Fault.CRASH, alive=False)


def test_a_bot_that_is_started_again_is_told_what_it_was_told_before():
    game, rng = make("paradise"), random.Random(5)
    plies = random_course(game, rng, {0: END})
    other = elsewhere(game, plies, 0, rng, 150)
    assert other != plies
    (sent, _), (also_sent, _) = (
        replayed("paradise", {}, each, Crashing) for each in (plies, other)
    )
    assert sent[0] == also_sent[0]
    starts = [json.loads(line) for line in sent[0] if b'"start"' in line]
    assert [bool(each["events"]) for each in starts] == [False, True, True]


def test_the_games_seed_changes_nothing_but_the_bots_own():
    plies = random_course(make("paradise"), random.Random(1))
    first, _ = replayed("paradise", {}, plies)
    second, _ = replayed("paradise", {}, plies, seed=OTHER_SEED)
    for player in (0, 1):
        one, two = (json.loads(sent[player][0]) for sent in (first, second))
        assert one.pop("seed") != two.pop("seed")
        assert one == two
        assert first[player][1:] == second[player][1:]


@pytest.fixture
def written(monkeypatch):
    """All that is written to the standard input of bots, but for the CPU that they have used."""
    lines = []
    begin = Wires.begin

    def noted(wires, data, *rest):
        lines.append(re.sub(rb'"clock":{[^}]*}', b"", data))
        begin(wires, data, *rest)

    monkeypatch.setattr(Wires, "begin", noted)
    return lines


@tables
def test_a_bots_process_reads_the_same_bytes_whatever_the_others_hold(name, values, written):
    """A real game against built-in bots; then one with other hidden cards, the same to the bot."""
    game = make(name, **values)
    count = properties(game).players
    bots = ["builtin:random"] * count
    bots[1] = "keeping.py"
    spec = specification(name, values, *bots)
    record = read_record(play_game(spec).record)
    plies = [action for line in record.plies for action in actions_of(line)]
    read = list(written)
    written.clear()
    other = elsewhere(game, plies, 1, random.Random(3), 80)
    assert other != plies
    parts = by_mover(game, other)
    result = play_game(
        spec,
        opener=lambda seat, spec, game, human: (
            open_seat(seat, spec, game, human)
            if seat.bot == "keeping.py"
            else Scripted(parts.get(int(seat.name.split()[1]), []))
        ),
        streams=Outcomes(parts[CHANCE]),
    )
    assert written == read
    assert len(read) > 2
    assert [action for line in read_record(result.record).plies for action in actions_of(line)] == (
        other
    )


# Contents of a process.


def known(observation):
    """Lists of numbers that the bot was told, in the forms in which it keeps them."""
    unseen = observation["unseen"]
    lists = unseen if isinstance(unseen[0], list) else [unseen]
    return [form for numbers in lists for form in forms(numbers)]


def unknown(name, state, player):
    """Lists of numbers of a state that a player must not know."""
    first = block(1 - player)
    lists = [state[first + DECK : first + DECK + 16], state[first + HAND : first + BOARD]]
    if name == "love-letter":
        lists = [state[POOL : POOL + CHARACTERS]]
    return [numbers for numbers in lists if sum(map(bool, numbers)) >= DISTINCTIVE]


def examined(name, values):
    """A game of a real bot against built-in ones: looks into its process, what it must not hold.

    Last, what it may hold even where it looks like something hidden.
    """
    watched = []

    def opener(seat, spec, game, human):
        opened = open_seat(seat, spec, game, human)
        if seat.bot == "keeping.py":
            opened = Examined(opened)
            watched.append(opened)
        return opened

    count = properties(make(name, **values)).players
    spec = specification(name, values, *["keeping.py"] + ["builtin:random"] * (count - 1))
    result = play_game(spec, opener=opener)
    record = read_record(result.record)
    raw = bytes.fromhex(SEED)
    secrets = [
        *(each.encode() for each in (SEED, commitment(SEED), result.identity, result.chain)),
        *(raw, raw[::-1]),
        *untold(make(name, **values), record, 0),
    ]
    # A fact unknown now may have been seen at another time, or of another player.
    familiar = {form for each in watched[0].observed for form in known(each)}
    return watched[0].looks, secrets, familiar


def untold(game, record, player):
    """Facts of chance in the record that a player was never told: words, decks, generators."""
    heard, _ = told(game, [each for line in record.plies for each in actions_of(line)], player)
    words, outcomes, hidden = {event["text"] for event in heard}, {}, set()
    for line in record.plies:
        if line["by"] == "chance":
            outcomes.setdefault(line["stream"], []).append(line["action"])
            if heard[line["ply"]]["action"] != line["action"]:
                hidden.add(line["stream"])
    for deck in sorted(hidden):
        if len(outcomes[deck]) >= LONG:
            yield from forms(outcomes[deck][:LONG])
        yield Streams(SEED).number(deck).to_bytes(16, "little")
    yield from (line["text"].encode() for line in record.plies if line["text"] not in words)


@pytest.fixture
def open_file():
    """A file with the seed, of the referee's, that its children inherit if nothing prevents it."""
    if sys.platform != "linux":
        cannot_run("only Linux shows what a process holds")
    with tempfile.TemporaryFile() as file:
        file.write(SEED.encode())
        file.flush()
        os.set_inheritable(file.fileno(), True)
        yield


@tables
def test_a_bots_process_holds_no_trace_of_what_it_may_not_know(
    name, values, open_file, monkeypatch
):
    monkeypatch.setenv("JOUTE_SECRET", SEED)
    looks, secrets, familiar = examined(name, values)
    searched = 0
    for state, observation, held in looks:
        for form in known(observation):
            assert form in held["memory"]  # the search finds what is there
        hidden = {form for each in unknown(name, state, 0) for form in forms(each)} - familiar
        searched += len(hidden)
        for secret in [*secrets, *hidden]:
            assert secret not in held["memory"], secret
            assert secret not in held["environ"] + held["cmdline"], secret
        names = {each.split(b"=")[0].decode() for each in held["environ"].split(b"\0") if each}
        assert names <= set(environment(""))
        for number, target in held["open"].items():
            assert target == "/dev/null" or target.startswith("pipe:["), (number, target)
    assert searched
