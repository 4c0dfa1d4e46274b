"""Attacks by what they answer and print: lines that are no messages, too many, or too long."""

import os
import random
import sys

from joute.redteam.attacks.attempt import attempt, linger, writer

_ANSWER = b'{"type":"action","action":'
_FORGED = b'{"type":"action","action":"forged"}'


def line_huge(aim):
    """Answers one line of 8 MB."""
    line = writer()
    os.write(line, _ANSWER + b'"')
    for number in range(128):
        os.write(line, b"x" * (64 << 10))
    os.write(line, b'"}\n')


def line_endless(aim):
    """Answers a line that never ends, as fast as it is read."""
    line = writer()
    while True:
        os.write(line, b" " * (64 << 10))


def line_slow(aim):
    """Answers one byte after the other, so that its line seems always about to end."""
    line = writer()
    for number in range(1000):
        os.write(line, b" ")
        linger(0.01)


def line_malformed(aim):
    """Answers what is no message: broken JSON, unknown types, wrong fields, a bare number."""
    wrong = [
        _ANSWER,
        b'{"type":"referee","returns":[1,-1]}',
        _ANSWER + b'{"a":1}}',
        _ANSWER + b"1e999}",
        b"7",
    ]
    os.write(writer(), wrong[aim["ply"] % len(wrong)] + b"\n")


def line_nested(aim):
    """Answers lists within lists, a hundred thousand deep, to exhaust the stack of its reader."""
    depth = 100_000
    os.write(writer(), _ANSWER + b"[" * depth + b"]" * depth + b"}\n")


def line_not_unicode(aim):
    """Answers bytes that are no text, and text of lone surrogates."""
    wrong = [b"\xff\xfe\xc0\x80", b"\\ud800", b"\xed\xa0\x80"]
    os.write(writer(), _ANSWER + b'"' + wrong[aim["ply"] % len(wrong)] + b'forged"}\n')


def line_with_nul(aim):
    """Answers with zero bytes before, inside and after the message."""
    os.write(writer(), b"\0\0" + _FORGED + b"\0\n")


def line_of_big_numbers(aim):
    """Answers a number of half a million digits, which takes long to read."""
    os.write(writer(), _ANSWER + b"9" * 500_000 + b"}\n")


def answer_twice(aim):
    """Answers twice, so that an answer to the next question is there before it is asked."""
    os.write(writer(), (_ANSWER + b"0}\n" + _FORGED + b"\n") * 50)


class answer_early:
    """Fills the channel with answers while it is started, before anything was asked."""

    try:
        os.write(writer(), b'{"type":"ready"}\n' + (_FORGED + b"\n") * 100)
    except OSError:
        pass

    def play(self, observation, clock):
        return 0


def claim_infrastructure(aim):
    """Says that the machine is at fault, so that a lost game is played again."""
    os.write(writer(), b'{"type":"error","fault":"infrastructure","error":"not me"}\n')


def flood_of_output(aim):
    """Prints without end to its standard output and error, to make the record huge."""
    for number in range(300):
        os.write(1, b"o" * 65536)
        sys.stderr.write("e" * 65536)


def flood_over_turns(aim):
    """Prints and says in each of many turns as much as one turn may, to make the record huge."""
    print(random.randbytes(45000).hex())
    return dict(attempt(), message=random.randbytes(2000).hex())


def flood_of_errors(aim):
    """Fails in each of many turns with as long an error as is kept, to make the record huge."""
    raise ValueError(4000 * "\0")  # six characters each, in a record
