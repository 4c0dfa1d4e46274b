"""A game's identity depends on all that determines it, and on nothing else."""

import sys

import msgspec
import pytest
from play.playing import (
    SEED,
    virus,
)

from joute.host.limits import Limits
from joute.play.game import GameSpec, identity
from joute.play.referee import play_game

pytestmark = pytest.mark.game("virus")

SECONDS = [key for key in Limits.__struct_fields__ if key.endswith("_seconds")]


def test_the_identity_depends_on_all_that_determines_a_game(file):
    bot = file("bot.py", "def play(observation, clock):\n    return observation['legal'][0]\n")
    spec = virus(bot, "builtin:random")

    def change(**values):
        return msgspec.structs.replace(spec, **values)

    def seat(**values):
        return change(bots=(msgspec.structs.replace(spec.bots[0], **values), spec.bots[1]))

    others = [
        change(seed=SEED[::-1]),
        change(parameters={"size": 5}),
        change(parameters={"size": 4, "voluntary_pass": False}),
        change(opening=(2, 4)),
        change(bots=spec.bots[::-1]),
        change(limits=Limits(memory_mb=512)),
        change(limits=Limits(processes=9)),
        change(limits=Limits(file_mb=9)),
        change(limits=Limits(import_joute=True)),
        *(change(limits=Limits(**{key: 9.0})) for key in SECONDS),
        change(costs={**spec.costs, "illegal": "game"}),
        change(max_restarts=1),
        seat(bot="builtin:greedy"),
        seat(python=sys.executable),
        seat(memory_mb=512),
    ]
    found = [identity(spec), *(identity(other) for other in others)]
    file("bot.py", "def play(observation, clock):\n    return observation['legal'][-1]\n")
    found.append(identity(spec))
    assert len(set(found)) == len(found)


def test_the_identity_does_not_depend_on_names_places_or_what_is_left_out(tmp_path):
    spec = virus()
    named = [msgspec.structs.replace(each, name="x", base=str(tmp_path)) for each in spec.bots]
    assert identity(spec) == identity(msgspec.structs.replace(spec, bots=tuple(named)))
    whole = {"voluntary_pass": True, "size": 4}
    assert identity(spec) == identity(msgspec.structs.replace(spec, parameters=whole))
    assert play_game(spec).identity == identity(spec)


def test_a_specification_survives_being_sent():
    spec = virus(opening=(2, 4))
    sent = msgspec.json.decode(msgspec.json.encode(spec), type=GameSpec)
    assert sent == spec
    assert identity(sent) == identity(spec)
