"""Keeps all that it is told, as text and as numbers in a row, and plays some legal action."""

import array
import json


class Bot:
    def start(self, info):
        self.kept = [json.dumps(info)]
        self.rows = []

    def play(self, observation, clock):
        text = json.dumps(observation, separators=(",", ":"))
        self.kept.append(text)
        hand = observation["hand"]
        row = hand if isinstance(hand, list) else [hand]
        unseen = observation["unseen"]
        for part in unseen if isinstance(unseen[0], list) else [unseen]:
            row = row + part
        self.rows += [array.array(kind, row) for kind in "hq"]
        legal = observation["legal"]
        return legal[len(text) % len(legal)]
