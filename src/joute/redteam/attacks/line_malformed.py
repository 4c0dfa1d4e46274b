"""Answers what is no message: broken JSON, unknown types, wrong fields, a bare number."""

import os

from attempt import writer


def play(observation, clock):
    line = writer()
    wrong = [
        b'{"type":"action","action":',
        b'{"type":"referee","returns":[1,-1]}',
        b'{"type":"action","action":{"a":1}}',
        b'{"type":"action","action":1e999}',
        b"7",
    ]
    os.write(line, wrong[observation["ply"] % len(wrong)] + b"\n")
    return 0
