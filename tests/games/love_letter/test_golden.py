"""Rounds that independent implementations agree on: choices, effects, knowledge and winners."""

import gzip
import json

import pytest
from games.love_letter.rounds import (
    as_listed,
    choice_number,
    dealt,
    give,
    known_deck,
    known_hands,
    legal_actions,
    over,
    play_number,
    standing,
)
from helpers import recorded_files, some

from joute.core.interface import mover, observe, play, points, returns, tell
from joute.games.love_letter.rules import make
from joute.games.love_letter.state import LOGGED, PROTECTED, RANDOM, ROUND, log


def rounds(players):
    """The recorded rounds of so many players."""
    found = []
    for path in recorded_files("love_letter", "*.jsonl.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            found += [json.loads(line) for line in lines]
    return [each for each in found if each["players"] == players]


class Replay:
    """The rules, following a recorded round."""

    def __init__(self, recorded):
        self.recorded = recorded
        self.game = make(players=recorded["players"])
        self.state = dealt(self.game, recorded["face_up"], recorded["hands"], recorded["starter"])
        self.events = []  # what the mover is told of each ply of a turn

    def told(self, action):
        """Note what all are told together, as nobody is told a thing that another is told not."""
        views = [tell(self.game, self.state, each, action) for each in range(self.game.players)]
        self.events.append({key: value for view in views for key, value in view.items()})

    def ply(self, action):
        self.told(action)
        play(self.game, self.state, action)

    def turn(self, turn):
        """Play a recorded turn; what our rules say of it, in the words of the record."""
        self.events = []
        give(self.game, self.state, turn["drawn"])
        assert mover(self.game, self.state) == turn["player"]
        assert observe(self.game, self.state, turn["player"])["hand"] == [
            turn["held"],
            turn["drawn"],
        ]
        listed = legal_actions(self.game, self.state)
        before = self.state[LOGGED]
        self.ply(play_number(turn["played"], turn["target"], turn["guess"]))
        found = {"legal": [as_listed(each) for each in listed]}
        effects = turn["effects"]
        for card in effects.get("chancellor_drew", []):
            give(self.game, self.state, card)
        if turn["keep"] is not None:
            choices = legal_actions(self.game, self.state)
            found["chancellor_legal"] = [as_listed(each) for each in choices]
            self.ply(choice_number(turn["keep"], *turn["bottom"]))
        for _, card, _ in [effects["redrawn"]] if "redrawn" in effects else []:
            give(self.game, self.state, card)
        shown = self.events[0]
        found["effects"] = {
            key: shown[key]
            for key in ("hit", "seen", "compared", "swapped", "discarded", "out")
            if key in shown
        }
        discards = [[each.player, each.card] for each in log(self.state)[before + 1 :]]
        assert discards == shown.get("discarded", [])
        found |= standing(self.game, self.state)
        found["known"] = known_hands(self.game, self.state)
        found["deck_known"] = known_deck(self.state)
        return found

    def end(self):
        """The end of the round, in the words of the record."""
        assert over(self.game, self.state)
        ended = observe(self.game, self.state, 0)
        values = [0.0] * self.game.players
        returns(self.game, self.state, values)
        best = max(values)
        if len(set(values)) > 1:
            assert ended["round_over"]["winners"] == [
                each for each, value in enumerate(values) if value == best
            ]
        tokens = [points(self.game, self.state, each) for each in range(self.game.players)]
        assert tokens == ended["round_over"]["tokens"] == ended["points"]
        return {
            "reason": ended["round_over"]["reason"],
            "winners": ended["round_over"]["winners"],
            "spy_bonus": ended["round_over"]["spy_bonus"],
            "tokens": tokens,
            "discards": ended["discards"],
        }


def expected_turn(turn):
    """A turn as a record has it."""
    keys = ["legal", "hands_after", "protected_after", "deck_after", "deck_known"]
    keys += ["chancellor_legal"] if turn["keep"] is not None else []
    shown = ("hit", "seen", "compared", "swapped", "discarded", "out")
    return {
        **{key: turn[key] for key in keys},
        "known": sorted(turn["known"] + turn["known_bottom"]),
        "effects": {key: turn["effects"][key] for key in shown if key in turn["effects"]},
    }


def follow(recorded):
    """Replay a round, comparing everything."""
    replay = Replay(recorded)
    for number, turn in enumerate(recorded["turns"]):
        found, expected = replay.turn(turn), expected_turn(turn)
        if number == len(recorded["turns"]) - 1:
            # A showdown opens the hands.
            found["known"] = expected["known"]
        else:
            # The record looks before the next turn begins, and with it the end of a protection.
            following = recorded["turns"][number + 1]["player"]
            expected["protected_after"] = [
                each for each in expected["protected_after"] if each != following
            ]
        assert found == expected, (recorded["id"], number)
    ended = recorded["end"]
    found = replay.end()
    assert found == {key: ended[key] for key in found}, recorded["id"]
    assert replay.state[RANDOM] + len(known_deck_any(replay)) == len(ended["deck"])
    assert replay.state[ROUND] == 1
    assert replay.state[PROTECTED] < 1 << recorded["players"]


def known_deck_any(replay):
    """The cards at the bottom, whoever put them there."""
    return observe(replay.game, replay.state, 0)["bottom"]


@pytest.mark.parametrize("players", range(2, 7))
def test_every_recorded_round_replays(players):
    found = rounds(players)
    assert len(found) >= 10
    for recorded in found[::10]:
        follow(recorded)


@pytest.mark.full
@pytest.mark.parametrize("players", some(range(2, 7), 2))
def test_all_recorded_rounds_replay(players):
    for recorded in rounds(players):
        follow(recorded)
