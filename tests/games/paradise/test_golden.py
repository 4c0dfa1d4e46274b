"""The recorded games of the original engine: every snapshot, view, rejection and result."""

import gzip
import json
from collections import Counter
from itertools import islice

import pytest
from helpers import COPIES, GOLDEN, recorded_files

from joute.core.interface import OVER, legal, mover, observe, play, properties, returns, start
from joute.core.registry import make
from joute.games.paradise.csgames import Rejected, action_of, contest_state
from joute.games.paradise.state import (
    DEALT,
    DECK_SIZE,
    DRAWING,
    FATIGUE,
    HAND,
    HAND_SIZE,
    HERO,
    MANA,
    MAX_MANA,
    PHASE,
    PLAYER,
    POWER_ACTION,
    POWER_USED,
    SHOOTING,
    TURN,
    VICTIM,
    block,
)

GAME = make("paradise", quirks=True)
FILES = recorded_files("paradise", "*.jsonl.gz")


def recorded(path):
    """The games of a file, one a line."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


class Replay:
    """The rules, following a recorded game; chance does what was recorded."""

    def __init__(self, game):
        self.state = start(GAME).tolist()
        self.decks = [[card for _, card in deck] for deck in game["decks"]]
        hands = [[card for _, card, _ in side["h"]] for side in game["init"]["p"]]
        for player in (0, 1):
            for card in hands[player][: DEALT[player]]:
                play(GAME, self.state, card)
        play(GAME, self.state, hands[0][DEALT[0]])

    def draw(self):
        """The card that begins a turn, if one is due."""
        if self.state[PHASE] == DRAWING:
            play(GAME, self.state, self.decks[self.state[PLAYER]].pop())

    def check(self, expected, place):
        """Compare the state with a snapshot."""
        found, wanted = snapshot(self.state), trimmed(expected)
        assert found == wanted, place


def snapshot(state):
    """The state, as the recordings have it."""
    over = int(mover(GAME, state) == OVER)
    view = [observe(GAME, state, player) for player in (0, 1)]
    choices = legal_actions(state)
    sides = []
    for player in (0, 1):
        first = block(player)
        side = {
            "hp": max(state[first + HERO], 0),
            "dmg": 30 - state[first + HERO],
            "mana": state[first + MANA],
            "mm": state[first + MAX_MANA],
            "um": state[first + MAX_MANA] - state[first + MANA],
            "fat": state[first + FATIGUE],
            "hpu": state[first + POWER_USED],
            "dk": state[first + DECK_SIZE],
        }
        own = choices if mover(GAME, state) == player else []
        hand = state[first + HAND : first + HAND + state[first + HAND_SIZE]]
        side["h"] = [
            [card] if over else [card, int(any(plays(each, place) for each in own))]
            for place, card in enumerate(hand)
        ]
        if not over:
            side["hpok"] = int(1 in own)
        board = contest_state(view[player])["player_target"][1:]
        side["f"] = []
        for number, (minion, seen) in enumerate(
            zip(board, view[player]["boards"][player], strict=True)
        ):
            attacks = any(102 + 8 * number <= each < 110 + 8 * number for each in own)
            side["f"].append(
                [
                    minion["id"], minion["atk"], minion["health"], minion["max_health"],
                    minion["max_health"] - minion["health"], minion["poisonous"] or 0,
                    minion["turns_in_play"], int(seen["attacked"]), int(seen["charge"]),
                    sorted(minion["buffs"]),
                ]
                + ([] if over else [int(attacks)])
            )  # fmt: skip
        sides.append(side)
    return {"t": state[TURN], "cp": state[PLAYER], "over": over, "p": sides}


def trimmed(expected):
    """A recorded snapshot, without what is not to be compared."""
    over = expected["over"]
    sides = []
    for recorded_side in expected["p"]:
        side = dict(recorded_side)
        side["h"] = [[card] if over else [card, able] for _, card, able in side["h"]]
        side["f"] = [
            [*each[1:6], each[7], each[8], each[9], each[10], sorted(each[11])]
            + ([] if over else [each[6]])
            for each in side["f"]
        ]
        if over:
            del side["hpok"]
        sides.append(side)
    return {"t": expected["t"], "cp": expected["cp"], "over": over, "p": sides}


def plays(action, place):
    """Whether an action plays the card at a place of the hand."""
    return action == 2 + place or 12 + 9 * place <= action < 12 + 9 * place + 9


def legal_actions(state):
    if mover(GAME, state) < 0:
        return []
    out = [0] * properties(GAME).max_legal
    return out[: legal(GAME, state, out)]


def answered(state, answer):
    """The action that an answer of the contest's interface stands for; whether it was rejected."""
    try:
        return action_of(observe(GAME, state, state[PLAYER]), answer), False
    except Rejected:
        return 0, True


def follow(game, told):
    """Replay a game; raises AssertionError at the first difference."""
    replay = Replay(game)
    state = replay.state
    replay.check(game["init"], "init")
    for number, step in enumerate(game["steps"]):
        player = state[PLAYER]
        if "view" in step:
            told["views"] += 1
            found = contest_state(observe(GAME, state, player))
            assert found.pop("hero_health") == found["player_health"]
            assert sorted_buffs(found) == sorted_buffs(step["view"]), number
        action, rejected = answered(state, step["a"])
        if rejected or action == 0:
            told["rejected" if rejected else "ended"] += 1
            assert step["end"] == 1, (number, step["a"])
            if "post" in step:
                told["refused"] += 1
                replay.check(step["post"], number)
            play(GAME, state, 0)
        else:
            told["played"] += 1
            play(GAME, state, action)
            if state[PHASE] == SHOOTING:
                told["shots"] += 1
                play(GAME, state, VICTIM + step["rnd"][0])
            if state[PHASE] != DRAWING and mover(GAME, state) != OVER and not step["end"]:
                replay.check(step["post"], number)
            else:
                assert step["exc"] == "GameOver"
                if action == POWER_ACTION:
                    # The original was stopped by the kill before it counted the use.
                    state[block(player) + POWER_USED] = 0
        replay.draw()
        if "next" in step:
            told["turns"] += 1
            replay.check(step["next"], number)
    replay.check(game["final"], "final")
    assert mover(GAME, state) == OVER
    values = [0.0, 0.0]
    returns(GAME, state, values)
    assert [value > 0 for value in values] == game["result"]


def sorted_buffs(value):
    """The same dictionary with the buffs in one order."""
    if isinstance(value, dict):
        return {
            key: sorted(each) if key == "buffs" else sorted_buffs(each)
            for key, each in value.items()
        }
    return [sorted_buffs(each) for each in value] if isinstance(value, list) else value


def follow_all(path, most=None):
    """Replay the games of a file, or its first; what happened in them."""
    told = Counter()
    for number, game in enumerate(islice(recorded(path), most)):
        try:
            follow(game, told)
        except AssertionError as error:
            raise AssertionError(f"{path.name}, game {number}: {error}") from error
    return told


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_first_recorded_games_follow_from_the_rules(path):
    assert follow_all(path, 3)["turns"] > 20


@pytest.mark.full
def test_every_snapshot_of_every_recorded_game_follows_from_the_rules():
    told = Counter()
    for path in FILES:
        told += follow_all(path)
    assert told["played"]
    if GOLDEN == COPIES:
        assert set(told) == {"views", "rejected", "ended", "refused", "played", "shots", "turns"}
