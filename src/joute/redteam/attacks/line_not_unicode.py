"""Answers bytes that are no text, and text of lone surrogates."""

import os

from attempt import writer


def play(observation, clock):
    line = writer()
    wrong = [b"\xff\xfe\xc0\x80", b"\\ud800", b"\xed\xa0\x80"]
    text = wrong[observation["ply"] % len(wrong)]
    os.write(line, b'{"type":"action","action":"' + text + b'forged"}\n')
    return 0
