"""Fails in each of many turns with as long an error as is kept, for the record to swell."""

import random


def play(observation, clock):
    raise ValueError(random.randbytes(4000).hex())
