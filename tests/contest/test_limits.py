"""The limits of a contest, which its configuration, games, records and seals have in common."""

import json
from pathlib import Path

import msgspec
import pytest

from joute.contest.config.config import resolve_data
from joute.contest.config.contest import from_json, to_json
from joute.contest.run.tasks import game_terms, seats_of
from joute.contest.seal import Seal, seal_of, sealed_terms
from joute.core.registry import make
from joute.host.limits import Limits
from joute.play.game import Identities
from joute.play.record import header

CASES = json.loads(Path(__file__).with_name("limits.json").read_text())
"""Written by a version that had the limits one by one: at their defaults, and all others."""


def contest_under(limits):
    data = {
        "contest": {"name": "golden", "seed": "golden", "workers": 2, "games": 2},
        "game": {"name": "virus", "size": 5},
        "limits": limits,
        "bots": [{"bot": "builtin:random", "memory_mb": 64}, "builtin:greedy"],
    }
    return resolve_data(data, where="golden", base=Path("/nowhere"))


@pytest.fixture(params=CASES, ids=["defaults", "others"])
def case(request):
    return request.param


@pytest.mark.game("virus")
def test_a_configuration_is_kept_byte_for_byte_as_ever(case):
    contest = contest_under(case["limits"])
    assert to_json(contest).decode() == case["configuration"]
    assert from_json(case["configuration"]) == contest
    assert contest.limits == msgspec.convert(case["limits"], Limits)


def test_a_configuration_opens_though_it_lacks_a_key_that_was_added_since(case):
    plain = json.loads(case["configuration"])
    del plain["import_joute"]
    assert from_json(json.dumps(plain)).limits.import_joute is False


def test_a_configuration_with_a_limit_out_of_bounds_is_refused(case):
    plain = json.loads(case["configuration"]) | {"memory_mb": 1}
    with pytest.raises(msgspec.ValidationError, match="memory_mb"):
        from_json(json.dumps(plain))


@pytest.mark.game("virus")
def test_identities_headers_and_seals_are_as_ever(case):
    contest = contest_under(case["limits"])
    game = make("virus", **contest.maps[0].parameters)
    bots, seed = tuple(seats_of(contest).values()), "0" * 32
    terms = msgspec.structs.replace(game_terms(contest, ()), bots=bots, seed=seed)
    assert Identities(terms, game).of(bots, ["r", "g"], seed) == case["identity"]
    head = header(terms, game, "identity", ["r", "g"], ["inline", "inline"]) | {"joute": ""}
    assert msgspec.json.encode(head).decode() == case["header"]
    seal = Seal(seal="", contents={"random": "r", "greedy": "g"}, rules=1, chance=1)
    assert seal_of(sealed_terms(json.loads(to_json(contest)), seal)) == case["seal"]


class WiderLimits(Limits, frozen=True, kw_only=True):
    """The limits of a later version, with one more key."""

    dice_seconds: float = 0.0


@pytest.mark.game("virus")
def test_one_more_key_leaves_games_as_they_are_at_its_default_and_changes_them_elsewhere(case):
    contest = contest_under(case["limits"])
    bots, seed = tuple(seats_of(contest).values()), "0" * 32

    def identity_under(**more):
        limits = WiderLimits(**msgspec.structs.asdict(contest.limits), **more)
        terms = msgspec.structs.replace(game_terms(contest, ()), limits=limits)
        return Identities(terms).of(bots, ["r", "g"], seed)

    assert identity_under() == case["identity"]
    assert identity_under(dice_seconds=1.0) != case["identity"]


def test_every_limit_is_documented():
    sheet = (Path(__file__).parents[2] / "docs/en/contests.md").read_text("utf-8")
    assert [key for key in Limits.__struct_fields__ if key not in sheet] == []
